//! `novel world`: the rules and pages of the world.

use super::App;
use super::cli::exit::Exit;
use super::cli::failure::Failure;
use super::planner_args::AskingArgs;
use crate::domain::book::work::Step;
use crate::pipeline::planning::step::Taken;

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
        /// Make the rules again, in place of those that there are
        #[arg(long)]
        force: bool,
        /// Approve changes of the rules at once, without a question
        #[arg(long)]
        yes: bool,
        #[command(flatten)]
        asking: AskingArgs,
    },
    /// Let the plot architect write theme and central conflict into the brief
    Theme {
        /// Say it again, in place of what the brief says
        #[arg(long)]
        force: bool,
        #[command(flatten)]
        asking: AskingArgs,
    },
}

/// Makes one transaction of what the agent answers.
pub(crate) fn run(app: &mut App, args: &WorldArgs) -> Result<Exit, Failure> {
    let book = app.book()?;
    let done = match &args.action {
        WorldAction::Update { wish, force, .. }
            if wish.trim().is_empty() && app.reuses(&book, Step::World, *force)? =>
        {
            return Ok(Exit::Done);
        }
        WorldAction::Theme { force, .. } if app.reuses(&book, Step::Theme, *force)? => return Ok(Exit::Done),
        WorldAction::Update { wish, force, yes, asking } => {
            let taken = app.plan(&book, asking, "world update", async |run| {
                let taken = run.world(wish.trim(), *force).await?;
                run.approved(taken, *yes)
            })?;
            match taken {
                Taken::Done(done) => done,
                Taken::Waits(step) => return app.show_proposal(&book, step),
            }
        }
        WorldAction::Theme { force, asking } => {
            app.plan(&book, asking, "world theme", async |run| run.theme(*force).await)?
        }
    };
    app.show_done(&done)?;
    Ok(Exit::Done)
}
