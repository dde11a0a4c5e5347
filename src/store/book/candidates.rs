//! Candidates of a chapter: drafts of it side by side, each on a branch of its own (`draft/candidate-2/ch-048`), seen
//! through a book that has no other draft.

use crate::store::book::repository::open_repository;
use crate::store::drafts::draft;
use crate::store::prelude::*;

/// The folder of a candidate's branches, up to its number.
const CANDIDATE: &str = "candidate-";

/// The book with the drafts of a candidate in place of its own. Nothing of it is shown in `staging/`.
pub fn candidate(book: &Book, number: u32) -> Result<Book, StoreError> {
    let again = |error| StoreError::Damaged { what: format!("the book cannot be opened once more: {error}") };
    let repo = open_repository(&book.root).map_err(again)?;
    let book = Book::assemble(&book.root, repo, book.branch.clone(), book.wording)?;
    let drafts = format!("{}{CANDIDATE}{number}/", book.drafts);
    Ok(Book { main: book.main.clone(), drafts, candidate: number, keys: book.keys.clone(), ..book })
}

/// Every candidate that there is: its chapter and its number, in order.
pub fn every_candidate(book: &Book) -> Result<Vec<(ChapterNo, u32)>, StoreError> {
    let prefix = format!("{}{CANDIDATE}", book.drafts);
    let named = |name: &str| {
        let (number, work) = name[prefix.len()..].split_once('/')?;
        Some((work.parse::<Work>().ok()?.chapter()?, number.parse().ok()?))
    };
    let refs = refs::listed(&book.repo, &prefix)?;
    let mut all: Vec<(ChapterNo, u32)> = refs.iter().filter_map(|(name, _)| named(name)).collect();
    all.sort_unstable();
    Ok(all)
}

pub fn candidates_of(book: &Book, chapter: ChapterNo) -> Result<Vec<u32>, StoreError> {
    Ok(every_candidate(book)?.into_iter().filter(|(of, _)| *of == chapter).map(|(_, number)| number).collect())
}

/// The short name of the branch of the draft of `work`.
pub fn draft_branch(book: &Book, work: impl Into<Work>) -> String {
    book.draft_ref(work.into()).trim_start_matches("refs/heads/").to_owned()
}

/// Makes the candidate the chapter's draft, and keeps the others. Returns false when there is no such candidate.
pub fn pick_candidate(session: &Session<'_>, chapter: ChapterNo, number: u32) -> Result<bool, StoreError> {
    let book = session.book;
    if !candidates_of(book, chapter)?.contains(&number) {
        return Ok(false);
    }
    let Some(tip) = draft::draft_tip(&candidate(book, number)?, chapter)? else { return Ok(false) };
    session.close_draft(chapter.into())?;
    let name = book.draft_ref(chapter.into());
    refs::create(&book.repo, &session.wait, &name, tip.oid(), "novel: pick").map_err(StoreError::from)?;
    abort_at("candidate.picked");
    clear_candidates(session, chapter)?;
    Ok(true)
}

/// Keeps the candidates of a chapter below `refs/novel/kept/` and deletes their branches. Returns whether there were any.
pub fn clear_candidates(session: &Session<'_>, chapter: ChapterNo) -> Result<bool, StoreError> {
    let book = session.book;
    let numbers = candidates_of(book, chapter)?;
    for number in &numbers {
        let candidate = candidate(book, *number)?;
        let Some(tip) = draft::draft_tip(&candidate, chapter)? else { continue };
        session.keep(&format!("{chapter}/{}", tip.short()), tip.oid())?;
        abort_at("candidate.kept");
        refs::delete(&book.repo, &session.wait, &candidate.draft_ref(chapter.into()))?;
    }
    Ok(!numbers.is_empty())
}
