//! `novel impact`: the effects of a change, and updating them.

use crate::commands::answers;
use crate::commands::cli::value_parsers::Revision;
use crate::commands::prelude::*;
use crate::pipeline::book::estimate::{Price, Prices};
use crate::pipeline::planning::approval;
use crate::pipeline::planning::follow;
use crate::pipeline::planning::impact::{self, BookComparison, Regenerated};
use crate::pipeline::planning::step::ModelUse;
use crate::report::cost::Estimate;
use crate::report::impact::ImpactReport;

#[derive(Debug, Clone, clap::Args)]
pub(crate) struct ImpactArgs {
    #[arg(long, value_name = "VERSION")]
    pub(crate) since: Option<Revision>,
    #[arg(long)]
    pub(crate) regenerate: bool,
    #[arg(long, conflicts_with_all = ["regenerate", "since"])]
    pub(crate) keep: bool,
    #[arg(long, requires = "regenerate")]
    pub(crate) yes: bool,
    #[command(flatten)]
    pub(crate) asking: AskingArgs,
}

/// Without `--regenerate` and `--keep` this only reads.
pub(crate) fn run(app: &mut App, args: &ImpactArgs) -> Result<Exit, Failure> {
    let book = app.book()?;
    let since = args.since.as_ref().map(|since| match since {
        Revision::Chapter(chapter) => chapter.to_string(),
        Revision::Commit(name) => name.clone(),
    });
    let since = since.as_deref();
    if args.keep {
        app.write(&book, "impact", follow::keep_plans)?;
    }
    let (comparison, commit) = match args.regenerate {
        false => (impact::compare(&book, since)?, None),
        true => {
            let (comparison, mut regenerated) = regenerate(app, &book, args, since)?;
            if regenerated == Regenerated::Waits && args.yes {
                let done = app.write(&book, "impact", |run| approval::approve_proposal(run, Step::Regenerate))?;
                regenerated = Regenerated::Done(done);
            }
            if regenerated == Regenerated::Waits {
                return answers::show_proposal(app, &book, Step::Regenerate);
            }
            let commit = if let Regenerated::Done(done) = regenerated { Some(done.commit.to_string()) } else { None };
            (comparison, commit)
        }
    };
    let estimate = Estimate::of(price(app, &book, args, &comparison)?);
    let report = ImpactReport::of(&comparison, estimate, commit, app.names(&book)?);
    if args.regenerate {
        // Events of the run may come before, so the report is one line.
        app.ui.event(&report, |lang, columns| report.text(lang, columns))?;
    } else {
        app.ui.show_paged(&report, |lang, columns| report.text(lang, columns))?;
    }
    Ok(if report.open > 0 { Exit::Decide } else { Exit::Done })
}

/// The likely cost of what a model would write again; `None` where nothing would be.
fn price(app: &mut App, book: &Book, args: &ImpactArgs, comparison: &BookComparison) -> Result<Option<Price>, Failure> {
    let [people, sections] = comparison.to_ask_for();
    if args.regenerate || people + sections == 0 {
        return Ok(None);
    }
    let config = run_context::config_of(book)?;
    let responder = app.responder(&args.asking.flags(), &config).ok().map(|(responder, _)| responder);
    Ok(Some(Prices::of(&BookView::new(book.snapshot()?), responder.as_ref())?.of_plans(people, sections)))
}

/// A model and its key are needed only if more than derived contracts changes.
fn regenerate(
    app: &mut App,
    book: &Book,
    args: &ImpactArgs,
    since: Option<&str>,
) -> Result<(BookComparison, Regenerated), Failure> {
    let session = app.begin(book, "impact")?;
    let author = app.identity(book)?;
    let found = run_context::run_offline(app, &session, author, async |run| {
        impact::regenerate(run, since, ModelUse::Refused).await
    })?;
    drop(session);
    match found {
        (_, Regenerated::Asks) => {
            app.plan(book, &args.asking, "impact", async |run| impact::regenerate(run, since, ModelUse::Allowed).await)
        }
        found => Ok(found),
    }
}
