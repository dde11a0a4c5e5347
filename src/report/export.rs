//! Files that went out: the answer of `novel export`.
//! Texts that sell a book: the answer of `novel export --blurb`.

use crate::manuscript::write::{Edition, RiskyPlace};
use crate::report::prelude::*;
use crate::text::Count;

#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ExportReport {
    pub format: String,
    pub files: Vec<String>,
    pub commit: String,
    pub chapters: usize,
    pub first: u32,
    pub last: u32,
    /// Characters and words with every punctuation mark, as platforms count.
    pub words_with_punctuation: usize,
    /// Han characters and words without punctuation.
    pub words: usize,
    pub han: usize,
    /// Places of the words in the author's list.
    pub risky: Vec<Risky>,
    /// Chapters with control characters that the format cannot hold.
    pub replaced: Vec<u32>,
    /// Files of an earlier export with other titles of the same chapters.
    pub left_behind: Vec<String>,
    #[serde(skip)]
    place: String,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Risky {
    pub chapter: u32,
    pub word: String,
    pub quotation: String,
}

impl ExportReport {
    /// `place` is the file, or the folder of many.
    pub fn of(edition: &Edition, format: &str, place: &str, files: Vec<String>) -> Self {
        let numbers = || edition.chapters().map(|(_, chapter)| chapter.number);
        let count = edition.chapters().fold(Count::default(), |sum, (_, chapter)| sum + Count::of_prose(&chapter.text));
        Self {
            format: format.to_owned(),
            files,
            commit: edition.commit.clone(),
            chapters: edition.chapters().count(),
            first: numbers().min().unwrap_or_default(),
            last: numbers().max().unwrap_or_default(),
            words_with_punctuation: count.words_with_punctuation,
            words: count.words,
            han: count.han,
            risky: Vec::new(),
            replaced: Vec::new(),
            left_behind: Vec::new(),
            place: place.to_owned(),
        }
    }

    #[must_use]
    pub fn with_risky(mut self, places: Vec<RiskyPlace>) -> Self {
        let risky = |RiskyPlace { chapter, word, quotation }| Risky { chapter, word, quotation };
        self.risky = places.into_iter().map(risky).collect();
        self
    }

    /// The file, both counts with their rules, and the risky words.
    pub fn text(&self, lang: Lang) -> String {
        let (place, files, chapters) = (paint(STRONG, &self.place), self.files.len(), self.chapters);
        let commit = self.commit.get(..7).unwrap_or(&self.commit);
        let [first, last] = [self.first, self.last].map(|n| format!("ch-{n:03}"));
        let mut out = match files {
            1 => say!(lang, exported_file(place, chapters, first, last, commit)),
            _ => say!(lang, exported_files(place, files, first, last, commit)),
        };
        let [all, words, han] = [self.words_with_punctuation, self.words, self.han].map(|n| figures::count(n as u64));
        out.push_str(&paint(DIM, &say!(lang, exported_counts(all, words, han))));
        for Risky { chapter, word, quotation } in &self.risky {
            let (chapter, word) = (format!("ch-{chapter:03}"), paint(WARN, word));
            out.push_str(&say!(lang, exported_risky(chapter, word, quotation)));
        }
        if !self.risky.is_empty() {
            out.push_str(&say!(lang, exported_risky_count(n = self.risky.len())));
        }
        if !self.replaced.is_empty() {
            let chapters = listed(self.replaced.iter().map(|n| format!("ch-{n:03}")), lang);
            out.push_str(&paint(WARN, &say!(lang, exported_replaced(chapters))));
        }
        if !self.left_behind.is_empty() {
            let files = listed(self.left_behind.iter(), lang);
            out.push_str(&paint(WARN, &say!(lang, exported_left_behind(files))));
        }
        out
    }
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct BlurbReport {
    status: &'static str,
    file: String,
    commit: String,
    /// Title candidates, blurb, tags and selling points, in Markdown.
    text: String,
}

impl BlurbReport {
    pub fn of(file: String, commit: String, text: String) -> Self {
        Self { status: "completed", file, commit, text }
    }

    pub fn text(&self, lang: Lang) -> String {
        format!("{}\n{}", self.text, say!(lang, blurb_is_in(file = paint(STRONG, &self.file))))
    }
}
