//! Calls for the terminal and the user's files that differ between systems, with equal functions for each. The store
//! has its own ([`crate::store`]), because only this room may look at the terminal and the environment.

use std::path::Path;
use std::process::Command;

#[cfg(unix)]
mod unix;
#[cfg(unix)]
pub(crate) use unix::*;

#[cfg(windows)]
mod windows;
#[cfg(windows)]
pub(crate) use windows::*;

/// A program that a Ctrl-C at this one's terminal does not reach: it would be a second one where the program is asked to end.
pub(crate) fn command_of_its_own(program: &Path) -> Command {
    let mut command = Command::new(program);
    in_group_of_its_own(&mut command);
    command
}

/// The shell for commands of the user's own, which may have flags. `folders` are those of programs, as the system writes
/// them.
pub(crate) fn shell_command(folders: Option<&str>) -> Command {
    let shell = shell(folders);
    let mut command = Command::new(&shell);
    if let Some(tools) = shell.parent().filter(|folder| folder.is_absolute()) {
        // A shell outside the path has its programs beside it.
        let folders = folders.into_iter().flat_map(std::env::split_paths).chain([tools.to_owned()]);
        command.env("PATH", std::env::join_paths(folders).unwrap_or_default());
    }
    command
}
