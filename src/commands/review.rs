//! `novel review`: the review of a volume, and the quality briefs.
//! `novel revision`: revisions of chapters that contradict the records.

use crate::commands::r#continue;
use crate::commands::prelude::*;
use crate::pipeline::RunError;
use crate::pipeline::book::names;
use crate::pipeline::chapter::revision::{self, Approval, RevisionOrder};
use crate::pipeline::chapter::write::ChapterOutcome;
use crate::pipeline::planning::review;
use crate::pipeline::planning::step::Existing;
use crate::pipeline::quality::{self, Recorded};
use crate::report::decision::NothingWaits;
use crate::report::diff::{Detail, Marks};
use crate::report::quality::{QualityReport, Review};
use crate::report::revision::{RevisionMade, RevisionReport};

#[derive(Debug, Clone, clap::Args)]
pub(crate) struct ReviewArgs {
    #[arg(value_name = "VOLUME", value_parser = value_parsers::line)]
    pub(crate) volume: Option<String>,
    #[arg(long)]
    pub(crate) force: bool,
    #[arg(
        long,
        value_name = "CHAPTER",
        num_args = 0..=1,
        value_parser = value_parsers::chapter,
        conflicts_with_all = ["volume", "force"]
    )]
    pub(crate) quality: Option<Option<ChapterNo>>,
    #[command(flatten)]
    pub(crate) asking: AskingArgs,
}

/// Makes the review first if necessary.
pub(crate) fn run(app: &mut App, args: &ReviewArgs) -> Result<Exit, Failure> {
    let book = app.book()?;
    if let Some(chapter) = args.quality {
        return show_brief(app, &book, chapter);
    }
    let volume = match &args.volume {
        Some(typed) => names::volume(&book, typed)?,
        None => present(&book)?,
    };
    if book.holder().is_none() {
        // Finishes an interrupted review if possible; a book can be read in any case.
        let _ = app.begin(&book, "review");
    }
    if let Some(reviewed) = review::current(&book, volume)?.filter(|_| !args.force) {
        let shown = Review::of(&reviewed, None);
        return app.ui.show_paged(&shown, |_, _| shown.text());
    }
    let done =
        app.plan(&book, &args.asking, "review", async |run| run.review(volume, Existing::from(args.force)).await)?;
    let reviewed = review::reviewed(&book, volume)?.ok_or(RunError::NoSuchVolume(volume))?;
    let shown = Review::of(&reviewed, Some(done.commit.into()));
    app.ui.event(&shown, |_, _| shown.text())
}

fn show_brief(app: &mut App, book: &Book, chapter: Option<ChapterNo>) -> Result<Exit, Failure> {
    let briefs = quality::briefs(book)?;
    let covers = |recorded: &Recorded, chapter| (recorded.brief.first..=recorded.brief.last).contains(&chapter);
    let at = match chapter {
        Some(chapter) => briefs.iter().rposition(|recorded| covers(recorded, chapter)),
        None => briefs.len().checked_sub(1),
    };
    let report = at.and_then(|at| QualityReport::of(&briefs, at)).ok_or(RunError::NoBrief { chapter })?;
    app.ui.show_paged(&report, |lang, columns| report.text(lang, columns))
}

fn present(book: &Book) -> Result<VolumeNo, Failure> {
    Ok(BookView::new(book.snapshot()?).checkpoint()?.volume)
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

pub(crate) fn revision(app: &mut App, args: &RevisionArgs) -> Result<Exit, Failure> {
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
    let (examination, fates) = app.plan(book, asking, "revision make", async |run| run.revise(order).await)?;
    let made = RevisionMade::of(&examination, &fates);
    app.ui.event(&made, |lang, _| made.text(lang))?;
    if fates.iter().any(|(_, fate)| matches!(fate, ChapterOutcome::Paused(_))) {
        r#continue::show_question(app, book)?;
        return Ok(Exit::Decide);
    }
    Ok(Exit::Done)
}

fn accept(app: &mut App, book: &Book) -> Result<Exit, Failure> {
    let chapter = app.write(book, "revision", |run| run.accept_revision())?;
    let decided = Decided { chapter: chapter.get(), status: "accepted", next: "novel continue" };
    app.ui.show(&decided, |lang, _| say!(lang, takes_revision_next_novel_continue_commits(chapter)))
}

fn reject(app: &mut App, book: &Book) -> Result<Exit, Failure> {
    let chapter = app.write(book, "revision", |run| run.reject_revision())?;
    let decided = Decided { chapter: chapter.get(), status: "rejected", next: "novel continue" };
    app.ui.show(&decided, |lang, _| say!(lang, stays_as_it_is_revision_is(chapter)))
}
