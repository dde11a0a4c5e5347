//! A book with something wrong in it: `status` answers, the message names the file, `doctor` puts it right.

use crate::common::World;

const INPUTS: [(&str, &str); 6] = [
    (".checkpoint.json", "{ \"a\": }"),
    ("novel.toml", "x = ["),
    ("state/current-state.json", "{ \"a\": }"),
    ("foreshadowing/global.json", "{"),
    ("storylines/storylines.json", "[]"),
    ("characters/active/lao-ge.json", "{ \"id\": 3 }"),
];

const OWN: [&str; 3] = [".checkpoint.json", "state/current-state.json", "foreshadowing/global.json"];

#[test]
fn a_broken_file_is_named_status_answers_and_doctor_brings_the_last_whole_version_back() {
    for (path, text) in INPUTS {
        let world = World::new();
        let book = world.demo_with(2);
        let whole = world.tree(book);
        world.write(&format!("book/{path}"), text);
        world.commit(book, "broken by hand");
        let status = world.novel(book, &["status", "--lang", "zh"]).ok();
        assert!(status.contains("写到第 2 章") && status.contains(&format!("损坏  {path} ")), "{path}: {status}");
        assert!(status.ends_with("下一步：novel doctor --repair\n"), "{path}: {status}");
        let status = world.novel(book, &["status", "--json"]).json();
        assert_eq!((&status["problems"][0]["path"], status["last_completed"].as_u64()), (&path.into(), Some(2)));
        // The program's own files are restored by any command that writes.
        if !OWN.contains(&path) {
            let refused = world.novel(book, &["continue"]).fails(4);
            assert!(refused.stderr.contains(path) && refused.stderr.contains("novel doctor --repair"), "{refused:#?}");
        }
        let _ = world.novel(book, &["doctor"]).fails(1);
        let _ = world.novel(book, &["doctor", "--repair"]).ok();
        assert_eq!(world.tree(book), whole, "{path}");
        // The broken version stays in the history for ever and does no more harm.
        let _ = world.novel(book, &["doctor"]).ok();
        let _ = world.novel(book, &["continue"]).ok();
        let _ = world.novel(book, &["doctor"]).ok();
        world.check(book);
    }
}

#[test]
fn a_look_that_found_nothing_wrong_holds_for_its_commit_alone() {
    let world = World::new();
    let book = world.demo_with(2);
    let user = ["-c", "user.name=A", "-c", "user.email=a@b"];
    let plain = |args: &[&str]| world.git(book, &[&user[..], args].concat()).ok();
    let look = || {
        let status = world.novel(book, &["status", "--json"]).json();
        let problems = status["problems"].as_array().unwrap().iter().map(|found| found["path"].clone());
        (problems.collect::<Vec<_>>(), status["next"].clone())
    };
    for path in ["characters/active/lao-ge.json", "storylines/storylines.json", "volumes/vol-01/outline.md"] {
        let whole = look();
        assert_eq!(whole, (vec![], "novel continue".into()), "{path}");
        assert_eq!(look(), whole, "{path}");
        let text = if path.ends_with(".md") { "## 第 x 章\n" } else { "{ \"id\": 3 }" };
        world.write(&format!("book/{path}"), text);
        world.commit(book, "broken by hand");
        let broken = look();
        assert!(broken != whole, "{path}: {broken:?}");
        let _ = plain(&["revert", "--no-edit", "HEAD"]);
        assert_eq!(look(), whole, "{path}");
        let _ = plain(&["reset", "-q", "--hard", "HEAD~1"]);
        assert_eq!(look(), broken, "{path}");
        let _ = plain(&["reset", "-q", "--hard", "HEAD~1"]);
        assert_eq!(look(), whole, "{path}");
    }
}

#[test]
fn mistakes_in_an_outline_have_lines_and_chinese_words() {
    let world = World::new();
    let book = world.demo_with(1);
    let outline = world.read("book/volumes/vol-01/outline.md");
    let without: Vec<&str> = outline.lines().filter(|line| !line.starts_with("- 冲突")).collect();
    world.write("book/volumes/vol-01/outline.md", &without.join("\n"));
    let refused = world.novel(book, &["continue", "--lang", "zh"]).fails(1);
    assert!(refused.stderr.contains("第 7 行：第 1 章缺少 `冲突`"), "{refused:#?}");
    assert!(refused.stderr.contains("novel plan fill"), "{refused:#?}");
    let status = world.novel(book, &["status", "--lang", "zh"]).ok();
    assert!(status.contains("写到第 1 章") && status.contains("第 7 行"), "{status}");
}

#[test]
fn a_prompt_file_with_a_mistake_is_named() {
    let world = World::new();
    let book = world.demo_with(1);
    world.write("book/prompts/wirter/system.md", "你好\n");
    let refused = world.novel(book, &["continue", "--lang", "zh"]).fails(1);
    assert!(refused.stderr.contains("prompts/wirter/system.md"), "{refused:#?}");
    assert!(world.novel(book, &["status"]).ok().contains("prompts/wirter/system.md"));
}

#[test]
fn a_chapter_that_somebody_deleted_comes_back() {
    let world = World::new();
    let book = world.demo_with(2);
    let whole = world.tree(book);
    let _ = world.git(book, &["rm", "-q", "chapters/vol-01/chapter-001.md"]).ok();
    world.commit(book, "gone");
    let found = world.novel(book, &["doctor", "--json"]).fails(1).json();
    assert_eq!(found["version"], 1);
    let codes: Vec<&str> = found["findings"].as_array().unwrap().iter().map(|f| f["code"].as_str().unwrap()).collect();
    assert!(codes.contains(&"gap"), "{codes:?}");
    let _ = world.novel(book, &["doctor", "--repair"]).ok();
    assert_eq!(world.tree(book), whole);
    assert!(world.subjects(book)[0].starts_with("rebuild: "));
    assert_eq!(world.git(book, &["tag"]).ok(), "ch-001\nch-002\n");
}

#[test]
fn tags_excludes_and_locks_are_put_right() {
    let world = World::new();
    let book = world.demo_with(2);
    let first = world.git(book, &["rev-parse", "ch-001"]).ok();
    let _ = world.git(book, &["tag", "-f", "ch-001", "HEAD"]).ok();
    let _ = world.git(book, &["tag", "-d", "ch-002"]).ok();
    world.write("book/.git/info/exclude", "");
    world.write("book/.git/index.lock", "");
    let codes = |json: serde_json::Value| -> Vec<String> {
        let findings = json["findings"].as_array().unwrap().iter();
        findings.map(|finding| finding["code"].as_str().unwrap().to_owned()).collect()
    };
    let mut found = codes(world.novel(book, &["doctor", "--json"]).json());
    found.sort();
    assert_eq!(found, ["not_excluded", "stray_lock", "wrong_tag", "wrong_tag"]);
    // A lock may belong to a running process: without a terminal the author cannot be asked.
    let asked = world.novel(book, &["doctor", "--repair"]).fails(3);
    assert!(asked.stderr.contains("--repair --yes"), "{asked:#?}");
    assert!(world.path("book/.git/index.lock").exists());
    let _ = world.novel(book, &["doctor", "--repair", "--yes"]).ok();
    assert!(world.path("book/.git/index.lock").exists(), "it may belong to a git on another machine");
    let lock = std::fs::File::options().write(true).open(world.path("book/.git/index.lock")).unwrap();
    lock.set_modified(std::time::UNIX_EPOCH).unwrap();
    drop(lock);
    let _ = world.novel(book, &["doctor", "--repair", "--yes"]).ok();
    assert_eq!(codes(world.novel(book, &["doctor", "--json"]).json()), [""; 0]);
    assert_eq!(world.git(book, &["rev-parse", "ch-001"]).ok(), first);
    assert!(!world.path("book/.git/index.lock").exists());
    world.check(book);
}

#[test]
fn a_missing_object_and_a_broken_index_are_found_and_repaired() {
    let world = World::new();
    let book = world.demo_with(2);
    let id = world.git(book, &["rev-parse", "HEAD:chapters/vol-01/chapter-002.md"]).ok();
    let (folder, name) = id.trim().split_at(2);
    crate::common::loosen(&world.path(book));
    std::fs::remove_file(world.path(&format!("book/.git/objects/{folder}/{name}"))).unwrap();
    world.write("book/.git/index", "junk");
    let _ = world.novel(book, &["doctor"]).fails(1);
    let _ = world.novel(book, &["doctor", "--repair", "--yes"]).ok();
    assert_eq!(world.git(book, &["status", "--porcelain"]).ok(), "");
    world.check(book);
}
