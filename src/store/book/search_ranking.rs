//! The ranking of the files in a search index: BM25 of the terms that tell most, and where the words of a query stand as typed.

use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet};
use std::iter;

use rusqlite::{Connection, OptionalExtension as _, params};

use super::searched::{IndexError, SearchMatch, SearchMatches, SearchedFiles};
use crate::text::{FREQUENCIES, Query, Term};

/// The bodies in the tables.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Bodies {
    /// Those of documents alone.
    OfDocuments,
    /// Those of documents that have gone for the time of a question as well.
    AndOthers,
}

/// The files that have something of a query: first those that are known to have every word as typed, each in the order of their
/// score.
pub(super) fn matches(
    (index, bodies): (&Connection, Bodies),
    query: &Query,
    files: &dyn SearchedFiles,
) -> Result<SearchMatches, IndexError> {
    let mut ranked = wanted(index, scores(index, &telling((index, bodies), query)?)?, files)?;
    ranked.sort_by(|(_, a), (_, b)| b.score.total_cmp(&a.score).then_with(|| a.path.cmp(&b.path)));
    let has_terms = with_all_terms(index, query)?;
    // A word of one term stands wherever the term does.
    let needs_text = query.words().iter().any(|word| word.len() > 1);
    let most = if needs_text { files.most_read() } else { usize::MAX };
    let mut candidates = ranked.iter_mut().filter(|(id, _)| has_terms.contains(id));
    for (_, found) in candidates.by_ref().take(most) {
        found.is_literal = !needs_text || query.is_literal_in(&files.text(&found.path, &found.document)?);
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
/// SQLite's own function, which needs the places of terms.
const K1: f64 = 1.2;
const B: f64 = 0.75;

/// The documents that have one of the terms, with their BM25 by these. The numbers of occurrences are those that an index knows.
fn scores(index: &Connection, terms: &[&Term]) -> Result<BTreeMap<i64, f64>, rusqlite::Error> {
    let all = "SELECT documents, length FROM version";
    let (documents, length): (f64, f64) = index.query_row(all, [], |row| Ok((row.get(0)?, row.get(1)?)))?;
    let mean = length / documents.max(1.0);
    let mut with_entry = index.prepare("SELECT rowid FROM body WHERE body MATCH ?1")?;
    let mut length_of = index.prepare("SELECT length FROM document WHERE id = ?1")?;
    let mut lengths: BTreeMap<i64, Option<f64>> = BTreeMap::new();
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
        // A body without a document has no length.
        let mut with_length = Vec::with_capacity(found.len());
        for (id, times) in found {
            let length = match lengths.entry(id) {
                Entry::Occupied(known) => *known.get(),
                Entry::Vacant(new) => *new.insert(length_of.query_row([id], |row| row.get(0)).optional()?),
            };
            with_length.extend(length.map(|length: f64| (id, times, length)));
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

/// The terms by which documents are ranked: the rarest ones, as long as they stand in
/// [`RANKED`] documents together, and none of more than half of the documents, which has no weight in BM25. In a long book the
/// names of a few people and places would have every chapter ranked: at 10,000 chapters that took a quarter of a second. How
/// common a term is, samples tell.
fn telling<'q>((index, bodies): (&Connection, Bodies), query: &'q Query) -> Result<Vec<&'q Term>, rusqlite::Error> {
    let terms = query.terms().iter();
    let range = "SELECT coalesce(min(id), 0), coalesce(max(id), 0) FROM document";
    let (first, last): (i64, i64) = index.query_row(range, [], |row| Ok((row.get(0)?, row.get(1)?)))?;
    if last - first < LARGE {
        return Ok(terms.collect());
    }
    let starts = || (0..SAMPLES).map(|n| first + (last + 1 - SAMPLE - first) * n / (SAMPLES - 1));
    let mut documents = index.prepare("SELECT count(*) FROM document WHERE id BETWEEN ?1 AND ?2")?;
    let is_document = match bodies {
        Bodies::OfDocuments => "",
        Bodies::AndOthers => "AND EXISTS (SELECT 1 FROM document WHERE id = body.rowid)",
    };
    let with_term = "SELECT count(*) FROM body WHERE body MATCH ?3 AND rowid BETWEEN ?1 AND ?2";
    let mut with_term = index.prepare(&format!("{with_term} {is_document}"))?;
    let (mut sampled, mut counted) = (0, Vec::with_capacity(terms.len()));
    for start in starts() {
        sampled += documents.query_row([start, start + SAMPLE - 1], |row| row.get::<_, i64>(0))?;
    }
    for term in terms {
        let mut found = 0;
        for start in starts() {
            found +=
                with_term.query_row(params![start, start + SAMPLE - 1, token(term, 1)], |row| row.get::<_, i64>(0))?;
            // The way to a sample is as long as all that is before it, and such a term is common whatever the others say.
            if found * 2 > sampled {
                break;
            }
        }
        counted.push((found, term));
    }
    counted.sort_by_key(|(found, _)| *found);
    // Documents that have any of the terms up to one, at most.
    let together = counted.iter().scan(0, |sum, (found, _)| {
        *sum += found * (last - first) / sampled.max(1);
        Some(*sum)
    });
    let has_room = |((found, _), together): &(&(i64, &Term), i64)| found * 2 <= sampled && *together <= RANKED;
    let rare = counted.iter().zip(together).take_while(has_room).count();
    counted.truncate(if rare == 0 { LEAST_COMMON } else { rare });
    Ok(counted.into_iter().map(|(_, term)| term).collect())
}

/// A term that a document has at least so often, as the full-text tables are asked for it. Terms are letters and digits only, so
/// there is nothing to escape.
fn token(term: &Term, least: u32) -> String {
    let any = if term.is_prefix { " *" } else { "" };
    format!("\"{}\"{any}", term.entry(least))
}
