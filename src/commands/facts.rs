//! `novel state`: the facts of the story, now or at a chapter.
//! `novel history`: every change of a fact.
//! `novel blame`: the origin of a fact.

use crate::commands::cli::value_parsers::FactAt;
use crate::commands::prelude::*;
use crate::pipeline::book::facts;
use crate::report::facts::{BlameReport, HistoryReport, StateReport};

#[derive(Debug, Clone, clap::Args)]
pub(crate) struct StateArgs {
    #[arg(value_name = "FACT@TIME", default_value = "@", hide_default_value = true)]
    pub(crate) fact: FactAt,
}

pub(crate) fn state(app: &mut App, args: &StateArgs) -> Result<Exit, Failure> {
    let book = app.book()?;
    let found = facts::state(&book, args.fact.fact.as_deref(), &args.fact.when)?;
    let report = StateReport::of(found);
    if report.value.is_none() && !app.ui.is_json() {
        let fact = report.fact.unwrap_or_default();
        app.ui.say(&match report.chapter {
            Some(chapter) => both!(there_is_no_at(fact, chapter)),
            None => both!(there_is_no_before_first_chapter(fact)),
        })?;
        app.ui.say(&both!(novel_history_lists_its_changes(fact)))?;
        return Ok(Exit::No);
    }
    let ids = app.ids();
    app.ui.show_paged(&report, |lang, _| report.text(lang, ids))?;
    if report.differs_from_commit && !app.ui.is_json() {
        let fact = report.fact.clone().unwrap_or_default();
        app.ui.warn(&both!(earlier_chapter_has_been_written_again(fact, commit = report.commit.short())))?;
    }
    Ok(if report.value.is_none() { Exit::No } else { Exit::Done })
}

#[derive(Debug, Clone, clap::Args)]
pub(crate) struct HistoryArgs {
    #[arg(value_name = "FACT", value_parser = value_parsers::fact)]
    pub(crate) fact: String,
    #[arg(short = 'n', long = "number", value_name = "COUNT", value_parser = value_parsers::count, default_value = "30")]
    pub(crate) number: u32,
}

pub(crate) fn history(app: &mut App, args: &HistoryArgs) -> Result<Exit, Failure> {
    let book = app.book()?;
    let report = HistoryReport::of(facts::history(&book, &args.fact, args.number as usize)?);
    app.ui.show_paged(&report, |lang, _| report.text(lang))
}

#[derive(Debug, Clone, clap::Args)]
pub(crate) struct BlameArgs {
    #[arg(value_name = "FACT", value_parser = value_parsers::fact)]
    pub(crate) fact: String,
}

pub(crate) fn blame(app: &mut App, args: &BlameArgs) -> Result<Exit, Failure> {
    let book = app.book()?;
    let (fact, blamed) = facts::blame(&book, &args.fact)?;
    let report = BlameReport::of(&fact, blamed);
    let is_gone = report.lines.is_empty();
    if is_gone && !app.ui.is_json() {
        app.ui.say(&both!(there_is_no_any_more_novel(fact)))?;
        return Ok(Exit::No);
    }
    app.ui.show_paged(&report, |lang, _| report.text(lang))?;
    Ok(if is_gone { Exit::No } else { Exit::Done })
}
