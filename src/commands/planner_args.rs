//! The flags of the commands that ask planners, and the run around one step of theirs or of a trial.

use super::App;
use super::cli::failure::Failure;
use super::cli::value_parsers::{self, Money};
use super::network::RemoteArgs;
use super::run_context::{self, RunInputs};
use super::settings::keys::Key;
use super::settings::{Flags, Settings};
use super::terminal::progress::Prose;
use crate::domain::book::config::Agent;
use crate::domain::book::work::Step;
use crate::pipeline::engine::done::Done;
use crate::pipeline::planning::step::Existing;
use crate::pipeline::{Responder, Run, RunError, workflow};
use crate::report::catalogue::say;
use crate::report::commit::Commit;
use crate::report::subject;
use crate::report::words::Words;
use crate::store::Book;
use serde::Serialize;
use std::time::Duration;

/// The agents that these commands ask.
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
    /// The settings that its flags give. Planners use the strong model; a model that is named here takes precedence
    /// over one that the settings name for a planner.
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

/// A step that is in the book.
#[derive(Serialize)]
struct Shown {
    /// `completed`.
    status: &'static str,
    /// The commit.
    commit: Commit,
    /// The subject of the commit.
    summary: String,
}

/// A step whose result is there already.
#[derive(Serialize)]
struct Reused {
    /// `reused`.
    status: &'static str,
    /// The step.
    step: &'static str,
}

impl App {
    /// Runs some work of planners in the book.
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

    /// Runs some work in the book, with those who answer and their settings.
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

    /// Whether what the step would make is there and is to stay; says so.
    pub(crate) fn reuses(&mut self, book: &Book, step: Step, existing: Existing) -> Result<bool, Failure> {
        // Finish an interrupted command first: the book's content depends on it.
        drop(self.begin(book, step.as_str())?);
        if existing == Existing::Replaced || !workflow::founded(book)?.has(step) {
            return Ok(false);
        }
        self.ui.event(&Reused { status: "reused", step: step.as_str() }, |lang, _| {
            let what = step.say(lang);
            say!(lang, there_already_nothing_done_force_makes(what))
        })?;
        Ok(true)
    }

    /// Says what a step has done.
    pub(crate) fn show_done(&mut self, done: &Done) -> Result<(), Failure> {
        let shown = Shown { status: "completed", commit: done.commit.into(), summary: done.subject.clone() };
        // Events may have gone before: with --json every line is a document.
        self.ui.event(&shown, |lang, _| {
            let (commit, summary) = (&shown.commit, subject::worded(&shown.summary, lang));
            say!(lang, people_to_see_what_changed_git_show_to_take_it(summary, commit))
        })
    }
}
