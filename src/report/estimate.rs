//! Likely costs beside options.

use crate::domain::book::log::dollars;
use crate::pipeline::book::estimate::Price;
use crate::report::prelude::*;

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
