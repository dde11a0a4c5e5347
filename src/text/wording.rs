//! Whether an edit changed the wording alone, and which words it took out of the text.

use std::collections::BTreeSet;

use super::chars::{is_han, is_letter};
use super::diff::{CharOp, SentenceOp, diff};
use super::split::clauses;

/// Particles, adverbs of degree and manner, and fillers: a sentence says the same with one more or less of them. Negations,
/// numbers, aspects of completion that decide whether something happened (了 is weak, 过 and 曾 are not) and words of time
/// are left out on purpose.
const LIGHT: [&str; 64] = [
    "的",
    "地",
    "得",
    "着",
    "了",
    "啊",
    "呀",
    "呢",
    "吧",
    "嘛",
    "哦",
    "啦",
    "么",
    "也",
    "又",
    "还",
    "就",
    "便",
    "都",
    "很",
    "太",
    "更",
    "最",
    "极",
    "颇",
    "略",
    "微",
    "忽",
    "正",
    "却",
    "而",
    "且",
    "则",
    "仍",
    "竟",
    "倒",
    "可",
    "只",
    "只是",
    "仿佛",
    "似乎",
    "好像",
    "如同",
    "一般",
    "似的",
    "不禁",
    "不由",
    "忍不住",
    "微微",
    "缓缓",
    "慢慢",
    "轻轻",
    "静静",
    "默默",
    "渐渐",
    "稍稍",
    "有些",
    "有点",
    "十分",
    "非常",
    "格外",
    "突然",
    "忽然",
    "此刻",
];

/// Characters that negate or count: a cut with one of them changes the content.
const WEIGHTY: &str =
    "不没未无别非莫否勿毋休禁死活生亡杀一二三四五六七八九十百千万亿两半零〇几双单首末前后左右上下东西南北男女父母子";

/// The longest cut inside a sentence, in letters, that may change the wording alone.
const LONGEST_CUT: usize = 8;

/// Returns true when `new` says what `old` says in slightly different words, by rules that err on the side of a change of
/// content:
///
/// - marks and white space may change, and light words (particles, fillers, adverbs of degree) may come and go;
/// - up to eight letters may be cut from a sentence when they hold no name, no number, no negation and nothing that
///   `derived` (the summary and everything else that was made of the old text) says too;
/// - a sentence that came, went or has other words in it is a change of content.
///
/// `names` are the names of people, places and things of the book.
#[must_use]
pub fn is_wording_alone(old: &str, new: &str, derived: &str, names: &[String]) -> bool {
    let known = |cut: &str| {
        let letters: Vec<char> = cut.chars().filter(|c| is_letter(*c)).collect();
        letters.windows(2).any(|pair| derived.contains(&String::from_iter(pair)))
    };
    let may_be_cut = |cut: &str| {
        let size = cut.chars().filter(|c| is_letter(*c)).count();
        let plain = cut.chars().all(|c| !c.is_ascii_digit() && !WEIGHTY.contains(c));
        (2..=LONGEST_CUT).contains(&size)
            && plain
            && !known(cut)
            && !names.iter().any(|name| cut.contains(name.as_str()))
    };
    diff(old, new).ops().iter().all(|op| match op {
        SentenceOp::Equal { .. } => true,
        SentenceOp::Delete { text } | SentenceOp::Insert { text } => !text.chars().any(is_letter),
        SentenceOp::Replace { parts } => {
            places(parts).iter().all(|(gone, come)| is_light(come) && (is_light(gone) || may_be_cut(gone)))
        }
    })
}

/// The changed places of a sentence, each with the old and the new words.
fn places(parts: &[CharOp]) -> Vec<(String, String)> {
    let mut places = vec![(String::new(), String::new())];
    for part in parts {
        // An unchanged mark does not part the changes on both sides of it.
        match (part, places.last_mut()) {
            (CharOp::Delete(text), Some((gone, _))) => gone.push_str(text),
            (CharOp::Insert(text), Some((_, come))) => come.push_str(text),
            (CharOp::Equal(text), _) if text.chars().any(is_letter) => places.push(Default::default()),
            _ => {}
        }
    }
    places.retain(|(gone, come)| !gone.is_empty() || !come.is_empty());
    places
}

/// True when the letters of `text` can be read as light words.
pub(super) fn is_light(text: &str) -> bool {
    let letters: String = text.chars().filter(|c| is_letter(*c)).collect();
    let mut readable = BTreeSet::from([0]);
    for (at, _) in letters.char_indices().chain([(letters.len(), ' ')]) {
        if readable.contains(&at) {
            readable.extend(LIGHT.iter().filter(|word| letters[at..].starts_with(*word)).map(|word| at + word.len()));
        }
    }
    readable.contains(&letters.len())
}

/// Returns the phrases, two to eight letters each, that `old` has in changed places and `new` has nowhere: what a later
/// chapter may repeat although it no longer holds. Sorted; phrases of light words alone are left out.
#[must_use]
pub fn lost_phrases(old: &str, new: &str) -> Vec<String> {
    let mut found = BTreeSet::new();
    for op in diff(old, new).ops() {
        match op {
            SentenceOp::Delete { text } => found.extend(clauses(text).into_iter().map(str::to_owned)),
            SentenceOp::Replace { parts } => found.extend(around(parts)),
            SentenceOp::Equal { .. } | SentenceOp::Insert { .. } => {}
        }
    }
    let is_telling = |phrase: &String| {
        let size = phrase.chars().count();
        let plain = phrase.chars().all(is_letter) && phrase.chars().any(is_han);
        (2..=LONGEST_CUT).contains(&size) && plain && !new.contains(phrase.as_str()) && !has_particle(phrase)
    };
    found.into_iter().filter(is_telling).collect()
}

/// A short phrase with a particle or half a number in it (`的左`, `了他`, `九号`) is a cut through words.
fn has_particle(phrase: &str) -> bool {
    let particle = |c: char| "的地得着了啊呀呢吧嘛么也又还就便都是在他她它我你".contains(c);
    let number = |c: char| "零〇一二三四五六七八九十百千万亿两几".contains(c);
    match phrase.chars().count() {
        2 if phrase.chars().any(number) => true,
        2 | 3 if phrase.chars().any(particle) => true,
        _ => is_light(phrase),
    }
}

/// Returns each run that went from a sentence, alone and with one or two letters of its neighbours.
fn around(parts: &[CharOp]) -> Vec<String> {
    let mut old: Vec<char> = Vec::new();
    let mut gone = Vec::new();
    for part in parts {
        let from = old.len();
        match part {
            CharOp::Equal(text) => old.extend(text.chars()),
            CharOp::Delete(text) => {
                old.extend(text.chars());
                gone.push(from..old.len());
            }
            CharOp::Insert(_) => {}
        }
    }
    let mut found = Vec::new();
    for range in gone {
        for (left, right) in [(0, 0), (0, 1), (1, 0), (1, 1), (0, 2), (2, 0)] {
            let (from, to) = (range.start.saturating_sub(left), (range.end + right).min(old.len()));
            found.push(old[from..to].iter().collect());
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const OLD: &str = "雨下了一夜。沈渡缓缓地抬起左手，接过那封密信。他没有说话。\n\n天亮的时候，船到了码头。";

    fn alone(new: &str, derived: &str) -> bool {
        is_wording_alone(OLD, new, derived, &["沈渡".to_owned()])
    }

    #[test]
    fn light_words_marks_and_line_breaks_are_wording() {
        for (from, to) in
            [("缓缓地", ""), ("，接过", "接过"), ("\n\n天亮", "天亮"), ("天亮的时候", "天亮时候"), ("密信", "密信了")]
        {
            assert!(alone(&OLD.replace(from, to), ""), "{from} -> {to}");
        }
        assert!(alone(OLD, ""));
    }

    #[test]
    fn names_numbers_negations_other_words_and_whole_sentences_are_content() {
        let changes = [
            ("左手", "右手"),
            ("一夜", "两夜"),
            ("没有说话", "说话"),
            ("沈渡", ""),
            ("密信", "密函"),
            ("他没有说话。", ""),
            ("他没有说话。", "他没有说话。他死了。"),
        ];
        for (from, to) in changes {
            assert!(!alone(&OLD.replace(from, to), ""), "{from} -> {to}");
        }
    }

    #[test]
    fn a_cut_counts_where_something_made_of_the_text_says_the_same() {
        let new = OLD.replace("那封密", "");
        assert!(alone(&new, "船到了码头"));
        assert!(!alone(&new, "沈渡收下密信，那封密信是空的"));
    }

    #[test]
    fn lost_phrases_are_those_that_no_longer_stand_anywhere() {
        let lost = lost_phrases(OLD, &OLD.replace("左手", "右手").replace("密信", "铜印"));
        assert!(lost.contains(&"左手".to_owned()) && lost.contains(&"密信".to_owned()), "{lost:?}");
        assert!(lost.iter().all(|phrase| !phrase.contains('的')), "{lost:?}");
        assert_eq!(lost_phrases(OLD, OLD), Vec::<String>::new());
        let still = format!("{}左手。", OLD.replace("左手", "右手"));
        assert!(!lost_phrases(OLD, &still).contains(&"左手".to_owned()));
    }

    proptest! {
        #[test]
        fn an_unchanged_text_is_the_same_and_a_new_sentence_never_is(text in "([天地人心雨船]{1,8}。){1,6}") {
            prop_assert!(is_wording_alone(&text, &text, "", &[]));
            prop_assert!(lost_phrases(&text, &text).is_empty());
            let more = format!("{text}有人死在了北门。");
            prop_assert!(!is_wording_alone(&text, &more, "", &[]));
        }
    }
}
