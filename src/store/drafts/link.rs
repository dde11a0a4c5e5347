//! The link between the work tree of a draft and its repository.

use std::fs;
use std::path::{Path, PathBuf};

/// The text of `staging/.git` when the book's `.git` is a folder.
pub(crate) const USUAL_LINK: &str = "../.git/worktrees/staging";
pub(crate) const LOCKED: &str = "the chapter in flight; novel makes and removes this work tree\n";

/// The admin folder that the work tree at `dir` names.
pub(crate) fn linked_admin(dir: &Path) -> Option<PathBuf> {
    let text = fs::read_to_string(dir.join(".git")).ok()?;
    Some(dir.join(text.strip_prefix("gitdir:")?.trim()))
}

/// Whether `admin` is of a work tree that we made, be it half-built.
pub(crate) fn is_ours(admin: &Path) -> bool {
    fs::read_to_string(admin.join("locked")).is_ok_and(|text| text == LOCKED)
}

/// Whether `folder` is the work tree of a draft, whose book is one folder up.
pub(crate) fn is_staging(folder: &Path) -> bool {
    folder.file_name().is_some_and(|n| n == "staging")
        && linked_admin(folder).is_some_and(|admin| admin == folder.join(USUAL_LINK) || is_ours(&admin))
}
