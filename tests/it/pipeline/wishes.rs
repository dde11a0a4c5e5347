//! The wishes of the author for the next chapters, told until the chapters are written.

use super::script::score;
use super::studio::Studio;
use crate::llm::server::Answer;
use novel::llm::Wire;

const WISH: &str = "守门人早点露面";

#[test]
fn a_wish_reaches_writer_and_judge_until_its_chapters_are_written() {
    let studio = Studio::new();
    let noted = studio.novel(&["--lang", "en", "wish", WISH, "--chapters", "2"]).ok();
    assert!(noted.contains("noted for ch-002–ch-003"), "{noted}");
    assert_eq!(studio.git(&["log", "-1", "--format=%s"]).trim(), format!("wish: {WISH}"));
    let status = studio.novel(&["--lang", "en", "status"]).ok();
    assert!(status.contains(WISH) && status.contains("ch-002–ch-003"), "{status}");
    for chapter in [2, 3] {
        studio.then("judge", score(4.4));
        let _ = studio.go().ok();
        for stage in ["draft", "judge"] {
            let asked = studio.requests(stage).pop().unwrap().prompt();
            assert!(asked.contains(&format!("\n- 作者要求: {WISH}")), "{stage} of {chapter}: {asked}");
            assert!(asked.contains("- 状态变化"), "the section stays whole: {asked}");
        }
    }
    let gone = studio.novel(&["--lang", "en", "wish"]).ok();
    assert!(gone.contains("no wish for the next chapters"), "{gone}");
    assert!(!studio.novel(&["status"]).ok().contains(WISH));
    let _ = studio.go();
    assert!(!studio.requests("draft").pop().unwrap().prompt().contains(WISH));
}

#[test]
fn a_wish_is_for_chapters_that_have_no_draft_yet_and_can_be_taken_back() {
    let studio = Studio::new().on("judge", score(2.4));
    let question = studio.go().fails(3).stdout;
    assert!(question.contains("novel wish"), "{question}");
    let noted = studio.novel(&["--lang", "en", "wish", WISH]).ok();
    assert!(noted.contains("noted for ch-003\nch-002 has a text already"), "{noted}");
    assert!(noted.contains("novel decide drop") && noted.contains("novel write 2 --force --wish"), "{noted}");
    let long = studio.novel(&["--lang", "en", "wish", &"雨".repeat(1_001)]).fails(1);
    assert!(long.stderr.contains("at most 1000 characters"), "{long:#?}");
    let refused = studio.novel(&["--lang", "en", "wish", "--take-back", "2"]).fails(1);
    assert!(refused.stderr.contains("there is no wish 2"), "{refused:#?}");
    let _ = studio.novel(&["wish", "--take-back", "1"]).ok();
    assert!(!studio.path("wishes.json").exists());
    let _ = studio.novel(&["undo"]).ok();
    assert!(studio.read("wishes.json").contains(WISH));

    // A wish moves with its chapters, and a rollback keeps it.
    let _ = studio.novel(&["decide", "drop"]).ok();
    let _ = studio.novel(&["chapter", "insert", "2", "--title", "雨"]).ok();
    assert!(studio.read("wishes.json").contains("\"first_chapter\": 4"), "{}", studio.read("wishes.json"));
    let _ = studio.novel(&["rollback", "1", "--yes"]);
    assert!(studio.read("wishes.json").contains(WISH));
    studio.check();
}

#[test]
fn a_wish_for_several_chapters_stays_with_them_when_they_change_places() {
    let studio = Studio::new();
    let _ = studio.novel(&["wish", WISH, "--chapters", "3"]).ok();
    let noted = studio.read("wishes.json");
    for (from, to) in [("4", "2"), ("2", "4"), ("3", "2")] {
        let _ = studio.novel(&["chapter", "move", from, to]).ok();
        assert_eq!(studio.read("wishes.json"), noted, "{from} to {to}");
    }
    assert_eq!(studio.novel(&["status", "--json"]).json()["problems"], serde_json::json!([]));
}

#[test]
fn a_draft_without_a_text_gets_the_wish() {
    let studio = Studio::new().on("draft", Answer::error(400, "out of order"));
    let _ = studio.go().fails(5);
    assert!(studio.git(&["for-each-ref", "refs/heads/draft"]).contains("ch-002"));
    let noted = studio.novel(&["--lang", "en", "wish", WISH]).ok();
    assert!(noted.contains("noted for ch-002\nto see"), "{noted}");
    let _ = studio.go().ok();
    assert!(studio.requests("draft").pop().unwrap().prompt().contains(WISH));
}

#[test]
fn a_wish_with_a_key_is_not_noted_and_names_no_file() {
    let studio = Studio::new();
    let refused = studio.novel(&["--lang", "en", "wish", "用", super::studio::KEY]).fails(1);
    assert!(refused.stderr.contains("looks like a key") && !refused.stderr.contains("git add"), "{refused:#?}");
    assert!(!studio.path("wishes.json").exists());
}

#[test]
fn a_wish_that_is_wrong_in_the_file_is_named_with_the_remedy() {
    let studio = Studio::new();
    let _ = studio.novel(&["wish", "下雨"]).ok();
    let of = |text: &str, first: u32| {
        let good = r#"{"text": "下雨", "first_chapter": 2, "last_chapter": 2}"#;
        format!(r#"{{"wishes": [{good}, {{"text": "{text}", "first_chapter": {first}, "last_chapter": 3}}]}}"#)
    };
    let cases = [
        (of("起风", 4), "wish 2 ends with chapter 3"),
        (of(" ", 2), "wish 2 has no text"),
        (of("起风\\n下雨", 2), "several lines"),
        (of(&"雨".repeat(1_001), 2), "wish 2 has 1001 characters, and at most 1000"),
    ];
    for (file, told) in cases {
        studio.write("wishes.json", &file);
        let refused = studio.novel(&["--lang", "en", "continue"]);
        assert!(refused.code != 0 && refused.stderr.contains("wishes.json"), "{refused:#?}");
        assert!(refused.stderr.contains(told), "{refused:#?}");
        let status = studio.novel(&["--lang", "en", "status"]).ok();
        assert!(status.contains(told), "{status}");
    }
    studio.write("wishes.json", &of("起风", 3));
    let _ = studio.go().ok();
    assert!(studio.novel(&["--lang", "en", "wish"]).ok().contains("起风"));
}

#[test]
fn the_planner_of_the_next_volume_is_told() {
    let studio = Studio::unwritten(Wire::OpenAi);
    let _ = studio.novel(&["continue", "4", "--offline"]).ok();
    let _ = studio.novel(&["review", "vol-01", "--offline"]).ok();
    let offered = studio.novel(&["--lang", "en", "start", "--no-input"]);
    assert!(format!("{offered:?}").contains("novel wish"), "{offered:#?}");
    let _ = studio.novel(&["wish", WISH, "--chapters", "3"]).ok();
    let _ = studio.novel(&["plan", "make", "--chapters", "3", "--wish", "多写北门"]);
    let asked = studio.server.requests().into_iter().map(|request| request.prompt()).next().unwrap();
    assert!(asked.contains(&format!("{WISH}（第5–7章）")) && asked.contains("多写北门"), "{asked}");
}
