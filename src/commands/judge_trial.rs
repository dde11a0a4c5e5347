//! `novel doctor --judge`: tries the judge on frozen texts, and reports whether its scores mean anything.

use crate::commands::cli::value_parsers::Money;
use crate::commands::prelude::*;
use crate::pipeline::book::estimate::Price;
use crate::pipeline::checks::diagnose::Consent;
use crate::pipeline::checks::judge_trial::{self, JudgeTrial};
use crate::pipeline::{Responder, Run};
use crate::report::doctor::Calibration;

/// The trial of a judge: the model that is tried, and the limit of its cost.
#[derive(Debug, Clone, clap::Args)]
pub(crate) struct TrialArgs {
    #[arg(long, conflicts_with_all = ["repair", "remove", "online", "explain"])]
    pub(crate) judge: bool,
    #[arg(long, value_name = "MODEL", requires = "judge")]
    pub(crate) model: Option<String>,
    #[arg(long, value_name = "AMOUNT", requires = "judge")]
    pub(crate) budget: Option<Money>,
}

impl TrialArgs {
    fn flags(&self) -> Flags {
        Flags::default().with(Key::Agent(Agent::Judge), "--model", self.model.clone()).with(
            Key::Budget,
            "--budget",
            self.budget.map(|budget| budget.to_string()),
        )
    }
}

/// Writes nothing into the book.
pub(crate) fn run(app: &mut App, args: &TrialArgs, consent: Consent) -> Result<Exit, Failure> {
    let book = app.book()?;
    let config = run_context::config_of(&book)?;
    let (responder, settings) = app.responder_or(&args.flags(), &config, |failure| failure)?;
    if matches!(responder, Responder::Offline) {
        let message = both!(offline_writers_judge_reads_nothing_so);
        return Err(Failure::set_up(message).hint(both!(set_up_model_first_novel_config)));
    }
    let trial = JudgeTrial::of(&book)?;
    let price = trial.price(&responder)?;
    if consent == Consent::NotGiven && price != Price::Free && !may_spend(app, &trial, &responder, price)? {
        return Ok(Exit::Decide);
    }
    app.streams = true;
    let work = async |run: &Run<'_>| judge_trial::try_judge(run, &trial).await;
    let result = app.run_with(&book, "doctor", (responder, settings), work)?;
    let calibration = Calibration::of(&result);
    app.ui.event(&calibration, |lang, columns| calibration.text(lang, columns))?;
    Ok(if calibration.trusted { Exit::Done } else { Exit::No })
}

fn may_spend(app: &mut App, trial: &JudgeTrial, responder: &Responder, price: Price) -> Result<bool, Failure> {
    let (n, model) = (trial.readings(), trial.model(responder));
    let question = match price {
        Price::About(micro) => both!(lang, is_to_read_texts_about_go(model, n, money = figures::money(micro, lang))),
        _ => both!(is_to_read_texts_at_unknown(model, n)),
    };
    app.ui.confirm(&question, DefaultAnswer::No, "--judge --yes")
}
