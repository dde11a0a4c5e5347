//! Rebuilding with a model: what it is asked, what is paid for once, and what its answers become.

use super::script::{Reply, moved_to, summary};
use super::studio::Studio;
use crate::llm::server::Answer;
use novel::llm::Wire;
use serde_json::{Value, json};

const WIRES: [Wire; 2] = [Wire::OpenAi, Wire::Anthropic];
const TWO: &str = "chapters/vol-01/chapter-002.md";

fn state(studio: &Studio) -> Value {
    serde_json::from_str(&studio.read("state/current-state.json")).unwrap()
}

/// A book with two chapters, of which the author has changed the second.
fn edited(wire: Wire) -> Studio {
    let studio = Studio::over(wire);
    let _ = studio.go().ok();
    studio.write(TWO, &studio.read(TWO).replace("今天不能再回来", "今晚必须回到渡口"));
    studio
}

#[test]
fn the_summarizer_reads_the_new_text_with_the_state_that_the_chapter_found() {
    for wire in WIRES {
        let studio = edited(wire).on("summarize", summary(json!([moved_to("渡口")])));
        let before = studio.asked().len();
        let told = studio.novel(&["rebuild"]);
        assert_eq!(studio.asked_since(before), ["summarize"], "{told:#?}");
        let asked = studio.requests("summarize").pop().unwrap().prompt();
        assert!(asked.contains("今晚必须回到渡口") && !asked.contains("今天不能再回来"), "{asked}");
        let state_shown = asked.split_once("北门外").is_some();
        assert!(!state_shown, "the chapter's own earlier effect is not what it found: {asked}");
        assert_eq!(state(&studio)["characters"]["lin-feng"]["location"], "渡口");
        studio.done();
    }
}

#[test]
fn a_summary_that_cannot_be_read_leaves_the_book_as_it_is() {
    for wire in WIRES {
        let studio = edited(wire).on("summarize", "读完了。").on("summarize", "还是不知道。");
        let page = studio.read("summaries/vol-01/chapter-002-summary.md");
        let said = studio.novel(&["rebuild"]).fails(5);
        assert!(said.stderr.contains("rebuild") || said.stderr.contains("summary"), "{said:#?}");
        assert_eq!(studio.read("summaries/vol-01/chapter-002-summary.md"), page);
        assert_eq!(studio.novel(&["status", "--json"]).json()["outdated"], json!([2]));
        // The next try asks again, and is taken.
        let _ = studio.novel(&["rebuild"]).ok();
        assert_eq!(studio.novel(&["status", "--json"]).json()["outdated"], json!([]));
        studio.done();
    }
}

#[test]
fn summaries_that_were_paid_for_are_not_asked_for_again_after_a_failure() {
    for wire in WIRES {
        let studio = edited(wire);
        let one = "chapters/vol-01/chapter-001.md";
        studio.write(one, &format!("{}\n林枫把灯吹灭，转身下了城楼。\n", studio.read(one)));
        studio.then("summarize", summary(json!([])));
        studio.then("summarize", Reply::Raw(Answer::error(401, "no")));
        let _ = studio.novel(&["rebuild"]).fails(4);
        let asked = studio.requests("summarize").len();
        let _ = studio.novel(&["rebuild"]).ok();
        assert_eq!(studio.requests("summarize").len(), asked + 1);
        assert_eq!(studio.novel(&["status", "--json"]).json()["outdated"], json!([]));
        studio.done();
    }
}

/// A book whose second chapter relies on a word that the author has just taken out of the first, and the replies that mend it.
fn relying(wire: Wire) -> Studio {
    let studio = Studio::over(wire);
    let one = "chapters/vol-01/chapter-001.md";
    studio.write(one, &format!("{}\n城外只有一座石板渡。\n", studio.read(one)));
    let _ = studio.novel(&["rebuild", "--wording"]).ok();
    studio.then("draft", super::script::draft().replace("他没有回头。", "他没有回头。前面就是石板渡了。"));
    let _ = studio.go().ok();
    studio.write(one, &studio.read(one).replace("石板渡", "乌木桥"));
    studio.then("summarize", summary(json!([])));
    studio.then("revise", studio.read(TWO).replace("石板渡", "乌木桥"));
    studio
}

#[test]
fn a_mending_that_dies_is_a_mending_when_the_same_command_goes_on() {
    let mut deaths = 0;
    loop {
        let studio = relying(Wire::OpenAi);
        let mut command = studio.world.command(env!("CARGO_BIN_EXE_novel"), &studio.path(""));
        let point = format!("draft.moved#{}", deaths + 1);
        let run = command.args(["rebuild", "--revise"]).env(novel::git::failpoint::ENV, point).output().unwrap();
        if run.status.success() {
            break;
        }
        deaths += 1;
        let _ = studio.novel(&["rebuild", "--revise"]).ok();
        assert_eq!(studio.requests("revise").len(), 1, "death {deaths}");
        assert!(studio.read(TWO).contains("前面就是乌木桥了。"), "death {deaths}");
        studio.done();
    }
    assert!(deaths > 5, "the draft of the rebuild and that of the chapter have more commits than {deaths}");
}

#[test]
fn the_first_edit_of_a_fact_reaches_the_chapter_that_rests_on_it_and_mending_shows_the_sentence() {
    for wire in WIRES {
        let studio = relying(wire);
        let before = studio.asked().len();
        let report = studio.novel(&["rebuild", "--revise", "--json"]);
        let asked = studio.asked_since(before);
        assert_eq!(&asked[..2], ["summarize", "revise"], "{report:#?}");
        let told = report.json_lines().pop().unwrap();
        assert_eq!((&told["mended"], &told["relying"]), (&json!([2]), &json!([])), "{told}");
        let revise = studio.requests("revise").pop().unwrap().prompt();
        assert!(revise.contains("前面就是石板渡了。") && revise.contains("已经没有“"), "{revise}");
        assert!(studio.read(TWO).contains("前面就是乌木桥了。"));
        let subjects = studio.git(&["log", "--format=%s", "-2"]);
        assert!(subjects.starts_with("ch-002: 城门\nrebuild: ch-001"), "{subjects}");
        studio.done();
    }
}
