//! The book's position: the answer of `novel status`.

use crate::domain::VolumeNo;
use crate::domain::book::checkpoint::{Phase, Totals};
use crate::domain::chapter::Scenes;
use crate::domain::chapter::author_notes::Wish;
use crate::domain::chapter::stage::{PipelineStage, Stage};
use crate::domain::world::style::StyleSource;
use crate::report::kept::Interrupted;
use crate::report::prelude::*;
use crate::report::table::{self, clip};
use crate::report::{change, problem, profile};
use serde::Serializer;
use serde_json::json;

#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct StatusReport {
    /// May be empty.
    pub title: String,
    pub phase: Phase,
    pub volume: VolumeNo,
    /// The last accepted chapter; 0 before the first.
    pub last_completed: u32,
    /// The branch of the book; absent on the main line.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line: Option<String>,
    pub inflight: Option<DraftStatus>,
    /// Chapters whose drafts wait until those before them are written, in words.
    #[serde(skip)]
    pub waiting_for_others: Vec<String>,
    #[serde(serialize_with = "totals")]
    pub totals: Totals,
    /// Open foreshadowings, the overdue ones first.
    pub foreshadowing: Vec<OpenForeshadowing>,
    /// Decisions that wait for the author.
    pub pending: Vec<String>,
    /// The wishes for the next chapters that are not used up.
    pub wishes: Vec<Wish>,
    /// Files with uncommitted changes.
    pub hand_edits: Vec<String>,
    /// Unusable files.
    pub problems: Vec<FileProblem>,
    /// The unfinished transaction of an interrupted command, which the next writing command finishes.
    pub interrupted: Option<Interrupted>,
    /// Why nothing could be written now: another branch, an unfinished merge.
    pub obstacle: Option<String>,
    /// True in a shallow clone, whose history is cut.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub shallow: bool,
    /// Chapters with unreadable state changes, once there are enough to propose a rebuild.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub rebuild: Vec<ChapterNo>,
    /// Chapters whose summary and state changes are of an older text.
    pub outdated: Vec<ChapterNo>,
    /// The outdated chapters without any summary yet: the author's own.
    #[serde(skip)]
    pub unread: Vec<ChapterNo>,
    /// The author's style, as far as the agents know.
    pub style: StyleStatus,
    /// True for a book by the built-in offline writer.
    pub offline: bool,
    /// The process that is writing now, if any.
    pub writer: Option<String>,
    /// The steps before a chapter, in order.
    pub steps: Vec<StepStatus>,
    /// The accepted chapters in order, in JSON only.
    pub chapters: Vec<ChapterState>,
    /// The chapters that the book lacks, in JSON only: lost ones, then the planned ones.
    pub unwritten: Vec<UnwrittenChapter>,
    /// The command to type next.
    pub next: String,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Default)]
pub struct StyleStatus {
    /// Null without a profile.
    pub source_type: Option<StyleSource>,
    /// The author, the preset or the chapters.
    pub source_name: Option<String>,
    /// The number of directives for the writer.
    pub directives: usize,
    /// The chapter since which style corrections are in force; null without any.
    pub corrected_since: Option<ChapterNo>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct FileProblem {
    pub path: String,
    /// The mistake and its place, in the author's language.
    pub what: String,
    /// True when the last commit has it; false for an uncommitted change.
    pub committed: bool,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct DraftStatus {
    pub chapter: ChapterNo,
    pub title: String,
    pub stage: PipelineStage,
    pub done: Vec<Stage>,
    /// Progress in scenes, if written scene by scene.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub scenes: Option<Scenes>,
    pub revisions: u32,
    #[serde(serialize_with = "dollars::sum")]
    pub known_cost_usd: u64,
    pub calls_with_unknown_cost: usize,
    /// True when `staging/` shows the draft.
    pub in_staging: bool,
    /// True when the next chapter has a draft that waits for this one.
    pub next_is_drafted: bool,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct OpenForeshadowing {
    pub id: String,
    pub description: String,
    /// The last chapter of the planned resolution, if any.
    pub due: Option<u32>,
    /// True when `due` has passed.
    pub overdue: bool,
}

/// A step before a chapter: world, characters, outline, contracts.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct StepStatus {
    /// The name for programs: `brief`, `world`, `theme`, `characters`, `outline`, `contracts`.
    pub step: &'static str,
    /// The name in the author's language.
    pub name: String,
    /// True when the results exist.
    pub done: bool,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ChapterState {
    pub chapter: ChapterNo,
    pub title: String,
    pub words: u32,
    pub score: Option<f64>,
    /// The gate's decision, by name.
    pub gate: Option<String>,
    pub state: ChapterProgress,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct UnwrittenChapter {
    pub chapter: ChapterNo,
    /// The title in the outline; empty for a lost chapter.
    pub title: String,
    pub state: ChapterProgress,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum ChapterProgress {
    Accepted,
    Planned,
    /// Its draft is being written scene by scene.
    InScenes,
    InFlight,
    Waiting,
    /// Deleted, and nothing says that this was meant.
    Missing,
}

fn totals<S: Serializer>(totals: &Totals, to: S) -> Result<S::Ok, S::Error> {
    let Totals { chapters, words, force_passed, skipped_ops, input_tokens, cached_tokens, output_tokens, .. } = totals;
    let known_cost = dollars::sum(&totals.cost_micro_usd, serde_json::value::Serializer).unwrap_or_default();
    json!({"chapters": chapters, "words": words, "score_average": totals.score_average(), "force_passed": force_passed,
        "skipped_ops": skipped_ops, "known_cost_usd": known_cost, "chapters_with_unknown_cost": totals.unknown_cost,
        "input_tokens": input_tokens, "cached_tokens": cached_tokens, "output_tokens": output_tokens})
    .serialize(to)
}

/// Names spelled out before "and others".
const NAMED: usize = 3;

impl StatusReport {
    /// A few lines for people; the last one is the command to type next.
    pub fn text(&self, lang: Lang, columns: usize) -> String {
        let mut out = self.heading(lang, columns);
        let mut facts: Vec<(&str, String)> = Vec::new();
        if let Some(line) = &self.line {
            facts.push((say!(lang, status_line), paint(WARN, &say!(lang, not_main_line_novel_adopt_takes(line)))));
        }
        if let Some(inflight) = &self.inflight {
            facts.push((say!(lang, in_flight), inflight.text(lang)));
        }
        facts.extend(self.waiting_for_others.iter().map(|words| (say!(lang, in_flight), words.clone())));
        if self.totals.chapters > 0 {
            facts.push((say!(lang, so_far), self.so_far(lang)));
        }
        if self.totals.chapters > 0 || self.totals.cost_micro_usd > 0 {
            facts.push((say!(lang, cost), self.cost(lang)));
        }
        if !self.foreshadowing.is_empty() {
            facts.push((say!(lang, status_open), self.threads(lang)));
        }
        for wish in &self.wishes {
            let chapters = paint(DIM, &change::wish_extent(wish, lang));
            facts.push((say!(lang, status_wish), format!("{}  {chapters}", wish.text)));
        }
        for pending in &self.pending {
            facts.push((say!(lang, to_decide), paint(WARN, pending)));
        }
        if !self.rebuild.is_empty() {
            let proposal = problem::thin_state(&self.rebuild, lang);
            facts.push((say!(lang, rebuild), paint(WARN, &proposal)));
        }
        let (unread, edited): (Vec<_>, Vec<_>) =
            self.outdated.iter().copied().partition(|chapter| self.unread.contains(chapter));
        if !edited.is_empty() {
            facts.push((say!(lang, outdated), paint(WARN, &problem::outdated(&edited, lang))));
        }
        if !unread.is_empty() {
            let list = words::chapters(&unread, lang);
            facts.push((say!(lang, outdated), paint(WARN, &say!(lang, status_not_summarised(list)))));
        }
        if !self.hand_edits.is_empty() {
            facts.push((say!(lang, your_edits), self.edits(lang)));
        }
        let origin = profile::origin(self.style.source_type, self.style.source_name.as_deref(), lang);
        let corrected =
            self.style.corrected_since.map(|since| paint(WARN, &say!(lang, has_moved_corrected_since_by_style(since))));
        facts.push((say!(lang, style), origin + &corrected.unwrap_or_default()));
        for FileProblem { path, what, .. } in &self.problems {
            facts.push((say!(lang, status_broken), paint(BAD, &say!(lang, status_path_what(path, what)))));
        }
        if let Some(interrupted) = &self.interrupted {
            facts.push((say!(lang, status_interrupted), paint(WARN, &interrupted.waits(lang))));
        }
        facts.extend(self.obstacle.as_ref().map(|obstacle| (say!(lang, blocked), paint(WARN, obstacle))));
        facts.extend(self.shallow.then(|| (say!(lang, status_history), paint(WARN, say!(lang, history_is_cut)))));
        if let Some(writer) = &self.writer {
            facts.push((say!(lang, busy), say!(lang, is_writing(writer))));
        }
        if self.offline {
            facts.push((say!(lang, writer), paint(DIM, say!(lang, offline_writer_no_network_no_cost))));
        }
        let is_beginning = self.phase == Phase::QuickStart && self.last_completed == 0;
        let is_needed = |step: &&StepStatus| match step.step {
            "world" | "theme" | "characters" => is_beginning,
            "contracts" => false,
            _ => true,
        };
        let missing = self.steps.iter().filter(|step| !step.done).filter(is_needed);
        let missing: Vec<&str> = missing.map(|step| step.name.as_str()).collect();
        if !missing.is_empty() {
            facts.push((say!(lang, missing), missing.join(say!(lang, list_comma))));
        }
        let label = facts.iter().map(|(label, _)| table::width(label)).max().unwrap_or(0);
        for (name, fact) in facts {
            let pad = " ".repeat(label - table::width(name) + 2);
            out.push_str(&format!("  {}{pad}{fact}\n", paint(DIM, name)));
        }
        out.push_str(&say!(lang, doctor_next(next = paint(HINT, &self.next))));
        out
    }

    fn heading(&self, lang: Lang, columns: usize) -> String {
        let title = if self.title.is_empty() { say!(lang, untitled) } else { &self.title };
        let title = paint(STRONG, &clip(&say!(lang, metrics_title(title)), columns));
        let phase = self.phase.say(lang);
        let done = figures::count(u64::from(self.last_completed));
        match self.last_completed {
            0 => say!(lang, no_chapters_yet(title, phase)),
            _ => say!(lang, status_volume(title, volume = self.volume.get(), phase, done)),
        }
    }

    fn so_far(&self, lang: Lang) -> String {
        let mut average = self.totals.score_average().map_or("–".to_owned(), figures::score);
        if self.offline {
            average.push_str(say!(lang, placeholder));
        }
        let mut text = say!(lang, words_average_score(words = figures::count(self.totals.words), average));
        let forced = self.totals.force_passed;
        if forced > 0 {
            text.push_str(&say!(lang, force_passed(forced)));
        }
        let skipped = self.totals.skipped_ops;
        if skipped > 0 {
            text.push_str(&paint(WARN, &say!(lang, with_unreadable_state_changes(skipped))));
        }
        text
    }

    fn cost(&self, lang: Lang) -> String {
        let known = figures::money(self.totals.cost_micro_usd, lang);
        match self.totals.unknown_cost {
            0 => known,
            n => say!(lang, and_with_calls_of_unknown_price(known, n)),
        }
    }

    fn threads(&self, lang: Lang) -> String {
        let open = self.foreshadowing.len();
        let overdue: Vec<&OpenForeshadowing> = self.foreshadowing.iter().filter(|entry| entry.overdue).collect();
        let mut text = say!(lang, status_entries_open(open));
        if !overdue.is_empty() {
            let n = overdue.len();
            let ids = some(overdue.iter().map(|entry| entry.id.as_str()), n, lang);
            text.push_str(&paint(BAD, &say!(lang, status_overdue(n, ids))));
        }
        text
    }

    fn edits(&self, lang: Lang) -> String {
        let n = self.hand_edits.len();
        let files = some(self.hand_edits.iter().map(String::as_str), n, lang);
        say!(lang, not_committed(files, n))
    }
}

impl DraftStatus {
    fn text(&self, lang: Lang) -> String {
        let (chapter, stage) = (self.chapter, self.stage.say(lang));
        let mut text = format!("{chapter} ");
        if !self.title.is_empty() {
            text.push_str(&self.title);
            text.push(' ');
        }
        text.push_str(&format!("· {stage}"));
        if let Some(scenes) = self.scenes.filter(|scenes| scenes.are_open()) {
            text.push_str(&format!(" · {}", words::of_scenes(scenes, lang)));
        }
        if self.done.contains(&Stage::Partial) {
            text.push_str(say!(lang, not_finished_see_novel_decide));
        }
        let n = self.revisions;
        if n > 0 {
            text.push_str(&say!(lang, status_revisions_n(n)));
        }
        if self.known_cost_usd > 0 || self.calls_with_unknown_cost > 0 {
            let (known, n) = (figures::money(self.known_cost_usd, lang), self.calls_with_unknown_cost);
            let cost = if n == 0 { known } else { say!(lang, status_and_calls_unknown(known, n)) };
            text.push_str(&format!(" · {cost}"));
        }
        if self.in_staging {
            text.push_str(&paint(DIM, say!(lang, draft_is_in_staging)));
        }
        if self.next_is_drafted {
            text.push_str(&say!(lang, next_is_drafted_already(next = chapter.next())));
        }
        text
    }
}

fn some<'a>(names: impl Iterator<Item = &'a str>, all: usize, lang: Lang) -> String {
    let named: Vec<&str> = names.take(NAMED).collect();
    let mut text = named.join(say!(lang, list_comma));
    if all > NAMED {
        text.push_str(say!(lang, and_others));
    }
    text
}
