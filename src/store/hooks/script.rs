//! The text of the hooks, and how ours are told from others.
//!
//! The scripts under `hooks/` are built into the program. An installed one has the program's path in it and ends with a
//! checksum of itself, so that a script that the author has changed is neither replaced nor removed.

use std::path::Path;

use sha1::{Digest as _, Sha1};

use crate::domain::named::named;

named! {
    /// A git hook that the program has something to say in.
    pub enum GitHook {
        /// Before a commit: the staged files are looked at.
        PreCommit = "pre-commit",
        /// After the message was written.
        CommitMsg = "commit-msg",
        /// After another branch or commit was checked out.
        PostCheckout = "post-checkout",
        /// After a merge or a pull.
        PostMerge = "post-merge",
        /// After an amend or a rebase.
        PostRewrite = "post-rewrite",
        /// Before a push.
        PrePush = "pre-push",
    }
}

impl GitHook {
    fn template(self) -> &'static str {
        match self {
            Self::PreCommit => include_str!("../../../hooks/pre-commit"),
            Self::CommitMsg => include_str!("../../../hooks/commit-msg"),
            Self::PostCheckout => include_str!("../../../hooks/post-checkout"),
            Self::PostMerge => include_str!("../../../hooks/post-merge"),
            Self::PostRewrite => include_str!("../../../hooks/post-rewrite"),
            Self::PrePush => include_str!("../../../hooks/pre-push"),
        }
    }

    /// The script that calls the program at `program`.
    pub(super) fn script(self, program: &Path) -> String {
        let quoted = format!("'{}'", program.display().to_string().replace('\'', r"'\''"));
        let text = self.template().replace("@NOVEL@", &quoted);
        let sum = checksum(&text);
        format!("{text}{SUM}{sum}\n")
    }

    /// The name under which the author's own hook is kept while ours is installed.
    pub(super) fn kept_name(self) -> String {
        format!("{self}.before-novel")
    }
}

/// The beginning of the last line.
const SUM: &str = "# novel: ";
/// Every script of ours has this in its second line, whatever its version.
const MARK: &str = "# Installed by `novel hooks install`";

fn checksum(text: &str) -> String {
    Sha1::digest(text.as_bytes()).iter().map(|byte| format!("{byte:02x}")).collect()
}

/// The author of a script.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Maker {
    /// The program, and the script is as it was installed.
    Program,
    /// The program, and the script was changed since.
    ProgramEdited,
    /// Anyone else.
    Other,
}

/// Tells who made the script.
pub(super) fn maker(script: &[u8]) -> Maker {
    let text = String::from_utf8_lossy(script);
    if text.lines().nth(1).is_none_or(|line| !line.starts_with(MARK)) {
        return Maker::Other;
    }
    let body = text.trim_end_matches('\n').rsplit_once('\n').map(|(body, sum)| (format!("{body}\n"), sum));
    let is_as_installed =
        body.is_some_and(|(body, sum)| sum.strip_prefix(SUM) == Some(&checksum(&body)) && text.ends_with('\n'));
    if is_as_installed { Maker::Program } else { Maker::ProgramEdited }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_script_of_ours_is_known_by_its_checksum() {
        for hook in GitHook::ALL {
            let script = hook.script(Path::new("/opt/it's here/novel"));
            assert!(script.starts_with("#!/bin/sh\n") && !script.contains("@NOVEL@"), "{script}");
            assert!(script.contains(r"novel='/opt/it'\''s here/novel'") && script.contains(&format!("run {hook} ")));
            assert_eq!(maker(script.as_bytes()), Maker::Program);
            assert_eq!(maker(format!("{script}npm test\n").as_bytes()), Maker::ProgramEdited);
            assert_eq!(maker(script.replace("exit 0", "exit 3").as_bytes()), Maker::ProgramEdited);
        }
        for other in [&b""[..], b"#!/bin/sh\nnovel hooks run pre-commit\n", b"\xff\xfe"] {
            assert_eq!(maker(other), Maker::Other);
        }
    }
}
