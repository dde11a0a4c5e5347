//! What one chapter is about, read from the book: people, place, day, threads and the words that slots take.

use super::age::{Age, words};
use super::chance::{Chance, seed};
use super::cut::{parts, phrase};
use super::patterns::{expand, pool};
use super::people::{Person, cast};
use crate::agents::ChapterContext;
use crate::domain::volume::foreshadowing::Action;
use crate::domain::volume::outline::Field;

/// The tone of a storyline.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Mood {
    /// Onward, with a joke.
    Bright,
    /// Clues, records, power.
    Cold,
    /// People and what they remember.
    Warm,
}

impl Mood {
    const ALL: [Self; 3] = [Self::Bright, Self::Cold, Self::Warm];

    /// The name of the mood's pools.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Bright => "bright",
            Self::Cold => "cold",
            Self::Warm => "warm",
        }
    }

    fn of_kind(kind: &str) -> Self {
        let has = |words: &[&str]| words.iter().any(|word| kind.contains(word));
        if has(&["conspiracy", "mystery", "faction", "阴谋", "悬", "谜", "势力"]) {
            Self::Cold
        } else if has(&["character", "parallel", "timeline", "感情", "人物", "回忆"]) {
            Self::Warm
        } else {
            Self::Bright
        }
    }

    /// The moods of the book's lines in their order: what its kind asks for, or the next one that no earlier line has,
    /// so that up to three lines can be told apart by their tone.
    fn of_line(context: &ChapterContext) -> Self {
        let mut taken: Vec<Self> = Vec::new();
        for line in &context.storylines.lines {
            let wanted = Self::of_kind(&line.kind);
            let free = std::iter::once(wanted).chain(Self::ALL).find(|mood| !taken.contains(mood));
            let mood = free.unwrap_or(wanted);
            if line.id == *context.storyline() {
                return mood;
            }
            taken.push(mood);
        }
        Self::Bright
    }
}

/// What becomes of a person in the chapter.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Arc {
    /// From one thing to another.
    Turn(String, String),
    /// Said in one phrase.
    Plain(String),
}

/// A thread through the chapter: an object, or someone in the way. Its steps are patterns of one turn.
#[derive(Debug, Clone)]
pub(super) struct Thread {
    /// The thing's name; empty for an obstacle.
    pub(super) name: &'static str,
    /// Its steps.
    pub(super) steps: Vec<&'static str>,
    /// Which variant of every choice.
    pub(super) turn: usize,
}

/// A foreshadowing task in words.
#[derive(Debug, Clone)]
pub(super) struct Hint {
    /// What is done.
    pub(super) action: Action,
    /// The words.
    pub(super) words: String,
}

/// Everything that the patterns of one chapter can name.
#[derive(Debug, Clone)]
pub(super) struct Scenario {
    /// The seed of everything in this chapter.
    pub(super) seed: u64,
    /// The seed of the orders of the pools, the same in the whole book.
    pub(super) book_seed: u64,
    /// The chapter's number.
    pub(super) number: u32,
    /// The tone.
    pub(super) mood: Mood,
    /// The world of props.
    pub(super) age: Age,
    /// Whose eyes.
    pub(super) pov: Person,
    /// The others, two at least.
    pub(super) others: Vec<Person>,
    /// Where.
    pub(super) place: String,
    /// The day, in words.
    pub(super) day: String,
    /// The pool of the weather.
    pub(super) weather: &'static str,
    /// The conflict in words, made up when the outline has none.
    pub(super) conflict: String,
    /// What becomes of the point-of-view character.
    pub(super) arc: Option<Arc>,
    /// The foreshadowing tasks.
    pub(super) hints: Vec<Hint>,
    /// What is different afterwards.
    pub(super) changes: Vec<String>,
    /// Something that the storyline remembers.
    pub(super) remembered: Option<String>,
    /// Something that the point-of-view character carries.
    pub(super) carried: Option<String>,
    /// How the chapter leads to the next.
    pub(super) bridge: Option<String>,
    /// What brings storylines together here.
    pub(super) meeting: Option<String>,
    /// The chapter's object.
    pub(super) motif: Thread,
    /// What is in the way.
    pub(super) obstacle: Thread,
    /// Who keeps order here.
    guard: &'static str,
}

/// The longest stretch of an outline field that goes into the text as one piece.
const LONGEST: usize = 44;

impl Scenario {
    /// Reads the chapter's material.
    pub(super) fn of(context: &ChapterContext) -> Self {
        let number = context.chapter.get();
        let line = context.storyline().as_str();
        let book_seed = seed(&[&context.config.title]);
        let chapter_seed = seed(&[&context.config.title, &number.to_string(), line]);
        // A chapter that is written again is not to come out as it was.
        let chapter_seed = chapter_seed ^ u64::from(context.editions).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let mut chance = Chance::new(chapter_seed);
        let age = Age::of(&context.config);
        let (pov, others) = cast(context, age, &mut chance);
        let field = |field| context.section.field(field);
        let place = field(Field::Location)
            .split(['\n', '；', ';', '→', '/', '（', '(', '、', '，', ','])
            .find_map(|p| phrase(p, 16));
        let day_of_year = (book_seed % 360) as usize + number as usize * 2;
        let memory = context.memories.get(context.storyline());
        let last_fact =
            |facts: &str| facts.split(['。', '\n', '；']).filter_map(|fact| phrase(unnumbered(fact), 28)).next_back();
        let bridge = context.contract.as_ref().and_then(|c| c.transition.as_ref());
        let trouble = turn_of(pool("trouble"), book_seed, number).copied().unwrap_or("有人在等，有人在躲");
        Self {
            seed: chapter_seed,
            book_seed,
            number,
            mood: Mood::of_line(context),
            age,
            place: place.unwrap_or_else(|| "旧渡口".to_owned()),
            day: day_name(day_of_year, age),
            weather: weather(day_of_year, age, &mut chance),
            conflict: phrase(field(Field::Conflict), LONGEST).unwrap_or_else(|| trouble.to_owned()),
            arc: phrase(field(Field::Arc), LONGEST).map(read_arc),
            hints: hints(context),
            changes: parts(field(Field::StateChanges), LONGEST).into_iter().take(3).collect(),
            remembered: memory.and_then(|memory| last_fact(&memory.facts)),
            carried: carried(context, &pov),
            bridge: bridge.and_then(|transition| phrase(&transition.bridge, LONGEST)),
            meeting: context.convergence().and_then(|meeting| phrase(&meeting.trigger, LONGEST)),
            motif: thread(&format!("motif {}", age.name()), book_seed, number),
            obstacle: thread("obstacle", book_seed, number),
            guard: chance.pick(&words("差人", age)).copied().unwrap_or("守卫"),
            pov,
            others,
        }
    }

    /// The other person of a scene.
    pub(super) fn partner(&self, scene: usize) -> &Person {
        &self.others[scene % self.others.len()]
    }

    /// The words of a slot that means the same in the whole chapter; `None` for props, which vary.
    pub(super) fn fixed(&self, slot: &str) -> Option<String> {
        let text = match slot {
            "主" => &self.pov.name,
            "他" => self.pov.pronoun,
            "地" => &self.place,
            "日" => &self.day,
            "物" => self.motif.name,
            "冲突" => &self.conflict,
            "旧事" => self.remembered.as_deref().unwrap_or("上回的话只说了一半"),
            "随身" => self.carried.as_deref().unwrap_or("那枚旧扣子"),
            "桥" => self.bridge.as_deref().unwrap_or_default(),
            "会" => self.meeting.as_deref().unwrap_or_default(),
            "差人" => self.guard,
            "弧前" | "弧后" | "弧" => match (&self.arc, slot) {
                (Some(Arc::Turn(from, _)), "弧前") => from,
                (Some(Arc::Turn(_, to)), _) => to,
                (Some(Arc::Plain(words)), _) => words,
                (None, _) => "",
            },
            _ => return None,
        };
        Some(text.to_owned())
    }

    /// The words of a slot, with `partner` and `third` as the other people in the scene.
    pub(super) fn slot(&self, slot: &str, partner: &Person, third: &Person, chance: &mut Chance) -> String {
        match slot {
            "客" => partner.name.clone(),
            "伊" => partner.pronoun.to_owned(),
            "三" => third.name.clone(),
            _ => self.fixed(slot).unwrap_or_else(|| {
                let list = words(slot, self.age);
                chance.pick(&list).copied().unwrap_or("什么").to_owned()
            }),
        }
    }

    /// One step of a thread, with the same people at each step.
    pub(super) fn step(&self, thread: &Thread, step: usize, edition: usize, chance: &mut Chance) -> Option<String> {
        let (partner, third) = (self.partner(0), self.partner(1));
        let mut slot = |slot: &str, chance: &mut Chance| self.slot(slot, partner, third, chance);
        Some(expand(thread.steps.get(step)?, thread.turn + edition, chance, &mut slot))
    }
}

/// The entry of a list that is a chapter's turn, so that neighbours have different ones.
fn turn_of<T>(list: &[T], book_seed: u64, number: u32) -> Option<&T> {
    let length = list.len().max(1);
    list.get((book_seed as usize % length + number as usize) % length)
}

/// The thread of a chapter: a book walks through a shuffled list, and changes the variant at each walk.
fn thread(name: &str, book_seed: u64, number: u32) -> Thread {
    let list = pool(name);
    let mut order: Vec<usize> = (0..list.len()).collect();
    Chance::new(book_seed ^ seed(&[name])).shuffle(&mut order);
    let at = order.get(number as usize % order.len().max(1)).copied().unwrap_or(0);
    let mut steps: Vec<&str> = list.get(at).map_or("", |line| line).split(" >> ").collect();
    let name = if steps.len() > 3 { steps.remove(0) } else { "" };
    Thread { name, steps, turn: number as usize / order.len().max(1) % 2 }
}

/// A remembered fact without the chapter before it.
fn unnumbered(fact: &str) -> &str {
    match fact.trim().strip_prefix('第').and_then(|rest| rest.split_once(['：', ':'])) {
        Some((number, words)) if number.contains('章') => words,
        _ => fact,
    }
}

fn read_arc(words: String) -> Arc {
    let halves = words
        .strip_prefix('从')
        .and_then(|rest| rest.split_once("，到").or_else(|| rest.split_once('到')).or_else(|| rest.split_once('转')));
    match halves.map(|(from, to)| (phrase(from, 20), phrase(to, 20))) {
        Some((Some(from), Some(to))) => Arc::Turn(from, to),
        _ => Arc::Plain(words),
    }
}

fn hints(context: &ChapterContext) -> Vec<Hint> {
    let of_task = |task: &crate::domain::volume::outline::Task| {
        let entry = context.ledger.get(&task.id).map_or("", |entry| entry.description.as_str());
        let words = phrase(&task.detail, LONGEST).or_else(|| phrase(entry, LONGEST))?;
        Some(Hint { action: task.action, words })
    };
    context.section.tasks.iter().filter_map(of_task).take(4).collect()
}

fn carried(context: &ChapterContext, pov: &Person) -> Option<String> {
    let id = pov.id.as_ref()?;
    let list = context.state.get(&format!("characters.{id}.inventory"))?.as_array()?;
    list.last()?.as_str().and_then(|item| phrase(item, 12))
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
    fn an_arc_is_a_turn_where_it_names_two_ends() {
        assert_eq!(read_arc("从不信人到第一次托付".into()), Arc::Turn("不信人".into(), "第一次托付".into()));
        let turn = read_arc("从相信守则挡得住人，到发现有人等在里头".into());
        assert_eq!(turn, Arc::Turn("相信守则挡得住人".into(), "发现有人等在里头".into()));
        assert_eq!(read_arc("学会等".into()), Arc::Plain("学会等".into()));
        assert_eq!(read_arc("从到".into()), Arc::Plain("从到".into()));
    }
}
