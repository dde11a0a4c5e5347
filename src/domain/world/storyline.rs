//! Storylines: parallel lines of the book, their schedule in a volume, and their memories.

use crate::domain::id::{Reference, called};
use crate::domain::notation::{BadText, or_default};
use crate::domain::prelude::*;
use crate::domain::volume::outline::{MAIN_LINE_NAME, ids_only};
use crate::domain::world::character::Character;
use serde::{Deserializer, Serializer};

/// The longest memory of one storyline, in characters (product document §6.6.7).
pub const MAX_MEMORY: usize = 500;
/// More lines than this at once, and models confuse them (product document §6.6).
pub const MAX_ACTIVE: usize = 4;

named! {
    pub enum Reach {
        Novel = "novel",
        MultiVolume = "multi_volume",
        SingleVolume = "single_volume",
    }
}

named! {
    pub enum Status {
        Active = "active",
        /// Resting; chapters may only hint at the line.
        Dormant = "dormant",
        Planned = "planned",
        Ended = "ended",
    }
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Storyline {
    pub id: Slug,
    pub name: String,
    /// `main_arc`, `faction_conflict`, `conspiracy`, `mystery`, `character_arc`, `parallel_timeline`, or the author's.
    #[serde(rename = "type")]
    pub kind: String,
    #[serde(rename = "scope")]
    pub reach: Reach,
    pub status: Status,
    /// The people through whose eyes the line is told; may be empty.
    #[serde(default)]
    pub pov_characters: Vec<String>,
    /// The groups that the line belongs to.
    #[serde(default, rename = "affiliated_factions")]
    pub factions: Vec<String>,
    /// `present`, `past`, …
    #[serde(default)]
    pub timeline: String,
    /// The first volume with the line; `None` while no plan has it.
    #[serde(rename = "introduced_volume", skip_serializing_if = "Option::is_none")]
    pub introduced: Option<VolumeNo>,
    #[serde(default)]
    pub description: String,
}

/// Kinds of storylines that the planner knows (product document §6.6.1). An author may use others.
pub const KINDS: [&str; 6] =
    ["main_arc", "faction_conflict", "conspiracy", "mystery", "character_arc", "parallel_timeline"];

impl Storyline {
    /// True when the person's own file names the line, or the line is told from the person's point of view.
    pub fn includes(&self, person: &Character) -> bool {
        person.storylines.contains(&self.id) || self.pov_characters.iter().any(|name| person.is_called(name))
    }
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Relation {
    pub from: Slug,
    pub to: Slug,
    /// `entangled`, `mirror`, …
    #[serde(default, rename = "type")]
    pub kind: String,
    #[serde(default)]
    pub bridges: Bridges,
    #[serde(default, rename = "convergence_condition")]
    pub convergence: String,
    /// The meaning of the crossover for the story.
    #[serde(default, rename = "narrative_function")]
    pub function: String,
}

/// Things that two lines share.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Bridges {
    pub shared_characters: Vec<String>,
    pub shared_foreshadowing: Vec<String>,
    /// Events told on both lines: planned crossovers.
    pub shared_events: Vec<String>,
}

#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Storylines {
    pub lines: Vec<Storyline>,
    pub relations: Vec<Relation>,
}

impl Storylines {
    /// Notes a volume's schedule: its lines are running now, the first volume with a line introduces it, and a
    /// crossover becomes a shared event.
    pub fn take_up(&mut self, schedule: &Schedule) {
        for scheduled in &schedule.active {
            let Some(line) = self.lines.iter_mut().find(|line| line.id == scheduled.storyline) else { continue };
            if matches!(line.status, Status::Planned | Status::Dormant) {
                line.status = Status::Active;
            }
            line.introduced.get_or_insert(schedule.volume);
        }
        for meeting in schedule.convergences.iter().filter(|meeting| !meeting.trigger.trim().is_empty()) {
            for relation in &mut self.relations {
                let both = meeting.lines.contains(&relation.from) && meeting.lines.contains(&relation.to);
                if both && !relation.bridges.shared_events.contains(&meeting.trigger) {
                    relation.bridges.shared_events.push(meeting.trigger.clone());
                }
            }
        }
    }

    /// Relates the lines that are to meet in a volume and that no relation joins yet.
    pub fn relate(&mut self, schedule: &Schedule, people: &[Character]) {
        for meeting in &schedule.convergences {
            let [to, others @ ..] = &meeting.lines[..] else { continue };
            for from in others.iter().filter(|from| *from != to) {
                let joins =
                    |relation: &Relation| [&relation.from, &relation.to].iter().all(|id| [from, to].contains(id));
                let is_known = self.get(from).is_some() && self.get(to).is_some();
                if !is_known || self.relations.iter().any(joins) {
                    continue;
                }
                let shared = people.iter().filter(|person| self.has_on(from, person) && self.has_on(to, person));
                let shared = shared.map(|person| person.display_name.clone()).collect();
                self.relations.push(Relation {
                    from: from.clone(),
                    to: to.clone(),
                    kind: "entangled".to_owned(),
                    bridges: Bridges { shared_characters: shared, ..Bridges::default() },
                    convergence: meeting.trigger.clone(),
                    function: meeting.aftermath.clone(),
                });
            }
        }
    }

    pub fn get(&self, id: &Slug) -> Option<&Storyline> {
        self.lines.iter().find(|line| line.id == *id)
    }

    /// True when the person belongs to the line `id`, whether or not the book defines that line.
    pub fn has_on(&self, id: &Slug, person: &Character) -> bool {
        self.get(id).map_or_else(|| person.storylines.contains(id), |line| line.includes(person))
    }

    /// The first line of the person, if any.
    pub fn home_of<'a>(&'a self, person: &'a Character) -> Option<&'a Slug> {
        let told = || self.lines.iter().find(|line| line.includes(person)).map(|line| &line.id);
        person.storylines.first().or_else(told)
    }

    /// The main line: the first of the kind `main_arc`, or the first of all.
    pub fn main(&self) -> Option<&Storyline> {
        self.lines.iter().find(|line| line.kind == "main_arc").or_else(|| self.lines.first())
    }

    /// The id of the line that an outline calls by name, by id, or as `主线`.
    pub fn called(&self, name: &str) -> Option<Slug> {
        match self.reference(name).first() {
            Some(line) => Some(line.id.clone()),
            None if name == MAIN_LINE_NAME => ids_only(name),
            None => None,
        }
    }

    /// The line called by id, by name, or as `主线`.
    pub fn reference(&self, name: &str) -> Reference<&Storyline> {
        let things = self.lines.iter().map(|line| (line, line.id.as_str(), vec![line.name.as_str()]));
        match (called(name, things), self.main()) {
            (Reference::Nothing, Some(main)) if name.trim() == MAIN_LINE_NAME => Reference::One(main),
            (reference, _) => reference,
        }
    }
}

named! {
    pub enum VolumeRole {
        /// Carries the volume.
        Primary = "primary",
        /// Woven in.
        Secondary = "secondary",
        /// A touch here and there.
        Seasoning = "seasoning",
    }
}

/// A line's part in a volume.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ScheduledLine {
    #[serde(rename = "storyline_id")]
    pub storyline: Slug,
    #[serde(rename = "volume_role")]
    pub role: VolumeRole,
    /// The intended number of chapters; 0 where the plan does not say.
    #[serde(default)]
    pub target_chapters: u32,
    #[serde(default, rename = "arc_goal")]
    pub goal: String,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Convergence {
    /// First and last possible chapter.
    #[serde(rename = "chapter_range")]
    pub chapters: (u32, u32),
    #[serde(rename = "involved_storylines", deserialize_with = "or_default")]
    pub lines: Vec<Slug>,
    /// The event that brings the lines together.
    #[serde(default)]
    pub trigger: String,
    #[serde(default)]
    pub aftermath: String,
}

impl Convergence {
    /// True when at least two of the lines occur inside the planned chapters. `seen` names the lines that a chapter is
    /// on or speaks of.
    pub fn has_met<'a>(&self, seen: impl IntoIterator<Item = (ChapterNo, &'a str)>) -> bool {
        let (from, to) = self.chapters;
        let inside = seen.into_iter().filter(|(chapter, _)| (from..=to).contains(&chapter.get()));
        let seen: BTreeSet<&str> = inside.map(|(_, line)| line).collect();
        self.lines.iter().filter(|line| seen.contains(line.as_str())).count() >= 2
    }
}

/// The rhythm in which a volume's lines alternate, as advice for the planner.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Interleaving {
    /// `primary_dominant` or the author's word.
    pub strategy: String,
    /// The most chapters in a row on the primary line.
    pub primary_max_consecutive: Option<u32>,
    /// The most chapters in a row without a given secondary line.
    #[serde(rename = "secondary_min_appearance", with = "every")]
    pub secondary_every: Option<u32>,
    /// The place of seasoning lines: one of [`SEASONING`], or the author's words.
    #[serde(rename = "seasoning_placement")]
    pub seasoning: String,
}

/// `every_8_chapters`, as the product document writes it; a plain number is read too.
mod every {
    use super::{BadText, Deserialize, Deserializer, Serializer, Value};

    pub(super) fn serialize<S: Serializer>(value: &Option<u32>, to: S) -> Result<S::Ok, S::Error> {
        match value {
            Some(chapters) => to.collect_str(&format_args!("every_{chapters}_chapters")),
            None => to.serialize_none(),
        }
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Option<u32>, D::Error> {
        let words = match Option::<Value>::deserialize(from)? {
            None | Some(Value::Null) => return Ok(None),
            Some(Value::Number(number)) => number.to_string(),
            Some(Value::String(words)) => words,
            Some(other) => return Err(BadText::Interval(other.to_string()).error()),
        };
        let digits: String = words.chars().filter(char::is_ascii_digit).collect();
        digits.parse().map(Some).map_err(|_| BadText::Interval(words).error())
    }
}

/// Places of seasoning lines in a volume, with their meanings.
pub const SEASONING: [(&str, &str); 4] = [
    ("spread", "匀开在全卷"),
    ("mid_volume", "放在卷中"),
    ("climax", "放在高潮前后"),
    ("mid_volume_and_climax", "放在卷中和高潮前后"),
];

impl Interleaving {
    /// The place of seasoning lines in words; may be empty.
    pub fn seasoning_in_words(&self) -> &str {
        let known = SEASONING.iter().find(|(name, _)| *name == self.seasoning);
        known.map_or(self.seasoning.as_str(), |(_, words)| words)
    }
}

/// How a volume interleaves its lines.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Schedule {
    pub volume: VolumeNo,
    #[serde(default, rename = "volume_theme")]
    pub theme: String,
    #[serde(rename = "active_storylines")]
    pub active: Vec<ScheduledLine>,
    #[serde(rename = "interleaving_pattern", skip_serializing_if = "Option::is_none")]
    pub interleaving: Option<Interleaving>,
    #[serde(default, rename = "convergence_events")]
    pub convergences: Vec<Convergence>,
    /// The resting lines.
    #[serde(default, rename = "dormant_storylines", deserialize_with = "or_default")]
    pub dormant: Vec<Slug>,
    /// Running lines that were planned or resting before this volume.
    #[serde(default, deserialize_with = "or_default")]
    pub newly_activated: Vec<Slug>,
    /// True when the book ends with this volume.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub closing: bool,
}

impl Schedule {
    /// The default schedule: every running line takes part, the first as the primary one.
    pub fn of_running(volume: VolumeNo, storylines: &Storylines) -> Self {
        let (running, resting): (Vec<&Storyline>, Vec<&Storyline>) =
            storylines.lines.iter().partition(|line| line.status == Status::Active);
        let active = running.into_iter().enumerate().map(|(at, line)| ScheduledLine {
            storyline: line.id.clone(),
            role: if at == 0 { VolumeRole::Primary } else { VolumeRole::Secondary },
            target_chapters: 0,
            goal: String::new(),
        });
        Self {
            volume,
            theme: String::new(),
            active: active.collect(),
            interleaving: None,
            convergences: Vec::new(),
            dormant: resting.into_iter().map(|line| line.id.clone()).collect(),
            closing: false,
            newly_activated: Vec::new(),
        }
    }

    /// Running lines that are not running in `before`, because the volume wakes or begins them. The main line of a
    /// first volume is not counted.
    pub fn activated(&self, before: &Storylines) -> Vec<Slug> {
        let rested =
            |id: &&Slug| before.get(id).is_none_or(|line| matches!(line.status, Status::Planned | Status::Dormant));
        self.active.iter().map(|line| &line.storyline).filter(rested).cloned().collect()
    }

    /// The crossover planned around that chapter.
    pub fn convergence_at(&self, chapter: ChapterNo) -> Option<&Convergence> {
        self.convergences.iter().find(|c| (c.chapters.0..=c.chapters.1).contains(&chapter.get()))
    }

    /// The schedule for `chapters` chapters from `first` on. Lines keep their proportions and at least one chapter
    /// each; without target numbers none is set. Crossovers end with the volume; later ones are dropped.
    pub fn fitted(&self, first: u32, chapters: u32) -> Self {
        let last = (first + chapters).saturating_sub(1);
        let meetings = self.convergences.iter().filter(|meeting| meeting.chapters.0 <= last);
        let convergences = meetings
            .map(|meeting| Convergence {
                chapters: (meeting.chapters.0, meeting.chapters.1.min(last)),
                ..meeting.clone()
            })
            .collect();
        let targets: Vec<u32> = self.active.iter().map(|line| line.target_chapters).collect();
        let active = self.active.iter().zip(shares(&targets, chapters));
        let active = active.map(|(line, share)| ScheduledLine { target_chapters: share, ..line.clone() }).collect();
        Self { active, convergences, ..self.clone() }
    }
}

/// Numbers in the proportions of `parts` that add up to `whole`, at least 1 for each part above 0 if possible. The
/// largest remainders are rounded up, the earlier part first.
fn shares(parts: &[u32], whole: u32) -> Vec<u32> {
    let sum: u64 = parts.iter().copied().map(u64::from).sum();
    if sum == 0 || sum == u64::from(whole) {
        return parts.to_vec();
    }
    let exact = |part: u32| u64::from(part) * u64::from(whole);
    let mut shares: Vec<u32> =
        parts.iter().map(|part| u32::try_from(exact(*part) / sum).unwrap_or(u32::MAX).max((*part).min(1))).collect();
    let mut order: Vec<usize> = (0..parts.len()).filter(|at| parts[*at] > 0).collect();
    order.sort_by_key(|at| std::cmp::Reverse(exact(parts[*at]) % sum));
    let given: u32 = shares.iter().sum();
    let missing = whole.saturating_sub(given) as usize;
    order.iter().take(missing).for_each(|at| shares[*at] += 1);
    // Lines that got their minimum of one chapter take it from the largest.
    for _ in whole..given {
        if let Some(most) = shares.iter_mut().max_by_key(|share| **share).filter(|share| **share > 1) {
            *most -= 1;
        }
    }
    shares
}

/// Cuts a storyline's memory to [`MAX_MEMORY`] characters, at the end of a sentence if possible.
pub fn clip_memory(text: &str) -> String {
    let text = text.trim();
    if text.chars().count() <= MAX_MEMORY {
        return text.to_owned();
    }
    let clipped: String = text.chars().take(MAX_MEMORY).collect();
    let end = clipped.rfind(['。', '！', '？', '\n', '；']).map(|at| {
        let mark = clipped[at..].chars().next().map_or(0, char::len_utf8);
        at + mark
    });
    match end {
        Some(end) if end > clipped.len() / 2 => clipped[..end].trim_end().to_owned(),
        _ => clipped,
    }
}

/// The lines beside `own` that a chapter may touch, each once: those that it meets, and that of the next chapter.
pub fn adjacent_lines<'a>(own: &Slug, meeting: Option<&'a Convergence>, next: Option<&'a Slug>) -> Vec<&'a Slug> {
    let mut lines: Vec<&Slug> = Vec::new();
    for id in meeting.into_iter().flat_map(|meeting| &meeting.lines).chain(next) {
        if id != own && !lines.contains(&id) {
            lines.push(id);
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_memory_ends_with_a_whole_sentence() {
        let long = "陆尘在城北拾到半枚铜符。".repeat(60);
        let kept = clip_memory(&long);
        assert!(kept.chars().count() <= MAX_MEMORY && kept.ends_with('。'), "{kept}");
        assert_eq!(clip_memory("  短。 "), "短。");
        assert_eq!(clip_memory(&"字".repeat(900)).chars().count(), MAX_MEMORY);
    }

    fn storyline(id: &str, kind: &str, status: Status) -> Storyline {
        Storyline {
            id: Slug::new(id).unwrap(),
            name: id.to_owned(),
            kind: kind.to_owned(),
            reach: Reach::Novel,
            status,
            pov_characters: Vec::new(),
            factions: Vec::new(),
            timeline: String::new(),
            description: String::new(),
            introduced: None,
        }
    }

    #[test]
    fn the_main_line_is_the_one_of_its_kind_or_the_first() {
        let side = storyline("side", "mystery", Status::Active);
        let lines = |lines: &[Storyline]| Storylines { lines: lines.to_vec(), relations: Vec::new() };
        let both = lines(&[side.clone(), storyline("main", "main_arc", Status::Active)]);
        assert_eq!(both.main().map(|line| line.id.as_str()), Some("main"));
        assert_eq!(lines(&[side]).main().map(|line| line.id.as_str()), Some("side"));
        assert_eq!(lines(&[]).main(), None);
    }

    #[test]
    fn a_schedule_starts_its_lines_and_notes_each_meeting_once() {
        let slug = |id: &str| Slug::new(id).unwrap();
        let relation = |from: &str, to: &str| Relation {
            from: slug(from),
            to: slug(to),
            kind: String::new(),
            bridges: Bridges::default(),
            convergence: String::new(),
            function: String::new(),
        };
        let mut book = Storylines {
            lines: vec![storyline("a", "main_arc", Status::Planned), storyline("b", "mystery", Status::Ended)],
            relations: vec![relation("a", "b"), relation("a", "c")],
        };
        let mut schedule = Schedule::of_running(VolumeNo::FIRST, &book);
        let active = |id: &str| ScheduledLine {
            storyline: slug(id),
            role: VolumeRole::Primary,
            target_chapters: 3,
            goal: String::new(),
        };
        schedule.active = vec![active("a"), active("b"), active("gone")];
        let meeting = |trigger: &str| Convergence {
            chapters: (2, 3),
            lines: vec![slug("a"), slug("b")],
            trigger: trigger.to_owned(),
            aftermath: String::new(),
        };
        schedule.convergences = vec![meeting("渡口失火"), meeting(" ")];
        book.take_up(&schedule);
        book.take_up(&schedule);
        assert_eq!((book.lines[0].status, book.lines[1].status), (Status::Active, Status::Ended));
        assert!(book.lines.iter().all(|line| line.introduced == Some(VolumeNo::FIRST)));
        assert_eq!(book.relations[0].bridges.shared_events, ["渡口失火"]);
        assert_eq!(book.relations[1].bridges.shared_events, Vec::<String>::new());
    }

    #[test]
    fn lines_that_are_to_meet_are_related_once() {
        let slug = |id: &str| Slug::new(id).unwrap();
        let lines = ["a", "b", "c"].map(|id| storyline(id, "mystery", Status::Active));
        let mut book = Storylines { lines: lines.to_vec(), relations: Vec::new() };
        let mut schedule = Schedule::of_running(VolumeNo::FIRST, &book);
        let meeting = |ids: &[&str], trigger: &str| Convergence {
            chapters: (2, 3),
            lines: ids.iter().map(|id| slug(id)).collect(),
            trigger: trigger.to_owned(),
            aftermath: "各执一半".to_owned(),
        };
        schedule.convergences = vec![meeting(&["a", "b", "gone"], "渡口失火"), meeting(&["b", "a", "c"], "灯灭")];
        book.relate(&schedule, &[]);
        book.relate(&schedule, &[]);
        let related: Vec<_> = book.relations.iter().map(|it| (it.from.as_str(), it.to.as_str())).collect();
        assert_eq!(related, [("b", "a"), ("c", "b")]);
        assert_eq!((&*book.relations[0].convergence, &*book.relations[0].function), ("渡口失火", "各执一半"));
    }

    #[test]
    fn the_lines_beside_a_chapter_s_own_are_named_once() {
        let slug = |id: &str| Slug::new(id).unwrap();
        let (own, side, third) = (slug("main-arc"), slug("side"), slug("third"));
        let lines = vec![own.clone(), side.clone(), third.clone()];
        let meeting = Convergence { chapters: (1, 2), lines, trigger: String::new(), aftermath: String::new() };
        assert_eq!(adjacent_lines(&own, Some(&meeting), Some(&side)), [&side, &third]);
        assert_eq!(adjacent_lines(&own, None, Some(&third)), [&third]);
        assert_eq!(adjacent_lines(&own, None, Some(&own)), Vec::<&Slug>::new());
    }

    #[test]
    fn a_schedule_follows_the_number_of_chapters() {
        let line = |id: &str, target_chapters| ScheduledLine {
            storyline: Slug::new(id).unwrap(),
            role: VolumeRole::Primary,
            target_chapters,
            goal: String::new(),
        };
        let meeting =
            |chapters| Convergence { chapters, lines: Vec::new(), trigger: String::new(), aftermath: String::new() };
        let schedule = Schedule {
            volume: VolumeNo::FIRST,
            theme: String::new(),
            active: vec![line("a", 6), line("b", 3), line("c", 1)],
            interleaving: None,
            convergences: vec![meeting((3, 4)), meeting((7, 9)), meeting((9, 10))],
            dormant: Vec::new(),
            closing: false,
            newly_activated: Vec::new(),
        };
        let of = |chapters| {
            let fitted = schedule.fitted(1, chapters);
            let targets: Vec<u32> = fitted.active.iter().map(|line| line.target_chapters).collect();
            (targets, fitted.convergences.iter().map(|meeting| meeting.chapters).collect::<Vec<_>>())
        };
        assert_eq!(of(20), (vec![12, 6, 2], vec![(3, 4), (7, 9), (9, 10)]));
        assert_eq!(of(8), (vec![5, 2, 1], vec![(3, 4), (7, 8)]), "a meeting at the border ends with the volume");
        assert_eq!(of(4).0, [2, 1, 1], "no line goes without a chapter");
        assert_eq!(of(10), (vec![6, 3, 1], vec![(3, 4), (7, 9), (9, 10)]));
        assert_eq!(shares(&[0, 0], 9), [0, 0], "where the plan does not say, none is made up");
    }

    #[test]
    fn lines_meet_when_two_of_them_are_seen_inside_the_planned_chapters() {
        let meeting = Convergence {
            chapters: (4, 6),
            lines: ["main-arc", "sea-plan"].map(|line| Slug::new(line).unwrap()).to_vec(),
            trigger: String::new(),
            aftermath: String::new(),
        };
        let met = |seen: &[(u32, &'static str)]| {
            meeting.has_met(seen.iter().map(|(chapter, line)| (ChapterNo::new(*chapter).unwrap(), *line)))
        };
        assert!(met(&[(4, "main-arc"), (6, "sea-plan")]));
        assert!(!met(&[(4, "main-arc"), (5, "main-arc"), (6, "old-ledger")]), "one line alone meets nobody");
        assert!(!met(&[(3, "main-arc"), (4, "sea-plan")]) && !met(&[(6, "main-arc"), (7, "sea-plan")]));
    }

    #[test]
    fn people_belong_to_the_lines_of_their_files_and_to_those_told_through_their_eyes() {
        let slug = |id: &str| Slug::new(id).unwrap();
        let on = |lines: &[&str]| Character {
            storylines: lines.iter().map(|line| slug(line)).collect(),
            ..Character::sample("shen-du", "沈渡", &[])
        };
        let told = Storyline { pov_characters: vec!["沈渡".into()], ..storyline("told", "mystery", Status::Active) };
        let book = Storylines { lines: vec![storyline("side", "mystery", Status::Active), told], relations: vec![] };
        let belongs = |person: &Character| ["side", "told", "new"].map(|line| book.has_on(&slug(line), person));
        assert_eq!(belongs(&on(&[])), [false, true, false]);
        assert_eq!(belongs(&on(&["side"])), [true, true, false]);
        assert_eq!(belongs(&on(&["new"])), [false, true, true], "the book need not define the line");
        assert_eq!(belongs(&Character::sample("a-qi", "阿七", &[])), [false; 3]);
        assert_eq!(book.home_of(&on(&["side", "told"])), Some(&slug("side")), "the person's own file goes first");
        assert_eq!(book.home_of(&on(&[])), Some(&slug("told")));
        assert_eq!(book.home_of(&Character::sample("a-qi", "阿七", &[])), None);
    }

    #[test]
    fn the_word_for_the_main_line_means_it_unless_a_line_has_that_name() {
        let mut book = Storylines {
            lines: vec![storyline("side", "mystery", Status::Active), storyline("main", "main_arc", Status::Active)],
            relations: vec![],
        };
        let called = |book: &Storylines, name: &str| book.reference(name).first().map(|line| line.id.to_string());
        assert_eq!(called(&book, " 主线 ").as_deref(), Some("main"));
        assert_eq!(called(&book, "支线"), None);
        book.lines[0].name = MAIN_LINE_NAME.into();
        assert_eq!(called(&book, "主线").as_deref(), Some("side"));
    }

    #[test]
    fn without_a_schedule_the_first_running_line_carries_the_volume() {
        let lines = [("rest", Status::Dormant), ("a", Status::Active), ("over", Status::Ended), ("b", Status::Active)];
        let lines = lines.map(|(id, status)| storyline(id, "mystery", status)).to_vec();
        let schedule = Schedule::of_running(VolumeNo::FIRST, &Storylines { lines, relations: vec![] });
        let active: Vec<_> = schedule.active.iter().map(|line| (line.storyline.as_str(), line.role)).collect();
        assert_eq!(active, [("a", VolumeRole::Primary), ("b", VolumeRole::Secondary)]);
        assert_eq!(schedule.dormant, ["rest", "over"].map(|id| Slug::new(id).unwrap()));
    }

    #[test]
    fn chapters_are_shared_out_by_the_largest_remainders() {
        assert_eq!(shares(&[5, 3, 2], 9), [4, 3, 2], "4.5, 2.7 and 1.8: the last two are rounded up");
        assert_eq!(shares(&[1, 1, 1], 4), [2, 1, 1], "equal remainders: the earlier line first");
        assert_eq!(shares(&[0, 2, 1], 4), [0, 3, 1], "a line without chapters stays without");
        assert_eq!(shares(&[8, 1, 1, 1], 5), [2, 1, 1, 1]);
        assert_eq!(shares(&[1, 1, 1], 2), [1, 1, 1], "none of them can give a chapter up");
    }

    #[test]
    fn a_memory_is_not_cut_to_less_than_half_for_the_sake_of_a_sentence() {
        let early = format!("短句。{}", "字".repeat(2 * MAX_MEMORY));
        assert_eq!(clip_memory(&early).chars().count(), MAX_MEMORY);
        let late = format!("{}。{}", "字".repeat(MAX_MEMORY * 2 / 3), "字".repeat(MAX_MEMORY));
        assert_eq!(clip_memory(&late).chars().count(), MAX_MEMORY * 2 / 3 + 1);
    }

    #[test]
    fn a_schedule_begins_only_the_lines_that_it_has_and_says_which_it_wakes() {
        let slug = |id: &str| Slug::new(id).unwrap();
        let all =
            [("new", Status::Planned), ("rest", Status::Dormant), ("runs", Status::Active), ("out", Status::Planned)];
        let lines = all.map(|(id, status)| storyline(id, "mystery", status)).to_vec();
        let mut book = Storylines { lines, relations: vec![] };
        let active = ["runs", "new", "rest", "unknown"].map(|id| ScheduledLine {
            storyline: slug(id),
            role: VolumeRole::Secondary,
            target_chapters: 1,
            goal: String::new(),
        });
        let schedule = Schedule { active: active.to_vec(), ..Schedule::of_running(VolumeNo::FIRST, &book) };
        assert_eq!(schedule.activated(&book), ["new", "rest", "unknown"].map(slug));
        book.take_up(&schedule);
        let out = &book.lines[3];
        assert_eq!((out.status, out.introduced), (Status::Planned, None));
        assert!(book.lines[..3].iter().all(|line| line.status == Status::Active && line.introduced.is_some()));
        assert_eq!(schedule.activated(&book), [slug("unknown")], "none of them rests any more");
    }

    #[test]
    fn the_place_of_seasoning_lines_is_told_in_words() {
        let words = |seasoning: &str| {
            let rhythm = Interleaving { seasoning: seasoning.into(), ..Interleaving::default() };
            rhythm.seasoning_in_words().to_owned()
        };
        assert_eq!(words("climax"), "放在高潮前后");
        assert_eq!((words("放在雨天"), words("")), ("放在雨天".to_owned(), String::new()));
    }

    #[test]
    fn an_outline_may_call_a_main_line_so_that_no_book_defines_yet() {
        let none = Storylines::default();
        assert_eq!(none.called(MAIN_LINE_NAME).map(|id| id.to_string()).as_deref(), Some("main-arc"));
        assert_eq!(none.called("side"), None);
    }
}
