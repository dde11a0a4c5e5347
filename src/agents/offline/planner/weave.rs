//! Which storyline each chapter of a volume is on.

use crate::domain::Slug;
use crate::domain::world::storyline::{Schedule, VolumeRole};
use std::collections::{BTreeMap, BTreeSet};
use std::ops::RangeInclusive;

/// After so many attempts the rhythm is given up. Volumes of fifty chapters need a few hundred.
const MOST_ATTEMPTS: u32 = 60_000;

/// The lines of the chapters; those in `fixed` are written already. If the shares add up, planning a
/// volume in parts, each with the parts before it fixed, gives the same lines as planning it at once.
pub(super) fn weave(
    schedule: &Schedule,
    chapters: RangeInclusive<u32>,
    fixed: &BTreeMap<u32, Slug>,
) -> BTreeMap<u32, Slug> {
    let (first, last) = (*chapters.start(), *chapters.end());
    let mut loom = Loom::new(schedule, (first, last), fixed);
    if loom.ids.is_empty() {
        return BTreeMap::new();
    }
    // An author's schedule may ask for more than can be had: a chapter of each line where they meet is given up first, then
    // the rhythm, then the meetings.
    let ways: [&dyn Fn(&mut Loom); 4] =
        [&|_| {}, &|loom| loom.meetings.clear(), &Loom::forget_rhythm, &Loom::forget_meetings];
    let found = ways.iter().any(|relax| {
        relax(&mut loom);
        loom.attempts = 0;
        loom.place(first)
    });
    let placed = if found { loom.placed } else { vec![0; (last + 1 - first) as usize] };
    chapters.zip(placed).map(|(chapter, line)| (chapter, loom.ids[line].clone())).collect()
}

struct Loom {
    first: u32,
    last: u32,
    /// First and last chapter of the meetings that have room for more than one line.
    meetings: Vec<(u32, u32)>,
    /// The scheduled lines, then those of fixed chapters that the schedule does not have.
    ids: Vec<Slug>,
    roles: Vec<VolumeRole>,
    /// For each chapter the lines that it may be on; one where it is fixed.
    allowed: BTreeMap<u32, Vec<usize>>,
    /// The chapters that are written.
    fixed: BTreeSet<u32>,
    /// How many chapters each line still gets, fixed ones not counted.
    left: Vec<u32>,
    /// The last fixed chapter of each line; 0 for none.
    last_fixed: Vec<u32>,
    /// The last chapter on each line, or the one before the volume.
    seen: Vec<u32>,
    longest_run: u32,
    longest_gap: u32,
    placed: Vec<usize>,
    attempts: u32,
}

impl Loom {
    fn new(schedule: &Schedule, (first, last): (u32, u32), fixed: &BTreeMap<u32, Slug>) -> Self {
        let mut ids: Vec<Slug> = Vec::new();
        let lines = schedule.active.iter().map(|line| &line.storyline);
        for id in lines.chain(fixed.values()) {
            if !ids.contains(id) {
                ids.push(id.clone());
            }
        }
        let of = |id: &Slug| schedule.active.iter().find(|line| line.storyline == *id);
        let roles: Vec<VolumeRole> =
            ids.iter().map(|id| of(id).map_or(VolumeRole::Seasoning, |line| line.role)).collect();
        let scheduled: Vec<usize> = (0..ids.len()).filter(|at| of(&ids[*at]).is_some()).collect();
        let mut allowed = BTreeMap::new();
        let mut last_fixed = vec![0; ids.len()];
        let mut done = vec![0u32; ids.len()];
        for chapter in first..=last {
            let written = fixed.get(&chapter).and_then(|id| ids.iter().position(|known| known == id));
            if let Some(at) = written {
                last_fixed[at] = chapter;
                done[at] += 1;
            }
            let meeting = schedule.convergences.iter().find(|m| (m.chapters.0..=m.chapters.1).contains(&chapter));
            let meets = |at: &usize| meeting.is_none_or(|meeting| meeting.lines.contains(&ids[*at]));
            let mut lines: Vec<usize> = scheduled.iter().copied().filter(meets).collect();
            if lines.is_empty() {
                lines.clone_from(&scheduled);
            }
            allowed.insert(chapter, written.map_or(lines, |at| vec![at]));
        }
        let free = (last + 1).saturating_sub(first).saturating_sub(done.iter().sum());
        let wanted = |at: usize| {
            of(&ids[at]).map_or(0, |line| line.target_chapters.saturating_sub(done[at]).max(u32::from(done[at] == 0)))
        };
        let mut left: Vec<u32> = (0..ids.len()).map(wanted).collect();
        balance(&mut left, &roles, free);
        let rhythm = schedule.interleaving.as_ref().filter(|_| schedule.active.len() > 1);
        let meetings = schedule.convergences.iter().map(|meeting| meeting.chapters);
        let roomy = |&(from, to): &(u32, u32)| {
            first <= from && from < to && (from..=to).any(|chapter| !fixed.contains_key(&chapter))
        };
        Self {
            first,
            last,
            meetings: meetings.filter(roomy).collect(),
            seen: vec![first.saturating_sub(1); ids.len()],
            longest_run: rhythm.and_then(|rhythm| rhythm.primary_max_consecutive).unwrap_or(u32::MAX),
            longest_gap: rhythm.and_then(|rhythm| rhythm.secondary_every).unwrap_or(u32::MAX),
            ids,
            roles,
            allowed,
            fixed: fixed.keys().copied().collect(),
            left,
            last_fixed,
            placed: Vec::new(),
            attempts: 0,
        }
    }

    fn forget_rhythm(&mut self) {
        self.longest_run = u32::MAX;
        self.longest_gap = u32::MAX;
    }

    fn forget_meetings(&mut self) {
        let all: Vec<usize> = (0..self.ids.len()).collect();
        for (_, lines) in self.allowed.iter_mut().filter(|(chapter, _)| !self.fixed.contains(chapter)) {
            lines.clone_from(&all);
        }
    }

    /// Places the chapters from this one on; `false`, and nothing changed, when it cannot be done.
    fn place(&mut self, chapter: u32) -> bool {
        if chapter > self.last {
            return true;
        }
        self.attempts += 1;
        if self.attempts > MOST_ATTEMPTS {
            return false;
        }
        let allowed = self.allowed.get(&chapter).cloned().unwrap_or_default();
        let is_fixed = self.fixed.contains(&chapter);
        let mut lines: Vec<usize> = allowed.into_iter().filter(|at| is_fixed || self.left[*at] > 0).collect();
        // A line is the more wanted the more chapters it still has and the longer it has been away.
        lines.sort_by_key(|at| (std::cmp::Reverse(self.left[*at] * (chapter - self.seen[*at])), *at));
        for line in lines {
            let before = self.seen[line];
            self.seen[line] = chapter;
            self.placed.push(line);
            self.left[line] -= u32::from(!is_fixed);
            let fits = is_fixed || (self.keeps_rhythm(chapter) && self.lets_meet(chapter));
            if fits && self.place(chapter + 1) {
                return true;
            }
            self.left[line] += u32::from(!is_fixed);
            self.placed.pop();
            self.seen[line] = before;
        }
        false
    }

    /// Whether a meeting that ends with this chapter has had chapters of more than one line.
    fn lets_meet(&self, chapter: u32) -> bool {
        self.meetings.iter().filter(|(_, to)| *to == chapter).all(|(from, _)| {
            let inside = &self.placed[(from - self.first) as usize..];
            inside.windows(2).any(|pair| pair[0] != pair[1])
        })
    }

    /// Whether the rhythm holds up to this chapter and can still be held after it.
    fn keeps_rhythm(&self, chapter: u32) -> bool {
        (0..self.ids.len()).all(|at| match self.roles[at] {
            VolumeRole::Primary => {
                let run = self.placed.iter().rev().take_while(|line| **line == at).count() as u32;
                let others =
                    self.left.iter().enumerate().filter(|(line, _)| *line != at).map(|(_, left)| left).sum::<u32>();
                let limit = self.longest_run;
                let ahead = self.fixed.range(chapter + 1..).count() as u32;
                run <= limit && self.left[at] <= limit.saturating_mul(others + ahead + 1).saturating_sub(run)
            }
            VolumeRole::Secondary => {
                let limit = self.longest_gap;
                let more = self.last_fixed[at] > chapter;
                chapter - self.seen[at] <= limit && (more || self.left[at] > 0 || self.last - self.seen[at] <= limit)
            }
            VolumeRole::Seasoning => true,
        })
    }
}

/// Makes the shares add up to the free chapters: the primary line takes what is over, the largest gives what is missing.
fn balance(left: &mut [u32], roles: &[VolumeRole], free: u32) {
    let primary = roles.iter().position(|role| *role == VolumeRole::Primary).unwrap_or(0);
    let sum: u32 = left.iter().sum();
    if let Some(share) = left.get_mut(primary) {
        *share += free.saturating_sub(sum);
    }
    for _ in free..sum {
        if let Some(largest) = left.iter_mut().max() {
            *largest = largest.saturating_sub(1);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::VolumeNo;
    use crate::domain::world::storyline::{Convergence, Interleaving, ScheduledLine};

    fn slug(text: &str) -> Slug {
        Slug::new(text).unwrap()
    }

    fn schedule(lines: &[(&str, u32)]) -> Schedule {
        let active = lines.iter().enumerate().map(|(at, (id, target))| ScheduledLine {
            storyline: slug(id),
            role: if at == 0 { VolumeRole::Primary } else { VolumeRole::Secondary },
            target_chapters: *target,
            goal: String::new(),
        });
        Schedule {
            volume: VolumeNo::FIRST,
            theme: String::new(),
            active: active.collect(),
            interleaving: Some(Interleaving {
                primary_max_consecutive: Some(3),
                secondary_every: Some(4),
                ..Interleaving::default()
            }),
            convergences: vec![],
            dormant: vec![],
            newly_activated: vec![],
            closing: false,
        }
    }

    fn shown(schedule: &Schedule, last: u32, fixed: &[(u32, &str)]) -> String {
        let fixed = fixed.iter().map(|(chapter, id)| (*chapter, slug(id))).collect();
        weave(schedule, 1..=last, &fixed).values().map(|id| id.as_str().chars().next().unwrap()).collect()
    }

    #[test]
    fn lines_take_turns_by_their_shares_and_parts_fit_together() {
        let plan = schedule(&[("main", 6), ("side", 3)]);
        let whole = shown(&plan, 9, &[]);
        assert_eq!((whole.len(), whole.matches('s').count()), (9, 3));
        for cut in 1..9 {
            let ids = whole[..cut].chars().zip(1..).map(|(c, n)| (n, if c == 's' { "side" } else { "main" }));
            assert_eq!(shown(&plan, 9, &ids.collect::<Vec<_>>()), whole);
        }
    }

    #[test]
    fn lines_that_meet_both_have_a_chapter_there() {
        let mut plan = schedule(&[("main", 8), ("side", 4)]);
        let meeting = |chapters| Convergence {
            chapters,
            lines: vec![slug("main"), slug("side")],
            trigger: String::new(),
            aftermath: String::new(),
        };
        for from in 1..=11 {
            plan.convergences = vec![meeting((from, from + 1))];
            let shown = shown(&plan, 12, &[]);
            let inside = &shown[from as usize - 1..=from as usize];
            assert!(inside.contains('m') && inside.contains('s'), "{from}: {shown}");
        }
    }

    #[test]
    fn what_cannot_be_had_is_given_up_and_every_line_still_comes() {
        let mut plan = schedule(&[("main", 9), ("side", 1), ("third", 0)]);
        assert_eq!(shown(&plan, 10, &[]).matches(['s', 't']).count(), 2, "shares that do not add up");
        let lines = vec![slug("main"), slug("side")];
        plan.convergences =
            vec![Convergence { chapters: (1, 10), lines, trigger: String::new(), aftermath: String::new() }];
        assert_eq!(shown(&plan, 10, &[]).matches('t').count(), 1);
        assert!(shown(&plan, 10, &[(4, "unknown")]).starts_with(|c| c != 'u'));
        assert_eq!(shown(&plan, 10, &[(4, "unknown")]).find('u'), Some(3));
    }
}
