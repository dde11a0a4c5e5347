//! `novel context`: shows what an agent is told of the book.

use super::values;
use crate::domain::ChapterNo;
use crate::domain::config::Agent;

/// The agents that work on every chapter.
const AGENTS: [Agent; 4] = [Agent::Writer, Agent::Summarizer, Agent::Refiner, Agent::Judge];

/// Show the exact prompt of an agent and what it is made of
#[derive(Debug, Clone, clap::Args)]
pub(crate) struct ContextArgs {
    /// The chapter
    #[arg(value_name = "CHAPTER", value_parser = values::chapter)]
    pub(crate) chapter: ChapterNo,
    /// The agent
    #[arg(
        long,
        value_name = "AGENT",
        default_value = "writer",
        value_parser = values::one_of::<Agent>(AGENTS.iter().map(|agent| agent.as_str()))
    )]
    pub(crate) agent: Agent,
    /// Only the prompt, exactly as it is sent
    #[arg(long, conflicts_with = "breakdown")]
    pub(crate) prompt: bool,
    /// Only the breakdown
    #[arg(long)]
    pub(crate) breakdown: bool,
}
