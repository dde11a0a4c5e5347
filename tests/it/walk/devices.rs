//! A second device, and a remote between the two.

use super::{BOOK, Walk};
use std::fmt::Write as _;

const HUB: &str = "hub.git";
const OTHER: &str = "other";

impl Walk {
    fn on_other(&mut self, args: &[&str]) -> i32 {
        let done = self.world.novel(OTHER, args);
        let last = done.stderr.trim().lines().last().unwrap_or_default();
        let _ = writeln!(self.log, "  other: novel {} -> {} {last}", args.join(" "), done.code);
        assert!(![70, 101, -1].contains(&done.code), "{}\n{done:#?}", self.log);
        done.code
    }

    /// This copy is synced; the other one is, does something of its own, and is synced again; then this one takes it.
    pub(super) fn devices(&mut self) {
        // Only the main line is the book for others.
        if !self.on_main_line() {
            return;
        }
        if !self.world.path(HUB).exists() {
            let _ = self.world.git("", &["init", "-q", "--bare", HUB]).ok();
        }
        if !self.sync(BOOK) {
            return;
        }
        if !self.world.path(OTHER).exists() {
            let cloned = self.world.novel("", &["clone", HUB, OTHER]);
            let _ = writeln!(self.log, "  novel clone -> {}", cloned.code);
            self.holds(cloned.code == 0, &format!("{cloned:#?}"));
            for (name, value) in [("user.name", "B"), ("user.email", "b@c")] {
                let _ = self.world.git(OTHER, &["config", name, value]).ok();
            }
        }
        let taken = self.sync(OTHER);
        self.holds(taken, "the other device cannot take what this one has sent");
        match self.chance.below(5) {
            0 | 1 => drop(self.on_other(&["continue", "--no-sync"])),
            2 => drop(self.on_other(&["undo"])),
            3 => {
                let path = format!("{OTHER}/brief.md");
                let text = self.world.read(&path);
                self.world.write(&path, &format!("{text}\n在另一台上想到的，第 {} 步。\n", self.steps));
            }
            _ => {
                let chapter = self.some_chapter();
                let path = format!("{OTHER}/chapters/vol-01/chapter-{chapter:03}.md");
                if let Ok(text) = std::fs::read_to_string(self.world.path(&path)) {
                    self.world.write(&path, &format!("{text}\n另一台上第 {} 步添的。\n", self.steps));
                }
            }
        }
        if self.chance.below(2) == 0 {
            self.go_on();
        }
        if self.sync(OTHER) {
            self.world.check(OTHER);
            if self.sync(BOOK) {
                self.keep_texts_of(OTHER, "HEAD");
            }
        }
    }

    /// Syncs one copy; where both have changed the same, either side is taken. Returns whether that was possible.
    fn sync(&mut self, folder: &str) -> bool {
        let take = self.chance.one_of(&["ours", "theirs"]);
        let args = ["sync", "../hub.git", "--take", take];
        let code = if folder == BOOK { self.novel(&args).code } else { self.on_other(&args) };
        if code == 0 {
            let tip = |place: &str, name: &str| self.world.git(place, &["rev-parse", name]).ok();
            let branch = self.world.git(folder, &["branch", "--show-current"]).ok();
            let (here, there) = (tip(folder, "HEAD"), tip(HUB, &format!("refs/heads/{}", branch.trim())));
            self.holds(here == there, &format!("{folder} is at {here}, the remote at {there}"));
            self.world.check(HUB);
        }
        code == 0
    }
}
