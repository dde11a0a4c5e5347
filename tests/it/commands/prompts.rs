//! The content of prompts for a real book: the right line, the right people, the right phrases.

use crate::common::World;

/// The prompt of an agent for a chapter, exactly as it is sent.
#[track_caller]
fn prompt(world: &World, book: &str, chapter: &str, agent: &str) -> String {
    world.novel(book, &["context", chapter, "--agent", agent, "--prompt"]).ok()
}

#[track_caller]
fn block<'a>(prompt: &'a str, name: &str) -> &'a str {
    let (_, rest) = prompt.split_once(&format!("<{name}>\n")).unwrap_or_else(|| panic!("no {name}: {prompt}"));
    rest.split_once(&format!("\n</{name}>")).unwrap().0
}

fn last_line(text: &str) -> String {
    text.trim_end().lines().next_back().unwrap().to_owned()
}

#[test]
fn a_chapter_follows_on_from_its_own_line_and_never_from_a_frozen_one() {
    let world = World::new();
    // In the demo, chapters 1, 3 and 4 are on the main line; chapter 2 is on the other one.
    let book = world.demo_with(3);
    let text = |n: u32| world.read(&format!("book/chapters/vol-01/chapter-00{n}.md"));

    let first_of_line = prompt(&world, book, "2", "writer");
    assert!(block(&first_of_line, "承接").contains("本线的第一章"), "{first_of_line}");
    assert!(!first_of_line.contains(&last_line(&text(1))));

    let switched = prompt(&world, book, "3", "writer");
    let lead_in = block(&switched, "承接");
    assert!(
        lead_in.contains("切回本线") && lead_in.contains("第1章") && lead_in.contains(&last_line(&text(1))),
        "{lead_in}"
    );
    assert!(lead_in.contains("过渡"), "the bridge of chapter 2 is handed on: {lead_in}");
    assert!(!switched.contains(&last_line(&text(2))), "the ending of a frozen line");

    let same_line = prompt(&world, book, "4", "writer");
    let lead_in = block(&same_line, "承接");
    assert!(lead_in.contains("上一章就在本线上") && lead_in.contains(&last_line(&text(3))), "{lead_in}");
}

#[test]
fn the_eyes_of_a_line_belong_to_it() {
    let world = World::new();
    let book = world.demo_with(2);
    // A person of the main line becomes the eyes of a new one.
    let added = ["storyline", "add", "--name", "夜渡", "--id", "night-ferry", "--pov", "闻小满", "--active"];
    let _ = world.novel(book, &added).ok();
    let outline = world.read("book/volumes/vol-01/outline.md");
    let (before, after) = outline.split_once("## 第3章").unwrap();
    let after = after.replacen("- 故事线: main-arc", "- 故事线: night-ferry", 1);
    world.write("book/volumes/vol-01/outline.md", &format!("{before}## 第3章{after}"));
    world.commit(book, "third chapter on the new line");

    // The contract of the demo is its author's own, and of the other line.
    let _ = world.novel(book, &["decide", "derive"]).ok();
    let _ = world.novel(book, &["continue", "--offline"]).ok();
    let told = prompt(&world, book, "3", "summarizer");
    let others = block(&told, "其他故事线");
    let foreign: Vec<&str> = others.lines().filter(|line| line.contains("独有人物")).collect();
    assert!(!foreign.is_empty() && foreign.iter().all(|line| !line.contains("闻小满")), "{others}");
    assert!(foreign.iter().any(|line| line.contains("罗守拙")), "people of other lines are still foreign: {others}");
}

/// A list of phrases as `ai-blacklist.json` holds it.
fn list(phrases: &[String], allowed: &[&str]) -> String {
    serde_json::json!({
        "schema_version": 1,
        "groups": [{"category": "习惯", "phrases": phrases}],
        "allowed": allowed,
    })
    .to_string()
}

#[test]
fn phrases_that_the_author_allows_count_against_nothing() {
    let world = World::new();
    let book = world.demo();
    let listed = ["小满".to_owned()];
    world.write("book/ai-blacklist.json", &list(&listed, &[]));
    world.commit(book, "a phrase that every chapter has");
    let _ = world.novel(book, &["continue", "--offline"]).ok();
    let counted = prompt(&world, book, "1", "judge");
    assert!(block(&counted, "忌用语命中").contains("小满"), "{counted}");
    assert!(block(&counted, "测得的数据").contains("小满×"), "{counted}");

    world.write("book/ai-blacklist.json", &list(&listed, &["小满"]));
    world.commit(book, "which the author allows");
    let _ = world.novel(book, &["continue", "2", "--offline"]).ok();
    assert!(world.read("book/chapters/vol-01/chapter-003.md").contains("小满"));
    let allowed = prompt(&world, book, "3", "judge");
    assert!(!block(&allowed, "忌用语命中").contains("小满"), "{allowed}");
    assert!(!block(&allowed, "测得的数据").contains("小满×"), "{allowed}");
}

#[test]
fn the_writer_is_shown_the_phrases_that_this_book_overuses() {
    let world = World::new();
    let book = world.demo_with(5);
    // Two dozen phrases that no chapter has, then one that every chapter has.
    let mut phrases: Vec<String> = (0..24).map(|n| format!("未写过的话{n}")).collect();
    phrases.push("小满".to_owned());
    world.write("book/ai-blacklist.json", &list(&phrases, &[]));
    world.commit(book, "another list");
    let shown = prompt(&world, book, "6", "writer");
    let phrases = block(&shown, "忌用语");
    assert!(phrases.starts_with("小满（至多 1 次），近 5 章用了 "), "{phrases}");
    assert!(!phrases.contains("未写过的话"), "what no chapter has is no habit: {phrases}");
    let _ = world.novel(book, &["continue", "--offline"]).ok();
    let refined = prompt(&world, book, "6", "refiner");
    assert!(
        block(&refined, "忌用语").starts_with("小满（至多 1 次） "),
        "the refiner sees what is above its cap: {refined}"
    );
}

#[test]
fn a_brief_that_is_not_filled_in_sends_no_template() {
    let world = World::new();
    let book = world.demo();
    let template = "# 创作纲领\n\n<!-- 每次写作都会先读。 -->\n\n## 一句话\n\n<!-- 谁，想要什么？ -->\n\n## 主题\n\n欠的东西还不还？\n\n## 结局方向\n";
    world.write("book/brief.md", template);
    world.commit(book, "a brief");
    let shown = prompt(&world, book, "1", "writer");
    assert_eq!(block(&shown, "创作纲领"), "# 创作纲领\n\n## 主题\n\n欠的东西还不还？");
}

#[test]
fn relationships_are_told_in_words() {
    let world = World::new();
    let book = world.demo_with(4);
    let shown = prompt(&world, book, "5", "writer");
    let state = block(&shown, "当前状态");
    let told: Vec<&str> = state.lines().filter(|line| line.contains(".relationships.")).collect();
    assert!(!told.is_empty() && told.iter().all(|line| line.ends_with('）')), "{state}");
}

/// The bytes that two texts share from the first one on.
fn shared_prefix(a: &str, b: &str) -> usize {
    a.bytes().zip(b.bytes()).take_while(|(a, b)| a == b).count()
}

#[test]
fn prompts_of_chapters_that_take_turns_between_lines_begin_alike() {
    let world = World::new();
    let _ = world.novel("", &["demo", "book", "--volumes", "1", "--chapters", "24"]).ok();
    let line_of = |prompt: &str| prompt.split("，故事线 `").last().unwrap().split('`').next().unwrap().to_owned();
    let prompts: Vec<String> = (4..=24).map(|n| prompt(&world, "book", &n.to_string(), "writer")).collect();
    let changes = prompts.windows(2).filter(|pair| line_of(&pair[0]) != line_of(&pair[1]));
    let shares: Vec<f64> =
        changes.map(|pair| shared_prefix(&pair[0], &pair[1]) as f64 / pair[1].len() as f64).collect();
    assert!(shares.len() >= 10, "{shares:?}");
    let mean = shares.iter().sum::<f64>() / shares.len() as f64;
    assert!(mean >= 0.6, "{mean} of {shares:?}");
    // Each chapter is told once, and the chapter's own line is among those that are told.
    for prompt in &prompts {
        let told = format!("{}\n{}", block(prompt, "近章摘要"), block(prompt, "其余近况"));
        let mut heads: Vec<&str> =
            told.lines().filter_map(|line| line.split_once("章").map(|(head, _)| head)).collect();
        heads.retain(|head| head.starts_with('第'));
        let count = heads.len();
        heads.sort_unstable();
        heads.dedup();
        assert_eq!(count, heads.len(), "{told}");
        let is_first = block(prompt, "承接").contains("本线的第一章");
        assert!(is_first || told.contains(&format!("（{}）", line_of(prompt))), "{told}");
    }
}
