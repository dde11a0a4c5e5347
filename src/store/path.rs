//! Paths that a book's files may have.

use crate::git::disk::system;
use crate::git::error::StoreError;

/// Whether `path` may be a file of a book: relative, canonical, outside `.git` and `staging`, at most 4 KiB, and of
/// names that this system has.
pub(crate) fn check_path(path: &str) -> Result<(), StoreError> {
    let component = |c: &str| {
        !c.is_empty()
            && c != "."
            && c != ".."
            && !c.eq_ignore_ascii_case(".git")
            && !c.chars().any(|c| c == '\\' || c.is_control())
            && system::is_file_name(c)
    };
    let first = path.split('/').next().unwrap_or_default();
    if path.len() <= 4096 && path.split('/').all(component) && first != "staging" {
        Ok(())
    } else {
        Err(StoreError::BadPath(path.to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_canonical_relative_paths_are_paths_of_a_book() {
        for path in ["novel.toml", "chapters/vol-01/chapter-001.md", "research/资料 一.md", "a..b", ".gitignore"] {
            assert!(check_path(path).is_ok(), "{path}");
        }
        for path in
            ["", "/a", "a/", "a//b", "./a", "../a", "a/..", ".git/config", "a/.GIT/x", "staging/a", "a\\b", "a\nb"]
        {
            assert!(check_path(path).is_err(), "{path}");
        }
    }
}
