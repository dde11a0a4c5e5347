//! Shared by the commands that take the author's answer: the waiting question, details of answers, and carrying answers
//! out.
//! The flags of commands that call planners, and the run around a planning step or a trial.

use crate::commands::cli::value_parsers::Money;
use crate::commands::network::RemoteArgs;
use crate::commands::prelude::*;
use crate::commands::run_context::RunInputs;
use crate::commands::terminal::progress::ProseDisplay;
use crate::domain::book::work::Work;
use crate::domain::workflow::{Answer, BookQuestion, NextStep, REOPENING};
use crate::pipeline::book::estimate::Price;
use crate::pipeline::engine::commits::Done;
use crate::pipeline::planning::step::Existing;
use crate::pipeline::workflow::{self, AnswerDetails, AnswerOutcome, QuestionFacts};
use crate::pipeline::{Responder, Run, RunError};
use crate::report::journey::JourneyQuestion;
use crate::report::lines::Commit;
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
    let facts = QuestionFacts { prices, ..workflow::facts(book, asked)? };
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
    app.write(book, "answer", |run| workflow::step::answer(run, now, answer, &details))
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

pub(crate) fn aside_text(work: Work, kept: &str, lang: Lang) -> String {
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

/// Shows waiting changes of rules or contracts at the end of a command.
pub(crate) fn show_proposal(app: &mut App, book: &Book, step: Step) -> Result<Exit, Failure> {
    let volume = workflow::position(book)?.volume;
    let question = question(app, book, BookQuestion::Contracts { step, volume }, Vec::new(), "novel decide")?;
    app.ui.event(&question, |lang, columns| question.text(lang, columns))?;
    Ok(Exit::Decide)
}

const PLANNERS: [Agent; 4] = [Agent::WorldBuilder, Agent::CharacterWeaver, Agent::PlotArchitect, Agent::StyleAnalyzer];

/// The model and the budget of a planning command.
#[derive(Debug, Clone, clap::Args)]
pub(crate) struct AskingArgs {
    #[arg(long, value_name = "AMOUNT")]
    pub(crate) budget: Option<Money>,
    #[arg(long, value_name = "DURATION", value_parser = value_parsers::duration_or_none)]
    pub(crate) retry_for: Option<Duration>,
    #[arg(long, conflicts_with_all = ["model", "provider"])]
    pub(crate) offline: bool,
    #[arg(long, value_name = "MODEL")]
    pub(crate) model: Option<String>,
    #[arg(long, value_name = "PROVIDER")]
    pub(crate) provider: Option<String>,
    #[command(flatten)]
    pub(crate) remote: RemoteArgs,
}

impl AskingArgs {
    /// The settings from the flags. Planners use the strong model; a model named here takes precedence over a planner's
    /// setting.
    pub(crate) fn flags(&self) -> Flags {
        let planners = PLANNERS
            .into_iter()
            .fold(Flags::default(), |flags, planner| flags.with(Key::Agent(planner), "--model", self.model.clone()));
        planners
            .with(Key::Budget, "--budget", self.budget.map(|budget| budget.to_string()))
            .with(Key::Offline, "--offline", self.offline.then(|| "true".to_owned()))
            .with(Key::Provider, "--provider", self.provider.clone())
            .with(Key::RetryFor, "--retry-for", self.retry_for.map(|time| format!("{}ms", time.as_millis())))
            .with(Key::Model, "--model", self.model.clone())
            .with(Key::ReviseModel, "--model", self.model.clone())
    }
}

#[derive(Serialize)]
struct Shown {
    status: &'static str,
    commit: Commit,
    summary: String,
}

#[derive(Serialize)]
struct Reused {
    status: &'static str,
    step: &'static str,
}

impl App {
    pub(crate) fn plan<T>(
        &mut self,
        book: &Book,
        asking: &AskingArgs,
        what: &str,
        work: impl AsyncFnOnce(&Run<'_>) -> Result<T, RunError>,
    ) -> Result<T, Failure> {
        self.remote_args = asking.remote;
        let config = run_context::config_of(book)?;
        let asked = self.responder(&asking.flags(), &config)?;
        self.run_with(book, what, asked, work)
    }

    /// Runs work in the book, with a responder and its settings.
    pub(crate) fn run_with<T>(
        &mut self,
        book: &Book,
        what: &str,
        (responder, settings): (Responder, Settings),
        work: impl AsyncFnOnce(&Run<'_>) -> Result<T, RunError>,
    ) -> Result<T, Failure> {
        let session = self.begin(book, what)?;
        let author = self.identity(book)?;
        let clock = self.clock();
        let inputs = RunInputs {
            session: &session,
            responder: &responder,
            clock: &clock,
            author,
            by_scenes: None,
            budget: settings.budget(),
        };
        run_context::run(self, inputs, ProseDisplay::Hidden, work)
    }
}

/// Reports whether the step's result exists and stays.
pub(crate) fn reuses(app: &mut App, book: &Book, step: Step, existing: Existing) -> Result<bool, Failure> {
    // An interrupted command is finished first: the book's content depends on it.
    drop(app.begin(book, step.as_str())?);
    if existing == Existing::Replaced || !workflow::founded(book)?.has(step) {
        return Ok(false);
    }
    app.ui.event(&Reused { status: "reused", step: step.as_str() }, |lang, _| {
        say!(lang, there_already_nothing_done_force_makes(what = step.say(lang)))
    })?;
    Ok(true)
}

pub(crate) fn show_done(app: &mut App, done: &Done) -> Result<Exit, Failure> {
    let shown = Shown { status: "completed", commit: done.commit.into(), summary: done.subject.clone() };
    // Events may have come before: with --json every line is a document.
    app.ui.event(&shown, |lang, _| {
        let (commit, summary) = (&shown.commit, subject::worded(&shown.summary, lang));
        say!(lang, people_to_see_what_changed_git_show_to_take_it(summary, commit))
    })
}
