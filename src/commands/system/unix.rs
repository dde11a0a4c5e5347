//! The calls on Linux, macOS and other Unix systems.

use std::io;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use jiff::tz::TimeZone;

/// Variables that name the home folder, the first that is set.
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

/// True when the terminal shows colours and is not only able to: every terminal does.
pub(crate) fn shows_escapes() -> bool {
    true
}

/// Whether others on this machine may read a file.
/// Fails when there is no such file.
pub(crate) fn is_readable_by_others(path: &Path) -> io::Result<bool> {
    Ok(std::fs::metadata(path)?.permissions().mode() & 0o077 != 0)
}

/// The shell that starts a pager with the user's flags.
pub(crate) fn shell(_: Option<&str>) -> PathBuf {
    PathBuf::from("sh")
}

/// The zone of the system's clock. The library would look for its name as well, in all the folders of zones: a tenth of the time
/// of `novel status`.
pub(crate) fn time_zone() -> Option<TimeZone> {
    static ZONE: OnceLock<Option<TimeZone>> = OnceLock::new();
    ZONE.get_or_init(|| TimeZone::tzif("local", &std::fs::read("/etc/localtime").ok()?).ok()).clone()
}

/// The language that the system is set to beside the variables that name one: variables say it all here.
pub(crate) fn locale() -> Option<String> {
    None
}
