//! The cost of a call. Prices are dated, embedded, and can be overridden; an unknown price never counts as zero.

use crate::llm::endpoint::Endpoint;
use crate::llm::reply::Usage;
use jiff::Timestamp;
use jiff::civil::Weekday;
use jiff::tz::Offset;
use serde::{Deserialize, Serialize};
use std::sync::LazyLock;
use thiserror::Error;

const SHIPPED: &str = include_str!("prices.toml");
const EXCHANGE: &str = include_str!("exchange.toml");

#[derive(Clone, Copy, Debug, Default, PartialEq, PartialOrd, Serialize, Deserialize)]
pub struct Cost {
    /// In US dollars, at the table's rate when the price is in another currency.
    pub usd: f64,
    /// In yuan, when the price is in yuan.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cny: Option<f64>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Currency {
    /// US dollars, the currency of logs and budgets.
    #[default]
    #[serde(rename = "USD")]
    Usd,
    #[serde(rename = "CNY")]
    Cny,
}

/// The dated rate between dollars and yuan.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Exchange {
    pub cny_per_usd: f64,
    /// `YYYY-MM-DD`.
    pub as_of: String,
}

impl Exchange {
    #[expect(clippy::expect_used, reason = "a constant that a test reads")]
    pub fn shipped() -> &'static Self {
        static RATE: LazyLock<Exchange> =
            LazyLock::new(|| toml::from_str(EXCHANGE).expect("the shipped rate is well-formed"));
        &RATE
    }
}

#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PriceTable {
    /// The day of the prices, `YYYY-MM-DD`.
    pub as_of: String,
    exchange: Option<Exchange>,
    #[serde(default, rename = "model")]
    models: Vec<Model>,
}

#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
struct Model {
    name: String,
    #[serde(default)]
    aliases: Vec<String>,
    #[serde(default)]
    currency: Currency,
    tiers: Vec<Tier>,
    off_peak: Option<Rates>,
}

#[derive(Clone, Copy, Debug, PartialEq, Deserialize)]
struct Tier {
    up_to: Option<u64>,
    #[serde(flatten)]
    rates: Rates,
}

/// The price of a million tokens, in the model's currency.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize)]
struct Rates {
    input: f64,
    output: f64,
    cache_read: Option<f64>,
    cache_write: Option<f64>,
}

#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum PriceError {
    /// The table is not TOML of the right form.
    #[error("the price table cannot be read: {0}")]
    Malformed(String),
    #[error("the price of `{0}` is not a price")]
    NotAPrice(String),
    /// An exchange rate is not a positive number.
    #[error("the exchange rate is not a rate")]
    NotARate,
}

impl PriceTable {
    #[expect(clippy::expect_used, reason = "a constant that a test reads")]
    pub fn shipped() -> &'static Self {
        static TABLE: LazyLock<PriceTable> = LazyLock::new(|| {
            let table = PriceTable::parse(SHIPPED).expect("the shipped price table is well-formed");
            PriceTable { exchange: Some(Exchange::shipped().clone()), ..table }
        });
        &TABLE
    }

    pub fn parse(toml: &str) -> Result<Self, PriceError> {
        let table: Self = toml::from_str(toml).map_err(|error| PriceError::Malformed(error.message().to_owned()))?;
        for model in &table.models {
            let sound = |price: f64| price.is_finite() && price >= 0.0;
            let rates = model.tiers.iter().map(|tier| tier.rates).chain(model.off_peak);
            let all_sound = rates.into_iter().all(|rates| {
                sound(rates.input)
                    && sound(rates.output)
                    && rates.cache_read.is_none_or(sound)
                    && rates.cache_write.is_none_or(sound)
            });
            if !all_sound {
                return Err(PriceError::NotAPrice(model.name.clone()));
            }
        }
        match &table.exchange {
            Some(exchange) if !is_rate(exchange.cny_per_usd) => Err(PriceError::NotARate),
            _ => Ok(table),
        }
    }

    /// The shipped table has a rate, and an override without one keeps it.
    pub fn exchange(&self) -> Exchange {
        let none = || Exchange { cny_per_usd: 1.0, as_of: self.as_of.clone() };
        self.exchange.clone().unwrap_or_else(none)
    }

    /// Replaces the rate, with `as_of` as its source. A rate that is not positive is ignored.
    #[must_use]
    pub fn with_rate(self, cny_per_usd: f64, as_of: impl Into<String>) -> Self {
        if !is_rate(cny_per_usd) {
            return self;
        }
        Self { exchange: Some(Exchange { cny_per_usd, as_of: as_of.into() }), ..self }
    }

    /// Puts a user's prices before those of this table.
    pub fn with_overrides(self, toml: &str) -> Result<Self, PriceError> {
        let mut table = Self::parse(toml)?;
        table.models.extend(self.models);
        table.exchange = table.exchange.or(self.exchange);
        Ok(table)
    }

    /// The cost of a call at the dearest time of day; `None` when the model's price is not known.
    pub fn cost(&self, usage: &Usage, model: &str) -> Option<Cost> {
        self.price(usage, model, None)
    }

    /// The cost of a call at a point in time. A public holiday counts as its weekday, which errs on the dear side.
    pub fn cost_at(&self, usage: &Usage, model: &str, at: Timestamp) -> Option<Cost> {
        self.price(usage, model, Some(at))
    }

    /// The cost of a call to an endpoint; nothing at a free one.
    pub fn cost_on(&self, endpoint: &Endpoint, usage: &Usage, model: &str, at: Timestamp) -> Option<Cost> {
        if endpoint.free { Some(Cost::default()) } else { self.cost_at(usage, model, at) }
    }

    fn price(&self, usage: &Usage, model: &str, at: Option<Timestamp>) -> Option<Cost> {
        let known = self.find(model)?;
        let tier = known.tiers.iter().find(|tier| tier.up_to.is_none_or(|most| usage.input_tokens <= most))?;
        let rates = match (known.off_peak, at) {
            (Some(off_peak), Some(at)) if !is_peak(at) => off_peak,
            _ => tier.rates,
        };
        let fresh = usage.input_tokens.saturating_sub(usage.cached_tokens).saturating_sub(usage.cache_write_tokens);
        let amount = millions(fresh) * rates.input
            + millions(usage.cached_tokens) * rates.cache_read.unwrap_or(rates.input)
            + millions(usage.cache_write_tokens) * rates.cache_write.unwrap_or(rates.input)
            + millions(usage.output_tokens) * rates.output;
        Some(match known.currency {
            Currency::Usd => Cost { usd: amount, cny: None },
            Currency::Cny => Cost { usd: amount / self.exchange().cny_per_usd, cny: Some(amount) },
        })
    }

    /// Finds a model by its name, or by its name without the prefix of relays and the date of vendors.
    fn find(&self, model: &str) -> Option<&Model> {
        let of =
            |name: &str| self.models.iter().find(|known| known.name == name || known.aliases.iter().any(|a| a == name));
        let bare = model.rsplit('/').next().unwrap_or(model);
        of(model).or_else(|| of(bare)).or_else(|| of(undated(bare)))
    }
}

fn is_rate(rate: f64) -> bool {
    rate.is_finite() && rate > 0.0
}

/// Removes a date or `latest` at the end of a model's name: `claude-opus-5-5-20260930`, `gpt-6.1-sol-2026-10-01`,
/// `qwen3.8-max-latest`, `claude-opus-5-5@20260930`. Other endings name other models.
fn undated(model: &str) -> &str {
    if let Some(name) = model.strip_suffix("-latest") {
        return name;
    }
    let name = model.trim_end_matches(|c: char| c.is_ascii_digit() || c == '-' || c == '@');
    let (Some(tail), true) = (model.get(name.len()..), name.len() < model.len()) else { return model };
    // Only the last eight digits, with or without dashes, are a date: others are the model's version.
    for length in [8, 10] {
        let Some((head, date)) = tail.len().checked_sub(length).and_then(|at| tail.split_at_checked(at)) else {
            continue;
        };
        let is_date = date.chars().filter(char::is_ascii_digit).count() == 8 && date.starts_with("20");
        if is_date && head.ends_with(['-', '@']) {
            return &model[..name.len() + head.len() - 1];
        }
    }
    model
}

#[expect(clippy::cast_precision_loss, reason = "far below 2^52 tokens")]
fn millions(tokens: u64) -> f64 {
    tokens as f64 / 1e6
}

/// DeepSeek's dear hours: 09:00–12:00 and 14:00–18:00 in Beijing on weekdays.
fn is_peak(at: Timestamp) -> bool {
    let beijing = Offset::constant(8).to_datetime(at);
    let workday = !matches!(beijing.weekday(), Weekday::Saturday | Weekday::Sunday);
    workday && matches!(beijing.hour(), 9..12 | 14..18)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::llm::preset;

    fn usage(input: u64, cached: u64, output: u64) -> Usage {
        Usage { input_tokens: input, cached_tokens: cached, output_tokens: output, ..Usage::default() }
    }

    fn cost(usage: Usage, model: &str) -> Option<f64> {
        PriceTable::shipped().cost(&usage, model).map(|cost| (cost.usd * 1e9).round() / 1e9)
    }

    #[test]
    fn cached_tokens_are_cheaper_and_written_ones_dearer() {
        assert_eq!(cost(usage(1_000_000, 0, 0), "claude-opus-5-5"), Some(4.0));
        assert_eq!(cost(usage(1_000_000, 1_000_000, 0), "claude-opus-5-5"), Some(0.2));
        let written = Usage { cache_write_tokens: 500_000, ..usage(1_000_000, 0, 100_000) };
        assert_eq!(cost(written, "claude-opus-5-5"), Some(2.0 + 2.5 + 2.0));
    }

    #[test]
    fn long_prompts_have_their_own_price_or_none() {
        assert_eq!(cost(usage(100_000, 0, 0), "claude-haiku-5-5"), Some(0.01));
        assert_eq!(cost(usage(100_001, 0, 0), "claude-haiku-5-5"), Some(0.050_000_5));
        assert_eq!(cost(usage(300_000, 0, 0), "qwen3.7-plus"), None);
    }

    #[test]
    fn an_unknown_price_is_not_zero_but_a_local_call_is() {
        let table = PriceTable::shipped();
        assert_eq!(table.cost(&usage(1, 0, 1), "nobody-1"), None);
        let local = preset::find("ollama").unwrap().endpoint("nobody-1", None);
        assert_eq!(table.cost_on(&local, &usage(9, 0, 9), "nobody-1", Timestamp::UNIX_EPOCH), Some(Cost::default()));
    }

    #[test]
    fn dated_and_relayed_names_are_recognised_and_others_are_not() {
        let table = PriceTable::shipped();
        let name = |model: &str| table.find(model).map(|known| known.name.clone());
        for model in ["claude-opus-5-5-20260930", "anthropic/claude-opus-5-5", "claude-opus-5-5@20260930"] {
            assert_eq!(name(model).as_deref(), Some("claude-opus-5-5"), "{model}");
        }
        assert_eq!(name("gpt-6.1-sol-2026-10-01").as_deref(), Some("gpt-6.1-sol"));
        assert_eq!(name("qwen3.8-max-latest").as_deref(), Some("qwen3.8-max"));
        assert_eq!(name("kimi-k3-turbo"), None);
        assert_eq!(name("claude-opus-5"), None);
    }

    #[test]
    fn the_time_of_day_counts_where_the_vendor_counts_it() {
        let table = PriceTable::shipped();
        let at =
            |time: &str| table.cost_at(&usage(1_000_000, 0, 0), "deepseek-flash", time.parse().unwrap()).unwrap().cny;
        assert_eq!(at("2026-11-03T10:00:00+08:00"), Some(2.0));
        assert_eq!(at("2026-11-03T13:00:00+08:00"), Some(1.0));
        assert_eq!(at("2026-11-07T10:00:00+08:00"), Some(1.0));
        assert_eq!(table.cost(&usage(1_000_000, 0, 0), "deepseek-flash").unwrap().cny, Some(2.0));
    }

    #[test]
    fn the_users_prices_go_first() {
        let mine = "as_of = \"2026-12-01\"\n[[model]]\nname = \"kimi-k3\"\ntiers = [{ input = 1, output = 2 }]\n";
        let table = PriceTable::shipped().clone().with_overrides(mine).unwrap();
        assert_eq!(table.cost(&usage(1_000_000, 1_000_000, 0), "kimi-k3"), Some(Cost { usd: 1.0, cny: None }));
        assert!(table.cost(&usage(1, 0, 0), "qwen3.8-max").is_some());
        assert_eq!(table.as_of, "2026-12-01");
        let negative = mine.replace("input = 1", "input = -1");
        assert_eq!(PriceTable::parse(&negative), Err(PriceError::NotAPrice("kimi-k3".into())));
        assert!(matches!(PriceTable::parse("as_of = 1"), Err(PriceError::Malformed(_))));
    }

    #[test]
    fn prices_in_yuan_are_counted_in_dollars_at_the_dated_rate() {
        let table = PriceTable::shipped();
        assert!(table.exchange().as_of.starts_with("2026-"), "the rate is dated");
        let cost = |table: &PriceTable| table.cost(&usage(1_000_000, 0, 0), "deepseek-v4-pro").unwrap();
        let shipped = cost(table);
        assert_eq!(shipped.cny, Some(9.0));
        assert!((shipped.usd - 9.0 / table.exchange().cny_per_usd).abs() < 1e-12);
        assert!((cost(&table.clone().with_rate(9.0, "today")).usd - 1.0).abs() < 1e-12);
        assert_eq!(cost(&table.clone().with_rate(0.0, "today")), shipped);
        let mine = "as_of = \"2026-12-01\"\n[exchange]\ncny_per_usd = 7.5\nas_of = \"2026-12-01\"\n[[model]]\n\
                    name = \"m\"\ncurrency = \"CNY\"\ntiers = [{ input = 15, output = 2 }]\n";
        let table = table.clone().with_overrides(mine).unwrap();
        assert_eq!(table.cost(&usage(1_000_000, 0, 0), "m"), Some(Cost { usd: 2.0, cny: Some(15.0) }));
        assert!((cost(&table).usd - 9.0 / 7.5).abs() < 1e-12, "the rate holds for all prices");
        assert_eq!(PriceTable::parse(&mine.replace("7.5", "0")), Err(PriceError::NotARate));
        assert!(matches!(PriceTable::parse(&mine.replace("CNY", "EUR")), Err(PriceError::Malformed(_))));
    }
}
