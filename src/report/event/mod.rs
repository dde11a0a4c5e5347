//! Events of a run: a line for people, or a line of JSON for programs.

mod text;

use crate::domain::book::work::{Part, Work};
use crate::domain::chapter::stage::{Decision, Stage};
use crate::domain::chapter::{Gate, SceneNo, Scenes};
use crate::domain::state::history;
use crate::pipeline::recall::MemoryChange;
use crate::pipeline::{Accepted, Event, RestoredFiles, Why};
use crate::report::kept::Interrupted;
use crate::report::prelude::*;
use crate::report::quality::BriefSummary;
use crate::report::{faults, words};
use std::time::Duration;

/// A later chapter that relies on something different now.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct AffectedLine {
    pub chapter: ChapterNo,
    /// Paths of the state and ids of foreshadowings that differ.
    pub on: Vec<String>,
    /// Operations that no longer fit, each with the reason.
    pub dropped: Vec<String>,
    #[serde(skip)]
    said: Vec<String>,
}

impl AffectedLine {
    fn of(resting: &history::AffectedChapter, names: &BTreeMap<String, String>, lang: Lang) -> Self {
        let colon = say!(lang, colon);
        let on = resting.on.iter().map(|on| on.path.clone()).collect();
        let dropped = resting.dropped.iter();
        let dropped = dropped.map(|(path, reason)| format!("{path}{colon}{}", faults::of_refusal(reason, lang)));
        let words = |path: &str| words::of_path(path, names, lang);
        let lost = resting.dropped.iter().map(|(_, reason)| faults::of_refusal_at(reason, &words, lang));
        let said = resting.on.iter().map(|on| words(&on.path)).chain(lost).collect();
        Self { chapter: resting.chapter, on, dropped: dropped.collect(), said }
    }
}

#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(tag = "event", rename_all = "snake_case")]
pub enum EventLine {
    /// The remains of an interrupted run were cleaned up.
    Recovered { what: Vec<String>, finished: Option<Interrupted> },
    /// The interrupted command goes on.
    Resumed {
        command: String,
        /// Finished chapters or steps.
        done: u32,
        /// Remaining chapters or steps.
        left: u32,
    },
    /// Missing and damaged files were restored from history.
    Restored {
        paths: Vec<String>,
        /// Files converted to UTF-8; the others have the content of an older version.
        converted: Vec<String>,
        /// The commit with the damaged bytes; `null` when the files were missing.
        kept: Option<String>,
        /// The restoring commit; `null` when only the folder had lost the files.
        commit: Option<Commit>,
    },
    /// The memory server is updated from the book.
    Memories {
        /// First and last chapter of the compared part.
        chapters: (u32, u32),
        added: usize,
        removed: usize,
    },
    /// The author's changes were committed.
    HandEdit { commit: Commit, paths: Vec<String> },
    /// A deferred style was extracted from the chapters.
    StyleLearnt { commit: Commit, subject: String },
    /// Contracts of chapters follow the author's changes of plans.
    ContractsFollow { commit: Commit, count: usize },
    /// Files of an older format were migrated.
    Migrated { commit: Commit, files: usize },
    /// The figures of the last five chapters were committed.
    Quality {
        commit: Commit,
        #[serde(flatten)]
        brief: BriefSummary,
    },
    /// The author's edit of a waiting chapter is now its text.
    EditTaken { chapter: ChapterNo, path: String },
    /// A chapter begins or goes on.
    Chapter {
        chapter: ChapterNo,
        title: String,
        storyline: String,
        /// Existing results.
        reused: Vec<Stage>,
        /// Progress in scenes, if written scene by scene.
        #[serde(skip_serializing_if = "Option::is_none")]
        scenes: Option<Scenes>,
    },
    /// A chapter exists already.
    Reused { status: &'static str, chapter: ChapterNo },
    Stage {
        work: Work,
        stage: Part,
        #[serde(skip_serializing_if = "Option::is_none")]
        scene: Option<SceneNo>,
        model: String,
        sent_chars: u64,
    },
    /// A piece of a chapter's text, with `--stream`.
    Text { stage: Part, delta: String },
    /// A call waits before a retry.
    Waiting {
        stage: Part,
        /// Milliseconds.
        wait_ms: u64,
        /// The wait that the server asked for, in milliseconds.
        #[serde(skip_serializing_if = "Option::is_none")]
        asked_ms: Option<u64>,
        /// The remaining patience with an overload in milliseconds, this wait included.
        #[serde(skip_serializing_if = "Option::is_none")]
        left_ms: Option<u64>,
        why: String,
    },
    /// An agent is asked again.
    AskedAgain {
        stage: Part,
        why: String,
        /// True when only the rest of a text that broke off is asked for.
        #[serde(skip_serializing_if = "std::ops::Not::not")]
        continued: bool,
    },
    /// A result was added to the draft.
    StageDone {
        work: Work,
        stage: Part,
        #[serde(skip_serializing_if = "Option::is_none")]
        scene: Option<SceneNo>,
        model: String,
        duration_ms: u64,
        input_tokens: Option<u64>,
        cached_tokens: Option<u64>,
        output_tokens: Option<u64>,
        /// Millionths of a US dollar, dollars in JSON; `null` when the price is unknown.
        #[serde(rename = "cost_usd", serialize_with = "dollars::serialize")]
        cost_micro_usd: Option<u64>,
    },
    /// A warning for the author.
    Warning { work: Work, text: String },
    /// The gate has decided.
    Gate {
        chapter: ChapterNo,
        overall: f64,
        /// The ids of broken, blocking rules.
        blocking: Vec<String>,
        gate: Gate,
    },
    /// A chapter was accepted.
    Completed {
        status: &'static str,
        chapter: ChapterNo,
        title: String,
        word_count: u64,
        /// The first sentence of the summary.
        summary: String,
        quality_score: Option<f64>,
        /// False when the score is an offline placeholder, and the text was not read.
        reading: bool,
        gate: Gate,
        revisions: u32,
        commit: Commit,
        duration_ms: u64,
        input_tokens: u64,
        output_tokens: u64,
        sent_chars: u64,
        /// Millionths of a US dollar, dollars in JSON; `null` when a price is unknown.
        #[serde(rename = "cost_usd", serialize_with = "dollars::serialize")]
        cost_micro_usd: Option<u64>,
        /// The models by role.
        models: String,
        /// The commit of the replaced text; `null` for a new chapter.
        replaces: Option<Commit>,
        /// Later chapters that rely on changed facts.
        resting: Vec<AffectedLine>,
    },
    /// A chapter waits for the author.
    Paused {
        status: &'static str,
        chapter: ChapterNo,
        /// `null` for a text that is not judged.
        overall: Option<f64>,
        /// The number of blocking violations.
        blocking: usize,
        /// The possible decisions, the recommended one first.
        options: Vec<Decision>,
    },
}

impl EventLine {
    pub fn of_memories(MemoryChange { chapters, added, removed }: MemoryChange) -> Self {
        Self::Memories { chapters, added, removed }
    }

    /// The line for an event; pieces of text have none.
    pub fn of(event: &Event, lang: Lang) -> Option<Self> {
        Some(match event.clone() {
            Event::Restored(RestoredFiles { paths, converted, kept, commit }) => {
                Self::Restored { paths, converted, kept, commit: commit.map(Commit::from) }
            }
            Event::Memories(change) => Self::of_memories(change),
            Event::HandEdit { commit, paths } => Self::HandEdit { commit: commit.into(), paths },
            Event::StyleLearnt { commit, subject } => Self::StyleLearnt { commit: commit.into(), subject },
            Event::ContractsFollow { commit, count } => Self::ContractsFollow { commit: commit.into(), count },
            Event::Migrated { commit, files } => Self::Migrated { commit: commit.into(), files },
            Event::Quality { brief, commit } => {
                Self::Quality { commit: commit.into(), brief: BriefSummary::of(&brief) }
            }
            Event::EditTaken { chapter, path } => Self::EditTaken { chapter, path },
            Event::ChapterBegun { chapter, title, storyline, reused, scenes } => {
                Self::Chapter { chapter, title, storyline: storyline.to_string(), reused, scenes }
            }
            Event::Reused { chapter } => Self::Reused { status: "reused", chapter },
            Event::StageBegun { work, part, scene, model, sent_chars, .. } => {
                Self::Stage { work, stage: part, scene, model, sent_chars }
            }
            Event::Text { .. } | Event::Turn { .. } | Event::Sync(_) => return None,
            Event::Waiting { part, wait, asked, left, why } => {
                let ms = |time: Duration| u64::try_from(time.as_millis()).unwrap_or(u64::MAX);
                let (asked_ms, left_ms) = (asked.map(ms), left.map(ms));
                Self::Waiting { stage: part, wait_ms: ms(wait), asked_ms, left_ms, why: faults::of_fault(&why, lang) }
            }
            Event::AskedAgain { part, why } => {
                let continued = matches!(why, Why::BrokenOff(_));
                Self::AskedAgain { stage: part, why: faults::of_reply(&why, lang), continued }
            }
            Event::StageDone { work, part, scene, log, .. } => Self::StageDone {
                work,
                stage: part,
                scene,
                model: log.model,
                duration_ms: log.duration_ms,
                input_tokens: log.input_tokens,
                cached_tokens: log.cached_tokens,
                output_tokens: log.output_tokens,
                cost_micro_usd: log.cost_micro_usd,
            },
            Event::Warning { work, warning } => {
                Self::Warning { work, text: crate::report::problem::say(&warning, lang) }
            }
            Event::Judged { chapter, overall, blocking, gate } => {
                Self::Gate { chapter, overall, blocking: blocking.into_iter().map(|check| check.rule).collect(), gate }
            }
            Event::Accepted(accepted) => Self::completed(accepted, lang),
            Event::Paused { chapter, pause } => Self::Paused {
                status: "requires_user_decision",
                chapter,
                overall: pause.overall,
                blocking: pause.blocking,
                options: pause.options,
            },
        })
    }

    fn completed(accepted: Accepted, lang: Lang) -> Self {
        let resting = accepted.affected.iter();
        let resting = resting.map(|resting| AffectedLine::of(resting, &accepted.names, lang)).collect();
        Self::Completed {
            status: "completed",
            chapter: accepted.chapter,
            title: accepted.title,
            word_count: accepted.words,
            summary: accepted.summary,
            quality_score: accepted.overall,
            reading: accepted.reading,
            gate: accepted.gate,
            revisions: accepted.revisions,
            commit: accepted.commit.into(),
            duration_ms: accepted.duration_ms,
            input_tokens: accepted.input_tokens,
            output_tokens: accepted.output_tokens,
            sent_chars: accepted.sent_chars,
            cost_micro_usd: accepted.cost_micro_usd,
            models: accepted.models,
            replaces: accepted.replaces.map(Commit::from),
            resting,
        }
    }

    /// True for a result, which goes to stdout.
    pub fn is_answer(&self) -> bool {
        matches!(self, Self::Completed { .. } | Self::Reused { .. })
    }

    /// True for a line that needs the author's attention.
    pub fn is_warning(&self) -> bool {
        matches!(self, Self::Warning { .. } | Self::Restored { .. })
    }
}

/// An event of the program's JSON in few words: its chapter, stage and title, or its name.
pub fn in_a_word(event: &serde_json::Value, lang: Lang) -> String {
    let word = |field: &str| event.get(field).and_then(serde_json::Value::as_str);
    let stage = word("stage").map(|stage| stage.parse::<Stage>().map_or(stage, |stage| stage.say(lang)));
    let what: Vec<&str> = [word("work"), stage, word("title")].into_iter().flatten().collect();
    if what.is_empty() { word("event").unwrap_or_default().to_owned() } else { what.join(" ") }
}
