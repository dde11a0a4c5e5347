//! The history of the state in order: the deltas of the chapters, and the edits between them. A chapter in the middle
//! can get another delta and the rest be replayed, which shows the resulting state and the later chapters that rely on
//! something different now.

pub mod fact;

use crate::domain::prelude::*;
use crate::domain::state::{Delta, DroppedOp, Op, OpRefusal, State};
use crate::domain::volume::foreshadowing::{Foreshadowing, Ledger};
use serde_json::Map;
use std::ops::RangeInclusive;

/// The state and the foreshadowing ledger.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Facts {
    pub state: State,
    pub ledger: Ledger,
}

#[derive(Debug, Clone, PartialEq)]
pub enum HistoryStep {
    /// An accepted chapter; the first of a volume drops what is resolved.
    Chapter { delta: Delta, opens_volume: bool },
    /// A change by hand, by planning, or by a retirement.
    Edit(FactsEdit),
}

/// All changes of the facts of a book.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Chronicle {
    /// The facts before the first step; not empty in a chronicle of the last part of a book.
    before: Facts,
    steps: Vec<HistoryStep>,
    now: Facts,
}

/// A place of the facts that differs between two histories.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FactDifference {
    /// A dotted path of the state, or the id of a foreshadowing.
    pub path: String,
    /// The value before the change; `None` for an empty place. For a foreshadowing, its last step in words.
    pub was: Option<Value>,
    pub is: Option<Value>,
}

/// A later chapter that works with something different now.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AffectedChapter {
    pub chapter: ChapterNo,
    /// The differences that the chapter works with, by path.
    pub on: Vec<FactDifference>,
    /// The operations that no longer fit, with the reason.
    pub dropped: Vec<(String, OpRefusal)>,
}

impl Chronicle {
    pub fn from_steps(steps: Vec<HistoryStep>) -> Self {
        let mut all = Self::default();
        steps.into_iter().for_each(|step| all.push(step));
        all
    }

    /// An empty chronicle that begins with these facts, for the last part of a book.
    pub fn after(before: Facts) -> Self {
        Self { steps: Vec::new(), now: before.clone(), before }
    }

    pub fn steps(&self) -> &[HistoryStep] {
        &self.steps
    }

    pub fn now(&self) -> &Facts {
        &self.now
    }

    /// The author's edits on other chapters, each with its delta and whether it opens its volume. An edit stays behind
    /// the chapters that it was made after.
    pub fn with_chapters(&self, chapters: BTreeMap<ChapterNo, (Delta, bool)>) -> Self {
        let mut changed = Self::after(self.before.clone());
        let mut left = chapters.into_iter().peekable();
        for step in &self.steps {
            match step {
                HistoryStep::Chapter { delta, .. } => {
                    while let Some((_, (delta, opens_volume))) = left.next_if(|(chapter, _)| *chapter <= delta.chapter)
                    {
                        changed.push(HistoryStep::Chapter { delta, opens_volume });
                    }
                }
                edit @ HistoryStep::Edit(_) => changed.push(edit.clone()),
            }
        }
        left.for_each(|(_, (delta, opens_volume))| changed.push(HistoryStep::Chapter { delta, opens_volume }));
        changed
    }

    /// The steps before the first chapter after `chapter`.
    pub fn until(&self, chapter: ChapterNo) -> Self {
        let is_later =
            |step: &HistoryStep| matches!(step, HistoryStep::Chapter { delta, .. } if delta.chapter > chapter);
        let mut earlier = Self::after(self.before.clone());
        for step in self.steps.iter().take_while(|step| !is_later(step)) {
            earlier.push(step.clone());
        }
        earlier
    }

    /// Adds a step and applies it to the facts. A chapter's delta is applied whatever version it was made for.
    pub fn push(&mut self, step: HistoryStep) {
        step.apply(&mut self.now);
        self.steps.push(step);
    }

    /// Sets the present facts to those of an author or a plan. Returns true when they differ, which adds a step.
    pub fn set(&mut self, facts: Facts) -> bool {
        let differs = facts != self.now;
        if differs {
            self.steps.push(HistoryStep::Edit(FactsEdit::between(&self.now, &facts)));
            self.now = facts;
        }
        differs
    }

    /// The history with another delta of a chapter. A chapter without one gains it and opens no volume.
    pub fn with(&self, new: &Delta) -> Self {
        let chapters = self.steps.iter().filter_map(|step| match step {
            HistoryStep::Chapter { delta, opens_volume } => Some((delta.chapter, (delta.clone(), *opens_volume))),
            HistoryStep::Edit(_) => None,
        });
        let mut chapters: BTreeMap<ChapterNo, (Delta, bool)> = chapters.collect();
        let opens_volume = chapters.get(&new.chapter).is_some_and(|(_, opens_volume)| *opens_volume);
        chapters.insert(new.chapter, (new.clone(), opens_volume));
        self.with_chapters(chapters)
    }

    /// The history with the edits that `other` has beyond those of `base`, each behind the chapter that it was made
    /// after. Edits made after the chapter `from` or later belong to another story and are left out.
    pub fn with_edits_of(&self, other: &Self, base: &Self, from: Option<ChapterNo>) -> Self {
        let known = base.placed_edits().count();
        let belongs = |(after, _): &(u32, &FactsEdit)| from.is_none_or(|from| *after < from.get());
        let mut new = other.placed_edits().skip(known).filter(belongs).peekable();
        let mut joined = Self::after(self.before.clone());
        for step in &self.steps {
            if let HistoryStep::Chapter { delta, .. } = step {
                while let Some((_, edit)) = new.next_if(|(after, _)| *after < delta.chapter.get()) {
                    joined.push(HistoryStep::Edit(edit.clone()));
                }
            }
            joined.push(step.clone());
        }
        new.for_each(|(_, edit)| joined.push(HistoryStep::Edit(edit.clone())));
        joined
    }

    /// The edits, each with the number of the chapter before; 0 before the first.
    fn placed_edits(&self) -> impl Iterator<Item = (u32, &FactsEdit)> {
        let mut after = 0;
        self.steps.iter().filter_map(move |step| match step {
            HistoryStep::Chapter { delta, .. } => {
                after = delta.chapter.get();
                None
            }
            HistoryStep::Edit(edit) => Some((after, edit)),
        })
    }

    pub fn chapters(&self) -> impl Iterator<Item = &Delta> {
        self.steps.iter().filter_map(|step| match step {
            HistoryStep::Chapter { delta, .. } => Some(delta),
            HistoryStep::Edit(_) => None,
        })
    }

    /// The facts before the chapter. A chapter without a delta has those of the next one.
    pub fn before(&self, chapter: ChapterNo) -> Facts {
        let mut facts = self.before.clone();
        for step in &self.steps {
            if let HistoryStep::Chapter { delta, opens_volume } = step
                && delta.chapter >= chapter
            {
                facts.turn_page(*opens_volume && delta.chapter == chapter);
                return facts;
            }
            step.apply(&mut facts);
        }
        facts
    }

    /// Visits these chapters in order with the facts before and after; edits between two chapters are in the facts
    /// before the second.
    pub fn walk<E>(
        &self,
        chapters: RangeInclusive<u32>,
        look: impl FnMut(&Delta, &Facts, &Facts) -> Result<(), E>,
    ) -> Result<(), E> {
        self.walk_parts(chapters, Facts::clone, look)
    }

    /// Walks with a part of the facts, computed once for the end of a chapter and the start of the next.
    pub fn walk_parts<T, E>(
        &self,
        chapters: RangeInclusive<u32>,
        part: impl Fn(&Facts) -> T,
        mut look: impl FnMut(&Delta, &T, &T) -> Result<(), E>,
    ) -> Result<(), E> {
        let (mut facts, mut known) = (self.before.clone(), None);
        for step in &self.steps {
            match step {
                HistoryStep::Chapter { delta, .. } if chapters.contains(&delta.chapter.get()) => {
                    let before = known.take().unwrap_or_else(|| part(&facts));
                    step.apply(&mut facts);
                    let after = part(&facts);
                    look(delta, &before, &after)?;
                    known = Some(after);
                }
                _ => {
                    known = None;
                    step.apply(&mut facts);
                }
            }
        }
        Ok(())
    }

    /// Returns the chapters after the first of `changed`, those apart, that work with something that differs from
    /// `before`: they start from it, name it among their people, or have operations that no longer fit. `people` gives
    /// the ids that a chapter is about.
    pub fn affected(
        &self,
        before: &Self,
        changed: &BTreeSet<ChapterNo>,
        people: impl Fn(ChapterNo) -> BTreeSet<Slug>,
    ) -> Vec<AffectedChapter> {
        let Some(&first) = changed.first() else { return Vec::new() };
        let (mut old, mut new) = (before.before.clone(), self.before.clone());
        let mut affected = Vec::new();
        // A chapter that had no delta before has one more step.
        let known = |delta: &Delta| before.steps.iter().any(|step| step.is_of(delta.chapter));
        let mut was_steps = before.steps.iter();
        for is in &self.steps {
            if let HistoryStep::Chapter { delta, .. } = is
                && changed.contains(&delta.chapter)
                && !known(delta)
            {
                is.apply(&mut new);
                continue;
            }
            let Some(was) = was_steps.next() else { break };
            let later = match is {
                HistoryStep::Chapter { delta, opens_volume }
                    if delta.chapter > first && !changed.contains(&delta.chapter) =>
                {
                    Some((delta, *opens_volume))
                }
                _ => None,
            };
            let Some((delta, opens_volume)) = later else {
                was.apply(&mut old);
                is.apply(&mut new);
                continue;
            };
            old.turn_page(opens_volume);
            new.turn_page(opens_volume);
            let mut on = Vec::new();
            if old != new {
                let cast = people(delta.chapter);
                on = differences(&old, &new);
                on.retain(|difference| works_with(delta, &cast, &difference.path));
            }
            let (fitted, fits) = (was.apply(&mut old), is.apply(&mut new));
            let before: BTreeSet<usize> = fitted.into_iter().map(|dropped| dropped.index).collect();
            let newly = fits.into_iter().filter(|dropped| !before.contains(&dropped.index));
            let dropped: Vec<(String, OpRefusal)> = newly.map(|dropped| (dropped.path, dropped.reason)).collect();
            if !on.is_empty() || !dropped.is_empty() {
                affected.push(AffectedChapter { chapter: delta.chapter, on, dropped });
            }
        }
        affected
    }
}

/// True when an operation of the chapter lies on, below or above `path`, or the chapter is about that character.
fn works_with(delta: &Delta, cast: &BTreeSet<Slug>, path: &str) -> bool {
    let touches = |op: &Op| {
        let at = op.path_text();
        let within = |outer: &str, inner: &str| {
            inner.strip_prefix(outer).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
        };
        within(&at, path) || within(path, &at)
    };
    let is_of_cast = || {
        let id = path.strip_prefix("characters.").and_then(|rest| rest.split('.').next());
        id.is_some_and(|id| cast.iter().any(|person| person.as_str() == id))
    };
    delta.ops.iter().any(touches) || is_of_cast()
}

impl Facts {
    /// True when `other` may be an author's or a plan's revision of this chronicle: it has the same chapters and is not
    /// empty. Otherwise it is damaged, or plain git has put it beside chapters that it does not know.
    pub fn may_become(&self, other: &Self) -> bool {
        let same = other.state.version == self.state.version
            && other.state.last_updated_chapter == self.state.last_updated_chapter;
        let is_bare = other.state.tree.is_empty() && !self.state.tree.is_empty()
            || other.ledger.entries.is_empty() && !self.ledger.entries.is_empty();
        same && !is_bare
    }

    /// At the start of a volume, drops what is resolved.
    fn turn_page(&mut self, opens_volume: bool) {
        if opens_volume {
            self.ledger = std::mem::take(&mut self.ledger).carried_over();
        }
    }
}

impl HistoryStep {
    fn is_of(&self, chapter: ChapterNo) -> bool {
        matches!(self, Self::Chapter { delta, .. } if delta.chapter == chapter)
    }

    /// Applies the step in place, since a book has too many chapters for a copy each. Returns the operations that did
    /// not fit.
    fn apply(&self, facts: &mut Facts) -> Vec<DroppedOp> {
        match self {
            Self::Chapter { delta, opens_volume } => {
                facts.turn_page(*opens_volume);
                delta.merge_into(&mut facts.state, &mut facts.ledger)
            }
            Self::Edit(edit) => {
                edit.apply(facts);
                Vec::new()
            }
        }
    }
}

/// A change beside the chapters, which also applies to other facts and leaves the rest of them alone.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct FactsEdit {
    /// The change of the version number.
    pub version: i64,
    /// The new chapter of the state, where it changes.
    pub last_updated_chapter: Option<u32>,
    /// Keys from the top of the state down, and the new value; `None` removes it.
    pub values: Vec<(Vec<String>, Option<Value>)>,
    /// New or changed foreshadowings, each with its old form.
    pub entries: Vec<(Option<Foreshadowing>, Foreshadowing)>,
    pub gone: BTreeSet<Slug>,
}

impl FactsEdit {
    fn between(old: &Facts, new: &Facts) -> Self {
        let mut values = Vec::new();
        map_differences(&old.state.tree, &new.state.tree, &mut Vec::new(), &mut values);
        let entries = new.ledger.entries.iter().filter_map(|entry| {
            let was = old.ledger.get(&entry.id);
            (was != Some(entry)).then(|| (was.cloned(), entry.clone()))
        });
        let gone = old.ledger.entries.iter().filter(|entry| new.ledger.get(&entry.id).is_none());
        Self {
            version: i64::from(new.state.version) - i64::from(old.state.version),
            last_updated_chapter: Some(new.state.last_updated_chapter)
                .filter(|chapter| *chapter != old.state.last_updated_chapter),
            values,
            entries: entries.collect(),
            gone: gone.map(|entry| entry.id.clone()).collect(),
        }
    }

    fn apply(&self, facts: &mut Facts) {
        let version = i64::from(facts.state.version) + self.version;
        facts.state.version = u32::try_from(version).unwrap_or_default();
        if let Some(chapter) = self.last_updated_chapter {
            facts.state.last_updated_chapter = chapter;
        }
        for (keys, value) in &self.values {
            put(&mut facts.state.tree, keys, value.as_ref());
        }
        facts.ledger.entries.retain(|entry| !self.gone.contains(&entry.id));
        for (was, is) in &self.entries {
            match facts.ledger.entries.iter_mut().find(|entry| entry.id == is.id) {
                None => facts.ledger.entries.push(is.clone()),
                // Only the words were changed: later steps of the foreshadowing stay.
                Some(entry) if was.as_ref().is_some_and(|was| was.history == is.history) => {
                    *entry = Foreshadowing { history: std::mem::take(&mut entry.history), ..is.clone() };
                }
                Some(entry) => *entry = is.clone(),
            }
        }
    }
}

/// All differences between two trees, down to where one has no map.
fn map_differences(
    old: &Map<String, Value>,
    new: &Map<String, Value>,
    above: &mut Vec<String>,
    found: &mut Vec<(Vec<String>, Option<Value>)>,
) {
    let keys: BTreeSet<&String> = old.keys().chain(new.keys()).collect();
    for key in keys {
        above.push(key.clone());
        match (old.get(key), new.get(key)) {
            (was, is) if was == is => {}
            (Some(Value::Object(was)), Some(Value::Object(is))) => map_differences(was, is, above, found),
            (_, is) => found.push((above.clone(), is.cloned())),
        }
        above.pop();
    }
}

/// Sets a value at `keys`, creating maps above, or removes it.
fn put(map: &mut Map<String, Value>, keys: &[String], value: Option<&Value>) {
    let Some((key, below)) = keys.split_first() else { return };
    match (below.is_empty(), value) {
        (true, Some(value)) => {
            map.insert(key.clone(), value.clone());
        }
        (true, None) => {
            map.remove(key);
        }
        (false, _) => {
            let inner = match map.get_mut(key) {
                None if value.is_none() => return,
                None => map.entry(key.clone()).or_insert_with(|| Value::Object(Map::new())),
                Some(inner) => inner,
            };
            if let Value::Object(inner) = inner {
                put(inner, below, value);
            }
        }
    }
}

/// All places where two states of the facts differ, by path.
fn differences(old: &Facts, new: &Facts) -> Vec<FactDifference> {
    let mut values = Vec::new();
    map_differences(&old.state.tree, &new.state.tree, &mut Vec::new(), &mut values);
    // A little more or less of a running sum is no other ground to stand on; debt instead of property is.
    let is_shade = |difference: &FactDifference| {
        let number = |value: &Option<Value>| value.as_ref().and_then(Value::as_f64);
        number(&difference.was).zip(number(&difference.is)).is_some_and(|(was, is)| was.signum() == is.signum())
    };
    let places = values.into_iter().map(|(keys, is)| {
        let path = keys.join(".");
        FactDifference { was: old.state.get(&path).cloned(), is, path }
    });
    // The list of open foreshadowings follows from the ledger.
    let places = places.filter(|difference| difference.path != "active_foreshadowing" && !is_shade(difference));
    let ids = old.ledger.entries.iter().chain(&new.ledger.entries).map(|entry| &entry.id).collect::<BTreeSet<_>>();
    let words = |entry: Option<&Foreshadowing>| {
        let last = entry?.history.last()?;
        Some(Value::String(if last.detail.is_empty() { entry?.description.clone() } else { last.detail.clone() }))
    };
    let touched = ids.into_iter().filter_map(|id| {
        let (was, is) = (old.ledger.get(id), new.ledger.get(id));
        (was != is).then(|| FactDifference { path: id.to_string(), was: words(was), is: words(is) })
    });
    let mut all: Vec<FactDifference> = places.chain(touched).collect();
    all.sort_by(|a, b| a.path.cmp(&b.path));
    all
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::state::RawOp;
    use crate::domain::volume::foreshadowing::Action;
    use proptest::prelude::*;
    use serde_json::json;

    fn at(n: u32) -> ChapterNo {
        ChapterNo::new(n).unwrap()
    }

    fn delta(chapter: u32, ops: &[(&str, &str, Value)]) -> Delta {
        let op = |(op, path, value): &(&str, &str, Value)| {
            let raw = RawOp { op: (*op).into(), path: (*path).into(), value: value.clone(), ..RawOp::default() };
            raw.check().unwrap()
        };
        let storyline = Slug::new("main-arc").unwrap();
        Delta {
            chapter: at(chapter),
            base_version: 0,
            storyline,
            ops: ops.iter().map(op).collect(),
            skipped: None,
            text: None,
        }
    }

    fn opening(delta: Delta) -> HistoryStep {
        HistoryStep::Chapter { delta, opens_volume: true }
    }

    fn chapter(delta: Delta) -> HistoryStep {
        HistoryStep::Chapter { delta, opens_volume: false }
    }

    fn place(chapter: u32, who: &str, place: &str) -> Delta {
        delta(chapter, &[("set", &format!("characters.{who}.location"), json!(place))])
    }

    fn nobody(_: ChapterNo) -> BTreeSet<Slug> {
        BTreeSet::new()
    }

    #[test]
    fn another_delta_in_the_middle_changes_what_nobody_has_overwritten_since() {
        let mut book = Chronicle::default();
        book.push(opening(place(1, "lin", "北城")));
        book.push(chapter(delta(2, &[("add", "characters.lin.inventory", json!("铜符"))])));
        book.push(chapter(delta(3, &[("remove", "characters.lin.inventory", json!("铜符"))])));
        book.push(chapter(place(4, "chen", "码头")));
        assert_eq!(book.before(at(3)).state.get("characters.lin.inventory"), Some(&json!(["铜符"])));
        let changed = book.with(&delta(2, &[("add", "characters.lin.inventory", json!("密信"))]));
        assert_eq!(changed.now().state.get("characters.lin.inventory"), Some(&json!(["密信"])));
        assert_eq!(changed.now().state.version, 4);
        let [affected] = &changed.affected(&book, &BTreeSet::from([at(2)]), nobody)[..] else { panic!() };
        let [on] = &affected.on[..] else { panic!() };
        assert_eq!((affected.chapter, on.path.as_str()), (at(3), "characters.lin.inventory"));
        assert_eq!((on.was.clone(), on.is.clone()), (Some(json!(["铜符"])), Some(json!(["密信"]))));
        assert_eq!(affected.dropped.len(), 1);
    }

    #[test]
    fn a_chapter_rests_on_its_people_and_no_longer_once_it_is_said_anew() {
        let mut book = Chronicle::default();
        book.push(opening(place(1, "lin", "北城")));
        book.push(chapter(place(2, "chen", "码头")));
        book.push(chapter(place(3, "lin", "船上")));
        book.push(chapter(place(4, "chen", "船上")));
        let changed = book.with(&place(1, "lin", "南城"));
        let lin = |_| BTreeSet::from([Slug::new("lin").unwrap()]);
        let chapters = |affected: Vec<AffectedChapter>| affected.iter().map(|r| r.chapter.get()).collect::<Vec<_>>();
        assert_eq!(
            chapters(changed.affected(&book, &BTreeSet::from([at(1)]), lin)),
            [2, 3],
            "from the fourth on it is as it was"
        );
        assert_eq!(chapters(changed.affected(&book, &BTreeSet::from([at(1)]), nobody)), [3]);
        assert_eq!(changed.now().state, book.now().state);
    }

    #[test]
    fn a_shade_more_is_no_other_ground_and_an_enemy_in_place_of_a_friend_is() {
        let liked = |chapter, by: i64| delta(chapter, &[("inc", "characters.lin.relationships.chen", json!(by))]);
        let mut book = Chronicle::default();
        book.push(opening(liked(1, 10)));
        book.push(chapter(place(2, "lin", "码头")));
        let lin = |_| BTreeSet::from([Slug::new("lin").unwrap()]);
        assert_eq!(book.with(&liked(1, 15)).affected(&book, &BTreeSet::from([at(1)]), lin), vec![]);
        assert_eq!(book.with(&liked(1, -5)).affected(&book, &BTreeSet::from([at(1)]), lin).len(), 1);
    }

    #[test]
    fn what_somebody_changed_between_chapters_stays_changed() {
        let mut book = Chronicle::default();
        book.push(opening(place(1, "lin", "北城")));
        let mut facts = book.now().clone();
        put(&mut facts.state.tree, &["characters".into(), "lin".into(), "mood".into()], Some(&json!("决意")));
        book.set(facts.clone());
        book.set(facts);
        book.push(chapter(place(2, "chen", "码头")));
        let changed = book.with(&place(1, "lin", "南城"));
        assert_eq!(changed.now().state.get("characters.lin"), Some(&json!({"location": "南城", "mood": "决意"})));
        let mut without = changed.now().clone();
        put(&mut without.state.tree, &["characters".into(), "lin".into()], None);
        let mut retired = changed.clone();
        retired.set(without);
        assert_eq!(retired.with(&place(1, "lin", "西城")).now().state.get("characters.lin"), None);
    }

    #[test]
    fn edits_stay_between_the_chapters_that_they_were_made_between() {
        let mut book = Chronicle::default();
        book.push(opening(place(1, "lin", "北城")));
        let mut facts = book.now().clone();
        put(&mut facts.state.tree, &["characters".into(), "lin".into(), "location".into()], Some(&json!("井底")));
        book.set(facts);
        book.push(chapter(place(3, "chen", "码头")));
        let chapters = |all: &[Delta]| all.iter().map(|d| (d.chapter, (d.clone(), d.chapter == at(1)))).collect();
        let [one, two, three] = [place(1, "lin", "北城"), place(2, "lin", "船上"), place(3, "chen", "码头")];
        let without = book.with_chapters(chapters(std::slice::from_ref(&three)));
        assert_eq!(without.now().state.get("characters.lin.location"), Some(&json!("井底")));
        assert_eq!((without.now().state.version, without.now().state.last_updated_chapter), (1, 3));
        let more = book.with_chapters(chapters(&[one, two, three]));
        assert_eq!(more.now().state.get("characters.lin.location"), Some(&json!("船上")));
        assert_eq!(more.now().state.version, 3);
        assert_eq!(more.until(at(1)).now().state.get("characters.lin.location"), Some(&json!("井底")));
        assert_eq!(more.until(at(1)).now().state.version, 1);
        assert_eq!(more.before(at(2)).state, more.until(at(1)).now().state);
    }

    #[test]
    fn edits_of_two_lines_are_joined_where_they_belong_and_those_of_another_story_are_left_out() {
        let edited = |chronicle: &Chronicle, key: &str, value: &str| {
            let mut facts = chronicle.now().clone();
            facts.state.tree.insert(key.to_owned(), json!(value));
            let mut chronicle = chronicle.clone();
            chronicle.set(facts);
            chronicle
        };
        let mut base = Chronicle::default();
        base.push(opening(place(1, "lin", "渡口")));
        let base = edited(&base, "season", "冬");
        let mut ours = base.clone();
        ours.push(chapter(place(2, "lin", "城楼")));
        ours.push(chapter(delta(3, &[("set", "world_state.omen", json!("雪"))])));
        // The other line has edited after chapter 1, and again after a chapter 2 of its own.
        let mut theirs = edited(&base, "city", "临安");
        theirs.push(chapter(place(2, "lin", "井底")));
        let theirs = edited(&theirs, "mood", "冷");
        let both = ours.with_edits_of(&theirs, &base, None);
        let tree = |chronicle: &Chronicle| chronicle.now().state.tree.clone();
        assert_eq!((tree(&both)["city"].clone(), tree(&both)["mood"].clone()), (json!("临安"), json!("冷")));
        assert_eq!(tree(&both)["season"], json!("冬"), "once, from the base");
        assert_eq!(tree(&both)["characters"], tree(&ours)["characters"]);
        let own = ours.with_edits_of(&theirs, &base, Some(at(2)));
        assert_eq!(tree(&own)["city"], json!("临安"));
        assert!(!tree(&own).contains_key("mood"));
        assert_eq!(ours.with_edits_of(&base, &base, None), ours);
    }

    #[test]
    fn a_state_that_knows_other_chapters_or_nothing_is_no_edit() {
        let mut book = Chronicle::default();
        book.push(opening(place(1, "lin", "北城")));
        let now = book.now();
        let edited = |change: &dyn Fn(&mut Facts)| {
            let mut facts = now.clone();
            change(&mut facts);
            facts
        };
        let moved = edited(&|facts| {
            put(&mut facts.state.tree, &["characters".into(), "lin".into(), "mood".into()], Some(&json!("倦")));
        });
        assert!(now.may_become(&moved));
        assert!(!now.may_become(&Facts::default()));
        assert!(!now.may_become(&edited(&|facts| facts.state.tree.clear())));
        assert!(!now.may_become(&edited(&|facts| facts.state.last_updated_chapter = 2)));
    }

    fn any_delta(chapter: u32) -> impl Strategy<Value = Delta> {
        let op = (prop::sample::select(vec!["set", "add", "remove"]), "[ab]", 0u32..3);
        prop::collection::vec(op, 0..3).prop_map(move |ops| {
            let ops: Vec<(&str, String, Value)> =
                ops.into_iter().map(|(op, who, n)| (op, format!("characters.{who}.things"), json!(n))).collect();
            let ops: Vec<(&str, &str, Value)> =
                ops.iter().map(|(op, path, v)| (*op, path.as_str(), v.clone())).collect();
            delta(chapter, &ops)
        })
    }

    proptest! {
        #[test]
        fn the_same_delta_again_changes_nothing(
            one in any_delta(1), two in any_delta(2), three in any_delta(3), other in any_delta(2)
        ) {
            let mut book = Chronicle::default();
            book.push(opening(one));
            book.push(chapter(two.clone()));
            book.push(chapter(three));
            prop_assert_eq!(&book.with(&two), &book);
            prop_assert_eq!(book.with(&two).affected(&book, &BTreeSet::from([at(2)]), nobody), vec![]);
            prop_assert_eq!(book.with(&other).with(&two), book.clone());
            prop_assert_eq!(book.with(&other).before(at(2)), book.before(at(2)));
        }

        #[test]
        fn an_edit_leads_from_the_old_facts_to_the_new(
            one in any_delta(1), two in any_delta(1)
        ) {
            let (mut old, mut new) = (Chronicle::default(), Chronicle::default());
            old.push(chapter(one));
            new.push(chapter(two));
            let mut facts = old.now().clone();
            FactsEdit::between(old.now(), new.now()).apply(&mut facts);
            prop_assert_eq!(&facts, new.now());
        }
    }

    #[test]
    fn an_edit_of_a_plot_thread_s_words_keeps_what_has_happened_since() {
        let op = |action, detail: &str| crate::domain::volume::foreshadowing::ForeshadowOp {
            id: Slug::new("lamp").unwrap(),
            action,
            detail: detail.into(),
            scope: None,
            target: None,
        };
        let line = Slug::new("main-arc").unwrap();
        let facts = |steps: &[(u32, Action, &str)]| {
            let mut facts = Facts::default();
            for (chapter, action, detail) in steps {
                facts.ledger.apply(&op(*action, detail), at(*chapter), &line).unwrap();
            }
            facts
        };
        let old = facts(&[(1, Action::Planted, "灯")]);
        let advanced = || facts(&[(1, Action::Planted, "灯"), (2, Action::Advanced, "亮了")]);
        let mut reworded = old.clone();
        reworded.ledger.entries[0].description = "冷灯".into();
        let mut later = advanced();
        FactsEdit::between(&old, &reworded).apply(&mut later);
        let entry = &later.ledger.entries[0];
        assert_eq!((entry.description.as_str(), entry.history.len()), ("冷灯", 2));
        // An edit of what has happened is taken as it is.
        let rewritten = facts(&[(1, Action::Planted, "一盏灯")]);
        let mut later = advanced();
        FactsEdit::between(&old, &rewritten).apply(&mut later);
        assert_eq!(later.ledger.entries[0].history, rewritten.ledger.entries[0].history);
        // A thread that is taken out goes, and the others stay.
        let mut later = advanced();
        FactsEdit::between(&old, &Facts::default()).apply(&mut later);
        assert!(later.ledger.entries.is_empty());
    }

    #[test]
    fn a_value_below_nothing_that_is_taken_out_leaves_no_empty_map() {
        let mut tree = Map::new();
        put(&mut tree, &["characters".into(), "lin".into(), "mood".into()], None);
        assert!(tree.is_empty());
    }

    #[test]
    fn a_walk_shows_the_chapters_of_its_range_with_the_facts_around_them() {
        let mut book = Chronicle::default();
        book.push(opening(place(1, "lin", "北城")));
        book.push(chapter(place(2, "lin", "码头")));
        let mut facts = book.now().clone();
        put(&mut facts.state.tree, &["characters".into(), "lin".into(), "location".into()], Some(&json!("井底")));
        book.set(facts);
        book.push(chapter(place(3, "lin", "船上")));
        book.push(chapter(place(4, "lin", "南城")));
        let at_lin =
            |facts: &Facts| facts.state.get("characters.lin.location").and_then(Value::as_str).map(str::to_owned);
        let mut seen = Vec::new();
        let look = |delta: &Delta, before: &Option<String>, after: &Option<String>| {
            seen.push((delta.chapter.get(), before.clone().unwrap_or_default(), after.clone().unwrap_or_default()));
            Ok::<(), ()>(())
        };
        book.walk_parts(2..=3, at_lin, look).unwrap();
        let step = |chapter, before: &str, after: &str| (chapter, before.to_owned(), after.to_owned());
        assert_eq!(seen, [step(2, "北城", "码头"), step(3, "井底", "船上")]);
        assert_eq!(book.walk(1..=4, |delta, _, _| if delta.chapter == at(3) { Err(3) } else { Ok(()) }), Err(3));
        assert_eq!(book.chapters().map(|delta| delta.chapter.get()).collect::<Vec<_>>(), [1, 2, 3, 4]);
    }
}
