//! `novel chapter`: chapters that are inserted, moved, split, merged or removed.

use crate::commands::init;
use crate::commands::prelude::*;
use crate::domain::chapter::Chapter;
use crate::domain::renumbering::Renumbering;
use crate::pipeline::planning::renumber;
use crate::pipeline::planning::renumber_order::RenumberOrder;
use crate::report::renaming::RenumberReport;
use crate::store;

#[derive(Debug, Clone, clap::Args)]
pub(crate) struct ChapterArgs {
    #[command(subcommand)]
    pub(crate) action: ChapterAction,
}

#[derive(Debug, Clone, clap::Subcommand)]
pub(crate) enum ChapterAction {
    Insert {
        #[arg(value_name = "CHAPTER", value_parser = value_parsers::chapter)]
        at: ChapterNo,
        #[arg(long, value_name = "TITLE", value_parser = value_parsers::line)]
        title: String,
        #[arg(long, value_name = "TEXT", default_value = "", hide_default_value = true)]
        conflict: String,
        #[arg(long, value_name = "FILE")]
        file: Option<PathBuf>,
        #[arg(long)]
        dry_run: bool,
    },
    Move {
        #[arg(value_name = "CHAPTER", value_parser = value_parsers::chapter)]
        from: ChapterNo,
        #[arg(value_name = "NUMBER", value_parser = value_parsers::chapter)]
        to: ChapterNo,
        #[arg(long)]
        dry_run: bool,
    },
    Split {
        #[arg(value_name = "CHAPTER", value_parser = value_parsers::chapter)]
        at: ChapterNo,
        #[arg(long, value_name = "TITLE", value_parser = value_parsers::line)]
        title: String,
        #[arg(long, value_name = "TEXT", default_value = "", hide_default_value = true)]
        before: String,
        #[arg(long, value_name = "TEXT", default_value = "", hide_default_value = true)]
        conflict: String,
        #[arg(long)]
        dry_run: bool,
    },
    Merge {
        #[arg(value_name = "CHAPTER", value_parser = value_parsers::chapter)]
        at: ChapterNo,
        #[arg(long)]
        dry_run: bool,
    },
    Remove {
        #[arg(value_name = "CHAPTER", value_parser = value_parsers::chapter)]
        at: ChapterNo,
        #[arg(long)]
        dry_run: bool,
    },
    Accept {
        #[arg(long)]
        dry_run: bool,
    },
}

pub(crate) fn run(app: &mut App, args: &ChapterArgs) -> Result<Exit, Failure> {
    let book = app.book()?;
    let (order, is_preview) = match args.action.clone() {
        ChapterAction::Insert { at, title, conflict, file, dry_run } => {
            let text = file.as_deref().map(|path| init::read(app, path)).transpose()?;
            let text = text.filter(|text| !Chapter::from_markdown(at, text, "").body.trim().is_empty());
            (RenumberOrder { title, conflict, text, ..RenumberOrder::of(Renumbering::Insert(at)) }, dry_run)
        }
        ChapterAction::Move { from, to, dry_run } => (RenumberOrder::of(Renumbering::Move { from, to }), dry_run),
        ChapterAction::Split { at, title, before, conflict, dry_run } => {
            let order = RenumberOrder::of(Renumbering::Split(at));
            (RenumberOrder { title, conflict, beginning: before, ..order }, dry_run)
        }
        ChapterAction::Merge { at, dry_run } => (RenumberOrder::of(Renumbering::Merge(at)), dry_run),
        ChapterAction::Remove { at, dry_run } => (RenumberOrder::of(Renumbering::Remove(at)), dry_run),
        ChapterAction::Accept { dry_run } => {
            if !dry_run {
                // Files that an interrupted command has not written yet are no changes of the author's.
                app.note_command("chapter accept");
                drop(app.begin(&book, "chapter")?);
            }
            match RenumberOrder::by_hand(&book)? {
                Some(order) => (order, dry_run),
                None if app.resumed(&book)?.is_some_and(|made| !made.is_empty()) => {
                    app.tell_resumed("chapter accept".to_owned(), 1, 0)?;
                    return Ok(Exit::Done);
                }
                None => return Err(Failure::new(Exit::No, both!(no_chapters_stand_rearranged))),
            }
        }
    };
    if order.by_hand.is_none() && matches!(order.how, Renumbering::Move { from, to } if from == to) {
        let report = RenumberReport { files: 0, ..RenumberReport::of(&renumber::preview(&book, &order)?) };
        let chapter = order.how.first();
        app.ui.event(&report, |lang, _| say!(lang, chapter_has_its_number(chapter)))?;
        return Ok(Exit::Done);
    }
    let (mut next, mut first, mut has_edits) = (Some(order), None, false);
    while let Some(order) = next {
        let report = match is_preview {
            true => RenumberReport::of(&renumber::preview(&book, &order)?),
            false => {
                let is_typed = order.by_hand.is_none();
                if is_typed {
                    app.note_command(format!("chapter {} {}", order.how, order.title));
                }
                let session = app.begin(&book, "chapter")?;
                // A command that was interrupted after its commit is not carried out a second time.
                if is_typed && app.resumed(&book)?.is_some_and(|made| !made.is_empty()) {
                    app.tell_resumed(format!("chapter {}", order.how), 1, 0)?;
                    return Ok(Exit::Done);
                }
                let author = app.identity(&book)?;
                let done =
                    run_context::run_without_model(app, &session, author, |run| renumber::carry_out(run, &order))?;
                first = first.or(done.done.as_ref().map(|done| done.commit));
                has_edits |= done.has_edits;
                RenumberReport { has_edits, ..RenumberReport::of(&done) }
            }
        };
        // The author's own files have a commit before each of several removals.
        let count = first
            .map(|first| store::pending_command::log_after(&book, first))
            .transpose()?
            .map_or(0, |since| since.len() + 1);
        app.ui.event(&report, |lang, _| report.text(lang, count))?;
        next = if is_preview || order.by_hand.is_none() { None } else { RenumberOrder::by_hand(&book)? };
    }
    Ok(Exit::Done)
}
