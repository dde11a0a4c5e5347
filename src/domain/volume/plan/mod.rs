//! A volume's plan as a whole: its checks and the derived chapter contracts (product document §5.3, §6.5.4, §6.6.2).

use crate::domain::prelude::*;
use crate::domain::volume::foreshadowing::{Action, Ledger, SHORT_RANGE, Scope, ThreadPlan};
use crate::domain::volume::outline::{Field, Outline};
use crate::domain::world::character::{Character, unknown_ids};
use crate::domain::world::contract::{ChapterContract, States};
use crate::domain::world::storyline::{Convergence, MAX_ACTIVE, Schedule, Status, Storylines, VolumeRole};

mod derive;

#[derive(Debug, Clone, PartialEq, Default)]
pub struct Plan {
    pub outline: Outline,
    /// How the storylines share the chapters.
    pub schedule: Option<Schedule>,
    pub foreshadowing: Vec<ThreadPlan>,
    pub contracts: BTreeMap<ChapterNo, ChapterContract>,
}

impl Plan {
    fn chapters_on<'a>(&'a self, line: &'a Slug) -> impl Iterator<Item = ChapterNo> + 'a {
        self.outline.sections.iter().filter(move |section| section.storyline == *line).map(|section| section.chapter)
    }
}

/// The book before the volume, as the basis for checking a plan.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct PlanBasis {
    pub first: u32,
    /// The number of chapters of the volume, if given.
    pub chapters: Option<u32>,
    pub storylines: Storylines,
    pub characters: Vec<Character>,
    pub ledger: Ledger,
    /// Facts left true by the last chapter of each line, one a line.
    pub standing: BTreeMap<Slug, Vec<String>>,
    pub last_on: BTreeMap<Slug, ChapterNo>,
    /// Place and mood of the characters in the state, by id.
    pub states: States,
    /// The status of each line by its memory, in one sentence.
    pub statuses: BTreeMap<Slug, String>,
    /// The last written chapter of each line, in a sentence or two.
    pub told: BTreeMap<Slug, String>,
    pub rules: BTreeSet<String>,
    /// The last accepted chapter: plantings up to it have happened, planned or not.
    pub written: u32,
    /// True when the book ends with the volume.
    pub closing: bool,
}

/// How many volumes back a plan looks for facts of a line.
pub const VOLUMES_BACK: usize = 3;

/// The facts left true by the last chapters of each line, by their contracts; the latest volume first.
pub fn left_standing<'p>(plans: impl Iterator<Item = &'p Plan>) -> BTreeMap<Slug, Vec<String>> {
    let mut standing = BTreeMap::new();
    for plan in plans.take(VOLUMES_BACK) {
        for section in plan.outline.sections.iter().rev() {
            let Some(contract) = plan.contracts.get(&section.chapter) else { continue };
            standing.entry(section.storyline.clone()).or_insert_with(|| contract.postconditions.clone());
        }
    }
    standing
}

/// The last chapters on each line; the latest volume first.
pub fn last_chapters<'p>(plans: impl Iterator<Item = &'p Plan>) -> BTreeMap<Slug, ChapterNo> {
    let mut last = BTreeMap::new();
    for section in plans.take(VOLUMES_BACK).flat_map(|plan| plan.outline.sections.iter().rev()) {
        last.entry(section.storyline.clone()).or_insert(section.chapter);
    }
    last
}

/// True for a field that means "none".
fn is_nothing(text: &str) -> bool {
    matches!(text.trim().trim_end_matches(['。', '.']), "" | "无" | "没有" | "暂无" | "none" | "None" | "-" | "—")
}

/// The facts of a field: its lines, split at semicolons.
fn facts_of(text: &str) -> Vec<String> {
    let parts = text
        .split(['\n', '；', ';'])
        .map(|part| part.trim().trim_start_matches(['-', '*', ' ']).trim_end_matches('。'));
    parts.filter(|part| !is_nothing(part)).map(str::to_owned).collect()
}

#[cfg(test)]
mod tests;

#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Flaw {
    /// The volume does not begin after the book's last chapter.
    Begins { found: u32, wanted: u32 },
    /// The number of chapters is not the requested one.
    Count { found: u32, wanted: u32 },
    /// A chapter without a conflict.
    NoConflict(ChapterNo),
    /// More storylines than models and readers keep apart.
    TooManyLines { found: usize },
    /// A storyline that the book does not define.
    UnknownLine { line: Slug },
    /// A storyline that has ended.
    EndedLine { line: Slug },
    /// A chapter on a line outside the schedule.
    NotScheduled { chapter: ChapterNo, line: Slug },
    /// A scheduled line without a chapter.
    NoChapter { line: Slug },
    /// No line carries the volume.
    NoPrimary,
    /// The primary line runs longer in one go than the plan allows.
    RunTooLong { line: Slug, from: ChapterNo, run: u32, limit: u32 },
    /// A secondary line is away longer than the plan allows.
    AwayTooLong { line: Slug, after: u32, gap: u32, limit: u32 },
    /// A crossover outside the volume, or with its end before its beginning.
    MeetingOutside { from: u32, to: u32 },
    /// A crossover of fewer than two scheduled lines.
    MeetingAlone { from: u32, to: u32 },
    /// A crossover without a chapter of its lines in the range.
    MeetingEmpty { from: u32, to: u32 },
    /// A range that ends before its beginning, or begins before the planting.
    Range { id: Slug, from: u32, to: u32 },
    /// A short foreshadowing whose range is not 3 to 10 chapters after its planting.
    Span {
        id: Slug,
        plant: u32,
        /// The end of the range.
        to: u32,
    },
    /// Planted in a chapter outside the volume.
    PlantOutside { id: Slug, plant: u32 },
    /// Planned for a chapter whose section does not have it.
    Untold { id: Slug, chapter: ChapterNo, action: Action },
    /// A section acts on a foreshadowing that neither the ledger nor the plan knows.
    Unplanned { id: Slug, chapter: ChapterNo },
    /// Taken up or resolved before its planting, planted twice, or touched after its resolution.
    Order { id: Slug, chapter: ChapterNo, action: Action },
    /// Still open when the book ends.
    LeftOpen {
        id: Slug,
        /// The last chapter that could resolve it.
        chapter: ChapterNo,
    },
    /// A running line without a part in the volume that ends the book.
    LeftHanging { line: Slug },
    /// A chapter without a contract.
    NoContract(ChapterNo),
    /// A contract names someone who is not among the characters.
    UnknownPerson { chapter: ChapterNo, id: Slug },
    /// A precondition that no earlier chapter brings about.
    Unfounded { chapter: ChapterNo, fact: String },
}

impl Flaw {
    /// True when the plan cannot be used; other flaws are advice on rhythm.
    pub fn blocks(&self) -> bool {
        !matches!(self, Self::RunTooLong { .. } | Self::AwayTooLong { .. } | Self::Span { .. } | Self::Count { .. })
    }

    /// The chapter to mend, if it is one.
    pub fn chapter(&self) -> Option<ChapterNo> {
        match self {
            Self::NoConflict(chapter)
            | Self::NoContract(chapter)
            | Self::NotScheduled { chapter, .. }
            | Self::Untold { chapter, .. }
            | Self::Unplanned { chapter, .. }
            | Self::Order { chapter, .. }
            | Self::LeftOpen { chapter, .. }
            | Self::UnknownPerson { chapter, .. }
            | Self::Unfounded { chapter, .. } => Some(*chapter),
            Self::RunTooLong { from, .. } => Some(*from),
            _ => None,
        }
    }
}

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
