//! Ages and days.

use super::Reading;
use super::numeral::{number_at, number_before};
use crate::domain::numeral::parse_numeral;
use crate::domain::state::State;

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
    #[must_use]
    pub fn follows(&self, earlier: u32, passed: u32) -> bool {
        (earlier..=earlier.saturating_add(GROWS + passed)).contains(&self.years)
    }
}

/// Words behind a number of years that have passed.
const YEARS_PASS: [&str; 6] = ["年后", "年之后", "年以后", "年过去", "年光阴", "年时光"];

/// The years that the narration of a text lets pass. Years that people speak of are of other times.
pub(super) fn years_told(reading: &Reading<'_>) -> u32 {
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
pub(super) fn ages(reading: &Reading<'_>) -> Vec<Age> {
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
pub(super) fn day_told(reading: &Reading<'_>) -> Option<(Day, String, usize)> {
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
    #[must_use]
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
    #[must_use]
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
