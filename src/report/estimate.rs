//! Likely costs, as they stand beside what is offered.

use super::figures;
use super::lang::{Lang, say};
use crate::pipeline::book::estimate::Price;
use serde::Serialize;

/// The likely cost of an option.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Estimate {
    /// `none` where no model is asked, `free`, `about` or `unknown`.
    pub price: &'static str,
    /// About how much, in millionths of a US dollar; only for `about`.
    pub micro_usd: Option<u64>,
}

impl Estimate {
    /// The cost of an option; `None` where no model is asked.
    #[must_use]
    pub fn of(price: Option<Price>) -> Self {
        let (price, micro_usd) = match price {
            None => ("none", None),
            Some(Price::Free) => ("free", None),
            Some(Price::About(micro)) => ("about", Some(micro)),
            Some(Price::Unknown) => ("unknown", None),
        };
        Self { price, micro_usd }
    }

    /// The price behind an option; empty where no model is asked.
    pub(super) fn text(self, lang: Lang) -> String {
        match (self.price, self.micro_usd) {
            (_, Some(micro)) => {
                let money = figures::money(micro);
                say!(lang, " · 约 {money}", " · about {money}")
            }
            ("free", _) => lang.pick(" · 不花钱", " · free").to_owned(),
            ("unknown", _) => lang.pick(" · 费用未知", " · unknown cost").to_owned(),
            _ => String::new(),
        }
    }
}
