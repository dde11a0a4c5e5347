//! `novel character`: the people of the book.

use super::App;
use super::asking::AskingArgs;
use super::exit::Exit;
use super::failure::Failure;
use super::values;
use crate::agents::CastRequest;
use crate::domain::Slug;

/// Make and change characters
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
        #[command(flatten)]
        asking: AskingArgs,
    },
    /// Make a new character
    Add {
        /// Who is wanted, in your words
        #[arg(value_name = "WISH")]
        wish: String,
        #[command(flatten)]
        asking: AskingArgs,
    },
    /// Change a character
    Update {
        /// The character's id, as in characters/active/
        #[arg(value_name = "ID", value_parser = values::slug)]
        id: Slug,
        /// What is to change, in your words
        #[arg(value_name = "WISH")]
        wish: String,
        #[command(flatten)]
        asking: AskingArgs,
    },
}

/// Makes one transaction of what the agent answers.
pub(crate) fn run(app: &mut App, args: &CharacterArgs) -> Result<Exit, Failure> {
    let book = app.book()?;
    let (request, asking, what) = match &args.action {
        CharacterAction::First { protagonist, asking } => {
            (CastRequest::First { protagonist: protagonist.trim().to_owned() }, asking, "character first")
        }
        CharacterAction::Add { wish, asking } => {
            (CastRequest::Add { wish: wish.trim().to_owned() }, asking, "character add")
        }
        CharacterAction::Update { id, wish, asking } => {
            (CastRequest::Update { id: id.clone(), wish: wish.trim().to_owned() }, asking, "character update")
        }
    };
    let done = app.plan(&book, asking, what, async |run| run.cast(&request).await)?;
    app.show_done(&done)?;
    Ok(Exit::Done)
}
