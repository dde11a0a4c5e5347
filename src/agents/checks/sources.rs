//! The earlier texts that a new chapter must not repeat, with their titles and quotation marks.

use crate::domain::ChapterNo;
use crate::text::consistency::Titles;
use crate::text::{self, Copied, QuoteStyle, RECYCLED_HUMAN, Scripts, Shingles};
use std::borrow::Borrow;
use std::fmt;
use std::ops::Add;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TextSource {
    Chapter(ChapterNo),
    /// The existing scenes of the chapter.
    Scenes,
    Plan,
}

impl fmt::Display for TextSource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Chapter(chapter) => chapter.fmt(f),
            Self::Scenes => f.write_str("the scenes before it"),
            Self::Plan => f.write_str("the plan"),
        }
    }
}

/// Letters of a passage that no two human chapters share: the longest in 416 chapters of three novels, each compared
/// with the twenty before, has 34, and 99 of 100 chapters have none above 19.
const PASSAGE: usize = 60;
/// Letters of a copied run of the plan's words; the plan's sentences are short.
const PASSAGE_OF_PLAN: usize = 30;
/// Shares of shorter texts, in letters, mean nothing.
const MEASURABLE: usize = 300;

impl TextSource {
    /// The fewest letters of a copied passage of that text that are no chance.
    pub(crate) const fn passage(self) -> usize {
        match self {
            Self::Plan => PASSAGE_OF_PLAN,
            Self::Chapter(_) | Self::Scenes => PASSAGE,
        }
    }
}

/// The texts that a chapter must not copy from, and their titles and quotation marks.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Sources {
    names: Vec<TextSource>,
    shingles: Vec<Shingles>,
    /// The ends of the previous chapter and of the last one on the storyline.
    endings: Vec<String>,
    pub(super) titles: Titles,
    /// The quotation marks of earlier chapters.
    pub(super) quote_style: Option<QuoteStyle>,
    pub(super) scripts: Scripts,
    pub(super) people: Vec<(String, String)>,
}

/// Chapters that a text is compared with, as many as for the figures of [`Copied::share`].
pub const COMPARED: u32 = 20;
const ENDING_PARAGRAPHS: usize = 12;
const SHOWN: usize = 30;

/// The part of a text found in others.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Recycled {
    /// Share (0 to 1) of 8-grams; 0 for a text too short to have one.
    pub(crate) share: f64,
    /// Letters of the longest passage, which `from` has and `passage` begins.
    pub(crate) letters: usize,
    pub(crate) from: TextSource,
    pub(crate) passage: String,
}

impl Sources {
    pub(super) const NONE: Self = Self {
        names: Vec::new(),
        shingles: Vec::new(),
        endings: Vec::new(),
        titles: Titles::NONE,
        quote_style: None,
        scripts: Scripts::NONE,
        people: Vec::new(),
    };

    #[must_use]
    pub fn with(mut self, name: TextSource, text: &str) -> Self {
        self.names.push(name);
        self.shingles.push(Shingles::of(text));
        // Ids of the plan are no words of the book.
        let words = text.split_inclusive(|c: char| !c.is_ascii_alphanumeric() && !"-_".contains(c));
        let words = words.filter(|word| name != TextSource::Plan || !word.contains(['-', '_']));
        self.scripts = words.map(Scripts::of).fold(self.scripts, Add::add);
        self
    }

    #[must_use]
    pub fn after(mut self, text: &str) -> Self {
        let paragraphs: Vec<&str> = text.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
        let from = paragraphs.len().saturating_sub(ENDING_PARAGRAPHS);
        self.endings.push(paragraphs[from..].join("\n"));
        self
    }

    #[must_use]
    pub fn titled(mut self, chapter: ChapterNo, title: &str) -> Self {
        self.titles.note(chapter, title);
        self
    }

    #[must_use]
    pub fn quoted(self, quote_style: Option<QuoteStyle>) -> Self {
        Self { quote_style, ..self }
    }

    #[must_use]
    pub fn knowing(self, people: Vec<(String, String)>) -> Self {
        Self { people, ..self }
    }

    /// The ends of chapters that this one must not begin with.
    pub(super) fn endings(&self) -> impl Iterator<Item = &str> {
        self.endings.iter().map(String::as_str)
    }

    /// The part of a text found in these; `None` without a common 8-gram.
    pub(crate) fn recycled_in(&self, text: &str) -> Option<Recycled> {
        recycled(text, &self.names, &self.shingles)
    }

    /// Lines for the judge about groups of texts, the chapters and the plan, that much of a text comes from.
    pub fn recycled_lines(&self, text: &str) -> Vec<String> {
        let line = |is_of_group: fn(TextSource) -> bool, group: &str| {
            let all = self.names.iter().zip(&self.shingles).filter(|(name, _)| is_of_group(**name));
            let (names, shingles): (Vec<TextSource>, Vec<&Shingles>) = all.unzip();
            let Recycled { share, letters, from, passage } = recycled(text, &names, &shingles)?;
            let place = match from {
                TextSource::Chapter(chapter) => format!("第{}章", chapter.get()),
                TextSource::Scenes | TextSource::Plan => group.to_owned(),
            };
            let is_notable = share >= RECYCLED_HUMAN.1 || letters >= from.passage();
            is_notable.then(|| {
                let percent = share * 100.0;
                format!("与{group}逐字相同的八字串：{percent:.1}%（人写的书 1.1% 以下），最长一段 {letters} 字，在{place}：“{passage}……”")
            })
        };
        let of_chapters = line(|source| matches!(source, TextSource::Chapter(_)), "前二十章");
        of_chapters.into_iter().chain(line(|source| source == TextSource::Plan, "章纲和契约")).collect()
    }
}

fn recycled<S: Borrow<Shingles>>(text: &str, names: &[TextSource], shingles: &[S]) -> Option<Recycled> {
    let Copied { share, longest, range, source } = text::copied(text, shingles);
    let from = *names.get(source).filter(|_| longest > 0)?;
    let letters = text.chars().filter(|c| c.is_alphanumeric()).count();
    let share = if letters < MEASURABLE { 0.0 } else { share };
    Some(Recycled { share, letters: longest, from, passage: text[range].chars().take(SHOWN).collect() })
}
