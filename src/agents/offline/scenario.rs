//! The subject of one chapter, read from the book: people, place, day, threads and the words that slots take.

use super::age::Age;
use super::chance::{Chance, seed};
use super::cut::{clip, phrase};
use super::patterns::{Slots, expand, pool};
use super::people::{Person, cast};
use super::rota::{Props, Turn};
use super::told::{Line, Told, few_words, thing_in};
use crate::agents::ChapterContext;
use crate::domain::volume::foreshadowing::Action;
use crate::domain::volume::outline::Field;
use crate::domain::volume::outline::task::Task;
use crate::domain::world::character::Character;

/// A foreshadowing task and how it is told.
#[derive(Debug, Clone)]
pub(super) struct Hint {
    /// The action of the task.
    pub(super) action: Action,
    /// Its words and its text.
    pub(super) told: Told,
}

/// Everything that the patterns of one chapter can name, and the parts of the outline that they tell.
#[derive(Debug, Clone)]
pub(super) struct Scenario {
    /// The seed of everything in this chapter.
    pub(super) seed: u64,
    /// The seed of the orders of the pools, the same in the whole book.
    pub(super) book_seed: u64,
    pub(super) number: u32,
    /// How many texts of the chapter the book has had before.
    pub(super) editions: usize,
    /// The world of props.
    pub(super) age: Age,
    /// The point-of-view character.
    pub(super) pov: Person,
    /// The others, one at least.
    pub(super) others: Vec<Person>,
    pub(super) place: String,
    /// The day, in words.
    pub(super) day: String,
    /// The hour as the outline has it; empty where it says none.
    hour: String,
    /// The pool of the weather.
    pub(super) weather: &'static str,
    /// The thing that the chapter turns on.
    pub(super) thing: String,
    /// A few words of the conflict.
    remark: String,
    pub(super) conflict: Told,
    /// The three steps of the conflict, paragraphs each.
    pub(super) story: Vec<Vec<String>>,
    /// The arc of the point-of-view character.
    pub(super) arc: Option<Told>,
    pub(super) hints: Vec<Hint>,
    /// The changes of the state.
    pub(super) changes: Vec<Told>,
    /// How the chapter leads to the next.
    pub(super) bridge: Option<Told>,
    /// Whether storylines meet here.
    pub(super) is_meeting: bool,
}

/// Rounds of words between the tasks, or the changes, of one chapter.
const TASKS_APART: usize = 7;

/// The first clause of a text, where it is short enough to be a name and tells of no person.
fn short_name(text: &str, people: &[Character]) -> Option<String> {
    const TELLING: [char; 9] = ['我', '你', '他', '她', '了', '着', '过', '到', '是'];
    let clause = text.split(['，', '。', '；', '：', ',', ';', '\n']).next()?.trim();
    let is_short = (2..=5).contains(&clause.chars().count()) && clause.chars().all(crate::text::is_han);
    let tells = clause.contains(TELLING) || people.iter().any(|person| person.is_named_in(clause));
    (is_short && !tells).then(|| clause.to_owned())
}

impl Scenario {
    /// Reads the chapter's material.
    pub(super) fn of(context: &ChapterContext) -> Self {
        let number = context.chapter.get();
        let book_seed = seed(&[&context.config.title]);
        let chapter_seed = seed(&[&context.config.title, &number.to_string(), context.storyline().as_str()]);
        // A chapter that is written again is not to come out as it was.
        let chapter_seed = chapter_seed ^ u64::from(context.editions).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let mut chance = Chance::new(chapter_seed);
        let age = Age::of(&context.config);
        let field = |field| context.section.field(field);
        let location = field(Field::Location);
        let place = location.split(PLACE_ENDS).find_map(|part| phrase(part, 16)).unwrap_or_else(|| "旧渡口".to_owned());
        let (day, hour) = time_in(location);
        let day_of_year = (book_seed % 360) as usize + number as usize * 2;
        // The outline's own name of the person: another one may have to stand in.
        let eyes = field(Field::Pov).trim();
        let known = [("主", eyes), ("地", place.as_str())];
        let conflict = Line::read("conflict", field(Field::Conflict), &known).unwrap_or_default();
        let (pov, others) = cast(context, age, conflict.named("客"), &mut chance);
        let names: Vec<&str> = context.characters.iter().map(|person| person.display_name.as_str()).collect();
        let mut scenario = Self {
            seed: chapter_seed,
            book_seed,
            number,
            editions: context.editions as usize,
            age,
            thing: thing(context, &conflict, book_seed, age),
            remark: few_words(field(Field::Conflict), &names).unwrap_or_else(|| "话是这么说".to_owned()),
            pov,
            others,
            day: day.unwrap_or_else(|| day_name(day_of_year, age)),
            hour,
            weather: weather(day_of_year, age, &mut chance),
            place,
            conflict: Told::default(),
            story: Vec::new(),
            arc: None,
            hints: Vec::new(),
            changes: Vec::new(),
            bridge: None,
            is_meeting: context.convergence().is_some(),
        };
        scenario.tell(context, &conflict);
        scenario
    }

    /// Tells the outline.
    fn tell(&mut self, context: &ChapterContext, conflict: &Line) {
        let field = |field| context.section.field(field);
        let eyes = field(Field::Pov).trim();
        self.conflict = self.told("story", conflict, &[]);
        self.story = self.conflict.text.iter().map(|step| step.split(" / ").map(str::to_owned).collect()).collect();
        self.conflict.text = self.story.concat();
        self.arc = Line::read("arc", field(Field::Arc), &[]).map(|line| self.told("arc", &line, &[]));
        let tasks = context.section.tasks.iter().take(4).enumerate();
        self.hints = tasks.filter_map(|(at, task)| self.hint(context, at, task)).collect();
        let changes = field(Field::StateChanges).split(['\n', '；', ';', '。']);
        let changes: Vec<Line> =
            changes.filter_map(|part| Line::read("change", listed(part), &[("地", &self.place)])).take(3).collect();
        let changes = changes.iter().enumerate();
        self.changes = changes.map(|(at, line)| self.change(at, line)).collect();
        self.changes.sort_by_key(|change| change.pattern == Some(LEAVING));
        let bridge = context.contract.as_ref().and_then(|contract| contract.transition.as_ref());
        let bridge = bridge.and_then(|transition| Line::read("bridge", &transition.bridge, &[("主", eyes)]));
        self.bridge = bridge.map(|line| {
            // The other person of a bridge belongs to the next chapter.
            let mut line = Line { read: line.read.map(|(at, pattern, _)| (at, pattern, Slots::new())), ..line };
            let told = self.told("bridge", &line, &[]);
            if !has_left(&self.changes) || !told.text.concat().contains(&self.partner(0).name) {
                return told;
            }
            line.read = None;
            self.told("bridge", &line, &[])
        });
    }

    /// The chapter's task number `at`.
    fn hint(&self, context: &ChapterContext, at: usize, task: &Task) -> Option<Hint> {
        let entry = context.ledger.get(&task.id).map_or("", |entry| entry.description.as_str());
        let planned = context.planned.iter().find(|planned| planned.id == task.id);
        let kind = match task.action {
            Action::Planted => "plant",
            Action::Advanced => "advance",
            Action::Resolved => "resolve",
        };
        let detail = if task.detail.trim().is_empty() { entry } else { &task.detail };
        let line = Line::read(kind, detail, &[])?;
        let described = planned.map_or(entry, |planned| planned.description.as_str());
        let known = || [described, entry].into_iter().find_map(named_thing);
        let own = || {
            thing_in(&task.detail).or_else(|| thing_in(entry)).or_else(|| short_name(&task.detail, &context.characters))
        };
        let named = line.named("物").map(str::to_owned);
        let thing = known().or(named).or_else(own);
        // Nothing is named: a thing that can be put down where something is planted, and a matter that can be spoken of.
        let unnamed = if task.action == Action::Planted { "没有落款的字条" } else { "那条线索" };
        let thing = thing.unwrap_or_else(|| unnamed.to_owned());
        let truth = Line::read("truth", line.named("底").unwrap_or_default(), &[]).unwrap_or_default();
        let truth = self.told("truth", &truth, &[("物", &thing)]).text.concat();
        // An author's tasks of one chapter are told in different ways, and with other words than the next chapter's.
        let (shift, apart) = if line.read.is_none() { (at, at * TASKS_APART) } else { (0, 0) };
        let (pattern, round) = line.telling(kind, self.number as usize + self.editions + shift);
        let turn = Turn { pattern, round: round + apart };
        Some(Hint { action: task.action, told: self.written(&line, turn, &[("物", &thing), ("底", &truth)]) })
    }

    /// A change of the state. Arrivals are told by the whole chapter, so they get no text of their own.
    fn change(&self, at: usize, line: &Line) -> Told {
        let known = |name: &str| name == self.pov.name || self.others.iter().any(|person| person.name == name);
        if line.read.is_none()
            && let Some((person, place)) = line.plan.split_once("到了")
            && known(person)
        {
            let names = [("主", person), ("地", place)].map(|(slot, name)| (slot.to_owned(), name.to_owned()));
            return Told { plan: line.plan.clone(), names: names.into(), ..Told::default() };
        }
        // The patterns speak of the chapter's two people; a line about others is told as an author's.
        let is_other = |slot: &str, person: &str| line.named(slot).is_some_and(|name| name != person);
        let is_strange = is_other("主", &self.pov.name) || is_other("客", &self.partner(0).name);
        let line = if is_strange { &Line { read: None, ..line.clone() } } else { line };
        let thing = thing_in(&line.plan).unwrap_or_else(|| self.thing.clone());
        let number = self.number as usize;
        let turn = match line.read {
            // The planner comes back to a change after seventeen chapters, or after five and twelve.
            Some(_) => line.telling("change", number * 2 + at * 34),
            None => {
                let (pattern, round) = line.telling("change", number * 3 + at);
                (pattern, round + at * TASKS_APART)
            }
        };
        self.written(line, Turn { pattern: turn.0, round: turn.1 }, &[("事", &thing)])
    }

    /// A line as the chapter tells it; `own` are words of slots beside those that the line names.
    fn told(&self, kind: &str, line: &Line, own: &[(&str, &str)]) -> Told {
        let (pattern, round) = line.telling(kind, self.number as usize + self.editions);
        self.written(line, Turn { pattern, round }, own)
    }

    fn written(&self, line: &Line, turn: Turn, own: &[(&str, &str)]) -> Told {
        let (found, names) = match &line.read {
            Some((_, pattern, names)) => (Some(*pattern), names.clone()),
            None => (None, Slots::new()),
        };
        let text = self.paragraphs(turn, &names, own);
        Told { plan: line.plan.clone(), text, pattern: found, names }
    }

    /// The steps of a pattern, written out.
    fn paragraphs(&self, turn: Turn, names: &Slots, own: &[(&str, &str)]) -> Vec<String> {
        // The narration between begins with other gestures.
        let gestures = self.number as usize * GESTURES + 2 * GESTURES + seed(&[turn.pattern]) as usize % (2 * GESTURES);
        let mut props = Props::new(self.age, self.book_seed, turn).gestures_from(gestures);
        let choice = props.choice();
        let mut slot = |slot: &str| {
            let given = own.iter().find(|(name, _)| *name == slot).map(|(_, words)| (*words).to_owned());
            // People are those of the cast: the dead are replaced.
            let named = || names.get(slot).filter(|_| slot == "物").cloned();
            given.or_else(named).unwrap_or_else(|| self.slot(slot, self.partner(0), &mut props))
        };
        let steps = turn.pattern.split(" >> ").filter(|step| !step.is_empty());
        steps.map(|step| expand(step, choice, &mut slot)).collect()
    }

    /// The other person of a scene.
    pub(super) fn partner(&self, scene: usize) -> &Person {
        &self.others[scene % self.others.len()]
    }

    /// The words of a slot, with `partner` as the other person in the scene.
    pub(super) fn slot(&self, slot: &str, partner: &Person, props: &mut Props) -> String {
        let text = match slot {
            "主" => &self.pov.name,
            "他" => self.pov.pronoun,
            "客" => &partner.name,
            "伊" => partner.pronoun,
            "地" => &self.place,
            "辰" => return format!("{}{}", self.day, self.hour),
            "物" | "事" => &self.thing,
            "句" => &self.remark,
            "标" => "手头这件事",
            "口" => return partner.catch_phrases.first().map_or_else(|| "罢了。".to_owned(), |words| finished(words)),
            _ => props.word(slot),
        };
        text.to_owned()
    }
}

/// About how many gestures the narration of a chapter has.
pub(super) const GESTURES: usize = 9;

/// The change with which the other person goes; nothing is told of that person after it.
const LEAVING: &str = "[客]离开了[地]";

fn has_left(changes: &[Told]) -> bool {
    changes.iter().any(|change| change.pattern == Some(LEAVING))
}

/// A catch phrase as a sentence.
fn finished(words: &str) -> String {
    if words.ends_with(['？', '！', '。', '…']) { words.to_owned() } else { format!("{words}。") }
}

/// Marks that end the name of a place in the outline's field.
const PLACE_ENDS: [char; 10] = ['\n', '；', ';', '→', '/', '（', '(', '、', '，', ','];

/// The day and the hour that a location names after the place: `柳荫站，周一夜` and `老码头，收摊之后`.
fn time_in(location: &str) -> (Option<String>, String) {
    const DAYS: [&str; 7] = ["周", "日", "号", "月", "初", "除夕", "中秋"];
    const HOURS: [&str; 14] = ["夜", "晨", "早", "晚", "午", "时", "后", "前", "天", "更", "点", "傍", "黎明", "黄昏"];
    let has = |text: &str, words: &[&str]| words.iter().any(|word| text.contains(word));
    let short = |text: &String| text.chars().count() <= 8;
    let rest: Vec<String> =
        location.split(PLACE_ENDS).skip(1).filter_map(|part| phrase(part, 20)).filter(short).collect();
    match rest.iter().find(|part| has(part, &DAYS) || has(part, &HOURS)) {
        Some(part) if has(part, &DAYS) && !part.starts_with("日") => (Some(part.clone()), String::new()),
        Some(part) => (None, part.clone()),
        None => (None, String::new()),
    }
}

/// A part of a list without its bullet.
fn listed(part: &str) -> &str {
    part.trim().trim_start_matches(['-', '*', ' ', '　'])
}

/// The thing of a foreshadowing: named in its description before a colon, or as the planner plants it.
fn named_thing(description: &str) -> Option<String> {
    let planted = || Line::read("plant", description, &[])?.named("物").map(str::to_owned);
    let name = description.split_once(['：', ':']).and_then(|(name, _)| phrase(name, 40));
    let is_name = |name: &String| (2..=8).contains(&name.chars().count()) && name.chars().all(crate::text::is_han);
    name.filter(is_name).or_else(planted)
}

/// The thing that the chapter turns on: what its conflict or its tasks name, else one of the age's.
fn thing(context: &ChapterContext, conflict: &Line, book_seed: u64, age: Age) -> String {
    let of_task = |task: &Task| {
        let planned = context.planned.iter().find(|planned| planned.id == task.id);
        let planned = planned.map_or("", |planned| planned.description.as_str());
        let entry = context.ledger.get(&task.id).map_or("", |entry| entry.description.as_str());
        [planned, entry].into_iter().find_map(named_thing).or_else(|| thing_in(&task.detail))
    };
    let written = context.section.field(Field::Conflict);
    let fallback = || {
        let list = pool(&format!("plan thing {}", age.name()));
        let at = (book_seed as usize % 97 + context.chapter.get() as usize * 3) % list.len().max(1);
        list.get(at).and_then(|line| line.split_once(' ')).map_or("旧物", |(_, name)| name).to_owned()
    };
    // A chapter of the volume may be called like the thing that this one is about.
    let titles = context.outline.sections.iter().map(|section| section.title.trim());
    let mut titles = titles.filter(|title| title.chars().count() > 1 && written.contains(title));
    let named = conflict.named("物").map(str::to_owned).or_else(|| titles.next().map(str::to_owned));
    let named = named.or_else(|| thing_in(written)).or_else(|| context.section.tasks.iter().find_map(of_task));
    named.map_or_else(fallback, |name| clip(&name, 12).to_owned())
}

/// A number up to 999 in Chinese.
pub(super) fn numeral(n: usize) -> String {
    const DIGITS: [&str; 10] = ["零", "一", "二", "三", "四", "五", "六", "七", "八", "九"];
    let (hundreds, tens, ones) = (n / 100 % 10, n / 10 % 10, n % 10);
    let mut text = String::new();
    if hundreds > 0 {
        text.push_str(DIGITS[hundreds]);
        text.push('百');
    }
    match tens {
        0 if hundreds > 0 && ones > 0 => text.push('零'),
        0 => {}
        1 if hundreds == 0 => text.push('十'),
        _ => {
            text.push_str(DIGITS[tens]);
            text.push('十');
        }
    }
    if ones > 0 || n == 0 {
        text.push_str(DIGITS[ones]);
    }
    text
}

/// A day of a year of twelve months of thirty days.
fn day_name(day: usize, age: Age) -> String {
    const MONTHS: [&str; 12] = ["正", "二", "三", "四", "五", "六", "七", "八", "九", "十", "冬", "腊"];
    let (month, date) = (day / 30 % 12, day % 30 + 1);
    match age {
        Age::Old if date <= 10 => format!("{}月初{}", MONTHS[month], numeral(date)),
        Age::Old => {
            format!("{}月{}", MONTHS[month], numeral(date).replace("二十", if date == 20 { "二十" } else { "廿" }))
        }
        Age::Modern => format!("{}月{}号", numeral(month + 1), numeral(date.min(28))),
        Age::Future => format!("第{}航日", numeral(day % 997 + 1)),
    }
}

fn weather(day: usize, age: Age, chance: &mut Chance) -> &'static str {
    let choice: &[&str] = match (age, day / 90 % 4) {
        (Age::Future, _) => &["space"],
        (_, 0) => &["rain", "wind", "clear", "fog"],
        (_, 1) => &["rain", "clear", "grey", "clear"],
        (_, 2) => &["wind", "clear", "fog", "grey"],
        _ => &["snow", "wind", "grey", "snow"],
    };
    chance.pick(choice).copied().unwrap_or("grey")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_read_as_people_say_them() {
        assert_eq!(day_name(0, Age::Old), "正月初一");
        assert_eq!(day_name(359, Age::Old), "腊月三十");
        assert_eq!(day_name(50, Age::Old), "二月廿一");
        assert_eq!(day_name(31, Age::Modern), "二月二号");
        assert_eq!(day_name(213, Age::Future), "第二百一十四航日");
        assert_eq!(numeral(105), "一百零五");
    }

    #[test]
    fn a_location_tells_the_time_where_it_can() {
        assert_eq!(time_in("柳荫站失物招领处，周一夜"), (Some("周一夜".into()), String::new()));
        assert_eq!(time_in("老码头，收摊之后"), (None, "收摊之后".into()));
        assert_eq!(time_in("城北废窑"), (None, String::new()));
    }
}
