//! `novel world`: the rules and pages of the world.

use crate::commands::answers;
use crate::commands::prelude::*;
use crate::pipeline::planning::approval;
use crate::pipeline::planning::step::{Existing, StepOutcome};
use crate::pipeline::planning::world;

#[derive(Debug, Clone, clap::Args)]
pub(crate) struct WorldArgs {
    #[command(subcommand)]
    pub(crate) action: WorldAction,
}

#[derive(Debug, Clone, clap::Subcommand)]
pub(crate) enum WorldAction {
    Update {
        #[arg(value_name = "WISH", default_value = "", hide_default_value = true)]
        wish: String,
        #[arg(long)]
        force: bool,
        #[arg(long)]
        yes: bool,
        #[command(flatten)]
        asking: AskingArgs,
    },
    Theme {
        #[arg(long)]
        force: bool,
        #[command(flatten)]
        asking: AskingArgs,
    },
}

pub(crate) fn run(app: &mut App, args: &WorldArgs) -> Result<Exit, Failure> {
    let book = app.book()?;
    let done = match &args.action {
        WorldAction::Update { wish, force, .. }
            if wish.trim().is_empty() && answers::reuses(app, &book, Step::World, Existing::from(*force))? =>
        {
            return Ok(Exit::Done);
        }
        WorldAction::Theme { force, .. } if answers::reuses(app, &book, Step::Theme, Existing::from(*force))? => {
            return Ok(Exit::Done);
        }
        WorldAction::Update { wish, force, yes, asking } => {
            let taken = app.plan(&book, asking, "world update", async |run| {
                let taken = world::build_world(run, wish.trim(), Existing::from(*force)).await?;
                if *yes { approval::approve_taken(run, taken) } else { Ok(taken) }
            })?;
            match taken {
                StepOutcome::Done(done) => done,
                StepOutcome::Waits(step) => return answers::show_proposal(app, &book, step),
            }
        }
        WorldAction::Theme { force, asking } => {
            app.plan(&book, asking, "world theme", async |run| world::find_theme(run, Existing::from(*force)).await)?
        }
    };
    answers::show_done(app, &done)
}
