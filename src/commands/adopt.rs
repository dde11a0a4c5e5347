//! `novel adopt`: makes a branch the book's main line.

use super::branch::go_to;
use super::rollback::tell_lag;
use crate::commands::prelude::*;
use crate::report::change::{Change, Unchanged, WayBack};

#[derive(Debug, Clone, clap::Args)]
pub(crate) struct AdoptArgs {
    #[arg(value_name = "BRANCH")]
    pub(crate) name: String,
}

/// Goes to the main line, and makes the branch its continuation.
pub(crate) fn run(app: &mut App, args: &AdoptArgs) -> Result<Exit, Failure> {
    let book = super::branch::book_as_checked_out(app)?;
    let (name, main) = (args.name.clone(), book.main_line().to_owned());
    if name != main && book.line_tip(&name)?.is_some() && !book.is_main_line() {
        go_to(app, &main)?;
    }
    let book = app.book()?;
    let adopted = app.write(&book, "adopt", |run| run.adopt_line(&name))?;
    let Some(adopted) = adopted else {
        let unchanged = Unchanged::at(name);
        let name = &unchanged.at;
        return app.ui.event(&unchanged, |lang, _| say!(lang, has_everything_of_already_nothing_has(main, name)));
    };
    let lang = app.ui.lang();
    let change = Change {
        what: say!(lang, goes_on_as(main, name)),
        commit: adopted.committed.id.into(),
        undo: Some(WayBack::Undo(1)),
    };
    app.ui.show(&change, |lang, _| change.text(lang))?;
    tell_lag(app, &adopted)?;
    Ok(Exit::Done)
}
