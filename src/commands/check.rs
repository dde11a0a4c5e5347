//! `novel check`: examines chapters against the book's records.

use crate::commands::prelude::*;
use crate::pipeline::book::hand_edits;
use crate::pipeline::checks::consistency;
use crate::report::consistency::ConsistencyReport;
use crate::report::lists::Extent;
use crate::store::{Wanted, layout};

#[derive(Debug, Clone, clap::Args)]
pub(crate) struct CheckArgs {
    #[arg(value_name = "FIRST_CHAPTER", value_parser = value_parsers::chapter)]
    pub(crate) from: Option<ChapterNo>,
    #[arg(value_name = "LAST_CHAPTER", value_parser = value_parsers::chapter)]
    pub(crate) to: Option<ChapterNo>,
    #[arg(long)]
    pub(crate) all: bool,
}

/// The exit code says whether anything was found.
pub(crate) fn run(app: &mut App, args: &CheckArgs) -> Result<Exit, Failure> {
    if let (Some(first), Some(last)) = (args.from, args.to)
        && last < first
    {
        return Err(Failure::usage(both!(last_chapter_comes_before_first(first, last))));
    }
    let book = app.book()?;
    let edits = hand_edits::uncommitted(&book, Wanted::of(&layout::is_book_path))?;
    if !edits.is_empty() {
        app.ui.say(&Both::of(|lang| {
            let list = listed(edits.iter().map(|edit| edit.path.as_str()), lang);
            say!(lang, changes_that_are_not_committed_are_not(list))
        }))?;
    }
    let report = ConsistencyReport::of(&consistency::examine(&book, args.from, args.to)?, app.ui.lang());
    app.ui.show_paged(&report, |lang, _| report.text(lang, Extent::from(args.all)))?;
    Ok(if report.findings.is_empty() { Exit::Done } else { Exit::No })
}
