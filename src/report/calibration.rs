//! Whether the judge can be trusted: the answer of `novel doctor --judge`.

use crate::domain::book::log::dollars;
use crate::domain::chapter::calibration::{LEAST_DROP, MOST_SPREAD, Trust, missing};
use crate::domain::chapter::evaluation::Dimension;
use crate::pipeline::checks::judge_trial::TrialResult;
use crate::report::prelude::*;

#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct TextRow {
    pub text: String,
    /// The scores of the clean text, one per reading.
    pub clean: Vec<f64>,
    /// The score of the text with the flaw; null without a usable report.
    pub flawed: Option<f64>,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct DimensionRow {
    pub dimension: Dimension,
    pub trusted: bool,
    /// The smallest drop by a planted flaw, in points.
    pub drop: Option<f64>,
    /// The largest difference between readings of one text, in points.
    pub spread: Option<f64>,
    pub texts: Vec<TextRow>,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Calibration {
    pub event: &'static str,
    pub model: String,
    /// True when the judge can be trusted in every dimension.
    pub trusted: bool,
    /// The least drop by a flaw, in points.
    pub least_drop: f64,
    /// The most difference between readings of one text, in points.
    pub most_spread: f64,
    pub dimensions: Vec<DimensionRow>,
    /// Readings that gave a usable report.
    pub readings: usize,
    /// Readings without a usable report.
    pub unread: usize,
    /// Readings of an earlier, interrupted trial.
    pub resumed: usize,
    /// Millionths of a US dollar, dollars in JSON; null when a price is unknown.
    #[serde(rename = "cost_usd", serialize_with = "dollars::serialize")]
    pub cost_micro_usd: Option<u64>,
    /// The ref that keeps the replies.
    pub kept: Option<String>,
}

/// Means of three readings have more places.
fn rounded(points: f64) -> f64 {
    (points * 100.0).round() / 100.0
}

impl Calibration {
    pub fn of(result: &TrialResult) -> Self {
        let scores: Vec<_> = result.texts.iter().map(|(_, scores)| scores.clone()).collect();
        let trust = Trust::of_all(&scores);
        let row = |trust: &Trust| DimensionRow {
            dimension: trust.dimension,
            trusted: trust.is_trusted(),
            drop: trust.drop.map(rounded),
            spread: trust.spread.map(rounded),
            texts: result
                .texts
                .iter()
                .map(|(id, scores)| TextRow {
                    text: (*id).to_owned(),
                    clean: scores.clean(trust.dimension),
                    flawed: scores.flawed(trust.dimension),
                })
                .collect(),
        };
        Self {
            event: "calibration",
            model: result.model.clone(),
            trusted: trust.iter().all(Trust::is_trusted),
            least_drop: LEAST_DROP,
            most_spread: MOST_SPREAD,
            dimensions: trust.iter().map(row).collect(),
            readings: scores.iter().map(|text| text.readings.len()).sum(),
            unread: scores.iter().map(|text| missing(text).len()).sum(),
            resumed: result.resumed,
            cost_micro_usd: result.cost_micro_usd,
            kept: result.kept.clone(),
        }
    }

    /// A line per dimension, the conclusion, and the place of the replies.
    pub fn text(&self, lang: Lang, columns: usize) -> String {
        let model = paint(STRONG, &self.model);
        let verdict = match self.trusted {
            true => paint(GOOD, say!(lang, can_be_trusted)),
            false => paint(BAD, say!(lang, cannot_be_trusted_throughout)),
        };
        let mut out = say!(lang, judge(model, verdict));
        let mut table = Table::new(say!(lang, calibration_columns).split('|'), "lrrl", 3);
        let points = |value: Option<f64>| value.map_or_else(|| "-".to_owned(), |value| format!("{value:.2}"));
        for row in &self.dimensions {
            let (drop, spread) = (points(row.drop), points(row.spread));
            table.row([row.dimension.say(lang).into(), drop.into(), spread.into(), row.remark(lang)]);
        }
        out.push_str(&table.text(columns));
        out.push_str(&paint(DIM, &say!(lang, flaw_has_to_cost_points_and(drop = LEAST_DROP, spread = MOST_SPREAD))));
        out.push('\n');
        out.push_str(&self.advice(lang));
        out
    }

    fn advice(&self, lang: Lang) -> String {
        let mut out = String::new();
        if self.unread > 0 {
            out.push_str(&say!(lang, readings_gave_no_report_that_can(n = self.unread)));
        }
        if !self.trusted {
            let command = paint(HINT, "novel config set agents.judge");
            out.push_str(&say!(lang, scores_of_dimensions_marked_above_mean(command)));
        }
        let cost = self
            .cost_micro_usd
            .map_or_else(|| say!(lang, calibration_unknown_cost).to_owned(), |micro| figures::money(micro, lang));
        let (n, kept) = (self.readings + self.unread, self.kept.as_deref().unwrap_or("-"));
        out.push_str(&paint(DIM, &say!(lang, book_is_as_it_was_replies(cost, kept, n))));
        out.push('\n');
        out
    }
}

impl DimensionRow {
    /// The reason not to trust the judge in the dimension.
    fn remark(&self, lang: Lang) -> Cell {
        let blind = self.drop.is_none_or(|drop| drop < LEAST_DROP);
        let unsteady = self.spread.is_none_or(|spread| spread > MOST_SPREAD);
        match (self.trusted, self.drop.is_none() || self.spread.is_none(), blind, unsteady) {
            (true, ..) => Cell::painted(GOOD, "✓"),
            (_, true, ..) => Cell::painted(WARN, say!(lang, calibration_not_read)),
            (_, _, true, true) => Cell::painted(BAD, say!(lang, blind_and_unsteady)),
            (_, _, true, false) => Cell::painted(BAD, say!(lang, blind_to_flaw)),
            _ => Cell::painted(BAD, say!(lang, unsteady)),
        }
    }
}
