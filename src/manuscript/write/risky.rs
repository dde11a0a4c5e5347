//! The author's list of risky words, found in what goes out.

use super::Edition;
use crate::text::{PhraseList, paragraphs};

/// One place of a word.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RiskyPlace {
    pub chapter: u32,
    pub word: String,
    /// The word with some text around it.
    pub quotation: String,
}

/// Characters of a quotation before and after the word.
const AROUND: usize = 12;

/// Every place of the words (one a line; lines that begin with `#` are remarks) in the texts and titles of chapters.
#[must_use]
pub fn risky_places(edition: &Edition, list: &str) -> Vec<RiskyPlace> {
    let list = PhraseList::new(list.lines().filter(|line| !line.starts_with('#')));
    let mut places = Vec::new();
    for (_, chapter) in edition.chapters() {
        let title = std::iter::once(chapter.title.as_str());
        for line in title.chain(paragraphs(&chapter.text).into_iter().map(|paragraph| paragraph.text)) {
            places.extend(list.find(line).hits.into_iter().map(|hit| {
                let before = line[..hit.range.start].char_indices().rev().take(AROUND).last();
                let after = line[hit.range.end..].char_indices().nth(AROUND);
                let start = before.map_or(hit.range.start, |(at, _)| at);
                let end = after.map_or(line.len(), |(at, _)| hit.range.end + at);
                RiskyPlace { chapter: chapter.number, word: hit.phrase, quotation: line[start..end].to_owned() }
            }));
        }
    }
    places
}

#[cfg(test)]
mod tests {
    use super::super::{EditionChapter, EditionVolume};
    use super::*;

    #[test]
    fn each_place_has_its_chapter_and_its_words_around() {
        let chapter = EditionChapter {
            number: 7,
            title: "血案".to_owned(),
            text: "他想起那一桩血案，一桩没有人敢提起来的旧血案。\n\n什么也没有。\n".to_owned(),
        };
        let volumes = vec![EditionVolume { number: 1, title: String::new(), chapters: vec![chapter] }];
        let edition = Edition { volumes, ..Edition::default() };
        let places = risky_places(&edition, "# 平台不收\n血案\n\n旧血案\n");
        let told: Vec<(u32, &str, &str)> =
            places.iter().map(|place| (place.chapter, place.word.as_str(), place.quotation.as_str())).collect();
        assert_eq!(
            told,
            [
                (7, "血案", "血案"),
                (7, "血案", "他想起那一桩血案，一桩没有人敢提起来的旧"),
                (7, "旧血案", "案，一桩没有人敢提起来的旧血案。"),
            ]
        );
    }
}
