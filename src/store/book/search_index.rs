//! The search index: the terms of the book's files in SQLite's full-text tables.
//!
//! The tables hold which files have a term, and in steps how often, without the places: with them the index was twice as large, and
//! larger than the text. Words of several terms are therefore looked for in the files that have all of these, the best first.
//!
//! The index notes the folders that it was made from by git's ids of them. Every search first compares these with the folders of the
//! commit and takes over the files that differ, which git tells without looking at the others; rollbacks, branches and edits need no
//! code of their own.
//!
//! The index is one SQLite file, `.git/novel/search-index`, of which a search reads only the pages of its terms, so
//! that its memory does not follow the length of the book. Correctness never depends on it: an index of another build of the
//! program, and one in which SQLite finds damage, is made again.

use crate::store::book::change::content_id;
use crate::store::book::search_ranking::{IndexError, SearchMatches, SearchedFiles, matches};
use crate::store::prelude::*;
use crate::text::{IndexEntries, Query};
use rusqlite::config::DbConfig;
use rusqlite::{Connection, ErrorCode, OptionalExtension as _, params};
use std::time::Duration;

/// The file in `.git/novel/`.
const NAME: &str = "search-index";

/// `ascii` leaves every letter beyond ASCII as it is. Neither the texts nor the places of terms are kept. The number of a document
/// is never used again, since its body may outlast it within a question.
const TABLES: &str = "
    PRAGMA auto_vacuum = FULL;
    BEGIN IMMEDIATE;
    CREATE TABLE IF NOT EXISTS build (key TEXT PRIMARY KEY);
    CREATE TABLE IF NOT EXISTS folder (name TEXT PRIMARY KEY, tree TEXT NOT NULL);
    CREATE TABLE IF NOT EXISTS document
        (id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL UNIQUE, length INTEGER NOT NULL);
    CREATE TABLE IF NOT EXISTS file (path TEXT PRIMARY KEY, document INTEGER NOT NULL) WITHOUT ROWID;
    CREATE INDEX IF NOT EXISTS files ON file (document);
    CREATE VIRTUAL TABLE IF NOT EXISTS body
        USING fts5(terms, content='', contentless_delete=1, detail=none, tokenize='ascii');
    CREATE VIRTUAL TABLE IF NOT EXISTS vocabulary USING fts5vocab(body, row);
";

/// The index is packed when one in so many of its documents is new: what is written again and again, and what stays unpacked, is then
/// a small part of it at any length.
const PACKED: i64 = 8;
/// Changes of fewer files, and of fewer bytes, are read again for each search instead of written, since writing them waits for the
/// disk.
const KEPT: usize = 16;
const KEPT_BYTES: usize = 256 << 10;
/// As long as this a search waits for another process that writes the index. All of a long book takes some seconds.
const PATIENCE: Duration = Duration::from_secs(20);

/// A file that is another one, new or gone: the name of its document, where it has one.
type FileChange = (String, Option<String>);

/// Returns the files of a commit that have something of the query.
/// Fails when a file cannot be read, or there is no place for an index.
pub fn search(
    book: &Book,
    query: &Query,
    snapshot: &Snapshot<'_>,
    files: &dyn SearchedFiles,
) -> Result<SearchMatches, StoreError> {
    // The kept index stays with the book's last commit: one question about an earlier commit must not cost the next chapter
    // another index.
    let searched = Searched { snapshot, files, is_last: snapshot.commit_id() == book.tip()? };
    let path = book.private().join(NAME);
    let kept = || searched.answer(&opened(&path)?, query);
    let found = kept().or_else(|error| match error {
        IndexError::Store(_) => Err(error),
        IndexError::Sqlite(ref sqlite) if sqlite.sqlite_error_code() == Some(ErrorCode::DatabaseBusy) => Err(error),
        IndexError::Sqlite(_) | IndexError::Stale => made_again(&path).and_then(|_| kept()),
    });
    match found {
        // No file can be written there. SQLite keeps an index without a name in a temporary file.
        Err(IndexError::Sqlite(_) | IndexError::Stale) => Ok(searched.answer(&opened(Path::new(""))?, query)?),
        found => Ok(found?),
    }
}

/// The index at that path, with its tables.
fn opened(path: &Path) -> Result<Connection, IndexError> {
    let index = Connection::open(path)?;
    index.busy_timeout(PATIENCE)?;
    let known = index.query_row("SELECT key FROM build", [], |row| row.get::<_, String>(0));
    if known.is_ok_and(|known| known == env!("NOVEL_BUILD")) {
        return Ok(index);
    }
    if index.query_row("SELECT count(*) FROM sqlite_schema", [], |row| row.get(0)) != Ok(0) {
        drop(index);
        return made_again(path);
    }
    with_tables(index)
}

/// An index without any files in place of whatever has this path.
fn made_again(path: &Path) -> Result<Connection, IndexError> {
    let index = Connection::open(path)?;
    index.busy_timeout(PATIENCE)?;
    // SQLite's own way, with its locks, for a file that may be damaged or another program's.
    index.set_db_config(DbConfig::SQLITE_DBCONFIG_RESET_DATABASE, true)?;
    index.execute_batch("PRAGMA auto_vacuum = FULL; VACUUM")?;
    index.set_db_config(DbConfig::SQLITE_DBCONFIG_RESET_DATABASE, false)?;
    with_tables(index)
}

fn with_tables(index: Connection) -> Result<Connection, IndexError> {
    index.execute_batch(TABLES)?;
    index.execute("INSERT OR IGNORE INTO build (key) VALUES (?1)", [env!("NOVEL_BUILD")])?;
    index.execute_batch("COMMIT")?;
    Ok(index)
}

/// The files of a commit that are searched.
struct Searched<'a> {
    snapshot: &'a Snapshot<'a>,
    files: &'a dyn SearchedFiles,
    /// True for the book's last commit, with which the index stays.
    is_last: bool,
}

impl Searched<'_> {
    /// Brings the index up and answers from it. Changes stay in it where they are many.
    fn answer(&self, index: &Connection, query: &Query) -> Result<SearchMatches, IndexError> {
        index.execute_batch("BEGIN")?;
        let mut update = IndexUpdate::of(index, self)?;
        if !update.folders.is_empty() {
            index.execute_batch("COMMIT; BEGIN IMMEDIATE")?;
            // Another process may have written meanwhile.
            update = IndexUpdate::of(index, self)?;
        }
        let is_much = update.changes.len() >= KEPT || update.bytes >= KEPT_BYTES;
        let keeps = (self.is_last || update.is_first) && is_much;
        update.apply(index, self.files, keeps)?;
        let found = matches(index, query, self.files)?;
        index.execute_batch(if keeps { "COMMIT" } else { "ROLLBACK" })?;
        Ok(found)
    }
}

/// The files of a commit that differ from those of an index.
struct IndexUpdate {
    /// Each folder with such files, and the id that it has in the commit.
    folders: Vec<(&'static str, String)>,
    changes: Vec<FileChange>,
    /// The bytes of the new files.
    bytes: usize,
    /// True for an index that has no file yet.
    is_first: bool,
}

impl IndexUpdate {
    fn of(index: &Connection, searched: &Searched<'_>) -> Result<Self, IndexError> {
        let Searched { snapshot, files, .. } = *searched;
        let mut folders = index.prepare("SELECT name, tree FROM folder")?;
        let rows = folders.query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?;
        let known = rows.collect::<Result<BTreeMap<String, String>, _>>()?;
        let mut update = Self { folders: Vec::new(), changes: Vec::new(), bytes: 0, is_first: known.is_empty() };
        for name in files.folders() {
            let folder = snapshot.folder(name)?;
            let tree = folder.as_ref().map(|folder| folder.id().to_string()).unwrap_or_default();
            let was = known.get(*name).map_or("", String::as_str);
            if was != tree {
                update.add(snapshot, (name, was, folder.as_ref()), files)?;
                update.folders.push((*name, tree));
            }
        }
        Ok(update)
    }

    /// Adds the files that differ between two trees of a folder. Fails with [`IndexError::Stale`] when the repository no longer has
    /// the old one.
    fn add(
        &mut self,
        snapshot: &Snapshot<'_>,
        (name, was, folder): (&str, &str, Option<&git2::Tree<'_>>),
        files: &dyn SearchedFiles,
    ) -> Result<(), IndexError> {
        let repo = snapshot.repo();
        let old = match was {
            "" => None,
            was => Some(Oid::from_str(was).and_then(|id| repo.find_tree(id)).map_err(|_| IndexError::Stale)?),
        };
        let odb = repo.odb().doing("opening the object store")?;
        for difference in tree::differences(repo, old.as_ref(), folder)? {
            let path = format!("{name}/{}", difference.path);
            let blob = difference.new.filter(|blob| blob.is_file());
            let content = blob.and_then(|blob| content_id(blob.id));
            let document = content.and_then(|content| files.document(&path, content));
            if let Some(blob) = blob.filter(|_| document.is_some()) {
                // A missing object is found out when the file is read.
                self.bytes += odb.read_header(blob.id).map_or(0, |(bytes, _)| bytes);
            }
            self.changes.push((path, document));
        }
        Ok(())
    }

    /// Takes the files over, one after the other, and packs the index now and then where it `keeps` them.
    fn apply(&self, index: &Connection, files: &dyn SearchedFiles, keeps: bool) -> Result<(), IndexError> {
        if take_over(index, &self.changes, files, keeps)? {
            for (name, tree) in &self.folders {
                index.execute("INSERT OR REPLACE INTO folder (name, tree) VALUES (?1, ?2)", params![name, tree])?;
            }
        }
        if keeps {
            let number = |query: &str| index.query_row(query, [], |row| row.get::<_, i64>(0));
            let documents = number("SELECT count(*) FROM document")?;
            let mut unpacked = number("PRAGMA user_version")? + i64::try_from(self.changes.len()).unwrap_or_default();
            if unpacked * PACKED > documents {
                index.execute_batch("INSERT INTO body (body) VALUES ('optimize')")?;
                unpacked = 0;
            }
            index.pragma_update(None, "user_version", unpacked)?;
        }
        Ok(())
    }
}

/// Changes the files of the index. A document goes with the last file that has it, and where the index `keeps` the changes with its
/// body, which takes a hundred times as long. False where the repository lacks the content of a file, which is left out.
fn take_over(
    index: &Connection,
    changes: &[FileChange],
    files: &dyn SearchedFiles,
    keeps: bool,
) -> Result<bool, IndexError> {
    let mut known = index.prepare("SELECT id FROM document WHERE name = ?1")?;
    let mut add_name = index.prepare("INSERT INTO document (name, length) VALUES (?1, ?2)")?;
    let mut add_body = index.prepare("INSERT INTO body (rowid, terms) VALUES (?1, ?2)")?;
    let mut forget_file = index.prepare("DELETE FROM file WHERE path = ?1 RETURNING document")?;
    let mut add_file = index.prepare("INSERT INTO file (path, document) VALUES (?1, ?2)")?;
    let mut is_used = index.prepare("SELECT 1 FROM file WHERE document = ?1 LIMIT 1")?;
    let mut forget_name = index.prepare("DELETE FROM document WHERE id = ?1")?;
    let mut forget_body = index.prepare("DELETE FROM body WHERE rowid = ?1")?;
    let mut has_all = true;
    for (path, document) in changes {
        let gone: Option<i64> = forget_file.query_row([path], |row| row.get(0)).optional()?;
        if let Some(name) = document {
            let mut id: Option<i64> = known.query_row([name], |row| row.get(0)).optional()?;
            if id.is_none()
                && let Some(text) = files.text(path, name)?
            {
                let IndexEntries { entries, length } = IndexEntries::of(&text);
                add_name.execute(params![name, length])?;
                add_body.execute(params![index.last_insert_rowid(), entries])?;
                id = known.query_row([name], |row| row.get(0)).optional()?;
            }
            has_all &= id.is_some();
            if let Some(id) = id {
                add_file.execute(params![path, id])?;
            }
        }
        if let Some(gone) = gone
            && !is_used.exists([gone])?
        {
            forget_name.execute([gone])?;
            if keeps {
                forget_body.execute([gone])?;
            }
        }
    }
    Ok(has_all)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::ContentId;
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    /// Files whose documents are their texts. The repository lacks the one with `?` in it.
    struct Texts;

    impl SearchedFiles for Texts {
        fn folders(&self) -> &[&'static str] {
            &[]
        }

        fn document(&self, _: &str, _: ContentId) -> Option<String> {
            None
        }

        fn text(&self, _: &str, document: &str) -> Result<Option<String>, StoreError> {
            Ok(Some(document.to_owned()).filter(|text| !text.contains('?')))
        }

        fn is_wanted(&self, path: &str, _: &str) -> bool {
            !path.starts_with('-')
        }

        fn most_read(&self) -> usize {
            10
        }
    }

    fn in_memory() -> Connection {
        with_tables(Connection::open_in_memory().unwrap()).unwrap()
    }

    /// Makes the index one of these files, by path.
    fn filled(index: &Connection, texts: &BTreeMap<String, String>) -> usize {
        filled_with(index, texts, true)
    }

    fn filled_with(index: &Connection, texts: &BTreeMap<String, String>, keeps: bool) -> usize {
        let known: Vec<String> = {
            let mut paths = index.prepare("SELECT path FROM file").unwrap();
            paths.query_map([], |row| row.get(0)).unwrap().collect::<Result<_, _>>().unwrap()
        };
        let gone = known.into_iter().filter(|path| !texts.contains_key(path)).map(|path| (path, None));
        let there = texts.iter().map(|(path, text)| (path.clone(), Some(text.clone())));
        let changes: Vec<FileChange> = gone.chain(there).collect();
        take_over(index, &changes, &Texts, keeps).unwrap();
        let documents: i64 = index.query_row("SELECT count(*) FROM document", [], |row| row.get(0)).unwrap();
        usize::try_from(documents).unwrap()
    }

    fn found(index: &Connection, typed: &str) -> Vec<(String, f64, bool)> {
        let mut found = matches(index, &Query::parse(typed).unwrap(), &Texts).unwrap();
        found.files.sort_by(|a, b| a.path.cmp(&b.path));
        found.files.into_iter().map(|found| (found.path, found.score, found.is_literal)).collect()
    }

    #[test]
    fn words_as_typed_are_told_from_pairs() {
        let texts = [("a", "他把密信交给城门守卫。"), ("b", "城门开了，信在密室"), ("c", "雨")];
        let texts = texts.into_iter().map(|(name, text)| (name.to_owned(), text.to_owned())).collect();
        let index = in_memory();
        assert_eq!((filled(&index, &texts), filled(&index, &texts)), (3, 3));
        let literal = |typed: &str| {
            let found = found(&index, typed).into_iter();
            found.map(|(name, _, literal)| format!("{name}{}", u8::from(literal))).collect::<Vec<_>>()
        };
        assert_eq!(literal("密信 城门"), ["a1", "b0"]);
        assert_eq!(literal("密信守卫"), ["a0"]);
        assert_eq!(
            (literal("信"), literal("雨"), literal("雪")),
            (vec!["a1".into(), "b1".into()], vec!["c1".into()], vec![])
        );
        // Words that the language of the full-text tables knows are words like any others.
        assert_eq!(literal("OR NOT \" AND NEAR( 雨 ) * ^"), ["c0"]);
    }

    #[test]
    fn words_of_every_chapter_do_not_rank_a_long_book() {
        let text = |n: usize| match n % 400 {
            7 => "沈渡在渡口丢了钥匙。".to_owned(),
            _ => format!("沈渡在渡口等船，第{n}天。"),
        };
        let texts: BTreeMap<String, String> = (0..1200).map(|n| (format!("{n:04}"), text(n))).collect();
        let index = in_memory();
        filled(&index, &texts);
        let names = |typed: &str| found(&index, typed).into_iter().map(|(name, _, literal)| (name, literal));
        let rare = ["0007", "0407", "0807"].map(|name| (name.to_owned(), true));
        assert_eq!(names("沈渡 钥匙").collect::<Vec<_>>(), rare);
        assert_eq!(names("钥匙").collect::<Vec<_>>(), rare);
        // With nothing else to go by, common words do.
        assert_eq!(names("沈渡 渡口").filter(|(_, literal)| *literal).count(), 1200);
    }

    #[test]
    fn only_the_best_files_that_are_wanted_are_read_for_words_as_typed() {
        let text = |n: usize| format!("密信到了城门。{}", "雨".repeat(n));
        let unwanted = (0..20).map(|n| (format!("-{n}"), format!("{n}密信到城门")));
        let mut texts: BTreeMap<String, String> = unwanted.chain((0..10).map(|n| (n.to_string(), text(n)))).collect();
        let index = in_memory();
        filled(&index, &texts);
        let ask = |index: &Connection, typed: &str| {
            let found = matches(index, &Query::parse(typed).unwrap(), &Texts).unwrap();
            let literal: Vec<String> =
                found.files.iter().filter(|found| found.is_literal).map(|found| found.path.clone()).collect();
            (found.files.len(), literal.len(), found.is_cut)
        };
        assert_eq!(ask(&index, "密信到了"), (10, 10, false));
        assert_eq!(ask(&index, "密信到城门"), (10, 0, false));
        texts.insert("a".to_owned(), text(30));
        filled(&index, &texts);
        assert_eq!(ask(&index, "密信到了"), (11, 10, true));
        // A word of one term needs no text.
        assert_eq!(ask(&index, "密信 城门"), (11, 11, false));
        let longest = matches(&index, &Query::parse("密信到了").unwrap(), &Texts).unwrap().files;
        assert!(!longest.iter().find(|found| found.path == "a").unwrap().is_literal, "the longest ranks last");
    }

    #[test]
    fn a_file_without_its_content_is_left_out_and_looked_for_again() {
        let index = in_memory();
        let lost = [("a".to_owned(), Some("密信?".to_owned())), ("b".to_owned(), Some("密信".to_owned()))];
        assert!(!take_over(&index, &lost, &Texts, true).unwrap());
        assert_eq!(found(&index, "密信").len(), 1);
        let whole = [("a".to_owned(), Some("密信到了".to_owned())), lost[1].clone()];
        assert!(take_over(&index, &whole, &Texts, true).unwrap());
        assert_eq!(found(&index, "密信").len(), 2);
    }

    #[test]
    fn every_step_of_frequency_counts() {
        for times in [1, 2, 3, 4, 7, 8] {
            let texts = BTreeMap::from([("a".to_owned(), "密".repeat(times + 1)), ("b".to_owned(), "信城".to_owned())]);
            let index = in_memory();
            filled(&index, &texts);
            let (ranked, counted) = (found(&index, "密密"), bm25(&texts, "密密"));
            assert!((ranked[0].1 - counted[0].1).abs() < 1e-9, "{times}: {ranked:?} {counted:?}");
        }
    }

    #[test]
    fn a_long_query_is_a_query() {
        let index = in_memory();
        let long: String = (0..5000).filter_map(|n| char::from_u32(0x4E00 + n * 4)).collect();
        filled(&index, &BTreeMap::from([("a".to_owned(), long.clone())]));
        assert!(found(&index, &long)[0].2);
        let words = long.chars().map(|c| format!("{c} ")).collect::<String>();
        assert!(found(&index, &words)[0].2);
    }

    /// BM25 of the pairs of a query, counted in the texts, with the numbers of occurrences that an index knows.
    fn bm25(texts: &BTreeMap<String, String>, typed: &str) -> Vec<(String, f64)> {
        let pairs = |text: &str| text.chars().zip(text.chars().skip(1)).collect::<Vec<_>>();
        let times = |text: &String, pair| match pairs(text).into_iter().filter(|found| *found == pair).count() {
            8.. => 8.0,
            4.. => 4.0,
            2.. => 2.0,
            1 => 1.0,
            _ => 0.0,
        };
        let documents: BTreeSet<&String> = texts.values().collect();
        let length = |text: &String| text.chars().count() as f64;
        let mean = documents.iter().map(|text| length(text)).sum::<f64>() / documents.len() as f64;
        let wanted: BTreeSet<_> = pairs(typed).into_iter().collect();
        let weight = |pair| {
            let with = documents.iter().filter(|text| times(text, pair) > 0.0).count() as f64;
            ((documents.len() as f64 - with + 0.5) / (with + 0.5)).ln().max(1e-6)
        };
        let score = |text: &String| {
            let of_pair = |pair: &(char, char)| {
                let times = times(text, *pair);
                weight(*pair) * times * 2.2 / (times + 1.2 * (0.25 + 0.75 * length(text) / mean))
            };
            wanted.iter().map(of_pair).sum::<f64>()
        };
        let scores = texts.iter().map(|(path, text)| (path.clone(), score(text)));
        scores.filter(|(_, score)| *score > 0.0).collect()
    }

    proptest! {
        #[test]
        fn files_rank_by_bm25_of_the_steps_of_frequency(
            texts in prop::collection::btree_map("[a-f]", "[密信城]{2,9}", 1..6),
            typed in "[密信城]{2,5}",
        ) {
            let index = in_memory();
            filled(&index, &texts);
            let (ranked, counted) = (found(&index, &typed), bm25(&texts, &typed));
            prop_assert_eq!(ranked.len(), counted.len());
            for ((path, score, _), (other, counted)) in ranked.into_iter().zip(counted) {
                prop_assert_eq!(&path, &other);
                // The terms are added up in another order.
                prop_assert!((score - counted).abs() < 1e-9, "{path}: {score} {counted}");
            }
        }

        #[test]
        fn an_index_that_was_changed_equals_a_new_one(
            steps in prop::collection::vec(prop::collection::btree_map("[a-d]", "[密信城门雨，]{0,12}", 0..4), 1..5),
        ) {
            let index = in_memory();
            for texts in steps {
                // First for the time of a question.
                index.execute_batch("SAVEPOINT question").unwrap();
                filled_with(&index, &texts, false);
                let asked = ["密信", "雨 城门", "信"].map(|typed| found(&index, typed));
                index.execute_batch("ROLLBACK TO question; RELEASE question").unwrap();
                let documents = filled(&index, &texts);
                // Files with the same text are one document.
                prop_assert_eq!(documents, texts.values().collect::<BTreeSet<_>>().len());
                let fresh = in_memory();
                filled(&fresh, &texts);
                for (typed, asked) in ["密信", "雨 城门", "信"].into_iter().zip(asked) {
                    prop_assert_eq!(found(&index, typed), found(&fresh, typed));
                    prop_assert_eq!(asked, found(&fresh, typed));
                }
            }
        }
    }
}
