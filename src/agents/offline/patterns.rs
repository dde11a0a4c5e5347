//! The grammar of the offline writer: pools of sentence patterns in `patterns/*.txt`.
//!
//! A pool begins with `== name [variant]`, the variant being a mood or a genre; each line below is one pattern.
//! `{a|b}` is a choice and `[x]` a slot. All choices of one pattern take the same place, so that the first halves of a
//! sentence meet the halves that were written for them.

use super::chance::{Chance, seed};
use std::collections::BTreeMap;
use std::sync::LazyLock;

type Pool = Vec<&'static str>;

const FILES: [&str; 6] = [
    include_str!("patterns/scene.txt"),
    include_str!("patterns/talk.txt"),
    include_str!("patterns/plot.txt"),
    include_str!("patterns/plan.txt"),
    include_str!("patterns/weather.txt"),
    include_str!("patterns/words.txt"),
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

/// The patterns of a pool such as `close` or `close cold`; empty when there is none.
pub(super) fn pool(name: &str) -> &'static [&'static str] {
    POOLS.get(name).map_or(&[], Vec::as_slice)
}

/// The names of all pools.
#[cfg(test)]
pub(super) fn names() -> Vec<&'static str> {
    POOLS.keys().copied().collect()
}

/// How many turns it takes until every choice of two, three or four has been at each of its places.
const TURNS: usize = 12;

/// Which place of its choices a pattern takes under a seed.
pub(super) fn turn_of_pattern(under: u64, pattern: &str) -> usize {
    Chance::new(under ^ seed(&[pattern])).below(TURNS)
}

/// Writes a pattern out, taking the `turn`-th of every choice. `slot` gives the words of a slot.
pub(super) fn expand(
    pattern: &str,
    turn: usize,
    chance: &mut Chance,
    slot: &mut dyn FnMut(&str, &mut Chance) -> String,
) -> String {
    let mut text = String::new();
    let mut rest = pattern;
    while let Some(at) = rest.find(['{', '[']) {
        text.push_str(&rest[..at]);
        let (inner, after) = match &rest[at..=at] {
            "[" => rest[at + 1..].split_once(']').unwrap_or((&rest[at + 1..], "")),
            _ => enclosed(&rest[at + 1..]),
        };
        if rest.as_bytes()[at] == b'[' {
            text.push_str(&slot(inner, chance));
        } else {
            let options: Vec<&str> = inner.split('|').collect();
            text.push_str(&expand(options[turn % options.len()], turn, chance, slot));
        }
        rest = after;
    }
    text.push_str(rest);
    text
}

/// What stands before the closing brace, and what after it. Choices do not nest.
fn enclosed(text: &str) -> (&str, &str) {
    text.split_once('}').unwrap_or((text, ""))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every slot that some part of the writer fills.
    const SLOTS: &str = "主 他 客 伊 三 地 日 物 冲突 弧前 弧后 弧 伏 变 旧事 随身 桥 会 甲 乙 \
        灯 门 茶 纸 钱 差人 路人 车 刻 街 屋 吃食 牲口 衣 声 味 数 线 标 底 愿";

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
                for turn in 0..TURNS {
                    let mut slots = Vec::new();
                    let mut note = |slot: &str, _: &mut Chance| {
                        slots.push(slot.to_owned());
                        "甲".to_owned()
                    };
                    let text = expand(pattern, turn, &mut Chance::new(1), &mut note);
                    assert!(!text.contains(['{', '}', '[', ']']) && !text.contains("，，"), "{name}: {text}");
                    for slot in slots {
                        assert!(SLOTS.split_whitespace().any(|known| known == slot), "{name}: [{slot}] in {pattern}");
                    }
                }
            }
        }
    }

    /// Pools whose patterns are parts of sentences.
    const PARTS: &str = "tag joking asking polite blunt bookish simile counting gentle trouble";

    #[test]
    fn every_sentence_is_finished() {
        let of_words = |name: &str| pool(name).iter().any(|line| line.contains('|') && !line.contains('{'));
        let part = |name: &str| PARTS.split_whitespace().any(|part| part == name) || of_words(name);
        for name in names().into_iter().filter(|name| !part(name)) {
            for step in pool(name).iter().flat_map(|pattern| pattern.split(" >> ")).filter(|step| step.contains('{')) {
                for turn in 0..TURNS {
                    let text = expand(step, turn, &mut Chance::new(1), &mut |_, _| "甲".to_owned());
                    let last = text.trim_end_matches(['”']).chars().last().unwrap();
                    assert!("。！？".contains(last), "{name}: {text}");
                    let doubled = ["。。", "？”。", "。”。", "！”。", "？。", "。？", "！。", "，。", "。，"]
                        .iter()
                        .any(|marks| text.contains(marks));
                    assert!(!doubled, "{name}: {text}");
                }
            }
        }
    }

    #[test]
    fn the_grammar_is_large_enough_to_tell_chapters_apart() {
        let narration: usize = names().iter().map(|name| pool(name).len()).sum();
        assert!(narration > 500, "{narration}");
    }
}
