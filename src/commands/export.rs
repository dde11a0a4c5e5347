//! `novel export`: accepted text as files for readers and shops.
//! `novel export --blurb`: title candidates, blurb, tags and selling points, as a file.

use crate::commands::cli::value_parsers::ChapterRange;
use crate::commands::prelude::*;
use crate::commands::{context, init};
use crate::manuscript::write::{self, Cover, Edition, Format, Profile, ProfileError, ProfileMistake};
use crate::pipeline::book::estimate::{Price, Prices};
use crate::pipeline::book::files::edition;
use crate::pipeline::planning::blurb;
use crate::report::export::{BlurbReport, ExportReport};
use crate::store::layout;
use std::io::{self, Cursor};

#[derive(Debug, Clone, clap::Args)]
pub(crate) struct ExportArgs {
    #[arg(value_name = "CHAPTERS")]
    pub(crate) chapters: Option<ChapterRange>,
    #[arg(
        long,
        value_name = "FORMAT",
        value_parser = value_parsers::one_of::<Format>(Format::ALL.iter().map(|format| format.as_str()))
    )]
    pub(crate) to: Option<Format>,
    #[arg(short, long, value_name = "PATH")]
    pub(crate) output: Option<PathBuf>,
    #[arg(long)]
    pub(crate) split: bool,
    #[arg(long, value_name = "PROFILE", default_value = "web")]
    pub(crate) profile: String,
    #[arg(long, value_name = "FILE")]
    pub(crate) cover: Option<PathBuf>,
    #[arg(long, value_name = "FILE")]
    pub(crate) words: Option<PathBuf>,
    #[arg(long, conflicts_with_all = ["chapters", "to", "split", "cover", "words"])]
    pub(crate) blurb: bool,
    #[arg(short, long)]
    pub(crate) yes: bool,
    #[command(flatten)]
    pub(crate) asking: AskingArgs,
}

pub(crate) fn run(app: &mut App, args: &ExportArgs) -> Result<Exit, Failure> {
    let format = format(app, args)?;
    if args.split && !matches!(format, Format::Txt | Format::Md) {
        return Err(Failure::usage(both!(only_txt_and_md_go_into_a_file_each)));
    }
    if args.cover.is_some() && format != Format::Epub {
        return Err(Failure::usage(both!(only_epub_has_a_cover)));
    }
    let profile = profile(app, &args.profile)?;
    let list = args.words.as_deref().map(|path| init::read(app, path)).transpose()?;
    let book = app.book()?;
    let mut edition = accepted(app, &book, args)?;
    let name = file_name(&edition.title);
    let name = if args.split { name } else { format!("{name}.{}", format) };
    let place = match &args.output {
        Some(folder) if args.split => app.typed(folder),
        None if args.split => beside(&book, &name),
        output => place(app, &book, output.as_deref(), &name)?,
    };
    if args.split && place.is_file() {
        return Err(Failure::no(both!(export_needs_folder(shown = place.display()))));
    }
    refuse_own_place(&book, &place)?;
    let is_xml = matches!(format, Format::Epub | Format::Docx);
    let replaced = if is_xml { write::replace_unwritable(&mut edition) } else { Vec::new() };
    let contents = contents(&edition, &profile, format, args.split).map_err(|error| unwritable(&place, &error))?;
    let paths: Vec<PathBuf> = contents.iter().map(|(name, _)| place_of(&place, name)).collect();
    if paths.iter().any(|path| path.exists()) && !args.yes && !may_replace(app, &place)? {
        return Ok(Exit::No);
    }
    for ((_, bytes), path) in contents.iter().zip(&paths) {
        environment::write_whole(path, bytes).map_err(|error| unwritable(path, &error))?;
    }
    let left_behind = if args.split { left_behind(&place, &paths) } else { Vec::new() };
    let files = paths.iter().map(|path| path.display().to_string()).collect();
    let risky = list.map(|list| write::risky_places(&edition, &list)).unwrap_or_default();
    let mut report = ExportReport::of(&edition, format.as_str(), &place.display().to_string(), files).with_risky(risky);
    (report.replaced, report.left_behind) = (replaced, left_behind);
    app.ui.show(&report, |lang, _| report.text(lang))
}

/// The file that the author named, also by its folder; else one of that name beside the book's folder.
pub(super) fn place(app: &App, book: &Book, output: Option<&Path>, name: &str) -> Result<PathBuf, Failure> {
    let place = output.map_or_else(|| beside(book, name), |path| app.typed(path));
    let place = if place.is_dir() { place.join(name) } else { place };
    refuse_own_place(book, &place)?;
    Ok(place)
}

fn beside(book: &Book, name: &str) -> PathBuf {
    book.root().parent().unwrap_or(book.root()).join(name)
}

fn refuse_own_place(book: &Book, place: &Path) -> Result<(), Failure> {
    match place.starts_with(book.root()) && paths_of_book(book, place) {
        true => Err(Failure::no(both!(export_would_replace_a_file_of_the_book))),
        false => Ok(()),
    }
}

/// True where nothing is replaced, or the author agrees to that.
pub(super) fn may_replace(app: &mut App, place: &Path) -> Result<bool, Failure> {
    let question = both!(replace_what_is_there(shown = place.display()));
    Ok(!place.exists() || app.ui.confirm(&question, DefaultAnswer::No, "--yes")?)
}

/// Files in the folder that an earlier export of the same chapters has left: with the number and the ending of a file that was
/// written now, and another title.
fn left_behind(folder: &Path, written: &[PathBuf]) -> Vec<String> {
    let key = |path: &Path| {
        let (number, _) = path.file_name()?.to_str()?.split_once([' ', '.'])?;
        (number.len() >= 4 && number.bytes().all(|byte| byte.is_ascii_digit()))
            .then(|| (number.to_owned(), path.extension().map(ToOwned::to_owned)))
    };
    let own: BTreeSet<_> = written.iter().filter_map(|path| key(path)).collect();
    let found = environment::files_at(folder).map(|found| found.files).unwrap_or_default();
    let old =
        found.into_iter().filter(|path| !written.contains(path) && key(path).is_some_and(|key| own.contains(&key)));
    let mut old: Vec<String> = old.map(|path| path.display().to_string()).collect();
    old.sort();
    old
}

/// The format by its name, else by the ending of the file.
fn format(app: &App, args: &ExportArgs) -> Result<Format, Failure> {
    let file = args.output.as_ref().filter(|path| !args.split && !app.typed(path).is_dir());
    let ending = file.and_then(|path| Some(path.extension()?.to_string_lossy().to_lowercase()));
    let by_ending = ending.as_deref().and_then(|ending| ending.parse::<Format>().ok());
    match (args.to, by_ending, ending) {
        (Some(to), Some(other), _) if to != other => Err(Failure::usage(both!(ending_is_of_another_format(other)))),
        (None, None, Some(ending)) => Err(Failure::usage(both!(ending_is_of_no_format(ending)))),
        (to, by_ending, _) => Ok(to.or(by_ending).unwrap_or(Format::Txt)),
    }
}

/// The accepted chapters that were asked for. Says which changes of the author's are not among them.
fn accepted(app: &mut App, book: &Book, args: &ExportArgs) -> Result<Edition, Failure> {
    let mut edition = edition(book, args.chapters.map(|range| (range.first, range.last)))?;
    if edition.volumes.is_empty() {
        let hint = both!(novel_log_kind_chapter_lists_chapters);
        return Err(Failure::no(both!(no_accepted_chapter_to_export)).hint(hint));
    }
    // The clock may be stopped, so that the same book gives the same bytes at any time.
    if app.environment.var("SOURCE_DATE_EPOCH").is_some() {
        edition.modified = app.environment.now().timestamp().as_second();
    }
    edition.cover = args.cover.as_deref().map(|path| cover(app, path)).transpose()?;
    context::tell_left_out(app, book)?;
    Ok(edition)
}

/// True where the book has a file of its own.
fn paths_of_book(book: &Book, place: &Path) -> bool {
    let path = place.strip_prefix(book.root()).unwrap_or(place).to_string_lossy().replace('\\', "/");
    path.is_empty() || path.starts_with(".git") || layout::is_book_path(&path)
}

/// A file of the export: below the folder, or the place itself for a single one.
fn place_of(place: &Path, name: &Path) -> PathBuf {
    if name.as_os_str().is_empty() { place.to_owned() } else { place.join(name) }
}

/// The files, each with its path below the folder; empty for a single file.
fn contents(edition: &Edition, profile: &Profile, format: Format, split: bool) -> io::Result<Vec<(PathBuf, Vec<u8>)>> {
    if split {
        let file = |(volume, chapter): (&write::EditionVolume, &write::EditionChapter)| {
            let heading = format!("{:04} {}", chapter.number, chapter.title);
            let name = format!("{}.{}", file_name(&heading), format);
            let text = match format {
                Format::Md => write::chapter_markdown(chapter, profile, 1),
                _ => write::chapter_text(chapter, profile),
            };
            let path = match edition.volumes.len() {
                1 => PathBuf::from(name),
                _ => Path::new(&file_name(&profile.volume_name(volume))).join(name),
            };
            (path, text.into_bytes())
        };
        return Ok(edition.chapters().map(file).collect());
    }
    let mut bytes = Cursor::new(Vec::new());
    match format {
        Format::Txt => bytes = Cursor::new(write::text(edition, profile).into_bytes()),
        Format::Md => bytes = Cursor::new(write::markdown(edition, profile).into_bytes()),
        Format::Epub => write::epub(edition, profile, &mut bytes)?,
        Format::Docx => write::docx(edition, profile, &mut bytes)?,
    }
    Ok(vec![(PathBuf::new(), bytes.into_inner())])
}

fn profile(app: &App, name: &str) -> Result<Profile, Failure> {
    let (file, shown) = match Profile::file(name) {
        Some(file) => (file.to_owned(), name),
        None if name.ends_with(".toml") => (init::read(app, Path::new(name))?, name),
        None => {
            let failure = Failure::usage(both!(no_profile_has_that_name(name)));
            return Err(failure.hint(both!(lang, profiles_are_or_a_file(names = listed(Profile::names(), lang)))));
        }
    };
    Profile::read(&file).map_err(|errors| {
        let cause = |error: &ProfileError| {
            both!(lang, profile_mistake(line = error.line, what = mistake(&error.mistake, lang)))
        };
        let failure = Failure::no(both!(profile_cannot_be_used(shown)));
        errors.iter().map(cause).fold(failure, Failure::cause)
    })
}

fn mistake(mistake: &ProfileMistake, lang: Lang) -> String {
    match mistake {
        ProfileMistake::Syntax(why) => say!(lang, profile_syntax(why)),
        ProfileMistake::UnknownField(key) => {
            say!(lang, profile_unknown_field(key, fields = listed(write::FIELDS, lang)))
        }
        ProfileMistake::NoText(key) => say!(lang, profile_no_text(key)),
        ProfileMistake::NoNumber(key) => say!(lang, profile_no_number(key)),
        ProfileMistake::Numerals => say!(lang, profile_numerals).to_owned(),
        ProfileMistake::Placeholder(name) => say!(lang, profile_placeholder(name)),
    }
}

fn cover(app: &App, path: &Path) -> Result<Cover, Failure> {
    let bytes = environment::read_bytes(&app.typed(path)).map_err(|error| Failure::unreadable(path).because(&error))?;
    Cover::of(bytes).ok_or_else(|| Failure::no(both!(cover_must_be_jpeg_or_png(shown = path.display()))))
}

pub(super) fn unwritable(path: &Path, error: &io::Error) -> Failure {
    Failure::no(both!(export_cannot_be_written(shown = path.display()))).because(error)
}

/// A title as a name that every system takes for a file.
pub(super) fn file_name(title: &str) -> String {
    let is_bad = |c: char| c.is_control() || r#"/\:*?"<>|"#.contains(c);
    let name: String = title.chars().map(|c| if is_bad(c) { '_' } else { c }).take(60).collect();
    let name = name.trim().trim_matches('.').trim();
    if name.is_empty() { "book".to_owned() } else { name.to_owned() }
}

pub(crate) fn blurb(app: &mut App, args: &ExportArgs) -> Result<Exit, Failure> {
    let book = app.book()?;
    let config = run_context::config_of(&book)?;
    let view = BookView::new(book.snapshot()?);
    if view.contents()?.last().is_none() {
        return Err(Failure::no(both!(no_accepted_chapter_to_export)));
    }
    let name = format!("{}-blurb.md", file_name(&config.title));
    let place = place(app, &book, args.output.as_deref(), &name)?;
    if !args.yes && !may_replace(app, &place)? {
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
    let text = app.run_with(&book, "export", (responder, settings), async |run| blurb::write_blurb(run).await)?;
    let written = environment::write_whole(&place, text.as_bytes());
    let report = BlurbReport::of(place.display().to_string(), commit, text);
    // A text that was paid for is shown, also where it cannot be written.
    app.ui.event(&report, |lang, _| report.text(lang))?;
    written.map_err(|error| unwritable(&place, &error))?;
    Ok(Exit::Done)
}
