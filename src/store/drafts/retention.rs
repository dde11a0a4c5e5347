//! The setting `book.keep_calls`: of chapters before the last so many, the drafts that they were accepted from are kept no
//! more. Drafts that were put aside stay, whatever their chapter.
//!
//! The settings, chapters and tags of the main line decide, on whichever line the book is, so that all devices agree.

use std::collections::BTreeMap;

use git2::Oid;

use super::archive::{self, ARCHIVES, Archive};
use crate::domain::ChapterNo;
use crate::git::commit_id::CommitId;
use crate::git::error::{Missing, StoreError};
use crate::git::refs::{self, KEPT};
use crate::store::book::commit_walk::{Transaction, tag_ref};
use crate::store::book::repository::{Book, MARK};
use crate::store::format::config;
use crate::store::message::key;

/// Which drafts of accepted chapters a book keeps.
pub(crate) struct Retention<'b> {
    book: &'b Book,
    /// The setting; `None` where every draft is kept.
    pub(super) chapters: Option<u32>,
    /// The first chapter whose draft is kept.
    first: ChapterNo,
}

impl Book {
    pub(super) fn retention(&self) -> Result<Retention<'_>, StoreError> {
        let mut retention = Retention { book: self, chapters: None, first: ChapterNo::FIRST };
        let Some(tip) = self.line_tip(self.main_line())? else { return Ok(retention) };
        let now = self.snapshot_of(tip)?;
        // Nothing goes because of settings that cannot be read.
        let settings = now.read(MARK)?.and_then(|bytes| config::read(&bytes).ok());
        retention.chapters = settings.and_then(|(settings, _)| settings.keep_calls);
        if let Some(chapters) = retention.chapters
            && let Some((first, _)) = now.contents()?.iter().rev().take(chapters as usize).last()
        {
            retention.first = first;
        }
        Ok(retention)
    }

    /// The setting by which the draft that `chapter` was accepted from is kept no more; `is_meant` says of its last commit
    /// whether that draft is meant. `None` for a draft that is within reach.
    pub fn let_go(&self, chapter: ChapterNo, is_meant: impl Fn(CommitId) -> bool) -> Result<Option<u32>, StoreError> {
        let retention = self.retention()?;
        if retention.chapters.is_none() {
            return Ok(None);
        }
        for tip in retention.accepted(chapter)?.into_iter().filter(|tip| is_meant(*tip)) {
            // After a rollback a chapter may be among the last again whose draft is pruned.
            let is_gone = chapter < retention.first || !self.has_commit(tip)?;
            if is_gone && !self.is_kept(chapter.into(), tip)? {
                return Ok(retention.chapters);
            }
        }
        Ok(None)
    }
}

impl Retention<'_> {
    /// The drafts that a chapter was accepted from: that of its text, and those of texts that were replaced.
    fn accepted(&self, chapter: ChapterNo) -> Result<Vec<CommitId>, StoreError> {
        let (repo, mut drafts) = (&self.book.repo, Vec::new());
        let mut accepted = refs::target(repo, &tag_ref(chapter))?;
        while let Some(id) = accepted {
            let Some(commit) = repo.find_commit(id).or_missing("reading a chapter's commit")? else { break };
            let transaction = Transaction::of(&commit);
            let draft =
                transaction.trailers.read::<CommitId>(key::DRAFT).filter(|_| transaction.accepts() == Some(chapter));
            drafts.extend(draft);
            accepted = transaction.replaces().map(CommitId::oid);
        }
        Ok(drafts)
    }

    /// True for the draft of that name below `refs/novel/kept/` that is kept no more.
    pub(super) fn lets_go(&self, name: &str, tip: Oid) -> Result<bool, StoreError> {
        let chapter = name.split_once('/').and_then(|(work, _)| work.parse().ok());
        let Some(chapter) = chapter.filter(|chapter| *chapter < self.first) else { return Ok(false) };
        Ok(self.accepted(chapter)?.contains(&tip.into()))
    }

    /// The refs of drafts, of these kept refs, that are to go.
    pub(super) fn let_go(&self, kept: &BTreeMap<String, Oid>) -> Result<Vec<String>, StoreError> {
        let mut gone = Vec::new();
        for (whole, tip) in kept {
            if let Some(name) = archive::draft_name(whole)
                && self.lets_go(name, *tip)?
            {
                gone.push(whole.clone());
            }
        }
        Ok(gone)
    }

    /// True for a kept ref of a remote that this copy does without: a draft that is kept no more, or an archive of which
    /// this copy has everything else in refs of its own.
    pub(super) fn does_without(
        &self,
        name: &str,
        id: Oid,
        ours: &BTreeMap<String, CommitId>,
    ) -> Result<bool, StoreError> {
        if let Some(draft) = archive::draft_name(name) {
            return self.lets_go(draft, id);
        }
        if self.chapters.is_none() || !name.starts_with(ARCHIVES) {
            return Ok(false);
        }
        let archive = Archive::under(&self.book.repo, BTreeMap::from([(name.to_owned(), id)]))?;
        for (draft, tip) in &archive.drafts {
            if ours.get(&format!("{KEPT}{draft}")) != Some(&(*tip).into()) && !self.lets_go(draft, *tip)? {
                return Ok(false);
            }
        }
        Ok(archive.is_whole())
    }
}
