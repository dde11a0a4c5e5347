//! Outlines of the author's own: mistakes with their lines before anything is asked, names of storylines, and fields that
//! are left to the planner.

use crate::common::World;

/// Two chapters; `{}` in the second stands for its fields beside the storyline.
fn outline(second: &str) -> String {
    format!(
        "# 第一卷 夜信\n\n给自己的话。\n\n## 第1章 灯\n\n- 故事线: 主线\n- 视角: 林枫\n- 地点: 旧巷\n- 冲突: 林枫要过去，有人拦着他\n\
         - 人物弧光: 从不问缘由到学会撒谎\n- 伏笔: 埋设 seal：火漆是裂的\n- 状态变化: 林枫得到一封信\n\n{second}"
    )
}

const REST: &str = "- 视角: 林枫\n- 地点: 北门\n- 冲突: 守门人要查他的信\n- 人物弧光: 无\n- 伏笔: 推进 seal：有人认得\n- 状态变化: 林枫出了城\n";

fn second(line: &str) -> String {
    format!("## 第2章 城门\n\n- 故事线: {line}\n{REST}")
}

/// Runs `novel init` with that outline.
fn init(world: &World, outline: &str, more: &[&str]) -> crate::common::Output {
    world.write("outline.md", outline);
    let args = [
        "--lang",
        "en",
        "init",
        "book",
        "--title",
        "夜信",
        "--offline",
        "--words",
        "300-500",
        "--outline",
        "outline.md",
    ];
    world.novel("", &[&args[..], more].concat())
}

#[test]
fn every_mistake_is_an_error_with_its_line_and_no_book_is_made() {
    let whole = outline(&second("主线"));
    let cases = [
        (whole.replace("## 第1章", "第1章"), "line 5: `第1章 灯` is a chapter's heading without `## `"),
        (whole.replace("## 第1章", "# 第1章"), "line 5: `第1章 灯` is a chapter's heading without `## `"),
        (whole.replace("## 第", "### 第"), "line 15: `第2章 城门` is a chapter's heading without `## `"),
        (whole.replace("第1章", "第4章").replace("第2章", "第5章"), "line 5: the outline begins with chapter 4"),
        (whole.replace("第2章", "第3章"), "line 15: expected chapter 2, found chapter 3"),
        (whole.replace("第2章", "第1章"), "line 15: chapter 1 appears a second time"),
        (whole.replacen("- 地点: 旧巷", "- 地址: 旧巷", 1), "line 9: no such field: `地址`; did you mean `地点`"),
    ];
    for (text, words) in cases {
        let world = World::new();
        let refused = init(&world, &text, &[]).fails(1);
        assert!(refused.stderr.contains(words) && refused.stderr.contains("outline.md"), "{words}: {refused:#?}");
        assert!(!world.path("book").exists(), "{words}");
    }
    let world = World::new();
    world.write("outline.md", &whole.replace("## 第1章", "第1章"));
    let chinese = world.novel("", &["--lang", "zh", "init", "book", "--offline", "--outline", "outline.md"]).fails(1);
    assert!(chinese.stderr.contains("第 5 行") && chinese.stderr.contains("前面少了 `## `"), "{chinese:#?}");
}

#[test]
fn a_book_s_outline_is_held_against_the_same_rules_before_anything_is_written() {
    let world = World::new();
    let _ = init(&world, &outline(&second("主线")), &[]).ok();
    let path = "book/volumes/vol-01/outline.md";
    let whole = world.read(path);
    for (text, words) in [
        (whole.replace("## 第1章", "第1章").replace("## 第2章", "第2章"), "without `## `"),
        (whole.replace("第1章", "第3章").replace("第2章", "第4章"), "the volume begins with chapter 1"),
        (whole.replace("- 故事线: 主线", "- 故事线: 暗线"), "no such storyline: `暗线`"),
    ] {
        world.write(path, &text);
        for command in [&["continue"][..], &["plan", "fill"]] {
            let refused = world.novel("book", &[&["--lang", "en"], command].concat()).fails(1);
            assert!(refused.stderr.contains(words) && refused.stderr.contains("line "), "{command:?}: {refused:#?}");
        }
    }
    world.write(path, &whole);
    let _ = world.novel("book", &["continue", "2"]).ok();
    // The next volume begins where this one ends.
    let next = outline(&second("主线")).replace("第1章", "第4章").replace("第2章", "第5章");
    world.write("book/volumes/vol-02/outline.md", &next);
    let _ = world.git("book", &["add", "volumes"]).ok();
    let _ = world.git("book", &["-c", "user.name=a", "-c", "user.email=a@b", "commit", "-q", "-m", "第二卷大纲"]).ok();
    let shown = world.novel("book", &["--lang", "en", "status"]);
    assert!(shown.stdout.contains("begins with chapter 4, but the volume begins with chapter 3"), "{shown:#?}");
    world.check("book");
}

#[test]
fn storylines_stand_with_their_names() {
    let world = World::new();
    let _ = init(&world, &outline(&second("靖海计划")), &[]).ok();
    let lines = world.read("book/storylines/storylines.json");
    assert!(
        lines.contains("\"main-arc\"") && lines.contains("\"jing-hai-ji-hua\"") && lines.contains("靖海计划"),
        "{lines}"
    );
    let _ = world.novel("book", &["continue", "2"]).ok();
    let log = world.git("book", &["log", "-1", "--format=%(trailers:key=Novel-Storyline,valueonly)", "ch-002"]).ok();
    assert_eq!(log.trim(), "jing-hai-ji-hua");
    let _ = world.novel("book", &["doctor"]).ok();
}

#[test]
fn fields_that_are_left_open_are_filled_and_wait_like_a_plan() {
    let world = World::new();
    let open = outline("## 第2章 城门\n\n- 地点：北门\n- 冲突: \n<!-- 写狠一点 -->\n");
    let made = init(&world, &open, &[]).ok();
    assert!(made.contains("1 chapter with empty fields") && made.contains("plan fill"), "{made}");
    let doctor = world.novel("book", &["doctor"]);
    assert!(doctor.code == 0, "what is open is no damage: {doctor:#?}");
    let refused = world.novel("book", &["--lang", "en", "continue"]).fails(1);
    assert!(refused.stderr.contains("lacks `冲突`") && refused.stderr.contains("novel plan fill"), "{refused:#?}");
    let before = world.read("book/volumes/vol-01/outline.md");

    let _ = world.novel("book", &["plan", "fill"]).fails(3);
    let shown = world.read("book/staging/volumes/vol-01/outline.md");
    let mut left = shown.as_str();
    for line in before.lines() {
        let at = left.find(line.trim_end()).unwrap_or_else(|| panic!("{line:?} is not in {shown}"));
        left = &left[at + line.trim_end().len()..];
    }
    assert!(shown.contains("- 冲突: ") && !shown.contains("- 冲突: \n"), "{shown}");
    assert_eq!(world.read("book/volumes/vol-01/outline.md"), before, "nothing is final before approval");
    let status = world.novel("book", &["status", "--json"]).ok();
    assert!(status.contains("the plan of vol-01"), "{status}");
    let _ = world.novel("book", &["plan", "approve"]).ok();
    assert_eq!(world.read("book/volumes/vol-01/outline.md"), shown);
    assert!(world.path("book/volumes/vol-01/chapter-contracts/chapter-002.json").exists());
    let _ = world.novel("book", &["continue", "2"]).ok();
    let nothing = world.novel("book", &["--lang", "en", "plan", "fill"]);
    assert!(nothing.code == 0 && nothing.stderr.contains("the outline has no empty fields"), "{nothing:#?}");
    let _ = world.novel("book", &["doctor"]).ok();
    world.check("book");
}

#[test]
fn init_help_shows_an_outline_that_the_reader_reads() {
    let world = World::new();
    for (lang, heading) in [("en", "Outline format:"), ("zh", "大纲的写法：")] {
        let help = world.novel("", &["--lang", lang, "help", "init"]).ok();
        let sample = help.split_once(heading).unwrap().1;
        let sample = sample.split_once("# ").map(|(_, rest)| format!("# {rest}")).unwrap();
        let text: String = sample.lines().map(|line| format!("{}\n", line.trim())).collect();
        let outline = novel::domain::volume::outline::Outline::parse(&text).unwrap();
        assert_eq!(outline.sections.len(), 2, "{text}");
    }
}
