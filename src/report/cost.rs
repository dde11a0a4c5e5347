//! The costs of calls: the answer of `novel cost`.

use crate::domain::book::work::{Part, Work};
use crate::domain::id::named;
use crate::pipeline::book::estimate::Price;
use crate::report::lang;
use crate::report::prelude::*;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
pub struct CostSum {
    pub calls: u64,
    /// Cached tokens included.
    pub input_tokens: u64,
    /// The part of `input_tokens` that was read from the provider's cache.
    pub cached_tokens: u64,
    /// The part of `input_tokens` that was written to the provider's cache.
    pub cache_write_tokens: u64,
    pub output_tokens: u64,
    /// The known costs in millionths of a US dollar; dollars in JSON.
    #[serde(rename = "known_cost_usd", serialize_with = "dollars::sum")]
    pub cost_micro_usd: u64,
    pub unknown_cost_calls: u64,
    pub estimated_calls: u64,
}

impl CostSum {
    #[must_use]
    pub fn and(self, other: Self) -> Self {
        Self {
            calls: self.calls + other.calls,
            input_tokens: self.input_tokens + other.input_tokens,
            cached_tokens: self.cached_tokens + other.cached_tokens,
            cache_write_tokens: self.cache_write_tokens + other.cache_write_tokens,
            output_tokens: self.output_tokens + other.output_tokens,
            cost_micro_usd: self.cost_micro_usd + other.cost_micro_usd,
            unknown_cost_calls: self.unknown_cost_calls + other.unknown_cost_calls,
            estimated_calls: self.estimated_calls + other.estimated_calls,
        }
    }
}

named! {
    /// The unit of the rows.
    pub enum By {
        Chapter = "chapter",
        Stage = "stage",
        Model = "model",
        Volume = "volume",
    }
}

/// Costs, a row per chapter, stage, model or volume.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Costs {
    pub by: By,
    pub rows: Vec<CostRow>,
    pub ahead: WorkAhead,
}

/// The part of the costs that is of drafts begun before their turn.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
pub struct WorkAhead {
    /// Of drafts that chapters went on from, or still may.
    pub kept: CostSum,
    /// Of drafts that were put aside because the chapter before became another.
    pub lost: CostSum,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct CostRow {
    /// The chapter, stage, model or volume.
    pub name: String,
    #[serde(flatten)]
    pub sum: CostSum,
}

/// Chapters or volumes with rows of their own in brief; the earlier ones share a row.
const ROWS: usize = 30;

impl Costs {
    pub fn total(&self) -> CostSum {
        self.rows.iter().fold(CostSum::default(), |total, row| total.and(row.sum))
    }

    /// The JSON document: the rows and their total.
    pub fn json(&self) -> Result<String, serde_json::Error> {
        #[derive(Serialize)]
        struct Border<'a> {
            #[serde(flatten)]
            costs: &'a Costs,
            total: CostSum,
        }
        lang::document(&Border { costs: self, total: self.total() })
    }

    /// The number of first rows that share one. Stages and models are not ordered by time.
    fn summed_up(&self, extent: Extent) -> usize {
        match (extent, self.by) {
            (Extent::Brief, By::Chapter | By::Volume) if self.rows.len() > ROWS => self.rows.len() - ROWS + 1,
            _ => 0,
        }
    }

    /// The name of a row; stages, plans, reviews and steps of planning in words.
    fn named(&self, row: &CostRow, lang: Lang) -> String {
        let words = match (self.by, row.name.parse::<Work>()) {
            (By::Stage, _) => row.name.parse::<Part>().ok().map(|part| part.say(lang).to_owned()),
            (By::Chapter | By::Volume, Ok(Work::Step(step))) => Some(step.say(lang).to_owned()),
            (By::Chapter, Ok(Work::Plan(volume))) => Some(say!(lang, cost_of_plan(volume))),
            (By::Chapter, Ok(Work::Review(volume))) => Some(say!(lang, cost_of_review(volume))),
            _ => None,
        };
        words.unwrap_or_else(|| row.name.clone())
    }

    /// A table with the total, and what the total leaves out.
    pub fn text(&self, lang: Lang, columns: usize, extent: Extent) -> String {
        let first = match self.by {
            By::Chapter => say!(lang, cost_chapter),
            By::Stage => say!(lang, stage),
            By::Model => say!(lang, model),
            By::Volume => say!(lang, cost_volume),
        };
        let headings = std::iter::once(first).chain(say!(lang, cost_columns).split('|'));
        let mut table = Table::new(headings, "lrrrrr", 0).yielding(16, [3, 1]);
        let (earlier, shown) = self.rows.split_at(self.summed_up(extent));
        if let [first, .., last] = earlier {
            let sum = earlier.iter().fold(CostSum::default(), |total, row| total.and(row.sum));
            table.row(cells(&figures::range(&self.named(first, lang), &self.named(last, lang)), sum, false, lang));
        }
        for row in shown {
            table.row(cells(&self.named(row, lang), row.sum, false, lang));
        }
        let total = self.total();
        if self.rows.len() != 1 {
            table.row(cells(say!(lang, total), total, true, lang));
        }
        let mut out = table.text(columns);
        if !earlier.is_empty() {
            out.push_str(&format!("{}\n", paint(DIM, say!(lang, cost_all_has_a_row_for_each))));
        }
        let WorkAhead { kept, lost } = self.ahead;
        if kept.calls + lost.calls > 0 {
            let cost = figures::money(lost.cost_micro_usd, lang);
            let line = say!(lang, calls_ahead_kept_and_lost(kept = kept.calls, lost = lost.calls, cost));
            out.push_str(&format!("{line}\n"));
        }
        let n = total.cache_write_tokens;
        if n > 0 {
            out.push_str(&format!("{}\n", say!(lang, tokens_written_to_the_cache(n = figures::count(n)))));
        }
        let n = total.unknown_cost_calls;
        if n > 0 {
            out.push_str(&format!("{}\n", paint(WARN, &say!(lang, not_in_it_of_unknown_price(n)))));
        }
        let n = total.estimated_calls;
        if n > 0 {
            out.push_str(&format!("{}\n", paint(DIM, &say!(lang, tokens_are_estimated_for(n)))));
        }
        out
    }
}

fn cells(name: &str, sum: CostSum, strong: bool, lang: Lang) -> Vec<Cell> {
    let mut cost = figures::money(sum.cost_micro_usd, lang);
    if sum.unknown_cost_calls > 0 {
        cost.push_str(" + ?");
    }
    let texts = [
        name.to_owned(),
        figures::count(sum.calls),
        figures::count(sum.input_tokens),
        figures::share(sum.cached_tokens, sum.input_tokens),
        figures::count(sum.output_tokens),
        cost,
    ];
    texts.into_iter().map(|text| if strong { Cell::painted(STRONG, text) } else { text.into() }).collect()
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Estimate {
    /// `none` without a call, `free`, `about` or `unknown`.
    pub price: &'static str,
    /// Millionths of a US dollar, dollars in JSON; only for `about`.
    #[serde(rename = "cost_usd", serialize_with = "dollars::serialize")]
    pub micro_usd: Option<u64>,
}

impl Estimate {
    /// `None` where no model is called.
    pub fn of(price: Option<Price>) -> Self {
        let (price, micro_usd) = match price {
            None => ("none", None),
            Some(Price::Free) => ("free", None),
            Some(Price::About(micro)) => ("about", Some(micro)),
            Some(Price::Unknown) => ("unknown", None),
        };
        Self { price, micro_usd }
    }

    /// The price behind an option; empty where no model is called.
    pub(super) fn text(self, lang: Lang) -> String {
        match (self.price, self.micro_usd) {
            (_, Some(micro)) => say!(lang, about(money = figures::money(micro, lang))),
            ("free", _) => say!(lang, free).to_owned(),
            ("unknown", _) => say!(lang, estimate_unknown_cost).to_owned(),
            _ => String::new(),
        }
    }
}
