//! Mending chapters of the book: the strong model changes what a wish names, and the rest of the text stays.

use super::draft::{ChapterDraft, Note};
use super::write::ChapterOutcome;
use crate::domain::ChapterNo;
use crate::domain::chapter::stage::{Decision, Record, Stage};
use crate::pipeline::engine::error::RunError;
use crate::pipeline::engine::run::Run;
use crate::store::Change;
use std::collections::BTreeMap;

impl Run<'_> {
    /// Mends chapters of the book, the earliest first: the strong model changes what the wish names and leaves the rest of
    /// the text as it is. Each becomes one commit; the first that waits for the author ends the work.
    ///
    /// # Errors
    /// The [`RunError`] that ended it; what was paid for is kept on the chapter's draft.
    pub async fn mend(
        &self,
        wishes: &BTreeMap<ChapterNo, String>,
    ) -> Result<Vec<(ChapterNo, ChapterOutcome)>, RunError> {
        let mut fates = Vec::new();
        for (&chapter, wish) in wishes {
            let chapter_draft = self.begun_again(chapter, wish)?;
            chapter_draft.begin_mending()?;
            let fate = ChapterOutcome::from(self.carry_through(chapter_draft).await?);
            let paused = matches!(fate, ChapterOutcome::Paused(_));
            fates.push((chapter, fate));
            if paused {
                break;
            }
        }
        Ok(fates)
    }
}

impl ChapterDraft<'_, '_> {
    /// Makes the text that the book has the draft's, to be revised before anything is said of it. A draft that has a text
    /// goes on as it is.
    fn begin_mending(&self) -> Result<(), RunError> {
        match self.records()?[..] {
            [] => {
                let text = self.text()?;
                let note = Note { subject: text.title.clone(), ..Note::default() };
                self.commit(Stage::Edit, self.new_text(&text, ""), note)?;
            }
            // A death came between the text and the word to revise it.
            [Record::Text(Stage::Edit)] => {}
            _ => return Ok(()),
        }
        let decision = Some(Decision::Revise);
        let note = Note { subject: "mend what the wish names".to_owned(), decision, ..Note::default() };
        self.commit(Stage::Decision, Change::default(), note)?;
        Ok(())
    }
}
