//! Shared by all tests of the store: a book in a folder with an awkward name, and git itself as a witness.

use novel::report::subject::wording;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::Once;

use novel::store::{
    self, Book, Change, Committed, GivenAuthor, Holder, Identity, InitOptions, Initialised, Kind, Message, Moment,
    Proposal, Session, Wait, key,
};

/// Keeps the git settings of the user and the machine out of the tests.
#[allow(unsafe_code)]
pub fn isolate() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        use git2::ConfigLevel::{Global, ProgramData, System, XDG};
        for level in [System, Global, XDG, ProgramData] {
            // SAFETY: called once, before any repository is opened in this process.
            unsafe { git2::opts::set_search_path(level, "/nonexistent").unwrap() };
        }
    });
}

pub fn moment(seconds: i64) -> Moment {
    Moment { seconds: 1_700_000_000 + seconds, offset_minutes: 480 }
}

pub fn author() -> Identity {
    Identity { name: "林作者".to_owned(), email: "lin@example.org".to_owned() }
}

pub fn holder() -> Holder {
    Holder { what: "test".to_owned(), host: "here".to_owned(), since: moment(0) }
}

/// Waits a little: while another thread of the tests starts a process, that process holds our locks for an instant.
pub fn wait() -> Wait {
    Wait::new(|time| std::thread::sleep(time.min(std::time::Duration::from_millis(10))))
}

pub fn files() -> BTreeMap<String, Vec<u8>> {
    let file = |path: &str, text: &str| (path.to_owned(), text.as_bytes().to_vec());
    BTreeMap::from([
        file("novel.toml", "title = \"密信\"\n"),
        file("brief.md", "# 简介\n"),
        file(".gitignore", "/staging/\n*.swp\n"),
        file(".gitattributes", "*.md text eol=lf\n*.json text eol=lf\n"),
        file("state/current-state.json", "{}\n"),
    ])
}

pub fn options() -> InitOptions {
    InitOptions {
        files: files(),
        author: GivenAuthor { name: Some(author().name), email: Some(author().email) },
        message: Message::new(Kind::Init, "密信"),
        wording,
        holder: holder(),
        keys: Vec::new(),
    }
}

/// A temporary folder with a book in it.
pub struct Home {
    _temp: Option<tempfile::TempDir>,
    pub root: PathBuf,
}

impl Home {
    pub fn empty() -> Self {
        Self::in_temp(tempfile::tempdir().unwrap())
    }

    /// In memory where there is such a place: for tests that copy and kill hundreds of times.
    pub fn empty_in_memory() -> Self {
        Self::in_temp(tempfile::tempdir_in("/dev/shm").or_else(|_| tempfile::tempdir()).unwrap())
    }

    fn in_temp(temp: tempfile::TempDir) -> Self {
        isolate();
        let root = temp.path().join("我的 小说 📖");
        Self { _temp: Some(temp), root }
    }

    /// A folder that the caller removes.
    pub fn at(root: &Path) -> Self {
        Self { _temp: None, root: root.to_owned() }
    }

    pub fn with_book() -> Self {
        let home = Self::empty();
        home.init();
        home
    }

    pub fn init(&self) -> Initialised {
        Book::init(&self.root, &options(), wait()).unwrap()
    }

    pub fn book(&self) -> Book {
        Book::open(&self.root, wording).unwrap()
    }

    pub fn path(&self, path: &str) -> PathBuf {
        self.root.join(path)
    }

    pub fn write(&self, path: &str, text: &str) {
        let path = self.path(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }

    pub fn read(&self, path: &str) -> Option<String> {
        std::fs::read_to_string(self.path(path)).ok()
    }

    pub fn git(&self, args: &[&str]) -> String {
        git_in(&self.root, args)
    }

    /// Git finds nothing wrong and nothing changed.
    #[track_caller]
    pub fn assert_clean(&self) {
        assert_eq!(self.git(&["status", "--porcelain"]), "", "git status");
        self.assert_sound();
    }

    /// Git finds nothing wrong.
    #[track_caller]
    pub fn assert_sound(&self) {
        let output = run_git(&self.root, &["fsck", "--strict", "--no-dangling", "--no-progress"]);
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        assert!(!self.path(".git/index.lock").exists(), "index.lock");
        let temp = self.path(".git/novel/tmp");
        assert_eq!(std::fs::read_dir(temp).map_or(0, |d| d.count()), 0, "temporary files");
    }
}

pub fn run_git(dir: &Path, args: &[&str]) -> Output {
    let mut command = Command::new(crate::common::git());
    for (name, _) in std::env::vars_os() {
        if name.to_string_lossy().starts_with("GIT_") {
            command.env_remove(name);
        }
    }
    command
        .env("GIT_CONFIG_NOSYSTEM", "1")
        .env("GIT_CONFIG_GLOBAL", "/dev/null")
        .env("HOME", "/nonexistent")
        .env("LC_ALL", "C")
        .env("FILTER_BRANCH_SQUELCH_WARNING", "1")
        .args(["-c", "user.name=作者", "-c", "user.email=a@example.org", "-c", "protocol.file.allow=always"])
        // Packing that goes on behind a finished command would meet what the test does next.
        .args(["-c", "gc.autoDetach=false", "-c", "maintenance.autoDetach=false"])
        .arg("-C")
        .arg(dir)
        .args(args)
        .output()
        .unwrap()
}

#[track_caller]
pub fn git_in(dir: &Path, args: &[&str]) -> String {
    let output = run_git(dir, args);
    assert!(output.status.success(), "git {args:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

#[track_caller]
pub fn begin(book: &Book) -> Session<'_> {
    store::pending_command::begin(book, &holder(), wait()).unwrap()
}

pub fn proposal(session: &Session<'_>, change: Change, message: Message) -> Proposal {
    Proposal {
        change,
        message,
        expected: session.tip().unwrap(),
        merged: Vec::new(),
        keep: Vec::new(),
        author: author(),
        time: moment(1),
    }
}

pub fn chapter_change(n: u32) -> Change {
    let volume = (n - 1) / 30 + 1;
    Change::default()
        .put(&format!("chapters/vol-{volume:02}/chapter-{n:03}.md"), format!("第{n}章\n\n正文。\n"))
        .put(&format!("summaries/vol-{volume:02}/chapter-{n:03}-summary.md"), format!("摘要{n}\n"))
        .put("state/current-state.json", format!("{{\"version\": {n}}}\n"))
}

pub fn chapter_message(n: u32) -> Message {
    Message::new(Kind::Chapter, format!("ch-{n:03}: 第{n}章").as_str())
        .trailer(key::CHAPTER, n)
        .trailer(key::VOLUME, (n - 1) / 30 + 1)
}

#[track_caller]
pub fn accept(session: &Session<'_>, n: u32) -> Committed {
    let committed =
        store::transaction::commit(session, &proposal(session, chapter_change(n), chapter_message(n))).unwrap();
    assert!(committed.lagging.is_none() && committed.left.is_empty(), "{committed:?}");
    committed
}
