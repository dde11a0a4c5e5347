//! `quality/vol-01/chapter-005-quality.json`: the brief on five chapters.

use super::json::{self, Disk};
use super::{FormatError, as_text};
use crate::domain::chapter::gate::Gate;
use crate::domain::chapter::reader::{OpenQuestion, PacingFlag, ReaderLedger};
use crate::domain::chapter::reader_note::{ChapterKind, Hook};
use crate::domain::quality::{
    ChapterFigures, DriftCheck, DriftFile, EdgeShape, OpenThread, Pattern, QualityBrief, SharedPassage, StyleFigure,
    StyleMeasure, Worn, WornKind,
};
use crate::domain::volume::inventory::Standing;
use crate::domain::{ChapterNo, ContentId, Slug};
use serde::{Deserialize, Serialize};

#[derive(Serialize, Deserialize)]
struct BriefDisk {
    #[serde(with = "as_text::chapter")]
    first_chapter: ChapterNo,
    #[serde(with = "as_text::chapter")]
    last_chapter: ChapterNo,
    /// For readers of the file; the program counts it from the chapters.
    #[serde(default)]
    mean_score: Option<f64>,
    #[serde(default)]
    mean_before: Option<f64>,
    chapters: Vec<ChapterDisk>,
    #[serde(default)]
    style: Vec<FigureDisk>,
    #[serde(default)]
    beats: Vec<BeatDisk>,
    #[serde(default)]
    worn: Vec<WornDisk>,
    #[serde(default)]
    shared_passages: Vec<SharedDisk>,
    #[serde(default)]
    open_questions: Vec<QuestionDisk>,
    #[serde(default)]
    pacing: Vec<FlagDisk>,
    drift: DriftDisk,
    #[serde(default)]
    listed: Vec<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    foreshadowing: Vec<ThreadDisk>,
}

#[derive(Serialize, Deserialize)]
struct ThreadDisk {
    #[serde(with = "as_text")]
    id: Slug,
    description: String,
    #[serde(with = "as_text")]
    standing: Standing,
}

#[derive(Serialize, Deserialize)]
struct ChapterDisk {
    #[serde(with = "as_text::chapter")]
    chapter: ChapterNo,
    #[serde(with = "as_text")]
    text: ContentId,
    #[serde(default)]
    score: Option<f64>,
    #[serde(default, with = "as_text::optional")]
    gate: Option<Gate>,
    #[serde(default)]
    revisions: u32,
    #[serde(default)]
    violations: Vec<String>,
    #[serde(with = "as_text::figure")]
    ai_phrases: f64,
    #[serde(with = "as_text::figure")]
    recycled: f64,
}

#[derive(Serialize, Deserialize)]
struct FigureDisk {
    #[serde(with = "as_text")]
    id: StyleMeasure,
    #[serde(with = "as_text::figure")]
    now: f64,
    #[serde(default)]
    baseline: Option<f64>,
    #[serde(default)]
    spread: Option<f64>,
    #[serde(default)]
    human: Option<(f64, f64)>,
}

#[derive(Serialize, Deserialize)]
struct BeatDisk {
    phrase: String,
    times: usize,
}

#[derive(Serialize, Deserialize)]
struct WornDisk {
    #[serde(with = "as_text")]
    kind: WornKind,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    words: Option<String>,
    #[serde(default, with = "as_text::optional", skip_serializing_if = "Option::is_none")]
    shape: Option<EdgeShape>,
    times: usize,
    chapters: Vec<u32>,
}

#[derive(Serialize, Deserialize)]
struct SharedDisk {
    #[serde(with = "as_text::chapter")]
    chapter: ChapterNo,
    #[serde(with = "as_text::chapter")]
    earlier: ChapterNo,
    characters: usize,
    begins: String,
}

#[derive(Serialize, Deserialize)]
struct QuestionDisk {
    #[serde(with = "as_text::chapter")]
    chapter: ChapterNo,
    #[serde(with = "as_text")]
    storyline_id: Slug,
    question: String,
    later_chapters: usize,
}

#[derive(Serialize, Deserialize)]
#[serde(tag = "flag", rename_all = "snake_case")]
enum FlagDisk {
    SameHook {
        #[serde(with = "as_text")]
        hook: Hook,
        chapters: Vec<u32>,
    },
    SameKind {
        #[serde(with = "as_text")]
        chapter_kind: ChapterKind,
        chapters: Vec<u32>,
    },
    NoPayoff {
        chapters: Vec<u32>,
    },
    Unanswered(QuestionDisk),
}

#[derive(Serialize, Deserialize)]
struct DriftDisk {
    #[serde(default, with = "as_text::optional_chapter")]
    against_first: Option<ChapterNo>,
    #[serde(default, with = "as_text::optional_chapter")]
    against_last: Option<ChapterNo>,
    #[serde(with = "as_text::figure")]
    delta: f64,
    #[serde(with = "as_text::figure")]
    level: f64,
    alarm: bool,
    #[serde(default, with = "as_text::list")]
    moved: Vec<StyleMeasure>,
    #[serde(default)]
    corrections: Vec<String>,
    #[serde(with = "as_text")]
    file: DriftFile,
}

impl Disk for BriefDisk {}

pub fn read(bytes: &[u8]) -> Result<QualityBrief, FormatError> {
    let disk: BriefDisk = json::read(bytes)?;
    Ok(QualityBrief {
        first: disk.first_chapter,
        last: disk.last_chapter,
        mean_before: disk.mean_before,
        chapters: disk.chapters.into_iter().map(ChapterDisk::value).collect(),
        style: disk.style.into_iter().map(FigureDisk::value).collect(),
        beats: disk.beats.into_iter().map(|beat| (beat.phrase, beat.times)).collect(),
        worn: disk.worn.into_iter().filter_map(WornDisk::value).collect(),
        shared: disk.shared_passages.into_iter().map(SharedDisk::value).collect(),
        reader: ReaderLedger {
            questions: disk.open_questions.into_iter().map(QuestionDisk::value).collect(),
            pacing: disk.pacing.into_iter().map(FlagDisk::value).collect(),
        },
        drift: disk.drift.value(),
        listed: disk.listed,
        threads: disk.foreshadowing.into_iter().map(ThreadDisk::value).collect(),
    })
}

#[must_use]
pub fn write(brief: &QualityBrief, previous: Option<&[u8]>) -> Vec<u8> {
    let disk = BriefDisk {
        first_chapter: brief.first,
        last_chapter: brief.last,
        mean_score: brief.mean().map(|mean| (mean * 100.0).round() / 100.0),
        mean_before: brief.mean_before,
        chapters: brief.chapters.iter().cloned().map(ChapterDisk::of).collect(),
        style: brief.style.iter().copied().map(FigureDisk::of).collect(),
        beats: brief.beats.iter().cloned().map(|(phrase, times)| BeatDisk { phrase, times }).collect(),
        worn: brief.worn.iter().cloned().map(WornDisk::of).collect(),
        shared_passages: brief.shared.iter().cloned().map(SharedDisk::of).collect(),
        open_questions: brief.reader.questions.iter().cloned().map(QuestionDisk::of).collect(),
        pacing: brief.reader.pacing.iter().cloned().map(FlagDisk::of).collect(),
        drift: DriftDisk::of(brief.drift.clone()),
        listed: brief.listed.clone(),
        foreshadowing: brief.threads.iter().cloned().map(ThreadDisk::of).collect(),
    };
    json::write(&disk, previous)
}

impl ChapterDisk {
    fn of(figures: ChapterFigures) -> Self {
        let ChapterFigures { chapter, text, score, gate, revisions, violations, ai_phrases, recycled } = figures;
        Self { chapter, text, score, gate, revisions, violations, ai_phrases, recycled }
    }

    fn value(self) -> ChapterFigures {
        let Self { chapter, text, score, gate, revisions, violations, ai_phrases, recycled } = self;
        ChapterFigures { chapter, text, score, gate, revisions, violations, ai_phrases, recycled }
    }
}

impl ThreadDisk {
    fn of(OpenThread { id, description, standing }: OpenThread) -> Self {
        Self { id, description, standing }
    }

    fn value(self) -> OpenThread {
        let Self { id, description, standing } = self;
        OpenThread { id, description, standing }
    }
}

impl FigureDisk {
    fn of(StyleFigure { measure, now, baseline, spread, human }: StyleFigure) -> Self {
        Self { id: measure, now, baseline, spread, human }
    }

    fn value(self) -> StyleFigure {
        let Self { id, now, baseline, spread, human } = self;
        StyleFigure { measure: id, now, baseline, spread, human }
    }
}

impl WornDisk {
    fn of(Worn { kind, pattern, times, chapters }: Worn) -> Self {
        let (words, shape) = match pattern {
            Pattern::Words(words) => (Some(words), None),
            Pattern::Shape(shape) => (None, Some(shape)),
        };
        Self { kind, words, shape, times, chapters: numbers_of(chapters) }
    }

    /// `None` for an entry without content.
    fn value(self) -> Option<Worn> {
        let Self { kind, words, shape, times, chapters } = self;
        let pattern = words.map(Pattern::Words).or(shape.map(Pattern::Shape))?;
        Some(Worn { kind, pattern, times, chapters: chapters_of(chapters) })
    }
}

impl SharedDisk {
    fn of(SharedPassage { chapter, earlier, letters, words }: SharedPassage) -> Self {
        Self { chapter, earlier, characters: letters, begins: words }
    }

    fn value(self) -> SharedPassage {
        let Self { chapter, earlier, characters, begins } = self;
        SharedPassage { chapter, earlier, letters: characters, words: begins }
    }
}

impl QuestionDisk {
    fn of(OpenQuestion { chapter, storyline, question, later }: OpenQuestion) -> Self {
        Self { chapter, storyline_id: storyline, question, later_chapters: later }
    }

    fn value(self) -> OpenQuestion {
        let Self { chapter, storyline_id: storyline, question, later_chapters: later } = self;
        OpenQuestion { chapter, storyline, question, later }
    }
}

impl FlagDisk {
    fn of(flag: PacingFlag) -> Self {
        match flag {
            PacingFlag::SameHook(hook, chapters) => Self::SameHook { hook, chapters: numbers_of(chapters) },
            PacingFlag::SameKind(chapter_kind, chapters) => {
                Self::SameKind { chapter_kind, chapters: numbers_of(chapters) }
            }
            PacingFlag::NoPayoff(chapters) => Self::NoPayoff { chapters: numbers_of(chapters) },
            PacingFlag::Unanswered(question) => Self::Unanswered(QuestionDisk::of(question)),
        }
    }

    fn value(self) -> PacingFlag {
        match self {
            Self::SameHook { hook, chapters } => PacingFlag::SameHook(hook, chapters_of(chapters)),
            Self::SameKind { chapter_kind, chapters } => PacingFlag::SameKind(chapter_kind, chapters_of(chapters)),
            Self::NoPayoff { chapters } => PacingFlag::NoPayoff(chapters_of(chapters)),
            Self::Unanswered(question) => PacingFlag::Unanswered(question.value()),
        }
    }
}

fn numbers_of(chapters: Vec<ChapterNo>) -> Vec<u32> {
    chapters.into_iter().map(ChapterNo::get).collect()
}

fn chapters_of(numbers: Vec<u32>) -> Vec<ChapterNo> {
    numbers.into_iter().filter_map(ChapterNo::new).collect()
}

impl DriftDisk {
    fn of(DriftCheck { against, delta, level, alarm, moved, corrections, file }: DriftCheck) -> Self {
        let (against_first, against_last) = against.unzip();
        Self { against_first, against_last, delta, level, alarm, moved, corrections, file }
    }

    fn value(self) -> DriftCheck {
        let Self { against_first, against_last, delta, level, alarm, moved, corrections, file } = self;
        DriftCheck { against: against_first.zip(against_last), delta, level, alarm, moved, corrections, file }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::format::samples;
    use proptest::collection::vec;
    use proptest::option;
    use proptest::prelude::*;
    use proptest::sample::select;

    fn chapter() -> impl Strategy<Value = ChapterNo> {
        (1u32..9_999).prop_map(|number| ChapterNo::new(number).unwrap())
    }

    fn figure() -> impl Strategy<Value = f64> {
        (-99_999i32..99_999).prop_map(|n| f64::from(n) / 1000.0)
    }

    fn of_chapter() -> impl Strategy<Value = ChapterFigures> {
        let judged = (option::of(figure()), option::of(select(Gate::ALL.to_vec())), any::<u32>());
        (chapter(), "[0-9a-f]{40}", judged, vec("[A-Z0-9-]{1,6}", 0..3), (figure(), figure())).prop_map(
            |(chapter, text, (score, gate, revisions), violations, (ai_phrases, recycled))| ChapterFigures {
                chapter,
                text: text.parse().unwrap(),
                score,
                gate,
                revisions,
                violations,
                ai_phrases,
                recycled,
            },
        )
    }

    fn worn() -> impl Strategy<Value = Worn> {
        let words = "[他没说话]{1,5}".prop_map(Pattern::Words);
        let pattern = prop_oneof![words, select(EdgeShape::ALL.to_vec()).prop_map(Pattern::Shape)];
        (select(WornKind::ALL.to_vec()), pattern, 0usize..99, vec(chapter(), 0..4))
            .prop_map(|(kind, pattern, times, chapters)| Worn { kind, pattern, times, chapters })
    }

    fn drift() -> impl Strategy<Value = DriftCheck> {
        let figures = (figure(), figure(), any::<bool>());
        let told = (vec(select(StyleMeasure::ALL.to_vec()), 0..3), vec("[句子短了。]{1,6}", 0..3));
        (option::of((chapter(), chapter())), figures, told, select(DriftFile::ALL.to_vec())).prop_map(
            |(against, (delta, level, alarm), (moved, corrections), file)| DriftCheck {
                against,
                delta,
                level,
                alarm,
                moved,
                corrections,
                file,
            },
        )
    }

    fn brief() -> impl Strategy<Value = QualityBrief> {
        let figures = (select(StyleMeasure::ALL.to_vec()), figure(), option::of(figure()), option::of(figure()));
        let style =
            (figures, option::of((figure(), figure()))).prop_map(|((measure, now, baseline, spread), human)| {
                StyleFigure { measure, now, baseline, spread, human }
            });
        let shared = (chapter(), chapter(), 0usize..999, "[雨停了]{1,4}")
            .prop_map(|(chapter, earlier, letters, words)| SharedPassage { chapter, earlier, letters, words });
        let head = (chapter(), chapter(), vec(of_chapter(), 0..3), option::of(figure()));
        let told = (vec(style, 0..3), vec(("[盯着]{1,3}", 0usize..99), 0..3), vec(worn(), 0..3), vec(shared, 0..3));
        let reader = (vec(question(), 0..3), vec(flag(), 0..3));
        let thread = (samples::slug(), "[谁来了]{1,5}", select(Standing::ALL.to_vec()))
            .prop_map(|(id, description, standing)| OpenThread { id, description, standing });
        let lists = (vec("[一丝]{1,4}", 0..3), vec(thread, 0..3));
        (head, told, reader, drift(), lists).prop_map(
            |(head, (style, beats, worn, shared), (questions, pacing), drift, (listed, threads))| {
                let (first, last, chapters, mean_before) = head;
                QualityBrief {
                    first,
                    last,
                    chapters,
                    mean_before,
                    style,
                    beats,
                    worn,
                    shared,
                    reader: ReaderLedger { questions, pacing },
                    drift,
                    listed,
                    threads,
                }
            },
        )
    }

    fn question() -> impl Strategy<Value = OpenQuestion> {
        (chapter(), samples::slug(), "[谁来了]{1,5}", 0usize..9)
            .prop_map(|(chapter, storyline, question, later)| OpenQuestion { chapter, storyline, question, later })
    }

    fn flag() -> impl Strategy<Value = PacingFlag> {
        let row = || vec(chapter(), 0..4);
        prop_oneof![
            (select(Hook::ALL.to_vec()), row()).prop_map(|(hook, row)| PacingFlag::SameHook(hook, row)),
            (select(ChapterKind::ALL.to_vec()), row()).prop_map(|(kind, row)| PacingFlag::SameKind(kind, row)),
            row().prop_map(PacingFlag::NoPayoff),
            question().prop_map(PacingFlag::Unanswered),
        ]
    }

    #[test]
    fn a_brief_without_its_lists_is_read() {
        let text = r#"{"first_chapter": 1, "last_chapter": 5, "chapters": [], "drift":
            {"delta": 0, "level": 0, "alarm": false, "file": "absent"}}"#;
        let brief = read(text.as_bytes()).unwrap();
        assert_eq!((brief.last.get(), brief.drift.against, brief.mean()), (5, None, None));
        assert!(read(text.replace("absent", "gone").as_bytes()).is_err());
    }

    proptest! {
        #[test]
        fn any_brief_survives(brief in brief()) {
            samples::survives(&brief, read, write, &[])?;
        }
    }
}
