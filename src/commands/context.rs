//! `novel context`: shows the prompt of an agent.

use crate::commands::prelude::*;
use crate::llm;
use crate::pipeline::book::hand_edits;
use crate::pipeline::chapter::preview;
use crate::report::context::{ContextPart, ContextReport};
use crate::store::{EntryFilter, layout};

/// The agents that work on every chapter.
const AGENTS: [Agent; 4] = [Agent::Writer, Agent::Summarizer, Agent::Refiner, Agent::Judge];

#[derive(Debug, Clone, clap::Args)]
pub(crate) struct ContextArgs {
    #[arg(value_name = "CHAPTER", value_parser = value_parsers::chapter)]
    pub(crate) chapter: ChapterNo,
    #[arg(
        long,
        value_name = "AGENT",
        default_value = "writer",
        value_parser = value_parsers::one_of::<Agent>(AGENTS.iter().map(|agent| agent.as_str()))
    )]
    pub(crate) agent: Agent,
    #[arg(long, conflicts_with = "breakdown")]
    pub(crate) prompt: bool,
    #[arg(long)]
    pub(crate) breakdown: bool,
}

pub(crate) fn run(app: &mut App, args: &ContextArgs) -> Result<Exit, Failure> {
    let book = app.book()?;
    let prompt = preview::prompt(&book, args.chapter, args.agent)?;
    let before = match args.chapter.previous() {
        Some(previous) => preview::prompt(&book, previous, args.agent).ok().map(|prompt| prompt.full_text()),
        None => None,
    };
    if book.chapter_commit(args.chapter)?.is_none() {
        let foreseen = preview::foreseen(&book)?;
        if foreseen.contracts > 0 {
            app.ui.say(&both!(contracts_would_follow_plans(count = foreseen.contracts)))?;
        }
        if let Some(error) = foreseen.stops {
            let failure = Failure::from(error);
            app.ui.warn(&Both::of(|lang| failure.message(lang).to_owned()))?;
        }
    }
    let text = prompt.full_text();
    let shared = before.map_or(0, |before| shared_prefix(&before, &text));
    let cuts = &prompt.breakdown.cuts;
    let report = ContextReport {
        chapter: args.chapter,
        agent: args.agent,
        budget_tokens: prompt.breakdown.limit.unwrap_or(0).into(),
        parts: prompt
            .breakdown
            .entries
            .iter()
            .map(|entry| ContextPart { name: entry.name.clone(), tokens: entry.tokens.into(), note: String::new() })
            .collect(),
        left_out: cuts.clone(),
        stable_tokens: llm::estimate(&text[..shared]),
        system: prompt.system.clone(),
        user: prompt.parts.iter().map(|part| part.text.as_str()).collect(),
    };
    app.ui.print_paged(&report, |lang, columns| {
        let mut out = String::new();
        if !args.prompt {
            out.push_str(&report.breakdown(lang, columns));
        }
        if !args.prompt && !args.breakdown {
            out.push('\n');
        }
        if !args.breakdown {
            out.push_str(&report.prompt(lang));
        }
        out
    })
}

/// Says which changes of the author's are in no commit, and so not in what the command shows.
pub(super) fn tell_left_out(app: &mut App, book: &Book) -> Result<(), Failure> {
    let edits = hand_edits::uncommitted(book, EntryFilter::of(&layout::is_book_path))?;
    if !edits.is_empty() {
        app.ui.say(&Both::of(|lang| {
            let list = listed(edits.iter().map(|edit| edit.path.as_str()), lang);
            say!(lang, changes_that_are_not_committed_are_not_in(list))
        }))?;
    }
    Ok(())
}

/// The bytes that two texts share from the start, up to a character's edge.
fn shared_prefix(a: &str, b: &str) -> usize {
    b.char_indices().zip(a.chars()).find(|((_, x), y)| x != y).map_or(a.len().min(b.len()), |((at, _), _)| at)
}
