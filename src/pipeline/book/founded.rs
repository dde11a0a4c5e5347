//! The parts of a book that everything else rests on: rules, theme, characters, style.

use crate::domain::workflow::Founded;
use crate::pipeline::book::view::BookView;
use crate::pipeline::prelude::*;

/// The foundations of the book. Reads only.
pub fn founded(book: &Book) -> Result<Founded, RunError> {
    founded_in(&BookView::new(book.snapshot()?))
}

pub(crate) fn founded_in(view: &BookView<'_>) -> Result<Founded, RunError> {
    let brief = view.text(layout::BRIEF)?.unwrap_or_default();
    Ok(Founded {
        rules: !view.rules()?.is_empty(),
        theme: !said_under(&brief, "## 主题").is_empty(),
        cast: view.characters()?.iter().any(|person| !person.contracts.is_empty()),
        style: view.style()?.is_some_and(|profile| profile.is_chosen()),
        written: view.checkpoint()?.last_completed,
    })
}

/// The lines under a heading of the brief, without the template's advice.
pub fn said_under<'b>(brief: &'b str, heading: &str) -> Vec<&'b str> {
    let mut lines = brief.lines().skip_while(|line| line.trim() != heading);
    lines.next();
    let mut said = Vec::new();
    let mut advice = false;
    for line in lines.map(str::trim).take_while(|line| !line.starts_with('#')) {
        let begins = line.starts_with("<!--");
        if !(advice || begins || line.is_empty()) {
            said.push(line);
        }
        advice = (advice || begins) && !line.contains("-->");
    }
    said
}
