//! `novel search`: what it finds, that it follows the book, and that it does not depend on its index.

use crate::common::World;
use serde_json::{Value, json};

const INDEX: &str = "book/.git/novel/search-index";
const FIRST: &str = "book/chapters/vol-01/chapter-001.md";

fn answer(world: &World, book: &str, args: &[&str]) -> Value {
    world.novel(book, &[&["search", "--json"], args].concat()).json()
}

/// The chapters and files that have the words as typed, in order.
fn literal(world: &World, book: &str, words: &str) -> Vec<String> {
    let found = answer(world, book, &[words]);
    let hits = found["hits"].as_array().unwrap().iter().filter(|hit| hit["is_literal"] == true);
    let places =
        hits.map(|hit| hit["chapter"].as_u64().map_or(hit["path"].as_str().unwrap().to_owned(), |n| n.to_string()));
    places.collect()
}

/// Five characters of a chapter that stand in no other file of the book.
fn telling(world: &World, chapter: u32) -> String {
    let read = |n: u32| world.read(&format!("book/chapters/vol-01/chapter-{n:03}.md"));
    let others: String = world.git("book", &["grep", "-h", "", "--", "world", "characters", "summaries"]).ok();
    let others = (1..chapter).map(read).collect::<String>() + &others;
    let text: Vec<char> = read(chapter).lines().skip(2).collect::<String>().chars().collect();
    let pieces = text.windows(5).filter(|piece| piece.iter().all(|c| ('\u{4E00}'..='\u{9FFF}').contains(c)));
    pieces.map(|piece| piece.iter().collect::<String>()).find(|piece| !others.contains(piece)).unwrap()
}

fn plant(world: &World, path: &str, words: &str) {
    let text = world.read(path);
    world.write(path, &format!("{text}\n{words}\n"));
}

#[test]
fn an_accepted_chapter_is_found_until_it_is_rolled_back_and_again_after_undo() {
    let world = World::new();
    let book = world.demo_with(3);
    let words = telling(&world, 3);
    assert_eq!(literal(&world, book, &words), ["3"]);
    let _ = world.novel(book, &["rollback", "ch-2", "--yes"]).ok();
    assert_eq!(literal(&world, book, &words), [""; 0]);
    let _ = world.novel(book, &["undo"]).ok();
    assert_eq!(literal(&world, book, &words), ["3"]);
    // A branch of git's own, and a chapter that is not accepted yet.
    let _ = world.git(book, &["reset", "-q", "--hard", "ch-001"]).ok();
    assert_eq!(literal(&world, book, &words), [""; 0]);
    let _ = world.novel(book, &["continue"]).ok();
    assert_eq!(literal(&world, book, &telling(&world, 2)), ["2"]);
}

#[test]
fn a_look_at_an_early_chapter_leaves_the_index_of_the_whole_book() {
    let world = World::new();
    let book = "book";
    let _ = world.novel("", &["demo", book, "--volumes", "2", "--chapters", "10"]).ok();
    let found = answer(&world, book, &["路灯"]);
    let index = std::fs::read(world.path(INDEX)).unwrap();
    let early = world.novel(book, &["context", "ch-002"]).ok();
    assert_eq!(std::fs::read(world.path(INDEX)).unwrap(), index, "the book is where it was");
    std::fs::remove_file(world.path(INDEX)).unwrap();
    assert_eq!(world.novel(book, &["context", "ch-002"]).ok(), early, "the chapter is told the same without it");
    assert_eq!(answer(&world, book, &["路灯"]), found);
}

#[test]
fn edits_count_when_they_are_committed_wherever_they_are() {
    let world = World::new();
    let book = world.demo_with(2);
    assert_eq!(world.novel(book, &["search", "琉璃鹤印"]).fails(1).stdout, "");
    plant(&world, FIRST, "她摸到了琉璃鹤印，又放了回去。");
    assert_eq!(literal(&world, book, "琉璃鹤印"), [""; 0]);
    world.write("book/world/seals.md", "# 印信\n\n琉璃鹤印只有三枚，一枚在官仓。\n");
    world.write("book/research/seals.md", "# 考\n\n史书里没有琉璃鹤印。\n");
    let _ = world.git(book, &["add", "-A"]).ok();
    world.commit(book, "印");
    let found = answer(&world, book, &["琉璃鹤印"]);
    let mut places: Vec<(Value, Value, Value)> = Vec::new();
    for hit in found["hits"].as_array().unwrap() {
        places.push((hit["part"].clone(), hit["title"].clone(), hit["passage"].clone()));
    }
    places.sort_by_key(|(part, ..)| part.to_string());
    let title = world.read(FIRST).lines().next().unwrap().split_once("章 ").unwrap().1.to_owned();
    assert_eq!(
        places,
        [
            (json!("chapters"), json!(title), json!("她摸到了琉璃鹤印，又放了回去。")),
            (json!("research"), json!("考"), json!("史书里没有琉璃鹤印。")),
            (json!("world"), json!("印信"), json!("琉璃鹤印只有三枚，一枚在官仓。")),
        ]
    );
    assert_eq!(answer(&world, book, &["琉璃鹤印", "--in", "world"])["literal"], 1);
    assert_eq!(answer(&world, book, &["琉璃鹤印", "--chapters", "1-2"])["hits"].as_array().unwrap().len(), 1);
    assert_eq!(answer(&world, book, &["琉璃鹤印", "--chapters", "2"])["literal"], 0);
    // Two words, and the hero's file.
    assert_eq!(literal(&world, book, "琉璃鹤印 官仓"), ["world/seals.md"]);
    let people = answer(&world, book, &["闻小满", "--in", "characters"]);
    assert_eq!(people["hits"][0]["title"], "闻小满", "{people:#}");
}

#[test]
fn an_index_that_is_lost_damaged_or_shared_changes_no_answer() {
    let world = World::new();
    let book = world.demo_with(3);
    let words = telling(&world, 2);
    let ask = || answer(&world, book, &[&words, "他在雨里等了很久"]);
    let first = ask();
    assert_eq!(first["hits"][0]["chapter"], 2, "{first:#}");
    let good = std::fs::read(world.path(INDEX)).unwrap();
    assert_eq!(ask(), first);
    let kept = || std::fs::read(world.path(INDEX)).unwrap();
    assert!(kept() == good, "an index of the present files is not written again");
    let mut damages = vec![Vec::new(), b"\n".to_vec(), good[..good.len() / 2].to_vec(), good[1..].to_vec()];
    damages.push([&good[..], b"x"].concat());
    damages.push(good[..4096].to_vec());
    for damage in damages {
        std::fs::write(world.path(INDEX), &damage).unwrap();
        assert_eq!(ask(), first);
        let whole = kept();
        assert!(whole.len() > 10_000 && ask() == first && kept() == whole, "{} bytes are not replaced", damage.len());
    }
    // A copied book has a copied index.
    world.copy(book, "copied");
    assert_eq!(answer(&world, "copied", &[&words, "他在雨里等了很久"]), first);
    assert!(std::fs::read(world.path("copied/.git/novel/search-index")).unwrap() == kept(), "made once more");
    // Another index, whole, of another commit.
    let _ = world.git(book, &["reset", "-q", "--hard", "ch-001"]).ok();
    let earlier = ask();
    let _ = world.git(book, &["reset", "-q", "--hard", "ch-003"]).ok();
    assert_ne!(earlier, first);
    assert_eq!(ask(), first);
    // No place for an index: it is made in memory each time.
    std::fs::remove_file(world.path(INDEX)).unwrap();
    std::fs::create_dir(world.path(INDEX)).unwrap();
    assert_eq!((ask(), ask()), (first.clone(), first.clone()));
    std::fs::remove_dir(world.path(INDEX)).unwrap();
    // Windows has no folders in which nothing may be written by their mode.
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        let folder = world.path("book/.git/novel");
        let lock = |mode| std::fs::set_permissions(&folder, std::fs::Permissions::from_mode(mode)).unwrap();
        lock(0o500);
        let locked = ask();
        lock(0o700);
        assert_eq!(locked, first);
    }
    world.check(book);
    assert_eq!(world.git(book, &["status", "--porcelain"]).ok(), "");
}

#[test]
fn a_large_file_is_searched_at_its_beginning() {
    let world = World::new();
    let book = world.demo_with(1);
    assert_eq!(literal(&world, book, "琉璃鹤印"), [""; 0]);
    let kept = || std::fs::read(world.path(INDEX)).unwrap();
    let before = kept();
    let line = "这一行什么也没有说，只是把纸写满。\n";
    let filled = |most: usize| line.repeat(most / line.len());
    world.write("book/research/long.md", &format!("# 长\n\n琉璃鹤印\n{}白瓷骨哨\n", filled(3 << 20)));
    world.write("book/research/huge.md", &format!("# 更长\n\n乌木铜镇\n{}", filled(17 << 20)));
    let _ = world.git(book, &["add", "-A"]).ok();
    world.commit(book, "资料");
    assert_eq!(literal(&world, book, "琉璃鹤印"), ["research/long.md"]);
    let index = kept();
    assert!(index != before, "a large file is read once, not for each search");
    assert_eq!(literal(&world, book, "白瓷骨哨"), [""; 0]);
    assert_eq!(literal(&world, book, "乌木铜镇"), [""; 0]);
    assert!(kept() == index);
    let _ = world.novel(book, &["continue"]).ok();
}

#[test]
fn a_file_that_the_repository_has_lost_is_found_once_it_is_back() {
    let world = World::new();
    let book = world.demo_with(2);
    world.write("book/research/seals.md", "# 考\n\n史书里没有琉璃鹤印。\n");
    let _ = world.git(book, &["add", "-A"]).ok();
    world.commit(book, "印");
    let id = world.git(book, &["rev-parse", "HEAD:research/seals.md"]).ok();
    let object = world.path(&format!("book/.git/objects/{}/{}", &id[..2], id[2..].trim()));
    let aside = world.path("aside");
    std::fs::rename(&object, &aside).unwrap();
    let words = telling(&world, 2);
    for _ in 0..2 {
        assert_eq!(literal(&world, book, &words), ["2"], "all else is searched");
        assert_eq!(literal(&world, book, "琉璃鹤印"), [""; 0]);
    }
    std::fs::rename(&aside, &object).unwrap();
    assert_eq!(literal(&world, book, "琉璃鹤印"), ["research/seals.md"]);
}

#[test]
fn searches_at_once_and_in_linked_work_trees_are_all_right() {
    let world = World::new();
    let book = world.demo_with(3);
    let words = telling(&world, 3);
    let args = ["search", &words, "--json"];
    let first = world.novel(book, &args).json();
    for _ in 0..3 {
        let _ = std::fs::remove_file(world.path(INDEX));
        let running: Vec<_> = (0..4).map(|_| world.start(book, &args)).collect();
        for run in running {
            assert_eq!(run.finish().json(), first);
        }
    }
    let _ = world.git(book, &["worktree", "add", "-q", "-b", "early", "../early", "ch-002"]).ok();
    for _ in 0..2 {
        assert_eq!(literal(&world, "early", &words), literal(&world, book, &words), "both show the book's branch");
    }
    let left: Vec<_> = std::fs::read_dir(world.path("book/.git/novel/tmp")).unwrap().collect();
    assert!(left.is_empty(), "{left:?}");
}

#[test]
fn answers_are_for_people_in_two_languages_and_for_programs() {
    let world = World::new();
    let book = world.demo_with(2);
    plant(&world, FIRST, "她摸到了琉璃鹤印\u{1b}[31m，又放了回去。");
    world.commit(book, "印");
    let zh = world.novel(book, &["--lang", "zh", "search", "琉璃鹤印"]).ok();
    let lines: Vec<&str> = zh.lines().collect();
    assert!(
        lines[0].starts_with("ch-001  ") && lines[1].starts_with("    ") && lines[1].contains("琉璃鹤印␛[31m，"),
        "{zh}"
    );
    assert_eq!(lines[2..], ["1 处有原话", "查看整章：novel show ch-001"]);
    let en = world.novel(book, &["--lang", "en", "search", "琉璃鹤印"]).ok();
    assert!(en.ends_with("exact matches: 1\nfull chapter: novel show ch-001\n"), "{en}");
    let painted = world.novel(book, &["--color", "always", "search", "琉璃鹤印"]).ok();
    assert!(painted.contains("\u{1b}[33m琉璃鹤印\u{1b}[0m␛[31m"), "{painted}");
    let found = answer(&world, book, &["琉璃", "鹤印", "--limit", "1"]);
    assert_eq!((&found["version"], &found["query"], &found["literal"]), (&json!(1), &json!("琉璃 鹤印"), &json!(1)));
    let hit = found["hits"][0].as_object().unwrap();
    let fields: Vec<&str> = hit.keys().map(String::as_str).collect();
    assert_eq!(fields, ["part", "chapter", "path", "title", "passage", "highlights", "is_literal", "score", "finder"]);
    let passage: Vec<char> = hit["passage"].as_str().unwrap().chars().collect();
    let marks: Vec<(usize, usize)> = serde_json::from_value(hit["highlights"].clone()).unwrap();
    let marked: Vec<String> = marks.iter().map(|(start, end)| passage[*start..*end].iter().collect()).collect();
    assert_eq!(marked, ["琉璃鹤印"], "words that touch are one");
    let none = world.novel(book, &["--lang", "en", "search", "麒麟阁"]).fails(1);
    assert!(none.stdout.is_empty() && none.stderr.contains("no matches for `麒麟阁`"), "{none:#?}");
    assert_eq!(world.novel(book, &["search", "麒麟阁", "--json"]).fails(1).json()["hits"], json!([]));
    let _ = world.novel(book, &["search", "！？"]).fails(2);
    let _ = world.novel("", &["search", "密信"]).fails(4);
    let near = world.novel(book, &["--lang", "en", "search", "琉璃灯"]).ok();
    assert!(near.contains("琉璃鹤印") && near.contains("no exact match"), "{near}");
}

#[test]
fn the_writer_is_shown_passages_of_its_own_line_from_further_back() {
    let world = World::new();
    let book = world.demo_with(5);
    let outline = world.read("book/volumes/vol-01/outline.md");
    let section = outline.split("\n## ").find(|section| section.starts_with("第6章")).unwrap();
    let field =
        |name: &str| section.lines().find_map(|line| line.strip_prefix(&format!("- {name}: "))).unwrap().to_owned();
    let conflict = field("冲突");
    let shown = |world: &World| {
        let prompt = world.novel("book", &["context", "6", "--prompt"]).ok();
        prompt.split_once("<前文相关段落>\n").unwrap().1.split_once("\n</前文相关段落>").unwrap().0.to_owned()
    };
    let summary = "book/summaries/vol-01/chapter-001-summary.md";
    let of_line = |line: &str| {
        let text = world.read(summary);
        let lines = text
            .lines()
            .map(|old| if old.starts_with("> 故事线：") { format!("> 故事线：{line}") } else { old.to_owned() });
        world.write(summary, &(lines.collect::<Vec<_>>().join("\n") + "\n"));
    };
    plant(&world, FIRST, &format!("琉璃鹤印：{conflict}"));
    of_line(&field("故事线"));
    world.commit(book, "印");
    let own = shown(&world);
    assert!(own.contains("- 第1章：") && own.contains("琉璃鹤印"), "{own}");
    assert!(own.lines().count() <= 3 && own.lines().all(|line| line.chars().count() <= 160), "{own}");
    assert!(
        !own.contains("第3章") && !own.contains("第4章") && !own.contains("第5章"),
        "the last three have summaries: {own}"
    );
    of_line("frozen-line");
    world.commit(book, "别的线");
    let other = shown(&world);
    assert!(!other.contains("琉璃鹤印"), "{other}");
    // A chapter is written whatever becomes of the index.
    let _ = std::fs::remove_file(world.path(INDEX));
    std::fs::create_dir(world.path(INDEX)).unwrap();
    let _ = world.novel(book, &["continue"]).ok();
    world.check(book);
}
