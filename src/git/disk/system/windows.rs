//! The calls on Windows.

use std::fs::{self, File, Metadata, OpenOptions};
use std::io;
use std::os::windows::fs::{MetadataExt as _, OpenOptionsExt as _};
use std::os::windows::io::AsRawHandle as _;
use std::os::windows::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use windows_sys::Win32::Foundation::{
    ERROR_ACCESS_DENIED, ERROR_CALL_NOT_IMPLEMENTED, ERROR_INVALID_FUNCTION, ERROR_INVALID_HANDLE,
    ERROR_INVALID_PARAMETER, ERROR_LOCK_VIOLATION, ERROR_NOT_SUPPORTED, ERROR_SHARING_VIOLATION,
    ERROR_USER_MAPPED_FILE, GENERIC_WRITE, HANDLE,
};
use windows_sys::Win32::Storage::FileSystem::{
    BY_HANDLE_FILE_INFORMATION, FILE_ADD_FILE, FILE_FLAG_BACKUP_SEMANTICS, FILE_SHARE_DELETE, FILE_SHARE_READ,
    FILE_SHARE_WRITE, GetFileInformationByHandle,
};
use windows_sys::Win32::System::Threading::{CREATE_NEW_PROCESS_GROUP, CREATE_NO_WINDOW};

use super::{FileId, FileTime, IndexStat, is_taken_on_windows, processes};

/// True where one call brings a whole file system to the disk. Here that takes an administrator.
pub(crate) const SYNCS_FILE_SYSTEMS: bool = false;
/// The mode in which libgit2 shares the files that it opens with other programs: they may be renamed and removed, as on
/// other systems. Its own default forbids that, to ourselves as well.
pub(crate) const LIBGIT2_SHARE_MODE: Option<u32> = Some(FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE);
/// Bytes of names that fit into a command: the system takes some thirty thousand characters.
pub(crate) const COMMAND_ROOM: usize = 20_000;
/// Settings that a book's repository needs on this system alone: git would not see files below a path of more than 260
/// characters.
pub(crate) const SETTINGS: &[(&str, &str)] = &[("core.longPaths", "true")];

/// Milliseconds between the attempts to rename or remove a file that another program has open; two seconds in all.
/// Scanners and indexers open every new file for moments.
const PAUSES: [u64; 11] = [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024];

/// Tries again while another program is in the way.
fn patiently<T>(mut attempt: impl FnMut() -> io::Result<T>, can_pass: impl Fn(&io::Error) -> bool) -> io::Result<T> {
    for pause in PAUSES {
        match attempt() {
            Err(error) if can_pass(&error) => std::thread::sleep(Duration::from_millis(pause)),
            done => return done,
        }
    }
    attempt()
}

/// True for the errors that a file gives which another program has open.
fn is_in_use(error: &io::Error) -> bool {
    let known = [ERROR_ACCESS_DENIED, ERROR_SHARING_VIOLATION, ERROR_LOCK_VIOLATION, ERROR_USER_MAPPED_FILE];
    is_one_of(error, &known)
}

fn is_one_of(error: &io::Error, known: &[u32]) -> bool {
    error.raw_os_error().is_some_and(|code| known.contains(&(code as u32)))
}

/// Gives the file `from` the name `to`, in one step; a file that had it is gone then, read-only or not. Waits a bounded
/// time for programs that have one of them open.
pub(crate) fn rename(from: &Path, to: &Path) -> io::Result<()> {
    let attempt = || match fs::rename(from, to) {
        Err(e) if is_in_use(&e) && is_read_only_file(to) => unlocked(to, || fs::rename(from, to)),
        renamed => renamed,
    };
    // A folder is never replaced.
    patiently(attempt, |error| is_in_use(error) && !to.is_dir())
}

/// Removes a file, read-only or not. Waits a bounded time for programs that have it open.
pub(crate) fn remove_file(path: &Path) -> io::Result<()> {
    let attempt = || match fs::remove_file(path) {
        Err(e) if is_in_use(&e) && is_read_only_file(path) => unlocked(path, || fs::remove_file(path)),
        removed => removed,
    };
    patiently(attempt, |error| is_in_use(error) && !path.is_dir())
}

/// Does something that the read-only mark of a file forbids; the mark stays where it fails.
fn unlocked<T>(path: &Path, work: impl FnOnce() -> io::Result<T>) -> io::Result<T> {
    set_read_only(path, false)?;
    work().inspect_err(|_| drop(set_read_only(path, true)))
}

fn is_read_only_file(path: &Path) -> bool {
    fs::symlink_metadata(path).is_ok_and(|meta| meta.is_file() && meta.permissions().readonly())
}

fn set_read_only(path: &Path, on: bool) -> io::Result<()> {
    let mut permissions = fs::metadata(path)?.permissions();
    permissions.set_readonly(on);
    fs::set_permissions(path, permissions)
}

/// Brings the content of a file to the disk. The system wants the right to write for that, which a read-only file (git
/// makes its objects so) gives only while it is not.
pub(crate) fn sync_file(path: &Path) -> io::Result<()> {
    let sync = || OpenOptions::new().write(true).open(path)?.sync_all();
    match sync() {
        Err(e) if is_one_of(&e, &[ERROR_ACCESS_DENIED]) && is_read_only_file(path) => {
            unlocked(path, sync)?;
            set_read_only(path, true)
        }
        synced => synced,
    }
}

/// Brings the names in a folder to the disk.
pub(crate) fn sync_folder(folder: &Path) -> io::Result<()> {
    let mut options = OpenOptions::new();
    options.access_mode(GENERIC_WRITE).custom_flags(FILE_FLAG_BACKUP_SEMANTICS);
    options.open(folder)?.sync_all()
}

/// Brings everything that was written to the file system of `file` to the disk; only where [`SYNCS_FILE_SYSTEMS`].
pub(crate) fn sync_file_system(_: &File) -> io::Result<()> {
    Ok(())
}

/// Whether the error says that folders cannot be synced here at all: that is no failure of the disk. NTFS keeps a log
/// of its names; FAT and network shares may refuse.
pub(crate) fn is_unsyncable(e: &io::Error) -> bool {
    let known = [
        ERROR_INVALID_FUNCTION,
        ERROR_ACCESS_DENIED,
        ERROR_INVALID_HANDLE,
        ERROR_SHARING_VIOLATION,
        ERROR_NOT_SUPPORTED,
        ERROR_INVALID_PARAMETER,
        ERROR_CALL_NOT_IMPLEMENTED,
    ];
    is_one_of(e, &known)
}

/// True when the user may make files in the folder. The read-only mark of a folder does not say so: it means something
/// else.
pub(crate) fn is_writable(folder: &Path) -> bool {
    let mut options = OpenOptions::new();
    options.access_mode(FILE_ADD_FILE).custom_flags(FILE_FLAG_BACKUP_SEMANTICS);
    match options.open(folder) {
        Err(e) => is_one_of(&e, &[ERROR_SHARING_VIOLATION]),
        Ok(_) => true,
    }
}

/// Lets the file be run as a program. Git for Windows runs hooks by their first line, and no file has such a
/// permission.
pub(crate) fn make_executable(path: &Path) -> io::Result<()> {
    fs::metadata(path).map(drop)
}

/// Returns the id of the file or folder that a path leads to, if it is there.
#[expect(unsafe_code, reason = "the standard library does not tell the number of a file")]
pub(crate) fn file_id(path: &Path) -> Option<FileId> {
    let file = OpenOptions::new().access_mode(0).custom_flags(FILE_FLAG_BACKUP_SEMANTICS).open(path).ok()?;
    let mut information = BY_HANDLE_FILE_INFORMATION::default();
    // SAFETY: the handle is open for the length of the call, which writes one structure to the pointer.
    let told = unsafe { GetFileInformationByHandle(file.as_raw_handle() as HANDLE, &raw mut information) };
    let number = u64::from(information.nFileIndexHigh) << 32 | u64::from(information.nFileIndexLow);
    (told != 0).then_some(FileId { disk: u64::from(information.dwVolumeSerialNumber), number })
}

/// A time that the system counts in steps of 100 ns since 1601.
fn since_1970(filetime: u64) -> FileTime {
    const FROM_1601_TO_1970: u64 = 11_644_473_600;
    let seconds = (filetime / 10_000_000).saturating_sub(FROM_1601_TO_1970);
    FileTime { seconds: seconds as u32, nanoseconds: (filetime % 10_000_000) as u32 * 100 }
}

/// Modification time as git keeps it.
pub(crate) fn mtime(meta: &Metadata) -> FileTime {
    since_1970(meta.last_write_time())
}

/// Inode number as git keeps it: git for Windows always notes 0.
pub(crate) fn inode(_: &Metadata) -> u32 {
    0
}

/// The other figures that git keeps of a file: the time of its making; git for Windows notes 0 for all others.
pub(crate) fn index_stat(meta: &Metadata) -> IndexStat {
    IndexStat { ctime: since_1970(meta.creation_time()), ..IndexStat::default() }
}

/// Starts the command in a group of its own, so that the author's Ctrl-C does not reach it, and without a window.
pub(crate) fn apart(command: &mut Command) {
    command.creation_flags(CREATE_NEW_PROCESS_GROUP | CREATE_NO_WINDOW);
}

/// True when a file of the book may have this name here.
pub(crate) fn is_file_name(name: &str) -> bool {
    !is_taken_on_windows(name)
}

/// Process id and command line of the gits that work in one of `folders`. A program that has `lock` open need not be
/// looked for: git opens its locks so that the system lets no other program remove them.
pub(crate) fn processes_using(_: &Path, folders: &[PathBuf]) -> Vec<(u32, String)> {
    let is_git = |name: &str| {
        let name = name.to_ascii_lowercase();
        (name == "git.exe" || name.starts_with("git-")) && name != "git-novel.exe"
    };
    let mut found = Vec::new();
    for pid in processes::named(is_git).into_iter().filter(|pid| *pid != std::process::id()) {
        if let Some(process) = processes::look(pid)
            && let Ok(at) = process.folder.canonicalize()
            && folders.iter().any(|folder| at.starts_with(folder))
        {
            found.push((pid, process.command));
        }
    }
    found
}
