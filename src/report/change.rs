//! What a command did to the book, in one line, or would do, in a list.

use super::lang::{Lang, say};
use super::style::{DIM, HINT, STRONG, WARN, paint};
use super::table::{Align, Cell, Table};
use serde::Serialize;

/// A change that has been made.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Change {
    /// What happened, in the author's language: a sentence without its end.
    pub what: String,
    /// The commit, shortened.
    pub commit: String,
    /// The command that takes it back; `None` where there is none.
    pub undo: Option<String>,
}

impl Change {
    /// The line: what, as which commit, and how to take it back. No mark follows the id, so that it can be picked with
    /// a double click.
    #[must_use]
    pub fn text(&self, lang: Lang) -> String {
        let Self { what, commit, .. } = self;
        let undo = match &self.undo {
            Some(undo) => {
                let undo = paint(HINT, undo);
                say!(lang, " （撤销: {undo}）", " (undo: {undo})")
            }
            None => String::new(),
        };
        say!(lang, "{what}，提交 {commit}{undo}\n", "{what} as {commit}{undo}\n")
    }
}

/// What a rollback, an undo or a repair would do.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Preview {
    /// What would happen, in the author's language: a sentence without its end.
    pub what: String,
    /// What would leave the book's branch, newest first. It stays in the repository.
    pub leaving: Vec<Leaving>,
    /// Where what leaves is kept: the name of a ref. `None` when nothing leaves.
    pub kept_as: Option<String>,
    /// What stays although the target did not have it: the author's inputs and plans.
    pub untouched: Vec<String>,
    /// Hand edits that would be committed first.
    pub hand_edits: Vec<String>,
}

/// Something that would leave the book's branch.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Leaving {
    /// The commit, shortened.
    pub commit: String,
    /// Its first line.
    pub subject: String,
}

/// So many lines of a list are shown.
const SHOWN: usize = 12;

impl Preview {
    /// The list, with how many more there are when it is long.
    #[must_use]
    pub fn text(&self, lang: Lang, columns: usize) -> String {
        let mut out = format!("{}\n", paint(STRONG, &self.what));
        let mut table = Table::new([("", Align::Left), ("", Align::Left)], 1).indented(2);
        for leaving in self.leaving.iter().take(SHOWN) {
            table.row([Cell::painted(DIM, leaving.commit.as_str()), leaving.subject.as_str().into()]);
        }
        out.push_str(&table.text(columns));
        if self.leaving.len() > SHOWN {
            let n = self.leaving.len() - SHOWN;
            out.push_str(&say!(lang, "  …还有 {n} 个\n", "  … and {n} more\n"));
        }
        if let Some(kept) = &self.kept_as {
            out.push_str(&say!(lang, "  以上都留在 {kept}，随时可以取回\n", "  all of it is kept as {kept}\n"));
        }
        let sep = lang.pick("、", ", ");
        if !self.untouched.is_empty() {
            let list = self.untouched.join(sep);
            out.push_str(&say!(lang, "  不动: {list}\n", "  left as it is: {list}\n"));
        }
        if !self.hand_edits.is_empty() {
            let list = self.hand_edits.join(sep);
            let note = say!(lang, "先提交你的手改: {list}", "committed first, as your own edits: {list}");
            out.push_str(&format!("  {}\n", paint(WARN, &note)));
        }
        out
    }
}
