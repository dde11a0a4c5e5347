//! Packing objects across versions and commits before they pile up. libgit2 cannot remove what it has packed again safely;
//! the author's own git can, in the background.

use crate::git::filtered::users_git;
use crate::store::prelude::*;
use std::fs;
use std::process::{Command, Stdio};
use std::time::Duration;

/// Loose objects above which packing pays: a walk over the history and a cold start become noticeably slower.
const MANY: usize = 5_000;
/// Packs above which packing pays. A chapter leaves six or seven, and a text in one of them is never written as the difference
/// from its earlier version in another.
const MANY_PACKS: usize = 60;
/// The name of the folder that is there while git packs.
const MARK: &str = "packing";
/// A packing that began so long ago has died.
const ABANDONED: Duration = Duration::from_secs(3600);

/// The commands for git. Packs of like size become one, with differences between the versions of a text, which halves
/// them; larger ones are left alone, so that the work does not grow with the book. Gits before 2.32 cannot, and do it
/// all again.
const WORK: &str = "!trap 'rmdir \"$NOVEL_PACKING\" ${NOVEL_PACKING_TURN:+\"$NOVEL_PACKING_TURN\"}' EXIT; \
    { git repack -d -l -F -q --geometric=2 || git gc --quiet --no-prune; } && git pack-refs --all";

/// Settings under which packing takes one processor and little memory: the author goes on working beside it. The window is that of
/// [`PACK_WINDOW`](crate::store::book::init::PACK_WINDOW).
const MODEST: [&str; 6] = ["-c", "pack.threads=1", "-c", "pack.windowMemory=64m", "-c", "pack.window=250"];

/// Whether git packs the book at the moment, by the program's folder in its repository.
pub(crate) fn is_packing(private: &Path) -> bool {
    is_marked(&private.join(MARK))
}

/// Whether the folder is there that stands for a packing that goes on.
fn is_marked(mark: &Path) -> bool {
    let begun = fs::metadata(mark).and_then(|folder| folder.modified());
    begun.ok().and_then(|at| at.elapsed().ok()).is_some_and(|age| age < ABANDONED)
}

/// Makes the folder; `false` when a packing goes on for which it stands.
fn mark(folder: &Path) -> bool {
    if is_marked(folder) {
        return false;
    }
    let _ = fs::remove_dir(folder);
    fs::create_dir(folder).is_ok()
}

/// The outcome of asking git to pack objects that have piled up.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Packing {
    /// There are few, or git is at it already, in this book or in another of the user's.
    NotNeeded,
    /// Git is at it, in a process of its own.
    Started,
    /// There are many, and there is no git to pack them. The book works, a little slower.
    NoGit,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Packer {
    /// The `git` to start: a program name or a path.
    pub git: PathBuf,
    /// The folder that is there while a book of this user is packed, so that one is packed at a time; without it nothing limits
    /// them.
    pub turn: Option<PathBuf>,
}

/// About how many loose objects there are. Object ids are evenly spread, so one folder of 256 speaks for all.
pub fn loose_objects(book: &Book) -> usize {
    let folder = book.repo.commondir().join("objects/17");
    fs::read_dir(folder).map_or(0, |entries| entries.count() * 256)
}

/// How many packs there are that may be packed again.
pub fn packs(book: &Book) -> usize {
    let entries = fs::read_dir(book.repo.commondir().join("objects/pack")).into_iter().flatten().flatten();
    let is_open = |path: &Path| path.extension().is_some_and(|e| e == "idx") && !path.with_extension("keep").exists();
    entries.filter(|entry| is_open(&entry.path())).count()
}

/// True when there are many objects to be packed, and git is not at it.
pub fn is_packing_due(book: &Book) -> bool {
    !is_packing(&book.private()) && (loose_objects(book) > MANY || packs(book) > MANY_PACKS)
}

/// Has git pack the objects if there are many. Does not wait for it.
///
/// Nothing is pruned: an object that a writer is about to name must not vanish.
pub fn pack_if_due(book: &Book, packer: &Packer) -> Packing {
    if !is_packing_due(book) {
        return Packing::NotNeeded;
    }
    // Without a place for the folder books are packed beside each other.
    let turn =
        packer.turn.as_ref().filter(|turn| turn.parent().is_some_and(|parent| fs::create_dir_all(parent).is_ok()));
    if turn.is_some_and(|turn| !mark(turn)) {
        return Packing::NotNeeded;
    }
    let give_up = || turn.map(fs::remove_dir);
    if !mark(&packing_mark(book)) {
        give_up();
        return Packing::NotNeeded;
    }
    let mut command = packing(book, &packer.git);
    if let Some(turn) = turn {
        command.env("NOVEL_PACKING_TURN", turn);
    }
    if command.spawn().is_ok() {
        return Packing::Started;
    }
    let _ = fs::remove_dir(packing_mark(book));
    give_up();
    Packing::NoGit
}

/// The folder that is there while git packs.
fn packing_mark(book: &Book) -> PathBuf {
    book.private().join(MARK)
}

/// The command by which `git` packs the book.
pub fn packing(book: &Book, git: &Path) -> Command {
    let mut command = users_git(git);
    command.env("NOVEL_PACKING", packing_mark(book)).env_remove("NOVEL_PACKING_TURN");
    command.arg("-C").arg(&book.root).args(MODEST);
    command.args(["-c", &format!("alias.novel-pack={WORK}"), "novel-pack"]);
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    system::apart(&mut command);
    command
}
