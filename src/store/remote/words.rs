//! Git's messages, classified by their English words and shown without secrets. Nothing else acts on them.

use super::error::RemoteError;

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
pub(super) fn is_progress(line: &str) -> bool {
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
