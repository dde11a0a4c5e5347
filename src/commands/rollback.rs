//! `novel rollback`: returns the book to a chapter.
//! `novel restore`: lists what has left the book and is kept, and brings it back.
//! `novel undo`: takes back the last transactions. `novel redo` goes the other way by the same steps.

use crate::commands::cli::value_parsers::{BadValue, RollbackTarget};
use crate::commands::log::clock_time;
use crate::commands::prelude::*;
use crate::pipeline::book::going_back::{self, Direction, LastKept, RollbackOrder};
use crate::pipeline::book::{kept, kept_text};
use crate::pipeline::chapter::existing::{Replaced, replaced_by};
use crate::pipeline::chapter::restore::{self, AuthorInputs, Restored, restored_by};
use crate::pipeline::chapter::scenes;
use crate::report::change::{ChangeReport, Preview, Unchanged, UndoCommand, scene_of_draft};
use crate::report::kept::{CameBack, KeptEntry, KeptList};
use crate::report::renaming::RenumberReport;
use crate::report::{faults, subject};
use crate::store::remote;
use crate::store::{self, CommitId, RollbackResult, Transaction};

#[derive(Debug, Clone, clap::Args)]
pub(crate) struct RollbackArgs {
    #[arg(value_name = "TARGET", required = true, num_args = 1..=2)]
    pub(crate) target: Vec<String>,
    #[arg(long)]
    pub(crate) exact: bool,
    #[arg(long, value_name = "FILE")]
    pub(crate) keep: Vec<String>,
    #[arg(short, long)]
    pub(crate) yes: bool,
    #[arg(long)]
    pub(crate) dry_run: bool,
}

/// Goes back to a chapter or to the end of a volume, by a new commit.
pub(crate) fn run(app: &mut App, args: &RollbackArgs) -> Result<Exit, Failure> {
    let book = app.book()?;
    let target: RollbackTarget = args.target.join(" ").parse().map_err(|BadValue(message)| Failure::usage(message))?;
    let to = match target {
        RollbackTarget::Chapter(chapter) => LastKept::Chapter(chapter),
        RollbackTarget::Volume(volume) => LastKept::Volume(volume),
        RollbackTarget::Scene(chapter, scene) => return to_scene(app, &book, args, chapter, scene),
        RollbackTarget::Other(destination) => LastKept::Place(destination),
    };
    let order = RollbackOrder { to, exact: args.exact, keep: args.keep.clone() };
    let effect = going_back::preview(&book, &order)?;
    if remote::history::is_shallow(&book) {
        app.ui.warn(&both!(history_is_cut))?;
    }
    let name = effect.name.clone();
    let preview = Preview::of(&effect, app.ui.lang());
    if let Some(exit) = asked(app, args, &preview, &both!(go_back_to(name)))? {
        return Ok(exit);
    }
    let (name, returned) = app.write(&book, "rollback", |run| going_back::roll_back(run, &order))?;
    let Some(returned) = returned else {
        let unchanged = Unchanged::at(name);
        return app.ui.event(&unchanged, |lang, _| unchanged.text(lang));
    };
    let lang = app.ui.lang();
    let change = ChangeReport {
        what: say!(lang, went_back_to(name)),
        commit: returned.committed.id.into(),
        undo: Some(UndoCommand::Undo(1)),
    };
    app.ui.show(&change, |lang, _| change.text(lang))?;
    tell_lag(app, &returned)?;
    Ok(Exit::Done)
}

/// Shows what would leave, and asks unless told not to. Returns the exit code when that was all or the answer is no.
fn asked(app: &mut App, args: &RollbackArgs, preview: &Preview, question: &Both) -> Result<Option<Exit>, Failure> {
    if args.dry_run {
        app.ui.show(preview, |lang, columns| preview.text(lang, columns) + say!(lang, nothing_was_changed))?;
        return Ok(Some(Exit::Done));
    }
    if args.yes || preview.kept_as.is_none() {
        return Ok(None);
    }
    let (lang, columns) = (app.ui.lang(), app.ui.columns());
    app.ui.say(&Both::same(preview.text(lang, columns).trim_end()))?;
    let goes_on = app.ui.confirm(question, DefaultAnswer::Yes, "--yes")?;
    Ok((!goes_on).then_some(Exit::No))
}

/// Returns the chapter in flight to the end of a scene, by a new commit of its draft.
fn to_scene(app: &mut App, book: &Book, args: &RollbackArgs, chapter: ChapterNo, scene: u32) -> Result<Exit, Failure> {
    if args.exact || !args.keep.is_empty() {
        return Err(Failure::usage(both!(exact_and_keep_are_for_book)));
    }
    let lang = app.ui.lang();
    let Some(way) = scenes::way_back(book, chapter, scene)? else {
        return there_already(app, book, chapter, scene);
    };
    let edits = store::draft::staging_edits(book)?.into_iter().map(|edit| format!("staging/{}", edit.path)).collect();
    let preview = Preview::of_draft((chapter, scene), &way.leaving, edits, lang);
    let place = scene_of_draft(scene);
    let question = both!(lang, go_back_to_scene_of(place = place.get(lang), chapter));
    if let Some(exit) = asked(app, args, &preview, &question)? {
        return Ok(exit);
    }
    let back = app.write(book, "rollback", |run| scenes::back_to_scene(run, chapter, scene))?;
    let Some(commit) = back else { return there_already(app, book, chapter, scene) };
    let place = place.get(lang);
    let what = say!(lang, went_back_to_of(place, chapter));
    let change = ChangeReport { what, commit: commit.into(), undo: None };
    app.ui.show(&change, |lang, _| change.text(lang))?;
    app.ui.say(&both!(what_has_left_text_git_show(commit = commit.short())))?;
    Ok(Exit::Done)
}

/// Nothing comes after the scene, perhaps since an interrupted command.
fn there_already(app: &mut App, book: &Book, chapter: ChapterNo, scene: u32) -> Result<Exit, Failure> {
    drop(app.begin(book, "rollback")?);
    let unchanged = Unchanged::at(format!("{chapter}/scene-{scene}"));
    app.ui.event(&unchanged, |lang, _| say!(lang, is_at_scene_already_nothing_has(chapter, scene)))
}

/// Reports a commit that the folder could not follow.
pub(super) fn tell_lag(app: &mut App, returned: &RollbackResult) -> Result<(), Failure> {
    app.tell_drafts(&returned.closed, &returned.reopened)?;
    let Some(why) = &returned.committed.lagging else { return Ok(()) };
    app.ui.warn(&both!(commit_is_made_but_folder_could(why = faults::of_system_fault(&why.fault(), app.ui.lang()))))
}

#[derive(Debug, Clone, clap::Args)]
pub(crate) struct RestoreArgs {
    #[arg(value_name = "NAME")]
    pub(crate) name: Option<String>,
    #[arg(long, value_name = "COMMIT", requires = "name")]
    pub(crate) from: Option<String>,
    #[arg(long, requires = "name", conflicts_with = "exact")]
    pub(crate) print: bool,
    #[arg(long, requires = "name")]
    pub(crate) exact: bool,
    #[arg(short, long, requires = "name")]
    pub(crate) yes: bool,
}

#[derive(Serialize)]
struct Printed {
    name: String,
    /// The text, the files, or the transactions of a line.
    text: String,
}

pub(crate) fn restore(app: &mut App, args: &RestoreArgs) -> Result<Exit, Failure> {
    let book = app.book()?;
    let Some(name) = &args.name else {
        let kept = kept::list(&book)?;
        let list = KeptList { kept: kept.iter().map(|kept| KeptEntry::of(kept, clock_time(kept.time))).collect() };
        return app.ui.show_paged(&list, |lang, columns| list.text(lang, columns));
    };
    let wanted = || match &args.from {
        Some(from) => kept::version(&book, name, from),
        None => kept::find(&book, name),
    };
    if args.print {
        let kept = wanted()?;
        let printed = Printed { name: kept.name.clone(), text: kept_text::text_of(&book, &kept)? };
        return app.ui.print(&printed, |_, _| printed.text.clone());
    }
    let replaced =
        if args.yes { None } else { wanted().ok().map(|kept| replaced_by(&book, &kept)).transpose()?.flatten() };
    if let Some(Replaced { chapter, title, own, path }) = replaced
        && !app.ui.confirm(&both!(draft_is_of_own_text(chapter, title, own, path)), DefaultAnswer::No, "--yes")?
    {
        return Ok(Exit::No);
    }
    app.note_command(format!("restore {name}"));
    let (session, author) = (app.begin(&book, "restore")?, app.identity(&book)?);
    if let Some(done) = restored_by(&app.resumed(&book)?.unwrap_or_default()) {
        // The command was interrupted after its commit, and the name now means another thing, or nothing.
        let came = CameBack::again(name, &done, app.ui.lang());
        return app.ui.show(&came, |lang, _| came.text(lang));
    }
    let kept = wanted()?;
    let inputs = if args.exact { AuthorInputs::Return } else { AuthorInputs::Stay };
    let restored =
        run_context::run_without_model(app, &session, author, |run| restore::bring_back(run, &kept, inputs))?;
    let came = CameBack::of(&restored, name, app.ui.lang());
    app.ui.show(&came, |lang, _| came.text(lang))?;
    match &restored {
        Restored::Line(done) => tell_lag(app, done)?,
        Restored::Removed(_, done) if !app.ui.is_json() && !done.rebuild.is_empty() => {
            let report = RenumberReport::of(done);
            app.ui.say(&Both::of(|lang| report.to_rebuild(lang)))?;
        }
        Restored::Draft(_, reopened) => {
            app.tell_drafts(reopened.closed.as_slice(), &[])?;
            if !reopened.overlaps.is_empty() {
                app.ui.warn(&both!(lang, book_and_draft_have_both_changed(list = listed(&reopened.overlaps, lang))))?;
            }
        }
        _ => {}
    }
    Ok(Exit::Done)
}

#[derive(Debug, Clone, clap::Args)]
pub(crate) struct UndoArgs {
    #[arg(value_name = "COUNT", default_value_t = 1, value_parser = value_parsers::count)]
    pub(crate) count: u32,
}

pub(crate) fn undo(app: &mut App, args: &UndoArgs) -> Result<Exit, Failure> {
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
        let drafts = store::closing::drafts(&book)?.into_iter().map(|(work, _)| work).collect();
        run_context::run_without_model(app, &session, author, |run| {
            going_back::show_drafts(run, drafts);
            Ok(())
        })?;
        return Ok(Exit::Done);
    }
    run_context::run_without_model(app, &session, author.clone(), |run| going_back::may_step(run, way, count))?;
    for step in 1..=count {
        let returned =
            run_context::run_without_model(app, &session, author.clone(), |run| going_back::retrace(run, way))?;
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
        Direction::Undo => (say!(lang, took_back(subject)), back.map(UndoCommand::Redo)),
        Direction::Redo => (say!(lang, did_again(subject)), back.map(UndoCommand::Undo)),
    };
    let change = ChangeReport { what, commit: commit.into(), undo };
    app.ui.event(&change, |lang, _| change.text(lang)).map(|_| ())
}
