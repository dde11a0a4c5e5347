//! `novel world`: the rules and pages of the world.

use super::App;
use super::asking::AskingArgs;
use super::exit::Exit;
use super::failure::Failure;

/// Build the world, or add to it
#[derive(Debug, Clone, clap::Args)]
pub(crate) struct WorldArgs {
    #[command(subcommand)]
    pub(crate) action: WorldAction,
}

/// What to do to the world.
#[derive(Debug, Clone, clap::Subcommand)]
pub(crate) enum WorldAction {
    /// Let the world builder write rules and pages; without a wish the first ones of a new book
    Update {
        /// What is wanted, in your words
        #[arg(value_name = "WISH", default_value = "", hide_default_value = true)]
        wish: String,
        #[command(flatten)]
        asking: AskingArgs,
    },
    /// Let the plot architect write theme and central conflict into the brief
    Theme {
        #[command(flatten)]
        asking: AskingArgs,
    },
}

/// Makes one transaction of what the agent answers.
pub(crate) fn run(app: &mut App, args: &WorldArgs) -> Result<Exit, Failure> {
    let book = app.book()?;
    let done = match &args.action {
        WorldAction::Update { wish, asking } => {
            app.plan(&book, asking, "world update", async |run| run.world(wish.trim()).await)?
        }
        WorldAction::Theme { asking } => app.plan(&book, asking, "world theme", async |run| run.theme().await)?,
    };
    app.show_done(&done)?;
    Ok(Exit::Done)
}
