//! `novel report`: the book as one page for the browser.
//!
//! `novel metrics`: the book's own figures.
//!
//! `novel foreshadow`: the inventory of foreshadowings.

use crate::commands::context;
use crate::commands::export::{file_name, may_replace, place, unwritable};
use crate::commands::prelude::*;
use crate::pipeline::book::{foreshadowing, names};
use crate::pipeline::checks::metrics;
use crate::pipeline::checks::portrait::portrait;
use crate::report::foreshadow::{ForeshadowReport, ThreadReport};
use crate::report::metrics::MetricsReport;
use crate::report::names::{Ids, Names};
use crate::report::page::{self, PageReport};
use crate::report::words::Extent;

#[derive(Debug, Clone, clap::Args)]
pub(crate) struct ReportArgs {
    #[arg(short, long, value_name = "PATH")]
    pub(crate) output: Option<PathBuf>,
    #[arg(short, long)]
    pub(crate) yes: bool,
}

pub(crate) fn run(app: &mut App, args: &ReportArgs) -> Result<Exit, Failure> {
    let book = app.book()?;
    context::tell_left_out(app, &book)?;
    let portrait = portrait(&book)?;
    if portrait.chapters.is_empty() && portrait.ahead.is_empty() {
        return Err(Failure::no(both!(no_chapter_is_written_yet)).hint(both!(novel_status_says_how_far_book_is)));
    }
    let (html, texts) = page::page(&portrait, &app.names(&book)?, app.ui.lang());
    let file = place(app, &book, args.output.as_deref(), &format!("{}.html", file_name(&portrait.title)))?;
    // An earlier page is replaced without a question: the book has everything that is on it.
    let is_page = environment::read_bytes(&file).is_ok_and(|bytes| bytes.starts_with(page::MARK.as_bytes()));
    if !is_page && !args.yes && !may_replace(app, &file)? {
        return Ok(Exit::No);
    }
    environment::write_whole(&file, html.as_bytes()).map_err(|error| unwritable(&file, &error))?;
    let report = PageReport {
        file: file.display().to_string(),
        commit: portrait.commit.to_string(),
        chapters: portrait.chapters.len(),
        texts,
        bytes: html.len(),
    };
    app.ui.show(&report, |lang, _| report.text(lang))
}

/// The page of the book in a folder. Fails with words for the author.
pub(crate) fn drawn(root: &Path, lang: Lang) -> Result<String, Both> {
    let page = || -> Result<String, Failure> {
        let book = Book::open(root, wording)?;
        let names = Names::new(BookView::new(book.snapshot()?).names_by_id(), Ids::Hidden);
        Ok(page::page(&portrait(&book)?, &names, lang).0)
    };
    page().map_err(|failure| failure.words().clone())
}

#[derive(Debug, Clone, clap::Args)]
pub(crate) struct MetricsArgs {
    #[arg(long, value_name = "VOLUME", value_parser = value_parsers::line)]
    pub(crate) volume: Option<String>,
    #[arg(long)]
    pub(crate) all: bool,
}

pub(crate) fn metrics(app: &mut App, args: &MetricsArgs) -> Result<Exit, Failure> {
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
    let report = MetricsReport::of(title, &record, &contexts);
    app.ui.show_paged(&report, |lang, columns| report.text(lang, columns, Extent::from(args.all)))
}

#[derive(Debug, Clone, clap::Args)]
pub(crate) struct ForeshadowArgs {
    #[arg(value_name = "PLOT_THREAD", value_parser = value_parsers::line, conflicts_with_all = ["all", "timeline"])]
    pub(crate) id: Option<String>,
    #[arg(long)]
    pub(crate) all: bool,
    #[arg(long)]
    pub(crate) timeline: bool,
}

pub(crate) fn foreshadow(app: &mut App, args: &ForeshadowArgs) -> Result<Exit, Failure> {
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
