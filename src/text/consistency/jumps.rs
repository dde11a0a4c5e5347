//! Figures that do not follow from earlier ones of the same subject.

use super::amounts::{Key, Measure, Part, Stated, Value, stated};
use super::{Contradiction, Finding, Reading, Registry};
use crate::domain::ChapterNo;
use crate::domain::state::{Category, State};
use serde_json::Value as Json;
use std::collections::{BTreeMap, BTreeSet};

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
pub(super) struct Known {
    figures: BTreeMap<Key, (Value, String, ChapterNo)>,
    /// The greatest step of each kind of level so far.
    steps: BTreeMap<StepKind, u32>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum StepKind {
    Level(usize),
    Layer,
    Grade(char),
}

impl Known {
    /// The figures of a chapter that do not follow from earlier ones. Later chapters are compared with this one's
    /// figures.
    pub(super) fn jumps(&mut self, reading: &Reading<'_>, registry: &Registry) -> Vec<Finding> {
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
        self.figures.retain(|key, _| !(matches!(key.measure, Measure::Money(_)) && has_changed(&key.id)));
    }

    pub(super) fn forget_money(&mut self) {
        self.figures.retain(|key, _| !matches!(key.measure, Measure::Money(_)));
    }

    /// Forgets levels and posts of people whose change a sentence tells.
    fn forget_explained(&mut self, reading: &Reading<'_>) {
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
                        Measure::Level | Measure::Grade(_) => lowered,
                        Measure::Post => appointed,
                        Measure::Size(_) | Measure::Way(_) | Measure::Money(_) => false,
                    };
                    key.id != mention.ids[0] || !is_explained
                });
            }
        }
    }

    fn follows(&mut self, measure: &Measure, was: &Value, is: &Value) -> bool {
        match (was, is) {
            (Value::Level { ladder, step, part }, Value::Level { ladder: other, step: now, part: new }) => {
                ladder != other || self.level_follows(*ladder, (*step, *part), (*now, *new))
            }
            (Value::Amount(was), Value::Amount(is)) => match measure {
                Measure::Grade(unit) => self.grade_follows(*unit, *was, *is),
                Measure::Money(_) => *is < was.saturating_mul(MUCH_MORE),
                _ => 2 * was.max(is) < HALVES * was.min(is),
            },
            (Value::Post { field, name }, Value::Post { field: other, name: now }) => field != other || name == now,
            _ => true,
        }
    }

    fn level_follows(&mut self, ladder: usize, was: (u32, Option<Part>), is: (u32, Option<Part>)) -> bool {
        if was.0 != is.0 {
            return is.0 > was.0 && self.is_usual(StepKind::Level(ladder), is.0 - was.0, USUAL_STEP);
        }
        match (was.1, is.1) {
            (Some(Part::Layer(was)), Some(Part::Layer(is))) => {
                is >= was && self.is_usual(StepKind::Layer, is - was, USUAL_LAYERS)
            }
            (Some(Part::Stage(was)), Some(Part::Stage(is))) => is >= was,
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

impl Measure {
    /// Replaces the id of a place by its name.
    fn with_names(self, registry: &Registry) -> Self {
        match self {
            Self::Way(other) => Self::Way(registry.name(&other).to_owned()),
            other => other,
        }
    }

    /// The measure in Chinese: 境界, 身高, 到渡口的路程.
    #[must_use]
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
