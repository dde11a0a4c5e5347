//! `novel search`: places in the book by words or by meaning.

use crate::commands::cli::value_parsers::ChapterRange;
use crate::commands::prelude::*;
use crate::commands::settings::file::{self, UserFile};
use crate::pipeline::book::search::{self, Recalled, Search, SearchPart};
use crate::pipeline::recall::{self, MemoryServer};
use crate::report::context::SearchReport;
use crate::report::event::EventLine;
use crate::text::Query;

#[derive(Debug, Clone, clap::Args)]
pub(crate) struct SearchArgs {
    #[arg(value_name = "QUERY", required = true)]
    pub(crate) query: Vec<String>,
    #[arg(short = 'n', long, value_name = "COUNT", value_parser = value_parsers::count, default_value = "10")]
    pub(crate) limit: u32,
    #[arg(long, value_name = "CHAPTERS")]
    pub(crate) chapters: Option<ChapterRange>,
    #[arg(long = "in", value_name = "PART", value_parser = value_parsers::one_of::<SearchPart>(SearchPart::ALL.iter().map(|part| part.as_str())))]
    pub(crate) parts: Vec<SearchPart>,
}

/// Searches accepted chapters. Changes nothing in the book, but updates a memory server first.
pub(crate) fn run(app: &mut App, args: &SearchArgs) -> Result<Exit, Failure> {
    let typed = args.query.join(" ");
    let no_letters = || Failure::new(Exit::Usage, both!(has_no_letters(typed)));
    let query = Query::parse(&typed).ok_or_else(no_letters)?;
    let book = app.book()?;
    let search = Search {
        query,
        parts: args.parts.iter().copied().collect(),
        chapters: args.chapters.map(|range| (range.first, range.last)),
        limit: args.limit as usize,
    };
    let server = memory_server(app)?;
    let recalled = match &server {
        Some(server) => recalled(app, &book, server, (&search, &typed))?,
        None => Vec::new(),
    };
    let found = search::search(&book, &search, &recalled)?;
    let report = SearchReport {
        query: typed.clone(),
        memory_server: server.as_ref().map(|server| server.address().to_owned()),
        found,
    };
    if report.found.hits.is_empty() && !app.ui.is_json() {
        match search.parts.is_empty() && search.chapters.is_none() {
            true => app.ui.say(&both!(nothing_like_in_accepted_chapters_summaries(typed)))?,
            false => app.ui.say(&both!(nothing_like_there(typed)))?,
        }
        return Ok(Exit::No);
    }
    app.ui.show_paged(&report, |lang, _| report.text(lang))?;
    Ok(if report.found.hits.is_empty() { Exit::No } else { Exit::Done })
}

/// The memory server, if set up. An offline book uses it too: it searches, and writes nothing.
fn memory_server(app: &mut App) -> Result<Option<MemoryServer>, Failure> {
    let file = match file::load(&app.environment) {
        Ok(file) => file,
        Err(failure) => {
            app.ui.warn(failure.words())?;
            UserFile::default()
        }
    };
    let settings = Settings::resolve(&Flags::default(), &app.environment, &file, None);
    settings.memory_server(settings.timeouts())
}

/// The chapters that the memory server finds.
fn recalled(
    app: &mut App,
    book: &Book,
    server: &MemoryServer,
    search: (&Search, &str),
) -> Result<Vec<Recalled>, Failure> {
    let mut unread = Ok(());
    let mut told = |change| {
        // With --json the answer is the only document.
        if let (true, Some(text)) = (unread.is_ok(), EventLine::of_memories(change).text(app.ui.lang())) {
            unread = app.ui.say(&Both::same(text));
        }
    };
    let recalled = run_context::block_on(recall::recalled(book, server, search, &mut told))??;
    unread.map(|()| recalled)
}
