//! The parts of the program's own JSON that the pages show. Fields that no page shows are left out.

use crate::domain::book::checkpoint::Phase;
use crate::domain::book::wish::Wish;
use crate::domain::state::cleanup::Leftover;
use crate::domain::{ChapterNo, VolumeNo};
use crate::pipeline::planning::approval::ContractChange;
use crate::report::decision::CandidateEntry;
use crate::report::journey::Progress;
use crate::report::names::Names;
use serde::Deserialize;

/// Of `novel status`.
#[derive(Debug, Clone, Deserialize)]
pub struct Position {
    pub title: String,
    pub phase: Phase,
    pub last_completed: u32,
    pub inflight: Option<InFlight>,
    pub totals: Totals,
    pub pending: Vec<String>,
    pub wishes: Vec<Wish>,
    /// Files with changes that are in no commit.
    pub hand_edits: Vec<String>,
    pub problems: Vec<Trouble>,
    pub obstacle: Option<String>,
    pub writer: Option<String>,
    pub chapters: Vec<Written>,
    pub unwritten: Vec<Unwritten>,
    pub steps: Vec<Step>,
    pub next: String,
}

impl Position {
    /// True while nothing but the idea is there.
    pub fn is_new(&self) -> bool {
        self.chapters.is_empty() && self.wishes.is_empty() && self.steps.iter().skip(1).all(|step| !step.done)
    }

    /// True while chapters that the author has moved wait to be taken over.
    pub fn is_rearranged(&self) -> bool {
        self.next == "novel chapter accept"
    }
}

/// A step on the way to the first chapter; the first one is the idea.
#[derive(Debug, Clone, Deserialize)]
pub struct Step {
    pub done: bool,
}

#[derive(Debug, Clone, Deserialize)]
pub struct InFlight {
    pub chapter: ChapterNo,
    pub title: String,
}

#[derive(Debug, Clone, Deserialize)]
pub struct Totals {
    pub words: u64,
    pub score_average: Option<f64>,
    pub known_cost_usd: f64,
}

#[derive(Debug, Clone, Deserialize)]
pub struct Trouble {
    pub path: String,
    pub what: String,
}

#[derive(Debug, Clone, Deserialize)]
pub struct Written {
    pub chapter: ChapterNo,
    pub title: String,
    pub words: u32,
    pub score: Option<f64>,
}

#[derive(Debug, Clone, Deserialize)]
pub struct Unwritten {
    pub chapter: ChapterNo,
    pub title: String,
}

/// The choice that waits for the author.
#[derive(Debug, Clone, Deserialize)]
#[serde(untagged)]
pub enum Waiting {
    Question(Box<Asked>),
    Candidates(Candidates),
}

#[derive(Debug, Clone, Deserialize)]
pub struct Candidates {
    pub chapter: ChapterNo,
    pub candidates: Vec<CandidateEntry>,
    pub best: Option<u32>,
}

#[derive(Debug, Clone, Deserialize)]
pub struct Asked {
    pub options: Vec<String>,
    pub recommendation: Option<String>,
    pub rationale: String,
    pub data: About,
}

#[derive(Debug, Clone, Deserialize)]
pub struct About {
    pub about: String,
    pub volume: Option<VolumeNo>,
    #[serde(skip)]
    pub names: Names,
    pub chapter: Option<ChapterNo>,
    pub title: Option<String>,
    #[serde(default)]
    pub violations: Vec<String>,
    #[serde(default)]
    pub issues: Vec<String>,
    #[serde(default)]
    pub flaws: Vec<String>,
    #[serde(default)]
    pub advice: Vec<String>,
    #[serde(default)]
    pub contracts: Vec<ContractChange>,
    #[serde(default)]
    pub cleanup: Vec<Leftover>,
    pub progress: Option<Progress>,
    pub preset: Option<String>,
    #[serde(default)]
    pub estimates: Vec<Estimate>,
    /// The words before the sections of a plan.
    #[serde(default)]
    pub preface: String,
    /// The chapters of a plan or of a volume.
    #[serde(default)]
    pub chapters: Vec<Section>,
}

#[derive(Debug, Clone, Deserialize)]
pub struct Estimate {
    pub cost_usd: Option<f64>,
}

#[derive(Debug, Clone, Deserialize)]
pub struct Section {
    #[serde(alias = "number")]
    pub chapter: ChapterNo,
    pub title: String,
    #[serde(default)]
    pub conflict: String,
    pub score: Option<f64>,
}

/// Of `novel show`.
#[derive(Debug, Clone, Deserialize)]
pub struct Text {
    /// The file, in the book's folder.
    pub path: String,
    pub text: String,
}

/// Of `novel diff`.
#[derive(Debug, Clone, Deserialize)]
pub struct Compared {
    pub old: String,
    pub new: String,
    pub hunks: Vec<Hunk>,
}

#[derive(Debug, Clone, Deserialize)]
pub struct Hunk {
    pub ops: Vec<Op>,
}

/// A piece of text that stays, goes or comes, or a sentence that changes within.
#[derive(Debug, Clone, Deserialize)]
#[serde(tag = "op", rename_all = "snake_case")]
pub enum Op {
    Equal { text: String },
    Delete { text: String },
    Insert { text: String },
    Replace { parts: Vec<Op> },
}

/// Of `novel rollback --dry-run`.
#[derive(Debug, Clone, Deserialize)]
pub struct Leaving {
    pub what: String,
    pub leaving: Vec<Transaction>,
}

#[derive(Debug, Clone, Deserialize)]
pub struct Transaction {
    pub commit: String,
    pub subject: String,
}

/// The document that ends a command which failed.
#[derive(Debug, Clone, Deserialize)]
pub struct Failed {
    pub error: Failure,
}

impl Failed {
    /// A failure of the server's own, in words.
    pub fn of(message: String) -> Self {
        Self { error: Failure { message, causes: Vec::new(), hints: Vec::new() } }
    }
}

#[derive(Debug, Clone, Deserialize)]
pub struct Failure {
    pub message: String,
    #[serde(default)]
    pub causes: Vec<String>,
    #[serde(default)]
    pub hints: Vec<String>,
}
