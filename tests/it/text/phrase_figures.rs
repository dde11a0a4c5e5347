//! How often novels by people use the phrases of the house list. Run when asked:
//! `cargo test --test it house_list_in_novels -- --ignored --nocapture`. Silent where the novels are not.

use super::{BOOKS, chapters};
use novel::text::{PhraseList, per_thousand};

/// Chapters of each book that are looked at.
const CHAPTERS: usize = 115;
/// A phrase is rare in a book below so many uses per 1,000 characters.
const RARE: f64 = 0.1;

#[test]
#[ignore = "prints figures: the rate of each listed phrase in novels by people"]
fn house_list_in_novels() {
    let list = include_str!("../../../templates/book/ai-blacklist.json");
    let list = novel::store::format::style::read_phrases(list.as_bytes()).unwrap();
    let phrases: Vec<&str> = list.phrases.iter().map(|phrase| phrase.text.as_str()).collect();
    let mut highest: Vec<(f64, &str)> = phrases.iter().map(|phrase| (0.0, *phrase)).collect();
    for book in BOOKS {
        let Some(texts) = chapters(book, 0..CHAPTERS) else { return };
        let text = texts.join("\n");
        // Each phrase by itself: a longer one would hide a shorter one within it.
        for (rate, phrase) in &mut highest {
            let found = PhraseList::new([*phrase]).find(&text);
            *rate = rate.max(per_thousand(found.hits.len(), found.han));
        }
    }
    highest.sort_by(|a, b| b.0.total_cmp(&a.0));
    let rare = highest.iter().filter(|(rate, _)| *rate < RARE).count();
    eprintln!("{rare} of {} phrases are below {RARE} per 1,000 in every book", phrases.len());
    for (rate, phrase) in highest.iter().take(12) {
        eprintln!("  {phrase} {rate:.3}");
    }
}
