//! A completed or planned rebuild: the answer of `novel rebuild`.

use crate::pipeline::rebuild::outdated::{OutdatedReason, RebuildItem, Treatment};
use crate::pipeline::rebuild::plan::{Ground, Point, Rebuilt, Reliance};
use crate::report::prelude::*;
use crate::report::{faults, words};
use crate::text::PhraseRemoval;
use serde_json::Value;

#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct RebuildReport {
    /// `completed`, `planned` with `--dry-run`, or `up_to_date`.
    pub status: &'static str,
    /// Null without a commit.
    pub commit: Option<Commit>,
    /// The earliest first.
    pub chapters: Vec<RebuiltChapter>,
    /// Later chapters that rely on the changes, or, before a rebuild, may rely on them.
    pub relying: Vec<RelyingChapter>,
    /// Later chapters with a mended text.
    pub mended: Vec<ChapterNo>,
    /// Phrases that the author's edits keep removing, and that the book's list lacks.
    pub removals: Vec<PhraseRemoval>,
    /// With `--dry-run`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub prices: Option<RebuildPrices>,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct RebuildPrices {
    pub rebuild: Estimate,
    /// Additional cost of `--cascade`.
    pub cascade: Estimate,
    /// Additional cost of `--revise`.
    pub revise: Estimate,
    /// The chapters named in the command; empty for all.
    #[serde(skip)]
    pub named: Vec<ChapterNo>,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct RebuiltChapter {
    pub chapter: ChapterNo,
    /// `edited`, `unread`, `skipped`, or `asked` for an up-to-date one.
    pub reason: &'static str,
    pub treatment: Treatment,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct RelyingChapter {
    pub chapter: ChapterNo,
    /// False where the chapter works with something different now and was not found to mention it.
    pub certain: bool,
    /// The certain ones first.
    pub points: Vec<RelyingPoint>,
    /// Why its text was not mended, after `--revise`: `not_mentioned`, or `waits` for an earlier chapter's decision.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub left: Option<&'static str>,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct RelyingPoint {
    /// `value`, `operation` or `words`.
    pub kind: &'static str,
    pub path: Option<String>,
    /// The value before the change.
    pub was: Option<Value>,
    /// The value after the change.
    pub is: Option<Value>,
    /// Words that the edited chapter no longer has.
    pub words: Option<String>,
    /// Why the operation no longer fits, in the author's language.
    pub reason: Option<String>,
    pub sentence: Option<String>,
    /// Everything but the sentence, in words.
    #[serde(skip)]
    said: String,
}

/// Chapters shown as text.
const SHOWN: usize = 30;
const PHRASES: usize = 3;
/// Places of a chapter shown as text.
const POINTS: usize = 3;

impl RebuildReport {
    /// A rebuild that was made, or had nothing to do.
    pub fn made(rebuilt: &Rebuilt, removals: Vec<PhraseRemoval>, names: &BTreeMap<String, String>, lang: Lang) -> Self {
        let commit = rebuilt.commit.map(Commit::from);
        let status = if commit.is_some() { "completed" } else { "up_to_date" };
        let (chapters, mut relying) = (listed(&rebuilt.chapters), told(&rebuilt.relying, names, lang));
        for relying in relying.iter_mut().filter(|_| rebuilt.revised) {
            relying.left = Some(if relying.certain { "waits" } else { "not_mentioned" });
        }
        let mended = rebuilt.mended.iter().map(|(chapter, _)| *chapter).collect();
        Self { status, commit, chapters, relying, mended, removals, prices: None }
    }

    pub fn planned(
        chapters: &[RebuildItem],
        may_rely: &[Reliance],
        prices: RebuildPrices,
        names: &BTreeMap<String, String>,
        lang: Lang,
    ) -> Self {
        let status = if chapters.is_empty() { "up_to_date" } else { "planned" };
        let (chapters, relying) = (listed(chapters), told(may_rely, names, lang));
        Self { status, commit: None, chapters, relying, mended: Vec::new(), removals: Vec::new(), prices: Some(prices) }
    }

    /// The chapters, those that rely on them, and the commands to type next.
    pub fn text(&self, lang: Lang, _: usize) -> String {
        if self.chapters.is_empty() && self.commit.is_none() && self.mended.is_empty() && self.relying.is_empty() {
            let said = say!(lang, every_summary_and_delta_is_of);
            return said.to_owned();
        }
        let mut out = String::new();
        for chapter in &self.chapters {
            out.push_str(&chapter.text(lang, self.commit.is_some()));
        }
        if let Some(commit) = &self.commit {
            out.push_str(&say!(lang, as_to_see_what_changed_git(done = paint(GOOD, say!(lang, rebuilt)), commit)));
        }
        if !self.mended.is_empty() {
            out.push_str(&say!(lang, text_mended_chapters(list = words::chapters(&self.mended, lang))));
        }
        out.push_str(&self.relying_text(lang));
        out.push_str(&self.ending(lang));
        if !self.removals.is_empty() {
            let phrases: Vec<String> =
                self.removals.iter().take(PHRASES).map(|removal| format!("“{}”", removal.phrase)).collect();
            let phrases = phrases.join(say!(lang, list_comma));
            out.push_str(&say!(lang, you_keep_taking_out_to_put(phrases, command = paint(HINT, "novel style edits"))));
        }
        out
    }

    fn relying_text(&self, lang: Lang) -> String {
        if self.relying.is_empty() {
            return match self.prices {
                None if !self.mended.is_empty() => String::new(),
                None => say!(lang, no_later_chapter_relies_on_what).to_owned(),
                Some(_) => String::new(),
            };
        }
        let title = match self.prices {
            None => say!(lang, these_later_chapters_rely_on_what),
            Some(_) => say!(lang, these_later_chapters_may_be_affected),
        };
        let mut out = format!("{}\n", paint(STRONG, title));
        for relying in self.relying.iter().take(SHOWN) {
            out.push_str(&relying.text(lang));
        }
        let more = self.relying.len().saturating_sub(SHOWN);
        if more > 0 {
            out.push_str(&say!(lang, and_more_json_lists_all(more)));
        }
        out
    }

    fn ending(&self, lang: Lang) -> String {
        let Some(prices) = &self.prices else {
            let is_left = |certain| self.relying.iter().any(|relying| relying.certain == certain);
            let mut out = String::new();
            if is_left(true) {
                let command = paint(HINT, "novel rebuild --revise");
                out.push_str(&say!(lang, to_bring_these_chapters_in_line(command)));
            }
            if is_left(false) {
                let command = paint(HINT, "novel rebuild --cascade");
                out.push_str(&say!(lang, to_summarise_chapters_that_do_not_mention(command)));
            }
            return out;
        };
        if self.chapters.is_empty() && self.relying.is_empty() {
            return String::new();
        }
        let [rebuild, cascade, revise] =
            [&prices.rebuild, &prices.cascade, &prices.revise].map(|price| price.text(lang));
        let named: String = prices.named.iter().map(|chapter| format!(" {}", chapter.get())).collect();
        let line = |flag: &str, about: &str, price: &str| {
            format!("  {}  {about}{price}\n", paint(HINT, &format!("novel rebuild{named}{flag:<10}")))
        };
        let mut out = String::new();
        if !self.chapters.is_empty() {
            out.push_str(&line("", say!(lang, summarise_these_chapters_replay_state), &rebuild));
        }
        if !self.relying.is_empty() {
            out.push_str(&line(" --cascade", say!(lang, and_summarise_chapters_that_rely_on), &cascade));
            out.push_str(&line(" --revise", say!(lang, and_mend_their_text), &revise));
        }
        out.push_str(say!(lang, nothing_was_written));
        out
    }
}

fn listed(chapters: &[RebuildItem]) -> Vec<RebuiltChapter> {
    let of = |planned: &RebuildItem| RebuiltChapter {
        chapter: planned.chapter,
        reason: match planned.reason {
            Some(OutdatedReason::Edited { .. }) => "edited",
            Some(OutdatedReason::Unread) => "unread",
            Some(OutdatedReason::Skipped) => "skipped",
            None => "asked",
        },
        treatment: planned.treatment,
    };
    chapters.iter().map(of).collect()
}

fn told(relying: &[Reliance], names: &BTreeMap<String, String>, lang: Lang) -> Vec<RelyingChapter> {
    let of = |reliance: &Reliance| RelyingChapter {
        chapter: reliance.chapter,
        certain: reliance.is_certain(),
        left: None,
        points: reliance.points.iter().map(|point| RelyingPoint::of(point, names, lang)).collect(),
    };
    relying.iter().map(of).collect()
}

impl RelyingPoint {
    fn of(point: &Point, names: &BTreeMap<String, String>, lang: Lang) -> Self {
        let sentence = point.sentence.clone();
        let (kind, said) = ("value", String::new());
        let empty = Self { kind, path: None, was: None, is: None, words: None, reason: None, sentence, said };
        let place = |path: &str| words::of_path(path, names, lang);
        match &point.ground {
            Ground::Value(difference) => {
                let none = || say!(lang, rebuild_nothing).to_owned();
                let value = |value: &Option<Value>| {
                    value.as_ref().map_or_else(none, |value| words::of_value(value, names, lang))
                };
                let (path, was, is) = (place(&difference.path), value(&difference.was), value(&difference.is));
                Self {
                    path: Some(difference.path.clone()),
                    was: difference.was.clone(),
                    is: difference.is.clone(),
                    said: say!(lang, rebuild_path_was(path, was, is)),
                    ..empty
                }
            }
            Ground::Operation(path, refusal) => Self {
                kind: "operation",
                path: Some(path.clone()),
                reason: Some(faults::of_refusal(refusal, lang)),
                said: faults::of_refusal_at(refusal, &place, lang),
                ..empty
            },
            Ground::Words(_, words) => {
                let said = say!(lang, still_has(words));
                Self { kind: "words", words: Some(words.clone()), said, ..empty }
            }
        }
    }

    fn text(&self) -> String {
        let said = &self.said;
        match &self.sentence {
            Some(sentence) => format!("{said}\n           {}", paint(DIM, sentence)),
            None => said.clone(),
        }
    }
}

impl RebuiltChapter {
    fn text(&self, lang: Lang, done: bool) -> String {
        let chapter = self.chapter;
        let why = match self.reason {
            "edited" => say!(lang, edited),
            "unread" => say!(lang, not_summarised_yet),
            "skipped" => say!(lang, its_state_changes_were_unreadable),
            _ => say!(lang, asked_for),
        };
        let what = match (self.treatment, done) {
            (Treatment::Note, _) => say!(lang, wording_alone_its_summary_stands_no),
            (_, true) => say!(lang, summarised_again_done),
            (_, false) => say!(lang, summarised_again_due),
        };
        format!("  {chapter}  {}  {what}\n", paint(WARN, why))
    }
}

impl RelyingChapter {
    fn text(&self, lang: Lang) -> String {
        let mut points = self.points.iter().take(POINTS).map(RelyingPoint::text);
        let first = points.next().unwrap_or_default();
        let mut out = format!("{}\n", format!("  {}  {first}", self.chapter).trim_end());
        for point in points {
            out.push_str(&format!("          {point}\n"));
        }
        let more = self.points.len().saturating_sub(POINTS);
        if more > 0 {
            out.push_str(&say!(lang, rebuild_and_more(more)));
        }
        let why = self.left.map(|left| match left {
            "waits" => say!(lang, left_until_decision),
            _ => say!(lang, left_since_not_mentioned),
        });
        if let Some(why) = why {
            out.push_str(&format!("          {}\n", paint(DIM, why)));
        }
        out
    }
}
