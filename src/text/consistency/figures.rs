//! Ages and days.
//! Numbers in a text, as far as they are exact.

use crate::domain::notation::parse_numeral;
use crate::domain::state::State;
use crate::text::chars::fold;
use crate::text::consistency::ChapterReading;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Age {
    pub id: String,
    pub years: u32,
    pub at: usize,
}

/// An age that is more than this above an earlier one is a jump: stories pass years between chapters.
const GROWS: u32 = 3;

impl Age {
    /// True when the age follows from an earlier one, with as many years told as passed.
    pub fn follows(&self, earlier: u32, passed: u32) -> bool {
        (earlier..=earlier.saturating_add(GROWS + passed)).contains(&self.years)
    }
}

/// Words behind a number of years that have passed.
const YEARS_PASS: [&str; 6] = ["年后", "年之后", "年以后", "年过去", "年光阴", "年时光"];

/// The years that the narration of a text lets pass. Years that people speak of are of other times.
pub(super) fn years_told(reading: &ChapterReading<'_>) -> u32 {
    let text = reading.of.text;
    let places = YEARS_PASS.iter().flat_map(|words| text.match_indices(words));
    let told = places.filter(|(at, _)| !reading.is_spoken(*at)).filter_map(|(at, _)| number_before(&text[..at]));
    told.filter_map(|(years, _)| u32::try_from(years).ok()).fold(0, u32::saturating_add)
}

/// Words between a name and an age.
const IS: [&str; 14] =
    ["今年", "已经", "已", "刚满", "刚", "才", "不过", "如今", "年方", "年已", "现年", "芳龄", "虚岁", "是"];
/// Words of a sentence whose age is of another time or no age of the person.
const NOT_NOW: [&str; 12] =
    ["那年", "当年", "岁时", "岁那", "岁起", "时候", "从前", "还有", "比", "以后", "之前", "岁以"];

/// The ages that a text gives to people by their names: 林枫今年十七岁, 十七岁的林枫.
pub(super) fn ages(reading: &ChapterReading<'_>) -> Vec<Age> {
    if !reading.of.text.contains('岁') {
        return Vec::new();
    }
    let mentions = reading.mentions.iter().filter(|mention| mention.ids.len() == 1);
    mentions
        .filter_map(|mention| {
            let years = age_behind(&reading.of.text[mention.range.end..])
                .or_else(|| age_in_front(&reading.of.text[..mention.range.start]))?;
            let sentence = reading.sentence_at(mention.range.start);
            let is_now = !NOT_NOW.iter().any(|word| sentence.contains(word));
            is_now.then(|| Age { id: mention.ids[0].clone(), years, at: mention.range.start })
        })
        .collect()
}

fn age_behind(rest: &str) -> Option<u32> {
    let mut rest = rest.trim_start_matches(['，', ',']);
    while let Some(after) = IS.iter().find_map(|word| rest.strip_prefix(word)) {
        rest = after;
    }
    let (years, length) = number_at(rest)?;
    rest[length..].starts_with('岁').then_some(())?;
    u32::try_from(years).ok()
}

fn age_in_front(before: &str) -> Option<u32> {
    let (years, _) = number_before(before.strip_suffix("岁的")?)?;
    u32::try_from(years).ok()
}

/// Words before a day that is the present one.
const TODAY: [&str; 8] = ["今天是", "今日是", "这天是", "这一天是", "这日是", "这一日是", "时值", "正是"];

/// The day that the narration gives as the present one, with the words and their place.
pub(super) fn day_told(reading: &ChapterReading<'_>) -> Option<(Day, String, usize)> {
    let text = reading.of.text;
    let mut places: Vec<usize> =
        TODAY.iter().flat_map(|words| text.match_indices(words).map(|(at, words)| at + words.len())).collect();
    places.sort_unstable();
    places.into_iter().filter(|at| !reading.is_spoken(*at)).find_map(|at| {
        let end = text[at..].find(['，', '。', '；', '！', '\n']).map_or(text.len(), |end| at + end);
        let day = Day::parse(&text[at..end])?;
        Some((day, text[at..end].to_owned(), at))
    })
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Day {
    OfYear(u32, u32),
    /// Counted from some event: 第七天.
    Counted(u32),
}

/// More months back than these are the turn of the year.
const HALF_YEAR: u32 = 6;

impl Day {
    /// Days that are counted differently are not compared; a month far before the other one is of the next year.
    pub fn is_before(self, other: Self) -> bool {
        match (self, other) {
            (Self::OfYear(month, day), Self::OfYear(was, before)) => {
                (month, day) < (was, before) && was - month.min(was) < HALF_YEAR
            }
            (Self::Counted(day), Self::Counted(before)) => day < before,
            _ => false,
        }
    }

    /// Reads a day: 十月十五号, 三月初七, 第七天.
    pub fn parse(text: &str) -> Option<Self> {
        let numerals = |c: char| c.is_ascii_digit() || "零〇一二三四五六七八九十两".contains(c);
        let before = |text: &str| {
            let digits: String = text.chars().rev().take_while(|c| numerals(*c)).collect();
            parse_numeral(&digits.chars().rev().collect::<String>())
        };
        if let Some((month, rest)) = text.split_once('月') {
            let rest = rest.trim_start_matches(['初', '的']);
            let end = rest.find(|c: char| !numerals(c)).unwrap_or(rest.len());
            return Some(Self::OfYear(before(month)?, parse_numeral(&rest[..end])?));
        }
        let (_, rest) = text.split_once('第')?;
        let end = rest.find(|c: char| !numerals(c))?;
        (rest[end..].starts_with(['天', '日', '夜'])).then_some(())?;
        parse_numeral(&rest[..end]).map(Self::Counted)
    }
}

/// The day that the state gives, with its words.
pub(super) fn day_of(state: &State) -> Option<(Day, String)> {
    let marker = state.get("world_state.time_marker")?.as_str()?;
    Day::parse(marker).map(|day| (day, marker.to_owned()))
}

/// Words that make a number an estimate: 十几, 百余, 二十来.
const ESTIMATE: &str = "几余多来数";

/// Reads the number at the beginning of a text, in digits or in Chinese numerals. Returns the value and the length in
/// bytes; `None` for an estimate (三四, 十几, 百余). The unit 两 is no part of a number: 三两 is three of them.
pub(super) fn number_at(text: &str) -> Option<(u64, usize)> {
    let (value, length) = if text.starts_with(is_digit) { arabic(text)? } else { chinese(text)? };
    (!text[length..].starts_with(|c| ESTIMATE.contains(c))).then_some((value, length))
}

/// Reads the number at the end of a text; see [`number_at`]. Returns the value and the place where it begins.
pub(super) fn number_before(text: &str) -> Option<(u64, usize)> {
    let is_part = |c: &char| is_digit(*c) || unit_of(*c).is_some() || digit_of(*c).is_some();
    let length: usize = text.chars().rev().take_while(is_part).map(char::len_utf8).sum();
    let start = text.len() - length;
    let is_estimate = text[..start].ends_with(|c| ESTIMATE.contains(c));
    number_at(&text[start..]).filter(|(_, read)| *read == length && !is_estimate).map(|(value, _)| (value, start))
}

fn is_digit(c: char) -> bool {
    c.is_ascii_digit() || ('０'..='９').contains(&c)
}

fn arabic(text: &str) -> Option<(u64, usize)> {
    let digits: String = text.chars().take_while(|c| is_digit(*c)).collect();
    let value: u64 = digits.chars().map(fold).collect::<String>().parse().ok()?;
    let factor = text[digits.len()..].chars().next().and_then(unit_of).filter(|unit| *unit >= 10_000);
    let length = digits.len() + if factor.is_some() { '万'.len_utf8() } else { 0 };
    Some((value.checked_mul(factor.unwrap_or(1))?, length))
}

fn digit_of(c: char) -> Option<u64> {
    match c {
        '两' => Some(2),
        '〇' => Some(0),
        other => "零一二三四五六七八九".chars().position(|digit| digit == other).map(|at| at as u64),
    }
}

fn unit_of(c: char) -> Option<u64> {
    match c {
        '十' => Some(10),
        '百' => Some(100),
        '千' => Some(1000),
        '万' => Some(10_000),
        '亿' => Some(100_000_000),
        _ => None,
    }
}

fn chinese(text: &str) -> Option<(u64, usize)> {
    let mut letters = text.chars().peekable();
    // The sums above the last 亿 or 万 and below it, a digit that waits for its unit, and the last unit.
    let (mut total, mut section, mut digit, mut unit) = (0u64, 0u64, None, 0u64);
    let mut length = 0;
    while let Some(&c) = letters.peek() {
        let mut ahead = letters.clone();
        ahead.next();
        let is_followed = ahead.peek().copied().and_then(unit_of).is_some();
        if c == '两' && length > 0 && !is_followed {
            break;
        }
        if let Some(value) = digit_of(c) {
            // Two digits in a row are an estimate, but after a zero.
            if digit.is_some_and(|before| before > 0) {
                return None;
            }
            if value == 0 {
                unit = 10;
            }
            digit = Some(value);
        } else if let Some(value) = unit_of(c) {
            // A bare 百 or 千 is no count: 千里, 百姓.
            if length == 0 && value >= 100 {
                return None;
            }
            if value < 10_000 {
                section += digit.take().unwrap_or(1).max(1) * value;
            } else {
                section += digit.take().unwrap_or(0);
                let above = if value > 10_000 { total + section } else { section };
                total = if value > 10_000 { 0 } else { total } + above.checked_mul(value)?;
                section = 0;
            }
            unit = value;
        } else {
            break;
        }
        length += c.len_utf8();
        letters.next();
    }
    // 三百五 is 350.
    let rest = digit.map_or(0, |digit| digit * if unit > 10 { unit / 10 } else { 1 });
    (length > 0).then(|| (total + section + rest, length))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exact_numbers_are_read_and_estimates_are_not() {
        let table = [
            ("十七岁", Some((17, "十七"))),
            ("一十六", Some((16, "一十六"))),
            ("三百五", Some((350, "三百五"))),
            ("一百零五里", Some((105, "一百零五"))),
            ("两千两银子", Some((2000, "两千"))),
            ("三两银子", Some((3, "三"))),
            ("十万两", Some((100_000, "十万"))),
            ("二十三万", Some((230_000, "二十三万"))),
            ("一万二千", Some((12_000, "一万二千"))),
            ("12万元", Some((120_000, "12万"))),
            ("１２级", Some((12, "１２"))),
            ("三四里", None),
            ("十几里", None),
            ("百余斤", None),
            ("二八", None),
            ("里", None),
        ];
        for (text, expected) in table {
            let read = number_at(text);
            assert_eq!(read, expected.map(|(value, words)| (value, words.len())), "{text}");
        }
        assert_eq!(number_before("他今年十七").map(|(value, at)| (value, &"他今年十七"[..at])), Some((17, "他今年")));
        assert_eq!(number_before("他有数十"), None);
        assert_eq!(number_before("他"), None);
    }
}
