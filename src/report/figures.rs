//! Numbers for people, in one form for both languages.

use crate::llm::{Currency, Exchange};
use crate::pipeline::Budget;
use crate::report::Lang;
use crate::report::catalogue::{grouped, say};
use std::fmt;
use std::sync::OnceLock;

const MICRO: u64 = 1_000_000;

/// `12,345`.
pub fn count(n: u64) -> String {
    grouped(&n.to_string())
}

/// Day and minute of an RFC 3339 time in its own zone: `2026-03-01 21:04`.
pub fn minute(time: &str) -> String {
    time.get(..16).unwrap_or(time).replace('T', " ")
}

/// A range of chapters: `3–7`, or `3` alone.
pub fn range<T: PartialEq + fmt::Display>(first: T, last: T) -> String {
    if first == last { first.to_string() } else { format!("{first}–{last}") }
}

/// Ascending numbers with ranges: `3-5,9`.
pub fn runs(numbers: impl Iterator<Item = u32>) -> String {
    let numbers: Vec<u32> = numbers.collect();
    let run = |run: &[u32]| match run {
        [first, .., last] => format!("{first}-{last}"),
        _ => run.iter().map(u32::to_string).collect(),
    };
    numbers.chunk_by(|a, b| a + 1 == *b).map(run).collect::<Vec<_>>().join(",")
}

/// The currency in which money is shown, and the rate that turns costs, which are counted in dollars, into yuan.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct MoneyFormat {
    /// `None` for yuan in Chinese and dollars in English.
    pub currency: Option<Currency>,
    pub cny_per_usd: f64,
}

static MONEY: OnceLock<MoneyFormat> = OnceLock::new();

/// Chooses how this process shows money, by the user's settings; the first choice stays. Without one the built-in rate and
/// the language decide.
pub fn show_money_as(format: MoneyFormat) {
    let _ = MONEY.set(format);
}

impl MoneyFormat {
    fn of_process() -> Self {
        let usual = || Self { currency: None, cny_per_usd: Exchange::shipped().cny_per_usd };
        *MONEY.get_or_init(usual)
    }

    fn currency(self, lang: Lang) -> Currency {
        self.currency.unwrap_or(lang.pick(Currency::Cny, Currency::Usd))
    }

    fn money(self, micro_usd: u64, lang: Lang) -> String {
        match self.currency(lang) {
            Currency::Usd => amount("$", micro_usd),
            Currency::Cny => amount("¥", (micro_usd as f64 * self.cny_per_usd).round() as u64),
        }
    }

    fn budget(self, budget: Budget, lang: Lang) -> String {
        let shown = self.money(budget.micro_usd, lang);
        let given = match budget.cny_per_usd {
            // Rounded, because the amount in dollars was cut to millionths.
            Some(rate) => amount("¥", (budget.micro_usd as f64 * rate).round() as u64),
            None => amount("$", budget.micro_usd),
        };
        if given.chars().next() == shown.chars().next() { given } else { format!("{given} ({shown})") }
    }
}

/// `¥4.16` in Chinese, `$0.61` in English, by the user's settings; four places below a tenth (`$0.0042`), the cost of single
/// calls.
pub fn money(micro_usd: u64, lang: Lang) -> String {
    MoneyFormat::of_process().money(micro_usd, lang)
}

/// The currency in which money is shown, as in settings.
pub fn currency(lang: Lang) -> &'static str {
    match MoneyFormat::of_process().currency(lang) {
        Currency::Usd => "usd",
        Currency::Cny => "cny",
    }
}

/// The money, or words for a price that is not known.
pub fn price(micro_usd: Option<u64>, lang: Lang) -> String {
    micro_usd.map_or_else(|| say!(lang, unknown_price).to_owned(), |micro| money(micro, lang))
}

/// The amount as it was given, and behind it the one in the currency that is shown where that is another: `¥20.00 ($2.93)`.
pub fn budget(budget: Budget, lang: Lang) -> String {
    MoneyFormat::of_process().budget(budget, lang)
}

/// An amount in millionths, behind the sign of its currency: `$1,204.00`.
fn amount(sign: &str, micro: u64) -> String {
    if micro > 0 && micro < MICRO / 10 {
        let ten_thousandths = (micro + 50) / 100;
        return if ten_thousandths == 0 { format!("<{sign}0.0001") } else { format!("{sign}0.{ten_thousandths:04}") };
    }
    let hundredths = (micro + MICRO / 200) / (MICRO / 100);
    format!("{sign}{}.{:02}", count(hundredths / 100), hundredths % 100)
}

/// `0.8s`, `42s`, `1m 23s`, `2h 05m`.
pub fn duration(ms: u64) -> String {
    let seconds = (ms + 500) / 1000;
    match seconds {
        _ if ms < 9_950 => format!("{:.1}s", ms as f64 / 1000.0),
        0..60 => format!("{seconds}s"),
        60..3600 => format!("{}m {:02}s", seconds / 60, seconds % 60),
        _ => format!("{}h {:02}m", seconds / 3600, seconds % 3600 / 60),
    }
}

/// A score with two places: `3.94`.
pub fn score(score: f64) -> String {
    format!("{score:.2}")
}

/// `part` of `whole` in whole percent; `None` for an empty whole.
pub fn percent(part: u64, whole: u64) -> Option<u64> {
    (whole > 0).then(|| (part as f64 * 100.0 / whole as f64).round_ties_even() as u64)
}

/// `part` of `whole` in whole percent: `38%`; `–` for an empty whole.
pub fn share(part: u64, whole: u64) -> String {
    percent(part, whole).map_or_else(|| "–".to_owned(), |percent| format!("{percent}%"))
}

/// A bar of at most `width` cells for `part` of `whole`; at least one cell for a part above 0.
pub fn bar(part: f64, whole: f64, width: usize) -> String {
    if whole <= 0.0 || part <= 0.0 || width == 0 {
        return String::new();
    }
    let eighths = ((part / whole).min(1.0) * width as f64 * 8.0).round().max(1.0) as usize;
    let rest = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"][eighths % 8];
    format!("{}{rest}", "█".repeat(eighths / 8))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_in_a_row_are_a_range() {
        assert_eq!(runs([3, 4, 5, 9, 11, 12].into_iter()), "3-5,9,11-12");
        assert_eq!(runs(std::iter::empty()), "");
    }

    #[test]
    fn figures_read_like_figures() {
        let counts = [0, 12, 999, 1_000, 12_345, 1_234_567].map(count);
        assert_eq!(counts, ["0", "12", "999", "1,000", "12,345", "1,234,567"]);
        let sums =
            [0, 40, 4_200, 99_999, 100_000, 610_000, 614_999, 999_999, 1_204_000_000].map(|micro| amount("$", micro));
        assert_eq!(sums, ["$0.00", "<$0.0001", "$0.0042", "$0.1000", "$0.10", "$0.61", "$0.61", "$1.00", "$1,204.00"]);
        let twenty = Budget { micro_usd: 2_932_551, cny_per_usd: Some(6.82) };
        let five = Budget { micro_usd: 5_000_000, cny_per_usd: None };
        let by_language = MoneyFormat { currency: None, cny_per_usd: 6.82 };
        assert_eq!(by_language.budget(twenty, Lang::Zh), "¥20.00");
        assert_eq!(by_language.budget(twenty, Lang::En), "¥20.00 ($2.93)");
        assert_eq!(by_language.budget(five, Lang::Zh), "$5.00 (¥34.10)");
        assert_eq!(by_language.budget(five, Lang::En), "$5.00");
        let dollars = MoneyFormat { currency: Some(Currency::Usd), ..by_language };
        assert_eq!(
            (dollars.money(34_900, Lang::Zh), by_language.money(34_900, Lang::Zh)),
            ("$0.0349".into(), "¥0.24".into())
        );
        let times = [0, 840, 9_949, 9_950, 42_000, 59_600, 83_000, 3_599_000, 7_500_000].map(duration);
        assert_eq!(times, ["0.0s", "0.8s", "9.9s", "10s", "42s", "1m 00s", "1m 23s", "59m 59s", "2h 05m"]);
        assert_eq!([share(0, 0), share(38, 100), share(1, 3)], ["–", "38%", "33%"]);
        assert_eq!(
            [percent(0, 0), percent(1, 300), percent(1, 200), percent(7, 7)],
            [None, Some(0), Some(0), Some(100)]
        );
    }

    #[test]
    fn a_bar_never_leaves_its_width_and_never_hides_something() {
        assert_eq!(bar(0.0, 10.0, 8), "");
        assert_eq!(bar(0.001, 10.0, 8), "▏");
        assert_eq!(bar(5.0, 10.0, 8), "████");
        assert_eq!(bar(99.0, 10.0, 8), "████████");
    }
}
