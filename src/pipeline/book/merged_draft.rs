//! Files of a draft that are in the book: the author, or a code host's button, has merged the draft's branch. In the book they
//! would go into every later draft, whose calls and costs they would count among.

use crate::domain::Work;
use crate::domain::book::work::Step;
use crate::pipeline::engine::call_record::DRAFT_ONLY;
use crate::pipeline::engine::commits::BookCommit;
use crate::pipeline::engine::error::RunError;
use crate::pipeline::engine::run::Run;
use crate::store::{Book, Change, CommitError, Kind, Message, Subject};

/// True when the last commit has files that belong to drafts alone.
pub fn is_there(book: &Book) -> Result<bool, RunError> {
    Ok(!book.snapshot()?.list(DRAFT_ONLY.trim_end_matches('/'))?.is_empty())
}

impl Run<'_> {
    /// Takes the files out of the book, in one commit; false where the author has changed one of them, so that all stay for now. The
    /// draft itself, with its calls, is kept under its own name.
    pub fn take_out_draft_files(&self) -> Result<bool, RunError> {
        let snapshot = self.session.book().snapshot()?;
        let change = Change { removes: snapshot.files(DRAFT_ONLY)?.into_iter().collect(), ..Change::default() };
        let message = Message::new(Kind::Rebuild, Subject::Repaired).body(format!("- {DRAFT_ONLY}\n"));
        match BookCommit::new(self, Work::Step(Step::Regenerate), message, change, &snapshot).make_unless_edited() {
            Ok(_) => Ok(true),
            Err(CommitError::AuthorEdited { .. }) => Ok(false),
            Err(error) => Err(error.into()),
        }
    }
}
