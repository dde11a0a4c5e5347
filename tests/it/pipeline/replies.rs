//! Answers that cannot be used as they are: mended, asked for again, or kept while the run stops.

use super::script::{Reply, draft, draft_of, edits, score, summary};
use super::studio::Studio;
use crate::llm::server::Answer;
use novel::llm::Wire;
use serde_json::json;

const FIRST: [&str; 4] = ["draft", "summarize", "refine", "judge"];

/// Every call of chapter 2, as `novel show --calls` prints it.
fn calls(studio: &Studio) -> String {
    studio.novel(&["show", "ch-002", "--calls"]).ok()
}

#[test]
fn an_answer_at_the_output_limit_with_little_in_it_is_asked_for_again_with_more_room() {
    for wire in [Wire::OpenAi, Wire::Anthropic] {
        let half: String = draft().chars().take(50).collect();
        let studio = Studio::over(wire).on("draft", Reply::CutShort(half.clone()));
        let _ = studio.go().ok();
        assert_eq!(studio.asked(), ["draft", "draft", "summarize", "refine", "judge"]);
        let room: Vec<u64> = studio
            .requests("draft")
            .iter()
            .map(|request| {
                let body = request.json();
                let fields = ["max_tokens", "max_completion_tokens"];
                fields.iter().find_map(|field| body[field].as_u64()).unwrap()
            })
            .collect();
        assert_eq!(room[1], room[0] * 2);
        assert!(studio.read("chapters/vol-01/chapter-002.md").contains("正按在裂开的火漆上"));
        assert_eq!(studio.draft_log()[..2], ["fault", "draft"]);
        let calls = calls(&studio);
        assert!(calls.contains("was cut at") && calls.contains(half.trim_end()), "the part is kept: {calls}");
        studio.done();
    }
}

#[test]
fn an_answer_that_never_ends_stops_the_run_and_is_never_accepted() {
    let half: String = draft().chars().take(50).collect();
    let cut = || Reply::CutShort(half.clone());
    let studio = Studio::new().on("draft", cut()).on("draft", cut()).on("draft", cut());
    let run = studio.go().fails(5);
    assert!(run.stderr.contains("the answer ended before it was complete"), "{run:#?}");
    assert_eq!((studio.asked().len(), studio.draft_log().join(" ").as_str()), (3, "fault fault fault"));
    studio.done();
}

#[test]
fn an_outline_in_place_of_a_chapter_is_asked_for_again_as_prose() {
    let outline = "# 第2章 密信\n\n**冲突**：\n\n- 沈渡上前问老妇。\n\n- 老妇不答。\n\n**结局**：\n\n- 灯灭了。";
    let studio = Studio::new().on("draft", outline);
    let run = studio.go();
    assert!(run.stderr.contains("an outline, not prose"), "{run:#?}");
    let _ = run.ok();
    assert_eq!(studio.asked(), [&["draft"], &FIRST[..]].concat());
    assert!(studio.requests("draft")[1].prompt().contains("写成了一条一条的提纲"), "it is told why");
    assert!(!studio.read("chapters/vol-01/chapter-002.md").contains("**"));
    studio.done();
}

#[test]
fn json_that_breaks_off_is_asked_for_again_with_the_reason() {
    let whole = score(4.2).to_string();
    let part: String = whole.chars().take(whole.chars().count() / 2).collect();
    let studio = Studio::new().on("judge", part);
    let run = studio.novel(&["--lang", "zh", "continue"]);
    assert!(run.stderr.contains("回复不是 JSON（没有写完）"), "{run:#?}");
    assert_eq!(studio.asked(), [&FIRST[..], &["judge"]].concat());
    let prompts: Vec<String> = studio.requests("judge").iter().map(|request| request.prompt()).collect();
    assert!(prompts[1].contains("上一次的回答没法用：不是合法的 JSON：写到一半就断了"), "{}", prompts[1]);
    assert!(prompts[1].starts_with(&prompts[0]), "what went before stays as it was, for the provider's cache");
    let _ = run.ok();
    studio.done();
}

#[test]
fn json_in_prose_and_with_curly_quotes_is_mended() {
    let pretty = serde_json::to_string_pretty(&edits(&[("灯笼晃了两下", "灯笼动了动")])).unwrap();
    let curly = pretty.replace("\"original\"", "“original”").replace("\"refined\"", "“refined”");
    let fenced = format!("好的，以下是评审：\n\n```json\n{}\n```\n\n希望有帮助。", score(4.3));
    let studio = Studio::new().on("refine", format!("我改了一处：\n{curly}\n就这些。")).on("judge", fenced);
    let _ = studio.go().ok();
    assert_eq!(studio.asked(), FIRST);
    assert!(studio.read("chapters/vol-01/chapter-002.md").contains("灯笼动了动"));
    studio.done();
}

#[test]
fn a_form_that_comes_back_blank_judges_nothing() {
    let mut blank = score(4.5);
    for score in blank["scores"].as_object_mut().unwrap().values_mut() {
        score["reason"] = json!("……");
    }
    let studio = Studio::new().on("judge", score(0.0)).on("judge", blank);
    let run = studio.go();
    assert!(run.stderr.contains("the field `reason` is missing"), "{run:#?}");
    let _ = run.ok();
    assert_eq!(studio.asked(), [&FIRST[..], &["judge", "judge"]].concat());
    assert!(studio.world.git("book", &["log", "-1", "--format=%B"]).ok().contains("Novel-Score: 4.20"));
    studio.done();
}

#[test]
fn what_small_models_put_around_a_chapter_never_reaches_the_book() {
    let draft = draft();
    let (heading, body) = draft.split_once("\n\n").unwrap();
    let again: Vec<&str> = body.trim().split("\n\n").skip(5).take(4).collect();
    let own = body.replace("林枫点头", "lin-feng点头");
    let reply = format!("{heading}\n\n## 故事线: main-arc\n## 冲突: 守门人要查他\n\n{own}\n{}\n", again.join("\n\n"));
    let studio = Studio::new().on("draft", reply);
    let run = studio.go();
    assert!(run.stderr.contains("had lines of the plan") && run.stderr.contains("repeated itself"), "{run:#?}");
    let _ = run.ok();
    let chapter = studio.read("chapters/vol-01/chapter-002.md");
    assert!(chapter.trim_end().ends_with("正按在裂开的火漆上。") && chapter.contains("林枫点头"), "{chapter}");
    assert_eq!((chapter.matches("故事线").count(), chapter.matches("这个记号我认得").count()), (0, 1), "{chapter}");
    studio.done();
}

#[test]
fn an_answer_of_the_wrong_shape_is_asked_for_twice_more_and_then_the_run_stops() {
    let wrong = || json!({"scores": {"plot_logic": {"score": 4}}});
    let studio = Studio::new().on("judge", wrong()).on("judge", wrong()).on("judge", wrong());
    let run = studio.go().fails(5);
    assert!(run.stderr.contains("are unusable") && run.stderr.contains("--calls"), "{run:#?}");
    assert_eq!(studio.asked(), [&FIRST[..], &["judge", "judge"]].concat());
    assert!(studio.requests("judge")[2].prompt().contains("缺少 `character` 的分数"));
    let log = studio.draft_log();
    assert_eq!(log.iter().filter(|stage| *stage == "fault").count(), 3, "{log:?}");
    assert_eq!(calls(&studio).matches("── reply ──").count(), 6, "three that were used and three that were not");
    studio.check();
    let _ = studio.go().ok();
    assert_eq!(studio.asked_since(6), ["judge"], "the rest is there");
    studio.done();
}

#[test]
fn a_refusal_stops_the_run_with_everything_kept() {
    for wire in [Wire::OpenAi, Wire::Anthropic] {
        let studio = Studio::over(wire).on("judge", Reply::Refusal("这个我不能评".into()));
        let run = studio.go().fails(5);
        assert!(run.stderr.contains("declined"), "{run:#?}");
        assert_eq!(studio.asked(), FIRST);
        assert!(calls(&studio).contains("这个我不能评"));
        studio.check();
        let _ = studio.go().ok();
        assert_eq!(studio.asked_since(4), ["judge"]);
        studio.done();
    }
}

#[test]
fn an_answer_with_nothing_in_it_is_tried_again() {
    let studio = Studio::new().on("draft", "  \n");
    let _ = studio.go().ok();
    assert_eq!(studio.asked(), [&["draft"], &FIRST[..]].concat());
    studio.done();
}

#[test]
fn a_chapter_that_is_no_chapter_is_asked_for_again() {
    let studio = Studio::new().on("draft", "# 第2章 城门\n");
    let _ = studio.go().ok();
    assert!(studio.requests("draft")[1].prompt().contains("没有正文"));
    studio.done();
}

/// The draft's heading and so many paragraphs less one.
fn paragraphs(count: usize) -> String {
    draft().split("\n\n").take(count).collect::<Vec<_>>().join("\n\n")
}

#[test]
fn of_two_chapters_that_are_too_short_the_longer_one_is_taken_and_the_author_told() {
    let (long, short) = (paragraphs(8), paragraphs(4));
    let studio = Studio::new().on("draft", long).on("draft", short);
    let run = studio.go();
    assert!(run.stderr.contains("instead of at least"), "{run:#?}");
    assert_eq!(studio.asked()[..2], ["draft", "draft"]);
    assert!(studio.requests("draft")[1].prompt().contains("本章至少要 300 个字"));
    assert!(studio.read("chapters/vol-01/chapter-002.md").contains("昨天就进了城"), "{run:#?}");
    studio.done();
}

#[test]
fn a_model_that_writes_too_little_twice_is_asked_to_go_on() {
    let fragment = paragraphs(4);
    let studio = Studio::new().on("draft", fragment.as_str()).on("draft", fragment.as_str());
    let studio = studio.on("continue", draft().split_once(fragment.trim()).unwrap().1.trim());
    let run = studio.go();
    assert!(run.stderr.contains("characters; a chapter needs at least 300"), "{run:#?}");
    let _ = run.ok();
    assert_eq!(studio.asked()[..3], ["draft", "draft", "continue"]);
    assert!(studio.requests("draft")[1].prompt().contains("本章至少要 300 个字"));
    assert!(studio.requests("continue")[0].prompt().contains("太短，情节没有展开"));
    assert!(studio.read("chapters/vol-01/chapter-002.md").contains("昨天就进了城"));
    studio.done();
}

#[test]
fn a_text_that_stays_too_short_is_the_authors_to_take_as_it_is() {
    let fragment = paragraphs(4);
    let again = || fragment.as_str();
    let studio = Studio::new().on("draft", again()).on("draft", again());
    let studio = studio.on("continue", again()).on("continue", again()).on("continue", again());
    let run = studio.go().fails(5);
    assert!(run.stderr.contains("novel decide"), "{run:#?}");
    let question = studio.novel(&["decide"]).fails(3).stdout;
    assert!(question.contains("novel decide continue"), "{question}");
    let recommended = question.lines().find(|line| line.contains("recommended")).unwrap();
    assert!(recommended.contains("novel decide rewrite"), "to go on adds nothing, and this is no chapter: {question}");
    let status = studio.novel(&["status"]).ok();
    assert!(status.contains("to decide") && status.contains("next: novel decide"), "{status}");
    let _ = studio.novel(&["decide", "accept"]).ok();
    let before = studio.asked().len();
    let run = studio.go();
    let _ = run.ok();
    assert_eq!(studio.asked_since(before), ["summarize", "judge"], "as it is: not refined either");
    assert!(studio.read("chapters/vol-01/chapter-002.md").contains(fragment.lines().last().unwrap().trim()));
    studio.done();
}

/// The draft, and so many further chapters' worth of text.
pub fn runs_on(times: u32) -> String {
    let more = (3..3 + times).map(|n| draft_of(n).split_once("\n\n").unwrap().1.to_owned());
    std::iter::once(draft()).chain(more).collect::<Vec<_>>().join("\n\n***\n\n")
}

#[test]
fn a_text_that_runs_on_is_never_continued_and_asked_for_once_more() {
    let cut = Reply::CutShort(runs_on(8));
    let studio = Studio::new().on("draft", cut);
    let run = studio.go();
    assert!(run.stderr.contains("instead of at most 500"), "{run:#?}");
    let _ = run.ok();
    assert_eq!(studio.asked()[..2], ["draft", "draft"]);
    assert!(studio.requests("draft")[1].prompt().contains("本章最多 500 个字"));
    assert!(studio.read("chapters/vol-01/chapter-002.md").ends_with("正按在裂开的火漆上。\n"));
    studio.done();
}

#[test]
fn a_text_that_stays_far_too_long_waits_and_may_be_cut_at_the_authors_word() {
    let studio = Studio::new().on("draft", Reply::CutShort(runs_on(8))).on("draft", runs_on(3));
    let question = studio.go().fails(3).stdout;
    for words in ["far longer than wanted", "novel decide cut", "novel decide accept", "novel decide rewrite"] {
        assert!(question.contains(words), "no `{words}` in {question}");
    }
    assert_eq!(studio.asked(), ["draft", "draft"], "nothing is paid for it before the author's word");
    assert!(studio.novel(&["status"]).ok().contains("novel decide"));
    let asked = studio.novel(&["decide", "--json"]).fails(3).json();
    assert_eq!((&asked["recommendation"], &asked["data"]["reason"]), (&"cut".into(), &"long".into()));
    assert_eq!(studio.go().fails(3).stdout, question, "the same command again pays for nothing");
    let _ = studio.novel(&["decide", "cut"]).ok();
    let _ = studio.go().ok();
    assert_eq!(studio.asked_since(2), ["summarize", "refine", "judge"]);
    assert!(studio.read("chapters/vol-01/chapter-002.md").ends_with("正按在裂开的火漆上。\n"));
    studio.done();
}

#[test]
fn a_text_that_runs_on_is_kept_whatever_becomes_of_the_second_try() {
    for what in ["declined", "busy", "short"] {
        let second = || -> Reply {
            match what {
                "declined" => Reply::Refusal("不行".into()),
                "busy" => Answer::raw(503, "text/plain", "busy").into(),
                _ => paragraphs(4).into(),
            }
        };
        let studio = Studio::new().with("NOVEL_RETRY_FOR", "0").on("draft", runs_on(8)).on("draft", second());
        if what == "declined" {
            studio.then("draft", second());
        }
        let question = studio.go().fails(3).stdout;
        assert!(question.contains("novel decide cut") && question.contains("far longer"), "{what}: {question}");
        let _ = studio.novel(&["decide", "cut"]).ok();
        let before = studio.asked().len();
        let _ = studio.go().ok();
        assert_eq!(studio.asked_since(before), ["summarize", "refine", "judge"], "{what}");
        assert!(studio.read("chapters/vol-01/chapter-002.md").ends_with("正按在裂开的火漆上。\n"));
        studio.done();
    }
}

#[test]
fn headings_of_scenes_and_words_to_readers_are_taken_off_and_named() {
    let (heading, body) = draft().split_once("\n\n").map(|(a, b)| (a.to_owned(), b.trim_end().to_owned())).unwrap();
    for (before, after, taken) in [
        ("**第一场**\n\n", "", "第一场"),
        ("【场景一：里屋】\n\n", "", "场景一：里屋"),
        ("", "\n\nPS：求月票，求推荐票！", "求月票"),
        ("", "\n\nLet me know if you would like me to adjust anything.", "Let me know"),
    ] {
        let studio = Studio::new().on("draft", format!("{heading}\n\n{before}{body}{after}\n"));
        let run = studio.go();
        assert!(run.stderr.contains("own remarks") && run.stderr.contains(taken), "{run:#?}");
        let _ = run.ok();
        assert_eq!(studio.asked(), FIRST);
        assert!(!studio.read("chapters/vol-01/chapter-002.md").contains(taken), "{taken}");
        studio.done();
    }
}

#[test]
fn a_note_on_a_paper_in_the_story_stays() {
    let note = "纸条背面还有一行小字：\n\n注：请告诉我妹妹，我没有走，我一直在站台上。";
    let studio = Studio::new().on("draft", format!("{}\n\n{note}\n", draft().trim_end()));
    let _ = studio.go().ok();
    assert_eq!(studio.asked(), FIRST);
    assert!(studio.read("chapters/vol-01/chapter-002.md").ends_with(&format!("{note}\n")));
    studio.done();
}

#[test]
fn a_summary_and_edits_in_another_language_do_not_enter_the_book() {
    let english = "The courier waits at the north gate until an old soldier sees the broken seal and lets him pass. ";
    let mut told = summary(json!([]));
    told["summary"] = english.repeat(2).into();
    told["line_status"] = "waits".into();
    let edit = edits(&[("他没有回头。", "他没有回头，went straight on。")]);
    let studio = Studio::new().on("summarize", told.clone()).on("summarize", told).on("refine", edit);
    let run = studio.go();
    assert!(run.stderr.contains("sentences of the chapter") && run.stderr.contains("Latin"), "{run:#?}");
    let _ = run.ok();
    assert!(!studio.novel(&["show", "2", "--summary"]).ok().contains("courier"));
    assert_eq!(studio.read("chapters/vol-01/chapter-002.md"), draft());
    studio.done();
}

#[test]
fn a_copy_of_an_earlier_chapter_is_named_and_asked_for_once_however_long_it_runs_on() {
    let first = Studio::new().read("chapters/vol-01/chapter-001.md");
    let copy = format!("# 第2章 城门\n\n{}\n\n{}", first.split_once("\n\n").unwrap().1, runs_on(8));
    let cut = || Reply::CutShort(copy.clone());
    let studio = Studio::new().on("draft", cut()).on("draft", cut());
    let run = studio.go().fails(5);
    assert!(run.stderr.contains("from ch-001") && run.stderr.contains("novel decide"), "{run:#?}");
    assert!(!run.stderr.contains("same command"), "{run:#?}");
    assert_eq!(studio.asked(), ["draft", "draft"]);
    let question = studio.novel(&["decide"]).fails(3).stdout;
    assert!(question.contains("--model") && question.contains("to write it yourself"), "{question}");
    studio.done();
}

#[test]
fn a_text_in_another_language_is_asked_for_again_and_then_shown_to_the_author() {
    let words =
        ["gate", "lamp", "letter", "soldier", "river", "wall", "road", "bell", "coat", "door", "cart", "boat", "well"];
    let sentence = |n: usize| {
        let word = |step: usize| words[(n * step + n / 13) % words.len()];
        format!("Number {n}, the {}, lay beyond the {} of the {} and the old {}.", word(1), word(3), word(5), word(7))
    };
    let english = format!("# 第2章 城门\n\n{}", (0..60).map(sentence).collect::<Vec<_>>().join("\n\n"));
    let part = draft().replace("“送米的。”", &format!("{}\n\n“送米的。”", sentence(1).repeat(2)));
    let studio = Studio::new().on("draft", english.as_str()).on("draft", part).on("draft", english.as_str());
    let run = studio.go().fails(3);
    assert!(run.stderr.contains("100% of the letters are Latin"), "{run:#?}");
    assert!(run.stderr.contains("% of the letters are Latin") && run.stderr.matches("asking again").count() == 2);
    assert!(run.stdout.contains("language of the book") && run.stdout.contains("novel decide rewrite"), "{run:#?}");
    assert!(studio.requests("draft")[1].prompt().contains("语言和字体要和这本书一致"));
    let _ = studio.novel(&["decide", "rewrite"]).ok();
    let _ = studio.go().ok();
    assert!(studio.read("chapters/vol-01/chapter-002.md").contains("昨天就进了城"));
    studio.done();
}

#[test]
fn a_chapter_does_without_a_refiner_who_has_nothing_to_say() {
    for (silent, asked) in [(Reply::from("好的。"), 2), (Reply::Refusal("不改".into()), 1)] {
        let studio = (0..asked).fold(Studio::new(), |studio, _| studio.on("refine", silent.clone()));
        let run = studio.go();
        assert!(run.stderr.contains("the refiner gave no usable edits"), "{run:#?}");
        let _ = run.ok();
        assert_eq!(studio.asked().iter().filter(|stage| **stage == "refine").count(), asked);
        assert_eq!(studio.read("chapters/vol-01/chapter-002.md"), draft());
        studio.done();
    }
}

#[test]
fn a_draft_that_is_declined_is_asked_for_once_more_with_restraint() {
    let declined = || Reply::Refusal("打斗过于血腥".into());
    let studio = Studio::new().on("draft", declined());
    let run = studio.go();
    assert!(run.stderr.contains("asking again"), "{run:#?}");
    let _ = run.ok();
    assert_eq!(studio.asked()[..2], ["draft", "draft"]);
    assert!(studio.requests("draft")[1].prompt().contains("被内容审查拦下了"));
    studio.done();
    let studio = Studio::new().on("draft", declined()).on("draft", declined());
    let run = studio.go().fails(5);
    assert!(run.stderr.contains("novel decide"), "{run:#?}");
    let question = studio.novel(&["decide"]).fails(3).stdout;
    assert!(question.contains("novel decide continue") && question.contains("--model"), "{question}");
    let _ = studio.novel(&["decide", "continue"]).ok();
    let _ = studio.go().ok();
    studio.done();
}

#[test]
fn an_author_may_stand_in_for_a_judge_who_refuses() {
    let studio = Studio::new().on("judge", Reply::Refusal("我不能评这一章".into()));
    let run = studio.go().fails(5);
    assert!(run.stderr.contains("declined"), "{run:#?}");
    let question = studio.novel(&["decide"]).fails(3).stdout;
    for words in ["novel decide judge", "novel decide accept-unjudged", "--model"] {
        assert!(question.contains(words), "no `{words}` in {question}");
    }
    let _ = studio.novel(&["decide", "accept-unjudged"]).ok();
    let before = studio.asked().len();
    let run = studio.go();
    assert!(run.stdout.contains("not judged"), "{run:#?}");
    let _ = run.ok();
    assert_eq!(studio.asked_since(before), [""; 0]);
    assert_eq!(studio.trailer("Novel-Score"), "");
    assert_eq!(studio.trailer("Novel-Gate"), "author_accepted");
    assert!(!studio.path("evaluations/vol-01/chapter-002-eval.json").exists());
    studio.done();
}

#[test]
fn an_answer_that_goes_round_in_circles_from_its_beginning_is_broken_off_and_asked_for_again() {
    let circling = format!("{}{}", paragraphs(1), "他开始怀疑老妇是不是在故意隐瞒他曾经买过的船票。".repeat(400));
    let studio = Studio::new().on("draft", circling.as_str());
    let run = studio.go();
    assert!(run.stderr.contains("the answer kept repeating itself"), "{run:#?}");
    assert!(studio.requests("draft")[1].prompt().contains("重复同一段话"));
    let calls = studio.novel(&["show", "ch-002", "--calls", "--json"]).ok();
    assert!(calls.contains("circling"), "{calls}");
    assert!(!studio.read("chapters/vol-01/chapter-002.md").contains("故意隐瞒"));
    studio.done();
}

#[test]
fn when_every_answer_goes_round_in_circles_from_its_beginning_nothing_is_made_of_them() {
    for wire in [Wire::OpenAi, Wire::Anthropic] {
        let studio = Studio::over(wire);
        for _ in 0..3 {
            studio.then("draft", format!("{}\n\n{}", paragraphs(1), "他想起十二年前那个拿着信的人。\n\n".repeat(400)));
        }
        let run = studio.go().fails(5);
        assert!(run.stderr.contains("keeps repeating itself"), "{run:#?}");
        assert_eq!((studio.asked(), studio.draft_log()), (vec!["draft"; 3], vec!["fault".to_owned(); 3]));
        assert!(
            !studio.git(&["ls-tree", "-r", "--name-only", "draft/ch-002"]).contains("chapters/vol-01/chapter-002.md")
        );
        studio.done();
    }
}

#[test]
fn the_refiner_may_change_fifteen_percent_and_no_more() {
    let sentences = [
        "天还没有亮，北门底下已经排了七八个人。",
        "守门人笑了一声，手没有收回去。",
        "旁边的兵把长枪横过来，枪杆抵住他的胸口，正好抵在那封信上。",
        "火漆裂成三瓣，中间那一瓣缺了角。",
        "老兵凑过来看了一眼，忽然不笑了。",
        "门轴在身后叫得很响，像有人拖着一条铁链。",
    ];
    let list: Vec<(&str, &str)> =
        sentences.iter().map(|sentence| (*sentence, "他只是站着看，谁也不曾说过半句话。")).collect();
    let studio = Studio::new().on("refine", edits(&list));
    let _ = studio.go().ok();
    let text = studio.read("chapters/vol-01/chapter-002.md");
    let made = sentences.iter().filter(|sentence| !text.contains(**sentence)).count();
    assert!((1..sentences.len()).contains(&made), "{made} edits were made:\n{text}");
    let log = studio.novel(&["show", "ch-002", "--log"]).ok();
    assert!(log.contains("the chapter would change more than allowed"), "{log}");
    studio.done();
}

#[test]
fn a_summary_without_its_text_is_asked_for_again() {
    let mut without = summary(json!([]));
    without.as_object_mut().unwrap().remove("summary");
    let studio = Studio::new().on("summarize", without);
    let _ = studio.go().ok();
    assert_eq!(studio.requests("summarize").len(), 2);
    assert!(studio.requests("summarize")[1].prompt().contains("`summary`"));
    studio.done();
}

#[test]
fn of_an_order_what_failed_is_noted_and_the_same_order_again_tries_only_that() {
    let studio = Studio::new();
    let _ = studio.go().ok();
    let before = studio.asked().len();
    for _ in 0..3 {
        studio.then("rewrite", "");
    }
    let order = ["write", "1,2", "--force", "--keep-going"];
    let run = studio.novel(&order).fails(5);
    assert!(run.stdout.contains("not written: 1 chapter") && run.stdout.contains("  ch-001  "), "{run:#?}");
    assert!(run.stdout.contains("ch-002 ") && run.stdout.contains("replaces"), "{run:#?}");
    let asked = studio.asked_since(before);
    assert_eq!(asked[..7], ["rewrite", "rewrite", "rewrite", "rewrite", "summarize", "refine", "judge"]);
    let _ = studio.novel(&["doctor"]).ok();

    let before = studio.asked().len();
    let again = studio.novel(&order).ok();
    assert!(again.contains("ch-002 already exists"), "{again}");
    assert_eq!(studio.asked_since(before).iter().filter(|stage| **stage == "rewrite").count(), 1);
    studio.done();
}

#[test]
fn a_rewriting_that_fails_can_be_given_up() {
    let studio = Studio::new();
    let _ = studio.go().ok();
    let before = studio.read("chapters/vol-01/chapter-002.md");
    for _ in 0..3 {
        studio.then("rewrite", "不");
    }
    let _ = studio.novel(&["write", "2", "--force"]).fails(5);
    assert!(studio.git(&["branch", "--list", "draft/*"]).contains("draft/ch-002"));
    let _ = studio.novel(&["decide", "drop"]).ok();
    assert_eq!(studio.git(&["branch", "--list", "draft/*"]), "");
    assert_eq!(studio.read("chapters/vol-01/chapter-002.md"), before);
    let nothing = studio.novel(&["decide", "drop"]).fails(1);
    assert!(!nothing.stderr.is_empty());
    studio.check();
}
