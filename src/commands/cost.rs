//! `novel cost`: adds up the costs of calls.

use crate::commands::prelude::*;
use crate::domain::Work;
use crate::domain::book::checkpoint::StageLog;
use crate::pipeline::book::call_log;
use crate::report::cost::{By, CostRow, CostSum, Costs, WorkAhead};
use crate::report::words::Extent;

#[derive(Debug, Clone, clap::Args)]
pub(crate) struct CostArgs {
    #[arg(
        long,
        value_name = "UNIT",
        default_value = "chapter",
        value_parser = value_parsers::one_of::<By>(By::ALL.iter().map(|by| by.as_str()))
    )]
    pub(crate) by: By,
    #[arg(long)]
    pub(crate) all: bool,
}

pub(crate) fn run(app: &mut App, args: &CostArgs) -> Result<Exit, Failure> {
    let book = app.book()?;
    let mut rows: BTreeMap<CostSubject, CostSum> = BTreeMap::new();
    let mut ahead = WorkAhead::default();
    for entry in call_log::logs(&book)? {
        let of_ahead = if entry.is_lost_ahead { &mut ahead.lost } else { &mut ahead.kept };
        *of_ahead = entry.stages.iter().filter(|call| call.ahead).map(of).fold(*of_ahead, CostSum::and);
        for stage in &entry.stages {
            let name = match args.by {
                By::Chapter => CostSubject::Work(entry.work),
                By::Stage => CostSubject::Named(stage.name.clone()),
                By::Model => CostSubject::Named(stage.model.clone()),
                By::Volume => entry.volume.map_or(CostSubject::Work(entry.work), CostSubject::Volume),
            };
            let sum = rows.entry(name).or_default();
            *sum = sum.and(of(stage));
        }
    }
    let rows = rows.into_iter().map(|(unit, sum)| CostRow { name: unit.name(), sum }).collect();
    let costs = Costs { by: args.by, rows, ahead };
    if app.ui.is_json() {
        let document = costs.json()?;
        app.ui.answer_json(&document)?;
    } else {
        app.ui.show_paged(&costs, |lang, columns| costs.text(lang, columns, Extent::from(args.all)))?;
    }
    Ok(Exit::Done)
}

/// The subject of a row, in row order.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
enum CostSubject {
    Work(Work),
    Volume(VolumeNo),
    Named(String),
}

impl CostSubject {
    fn name(self) -> String {
        match self {
            Self::Work(work) => work.to_string(),
            Self::Volume(volume) => volume.to_string(),
            Self::Named(name) => name,
        }
    }
}

fn of(stage: &StageLog) -> CostSum {
    CostSum {
        calls: 1,
        input_tokens: stage.input_tokens.unwrap_or(0),
        cached_tokens: stage.cached_tokens.unwrap_or(0),
        cache_write_tokens: stage.cache_write_tokens.unwrap_or(0),
        output_tokens: stage.output_tokens.unwrap_or(0),
        cost_micro_usd: stage.cost_micro_usd.unwrap_or(0),
        unknown_cost_calls: u64::from(stage.cost_micro_usd.is_none()),
        estimated_calls: u64::from(stage.estimated),
    }
}
