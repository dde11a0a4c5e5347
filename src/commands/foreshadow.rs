//! `novel foreshadow`: the inventory of foreshadowings.

use crate::commands::prelude::*;
use crate::pipeline::book::foreshadowing;
use crate::report::foreshadow::{ForeshadowReport, ThreadReport};
use crate::report::words::Extent;

#[derive(Debug, Clone, clap::Args)]
pub(crate) struct ForeshadowArgs {
    #[arg(value_name = "PLOT_THREAD", value_parser = value_parsers::line, conflicts_with_all = ["all", "timeline"])]
    pub(crate) id: Option<String>,
    #[arg(long)]
    pub(crate) all: bool,
    #[arg(long)]
    pub(crate) timeline: bool,
}

pub(crate) fn run(app: &mut App, args: &ForeshadowArgs) -> Result<Exit, Failure> {
    let book = app.book()?;
    let inventory = foreshadowing::inventory(&book)?;
    if let Some(id) = &args.id {
        let report = ThreadReport::of(&inventory, &foreshadowing::history(&book, &inventory, id)?);
        return app.ui.show_paged(&report, |lang, _| report.text(lang));
    }
    let report = ForeshadowReport::of(&inventory);
    let extent = Extent::from(args.all);
    app.ui.show_paged(&report, |lang, columns| match args.timeline {
        true => report.timeline(lang, columns, extent),
        false => report.text(lang, columns, extent),
    })
}
