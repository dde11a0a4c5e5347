//! A world of its own for each test: a home, no configuration but its own, a fixed time, the built program and git.

mod chance;
mod template;

pub use chance::Chance;

use std::io::{BufRead as _, BufReader, Read as _};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStderr, Command, Stdio};

use novel::domain::ChapterNo;
use novel::git::failpoint;
use novel::store::{self, Change, CommitId, CommitInfo, Kind, ReturnTo, RollbackError, RollbackResult, Session};

/// The output and the exit code of a program.
#[derive(Debug, Clone)]
#[must_use = "look at the output or assert the exit code"]
pub struct Output {
    pub stdout: String,
    pub stderr: String,
    pub code: i32,
}

impl Output {
    /// The standard output of a run that succeeded.
    #[track_caller]
    pub fn ok(self) -> String {
        assert_eq!(self.code, 0, "{self:#?}");
        self.stdout
    }

    /// The output of a run that ended with that code.
    #[track_caller]
    pub fn fails(self, code: i32) -> Self {
        assert_eq!(self.code, code, "{self:#?}");
        self
    }

    /// The standard output read as JSON.
    #[track_caller]
    pub fn json(&self) -> serde_json::Value {
        serde_json::from_str(&self.stdout).unwrap_or_else(|error| panic!("{error}: {self:#?}"))
    }

    /// The standard output read as one JSON document a line.
    #[track_caller]
    pub fn json_lines(&self) -> Vec<serde_json::Value> {
        self.stdout.lines().map(|line| serde_json::from_str(line).unwrap_or_else(|e| panic!("{e}: {line}"))).collect()
    }
}

/// A program that is running.
pub struct Running {
    child: Child,
    stderr: BufReader<ChildStderr>,
    said: String,
}

impl Running {
    pub fn of(command: &mut Command) -> Self {
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let stderr = BufReader::new(child.stderr.take().unwrap());
        Self { child, stderr, said: String::new() }
    }

    /// Reads its standard error until a line with `part` has come. With `-vv` a run says more than a pipe holds, so
    /// that it stands still until the test reads on.
    #[track_caller]
    pub fn until(&mut self, part: &str) {
        loop {
            let mut line = String::new();
            assert_ne!(self.stderr.read_line(&mut line).unwrap(), 0, "no `{part}` in {}", self.said);
            self.said.push_str(&line);
            if line.contains(part) {
                return;
            }
        }
    }

    pub fn pid(&self) -> u32 {
        self.child.id()
    }

    pub fn is_running(&mut self) -> bool {
        self.child.try_wait().unwrap().is_none()
    }

    /// The output and the exit code of the whole run.
    pub fn finish(mut self) -> Output {
        // Both at once: a run that prints more than a pipe holds would wait for its reader for ever.
        let mut stdout = self.child.stdout.take().unwrap();
        let reader = std::thread::spawn(move || {
            let mut printed = Vec::new();
            stdout.read_to_end(&mut printed).map(|_| printed).unwrap()
        });
        self.stderr.read_to_string(&mut self.said).unwrap();
        let printed = reader.join().unwrap();
        Output {
            stdout: String::from_utf8_lossy(&printed).into_owned(),
            stderr: self.said,
            code: self.child.wait().unwrap().code().unwrap_or(-1),
        }
    }
}

/// A test's world. Everything in it goes when it is dropped.
pub struct World {
    dir: tempfile::TempDir,
    /// Variables that every program of this world sees.
    pub env: Vec<(String, String)>,
}

impl World {
    pub fn new() -> Self {
        let dir = tempfile::Builder::new().prefix("novel-test-").tempdir_in(memory()).unwrap();
        std::fs::create_dir(dir.path().join("home")).unwrap();
        Self { dir, env: Vec::new() }
    }

    pub fn with(mut self, name: &str, value: &str) -> Self {
        self.env.push((name.to_owned(), value.to_owned()));
        self
    }

    pub fn path(&self, relative: &str) -> PathBuf {
        self.dir.path().join(relative)
    }

    /// A command that sees nothing of the machine's own settings.
    pub fn command(&self, program: impl AsRef<Path>, cwd: &Path) -> Command {
        let mut command = Command::new(program.as_ref());
        command
            .env_clear()
            .env("PATH", std::env::var_os("PATH").unwrap_or_default())
            .env("HOME", self.path("home"))
            .env("XDG_CONFIG_HOME", self.path("home/.config"))
            .env("GIT_CONFIG_NOSYSTEM", "1")
            .env("GIT_CONFIG_GLOBAL", self.path("home/.gitconfig"))
            .env("LC_ALL", "C.UTF-8")
            .env("COLUMNS", "100")
            .env("SOURCE_DATE_EPOCH", "1767225600")
            .env("RUST_BACKTRACE", "0")
            .current_dir(cwd)
            .stdin(Stdio::null());
        system(|name, value| _ = command.env(name, value));
        for (name, value) in &self.env {
            command.env(name, value);
        }
        command
    }

    fn run(mut command: Command) -> Output {
        let output = command.output().unwrap();
        Output {
            stdout: String::from_utf8_lossy(&output.stdout).into_owned(),
            stderr: String::from_utf8_lossy(&output.stderr).into_owned(),
            code: output.status.code().unwrap_or(-1),
        }
    }

    /// Runs the built program in `book` (a path in this world).
    pub fn novel(&self, book: &str, args: &[&str]) -> Output {
        let mut command = self.command(env!("CARGO_BIN_EXE_novel"), &self.path(book));
        command.args(args);
        Self::run(command)
    }

    /// A copy of a book, in this world.
    #[track_caller]
    pub fn copy(&self, book: &str, to: &str) {
        copied(&self.path(book), &self.path(to));
    }

    /// The named places that a command on a copy of `book` reaches, as often as it does: `txn.intent#2`.
    #[track_caller]
    pub fn places(&self, book: &str, args: &[&str]) -> Vec<String> {
        self.copy(book, "traced");
        let mut command = self.command(env!("CARGO_BIN_EXE_novel"), &self.path("traced"));
        traced(command.args(args), &self.path("trace"))
    }

    /// Runs the program on `book` until it dies at `point`.
    #[track_caller]
    pub fn dies(&self, book: &str, args: &[&str], point: &str) {
        let mut command = self.command(env!("CARGO_BIN_EXE_novel"), &self.path(book));
        let run = command.args(args).env(failpoint::ENV, point).output().unwrap();
        assert!(!run.status.success(), "{args:?} does not die at {point}: {run:?}");
    }

    /// Starts the built program in `book` and goes on; its standard error is there to be read, or to be left unread.
    pub fn start(&self, book: &str, args: &[&str]) -> Running {
        let mut command = self.command(env!("CARGO_BIN_EXE_novel"), &self.path(book));
        Running::of(command.args(args))
    }

    /// Runs git in `book`.
    pub fn git(&self, book: &str, args: &[&str]) -> Output {
        let mut command = self.command(git(), &self.path(book));
        command.args(["-c", "core.quotePath=false"]).args(args);
        Self::run(command)
    }

    /// A book with the demo's plan and no chapter yet.
    pub fn demo(&self) -> &'static str {
        self.demo_with(0)
    }

    /// The demo book with its first chapters written by the offline writer.
    pub fn demo_with(&self, chapters: u32) -> &'static str {
        let make = || {
            let book = self.path("book");
            let _ = self.novel("", &["demo", book.to_str().unwrap(), "--chapters", &chapters.to_string()]).ok();
        };
        let is_plain = self.env.is_empty() && !self.path("home/.gitconfig").exists() && !self.path("book").exists();
        if is_plain {
            self.made_once(&format!("demo-{chapters}"), "book", make)
        } else {
            make()
        }
        "book"
    }

    /// Commits everything that is changed, as the author would.
    #[track_caller]
    pub fn commit(&self, book: &str, subject: &str) {
        let _ = self.git(book, &["-c", "user.name=A", "-c", "user.email=a@b", "commit", "-qam", subject]).ok();
    }

    /// The subjects of the book's branch, newest first.
    #[track_caller]
    pub fn subjects(&self, book: &str) -> Vec<String> {
        self.git(book, &["log", "--first-parent", "--format=%s"]).ok().lines().map(str::to_owned).collect()
    }

    pub fn read(&self, path: &str) -> String {
        std::fs::read_to_string(self.path(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
    }

    pub fn write(&self, path: &str, text: &str) {
        std::fs::create_dir_all(self.path(path).parent().unwrap()).unwrap();
        std::fs::write(self.path(path), text).unwrap();
    }

    /// Asserts that git finds no fault in a book, after anything that has happened to it.
    #[track_caller]
    pub fn check(&self, book: &str) {
        let mut fsck = self.git(book, &["fsck", "--strict", "--no-dangling"]);
        // A packing in the background has put a new pack in the place of those that git began to read.
        for _ in 0..8 {
            if !fsck.stderr.contains("index not opened") {
                break;
            }
            fsck = self.git(book, &["fsck", "--strict", "--no-dangling"]);
        }
        assert!(fsck.code == 0 && !fsck.stderr.contains("error") && !fsck.stdout.contains("missing"), "{fsck:#?}");
    }

    /// The tree of the book's branch: equal trees are equal books.
    #[track_caller]
    pub fn tree(&self, book: &str) -> String {
        self.git(book, &["rev-parse", "HEAD^{tree}"]).ok()
    }
}

/// The path of git, or its name where no folder of `PATH` has it.
///
/// A program without a folder in its name, started with variables of its own, costs a copy of this process's page
/// tables; a path does not.
pub fn git() -> &'static Path {
    static GIT: std::sync::OnceLock<PathBuf> = std::sync::OnceLock::new();
    GIT.get_or_init(|| {
        let name = format!("git{}", std::env::consts::EXE_SUFFIX);
        let folders = std::env::var_os("PATH").unwrap_or_default();
        let found = std::env::split_paths(&folders).map(|folder| folder.join(&name)).find(|path| path.is_file());
        found.unwrap_or_else(|| PathBuf::from("git"))
    })
}

/// A folder in memory: every commit is synced to disk, which takes most of a test's time, and in memory none.
fn memory() -> PathBuf {
    let memory = Path::new("/dev/shm");
    if memory.is_dir() { memory.to_owned() } else { std::env::temp_dir() }
}

/// Hands on the variables without which no program of Windows runs.
pub fn system(mut set: impl FnMut(&str, std::ffi::OsString)) {
    for name in ["SystemRoot", "SystemDrive", "TEMP", "TMP", "PATHEXT"].into_iter().filter(|_| cfg!(windows)) {
        if let Some(value) = std::env::var_os(name) {
            set(name, value);
        }
    }
}

/// Runs a command that succeeds. Returns the named places that it reaches, as often as it does.
#[track_caller]
pub fn traced(command: &mut Command, trace: &Path) -> Vec<String> {
    let _ = std::fs::remove_file(trace);
    let run = command.env(failpoint::TRACE, trace).output().unwrap();
    assert!(run.status.success(), "{run:?}");
    std::fs::read_to_string(trace).unwrap().lines().map(str::to_owned).collect()
}

/// Copies a folder, in place of what is there. A file that git removes while it packs the book in the background makes
/// one copy fail, so that the folder is copied again.
#[track_caller]
pub fn copied(from: &Path, to: &Path) {
    let is_copied = || {
        let _ = std::fs::remove_dir_all(to);
        Command::new("cp").arg("-a").arg(from).arg(to).status().unwrap().success()
    };
    assert!((0..20).any(|_| is_copied()), "{from:?} cannot be copied");
}

/// Turns the packs of the repository at `root` into files of one object each, so that a test can damage one.
pub fn loosen(root: &Path) {
    let packs = std::fs::read_dir(root.join(".git/objects/pack")).unwrap().map(|entry| entry.unwrap().path());
    let (packs, others): (Vec<PathBuf>, Vec<PathBuf>) =
        packs.partition(|path| path.extension().is_some_and(|ending| ending == "pack"));
    others.iter().for_each(|path| std::fs::remove_file(path).unwrap());
    for pack in packs {
        // Git does not unpack what it finds in a pack that is in its place.
        let aside = root.join(".git/loosened.pack");
        std::fs::rename(&pack, &aside).unwrap();
        let input = std::fs::File::open(&aside).unwrap();
        let git = Command::new("git").args(["unpack-objects", "-q"]).current_dir(root).stdin(input).status();
        assert!(git.unwrap().success());
        std::fs::remove_file(aside).unwrap();
    }
}

/// Rolls the book back to a commit; files that `stays` names keep their content.
pub fn roll_back(
    session: &Session<'_>,
    to: CommitId,
    stays: &dyn Fn(&str) -> bool,
    telling: &CommitInfo,
) -> Result<RollbackResult, RollbackError> {
    let also = &Change::default();
    store::rollback::return_to(session, &ReturnTo { kind: Kind::Rollback, to, stays, also, trailers: &[] }, telling)
}

/// The commit that the book's chapter is from.
pub fn commit_of(session: &Session<'_>, chapter: ChapterNo) -> CommitId {
    store::history::since(session.book(), chapter).unwrap().pop().unwrap().id
}
