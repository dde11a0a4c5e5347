//! `novel revision`: revisions of chapters that contradict the records.

use crate::commands::r#continue;
use crate::commands::prelude::*;
use crate::pipeline::chapter::revision::{self, Approval, RevisionOrder};
use crate::pipeline::chapter::write::ChapterOutcome;
use crate::report::decision::NothingWaits;
use crate::report::diff::{Detail, Marks};
use crate::report::revision::{RevisionMade, RevisionReport};

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
struct RevisionResult {
    chapter: u32,
    /// `accepted` or `rejected`.
    status: &'static str,
    next: &'static str,
}

pub(crate) fn run(app: &mut App, args: &RevisionArgs) -> Result<Exit, Failure> {
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
    let (examination, fates) =
        app.plan(book, asking, "revision make", async |run| revision::revise_chapters(run, order).await)?;
    let made = RevisionMade::of(&examination, &fates);
    app.ui.event(&made, |lang, _| made.text(lang))?;
    if fates.iter().any(|(_, fate)| matches!(fate, ChapterOutcome::Paused(_))) {
        r#continue::show_question(app, book)?;
        return Ok(Exit::Decide);
    }
    Ok(Exit::Done)
}

fn accept(app: &mut App, book: &Book) -> Result<Exit, Failure> {
    let chapter = app.write(book, "revision", revision::accept_revision)?;
    let decided = RevisionResult { chapter: chapter.get(), status: "accepted", next: "novel continue" };
    app.ui.show(&decided, |lang, _| say!(lang, takes_revision_next_novel_continue_commits(chapter)))
}

fn reject(app: &mut App, book: &Book) -> Result<Exit, Failure> {
    let chapter = app.write(book, "revision", revision::reject_revision)?;
    let decided = RevisionResult { chapter: chapter.get(), status: "rejected", next: "novel continue" };
    app.ui.show(&decided, |lang, _| say!(lang, stays_as_it_is_revision_is(chapter)))
}
