//! `novel blame`: the origin of a fact.

use crate::commands::prelude::*;
use crate::pipeline::book::facts;
use crate::report::facts::BlameReport;

#[derive(Debug, Clone, clap::Args)]
pub(crate) struct BlameArgs {
    #[arg(value_name = "FACT", value_parser = value_parsers::fact)]
    pub(crate) fact: String,
}

pub(crate) fn run(app: &mut App, args: &BlameArgs) -> Result<Exit, Failure> {
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
