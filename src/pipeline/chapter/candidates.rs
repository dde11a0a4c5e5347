//! Several drafts of the next chapter side by side, judged, and one of them chosen.
//! Each candidate is an ordinary draft on a branch of its own, so each call is recorded and counted, and a run that was
//! interrupted goes on where it stopped. Every candidate is judged alone, by a judge who knows of no other. The chosen one
//! becomes the chapter's draft, and what follows is the ordinary way through the gate; the others are kept.

use crate::domain::chapter::stage::{Next, Progress};
use crate::pipeline::book::chapter_context;
use crate::pipeline::chapter::draft::ChapterDraft;
use crate::pipeline::chapter::records::records;
use crate::pipeline::chapter::run::{Outcome, has_begun};
use crate::pipeline::chapter::{self, decide};
use crate::pipeline::engine::error::LineError;
use crate::pipeline::planning::follow::{self, OwnContract};
use crate::pipeline::prelude::*;
use crate::pipeline::recall;
use crate::store::{self, Session};
use futures_util::stream::{self, StreamExt as _};

/// So many candidates are written at the same time: as many calls as the providers' lowest limits allow beside each other.
const AT_ONCE: usize = 3;
#[derive(Debug, Clone, PartialEq)]
pub struct Candidate {
    /// Its number, from 1.
    pub number: u32,
    pub branch: String,
    pub tip: CommitId,
    /// Its title; empty before there is a text.
    pub title: String,
    /// Its text without the title; empty before there is one.
    pub text: String,
    pub words: u64,
    /// The judge's report, once there is one.
    pub verdict: Option<Evaluation>,
}

#[derive(Debug, Clone, PartialEq)]
pub struct Candidates {
    pub chapter: ChapterNo,
    pub all: Vec<Candidate>,
}

impl Candidates {
    pub fn are_judged(&self) -> bool {
        self.all.iter().all(|candidate| candidate.verdict.is_some())
    }

    /// The best of them: a report without gaps, then one without blocking violations, then the score. Of equal ones the
    /// first in this chapter's order.
    pub fn best(&self) -> Option<&Candidate> {
        let rank = |candidate: &Candidate| {
            let verdict = candidate.verdict.as_ref()?;
            let hundredths = (verdict.overall() * 100.0).round() as u64;
            Some((verdict.is_complete(), verdict.blocking().next().is_none(), hundredths))
        };
        let mut best: Option<&Candidate> = None;
        for candidate in in_order(self.chapter, &self.all) {
            if best.is_none_or(|best| rank(candidate) > rank(best)) {
                best = Some(candidate);
            }
        }
        best.filter(|best| best.verdict.is_some())
    }
}

/// Candidates in the order of a chapter, which is another one with each chapter: none is always the first.
fn in_order<T>(chapter: ChapterNo, all: &[T]) -> impl Iterator<Item = &T> {
    let first = if all.is_empty() { 0 } else { chapter.get() as usize % all.len() };
    all[first..].iter().chain(&all[..first])
}

/// The candidates of the next chapter; `None` for a chapter without any. Reads only.
pub fn waiting(book: &Book) -> Result<Option<Candidates>, RunError> {
    let view = BookView::new(book.snapshot()?);
    let chapter = view.checkpoint()?.next_chapter();
    let mut all = Vec::new();
    for number in store::closing::candidates_of(book, chapter)? {
        let other = store::closing::candidate(book, number)?;
        let Some(tip) = store::draft::draft_tip(&other, chapter)? else { continue };
        let context = chapter_context::of_chapter(&view, chapter)?;
        let paths = ChapterPaths::of(context.volume, chapter);
        let commits = store::draft::draft_records(&other, chapter)?.unwrap_or_default();
        let progress = Progress::of(&records(&other, &commits, &paths)?);
        let text = BookView::new(other.snapshot_of(tip)?).chapter(chapter).ok();
        all.push(Candidate {
            number,
            branch: store::closing::draft_branch(&other, chapter),
            tip,
            title: text.as_ref().map(|text| text.title.clone()).unwrap_or_default(),
            words: text.as_ref().map_or(0, |text| crate::text::Count::of_prose(&text.body).words as u64),
            text: text.map(|text| text.body).unwrap_or_default(),
            verdict: progress.verdict().filter(|_| is_judged(&progress, context.is_key())),
        });
    }
    Ok((!all.is_empty()).then_some(Candidates { chapter, all }))
}

fn is_judged(progress: &Progress, is_key: bool) -> bool {
    progress.first.is_some() && (progress.second.is_some() || !is_key)
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CandidateOrder {
    pub count: u32,
    /// True when the author chooses among them.
    pub choose: bool,
    /// True when the same command was interrupted before.
    pub resumes: bool,
}

#[derive(Debug)]
pub enum CandidateChoice {
    Went {
        /// Its number; `None` when an interrupted command had taken it.
        number: Option<u32>,
        outcome: Box<Outcome>,
    },
    Waits(Candidates),
}

/// Refuses to change what candidates that wait are about.
pub(crate) fn refuse_beside_candidates(book: &Book) -> Result<(), RunError> {
    let all = store::closing::every_candidate(book)?;
    let Some((chapter, _)) = all.first().copied() else { return Ok(()) };
    let count = all.iter().filter(|(of, _)| *of == chapter).count();
    Err(LineError::CandidatesWait { chapter, count }.into())
}

impl Run<'_> {
    /// Keeps and clears away candidates once the chapter has a draft with something on it: one of them was chosen, and the
    /// command died. Returns whether there were any.
    pub(super) fn clear_candidates(&self, chapter: ChapterNo) -> Result<bool, RunError> {
        Ok(has_begun(self.session.book(), chapter)? && store::closing::clear_candidates(self.session, chapter)?)
    }
}

/// Writes candidates of the next chapter and takes the best one through the gate, or leaves the choice to the
/// author. Candidates that are there are continued; so is the chapter's one draft, where the same command was
/// interrupted after one had been taken.
pub async fn write_candidates(run: &Run<'_>, order: &CandidateOrder) -> Result<CandidateChoice, RunError> {
    let CandidateOrder { count, choose, resumes } = *order;
    let chapter = run.settled_next()?;
    let was_taken = run.clear_candidates(chapter)? || resumes;
    if let Some(flight) = decide::in_flight(run.session.book())?
        && flight.progress != Progress::default()
    {
        if was_taken && flight.chapter == chapter {
            return Ok(CandidateChoice::Went {
                number: None,
                outcome: Box::new(chapter::run::write_chapter(run, chapter).await?),
            });
        }
        return Err(LineError::InFlight(flight.chapter).into());
    }
    follow::follow_plans(run, chapter, OwnContract::Asks)?;
    let known = store::closing::candidates_of(run.session.book(), chapter)?.into_iter().max().unwrap_or(0);
    let books: Vec<Book> = (1..=count.max(known))
        .map(|number| store::closing::candidate(run.session.book(), number))
        .collect::<Result<_, _>>()?;
    {
        let sessions: Vec<Session<'_>> = books.iter().map(|book| run.session.beside(book)).collect::<Result<_, _>>()?;
        let runs: Vec<Run<'_>> =
            sessions.iter().zip(1..).map(|(session, number)| run.beside(session, number)).collect();
        // All texts first, so that the judge's order does not follow from who was quickest.
        each(runs.iter(), |run| candidate(run, chapter, false)).await?;
        each(in_order(chapter, &runs), |run| candidate(run, chapter, true)).await?;
    }
    let candidates = waiting(run.session.book())?.ok_or(RunError::NothingToDecide)?;
    // The author chooses as well where no candidate could be judged.
    let Some(number) = candidates.best().map(|best| best.number).filter(|_| !choose) else {
        return Ok(CandidateChoice::Waits(candidates));
    };
    pick_candidate(run, number)?;
    let outcome = chapter::run::write_chapter(run, chapter).await?;
    Ok(CandidateChoice::Went { number: Some(number), outcome: Box::new(outcome) })
}

/// Runs the work of each candidate, some at a time. When one fails, those under way are still waited for.
async fn each<'a, 'r: 'a, F: Future<Output = Result<(), RunError>>>(
    runs: impl Iterator<Item = &'a Run<'r>>,
    work: impl Fn(&'a Run<'r>) -> F,
) -> Result<(), RunError> {
    let results: Vec<Result<(), RunError>> = stream::iter(runs.map(work)).buffer_unordered(AT_ONCE).collect().await;
    results.into_iter().collect()
}

/// Takes a candidate up to its judge's report, or with `judges` through it.
async fn candidate(run: &Run<'_>, chapter: ChapterNo, judges: bool) -> Result<(), RunError> {
    let mut draft = ChapterDraft::open(run, chapter)?;
    recall::recall(run, &mut draft.context).await?;
    loop {
        let progress = draft.progress()?;
        if is_judged(&progress, draft.context.is_key()) {
            return Ok(());
        }
        let Next::Run(stages) = draft.next(&progress) else { return Ok(()) };
        let of_judges = stages.iter().any(|stage| matches!(stage, Stage::Judge | Stage::SecondJudge));
        if of_judges && !judges {
            return Ok(());
        }
        if run.calls.stop.asked() {
            return Err(RunError::Interrupted);
        }
        chapter::run::run_parallel(run, &draft, &stages).await?;
    }
}

/// Makes a candidate the chapter's draft. The others are kept.
/// Fails with [`LineError::NoSuchCandidate`], or when a ref cannot be written.
pub fn pick_candidate(run: &Run<'_>, number: u32) -> Result<ChapterNo, RunError> {
    let chapter = run.settled_next()?;
    if run.clear_candidates(chapter)? {
        return Ok(chapter);
    }
    if !store::closing::pick_candidate(run.session, chapter, number)? {
        return Err(LineError::NoSuchCandidate { chapter, number }.into());
    }
    Ok(chapter)
}

/// Puts all candidates of the chapter aside, whatever the state of the book. They are kept.
pub fn drop_candidates(run: &Run<'_>, chapter: ChapterNo) -> Result<(), RunError> {
    store::closing::clear_candidates(run.session, chapter)?;
    Ok(())
}
