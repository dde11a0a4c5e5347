//! `novel check`: examines chapters against the book's records.
//! `novel waive`: accepts findings as intended.
//! `novel revision`: revisions of chapters that contradict the records.

use crate::commands::r#continue;
use crate::commands::prelude::*;
use crate::domain::chapter::FindingId;
use crate::pipeline::book::hand_edits;
use crate::pipeline::chapter::revision::{self, Approval, RevisionOrder};
use crate::pipeline::chapter::write::ChapterOutcome;
use crate::pipeline::checks::consistency;
use crate::report::consistency::{ConsistencyReport, RevisionMade, RevisionReport};
use crate::report::decision::NothingWaits;
use crate::report::diff::{Detail, Marks};
use crate::report::waivers::WaiversReport;
use crate::report::words::Extent;
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
        Some(reason) => app.write(&book, "waive", |run| run.waive(&args.findings, reason))?,
        None if args.remove => app.write(&book, "waive", |run| run.unwaive(&args.findings))?,
        None => {
            let report = WaiversReport::of(consistency::waivers(&book)?);
            return app.ui.show_paged(&report, |lang, columns| report.text(lang, columns));
        }
    };
    match done {
        Some(done) => app.show_done(&done),
        None => app.ui.say(&both!(waived_already_for_same_reason)).map(|()| Exit::Done),
    }
}

#[derive(Debug, Clone, clap::Args)]
pub(crate) struct RevisionArgs {
    /// The action; without one, the revision that waits is shown
    #[command(subcommand)]
    pub(crate) action: Option<RevisionAction>,
}

#[derive(Debug, Clone, clap::Subcommand)]
pub(crate) enum RevisionAction {
    Make {
        #[arg(value_name = "FIRST_CHAPTER", value_parser = value_parsers::chapter)]
        from: Option<ChapterNo>,
        #[arg(value_name = "LAST_CHAPTER", value_parser = value_parsers::chapter)]
        to: Option<ChapterNo>,
        #[arg(long)]
        doubts: bool,
        #[arg(long)]
        apply: bool,
        #[command(flatten)]
        asking: AskingArgs,
    },
    Show,
    Accept,
    Reject,
}

#[derive(Serialize)]
struct Decided {
    chapter: u32,
    /// `accepted` or `rejected`.
    status: &'static str,
    next: &'static str,
}

pub(crate) fn revise(app: &mut App, args: &RevisionArgs) -> Result<Exit, Failure> {
    let book = app.book()?;
    match &args.action {
        None | Some(RevisionAction::Show) => show(app, &book),
        Some(RevisionAction::Make { from, to, doubts, apply, asking }) => {
            let approval = if *apply { Approval::Gate } else { Approval::Author };
            make(app, &book, asking, &RevisionOrder { from: *from, to: *to, doubts: *doubts, approval })
        }
        Some(RevisionAction::Accept) => accept(app, &book),
        Some(RevisionAction::Reject) => reject(app, &book),
    }
}

fn show(app: &mut App, book: &Book) -> Result<Exit, Failure> {
    let Some(waiting) = revision::waiting(book)? else {
        let nothing = NothingWaits::Revision;
        return app.ui.show(&nothing, |lang, _| nothing.text(lang));
    };
    let report = RevisionReport::of(&waiting);
    let marks = if app.ui.has_colour() { Marks::Colour } else { Marks::Plain };
    app.ui.show_paged(&report, |lang, _| report.text(lang, Detail::Words, marks))
}

fn make(app: &mut App, book: &Book, asking: &AskingArgs, order: &RevisionOrder) -> Result<Exit, Failure> {
    app.streams = true;
    let (examination, fates) = app.plan(book, asking, "revision make", async |revise| revise.revise(order).await)?;
    let made = RevisionMade::of(&examination, &fates);
    app.ui.event(&made, |lang, _| made.text(lang))?;
    if fates.iter().any(|(_, fate)| matches!(fate, ChapterOutcome::Paused(_))) {
        r#continue::show_question(app, book)?;
        return Ok(Exit::Decide);
    }
    Ok(Exit::Done)
}

fn accept(app: &mut App, book: &Book) -> Result<Exit, Failure> {
    let chapter = app.write(book, "revision", |revise| revise.accept_revision())?;
    let decided = Decided { chapter: chapter.get(), status: "accepted", next: "novel continue" };
    app.ui.show(&decided, |lang, _| say!(lang, takes_revision_next_novel_continue_commits(chapter)))
}

fn reject(app: &mut App, book: &Book) -> Result<Exit, Failure> {
    let chapter = app.write(book, "revision", |revise| revise.reject_revision())?;
    let decided = Decided { chapter: chapter.get(), status: "rejected", next: "novel continue" };
    app.ui.show(&decided, |lang, _| say!(lang, stays_as_it_is_revision_is(chapter)))
}
