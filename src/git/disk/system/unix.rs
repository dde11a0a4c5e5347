//! The calls on Linux, macOS and other Unix systems.

use std::fs::{self, File, Metadata};
use std::io;
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _};
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::{FileId, FileTime, IndexStat};

/// True where one call brings a whole file system to the disk.
pub(crate) const SYNCS_FILE_SYSTEMS: bool = cfg!(target_os = "linux");
/// The mode in which libgit2 shares the files that it opens with other programs, where there is one.
pub(crate) const LIBGIT2_SHARE_MODE: Option<u32> = None;
/// Bytes of names that fit into a command: systems allow about a million.
pub(crate) const COMMAND_ROOM: usize = 500_000;
/// Settings that a book's repository needs on this system alone.
pub(crate) const SETTINGS: &[(&str, &str)] = &[];

/// Gives the file `from` the name `to`, in one step; a file that had it is gone then.
pub(crate) fn rename(from: &Path, to: &Path) -> io::Result<()> {
    fs::rename(from, to)
}

pub(crate) fn remove_file(path: &Path) -> io::Result<()> {
    fs::remove_file(path)
}

pub(crate) fn sync_file(path: &Path) -> io::Result<()> {
    File::open(path)?.sync_all()
}

/// Brings the names in a folder to the disk.
pub(crate) fn sync_folder(folder: &Path) -> io::Result<()> {
    File::open(folder)?.sync_all()
}

/// Brings everything that was written to the file system of `file` to the disk; only where [`SYNCS_FILE_SYSTEMS`].
/// Since Linux 5.8 it reports a failure of the disk.
pub(crate) fn sync_file_system(file: &File) -> io::Result<()> {
    #[cfg(target_os = "linux")]
    match rustix::fs::syncfs(file).map_err(io::Error::from) {
        Err(e) if is_unsyncable(&e) => rustix::fs::sync(),
        synced => synced?,
    }
    #[cfg(not(target_os = "linux"))]
    let _ = file;
    Ok(())
}

/// Whether the error says that folders cannot be synced here at all: that is no failure of the disk. Network and FUSE
/// file systems answer so, and some do not even open a folder.
pub(crate) fn is_unsyncable(e: &io::Error) -> bool {
    let known = [libc::EINVAL, libc::ENOTSUP, libc::EOPNOTSUPP, libc::ENOSYS, libc::EBADF, libc::EISDIR, libc::EACCES];
    e.raw_os_error().is_some_and(|code| known.contains(&code))
}

/// True when the user may make files in the folder.
pub(crate) fn is_writable(folder: &Path) -> bool {
    use rustix::fs::Access;
    rustix::fs::access(folder, Access::WRITE_OK | Access::EXEC_OK).is_ok()
}

/// Lets the file be run as a program.
pub(crate) fn make_executable(path: &Path) -> io::Result<()> {
    fs::set_permissions(path, fs::Permissions::from_mode(0o755))
}

/// Returns the id of the file or folder that a path leads to, if it is there.
pub(crate) fn file_id(path: &Path) -> Option<FileId> {
    fs::metadata(path).ok().map(|meta| FileId { disk: meta.dev(), number: meta.ino() })
}

/// Modification time as git keeps it.
pub(crate) fn mtime(meta: &Metadata) -> FileTime {
    FileTime { seconds: meta.mtime() as u32, nanoseconds: meta.mtime_nsec() as u32 }
}

/// Inode number as git keeps it.
pub(crate) fn inode(meta: &Metadata) -> u32 {
    meta.ino() as u32
}

/// The other figures that git keeps of a file.
pub(crate) fn index_stat(meta: &Metadata) -> IndexStat {
    IndexStat {
        ctime: FileTime { seconds: meta.ctime() as u32, nanoseconds: meta.ctime_nsec() as u32 },
        device: meta.dev() as u32,
        owner: (meta.uid(), meta.gid()),
    }
}

/// Starts the command in a group of its own, so that the author's Ctrl-C does not reach it.
pub(crate) fn apart(command: &mut Command) {
    command.process_group(0);
}

/// True when a file of the book may have this name here.
pub(crate) fn is_file_name(_: &str) -> bool {
    true
}

/// Process id and command line of the programs that have `lock` open, and of the gits that work in one of `folders`.
/// Empty where the system does not tell.
pub(crate) fn processes_using(lock: &Path, folders: &[PathBuf]) -> Vec<(u32, String)> {
    if !cfg!(target_os = "linux") {
        return Vec::new();
    }
    let lock = lock.canonicalize().unwrap_or_else(|_| lock.to_owned());
    let mut found = Vec::new();
    for entry in fs::read_dir("/proc").into_iter().flatten().flatten() {
        let Some(pid) = entry.file_name().to_str().and_then(|name| name.parse::<u32>().ok()) else { continue };
        if pid == std::process::id() {
            continue;
        }
        let process = entry.path();
        let line = fs::read(process.join("cmdline")).unwrap_or_default();
        let words: Vec<String> =
            line.split(|byte| *byte == 0).map(|word| String::from_utf8_lossy(word).into_owned()).collect();
        let name = Path::new(&words[0]).file_name().map(|name| name.to_string_lossy().into_owned());
        let is_git = name.is_some_and(|name| name == "git" || name.starts_with("git-") && name != "git-novel");
        let is_here = || {
            let at = fs::read_link(process.join("cwd"));
            at.is_ok_and(|at| folders.iter().any(|folder| at.starts_with(folder)))
        };
        let has_open = || {
            let files = fs::read_dir(process.join("fd")).into_iter().flatten().flatten();
            files.filter_map(|file| fs::read_link(file.path()).ok()).any(|file| file == lock)
        };
        if is_git && is_here() || has_open() {
            found.push((pid, words.join(" ").trim().to_owned()));
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_disk_that_fails_is_an_error_of_syncing_a_folder() {
        let error = |code| io::Error::from_raw_os_error(code);
        assert!(is_unsyncable(&error(libc::EINVAL)) && is_unsyncable(&error(libc::ENOTSUP)));
        assert!(!is_unsyncable(&error(libc::EIO)) && !is_unsyncable(&error(libc::ENOSPC)));
    }
}
