//! `novel export --blurb`: title candidates, blurb, tags and selling points, as a file.

use crate::commands::context;
use crate::commands::export::{self, ExportArgs};
use crate::commands::prelude::*;
use crate::pipeline::book::estimate::{Price, Prices};
use crate::report::export::BlurbReport;

pub(super) fn run(app: &mut App, args: &ExportArgs) -> Result<Exit, Failure> {
    let book = app.book()?;
    let config = run_context::config_of(&book)?;
    let view = BookView::new(book.snapshot()?);
    if view.contents()?.last().is_none() {
        return Err(Failure::no(both!(no_accepted_chapter_to_export)));
    }
    let name = format!("{}-blurb.md", export::file_name(&config.title));
    let place = export::place(app, &book, args.output.as_deref(), &name)?;
    if !args.yes && !export::may_replace(app, &place)? {
        return Ok(Exit::No);
    }
    let (responder, settings) = app.responder(&args.asking.flags(), &config)?;
    let price = Prices::of(&view, Some(&responder))?.of_blurb();
    let model = responder.model_for(Agent::PlotArchitect, config.role(Agent::PlotArchitect)).name();
    let question = match price {
        Price::Free => None,
        Price::About(micro) => Some(both!(lang, blurb_for_about_go(model, money = figures::money(micro, lang)))),
        Price::Unknown => Some(both!(blurb_at_unknown(model))),
    };
    if let Some(question) = question.filter(|_| !args.yes)
        && !app.ui.confirm(&question, DefaultAnswer::No, "--yes")?
    {
        return Ok(Exit::Decide);
    }
    context::tell_left_out(app, &book)?;
    let commit = view.commit_id().to_string();
    app.streams = true;
    app.remote_args = args.asking.remote;
    let text = app.run_with(&book, "export", (responder, settings), async |run| run.blurb().await)?;
    let written = environment::write_whole(&place, text.as_bytes());
    let report = BlurbReport::of(place.display().to_string(), commit, text);
    // A text that was paid for is shown, also where it cannot be written.
    app.ui.event(&report, |lang, _| report.text(lang))?;
    written.map_err(|error| export::unwritable(&place, &error))?;
    Ok(Exit::Done)
}
