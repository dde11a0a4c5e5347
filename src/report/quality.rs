//! The quality brief: what `novel review --quality` shows, and the line of a run.

use super::lang::{Lang, say};
use super::style::{BAD, DIM, STRONG, WARN, paint};
use super::table::{Align, Cell, Table};
use super::words::Words;
use super::{figures, json};
use crate::domain::ChapterNo;
use crate::domain::chapter::reader::{OpenQuestion, PacingFlag};
use crate::domain::quality::{DriftFile, EdgeShape, Pattern, QualityBrief, StyleFigure, StyleMeasure, Worn, WornKind};
use crate::pipeline::quality::Recorded;
use crate::store::format;
use serde::Serialize;
use serde_json::Value;

/// Chapters of a pattern that are named.
const NAMED: usize = 6;
/// A figure stands out from so many deviations on.
const FAR: f64 = 3.0;

/// The briefs of a book, one of them in full.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct QualityReport {
    /// Every brief in a few figures, the oldest first.
    pub briefs: Vec<Summary>,
    /// The one that was asked for, as its file has it.
    pub brief: Value,
    /// Its chapters that have another text now.
    #[serde(serialize_with = "json::chapters")]
    pub changed: Vec<ChapterNo>,
    #[serde(skip)]
    shown: QualityBrief,
}

/// A brief in a few figures.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Summary {
    /// Its first chapter.
    #[serde(serialize_with = "json::chapter")]
    pub first: ChapterNo,
    /// Its last chapter.
    #[serde(serialize_with = "json::chapter")]
    pub last: ChapterNo,
    /// The mean score; `None` when no model has judged the chapters.
    pub mean: Option<f64>,
    /// The mean of the five chapters before.
    pub mean_before: Option<f64>,
    /// Chapters that were revised, forced through, or decided by the author.
    pub helped: usize,
    /// Violations that block.
    pub violations: usize,
    /// Whether the style had moved away.
    pub drifts: bool,
    /// The fate of the corrections.
    #[serde(serialize_with = "json::name")]
    pub corrections: DriftFile,
    /// Phrases that joined the house list.
    pub listed: Vec<String>,
}

impl Summary {
    /// The summary of a brief.
    #[must_use]
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
        }
    }

    /// One line without its end.
    #[must_use]
    pub fn text(&self, lang: Lang) -> String {
        let (first, last) = (self.first.get(), self.last.get());
        let mut parts = vec![score_text(self.mean, self.mean_before, lang)];
        if self.helped > 0 {
            let (n, chapters) = (self.helped, figures::of(self.helped as u64, "chapter"));
            parts.push(say!(lang, "{n} 章修订过或由作者定夺", "{chapters} revised or decided by you"));
        }
        if self.violations > 0 {
            let (n, violations) = (self.violations, figures::of(self.violations as u64, "violation"));
            parts.push(say!(lang, "硬违反 {n} 处", "{violations} of hard rules"));
        }
        parts.extend(drift_words(self.drifts, self.corrections, lang).map(str::to_owned));
        if !self.listed.is_empty() {
            let list = self.listed.join(lang.pick("、", ", "));
            parts.push(say!(lang, "忌用语新添 {list}", "added to the house list: {list}"));
        }
        let head = say!(lang, "第 {first}–{last} 章", "ch {first}–{last}");
        format!("{head}  {}", parts.join(lang.pick("，", ", ")))
    }

    /// The line of a run that has committed the brief.
    pub(super) fn announced(&self, commit: &str, lang: Lang) -> String {
        let brief = self.text(lang);
        say!(
            lang,
            "质量简报  {brief}  {commit}（看看: novel review --quality）",
            "quality brief  {brief}  {commit} (to see it: novel review --quality)"
        )
    }
}

impl QualityReport {
    /// The briefs with the one at `at` in full.
    #[must_use]
    pub fn of(recorded: &[Recorded], at: usize) -> Option<Self> {
        let chosen = recorded.get(at)?;
        let file = format::quality::write(&chosen.brief, None);
        Some(Self {
            briefs: recorded.iter().map(|recorded| Summary::of(&recorded.brief)).collect(),
            brief: serde_json::from_slice(&file).unwrap_or_default(),
            changed: chosen.changed.clone(),
            shown: chosen.brief.clone(),
        })
    }

    /// The brief, then the others in a line each.
    #[must_use]
    pub fn text(&self, lang: Lang, columns: usize) -> String {
        let (first, last) = (self.shown.first.get(), self.shown.last.get());
        let heading = say!(lang, "质量简报  第 {first}–{last} 章", "Quality brief  chapters {first} to {last}");
        let mut out = format!("{}\n", paint(STRONG, &heading));
        if !self.changed.is_empty() {
            let list = figures::runs(self.changed.iter().map(|chapter| chapter.get()));
            let line = say!(lang, "写成简报之后改过：第 {list} 章", "changed since: chapters {list}");
            out.push_str(&format!("{}\n", paint(WARN, &line)));
        }
        out.push_str(&chapters(&self.shown, lang, columns));
        out.push_str(&style(&self.shown, lang, columns));
        out.push_str(&repetition(&self.shown, lang));
        out.push_str(&reader(&self.shown, lang));
        out.push_str(&drift(&self.shown, lang));
        let others: Vec<&Summary> = self.briefs.iter().filter(|brief| brief.last != self.shown.last).collect();
        if !others.is_empty() {
            out.push_str(&heading_text(lang.pick("其他简报", "Other briefs")));
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
        return lang.pick("评分只是占位，不算均分", "scores are placeholders, no mean").to_owned();
    };
    let mean = figures::score(mean);
    match before.map(figures::score) {
        Some(before) => say!(lang, "均分 {mean}（前五章 {before}）", "mean {mean} (the five before: {before})"),
        None => say!(lang, "均分 {mean}", "mean {mean}"),
    }
}

/// The chapters with their scores, then the mean and the trend.
fn chapters(brief: &QualityBrief, lang: Lang, columns: usize) -> String {
    use Align::{Left, Right};
    let headings = lang.pick(
        ["章", "评分", "门控", "修订", "忌用语/千字", "与前文重复", "硬违反"],
        ["chapter", "score", "gate", "revisions", "listed/1,000", "recycled", "violations"],
    );
    let aligns = [Left, Right, Left, Right, Right, Right, Left];
    let mut table = Table::new(headings.into_iter().zip(aligns), 6).indented(2);
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
            Cell::painted(BAD, chapter.violations.join(lang.pick("、", ", "))),
        ]);
    }
    let score = score_text(brief.mean(), brief.mean_before, lang);
    let trend = brief.trend().map(|by| say!(lang, "，每章 {by:+.2}", ", {by:+.2} a chapter")).unwrap_or_default();
    format!("\n{}  {score}{trend}\n", table.text(columns))
}

/// The figures of style beside the book's own and those of people.
fn style(brief: &QualityBrief, lang: Lang, columns: usize) -> String {
    use Align::{Left, Right};
    let headings =
        lang.pick(["文风", "这五章", "此前", "", "人写的书"], ["style", "these five", "before", "", "books by people"]);
    let mut table = Table::new(headings.into_iter().zip([Left, Right, Right, Left, Right]), 0).indented(2);
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
        let words = if z > 0.0 { ("比从前高", "above your own") } else { ("比从前低", "below your own") };
        return Cell::painted(WARN, lang.pick(words.0, words.1));
    }
    beside_human(figure.now, figure.human, lang)
}

/// Whether a value leaves the range of books by people.
pub(super) fn beside_human(value: f64, human: Option<(f64, f64)>, lang: Lang) -> Cell {
    match human {
        Some((_, high)) if value > high => Cell::painted(DIM, lang.pick("偏高", "high")),
        Some((low, _)) if value < low => Cell::painted(DIM, lang.pick("偏低", "low")),
        _ => Cell::from(""),
    }
}

/// The patterns, beats and passages that come again.
fn repetition(brief: &QualityBrief, lang: Lang) -> String {
    let mut lines: Vec<String> = brief.worn.iter().map(|worn| worn_text(worn, lang)).collect();
    if !brief.beats.is_empty() {
        let beats: Vec<String> = brief.beats.iter().map(|(beat, times)| format!("{beat} {times}")).collect();
        let list = beats.join(lang.pick("、", ", "));
        lines.push(say!(lang, "套路动作，这五章：{list}", "stock beats in these five: {list}"));
    }
    for shared in &brief.shared {
        let (chapter, earlier, letters, words) = (shared.chapter, shared.earlier, shared.letters, &shared.words);
        lines.push(say!(
            lang,
            "{chapter} 有 {letters} 字和 {earlier} 一样：“{words}……”",
            "{chapter} has {letters} characters of {earlier}: “{words}…”"
        ));
    }
    if lines.is_empty() {
        return String::new();
    }
    let list: String = lines.iter().map(|line| format!("  {line}\n")).collect();
    heading_text(lang.pick("用滥的和重复的", "Worn out and repeated")) + &list
}

/// The reader's ledger: what tires, then what is owed.
fn reader(brief: &QualityBrief, lang: Lang) -> String {
    let tired = brief.reader.pacing.iter().map(|flag| paint(WARN, &pacing_text(flag, lang)));
    let waiting = brief.reader.questions.iter().filter(|question| !question.is_overdue());
    let waiting = waiting.map(|question| {
        let (chapter, asked) = (question.chapter, &question.question);
        say!(lang, "{chapter} 问：{asked}", "{chapter} asks: {asked}")
    });
    let lines: String = tired.chain(waiting).map(|line| format!("  {line}\n")).collect();
    if lines.is_empty() {
        lines
    } else {
        heading_text(lang.pick("读者还在等的", "What the reader waits for")) + &lines
    }
}

fn pacing_text(flag: &PacingFlag, lang: Lang) -> String {
    match flag {
        PacingFlag::SameHook(hook, chapters) => {
            let (times, hook, list) = (chapters.len(), hook.say(lang), chapters_text(chapters, lang));
            say!(lang, "接连 {times} 章用{hook}收尾（{list}）", "{times} chapters in a row end with {hook} ({list})")
        }
        PacingFlag::SameKind(kind, chapters) => {
            let (times, kind, list) = (chapters.len(), kind.say(lang), chapters_text(chapters, lang));
            say!(lang, "接连 {times} 章都在写{kind}（{list}）", "{times} chapters in a row are {kind} ({list})")
        }
        PacingFlag::NoPayoff(chapters) => {
            let (times, list) = (chapters.len(), chapters_text(chapters, lang));
            say!(lang, "接连 {times} 章没有一件事兑现（{list}）", "{times} chapters in a row pay nothing off ({list})")
        }
        PacingFlag::Unanswered(question) => {
            let OpenQuestion { chapter, storyline, question, later } = question;
            say!(
                lang,
                "{chapter} 问的“{question}”，{storyline} 又写了 {later} 章没有回音",
                "{chapter} asks “{question}”, and {later} more chapters of {storyline} have not answered"
            )
        }
    }
}

fn worn_text(worn: &Worn, lang: Lang) -> String {
    let Worn { kind, pattern, times, chapters } = worn;
    let list = chapters_text(chapters, lang);
    match (kind, pattern) {
        (WornKind::Phrase, Pattern::Words(words)) => {
            say!(lang, "“{words}” {times} 次（{list}）", "“{words}” {times} times ({list})")
        }
        (WornKind::Opening, Pattern::Words(words)) => {
            say!(lang, "以“{words}”起头的句子 {times} 句", "{times} sentences begin with “{words}”")
        }
        (WornKind::ChapterStart, Pattern::Words(words)) => {
            say!(lang, "开头都有“{words}”：{list}", "chapters that begin with “{words}”: {list}")
        }
        (WornKind::ChapterEnd, Pattern::Words(words)) => {
            say!(lang, "结尾都有“{words}”：{list}", "chapters that end with “{words}”: {list}")
        }
        (WornKind::ChapterStart, Pattern::Shape(shape)) => {
            let shape = shape.say(lang);
            say!(
                lang,
                "接连 {times} 章以{shape}开头（{list}）",
                "{times} chapters in a row begin with {shape} ({list})"
            )
        }
        (_, Pattern::Shape(shape)) => {
            let shape = shape.say(lang);
            say!(lang, "接连 {times} 章以{shape}收尾（{list}）", "{times} chapters in a row end with {shape} ({list})")
        }
    }
}

/// The last few chapters of a pattern.
fn chapters_text(chapters: &[ChapterNo], lang: Lang) -> String {
    let last = &chapters[chapters.len().saturating_sub(NAMED)..];
    let list = figures::runs(last.iter().map(|chapter| chapter.get()));
    let more = if last.len() < chapters.len() { lang.pick("等", " and earlier") } else { "" };
    let list = list.replace('-', "–").replace(',', lang.pick("、", ", "));
    say!(lang, "第 {list} 章{more}", "ch {list}{more}")
}

fn drift(brief: &QualityBrief, lang: Lang) -> String {
    let check = &brief.drift;
    let Some((from, to)) = check.against.map(|(from, to)| (from.get(), to.get())) else {
        let line = lang.pick("  满十章之后才有可比的", "  compared once ten chapters lie before these");
        return format!("{}{line}\n", heading_text(lang.pick("文风是否走样", "Has the style moved?")));
    };
    let (delta, level) = (check.delta, check.level);
    let line = say!(
        lang,
        "  虚字和标点的距离 {delta:.2}，第 {from}–{to} 章之间最多 {level:.2}\n",
        "  distance of function characters and marks {delta:.2}; chapters {from} to {to} among themselves {level:.2}\n"
    );
    let verdict = drift_words(check.alarm, check.file, lang).unwrap_or(lang.pick("没有走样", "it has not"));
    let mut out = heading_text(lang.pick("文风是否走样", "Has the style moved?")) + &line + &format!("  {verdict}\n");
    for correction in &check.corrections {
        out.push_str(&format!("  - {correction}\n"));
    }
    out
}

/// The standing of the style in a few words; `None` where it has not moved and nothing was done.
fn drift_words(alarm: bool, file: DriftFile, lang: Lang) -> Option<&'static str> {
    Some(match (alarm, file) {
        (_, DriftFile::Written) => lang
            .pick("文风走样，校正已写进 style-drift.json", "the style has moved, corrections are in style-drift.json"),
        (_, DriftFile::Removed) => lang.pick("文风已回到从前，校正撤下", "the style is back, the corrections are gone"),
        (true, DriftFile::Kept) => lang.pick(
            "文风走样，style-drift.json 照你改的留着",
            "the style has moved, your style-drift.json stays as it is",
        ),
        (false, DriftFile::Kept) => lang.pick(
            "文风没有走样，style-drift.json 照你改的留着",
            "the style has not moved, your style-drift.json stays as it is",
        ),
        (true, _) => lang.pick("文风走样，校正你已删去", "the style has moved, you have taken the corrections away"),
        (false, _) => return None,
    })
}

/// The warning that the style has moved away.
pub(super) fn drift_warning(moved: &[StyleMeasure], lang: Lang) -> String {
    let list: Vec<&str> = moved.iter().map(|measure| measure.say(lang)).collect();
    let list = match list.join(lang.pick("、", ", ")) {
        none if none.is_empty() => lang.pick("虚字和标点", "function characters and marks").to_owned(),
        list => list,
    };
    say!(
        lang,
        "文风和从前的章不一样了（{list}），校正写进了 style-drift.json，后面照着改；看看: novel review --quality",
        "is unlike the chapters before in style ({list}); corrections for the next ones are in style-drift.json (to see them: novel review --quality)"
    )
}

impl Words for StyleMeasure {
    fn words(self) -> (&'static str, &'static str) {
        let english = match self {
            Self::SentenceLength => "sentence length",
            Self::ShortSentences => "short sentences",
            Self::Dialogue => "dialogue",
            Self::ParagraphLength => "paragraph length",
            Self::ModalParticles => "modal particles/1,000",
            Self::Commas => "commas a sentence",
            Self::Beats => "stock beats/1,000",
            Self::Stillness => "silence and pauses/1,000",
            Self::NotBut => "不是…，是…/1,000",
            Self::Skeletons => "repeated sentence patterns",
            Self::AiPhrases => "house list/1,000",
            Self::Recycled => "recycled from twenty chapters",
        };
        (self.in_chinese(), english)
    }
}

impl Words for EdgeShape {
    fn words(self) -> (&'static str, &'static str) {
        match self {
            Self::Question => ("问句", "a question"),
            Self::Ellipsis => ("省略号", "an ellipsis"),
            Self::Speech => ("对白", "a line of dialogue"),
            Self::ShortLine => ("单独成段的短句", "a short line of its own"),
            Self::Time => ("时辰", "the time"),
            Self::Weather => ("天气", "the weather"),
        }
    }
}
