//! Parsers of values on the command line. Each error names the understood values in both languages.

use crate::commands::prelude::*;
use crate::domain::Slug;
use crate::domain::chapter::FindingId;
use crate::domain::chapter::stage::Stage;
use crate::domain::notation::parse_numeral;
use crate::domain::volume::outline::Field;
use crate::llm::Currency;
use crate::pipeline::book::facts::When;
use crate::pipeline::book::going_back::Destination;
use crate::report::words;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use std::fmt;
use std::str::FromStr;

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct BadValue(pub(crate) Both);

impl fmt::Display for BadValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.en)
    }
}

impl std::error::Error for BadValue {}

/// A parser for one of a closed set of names, listed in help and completions.
pub(crate) fn one_of<T>(names: impl IntoIterator<Item = &'static str>) -> impl TypedValueParser<Value = T>
where
    T: FromStr + Clone + Send + Sync + 'static,
    T::Err: std::error::Error + Send + Sync + 'static,
{
    PossibleValuesParser::new(names.into_iter().collect::<Vec<_>>()).try_map(|name| name.parse::<T>())
}

/// A parser for names of several sets; the waiting question decides which set is meant.
pub(crate) fn name_of(names: Vec<&'static str>) -> impl TypedValueParser<Value = String> {
    PossibleValuesParser::new(names)
}

/// Parses `ch-012/leak/老周`.
pub(crate) fn finding(text: &str) -> Result<FindingId, BadValue> {
    text.parse().map_err(|_| BadValue(both!(write_name_that_novel_check_gives)))
}

/// A count from 1.
pub(crate) fn count(text: &str) -> Result<u32, BadValue> {
    let count = text.trim().parse().ok().filter(|n| *n > 0);
    count.ok_or_else(|| BadValue(both!(whole_number_from_one)))
}

/// The most chapters of a volume: ten times what authors plan (product document §6), so that a typing error costs
/// nothing.
pub(crate) const LARGEST_VOLUME: u32 = 500;

pub(crate) fn chapters(text: &str) -> Result<u32, BadValue> {
    let largest = LARGEST_VOLUME;
    let wrong = || BadValue(both!(volume_has_to_chapters(largest)));
    count(text).ok().filter(|n| *n <= largest).ok_or_else(wrong)
}

/// A count from 0.
pub(crate) fn count_or_none(text: &str) -> Result<u32, BadValue> {
    text.trim().parse().map_err(|_| BadValue(both!(whole_number_from_zero)))
}

/// Parses `48` or `ch-48`.
pub(crate) fn chapter(text: &str) -> Result<ChapterNo, BadValue> {
    text.parse().map_err(|_| BadValue(both!(write_chapter_as_or_ch)))
}

/// Parses `2` or `vol-02`.
pub(crate) fn volume(text: &str) -> Result<VolumeNo, BadValue> {
    text.parse().map_err(|_| BadValue(both!(write_volume_as_or_vol)))
}

pub(crate) fn slug(text: &str) -> Result<Slug, BadValue> {
    text.parse().map_err(|_| BadValue(both!(id_has_lower_case_letters_digits)))
}

/// A non-empty text of one line.
pub(crate) fn line(text: &str) -> Result<String, BadValue> {
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    if text.is_empty() { Err(BadValue(both!(it_must_not_be_empty))) } else { Ok(text) }
}

/// Marks that stand between the names of a list, or around a remark on one.
const NO_NAME: [char; 16] = ['、', '，', ',', '；', ';', '（', '）', '(', ')', '/', '=', '。', '：', ':', '|', '#'];

/// The name of a person, as outlines can have it.
pub(crate) fn person_name(text: &str) -> Result<String, BadValue> {
    let name = line(text)?;
    // 第三章, 第2卷
    let numeral = name.strip_prefix('第').and_then(|rest| rest.strip_suffix(['章', '节', '回', '卷', '集', '部']));
    let is_heading = numeral.is_some_and(|numeral| parse_numeral(numeral).is_some());
    if name.contains(NO_NAME) {
        Err(BadValue(both!(name_has_mark_of_list)))
    } else if is_heading || Field::of_label(&name).is_some() || !name.contains(char::is_alphabetic) {
        Err(BadValue(both!(name_is_number_or_label)))
    } else {
        Ok(name)
    }
}

/// An alias and the one that takes its place: `阿渡=阿舟`.
pub(crate) fn alias(text: &str) -> Result<(String, String), BadValue> {
    let (was, is) = text.split_once('=').ok_or_else(|| BadValue(both!(write_old_alias_and_new_one)))?;
    Ok((line(was)?, person_name(is)?))
}

/// The wanted words of a chapter: `2500-3500`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct WordRange {
    pub(crate) min: u32,
    pub(crate) max: u32,
}

impl FromStr for WordRange {
    type Err = BadValue;

    fn from_str(text: &str) -> Result<Self, BadValue> {
        let parsed = text.split_once('-').and_then(|(min, max)| {
            let range = Self { min: min.trim().parse().ok()?, max: max.trim().parse().ok()? };
            (range.min > 0 && range.min <= range.max).then_some(range)
        });
        parsed.ok_or_else(|| BadValue(both!(write_range_of_words_as)))
    }
}

/// An amount in dollars (`5usd`, `$0.50`, `5`) or in yuan (`20元`, `¥20`, `20cny`).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Money {
    /// In millionths of the currency's unit.
    pub(crate) micro: u64,
    pub(crate) currency: Currency,
}

/// Notations of a currency before and behind an amount, in small letters; longer forms first.
const SIGNS: [(Currency, &[&str], &[&str]); 2] = [
    (Currency::Usd, &["us$", "$", "usd"], &["usd", "美元", "美金", "$"]),
    (Currency::Cny, &["cn¥", "¥", "￥", "cny", "rmb"], &["cny", "rmb", "人民币", "块", "元"]),
];

/// The largest amount, more than any run costs.
const MOST_MONEY: f64 = 999_999_999.0;

impl Money {
    /// An amount from a file, cut to millionths.
    pub(crate) fn of(amount: f64, currency: Currency) -> Self {
        Self { micro: (amount.min(MOST_MONEY) * 1e6 + 1e-6).floor() as u64, currency }
    }

    /// The text with the default currency where it names none.
    pub(crate) fn with_currency(text: &str) -> String {
        let in_dollars = format!("{text}usd");
        // A second currency behind the first is not an amount.
        if in_dollars.parse::<Self>().is_ok() { in_dollars } else { text.to_owned() }
    }

    /// The amount in millionths of a dollar, rounded down.
    pub(crate) fn micro_usd(self, cny_per_usd: f64) -> u64 {
        match self.currency {
            Currency::Usd => self.micro,
            Currency::Cny => (self.micro as f64 / cny_per_usd).floor() as u64,
        }
    }
}

impl FromStr for Money {
    type Err = BadValue;

    fn from_str(text: &str) -> Result<Self, BadValue> {
        let wrong = || BadValue(both!(write_amount_as_usd_or_cny));
        let lower = text.trim().to_ascii_lowercase();
        let signed = SIGNS.iter().find_map(|(currency, before, behind)| {
            let bare = before.iter().find_map(|sign| lower.strip_prefix(sign));
            let bare = bare.or_else(|| behind.iter().find_map(|sign| lower.strip_suffix(sign)))?;
            Some((*currency, bare))
        });
        let (currency, bare) = signed.unwrap_or((Currency::Usd, &lower));
        let bare = bare.trim();
        let (whole, fraction) = bare.split_once('.').unwrap_or((bare, ""));
        let digits = |part: &str| part.bytes().all(|b| b.is_ascii_digit());
        if whole.is_empty() || whole.len() > 9 || fraction.len() > 6 || !digits(whole) || !digits(fraction) {
            return Err(wrong());
        }
        let whole: u64 = whole.parse().map_err(|_| wrong())?;
        let fraction: u64 = format!("{fraction:0<6}").parse().map_err(|_| wrong())?;
        Ok(Self { micro: whole * 1_000_000 + fraction, currency })
    }
}

impl fmt::Display for Money {
    /// The parsed notation: `5usd`, `0.5usd`, `20cny`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (whole, fraction) = (self.micro / 1_000_000, format!("{:06}", self.micro % 1_000_000));
        let unit = match self.currency {
            Currency::Usd => "usd",
            Currency::Cny => "cny",
        };
        match fraction.trim_end_matches('0') {
            "" => write!(f, "{whole}{unit}"),
            fraction => write!(f, "{whole}.{fraction}{unit}"),
        }
    }
}

/// Parses `1`, `true`, `yes`, `on`, and their opposites.
pub(crate) fn switch(text: &str) -> Result<bool, BadValue> {
    match text.trim().to_ascii_lowercase().as_str() {
        "1" | "true" | "yes" | "on" => Ok(true),
        "0" | "false" | "no" | "off" => Ok(false),
        _ => Err(BadValue(both!(write_true_or_false_or_yes))),
    }
}

pub(crate) fn rate(text: &str) -> Result<f64, BadValue> {
    let rate = text.trim().parse::<f64>().ok().filter(|rate| (0.01..=1000.0).contains(rate));
    rate.ok_or_else(|| BadValue(both!(write_rate_as_yuan_for_dollar)))
}

/// The currency in which money is shown: `cny` or `usd`.
pub(crate) fn currency(text: &str) -> Result<Currency, BadValue> {
    match text.trim().to_ascii_lowercase().as_str() {
        "cny" => Ok(Currency::Cny),
        "usd" => Ok(Currency::Usd),
        _ => Err(BadValue(both!(currency_is_cny_or_usd))),
    }
}

/// A duration or none: `10m`, `0`.
pub(crate) fn duration_or_none(text: &str) -> Result<Duration, BadValue> {
    let digits = text.trim().trim_end_matches(['m', 's', 'h']);
    if digits == "0" { Ok(Duration::ZERO) } else { duration(text) }
}

/// A duration: `500ms`, `90s`, `5m`, `1h`, or seconds without a unit.
pub(crate) fn duration(text: &str) -> Result<Duration, BadValue> {
    let text = text.trim();
    let units = [("ms", 1), ("s", 1000), ("m", 60_000), ("h", 3_600_000)];
    let found = units.iter().find_map(|(unit, millis)| Some((text.strip_suffix(unit)?, *millis)));
    let (digits, millis) = found.unwrap_or((text, 1000));
    let length = digits.parse::<u32>().ok().filter(|n| *n > 0).map(|n| u64::from(n) * millis);
    let wrong = || BadValue(both!(write_length_of_time_as_ms));
    length.map(Duration::from_millis).ok_or_else(wrong)
}

/// A range of chapters: `ch-40..ch-48`, `40-48`, `ch-48`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct ChapterRange {
    pub(crate) first: ChapterNo,
    pub(crate) last: ChapterNo,
}

impl FromStr for ChapterRange {
    type Err = BadValue;

    fn from_str(text: &str) -> Result<Self, BadValue> {
        let one = |text: &str| text.parse::<ChapterNo>().ok();
        // `ch-48` has a dash of its own, so a dash separates only plain numbers.
        let ends = text.split_once("..").or_else(|| text.split_once('-').filter(|(first, _)| one(first).is_some()));
        let range = match ends {
            Some((first, last)) => one(first).zip(one(last)),
            None => one(text).zip(one(text)),
        };
        range
            .filter(|(first, last)| first <= last)
            .map(|(first, last)| Self { first, last })
            .ok_or_else(|| BadValue(both!(write_chapters_as_or_ch_ch)))
    }
}

/// A set of chapters: `5-9,12`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ChapterSet(pub(crate) BTreeSet<ChapterNo>);

/// More chapters than any order has, so that a typing error does not fill the memory.
const MOST: u32 = 100_000;

impl FromStr for ChapterSet {
    type Err = BadValue;

    fn from_str(text: &str) -> Result<Self, BadValue> {
        let wrong = || BadValue(both!(write_chapters_as));
        let mut chapters = BTreeSet::new();
        for part in text.split([',', '，']).map(str::trim).filter(|part| !part.is_empty()) {
            let ChapterRange { first, last } = part.parse().map_err(|_| wrong())?;
            if last.get() - first.get() > MOST {
                return Err(wrong());
            }
            chapters.extend((first.get()..=last.get()).filter_map(ChapterNo::new));
        }
        if chapters.is_empty() { Err(wrong()) } else { Ok(Self(chapters)) }
    }
}

/// The target of a rollback: `ch-45`, `45`, `vol-2`, `ch-48/scene-2`, `world`, `plan vol-02`, a commit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum RollbackTarget {
    /// The book after the acceptance of that chapter.
    Chapter(ChapterNo),
    /// The book at the end of that volume.
    Volume(VolumeNo),
    /// The draft of the chapter in flight at the end of that scene.
    Scene(ChapterNo, u32),
    /// The book after a planning step or any other transaction.
    Other(Destination),
}

impl FromStr for RollbackTarget {
    type Err = BadValue;

    fn from_str(text: &str) -> Result<Self, BadValue> {
        let scene = |(chapter, scene): (&str, &str)| {
            Some(Self::Scene(chapter.parse().ok()?, scene.strip_prefix("scene-")?.parse().ok()?))
        };
        let words: Vec<&str> = text.split_whitespace().collect();
        let target = match words[..] {
            ["plan", volume] => volume.parse().map(|volume| Self::Other(Destination::Plan(volume))).ok(),
            [word] if word.starts_with("vol-") => word.parse().map(Self::Volume).ok(),
            [word] => word.split_once('/').map_or_else(|| Self::of_word(word), scene),
            _ => None,
        };
        target.ok_or_else(|| BadValue(both!(write_target_as_ch_vol_ch)))
    }
}

impl RollbackTarget {
    /// A chapter, a planning step, or a commit.
    fn of_word(word: &str) -> Option<Self> {
        let chapter = || word.parse().map(Self::Chapter).ok();
        let step = || word.parse().map(|step| Self::Other(Destination::Step(step))).ok();
        let commit = || match word.parse() {
            Ok(Revision::Commit(name)) => Some(Self::Other(Destination::Commit(name))),
            _ => None,
        };
        chapter().or_else(step).or_else(commit)
    }
}

/// A version of the book or of a chapter: a chapter or a commit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Revision {
    /// The chapter as accepted, or its draft while in flight.
    Chapter(ChapterNo),
    /// A commit by id, tag, branch or any other name that git understands.
    Commit(String),
}

impl FromStr for Revision {
    type Err = BadValue;

    fn from_str(text: &str) -> Result<Self, BadValue> {
        let text = text.trim();
        if let Ok(chapter) = text.parse() {
            return Ok(Self::Chapter(chapter));
        }
        // A leading dash could become an option of another program.
        if text.is_empty() || text.starts_with('-') || text.chars().any(|c| c.is_whitespace() || c.is_control()) {
            return Err(BadValue(both!(write_ch_or_commit)));
        }
        Ok(Self::Commit(text.to_owned()))
    }
}

/// A path, a name or a plot thread; the book decides whether the fact exists.
pub(crate) fn fact(text: &str) -> Result<String, BadValue> {
    let text = text.trim();
    if text.is_empty() || text.contains('@') || text.chars().any(char::is_control) {
        return Err(BadValue(both!(write_characters_lin_feng_location_display)));
    }
    Ok(words::typed(text))
}

/// A fact and a time: `characters.lin-feng@ch-30`, `林枫.location`, `@vol-2`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct FactAt {
    /// `None` for the whole state.
    pub(crate) fact: Option<String>,
    pub(crate) when: When,
}

impl FromStr for FactAt {
    type Err = BadValue;

    fn from_str(text: &str) -> Result<Self, BadValue> {
        let text = text.trim();
        let (path, time) = text.rsplit_once('@').unwrap_or((text, ""));
        let when = match time.trim() {
            "" => When::Now,
            volume if volume.starts_with("vol-") => When::Volume(self::volume(volume)?),
            time => match time.parse()? {
                Revision::Chapter(chapter) => When::Chapter(chapter),
                Revision::Commit(name) => When::Commit(name),
            },
        };
        let fact = Some(path).filter(|path| !path.trim().is_empty()).map(self::fact).transpose()?;
        Ok(Self { fact, when })
    }
}

/// A stage of a draft, as a verb (`refine`) or as its result (`refined`).
pub(crate) fn stage(text: &str) -> Result<Stage, BadValue> {
    let wrong = || {
        BadValue(Both::of(|lang| {
            let names = listed(Stage::ALL.iter().map(|stage| stage.as_str()), lang);
            say!(lang, stage_is_one_of(names))
        }))
    };
    let text = text.trim().to_ascii_lowercase();
    let done = |stage: &Stage| match stage {
        Stage::Draft => "drafted",
        Stage::Summarize => "summarized",
        Stage::Refine => "refined",
        Stage::Judge => "judged",
        Stage::Polish => "polished",
        Stage::Revise => "revised",
        Stage::Rewrite => "rewritten",
        Stage::Edit => "edited",
        Stage::ScenePlan
        | Stage::Scene
        | Stage::Rollback
        | Stage::SecondJudge
        | Stage::Decision
        | Stage::Fault
        | Stage::Partial
        | Stage::Kept => "",
    };
    Stage::ALL.iter().copied().find(|stage| text == stage.as_str() || text == done(stage)).ok_or_else(wrong)
}

/// Two stages of a chapter: `draft..refined`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct StageSpan {
    pub(crate) from: Stage,
    pub(crate) to: Stage,
}

impl FromStr for StageSpan {
    type Err = BadValue;

    fn from_str(text: &str) -> Result<Self, BadValue> {
        let (from, to) = text.split_once("..").ok_or_else(|| BadValue(both!(write_two_stages_as_draft_refined)))?;
        Ok(Self { from: stage(from)?, to: stage(to)? })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::book::work::Step;

    #[test]
    fn amounts_are_exact_and_have_their_currency() {
        use Currency::{Cny, Usd};
        let read = |text: &str| text.parse::<Money>().map(|money| (money.micro, money.currency)).ok();
        let good = [
            ("5usd", 5_000_000, Usd),
            ("$0.50", 500_000, Usd),
            ("5", 5_000_000, Usd),
            ("0.000001 USD", 1, Usd),
            ("12.", 12_000_000, Usd),
            ("3美元", 3_000_000, Usd),
            ("20元", 20_000_000, Cny),
            ("20 元", 20_000_000, Cny),
            ("¥20", 20_000_000, Cny),
            ("￥0.5", 500_000, Cny),
            ("20 CNY", 20_000_000, Cny),
            ("20人民币", 20_000_000, Cny),
        ];
        for (text, micro, currency) in good {
            assert_eq!(read(text), Some((micro, currency)), "{text}");
            assert_eq!(read(&Money { micro, currency }.to_string()), Some((micro, currency)), "{text}");
        }
        for text in ["", "usd", "元", "-1", "5eur", "0.01 dollars", "$5元", "1e3", ".5", "1.2.3", "0.0000001"] {
            assert_eq!(read(text), None, "{text}");
        }
        let twenty: Money = "20元".parse().unwrap();
        assert_eq!((twenty.micro_usd(8.0), twenty.micro_usd(7.0)), (2_500_000, 2_857_142));
        assert_eq!(Money::of(0.29, Usd).micro, 290_000);
        assert_eq!((Money::of(1e-9, Usd).micro, Money::of(1e30, Cny).micro), (0, 999_999_999_000_000));
    }

    #[test]
    fn switches_and_rates() {
        for (text, on) in [("1", true), ("TRUE", true), (" yes ", true), ("on", true), ("0", false), ("Off", false)] {
            assert_eq!(switch(text), Ok(on), "{text}");
        }
        assert!(switch("maybe").is_err() && switch("").is_err() && switch("2").is_err());
        assert_eq!(rate("7.1"), Ok(7.1));
        assert!(rate("0").is_err() && rate("seven").is_err() && rate("NaN").is_err());
        assert_eq!([duration_or_none("0"), duration_or_none("0ms")], [Ok(Duration::ZERO), Ok(Duration::ZERO)]);
        assert!(duration_or_none("-1").is_err() && duration_or_none("10m").is_ok());
    }

    #[test]
    fn chapters_in_a_row() {
        let range = |text: &str| text.parse::<ChapterRange>().map(|r| (r.first.get(), r.last.get())).ok();
        for text in ["40-48", "ch-40..ch-48", "40..48", "ch-040..48"] {
            assert_eq!(range(text), Some((40, 48)), "{text}");
        }
        assert_eq!(range("ch-48"), Some((48, 48)));
        for text in ["48-40", "", "..", "0-3", "a-b"] {
            assert_eq!(range(text), None, "{text}");
        }
    }

    #[test]
    fn targets_words_spans_and_times() {
        assert_eq!("45".parse(), Ok(RollbackTarget::Chapter(ChapterNo::new(45).unwrap())));
        assert_eq!("vol-2".parse(), Ok(RollbackTarget::Volume(VolumeNo::new(2).unwrap())));
        assert_eq!("ch-048/scene-2".parse(), Ok(RollbackTarget::Scene(ChapterNo::new(48).unwrap(), 2)));
        for text in ["ch-48/2", "ch-48/scene-", "vol-2/scene-1", "/scene-1", "ch-48/scene-1/2"] {
            assert!(text.parse::<RollbackTarget>().is_err(), "{text}");
        }
        assert!("vol-".parse::<RollbackTarget>().is_err() && "plan x".parse::<RollbackTarget>().is_err());
        let to = |destination| Ok(RollbackTarget::Other(destination));
        assert_eq!("HEAD~1".parse(), to(Destination::Commit("HEAD~1".into())));
        assert_eq!("world".parse(), to(Destination::Step(Step::World)));
        assert_eq!("plan vol-02".parse(), to(Destination::Plan(VolumeNo::new(2).unwrap())));
        assert_eq!("2500-3500".parse(), Ok(WordRange { min: 2500, max: 3500 }));
        assert!("3500-2500".parse::<WordRange>().is_err());
        assert_eq!("draft..refined".parse(), Ok(StageSpan { from: Stage::Draft, to: Stage::Refine }));
        assert!("draft".parse::<StageSpan>().is_err() && "draft..x".parse::<StageSpan>().is_err());
        assert_eq!(
            [duration("90"), duration("90s"), duration("2m")].map(Result::unwrap).map(|d| d.as_secs()),
            [90, 90, 120]
        );
        assert_eq!(duration("250ms").unwrap().as_millis(), 250);
        assert!(duration("0s").is_err() && duration("soon").is_err());
    }

    #[test]
    fn a_revision_is_a_chapter_or_something_that_git_may_know() {
        assert_eq!("48".parse(), Ok(Revision::Chapter(ChapterNo::new(48).unwrap())));
        assert_eq!("3f2a91c".parse(), Ok(Revision::Commit("3f2a91c".into())));
        assert_eq!("main~2".parse(), Ok(Revision::Commit("main~2".into())));
        for text in ["", "--output=x", "a b"] {
            assert!(text.parse::<Revision>().is_err(), "{text}");
        }
    }
}
