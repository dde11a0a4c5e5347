//! `novel check`: examines chapters against the book's records.
//! `novel waive`: accepts findings as intended.

use crate::commands::answers;
use crate::commands::prelude::*;
use crate::domain::chapter::FindingId;
use crate::pipeline::book::hand_edits;
use crate::pipeline::checks::consistency;
use crate::report::consistency::{ConsistencyReport, WaiversReport};
use crate::report::words::{self, Extent};
use crate::store::{EntryFilter, layout};

#[derive(Debug, Clone, clap::Args)]
pub(crate) struct CheckArgs {
    #[arg(value_name = "FIRST_CHAPTER", value_parser = value_parsers::chapter)]
    pub(crate) from: Option<ChapterNo>,
    #[arg(value_name = "LAST_CHAPTER", value_parser = value_parsers::chapter)]
    pub(crate) to: Option<ChapterNo>,
    #[arg(long)]
    pub(crate) all: bool,
}

pub(crate) fn run(app: &mut App, args: &CheckArgs) -> Result<Exit, Failure> {
    if let (Some(first), Some(last)) = (args.from, args.to)
        && last < first
    {
        return Err(Failure::usage(both!(last_chapter_comes_before_first(first, last))));
    }
    let book = app.book()?;
    let edits = hand_edits::uncommitted(&book, EntryFilter::of(&layout::is_book_path))?;
    if !edits.is_empty() {
        app.ui.say(&Both::of(|lang| {
            let list = listed(edits.iter().map(|edit| edit.path.as_str()), lang);
            say!(lang, changes_that_are_not_committed_are_not(list))
        }))?;
    }
    let examination = consistency::examine(&book, args.from, args.to)?;
    if !examination.unread.is_empty() {
        app.ui.say(&both!(lang, unread_chapters_are_not_checked(list = words::chapters(&examination.unread, lang))))?;
    }
    let report = ConsistencyReport::of(&examination, app.ui.lang());
    app.ui.show_paged(&report, |lang, _| report.text(lang, Extent::from(args.all)))?;
    Ok(if report.findings.is_empty() { Exit::Done } else { Exit::No })
}

#[derive(Debug, Clone, clap::Args)]
pub(crate) struct WaiveArgs {
    #[arg(value_name = "FINDING", value_parser = value_parsers::finding, requires = "how")]
    pub(crate) findings: Vec<FindingId>,
    #[arg(long, value_name = "TEXT", value_parser = value_parsers::line, group = "how", requires = "findings")]
    pub(crate) reason: Option<String>,
    #[arg(long, group = "how", requires = "findings")]
    pub(crate) remove: bool,
}

pub(crate) fn waive(app: &mut App, args: &WaiveArgs) -> Result<Exit, Failure> {
    let book = app.book()?;
    let done = match &args.reason {
        Some(reason) => app.write(&book, "waive", |run| consistency::waive(run, &args.findings, reason))?,
        None if args.remove => app.write(&book, "waive", |run| consistency::unwaive(run, &args.findings))?,
        None => {
            let report = WaiversReport::of(consistency::waivers(&book)?);
            return app.ui.show_paged(&report, |lang, columns| report.text(lang, columns));
        }
    };
    match done {
        Some(done) => answers::show_done(app, &done),
        None => app.ui.say(&both!(waived_already_for_same_reason)).map(|()| Exit::Done),
    }
}
