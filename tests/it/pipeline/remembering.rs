//! The ledger of chapters: what the summarizer notes of a chapter, and who is shown it later.

use super::script::{moved_to, summary};
use super::studio::Studio;
use serde_json::{Value, json};

const FILE: &str = "memory/vol-01/chapter-002-memory.json";

fn summary_with(entry: Value) -> Value {
    let mut reply = summary(json!([moved_to("北门外")]));
    reply["chapter_memory"] = entry;
    reply
}

#[test]
fn what_is_noted_is_a_file_of_the_chapter_and_is_shown_to_the_next_ones() {
    let noted = json!({"time": "天亮前", "places": ["北门"], "events": ["守门人认出火漆"],
        "people": [{"who": "林枫", "state": "出了城，今天回不去"}], "threads": ["十二年前的人是谁"]});
    let studio = Studio::new().on("summarize", summary_with(noted));
    let _ = studio.go().ok();
    let file: Value = serde_json::from_str(&studio.read(FILE)).unwrap();
    assert_eq!(file["schema_version"], 1);
    assert_eq!(file["character_states"], json!([{"character": "lin-feng", "state": "出了城，今天回不去"}]));
    assert!(studio.git(&["show", "--stat=200", "--format=", "ch-002"]).contains(FILE));

    let _ = studio.go().ok();
    let prompts: Vec<String> = studio.requests("draft").iter().map(|request| request.prompt()).collect();
    assert!(prompts[1].contains("十二年前的人是谁（第2章）"), "{}", prompts[1]);
    assert!(!prompts[1].contains("守门人认出火漆"), "the summary beside it says so already");
    let shown = studio.novel(&["show", "ch-002"]);
    let text = studio.read("chapters/vol-01/chapter-002.md");
    assert_eq!(shown.stdout, text, "what is saved to a file is the chapter alone");
    assert_eq!(studio.novel(&["show", "ch-002", "--json"]).json()["memory"]["threads"][0], "十二年前的人是谁");
    studio.done();

    let _ = studio.novel(&["rollback", "ch-1", "--yes"]).ok();
    assert!(!studio.path(FILE).exists(), "it goes with its chapter");
    studio.check();
}

#[test]
fn an_answer_without_a_usable_entry_costs_no_second_call() {
    for entry in [Value::Null, json!("没有"), json!({"people": "谁都在", "events": {"一": 1}})] {
        let studio = Studio::new().on("summarize", summary_with(entry));
        let _ = studio.go().ok();
        assert_eq!(studio.asked(), ["draft", "summarize", "refine", "judge"]);
        let file: Value = serde_json::from_str(&studio.read(FILE)).unwrap();
        assert_eq!((&file["events"], &file["open_threads"]), (&json!([]), &json!([])));
        studio.done();
    }
}

#[test]
fn the_book_says_how_far_back_the_ledger_is_shown() {
    let studio = Studio::new();
    let settings = studio.read("novel.toml").replace("memory_chapters = 5", "memory_chapters = 0");
    studio.write("novel.toml", &settings);
    let _ = studio.go().ok();
    let prompt = studio.requests("draft")[0].prompt();
    assert!(prompt.contains("<章节记忆>\n（无）\n</章节记忆>"), "{prompt}");
    studio.done();
}

#[test]
fn a_book_without_the_files_goes_on_and_one_that_is_lost_comes_back() {
    let studio = Studio::new();
    let first = FILE.replace("002", "001");
    let noted = studio.read(&first);
    std::fs::remove_file(studio.path(&first)).unwrap();
    studio.world.commit("book", "no ledger");
    let found = studio.novel(&["doctor"]).fails(1);
    assert!(found.stdout.contains(&first), "{found:#?}");
    // The program's own file is restored from the history before anything is written.
    let run = studio.go();
    assert!(run.stderr.contains(&first), "{run:#?}");
    let _ = run.ok();
    assert_eq!(studio.read(&first), noted);
    studio.done();
}

#[test]
fn what_the_author_writes_into_an_entry_is_what_the_next_chapter_sees() {
    let studio = Studio::new();
    let first = FILE.replace("002", "001");
    let mut entry: Value = serde_json::from_str(&studio.read(&first)).unwrap();
    entry["open_threads"] = json!(["灯是谁点的"]);
    studio.write(&first, &format!("{entry:#}\n"));
    let _ = studio.go().ok();
    assert!(studio.requests("draft")[0].prompt().contains("灯是谁点的（第1章）"));
    assert!(studio.git(&["log", "--format=%s"]).contains("hand edit: memory/vol-01/chapter-001-memory.json"));
    studio.done();
}

#[test]
fn a_question_that_a_chapter_leaves_open_is_taken_up_until_one_answers_it() {
    let asking =
        json!({"reader": {"kind": "investigation", "hook": "question", "question": "谁换了火漆", "answers": []}});
    let answering = json!({"reader": {"kind": "revelation", "hook": "不知道", "question": "",
        "payoffs": ["换火漆的人露了面"], "answers": ["第2章", 9]}});
    let studio = Studio::new().on("summarize", summary_with(asking)).on("summarize", summary_with(answering));
    let _ = studio.go().ok();
    let _ = studio.go().ok();
    let _ = studio.go().ok();
    let drafts: Vec<String> = studio.requests("draft").iter().map(|request| request.prompt()).collect();
    let taken_up = "第2章留下的“谁换了火漆”：这一章先接住它";
    assert!(drafts[1].contains(taken_up), "{}", drafts[1]);
    assert!(!drafts[2].contains("谁换了火漆"), "{}", drafts[2]);
    let summaries: Vec<String> = studio.requests("summarize").iter().map(|request| request.prompt()).collect();
    assert!(summaries[1].contains("- 第2章留下的“谁换了火漆”\n</读者还在等的>"), "{}", summaries[1]);
    // A chapter that asked nothing cannot be answered, and a word of the model's own is no hook.
    let file: Value = serde_json::from_str(&studio.read(&FILE.replace("002", "003"))).unwrap();
    let noted = json!({"chapter_kind": "revelation", "question": "", "payoffs": ["换火漆的人露了面"], "answers": [2]});
    assert_eq!(file["reader"], noted);
    let shown = studio.novel(&["show", "ch-002", "--json"]).json();
    assert_eq!(
        (&shown["memory"]["reader"]["hook"], &shown["memory"]["reader"]["question"]),
        (&json!("question"), &json!("谁换了火漆"))
    );
    studio.done();
}
