//! The same program under the name that `git novel` looks for.
use std::process::ExitCode;

fn main() -> ExitCode {
    novel::commands::main()
}
