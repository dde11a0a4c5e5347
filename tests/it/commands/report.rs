//! The book as one page: every link leads to a chapter, nothing comes from elsewhere, and the page holds what the book has.

use crate::common::World;
use serde_json::json;
use std::collections::BTreeSet;

/// The parts of the page between two strings.
fn between<'p>(page: &'p str, before: &str, after: &str) -> BTreeSet<&'p str> {
    page.split(before).skip(1).filter_map(|rest| rest.split(after).next()).collect()
}

#[test]
fn a_page_has_the_book_and_loads_nothing() {
    let world = World::new();
    let _ = world.demo_with(5);
    let made = world.novel("book", &["report", "--lang", "zh", "--json"]).fails(0).json();
    assert_eq!((&made["chapters"], &made["texts"]), (&json!(5), &json!(5)));
    let file = made["file"].as_str().unwrap();
    let page = std::fs::read_to_string(file).unwrap();
    assert_eq!(made["bytes"], page.len());
    assert!(page.contains("default-src 'none'") && !page.contains("http://") && !page.contains("https://"));
    let linked = between(&page, "href=\"#", "\"");
    assert!(linked.len() == 5 && linked.is_subset(&between(&page, "<details id=\"", "\"")), "{linked:?}");
    // The last paragraph of a chapter, the storylines, a plot thread, a place and the planned chapters.
    let text = world.read("book/chapters/vol-01/chapter-005.md");
    let last = text.lines().last().unwrap();
    for words in [last, "故事线的交织", "夜班", "净物", "黄雨靴", "第8章 认领", "埋设"] {
        assert!(page.contains(words), "{words}");
    }
    assert!(!page.contains("main-arc") && !page.contains("brother_name"), "names stand in place of ids");
    assert!(world.git("book", &["status", "--porcelain"]).ok().is_empty());
}

#[test]
fn changes_and_scores_are_on_the_page_and_text_is_only_text() {
    let world = World::new();
    let _ = world.demo_with(5);
    let chapter = "book/chapters/vol-01/chapter-003.md";
    let hostile = "他写下 <script>alert(1)</script> 又划掉。\n";
    world.write(chapter, &(world.read(chapter) + "\n" + hostile));
    let evaluation = "book/evaluations/vol-01/chapter-002-eval.json";
    let judged = world.read(evaluation).replace("\"reading\": false,", "\"reading\": true,");
    world.write(evaluation, &judged);
    let _ = world.git("book", &["-c", "user.name=A", "-c", "user.email=a@b", "commit", "-qam", "改第三章"]).ok();
    let page = |lang: &str| {
        let _ = world.novel("book", &["report", "-o", "page.html", "--lang", lang]).ok();
        world.read("book/page.html")
    };
    let page = page("en");
    assert!(page.contains("Changes after acceptance") && page.contains("<ins>他写下 &lt;script&gt;alert(1)"), "{page}");
    assert_eq!(page.matches("<script>").count(), 1, "the page's own");
    let scores = page.split("<h2>").find(|section| section.starts_with("Scores")).unwrap();
    assert_eq!(between(scores, "href=\"#", "\""), ["ch-2"].into(), "only a judgement that was read has a score");
}

#[test]
fn only_a_page_is_replaced_without_a_question() {
    let world = World::new();
    let _ = world.demo_with(2);
    world.write("own.html", "<p>自己的网页</p>");
    let refused = world.novel("book", &["report", "-o", "../own.html", "--no-input"]);
    assert_ne!(refused.code, 0, "{refused:#?}");
    assert_eq!(world.read("own.html"), "<p>自己的网页</p>");
    let _ = world.novel("book", &["report", "-o", "../own.html", "--yes"]).ok();
    let _ = world.novel("book", &["report", "-o", "../own.html", "--no-input"]).ok();
    let inside = world.novel("book", &["report", "-o", "chapters/vol-01/chapter-001.md", "--yes"]).fails(1);
    assert!(inside.stderr.contains("-o ../"), "{inside:#?}");
    let empty = world.novel("", &["init", "empty", "--title", "空", "--offline"]);
    let _ = empty.ok();
    let nothing = world.novel("empty", &["--lang", "en", "report"]).fails(1);
    assert!(nothing.stderr.contains("no chapter"), "{nothing:#?}");
}
