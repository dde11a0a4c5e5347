//! Retirement from the story: the things that still need a person or a storyline (orchestrator chapter §8.5). Promises
//! count, mere membership does not: every person is listed on some storyline.

use super::character::Character;
use super::storyline::{Convergence, Status, Storylines};
use crate::domain::volume::foreshadowing::{Foreshadowing, Ledger, Scope};
use crate::domain::volume::plan::Plan;
use crate::domain::{ChapterNo, Slug, VolumeNo};

/// The untold part of the book.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Ties {
    pub ledger: Ledger,
    pub storylines: Storylines,
    /// Plans with coming chapters: of the current and later volumes, and drafts that wait for the author.
    pub ahead: Vec<ComingPlan>,
    /// The last accepted chapter; 0 before the first.
    pub written: u32,
}

/// A volume's plan with coming chapters.
#[derive(Debug, Clone, PartialEq)]
pub struct ComingPlan {
    pub volume: VolumeNo,
    /// True for a draft that waits for the author.
    pub waiting: bool,
    pub plan: Plan,
    /// The storylines of the plan: a draft may begin new ones.
    pub storylines: Storylines,
}

/// Something in the story that still needs a person or a storyline.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Blocker {
    /// An open foreshadowing that reaches beyond its volume.
    Foreshadowing { id: Slug, scope: Scope },
    /// An unfinished storyline is told by the person.
    PointOfView {
        line: Slug,
        status: Status,
        /// The volume whose draft begins the line.
        draft: Option<VolumeNo>,
    },
    /// Two storylines share the person, and one is unfinished.
    Shared { from: Slug, to: Slug },
    /// A coming crossover.
    Meeting {
        volume: VolumeNo,
        waiting: bool,
        /// First and last possible chapter.
        chapters: (u32, u32),
        /// The line that brings the person there, when the crossover does not name the person.
        through: Option<Slug>,
    },
    /// Planned chapters not yet written.
    Chapters { volume: VolumeNo, waiting: bool, chapters: Vec<ChapterNo> },
    /// A change of the person that waits for the author, whose approval would bring the person back.
    Change { id: Slug },
}

/// A person, told apart from people whose longer names contain this one.
#[derive(Debug, Clone)]
pub struct Sought<'a> {
    person: &'a Character,
    /// Names of others that contain one of the person's names.
    longer: Vec<&'a str>,
}

impl<'a> Sought<'a> {
    /// The person among all who have ever been in the book.
    pub fn new(person: &'a Character, everybody: &'a [Character]) -> Self {
        let others = everybody.iter().filter(|other| other.id != person.id).flat_map(Character::names);
        let longer = others.filter(|name| person.names().any(|own| name.len() > own.len() && name.contains(own)));
        Self { person, longer: longer.collect() }
    }

    /// True when the text names the person: at every place the longest name counts.
    pub fn is_in(&self, text: &str) -> bool {
        if self.longer.is_empty() {
            return self.person.is_named_in(text);
        }
        let own = || self.person.names().filter(|name| name.chars().count() > 1);
        let longest = |names: &mut dyn Iterator<Item = &str>, rest: &str| {
            names.filter(|name| rest.starts_with(name)).map(str::len).max().unwrap_or(0)
        };
        let mut rest = text;
        while let Some(first) = rest.chars().next() {
            let (own, other) = (longest(&mut own(), rest), longest(&mut self.longer.iter().copied(), rest));
            if own > 0 && own >= other {
                return true;
            }
            rest = &rest[other.max(first.len_utf8())..];
        }
        self.person.has_id_in(text)
    }

    /// True when the list names the person; a remark in brackets may follow a name.
    fn is_among(&self, names: &[String]) -> bool {
        let bare = |name: &String| name.split(['（', '(']).next().unwrap_or_default().trim().to_owned();
        names.iter().any(|name| self.person.is_called(&bare(name)))
    }
}

/// The things that still need the person: foreshadowings, storylines, crossovers, in this order.
pub fn blockers_of_person(sought: &Sought<'_>, ground: &Ties) -> Vec<Blocker> {
    let mut blockers: Vec<Blocker> = far(ground).filter(|entry| sought.is_in(&told(entry))).map(owed).collect();
    let mut eyes = |storylines: &Storylines, draft: Option<VolumeNo>| {
        let known = |line: &Slug| draft.is_some() && ground.storylines.get(line).is_some();
        let lines = storylines.lines.iter().filter(|line| line.status != Status::Ended && !known(&line.id));
        blockers.extend(lines.filter(|line| sought.is_among(&line.pov_characters)).map(|line| Blocker::PointOfView {
            line: line.id.clone(),
            status: line.status,
            draft,
        }));
    };
    eyes(&ground.storylines, None);
    for ahead in ground.ahead.iter().filter(|ahead| ahead.waiting) {
        eyes(&ahead.storylines, Some(ahead.volume));
    }
    let alive = |line: &Slug| ground.storylines.get(line).is_some_and(|line| line.status != Status::Ended);
    let shared = ground.storylines.relations.iter().filter(|r| alive(&r.from) || alive(&r.to));
    let shared = shared.filter(|relation| sought.is_among(&relation.bridges.shared_characters));
    blockers.extend(shared.map(|r| Blocker::Shared { from: r.from.clone(), to: r.to.clone() }));
    blockers.extend(meetings(ground, &|ahead, meeting| {
        if sought.is_in(&meeting.trigger) || sought.is_in(&meeting.aftermath) {
            return Some(None);
        }
        let lines = meeting.lines.iter().filter_map(|line| ahead.storylines.get(line));
        lines.into_iter().find(|line| sought.is_among(&line.pov_characters)).map(|line| Some(line.id.clone()))
    }));
    blockers
}

/// The things that the storyline still has to do before its status may become `to`: planned chapters and crossovers,
/// and before its end the foreshadowings planted on it.
pub fn blockers_of_line(line: &Slug, to: Status, ground: &Ties) -> Vec<Blocker> {
    let planted = far(ground).filter(|entry| to == Status::Ended && entry.storyline == *line);
    let mut blockers: Vec<Blocker> = planted.map(owed).collect();
    for ahead in &ground.ahead {
        let sections = ahead.plan.outline.sections.iter();
        let chapters = sections.filter(|section| section.storyline == *line).map(|section| section.chapter);
        let chapters: Vec<ChapterNo> = chapters.filter(|chapter| chapter.get() > ground.written).collect();
        if !chapters.is_empty() {
            blockers.push(Blocker::Chapters { volume: ahead.volume, waiting: ahead.waiting, chapters });
        }
    }
    blockers.extend(meetings(ground, &|_, meeting| meeting.lines.contains(line).then_some(None)));
    blockers
}

/// The coming chapters whose section or contract names the person, by plan. They prevent no retirement, but have to be
/// changed.
pub fn chapters_with(sought: &Sought<'_>, ground: &Ties) -> Vec<Blocker> {
    let named = ground.ahead.iter().map(|ahead| {
        let contract = |chapter: &ChapterNo| ahead.plan.contracts.get(chapter);
        let sections = ahead.plan.outline.sections.iter().filter(|section| section.chapter.get() > ground.written);
        let named = sections.filter(|section| {
            let is_listed = contract(&section.chapter).is_some_and(|contract| {
                let facts = contract.preconditions.iter().chain(&contract.postconditions).chain(&contract.acceptance);
                let objectives = contract.objectives.iter().map(|objective| &objective.description);
                contract.characters.contains(&sought.person.id)
                    || facts.chain(objectives).any(|text| sought.is_in(text))
            });
            is_listed || sought.is_in(&section.source)
        });
        let chapters: Vec<ChapterNo> = named.map(|section| section.chapter).collect();
        Blocker::Chapters { volume: ahead.volume, waiting: ahead.waiting, chapters }
    });
    named.filter(|blocker| matches!(blocker, Blocker::Chapters { chapters, .. } if !chapters.is_empty())).collect()
}

/// Open foreshadowings that reach beyond their volume.
fn far(ground: &Ties) -> impl Iterator<Item = &Foreshadowing> {
    ground.ledger.open().filter(|entry| matches!(entry.scope, Scope::Medium | Scope::Long))
}

fn owed(entry: &Foreshadowing) -> Blocker {
    Blocker::Foreshadowing { id: entry.id.clone(), scope: entry.scope }
}

fn told(entry: &Foreshadowing) -> String {
    let details = entry.history.iter().map(|step| step.detail.as_str());
    std::iter::once(entry.description.as_str()).chain(details).collect::<Vec<_>>().join("\n")
}

/// The coming crossovers of a person or a storyline: `through` returns whether, and by which line.
fn meetings(ground: &Ties, through: &dyn Fn(&ComingPlan, &Convergence) -> Option<Option<Slug>>) -> Vec<Blocker> {
    let mut blockers = Vec::new();
    for ahead in &ground.ahead {
        let all = ahead.plan.schedule.iter().flat_map(|schedule| &schedule.convergences);
        for meeting in all.filter(|meeting| meeting.chapters.1 > ground.written) {
            blockers.extend(through(ahead, meeting).map(|through| Blocker::Meeting {
                volume: ahead.volume,
                waiting: ahead.waiting,
                chapters: meeting.chapters,
                through,
            }));
        }
    }
    blockers
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::volume::foreshadowing::{Action, ForeshadowOp};
    use crate::domain::volume::outline::Outline;
    use crate::domain::world::storyline::{Bridges, Reach, Relation, Schedule, Storyline};
    use proptest::prelude::*;

    fn slug(text: &str) -> Slug {
        Slug::new(text).unwrap()
    }

    fn person(id: &str, name: &str) -> Character {
        Character {
            id: slug(id),
            display_name: name.into(),
            aliases: vec![format!("老{name}")],
            former_names: vec![],
            role: String::new(),
            storylines: vec![slug("main-arc")],
            speech: String::new(),
            profile: String::new(),
            contracts: Vec::new(),
        }
    }

    fn line(id: &str, status: Status, pov: &[&str]) -> Storyline {
        Storyline {
            id: slug(id),
            name: id.into(),
            kind: "mystery".into(),
            reach: Reach::Novel,
            status,
            pov_characters: pov.iter().map(|name| (*name).to_owned()).collect(),
            factions: Vec::new(),
            timeline: "present".into(),
            description: String::new(),
            introduced: None,
        }
    }

    fn ledger(details: &[(&str, Scope, &str)]) -> Ledger {
        let mut ledger = Ledger::default();
        for (id, scope, detail) in details {
            let op = ForeshadowOp {
                id: slug(id),
                action: Action::Planted,
                detail: (*detail).into(),
                scope: Some(*scope),
                target: None,
            };
            ledger.apply(&op, ChapterNo::FIRST, &slug("main-arc")).unwrap();
        }
        ledger
    }

    fn ahead(waiting: bool, storylines: &Storylines, meeting: (u32, u32), trigger: &str) -> ComingPlan {
        let text: String = (1..=4)
            .map(|n| {
                let place = if n == 3 { "林一家" } else { "渡口" };
                format!(
                    "## 第{n}章 题{n}\n\n- 故事线: main-arc\n- 视角: 沈渡\n- 地点: {place}\n- 冲突: 争{n}\n- 人物弧光: 无\n\
                     - 伏笔: 无\n- 状态变化: 事{n}\n\n"
                )
            })
            .collect();
        let convergence = Convergence {
            chapters: meeting,
            lines: vec![slug("main-arc"), slug("side")],
            trigger: trigger.into(),
            aftermath: String::new(),
        };
        let schedule = Schedule {
            volume: VolumeNo::FIRST,
            theme: String::new(),
            active: Vec::new(),
            interleaving: None,
            convergences: vec![convergence],
            dormant: Vec::new(),
            closing: false,
            newly_activated: Vec::new(),
        };
        let plan = Plan { outline: Outline::parse(&text).unwrap(), schedule: Some(schedule), ..Plan::default() };
        ComingPlan { volume: VolumeNo::FIRST, waiting, plan, storylines: storylines.clone() }
    }

    fn blockers(ground: &Ties) -> Vec<Blocker> {
        let everybody = [person("lin-yi", "林一"), person("lin-yi-fan", "林一凡")];
        blockers_of_person(&Sought::new(&everybody[0], &everybody), ground)
    }

    proptest! {
        #[test]
        fn a_name_inside_a_longer_one_is_somebody_else(before in "[甲林一凡老。]{0,6}", after in "[甲林一凡老。]{0,6}") {
            let everybody = [person("lin-yi", "林一"), person("lin-yi-fan", "林一凡")];
            let [sought, other] = [0, 1].map(|at| Sought::new(&everybody[at], &everybody));
            let text = format!("{before}林一凡{after}");
            prop_assert!(other.is_in(&text), "{}", text);
            // The rest after the longer name has been read away from left to right.
            let rest = text.replace("林一凡", "\n");
            prop_assert_eq!(sought.is_in(&text), rest.contains("林一"), "{}", text);
        }
    }

    #[test]
    fn only_far_reaching_open_promises_keep_somebody() {
        let entries = [
            ("short_one", Scope::Short, "林一的刀"),
            ("long_one", Scope::Long, "老林一欠着一条船"),
            ("other", Scope::Long, "林一凡知道，老林一凡也知道"),
        ];
        let mut ground = Ties { ledger: ledger(&entries), ..Ties::default() };
        assert_eq!(blockers(&ground), [Blocker::Foreshadowing { id: slug("long_one"), scope: Scope::Long }]);
        let op = ForeshadowOp {
            id: slug("long_one"),
            action: Action::Resolved,
            detail: String::new(),
            scope: None,
            target: None,
        };
        ground.ledger.apply(&op, ChapterNo::new(2).unwrap(), &slug("main-arc")).unwrap();
        assert_eq!(blockers(&ground), []);
    }

    #[test]
    fn a_line_that_has_not_ended_keeps_whose_eyes_it_uses() {
        let relation = |from: &str, to: &str| Relation {
            from: slug(from),
            to: slug(to),
            kind: String::new(),
            bridges: Bridges { shared_characters: vec!["林一（早年）".into()], ..Bridges::default() },
            convergence: String::new(),
            function: String::new(),
        };
        let lines = vec![
            line("main-arc", Status::Active, &["林一凡"]),
            line("asleep", Status::Dormant, &["lin-yi"]),
            line("gone", Status::Ended, &["林一"]),
            line("over", Status::Ended, &[]),
        ];
        let relations = vec![relation("gone", "over"), relation("main-arc", "over")];
        let ground = Ties { storylines: Storylines { lines, relations }, ..Ties::default() };
        let eyes = Blocker::PointOfView { line: slug("asleep"), status: Status::Dormant, draft: None };
        assert_eq!(blockers(&ground), [eyes, Blocker::Shared { from: slug("main-arc"), to: slug("over") }]);
    }

    #[test]
    fn a_meeting_to_come_keeps_those_whom_it_names_or_brings() {
        let lines = vec![line("main-arc", Status::Active, &["沈渡"]), line("side", Status::Active, &[])];
        let storylines = Storylines { lines, relations: Vec::new() };
        let mut drafted = storylines.clone();
        drafted.lines.push(line("new", Status::Active, &["林一"]));
        drafted.lines[1].pov_characters = vec!["林一".into()];
        let ahead = vec![ahead(false, &storylines, (2, 3), "林一来了"), ahead(true, &drafted, (4, 4), "林一凡来了")];
        let mut ground = Ties { storylines, ahead, written: 2, ..Ties::default() };
        let meeting = |waiting, chapters, through: Option<&str>| Blocker::Meeting {
            volume: VolumeNo::FIRST,
            waiting,
            chapters,
            through: through.map(slug),
        };
        let eyes = Blocker::PointOfView { line: slug("new"), status: Status::Active, draft: Some(VolumeNo::FIRST) };
        let later = meeting(true, (4, 4), Some("side"));
        assert_eq!(blockers(&ground), [eyes.clone(), meeting(false, (2, 3), None), later.clone()]);
        ground.written = 3;
        assert_eq!(blockers(&ground), [eyes, later]);
    }

    #[test]
    fn planned_chapters_keep_a_line_and_only_point_at_a_person() {
        let lines = vec![line("main-arc", Status::Active, &[])];
        let storylines = Storylines { lines, relations: Vec::new() };
        let plan = ahead(false, &storylines, (1, 1), "");
        let mut ground = Ties {
            storylines,
            ahead: vec![plan],
            written: 2,
            ledger: ledger(&[("long_one", Scope::Long, "船"), ("short_one", Scope::Short, "刀")]),
        };
        let chapters = |numbers: &[u32]| Blocker::Chapters {
            volume: VolumeNo::FIRST,
            waiting: false,
            chapters: numbers.iter().filter_map(|n| ChapterNo::new(*n)).collect(),
        };
        let everybody = [person("lin-yi", "林一")];
        assert_eq!(chapters_with(&Sought::new(&everybody[0], &everybody), &ground), [chapters(&[3])]);
        let main = slug("main-arc");
        assert_eq!(blockers_of_line(&main, Status::Dormant, &ground), [chapters(&[3, 4])]);
        ground.written = 4;
        assert_eq!(blockers_of_line(&main, Status::Dormant, &ground), []);
        let owed = Blocker::Foreshadowing { id: slug("long_one"), scope: Scope::Long };
        assert_eq!(blockers_of_line(&main, Status::Ended, &ground), [owed]);
    }
}
