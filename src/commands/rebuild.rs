//! `novel rebuild`: updates summaries and state to the chapters that the author has edited.

use crate::commands::cli::value_parsers::ChapterSet;
use crate::commands::r#continue;
use crate::commands::prelude::*;
use crate::pipeline::book::estimate::Prices;
use crate::pipeline::book::names;
use crate::pipeline::chapter::write::ChapterOutcome;
use crate::pipeline::planning::style;
use crate::pipeline::rebuild;
use crate::pipeline::rebuild::outdated::{RebuildOrder, Treatment};
use crate::pipeline::rebuild::plan::{self, RebuildPlan, left_by_last};
use crate::report::cost::Estimate;
use crate::report::rebuild::{RebuildPrices, RebuildReport};

#[derive(Debug, Clone, clap::Args)]
pub(crate) struct RebuildArgs {
    #[arg(value_name = "CHAPTERS")]
    pub(crate) chapters: Option<ChapterSet>,
    #[arg(long, conflicts_with_all = ["cascade", "revise"])]
    pub(crate) wording: bool,
    #[arg(long)]
    pub(crate) cascade: bool,
    #[arg(long, conflicts_with = "cascade")]
    pub(crate) revise: bool,
    #[arg(long)]
    pub(crate) dry_run: bool,
    #[command(flatten)]
    pub(crate) asking: AskingArgs,
}

pub(crate) fn run(app: &mut App, args: &RebuildArgs) -> Result<Exit, Failure> {
    let book = app.book()?;
    let chapters = args.chapters.clone().map(|chapters| chapters.0).unwrap_or_default();
    let RebuildArgs { wording, cascade, revise, .. } = *args;
    let order = RebuildOrder { chapters, wording, cascade, revise };
    if args.dry_run {
        let mut plan = plan::plan(&book, &order)?;
        if plan.chapters.is_empty() && order.goes_on() {
            plan.may_rely = left_by_last(&book, &order)?;
        }
        return dry_run(app, &book, args, &plan);
    }
    app.streams = true;
    app.note_command(order.words());
    let rebuilt = if plan::asks(&book, &order)? {
        app.plan(&book, &args.asking, "rebuild", async |run| rebuild::operation::rebuild(run, &order).await)?
    } else {
        let session = app.begin(&book, "rebuild")?;
        let author = app.identity(&book)?;
        run_context::run_offline(app, &session, author, async |run| rebuild::operation::rebuild(run, &order).await)?
    };
    let names = names::names_by_id(&BookView::new(book.snapshot()?));
    let report = RebuildReport::made(&rebuilt, style::removals_by_author(&book)?, &names, app.ui.lang());
    app.ui.event(&report, |lang, columns| report.text(lang, columns))?;
    if rebuilt.mended.iter().any(|(_, outcome)| matches!(outcome, ChapterOutcome::Paused(_))) {
        r#continue::show_question(app, &book)?;
        return Ok(Exit::Decide);
    }
    Ok(Exit::Done)
}

fn dry_run(app: &mut App, book: &Book, args: &RebuildArgs, plan: &RebuildPlan) -> Result<Exit, Failure> {
    let config = run_context::config_of(book)?;
    let responder = app.responder(&args.asking.flags(), &config).ok().map(|(responder, _)| responder);
    let view = BookView::new(book.snapshot()?);
    let prices = Prices::of(&view, responder.as_ref())?;
    let asked = plan.chapters.iter().filter(|chapter| chapter.treatment == Treatment::Summarize).count() as u64;
    let relying = plan.may_rely.len() as u64;
    let certain = plan.may_rely.iter().filter(|reliance| reliance.is_certain()).count() as u64;
    let prices = RebuildPrices {
        rebuild: Estimate::of((asked > 0).then(|| prices.of_summaries(asked))),
        cascade: Estimate::of((relying > 0).then(|| prices.of_summaries(relying))),
        revise: Estimate::of((certain > 0).then(|| prices.of_chapters(certain))),
        named: args.chapters.iter().flat_map(|chapters| &chapters.0).copied().collect(),
    };
    let lang = app.ui.lang();
    let names = names::names_by_id(&view);
    let report = RebuildReport::planned(&plan.chapters, &plan.may_rely, prices, &names, lang);
    app.ui.show_paged(&report, |lang, columns| report.text(lang, columns))
}
