//! Fields that the author's outline leaves open, and a plot architect who answers well or badly.

use super::studio::Studio;
use novel::llm::Wire;
use serde_json::{Value, json};

/// A book whose third chapter has no conflict and no foreshadowing.
fn open(wire: Wire) -> Studio {
    let studio = Studio::unwritten(wire);
    let path = "volumes/vol-01/outline.md";
    let text = studio.read(path);
    let (head, tail) = text.split_once("## 第3章").unwrap();
    let tail = tail.replacen("- 冲突: 林枫要过去，有人拦着他\n", "", 1).replacen("- 伏笔: 无\n", "", 1);
    studio.write(path, &format!("{head}## 第3章{tail}"));
    studio
}

fn filling(conflict: &str, tasks: &Value) -> Value {
    json!({"chapters": [{"chapter": 3, "title": "别的题目", "storyline": "main-arc", "pov": "老兵", "location": "别处",
        "conflict": conflict, "arc": "别的", "foreshadowing": tasks, "state_changes": ["别的事"], "transition": "", "rules": []}]})
}

#[test]
fn only_the_open_fields_are_asked_for_and_taken() {
    for wire in [Wire::OpenAi, Wire::Anthropic] {
        let good = filling(
            "船家不肯夜渡，林枫今夜必须过河",
            &json!([{"action": "advance", "id": "broken_seal", "detail": "船家认得"}]),
        );
        // An answer without the conflict is asked for again.
        let studio = open(wire).on("fill", filling("", &json!([]))).on("fill", good);
        let before = studio.read("volumes/vol-01/outline.md");
        let _ = studio.novel(&["plan", "fill"]).fails(3);
        assert_eq!(studio.asked(), ["fill", "fill"]);
        let prompt = studio.requests("fill")[0].prompt();
        assert!(prompt.contains("（缺：冲突、伏笔）") && prompt.contains("## 第3章 渡口"), "{prompt}");
        let after = studio.read("staging/volumes/vol-01/outline.md");
        let added: Vec<&str> = after.lines().filter(|line| !before.lines().any(|old| old == *line)).collect();
        assert_eq!(added, ["- 冲突: 船家不肯夜渡，林枫今夜必须过河", "- 伏笔: 推进 broken_seal：船家认得"]);
        assert_eq!(after.lines().count(), before.lines().count() + 2);
        let _ = studio.novel(&["plan", "approve"]).ok();
        assert_eq!(studio.read("volumes/vol-01/outline.md"), after);
        let _ = studio.novel(&["continue", "--offline"]).ok();
        studio.done();
    }
}

#[test]
fn a_task_that_fits_nothing_is_put_right_without_another_question() {
    let tasks = json!([{"action": "plant", "id": "broken_seal", "detail": "又埋一遍"},
        {"action": "resolve", "id": "lost_oar", "detail": "桨找到了"}]);
    let studio = open(Wire::OpenAi).on("fill", filling("船家不肯夜渡", &tasks));
    let _ = studio.novel(&["plan", "fill"]).fails(3);
    let text = studio.read("staging/volumes/vol-01/outline.md");
    assert!(text.contains("- 伏笔: 推进 broken_seal：又埋一遍；埋设 lost_oar：桨找到了"), "{text}");
    let _ = studio.novel(&["plan", "approve"]).ok();
    studio.done();
}

#[test]
fn what_was_answered_before_an_interruption_is_not_asked_again() {
    let studio = open(Wire::OpenAi).on("fill", "不会").on("fill", "不会").on("fill", "不会");
    let _ = studio.novel(&["plan", "fill"]).fails(5);
    // An outline that is half filled is no obstacle to looking at the book.
    let _ = studio.novel(&["status"]);
    let _ = studio.novel(&["plan"]);
    let before = studio.server.requests().len();
    let studio = studio.on("fill", filling("船家不肯夜渡", &json!([])));
    let _ = studio.novel(&["plan", "fill"]).fails(3);
    assert_eq!(studio.asked_since(before), ["fill"]);
    let _ = studio.novel(&["plan", "approve"]).ok();
    studio.done();
}
