//! The colours of the program. [`paint`] puts marks around a text; [`render`] turns the marks into escape sequences,
//! and escapes in the text itself into visible signs, so that no text of a book, a model or a server steers the
//! terminal.

use crate::text::{is_steering, visible};
use anstyle::{AnsiColor, Style};

/// Success: passed, added.
pub const GOOD: Style = AnsiColor::Green.on_default();
/// Needs attention.
pub const WARN: Style = AnsiColor::Yellow.on_default();
/// Failure: failed, violated.
pub const BAD: Style = AnsiColor::Red.on_default();
/// The label of an error.
pub const ALARM: Style = BAD.bold();
/// A command to type, a hint.
pub const HINT: Style = AnsiColor::Cyan.on_default();
/// Headings and other text to find first.
pub const STRONG: Style = Style::new().bold();
pub const HEADING: Style = STRONG.underline();
/// Less important words: ids, dates, units.
pub const DIM: Style = Style::new().dimmed();
pub const DELETED: Style = AnsiColor::Red.on_default().strikethrough();
pub const INSERTED: Style = AnsiColor::Green.on_default();

/// Every style that reaches a terminal. The mark of a style is the noncharacter U+FDD0 plus its index here.
const PALETTE: [Style; 9] = [GOOD, WARN, BAD, ALARM, HINT, STRONG, HEADING, DIM, DELETED];

const FIRST: char = '\u{FDD0}';
/// The mark behind a painted text.
pub(super) const END: char = '\u{FDEF}';

/// The mark of a style; `None` for a style that the program does not use.
fn mark_of(style: Style) -> Option<char> {
    let at = PALETTE.iter().position(|known| *known == style)?;
    char::from_u32(u32::from(FIRST) + u32::try_from(at).ok()?)
}

fn style_of(mark: char) -> Option<Style> {
    let at = u32::from(mark).checked_sub(u32::from(FIRST))?;
    PALETTE.get(usize::try_from(at).ok()?).copied()
}

/// True for a mark that begins or ends a style.
pub(super) fn is_mark(c: char) -> bool {
    c == END || style_of(c).is_some()
}

/// The text in a style; unpainted in a style that the program does not use.
pub fn paint(style: Style, text: &str) -> String {
    match mark_of(style) {
        Some(mark) if !text.is_empty() => format!("{mark}{text}{END}"),
        _ => text.to_owned(),
    }
}

pub fn unpainted(text: &str) -> String {
    text.replace(is_mark, "")
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Colour {
    On,
    Off,
}

/// Returns the text for a terminal or a file: marks as escape sequences, or dropped without colour; control and
/// bidirectional characters of the text as signs.
pub fn render(text: &str, colour: Colour) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    let mut open = false;
    while let Some(at) = rest.find(is_mark) {
        out.push_str(&visible(&rest[..at]));
        let mark = rest[at..].chars().next().unwrap_or(END);
        rest = &rest[at + mark.len_utf8()..];
        if colour == Colour::On {
            let style = style_of(mark);
            out.push_str(&style.map_or_else(reset, |style| style.to_string()));
            open = style.is_some();
        }
    }
    out.push_str(&visible(rest));
    if open {
        out.push_str(&reset());
    }
    out
}

fn reset() -> String {
    format!("{STRONG:#}")
}

/// Replaces the escape sequences of another library by marks; sequences of other styles are dropped.
pub fn marked(ansi: &str) -> String {
    let mut text = ansi.replace(is_mark, "");
    let mut known: Vec<(String, Option<char>)> =
        PALETTE.iter().map(|style| (style.to_string(), mark_of(*style))).collect();
    // `bold red` begins like `bold`.
    known.sort_by_key(|(sequence, _)| std::cmp::Reverse(sequence.len()));
    for (sequence, mark) in known {
        text = text.replace(&sequence, &mark.map_or_else(String::new, String::from));
    }
    let text = text.replace(&reset(), &END.to_string());
    anstream::adapter::strip_str(&text).to_string().replace(|c| is_steering(c) && !is_mark(c), "")
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn paint_is_seen_with_colour_and_gone_without() {
        let text = format!("{} {}", paint(WARN, "注意"), paint(ALARM, "a\u{1b}[2Jb"));
        assert_eq!(render(&text, Colour::Off), "注意 a␛[2Jb");
        assert_eq!(render(&text, Colour::On), "\u{1b}[33m注意\u{1b}[0m \u{1b}[1m\u{1b}[31ma␛[2Jb\u{1b}[0m");
        assert_eq!(unpainted(&text), "注意 a\u{1b}[2Jb");
        assert_eq!(paint(Style::new(), "雨"), "雨");
    }

    #[test]
    fn paint_of_another_library_is_taken_over_as_far_as_it_is_known() {
        let ansi = format!("{HEADING}用法{HEADING:#} {STRONG}novel{STRONG:#} \u{1b}[38;5;9mx\u{1b}[0m");
        assert_eq!(render(&marked(&ansi), Colour::Off), "用法 novel x");
        assert!(render(&marked(&ansi), Colour::On).starts_with(&format!("{HEADING}用法")));
    }

    proptest! {
        #[test]
        fn nothing_in_a_text_steers_the_terminal(text in any::<String>(), colour in prop_oneof![Just(Colour::On), Just(Colour::Off)], at in 0usize..9) {
            let painted = format!("{text}{}{text}", paint(PALETTE[at], &text));
            let rendered = render(&painted, colour);
            let mut rest = rendered.as_str();
            while let Some(at) = rest.find(is_steering) {
                rest = &rest[at..];
                let known = PALETTE.iter().map(ToString::to_string).chain([reset()]);
                let known = known.filter(|known| rest.starts_with(known)).max_by_key(String::len);
                prop_assert!(colour == Colour::On && known.is_some(), "{rendered:?}");
                rest = &rest[known.unwrap_or_default().len()..];
            }
        }
    }
}
