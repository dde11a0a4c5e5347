//! `novel search`: places in the book by words or by meaning.

use super::App;
use super::cli::exit::Exit;
use super::cli::failure::Failure;
use super::cli::value_parsers::{self, ChapterRange};
use crate::pipeline::book::search::{self, Search, SearchPart};
use crate::report::lang::both;
use crate::report::search::SearchReport;
use crate::text::Query;

/// Find chapters, summaries, world pages, people and research notes by words or a sentence
#[derive(Debug, Clone, clap::Args)]
pub(crate) struct SearchArgs {
    /// Words, or a sentence
    #[arg(value_name = "QUERY", required = true)]
    pub(crate) query: Vec<String>,
    /// At most so many
    #[arg(short = 'n', long, value_name = "N", value_parser = value_parsers::count, default_value = "10")]
    pub(crate) limit: u32,
    /// Only these chapters, with their summaries: 40-48 or ch-48
    #[arg(long, value_name = "CHAPTERS")]
    pub(crate) chapters: Option<ChapterRange>,
    /// Only in this part of the book (can be repeated)
    #[arg(long = "in", value_name = "PART", value_parser = value_parsers::one_of::<SearchPart>(SearchPart::ALL.iter().map(|part| part.as_str())))]
    pub(crate) parts: Vec<SearchPart>,
}

/// Searches what is accepted. Reads only.
pub(crate) fn run(app: &mut App, args: &SearchArgs) -> Result<Exit, Failure> {
    let typed = args.query.join(" ");
    let no_letters = || Failure::new(Exit::Usage, both!("`{typed}` 里没有字", "`{typed}` has no letters"));
    let query = Query::parse(&typed).ok_or_else(no_letters)?;
    let book = app.book()?;
    let found = search::search(
        &book,
        &Search {
            query,
            parts: args.parts.iter().copied().collect(),
            chapters: args.chapters.map(|range| (range.first, range.last)),
            limit: args.limit as usize,
        },
    )?;
    let report = SearchReport::of(&typed, found);
    if report.hits.is_empty() && !app.ui.is_json() {
        app.ui.say(&both!(
            "没有找到「{typed}」：查的是已定稿的章、摘要、世界、人物和资料",
            "nothing like `{typed}` in accepted chapters, summaries, world, people and research"
        ))?;
        return Ok(Exit::No);
    }
    app.ui.show_paged(&report, |lang, _| report.text(lang))?;
    Ok(if report.hits.is_empty() { Exit::No } else { Exit::Done })
}
