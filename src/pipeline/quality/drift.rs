//! Whether the style has moved away from the chapters before, and what becomes of `style-drift.json`.
//!
//! A check that finds nothing new is repeated against the same chapters as the one that raised the alarm: a baseline that moved
//! along would soon take the drifted chapters for the author's own. After twenty chapters it does, and the new style stands.

use crate::agents::style_corrections::{corrections, moved_figures};
use crate::domain::quality::{DriftCheck, DriftFile, LOOK_BACK, QualityBrief, StyleMeasure};
use crate::pipeline::prelude::*;
use crate::store::format::style::{Drift, MovedFigure};
use crate::text::{Comparison, LEAST_BASELINE};

/// First and last of the chapters that a block is compared with; `None` while there are too few.
pub(super) fn baseline(first: ChapterNo, before: Option<&QualityBrief>) -> Option<(ChapterNo, ChapterNo)> {
    let drifting = before.filter(|brief| brief.drift.alarm).and_then(|brief| brief.drift.against);
    let held = drifting.filter(|(_, last)| first.get() <= last.get() + LOOK_BACK);
    held.or_else(|| {
        let last = first.previous()?;
        let from = ChapterNo::new(first.get().saturating_sub(LOOK_BACK).max(1))?;
        (last.get() + 1 - from.get() >= LEAST_BASELINE as u32).then_some((from, last))
    })
}

/// The corrections in force, and what the author may have done to them.
#[derive(Debug, Clone, Copy)]
pub(super) struct Present<'a> {
    /// The brief on the five chapters before.
    pub(super) before: Option<&'a QualityBrief>,
    /// `style-drift.json` as the book has it.
    pub(super) file: Option<&'a Drift>,
}

impl Present<'_> {
    /// True when the file is as the last brief has left it.
    fn is_ours(&self) -> bool {
        let written = self.before.filter(|brief| brief.drift.file == DriftFile::Written);
        written.zip(self.file).is_some_and(|(brief, file)| brief.drift.corrections == file.corrections)
    }

    /// True when there were corrections against the drift that goes on, and the author has taken them away.
    fn is_dismissed(&self) -> bool {
        let had_file = |file: DriftFile| matches!(file, DriftFile::Written | DriftFile::Kept | DriftFile::Dismissed);
        self.file.is_none() && self.before.is_some_and(|brief| brief.drift.alarm && had_file(brief.drift.file))
    }
}

/// The check, and the file that it writes; the file goes where the check says [`DriftFile::Removed`].
pub(super) fn check(
    last: ChapterNo,
    against: Option<(ChapterNo, ChapterNo)>,
    comparison: Option<&Comparison>,
    present: Present<'_>,
) -> (DriftCheck, Option<Drift>) {
    let alarm = comparison.is_some_and(Comparison::is_alarm);
    let file = match (present.file.is_some(), alarm) {
        (true, _) if !present.is_ours() => DriftFile::Kept,
        (true, true) => DriftFile::Written,
        (true, false) => DriftFile::Removed,
        (false, false) => DriftFile::Absent,
        (false, true) if present.is_dismissed() => DriftFile::Dismissed,
        (false, true) => DriftFile::Written,
    };
    let told = comparison.filter(|_| alarm);
    let round = |value: f64| (value * 1000.0).round() / 1000.0;
    let check = DriftCheck {
        against: against.filter(|_| comparison.is_some()),
        delta: comparison.map_or(0.0, |comparison| round(comparison.delta)),
        level: comparison.map_or(0.0, |comparison| round(comparison.level)),
        alarm,
        moved: told.map(|told| moved_figures(told).iter().map(|figure| figure.measure).collect()).unwrap_or_default(),
        corrections: told.map(corrections).unwrap_or_default(),
        file,
    };
    let detected = present.file.map_or(last, |file| file.detected);
    let written = told.filter(|_| file == DriftFile::Written).map(|told| Drift {
        detected,
        deviations: deviations(told),
        corrections: check.corrections.clone(),
    });
    (check, written)
}

/// The figures that moved, by their names in the style profile.
fn deviations(comparison: &Comparison) -> Vec<MovedFigure> {
    let round = |value: f64| (value * 100.0).round() / 100.0;
    let name = |measure: StyleMeasure| match measure {
        StyleMeasure::SentenceLength => "avg_sentence_length",
        StyleMeasure::ParagraphLength => "paragraph_length_han",
        StyleMeasure::ModalParticles => "modal_particles_per_thousand",
        other => other.as_str(),
    };
    let moved = moved_figures(comparison).into_iter().map(|figure| MovedFigure {
        figure: name(figure.measure).to_owned(),
        baseline: round(figure.deviation.base),
        current: round(figure.deviation.now),
    });
    let delta = MovedFigure {
        figure: "function_characters".to_owned(),
        baseline: round(comparison.level),
        current: round(comparison.delta),
    };
    moved.chain((comparison.delta > comparison.level).then_some(delta)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::chapter::reader::ReaderLedger;
    use crate::text::{ComparedFigure, Deviation};

    fn chapter(number: u32) -> ChapterNo {
        ChapterNo::new(number).unwrap()
    }

    fn comparison(delta: f64) -> Comparison {
        let deviation = Deviation { base: 20.0, now: 12.0, relative: Some(-0.4), z: Some(-4.0 * delta) };
        let figures = vec![ComparedFigure { measure: StyleMeasure::SentenceLength, deviation, own_z: 1.0 }];
        Comparison { delta, level: 0.5, moved: vec![('，', -2.0)], figures }
    }

    fn brief(drift: DriftCheck) -> QualityBrief {
        QualityBrief {
            first: chapter(26),
            last: chapter(30),
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

    const RANGE: (u32, u32) = (6, 25);

    fn checked(delta: f64, before: Option<&QualityBrief>, file: Option<&Drift>) -> (DriftCheck, Option<Drift>) {
        let against = Some((chapter(RANGE.0), chapter(RANGE.1)));
        check(chapter(30), against, Some(&comparison(delta)), Present { before, file })
    }

    #[test]
    fn corrections_come_with_the_alarm_and_go_with_it() {
        let (alarm, written) = checked(1.0, None, None);
        assert_eq!((alarm.file, alarm.alarm, alarm.corrections.len()), (DriftFile::Written, true, 2));
        let written = written.unwrap();
        assert_eq!((written.detected, written.deviations.len()), (chapter(30), 2));
        let before = brief(alarm);
        let (goes_on, again) = checked(1.0, Some(&before), Some(&written));
        assert_eq!((goes_on.file, again.unwrap().detected), (DriftFile::Written, chapter(30)));
        let (back, none) = checked(0.1, Some(&before), Some(&written));
        assert_eq!((back.file, none), (DriftFile::Removed, None));
        assert_eq!(checked(0.1, None, None).0.file, DriftFile::Absent);
    }

    #[test]
    fn the_authors_own_corrections_stay_and_those_taken_away_stay_away() {
        let (alarm, written) = checked(1.0, None, None);
        let before = brief(alarm);
        let edited = Drift { corrections: vec!["多写雨".into()], ..written.unwrap() };
        for delta in [1.0, 0.1] {
            let (kept, none) = checked(delta, Some(&before), Some(&edited));
            assert_eq!((kept.file, none), (DriftFile::Kept, None));
        }
        let (dismissed, none) = checked(1.0, Some(&before), None);
        assert_eq!((dismissed.file, none), (DriftFile::Dismissed, None));
        let after = brief(dismissed);
        assert_eq!(checked(1.0, Some(&after), None).0.file, DriftFile::Dismissed);
        let back = brief(checked(0.1, Some(&after), None).0);
        assert_eq!(checked(1.0, Some(&back), None).0.file, DriftFile::Written);
    }

    #[test]
    fn the_baseline_holds_while_the_style_drifts_and_moves_on_after_twenty_chapters() {
        let range = |first: u32, before: Option<&QualityBrief>| {
            baseline(chapter(first), before).map(|(from, to)| (from.get(), to.get()))
        };
        assert_eq!([range(1, None), range(6, None), range(11, None)], [None, None, Some((1, 10))]);
        assert_eq!([range(26, None), range(46, None)], [Some((6, 25)), Some((26, 45))]);
        let drifting = brief(checked(1.0, None, None).0);
        assert_eq!([range(31, Some(&drifting)), range(45, Some(&drifting))], [Some(RANGE); 2]);
        assert_eq!(range(46, Some(&drifting)), Some((26, 45)));
    }
}
