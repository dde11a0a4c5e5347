//! Numbers in a text, as far as they are exact.

use crate::text::chars::fold;

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
