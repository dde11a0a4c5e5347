//! `novel import`: an existing novel becomes a book, a commit a chapter.

use crate::commands::cli::environment::PathFiles;
use crate::commands::cli::value_parsers::BadValue;
use crate::commands::init;
use crate::commands::prelude::*;
use crate::domain::book::config::BookConfig;
use crate::manuscript::peer::{self, PeerBook, Program};
use crate::manuscript::read::{self, Options, ReadError, SourceFile};
use crate::manuscript::{DoubtKind, Manuscript};
use crate::pipeline::Responder;
use crate::pipeline::book::estimate::{Price, Prices};
use crate::pipeline::book::import::{self, Depth};
use crate::pipeline::book::names;
use crate::pipeline::book::retell;
use crate::pipeline::planning::create_book::Idea;
use crate::report::import::{Carried, ImportReport, Retold};
use crate::report::rebuild::RebuildReport;
use crate::store::OpenError;
use crate::text::encoding;
use regex::Regex;

#[derive(Debug, Clone, clap::Args)]
pub(crate) struct ImportArgs {
    #[arg(value_name = "FILE", required = true, num_args = 1..)]
    pub(crate) files: Vec<PathBuf>,
    #[arg(long, value_name = "DIR")]
    pub(crate) into: Option<PathBuf>,
    #[arg(long)]
    pub(crate) dry_run: bool,
    #[arg(
        long,
        value_name = "PROGRAM",
        value_parser = value_parsers::one_of::<Program>(Program::ALL.iter().map(|program| program.as_str())),
        conflicts_with_all = ["split", "encoding", "clean"]
    )]
    pub(crate) from: Option<Program>,
    #[arg(long, value_name = "REGEX", value_parser = pattern)]
    pub(crate) split: Option<Regex>,
    #[arg(long, value_name = "ENCODING", value_parser = encoding_named)]
    pub(crate) encoding: Option<&'static encoding_rs::Encoding>,
    #[arg(long)]
    pub(crate) clean: bool,
    #[arg(long, value_name = "TITLE")]
    pub(crate) title: Option<String>,
    #[arg(
        long,
        value_name = "DEPTH",
        default_value = "text",
        value_parser = value_parsers::one_of::<Depth>(Depth::ALL.iter().map(|depth| depth.as_str()))
    )]
    pub(crate) depth: Depth,
    #[arg(long)]
    pub(crate) yes: bool,
    #[command(flatten)]
    pub(crate) asking: AskingArgs,
}

fn pattern(text: &str) -> Result<Regex, BadValue> {
    Regex::new(text).map_err(|error| {
        let error = error.to_string();
        BadValue(both!(import_bad_pattern(why = error.lines().last().unwrap_or_default().trim())))
    })
}

fn encoding_named(label: &str) -> Result<&'static encoding_rs::Encoding, BadValue> {
    encoding::named(label).ok_or_else(|| BadValue(both!(import_bad_encoding(label))))
}

pub(crate) fn run(app: &mut App, args: &ImportArgs) -> Result<Exit, Failure> {
    let (sources, is_folder) = match args.from {
        Some(_) => (Vec::new(), true),
        None => sources(app, &args.files)?,
    };
    let mut options = Options { split: args.split.clone(), encoding: args.encoding, clean: args.clean, is_folder };
    let mut peer = args.from.map(|program| of_program(app, program, &args.files)).transpose()?;
    let mut manuscript = match &mut peer {
        Some(peer) => std::mem::take(&mut peer.manuscript),
        None => read::read(&sources, &options).map_err(unreadable)?,
    };
    let into = destination(app, args)?;
    // A model that is not set up is told before anything is written.
    let reading = reading(app, args, into.as_deref())?;
    let mut report = report(app, args, &manuscript, into.as_deref())?;
    report.carried = peer.as_ref().map(Carried::of);
    let is_asked = !args.dry_run && !args.yes;
    if args.dry_run || (is_asked && !app.ui.can_ask()) {
        app.ui.show_paged(&report, |lang, columns| report.text(lang, columns))?;
        if let Some(reading) = &reading {
            app.ui.say(&reading.question(report.count("new")))?;
        }
        if args.dry_run {
            return Ok(Exit::Done);
        }
        app.ui.say(&both!(import_take_yes))?;
        return Ok(Exit::Decide);
    }
    if !app.ui.is_json() {
        let table = report.text(app.ui.lang(), app.ui.columns());
        app.ui.answer(&table)?;
    }
    let Some(into) = into else {
        return Err(Failure::new(Exit::Usage, both!(import_where)));
    };
    if is_asked {
        if !confirmed(app, &report)? {
            app.ui.say(&both!(import_cancelled))?;
            return Ok(Exit::Done);
        }
        let offered = |kind| matches!(kind, DoubtKind::SiteLines | DoubtKind::StraightMarks);
        let count: usize = manuscript.doubts.iter().filter(|doubt| offered(doubt.kind)).map(|doubt| doubt.count).sum();
        if count > 0 && app.ui.confirm(&both!(import_question_clean(count)), DefaultAnswer::No, "--clean")? {
            options.clean = true;
            manuscript = read::read(&sources, &options).map_err(unreadable)?;
            report = self::report(app, args, &manuscript, Some(&into))?;
        }
    }
    let bytes = sources.iter().map(|source| &source.bytes).chain(peer.iter().flat_map(|peer| &peer.bytes));
    let hashes = bytes.map(|bytes| import::hash(bytes)).collect::<Result<Vec<_>, _>>()?;
    // A novel of thousands of chapters is in memory once.
    drop(sources);
    let book = open_or_create(app, &into, &report.title)?;
    let session = app.begin(&book, "import")?;
    let author = app.identity(&book)?;
    let commit = run_context::run_without_model(app, &session, author, |run| {
        import::import_chapters(run, &manuscript, &hashes, peer.as_ref().zip(args.from))
    })?;
    report.status = if commit.is_some() { "imported" } else { "unchanged" };
    report.commit = commit.map(Into::into);
    let path = args.into.as_ref().map_or(".".to_owned(), |dir| dir.display().to_string());
    let at = quoted(&path);
    report.path = Some(path);
    let next = &["rebuild --dry-run", "style extract --mine", "start"][if args.depth == Depth::Full { 2 } else { 0 }..];
    report.next = next.iter().map(|rest| format!("novel -C {at} {rest}")).collect();
    drop((session, manuscript, peer));
    let Some(reading) = reading else {
        return app.ui.show(&report, |lang, _| report.done(lang));
    };
    // Events follow: with --json every line is a document.
    app.streams = true;
    app.ui.event(&report, |lang, _| report.done(lang))?;
    read_imported(app, args, &book, reading)
}

struct ImportReading {
    responder: Responder,
    settings: Settings,
    depth: Depth,
    /// Chapters of the book that are unread before the import.
    unread: u64,
}

/// The model that reads, for an import of that depth; `None` where none is to read.
fn reading(app: &mut App, args: &ImportArgs, into: Option<&Path>) -> Result<Option<ImportReading>, Failure> {
    if args.depth == Depth::Text {
        return Ok(None);
    }
    let book = into.and_then(|into| app.open(into).ok().filter(|book| is_at(book, into)));
    let config = book.as_ref().map(run_context::config_of).transpose()?.unwrap_or_default();
    let (responder, settings) = app.responder_or(&args.asking.flags(), &config, |failure| failure)?;
    if !responder.asks_models() {
        return Err(Failure::set_up(both!(import_depth_offline)));
    }
    let unread =
        book.as_ref().map(|book| import::unread(book, args.depth)).transpose()?.map_or(0, |(unread, _)| unread);
    Ok(Some(ImportReading { responder, settings, depth: args.depth, unread }))
}

impl ImportReading {
    fn question(&self, new: usize) -> Both {
        let chapters = self.unread + new as u64;
        let model = self.responder.model_for(Agent::Summarizer, BookConfig::default().role(Agent::Summarizer)).name();
        let prices = Prices::of_new(Some(&self.responder));
        let is_outline = self.depth == Depth::Outline;
        let price = if is_outline { prices.of_retelling(chapters) } else { prices.of_reading(chapters) };
        let what = if is_outline { both!(import_for_outline) } else { both!(import_for_all) };
        match price {
            Price::About(micro) => {
                let money = |lang| figures::money(micro, lang);
                both!(lang, import_depth_about(model, chapters, what = what.get(lang), money = money(lang)))
            }
            Price::Free => both!(lang, import_depth_free(model, chapters, what = what.get(lang))),
            Price::Unknown => both!(lang, import_depth_unknown(model, chapters, what = what.get(lang))),
        }
    }
}

/// Has the chapters read, once the author agrees to the price.
fn read_imported(app: &mut App, args: &ImportArgs, book: &Book, reading: ImportReading) -> Result<Exit, Failure> {
    let (unread, is_more) = import::unread(book, args.depth)?;
    if unread == 0 && !is_more {
        return Ok(Exit::Done);
    }
    let question = ImportReading { unread, ..reading };
    if !args.yes && !app.ui.confirm(&question.question(0), DefaultAnswer::No, "--yes")? {
        return Ok(Exit::Done);
    }
    app.remote_args = args.asking.remote;
    let asked = (question.responder, question.settings);
    if args.depth == Depth::Outline {
        let chapters = app.run_with(book, "import", asked, async |run| retell::retell_chapters(run).await)?;
        return app.ui.event(&Retold { retold: chapters }, |lang, _| say!(lang, import_outlined(chapters)));
    }
    let rebuilt = app.run_with(book, "import", asked, async |run| import::read_imported(run).await)?;
    let names = names::names_by_id(&BookView::new(book.snapshot()?));
    let report = RebuildReport::made(&rebuilt, Vec::new(), &names, app.ui.lang());
    app.ui.event(&report, |lang, columns| report.text(lang, columns))
}

fn confirmed(app: &mut App, report: &ImportReport) -> Result<bool, Failure> {
    let (new, title) = (report.count("new"), &report.title);
    app.ui.confirm(&both!(import_question(title, new)), DefaultAnswer::Yes, "--yes")
}

/// The folder of the book: that of `--into`, else the book that the command runs in.
fn destination(app: &App, args: &ImportArgs) -> Result<Option<PathBuf>, Failure> {
    let Some(dir) = &args.into else { return Ok(app.book().ok().map(|book| book.root().to_owned())) };
    // As the folders of `init` and `demo`: the book of `-C` is where this one is made.
    let (at, shown) = (app.folder()?.join(dir), dir.display());
    let refused = |message| Err(Failure::no(message).hint(both!(import_into_hint)));
    if at.is_file() {
        return refused(both!(import_into_file(shown)));
    }
    match app.open(&at) {
        Ok(book) if is_at(&book, &at) => Ok(Some(at)),
        Err(error) if is_free(&error, &at) => Ok(Some(at)),
        Ok(_) if !at.exists() || Book::is_vacant(&at) => Ok(Some(at)),
        Ok(_) | Err(OpenError::NoFolder(_) | OpenError::NoRepository(_) | OpenError::NotABook(_)) => {
            refused(both!(import_into_others(shown)))
        }
        Err(error) => Err(error.into()),
    }
}

/// True for the book in that folder, not in one above.
fn is_at(book: &Book, dir: &Path) -> bool {
    book.root().canonicalize().ok() == dir.canonicalize().ok()
}

fn report(app: &App, args: &ImportArgs, found: &Manuscript, into: Option<&Path>) -> Result<ImportReport, Failure> {
    let book = into.and_then(|into| app.open(into).ok().filter(|book| is_at(book, into)));
    let view = book.as_ref().map(|book| book.snapshot().map(BookView::new)).transpose()?;
    let own = view.as_ref().map(|view| view.config()).transpose()?.map(|config| config.title);
    let first = args.files.first().and_then(|path| path.file_name()).map(|name| name.to_string_lossy().into_owned());
    let title = args.title.clone().or(own.filter(|title| !title.is_empty()));
    let title = title.unwrap_or_else(|| import::title(found, &first.unwrap_or_default()));
    Ok(ImportReport::planned(found, title, &import::plan(view.as_ref(), found)?, app.ui.lang()))
}

/// The book in the folder, which is made in a new or empty one.
fn open_or_create(app: &mut App, dir: &Path, title: &str) -> Result<Book, Failure> {
    match app.open(dir) {
        Ok(book) if is_at(&book, dir) => return Ok(book),
        Err(error) if !is_free(&error, dir) => return Err(error.into()),
        _ => {}
    }
    let idea = Idea { title: title.to_owned(), ..Idea::default() };
    let founding = idea.files(None, &app.clock())?;
    init::found_as_author(app, dir, founding, &[], "import")?;
    Ok(app.open(dir)?)
}

/// True for a folder that a book can be made in, also where an interrupted import has begun to.
fn is_free(error: &OpenError, dir: &Path) -> bool {
    matches!(error, OpenError::Unfinished(at) if at == dir) || !dir.exists() || Book::is_vacant(dir)
}

fn unreadable(error: ReadError) -> Failure {
    match error {
        ReadError::NoText { name } => Failure::no(both!(import_no_text(name))),
        ReadError::Broken { name } => Failure::no(both!(import_broken(name))),
        ReadError::Encrypted { name } => Failure::no(both!(import_encrypted(name))),
        ReadError::OtherKind { name } => Failure::no(both!(import_kind_unknown(name))).hint(both!(import_kinds)),
        ReadError::Empty => Failure::no(both!(import_no_files)).hint(both!(import_kinds)),
    }
}

/// The book in the folder of another program: its texts and records, also those in folders that the system hides.
fn of_program(app: &App, program: Program, paths: &[PathBuf]) -> Result<PeerBook, Failure> {
    let [path] = paths else { return Err(Failure::usage(both!(import_one_folder))) };
    let shown = path.display();
    let cannot = |error: std::io::Error| Failure::unreadable(path).because(&error);
    let at = app.typed(path);
    let mut files = BTreeMap::new();
    for folder in ["", ".webnovel", ".story-system", ".trash", "chapters/.trash"] {
        let folder = at.join(folder);
        if !folder.is_dir() {
            continue;
        }
        for file in environment::files_at(&folder).map_err(cannot)?.files {
            let name = file.strip_prefix(&at).unwrap_or(&file).to_string_lossy().replace('\\', "/");
            // Files of other kinds, such as databases, are told by their names.
            let is_text = [".md", ".json", ".jsonl", ".txt", ".yaml"].iter().any(|ending| name.ends_with(ending));
            let bytes = if is_text { environment::read_bytes(&file).map_err(cannot)? } else { Vec::new() };
            files.insert(name, bytes);
        }
    }
    peer::read(program, &files).map_err(|error| match error {
        ReadError::Empty => Failure::no(both!(import_no_book_of(shown, program))),
        error => unreadable(error),
    })
}

/// The files, and those of folders in natural order, with their content; true where one is a folder.
fn sources(app: &App, paths: &[PathBuf]) -> Result<(Vec<SourceFile>, bool), Failure> {
    let (mut sources, mut has_folder) = (Vec::new(), false);
    for path in paths {
        let at = app.typed(path);
        let PathFiles { is_folder, files } =
            environment::files_at(&at).map_err(|error| Failure::unreadable(path).because(&error))?;
        has_folder |= is_folder;
        let named = |file: PathBuf| {
            let name = if is_folder { file.strip_prefix(&at).unwrap_or(&file) } else { path.as_path() };
            (name.to_string_lossy().into_owned(), file)
        };
        let mut files: Vec<(String, PathBuf)> = files.into_iter().map(named).collect();
        files.sort_by(|(one, _), (other, _)| read::natural(one, other));
        for (name, file) in files {
            // A file of another kind is told by its name.
            let bytes = match read::is_readable(&name) {
                true => environment::read_bytes(&file)
                    .map_err(|error| Failure::unreadable(Path::new(&name)).because(&error))?,
                false => Vec::new(),
            };
            sources.push(SourceFile { name, bytes });
        }
    }
    Ok((sources, has_folder))
}
