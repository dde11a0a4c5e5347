//! Kept drafts in the archive, from outside: every command finds them by the names that they had.

use crate::common::{World, loosen};
use novel::report::subject::wording;
use novel::store::{self, Book, Holder, Moment, Wait};
use std::process::Command;

/// A book of three chapters with seventy kept drafts more, of which the later ones are put aside.
fn world() -> (World, &'static str) {
    let world = World::new();
    world.write("home/.gitconfig", "[user]\nname = A\nemail = a@b\n[init]\ndefaultBranch = main\n");
    let book = world.demo_with(3);
    let behind = world.git(book, &["log", "-1", "--format=%(trailers:key=Novel-Draft,valueonly)", "ch-002"]).ok();
    let stages = world.git(book, &["log", "--format=%H", "-4", behind.trim()]).ok();
    for (stage, n) in stages.lines().cycle().zip(1..=70) {
        let name = format!("refs/novel/kept/ch-002/{n:010}");
        let _ = world.git(book, &["update-ref", &name, stage]).ok();
    }
    (world, book)
}

/// Gathers the drafts, as packing does.
fn gather(world: &World, book: &str) -> usize {
    let since = Moment { seconds: 1_767_225_600, offset_minutes: 0 };
    let holder = Holder { what: "gc".to_owned(), host: "here".to_owned(), since };
    store::pending_command::gather_drafts(&Book::open(&world.path(book), wording).unwrap(), &holder, Wait::sleeping())
        .unwrap()
}

fn kept_refs(world: &World, book: &str) -> Vec<String> {
    let listed = world.git(book, &["for-each-ref", "--format=%(refname)", "refs/novel/kept"]).ok();
    listed.lines().map(str::to_owned).collect()
}

#[test]
fn every_command_says_of_archived_drafts_what_it_said_before() {
    let (world, book) = world();
    let refs = kept_refs(&world, book);
    let named = refs.iter().find(|name| name.ends_with("/0000000004")).unwrap();
    let commands: [&[&str]; 12] = [
        &["show", "2", "--calls"],
        &["show", "2", "--calls", "--json"],
        &["show", named, "--json"],
        &["show", &format!("{named}~1"), "--json"],
        &["diff", "2", "--stage", "draft..refine"],
        &["cost", "--json"],
        &["cost", "--by", "stage", "--json"],
        &["log", "--json"],
        &["restore", "--json"],
        &["restore", "ch-002/0000000004", "--print", "--json"],
        &["metrics", "--json"],
        &["status", "--json"],
    ];
    let said = || commands.map(|args| (args, world.novel(book, args).ok()));
    let before = said();
    assert!(before[0].1.contains("draft") && before.iter().all(|(_, said)| !said.is_empty()), "{before:#?}");
    assert_eq!(gather(&world, book), refs.len());
    assert_eq!(kept_refs(&world, book).len(), 1);
    assert_eq!(said(), before);
    assert!(!world.git(book, &["rev-parse", "--verify", "-q", named]).stdout.contains(char::is_alphanumeric));
    world.check(book);
    // A draft comes back by its name.
    let _ = world.novel(book, &["rollback", "ch-1", "--yes"]).ok();
    let back = world.novel(book, &["restore", "ch-002/0000000004", "--json"]).json();
    assert_eq!(back["kind"], "draft", "{back}");
    let _ = world.novel(book, &["continue"]).ok();
    let _ = world.novel(book, &["doctor"]).ok();
}

#[test]
fn doctor_gives_up_the_lost_draft_of_the_archive_and_keeps_the_others() {
    let (world, book) = world();
    let all = kept_refs(&world, book).len();
    let _ = gather(&world, book);
    let lost = world.git(book, &["log", "-1", "--format=%(trailers:key=Novel-Draft,valueonly)", "ch-003"]).ok();
    let lost = lost.trim();
    loosen(&world.path(book));
    let _ = Command::new("rm").arg(world.path(book).join(".git/objects").join(&lost[..2]).join(&lost[2..])).status();
    let found = world.novel(book, &["doctor", "--json"]).json();
    let findings = found["findings"].as_array().unwrap().clone();
    let text = findings[0].to_string();
    assert!(
        findings.len() == 1 && text.contains("missing_object") && text.contains("refs/novel/kept/ch-003/"),
        "{found}"
    );
    let said = world.novel(book, &["doctor", "--repair"]).ok();
    assert!(said.contains("repaired: ") && said.contains("refs/novel/kept/ch-003/"), "{said}");
    assert!(world.read("book/.git/novel/aside/refs").starts_with(&format!("{lost} refs/novel/kept/ch-003/")));
    assert_eq!(world.novel(book, &["doctor", "--json"]).json()["findings"].as_array().unwrap().len(), 0);
    let kept = store::kept::kept_refs(&Book::open(&world.path(book), wording).unwrap()).unwrap();
    assert_eq!(kept.len(), all - 1);
    world.check(book);
}

/// A run gathers between chapters.
#[test]
fn a_run_leaves_few_refs() {
    let (world, book) = world();
    let before = kept_refs(&world, book).len();
    let _ = world.novel(book, &["continue"]).ok();
    let after = kept_refs(&world, book);
    assert!(before > 70 && after.len() == 1, "{after:?}");
}
