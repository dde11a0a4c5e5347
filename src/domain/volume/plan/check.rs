//! The conditions that a plan must meet before the author sees it.

use crate::domain::prelude::*;
use crate::domain::volume::foreshadowing::{Action, SHORT_RANGE, Scope};
use crate::domain::volume::outline::Field;
use crate::domain::volume::plan::{Flaw, Plan, PlanBasis, facts_of, is_nothing};
use crate::domain::world::character::unknown_ids;
use crate::domain::world::storyline::{Convergence, MAX_ACTIVE, Status, VolumeRole};

impl Plan {
    /// All flaws of the plan on that basis, each once, in a stable order.
    pub fn flaws(&self, basis: &PlanBasis) -> Vec<Flaw> {
        let mut flaws = Vec::new();
        self.check_chapters(basis, &mut flaws);
        self.check_lines(basis, &mut flaws);
        self.check_rhythm(&mut flaws);
        self.check_meetings(&mut flaws);
        self.check_foreshadowing(basis, &mut flaws);
        self.check_contracts(basis, &mut flaws);
        let mut seen = BTreeSet::new();
        flaws.retain(|flaw| seen.insert(flaw.clone()));
        flaws
    }

    fn check_chapters(&self, basis: &PlanBasis, flaws: &mut Vec<Flaw>) {
        let Some((first, _)) = self.outline.range() else { return };
        if first.get() != basis.first {
            flaws.push(Flaw::Begins { found: first.get(), wanted: basis.first });
        }
        let found = self.outline.sections.len() as u32;
        if let Some(wanted) = basis.chapters.filter(|wanted| *wanted != found) {
            flaws.push(Flaw::Count { found, wanted });
        }
        let empty = self.outline.sections.iter().filter(|section| is_nothing(section.field(Field::Conflict)));
        flaws.extend(empty.map(|section| Flaw::NoConflict(section.chapter)));
    }

    fn check_lines(&self, basis: &PlanBasis, flaws: &mut Vec<Flaw>) {
        let Some(schedule) = &self.schedule else { return };
        if schedule.active.len() > MAX_ACTIVE {
            flaws.push(Flaw::TooManyLines { found: schedule.active.len() });
        }
        if !schedule.active.iter().any(|line| line.role == VolumeRole::Primary) {
            flaws.push(Flaw::NoPrimary);
        }
        for line in &schedule.active {
            match basis.storylines.get(&line.storyline) {
                None => flaws.push(Flaw::UnknownLine { line: line.storyline.clone() }),
                Some(known) if known.status == Status::Ended => {
                    flaws.push(Flaw::EndedLine { line: line.storyline.clone() });
                }
                Some(_) => {}
            }
            if self.chapters_on(&line.storyline).next().is_none() {
                flaws.push(Flaw::NoChapter { line: line.storyline.clone() });
            }
        }
        for section in &self.outline.sections {
            if !schedule.active.iter().any(|line| line.storyline == section.storyline) {
                flaws.push(Flaw::NotScheduled { chapter: section.chapter, line: section.storyline.clone() });
            }
        }
    }

    fn check_rhythm(&self, flaws: &mut Vec<Flaw>) {
        let Some(schedule) = &self.schedule else { return };
        let (Some(rhythm), Some((first, last))) = (&schedule.interleaving, self.outline.range()) else { return };
        // A single line has nothing to alternate with.
        for line in schedule.active.iter().filter(|_| schedule.active.len() > 1) {
            let chapters: Vec<u32> = self.chapters_on(&line.storyline).map(ChapterNo::get).collect();
            if let (VolumeRole::Primary, Some(limit)) = (line.role, rhythm.primary_max_consecutive) {
                for run in chapters.chunk_by(|a, b| a + 1 == *b).filter(|run| run.len() as u32 > limit) {
                    let Some(from) = ChapterNo::new(run[0]) else { continue };
                    let run = run.len() as u32;
                    flaws.push(Flaw::RunTooLong { line: line.storyline.clone(), from, run, limit });
                }
            }
            if let (VolumeRole::Secondary, Some(limit)) = (line.role, rhythm.secondary_every) {
                let ends = std::iter::once(first.get() - 1).chain(chapters.iter().copied());
                let starts = chapters.iter().copied().chain([last.get() + 1]);
                for (after, next) in ends.zip(starts).filter(|(after, next)| next - after - 1 > limit) {
                    let gap = next - after - 1;
                    flaws.push(Flaw::AwayTooLong { line: line.storyline.clone(), after, gap, limit });
                }
            }
        }
    }

    fn check_meetings(&self, flaws: &mut Vec<Flaw>) {
        let (Some(schedule), Some((first, last))) = (&self.schedule, self.outline.range()) else { return };
        for Convergence { chapters: (from, to), lines, .. } in &schedule.convergences {
            let (from, to) = (*from, *to);
            let scheduled = |line: &&Slug| schedule.active.iter().any(|active| active.storyline == **line);
            if from > to || from < first.get() || to > last.get() {
                flaws.push(Flaw::MeetingOutside { from, to });
            } else if !lines.iter().any(|line| self.chapters_on(line).any(|c| (from..=to).contains(&c.get()))) {
                flaws.push(Flaw::MeetingEmpty { from, to });
            }
            if lines.iter().filter(scheduled).collect::<BTreeSet<_>>().len() < 2 {
                flaws.push(Flaw::MeetingAlone { from, to });
            }
        }
    }

    fn check_foreshadowing(&self, basis: &PlanBasis, flaws: &mut Vec<Flaw>) {
        let Some((first, last)) = self.outline.range() else { return };
        let within = first.get()..=last.get();
        for planned in &self.foreshadowing {
            let id = || planned.id.clone();
            let plant = planned.plant.map(ChapterNo::get);
            if let Some(plant) = plant.filter(|plant| !within.contains(plant)) {
                flaws.push(Flaw::PlantOutside { id: id(), plant });
            }
            if let Some((from, to)) = planned.target {
                if from > to || plant.is_some_and(|plant| from <= plant) {
                    flaws.push(Flaw::Range { id: id(), from, to });
                } else if let (Scope::Short, Some(plant)) = (planned.scope, plant)
                    && !(plant + SHORT_RANGE.0..=plant + SHORT_RANGE.1).contains(&to)
                {
                    flaws.push(Flaw::Span { id: id(), plant, to });
                }
            }
            let steps = planned.plant.iter().map(|chapter| (*chapter, Action::Planted));
            let advances = planned.advance.iter().filter_map(|chapter| ChapterNo::new(*chapter));
            for (chapter, action) in steps.chain(advances.map(|chapter| (chapter, Action::Advanced))) {
                let Some(section) = self.outline.section(chapter) else { continue };
                // A chapter that resolves a thing has also taken it up.
                let told = section.tasks.iter().any(|task| {
                    task.id == planned.id
                        && (task.action == action || task.action == Action::Resolved && action == Action::Advanced)
                });
                if !told {
                    flaws.push(Flaw::Untold { id: id(), chapter, action });
                }
            }
        }
        let mut status: BTreeMap<&Slug, Action> =
            basis.ledger.entries.iter().map(|entry| (&entry.id, entry.status())).collect();
        for section in &self.outline.sections {
            for task in &section.tasks {
                let (id, chapter, action) = (task.id.clone(), section.chapter, task.action);
                // Without a schedule, the section that plants a thing is its plan.
                let announced = self.schedule.is_none() || section.chapter.get() <= basis.written;
                let known = status.contains_key(&task.id)
                    || self.foreshadowing.iter().any(|planned| planned.id == task.id)
                    || announced && action == Action::Planted;
                let fits = match (status.get(&task.id), action) {
                    (None, Action::Planted)
                    | (Some(Action::Planted | Action::Advanced), Action::Advanced | Action::Resolved) => true,
                    (Some(_), _) | (None, _) => false,
                };
                if !known {
                    flaws.push(Flaw::Unplanned { id, chapter });
                } else if !fits {
                    flaws.push(Flaw::Order { id, chapter, action });
                } else {
                    status.insert(&task.id, action);
                }
            }
        }
        if basis.closing && basis.chapters.is_some_and(|count| last.get() + 1 >= basis.first + count) {
            self.check_closing(basis, &status, last, flaws);
        }
    }

    /// Loose ends in the volume that ends the book. `status` has the final status of each foreshadowing.
    fn check_closing(
        &self,
        basis: &PlanBasis,
        status: &BTreeMap<&Slug, Action>,
        last: ChapterNo,
        flaws: &mut Vec<Flaw>,
    ) {
        for (id, _) in status.iter().filter(|(_, action)| **action != Action::Resolved) {
            let id = (*id).clone();
            let planned = self.foreshadowing.iter().find(|planned| planned.id == id);
            let due = planned.and_then(|planned| planned.target).and_then(|(_, to)| ChapterNo::new(to));
            // A planned resolution is missing from its section.
            flaws.push(match due.filter(|due| self.outline.section(*due).is_some()) {
                Some(chapter) => Flaw::Untold { id, chapter, action: Action::Resolved },
                None => Flaw::LeftOpen { id, chapter: last },
            });
        }
        let running: Vec<&Slug> =
            basis.storylines.lines.iter().filter(|line| line.status == Status::Active).map(|line| &line.id).collect();
        // More lines than a volume can hold cannot be required.
        let room = MAX_ACTIVE.min(self.outline.sections.len());
        if let (Some(schedule), true) = (&self.schedule, running.len() <= room) {
            let is_away = |line: &&&Slug| !schedule.active.iter().any(|active| active.storyline == ***line);
            flaws.extend(running.iter().filter(is_away).map(|line| Flaw::LeftHanging { line: (*line).clone() }));
        }
    }

    fn check_contracts(&self, basis: &PlanBasis, flaws: &mut Vec<Flaw>) {
        let mut founded: BTreeSet<String> =
            basis.standing.values().flatten().chain(basis.rules.iter()).cloned().collect();
        for section in &self.outline.sections {
            // The writer also gets the chapter's section: its state changes come about, whatever became of the
            // contract.
            let told = facts_of(section.field(Field::StateChanges));
            let Some(contract) = self.contracts.get(&section.chapter) else {
                flaws.push(Flaw::NoContract(section.chapter));
                founded.extend(told);
                continue;
            };
            // The author sets the preconditions of the first chapter: nothing comes before it.
            let opens = section.chapter.get() == basis.first && basis.standing.is_empty();
            // A written chapter has come about, whatever its contract took for granted, and a rule may be removed later.
            let ahead = section.chapter.get() > basis.written;
            let unfounded = contract.preconditions.iter().filter(|fact| ahead && !opens && !founded.contains(*fact));
            flaws.extend(unfounded.map(|fact| Flaw::Unfounded { chapter: section.chapter, fact: fact.clone() }));
            let unknown = unknown_ids(&contract.characters, &basis.characters).filter(|_| ahead).cloned();
            flaws.extend(unknown.map(|id| Flaw::UnknownPerson { chapter: section.chapter, id }));
            let unknown = contract.rules.iter().filter(|rule| ahead && !basis.rules.contains(*rule));
            flaws.extend(unknown.map(|rule| Flaw::Unfounded { chapter: section.chapter, fact: rule.clone() }));
            founded.extend(contract.postconditions.iter().cloned().chain(told));
        }
    }
}
