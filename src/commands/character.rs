//! `novel character`: the people of the book.

use crate::agents::CastRequest;
use crate::commands::answers;
use crate::commands::prelude::*;
use crate::domain::quality::LOOK_BACK;
use crate::pipeline::book::names;
use crate::pipeline::planning::approval;
use crate::pipeline::planning::cast;
use crate::pipeline::planning::rename::{self, RenameOrder};
use crate::pipeline::planning::step::{Existing, StepOutcome};
use crate::pipeline::{Run, RunError};
use crate::report::people::{Farewell, People, VoiceReport};
use crate::report::renaming::RenameReport;
use crate::store::format::renumber::RenameReach;

#[derive(Debug, Clone, clap::Args)]
pub(crate) struct CharacterArgs {
    #[command(subcommand)]
    pub(crate) action: CharacterAction,
}

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
    Rename {
        #[arg(value_name = "CHARACTER", value_parser = value_parsers::line)]
        id: String,
        #[arg(value_name = "NAME", value_parser = value_parsers::person_name)]
        to: String,
        #[arg(long, value_name = "OLD=NEW", value_parser = value_parsers::alias)]
        alias: Vec<(String, String)>,
        #[arg(long)]
        in_chapters: bool,
        #[arg(long)]
        dry_run: bool,
        #[arg(long)]
        yes: bool,
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
        CharacterAction::Rename { id, to, alias, in_chapters, dry_run, yes } => {
            let reach = if *in_chapters { RenameReach::Chapters } else { RenameReach::Records };
            let order = RenameOrder { person: id.clone(), to: to.clone(), aliases: alias.clone(), reach };
            return rename(app, &book, &order, if *dry_run { Asking::Preview } else { Asking::from(*yes) });
        }
        CharacterAction::List => {
            let list = People { characters: cast::people(&book)?, minor: cast::minor_cast(&book)? };
            return app.ui.show_paged(&list, |lang, columns| list.text(lang, columns));
        }
        CharacterAction::Voices { last } => {
            let report = VoiceReport::of(&names::voices(&book, *last)?);
            return app.ui.show_paged(&report, |lang, columns| report.text(lang, columns));
        }
        CharacterAction::First { force, .. }
            if answers::reuses(app, &book, Step::Characters, Existing::from(*force))? =>
        {
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
            let make: MakeRequest = Box::new(|run| {
                Ok(CastRequest::Update { id: cast::character_called(run, id)?, wish: wish.trim().to_owned() })
            });
            (make, asking, "character update", *yes)
        }
    };
    let existing = Existing::from(matches!(args.action, CharacterAction::First { force: true, .. }));
    let taken = app.plan(&book, asking, what, async |run| {
        let taken = cast::make_characters(run, &make(run)?, existing).await?;
        if yes { approval::approve_taken(run, taken) } else { Ok(taken) }
    })?;
    match taken {
        StepOutcome::Done(done) => answers::show_done(app, &done),
        StepOutcome::Waits(step) => answers::show_proposal(app, &book, step),
    }
}

fn retire(app: &mut App, book: &Book, typed: &str, reason: &str) -> Result<Exit, Failure> {
    let retired = app.write(book, "character retire", |run| cast::retire(run, typed, reason))?;
    let report = Farewell::of(&retired);
    app.ui.event(&report, |lang, _| report.text(lang))
}

/// The consent to a change of chapters.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Asking {
    Preview,
    Asks,
    Given,
}

impl From<bool> for Asking {
    /// The choice that the flag `--yes` stands for.
    fn from(yes: bool) -> Self {
        if yes { Self::Given } else { Self::Asks }
    }
}

fn rename(app: &mut App, book: &Book, order: &RenameOrder, asking: Asking) -> Result<Exit, Failure> {
    if asking == Asking::Preview {
        let report = RenameReport::of(&rename::preview(book, order)?);
        return app.ui.show(&report, |lang, _| report.text(lang));
    }
    if asking == Asking::Asks {
        let report = RenameReport::of(&rename::preview(book, order)?);
        let (count, chapters) = (report.occurrences(), report.chapters.len());
        if count > 0 && order.reach == RenameReach::Chapters || !report.common_words.is_empty() {
            app.ui.say(&Both::of(|lang| report.text(lang).trim_end().to_owned()))?;
            let question = Both::of(|lang| {
                let words = listed(report.common_words.iter().map(|found| &found.word), lang);
                match report.common_words.is_empty() {
                    true => say!(lang, change_in_chapters(count, chapters)),
                    false => say!(lang, change_common_words(words)),
                }
            });
            if !app.ui.confirm(&question, DefaultAnswer::No, "--yes")? {
                return Ok(Exit::No);
            }
        }
    }
    let renamed = app.write(book, "character rename", |run| rename::rename_character(run, order))?;
    let report = RenameReport::of(&renamed);
    app.ui.event(&report, |lang, _| report.text(lang))
}
