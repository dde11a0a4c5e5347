//! The review of a volume by a scripted model: what is not understood, and what is paid for once.

use super::studio::Studio;
use crate::llm::server::Answer;
use novel::llm::Wire;
use serde_json::{Value, json};

/// A book whose only volume is written.
fn written() -> Studio {
    let studio = Studio::unwritten(Wire::OpenAi);
    let _ = studio.novel(&["continue", "4", "--offline"]).ok();
    studio
}

fn review(result: &str) -> Value {
    json!({"remarks": ["第2章守门人认出火漆，第3章他却说没见过"], "bridges": ["回城那夜谁开的门"],
        "evaluation_result": result, "reason": "broken_seal 已收", "chapters_left": 12})
}

#[test]
fn the_reviewer_s_words_are_in_the_review() {
    let studio = written().on("review", review("wrap_up"));
    let shown = studio.novel(&["review"]).ok();
    for words in ["情节规划：第2章守门人认出火漆", "铺垫：回城那夜谁开的门", "再写一卷收尾。信封的火漆是裂的 已收"]
    {
        assert!(shown.contains(words), "no `{words}` in {shown}");
    }
    let prompt = studio.requests("review")[0].prompt();
    assert!(prompt.contains("写成 4 章") && prompt.contains("章节契约："), "{prompt}");
    assert!(studio.git(&["show", "HEAD:logs/plans/review-01-001.json"]).contains("\"review\""));
    assert!(studio.git(&["log", "-1", "--format=%B"]).contains("Novel-Progress: wrap_up"));
    studio.done();
}

#[test]
fn a_judgement_that_nobody_understands_means_going_on() {
    let studio = written().on("review", "我不能").on("review", "{}").on("review", "还是不能");
    let output = studio.novel(&["--lang", "en", "review"]);
    assert!(output.stderr.contains("asking again"), "{output:#?}");
    let shown = output.ok();
    assert!(shown.contains("继续写。没能读懂情节规划的判断"), "{shown}");
    assert_eq!(studio.asked(), ["review"; 3]);
    studio.done();
    let odd = studio.on("review", review("看情况"));
    let shown = odd.novel(&["review", "--force"]).ok();
    assert!(shown.contains("信封的火漆是裂的 已收（没能读懂情节规划的判断") && shown.contains("还要 12 章"), "{shown}");
    odd.done();
}

#[test]
fn a_reviewer_who_cannot_be_reached_leaves_the_book_as_it_was() {
    let down = Answer::error(500, "out of order").header("x-should-retry", "false");
    let studio = written().on("review", down);
    let head = studio.git(&["rev-parse", "HEAD"]);
    let _ = studio.novel(&["review"]).fails(5);
    assert_eq!(studio.git(&["rev-parse", "HEAD"]), head);
    let studio = studio.on("review", review("force_end"));
    let _ = studio.novel(&["start"]).fails(3);
    assert_eq!(studio.asked(), ["review"], "it asks the author first");
    let question = studio.novel(&["--json", "start", "--answer", "review"]).fails(3).json_lines().pop().unwrap();
    assert_eq!(question["options"], json!(["end", "wrap-up", "next-volume"]));
    assert_eq!(studio.asked(), ["review", "review"]);
    studio.done();
}

#[test]
fn what_was_answered_before_a_death_is_not_paid_for_again() {
    for point in ["draft.moved#2", "txn.after_cas"] {
        let studio = written().on("review", review("continue"));
        let mut dying = studio.world.command(env!("CARGO_BIN_EXE_novel"), &studio.path(""));
        let died = dying.arg("review").env("__NOVEL_CRASH_TEST_ABORT_AT", point).output().unwrap();
        assert!(!died.status.success(), "{point}: {died:?}");
        assert_eq!(studio.asked(), ["review"], "{point}");
        let shown = studio.novel(&["review"]).ok();
        assert!(shown.contains("回城那夜谁开的门"), "{point}: {shown}");
        assert_eq!(studio.asked(), ["review"], "{point}: asked twice");
        studio.done();
    }
}

#[test]
fn a_last_volume_that_forgets_something_is_asked_about_once() {
    let studio = Studio::unwritten(Wire::OpenAi);
    // Chapter 4 is taken out, so that what chapter 1 plants is still open.
    let outline = studio.read("volumes/vol-01/outline.md");
    studio.write("volumes/vol-01/outline.md", &outline[..outline.find("## 第4章").unwrap()]);
    let _ = studio.novel(&["continue", "3", "--offline"]).ok();
    let _ = studio.novel(&["review", "--offline"]).ok();
    let schedule = json!({"theme": "收信", "summary": "信送到了", "hook": "", "new_storylines": [],
        "storylines": [{"id": "main-arc", "role": "primary", "chapters": 2, "goal": "把信送到"}],
        "dormant": [], "primary_max_consecutive": 5, "secondary_every": 8, "convergences": [], "foreshadowing": []});
    let chapters = |from: u32, resolves: bool| {
        let chapter = |n: u32| {
            let pays = json!([{"action": "resolve", "id": "broken_seal", "detail": "火漆是他父亲裂的"}]);
            json!({"chapter": n, "title": if n == 4 { "回信" } else { "门开" }, "storyline": "main-arc", "pov": "林枫", "location": "北门",
                "conflict": "林枫要见写信的人，守门人不许他再进城", "arc": "从躲到问",
                "foreshadowing": if resolves && n == 5 { pays } else { json!([]) },
                "state_changes": ["林枫进了北门"], "transition": ""})
        };
        json!({"chapters": (from..=5).map(chapter).collect::<Vec<_>>()})
    };
    let studio = studio.on("schedule", schedule).on("outline", chapters(4, false)).on("outline", chapters(5, true));
    let shown = studio.novel(&["--json", "plan", "make", "--closing", "--chapters", "2"]).fails(3);
    assert_eq!(studio.asked(), ["schedule", "outline", "outline"]);
    let plan = shown.json_lines().pop().unwrap();
    assert_eq!((&plan["data"]["flaws"], &plan["recommendation"]), (&json!([]), &"approve".into()), "{plan:#}");
    let repair = studio.requests("outline")[1].prompt();
    assert!(repair.contains("这是最后一卷，可到 ch-005 伏笔 broken_seal 还没收"), "{repair}");
    assert!(repair.contains("全书最后一卷") && repair.contains("信送到了"), "{repair}");
    let _ = studio.novel(&["plan", "approve"]).ok();
    studio.done();
}
