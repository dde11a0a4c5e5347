//! The quality brief: the answer of `novel review --quality`, and the line of a run.

use crate::domain::VolumeNo;
use crate::domain::chapter::summary::{OpenQuestion, PacingFlag};
use crate::domain::quality::{
    DriftFile, EdgeShape, OpenThread, Pattern, QualityBrief, StyleFigure, StyleMeasure, Worn, WornKind,
};
use crate::domain::state::cleanup::Leftover;
use crate::domain::volume::inventory::Standing;
use crate::pipeline::planning::review::Reviewed;
use crate::pipeline::quality::RecordedBrief;
use crate::report::journey::ReviewOpinion;
use crate::report::prelude::*;
use crate::store::format;
use serde_json::Value;

/// Chapters named per pattern.
const NAMED: usize = 6;
/// A figure stands out from so many deviations on.
const FAR: f64 = 3.0;

/// All briefs of a book, one of them in full.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct QualityReport {
    /// The oldest first.
    pub briefs: Vec<BriefSummary>,
    /// The requested brief, as in its file.
    pub brief: Value,
    /// The brief's chapters that have another text now.
    pub changed: Vec<ChapterNo>,
    #[serde(skip)]
    shown: QualityBrief,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct BriefSummary {
    pub first: ChapterNo,
    pub last: ChapterNo,
    /// The mean score; `None` when no model has judged the chapters.
    pub mean: Option<f64>,
    /// The mean of the five chapters before.
    pub mean_before: Option<f64>,
    /// Chapters that were revised, forced through, or decided by the author.
    pub helped: usize,
    pub violations: usize,
    /// True after a drift of the style.
    pub drifts: bool,
    pub corrections: DriftFile,
    /// Phrases added to the house list.
    pub listed: Vec<String>,
    #[serde(skip)]
    threads: Vec<OpenThread>,
}

impl BriefSummary {
    pub fn of(brief: &QualityBrief) -> Self {
        Self {
            first: brief.first,
            last: brief.last,
            mean: brief.mean().map(|mean| (mean * 100.0).round() / 100.0),
            mean_before: brief.mean_before,
            helped: brief.chapters.iter().filter(|chapter| chapter.needed_help()).count(),
            violations: brief.chapters.iter().map(|chapter| chapter.violations.len()).sum(),
            drifts: brief.drift.alarm,
            corrections: brief.drift.file,
            listed: brief.listed.clone(),
            threads: brief.threads.clone(),
        }
    }

    /// One line without its end.
    pub fn text(&self, lang: Lang) -> String {
        let (first, last) = (self.first.get(), self.last.get());
        let mut parts = vec![score_text(self.mean, self.mean_before, lang)];
        if self.helped > 0 {
            let n = self.helped;
            parts.push(say!(lang, revised_or_decided_by_you(n)));
        }
        if self.violations > 0 {
            let n = self.violations;
            parts.push(say!(lang, of_hard_rules(n)));
        }
        parts.extend(drift_words(self.drifts, self.corrections, lang).map(str::to_owned));
        if !self.listed.is_empty() {
            parts.push(say!(lang, added_to_house_list(list = self.listed.join(say!(lang, list_comma)))));
        }
        let range = figures::range(first, last);
        let head = say!(lang, quality_chapters(range));
        format!("{head}  {}", parts.join(say!(lang, clause_comma)))
    }

    /// The line of a run that has committed the brief.
    pub(super) fn announced(&self, lang: Lang) -> String {
        let threads = inventory_text(&self.threads, lang).map(|text| format!("\n{text}")).unwrap_or_default();
        say!(lang, quality_brief_to_see_it_novel(brief = self.text(lang))) + &threads
    }
}

impl QualityReport {
    /// The briefs, with number `at` in full.
    pub fn of(recorded: &[RecordedBrief], at: usize) -> Option<Self> {
        let chosen = recorded.get(at)?;
        let file = format::write(&chosen.brief, None);
        Some(Self {
            briefs: recorded.iter().map(|recorded| BriefSummary::of(&recorded.brief)).collect(),
            brief: serde_json::from_slice(&file).unwrap_or_default(),
            changed: chosen.changed.clone(),
            shown: chosen.brief.clone(),
        })
    }

    /// The brief, then a line for each other one.
    pub fn text(&self, lang: Lang, columns: usize) -> String {
        let (first, last) = (self.shown.first.get(), self.shown.last.get());
        let range = figures::range(first, last);
        let mut out = format!("{}\n", paint(STRONG, &say!(lang, quality_brief_of(range))));
        if !self.changed.is_empty() {
            let list = words::chapters(&self.changed, lang);
            out.push_str(&format!("{}\n", paint(WARN, &say!(lang, changed_since_chapters(list)))));
        }
        out.push_str(&chapters(&self.shown, lang, columns));
        out.push_str(&style(&self.shown, lang, columns));
        out.push_str(&repetition(&self.shown, lang));
        out.push_str(&reader(&self.shown, lang));
        if let Some(text) = inventory_text(&self.shown.threads, lang) {
            out.push_str(&format!("\n{text}\n"));
        }
        out.push_str(&drift(&self.shown, lang));
        let others: Vec<&BriefSummary> = self.briefs.iter().filter(|brief| brief.last != self.shown.last).collect();
        if !others.is_empty() {
            out.push_str(&heading_text(say!(lang, other_briefs)));
            for other in others.iter().rev() {
                out.push_str(&format!("  {}\n", other.text(lang)));
            }
        }
        out
    }
}

fn heading_text(text: &str) -> String {
    format!("\n{}\n", paint(STRONG, text))
}

fn score_text(mean: Option<f64>, before: Option<f64>, lang: Lang) -> String {
    let Some(mean) = mean else {
        return say!(lang, scores_are_placeholders_no_mean).to_owned();
    };
    let mean = figures::score(mean);
    match before.map(figures::score) {
        Some(before) => say!(lang, mean_five_before(mean, before)),
        None => say!(lang, mean(mean)),
    }
}

/// The chapters with their scores, the mean and the trend.
fn chapters(brief: &QualityBrief, lang: Lang, columns: usize) -> String {
    let mut table = Table::new(say!(lang, quality_columns).split('|'), "lrlrrrl", 6).indented(2).yielding(16, [4, 5]);
    for chapter in &brief.chapters {
        let recycled = format!("{:.1}%", chapter.recycled * 100.0);
        table.row([
            chapter.chapter.to_string().into(),
            chapter.score.map_or_else(|| "–".to_owned(), figures::score).into(),
            chapter.gate.map(|gate| gate.say(lang)).unwrap_or_default().into(),
            chapter.revisions.to_string().into(),
            format!("{:.1}", chapter.ai_phrases).into(),
            if chapter.recycled > crate::text::RECYCLED_ALARM {
                Cell::painted(WARN, recycled)
            } else {
                recycled.into()
            },
            Cell::painted(BAD, chapter.violations.join(say!(lang, list_comma))),
        ]);
    }
    let score = score_text(brief.mean(), brief.mean_before, lang);
    let trend = brief.trend().map(|by| say!(lang, quality_chapter(by))).unwrap_or_default();
    format!("\n{}  {score}{trend}\n", table.text(columns))
}

/// The style beside that of the book and of people.
fn style(brief: &QualityBrief, lang: Lang, columns: usize) -> String {
    let mut table = Table::new(say!(lang, quality_style_columns).split('|'), "lrrlr", 0).indented(2).yielding(20, [4]);
    for figure in &brief.style {
        let shown = |value: f64| figure.measure.shown(value);
        let human = figure.human.map(|(low, high)| format!("{}–{}", shown(low), shown(high)));
        table.row([
            figure.measure.say(lang).into(),
            shown(figure.now).into(),
            figure.baseline.map_or_else(|| "–".to_owned(), shown).into(),
            remark(figure, lang),
            Cell::painted(DIM, human.unwrap_or_default()),
        ]);
    }
    format!("\n{}", table.text(columns))
}

/// Whether a figure stands out, against the book first and then against books by people.
fn remark(figure: &StyleFigure, lang: Lang) -> Cell {
    if let Some(z) = figure.z().filter(|z| z.abs() > FAR) {
        let words = if z > 0.0 { say!(lang, quality_above_your_own) } else { say!(lang, quality_below_your_own) };
        return Cell::painted(WARN, words);
    }
    beside_human(figure.now, figure.human, lang)
}

/// Whether a value is outside the range of books by people.
pub(super) fn beside_human(value: f64, human: Option<(f64, f64)>, lang: Lang) -> Cell {
    match human {
        Some((_, high)) if value > high => Cell::painted(DIM, say!(lang, high)),
        Some((low, _)) if value < low => Cell::painted(DIM, say!(lang, low)),
        _ => Cell::from(""),
    }
}

/// Repeated patterns, beats and passages.
fn repetition(brief: &QualityBrief, lang: Lang) -> String {
    let mut lines: Vec<String> = brief.worn.iter().map(|worn| worn_text(worn, lang)).collect();
    if !brief.beats.is_empty() {
        let beats: Vec<String> = brief.beats.iter().map(|beat| format!("{} {}", beat.phrase, beat.times)).collect();
        lines.push(say!(lang, stock_beats_in_these_five(list = beats.join(say!(lang, list_comma)))));
    }
    for shared in &brief.shared {
        let (chapter, earlier, letters, words) = (shared.chapter, shared.earlier, shared.letters, &shared.words);
        lines.push(say!(lang, has_characters_of(chapter, letters, earlier, words)));
    }
    if lines.is_empty() {
        return String::new();
    }
    let list: String = lines.iter().map(|line| format!("  {line}\n")).collect();
    heading_text(say!(lang, worn_out_and_repeated)) + &list
}

/// The reader's ledger: tiring habits, then open questions.
fn reader(brief: &QualityBrief, lang: Lang) -> String {
    let tired = brief.reader.pacing.iter().map(|flag| paint(WARN, &pacing_text(flag, lang)));
    let waiting = brief.reader.questions.iter().filter(|question| !question.is_overdue());
    let waiting = waiting.map(|question| say!(lang, asks(chapter = question.chapter, asked = &question.question)));
    let lines: String = tired.chain(waiting).map(|line| format!("  {line}\n")).collect();
    if lines.is_empty() { lines } else { heading_text(say!(lang, what_reader_waits_for)) + &lines }
}

/// The number of open plot threads, with those that need attention; `None` without any.
fn inventory_text(threads: &[OpenThread], lang: Lang) -> Option<String> {
    let count = threads.len();
    let told = |standing: Standing| {
        let of_it = threads.iter().filter(|thread| thread.standing == standing);
        let list: Vec<&str> = of_it.map(|thread| thread.description.as_str()).collect();
        let (name, list) = (standing.say(lang), list.join(say!(lang, clause_semicolon)));
        (!list.is_empty()).then(|| format!("\n  {}", say!(lang, quality_threads_of(name, list))))
    };
    let urgent: String = [Standing::Overdue, Standing::Due, Standing::Neglected].into_iter().filter_map(told).collect();
    (count > 0).then(|| say!(lang, quality_open_threads(count)) + &urgent)
}

fn pacing_text(flag: &PacingFlag, lang: Lang) -> String {
    match flag {
        PacingFlag::SameHook { hook, chapters } => {
            let (times, hook, list) = (chapters.len(), hook.say(lang), chapters_text(chapters, lang));
            say!(lang, quality_chapters_in_row_end_with_times_hook(times, hook, list))
        }
        PacingFlag::SameKind { kind, chapters } => {
            let (times, kind, list) = (chapters.len(), kind.say(lang), chapters_text(chapters, lang));
            say!(lang, chapters_in_row_are(times, kind, list))
        }
        PacingFlag::NoPayoff { chapters } => {
            say!(lang, chapters_in_row_pay_nothing_off(times = chapters.len(), list = chapters_text(chapters, lang)))
        }
        PacingFlag::Unanswered(question) => {
            let OpenQuestion { chapter, storyline, question, later } = question;
            say!(lang, asks_and_more_chapters_of_have(chapter, question, later, storyline))
        }
    }
}

fn worn_text(worn: &Worn, lang: Lang) -> String {
    let Worn { kind, pattern, times, chapters } = worn;
    let list = chapters_text(chapters, lang);
    match (kind, pattern) {
        (WornKind::Phrase, Pattern::Words(words)) => say!(lang, quality_times(words, times, list)),
        (WornKind::Opening, Pattern::Words(words)) => say!(lang, sentences_begin_with(times, words)),
        (WornKind::ChapterStart, Pattern::Words(words)) => say!(lang, chapters_that_begin_with(words, list)),
        (WornKind::ChapterEnd, Pattern::Words(words)) => say!(lang, chapters_that_end_with(words, list)),
        (WornKind::ChapterStart, Pattern::Shape(shape)) => {
            say!(lang, chapters_in_row_begin_with(times, shape = shape.say(lang), list))
        }
        (_, Pattern::Shape(shape)) => {
            say!(lang, quality_chapters_in_row_end_with_times_shape(times, shape = shape.say(lang), list))
        }
    }
}

fn chapters_text(chapters: &[ChapterNo], lang: Lang) -> String {
    let last = &chapters[chapters.len().saturating_sub(NAMED)..];
    let list = words::chapters(last, lang);
    match last.len() < chapters.len() {
        true => say!(lang, earlier_and_chapters(list)),
        false => say!(lang, quality_ch_list(list)),
    }
}

fn drift(brief: &QualityBrief, lang: Lang) -> String {
    let check = &brief.drift;
    let Some((from, to)) = check.against().map(|(from, to)| (from.get(), to.get())) else {
        let line = say!(lang, compared_once_ten_chapters_lie_before);
        return format!("{}{line}\n", heading_text(say!(lang, has_style_moved)));
    };
    let (delta, level) = (check.delta, check.level);
    let line = say!(lang, distance_of_function_characters_and_marks(delta, from, to, level));
    let verdict = drift_words(check.alarm, check.file, lang).unwrap_or(say!(lang, it_has_not));
    let mut out = heading_text(say!(lang, has_style_moved)) + &line + &format!("  {verdict}\n");
    for correction in &check.corrections {
        out.push_str(&format!("  - {correction}\n"));
    }
    out
}

/// The drift of the style in a few words; `None` without a drift or a correction.
fn drift_words(alarm: bool, file: DriftFile, lang: Lang) -> Option<&'static str> {
    Some(match (alarm, file) {
        (_, DriftFile::Written) => say!(lang, style_has_moved_corrections_are_in),
        (_, DriftFile::Removed) => say!(lang, style_is_back_corrections_are_gone),
        (true, DriftFile::Kept) => say!(lang, style_has_moved_your_style_drift),
        (false, DriftFile::Kept) => say!(lang, style_has_not_moved_your_style),
        (true, _) => say!(lang, style_has_moved_you_have_taken),
        (false, _) => return None,
    })
}

pub(super) fn drift_warning(moved: &[StyleMeasure], lang: Lang) -> String {
    let list: Vec<&str> = moved.iter().map(|measure| measure.say(lang)).collect();
    let list = match list.join(say!(lang, list_comma)) {
        none if none.is_empty() => say!(lang, function_characters_and_marks).to_owned(),
        list => list,
    };
    say!(lang, is_unlike_chapters_before_in_style(list))
}

impl Words for StyleMeasure {}

impl Words for EdgeShape {}

#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Review {
    pub volume: VolumeNo,
    /// The commit of a new review; `None` for an existing one.
    pub commit: Option<Commit>,
    /// `None` where the review does not judge the progress.
    pub progress: Option<ReviewOpinion>,
    /// Entries of the state that may go.
    pub cleanup: Vec<Leftover>,
    /// The review in Markdown, in Chinese.
    pub text: String,
}

impl Review {
    pub fn of(reviewed: &Reviewed, commit: Option<Commit>) -> Self {
        let judged = reviewed.judgement.as_ref();
        Self {
            volume: reviewed.volume,
            commit,
            progress: judged.map(ReviewOpinion::of),
            cleanup: judged.map(|judged| judged.leftovers.clone()).unwrap_or_default(),
            text: reviewed.text.clone(),
        }
    }

    pub fn text(&self) -> String {
        format!("{}\n", self.text.trim_end())
    }
}
