//! The flags of commands that call planners, and the run around a planning step or a trial.

use crate::commands::cli::value_parsers::Money;
use crate::commands::network::RemoteArgs;
use crate::commands::prelude::*;
use crate::commands::run_context::RunInputs;
use crate::commands::terminal::progress::Prose;
use crate::pipeline::engine::commits::Done;
use crate::pipeline::planning::step::Existing;
use crate::pipeline::{Responder, Run, RunError, workflow};
use crate::report::lines::Commit;
use crate::report::subject;

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
    /// Runs planning work in the book.
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
        run_context::run(self, inputs, Prose::Hidden, work)
    }

    /// Reports whether the step's result exists and stays.
    pub(crate) fn reuses(&mut self, book: &Book, step: Step, existing: Existing) -> Result<bool, Failure> {
        // An interrupted command is finished first: the book's content depends on it.
        drop(self.begin(book, step.as_str())?);
        if existing == Existing::Replaced || !workflow::founded(book)?.has(step) {
            return Ok(false);
        }
        self.ui.event(&Reused { status: "reused", step: step.as_str() }, |lang, _| {
            say!(lang, there_already_nothing_done_force_makes(what = step.say(lang)))
        })?;
        Ok(true)
    }

    pub(crate) fn show_done(&mut self, done: &Done) -> Result<Exit, Failure> {
        let shown = Shown { status: "completed", commit: done.commit.into(), summary: done.subject.clone() };
        // Events may have come before: with --json every line is a document.
        self.ui.event(&shown, |lang, _| {
            let (commit, summary) = (&shown.commit, subject::worded(&shown.summary, lang));
            say!(lang, people_to_see_what_changed_git_show_to_take_it(summary, commit))
        })
    }
}
