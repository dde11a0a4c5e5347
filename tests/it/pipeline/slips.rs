//! Slips in a draft that is a chapter otherwise: each is put right, asked about once, or told to the judge.

use super::script::{draft, draft_of};
use super::studio::Studio;

const CHAPTER: &str = "chapters/vol-01/chapter-002.md";
const THIRD: &str = "chapters/vol-01/chapter-003.md";

#[test]
fn the_title_that_the_author_has_approved_stays() {
    let studio = Studio::new();
    let _ = studio.go().ok();
    studio.then("draft", draft_of(3).replacen("渡口", "城门", 1));
    let _ = studio.go().ok();
    assert!(studio.read(THIRD).starts_with("# 第3章 渡口\n"), "{}", studio.read(THIRD));
    assert_eq!(studio.requests("draft").len(), 2, "it costs no call");
    studio.done();
}

#[test]
fn speech_in_mixed_marks_is_put_into_one_style() {
    let straight = draft().replacen('“', "\"", 3).replacen('”', "\"", 3);
    let studio = Studio::new().on("draft", straight);
    let run = studio.go();
    assert!(run.stderr.contains("quotation marks in 3 places"), "{run:#?}");
    let _ = run.ok();
    assert!(!studio.read(CHAPTER).contains('"') && studio.read(CHAPTER).contains("“送米的。”"));
    studio.done();
}

#[test]
fn words_of_the_prompt_are_asked_about_once_and_told_to_the_author() {
    let of_prompt = draft().replace("林枫点头，", "按照大纲，林枫点头，");
    let studio = Studio::new().on("draft", of_prompt.clone());
    let run = studio.go();
    assert!(run.stderr.contains("mentions its task"), "{run:#?}");
    let _ = run.ok();
    assert_eq!(studio.asked()[..2], ["draft", "draft"]);
    let again = studio.requests("draft").pop().unwrap().prompt();
    assert!(again.contains("混进了任务里的话（“按照大纲”"), "{again}");
    assert!(!studio.read(CHAPTER).contains("按照大纲"));
    let stubborn = Studio::new().on("draft", of_prompt.clone()).on("draft", of_prompt);
    let asked = stubborn.go().fails(3).stdout;
    assert!(asked.contains("“按照大纲”") && asked.contains("novel decide rewrite"), "{asked}");
    assert_eq!(stubborn.asked(), ["draft", "draft"], "nothing is paid for it before the author's word");
    let _ = stubborn.novel(&["decide", "accept"]).ok();
    let _ = stubborn.go().ok();
    assert!(stubborn.read(CHAPTER).contains("按照大纲"));
    stubborn.done();
    studio.done();
}

#[test]
fn a_long_paragraph_stands_in_a_chapter_once() {
    let again = draft().split("\n\n").find(|paragraph| paragraph.starts_with("守门人笑了一声")).unwrap().to_owned();
    let twice = draft().replace("“这个记号我认得。”", &format!("{again}\n\n“这个记号我认得。”"));
    let studio = Studio::new().on("draft", twice);
    let run = studio.go();
    assert!(run.stderr.contains("twice; the second copy was removed"), "{run:#?}");
    let _ = run.ok();
    assert_eq!(studio.read(CHAPTER).matches("守门人笑了一声").count(), 1);
    studio.done();
}

#[test]
fn the_judge_is_told_of_the_seam_of_what_is_recycled_and_of_figures_that_jump() {
    let studio = Studio::new();
    let facts = "林枫是炼气三层。深夜，守门人把裂成三瓣的火漆重新按回信封上，再也没有说一句话。\n";
    studio.then("draft", format!("{}\n{facts}", draft()));
    let _ = studio.go().ok();
    let body = draft_of(3);
    let (heading, body) = body.split_once("\n\n").unwrap();
    let own =
        "下午，林枫坐在渡口边上。林枫踏入了金丹。守门人把裂成三瓣的火漆重新按回信封上，谁也没有看见他再抬一次头。";
    // Recycled text is asked about once, and stays.
    for _ in 0..2 {
        studio.then("draft", format!("{heading}\n\n{own}\n\n{body}"));
    }
    let _ = studio.go().ok();
    let prompt = studio.requests("judge").pop().unwrap().prompt();
    for words in [
        "接缝：本线上一次停在“深夜”，这一章从“下午”写起",
        "与记录不合的疑点：林枫的境界在 ch-002 是「炼气三层」，这里是「金丹」（原文：林枫踏入了金丹。）",
        "与前二十章逐字相同的八字串：",
        "在第2章：“",
    ] {
        assert!(prompt.contains(words), "no {words} in {prompt}");
    }
    let before = studio.requests("judge")[0].prompt();
    assert!(!before.contains("逐字相同") && !before.contains("接缝"), "nothing is notable: {before}");
    studio.done();
}

#[test]
fn writer_and_judge_are_told_of_a_name_that_is_no_longer_used() {
    let studio = Studio::new();
    let renamed = studio.novel(&["character", "rename", "林枫", "林岳"]);
    assert!(renamed.stdout.contains("林岳"), "{renamed:#?}");
    // The scripted chapter has the old name.
    let _ = studio.go().ok();
    let prompt = |stage: &str| studio.requests(stage)[0].prompt();
    assert!(prompt("draft").contains("旧名林枫（不再用，一律写林岳）"), "{}", prompt("draft"));
    assert!(prompt("judge").contains("旧名不再用：「林枫」现在叫「林岳」"), "{}", prompt("judge"));
    studio.done();
}
