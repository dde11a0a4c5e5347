//! How often the alarm about style is false in novels of one writer, and how often it sees five chapters of another one, beside
//! the fixed limits of 20 % on sentence length and 15 % on dialogue. Run when asked:
//! `cargo test --test it alarms_about_style -- --ignored --nocapture`. Silent where the novels are not.

use super::{BOOKS, borrowed, chapters};
use novel::domain::ChapterNo;
use novel::domain::quality::Pattern;
use novel::domain::quality::{BLOCK, LOOK_BACK, StyleMeasure};
use novel::text::{StyleComparison, worn};

/// Chapters of each book that are looked at.
const CHAPTERS: usize = 115;
/// The fixed limits.
const FIXED: [(StyleMeasure, f64); 2] = [(StyleMeasure::SentenceLength, 0.20), (StyleMeasure::Dialogue, 0.15)];

/// Alarms by one rule each.
#[derive(Debug, Default)]
struct Alarms {
    blocks: usize,
    delta: usize,
    either: usize,
    bare_z: usize,
    fixed: usize,
    fixed_from_ten: usize,
    ratios: Vec<String>,
    far: Vec<String>,
}

impl Alarms {
    fn count(&mut self, book: &[String], at: usize, block: &[&str]) {
        let before = borrowed(&book[at - LOOK_BACK as usize..at]);
        let now = StyleComparison::of(&before, block).unwrap();
        let from_ten = StyleComparison::of(&borrowed(&book[..10]), block).unwrap();
        let is_bare = |comparison: &StyleComparison| {
            comparison.figures.iter().any(|figure| figure.deviation.z.is_some_and(|z| z.abs() > 3.0))
        };
        self.blocks += 1;
        self.delta += usize::from(now.delta > now.level);
        self.either += usize::from(now.is_alarm());
        self.bare_z += usize::from(now.delta > now.level || is_bare(&now));
        self.fixed += usize::from(is_beyond_fixed(&now));
        self.fixed_from_ten += usize::from(is_beyond_fixed(&from_ten));
        self.ratios.push(format!("{:.2}", now.delta / now.level));
        let far = now.figures.iter().filter_map(|f| Some(f.deviation.z?.abs() / f.own_z.max(2.0)));
        self.far.push(format!("{:.2}", far.fold(0.0, f64::max)));
    }
}

fn is_beyond_fixed(comparison: &StyleComparison) -> bool {
    comparison.figures.iter().any(|figure| {
        let limit = FIXED.iter().find(|(measure, _)| *measure == figure.measure);
        limit.zip(figure.deviation.relative).is_some_and(|((_, limit), by)| by.abs() > *limit)
    })
}

#[test]
#[ignore = "prints figures: false alarms about style, and foreign chapters that are seen"]
fn alarms_about_style() {
    let Some(books) = BOOKS.iter().map(|book| chapters(book, 0..CHAPTERS)).collect::<Option<Vec<_>>>() else { return };
    let (block, base) = (BLOCK as usize, LOOK_BACK as usize);
    for (at, book) in books.iter().enumerate() {
        let (mut own, mut foreign) = (Alarms::default(), Alarms::default());
        for start in (base..=book.len() - block).step_by(block) {
            own.count(book, start, &borrowed(&book[start..start + block]));
            for (_, other) in books.iter().enumerate().filter(|(other, _)| *other != at) {
                foreign.count(book, start, &borrowed(&other[start..start + block]));
            }
        }
        own.far.sort();
        foreign.far.sort();
        own.ratios.sort();
        foreign.ratios.sort();
        eprintln!("{}:\n  own {own:?}\n  foreign {foreign:?}", BOOKS[at]);
    }
}

#[test]
#[ignore = "prints what twenty chapters of novels by people use again and again"]
fn worn_phrases_of_novels() {
    for book in BOOKS {
        let Some(texts) = chapters(book, 40..60) else { return };
        let numbered: Vec<(ChapterNo, &str)> =
            (41..).zip(&texts).map(|(n, text)| (ChapterNo::new(n).unwrap(), text.as_str())).collect();
        for found in worn(&numbered, &[], &[]) {
            let what = match &found.pattern {
                Pattern::Words(words) => words.clone(),
                Pattern::Shape(shape) => shape.to_string(),
            };
            eprintln!("{book} {} {what} ×{} in {} chapters", found.kind, found.times, found.chapters.len());
        }
    }
}
