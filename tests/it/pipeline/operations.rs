//! The state: what summaries change in it, and what they cannot.

use super::script::{HINTS, draft, moved_to, summary};
use super::studio::Studio;
use novel::llm::Wire;
use serde_json::{Value, json};

/// Version and the protagonist of the state.
fn state(studio: &Studio) -> (u64, Value) {
    let state: Value = serde_json::from_str(&studio.read("state/current-state.json")).unwrap();
    let version = ["state_version", "version"].iter().find_map(|field| state[field].as_u64());
    (version.unwrap(), state["characters"]["lin-feng"].clone())
}

#[test]
fn operations_become_the_state_and_the_ledger() {
    let advanced = json!({"op": "foreshadow", "path": "broken_seal", "value": "advanced", "detail": "老兵认得火漆",
        "scope": ""});
    let studio = Studio::new().on("summarize", summary(json!([moved_to("城外官道"), advanced])));
    let (before, _) = state(&studio);
    let _ = studio.go().ok();
    let (after, person) = state(&studio);
    assert_eq!((after, person["location"].as_str()), (before + 1, Some("城外官道")));
    assert!(studio.read("foreshadowing/global.json").contains("老兵认得火漆"));
    assert!(studio.read("storylines/main-arc/memory.md").contains("十二年前有人拿着同样的信走过北门"));
    studio.done();
}

#[test]
fn bad_operations_are_dropped_alone_and_named() {
    let deep = json!({"op": "set", "path": "a.b", "value": "x", "detail": "", "scope": ""});
    let unknown =
        json!({"op": "delete", "path": "characters.lin-feng.location", "value": "", "detail": "", "scope": ""});
    let ops = json!([deep, moved_to("城外官道"), unknown, unknown, unknown]);
    let studio = Studio::new().on("summarize", summary(ops));
    let run = studio.go();
    let told = ["4 invalid state operation(s)", "operation 1", "operation 3", "operation 4", "and 1 more"];
    assert!(told.iter().all(|words| run.stderr.contains(words)), "{run:#?}");
    assert!(!run.stderr.contains("operation 5"), "one line tells of all, however many: {run:#?}");
    let _ = run.ok();
    assert_eq!(state(&studio).1["location"], "城外官道");
    assert_eq!(studio.requests("summarize").len(), 1);
    let delta = studio.novel(&["show", "ch-002", "--delta"]).ok();
    assert!(delta.contains("城外官道") && !delta.contains("delete"), "{delta}");
    studio.done();
}

#[test]
fn what_a_summary_copies_from_its_prompt_or_makes_up_is_dropped_and_named() {
    let copied = json!({"op": "add", "path": "characters.lin-feng.inventory", "value": "刻了七道痕的顶针", "detail": "", "scope": ""});
    let mut reply = summary(json!([copied, moved_to("城外官道")]));
    let mention = |entity: &str, evidence: &str| json!({"entity": entity, "storyline": "sea-plan", "leak_risk": "low", "evidence": evidence});
    reply["cross_references"] = json!([mention("许青", "海上来的那位"), mention("老兵", "")]);
    let studio = Studio::new().on("summarize", reply);
    let run = studio.go();
    assert!(run.stderr.contains("operation 1 copies the prompt's example"), "{run:#?}");
    assert!(run.stderr.contains("mention `许青`, which is not in the text"), "{run:#?}");
    let _ = run.ok();
    assert_eq!(state(&studio).1.get("inventory"), None);
    assert_eq!(state(&studio).1["location"], "城外官道");
    let summary = studio.read("summaries/vol-01/chapter-002-summary.md");
    assert!(summary.contains("老兵") && !summary.contains("许青"), "{summary}");
    studio.done();
}

#[test]
fn the_writers_hints_reach_the_summarizer_and_never_the_book() {
    let studio = Studio::new().on("draft", draft() + HINTS);
    let _ = studio.go().ok();
    assert!(studio.requests("summarize")[0].prompt().contains("林枫练成了御剑术"));
    assert!(!studio.requests("judge")[0].prompt().contains("御剑术"));
    let found = studio.world.git("book", &["grep", "-c", "御剑术", "ch-002"]);
    assert_eq!((found.code, found.stdout.as_str()), (1, ""), "{found:#?}");
    studio.done();
}

#[test]
fn operations_that_cannot_be_read_are_asked_for_once_more_alone() {
    let studio = Studio::new()
        .on("summarize", summary(json!("没有变化")))
        .on("summarize", json!({"ops": [moved_to("城外官道")]}));
    let _ = studio.go().ok();
    let asked = studio.requests("summarize");
    assert_eq!(asked.len(), 2);
    assert!(asked[1].prompt().contains("摘要可以用，但 `ops` 读不出来"));
    assert_eq!(state(&studio).1["location"], "城外官道");
    let summary = studio.novel(&["show", "ch-002", "--summary"]).ok();
    assert!(summary.contains("守门人认出裂开的火漆"), "the first answer's summary: {summary}");
    studio.done();
}

#[test]
fn after_the_third_chapter_without_operations_the_author_is_told_to_look() {
    let studio = Studio::unwritten(Wire::OpenAi);
    let (before, _) = state(&studio);
    for chapter in 1..=3 {
        studio.then("summarize", summary(json!("没有变化")));
        studio.then("summarize", "还是没有");
        let run = studio.go();
        assert!(run.stderr.contains("no usable state operations"), "{run:#?}");
        assert_eq!(run.stderr.contains("novel rebuild 1,2,3 summarizes"), chapter == 3, "{run:#?}");
        let _ = run.ok();
    }
    assert_eq!(studio.requests("summarize").len(), 6, "one more call for the operations of each");
    let (after, person) = state(&studio);
    assert_eq!((after, person["location"].as_str()), (before + 3, None), "versions go on though nothing changes");
    studio.done();
}
