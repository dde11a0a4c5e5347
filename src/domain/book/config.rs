//! The values of `novel.toml`, which make the book reproducible. Keys and endpoints are never among them.

use crate::domain::book::lang::Lang;
use crate::domain::chapter::gate::Thresholds;
use crate::domain::named::named;
use std::collections::BTreeMap;

named! {
    /// Four of the agents work on every chapter, three plan.
    pub enum Agent {
        Writer = "writer",
        /// Summarises a chapter and extracts what it changes.
        Summarizer = "summarizer",
        /// Takes machine-made traces out of the prose.
        Refiner = "refiner",
        /// Checks contracts and scores.
        Judge = "judge",
        /// Draws directives from style samples.
        StyleAnalyzer = "style-analyzer",
        /// Builds the world: rules and pages.
        WorldBuilder = "world-builder",
        CharacterWeaver = "character-weaver",
        PlotArchitect = "plot-architect",
    }
}

named! {
    /// A class of models; the user's settings say which model has it.
    pub enum ModelTier {
        /// For most of the work.
        Standard = "standard",
        /// For revisions and delicate work.
        Strong = "strong",
    }
}

/// The purpose of a call, which decides whether a model set for the agent counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ModelRole {
    /// The agent's usual work: the agent's own model counts.
    Usual(ModelTier),
    /// Work for which the book has a revision role (revisions, rewrites, the second judge): if that role is the strong
    /// one, no other model takes its place.
    Revision(ModelTier),
}

impl ModelRole {
    pub fn role(self) -> ModelTier {
        match self {
            Self::Usual(role) | Self::Revision(role) => role,
        }
    }

    /// True when a model of the agent's own counts.
    pub fn takes_own(self) -> bool {
        self != Self::Revision(ModelTier::Strong)
    }
}

impl From<ModelTier> for ModelRole {
    fn from(role: ModelTier) -> Self {
        Self::Usual(role)
    }
}

named! {
    /// The answer of a run to chapters that contradict the records, found by the check after every tenth chapter (row
    /// R29).
    pub enum RevisionPolicy {
        /// The run stops with a message.
        None = "none",
        /// The strong model revises the chapters, and revisions that pass the gate are accepted.
        AutoApply = "auto_apply",
        /// The strong model revises the chapters, and each revision waits for the author.
        ManualConfirm = "manual_confirm",
    }
}

/// How the book is shared between devices.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SyncSettings {
    /// The name of one of the user's remotes, never an address; empty for that of the last sync.
    pub remote: String,
    /// Sync before and after each run.
    pub auto: bool,
    /// Take a lease on the remote before an agent is called.
    pub lease: bool,
    /// Minutes until a lease ends without renewal.
    pub lease_minutes: u32,
    /// Stop a run when the remote is out of reach.
    pub required: bool,
}

impl Default for SyncSettings {
    fn default() -> Self {
        Self { remote: String::new(), auto: false, lease: true, lease_minutes: 30, required: false }
    }
}

#[derive(Debug, Clone, PartialEq)]
pub struct BookConfig {
    pub title: String,
    /// The name for the title page; may be empty.
    pub author: String,
    pub genre: String,
    /// The language of commit subjects.
    pub language: Lang,
    /// Of how many chapters, the last ones, the recorded calls are kept; `None` for all.
    pub keep_calls: Option<u32>,
    /// The fewest words of a chapter (Han characters and Latin words).
    pub min_words: u32,
    pub max_words: u32,
    pub gate: Thresholds,
    /// The share of a chapter that the refiner may change, 0 to 1 (row R21: 0.15).
    pub max_refinement: f64,
    /// Agents without an entry have the default role.
    pub roles: BTreeMap<Agent, ModelTier>,
    /// The role for revisions, rewrites, and the second judge of key chapters.
    pub revision_role: ModelTier,
    pub revision_policy: RevisionPolicy,
    /// Chapters are written by the built-in offline writer.
    pub offline: bool,
    /// The largest prompt of an ordinary chapter, in estimated tokens (row R23: 25,000).
    pub context_tokens: u32,
    /// The largest prompt of a convergence chapter (row R23: 30,000).
    pub convergence_context_tokens: u32,
    /// The number of chapters whose ledger entries agents and planners get; 0 for none.
    pub memory_chapters: u32,
    /// Chapters are planned and written scene by scene (row R28).
    pub scene_mode: bool,
    /// The cost in US dollars that a run may not exceed, unless a flag says otherwise.
    pub budget_usd: Option<f64>,
    /// The budget in yuan, instead of dollars.
    pub budget_cny: Option<f64>,
    pub sync: SyncSettings,
}

impl Default for BookConfig {
    fn default() -> Self {
        Self {
            title: String::new(),
            author: String::new(),
            genre: String::new(),
            language: Lang::default(),
            keep_calls: None,
            min_words: 2500,
            max_words: 3500,
            gate: Thresholds::default(),
            max_refinement: 0.15,
            roles: BTreeMap::new(),
            revision_role: ModelTier::Strong,
            revision_policy: RevisionPolicy::None,
            offline: false,
            context_tokens: 25_000,
            convergence_context_tokens: 30_000,
            memory_chapters: 5,
            scene_mode: false,
            budget_usd: None,
            budget_cny: None,
            sync: SyncSettings::default(),
        }
    }
}

impl BookConfig {
    /// The model role of an agent. By default planners, the refiner and the style analyzer have the strong one (product
    /// document §4.3).
    pub fn role(&self, agent: Agent) -> ModelTier {
        self.roles.get(&agent).copied().unwrap_or(match agent {
            Agent::Refiner
            | Agent::StyleAnalyzer
            | Agent::WorldBuilder
            | Agent::CharacterWeaver
            | Agent::PlotArchitect => ModelTier::Strong,
            Agent::Writer | Agent::Summarizer | Agent::Judge => ModelTier::Standard,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_strong_revision_passes_over_an_agent_s_own_model() {
        for tier in [ModelTier::Standard, ModelTier::Strong] {
            assert!(ModelRole::Usual(tier).takes_own());
        }
        assert!(ModelRole::Revision(ModelTier::Standard).takes_own());
        assert!(!ModelRole::Revision(ModelTier::Strong).takes_own());
    }
}
