//! A command that dies at one of its named points, and is typed again.

use super::{BOOK, Walk};
use novel::git::failpoint;
use std::fmt::Write as _;

impl Walk {
    /// Starts a command that dies somewhere, or gets through, and types it again.
    pub(super) fn death(&mut self) {
        let chapter = self.some_chapter().to_string();
        let commands: [&[&str]; 7] = [
            &["continue"],
            &["continue"],
            &["rollback", &chapter, "--yes"],
            &["undo"],
            &["redo"],
            &["rebuild"],
            &["write", &chapter, "--force"],
        ];
        let command = self.chance.one_of(&commands);
        let point = format!("{}#{}", self.chance.one_of(failpoint::POINTS), 1 + self.chance.below(3));
        let mut dying = self.world.command(env!("CARGO_BIN_EXE_novel"), &self.world.path(BOOK));
        let died = dying.args(command).env(failpoint::ENV, &point).output().unwrap();
        let _ = writeln!(self.log, "  novel {} dies at {point} -> {:?}", command.join(" "), died.status.code());
        if died.status.code().is_none() {
            let _ = self.novel(command);
        }
    }
}
