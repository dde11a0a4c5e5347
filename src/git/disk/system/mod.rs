//! Calls that differ between systems, with the same functions for each of them. No other file of the store asks which
//! system it runs on; [docs/windows.md](../../../../docs/windows.md) has them as a table.

#[cfg(unix)]
mod unix;
#[cfg(unix)]
pub(crate) use unix::*;

#[cfg(windows)]
mod processes;
#[cfg(windows)]
mod windows;
#[cfg(windows)]
pub(crate) use windows::*;

/// A file or folder, whatever its name: no other one of this machine has both numbers at the same time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct FileId {
    pub(crate) disk: u64,
    pub(crate) number: u64,
}

/// A time of a file as git keeps it: since 1970, cut to 32 bits.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct FileTime {
    pub(crate) seconds: u32,
    pub(crate) nanoseconds: u32,
}

/// The figures of a file that git keeps in its index beside size, time of modification and inode.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct IndexStat {
    /// The time that git calls "ctime": of the last change of status, or of the file's making.
    pub(crate) ctime: FileTime,
    pub(crate) device: u32,
    /// User and group.
    pub(crate) owner: (u32, u32),
}

/// True for a name that Windows gives to no file, or gives to another file: devices (`con`, `nul.txt`), characters with
/// a meaning of their own (`a:b` is a stream of the file `a`), and a dot or a space at the end, which is cut off.
pub(crate) fn is_taken_on_windows(name: &str) -> bool {
    const DEVICES: [&str; 6] = ["con", "prn", "aux", "nul", "conin$", "conout$"];
    let stem = name.split(['.', ':']).next().unwrap_or(name).trim_end().to_ascii_lowercase();
    let is_port = |port: &str| {
        let number = stem.strip_prefix(port).unwrap_or_default();
        matches!(number, "1" | "2" | "3" | "4" | "5" | "6" | "7" | "8" | "9" | "¹" | "²" | "³")
    };
    DEVICES.contains(&stem.as_str())
        || is_port("com")
        || is_port("lpt")
        || name.ends_with(['.', ' '])
        || name.chars().any(|c| matches!(c, '<' | '>' | ':' | '"' | '|' | '?' | '*') || c.is_control())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_windows_takes_are_known() {
        for name in ["con", "NUL", "aux.md", "com1", "LPT9.txt", "com²", "a:b", "第一章?", "a.", "a ", "con .md", "a|b"]
        {
            assert!(is_taken_on_windows(name), "{name}");
        }
        for name in ["console", "com", "com0", "com10", "第一章.md", ".gitignore", "a..b", "null", "auxiliary.md"] {
            assert!(!is_taken_on_windows(name), "{name}");
        }
    }

    #[test]
    fn a_file_has_one_id_under_all_its_names() {
        let home = tempfile::tempdir().unwrap();
        let (one, two, other) = (home.path().join("1"), home.path().join("2"), home.path().join("3"));
        std::fs::write(&one, "a").unwrap();
        std::fs::write(&other, "a").unwrap();
        std::fs::hard_link(&one, &two).unwrap();
        let id = |path| file_id(path).unwrap();
        assert_eq!(id(&one), id(&two));
        assert_ne!(id(&one), id(&other));
        assert_eq!(id(&one).disk, id(home.path()).disk);
        assert_eq!(file_id(&home.path().join("gone")), None);
    }

    #[test]
    fn a_file_replaces_another_that_is_being_read_or_is_read_only() {
        let home = tempfile::tempdir().unwrap();
        let (new, old) = (home.path().join("new"), home.path().join("old"));
        std::fs::write(&old, "old").unwrap();
        let reader = std::fs::File::open(&old).unwrap();
        std::fs::write(&new, "new").unwrap();
        rename(&new, &old).unwrap();
        assert_eq!(std::fs::read(&old).unwrap(), b"new");
        drop(reader);
        let mut permissions = std::fs::metadata(&old).unwrap().permissions();
        permissions.set_readonly(true);
        std::fs::set_permissions(&old, permissions).unwrap();
        sync_file(&old).unwrap();
        assert!(std::fs::metadata(&old).unwrap().permissions().readonly());
        std::fs::write(&new, "newer").unwrap();
        rename(&new, &old).unwrap();
        assert_eq!(std::fs::read(&old).unwrap(), b"newer");
        let missing = rename(&new, &old).unwrap_err();
        assert_eq!(missing.kind(), std::io::ErrorKind::NotFound);
        remove_file(&old).unwrap();
        assert_eq!(remove_file(&old).unwrap_err().kind(), std::io::ErrorKind::NotFound);
    }

    #[test]
    fn files_and_folders_get_to_the_disk() {
        let home = tempfile::tempdir().unwrap();
        let file = home.path().join("a");
        std::fs::write(&file, "a").unwrap();
        sync_file(&file).unwrap();
        sync_folder(home.path()).unwrap();
        assert_eq!(sync_folder(&home.path().join("gone")).unwrap_err().kind(), std::io::ErrorKind::NotFound);
        assert!(is_writable(home.path()));
        assert!(!is_writable(&home.path().join("gone")));
    }
}
