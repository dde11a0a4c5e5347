//! The settings that make the book reproducible: the values of `novel.toml`. Keys and endpoints are never among them.

use crate::domain::book::lang::Lang;
use crate::domain::chapter::gate::Thresholds;
use crate::domain::named::named;
use std::collections::BTreeMap;

named! {
    /// The agents. Four of them work on every chapter, three plan.
    pub enum Agent {
        /// Writes and revises chapters.
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
        /// Makes and changes characters.
        CharacterWeaver = "character-weaver",
        /// Plans volumes.
        PlotArchitect = "plot-architect",
    }
}

named! {
    /// How able a model is asked for; the user's settings say which model that is.
    pub enum ModelTier {
        /// For the bulk of the work.
        Standard = "standard",
        /// For revisions and for what needs a fine ear.
        Strong = "strong",
    }
}

/// For what an agent is asked: that decides whether a model that the user has set for the agent counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ModelRole {
    /// Its usual work: the agent's own model counts, whatever the role.
    Usual(ModelTier),
    /// Work for which the book has a role of revision (revisions, rewrites, the second judge): if that role is the
    /// strong one, no other model takes its place.
    Revision(ModelTier),
}

impl ModelRole {
    /// How able a model is asked for.
    #[must_use]
    pub fn role(self) -> ModelTier {
        match self {
            Self::Usual(role) | Self::Revision(role) => role,
        }
    }

    /// Whether a model of the agent's own counts.
    #[must_use]
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
    /// The answer of a run to chapters that contradict the records, once the check after every tenth chapter has found them
    /// (row R29).
    pub enum RevisionPolicy {
        /// It stops and says so.
        None = "none",
        /// The strong model revises them; what passes the gate is in the book.
        AutoApply = "auto_apply",
        /// The strong model revises them, and each revision waits for the author.
        ManualConfirm = "manual_confirm",
    }
}

/// How the book is shared with other devices.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SyncSettings {
    /// The name of one of the user's own remotes; empty for the one of the last sync. Never an address.
    pub remote: String,
    /// Whether runs sync before they begin and after they end.
    pub auto: bool,
    /// Whether a lease is taken on the remote before an agent is asked.
    pub lease: bool,
    /// How long a lease lasts without being renewed, in minutes.
    pub lease_minutes: u32,
    /// Whether a run stops when the remote is out of reach.
    pub required: bool,
}

impl Default for SyncSettings {
    fn default() -> Self {
        Self { remote: String::new(), auto: false, lease: true, lease_minutes: 30, required: false }
    }
}

/// The book's own settings.
#[derive(Debug, Clone, PartialEq)]
pub struct BookConfig {
    pub title: String,
    /// The author's name for the title page; may be empty.
    pub author: String,
    /// Genre, as the author calls it.
    pub genre: String,
    /// The language of the subjects of its commits.
    pub language: Lang,
    /// The fewest words a chapter should have (Han characters and Latin words).
    pub min_words: u32,
    /// The most words a chapter should have.
    pub max_words: u32,
    pub gate: Thresholds,
    /// The refiner may change this share of a chapter, 0 to 1 (row R21: 0.15).
    pub max_refinement: f64,
    /// Which model role an agent has; agents that are not named have the default.
    pub roles: BTreeMap<Agent, ModelTier>,
    /// The role that revises and rewrites, and the second judge of key chapters.
    pub revision_role: ModelTier,
    /// The answer to chapters that contradict the records.
    pub revision_policy: RevisionPolicy,
    /// Whether chapters are written by the built-in offline writer.
    pub offline: bool,
    /// The largest prompt of an ordinary chapter, in estimated tokens (row R23: 25,000).
    pub context_tokens: u32,
    /// The largest prompt of a convergence chapter (row R23: 30,000).
    pub convergence_context_tokens: u32,
    /// Of how many chapters before a chapter the ledger is shown to its agents and to planners; 0 for none.
    pub memory_chapters: u32,
    /// Whether chapters are planned and written scene by scene (row R28).
    pub scene_mode: bool,
    /// Stop a run before it has cost that much, in US dollars, unless a flag says otherwise.
    pub budget_usd: Option<f64>,
    /// The budget in yuan, in place of dollars.
    pub budget_cny: Option<f64>,
    /// How the book is shared with other devices.
    pub sync: SyncSettings,
}

impl Default for BookConfig {
    fn default() -> Self {
        Self {
            title: String::new(),
            author: String::new(),
            genre: String::new(),
            language: Lang::default(),
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
    /// The model role of an agent: planners, the refiner and the style analyzer are worth the better one (product document
    /// §4.3).
    #[must_use]
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
