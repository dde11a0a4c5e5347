use super::subject;
use crate::report::prelude::*;
use crate::store::{Kind, Subject, Transaction};

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Interrupted {
    pub commit: Commit,
    /// The kind: `chapter`, `undo`, …
    pub kind: &'static str,
    pub chapter: Option<ChapterNo>,
    /// A noun phrase for the author: `the acceptance of ch-004`.
    pub what: String,
}

impl Interrupted {
    pub fn of(transaction: &Transaction, lang: Lang) -> Self {
        Self {
            commit: transaction.id.into(),
            kind: transaction.kind.as_str(),
            chapter: transaction.accepts(),
            what: name(transaction, lang),
        }
    }

    /// The message after recovery has finished the transaction.
    pub fn finished(&self, lang: Lang) -> String {
        let Self { commit, what, .. } = self;
        say!(lang, finished_which_had_been_interrupted(what, commit))
    }

    /// The message while the transaction is unfinished.
    pub fn waits(&self, lang: Lang) -> String {
        say!(lang, was_interrupted_next_command_that_writes(what = &self.what))
    }
}

/// A noun phrase for the author.
fn name(transaction: &Transaction, lang: Lang) -> String {
    let subject = &transaction.subject;
    match (transaction.kind, transaction.accepts()) {
        (_, Some(chapter)) if transaction.replaces().is_some() => say!(lang, rewriting_of(chapter)),
        (_, Some(chapter)) => say!(lang, acceptance_of(chapter)),
        (Kind::HandEdit, _) => say!(lang, commit_of_your_edits).to_owned(),
        (Kind::Init, _) => say!(lang, making_of_book).to_owned(),
        (kind, _) => match subject::notation::read(subject) {
            Some(Subject::Rollback(to)) => say!(lang, rollback_to(to)),
            Some(Subject::Undo(of)) => say!(lang, undo_of(of = subject::worded(&of, lang))),
            Some(Subject::Redo(of)) => say!(lang, redo_of(of = subject::worded(&of, lang))),
            _ => say!(lang, interrupted_subject(subject = subject::of_commit(kind, subject, lang))),
        },
    }
}
