//! The grammar of the offline writer: pools of patterns in `templates/offline/`.
//!
//! A pool begins with `== name [variant]`, the variant being an age or the weather; each line below is one pattern.
//! `{a|b}` is a choice and `[x]` a slot. All choices of one pattern take the same place, so that the first halves of a
//! sentence meet the halves that were written for them. ` || ` separates ways of telling the same, ` >> ` steps, ` / `
//! paragraphs.

use super::chance::{Chance, seed};
use std::collections::BTreeMap;
use std::sync::LazyLock;

type Pool = Vec<&'static str>;

const FILES: [&str; 6] = [
    include_str!("../../../templates/offline/narration.txt"),
    include_str!("../../../templates/offline/story.txt"),
    include_str!("../../../templates/offline/turns.txt"),
    include_str!("../../../templates/offline/talk.txt"),
    include_str!("../../../templates/offline/plan.txt"),
    include_str!("../../../templates/offline/words.txt"),
];

static POOLS: LazyLock<BTreeMap<&'static str, Pool>> = LazyLock::new(|| {
    let mut pools: BTreeMap<&'static str, Pool> = BTreeMap::new();
    for file in FILES {
        let mut name = "";
        for line in file.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#')) {
            match line.strip_prefix("== ") {
                Some(heading) => name = heading,
                None => pools.entry(name).or_default().push(line),
            }
        }
    }
    pools
});

/// The patterns of a pool such as `close` or `close cold`; empty for an unknown pool.
pub(super) fn pool(name: &str) -> &'static [&'static str] {
    POOLS.get(name).map_or(&[], Vec::as_slice)
}

/// The names of all pools.
#[cfg(test)]
pub(super) fn names() -> Vec<&'static str> {
    POOLS.keys().copied().collect()
}

/// The patterns of a pool in the order in which a book goes through them.
pub(super) fn in_book_order(name: &str, book_seed: u64) -> Vec<&'static str> {
    let mut all = pool(name).to_vec();
    Chance::new(book_seed ^ seed(&[name])).shuffle(&mut all);
    all
}

/// Reads a text as a pattern without choices would have written it: the words of its slots, where it fits. Words in
/// `known` stand for their slots.
pub(super) fn read_back(pattern: &str, text: &str, known: &[(&str, &str)]) -> Option<Slots> {
    let mut slots: Slots = known.iter().map(|(slot, words)| ((*slot).to_owned(), (*words).to_owned())).collect();
    matches(pattern, text, &mut slots).then_some(slots)
}

/// The words of slots.
pub(super) type Slots = BTreeMap<String, String>;

fn matches(pattern: &str, text: &str, slots: &mut Slots) -> bool {
    let Some((literal, rest)) = pattern.split_once('[') else { return pattern == text };
    let Some((slot, rest)) = rest.split_once(']') else { return false };
    let Some(text) = text.strip_prefix(literal) else { return false };
    if let Some(words) = slots.get(slot).cloned() {
        return text.strip_prefix(words.as_str()).is_some_and(|text| matches(rest, text, slots));
    }
    for (end, c) in text.char_indices().map(|(at, c)| (at + c.len_utf8(), c)) {
        if matches!(c, '，' | '。' | '；' | '：') && slot != "底" {
            return false;
        }
        let mut tried = slots.clone();
        tried.insert(slot.to_owned(), text[..end].to_owned());
        if matches(rest, &text[end..], &mut tried) {
            *slots = tried;
            return true;
        }
    }
    false
}

/// Writes a pattern out, taking the `turn`-th of every choice. `slot` gives the words of a slot.
pub(super) fn expand(pattern: &str, turn: usize, slot: &mut dyn FnMut(&str) -> String) -> String {
    let mut text = String::new();
    let mut rest = pattern;
    while let Some(at) = rest.find(['{', '[']) {
        text.push_str(&rest[..at]);
        let (inner, after) = match &rest[at..=at] {
            "[" => rest[at + 1..].split_once(']').unwrap_or((&rest[at + 1..], "")),
            _ => enclosed(&rest[at + 1..]),
        };
        if rest.as_bytes()[at] == b'[' {
            text.push_str(&slot(inner));
        } else {
            let options: Vec<&str> = inner.split('|').collect();
            text.push_str(&expand(options[turn % options.len()], turn, slot));
        }
        rest = after;
    }
    text.push_str(rest);
    text
}

/// Splits at the closing brace. Choices do not nest.
fn enclosed(text: &str) -> (&str, &str) {
    text.split_once('}').unwrap_or((text, ""))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every slot that some part of the writer fills.
    const SLOTS: &str = "主 他 客 伊 地 辰 物 事 句 口 标 底 愿 线 \
        灯 门 茶 纸 钱 差人 路人 车 刻 街 屋 吃食 牲口 衣 声 味 数 序 件 处 色 身 语 久";

    #[test]
    fn every_pattern_is_well_formed() {
        for name in names() {
            for pattern in pool(name) {
                let mut depth = 0usize;
                for c in pattern.chars() {
                    match c {
                        '{' => depth += 1,
                        '}' => depth = depth.checked_sub(1).unwrap(),
                        _ => {}
                    }
                    assert!(depth <= 1, "choices nest in {name}: {pattern}");
                }
                assert_eq!(depth, 0, "{name}: {pattern}");
                for turn in 0..2 {
                    let mut slots = Vec::new();
                    let text = expand(pattern, turn, &mut |slot| {
                        slots.push(slot.to_owned());
                        "甲".to_owned()
                    });
                    assert!(!text.contains(['{', '}', '[', ']']) && !text.contains("，，"), "{name}: {text}");
                    for slot in slots {
                        assert!(SLOTS.split_whitespace().any(|known| known == slot), "{name}: [{slot}] in {pattern}");
                    }
                }
            }
        }
    }

    #[test]
    fn every_sentence_is_finished() {
        for name in names().into_iter().filter(|name| !name.starts_with("plan ")) {
            let steps = pool(name).iter().flat_map(|pattern| pattern.split(" >> "));
            let steps = steps.flat_map(|step| step.split(" || ")).flat_map(|step| step.split(" / "));
            for step in steps.filter(|step| step.contains('{')) {
                for turn in 0..2 {
                    let text = expand(step, turn, &mut |slot| if slot == "底" { "甲。" } else { "甲" }.to_owned());
                    let last = text.trim_end_matches('”').chars().last().unwrap();
                    assert!("。！？…".contains(last), "{name}: {text}");
                    let doubled = ["。。", "？”。", "。”。", "！”。", "？。", "。？", "！。", "，。", "。，"];
                    assert!(!doubled.iter().any(|marks| text.contains(marks)), "{name}: {text}");
                }
            }
        }
    }

    #[test]
    fn the_stock_is_large_enough_for_twenty_chapters() {
        // A chapter of the usual demo takes two of each pool, and each pattern has two wordings.
        for name in ["do", "see", "mind", "hear", "folk", "guest", "later"] {
            assert!(pool(name).len() >= 22, "{name}: {}", pool(name).len());
        }
        assert!(pool("exchange").len() >= 33);
    }
}
