//! `novel status`: says where the book stands.

use super::App;
use super::exit::Exit;
use super::failure::Failure;
use super::settings::Flags;
use crate::domain::ChapterNo;
use crate::domain::stage::Next;
use crate::pipeline::{Shelf, decide};
use crate::report::lang::say;
use crate::report::status::{ChapterState, Inflight, OpenForeshadowing, Status, Step};
use crate::store::{Book, Transaction, layout};

/// Show where the book stands and what to type next
#[derive(Debug, Clone, clap::Args)]
pub(crate) struct StatusArgs {}

/// Folders in which a file that git does not know is the author's addition to the book.
const FOLDERS: [&str; 6] = ["characters", "prompts", "research", "storylines", "volumes", "world"];

/// Reads where the book stands. Takes no lock.
pub(crate) fn run(app: &mut App, _: &StatusArgs) -> Result<Exit, Failure> {
    let lang = app.ui.lang();
    let book = app.book()?;
    let snapshot = book.snapshot()?;
    let shelf = Shelf::new(&snapshot);
    let (config, checkpoint) = (shelf.config()?, shelf.checkpoint()?);
    let in_flight = decide::in_flight(&book)?;
    let waits = in_flight.as_ref().is_some_and(|flight| matches!(flight.next, Next::Wait(_)));
    let next_chapter = checkpoint.next_chapter();
    let planned = shelf.plan(next_chapter)?.is_some();
    let ledger = shelf.ledger()?;
    let edits = book.hand_edits(&FOLDERS, &|_| true)?;
    let staging = book.staging_edits()?.into_iter().map(|edit| format!("staging/{}", edit.path));
    let open = ledger.open().map(|entry| OpenForeshadowing {
        id: entry.id.to_string(),
        description: entry.description.clone(),
        due: entry.target.map(|(_, latest)| latest),
        overdue: entry.overdue(checkpoint.last_completed),
    });
    let volume = checkpoint.volume;
    let steps = [
        (say!(lang, "创作纲领 brief.md", "the brief, brief.md"), shelf.bytes(layout::BRIEF)?.is_some()),
        (say!(lang, "{volume} 的大纲", "the outline of {volume}"), planned || checkpoint.last_completed > 0),
    ];
    let next = match (waits, planned || in_flight.is_some()) {
        (true, _) => "novel decide".to_owned(),
        (false, true) => "novel continue".to_owned(),
        (false, false) => {
            let number = next_chapter.get();
            say!(
                lang,
                "在 volumes/{volume}/outline.md 写第 {number} 章的大纲（样例 examples/outline.md），再 novel continue",
                "plan chapter {number} in volumes/{volume}/outline.md (examples/outline.md shows how), then novel continue"
            )
        }
    };
    let chapters = if app.ui.is_json() { chapters(&book)? } else { Vec::new() };
    let offline = app.settings(&Flags::default(), Some(&config))?.offline();
    let report = Status {
        title: if config.title.is_empty() { folder_name(&book) } else { config.title.clone() },
        phase: checkpoint.phase,
        volume,
        last_completed: checkpoint.last_completed,
        pending: in_flight
            .iter()
            .filter(|_| waits)
            .map(|flight| format!("{} {}", flight.chapter, flight.title))
            .collect(),
        inflight: in_flight.map(|flight| Inflight {
            chapter: flight.chapter,
            title: flight.title,
            stage: flight.progress.pipeline_stage(&flight.next),
            done: flight.progress.done(),
            revisions: flight.progress.tries.revisions,
        }),
        totals: checkpoint.totals,
        foreshadowing: open.collect(),
        hand_edits: edits
            .edits
            .into_iter()
            .map(|edit| edit.path)
            .filter(|path| layout::is_book_path(path))
            .chain(staging)
            .collect(),
        offline,
        writer: book.holder().map(|busy| format!("{} ({})", busy.what, busy.pid)),
        steps: steps.into_iter().map(|(name, done)| Step { name, done }).collect(),
        chapters,
        next,
    };
    app.ui.show(&report, |lang, columns| report.text(lang, columns))?;
    Ok(Exit::Done)
}

/// Every chapter's state, from the trailers of its commit.
fn chapters(book: &Book) -> Result<Vec<ChapterState>, Failure> {
    let title = |subject: &str| subject.split_once(": ").map_or(subject, |(_, title)| title).to_owned();
    let state = |(chapter, transaction): (ChapterNo, Transaction)| ChapterState {
        chapter,
        title: title(&transaction.subject),
        words: transaction.trailers.read("Novel-Words").unwrap_or(0),
        score: transaction.trailers.read("Novel-Score"),
        gate: transaction.trailers.get("Novel-Gate").map(str::to_owned),
    };
    Ok(book.chapters()?.into_iter().map(state).collect())
}

fn folder_name(book: &Book) -> String {
    book.root().file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default()
}
