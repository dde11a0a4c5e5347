//! The axis of chapters that all charts of a page share, and the frame of a chart: labels that stay, and a drawing that scrolls.

use maud::{Markup, html};

/// Pixels.
pub(super) const LANE: f64 = 26.0;
const AXIS: f64 = 20.0;
/// The width that a short book's charts fill.
const WIDE: f64 = 820.0;
/// Possible distances of the axis's numbers, in chapters.
const STEPS: [u32; 9] = [1, 2, 5, 10, 20, 50, 100, 200, 500];

pub(super) struct Scale {
    last: u32,
    step: f64,
}

impl Scale {
    /// Chapters 1 to `last`.
    pub(super) fn of(last: u32) -> Self {
        let last = last.max(1);
        Self { last, step: (WIDE / f64::from(last)).clamp(3.0, 64.0) }
    }

    /// The middle of a chapter.
    pub(super) fn at(&self, chapter: u32) -> f64 {
        self.left(chapter) + self.step / 2.0
    }

    /// The left side of a chapter, or the right side of the one before.
    pub(super) fn left(&self, chapter: u32) -> f64 {
        f64::from(chapter.clamp(1, self.last + 1) - 1) * self.step
    }

    /// The width of a bar or the size of a point.
    pub(super) fn breadth(&self) -> f64 {
        (self.step * 0.7).min(12.0)
    }

    /// A chart of `height` pixels above the axis. Each label has a lane of its own, or there is one for the whole height.
    pub(super) fn chart(&self, labels: &[String], height: f64, drawing: &Markup) -> Markup {
        let (width, lane) = (f64::from(self.last) * self.step, height / labels.len().max(1) as f64);
        let step = STEPS.into_iter().find(|step| f64::from(*step) * self.step >= 34.0).unwrap_or(1000);
        let numbers = (1..=self.last).filter(|number| *number == 1 || number % step == 0);
        html! {
            div.chart {
                div.labels { @for label in labels { div style=(format!("height:{lane}px")) title=(label) { (label) } } }
                div.scroll {
                    svg width=(width) height=(height + AXIS) role="img" {
                        (drawing)
                        @for number in numbers { text.axis x=(px(self.at(number))) y=(px(height + 14.0)) { (number) } }
                    }
                }
            }
        }
    }
}

/// A number of pixels with one digit behind the point at most, which keeps the page small.
pub(super) fn px(pixels: f64) -> String {
    let rounded = (pixels * 10.0).round() / 10.0;
    rounded.to_string()
}
