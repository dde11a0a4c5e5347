//! The spread of the judge's scores in each dimension: a judge who gives all chapters nearly one score does not judge.

use super::{Record, mean};
use crate::domain::chapter::evaluation::Dimension;

/// With fewer chapters a spread says nothing.
const LEAST: usize = 5;
/// The least spread, in points, of a judge who tells chapters apart.
const TELLING: f64 = 0.2;

#[derive(Debug, Clone, Copy, PartialEq)]
pub struct DimensionScores {
    pub dimension: Dimension,
    /// 1 to 5.
    pub mean: f64,
    /// Standard deviation in points.
    pub spread: f64,
    pub chapters: usize,
}

impl DimensionScores {
    /// True when at least five chapters differ by less than 0.2 points.
    pub fn is_flat(&self) -> bool {
        self.chapters >= LEAST && self.spread < TELLING
    }
}

impl Record {
    /// The scores of each dimension in the order of [`Dimension::ALL`].
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
