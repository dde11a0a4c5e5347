//! The book's own figures: the answer of `novel metrics`.

use crate::domain::Slug;
use crate::domain::chapter::Gate;
use crate::domain::metrics::{BookRecords, DimensionScores, Figure, Measure, Meeting, StyleLevel, Target, ThreadFate};
use crate::pipeline::checks::metrics::Context;
use crate::report::prelude::*;
use crate::report::quality::beside_human;
use serde::Serializer;

#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct MetricsReport {
    /// May be empty.
    pub title: String,
    /// `None` for the whole book.
    pub volume: Option<u32>,
    pub chapters: usize,
    /// `None` when those of a chapter are unknown.
    pub words: Option<u64>,
    pub figures: Vec<MetricRow>,
    pub dimensions: Vec<DimensionScores>,
    pub style: Vec<StyleLevel>,
    /// The number of chapters by the gate's decision that accepted them.
    #[serde(serialize_with = "by_name")]
    pub gates: BTreeMap<Gate, usize>,
    pub contexts: Vec<Context>,
    pub foreshadowing: Vec<ThreadFate>,
    /// The ids of overdue foreshadowings.
    pub overdue: Vec<String>,
    pub convergences: Vec<Meeting>,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct MetricRow {
    pub name: Measure,
    /// `None` when unknown.
    pub value: Option<f64>,
    /// The number of chapters, checks, foreshadowings or meetings behind the value.
    pub over: usize,
    /// The number missing from `over` because the judge has not read or answered.
    pub not_checked: usize,
    /// For example `>= 3.5`.
    pub target: Option<String>,
    pub met: Option<bool>,
}

fn by_name<S: Serializer>(gates: &BTreeMap<Gate, usize>, to: S) -> Result<S::Ok, S::Error> {
    to.collect_map(gates.iter().map(|(gate, count)| (gate.as_str(), count)))
}

/// Foreshadowings and crossovers listed in brief.
const LISTED: usize = 20;

impl MetricsReport {
    pub fn of(title: String, record: &BookRecords, contexts: Vec<Context>) -> Self {
        let row = |figure: &Figure| MetricRow {
            name: figure.measure,
            value: figure.value.map(|value| (value * 10_000.0).round() / 10_000.0),
            over: figure.over,
            not_checked: figure.not_checked,
            target: figure.measure.target().map(|target| format!("{} {}", sign(target, true), target.bound())),
            met: figure.is_met(),
        };
        Self {
            title,
            volume: record.volume.map(|volume| volume.get()),
            chapters: record.chapters.len(),
            words: record.words(),
            figures: record.figures().iter().map(row).collect(),
            dimensions: record.dimensions(),
            style: record.style(),
            gates: record.gates(),
            contexts,
            foreshadowing: record.fates(),
            overdue: record.overdue().map(Slug::to_string).collect(),
            convergences: record.meetings(),
        }
    }

    /// A table of the figures, then their sources.
    pub fn text(&self, lang: Lang, columns: usize, extent: Extent) -> String {
        let mut out = self.heading(lang);
        // The last column is only there where something is missing.
        let open = self.figures.iter().any(|row| row.not_checked > 0);
        let aligns = if open { "lrrlrr" } else { "lrrlr" };
        let mut table = Table::new(say!(lang, metrics_columns).split('|'), aligns, 0).yielding(24, [4, 5]);
        for row in &self.figures {
            let wanted = row.name.target().map(|target| {
                let bound = shown(row.name, target.bound(), lang);
                // No share exceeds the whole.
                match is_share(row.name) && target.bound() >= 1.0 {
                    true => bound,
                    false => format!("{} {bound}", sign(target, false)),
                }
            });
            let count = |n: usize| if n > 0 { figures::count(n as u64) } else { String::new() };
            let value = match row.value {
                Some(value) => shown(row.name, value, lang),
                None if row.not_checked > 0 && matches!(row.name, Measure::Score | Measure::Style) => {
                    say!(lang, metrics_not_read).to_owned()
                }
                None if row.not_checked > 0 => say!(lang, metrics_not_checked).to_owned(),
                None => unknown(lang).to_owned(),
            };
            let cells = [
                row.name.say(lang).into(),
                value.into(),
                Cell::painted(DIM, wanted.unwrap_or_default()),
                mark(row.met, lang),
                Cell::painted(DIM, count(row.over)),
            ];
            table.row(cells.into_iter().chain(open.then(|| Cell::painted(WARN, count(row.not_checked)))));
        }
        for context in &self.contexts {
            let chapter = context.chapter;
            let tokens = context.tokens.map_or_else(|| unknown(lang).to_owned(), |n| figures::count(n.into()));
            let limit = context.limit.map_or_else(String::new, |n| format!("≤ {}", figures::count(n.into())));
            let name = say!(lang, writers_context_at(chapter));
            table.row([name.into(), tokens.into(), Cell::painted(DIM, limit), mark(context.met, lang)]);
        }
        out.push_str(&table.text(columns));
        out.push_str(&self.by_dimension(lang, columns));
        out.push_str(&self.style_panel(lang, columns));
        out.push_str(&self.gates_in_words(lang));
        out.push_str(&self.threads(lang, columns, extent));
        out.push_str(&self.meetings(lang, columns, extent));
        out
    }

    fn heading(&self, lang: Lang) -> String {
        let title = if self.title.is_empty() { say!(lang, untitled) } else { &self.title };
        let part = self.volume.map_or_else(String::new, |volume| say!(lang, metrics_volume(volume)));
        let n = self.chapters;
        let words = self.words.map_or_else(|| unknown(lang).to_owned(), figures::count);
        say!(lang, metrics_words(title = paint(STRONG, &say!(lang, metrics_title(title))), part, words, n))
    }

    /// The scores by dimension, with a remark on a judge who gives all chapters one score.
    fn by_dimension(&self, lang: Lang, columns: usize) -> String {
        if self.dimensions.is_empty() {
            return String::new();
        }
        let mut table = Table::new(say!(lang, metrics_score_columns).split('|'), "lrrl", 0).indented(2);
        for row in &self.dimensions {
            let flat = if row.flat { say!(lang, same_for_every_chapter) } else { "" };
            table.row([
                row.name.say(lang).into(),
                figures::score(row.mean).into(),
                format!("{:.2}", row.spread).into(),
                Cell::painted(WARN, flat),
            ]);
        }
        let advice = match self.dimensions.iter().filter(|row| row.flat).count() {
            0 => String::new(),
            n if n == self.dimensions.len() => say!(lang, this_judge_does_not_judge_try).to_owned(),
            _ => say!(lang, judge_does_not_tell_chapters_apart).to_owned(),
        };
        format!("\n{}{advice}", table.text(columns))
    }

    /// The style beside that of books by people.
    fn style_panel(&self, lang: Lang, columns: usize) -> String {
        if self.style.is_empty() {
            return String::new();
        }
        let mut table = Table::new(say!(lang, metrics_style_columns).split('|'), "lrrlr", 0).indented(2);
        for row in &self.style {
            let shown = |value: f64| row.name.shown(value);
            let human = row.human.map(|(low, high)| format!("{}–{}", shown(low), shown(high)));
            table.row([
                row.name.say(lang).into(),
                shown(row.mean).into(),
                shown(row.last).into(),
                beside_human(row.last, row.human, lang),
                Cell::painted(DIM, human.unwrap_or_default()),
            ]);
        }
        format!("\n{}", table.text(columns))
    }

    fn gates_in_words(&self, lang: Lang) -> String {
        if self.gates.is_empty() {
            return String::new();
        }
        let all: usize = self.gates.values().sum();
        let one = |(gate, count): (&Gate, &usize)| {
            say!(lang, gate_share(name = gate.say(lang), count, share = figures::share(*count as u64, all as u64)))
        };
        say!(lang, gate(list = self.gates.iter().map(one).collect::<Vec<_>>().join(say!(lang, clause_comma))))
    }

    fn threads(&self, lang: Lang, columns: usize, extent: Extent) -> String {
        if self.foreshadowing.is_empty() {
            return String::new();
        }
        let mut out = format!("\n{}\n", paint(STRONG, say!(lang, planned_foreshadowings)));
        let mut table = Table::new(say!(lang, metrics_thread_columns).split('|'), "llll", 0).indented(2);
        // Resolved ones are settled, and coming ones say nothing yet.
        let is_open = |fate: &ThreadFate| fate.resolved.is_none() && (fate.planted.is_some() || fate.missed);
        let (shown, others) = extent.of_rows(&self.foreshadowing, LISTED, |fate| (is_open(fate), fate.volume));
        for fate in shown {
            let due =
                fate.due.map_or_else(String::new, |(from, to)| say!(lang, due_in(range = figures::range(from, to))));
            let planted = match fate.planted {
                Some(chapter) => chapter.to_string(),
                None if fate.missed => say!(lang, not_planted).to_owned(),
                None => say!(lang, ahead).to_owned(),
            };
            let became = match fate.resolved {
                Some(chapter) => Cell::painted(GOOD, chapter.to_string()),
                None if fate.overdue => Cell::painted(BAD, say!(lang, metrics_overdue)),
                None if fate.missed => Cell::painted(WARN, ""),
                None => Cell::from(if fate.planted.is_some() { say!(lang, metrics_open) } else { "" }),
            };
            table.row([fate.id.as_str().into(), planted.into(), became, Cell::painted(DIM, due)]);
        }
        out.push_str(&table.text(columns));
        out.push_str(&not_listed(others, lang));
        out
    }

    fn meetings(&self, lang: Lang, columns: usize, extent: Extent) -> String {
        if self.convergences.is_empty() {
            return String::new();
        }
        let mut out = format!("\n{}\n", paint(STRONG, say!(lang, planned_meetings_of_lines)));
        let mut table = Table::bare("lll", 2).indented(2);
        let (shown, others) = extent.of_rows(&self.convergences, LISTED, |meeting| meeting.met == Some(false));
        for meeting in shown {
            let (from, to) = meeting.chapters;
            let became = match meeting.met {
                Some(true) => Cell::painted(GOOD, say!(lang, as_planned)),
                Some(false) => Cell::painted(BAD, say!(lang, metrics_hook_missed)),
                None => Cell::from(say!(lang, ahead)),
            };
            let range = figures::range(from, to);
            let chapters = say!(lang, metrics_chapters(range));
            table.row([chapters.into(), became, Cell::painted(DIM, listed(&meeting.lines, lang))]);
        }
        out.push_str(&table.text(columns));
        out.push_str(&not_listed(others, lang));
        out
    }
}

fn not_listed(others: usize, lang: Lang) -> String {
    if others == 0 {
        return String::new();
    }
    let (n, others) = (others, figures::count(others as u64));
    format!("  {}\n", paint(DIM, &say!(lang, metrics_not_listed(n, others))))
}

fn unknown(lang: Lang) -> &'static str {
    say!(lang, unknown)
}

fn sign(target: Target, plain: bool) -> &'static str {
    match target {
        Target::AtLeast(_) if plain => ">=",
        Target::AtMost(_) if plain => "<=",
        Target::AtLeast(_) => "≥",
        Target::AtMost(_) => "≤",
        Target::Above(_) => ">",
        Target::Below(_) => "<",
    }
}

fn mark(met: Option<bool>, lang: Lang) -> Cell {
    match met {
        Some(true) => Cell::painted(GOOD, say!(lang, met)),
        Some(false) => Cell::painted(BAD, say!(lang, metrics_target_missed)),
        None => Cell::from(""),
    }
}

/// A value in the unit of its figure.
fn shown(measure: Measure, value: f64, lang: Lang) -> String {
    match measure {
        Measure::Score | Measure::Style => figures::score(value),
        Measure::Cost => figures::money((value * 1e6).round() as u64, lang),
        _ if is_share(measure) => format!("{:.0}%", value * 100.0),
        _ => format!("{value:.1}"),
    }
}

fn is_share(measure: Measure) -> bool {
    use Measure::{Author, Cached, Chained, Compliance, Conduct, Convergence, Foreshadowing, Leaks};
    matches!(measure, Author | Cached | Chained | Compliance | Conduct | Convergence | Foreshadowing | Leaks)
}
