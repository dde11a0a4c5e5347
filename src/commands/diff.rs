//! `novel diff`: compares two texts.
//! `novel compare`: two branches, or two texts of a chapter, side by side.

use crate::commands::cli::value_parsers::{Revision, StageSpan};
use crate::commands::prelude::*;
use crate::commands::show;
use crate::pipeline::RunError;
use crate::pipeline::book::compare;
use crate::report::diff::{ComparisonReport, Detail, DiffReport, FilesReport, Marks, UNCOMMITTED};
use crate::store::format::lossy_text;
use crate::store::{self, Change, Snapshot};
use crate::text::{Count, diff};

#[derive(Debug, Clone, clap::Args)]
#[command(group(clap::ArgGroup::new("detail").args(["words", "sentences", "files"])))]
pub(crate) struct DiffArgs {
    #[arg(value_name = "VERSION")]
    pub(crate) a: Revision,
    #[arg(value_name = "VERSION", conflicts_with = "stage")]
    pub(crate) b: Option<Revision>,
    #[arg(long, value_name = "STAGE..STAGE")]
    pub(crate) stage: Option<StageSpan>,
    #[arg(long)]
    pub(crate) words: bool,
    #[arg(long)]
    pub(crate) sentences: bool,
    #[arg(long)]
    pub(crate) files: bool,
}

pub(crate) fn run(app: &mut App, args: &DiffArgs) -> Result<Exit, Failure> {
    let book = app.book()?;
    if args.files
        && let (Revision::Chapter(a), Some(Revision::Chapter(b))) = (&args.a, &args.b)
    {
        return show_files(app, &accepted(&book, *a)?, &accepted(&book, *b)?);
    }
    let (old, new) = versions(&book, args)?;
    let prose = match (&old, &new) {
        (DiffSide { chapter: Some(a), .. }, DiffSide { chapter: Some(b), .. }) => Some((*a, *b)),
        _ => None,
    };
    match prose.filter(|_| !args.files) {
        Some((a, b)) => show_prose(app, args, (&old, a), (&new, b)),
        None => show_files(app, &old, &new),
    }
}

/// One of the two versions: its name, the book there, and the chapter if it is one.
struct DiffSide<'b> {
    name: String,
    version: Snapshot<'b>,
    chapter: Option<ChapterNo>,
}

fn versions<'b>(book: &'b Book, args: &DiffArgs) -> Result<(DiffSide<'b>, DiffSide<'b>), Failure> {
    if let (Some(span), Revision::Chapter(chapter)) = (&args.stage, &args.a) {
        let side = |stage| -> Result<DiffSide<'b>, Failure> {
            let (version, number) = show::of_stage(book, *chapter, stage)?;
            Ok(DiffSide { name: format!("{chapter} {stage}"), version, chapter: Some(number) })
        };
        return Ok((side(span.from)?, side(span.to)?));
    }
    if args.stage.is_some() {
        return Err(Failure::usage(both!(stage_wants_chapter)));
    }
    match &args.b {
        Some(b) => Ok((side(book, &args.a)?, side(book, b)?)),
        None => alone(book, &args.a),
    }
}

/// The book at the chapter's acceptance, so that the files of two chapters differ by everything in between.
fn accepted(book: &Book, chapter: ChapterNo) -> Result<DiffSide<'_>, Failure> {
    let commit = book.chapter_commit(chapter)?.ok_or(RunError::NoSuchChapter(chapter))?;
    Ok(DiffSide { name: chapter.to_string(), version: book.snapshot_of(commit)?, chapter: Some(chapter) })
}

fn side<'b>(book: &'b Book, revision: &Revision) -> Result<DiffSide<'b>, Failure> {
    match revision {
        Revision::Chapter(chapter) => {
            let version = show::version(book, *chapter)?;
            Ok(DiffSide { name: chapter.to_string(), version, chapter: Some(*chapter) })
        }
        Revision::Commit(name) => {
            let version = book.snapshot_at(name)?.ok_or_else(|| RunError::NoSuchRevision { name: name.clone() })?;
            Ok(DiffSide { name: name.clone(), version, chapter: None })
        }
    }
}

/// A chapter alone is compared with the author's uncommitted edit of it, else with its previous version, else with the
/// chapter before; a commit with the one before.
fn alone<'b>(book: &'b Book, revision: &Revision) -> Result<(DiffSide<'b>, DiffSide<'b>), Failure> {
    let chapter = match revision {
        Revision::Chapter(chapter) => *chapter,
        Revision::Commit(_) => {
            let new = side(book, revision)?;
            let parent = book
                .transaction(new.version.commit_id())?
                .parent
                .ok_or_else(|| Failure::no(both!(there_is_no_commit_before_it)))?;
            let old = DiffSide { name: parent.short(), version: book.snapshot_of(parent)?, chapter: None };
            return Ok((old, new));
        }
    };
    let new = DiffSide { name: chapter.to_string(), version: show::version(book, chapter)?, chapter: Some(chapter) };
    let path = show::places(&new.version, chapter)?.text;
    if let Some(edited) = edited(book, &path)? {
        let name = format!("{chapter} {UNCOMMITTED}");
        return Ok((new, DiffSide { name, version: edited, chapter: Some(chapter) }));
    }
    if let Some(commit) = store::history::earlier_text(book, chapter, (&new.version, &path))? {
        let name = format!("{chapter} @ {}", commit.short());
        return Ok((DiffSide { name, version: book.snapshot_of(commit)?, chapter: Some(chapter) }, new));
    }
    let previous = chapter.previous().ok_or_else(|| Failure::no(both!(has_no_earlier_version_and_no(chapter))))?;
    Ok((side(book, &Revision::Chapter(previous))?, new))
}

/// The book with the author's uncommitted text of an accepted chapter; `None` when the file is unchanged, or missing,
/// which `novel doctor` and `novel continue` report.
fn edited<'b>(book: &'b Book, path: &str) -> Result<Option<Snapshot<'b>>, Failure> {
    let (Some(committed), Some(on_disk)) = (book.snapshot()?.read(path)?, book.on_disk(path)?) else { return Ok(None) };
    let is_same = String::from_utf8_lossy(&committed).lines().eq(String::from_utf8_lossy(&on_disk).lines());
    Ok(if is_same { None } else { Some(store::change::snapshot_with(book, &Change::default().put(path, on_disk))?) })
}

fn text_of(version: &Snapshot<'_>, chapter: ChapterNo) -> Result<String, Failure> {
    let path = show::places(version, chapter)?.text;
    let bytes = version.read(&path)?.ok_or(RunError::NoSuchChapter(chapter))?;
    Ok(lossy_text(bytes))
}

fn show_prose(
    app: &mut App,
    args: &DiffArgs,
    (old, a): (&DiffSide<'_>, ChapterNo),
    (new, b): (&DiffSide<'_>, ChapterNo),
) -> Result<Exit, Failure> {
    let (before, after) = (text_of(&old.version, a)?, text_of(&new.version, b)?);
    let words = |text: &str| Count::of_prose(text).words as u64;
    let report = DiffReport::new((&old.name, words(&before)), (&new.name, words(&after)), &diff(&before, &after));
    let detail = if args.sentences { Detail::Sentences } else { Detail::Words };
    let marks = if app.ui.has_colour() { Marks::Colour } else { Marks::Plain };
    app.ui.show_paged(&report, |lang, _| report.text(lang, detail, marks))
}

fn show_files(app: &mut App, old: &DiffSide<'_>, new: &DiffSide<'_>) -> Result<Exit, Failure> {
    let files = show::file_changes(&old.version, &new.version)?;
    let report = FilesReport { old: old.name.clone(), new: new.name.clone(), files };
    app.ui.show_paged(&report, |lang, columns| report.text(lang, columns))
}

#[derive(Debug, Clone, clap::Args)]
pub(crate) struct CompareArgs {
    #[arg(value_name = "VERSION")]
    pub(crate) a: String,
    #[arg(value_name = "VERSION")]
    pub(crate) b: Option<String>,
    #[arg(long, value_name = "CHAPTER", value_parser = value_parsers::chapter)]
    pub(crate) chapter: Option<ChapterNo>,
}

pub(crate) fn compare(app: &mut App, args: &CompareArgs) -> Result<Exit, Failure> {
    let book = app.book()?;
    let comparison = compare::compare(&book, &args.a, args.b.as_deref(), args.chapter)?;
    let report = ComparisonReport::of(comparison);
    let marks = if app.ui.has_colour() { Marks::Colour } else { Marks::Plain };
    app.ui.show_paged(&report, |lang, columns| report.text(lang, columns, marks))
}
