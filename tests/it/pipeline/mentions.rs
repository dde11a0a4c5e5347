//! Mentions of other storylines: found by code, shown to the summarizer, and its own held against them.

use super::script::{draft, draft_of, summary};
use super::studio::Studio;
use serde_json::json;

#[test]
fn people_of_other_lines_are_shown_to_the_summarizer_and_its_mentions_are_held_against_them() {
    let studio = Studio::new();
    let line = ["storyline", "add", "--name", "夜市", "--id", "night-market", "--about", "夜市里的旧账"];
    let _ = studio.novel(&line).ok();
    let person = json!({
        "schema_version": 1, "id": "bai-ji", "display_name": "白霁", "aliases": ["管账的白姑娘"], "role": "supporting",
        "storylines": ["night-market"], "speech": "", "contracts": [],
    });
    studio.write("characters/active/bai-ji.json", &format!("{person:#}\n"));
    studio.write("characters/active/bai-ji.md", "# 白霁\n\n夜市的管账人。\n");
    let _ = studio.git(&["add", "characters/active"]);
    studio.then("draft", draft().replace("林枫点头，", "老兵提起白霁，说她欠着一笔账。林枫点头，"));
    let mut reply = summary(json!([]));
    reply["cross_references"] = json!([
        {"entity": "管账的白姑娘", "storyline": "main-arc", "leak_risk": "medium", "evidence": "老兵提起白霁"},
    ]);
    studio.then("summarize", reply);
    let _ = studio.go().ok();
    let prompt = studio.requests("summarize").pop().unwrap().prompt();
    assert!(prompt.contains("人物 白霁（night-market）：“老兵提起白霁，说她欠着一笔账。”"), "{prompt}");
    let page = studio.read("summaries/vol-01/chapter-002-summary.md");
    assert!(page.contains("night-market") && page.contains("medium") && !page.contains("low"), "{page}");
    studio.then("draft", draft_of(3).replacen("\n\n", "\n\n有人又提起白霁。", 1));
    studio.then("summarize", summary(json!([])));
    let _ = studio.go().ok();
    let page = studio.read("summaries/vol-01/chapter-003-summary.md");
    assert!(page.contains("白霁") && page.contains("night-market"), "passed over and added: {page}");
}
