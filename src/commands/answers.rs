//! What the commands share that take the author's answer: which question waits, what belongs to some answers, and carrying
//! them out.

use super::App;
use super::cli::exit::Exit;
use super::cli::failure::Failure;
use super::run_context;
use crate::domain::VolumeNo;
use crate::domain::book::work::{Step, Work};
use crate::domain::workflow::{Answer, BookQuestion, NextStep, REOPENING};
use crate::pipeline::book::estimate::Price;
use crate::pipeline::engine::done::Done;
use crate::pipeline::planning::approval;
use crate::pipeline::workflow::Facts;
use crate::pipeline::{Run, RunError, workflow};
use crate::report::Lang;
use crate::report::journey::JourneyQuestion;
use crate::report::lang::{both, say};
use crate::store::Book;
use serde::Serialize;
use std::fmt::Display;

/// What goes with some answers.
#[derive(Debug, Clone, Default, clap::Args)]
pub(crate) struct AnswerArgs {
    /// A built-in style: for a new book, or with the answer `style`
    #[arg(long, value_name = "NAME")]
    pub(crate) style: Option<String>,
    /// Genre of a new book, or another one with the answer `subject`
    #[arg(long, value_name = "GENRE", default_value = "", hide_default_value = true)]
    pub(crate) genre: String,
    /// Protagonist of a new book, or another one with the answer `subject`
    #[arg(long, value_name = "WHO", default_value = "", hide_default_value = true)]
    pub(crate) protagonist: String,
    /// Central conflict of a new book, or another one with the answer `subject`
    #[arg(long, value_name = "CONFLICT", default_value = "", hide_default_value = true)]
    pub(crate) conflict: String,
}

/// What came of an answer.
pub(crate) enum AnswerOutcome {
    /// A commit of the book.
    Committed(Done),
    /// A plan or a proposal was put aside under that ref.
    Aside(Work, String),
    /// Nothing: the author has to change these files first.
    AuthorMustAct(Work, Vec<String>),
}

/// What may be answered now, the recommended answer first; `None` where nothing waits. A book that has ended asks nothing
/// and can be taken up again.
pub(crate) fn answers(now: NextStep) -> Option<&'static [Answer]> {
    match now {
        NextStep::Ask(question) => Some(question.answers()),
        NextStep::Rest(_) => Some(REOPENING),
        _ => None,
    }
}

/// Whether that may be answered now. The approval of a plan is always looked into: the author may just have mended in
/// `staging/` what was wrong with it.
pub(crate) fn fits(now: NextStep, answer: Answer) -> bool {
    let is_plan = matches!(now, NextStep::Ask(BookQuestion::Plan { .. }));
    answers(now).is_some_and(|answers| answers.contains(&answer)) || (is_plan && answer == Answer::Approve)
}

/// The question with what it is about, and with the prices of its answers where they are known.
pub(crate) fn question(
    app: &App,
    book: &Book,
    asked: BookQuestion,
    prices: Vec<Option<Price>>,
    command: &str,
) -> Result<JourneyQuestion, Failure> {
    let facts = Facts { prices, ..workflow::facts(book, asked)? };
    Ok(JourneyQuestion::of(asked, &facts, command, app.ui.lang()))
}

/// The refusal of an answer that the question of now does not offer, or for which none waits.
pub(crate) fn refused(answer: &str, now: NextStep) -> Failure {
    match answers(now) {
        Some(answers) => not_offered(answer, answers),
        None => Failure::new(Exit::No, both!("现在没有在等 `{answer}` 的问题", "no question waits for `{answer}`"))
            .hint(both!("`novel status` 看走到哪了", "`novel status` says how far the book is")),
    }
}

/// The refusal of an answer that is none of those offered.
pub(crate) fn not_offered(answer: &str, offered: &[impl Display]) -> Failure {
    let list = offered.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ");
    Failure::new(Exit::No, both!("现在不能答 `{answer}`", "`{answer}` is no answer to the question that waits"))
        .hint(both!("可以答 {list}", "it may be {list}"))
}

/// Does what was answered, unless somebody else has answered since `now` was looked at.
pub(crate) fn carry_out(
    app: &mut App,
    book: &Book,
    particulars: &AnswerArgs,
    now: NextStep,
    answer: Answer,
) -> Result<AnswerOutcome, Failure> {
    let volume = match now {
        NextStep::Ask(question) => question.volume(),
        NextStep::Rest(volume) => volume,
        _ => return Err(refused(answer.as_str(), now)),
    };
    if answer == Answer::Edit && !matches!(now, NextStep::Ask(BookQuestion::Contracts { .. })) {
        return Ok(AnswerOutcome::AuthorMustAct(Work::Plan(volume), vec![format!("staging/volumes/{volume}/")]));
    }
    let session = app.begin(book, "answer")?;
    let still = match now {
        NextStep::Ask(BookQuestion::Contracts { step, .. }) => {
            approval::proposals(book)?.iter().any(|proposal| proposal.step == step)
        }
        now => workflow::standing(book)?.next() == now,
    };
    if !still {
        return Err(Failure::new(Exit::Busy, both!("问题已经有人答了", "the question has been answered meanwhile"))
            .hint(both!("`novel status` 看走到哪了", "`novel status` says how far the book is")));
    }
    let author = app.identity(book)?;
    run_context::run_without_model(app, &session, author, async |run| respond(run, particulars, now, answer))
}

/// A plan that was put aside.
#[derive(Serialize)]
struct Aside<'a> {
    /// `put_aside`.
    status: &'static str,
    /// Of which volume; null for another proposal.
    volume: Option<u32>,
    /// The work: `vol-02`, `world`.
    work: String,
    /// The ref that keeps it.
    kept: &'a str,
}

/// Says that a plan is put aside, and what keeps it.
pub(crate) fn show_aside(app: &mut App, work: Work, kept: &str) -> Result<(), Failure> {
    let volume = work.volume().map(VolumeNo::get);
    let aside = Aside { status: "put_aside", volume, work: work.to_string(), kept };
    app.ui.event(&aside, |lang, _| format!("{}\n", aside_text(work, kept, lang)))
}

fn aside_text(work: Work, kept: &str, lang: Lang) -> String {
    match work {
        Work::Plan(volume) => {
            say!(lang, "{volume} 的计划放到一边了: {kept}", "the plan of {volume} is put aside: {kept}")
        }
        work => say!(lang, "{work} 的改动放到一边了: {kept}", "the changes of {work} are put aside: {kept}"),
    }
}

/// The transaction that an answer asks for.
pub(crate) fn respond(
    run: &Run<'_>,
    particulars: &AnswerArgs,
    now: NextStep,
    answer: Answer,
) -> Result<AnswerOutcome, RunError> {
    let volume = match now {
        NextStep::Ask(BookQuestion::Contracts { step, .. }) => {
            let work = Work::Step(step);
            return Ok(match answer {
                Answer::Approve => AnswerOutcome::Committed(run.approve_proposal(step)?),
                Answer::Edit => AnswerOutcome::AuthorMustAct(work, run.show_proposal(step)?),
                _ => AnswerOutcome::Aside(work, run.reject_proposal(step)?.unwrap_or_default()),
            });
        }
        NextStep::Ask(question) => question.volume(),
        NextStep::Rest(volume) => volume,
        _ => return Err(RunError::NothingToDecide),
    };
    let AnswerArgs { style, genre, protagonist, conflict } = particulars;
    let done = match answer {
        Answer::GoOn => run.keep_trial(),
        Answer::Style => run.drop_trial(style.as_deref()),
        Answer::Subject => run.change_subject(genre, protagonist, conflict),
        Answer::Approve => run.approve_plan(volume),
        Answer::Clean => run.clean(volume),
        Answer::Keep => run.keep_state(volume),
        Answer::NextVolume => run.open_volume(),
        Answer::WrapUp => run.wrap_up(),
        Answer::End => run.end(volume),
        Answer::Reject => {
            return Ok(AnswerOutcome::Aside(Work::Plan(volume), run.reject_plan(volume)?.unwrap_or_default()));
        }
        // An edit is the author's to make, and a choice of `start` is no answer to what waits.
        _ => return Err(RunError::NothingToDecide),
    };
    done.map(AnswerOutcome::Committed)
}

impl AnswerOutcome {
    /// The commit, where it is one.
    pub(crate) fn commit(&self) -> Option<&Done> {
        match self {
            Self::Committed(done) => Some(done),
            Self::Aside(..) | Self::AuthorMustAct(..) => None,
        }
    }

    /// How the command ends that carried it out, if nothing comes after it.
    pub(crate) fn exit(&self) -> Exit {
        match self {
            Self::Committed(_) | Self::Aside(..) => Exit::Done,
            Self::AuthorMustAct(..) => Exit::Decide,
        }
    }

    /// What came of it, in words.
    pub(crate) fn text(&self, lang: Lang) -> String {
        match self {
            Self::Committed(done) => format!("{}  {}", done.subject, done.commit.short()),
            Self::Aside(work, kept) => aside_text(*work, kept, lang),
            Self::AuthorMustAct(work, files) => {
                let (files, next) = (files.join(lang.pick("、", ", ")), self.then());
                match work {
                    Work::Plan(_) => {
                        say!(lang, "改 {files} 里的文件，再 `{next}`", "change the files in {files}, then `{next}`")
                    }
                    _ => say!(lang, "改 {files}，再 `{next}`", "change {files}, then `{next}`"),
                }
            }
        }
    }

    /// The command to type after it.
    pub(crate) fn then(&self) -> &'static str {
        match self {
            Self::AuthorMustAct(Work::Plan(_), _) => "novel plan edit",
            Self::AuthorMustAct(..) => "novel decide approve",
            _ => "novel start",
        }
    }
}

impl App {
    /// Shows changes of rules or contracts that wait, as the last thing that a command says.
    pub(crate) fn show_proposal(&mut self, book: &Book, step: Step) -> Result<Exit, Failure> {
        let volume = workflow::position(book)?.volume;
        let question = question(self, book, BookQuestion::Contracts { step, volume }, Vec::new(), "novel decide")?;
        self.ui.event(&question, |lang, columns| question.text(lang, columns))?;
        Ok(Exit::Decide)
    }
}
