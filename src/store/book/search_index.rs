//! The search index: the terms of the book's files in SQLite's full-text tables, ranked by BM25.
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
use super::snapshot::Snapshot;
use crate::domain::ContentId;
use crate::store::disk::system::{self, FileTime};
use crate::store::error::{GitContext as _, IoContext as _, StoreError};
use crate::store::git::tree;
use crate::text::{Query, Term};

/// The file in `.git/novel/` …
const NAME: &str = "search-index";
/// … and the version of the tables, of the terms and of the texts that they are taken from. Raise it whenever the same files
/// give another index.
const RULES: u32 = 4;

/// `ascii` leaves every letter beyond ASCII as it is. The positions of terms are kept, and the texts are not.
const TABLES: &str = "
    CREATE TABLE version (key TEXT NOT NULL, changes INTEGER NOT NULL);
    CREATE TABLE folder (name TEXT PRIMARY KEY, tree TEXT NOT NULL);
    CREATE TABLE document (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);
    CREATE TABLE file (path TEXT PRIMARY KEY, document INTEGER NOT NULL) WITHOUT ROWID;
    CREATE INDEX files ON file (document);
    CREATE VIRTUAL TABLE body USING fts5(terms, content='', contentless_delete=1, tokenize='ascii');
";

/// So many changed files make it worth while to pack the index.
const MANY: usize = 100;
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

/// A file that has something of a query.
#[derive(Debug, Clone, PartialEq)]
pub struct SearchMatch {
    /// The path.
    pub path: String,
    /// The name of its document.
    pub document: String,
    /// BM25, the higher the better.
    pub score: f64,
    /// True when every word of the query stands in it as typed.
    pub is_literal: bool,
}

/// The files that are searched, and how they are read.
pub trait SearchedFiles {
    /// The folders in which they are.
    fn folders(&self) -> &[&'static str];

    /// Returns the name of the document that a file is: its content and how it is read. `None` for a file that is not searched.
    fn document(&self, path: &str, content: ContentId) -> Option<String>;

    /// Returns the terms of a document; asked only for those that the index does not have yet.
    ///
    /// # Errors
    /// When the file cannot be read.
    fn terms(&self, path: &str, document: &str) -> Result<String, StoreError>;
}

/// A file that is another one, new or gone: the name of its document, where it has one.
type FileChange = (String, Option<String>);

/// Why an index cannot be used.
#[derive(Debug, thiserror::Error)]
enum IndexError {
    #[error(transparent)]
    Sqlite(#[from] rusqlite::Error),
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl From<IndexError> for StoreError {
    fn from(error: IndexError) -> Self {
        match error {
            IndexError::Store(error) => error,
            IndexError::Sqlite(error) => Self::Damaged { what: format!("the search index cannot be made: {error}") },
        }
    }
}

impl Book {
    /// Returns the files of a commit that have something of the query, in the order of their paths.
    ///
    /// # Errors
    /// When a file cannot be read, or there is no memory for an index.
    pub fn search(
        &self,
        query: &Query,
        snapshot: &Snapshot<'_>,
        files: &dyn SearchedFiles,
    ) -> Result<Vec<SearchMatch>, StoreError> {
        // The kept index stays with the book's last commit: one question about an earlier commit must not cost the next chapter
        // another index.
        let is_last = snapshot.commit_id() == self.tip()?;
        let searched = Searched { snapshot, files, query };
        let path = self.private().join(NAME);
        let stored = Index::open(&path).ok().flatten();
        let is_kept = stored.is_some();
        if let Some(stored) = stored
            && let Ok(Some(found)) = stored.search(&searched, is_last)
        {
            return Ok(found);
        }
        if (is_last || !is_kept)
            && let Ok(found) = Index::create(&path).and_then(|index| index.filled(&searched))
        {
            return Ok(found);
        }
        // Without a place for an index, or beside another program that is writing it.
        Ok(Index::in_memory()?.filled(&searched)?)
    }
}

/// A question about the files of a commit.
struct Searched<'a> {
    snapshot: &'a Snapshot<'a>,
    files: &'a dyn SearchedFiles,
    query: &'a Query,
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
        self.tables.execute("INSERT INTO version (key, changes) VALUES (?1, 0)", [key()])?;
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
    fn search(self, searched: &Searched<'_>, keeps: bool) -> Result<Option<Vec<SearchMatch>>, IndexError> {
        let update = Update::of(&self.tables, searched)?;
        if update.folders.is_empty() {
            return Ok(Some(matches(&self.tables, searched.query)?));
        }
        if update.is_long(&self.tables)? {
            return Ok(None);
        }
        let keeps = keeps && update.changes.len() >= KEPT;
        // Changes that are not kept stay in memory until they are taken back.
        let setting = if keeps { "PRAGMA locking_mode = EXCLUSIVE" } else { "PRAGMA cache_spill = OFF" };
        self.tables.execute_batch(&format!("COMMIT; {setting}; BEGIN IMMEDIATE;"))?;
        if !self.is_whole()? {
            return Ok(None);
        }
        Update::of(&self.tables, searched)?.apply(&self.tables, searched.files)?;
        if keeps {
            self.keep()?;
        }
        Ok(Some(matches(&self.tables, searched.query)?))
    }

    /// Takes all files into an index that has none, keeps it, and answers from it.
    fn filled(self, searched: &Searched<'_>) -> Result<Vec<SearchMatch>, IndexError> {
        Update::of(&self.tables, searched)?.apply(&self.tables, searched.files)?;
        self.keep()?;
        Ok(matches(&self.tables, searched.query)?)
    }

    /// Ends the transaction that changed the index. The lock stays until the index is closed, so that every other
    /// process finds the file with its time.
    fn keep(&self) -> Result<(), IndexError> {
        let changes = "UPDATE version SET changes = changes + 1 RETURNING changes";
        let changes: u32 = self.tables.query_row(changes, [], |row| row.get(0))?;
        self.tables.execute_batch("COMMIT")?;
        if let Some(path) = &self.file {
            system::set_mtime(path, time_of(changes)).at("writing", path)?;
        }
        Ok(())
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
    fn of(index: &Connection, &Searched { snapshot, files, .. }: &Searched<'_>) -> Result<Self, IndexError> {
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
    fn apply(&self, index: &Connection, files: &dyn SearchedFiles) -> Result<(), IndexError> {
        take_over(index, &self.changes, &|path, document| files.terms(path, document))?;
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

/// Changes the files of the index. A document goes with the last file that has it.
fn take_over(
    index: &Connection,
    changes: &[FileChange],
    terms: &dyn Fn(&str, &str) -> Result<String, StoreError>,
) -> Result<(), IndexError> {
    let mut known = index.prepare("SELECT id FROM document WHERE name = ?1")?;
    let mut add_name = index.prepare("INSERT INTO document (name) VALUES (?1)")?;
    let mut add_body = index.prepare("INSERT INTO body (rowid, terms) VALUES (?1, ?2)")?;
    let mut forget_file = index.prepare("DELETE FROM file WHERE path = ?1 RETURNING document")?;
    let mut add_file = index.prepare("INSERT INTO file (path, document) VALUES (?1, ?2)")?;
    let mut is_used = index.prepare("SELECT 1 FROM file WHERE document = ?1 LIMIT 1")?;
    let mut forget_name = index.prepare("DELETE FROM document WHERE id = ?1")?;
    let mut forget_body = index.prepare("DELETE FROM body WHERE rowid = ?1")?;
    for (path, document) in changes {
        let gone: Option<i64> = forget_file.query_row([path], |row| row.get(0)).optional()?;
        if let Some(name) = document {
            let id: Option<i64> = known.query_row([name], |row| row.get(0)).optional()?;
            let id = match id {
                Some(id) => id,
                None => {
                    add_name.execute([name])?;
                    let id = index.last_insert_rowid();
                    add_body.execute(params![id, terms(path, name)?])?;
                    id
                }
            };
            add_file.execute(params![path, id])?;
        }
        if let Some(gone) = gone
            && !is_used.exists([gone])?
        {
            forget_name.execute([gone])?;
            forget_body.execute([gone])?;
        }
    }
    if changes.len() >= MANY {
        index.execute("INSERT INTO body (body) VALUES ('optimize')", [])?;
    }
    Ok(())
}

fn matches(index: &Connection, query: &Query) -> Result<Vec<SearchMatch>, rusqlite::Error> {
    let literal = {
        let words = query.words().iter().map(|word| phrase(word)).collect::<Vec<_>>();
        let mut ids = index.prepare("SELECT rowid FROM body WHERE body MATCH ?1")?;
        ids.query_map([words.join(" AND ")], |row| row.get(0))?.collect::<Result<BTreeSet<i64>, _>>()?
    };
    let terms = telling(index, query)?;
    let mut ranked = index.prepare(
        "SELECT document.id, path, name, -bm25(body) FROM body JOIN document ON document.id = body.rowid
         JOIN file ON file.document = document.id WHERE body MATCH ?1 ORDER BY path",
    )?;
    let found = ranked.query_map([terms.join(" OR ")], |row| {
        let id: i64 = row.get(0)?;
        let (path, document, score) = (row.get(1)?, row.get(2)?, row.get(3)?);
        Ok(SearchMatch { path, document, score, is_literal: literal.contains(&id) })
    })?;
    found.collect()
}

/// An index of fewer documents is ranked by every term.
const LARGE: i64 = 1000;
/// Terms are looked for in so many runs of documents, evenly over the index …
const SAMPLES: i64 = 8;
/// … of so many documents each.
const SAMPLE: i64 = 25;
/// About so many documents are ranked, however long the book is.
const RANKED: i64 = 2000;
/// So many terms are left of a query that has common ones alone.
const LEAST_COMMON: usize = 3;

/// The terms by which documents are ranked, as the full-text tables are asked for them: the rarest ones, as long as they stand in
/// [`RANKED`] documents together, and none of more than half of the documents, which has no weight in BM25. In a long book the
/// names of a few people and places would have every chapter ranked: at 10,000 chapters that took a quarter of a second. How
/// common a term is, samples tell.
fn telling(index: &Connection, query: &Query) -> Result<Vec<String>, rusqlite::Error> {
    let terms: Vec<String> = query.terms().iter().map(|term| phrase(std::slice::from_ref(term))).collect();
    let range = "SELECT coalesce(min(id), 0), coalesce(max(id), 0) FROM document";
    let (first, last): (i64, i64) = index.query_row(range, [], |row| Ok((row.get(0)?, row.get(1)?)))?;
    if last - first < LARGE {
        return Ok(terms);
    }
    let starts = || (0..SAMPLES).map(|n| first + (last + 1 - SAMPLE - first) * n / (SAMPLES - 1));
    let mut documents = index.prepare("SELECT count(*) FROM document WHERE id BETWEEN ?1 AND ?2")?;
    let mut with_term = index.prepare("SELECT count(*) FROM body WHERE body MATCH ?3 AND rowid BETWEEN ?1 AND ?2")?;
    let (mut sampled, mut counted) = (0, Vec::with_capacity(terms.len()));
    for start in starts() {
        sampled += documents.query_row([start, start + SAMPLE - 1], |row| row.get::<_, i64>(0))?;
    }
    for term in terms {
        let mut found = 0;
        for start in starts() {
            found += with_term.query_row(params![start, start + SAMPLE - 1, term], |row| row.get::<_, i64>(0))?;
        }
        counted.push((found, term));
    }
    counted.sort_by_key(|(found, _)| *found);
    // Documents that have any of the terms up to one, at most.
    let together = counted.iter().scan(0, |sum, (found, _)| {
        *sum += found * (last - first) / sampled.max(1);
        Some(*sum)
    });
    let has_room = |((found, _), together): &(&(i64, String), i64)| found * 2 <= sampled && *together <= RANKED;
    let rare = counted.iter().zip(together).take_while(has_room).count();
    counted.truncate(if rare == 0 { LEAST_COMMON } else { rare });
    Ok(counted.into_iter().map(|(_, term)| term).collect())
}

/// Terms that stand one after the other, as the full-text tables are asked for them. Terms are letters and digits only, so there
/// is nothing to escape.
fn phrase(terms: &[Term]) -> String {
    let texts: Vec<&str> = terms.iter().map(|term| term.text.as_str()).collect();
    let any = if terms.last().is_some_and(|term| term.is_prefix) { " *" } else { "" };
    format!("\"{}\"{any}", texts.join(" "))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::index_terms;
    use proptest::prelude::*;
    use std::collections::BTreeMap;

    /// Makes the index one of these files, by path.
    fn filled(index: &mut Connection, texts: &BTreeMap<String, String>) -> usize {
        let known: Vec<String> = {
            let mut paths = index.prepare("SELECT path FROM file").unwrap();
            paths.query_map([], |row| row.get(0)).unwrap().collect::<Result<_, _>>().unwrap()
        };
        let gone = known.into_iter().filter(|path| !texts.contains_key(path)).map(|path| (path, None));
        let there = texts.iter().map(|(path, text)| (path.clone(), Some(text.clone())));
        let changes: Vec<FileChange> = gone.chain(there).collect();
        take_over(index, &changes, &|_, text| Ok(index_terms(text))).unwrap();
        let documents: i64 = index.query_row("SELECT count(*) FROM document", [], |row| row.get(0)).unwrap();
        usize::try_from(documents).unwrap()
    }

    fn found(index: &Connection, typed: &str) -> Vec<(String, String, bool)> {
        let found = matches(index, &Query::parse(typed).unwrap()).unwrap();
        found.into_iter().map(|found| (found.path, format!("{:.9}", found.score), found.is_literal)).collect()
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
    fn packing_leaves_no_free_pages() {
        let home = tempfile::tempdir().unwrap();
        let mut index = Index::create(&home.path().join(NAME)).unwrap();
        let text = |n: u32| (0..500).filter_map(|at| char::from_u32(0x4E00 + (n * 37 + at * at) % 5000)).collect();
        let texts: BTreeMap<String, String> = (0..200).map(|n| (n.to_string(), text(n))).collect();
        filled(&mut index.tables, &texts);
        index.keep().unwrap();
        let count = |name: &str| index.tables.query_row(name, [], |row| row.get::<_, i64>(0)).unwrap();
        assert!(count("PRAGMA page_count") > 50);
        assert_eq!(count("PRAGMA freelist_count"), 0);
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

    proptest! {
        #[test]
        fn an_index_that_was_changed_equals_a_new_one(
            steps in prop::collection::vec(prop::collection::btree_map("[a-d]", "[密信城门雨，]{0,12}", 0..4), 1..5),
        ) {
            let mut index = Index::in_memory().unwrap().tables;
            for texts in steps {
                let documents = filled(&mut index, &texts);
                // Files with the same text are one document.
                prop_assert_eq!(documents, texts.values().collect::<BTreeSet<_>>().len());
                let mut fresh = Index::in_memory().unwrap().tables;
                filled(&mut fresh, &texts);
                for typed in ["密信", "雨 城门", "信"] {
                    prop_assert_eq!(found(&index, typed), found(&fresh, typed));
                }
            }
        }
    }
}
