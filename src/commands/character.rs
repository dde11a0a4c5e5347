//! `novel character`: the people of the book.

use super::App;
use super::cli::exit::Exit;
use super::cli::failure::Failure;
use super::cli::value_parsers;
use super::planner_args::AskingArgs;
use crate::agents::CastRequest;
use crate::domain::book::work::Step;
use crate::domain::quality::LOOK_BACK;
use crate::pipeline::book::voices;
use crate::pipeline::planning::people;
use crate::pipeline::planning::step::{Existing, Taken};
use crate::pipeline::{Run, RunError};
use crate::report::people::{Farewell, People};
use crate::report::voices::VoiceReport;
use crate::store::Book;

#[derive(Debug, Clone, clap::Args)]
pub(crate) struct CharacterArgs {
    #[command(subcommand)]
    pub(crate) action: CharacterAction,
}

/// An action on the cast.
#[derive(Debug, Clone, clap::Subcommand)]
pub(crate) enum CharacterAction {
    First {
        #[arg(value_name = "TEXT", default_value = "", hide_default_value = true)]
        protagonist: String,
        #[arg(long)]
        force: bool,
        #[arg(long)]
        yes: bool,
        #[command(flatten)]
        asking: AskingArgs,
    },
    Add {
        #[arg(value_name = "WISH", value_parser = value_parsers::line)]
        wish: String,
        #[command(flatten)]
        asking: AskingArgs,
    },
    Update {
        #[arg(value_name = "CHARACTER", value_parser = value_parsers::line)]
        id: String,
        #[arg(value_name = "WISH", value_parser = value_parsers::line)]
        wish: String,
        #[arg(long)]
        yes: bool,
        #[command(flatten)]
        asking: AskingArgs,
    },
    Retire {
        #[arg(value_name = "CHARACTER", value_parser = value_parsers::line)]
        id: String,
        #[arg(long, value_name = "TEXT", default_value = "", hide_default_value = true)]
        reason: String,
    },
    List,
    Voices {
        #[arg(long, value_name = "COUNT", default_value_t = LOOK_BACK, value_parser = clap::value_parser!(u32).range(1..))]
        last: u32,
    },
}

/// Makes the request after the run has committed the author's changes, so that a name in them is known.
type MakeRequest<'a> = Box<dyn Fn(&Run<'_>) -> Result<CastRequest, RunError> + 'a>;

fn as_it_is(request: CastRequest) -> MakeRequest<'static> {
    Box::new(move |_| Ok(request.clone()))
}

pub(crate) fn run(app: &mut App, args: &CharacterArgs) -> Result<Exit, Failure> {
    let book = app.book()?;
    let (make, asking, what, yes) = match &args.action {
        CharacterAction::Retire { id, reason } => return retire(app, &book, id, reason),
        CharacterAction::List => {
            let list = People::of(&people::people(&book)?, people::minor_cast(&book)?);
            app.ui.show_paged(&list, |lang, columns| list.text(lang, columns))?;
            return Ok(Exit::Done);
        }
        CharacterAction::Voices { last } => {
            let report = VoiceReport::of(&voices::voices(&book, *last)?);
            app.ui.show_paged(&report, |lang, columns| report.text(lang, columns))?;
            return Ok(Exit::Done);
        }
        CharacterAction::First { force, .. } if app.reuses(&book, Step::Characters, Existing::from(*force))? => {
            return Ok(Exit::Done);
        }
        CharacterAction::First { protagonist, asking, yes, .. } => {
            let request = CastRequest::First { protagonist: protagonist.trim().to_owned() };
            (as_it_is(request), asking, "character first", *yes)
        }
        CharacterAction::Add { wish, asking } => {
            let request = CastRequest::Add { wish: wish.trim().to_owned() };
            (as_it_is(request), asking, "character add", false)
        }
        CharacterAction::Update { id, wish, asking, yes } => {
            let make: MakeRequest =
                Box::new(|run| Ok(CastRequest::Update { id: run.character_called(id)?, wish: wish.trim().to_owned() }));
            (make, asking, "character update", *yes)
        }
    };
    let existing = Existing::from(matches!(args.action, CharacterAction::First { force: true, .. }));
    let taken = app.plan(&book, asking, what, async |run| {
        let taken = run.cast(&make(run)?, existing).await?;
        if yes { run.approve_taken(taken) } else { Ok(taken) }
    })?;
    match taken {
        Taken::Done(done) => app.show_done(&done)?,
        Taken::Waits(step) => return app.show_proposal(&book, step),
    }
    Ok(Exit::Done)
}

fn retire(app: &mut App, book: &Book, typed: &str, reason: &str) -> Result<Exit, Failure> {
    let retired = app.write(book, "character retire", |run| run.retire(typed, reason))?;
    let report = Farewell::of(&retired);
    app.ui.event(&report, |lang, _| report.text(lang))?;
    Ok(Exit::Done)
}
