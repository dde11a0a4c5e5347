//! `novel history`: every change of a fact.

use crate::commands::prelude::*;
use crate::pipeline::book::facts;
use crate::report::facts::HistoryReport;

#[derive(Debug, Clone, clap::Args)]
pub(crate) struct HistoryArgs {
    #[arg(value_name = "FACT", value_parser = value_parsers::fact)]
    pub(crate) fact: String,
    #[arg(short = 'n', long = "number", value_name = "COUNT", value_parser = value_parsers::count, default_value = "30")]
    pub(crate) number: u32,
}

pub(crate) fn run(app: &mut App, args: &HistoryArgs) -> Result<Exit, Failure> {
    let book = app.book()?;
    let report = HistoryReport::of(facts::history(&book, &args.fact, args.number as usize)?);
    app.ui.show_paged(&report, |lang, _| report.text(lang))
}
