//! `novel status`: the book's position.

use crate::commands::prelude::*;
use crate::domain::book::work;
use crate::domain::workflow::BookQuestion;
use crate::pipeline::book::call_log;
use crate::pipeline::book::files;
use crate::pipeline::book::rearranged::Rearranged;
use crate::pipeline::chapter::decide::InFlight;
use crate::pipeline::planning::rename::RenamedByHand;
use crate::pipeline::rebuild::outdated::OutdatedReason;
use crate::pipeline::sync::merge::Undecided;
use crate::pipeline::workflow::{self, BrokenFile, FileFault, NextCommand, Overview};
use crate::report::renaming::{self, all_in_words};
use crate::report::status::{
    ChapterProgress, ChapterState, DraftStatus, FileProblem, OpenForeshadowing, StatusReport, StepStatus, StyleStatus,
    UnwrittenChapter,
};
use crate::report::{kept, problem};
use crate::store::book::session;
use crate::store::remote;
use crate::store::{self, NotWritable, Transaction, layout};
use crate::text::Count;

#[derive(Debug, Clone, clap::Args)]
pub(crate) struct StatusArgs {}

/// Reads where the book stands. Takes no lock, and says what it can when a file of the book is broken.
pub(crate) fn run(app: &mut App, _: &StatusArgs) -> Result<Exit, Failure> {
    let book = app.book()?;
    let report = of_book(app, &book)?;
    app.ui.show(&report, |lang, columns| report.text(lang, columns))
}

pub(super) fn of_book(app: &mut App, book: &Book) -> Result<StatusReport, Failure> {
    let lang = app.ui.lang();
    let overview = workflow::overview(book)?;
    let offline = app.settings_so_far(&overview.config)?.offline();
    let (chapters, unwritten) = match app.ui.is_json() {
        true => (chapters(book, &BookView::new(book.snapshot()?), &overview.flights)?, unwritten(&overview)),
        false => Default::default(),
    };
    let problems: Vec<FileProblem> = overview.problems.iter().map(|broken| trouble(broken, lang)).collect();
    let volume = overview.checkpoint.volume;
    let next = next(&overview, &problems, lang);
    let choice = overview.candidates.map(|(chapter, n)| say!(lang, which_of_candidates(chapter, n)));
    let Overview { config, checkpoint, style, in_flight, .. } = overview;
    let open = overview.ledger.open().map(|entry| OpenForeshadowing {
        id: entry.id.to_string(),
        description: entry.description.clone(),
        due: entry.target.map(|(_, latest)| latest),
        overdue: entry.overdue(checkpoint.last_completed),
    });
    let (founded, of_volume) = (overview.founded, overview.volume);
    let contracts = say!(lang, status_contracts_of(of_volume));
    let steps = [
        ("brief", say!(lang, brief_brief_md).to_owned(), overview.has_brief),
        ("world", work::Step::World.say(lang).to_owned(), founded.rules),
        ("theme", work::Step::Theme.say(lang).to_owned(), founded.theme),
        ("characters", work::Step::Characters.say(lang).to_owned(), founded.cast),
        ("outline", say!(lang, outline_of(of_volume)), overview.has_outline),
        ("contracts", contracts, overview.has_contracts),
    ];
    let behind = (overview.behind_plans > 0).then(|| say!(lang, status_plans_changed(n = overview.behind_plans)));
    let moved = done_by_hand(&overview.renames, overview.rearranged.as_ref(), lang);
    let of_sync = overview.undecided.as_ref().map(|undecided| lines_differ(undecided, lang));
    let of_chapters = overview.flights.iter().filter(|flight| flight.waits()).map(|flight| chapter_waits(flight, lang));
    let outdated = overview.outdated;
    let unread =
        outdated.iter().filter(|outdated| outdated.reason == OutdatedReason::Unread).map(|outdated| outdated.chapter);
    Ok(StatusReport {
        title: if config.title.is_empty() { folder_name(book) } else { config.title },
        phase: checkpoint.phase,
        volume,
        last_completed: checkpoint.last_completed,
        line: (!book.is_main_line()).then(|| book.branch().to_owned()),
        pending: of_sync
            .into_iter()
            .chain(of_chapters)
            .chain(choice)
            .chain(overview.questions.into_iter().map(|asked| asks(asked, lang)))
            .chain(behind)
            .chain(moved)
            .chain(overview.own_texts.into_iter().map(|own| kept::own_text(&own, book.root(), lang)))
            .collect(),
        foreshadowing: open.collect(),
        waiting_for_others: overview.waiting_for_others.iter().map(|draft| draft_that_waits(draft, lang)).collect(),
        inflight: in_flight.map(|flight| inflight(book, flight)).transpose()?,
        totals: checkpoint.totals,
        wishes: overview.wishes,
        hand_edits: overview.edits,
        problems,
        interrupted: app.interrupted.take(),
        obstacle: overview.obstacle.map(|obstacle| blocked(obstacle, lang)),
        shallow: remote::history::is_shallow(book),
        rebuild: overview.without_operations,
        unread: unread.collect(),
        outdated: outdated.iter().map(|outdated| outdated.chapter).collect(),
        style: style.map_or_else(StyleStatus::default, |profile| StyleStatus {
            source_type: Some(profile.source),
            source_name: profile.source_name,
            directives: profile.writing_directives.len(),
            corrected_since: overview.corrected_since,
        }),
        offline,
        writer: session::holder(book).map(|busy| format!("{} ({})", busy.what, busy.pid)),
        steps: steps.into_iter().map(|(step, name, done)| StepStatus { step, name, done }).collect(),
        chapters,
        unwritten,
        next,
    })
}

/// A chapter whose draft waits until those before it are written.
pub(super) fn draft_that_waits((chapter, title): &(ChapterNo, String), lang: Lang) -> String {
    say!(lang, draft_waits_for_chapters_before(chapter, title))
}

/// People with other names, and chapters with other numbers, that the author has given them by hand.
fn done_by_hand(renames: &[RenamedByHand], rearranged: Option<&Rearranged>, lang: Lang) -> Vec<String> {
    let renames = renames.iter().map(|renamed| renaming::pending(renamed, lang));
    let rearranged = rearranged.map(|found| {
        let what = all_in_words(&found.all(), 0, lang);
        match found.is_deletion {
            true => say!(lang, status_chapter_is_gone(what)),
            false => say!(lang, status_chapters_rearranged(what)),
        }
    });
    renames.chain(rearranged).collect()
}

/// The command to type next: the one that `novel status` names, or `novel status` itself where it has words in place of one.
pub(super) fn next_command(book: &Book) -> Result<&'static str, Failure> {
    Ok(command(workflow::overview(book)?.next).unwrap_or("novel status"))
}

/// Refuses to offer a next step while files keep the book from being written on.
pub(super) fn refuse_broken(book: &Book) -> Result<(), Failure> {
    let overview = workflow::overview(book)?;
    if overview.problems.is_empty() {
        return Ok(());
    }
    let troubles = |lang| overview.problems.iter().map(|broken| trouble(broken, lang)).collect::<Vec<_>>();
    let cause = |at: usize| {
        Both::of(|lang| {
            let FileProblem { path, what, .. } = &troubles(lang)[at];
            say!(lang, status_path_what(path, what))
        })
    };
    let causes = (0..overview.problems.len()).map(cause).collect();
    let hint = Both::of(|lang| next(&overview, &troubles(lang), lang));
    Err(Failure::no(both!(files_come_before_next_step)).causes(causes).hint(hint))
}

/// The obstacle in words, with the ways out beside the next command.
pub(super) fn blocked(obstacle: NotWritable, lang: Lang) -> String {
    let failure = Failure::from(obstacle);
    let ways = failure.hints(lang);
    let all: Vec<&str> = std::iter::once(failure.message(lang)).chain(ways.into_iter().skip(1)).collect();
    all.join(say!(lang, clause_semicolon))
}

fn inflight(book: &Book, flight: InFlight) -> Result<DraftStatus, Failure> {
    let tip = store::draft::draft_tip(book, flight.chapter)?;
    let paid = tip.map(|tip| call_log::of_draft(book, flight.chapter.into(), tip)).transpose()?.flatten();
    let calls = paid.map_or_else(Vec::new, |paid| paid.stages);
    let next = store::draft::draft_records(book, flight.chapter.next())?;
    Ok(DraftStatus {
        known_cost_usd: calls.iter().filter_map(|call| call.cost_micro_usd).sum(),
        calls_with_unknown_cost: calls.iter().filter(|call| call.cost_micro_usd.is_none()).count(),
        in_staging: !flight.progress.done().is_empty() && store::staging::is_in_staging(book, flight.chapter),
        next_is_drafted: !flight.again && next.is_some_and(|records| !records.is_empty()),
        chapter: flight.chapter,
        title: flight.title,
        stage: flight.progress.pipeline_stage(&flight.next),
        done: flight.progress.done(),
        scenes: flight.progress.scenes,
        revisions: flight.progress.tries.revisions,
    })
}

fn trouble(broken: &BrokenFile, lang: Lang) -> FileProblem {
    let what = problem::of_fault(&broken.fault, lang);
    FileProblem { path: broken.path.clone(), what, committed: broken.committed }
}

/// The next command, with words beside it or in its place.
fn next(overview: &Overview, problems: &[FileProblem], lang: Lang) -> String {
    match overview.next {
        NextCommand::ClearTheWay => overview.obstacle.as_ref().map_or_else(String::new, NotWritable::way_out),
        NextCommand::Mend if overview.problems.first().is_some_and(BrokenFile::is_gone) => {
            "novel doctor --repair".to_owned()
        }
        NextCommand::Mend => {
            match overview.problems.first().map(|broken| &broken.fault) {
                // A repair would give the author's text another name.
                Some(FileFault::InTheWay(found)) if overview.problems[0].is_new_chapter() => {
                    return problem::commit_as_chapter(found);
                }
                Some(FileFault::Order(error)) if let Some(command) = problem::back_to_order(error) => return command,
                _ => {}
            }
            let clash = || overview.renames.iter().find_map(|renamed| renamed.clash.as_ref());
            let broken = problems.first().map(|broken| remedy(broken, lang));
            broken.or_else(|| Some(renaming::out_of_clash(clash()?, lang))).unwrap_or_default()
        }
        NextCommand::Complete => say!(lang, nothing_book_is_complete_to_go).to_owned(),
        NextCommand::PlanVolume(volume) => say!(lang, novel_start_or_write_volumes_outline(volume)),
        other => command(other).unwrap_or_default().to_owned(),
    }
}

/// The command alone; `None` where the author has to do something else.
fn command(next: NextCommand) -> Option<&'static str> {
    match next {
        NextCommand::ClearTheWay | NextCommand::Mend | NextCommand::Complete => None,
        NextCommand::Accept => Some("novel chapter accept"),
        NextCommand::PutAside => Some("novel decide drop"),
        NextCommand::Sync => Some("novel sync"),
        NextCommand::Decide => Some("novel decide"),
        NextCommand::Continue => Some("novel continue"),
        NextCommand::Plan => Some("novel plan"),
        NextCommand::Start | NextCommand::PlanVolume(_) => Some("novel start"),
    }
}

/// The choice between this copy and its remote, in a few words.
fn lines_differ(Undecided { remote, conflicts }: &Undecided, lang: Lang) -> String {
    let chapters: Vec<ChapterNo> = conflicts.chapters.iter().map(|conflict| conflict.chapter).collect();
    let files = conflicts.files.iter().map(|conflict| conflict.path.as_str());
    let list = match chapters.is_empty() {
        true if conflicts.numbers.is_some() => say!(lang, numbers_of_chapters).to_owned(),
        true => listed(files, lang),
        false => listed(chapters.iter(), lang),
    };
    say!(lang, status_lines_differ(remote, list))
}

/// A waiting chapter in a few words.
fn chapter_waits(flight: &InFlight, lang: Lang) -> String {
    let (chapter, title) = (flight.chapter, &flight.title);
    match flight.is_held_revision() {
        true => say!(lang, status_revision_of(chapter, title)),
        false => format!("{chapter} {title}"),
    }
}

/// The waiting question in a few words.
fn asks(asked: BookQuestion, lang: Lang) -> String {
    match asked {
        BookQuestion::Trial => say!(lang, what_becomes_of_trial_chapters).to_owned(),
        BookQuestion::Plan { volume, .. } => say!(lang, plan_of(volume)),
        BookQuestion::Contracts { step, .. } => say!(lang, changes_of_rules_contracts(what = step.say(lang))),
        BookQuestion::Contract { chapter, .. } => say!(lang, status_which_contract(chapter)),
        BookQuestion::Cleanup(volume) => say!(lang, whether_to_clean_state_up_after(volume)),
        BookQuestion::Volume { volume, course } => say!(lang, how_to_go_on_after_is(volume, advice = course.say(lang))),
    }
}

fn remedy(broken: &FileProblem, lang: Lang) -> String {
    let path = &broken.path;
    match broken.committed {
        _ if path.starts_with("volumes/") || path.starts_with(layout::PROMPTS) => {
            say!(lang, correct_then_novel_status(path))
        }
        true => "novel doctor --repair".to_owned(),
        false => say!(lang, correct_or_drop_change_git_restore(path)),
    }
}

/// The progress of a chapter that has a draft.
fn of_flight(flight: &InFlight) -> ChapterProgress {
    match flight.progress.scenes {
        _ if flight.waits() => ChapterProgress::Waiting,
        Some(scenes) if scenes.are_open() => ChapterProgress::InScenes,
        _ => ChapterProgress::InFlight,
    }
}

/// The chapters that the book lacks: those that are lost, then those that are planned, with the progress of their drafts.
fn unwritten(overview: &Overview) -> Vec<UnwrittenChapter> {
    let lost = overview.lost.iter().map(|&chapter| UnwrittenChapter {
        chapter,
        title: String::new(),
        state: ChapterProgress::Missing,
    });
    let planned = overview.planned.iter().map(|section| {
        let flight = overview.flights.iter().find(|flight| flight.chapter == section.chapter);
        let state = flight.map_or(ChapterProgress::Planned, of_flight);
        UnwrittenChapter { chapter: section.chapter, title: section.title.clone(), state }
    });
    lost.chain(planned).collect()
}

/// Every chapter's state: the title from its text, the rest from the trailers of its commit, or without them from its
/// text.
fn chapters(book: &Book, view: &BookView<'_>, flights: &[InFlight]) -> Result<Vec<ChapterState>, Failure> {
    let state = |(chapter, transaction): (ChapterNo, Transaction)| {
        let text = view.chapter(chapter)?;
        let flight = flights.iter().find(|flight| flight.chapter == chapter);
        let state = flight.map_or(ChapterProgress::Accepted, of_flight);
        if transaction.accepts() != Some(chapter) {
            let words = u32::try_from(Count::of_prose(&text.body).words).unwrap_or(u32::MAX);
            // The commit may be of the number that the chapter had before, or of none; its report goes with it.
            let report = files::evaluation(view, view.volume_of(chapter)?, chapter)?;
            let score = report.as_ref().map(|report| report.evaluation.overall());
            let gate = report.and_then(|report| report.gate).map(|gate| gate.to_string());
            return Ok(ChapterState { chapter, title: text.title, words, score, gate, state });
        }
        Ok(ChapterState {
            chapter,
            title: text.title,
            words: transaction.trailers.read("Novel-Words").unwrap_or(0),
            score: transaction.trailers.read("Novel-Score"),
            gate: transaction.trailers.get("Novel-Gate").map(str::to_owned),
            state,
        })
    };
    store::history::chapters(book)?.into_iter().map(state).collect()
}

fn folder_name(book: &Book) -> String {
    book.root().file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default()
}
