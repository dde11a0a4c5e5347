//! `novel review`: the review of a volume, and the quality briefs.

use crate::commands::prelude::*;
use crate::pipeline::RunError;
use crate::pipeline::book::names;
use crate::pipeline::planning::review;
use crate::pipeline::planning::step::Existing;
use crate::pipeline::quality::{self, RecordedBrief};
use crate::report::quality::{QualityReport, Review};
use crate::store::book::session;

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
    if session::holder(&book).is_none() {
        // Finishes an interrupted review if possible; a book can be read in any case.
        let _ = app.begin(&book, "review");
    }
    if let Some(reviewed) = review::current(&book, volume)?.filter(|_| !args.force) {
        let shown = Review::of(&reviewed, None);
        return app.ui.show_paged(&shown, |_, _| shown.text());
    }
    let done = app.plan(&book, &args.asking, "review", async |run| {
        review::review_volume(run, volume, Existing::from(args.force)).await
    })?;
    let reviewed = review::reviewed(&book, volume)?.ok_or(RunError::NoSuchVolume(volume))?;
    let shown = Review::of(&reviewed, Some(done.commit.into()));
    app.ui.event(&shown, |_, _| shown.text())
}

fn show_brief(app: &mut App, book: &Book, chapter: Option<ChapterNo>) -> Result<Exit, Failure> {
    let briefs = quality::briefs(book)?;
    let covers = |recorded: &RecordedBrief, chapter| (recorded.brief.first..=recorded.brief.last).contains(&chapter);
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
