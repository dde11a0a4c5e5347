//! `novel metrics`: the book's own figures.

use crate::commands::prelude::*;
use crate::pipeline::book::names;
use crate::pipeline::checks::metrics;
use crate::report::metrics::MetricsReport;
use crate::report::words::Extent;

#[derive(Debug, Clone, clap::Args)]
pub(crate) struct MetricsArgs {
    #[arg(long, value_name = "VOLUME", value_parser = value_parsers::line)]
    pub(crate) volume: Option<String>,
    #[arg(long)]
    pub(crate) all: bool,
}

pub(crate) fn run(app: &mut App, args: &MetricsArgs) -> Result<Exit, Failure> {
    let book = app.book()?;
    let volume = args.volume.as_deref().map(|typed| names::volume(&book, typed)).transpose()?;
    let (record, contexts) = metrics::record(&book, volume)?;
    if record.chapters.is_empty() {
        let nothing = match volume {
            Some(volume) => both!(no_chapter_of_is_written_yet(volume)),
            None => both!(no_chapter_is_written_yet),
        };
        return Err(Failure::no(nothing).hint(both!(novel_status_says_how_far_book_is)));
    }
    let title = crate::pipeline::config_now(&book).map(|config| config.title).unwrap_or_default();
    let report = MetricsReport::of(title, &record, contexts);
    app.ui.show_paged(&report, |lang, columns| report.text(lang, columns, Extent::from(args.all)))
}
