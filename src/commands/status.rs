//! `novel status`: says where the book stands.

use super::App;
use super::cli::exit::Exit;
use super::cli::failure::Failure;
use crate::domain::ChapterNo;
use crate::domain::book::checkpoint::{Checkpoint, Phase};
use crate::domain::chapter::stage::Next;
use crate::domain::workflow::{BookQuestion, InPlanning, NextStep};
use crate::pipeline::book::{damage, state_gaps};
use crate::pipeline::chapter::decide;
use crate::pipeline::planning::approval;
use crate::pipeline::rebuild::outdated;
use crate::pipeline::{BookView, RunError, workflow};
use crate::report::lang::say;
use crate::report::status::{ChapterState, Inflight, OpenForeshadowing, Status, Step, Style, Trouble};
use crate::report::words::Words;
use crate::report::{Lang, problem};
use crate::store::{Book, Transaction, Wanted, layout};
use crate::text::Count;

/// Show where the book stands and what to type next
#[derive(Debug, Clone, clap::Args)]
pub(crate) struct StatusArgs {}

/// What is read of the book, with what could not be read beside it.
#[derive(Default)]
struct Reading {
    problems: Vec<Trouble>,
}

impl Reading {
    /// The value, or a note of the file that cannot be used. Only a repository that cannot be read ends the command.
    fn keep<T>(&mut self, read: Result<T, RunError>, lang: Lang) -> Result<Option<T>, Failure> {
        let (path, what) = match read {
            Ok(value) => return Ok(Some(value)),
            Err(RunError::NotPlanned { .. } | RunError::NoSuchChapter(_)) => return Ok(None),
            Err(RunError::Format { path, source } | RunError::BrokenEdit { path, source }) => {
                (path, problem::of_format(&source, lang))
            }
            Err(RunError::Outline { path, errors }) => {
                let more = errors.len().saturating_sub(1);
                let mut what = errors.first().map(|error| problem::of_outline(error, lang)).unwrap_or_default();
                if more > 0 {
                    what.push_str(&say!(lang, "（另有 {more} 处）", " (and {more} more)"));
                }
                (path, what)
            }
            Err(RunError::Missing { path }) => (path, lang.pick("文件没有了", "the file is missing").to_owned()),
            Err(RunError::Prompt(error)) => (layout::PROMPTS.to_owned(), problem::of_prompt(&error, lang)),
            Err(other) => return Err(other.into()),
        };
        self.note(path, what, true);
        Ok(None)
    }

    fn note(&mut self, path: String, what: String, committed: bool) {
        if self.problems.iter().all(|known| known.path != path) {
            self.problems.push(Trouble { path, what, committed });
        }
    }
}

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
    let snapshot = book.snapshot()?;
    let view = BookView::new(&snapshot);
    let mut reading = Reading::default();

    let survey = damage::survey(book, Wanted::of(&layout::is_book_path))?;
    for damaged in &survey.damaged {
        let what = match &damaged.error {
            Some(error) => problem::of_format(error, lang),
            None => lang.pick("文件没有了", "the file is missing").to_owned(),
        };
        reading.note(damaged.path.clone(), what, damaged.is_repairable());
    }
    for found in damage::in_the_way(book)? {
        reading.note(found.path.clone(), problem::of_obstruction(&found, lang), true);
    }
    let edits = survey.edits.into_iter().map(|edit| edit.path);
    let edits: Vec<String> = edits.chain(survey.damaged.into_iter().map(|damaged| damaged.path)).collect();
    let config = reading.keep(view.config(), lang)?.unwrap_or_default();
    let style = reading.keep(view.style(), lang)?.flatten();
    let checkpoint = match reading.keep(view.checkpoint(), lang)? {
        Some(checkpoint) => checkpoint,
        None => view.corrected(Checkpoint::new(Phase::Writing, String::new()))?,
    };
    let next_chapter = checkpoint.next_chapter();
    let in_flight = reading.keep(decide::in_flight(book), lang)?.flatten();
    let plan = reading.keep(view.plan(next_chapter), lang)?.flatten();
    let ledger = reading.keep(view.ledger(), lang)?.unwrap_or_default();
    if plan.is_some() {
        // Everything else that the next chapter is written from.
        reading.keep(view.chapter_context(next_chapter).map(drop), lang)?;
        reading.keep(view.prompts().map(drop), lang)?;
    }
    let obstacle = book.obstacle()?;

    // Only where no chapter is planned: otherwise writing comes next, and nothing is asked.
    let standing = match plan {
        None => reading.keep(workflow::standing_in(book, &view), lang)?,
        Some(_) => None,
    };
    let planning = match &standing {
        Some(standing) => standing.planning,
        None => reading.keep(workflow::in_planning(book), lang)?.flatten(),
    };
    let ahead = standing.map(|standing| standing.next());
    // A plan may wait beside a chapter, which is asked about first.
    let beside = planning.filter(|plan| plan.waits && !matches!(ahead, Some(NextStep::Ask(BookQuestion::Plan { .. }))));
    let beside = beside.map(|InPlanning { volume, sound, .. }| NextStep::Ask(BookQuestion::Plan { volume, sound }));
    let waiting = || approval::waiting(book);
    let proposal = standing.is_none().then(|| reading.keep(waiting(), lang)).transpose()?.flatten().flatten();
    let volume = checkpoint.volume;
    let proposal = proposal.map(|proposal| NextStep::Ask(BookQuestion::Contracts { step: proposal.step, volume }));
    let waits = in_flight.as_ref().is_some_and(|flight| matches!(flight.next, Next::Wait(_)));
    let next = if let Some(obstacle) = &obstacle {
        // Nothing can be repaired before it is out of the way.
        obstacle.way_out()
    } else if let Some(broken) = reading.problems.first() {
        remedy(broken, lang)
    } else if waits {
        "novel decide".to_owned()
    } else if plan.is_some() || in_flight.is_some() {
        "novel continue".to_owned()
    } else if let Some(NextStep::Ask(asked)) = ahead {
        match asked {
            BookQuestion::Plan { .. } => "novel plan".to_owned(),
            BookQuestion::Contracts { .. } => "novel decide".to_owned(),
            _ => "novel start".to_owned(),
        }
    } else if let Some(NextStep::Rest(_)) = ahead {
        say!(
            lang,
            "全书完；要接着写: novel start --answer next-volume",
            "nothing: the book is complete (to go on: novel start --answer next-volume)"
        )
    } else if let Some(NextStep::Review(_)) = ahead {
        "novel start".to_owned()
    } else {
        let volume = standing.map_or(volume, |standing| standing.volume_to_plan());
        say!(
            lang,
            "novel start（自己写大纲就写 volumes/{volume}/outline.md，样例 examples/outline.md）",
            "novel start (or write volumes/{volume}/outline.md yourself; examples/outline.md shows how)"
        )
    };
    let staging = book.staging_edits()?.into_iter().map(|edit| format!("staging/{}", edit.path));
    let open = ledger.open().map(|entry| OpenForeshadowing {
        id: entry.id.to_string(),
        description: entry.description.clone(),
        due: entry.target.map(|(_, latest)| latest),
        overdue: entry.overdue(checkpoint.last_completed),
    });
    let planned = plan.is_some() || checkpoint.last_completed > 0;
    let steps = [
        ("brief", say!(lang, "创作纲领 brief.md", "the brief, brief.md"), view.bytes(layout::BRIEF)?.is_some()),
        ("outline", say!(lang, "{volume} 的大纲", "the outline of {volume}"), planned),
    ];
    let rebuild = reading.keep(state_gaps::without_operations(&view), lang)?.unwrap_or_default();
    let outdated = reading.keep(outdated::outdated(book, &snapshot), lang)?.unwrap_or_default();
    Ok(Status {
        title: if config.title.is_empty() { folder_name(book) } else { config.title.clone() },
        phase: checkpoint.phase,
        volume,
        last_completed: checkpoint.last_completed,
        line: (!book.is_main_line()).then(|| book.branch().to_owned()),
        pending: in_flight
            .iter()
            .filter(|_| waits)
            .map(|flight| format!("{} {}", flight.chapter, flight.title))
            .chain(ahead.into_iter().chain(beside).chain(proposal).filter_map(|asked| asks(asked, lang)))
            .collect(),
        inflight: in_flight.map(|flight| Inflight {
            chapter: flight.chapter,
            title: flight.title,
            stage: flight.progress.pipeline_stage(&flight.next),
            done: flight.progress.done(),
            scenes: flight.progress.scenes,
            revisions: flight.progress.tries.revisions,
        }),
        totals: checkpoint.totals,
        foreshadowing: open.collect(),
        hand_edits: edits.into_iter().chain(staging).collect(),
        problems: reading.problems,
        interrupted: app.interrupted.take(),
        obstacle: obstacle.map(|obstacle| Failure::from(obstacle).message(lang).to_owned()),
        rebuild,
        outdated: outdated.into_iter().map(|outdated| outdated.chapter).collect(),
        style: style.map_or_else(Style::default, |profile| Style {
            source_type: Some(profile.source),
            source_name: profile.source_name,
            directives: profile.writing_directives.len(),
        }),
        offline: app.settings_so_far(&config)?.offline(),
        writer: book.holder().map(|busy| format!("{} ({})", busy.what, busy.pid)),
        steps: steps.into_iter().map(|(step, name, done)| Step { step, name, done }).collect(),
        chapters: if app.ui.is_json() { chapters(book, &view)? } else { Vec::new() },
        next,
    })
}

/// The question that waits, in a few words.
fn asks(ahead: NextStep, lang: Lang) -> Option<String> {
    let NextStep::Ask(asked) = ahead else { return None };
    Some(match asked {
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
    })
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
