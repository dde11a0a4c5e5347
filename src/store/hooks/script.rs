//! The hook scripts, and how ours are told from others. The scripts under `hooks/` are built into the program. An
//! installed one has the program's path in it and ends with a checksum of itself, so that a script that the author has
//! changed is neither replaced nor removed.

use std::path::Path;

use sha1::{Digest as _, Sha1};

use crate::domain::named::named;

named! {
    /// The git hooks that the program uses.
    pub enum GitHook {
        /// Before a commit, to check the staged files.
        PreCommit = "pre-commit",
        /// After writing the message.
        CommitMsg = "commit-msg",
        /// After the checkout of another branch or commit.
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

    /// The script that calls `program`.
    pub(super) fn script(self, program: &Path) -> String {
        let quoted = format!("'{}'", program.display().to_string().replace('\'', r"'\''"));
        let text = self.template().replace("@NOVEL@", &quoted);
        let sum = checksum(&text);
        format!("{text}{SUM}{sum}\n")
    }

    /// The name of the author's own hook while ours is installed.
    pub(super) fn kept_name(self) -> String {
        format!("{self}.before-novel")
    }
}

/// The beginning of the last line.
const SUM: &str = "# novel: ";
/// The second line of all our scripts, in every version.
const MARK: &str = "# Installed by `novel hooks install`";

fn checksum(text: &str) -> String {
    Sha1::digest(text.as_bytes()).iter().map(|byte| format!("{byte:02x}")).collect()
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Maker {
    /// The program, without changes since.
    Program,
    /// The program, with changes since.
    ProgramEdited,
    Other,
}

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
