//! The few colours of the program. Where output has no colour, whoever prints strips them.

use anstyle::{AnsiColor, Style};

/// Good news: passed, added.
pub const GOOD: Style = AnsiColor::Green.on_default();
/// Needs a look.
pub const WARN: Style = AnsiColor::Yellow.on_default();
/// Bad news: failed, violated.
pub const BAD: Style = AnsiColor::Red.on_default();
/// A command to type, a hint.
pub const HINT: Style = AnsiColor::Cyan.on_default();
/// Headings and what the eye should find first.
pub const STRONG: Style = Style::new().bold();
/// What may be skipped: ids, dates, units.
pub const DIM: Style = Style::new().dimmed();
/// Words that are gone.
pub const DELETED: Style = AnsiColor::Red.on_default().strikethrough();
/// Words that are new.
pub const INSERTED: Style = AnsiColor::Green.on_default();

/// `text` in a style.
#[must_use]
pub fn paint(style: Style, text: &str) -> String {
    if text.is_empty() { String::new() } else { format!("{style}{text}{style:#}") }
}
