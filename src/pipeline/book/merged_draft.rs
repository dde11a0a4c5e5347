//! Files of a draft that are in the book: the author, or a code host's button, has merged the draft's branch. In the book they
//! would go into every later draft, whose calls and costs they would count among. A checkout of the branch that another tool has
//! broken off leaves such files in the folder.

use crate::pipeline::engine::call_record::DRAFT_ONLY;
use crate::pipeline::prelude::*;
use crate::store::{self, CommitError, Edit, EditKind, Instead};

/// True when the last commit has files that belong to drafts alone.
pub fn is_there(book: &Book) -> Result<bool, RunError> {
    Ok(!book.snapshot()?.list(DRAFT_ONLY.trim_end_matches('/'))?.is_empty())
}

/// Files in the book's folder that a checkout of a draft's branch has left there, byte for byte, the chapter's text among them. They
/// are no edits of the author's.
pub(super) fn left_by_checkout(book: &Book, edits: &[Edit]) -> Result<Vec<String>, RunError> {
    let new = edits.iter().filter(|edit| edit.kind == EditKind::Added);
    let places = new.filter_map(|edit| Some((layout::classify(&edit.path)?, edit.path.as_str())));
    let texts: Vec<(BookPath, &str)> = places.filter(|(place, _)| matches!(place, BookPath::Chapter(..))).collect();
    if texts.is_empty() {
        return Ok(Vec::new());
    }
    let mut left = Vec::new();
    for (work, tip) in store::closing::drafts(book)? {
        let draft = book.snapshot_of(tip)?;
        let is_same = |path: &str| {
            let there = book.on_disk(path)?;
            Ok::<bool, RunError>(there.is_some() && there == draft.read(path)?)
        };
        for (_, text) in texts.iter().filter(|(place, _)| place.chapter() == work.chapter()) {
            if is_same(text)? {
                let records = draft.files(DRAFT_ONLY)?;
                for path in edits.iter().map(|edit| &edit.path).chain(&records) {
                    left.extend(is_same(path)?.then(|| path.clone()));
                }
            }
        }
    }
    Ok(left)
}

/// Takes files that a checkout of a draft's branch has left out of the book's folder: the draft has them.
pub(super) fn take_back_checkout(run: &Run<'_>, left: Vec<String>) -> Result<(), RunError> {
    if left.is_empty() {
        return Ok(());
    }
    let chapter = left.iter().find_map(|path| layout::classify(path)?.chapter());
    let files = left.into_iter().map(|path| (path, Instead::Committed)).collect();
    store::book::rescue::put_files_aside(run.session, &files, &run.author, run.calls.clock.moment())?;
    if let Some(chapter) = chapter {
        run.tell(Event::Warning { work: chapter.into(), warning: Warning::CheckoutTakenBack });
    }
    Ok(())
}

/// Takes the files out of the book, in one commit; false where the author has changed one of them, so that all stay for now. The
/// draft itself, with its calls, is kept under its own name.
pub fn take_out_draft_files(run: &Run<'_>) -> Result<bool, RunError> {
    let snapshot = run.session.book().snapshot()?;
    let change = Change { removes: snapshot.files(DRAFT_ONLY)?.into_iter().collect(), ..Change::default() };
    let message = Message::new(Kind::Rebuild, Subject::Repaired).body(format!("- {DRAFT_ONLY}\n"));
    match BookCommit::new(run, Work::Step(Step::Regenerate), message, change, &snapshot).make_unless_edited() {
        Ok(_) => Ok(true),
        Err(CommitError::AuthorEdited { .. }) => Ok(false),
        Err(error) => Err(error.into()),
    }
}
