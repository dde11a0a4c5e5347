//! Chapters that the author has rearranged by hand, recognised by their texts.

use crate::domain::ChapterNo;
use crate::domain::renumbering::Renumbering;

/// The one operation that leads from the bodies of some chapters to others; `None` where none does, or where every chapter has its own
/// number still. Both lists begin with the chapter `from` and go to the end of the book.
#[must_use]
pub fn rearranged(from: ChapterNo, before: &[String], now: &[String]) -> Option<Renumbering> {
    let number = |at: usize| ChapterNo::new(from.get() + u32::try_from(at).ok()?);
    let first = before.iter().zip(now).position(|(before, now)| before != now)?;
    let at = number(first)?;
    let (old, new) = (&before[first..], &now[first..]);
    match now.len().cast_signed() - before.len().cast_signed() {
        1 if new[1..] == *old => Some(Renumbering::Insert(at)),
        1 if new[2..] == old[1..] && same(&[&new[0], &new[1]], &[&old[0]]) => Some(Renumbering::Split(at)),
        -1 if *new == old[1..] => Some(Renumbering::Remove(at)),
        -1 if new[1..] == old[2..] && same(&[&new[0]], &[&old[0], &old[1]]) => Some(Renumbering::Merge(at)),
        0 => {
            let last = before.iter().zip(now).rposition(|(before, now)| before != now)?;
            let end = number(last)?;
            let (old, new) = (&before[first..=last], &now[first..=last]);
            if new[0] == old[old.len() - 1] && new[1..] == old[..old.len() - 1] {
                Some(Renumbering::Move { from: end, to: at })
            } else if new[new.len() - 1] == old[0] && new[..new.len() - 1] == old[1..] {
                Some(Renumbering::Move { from: at, to: end })
            } else {
                None
            }
        }
        _ => None,
    }
}

/// True when the parts are the same text one after the other, but for blanks and marks between scenes.
fn same(one: &[&String], other: &[&String]) -> bool {
    let words = |parts: &[&String]| -> String {
        let all = parts.iter().flat_map(|part| part.chars());
        all.filter(|c| !c.is_whitespace() && !['*', '-', '#'].contains(c)).collect()
    };
    words(one) == words(other)
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
