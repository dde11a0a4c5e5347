//! Columns that stay straight with Han characters in them.

use super::style::{self, paint};
pub use crate::report::style::{UNLIMITED, width};
use anstyle::Style;

/// Cuts the text to at most `columns`, with `…` for the rest. Control characters become spaces, so that a line stays
/// one line and a title cannot steer the terminal.
pub fn clip(text: &str, columns: usize) -> String {
    let text: String = text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
    if width(&text) <= columns {
        return text;
    }
    if columns == 0 {
        return String::new();
    }
    format!("{}…", &text[..text_before(&text, columns)])
}

/// The end of the longest beginning of `text` that takes less than `columns`. The width of a sequence (an emoji) is not
/// the sum of its characters', so sequences are measured as a whole, from the last character that joins nothing before:
/// measuring from the start of a long text is slow.
fn text_before(text: &str, columns: usize) -> usize {
    let joins_nothing = |c: char| c.is_ascii_alphabetic() || ('\u{4e00}'..='\u{9fff}').contains(&c);
    let (mut end, mut before, mut sequence) = (0, 0, 0);
    for (at, c) in text.char_indices() {
        let taken = before + width(&text[sequence..at]);
        if taken >= columns {
            break;
        }
        if joins_nothing(c) {
            (before, sequence) = (taken, at);
        }
        end = at;
    }
    end
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Align {
    /// Words.
    Left,
    /// Figures.
    Right,
}

/// Texts that do not fit their column.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Overflow {
    /// They end with `…`.
    Clipped,
    /// They go on in the column below.
    Continued,
}

/// A cell: plain text with its style. The text is measured without paint.
#[derive(Debug, Clone, PartialEq)]
pub struct Cell {
    text: String,
    style: Style,
}

impl Cell {
    pub fn painted(style: Style, text: impl Into<String>) -> Self {
        Self { text: text.into(), style }
    }
}

impl<T: Into<String>> From<T> for Cell {
    fn from(text: T) -> Self {
        Self { text: text.into(), style: Style::new() }
    }
}

/// A table without rules, no wider than the terminal. The flexible column gives way first. On a narrower terminal
/// dispensable columns are left out, and then other columns of words give way. A long text goes on below.
#[derive(Debug, Clone, PartialEq)]
pub struct Table {
    columns: Vec<(String, Align)>,
    flexible: usize,
    /// The columns that may be left out, in order, and the least width of the flexible column before.
    dispensable: (usize, Vec<usize>),
    overflow: Overflow,
    /// The column that shares the room of the flexible one.
    beside: Option<usize>,
    indent: usize,
    rows: Vec<Vec<Cell>>,
}

const GAP: usize = 2;
/// Indentation of continued text in the first column.
const HANG: usize = 2;
/// The least width of the flexible column.
const NARROWEST: usize = 8;

impl Table {
    /// An empty table. `aligns` has a letter for each column: `l` for words, `r` for figures. `flexible` is the index of the
    /// column that gives way first.
    pub fn new<'h>(headings: impl IntoIterator<Item = &'h str>, aligns: &str, flexible: usize) -> Self {
        let headings = headings.into_iter().map(str::to_owned).chain(std::iter::repeat(String::new()));
        let columns = headings.zip(aligns.chars().map(|letter| if letter == 'r' { Align::Right } else { Align::Left }));
        Self {
            columns: columns.collect(),
            flexible,
            dispensable: (NARROWEST, Vec::new()),
            overflow: Overflow::Continued,
            beside: None,
            indent: 0,
            rows: Vec::new(),
        }
    }

    /// An empty table without a heading line.
    pub fn bare(aligns: &str, flexible: usize) -> Self {
        Self::new([], aligns, flexible)
    }

    /// Leaves out the columns of `dispensable` in that order as long as the flexible column has less than it needs and
    /// less than `room`.
    #[must_use]
    pub fn yielding(self, room: usize, dispensable: impl IntoIterator<Item = usize>) -> Self {
        Self { dispensable: (room, dispensable.into_iter().collect()), ..self }
    }

    /// Clips long texts, for those that another command shows in full.
    #[must_use]
    pub fn clipped(self) -> Self {
        Self { overflow: Overflow::Clipped, ..self }
    }

    /// Lets the column `beside` give way like the flexible one, for two texts that are compared.
    #[must_use]
    pub fn sharing(self, beside: usize) -> Self {
        Self { beside: Some(beside), ..self }
    }

    /// Moves the table `indent` columns to the right.
    #[must_use]
    pub fn indented(self, indent: usize) -> Self {
        Self { indent, ..self }
    }

    /// Adds a row. Missing cells are empty; cells beyond the headings are not shown.
    pub fn row(&mut self, cells: impl IntoIterator<Item = Cell>) {
        self.rows.push(cells.into_iter().collect());
    }

    /// The lines of the table, without trailing spaces.
    pub fn text(&self, columns: usize) -> String {
        let widths = self.fitted(columns);
        let mut out = String::new();
        if self.columns.iter().any(|(heading, _)| !heading.is_empty()) {
            let heading: Vec<Cell> = self.columns.iter().map(|(h, _)| Cell::painted(style::DIM, h.as_str())).collect();
            for row in self.continued_heading(&heading, &widths) {
                self.line(&mut out, &row, &widths);
            }
        }
        for row in &self.rows {
            match self.overflow {
                Overflow::Clipped => self.line(&mut out, row, &widths),
                Overflow::Continued => {
                    for row in self.continued(row, &widths) {
                        self.line(&mut out, &row, &widths);
                    }
                }
            }
        }
        out
    }

    /// The lines of the heading: in a narrow column a heading of several words goes on below.
    fn continued_heading(&self, heading: &[Cell], widths: &[Option<usize>]) -> Vec<Vec<Cell>> {
        match self.overflow {
            Overflow::Clipped => vec![heading.to_vec()],
            Overflow::Continued => Self::stacked(heading, |at, cell| {
                let room = widths.get(at).copied().flatten().unwrap_or(UNLIMITED);
                style::pieces(&cell.text, room)
            }),
        }
    }

    /// The rows that a row takes with its texts going on below. The first column is then indented, so that a
    /// continuation does not look like a row.
    fn continued(&self, row: &[Cell], widths: &[Option<usize>]) -> Vec<Vec<Cell>> {
        Self::stacked(row, |at, cell| match (self.columns.get(at), widths.get(at)) {
            (Some((_, Align::Left)), Some(Some(room))) => {
                // A control character becomes a space here, because it would end the line.
                let text = clip(&cell.text, UNLIMITED);
                let hang = if at == 0 && self.columns.len() > 1 && *room > NARROWEST { HANG } else { 0 };
                let mut pieces = style::pieces_under(&text, *room, *room - hang);
                pieces.iter_mut().skip(1).for_each(|piece| piece.insert_str(0, &" ".repeat(hang)));
                pieces
            }
            _ => vec![cell.text.clone()],
        })
    }

    /// The pieces of a row's cells below each other.
    fn stacked(row: &[Cell], pieces: impl Fn(usize, &Cell) -> Vec<String>) -> Vec<Vec<Cell>> {
        let pieces = |(at, cell): (usize, &Cell)| -> Vec<Cell> {
            pieces(at, cell).into_iter().map(|text| Cell { text, style: cell.style }).collect()
        };
        let cells: Vec<Vec<Cell>> = row.iter().enumerate().map(pieces).collect();
        let rows = cells.iter().map(Vec::len).max().unwrap_or(1).max(1);
        let row = |n: usize| cells.iter().map(|cell| cell.get(n).cloned().unwrap_or_else(|| Cell::from(""))).collect();
        (0..rows).map(row).collect()
    }

    /// The width of each column on a terminal of `columns`; `None` for one left out.
    fn fitted(&self, columns: usize) -> Vec<Option<usize>> {
        let mut widths = self.natural(width);
        let is_whole =
            widths.get(self.flexible).copied().flatten().is_none_or(|wanted| self.room(&widths, columns) >= wanted);
        if !is_whole && self.overflow == Overflow::Continued {
            // Headings of several words are broken first.
            widths = self.natural(|heading| heading.split(' ').map(width).max().unwrap_or(0));
        }
        if let Some(beside) = self.beside {
            return self.halved(widths, beside, columns);
        }

        let Some(wanted) = widths.get(self.flexible).copied().flatten() else { return widths };
        let (room, dispensable) = &self.dispensable;
        for &column in dispensable {
            if self.room(&widths, columns) >= wanted.min(*room) {
                break;
            }
            widths[column] = None;
        }
        // Columns of words give way together, the widest first; a cut figure would be another figure.
        while self.taken(&widths, wanted) + wanted.min(NARROWEST) > columns {
            let is_wordy =
                |(at, _): &(usize, &mut Option<usize>)| *at != self.flexible && self.columns[*at].1 == Align::Left;
            let others = widths.iter_mut().enumerate().filter(is_wordy).filter_map(|(_, width)| width.as_mut());
            match others.max_by_key(|width| **width).filter(|width| **width > NARROWEST) {
                Some(widest) => *widest -= 1,
                None => break,
            }
        }
        widths[self.flexible] = Some(wanted.min(self.room(&widths, columns).max(NARROWEST)));
        widths
    }

    /// The width of each column by its texts and by its heading's needs.
    fn natural(&self, heading: impl Fn(&str) -> usize) -> Vec<Option<usize>> {
        let mut widths: Vec<Option<usize>> = self.columns.iter().map(|(text, _)| Some(heading(text))).collect();
        for row in &self.rows {
            for (cell, widest) in row.iter().zip(&mut widths) {
                *widest = (*widest).max(Some(width(&clip(&cell.text, UNLIMITED))));
            }
        }
        widths
    }

    /// The widths where two columns share the remaining room.
    fn halved(&self, mut widths: Vec<Option<usize>>, beside: usize, columns: usize) -> Vec<Option<usize>> {
        let both = [self.flexible, beside];
        loop {
            let taken = self.indent + widths.iter().flatten().map(|width| width + GAP).sum::<usize>();
            let widest = both.into_iter().max_by_key(|at| widths[*at]).and_then(|at| widths[at].as_mut());
            match widest.filter(|width| taken.saturating_sub(GAP) > columns && **width > NARROWEST) {
                Some(widest) => *widest -= 1,
                None => return widths,
            }
        }
    }

    /// The room for the flexible column.
    fn room(&self, widths: &[Option<usize>], columns: usize) -> usize {
        columns.saturating_sub(self.taken(widths, 1))
    }

    /// The columns that the others take, with the gap before a non-empty flexible column.
    fn taken(&self, widths: &[Option<usize>], flexible: usize) -> usize {
        let others = widths.iter().enumerate().filter(|(at, _)| *at != self.flexible).filter_map(|(_, width)| *width);
        let taken = self.indent + others.map(|width| width + GAP).sum::<usize>();
        if flexible == 0 { taken.saturating_sub(GAP) } else { taken }
    }

    fn line(&self, out: &mut String, row: &[Cell], widths: &[Option<usize>]) {
        let mut line = " ".repeat(self.indent);
        let mut owed = 0;
        for (at, (&column, (_, align))) in widths.iter().zip(&self.columns).enumerate() {
            let Some(column) = column else { continue };
            let empty = Cell::from("");
            let cell = row.get(at).unwrap_or(&empty);
            let text = clip(&cell.text, column);
            let free = column - width(&text);
            let (before, after) = if *align == Align::Right { (free, 0) } else { (0, free) };
            if !text.is_empty() {
                line.push_str(&" ".repeat(owed + before));
                line.push_str(&if cell.style == Style::new() { text } else { paint(cell.style, &text) });
                owed = after + GAP;
            } else {
                owed += column + GAP;
            }
        }
        out.push_str(&line);
        out.push('\n');
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn han_characters_take_two_columns() {
        let mut table = Table::new(["章", "标题", "字数"], "llr", 1);
        table.row(["ch-048".into(), "密信".into(), "3,120".into()]);
        table.row(["ch-049".into(), "A letter".into(), "980".into()]);
        let text = style::render(&table.text(80), style::Colour::Off);
        assert_eq!(text, "章      标题       字数\nch-048  密信      3,120\nch-049  A letter    980\n");
    }

    #[test]
    fn the_flexible_column_gives_way_and_control_characters_are_harmless() {
        let mut table = Table::bare("ll", 1).clipped();
        table.row(["id".into(), "一二三四五六七八九十".into()]);
        assert_eq!(table.text(14), "id  一二三四…\n");
        assert_eq!(clip("a\x1b[31m\nb", UNLIMITED), "a [31m b");
        assert_eq!(clip("一二三", 0), "");
    }

    #[test]
    fn columns_that_the_reader_can_do_without_are_left_out_before_the_flexible_one_gets_too_narrow() {
        let mut table = Table::new(["id", "text", "n"], "llr", 1).yielding(8, [2]).clipped();
        table.row(["a".into(), "一二三四五六".into(), "1,000".into()]);
        assert_eq!(style::render(&table.text(19), style::Colour::Off), "id  text          n\na   一二三…   1,000\n");
        assert_eq!(style::render(&table.text(18), style::Colour::Off), "id  text\na   一二三四五六\n");
    }

    #[test]
    fn other_columns_of_words_give_way_where_the_flexible_one_is_empty() {
        let mut table = Table::bare("lrl", 2);
        table.row(["一二三四五六七八九十".into(), "1,741".into(), "".into()]);
        assert_eq!(table.text(20), "一二三四五六   1,741\n  七八九十\n");
        assert_eq!(table.text(27), "一二三四五六七八九十  1,741\n");
    }

    #[test]
    fn two_texts_that_are_compared_share_the_room() {
        let mut table = Table::new(["", "ours", "theirs"], "lll", 1).sharing(2);
        table.row(["a".into(), "一二三四五六七八".into(), "九十甲乙丙丁".into()]);
        let text = "   ours       theirs\na  一二三四   九十甲乙\n   五六七八   丙丁\n";
        assert_eq!(style::render(&table.text(22), style::Colour::Off), text);
        assert!(table.text(UNLIMITED).contains("一二三四五六七八  九十甲乙丙丁"));
    }

    #[test]
    fn headings_go_on_below_and_the_rest_of_a_first_column_is_indented() {
        let mut table = Table::new(["", "not checked", "end"], "lrl", 0);
        table.row(["chapters that follow all".into(), "3".into(), "met".into()]);
        let text =
            "                  not  end\n              checked\nchapters            3  met\n  that\n  follow all\n";
        assert_eq!(style::render(&table.text(26), style::Colour::Off), text);
    }

    #[test]
    fn a_long_text_may_go_on_in_its_column() {
        let mut table = Table::bare("ll", 1).indented(2);
        table.row(["ch-004".into(), "他推门进来，灯灭了。".into()]);
        table.row(["ch-005".into(), "see `novel show` for it".into()]);
        let text = "  ch-004  他推门进\n          来，灯灭\n          了。\n  ch-005  see\n          `novel\n          show` for\n          it\n";
        assert_eq!(table.text(19), text);
    }

    proptest! {
        #[test]
        fn no_row_is_wider_than_a_terminal_that_has_room_for_the_figures(
            rows in prop::collection::vec(("\\PC{0,30}", "[一-龥a-z]{0,30}", "[0-9,]{1,9}", "\\PC{0,40}"), 1..5),
            flexible in 0usize..4,
            columns in 45usize..130,
            dispensable in prop::collection::vec(0usize..4, 0..3),
        ) {
            let dispensable: Vec<usize> = dispensable.into_iter().filter(|column| *column != flexible).collect();
            let mut table = Table::new(["一", "two", "三", "four"], "llrl", flexible);
            table = table.indented(2).yielding(16, dispensable);
            for (a, b, c, d) in rows {
                table.row([a.into(), b.into(), c.into(), d.into()]);
            }
            for line in style::render(&table.text(columns), style::Colour::Off).lines() {
                prop_assert!(width(line) <= columns, "{} columns: {line:?}", width(line));
            }
        }

        #[test]
        fn clipped_text_fits(text in "\\PC{0,20}", columns in 0usize..20) {
            prop_assert!(width(&clip(&text, columns)) <= columns);
        }

        #[test]
        fn text_is_cut_where_its_width_as_a_whole_is_reached(
            text in "([雨a1#\u{301}\u{fe0f}\u{20e3}\u{200d}\u{338}]|👨|👩|🇨|🏽|لا|\\PC){0,24}",
            columns in 1usize..20,
        ) {
            let fits = |end: &usize| width(&text[..*end]) < columns;
            let end = text.char_indices().map(|(at, _)| at).take_while(fits).last().unwrap_or(0);
            prop_assert_eq!(text_before(&text, columns), end);
        }
    }
}
