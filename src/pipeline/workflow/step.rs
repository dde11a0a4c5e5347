//! One step of the author's loop: the next work that needs no answer, or the answer to the question that waits, which is
//! behind `start`, `decide`, `plan approve` and `plan reject`. Answers are transactions between the phases of the book.

use crate::agents::CastRequest;
use crate::domain::workflow::{Answer, BookQuestion, NextStep};
use crate::pipeline::book::{chapter_context, direct_commit, hand_edits, planning_context};
use crate::pipeline::chapter::draft::has_other_contract;
use crate::pipeline::engine::commits::Applied;
use crate::pipeline::planning::step::{Existing, StepOutcome};
use crate::pipeline::planning::style::{self, preset_text};
use crate::pipeline::planning::{approval, cast, create_book, follow, review, volume, world};
use crate::pipeline::prelude::*;
use crate::pipeline::workflow::{VolumeWishes, said_under, standing, trial_order, volume_order};
use crate::pipeline::{Goal, Outcome, chapter};
use crate::store::{self, Course, Log, ReturnTo, template};

/// Takes the step that came next when the book was looked at. Returns the commit, as far as one is to be told of, and
/// whether to go on; when something else comes next by now, nothing is done.
/// Fails with [`RunError::FlawedPlan`] when the trial chapters cannot be planned; otherwise those of the step.
pub(crate) async fn advance(
    run: &Run<'_>,
    step: NextStep,
    wanted: &VolumeWishes,
) -> Result<(Option<Done>, bool), RunError> {
    let book = run.session.book();
    hand_edits::commit_local_changes(run)?;
    // Another command may have gone on since the book was looked at, or the author's own files say more now.
    if standing(book)?.next() != step {
        return Ok((None, true));
    }
    let taken = match step {
        NextStep::Style => {
            let genre = config_now(book)?.genre;
            let turned = style::use_style(run, template::preset_for(&genre).id)?;
            return Ok((if let Applied::Done(done) = turned { Some(done) } else { None }, true));
        }
        NextStep::Take(Step::World) => world::build_world(run, "", Existing::Kept).await?,
        NextStep::Take(Step::Theme) => StepOutcome::Done(world::find_theme(run, Existing::Kept).await?),
        NextStep::Take(_) => {
            cast::make_characters(run, &CastRequest::First { protagonist: protagonist(book)? }, Existing::Kept).await?
        }
        NextStep::PlanTrial => {
            let waiting = volume::plan_volume(run, &trial_order()).await?;
            return match waiting {
                None => Ok((None, true)),
                Some(draft) => {
                    Err(RunError::FlawedPlan { volume: VolumeNo::FIRST, flaws: draft.flaws, folder: draft.folder })
                }
            };
        }
        NextStep::PlanVolume(volume) => {
            let order = volume_order(book, volume, wanted)?;
            volume::plan_volume(run, &order).await?;
            return Ok((None, true));
        }
        NextStep::Write(last) => {
            let outcomes = chapter::run::write_chapters(run, Goal::Until(last)).await?;
            return Ok((None, !matches!(outcomes.last(), Some(Outcome::Paused { .. }))));
        }
        NextStep::Review(volume) => StepOutcome::Done(review::review_volume(run, volume, Existing::Kept).await?),
        NextStep::Ask(_) | NextStep::Decide(_) | NextStep::Rest(_) => return Ok((None, false)),
    };
    Ok(match taken {
        StepOutcome::Done(done) => (Some(done), true),
        // The question of the next turn.
        StepOutcome::Waits(_) => (None, true),
    })
}

/// The author's words on the protagonist, from the brief.
fn protagonist(book: &Book) -> Result<String, RunError> {
    let context = planning_context::of_book(&BookView::new(book.snapshot()?))?;
    Ok(said_under(&context.brief, "## 主角").join("，"))
}

/// Details that some answers need.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct AnswerDetails {
    /// The built-in style that follows [`Answer::Style`].
    pub style: Option<String>,
    /// The genre of another subject; empty for the present one.
    pub genre: String,
    /// The protagonist of another subject.
    pub protagonist: String,
    /// The central conflict of another subject.
    pub conflict: String,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum AnswerOutcome {
    Committed(Done),
    /// A plan or a proposal was put aside under that ref.
    Aside(Work, String),
    /// Nothing: the author has to change these files first.
    AuthorMustAct(Work, Vec<String>),
}

/// Carries out an answer to the question of `now`.
/// Fails with [`RunError::AnsweredMeanwhile`] when another question waits by now, [`RunError::NothingToDecide`] for an answer
/// that does not fit `now`; otherwise those of the transaction that the answer asks for.
pub(crate) fn answer(
    run: &Run<'_>,
    now: NextStep,
    answer: Answer,
    details: &AnswerDetails,
) -> Result<AnswerOutcome, RunError> {
    let book = run.session.book();
    let still = match now {
        NextStep::Ask(BookQuestion::Contracts { step, .. }) => {
            approval::proposals(book)?.iter().any(|proposal| proposal.step == step)
        }
        NextStep::Ask(BookQuestion::Contract { chapter, .. }) => super::standing(book)?.contract == Some(chapter),
        now => super::standing(book)?.next() == now,
    };
    if !still {
        return Err(RunError::AnsweredMeanwhile);
    }
    let volume = match now {
        NextStep::Ask(BookQuestion::Contracts { step, .. }) => {
            let work = Work::Step(step);
            return Ok(match answer {
                Answer::Approve => AnswerOutcome::Committed(approval::approve_proposal(run, step)?),
                Answer::Edit => AnswerOutcome::AuthorMustAct(work, approval::show_proposal(run, step)?),
                _ => AnswerOutcome::Aside(work, approval::reject_proposal(run, step)?.unwrap_or_default()),
            });
        }
        NextStep::Ask(BookQuestion::Contract { chapter, .. }) => {
            let done = follow::settle_contract(run, chapter, answer)?;
            let context = chapter_context::of_chapter(&BookView::new(book.snapshot()?), chapter)?;
            if has_other_contract(book, &context)? {
                run.tell(Event::Warning { work: chapter.into(), warning: Warning::ContractSince });
            }
            return Ok(AnswerOutcome::Committed(done));
        }
        NextStep::Ask(question) => question.volume(),
        NextStep::Rest(volume) => volume,
        _ => return Err(RunError::NothingToDecide),
    };
    let AnswerDetails { style, genre, protagonist, conflict } = details;
    let done = match answer {
        Answer::GoOn => plan_next(run, answer, Course::TrialStays),
        Answer::Style => drop_trial(run, style.as_deref()),
        Answer::Subject => change_subject(run, genre, protagonist, conflict),
        Answer::Approve => volume::approve_plan(run, volume),
        Answer::Clean => review::clean(run, volume),
        Answer::Keep => review::keep_state(run, volume),
        Answer::NextVolume => plan_next(run, answer, Course::NextVolume),
        Answer::WrapUp => wrap_up(run),
        Answer::End => end_book(run, volume),
        Answer::Reject => {
            return Ok(AnswerOutcome::Aside(Work::Plan(volume), volume::reject_plan(run, volume)?.unwrap_or_default()));
        }
        // An edit is the author's to make, and a choice of `start` is no answer to a question that waits.
        _ => return Err(RunError::NothingToDecide),
    };
    done.map(AnswerOutcome::Committed)
}

impl AnswerOutcome {
    pub fn commit(&self) -> Option<&Done> {
        match self {
            Self::Committed(done) => Some(done),
            Self::Aside(..) | Self::AuthorMustAct(..) => None,
        }
    }
}

/// How many commits back an answer is looked for: a volume's chapters and what stands between them.
const RECENT: usize = 200;

/// A volume is planned next: the one that the trial chapters begin, which stay, or the one after the present one.
pub(super) fn plan_next(run: &Run<'_>, answer: Answer, what: Course) -> Result<Done, RunError> {
    direct_commit::commit_turn(run, answer, course(what), Change::default(), to_planning)
}

/// The trial chapters go, by a rollback to the commit before their outline; they stay reachable. The author's later
/// changes of world, people and settings stay. With `style`, a built-in style takes the place of the present one.
/// Fails with [`RunError::NoSuchStyle`]; when the commit cannot be made.
pub(crate) fn drop_trial(run: &Run<'_>, style: Option<&str>) -> Result<Done, RunError> {
    let also = match style {
        None => Change::default(),
        Some(name) => Change::default().put(layout::STYLE_PROFILE, preset_text(name)?),
    };
    hand_edits::commit_local_changes(run)?;
    let trial = step_taken(run, Step::Trial)?;
    let before = trial.and_then(|transaction| transaction.parent).ok_or(RunError::NothingToDecide)?;
    let subject = Course::TrialAside(style.map(str::to_owned));
    let stays = |place: &BookPath| !(place.is_plan() || place.is_told());
    go_back(run, before, &stays, subject, &also)
}

/// Everything since the book was made goes, by a rollback; it stays reachable. A new genre, protagonist or conflict
/// replaces the old one; settings and style are the author's and stay.
pub(crate) fn change_subject(run: &Run<'_>, genre: &str, protagonist: &str, conflict: &str) -> Result<Done, RunError> {
    hand_edits::commit_local_changes(run)?;
    let book = run.session.book();
    let first = create_book::founded(book)?.ok_or(RunError::NothingToDecide)?.id;
    let own_brief = brief_is_own(run, first)?;
    let mut also = Change::default();
    let is_new = ![genre, protagonist, conflict].iter().all(|text| text.trim().is_empty());
    if is_new {
        also = new_idea(run, first, genre, protagonist, conflict)?;
    }
    let stays = |place: &BookPath| match place {
        BookPath::Brief => own_brief,
        place => place.is_author_input() && !place.is_plan(),
    };
    go_back(run, first, &stays, Course::AnotherIdea, &also)
}

/// Whether the brief is in the author's words: neither as the book began with it nor as the plot architect left it.
fn brief_is_own(run: &Run<'_>, first: CommitId) -> Result<bool, RunError> {
    let book = run.session.book();
    let themed = step_taken(run, Step::Theme)?.map(|transaction| transaction.id);
    let now = book.snapshot()?.read(layout::BRIEF)?;
    for made in [Some(first), themed].into_iter().flatten() {
        if book.snapshot_of(made)?.read(layout::BRIEF)? == now {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Returns the files that follow from another idea, over those of the commit that made the book. Parts of the idea that are
/// not said again stay.
fn new_idea(
    run: &Run<'_>,
    first: CommitId,
    genre: &str,
    protagonist: &str,
    conflict: &str,
) -> Result<Change, RunError> {
    let book = run.session.book();
    let view = BookView::new(book.snapshot()?);
    let config = view.config()?;
    let snapshot = book.snapshot_of(first)?;
    let brief = snapshot.read(layout::BRIEF)?.unwrap_or_default();
    let brief = String::from_utf8_lossy(&brief);
    let or = |new: &str, heading: &str| match new.trim() {
        "" => said_under(&brief, heading).join("\n"),
        new => new.to_owned(),
    };
    let genre = if genre.trim().is_empty() { config.genre.clone() } else { genre.trim().to_owned() };
    let idea = create_book::Idea {
        title: config.title.clone(),
        genre: genre.clone(),
        protagonist: or(protagonist, "## 主角"),
        conflict: or(conflict, "## 核心冲突"),
        ..create_book::Idea::default()
    };
    let mut change = Change::default();
    for (path, bytes) in idea.files(None, run.calls.clock)?.files {
        let is_idea = [layout::BRIEF, layout::STORYLINES, layout::STATE].contains(&path.as_str());
        if is_idea || path.starts_with(layout::ACTIVE_CHARACTERS) {
            change = change.put(&path, bytes);
        }
    }
    for path in snapshot.files(layout::ACTIVE_CHARACTERS)? {
        if !change.puts.contains_key(&path) {
            change = change.remove(&path);
        }
    }
    let config = BookConfig { genre, ..config };
    view.put(change, layout::CONFIG, |was| format::config::write(&config, was))
}

/// Takes the author's notes into `research/`, by name and text, in one commit. A note that is there under the same name
/// is replaced.
pub(crate) fn import_research(run: &Run<'_>, notes: &[(String, String)]) -> Result<Done, RunError> {
    hand_edits::commit_local_changes(run)?;
    let snapshot = run.session.book().snapshot()?;
    let mut change = Change::default();
    for (name, text) in notes {
        change = change.put(&BookPath::Research(name.clone()).path(), format!("{}\n", text.trim_end()));
    }
    let names: Vec<String> = notes.iter().map(|(name, _)| name.clone()).collect();
    let request = format!("research {}", names.join(" "));
    direct_commit::commit_step(
        run,
        (Step::Research, &request),
        Message::new(Kind::World, Subject::Research(names)),
        change,
        &snapshot,
    )
}

/// The next volume may be planned, and the book ends with it.
pub(crate) fn wrap_up(run: &Run<'_>) -> Result<Done, RunError> {
    let last = standing(run.session.book())?.volume_to_plan();
    let after = |before| Checkpoint { pending: vec![crate::domain::volume::pending(last)], ..to_planning(before) };
    direct_commit::commit_turn(run, Answer::WrapUp, course(Course::EndsWith(last)), Change::default(), after)
}

/// The book has come to its end.
pub(crate) fn end_book(run: &Run<'_>, volume: VolumeNo) -> Result<Done, RunError> {
    let after = |before| Checkpoint { phase: Phase::Completed, pending: Vec::new(), ..before };
    direct_commit::commit_turn(run, Answer::End, course(Course::Ended(volume)), Change::default(), after)
}

/// The last transaction in effect that took the step.
fn step_taken(run: &Run<'_>, step: Step) -> Result<Option<Transaction>, RunError> {
    let is_it = |transaction: &Transaction| transaction.trailers.get(STEP) == Some(step.as_str());
    Ok(store::history::in_effect(run.session.book(), is_it)?.pop().filter(is_it))
}

/// The book as it was at `to`, apart from the files that stay and those that are not the book's, and `also` over it.
fn go_back(
    run: &Run<'_>,
    to: CommitId,
    stays: &dyn Fn(&BookPath) -> bool,
    course: Course,
    also: &Change,
) -> Result<Done, RunError> {
    let answer = if matches!(course, Course::AnotherIdea) { Answer::Subject } else { Answer::Style };
    let stays = |path: &str| layout::classify(path).is_none_or(|place| stays(&place));
    let trailers = [(key::ANSWER, answer.to_string())];
    let wanted = ReturnTo { kind: Kind::Rollback, to, stays: &stays, also, trailers: &trailers };
    let returned = store::rollback::return_to(run.session, &wanted, &run.commit_info(Some(Subject::Course(course))))?;
    Ok(returned.committed.into())
}

fn course(course: Course) -> Message {
    Message::new(Kind::Plan, Subject::Course(course))
}

fn to_planning(before: Checkpoint) -> Checkpoint {
    Checkpoint { phase: Phase::VolumePlanning, pending: Vec::new(), ..before }
}

/// The outcome of the last question that the author has answered, when it was answered so: giving the same answer again, after
/// a kill for one, goes on from there. Reads only.
pub fn answered(book: &Book, answer: Answer) -> Result<Option<Done>, RunError> {
    answer_of(book, answer, |transaction| transaction.trailers.get(key::ANSWER).is_some())
}

/// The outcome of the same answer, when nothing has happened to the book since: the author has given it twice in a row.
pub fn just_answered(book: &Book, answer: Answer) -> Result<Option<Done>, RunError> {
    answer_of(book, answer, |transaction| transaction.kind != Kind::HandEdit && !transaction.kind.is_upkeep())
}

fn answer_of(book: &Book, answer: Answer, counts: impl Fn(&Transaction) -> bool) -> Result<Option<Done>, RunError> {
    let log = store::history::log(book, &Log { limit: RECENT, ..Log::default() })?;
    let same = |transaction: &Transaction| transaction.trailers.read(key::ANSWER) == Some(answer);
    let last = log.into_iter().find(counts).filter(same);
    Ok(last.map(Done::from))
}
