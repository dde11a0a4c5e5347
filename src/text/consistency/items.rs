//! The owners of items, by the state and by the text.
//! Figures that do not follow from earlier ones of the same subject.

use crate::domain::state::{Category, State};
use crate::domain::{ChapterNo, Slug};
use crate::text::consistency::amounts::{AmountMeasure, FigureKey, LevelPart, Stated, Value, stated};
use crate::text::consistency::figures::number_before;
use crate::text::consistency::places::death;
use crate::text::consistency::presence::present;
use crate::text::consistency::{ChapterReading, Contradiction, ExaminedChapter, Inconsistency, Registry, Sort};
use serde_json::Value as Json;
use std::collections::{BTreeMap, BTreeSet};

/// Words with which a person brings out an item.
const BRINGS_OUT: [&str; 16] = [
    "掏出", "摸出", "取出", "拿出", "亮出", "抽出", "举起", "捧出", "解下", "递出", "翻出", "拔出", "握着", "握紧",
    "攥着", "攥紧",
];
/// Shorter names, in characters, are not told from other words: money and tea are in everybody's hands.
const SHORTEST: usize = 3;

fn held(state: &State) -> BTreeMap<&str, BTreeSet<&str>> {
    let people = state.entities(Category::Characters);
    people
        .filter_map(|(id, fields)| {
            let list = fields.get("inventory")?.as_array()?;
            Some((id, list.iter().filter_map(|item| item.as_str()).collect()))
        })
        .collect()
}

fn owner_of<'a>(held: &BTreeMap<&'a str, BTreeSet<&str>>, item: &str) -> Option<&'a str> {
    held.iter().find(|(_, items)| items.contains(item)).map(|(id, _)| *id)
}

/// The noun at the end of an item's name, by which the text calls the item: 录音笔 of 贴着胶布的录音笔.
fn noun(item: &str) -> &str {
    let last = item.rsplit('的').next().unwrap_or(item);
    if last.chars().count() >= SHORTEST { last } else { item }
}

/// The items that two people hold, each with the first two of them.
pub(super) fn shared(state: &State) -> BTreeMap<String, (String, String)> {
    let held = held(state);
    let mut pairs = BTreeMap::new();
    for (id, items) in &held {
        for item in items.iter().filter(|item| item.chars().count() >= SHORTEST) {
            let other = held.iter().find(|(other, items)| *other > id && items.contains(item));
            pairs.extend(other.map(|(other, _)| ((*item).to_owned(), ((*id).to_owned(), (*other).to_owned()))));
        }
    }
    pairs
}

/// Items that two people hold after the chapter, and did not hold before it.
pub(super) fn two_owners(reading: &ChapterReading<'_>) -> Vec<Inconsistency> {
    let of = &reading.of;
    let known = shared(of.before);
    let new = shared(of.after).into_iter().filter(|(item, _)| !known.contains_key(item));
    new.map(|(item, (one, other))| {
        let name = |id: &str| of.after.display_name(Category::Characters, id).to_owned();
        let at = of.text.rfind(noun(&item)).unwrap_or(of.text.len());
        reading.finding(Contradiction::TwoOwners { item, owners: (name(&one), name(&other)) }, at)
    })
    .collect()
}

/// Items that a person brings out without holding them before or receiving them in the chapter.
pub(super) fn not_held(
    reading: &ChapterReading<'_>,
    registry: &Registry,
    gone: &mut BTreeSet<String>,
) -> Vec<Inconsistency> {
    let (before, after) = (held(reading.of.before), held(reading.of.after));
    let items: BTreeSet<&str> = before.values().flatten().copied().chain(gone.iter().map(String::as_str)).collect();
    let mut findings = Vec::new();
    for item in items.into_iter().filter(|item| item.chars().count() >= SHORTEST) {
        let Some((id, at)) = brought_out(reading, noun(item)) else { continue };
        let has = |held: &BTreeMap<&str, BTreeSet<&str>>| held.get(id).is_some_and(|items| items.contains(item));
        let changes_hands = owner_of(&before, item) != owner_of(&after, item);
        if has(&before) || has(&after) || changes_hands {
            continue;
        }
        let owner = owner_of(&before, item).map(|owner| registry.name(owner).to_owned());
        let (person, item) = (registry.name(id).to_owned(), item.to_owned());
        findings.push(reading.finding(Contradiction::NotHeld { person, item, owner }, at));
    }
    let lost = before.values().flatten().filter(|item| owner_of(&after, item).is_none());
    gone.extend(lost.map(|item| (*item).to_owned()));
    gone.retain(|item| owner_of(&after, item).is_none());
    findings
}

/// Words before the number of what is left or there.
const THERE_ARE: [&str; 10] = ["还剩下", "只剩下", "还剩", "只剩", "剩下", "剩", "还有", "只有", "共有", "统共"];
/// Measure words between a number and an item.
const MEASURE_WORDS: &str = "枚颗张块把支本个只文锭粒瓶箱份匹条封卷株道";

/// Items whose number in the text differs from the records. Any number may be told in a chapter that changes it.
pub(super) fn counted(reading: &ChapterReading<'_>, registry: &Registry) -> Vec<Inconsistency> {
    let number = |state: &State, id: &str| state.tree.get(Category::Items.as_str())?.get(id)?.get("count")?.as_u64();
    let mut seen = BTreeSet::new();
    let found = reading.mentions.iter().filter_map(|mention| {
        let [id] = mention.ids.as_slice() else { return None };
        let recorded = number(reading.of.before, id)?;
        let at = mention.range.start;
        let clause = &reading.of.text[..at];
        let clause = clause.strip_suffix(|c| MEASURE_WORDS.contains(c)).unwrap_or(clause);
        let (is, start) = number_before(clause)?;
        let is_said = THERE_ARE.iter().any(|words| clause[..start].ends_with(words));
        let stays = number(reading.of.after, id) == Some(recorded);
        if is == recorded || !stays || !is_said || reading.is_spoken(at) || !seen.insert(id) {
            return None;
        }
        let what = Contradiction::Count { item: registry.name(id).to_owned(), recorded, is };
        Some(reading.finding(what, at))
    });
    found.collect()
}

/// The last name before the verb that brings the item out, in a sentence with the item, and the place of the verb.
fn brought_out<'a>(reading: &'a ChapterReading<'_>, item: &str) -> Option<(&'a str, usize)> {
    reading.sentences().iter().find_map(|sentence| {
        let place = sentence.raw.find(item)?;
        let verb = BRINGS_OUT.iter().filter_map(|verb| sentence.raw[..place].rfind(verb)).max()?;
        let (verb, end) = (sentence.start + verb, sentence.start + place);
        if reading.is_spoken(verb) {
            return None;
        }
        let subject = reading.mentions.iter().rfind(|m| m.range.start >= sentence.start && m.range.end <= verb)?;
        let [id] = subject.ids.as_slice() else { return None };
        // Another person's item has that name between verb and item: 掏出林枫的密信.
        let is_anothers = reading.mentions.iter().any(|m| m.range.start > verb && m.range.end <= end);
        (!is_anothers && !reading.is_spoken(subject.range.start)).then_some((id.as_str(), verb))
    })
}

/// The part of a state that certain contradictions follow from.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Conflicting {
    /// Items that two people hold.
    shared: BTreeSet<String>,
    dead: BTreeSet<String>,
}

impl Conflicting {
    pub fn of(state: &State) -> Self {
        let people = state.entities(Category::Characters);
        Self {
            shared: shared(state).into_keys().collect(),
            dead: people.filter(|(_, fields)| death(fields).is_some()).map(|(id, _)| id.to_owned()).collect(),
        }
    }

    /// Returns the sort and the subject of each contradiction of a chapter on `storyline` between the states `self` and
    /// `after`. The `text` is read only where the dead may act in it.
    pub fn conflicts<E>(
        &self,
        after: &Self,
        (chapter, storyline): (ChapterNo, &Slug),
        registry: &Registry,
        text: impl FnOnce() -> Result<String, E>,
    ) -> Result<Vec<(Sort, String)>, E> {
        let mut found: Vec<(Sort, String)> =
            after.shared.difference(&self.shared).map(|item| (Sort::TwoOwners, item.clone())).collect();
        // A person who lives again afterwards has come back in this chapter.
        let dead: BTreeSet<&str> = self.dead.intersection(&after.dead).map(String::as_str).collect();
        if !dead.is_empty() {
            let text = text()?;
            if registry.index.names_one_of(&text, &dead) {
                let (none, no_people, nobody) = (State::default(), BTreeMap::new(), BTreeSet::new());
                let reading = ChapterReading::of(
                    ExaminedChapter {
                        chapter,
                        title: "",
                        text: &text,
                        storyline,
                        before: &none,
                        after: &none,
                        foreign: &no_people,
                        expected: &nobody,
                        undone: &[],
                    },
                    registry,
                );
                let dead = present(&reading, |id| dead.contains(id)).into_iter();
                found.extend(dead.map(|(id, _)| (Sort::Dead, registry.name(id).to_owned())));
            }
        }
        Ok(found)
    }
}

/// A size or a way that is so many halves of the earlier one is another one, since figures told twice are told roughly.
const HALVES: u64 = 3;
/// Money that grows by so many times has come from somewhere.
const MUCH_MORE: u64 = 2;
/// Steps that a book may take at once before it has taken any.
const USUAL_STEP: u32 = 1;
/// As [`USUAL_STEP`], for counted levels and for layers.
const USUAL_GRADES: u32 = 2;
const USUAL_LAYERS: u32 = 3;
/// Words of a sentence that explain a lower level.
const LOWERED: [&str; 18] = [
    "跌", "废", "散功", "封", "压制", "压到", "隐", "藏", "伪装", "装作", "退", "降", "假", "冒充", "自称", "重修",
    "转世", "夺舍",
];
/// Words of a sentence that explain another post.
const APPOINTED: [&str; 24] = [
    "升", "任", "调", "贬", "封", "拜", "擢", "提拔", "接", "继", "改", "授", "迁", "补", "当上", "成了", "做了", "转",
    "降", "革", "辞", "退", "前", "副",
];

/// The latest figures of a book, and the steps that its levels take.
#[derive(Debug, Clone, Default)]
pub(super) struct KnownFigures {
    figures: BTreeMap<FigureKey, (Value, String, ChapterNo)>,
    /// The greatest step of each kind of level so far.
    steps: BTreeMap<StepKind, u32>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum StepKind {
    Level(usize),
    Layer,
    Grade(char),
}

impl KnownFigures {
    /// The figures of a chapter that do not follow from earlier ones. Later chapters are compared with this one's
    /// figures.
    pub(super) fn jumps(&mut self, reading: &ChapterReading<'_>, registry: &Registry) -> Vec<Inconsistency> {
        self.forget_spent(reading.of.before, reading.of.after);
        self.forget_explained(reading);
        let mut findings = Vec::new();
        for Stated { key, value, words, at } in stated(reading, registry) {
            let chapter = reading.of.chapter;
            let known = self.figures.get(&key).filter(|(.., since)| *since != chapter).cloned();
            if let Some((was, told, since)) = known
                && !self.follows(&key.measure, &was, &value)
            {
                let entity = registry.name(&key.id).to_owned();
                let measure = key.measure.clone().with_names(registry);
                let what = Contradiction::Figure { entity, measure, was: told, since, is: words.clone() };
                findings.push(reading.finding(what, at));
            }
            self.figures.insert(key, (value, words, chapter));
        }
        findings
    }

    /// Forgets the money of people whose records change.
    fn forget_spent(&mut self, before: &State, after: &State) {
        if before.tree.get(Category::Items.as_str()) != after.tree.get(Category::Items.as_str()) {
            self.forget_money();
        }
        let has_changed = |id: &str| belongings(before, id) != belongings(after, id);
        self.figures.retain(|key, _| !(matches!(key.measure, AmountMeasure::Money(_)) && has_changed(&key.id)));
    }

    pub(super) fn forget_money(&mut self) {
        self.figures.retain(|key, _| !matches!(key.measure, AmountMeasure::Money(_)));
    }

    /// Forgets levels and posts of people whose change a sentence tells.
    fn forget_explained(&mut self, reading: &ChapterReading<'_>) {
        if self.figures.is_empty() {
            return;
        }
        let text = reading.of.text;
        let told = |words: &[&str]| -> BTreeSet<usize> {
            let places = words.iter().flat_map(|word| text.match_indices(word).map(|(at, _)| at));
            places.filter_map(|at| reading.whole_sentence(at)).map(|sentence| sentence.start).collect()
        };
        let (lowered, appointed) = (told(&LOWERED), told(&APPOINTED));
        for mention in reading.mentions.iter().filter(|mention| mention.ids.len() == 1) {
            let Some(sentence) = reading.whole_sentence(mention.range.start) else { continue };
            let (lowered, appointed) = (lowered.contains(&sentence.start), appointed.contains(&sentence.start));
            if lowered || appointed {
                self.figures.retain(|key, _| {
                    let is_explained = match key.measure {
                        AmountMeasure::Level | AmountMeasure::Grade(_) => lowered,
                        AmountMeasure::Post => appointed,
                        AmountMeasure::Size(_) | AmountMeasure::Way(_) | AmountMeasure::Money(_) => false,
                    };
                    key.id != mention.ids[0] || !is_explained
                });
            }
        }
    }

    fn follows(&mut self, measure: &AmountMeasure, was: &Value, is: &Value) -> bool {
        match (was, is) {
            (Value::Level { ladder, step, part }, Value::Level { ladder: other, step: now, part: new }) => {
                ladder != other || self.level_follows(*ladder, (*step, *part), (*now, *new))
            }
            (Value::Amount(was), Value::Amount(is)) => match measure {
                AmountMeasure::Grade(unit) => self.grade_follows(*unit, *was, *is),
                AmountMeasure::Money(_) => *is < was.saturating_mul(MUCH_MORE),
                _ => 2 * was.max(is) < HALVES * was.min(is),
            },
            (Value::Post { field, name }, Value::Post { field: other, name: now }) => field != other || name == now,
            _ => true,
        }
    }

    fn level_follows(&mut self, ladder: usize, was: (u32, Option<LevelPart>), is: (u32, Option<LevelPart>)) -> bool {
        if was.0 != is.0 {
            return is.0 > was.0 && self.is_usual(StepKind::Level(ladder), is.0 - was.0, USUAL_STEP);
        }
        match (was.1, is.1) {
            (Some(LevelPart::Layer(was)), Some(LevelPart::Layer(is))) => {
                is >= was && self.is_usual(StepKind::Layer, is - was, USUAL_LAYERS)
            }
            (Some(LevelPart::Stage(was)), Some(LevelPart::Stage(is))) => is >= was,
            _ => true,
        }
    }

    /// Official ranks are counted downwards and levels of other things upwards, so that of 品 only the distance counts.
    fn grade_follows(&mut self, unit: char, was: u64, is: u64) -> bool {
        let step = u32::try_from(was.abs_diff(is)).unwrap_or(u32::MAX);
        (unit == '品' || is >= was) && self.is_usual(StepKind::Grade(unit), step, USUAL_GRADES)
    }

    /// True for a step that is no greater than the book's largest so far, which it then becomes.
    fn is_usual(&mut self, kind: StepKind, step: u32, at_first: u32) -> bool {
        let greatest = self.steps.entry(kind).or_default();
        let is_usual = step <= at_first.max(*greatest);
        *greatest = step.max(*greatest);
        is_usual
    }
}

/// The fields of a person that may be about money: all but those that change with every scene.
fn belongings(state: &State, id: &str) -> Vec<(String, Json)> {
    let fields =
        state.tree.get(Category::Characters.as_str()).and_then(|people| people.get(id)).and_then(Json::as_object);
    let is_of_scene = |field: &str| ["location", "emotional_state", "relationships", "display_name"].contains(&field);
    let kept = fields.into_iter().flatten().filter(|(field, _)| !is_of_scene(field));
    kept.map(|(field, value)| (field.clone(), value.clone())).collect()
}

impl AmountMeasure {
    /// Replaces the id of a place by its name.
    fn with_names(self, registry: &Registry) -> Self {
        match self {
            Self::Way(other) => Self::Way(registry.name(&other).to_owned()),
            other => other,
        }
    }

    /// The measure in Chinese: 境界, 身高, 到渡口的路程.
    pub fn in_chinese(&self) -> String {
        match self {
            Self::Level => "境界".to_owned(),
            Self::Grade(unit) => format!("{unit}位"),
            Self::Size('方') => "方圆".to_owned(),
            Self::Size('径') => "直径".to_owned(),
            Self::Size('重') => "重量".to_owned(),
            Self::Size(name) => format!("{name}度"),
            Self::Way(other) => format!("到{other}的路程"),
            Self::Money(kind) => (*kind).to_owned(),
            Self::Post => "职衔".to_owned(),
        }
    }
}
