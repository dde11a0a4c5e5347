//! The program: hands the process over to [`novel::commands`].
use std::process::ExitCode;

fn main() -> ExitCode {
    novel::commands::main()
}
