//! From an idea to an approved plan, by the offline planners.

use crate::common::World;
use serde_json::Value;

/// A book of which nothing is known but its idea.
fn idea(world: &World) -> &'static str {
    let args = ["init", "book", "--title", "渡口", "--genre", "悬疑", "--protagonist", "沈渡，不会水的摆渡人"];
    let _ = world.novel("", &[&args[..], &["--conflict", "一张对不上的舱单", "--offline"]].concat()).ok();
    "book"
}

/// The same with a world, a theme and people.
fn founded(world: &World) -> &'static str {
    let book = idea(world);
    let _ = world.novel(book, &["world", "update"]).ok();
    let _ = world.novel(book, &["world", "theme"]).ok();
    let _ = world.novel(book, &["character", "first", "沈渡，不会水的摆渡人"]).ok();
    book
}

fn subjects(world: &World, book: &str) -> Vec<String> {
    let log = world.git(book, &["log", "--first-parent", "--format=%s"]).ok();
    log.lines().map(str::to_owned).collect()
}

fn json(world: &World, path: &str) -> Value {
    serde_json::from_str(&world.read(path)).unwrap()
}

#[test]
fn every_step_is_a_transaction_of_its_own() {
    let world = World::new();
    let book = founded(&world);
    let log = subjects(&world, book);
    for (subject, start) in log.iter().zip(["characters: ", "theme: ", "world: ", "init: "]) {
        assert!(subject.starts_with(start), "{log:?}");
    }
    assert_eq!(log.len(), 4, "{log:?}");
    let rules = json(&world, "book/world/rules.json");
    let ids: Vec<&str> = rules["rules"].as_array().unwrap().iter().map(|rule| rule["id"].as_str().unwrap()).collect();
    assert!(ids.len() <= 3 && ids[0] == "W-001", "{ids:?}");
    let brief = world.read("book/brief.md");
    let conflict = brief.split("## 核心冲突").nth(1).unwrap();
    assert!(conflict.trim_start().starts_with("一张对不上的舱单"), "the author's words come first: {brief}");
    let hero = json(&world, "book/characters/active/shen-du.json");
    assert_eq!(hero["role"], "protagonist");
    assert!(!hero["contracts"].as_array().unwrap().is_empty());
    let people = world.git(book, &["ls-files", "characters/active/*.json"]).ok();
    assert!((2..=3).contains(&people.lines().count()), "{people}");
    assert!(world.git(book, &["show", "HEAD", "--format=%b", "-s"]).ok().contains("Novel-Step: characters"));
    assert_eq!(world.git(book, &["status", "--porcelain"]).ok(), "");
    world.check(book);
    // The same thing asked for twice in a row is done once.
    let _ = world.novel(book, &["character", "first", "沈渡，不会水的摆渡人"]).ok();
    assert_eq!(subjects(&world, book), log);
    let calls = world.novel(book, &["show", "HEAD", "--calls", "--json"]).json();
    assert!(calls["calls"][0]["outcome"].to_string().contains("沈渡"), "what was answered can be read: {calls}");
    // Each can be taken back, and the answer that was paid for is still there.
    let _ = world.novel(book, &["undo"]).ok();
    assert_eq!(json(&world, "book/characters/active/shen-du.json")["contracts"], serde_json::json!([]));
    assert!(world.git(book, &["for-each-ref", "refs/novel/kept/characters"]).ok().contains("characters/"));
}

#[test]
fn a_plan_waits_for_the_author_and_is_one_commit_once_approved() {
    let world = World::new();
    let book = founded(&world);
    let before = subjects(&world, book).len();
    let _ = world.novel(book, &["plan", "make", "--chapters", "12"]).fails(3);
    assert_eq!(subjects(&world, book).len(), before, "nothing is final before approval");
    let shown = world.novel(book, &["plan", "--json"]).fails(3).json();
    assert_eq!(shown["type"], "requires_user_decision");
    assert_eq!(shown["options"][0], "approve");
    assert_eq!(shown["data"]["chapters"].as_array().unwrap().len(), 12);
    assert_eq!(shown["data"]["flaws"], serde_json::json!([]));
    assert!(world.read("book/staging/volumes/vol-01/outline.md").contains("## 第12章"));
    let status = world.novel(book, &["status", "--json"]).ok();
    assert!(status.contains("\"next\": \"novel plan\""), "{status}");

    let _ = world.novel(book, &["plan", "approve"]).ok();
    let log = subjects(&world, book);
    assert!(log.len() == before + 1 && log[0].starts_with("plan vol-01: "), "{log:?}");
    let files = world.git(book, &["show", "--stat=200", "--format=", "HEAD"]).ok();
    for file in ["outline.md", "storyline-schedule.json", "foreshadowing.json", "chapter-contracts/chapter-012.json"] {
        assert!(files.contains(&format!("volumes/vol-01/{file}")), "{file}:\n{files}");
    }
    assert!(files.contains("logs/plans/vol-01-") && !files.contains(".draft"), "{files}");
    assert_eq!(world.git(book, &["status", "--porcelain"]).ok(), "");
    let _ = world.novel(book, &["plan", "approve"]).fails(1);
    let _ = world.novel(book, &["continue", "2"]).ok();
    let costs = world.novel(book, &["cost", "--json"]).ok();
    assert!(costs.contains("vol-01") && costs.contains("world"), "{costs}");
    let _ = world.novel(book, &["doctor"]).ok();
    world.check(book);
}

#[test]
fn a_plan_that_a_rollback_put_aside_waits_again_when_that_is_undone() {
    let world = World::new();
    let book = founded(&world);
    let _ = world.novel(book, &["plan", "make", "--chapters", "4"]).fails(3);
    let _ = world.novel(book, &["plan", "approve"]).ok();
    let _ = world.novel(book, &["continue", "4"]).ok();
    let _ = world.novel(book, &["review"]).ok();
    let _ = world.novel(book, &["plan", "make", "--chapters", "4"]).fails(3);
    let path = "book/staging/volumes/vol-02/outline.md";
    let mine = world.read(path).replacen("- 冲突: ", "- 冲突: 先说清楚，", 1);
    world.write(path, &mine);
    let cost = || world.novel(book, &["cost", "--json"]).json()["total"]["calls"].clone();
    let paid = cost();

    let back = world.novel(book, &["rollback", "ch-3", "--yes"]);
    assert!(back.stderr.contains("vol-02 was put aside"), "{back:#?}");
    let _ = back.ok();
    assert!(!world.path(path).exists());
    let again = world.novel(book, &["undo"]);
    assert!(again.stderr.contains("the draft of vol-02 was reopened"), "{again:#?}");
    let _ = again.ok();
    assert_eq!(world.read(path), mine, "with what the author was about to change");
    assert_eq!(world.novel(book, &["status", "--json"]).json()["pending"][0], "the plan of vol-02");
    let _ = world.novel(book, &["plan", "approve"]).ok();
    assert!(world.read("book/volumes/vol-02/outline.md").contains("先说清楚，"));
    assert_eq!(cost(), paid, "nothing was asked again");
    let _ = world.novel(book, &["doctor"]).ok();
    world.check(book);
}

#[test]
fn undoing_a_plan_puts_the_chapters_begun_on_it_aside() {
    let world = World::new();
    let book = founded(&world);
    world.write("book/brief.md", &format!("{}\n离线评分(ch-001): 2.4\n", world.read("book/brief.md")));
    let _ = world.novel(book, &["plan", "make", "--chapters", "5"]).fails(3);
    let _ = world.novel(book, &["plan", "approve"]).ok();
    let _ = world.novel(book, &["continue", "1"]).fails(3);
    // A change that is taken back after the chapter was begun does not affect it.
    let _ = world.novel(book, &["storyline", "add", "码头上的旧账"]).ok();
    let kept = world.novel(book, &["undo"]);
    assert!(!kept.stderr.contains("put aside"), "{kept:#?}");
    assert_eq!(world.novel(book, &["status", "--json"]).json()["inflight"]["chapter"], 1);

    let undone = world.novel(book, &["undo"]);
    assert!(undone.stderr.contains("the draft of ch-001 was put aside"), "{undone:#?}");
    for line in [&["continue"][..], &["write", "1"]] {
        let refused = world.novel(book, line);
        assert!(refused.code != 0 && refused.stderr.contains("novel start"), "{line:?}: {refused:#?}");
    }
    let _ = world.novel(book, &["decide", "accept"]).fails(1);
    let again = world.novel(book, &["redo"]);
    assert!(again.stderr.contains("the draft of ch-001 was reopened"), "{again:#?}");
    let _ = world.novel(book, &["decide", "accept"]).ok();
    let _ = world.novel(book, &["undo"]).ok();
    let _ = world.novel(book, &["plan", "make", "--chapters", "6"]).fails(3);
    world.check(book);
}

#[test]
fn a_draft_of_a_chapter_that_no_plan_knows_stands_in_nobodys_way() {
    let world = World::new();
    let book = founded(&world);
    world.write("book/brief.md", &format!("{}\n离线评分(ch-001): 2.4\n", world.read("book/brief.md")));
    let _ = world.novel(book, &["plan", "make", "--chapters", "5"]).fails(3);
    let _ = world.novel(book, &["plan", "approve"]).ok();
    let _ = world.novel(book, &["continue", "1"]).fails(3);
    let _ = world.git(book, &["-c", "user.name=A", "-c", "user.email=a@b", "revert", "--no-edit", "HEAD"]).ok();
    let _ = world.novel(book, &["status"]).ok();
    let _ = world.novel(book, &["plan", "make", "--chapters", "6"]).fails(3);
    let _ = world.novel(book, &["plan", "approve"]).ok();
    assert_eq!(world.novel(book, &["status", "--json"]).json()["inflight"]["chapter"], 1);
}

#[test]
fn contracts_follow_the_chapters_that_the_author_changed_and_no_others() {
    let world = World::new();
    let book = founded(&world);
    let _ = world.novel(book, &["plan", "make", "--chapters", "8"]).fails(3);
    let contract = |n: u32| world.read(&format!("book/staging/volumes/vol-01/chapter-contracts/chapter-{n:03}.json"));
    let before: Vec<String> = (1..=8).map(contract).collect();
    let path = "book/staging/volumes/vol-01/outline.md";
    let outline = world.read(path);
    let (head, tail) = outline.split_once("## 第5章").unwrap();
    let line = tail.lines().find(|line| line.starts_with("- 冲突")).unwrap();
    world.write(path, &format!("{head}## 第5章{}", tail.replacen(line, "- 冲突: 摆渡人要开船，船工要先还钱", 1)));
    let _ = world.novel(book, &["plan", "edit"]).fails(3);
    let after: Vec<String> = (1..=8).map(contract).collect();
    let changed: Vec<usize> = (0..8).filter(|n| before[*n] != after[*n]).map(|n| n + 1).collect();
    assert_eq!(changed, [5]);
    assert!(after[4].contains("摆渡人要开船，船工要先还钱"));
    // A contract that the author changed stays, also when its neighbour's chapter changes.
    let own = after[2].replacen("在正文里演了出来", "要让读者听见水声", 1);
    world.write("book/staging/volumes/vol-01/chapter-contracts/chapter-003.json", &own);
    world.write(path, &world.read(path).replacen("船工要先还钱", "船工已经走了", 1));
    let _ = world.novel(book, &["plan", "edit"]).fails(3);
    assert!(contract(3).contains("要让读者听见水声"));
    let _ = world.novel(book, &["plan", "approve"]).ok();
    assert!(world.read("book/volumes/vol-01/chapter-contracts/chapter-003.json").contains("要让读者听见水声"));
    let authors = world.git(book, &["log", "--format=%s", "--all"]).ok();
    assert!(authors.contains("vol-01: edited by hand"), "{authors}");
}

#[test]
fn a_plan_with_a_flaw_is_not_approved_and_says_what_to_mend() {
    let world = World::new();
    let book = founded(&world);
    let _ = world.novel(book, &["plan", "make", "--chapters", "6"]).fails(3);
    let path = "book/staging/volumes/vol-01/outline.md";
    let sound = world.read(path);
    let line = sound.lines().find(|line| line.starts_with("- 故事线: ")).unwrap();
    world.write(path, &sound.replacen(line, "- 故事线: no-such-line", 1));
    let refused = world.novel(book, &["--lang", "en", "plan", "approve"]).fails(3);
    assert!(refused.stderr.contains("`no-such-line`, which is not in the schedule"), "{refused:#?}");
    assert!(refused.stderr.contains("staging/volumes/vol-01/outline.md"), "{refused:#?}");
    assert!(refused.stderr.contains("novel plan mend"), "{refused:#?}");
    // The planner may be asked again, as often as the author wants.
    world.copy("book", "mended");
    for _ in 0..2 {
        let path = "mended/staging/volumes/vol-01/outline.md";
        let line = world.read(path).lines().find(|line| line.starts_with("- 故事线: ")).unwrap().to_owned();
        world.write(path, &world.read(path).replacen(&line, "- 故事线: no-such-line", 1));
        let shown = world.novel("mended", &["--json", "plan", "edit"]).fails(3).json_lines().pop().unwrap();
        assert_eq!(
            (&shown["options"][0], shown["data"]["flaws"].as_array().unwrap().len()),
            (&serde_json::json!("mend"), 1)
        );
        let mended = world.novel("mended", &["--json", "plan", "mend"]).fails(3);
        assert_eq!(mended.json_lines().last().unwrap()["data"]["flaws"], serde_json::json!([]));
    }
    let _ = world.novel("mended", &["plan", "approve"]).ok();
    world.check("mended");
    world.write(path, "# 什么都没有\n\n## 第一节\n");
    let broken = world.novel(book, &["--lang", "en", "plan", "edit"]).fails(1);
    assert!(broken.stderr.contains("no chapter number"), "{broken:#?}");
    assert_eq!(world.read(path), "# 什么都没有\n\n## 第一节\n", "the author's file stays as it is");
    world.write(path, &sound);
    let _ = world.novel(book, &["plan", "approve"]).ok();
}

#[test]
fn a_plan_can_be_resized_and_put_aside() {
    let world = World::new();
    let book = founded(&world);
    let before = subjects(&world, book);
    let chapters = |output: &Value| output["data"]["chapters"].as_array().unwrap().len();
    let _ = world.novel(book, &["plan", "make", "--chapters", "10"]).fails(3);
    let smaller = world.novel(book, &["--json", "plan", "resize", "6"]).fails(3);
    assert_eq!(chapters(smaller.json_lines().last().unwrap()), 6);
    let larger = world.novel(book, &["--json", "plan", "resize", "9"]).fails(3);
    assert_eq!(chapters(larger.json_lines().last().unwrap()), 9);
    let _ = world.novel(book, &["plan", "reject"]).ok();
    assert_eq!(subjects(&world, book), before);
    assert!(!world.path("book/staging").exists());
    let _ = world.novel(book, &["plan"]).fails(1);
    assert!(world.git(book, &["for-each-ref", "refs/novel/kept/vol-01"]).ok().contains("vol-01/"));
    let _ = world.novel(book, &["plan", "make", "--chapters", "5"]).fails(3);
    world.check(book);
}

#[test]
fn an_approved_plan_gets_another_length_while_it_is_written() {
    let world = World::new();
    let book = founded(&world);
    let _ = world.novel(book, &["plan", "make", "--chapters", "8"]).fails(3);
    let _ = world.novel(book, &["plan", "approve"]).ok();
    let _ = world.novel(book, &["continue", "2"]).ok();
    let outline = || world.read("book/volumes/vol-01/outline.md");
    let (sections, written) = (|| outline().matches("\n## ").count(), outline());
    for chapters in ["4", "7"] {
        let _ = world.novel(book, &["plan", "resize", chapters]).fails(3);
        // The plan waits again, and the book has the old one until it is approved.
        let _ = world.novel(book, &["continue"]).fails(3);
        let _ = world.novel(book, &["plan", "approve"]).ok();
        assert_eq!(sections().to_string(), chapters);
        let contracts = std::fs::read_dir(world.path("book/volumes/vol-01/chapter-contracts")).unwrap().count();
        assert_eq!(contracts.to_string(), chapters);
    }
    let told = |text: &str| text.split("\n## ").skip(1).take(2).map(str::to_owned).collect::<Vec<_>>();
    assert_eq!(told(&outline()), told(&written), "what is written stays as it was planned");
    let refused = world.novel(book, &["--lang", "en", "plan", "resize", "1"]).fails(1);
    assert!(refused.stderr.contains("at least"), "{refused:#?}");
    // A length that was refused leaves no plan that waits.
    let _ = world.novel(book, &["continue", "5"]).ok();
    let _ = world.novel(book, &["plan", "resize", "12"]).fails(1);
    world.check(book);
}

#[test]
fn what_written_chapters_took_for_granted_stops_no_other_length() {
    let world = World::new();
    let book = world.demo_with(3);
    // The author's own outline of the demo book gives chapters premises that no chapter brings about.
    for chapters in ["5", "9"] {
        let _ = world.novel(book, &["plan", "resize", chapters]).fails(3);
        let _ = world.novel(book, &["plan", "approve"]).ok();
        assert_eq!(world.read("book/volumes/vol-01/outline.md").matches("\n## ").count().to_string(), chapters);
    }
    let _ = world.novel(book, &["continue"]).ok();
    world.check(book);
}

#[test]
fn characters_are_added_and_changed_without_touching_the_others() {
    let world = World::new();
    let book = founded(&world);
    let hero = world.read("book/characters/active/shen-du.json");
    let _ = world.novel(book, &["character", "add", "罗守拙，一个专收假票的掌柜"]).ok();
    let added = json(&world, "book/characters/active/luo-shou-zhuo.json");
    assert_eq!(added["display_name"], "罗守拙");
    assert_eq!(world.read("book/characters/active/shen-du.json"), hero);
    let _ = world.novel(book, &["character", "update", "shen-du", "他学会了游水", "--yes"]).ok();
    let updated = json(&world, "book/characters/active/shen-du.json");
    let was: Value = serde_json::from_str(&hero).unwrap();
    assert_eq!(updated["contracts"][0]["id"], was["contracts"][0]["id"], "a contract keeps its id");
    assert!(updated["contracts"].as_array().unwrap().len() > was["contracts"].as_array().unwrap().len());
    let nobody = world.novel(book, &["--lang", "en", "character", "update", "nobody", "x"]).fails(1);
    assert!(nobody.stderr.contains("no such character: `nobody`"), "{nobody:#?}");
    let _ = world.novel(book, &["character", "update", "../x", "x"]).fails(1);
    world.check(book);
}

#[test]
fn a_step_names_the_one_that_comes_first_and_what_is_there_is_used() {
    let world = World::new();
    let book = idea(&world);
    let steps: [(&[&str], &str); 3] = [
        (&["world", "theme"], "novel world update"),
        (&["character", "first", "沈渡"], "novel world theme"),
        (&["plan", "make"], "novel character first"),
    ];
    for (step, first) in steps {
        let refused = world.novel(book, step).fails(1);
        assert!(refused.stderr.contains(&format!("run `{first}`;")), "{refused:#?}");
    }
    assert_eq!(subjects(&world, book).len(), 1);
    let _ = world.novel(book, &["world", "update"]).ok();
    let rules = world.read("book/world/rules.json");
    let again = world.novel(book, &["world", "update"]).ok();
    assert!(again.contains("already done"), "{again}");
    assert_eq!(world.novel(book, &["--json", "world", "update"]).json()["status"], "reused");
    assert_eq!(subjects(&world, book).len(), 2);

    let mut mine: Value = serde_json::from_str(&rules).unwrap();
    mine["rules"][0]["rule"] = "渡口三更封灯".into();
    world.write("book/world/rules.json", &serde_json::to_string_pretty(&mine).unwrap());
    let _ = world.novel(book, &["world", "update", "--force", "--yes"]).ok();
    assert!(!world.read("book/world/rules.json").contains("渡口三更封灯"), "made again");
    assert_eq!(subjects(&world, book).len(), 4, "the author's change is a commit of its own first");
    let _ = world.novel(book, &["undo"]).ok();
    assert!(world.read("book/world/rules.json").contains("渡口三更封灯"), "and is not lost");
    world.check(book);
}

#[test]
fn what_the_author_changes_in_the_book_while_a_plan_waits_stands() {
    let world = World::new();
    let book = founded(&world);
    let _ = world.novel(book, &["start", "--offline", "--answer", "found", "--style", "suspense"]).fails(3);
    let _ = world.novel(book, &["start", "--answer", "go-on", "--chapters", "6"]).fails(3);
    let lines = world.read("book/storylines/storylines.json");
    assert!(lines.contains("\"description\": \"") && world.path("book/staging/volumes/vol-01/outline.md").exists());
    let outline = world.read("book/volumes/vol-01/outline.md");
    let place = outline.lines().find(|line| line.starts_with("- 地点: ")).unwrap();
    world.write("book/volumes/vol-01/outline.md", &outline.replacen(place, "- 地点: 作者另挑的一处", 1));
    let _ = world.novel(book, &["plan", "approve"]).ok();
    let approved = world.read("book/volumes/vol-01/outline.md");
    assert!(approved.contains("作者另挑的一处"), "merged: {approved}");
    assert_eq!(approved.matches("## 第").count(), 6);
    world.check(book);
}

#[test]
fn what_lies_in_staging_beside_the_plan_is_no_part_of_it() {
    let world = World::new();
    let book = founded(&world);
    let _ = world.novel(book, &["start", "--offline", "--answer", "found", "--style", "suspense"]).fails(3);
    let _ = world.novel(book, &["start", "--answer", "go-on", "--chapters", "6"]).fails(3);
    let chapter = world.read("book/chapters/vol-01/chapter-001.md");
    world.write("book/staging/chapters/vol-01/chapter-001.md", "x\n");
    world.write("book/staging/state/current-state.json", "{}\n");
    world.write("book/staging/手记.md", "给自己的话\n");
    let _ = world.novel(book, &["plan", "edit"]).fails(3);
    let _ = world.novel(book, &["plan", "approve"]).ok();
    assert_eq!(world.read("book/chapters/vol-01/chapter-001.md"), chapter);
    let files = world.git(book, &["show", "--stat", "--format=", "--name-only", "HEAD"]).ok();
    assert!(
        !files.contains("chapters/vol-01") && !files.contains("current-state") && !files.contains("手记"),
        "{files}"
    );
    // A file that existed only in `staging/` is kept with the draft.
    let kept = world.git(book, &["for-each-ref", "--format=%(refname)", "refs/novel/kept/vol-01"]).ok();
    let last = kept.lines().last().unwrap();
    let notes: Vec<String> =
        kept.lines().map(|name| world.git(book, &["show", &format!("{name}:手记.md")]).stdout).collect();
    assert!(notes.iter().any(|text| text.contains("给自己的话")), "{last}");
    let _ = world.novel(book, &["doctor"]).ok();
    world.check(book);
}

#[test]
fn a_slip_of_the_finger_costs_nothing() {
    let world = World::new();
    let book = world.demo_with(2);
    let refused = world.novel(book, &["undo", "99"]).fails(1);
    assert!(refused.stderr.contains("only 2 available"), "{refused:#?}");
    assert_eq!(world.novel(book, &["status", "--json"]).json()["last_completed"], 2);
    for line in [&["plan", "make", "--chapters", "99999999"][..], &["start", "--chapters", "4294967295"]] {
        let refused = world.novel(book, line).fails(2);
        assert!(refused.stderr.contains("500"), "{refused:#?}");
    }
}

#[test]
fn what_came_to_nothing_was_paid_for_all_the_same() {
    let world = World::new();
    let book = founded(&world);
    let calls = || world.novel(book, &["cost", "--json"]).json()["total"]["calls"].as_u64().unwrap();
    let _ = world.novel(book, &["plan", "make", "--chapters", "4"]).fails(3);
    let with_plan = calls();
    let aside = world.novel(book, &["plan", "reject", "--json"]).json();
    assert!(aside["kept"].as_str().unwrap().starts_with("refs/novel/kept/vol-01/"), "{aside}");
    assert_eq!(calls(), with_plan, "a plan that was rejected");
    let other = world.novel(book, &["plan", "make", "--chapters", "5"]).fails(3);
    assert!(other.stdout.contains("5"), "{other:#?}");
    let refused = world.novel(book, &["--lang", "en", "plan", "make", "--chapters", "6"]).fails(1);
    assert!(refused.stderr.contains("novel plan resize 6"), "{refused:#?}");
    let _ = world.novel(book, &["plan", "approve"]).ok();
    let _ = world.novel(book, &["continue", "2"]).ok();
    let all = calls();
    assert!(all > with_plan);
    let _ = world.novel(book, &["rollback", "ch-1", "--yes"]).ok();
    assert_eq!(calls(), all, "a chapter that was rolled back");
    let _ = world.novel(book, &["undo"]).ok();
    assert_eq!(calls(), all, "and nothing counts twice");
}

#[test]
fn status_names_a_chapter_and_a_plan_that_wait_side_by_side() {
    let world = World::new();
    let book = founded(&world);
    let _ = world.novel(book, &["plan", "make", "--chapters", "4"]).fails(3);
    let _ = world.novel(book, &["plan", "approve"]).ok();
    let _ = world.novel(book, &["continue", "4"]).ok();
    let _ = world.novel(book, &["review"]).ok();
    let _ = world.novel(book, &["plan", "make", "--chapters", "4"]).fails(3);
    let brief = world.read("book/brief.md");
    world.write("book/brief.md", &format!("{brief}\n离线评分(ch-002): 2.4\n"));
    let _ = world.novel(book, &["write", "2", "--force"]).fails(3);
    let pending = world.novel(book, &["status", "--json"]).json()["pending"].clone();
    assert!(pending[0].as_str().unwrap().starts_with("ch-002 "), "{pending}");
    assert_eq!((&pending[1], pending.as_array().unwrap().len()), (&"the plan of vol-02".into(), 2), "{pending}");
}

#[test]
fn an_approved_plan_is_shown_and_said_to_be_approved() {
    let world = World::new();
    let book = world.demo_with(3);
    let shown = world.novel(book, &["--lang", "zh", "plan", "show"]).ok();
    for part in ["vol-01 七日，", "已批准，写了 3 章", "夜班  ", "主推", "辅线"] {
        assert!(shown.contains(part), "{part}: {shown}");
    }
    assert_eq!(world.novel(book, &["--lang", "zh", "plan", "show", "七日"]).ok(), shown);
    let document = world.novel(book, &["plan", "show", "vol-01", "--json"]).json();
    assert_eq!((&document["status"], &document["written"]), (&"approved".into(), &3.into()));
    assert_eq!(document["storylines"][0]["role"], "primary");
    let _ = world.novel(book, &["plan", "show", "vol-02"]).fails(1);
    world.check(book);
}
