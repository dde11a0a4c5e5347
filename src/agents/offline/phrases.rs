//! The stock of phrases in `templates/offline/`, choices without chance, and the cutting of prose.
//! A pool begins with `== name [age]`, and each line below is an entry; a line without choices may hold several
//! between bars. `{a|b}` is a choice and `[x]` a slot. All choices of one pattern take the same place, so that the
//! first halves of a sentence meet the halves that were written for them. ` || ` separates ways of telling the same,
//! ` >> ` steps, ` / ` paragraphs.

use crate::agents::prelude::*;
use crate::text::Count;
use std::sync::LazyLock;

const FILES: [&str; 3] = [
    include_str!("../../../templates/offline/prose.txt"),
    include_str!("../../../templates/offline/plan.txt"),
    include_str!("../../../templates/offline/words.txt"),
];

static POOLS: LazyLock<BTreeMap<&'static str, Vec<&'static str>>> = LazyLock::new(|| {
    let mut pools: BTreeMap<&'static str, Vec<&'static str>> = BTreeMap::new();
    for file in FILES {
        let mut name = "";
        for line in file.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#')) {
            match line.strip_prefix("== ") {
                Some(heading) => name = heading,
                None if line.contains('{') => pools.entry(name).or_default().push(line),
                None => pools.entry(name).or_default().extend(line.split('|')),
            }
        }
    }
    pools
});

/// A seed from these texts (FNV-1a with a separator, so that `ab`,`c` and `a`,`bc` differ).
pub(super) fn seed(parts: &[&str]) -> u64 {
    let bytes = parts.iter().flat_map(|part| part.bytes().chain([0xff]));
    bytes.fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}

/// The number at place `nth` of a seed's stream (splitmix64), below `limit`; 0 when the limit is 0.
pub(super) fn roll(seed: u64, nth: u64, limit: usize) -> usize {
    let mut z = seed.wrapping_add((nth + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15));
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    ((z ^ (z >> 31)) % limit.max(1) as u64) as usize
}

#[derive(Debug, Clone, Copy)]
pub(super) struct Stock {
    pub(super) seed: u64,
    /// The world that the props come from: `old`, `modern` or `future`.
    age: &'static str,
}

impl Stock {
    /// The age follows from the genre, or else from the title.
    pub(super) fn of(config: &BookConfig) -> Self {
        let age = |text: &str| {
            let names = |age: &&str| POOLS[format!("age {age}").as_str()].iter().any(|cue| text.contains(cue));
            ["old", "future", "modern"].into_iter().find(|age| names(age))
        };
        let age = age(&config.genre).or_else(|| age(&config.title)).unwrap_or("old");
        Self { seed: seed(&[&config.title, &config.genre]), age }
    }

    /// The entries of a pool, those of the age of the book among them.
    pub(super) fn pool(&self, name: &str) -> Vec<&'static str> {
        let aged = format!("{name} {}", self.age);
        [name, &aged].iter().filter_map(|name| POOLS.get(name)).flatten().copied().collect()
    }

    /// The entries of a pool in the order of the book.
    pub(super) fn shuffled(&self, name: &str) -> Vec<&'static str> {
        let mut pool = self.pool(name);
        for (nth, end) in (1..pool.len()).rev().enumerate() {
            pool.swap(end, roll(self.seed ^ seed(&[name]), nth as u64, end + 1));
        }
        pool
    }

    /// The entry at `turn` of a pool in the order of the book; after the last comes the first again.
    pub(super) fn pick(&self, name: &str, turn: usize) -> &'static str {
        let pool = self.shuffled(name);
        pool.get(turn % pool.len().max(1)).copied().unwrap_or_default()
    }
}

/// Writes a pattern out, taking the `turn`-th of every choice. `slot` gives the words of a slot.
pub(super) fn expand(pattern: &str, turn: usize, slot: &mut dyn FnMut(&str) -> String) -> String {
    let mut text = String::new();
    let mut rest = pattern;
    while let Some(at) = rest.find(['{', '[']) {
        text.push_str(&rest[..at]);
        let is_choice = rest[at..].starts_with('{');
        let (inner, after) = rest[at + 1..].split_once(if is_choice { '}' } else { ']' }).unwrap_or_default();
        let options: Vec<&str> = inner.split('|').collect();
        text += &if is_choice { expand(options[turn % options.len()], turn, slot) } else { slot(inner) };
        rest = after;
    }
    text + rest
}

/// Han characters and runs of Latin letters or digits, the measure of chapter lengths.
pub(super) fn words(text: &str) -> u32 {
    u32::try_from(Count::of(text).words).unwrap_or(u32::MAX)
}

/// The paragraphs of a text, without scene breaks.
pub(super) fn paragraphs(text: &str) -> impl Iterator<Item = &str> {
    text.split('\n').map(str::trim).filter(|paragraph| !paragraph.is_empty() && !is_break(paragraph))
}

/// Whether a paragraph only separates scenes.
pub(super) fn is_break(paragraph: &str) -> bool {
    paragraph.chars().all(|c| "*-—#".contains(c) || c.is_whitespace())
}

pub(super) fn has_speech(paragraph: &str) -> bool {
    paragraph.contains(['“', '”', '「', '"'])
}

/// The sentences of a text with their marks.
pub(super) fn sentences(text: &str) -> impl Iterator<Item = &str> {
    crate::text::sentences(text).into_iter().map(|sentence| sentence.text())
}

/// The first `limit` characters, cut before a mark of punctuation where one stands in the second half.
pub(super) fn clip(text: &str, limit: usize) -> &str {
    let Some((end, _)) = text.char_indices().nth(limit) else { return text };
    let at = text[..end].rfind(['，', '。', '；', '、', '：', '！', '？']).filter(|at| *at > end / 2);
    &text[..at.unwrap_or(end)]
}

/// A field as words for the middle of a sentence: one line, no marks at the ends, at most `limit` characters; `None`
/// when it says nothing.
pub(super) fn phrase(text: &str, limit: usize) -> Option<String> {
    let lines: Vec<&str> = text.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
    let plain: String =
        lines.join("，").chars().filter(|c| !c.is_control() && !"{}[]|*`#\"“”「」".contains(*c)).collect();
    let marks = |c: char| c.is_whitespace() || "。，；：、！？…—-,.;:!?（）()".contains(c);
    let words = clip(plain.trim_matches(marks), limit).trim_matches(marks);
    let says = words.chars().any(char::is_alphanumeric) && !["无", "没有", "暂无", "待定", "none"].contains(&words);
    says.then(|| words.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every slot that some part of the writer fills.
    const SLOTS: &str = "主 他 客 伊 地 辰 物 事 句 标 底 愿 \
        灯 门 茶 纸 钱 差人 路人 车 刻 街 屋 吃食 牲口 衣 声 味 数 序 件 处 色 身 语 久";

    #[test]
    fn every_pattern_is_well_formed_and_every_sentence_finished() {
        for (name, pool) in POOLS.iter() {
            for (pattern, turn) in pool.iter().flat_map(|pattern| [(pattern, 0), (pattern, 1)]) {
                let mut slots = Vec::new();
                let text = expand(pattern, turn, &mut |slot| {
                    slots.push(slot.to_owned());
                    "甲".to_owned()
                });
                assert!(!text.contains(['{', '}', '[', ']', '|']) || pattern.contains(" || "), "{name}: {text}");
                let unknown = slots.iter().find(|slot| !SLOTS.split_whitespace().any(|known| known == *slot));
                assert_eq!(unknown, None, "{name}: {pattern}");
                let opens = name.starts_with("opening");
                assert!(!opens || ["地", "辰"].iter().all(|slot| slots.iter().any(|had| had == slot)), "{pattern}");
                let doubled = ["，，", "。。", "？”。", "。”。", "！”。", "？。", "。？", "！。", "，。", "。，"];
                assert!(!doubled.iter().any(|marks| text.contains(marks)), "{name}: {text}");
                if pattern.contains('{') {
                    let steps = text.split(" >> ").flat_map(|step| step.split(" || ")).flat_map(|way| way.split(" / "));
                    let open = steps
                        .map(|step| step.trim_end_matches('”'))
                        .find(|step| !step.ends_with(['。', '！', '？', '…']));
                    assert_eq!(open, None, "{name}: {pattern}");
                }
            }
        }
    }

    #[test]
    fn the_stock_is_large_enough_for_twenty_chapters() {
        // A chapter of the demo takes sixteen pieces of filler, and each has two wordings.
        assert!(POOLS["filler"].len() >= 16 * 12, "{}", POOLS["filler"].len());
        for kind in ["conflict", "change"] {
            assert_eq!(POOLS[kind].len(), POOLS[format!("plan {kind}").as_str()].len(), "{kind}");
        }
    }

    #[test]
    fn a_field_that_says_nothing_is_nothing() {
        for text in ["无", " 无。", "", "——", "\n\n"] {
            assert_eq!(phrase(text, 40), None, "{text}");
        }
        assert_eq!(phrase("信使死在门前。", 40).as_deref(), Some("信使死在门前"));
        assert_eq!(phrase("一，二三四五六七八九", 4).as_deref(), Some("一，二三"));
    }
}
