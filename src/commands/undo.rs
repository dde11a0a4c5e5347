//! `novel undo`: takes back the last transactions. `novel redo` goes the other way by the same steps.

use crate::commands::prelude::*;
use crate::commands::rollback::tell_lag;
use crate::pipeline::book::going_back::Direction;
use crate::report::change::{Change, WayBack};
use crate::report::subject;
use crate::store::{CommitId, Transaction};

#[derive(Debug, Clone, clap::Args)]
pub(crate) struct UndoArgs {
    #[arg(value_name = "COUNT", default_value_t = 1, value_parser = value_parsers::count)]
    pub(crate) count: u32,
}

pub(crate) fn run(app: &mut App, args: &UndoArgs) -> Result<Exit, Failure> {
    step(app, Direction::Undo, args.count)
}

pub(crate) fn redo(app: &mut App, args: &UndoArgs) -> Result<Exit, Failure> {
    step(app, Direction::Redo, args.count)
}

/// Takes `count` steps back or forth, one commit each. Steps before a failed one stay.
fn step(app: &mut App, way: Direction, count: u32) -> Result<Exit, Failure> {
    let book = app.book()?;
    let name = way.kind().as_str();
    app.streams = true;
    app.note_command(format!("{name} {count}"));
    let session = app.begin_as_it_is(&book, name)?;
    let author = app.identity(&book)?;
    let done: Vec<Transaction> =
        app.resumed(&book)?.unwrap_or_default().into_iter().filter(|made| made.kind == way.kind()).collect();
    let made = u32::try_from(done.len()).unwrap_or(count);
    let count = count.saturating_sub(made);
    if made > 0 {
        app.tell_resumed(format!("{name} {}", made + count), made, count)?;
    }
    for (at, step) in (1..).zip(done) {
        let of = step.retraces().map(|of| book.transaction(of)).transpose()?;
        tell_step(app, way, of.as_ref().unwrap_or(&step), step.id, (at == made && count == 0).then_some(made))?;
    }
    if count == 0 {
        // The interrupted command may not have come so far.
        let drafts = book.drafts()?.into_iter().map(|(work, _)| work).collect();
        run_context::run_without_model(app, &session, author, |run| {
            run.show_drafts(drafts);
            Ok(())
        })?;
        return Ok(Exit::Done);
    }
    run_context::run_without_model(app, &session, author.clone(), |run| run.may_step(way, count))?;
    for step in 1..=count {
        let returned = run_context::run_without_model(app, &session, author.clone(), |run| run.retrace(way))?;
        let back = (step == count).then_some(made + count);
        tell_step(app, way, &returned.of, returned.committed.id, back)?;
        tell_lag(app, &returned)?;
    }
    Ok(Exit::Done)
}

/// Reports a step; the last one says how to revert all `back` steps.
fn tell_step(
    app: &mut App,
    way: Direction,
    of: &Transaction,
    commit: CommitId,
    back: Option<u32>,
) -> Result<(), Failure> {
    let lang = app.ui.lang();
    let subject = subject::of_commit(of.kind, &of.subject, lang);
    let (what, undo) = match way {
        Direction::Undo => (say!(lang, took_back(subject)), back.map(WayBack::Redo)),
        Direction::Redo => (say!(lang, did_again(subject)), back.map(WayBack::Undo)),
    };
    let change = Change { what, commit: commit.into(), undo };
    app.ui.event(&change, |lang, _| change.text(lang)).map(|_| ())
}
