//! `novel branch`: branches of the book for trials.
//! `novel adopt`: makes a branch the book's main line.

use crate::commands::prelude::*;
use crate::commands::rollback::tell_lag;
use crate::pipeline::book::going_back;
use crate::pipeline::book::{kept, lines};
use crate::report::change::{ChangeReport, Unchanged, UndoCommand};
use crate::report::lines::{LineChange, LineList};
use crate::store::{self, NotWritable};

#[derive(Debug, Clone, clap::Args)]
pub(crate) struct BranchArgs {
    #[arg(value_name = "BRANCH")]
    pub(crate) name: Option<String>,
    #[arg(long, value_name = "CHAPTER", value_parser = value_parsers::chapter, requires = "name")]
    pub(crate) from: Option<ChapterNo>,
    #[arg(long, requires = "name")]
    pub(crate) switch: bool,
    #[command(subcommand)]
    pub(crate) action: Option<BranchAction>,
}

#[derive(Debug, Clone, clap::Subcommand)]
pub(crate) enum BranchAction {
    List,
    Switch {
        #[arg(value_name = "BRANCH")]
        name: String,
    },
    Delete {
        #[arg(value_name = "BRANCH")]
        name: String,
    },
}

pub(crate) fn run(app: &mut App, args: &BranchArgs) -> Result<Exit, Failure> {
    match (&args.action, &args.name) {
        // If clap refused this, it would also refuse a global flag before the action.
        (Some(_), Some(name)) => Err(Failure::usage(both!(is_too_much_beside_action(name)))),
        (Some(BranchAction::Switch { name }), _) => switch(app, name),
        (Some(BranchAction::Delete { name }), _) => delete(app, name),
        (None, Some(name)) => begin(app, name, args.from, args.switch),
        (Some(BranchAction::List) | None, _) => {
            let list = LineList { lines: lines::list(&app.book()?)? };
            app.ui.show(&list, |lang, columns| list.text(lang, columns))
        }
    }
}

fn begin(app: &mut App, name: &str, from: Option<ChapterNo>, goes: bool) -> Result<Exit, Failure> {
    let book = app.book()?;
    if from.is_none() && book.branch() == name {
        return switch(app, name);
    }
    let begun = app.write(&book, "branch", |run| lines::begin_line(run, name, from))?;
    if goes {
        return switch(app, name);
    }
    let lang = app.ui.lang();
    let at = begun.last.map_or_else(String::new, |last| say!(lang, after(last)));
    let change = LineChange {
        status: "begun",
        line: name.to_owned(),
        what: say!(lang, began_branch(name, at)),
        next: vec![format!("novel branch switch {name}")],
    };
    app.ui.show(&change, |lang, _| change.text(lang))
}

/// The book on the branch that is checked out, perhaps by plain git.
pub(super) fn book_as_checked_out(app: &App) -> Result<Book, Failure> {
    let book = app.book()?;
    if let Some(NotWritable::OtherBranch { .. }) = store::not_writable::obstacle(&book)?
        && let Some(there) = book.as_checked_out()?
    {
        return Ok(there);
    }
    Ok(book)
}

fn switch(app: &mut App, name: &str) -> Result<Exit, Failure> {
    let has_moved = go_to(app, name)?;
    let lang = app.ui.lang();
    let book = app.book()?;
    let last = book.contents_of(book.tip()?)?.last();
    let at = last.map_or_else(String::new, |last| say!(lang, written_up_to(last)));
    let change = LineChange {
        status: if has_moved { "on" } else { "unchanged" },
        line: name.to_owned(),
        what: if has_moved { say!(lang, now_on(name, at)) } else { say!(lang, already_on(name, at)) },
        next: vec!["novel continue".to_owned()],
    };
    app.ui.show(&change, |lang, _| change.text(lang))
}

/// Goes to a branch, and shows the draft in flight there. Returns false when the book is there already.
pub(super) fn go_to(app: &mut App, name: &str) -> Result<bool, Failure> {
    let book = book_as_checked_out(app)?;
    let has_moved = app.write(&book, "branch switch", |run| lines::switch_line(run, name))?;
    let book = app.book()?;
    let drafts: Vec<_> = store::closing::drafts(&book)?.into_iter().map(|(work, _)| work).collect();
    if !drafts.is_empty() {
        app.write(&book, "branch switch", |run| {
            going_back::show_drafts(run, drafts);
            Ok(())
        })?;
    }
    Ok(has_moved)
}

fn delete(app: &mut App, name: &str) -> Result<Exit, Failure> {
    let book = app.book()?;
    app.note_command(format!("branch delete {name}"));
    let (session, author) = (app.begin(&book, "branch delete")?, app.identity(&book)?);
    let lang = app.ui.lang();
    let is_again = app.resumed(&book)?.is_some() && store::lines::line_tip(&book, name)?.is_none();
    if !is_again {
        let _ = super::run_context::run_without_model(app, &session, author, |run| lines::delete_line(run, name))?;
    }
    // An adopted branch is in the book's history, and nothing of it has to come back.
    let comes_back = kept::find(&book, name).is_ok();
    let change = LineChange {
        status: "deleted",
        line: name.to_owned(),
        what: match comes_back {
            true => say!(lang, deleted_branch_undo_novel_restore(name)),
            false => say!(lang, deleted_branch_of_history(name)),
        },
        next: Vec::new(),
    };
    app.ui.show(&change, |lang, _| change.text(lang))
}

#[derive(Debug, Clone, clap::Args)]
pub(crate) struct AdoptArgs {
    #[arg(value_name = "BRANCH")]
    pub(crate) name: String,
}

/// Goes to the main line, and makes the branch its continuation.
pub(crate) fn adopt(app: &mut App, args: &AdoptArgs) -> Result<Exit, Failure> {
    let book = book_as_checked_out(app)?;
    let (name, main) = (args.name.clone(), store::lines::main_line(&book).to_owned());
    if name != main && store::lines::line_tip(&book, &name)?.is_some() && !book.is_main_line() {
        go_to(app, &main)?;
    }
    let book = app.book()?;
    let adopted = app.write(&book, "adopt", |run| lines::adopt_line(run, &name))?;
    let Some(adopted) = adopted else {
        let unchanged = Unchanged::at(name);
        let name = &unchanged.at;
        return app.ui.event(&unchanged, |lang, _| say!(lang, has_everything_of_already_nothing_has(main, name)));
    };
    let lang = app.ui.lang();
    let change = ChangeReport {
        what: say!(lang, goes_on_as(main, name)),
        commit: adopted.committed.id.into(),
        undo: Some(UndoCommand::Undo(1)),
    };
    app.ui.show(&change, |lang, _| change.text(lang))?;
    tell_lag(app, &adopted)?;
    Ok(Exit::Done)
}
