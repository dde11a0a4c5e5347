//! One book on several devices: clones of an offline demo book and a bare repository between them.

mod archives;
mod clone;
mod conflicts;
mod drafts;
mod failing;
mod forward;
mod keys;
mod lease;
mod lines;
mod transports;
mod walk;
mod workers;

use crate::common::{Output, Running, World};
use crate::pipeline::script::{draft, draft_of};
use crate::pipeline::studio::models;
use novel::git::failpoint;
use novel::llm::Wire;
use std::process::Command;

/// The devices of a test, each a folder of its world, around `hub.git`.
pub struct Devices {
    pub world: World,
}

impl Devices {
    /// `desk` with the demo book and its first chapters, synced with an empty `hub.git`.
    pub fn with(chapters: u32) -> Self {
        let world = World::new();
        world.write(
            "home/.gitconfig",
            "[user]\n\tname = 作者\n\temail = a@example.com\n[init]\n\tdefaultBranch = main\n",
        );
        let devices = Self { world };
        let _ = devices.world.git("", &["init", "-q", "--bare", "hub.git"]).ok();
        let chapters = chapters.to_string();
        let _ = devices.world.novel("", &["demo", "desk", "--chapters", &chapters]).ok();
        let _ = devices.novel("desk", &["sync", "../hub.git"]).ok();
        devices
    }

    /// The same, with a clone on `laptop`.
    pub fn two(chapters: u32) -> Self {
        let devices = Self::with(chapters);
        devices.clone_to("laptop");
        devices
    }

    pub fn clone_to(&self, device: &str) {
        let _ = self.run(device, "", &["clone", "hub.git", device]).ok();
    }

    /// A command of the program on a device, which has a name and a clock of its own.
    pub fn command(&self, device: &str, folder: &str, args: &[&str]) -> Command {
        let mut command = self.world.command(env!("CARGO_BIN_EXE_novel"), &self.world.path(folder));
        let later = 1_767_225_600 + u32::from(device.bytes().last().unwrap_or(0));
        command.env("HOSTNAME", device).env("SOURCE_DATE_EPOCH", later.to_string()).args(args);
        command
    }

    fn run(&self, device: &str, folder: &str, args: &[&str]) -> Output {
        Running::of(&mut self.command(device, folder, args)).finish()
    }

    /// Runs the program in the device's copy.
    pub fn novel(&self, device: &str, args: &[&str]) -> Output {
        self.run(device, device, args)
    }

    /// Writes chapters offline, without a look at the remote.
    pub fn writes_alone(&self, device: &str, chapters: u32) {
        let _ = self.novel(device, &["continue", &chapters.to_string(), "--offline", "--no-sync"]).ok();
    }

    /// The device dies in the middle of a chapter, after so many results of a model are on its draft.
    pub fn begins_chapter(&self, device: &str, results: u32) {
        let (_server, script, settings) = models(Wire::OpenAi);
        // As long as this book's chapters are.
        let more = [22, 42].map(|other| draft_of(other).lines().skip(1).collect::<Vec<_>>().join("\n"));
        script.lock().unwrap().put("draft", format!("{}{}", draft(), more.concat()).into());
        let mut command = self.command(device, device, &["continue", "--no-sync"]);
        command.envs(settings).env("NOVEL_OFFLINE", "false").env(failpoint::ENV, format!("draft.moved#{results}"));
        assert!(!command.output().unwrap().status.success());
    }

    pub fn syncs(&self, device: &str) -> serde_json::Value {
        let output = self.novel(device, &["sync", "--json"]);
        assert_eq!(output.code, 0, "{output:#?}");
        output.json_lines().pop().unwrap()
    }

    /// Changes the text of a chapter by hand, and commits it.
    pub fn edits_chapter(&self, device: &str, chapter: u32, line: &str) {
        let path = format!("{device}/chapters/vol-01/chapter-{chapter:03}.md");
        self.world.write(&path, &(self.world.read(&path) + "\n" + line + "\n"));
        self.world.commit(device, "改了几个字");
    }

    pub fn git(&self, place: &str, args: &[&str]) -> String {
        self.world.git(place, args).ok().trim().to_owned()
    }

    /// The refs of a repository below a prefix, with what they name.
    pub fn refs(&self, place: &str, prefix: &str) -> String {
        self.git(place, &["for-each-ref", "--format=%(refname) %(objectname)", prefix])
    }

    /// The lines of a repository's branch: how often a chapter was accepted on any of them.
    pub fn acceptances(&self, place: &str, chapter: u32) -> usize {
        let subjects = self.git(place, &["log", "main", "--format=%s"]);
        subjects.lines().filter(|subject| subject.starts_with(&format!("ch-{chapter:03}: "))).count()
    }

    /// All copies and the hub have the same branch, drafts, tags and kept lines, whole, with nothing left to commit.
    #[track_caller]
    pub fn are_equal(&self, devices: &[&str]) {
        let hub = "hub.git";
        for device in devices {
            assert_eq!(self.refs(device, "refs/heads/"), self.refs(hub, "refs/heads/"), "{device}: branches");
            assert_eq!(self.refs(device, "refs/tags/ch-*"), self.refs(hub, "refs/tags/ch-*"), "{device}: tags");
            assert_eq!(self.refs(device, "refs/novel/kept/"), self.refs(hub, "refs/novel/kept/"), "{device}: kept");
            assert_eq!(self.git(device, &["status", "--porcelain"]), "", "{device}: status");
            self.world.check(device);
            let doctor = self.novel(device, &["doctor", "--json"]);
            assert_eq!(doctor.code, 0, "{device}: {doctor:#?}");
        }
        self.world.check(hub);
    }
}
