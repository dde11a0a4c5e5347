//! Trials of a judge, who has to notice a planted flaw and score one text alike twice.

use super::evaluation::Dimension;
use std::collections::{BTreeMap, BTreeSet};

/// A planted flaw has to lower the score of its dimension by at least so many points.
pub const LEAST_DROP: f64 = 0.5;
/// The most points between the highest and the lowest score in repeated readings of one text.
pub const MOST_SPREAD: f64 = 0.2;
/// Readings of a text without a flaw.
pub const CLEAN_READINGS: u32 = 3;

/// Scores have one decimal; the error of their sums is below this.
const ROUNDING: f64 = 1e-9;

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Reading {
    /// The unchanged text; readings are counted from 1.
    Clean(u32),
    Flawed(Dimension),
}

impl Reading {
    /// All readings of a text in order. Readings of the clean text stand apart, so that a server's cache does not give
    /// one answer three times.
    pub fn all() -> Vec<Self> {
        let flawed: Vec<Self> = Dimension::ALL.iter().copied().map(Self::Flawed).collect();
        let apart = flawed.len().div_ceil(CLEAN_READINGS as usize);
        let parts = flawed.chunks(apart).zip(1..);
        parts.flat_map(|(part, n)| [&[Self::Clean(n)], part].concat()).collect()
    }
}

/// The scores of one text; a reading without a usable report is missing.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct TextScores {
    pub readings: BTreeMap<Reading, BTreeMap<Dimension, f64>>,
}

impl TextScores {
    /// The scores of the clean text in the order of the readings.
    pub fn clean(&self, dimension: Dimension) -> Vec<f64> {
        let clean = self.readings.iter().filter(|(reading, _)| matches!(reading, Reading::Clean(_)));
        clean.filter_map(|(_, scores)| scores.get(&dimension).copied()).collect()
    }

    pub fn flawed(&self, dimension: Dimension) -> Option<f64> {
        self.readings.get(&Reading::Flawed(dimension))?.get(&dimension).copied()
    }

    /// Points from the mean of the clean text down to the flawed one; `None` where a score is missing.
    pub fn drop(&self, dimension: Dimension) -> Option<f64> {
        let clean = self.clean(dimension);
        let mean = clean.iter().sum::<f64>() / clean.len() as f64;
        self.flawed(dimension).filter(|_| !clean.is_empty()).map(|flawed| mean - flawed)
    }

    /// Points between the highest and the lowest score of the clean text; `None` with fewer than two readings.
    pub fn spread(&self, dimension: Dimension) -> Option<f64> {
        let clean = self.clean(dimension);
        let (low, high) = (clean.iter().copied().reduce(f64::min)?, clean.iter().copied().reduce(f64::max)?);
        (clean.len() > 1).then_some(high - low)
    }
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Trust {
    pub dimension: Dimension,
    /// The smallest drop that a planted flaw caused; `None` where a reading is missing.
    pub drop: Option<f64>,
    /// The largest spread of repeated readings; `None` where readings are missing.
    pub spread: Option<f64>,
}

impl Trust {
    pub fn of_all(texts: &[TextScores]) -> Vec<Self> {
        let of = |&dimension: &Dimension| {
            let worst = |figure: fn(&TextScores, Dimension) -> Option<f64>, pick: fn(f64, f64) -> f64| {
                let figures: Option<Vec<f64>> = texts.iter().map(|text| figure(text, dimension)).collect();
                figures?.into_iter().reduce(pick)
            };
            Self { dimension, drop: worst(TextScores::drop, f64::min), spread: worst(TextScores::spread, f64::max) }
        };
        Dimension::ALL.iter().map(of).collect()
    }

    /// True when every planted flaw was noticed.
    pub fn notices(&self) -> bool {
        self.drop.is_some_and(|drop| drop >= LEAST_DROP - ROUNDING)
    }

    /// True when repeated readings agree.
    pub fn is_steady(&self) -> bool {
        self.spread.is_some_and(|spread| spread <= MOST_SPREAD + ROUNDING)
    }

    /// True when the dimension's scores mean something.
    pub fn is_trusted(&self) -> bool {
        self.notices() && self.is_steady()
    }
}

/// The readings that gave no usable report.
pub fn missing(text: &TextScores) -> BTreeSet<Reading> {
    Reading::all().into_iter().filter(|reading| !text.readings.contains_key(reading)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A text whose clean readings score `clean` everywhere, and whose flawed ones are `flawed` in their own dimension.
    fn text(clean: [f64; 3], flawed: f64) -> TextScores {
        let even = |score: f64| Dimension::ALL.iter().map(|dimension| (*dimension, score)).collect::<BTreeMap<_, _>>();
        let readings = Reading::all().into_iter().map(|reading| match reading {
            Reading::Clean(n) => (reading, even(clean[n as usize - 1])),
            Reading::Flawed(dimension) => {
                let mut scores = even(clean[0]);
                scores.insert(dimension, flawed);
                (reading, scores)
            }
        });
        TextScores { readings: readings.collect() }
    }

    fn all(texts: &[TextScores], of: fn(&Trust) -> bool) -> bool {
        Trust::of_all(texts).iter().all(of)
    }

    #[test]
    fn a_judge_is_trusted_who_notices_flaws_and_repeats_itself() {
        assert!(all(&[text([4.2, 4.1, 4.3], 3.7), text([4.0, 4.0, 4.0], 3.5)], Trust::is_trusted));
        assert!(
            !Trust::of_all(&[text([4.2; 3], 3.0), text([4.0; 3], 3.6)]).iter().any(Trust::notices),
            "the worst text counts"
        );
        assert!(!Trust::of_all(&[text([4.0, 4.0, 4.3], 2.0)]).iter().any(Trust::is_steady));
        assert!(!Trust::of_all(&[text([4.0; 3], 4.0)]).iter().any(Trust::is_trusted), "a judge who scores all alike");
    }

    #[test]
    fn a_missing_reading_is_no_reason_for_trust() {
        let mut lacking = text([4.0; 3], 3.0);
        lacking.readings.remove(&Reading::Flawed(Dimension::Pacing));
        assert_eq!(missing(&lacking), BTreeSet::from([Reading::Flawed(Dimension::Pacing)]));
        let trust = Trust::of_all(&[lacking, text([4.0; 3], 3.0)]);
        let distrusted: Vec<Dimension> = trust.iter().filter(|of| !of.is_trusted()).map(|of| of.dimension).collect();
        assert_eq!(distrusted, [Dimension::Pacing]);
        assert!(Trust::of_all(&[]).iter().all(|of| !of.is_trusted()), "nothing was read");
    }

    #[test]
    fn readings_of_one_text_do_not_follow_each_other() {
        let all = Reading::all();
        assert_eq!(all.len(), Dimension::ALL.len() + CLEAN_READINGS as usize);
        let clean = |reading: &Reading| matches!(reading, Reading::Clean(_));
        assert!(all.windows(2).all(|pair| !(clean(&pair[0]) && clean(&pair[1]))));
    }

    #[test]
    fn one_reading_has_no_spread() {
        let mut scores = text([4.0, 4.5, 4.2], 3.0);
        assert_eq!(scores.spread(Dimension::ALL[0]), Some(0.5));
        scores.readings.retain(|reading, _| *reading == Reading::Clean(1));
        assert_eq!(scores.spread(Dimension::ALL[0]), None);
    }
}
