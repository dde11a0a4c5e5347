//! The quality brief: figures of five accepted chapters beside earlier ones, counted from the book's files without a
//! model, so equal chapters give equal briefs.

use crate::domain::chapter::Gate;
use crate::domain::chapter::summary::ReaderLedger;
use crate::domain::prelude::*;
use crate::domain::volume::inventory::Standing;
use crate::domain::{ContentId, notation};

pub const BLOCK: u32 = 5;

/// Earlier chapters that the block is compared with. Twenty give fewer false alarms than all or the first of the book,
/// since writers change slowly with their story; `text::drift` has the figures.
pub const LOOK_BACK: u32 = 20;

/// The last chapter of the newest full block in a book of `chapters` chapters.
pub fn last_of_block(chapters: u32) -> Option<ChapterNo> {
    ChapterNo::new(chapters / BLOCK * BLOCK)
}

named! {
    pub enum StyleMeasure {
        /// Mean Han characters in a sentence.
        SentenceLength = "sentence_length",
        /// Share of sentences with at most eight Han characters.
        ShortSentences = "short_sentences",
        /// Share of Han characters inside quotation marks.
        Dialogue = "dialogue_ratio",
        /// Mean Han characters in a paragraph.
        ParagraphLength = "paragraph_length",
        /// Modal particles per 1,000 Han characters.
        ModalParticles = "modal_particles",
        /// Mean commas in a sentence.
        Commas = "commas",
        /// Stock beats per 1,000 Han characters.
        Beats = "beats",
        /// Words of silence and pausing per 1,000 Han characters.
        Stillness = "stillness",
        /// 不是X，是Y per 1,000 Han characters.
        NotBut = "not_but",
        /// 1 − distinct ÷ all sentence patterns.
        Skeletons = "skeleton_repetition",
        /// Phrases of the house list per 1,000 Han characters.
        AiPhrases = "ai_phrases",
        /// Share of 8-character runs found in one of the twenty chapters before.
        Recycled = "recycled",
    }
}

impl StyleMeasure {
    /// The Chinese name, with the unit if any.
    pub const fn in_chinese(self) -> &'static str {
        match self {
            Self::SentenceLength => "平均句长，字",
            Self::ShortSentences => "八字以内的短句",
            Self::Dialogue => "对白",
            Self::ParagraphLength => "段落长，字",
            Self::ModalParticles => "语气词/千字",
            Self::Commas => "每句逗号",
            Self::Beats => "套路动作/千字",
            Self::Stillness => "沉默与停顿/千字",
            Self::NotBut => "“不是……，是……”/千字",
            Self::Skeletons => "句子骨架重复",
            Self::AiPhrases => "忌用语/千字",
            Self::Recycled => "与前二十章重复的文字",
        }
    }

    /// The value in the unit of the figure, with one decimal.
    pub fn shown(self, value: f64) -> String {
        if self.is_share() { format!("{:.1}%", value * 100.0) } else { format!("{value:.1}") }
    }

    /// True for a share from 0 to 1.
    pub const fn is_share(self) -> bool {
        matches!(self, Self::ShortSentences | Self::Dialogue | Self::Skeletons | Self::Recycled)
    }
}

/// A figure of five chapters beside those of the book and of books by people.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct StyleFigure {
    #[serde(rename = "id")]
    pub measure: StyleMeasure,
    #[serde(with = "notation::figure")]
    pub now: f64,
    /// The mean of the earlier chapters, or the style profile's figure where there are fewer than five; `None` without
    /// either.
    pub baseline: Option<f64>,
    /// Standard deviation between the earlier chapters; `None` with fewer than five.
    pub spread: Option<f64>,
    /// The range of nine tenths of the passages from books by people, if known.
    pub human: Option<(f64, f64)>,
}

impl StyleFigure {
    /// The distance from the baseline, in standard deviations of a mean of five chapters; `None` without a spread.
    pub fn z(&self) -> Option<f64> {
        let spread = self.spread.filter(|spread| *spread > 0.0)? / f64::from(BLOCK).sqrt();
        Some((self.now - self.baseline?) / spread)
    }
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ChapterFigures {
    pub chapter: ChapterNo,
    /// The measured text, so that a later edit shows.
    pub text: ContentId,
    /// The overall score; `None` for a chapter not judged by a model.
    pub score: Option<f64>,
    pub gate: Option<Gate>,
    #[serde(default)]
    pub revisions: u32,
    /// Ids of the rules and contracts with a blocking violation.
    #[serde(default)]
    pub violations: Vec<String>,
    /// Phrases of the house list per 1,000 Han characters.
    #[serde(with = "notation::figure")]
    pub ai_phrases: f64,
    /// Share of 8-character runs found in one of the twenty chapters before.
    #[serde(with = "notation::figure")]
    pub recycled: f64,
}

impl ChapterFigures {
    /// True when the chapter was revised, forced through, or decided by the author.
    pub fn needed_help(&self) -> bool {
        self.revisions > 0 || matches!(self.gate, Some(Gate::ForcePass | Gate::AuthorPass))
    }
}

named! {
    /// A place where texts repeat themselves.
    pub enum WornKind {
        /// Words anywhere.
        Phrase = "phrase",
        /// The first characters of sentences.
        Opening = "opening",
        /// The first sentence of chapters.
        ChapterStart = "chapter_start",
        /// The last sentence of chapters.
        ChapterEnd = "chapter_end",
    }
}

named! {
    /// A way to begin or to end a chapter.
    pub enum EdgeShape {
        Question = "question",
        Ellipsis = "ellipsis",
        /// With a line of dialogue.
        Speech = "speech",
        /// With a short sentence in a paragraph of its own.
        ShortLine = "short_line",
        /// With the time of day or the days gone by.
        Time = "time",
        Weather = "weather",
    }
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Pattern {
    Words(String),
    /// Chapters in a row that begin or end alike.
    Shape(EdgeShape),
}

/// A pattern that the last chapters repeat.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Worn {
    pub kind: WornKind,
    #[serde(flatten)]
    pub pattern: Pattern,
    pub times: usize,
    /// The chapters with the pattern, in order.
    pub chapters: Vec<ChapterNo>,
}

/// A passage that a chapter shares word for word with an earlier one.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SharedPassage {
    pub chapter: ChapterNo,
    pub earlier: ChapterNo,
    #[serde(rename = "characters")]
    pub letters: usize,
    #[serde(rename = "begins")]
    pub words: String,
}

named! {
    /// The effect of a check on `style-drift.json`.
    pub enum DriftFile {
        /// The book has no corrections and needs none.
        Absent = "absent",
        Written = "written",
        /// The corrections were removed, since the style is back.
        Removed = "removed",
        /// The file is as the author left it.
        Kept = "kept",
        /// The author has removed the corrections, which stay away until the style has been back once.
        Dismissed = "dismissed",
    }
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct DriftCheck {
    /// The first chapter of the baseline; `None` before there are ten.
    pub against_first: Option<ChapterNo>,
    pub against_last: Option<ChapterNo>,
    /// The distance of function characters and marks, in spreads of the baseline.
    #[serde(with = "notation::figure")]
    pub delta: f64,
    /// The distance that the baseline's own chapters reach.
    #[serde(with = "notation::figure")]
    pub level: f64,
    pub alarm: bool,
    /// The figures that moved most in an alarm.
    #[serde(default, deserialize_with = "notation::or_default")]
    pub moved: Vec<StyleMeasure>,
    #[serde(default)]
    pub corrections: Vec<String>,
    pub file: DriftFile,
}

impl DriftCheck {
    /// First and last chapter of the baseline.
    pub fn against(&self) -> Option<(ChapterNo, ChapterNo)> {
        self.against_first.zip(self.against_last)
    }
}

/// A stock beat with its number.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Beat {
    pub phrase: String,
    pub times: usize,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct QualityBrief {
    #[serde(rename = "first_chapter")]
    pub first: ChapterNo,
    #[serde(rename = "last_chapter")]
    pub last: ChapterNo,
    /// The mean score of the five chapters before; `None` where none was judged.
    pub mean_before: Option<f64>,
    pub chapters: Vec<ChapterFigures>,
    #[serde(default)]
    pub style: Vec<StyleFigure>,
    /// The most frequent first; at most ten.
    #[serde(default)]
    pub beats: Vec<Beat>,
    #[serde(default)]
    pub worn: Vec<Worn>,
    /// The longest passage of each chapter that an earlier one has too, where it is worth a look.
    #[serde(rename = "shared_passages", default)]
    pub shared: Vec<SharedPassage>,
    #[serde(flatten)]
    pub reader: ReaderLedger,
    pub drift: DriftCheck,
    #[serde(default)]
    pub listed: Vec<String>,
    /// The inventory of open plot threads, the most urgent first, after every tenth chapter.
    #[serde(rename = "foreshadowing", default, skip_serializing_if = "Vec::is_empty")]
    pub threads: Vec<OpenThread>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct OpenThread {
    pub id: Slug,
    pub description: String,
    pub standing: Standing,
}

/// Chapters between two inventories of plot threads.
pub const INVENTORY: u32 = 10;

impl Worn {
    /// The repeated words; `None` for a way to begin or to end.
    pub fn words(&self) -> Option<String> {
        match &self.pattern {
            Pattern::Words(words) => Some(words.clone()),
            Pattern::Shape(_) => None,
        }
    }
}

impl QualityBrief {
    /// The mean score; `None` when no chapter was judged.
    pub fn mean(&self) -> Option<f64> {
        let scores: Vec<f64> = self.chapters.iter().filter_map(|chapter| chapter.score).collect();
        (!scores.is_empty()).then(|| scores.iter().sum::<f64>() / scores.len() as f64)
    }

    /// The change of the score per chapter, by least squares; `None` with fewer than three scores.
    pub fn trend(&self) -> Option<f64> {
        let points: Vec<(f64, f64)> =
            (0u32..).zip(&self.chapters).filter_map(|(at, chapter)| Some((f64::from(at), chapter.score?))).collect();
        if points.len() < 3 {
            return None;
        }
        let n = points.len() as f64;
        let (x, y) = points.iter().fold((0.0, 0.0), |(x, y), point| (x + point.0 / n, y + point.1 / n));
        let across: f64 = points.iter().map(|point| (point.0 - x) * (point.1 - y)).sum();
        let along: f64 = points.iter().map(|point| (point.0 - x).powi(2)).sum();
        Some(across / along)
    }
}

#[cfg(test)]
impl QualityBrief {
    /// A brief of these chapters, the first and the last, with nothing but how the style has drifted.
    pub(crate) fn sample(ends: [u32; 2], drift: DriftCheck) -> Self {
        let [first, last] = ends.map(|chapter| ChapterNo::new(chapter).unwrap());
        Self {
            first,
            last,
            chapters: Vec::new(),
            mean_before: None,
            style: Vec::new(),
            beats: Vec::new(),
            worn: Vec::new(),
            shared: Vec::new(),
            reader: ReaderLedger::default(),
            drift,
            listed: Vec::new(),
            threads: Vec::new(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn figures(chapter: u32, score: Option<f64>) -> ChapterFigures {
        ChapterFigures {
            chapter: ChapterNo::new(chapter).unwrap(),
            text: "0".repeat(40).parse().unwrap(),
            score,
            gate: Some(Gate::Pass),
            revisions: 0,
            violations: Vec::new(),
            ai_phrases: 0.0,
            recycled: 0.0,
        }
    }

    fn brief(scores: [Option<f64>; 5]) -> QualityBrief {
        let drift = DriftCheck {
            against_first: None,
            against_last: None,
            delta: 0.0,
            level: 0.0,
            alarm: false,
            moved: Vec::new(),
            corrections: Vec::new(),
            file: DriftFile::Absent,
        };
        let chapters = (1..).zip(scores).map(|(chapter, score)| figures(chapter, score)).collect();
        QualityBrief { chapters, ..QualityBrief::sample([1, 5], drift) }
    }

    #[test]
    fn blocks_end_with_every_fifth_chapter() {
        let last = |chapters: u32| last_of_block(chapters).map(ChapterNo::get);
        assert_eq!([0, 4, 5, 9, 10, 12].map(last), [None, None, Some(5), Some(5), Some(10), Some(10)]);
    }

    #[test]
    fn mean_and_trend_pass_over_chapters_without_a_score() {
        let rising = brief([Some(3.0), Some(3.5), None, Some(4.5), Some(5.0)]);
        assert_eq!(rising.mean(), Some(4.0));
        assert!((rising.trend().unwrap() - 0.5).abs() < 1e-9);
        let lone = brief([None, None, Some(4.0), None, None]);
        assert_eq!((lone.mean(), lone.trend()), (Some(4.0), None));
        assert_eq!(brief([None; 5]).mean(), None);
    }

    #[test]
    fn a_figure_is_told_in_its_own_spread() {
        let figure = StyleFigure {
            measure: StyleMeasure::Commas,
            now: 3.0,
            baseline: Some(2.0),
            spread: Some(5f64.sqrt() / 2.0),
            human: None,
        };
        assert!((figure.z().unwrap() - 2.0).abs() < 1e-9);
        assert_eq!(StyleFigure { spread: Some(0.0), ..figure }.z(), None);
        assert_eq!(StyleFigure { baseline: None, ..figure }.z(), None);
    }

    #[test]
    fn help_is_a_revision_or_the_authors_word() {
        assert!(!figures(1, None).needed_help());
        assert!(ChapterFigures { revisions: 1, ..figures(1, None) }.needed_help());
        assert!(ChapterFigures { gate: Some(Gate::AuthorPass), ..figures(1, None) }.needed_help());
    }

    #[test]
    fn three_scores_are_enough_for_a_trend() {
        let trend = |scores| brief(scores).trend();
        assert!((trend([Some(3.0), Some(4.0), Some(4.5), None, None]).unwrap() - 0.75).abs() < 1e-9);
        assert_eq!(trend([Some(3.0), Some(4.0), None, None, None]), None);
    }

    #[test]
    fn shares_are_shown_in_per_cent_and_other_figures_as_they_are() {
        use StyleMeasure::{Commas, Dialogue, Recycled, SentenceLength, ShortSentences, Skeletons};
        for share in [Dialogue, Recycled, ShortSentences, Skeletons] {
            assert_eq!(share.shown(0.256), "25.6%");
        }
        assert_eq!((Commas.shown(1.25), SentenceLength.shown(18.04)), ("1.2".to_owned(), "18.0".to_owned()));
        let names: std::collections::BTreeSet<&str> =
            StyleMeasure::ALL.iter().map(|measure| measure.in_chinese()).collect();
        assert!(names.len() == StyleMeasure::ALL.len() && !names.contains(""), "{names:?}");
    }
}
