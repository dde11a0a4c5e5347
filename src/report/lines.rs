//! The branches of the book: the answers of `novel branch` and `novel adopt`.

use crate::pipeline::book::lines::LineView;
use crate::report::prelude::*;

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct LineList {
    /// The main line first.
    pub lines: Vec<LineEntry>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct LineEntry {
    pub name: String,
    /// True for the branch that the book is on.
    pub current: bool,
    pub main: bool,
    /// The remote that has the branch, if this copy lacks it.
    pub remote: Option<String>,
    /// The last chapter in common with the main line.
    pub from: Option<u32>,
    pub last: Option<u32>,
    /// Work in flight: `ch-049`.
    pub drafts: Vec<String>,
    pub commit: Commit,
}

impl LineList {
    pub fn of(lines: &[LineView]) -> Self {
        let entry = |line: &LineView| LineEntry {
            name: line.name.clone(),
            current: line.is_current,
            main: line.is_main,
            remote: line.remote.clone(),
            from: line.from.map(|chapter| chapter.get()),
            last: line.last.map(|chapter| chapter.get()),
            drafts: line.drafts.iter().map(ToString::to_string).collect(),
            commit: line.tip.into(),
        };
        Self { lines: lines.iter().map(entry).collect() }
    }

    /// A line each; `*` marks the branch that the book is on.
    pub fn text(&self, lang: Lang, columns: usize) -> String {
        let mut table = Table::new(say!(lang, lines_columns).split('|'), "llllll", 1).yielding(16, [5]);
        let chapter = |number: Option<u32>| number.map_or_else(|| "–".to_owned(), |number| format!("ch-{number:03}"));
        for line in &self.lines {
            let from = if line.main { say!(lang, main_line).to_owned() } else { chapter(line.from) };
            let name = match &line.remote {
                Some(remote) => Cell::painted(DIM, say!(lang, lines_on(branch = &line.name, remote))),
                None if line.current => Cell::painted(STRONG, line.name.as_str()),
                None => line.name.as_str().into(),
            };
            table.row([
                if line.current { "*" } else { "" }.into(),
                name,
                from.into(),
                chapter(line.last).into(),
                line.drafts.join(" ").into(),
                Cell::painted(DIM, line.commit.short()),
            ]);
        }
        table.text(columns)
    }
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct LineChange {
    /// `begun`, `on`, `deleted` or `unchanged`.
    pub status: &'static str,
    pub line: String,
    /// A sentence without its end, in the author's language.
    pub what: String,
    /// Commands to type next, if any.
    pub next: Vec<String>,
}

impl LineChange {
    pub fn text(&self, lang: Lang) -> String {
        let mut out = format!("{}\n", self.what);
        for next in &self.next {
            out.push_str(&say!(lang, lines_next(next = paint(HINT, next))));
        }
        out
    }
}
