//! Chapters that the author has rearranged by hand, recognised by their texts.

use crate::domain::ChapterNo;
use crate::domain::renumbering::Renumbering;
use std::collections::BTreeSet;

/// The operation that leads from the bodies of some chapters to others, or the first of several moves; `None` without one, and where
/// every chapter has its own number still. Both lists begin with the chapter `from` and go to the end of the book.
pub fn rearranged(from: ChapterNo, before: &[String], now: &[String]) -> Option<Renumbering> {
    let number = |at: usize| ChapterNo::new(from.get() + u32::try_from(at).ok()?);
    let (short, long) = if before.len() < now.len() { (before, now) } else { (now, before) };
    let others: Vec<usize> = (0..short.len()).filter(|at| !is_like(&short[*at], &long[*at])).collect();
    if before.len() == now.len() {
        let (from, to) = moved(before, now, &others)?;
        return Some(Renumbering::Move { from: number(from)?, to: number(to)? });
    }
    if long.len() != short.len() + 1 {
        return None;
    }
    // One part of a chapter may be most of it, so that the first difference is the other part.
    let first = others.first().copied().unwrap_or(short.len());
    let is_joint = |at: &usize| {
        let (parts, whole) = (&long[*at..], short.get(*at));
        whole.is_some_and(|whole| parts.len() > 1 && has_same_words(&parts[..2], whole))
            && are_alike(&parts[2..], &short[at + 1..])
    };
    let joint = [first.checked_sub(1), Some(first)].into_iter().flatten().find(is_joint);
    let alone = (first < short.len() && are_alike(&long[first + 1..], &short[first..])).then_some(first);
    match (before.len() < now.len(), joint, alone) {
        (true, Some(at), _) => Some(Renumbering::Split(number(at)?)),
        (true, None, Some(at)) => Some(Renumbering::Insert(number(at)?)),
        (false, Some(at), _) => Some(Renumbering::Merge(number(at)?)),
        (false, None, Some(at)) => Some(Renumbering::Remove(number(at)?)),
        (_, None, None) => None,
    }
}

/// The old and the new place of a text that has moved, where the texts at the places `others` are other ones than before: the only
/// one, or the one that is at the first of these places now.
fn moved(before: &[String], now: &[String], others: &[usize]) -> Option<(usize, usize)> {
    let (first, last) = (*others.first()?, *others.last()?);
    let (old, new) = (&before[first..=last], &now[first..=last]);
    let end = old.len() - 1;
    if is_like(&new[0], &old[end]) && are_alike(&new[1..], &old[..end]) {
        return Some((last, first));
    }
    if is_like(&new[end], &old[0]) && are_alike(&new[..end], &old[1..]) {
        return Some((first, last));
    }
    let source = |at: usize| others.iter().copied().find(|from| is_like(&now[at], &before[*from]));
    let target = |at: usize| others.iter().copied().find(|to| is_like(&now[*to], &before[at]));
    let are_same_texts = others.iter().all(|at| source(*at).is_some() && target(*at).is_some());
    are_same_texts.then(|| source(first)).flatten().map(|from| (from, first))
}

fn are_alike(some: &[String], others: &[String]) -> bool {
    some.len() == others.len() && some.iter().zip(others).all(|(one, other)| is_like(one, other))
}

/// True for the same text, which may have been touched up: most of the lines are the same.
fn is_like(one: &str, other: &str) -> bool {
    let lines = |text| -> BTreeSet<&str> { str::lines(text).map(str::trim).filter(|line| !line.is_empty()).collect() };
    one == other || {
        let (one, other) = (lines(one), lines(other));
        one.intersection(&other).count() * 2 > one.len().max(other.len())
    }
}

/// True when the parts are the whole one after the other, but for blanks and marks between scenes.
fn has_same_words(parts: &[String], whole: &str) -> bool {
    let words = |text: &str| -> String {
        text.chars().filter(|c| !c.is_whitespace() && !['*', '-', '#'].contains(c)).collect()
    };
    words(&parts.concat()) == words(whole)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn bodies(n: u32) -> Vec<String> {
        (1..=n).map(|n| format!("第{n}夜。\n\n天亮了{n}。\n")).collect()
    }

    /// The bodies after the operation.
    fn after(how: Renumbering, before: &[String]) -> Vec<String> {
        let mut now = before.to_vec();
        let at = |chapter: ChapterNo| chapter.get() as usize - 1;
        match how {
            Renumbering::Insert(n) => now.insert(at(n), "新的一夜。\n".to_owned()),
            Renumbering::Split(n) => {
                let (one, two) = now[at(n)].split_once("\n\n").map(|(a, b)| (a.to_owned(), b.to_owned())).unwrap();
                now[at(n)] = format!("{one}\n");
                now.insert(at(n) + 1, two);
            }
            Renumbering::Merge(n) => {
                let other = now.remove(at(n) + 1);
                now[at(n)].push_str(&format!("\n* * *\n\n{other}"));
            }
            Renumbering::Remove(n) => _ = now.remove(at(n)),
            Renumbering::Move { from, to } => {
                let moved = now.remove(at(from));
                now.insert(at(to), moved);
            }
        }
        now
    }

    proptest! {
        #[test]
        fn each_operation_is_recognised(kind in 0usize..5, a in 1u32..8, b in 1u32..8) {
            let (a, b) = (ChapterNo::new(a).unwrap(), ChapterNo::new(b).unwrap());
            prop_assume!(a != b);
            let how = match kind {
                0 => Renumbering::Insert(a),
                1 => Renumbering::Split(a),
                2 => Renumbering::Merge(a),
                3 => Renumbering::Remove(a),
                _ => Renumbering::Move { from: a, to: b },
            };
            let before = bodies(8);
            let now = after(how, &before);
            let found = rearranged(ChapterNo::FIRST, &before, &now).unwrap();
            prop_assert_eq!(after(found, &before).len(), now.len());
            // Neighbours that change places have moved either way.
            let is_swap = a.get().abs_diff(b.get()) == 1;
            prop_assert!(found == how || kind == 4 && is_swap, "{how}: {found}");
        }
    }

    #[test]
    fn touched_up_chapters_and_several_moves_are_recognised() {
        let text = |n: u32| (1..6).map(|line| format!("第{n}夜第{line}句。\n\n")).collect::<String>();
        let before: Vec<String> = (1..=5).map(text).collect();
        let now = |order: [usize; 5]| -> Vec<String> {
            order.iter().map(|n| before[n - 1].replace("第3句", "又一句")).collect()
        };
        let at = |n| ChapterNo::new(n).unwrap();
        let move_of = |order| rearranged(ChapterNo::FIRST, &before, &now(order));
        assert_eq!(move_of([1, 2, 3, 4, 5]), None);
        assert_eq!(move_of([1, 3, 4, 5, 2]), Some(Renumbering::Move { from: at(2), to: at(5) }));
        // 2 and 4 have changed places: 4 goes first, then 3.
        assert_eq!(move_of([1, 4, 3, 2, 5]), Some(Renumbering::Move { from: at(4), to: at(2) }));
        let mut longer = now([1, 2, 3, 4, 5]);
        longer.insert(2, "门开着。\n".to_owned());
        assert_eq!(rearranged(ChapterNo::FIRST, &before, &longer), Some(Renumbering::Insert(at(3))));
        longer[1].push_str("天亮了。\n");
        longer.remove(2);
        longer.push("又一章。\n".to_owned());
        assert_eq!(rearranged(ChapterNo::FIRST, &before, &longer), None, "the last one is new");
    }

    #[test]
    fn edits_in_place_are_no_rearrangement() {
        let before = bodies(5);
        let mut now = before.clone();
        now[1] = "改过。\n".to_owned();
        now[2] = "也改过。\n".to_owned();
        assert_eq!(rearranged(ChapterNo::FIRST, &before, &now), None);
        now.push("又一章。\n".to_owned());
        assert_eq!(rearranged(ChapterNo::FIRST, &before, &now), None);
        assert_eq!(rearranged(ChapterNo::FIRST, &before, &before), None);
        assert_eq!(rearranged(ChapterNo::FIRST, &before, &before[..4]), None, "the last one is gone");
    }
}
