//! `novel report`: the book as one page for the browser.

use crate::commands::context;
use crate::commands::export::{file_name, may_replace, place, unwritable};
use crate::commands::prelude::*;
use crate::pipeline::book::names;
use crate::pipeline::checks::metrics::portrait;
use crate::report::page::{self, PageReport};
use crate::report::words::{Ids, Names};

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
        let names = Names::new(names::names_by_id(&BookView::new(book.snapshot()?)), Ids::Hidden);
        Ok(page::page(&portrait(&book)?, &names, lang).0)
    };
    page().map_err(|failure| failure.words().clone())
}
