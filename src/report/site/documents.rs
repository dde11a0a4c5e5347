//! The parts of the program's own JSON that the pages show. Fields that no page shows are left out.

use crate::domain::book::checkpoint::Phase;
use crate::domain::chapter::author_notes::Wish;
use crate::domain::state::cleanup::Leftover;
use crate::domain::{ChapterNo, VolumeNo};
use crate::pipeline::planning::approval::ContractChange;
use crate::report::decision::CandidateEntry;
use crate::report::journey::ReviewOpinion;
use crate::report::words::Names;
use serde::Deserialize;

/// Of `novel status`.
#[derive(Debug, Clone, Deserialize)]
pub struct StatusDoc {
    pub title: String,
    pub phase: Phase,
    pub last_completed: u32,
    pub inflight: Option<InFlightDoc>,
    pub totals: TotalsDoc,
    pub pending: Vec<String>,
    pub wishes: Vec<Wish>,
    /// Files with changes that are in no commit.
    pub hand_edits: Vec<String>,
    pub problems: Vec<ProblemDoc>,
    pub obstacle: Option<String>,
    pub writer: Option<String>,
    pub chapters: Vec<ChapterDoc>,
    pub unwritten: Vec<Unwritten>,
    pub steps: Vec<StepDoc>,
    pub next: String,
}

impl StatusDoc {
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
pub struct StepDoc {
    pub done: bool,
}

#[derive(Debug, Clone, Deserialize)]
pub struct InFlightDoc {
    pub chapter: ChapterNo,
    pub title: String,
}

#[derive(Debug, Clone, Deserialize)]
pub struct TotalsDoc {
    pub words: u64,
    pub score_average: Option<f64>,
    pub known_cost_usd: f64,
}

#[derive(Debug, Clone, Deserialize)]
pub struct ProblemDoc {
    pub path: String,
    pub what: String,
}

#[derive(Debug, Clone, Deserialize)]
pub struct ChapterDoc {
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
pub enum ChoiceDoc {
    Question(Box<QuestionDoc>),
    Candidates(CandidatesDoc),
}

#[derive(Debug, Clone, Deserialize)]
pub struct CandidatesDoc {
    pub chapter: ChapterNo,
    pub candidates: Vec<CandidateEntry>,
    pub best: Option<u32>,
}

#[derive(Debug, Clone, Deserialize)]
pub struct QuestionDoc {
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
    pub progress: Option<ReviewOpinion>,
    pub preset: Option<String>,
    #[serde(default)]
    pub estimates: Vec<EstimateDoc>,
    /// The words before the sections of a plan.
    #[serde(default)]
    pub preface: String,
    /// The chapters of a plan or of a volume.
    #[serde(default)]
    pub chapters: Vec<SectionDoc>,
}

#[derive(Debug, Clone, Deserialize)]
pub struct EstimateDoc {
    pub cost_usd: Option<f64>,
}

#[derive(Debug, Clone, Deserialize)]
pub struct SectionDoc {
    #[serde(alias = "number")]
    pub chapter: ChapterNo,
    pub title: String,
    #[serde(default)]
    pub conflict: String,
    pub score: Option<f64>,
}

/// Of `novel show`.
#[derive(Debug, Clone, Deserialize)]
pub struct TextDoc {
    /// The file, in the book's folder.
    pub path: String,
    pub text: String,
}

/// Of `novel diff`.
#[derive(Debug, Clone, Deserialize)]
pub struct DiffDoc {
    pub old: String,
    pub new: String,
    pub hunks: Vec<HunkDoc>,
}

#[derive(Debug, Clone, Deserialize)]
pub struct HunkDoc {
    pub ops: Vec<PieceDoc>,
}

/// A piece of text that stays, goes or comes, or a sentence that changes within.
#[derive(Debug, Clone, Deserialize)]
#[serde(tag = "op", rename_all = "snake_case")]
pub enum PieceDoc {
    Equal { text: String },
    Delete { text: String },
    Insert { text: String },
    Replace { parts: Vec<PieceDoc> },
}

/// Of `novel rollback --dry-run`.
#[derive(Debug, Clone, Deserialize)]
pub struct RollbackDoc {
    pub what: String,
    pub leaving: Vec<TransactionDoc>,
}

#[derive(Debug, Clone, Deserialize)]
pub struct TransactionDoc {
    pub commit: String,
    pub subject: String,
}

/// The document that ends a command which failed.
#[derive(Debug, Clone, Deserialize)]
pub struct ErrorDoc {
    pub error: FailureDoc,
}

impl ErrorDoc {
    /// A failure of the server's own, in words.
    pub fn of(message: String) -> Self {
        Self { error: FailureDoc { message, causes: Vec::new(), hints: Vec::new() } }
    }
}

#[derive(Debug, Clone, Deserialize)]
pub struct FailureDoc {
    pub message: String,
    #[serde(default)]
    pub causes: Vec<String>,
    #[serde(default)]
    pub hints: Vec<String>,
}
