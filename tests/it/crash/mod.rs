//! Killing the process everywhere, and looking at what the next command makes of it.
//!
//! The child is this test binary again: [`child`] plays one scenario and dies where the environment says.

use crate::common::{commit_of, roll_back};
use novel::report::subject::wording;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus};

use crate::common;
use crate::store::archive::keep_drafts;
use crate::store::bench::*;
use novel::domain::ChapterNo;
use novel::git::failpoint;
use novel::store::{
    self, Book, Change, CommitId, CommitInfo, Draft, DraftFiles, EntryFilter, Instead, Kind, Message, Recovered,
    Session, key,
};

mod disk_full;
mod every_call;
mod every_point;
pub mod failing;
mod leftovers;

const SCENARIO: &str = "__NOVEL_CRASH_TEST_SCENARIO";
const ROOT: &str = "__NOVEL_CRASH_TEST_ROOT";

/// Plays a scenario when it is run by another test.
#[test]
#[ignore = "run by the other tests of this folder"]
fn child() {
    let (Some(scenario), Some(root)) = (std::env::var_os(SCENARIO), std::env::var_os(ROOT)) else { return };
    isolate();
    play(scenario.to_str().unwrap(), Path::new(&root));
}

fn child_command(scenario: &str, root: &Path) -> Command {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.args(["--exact", "crash::child", "--ignored", "--test-threads=1"]).env(SCENARIO, scenario).env(ROOT, root);
    command
}

/// Plays `scenario` in another process that dies at `point`.
fn play_and_die(scenario: &str, root: &Path, point: &str) -> ExitStatus {
    child_command(scenario, root).env(failpoint::ENV, point).output().unwrap().status
}

/// Plays `scenario` in another process. Returns the places that it reaches, each as often as it does.
fn places(scenario: &str, root: &Path) -> Vec<String> {
    common::traced(&mut child_command(scenario, root), &root.with_file_name("trace"))
}

/// So many chapters have more tags than are moved one by one, and more files than are synced one by one.
const MANY: u32 = 40;

/// The content of a damaged file.
const DAMAGED: &[u8] = b"{ \0";

fn chapter(n: u32) -> ChapterNo {
    ChapterNo::new(n).unwrap()
}

fn telling() -> CommitInfo {
    CommitInfo { subject: None, body: String::new(), author: author(), time: moment(9) }
}

/// Does what `scenario` says, or what is left of it. Playing it again changes nothing.
fn play(scenario: &str, root: &Path) {
    if scenario == "init" {
        match Book::init(root, &options(), wait()) {
            Ok(_) | Err(novel::store::InitError::AlreadyBook(_)) => return,
            Err(e) => panic!("{e}"),
        }
    }
    let book = Book::open(root, wording).unwrap();
    let session = begin(&book);
    let has = |n| store::history::chapters(&book).unwrap().contains_key(&chapter(n));
    match scenario {
        "recover" => {}
        "accept" if !has(3) => drop(accept(&session, 3)),
        "adopt" => {
            let message = Message::new(Kind::HandEdit, "手改");
            session.adopt(&[""], EntryFilter::of(&|p| p != "notes.txt"), &message, &author(), moment(5)).unwrap();
        }
        "draft" => drop(write_draft(&session)),
        "finish" | "finish unseen" if !has(3) => {
            let draft = if scenario == "finish" { write_draft(&session) } else { write_unseen_draft(&session) };
            commit_draft(&session, &draft);
            draft.close().unwrap();
        }
        "rollback" if has(2) => {
            roll_back(&session, commit_of(&session, chapter(1)), &|p| p == "brief.md", &telling()).unwrap();
        }
        "rollback of many" if has(2) => {
            roll_back(&session, commit_of(&session, chapter(1)), &|_| false, &telling()).unwrap();
        }
        "undo of many" if !has(2) => drop(store::rollback::undo(&session, &telling()).unwrap()),
        "reopen" if !has(2) => drop(store::rollback::undo(&session, &telling()).unwrap()),
        "undo" if has(2) => drop(store::rollback::undo(&session, &telling()).unwrap()),
        "aside" => {
            let is_damaged = |path: &&str| std::fs::read(root.join(path)).is_ok_and(|bytes| bytes == DAMAGED);
            let files = ["state/current-state.json", "chapters/vol-01/chapter-001.md"].into_iter().filter(is_damaged);
            let files: BTreeMap<String, Instead> = files.map(|path| (path.to_owned(), Instead::Committed)).collect();
            if !files.is_empty() {
                store::book::rescue::put_files_aside(&session, &files, &author(), moment(5)).unwrap();
            }
        }
        "gather" => drop(store::gathering::gather_drafts(&session).unwrap()),
        "rebase" => {
            let draft = store::draft::open_draft(&session, chapter(3), scope()).unwrap();
            draft.rebase(&author(), moment(6)).unwrap();
        }
        "accept" | "finish" | "finish unseen" | "rollback" | "undo" | "reopen" | "rollback of many"
        | "undo of many" => {}
        other => panic!("no scenario {other}"),
    }
}

fn scope() -> DraftFiles {
    DraftFiles::new(["chapters/vol-01/chapter-003.md".to_owned(), "evaluations/".to_owned(), "state/".to_owned()])
}

/// Makes the commit that accepts and keeps the draft of chapter 3.
fn commit_draft(session: &Session<'_>, draft: &Draft<'_>) {
    let message = chapter_message(3).trailer(key::DRAFT, draft.tip());
    let mut proposal = proposal(session, draft.change().unwrap(), message);
    proposal.keep = vec![(format!("ch-003/{}", draft.tip().short()), draft.tip())];
    store::transaction::commit(session, &proposal).unwrap();
}

fn write_draft<'s>(session: &'s Session<'s>) -> Draft<'s> {
    write_results(store::draft::open_draft(session, chapter(3), scope()).unwrap(), true)
}

/// Writes a draft that is never shown in `staging/`.
fn write_unseen_draft<'s>(session: &'s Session<'s>) -> Draft<'s> {
    write_results(store::draft::open_draft(session, chapter(3), scope()).unwrap(), false)
}

fn write_results(draft: Draft<'_>, is_shown: bool) -> Draft<'_> {
    let stages = [
        ("draft", Change::default().put("chapters/vol-01/chapter-003.md", "初稿\n")),
        ("refine", Change::default().put("chapters/vol-01/chapter-003.md", "精修\n").put("state/x.json", "{}\n")),
        (
            "judge",
            Change::default()
                .put("evaluations/vol-01/chapter-003-eval.json", "{\"score\": 4}\n")
                .remove("state/x.json"),
        ),
    ];
    for (at, (name, change)) in stages.into_iter().enumerate() {
        if draft.records().unwrap().len() <= at {
            draft.commit_result(&change, &Message::new(Kind::Stage, name), &author(), moment(2)).unwrap();
            if is_shown {
                draft.show().unwrap();
            }
        }
    }
    assert_eq!(draft.records().unwrap().len(), 3, "a result was written down twice or lost");
    draft
}

/// A book on which `scenario` can be played.
fn prepared(scenario: &str) -> Home {
    let home = Home::empty_in_memory();
    if scenario == "init" {
        home.write("素材.txt", "the author's\n");
        return home;
    }
    home.init();
    let book = home.book();
    let session = begin(&book);
    accept(&session, 1);
    accept(&session, 2);
    if ["rollback", "rebase", "reopen"].contains(&scenario) {
        drop(write_draft(&session));
    }
    if scenario.ends_with("of many") {
        (3..=MANY).for_each(|n| drop(accept(&session, n)));
    }
    if scenario == "undo of many" {
        roll_back(&session, commit_of(&session, chapter(1)), &|_| false, &telling()).unwrap();
    }
    if scenario == "reopen" {
        roll_back(&session, commit_of(&session, chapter(1)), &|_| false, &telling()).unwrap();
    }
    if scenario == "gather" {
        // More than one commit of the archive has room for, some of them with refs that git has packed.
        keep_drafts(&session, 3..=60);
        home.git(&["pack-refs", "--all"]);
        keep_drafts(&session, 61..=80);
    }
    drop(session);
    if scenario == "rebase" {
        home.write("brief.md", "moved on\n");
        home.git(&["commit", "-qam", "by hand"]);
    }
    if scenario == "aside" {
        for path in ["state/current-state.json", "chapters/vol-01/chapter-001.md"] {
            std::fs::write(home.path(path), DAMAGED).unwrap();
        }
    }
    if scenario == "adopt" {
        home.write("state/current-state.json", "{\"mine\": true}\n");
        std::fs::remove_file(home.path("chapters/vol-01/chapter-001.md")).unwrap();
        home.write("research/x.md", "new\n");
    } else {
        // The author's unfinished edit must be there afterwards, byte for byte.
        home.write("brief.md", "half a thought");
    }
    home.write("notes.txt", "staged\n");
    home.git(&["add", "notes.txt"]);
    home
}

fn copied(home: &Home, to: &Path) -> PathBuf {
    common::copied(&home.root, to);
    to.to_owned()
}

/// Everything that the book keeps, by name.
fn kept(root: &Path) -> Vec<(String, CommitId)> {
    store::kept::kept_refs(&Book::open(root, wording).unwrap()).unwrap()
}

/// Everything about a book that must not depend on whether a process died in between.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Outcome {
    tree: String,
    status: String,
    tags: String,
    drafts: String,
    draft_tree: Option<String>,
    staging: Option<String>,
    leftovers: Vec<String>,
}

fn outcome(root: &Path) -> Outcome {
    let git = |args: &[&str]| git_in(root, args);
    let fsck = run_git(root, &["fsck", "--strict", "--no-dangling", "--no-progress"]);
    assert!(fsck.status.success(), "{}", String::from_utf8_lossy(&fsck.stderr));
    let draft = run_git(root, &["rev-parse", "draft/ch-003^{tree}"]);
    let staging = root.join("staging");
    let mut leftovers = Vec::new();
    let mut folders = vec![root.join(".git")];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            let name = path.strip_prefix(root).unwrap().display().to_string();
            if path.is_dir() {
                folders.push(path);
            } else if name.ends_with(".lock") || name.contains("novel/tmp/") || name.ends_with("refs/novel/txn") {
                leftovers.push(name);
            }
        }
    }
    Outcome {
        tree: git(&["rev-parse", "HEAD^{tree}"]),
        status: git(&["-c", "core.quotePath=false", "status", "--porcelain"]),
        tags: git(&["for-each-ref", "--format=%(refname) %(tree)", "refs/tags"]),
        drafts: git(&["for-each-ref", "--format=%(refname)", "refs/heads/draft"]),
        draft_tree: draft.status.success().then(|| String::from_utf8(draft.stdout).unwrap()),
        staging: staging.exists().then(|| git_in(&staging, &["status", "--porcelain"])),
        leftovers,
    }
}

/// Opens the book and puts it in order; a second time there must be nothing left to do.
fn recover(root: &Path) -> Recovered {
    let book = Book::open(root, wording).unwrap();
    let recovered = begin(&book).recovered().clone();
    let again = begin(&book).recovered().clone();
    assert!(again == Recovered::default(), "first {recovered:?}, then {again:?}");
    recovered
}
