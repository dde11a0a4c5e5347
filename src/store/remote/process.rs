//! One process of the user's git, the only program started here, without a shell, and its failures. No text of a remote or of a
//! book becomes an option: names are checked before, and stand behind `--`.
//! Git's messages are classified by their English words and shown without secrets. Nothing else acts on them.

use crate::git::error::StoreError;
use crate::git::filtered::users_git;
use crate::store::book::change::SentKey;
use crate::store::book::lock::Busy;
use crate::store::book::not_writable::NotWritable;
use crate::store::book::repository::OpenError;
use crate::store::book::session::BeginError;
use crate::store::prelude::*;
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
        let (phase, rest) = line.split_once(':').filter(|_| is_progress(line))?;
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

/// The failure of a remote, without any change of the book.
#[derive(Debug, thiserror::Error)]
#[error("{self:?}")]
pub enum RemoteError {
    /// There is no `git` program.
    NoGit,
    /// The book is synced with no remote.
    NoRemote,
    /// The book has several remotes, and none is chosen.
    Several(Vec<String>),
    /// No remote has that name.
    Unknown(String),
    /// The address cannot be given to git.
    BadAddress,
    /// The name for a new address belongs to another one.
    NameTaken(String),
    /// The target folder of a clone is not empty.
    Occupied(std::path::PathBuf),
    /// There is no repository at the address, or the user may not see it.
    NotFound { remote: String, said: Vec<String> },
    /// The repository at the remote is empty, or is no book.
    NoBook { remote: String },
    /// The user's git does not know an extension that the book's repository has.
    OldGit { said: Vec<String> },
    /// The remote can be read from alone, such as a bundle.
    ReadOnly { remote: String },
    /// The remote names its objects by SHA-256, as git 3.0 does in new repositories.
    OtherHash { remote: String, said: Vec<String> },
    /// The remote cannot be reached now.
    Unreachable { remote: String, said: Vec<String> },
    /// The remote asks for a name or a key that the user's git lacks.
    Denied { remote: String, said: Vec<String> },
    /// The remote refuses a ref for a reason of its own: protection, a quota, a hook.
    Refused { remote: String, name: String, reason: String, said: Vec<String> },
    /// Commits that the remote lacks have keys in them.
    Keys {
        remote: String,
        keys: Vec<SentKey>,
        /// A ref by which the first key would go.
        name: String,
    },
    /// A hook of the repository here stopped the push.
    Hook { remote: String, said: Vec<String> },
    /// Git failed for another reason.
    Failed { remote: String, said: Vec<String> },
    /// The remote moved repeatedly while it was written to.
    Moved { remote: String },
    /// The remote has no commit in common with the book.
    Unrelated { remote: String, branch: String },
    /// The local history is shallow, so that two lines cannot be compared.
    Shallow,
    /// A file is too large for code hosts.
    TooLarge {
        path: String,
        bytes: u64,
        /// The abbreviated commit with the file.
        commit: String,
    },
    /// A commit of the remote has a path that a book may not have.
    BadPath { remote: String, path: String },
    /// The clone cannot be opened as a book.
    Open(#[from] OpenError),
    /// The clone cannot be written to.
    NotWritable(#[from] NotWritable),
    /// Another process is writing.
    Busy(#[from] Busy),
    /// The writer's lock was not to be had.
    Begin(#[from] BeginError),
    /// The repository of this copy failed.
    Store(#[from] StoreError),
}

impl RemoteError {
    /// True when the remote is only out of reach, so that work may go on without it.
    pub fn is_out_of_reach(&self) -> bool {
        matches!(
            self,
            Self::NoGit
                | Self::NotFound { .. }
                | Self::OtherHash { .. }
                | Self::OldGit { .. }
                | Self::ReadOnly { .. }
                | Self::Unreachable { .. }
                | Self::Denied { .. }
                | Self::Failed { .. }
                | Self::Refused { .. }
        )
    }
}

/// Lines shown, the last ones.
const SHOWN: usize = 6;

/// The lines of a message for people: without progress, hints, and secrets of addresses.
pub(super) fn lines(said: &str) -> Vec<String> {
    let is_noise = |line: &str| {
        line.is_empty()
            || line.starts_with("hint:")
            || line.starts_with("Please make sure you have the correct access rights")
            || line.starts_with("and the repository exists")
            || line.starts_with("To ")
            || is_progress(line)
    };
    let lines = said.split(['\n', '\r']).map(str::trim).filter(|line| !is_noise(line));
    let mut lines: Vec<String> = lines.map(without_secrets).collect();
    lines.dedup();
    lines.split_off(lines.len().saturating_sub(SHOWN))
}

/// True for a line of progress: `Receiving objects:  42% (8/19)`, also of the remote.
fn is_progress(line: &str) -> bool {
    let line = line.strip_prefix("remote: ").unwrap_or(line);
    const PHASES: [&str; 8] = [
        "Enumerating objects",
        "Counting objects",
        "Compressing objects",
        "Delta compression using",
        "Receiving objects",
        "Resolving deltas",
        "Writing objects",
        "Total ",
    ];
    PHASES.iter().any(|phase| line.starts_with(phase))
}

/// The text without names, passwords and queries in addresses.
pub(super) fn without_secrets(text: &str) -> String {
    let (mut out, mut rest) = (String::new(), text);
    while let Some(at) = rest.find("://") {
        let (before, after) = rest.split_at(at + 3);
        out.push_str(before);
        let end = after.find(|c: char| c.is_whitespace() || matches!(c, '\'' | '"' | '<' | '>')).unwrap_or(after.len());
        let (address, tail) = after.split_at(end);
        let host_end = address.find('/').unwrap_or(address.len());
        let host = address[..host_end].rsplit('@').next().unwrap_or_default();
        out.push_str(host);
        let path = &address[host_end..];
        match path.split_once('?') {
            Some((path, query)) => {
                out.push_str(path);
                // A mark of git's sentence behind the address stays.
                out.push_str(if query.ends_with(':') { ":" } else { "" });
            }
            None => out.push_str(path),
        }
        rest = tail;
    }
    out.push_str(rest);
    out
}

/// Classifies git's messages.
pub(super) fn failure(remote: &str, said: &str) -> RemoteError {
    let has = |parts: &[&str]| parts.iter().any(|part| said.contains(part));
    let remote = without_secrets(remote);
    let lines = lines(said);
    const DENIED: [&str; 8] = [
        "Authentication failed",
        "could not read Username",
        "could not read Password",
        "terminal prompts disabled",
        "Permission denied (",
        "Host key verification failed",
        "returned error: 403",
        "returned error: 401",
    ];
    const MISSING: [&str; 4] =
        ["does not appear to be a git repository", "not found", "Repository not found", "does not exist"];
    const AWAY: [&str; 14] = [
        "Could not resolve host",
        "Could not connect",
        "Failed to connect",
        "Connection refused",
        "Connection reset",
        "Connection timed out",
        "Connection closed",
        "Network is unreachable",
        "No route to host",
        "Operation timed out",
        "unable to access",
        "hung up unexpectedly",
        "Could not read from remote repository",
        "early EOF",
    ];
    // Of a push, and of a fetch.
    const OTHER_HASH: [&str; 2] = ["does not support this repository's hash algorithm", "mismatched algorithms"];
    if has(&["unknown repository extension"]) {
        RemoteError::OldGit { said: lines }
    } else if has(&["transport does not support --force-with-lease"]) {
        RemoteError::ReadOnly { remote }
    } else if has(&OTHER_HASH) {
        RemoteError::OtherHash { remote, said: lines }
    } else if has(&DENIED) {
        RemoteError::Denied { remote, said: lines }
    } else if has(&MISSING) {
        RemoteError::NotFound { remote, said: lines }
    } else if has(&AWAY) {
        RemoteError::Unreachable { remote, said: lines }
    } else {
        RemoteError::Failed { remote, said: lines }
    }
}

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

    #[test]
    fn addresses_are_shown_without_names_keys_and_queries() {
        for (said, shown) in [
            ("https://me:glpat-SECRET@git.example/x.git", "https://git.example/x.git"),
            (
                "fatal: unable to access 'https://a:b@c@h/x?private_token=SECRET': no route",
                "fatal: unable to access 'https://h/x': no route",
            ),
            ("a ssh://git@h:22/x and http://t@i/", "a ssh://h:22/x and http://i/"),
            ("/srv/书.git", "/srv/书.git"),
            ("git@h:me/book.git", "git@h:me/book.git"),
        ] {
            assert_eq!(without_secrets(said), shown);
        }
    }

    #[test]
    fn gits_words_are_told_apart() {
        let class = |said: &str| failure("origin", said);
        assert!(matches!(class("fatal: Authentication failed for 'https://h/'"), RemoteError::Denied { .. }));
        assert!(matches!(class("git@h: Permission denied (publickey)."), RemoteError::Denied { .. }));
        assert!(matches!(class("fatal: repository 'https://h/x/' not found"), RemoteError::NotFound { .. }));
        let old = "fatal: unknown repository extension found:\n\trelativeworktrees\nfatal: 'origin' does not appear to be a git repository";
        assert!(matches!(class(old), RemoteError::OldGit { .. }));
        assert!(matches!(class("ssh: Could not resolve hostname h"), RemoteError::Unreachable { .. }));
        assert!(matches!(class("fatal: the disk of the moon is full"), RemoteError::Failed { .. }));
    }

    #[test]
    fn progress_and_hints_are_left_out_of_what_is_shown() {
        let said =
            "Counting objects: 10% (1/10)\rCounting objects: 100% (10/10)\nremote: no space\nhint: try\nfatal: x\n";
        assert_eq!(lines(said), ["remote: no space", "fatal: x"]);
    }
}
