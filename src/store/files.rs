//! Writing files so that a reader, or a power cut, sees the old bytes or the new ones and never something between.

use std::fs::{self, File};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

use super::error::{IoContext, StoreError};

/// A folder for files that are about to be renamed into place. It is on the same file system as their targets, and
/// only the holder of the writer's lock uses it, so that whatever a dead process left there can go.
#[derive(Debug, Clone)]
pub(crate) struct TempArea {
    dir: PathBuf,
}

impl TempArea {
    pub(crate) fn new(dir: PathBuf) -> Self {
        Self { dir }
    }

    #[cfg(test)]
    pub(crate) fn dir(&self) -> &Path {
        &self.dir
    }

    /// A name that no other file has.
    pub(crate) fn fresh(&self) -> Result<PathBuf, StoreError> {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        fs::create_dir_all(&self.dir).at("creating", &self.dir)?;
        Ok(self.dir.join(format!("{}-{}", std::process::id(), NEXT.fetch_add(1, Ordering::Relaxed))))
    }

    /// A new file with `bytes`, on the disk when this returns. Nothing stays behind when it fails.
    pub(crate) fn write(&self, bytes: &[u8]) -> Result<PathBuf, StoreError> {
        let path = self.fresh()?;
        let written = File::create(&path).and_then(|mut file| {
            file.write_all(bytes)?;
            file.sync_all()
        });
        if written.is_err() {
            let _ = fs::remove_file(&path);
        }
        written.at("writing", &path)?;
        Ok(path)
    }

    /// Puts `bytes` where `target` is, atomically.
    pub(crate) fn replace(&self, target: &Path, bytes: &[u8]) -> Result<(), StoreError> {
        let temp = self.write(bytes)?;
        fs::rename(&temp, target).at("writing", target).inspect_err(|_| {
            let _ = fs::remove_file(&temp);
        })
    }

    /// Whether anything can be written at all: 64 KiB, which go again.
    pub(crate) fn probe(&self) -> Result<(), StoreError> {
        let path = self.write(&[0; 64 << 10])?;
        let _ = fs::remove_file(path);
        Ok(())
    }

    /// Removes what a dead process left.
    pub(crate) fn clear(&self) {
        for entry in fs::read_dir(&self.dir).into_iter().flatten().flatten() {
            let path = entry.path();
            let _ = fs::remove_file(&path).or_else(|_| fs::remove_dir_all(&path));
        }
    }
}

/// Makes the names in `dir` durable. File systems that cannot sync a folder are taken at their word.
pub(crate) fn sync_dir(dir: &Path) {
    #[cfg(unix)]
    if let Ok(file) = File::open(dir) {
        let _ = file.sync_all();
    }
    #[cfg(not(unix))]
    let _ = dir;
}

/// The bytes of the file at `path`; nothing when there is none.
pub(crate) fn read_if_there(path: &Path) -> Result<Option<Vec<u8>>, StoreError> {
    match fs::read(path) {
        Err(e) if e.kind() == std::io::ErrorKind::NotFound => Ok(None),
        bytes => bytes.at("reading", path).map(Some),
    }
}

/// Whether `path` may be a file of a book: relative, canonical, outside `.git` and `staging`, at most 4 KiB.
pub(crate) fn check_path(path: &str) -> Result<(), StoreError> {
    let component = |c: &str| {
        !c.is_empty()
            && c != "."
            && c != ".."
            && !c.eq_ignore_ascii_case(".git")
            && !c.chars().any(|c| c == '\\' || c.is_control())
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

    #[test]
    fn replacing_leaves_no_temporary_file() {
        let home = tempfile::tempdir().unwrap();
        let area = TempArea::new(home.path().join("tmp"));
        let target = home.path().join("a");
        area.replace(&target, b"1").unwrap();
        area.replace(&target, b"2").unwrap();
        assert_eq!(fs::read(&target).unwrap(), b"2");
        assert_eq!(fs::read_dir(area.dir()).unwrap().count(), 0);
        assert!(area.replace(&home.path().join("no/such/folder"), b"3").is_err());
        assert_eq!(fs::read_dir(area.dir()).unwrap().count(), 0);
    }
}
