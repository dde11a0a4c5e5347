//! Candidates of a chapter: drafts of it side by side, each on a branch of its own (`draft/candidate-2/ch-048`), seen
//! through a book that has no other draft.

use crate::store::book::repository::open_repository;
use crate::store::prelude::*;

/// The folder of a candidate's branches, up to its number.
const CANDIDATE: &str = "candidate-";

impl Book {
    /// The book with the drafts of a candidate in place of its own. Nothing of it is shown in `staging/`.
    pub fn candidate(&self, number: u32) -> Result<Self, StoreError> {
        let again = |error| StoreError::Damaged { what: format!("the book cannot be opened once more: {error}") };
        let repo = open_repository(&self.root).map_err(again)?;
        let book = Self::assemble(&self.root, repo, self.branch.clone(), self.wording)?;
        let drafts = format!("{}{CANDIDATE}{number}/", self.drafts);
        Ok(Self { main: self.main.clone(), drafts, candidate: number, keys: self.keys.clone(), ..book })
    }

    /// Every candidate that there is: its chapter and its number, in order.
    pub fn every_candidate(&self) -> Result<Vec<(ChapterNo, u32)>, StoreError> {
        let prefix = format!("{}{CANDIDATE}", self.drafts);
        let named = |name: &str| {
            let (number, work) = name[prefix.len()..].split_once('/')?;
            Some((work.parse::<Work>().ok()?.chapter()?, number.parse().ok()?))
        };
        let refs = refs::listed(&self.repo, &prefix)?;
        let mut all: Vec<(ChapterNo, u32)> = refs.iter().filter_map(|(name, _)| named(name)).collect();
        all.sort_unstable();
        Ok(all)
    }

    pub fn candidates(&self, chapter: ChapterNo) -> Result<Vec<u32>, StoreError> {
        Ok(self.every_candidate()?.into_iter().filter(|(of, _)| *of == chapter).map(|(_, number)| number).collect())
    }

    /// The short name of the branch of the draft of `work`.
    pub fn draft_branch(&self, work: impl Into<Work>) -> String {
        self.draft_ref(work.into()).trim_start_matches("refs/heads/").to_owned()
    }
}

impl Session<'_> {
    /// Makes the candidate the chapter's draft, and keeps the others. Returns false when there is no such candidate.
    pub fn pick_candidate(&self, chapter: ChapterNo, number: u32) -> Result<bool, StoreError> {
        let book = self.book;
        if !book.candidates(chapter)?.contains(&number) {
            return Ok(false);
        }
        let Some(tip) = book.candidate(number)?.draft_tip(chapter)? else { return Ok(false) };
        self.close_draft(chapter.into())?;
        let name = book.draft_ref(chapter.into());
        refs::create(&book.repo, &self.wait, &name, tip.oid(), "novel: pick").map_err(StoreError::from)?;
        abort_at("candidate.picked");
        self.clear_candidates(chapter)?;
        Ok(true)
    }

    /// Keeps the candidates of a chapter below `refs/novel/kept/` and deletes their branches. Returns whether there were any.
    pub fn clear_candidates(&self, chapter: ChapterNo) -> Result<bool, StoreError> {
        let book = self.book;
        let numbers = book.candidates(chapter)?;
        for number in &numbers {
            let candidate = book.candidate(*number)?;
            let Some(tip) = candidate.draft_tip(chapter)? else { continue };
            self.keep(&format!("{chapter}/{}", tip.short()), tip.oid())?;
            abort_at("candidate.kept");
            refs::delete(&book.repo, &self.wait, &candidate.draft_ref(chapter.into()))?;
        }
        Ok(!numbers.is_empty())
    }
}
