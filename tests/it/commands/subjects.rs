//! The subjects of commits, as every git tool shows them: in the language of the book, in every shell.

use crate::common::World;
use std::collections::BTreeSet;

const CHINESE: [&str; 2] = ["--lang", "zh"];

/// The demo book of a Chinese author.
fn chinese(chapters: &str) -> World {
    let world = World::new().with("LC_ALL", "zh_CN.UTF-8");
    let _ = world.novel("", &["demo", world.path("book").to_str().unwrap(), "--chapters", chapters]).ok();
    world
}

/// The subjects of all commits that any ref leads to: lines, drafts, and what is kept.
fn of_all_refs(world: &World) -> BTreeSet<String> {
    world.git("book", &["log", "--all", "--format=%s"]).ok().lines().map(str::to_owned).collect()
}

/// The English words of a subject. Ids, paths, commits and numbers do not count.
fn english(subject: &str) -> Vec<&str> {
    let parts = subject.split(|c: char| !(c.is_ascii_alphanumeric() || "-_./:+~".contains(c)));
    let is_word = |part: &&str| part.len() > 1 && part.bytes().all(|b| b.is_ascii_alphabetic());
    parts.map(|part| part.trim_matches(['.', ':', '-'])).filter(is_word).collect()
}

#[track_caller]
fn is_chinese(subjects: &BTreeSet<String>) {
    let mixed: Vec<&String> = subjects.iter().filter(|subject| !english(subject).is_empty()).collect();
    assert!(mixed.is_empty(), "{mixed:#?}");
}

#[track_caller]
fn has(subjects: &BTreeSet<String>, wanted: &[&str]) {
    for start in wanted {
        assert!(subjects.iter().any(|subject| subject.starts_with(start)), "{start} in {subjects:#?}");
    }
}

#[test]
fn every_subject_of_a_chinese_authors_book_is_chinese() {
    let world = chinese("3");
    let book = "book";
    assert!(world.read("book/novel.toml").contains("language = \"zh\""));
    world.write("book/brief.md", "# 简介\n\n我改过的简介。\n");
    let _ = world.novel(book, &["continue"]).ok();
    let _ = world.novel(book, &["character", "retire", "葛望潮"]).ok();
    let _ = world.novel(book, &["storyline", "add", "--name", "夜渡"]).ok();
    let _ = world.novel(book, &["waive", "all/variant/闻晓满", "--reason", "小名"]).ok();
    let _ = world.novel(book, &["waive", "--remove", "all/variant/闻晓满"]).ok();
    let _ = world.novel(book, &["rollback", "ch-002", "--yes"]).ok();
    let _ = world.novel(book, &["undo"]).ok();
    let _ = world.novel(book, &["redo"]).ok();
    let kept = world.novel(book, &["restore", "--json"]).json()["kept"][0]["name"].as_str().unwrap().to_owned();
    let _ = world.novel(book, &["restore", &kept]).ok();
    let text = world.read("book/chapters/vol-01/chapter-001.md");
    world.write("book/chapters/vol-01/chapter-001.md", &format!("{text}\n雨停了，天亮了，他把钥匙放回抽屉里。\n"));
    let _ = world.novel(book, &["rebuild"]).ok();
    let _ = world.novel(book, &["branch", "另一种", "--from", "ch-001"]).ok();
    let _ = world.novel(book, &["style", "use", "suspense"]).ok();
    let _ = world.novel(book, &["continue", "2", "--scenes", "--lang", "en"]).ok();
    let all = of_all_refs(&world);
    has(
        &all,
        &[
            "建书：",
            "ch-001: ",
            "手改：brief.md",
            "退场：葛望潮",
            "故事线：夜渡",
            "豁免：",
            "不再豁免：",
            "退回：ch-002",
            "撤销：退回：ch-002",
            "重做：退回：ch-002",
            "恢复：",
            "文风：悬疑冷峻",
            "重建：ch-001",
            "ch-001 起草：",
            "ch-001 摘要：",
            "ch-001 评审：",
        ],
    );
    is_chinese(&all);
    let bodies = world.git("book", &["log", "--all", "--format=%b"]).ok();
    let bodies: BTreeSet<String> =
        bodies.lines().filter(|line| !line.starts_with("Novel-")).map(str::to_owned).collect();
    assert!(bodies.contains("- ch-001：已重做摘要"), "{bodies:#?}");
    is_chinese(&bodies);
    // Trailers are the same in every book.
    let trailers = world.git(book, &["log", "--all", "--format=%(trailers:key=Novel-Kind,valueonly)"]).ok();
    for kind in ["init", "retire", "rollback", "undo", "redo", "hand-edit", "stage"] {
        assert!(trailers.lines().any(|line| line == kind), "{kind}");
    }
}

#[test]
fn planning_has_chinese_subjects_on_drafts_and_in_the_book() {
    let world = World::new().with("LC_ALL", "zh_CN.UTF-8");
    let args = ["demo", world.path("book").to_str().unwrap(), "--volumes", "2", "--chapters", "9"].map(str::to_owned);
    let _ = world.novel("", &args.each_ref().map(String::as_str)).ok();
    let all = of_all_refs(&world);
    has(
        &all,
        &[
            "世界：",
            "主题：",
            "人物：",
            "试写的章留用",
            "vol-01 计划：",
            "vol-01 卷末回顾",
            "质量：ch-001–ch-005",
            "世界规则：开始",
            "世界设定：",
            "vol-01：开始",
            "vol-01 分卷排期：",
            "vol-01 章纲：第 ",
            "vol-01 章节契约：",
        ],
    );
    is_chinese(&all);
}

#[test]
fn the_language_of_a_book_is_its_own_and_not_the_readers() {
    let world = World::new();
    let book = world.demo_with(1);
    assert!(world.read("book/novel.toml").contains("language = \"en\""));
    let _ = world.novel(book, &["rollback", "ch-001", "--yes", "--lang", "zh"]);
    world.write("book/brief.md", "# 简介\n\n我改过的简介。\n");
    let _ = world.novel(book, &["continue", "--lang", "zh"]).ok();
    let log = world.subjects(book);
    assert!(log[0].starts_with("ch-002: ") && log[1] == "hand edit: brief.md", "{log:?}");
    // The author changes the setting, and that very commit has the new language.
    let settings = world.read("book/novel.toml");
    world.write("book/novel.toml", &settings.replace("language = \"en\"", "language = \"zh\""));
    let _ = world.novel(book, &["continue", "--lang", "en"]).ok();
    assert_eq!(world.subjects(book)[1], "手改：novel.toml");
    let _ = world.novel(book, &["rollback", "ch-001", "--yes"]).ok();
    let _ = world.novel(book, &["undo"]).ok();
    assert_eq!(world.subjects(book)[0], "撤销：退回：ch-001");
    let shown = world.novel(book, &[&CHINESE[..], &["log"]].concat()).ok();
    for part in ["撤销：退回：ch-001", "手改：novel.toml", "手改：brief.md", "建书："] {
        assert!(shown.contains(part), "{part}: {shown}");
    }
    // Settings that cannot be read leave the language as it was.
    let wrong = world.read("book/novel.toml").replace("language = \"zh\"", "language = \"fr\"");
    world.write("book/novel.toml", &wrong);
    let refused = world.novel(book, &[&CHINESE[..], &["continue"]].concat());
    assert!(refused.code != 0 && refused.stderr.contains("zh, en"), "{refused:#?}");
}

#[test]
fn a_long_title_is_cut_in_the_subject_and_nowhere_else() {
    let world = World::new().with("LC_ALL", "zh_CN.UTF-8");
    let title = "夜".repeat(50);
    let _ = world.novel("", &["init", "book", "--title", &title, "--offline"]).ok();
    let subject = world.subjects("book").remove(0);
    assert!(subject.starts_with("建书：夜夜") && subject.ends_with("夜…"), "{subject}");
    assert!(subject.chars().count() <= 37, "{subject}");
    assert!(world.novel("book", &["status", "--json"]).stdout.contains(&title));
}

#[test]
fn settings_that_an_author_has_already_stay_and_the_language_of_commits_is_named() {
    let world = World::new();
    world.write("b/novel.toml", "[book]\ntitle = \"旧书\"\n");
    let made = world.novel("b", &["init", ".", "--no-hooks", "--offline", "--lang", "zh"]);
    assert!(made.stderr.contains("`[book]` 下加一行：`language = \"zh\"`"), "{made:#?}");
    assert!(made.stdout.starts_with("《旧书》在 "), "{made:#?}");
    assert_eq!(world.read("b/novel.toml"), "[book]\ntitle = \"旧书\"\n");

    let world = World::new();
    world.write("b/novel.toml", "[book]\ntitle = \"旧书\"\nlanguage = \"zh\"\n");
    let made = world.novel("b", &["init", ".", "--no-hooks", "--offline", "--lang", "zh"]);
    assert!(made.code == 0 && !made.stderr.contains("language"), "{made:#?}");
    assert!(world.subjects("b")[0].starts_with("建书："), "{:?}", world.subjects("b"));
}
