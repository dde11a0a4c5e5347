//! `novel storyline`: the lines that run side by side in the book.

use crate::commands::answers;
use crate::commands::prelude::*;
use crate::domain::Slug;
use crate::domain::world::storyline::{Reach, Status};
use crate::pipeline::book::names;
use crate::pipeline::engine::commits::Applied;
use crate::pipeline::planning::storylines::{self, LineStart, NewLine};
use crate::report::people::StorylinesReport;

#[derive(Debug, Clone, clap::Args)]
pub(crate) struct StorylineArgs {
    #[command(subcommand)]
    pub(crate) action: Option<StorylineAction>,
}

#[derive(Debug, Clone, clap::Subcommand)]
pub(crate) enum StorylineAction {
    List,
    Add(Box<AddArgs>),
    Pause {
        #[arg(value_name = "STORYLINE", value_parser = value_parsers::line)]
        id: String,
    },
    Resume {
        #[arg(value_name = "STORYLINE", value_parser = value_parsers::line)]
        id: String,
    },
    End {
        #[arg(value_name = "STORYLINE", value_parser = value_parsers::line)]
        id: String,
    },
}

#[derive(Debug, Clone, clap::Args)]
pub(crate) struct AddArgs {
    #[arg(value_name = "WISH", required_unless_present = "name", value_parser = value_parsers::line,
        conflicts_with_all = ["name", "id", "kind", "reach", "about", "pov"])]
    pub(crate) wish: Option<String>,
    #[arg(long, value_name = "NAME", value_parser = value_parsers::line)]
    pub(crate) name: Option<String>,
    #[arg(long, value_name = "ID", requires = "name", value_parser = value_parsers::slug)]
    pub(crate) id: Option<Slug>,
    #[arg(long, value_name = "KIND", requires = "name", default_value = "character_arc", value_parser = value_parsers::line)]
    pub(crate) kind: String,
    #[arg(long, value_name = "REACH", requires = "name", default_value = "multi_volume",
        value_parser = value_parsers::one_of::<Reach>(Reach::ALL.iter().map(|reach| reach.as_str())))]
    pub(crate) reach: Reach,
    #[arg(long, value_name = "TEXT", requires = "name", default_value = "", hide_default_value = true)]
    pub(crate) about: String,
    #[arg(long, value_name = "CHARACTER", requires = "name", value_parser = value_parsers::line)]
    pub(crate) pov: Vec<String>,
    #[arg(long)]
    pub(crate) active: bool,
    #[command(flatten)]
    pub(crate) asking: AskingArgs,
}

/// A line that already had the requested state.
#[derive(Serialize)]
struct StorylineUnchanged {
    status: &'static str,
    id: String,
    is: &'static str,
}

/// Without an action, lists the lines.
pub(crate) fn run(app: &mut App, args: &StorylineArgs) -> Result<Exit, Failure> {
    let book = app.book()?;
    match args.action.as_ref().unwrap_or(&StorylineAction::List) {
        StorylineAction::List => {
            let list = StorylinesReport { storylines: storylines::standings(&book)? };
            app.ui.show_paged(&list, |lang, columns| list.text(lang, columns))
        }
        StorylineAction::Add(args) => add(app, &book, args),
        StorylineAction::Pause { id } => turn(app, &book, id, Status::Dormant),
        StorylineAction::Resume { id } => turn(app, &book, id, Status::Active),
        StorylineAction::End { id } => turn(app, &book, id, Status::Ended),
    }
}

fn add(app: &mut App, book: &Book, args: &AddArgs) -> Result<Exit, Failure> {
    let start = if args.active { LineStart::Now } else { LineStart::Later };
    let done = match (&args.name, &args.wish) {
        (Some(name), _) => {
            let new = NewLine {
                name: name.clone(),
                id: args.id.clone(),
                kind: args.kind.clone(),
                reach: args.reach,
                about: args.about.trim().to_owned(),
                pov: args.pov.clone(),
            };
            app.write(book, "storyline add", |run| storylines::add_storyline(run, &new, start))?
        }
        (None, wish) => {
            let wish = wish.as_deref().unwrap_or_default().trim();
            app.plan(book, &args.asking, "storyline add", async |run| {
                storylines::describe_storyline(run, wish, start).await
            })?
        }
    };
    answers::show_done(app, &done)
}

fn turn(app: &mut App, book: &Book, typed: &str, to: Status) -> Result<Exit, Failure> {
    let session = app.begin(book, "storyline")?;
    let author = app.identity(book)?;
    match run_context::run_without_model(app, &session, author, |run| storylines::turn_storyline(run, typed, to))? {
        Applied::Done(done) => answers::show_done(app, &done),
        Applied::Already => {
            let id = names::storyline(&storylines::all(book)?, typed)?;
            let shown = StorylineUnchanged { status: "unchanged", id: id.to_string(), is: to.as_str() };
            app.ui.event(&shown, |lang, _| say!(lang, is_already(id, is = to.say(lang))))
        }
    }
}
