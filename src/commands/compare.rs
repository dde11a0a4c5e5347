//! `novel compare`: two branches, or two texts of a chapter, side by side.

use crate::commands::prelude::*;
use crate::pipeline::book::compare;
use crate::report::compare::ComparisonReport;
use crate::report::diff::Marks;

#[derive(Debug, Clone, clap::Args)]
pub(crate) struct CompareArgs {
    #[arg(value_name = "VERSION")]
    pub(crate) a: String,
    #[arg(value_name = "VERSION")]
    pub(crate) b: Option<String>,
    #[arg(long, value_name = "CHAPTER", value_parser = value_parsers::chapter)]
    pub(crate) chapter: Option<ChapterNo>,
}

pub(crate) fn run(app: &mut App, args: &CompareArgs) -> Result<Exit, Failure> {
    let book = app.book()?;
    let comparison = compare::compare(&book, &args.a, args.b.as_deref(), args.chapter)?;
    let report = ComparisonReport::of(&comparison);
    let marks = if app.ui.has_colour() { Marks::Colour } else { Marks::Plain };
    app.ui.show_paged(&report, |lang, columns| report.text(lang, columns, marks))
}
