//! The domain's values in files: ids and names are texts, chapters and volumes are numbers. A text without a value is
//! reported with its line like any other mistake.
//! Numbers in digits of any width and in Han of any kind: read and written.

use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize};
use std::str::FromStr;

/// A text as it is, any other value as JSON.
pub fn plain(value: &serde_json::Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum BadText {
    /// No name of a closed set.
    Name {
        given: String,
        /// All names of the set, separated by commas.
        allowed: String,
    },
    /// No id.
    Id(String),
    /// No chapter.
    Chapter(String),
    /// No volume.
    Volume(String),
    /// No chapter, volume or step.
    Work(String),
    /// No id of a file's content.
    Content(String),
    /// No entry of the state.
    Entry(String),
    /// No interval of chapters.
    Interval(String),
    /// A chapter's number out of range.
    ChapterNumber,
    /// A volume's number out of range.
    VolumeNumber,
}

/// Marks a [`BadText`] in an error of serde, which carries only text.
const MARK: char = '\u{1f}';

impl BadText {
    /// The error of serde for the text.
    pub fn error<E: Error>(&self) -> E {
        E::custom(format_args!("{MARK}{}", serde_json::to_string(self).unwrap_or_default()))
    }

    /// Parses the message of an error of serde; `None` for another error.
    pub fn of_message(message: &str) -> Option<Self> {
        serde_json::from_str(message.strip_prefix(MARK)?).ok()
    }
}

pub(crate) fn parse<'de, T, D>(from: D) -> Result<T, D::Error>
where
    T: FromStr<Err: Into<BadText>>,
    D: Deserializer<'de>,
{
    String::deserialize(from)?.parse().map_err(|error: T::Err| error.into().error())
}

/// Lets a type stand in files as the text of its `Display` and `FromStr`.
macro_rules! stands_as_text {
    ($name:ty) => {
        impl serde::Serialize for $name {
            fn serialize<S: serde::Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
                to.collect_str(self)
            }
        }

        impl<'de> serde::Deserialize<'de> for $name {
            fn deserialize<D: serde::Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
                $crate::domain::notation::parse(from)
            }
        }
    };
}
pub(crate) use stands_as_text;

/// A figure, written `4` when it is whole.
pub(crate) mod figure {
    use serde::{Deserialize, Deserializer, Serializer};

    /// Whole `f64` values are exact integers up to here.
    const EXACT: f64 = 9_007_199_254_740_992.0;

    pub(crate) fn serialize<S: Serializer>(value: &f64, to: S) -> Result<S::Ok, S::Error> {
        if value.fract() == 0.0 && value.abs() <= EXACT {
            to.serialize_i64(*value as i64)
        } else {
            to.serialize_f64(*value)
        }
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<f64, D::Error> {
        f64::deserialize(from)
    }
}

/// Figures by name; `null` stands for an empty map.
pub(crate) mod figures {
    use super::or_default;
    use serde::{Deserializer, Serialize, Serializer};
    use std::collections::BTreeMap;

    #[derive(Serialize)]
    struct FigureNumber(#[serde(with = "super::figure")] f64);

    pub(crate) fn serialize<S: Serializer>(map: &BTreeMap<String, f64>, to: S) -> Result<S::Ok, S::Error> {
        to.collect_map(map.iter().map(|(name, value)| (name, FigureNumber(*value))))
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<BTreeMap<String, f64>, D::Error> {
        or_default(from)
    }
}

/// Reads `null` as the default, for fields that an author has emptied.
pub(crate) fn or_default<'de, T, D>(from: D) -> Result<T, D::Error>
where
    T: Default + Deserialize<'de>,
    D: Deserializer<'de>,
{
    Ok(Option::deserialize(from)?.unwrap_or_default())
}

/// The default of a switch that files name only where it is off.
pub(crate) const fn yes() -> bool {
    true
}

/// A whole number, blanks apart.
pub fn parse_numeral(text: &str) -> Option<u32> {
    let text: String = text.chars().filter(|c| !c.is_whitespace()).collect();
    value(&text)
}

/// The number at the beginning of the text, and what follows.
pub fn numeral(text: &str) -> Option<(u32, &str)> {
    let is_part = |c: char| digit(c).is_some() || tens(c).is_some();
    let end = text.find(|c| !is_part(c)).unwrap_or(text.len());
    let value = value(&text[..end])?;
    Some((value, &text[end..]))
}

fn digit(c: char) -> Option<u32> {
    match c {
        '0'..='9' => Some(u32::from(c) - u32::from('0')),
        '０'..='９' => Some(u32::from(c) - u32::from('０')),
        '〇' | '零' | '○' => Some(0),
        '两' | '兩' => Some(2),
        _ => ["一二三四五六七八九", "壹贰叁肆伍陆柒捌玖", "壹貳參肆伍陸柒捌玖"]
            .iter()
            .find_map(|digits| digits.chars().position(|digit| digit == c))
            .map(|at| at as u32 + 1),
    }
}

/// The value of a unit, and the tens that the character itself says: 廿 is two tens.
fn tens(c: char) -> Option<(u32, u32)> {
    match c {
        '十' | '拾' => Some((10, 1)),
        '廿' => Some((10, 2)),
        '卅' => Some((10, 3)),
        '卌' => Some((10, 4)),
        '百' | '佰' => Some((100, 1)),
        '千' | '仟' => Some((1000, 1)),
        '万' | '萬' => Some((10_000, 1)),
        _ => None,
    }
}

fn value(text: &str) -> Option<u32> {
    if text.is_empty() || text.chars().count() > 12 {
        return None;
    }
    let with = |sum: u32, digit: u32| sum.checked_mul(10)?.checked_add(digit);
    if text.chars().all(|c| digit(c).is_some()) {
        return text.chars().try_fold(0u32, |sum, c| with(sum, digit(c)?));
    }
    let is_arabic = |c: char| c.is_ascii_digit() || ('０'..='９').contains(&c);
    let (mut sum, mut last): (u32, Option<u32>) = (0, None);
    for c in text.chars() {
        match (digit(c), tens(c)) {
            (Some(digit), _) => last = Some(with(last.filter(|_| is_arabic(c)).unwrap_or(0), digit)?),
            (None, Some((unit, 1))) if unit == 10_000 => {
                sum = sum.checked_add(last.take().unwrap_or(0))?.max(1).checked_mul(unit)?;
            }
            (None, Some((unit, own))) => {
                let times = last.take().unwrap_or(1).max(1);
                sum = sum.checked_add(times.checked_mul(own)?.checked_mul(unit)?)?;
            }
            (None, None) => return None,
        }
    }
    sum.checked_add(last.unwrap_or(0)).filter(|value| *value > 0)
}

/// A number in Han characters: 12 is 十二, 105 is 一百零五. From 10,000 on, digits.
pub fn han_numeral(number: u32) -> String {
    const DIGITS: [char; 10] = ['零', '一', '二', '三', '四', '五', '六', '七', '八', '九'];
    if !(1..10_000).contains(&number) {
        return number.to_string();
    }
    let (mut out, mut is_gap) = (String::new(), false);
    for (place, unit) in [(1_000, "千"), (100, "百"), (10, "十"), (1, "")] {
        match number / place % 10 {
            0 => is_gap = !out.is_empty(),
            digit => {
                if std::mem::take(&mut is_gap) {
                    out.push(DIGITS[0]);
                }
                out.push(DIGITS[digit as usize]);
                out.push_str(unit);
            }
        }
    }
    // 十二, not 一十二.
    if (10..20).contains(&number) { out.trim_start_matches('一').to_owned() } else { out }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn numerals_of_all_kinds() {
        let table = [
            ("12", 12),
            ("０４８", 48),
            ("十", 10),
            ("十二", 12),
            ("二十", 20),
            ("一百零三", 103),
            ("一百二十", 120),
            ("两千零一", 2001),
            ("一二三", 123),
            ("二〇〇", 200),
            ("七", 7),
        ];
        for (text, number) in table {
            assert_eq!(parse_numeral(text), Some(number), "{text}");
        }
        assert_eq!(parse_numeral("道"), None);
        assert_eq!(parse_numeral(""), None);
    }

    #[test]
    fn numerals_that_no_number_holds_are_none() {
        for text in ["十99999999999", "999999999999", "九万万万万", "十九万九万九万九万九万"] {
            assert_eq!(parse_numeral(text), None, "{text}");
        }
        assert_eq!(numeral("廿三回 夜雨"), Some((23, "回 夜雨")));
    }

    #[test]
    fn numbers_are_written_as_they_are_said() {
        let numbers = [1, 10, 11, 20, 105, 110, 1_001, 1_010, 10_000];
        let said = ["一", "十", "十一", "二十", "一百零五", "一百一十", "一千零一", "一千零一十", "10000"];
        assert_eq!(numbers.map(han_numeral), said);
    }

    proptest! {
        #[test]
        fn a_written_number_is_read_as_itself(number in 1_u32..10_000) {
            prop_assert_eq!(parse_numeral(&han_numeral(number)), Some(number));
        }
    }
}
