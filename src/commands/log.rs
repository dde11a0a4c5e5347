//! `novel log`: lists the transactions.

use crate::commands::cli::value_parsers::ChapterRange;
use crate::commands::prelude::*;
use crate::pipeline::engine::call_record::cost_of;
use crate::report::lines::{History, LogEntry};
use crate::store::{self, Kind, Log, Moment, Transaction};
use clap::builder::PossibleValuesParser;

/// The names of the kinds of transactions.
fn kinds() -> impl Iterator<Item = &'static str> {
    // Stages are only on drafts, and archives on no branch.
    Kind::ALL.iter().filter(|kind| !matches!(kind, Kind::Stage | Kind::Archive)).map(|kind| kind.as_str())
}

#[derive(Debug, Clone, clap::Args)]
pub(crate) struct LogArgs {
    #[arg(value_name = "CHAPTERS")]
    pub(crate) chapters: Option<ChapterRange>,
    #[arg(short = 'n', long = "number", value_name = "COUNT", value_parser = value_parsers::count)]
    pub(crate) number: Option<u32>,
    #[arg(long, value_name = "KIND", value_parser = PossibleValuesParser::new(kinds()))]
    pub(crate) kind: Vec<String>,
}

const USUAL: usize = 30;

pub(crate) fn run(app: &mut App, args: &LogArgs) -> Result<Exit, Failure> {
    let book = app.book()?;
    let kinds = args.kind.iter().filter_map(|kind| kind.parse::<Kind>().ok()).collect();
    let number = args.number.map_or(if args.chapters.is_some() { usize::MAX } else { USUAL }, |n| n as usize);
    let chapters = args.chapters.map(|range| range.first..=range.last);
    let transactions = store::history::log_with_merged(&book, &Log { limit: number, kinds, chapters })?;
    let entries = transactions.into_iter().map(entry).collect();
    let report = History { entries };
    app.ui.show_paged(&report, |lang, columns| report.text(lang, columns))
}

fn entry(transaction: Transaction) -> LogEntry {
    let trailers = &transaction.trailers;
    LogEntry {
        commit: transaction.id.into(),
        time: clock_time(transaction.time),
        kind: transaction.kind.to_string(),
        subject: transaction.subject.clone(),
        chapter: transaction.chapter,
        score: trailers.read("Novel-Score"),
        gate: trailers.get("Novel-Gate").map(str::to_owned),
        words: trailers.read("Novel-Words"),
        cost_micro_usd: cost_of(&transaction).flatten(),
    }
}

/// `2026-03-01T21:04:00+08:00`, in the author's zone.
pub(super) fn clock_time(moment: Moment) -> String {
    crate::pipeline::engine::clock::rfc3339(moment.seconds, moment.offset_minutes)
}
