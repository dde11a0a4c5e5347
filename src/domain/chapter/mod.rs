//! A chapter's text: a title and prose in Markdown.
//!
//! The quality gate: the next step after a judgement (orchestrator chapter §8.2, row R15).
//!
//! A chapter in scenes: the plan, and the progress.
//!
//! Deviations that the author accepts and that are no faults.

pub mod calibration;
pub mod evaluation;
pub mod stage;
pub mod summary;

use crate::domain::IdError;
use crate::domain::chapter::evaluation::Evaluation;
use crate::domain::notation::parse_numeral;
use crate::domain::prelude::*;
use std::borrow::Cow;
use std::ops::RangeInclusive;

/// A chapter as in `chapters/vol-01/chapter-001.md`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Chapter {
    pub number: ChapterNo,
    /// The title without the number.
    pub title: String,
    /// The prose, without the heading, ending with a newline.
    pub body: String,
}

impl Chapter {
    /// The content of the file: `# 第48章 密信`, an empty line, the prose.
    pub fn to_markdown(&self) -> String {
        format!("# 第{}章 {}\n\n{}\n", self.number.get(), self.title, self.body.trim())
    }

    /// Reads a chapter from a file or a reply. The first line is the heading if [`is_heading`] says so; the number in
    /// it is ignored, since the file's place gives the chapter. Line ends become LF.
    pub fn from_markdown(number: ChapterNo, text: &str, fallback_title: &str) -> Self {
        let text = text.trim_start_matches('\u{feff}');
        let text = if text.contains('\r') { Cow::Owned(text.replace("\r\n", "\n")) } else { Cow::Borrowed(text) };
        let text = text.trim_start();
        let (heading, body) = match text.split_once('\n') {
            Some((first, rest)) if is_heading(first) => (Some(first), rest),
            None if is_heading(text) => (Some(text), ""),
            _ => (None, text),
        };
        let title = heading.map(title_of_heading).filter(|title| !title.is_empty());
        Self {
            number,
            title: title.unwrap_or_else(|| fallback_title.trim().to_owned()),
            body: [body.trim(), "\n"].concat(),
        }
    }
}

/// True for a heading in Markdown: hash marks, then a space or a chapter's number. `#影帝塌房#冲上热搜` is a post in the story.
pub fn is_heading(line: &str) -> bool {
    let text = line.trim_start_matches('#');
    text.len() < line.len() && (text.is_empty() || text.starts_with(char::is_whitespace) || numbered(text).is_some())
}

/// The title in a heading such as `# 第48章 密信`, `## 第四十八章：密信` or `# 密信`.
pub fn title_of_heading(heading: &str) -> String {
    let text = heading.trim().trim_start_matches('#').trim().trim_matches('*').trim();
    bare_title(numbered(text).map_or(text, |(_, title)| title)).to_owned()
}

/// A title without the separator after its number, and without book-title marks around the whole.
pub(crate) fn bare_title(text: &str) -> &str {
    let title = text.trim_matches([' ', '　', ':', '：', '.', '、']);
    // Book-title marks within a title stay.
    let bare = title.strip_prefix('《').and_then(|rest| rest.strip_suffix('》'));
    bare.filter(|bare| !bare.contains(['《', '》'])).unwrap_or(title)
}

/// The numeral and what follows it in a text that begins with `第48章`.
pub(crate) fn numbered(text: &str) -> Option<(&str, &str)> {
    let (number, title) = text.strip_prefix('第')?.split_once('章')?;
    let numeral = |c: char| {
        c.is_ascii_digit()
            || ('０'..='９').contains(&c)
            || c.is_whitespace()
            || "零〇一二三四五六七八九十百千两".contains(c)
    };
    (!number.trim().is_empty() && number.chars().all(numeral)).then_some((number, title))
}

/// The number of a chapter in the first line of a text; `None` where that is no heading with a number.
pub fn heading_number(text: &str) -> Option<u32> {
    let line = text.trim_start_matches('\u{feff}').trim_start().lines().next()?;
    parse_numeral(numbered(line.trim_start_matches(['#', '＃', ' ', '*']))?.0)
}

/// The least scores of the gate's decisions. A score equal to a threshold is above it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Thresholds {
    pub pass: f64,
    /// The chapter is polished once more and accepted.
    pub polish: f64,
    /// The strong model revises the chapter.
    pub revise: f64,
    /// The author decides; below, the whole chapter is rewritten.
    pub pause: f64,
    /// The most revisions by the strong model.
    pub max_revisions: u32,
}

impl Default for Thresholds {
    fn default() -> Self {
        Self { pass: 4.0, polish: 3.5, revise: 3.0, pause: 2.0, max_revisions: 2 }
    }
}

named! {
    pub enum Gate {
        /// Accept as it is.
        Pass = "pass",
        /// Polish a second time, then accept.
        Polish = "polish",
        /// Revise with the strong model, then judge again.
        Revise = "revise",
        /// Write the whole chapter again.
        Rewrite = "rewrite",
        Pause = "pause",
        /// Accept although the revisions did not reach the threshold.
        ForcePass = "force_passed",
        AuthorPass = "author_accepted",
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Tries {
    pub revisions: u32,
    /// Complete rewrites by the gate.
    pub rewrites: u32,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Mode {
    /// The chapter has two judges.
    pub key: bool,
    /// The chapter is written scene by scene. A draft in progress keeps its mode.
    pub by_scenes: bool,
}

/// The most rewrites by the gate alone before it asks the author: a second failure of that size is the plan's fault
/// rather than the draft's, and each rewrite costs four calls.
pub const MAX_REWRITES: u32 = 1;

/// Decides on a judged chapter. A report that leaves hard rules unanswered waits for the author, whatever its scores.
pub fn decide(evaluation: &Evaluation, tries: Tries, borders: &Thresholds) -> Gate {
    let overall = evaluation.overall();
    let blocked = evaluation.blocking().next().is_some();
    let exhausted = tries.revisions >= borders.max_revisions;
    if !evaluation.is_complete() {
        return Gate::Pause;
    }
    if overall < borders.pause {
        return if tries.rewrites < MAX_REWRITES && tries.revisions == 0 { Gate::Rewrite } else { Gate::Pause };
    }
    if overall < borders.revise {
        return Gate::Pause;
    }
    if blocked || overall < borders.polish {
        return if exhausted { Gate::ForcePass } else { Gate::Revise };
    }
    if overall < borders.pass { Gate::Polish } else { Gate::Pass }
}

/// The fewest scenes of a chapter written in scenes.
pub const FEWEST: usize = 2;
pub const MOST: usize = 6;

#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Scene {
    /// The purpose in the chapter.
    pub goal: String,
    /// Place and time.
    pub place: String,
    pub people: Vec<String>,
    pub conflict: String,
    /// The change by the end of the scene.
    pub turn: String,
    /// The share of the chapter's words in hundredths; 0 where the plan does not say.
    pub share: u32,
}

#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct ScenePlan {
    pub scenes: Vec<Scene>,
}

impl ScenePlan {
    pub fn count(&self) -> u32 {
        u32::try_from(self.scenes.len()).unwrap_or(u32::MAX)
    }

    pub fn scene(&self, number: u32) -> Option<&Scene> {
        self.scenes.get(number.checked_sub(1)? as usize)
    }

    /// The fewest and the most words of a scene, after `words` words of a chapter that should have as many as `wanted`:
    /// the rest is divided by shares, so that later scenes make up for a short one. No scene has to be more than twice
    /// as long as planned, or may be less than half.
    pub fn span(&self, number: u32, words: u32, wanted: &RangeInclusive<u32>) -> RangeInclusive<u32> {
        let shares = self.shares();
        let from = (number.saturating_sub(1) as usize).min(shares.len());
        let (own, left) = (shares.get(from).copied().unwrap_or(1), shares[from..].iter().sum::<u64>().max(1));
        let of = |total: u32| {
            let planned = (u64::from(total) * own / shares.iter().sum::<u64>().max(1)).max(1);
            let wanted = u64::from(total.saturating_sub(words)) * own / left;
            u32::try_from(wanted.clamp(planned.div_ceil(2), planned * 2)).unwrap_or(u32::MAX)
        };
        let fewest = of(*wanted.start());
        fewest..=of(*wanted.end()).max(fewest)
    }

    /// The weight of each scene; all are equal when a scene has none.
    fn shares(&self) -> Vec<u64> {
        let even = self.scenes.iter().any(|scene| scene.share == 0);
        self.scenes.iter().map(|scene| if even { 1 } else { u64::from(scene.share) }).collect()
    }
}

/// The progress of a chapter written in scenes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Scenes {
    pub written: u32,
    pub planned: u32,
}

impl Scenes {
    pub fn are_open(self) -> bool {
        self.written < self.planned
    }
}

/// The number of a scene and of all scenes: `2/4`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct SceneNo {
    pub number: u32,
    pub of: u32,
}

impl fmt::Display for SceneNo {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.number, self.of)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headings_of_every_shape_give_the_title() {
        for heading in ["# 第48章 密信", "## 第四十八章：密信", "# 密信", "**第 48 章　《密信》**", "# 第48章 密信 "]
        {
            assert_eq!(title_of_heading(heading), "密信", "{heading}");
        }
        assert_eq!(title_of_heading("# 第48章"), "");
        assert_eq!(title_of_heading("# 第一道印章"), "第一道印章");
        for title in ["404号房", "24小时", "夜读《史记》", "《史记》与《汉书》", "Chapter House"] {
            assert_eq!(title_of_heading(&format!("# 第48章 {title}")), title);
        }
    }

    #[test]
    fn a_hashtag_is_no_heading() {
        for line in ["# 密信", "## 第二场", "#第48章 密信", "#"] {
            assert!(is_heading(line), "{line}");
        }
        for line in ["#影帝塌房#冲上热搜", "第48章 密信", "雨停了。"] {
            assert!(!is_heading(line), "{line}");
        }
        let number = ChapterNo::new(48).unwrap();
        let chapter = Chapter::from_markdown(number, "#影帝塌房#冲上热搜\n\n雨停了。", "密信");
        assert_eq!((chapter.title.as_str(), chapter.body.as_str()), ("密信", "#影帝塌房#冲上热搜\n\n雨停了。\n"));
    }

    #[test]
    fn a_chapter_reads_back_what_it_prints() {
        let number = ChapterNo::new(48).unwrap();
        let chapter = Chapter { number, title: "密信".into(), body: "雨停了。\n\n他收起信。\n".into() };
        assert_eq!(Chapter::from_markdown(number, &chapter.to_markdown(), "?"), chapter);
        let crlf = chapter.to_markdown().replace('\n', "\r\n");
        assert_eq!(Chapter::from_markdown(number, &crlf, "?"), chapter);
        let bare = Chapter::from_markdown(number, "雨停了。", "无题");
        assert_eq!((bare.title.as_str(), bare.body.as_str()), ("无题", "雨停了。\n"));
    }

    #[test]
    fn a_heading_alone_is_a_chapter_without_prose() {
        let chapter = Chapter::from_markdown(ChapterNo::FIRST, "# 第1章 密信", "无题");
        assert_eq!((chapter.title.as_str(), chapter.body.trim()), ("密信", ""));
    }
}

#[cfg(test)]
mod scene_tests {
    use super::*;
    use proptest::prelude::*;

    fn plan(shares: &[u32]) -> ScenePlan {
        ScenePlan { scenes: shares.iter().map(|&share| Scene { share, ..Scene::default() }).collect() }
    }

    #[test]
    fn what_is_left_is_divided_by_shares() {
        assert_eq!(plan(&[0, 0, 0, 0]).span(1, 0, &(2000..=3000)), 500..=750);
        let plan = plan(&[20, 30, 50]);
        assert_eq!(plan.span(1, 0, &(1000..=1500)), 200..=300);
        assert_eq!(plan.span(3, 500, &(1000..=1500)), 500..=1000);
        assert_eq!(plan.span(3, 300, &(1000..=1500)), 700..=1200, "short scenes are made up for");
        assert_eq!(plan.span(3, 2000, &(1000..=1500)), 250..=375, "and a scene is never crowded out");
        assert_eq!(plan.scene(0), None);
    }

    proptest! {
        #[test]
        fn scenes_of_the_wanted_length_make_a_chapter_of_the_wanted_length(
            shares in prop::collection::vec(0u32..60, 1..7),
            (least, more) in (200u32..5000, 0u32..2000),
            place in 0.0f64..=1.0,
        ) {
            let plan = plan(&shares);
            let mut words = 0;
            for number in 1..=plan.count() {
                let (fewest, most) = plan.span(number, words, &(least..=least + more)).into_inner();
                words += fewest + (f64::from(most - fewest) * place) as u32;
            }
            // Divisions round.
            let slack = 2 * plan.count();
            prop_assert!((least..=least + more + slack).contains(&(words + slack)), "{words}");
        }

        #[test]
        fn any_scene_of_any_plan_has_a_length(shares in prop::collection::vec(any::<u32>(), 0..7), number: u32, words: u32, least: u32, most: u32) {
            let (fewest, most) = plan(&shares).span(number, words, &(least..=most)).into_inner();
            prop_assert!(0 < fewest && fewest <= most);
        }
    }
}

/// The word for every chapter, in place of a number.
const EVERY_CHAPTER: &str = "all";

/// The name of a finding: `ch-012/leak/老周`, `ch-012/W-003` for a rule, `all/variant/林峰` for every chapter.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct FindingId {
    /// `None` for every chapter of the book.
    pub chapter: Option<ChapterNo>,
    /// The sort of the finding, or the id of its rule.
    pub check: String,
    /// The person, the item or the word; empty for a rule, and where the chapter as a whole is meant.
    pub subject: String,
}

impl FindingId {
    fn covers(&self, chapter: ChapterNo, check: &str, subject: &str) -> bool {
        self.chapter.is_none_or(|own| own == chapter) && self.check == check && self.subject == subject
    }
}

impl fmt::Display for FindingId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.chapter {
            Some(chapter) => write!(f, "{chapter}/{}", self.check)?,
            None => write!(f, "{EVERY_CHAPTER}/{}", self.check)?,
        }
        if self.subject.is_empty() { Ok(()) } else { write!(f, "/{}", self.subject) }
    }
}

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum FindingIdError {
    /// No slash, or nothing behind it.
    #[error("`{0}` names no finding (write ch-012/leak/老周, ch-012/W-003 or all/variant/林峰)")]
    Shape(String),
    /// The first part is neither a chapter nor the word for every chapter.
    #[error(transparent)]
    Chapter(#[from] IdError),
}

impl FromStr for FindingId {
    type Err = FindingIdError;

    fn from_str(text: &str) -> Result<Self, FindingIdError> {
        let mut parts = text.trim().splitn(3, '/').map(str::trim);
        let (Some(chapter), Some(check)) = (parts.next(), parts.next().filter(|check| !check.is_empty())) else {
            return Err(FindingIdError::Shape(text.to_owned()));
        };
        let chapter = if chapter == EVERY_CHAPTER { None } else { Some(chapter.parse()?) };
        Ok(Self { chapter, check: check.to_owned(), subject: parts.next().unwrap_or_default().to_owned() })
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Waiver {
    pub finding: FindingId,
    pub reason: String,
}

#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Waivers {
    pub list: Vec<Waiver>,
}

impl Waivers {
    pub fn of_rule(&self, chapter: ChapterNo, rule: &str) -> Option<&Waiver> {
        self.of_finding(chapter, rule, "")
    }

    pub fn of_finding(&self, chapter: ChapterNo, sort: &str, subject: &str) -> Option<&Waiver> {
        self.list.iter().find(|waiver| waiver.finding.covers(chapter, sort, subject))
    }

    /// Adds a waiver or changes the reason of an existing one. Returns true when something changed.
    pub fn add(&mut self, waiver: Waiver) -> bool {
        match self.list.iter_mut().find(|known| known.finding == waiver.finding) {
            Some(known) if known.reason == waiver.reason => false,
            Some(known) => {
                known.reason = waiver.reason;
                true
            }
            None => {
                self.list.push(waiver);
                true
            }
        }
    }

    /// Removes a waiver. Returns true when it existed.
    pub fn remove(&mut self, finding: &FindingId) -> bool {
        let before = self.list.len();
        self.list.retain(|waiver| waiver.finding != *finding);
        self.list.len() < before
    }
}

#[cfg(test)]
mod gate_tests {
    use super::*;
    use crate::domain::chapter::evaluation::tests::flat;
    use crate::domain::chapter::evaluation::{Check, Confidence, Finding};
    use crate::domain::world::contract::{Layer, Strength};
    use proptest::prelude::*;

    fn blocked(score: f64) -> Evaluation {
        let check = Check {
            rule: "LS-005".into(),
            layer: Layer::Storyline,
            strength: Strength::Hard,
            finding: Finding::Violation,
            confidence: Confidence::High,
            detail: String::new(),
            evidence: "他想起城北的事".into(),
            evidence_found: true,
        };
        Evaluation { checks: vec![check], ..flat(score) }
    }

    #[test]
    fn every_row_of_the_table() {
        let after = |revisions| Tries { revisions, rewrites: 0 };
        let rewritten = Tries { revisions: 0, rewrites: 1 };
        let table = [
            (flat(4.0), after(0), Gate::Pass),
            (flat(3.99), after(0), Gate::Polish),
            (flat(3.5), after(0), Gate::Polish),
            (flat(3.49), after(0), Gate::Revise),
            (flat(3.0), after(1), Gate::Revise),
            (flat(3.0), after(2), Gate::ForcePass),
            (flat(2.99), after(0), Gate::Pause),
            (flat(2.99), after(2), Gate::Pause),
            (flat(2.0), after(0), Gate::Pause),
            (flat(1.99), after(0), Gate::Rewrite),
            (flat(1.99), rewritten, Gate::Pause),
            (flat(1.99), after(1), Gate::Pause),
            (blocked(4.6), after(0), Gate::Revise),
            (blocked(4.6), after(2), Gate::ForcePass),
            (blocked(2.5), after(0), Gate::Pause),
            (flat(4.2), after(2), Gate::Pass),
            (flat(3.7), after(2), Gate::Polish),
        ];
        for (evaluation, tries, gate) in table {
            let violations = evaluation.blocking().count();
            let got = decide(&evaluation, tries, &Thresholds::default());
            assert_eq!(got, gate, "{} with {violations} violations after {tries:?}", evaluation.overall());
        }
    }

    #[test]
    fn a_report_that_leaves_out_hard_rules_never_passes() {
        let silent = Check { finding: Finding::NotChecked, ..blocked(4.0).checks[0].clone() };
        for score in [1.5, 2.5, 3.2, 3.7, 4.8] {
            let report = Evaluation { checks: vec![silent.clone()], ..flat(score) };
            assert_eq!(decide(&report, Tries::default(), &Thresholds::default()), Gate::Pause, "{score}");
            // The offline judge is asked for no rule at all.
            let offline = Evaluation { reading: false, ..report };
            let same = decide(&flat(score), Tries::default(), &Thresholds::default());
            assert_eq!(decide(&offline, Tries::default(), &Thresholds::default()), same, "{score}");
        }
        let soft = Check { strength: Strength::Soft, ..silent };
        let report = Evaluation { checks: vec![soft], ..flat(4.2) };
        assert_eq!(decide(&report, Tries::default(), &Thresholds::default()), Gate::Pass);
    }

    proptest! {
        #[test]
        fn the_gate_never_asks_for_more_than_is_allowed(score in 1.0f64..=5.0, revisions in 0u32..4, rewrites in 0u32..3) {
            for evaluation in [flat(score), blocked(score)] {
                let gate = decide(&evaluation, Tries { revisions, rewrites }, &Thresholds::default());
                prop_assert!(gate != Gate::Revise || revisions < 2);
                prop_assert!(gate != Gate::Rewrite || rewrites < MAX_REWRITES);
                prop_assert!(gate != Gate::ForcePass || evaluation.overall() >= 3.0);
            }
        }
    }
}

#[cfg(test)]
mod waiver_tests {
    use super::*;
    use proptest::prelude::*;

    fn id(text: &str) -> FindingId {
        text.parse().unwrap()
    }

    #[test]
    fn an_id_names_a_chapter_a_check_and_a_subject() {
        assert_eq!(id("12/leak/老周"), id("ch-012/leak/老周"));
        assert_eq!(id("ch-12/W-003").to_string(), "ch-012/W-003");
        assert_eq!(id("all/variant/林峰").chapter, None);
        assert_eq!(id("ch-1/date/初三/夜").subject, "初三/夜");
        for wrong in ["ch-012", "ch-012/", "leak/老周", "", "/W-003"] {
            assert!(wrong.parse::<FindingId>().is_err(), "{wrong}");
        }
    }

    #[test]
    fn a_waiver_holds_for_its_chapter_or_for_all() {
        let mut waivers = Waivers::default();
        let waiver = |finding: &str| Waiver { finding: id(finding), reason: "有意".into() };
        assert!(waivers.add(waiver("ch-012/W-003")) && waivers.add(waiver("all/variant/林峰")));
        assert!(!waivers.add(waiver("ch-012/W-003")));
        let [twelve, other] = [12, 13].map(|n| ChapterNo::new(n).unwrap());
        assert!(waivers.of_rule(twelve, "W-003").is_some() && waivers.of_rule(other, "W-003").is_none());
        assert!(waivers.of_finding(other, "variant", "林峰").is_some());
        assert!(waivers.of_finding(other, "variant", "林枫").is_none());
        assert!(waivers.remove(&id("ch-012/W-003")) && !waivers.remove(&id("ch-012/W-003")));
        assert_eq!(waivers.list.len(), 1);
    }

    proptest! {
        #[test]
        fn any_id_is_read_back(chapter in proptest::option::of(1u32..=9999), check in "[A-Za-z0-9-]{1,9}", subject in "[一-龥]{0,4}") {
            let id = FindingId { chapter: chapter.and_then(ChapterNo::new), check, subject };
            prop_assert_eq!(id.to_string().parse(), Ok(id));
        }
    }

    #[test]
    fn another_reason_is_a_change_and_the_same_one_is_none() {
        let mut waivers = Waivers::default();
        let waiver = |reason: &str| Waiver { finding: id("ch-012/W-003"), reason: reason.into() };
        assert!(waivers.add(waiver("有意")) && !waivers.add(waiver("有意")) && waivers.add(waiver("伏笔")));
        assert_eq!(waivers.list, [waiver("伏笔")]);
        assert!(!waivers.remove(&id("ch-013/W-003")));
    }
}
