//! Chapter contracts derived from a plan.

use crate::domain::prelude::*;
use crate::domain::volume::foreshadowing::{Action, Scope, ThreadPlan};
use crate::domain::volume::outline::field::one_line;
use crate::domain::volume::outline::{Field, Section};
use crate::domain::volume::plan::{Plan, PlanBasis, facts_of, is_nothing};
use crate::domain::world::character::Character;
use crate::domain::world::contract::{
    ChapterContract, EMOTION, KEEPS, LOCATION, LineContext, Objective, States, Transition, names_id,
};

/// The most facts that a contract takes over from one earlier chapter.
const MAX_CARRIED: usize = 8;

impl Plan {
    /// The contracts derived from outline and schedule: a chapter presupposes what earlier chapters on its line, and on
    /// the lines that it meets, have left true.
    pub fn derived(&self, basis: &PlanBasis) -> BTreeMap<ChapterNo, ChapterContract> {
        let mut standing = basis.standing.clone();
        let mut last_on = basis.last_on.clone();
        let mut picture = Sketch::of(basis);
        let mut contracts = BTreeMap::new();
        for section in &self.outline.sections {
            let lines = self.lines_of(section);
            let mut preconditions: Vec<String> = Vec::new();
            for fact in
                lines.iter().filter_map(|line| standing.get(*line)).flat_map(|facts| facts.iter().take(MAX_CARRIED))
            {
                if !preconditions.contains(fact) {
                    preconditions.push(fact.clone());
                }
            }
            let last = last_on.insert(section.storyline.clone(), section.chapter);
            let running = self.schedule.iter().flat_map(|schedule| &schedule.active).map(|line| &line.storyline);
            let context = Some(LineContext {
                last,
                progress: self.progress_of(section),
                last_summary: picture.told.get(&section.storyline).cloned().unwrap_or_default(),
                concurrent: picture.beside(&section.storyline, running),
            });
            let contract = self.contract(section, preconditions, basis);
            let character_states = picture.states_of(&contract.characters);
            let contract = ChapterContract { context, character_states, ..contract };
            // Up to the last written chapter, state and memories are newer than the plan.
            if section.chapter.get() > basis.written {
                picture.go_on(section, &contract);
            }
            for line in lines {
                standing.insert(line.clone(), contract.postconditions.clone());
            }
            contracts.insert(section.chapter, contract);
        }
        contracts
    }

    /// The volume's planned foreshadowings as its sections have them; what chapters up to `written` have done stays. A foreshadowing
    /// to be planted in the volume is dropped when no section names it.
    pub fn threads(&self, written: u32) -> Vec<ThreadPlan> {
        let told = |id: &Slug, action: Action| -> Vec<ChapterNo> {
            let tells = |section: &&Section| section.tasks.iter().any(|task| task.id == *id && task.action == action);
            self.outline.sections.iter().filter(tells).map(|section| section.chapter).collect()
        };
        let ends = self.outline.range().map(|(first, last)| first.get()..=last.get());
        let is_here = |chapter: u32| chapter > written && ends.as_ref().is_some_and(|ends| ends.contains(&chapter));
        let follow = |planned: &ThreadPlan| {
            let mut planned = planned.clone();
            let (planting, advancing) = (told(&planned.id, Action::Planted), told(&planned.id, Action::Advanced));
            planned.advance.retain(|chapter| !is_here(*chapter));
            planned.advance.extend(advancing.iter().map(|chapter| chapter.get()).filter(|chapter| is_here(*chapter)));
            planned.advance.sort_unstable();
            planned.advance.dedup();
            if planned.plant.is_some_and(|plant| is_here(plant.get()) && !planting.contains(&plant)) {
                let is_told = !advancing.is_empty() || !told(&planned.id, Action::Resolved).is_empty();
                match planting.first() {
                    Some(first) => planned.plant = Some(*first),
                    None if !is_told => return None,
                    None => {}
                }
            }
            if let Some((from, to)) = planned.target {
                // The window lies behind the planting, and has the chapter that resolves it.
                let resolved =
                    told(&planned.id, Action::Resolved).into_iter().map(ChapterNo::get).rfind(|n| is_here(*n));
                let from = planned.plant.map_or(from, |plant| from.max(plant.get() + 1)).min(resolved.unwrap_or(from));
                planned.target = Some((from, to.max(from).max(resolved.unwrap_or(to))));
            }
            Some(planned)
        };
        let mut threads: Vec<ThreadPlan> = self.foreshadowing.iter().filter_map(follow).collect();
        for section in self.outline.sections.iter().filter(|section| is_here(section.chapter.get())) {
            for task in section.tasks.iter().filter(|task| task.action == Action::Planted) {
                if threads.iter().all(|planned| planned.id != task.id) {
                    let advance = told(&task.id, Action::Advanced).iter().map(|chapter| chapter.get()).collect();
                    let description = one_line(&task.detail);
                    let (id, storyline) = (task.id.clone(), section.storyline.clone());
                    let (scope, plant) = (Scope::Short, Some(section.chapter));
                    threads.push(ThreadPlan { id, description, scope, storyline, plant, advance, target: None });
                }
            }
        }
        threads
    }

    /// The line's progress in the volume after the chapter, in per cent of its scheduled chapters. Existing chapters
    /// are not the base, since moving one to another line would change the figure.
    fn progress_of(&self, section: &Section) -> Option<u32> {
        let lines = self.schedule.iter().flat_map(|schedule| &schedule.active);
        let target = lines.into_iter().find(|line| line.storyline == section.storyline)?.target_chapters;
        let told = self.chapters_on(&section.storyline).filter(|chapter| *chapter <= section.chapter).count() as u32;
        Some((told * 100).checked_div(target)?.min(100))
    }

    /// The chapter's own line, then those that meet it there.
    fn lines_of<'a>(&'a self, section: &'a Section) -> Vec<&'a Slug> {
        let mut lines = vec![&section.storyline];
        let meeting = self.schedule.as_ref().and_then(|schedule| schedule.convergence_at(section.chapter));
        lines.extend(meeting.into_iter().flat_map(|meeting| &meeting.lines).filter(|line| **line != section.storyline));
        lines
    }

    fn contract(&self, section: &Section, preconditions: Vec<String>, basis: &PlanBasis) -> ChapterContract {
        let number = section.chapter.get();
        let mut objectives = Vec::new();
        let mut objective = |kind: &str, required: bool, description: String, task: Option<(Action, Slug)>| {
            let id = format!("OBJ-{number:03}-{}", objectives.len() + 1);
            objectives.push(Objective { id, kind: kind.to_owned(), required, description, task });
        };
        objective("plot", true, one_line(section.field(Field::Conflict)), None);
        for task in &section.tasks {
            let (verb, detail) = (task.action.verb(), one_line(&task.detail));
            let target = Some((task.action, task.id.clone()));
            objective("foreshadowing", true, format!("{verb} {}：{detail}", task.id), target);
        }
        if !is_nothing(section.field(Field::Arc)) {
            objective("character", false, one_line(section.field(Field::Arc)), None);
        }
        for (field, kind, label) in [(Field::Payoff, "payoff", "兑现"), (Field::Hook, "hook", "章末留下")] {
            if !is_nothing(section.field(field)) {
                objective(kind, false, format!("{label}：{}", one_line(section.field(field))), None);
            }
        }
        let required = objectives.iter().filter(|objective| objective.required);
        let mut acceptance: Vec<String> =
            required.map(|objective| format!("{} 在正文里演了出来", objective.id)).collect();
        let postconditions = facts_of(section.field(Field::StateChanges));
        if !postconditions.is_empty() {
            acceptance.push("章后应成立的每一条，正文里都有前因".to_owned());
        }
        let people: Vec<&Character> =
            basis.characters.iter().filter(|person| person.is_named_in(&section.source)).collect();
        let held = |id: &str| people.iter().any(|person| person.contracts_in(section.chapter).any(|c| c.names(id)));
        let rules = basis.rules.iter().filter(|id| names_id(&section.source, id) || held(id));
        let rules: Vec<String> = rules.cloned().collect();
        // The judge answers for each rule by its id; a criterion names the rules that the chapter turns on.
        if !rules.is_empty() {
            acceptance.push(format!("{KEEPS}世界规则 {}", rules.join("、")));
        }
        let contracts = people.iter().flat_map(|person| person.contracts_in(section.chapter));
        let contracts: Vec<&str> = contracts.map(|contract| contract.id.as_str()).collect();
        if !contracts.is_empty() {
            acceptance.push(format!("{KEEPS}人物契约 {}", contracts.join("、")));
        }
        ChapterContract {
            chapter: section.chapter,
            storyline: section.storyline.clone(),
            preconditions,
            character_states: States::new(),
            rules,
            objectives,
            state_changes: moves_in(&postconditions, &people),
            foreshadowing: section.tasks.iter().map(|task| (task.id.clone(), task.action)).collect(),
            postconditions,
            acceptance,
            characters: people.iter().map(|person| person.id.clone()).collect(),
            context: None,
            transition: self.transition(section),
        }
    }

    /// How the chapter leads over to another line, if the next one is on it.
    fn transition(&self, section: &Section) -> Option<Transition> {
        let next = self.outline.section(section.chapter.next()).filter(|next| next.storyline != section.storyline)?;
        let written = one_line(section.field(Field::Transition));
        let bridge = if is_nothing(&written) {
            format!(
                "收在一个能接到{}的东西上：下一章在{}，跟着{}",
                next.title,
                one_line(next.field(Field::Location)),
                one_line(next.field(Field::Pov))
            )
        } else {
            written
        };
        Some(Transition { next: next.storyline.clone(), bridge })
    }
}

/// Words between a name and its bearer's new place.
const MOVES: [&str; 12] =
    ["到了", "来到", "去了", "回到", "抵达", "进了", "住进", "搬到", "搬进", "逃到", "躲进", "被关进"];

/// Reads new places of characters from facts, by id: `林枫到了城北` is a character's name, a move and a place. Other facts
/// stay in words.
fn moves_in(facts: &[String], people: &[&Character]) -> States {
    let mut states = States::new();
    for fact in facts {
        for person in people {
            let names = person.names().filter(|name| !name.is_empty());
            let rest = names.filter_map(|name| fact.strip_prefix(name)).min_by_key(|rest| rest.len());
            let place = rest.and_then(|rest| MOVES.iter().find_map(|verb| rest.strip_prefix(verb)));
            let place = place.map(|place| place.split(['，', ',', '。', '、']).next().unwrap_or_default().trim());
            if let Some(place) = place.filter(|place| !place.is_empty()) {
                states.entry(person.id.to_string()).or_default().insert(LOCATION.to_owned(), place.to_owned());
            }
        }
    }
    states
}

/// The longest sentence on a line's progress, in characters.
const STATUS: usize = 60;

/// The state of the book around each chapter, as contracts describe it.
struct Sketch {
    states: States,
    statuses: BTreeMap<Slug, String>,
    told: BTreeMap<Slug, String>,
}

impl Sketch {
    fn of(basis: &PlanBasis) -> Self {
        Self { states: basis.states.clone(), statuses: basis.statuses.clone(), told: basis.told.clone() }
    }

    fn states_of(&self, characters: &[Slug]) -> States {
        let known = |id: &Slug| Some((id.to_string(), self.states.get(id.as_str())?.clone()));
        characters.iter().filter_map(known).filter(|(_, state)| !state.is_empty()).collect()
    }

    /// The status of the other running lines.
    fn beside<'a>(&self, own: &Slug, running: impl Iterator<Item = &'a Slug>) -> BTreeMap<Slug, String> {
        let others = running.filter(|line| *line != own);
        others.filter_map(|line| Some((line.clone(), self.statuses.get(line)?.clone()))).collect()
    }

    /// Advances past an unwritten chapter.
    fn go_on(&mut self, section: &Section, contract: &ChapterContract) {
        for (who, changes) in &contract.state_changes {
            self.states.entry(who.clone()).or_default().extend(changes.clone());
        }
        // The mood after an unwritten chapter is unknown.
        for id in &contract.characters {
            self.states.get_mut(id.as_str()).and_then(|state| state.remove(EMOTION));
        }
        let number = section.chapter.get();
        let conflict = one_line(section.field(Field::Conflict));
        let facts =
            if contract.postconditions.is_empty() { conflict.clone() } else { contract.postconditions.join("；") };
        let clipped = |text: &str| text.chars().take(STATUS).collect::<String>();
        self.statuses.insert(section.storyline.clone(), format!("{}（第{number}章，计划）", clipped(&facts)));
        self.told.insert(section.storyline.clone(), format!("《{}》{}（计划）", section.title, clipped(&conflict)));
    }
}
