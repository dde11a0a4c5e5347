//! Paging of long answers, as git does it.

use crate::commands::environment::Environment;
use std::io::{self, Write as _};
use std::process::{Command, Stdio};

/// The pager's command: `GIT_PAGER`, else `PAGER`, else `less`. `None` when the user has named `cat` or nothing.
pub(crate) fn command(environment: &Environment) -> Option<String> {
    let named = ["GIT_PAGER", "PAGER"].into_iter().find_map(|name| environment.var(name));
    Some(named.unwrap_or("less").trim()).filter(|command| !matches!(*command, "" | "cat")).map(str::to_owned)
}

/// Gives the text to the pager and waits until the reader is done.
///
/// # Errors
/// When the pager cannot be started; nothing has been shown then.
pub(crate) fn page(command: &str, text: &str) -> io::Result<()> {
    // Through a shell, because the user may have written flags; `exec` so that a missing pager is the shell's 127.
    let mut shell = Command::new("sh");
    shell.arg("-c").arg(format!("exec {command}")).stdin(Stdio::piped());
    for (name, value) in [("LESS", "FRX"), ("LV", "-c")] {
        if std::env::var_os(name).is_none() {
            shell.env(name, value);
        }
    }
    let mut child = shell.spawn()?;
    if let Some(mut stdin) = child.stdin.take() {
        // A reader who quits early has seen enough.
        let _ = stdin.write_all(text.as_bytes());
    }
    match child.wait()?.code() {
        Some(126 | 127) => Err(io::Error::other("the pager cannot be started")),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_users_pager_is_used_and_cat_is_none() {
        let named = |vars: &[(&str, &str)]| command(&Environment::of(vars.iter().copied()));
        assert_eq!(named(&[]).as_deref(), Some("less"));
        assert_eq!(named(&[("PAGER", "more")]).as_deref(), Some("more"));
        assert_eq!(named(&[("GIT_PAGER", "delta --dark"), ("PAGER", "more")]).as_deref(), Some("delta --dark"));
        assert_eq!(named(&[("GIT_PAGER", "cat"), ("PAGER", "more")]), None);
    }

    #[cfg(unix)]
    #[test]
    fn a_pager_that_is_not_there_is_noticed() {
        assert!(page("novel-no-such-pager 2>/dev/null", "text").is_err());
        assert!(page("true", "text").is_ok());
    }
}
