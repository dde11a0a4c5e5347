//! `quality/vol-01/chapter-005-quality.json`: the brief on five chapters.

use crate::domain::chapter::summary::ReaderLedger;
use crate::domain::quality::QualityBrief;
use crate::store::format::json::Disk;
use serde_json::{Map, Value};

impl Disk for QualityBrief {
    fn read_parts(text: &str) -> serde_json::Result<()> {
        serde_json::from_str::<ReaderLedger>(text).map(drop)
    }

    fn add_sums(&self, fields: &mut Map<String, Value>) {
        fields.insert("mean_score".into(), self.mean().map(|mean| (mean * 100.0).round() / 100.0).into());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::ChapterNo;
    use crate::domain::chapter::Gate;
    use crate::domain::chapter::summary::{ChapterKind, Hook, OpenQuestion, PacingFlag};
    use crate::domain::quality::{
        Beat, ChapterFigures, DriftCheck, DriftFile, EdgeShape, OpenThread, Pattern, SharedPassage, StyleFigure,
        StyleMeasure, Worn, WornKind,
    };
    use crate::domain::volume::inventory::Standing;
    use crate::store::format::json::{read, write};
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
                against_first: against.unzip().0,
                against_last: against.unzip().1,
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
        let beat = ("[盯着]{1,3}", 0usize..99).prop_map(|(phrase, times)| Beat { phrase, times });
        let head = (chapter(), chapter(), vec(of_chapter(), 0..3), option::of(figure()));
        let told = (vec(style, 0..3), vec(beat, 0..3), vec(worn(), 0..3), vec(shared, 0..3));
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
        let brief: QualityBrief = read(text.as_bytes()).unwrap();
        assert_eq!((brief.last.get(), brief.drift.against(), brief.mean()), (5, None, None));
        assert!(read::<QualityBrief>(text.replace("absent", "gone").as_bytes()).is_err());
    }

    proptest! {
        #[test]
        fn any_brief_survives(brief in brief()) {
            samples::survives(&brief, read, write, &[])?;
        }
    }
}
