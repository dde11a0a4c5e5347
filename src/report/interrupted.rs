//! Interrupted transactions, in words and as JSON.

use super::json;
use super::lang::{Lang, say};
use crate::domain::ChapterNo;
use crate::store::{Kind, Transaction};
use serde::Serialize;

/// A transaction that an interrupted command had begun.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Interrupted {
    /// Its commit, shortened.
    pub commit: String,
    /// Its kind: `chapter`, `undo`, …
    pub kind: &'static str,
    /// The chapter that it accepts.
    #[serde(serialize_with = "json::maybe_chapter")]
    pub chapter: Option<ChapterNo>,
    /// Its name for the author: `the acceptance of ch-004`.
    pub what: String,
}

impl Interrupted {
    /// The transaction in words.
    #[must_use]
    pub fn of(transaction: &Transaction, lang: Lang) -> Self {
        Self {
            commit: transaction.id.short(),
            kind: transaction.kind.as_str(),
            chapter: transaction.accepts(),
            what: name(transaction, lang),
        }
    }

    /// The message after recovery has finished the transaction.
    #[must_use]
    pub fn finished(&self, lang: Lang) -> String {
        let Self { commit, what, .. } = self;
        say!(lang, "上次{what}被打断，现已补完（{commit}）", "finished {what} ({commit}), which had been interrupted")
    }

    /// The message while the transaction is unfinished.
    #[must_use]
    pub fn waits(&self, lang: Lang) -> String {
        let what = &self.what;
        say!(
            lang,
            "{what}被打断了，下一条写作命令会补完",
            "{what} was interrupted; the next command that writes finishes it"
        )
    }
}

/// The name of a transaction for the author, a noun phrase.
fn name(transaction: &Transaction, lang: Lang) -> String {
    let subject = &transaction.subject;
    let what = |prefix: &str| subject.strip_prefix(prefix).unwrap_or(subject).trim().to_owned();
    match (transaction.kind, transaction.accepts()) {
        (_, Some(chapter)) if transaction.replaces().is_some() => {
            say!(lang, "{chapter} 的重写", "the rewriting of {chapter}")
        }
        (_, Some(chapter)) => say!(lang, "{chapter} 的入册", "the acceptance of {chapter}"),
        (Kind::Rollback, _) => {
            let to = what("rollback:");
            say!(lang, "退回 {to} ", "the rollback to {to}")
        }
        (Kind::Undo, _) => {
            let of = what("undo:");
            say!(lang, "撤销「{of}」", "the undo of `{of}`")
        }
        (Kind::Redo, _) => {
            let of = what("redo:");
            say!(lang, "重做「{of}」", "the redo of `{of}`")
        }
        (Kind::HandEdit, _) => say!(lang, "手改的提交", "the commit of your edits"),
        (Kind::Init, _) => say!(lang, "建书", "the making of the book"),
        _ => say!(lang, "「{subject}」", "`{subject}`"),
    }
}
