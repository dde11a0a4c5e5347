//! `novel character`: the people of the book.

use super::App;
use super::cli::exit::Exit;
use super::cli::failure::Failure;
use super::cli::value_parsers;
use super::planner_args::AskingArgs;
use crate::agents::CastRequest;
use crate::domain::Slug;
use crate::domain::book::work::Step;
use crate::domain::quality::LOOK_BACK;
use crate::pipeline::book::voices;
use crate::pipeline::planning::people;
use crate::pipeline::planning::step::Taken;
use crate::report::people::{Farewell, People};
use crate::report::voices::VoiceReport;
use crate::store::Book;

/// Make, change and retire characters
#[derive(Debug, Clone, clap::Args)]
pub(crate) struct CharacterArgs {
    #[command(subcommand)]
    pub(crate) action: CharacterAction,
}

/// What to do to the cast.
#[derive(Debug, Clone, clap::Subcommand)]
pub(crate) enum CharacterAction {
    /// Make the protagonist and one or two others, for a new book
    First {
        /// Who the protagonist is, in your words
        #[arg(value_name = "PROTAGONIST", default_value = "", hide_default_value = true)]
        protagonist: String,
        /// Make them again, in place of those of the same names
        #[arg(long)]
        force: bool,
        /// Approve changes of contracts at once, without a question
        #[arg(long)]
        yes: bool,
        #[command(flatten)]
        asking: AskingArgs,
    },
    /// Make a new character
    Add {
        /// Who is wanted, in your words
        #[arg(value_name = "WISH", value_parser = value_parsers::line)]
        wish: String,
        #[command(flatten)]
        asking: AskingArgs,
    },
    /// Change a character
    Update {
        /// The character's id, as in characters/active/
        #[arg(value_name = "ID", value_parser = value_parsers::slug)]
        id: Slug,
        /// What is to change, in your words
        #[arg(value_name = "WISH", value_parser = value_parsers::line)]
        wish: String,
        /// Approve changes of contracts at once, without a question
        #[arg(long)]
        yes: bool,
        #[command(flatten)]
        asking: AskingArgs,
    },
    /// Let a character leave the story, unless something still needs him or her
    Retire {
        /// The character's id, as in characters/active/
        #[arg(value_name = "ID", value_parser = value_parsers::slug)]
        id: Slug,
        /// Why, for the history
        #[arg(long, value_name = "TEXT", default_value = "", hide_default_value = true)]
        reason: String,
    },
    /// List everybody: those in the story, then those who have left it
    List,
    /// Show how people speak in the last chapters: figures, habits that come too often, and who cannot be told apart
    Voices {
        /// How many of the last chapters are read
        #[arg(long, value_name = "N", default_value_t = LOOK_BACK, value_parser = clap::value_parser!(u32).range(1..))]
        last: u32,
    },
}

/// Does what is asked; what changes is one transaction.
pub(crate) fn run(app: &mut App, args: &CharacterArgs) -> Result<Exit, Failure> {
    let book = app.book()?;
    let (request, asking, what, yes) = match &args.action {
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
        CharacterAction::First { force, .. } if app.reuses(&book, Step::Characters, *force)? => return Ok(Exit::Done),
        CharacterAction::First { protagonist, asking, yes, .. } => {
            (CastRequest::First { protagonist: protagonist.trim().to_owned() }, asking, "character first", *yes)
        }
        CharacterAction::Add { wish, asking } => {
            (CastRequest::Add { wish: wish.trim().to_owned() }, asking, "character add", false)
        }
        CharacterAction::Update { id, wish, asking, yes } => {
            let request = CastRequest::Update { id: id.clone(), wish: wish.trim().to_owned() };
            (request, asking, "character update", *yes)
        }
    };
    let afresh = matches!(args.action, CharacterAction::First { force: true, .. });
    let taken = app.plan(&book, asking, what, async |run| {
        let taken = run.cast(&request, afresh).await?;
        run.approved(taken, yes)
    })?;
    match taken {
        Taken::Done(done) => app.show_done(&done)?,
        Taken::Waits(step) => return app.show_proposal(&book, step),
    }
    Ok(Exit::Done)
}

fn retire(app: &mut App, book: &Book, id: &Slug, reason: &str) -> Result<Exit, Failure> {
    let retired = app.write(book, "character retire", |run| run.retire(id, reason))?;
    let report = Farewell::of(&retired);
    app.ui.event(&report, |lang, _| report.text(lang))?;
    Ok(Exit::Done)
}
