//! The calls on Linux, macOS and other Unix systems.

use std::io;
use std::os::unix::fs::PermissionsExt as _;
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

use jiff::tz::TimeZone;

/// Variables with the home folder, first found first.
pub(crate) const HOME: &[&str] = &["HOME"];

/// Columns and rows of the terminal behind stdout or stderr.
#[expect(unsafe_code, reason = "none of the dependencies tells the size of a terminal")]
pub(crate) fn terminal_size() -> Option<(usize, usize)> {
    [libc::STDOUT_FILENO, libc::STDERR_FILENO].into_iter().find_map(|stream| {
        let mut size = libc::winsize { ws_row: 0, ws_col: 0, ws_xpixel: 0, ws_ypixel: 0 };
        // SAFETY: TIOCGWINSZ writes one `winsize` to the pointer, which points to one for the length of the call.
        let failed = unsafe { libc::ioctl(stream, libc::TIOCGWINSZ, &raw mut size) };
        (failed == 0 && size.ws_col > 0).then_some((usize::from(size.ws_col), usize::from(size.ws_row)))
    })
}

/// True: every terminal shows colours.
pub(crate) fn shows_escapes() -> bool {
    true
}

/// True when other users may read a file. Fails when there is no file.
pub(crate) fn is_readable_by_others(path: &Path) -> io::Result<bool> {
    Ok(std::fs::metadata(path)?.permissions().mode() & 0o077 != 0)
}

pub(super) fn in_group_of_its_own(command: &mut Command) {
    command.process_group(0);
}

/// Asks a process to end as Ctrl-C does. False when there is no such process any more.
pub(crate) fn interrupt(id: u32) -> bool {
    let id = i32::try_from(id).ok().and_then(rustix::process::Pid::from_raw);
    id.is_some_and(|id| rustix::process::kill_process(id, rustix::process::Signal::INT).is_ok())
}

/// The shell that starts a pager with the user's flags.
pub(crate) fn shell(_: Option<&str>) -> PathBuf {
    PathBuf::from("sh")
}

/// The zone of the system's clock. The library would also search all folders of zones for its name: a tenth of the time
/// of `novel status`.
pub(crate) fn time_zone() -> Option<TimeZone> {
    static ZONE: OnceLock<Option<TimeZone>> = OnceLock::new();
    ZONE.get_or_init(|| TimeZone::tzif("local", &std::fs::read("/etc/localtime").ok()?).ok()).clone()
}

/// The system's language outside of variables, which Unix does not have.
pub(crate) fn locale() -> Option<String> {
    None
}
