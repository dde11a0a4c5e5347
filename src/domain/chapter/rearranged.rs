//! Chapters that the author has rearranged by hand, recognised by their texts.

use super::Chapter;
use crate::domain::ChapterNo;
use crate::domain::renumbering::Renumbering;
use std::collections::BTreeSet;

/// The operation that leads from some chapters to others, or the first of several moves; `None` without one, and where
/// every chapter has its own number still. Both lists begin with the chapter `from` and go to the end of the book.
pub fn rearranged(from: ChapterNo, before: &[Chapter], now: &[Chapter]) -> Option<Renumbering> {
    let number = |at: usize| ChapterNo::new(from.get() + u32::try_from(at).ok()?);
    let (short, long) = if before.len() < now.len() { (before, now) } else { (now, before) };
    let others: Vec<usize> = (0..short.len()).filter(|at| !is_like(&short[*at], &long[*at])).collect();
    if before.len() == now.len() {
        let (from, to) = moved(before, now, &others)?;
        return Some(Renumbering::Move { from: number(from)?, to: number(to)? });
    }
    if long.len() != short.len() + 1 {
        let first = left(before, now)?.into_iter().enumerate().find(|(at, place)| at != place);
        return Some(Renumbering::Remove(number(first?.0)?));
    }
    // One part of a chapter may be most of it, so that the first difference is the other part.
    let first = others.first().copied().unwrap_or(short.len());
    let is_joint = |at: &usize| {
        let (parts, whole) = (&long[*at..], short.get(*at));
        matches!((parts, whole), ([one, other, ..], Some(whole)) if are_parts([&one.body, &other.body], &whole.body))
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

/// The places that the texts had before, where others are only gone.
pub fn left(before: &[Chapter], now: &[Chapter]) -> Option<Vec<usize>> {
    let mut rest = before.iter().enumerate();
    now.iter().map(|text| Some(rest.find(|(_, old)| is_like(old, text))?.0)).collect()
}

/// The old and the new place of a text that has moved, where the texts at the places `others` are other ones than before: the only
/// one, or the one that is at the first of these places now.
fn moved(before: &[Chapter], now: &[Chapter], others: &[usize]) -> Option<(usize, usize)> {
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

fn are_alike(some: &[Chapter], others: &[Chapter]) -> bool {
    some.len() == others.len() && some.iter().zip(others).all(|(one, other)| is_like(one, other))
}

fn lines(text: &str) -> BTreeSet<&str> {
    text.lines().map(str::trim).filter(|line| !line.is_empty()).collect()
}

/// True for the same chapter, which may have been touched up: most of the lines are the same, or the title is.
fn is_like(one: &Chapter, other: &Chapter) -> bool {
    one.body == other.body || !one.title.is_empty() && one.title == other.title || {
        let (one, other) = (lines(&one.body), lines(&other.body));
        one.intersection(&other).count() * 2 > one.len().max(other.len())
    }
}

/// True when the parts are the whole one after the other, but for blanks and marks between scenes, or when the whole has most of the
/// lines that only one of the parts has, of either part.
fn are_parts([one, other]: [&str; 2], whole: &str) -> bool {
    let words = |text: &str| -> String {
        text.chars().filter(|c| !c.is_whitespace() && !['*', '-', '#'].contains(c)).collect()
    };
    let is_part = |text: &str| !text.trim().is_empty();
    is_part(one) && is_part(other) && words(&format!("{one}{other}")) == words(whole) || {
        let (one, other, whole) = (lines(one), lines(other), lines(whole));
        [(&one, &other), (&other, &one)].iter().all(|(part, beside)| {
            let own: BTreeSet<&str> = part.difference(beside).copied().collect();
            own.intersection(&whole).count() * 2 > own.len()
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn of(body: &str) -> Chapter {
        Chapter { number: ChapterNo::FIRST, title: String::new(), body: body.to_owned() }
    }

    fn chapters(n: u32) -> Vec<Chapter> {
        (1..=n).map(|n| of(&format!("第{n}夜。\n\n天亮了{n}。\n"))).collect()
    }

    fn after(how: Renumbering, before: &[Chapter]) -> Vec<Chapter> {
        let mut now = before.to_vec();
        let at = |chapter: ChapterNo| chapter.get() as usize - 1;
        match how {
            Renumbering::Insert(n) => now.insert(at(n), of("新的一夜。\n")),
            Renumbering::Split(n) => {
                let (one, two) = now[at(n)].body.split_once("\n\n").map(|(a, b)| (a.to_owned(), b.to_owned())).unwrap();
                now[at(n)] = of(&format!("{one}\n"));
                now.insert(at(n) + 1, of(&two));
            }
            Renumbering::Merge(n) => {
                let other = now.remove(at(n) + 1);
                now[at(n)].body.push_str(&format!("\n* * *\n\n{}", other.body));
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
            let before = chapters(8);
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
        let before: Vec<Chapter> = (1..=5).map(|n| of(&text(n))).collect();
        let now = |order: [usize; 5]| -> Vec<Chapter> {
            order.iter().map(|n| of(&before[n - 1].body.replace("第3句", "又一句"))).collect()
        };
        let at = |n| ChapterNo::new(n).unwrap();
        let move_of = |order| rearranged(ChapterNo::FIRST, &before, &now(order));
        assert_eq!(move_of([1, 2, 3, 4, 5]), None);
        assert_eq!(move_of([1, 3, 4, 5, 2]), Some(Renumbering::Move { from: at(2), to: at(5) }));
        // 2 and 4 have changed places: 4 goes first, then 3.
        assert_eq!(move_of([1, 4, 3, 2, 5]), Some(Renumbering::Move { from: at(4), to: at(2) }));
        let mut longer = now([1, 2, 3, 4, 5]);
        longer.insert(2, of("门开着。\n"));
        assert_eq!(rearranged(ChapterNo::FIRST, &before, &longer), Some(Renumbering::Insert(at(3))));
        longer[1].body.push_str("天亮了。\n");
        longer.remove(2);
        longer.push(of("又一章。\n"));
        assert_eq!(rearranged(ChapterNo::FIRST, &before, &longer), None, "the last one is new");
    }

    #[test]
    fn edits_in_place_are_no_rearrangement() {
        let before = chapters(5);
        let mut now = before.clone();
        now[1] = of("改过。\n");
        now[2] = of("也改过。\n");
        assert_eq!(rearranged(ChapterNo::FIRST, &before, &now), None);
        now.push(of("又一章。\n"));
        assert_eq!(rearranged(ChapterNo::FIRST, &before, &now), None);
        assert_eq!(rearranged(ChapterNo::FIRST, &before, &before), None);
        assert_eq!(rearranged(ChapterNo::FIRST, &before, &before[..4]), None, "the last one is gone");
        let begun = [before.clone(), vec![of("")]].concat();
        assert_eq!(rearranged(ChapterNo::FIRST, &before, &begun), None, "an empty text is no part of the last one");
    }

    #[test]
    fn of_several_chapters_that_are_gone_the_first_is_removed_first() {
        let before = chapters(6);
        for (gone, first) in [(&[2, 3][..], Some(2)), (&[1, 4], Some(1)), (&[3, 5, 6], Some(3)), (&[5, 6], None)] {
            let now = (1..).zip(before.clone()).filter(|(n, _)| !gone.contains(n)).map(|(_, text)| text);
            let wanted = first.and_then(ChapterNo::new).map(Renumbering::Remove);
            assert_eq!(rearranged(ChapterNo::FIRST, &before, &now.collect::<Vec<_>>()), wanted, "{gone:?}");
        }
    }

    #[test]
    fn rewritten_chapters_are_told_by_their_titles_and_joined_ones_by_their_lines() {
        let titled = |(n, body): (u32, &str)| Chapter { title: format!("第{n}个夜"), ..of(body) };
        let before = [(1, "一夜。\n"), (2, "两夜。\n"), (3, "三夜。\n")].map(titled);
        let at = |n| ChapterNo::new(n).unwrap();
        let swapped = [(1, "一夜。\n"), (3, "门开着。\n"), (2, "灯灭了。\n")].map(titled);
        let found = rearranged(ChapterNo::FIRST, &before, &swapped);
        assert_eq!(found, Some(Renumbering::Move { from: at(3), to: at(2) }));
        let text = |n: u32| (1..6).map(|line| format!("第{n}夜第{line}句。\n\n")).collect::<String>();
        let before: Vec<Chapter> = (1..=4).map(|n| of(&text(n))).collect();
        let joined = of(&format!("{}中间。\n\n{}", text(2), text(3)).replace("第5句", "末句"));
        let now = [before[0].clone(), joined, before[3].clone()];
        assert_eq!(rearranged(ChapterNo::FIRST, &before, &now), Some(Renumbering::Merge(at(2))));
        let twice = [before[0].clone(), before[0].clone(), before[1].clone()];
        assert_eq!(rearranged(ChapterNo::FIRST, &twice, &before[..2]), Some(Renumbering::Remove(at(2))));
    }
}
