//! The calls on Windows.

use std::io;
use std::os::windows::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::Command;

use jiff::tz::TimeZone;
use windows_sys::Win32::Foundation::INVALID_HANDLE_VALUE;
use windows_sys::Win32::Globalization::GetUserDefaultLocaleName;
use windows_sys::Win32::System::Console::{
    CONSOLE_SCREEN_BUFFER_INFO, ENABLE_VIRTUAL_TERMINAL_PROCESSING, GetConsoleMode, GetConsoleScreenBufferInfo,
    GetStdHandle, STD_ERROR_HANDLE, STD_OUTPUT_HANDLE, SetConsoleMode,
};
use windows_sys::Win32::System::Threading::CREATE_NEW_PROCESS_GROUP;

/// Variables with the home folder, first found first: git's shell sets the one, the system the other.
pub(crate) const HOME: &[&str] = &["HOME", "USERPROFILE"];

/// The zone of the system's clock, if it is faster than the library; it is not.
pub(crate) fn time_zone() -> Option<TimeZone> {
    None
}

/// Columns and rows of the console behind stdout or stderr.
#[expect(unsafe_code, reason = "none of the dependencies tells the size of a terminal")]
pub(crate) fn terminal_size() -> Option<(usize, usize)> {
    [STD_OUTPUT_HANDLE, STD_ERROR_HANDLE].into_iter().find_map(|stream| {
        let mut info = CONSOLE_SCREEN_BUFFER_INFO::default();
        // SAFETY: a handle of the process's own streams; the call writes one structure to the pointer, and fails where
        // the stream is not a console.
        let told = unsafe { GetConsoleScreenBufferInfo(GetStdHandle(stream), &raw mut info) };
        let window = info.srWindow;
        let length = |first: i16, last: i16| usize::try_from(i32::from(last) - i32::from(first) + 1).ok();
        let size = (length(window.Left, window.Right)?, length(window.Top, window.Bottom)?);
        (told != 0 && size.0 > 0).then_some(size)
    })
}

/// Makes the consoles behind stdout and stderr show escape sequences, and returns whether they do. True for pipes and
/// files.
#[expect(unsafe_code, reason = "the system's own calls")]
pub(crate) fn shows_escapes() -> bool {
    [STD_OUTPUT_HANDLE, STD_ERROR_HANDLE].into_iter().all(|stream| {
        let mut mode = 0;
        // SAFETY: a handle of the process's own streams; the calls write one number to the pointer and fail where the
        // stream is not a console.
        unsafe {
            let console = GetStdHandle(stream);
            console.is_null()
                || console == INVALID_HANDLE_VALUE
                || GetConsoleMode(console, &raw mut mode) == 0
                || mode & ENABLE_VIRTUAL_TERMINAL_PROCESSING != 0
                || SetConsoleMode(console, mode | ENABLE_VIRTUAL_TERMINAL_PROCESSING) != 0
        }
    })
}

/// True when other users may read a file. The folders of a user's settings are the user's alone. Fails when there is no
/// file.
pub(crate) fn is_readable_by_others(path: &Path) -> io::Result<bool> {
    std::fs::metadata(path).map(|_| false)
}

/// The system's language: `zh-CN`.
#[expect(unsafe_code, reason = "the system's own call")]
pub(crate) fn locale() -> Option<String> {
    const LONGEST: usize = 85;
    let mut name = [0; LONGEST];
    // SAFETY: at most as many units are written as the array has.
    let length = unsafe { GetUserDefaultLocaleName(name.as_mut_ptr(), LONGEST as i32) };
    // The last unit is a zero.
    let length = usize::try_from(length).ok().filter(|length| *length > 1)?;
    String::from_utf16(&name[..length - 1]).ok()
}

pub(super) fn in_group_of_its_own(command: &mut Command) {
    command.creation_flags(CREATE_NEW_PROCESS_GROUP);
}

/// False: Ctrl-C reaches only the processes of one console here.
pub(crate) fn interrupt(_: u32) -> bool {
    false
}

/// The shell that starts a pager with the user's flags: the one on the `path`, or that of git for Windows, whose
/// installer puts only git there.
pub(crate) fn shell(path: Option<&str>) -> PathBuf {
    let folders = || path.into_iter().flat_map(std::env::split_paths);
    let of_git = |folder: &PathBuf| {
        let is_git = folder.join("git.exe").is_file();
        is_git.then(|| folder.parent().map(|root| root.join("usr").join("bin"))).flatten()
    };
    let programs = folders().chain(folders().filter_map(|folder| of_git(&folder))).map(|folder| folder.join("sh.exe"));
    let found = programs.filter(|program| program.is_absolute()).find(|program| program.is_file());
    found.unwrap_or_else(|| PathBuf::from("sh"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_shell_of_git_is_found_beside_it() {
        let home = tempfile::tempdir().unwrap();
        for file in ["Git/cmd/git.exe", "Git/usr/bin/sh.exe"] {
            let file = home.path().join(file);
            std::fs::create_dir_all(file.parent().unwrap()).unwrap();
            std::fs::write(file, "").unwrap();
        }
        let path = home.path().join("Git").join("cmd").display().to_string();
        assert_eq!(shell(Some(&path)), home.path().join("Git").join("usr").join("bin").join("sh.exe"));
        assert_eq!(shell(None), PathBuf::from("sh"));
    }
}
