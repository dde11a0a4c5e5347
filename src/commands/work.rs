//! `novel work`: writes in books and keeps nothing: take a free one, write what its settings allow, sync, take the
//! next. Any number of workers may run, and each may be killed at any point.

use crate::commands::r#continue::WritingArgs;
use crate::commands::prelude::*;
use crate::commands::sync;
use crate::commands::terminal::progress::ProseDisplay;
use crate::pipeline::sync::work::{self, LeaveReason, Worked};
use crate::store::clone;

#[derive(Debug, Clone, clap::Args)]
pub(crate) struct WorkArgs {
    #[arg(value_name = "BOOKS", required = true)]
    pub(crate) remotes: Vec<String>,
    #[arg(long, value_name = "DIR", default_value = "novel-work")]
    pub(crate) dir: PathBuf,
    #[arg(long, value_name = "COUNT", value_parser = value_parsers::count)]
    pub(crate) chapters: Option<u32>,
    #[arg(long)]
    pub(crate) once: bool,
    #[command(flatten)]
    pub(crate) writing: WritingArgs,
}

#[derive(Serialize)]
struct BookResult {
    event: &'static str,
    /// The book's address, without keys.
    book: String,
    written: u32,
    /// `limit`, `question`, `nothing_planned`, `taken`, `undecided`, `crowded` or `failed`.
    left: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<String>,
}

#[derive(Serialize)]
struct WorkTotal {
    event: &'static str,
    books: usize,
    written: u32,
    failed: usize,
}

/// Visits the books until a whole round has brought nothing more.
pub(crate) fn run(app: &mut App, args: &WorkArgs) -> Result<Exit, Failure> {
    if args.writing.remote.no_sync {
        return Err(Failure::usage(both!(work_needs_remotes_no_sync_does)));
    }
    app.streams = true;
    app.remote_args = args.writing.remote;
    let folder = app.folder()?;
    let mut books = clone::addresses(&folder, &args.remotes)?;
    // Workers that start together begin with different books.
    let first = std::process::id() as usize % books.len().max(1);
    books.rotate_left(first);
    let dir = folder.join(&args.dir);
    // The state in which each book was left; an equal one is not reported again.
    let mut told = BTreeMap::new();
    let mut sum = WorkTotal { event: "worked", books: books.len(), written: 0, failed: 0 };
    loop {
        let before = sum.written;
        let mut exit = Exit::Done;
        sum.failed = 0;
        for address in &books {
            let shown = clone::shown(address);
            let line = match in_book(app, args, (&folder, address), &dir) {
                Ok(Worked { written, left }) => {
                    BookResult { event: "book", book: shown, written, left: name(&left), error: None }
                }
                Err(failure) if ends_all(&failure) => return Err(failure),
                Err(failure) if failure.exit() == Exit::Busy => {
                    BookResult { event: "book", book: shown, written: 0, left: "taken", error: None }
                }
                Err(failure) => {
                    (sum.failed, exit) = (sum.failed + 1, failure.exit());
                    let error = failure.message(app.ui.lang()).to_owned();
                    BookResult { event: "book", book: shown, written: 0, left: "failed", error: Some(error) }
                }
            };
            sum.written += line.written;
            let news = told.insert(address.clone(), line.left) != Some(line.left) || line.written > 0;
            app.ui.event(&line, |lang, _| if news { line.text(lang) } else { String::new() })?;
            if args.once && line.written > 0 {
                return end(app, &sum, exit);
            }
        }
        if sum.written == before {
            return end(app, &sum, exit);
        }
    }
}

fn end(app: &mut App, sum: &WorkTotal, exit: Exit) -> Result<Exit, Failure> {
    app.ui.event(sum, |lang, _| {
        let (n, books) = (sum.written, sum.books);
        say!(lang, written_in_nothing_is_left_to(books, n))
    })?;
    Ok(exit)
}

/// Failures that the next book would only repeat.
fn ends_all(failure: &Failure) -> bool {
    matches!(failure.exit(), Exit::Budget | Exit::Interrupted | Exit::Bug | Exit::Usage)
}

/// Writes in one book, in the existing copy or a new one.
fn in_book(app: &mut App, args: &WorkArgs, (folder, address): (&Path, &str), dir: &Path) -> Result<Worked, Failure> {
    let place = dir.join(clone::copy_name(folder, address)?);
    let book = match app.open(&place).ok().filter(|book| book.root() == place) {
        Some(book) => book,
        None => sync::cloned(app, address, &place)?,
    };
    app.pending_command = None;
    let config = run_context::config_of(&book)?;
    let (responder, settings) = app.responder(&args.writing.flags(), &config)?;
    let session = app.begin(&book, "work")?;
    let author = app.identity(&book)?;
    let clock = app.clock();
    let inputs = args.writing.inputs(&session, &responder, &clock, author, &settings);
    let most = args.chapters;
    let worked =
        run_context::run(app, inputs, ProseDisplay::Hidden, async |run| work::write_and_sync(run, most).await)?;
    Ok(worked)
}

fn name(left: &LeaveReason) -> &'static str {
    match left {
        LeaveReason::Limit => "limit",
        LeaveReason::Question => "question",
        LeaveReason::NothingPlanned => "nothing_planned",
        LeaveReason::Taken(_) => "taken",
        LeaveReason::Diverged => "undecided",
        LeaveReason::Crowded => "crowded",
    }
}

impl BookResult {
    fn text(&self, lang: Lang) -> String {
        let Self { book, written, .. } = self;
        let why = match self.left {
            "limit" => say!(lang, as_many_as_asked_for),
            "question" => say!(lang, chapter_waits_for_its_author),
            "nothing_planned" => say!(lang, nothing_more_is_planned),
            "taken" => say!(lang, another_device_is_writing),
            "undecided" => say!(lang, two_lines_wait_for_authors_choice),
            "crowded" => say!(lang, others_keep_pushing),
            _ => self.error.as_deref().unwrap_or_default(),
        };
        say!(lang, written(book, why, written))
    }
}
