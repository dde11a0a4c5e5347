//! Everything that has left the book: listed with its reason, looked at, and brought back.

use crate::common::World;
use serde_json::Value;

fn kept(world: &World, book: &str) -> Vec<Value> {
    world.novel(book, &["restore", "--json"]).json()["kept"].as_array().unwrap().clone()
}

#[track_caller]
fn one<'v>(kept: &'v [Value], why: &str) -> &'v Value {
    let found: Vec<&Value> = kept.iter().filter(|entry| entry["why"] == why).collect();
    assert_eq!(found.len(), 1, "{why}: {kept:#?}");
    found[0]
}

fn name(entry: &Value) -> &str {
    entry["name"].as_str().unwrap()
}

const SECOND: &str = "book/chapters/vol-01/chapter-002.md";

#[test]
fn a_line_that_was_left_comes_back_as_one_commit() {
    let world = World::new();
    let book = world.demo_with(3);
    assert_eq!(world.novel(book, &["restore"]).ok(), "Nothing to restore.\n");
    let was = world.tree(book);
    let _ = world.novel(book, &["rollback", "ch-1", "--yes"]).ok();
    let _ = world.novel(book, &["continue"]).ok();
    let list = kept(&world, book);
    let line = one(&list, "rolled-back");
    assert_eq!((&line["kind"], &line["chapters"]), (&"line".into(), &serde_json::json!([2, 3])), "{line}");
    let shown = world.novel(book, &["restore", "--lang", "zh"]).ok();
    assert!(shown.contains("第 2–3 章") && shown.contains("退回时离开"), "{shown}");
    let look = world.novel(book, &["restore", name(line), "--print"]).ok();
    assert!(look.contains("ch-003: ") && look.lines().count() == 2, "{look}");

    let before = world.git(book, &["rev-parse", "HEAD"]).ok();
    let back = world.novel(book, &["restore", name(line), "--json"]).json();
    assert_eq!(back["kind"], "line", "{back}");
    assert_eq!(world.tree(book), was);
    assert_eq!(world.git(book, &["rev-parse", "HEAD~1"]).ok(), before, "one commit, forward");
    let again = world.novel(book, &["restore", name(line)]).fails(1);
    assert!(again.stderr.contains("nothing named"), "it is in effect and not kept: {again:#?}");
    let _ = world.novel(book, &["doctor"]).ok();
    let _ = world.novel(book, &["undo"]).ok();
    assert_eq!(
        world.git(book, &["rev-parse", "HEAD^{tree}"]).ok(),
        world.git(book, &["rev-parse", &format!("{}^{{tree}}", before.trim())]).ok()
    );
    world.check(book);
}

#[test]
fn an_earlier_text_of_a_chapter_comes_back_with_its_state() {
    let world = World::new();
    let book = world.demo_with(3);
    let (first, state) = (world.read(SECOND), world.read("book/state/current-state.json"));
    let _ = world.novel(book, &["write", "2", "--force"]).ok();
    let second = world.read(SECOND);
    assert_ne!(first, second, "the offline writer wrote it otherwise");
    let list = kept(&world, book);
    assert_eq!(one(&list, "replaced")["kind"], "chapter");
    assert_eq!(world.novel(book, &["restore", "ch-2", "--print"]).ok(), first);
    let _ = world.novel(book, &["restore", "ch-2"]).ok();
    assert_eq!((world.read(SECOND), world.read("book/state/current-state.json")), (first, state));
    assert!(world.subjects(book)[0].starts_with("ch-002: "));
    assert_eq!(world.git(book, &["rev-parse", "ch-002"]).ok(), world.git(book, &["rev-parse", "HEAD"]).ok());
    let _ = world.novel(book, &["doctor"]).ok();
    // And the other one back again: the text that the book has now is not among the earlier ones.
    let _ = world.novel(book, &["restore", "2"]).ok();
    assert_eq!(world.read(SECOND), second);
    let _ = world.novel(book, &["write", "2", "--force"]).ok();
    let several = world.novel(book, &["restore", "2"]).fails(1);
    assert!(several.stderr.matches("novel restore ").count() >= 2, "{several:#?}");
    let _ = world.novel(book, &["restore", "2", "--from", "HEAD~1"]).ok();
    assert_eq!(world.read(SECOND), second);
    let _ = world.novel(book, &["doctor"]).ok();
    assert_eq!(world.novel(book, &["status", "--json"]).json()["last_completed"], 3);
    world.check(book);
}

#[test]
fn a_chapter_that_was_rolled_back_comes_back_alone_when_it_is_the_next() {
    let world = World::new();
    let book = world.demo_with(3);
    let (text, third) = (world.read(SECOND), world.git(book, &["rev-parse", "ch-003"]).ok());
    let _ = world.novel(book, &["rollback", "ch-1", "--yes"]).ok();
    let far = world.novel(book, &["restore", "ch-3"]).fails(1);
    assert!(far.stderr.contains("the next chapter is ch-002"), "{far:#?}");
    let _ = world.novel(book, &["restore", "ch-2"]).ok();
    assert_eq!(world.read(SECOND), text);
    assert_eq!(world.novel(book, &["status", "--json"]).json()["last_completed"], 2);
    let _ = world.novel(book, &["doctor"]).ok();
    let _ = world.novel(book, &["restore", third.trim()]).ok();
    assert_eq!(world.novel(book, &["status", "--json"]).json()["last_completed"], 3);
    let _ = world.novel(book, &["doctor"]).ok();
    world.check(book);
}

#[test]
fn a_draft_that_was_put_aside_is_open_again_and_nothing_of_it_is_paid_twice() {
    let world = World::new();
    let book = world.demo_with(2);
    world.write("book/brief.md", &format!("{}\n离线评分(ch-003): 2.4\n", world.read("book/brief.md")));
    let _ = world.novel(book, &["continue"]).fails(3);
    let path = "book/staging/chapters/vol-01/chapter-003.md";
    world.write(path, &format!("{}\n自己添的话。\n", world.read(path)));
    let _ = world.novel(book, &["rollback", "ch-1", "--yes"]).ok();
    let _ = world.novel(book, &["continue"]).ok();
    let list = kept(&world, book);
    let draft = one(&list, "put-aside");
    assert_eq!((&draft["kind"], &draft["chapters"]), (&"draft".into(), &serde_json::json!([3])), "{draft}");
    assert!(world.novel(book, &["restore", name(draft), "--print"]).ok().contains("自己添的话。"));
    let back = world.novel(book, &["restore", name(draft), "--json"]).json();
    assert_eq!(back["kind"], "draft", "{back}");
    assert!(world.read(path).contains("自己添的话。"));
    assert_eq!(world.novel(book, &["status", "--json"]).json()["inflight"]["chapter"], 3);
    let same = world.novel(book, &["restore", name(draft), "--json"]).json();
    assert_eq!(same["kind"], "unchanged", "{same}");
    let went_on = world.novel(book, &["continue"]);
    assert!(!went_on.stderr.contains("ch-003 draft"), "{went_on:#?}");
    world.check(book);
}

#[test]
fn files_come_back_from_the_history_and_from_what_was_damaged() {
    let world = World::new();
    let book = world.demo_with(1);
    let brief = world.read("book/brief.md");
    world.write("book/brief.md", "重新想过的纲领。\n");
    world.commit(book, "brief");
    assert_eq!(world.novel(book, &["restore", "brief.md", "--print"]).ok(), brief);
    let _ = world.novel(book, &["restore", "brief.md"]).ok();
    assert_eq!(world.read("book/brief.md"), brief);
    assert!(world.subjects(book)[0].starts_with("restore: brief.md"), "{:?}", world.subjects(book));

    let refused = world.novel(book, &["restore", "state/current-state.json", "--from", "HEAD~2"]).fails(1);
    assert!(refused.stderr.contains("is derived from the chapters"), "{refused:#?}");
    world.write("book/world/rules.json", "{ 半个文件");
    let _ = world.novel(book, &["doctor", "--repair", "--yes"]);
    let list = kept(&world, book);
    let damaged = one(&list, "damaged");
    assert_eq!(damaged["files"], serde_json::json!(["world/rules.json"]), "{damaged}");
    assert_eq!(world.novel(book, &["restore", name(damaged), "--print"]).ok(), "{ 半个文件");
    let unusable = world.novel(book, &["restore", name(damaged)]);
    assert!(unusable.code != 0 && world.git(book, &["status", "--porcelain"]).ok().is_empty(), "{unusable:#?}");
    let nothing = world.novel(book, &["restore", "no-such-thing"]).fails(1);
    assert!(nothing.stderr.contains("novel restore"), "{nothing:#?}");
    world.check(book);
}

#[test]
fn what_was_undone_and_written_over_is_still_kept() {
    let world = World::new();
    let book = world.demo_with(2);
    let _ = world.novel(book, &["undo"]).ok();
    world.write("book/brief.md", &format!("{}\n换个写法。\n", world.read("book/brief.md")));
    let _ = world.novel(book, &["continue"]).ok();
    let list = kept(&world, book);
    let line = one(&list, "undone");
    assert_eq!(line["chapters"], serde_json::json!([2]), "{line}");
}

#[test]
fn removed_chapters_come_back_in_their_order_with_their_records() {
    for (first, second) in [("2", "2"), ("3", "2")] {
        for newest_first in [true, false] {
            let world = World::new();
            let book = world.demo_with(4);
            let base = world.git(book, &["rev-parse", "HEAD"]).ok();
            let _ = world.novel(book, &["chapter", "remove", first]).ok();
            let older = name(one(&kept(&world, book), "removed")).to_owned();
            let _ = world.novel(book, &["chapter", "remove", second]).ok();
            let both = kept(&world, book);
            let subjects: Vec<_> = both.iter().filter_map(|entry| entry["subject"].as_str()).collect();
            assert!(!subjects.iter().any(|subject| subject.contains("remove")), "titles tell them apart: {subjects:?}");
            let newer = both.iter().map(name).find(|name| *name != older).unwrap().to_owned();
            let order = if newest_first { [&newer, &older] } else { [&older, &newer] };
            for name in order {
                let told = world.novel(book, &["--lang", "en", "restore", name]).ok();
                assert!(!told.contains("rebuild"), "{told}");
            }
            let places = ["chapters", "summaries", "evaluations", "logs/vol-01", "state", "volumes/vol-01/outline.md"];
            let plan = ["volumes/vol-01/foreshadowing.json", "volumes/vol-01/chapter-contracts/chapter-002.json"];
            let diff = [&["diff", "--stat", base.trim(), "HEAD", "--"][..], &places, &plan].concat();
            // Ranges in the deltas of a chapter have the numbers of when it left.
            let diff = [&diff[..], &[":!state/deltas"][..if newest_first { 0 } else { 1 }]].concat();
            assert_eq!(world.git(book, &diff).ok(), "", "{first} {second} {newest_first}");
            assert_eq!(world.novel(book, &["status", "--json"]).json()["outdated"], serde_json::json!([]));
            assert!(world.read("book/storylines/clean-hands/memory.md").contains("第2章"), "the line is known again");
            assert!(kept(&world, book).iter().all(|entry| entry["why"] != "removed"), "they are back");
            world.check(book);
        }
    }
}

#[test]
fn a_planned_chapter_that_was_removed_comes_back_with_its_contract() {
    let world = World::new();
    let book = world.demo_with(2);
    let contract = "book/volumes/vol-01/chapter-contracts/chapter-004.json";
    let own = world.read(contract).replacen("\"description\": \"", "\"description\": \"灯还亮着，", 1);
    world.write(contract, &own);
    let outline = world.read("book/volumes/vol-01/outline.md");
    let _ = world.novel(book, &["chapter", "remove", "4"]).ok();
    let list = kept(&world, book);
    let removed = name(one(&list, "removed"));
    let shown = world.novel(book, &["restore", removed, "--print"]).ok();
    assert_eq!(world.novel(book, &["restore", "ch-004", "--print"]).ok(), shown, "its number will do");
    assert!(shown.starts_with("## 第4章 ") && outline.contains(shown.trim_end()), "{shown}");
    let _ = world.novel(book, &["restore", removed]).ok();
    assert_eq!((world.read("book/volumes/vol-01/outline.md"), world.read(contract)), (outline, own));
    assert!(kept(&world, book).iter().all(|entry| entry["why"] != "removed"), "it is back");
    world.check(book);
}

#[test]
fn a_text_of_before_a_merge_takes_no_place_of_the_joined_one() {
    let world = World::new();
    let book = world.demo_with(3);
    let was = world.read(SECOND);
    let _ = world.novel(book, &["chapter", "merge", "2"]).ok();
    let joined = world.read(SECOND);
    let told = world.novel(book, &["--lang", "en", "restore", "ch-2"]).fails(1).stderr;
    assert!(told.contains("split, or joined") && told.contains("--print"), "{told}");
    assert_eq!(world.read(SECOND), joined);
    assert_eq!(world.novel(book, &["restore", "ch-2", "--print"]).ok(), was);
}

#[test]
fn the_last_chapter_of_a_volume_comes_back_to_its_volume() {
    let world = super::rearranged::two_volumes();
    let (tree, whole) =
        (world.git("book", &["ls-tree", "-r", "--name-only", "HEAD:chapters"]).ok(), world.tree("book"));
    for last in ["3", "4"] {
        let _ = world.novel("book", &["chapter", "remove", last]).ok();
        let list = kept(&world, "book");
        let _ = world.novel("book", &["restore", name(one(&list, "removed"))]).ok();
        assert_eq!(world.git("book", &["ls-tree", "-r", "--name-only", "HEAD:chapters"]).ok(), tree, "ch-{last}");
        for outline in ["volumes/vol-01/outline.md", "volumes/vol-02/outline.md"] {
            let then = world.git("book", &["show", &format!("HEAD~2:{outline}")]).ok();
            assert_eq!(world.read(&format!("book/{outline}")).trim_end(), then.trim_end(), "ch-{last}");
        }
        let _ = world.novel("book", &["undo", "2"]).ok();
        assert_eq!(world.tree("book"), whole);
    }
    world.check("book");
}
