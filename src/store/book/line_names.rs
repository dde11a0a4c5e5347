//! The names of lines of the book and of their drafts.
//! The note of a switch to another line. Writing it is the commit point of the switch: from then on the book's branch is the
//! one that it names, and everything else (files, index, HEAD, settings) is brought up by the next session.

use crate::git::disk::system::is_taken_on_windows;
use crate::git::disk::{TempArea, read_if_there, sync_dir};
use crate::git::refs::DRAFTS;
use crate::store::prelude::*;

/// The setting that names the book's branch.
pub(crate) const BRANCH_KEY: &str = "novel.branch";
/// The setting that names the main line, once there is another.
pub(crate) const MAIN_KEY: &str = "novel.main";
/// The folder of git's branches.
pub(crate) const BRANCHES: &str = "refs/heads/";

/// The branch of the main line, in a repository whose book is on `branch`.
pub(crate) fn main_line(repo: &Repository, branch: &str) -> String {
    if let Ok(Some(pending)) = read(repo) {
        return pending.main;
    }
    let setting = |key| repo.config().and_then(|config| config.get_string(key)).ok();
    let is_there = |name: &String| refs::target(repo, &format!("{BRANCHES}{name}")).is_ok_and(|tip| tip.is_some());
    let cloned = || setting(BRANCH_KEY).is_none().then(|| cloned_branch(repo)).flatten();
    setting(MAIN_KEY).or_else(cloned).filter(is_there).unwrap_or_else(|| branch.to_owned())
}

/// The branch that a plain clone began with, which is the remote's own. The author may have begun another since.
fn cloned_branch(repo: &Repository) -> Option<String> {
    let head = repo.find_reference("refs/remotes/origin/HEAD").ok()?;
    head.symbolic_target().ok()??.strip_prefix("refs/remotes/origin/").map(str::to_owned)
}

/// The beginning of the names of a line's drafts: `refs/heads/draft/` for the main line, a folder below it for any
/// other.
pub(crate) fn drafts_of(branch: &str, main: &str) -> String {
    if branch == main { DRAFTS.to_owned() } else { format!("{DRAFTS}{branch}/") }
}

/// True for a name that a line can have: one that git allows for a branch, and that means nothing else here.
pub fn is_line_name(name: &str) -> bool {
    let is_taken = |part: &str| part.parse::<Work>().is_ok() || part.parse::<ChapterNo>().is_ok();
    !name.starts_with('-')
        && name != "HEAD"
        && !name.split('/').any(is_taken)
        && name.split('/').next() != Some("draft")
        && !name.split('/').any(|part| part.starts_with("candidate-"))
        && !name.chars().any(|c| c.is_whitespace() || c.is_control())
        && git2::Reference::is_valid_name(&format!("{BRANCHES}{name}"))
}

/// True for a name that a new line may have: git keeps a branch as a file of the same name, which Windows must be able
/// to make when the book is copied there.
pub fn is_new_line_name(name: &str) -> bool {
    is_line_name(name) && !name.split('/').any(is_taken_on_windows)
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct PendingSwitch {
    /// The commit whose files the folder had.
    pub(crate) from: CommitId,
    /// The branch that the book is on from now on.
    pub(crate) to: String,
    /// The branch of the main line, which the settings may not name yet.
    pub(crate) main: String,
}

fn path(repo: &Repository) -> PathBuf {
    repo.commondir().join("novel/switch")
}

/// The switch that was begun in the repository; `None` when the last one was finished.
pub(crate) fn read(repo: &Repository) -> Result<Option<PendingSwitch>, StoreError> {
    let note = String::from_utf8_lossy(&read_if_there(&path(repo))?.unwrap_or_default()).into_owned();
    // No name of a branch has a space in it.
    let mut parts = note.trim_end().split(' ').map(str::to_owned);
    let mut pending = || Some((parts.next()?.parse().ok()?, parts.next()?, parts.next()?));
    Ok(pending().map(|(from, to, main)| PendingSwitch { from, to, main }))
}

pub(crate) fn write(repo: &Repository, temp: &TempArea, pending: &PendingSwitch) -> Result<(), StoreError> {
    let path = path(repo);
    temp.replace(&path, format!("{} {} {}\n", pending.from, pending.to, pending.main).as_bytes())?;
    path.parent().map_or(Ok(()), sync_dir)
}

pub(crate) fn remove(repo: &Repository) -> Result<(), StoreError> {
    let path = path(repo);
    match system::remove_file(&path) {
        Err(e) if e.kind() == std::io::ErrorKind::NotFound => Ok(()),
        removed => removed.at("removing", &path),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_named_as_git_allows_and_as_nothing_else_is() {
        for name in ["alt-ending", "换个结局", "try/second", "v2", "Alt"] {
            assert!(is_line_name(name), "{name}");
        }
        for name in [
            "",
            "-d",
            "HEAD",
            "ch-045",
            "45",
            "draft",
            "draft/x",
            "alt/ch-002",
            "world",
            "a b",
            "a..b",
            "x.lock",
            "a~1",
            "candidate-2",
        ] {
            assert!(!is_line_name(name), "{name}");
        }
    }

    #[test]
    fn a_new_line_has_a_name_that_every_system_has() {
        assert!(is_new_line_name("换个结局") && is_new_line_name("console"));
        for name in ["con", "try/NUL", "aux.old", "a\"b", "a|b", "-d"] {
            assert!(!is_new_line_name(name), "{name}");
        }
        assert!(is_line_name("con"), "a book that has it keeps it");
    }

    #[test]
    fn drafts_of_two_lines_never_have_one_name() {
        assert_eq!(drafts_of("main", "main"), "refs/heads/draft/");
        assert_eq!(drafts_of("alt", "main"), "refs/heads/draft/alt/");
    }
}
