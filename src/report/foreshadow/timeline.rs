//! The chart of spans: a row per foreshadowing, a column per chapter, or per several chapters on a narrow terminal.

use super::ThreadEntry;
use crate::domain::volume::foreshadowing::Action;
use crate::domain::volume::inventory::Standing;
use crate::report::prelude::*;
use crate::report::table::{UNLIMITED, clip, width};

/// The width for output to a file or a pipe.
const PIPED: usize = 100;
/// The widest column of ids.
const MAX_LABEL: usize = 20;
/// The most columns per chapter.
const MAX_COLUMNS: usize = 4;
/// The least width of a chart.
const NARROWEST: usize = 20;
/// Possible distances of the axis's numbers, in chapters.
const STEPS: [u32; 10] = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000];

/// Signs of a row, in order of precedence from the lowest: open, due, the present chapter, planted, advanced, resolved.
const OPEN: char = '-';
const WINDOW: char = '=';
const PRESENT: char = '|';
const MORE: char = '>';

/// The last chapters of the book and of its plan; 0 for none.
#[derive(Clone, Copy)]
pub(super) struct Ends {
    pub(super) last_completed: u32,
    pub(super) planned_until: u32,
}

struct Axis {
    first: u32,
    end: u32,
    columns: usize,
}

impl Axis {
    fn of(rows: &[&ThreadEntry], ends: Ends, columns: usize) -> Self {
        let steps = rows.iter().flat_map(|row| row.history.iter().chain(&row.ahead)).map(|step| step.chapter.get());
        let first = steps.clone().min().unwrap_or(1);
        let base = steps.max().unwrap_or(1).max(ends.last_completed).max(ends.planned_until);
        let windows = rows.iter().filter_map(|row| row.window).map(|(_, to)| to);
        // A date far ahead would leave no room for near ones.
        let end = base.max(windows.max().unwrap_or(0).min(base.saturating_add(base / 2)));
        let chapters = (end - first + 1) as usize;
        // Equally many columns for each chapter, or fewer columns than chapters.
        let columns = if columns < chapters { columns } else { chapters * (columns / chapters).min(MAX_COLUMNS) };
        Self { first, end, columns }
    }

    /// The first column of a chapter; `None` outside the chart.
    fn column(&self, chapter: u32) -> Option<usize> {
        let at = chapter.checked_sub(self.first).filter(|_| chapter <= self.end)?;
        Some(at as usize * self.columns / (self.end - self.first + 1) as usize)
    }

    /// The columns of a range of chapters, as far as they are in the chart.
    fn columns(&self, from: u32, to: u32) -> std::ops::Range<usize> {
        match (self.column(from.max(self.first)), self.column(to.min(self.end))) {
            (Some(from), Some(last)) if from <= last => {
                let end = self.column(to.saturating_add(1)).filter(|_| to < self.end).unwrap_or(self.columns);
                from..end.max(last + 1)
            }
            _ => 0..0,
        }
    }

    /// Chapter numbers, each beginning at its column.
    fn numbers(&self) -> String {
        let per_column = f64::from(self.end - self.first + 1) / self.columns as f64;
        let widest = self.end.to_string().len() + 2;
        let step = STEPS.into_iter().find(|step| f64::from(*step) / per_column >= widest as f64).unwrap_or(1000);
        let mut line = String::new();
        let ticks = (self.first..=self.end).filter(|n| *n == self.first || n % step == 0);
        for (chapter, column) in ticks.filter_map(|n| Some((n, self.column(n)?))) {
            if line.is_empty() || column > line.len() {
                line.push_str(&" ".repeat(column - line.len()));
                line.push_str(&chapter.to_string());
            }
        }
        line
    }
}

pub(super) fn chart(rows: &[&ThreadEntry], ends: Ends, lang: Lang, columns: usize) -> String {
    let columns = if columns == UNLIMITED { PIPED } else { columns };
    let label = rows.iter().map(|row| width(&row.id)).max().unwrap_or(0).min(MAX_LABEL);
    let axis = Axis::of(rows, ends, columns.saturating_sub(label + 2).max(NARROWEST));
    let mut out = format!("{}  {}\n", " ".repeat(label), paint(DIM, &axis.numbers()));
    for row in rows {
        let id = clip(&row.id, label);
        let pad = " ".repeat(label - width(&id) + 2);
        out.push_str(&format!("{}{pad}{}\n", paint(STRONG, &id), line(row, &axis, ends.last_completed).trim_end()));
    }
    let present = match ChapterNo::new(ends.last_completed) {
        Some(last) => say!(lang, is_last_completed_one_to_its(last)),
        None => say!(lang, no_chapter_is_written_all_of).to_owned(),
    };
    out + &format!("{}\n", paint(DIM, &say!(lang, o_planted_advanced_x_resolved_window(present))))
}

fn line(row: &ThreadEntry, axis: &Axis, last_completed: u32) -> String {
    let mut cells = vec![' '; axis.columns];
    let mut fill = |columns: std::ops::Range<usize>, sign: char| cells[columns].fill(sign);
    let steps = || row.history.iter().chain(&row.ahead);
    let begin = steps().map(|step| step.chapter.get()).min();
    let resolved = steps().rev().find(|step| step.action == Action::Resolved).map(|step| step.chapter.get());
    if let Some(begin) = begin {
        let touched = steps().map(|step| step.chapter.get()).max().unwrap_or(begin);
        let is_open = row.standing != Standing::Planned && row.standing != Standing::Resolved;
        let end = resolved.unwrap_or(if is_open { touched.max(last_completed) } else { touched });
        fill(axis.columns(begin, end), OPEN);
    }
    if let Some((from, to)) = row.window {
        fill(axis.columns(from, to), WINDOW);
        if to > axis.end && row.standing != Standing::Resolved {
            fill(axis.columns - 1..axis.columns, MORE);
        }
    }
    if let Some(at) = axis.column(last_completed) {
        fill(at..at + 1, PRESENT);
    }
    for (action, sign) in [(Action::Advanced, '+'), (Action::Planted, 'o'), (Action::Resolved, 'x')] {
        for at in steps().filter(|step| step.action == action).filter_map(|step| axis.column(step.chapter.get())) {
            fill(at..at + 1, sign);
        }
    }
    cells.into_iter().collect()
}

#[cfg(test)]
mod tests {
    use super::super::StepEntry;
    use super::*;
    use crate::domain::volume::foreshadowing::Scope;

    fn row(id: &str, window: Option<(u32, u32)>, history: &[(u32, Action)], ahead: &[(u32, Action)]) -> ThreadEntry {
        let steps = |steps: &[(u32, Action)]| -> Vec<StepEntry> {
            let step = |(at, action): &(u32, Action)| {
                let chapter = ChapterNo::new(*at).unwrap();
                StepEntry { chapter, action: *action, detail: String::new(), commit: None, sentence: None }
            };
            steps.iter().map(step).collect()
        };
        ThreadEntry {
            id: id.to_owned(),
            description: String::new(),
            scope: Scope::Short,
            core: false,
            storyline: String::new(),
            standing: if history.is_empty() { Standing::Planned } else { Standing::Planted },
            neglected: None,
            planted: None,
            last_touched: None,
            window,
            history: steps(history),
            ahead: steps(ahead),
        }
    }

    use Action::{Advanced, Planted, Resolved};

    #[test]
    fn a_chart_has_a_column_a_chapter_where_there_is_room() {
        let rows = [
            row("letter", Some((15, 20)), &[(3, Planted), (9, Advanced)], &[(16, Resolved)]),
            row("umbrella", Some((10, 90)), &[(1, Planted)], &[]),
            row("lamp", None, &[], &[(18, Planted)]),
        ];
        let rows: Vec<&ThreadEntry> = rows.iter().collect();
        let ends = Ends { last_completed: 12, planned_until: 24 };
        let text = crate::report::style::unpainted(&chart(&rows, ends, Lang::En, 80));
        let wanted = [
            "          1   5    10   15   20   25   30   35",
            "letter      o-----+--|--=x====",
            "umbrella  o--------==|=======================>",
            "lamp                 |     o",
            "o planted  + advanced  x resolved  = window  > window continues  - open  | ch-012 is the last written chapter; everything to its right is planned",
        ];
        assert_eq!(text.lines().collect::<Vec<_>>(), wanted);
        let narrow = crate::report::style::unpainted(&chart(&rows, ends, Lang::Zh, 32));
        assert!(narrow.contains("\nletter     o--+-|-=x==\n"), "{narrow}");
        assert!(narrow.lines().take(4).all(|line| width(line) <= 32), "{narrow}");
    }
}
