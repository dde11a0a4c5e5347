//! The chapters of a volume whose schedule stands.

use super::super::age::words;
use super::super::cut::phrase;
use super::super::patterns::pool;
use super::super::scenario::numeral;
use super::threads::{FIRST_LAMP, first_lamp};
use super::weave::weave;
use super::{Desk, MAIN_LINE, first_chars};
use crate::agents::planners::context::{PlanningContext, VolumeOrder};
use crate::domain::Slug;
use crate::domain::volume::foreshadowing::{Action, Planned, Scope};
use crate::domain::volume::outline::Section;
use crate::domain::volume::plan::Plan;
use crate::domain::world::character::Character;
use crate::domain::world::storyline::Status;
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::ops::RangeInclusive;

/// The outline of some chapters.
pub(in super::super) fn outline(
    context: &PlanningContext,
    order: &VolumeOrder,
    plan: &Plan,
    chapters: RangeInclusive<u32>,
) -> String {
    let (from, to) = (*chapters.start(), *chapters.end());
    let desk = Desk::new(context);
    let written: Vec<&Section> =
        plan.outline.sections.iter().filter(|section| !chapters.contains(&section.chapter.get())).collect();
    let last = order.last().max(to);
    let fixed: BTreeMap<u32, Slug> = written.iter().map(|s| (s.chapter.get(), s.storyline.clone())).collect();
    let mut lines = plan.schedule.as_ref().map(|s| weave(s, order.first.min(from)..=last, &fixed)).unwrap_or_default();
    if lines.is_empty() {
        lines.extend(
            main_line(context, &written).into_iter().flat_map(|id| (from..=last).map(move |n| (n, id.clone()))),
        );
    }
    let mut titles: BTreeSet<String> = written.iter().map(|section| section.title.clone()).collect();
    titles.extend(context.recent.iter().map(|recent| recent.title.clone()));
    let draft = Draft { desk: &desk, order, plan, lines, written, from, last };
    let chapters: Vec<Value> = chapters.map(|number| draft.chapter(number, &mut titles)).collect();
    json!({"chapters": chapters}).to_string()
}

/// The line of chapters that no schedule shares out.
fn main_line(context: &PlanningContext, written: &[&Section]) -> Option<Slug> {
    let alive = || context.storylines.lines.iter().filter(|line| line.status != Status::Ended);
    let known = alive().find(|line| line.kind == "main_arc").or_else(|| alive().next()).map(|line| line.id.clone());
    let known = known.or_else(|| written.last().map(|section| section.storyline.clone()));
    known.or_else(|| Slug::new(MAIN_LINE).ok())
}

struct Draft<'a> {
    desk: &'a Desk<'a>,
    order: &'a VolumeOrder,
    plan: &'a Plan,
    lines: BTreeMap<u32, Slug>,
    written: Vec<&'a Section>,
    from: u32,
    last: u32,
}

/// The people of a chapter, and the place.
struct Scene {
    pov: String,
    partner: String,
    place: &'static str,
}

impl Draft<'_> {
    fn chapter(&self, number: u32, titles: &mut BTreeSet<String>) -> Value {
        let desk = self.desk;
        let turn = number as usize;
        let title = self.title(number, titles);
        titles.insert(title.clone());
        let Scene { pov, partner, place } = self.scene(number);
        let tasks = self.tasks(number);
        let thing = tasks.first().map_or_else(|| self.prop(number), |(_, planned)| thing_of(planned));
        let goal = self.goal(number);
        let slots = [
            ("主", pov.as_str()),
            ("客", partner.as_str()),
            ("地", place),
            ("物", thing.as_str()),
            ("标", goal.as_str()),
        ];
        let facts: Vec<String> = [format!("{pov}到了{place}")]
            .into_iter()
            .chain(
                (0..1 + number % 2).map(|at| desk.fill(desk.deal("plan change", turn + at as usize * 5), turn, &slots)),
            )
            .collect();
        let foreshadowing: Vec<Value> =
            tasks.iter().map(|(action, planned)| self.task(*action, planned, number, &slots)).collect();
        json!({
            "chapter": number,
            "title": title,
            "storyline": self.lines.get(&number).map_or(MAIN_LINE, Slug::as_str),
            "pov": pov,
            "location": format!("{place}，{}", desk.walk("plan hour", turn)),
            "conflict": desk.fill(desk.walk("plan conflict", turn), turn, &slots),
            "arc": desk.walk("plan arc", turn),
            "foreshadowing": foreshadowing,
            "state_changes": facts,
            "transition": self.transition(number, &thing),
            "rules": self.rule(number).into_iter().collect::<Vec<_>>(),
        })
    }

    /// A title that no chapter near it has: twelve hundred before they come back.
    fn title(&self, number: u32, taken: &BTreeSet<String>) -> String {
        let natural = number as usize;
        // If the author has used a title already, one from far away stands in.
        let tries = (0..40).map(|attempt| natural + attempt * 611);
        let mut titles = tries.map(|turn| self.title_of(turn)).filter(|title| !taken.contains(title));
        titles.next().unwrap_or_else(|| format!("第{}回", numeral(natural % 1000)))
    }

    fn title_of(&self, turn: usize) -> String {
        let (form, turn) = (turn % 3, turn / 3);
        let nouns = self.desk.aged("plan title noun");
        let other = ["plan title done", "plan title kind", "plan title rest"][form];
        let count = |name: &str| pool(name).iter().flat_map(|line| line.split('|')).count();
        // Every pair once: each round through the nouns meets the other halves one further on.
        let length = count(&nouns).min(count(other)).max(1);
        let noun = self.desk.word(&nouns, (turn + form * 7) % length);
        let half = self.desk.word(other, (turn + turn / length) % length);
        if form == 2 { format!("{noun}{half}") } else { format!("{half}{noun}") }
    }

    fn scene(&self, number: u32) -> Scene {
        let turn = number as usize;
        let line = self.lines.get(&number);
        let pov = self.pov(line, number);
        let meets = self.plan.schedule.as_ref().is_some_and(|schedule| {
            schedule.convergences.iter().any(|m| (m.chapters.0..=m.chapters.1).contains(&number))
        });
        let here = |person: &&Character| {
            let lines = &self.desk.context.storylines;
            meets || lines.home_of(person).is_none() || line.is_some_and(|line| lines.has_on(line, person))
        };
        let people = self
            .desk
            .context
            .characters
            .iter()
            .filter(|person| person.display_name != pov && !person.display_name.trim().is_empty());
        let near: Vec<&Character> = people.clone().filter(here).collect();
        let list: Vec<&str> = match near.is_empty() {
            true => people.map(|person| person.display_name.as_str()).collect(),
            false => near.into_iter().map(|person| person.display_name.as_str()).collect(),
        };
        // With few names at hand every other chapter meets a stranger.
        let strangers = words("路人", self.desk.age);
        let stranger = strangers.get(turn % strangers.len().max(1)).copied().unwrap_or("路人");
        let known = list.get((turn / if list.len() < 2 { 2 } else { 1 }) % list.len().max(1)).copied();
        let partner = known
            .filter(|_| list.len() > 1 || turn.is_multiple_of(2))
            .map_or_else(|| stranger.to_owned(), |name| first_chars(name, 8));
        Scene { pov, partner, place: self.desk.walk(&self.desk.aged("plan place"), turn) }
    }

    /// The point-of-view character: one of those that the line is told through, one of its people, or the protagonist.
    fn pov(&self, line: Option<&Slug>, number: u32) -> String {
        let hero = || self.desk.protagonist();
        let Some(line) = line else { return hero() };
        let told = self.desk.context.storylines.get(line).map_or(&[][..], |line| &line.pov_characters[..]);
        let told: Vec<&String> = told.iter().filter(|name| !name.trim().is_empty()).collect();
        if let Some(name) = told.get(number as usize % told.len().max(1)) {
            return self
                .desk
                .person(name)
                .map_or_else(|| phrase(name, 16).unwrap_or_else(hero), |person| person.display_name.clone());
        }
        let mut people = self.desk.context.characters.iter().filter(|person| person.storylines.contains(line));
        let lead = people.clone().find(|person| person.role.contains("protagonist"));
        lead.or_else(|| people.next()).map_or_else(hero, |person| person.display_name.clone())
    }

    /// The world rule that the chapter hangs on: every other one has one, each rule in its turn.
    fn rule(&self, number: u32) -> Option<&str> {
        let rules: Vec<&str> = self
            .desk
            .context
            .rules
            .iter()
            .filter(|rule| rule.introduced_chapter <= number)
            .map(|rule| &rule.id[..])
            .collect();
        let turn = number.is_multiple_of(2).then_some(number as usize / 2)?;
        rules.get(turn % rules.len().max(1)).copied()
    }

    /// A thing for a chapter without foreshadowing.
    fn prop(&self, number: u32) -> String {
        let dealt = self.desk.walk(&self.desk.aged("plan thing"), number as usize * 3 + 1);
        dealt.split_once(' ').map_or("旧物", |(_, name)| name).to_owned()
    }

    /// The goal of the chapter's line, short enough for the middle of a sentence.
    fn goal(&self, number: u32) -> String {
        const SHORT: usize = 14;
        let line = self.lines.get(&number);
        let active = self.plan.schedule.iter().flat_map(|schedule| &schedule.active);
        let goal = active.filter(|active| Some(&active.storyline) == line).map(|active| active.goal.as_str()).next();
        let short = goal.and_then(|goal| goal.split(['，', '。', ',', '；']).next()).and_then(|goal| phrase(goal, 40));
        short.filter(|goal| goal.chars().count() <= SHORT).unwrap_or_else(|| "办成眼前这件事".to_owned())
    }

    /// The foreshadowing tasks that the plan has for the chapter.
    fn tasks(&self, number: u32) -> Vec<(Action, Planned)> {
        if self.order.trial {
            return self.trial_tasks(number);
        }
        let task = |planned: &Planned| {
            let action = match () {
                () if planned.plant.is_some_and(|plant| plant.get() == number) => Action::Planted,
                () if self.resolved_in(planned) == Some(number) => Action::Resolved,
                () if planned.advance.contains(&number) => Action::Advanced,
                () => return None,
            };
            Some((action, planned.clone()))
        };
        self.plan.foreshadowing.iter().filter_map(task).collect()
    }

    /// Trial chapters have no plan: one thing is planted in the first and met again in the third.
    fn trial_tasks(&self, number: u32) -> Vec<(Action, Planned)> {
        let action = match number.checked_sub(self.order.first) {
            Some(0) => Action::Planted,
            Some(2) => Action::Advanced,
            _ => return Vec::new(),
        };
        let taken = |id: &Slug| self.desk.context.ledger.get(id).is_some();
        let ids = std::iter::once(FIRST_LAMP.to_owned()).chain((2u32..100).map(|n| format!("{FIRST_LAMP}_{n}")));
        let Some(id) = ids.filter_map(|id| Slug::new(&id).ok()).find(|id| !taken(id)) else { return Vec::new() };
        let Some(storyline) = self.lines.get(&number).cloned() else { return Vec::new() };
        let description = first_lamp(self.desk);
        let scope = Scope::Short;
        vec![(action, Planned { id, description, scope, storyline, plant: None, advance: Vec::new(), target: None })]
    }

    /// The chapter that resolves it, if that is due in this volume: the first in its range on its own line, or the
    /// last.
    fn resolved_in(&self, planned: &Planned) -> Option<u32> {
        let (from, to) = planned.target.filter(|(_, to)| (self.order.first..=self.last).contains(to))?;
        let paid = |section: &&Section| {
            section.tasks.iter().any(|task| task.id == planned.id && task.action == Action::Resolved)
        };
        if self.written.iter().any(paid) {
            return None;
        }
        let after = |chapter: u32| planned.plant.is_none_or(|plant| plant.get() < chapter);
        let is_free = |chapter: &u32| {
            *chapter >= self.from && after(*chapter) && !self.written.iter().any(|s| s.chapter.get() == *chapter)
        };
        let all: Vec<u32> = (from..=to).filter(is_free).collect();
        // Behind its reminders, in the same chapter as the last of them, or wherever there is room.
        let behind = |gap: u32| {
            let fits = |chapter: &&u32| planned.advance.iter().all(|again| again + gap <= **chapter);
            Some(all.iter().filter(fits).copied().collect::<Vec<u32>>()).filter(|chapters| !chapters.is_empty())
        };
        let chapters = behind(1).or_else(|| behind(0)).unwrap_or_else(|| all.clone());
        let own = chapters.iter().find(|chapter| self.lines.get(chapter) == Some(&planned.storyline));
        own.or(chapters.last()).copied()
    }

    fn task(&self, action: Action, planned: &Planned, number: u32, slots: &[(&str, &str)]) -> Value {
        let (pool, verb) = match action {
            Action::Planted => ("plan plant", "plant"),
            Action::Advanced => ("plan advance", "advance"),
            Action::Resolved => ("plan resolve", "resolve"),
        };
        let (thing, truth) = (thing_of(planned), truth_of(planned));
        let own = [("物", thing.as_str()), ("底", truth.as_str())];
        let slots: Vec<(&str, &str)> = own.iter().chain(slots).copied().collect();
        let turn = number as usize + planned.id.as_str().len();
        json!({"action": verb, "id": planned.id.as_str(), "detail": self.desk.fill(self.desk.deal(pool, turn), turn, &slots)})
    }

    /// How the chapter leads to another line; empty where the next one stays.
    fn transition(&self, number: u32, thing: &str) -> String {
        let next = self.lines.get(&(number + 1));
        if next.is_none_or(|next| Some(next) == self.lines.get(&number)) {
            return String::new();
        }
        let (here, there) = (self.scene(number), self.scene(number + 1));
        let slots = [("主", here.pov.as_str()), ("客", there.pov.as_str()), ("地", there.place), ("物", thing)];
        self.desk.fill(self.desk.deal("plan bridge", number as usize), number as usize, &slots)
    }
}

/// The thing that a foreshadowing is about: the part of its description before the colon, if that is a name.
fn thing_of(planned: &Planned) -> String {
    const LONGEST: usize = 10;
    let name = planned.description.split(['：', ':', '，', '。']).next().and_then(|name| phrase(name, 40));
    name.filter(|name| name.chars().count() <= LONGEST).unwrap_or_else(|| "那件旧物".to_owned())
}

/// The truth that the reader is to learn of it in the end.
fn truth_of(planned: &Planned) -> String {
    let after = planned.description.split_once(['：', ':']).map_or(planned.description.as_str(), |(_, truth)| truth);
    phrase(after, 40).unwrap_or_else(|| "它一直就在眼前".to_owned())
}
