//! How the judge's scores of each dimension lie: a judge who gives nearly the same score to every chapter does not judge.

use super::{Record, mean};
use crate::domain::chapter::evaluation::Dimension;

/// Chapters from which on a spread says something.
const LEAST: usize = 5;
/// The spread of a judge who tells chapters apart, in points.
const TELLING: f64 = 0.2;

#[derive(Debug, Clone, Copy, PartialEq)]
pub struct DimensionScores {
    pub dimension: Dimension,
    /// Their mean, 1 to 5.
    pub mean: f64,
    /// Their standard deviation, in points.
    pub spread: f64,
    /// How many chapters they are of.
    pub chapters: usize,
}

impl DimensionScores {
    /// True when five chapters or more differ by less than 0.2 points: the judge does not tell them apart.
    #[must_use]
    pub fn is_flat(&self) -> bool {
        self.chapters >= LEAST && self.spread < TELLING
    }
}

impl Record {
    /// The scores of each dimension that a judge has read for, in the order of [`Dimension::ALL`].
    #[must_use]
    pub fn dimensions(&self) -> Vec<DimensionScores> {
        let of = |dimension: &Dimension| {
            let scores: Vec<f64> = self.readings().filter_map(|report| report.scores.get(dimension).copied()).collect();
            let (middle, chapters) = mean(scores.iter().copied());
            let middle = middle?;
            let (variance, _) = mean(scores.iter().map(|score| (score - middle).powi(2)));
            Some(DimensionScores { dimension: *dimension, mean: middle, spread: variance?.sqrt(), chapters })
        };
        Dimension::ALL.iter().filter_map(of).collect()
    }
}
