//! `novel init` and `novel demo`.

use crate::common::World;
use std::io::Write as _;
use std::process::Stdio;

const OUTLINE: &str = "# 第一卷\n\n## 第1章 起\n\n- 故事线: main-arc\n- 视角: 林枫\n- 地点: 山下\n- 冲突: 守墓还是下山\n- 人物弧光: 从怕到敢\n- 伏笔: 埋设 key：一把钥匙\n- 状态变化: 林枫下山\n";

#[test]
fn a_book_from_flags_can_be_continued() {
    let world = World::new();
    world.write("vol1.md", OUTLINE);
    let args = ["init", "书", "--title", "守墓人", "--genre", "玄幻", "--protagonist", "林枫，守墓少年"];
    let more = ["--conflict", "墓要塌", "--outline", "vol1.md", "--words", "900-1400", "--offline", "--json"];
    let made = world.novel("", &[&args[..], &more].concat());
    assert_eq!((made.code, &made.json()["planned_chapters"]), (0, &1.into()), "{made:#?}");
    let brief = world.read("书/brief.md");
    assert!(brief.contains("林枫，守墓少年") && brief.contains("墓要塌"), "{brief}");
    let _ = world.novel("书", &["continue"]).ok();
    let last = world.novel("书", &["continue", "--lang", "zh"]).fails(3);
    assert!(last.stderr.contains("novel review vol-01"), "{last:#?}");
    assert!(world.novel("书", &["status", "--lang", "zh"]).ok().starts_with("《守墓人》  写到第 1 章"));
    world.check("书");
}

#[test]
fn an_outline_in_an_editors_own_encoding_is_read() {
    let world = World::new();
    let (bytes, _, _) = encoding_rs::GB18030.encode(OUTLINE);
    std::fs::write(world.path("vol1.md"), bytes).unwrap();
    let _ = world.novel("", &["init", "b", "--outline", "vol1.md", "--offline"]).ok();
    assert_eq!(world.read("b/volumes/vol-01/outline.md"), OUTLINE);
    std::fs::write(world.path("vol1.md"), [OUTLINE.as_bytes(), b"\xff\n"].concat()).unwrap();
    let said = world.novel("", &["init", "c", "--outline", "vol1.md", "--lang", "en"]).fails(1);
    assert!(said.stderr.contains("GB18030") && !world.path("c").exists(), "{said:#?}");
}

#[test]
fn a_bad_outline_costs_nothing_and_is_told_under_its_own_name() {
    let world = World::new();
    world.write("vol1.md", &OUTLINE.replace("## 第1章", "第1章"));
    let said = world.novel("", &["init", "b", "--outline", "vol1.md", "--lang", "zh"]).fails(1);
    assert!(said.stderr.contains("`vol1.md` 有 1 处错误") && said.stderr.contains("第 3 行：`第1章 起`"), "{said:#?}");
    assert!(!world.path("b").exists());
}

#[test]
fn everything_at_once_from_json() {
    let world = World::new();
    let idea = serde_json::json!({"title": "一", "genre": "玄幻", "outline": OUTLINE, "offline": true}).to_string();
    world.write("idea.json", &idea);
    let _ = world.novel("", &["init", "a", "--from-json", "idea.json"]).ok();
    let piped = |text: &str| {
        let mut command = world.command(env!("CARGO_BIN_EXE_novel"), &world.path(""));
        command.args(["init", "b", "--from-json", "-", "--lang", "zh"]).stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = command.stderr(Stdio::piped()).spawn().unwrap();
        child.stdin.take().unwrap().write_all(text.as_bytes()).unwrap();
        child.wait_with_output().unwrap()
    };
    let wrong = piped("{\"titel\": 1}");
    let said = String::from_utf8_lossy(&wrong.stderr).into_owned();
    assert!(
        wrong.status.code() == Some(1) && said.contains("标准输入不是可用的 JSON") && said.contains("titel"),
        "{said}"
    );
    assert!(!world.path("b").exists());
    assert!(piped(&idea).status.success());
    assert_eq!(world.read("a/brief.md"), world.read("b/brief.md"));
}

#[test]
fn samples_give_figures_and_directives() {
    let world = World::new();
    let book = world.demo_with(2);
    let sample = |n: u32| world.path(&format!("{book}/chapters/vol-01/chapter-00{n}.md")).display().to_string();
    let args = ["init", "s", "--offline", "--reference-author", "某人", "--samples", &sample(1), &sample(2)];
    let _ = world.novel("", &args).ok();
    let profile: serde_json::Value = serde_json::from_str(&world.read("s/style-profile.json")).unwrap();
    assert_eq!((&profile["source_type"], &profile["source_name"]), (&"reference".into(), &"某人".into()));
    assert!(profile["avg_sentence_length"].as_f64().unwrap() > 5.0, "{profile}");
    assert!(profile["writing_directives"].as_array().unwrap().len() >= 3, "{profile}");
    let unknown = world.novel("", &["init", "t", "--style", "nope"]).fails(2);
    assert!(unknown.stderr.contains("suspense"), "{unknown:#?}");
}

#[test]
fn init_here_and_init_twice() {
    let world = World::new();
    world.write("here/notes.txt", "mine\n");
    world.write("here/brief.md", "我的纲领\n");
    let made = world.novel("here", &["init", ".", "--offline", "--json"]).json();
    let path = made["path"].as_str().unwrap().to_owned();
    assert!(path.ends_with("/here"), "{path}");
    assert_eq!(
        (world.read("here/brief.md").as_str(), made["kept"].clone()),
        ("我的纲领\n", serde_json::json!(["brief.md"]))
    );
    assert_eq!(world.git("here", &["status", "--porcelain"]).ok(), "?? notes.txt\n");
    let twice = world.novel("here", &["init", "."]).fails(1);
    assert!(twice.stderr.contains("is already a book"), "{twice:#?}");

    world.write("killed/notes.txt", "mine\n");
    world.dies("killed", &["init", ".", "--offline"], "txn.after_cas");
    assert_ne!(world.git("killed", &["status", "--porcelain"]).ok(), "?? notes.txt\n");
    let again = world.novel("killed", &["init", "."]).fails(1);
    assert!(again.stderr.contains("is already a book"), "{again:#?}");
    assert_eq!(world.git("killed", &["status", "--porcelain"]).ok(), "?? notes.txt\n");
}

#[test]
fn a_repository_with_a_history_becomes_a_book_and_keeps_it() {
    let world = World::new();
    world.write("repo/code.rs", "fn main() {}\n");
    let _ = world.git("repo", &["init", "-q", "-b", "trunk"]).ok();
    let _ = world.git("repo", &["add", "code.rs"]).ok();
    world.commit("repo", "first");
    world.write("repo/loose.txt", "not tracked\n");
    let _ = world.novel("repo", &["init", ".", "--offline"]).ok();
    assert_eq!(world.subjects("repo"), ["init: repo", "first"]);
    assert_eq!(world.git("repo", &["status", "--porcelain"]).ok(), "?? loose.txt\n");
    assert_eq!(world.git("repo", &["rev-parse", "--abbrev-ref", "HEAD"]).ok(), "trunk\n");
}

#[test]
fn the_demo_names_only_commands_that_work() {
    let world = World::new();
    for (dir, chapters) in [("我的 书", "1"), ("look", "2")] {
        let made = world.novel("", &["demo", dir, "--chapters", chapters, "--json"]);
        let look = made.json_lines().pop().unwrap()["look"].clone();
        for line in look.as_array().unwrap() {
            let line = line.as_str().unwrap();
            let program = env!("CARGO_BIN_EXE_novel");
            let line = line.strip_prefix("novel").map_or(line.to_owned(), |rest| format!("{program}{rest}"));
            let mut shell = world.command("sh", &world.path(""));
            let output = shell.args(["-c", &line]).output().unwrap();
            assert!(output.status.success(), "{line}: {output:?}");
        }
    }
}

#[test]
fn gits_variables_name_the_author_of_every_commit() {
    let world = World::new().with("GIT_AUTHOR_NAME", "林舟").with("GIT_AUTHOR_EMAIL", "lin@example.com");
    world.write("vol1.md", OUTLINE);
    for run in [
        world.novel(
            "",
            &["init", "书", "--title", "守墓人", "--outline", "vol1.md", "--offline", "--words", "900-1400"],
        ),
        world.novel("书", &["continue"]),
    ] {
        assert!(run.code == 0 && !run.stderr.contains("does not know your name"), "{run:#?}");
    }
    let authors = world.git("书", &["log", "--format=%an <%ae>"]).ok();
    assert!(authors.lines().count() >= 2 && authors.lines().all(|line| line == "林舟 <lin@example.com>"), "{authors}");
}
