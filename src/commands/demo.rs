//! `novel demo`: writes a small book offline, to look around in.

use crate::commands::prelude::*;
use crate::commands::start;
use crate::domain::workflow::{Answer, BookQuestion, NextStep};
use crate::pipeline::chapter;
use crate::pipeline::planning::create_book::{self, NewBook};
use crate::pipeline::workflow::{self, AnswerDetails, AnswerOutcome, VolumeWishes};
use crate::pipeline::{Goal, RunError};
use crate::store::{Identity, InitError};

#[derive(Debug, Clone, clap::Args)]
pub(crate) struct DemoArgs {
    #[arg(value_name = "DIR", default_value = "novel-demo")]
    pub(crate) dir: PathBuf,
    #[arg(long, value_name = "COUNT", value_parser = value_parsers::count_or_none)]
    pub(crate) chapters: Option<u32>,
    #[arg(long, value_name = "COUNT", value_parser = value_parsers::count)]
    pub(crate) volumes: Option<u32>,
}

const CHAPTERS: u32 = 3;
/// Chapters of a volume where only volumes are given.
const A_VOLUME: u32 = 10;
/// The fewest chapters of a volume: the first begins with the trial chapters, and a plan needs room.
const LEAST: u32 = 4;

#[derive(Serialize)]
struct DemoReport {
    path: String,
    chapters: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    volumes: Option<u32>,
    /// Commands to look around with.
    look: Vec<String>,
}

/// Makes the demo book and writes its first chapters with the offline writer. An interrupted demo is continued.
pub(crate) fn run(app: &mut App, args: &DemoArgs) -> Result<Exit, Failure> {
    let asked = args.volumes.map(|volumes| volumes.saturating_mul(A_VOLUME));
    let chapters = args.chapters.or(asked).unwrap_or(CHAPTERS);
    let clock = app.clock();
    match args.volumes {
        Some(volumes) => check(volumes, chapters)?,
        None => check_plan(create_book::demo(&clock)?.planned, chapters)?,
    }
    let dir = app.folder()?.join(&args.dir);
    let book = match app.open(&dir).ok().filter(|book| book.root() == dir) {
        Some(book) if create_book::is_demo(&book)? => book,
        Some(_) => return Err(RunError::from(InitError::AlreadyBook(dir)).into()),
        None if !Book::is_vacant(&dir) => return Err(RunError::from(InitError::Occupied(dir)).into()),
        None => {
            let founding = match args.volumes {
                Some(_) => create_book::demo_idea().files(None, &clock)?,
                None => create_book::demo(&clock)?,
            };
            let (language, author, keys) = (app.ui.lang(), app.given_author(), app.own_keys());
            let founding = NewBook { demo: true, language, author, keys, ..founding };
            create_book::found(&dir, founding, &[], app.holder("demo"), wording)?.book
        }
    };
    match args.volumes {
        Some(volumes) => grow(app, &book, volumes, chapters)?,
        None => write(app, &book, chapters)?,
    }
    let from = app.globals.directory.clone().unwrap_or_default();
    let shown = from.join(&args.dir).display().to_string();
    let look = look(&quoted(&shown), chapters, args.volumes.is_some());
    let report = DemoReport { path: shown.clone(), chapters, volumes: args.volumes, look };
    let totals = BookView::new(book.snapshot()?).checkpoint_with_totals()?.totals;
    app.ui.event(&report, |lang, _| {
        let mut text = say!(lang, demo_book_is_in_written_by(shown));
        if let Some(volumes) = report.volumes {
            let (n, words) = (totals.chapters, figures::count(totals.words));
            let score = totals.score_average().map_or("–".to_owned(), figures::score) + say!(lang, placeholder);
            text.insert_str(0, &say!(lang, words_mean_score(words, score, volumes, n)));
        }
        text.extend(report.look.iter().map(|line| format!("  {line}\n")));
        text
    })
}

/// The author of the demo; without a name in git, novel's own without a warning.
fn author(app: &App, book: &Book) -> Result<Identity, Failure> {
    Ok(book.identity(&app.given_author())?.unwrap_or_else(Identity::fallback))
}

fn check(volumes: u32, chapters: u32) -> Result<(), Failure> {
    if VolumeNo::new(volumes).is_none() {
        return Err(Failure::usage(both!(book_has_at_most_volumes)));
    }
    let most = volumes.saturating_mul(value_parsers::LARGEST_VOLUME);
    if chapters > most {
        return Err(Failure::usage(both!(volumes_have_at_most_chapters(volumes, most))));
    }
    let least = volumes * LEAST;
    if chapters < least {
        return Err(Failure::usage(both!(volumes_need_at_least_chapters(volumes, least))));
    }
    Ok(())
}

/// Checks that the embedded plan has so many chapters.
fn check_plan(planned: usize, chapters: u32) -> Result<(), Failure> {
    if chapters as usize > planned {
        return Err(Failure::usage(both!(demo_plans_so_many_chapters(planned))));
    }
    Ok(())
}

fn write(app: &mut App, book: &Book, chapters: u32) -> Result<(), Failure> {
    let Some(last) = ChapterNo::new(chapters) else { return Ok(()) };
    let session = app.begin(book, "demo")?;
    run_context::run_offline(app, &session, author(app, book)?, async |run| {
        chapter::run::write_chapters(run, Goal::Until(last)).await
    })?;
    Ok(())
}

/// Answers every question as recommended, until the last volume is reviewed.
fn grow(app: &mut App, book: &Book, volumes: u32, chapters: u32) -> Result<(), Failure> {
    let session = app.begin(book, "demo")?;
    loop {
        let standing = workflow::standing(book)?;
        let step = standing.next();
        let author = author(app, book)?;
        let done = match step {
            NextStep::Ask(BookQuestion::Volume { volume, .. }) if volume.get() >= volumes => return Ok(()),
            NextStep::Ask(question) => {
                let answer = match question {
                    // The last volume is planned to leave nothing open.
                    BookQuestion::Volume { volume, .. } if volume.get() + 1 == volumes => Answer::WrapUp,
                    BookQuestion::Volume { .. } => Answer::NextVolume,
                    question => question.answers()[0],
                };
                let (now, nothing) = (NextStep::Ask(question), AnswerDetails::default());
                let carried = run_context::run_without_model(app, &session, author, |run| {
                    workflow::step::answer(run, now, answer, &nothing)
                })?;
                carried.commit().ok_or_else(|| stuck(book))?.clone()
            }
            step => {
                let wanted = match step {
                    NextStep::PlanVolume(volume) => {
                        let chapters = Some(share(volume, volumes, chapters, standing.written));
                        VolumeWishes { chapters, ..VolumeWishes::default() }
                    }
                    _ => VolumeWishes::default(),
                };
                let (done, goes_on) = run_context::run_offline(app, &session, author, async |run| {
                    workflow::step::advance(run, step, &wanted).await
                })?;
                match done {
                    _ if !goes_on => return Err(stuck(book)),
                    Some(done) => done,
                    None => continue,
                }
            }
        };
        start::say_carried(app, &AnswerOutcome::Committed(done))?;
    }
}

/// Chapters of a volume: an even share of the rest. The trial chapters of the first one are already written.
fn share(volume: VolumeNo, volumes: u32, chapters: u32, written: u32) -> u32 {
    let before = if volume == VolumeNo::FIRST { 0 } else { written };
    let volumes = (volumes + 1).saturating_sub(volume.get()).max(1);
    chapters.saturating_sub(before).div_ceil(volumes).max(LEAST)
}

/// The failure when the author has changed the book meanwhile, so that a question waits.
fn stuck(book: &Book) -> Failure {
    let dir = quoted(book.root().display());
    Failure::decide(both!(book_waits_for_decision_of_yours(dir)))
}

/// Commands that work in a demo of so many chapters; a `whole` one has no planned chapter left.
fn look(dir: &str, chapters: u32, whole: bool) -> Vec<String> {
    let git = [(0, "log --first-parent --oneline"), (2, "show ch-002 --stat"), (2, "diff ch-001 ch-002 -- state/")];
    let novel = [
        (0, "status"),
        (0, "context 1 --breakdown"),
        (1, "show ch-001"),
        (2, "diff ch-002 --stage draft..refined"),
        (2, "show ch-002 --evaluation"),
        (2, "rollback ch-001 --dry-run"),
        (0, if whole { "metrics" } else { "continue" }),
    ];
    let git = git.into_iter().map(|(least, rest)| (least, format!("git -C {dir} {rest}")));
    let novel = novel.into_iter().map(|(least, rest)| (least, format!("novel -C {dir} {rest}")));
    git.chain(novel).filter(|(least, _)| *least <= chapters).map(|(_, line)| line).collect()
}
