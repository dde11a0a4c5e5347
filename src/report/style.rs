//! The style of texts on a terminal. Colours: [`paint`] puts marks around a text; [`render`] turns the marks into escape sequences,
//! and escapes in the text itself into visible signs, so that no text of a book, a model or a server steers the terminal. Lines
//! are broken at its edge: never inside a word, a number, a path or a command, and never before a closing mark.

use crate::text::{is_steering, visible};
use anstyle::{AnsiColor, Style};
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

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

/// The width of files and pipes, where nothing is broken or clipped.
pub const UNLIMITED: usize = usize::MAX;

pub fn width(text: &str) -> usize {
    text.width()
}

/// Marks that no line begins with.
const CLOSING: &str = "，。、；：！？”’」』）》】〉…—·～";
/// Marks that no line ends with.
const OPENING: &str = "“‘「『（《【〈";
/// Signs before the content of a line.
const BULLETS: [&str; 4] = ["- ", "+ ", "? ", "* "];
/// Columns left free behind a command for closing marks.
const CLOSED: usize = 4;
/// Programs whose commands stay on one line.
const PROGRAMS: [&str; 2] = ["novel", "git"];

/// Breaks the text into lines of at most `columns`. Continued lines are indented to their content: behind a label, a
/// bullet or the first column. A word wider than the terminal stays whole, to be copied.
pub fn wrapped(text: &str, columns: usize) -> String {
    if columns == UNLIMITED {
        return text.to_owned();
    }
    let mut out = String::with_capacity(text.len());
    for line in text.split_inclusive('\n') {
        let (line, end) = line.strip_suffix('\n').map_or((line, ""), |line| (line, "\n"));
        if width(&unpainted(line)) <= columns {
            out.push_str(line);
        } else {
            let indent = hanging(line, columns);
            let pieces = broken(line, columns, columns.saturating_sub(indent));
            out.push_str(&repainted(&pieces).join(&format!("\n{}", " ".repeat(indent))));
        }
        out.push_str(end);
    }
    out
}

/// The text in pieces of at most `columns`; wider words are cut.
pub(super) fn pieces(text: &str, columns: usize) -> Vec<String> {
    pieces_under(text, columns, columns)
}

/// Wraps a text whose later pieces have another number of columns.
pub(super) fn pieces_under(text: &str, columns: usize, next: usize) -> Vec<String> {
    if width(text) <= columns {
        return vec![text.to_owned()];
    }
    let mut pieces = Vec::new();
    for piece in broken(text, columns, next) {
        let mut rest = piece.as_str();
        loop {
            let columns = if pieces.is_empty() { columns } else { next };
            if width(rest) <= columns || columns < 2 {
                break;
            }
            let mut taken = 0;
            let fits = |(_, c): &(usize, char)| {
                taken += columns_of(*c);
                taken > columns
            };
            let at = rest.char_indices().find(fits).map_or(rest.len(), |(at, _)| at);
            // A path is cut behind a joint, where one is near the end.
            let joint = rest[..at].rfind(['/', '.', '_', '-']).map(|joint| joint + 1).filter(|joint| *joint > at / 2);
            let at = joint.unwrap_or(at);
            let at = if at == 0 { rest.chars().next().map_or(0, char::len_utf8) } else { at };
            pieces.push(rest[..at].to_owned());
            rest = &rest[at..];
        }
        pieces.push(rest.to_owned());
    }
    pieces
}

/// The indentation of continued lines.
fn hanging(line: &str, columns: usize) -> usize {
    let plain = unpainted(line);
    let content = plain.trim_start_matches(' ');
    let lead = plain.len() - content.len();
    let label = || {
        let painted = line.trim_start_matches(' ').chars().next().is_some_and(is_mark);
        let (label, _) = content
            .split_once('：')
            .map(|(label, _)| (label, 2))
            .or_else(|| content.split_once(": ").map(|(label, _)| (label, 2)))?;
        (painted && width(label) <= 10).then(|| width(label) + 2)
    };
    let number = || {
        let digits = content.bytes().take_while(u8::is_ascii_digit).count();
        (digits > 0 && content[digits..].starts_with(". ")).then_some(digits + 2)
    };
    let bullet = || BULLETS.iter().find(|bullet| content.starts_with(**bullet)).map(|bullet| bullet.len());
    let column = || {
        let (first, rest) = content.split_once("  ")?;
        Some(width(first) + 2 + rest.len() - rest.trim_start_matches(' ').len())
    };
    let wanted = bullet().or_else(number).or_else(label).or_else(column).unwrap_or(0);
    if lead + wanted <= columns / 2 { lead + wanted } else { lead.min(columns / 3) }
}

/// The columns of a character, or a little more where it joins others.
fn columns_of(c: char) -> usize {
    match c {
        '\u{fe0f}' => 1,
        c if is_mark(c) => 0,
        c => c.width().unwrap_or(1),
    }
}

/// The no-break space, which keeps both sides together.
const NO_BREAK: char = '\u{a0}';

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum UnitKind {
    /// The beginning or the end of paint, without width.
    Mark,
    /// Spaces in a row.
    Space,
    /// A character of two columns.
    Wide,
    /// A character of a word, or a whole command.
    Narrow,
}

#[derive(Debug, Clone, Copy)]
struct Unit<'a> {
    kind: UnitKind,
    text: &'a str,
    columns: usize,
}

impl Unit<'_> {
    fn closes(&self) -> bool {
        self.text.starts_with(|c| CLOSING.contains(c))
    }

    /// True when a line may end between `self` and `next`.
    fn may_end_before(&self, next: &Unit<'_>) -> bool {
        let opens = self.text.ends_with(|c| OPENING.contains(c));
        let joins = self.text.ends_with(NO_BREAK) || next.text.starts_with(NO_BREAK);
        !opens
            && !joins
            && !next.closes()
            && (self.kind == UnitKind::Wide
                || next.kind == UnitKind::Wide
                || next.text.starts_with(|c| OPENING.contains(c)))
    }
}

/// The units of a line; a command is one unit where it fits `room`.
fn units(line: &str, room: usize) -> Vec<Unit<'_>> {
    let mut units: Vec<Unit<'_>> = Vec::new();
    let mut rest = line;
    // The end of a command that is too wide for one unit: its last mark begins no other.
    let mut wide_end = 0;
    while let Some(c) = rest.chars().next() {
        let at = line.len() - rest.len();
        let begins_word = units.last().is_none_or(|unit| unit.kind != UnitKind::Narrow);
        let (kind, mut end) = match c {
            c if is_mark(c) => (UnitKind::Mark, c.len_utf8()),
            ' ' => (UnitKind::Space, rest.len() - rest.trim_start_matches(' ').len()),
            c if columns_of(c) == 2 => (UnitKind::Wide, c.len_utf8()),
            _ if at < wide_end => (UnitKind::Narrow, c.len_utf8()),
            _ => (UnitKind::Narrow, command(rest, begins_word)),
        };
        let columns_to = |end: usize| rest[..end].chars().map(columns_of).sum::<usize>();
        if kind == UnitKind::Narrow && columns_to(end) + CLOSED > room {
            wide_end = wide_end.max(at + end);
            end = c.len_utf8();
        }
        units.push(Unit { kind, text: &rest[..end], columns: columns_to(end) });
        rest = &rest[end..];
    }
    units
}

/// The line in pieces: the first of at most `first` columns, the others of `others`.
fn broken(line: &str, first: usize, others: usize) -> Vec<String> {
    let mut pieces = Pieces { done: Vec::new(), piece: String::new(), taken: 0, room: first, others };
    let (mut gap, mut pending, mut columns) = ("", String::new(), 0);
    let mut last: Option<Unit<'_>> = None;
    let units = units(line, others);
    for (at, unit) in units.iter().enumerate() {
        let next = units[at + 1..].iter().find(|next| next.kind != UnitKind::Mark);
        let parts = match (unit.kind, last) {
            (UnitKind::Space, _) => !next.is_some_and(Unit::closes),
            (UnitKind::Mark, _) | (_, None) => false,
            (_, Some(last)) => last.may_end_before(unit),
        };
        if parts {
            pieces.add(gap, &pending, columns);
            (gap, pending, columns) = ("", String::new(), 0);
        }
        match unit.kind {
            UnitKind::Space if parts => (gap, last) = (unit.text, None),
            UnitKind::Mark => pending.push_str(unit.text),
            _ => {
                pending.push_str(unit.text);
                columns += unit.columns;
                last = Some(*unit);
            }
        }
    }
    pieces.add(gap, &pending, columns);
    pieces.done.push(pieces.piece);
    pieces.done
}

struct Pieces {
    done: Vec<String>,
    piece: String,
    taken: usize,
    /// The columns allowed for `piece`, and for later pieces.
    room: usize,
    others: usize,
}

impl Pieces {
    /// Adds an unbreakable part behind a gap, or begins the next piece with it.
    fn add(&mut self, gap: &str, part: &str, columns: usize) {
        if !self.piece.trim_start_matches(' ').is_empty() && self.taken + gap.len() + columns > self.room {
            self.done.push(std::mem::take(&mut self.piece));
            (self.taken, self.room) = (0, self.others);
        } else {
            self.piece.push_str(gap);
            self.taken += gap.len();
        }
        self.piece.push_str(part);
        self.taken += columns;
    }
}

/// The length of the command at the beginning of `text`: in backticks, or after the name of a program; otherwise of one
/// character.
fn command(text: &str, begins_word: bool) -> usize {
    if let Some(quoted) = text.strip_prefix('`')
        && let Some(end) = quoted.find('`')
    {
        return end + 2;
    }
    let one = text.chars().next().map_or(0, char::len_utf8);
    let is_program = |name: &&str| text.strip_prefix(*name).is_some_and(|rest| rest.starts_with(' '));
    if !begins_word || !PROGRAMS.iter().any(is_program) {
        return one;
    }
    let end = text.find(|c: char| !(c.is_ascii_graphic() || c == ' ') || ";,)`".contains(c)).unwrap_or(text.len());
    let end = text[..end].find("  ").unwrap_or(end);
    text[..end].trim_end().len().max(one)
}

/// The pieces, each with its own paint, so that a pager may show any of them alone.
fn repainted(pieces: &[String]) -> Vec<String> {
    let mut open: Option<char> = None;
    let repaint = |piece: &String| {
        let mut text: String = open.into_iter().collect();
        text.push_str(piece);
        for mark in piece.chars().filter(|c| is_mark(*c)) {
            open = (mark != END).then_some(mark);
        }
        text.extend(open.map(|_| END));
        text
    };
    pieces.iter().map(repaint).collect()
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

    fn plain(text: &str, columns: usize) -> String {
        unpainted(&wrapped(text, columns))
    }

    #[test]
    fn a_line_is_broken_between_words_and_before_no_closing_mark() {
        assert_eq!(plain("他推门进来，灯灭了。\n", 10), "他推门进\n来，灯灭\n了。\n");
        assert_eq!(plain("see the chapter-001.md now", 14), "see the\nchapter-001.md\nnow");
        assert_eq!(plain("吧 21%, 的\u{a0}7%", 11), "吧 21%,\n的\u{a0}7%");
        assert_eq!(plain("他说：“你来得正好，”又笑", 7), "他说：\n“你来得\n正好，”\n又笑");
        assert_eq!(plain("一二三四 · 五六", 9), "一二三\n四 · 五六");
        assert_eq!(plain("short", UNLIMITED), "short");
    }

    #[test]
    fn a_command_stays_whole_where_it_fits() {
        assert_eq!(
            plain("要撤销全部，请运行 `novel undo 2`，再看看", 24),
            "要撤销全部，请运行\n`novel undo 2`，再看看"
        );
        assert_eq!(plain("正文改过，已过时：novel rebuild", 28), "正文改过，已过时：\nnovel rebuild");
        assert_eq!(plain("`a command of many words`", 12), "`a command\nof many\nwords`");
    }

    #[test]
    fn a_line_goes_on_under_its_content() {
        let error = format!("{}第一章和第二章都没有写\n", paint(ALARM, "错误："));
        assert_eq!(plain(&error, 20), "错误：第一章和第二章\n      都没有写\n");
        assert_eq!(
            plain("  过时  第 1 章的正文改过，摘要已过时", 26),
            "  过时  第 1 章的正文改\n        过，摘要已过时"
        );
        assert_eq!(plain("  1. 一二三四五六七八", 16), "  1. 一二三四五\n     六七八");
        assert_eq!(plain("    一二三四五六七八", 14), "    一二三四五\n    六七八");
    }

    #[test]
    fn a_word_that_is_wider_than_the_terminal_is_left_whole_and_cut_in_a_table() {
        let path = "chapters/vol-01/chapter-001.md";
        assert_eq!(plain(&format!("看 {path}"), 20), format!("看\n{path}"));
        assert_eq!(pieces(path, 12), ["chapters/", "vol-01/", "chapter-001.", "md"]);
    }

    #[test]
    fn every_line_has_its_own_paint() {
        let text = wrapped(&paint(ALARM, "一二三四"), 4);
        assert_eq!(text, format!("{}\n{}", paint(ALARM, "一二"), paint(ALARM, "三四")));
    }

    proptest! {
        #[test]
        fn nothing_is_lost_and_no_line_is_too_wide(
            text in "([一-龥]{1,8}[，。]?|[a-z0-9]{1,9}| `[a-z]{1,5} [a-z]{1,5}`[，。 ]|（[一-龥]{1,3}）| |\n){0,20}",
            columns in 24usize..60,
        ) {
            let found = plain(&text, columns);
            let solid = |text: &str| text.replace([' ', '\n'], "");
            prop_assert_eq!(solid(&found), solid(&text));
            for line in found.lines() {
                let is_one_word = line.trim_start().chars().all(|c| columns_of(c) == 1 && c != ' ');
                prop_assert!(width(line) <= columns || is_one_word, "{} columns: {line:?}", width(line));
                prop_assert!(!line.trim_start().starts_with(['，', '。', '）']), "{line:?}");
            }
        }

        #[test]
        fn the_cells_of_a_table_fit(text in "\\PC{0,60}", columns in 4usize..30) {
            for piece in pieces(&text, columns) {
                prop_assert!(width(&piece) <= columns, "{piece:?}");
            }
        }
    }
}
