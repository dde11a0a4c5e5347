//! `novel decide`: shows or answers the waiting question.

use crate::commands::answers::{self, AnswerArgs, ShownOutcome as _};
use crate::commands::prelude::*;
use crate::commands::status;
use crate::domain::Work;
use crate::domain::chapter::stage::Decision;
use crate::domain::workflow::{Answer, BookQuestion, NextStep};
use crate::pipeline::book::{hand_edits, rearranged};
use crate::pipeline::chapter::candidates;
use crate::pipeline::chapter::decide::{self, Pending, WaitReason};
use crate::pipeline::planning::approval::{self, StepProposal};
use crate::pipeline::planning::volume;
use crate::pipeline::workflow::{self, AnswerOutcome};
use crate::pipeline::{RunError, sync};
use crate::report::decision::{
    CandidateList, ChapterQuestion, LaterChapter, NothingWaits, UnfinishedQuestion, UnfinishedSubject, answer_words,
};
use crate::report::faults;
use crate::report::lines::Commit;
use crate::report::plan::PlanView;
use crate::store::{self, EntryFilter, layout};

#[derive(Debug, Clone, clap::Args)]
pub(crate) struct DecideArgs {
    #[arg(value_name = "ANSWER", value_parser = value_parsers::name_of(words()))]
    pub(crate) decision: Option<String>,
    #[arg(long, value_name = "CHAPTER", value_parser = value_parsers::chapter)]
    pub(crate) chapter: Option<ChapterNo>,
    #[arg(long, value_name = "NUMBER", value_parser = value_parsers::count)]
    pub(crate) candidate: Option<u32>,
    #[command(flatten)]
    pub(crate) particulars: AnswerArgs,
}

/// The answer that takes a candidate of the chapter.
const PICK: &str = "pick";

/// Every word that answers some question.
fn words() -> Vec<&'static str> {
    let answers = Answer::ALL.iter().filter(|answer| !answer.is_choice()).map(|answer| answer.as_str());
    let decisions =
        Decision::ALL.iter().filter(|decision| **decision != Decision::Hold).map(|decision| decision.as_str());
    let mut seen = BTreeSet::new();
    decisions.chain([PICK]).chain(answers).filter(|word| seen.insert(*word)).collect()
}

/// Shows the candidates to choose from. Returns whether any wait.
pub(super) fn show_candidates(app: &mut App, book: &Book) -> Result<bool, Failure> {
    let Some(waiting) = candidates::waiting(book)? else { return Ok(false) };
    let list = CandidateList::of(&waiting);
    app.ui.event(&list, |lang, columns| list.text(lang, columns))?;
    Ok(true)
}

/// Makes a candidate the chapter's draft. A repeated answer changes nothing.
fn pick(app: &mut App, book: &Book, word: &str, args: &DecideArgs) -> Result<Exit, Failure> {
    let missing = || both!(say_which_novel_decide_pick_candidate);
    let number = args.candidate.ok_or_else(|| Failure::usage(missing()))?;
    let waiting = candidates::waiting(book)?.map(|candidates| candidates.chapter);
    if let (Some(waiting), Some(meant)) = (waiting, args.chapter)
        && waiting != meant
    {
        return Err(other_waits(Some(waiting), meant));
    }
    app.note_command(format!("decide {word} {number}"));
    let (session, author) = (app.begin(book, "decide")?, app.identity(book)?);
    let is_again = app.resumed(book)?.is_some() && candidates::waiting(book)?.is_none();
    let chapter = run_context::run_without_model(app, &session, author, |run| match is_again {
        true => run.settled_next(),
        false => candidates::pick_candidate(run, number),
    })?;
    let decided = DecisionResult {
        chapter: Some(chapter.get()),
        decision: format!("{word} {number}"),
        commit: None,
        next: status::next_command(book)?,
    };
    app.ui.show(&decided, |lang, _| say!(lang, goes_on_with_candidate_next_novel(chapter, number)))
}

#[derive(Serialize)]
struct DecisionResult {
    /// `None` for a question about no chapter.
    chapter: Option<u32>,
    decision: String,
    /// The resulting commit of the book, if any.
    commit: Option<Commit>,
    /// The command to type next.
    next: &'static str,
}

pub(crate) fn run(app: &mut App, args: &DecideArgs) -> Result<Exit, Failure> {
    let book = app.book()?;
    if let Some(word) = args.decision.as_deref().filter(|word| *word == PICK) {
        return pick(app, &book, word, args);
    }
    if args.decision.as_deref() != Some(Decision::Drop.as_str()) {
        // The question may be about a chapter that has another number by now.
        let edits = hand_edits::uncommitted(&book, EntryFilter::of(&layout::is_book_path))?;
        rearranged::refuse(&book, edits.iter().map(|edit| &edit.path))?;
    }
    let Some(word) = &args.decision else {
        if show_candidates(app, &book)? {
            return Ok(Exit::Decide);
        }
        return show(app, &book, args.chapter);
    };
    let waiting = decide::pending(&book)?.map(|pending| pending.chapter);
    app.note_command(match args.chapter {
        Some(chapter) => format!("decide {word} {chapter}"),
        None => format!("decide {word}"),
    });
    // A draft can be put aside at any time, not only when it waits.
    if word.parse() == Ok(Decision::Drop) {
        if let Some(work) = decide::open_draft(&book, args.chapter)? {
            return put_aside(app, &book, work);
        }
        let mut candidates = store::closing::every_candidate(&book)?.into_iter().map(|(chapter, _)| chapter);
        if let Some(chapter) = candidates.find(|of| args.chapter.is_none_or(|meant| meant == *of)) {
            app.write(&book, "decide", |run| candidates::drop_candidates(run, chapter))?;
            let (chapter, next) = (Some(chapter.get()), status::next_command(&book)?);
            let decided = DecisionResult { chapter, decision: word.clone(), commit: None, next };
            return app.ui.show(&decided, |lang, _| say!(lang, candidates_are_put_aside_go_on_with(next)));
        }
    }
    if args.chapter.is_none() && question_beside(&book, word)?.is_some() {
        let interrupted = was_interrupted(app, &book)?;
        let Some(question) = question_beside(&book, word)? else { return tell_decided_before(app, &book, word) };
        let given = GivenAnswer { word, particulars: &args.particulars, interrupted };
        return given.carry_out(app, &book, NextStep::Ask(question));
    }
    match (waiting, args.chapter) {
        (Some(chapter), meant) if meant.is_none_or(|meant| meant == chapter) => decide_chapter(app, &book, word),
        (None, Some(meant)) => match was_interrupted(app, &book)? {
            true => tell_decided_before(app, &book, word),
            false => Err(other_waits(None, meant)),
        },
        (waiting, Some(meant)) => Err(other_waits(waiting, meant)),
        (_, None) => answer(app, &book, args, word),
    }
}

/// The question that the word answers and that may stand beside one about a chapter's text: about changes of contracts, or about
/// the contract of the next chapter. `edit` is meant for the text.
fn question_beside(book: &Book, word: &str) -> Result<Option<BookQuestion>, Failure> {
    Ok(match word {
        "approve" | "reject" => match approval::waiting(book)? {
            Some(StepProposal { step, .. }) => {
                Some(BookQuestion::Contracts { step, volume: workflow::standing(book)?.volume })
            }
            None => None,
        },
        "derive" | "keep" => {
            let standing = workflow::standing(book)?;
            standing.contract.map(|chapter| BookQuestion::Contract { chapter, volume: standing.volume })
        }
        _ => None,
    })
}

/// True when an interrupted command has already carried out this answer, so that nothing waits for it any more.
fn was_interrupted(app: &mut App, book: &Book) -> Result<bool, Failure> {
    drop(app.begin(book, "decide")?);
    Ok(app.resumed(book)?.is_some())
}

fn tell_decided_before(app: &mut App, book: &Book, word: &str) -> Result<Exit, Failure> {
    let next = status::next_command(book)?;
    let decided = DecisionResult { chapter: None, decision: word.to_owned(), commit: None, next };
    let lang = app.ui.lang();
    let words = word.parse::<Decision>().map(|decision| decision.say(lang));
    let words = words.or_else(|_| word.parse::<Answer>().map(|answer| answer.say(lang))).unwrap_or(word);
    app.ui.show(&decided, |lang, _| say!(lang, noted_before_interruption_go_on_with(words, next = decided.next)))
}

fn other_waits(waiting: Option<ChapterNo>, meant: ChapterNo) -> Failure {
    match waiting {
        Some(waiting) => Failure::no(both!(waits_for_decision_and_not(waiting, meant))),
        None => Failure::from(RunError::NothingToDecide),
    }
}

fn show(app: &mut App, book: &Book, meant: Option<ChapterNo>) -> Result<Exit, Failure> {
    let now = workflow::standing(book)?.next();
    // A run refuses the chapter until the question about its contract is answered.
    let is_contract = matches!(now, NextStep::Ask(BookQuestion::Contract { .. }));
    let unfinished = decide::pending(book)?.filter(|pending| matches!(pending.why, WaitReason::Unfinished { .. }));
    let unfinished = unfinished.filter(|pending| meant.map_or(!is_contract, |meant| meant == pending.chapter));
    if let Some(pending) = unfinished {
        show_chapter(app, book, &pending)?;
        return Ok(Exit::Decide);
    }
    match (now, meant) {
        (NextStep::Decide(chapter), meant) if meant.is_none_or(|meant| meant == chapter) => {
            show_chapter(app, book, &decide::pending(book)?.ok_or(RunError::NothingToDecide)?)?;
        }
        (NextStep::Decide(chapter), Some(meant)) => return Err(other_waits(Some(chapter), meant)),
        (NextStep::Ask(asked), None) => show_question(app, book, asked)?,
        _ => {
            let is_open = sync::merge::undecided(book).is_ok_and(|undecided| undecided.is_some());
            let nothing = if is_open { NothingWaits::ButSync } else { NothingWaits::Question };
            let drafts = decide::waiting_for_others(book)?;
            return app.ui.show(&nothing, |lang, _| {
                let drafts = drafts.iter().map(|draft| status::draft_that_waits(draft, lang));
                drafts.fold(nothing.text(lang), |text, words| format!("{text}{words}\n"))
            });
        }
    }
    Ok(Exit::Decide)
}

/// The question about a text with which the models alone do not come further.
pub(super) fn unfinished_question(pending: &Pending, lang: Lang) -> Option<UnfinishedQuestion> {
    let WaitReason::Unfinished { stage, reason, words, fault, of_task, noted, options } = &pending.why else {
        return None;
    };
    let (chapter, title, path) = (pending.chapter, pending.title.clone(), pending.path.clone());
    let fault = fault.as_ref();
    let fault = fault.map(|(model, why)| say!(lang, decision_model_fault(model, why = faults::of_fault(why, lang))));
    let of_task = of_task.as_ref().map(|words| say!(lang, speaks_of_its_task_also_after(words)));
    let fault = of_task.or(fault).or_else(|| noted.clone());
    let subject = UnfinishedSubject { chapter, title, stage: *stage, reason: *reason, words: *words, fault, path };
    Some(UnfinishedQuestion::of_text(subject, options, lang))
}

fn show_chapter(app: &mut App, book: &Book, pending: &Pending) -> Result<(), Failure> {
    let lang = app.ui.lang();
    let (path, edited) = (&pending.path, pending.edited);
    let is_there = !matches!(pending.why, WaitReason::Unfinished { words: 0, .. });
    match &pending.why {
        WaitReason::Judged { evaluation, pause } => {
            let later = LaterChapter::of(&decide::waiting_after(book, pending.chapter)?);
            let question = ChapterQuestion::of_pause(pending.chapter, &pending.title, pause, evaluation, lang);
            let question = question.before(later).named(app.names(book)?);
            show_with_edit(app, &question, (path, edited, is_there), |lang, columns| question.text(lang, columns))
        }
        WaitReason::Unfinished { .. } => {
            let Some(question) = unfinished_question(pending, lang) else { return Ok(()) };
            show_with_edit(app, &question, (path, edited, is_there), |lang, columns| question.text(lang, columns))
        }
    }
}

/// Shows a question that the author may also answer by changing the text in `staging/`.
fn show_with_edit(
    app: &mut App,
    question: &impl Serialize,
    (path, edited, is_there): (&str, bool, bool),
    text: impl Fn(Lang, usize) -> String,
) -> Result<(), Failure> {
    app.ui
        .show(question, |lang, columns| {
            let mut text = text(lang, columns);
            text.push_str(&match edited {
                false if is_there => say!(lang, to_change_it_yourself_edit_then(path)),
                false => say!(lang, to_write_it_yourself_then(path)),
                true => say!(lang, holds_changes_of_yours_novel_decide(path)),
            });
            text
        })
        .map(|_| ())
}

fn show_question(app: &mut App, book: &Book, asked: BookQuestion) -> Result<(), Failure> {
    let draft = match asked {
        BookQuestion::Plan { volume, .. } => {
            volume::drafts(book)?.into_iter().find(|draft| draft.order.volume == volume)
        }
        _ => None,
    };
    if let Some(draft) = draft {
        let view = PlanView::of(&draft, app.names_with_plan(book, draft.order.volume)?, app.ui.lang());
        return app.ui.show(&view, |lang, columns| view.text(lang, columns)).map(|_| ());
    }
    let question = answers::question(app, book, asked, Vec::new(), "novel decide")?;
    app.ui.show(&question, |lang, columns| question.text(lang, columns)).map(|_| ())
}

fn decide_chapter(app: &mut App, book: &Book, word: &str) -> Result<Exit, Failure> {
    let Ok(decision) = word.parse::<Decision>() else {
        let pending = decide::pending(book)?.ok_or(RunError::NothingToDecide)?;
        return Err(answers::not_offered(word, pending.why.options()));
    };
    let unfinished = decide::pending(book)?.and_then(|pending| match pending.why {
        WaitReason::Unfinished { stage, reason, .. } => Some((stage, reason)),
        WaitReason::Judged { .. } => None,
    });
    let chapter = app.write(book, "decide", |run| decide::record_decision(run, decision))?;
    let next = status::next_command(book)?;
    let decided = DecisionResult { chapter: Some(chapter.get()), decision: decision.to_string(), commit: None, next };
    app.ui.show(&decided, |lang, _| {
        say!(lang, noted_go_on_with(chapter, decision = answer_words(decision, unfinished, lang), next = decided.next))
    })
}

fn put_aside(app: &mut App, book: &Book, work: Work) -> Result<Exit, Failure> {
    let closed = app.write(book, "decide", |run| decide::put_aside(run, work))?;
    let (chapter, decision) = (work.chapter().map(ChapterNo::get), Decision::Drop.to_string());
    let decided = DecisionResult { chapter, decision, commit: None, next: status::next_command(book)? };
    app.ui.show(&decided, |lang, _| {
        let (next, kept) = (decided.next, closed.as_ref().map_or("", |closed| closed.kept.as_str()));
        say!(lang, draft_is_put_aside_go_on_with(work, kept = store::kept_name(kept).unwrap_or(kept), next))
    })
}

/// Answers a question of the author's loop. The next `start` or `continue` acts on it.
fn answer(app: &mut App, book: &Book, args: &DecideArgs, word: &str) -> Result<Exit, Failure> {
    // An interrupted command is finished first: the waiting question depends on it.
    let interrupted = was_interrupted(app, book)?;
    let now = workflow::standing(book)?.next();
    GivenAnswer { word, particulars: &args.particulars, interrupted }.carry_out(app, book, now)
}

struct GivenAnswer<'a> {
    word: &'a str,
    particulars: &'a AnswerArgs,
    /// True when an interrupted command gave the same answer.
    interrupted: bool,
}

impl GivenAnswer<'_> {
    /// Carries the answer out if it fits the question of `now`.
    fn carry_out(self, app: &mut App, book: &Book, now: NextStep) -> Result<Exit, Failure> {
        let Self { word, particulars, interrupted } = self;
        let Ok(answer) = word.parse::<Answer>() else {
            if interrupted {
                return tell_decided_before(app, book, word);
            }
            return Err(match answers::answers(now) {
                None => RunError::NothingToDecide.into(),
                Some(answers) => answers::not_offered(word, answers),
            });
        };
        let carried = match answers::fits(now, answer) {
            true => answers::carry_out(app, book, particulars, now, answer)?,
            // An answer repeated after a kill may already be in the book.
            false => match workflow::just_answered(book, answer)? {
                Some(done) => AnswerOutcome::Committed(done),
                None if interrupted => return tell_decided_before(app, book, word),
                None => return Err(answers::refused(word, now)),
            },
        };
        let next = match &carried {
            AnswerOutcome::AuthorMustAct(..) => carried.then(),
            _ => status::next_command(book)?,
        };
        let decided = DecisionResult {
            chapter: None,
            decision: answer.to_string(),
            commit: carried.commit().map(|done| done.commit.into()),
            next,
        };
        app.ui.show(&decided, |lang, _| {
            let (words, told, next) = (answer.say(lang), carried.text(lang), decided.next);
            match answer {
                Answer::End | Answer::Edit => say!(lang, decide_words_told(words, told)),
                Answer::Approve => say!(lang, decide_approved(told, next)),
                Answer::Reject => say!(lang, decide_told(told, next)),
                _ => say!(lang, go_on_with(words, told, next)),
            }
        })?;
        Ok(carried.exit())
    }
}
