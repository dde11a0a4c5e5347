//! The people who speak and act in a chapter, and whether they can.

use super::{Contradiction, Finding, Reading, Registry};
use crate::domain::state::Category;
use serde_json::Value;
use std::collections::BTreeSet;

/// Words that follow the name of a person who is present and acts.
const ACTS: [&str; 44] = [
    "说",
    "道",
    "问",
    "答",
    "喊",
    "叫道",
    "笑道",
    "笑了",
    "点头",
    "点了点头",
    "摇头",
    "摇了摇头",
    "站起",
    "站在",
    "坐在",
    "坐下",
    "走进",
    "走到",
    "走过",
    "走出",
    "转身",
    "推开",
    "推门",
    "抬头",
    "抬起",
    "低头",
    "伸手",
    "拿起",
    "接过",
    "递",
    "看着",
    "看了",
    "望着",
    "盯着",
    "皱眉",
    "皱了",
    "沉默",
    "开口",
    "冷笑",
    "应了",
    "叹了",
    "咳了",
    "笑着",
    "抓起",
];
/// Adverbs between a name and an act.
const BETWEEN: [&str; 14] =
    ["也", "又", "便", "就", "却", "才", "忽然", "突然", "缓缓", "轻轻", "低声", "立刻", "没有", "慢慢"];
/// Words of a sentence about another time, or about things that are not there.
const NOT_NOW: [&str; 30] = [
    "当年", "生前", "曾", "从前", "以前", "那年", "那时", "梦", "想起", "记得", "记起", "回忆", "仿佛", "好像", "如果",
    "要是", "若", "遗像", "照片", "坟", "墓", "灵位", "遗", "魂", "鬼", "录音", "信里", "信上", "幻", "已故",
];
pub(super) fn is_of_another_time(sentence: &str) -> bool {
    NOT_NOW.iter().any(|word| sentence.contains(word))
}

/// Fields of a person's state that may tell of death.
const LIFE: [&str; 6] = ["status", "state", "health", "condition", "life", "alive"];
/// Words of such a field that mean death.
const DEATH: [&str; 12] = ["死", "亡", "身故", "去世", "过世", "毙命", "殒", "殉", "遇害", "牺牲", "dead", "deceased"];
/// Words that contain one of [`DEATH`] and mean life.
const ALIVE: [&str; 9] = ["未死", "没死", "假死", "濒死", "生死", "不死", "诈死", "装死", "流亡"];

/// The state's words for a person's death; `None` for the living.
#[must_use]
pub fn death(fields: &Value) -> Option<String> {
    LIFE.iter().find_map(|field| match fields.get(*field)? {
        Value::Bool(false) if *field == "alive" => Some("alive: false".to_owned()),
        Value::String(text) => {
            let text_is = |words: &[&str]| words.iter().any(|word| text.contains(word));
            (text_is(&DEATH) && !text_is(&ALIVE)).then(|| text.clone())
        }
        _ => None,
    })
}

/// Each person's first place in the text where the person speaks or acts in the present.
pub(super) fn acting<'a>(reading: &'a Reading<'_>) -> impl Iterator<Item = (&'a str, usize)> {
    let mut seen = BTreeSet::new();
    let present = reading.mentions.iter().filter(|mention| {
        let [_] = mention.ids.as_slice() else { return false };
        if reading.is_spoken(mention.range.start) {
            return false;
        }
        let mut rest = &reading.of.text[mention.range.end..];
        while let Some(after) = BETWEEN.iter().find_map(|word| rest.strip_prefix(word)) {
            rest = after;
        }
        let sentence = reading.sentence_at(mention.range.start);
        ACTS.iter().any(|act| rest.starts_with(act)) && !is_of_another_time(&sentence)
    });
    present.map(|mention| (mention.ids[0].as_str(), mention.range.start)).filter(move |(id, _)| seen.insert(*id))
}

/// Dead or retired people who speak or act.
pub(super) fn acting_without(reading: &Reading<'_>, registry: &Registry) -> Vec<Finding> {
    let dead = |id: &str| {
        let (before, after) = (reading.of.before.tree.get(Category::Characters.as_str())?, &reading.of.after);
        let record = death(before.get(id)?)?;
        // A person who lives again afterwards has come back in this chapter.
        after.tree.get(Category::Characters.as_str())?.get(id).and_then(death).map(|_| record)
    };
    let has_left =
        |id: &str| registry.retired.get(id).is_some_and(|last| last.is_none_or(|last| last < reading.of.chapter));
    acting(reading)
        .filter_map(|(id, at)| {
            let person = registry.name(id).to_owned();
            let what = match dead(id) {
                Some(record) => Contradiction::Dead { person, record },
                None if has_left(id) => Contradiction::Retired { person },
                None => return None,
            };
            Some(reading.finding(what, at))
        })
        .collect()
}

/// The first mention of each person of another storyline.
pub(super) fn foreign(reading: &Reading<'_>, registry: &Registry) -> Vec<Finding> {
    let mut seen = BTreeSet::new();
    let named = reading.mentions.iter().filter_map(|mention| {
        let [id] = mention.ids.as_slice() else { return None };
        let line = reading.of.foreign.get(id)?;
        seen.insert(id.as_str()).then(|| {
            let what = Contradiction::Leak { person: registry.name(id).to_owned(), line: line.clone() };
            reading.finding(what, mention.range.start)
        })
    });
    named.collect()
}
