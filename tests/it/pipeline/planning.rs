//! Planners that answer badly: what is asked again, what is mended, what is kept, and that nothing wrong gets in.

use super::studio::{STRONG, Studio};
use crate::llm::server::Answer;
use novel::llm::Wire;
use serde_json::{Value, json};

fn world(rule: &str) -> Value {
    json!({"rules": [{"category": "城门", "rule": rule, "constraint_type": "hard", "exceptions": []}], "documents": [],
        "storyline": {"name": "", "description": ""}})
}

fn schedule() -> Value {
    json!({"theme": "回信", "summary": "信有了回音", "hook": "回信的人早已不在", "new_storylines": [],
        "storylines": [{"id": "main-arc", "role": "primary", "chapters": 3, "goal": "查到写信的人"}],
        "dormant": [], "primary_max_consecutive": 5, "secondary_every": 8, "convergences": [],
        "foreshadowing": [{"id": "wet_thumb", "description": "拇指印是守门人的", "scope": "short", "storyline": "main-arc",
            "plant": 5, "advance": [6], "resolve_from": 6, "resolve_to": 9}]})
}

/// Chapters 5 to 7; the tasks are those of the foreshadowing.
fn outline(line: &str, tasks: [&str; 3]) -> Value {
    let chapter = |(at, action): (usize, &str)| {
        let tasks = match action {
            "" => json!([]),
            action => json!([{"action": action, "id": "wet_thumb", "detail": "湿印又出现在信封背面"}]),
        };
        json!({"chapter": 5 + at, "title": (["回信", "旧门", "认人"][at]), "storyline": line, "pov": "林枫", "location": "北门",
            "conflict": "林枫要见写信的人，守门人不许他再进城", "arc": "从躲到问", "foreshadowing": tasks,
            "state_changes": ["林枫进了北门"], "transition": ""})
    };
    json!({"chapters": tasks.iter().copied().enumerate().map(chapter).collect::<Vec<_>>()})
}

/// A book whose first volume is written.
fn written() -> Studio {
    let studio = Studio::unwritten(Wire::OpenAi);
    let _ = studio.novel(&["continue", "4", "--offline"]).ok();
    let _ = studio.novel(&["review", "vol-01", "--offline"]).ok();
    studio
}

const MAKE: [&str; 4] = ["plan", "make", "--chapters", "3"];

#[test]
fn an_example_of_the_format_never_becomes_a_rule() {
    let studio = Studio::unwritten(Wire::OpenAi);
    let studio =
        studio.on("world", world("当票上写明的东西，过了子时不能再赎")).on("world", world("戌时落锁，凭口令不开"));
    let output = studio.novel(&["--lang", "en", "world", "update", "城门的规矩"]);
    assert!(output.stderr.contains("asking again"), "{output:#?}");
    let _ = output.ok();
    assert_eq!(studio.asked(), ["world", "world"]);
    let rules = studio.read("world/rules.json");
    assert!(rules.contains("戌时落锁") && !rules.contains("当票"), "{rules}");
    // The paid calls are kept all the same.
    let kept = studio.git(&["for-each-ref", "--format=%(refname)", "refs/novel/kept/world"]);
    let calls = studio.git(&["ls-tree", "-r", "--name-only", kept.trim(), ".draft/"]);
    assert_eq!(calls.matches("-world.json").count(), 2, "{calls}");
}

#[test]
fn whoever_has_repeated_an_example_is_shown_none_in_any_further_try() {
    let echo = world("当票上写明的东西，过了子时不能再赎");
    let studio = Studio::unwritten(Wire::OpenAi);
    let studio = studio.on("world", echo).on("world", "好的").on("world", world("戌时落锁，凭口令不开"));
    let _ = studio.novel(&["world", "update", "城门的规矩"]).ok();
    let shown: Vec<bool> = studio.requests("world").iter().map(|asked| asked.prompt().contains("过了子时")).collect();
    assert_eq!(shown, [true, false, false]);
}

#[test]
fn a_rule_that_is_said_twice_is_one_rule() {
    let mut twice = world("戌时落锁，凭口令不开");
    let rule = twice["rules"][0].clone();
    twice["rules"].as_array_mut().unwrap().push(rule);
    let studio = Studio::unwritten(Wire::OpenAi).on("world", twice.clone()).on("world", twice);
    let _ = studio.novel(&["world", "update", "城门的规矩"]).ok();
    assert_eq!(studio.read("world/rules.json").matches("戌时落锁").count(), 1);
    let again = studio.novel(&["world", "update", "再想想"]).ok();
    assert!(again.contains("0 rules"), "{again}");
}

#[test]
fn a_planner_that_never_answers_leaves_the_book_as_it_was() {
    let studio = Studio::unwritten(Wire::OpenAi);
    let before = studio.git(&["rev-parse", "HEAD"]);
    let studio = studio.on("world", "我不能").on("world", "{\"rules\": []}").on("world", "好的");
    let _ = studio.novel(&["world", "update"]).fails(5);
    assert_eq!(studio.git(&["rev-parse", "HEAD"]), before);
    // The next try begins with a question again, and the unusable answers are still there.
    let studio = studio.on("world", world("戌时落锁，凭口令不开"));
    let _ = studio.novel(&["world", "update"]).ok();
    let costs = studio.novel(&["cost", "--json"]).ok();
    assert!(costs.contains("\"calls\": 4"), "{costs}");
}

#[test]
fn what_a_plan_has_is_not_asked_for_again_after_an_interruption() {
    let down = Answer::error(500, "out of order").header("x-should-retry", "false");
    let studio = written().on("schedule", schedule()).on("outline", down);
    let _ = studio.novel(&MAKE).fails(5);
    let before = studio.server.requests().len();
    let studio = studio.on("outline", outline("main-arc", ["plant", "advance", "resolve"]));
    let _ = studio.novel(&MAKE).fails(3);
    assert_eq!(studio.asked_since(before), ["outline"], "the schedule was there");
    let _ = studio.novel(&["plan", "approve"]).ok();
    assert!(studio.git(&["log", "-1", "--format=%B"]).contains("Novel-Volume: 2"));
}

#[test]
fn a_wrong_word_is_mended_and_a_wrong_storyline_is_asked_about_once() {
    // Planted twice, and what the plan asks for in chapter 6 is not said.
    let studio = written().on("schedule", schedule()).on("outline", outline("main-arc", ["plant", "", "plant"]));
    let _ = studio.novel(&MAKE).fails(3);
    let text = studio.read("staging/volumes/vol-02/outline.md");
    assert_eq!(studio.asked_since(0), ["schedule", "outline"], "{text}");
    assert_eq!(text.matches("推进 wet_thumb").count(), 2, "{text}");
    let _ = studio.novel(&["plan", "reject"]).ok();

    let before = studio.server.requests().len();
    let wrong = || outline("no-such-line", ["plant", "advance", "resolve"]);
    let studio = studio.on("schedule", schedule()).on("outline", wrong()).on("outline", wrong());
    let shown = studio.novel(&["--json", "plan", "make", "--chapters", "3"]).fails(3);
    assert_eq!(studio.asked_since(before), ["schedule", "outline", "outline"], "one repair");
    let plan = shown.json_lines().pop().unwrap();
    assert_eq!(plan["recommendation"], "mend");
    assert!(plan["data"]["flaws"].to_string().contains("no-such-line"), "{plan}");
    let _ = studio.novel(&["plan", "approve"]).fails(3);
    assert!(!studio.path("volumes/vol-02").exists(), "nothing wrong is written");
}

#[test]
fn a_new_storyline_needs_a_name_of_its_own_and_whatever_happened_meanwhile_stands() {
    let line = |name: &str| {
        json!({"storyline": {"id": "main-arc", "name": name, "type": "mystery", "scope": "novel", "description": "守门人替谁看着城门",
            "pov_characters": ["林枫"]},
            "relations": [{"with": "main-arc", "type": "mirror", "shared_characters": ["林枫"], "convergence": "门开", "function": "真相"},
                {"with": "no-such-line"}]})
    };
    let studio = Studio::unwritten(Wire::OpenAi);
    let studio = studio.on("storyline", line("主线")).on("storyline", line("城门"));
    let add = ["storyline", "add", "城门背后的人"];
    let output = studio.novel(&[&["--lang", "en"], &add[..]].concat());
    assert!(
        output.stderr.contains("asking again") && output.stderr.contains("a name that no storyline"),
        "{output:#?}"
    );
    let _ = output.ok();
    assert_eq!(studio.asked(), ["storyline", "storyline"]);
    let lines: Value = serde_json::from_str(&studio.read("storylines/storylines.json")).unwrap();
    assert_eq!(lines["storylines"][1]["id"], "main-arc-2", "an id that is taken is never given again");
    assert_eq!(lines["relationships"].as_array().unwrap().len(), 1);
    assert_eq!(lines["relationships"][0]["from"], "main-arc-2");
    studio.done();

    // Killed between the answer and its commit: the line that the author added meanwhile stays, and no model is asked
    // again.
    let studio = studio.on("storyline", line("渡口"));
    let wish = ["storyline", "add", "渡口的人"];
    let dying = studio.world.path("book");
    let mut command = studio.world.command(env!("CARGO_BIN_EXE_novel"), &dying);
    let died = command.args(wish).env(novel::git::failpoint::ENV, "txn.before_objects").output().unwrap();
    assert!(!died.status.success());
    let _ = studio.novel(&["storyline", "add", "--name", "雨夜"]).ok();
    let before = studio.server.requests().len();
    let _ = studio.novel(&wish).ok();
    assert_eq!(studio.server.requests().len(), before);
    let lines = studio.read("storylines/storylines.json");
    assert!(lines.contains("雨夜") && lines.contains("渡口"), "{lines}");
    studio.done();
}

#[test]
fn planners_have_models_of_their_own_and_the_flag_counts_more() {
    let world = || world("戌时落锁，凭口令不开");
    let studio = Studio::unwritten(Wire::OpenAi).with("NOVEL_AGENTS_WORLD_BUILDER", "quill-world");
    let studio = studio.on("world", world()).on("world", world()).on("theme", "{}");
    let _ = studio.novel(&["world", "update", "门"]).ok();
    let _ = studio.novel(&["world", "update", "锁", "--model", "quill-other"]).ok();
    let _ = studio.novel(&["world", "theme"]);
    assert_eq!(studio.models("world"), ["quill-world", "quill-other"]);
    assert_eq!(studio.models("theme")[0], STRONG);
}

#[test]
fn a_style_is_learnt_from_a_model_and_asked_for_again_when_the_answer_is_none() {
    let directives = json!({"rhetoric_preferences": [], "forbidden_words": ["仿佛"], "character_speech_patterns": [],
        "writing_directives": ["先给一个动作，再给一句话"]});
    let studio = Studio::unwritten(Wire::OpenAi).on("style", "好的").on("style", directives);
    studio.world.write("a.txt", &"他把灯放下，没有看那封信。雨从檐下过去，街上没有人。\n".repeat(20));
    let _ = studio.novel(&["style", "from", "../a.txt"]).ok();
    assert_eq!(studio.asked(), ["style", "style"]);
    let profile = studio.read("style-profile.json");
    assert!(profile.contains("先给一个动作") && profile.contains("\"original\""), "{profile}");
    let costs = studio.novel(&["cost", "--json"]).ok();
    assert!(costs.contains("\"calls\": 2"), "{costs}");
    // Killed before its commit, the same command finishes it without another question; other samples are another request.
    studio.then("style", json!({"writing_directives": ["收在半句话上"]}));
    let args = ["style", "from", "../b.txt"];
    studio.world.write("b.txt", &"船开了。她没有回头，只把手里的票攥紧了一些。\n".repeat(30));
    let mut command = studio.world.command(env!("CARGO_BIN_EXE_novel"), &studio.path(""));
    assert!(!command.args(args).env(novel::git::failpoint::ENV, "txn.intent").output().unwrap().status.success());
    let before = studio.server.requests().len();
    let _ = studio.novel(&args).ok();
    assert_eq!(studio.server.requests().len(), before);
    assert!(studio.read("style-profile.json").contains("收在半句话上"));
    studio.done();
}

#[test]
fn a_model_that_fails_at_many_chapters_is_asked_for_fewer() {
    let studio = written().on("schedule", schedule());
    for _ in 0..6 {
        studio.then("outline", "{\"chapters\": []}");
    }
    let _ = studio.novel(&MAKE).fails(5);
    let _ = studio.novel(&MAKE).fails(5);
    let whole = outline("main-arc", ["plant", "advance", "resolve"]);
    for at in 0..3 {
        studio.then("outline", json!({"chapters": [whole["chapters"][at]]}));
    }
    let shown = studio.novel(&["--json", "plan", "make", "--chapters", "3"]).fails(3);
    assert_eq!(shown.json_lines().pop().unwrap()["recommendation"], "approve");
    assert_eq!(studio.requests("outline").len(), 9, "six in vain, then one a chapter");
    let _ = studio.novel(&["plan", "approve"]).ok();
    studio.done();
}
