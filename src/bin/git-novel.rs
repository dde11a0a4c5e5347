//! `git novel`: starts the program `novel` that is installed beside this one.

use std::io::Write as _;
use std::path::PathBuf;
use std::process::{Command, ExitCode};

fn main() -> ExitCode {
    let name = format!("novel{}", std::env::consts::EXE_SUFFIX);
    let beside = std::env::current_exe().map(|program| program.with_file_name(&name));
    let program = beside.ok().filter(|path| path.is_file()).unwrap_or_else(|| PathBuf::from(&name));
    let mut command = Command::new(&program);
    command.args(std::env::args_os().skip(1));
    let error = match run(command) {
        Ok(code) => return code,
        Err(error) => error,
    };
    // A closed standard error leaves only the exit code.
    let _ = writeln!(std::io::stderr(), "git-novel: {}: {error}", program.display());
    ExitCode::from(127)
}

/// Puts the program in the place of this one, under the name by which its messages speak of `git novel`.
#[cfg(unix)]
fn run(mut command: Command) -> std::io::Result<ExitCode> {
    use std::os::unix::process::CommandExt as _;
    Err(command.arg0("git-novel").exec())
}

#[cfg(not(unix))]
fn run(mut command: Command) -> std::io::Result<ExitCode> {
    let code = command.status()?.code().and_then(|code| u8::try_from(code).ok());
    Ok(code.map_or(ExitCode::FAILURE, ExitCode::from))
}
