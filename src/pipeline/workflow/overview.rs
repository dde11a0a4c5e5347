//! Everything that `novel status` says of a book, and the command to type next. Says what it can of a book with broken files.

use crate::agents::PromptError;
use crate::domain::chapter::author_notes::Wish;
use crate::domain::volume::outline::{OutlineError, Section};
use crate::domain::workflow::{BookQuestion, BookStatus, Founded, InPlanning, NextStep};
use crate::domain::world::style::StyleProfile;
use crate::pipeline::book::chapter_context;
use crate::pipeline::book::files::{self, NextChapter};
use crate::pipeline::book::on_disk::founded_in;
use crate::pipeline::book::rearranged::{self, Rearranged, chapter_at};
use crate::pipeline::book::view::sound_settings;
use crate::pipeline::book::{damage, hand_edits, old_number, replay};
use crate::pipeline::chapter::decide::{self, InFlight};
use crate::pipeline::chapter::existing::{OwnText, own_texts};
use crate::pipeline::engine::error::RenumberError;
use crate::pipeline::planning::follow;
use crate::pipeline::planning::rename::{self, RenamedByHand};
use crate::pipeline::prelude::*;
use crate::pipeline::quality;
use crate::pipeline::rebuild::outdated::{self, Outdated};
use crate::pipeline::sync::merge::{Undecided, undecided};
use crate::pipeline::workflow::in_planning;
use crate::pipeline::workflow::status::standing_beside;
use crate::store::format::Problem;
use crate::store::{self, EntryFilter, NotWritable, Obstacle, Obstruction};

/// A file of the book that cannot be used.
#[derive(Debug, Clone, PartialEq)]
pub struct BrokenFile {
    pub path: String,
    pub fault: FileFault,
    /// Whether the last commit has it like that; otherwise it is a change of the author's that is in no commit.
    pub committed: bool,
}

impl BrokenFile {
    /// True for a file that the last commit lacks.
    pub fn is_gone(&self) -> bool {
        self.committed && self.fault == FileFault::Missing
    }

    /// True for a text of the author's own, not committed yet, at the place of the next chapter.
    pub fn is_new_chapter(&self) -> bool {
        let is_untracked = matches!(&self.fault, FileFault::InTheWay(found) if found.block == Obstacle::Untracked);
        is_untracked && chapter_at(&self.path).is_some()
    }
}

#[derive(Debug, Clone, PartialEq)]
pub enum FileFault {
    Missing,
    Format(FormatError),
    Outline(Vec<OutlineError>),
    /// A prompt text does not suit its agent.
    Prompt(PromptError),
    /// Something else is in its place.
    InTheWay(Obstruction),
    /// A text or a section is not where the order of chapters has it.
    Order(RenumberError),
}

/// The next thing to do, the first that applies.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NextCommand {
    /// Nothing can be written before [`Overview::obstacle`] is out of the way.
    ClearTheWay,
    /// Take over the chapters that the author has rearranged.
    Accept,
    /// Put a draft aside, so that they can be taken over.
    PutAside,
    /// Mend the first of [`Overview::problems`], or else a clash in [`Overview::renames`].
    Mend,
    /// Choose between this copy and its remote.
    Sync,
    /// Answer a question about a chapter, or about rules and contracts.
    Decide,
    /// Write the next chapter, or go on with the one in flight.
    Continue,
    /// Look at the plan that waits.
    Plan,
    /// Go on in the author's loop.
    Start,
    Complete,
    PlanVolume(VolumeNo),
}

#[derive(Debug)]
pub struct Overview {
    /// The book's settings, or the default ones where they cannot be read.
    pub config: BookConfig,
    /// How far the chapters are.
    pub checkpoint: Checkpoint,
    /// The chapter since which corrections of style are in force.
    pub corrected_since: Option<ChapterNo>,
    /// How the author writes, once it is known.
    pub style: Option<StyleProfile>,
    pub in_flight: Option<InFlight>,
    /// Every chapter in flight, in the order in which they are asked about.
    pub flights: Vec<InFlight>,
    /// The chapters whose drafts wait until those before them are written, each with its title.
    pub waiting_for_others: Vec<(ChapterNo, String)>,
    /// The author's own texts at the places of open drafts.
    pub own_texts: Vec<OwnText>,
    /// Chapters that the last commit lacks, with nothing that says that this was meant.
    pub lost: Vec<ChapterNo>,
    pub planned: Vec<Section>,
    pub ledger: Ledger,
    /// The wishes that are not used up.
    pub wishes: Vec<Wish>,
    /// Files that cannot be used.
    pub problems: Vec<BrokenFile>,
    /// Files with changes that are in no commit.
    pub edits: Vec<String>,
    /// Why nothing could be written now.
    pub obstacle: Option<NotWritable>,
    /// The questions about the book that wait, beside those about the chapter in flight.
    pub questions: Vec<BookQuestion>,
    /// The choice that the last sync has left to the author.
    pub undecided: Option<Undecided>,
    /// Chapters that the author has rearranged, in commits or in the folder.
    pub rearranged: Option<Rearranged>,
    /// Whether a draft of a plan is open: no chapter gets another number before its end.
    pub has_plan_draft: bool,
    /// Whether the number of an open draft is another chapter's by now.
    pub has_draft_of_other: bool,
    /// The next chapter and the number of its drafts that wait for the author's choice.
    pub candidates: Option<(ChapterNo, usize)>,
    pub has_brief: bool,
    /// The parts of the book that everything else rests on.
    pub founded: Founded,
    /// Whether the next chapter is planned, or one is written.
    pub has_outline: bool,
    /// The volume of the next chapter, or the last one.
    pub volume: VolumeNo,
    /// Whether each chapter of that volume's outline has a contract.
    pub has_contracts: bool,
    /// Chapters whose state changes could not be read, once there are so many that a rebuild is proposed.
    pub without_operations: Vec<ChapterNo>,
    /// Chapters whose summary and state changes are of an older text than they have.
    pub outdated: Vec<Outdated>,
    /// The number of contracts and sections that the author's changes of plans leave behind.
    pub behind_plans: usize,
    /// People whom the author has renamed by hand, while plans or records have the old name.
    pub renames: Vec<RenamedByHand>,
    pub next: NextCommand,
}

impl Overview {
    /// Whether the chapter in flight waits for the author.
    pub fn chapter_waits(&self) -> bool {
        self.in_flight.as_ref().is_some_and(InFlight::waits)
    }

    /// Chapters that have other places; a file that is only gone is a problem.
    fn moved(&self) -> Option<&Rearranged> {
        self.rearranged.as_ref().filter(|found| !found.is_deletion)
    }

    fn take(&mut self, reading: BookReading) {
        self.problems = reading.problems_beside(self.moved());
        if self.moved().is_some() {
            self.outdated.retain(|outdated| !matches!(outdated.reason, outdated::OutdatedReason::Edited { .. }));
        }
    }
}

/// Reads where the book stands. Takes no lock and writes nothing.
pub fn overview(book: &Book) -> Result<Overview, RunError> {
    let (view, mut reading) = (BookView::new(book.snapshot()?), BookReading::default());
    let next_chapter = files::next_chapter(&view);
    let (edits, ahead) = reading.work_tree(book, next_chapter.as_ref().ok().and_then(Option::as_ref))?;
    let config = reading.keep(view.config())?.unwrap_or_default();
    // A run refuses a misspelt setting, so the next command is not to go on.
    reading.keep(sound_settings(book, &view).map(drop))?;
    let style = reading.keep(files::style_profile(&view))?.flatten();
    let checkpoint = match reading.keep(view.checkpoint_with_totals())? {
        Some(checkpoint) => checkpoint,
        None => view.corrected(Checkpoint::new(Phase::Writing, String::new()))?,
    };
    let flights = reading.keep(decide::flights(book, usize::MAX))?.unwrap_or_default();
    let in_flight = flights.first().cloned();
    let lost = hand_edits::lost_chapters(book)?;
    for &chapter in &lost {
        let volume = view.plan(chapter).ok().flatten().map_or(VolumeNo::FIRST, |(volume, _)| volume);
        reading.note(layout::chapter(volume, chapter), FileFault::Missing, true);
    }
    reading.keep(hand_edits::stray_text(book, &reading.missing())?.map_or(Ok(()), Err))?;
    let planned = reading.keep(next_chapter)?.flatten();
    let ledger = reading.keep(view.ledger())?.unwrap_or_default();
    if let Some(next) = &planned {
        // Everything else that it is written from.
        reading.keep(chapter_context::of_chapter(&ahead, next.number).map(drop))?;
        reading.keep(ahead.prompts().map(drop))?;
    }
    let standing = reading.keep(standing_beside(book, &view, &ahead, in_flight.as_ref()))?;
    let questions = match &standing {
        Some(standing) => questions(standing),
        // An outline with open fields cannot be read, and the plan that fills them waits all the same.
        None => reading.keep(in_planning(book))?.flatten().and_then(plan_waits).into_iter().collect(),
    };
    let without_operations = reading.keep(replay::without_operations(&view))?.unwrap_or_default();
    let outdated = reading.keep(outdated::outdated(book, &view))?.unwrap_or_default();
    // Once a draft is chosen it is the one in flight.
    let candidates =
        if in_flight.is_some() { 0 } else { store::closing::candidates_of(book, checkpoint.next_chapter())?.len() };
    let volume = standing.as_ref().map_or(checkpoint.volume, |standing| standing.volume);
    let behind_plans = reading.keep(follow::behind(book, &ahead, volume))?.unwrap_or_default();
    let outline = view.outline(volume).ok().flatten().unwrap_or_default();
    let has_contract = |section: &Section| view.has(&layout::contract(volume, section.chapter));
    let mut overview = Overview {
        founded: reading.keep(founded_in(&view))?.unwrap_or_default(),
        has_contracts: !outline.sections.is_empty() && outline.sections.iter().all(has_contract),
        wishes: reading.keep(ahead.wishes())?.unwrap_or_default().open_from(checkpoint.next_chapter()).wishes,
        planned: planned_after(&view, checkpoint.last_completed, checkpoint.volume)?,
        volume,
        lost,
        candidates: (candidates > 0).then_some((checkpoint.next_chapter(), candidates)),
        has_brief: view.bytes(layout::BRIEF)?.is_some(),
        has_outline: planned.is_some() || checkpoint.last_completed > 0,
        // A line that cannot be read is reported by the sync itself.
        undecided: undecided(book).unwrap_or_default(),
        rearranged: reading.rearranged(book, &edits, &outdated)?,
        has_plan_draft: store::closing::drafts(book)?.iter().any(|(work, _)| work.chapter().is_none()),
        has_draft_of_other: old_number::draft_of_other(book)?.is_some(),
        obstacle: store::not_writable::obstacle(book)?,
        config,
        checkpoint,
        style,
        own_texts: reading.keep(own_texts(book))?.unwrap_or_default(),
        waiting_for_others: reading.keep(waiting_beside(book, in_flight.as_ref()))?.unwrap_or_default(),
        in_flight,
        flights,
        ledger,
        edits,
        questions,
        without_operations,
        outdated,
        corrected_since: reading.keep(quality::figures::style_drift(&view))?.flatten().map(|drift| drift.detected),
        behind_plans,
        renames: reading.keep(rename::by_hand(book, &ahead))?.unwrap_or_default(),
        problems: Vec::new(),
        next: NextCommand::Continue,
    };
    overview.take(reading);
    overview.next = next(&overview, standing.as_ref());
    Ok(overview)
}

/// The chapters whose drafts wait for others. The draft after a new chapter in flight is told beside that.
fn waiting_beside(book: &Book, in_flight: Option<&InFlight>) -> Result<Vec<(ChapterNo, String)>, RunError> {
    let mut waiting = decide::waiting_for_others(book)?;
    let beside = in_flight.filter(|flight| !flight.again).map(|flight| flight.chapter.next());
    waiting.retain(|(chapter, _)| Some(*chapter) != beside);
    Ok(waiting)
}

/// The planned chapters after `last`, in order. An outline with mistakes, which is told of as such, has none.
fn planned_after(view: &BookView<'_>, last: u32, from: VolumeNo) -> Result<Vec<Section>, RunError> {
    let outline = |volume| view.outline(volume).ok().flatten().unwrap_or_default().sections;
    let sections = view.volumes()?.into_iter().filter(|volume| *volume >= from).flat_map(outline);
    Ok(sections.filter(|section| section.chapter.get() > last).collect())
}

/// The command that comes next; without a `standing`, as far as can be told.
fn next(of: &Overview, standing: Option<&BookStatus>) -> NextCommand {
    if of.obstacle.is_some() {
        // Nothing can be mended before it is out of the way.
        return NextCommand::ClearTheWay;
    }
    if of.moved().is_some() {
        return if of.has_plan_draft { NextCommand::PutAside } else { NextCommand::Accept };
    }
    if of.has_draft_of_other {
        return NextCommand::PutAside;
    }
    if !of.problems.is_empty() || of.renames.iter().any(|renamed| renamed.clash.is_some()) {
        return NextCommand::Mend;
    }
    if of.undecided.is_some() {
        return NextCommand::Sync;
    }
    if of.chapter_waits() || of.candidates.is_some() {
        return NextCommand::Decide;
    }
    match standing.map(BookStatus::next) {
        Some(NextStep::Ask(BookQuestion::Contracts { .. } | BookQuestion::Contract { .. }) | NextStep::Decide(_)) => {
            NextCommand::Decide
        }
        Some(NextStep::Ask(BookQuestion::Plan { .. })) => NextCommand::Plan,
        // A chapter that is written again is finished first.
        Some(NextStep::Write(_)) | None => NextCommand::Continue,
        Some(_) if of.in_flight.is_some() => NextCommand::Continue,
        Some(NextStep::Ask(_) | NextStep::Review(_)) => NextCommand::Start,
        Some(NextStep::Rest(_)) => NextCommand::Complete,
        Some(_) => NextCommand::PlanVolume(standing.map_or(of.checkpoint.volume, BookStatus::volume_to_plan)),
    }
}

/// The questions that wait, the one that comes next first.
fn questions(standing: &BookStatus) -> Vec<BookQuestion> {
    let ahead = match standing.next() {
        NextStep::Ask(asked) => Some(asked),
        _ => None,
    };
    let plan = standing.planning.and_then(plan_waits);
    let contracts = standing.proposal.map(|step| BookQuestion::Contracts { step, volume: standing.volume });
    let beside = [plan, contracts].into_iter().flatten().filter(|asked| Some(*asked) != ahead);
    ahead.into_iter().chain(beside).collect()
}

fn plan_waits(InPlanning { volume, sound, waits, .. }: InPlanning) -> Option<BookQuestion> {
    waits.then_some(BookQuestion::Plan { volume, sound })
}

/// A reading of the book, with the files that could not be read.
#[derive(Default)]
struct BookReading {
    problems: Vec<BrokenFile>,
}

impl BookReading {
    /// The files that could not be read. A chapter that has moved leaves a file missing, and its section a number out of order.
    fn problems_beside(self, moved: Option<&Rearranged>) -> Vec<BrokenFile> {
        let is_of_order = |broken: &BrokenFile| matches!(broken.fault, FileFault::Order(_));
        let (mut first, rest): (Vec<_>, Vec<_>) = self.problems.into_iter().partition(is_of_order);
        let has_order = moved.is_none() && first.is_empty();
        let is_moved = |broken: &BrokenFile| match &broken.fault {
            FileFault::Missing => broken.committed && chapter_at(&broken.path).is_some(),
            // The number of the chapter in the making is another chapter's.
            FileFault::InTheWay(found) => chapter_at(&found.path).is_some(),
            FileFault::Outline(errors) => errors.iter().all(|error| error.problem.is_of_order()),
            FileFault::Format(FormatError { problem: Problem::Outline(problem), .. }) => problem.is_of_order(),
            _ => false,
        };
        first.extend(rest.into_iter().filter(|broken| has_order || !is_moved(broken)));
        first
    }

    fn missing(&self) -> Vec<ChapterNo> {
        let missing = self.problems.iter().filter(|broken| broken.fault == FileFault::Missing);
        missing.filter_map(|broken| chapter_at(&broken.path)).collect()
    }

    /// A text that git does not know may be another chapter's.
    fn rearranged(
        &mut self,
        book: &Book,
        edits: &[String],
        outdated: &[Outdated],
    ) -> Result<Option<Rearranged>, RunError> {
        let paths: Vec<String> = edits.iter().chain(self.problems.iter().map(|broken| &broken.path)).cloned().collect();
        Ok(self.keep(rearranged::standing(book, paths.iter(), outdated))?.flatten())
    }

    /// The value, or a note of the file that cannot be used. Only a repository that cannot be read ends the reading.
    fn keep<T>(&mut self, read: Result<T, RunError>) -> Result<Option<T>, RunError> {
        let (path, fault) = match read {
            Ok(value) => return Ok(Some(value)),
            Err(RunError::NotPlanned { .. } | RunError::NoSuchChapter(_)) => return Ok(None),
            Err(RunError::Format { path, source } | RunError::BrokenEdit { path, source }) => {
                (path, FileFault::Format(source))
            }
            Err(RunError::Outline { path, errors }) => (path, FileFault::Outline(errors)),
            Err(RunError::Missing { path }) => (path, FileFault::Missing),
            Err(RunError::Renumber(error)) => match error.path() {
                Some(path) => (path.to_owned(), FileFault::Order(error)),
                None => return Err(error.into()),
            },
            Err(RunError::Prompt(error)) => (layout::PROMPTS.to_owned(), FileFault::Prompt(error)),
            Err(other) => return Err(other),
        };
        self.note(path, fault, true);
        Ok(None)
    }

    fn note(&mut self, path: String, fault: FileFault, committed: bool) {
        match self.problems.iter_mut().find(|known| known.path == path) {
            // The place where a text belongs says more than that the text is in the way.
            Some(known) if matches!(fault, FileFault::Order(_)) => *known = BrokenFile { path, fault, committed },
            Some(_) => {}
            None => self.problems.push(BrokenFile { path, fault, committed }),
        }
    }

    /// Notes the files of the folder that cannot be used. Returns the paths of the author's changes, `staging/` last, and the
    /// book with those that the next run commits.
    fn work_tree<'b>(
        &mut self,
        book: &'b Book,
        next: Option<&NextChapter>,
    ) -> Result<(Vec<String>, BookView<'b>), RunError> {
        let survey = damage::survey(book, EntryFilter::of(&layout::is_book_path))?;
        let in_the_way = damage::in_the_way(book, next, &survey)?;
        let ahead = hand_edits::with_edits(book, &survey.edits)?;
        let mut edits: Vec<String> = survey.edits.into_iter().map(|edit| edit.path).collect();
        for damaged in survey.damaged {
            edits.push(damaged.path.clone());
            let committed = damaged.is_repairable();
            self.note(damaged.path, damaged.error.map_or(FileFault::Missing, FileFault::Format), committed);
        }
        for found in in_the_way {
            self.note(found.path.clone(), FileFault::InTheWay(found), true);
        }
        edits.extend(store::draft::staging_edits(book)?.into_iter().map(|edit| format!("staging/{}", edit.path)));
        Ok((edits, ahead))
    }
}
