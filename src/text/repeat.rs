//! Repetition: recycled 8-grams, shared passages, sentences that begin alike.
//! All comparisons ignore punctuation and white space, so a passage with changed commas is still the same passage.
//! The grammatical shape of a sentence: function characters and punctuation stay, everything else becomes `N`.
//! 他看着窗外，没有说话。 and 她望着远山，没有回头。 have one pattern: `他N着N，没有N。` differs from `她…` only where the writer
//! chose another pronoun. Model-written fiction repeats skeletons five times as often as people do.

use crate::text::chars::{fold, is_quote_mark};
use crate::text::prelude::*;
use crate::text::split::Sentence;
use std::borrow::Borrow;

pub const SHINGLE: usize = 8;

/// A greater share of recycled 8-grams deserves a look: the 95th percentile of human serials is at most 1.1 %,
/// model-written books have medians from 0.3 to 66 %.
pub const RECYCLED_ALARM: f64 = 0.02;

/// Shortest shared run worth reporting, in characters: between chapters of human books such runs are practically absent.
pub const SHARED_RUN_ALARM: usize = 30;

/// The distinct 8-grams of a text, hashed; 8 bytes a character.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Shingles(Vec<u64>);

impl Shingles {
    /// The 8-grams of the prose of `text`.
    pub fn of(text: &str) -> Self {
        let mut hashes = grams(&letters(text), SHINGLE);
        hashes.sort_unstable();
        hashes.dedup();
        Self(hashes)
    }

    fn contains(&self, gram: u64) -> bool {
        self.0.binary_search(&gram).is_ok()
    }
}

#[derive(Debug, Clone, PartialEq, Default)]
pub struct Copied {
    /// Share (0 to 1) of the 8-grams that occur in any earlier text; see [`RECYCLED_ALARM`].
    pub share: f64,
    /// Letters of the longest passage whose 8-grams all stand in one earlier text; 0 without such a passage.
    pub longest: usize,
    /// The bytes of the longest passage.
    pub range: Range<usize>,
    /// The index of the earlier text that has the longest passage.
    pub source: usize,
}

pub fn copied<S: Borrow<Shingles>>(text: &str, earlier: &[S]) -> Copied {
    let letters = letters(text);
    let all = grams(&letters, SHINGLE);
    let mut found = Copied::default();
    let mut seen = vec![false; all.len()];
    for (source, other) in earlier.iter().enumerate() {
        let mut run = 0;
        for (at, gram) in all.iter().enumerate() {
            if !other.borrow().contains(*gram) {
                run = 0;
                continue;
            }
            seen[at] = true;
            run += 1;
            let length = run + SHINGLE - 1;
            if length > found.longest {
                let range = letters[at + 1 - run].start..letters[at + SHINGLE - 1].end;
                found = Copied { longest: length, range, source, ..found };
            }
        }
    }
    found.share = seen.iter().filter(|seen| **seen).count() as f64 / all.len().max(1) as f64;
    found
}

/// A sentence of so many Han characters does not recur in a chapter by coincidence.
pub const TELLING_SENTENCE: usize = 12;

/// Fewest Han characters of an end that says nothing new: a chapter may well close with its first sentences as a
/// refrain. Such an end is also at least a tenth of the text.
pub const RECURRING_END: usize = 60;

/// A chapter that repeats this share word for word goes round in circles. The 419 chapters of three human novels repeat
/// nothing; a small model that writes in circles repeats a third and more.
pub const RECURRING_ALARM: f64 = 0.2;

#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Recurrence {
    /// Share (0 to 1) of the Han characters in repeated sentences of at least [`TELLING_SENTENCE`] characters.
    pub share: f64,
    /// The byte from which on nothing new is said, if the rest is long enough; see [`RECURRING_END`].
    pub end: Option<usize>,
}

/// Measures how much of the prose of `text` is repeated word for word. Repeated short sentences are ignored; new ones
/// count as new.
pub fn recurrence(text: &str) -> Recurrence {
    let sentences = prose_sentences(text);
    let total: usize = sentences.iter().map(|sentence| sentence.han()).sum();
    let mut seen: BTreeSet<Vec<char>> = BTreeSet::new();
    // The Han characters repeated so far; the start and the length of the present run of repeated sentences.
    let (mut again, mut run): (usize, Option<(usize, usize)>) = (0, None);
    for (at, sentence) in sentences.iter().enumerate() {
        let told: Vec<char> = letters(sentence.raw).into_iter().map(|letter| letter.c).collect();
        if told.is_empty() {
            continue;
        }
        // The last one may have been cut off in the middle.
        let is_last = at + 1 == sentences.len();
        let is_known = seen
            .range(told.clone()..)
            .next()
            .is_some_and(|known| if is_last { known.starts_with(&told) } else { *known == told });
        let han = sentence.han();
        if !is_known {
            seen.insert(told);
            run = None;
        } else if han >= TELLING_SENTENCE {
            again += han;
            let (start, length) = run.unwrap_or((sentence.start, 0));
            run = Some((start, length + han));
        }
    }
    Recurrence {
        share: again as f64 / total.max(1) as f64,
        end: run.filter(|(_, length)| *length >= RECURRING_END.max(total / 10)).map(|(start, _)| start),
    }
}

/// The longest passage whose repetition is looked for, in characters.
const LOOP_PASSAGE: usize = 300;
/// A text ends in a loop when a passage comes at least so often in a row, over at least [`LOOP_LENGTH`] characters.
const LOOP_TIMES: usize = 4;
const LOOP_LENGTH: usize = 300;

/// The byte where `text` begins to be one passage over and over up to its end, the first time included.
pub fn looping_end(text: &str) -> Option<usize> {
    let backwards: Vec<(usize, char)> = text.trim_end().char_indices().rev().collect();
    let repeated = |period: usize| {
        let pairs = backwards.iter().zip(backwards.iter().skip(period));
        pairs.take_while(|((_, a), (_, b))| a == b).count()
    };
    let period = (1..=LOOP_PASSAGE).find(|period| {
        let length = repeated(*period) + period;
        length >= LOOP_LENGTH.max(period * LOOP_TIMES)
    })?;
    let start = backwards.get(repeated(period) + period - 1)?.0;
    // A loop has no first character of its own: what stands before it may end as its passage does.
    let ends = |text: &str| text.is_empty() || text.ends_with(|c: char| c == '\n' || "。！？…”」".contains(c));
    let within = text[start..].char_indices().map(|(at, _)| start + at).take(period);
    Some(within.clone().find(|at| ends(&text[..*at])).unwrap_or(start))
}

/// A passage that stands in two texts.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct SharedRun {
    pub first: Range<usize>,
    pub second: Range<usize>,
    /// Its length in letters (Han characters, Latin letters, digits).
    pub letters: usize,
}

/// The longest passage of at least `least` letters that stands in both texts; the earliest of equally long ones.
pub fn longest_shared_run(first: &str, second: &str, least: usize) -> Option<SharedRun> {
    let a = letters(first);
    let b = letters(second);
    let least = least.max(1);
    let mut best = shared_of_length(&a, &b, least)?;
    // A shared run of n letters holds one of n - 1, so the greatest length is found by halving.
    let (mut holds, mut fails) = (least, a.len().min(b.len()) + 1);
    while fails - holds > 1 {
        let middle = holds + (fails - holds) / 2;
        match shared_of_length(&a, &b, middle) {
            Some(found) => (holds, best) = (middle, found),
            None => fails = middle,
        }
    }
    let range = |text: &[Letter], at: usize| text[at].start..text[at + holds - 1].end;
    Some(SharedRun { first: range(&a, best.0), second: range(&b, best.1), letters: holds })
}

/// Indices of a run of `length` letters common to `a` and `b`.
fn shared_of_length(a: &[Letter], b: &[Letter], length: usize) -> Option<(usize, usize)> {
    let mut known: Vec<(u64, usize)> = grams(b, length).into_iter().enumerate().map(|(at, gram)| (gram, at)).collect();
    known.sort_unstable();
    grams(a, length).into_iter().enumerate().find_map(|(at, gram)| {
        let from = known.partition_point(|k| k.0 < gram);
        // Equal hashes are checked letter by letter: a report must not quote a passage that is not there.
        known[from..].iter().take_while(|k| k.0 == gram).map(|k| k.1).find_map(|other| {
            let same = a[at..at + length].iter().zip(&b[other..other + length]).all(|(x, y)| x.c == y.c);
            same.then_some((at, other))
        })
    })
}

#[derive(Debug, Clone, Copy)]
struct Letter {
    c: char,
    start: usize,
    end: usize,
}

/// The letters of the prose paragraphs, in order.
fn letters(text: &str) -> Vec<Letter> {
    paragraphs(text)
        .into_iter()
        .filter(|p| p.block == BlockKind::Prose)
        .flat_map(|p| {
            p.text.char_indices().filter(|&(_, c)| is_letter(c)).map(move |(at, c)| Letter {
                c,
                start: p.start + at,
                end: p.start + at + c.len_utf8(),
            })
        })
        .collect()
}

/// Rolling hashes of all runs of `length` letters, in order; equal on every machine.
fn grams(letters: &[Letter], length: usize) -> Vec<u64> {
    const BASE: u64 = 0x9E37_79B9_7F4A_7C15;
    let value = |letter: &Letter| {
        // Spread the code points over 64 bits first: a plain polynomial over them collides too easily.
        let x = (letter.c as u64 + 1).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        x ^ (x >> 29)
    };
    if length == 0 || letters.len() < length {
        return Vec::new();
    }
    let lead = (1..length).fold(1u64, |power, _| power.wrapping_mul(BASE));
    let mut hash = letters[..length].iter().fold(0u64, |h, l| h.wrapping_mul(BASE).wrapping_add(value(l)));
    let mut all = Vec::with_capacity(letters.len() - length + 1);
    all.push(hash);
    for (old, new) in letters.iter().zip(&letters[length..]) {
        hash = hash.wrapping_sub(value(old).wrapping_mul(lead)).wrapping_mul(BASE).wrapping_add(value(new));
        all.push(hash);
    }
    all
}

/// Three or more sentences in a row that are built alike.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Monotony {
    /// The shared opening (two Han characters) or pattern.
    pub pattern: String,
    pub sentences: usize,
    pub range: Range<usize>,
}

pub const MONOTONY: usize = 3;

/// Runs of [`MONOTONY`] or more sentences with the same first two Han characters. About a quarter of human chapters have
/// one, so it is a remark and no fault.
pub fn same_openings(text: &str) -> Vec<Monotony> {
    monotony(text, opening)
}

/// Runs of [`MONOTONY`] or more sentences with the same pattern; rare in human fiction.
pub fn same_skeletons(text: &str) -> Vec<Monotony> {
    monotony(text, |sentence| Some(sentence_pattern(sentence)).filter(|s| is_telling(s)))
}

fn monotony(text: &str, key: impl Fn(&str) -> Option<String>) -> Vec<Monotony> {
    let sentences = prose_sentences(text);
    runs(&sentences, MONOTONY, |s| key(s.text()))
        .into_iter()
        .map(|(first, count, pattern)| {
            let last = &sentences[first + count - 1];
            let start = sentences[first].start;
            let end = last.start + last.raw.trim_end().len();
            Monotony { pattern, sentences: count, range: start..end }
        })
        .collect()
}

/// The first two Han characters of a sentence, when nothing but marks stands before and between them.
pub(super) fn opening(sentence: &str) -> Option<String> {
    let start: String = sentence.chars().filter(|&c| is_letter(c)).take(2).collect();
    (start.chars().filter(|&c| is_han(c)).count() == 2).then_some(start)
}

/// A phrase that a writer uses often.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Habit {
    pub phrase: String,
    pub count: usize,
}

/// The `top` phrases of two to four Han characters that occur at least `least` times, the weightiest (count × (length −
/// 1)) first.
///
/// A phrase does not cross punctuation nor begin or end with a function character. Left out are phrases that mostly
/// (three times out of four) occur inside a longer one, and those that hold one of `names` or are part of one.
pub fn habits(samples: &[&str], names: &[&str], least: usize, top: usize) -> Vec<Habit> {
    let mut counts: BTreeMap<Vec<char>, usize> = BTreeMap::new();
    for sample in samples {
        for clause in super::split::clauses(sample) {
            for run in clause.split(|c: char| !is_han(c)) {
                let chars: Vec<char> = run.chars().collect();
                for length in 2..=4 {
                    for gram in chars.windows(length) {
                        let framed = [gram[0], gram[length - 1]].into_iter().any(is_function_character);
                        if !framed {
                            *counts.entry(gram.to_vec()).or_default() += 1;
                        }
                    }
                }
            }
        }
    }
    counts.retain(|gram, count| *count >= least.max(2) && !touches_name(&gram.iter().collect::<String>(), names));
    let mut covered = BTreeSet::new();
    for (gram, &count) in &counts {
        for length in 2..gram.len() {
            for part in gram.windows(length) {
                if counts.get(part).is_some_and(|&shorter| count * 4 >= shorter * 3) {
                    covered.insert(part.to_vec());
                }
            }
        }
    }
    let mut found: Vec<(usize, Habit)> = counts
        .into_iter()
        .filter(|(gram, _)| !covered.contains(gram))
        .map(|(gram, count)| (count * (gram.len() - 1), Habit { phrase: gram.into_iter().collect(), count }))
        .collect();
    // Stable over the alphabetical order of the map, so equal weights do not jump about.
    found.sort_by_key(|(weight, _)| std::cmp::Reverse(*weight));
    found.into_iter().take(top).map(|(_, habit)| habit).collect()
}

pub(super) fn touches_name(phrase: &str, names: &[&str]) -> bool {
    names.iter().any(|name| !name.is_empty() && (phrase.contains(name) || name.contains(phrase)))
}

/// Defines the function characters once for counting and for matching, which compares directly: searching the list
/// would take most of the time of a pattern.
macro_rules! function_characters {
    ($($character:literal)*) => {
        /// The 51 function characters whose frequencies make up a writer's profile.
        pub(super) const FUNCTION_CHARACTERS: &str = concat!($($character),*);

        pub(super) fn is_function_character(c: char) -> bool {
            matches!(c, $($character)|*)
        }
    };
}

function_characters! {
    '的' '了' '着' '过' '地' '得' '是' '在' '有' '不' '没' '也' '就' '都' '又' '还' '才' '却' '只' '很' '更' '最' '把' '被' '给' '向'
    '从' '对' '和' '与' '跟' '而' '但' '因' '为' '所' '以' '如' '若' '之' '其' '这' '那' '哪' '个' '们' '吗' '呢' '吧' '啊' '么'
}

/// Nine more characters that belong to the frame of a sentence, such as pronouns.
fn is_frame_character(c: char) -> bool {
    matches!(c, '我' | '你' | '他' | '她' | '它' | '会' | '能' | '上' | '里')
}

/// Returns the pattern of one sentence. Quotation marks are left out and runs of one mark count once.
pub(super) fn sentence_pattern(sentence: &str) -> String {
    let mut shape = String::new();
    for c in sentence.chars() {
        let mark = if is_function_character(c) || is_frame_character(c) {
            c
        } else if is_letter(c) {
            'N'
        } else if c.is_whitespace() || is_quote_mark(c) {
            continue;
        } else {
            fold(c)
        };
        let repeats = shape.ends_with(mark) && (mark == 'N' || !is_letter(mark));
        if !repeats {
            shape.push(mark);
        }
    }
    shape
}

/// False for patterns that all short sentences share, such as `N.`.
pub(super) fn is_telling(pattern: &str) -> bool {
    pattern.chars().filter(|&c| is_letter(c)).count() >= 3
}

/// Runs of at least `least` sentences in a row with one key; `None` breaks a run. Returns the index of the first
/// sentence, the number of sentences, and the key.
pub(super) fn runs<'a>(
    sentences: &[Sentence<'a>],
    least: usize,
    key: impl Fn(&Sentence<'a>) -> Option<String>,
) -> Vec<(usize, usize, String)> {
    let mut found = Vec::new();
    let mut current: Option<(usize, usize, String)> = None;
    for (index, sentence) in sentences.iter().enumerate() {
        let next = key(sentence);
        match (&mut current, next) {
            (Some((_, length, known)), Some(next)) if *known == next => *length += 1,
            (_, next) => {
                found.extend(current.take());
                current = next.map(|key| (index, 1, key));
            }
        }
    }
    found.extend(current);
    found.retain(|&(_, length, _)| length >= least);
    found
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// 七剑十三侠, chapter 1 (public domain).
    const PINE: &str =
        "那为善之人，好比是棵松树，乃冷冷清清的，没甚好处；那作恶之人，好比是朵鲜花，却红红绿绿的，华丽非凡。";
    /// 红楼梦, chapter 1 (public domain).
    const STONE: &str = "那娲皇只用了三万六千五百块，单单剩下一块未用，弃在青埂峰下。谁知此石自经锻炼之后，灵性已通，自去自来，可大可小。";

    #[test]
    fn recycled_text_is_found_whatever_its_punctuation() {
        let earlier = [Shingles::of(STONE)];
        assert_eq!(copied(PINE, &earlier).share, 0.0);
        assert_eq!(copied(&STONE.replace('，', "！"), &earlier).share, 1.0);
        let half = format!("{PINE}\n{STONE}");
        let share = copied(&half, &earlier).share;
        assert!(share > 0.4 && share < 0.6, "{share}");
        assert_eq!(copied("短。", &earlier).share, 0.0);
    }

    #[test]
    fn the_longest_copied_passage_is_found_with_its_source() {
        let earlier = [Shingles::of(PINE), Shingles::of(STONE)];
        let tail: String = STONE.chars().skip(10).collect();
        let text = format!("他翻开书，念道：{tail}");
        let found = copied(&text, &earlier);
        assert_eq!((found.source, &text[found.range.clone()]), (1, tail.trim_end_matches('。')));
        assert_eq!(found.longest, tail.chars().filter(|&c| is_letter(c)).count());
        // Six letters before the passage are the author's own, and with them the 8-grams that begin there.
        let grams = (found.longest + 1 - SHINGLE) as f64;
        assert_eq!(found.share, grams / (grams + 6.0));
        assert_eq!(copied("他翻开书。", &earlier), Copied::default());
    }

    #[test]
    fn a_loop_is_found_from_its_first_passage_on() {
        for passage in ["他看着她。", "雨。\n\n", STONE] {
            let text = format!("{PINE}{}", passage.repeat(120));
            assert_eq!(&text[..looping_end(&text).unwrap()], PINE, "{passage}");
            // Broken off in the middle of the passage.
            let cut: String = text.chars().take(text.chars().count() - passage.chars().count() / 2 - 1).collect();
            assert!(looping_end(&cut).is_some_and(|at| at <= PINE.len() + 6), "{passage}");
        }
        assert_eq!(looping_end(&format!("{PINE}{STONE}{STONE}")), None);
        assert_eq!(looping_end(&format!("{PINE}{}", "啊".repeat(40))), None);
    }

    #[test]
    fn a_text_that_begins_again_is_cut_where_nothing_new_follows() {
        assert_eq!(recurrence(&format!("{STONE}\n{PINE}")), Recurrence { share: 0.0, end: None });
        let circling = format!("{STONE}\n\n雨停了。\n\n{PINE}\n\n{STONE}\n\n雨停了。\n\n{}", PINE.replace('，', "、"));
        let Recurrence { share, end } = recurrence(&circling);
        assert!(share > 0.45 && share < 0.5, "{share}");
        assert_eq!(circling[..end.unwrap()].trim_end(), format!("{STONE}\n\n雨停了。\n\n{PINE}"));
        // A few new words are new: the end begins behind them.
        let reread = format!("{STONE}\n{PINE}\n{STONE}\n他想：\n{PINE}\n{STONE}");
        assert_eq!(&reread[..recurrence(&reread).end.unwrap()], format!("{STONE}\n{PINE}\n{STONE}\n他想：\n"));
        let letter = format!("{STONE}\n{PINE}\n雨停了。\n{STONE}\n{PINE}\n");
        assert!(recurrence(&letter).end.is_some());
        assert_eq!(recurrence(&format!("{letter}他把信烧了。门外有人敲门。\n“谁？”\n是他父亲的声音。")).end, None);
        // Broken off in the middle, it is the same sentence all the same.
        let broken: String = circling.chars().take(circling.chars().count() - 8).collect();
        assert_eq!(recurrence(&broken).end, end);
        // A refrain closes the frame, and what follows a repetition is new.
        let refrain = "那娲皇只用了三万六千五百块，单单剩下一块未用。";
        assert_eq!(recurrence(&format!("{refrain}\n{PINE}\n{refrain}")).end, None);
        assert_eq!(recurrence(&format!("{STONE}\n{STONE}\n{PINE}")).end, None);
        assert_eq!(recurrence("走。走。走。"), Recurrence { share: 0.0, end: None });
    }

    #[test]
    fn the_longest_shared_run_is_located_in_both_texts() {
        let other = format!("{PINE}又道：谁知此石自经锻炼之后——灵性已通，自去自来，可大可小么？");
        let run = longest_shared_run(STONE, &other, 20).unwrap();
        assert_eq!(run.letters, 22);
        assert_eq!(&STONE[run.first], "谁知此石自经锻炼之后，灵性已通，自去自来，可大可小");
        assert_eq!(&other[run.second], "谁知此石自经锻炼之后——灵性已通，自去自来，可大可小");
        assert_eq!(longest_shared_run(STONE, &other, SHARED_RUN_ALARM), None);
        assert_eq!(longest_shared_run("", STONE, 1), None);
    }

    #[test]
    fn three_sentences_built_alike_are_reported() {
        let text = "# 他们\n他们来了。“他们走了。”他们说什么？她笑了。";
        let found = same_openings(text);
        assert_eq!(found.len(), 1);
        assert_eq!((found[0].pattern.as_str(), found[0].sentences), ("他们", 3));
        assert_eq!(&text[found[0].range.clone()], "他们来了。“他们走了。”他们说什么？");
        let alike = "他看着窗外，没有说话。他望着远山，没有回头。他听着雨声，没有动。雨停了。";
        assert_eq!(same_skeletons(alike)[0].sentences, 3);
        assert!(same_skeletons("雨停。风起。云散。花落。").is_empty());
    }

    #[test]
    fn habits_prefer_the_whole_phrase() {
        let text = "他嘴角上扬。她嘴角上扬，你嘴角上扬。他笑道：好。她笑道：好。";
        let found = habits(&[text], &[], 2, 5);
        assert_eq!(found[0], Habit { phrase: "嘴角上扬".into(), count: 3 });
        assert!(found.iter().all(|h| h.phrase == "嘴角上扬" || !"嘴角上扬".contains(&h.phrase)));
        assert!(found.iter().any(|h| h.phrase.contains("笑道")));
        let without = habits(&[text], &["嘴角"], 2, 5);
        assert!(without.iter().all(|h| !h.phrase.contains("嘴角") && h.phrase != "角上"), "{without:?}");
    }

    proptest! {
        #[test]
        fn a_shared_run_really_stands_in_both(a in "[天地人。\n]{0,40}", b in "[天地人。\n]{0,40}") {
            let plain = |s: &str| s.chars().filter(|c| is_letter(*c)).collect::<String>();
            let (pa, pb) = (plain(&a), plain(&b));
            let longest = (1..=pa.chars().count()).rev().find(|&n| {
                let chars: Vec<char> = pa.chars().collect();
                chars.windows(n).any(|w| pb.contains(&String::from_iter(w)))
            });
            let run = longest_shared_run(&a, &b, 1);
            prop_assert_eq!(run.as_ref().map(|r| r.letters), longest);
            if let Some(run) = run {
                prop_assert_eq!(plain(&a[run.first]), plain(&b[run.second]));
            }
        }

        #[test]
        fn shares_are_shares(text in "[天地人。]{0,60}") {
            let own = Shingles::of(&text);
            if own != Shingles::default() {
                prop_assert_eq!(copied(&text, &[own]).share, 1.0);
            }
        }
    }
}

#[cfg(test)]
mod sentence_pattern_tests {
    use super::*;
    use crate::text::prose_sentences;

    #[test]
    fn there_are_fifty_one_distinct_function_characters() {
        let distinct: std::collections::BTreeSet<char> = FUNCTION_CHARACTERS.chars().collect();
        assert_eq!((distinct.len(), FUNCTION_CHARACTERS.chars().count()), (51, 51));
        assert!(distinct.into_iter().all(is_function_character));
        assert!(!is_function_character('我') && !is_function_character('，'));
    }

    #[test]
    fn content_words_collapse() {
        assert_eq!(sentence_pattern("他看着窗外，没有说话。"), "他N着N,没有N.");
        assert_eq!(sentence_pattern("“他望着远山，没有回头！”"), "他N着N,没有N!");
        assert!(is_telling("他N着N,没有N."));
        assert!(!is_telling("N,N."));
    }

    #[test]
    fn runs_need_neighbours() {
        let text = "他来了。他走了。她来了。他来了。他笑了。他哭了。";
        let sentences = prose_sentences(text);
        let found = runs(&sentences, 3, |s| s.text().chars().next().map(String::from));
        assert_eq!(found, [(3, 3, "他".to_owned())]);
    }
}
