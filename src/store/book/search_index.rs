//! The search index: the terms of the book's files in SQLite's full-text tables, ranked by BM25.
//!
//! The tables hold which files have a term, and in steps how often, without the places: with them the index was larger than the
//! text. Words of several terms are therefore looked for in the files that have all of these, the best first.
//!
//! The index notes the folders that it was made from by git's ids of them. Every search first compares these with the folders of the
//! commit and takes over the files that differ, which git tells without looking at the others; rollbacks, branches and edits need no
//! code of their own.
//!
//! The index is one SQLite file, `.git/novel/search-index`, of which a search reads only the pages of its terms, so
//! that its memory does not follow the length of the book. Correctness never depends on it: an index that cannot be
//! trusted is made again. Trust follows from the file's time. Each change notes a time in the index itself and gives it
//! to the file when everything is on the disk. A death before that, and another program that writes to the file, leave
//! another time.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use git2::Oid;
use rusqlite::{Connection, ErrorCode, OpenFlags, OptionalExtension as _, params};

use super::content::content_id;
use super::repository::Book;
use super::search_ranking::{Bodies, matches};
use super::searched::{IndexError, SearchMatches, SearchedFiles};
use super::snapshot::Snapshot;
use crate::store::disk::system::{self, FileTime};
use crate::store::error::{GitContext as _, IoContext as _, StoreError};
use crate::store::git::tree;
use crate::text::{IndexEntries, Query};

/// The file in `.git/novel/` …
const NAME: &str = "search-index";
/// … and the version of the tables, of the terms and of the texts that they are taken from. Raise it whenever the same files
/// give another index.
const RULES: u32 = 6;

/// `ascii` leaves every letter beyond ASCII as it is. Neither the texts nor the places of terms are kept.
const TABLES: &str = "
    CREATE TABLE version (key TEXT NOT NULL, changes INTEGER NOT NULL, unpacked INTEGER NOT NULL,
                          documents INTEGER NOT NULL, length INTEGER NOT NULL);
    CREATE TABLE folder (name TEXT PRIMARY KEY, tree TEXT NOT NULL);
    CREATE TABLE document (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, length INTEGER NOT NULL);
    CREATE TABLE file (path TEXT PRIMARY KEY, document INTEGER NOT NULL) WITHOUT ROWID;
    CREATE INDEX files ON file (document);
    CREATE VIRTUAL TABLE body USING fts5(terms, content='', contentless_delete=1, detail=none, tokenize='ascii');
";

/// The index is packed when one in so many of its documents is new: what is written again and again, and what stays unpacked, is then
/// a small part of it at any length.
const PACKED: i64 = 8;
/// Changes of fewer files are read again for each search instead of written, since writing them waits for the disk.
const KEPT: usize = 16;

/// As long as this a search waits for another process that writes the index; then it makes one of its own.
const PATIENCE: Duration = Duration::from_secs(1);
/// Pages that belong together are written together or not at all by the file's time, so no journal is needed on the
/// disk; what has been written is on the disk before that time is set.
const SETTINGS: &str = "PRAGMA journal_mode = MEMORY; PRAGMA synchronous = NORMAL; PRAGMA temp_store = MEMORY;";
/// The setting of a new file: pages that fall free are given back, since packing an index leaves as many as it fills. Later it
/// would be written to the file each time.
const SETTING_OF_NEW: &str = "PRAGMA auto_vacuum = FULL;";

/// A file that is another one, new or gone: the name of its document, where it has one.
type FileChange = (String, Option<String>);

impl Book {
    /// Returns the files of a commit that have something of the query.
    /// Fails when a file cannot be read, or there is no memory for an index.
    pub fn search(
        &self,
        query: &Query,
        snapshot: &Snapshot<'_>,
        files: &dyn SearchedFiles,
    ) -> Result<SearchMatches, StoreError> {
        // The kept index stays with the book's last commit: one question about an earlier commit must not cost the next chapter
        // another index.
        let is_last = snapshot.commit_id() == self.tip()?;
        let searched = Searched { snapshot, files };
        let path = self.private().join(NAME);
        let stored = Index::open(&path).ok().flatten();
        let is_kept = stored.is_some();
        if let Some(stored) = stored
            && let Ok(Some(found)) = stored.search(&searched, query, is_last)
        {
            return Ok(found);
        }
        if (is_last || !is_kept)
            && let Ok(found) = Index::create(&path).and_then(|index| index.filled(&searched, query))
        {
            return Ok(found);
        }
        // Without a place for an index, or beside another program that is writing it.
        Ok(Index::in_memory()?.filled(&searched, query)?)
    }
}

/// The files of a commit that are searched.
struct Searched<'a> {
    snapshot: &'a Snapshot<'a>,
    files: &'a dyn SearchedFiles,
}

/// An index, in its file or in memory.
struct Index {
    tables: Connection,
    file: Option<PathBuf>,
}

impl Index {
    /// The index in this file; `None` unless it can be trusted.
    fn open(path: &Path) -> Result<Option<Self>, IndexError> {
        let index = Self::of_file(path, OpenFlags::empty())?;
        index.tables.execute_batch("BEGIN")?;
        Ok(index.is_whole()?.then_some(index))
    }

    /// An index without a file in it, in place of whatever has this path. Fails where another program is at work on
    /// that.
    fn create(path: &Path) -> Result<Self, IndexError> {
        let there =
            Connection::open_with_flags(path, OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_CREATE)?;
        there.busy_timeout(Duration::ZERO)?;
        if let Err(error) = there.execute_batch(&format!("{SETTINGS} BEGIN EXCLUSIVE;"))
            && !matches!(error.sqlite_error_code(), Some(ErrorCode::NotADatabase | ErrorCode::DatabaseCorrupt))
        {
            return Err(error.into());
        }
        drop(there);
        system::remove_file(path).at("removing", path)?;
        let index = Self::of_file(path, OpenFlags::SQLITE_OPEN_CREATE)?;
        index.tables.execute_batch(&format!("{SETTING_OF_NEW} PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE;"))?;
        index.with_tables()
    }

    fn in_memory() -> Result<Self, IndexError> {
        let index = Self { tables: Connection::open_in_memory()?, file: None };
        index.tables.execute_batch("BEGIN")?;
        index.with_tables()
    }

    fn of_file(path: &Path, flags: OpenFlags) -> Result<Self, IndexError> {
        let tables = Connection::open_with_flags(path, OpenFlags::SQLITE_OPEN_READ_WRITE | flags)?;
        tables.busy_timeout(PATIENCE)?;
        tables.execute_batch(SETTINGS)?;
        Ok(Self { tables, file: Some(path.to_owned()) })
    }

    fn with_tables(self) -> Result<Self, IndexError> {
        self.tables.execute_batch(TABLES)?;
        self.tables.execute(
            "INSERT INTO version (key, changes, unpacked, documents, length) VALUES (?1, 0, 0, 0, 0)",
            [key()],
        )?;
        Ok(self)
    }

    /// True when nothing but this program has written the file, and has written all of it. Asked within a transaction,
    /// in which no other process writes.
    fn is_whole(&self) -> Result<bool, IndexError> {
        let version = "SELECT key, changes FROM version";
        let (known, changes): (String, u32) =
            self.tables.query_row(version, [], |row| Ok((row.get(0)?, row.get(1)?)))?;
        let Some(path) = &self.file else { return Ok(true) };
        let time = system::mtime(&fs::metadata(path).at("reading", path)?);
        Ok(known == key() && time == time_of(changes))
    }

    /// Answers from an index that is there; `None` when a new one is made sooner than this one is brought up. `keeps`
    /// says that what is brought up may stay.
    fn search(self, searched: &Searched<'_>, query: &Query, keeps: bool) -> Result<Option<SearchMatches>, IndexError> {
        let Some(bodies) = self.brought_up(searched, keeps)? else { return Ok(None) };
        Ok(Some(matches((&self.tables, bodies), query, searched.files)?))
    }

    /// Takes over the files that differ, for good if it `keeps` them and they are many. Returns the bodies that are there then;
    /// `None` as for a search.
    fn brought_up(&self, searched: &Searched<'_>, keeps: bool) -> Result<Option<Bodies>, IndexError> {
        let update = Update::of(&self.tables, searched)?;
        if update.folders.is_empty() {
            return Ok(Some(Bodies::OfDocuments));
        }
        if keeps && update.is_long(&self.tables)? {
            return Ok(None);
        }
        let keeps = keeps && update.changes.len() >= KEPT;
        // Changes that are not kept stay in memory until they are taken back.
        let setting = if keeps { "PRAGMA locking_mode = EXCLUSIVE" } else { "PRAGMA cache_spill = OFF" };
        self.tables.execute_batch(&format!("COMMIT; {setting}; BEGIN IMMEDIATE;"))?;
        if !self.is_whole()? {
            return Ok(None);
        }
        let update = Update::of(&self.tables, searched)?;
        // Taking a body out takes a hundred times as long as taking out all else of a document.
        let bodies = if keeps { Bodies::OfDocuments } else { Bodies::AndOthers };
        update.apply((&self.tables, bodies), searched.files)?;
        if keeps {
            self.keep(update.changes.len())?;
        }
        Ok(Some(bodies))
    }

    /// Takes all files into an index that has none, keeps it, and answers from it.
    fn filled(self, searched: &Searched<'_>, query: &Query) -> Result<SearchMatches, IndexError> {
        let update = Update::of(&self.tables, searched)?;
        let tables = (&self.tables, Bodies::OfDocuments);
        update.apply(tables, searched.files)?;
        self.keep(update.changes.len())?;
        matches(tables, query, searched.files)
    }

    /// Ends the transaction that changed so many files of the index. The lock stays until the index is closed, so that every
    /// other process finds the file with its time.
    fn keep(&self, files: usize) -> Result<(), IndexError> {
        let Some(path) = &self.file else { return Ok(()) };
        let changes = "UPDATE version SET changes = changes + 1, unpacked = unpacked + ?1
                       RETURNING changes, unpacked, documents";
        let files = i64::try_from(files).unwrap_or(i64::MAX);
        let noted = |row: &rusqlite::Row<'_>| Ok((row.get(0)?, row.get(1)?, row.get(2)?));
        let (changes, unpacked, documents): (u32, i64, i64) = self.tables.query_row(changes, [files], noted)?;
        if unpacked * PACKED > documents {
            self.tables
                .execute_batch("INSERT INTO body (body) VALUES ('optimize'); UPDATE version SET unpacked = 0;")?;
        }
        self.tables.execute_batch("COMMIT")?;
        Ok(system::set_mtime(path, time_of(changes)).at("writing", path)?)
    }
}

/// The time of the file after so many changes: one that no file has by itself, with even seconds for the file systems
/// that keep no others.
fn time_of(changes: u32) -> FileTime {
    FileTime { seconds: 1_000_000_000 + changes % 100_000_000 * 2, nanoseconds: 0 }
}

/// Everything that an index depends on beside the files.
fn key() -> String {
    format!("{RULES} {} {}", env!("CARGO_PKG_VERSION"), rusqlite::version())
}

/// The files of a commit that differ from those of an index.
struct Update {
    /// Each folder with such files, and the id that it has in the commit.
    folders: Vec<(&'static str, String)>,
    changes: Vec<FileChange>,
}

impl Update {
    fn of(index: &Connection, &Searched { snapshot, files }: &Searched<'_>) -> Result<Self, IndexError> {
        let known = {
            let mut folders = index.prepare("SELECT name, tree FROM folder")?;
            let rows = folders.query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?;
            rows.collect::<Result<BTreeMap<String, String>, _>>()?
        };
        let mut update = Self { folders: Vec::new(), changes: Vec::new() };
        for name in files.folders() {
            let folder = snapshot.folder(name)?;
            let tree = folder.as_ref().map(|folder| folder.id().to_string()).unwrap_or_default();
            let was = known.get(*name).map_or("", String::as_str);
            if was != tree {
                update.changes.extend(changes_in(snapshot, (name, was, folder.as_ref()), files)?);
                update.folders.push((*name, tree));
            }
        }
        Ok(update)
    }

    /// True when more than half of the index would go: an index of the files that are left is made sooner.
    fn is_long(&self, index: &Connection) -> Result<bool, IndexError> {
        let files: i64 = index.query_row("SELECT count(*) FROM file", [], |row| row.get(0))?;
        let gone = self.changes.iter().filter(|(_, document)| document.is_none()).count();
        Ok(usize::try_from(files).is_ok_and(|files| gone > files / 2))
    }

    /// Takes over the files.
    fn apply(&self, (index, bodies): (&Connection, Bodies), files: &dyn SearchedFiles) -> Result<(), IndexError> {
        take_over((index, bodies), &self.changes, files)?;
        for (name, tree) in &self.folders {
            index.execute("INSERT OR REPLACE INTO folder (name, tree) VALUES (?1, ?2)", params![name, tree])?;
        }
        Ok(())
    }
}

/// The files that differ between two trees of a folder. Fails when the repository no longer has the old one.
fn changes_in(
    snapshot: &Snapshot<'_>,
    (name, was, folder): (&str, &str, Option<&git2::Tree<'_>>),
    files: &dyn SearchedFiles,
) -> Result<Vec<FileChange>, StoreError> {
    let reading = "reading a folder of the search index";
    let old = match was {
        "" => None,
        was => Some(Oid::from_str(was).and_then(|id| snapshot.repo().find_tree(id)).doing(reading)?),
    };
    let differences = tree::differences(snapshot.repo(), old.as_ref(), folder)?;
    let change = |difference: tree::Difference| {
        let path = format!("{name}/{}", difference.path);
        let content = difference.new.filter(|blob| blob.is_file()).and_then(|blob| content_id(blob.id));
        let document = content.and_then(|content| files.document(&path, content));
        (path, document)
    };
    Ok(differences.into_iter().map(change).collect())
}

/// Changes the files of the index, and its totals. A document goes with the last file that has it, and with it its body if no others
/// are to be there.
fn take_over(
    (index, bodies): (&Connection, Bodies),
    changes: &[FileChange],
    files: &dyn SearchedFiles,
) -> Result<(), IndexError> {
    let mut known = index.prepare("SELECT id FROM document WHERE name = ?1")?;
    let mut add_name = index.prepare("INSERT INTO document (name, length) VALUES (?1, ?2)")?;
    let mut add_body = index.prepare("INSERT INTO body (rowid, terms) VALUES (?1, ?2)")?;
    let mut forget_file = index.prepare("DELETE FROM file WHERE path = ?1 RETURNING document")?;
    let mut add_file = index.prepare("INSERT INTO file (path, document) VALUES (?1, ?2)")?;
    let mut is_used = index.prepare("SELECT 1 FROM file WHERE document = ?1 LIMIT 1")?;
    let mut forget_name = index.prepare("DELETE FROM document WHERE id = ?1 RETURNING length")?;
    let mut forget_body = index.prepare("DELETE FROM body WHERE rowid = ?1")?;
    let (mut more, mut longer, mut left) = (0, 0, BTreeSet::new());
    for (path, document) in changes {
        let gone: Option<i64> = forget_file.query_row([path], |row| row.get(0)).optional()?;
        if let Some(name) = document {
            let id: Option<i64> = known.query_row([name], |row| row.get(0)).optional()?;
            let id = match id {
                Some(id) => id,
                None => {
                    let IndexEntries { entries, length } = IndexEntries::of(&files.text(path, name)?);
                    add_name.execute(params![name, length])?;
                    (more, longer) = (more + 1, longer + i64::from(length));
                    let id = index.last_insert_rowid();
                    add_body.execute(params![id, entries])?;
                    id
                }
            };
            add_file.execute(params![path, id])?;
        }
        left.extend(gone);
    }
    // Last, so that no new document gets the number of a body that stays.
    for gone in left {
        if !is_used.exists([gone])? {
            let length: i64 = forget_name.query_row([gone], |row| row.get(0))?;
            (more, longer) = (more - 1, longer - length);
            if bodies == Bodies::OfDocuments {
                forget_body.execute([gone])?;
            }
        }
    }
    let totals = "UPDATE version SET documents = documents + ?1, length = length + ?2";
    index.execute(totals, params![more, longer])?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::ContentId;
    use proptest::prelude::*;

    /// Files whose documents are their texts.
    struct Texts;

    impl SearchedFiles for Texts {
        fn folders(&self) -> &[&'static str] {
            &[]
        }

        fn document(&self, _: &str, _: ContentId) -> Option<String> {
            None
        }

        fn text(&self, _: &str, document: &str) -> Result<String, StoreError> {
            Ok(document.to_owned())
        }

        fn is_wanted(&self, path: &str, _: &str) -> bool {
            !path.starts_with('-')
        }

        fn most_read(&self) -> usize {
            10
        }
    }

    /// Makes the index one of these files, by path.
    fn filled(index: &mut Connection, texts: &BTreeMap<String, String>) -> usize {
        filled_with((index, Bodies::OfDocuments), texts)
    }

    fn filled_with((index, bodies): (&Connection, Bodies), texts: &BTreeMap<String, String>) -> usize {
        let known: Vec<String> = {
            let mut paths = index.prepare("SELECT path FROM file").unwrap();
            paths.query_map([], |row| row.get(0)).unwrap().collect::<Result<_, _>>().unwrap()
        };
        let gone = known.into_iter().filter(|path| !texts.contains_key(path)).map(|path| (path, None));
        let there = texts.iter().map(|(path, text)| (path.clone(), Some(text.clone())));
        let changes: Vec<FileChange> = gone.chain(there).collect();
        take_over((index, bodies), &changes, &Texts).unwrap();
        let documents: i64 = index.query_row("SELECT count(*) FROM document", [], |row| row.get(0)).unwrap();
        usize::try_from(documents).unwrap()
    }

    fn found(index: &Connection, typed: &str) -> Vec<(String, f64, bool)> {
        found_with((index, Bodies::OfDocuments), typed)
    }

    fn found_with(tables: (&Connection, Bodies), typed: &str) -> Vec<(String, f64, bool)> {
        let mut found = matches(tables, &Query::parse(typed).unwrap(), &Texts).unwrap();
        found.files.sort_by(|a, b| a.path.cmp(&b.path));
        found.files.into_iter().map(|found| (found.path, found.score, found.is_literal)).collect()
    }

    #[test]
    fn words_as_typed_are_told_from_pairs() {
        let texts = [("a", "他把密信交给城门守卫。"), ("b", "城门开了，信在密室"), ("c", "雨")];
        let texts = texts.into_iter().map(|(name, text)| (name.to_owned(), text.to_owned())).collect();
        let mut index = Index::in_memory().unwrap().tables;
        assert_eq!((filled(&mut index, &texts), filled(&mut index, &texts)), (3, 3));
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
        let mut index = Index::in_memory().unwrap().tables;
        filled(&mut index, &texts);
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
        let mut index = Index::in_memory().unwrap().tables;
        filled(&mut index, &texts);
        let ask = |index: &Connection, typed: &str| {
            let found = matches((index, Bodies::OfDocuments), &Query::parse(typed).unwrap(), &Texts).unwrap();
            let literal: Vec<String> =
                found.files.iter().filter(|found| found.is_literal).map(|found| found.path.clone()).collect();
            (found.files.len(), literal.len(), found.is_cut)
        };
        assert_eq!(ask(&index, "密信到了"), (10, 10, false));
        assert_eq!(ask(&index, "密信到城门"), (10, 0, false));
        texts.insert("a".to_owned(), text(30));
        filled(&mut index, &texts);
        assert_eq!(ask(&index, "密信到了"), (11, 10, true));
        // A word of one term needs no text.
        assert_eq!(ask(&index, "密信 城门"), (11, 11, false));
        let tables = (&index, Bodies::OfDocuments);
        let longest = matches(tables, &Query::parse("密信到了").unwrap(), &Texts).unwrap().files;
        assert!(!longest.iter().find(|found| found.path == "a").unwrap().is_literal, "the longest ranks last");
    }

    #[test]
    fn an_index_that_grows_is_packed_and_leaves_no_free_pages() {
        let home = tempfile::tempdir().unwrap();
        let text = |n: u32| (0..500).filter_map(|at| char::from_u32(0x4E00 + (n * 37 + at * at) % 5000)).collect();
        let texts = |last| (0..last).map(|n: u32| (n.to_string(), text(n))).collect::<BTreeMap<_, String>>();
        let pages = |name: &str, steps: &[u32]| {
            let mut index = Index::create(&home.path().join(name)).unwrap();
            for last in steps {
                if index.tables.is_autocommit() {
                    index.tables.execute_batch("BEGIN").unwrap();
                }
                filled(&mut index.tables, &texts(*last));
                index.keep(20).unwrap();
            }
            let count = |name: &str| index.tables.query_row(name, [], |row| row.get::<_, i64>(0)).unwrap();
            assert_eq!(count("PRAGMA freelist_count"), 0);
            count("PRAGMA page_count")
        };
        let (whole, grown) = (pages("whole", &[200]), pages("grown", &(1..=10).map(|n| n * 20).collect::<Vec<_>>()));
        assert!(whole > 50 && grown * 8 <= whole * 9, "{whole} pages, {grown} of an index that has grown");
    }

    #[test]
    fn a_long_query_is_a_query() {
        let mut index = Index::in_memory().unwrap().tables;
        let long: String = (0..5000).filter_map(|n| char::from_u32(0x4E00 + n * 4)).collect();
        filled(&mut index, &BTreeMap::from([("a".to_owned(), long.clone())]));
        assert!(found(&index, &long)[0].2);
        let words = long.chars().map(|c| format!("{c} ")).collect::<String>();
        assert!(found(&index, &words)[0].2);
    }

    /// BM25 of the pairs of a query, counted in the texts, with the numbers of occurrences that an index knows.
    fn bm25(texts: &BTreeMap<String, String>, typed: &str) -> Vec<(String, f64)> {
        let pairs = |text: &str| text.chars().zip(text.chars().skip(1)).collect::<Vec<_>>();
        let times = |text: &String, pair| match pairs(text).into_iter().filter(|found| *found == pair).count() {
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
            let mut index = Index::in_memory().unwrap().tables;
            filled(&mut index, &texts);
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
            let mut index = Index::in_memory().unwrap().tables;
            for texts in steps {
                // First for the time of a question.
                index.execute_batch("SAVEPOINT question").unwrap();
                filled_with((&index, Bodies::AndOthers), &texts);
                let asked = ["密信", "雨 城门", "信"].map(|typed| found_with((&index, Bodies::AndOthers), typed));
                index.execute_batch("ROLLBACK TO question; RELEASE question").unwrap();
                let documents = filled(&mut index, &texts);
                // Files with the same text are one document.
                prop_assert_eq!(documents, texts.values().collect::<BTreeSet<_>>().len());
                let mut fresh = Index::in_memory().unwrap().tables;
                filled(&mut fresh, &texts);
                for (typed, asked) in ["密信", "雨 城门", "信"].into_iter().zip(asked) {
                    prop_assert_eq!(found(&index, typed), found(&fresh, typed));
                    prop_assert_eq!(asked, found(&fresh, typed));
                }
            }
        }
    }
}
