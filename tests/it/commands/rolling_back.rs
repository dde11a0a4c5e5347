//! The effect of a rollback before it happens, what stays by the author's word, and a rollback of a book that others have.

use crate::common::World;

#[test]
fn a_dry_run_names_chapters_files_drafts_and_the_price() {
    let world = World::new();
    let book = world.demo_with(3);
    world.write("book/brief.md", &format!("{}\n离线评分(ch-004): 2.4\n", world.read("book/brief.md")));
    let _ = world.novel(book, &["continue"]).fails(3);
    let before = world.git(book, &["for-each-ref"]).ok();
    let effect = world.novel(book, &["rollback", "ch-1", "--dry-run", "--json"]).json();
    assert_eq!(effect["chapters_leaving"], serde_json::json!([2, 3]), "{effect}");
    assert_eq!(effect["chapters_returning"], serde_json::json!([]), "{effect}");
    assert_eq!(effect["drafts"], serde_json::json!(["ch-004"]), "{effect}");
    assert!(effect["paid_usd"].is_number() && effect["paid_is_partial"].is_boolean(), "{effect}");
    let change = |path: &str| {
        let files = effect["files"].as_array().unwrap();
        files.iter().find(|file| file["path"] == path).map(|file| file["change"].as_str().unwrap().to_owned())
    };
    assert_eq!(change("chapters/vol-01/chapter-003.md").as_deref(), Some("deleted"));
    assert_eq!(change("state/current-state.json").as_deref(), Some("modified"));
    assert_eq!(change("brief.md"), None);
    let said = world.novel(book, &["rollback", "ch-1", "--dry-run", "--lang", "zh"]).ok();
    assert!(said.contains("离开的章：2–3") && said.contains("搁置的草稿：ch-004"), "{said}");
    assert_eq!(world.git(book, &["for-each-ref"]).ok(), before, "a dry run writes nothing");

    let left = world.git(book, &["rev-parse", "--short", "HEAD"]).ok();
    let _ = world.novel(book, &["rollback", "ch-1", "--yes"]).ok();
    let back = world.novel(book, &["rollback", left.trim(), "--dry-run", "--json"]).json();
    assert_eq!(back["chapters_returning"], serde_json::json!([2, 3]), "{back}");
}

#[test]
fn a_dry_run_names_the_chapters_whose_text_goes_back_although_they_stay() {
    let world = World::new();
    let book = world.demo_with(3);
    let path = "book/chapters/vol-01/chapter-001.md";
    world.write(path, &format!("{}\n雨停了。\n", world.read(path)));
    world.commit(book, "mine");
    for (lang, part) in [("en", "chapters whose text changes: 1\n"), ("zh", "正文有改动的章：1\n")] {
        let said = world.novel(book, &["--lang", lang, "rollback", "ch-002", "--dry-run"]).ok();
        assert!(said.contains(part), "{said}");
    }
}

#[test]
fn paths_stay_as_they_are_by_the_authors_word() {
    let world = World::new();
    let book = world.demo_with(1);
    let _ = world.novel(book, &["continue", "2"]).ok();
    let text = format!("{}\n后来补的一句。\n", world.read("book/chapters/vol-01/chapter-001.md"));
    world.write("book/chapters/vol-01/chapter-001.md", &text);
    world.write("book/world/notes.md", "渡口的规矩。\n");
    let _ = world.git(book, &["add", "-A"]).ok();
    world.commit(book, "by hand");
    let args = ["--keep", "chapters/vol-01/chapter-001.md", "--keep", "./world/", "--exact", "--yes"];
    let effect = world.novel(book, &[&["rollback", "ch-1", "--dry-run", "--json"], &args[..5]].concat()).json();
    let files: Vec<&str> =
        effect["files"].as_array().unwrap().iter().map(|file| file["path"].as_str().unwrap()).collect();
    assert!(!files.contains(&"chapters/vol-01/chapter-001.md") && !files.contains(&"world/notes.md"), "{files:?}");
    let _ = world.novel(book, &[&["rollback", "ch-1"], &args[..]].concat()).ok();
    assert_eq!(world.read("book/chapters/vol-01/chapter-001.md"), text);
    assert_eq!(world.read("book/world/notes.md"), "渡口的规矩。\n");
    assert!(!world.path("book/chapters/vol-01/chapter-002.md").exists());
    world.check(book);

    let _ = world.novel(book, &["undo"]).ok();
    for path in ["state/current-state.json", "chapters", "logs"] {
        let refused = world.novel(book, &["rollback", "ch-1", "--yes", "--keep", path]).fails(1);
        assert!(refused.stderr.contains("is derived from the chapters"), "{refused:#?}");
    }
    let nothing = world.novel(book, &["rollback", "ch-1", "--yes", "--keep", "no/such"]).fails(2);
    assert!(nothing.stderr.contains("no/such"), "{nothing:#?}");
}

#[test]
fn a_rollback_of_a_pushed_book_is_pushed_without_force_and_pulled_by_everyone() {
    let world = World::new();
    let book = world.demo_with(3);
    let _ = world.git("", &["init", "-q", "--bare", "remote.git"]).ok();
    let _ = world.git(book, &["remote", "add", "origin", "../remote.git"]).ok();
    let main = world.git(book, &["branch", "--show-current"]).ok().trim().to_owned();
    let _ = world.git(book, &["push", "-q", "origin", &main]).ok();
    let _ = world.git("", &["clone", "-q", "-b", &main, "remote.git", "other"]).ok();
    for way in [&["rollback", "ch-1", "--yes"][..], &["undo"], &["redo"], &["continue"]] {
        let _ = world.novel(book, way).ok();
        let _ = world.git(book, &["push", "-q", "origin", &main]).ok();
        let _ = world.git("other", &["pull", "-q", "--ff-only"]).ok();
        assert_eq!(world.tree("other"), world.tree(book), "{way:?}");
    }
    assert_eq!(world.novel("other", &["status", "--json"]).json()["last_completed"], 2);
    world.check("other");
}

#[test]
fn the_tags_of_many_chapters_follow_packed_or_not_and_other_refs_stay() {
    let world = World::new();
    let book = world.demo_with(7);
    let tags =
        |world: &World| world.git(book, &["for-each-ref", "--format=%(refname) %(objectname)", "refs/tags"]).ok();
    let _ = world.git(book, &["-c", "user.name=A", "-c", "user.email=a@b", "tag", "-a", "mine", "-m", "mine"]).ok();
    let before = tags(&world);
    for is_packed in [true, false] {
        if is_packed {
            let _ = world.git(book, &["pack-refs", "--all"]).ok();
        }
        let _ = world.novel(book, &["rollback", "ch-1", "--yes"]).ok();
        let stays = |line: &&str| line.contains("ch-001 ") || line.contains("mine ");
        let left: Vec<&str> = before.lines().filter(stays).collect();
        assert_eq!(tags(&world).lines().collect::<Vec<_>>(), left);
        let _ = world.novel(book, &["undo"]).ok();
        assert_eq!(tags(&world), before);
        assert!(!world.path("book/.git/packed-refs.lock").exists());
    }
    assert_eq!(world.git(book, &["rev-parse", "mine^{commit}"]).ok(), world.git(book, &["rev-parse", "ch-007"]).ok());
    // A stale file of its own is no tag's last word.
    let stale = world.git(book, &["rev-parse", "ch-001"]).ok();
    let _ = world.novel(book, &["rollback", "ch-1", "--yes"]).ok();
    for tag in ["ch-003", "ch-005"] {
        world.write(&format!("book/.git/refs/tags/{tag}"), &stale);
    }
    let _ = world.novel(book, &["undo"]).ok();
    assert_eq!(tags(&world), before);
    world.check(book);
}
