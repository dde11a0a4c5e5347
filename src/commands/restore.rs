//! `novel restore`: lists what has left the book and is kept, and brings it back.

use super::log::clock_time;
use super::rollback::tell_lag;
use super::run_context;
use super::terminal::prompt::DefaultAnswer;
use crate::commands::prelude::*;
use crate::pipeline::book::kept;
use crate::pipeline::chapter::overtaken::{Replaced, replaced_by};
use crate::pipeline::chapter::restore::{AuthorInputs, Restored};
use crate::report::kept::{CameBack, KeptEntry, KeptList};

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

pub(crate) fn run(app: &mut App, args: &RestoreArgs) -> Result<Exit, Failure> {
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
        let printed = Printed { name: kept.name.clone(), text: kept::text_of(&book, &kept)? };
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
    if let Some(done) = kept::restored_by(&app.resumed(&book)?.unwrap_or_default()) {
        // The command was interrupted after its commit, and the name now means another thing, or nothing.
        let came = CameBack::again(name, &done, app.ui.lang());
        return app.ui.show(&came, |lang, _| came.text(lang));
    }
    let kept = wanted()?;
    let inputs = if args.exact { AuthorInputs::Return } else { AuthorInputs::Stay };
    let restored = run_context::run_without_model(app, &session, author, |run| run.bring_back(&kept, inputs))?;
    let came = CameBack::of(&restored, name, app.ui.lang());
    app.ui.show(&came, |lang, _| came.text(lang))?;
    match &restored {
        Restored::Line(done) => tell_lag(app, done)?,
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
