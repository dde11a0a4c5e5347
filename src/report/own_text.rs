//! The author's own text at the place of a chapter whose draft is open.

use crate::pipeline::chapter::existing::OwnText;
use crate::report::prelude::*;
use crate::report::subject;
use crate::report::words::quoted;
use crate::store::{Kind, Transaction};
use std::path::Path;

/// The text, and the outcome for the draft, which is open still.
pub fn of(own: &OwnText, root: &Path, lang: Lang) -> String {
    let OwnText { path, chapter, .. } = own;
    let heading = heading(own, lang);
    let mut words = match own.committed {
        true => say!(lang, own_text_is_chapter(path, chapter, heading)) + say!(lang, its_draft_will_be_put_aside),
        false => say!(lang, own_text_is_in_place_of(path, chapter, heading)) + say!(lang, its_draft_would_be_put_aside),
    };
    words.push_str(&to_insert(own, root, lang));
    words
}

/// The text, after the draft was put aside and kept under this name.
pub fn in_place_of(own: &OwnText, kept: &str, root: &Path, lang: Lang) -> String {
    let OwnText { path, chapter, .. } = own;
    let is = say!(lang, own_text_is_chapter(path, chapter, heading = heading(own, lang)));
    is + &to_insert(own, root, lang) + &say!(lang, own_text_then_restore(kept))
}

fn heading(own: &OwnText, lang: Lang) -> String {
    own.headed.map(|number| say!(lang, own_text_has_number(number))).unwrap_or_default()
}

/// The way by which the text comes before the chapter that is planned.
fn to_insert(own: &OwnText, root: &Path, lang: Lang) -> String {
    let full = root.join(&own.path);
    let aside = quoted(format!("{}.aside", full.display()));
    let (git, path) = (quoted(root.display()), quoted(&own.path));
    let mut away = format!("mv {} {aside}", quoted(full.display()));
    if own.committed {
        away.push_str(&format!(" && git -C {git} commit -m aside -- {path}"));
    }
    let (chapter, number) = (own.chapter, own.chapter.get());
    let title = if own.title.is_empty() { say!(lang, own_text_title) } else { &own.title };
    say!(lang, own_text_to_insert(chapter, away, number, title = quoted(title), aside))
}

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
    let after = subject.split_once(": ").or(subject.split_once('：')).map_or(subject.as_str(), |(_, after)| after);
    match (transaction.kind, transaction.accepts()) {
        (_, Some(chapter)) if transaction.replaces().is_some() => say!(lang, rewriting_of(chapter)),
        (_, Some(chapter)) => say!(lang, acceptance_of(chapter)),
        (Kind::HandEdit, _) => say!(lang, commit_of_your_edits).to_owned(),
        (Kind::Init, _) => say!(lang, making_of_book).to_owned(),
        (Kind::Rollback, _) => say!(lang, rollback_to(to = after)),
        (Kind::Undo, _) => say!(lang, undo_of(of = subject::worded(after, lang))),
        (Kind::Redo, _) => say!(lang, redo_of(of = subject::worded(after, lang))),
        (kind, _) => say!(lang, interrupted_subject(subject = subject::of_commit(kind, subject, lang))),
    }
}
