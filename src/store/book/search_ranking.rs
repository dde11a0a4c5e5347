//! The files that are searched, and the ranking of those that answer: BM25 of the terms that tell most, and where the words
//! of a query stand as typed.

use crate::domain::ContentId;
use crate::store::prelude::*;
use crate::text::{FREQUENCIES, Query, Term};
use rusqlite::{Connection, OptionalExtension as _};
use std::iter;

/// The files that have something of a query: first those that are known to have every word as typed, each in the order of their
/// score.
pub(super) fn matches(
    index: &Connection,
    query: &Query,
    files: &dyn SearchedFiles,
) -> Result<SearchMatches, IndexError> {
    let mut ranked = wanted(index, scores(index, &telling(index, query)?)?, files)?;
    ranked.sort_by(|(_, a), (_, b)| b.score.total_cmp(&a.score).then_with(|| a.path.cmp(&b.path)));
    let has_terms = with_all_terms(index, query)?;
    // A word of one term stands wherever the term does.
    let needs_text = query.words().iter().any(|word| word.len() > 1);
    let most = if needs_text { files.most_read() } else { usize::MAX };
    let mut candidates = ranked.iter_mut().filter(|(id, _)| has_terms.contains(id));
    for (_, found) in candidates.by_ref().take(most) {
        let text = if needs_text { files.text(&found.path, &found.document)? } else { None };
        found.is_literal = !needs_text || text.is_some_and(|text| query.is_literal_in(&text));
    }
    let is_cut = candidates.next().is_some();
    let mut files: Vec<SearchMatch> = ranked.into_iter().map(|(_, found)| found).collect();
    files.sort_by_key(|found| !found.is_literal);
    Ok(SearchMatches { files, is_cut })
}

/// The wanted files of the documents with these scores, each with its document.
fn wanted(
    index: &Connection,
    scores: BTreeMap<i64, f64>,
    files: &dyn SearchedFiles,
) -> Result<Vec<(i64, SearchMatch)>, IndexError> {
    let mut wanted = Vec::new();
    let mut of_document =
        index.prepare("SELECT path, name FROM document JOIN file ON file.document = id WHERE id = ?1")?;
    for (id, score) in scores {
        let mut rows = of_document.query([id])?;
        while let Some(row) = rows.next()? {
            let (path, document): (String, String) = (row.get(0)?, row.get(1)?);
            if files.is_wanted(&path, &document) {
                wanted.push((id, SearchMatch { path, document, score, is_literal: false }));
            }
        }
    }
    Ok(wanted)
}

/// The documents that have every term of every word of a query.
fn with_all_terms(index: &Connection, query: &Query) -> Result<BTreeSet<i64>, rusqlite::Error> {
    let terms: BTreeSet<String> = query.words().iter().flatten().map(|term| token(term, 1)).collect();
    let terms = terms.into_iter().collect::<Vec<_>>().join(" AND ");
    let mut ids = index.prepare("SELECT rowid FROM body WHERE body MATCH ?1")?;
    ids.query_map([terms], |row| row.get(0))?.collect()
}

/// BM25: how much a further occurrence of a term counts, and how much the length of a document does. The values are those of
/// SQLite's own function, which gives 0 for every document where the tables have no places.
const K1: f64 = 1.2;
const B: f64 = 0.75;

/// The documents that have one of the terms, with their BM25 by these. The numbers of occurrences are those that an index knows.
fn scores(index: &Connection, terms: &[&Term]) -> Result<BTreeMap<i64, f64>, rusqlite::Error> {
    let all = "SELECT count(*), total(length) FROM document";
    let (documents, length): (f64, f64) =
        index.query_row(all, [], |row| Ok((row.get::<_, i64>(0)? as f64, row.get(1)?)))?;
    let mean = length / documents.max(1.0);
    let mut with_entry = index.prepare("SELECT rowid FROM body WHERE body MATCH ?1")?;
    let mut length_of = index.prepare("SELECT length FROM document WHERE id = ?1")?;
    let mut scores: BTreeMap<i64, f64> = BTreeMap::new();
    for term in terms {
        let mut found: BTreeMap<i64, f64> = BTreeMap::new();
        for least in iter::once(1).chain(FREQUENCIES) {
            let rows = with_entry.query_map([token(term, least)], |row| row.get(0))?;
            let rows = rows.collect::<Result<Vec<i64>, _>>()?;
            if rows.is_empty() {
                break;
            }
            found.extend(rows.into_iter().map(|id| (id, f64::from(least))));
        }
        let mut with_length = Vec::with_capacity(found.len());
        for (id, times) in found {
            // A body whose document has gone within this question has no length.
            let length: Option<f64> = length_of.query_row([id], |row| row.get(0)).optional()?;
            with_length.extend(length.map(|length| (id, times, length)));
        }
        let with = with_length.len() as f64;
        let weight = ((documents - with + 0.5) / (with + 0.5)).ln().max(1e-6);
        for (id, times, length) in with_length {
            let score = times * (K1 + 1.0) / (times + K1 * (1.0 - B + B * length / mean));
            *scores.entry(id).or_default() += weight * score;
        }
    }
    Ok(scores)
}

/// About so many documents are ranked, however long the book is …
const RANKED: i64 = 2000;
/// … and by so many terms where all are common.
const LEAST: usize = 3;

/// The terms by which documents are ranked: the rarest ones, as long as they stand in [`RANKED`] documents together and none of them
/// in more than half of a long book's, where it has no weight in BM25. The names of a few people and places would have every
/// chapter of a long book ranked: at 10,000 chapters that took a quarter of a second.
fn telling<'q>(index: &Connection, query: &'q Query) -> Result<Vec<&'q Term>, rusqlite::Error> {
    let documents: i64 = index.query_row("SELECT count(*) FROM document", [], |row| row.get(0))?;
    let mut with_term = index.prepare("SELECT coalesce(sum(doc), 0) FROM vocabulary WHERE term BETWEEN ?1 AND ?2")?;
    let mut counted: Vec<(i64, &Term)> = Vec::new();
    for term in query.terms() {
        let first = term.entry(1);
        let last = if term.is_prefix { format!("{first}{}", char::MAX) } else { first.clone() };
        counted.push((with_term.query_row([first, last], |row| row.get(0))?, term));
    }
    counted.sort_by_key(|(count, _)| *count);
    let mut together = 0;
    let telling = counted.iter().take_while(|(count, _)| {
        together += count;
        documents < RANKED / 2 || together <= RANKED && count * 2 <= documents
    });
    let telling = telling.count();
    counted.truncate(if telling == 0 { LEAST } else { telling });
    Ok(counted.into_iter().map(|(_, term)| term).collect())
}

/// A term that a document has at least so often, as the full-text tables are asked for it. Terms are letters and digits only, so
/// there is nothing to escape.
fn token(term: &Term, least: u32) -> String {
    let any = if term.is_prefix { " *" } else { "" };
    format!("\"{}\"{any}", term.entry(least))
}

/// A file that has something of a query.
#[derive(Debug, Clone, PartialEq)]
pub struct SearchMatch {
    pub path: String,
    pub document: String,
    /// BM25, the higher the better.
    pub score: f64,
    /// True when every word of the query stands in it as typed.
    pub is_literal: bool,
}

#[derive(Debug, Clone, PartialEq)]
pub struct SearchMatches {
    /// The files that are wanted and have something of the query: first those that are known to have every word as typed, each in
    /// the order of their score, and of their paths where that is the same.
    pub files: Vec<SearchMatch>,
    /// True when more files may have every word as typed than are known to: so many have the terms that only the best were read.
    pub is_cut: bool,
}

/// The files that are searched, and how they are read.
pub trait SearchedFiles {
    fn folders(&self) -> &[&'static str];

    /// Returns the name of the document that a file is: its content and how it is read. `None` for a file that is not searched.
    fn document(&self, path: &str, content: ContentId) -> Option<String>;

    /// Returns the text of a document that is searched; `None` when the repository no longer has it. An index asks for those that
    /// it does not have yet, and for those in which words of a query may stand as typed.
    fn text(&self, path: &str, document: &str) -> Result<Option<String>, StoreError>;

    /// Returns whether the answer may have this file.
    fn is_wanted(&self, path: &str, document: &str) -> bool;

    /// Returns how many files are read at most in order to know whether words stand in them as typed.
    fn most_read(&self) -> usize;
}

/// Why an index cannot be used.
#[derive(Debug, thiserror::Error)]
pub(super) enum IndexError {
    #[error(transparent)]
    Sqlite(#[from] rusqlite::Error),
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The repository no longer has a folder that the index was made from.
    #[error("the folder of the search index is gone")]
    Stale,
}

impl From<IndexError> for StoreError {
    fn from(error: IndexError) -> Self {
        match error {
            IndexError::Store(error) => error,
            error => Self::Damaged { what: format!("the search index cannot be made: {error}") },
        }
    }
}
