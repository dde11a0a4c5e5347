//! The style of the whole book from its quality briefs: no score, but figures beside those of books by people.

use super::{Record, mean};
use crate::domain::quality::{StyleFigure, StyleMeasure};

#[derive(Debug, Clone, Copy, PartialEq)]
pub struct StyleLevel {
    pub measure: StyleMeasure,
    /// The mean over all briefs.
    pub mean: f64,
    pub last: f64,
    /// The range of nine tenths of the passages from books by people, if known.
    pub human: Option<(f64, f64)>,
}

impl Record {
    /// The figures of the briefs, in the order of [`StyleMeasure::ALL`].
    pub fn style(&self) -> Vec<StyleLevel> {
        let of = |measure: &StyleMeasure| {
            let figures =
                self.chapters.iter().filter_map(|chapter| chapter.style.iter().find(|one| one.measure == *measure));
            let figures: Vec<&StyleFigure> = figures.collect();
            let (middle, _) = mean(figures.iter().map(|figure| figure.now));
            let last = figures.last()?;
            Some(StyleLevel { measure: *measure, mean: middle?, last: last.now, human: last.human })
        };
        StyleMeasure::ALL.iter().filter_map(of).collect()
    }
}
