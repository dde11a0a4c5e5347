//! `novel state`: the facts of the story, now or at a chapter.

use super::cli::value_parsers::FactAt;
use crate::commands::prelude::*;
use crate::pipeline::book::facts;
use crate::report::facts::StateReport;

#[derive(Debug, Clone, clap::Args)]
pub(crate) struct StateArgs {
    #[arg(value_name = "FACT@TIME", default_value = "@", hide_default_value = true)]
    pub(crate) fact: FactAt,
}

pub(crate) fn run(app: &mut App, args: &StateArgs) -> Result<Exit, Failure> {
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
