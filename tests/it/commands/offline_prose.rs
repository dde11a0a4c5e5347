//! The prose of the offline writer over a whole book: it tells its outline in other words and does not repeat itself.

use crate::common::World;
use novel::text::{Shingles, copied, prose_sentences};
use std::collections::BTreeMap;

/// Chapters back within which nothing may come again: the distance of the figures for recycled runs.
const BACK: usize = 20;
/// The largest share of a chapter's 8-grams that may stand in the chapters before it.
const RECYCLED: f64 = 0.08;

/// Lines of the outlines with at least twelve characters, without the names of their fields.
fn outline_lines(world: &World, volumes: usize) -> Vec<String> {
    let outlines = (1..=volumes).map(|volume| world.read(&format!("book/volumes/vol-{volume:02}/outline.md")));
    let lines: Vec<String> = outlines.flat_map(|text| text.lines().map(str::to_owned).collect::<Vec<_>>()).collect();
    let fields = lines.iter().filter_map(|line| line.strip_prefix("- ")?.split_once(": ")).map(|(_, text)| text);
    let parts = fields.flat_map(|text| text.split('；')).filter(|part| part.chars().count() >= 12);
    parts.map(str::to_owned).collect()
}

fn reads_well(volumes: usize, chapters: usize) {
    let world = World::new();
    let book = world.path("book");
    let (count, parts) = (chapters.to_string(), volumes.to_string());
    let _ = world.novel("", &["demo", book.to_str().unwrap(), "--volumes", &parts, "--chapters", &count]).ok();
    let said = world.novel("book", &["check"]).ok();
    assert!(said.contains(&count), "{said}");
    let mut files: Vec<_> = (1..=volumes)
        .flat_map(|volume| std::fs::read_dir(book.join(format!("chapters/vol-{volume:02}"))).unwrap())
        .map(|entry| entry.unwrap().path())
        .collect();
    files.sort();
    assert_eq!(files.len(), chapters);
    let lines = outline_lines(&world, volumes);
    let mut earlier: Vec<Shingles> = Vec::new();
    let mut again: Vec<String> = Vec::new();
    let mut last_seen: BTreeMap<String, usize> = BTreeMap::new();
    for (number, file) in files.iter().enumerate() {
        let text = std::fs::read_to_string(file).unwrap();
        for line in &lines {
            assert!(!text.contains(line.as_str()), "chapter {}: {line}", number + 1);
        }
        for sentence in prose_sentences(&text).iter().filter(|sentence| sentence.han() >= 10) {
            let before = last_seen.insert(sentence.text().to_owned(), number);
            if before.is_some_and(|before| number - before <= BACK) {
                again.push(format!("chapter {}: {}", number + 1, sentence.text()));
            }
        }
        let share = copied(&text, &earlier[number.saturating_sub(BACK)..]).share;
        assert!(share < RECYCLED, "chapter {}: {share}", number + 1);
        earlier.push(Shingles::of(&text));
    }
    // A revised chapter takes its turn out of order, so a sentence in ten chapters may come early.
    assert!(again.len() * 10 <= chapters, "{}", again.join("\n"));
}

#[test]
fn a_book_of_forty_chapters_does_not_repeat_itself_or_its_outline() {
    reads_well(3, 40);
}

#[test]
#[ignore = "writes three hundred chapters"]
fn a_long_book_does_not_repeat_itself_or_its_outline() {
    reads_well(20, 300);
}
