//! Findings on a book: the answer of `novel doctor`.
//! The kinds of findings, with their meanings.
//! Whether the judge can be trusted: the answer of `novel doctor --judge`.

use crate::domain::chapter::evaluation::{Dimension, LEAST_DROP, MOST_SPREAD, Trust, missing};
use crate::domain::id::named;
use crate::pipeline::checks::judge_trial::TrialResult;
use crate::report::prelude::*;

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// The book cannot be used as it is.
    Problem,
    /// The book can be used, with a flaw.
    Warning,
    /// Worth knowing.
    Note,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct DoctorFinding {
    /// A stable name for programs, and for `novel doctor --explain`.
    pub code: Code,
    pub severity: Severity,
    /// In the author's language.
    pub what: String,
    /// The effect of a repair; `None` when there is nothing to repair.
    pub repair: Option<String>,
    /// True after a repair in this run.
    pub repaired: bool,
}

named! {
    pub enum Examined {
        /// Git's objects, refs, locks and index.
        Repository = "repository",
        /// The files, each by its format.
        Formats = "formats",
        /// Gaps between chapters, and repeated texts or titles.
        Numbering = "numbering",
        /// State and ledger against the deltas.
        State = "state",
        /// The provider's settings, and with `--online` whether it answers.
        Provider = "provider",
        /// The memory server's settings, and with `--online` whether it answers.
        MemoryServer = "memory_server",
    }
}

impl Words for Examined {}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Diagnosis {
    /// The examined parts, in order.
    pub examined: Vec<Examined>,
    /// In the order of examination.
    pub findings: Vec<DoctorFinding>,
    /// The command to type next.
    pub next: String,
}

/// Findings of a kind listed in brief; the others are counted.
const LISTED: usize = 5;

impl Diagnosis {
    pub fn is_well(&self) -> bool {
        self.findings.iter().all(|finding| finding.repaired || finding.severity == Severity::Note)
    }

    /// A line per finding with the effect of a repair, the worst first, and the command to type next.
    pub fn text(&self, lang: Lang, extent: Extent) -> String {
        let mut findings: Vec<&DoctorFinding> = self.findings.iter().collect();
        findings.sort_by_key(|finding| finding.severity);
        let unlisted = if extent == Extent::Brief { take_unlisted(&mut findings) } else { BTreeMap::new() };
        let mut out = String::new();
        for (at, finding) in findings.iter().enumerate() {
            let (what, code) = (&finding.what, paint(DIM, &format!("[{}]", finding.code)));
            let mark = match (finding.repaired, finding.severity) {
                (true, _) => paint(GOOD, say!(lang, repaired)),
                (_, Severity::Problem) => paint(BAD, say!(lang, problem)),
                (_, Severity::Warning) => paint(WARN, say!(lang, doctor_warning)),
                (_, Severity::Note) => paint(DIM, say!(lang, note)),
            };
            out.push_str(&format!("{mark}{}{what} {code}\n", say!(lang, colon)));
            // A repair that the next finding shares is said once, below the last of them.
            let again = findings.get(at + 1).is_some_and(|next| !next.repaired && next.repair == finding.repair);
            if let (Some(repair), false, false) = (&finding.repair, finding.repaired, again) {
                out.push_str(&format!("  {}\n", paint(DIM, &say!(lang, repair(repair)))));
            }
        }
        if !unlisted.is_empty() {
            let kinds: Vec<String> =
                unlisted.iter().map(|(code, n)| format!("{code} × {}", figures::count(*n))).collect();
            let kinds = kinds.join(say!(lang, list_comma));
            out.push_str(&format!("{}\n", paint(DIM, &say!(lang, doctor_not_listed(kinds)))));
        }
        if self.is_well() {
            let n = self.examined.len();
            let list: Vec<&str> = self.examined.iter().map(|part| part.say(lang)).collect();
            let list = list.join(say!(lang, list_comma));
            out.push_str(&format!("{}\n", paint(GOOD, &say!(lang, all_is_well(list, n)))));
        }
        out.push_str(&say!(lang, doctor_next(next = paint(HINT, &self.next))));
        out
    }
}

/// Removes the findings after the first few of their kind, and returns their numbers by kind.
fn take_unlisted(findings: &mut Vec<&DoctorFinding>) -> BTreeMap<&'static str, u64> {
    let (mut seen, mut unlisted) = (BTreeMap::new(), BTreeMap::new());
    findings.retain(|finding| {
        let name = finding.code.as_str();
        let before: &mut usize = seen.entry((name, finding.repaired)).or_default();
        *before += 1;
        let is_listed = *before <= LISTED;
        if !is_listed {
            *unlisted.entry(name).or_default() += 1;
        }
        is_listed
    });
    unlisted
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Explanation {
    pub code: Code,
    /// In the author's language.
    pub explanation: String,
}

impl Explanation {
    pub fn text(&self, lang: Lang) -> String {
        format!("{}{}{}\n", self.code, say!(lang, colon), self.explanation)
    }
}

named! {
    pub enum Code {
        BrokenObject = "broken_object",
        BrokenPack = "broken_pack",
        MissingObject = "missing_object",
        /// Objects cannot be found anywhere.
        LostContent = "lost_content",
        /// A branch names a commit that cannot be read.
        LostBranch = "lost_branch",
        StrayLock = "stray_lock",
        WrongTag = "wrong_tag",
        WrongSetting = "wrong_setting",
        /// Drafts show up in `git status`.
        NotExcluded = "not_excluded",
        Unfinished = "unfinished",
        /// The author is inside a merge, a rebase or the like.
        InProgress = "in_progress",
        /// A sparse checkout leaves out a file that the book changes.
        LeftOut = "left_out",
        /// Git has something checked out, or set up, with which the book cannot be written.
        NotWritable = "not_writable",
        /// The history is cut, as in a shallow clone.
        Shallow = "shallow",
        /// Git's index has an entry without an object.
        NullEntry = "null_entry",
        /// Git's index cannot be read.
        BadIndex = "bad_index",
        /// A committed file violates its format.
        BadFile = "bad_file",
        BrokenEdit = "broken_edit",
        Deleted = "deleted",
        /// The last commit lacks a file.
        Gone = "gone",
        /// Something blocks a path that the book writes to.
        InTheWay = "in_the_way",
        MissingFile = "missing_file",
        Gap = "gap",
        /// Chapters were moved by hand.
        Rearranged = "rearranged",
        NoDelta = "no_delta",
        /// A chapter was edited after it was summarised.
        Outdated = "outdated",
        SameTitle = "same_title",
        SameText = "same_text",
        SameName = "same_name",
        PlansBehind = "plans_behind",
        UnknownStoryline = "unknown_storyline",
        StrayCopy = "stray_copy",
        StateDiffers = "state_differs",
        CheckpointDiffers = "checkpoint_differs",
        ProviderNotSetUp = "provider_not_set_up",
        ProviderSilent = "provider_silent",
        KeyRefused = "key_refused",
        ModelsNotListed = "models_not_listed",
        ModelUnknown = "model_unknown",
        /// The memory server cannot be used.
        MemoryServer = "memory_server",
    }
}

impl Words for Code {}

impl Code {
    /// The meaning of the finding, in a sentence or two.
    pub fn explanation(self, lang: Lang) -> &'static str {
        self.say(lang)
    }
}

#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct TextRow {
    pub text: String,
    /// The scores of the clean text, one per reading.
    pub clean: Vec<f64>,
    /// The score of the text with the flaw; null without a usable report.
    pub flawed: Option<f64>,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct DimensionRow {
    pub dimension: Dimension,
    pub trusted: bool,
    /// The smallest drop by a planted flaw, in points.
    pub drop: Option<f64>,
    /// The largest difference between readings of one text, in points.
    pub spread: Option<f64>,
    pub texts: Vec<TextRow>,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Calibration {
    pub event: &'static str,
    pub model: String,
    /// True when the judge can be trusted in every dimension.
    pub trusted: bool,
    /// The least drop by a flaw, in points.
    pub least_drop: f64,
    /// The most difference between readings of one text, in points.
    pub most_spread: f64,
    pub dimensions: Vec<DimensionRow>,
    /// Readings that gave a usable report.
    pub readings: usize,
    /// Readings without a usable report.
    pub unread: usize,
    /// Readings of an earlier, interrupted trial.
    pub resumed: usize,
    /// Millionths of a US dollar, dollars in JSON; null when a price is unknown.
    #[serde(rename = "cost_usd", serialize_with = "dollars::serialize")]
    pub cost_micro_usd: Option<u64>,
    /// The ref that keeps the replies.
    pub kept: Option<String>,
}

/// Means of three readings have more places.
fn rounded(points: f64) -> f64 {
    (points * 100.0).round() / 100.0
}

impl Calibration {
    pub fn of(result: &TrialResult) -> Self {
        let scores: Vec<_> = result.texts.iter().map(|(_, scores)| scores.clone()).collect();
        let trust = Trust::of_all(&scores);
        let row = |trust: &Trust| DimensionRow {
            dimension: trust.dimension,
            trusted: trust.is_trusted(),
            drop: trust.drop.map(rounded),
            spread: trust.spread.map(rounded),
            texts: result
                .texts
                .iter()
                .map(|(id, scores)| TextRow {
                    text: (*id).to_owned(),
                    clean: scores.clean(trust.dimension),
                    flawed: scores.flawed(trust.dimension),
                })
                .collect(),
        };
        Self {
            event: "calibration",
            model: result.model.clone(),
            trusted: trust.iter().all(Trust::is_trusted),
            least_drop: LEAST_DROP,
            most_spread: MOST_SPREAD,
            dimensions: trust.iter().map(row).collect(),
            readings: scores.iter().map(|text| text.readings.len()).sum(),
            unread: scores.iter().map(|text| missing(text).len()).sum(),
            resumed: result.resumed,
            cost_micro_usd: result.cost_micro_usd,
            kept: result.kept.clone(),
        }
    }

    /// A line per dimension, the conclusion, and the place of the replies.
    pub fn text(&self, lang: Lang, columns: usize) -> String {
        let model = paint(STRONG, &self.model);
        let verdict = match self.trusted {
            true => paint(GOOD, say!(lang, can_be_trusted)),
            false => paint(BAD, say!(lang, cannot_be_trusted_throughout)),
        };
        let mut out = say!(lang, judge(model, verdict));
        let mut table = Table::new(say!(lang, calibration_columns).split('|'), "lrrl", 3);
        let points = |value: Option<f64>| value.map_or_else(|| "-".to_owned(), |value| format!("{value:.2}"));
        for row in &self.dimensions {
            let (drop, spread) = (points(row.drop), points(row.spread));
            table.row([row.dimension.say(lang).into(), drop.into(), spread.into(), row.remark(lang)]);
        }
        out.push_str(&table.text(columns));
        out.push_str(&paint(DIM, &say!(lang, flaw_has_to_cost_points_and(drop = LEAST_DROP, spread = MOST_SPREAD))));
        out.push('\n');
        out.push_str(&self.advice(lang));
        out
    }

    fn advice(&self, lang: Lang) -> String {
        let mut out = String::new();
        if self.unread > 0 {
            out.push_str(&say!(lang, readings_gave_no_report_that_can(n = self.unread)));
        }
        if !self.trusted {
            let command = paint(HINT, "novel config set agents.judge");
            out.push_str(&say!(lang, scores_of_dimensions_marked_above_mean(command)));
        }
        let cost = self
            .cost_micro_usd
            .map_or_else(|| say!(lang, calibration_unknown_cost).to_owned(), |micro| figures::money(micro, lang));
        let (n, kept) = (self.readings + self.unread, self.kept.as_deref().unwrap_or("-"));
        out.push_str(&paint(DIM, &say!(lang, book_is_as_it_was_replies(cost, kept, n))));
        out.push('\n');
        out
    }
}

impl DimensionRow {
    /// The reason not to trust the judge in the dimension.
    fn remark(&self, lang: Lang) -> Cell {
        let blind = self.drop.is_none_or(|drop| drop < LEAST_DROP);
        let unsteady = self.spread.is_none_or(|spread| spread > MOST_SPREAD);
        match (self.trusted, self.drop.is_none() || self.spread.is_none(), blind, unsteady) {
            (true, ..) => Cell::painted(GOOD, "✓"),
            (_, true, ..) => Cell::painted(WARN, say!(lang, calibration_not_read)),
            (_, _, true, true) => Cell::painted(BAD, say!(lang, blind_and_unsteady)),
            (_, _, true, false) => Cell::painted(BAD, say!(lang, blind_to_flaw)),
            _ => Cell::painted(BAD, say!(lang, unsteady)),
        }
    }
}
