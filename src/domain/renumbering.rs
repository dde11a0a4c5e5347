//! Chapters that get other numbers because one is inserted, moved, split, merged or removed.
//! Chapters that the author has rearranged by hand, recognised by their texts.

use crate::domain::chapter::Chapter;
use crate::domain::prelude::*;
use serde::Serializer;
use std::ops::RangeInclusive;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Renumbering {
    /// A new chapter takes the number.
    Insert(ChapterNo),
    /// To another number, or with the same one to another volume.
    Move { from: ChapterNo, to: ChapterNo },
    /// The second part of the chapter becomes the chapter after it.
    Split(ChapterNo),
    /// The chapter after this one becomes its second part.
    Merge(ChapterNo),
    /// A chapter leaves the book, and the later ones move up.
    Remove(ChapterNo),
}

impl Renumbering {
    /// The new number of a chapter; `None` for a chapter that is removed, or merged into another.
    pub fn of(self, chapter: ChapterNo) -> Option<ChapterNo> {
        if self.drops() == Some(chapter) { None } else { ChapterNo::new(self.refers(chapter.get())) }
    }

    /// The number of a chapter after several operations, of which the oldest comes first.
    pub fn of_all<'r>(oldest_first: impl IntoIterator<Item = &'r Self>, chapter: ChapterNo) -> Option<ChapterNo> {
        oldest_first.into_iter().try_fold(chapter, |number, how| how.of(number))
    }

    /// The number by which a chapter is referred to now. The chapter after a removed one takes its place.
    pub fn refers(self, n: u32) -> u32 {
        match self {
            Self::Insert(at) if n >= at.get() => n + 1,
            Self::Split(at) if n > at.get() => n + 1,
            Self::Merge(at) if n > at.get() => n - 1,
            Self::Remove(at) if n > at.get() => n - 1,
            Self::Move { from, to } if n == from.get() => to.get(),
            Self::Move { from, to } if (from.get()..=to.get()).contains(&n) => n - 1,
            Self::Move { from, to } if (to.get()..=from.get()).contains(&n) => n + 1,
            _ => n,
        }
    }

    /// The range of chapters with its new ends. A longer range does not follow a chapter that moves out of it.
    pub fn range(self, chapters: RangeInclusive<u32>) -> RangeInclusive<u32> {
        let (first, last) = chapters.into_inner();
        if let Self::Move { from, to } = self
            && [from, to].iter().all(|chapter| (first..=last).contains(&chapter.get()))
            && first < last
        {
            return first..=last;
        }
        let moved = match self {
            Self::Move { from, to } if first < last && from != to => Some(from.get()),
            _ => None,
        };
        let [low, high] = [first, last].map(|n| if moved == Some(n) { None } else { Some(self.refers(n)) });
        let low = low.unwrap_or_else(|| self.refers(first + 1));
        low..=high.unwrap_or_else(|| self.refers(last - 1)).max(low)
    }

    /// The number that a chapter had before; `None` for a text that was no chapter of its own.
    pub fn before(self, chapter: ChapterNo) -> Option<ChapterNo> {
        self.inverse().of(chapter)
    }

    #[must_use]
    pub fn inverse(self) -> Self {
        match self {
            Self::Insert(at) => Self::Remove(at),
            Self::Remove(at) => Self::Insert(at),
            Self::Split(at) => Self::Merge(at),
            Self::Merge(at) => Self::Split(at),
            Self::Move { from, to } => Self::Move { from: to, to: from },
        }
    }

    /// True for the operation that leads back from the earlier one; neighbours change places in either direction.
    pub fn takes_back(self, earlier: Self) -> bool {
        let is_exchange = matches!(self, Self::Move { from, to } if from.get().abs_diff(to.get()) == 1);
        self == earlier.inverse() || is_exchange && self == earlier
    }

    /// The number under which a chapter's draft goes on; `None` where the chapter is gone or has become another text.
    pub fn of_draft(self, chapter: ChapterNo) -> Option<ChapterNo> {
        match self {
            Self::Split(at) | Self::Merge(at) if chapter == at => None,
            _ => self.of(chapter),
        }
    }

    pub fn brings(self) -> Option<ChapterNo> {
        self.inverse().drops()
    }

    /// The number that the chapter has which leaves the book, or becomes a part of another.
    pub fn drops(self) -> Option<ChapterNo> {
        match self {
            Self::Remove(at) => Some(at),
            Self::Merge(at) => Some(at.next()),
            _ => None,
        }
    }

    pub fn first(self) -> ChapterNo {
        match self {
            Self::Insert(at) | Self::Split(at) | Self::Merge(at) | Self::Remove(at) => at,
            Self::Move { from, to } => from.min(to),
        }
    }
}

impl fmt::Display for Renumbering {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Insert(at) => write!(f, "insert {}", at.get()),
            Self::Move { from, to } => write!(f, "move {} {}", from.get(), to.get()),
            Self::Split(at) => write!(f, "split {}", at.get()),
            Self::Merge(at) => write!(f, "merge {}", at.get()),
            Self::Remove(at) => write!(f, "remove {}", at.get()),
        }
    }
}

/// As `novel chapter` takes the operation: `move 5 2`.
impl Serialize for Renumbering {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.collect_str(self)
    }
}

impl FromStr for Renumbering {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let parts: Vec<&str> = text.split_whitespace().collect();
        let number = |at: usize| parts.get(at).and_then(|part| part.parse().ok()).ok_or_else(|| text.to_owned());
        Ok(match parts.first() {
            Some(&"insert") => Self::Insert(number(1)?),
            Some(&"move") => Self::Move { from: number(1)?, to: number(2)? },
            Some(&"split") => Self::Split(number(1)?),
            Some(&"merge") => Self::Merge(number(1)?),
            Some(&"remove") => Self::Remove(number(1)?),
            _ => return Err(text.to_owned()),
        })
    }
}

/// The operations that lead from some chapters to others: chapters leave, come, and change places. Chapters that are gone at the end, or
/// new there, are no operation unless others are. Both lists begin with the chapter `from` and go to the end of the book.
pub fn operations(from: ChapterNo, before: &[Chapter], now: &[Chapter]) -> Vec<Renumbering> {
    let number = |at: usize| ChapterNo::new(from.get().saturating_add(u32::try_from(at).unwrap_or(u32::MAX)));
    let number = |at: usize| number(at).unwrap_or(from);
    let of = places(before, now);
    // The texts in the book at the time, each by its old place and its new one.
    let mut line: Vec<(Option<usize>, Option<usize>)> = (0..before.len()).map(|was| (Some(was), None)).collect();
    of.iter().enumerate().for_each(|(is, was)| _ = was.map(|was| line[was].1 = Some(is)));
    let mut found = Vec::new();
    let is_within = of.iter().rposition(Option::is_some).is_some_and(|last| of[..last].contains(&None));
    let has_others = is_within || !of.iter().flatten().is_sorted();
    let mut at = 0;
    while let Some((was, is)) = line.get(at).copied() {
        let (Some(was), None) = (was, is) else {
            at += 1;
            continue;
        };
        let beside = |at: Option<usize>| match line.get(at?)? {
            (Some(was), Some(is)) => Some((&before[*was].body, &now[*is].body)),
            _ => None,
        };
        let gone = &before[was].body;
        let ends = beside(at.checked_sub(1)).is_some_and(|(one, whole)| are_parts([one, gone], whole));
        let begins = beside(Some(at + 1)).is_some_and(|(other, whole)| are_parts([gone, other], whole));
        if ends || begins {
            found.push(Renumbering::Merge(number(if ends { at - 1 } else { at })));
        } else if has_others || !found.is_empty() || line[at..].iter().any(|(_, is)| is.is_some()) {
            found.push(Renumbering::Remove(number(at)));
        } else {
            break;
        }
        line.remove(at);
    }
    for is in (0..of.len()).filter(|is| of[*is].is_none()) {
        let place = |with: usize| Some((with, line.iter().position(|(_, is)| *is == Some(with))?));
        let (how, at) = match part_of(before, now, &of, is).and_then(place) {
            Some((with, whole)) => (Renumbering::Split(number(whole)), whole + usize::from(with < is)),
            None if is < line.len() => (Renumbering::Insert(number(is)), is),
            None => break,
        };
        found.push(how);
        line.insert(at, (None, Some(is)));
    }
    let is_other = |line: &[(Option<usize>, Option<usize>)], at: usize| line[at].1.is_some_and(|is| is != at);
    while let Some(first) = (0..line.len()).find(|at| is_other(&line, *at)) {
        let last = (0..line.len()).rfind(|at| is_other(&line, *at)).unwrap_or(first);
        let (down, up) = (&line[first + 1..=last], &line[first..last]);
        let (from, to) = if line[last].1 == Some(first) && (first..).zip(up).all(|(at, text)| text.1 == Some(at + 1)) {
            (last, first)
        } else if line[first].1 == Some(last) && (first..).zip(down).all(|(at, text)| text.1 == Some(at)) {
            (first, last)
        } else {
            let Some(from) = line.iter().position(|text| text.1 == Some(first)) else { break };
            (from, first)
        };
        found.push(Renumbering::Move { from: number(from), to: number(to) });
        let text = line.remove(from);
        line.insert(to, text);
    }
    found
}

/// The place that each text had before; `None` for a new one. A text that stands where another has left is that one, written again.
pub fn places(before: &[Chapter], now: &[Chapter]) -> Vec<Option<usize>> {
    let (mut of, mut free) = (vec![None; now.len()], (0..before.len()).collect::<BTreeSet<usize>>());
    let is_same = |one: &Chapter, other: &Chapter| one.body == other.body;
    // Both parts of a chapter that was split are like it.
    let is_titled = |one: &Chapter, other: &Chapter| {
        !one.title.is_empty() && one.title == other.title && !lines(&one.body).is_disjoint(&lines(&other.body))
    };
    for is_it in [&is_same as &dyn Fn(&Chapter, &Chapter) -> bool, &is_titled, &is_like] {
        for (is, text) in now.iter().enumerate() {
            if of[is].is_none() {
                of[is] = free.iter().copied().find(|was| is_it(&before[*was], text));
                of[is].map(|was| free.remove(&was));
            }
        }
    }
    let is_in_order = of.iter().flatten().is_sorted();
    for is in 0..of.len() {
        if of[is].is_none() && part_of(before, now, &of, is).is_none() {
            let after = is.checked_sub(1).map_or(Some(0), |before| of[before].map(|was| was + 1));
            let next = of.get(is + 1).copied().flatten().and_then(|was| was.checked_sub(1));
            let left = [after, next, Some(is).filter(|_| !is_in_order)].into_iter().flatten();
            of[is] = left.into_iter().find(|was| free.contains(was));
            of[is].map(|was| free.remove(&was));
        }
    }
    of
}

/// The text beside a new one that was one with it before.
fn part_of(before: &[Chapter], now: &[Chapter], of: &[Option<usize>], is: usize) -> Option<usize> {
    let is_split = |with: &usize| {
        let whole = of.get(*with).copied().flatten().map(|was| before[was].body.as_str());
        let parts = [is.min(*with), is.max(*with)].map(|part| now.get(part).map_or("", |part| part.body.as_str()));
        whole.is_some_and(|whole| are_parts(parts, whole))
    };
    is.checked_sub(1).into_iter().chain([is + 1]).find(is_split)
}

pub(crate) fn lines(text: &str) -> BTreeSet<&str> {
    text.lines().map(str::trim).filter(|line| !line.is_empty()).collect()
}

/// True for the same chapter, which may have been touched up: most of the lines are the same, or the title is.
pub(crate) fn is_like(one: &Chapter, other: &Chapter) -> bool {
    one.body == other.body || !one.title.is_empty() && one.title == other.title || {
        let (one, other) = (lines(&one.body), lines(&other.body));
        one.intersection(&other).count() * 2 > one.len().max(other.len())
    }
}

/// True for texts that differ in blanks and marks between scenes alone.
pub(crate) fn has_words_of(one: &str, other: &str) -> bool {
    let words = |text: &str| -> String {
        text.chars().filter(|c| !c.is_whitespace() && !['*', '-', '#'].contains(c)).collect()
    };
    words(one) == words(other)
}

/// True when the parts are the whole one after the other, but for blanks and marks between scenes, or when the whole has most of the
/// lines that only one of the parts has, of either part.
fn are_parts([one, other]: [&str; 2], whole: &str) -> bool {
    let is_part = |text: &str| !text.trim().is_empty();
    is_part(one) && is_part(other) && has_words_of(&format!("{one}{other}"), whole) || {
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

    fn chapter() -> impl Strategy<Value = ChapterNo> {
        (1u32..40).prop_map(|n| ChapterNo::new(n).unwrap())
    }

    pub(crate) fn any() -> impl Strategy<Value = Renumbering> {
        prop_oneof![
            chapter().prop_map(Renumbering::Insert),
            chapter().prop_map(Renumbering::Split),
            chapter().prop_map(Renumbering::Merge),
            chapter().prop_map(Renumbering::Remove),
            (chapter(), chapter()).prop_map(|(from, to)| Renumbering::Move { from, to }),
        ]
    }

    proptest! {
        #[test]
        fn no_two_chapters_get_one_number_and_each_is_found_again(how in any(), last in 1u32..50) {
            let mut taken = std::collections::BTreeSet::new();
            for chapter in (1..=last).filter_map(ChapterNo::new) {
                let Some(new) = how.of(chapter) else { continue };
                prop_assert!(taken.insert(new), "{how}: {chapter} to {new}");
                prop_assert_eq!(how.before(new), Some(chapter), "{}", how);
                prop_assert!(new == chapter || chapter >= how.first() || new >= how.first());
            }
            prop_assert_eq!(how.to_string().parse(), Ok(how));
        }

        #[test]
        fn a_range_stays_a_range(how in any(), first in 1u32..30, length in 0u32..9) {
            let (low, high) = how.range(first..=first + length).into_inner();
            // A range of one chapter follows the chapter to its new number.
            let follows = length == 0 && low == how.refers(first);
            let ends_near = high <= first + length + 1;
            prop_assert!(1 <= low && low <= high && (follows || ends_near), "{how}: {low} to {high}");
        }
    }
}

#[cfg(test)]
mod rearranged_tests {
    use super::*;
    use proptest::prelude::*;

    fn rearranged(from: ChapterNo, before: &[Chapter], now: &[Chapter]) -> Option<Renumbering> {
        operations(from, before, now).first().copied()
    }

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
        // A half of 5 is a chapter, and 4 has moved; 2 and 4 leave, and a half of 3 stands there.
        let halves = |n: usize| before[n - 1].body.split_at(before[n - 1].body.len() / 5 * 3);
        let split = |order: &[usize], n: usize| -> Vec<Chapter> {
            let (one, other) = halves(n);
            order
                .iter()
                .map(|m| {
                    if *m == n {
                        of(one)
                    } else if *m == 0 {
                        of(other)
                    } else {
                        before[m - 1].clone()
                    }
                })
                .collect()
        };
        let first = |now: &[Chapter]| rearranged(ChapterNo::FIRST, &before, now);
        assert_eq!(first(&split(&[4, 1, 2, 3, 5, 0], 5)), Some(Renumbering::Split(at(5))));
        assert_eq!(
            operations(ChapterNo::FIRST, &before, &split(&[1, 3, 0, 5], 3)),
            [Renumbering::Remove(at(2)), Renumbering::Remove(at(3)), Renumbering::Split(at(2)),]
        );
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
        let part =
            |lines: std::ops::Range<usize>| before[1].body.split_inclusive("\n\n").collect::<Vec<_>>()[lines].concat();
        let parts = [(4, part(2..5)), (1, before[0].body.clone()), (2, part(0..2))];
        let parts = parts.each_ref().map(|(n, body)| titled((*n, body)));
        let whole = [titled((1, &before[0].body)), titled((2, &before[1].body))];
        assert_eq!(places(&whole, &parts), [None, Some(0), Some(1)]);
        let twice = [before[0].clone(), before[0].clone(), before[1].clone()];
        assert_eq!(rearranged(ChapterNo::FIRST, &twice, &before[..2]), Some(Renumbering::Remove(at(2))));
    }
}
