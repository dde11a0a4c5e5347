//! Mending chapters of the book: the strong model changes what a wish names, and the rest of the text stays.

use super::draft::{ChapterDraft, Note, with_wish};
use super::write::ChapterOutcome;
use crate::domain::ChapterNo;
use crate::domain::chapter::stage::{Decision, Record, Stage};
use crate::pipeline::engine::error::RunError;
use crate::pipeline::engine::run::Run;
use crate::store::{Change, StageNote};
use std::collections::BTreeMap;

/// The judge of a mended chapter, whose word lets it into the book.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Approval {
    Gate,
    /// The author, once it has passed the gate.
    Author,
}

impl Run<'_> {
    /// Mends chapters of the book, the earliest first: the strong model changes what the wish names and leaves the rest of
    /// the text as it is. Each becomes one commit, and the first that waits for the author ends the work; or each waits for
    /// the author, where `approval` says so.
    pub async fn mend(
        &self,
        wishes: &BTreeMap<ChapterNo, String>,
        approval: Approval,
    ) -> Result<Vec<(ChapterNo, ChapterOutcome)>, RunError> {
        let mut fates = Vec::new();
        for (&chapter, wish) in wishes {
            let chapter_draft = self.draft_for(chapter, wish)?;
            chapter_draft.begin_mending(wish, approval)?;
            let fate = ChapterOutcome::from(self.carry_through(chapter_draft).await?);
            let paused = matches!(fate, ChapterOutcome::Paused(_));
            fates.push((chapter, fate));
            // A chapter that only waits to be looked at keeps no other from being mended.
            if paused && approval == Approval::Gate {
                break;
            }
        }
        Ok(fates)
    }
}

impl ChapterDraft<'_, '_> {
    /// Makes the text that the book has the draft's, to be revised before anything is said of it. A draft that has a text
    /// goes on as it is. A death in between leaves the rest to this function's next call.
    fn begin_mending(&self, wish: &str, approval: Approval) -> Result<(), RunError> {
        let mut records = self.records()?;
        if records.is_empty() {
            let text = self.text()?;
            let note = Note { result: StageNote::Name(text.title.clone()), ..Note::default() };
            // In one commit: a draft with the wish alone would be written from the outline.
            self.commit(Stage::Edit, with_wish(self.new_text(&text, ""), wish), note)?;
            records = self.records()?;
        }
        if records[..] == [Record::Text(Stage::Edit)] && approval == Approval::Author {
            // Said before the revision is asked for, so that none gets into the book unseen.
            self.say(Decision::Hold, StageNote::WaitForAuthor)?;
            records = self.records()?;
        }
        let is_begun = !matches!(
            records[..],
            [Record::Text(Stage::Edit)] | [Record::Text(Stage::Edit), Record::Decided(Decision::Hold)]
        );
        if is_begun { Ok(()) } else { self.say(Decision::Revise, StageNote::Mend) }
    }

    fn say(&self, decision: Decision, result: StageNote) -> Result<(), RunError> {
        let note = Note { result, decision: Some(decision), ..Note::default() };
        self.commit(Stage::Decision, Change::default(), note)?;
        Ok(())
    }
}
