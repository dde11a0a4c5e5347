//! Chapters that are planned and written scene by scene.

use super::script::{HINTS, Reply, draft, scenes, score};
use super::studio::{STANDARD, STRONG, Studio};
use crate::common::Output;
use crate::llm::server::Answer;
use novel::llm::Wire;
use serde_json::json;

const TEXT: &str = "staging/chapters/vol-01/chapter-002.md";
const WHOLE: [&str; 7] = ["scene-plan", "scene", "scene", "scene", "summarize", "refine", "judge"];

/// A studio whose model writes the draft of the other tests in three scenes.
fn studio() -> Studio {
    let [first, second, third] = scenes();
    Studio::new()
        .on("scene", format!("# 第2章 城门\n\n{first}"))
        .on("scene", format!("【第二场】\n\n{second}"))
        .on("scene", third)
}

fn go(studio: &Studio) -> Output {
    studio.novel(&["continue", "--scenes"])
}

fn down() -> Answer {
    Answer::error(500, "out of order").header("x-should-retry", "false")
}

#[test]
fn a_chapter_in_scenes_is_the_chapter_that_its_scenes_make() {
    let studio = studio();
    let line = go(&studio);
    assert_eq!(studio.asked(), WHOLE);
    assert_eq!(studio.draft_log(), WHOLE);
    let text = studio.read("chapters/vol-01/chapter-002.md");
    let refined = draft().replace("火把被风压得很低", "火把让风压低了");
    assert_eq!(text, refined, "no heading, no mark, nothing twice");
    assert!(line.stderr.contains("scene 2/3"), "{line:#?}");
    assert_eq!(
        studio.trailer("Novel-Models"),
        format!(
            "plot-architect={STRONG}, writer={STANDARD}, summarizer={STANDARD}, refiner={STRONG}, judge={STANDARD}"
        )
    );
    assert!(studio.git(&["ls-tree", "-r", "--name-only", "ch-002"]).lines().all(|path| !path.contains("scenes.json")));

    let prompts: Vec<String> = studio.requests("scene").iter().map(|request| request.prompt()).collect();
    for (at, prompt) in prompts.iter().enumerate() {
        assert!(
            prompt.contains("1. 北门｜林枫排到门前") && prompt.contains(&format!("现在写第 {} 场", at + 1)),
            "{prompt}"
        );
    }
    assert!(prompts[0].contains("（还没有正文）") && prompts[1].contains("纸响了一下，谁都听见了。"));
    assert!(prompts[2].contains("“后来没有人见过他。”") && prompts[2].contains("这是末场"));
    let shared = prompts[1].find("<写到这里>").unwrap();
    assert_eq!(prompts[1][..shared], prompts[2][..shared], "all before the text comes from the provider's cache");

    let calls = studio.novel(&["show", "ch-002", "--calls"]).ok();
    assert!(["01-scene-plan", "02-scene", "03-scene", "04-scene"].iter().all(|name| calls.contains(name)), "{calls}");
    let cost = studio.novel(&["cost", "--by", "stage", "--json"]).json();
    let rows = cost["rows"].as_array().unwrap();
    let row = |name: &str| rows.iter().find(|row| row["name"] == name).unwrap()["calls"].as_u64();
    assert_eq!((row("scene-plan"), row("scene")), (Some(1), Some(3)), "{cost:#}");
    studio.done();
}

#[test]
fn the_book_says_whether_chapters_are_written_in_scenes() {
    let studio = studio();
    let settings = studio.read("novel.toml").replace("scene_mode = false", "scene_mode = true");
    studio.write("novel.toml", &settings);
    let _ = studio.go().ok();
    assert_eq!(studio.asked(), WHOLE);
    let _ = studio.novel(&["continue", "--no-scenes"]).ok();
    assert_eq!(studio.asked_since(7), ["draft", "summarize", "refine", "judge"]);
    studio.done();
}

#[test]
fn after_a_failure_anywhere_the_next_run_goes_on_scene_by_scene_and_pays_for_nothing_twice() {
    for (stage, good, rest) in [("scene-plan", 0, 3), ("scene", 1, 2), ("scene", 2, 1), ("summarize", 0, 0)] {
        let studio = Studio::new();
        (0..good).for_each(|at| studio.then("scene", scenes()[at].clone()));
        studio.then(stage, down());
        let _ = go(&studio).fails(5);
        studio.check();
        let before = studio.asked().len();
        if good > 0 {
            let status = studio.novel(&["status"]).ok();
            assert!(status.contains(&format!("scene {good} of 3")), "{status}");
            assert!(studio.read(TEXT).contains("纸响了一下"), "the author sees what is there");
            // A draft goes on as it was begun; the flag does not change that.
            let run = studio.novel(&["continue", "--no-scenes"]);
            assert!(run.stderr.contains(&format!("resuming; done so far: scene plan, scene {good} of 3")), "{run:#?}");
            assert!(run.stderr.contains("started scene by scene and continues that way"), "{run:#?}");
            let _ = run.ok();
        } else {
            let _ = go(&studio).ok();
        }
        let asked = studio.asked_since(before);
        assert_eq!(asked.iter().filter(|stage| **stage == "scene").count(), rest, "after {stage}: {asked:?}");
        assert_eq!(asked.contains(&"scene-plan"), stage == "scene-plan", "{asked:?}");
        studio.done();
    }
}

#[test]
fn what_the_author_changes_between_two_scenes_is_what_the_next_one_goes_on_from() {
    let studio = Studio::new().on("scene", scenes()[0].clone()).on("scene", down());
    let _ = go(&studio).fails(5);
    let edited = studio.read(TEXT).replace("谁都听见了。", "谁都装作没有听见。");
    studio.write(TEXT, &edited);
    let _ = studio.go().ok();
    let prompts: Vec<String> = studio.requests("scene").iter().map(|request| request.prompt()).collect();
    assert_eq!(prompts.len(), 4);
    assert!(prompts[2].contains("谁都装作没有听见。"));
    let stages = ["scene-plan", "scene", "fault", "edit", "scene", "scene", "summarize", "judge"];
    assert_eq!(
        studio.draft_log(),
        stages,
        "it is not summarised before it is whole, and the author's words are not refined"
    );
    assert!(studio.read("chapters/vol-01/chapter-002.md").contains("谁都装作没有听见。"));
    studio.done();
}

#[test]
fn a_scene_that_comes_while_the_author_works_further_up_is_kept_and_one_whose_ground_is_gone_is_not() {
    for (from, to, asked) in [("天还没有亮", "天刚刚擦黑", 3), ("谁都听见了。", "谁都装作没有听见。", 4)]
    {
        let studio = Studio::new();
        let config = studio.read("novel.toml");
        let wide =
            |line: &str| if line.starts_with("max_words") { "max_words = 3000".to_owned() } else { line.to_owned() };
        studio.write("novel.toml", &(config.lines().map(wide).collect::<Vec<_>>().join("\n") + "\n"));
        // The first scene is long, so that its beginning is out of the next one's sight.
        let steps: Vec<String> = (0..60).map(|n| format!("第{n}个人往前挪了半步，又停住了。")).collect();
        let (head, end) = scenes()[0].split_once("\n\n").map(|(head, end)| (head.to_owned(), end.to_owned())).unwrap();
        let first = format!("{head}\n\n{}\n\n{end}", steps.join("\n\n"));
        studio.then("scene", first);
        let path = studio.path(TEXT);
        let edit = move |_: &[_]| {
            let text = std::fs::read_to_string(&path).unwrap_or_default();
            if text.contains(from) && !text.contains(to) {
                std::fs::write(&path, text.replace(from, to)).unwrap();
            }
            // The folder shows the first scene some milliseconds after the question.
            text.contains(from) || text.contains(to)
        };
        studio.then("scene", Reply::Text(scenes()[1].clone()).over(Wire::OpenAi).held_until(edit));
        let _ = go(&studio).ok();
        assert_eq!(studio.asked().iter().filter(|stage| **stage == "scene").count(), asked, "{from}");
        let text = studio.read("chapters/vol-01/chapter-002.md");
        assert!(text.contains(to) && text.matches("这个记号我认得").count() == 1, "{text}");
        studio.done();
    }
}

#[test]
fn a_scene_far_too_short_is_asked_for_once_more_as_a_scene() {
    let studio = Studio::new().on("scene", "轮到他了。守门人伸出一只手，不说话，只是看着他怀里鼓起的那一块，又看了看天色，像在等一个早就知道的回答，而他一个字也没有准备，只好把手按上去，再按上去。");
    let run = go(&studio);
    assert_eq!(studio.requests("scene").len(), 4);
    let again = studio.requests("scene")[1].prompt();
    assert!(again.contains("这一场至少要") && again.contains("只写这一场"), "{again}");
    assert!(run.stderr.contains("instead of at least"), "{run:#?}");
    let _ = run.ok();
    studio.done();
}

#[test]
fn a_plan_that_is_none_is_asked_for_again_and_then_stops_the_run() {
    let one = || json!({"scenes": [{"goal": "出城"}]});
    let studio = Studio::new().on("scene-plan", "我觉得分三场。").on("scene-plan", one()).on("scene-plan", one());
    let run = go(&studio).fails(5);
    assert!(run.stderr.contains("are unusable"), "{run:#?}");
    assert_eq!(studio.asked(), ["scene-plan"; 3]);
    studio.check();
    let _ = go(&studio).ok();
    studio.done();
}

#[test]
fn a_chapter_in_scenes_is_revised_and_written_again_as_a_whole() {
    let studio = studio().on("judge", score(1.5)).on("judge", score(3.2)).on("judge", score(4.2));
    let _ = go(&studio).ok();
    let rounds = ["rewrite", "summarize", "refine", "judge", "revise", "summarize", "refine", "judge"];
    assert_eq!(studio.asked(), [&WHOLE[..], &rounds].concat());
    assert_eq!(studio.read("chapters/vol-01/chapter-002.md").matches("一步也没有停").count(), 1);
    studio.done();
}

/// A chapter whose third scene has come and whose summary has not.
fn three_scenes() -> Studio {
    let [first, second, third] = scenes();
    let studio =
        Studio::new().on("scene", first).on("scene", second + HINTS).on("scene", third).on("summarize", down());
    let _ = go(&studio).fails(5);
    studio
}

fn rollback(studio: &Studio, target: &str) -> Output {
    studio.novel(&["rollback", target, "--yes"])
}

#[test]
fn a_scene_can_be_gone_back_to_and_nothing_is_lost() {
    let studio = three_scenes();
    let before = studio.git(&["rev-parse", "draft/ch-002"]);
    let main = studio.git(&["rev-parse", "HEAD"]);
    let dry = studio.novel(&["rollback", "ch-2/scene-1", "--dry-run"]).ok();
    assert!(dry.contains("scene: 3/3") && dry.contains("scene: 2/3") && !dry.contains("1/3"), "{dry}");
    assert_eq!(studio.git(&["rev-parse", "draft/ch-002"]), before);
    assert!(studio.novel(&["rollback", "ch-2/scene-1"]).fails(3).stderr.contains("--yes"));

    let line = rollback(&studio, "ch-002/scene-1").ok();
    assert!(line.contains("Rolled ch-002 back to scene 1"), "{line}");
    let text = studio.read(TEXT);
    assert!(text.contains("纸响了一下") && !text.contains("这个记号我认得"), "{text}");
    assert!(studio.novel(&["status"]).ok().contains("scene 1 of 3"));
    assert_eq!(studio.git(&["rev-parse", "HEAD"]), main);
    let _ = studio.git(&["merge-base", "--is-ancestor", before.trim(), "draft/ch-002"]);
    let again = rollback(&studio, "ch-002/scene-1");
    assert!(again.stdout.contains("already"), "{again:#?}");
    let _ = again.ok();
    studio.check();

    // The next run writes the two scenes again, and only them.
    let asked = studio.asked().len();
    studio.then("scene", format!("## 第二场\n\n门后有人咳了一声。{}", scenes()[1]));
    let _ = studio.go().ok();
    assert_eq!(studio.asked_since(asked), ["scene", "scene", "summarize", "refine", "judge"]);
    let summary = &studio.requests("summarize").pop().unwrap().prompt();
    assert!(!summary.contains("御剑术"), "the remarks on a scene that is gone are gone as well");
    assert!(studio.read("chapters/vol-01/chapter-002.md").contains("门后有人咳了一声。"));
    studio.done();
}

#[test]
fn going_back_keeps_what_the_author_did_to_the_scenes_that_stay() {
    let studio = Studio::new().on("scene", scenes()[0].clone()).on("scene", down());
    let _ = go(&studio).fails(5);
    let edited = studio.read(TEXT).replace("谁都听见了。", "谁都装作没有听见。");
    studio.write(TEXT, &edited);
    studio.then("summarize", down());
    let _ = studio.go().fails(5);
    // Not committed by anybody yet, and about to leave: it becomes part of the draft's history first.
    studio.write(TEXT, &studio.read(TEXT).replace("没有回头", "回了一次头"));
    let _ = rollback(&studio, "ch-2/scene-1").ok();
    assert_eq!(studio.read(TEXT), edited);
    assert!(studio.git(&["log", "-3", "--format=%s", "draft/ch-002"]).contains("edited by hand"));
    let _ = rollback(&studio, "ch-2/scene-1").ok();
    assert!(rollback(&studio, "ch-2/scene-2").fails(1).stderr.contains("no scene 2"));
    let _ = studio.go().ok();
    studio.done();
}

#[test]
fn going_back_before_the_first_scene_plans_them_anew() {
    let studio = three_scenes();
    let dry = studio.novel(&["rollback", "ch-2/scene-0", "--dry-run"]).ok();
    assert!(dry.contains("scene: 1/3") && dry.contains("scene-plan"), "{dry}");
    assert!(rollback(&studio, "ch-2/scene-0").ok().contains("ch-002 back to the beginning"));
    assert!(!studio.path(TEXT).exists());
    studio.check();
    let asked = studio.asked().len();
    for scene in scenes() {
        studio.then("scene", scene);
    }
    let _ = go(&studio).ok();
    assert_eq!(studio.asked_since(asked), WHOLE);
    studio.done();
}

#[test]
fn an_unfinished_scene_is_written_again_and_says_so() {
    let [first, second, third] = scenes();
    let cut = Reply::CutShort(format!("{second}\n\n灯笼"));
    let studio = Studio::new().on("scene", first).on("scene", cut).on("continue", down());
    let _ = go(&studio).fails(5);
    let asks = studio.novel(&["decide"]);
    assert!(asks.stdout.contains("rewrite it") && asks.stdout.contains("ch-002/scene-0"), "{asks:#?}");
    assert!(studio.novel(&["decide", "rewrite"]).ok().contains("put this scene aside"));
    let asked = studio.asked().len();
    studio.then("scene", second);
    studio.then("scene", third);
    let _ = studio.go().ok();
    assert_eq!(studio.asked_since(asked), WHOLE[2..]);
    studio.done();
}

#[test]
fn a_rollback_to_a_scene_says_why_it_cannot_be() {
    let studio = three_scenes();
    let refused = |target: &str, code: i32, words: [&str; 2]| {
        let run = studio.novel(&["rollback", target, "--yes"]).fails(code);
        assert!(words.iter().all(|words| run.stderr.contains(words)), "{target}: {run:#?}");
    };
    refused("ch-2/scene-4", 1, ["no scene 4", "novel rollback ch-002/scene-3"]);
    refused("ch-3/scene-1", 1, ["ch-003 has no draft", "ch-002"]);
    refused("ch-1/scene-1", 1, ["ch-001 is already accepted", ""]);
    refused("ch-2/scene-", 2, ["ch-48/scene-2", ""]);
    let exact = studio.novel(&["rollback", "ch-2/scene-1", "--exact", "--yes"]).fails(2);
    assert!(exact.stderr.contains("--exact"), "{exact:#?}");
    let _ = studio.go().ok();
    refused("ch-2/scene-1", 1, ["ch-002 is already accepted", "novel rollback ch-001"]);

    studio.then("summarize", down());
    let _ = studio.go().fails(5);
    refused("ch-3/scene-1", 1, ["ch-003 is not written scene by scene", "novel continue --scenes"]);
    let zh = studio.novel(&["--lang", "zh", "rollback", "ch-3/scene-1", "--yes"]).fails(1);
    assert!(zh.stderr.contains("不是分场写的"), "{zh:#?}");
    studio.done();

    let studio =
        self::studio().on("judge", score(3.2)).on("summarize", Reply::good("summarize")).on("summarize", down());
    let _ = go(&studio).fails(5);
    let revised = studio.novel(&["rollback", "ch-2/scene-1", "--yes"]).fails(1);
    assert!(revised.stderr.contains("as a whole") && revised.stderr.contains("--stage scene"), "{revised:#?}");
    studio.check();
}

#[test]
fn json_lines_say_which_scene_it_is() {
    let studio = studio();
    let lines = studio.novel(&["continue", "--scenes", "--json"]).json_lines();
    let scenes: Vec<_> =
        lines.iter().filter(|line| line["event"] == "stage_done" && line["stage"] == "scene").collect();
    assert_eq!(scenes.len(), 3);
    assert_eq!(scenes[1]["scene"], json!({"number": 2, "of": 3}));
    assert!(lines.iter().filter(|line| line["stage"] == "judge").all(|line| line.get("scene").is_none()));
    let dry = studio.novel(&["continue", "--scenes", "--dry-run", "--json"]).json();
    assert_eq!(dry["next"], json!(["scene-plan"]));
    studio.done();
}
