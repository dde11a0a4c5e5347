//! The end of a chapter, its brief, and the question for the next one in the same run.

use super::script::{Reply, draft, draft_of, edits, score};
use super::studio::Studio;
use crate::llm::server::Answer;
use novel::llm::Wire;
use serde_json::{Value, json};

const BRIEF: &str = "quality/vol-01/chapter-005-quality.json";

#[test]
fn a_brief_is_of_the_texts_that_were_accepted() {
    let verdicts: [(&[f64], &[&str]); 3] = [(&[4.2], &[]), (&[3.6], &["polish"]), (&[3.2, 4.1], &["revise"])];
    for (points, changes) in verdicts {
        let studio = Studio::of_six().on("draft", draft());
        let studio = points.iter().fold(studio, |studio, points| studio.on("judge", score(*points)));
        let _ = studio.go().ok();
        let changed = studio.read("chapters/vol-01/chapter-005.md").contains("灯笼动了动");
        assert_eq!(changed, points == [3.6], "polished after the judge had read it");
        assert!(changes.iter().all(|change| studio.asked().contains(change)));
        let brief = studio.read(BRIEF);
        studio.git(&["rm", "-q", BRIEF]);
        studio.world.commit("book", "without the brief");
        let _ = studio.novel(&["continue", "--offline"]).ok();
        assert_eq!(studio.read(BRIEF), brief, "{points:?}");
        studio.done();
    }
}

#[test]
fn a_writer_is_told_the_authors_last_changes_and_the_chapter_before() {
    let studio = Studio::of_six();
    let path = "summaries/vol-01/chapter-004-summary.md";
    let summary = studio.read(path);
    let (_, last) = summary.trim_end().rsplit_once('\n').unwrap();
    studio.write(path, &summary.replace(last, "城门外的鼓停在第七下。"));
    let _ = studio.novel(&["continue", "2"]).ok();
    let prompts: Vec<String> = studio.requests("draft").iter().map(|request| request.prompt()).collect();
    assert!(prompts[0].contains("城门外的鼓停在第七下。"), "{}", prompts[0]);
    let _ = studio.novel(&["undo"]).ok();
    let shown = studio.novel(&["context", "6", "--prompt"]).ok();
    let other = prompts[1].lines().find(|line| !shown.contains(*line));
    assert_eq!(other, None, "the whole prompt is as it would be without a run: {shown}");
    studio.done();
}

#[test]
fn a_next_chapter_is_asked_for_by_the_text_that_was_accepted() {
    // A text that is polished or revised after the judge has read it has another cast.
    let verdicts: [(&[f64], bool); 3] = [(&[4.2], true), (&[3.6], false), (&[3.2, 4.1], false)];
    let named =
        ["守门人伸出一只手", "守门人笑了一声", "守门人把信举到", "守门人把信折好", "”老兵说，", "老兵凑过来看了"];
    let renamed = named.map(|part| part.replace("老兵", "裴行舟").replace("守门人", "裴行舟"));
    for (points, stays) in verdicts {
        let text = named.iter().zip(&renamed).fold(draft(), |text, (part, other)| text.replace(part, other));
        let back: Vec<(&str, &str)> = renamed.iter().map(String::as_str).zip(named).collect();
        let studio = Studio::of_six().on("draft", text).on("polish", edits(&back));
        let studio = points.iter().fold(studio, |studio, points| studio.on("judge", score(*points)));
        let _ = studio.novel(&["continue", "2", "--ahead", "off"]).ok();
        let prompts: Vec<String> = studio.requests("draft").iter().map(|request| request.prompt()).collect();
        let prompt = prompts.last().unwrap();
        assert_eq!(prompt.contains("\n- 裴行舟"), stays, "{points:?}: {prompt}");
        let _ = studio.novel(&["undo"]).ok();
        let shown = studio.novel(&["context", "6", "--prompt"]).ok();
        let other = prompt.lines().find(|line| !shown.contains(*line));
        assert_eq!(other, None, "{points:?}: {shown}");
        let is_polished = studio.asked().contains(&"polish");
        assert_eq!(is_polished, points == [3.6]);
    }
}

#[test]
fn an_accepted_draft_is_cleared_away_before_the_next_chapter_is_written() {
    let studio = Studio::of_six().on("draft", draft());
    let (staging, branch) = (studio.path("staging"), studio.path(".git/refs/heads/draft/ch-005"));
    let (lock, intent) = (studio.path(".git/index.lock"), studio.path(".git/refs/novel/txn"));
    // The answer is held until the draft of the first chapter is gone, and git's index is free.
    let is_cleared = move |_: &[_]| [&staging, &branch, &lock, &intent].iter().all(|path| !path.exists());
    studio.then("draft", Reply::good("draft").over(Wire::OpenAi).held_until(is_cleared));
    let _ = studio.novel(&["continue", "2"]).ok();
    assert!(!studio.path("staging").exists());
    assert_eq!(studio.git(&["branch", "--list", "draft/*"]), "");
    studio.done();
}

#[test]
fn an_accepted_draft_is_cleared_away_where_the_next_chapter_comes_to_nothing() {
    let studio = Studio::of_six().on("draft", draft());
    studio.then("draft", Reply::Raw(Answer::error(401, "no")));
    let failed = studio.novel(&["continue", "2", "--ahead", "off"]);
    assert_ne!(failed.code, 0);
    assert!(!studio.path("staging/chapters/vol-01/chapter-005.md").exists());
    assert!(!studio.git(&["branch", "--list", "draft/*"]).contains("ch-005"));
    studio.done();
}

#[test]
fn a_contradiction_that_is_found_after_the_brief_stops_the_run_before_the_next_chapter() {
    let spoken = "\n\n秦远山低声说：“我还在。”\n";
    for (status, asked) in [("活着", 2), ("死于工地塌方", 1)] {
        let studio = Studio::of_twelve().on("draft", draft_of(10) + spoken);
        let path = "state/current-state.json";
        let mut state: Value = serde_json::from_str(&studio.read(path)).unwrap();
        state["characters"]["qin-yuanshan"] = json!({ "display_name": "秦远山", "status": status });
        studio.write(path, &format!("{state:#}\n"));
        let run = studio.novel(&["continue", "2", "--ahead", "off", "--lang", "en"]);
        assert_eq!(studio.requests("draft").len(), asked, "{run:#?}");
        assert_eq!(run.code, if asked == 1 { 3 } else { 0 }, "{run:#?}");
        assert_eq!(run.stderr.contains("秦远山 is dead"), asked == 1, "{run:#?}");
        assert!(studio.git(&["log", "-3", "--format=%s"]).contains("quality"), "the brief is there all the same");
        studio.done();
    }
}
