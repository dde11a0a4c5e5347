//! `novel status`: says where the book stands.

use super::App;
use super::cli::exit::Exit;
use super::cli::failure::Failure;
use crate::domain::ChapterNo;
use crate::domain::workflow::BookQuestion;
use crate::pipeline::chapter::decide::InFlight;
use crate::pipeline::workflow::{BrokenFile, FileFault, NextCommand, Overview};
use crate::pipeline::{BookView, workflow};
use crate::report::lang::say;
use crate::report::status::{ChapterState, Inflight, OpenForeshadowing, Status, Step, Style, Trouble};
use crate::report::words::Words;
use crate::report::{Lang, problem};
use crate::store::{Book, NotWritable, Transaction, layout};
use crate::text::Count;

/// Show where the book stands and what to type next
#[derive(Debug, Clone, clap::Args)]
pub(crate) struct StatusArgs {}

/// Reads where the book stands. Takes no lock, and says what it can when a file of the book is broken.
pub(crate) fn run(app: &mut App, _: &StatusArgs) -> Result<Exit, Failure> {
    let book = app.book()?;
    let report = of_book(app, &book)?;
    app.ui.show(&report, |lang, columns| report.text(lang, columns))?;
    Ok(Exit::Done)
}

/// The status of a book.
pub(super) fn of_book(app: &mut App, book: &Book) -> Result<Status, Failure> {
    let lang = app.ui.lang();
    let overview = workflow::overview(book)?;
    let offline = app.settings_so_far(&overview.config)?.offline();
    let chapters = if app.ui.is_json() { chapters(book, &BookView::new(&book.snapshot()?))? } else { Vec::new() };
    let problems: Vec<Trouble> = overview.problems.iter().map(|broken| trouble(broken, lang)).collect();
    let (volume, waits) = (overview.checkpoint.volume, overview.chapter_waits());
    let next = next(&overview, &problems, lang);
    let Overview { config, checkpoint, style, in_flight, .. } = overview;
    let open = overview.ledger.open().map(|entry| OpenForeshadowing {
        id: entry.id.to_string(),
        description: entry.description.clone(),
        due: entry.target.map(|(_, latest)| latest),
        overdue: entry.overdue(checkpoint.last_completed),
    });
    let steps = [
        ("brief", say!(lang, "创作纲领 brief.md", "the brief, brief.md"), overview.has_brief),
        ("outline", say!(lang, "{volume} 的大纲", "the outline of {volume}"), overview.has_outline),
    ];
    let of_chapter = in_flight.iter().filter(|_| waits).map(|flight| format!("{} {}", flight.chapter, flight.title));
    Ok(Status {
        title: if config.title.is_empty() { folder_name(book) } else { config.title },
        phase: checkpoint.phase,
        volume,
        last_completed: checkpoint.last_completed,
        line: (!book.is_main_line()).then(|| book.branch().to_owned()),
        pending: of_chapter.chain(overview.questions.into_iter().map(|asked| asks(asked, lang))).collect(),
        foreshadowing: open.collect(),
        inflight: in_flight.map(inflight),
        totals: checkpoint.totals,
        hand_edits: overview.edits,
        problems,
        interrupted: app.interrupted.take(),
        obstacle: overview.obstacle.map(|obstacle| Failure::from(obstacle).message(lang).to_owned()),
        rebuild: overview.without_operations,
        outdated: overview.outdated.into_iter().map(|outdated| outdated.chapter).collect(),
        style: style.map_or_else(Style::default, |profile| Style {
            source_type: Some(profile.source),
            source_name: profile.source_name,
            directives: profile.writing_directives.len(),
            corrected_since: overview.corrected_since,
        }),
        offline,
        writer: book.holder().map(|busy| format!("{} ({})", busy.what, busy.pid)),
        steps: steps.into_iter().map(|(step, name, done)| Step { step, name, done }).collect(),
        chapters,
        next,
    })
}

fn inflight(flight: InFlight) -> Inflight {
    Inflight {
        chapter: flight.chapter,
        title: flight.title,
        stage: flight.progress.pipeline_stage(&flight.next),
        done: flight.progress.done(),
        scenes: flight.progress.scenes,
        revisions: flight.progress.tries.revisions,
    }
}

/// A file that cannot be used, in words.
fn trouble(broken: &BrokenFile, lang: Lang) -> Trouble {
    let what = match &broken.fault {
        FileFault::Missing => lang.pick("文件没有了", "the file is missing").to_owned(),
        FileFault::Format(error) => problem::of_format(error, lang),
        FileFault::Prompt(error) => problem::of_prompt(error, lang),
        FileFault::InTheWay(found) => problem::of_obstruction(found, lang),
        FileFault::Outline(errors) => {
            let mut what = errors.first().map(|error| problem::of_outline(error, lang)).unwrap_or_default();
            let more = errors.len().saturating_sub(1);
            if more > 0 {
                what.push_str(&say!(lang, "（另有 {more} 处）", " (and {more} more)"));
            }
            what
        }
    };
    Trouble { path: broken.path.clone(), what, committed: broken.committed }
}

/// The next command as it is typed, or the words that stand in its place.
fn next(overview: &Overview, problems: &[Trouble], lang: Lang) -> String {
    let command = match overview.next {
        NextCommand::ClearTheWay => return overview.obstacle.as_ref().map_or_else(String::new, NotWritable::way_out),
        NextCommand::Mend => return problems.first().map_or_else(String::new, |broken| remedy(broken, lang)),
        NextCommand::Decide => "novel decide",
        NextCommand::Continue => "novel continue",
        NextCommand::Plan => "novel plan",
        NextCommand::Start => "novel start",
        NextCommand::Complete => lang.pick(
            "全书完；要接着写: novel start --answer next-volume",
            "nothing: the book is complete (to go on: novel start --answer next-volume)",
        ),
        NextCommand::PlanVolume(volume) => {
            return say!(
                lang,
                "novel start（自己写大纲就写 volumes/{volume}/outline.md，样例 examples/outline.md）",
                "novel start (or write volumes/{volume}/outline.md yourself; examples/outline.md shows how)"
            );
        }
    };
    command.to_owned()
}

/// The question that waits, in a few words.
fn asks(asked: BookQuestion, lang: Lang) -> String {
    match asked {
        BookQuestion::Trial => lang.pick("试写的三章去留", "what becomes of the trial chapters").to_owned(),
        BookQuestion::Plan { volume, .. } => say!(lang, "{volume} 的计划", "the plan of {volume}"),
        BookQuestion::Contracts { step, .. } => {
            let what = step.say(lang);
            say!(lang, "{what}的改动（规则、契约）", "the changes of {what} (rules, contracts)")
        }
        BookQuestion::Cleanup(volume) => {
            say!(lang, "{volume} 之后状态要不要清理", "whether to clean the state up after {volume}")
        }
        BookQuestion::Volume { volume, course } => {
            let advice = course.say(lang);
            say!(lang, "{volume} 之后怎么走（建议{advice}）", "how to go on after {volume} ({advice} is advised)")
        }
    }
}

/// What to do about a broken file.
fn remedy(broken: &Trouble, lang: Lang) -> String {
    let path = &broken.path;
    match broken.committed {
        _ if path.starts_with("volumes/") || path.starts_with(layout::PROMPTS) => {
            say!(lang, "改好 {path}，再 novel status", "correct {path}, then novel status")
        }
        true => "novel doctor --repair".to_owned(),
        false => say!(
            lang,
            "改好 {path}，或放弃这次改动: git restore :/{path}",
            "correct {path}, or drop the change: git restore :/{path}"
        ),
    }
}

/// Every chapter's state, from the trailers of its commit; without them, from its text.
fn chapters(book: &Book, view: &BookView<'_, '_>) -> Result<Vec<ChapterState>, Failure> {
    let title = |subject: &str| subject.split_once(": ").map_or(subject, |(_, title)| title).to_owned();
    let state = |(chapter, transaction): (ChapterNo, Transaction)| {
        if transaction.accepts() != Some(chapter) {
            let text = view.chapter(chapter)?;
            let words = u32::try_from(Count::of_prose(&text.body).words).unwrap_or(u32::MAX);
            return Ok(ChapterState { chapter, title: text.title, words, score: None, gate: None });
        }
        Ok(ChapterState {
            chapter,
            title: title(&transaction.subject),
            words: transaction.trailers.read("Novel-Words").unwrap_or(0),
            score: transaction.trailers.read("Novel-Score"),
            gate: transaction.trailers.get("Novel-Gate").map(str::to_owned),
        })
    };
    book.chapters()?.into_iter().map(state).collect()
}

fn folder_name(book: &Book) -> String {
    book.root().file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default()
}
