//! The search index: the terms of the book's files in SQLite's full-text tables, ranked by BM25.
//!
//! Documents are named by their content, so an index cannot hold an old version of a file. Every search first compares the
//! documents of the index with those that the commit has, and adds and removes the difference; rollbacks, branches and edits need no
//! code of their own.
//!
//! The index is kept in `.git/novel/search-index`, whole and with a checksum. It is read into memory and replaced by a
//! rename, never changed in place: two processes need no lock, a kill leaves the old file or the new one, and whatever is wrong
//! with the file only costs the time to make another.

use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io::{self, BufRead as _, BufReader, Read as _, Write as _};

use flate2::{Crc, CrcReader};
use rusqlite::{Connection, params};

use super::repository::Book;
use crate::store::error::StoreError;
use crate::text::{Query, Term};

/// The file in `.git/novel/` …
const NAME: &str = "search-index";
/// … and the version of the tables, of the terms and of the texts that they are taken from. Raise it whenever the same files
/// give another index.
const RULES: u32 = 1;

/// `ascii` leaves every letter beyond ASCII as it is. The positions of terms are kept, and the texts are not.
const TABLES: &str = "
    CREATE TABLE document (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);
    CREATE VIRTUAL TABLE body USING fts5(terms, content='', contentless_delete=1, tokenize='ascii');
";

/// So many new documents make it worth while to pack the index.
const MANY: usize = 100;
/// The index is written again when so many documents have changed: adding a chapter's few to one that was read takes less
/// than writing all of it.
const KEPT: usize = 16;

/// A document that has something of a query.
#[derive(Debug, Clone, PartialEq)]
pub struct SearchMatch {
    /// The document's name.
    pub name: String,
    /// BM25, the higher the better.
    pub score: f64,
    /// True when every word of the query stands in it as typed.
    pub is_literal: bool,
}

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
    /// Returns the documents among `wanted` that have something of the query, in the order of their names. `terms` gives the terms
    /// of a document and is asked only for those that the index does not have yet.
    ///
    /// # Errors
    /// When a document cannot be read, or there is no memory for an index.
    pub fn search(
        &self,
        query: &Query,
        wanted: &BTreeSet<String>,
        terms: &dyn Fn(&str) -> Result<String, StoreError>,
    ) -> Result<Vec<SearchMatch>, StoreError> {
        if let Some(mut stored) = self.stored_index()
            && let Ok(found) = self.searched(&mut stored, query, wanted, terms)
        {
            return Ok(found);
        }
        let mut fresh = fresh_index().map_err(IndexError::from)?;
        Ok(self.searched(&mut fresh, query, wanted, terms)?)
    }

    fn searched(
        &self,
        index: &mut Connection,
        query: &Query,
        wanted: &BTreeSet<String>,
        terms: &dyn Fn(&str) -> Result<String, StoreError>,
    ) -> Result<Vec<SearchMatch>, IndexError> {
        let changed = bring_up(index, wanted, terms)?;
        let found = matches(index, query)?;
        if changed >= KEPT || changed == wanted.len() && changed > 0 {
            self.keep_index(index);
        }
        Ok(found)
    }

    /// The index as it was kept; `None` unless it is whole and of these rules.
    fn stored_index(&self) -> Option<Connection> {
        let mut file = BufReader::new(File::open(self.private().join(NAME)).ok()?);
        let mut header = String::new();
        (&mut file).take(200).read_line(&mut header).ok()?;
        let (sum, rest) = header.trim_end().split_once(' ')?;
        let (length, key) = rest.split_once(' ')?;
        let (sum, length) = (u32::from_str_radix(sum, 16).ok()?, length.parse::<usize>().ok()?);
        let rest = file.get_ref().metadata().ok()?.len().checked_sub(header.len() as u64)?;
        if key != self::key() || rest != length as u64 || length == 0 {
            return None;
        }
        let mut index = Connection::open_in_memory().ok()?;
        let mut body = CrcReader::new(file);
        index.deserialize_read_exact("main", &mut body, length, false).ok()?;
        (body.crc().sum() == sum).then_some(index)
    }

    /// Keeps the index in place of any other. A failure is ignored: the book may be on a medium that can only be read.
    fn keep_index(&self, index: &mut Connection) {
        let (Ok(body), Ok(temp)) = (index.serialize("main"), self.inner.fresh()) else { return };
        let mut sum = Crc::new();
        sum.update(&body);
        let header = format!("{:08x} {} {}\n", sum.sum(), body.len(), key());
        let written = || -> io::Result<()> {
            let mut file = File::create(&temp)?;
            file.write_all(header.as_bytes())?;
            file.write_all(&body)?;
            fs::rename(&temp, self.private().join(NAME))
        };
        if written().is_err() {
            let _ = fs::remove_file(&temp);
        }
    }
}

/// Everything that an index depends on beside the documents.
fn key() -> String {
    format!("{RULES} {} {}", env!("CARGO_PKG_VERSION"), rusqlite::version())
}

fn fresh_index() -> Result<Connection, rusqlite::Error> {
    let index = Connection::open_in_memory()?;
    index.execute_batch(TABLES)?;
    Ok(index)
}

/// Adds and removes documents until the index has those that are wanted. Returns how many those were.
fn bring_up(
    index: &mut Connection,
    wanted: &BTreeSet<String>,
    terms: &dyn Fn(&str) -> Result<String, StoreError>,
) -> Result<usize, IndexError> {
    let known = {
        let mut names = index.prepare("SELECT name FROM document")?;
        names.query_map([], |row| row.get(0))?.collect::<Result<BTreeSet<String>, _>>()?
    };
    let (new, old): (Vec<_>, Vec<_>) = (wanted.difference(&known).collect(), known.difference(wanted).collect());
    if new.is_empty() && old.is_empty() {
        return Ok(0);
    }
    let change = index.transaction()?;
    {
        let mut forget_name = change.prepare("DELETE FROM document WHERE name = ?1 RETURNING id")?;
        let mut forget_body = change.prepare("DELETE FROM body WHERE rowid = ?1")?;
        for name in &old {
            let id: i64 = forget_name.query_row([name], |row| row.get(0))?;
            forget_body.execute([id])?;
        }
        let mut add_name = change.prepare("INSERT INTO document (name) VALUES (?1)")?;
        let mut add_body = change.prepare("INSERT INTO body (rowid, terms) VALUES (?1, ?2)")?;
        for name in &new {
            add_name.execute([name])?;
            add_body.execute(params![change.last_insert_rowid(), terms(name)?])?;
        }
        if new.len() >= MANY {
            change.execute("INSERT INTO body (body) VALUES ('optimize')", [])?;
        }
    }
    change.commit()?;
    Ok(new.len() + old.len())
}

fn matches(index: &Connection, query: &Query) -> Result<Vec<SearchMatch>, rusqlite::Error> {
    let literal = {
        let words = query.words().iter().map(|word| phrase(word)).collect::<Vec<_>>();
        let mut ids = index.prepare("SELECT rowid FROM body WHERE body MATCH ?1")?;
        ids.query_map([words.join(" AND ")], |row| row.get(0))?.collect::<Result<BTreeSet<i64>, _>>()?
    };
    let terms = query.terms().iter().map(|term| phrase(std::slice::from_ref(term))).collect::<Vec<_>>();
    let mut ranked = index.prepare(
        "SELECT document.id, name, -bm25(body) FROM body JOIN document ON document.id = body.rowid
         WHERE body MATCH ?1 ORDER BY name",
    )?;
    let found = ranked.query_map([terms.join(" OR ")], |row| {
        let id: i64 = row.get(0)?;
        Ok(SearchMatch { name: row.get(1)?, score: row.get(2)?, is_literal: literal.contains(&id) })
    })?;
    found.collect()
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

    fn filled(index: &mut Connection, texts: &BTreeMap<String, String>) -> usize {
        let names = texts.keys().cloned().collect();
        bring_up(index, &names, &|name| Ok(index_terms(&texts[name]))).unwrap()
    }

    fn found(index: &Connection, typed: &str) -> Vec<(String, String, bool)> {
        let found = matches(index, &Query::parse(typed).unwrap()).unwrap();
        found.into_iter().map(|found| (found.name, format!("{:.9}", found.score), found.is_literal)).collect()
    }

    #[test]
    fn words_as_typed_are_told_from_pairs() {
        let texts = [("a", "他把密信交给城门守卫。"), ("b", "城门开了，信在密室"), ("c", "雨")];
        let texts = texts.into_iter().map(|(name, text)| (name.to_owned(), text.to_owned())).collect();
        let mut index = fresh_index().unwrap();
        assert_eq!((filled(&mut index, &texts), filled(&mut index, &texts)), (3, 0));
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
    fn a_long_query_is_a_query() {
        let mut index = fresh_index().unwrap();
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
            // A document's name follows from its content.
            let named = |texts: BTreeMap<String, String>| -> BTreeMap<String, String> {
                texts.into_iter().map(|(name, text)| (format!("{name}-{text}"), text)).collect()
            };
            let mut index = fresh_index().unwrap();
            for texts in steps.into_iter().map(named) {
                filled(&mut index, &texts);
                let mut fresh = fresh_index().unwrap();
                filled(&mut fresh, &texts);
                for typed in ["密信", "雨 城门", "信"] {
                    prop_assert_eq!(found(&index, typed), found(&fresh, typed));
                }
            }
        }
    }
}
