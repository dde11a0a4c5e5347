//! The words of a second try.

use novel::agents::checks::completeness::{Break, Expected, TextFinding};
use novel::agents::{
    self, Again, Opinion, Prompts, ReplyFault, Task, ask_again, judge, refiner, style_analyzer, summarizer, writer,
};
use novel::domain::ChapterNo;
use novel::domain::chapter::Chapter;

#[test]
fn each_fault_has_words_that_fit_it() {
    let prompts = Prompts::default();
    let context = super::story::context();
    let text = super::story::text(8, 100);
    let writer = Task::Draft { context: &context };
    let judge =
        Task::Judge { context: &context, text: &text, cross_references: &[], measured: &[], opinion: Opinion::First };
    let said = |why: Again, task: &Task| ask_again(why, task, &prompts).unwrap().text;
    let words = |why: Again| said(why, &Task::Summarize { context: &context, text: &text, hints: "" });
    let broken = summarizer::read("好的").unwrap_err();
    assert!(words(Again::Fault(&broken)).contains("JSON"));
    let half = summarizer::read("{\"summary\": \"甲\", \"ops\": 3}").unwrap().ops_fault.unwrap();
    assert!(words(Again::Ops(&half)).contains("{\"ops\": [ … ]}"));
    let bare = agents::writer::read("# 第1章 雨", ChapterNo::FIRST, "雨", &Expected::of_length(100)).unwrap_err();
    let prose = said(Again::Fault(&bare), &writer);
    assert!(prose.contains("正文") && !prose.contains("JSON"), "{prose}");
    let short = words(Again::Short { words: 812, wanted: 2500 });
    let circling = [&writer, &judge].map(|task| said(Again::Fault(&ReplyFault::Circling), task));
    assert!(circling.iter().all(|words| words.contains("重复")));
    assert!(!circling[0].contains("JSON") && circling[1].contains("JSON"));
    assert!(short.contains("812") && short.contains("2500"));
    let rules = ["W-001".to_owned(), "OBJ-008-2".to_owned()];
    let missing = said(Again::Rules(&rules), &judge);
    assert!(missing.contains("W-001、OBJ-008-2") && missing.contains("\"passed\""), "{missing}");
    let broken = super::judging::violation("W-001", "他凭口令开了门");
    let unproven = said(Again::Quotations(&[broken]), &judge);
    assert!(unproven.contains("- W-001：凭口令开了门；引的是“他凭口令开了门”，正文里没有这句话"), "{unproven}");
    let cut = ReplyFault::BrokenOff(Break::Sentence);
    let goes_on =
        said(Again::Continue { kept: "雨停了。\n\n他收起信。", wanted: (300, 900), why: Some(&cut) }, &writer);
    for part in [
        "<已写好>\n雨停了。\n\n他收起信。\n</已写好>",
        "<最后一句>\n他收起信。\n</最后一句>",
        "293 到 893 个字",
        "最后一句没有写完",
        "本章",
    ] {
        assert!(goes_on.contains(part), "no `{part}` in {goes_on}");
    }
    let order = super::story::scene_order(2);
    let scene = Task::Scene { context: &context, order: &order };
    for why in [Again::Short { words: 81, wanted: 500 }, Again::Fault(&bare)] {
        let words = said(why, &scene);
        assert!(words.contains("只写这一场") && !words.contains("整章") && !words.contains("标题"), "{words}");
    }
}

#[test]
fn nothing_a_model_says_makes_a_reader_panic() {
    let replies =
        ["", "{", "}{", "[]", "null", "{\"scores\": []}", "```", "【状态提示】", "#", "{\"edits\": {}}", "第章"];
    let (context, text) = (super::story::context(), super::story::text(8, 100));
    let hearing = judge::JudgeContext {
        context: &context,
        text: &text,
        cross_references: &[],
        asked: &[],
        reading: true,
        found: &|_| true,
    };
    for reply in replies {
        assert!(summarizer::read(reply).is_err() && refiner::read(reply).is_err(), "{reply}");
        assert!(judge::read(reply, &hearing).is_err() && style_analyzer::read(reply).is_err(), "{reply}");
        let _ = writer::read(reply, ChapterNo::FIRST, "雨", &Expected::of_length(100));
        let _ = writer::read_continuation(reply, &text, &Expected::of_length(100));
        let _ = summarizer::read_ops(reply);
    }
    assert_eq!(writer::read("", ChapterNo::FIRST, "雨", &Expected::of_length(100)), Err(ReplyFault::NoProse));
}

#[test]
fn a_chapter_is_found_in_any_wrapping_and_ends_where_the_next_one_begins() {
    let draft = crate::pipeline::script::draft();
    let (_, story) = draft.split_once("\n\n").unwrap();
    let paragraphs: Vec<&str> = story.trim().split("\n\n").collect();
    let html: String = paragraphs.iter().map(|paragraph| format!("<p>{paragraph}</p>\n")).collect();
    let second = ChapterNo::new(2).unwrap();
    for reply in [
        format!("# 第2章 城门\n\n## 城门\n\n第二章 城门\n\n{story}"),
        format!("<h1>第2章 城门</h1>\n{html}"),
        paragraphs.join("<br><br>"),
        serde_json::json!({"title": "城门", "content": story}).to_string(),
        format!("```json\n{}\n```", serde_json::json!({"chapter": 2, "paragraphs": paragraphs})),
        format!("# 第2章 城门\n\n{story}\n\n# 第3章 晴\n\n天亮了。"),
        format!("# 第2章 城门\n\n{story}\n\n第三章 晴\n\n天亮了，他"),
    ] {
        let expected = Expected { cut: Some(Break::Limit), ..Expected::of_length(300) };
        let expected = if reply.contains("天亮") { expected } else { Expected { cut: None, ..expected } };
        let read = writer::read(&reply, second, "城门", &expected).unwrap();
        assert_eq!(read.chapter.body.trim(), story.trim(), "{reply}");
        assert!(
            !read.findings.iter().any(|finding| matches!(finding, TextFinding::BrokenOff(_))),
            "{:?}",
            read.findings
        );
    }
    let kept =
        Chapter { number: second, title: "城门".into(), body: format!("{story}按照大纲，他要出城。\n") };
    let ended = "他收起信，朝江边走去。\n\n第三章 晴\n\n天亮了。";
    let read = writer::read_continuation(ended, &kept, &Expected::of_length(300)).unwrap();
    assert!(read.chapter.body.ends_with("他收起信，朝江边走去。\n"), "{}", read.chapter.body);
    assert!(read.findings.iter().any(|finding| matches!(finding, TextFinding::PromptWords { .. })), "of the kept part");
}
