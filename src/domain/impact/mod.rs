//! The effects of a change of the book: from a rule to the contracts that name it, on to their people, and to the
//! chapters that depend on any of them (row R10; product document §6.5.5).
//! Dependencies are resolved by id. A rule whose id is not named affects nothing, whatever it says.

use crate::domain::impact::walk::ImpactWalk;
use crate::domain::prelude::*;
use crate::domain::volume::foreshadowing::ThreadPlan;
use crate::domain::volume::outline::Section;
use crate::domain::volume::plan::{Plan, PlanBasis};
use crate::domain::world::character::Character;
use crate::domain::world::contract::{ChapterContract, CharacterContract, Rule};
use crate::domain::world::storyline::{Convergence, ScheduledLine, Storyline, Storylines};

mod walk;

/// The parts of the book, at one moment, that depend on each other.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct BookSnapshot {
    pub rules: Vec<Rule>,
    pub characters: Vec<Character>,
    pub storylines: Storylines,
    pub volumes: BTreeMap<VolumeNo, PlannedVolume>,
}

#[derive(Debug, Clone, PartialEq, Default)]
pub struct PlannedVolume {
    pub plan: Plan,
    /// The basis for checks; `None` for a written volume, whose contracts are history.
    pub basis: Option<PlanBasis>,
}

impl BookSnapshot {
    /// Lets the names that people had in `before` be known as theirs.
    pub fn know_names_of(&mut self, before: &Self) {
        let renames = renames(&before.characters, &self.characters);
        let bases = self.volumes.values_mut().filter_map(|volume| volume.basis.as_mut());
        let people = bases.flat_map(|basis| &mut basis.characters).chain(&mut self.characters);
        for person in people {
            let was = renames.iter().find(|(id, ..)| *id == person.id).map(|(_, was, _)| was.clone());
            person.former_names.extend(was.filter(|was| !person.is_called(was)));
        }
    }
}

impl PlannedVolume {
    /// Returns the contracts that follow from the plan; empty where none is derived.
    pub fn derived(&self) -> BTreeMap<ChapterNo, ChapterContract> {
        let derived = self.basis.as_ref().map(|basis| self.plan.derived(basis)).unwrap_or_default();
        derived.into_iter().map(|(chapter, contract)| (chapter, contract.without_picture())).collect()
    }
}

named! {
    pub enum ItemKind {
        Rule = "rule",
        CharacterContract = "character_contract",
        /// Names, aliases, speech, profile, place in the book.
        Character = "character",
        Storyline = "storyline",
        /// A chapter's section of the outline.
        Outline = "outline",
        Foreshadowing = "foreshadowing",
        /// A storyline's part in a volume, or a crossover.
        Schedule = "schedule",
        /// A chapter's contract, changed by hand.
        ChapterContract = "chapter_contract",
        Chapter = "chapter",
    }
}

named! {
    pub enum ChangeKind {
        Added = "added",
        /// The thing has other content.
        Changed = "changed",
        /// A person has another name and is otherwise the same.
        Renamed = "renamed",
        Removed = "removed",
    }
}

/// A thing that changes or is affected. Printed by its id.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Item {
    Rule(String),
    CharacterContract(Slug, String),
    Character(Slug),
    Storyline(Slug),
    Outline(ChapterNo),
    Foreshadowing(VolumeNo, Slug),
    /// A storyline's part in a volume.
    Part(VolumeNo, Slug),
    /// A crossover in the chapters from the first to the last.
    Meeting(VolumeNo, u32, u32),
    ChapterContract(ChapterNo),
    Chapter(ChapterNo),
}

impl Item {
    pub fn sort(&self) -> ItemKind {
        match self {
            Self::Rule(_) => ItemKind::Rule,
            Self::CharacterContract(..) => ItemKind::CharacterContract,
            Self::Character(_) => ItemKind::Character,
            Self::Storyline(_) => ItemKind::Storyline,
            Self::Outline(_) => ItemKind::Outline,
            Self::Foreshadowing(..) => ItemKind::Foreshadowing,
            Self::Part(..) | Self::Meeting(..) => ItemKind::Schedule,
            Self::ChapterContract(_) => ItemKind::ChapterContract,
            Self::Chapter(_) => ItemKind::Chapter,
        }
    }
}

impl fmt::Display for Item {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Rule(id) | Self::CharacterContract(_, id) => f.write_str(id),
            Self::Character(id) | Self::Storyline(id) | Self::Foreshadowing(_, id) => id.fmt(f),
            Self::Outline(chapter) => write!(f, "outline/{chapter}"),
            Self::Part(volume, line) => write!(f, "schedule/{volume}/{line}"),
            Self::Meeting(volume, from, to) => write!(f, "schedule/{volume}/{from}-{to}"),
            Self::ChapterContract(chapter) => write!(f, "contract/{chapter}"),
            Self::Chapter(chapter) => chapter.fmt(f),
        }
    }
}

#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct ChangedItem {
    pub thing: Item,
    pub how: ChangeKind,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Touched {
    /// A character's contract or a chapter.
    pub thing: Item,
    pub volume: Option<VolumeNo>,
    /// True for an accepted chapter, which nothing rewrites by itself.
    pub written: bool,
    /// The paths from the changes to the thing, both ends included, the shortest first.
    pub paths: Vec<Vec<Item>>,
    /// The contract or the chapter's section has to be written again.
    pub revise: bool,
    /// The chapter's derived contract is different now.
    pub derive: bool,
    /// The contract that would be derived again is the author's own.
    pub own: bool,
    /// The chapter's section asks for other objectives, outcomes or people than before, or stands on another line.
    pub demands: bool,
    /// The contract is the author's own beside a section that asks for something else: the author is asked when the chapter comes.
    pub waits: bool,
}

impl Touched {
    /// True when there is something to do. Things that the author has already adapted are settled.
    pub fn is_open(&self) -> bool {
        self.revise || self.derive
    }

    pub fn chapter(&self) -> Option<ChapterNo> {
        match self.thing {
            Item::Chapter(chapter) => Some(chapter),
            _ => None,
        }
    }
}

/// The changes between two snapshots, and the things that they affect.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Impact {
    pub changes: Vec<ChangedItem>,
    /// Affected contracts of characters by id, then chapters in order.
    pub touched: Vec<Touched>,
}

impl Impact {
    /// Compares the book `before` with `now`, of which `written` chapters are accepted.
    pub fn of(before: &BookSnapshot, now: &BookSnapshot, written: u32) -> Self {
        let changes = changes(before, now);
        let touched = ImpactWalk::all(before, now, written, &changes);
        Self { changes, touched }
    }

    /// True when something waits for a decision.
    pub fn is_open(&self) -> bool {
        self.touched.iter().any(Touched::is_open)
    }
}

fn keyed<T, K>(list: &[T], key: impl Fn(&T) -> K) -> impl Iterator<Item = (K, &T)> {
    list.iter().map(move |entry| (key(entry), entry))
}

/// The new, changed and removed entries by their keys. Entries that share a key by mistake are one group.
fn differing<K: Ord, V: PartialEq>(
    before: impl Iterator<Item = (K, V)>,
    now: impl Iterator<Item = (K, V)>,
) -> Vec<(K, ChangeKind)> {
    let mut before = grouped(before);
    let mut found = Vec::new();
    for (key, values) in grouped(now) {
        match before.remove(&key) {
            None => found.push((key, ChangeKind::Added)),
            Some(old) if old != values => found.push((key, ChangeKind::Changed)),
            Some(_) => {}
        }
    }
    found.extend(before.into_keys().map(|key| (key, ChangeKind::Removed)));
    found
}

fn grouped<K: Ord, V>(entries: impl Iterator<Item = (K, V)>) -> BTreeMap<K, Vec<V>> {
    let mut groups: BTreeMap<K, Vec<V>> = BTreeMap::new();
    entries.for_each(|(key, value)| groups.entry(key).or_default().push(value));
    groups
}

/// All differences between the two snapshots, in the order of [`Item`].
fn changes(before: &BookSnapshot, now: &BookSnapshot) -> Vec<ChangedItem> {
    let rule = |rule: &Rule| rule.id.clone();
    let line = |line: &Storyline| line.id.clone();
    let rules = differing(keyed(&before.rules, rule), keyed(&now.rules, rule));
    let lines = differing(keyed(&before.storylines.lines, line), keyed(&now.storylines.lines, line));
    let mut all: Vec<ChangedItem> = of_people(&before.characters, &now.characters);
    all.extend(rules.into_iter().map(|(id, how)| ChangedItem { thing: Item::Rule(id), how }));
    all.extend(lines.into_iter().map(|(id, how)| ChangedItem { thing: Item::Storyline(id), how }));
    let nothing = Plan::default();
    for volume in before.volumes.keys().chain(now.volumes.keys()).collect::<BTreeSet<_>>() {
        let old = before.volumes.get(volume).map_or(&nothing, |planned| &planned.plan);
        let new = now.volumes.get(volume).map_or(&nothing, |planned| &planned.plan);
        all.extend(of_plan(*volume, old, new));
    }
    all.sort();
    all
}

/// A person who comes or goes is one change, and so is a new name; changed contracts of others are listed apart from the rest.
fn of_people(before: &[Character], now: &[Character]) -> Vec<ChangedItem> {
    let renames = renames(before, now);
    let bare = |person: &Character| {
        let mut bare = Character { contracts: Vec::new(), former_names: Vec::new(), ..person.clone() };
        if let Some((_, was, is)) = renames.iter().find(|(id, ..)| *id == person.id) {
            bare.display_name.clone_from(is);
            bare.aliases.retain(|alias| alias != is && alias != was);
            for text in [&mut bare.profile, &mut bare.speech] {
                *text = text.replace(was, is);
            }
        }
        (person.id.clone(), bare)
    };
    let people = differing(before.iter().map(bare), now.iter().map(bare));
    let mut all: Vec<ChangedItem> =
        people.into_iter().map(|(id, how)| ChangedItem { thing: Item::Character(id), how }).collect();
    let is_listed =
        |id: &Slug, all: &[ChangedItem]| all.iter().any(|change| change.thing == Item::Character(id.clone()));
    for (id, ..) in &renames {
        if !is_listed(id, &all) {
            all.push(ChangedItem { thing: Item::Character(id.clone()), how: ChangeKind::Renamed });
        }
    }
    let has = |people: &[Character], id: &Slug| people.iter().any(|person| person.id == *id);
    let contracts = differing(contracts(before), contracts(now)).into_iter();
    let contracts = contracts.filter(|((owner, _), _)| has(before, owner) && has(now, owner));
    all.extend(
        contracts.map(|((owner, id), how)| ChangedItem {
            thing: Item::CharacterContract(owner.clone(), id.to_owned()),
            how,
        }),
    );
    all
}

/// The contracts of people, by person and id.
fn contracts(people: &[Character]) -> impl Iterator<Item = ((&Slug, &str), &CharacterContract)> {
    people.iter().flat_map(|person| person.contracts.iter().map(|own| ((&person.id, own.id.as_str()), own)))
}

fn of_plan(volume: VolumeNo, before: &Plan, now: &Plan) -> Vec<ChangedItem> {
    let mut all = Vec::new();
    let mut note = |thing: Item, how: ChangeKind| all.push(ChangedItem { thing, how });
    let source = |section: &Section| (section.chapter, section.source.clone());
    for (chapter, how) in differing(before.outline.sections.iter().map(source), now.outline.sections.iter().map(source))
    {
        note(Item::Outline(chapter), how);
    }
    let id = |planned: &ThreadPlan| planned.id.clone();
    for (id, how) in differing(keyed(&before.foreshadowing, id), keyed(&now.foreshadowing, id)) {
        note(Item::Foreshadowing(volume, id), how);
    }
    let part = |line: &ScheduledLine| line.storyline.clone();
    for (line, how) in differing(keyed(parts(before), part), keyed(parts(now), part)) {
        note(Item::Part(volume, line), how);
    }
    let range = |meeting: &Convergence| meeting.chapters;
    for ((from, to), how) in differing(keyed(meetings(before), range), keyed(meetings(now), range)) {
        note(Item::Meeting(volume, from, to), how);
    }
    let same = |chapter: &ChapterNo| {
        let both = before.contracts.get(chapter).zip(now.contracts.get(chapter));
        both.is_some_and(|(before, now)| before.asks_the_same(now))
    };
    let contracts = differing(before.contracts.iter(), now.contracts.iter()).into_iter();
    let contracts = contracts.filter(|(chapter, _)| !same(chapter));
    contracts.for_each(|(chapter, how)| note(Item::ChapterContract(*chapter), how));
    all
}

fn parts(plan: &Plan) -> &[ScheduledLine] {
    plan.schedule.as_ref().map_or(&[], |schedule| &schedule.active)
}

fn meetings(plan: &Plan) -> &[Convergence] {
    plan.schedule.as_ref().map_or(&[], |schedule| &schedule.convergences)
}

/// A new name that leaves open whom a text means, because another person is concerned too.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NameClash {
    pub id: Slug,
    pub was: String,
    pub is: String,
    /// The other person.
    pub by: Slug,
    /// The other one's new name; `None` for a person who has had the name in question all along.
    pub by_is: Option<String>,
}

/// The people who have another name now, each with the old and the new one.
pub fn renames(before: &[Character], now: &[Character]) -> Vec<(Slug, String, String)> {
    let rename = |person: &Character| {
        let mut names = before.iter().filter(|was| was.id == person.id).map(|was| &was.display_name);
        // Of two files of one id by mistake, one may have kept its name.
        let was = names.clone().next().filter(|_| !names.any(|was| *was == person.display_name))?;
        Some((person.id.clone(), was.clone(), person.display_name.clone()))
    };
    now.iter().filter_map(rename).collect()
}

/// The clash of one of these renames: another person has the new name, or names were exchanged or handed on.
pub fn clash(
    (id, was, is): &(Slug, String, String),
    all: &[(Slug, String, String)],
    people: &[Character],
) -> Option<NameClash> {
    let exchanged = all.iter().find(|(other, before, now)| other != id && (now == was || before == is));
    let holds = |other: &&Character| other.id != *id && other.has_name(is);
    let by = match exchanged {
        Some((other, _, now)) => (other.clone(), Some(now.clone())),
        None => (people.iter().find(holds)?.id.clone(), None),
    };
    Some(NameClash { id: id.clone(), was: was.clone(), is: is.clone(), by: by.0, by_is: by.1 })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::volume::foreshadowing::Scope;
    use crate::domain::volume::outline::Outline;
    use crate::domain::world::contract::Strength;
    use crate::domain::world::storyline::{Reach, Schedule, Status, VolumeRole};
    use proptest::prelude::*;

    fn slug(text: &str) -> Slug {
        Slug::new(text).unwrap()
    }

    fn at(n: u32) -> ChapterNo {
        ChapterNo::new(n).unwrap()
    }

    fn rule(id: &str, text: &str) -> Rule {
        Rule {
            id: id.into(),
            category: String::new(),
            rule: text.into(),
            strength: Strength::Hard,
            exceptions: vec![],
            introduced_chapter: 0,
            last_verified: None,
        }
    }

    const LINES: [&str; 8] = ["main-arc", "side", "main-arc", "main-arc", "side", "main-arc", "side", "main-arc"];
    const PEOPLE: [&str; 8] = ["沈渡", "罗守拙", "沈渡", "阿七", "罗守拙", "阿七", "罗守拙", "沈渡"];

    fn section(n: u32) -> String {
        let (line, who) = (LINES[n as usize - 1], PEOPLE[n as usize - 1]);
        let task = if n == 2 { "埋设 lamp：灯" } else { "无" };
        format!(
            "## 第{n}章 题{n}\n\n- 故事线: {line}\n- 视角: {who}\n- 地点: 渡口{n}\n- 冲突: 争{n}\n- 人物弧光: 无\n- 伏笔: {task}\n\
             - 状态变化: 事{n}甲；事{n}乙\n\n"
        )
    }

    /// Eight chapters on two lines, two of them written; W-002 is named by a contract of 罗守拙, and W-001 in chapter 6.
    fn book() -> BookSnapshot {
        let outline: String = (1..=8).map(section).collect();
        let outline = Outline::parse(&outline.replace("争6", "争6，守着 W-001")).unwrap();
        let part = |line: &str| ScheduledLine {
            storyline: slug(line),
            role: VolumeRole::Primary,
            target_chapters: 4,
            goal: String::new(),
        };
        let schedule = Schedule {
            volume: VolumeNo::FIRST,
            theme: String::new(),
            active: vec![part("main-arc"), part("side")],
            interleaving: None,
            convergences: vec![],
            dormant: vec![],
            closing: false,
            newly_activated: Vec::new(),
        };
        let lamp = ThreadPlan {
            id: slug("lamp"),
            description: "灯".into(),
            scope: Scope::Short,
            storyline: slug("side"),
            plant: Some(at(2)),
            advance: vec![4],
            target: Some((5, 8)),
        };
        let line = |id: &str| Storyline {
            id: slug(id),
            name: id.into(),
            kind: "main_arc".into(),
            reach: Reach::Novel,
            status: Status::Active,
            pov_characters: vec![],
            factions: vec![],
            timeline: String::new(),
            description: String::new(),
            introduced: None,
        };
        let mut picture = BookSnapshot {
            rules: vec![rule("W-001", "船不夜行"), rule("W-002", "票不过夜"), rule("W-003", "谁也不提")],
            characters: vec![
                Character::sample("a-qi", "阿七", &[("C-AQI-001", "会水")]),
                Character::sample("luo", "罗守拙", &[("C-LUO-001", "只收当日的票（W-002）"), ("C-LUO-002", "不赊账")]),
                Character::sample("shen-du", "沈渡", &[]),
            ],
            storylines: Storylines { lines: vec![line("main-arc"), line("side")], relations: vec![] },
            volumes: BTreeMap::new(),
        };
        let plan = Plan { outline, schedule: Some(schedule), foreshadowing: vec![lamp], ..Plan::default() };
        picture.volumes.insert(VolumeNo::FIRST, PlannedVolume { plan, basis: Some(PlanBasis::default()) });
        let picture = on_its_ground(picture);
        with_contracts(picture)
    }

    fn on_its_ground(mut picture: BookSnapshot) -> BookSnapshot {
        let basis = PlanBasis {
            first: 1,
            characters: picture.characters.clone(),
            rules: picture.rules.iter().map(|rule| rule.id.clone()).collect(),
            written: 2,
            ..PlanBasis::default()
        };
        picture.volumes.values_mut().for_each(|volume| volume.basis = Some(basis.clone()));
        picture
    }

    fn with_contracts(mut picture: BookSnapshot) -> BookSnapshot {
        picture.volumes.values_mut().for_each(|volume| volume.plan.contracts = volume.derived());
        picture
    }

    fn plan(picture: &mut BookSnapshot) -> &mut Plan {
        &mut picture.volumes.get_mut(&VolumeNo::FIRST).unwrap().plan
    }

    fn retold(picture: &mut BookSnapshot, from: &str, to: &str) {
        let plan = plan(picture);
        let text: String = plan.outline.sections.iter().map(|section| format!("{}\n\n", section.source)).collect();
        assert!(text.contains(from));
        plan.outline = Outline::parse(&text.replacen(from, to, 1)).unwrap();
    }

    /// The first path of everything that is touched, with what is to be done about it.
    fn shown(change: impl Fn(&mut BookSnapshot)) -> Vec<String> {
        let before = book();
        let mut now = before.clone();
        change(&mut now);
        let impact = Impact::of(&before, &on_its_ground(now), 2);
        let path = |touched: &Touched| {
            let names: Vec<String> = touched.paths[0].iter().map(ToString::to_string).collect();
            let marks = [(touched.written, "written"), (touched.revise, "revise"), (touched.derive, "derive")];
            let marks: Vec<&str> = marks.iter().filter(|(is, _)| *is).map(|(_, mark)| *mark).collect();
            format!("{}: {}", names.join(" → "), marks.join(" "))
        };
        impact.touched.iter().map(path).collect()
    }

    #[test]
    fn a_rule_goes_over_contracts_and_people_to_the_chapters_and_no_further() {
        let found = shown(|book| book.rules[1].rule = "票可过夜".into());
        assert_eq!(
            found,
            [
                "W-002 → C-LUO-001: revise",
                "W-002 → C-LUO-001 → luo → ch-002: written",
                "W-002 → C-LUO-001 → luo → ch-005: revise",
                "W-002 → C-LUO-001 → luo → ch-007: revise",
            ]
        );
        assert_eq!(shown(|book| book.rules[0].rule = "船可夜行".into()), ["W-001 → ch-006: revise"]);
        assert_eq!(shown(|book| book.rules[2].rule = "谁都能提".into()), Vec::<String>::new());
        assert_eq!(shown(|book| book.rules.push(rule("W-004", "新的"))), Vec::<String>::new());
        // A rule that has gone leaves the contract of the chapter that names it without it.
        assert_eq!(shown(|book| drop(book.rules.remove(0))), ["W-001 → ch-006: revise derive"]);
        // A contract that has been changed already needs no further change.
        let own = shown(|book| {
            book.rules[1].rule = "票可过夜".into();
            book.characters[1].contracts[0].rule = "收隔夜的票（W-002）".into();
        });
        assert_eq!(own.len(), 3);
        assert!(own.iter().all(|path| path.contains("C-LUO-001 → luo → ch-")), "{own:?}");
    }

    #[test]
    fn a_contract_touches_the_chapters_in_which_it_holds() {
        let found = shown(|book| book.characters[0].contracts[0].rule = "不会水".into());
        assert_eq!(found, ["C-AQI-001 → a-qi → ch-004: revise", "C-AQI-001 → a-qi → ch-006: revise"]);
        let ended = shown(|book| {
            book.characters[1].contracts[1].valid_from = 6;
            book.characters[1].contracts[1].valid_until = Some(6);
        });
        assert_eq!(ended.len(), 3, "it held in all of his chapters before: {ended:?}");
        let later = shown(|book| {
            let mut new = book.characters[1].contracts[1].clone();
            (new.id, new.valid_from) = ("C-LUO-003".into(), 6);
            book.characters[1].contracts.push(new);
        });
        assert_eq!(later, ["C-LUO-003 → luo → ch-007: revise derive"]);
        let renamed = shown(|book| book.characters[0].display_name = "阿七娘".into());
        assert_eq!(renamed, ["a-qi → ch-004: derive", "a-qi → ch-006: derive"], "the plan has the old name");
        let known = shown(|book| {
            book.characters[0].rename("阿七娘");
        });
        assert_eq!(known, Vec::<String>::new(), "the old name is known");
        let retold = shown(|book| {
            book.characters[0].rename("阿七娘");
            book.characters[0].profile = "另一个人".into();
        });
        assert_eq!(retold, ["a-qi → ch-004: revise", "a-qi → ch-006: revise"], "more than the name");
    }

    #[test]
    fn a_section_touches_the_contracts_that_follow_differently() {
        let facts = shown(|book| retold(book, "事4甲", "事四另说"));
        assert_eq!(facts, ["outline/ch-004 → ch-004: derive", "outline/ch-004 → ch-006: derive"]);
        // The contract before leads over to the next chapter's place.
        let place = shown(|book| retold(book, "渡口5", "城里"));
        assert_eq!(place, ["outline/ch-005 → ch-004: derive"]);
        assert_eq!(
            shown(|book| retold(book, "- 视角: 阿七\n- 地点: 渡口4", "- 视角: 阿七\n- 地点: 桥头")),
            Vec::<String>::new()
        );
        let line = shown(|book| {
            retold(book, "故事线: main-arc\n- 视角: 阿七\n- 地点: 渡口6", "故事线: side\n- 视角: 阿七\n- 地点: 渡口6")
        });
        let ends: Vec<&str> = line.iter().map(|path| path.split(" → ").nth(1).unwrap()).collect();
        assert_eq!(ends, ["ch-005: derive", "ch-006: derive", "ch-007: derive", "ch-008: derive"]);
        let written = shown(|book| retold(book, "争1", "争一"));
        assert_eq!(written, ["outline/ch-001 → ch-001: written"]);
    }

    #[test]
    fn what_the_author_has_changed_to_suit_is_settled() {
        let both = shown(|book| {
            book.rules[0].rule = "船可夜行".into();
            retold(book, "争6，守着 W-001", "争6，按新的 W-001");
        });
        assert_eq!(both, ["W-001 → ch-006: derive"], "its section is the author's, its contract follows");
        let contract = shown(|book| {
            retold(book, "事4甲", "事四另说");
            plan(book).contracts.get_mut(&at(6)).unwrap().acceptance.push("要听见水声".into());
        });
        assert_eq!(contract, ["outline/ch-004 → ch-004: derive", "outline/ch-004 → ch-006: "]);
        let mut before = book();
        plan(&mut before).contracts.get_mut(&at(6)).unwrap().acceptance.push("早就改过".into());
        let mut now = before.clone();
        retold(&mut now, "事4甲", "事四另说");
        let impact = Impact::of(&before, &on_its_ground(now), 2);
        assert_eq!(impact.touched.iter().filter(|touched| touched.derive).count(), 1, "{impact:?}");
    }

    #[test]
    fn foreshadowings_lines_and_meetings_reach_their_chapters() {
        let lamp = shown(|book| plan(book).foreshadowing[0].advance = vec![7]);
        assert_eq!(lamp, ["lamp → ch-002: written", "lamp → ch-004: revise", "lamp → ch-007: revise"]);
        let line = shown(|book| book.storylines.lines[1].description = "另一回事".into());
        assert_eq!(line.len(), 3, "{line:?}");
        let part = shown(|book| plan(book).schedule.as_mut().unwrap().active[1].goal = "另一处".into());
        assert_eq!(part[1], "schedule/vol-01/side → ch-005: revise");
        let meeting = shown(|book| {
            let meeting = Convergence {
                chapters: (5, 6),
                lines: vec![slug("main-arc"), slug("side")],
                trigger: String::new(),
                aftermath: String::new(),
            };
            plan(book).schedule.as_mut().unwrap().convergences.push(meeting);
        });
        assert_eq!(
            meeting[..2],
            ["schedule/vol-01/5-6 → ch-005: revise derive", "schedule/vol-01/5-6 → ch-006: revise derive"]
        );
        assert_eq!(meeting[2..], ["schedule/vol-01/5-6 → ch-007: derive"], "what they share goes on along both lines");
    }

    #[test]
    fn an_author_s_own_outline_needs_no_contracts() {
        let mut before = book();
        plan(&mut before).contracts.clear();
        let mut now = before.clone();
        retold(&mut now, "事4甲", "事四另说");
        let impact = Impact::of(&before, &on_its_ground(now), 2);
        assert_eq!((impact.changes.len(), impact.touched.len()), (1, 0));
        assert!(!impact.is_open());
    }

    proptest! {
        /// However often an author has used one id: what is as it was has not changed.
        #[test]
        fn a_book_differs_in_nothing_from_itself(twice in prop::collection::vec(0usize..6, 0..8), text in "[甲乙]{1,2}") {
            let mut book = book();
            for part in twice {
                match part {
                    0 => book.rules.push(rule("W-001", &text)),
                    1 => book.characters.push(Character::sample("luo", &text, &[("C-LUO-001", &text)])),
                    2 => {
                        let other = Character::sample("luo", "罗守拙", &[("C-LUO-001", &text)]);
                        book.characters[1].contracts.extend(other.contracts);
                    }
                    3 => {
                        let line = Storyline { name: text.clone(), ..book.storylines.lines[0].clone() };
                        book.storylines.lines.push(line);
                    }
                    4 => {
                        let plan = plan(&mut book);
                        let lamp = ThreadPlan { description: text.clone(), ..plan.foreshadowing[0].clone() };
                        plan.foreshadowing.push(lamp);
                    }
                    _ => {
                        let lines = vec![slug("main-arc"), slug("side")];
                        let meeting =
                            Convergence { chapters: (5, 6), lines, trigger: text.clone(), aftermath: String::new() };
                        plan(&mut book).schedule.as_mut().unwrap().convergences.push(meeting);
                    }
                }
            }
            let book = with_contracts(on_its_ground(book));
            prop_assert_eq!(Impact::of(&book, &book, 2), Impact::default());
        }

        /// For any change: exactly the things that are derived differently are found, each with a way to it.
        #[test]
        fn exactly_the_contracts_that_follow_differently_are_found(
            edits in prop::collection::vec((3u32..=8, prop::sample::select(vec!["甲", "乙", "渡口", "争"])), 0..4),
            met in prop::option::of((3u32..=8, 0u32..3)), gone in any::<bool>(), renamed in any::<bool>(),
        ) {
            let before = book();
            let mut now = before.clone();
            for (chapter, part) in edits {
                let old = if matches!(part, "甲" | "乙") { format!("事{chapter}{part}") } else { format!("{part}{chapter}") };
                if plan(&mut now).outline.sections.iter().any(|section| section.source.contains(&old)) {
                    retold(&mut now, &old, "换了");
                }
            }
            if let Some((from, length)) = met {
                let lines = vec![slug("main-arc"), slug("side")];
                let meeting = Convergence { chapters: (from, from + length), lines, trigger: String::new(), aftermath: String::new() };
                plan(&mut now).schedule.as_mut().unwrap().convergences.push(meeting);
            }
            if gone {
                now.rules.remove(0);
            }
            if renamed {
                now.characters[0].display_name = "某某".into();
            }
            let now = on_its_ground(now);
            let impact = Impact::of(&before, &now, 2);
            let (was, is) = (before.volumes[&VolumeNo::FIRST].derived(), now.volumes[&VolumeNo::FIRST].derived());
            let wanted: Vec<ChapterNo> = (3..=8).map(at).filter(|chapter| was[chapter] != is[chapter]).collect();
            let found: Vec<ChapterNo> = impact.touched.iter().filter(|t| t.derive).filter_map(Touched::chapter).collect();
            prop_assert_eq!(found, wanted);
            for touched in &impact.touched {
                prop_assert!(!touched.paths.is_empty() && touched.paths.iter().all(|path| path.last() == Some(&touched.thing)));
                prop_assert!(touched.paths.iter().all(|path| impact.changes.iter().any(|change| change.thing == path[0])));
            }
            prop_assert_eq!(Impact::of(&now, &now, 2), Impact::default());
        }
    }

    /// The first paths of what is touched when `change` is made to a book that `given` has prepared.
    fn found(given: impl Fn(&mut BookSnapshot), change: impl Fn(&mut BookSnapshot)) -> Vec<String> {
        let mut before = book();
        given(&mut before);
        let mut now = before.clone();
        change(&mut now);
        let touched = Impact::of(&before, &on_its_ground(now), 2).touched;
        let path = |touched: &Touched| {
            let names: Vec<String> = touched.paths[0].iter().map(ToString::to_string).collect();
            let mark = if touched.derive { "derive" } else { "" };
            format!("{}: {mark}", names.join(" → "))
        };
        touched.iter().map(path).collect()
    }

    #[test]
    fn each_contract_that_follows_differently_is_put_down_to_the_change_that_does_it() {
        let two = shown(|book| {
            retold(book, "事4甲", "事四另说");
            retold(book, "事5甲", "事五另说");
        });
        let wanted = [
            "outline/ch-004 → ch-004: derive",
            "outline/ch-005 → ch-005: derive",
            "outline/ch-004 → ch-006: derive",
            "outline/ch-005 → ch-007: derive",
        ];
        assert_eq!(two, wanted);
        let with_meeting = shown(|book| {
            retold(book, "事3甲", "事三另说");
            let lines = vec![slug("main-arc"), slug("side")];
            let meeting = Convergence { chapters: (5, 6), lines, trigger: String::new(), aftermath: String::new() };
            plan(book).schedule.as_mut().unwrap().convergences.push(meeting);
        });
        assert!(with_meeting.contains(&"schedule/vol-01/5-6 → ch-007: derive".to_owned()), "{with_meeting:?}");
    }

    #[test]
    fn a_contract_from_before_rules_and_contexts_were_noted_still_follows_its_outline() {
        let reworded = |book: &mut BookSnapshot| retold(book, "事4甲", "事四另说");
        let of_sixth = |given: &dyn Fn(&mut ChapterContract)| {
            let found = found(|book| given(plan(book).contracts.get_mut(&at(6)).unwrap()), reworded);
            found.contains(&"outline/ch-004 → ch-006: derive".to_owned())
        };
        assert!(of_sixth(&|_| {}));
        assert!(of_sixth(&|contract| contract.context = None));
        assert!(of_sixth(&|contract| contract.rules.clear()));
        assert!(!of_sixth(&|contract| contract.acceptance.push("要听见水声".into())));
        assert!(!of_sixth(&|contract| {
            contract.rules.clear();
            contract.acceptance.push("要听见水声".into());
        }));
    }

    #[test]
    fn a_contract_reaches_chapters_by_their_list_of_people_and_by_their_words() {
        let listed =
            |book: &mut BookSnapshot| plan(book).contracts.get_mut(&at(8)).unwrap().characters.push(slug("a-qi"));
        let bare = |book: &mut BookSnapshot| drop(plan(book).contracts.remove(&at(4)));
        let change = |book: &mut BookSnapshot| book.characters[0].contracts[0].rule = "不会水".into();
        let with_list = found(listed, change);
        assert!(with_list.iter().any(|path| path.starts_with("C-AQI-001 → a-qi → ch-008")), "{with_list:?}");
        let with_words = found(bare, change);
        assert!(with_words.iter().any(|path| path.starts_with("C-AQI-001 → a-qi → ch-004")), "{with_words:?}");
    }

    #[test]
    fn a_written_chapter_that_left_the_outline_is_not_touched_by_that() {
        let gone = shown(|book| drop(plan(book).outline.sections.remove(0)));
        assert!(!gone.iter().any(|path| path.contains("→ ch-001")), "{gone:?}");
    }

    #[test]
    fn a_plot_thread_reaches_its_own_chapters_only() {
        let told = |book: &mut BookSnapshot| {
            retold(book, "伏笔: 无\n- 状态变化: 事6甲", "伏笔: 推进 lamp：亮了\n- 状态变化: 事6甲");
            retold(book, "伏笔: 无\n- 状态变化: 事8甲", "伏笔: 埋设 door：门\n- 状态变化: 事8甲");
        };
        let lamp = found(told, |book| plan(book).foreshadowing[0].description = "冷灯".into());
        let lamp: Vec<&str> = lamp.iter().map(|path| path.split(':').next().unwrap()).collect();
        assert_eq!(lamp, ["lamp → ch-002", "lamp → ch-004", "lamp → ch-006"]);
    }

    #[test]
    fn something_is_to_be_done_about_what_has_to_be_revised_or_follows_differently() {
        let before = book();
        let mut now = before.clone();
        retold(&mut now, "事4甲", "事四另说");
        plan(&mut now).contracts.get_mut(&at(6)).unwrap().acceptance.push("要听见水声".into());
        let impact = Impact::of(&before, &on_its_ground(now), 2);
        let open: Vec<(String, bool)> =
            impact.touched.iter().map(|touched| (touched.thing.to_string(), touched.is_open())).collect();
        assert_eq!(open, [("ch-004".to_owned(), true), ("ch-006".to_owned(), false)]);
        assert!(impact.is_open() && !Impact::default().is_open());
        let mut ruled = before.clone();
        ruled.rules[0].rule = "船可夜行".into();
        assert!(Impact::of(&before, &on_its_ground(ruled), 2).touched.iter().all(Touched::is_open));
    }

    #[test]
    fn names_that_are_shared_or_exchanged_clash() {
        let now = |names: [&str; 3]| {
            let ids = ["a", "b", "c"].into_iter().zip(names);
            ids.map(|(id, name)| Character::sample(id, name, &[])).collect::<Vec<_>>()
        };
        let before = now(["甲", "乙", "丙"]);
        for (names, clashes) in [
            (["丁", "乙", "丙"], vec![]),
            (["丁", "戊", "丙"], vec![]),
            (["乙", "乙", "丙"], vec![("a", "b", None)]),
            (["乙", "甲", "丙"], vec![("a", "b", Some("甲")), ("b", "a", Some("乙"))]),
            (["丁", "甲", "丙"], vec![("a", "b", Some("甲")), ("b", "a", Some("丁"))]),
        ] {
            let people = now(names);
            let all = renames(&before, &people);
            let found: Vec<_> = all.iter().filter_map(|rename| clash(rename, &all, &people)).collect();
            let found: Vec<_> =
                found.iter().map(|found| (found.id.as_str(), found.by.as_str(), found.by_is.as_deref())).collect();
            assert_eq!(found, clashes, "{names:?}");
        }
    }
}
