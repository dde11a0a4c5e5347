//! Figures that a text gives people, things and places: levels, sizes, distances, money, posts.
//! Only statements that can hardly mean anything else are read: a name, words such as 已是 or 重, and an exact figure,
//! outside speech, of the present.

use crate::text::consistency::figures::number_at;
use crate::text::consistency::{ChapterReading, Mention, Registry};
use std::cell::LazyCell;
use std::collections::BTreeSet;

/// Two figures are compared when they have one subject and one measure.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct FigureKey {
    pub(super) id: String,
    pub(super) measure: AmountMeasure,
}

#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum AmountMeasure {
    /// A level of a ladder of names: 炼气, 筑基.
    Level,
    /// A level that is counted: 三阶, 五品.
    Grade(char),
    /// A length or a weight, by its first word: 高, 重.
    Size(char),
    /// The way to another place: the id of the place, or its name in a finding.
    Way(String),
    /// Money in hand, by its kind.
    Money(&'static str),
    /// A post: 科长, 掌门.
    Post,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Value {
    /// A step of a ladder, and the part of the step where the text gives one.
    Level {
        ladder: usize,
        step: u32,
        part: Option<LevelPart>,
    },
    /// Anything counted, in its smallest unit.
    Amount(u64),
    Post {
        field: usize,
        name: &'static str,
    },
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum LevelPart {
    /// 三层.
    Layer(u32),
    /// 初期 to 巅峰, counted from 1.
    Stage(u32),
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Stated {
    pub(super) key: FigureKey,
    pub(super) value: Value,
    pub(super) words: String,
    pub(super) at: usize,
}

/// The steps that most books of cultivation share, each with its spellings.
const STEPS: [&[&str]; 9] = [
    &["炼气", "练气", "凝气"],
    &["筑基"],
    &["金丹", "结丹"],
    &["元婴"],
    &["化神"],
    &["炼虚", "返虚"],
    &["合体"],
    &["大乘"],
    &["渡劫"],
];
const STAGES: [(&str, u32); 6] = [("初期", 1), ("前期", 1), ("中期", 2), ("后期", 3), ("巅峰", 4), ("大圆满", 4)];

/// Words between a name and its level, and whether they say that it is one.
const LINKS: [(&str, bool); 35] = [
    ("，", false),
    ("的修为", false),
    ("的境界", false),
    ("修为", false),
    ("境界", false),
    ("如今", false),
    ("现在", false),
    ("已经", false),
    ("早已", false),
    ("已", false),
    ("便", false),
    ("就", false),
    ("也", false),
    ("才", true),
    ("不过", true),
    ("只是", true),
    ("还是", true),
    ("仍是", true),
    ("正是", true),
    ("是", true),
    ("乃", true),
    ("达到", true),
    ("到了", true),
    ("踏入", true),
    ("突破到", true),
    ("突破至", true),
    ("晋入", true),
    ("升到", true),
    ("升至", true),
    ("步入", true),
    ("迈入", true),
    ("成了", true),
    ("了", false),
    ("一名", false),
    ("一位", false),
];
const MOST_LINKS: usize = 6;
/// Units of counted levels.
const GRADES: [char; 4] = ['阶', '级', '品', '星'];
/// Words that may follow a counted level; before any other word the number counts something else: 三级台阶.
const BEHIND_GRADE: [&str; 16] =
    ["，", "。", "；", "！", "的", "了", "武者", "法器", "灵器", "宝器", "修士", "强者", "丹", "大员", "官", "魂师"];
/// Words of a sentence that tells of another time, of a wish, or of what is not so.
const NOT_SO: [&str; 30] = [
    "如果", "若", "要是", "假如", "等到", "将来", "以后", "想要", "打算", "快要", "即将", "不到", "尚未", "还没",
    "没有", "未", "梦", "便能", "才能", "曾", "以前", "从前", "当年", "原来", "那年", "当时", "似乎", "好像", "据说",
    "假扮",
];
/// Words of a sentence in which a size changes.
const CHANGES: [&str; 8] = ["变", "化作", "暴涨", "缩", "伸", "长到", "涨到", "窜"];

/// Measures of sizes, the longer words first, with the character that names each.
const SIZES: [(&str, char); 12] = [
    ("身高", '高'),
    ("身长", '高'),
    ("方圆", '方'),
    ("直径", '径'),
    ("高达", '高'),
    ("重达", '重'),
    ("高", '高'),
    ("长", '长'),
    ("宽", '宽'),
    ("重", '重'),
    ("深", '深'),
    ("厚", '厚'),
];
/// Words before the figure of a size, a way or an amount of money.
const ABOUT: [&str; 16] = [
    "只有",
    "足有",
    "足足有",
    "足足",
    "约有",
    "大约",
    "约莫",
    "约",
    "还有",
    "尚有",
    "有",
    "不过",
    "整整",
    "才",
    "是",
    "共",
];
/// Units of length and of weight with their sizes: tenths of a 寸, 钱.
const LENGTHS: [(&str, u64); 10] = [
    ("公里", 30_000),
    ("千米", 30_000),
    ("华里", 15_000),
    ("厘米", 3),
    ("寸", 10),
    ("尺", 100),
    ("丈", 1000),
    ("里", 15_000),
    ("步", 500),
    ("米", 300),
];
const WEIGHTS: [(&str, u64); 6] = [("公斤", 200), ("千克", 200), ("钱", 1), ("两", 10), ("斤", 100), ("吨", 200_000)];
/// Kinds of money by their words behind a number, with their sizes.
const MONEY: [(&str, &str, u64); 16] = [
    ("两黄金", "金子", 1),
    ("两金子", "金子", 1),
    ("两白银", "银两", 1),
    ("两纹银", "银两", 1),
    ("两银子", "银两", 1),
    ("两银", "银两", 1),
    ("文钱", "铜钱", 1),
    ("文铜钱", "铜钱", 1),
    ("枚铜钱", "铜钱", 1),
    ("个铜板", "铜钱", 1),
    ("贯钱", "铜钱", 1000),
    ("块大洋", "大洋", 1),
    ("块钱", "钱", 1),
    ("元钱", "钱", 1),
    ("块灵石", "灵石", 1),
    ("枚灵石", "灵石", 1),
];
/// The places of money, and the verbs that say so.
const PURSES: [&str; 10] = ["身上", "手里", "手头", "怀里", "兜里", "口袋里", "囊中", "名下", "家里", "，"];
const HAS: [&str; 12] =
    ["还剩下", "只剩下", "只剩", "还剩", "剩下", "剩", "总共有", "一共有", "只有", "还有", "揣着", "带着"];
/// Words between two places and their distance.
const WAYS: [&str; 6] = ["相距", "距离", "距", "离", "到", "至"];

/// Posts by field. One person has one post of a field at a time.
const POSTS: [&[&str]; 4] = [
    &["主任", "科长", "处长", "局长", "厅长", "部长", "所长", "队长", "组长", "校长", "院长", "经理", "总监", "董事长"],
    &["班长", "排长", "连长", "营长", "团长", "旅长", "师长", "军长"],
    &["县令", "知县", "知府", "知州", "巡抚", "总督", "布政使", "按察使"],
    &["掌门", "长老", "堂主", "舵主", "帮主", "宗主", "峰主", "阁主", "教主", "寨主"],
];

pub(super) fn stated(reading: &ChapterReading<'_>, registry: &Registry) -> Vec<Stated> {
    let mut found = Vec::new();
    for (n, mention) in reading.mentions.iter().enumerate() {
        let [id] = mention.ids.as_slice() else { continue };
        let (text, at) = (reading.of.text, mention.range.start);
        let is_person = registry.people.contains(id);
        let next = reading.mentions.get(n + 1).filter(|other| is_way_to(other, mention, text) && !is_person);
        // A chapter's sentences take longer to split than a line takes to be searched, and few names have a figure
        // beside them.
        let line =
            text[..at].rfind('\n').map_or(0, |end| end + 1)..text[at..].find('\n').map_or(text.len(), |end| at + end);
        let is_beside = may_be_beside(&text[line.start..at], &text[mention.range.end..line.end], &registry.ladders);
        if next.is_none() && !is_beside {
            continue;
        }
        let Some(sentence) = reading.whole_sentence(at).filter(|_| !reading.is_spoken(at)) else { continue };
        let end = sentence.start + sentence.raw.len();
        let rest = text.get(mention.range.end..end).unwrap_or_default();
        let before = &text[sentence.start..at];
        let mut add = |measure, (value, words): (Value, String)| {
            found.push(Stated { key: FigureKey { id: id.clone(), measure }, value, words, at });
        };
        if let Some(post) = is_person.then(|| post(before, rest)).flatten() {
            add(AmountMeasure::Post, post);
        }
        // Looking for thirty words takes longer than looking for a figure, and few names have one.
        let is_so = LazyCell::new(|| !NOT_SO.iter().any(|word| sentence.raw.contains(word)));
        if let Some(level) = is_person.then(|| level(before, rest, &registry.ladders)).flatten().filter(|_| *is_so) {
            add(AmountMeasure::Level, level);
        }
        if let Some((unit, grade)) = grade(rest).filter(|_| *is_so) {
            add(AmountMeasure::Grade(unit), grade);
        }
        let is_changing = || CHANGES.iter().any(|word| sentence.raw.contains(word));
        if let Some((name, size)) = size(rest).filter(|_| *is_so && !is_changing()) {
            add(AmountMeasure::Size(name), size);
        }
        if let Some((kind, money)) = is_person.then(|| money(rest)).flatten().filter(|_| *is_so) {
            add(AmountMeasure::Money(kind), money);
        }
        if let Some(other) = next.filter(|other| other.range.end < end)
            && let [other_id] = other.ids.as_slice()
            && !registry.people.contains(other_id)
            && let Some(way) = way(&text[other.range.end..end]).filter(|_| *is_so)
        {
            let (id, other) = (id.min(other_id).clone(), id.max(other_id).clone());
            found.push(Stated {
                key: FigureKey { id, measure: AmountMeasure::Way(other) },
                value: way.0,
                words: way.1,
                at,
            });
        }
    }
    found
}

/// True when the words around a name in its line may give it a figure; never false for a sentence that does.
fn may_be_beside(before: &str, rest: &str, ladders: &[Ladder]) -> bool {
    let is_linked = || linked(rest).is_some_and(|rest| number_at(rest).is_some() || level_at(rest, ladders).is_some());
    let is_post = || {
        let mut posts = POSTS.iter().copied().flatten();
        posts.any(|name| rest.starts_with(name) || before.ends_with(name))
    };
    let is_level_in_front = || {
        let clause = clause_of_name(before).unwrap_or_default();
        clause
            .char_indices()
            .any(|(at, _)| level_at(&clause[at..], ladders).is_some_and(|(_, words)| clause[at..] == words))
    };
    size(rest).is_some() || money(rest).is_some() || is_linked() || is_post() || is_level_in_front()
}

fn is_way_to(other: &Mention, mention: &Mention, text: &str) -> bool {
    text.get(mention.range.end..other.range.start).is_some_and(|between| WAYS.contains(&between))
}

fn without<'a>(mut text: &'a str, words: &[&str]) -> &'a str {
    while let Some(rest) = words.iter().find_map(|word| text.strip_prefix(word)) {
        text = rest;
    }
    text
}

/// The rest of a line behind a name and the links after it, where these say that a level follows.
fn linked(mut rest: &str) -> Option<&str> {
    let mut says = false;
    for _ in 0..MOST_LINKS {
        let Some((after, is_verb)) = LINKS.iter().find_map(|(link, is_verb)| Some((rest.strip_prefix(link)?, is_verb)))
        else {
            break;
        };
        (rest, says) = (after, says || *is_verb);
    }
    says.then_some(rest)
}

/// The clause that describes a name by 的, without the 的: 筑基初期 before 的林枫.
fn clause_of_name(before: &str) -> Option<&str> {
    let clause = before.strip_suffix('的')?;
    Some(&clause[clause.rfind(['，', '。', '；']).map_or(0, |at| at + '，'.len_utf8())..])
}

/// A level behind the links, or right before the name: 筑基初期的林枫.
fn level(before: &str, rest: &str, ladders: &[Ladder]) -> Option<(Value, String)> {
    let in_front = || {
        let clause = clause_of_name(before)?;
        let (value, words) = clause.char_indices().find_map(|(at, _)| level_at(&clause[at..], ladders))?;
        clause.ends_with(words.as_str()).then_some((value, words))
    };
    linked(rest).and_then(|rest| level_at(rest, ladders)).or_else(in_front)
}

fn level_at(text: &str, ladders: &[Ladder]) -> Option<(Value, String)> {
    let find = |(ladder, steps): (usize, &Ladder)| {
        let length = |names: &Vec<String>| {
            names.iter().filter(|name| text.starts_with(name.as_str())).map(|name| name.len()).max()
        };
        let found = steps.iter().zip(1..).filter_map(|(names, step)| Some((ladder, step, length(names)?)));
        found.max_by_key(|(.., length)| *length)
    };
    let (ladder, step, length) = ladders.iter().enumerate().find_map(find)?;
    let mut behind = &text[length..];
    behind = behind.strip_prefix('期').unwrap_or(behind);
    behind = behind.strip_prefix("境界").or_else(|| behind.strip_prefix('境')).unwrap_or(behind);
    let part = part_at(behind);
    let words = &text[..text.len() - behind.len() + part.map_or(0, |(_, length)| length)];
    let next = &text[words.len()..];
    let is_other = ["丹", "以", "门", "失败", "不成"].iter().any(|word| next.starts_with(word));
    (!is_other).then(|| (Value::Level { ladder, step, part: part.map(|(part, _)| part) }, words.to_owned()))
}

fn part_at(text: &str) -> Option<(LevelPart, usize)> {
    if let Some((name, stage)) = STAGES.iter().find(|(name, _)| text.starts_with(name)) {
        return Some((LevelPart::Stage(*stage), name.len()));
    }
    let text_behind = text.strip_prefix('第').unwrap_or(text);
    let (number, length) = number_at(text_behind)?;
    let unit = text_behind[length..].chars().next().filter(|unit| "层重".contains(*unit))?;
    let length = text.len() - text_behind.len() + length + unit.len_utf8();
    Some((LevelPart::Layer(u32::try_from(number).ok()?), length))
}

fn grade(rest: &str) -> Option<(char, (Value, String))> {
    let rest = linked(rest)?;
    let (number, length) = number_at(rest)?;
    let unit = rest[length..].chars().next().filter(|unit| GRADES.contains(unit))?;
    let end = length + unit.len_utf8();
    let behind = &rest[end..];
    let counts = behind.is_empty() || BEHIND_GRADE.iter().any(|word| behind.starts_with(word));
    counts.then(|| (unit, (Value::Amount(number), rest[..end].to_owned())))
}

fn amount_in(text: &str, units: &[(&str, u64)]) -> Option<(Value, String)> {
    let (number, length) = number_at(text)?;
    let (unit, size) = units.iter().find(|(unit, _)| text[length..].starts_with(unit))?;
    let words = &text[..length + unit.len()];
    Some((Value::Amount(number.checked_mul(*size)?), words.to_owned()))
}

fn size(rest: &str) -> Option<(char, (Value, String))> {
    let (name, rest) = SIZES.iter().find_map(|(word, name)| Some((*name, rest.strip_prefix(word)?)))?;
    let units: &[(&str, u64)] = if name == '重' { &WEIGHTS } else { &LENGTHS };
    Some((name, amount_in(without(rest, &ABOUT), units)?))
}

fn way(rest: &str) -> Option<(Value, String)> {
    let rest = rest.strip_prefix("的路程").or_else(|| rest.strip_prefix("的路")).unwrap_or(rest);
    let rest = rest.strip_prefix('，').unwrap_or(rest);
    amount_in(without(rest, &ABOUT), &LENGTHS)
}

fn money(rest: &str) -> Option<(&'static str, (Value, String))> {
    let rest = without(rest, &PURSES);
    let rest = HAS.iter().find_map(|verb| rest.strip_prefix(verb))?;
    let (number, length) = number_at(rest)?;
    let (words, kind, size) = MONEY.iter().find(|(words, ..)| rest[length..].starts_with(words))?;
    Some((kind, (Value::Amount(number.checked_mul(*size)?), rest[..length + words.len()].to_owned())))
}

/// A post right behind the name, or right before it at the beginning of a clause.
fn post(before: &str, rest: &str) -> Option<(Value, String)> {
    let posts = || POSTS.iter().enumerate().flat_map(|(field, names)| names.iter().map(move |name| (field, *name)));
    let behind = || posts().find(|(_, name)| rest.starts_with(name) && !rest[name.len()..].starts_with(['们', '室']));
    let in_front = || {
        posts().find(|(_, name)| {
            before
                .strip_suffix(name)
                .is_some_and(|clause| clause.is_empty() || clause.ends_with(['，', '“', '；', '：']))
        })
    };
    let (field, name) = behind().or_else(in_front)?;
    Some((Value::Post { field, name }, name.to_owned()))
}

const LIST_OF_LEVELS: [&str; 7] = ["境界", "等级", "品阶", "修为", "级别", "位阶", "阶位"];
const LEAST_STEPS: usize = 4;
const LONGEST_STEP: usize = 5;

/// Levels, the lowest first, each with its spellings.
pub type Ladder = Vec<Vec<String>>;

/// The ladders of a book: those that its rules list, and the one that most books of cultivation share.
pub fn ladders<'r>(rules: impl IntoIterator<Item = &'r str>) -> Vec<Ladder> {
    let shared = STEPS.iter().map(|names| names.iter().map(|name| (*name).to_owned()).collect()).collect();
    rules.into_iter().flat_map(listed).chain([shared]).collect()
}

/// The ladders that a rule lists, as in 境界分为锻体、通脉、凝元、归真四等.
fn listed(rule: &str) -> Vec<Ladder> {
    if !LIST_OF_LEVELS.iter().any(|word| rule.contains(word)) {
        return Vec::new();
    }
    rule.split(['。', '；', '，', '：', ':', '\n']).filter_map(ladder).collect()
}

fn ladder(clause: &str) -> Option<Ladder> {
    let mut steps: Vec<&str> = clause.split(['、', '→', '>', '＞']).map(str::trim).collect();
    if steps.len() < LEAST_STEPS {
        return None;
    }
    let first = steps.first_mut()?;
    let leads = ["分为", "分作", "依次为", "依次是", "依次", "为", "有", "是"];
    let start = leads.iter().find_map(|word| first.rfind(word).map(|at| at + word.len()));
    *first = &first[start.unwrap_or(0)..];
    let last = steps.last_mut()?;
    if let Some(at) = last.find(['等', '共']) {
        *last = last[..at].trim_end_matches(|c| "一二三四五六七八九十".contains(c));
    }
    let distinct: BTreeSet<&&str> = steps.iter().collect();
    let is_step = |step: &&str| (1..=LONGEST_STEP).contains(&step.chars().count());
    (steps.iter().all(is_step) && distinct.len() == steps.len())
        .then(|| steps.iter().map(|step| vec![(*step).to_owned()]).collect())
}
