//! Following changes to the things that they affect.

use crate::domain::impact::{BookSnapshot, ChangeKind, ChangedItem, Item, PlannedVolume, Touched, differing, meetings};
use crate::domain::prelude::*;
use crate::domain::volume::foreshadowing::ThreadPlan;
use crate::domain::volume::outline::Section;
use crate::domain::volume::plan::Plan;
use crate::domain::world::character::Character;
use crate::domain::world::contract::{ChapterContract, CharacterContract, names_id};
use crate::domain::world::storyline::Convergence;
use std::ops::RangeBounds;

/// The paths to an affected thing.
#[derive(Default)]
struct ItemReach {
    paths: Vec<Vec<Item>>,
    /// True when the author has to be asked, because more than a derived contract changes.
    asks: bool,
    derive: bool,
    own: bool,
    demands: bool,
}

pub(super) struct ImpactWalk<'a> {
    before: &'a BookSnapshot,
    now: &'a BookSnapshot,
    written: u32,
    changes: &'a [ChangedItem],
    /// The chapters of the present outlines, each with its volume, the first of two.
    planned: BTreeMap<ChapterNo, VolumeNo>,
    found: BTreeMap<Item, ItemReach>,
}

struct PlannedSection<'a> {
    section: &'a Section,
    contract: Option<&'a ChapterContract>,
}

impl<'a> ImpactWalk<'a> {
    /// All affected things. `changes` are in the order of [`Item`].
    pub(super) fn all(
        before: &'a BookSnapshot,
        now: &'a BookSnapshot,
        written: u32,
        changes: &'a [ChangedItem],
    ) -> Vec<Touched> {
        let mut planned = BTreeMap::new();
        for (volume, plan) in &now.volumes {
            for section in &plan.plan.outline.sections {
                planned.entry(section.chapter).or_insert(*volume);
            }
        }
        let mut walk = Self { before, now, written, changes, planned, found: BTreeMap::new() };
        for change in changes.iter().filter(|change| change.how != ChangeKind::Renamed) {
            walk.follow(&change.thing);
        }
        for volume in now.volumes.keys() {
            walk.derive(*volume);
        }
        walk.touched()
    }

    fn reach(&mut self, path: Vec<Item>, asks: bool) {
        let Some(end) = path.last().cloned() else { return };
        let reach = self.found.entry(end).or_default();
        reach.asks |= asks;
        if !reach.paths.contains(&path) {
            reach.paths.push(path);
        }
    }

    fn has_changed(&self, thing: &Item) -> bool {
        self.changes.binary_search_by(|change| change.thing.cmp(thing)).is_ok()
    }

    /// The chapters of some volumes that satisfy `holds`.
    fn chapters(
        &self,
        volumes: impl RangeBounds<VolumeNo>,
        holds: impl Fn(&PlannedSection<'a>) -> bool,
    ) -> Vec<ChapterNo> {
        let now: &'a BookSnapshot = self.now;
        let places = now.volumes.range(volumes).flat_map(|(_, planned)| {
            let plan = &planned.plan;
            let place =
                |section: &'a Section| PlannedSection { section, contract: plan.contracts.get(&section.chapter) };
            plan.outline.sections.iter().map(place)
        });
        places.filter(holds).map(|place| place.section.chapter).collect()
    }

    fn reach_chapters(&mut self, way: &[Item], holds: impl Fn(&PlannedSection<'a>) -> bool) {
        self.reach_chapters_of(.., way, holds);
    }

    fn reach_chapters_of(
        &mut self,
        volumes: impl RangeBounds<VolumeNo>,
        way: &[Item],
        holds: impl Fn(&PlannedSection<'a>) -> bool,
    ) {
        for chapter in self.chapters(volumes, holds) {
            let path = way.iter().cloned().chain([Item::Chapter(chapter)]).collect();
            self.reach(path, true);
        }
    }

    fn follow(&mut self, thing: &'a Item) {
        let way = [thing.clone()];
        match thing {
            Item::Rule(id) => self.follow_rule(id, thing),
            Item::CharacterContract(owner, id) => {
                let mut way = way.to_vec();
                way.push(Item::Character(owner.clone()));
                let versions = self.versions(owner);
                let contracts: Vec<&CharacterContract> = versions
                    .iter()
                    .flat_map(|person| &person.contracts)
                    .filter(|contract| contract.id == *id)
                    .collect();
                self.reach_chapters(&way, |place| {
                    let chapter = place.section.chapter;
                    contracts.iter().any(|contract| contract.holds_in(chapter)) && is_in(place, &versions)
                });
            }
            Item::Character(id) => {
                let versions = self.versions(id);
                self.reach_chapters(&way, |place| is_in(place, &versions));
            }
            Item::Storyline(line) => self.reach_chapters(&way, |place| place.section.storyline == *line),
            Item::Foreshadowing(volume, id) => {
                let plans = self.plans(*volume);
                // A thread that follows its sections is no cause of anything.
                if let [before, now] = plans[..]
                    && before.outline.tasks_of(id) != now.outline.tasks_of(id)
                {
                    return;
                }
                let planned: Vec<&ThreadPlan> =
                    plans.iter().flat_map(|plan| &plan.foreshadowing).filter(|planned| planned.id == *id).collect();
                self.reach_chapters_of(*volume..=*volume, &way, |place| {
                    let chapter = place.section.chapter;
                    let works = place.section.tasks.iter().any(|task| task.id == *id);
                    let wanted = |p: &&&ThreadPlan| p.plant == Some(chapter) || p.advance.contains(&chapter.get());
                    works || planned.iter().find(wanted).is_some()
                });
            }
            Item::Part(volume, line) => {
                self.reach_chapters_of(*volume..=*volume, &way, |place| place.section.storyline == *line);
            }
            Item::Meeting(volume, from, to) => {
                let plans = self.plans(*volume);
                let meetings: Vec<&Convergence> =
                    plans.iter().flat_map(|plan| meetings(plan)).filter(|m| m.chapters == (*from, *to)).collect();
                self.reach_chapters_of(*volume..=*volume, &way, |place| {
                    let inside = (*from..=*to).contains(&place.section.chapter.get());
                    let meets = meetings.iter().any(|meeting| meeting.lines.contains(&place.section.storyline));
                    inside && meets
                });
            }
            Item::Outline(chapter) if chapter.get() <= self.written => {
                if self.planned.contains_key(chapter) {
                    self.reach(vec![thing.clone(), Item::Chapter(*chapter)], false);
                }
            }
            // Their effects show in the derived contracts.
            Item::Outline(_) | Item::ChapterContract(_) | Item::Chapter(_) => {}
        }
    }

    /// Follows a rule to the contracts that name it, over these to their people, and to the chapters that name it.
    fn follow_rule(&mut self, id: &str, rule: &Item) {
        let now: &'a BookSnapshot = self.now;
        for person in &now.characters {
            for contract in person.contracts.iter().filter(|contract| contract.names(id)) {
                let own = Item::CharacterContract(person.id.clone(), contract.id.clone());
                let mut way = vec![rule.clone(), own.clone()];
                if !self.has_changed(&own) {
                    self.reach(way.clone(), true);
                }
                way.push(Item::Character(person.id.clone()));
                let versions = self.versions(&person.id);
                let holds =
                    |place: &PlannedSection<'_>| contract.holds_in(place.section.chapter) && is_in(place, &versions);
                self.reach_chapters(&way, holds);
            }
        }
        let way = [rule.clone()];
        self.reach_chapters(&way, |place| names_id(&place.section.source, id));
        // Of a contract that depends on the rule because of its people, the longer path says more.
        let known: BTreeSet<Item> = self
            .found
            .iter()
            .filter(|(_, reach)| reach.paths.iter().any(|p| p[0] == *rule))
            .map(|(t, _)| t.clone())
            .collect();
        self.reach_chapters(&way, |place| {
            let named = place.contract.is_some_and(|contract| contract.names(id));
            named && !known.contains(&Item::Chapter(place.section.chapter))
        });
    }

    /// A character before and after the change.
    fn versions(&self, id: &Slug) -> Vec<&'a Character> {
        let (before, now): (&'a BookSnapshot, &'a BookSnapshot) = (self.before, self.now);
        before.characters.iter().chain(&now.characters).filter(|person| person.id == *id).collect()
    }

    /// A volume's plan before and after the change.
    fn plans(&self, volume: VolumeNo) -> Vec<&'a Plan> {
        let (before, now): (&'a BookSnapshot, &'a BookSnapshot) = (self.before, self.now);
        [before, now].into_iter().filter_map(|picture| Some(&picture.volumes.get(&volume)?.plan)).collect()
    }

    /// The chapters of a volume whose derived contracts differ now, with the change responsible.
    fn derive(&mut self, volume: VolumeNo) {
        let (nothing, before, now) = (PlannedVolume::default(), self.before, self.now);
        let old = before.volumes.get(&volume).unwrap_or(&nothing);
        let Some(new) = now.volumes.get(&volume).filter(|new| new.basis.is_some()) else { return };
        if old.plan.contracts.is_empty() && new.plan.contracts.is_empty() {
            // An author's own outline needs no contracts.
            return;
        }
        let (was, is) = (old.derived(), new.derived());
        let changed = differing(was.iter(), is.iter()).into_iter().map(|(chapter, _)| *chapter);
        let changed: BTreeSet<ChapterNo> = changed.filter(|chapter| chapter.get() > self.written).collect();
        if changed.is_empty() {
            return;
        }
        for change in self.changes {
            let Some(only) = with(old, new, volume, &change.thing) else { continue };
            let alone = only.derived();
            for chapter in changed.iter().filter(|chapter| was.get(chapter) != alone.get(chapter)) {
                self.reach_derived(&change.thing, *chapter);
            }
        }
        for chapter in changed {
            let end = Item::Chapter(chapter);
            if !self.found.contains_key(&end) {
                // No single change is responsible; the nearest one before stands for all.
                let before = |change: &&ChangedItem| matches!(change.thing, Item::Outline(at) if at <= chapter);
                let cause = self.changes.iter().rev().find(before).or(self.changes.first());
                cause.into_iter().for_each(|cause| self.reach_derived(&cause.thing, chapter));
            }
            let own_changed = self.has_changed(&Item::Outline(chapter));
            let (file, follows) = (new.plan.contracts.get(&chapter), is.get(&chapter));
            let by_hand = is_by_hand(old.plan.contracts.get(&chapter), was.get(&chapter), file);
            let stale = match follows {
                Some(follows) => {
                    let rewritten = own_changed && old.plan.outline.section(chapter).is_some();
                    !file.is_some_and(|file| file.asks_the_same(follows)) && (rewritten || !by_hand)
                }
                // A chapter that is no longer planned loses its contract.
                None => old.plan.contracts.contains_key(&chapter),
            };
            let reach = self.found.entry(end).or_default();
            (reach.derive, reach.own) = (stale, stale && by_hand);
            reach.demands =
                was.get(&chapter).map(ChapterContract::demands) != is.get(&chapter).map(ChapterContract::demands);
        }
    }

    fn reach_derived(&mut self, cause: &Item, chapter: ChapterNo) {
        let end = Item::Chapter(chapter);
        let known = self.found.get(&end).is_some_and(|reach| reach.paths.iter().any(|path| path[0] == *cause));
        if !known {
            self.reach(vec![cause.clone(), end], false);
        }
    }

    fn touched(self) -> Vec<Touched> {
        let (planned, written) = (self.planned, self.written);
        let by_hand: BTreeSet<ChapterNo> = self
            .changes
            .iter()
            .filter_map(|change| match change.thing {
                Item::Outline(chapter) => Some(chapter),
                _ => None,
            })
            .collect();
        let volume_of = |chapter: ChapterNo| planned.get(&chapter).copied();
        let touched = self.found.into_iter().map(|(thing, ItemReach { mut paths, asks, derive, own, demands })| {
            paths.sort_by_key(Vec::len);
            let chapter = if let Item::Chapter(chapter) = thing { Some(chapter) } else { None };
            let written = chapter.is_some_and(|chapter| chapter.get() <= written);
            Touched {
                volume: chapter.and_then(volume_of),
                revise: asks && !written && chapter.is_none_or(|chapter| !by_hand.contains(&chapter)),
                written,
                paths,
                derive,
                own,
                demands,
                waits: false,
                thing,
            }
        });
        touched.collect()
    }
}

/// True when the chapter's contract or a name in its section has the person.
fn is_in(place: &PlannedSection<'_>, versions: &[&Character]) -> bool {
    let listed = |person: &&Character| place.contract.is_some_and(|contract| contract.characters.contains(&person.id));
    versions.iter().any(|person| listed(person) || person.is_named_in(&place.section.source))
}

/// The old volume with one change, for deriving contracts; `None` where none is derived.
fn with(old: &PlannedVolume, new: &PlannedVolume, volume: VolumeNo, change: &Item) -> Option<PlannedVolume> {
    let now = new.basis.as_ref()?;
    let mut plan = Plan { outline: old.plan.outline.clone(), schedule: old.plan.schedule.clone(), ..Plan::default() };
    let mut basis = old.basis.clone().unwrap_or_else(|| now.clone());
    match change {
        Item::Outline(chapter) => {
            let outlines = [&old.plan.outline, &new.plan.outline];
            if outlines.iter().all(|outline| outline.section(*chapter).is_none()) {
                return None;
            }
            let sections = &mut plan.outline.sections;
            sections.retain(|section| section.chapter != *chapter);
            sections.extend(new.plan.outline.section(*chapter).cloned());
            sections.sort_by_key(|section| section.chapter);
        }
        Item::Meeting(at, ..) if *at == volume => plan.schedule = new.plan.schedule.clone(),
        Item::Rule(_) => basis.rules.clone_from(&now.rules),
        Item::Character(id) | Item::CharacterContract(id, _) => {
            let characters = &mut basis.characters;
            characters.retain(|person| person.id != *id);
            characters.extend(now.characters.iter().find(|person| person.id == *id).cloned());
            characters.sort_by(|a, b| a.id.cmp(&b.id));
        }
        Item::ChapterContract(chapter) if chapter.get() < now.first => basis.standing.clone_from(&now.standing),
        _ => return None,
    }
    Some(PlannedVolume { plan, basis: Some(basis) })
}

/// True when the author has changed a contract, since the change or before (then it differed from the derived one).
/// Fields that older contracts lack (rules, the line's position) make no difference.
fn is_by_hand(was: Option<&ChapterContract>, followed: Option<&ChapterContract>, is: Option<&ChapterContract>) -> bool {
    let plain = |contract: &ChapterContract| ChapterContract { rules: Vec::new(), ..contract.clone() };
    let own = |(was, followed): (&ChapterContract, &ChapterContract)| {
        let context = was.context.is_some().then(|| followed.context.clone()).flatten();
        let followed = &ChapterContract { context, ..followed.clone() };
        !was.asks_the_same(followed) && (!was.rules.is_empty() || !plain(was).asks_the_same(&plain(followed)))
    };
    let same = match (was, is) {
        (Some(was), Some(is)) => was.asks_the_same(is),
        (was, is) => was.is_none() && is.is_none(),
    };
    !same || was.zip(followed).is_some_and(own)
}
