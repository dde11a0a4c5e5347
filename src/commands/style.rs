//! `novel style`: the author's style, as far as the agents know.

use crate::commands::answers;
use crate::commands::cli::value_parsers::ChapterRange;
use crate::commands::init;
use crate::commands::prelude::*;
use crate::domain::world::style::StyleSource;
use crate::pipeline::engine::commits::Applied;
use crate::pipeline::planning::style::{self, Samples, style_now};
use crate::report::profile::{EditHabits, ProfileReport};
use crate::store::template;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};

#[derive(Debug, Clone, clap::Args)]
pub(crate) struct StyleArgs {
    #[command(subcommand)]
    pub(crate) action: Option<StyleAction>,
}

#[derive(Debug, Clone, clap::Subcommand)]
pub(crate) enum StyleAction {
    Show,
    Use {
        #[arg(value_name = "PRESET", value_parser = preset())]
        preset: String,
    },
    Edits {
        #[arg(long)]
        take: bool,
    },
    From {
        #[arg(value_name = "FILE", required = true, num_args = 1..)]
        files: Vec<PathBuf>,
        #[arg(long, value_name = "AUTHOR", value_parser = super::cli::value_parsers::line)]
        reference: Option<String>,
        #[command(flatten)]
        asking: AskingArgs,
    },
    Extract {
        #[arg(value_name = "CHAPTERS")]
        chapters: Option<ChapterRange>,
        #[arg(long)]
        mine: bool,
        #[command(flatten)]
        asking: AskingArgs,
    },
}

/// A built-in style by its id, or by its name for people.
fn preset() -> impl TypedValueParser<Value = String> {
    let values = template::PRESETS.iter().map(|preset| PossibleValue::new(preset.id).alias(preset.name));
    let id = |typed: String| template::preset_called(&typed).map_or(typed.clone(), |preset| preset.id.to_owned());
    PossibleValuesParser::new(values).map(id)
}

/// The book already had the style.
#[derive(Serialize)]
struct StyleUnchanged {
    status: &'static str,
    style: String,
}

pub(crate) fn run(app: &mut App, args: &StyleArgs) -> Result<Exit, Failure> {
    let book = app.book()?;
    match args.action.as_ref().unwrap_or(&StyleAction::Show) {
        StyleAction::Show => show(app, &book),
        StyleAction::Use { preset } => take(app, &book, preset),
        StyleAction::Edits { take } => edits(app, &book, *take),
        StyleAction::From { files, reference, asking } => {
            let texts = files.iter().map(|path| init::read(app, path)).collect::<Result<Vec<String>, Failure>>()?;
            learn(app, &book, "style from", asking, &Samples::given(texts, reference.as_deref()))
        }
        StyleAction::Extract { chapters, mine, asking } => {
            let range = chapters.map(|range| range.first..=range.last);
            let source = if *mine { StyleSource::Original } else { StyleSource::Extracted };
            let samples = Samples::of_chapters(&book, range, source)?;
            learn(app, &book, "style extract", asking, &samples)
        }
    }
}

fn show(app: &mut App, book: &Book) -> Result<Exit, Failure> {
    let profile = ProfileReport::of(style_now(book)?);
    app.ui.show_paged(&profile, |lang, _| profile.text(lang))
}

fn take(app: &mut App, book: &Book, preset: &str) -> Result<Exit, Failure> {
    let session = app.begin(book, "style use")?;
    let author = app.identity(book)?;
    match run_context::run_without_model(app, &session, author, |run| style::use_style(run, preset))? {
        Applied::Done(done) => answers::show_done(app, &done),
        Applied::Already => {
            let shown = StyleUnchanged { status: "unchanged", style: preset.to_owned() };
            let words = both!(style_is_already(preset));
            app.ui.event(&shown, |lang, _| format!("{}\n", words.get(lang)))
        }
    }
}

fn edits(app: &mut App, book: &Book, take: bool) -> Result<Exit, Failure> {
    let (phrases, done) = match take {
        false => (style::removals_by_author(book)?, None),
        true => match app.write(book, "style edits", style::learn_removals)? {
            Some((done, phrases)) => (phrases, Some(done)),
            None => (Vec::new(), None),
        },
    };
    let commit = done.map(|done| done.commit.into());
    let shown = EditHabits { phrases, commit };
    app.ui.event(&shown, |lang, columns| shown.text(lang, columns))
}

fn learn(app: &mut App, book: &Book, what: &str, asking: &AskingArgs, samples: &Samples) -> Result<Exit, Failure> {
    let done = app.plan(book, asking, what, async |run| style::learn_style(run, samples).await)?;
    answers::show_done(app, &done)
}
