//! Packing objects across versions and commits before they pile up. libgit2 cannot remove what it has packed anew safely;
//! the author's own git can, in the background.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use super::book::Book;

/// Loose objects above which packing pays: a walk over the history and a cold start become noticeably slower.
const MANY: usize = 5_000;
/// The same for packs; git's own `gc.autoPackLimit`.
const MANY_PACKS: usize = 50;

/// What was done about loose objects.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Packing {
    /// There are few.
    NotNeeded,
    /// Git is at it, in a process of its own.
    Started,
    /// There are many, and there is no git to pack them. The book works, a little slower.
    NoGit,
}

impl Book {
    /// About how many loose objects there are. Object ids are evenly spread, so one folder of 256 speaks for all.
    #[must_use]
    pub fn loose_objects(&self) -> usize {
        let folder = self.repo.commondir().join("objects/17");
        fs::read_dir(folder).map_or(0, |entries| entries.count() * 256)
    }

    /// How many packs there are.
    #[must_use]
    pub fn packs(&self) -> usize {
        let entries = fs::read_dir(self.repo.commondir().join("objects/pack")).into_iter().flatten().flatten();
        entries.filter(|entry| entry.path().extension().is_some_and(|ending| ending == "pack")).count()
    }

    /// Has `git` (a program name or a path) pack the objects if there are many. Does not wait for it.
    ///
    /// Nothing is pruned that is younger than two weeks (`gc.pruneExpire`, set at `init`): an object that a writer is
    /// about to name must not vanish.
    #[must_use]
    pub fn pack_if_due(&self, git: &Path) -> Packing {
        let few = self.loose_objects() <= MANY && self.packs() <= MANY_PACKS;
        if few { Packing::NotNeeded } else { self.pack(git) }
    }

    fn pack(&self, git: &Path) -> Packing {
        let mut command = Command::new(git);
        for name in ["GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_OBJECT_DIRECTORY", "GIT_COMMON_DIR"] {
            command.env_remove(name);
        }
        command.args(["-c", &format!("gc.auto={MANY}"), "-c", "gc.autoDetach=false"]).arg("-C").arg(&self.root);
        command.args(["maintenance", "run", "--auto", "--quiet"]);
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        #[cfg(unix)]
        {
            // Its own group, so that the author's Ctrl-C does not reach it.
            use std::os::unix::process::CommandExt;
            command.process_group(0);
        }
        match command.spawn() {
            Ok(_) => Packing::Started,
            Err(_) => Packing::NoGit,
        }
    }
}
