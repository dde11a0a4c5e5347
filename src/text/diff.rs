//! The changes between two versions of a text: by sentence, and by character inside changed sentences.
//! Lines are useless for Chinese prose (one is a whole paragraph) and characters alone are confetti. The only user of
//! `similar` in the crate.

use crate::text::chars::is_wide_letter;
use crate::text::prelude::*;
use crate::text::split::Sentence;
use similar::{Algorithm, DiffOp, capture_diff_slices};

/// One step from the old text to the new one. A text is a sentence, usually with the white space after it; white space
/// that changed by itself is a step of its own. The steps put together are the texts again.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "op", rename_all = "snake_case")]
pub enum SentenceOp {
    /// A sentence of both.
    Equal { text: String },
    /// A sentence of the old text only.
    Delete { text: String },
    /// A sentence of the new text only.
    Insert { text: String },
    /// One sentence, or two joined or split, with changes inside.
    Replace { parts: Vec<CharOp> },
}

impl SentenceOp {
    pub fn is_equal(&self) -> bool {
        matches!(self, Self::Equal { .. })
    }

    fn is_blank(&self) -> bool {
        match self {
            Self::Equal { text } | Self::Delete { text } | Self::Insert { text } => text.trim().is_empty(),
            Self::Replace { .. } => false,
        }
    }
}

/// One step inside a changed sentence. Han characters and marks stand alone; a Latin word or number is not cut.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "op", content = "text", rename_all = "snake_case")]
pub enum CharOp {
    Equal(String),
    Delete(String),
    Insert(String),
}

#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ProseDiff {
    ops: Vec<SentenceOp>,
    /// For each step the old and the new paragraph in which it begins, from 0.
    places: Vec<(usize, usize)>,
}

/// A changed place with unchanged sentences around it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Hunk {
    /// Numbers of the paragraphs in which the hunk begins, from 1.
    pub old_paragraph: usize,
    pub new_paragraph: usize,
    /// The steps, at least one of them a change.
    pub ops: Vec<SentenceOp>,
}

pub fn diff(old: &str, new: &str) -> ProseDiff {
    let (before, after) = (sentences(old), sentences(new));
    let old_text: Vec<&str> = before.iter().map(Sentence::text).collect();
    let new_text: Vec<&str> = after.iter().map(Sentence::text).collect();
    let mut steps = DiffBuilder::default();
    for op in capture_diff_slices(Algorithm::Patience, &old_text, &new_text) {
        if let DiffOp::Equal { old_index, new_index, len } = op {
            for k in 0..len {
                steps.push(&before[old_index + k..][..1], &after[new_index + k..][..1]);
            }
            continue;
        }
        let (old_block, new_block) = (&before[op.old_range()], &after[op.new_range()]);
        for pair in align(&old_text[op.old_range()], &new_text[op.new_range()]) {
            steps.push(&old_block[pair.old], &new_block[pair.new]);
        }
    }
    steps.close_gap(true, true);
    steps.done
}

/// White space between sentences is held back until the next sentence of each side is known, so that a sentence added
/// at the end of a paragraph does not change the sentence before it.
#[derive(Default)]
struct DiffBuilder {
    done: ProseDiff,
    old_gap: String,
    new_gap: String,
    place: (usize, usize),
}

impl DiffBuilder {
    fn push(&mut self, old: &[Sentence<'_>], new: &[Sentence<'_>]) {
        let (was, is) = (joined(old), joined(new));
        let (was_body, is_body) = (was.trim(), is.trim());
        self.old_gap.push_str(&was[..was.len() - was.trim_start().len()]);
        self.new_gap.push_str(&is[..is.len() - is.trim_start().len()]);
        self.close_gap(!was_body.is_empty(), !is_body.is_empty());
        self.place =
            (old.first().map_or(self.place.0, |s| s.paragraph), new.first().map_or(self.place.1, |s| s.paragraph));
        match (was_body.is_empty(), is_body.is_empty()) {
            (true, true) => {}
            (false, true) => self.add(SentenceOp::Delete { text: was_body.to_owned() }),
            (true, false) => self.add(SentenceOp::Insert { text: is_body.to_owned() }),
            (false, false) if was_body == is_body => self.add(SentenceOp::Equal { text: was_body.to_owned() }),
            (false, false) => self.add(SentenceOp::Replace { parts: char_ops(was_body, is_body) }),
        }
        let trail = |text: &str| text.trim_start()[text.trim().len()..].to_owned();
        self.old_gap.push_str(&trail(&was));
        self.new_gap.push_str(&trail(&is));
    }

    /// Adds the white space before a sentence of the old text, of the new one, or of both.
    fn close_gap(&mut self, old: bool, new: bool) {
        let needed = (old && !self.old_gap.is_empty()) || (new && !self.new_gap.is_empty());
        if needed && self.old_gap == self.new_gap {
            self.new_gap.clear();
            let text = std::mem::take(&mut self.old_gap);
            return self.add_space(SentenceOp::Equal { text });
        }
        if old {
            let text = std::mem::take(&mut self.old_gap);
            self.add_space(SentenceOp::Delete { text });
        }
        if new {
            let text = std::mem::take(&mut self.new_gap);
            self.add_space(SentenceOp::Insert { text });
        }
    }

    /// White space joins a step of its own kind before it.
    fn add_space(&mut self, op: SentenceOp) {
        use SentenceOp::{Delete, Equal, Insert};
        match (self.done.ops.last_mut(), &op) {
            (_, Equal { text } | Delete { text } | Insert { text }) if text.is_empty() => {}
            (Some(Equal { text }), Equal { text: space })
            | (Some(Delete { text }), Delete { text: space })
            | (Some(Insert { text }), Insert { text: space }) => text.push_str(space),
            _ => self.add(op),
        }
    }

    fn add(&mut self, op: SentenceOp) {
        self.done.places.push(self.place);
        self.done.ops.push(op);
    }
}

fn joined(sentences: &[Sentence<'_>]) -> String {
    sentences.iter().map(|s| s.raw).collect()
}

fn char_ops(old: &str, new: &str) -> Vec<CharOp> {
    let (was, is) = (tokens(old), tokens(new));
    capture_diff_slices(Algorithm::Myers, &was, &is)
        .into_iter()
        .flat_map(|op| {
            let gone = was[op.old_range()].concat();
            let come = is[op.new_range()].concat();
            match op {
                DiffOp::Equal { .. } => vec![CharOp::Equal(gone)],
                DiffOp::Delete { .. } => vec![CharOp::Delete(gone)],
                DiffOp::Insert { .. } => vec![CharOp::Insert(come)],
                DiffOp::Replace { .. } => vec![CharOp::Delete(gone), CharOp::Insert(come)],
            }
        })
        .collect()
}

fn tokens(text: &str) -> Vec<&str> {
    let narrow = |c: char| is_letter(c) && !is_wide_letter(c);
    let mut all = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let end = if narrow(first) { rest.find(|c| !narrow(c)).unwrap_or(rest.len()) } else { first.len_utf8() };
        let (token, tail) = rest.split_at(end);
        all.push(token);
        rest = tail;
    }
    all
}

impl ProseDiff {
    pub fn ops(&self) -> &[SentenceOp] {
        &self.ops
    }

    pub fn is_unchanged(&self) -> bool {
        self.ops.iter().all(SentenceOp::is_equal)
    }

    /// The changes with up to `context` unchanged sentences on each side; changes whose contexts touch share a hunk.
    pub fn hunks(&self, context: usize) -> Vec<Hunk> {
        let mut spans: Vec<(usize, usize)> = Vec::new();
        for at in (0..self.ops.len()).filter(|&at| !self.ops[at].is_equal()) {
            let from = at - reach(self.ops[..at].iter().rev(), context);
            let to = at + 1 + reach(self.ops[at + 1..].iter(), context);
            match spans.last_mut() {
                Some(last) if from <= last.1 => last.1 = last.1.max(to),
                _ => spans.push((from, to)),
            }
        }
        spans
            .into_iter()
            .map(|(from, to)| Hunk {
                old_paragraph: self.places[from].0 + 1,
                new_paragraph: self.places[from].1 + 1,
                ops: self.ops[from..to].to_vec(),
            })
            .collect()
    }
}

/// The number of steps that hold `context` sentences; white space on its own is no sentence.
fn reach<'a>(steps: impl Iterator<Item = &'a SentenceOp>, context: usize) -> usize {
    let mut sentences = 0;
    steps
        .take_while(|op| {
            sentences += usize::from(!op.is_blank());
            sentences <= context
        })
        .count()
}

impl Hunk {
    /// The steps as plain text without the heading line.
    pub fn to_plain(&self) -> String {
        let mut plain = String::new();
        for op in &self.ops {
            match op {
                SentenceOp::Equal { text } => plain.push_str(text),
                SentenceOp::Delete { text } => marked(&mut plain, "[-", text, "-]"),
                SentenceOp::Insert { text } => marked(&mut plain, "{+", text, "+}"),
                SentenceOp::Replace { parts } => {
                    for part in parts {
                        match part {
                            CharOp::Equal(text) => plain.push_str(text),
                            CharOp::Delete(text) => marked(&mut plain, "[-", text, "-]"),
                            CharOp::Insert(text) => marked(&mut plain, "{+", text, "+}"),
                        }
                    }
                }
            }
        }
        plain
    }
}

/// Puts marks around the visible part of `text`; ¶ stands for a line break that came or went alone.
fn marked(plain: &mut String, open: &str, text: &str, close: &str) {
    let body = text.trim();
    if body.is_empty() {
        let shown = if text.contains('\n') { "¶" } else { text };
        plain.push_str(open);
        plain.push_str(shown);
        plain.push_str(close);
        return;
    }
    let lead = text.len() - text.trim_start().len();
    plain.push_str(&text[..lead]);
    plain.push_str(open);
    plain.push_str(body);
    plain.push_str(close);
    plain.push_str(&text[lead + body.len()..]);
}

/// The share of the characters that two texts have in common, in the same order: 1 for equal ones.
pub fn likeness(old: &str, new: &str) -> f64 {
    let (old, new): (Vec<char>, Vec<char>) = (old.chars().collect(), new.chars().collect());
    let ops = capture_diff_slices(Algorithm::Myers, &old, &new);
    let same: usize = ops.iter().map(|op| if let DiffOp::Equal { len, .. } = *op { len } else { 0 }).sum();
    let all = old.len() + new.len();
    if all == 0 { 1.0 } else { (2 * same) as f64 / all as f64 }
}

/// Counts the lines added and removed between two texts of any kind.
pub fn line_changes(old: &str, new: &str) -> (u64, u64) {
    let (old, new): (Vec<&str>, Vec<&str>) = (old.lines().collect(), new.lines().collect());
    let ops = capture_diff_slices(Algorithm::Myers, &old, &new);
    ops.iter().fold((0, 0), |(added, deleted), op| match *op {
        DiffOp::Equal { .. } => (added, deleted),
        DiffOp::Insert { new_len, .. } => (added + new_len as u64, deleted),
        DiffOp::Delete { old_len, .. } => (added, deleted + old_len as u64),
        DiffOp::Replace { old_len, new_len, .. } => (added + new_len as u64, deleted + old_len as u64),
    })
}

/// Sentences of the old version and the new sentences that they became. One side may be empty (deleted, inserted); a
/// sentence split in two or two joined into one are one pair.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Pair {
    pub(super) old: Range<usize>,
    pub(super) new: Range<usize>,
}

/// How far from the diagonal sentences are compared. A chapter has a few hundred; farther apart they are not versions of
/// each other, and comparing all with all would be slow for a full rewrite.
const BAND: usize = 60;

/// Blocks of more sentence pairs than this are cut in half on both sides first: a rewritten volume in one text would
/// need gigabytes.
const LARGEST: usize = 1_000_000;

/// Sentences that share less than this part of their bigrams (Dice, in percent) are different sentences.
const LEAST_ALIKE: usize = 30;

const STEPS: [(usize, usize); 5] = [(1, 1), (1, 0), (0, 1), (2, 1), (1, 2)];

/// Aligns two lists of sentences in order so that the most text is shared within pairs.
pub(super) fn align(old: &[&str], new: &[&str]) -> Vec<Pair> {
    let (m, n) = (old.len(), new.len());
    if m * n > LARGEST {
        let ((old_head, old_tail), (new_head, new_tail)) = (old.split_at(m / 2), new.split_at(n / 2));
        let mut pairs = align(old_head, new_head);
        let shifted =
            |p: Pair| Pair { old: p.old.start + m / 2..p.old.end + m / 2, new: p.new.start + n / 2..p.new.end + n / 2 };
        pairs.extend(align(old_tail, new_tail).into_iter().map(shifted));
        return pairs;
    }
    let olds: Vec<Vec<[char; 2]>> = old.iter().map(|s| bigrams(s)).collect();
    let news: Vec<Vec<[char; 2]>> = new.iter().map(|s| bigrams(s)).collect();
    let mut shared = vec![0usize; m * n];
    for i in 0..m {
        let centre = i * n / m;
        for j in centre.saturating_sub(BAND)..(centre + BAND + 1).min(n) {
            shared[i * n + j] = overlap(&olds[i], &news[j]);
        }
    }
    // The text shared by a step's sentences; `None` when they are too different. Splits and joins get one less, so that
    // they are chosen only where they explain more than a plain pair.
    let gain = |i: usize, j: usize, (a, b): (usize, usize)| -> Option<usize> {
        if a == 0 || b == 0 {
            return Some(0);
        }
        let parts = (i..i + a).flat_map(|x| (j..j + b).map(move |y| (x, y)));
        let common: usize = parts.clone().map(|(x, y)| shared[x * n + y]).sum();
        if a + b > 2 && parts.into_iter().any(|(x, y)| shared[x * n + y] == 0) {
            return None;
        }
        let sizes: usize =
            olds[i..i + a].iter().map(Vec::len).sum::<usize>() + news[j..j + b].iter().map(Vec::len).sum::<usize>();
        (common > 0 && 200 * common >= LEAST_ALIKE * sizes).then(|| 2 * common - usize::from(a + b > 2))
    };
    // best[i][j]: the most that can be shared by old[i..] and new[j..]; taken[i][j]: the first step towards it.
    let width = n + 1;
    let mut best = vec![0usize; (m + 1) * width];
    let mut taken = vec![(0usize, 0usize); (m + 1) * width];
    for i in (0..=m).rev() {
        for j in (0..=n).rev() {
            let mut choice: Option<(usize, (usize, usize))> = None;
            for step in STEPS.into_iter().filter(|&(a, b)| i + a <= m && j + b <= n) {
                let Some(own) = gain(i, j, step) else { continue };
                let total = own + best[(i + step.0) * width + j + step.1];
                if choice.is_none_or(|(most, _)| total > most) {
                    choice = Some((total, step));
                }
            }
            if let Some((total, step)) = choice {
                best[i * width + j] = total;
                taken[i * width + j] = step;
            }
        }
    }
    let mut pairs = Vec::new();
    let (mut i, mut j) = (0, 0);
    while i < m || j < n {
        let (a, b) = taken[i * width + j];
        pairs.push(Pair { old: i..i + a, new: j..j + b });
        (i, j) = (i + a, j + b);
    }
    pairs
}

/// Sorted pairs of neighbouring characters, white space left out; the first character is paired with a blank so that
/// even one character has something to share.
fn bigrams(sentence: &str) -> Vec<[char; 2]> {
    let mut before = ' ';
    let mut pairs: Vec<[char; 2]> =
        sentence.chars().filter(|c| !c.is_whitespace()).map(|c| [std::mem::replace(&mut before, c), c]).collect();
    pairs.sort_unstable();
    pairs
}

/// How many elements two sorted lists have in common, repeated ones as often as both have them.
fn overlap(a: &[[char; 2]], b: &[[char; 2]]) -> usize {
    let (mut i, mut j, mut common) = (0, 0, 0);
    while i < a.len() && j < b.len() {
        match a[i].cmp(&b[j]) {
            std::cmp::Ordering::Less => i += 1,
            std::cmp::Ordering::Greater => j += 1,
            std::cmp::Ordering::Equal => {
                common += 1;
                i += 1;
                j += 1;
            }
        }
    }
    common
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const OLD: &str = "雨下了一夜。他没有睡着。\n\n天亮了。\n\n“走吧。”她说。\n\n门开了。\n";
    const NEW: &str = "雨下了整整一夜。他没有睡着。\n\n天亮了。\n\n“走吧。”她说。风很大。\n\n门开了。\n";

    #[test]
    fn texts_are_alike_by_the_characters_that_they_share() {
        assert!((likeness("", "") - 1.0).abs() < f64::EPSILON && (likeness("一二", "一二") - 1.0).abs() < f64::EPSILON);
        assert!((likeness("一二三四", "一二四五") - 0.75).abs() < f64::EPSILON);
        assert!(likeness("门开了", "雨停") < f64::EPSILON);
    }

    fn plain(found: &ProseDiff, context: usize) -> String {
        let mut plain = String::new();
        for hunk in found.hunks(context) {
            plain.push_str(&format!("@@ ¶{} ¶{} @@\n{}", hunk.old_paragraph, hunk.new_paragraph, hunk.to_plain()));
            plain.push_str(if plain.ends_with('\n') { "" } else { "\n" });
        }
        plain
    }

    /// The old text of a comparison, or the new one.
    fn side(found: &ProseDiff, old: bool) -> String {
        let mut text = String::new();
        for op in found.ops() {
            match op {
                SentenceOp::Equal { text: both } => text.push_str(both),
                SentenceOp::Delete { text: gone } if old => text.push_str(gone),
                SentenceOp::Insert { text: come } if !old => text.push_str(come),
                SentenceOp::Delete { .. } | SentenceOp::Insert { .. } => {}
                SentenceOp::Replace { parts } => text.extend(parts.iter().filter_map(|part| match part {
                    CharOp::Equal(s) => Some(s.as_str()),
                    CharOp::Delete(s) => old.then_some(s.as_str()),
                    CharOp::Insert(s) => (!old).then_some(s.as_str()),
                })),
            }
        }
        text
    }

    #[test]
    fn changes_are_shown_by_sentence_and_character() {
        let found = diff(OLD, NEW);
        assert_eq!(
            plain(&found, 1),
            "@@ ¶1 ¶1 @@\n雨下了{+整整+}一夜。他没有睡着。\n\n@@ ¶3 ¶3 @@\n她说。{+风很大。+}\n\n门开了。\n"
        );
    }

    #[test]
    fn a_deleted_and_an_inserted_sentence_are_whole() {
        let found = diff("甲来了。乙走了。", "甲来了。风很大很冷。");
        let ops: Vec<&SentenceOp> = found.ops().iter().filter(|op| !op.is_equal()).collect();
        assert_eq!(
            ops,
            [&SentenceOp::Delete { text: "乙走了。".into() }, &SentenceOp::Insert { text: "风很大很冷。".into() }]
        );
        assert_eq!(plain(&found, 0), "@@ ¶1 ¶1 @@\n[-乙走了。-]{+风很大很冷。+}\n");
    }

    #[test]
    fn joined_and_split_paragraphs_show_only_the_break() {
        assert_eq!(plain(&diff("雨停了。\n\n天亮了。", "雨停了。天亮了。"), 1), "@@ ¶1 ¶1 @@\n雨停了。[-¶-]天亮了。\n");
        assert_eq!(plain(&diff("雨停了。天亮了。", "雨停了。\n天亮了。"), 0), "@@ ¶1 ¶1 @@\n{+¶+}\n");
    }

    #[test]
    fn a_new_paragraph_is_one_step() {
        let found = diff("雨停了。\n\n天亮了。\n", "雨停了。\n\n风很大。\n\n天亮了。\n");
        assert_eq!(found.ops()[1], SentenceOp::Insert { text: "风很大。\n\n".into() });
        assert_eq!(found.ops().len(), 3);
    }

    #[test]
    fn hunks_number_their_paragraphs_and_join_when_near() {
        let found = diff(OLD, NEW);
        assert_eq!(found.hunks(0).len(), 2);
        assert_eq!(found.hunks(9).len(), 1);
        let second = &found.hunks(0)[1];
        assert_eq!((second.old_paragraph, second.new_paragraph), (3, 3));
        assert!(diff(OLD, OLD).hunks(3).is_empty());
        assert!(diff(OLD, OLD).is_unchanged());
    }

    #[test]
    fn latin_words_are_not_cut() {
        let found = diff("他用AK47打中了那个人。", "他用AK74打中了那个人。");
        let SentenceOp::Replace { parts } = &found.ops()[0] else { panic!("{found:?}") };
        assert!(parts.contains(&CharOp::Delete("AK47".into())));
    }

    #[test]
    fn hunks_are_plain_json() {
        let json = serde_json::to_value(diff("雨下了一夜。", "雨下了两夜。").hunks(1)).unwrap();
        assert_eq!(json[0]["ops"][0]["op"], "replace");
        assert_eq!(json[0]["ops"][0]["parts"][1], serde_json::json!({"op": "delete", "text": "一"}));
    }

    proptest! {
        #[test]
        fn the_steps_lead_from_old_to_new(a in "[天地人心a1。，！“”\n 　]{0,60}", b in "[天地人心a1。，！“”\n 　]{0,60}") {
            let found = diff(&a, &b);
            prop_assert_eq!(side(&found, true), a.clone());
            prop_assert_eq!(side(&found, false), b.clone());
            prop_assert_eq!(found.is_unchanged(), a == b);
        }

        #[test]
        fn hunks_hold_every_change_once(a in "[天地人心。\n]{0,60}", b in "[天地人心。\n]{0,60}", context in 0usize..4) {
            let found = diff(&a, &b);
            let changes = |ops: &[SentenceOp]| ops.iter().filter(|op| !op.is_equal()).cloned().collect::<Vec<_>>();
            let in_hunks: Vec<SentenceOp> = found.hunks(context).iter().flat_map(|h| changes(&h.ops)).collect();
            prop_assert_eq!(in_hunks, changes(found.ops()));
        }
    }

    fn shapes(old: &[&str], new: &[&str]) -> Vec<(usize, usize)> {
        align(old, new).into_iter().map(|p| (p.old.len(), p.new.len())).collect()
    }

    #[test]
    fn sentences_meet_what_they_became() {
        let old = ["雨下了整整一夜。", "他没有睡着。", "天亮时门响了。"];
        let new = ["雨下了一夜。", "多出来的一句话。", "天快亮时门忽然响了。"];
        assert_eq!(shapes(&old, &new), [(1, 1), (1, 0), (0, 1), (1, 1)]);
    }

    #[test]
    fn splits_and_joins_are_one_pair() {
        assert_eq!(shapes(&["雨下了整整一夜，他一直没有睡着。"], &["雨下了整整一夜。", "他一直没有睡着。"]), [(1, 2)]);
        assert_eq!(shapes(&["雨下了整整一夜。", "他一直没有睡着。"], &["雨下了整整一夜，他一直没有睡着。"]), [(2, 1)]);
    }

    #[test]
    fn a_block_too_large_is_cut_and_nothing_of_it_is_lost() {
        let texts: Vec<String> = (0..1201).map(|n| format!("第{n}天下了雨。")).collect();
        let old: Vec<&str> = texts.iter().map(String::as_str).collect();
        let pairs = align(&old, &old[..1000]);
        let (mut i, mut j) = (0, 0);
        for pair in &pairs {
            assert_eq!((pair.old.start, pair.new.start), (i, j));
            (i, j) = (pair.old.end, pair.new.end);
        }
        assert_eq!((i, j), (1201, 1000));
    }

    #[test]
    fn nothing_is_lost_when_a_side_is_empty() {
        assert_eq!(shapes(&[], &["甲。"]), [(0, 1)]);
        assert_eq!(shapes(&["甲。"], &[]), [(1, 0)]);
        assert_eq!(shapes(&[], &[]), []);
    }
}
