//! Layer one against leaks: what a writer does not know cannot leak.

use super::story;
use novel::agents::{ChapterContext, Prompts, Task, prompt};

fn draft(context: &ChapterContext) -> String {
    prompt(&Task::Draft { context }, &Prompts::default()).unwrap().full_text()
}

fn block<'a>(text: &'a str, name: &str) -> &'a str {
    let (_, rest) = text.split_once(&format!("<{name}")).unwrap();
    rest.split_once(&format!("</{name}>")).unwrap().0
}

#[test]
fn the_active_line_comes_first_and_frozen_lines_are_one_sentence() {
    // Chapter 7 goes on to chapter 8 on the same line; chapter 8 leads over to the second line.
    let text = draft(&story::chapter_of_volume(7, 1));
    let order = ["<活跃线", "<相邻线", "<冻结线"].map(|tag| text.find(tag).unwrap());
    assert!(order.is_sorted());
    assert!(block(&text, "活跃线").contains("管十收了他一块玉"));
    assert!(!block(&text, "相邻线").contains("许青"));
    assert!(block(&text, "冻结线").contains("许青在查沉船名册"));
    assert!(!text.contains("名册缺角在许青袖中") && !text.contains("长公主"));
    // Chapter 6 was one of the frozen line's.
    assert!(!text.contains("第6章（"), "{text}");
    let recent = block(&text, "近章摘要");
    assert!(recent.contains("第5章") && !recent.contains("第6章"), "{recent}");
}

#[test]
fn the_ledger_of_a_frozen_line_stays_closed() {
    let mut context = story::chapter_of_volume(7, 1);
    // The summaries of chapters 4 and 5 are left.
    context.recent.retain(|recent| recent.chapter.get() >= 4);
    let text = draft(&context);
    let ledger = block(&text, "章节记忆");
    let threads = block(&text, "悬着的事");
    assert!(ledger.contains("第2章（main-arc）") && threads.contains("谁动过铜镜（第5章）"), "{ledger}{threads}");
    assert!(!ledger.contains("sea-plan") && !threads.contains("名册"), "{ledger}{threads}");
    assert!(!ledger.contains("第4章（main-arc）"), "its summary stands beside it: {ledger}");
    let leading_over = draft(&story::chapter_of_volume(8, 1));
    assert!(block(&leading_over, "悬着的事").contains("名册的缺角是谁撕的"));
}

#[test]
fn passages_of_a_frozen_line_stay_outside() {
    let mut context = story::chapter_of_volume(7, 1);
    let passage = |chapter, line: &str, text: &str| novel::agents::context::chapter::EarlierPassage {
        chapter: novel::domain::ChapterNo::new(chapter).unwrap(),
        storyline: line.parse().unwrap(),
        text: text.into(),
    };
    context.passages = vec![passage(1, "main-arc", "守卒收了那块玉。"), passage(3, "sea-plan", "名册缺了一角。")];
    let text = draft(&context);
    assert_eq!(block(&text, "前文相关段落").trim_start_matches('>').trim(), "- 第1章：守卒收了那块玉。");
    context.chapter = novel::domain::ChapterNo::new(8).unwrap();
    context.section = context.outline.section(context.chapter).unwrap().clone();
    context.contract = story::chapter_of_volume(8, 1).contract;
    assert!(block(&draft(&context), "前文相关段落").contains("第3章：名册缺了一角。"), "chapter 8 leads over to it");
}

#[test]
fn the_next_line_and_meeting_lines_show_their_memory() {
    let leading_over = draft(&story::chapter_of_volume(8, 1));
    assert!(block(&leading_over, "相邻线").contains("名册缺角在许青袖中"));
    let meeting = draft(&story::chapter_of_volume(37, 1));
    assert!(block(&meeting, "相邻线").contains("碑文与名册同一笔迹"));
    assert!(block(&meeting, "相邻线").contains("名册缺角在许青袖中"));
    assert!(!meeting.contains("长公主"), "a line that is not part of the meeting stays frozen");
}

#[test]
fn people_places_and_things_of_other_lines_stay_outside() {
    let text = draft(&story::chapter_of_volume(7, 1));
    assert!(text.contains("## 林枫") && text.contains("## 管十"));
    assert!(!text.contains("## 许青") && !text.contains("characters.xu-qing"));
    assert!(text.contains("items.bronze-mirror.holder = lin-feng"));
    assert!(!text.contains("哑钟") && !text.contains("locations.pier"));
    assert!(text.contains("world_state.time = 雨季第九日夜"));
}

#[test]
fn without_any_name_in_the_plan_those_who_appeared_last_come_in() {
    let mut context = story::oversized();
    context.contract = None;
    context.section.source = "## 第30章".into();
    context.section.fields.clear();
    context.recent.last_mut().unwrap().summary = "路人37独自出城。".into();
    let text = draft(&context);
    assert!(text.contains("## 路人37"));
    assert!(text.matches("\n## 路人").count() <= 15);
}
