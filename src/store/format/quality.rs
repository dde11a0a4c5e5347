//! `quality/vol-01/chapter-005-quality.json`: the brief on five chapters.

use crate::domain::ChapterNo;
use crate::domain::chapter::summary::{OpenQuestion, PacingFlag, ReaderLedger};
use crate::domain::notation::{self, or_default};
use crate::domain::quality::{
    ChapterFigures, DriftCheck, DriftFile, EdgeShape, OpenThread, Pattern, QualityBrief, SharedPassage, StyleFigure,
    StyleMeasure, Worn, WornKind,
};
use crate::store::format::FormatError;
use crate::store::format::json::{self, Disk};
use serde::{Deserialize, Serialize};

#[derive(Serialize, Deserialize)]
struct BriefDisk {
    first_chapter: ChapterNo,
    last_chapter: ChapterNo,
    /// For readers of the file; the program counts it from the chapters.
    mean_score: Option<f64>,
    mean_before: Option<f64>,
    chapters: Vec<ChapterFigures>,
    #[serde(default)]
    style: Vec<StyleFigure>,
    #[serde(default)]
    beats: Vec<BeatDisk>,
    #[serde(default)]
    worn: Vec<WornDisk>,
    #[serde(default)]
    shared_passages: Vec<SharedPassage>,
    #[serde(default)]
    open_questions: Vec<OpenQuestion>,
    #[serde(default)]
    pacing: Vec<PacingFlag>,
    drift: DriftDisk,
    #[serde(default)]
    listed: Vec<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    foreshadowing: Vec<OpenThread>,
}

#[derive(Serialize, Deserialize)]
struct BeatDisk {
    phrase: String,
    times: usize,
}

#[derive(Serialize, Deserialize)]
struct WornDisk {
    kind: WornKind,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    words: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    shape: Option<EdgeShape>,
    times: usize,
    chapters: Vec<ChapterNo>,
}

#[derive(Serialize, Deserialize)]
struct DriftDisk {
    against_first: Option<ChapterNo>,
    against_last: Option<ChapterNo>,
    #[serde(with = "notation::figure")]
    delta: f64,
    #[serde(with = "notation::figure")]
    level: f64,
    alarm: bool,
    #[serde(default, deserialize_with = "or_default")]
    moved: Vec<StyleMeasure>,
    #[serde(default)]
    corrections: Vec<String>,
    file: DriftFile,
}

impl Disk for BriefDisk {}

pub fn read(bytes: &[u8]) -> Result<QualityBrief, FormatError> {
    let disk: BriefDisk = json::read(bytes)?;
    Ok(QualityBrief {
        first: disk.first_chapter,
        last: disk.last_chapter,
        mean_before: disk.mean_before,
        chapters: disk.chapters,
        style: disk.style,
        beats: disk.beats.into_iter().map(|beat| (beat.phrase, beat.times)).collect(),
        worn: disk.worn.into_iter().filter_map(WornDisk::value).collect(),
        shared: disk.shared_passages,
        reader: ReaderLedger { questions: disk.open_questions, pacing: disk.pacing },
        drift: disk.drift.value(),
        listed: disk.listed,
        threads: disk.foreshadowing,
    })
}

pub fn write(brief: &QualityBrief, previous: Option<&[u8]>) -> Vec<u8> {
    let disk = BriefDisk {
        first_chapter: brief.first,
        last_chapter: brief.last,
        mean_score: brief.mean().map(|mean| (mean * 100.0).round() / 100.0),
        mean_before: brief.mean_before,
        chapters: brief.chapters.clone(),
        style: brief.style.clone(),
        beats: brief.beats.iter().cloned().map(|(phrase, times)| BeatDisk { phrase, times }).collect(),
        worn: brief.worn.iter().cloned().map(WornDisk::of).collect(),
        shared_passages: brief.shared.clone(),
        open_questions: brief.reader.questions.clone(),
        pacing: brief.reader.pacing.clone(),
        drift: DriftDisk::of(brief.drift.clone()),
        listed: brief.listed.clone(),
        foreshadowing: brief.threads.clone(),
    };
    json::write(&disk, previous)
}

impl WornDisk {
    fn of(Worn { kind, pattern, times, chapters }: Worn) -> Self {
        let (words, shape) = match pattern {
            Pattern::Words(words) => (Some(words), None),
            Pattern::Shape(shape) => (None, Some(shape)),
        };
        Self { kind, words, shape, times, chapters }
    }

    /// `None` for an entry without content.
    fn value(self) -> Option<Worn> {
        let Self { kind, words, shape, times, chapters } = self;
        let pattern = words.map(Pattern::Words).or(shape.map(Pattern::Shape))?;
        Some(Worn { kind, pattern, times, chapters })
    }
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
    use crate::domain::chapter::Gate;
    use crate::domain::chapter::summary::{ChapterKind, Hook};
    use crate::domain::volume::inventory::Standing;
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
            (select(Hook::ALL.to_vec()), row()).prop_map(|(hook, row)| PacingFlag::SameHook { hook, chapters: row }),
            (select(ChapterKind::ALL.to_vec()), row())
                .prop_map(|(kind, row)| PacingFlag::SameKind { kind, chapters: row }),
            row().prop_map(|chapters| PacingFlag::NoPayoff { chapters }),
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
