//! How often a search finds the chapter that is meant, and what it costs in a long book. Run when asked:
//! `cargo test --test it search_figures -- --ignored --nocapture`.

#![allow(clippy::print_stderr, reason = "these are measurements")]

use crate::common::{Chance, World};

/// The place of a chapter among the hits in chapters' texts for a sentence; 0 where it is not among the first ten.
fn rank(world: &World, book: &str, sentence: &str, chapter: u64) -> usize {
    let run = world.novel(book, &["search", "--json", "--in", "chapters", "--", sentence]);
    let found = run.json();
    let hits = found["hits"].as_array().cloned().unwrap_or_default();
    hits.iter().position(|hit| hit["chapter"] == chapter).map_or(0, |at| at + 1)
}

/// The same for a plain search: chapters by how many of the sentence's clauses stand in them word for word.
fn plain_rank(texts: &[String], sentence: &str, chapter: u64) -> usize {
    let clauses: Vec<&str> =
        sentence.split(['，', '。', '；', '：', '、', '“', '”']).filter(|c| c.chars().count() > 1).collect();
    let score = |text: &String| clauses.iter().filter(|clause| text.contains(**clause)).count();
    let own = score(&texts[usize::try_from(chapter).unwrap() - 1]);
    let (better, equal) = texts
        .iter()
        .map(score)
        .fold((0, 0), |(better, equal), other| (better + usize::from(other > own), equal + usize::from(other == own)));
    // Of those that are equal, the one in the middle.
    if own == 0 { 0 } else { 1 + better + equal / 2 }
}

#[test]
#[ignore = "prints figures: how often a summary's sentence leads to its chapter"]
fn recall_of_summaries_sentences() {
    let world = World::new();
    let folder = world.path("book");
    let _ = world.novel("", &["-q", "demo", folder.to_str().unwrap(), "--volumes", "2", "--chapters", "20"]).ok();
    let files = |folder: &str| world.git("book", &["ls-files", &format!("{folder}/*.md")]).ok();
    let read = |path: &str| world.read(&format!("book/{path}"));
    let texts: Vec<String> = files("chapters").lines().map(read).collect();
    let (mut ranks, mut plain, mut whole) = (Vec::new(), Vec::new(), Vec::new());
    for (n, path) in (1..).zip(files("summaries").lines()) {
        let summary = read(path);
        let body = summary.lines().filter(|line| !line.starts_with(['#', '>']));
        for sentence in body.flat_map(|line| line.split_inclusive('。')).filter(|s| s.chars().count() > 7) {
            ranks.push(rank(&world, "book", sentence.trim(), n));
            plain.push(plain_rank(&texts, sentence.trim(), n));
            whole.push(usize::from(texts[usize::try_from(n).unwrap() - 1].contains(sentence.trim())));
        }
    }
    let share = |ranks: &[usize], most: usize| {
        let met = ranks.iter().filter(|rank| (1..=most).contains(*rank)).count();
        format!("{:.2}", met as f64 / ranks.len() as f64)
    };
    eprintln!("{} sentences of {} summaries, searched in the chapters' texts", ranks.len(), texts.len());
    for (name, ranks) in
        [("novel search", &ranks), ("clauses word for word", &plain), ("sentence word for word", &whole)]
    {
        eprintln!("{name}: R@1 {}, R@5 {}", share(ranks, 1), share(ranks, 5));
    }
}

#[test]
#[ignore = "prints figures: a search in a book of 3,000 chapters"]
fn speed_in_a_long_book() {
    let world = World::new();
    let book = world.demo_with(8);
    let mut lines: Vec<String> = Vec::new();
    for n in 1..=8 {
        let text = world.read(&format!("book/chapters/vol-01/chapter-{n:03}.md"));
        lines.extend(text.lines().skip(2).filter(|line| !line.is_empty()).map(str::to_owned));
    }
    let mut chance = Chance(7);
    let mut pick = |most: usize| usize::try_from(chance.below(most as u64)).unwrap();
    for n in 9..=3000 {
        let mut chapter = |length: usize, end: &str, folder: &str| {
            let mut text = format!("# 第{n}章 夜\n\n");
            while text.chars().count() < length {
                // Half of a sentence and half of another, so that pairs vary as they do in prose.
                let half = |line: &str, first: bool| {
                    let chars: Vec<char> = line.chars().collect();
                    let middle = chars.len() / 2;
                    if first { chars[..middle].iter() } else { chars[middle..].iter() }.collect::<String>()
                };
                text +=
                    &format!("{}{}\n\n", half(&lines[pick(lines.len())], true), half(&lines[pick(lines.len())], false));
                let rare = |n: usize| char::from_u32(0x4E00 + u32::try_from(n).unwrap()).unwrap();
                text += &(0..20).map(|_| rare(pick(3000))).collect::<String>();
            }
            let volume = (n - 1) / 50 + 1;
            world.write(&format!("book/{folder}/vol-{volume:02}/chapter-{n:03}{end}.md"), &text);
        };
        chapter(3000, "", "chapters");
        chapter(300, "-summary", "summaries");
    }
    let _ = world.git(book, &["add", "-A"]).ok();
    world.commit(book, "三千章");
    let sentence: String = lines[5].chars().take(40).collect();
    for query in ["闻小满", &sentence, "闻小满", &sentence, "雨"] {
        let begun = std::time::Instant::now();
        let _ = world.novel(book, &["search", query]).ok();
        eprintln!("{} ms for `{query}`", begun.elapsed().as_millis());
    }
    let size = std::fs::metadata(world.path("book/.git/novel/search-index")).unwrap().len();
    eprintln!("index of {} MB", size >> 20);
}
