//! Paging of long answers, as in git.

use crate::commands::cli::environment::Environment;
use crate::commands::system;
use crate::report::style::Colour;
use std::io;
use std::process::Stdio;

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Pager {
    /// The command, with the user's flags.
    command: String,
    /// The folders of the user's programs.
    folders: Option<String>,
    /// Variables that the user has not set: colours, quit when all fits, leave the text there; UTF-8 in any locale.
    defaults: Vec<(&'static str, &'static str)>,
    /// True when the user has chosen neither a pager nor its options, and may not know its keys.
    pub(crate) unchosen: bool,
}

impl Pager {
    /// The user's pager: `GIT_PAGER`, else `PAGER`, else `less`. `None` for `cat`.
    pub(crate) fn of(environment: &Environment) -> Option<Self> {
        let named = ["GIT_PAGER", "PAGER"].into_iter().find_map(|name| environment.var(name));
        let command = Some(named.unwrap_or("less").trim()).filter(|command| !matches!(*command, "" | "cat"))?;
        let unset = |(name, _): &(&str, &str)| environment.var(name).is_none();
        let defaults = [("LESS", "FRX"), ("LESSCHARSET", "utf-8"), ("LV", "-c")].into_iter().filter(unset).collect();
        let unchosen = named.is_none() && environment.var("LESS").is_none();
        let folders = environment.folders_of_programs();
        Some(Self { command: command.to_owned(), folders: folders.map(str::to_owned), defaults, unchosen })
    }

    /// Pipes the text to the pager and waits for it. Fails when the pager cannot be started; nothing has been shown
    /// then.
    pub(crate) fn page(&self, text: &str, colour: Colour) -> io::Result<()> {
        // Through a shell, because the user may have written flags; `exec` so that a missing pager is the shell's 127.
        let mut shell = system::shell_command(self.folders.as_deref());
        shell.arg("-c").arg(format!("exec {}", self.command)).stdin(Stdio::piped());
        let mut child = shell.envs(self.defaults.iter().copied()).spawn()?;
        if let Some(stdin) = child.stdin.take() {
            super::writer::page(stdin, text, colour);
        }
        match child.wait()?.code() {
            Some(126 | 127) => Err(io::Error::other("the pager cannot be started")),
            _ => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_users_pager_is_used_and_cat_is_none() {
        let named =
            |vars: &[(&str, &str)]| Pager::of(&Environment::of(vars.iter().copied())).map(|pager| pager.command);
        assert_eq!(named(&[]).as_deref(), Some("less"));
        assert_eq!(named(&[("PAGER", "more")]).as_deref(), Some("more"));
        assert_eq!(named(&[("GIT_PAGER", "delta --dark"), ("PAGER", "more")]).as_deref(), Some("delta --dark"));
        assert_eq!(named(&[("GIT_PAGER", "cat"), ("PAGER", "more")]), None);
        let unchosen = |vars: &[(&str, &str)]| Pager::of(&Environment::of(vars.iter().copied())).unwrap().unchosen;
        assert!(unchosen(&[]) && !unchosen(&[("PAGER", "less")]) && !unchosen(&[("LESS", "i")]));
    }

    #[cfg(unix)]
    #[test]
    fn a_pager_that_is_not_there_is_noticed() {
        let usual = Pager::of(&Environment::of([])).unwrap();
        let pager = |command: &str| Pager { command: command.to_owned(), ..usual.clone() };
        assert!(pager("novel-no-such-pager 2>/dev/null").page("text", Colour::Off).is_err());
        assert!(pager("true").page("text", Colour::Off).is_ok());
    }
}
