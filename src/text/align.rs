//! Pairs the sentences of two versions of a passage, so that each is compared with what it became.

use std::ops::Range;

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
