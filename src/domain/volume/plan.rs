//! A volume's plan as a whole: what must hold of it before the author sees it, and the chapter contracts that follow from
//! it. Product document §5.3, §6.5.4, §6.6.2.

use super::foreshadowing::{Action, Ledger, Planned, SHORT_RANGE, Scope};
use super::outline::{Field, Outline, Section, one_line};
use crate::domain::world::character::Character;
use crate::domain::world::contract::{
    ChapterContract, EMOTION, KEEPS, LOCATION, LineContext, Objective, States, Transition, names_id,
};
use crate::domain::world::storyline::{Convergence, MAX_ACTIVE, Schedule, Status, Storylines, VolumeRole};
use crate::domain::{ChapterNo, Slug};
use std::collections::{BTreeMap, BTreeSet};

/// The most facts that a contract takes over from one earlier chapter.
const MAX_CARRIED: usize = 8;

/// A volume's plan.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Plan {
    /// The chapters.
    pub outline: Outline,
    /// How the storylines share them.
    pub schedule: Option<Schedule>,
    /// What is to be planted, taken up and paid off.
    pub foreshadowing: Vec<Planned>,
    /// One contract a chapter.
    pub contracts: BTreeMap<ChapterNo, ChapterContract>,
}

/// The book as the volume finds it: what a plan is held against.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct PlanBasis {
    /// The volume's first chapter.
    pub first: u32,
    /// How many chapters the volume is to have; `None` where nobody has said.
    pub chapters: Option<u32>,
    /// All storylines of the book.
    pub storylines: Storylines,
    /// The active characters.
    pub characters: Vec<Character>,
    /// The ledger before the volume.
    pub ledger: Ledger,
    /// What the last chapter on each line has left true, one fact a line.
    pub standing: BTreeMap<Slug, Vec<String>>,
    /// The last chapter on each line.
    pub last_on: BTreeMap<Slug, ChapterNo>,
    /// Place and mood of the characters by the state, by id.
    pub states: States,
    /// The status of each line by its memory, in one sentence.
    pub statuses: BTreeMap<Slug, String>,
    /// The last written chapter of each line, in a sentence or two.
    pub told: BTreeMap<Slug, String>,
    /// Ids of the world's rules.
    pub rules: BTreeSet<String>,
    /// The last accepted chapter: what is planted up to it is planted, planned or not.
    pub written: u32,
    /// Whether the book ends with the volume.
    pub closing: bool,
}

/// How many volumes back a plan looks for what is true on a line.
pub const VOLUMES_BACK: usize = 3;

/// What the last chapters have left true on each line, by their contracts; the latest volume first.
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

/// Something that does not hold of a plan.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, thiserror::Error)]
pub enum Flaw {
    /// The volume begins at another chapter than the book has reached.
    #[error("the volume begins with chapter {found}, and chapter {wanted} is next")]
    Begins {
        /// Where it begins.
        found: u32,
        /// Where it should.
        wanted: u32,
    },
    /// Not as many chapters as were asked for.
    #[error("{found} chapters are planned, {wanted} were asked for")]
    Count {
        /// How many there are.
        found: u32,
        /// How many there should be.
        wanted: u32,
    },
    /// A chapter without a conflict.
    #[error("{0} has no conflict")]
    NoConflict(ChapterNo),
    /// More storylines at once than models and readers keep apart.
    #[error("{found} storylines are active; more than {MAX_ACTIVE} get mixed up")]
    TooManyLines {
        /// How many.
        found: usize,
    },
    /// A storyline that the book does not define.
    #[error("storyline `{line}` is not defined")]
    UnknownLine {
        /// The line.
        line: Slug,
    },
    /// A storyline that has ended.
    #[error("storyline `{line}` has ended")]
    EndedLine {
        /// The line.
        line: Slug,
    },
    /// A chapter on a line that the schedule does not have.
    #[error("{chapter} is on `{line}`, which the schedule does not have")]
    NotScheduled {
        /// The chapter.
        chapter: ChapterNo,
        /// Its line.
        line: Slug,
    },
    /// A scheduled line without a chapter.
    #[error("`{line}` is scheduled and has no chapter")]
    NoChapter {
        /// The line.
        line: Slug,
    },
    /// No line carries the volume.
    #[error("no storyline is the primary one")]
    NoPrimary,
    /// The primary line runs longer in one go than the plan allows itself.
    #[error("`{line}` runs from {from} for {run} chapters in a row, at most {limit} are meant")]
    RunTooLong {
        /// The line.
        line: Slug,
        /// The first chapter of the run.
        from: ChapterNo,
        /// How long it is.
        run: u32,
        /// How long it may be.
        limit: u32,
    },
    /// A secondary line is away longer than the plan allows itself.
    #[error("`{line}` is away for {gap} chapters after {after}, at most {limit} are meant")]
    AwayTooLong {
        /// The line.
        line: Slug,
        /// The chapter before the gap.
        after: u32,
        /// How long it is away.
        gap: u32,
        /// How long it may be.
        limit: u32,
    },
    /// A meeting of lines outside of the volume, or with its end before its beginning.
    #[error("the meeting in {from}–{to} is not inside the volume")]
    MeetingOutside {
        /// First chapter.
        from: u32,
        /// Last chapter.
        to: u32,
    },
    /// A meeting of fewer than two of the scheduled lines.
    #[error("the meeting in {from}–{to} does not name two scheduled storylines")]
    MeetingAlone {
        /// First chapter.
        from: u32,
        /// Last chapter.
        to: u32,
    },
    /// No chapter of the lines that meet lies in the range.
    #[error("no chapter of the lines that meet lies in {from}–{to}")]
    MeetingEmpty {
        /// First chapter.
        from: u32,
        /// Last chapter.
        to: u32,
    },
    /// A range whose end is before its beginning, or that begins before the planting.
    #[error("foreshadowing `{id}` cannot be resolved in {from}–{to}")]
    Range {
        /// Which.
        id: Slug,
        /// First chapter.
        from: u32,
        /// Last chapter.
        to: u32,
    },
    /// A short one whose range is not 3 to 10 chapters after its planting.
    #[error(
        "short foreshadowing `{id}` of chapter {plant} is to be resolved by chapter {to}, that is too far or too near"
    )]
    Span {
        /// Which.
        id: Slug,
        /// Where it is planted.
        plant: u32,
        /// Where its range ends.
        to: u32,
    },
    /// Planted in a chapter that the volume does not have.
    #[error("foreshadowing `{id}` is planted in chapter {plant}, outside of the volume")]
    PlantOutside {
        /// Which.
        id: Slug,
        /// Where.
        plant: u32,
    },
    /// The plan has it and the chapter's section does not.
    #[error("{chapter}'s section does not say that it {} `{id}`", action.as_str())]
    Untold {
        /// Which.
        id: Slug,
        /// The chapter.
        chapter: ChapterNo,
        /// What is to be done there.
        action: Action,
    },
    /// A section works on something that neither the ledger nor the plan knows.
    #[error("{chapter} works on foreshadowing `{id}`, which is not planned")]
    Unplanned {
        /// Which.
        id: Slug,
        /// The chapter.
        chapter: ChapterNo,
    },
    /// Taken up or paid off before it is planted, planted twice, or touched after it is resolved.
    #[error("{chapter} cannot do that to foreshadowing `{id}`: {}", action.as_str())]
    Order {
        /// Which.
        id: Slug,
        /// The chapter.
        chapter: ChapterNo,
        /// What it wants to do.
        action: Action,
    },
    /// Still open when the book ends.
    #[error("the book ends with this volume, and foreshadowing `{id}` is not resolved by {chapter}")]
    LeftOpen {
        /// Which.
        id: Slug,
        /// The last chapter in which it can be.
        chapter: ChapterNo,
    },
    /// A running line without a part in the volume that ends the book.
    #[error("the book ends with this volume, and storyline `{line}` has no part in it")]
    LeftHanging {
        /// The line.
        line: Slug,
    },
    /// A chapter without a contract.
    #[error("{0} has no contract")]
    NoContract(ChapterNo),
    /// A condition that no earlier chapter brings about.
    #[error("{chapter} presupposes what no chapter brings about: {fact}")]
    Unfounded {
        /// The chapter.
        chapter: ChapterNo,
        /// The condition.
        fact: String,
    },
}

impl Flaw {
    /// Whether the plan may not be used as it is; the others are advice on rhythm.
    #[must_use]
    pub fn blocks(&self) -> bool {
        !matches!(self, Self::RunTooLong { .. } | Self::AwayTooLong { .. } | Self::Span { .. } | Self::Count { .. })
    }

    /// The chapter where it is mended, where it is one chapter's.
    #[must_use]
    pub fn chapter(&self) -> Option<ChapterNo> {
        match self {
            Self::NoConflict(chapter)
            | Self::NoContract(chapter)
            | Self::NotScheduled { chapter, .. }
            | Self::Untold { chapter, .. }
            | Self::Unplanned { chapter, .. }
            | Self::Order { chapter, .. }
            | Self::LeftOpen { chapter, .. }
            | Self::Unfounded { chapter, .. } => Some(*chapter),
            Self::RunTooLong { from, .. } => Some(*from),
            _ => None,
        }
    }
}

/// Whether a field says that there is nothing.
fn is_nothing(text: &str) -> bool {
    matches!(text.trim().trim_end_matches(['。', '.']), "" | "无" | "没有" | "暂无" | "none" | "None" | "-" | "—")
}

/// The facts of a field: its lines, and the parts of a line between semicolons.
fn facts_of(text: &str) -> Vec<String> {
    let parts = text
        .split(['\n', '；', ';'])
        .map(|part| part.trim().trim_start_matches(['-', '*', ' ']).trim_end_matches('。'));
    parts.filter(|part| !is_nothing(part)).map(str::to_owned).collect()
}

impl Plan {
    /// Everything that does not hold of the plan on that ground, each flaw once, in a stable order.
    #[must_use]
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

    fn chapters_on<'a>(&'a self, line: &'a Slug) -> impl Iterator<Item = ChapterNo> + 'a {
        self.outline.sections.iter().filter(move |section| section.storyline == *line).map(|section| section.chapter)
    }

    fn check_rhythm(&self, flaws: &mut Vec<Flaw>) {
        let Some(schedule) = &self.schedule else { return };
        let (Some(rhythm), Some((first, last))) = (&schedule.interleaving, self.outline.range()) else { return };
        // A volume with one line has nothing to alternate with.
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
                // A chapter that pays a thing off has taken it up as well.
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
                // Where nothing is scheduled, the section that plants a thing is its plan.
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

    /// What the volume that ends the book must not leave behind. `status` is what becomes of each foreshadowing in it.
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
            // Where the plan says when, its section has forgotten it.
            flaws.push(match due.filter(|due| self.outline.section(*due).is_some()) {
                Some(chapter) => Flaw::Untold { id, chapter, action: Action::Resolved },
                None => Flaw::LeftOpen { id, chapter: last },
            });
        }
        let running: Vec<&Slug> =
            basis.storylines.lines.iter().filter(|line| line.status == Status::Active).map(|line| &line.id).collect();
        // More lines than a volume can hold cannot all be asked for.
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
            // Whoever writes the chapter is told its section as well: what that says comes about, whatever became of the
            // contract.
            let told = facts_of(section.field(Field::StateChanges));
            let Some(contract) = self.contracts.get(&section.chapter) else {
                flaws.push(Flaw::NoContract(section.chapter));
                founded.extend(told);
                continue;
            };
            // What the volume's first chapter presupposes, the author has set: there is nothing before it to follow from.
            let opens = section.chapter.get() == basis.first && basis.standing.is_empty();
            let unfounded = contract.preconditions.iter().filter(|fact| !opens && !founded.contains(*fact));
            flaws.extend(unfounded.map(|fact| Flaw::Unfounded { chapter: section.chapter, fact: fact.clone() }));
            // A rule that has gone since is no fault of a chapter that is written.
            let ahead = section.chapter.get() > basis.written;
            let unknown = contract.rules.iter().filter(|rule| ahead && !basis.rules.contains(*rule));
            flaws.extend(unknown.map(|rule| Flaw::Unfounded { chapter: section.chapter, fact: rule.clone() }));
            founded.extend(contract.postconditions.iter().cloned().chain(told));
        }
    }

    /// The contracts that follow from outline and schedule: what a chapter presupposes is what the chapters before it on
    /// the same line, and on the lines that it meets, have left true.
    #[must_use]
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
            // Up to the last written chapter state and memories are newer than the plan.
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

    /// How much of the line's part in the volume is told with the chapter, in per cent of what the schedule gives it. Not of
    /// the chapters that are there: a later one that is moved to another line would change what is said of this.
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
        // The judge answers for each rule by its id; a criterion says which of them the chapter turns on.
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

    /// How the chapter leads over, when the next one is on another line.
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

/// Words between a name and the new place of its bearer.
const MOVES: [&str; 12] =
    ["到了", "来到", "去了", "回到", "抵达", "进了", "住进", "搬到", "搬进", "逃到", "躲进", "被关进"];

/// Reads the new places of characters from facts, by id: `林枫到了城北` is a character's name, a move and a place. All else
/// that a fact says stays in its own words.
fn moves_in(facts: &[String], people: &[&Character]) -> States {
    let mut states = States::new();
    for fact in facts {
        for person in people {
            let names = std::iter::once(&person.display_name).chain(&person.aliases).filter(|name| !name.is_empty());
            let rest = names.filter_map(|name| fact.strip_prefix(name.as_str())).min_by_key(|rest| rest.len());
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

/// The book as contracts describe it beside their demands, chapter by chapter.
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

    /// Moves on to after a chapter that is not written yet.
    fn go_on(&mut self, section: &Section, contract: &ChapterContract) {
        for (who, changes) in &contract.state_changes {
            self.states.entry(who.clone()).or_default().extend(changes.clone());
        }
        // The mood after a chapter that is not written cannot be known.
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::VolumeNo;
    use crate::domain::world::storyline::{Interleaving, Reach, ScheduledLine, Storyline};
    use proptest::prelude::*;

    fn slug(text: &str) -> Slug {
        Slug::new(text).unwrap()
    }

    fn line(id: &str, status: Status) -> Storyline {
        Storyline {
            id: slug(id),
            name: id.into(),
            kind: "main_arc".into(),
            reach: Reach::Novel,
            status,
            pov_characters: vec![],
            factions: vec![],
            timeline: "present".into(),
            description: String::new(),
            introduced: None,
        }
    }

    /// Chapters from `first`, one for each line named; those on `side` end with something known.
    fn outline(first: u32, lines: &[&str]) -> Outline {
        let sections = lines.iter().enumerate().map(|(at, line)| {
            let n = first + at as u32;
            format!(
                "## 第{n}章 题{n}\n\n- 故事线: {line}\n- 视角: 沈渡\n- 地点: 渡口{n}\n- 冲突: 争{n}\n- 人物弧光: 无\n- 伏笔: 无\n\
                 - 状态变化: 事{n}甲；事{n}乙\n"
            )
        });
        Outline::parse(&sections.collect::<String>()).unwrap()
    }

    fn scheduled(lines: &[(&str, VolumeRole)]) -> Schedule {
        let active = lines.iter().map(|(line, role)| ScheduledLine {
            storyline: slug(line),
            role: *role,
            target_chapters: 0,
            goal: String::new(),
        });
        Schedule {
            volume: VolumeNo::FIRST,
            theme: String::new(),
            active: active.collect(),
            interleaving: Some(Interleaving {
                primary_max_consecutive: Some(2),
                secondary_every: Some(2),
                ..Interleaving::default()
            }),
            convergences: vec![],
            dormant: vec![],
            newly_activated: vec![],
            closing: false,
        }
    }

    fn basis() -> PlanBasis {
        let lines = vec![line("main-arc", Status::Active), line("side", Status::Active), line("gone", Status::Ended)];
        PlanBasis { first: 1, storylines: Storylines { lines, relations: vec![] }, ..PlanBasis::default() }
    }

    fn plan(lines: &[&str]) -> Plan {
        let mut plan = Plan {
            outline: outline(1, lines),
            schedule: Some(scheduled(&[("main-arc", VolumeRole::Primary), ("side", VolumeRole::Secondary)])),
            ..Plan::default()
        };
        plan.contracts = plan.derived(&basis());
        plan
    }

    fn shown(plan: &Plan) -> Vec<String> {
        plan.flaws(&basis()).iter().map(ToString::to_string).collect()
    }

    #[test]
    fn a_sound_plan_has_no_flaw_and_its_conditions_follow_along_each_line() {
        let plan = plan(&["main-arc", "side", "main-arc", "main-arc", "side"]);
        assert_eq!(shown(&plan), Vec::<String>::new());
        let of = |n: u32| &plan.contracts[&ChapterNo::new(n).unwrap()];
        assert_eq!(of(3).preconditions, of(1).postconditions);
        assert_eq!(of(5).preconditions, ["事2甲", "事2乙"]);
        let contexts: Vec<(Option<u32>, Option<u32>, Option<u32>)> = plan
            .contracts
            .values()
            .map(|contract| (contract.context.as_ref().unwrap(), contract.chapter))
            .map(|(at, chapter)| (at.last.map(ChapterNo::get), at.away(chapter), at.progress))
            .collect();
        let wanted = [(None, None), (None, None), (Some(1), Some(1)), (Some(3), Some(0)), (Some(2), Some(2))];
        assert_eq!(contexts, wanted.map(|(last, away)| (last, away, None)));
        let transition = of(1).transition.as_ref().unwrap();
        assert!(transition.next == slug("side") && transition.bridge.contains("渡口2"), "{transition:?}");
        assert!(of(3).transition.is_none(), "the next chapter is on the same line");
    }

    #[test]
    fn lines_that_meet_know_what_each_has_brought_about() {
        let mut plan = plan(&["main-arc", "side", "main-arc", "side"]);
        let meeting = |chapters| Convergence {
            chapters,
            lines: vec![slug("main-arc"), slug("side")],
            trigger: String::new(),
            aftermath: String::new(),
        };
        plan.schedule.as_mut().unwrap().convergences = vec![meeting((3, 3))];
        plan.contracts = plan.derived(&basis());
        let third = &plan.contracts[&ChapterNo::new(3).unwrap()];
        assert_eq!(third.preconditions, ["事1甲", "事1乙", "事2甲", "事2乙"]);
        assert_eq!(shown(&plan), Vec::<String>::new());
        plan.schedule.as_mut().unwrap().convergences = vec![meeting((4, 9)), meeting((4, 2))];
        assert_eq!(shown(&plan).len(), 2, "{:?}", shown(&plan));
    }

    #[test]
    fn contracts_say_where_people_and_lines_stand_and_what_becomes_of_them() {
        let state = |place: &str| {
            BTreeMap::from([(LOCATION.to_owned(), place.to_owned()), (EMOTION.to_owned(), "起疑".to_owned())])
        };
        let basis = PlanBasis {
            characters: vec![Character::sample("shen-du", "沈渡", &[("C-SHENDU-001", "不会水")])],
            states: States::from([("shen-du".into(), state("旧宅")), ("a-qi".into(), state("岸上"))]),
            statuses: BTreeMap::from([(slug("side"), "船还没有来".to_owned())]),
            told: BTreeMap::from([(slug("main-arc"), "他收下了船票。".to_owned())]),
            rules: ["W-001".to_owned()].into(),
            ..basis()
        };
        let mut plan = plan(&["main-arc", "main-arc", "side"]);
        let source: String = plan.outline.sections.iter().map(|s| format!("{}\n\n", s.source)).collect();
        let source = source
            .replacen("状态变化: 事1甲", "状态变化: 沈渡到了渡口，天黑了；沈渡得到一盏灯", 1)
            .replacen("冲突: 争1", "冲突: 争1，碍着 W-001", 1)
            .replacen("伏笔: 无", "伏笔: 埋设 lamp：灯是冷的", 1);
        plan.outline = Outline::parse(&source).unwrap();
        let contracts: Vec<ChapterContract> = plan.derived(&basis).into_values().collect();
        let [one, two, three] = &contracts[..] else { panic!("{contracts:?}") };
        assert_eq!(one.character_states, States::from([("shen-du".into(), state("旧宅"))]));
        assert_eq!(one.state_changes["shen-du"], BTreeMap::from([(LOCATION.into(), "渡口".into())]));
        assert_eq!(one.postconditions[..2], ["沈渡到了渡口，天黑了", "沈渡得到一盏灯"]);
        assert_eq!(one.foreshadowing, BTreeMap::from([(slug("lamp"), Action::Planted)]));
        assert_eq!(one.objectives[1].task, Some((Action::Planted, slug("lamp"))));
        let criteria = ["守住世界规则 W-001", "守住人物契约 C-SHENDU-001"];
        assert!(criteria.iter().all(|line| one.acceptance.contains(&(*line).to_owned())), "{:?}", one.acceptance);
        let context = one.context.clone().unwrap();
        assert_eq!(
            (context.last_summary.as_str(), &context.concurrent[&slug("side")][..]),
            ("他收下了船票。", "船还没有来")
        );
        // The next chapter begins where this one ends, and how he feels then is not known.
        assert_eq!(two.character_states["shen-du"], BTreeMap::from([(LOCATION.into(), "渡口".into())]));
        assert!(two.context.clone().unwrap().last_summary.contains("争1"), "{two:?}");
        assert!(three.context.clone().unwrap().concurrent[&slug("main-arc")].contains("第2章"), "{three:?}");
        // For a written chapter the state counts, not the plan.
        let written = plan.derived(&PlanBasis { written: 1, ..basis.clone() });
        assert_eq!(written[&ChapterNo::new(2).unwrap()].character_states["shen-du"], state("旧宅"));
        // The picture is no demand.
        let later = plan.derived(&PlanBasis { states: States::new(), statuses: BTreeMap::new(), ..basis });
        assert!(later.values().zip(&contracts).all(|(now, then)| now.asks_the_same(then)));
        assert!(later.values().zip(&contracts).any(|(now, then)| now != then));
    }

    #[test]
    fn a_chapter_hangs_on_the_rules_that_it_or_its_people_name() {
        let person = |id: &str, name: &str, rule: &str, from: u32| {
            let mut person = Character::sample(id, name, &[("C-1", rule)]);
            person.profile = "照 W-003 活着".into();
            person.contracts[0].valid_from = from;
            person
        };
        let basis = PlanBasis {
            characters: vec![person("shen-du", "沈渡", "照 W-002 不能下水", 3), person("a-qi", "阿七", "守 W-001", 1)],
            rules: ["W-001", "W-002", "W-003"].map(str::to_owned).into(),
            ..basis()
        };
        let mut plan = plan(&["main-arc", "side", "main-arc"]);
        let source: String = plan.outline.sections.iter().map(|s| format!("{}\n\n", s.source)).collect();
        plan.outline = Outline::parse(&source.replacen("争2", "争2，犯了 W-001 和 W-0022", 1)).unwrap();
        let contracts = plan.derived(&basis);
        let rules: Vec<&[String]> = contracts.values().map(|contract| &contract.rules[..]).collect();
        assert_eq!(rules, [&[][..], &["W-001".to_owned()], &["W-002".to_owned()]]);
        plan.contracts = contracts;
        assert_eq!(plan.flaws(&basis), []);
        // The rule has gone: what is written stays, what is not is wrong.
        let gone = PlanBasis { rules: ["W-001".to_owned()].into(), ..basis.clone() };
        assert_eq!(plan.flaws(&gone).len(), 1);
        assert_eq!(plan.flaws(&PlanBasis { written: 3, ..gone }), []);
    }

    #[test]
    fn every_flaw_is_found() {
        let flaws = |change: &dyn Fn(&mut Plan)| {
            let mut plan = plan(&["main-arc", "side", "main-arc", "side"]);
            change(&mut plan);
            shown(&plan).join("\n")
        };
        let retold = |plan: &mut Plan, from: &str, to: &str| {
            let source: String = plan.outline.sections.iter().map(|s| format!("{}\n\n", s.source)).collect();
            plan.outline = Outline::parse(&source.replacen(from, to, 1)).unwrap();
        };
        let planned = |plant, target, scope| Planned {
            id: slug("lamp"),
            description: String::new(),
            scope,
            storyline: slug("main-arc"),
            plant: ChapterNo::new(plant),
            advance: vec![],
            target,
        };
        let schedule = |plan: &mut Plan, lines: &[(&str, VolumeRole)]| plan.schedule = Some(scheduled(lines));
        use VolumeRole::{Primary, Secondary};
        type Case<'a> = (&'a dyn Fn(&mut Plan), &'a str);
        let table: &[Case<'_>] = &[
            (&|p| p.outline = outline(2, &["main-arc", "side"]), "begins with chapter 2"),
            (&|p| retold(p, "冲突: 争2", "冲突: 无。"), "ch-002 has no conflict"),
            (&|p| schedule(p, &[("main-arc", Primary)]), "ch-002 is on `side`"),
            (&|p| schedule(p, &[("main-arc", Secondary), ("side", Secondary)]), "no storyline is the primary"),
            (&|p| schedule(p, &[("main-arc", Primary), ("side", Secondary), ("gone", Secondary)]), "`gone` has ended"),
            (
                &|p| schedule(p, &[("main-arc", Primary), ("side", Secondary), ("new", Secondary)]),
                "`new` is not defined",
            ),
            (&|p| schedule(p, &[("main-arc", Primary); 5]), "5 storylines are active"),
            (&|p| retold(p, "故事线: side", "故事线: main-arc"), "`main-arc` runs from ch-001 for 3"),
            (
                &|p| p.outline = outline(1, &["side", "main-arc", "main-arc", "main-arc", "main-arc"]),
                "`side` is away for 4",
            ),
            (&|p| retold(p, "伏笔: 无", "伏笔: 推进 lamp：亮了"), "`lamp`, which is not planned"),
            (&|p| p.foreshadowing = vec![planned(1, Some((4, 6)), Scope::Short)], "ch-001's section does not say"),
            (&|p| p.foreshadowing = vec![planned(9, None, Scope::Long)], "outside of the volume"),
            (&|p| p.foreshadowing = vec![planned(3, Some((3, 6)), Scope::Short)], "cannot be resolved in 3–6"),
            (&|p| p.foreshadowing = vec![planned(1, Some((4, 40)), Scope::Short)], "too far or too near"),
            (
                &|p| {
                    p.foreshadowing = vec![planned(2, None, Scope::Long)];
                    retold(p, "伏笔: 无", "伏笔: 回收 lamp：灭了");
                },
                "ch-001 cannot do that to foreshadowing `lamp`: resolved",
            ),
            (&|p| drop(p.contracts.pop_last()), "ch-004 has no contract"),
            (
                &|p| p.contracts.values_mut().nth(1).unwrap().rules.push("W-009".into()),
                "ch-002 presupposes what no chapter brings about: W-009",
            ),
            (
                &|p| p.contracts.values_mut().nth(2).unwrap().preconditions.push("他会飞".into()),
                "ch-003 presupposes what no chapter brings about: 他会飞",
            ),
        ];
        for (change, words) in table {
            let found = flaws(*change);
            assert!(found.contains(words), "{words}: {found}");
        }
    }

    #[test]
    fn a_volume_that_ends_the_book_closes_everything() {
        use VolumeRole::{Primary, Secondary};
        let mut ledger = Ledger::default();
        let plant = crate::domain::volume::foreshadowing::ForeshadowOp {
            id: slug("old"),
            action: Action::Planted,
            detail: String::new(),
            scope: Some(Scope::Long),
            target: None,
        };
        ledger.apply(&plant, ChapterNo::FIRST, &slug("main-arc")).unwrap();
        let basis = PlanBasis { first: 5, chapters: Some(3), ledger, closing: true, ..basis() };
        let mut plan = Plan {
            outline: outline(5, &["main-arc", "side", "main-arc"]),
            schedule: Some(scheduled(&[("main-arc", Primary), ("side", Secondary)])),
            ..Plan::default()
        };
        let found = |plan: &Plan, basis: &PlanBasis| -> Vec<Flaw> {
            plan.flaws(basis).into_iter().filter(|flaw| !matches!(flaw, Flaw::NoContract(_))).collect()
        };
        let seventh = ChapterNo::new(7).unwrap();
        let open = Flaw::LeftOpen { id: slug("old"), chapter: seventh };
        assert!(open.blocks(), "long ones too");
        assert_eq!(found(&plan, &basis), [open]);
        // What the plan has a date for is the section's omission, and can be mended without a model.
        plan.foreshadowing.push(Planned {
            id: slug("old"),
            description: String::new(),
            scope: Scope::Long,
            storyline: slug("main-arc"),
            plant: None,
            advance: vec![],
            target: Some((6, 7)),
        });
        let untold = Flaw::Untold { id: slug("old"), chapter: seventh, action: Action::Resolved };
        assert_eq!(found(&plan, &basis), [untold]);
        let source: String = plan.outline.sections.iter().map(|s| format!("{}\n\n", s.source)).collect();
        let (head, tail) = source.split_at(source.find("## 第7章").unwrap());
        let tail = tail.replacen("伏笔: 无", "伏笔: 回收 old：旧账清了", 1);
        plan.outline = Outline::parse(&format!("{head}{tail}")).unwrap();
        assert_eq!(found(&plan, &basis), []);
        // A running line has no end if it has no chapter; half an outline is not judged; other volumes may leave things.
        plan.schedule = Some(scheduled(&[("main-arc", Primary)]));
        let hanging = Flaw::LeftHanging { line: slug("side") };
        assert!(found(&plan, &basis).contains(&hanging) && hanging.blocks());
        let half = Plan { outline: outline(5, &["main-arc", "main-arc"]), ..plan.clone() };
        let ends = |flaw: &Flaw| matches!(flaw, Flaw::LeftOpen { .. } | Flaw::LeftHanging { .. });
        assert!(!found(&half, &basis).iter().any(ends));
        assert!(!found(&plan, &PlanBasis { closing: false, ..basis }).iter().any(ends));
    }

    proptest! {
        /// Whatever the interleaving, derived contracts always follow from each other.
        #[test]
        fn derived_conditions_always_follow(lines in prop::collection::vec(prop::sample::select(vec!["main-arc", "side", "third"]), 1..30), met in any::<bool>()) {
            let mut plan = Plan { outline: outline(1, &lines), schedule: Some(scheduled(&[])), ..Plan::default() };
            if met {
                plan.schedule.as_mut().unwrap().convergences = vec![Convergence {
                    chapters: (1, lines.len() as u32), lines: vec![slug("main-arc"), slug("third")], trigger: String::new(), aftermath: String::new(),
                }];
            }
            plan.contracts = plan.derived(&basis());
            let unfounded = plan.flaws(&basis()).into_iter().filter(|flaw| matches!(flaw, Flaw::Unfounded { .. } | Flaw::NoContract(_)));
            prop_assert_eq!(unfounded.count(), 0);
        }
    }
}
