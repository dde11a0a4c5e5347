//! `novel write`: writes the named chapters.

use crate::commands::cli::value_parsers::ChapterSet;
use crate::commands::r#continue::{self, WritingArgs};
use crate::commands::prelude::*;
use crate::pipeline::chapter::write::{self, ChapterOutcome, PlannedAction, WriteOrder};

#[derive(Debug, Clone, clap::Args)]
pub(crate) struct WriteArgs {
    #[arg(value_name = "CHAPTERS")]
    pub(crate) chapters: ChapterSet,
    #[arg(long)]
    pub(crate) force: bool,
    #[arg(long, value_name = "WISH", default_value = "", hide_default_value = true, requires = "force")]
    pub(crate) wish: String,
    #[arg(long)]
    pub(crate) keep_going: bool,
    #[arg(long)]
    pub(crate) dry_run: bool,
    #[command(flatten)]
    pub(crate) writing: WritingArgs,
}

#[derive(Serialize)]
struct Report {
    /// `completed`, or `incomplete` when a chapter failed or was left out.
    status: &'static str,
    /// Entries in chapter order.
    chapters: Vec<ChapterResult>,
}

#[derive(Serialize)]
struct ChapterResult {
    chapter: ChapterNo,
    /// `reused`, `completed`, `rewritten`, `waiting`, `failed`, `skipped`; with `--dry-run` `reuse`, `rewrite`, `write`,
    /// `lacks`, `unplanned`.
    status: &'static str,
    /// The reason of a failure or an omission; otherwise empty.
    why: String,
}

/// Writes the chapters, and reports each at the end.
pub(crate) fn run(app: &mut App, args: &WriteArgs) -> Result<Exit, Failure> {
    let book = app.book()?;
    let WriteArgs { chapters, force, wish, keep_going, .. } = args.clone();
    let order = WriteOrder { chapters: chapters.0, force, keep_going, wish: wish.trim().to_owned() };
    if args.dry_run {
        return dry_run(app, &book, &order);
    }
    let config = run_context::config_of(&book)?;
    let (responder, settings) = app.responder(&args.writing.flags(), &config)?;
    app.streams = true;
    app.remote_args = args.writing.remote;
    if force {
        app.note_command(order.words());
    }
    let session = app.begin(&book, "write")?;
    let author = app.identity(&book)?;
    let clock = app.clock();
    let inputs = args.writing.inputs(&session, &responder, &clock, author, &settings);
    let fates =
        run_context::run(app, inputs, args.writing.prose(), async |run| write::write_ordered(run, &order).await)?;
    // From here on `continue` handles a question at the end of the order.
    let last = order.chapters.last().copied();
    let all = fates.last().is_some_and(|(chapter, _)| Some(*chapter) == last);
    let exit = tell(app, &book, fates)?;
    if let Some(pending_command) = &mut app.pending_command {
        pending_command.goes_on = exit != Exit::Done && !(exit == Exit::Decide && all);
    }
    Ok(exit)
}

fn tell(app: &mut App, book: &Book, fates: Vec<(ChapterNo, ChapterOutcome)>) -> Result<Exit, Failure> {
    let lang = app.ui.lang();
    let mut exit = Exit::Done;
    let mut chapters = Vec::new();
    let waits = fates.iter().any(|(_, fate)| matches!(fate, ChapterOutcome::Paused(_)));
    for (chapter, fate) in fates {
        let (status, why) = match fate {
            ChapterOutcome::Reused => ("reused", String::new()),
            ChapterOutcome::Accepted(accepted) if accepted.replaces.is_some() => ("rewritten", String::new()),
            ChapterOutcome::Accepted(_) => ("completed", String::new()),
            ChapterOutcome::Paused(_) => ("waiting", String::new()),
            ChapterOutcome::Failed(error) => {
                let failure = Failure::from(error);
                exit = if exit == Exit::Done { failure.exit() } else { exit };
                ("failed", failure.message(lang).to_owned())
            }
            ChapterOutcome::Skipped(first) => {
                exit = if exit == Exit::Done { Exit::No } else { exit };
                ("skipped", say!(lang, comes_first(first)))
            }
        };
        chapters.push(ChapterResult { chapter, status, why });
    }
    if exit != Exit::Done || app.ui.is_json() {
        let status = if exit == Exit::Done && !waits { "completed" } else { "incomplete" };
        let report = Report { status, chapters };
        app.ui.event(&report, |lang, _| report.text(lang))?;
    }
    if waits {
        r#continue::show_question(app, book)?;
        return Ok(Exit::Decide);
    }
    Ok(exit)
}

impl Report {
    /// The chapters that differ from the order, with the reason.
    fn text(&self, lang: Lang) -> String {
        let open: Vec<&ChapterResult> = self.chapters.iter().filter(|entry| !entry.why.is_empty()).collect();
        let count = open.len();
        let mut text = say!(lang, not_written(count));
        text.extend(open.iter().map(|entry| format!("  {}  {}\n", entry.chapter, entry.why)));
        text
    }
}

fn dry_run(app: &mut App, book: &Book, order: &WriteOrder) -> Result<Exit, Failure> {
    let needs = write::foreseen_needs(book, order)?;
    let lang = app.ui.lang();
    let mut exit = Exit::Done;
    let mut chapters = Vec::new();
    for (chapter, need) in needs {
        let (status, why) = match need {
            PlannedAction::Reuse => ("reuse", say!(lang, is_there_already).to_owned()),
            PlannedAction::Again => ("rewrite", say!(lang, is_written_again).to_owned()),
            PlannedAction::New => ("write", say!(lang, is_written).to_owned()),
            PlannedAction::Gone => ("gone", say!(lang, has_been_taken_out_of_book).to_owned()),
            PlannedAction::Lacks(first) => ("lacks", say!(lang, comes_first(first))),
            PlannedAction::Unplanned => ("unplanned", say!(lang, is_not_planned_novel_start).to_owned()),
        };
        // The exit code of the run itself.
        exit = match (exit, need) {
            (Exit::Done, PlannedAction::Lacks(_) | PlannedAction::Gone) => Exit::No,
            (Exit::Done, PlannedAction::Unplanned) => Exit::Decide,
            (exit, _) => exit,
        };
        chapters.push(ChapterResult { chapter, status, why });
    }
    let report = Report { status: if exit == Exit::Done { "completed" } else { "incomplete" }, chapters };
    app.ui.show(&report, |lang, _| {
        let lines: String = report.chapters.iter().map(|entry| format!("{}  {}\n", entry.chapter, entry.why)).collect();
        lines + say!(lang, nothing_was_written)
    })?;
    Ok(exit)
}
