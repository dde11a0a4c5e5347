//! The book's style on demand.

use crate::common::World;
use serde_json::{Value, json};

fn profile(world: &World) -> Value {
    serde_json::from_str(&world.read("book/style-profile.json")).unwrap()
}

fn files(world: &World) -> Vec<String> {
    let files = world.git("book", &["show", "--name-only", "--format=", "HEAD"]).ok();
    files.lines().map(str::to_owned).collect()
}

#[test]
fn a_built_in_style_takes_the_place_of_the_present_one() {
    let world = World::new();
    let book = world.demo_with(1);
    let mut own = profile(&world);
    own["remark"] = json!("我的备注");
    world.write("book/style-profile.json", &format!("{own:#}\n"));
    world.write(
        "book/style-drift.json",
        "{\"detected_chapter\": 1, \"deviations\": [], \"corrections\": [\"短一些\"]}\n",
    );
    let _ = world.git(book, &["add", "style-drift.json"]).ok();
    world.commit(book, "drift");
    let before = world.subjects(book).len();
    let _ = world.novel(book, &["style", "use", "suspense"]).ok();
    assert_eq!((world.subjects(book).len(), world.subjects(book)[0].as_str()), (before + 1, "style: suspense"));
    assert_eq!(files(&world), ["style-drift.json", "style-profile.json"], "corrections to another style go with it");
    let now = profile(&world);
    assert_eq!((&now["source_type"], &now["remark"]), (&json!("preset"), &json!("我的备注")));
    let body = world.git(book, &["log", "-1", "--format=%B"]).ok();
    assert!(body.contains("Novel-Kind: config") && body.contains("Novel-Step: style"), "{body}");
    let again = world.novel(book, &["style", "use", "suspense", "--json"]).json();
    assert_eq!((&again["status"], world.subjects(book).len()), (&json!("unchanged"), before + 1));
    let by_name = world.novel(book, &["style", "use", "悬疑冷峻", "--json"]).json();
    assert_eq!((&by_name["status"], &by_name["style"]), (&json!("unchanged"), &json!("suspense")));
    let list = world.novel(book, &["style", "--lang", "zh"]).ok();
    assert!(list.contains("suspense（悬疑冷峻）、classical（古风白描）"), "{list}");
    let unknown = world.novel(book, &["style", "use", "nope"]).fails(2);
    assert!(unknown.stderr.contains("hot-blooded") && unknown.stderr.contains("classical"), "{unknown:#?}");
    let _ = world.novel(book, &["undo"]).ok();
    assert_eq!(profile(&world), own);
    assert_eq!(world.git(book, &["status", "--porcelain"]).ok(), "");
}

#[test]
fn a_style_is_learnt_from_samples_once_and_the_call_is_kept() {
    let world = World::new();
    let book = world.demo_with(3);
    let sample = world.read("book/chapters/vol-01/chapter-001.md");
    world.write("a.txt", &format!("\u{feff}{}", sample.replace('\n', "\r\n")));
    let args = ["style", "from", "../a.txt", "--reference", "某人"];
    let _ = world.novel(book, &args).ok();
    let learnt = profile(&world);
    assert_eq!((&learnt["source_type"], &learnt["source_name"]), (&json!("reference"), &json!("某人")));
    assert!(learnt["avg_sentence_length"].as_f64().unwrap() > 5.0, "{learnt}");
    assert!(learnt["writing_directives"].to_string().contains("某人"), "{learnt}");
    assert_eq!(files(&world), [".checkpoint.json", "logs/plans/style-001.json", "style-profile.json"]);
    assert!(world.git(book, &["for-each-ref", "refs/novel/kept/style"]).ok().contains("style/"));
    let log = world.subjects(book);
    assert_eq!(log[0], "style: after 某人");
    let _ = world.novel(book, &args).ok();
    assert_eq!(world.subjects(book), log, "the same samples are not paid for twice");
    let _ = world.novel(book, &["style", "from", "../a.txt"]).ok();
    assert_eq!(profile(&world)["source_type"], "original");

    world.write("short.txt", "雨停了。");
    let short = world.novel(book, &["--lang", "en", "style", "from", "../short.txt"]).fails(1);
    assert!(short.stderr.contains("too few to determine a style"), "{short:#?}");
    let missing = world.novel(book, &["style", "from", "../nothing.txt"]).fails(1);
    assert!(missing.stderr.contains("nothing.txt"), "{missing:#?}");
    let _ = world.novel(book, &["style", "from"]).fails(2);
    assert_eq!(world.git(book, &["branch", "--list", "draft/*"]).ok(), "");
    let _ = world.novel(book, &["doctor"]).ok();
    world.check(book);
}

#[test]
fn the_authors_own_samples_stay_in_the_book_and_the_writer_sees_excerpts_of_them() {
    let world = World::new();
    let book = world.demo_with(2);
    let talk = "“船几时开？”沈渡把票按在桌上，眼睛只看着门外那盏灯，“我赶得上么？”\r\n“等风。”\r\n".repeat(12);
    let end = "江上的灯一盏一盏灭了，他还捏着那张湿透的票，没有往回走一步。\r\n".repeat(4);
    world.write("own.md", &format!("\u{feff}# 第一章\r\n\r\n{talk}{end}"));
    let _ = world.novel(book, &["style", "from", "../own.md"]).ok();
    assert!(files(&world).contains(&"samples/sample-001.md".to_owned()), "{:?}", files(&world));
    let kept = world.read("book/samples/sample-001.md");
    assert!(kept.starts_with("# 第一章") && !kept.contains('\r') && !kept.contains('\u{feff}'), "{kept}");
    let prompt = world.novel(book, &["context", "3", "--prompt", "--lang", "zh"]).ok();
    let (_, excerpts) = prompt.split_once("<样稿片段").unwrap();
    let (excerpts, _) = excerpts.split_once("</样稿片段>").unwrap();
    assert!(excerpts.contains("写对话时") && excerpts.contains("“等风。”"), "{excerpts}");
    assert!(excerpts.contains("收尾时") && excerpts.contains("没有往回走一步"), "{excerpts}");
    // A rollback leaves the author's own files, and other samples take the place of these.
    let _ = world.novel(book, &["rollback", "ch-001", "--yes"]).ok();
    assert_eq!(world.read("book/samples/sample-001.md"), kept);
    world.write("other.md", &kept.replace("沈渡", "阿七"));
    let _ = world.novel(book, &["style", "from", "../other.md"]).ok();
    assert!(world.read("book/samples/sample-001.md").contains("阿七"));
    // A file that the author puts beside them is the author's addition, as in any other folder of the author's.
    world.write("book/samples/旧作.md", "# 旧作\n\n灯灭了。\n");
    let _ = world.novel(book, &["continue"]).ok();
    assert_eq!(world.git(book, &["status", "--porcelain"]).ok(), "");
    world.check(book);
}

#[test]
fn chapters_count_as_the_authors_own_only_when_the_author_says_so() {
    let world = World::new();
    let book = world.demo_with(4);
    let _ = world.novel(book, &["style", "extract"]).ok();
    for (lang, words) in [("zh", "每句逗号"), ("en", "commas per sentence")] {
        let shown = world.novel(book, &["style", "--lang", lang]).ok();
        assert!(shown.contains(words) && !shown.contains("per_thousand") && !shown.contains("_han"), "{shown}");
    }
    let drawn = profile(&world);
    assert_eq!((&drawn["source_type"], &drawn["source_name"]), (&json!("extracted"), &json!("ch-002..ch-004")));
    let shown = world.novel(book, &["style", "--lang", "zh"]).ok();
    assert!(shown.contains("从写成的章节提取：ch-002..ch-004") && shown.contains("写法"), "{shown}");
    let _ = world.novel(book, &["style", "extract", "1", "--mine"]).ok();
    let shown = world.novel(book, &["style", "show", "--json"]).json();
    assert_eq!((&shown["source_type"], &shown["source_name"]), (&json!("original"), &json!("ch-001")));
    assert!(shown["presets"].as_array().unwrap().contains(&json!("light")));
    let beyond = world.novel(book, &["style", "extract", "3-9"]).fails(1);
    assert!(beyond.stderr.contains("ch-005"), "{beyond:#?}");
    let _ = world.novel(book, &["continue"]).ok();
    let _ = world.novel(book, &["doctor"]).ok();

    let unwritten = World::new();
    let _ = unwritten.novel(unwritten.demo(), &["style", "extract"]).fails(1);
}
