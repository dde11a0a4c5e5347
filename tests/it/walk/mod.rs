//! A random walk over what an author may do to a book: its own commands, plain git, edits by hand. After each step the
//! promises are looked at: nothing that was accepted or typed is lost, the state is what the chapters make it, `doctor`
//! finds nothing after its repair, and the next chapter has the right number.

mod death;
mod devices;
mod lines;
mod next;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::io::Write as _;

use crate::common::{Chance, Output, World};

/// The demo's volume ends with it.
const LAST: u32 = 8;

struct Walk {
    world: World,
    chance: Chance,
    /// The commands so far, told when a promise does not hold.
    log: String,
    /// The blobs of every chapter text that was ever in the book, with where it was seen first.
    texts: BTreeMap<String, String>,
    steps: u32,
}

const BOOK: &str = "book";

impl Walk {
    fn new(seed: u64) -> Self {
        let world = World::new();
        let _ = world.demo_with(3);
        for (name, value) in
            [("user.name", "A"), ("user.email", "a@b"), ("core.editor", "true"), ("merge.conflictStyle", "merge")]
        {
            let _ = world.git(BOOK, &["config", name, value]).ok();
        }
        // The clock of the test stands still and that of git does not: no log of a ref is old.
        for name in ["gc.reflogExpire", "gc.reflogExpireUnreachable"] {
            let _ = world.git(BOOK, &["config", name, "never"]).ok();
        }
        Self { world, chance: Chance(seed), log: format!("seed {seed}\n"), texts: BTreeMap::new(), steps: 0 }
    }

    fn git(&mut self, args: &[&str]) -> Output {
        let done = self.world.git(BOOK, args);
        let _ = writeln!(self.log, "  git {} -> {}", args.join(" "), done.code);
        done
    }

    fn novel(&mut self, args: &[&str]) -> Output {
        let done = self.world.novel(BOOK, args);
        let last = done.stderr.trim().lines().last().unwrap_or_default().to_owned();
        let _ = writeln!(self.log, "  novel {} -> {} {last}", args.join(" "), done.code);
        // A look changes no note.
        if done.code == 0 && !["doctor", "restore", "branch"].contains(&args[0]) {
            let left = std::fs::read_to_string(self.world.path(&format!("{BOOK}/.git/novel/errand"))).ok();
            self.holds(left.is_none(), &format!("the command is done and noted as interrupted: {left:?}"));
        }
        assert!(![70, 101, -1].contains(&done.code), "{}\n{done:#?}", self.log);
        done
    }

    #[track_caller]
    fn holds(&self, what: bool, said: &str) {
        assert!(what, "{said}\n{}", self.log);
    }

    /// The chapters of the last commit, with their blobs.
    fn chapters(&self) -> BTreeMap<u32, String> {
        let listed = self.world.git(BOOK, &["ls-tree", "-r", "HEAD", "chapters"]).ok();
        let line = |line: &str| {
            let (about, path) = line.split_once('\t')?;
            let number = path.rsplit_once("chapter-")?.1.strip_suffix(".md")?.parse().ok()?;
            Some((number, about.split(' ').nth(2)?.to_owned()))
        };
        listed.lines().filter_map(line).collect()
    }

    fn last(&self) -> u32 {
        self.chapters().keys().next_back().copied().unwrap_or(0)
    }

    /// A number of some chapter that is there; 0 when none is.
    fn some_chapter(&mut self) -> u32 {
        let all: Vec<u32> = self.chapters().into_keys().collect();
        if all.is_empty() { 0 } else { self.chance.one_of(&all) }
    }

    fn path(number: u32) -> String {
        format!("{BOOK}/chapters/vol-01/chapter-{number:03}.md")
    }

    fn commits(&self) -> u32 {
        self.world.git(BOOK, &["rev-list", "--count", "--first-parent", "HEAD"]).ok().trim().parse().unwrap()
    }

    /// One step at random.
    fn step(&mut self) {
        self.steps += 1;
        let _ = writeln!(self.log, "step {}", self.steps);
        if self.last() >= LAST - 1 {
            let back = format!("{}", 1 + self.chance.below(3));
            let _ = self.novel(&["rollback", &back, "--yes"]);
            return;
        }
        match self.chance.below(36) {
            0..=3 => self.go_on(),
            4 => {
                let chapter = self.some_chapter().to_string();
                let _ = self.novel(&["write", &chapter, "--force"]);
            }
            5 => {
                let chapter = self.some_chapter().to_string();
                let _ = self.novel(&["rollback", &chapter, "--yes"]);
            }
            6 => drop(self.novel(&["undo"])),
            7 => drop(self.novel(&["redo"])),
            8 => {
                let how: &[&str] = self.chance.one_of(&[&["-m", "x"][..], &["--no-edit"], &["--no-edit", "-a"]]);
                let args: Vec<&str> = ["commit", "-q", "--amend", "--allow-empty"].iter().chain(how).copied().collect();
                let _ = self.git(&args);
            }
            9..=11 => self.branch(),
            12 | 13 => {
                let back = format!("HEAD~{}", self.chance.below(3));
                self.applied(&["revert", "--no-edit", &back], "revert");
            }
            14..=16 => {
                let how = self.chance.one_of(&["--soft", "--mixed", "--hard"]);
                let back = format!("HEAD~{}", 1 + self.chance.below(2));
                if self.commits() > 5 {
                    let _ = self.git(&["reset", "-q", how, &back]);
                }
            }
            17 => {
                self.edit_text();
                let _ = self.git(&["stash", "-q"]);
                if self.chance.below(2) == 0 {
                    self.edit_brief();
                    let _ = self.git(&["commit", "-qam", "brief"]);
                }
                if self.git(&["stash", "pop", "-q"]).code != 0 {
                    self.resolve("merge");
                    let _ = self.git(&["stash", "drop", "-q"]);
                }
            }
            24 | 25 => self.rebuild(),
            26..=28 => self.line(),
            29 => self.restore(),
            30 | 31 => self.devices(),
            32..=34 => self.death(),
            35 => drop(self.novel(&["rollback", "1", "--keep", "brief.md", "--yes"])),
            18 => drop(self.git(&["gc", "-q"])),
            19 => self.edit_text(),
            20 => {
                self.edit_text();
                let _ = self.git(&["commit", "-qam", "my text"]);
            }
            21 => {
                let next = self.last() + 1;
                self.world.write(&Self::path(next), &format!("# 第{next}章 自己写\n\n第 {} 步写的。\n", self.steps));
                let _ = self.git(&["add", "chapters"]);
                let _ = self.git(&["commit", "-qm", "my chapter"]);
            }
            22 => {
                let path = Self::path(self.some_chapter());
                let relative = path[BOOK.len() + 1..].to_owned();
                if std::fs::remove_file(self.world.path(&path)).is_ok() && self.chance.below(2) == 0 {
                    let _ = self.git(&["commit", "-qm", "rm", &relative]);
                }
            }
            _ => {
                let path =
                    self.chance.one_of(&["state/current-state.json", "foreshadowing/global.json", ".checkpoint.json"]);
                self.world.write(&format!("{BOOK}/{path}"), "{}\n");
                let _ = self.git(&["commit", "-qm", "emptied", path]);
            }
        }
        if self.chance.below(2) == 0 {
            self.go_on();
        }
    }

    /// `continue`, whatever has happened before: it writes the right number, or it asks.
    fn go_on(&mut self) {
        let before = self.chapters();
        let mut known: BTreeSet<u32> = before.keys().copied().collect();
        // A chapter that a reset has left in the folder with its delta is taken up first.
        for number in 1..=LAST {
            let delta = format!("{BOOK}/state/deltas/vol-01/chapter-{number:03}-delta.json");
            if self.world.path(&Self::path(number)).exists() && self.world.path(&delta).exists() {
                known.insert(number);
            }
        }
        let staged = self.world.git(BOOK, &["diff", "--cached", "--name-only", "--diff-filter=A"]).ok();
        known.extend(
            staged
                .lines()
                .filter_map(|p| p.strip_prefix("chapters/vol-01/chapter-")?.strip_suffix(".md")?.parse::<u32>().ok()),
        );
        let next = known.last().map_or(1, |last| last + 1);
        if next > LAST {
            return;
        }
        let done = self.novel(&["continue"]);
        if done.code == 0 {
            let after = self.chapters();
            self.holds(after.keys().next_back() == Some(&next), &format!("continue wrote {after:?}, and not {next}"));
            let kept = before.keys().all(|number| after.contains_key(number));
            self.holds(kept, &format!("a chapter has gone: {before:?} {after:?}"));
        }
    }

    /// `rebuild`, whatever has happened before: where it succeeds, no summary is of an older text.
    fn rebuild(&mut self) {
        let how: &[&str] = self.chance.one_of(&[&[][..], &["--cascade"], &["--wording"]]);
        let done = self.novel(&[&["rebuild"], how].concat());
        if done.code == 0 {
            let status = self.world.novel(BOOK, &["status", "--json"]).json();
            let is_current = status["outdated"].as_array().is_some_and(Vec::is_empty);
            self.holds(is_current || !how.is_empty(), &format!("outdated after a rebuild: {}", status["outdated"]));
        }
    }

    fn edit_text(&mut self) {
        let path = Self::path(self.some_chapter());
        if let Ok(text) = std::fs::read_to_string(self.world.path(&path)) {
            self.world.write(&path, &format!("{text}\n第 {} 步添的一句。\n", self.steps));
            let _ = writeln!(self.log, "  edit {path}");
        }
    }

    fn edit_brief(&mut self) {
        let path = format!("{BOOK}/brief.md");
        let text = self.world.read(&path);
        self.world.write(&path, &format!("{text}\n第 {} 步想到的。\n", self.steps));
    }

    /// Something on a branch of its own that begins here or earlier, and how it comes back.
    fn branch(&mut self) {
        let dirty = self.git(&["status", "--porcelain"]).ok();
        if !dirty.is_empty() || self.commits() < 6 {
            return;
        }
        let own = self.git(&["branch", "--show-current"]).ok().trim().to_owned();
        let from = format!("HEAD~{}", self.chance.below(3));
        let _ = self.git(&["branch", "-qf", "side", &from]);
        if self.git(&["switch", "-q", "side"]).code != 0 {
            return;
        }
        let _ = self.git(&["config", "novel.branch", "side"]);
        for _ in 0..=self.chance.below(2) {
            match self.chance.below(3) {
                0 => {
                    self.edit_text();
                    let _ = self.git(&["commit", "-qam", "on a branch"]);
                }
                _ => drop(self.novel(&["continue"])),
            }
        }
        let _ = self.git(&["config", "novel.branch", &own]);
        let _ = self.git(&["switch", "-q", &own]);
        self.keep_texts_of(BOOK, "side");
        match self.chance.below(4) {
            0 => self.applied(&["merge", "-q", "side", "-m", "merge"], "merge"),
            1 => {
                if self.git(&["merge", "-q", "--squash", "side"]).code != 0 {
                    self.resolve("merge");
                }
                let _ = self.git(&["commit", "-qm", "squash"]);
            }
            2 => self.applied(&["cherry-pick", "side"], "cherry-pick"),
            _ => {
                let mut done = self.git(&["rebase", "-q", "side"]);
                for _ in 0..8 {
                    if done.code == 0 {
                        break;
                    }
                    if self.chance.below(3) == 0 {
                        done = self.git(&["rebase", "--abort"]);
                        break;
                    }
                    self.resolve_files();
                    done = self.git(&["rebase", "--continue"]);
                }
                if done.code != 0 {
                    let _ = self.git(&["rebase", "--abort"]);
                }
            }
        }
    }

    /// Runs a git command that may stop at conflicts, and ends it either way.
    fn applied(&mut self, args: &[&str], what: &str) {
        if self.git(args).code != 0 {
            self.resolve(what);
        }
    }

    fn resolve(&mut self, what: &str) {
        if self.chance.below(4) == 0 && self.git(&[what, "--abort"]).code == 0 {
            return;
        }
        self.resolve_files();
        let _ = match what {
            "merge" => self.git(&["commit", "-q", "--no-edit"]),
            _ => self.git(&[what, "--continue"]),
        };
        // An empty one cannot be continued.
        let _ = self.git(&[what, "--abort"]);
    }

    /// Takes one side everywhere, as an author does without looking into the files.
    fn resolve_files(&mut self) {
        let side = self.chance.one_of(&["--ours", "--theirs"]);
        let unmerged = self.git(&["diff", "--name-only", "--diff-filter=U"]).ok();
        for path in unmerged.lines() {
            if self.world.git(BOOK, &["checkout", "-q", side, "--", path]).code != 0 {
                let _ = self.world.git(BOOK, &["rm", "-q", "--cached", "--", path]);
                let _ = std::fs::remove_file(self.world.path(&format!("{BOOK}/{path}")));
            }
        }
        let _ = self.git(&["add", "-A"]);
    }

    fn keep_texts_of(&mut self, folder: &str, commit: &str) {
        let listed = self.world.git(folder, &["ls-tree", "-r", commit, "chapters"]).ok();
        for line in listed.lines() {
            let Some((about, path)) = line.split_once('\t') else { continue };
            let blob = about.split(' ').nth(2).unwrap().to_owned();
            self.texts.entry(blob).or_insert_with(|| format!("{path} at step {}", self.steps));
        }
    }

    /// The promises.
    fn check(&mut self) {
        let mut repaired = self.novel(&["doctor", "--repair", "--yes", "--json"]);
        if repaired.code != 0 {
            // The files from history first, what follows from them next.
            repaired = self.novel(&["doctor", "--repair", "--yes", "--json"]);
        }
        let found = self.world.novel(BOOK, &["doctor", "--json"]);
        let codes: Vec<String> = found.json()["findings"]
            .as_array()
            .unwrap()
            .iter()
            .map(|finding| finding["code"].as_str().unwrap().to_owned())
            .filter(|code| !["no_delta", "outdated", "same_title", "same_text"].contains(&code.as_str()))
            .collect();
        self.holds(codes.is_empty() && found.code == 0, &format!("doctor: {repaired:#?} {found:#?}"));

        let book = novel::store::Book::open(&self.world.path(BOOK), |_, _| String::new()).unwrap();
        drop(book);

        let chapters = self.chapters();
        let committed = |path: &str| self.world.git(BOOK, &["show", &format!("HEAD:{path}")]);
        let json = |path: &str| committed(path).json();
        let state = json("state/current-state.json");
        let has_delta =
            |number: &u32| committed(&format!("state/deltas/vol-01/chapter-{number:03}-delta.json")).code == 0;
        let with_delta: Vec<u32> = chapters.keys().copied().filter(has_delta).collect();
        let says = (state["state_version"].as_u64(), state["last_updated_chapter"].as_u64());
        let is = (Some(with_delta.len() as u64), Some(u64::from(with_delta.last().copied().unwrap_or(0))));
        self.holds(says == is, &format!("the state is of {says:?}, the chapters are {is:?}"));
        let checkpoint = json(".checkpoint.json");
        let last = chapters.keys().next_back().copied().unwrap_or(0);
        self.holds(checkpoint["last_completed_chapter"] == last, &format!("the checkpoint is {checkpoint}"));

        // Another line than the main one has no tags.
        if self.on_main_line() {
            let tags = |args: &[&str]| -> BTreeSet<String> {
                self.world.git(BOOK, args).ok().lines().map(str::to_owned).collect()
            };
            let (merged, all) = (tags(&["tag", "--merged", "HEAD"]), tags(&["tag"]));
            let wanted: BTreeSet<String> = chapters.keys().map(|number| format!("ch-{number:03}")).collect();
            self.holds(merged == wanted && all == wanted, &format!("tags {all:?} of {wanted:?}"));
        }

        self.keep_texts_of(BOOK, "HEAD");
        let reachable = self.world.git(BOOK, &["rev-list", "--objects", "--all", "--reflog", "--no-object-names"]).ok();
        let reachable: BTreeSet<&str> = reachable.lines().collect();
        for (blob, seen) in &self.texts {
            self.holds(reachable.contains(blob.as_str()), &format!("lost: {seen}"));
        }
        let next = self.world.novel(BOOK, &["continue", "--dry-run", "--json"]);
        if next.code == 0 {
            self.holds(next.json()["chapter"] == last + 1, &format!("next: {next:#?}"));
        }
        self.world.check(BOOK);
    }
}

fn walk(seed: u64, steps: u32) {
    let mut walk = Walk::new(seed);
    walk.check();
    for _ in 0..steps {
        walk.step();
        walk.check();
    }
    let mut counted: BTreeMap<String, u32> = BTreeMap::new();
    for (command, end) in walk.log.lines().filter_map(|line| line.trim().split_once(" -> ")) {
        let name: Vec<&str> = command.split(' ').filter(|word| !word.contains(['/', '-'])).take(2).collect();
        let code = end.split(' ').next().unwrap_or_default();
        *counted.entry(format!("{} {code}", name.join(" "))).or_default() += 1;
    }
    let (commands, texts) = (counted.values().sum::<u32>(), walk.texts.len());
    let _ = writeln!(std::io::stderr(), "seed {seed}: {steps} steps, {commands} commands, {texts} texts: {counted:?}");
}

#[test]
fn a_short_walk() {
    walk(7, 12);
}

/// As many steps as `NOVEL_WALK_STEPS` says (500), with the seeds of `NOVEL_WALK_SEEDS` (`1 2 3 4`).
#[test]
#[ignore = "takes minutes; run when asked"]
fn a_long_walk() {
    let steps = std::env::var("NOVEL_WALK_STEPS").ok().and_then(|steps| steps.parse().ok()).unwrap_or(500);
    let seeds = std::env::var("NOVEL_WALK_SEEDS").unwrap_or_else(|_| "1 2 3 4".to_owned());
    for seed in seeds.split_whitespace().filter_map(|seed| seed.parse().ok()) {
        walk(seed, steps);
    }
}
