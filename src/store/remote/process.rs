//! One process of the user's git, the only program started here, without a shell. No text of a remote or of a book
//! becomes an option: names are checked before, and stand behind `--`.

use crate::git::filtered::users_git;
use crate::store::prelude::*;
use crate::store::remote::error::{self, RemoteError};
use std::io::{Read, Write as _};
use std::process::{Command, Stdio};

#[derive(Debug, Clone)]
pub struct GitProgram {
    /// A name on the `PATH`, or a path.
    pub program: PathBuf,
    /// True when git may ask on the terminal for names and passwords. The user's own helpers are always asked.
    pub may_ask: bool,
    pub progress: bool,
}

/// Settings for every call: no packing in between, objects on the disk before a ref names them, plain names.
const SETTINGS: [&str; 6] = [
    "gc.auto=0",
    "maintenance.auto=false",
    "core.fsync=all",
    "core.quotePath=false",
    "push.followTags=false",
    "submodule.recurse=false",
];

/// Progress: the phase, and a percentage.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Transfer {
    /// Git's name of the phase: `Receiving objects`.
    pub phase: String,
    /// 0 to 100.
    pub percent: u8,
}

impl Transfer {
    fn parse(line: &str) -> Option<Self> {
        let line = line.trim().strip_prefix("remote: ").unwrap_or(line.trim());
        let (phase, rest) = line.split_once(':').filter(|_| error::is_progress(line))?;
        let percent = rest.trim_start().split('%').next()?.parse().ok().filter(|percent| *percent <= 100)?;
        Some(Self { phase: phase.to_owned(), percent })
    }
}

/// The output of a process, and its exit code.
pub(super) struct Finished {
    pub(super) succeeded: bool,
    pub(super) code: Option<i32>,
    pub(super) stdout: String,
    pub(super) said: String,
}

pub(super) type Listener<'l> = &'l dyn Fn(Transfer);

impl GitProgram {
    /// Mirrors the repository at `url` to the folder `to`. Returns false for any failure: the copy is one source among
    /// several.
    pub(crate) fn mirrors(&self, folder: &Path, url: &str, to: &Path) -> bool {
        let mut command = self.command(folder);
        command.args(["clone", "--quiet", "--mirror", "--", url]).arg(to);
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        command.status().is_ok_and(|status| status.success())
    }

    /// Runs git in `folder` with `input` as its standard input.
    pub(super) fn run(
        &self,
        folder: &Path,
        args: &[String],
        input: &str,
        listener: Listener<'_>,
    ) -> Result<Finished, RemoteError> {
        let mut command = self.command(folder);
        command.args(args).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let failed = |e| StoreError::io("running git in", folder, e);
        let mut child = command.spawn().map_err(|e| match e.kind() {
            std::io::ErrorKind::NotFound if folder.is_dir() => RemoteError::NoGit,
            _ => failed(e).into(),
        })?;
        let (stdin, stdout, stderr) = (child.stdin.take(), child.stdout.take(), child.stderr.take());
        let (stdout, said) = std::thread::scope(|scope| {
            // Git reports a reader that ends early.
            let writer = scope.spawn(move || stdin.map(|mut stdin| stdin.write_all(input.as_bytes())));
            let reader = scope.spawn(move || {
                let mut bytes = Vec::new();
                stdout.map(|mut stdout| stdout.read_to_end(&mut bytes)).transpose().map(|_| bytes)
            });
            let said = stderr.map(|stderr| heard(stderr, listener)).transpose();
            let _ = writer.join();
            let stdout = reader.join().unwrap_or_else(|_| Ok(Vec::new()));
            (stdout, said)
        });
        let status = child.wait().map_err(failed)?;
        let text = |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).into_owned();
        Ok(Finished {
            succeeded: status.success(),
            code: status.code(),
            stdout: text(stdout.map_err(failed)?),
            said: said.map_err(failed)?.unwrap_or_default(),
        })
    }

    fn command(&self, folder: &Path) -> Command {
        let mut command = users_git(&self.program);
        // libgit2 cannot read the formats that git 3.0 gives to new repositories, clones among them.
        command.env("GIT_DEFAULT_REF_FORMAT", "files").env("GIT_DEFAULT_HASH", "sha1");
        // Git's messages are classified by their English words.
        command.env("LC_ALL", "C").env("LANGUAGE", "C");
        if !self.may_ask {
            command.env("GIT_TERMINAL_PROMPT", "0");
        }
        command.current_dir(folder);
        for setting in SETTINGS {
            command.args(["-c", setting]);
        }
        command
    }
}

/// Reads git's messages until their end, and reports progress.
fn heard(mut stderr: impl Read, listener: Listener<'_>) -> std::io::Result<String> {
    let (mut all, mut line) = (Vec::new(), Vec::new());
    let mut buffer = [0; 4096];
    loop {
        let read = match stderr.read(&mut buffer) {
            Ok(0) => break,
            Ok(read) => read,
            Err(e) if e.kind() == std::io::ErrorKind::Interrupted => continue,
            Err(e) => return Err(e),
        };
        for byte in &buffer[..read] {
            if matches!(byte, b'\n' | b'\r') {
                if let Some(transfer) = Transfer::parse(&String::from_utf8_lossy(&line)) {
                    listener(transfer);
                }
                line.clear();
            } else {
                line.push(*byte);
            }
        }
        // A remote may send any amount of text; its end counts.
        all.extend_from_slice(&buffer[..read]);
        let excess = all.len().saturating_sub(MOST_SAID);
        all.drain(..excess);
    }
    Ok(String::from_utf8_lossy(&all).into_owned())
}

/// In bytes.
const MOST_SAID: usize = 256 << 10;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn progress_is_read_from_gits_lines() {
        let of = |line| Transfer::parse(line).map(|transfer| (transfer.phase, transfer.percent));
        assert_eq!(of("Receiving objects:  42% (8/19)"), Some(("Receiving objects".to_owned(), 42)));
        assert_eq!(of("remote: Counting objects: 100% (3/3), done."), Some(("Counting objects".to_owned(), 100)));
        for other in ["remote: hello: 5%", "Receiving objects: lots", "", "fatal: 7% x"] {
            assert_eq!(of(other), None, "{other}");
        }
    }
}
