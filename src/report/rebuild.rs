//! A rebuild, made or planned: the answer of `novel rebuild`.

use super::estimate::Estimate;
use super::facts::plain;
use super::lang::{Lang, say};
use super::problem;
use super::style::{DIM, GOOD, HINT, STRONG, WARN, paint};
use super::{figures, json};
use crate::domain::ChapterNo;
use crate::pipeline::rebuild::operation::Rebuilt;
use crate::pipeline::rebuild::order::{PlannedChapter, Treatment};
use crate::pipeline::rebuild::outdated::Reason;
use crate::pipeline::rebuild::reliance::{Ground, Point, Reliance};
use crate::text::Removal;
use serde::Serialize;
use serde_json::Value;

/// A rebuild, made or planned.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct RebuildReport {
    /// `completed`, `planned` with `--dry-run`, or `up_to_date`.
    pub status: &'static str,
    /// The commit, shortened; null where none was made.
    pub commit: Option<String>,
    /// The chapters, the earliest first.
    pub chapters: Vec<RebuiltChapter>,
    /// Later chapters that rely on what has changed, or, before a rebuild, may rely on it.
    pub relying: Vec<RelyingChapter>,
    /// Later chapters whose text was mended.
    #[serde(serialize_with = "json::chapters")]
    pub mended: Vec<ChapterNo>,
    /// Phrases that the author's edits keep taking out, and that the book's list does not have.
    pub removals: Vec<Removal>,
    /// With `--dry-run`, the likely costs.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub prices: Option<RebuildPrices>,
}

/// The likely costs of a rebuild.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct RebuildPrices {
    /// Of the rebuild.
    pub rebuild: Estimate,
    /// Of `--cascade`, beside it.
    pub cascade: Estimate,
    /// Of `--revise`, beside it.
    pub revise: Estimate,
}

/// A chapter of a rebuild.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct RebuiltChapter {
    /// The chapter.
    #[serde(serialize_with = "json::chapter")]
    pub chapter: ChapterNo,
    /// `edited`, `unread`, `skipped`, or `asked` for one that was up to date.
    pub reason: &'static str,
    /// `summarize`, or `note` where the wording alone has changed.
    pub treatment: &'static str,
}

/// A chapter that relies on what has changed.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct RelyingChapter {
    /// The chapter.
    #[serde(serialize_with = "json::chapter")]
    pub chapter: ChapterNo,
    /// False where the chapter works with something that is different now and was not found to mention it.
    pub certain: bool,
    /// The places, the certain ones first.
    pub points: Vec<RelyingPoint>,
}

/// A place in which a chapter relies on something.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct RelyingPoint {
    /// `value`, `operation` or `words`.
    pub kind: &'static str,
    /// The path of the state or the id of a foreshadowing.
    pub path: Option<String>,
    /// The value before the change.
    pub was: Option<Value>,
    /// The value after it.
    pub is: Option<Value>,
    /// The words that the edited chapter no longer has.
    pub words: Option<String>,
    /// Why the operation no longer fits, in the author's language.
    pub reason: Option<String>,
    /// The sentence that relies on it.
    pub sentence: Option<String>,
}

/// So many chapters are shown as text.
const SHOWN: usize = 30;
/// So many phrases are shown as text.
const PHRASES: usize = 3;
/// So many places of a chapter are shown as text.
const POINTS: usize = 3;

impl RebuildReport {
    /// A rebuild that was made, or had nothing to do.
    #[must_use]
    pub fn made(rebuilt: &Rebuilt, removals: Vec<Removal>, lang: Lang) -> Self {
        let commit = rebuilt.commit.map(|commit| commit.short());
        let status = if commit.is_some() { "completed" } else { "up_to_date" };
        let (chapters, relying) = (listed(&rebuilt.chapters), told(&rebuilt.relying, lang));
        let mended = rebuilt.mended.iter().map(|(chapter, _)| *chapter).collect();
        Self { status, commit, chapters, relying, mended, removals, prices: None }
    }

    /// A rebuild that is not made.
    #[must_use]
    pub fn planned(chapters: &[PlannedChapter], may_rely: &[Reliance], prices: RebuildPrices, lang: Lang) -> Self {
        let status = if chapters.is_empty() { "up_to_date" } else { "planned" };
        let (chapters, relying) = (listed(chapters), told(may_rely, lang));
        Self { status, commit: None, chapters, relying, mended: Vec::new(), removals: Vec::new(), prices: Some(prices) }
    }

    /// The chapters, what relies on them, and the commands to type next.
    #[must_use]
    pub fn text(&self, lang: Lang, _: usize) -> String {
        if self.chapters.is_empty() && self.commit.is_none() && self.mended.is_empty() {
            let said =
                lang.pick("各章的摘要和状态都对得上正文\n", "every summary and delta is of its chapter's text\n");
            return said.to_owned();
        }
        let mut out = String::new();
        for chapter in &self.chapters {
            out.push_str(&chapter.text(lang, self.commit.is_some()));
        }
        if let Some(commit) = &self.commit {
            let done = paint(GOOD, lang.pick("重建好了", "rebuilt"));
            out.push_str(&say!(
                lang,
                "{done}，提交 {commit}；看改了什么: git show {commit}；不要它: novel undo\n",
                "{done} as {commit}; to see what changed: git show {commit}; to take it back: novel undo\n"
            ));
        }
        if !self.mended.is_empty() {
            let list = figures::runs(self.mended.iter().map(|chapter| chapter.get()));
            out.push_str(&say!(lang, "正文改好了: 第 {list} 章\n", "text mended: chapters {list}\n"));
        }
        out.push_str(&self.relying_text(lang));
        out.push_str(&self.ending(lang));
        if !self.removals.is_empty() {
            let phrases: Vec<String> =
                self.removals.iter().take(PHRASES).map(|removal| format!("“{}”", removal.phrase)).collect();
            let phrases = phrases.join(lang.pick("、", ", "));
            let command = paint(HINT, "novel style edits");
            out.push_str(&say!(
                lang,
                "你老在删 {phrases}，记入禁用词表: {command}\n",
                "you keep taking out {phrases}; to put that on the book's list: {command}\n"
            ));
        }
        out
    }

    fn relying_text(&self, lang: Lang) -> String {
        if self.relying.is_empty() {
            return match self.prices {
                None if !self.mended.is_empty() => String::new(),
                None => lang.pick("后面没有章节受影响\n", "no later chapter relies on what has changed\n").to_owned(),
                Some(_) => String::new(),
            };
        }
        let title = match self.prices {
            None => lang.pick("后面这些章依据的内容变了", "these later chapters rely on what has changed"),
            Some(_) => lang.pick("后面这些章可能受影响", "these later chapters may be affected"),
        };
        let mut out = format!("{}\n", paint(STRONG, title));
        for relying in self.relying.iter().take(SHOWN) {
            out.push_str(&relying.text(lang));
        }
        let more = self.relying.len().saturating_sub(SHOWN);
        if more > 0 {
            out.push_str(&say!(lang, "  …还有 {more} 章（--json 全列）\n", "  … and {more} more (--json lists all)\n"));
        }
        out
    }

    fn ending(&self, lang: Lang) -> String {
        let Some(prices) = &self.prices else {
            if !self.relying.iter().any(|relying| relying.certain) {
                return String::new();
            }
            let command = paint(HINT, "novel rebuild --revise");
            return say!(
                lang,
                "要让这些章跟上: {command}，或自己改了再 novel rebuild\n",
                "to bring these chapters in line: {command}, or edit them yourself and type novel rebuild again\n"
            );
        };
        if self.chapters.is_empty() {
            return String::new();
        }
        let [rebuild, cascade, revise] =
            [&prices.rebuild, &prices.cascade, &prices.revise].map(|price| price.text(lang));
        let line = |command: &str, about: &str, price: &str| format!("  {}  {about}{price}\n", paint(HINT, command));
        let mut out = line(
            "novel rebuild          ",
            lang.pick("重做上面各章的摘要，重算状态", "summarise these chapters, replay the state"),
            &rebuild,
        );
        if !self.relying.is_empty() {
            out.push_str(&line(
                "novel rebuild --cascade",
                lang.pick("受影响的章也重做摘要", "and summarise the chapters that rely on them"),
                &cascade,
            ));
            out.push_str(&line(
                "novel rebuild --revise ",
                lang.pick("受影响的章改正文", "and mend their text"),
                &revise,
            ));
        }
        out.push_str(lang.pick("什么也没有写\n", "nothing was written\n"));
        out
    }
}

fn listed(chapters: &[PlannedChapter]) -> Vec<RebuiltChapter> {
    let of = |planned: &PlannedChapter| RebuiltChapter {
        chapter: planned.chapter,
        reason: match planned.reason {
            Some(Reason::Edited { .. }) => "edited",
            Some(Reason::Unread) => "unread",
            Some(Reason::Skipped) => "skipped",
            None => "asked",
        },
        treatment: match planned.treatment {
            Treatment::Note => "note",
            Treatment::Summarize => "summarize",
        },
    };
    chapters.iter().map(of).collect()
}

fn told(relying: &[Reliance], lang: Lang) -> Vec<RelyingChapter> {
    let of = |reliance: &Reliance| RelyingChapter {
        chapter: reliance.chapter,
        certain: reliance.is_certain(),
        points: reliance.points.iter().map(|point| RelyingPoint::of(point, lang)).collect(),
    };
    relying.iter().map(of).collect()
}

impl RelyingPoint {
    fn of(point: &Point, lang: Lang) -> Self {
        let sentence = point.sentence.clone();
        let empty = Self { kind: "value", path: None, was: None, is: None, words: None, reason: None, sentence };
        match &point.ground {
            Ground::Value(difference) => Self {
                path: Some(difference.path.clone()),
                was: difference.was.clone(),
                is: difference.is.clone(),
                ..empty
            },
            Ground::Operation(path, refusal) => Self {
                kind: "operation",
                path: Some(path.clone()),
                reason: Some(problem::of_refusal(refusal, lang)),
                ..empty
            },
            Ground::Words(_, words) => Self { kind: "words", words: Some(words.clone()), ..empty },
        }
    }

    fn text(&self, lang: Lang) -> String {
        let what = match (&self.path, &self.words, &self.reason) {
            (Some(path), _, Some(reason)) => say!(lang, "{path}：{reason}", "{path}: {reason}"),
            (Some(path), ..) => {
                let none = || lang.pick("无", "nothing").to_owned();
                let said = |value: &Option<Value>| value.as_ref().map_or_else(none, |value| plain(value, lang));
                let (was, is) = (said(&self.was), said(&self.is));
                say!(lang, "{path}：{was} → {is}", "{path}: {was} → {is}")
            }
            (None, Some(words), _) => say!(lang, "还有“{words}”", "still has “{words}”"),
            (None, None, _) => String::new(),
        };
        match &self.sentence {
            Some(sentence) => format!("{what}\n           {}", paint(DIM, sentence)),
            None => what,
        }
    }
}

impl RebuiltChapter {
    fn text(&self, lang: Lang, done: bool) -> String {
        let chapter = self.chapter;
        let why = match self.reason {
            "edited" => lang.pick("正文改过", "edited"),
            "unread" => lang.pick("还没有摘要", "not summarised yet"),
            "skipped" => lang.pick("状态变更没读出来", "its state changes were unreadable"),
            _ => lang.pick("指定重做", "asked for"),
        };
        let what = match (self.treatment, done) {
            ("note", _) => lang.pick("只是改了措辞，摘要照旧，不花钱", "wording alone: its summary stands, no call"),
            (_, true) => lang.pick("重做了摘要", "summarised again"),
            (_, false) => lang.pick("要重做摘要", "to be summarised again"),
        };
        format!("  {chapter}  {}  {what}\n", paint(WARN, why))
    }
}

impl RelyingChapter {
    fn text(&self, lang: Lang) -> String {
        let mut points = self.points.iter().take(POINTS).map(|point| point.text(lang));
        let first = points.next().unwrap_or_default();
        let mut out = format!("  {}  {first}\n", self.chapter);
        for point in points {
            out.push_str(&format!("          {point}\n"));
        }
        let more = self.points.len().saturating_sub(POINTS);
        if more > 0 {
            out.push_str(&say!(lang, "          …还有 {more} 处\n", "          … and {more} more\n"));
        }
        out
    }
}
