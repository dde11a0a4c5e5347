//! Texts that are no chapter as they come: broken off, copied, cut down, or with talk around them. A text that broke
//! off is continued, and never summarised, judged or accepted.

use super::script::{Reply, draft, draft_of, scenes, score};
use super::studio::Studio;
use crate::llm::server::Answer;
use novel::llm::Wire;
use serde_json::json;

const TEXT: &str = "staging/chapters/vol-01/chapter-002.md";
const CHAPTER: &str = "chapters/vol-01/chapter-002.md";
const WIRES: [Wire; 2] = [Wire::OpenAi, Wire::Anthropic];
const LOOP: &str = "他想起十二年前那个拿着信的人也是这样走出这道门的。\n\n";

/// The draft, parted where it breaks off.
fn parts() -> (String, String) {
    let draft = draft();
    let at = draft.find("灯笼晃了两下。").unwrap();
    (draft[..at].trim_end().to_owned(), draft[at..].to_owned())
}

/// The first part, and then the same over and over.
fn circling() -> String {
    format!("{}\n\n{}", parts().0, LOOP.repeat(80))
}

fn error(status: u16) -> Answer {
    Answer::error(status, "out of order").header("x-should-retry", "false")
}

/// The draft as the refiner leaves it.
fn refined() -> String {
    draft().replace("火把被风压得很低", "火把让风压低了")
}

fn on_draft(studio: &Studio, path: &str) -> String {
    studio.git(&["show", &format!("draft/ch-002:{path}")])
}

/// The run stops with the first part on the draft and in `staging/`, and nothing is made of it.
#[track_caller]
fn stops_with_the_first_part(studio: &Studio, why: &str) {
    let run = studio.go().fails(5);
    for words in ["ch-002 is unfinished", TEXT, "novel continue", "novel decide", why] {
        assert!(run.stderr.contains(words), "no `{words}` in {run:#?}");
    }
    let kept = format!("{}\n", parts().0);
    assert_eq!((on_draft(studio, CHAPTER), studio.read(TEXT)), (kept.clone(), kept));
    assert_eq!(studio.git(&["tag", "--list"]).trim(), "ch-001");
    assert!(studio.asked().iter().all(|stage| ["draft", "continue"].contains(stage)), "{:?}", studio.asked());
    assert_eq!(studio.draft_log()[0], "partial");
    let status = studio.novel(&["status"]).ok();
    assert!(status.contains("unfinished: see `novel decide`"), "{status}");
    studio.check();
}

/// The author says to go on, and the chapter becomes the whole draft; its first part is not paid for again.
#[track_caller]
fn goes_on_by_the_authors_word(studio: &Studio) {
    goes_on_although(studio, "continue");
}

/// The way on after a model that can do no more, where `recommended` is recommended.
#[track_caller]
fn goes_on_although(studio: &Studio, recommended: &str) {
    let question = studio.novel(&["decide"]).fails(3).stdout;
    for words in ["is unfinished", "novel decide continue", "novel decide rewrite", "novel decide edit", TEXT] {
        assert!(question.contains(words), "no `{words}` in {question}");
    }
    let asked = studio.novel(&["decide", "--json"]).fails(3).json();
    assert_eq!((&asked["recommendation"], &asked["data"]["about"]), (&recommended.into(), &"unfinished".into()));
    let refused = studio.novel(&["decide", "judge"]).fails(1);
    assert!(refused.stderr.contains("continue | rewrite") && refused.stderr.contains("edit"), "{refused:#?}");
    let _ = studio.novel(&["decide", "continue"]).ok();
    let before = studio.asked().len();
    studio.then("continue", parts().1);
    let _ = studio.go().ok();
    assert_eq!(studio.asked_since(before), ["continue", "summarize", "refine", "judge"]);
    assert_eq!(studio.read(CHAPTER), refined());
    assert_eq!(studio.trailer("Novel-Gate"), "pass");
    studio.done();
}

#[test]
fn a_draft_in_circles_whose_continuation_gets_401_is_no_chapter() {
    for wire in WIRES {
        let studio = Studio::over(wire).on("draft", circling()).on("continue", error(401));
        stops_with_the_first_part(&studio, "the provider rejects the key");
        goes_on_by_the_authors_word(&studio);
    }
}

#[test]
fn a_draft_in_circles_whose_continuation_gets_402_is_no_chapter() {
    for wire in WIRES {
        let studio = Studio::over(wire).on("draft", circling()).on("continue", error(402));
        stops_with_the_first_part(&studio, "balance");
        goes_on_by_the_authors_word(&studio);
    }
}

#[test]
fn a_draft_in_circles_whose_continuation_gets_503_is_no_chapter() {
    for wire in WIRES {
        let studio = Studio::over(wire).on("draft", circling()).on("continue", error(503));
        stops_with_the_first_part(&studio, "out of order");
        goes_on_by_the_authors_word(&studio);
    }
}

#[test]
fn a_draft_in_circles_whose_continuation_is_refused_is_no_chapter() {
    for wire in WIRES {
        let studio = Studio::over(wire).on("draft", circling());
        let studio = (0..2).fold(studio, |studio, _| studio.on("continue", Reply::Refusal("这个我不写".into())));
        stops_with_the_first_part(&studio, "declined");
        goes_on_although(&studio, "accept");
    }
}

#[test]
fn a_draft_in_circles_whose_continuations_go_in_circles_too_is_no_chapter() {
    for wire in WIRES {
        let again = || LOOP.repeat(80);
        let studio = Studio::over(wire)
            .on("draft", circling())
            .on("continue", again())
            .on("continue", format!("{}\n\n{}", parts().0, again()))
            .on("continue", again());
        stops_with_the_first_part(&studio, "keeps repeating itself");
        goes_on_although(&studio, "accept");
    }
}

#[test]
fn a_continuation_is_joined_without_what_it_repeats_and_every_call_is_kept() {
    for wire in WIRES {
        let (head, rest) = parts();
        let last = head.rsplit("\n\n").next().unwrap();
        let studio = Studio::over(wire).on("draft", circling()).on("continue", format!("{last}\n\n{rest}（本章完）"));
        let run = studio.go();
        assert!(run.stderr.contains("continuing from the last complete sentence"), "{run:#?}");
        let _ = run.ok();
        assert_eq!(studio.asked(), ["draft", "continue", "summarize", "refine", "judge"]);
        assert_eq!(studio.read(CHAPTER), refined());
        assert_eq!(studio.draft_log()[..2], ["partial", "draft"]);
        let (first, second) = (studio.requests("draft")[0].prompt(), studio.requests("continue")[0].prompt());
        assert!(second.starts_with(&first), "what went before stays as it was, for the provider's cache");
        let (_, body) = head.split_once("\n\n").unwrap();
        assert!(second.contains(&format!("<已写好>\n{body}\n</已写好>")) && second.contains("已写好"), "{second}");
        assert!(!second.contains("他想起十二年前"), "what it repeated is not shown again");
        let cost = studio.novel(&["cost", "--by", "stage", "--json"]).json();
        let rows = cost["rows"].as_array().unwrap();
        assert_eq!(rows.iter().find(|row| row["name"] == "draft").unwrap()["calls"], 3, "with chapter 1's: {cost:#}");
        let calls = studio.novel(&["show", "ch-002", "--calls"]).ok();
        assert!(calls.contains("01-draft") && calls.contains("02-draft"), "{calls}");
        studio.done();
    }
}

#[test]
fn a_draft_that_stops_in_the_middle_of_a_sentence_is_continued() {
    for wire in WIRES {
        let (head, rest) = parts();
        let studio = Studio::over(wire).on("draft", format!("{head}\n\n灯笼晃了两下，守门人把")).on("continue", rest);
        let run = studio.go();
        assert!(run.stderr.contains("it ends mid-sentence"), "{run:#?}");
        let _ = run.ok();
        assert_eq!(studio.asked()[..2], ["draft", "continue"]);
        assert_eq!(studio.read(CHAPTER), refined());
        studio.done();
    }
}

#[test]
fn a_draft_that_stops_inside_a_quotation_is_continued() {
    for wire in WIRES {
        let (head, rest) = parts();
        let studio =
            Studio::over(wire).on("draft", format!("{head}\n\n“门开一半。只开一盏茶的工夫。")).on("continue", rest);
        let run = studio.go();
        assert!(run.stderr.contains("it ends inside a quotation"), "{run:#?}");
        let _ = run.ok();
        assert_eq!(studio.read(CHAPTER), refined());
        studio.done();
    }
}

#[test]
fn a_draft_that_never_ends_is_continued_three_times_and_then_stops_the_run() {
    let draft = draft();
    let paragraphs: Vec<&str> = draft.trim().split("\n\n").collect();
    let part = |from: usize, to: usize| Reply::CutShort(format!("{}\n\n他", paragraphs[from..to].join("\n\n")));
    let studio = Studio::new()
        .on("draft", part(0, 7))
        .on("continue", part(7, 8))
        .on("continue", part(8, 11))
        .on("continue", part(11, 12));
    let run = studio.go().fails(5);
    assert!(run.stderr.contains("ch-002 is unfinished"), "{run:#?}");
    assert_eq!(studio.draft_log(), ["partial"; 4]);
    assert_eq!(studio.read(TEXT).trim(), paragraphs[..12].join("\n\n"));
    let dry = studio.novel(&["continue", "--dry-run", "--json"]).json();
    assert_eq!((&dry["reused"], &dry["next"]), (&json!(["partial"]), &json!(["draft"])));
    studio.then("continue", paragraphs[12..].join("\n\n"));
    let run = studio.go();
    assert!(run.stderr.contains("resuming; done so far: unfinished text"), "{run:#?}");
    let _ = run.ok();
    assert_eq!((studio.requests("draft").len(), studio.read(CHAPTER)), (1, refined()));
    studio.done();
}

#[test]
fn a_revision_that_leaves_half_of_the_chapter_out_leaves_it_as_it_was() {
    for wire in WIRES {
        let draft = draft();
        let short = draft.split("\n\n").take(11).collect::<Vec<_>>().join("\n\n");
        let studio = Studio::over(wire).on("judge", score(3.2));
        for _ in 0..3 {
            studio.then("revise", short.as_str());
        }
        let run = studio.go();
        assert!(run.stderr.contains("characters, the original"), "{run:#?}");
        assert!(run.stderr.contains("keeps its text because the revision is unusable"), "{run:#?}");
        let _ = run.ok();
        assert!(studio.requests("revise")[1].prompt().contains("没有点到的段落要原样保留"));
        assert_eq!((studio.read(CHAPTER), studio.trailer("Novel-Gate").as_str()), (refined(), "force_passed"));
        assert_eq!(studio.requests("judge").len(), 1, "the same text is not judged twice");
        assert_eq!(studio.draft_log().iter().filter(|stage| *stage == "kept").count(), 1);
        studio.done();
    }
}

#[test]
fn a_revision_that_breaks_off_is_continued_or_put_aside_and_the_text_before_is_not_lost() {
    for wire in WIRES {
        let (head, rest) = parts();
        let revised = head.replace("守门人笑了一声，", "守门人没有笑，");
        let cut = || Reply::CutShort(format!("{revised}\n\n灯笼"));
        let studio = Studio::over(wire).on("judge", score(3.2)).on("revise", cut()).on("continue", error(402));
        let run = studio.go().fails(5);
        assert!(run.stderr.contains("ch-002 is unfinished"), "{run:#?}");
        assert_eq!(studio.read(TEXT).trim(), revised);
        assert_eq!(on_draft(&studio, ".draft/before.md"), refined());
        studio.check();
        // Put aside: the text before stands, and is revised again.
        let _ = studio.novel(&["decide", "rewrite"]).ok();
        assert_eq!((studio.read(TEXT), studio.requests("judge").len()), (refined(), 1));
        studio.then("revise", cut());
        studio.then("continue", rest);
        let _ = studio.go().ok();
        assert!(studio.requests("continue")[1].prompt().contains("<原稿>"), "the reviser still knows what it revises");
        assert_eq!(studio.read(CHAPTER).trim(), refined().replace("守门人笑了一声，", "守门人没有笑，").trim());
        assert_eq!(studio.trailer("Novel-Revisions"), "1");
        studio.done();
    }
}

#[test]
fn talk_around_a_chapter_never_reaches_the_book() {
    for wire in WIRES {
        for end in [
            "\n\n（本章完）\n\n希望您喜欢这一章！如果需要调整，请告诉我。",
            "（本章完）希望您喜欢这一章！",
            "\n\n---\n\n以上就是第2章的正文，如需修改请随时告诉我。",
        ] {
            let studio = Studio::over(wire).on("draft", format!("{}{end}", draft().trim_end()));
            let run = studio.go();
            assert!(run.stderr.contains("the model's own remarks"), "{run:#?}");
            let _ = run.ok();
            assert_eq!((studio.read(CHAPTER), studio.requests("draft").len()), (refined(), 1), "{end}");
            studio.done();
        }
    }
}

#[test]
fn a_copy_of_the_prompt_never_reaches_the_book_and_a_text_that_ends_in_one_is_continued() {
    let echo = "</章纲>\n\n- 从上面那段文字的末尾往下接，写过的句子不重复，后面几场的事不提前写。\n\n他走了。\n";
    for wire in WIRES {
        let studio = Studio::over(wire).on("draft", format!("{}\n{echo}", draft()));
        let run = studio.go();
        assert!(run.stderr.contains("lines of the prompt"), "{run:#?}");
        let _ = run.ok();
        assert_eq!((studio.read(CHAPTER), studio.requests("draft").len()), (refined(), 1));
        studio.done();
        let studio = Studio::over(wire).on("draft", format!("{}\n\n{echo}", parts().0)).on("continue", parts().1);
        let _ = studio.go().ok();
        assert!(studio.requests("continue")[0].body.to_string().contains("照抄了任务里的话"));
        assert_eq!(studio.read(CHAPTER), refined());
        studio.done();
    }
}

#[test]
fn a_copy_of_an_earlier_chapter_is_asked_for_once_more_and_never_accepted() {
    for wire in WIRES {
        let studio = Studio::over(wire);
        let outline = studio.read("volumes/vol-01/outline.md");
        let more = (5..=8).map(|n| {
            let (_, section) = outline.split_once("## 第4章").unwrap();
            format!("\n## 第{n}章{}", section.replace("回收 broken_seal：火漆是他父亲裂的", "无"))
        });
        studio.write("volumes/vol-01/outline.md", &format!("{outline}{}", more.collect::<String>()));
        let _ = studio.go().ok();
        let _ = studio.novel(&["continue", "4", "--offline"]).ok();
        let copy = studio.read(CHAPTER).replace("第2章 城门", "第7章 回城");
        for _ in 0..2 {
            studio.then("draft", copy.as_str());
        }
        let before = studio.asked().len();
        let run = studio.go().fails(5);
        assert!(run.stderr.contains("ch-002"), "it says where the text is from: {run:#?}");
        assert_eq!(studio.asked_since(before), ["draft"; 2]);
        let again = studio.requests("draft").pop().unwrap().prompt();
        assert!(again.contains("大段照抄了第 2 章里的原文"), "{again}");
        let _ = studio.novel(&["continue", "--offline"]).ok();
        assert!(!studio.read("chapters/vol-01/chapter-007.md").contains("这个记号我认得"));
        studio.done();
    }
}

#[test]
fn a_copy_of_the_chapter_before_s_ending_is_taken_off_the_beginning_and_asked_about_elsewhere() {
    for wire in WIRES {
        let studio = Studio::over(wire);
        let _ = studio.go().ok();
        let text = studio.read(CHAPTER);
        let end: Vec<&str> = text.trim().split("\n\n").collect();
        let end = end[end.len() - 2..].join("\n\n");
        let own = draft_of(3);
        let (heading, body) = own.split_once("\n\n").unwrap();
        studio.then("draft", format!("{heading}\n\n{end}\n\n{body}"));
        let run = studio.go();
        assert!(run.stderr.contains("characters of the previous chapter"), "{run:#?}");
        let _ = run.ok();
        let third = studio.read("chapters/vol-01/chapter-003.md");
        assert!(!third.contains(end.lines().next().unwrap()), "{third}");
        let own = draft_of(4);
        studio.then("draft", own.replace("\n\n“", &format!("\n\n{end}\n\n“")));
        let before = studio.asked().len();
        let run = studio.go();
        assert!(run.stderr.contains("the text copies"), "{run:#?}");
        let _ = run.ok();
        assert_eq!(studio.asked_since(before)[..2], ["draft", "draft"]);
        assert!(!studio.read("chapters/vol-01/chapter-004.md").contains(end.lines().next().unwrap()));
        studio.done();
    }
}

#[test]
fn an_outline_without_marks_is_no_chapter_either() {
    let outline = "# 第2章 城门\n\n开场：林枫在北门排队。\n\n冲突：守门人要查他怀里的信。\n\n转折：老兵认出了火漆。\n\n结尾：林枫出城。";
    for wire in WIRES {
        let studio = Studio::over(wire).on("draft", outline);
        let run = studio.go();
        assert!(run.stderr.contains("an outline, not prose"), "{run:#?}");
        let _ = run.ok();
        assert_eq!((studio.read(CHAPTER), studio.requests("draft").len()), (refined(), 2));
        studio.done();
    }
}

#[test]
fn a_scene_that_breaks_off_is_continued_behind_the_scenes_before() {
    let [first, second, third] = scenes();
    let at = second.find("“这个记号").unwrap();
    let (head, rest) = second.split_at(at);
    for wire in WIRES {
        let studio = Studio::over(wire)
            .on("scene", format!("# 第2章 城门\n\n{first}"))
            .on("scene", Reply::CutShort(format!("{head}“这个记号我")))
            .on("continue", error(503));
        let run = studio.novel(&["continue", "--scenes"]).fails(5);
        assert!(run.stderr.contains("ch-002 is unfinished"), "{run:#?}");
        let there = format!("# 第2章 城门\n\n{first}\n\n{}\n", head.trim());
        assert_eq!(studio.read(TEXT), there);
        // Written again, it takes the place of the part that is there.
        let _ = studio.novel(&["decide", "rewrite"]).ok();
        assert_eq!(studio.read(TEXT), format!("# 第2章 城门\n\n{first}\n"));
        studio.then("scene", Reply::CutShort(format!("{head}“这个记号我")));
        studio.then("continue", rest);
        studio.then("scene", third.as_str());
        let before = studio.asked().len();
        let _ = studio.go().ok();
        assert_eq!(studio.asked_since(before), ["scene", "continue", "scene", "summarize", "refine", "judge"]);
        assert_eq!(studio.read(CHAPTER), refined());
        studio.done();
    }
}

#[test]
fn an_end_that_the_author_writes_makes_an_unfinished_text_the_authors() {
    let studio = Studio::new().on("draft", circling()).on("continue", error(503));
    let _ = studio.go().fails(5);
    let own = format!("{}\n\n他把信收好，走了。\n", studio.read(TEXT).trim_end());
    studio.write(TEXT, &own);
    let before = studio.asked().len();
    let _ = studio.go().ok();
    assert_eq!(studio.asked_since(before), ["summarize", "judge"], "nothing is written, and the author's words stay");
    assert_eq!(studio.read(CHAPTER), own);
    studio.done();
}

#[test]
fn a_change_further_up_is_what_the_continuation_goes_on_from_unless_the_author_says_it_is_the_text() {
    for says_so in [false, true] {
        let (_, rest) = parts();
        let studio = Studio::new().on("draft", circling()).on("continue", error(503));
        let _ = studio.go().fails(5);
        let refused = studio.novel(&["decide", "edit"]).fails(1);
        assert!(refused.stderr.contains("has not been changed"), "{refused:#?}");
        let own = studio.read(TEXT).replace("天还没有亮，", "天刚刚擦亮，");
        studio.write(TEXT, &own);
        if says_so {
            let _ = studio.novel(&["decide", "edit"]).ok();
            let before = studio.asked().len();
            let _ = studio.go().ok();
            assert_eq!(studio.asked_since(before), ["summarize", "judge"]);
            assert_eq!(studio.read(CHAPTER), own);
        } else {
            studio.then("continue", rest);
            let before = studio.asked().len();
            let _ = studio.go().ok();
            assert_eq!(
                studio.asked_since(before),
                ["continue", "summarize", "judge"],
                "the author's words are not refined"
            );
            assert!(studio.requests("continue")[1].prompt().contains("天刚刚擦亮，"));
            assert_eq!(studio.read(CHAPTER), draft().replace("天还没有亮，", "天刚刚擦亮，"));
        }
        studio.done();
    }
}

#[test]
fn an_unfinished_draft_that_is_written_again_leaves_nothing_behind() {
    let studio = Studio::new().on("draft", circling()).on("continue", error(503));
    let _ = studio.go().fails(5);
    let _ = studio.novel(&["decide", "rewrite"]).ok();
    assert!(!studio.git(&["ls-tree", "-r", "--name-only", "draft/ch-002"]).contains("chapters/vol-01/chapter-002.md"));
    let _ = studio.go().ok();
    assert_eq!((studio.requests("draft").len(), studio.requests("continue").len()), (2, 1));
    assert_eq!(studio.read(CHAPTER), refined());
    studio.done();
}

#[test]
fn edits_that_take_the_end_away_are_not_made() {
    let last = "而信封的背面多了一个湿印，是一枚拇指，正按在裂开的火漆上。";
    let studio = Studio::new()
        .on("refine", super::script::edits(&[(last, "而信封的背面多了一个"), ("灯笼晃了两下", "灯笼动了动")]));
    let _ = studio.go().ok();
    let text = studio.read(CHAPTER);
    assert!(text.trim_end().ends_with(last) && text.contains("灯笼动了动"), "{text}");
    let log = studio.novel(&["show", "ch-002", "--log"]).ok();
    assert!(log.contains("takes the end of the chapter away"), "{log}");
    studio.done();
}

#[test]
fn the_question_about_an_unfinished_text_is_asked_in_chinese_too() {
    let studio = Studio::new().on("draft", circling()).on("continue", error(402));
    let run = studio.novel(&["--lang", "zh", "continue"]).fails(5);
    for words in ["ch-002 没有写完", "从最后一个完整的句子继续写", "账户余额不足", "从中断处继续写"]
    {
        assert!(run.stderr.contains(words), "no `{words}` in {run:#?}");
    }
    let question = studio.novel(&["--lang", "zh", "decide"]).fails(3).stdout;
    assert!(question.contains("没有写完。怎么办？") && question.contains("推荐"), "{question}");
    studio.check();
}
