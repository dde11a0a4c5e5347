//! Shared by the commands that take the author's answer: the waiting question, details of answers, and carrying answers
//! out.

use crate::commands::prelude::*;
use crate::domain::book::work::Work;
use crate::domain::workflow::{Answer, BookQuestion, NextStep, REOPENING};
use crate::pipeline::book::estimate::Price;
use crate::pipeline::workflow::{self, AnswerDetails, AnswerOutcome, Facts};
use crate::report::journey::JourneyQuestion;
use crate::report::subject;
use crate::store::kept_name;
use std::fmt::Display;

#[derive(Debug, Clone, Default, clap::Args)]
pub(crate) struct AnswerArgs {
    #[arg(long, value_name = "PRESET")]
    pub(crate) style: Option<String>,
    #[arg(long, value_name = "GENRE", default_value = "", hide_default_value = true)]
    pub(crate) genre: String,
    #[arg(long, value_name = "TEXT", default_value = "", hide_default_value = true)]
    pub(crate) protagonist: String,
    #[arg(long, value_name = "TEXT", default_value = "", hide_default_value = true)]
    pub(crate) conflict: String,
}

impl From<&AnswerArgs> for AnswerDetails {
    fn from(args: &AnswerArgs) -> Self {
        let AnswerArgs { style, genre, protagonist, conflict } = args.clone();
        Self { style, genre, protagonist, conflict }
    }
}

/// The possible answers, the recommended one first; `None` when no question waits. An ended book asks nothing and can
/// be taken up again.
pub(crate) fn answers(now: NextStep) -> Option<&'static [Answer]> {
    match now {
        NextStep::Ask(question) => Some(question.answers()),
        NextStep::Rest(_) => Some(REOPENING),
        _ => None,
    }
}

/// True when the answer is possible now. The approval of a plan is always examined: the author may just have repaired
/// the plan in `staging/`.
pub(crate) fn fits(now: NextStep, answer: Answer) -> bool {
    let is_plan = matches!(now, NextStep::Ask(BookQuestion::Plan { .. }));
    answers(now).is_some_and(|answers| answers.contains(&answer)) || (is_plan && answer == Answer::Approve)
}

/// The question with its facts, and with the prices of its answers where known.
pub(crate) fn question(
    app: &App,
    book: &Book,
    asked: BookQuestion,
    prices: Vec<Option<Price>>,
    command: &str,
) -> Result<JourneyQuestion, Failure> {
    let facts = Facts { prices, ..workflow::facts(book, asked)? };
    Ok(JourneyQuestion::of(asked, &facts, command, app.ui.lang()).named(app.names(book)?))
}

/// The refusal of an answer that the present question does not offer, or for which none waits.
pub(crate) fn refused(answer: &str, now: NextStep) -> Failure {
    match answers(now) {
        Some(answers) => not_offered(answer, answers),
        None => Failure::no(both!(no_question_waits_for(answer))).hint(both!(novel_status_says_how_far_book_is)),
    }
}

pub(crate) fn not_offered(answer: &str, offered: &[impl Display]) -> Failure {
    let hint = both!(lang, answers_it_may_be(list = listed(offered, lang)));
    Failure::no(both!(is_no_answer_to_question_that(answer))).hint(hint)
}

/// Carries out an answer to the question of `now`.
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
    let details = AnswerDetails::from(particulars);
    app.write(book, "answer", |run| run.answer(now, answer, &details))
}

#[derive(Serialize)]
struct Aside<'a> {
    status: &'static str,
    /// Null for a proposal that is no plan of a volume.
    volume: Option<u32>,
    /// For example `vol-02`, `world`.
    work: String,
    kept: &'a str,
}

/// Reports that a plan is put aside, and what keeps it.
pub(crate) fn show_aside(app: &mut App, work: Work, kept: &str) -> Result<(), Failure> {
    let volume = work.volume().map(VolumeNo::get);
    let aside = Aside { status: "put_aside", volume, work: work.to_string(), kept };
    app.ui.event(&aside, |lang, _| format!("{}\n", aside_text(work, kept, lang))).map(|_| ())
}

fn aside_text(work: Work, kept: &str, lang: Lang) -> String {
    let back = match kept_name(kept) {
        Some(name) => say!(lang, by_novel_restore(name)),
        None => String::new(),
    };
    match work {
        Work::Plan(volume) => say!(lang, plan_of_is_put_aside(volume, back)),
        Work::Step(Step::Regenerate) => say!(lang, updated_plans_are_put_aside(back)),
        Work::Step(step) => say!(lang, changes_of_are_put_aside(work = step.say(lang), back)),
        Work::Chapter(_) | Work::Review(_) => say!(lang, changes_of_are_put_aside(work, back)),
    }
}

/// An outcome for the screen.
pub(crate) trait ShownOutcome {
    /// The exit code of the command when nothing follows.
    fn exit(&self) -> Exit;
    fn text(&self, lang: Lang) -> String;
    /// The command to type next.
    fn then(&self) -> &'static str;
}

impl ShownOutcome for AnswerOutcome {
    fn exit(&self) -> Exit {
        match self {
            Self::Committed(_) | Self::Aside(..) => Exit::Done,
            Self::AuthorMustAct(..) => Exit::Decide,
        }
    }

    fn text(&self, lang: Lang) -> String {
        match self {
            Self::Committed(done) => format!("{}  {}", subject::worded(&done.subject, lang), done.commit.short()),
            Self::Aside(work, kept) => aside_text(*work, kept, lang),
            Self::AuthorMustAct(work, files) => {
                let (files, next) = (files.join(say!(lang, list_comma)), self.then());
                match work {
                    Work::Plan(_) => say!(lang, change_files_in_then(files, next)),
                    _ => say!(lang, change_then(files, next)),
                }
            }
        }
    }

    fn then(&self) -> &'static str {
        match self {
            Self::AuthorMustAct(Work::Plan(_), _) => "novel plan edit",
            Self::AuthorMustAct(..) => "novel decide approve",
            _ => "novel start",
        }
    }
}

impl App {
    /// Shows waiting changes of rules or contracts at the end of a command.
    pub(crate) fn show_proposal(&mut self, book: &Book, step: Step) -> Result<Exit, Failure> {
        let volume = workflow::position(book)?.volume;
        let question = question(self, book, BookQuestion::Contracts { step, volume }, Vec::new(), "novel decide")?;
        self.ui.event(&question, |lang, columns| question.text(lang, columns))?;
        Ok(Exit::Decide)
    }
}
