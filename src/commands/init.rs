//! `novel init`: makes a book.

use crate::commands::cli::value_parsers::{Money, WordRange};
use crate::commands::hooks;
use crate::commands::prelude::*;
use crate::domain::book::config::{BookConfig, Genre};
use crate::domain::world::style::StyleProfile;
use crate::pipeline::RunError;
use crate::pipeline::engine::call_record::PaidCall;
use crate::pipeline::planning::create_book::{self, Idea, NewBook};
use crate::report::lines::Commit;
use crate::report::problem;
use crate::store::format::of_json;
use crate::store::{self, InitError, Initialised, Kind, Notice};
use crate::text::encoding;
use serde::Deserialize;
use std::io::Read as _;

#[derive(Debug, Clone, clap::Args)]
pub(crate) struct InitArgs {
    #[arg(value_name = "DIR")]
    pub(crate) dir: PathBuf,
    #[arg(long, value_name = "TITLE")]
    pub(crate) title: Option<String>,
    #[arg(long, value_name = "GENRE")]
    pub(crate) genre: Option<String>,
    #[arg(long, value_name = "TEXT")]
    pub(crate) protagonist: Option<String>,
    #[arg(long, value_name = "TEXT")]
    pub(crate) conflict: Option<String>,
    #[arg(long, value_name = "FILE", num_args = 1.., conflicts_with = "style")]
    pub(crate) samples: Vec<PathBuf>,
    #[arg(long, value_name = "AUTHOR", requires = "samples")]
    pub(crate) reference_author: Option<String>,
    #[arg(long, value_name = "PRESET")]
    pub(crate) style: Option<String>,
    #[arg(long, value_name = "FILE")]
    pub(crate) outline: Option<PathBuf>,
    #[arg(long, value_name = "FILE", conflicts_with = "outline")]
    pub(crate) from_json: Option<PathBuf>,
    #[arg(long, value_name = "MIN-MAX")]
    pub(crate) words: Option<WordRange>,
    #[arg(long, value_name = "AMOUNT")]
    pub(crate) budget: Option<Money>,
    #[arg(long)]
    pub(crate) offline: bool,
    #[arg(long, overrides_with = "no_hooks")]
    pub(crate) hooks: bool,
    #[arg(long, overrides_with = "hooks")]
    pub(crate) no_hooks: bool,
}

/// Steps after making a book.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Afterwards {
    pub(super) hooks: bool,
    pub(super) next: bool,
}

/// The content of a `--from-json` file: flags by name.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct FromJson {
    title: Option<String>,
    genre: Option<String>,
    protagonist: Option<String>,
    conflict: Option<String>,
    outline: Option<String>,
    samples: Vec<String>,
    reference_author: Option<String>,
    style: Option<String>,
    min_words: Option<u32>,
    max_words: Option<u32>,
    offline: bool,
}

#[derive(Serialize)]
struct InitReport {
    path: String,
    title: String,
    commit: Commit,
    planned_chapters: usize,
    /// Chapters whose outline leaves fields to the planner.
    open_chapters: usize,
    /// Existing files that were kept.
    kept: Vec<String>,
    hooks: bool,
    next: String,
}

pub(crate) fn run(app: &mut App, args: &InitArgs) -> Result<Exit, Failure> {
    let dir = app.folder()?.join(&args.dir);
    // `init .` is a book in this folder, not in `folder/.`.
    let dir = std::path::absolute(&dir).unwrap_or(dir);
    // Before questions and costs for a book that cannot be made.
    if let Some(book) = Book::open(&dir, wording).ok().filter(|book| book.root() == dir) {
        // Killed after its commit, the creation would leave git to call every file deleted.
        if store::recover::unfinished(&book)?.is_some_and(|transaction| transaction.kind == Kind::Init) {
            drop(app.begin_as_it_is(&book, "init")?);
        }
        return Err(RunError::from(InitError::AlreadyBook(dir)).into());
    }
    let idea = idea(app, args, &dir)?;
    // The outline first: its mistakes must cost nothing. They are reported under the name of the given file.
    idea.outline().map_err(|error| match (error, args.outline.as_ref().or(args.from_json.as_ref())) {
        (RunError::Outline { errors, .. }, Some(given)) => {
            RunError::Outline { path: given.display().to_string(), errors }
        }
        (other, _) => other,
    })?;
    let clock = app.clock();
    let (style, calls) = if idea.samples.is_empty() {
        (None, Vec::new())
    } else {
        let flags = Flags::default().with(Key::Offline, "--offline", args.offline.then(|| "true".to_owned())).with(
            Key::Budget,
            "--budget",
            args.budget.map(|budget| budget.to_string()),
        );
        let config = BookConfig { offline: idea.offline, ..BookConfig::default() };
        let (responder, settings) = app.responder(&flags, &config)?;
        app.ui.say(&both!(measuring_style_of_samples))?;
        let models = (&responder, &clock, settings.budget());
        let (style, calls) = run_context::run_calls(app, models, async |calls| idea.style(calls).await)?;
        (Some(style), calls)
    };
    let hooks = args.hooks || (!args.no_hooks && asked_for_hooks(app)?);
    create(app, &dir, &idea, (style, &calls), Afterwards { hooks, next: true })
}

/// Asks once for permission to install the hooks. False without a terminal.
fn asked_for_hooks(app: &mut App) -> Result<bool, Failure> {
    if !app.ui.can_ask() {
        return Ok(false);
    }
    let answer = app.ui.confirm_or_later(&both!(install_git_hooks_they_check_formats), DefaultAnswer::No, "--hooks")?;
    if answer.is_none() {
        app.ui.say(&both!(hooks_can_be_installed_later))?;
    }
    Ok(answer.unwrap_or(false))
}

/// Makes the book, reports it, and does what follows. A learnt style comes with the calls that it took.
pub(super) fn create(
    app: &mut App,
    dir: &Path,
    idea: &Idea,
    (style, calls): (Option<StyleProfile>, &[PaidCall]),
    afterwards: Afterwards,
) -> Result<Exit, Failure> {
    let founding = idea.files(style, &app.clock())?;
    let (planned, open_chapters) = (founding.planned, idea.open_chapters());
    let made = found_as_author(app, dir, founding, calls, "init")?;
    if made.book.contents_of(made.commit)?.last().is_some() {
        // Chapters that were there already.
        app.write(&made.book, "init", |run| run.replay_state())?;
    }
    // Existing settings stay, and they count.
    let config = run_context::config_of(&made.book)?;
    if config.language != app.ui.lang() {
        app.ui.say(&both!(subjects_of_commits_are_in_other_language))?;
    }
    let hooks = afterwards.hooks && installed_hooks(app, dir)?;
    let shown = quoted(dir.display());
    let lang = app.ui.lang();
    let next = match planned {
        0 => say!(lang, novel_c_start_world_people_three(shown)),
        _ if open_chapters > 0 => format!("novel -C {shown} plan fill"),
        _ => format!("novel -C {shown} continue"),
    };
    let report = InitReport {
        path: dir.display().to_string(),
        title: if config.title.is_empty() { idea.title.clone() } else { config.title },
        commit: made.commit.into(),
        planned_chapters: planned,
        open_chapters,
        kept: made.kept,
        hooks,
        next,
    };
    app.ui.event(&report, |lang, _| {
        let InitReport { path, title, commit, planned_chapters, open_chapters, kept, hooks, next } = &report;
        let mut text = say!(lang, is_in_commit(title, path, commit));
        if *planned_chapters > 0 {
            text.push_str(&say!(lang, outline_has(planned_chapters)));
        }
        if *open_chapters > 0 {
            text.push_str(&say!(lang, of_it_leave_fields_open_which(open_chapters)));
        }
        if !kept.is_empty() {
            text.push_str(&say!(lang, there_before_taken_over_as_they(list = listed(kept, lang))));
        }
        if *hooks {
            text.push_str(say!(lang, git_hooks_are_installed));
        }
        if afterwards.next {
            text.push_str(&say!(lang, doctor_next(next)));
        }
        text
    })
}

/// Installs the hooks in a new book, which exists whatever the result.
fn installed_hooks(app: &mut App, dir: &Path) -> Result<bool, Failure> {
    let Err(failure) = Book::open(dir, wording).map_err(Failure::from).and_then(|book| hooks::install(app, &book))
    else {
        return Ok(true);
    };
    app.ui.warn(&both!(lang, no_git_hooks_installed_novel_hooks(why = failure.message(lang))))?;
    Ok(false)
}

/// Genre, protagonist and conflict of a new book. On a terminal they are asked for in one line, where none is given.
pub(super) fn ask_idea(app: &mut App, given: [String; 3]) -> Result<[String; 3], Failure> {
    if !app.ui.can_ask() || given.iter().any(|said| !said.trim().is_empty()) {
        return Ok(given);
    }
    Ok(idea_in(&app.ui.ask(&both!(story_in_a_line), "--genre")?))
}

/// The genre in front of the line that tells a story, and the rest as its conflict; the protagonist is part of that.
fn idea_in(said: &str) -> [String; 3] {
    const MARKS: [char; 8] = ['，', '。', '；', '：', ',', ';', ':', '、'];
    let said = said.trim();
    let (first, rest) = said.split_once(MARKS).unwrap_or((said, ""));
    let is_genre = !Genre::named_in(first).is_empty() || !rest.is_empty() && first.chars().count() <= LONGEST_GENRE;
    let (genre, conflict) = if is_genre { (first, rest) } else { ("", said) };
    [genre.trim().to_owned(), String::new(), conflict.trim().to_owned()]
}

/// The most characters of a genre that no list names, such as 美食探案.
const LONGEST_GENRE: usize = 6;

/// Collects the author's input, and asks on a terminal for missing parts.
fn idea(app: &mut App, args: &InitArgs, dir: &Path) -> Result<Idea, Failure> {
    let json = match &args.from_json {
        Some(path) => from_json(app, path)?,
        None => FromJson::default(),
    };
    let words = args.words.map(|range| (range.min, range.max)).or(match (json.min_words, json.max_words) {
        (None, None) => None,
        (min, max) => {
            let usual = BookConfig::default();
            Some((min.unwrap_or(usual.min_words), max.unwrap_or(usual.max_words)))
        }
    });
    if words.is_some_and(|(min, max)| min == 0 || min > max) {
        return Err(Failure::usage(both!(fewest_words_must_be_below_most)));
    }
    let folder = dir.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let title = args.title.clone().or(json.title).unwrap_or(folder);
    let given = [
        args.genre.clone().or(json.genre),
        args.protagonist.clone().or(json.protagonist),
        args.conflict.clone().or(json.conflict),
    ];
    let [genre, protagonist, conflict] = ask_idea(app, given.map(Option::unwrap_or_default))?;
    let outline = match &args.outline {
        Some(path) => Some(read(app, path)?),
        None => json.outline,
    };
    let mut samples = json.samples;
    for path in &args.samples {
        samples.push(read(app, path)?);
    }
    Ok(Idea {
        title,
        genre,
        protagonist,
        conflict,
        outline,
        samples,
        reference_author: args.reference_author.clone().or(json.reference_author),
        preset: args.style.clone().or(json.style),
        words,
        offline: args.offline || json.offline,
    })
}

/// Makes the book, by the author whom git knows or who is asked for a name.
pub(super) fn found_as_author(
    app: &mut App,
    dir: &Path,
    founding: NewBook,
    calls: &[PaidCall],
    command: &'static str,
) -> Result<Initialised, Failure> {
    let (language, mut author, keys) = (app.ui.lang(), app.given_author(), app.own_keys());
    let is_named = Book::identity_at(dir, &author)?.is_some();
    let name = if is_named { None } else { app.asked_name()? };
    author.name = author.name.or(name.clone());
    let founding = NewBook { language, author, keys, ..founding };
    let made = create_book::found(dir, founding, calls, app.holder(command), wording)?;
    match name {
        Some(name) => made.book.name_author(&name)?,
        None if made.anonymous => {
            app.ui.warn(&both!(git_does_not_know_your_name_so_commit))?;
            made.book.note_told(Notice::Nameless);
        }
        None => {}
    }
    Ok(made)
}

/// A text of the author, in any encoding that [`encoding::read`] knows.
pub(super) fn read(app: &App, path: &Path) -> Result<String, Failure> {
    let bytes = environment::read_bytes(&app.typed(path)).map_err(|error| match error.kind() {
        std::io::ErrorKind::NotFound => Failure::unreadable(path).hint(both!(there_is_no_such_file)),
        _ => Failure::unreadable(path).because(&error),
    })?;
    let read = encoding::read(&bytes, None).filter(|read| read.damaged.is_empty());
    let read = read.ok_or_else(|| Failure::unreadable(path).hint(both!(file_must_be_plain_text_in)))?;
    Ok(read.text)
}

fn from_json(app: &App, path: &Path) -> Result<FromJson, Failure> {
    let text = if path == Path::new("-") {
        let mut text = String::new();
        std::io::stdin().lock().read_to_string(&mut text)?;
        text
    } else {
        read(app, path)?
    };
    serde_json::from_str(&text).map_err(|error| {
        let failure = if path == Path::new("-") {
            Failure::no(both!(standard_input_is_not_usable_json))
        } else {
            Failure::no(both!(is_not_usable_json(shown = path.display())))
        };
        let why = Both::of(|lang| problem::of_format(&of_json(&error), lang));
        failure.cause(why).hint(both!(fields_title_genre_protagonist_conflict))
    })
}
