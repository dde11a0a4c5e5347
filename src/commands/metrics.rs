//! `novel metrics`: the book's own figures.
//! `novel report`: the book as one page for the browser.
//! `novel cost`: adds up the costs of calls.

use crate::commands::context;
use crate::commands::export::{file_name, may_replace, place, unwritable};
use crate::commands::prelude::*;
use crate::domain::Work;
use crate::domain::book::checkpoint::StageLog;
use crate::pipeline::book::{call_log, names};
use crate::pipeline::checks::metrics::{self, portrait};
use crate::report::cost::{By, Costs, Row, Sum, WorkAhead};
use crate::report::metrics::MetricsReport;
use crate::report::names::{Ids, Names};
use crate::report::page::{self, PageReport};
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

#[derive(Debug, Clone, clap::Args)]
pub(crate) struct ReportArgs {
    #[arg(short, long, value_name = "PATH")]
    pub(crate) output: Option<PathBuf>,
    #[arg(short, long)]
    pub(crate) yes: bool,
}

pub(crate) fn draw(app: &mut App, args: &ReportArgs) -> Result<Exit, Failure> {
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

pub(crate) fn show_costs(app: &mut App, args: &CostArgs) -> Result<Exit, Failure> {
    let book = app.book()?;
    let mut rows: BTreeMap<Unit, Sum> = BTreeMap::new();
    let mut ahead = WorkAhead::default();
    for entry in call_log::logs(&book)? {
        let of_ahead = if entry.is_lost_ahead { &mut ahead.lost } else { &mut ahead.kept };
        *of_ahead = entry.stages.iter().filter(|call| call.ahead).map(of).fold(*of_ahead, Sum::and);
        for stage in &entry.stages {
            let name = match args.by {
                By::Chapter => Unit::Work(entry.work),
                By::Stage => Unit::Named(stage.name.clone()),
                By::Model => Unit::Named(stage.model.clone()),
                By::Volume => entry.volume.map_or(Unit::Work(entry.work), Unit::Volume),
            };
            let sum = rows.entry(name).or_default();
            *sum = sum.and(of(stage));
        }
    }
    let rows = rows.into_iter().map(|(unit, sum)| Row { name: unit.name(), sum }).collect();
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
enum Unit {
    Work(Work),
    Volume(VolumeNo),
    Named(String),
}

impl Unit {
    fn name(self) -> String {
        match self {
            Self::Work(work) => work.to_string(),
            Self::Volume(volume) => volume.to_string(),
            Self::Named(name) => name,
        }
    }
}

fn of(stage: &StageLog) -> Sum {
    Sum {
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
