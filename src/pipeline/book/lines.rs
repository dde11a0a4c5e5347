//! Lines of the book: something tried on a branch of its own from a chapter, gone to, compared, and made the book's line.

use crate::pipeline::book::hand_edits;
use crate::pipeline::book::{going_back, replay};
use crate::pipeline::engine::error::LineError;
use crate::pipeline::prelude::*;
use crate::pipeline::sync::conflict::SyncError;
use crate::store::remote;
use crate::store::{self, RemoteName, ReturnTo, RollbackError, RollbackResult, is_line_name, is_new_line_name};
use serde::Serialize;

/// A line of the book, as a list shows it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct LineView {
    pub name: String,
    #[serde(rename = "current")]
    pub is_current: bool,
    /// True for the main line, whose chapters have the tags.
    #[serde(rename = "main")]
    pub is_main: bool,
    /// The remote that has it, for a line that this copy has no branch of.
    pub remote: Option<String>,
    /// The last chapter that it has in common with the main line; `None` for the main line itself, and for a
    /// line that begins before the first chapter.
    pub from: Option<ChapterNo>,
    pub last: Option<ChapterNo>,
    pub drafts: Vec<Work>,
    #[serde(rename = "commit")]
    pub tip: CommitId,
}

/// Every line of the book, the main line first. Reads only.
pub fn list(book: &Book) -> Result<Vec<LineView>, RunError> {
    let main = store::lines::line_tip(book, store::lines::main_line(book))?;
    let here = book.lines()?.into_iter().map(|line| (line, None));
    let remote = synced_remote(book)?;
    let elsewhere = remote.as_ref().map(|remote| store::lines::lines_on(book, remote)).transpose()?.unwrap_or_default();
    let elsewhere = elsewhere.into_iter().map(|line| (line, remote.as_ref().map(ToString::to_string)));
    let mut lines = Vec::new();
    for (line, remote) in here.chain(elsewhere) {
        let is_main = line.name == store::lines::main_line(book);
        let fork = match main.filter(|_| !is_main) {
            Some(main) => store::lines::fork_between(book, main, line.tip)?,
            None => None,
        };
        lines.push(LineView {
            is_current: line.name == book.branch(),
            is_main,
            remote,
            from: fork.map(|fork| book.contents_of(fork)).transpose()?.and_then(|contents| contents.last()),
            last: book.contents_of(line.tip)?.last(),
            drafts: store::lines::drafts_of_line(book, &line.name)?.into_iter().map(|(work, _)| work).collect(),
            tip: line.tip,
            name: line.name,
        });
    }
    lines.sort_by(|a, b| b.is_main.cmp(&a.is_main).then_with(|| a.name.cmp(&b.name)));
    Ok(lines)
}

/// The remote that the book is synced with; `None` for a book that is not.
fn synced_remote(book: &Book) -> Result<Option<RemoteName>, RunError> {
    Ok(remote::name::synced_remote(book, &config_now(book)?.sync.remote).map_err(SyncError::from)?)
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Begun {
    pub name: String,
    pub tip: CommitId,
    pub last: Option<ChapterNo>,
}

/// The words that would be commands after `novel branch`.
const COMMANDS: [&str; 4] = ["list", "switch", "delete", "help"];

/// Begins a line at the end of `from`, or at the book's end.
pub fn begin_line(run: &Run<'_>, name: &str, from: Option<ChapterNo>) -> Result<Begun, RunError> {
    if !is_new_line_name(name) || COMMANDS.contains(&name) {
        return Err(LineError::NotALineName(name.to_owned()).into());
    }
    hand_edits::commit_all_but_losses(run)?;
    let book = run.session.book();
    let (start, also) = match from {
        None => (run.session.tip()?, Change::default()),
        Some(chapter) => {
            let reached = store::history::since(book, chapter)?.pop().ok_or(RollbackError::NoSuchChapter(chapter))?.id;
            (reached, replay::cut(book, reached, chapter, &[])?)
        }
    };
    let info = run.commit_info(None);
    let tip = store::lines::create_line(run.session, name, start, &also, &info)?;
    let tip = tip.ok_or_else(|| LineError::LineThere(name.to_owned()))?;
    Ok(Begun { name: name.to_owned(), tip, last: book.contents_of(tip)?.last() })
}

/// Goes to another line. The author's changes are committed on the line that is left. A line that only the remote has
/// gets a branch here first. Returns false when the book is there already; otherwise it has to be opened again.
/// Fails with [`LineError::NoSuchLine`], or when the folder cannot follow; nothing has changed then.
pub fn switch_line(run: &Run<'_>, name: &str) -> Result<bool, RunError> {
    let book = run.session.book();
    if !book.lines()?.iter().any(|line| line.name == name) {
        take_line(run, name)?;
    }
    let is_there = book.branch() == name;
    if !is_there {
        hand_edits::commit_all_but_losses(run)?;
    }
    store::lines::switch(run.session, name)?;
    Ok(!is_there)
}

/// Makes a branch here of a line that only the remote has.
fn take_line(run: &Run<'_>, name: &str) -> Result<(), RunError> {
    let book = run.session.book();
    let no_such = || LineError::NoSuchLine(name.to_owned());
    let remote = synced_remote(book)?.ok_or_else(no_such)?;
    let line = store::lines::lines_on(book, &remote)?.into_iter().find(|line| line.name == name).ok_or_else(no_such)?;
    let made = store::lines::create_line(run.session, name, line.tip, &Change::default(), &run.commit_info(None))?;
    made.map(|_| ()).ok_or_else(|| LineError::LineThere(name.to_owned()).into())
}

/// Deletes a line; it is kept. Returns the ref that keeps it.
/// Fails with [`LineError::NoSuchLine`], and [`LineError::LineInUse`] for the main line and the one that the book is on.
pub fn delete_line(run: &Run<'_>, name: &str) -> Result<String, RunError> {
    let book = run.session.book();
    if name == store::lines::main_line(book) || name == book.branch() {
        return Err(
            LineError::LineInUse { line: name.to_owned(), main: store::lines::main_line(book).to_owned() }.into()
        );
    }
    let kept = if is_line_name(name) { store::lines::delete_line(run.session, name)? } else { None };
    Ok(kept.ok_or_else(|| LineError::NoSuchLine(name.to_owned()))?)
}

/// Makes the line `name` the book's, by one commit on the main line: the book is what the line is, the line's history
/// comes into the book's, and what the book was stays in it. Inputs of the author's that the line has left as they were
/// keep what the main line has made of them. Drafts in flight of the line go on with the book. `None` when the book is
/// that line already.
/// Fails with [`LineError::NoSuchLine`], [`LineError::LineInUse`] for the main line itself, [`LineError::NotOnMainLine`].
pub fn adopt_line(run: &Run<'_>, name: &str) -> Result<Option<RollbackResult>, RunError> {
    let book = run.session.book();
    let no_such = || LineError::NoSuchLine(name.to_owned());
    if name == store::lines::main_line(book) {
        return Err(LineError::LineInUse { line: name.to_owned(), main: name.to_owned() }.into());
    }
    if !book.is_main_line() {
        return Err(LineError::NotOnMainLine { main: store::lines::main_line(book).to_owned() }.into());
    }
    let to = store::lines::line_tip(book, name)?.filter(|_| is_line_name(name)).ok_or_else(no_such)?;
    hand_edits::commit_all_but_losses(run)?;
    let fork = store::lines::fork_between(book, run.session.tip()?, to)?.ok_or_else(no_such)?;
    if fork == to {
        // Everything of the line is in the book's history: it was adopted, or nothing was written on it.
        return Ok(None);
    }
    let (then, before) = (book.snapshot_of(to)?, book.snapshot_of(fork)?);
    let stays = |path: &str| going_back::stays(path) && is_same(&then, &before, path);
    let carried: Vec<String> =
        store::lines::drafts_of_line(book, name)?.into_iter().map(|(work, tip)| format!("{work} {tip}")).collect();
    let trailers = [(key::ADOPTS, name.to_owned()), (key::CARRIES, carried.join(", "))];
    let also = Change::default();
    let wanted = ReturnTo { kind: Kind::Adopt, to, stays: &stays, also: &also, trailers: &trailers };
    let done =
        store::rollback::return_to(run.session, &wanted, &run.commit_info(Some(Subject::Adopt(name.to_owned()))))?;
    going_back::show_drafts(run, done.reopened.clone());
    Ok(Some(done))
}

fn is_same(a: &Snapshot<'_>, b: &Snapshot<'_>, path: &str) -> bool {
    match (a.read(path), b.read(path)) {
        (Ok(a), Ok(b)) => a == b,
        _ => false,
    }
}
