//! Mentions of other storylines in a chapter, found by code: their people, the things and places of these, groups, and
//! foreshadowings.
//! People and things of the state with their names in texts.
//! The plans of volume and chapter, and the end of the chapter before.

use crate::agents::context::cast::is_planned_here;
use crate::agents::context::chapter::Recent;
use crate::agents::context::rules::words_of;
use crate::agents::context::{PartLimits, chars};
use crate::agents::prelude::*;
use crate::domain::state::State;
use crate::domain::world::contract::{ChapterContract, EMOTION, KEEPS, LOCATION};
use crate::domain::world::storyline::Status;
use crate::text::{self, NameIndex, NamedEntity};

const MOST: usize = 20;
/// The most characters of the sentence around a mention.
const QUOTED: usize = 60;
/// Shorter names of things, in characters, are not told from other words.
const SHORTEST: usize = 3;
/// Letters that a foreshadowing and a text do not share by chance.
const SHARED: usize = 6;

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum MentionKind {
    Person,
    Item,
    Place,
    Faction,
    Foreshadowing,
}

impl MentionKind {
    fn name(self) -> &'static str {
        match self {
            Self::Person => "人物",
            Self::Item => "物件",
            Self::Place => "地点",
            Self::Faction => "势力",
            Self::Foreshadowing => "伏笔",
        }
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Mentioned {
    pub(crate) kind: MentionKind,
    /// The name in the records, or a foreshadowing's id.
    pub(crate) name: String,
    /// The words in the text.
    pub(crate) form: String,
    /// The storylines, the first one first.
    pub(crate) lines: Vec<Slug>,
    pub(crate) evidence: String,
}

/// The mentions of other storylines in the text, each once, by kind and in the order of the text.
pub(crate) fn mentioned_elsewhere(context: &ChapterContext, text: &str) -> Vec<Mentioned> {
    let foreign = foreign_people(context);
    let things = foreign_things(context, &foreign);
    let people = context.characters.iter().map(named);
    let of_state = named_in(&context.state).filter(|thing| !foreign.contains_key(&thing.id));
    let listed = things.keys().map(|name| NamedEntity {
        id: name.clone(),
        name: name.clone(),
        aliases: Vec::new(),
        is_person: false,
    });
    let index = NameIndex::new(&people.chain(of_state).chain(listed).collect::<Vec<_>>());
    let mut seen = BTreeSet::new();
    let mut found = Vec::new();
    for mention in index.mentions(text) {
        let [id] = mention.ids.as_slice() else { continue };
        let known = foreign.get(id).map(|(name, lines)| (MentionKind::Person, name, lines));
        let known = known.or_else(|| things.get(id).map(|(kind, lines)| (*kind, id, lines)));
        let Some((kind, name, lines)) = known.filter(|_| seen.insert(id.clone())) else { continue };
        let (form, evidence) = (mention.form, sentence_at(text, mention.range.start));
        found.push(Mentioned { kind, name: name.clone(), form, lines: lines.clone(), evidence });
    }
    found.extend(foreshadowings(context, text, &index));
    found.sort_by_key(|mentioned| mentioned.kind);
    found
}

/// The mentions for the summarizer, a line each.
pub(crate) fn mentions(context: &ChapterContext, text: &str) -> String {
    bullets(mentioned_elsewhere(context, text).into_iter().take(MOST).map(|mentioned| {
        let Mentioned { kind, name, form, lines, evidence } = mentioned;
        let lines = lines.iter().map(Slug::as_str).collect::<Vec<_>>().join("、");
        let form = if form == name { String::new() } else { format!("，正文作“{form}”") };
        format!("{} {name}（{lines}{form}）：“{}”", kind.name(), clip_line(&evidence, QUOTED))
    }))
}

/// People outside the chapter's line and plan by id, with the name and the lines.
fn foreign_people(context: &ChapterContext) -> BTreeMap<String, (String, Vec<Slug>)> {
    let own = context.storyline();
    let is_foreign = |person: &&Character| !context.storylines.has_on(own, person) && !is_planned_here(context, person);
    let lines = |person: &Character| -> Vec<Slug> {
        let running = context.storylines.lines.iter().filter(|line| line.status != Status::Ended);
        running.filter(|line| line.includes(person)).map(|line| line.id.clone()).collect()
    };
    let people = context.characters.iter().filter(is_foreign);
    let people = people.map(|person| (person.id.to_string(), (person.display_name.clone(), lines(person))));
    people.filter(|(_, (_, lines))| !lines.is_empty()).collect()
}

/// Items, places and groups that the state ties only to such people, by name, or by id where the state names them.
fn foreign_things(
    context: &ChapterContext,
    foreign: &BTreeMap<String, (String, Vec<Slug>)>,
) -> BTreeMap<String, (MentionKind, Vec<Slug>)> {
    let mut tied: BTreeMap<String, (MentionKind, BTreeSet<&str>)> = BTreeMap::new();
    let mut tie = |name: &str, kind: MentionKind, person| {
        if name.chars().count() >= SHORTEST {
            tied.entry(name.to_owned()).or_insert((kind, BTreeSet::new())).1.insert(person);
        }
    };
    for (id, fields) in context.state.entities(Category::Characters) {
        texts(fields.get("inventory")).for_each(|item| tie(item, MentionKind::Item, id));
        texts(fields.get("location")).for_each(|place| tie(place, MentionKind::Place, id));
    }
    let people: Vec<&str> = context.characters.iter().map(|person| person.id.as_str()).collect();
    for (category, kind) in [(Category::Items, MentionKind::Item), (Category::Factions, MentionKind::Faction)] {
        for (id, fields) in context.state.entities(category) {
            let values = fields.as_object().into_iter().flat_map(|fields| fields.values());
            let tied_to = values
                .flat_map(|value| texts(Some(value)))
                .filter_map(|value| people.iter().find(|person| **person == value).copied());
            tied_to.for_each(|person| tie(id, kind, person));
        }
    }
    let lines_of = |(name, (kind, people)): (String, (MentionKind, BTreeSet<&str>))| {
        let lines = people.iter().map(|person| foreign.get(*person).map(|(_, lines)| lines));
        let lines: Option<Vec<&Vec<Slug>>> = lines.collect();
        let lines: BTreeSet<Slug> = lines?.into_iter().flatten().cloned().collect();
        (!lines.is_empty()).then(|| (name, (kind, lines.into_iter().collect())))
    };
    tied.into_iter().filter_map(lines_of).collect()
}

/// The value if it is a text, or the texts of a list.
fn texts(value: Option<&Value>) -> impl Iterator<Item = &str> {
    let list = value.and_then(Value::as_array).into_iter().flatten();
    value.and_then(Value::as_str).into_iter().chain(list.filter_map(Value::as_str))
}

/// Open foreshadowings of other lines that the text mentions: a name of a thing in them, or a passage.
fn foreshadowings(context: &ChapterContext, text: &str, index: &NameIndex) -> Vec<Mentioned> {
    let people: BTreeSet<String> = context.characters.iter().map(|person| person.id.to_string()).collect();
    let is_thing =
        |form: &str, ids: &[String]| form.chars().count() >= SHORTEST && !ids.iter().any(|id| people.contains(id));
    let open = context.ledger.open().filter(|entry| {
        entry.storyline != *context.storyline() && context.section.tasks.iter().all(|task| task.id != entry.id)
    });
    let found = open.filter_map(|entry| {
        let about: Vec<&str> = std::iter::once(&entry.description)
            .chain(entry.history.iter().map(|s| &s.detail))
            .map(String::as_str)
            .collect();
        let about = about.join("\n");
        let name = index.mentions(&about).into_iter().find(|m| is_thing(&m.form, &m.ids) && text.contains(&m.form));
        let passage = || {
            let run = text::longest_shared_run(&about, text, SHARED)?;
            about.get(run.first).map(str::to_owned)
        };
        let form = name.map(|mention| mention.form).or_else(passage)?;
        let at = text.find(&form).unwrap_or_default();
        let (name, lines) = (entry.id.to_string(), vec![entry.storyline.clone()]);
        Some(Mentioned { kind: MentionKind::Foreshadowing, name, form, lines, evidence: sentence_at(text, at) })
    });
    found.collect()
}

fn sentence_at(body: &str, at: usize) -> String {
    let sentence = text::prose_sentences(body).into_iter().rfind(|sentence| sentence.start <= at);
    sentence.map(|sentence| sentence.text().to_owned()).unwrap_or_default()
}

/// A person with all forms of the name longer than one character, those of before included.
pub(crate) fn named(person: &Character) -> NamedEntity {
    NamedEntity {
        id: person.id.to_string(),
        name: person.display_name.clone(),
        aliases: person
            .aliases
            .iter()
            .chain(&person.former_names)
            .filter(|alias| alias.chars().count() > 1)
            .cloned()
            .collect(),
        is_person: true,
    }
}

pub(crate) fn named_in(state: &State) -> impl Iterator<Item = NamedEntity> {
    let categories = [Category::Characters, Category::Items, Category::Locations, Category::Factions];
    categories.into_iter().flat_map(move |category| {
        state.entities(category).filter_map(move |(id, fields)| {
            Some(NamedEntity {
                id: id.to_owned(),
                name: fields.get("display_name").or_else(|| fields.get("name"))?.as_str()?.to_owned(),
                aliases: Vec::new(),
                is_person: category == Category::Characters,
            })
        })
    })
}

/// An overview of a volume of so many chapters shows all of them.
const WHOLE: usize = 60;
/// The overview of a longer volume moves in steps of so many chapters, so that most prompts share it with the one
/// before.
const STEP: u32 = 10;

/// The volume's remarks and a line per chapter: all of them, a window of forty around this one in a long volume, or
/// with a radius only the neighbours.
pub(crate) fn overview(context: &ChapterContext, extent: &PartLimits) -> String {
    let chapter = context.chapter.get();
    let first = context.outline.range().map_or(1, |(first, _)| first.get());
    let (from, to) = match extent.radius {
        Some(radius) => (chapter.saturating_sub(radius), chapter.saturating_add(radius)),
        None if context.outline.sections.len() <= WHOLE => (0, u32::MAX),
        None => {
            let block = first + chapter.saturating_sub(first) / STEP * STEP;
            (block.saturating_sub(STEP), block.saturating_add(3 * STEP - 1))
        }
    };
    let preface = clip(&context.outline.preface, if extent.radius == Some(0) { 0 } else { 300 });
    let sections = context.outline.sections.iter().filter(|section| (from..=to).contains(&section.chapter.get()));
    let lines = sections.map(|section| {
        let conflict = clip_line(section.field(Field::Conflict), 40);
        format!("第{}章 {}｜{}｜{conflict}\n", section.chapter.get(), section.title, section.storyline)
    });
    let lines: String = lines.collect();
    if preface.is_empty() { lines } else { format!("{preface}\n\n{lines}") }
}

/// The most characters of wishes that a prompt has: what `novel wish` takes on each of two devices, with the marks of the list.
const WISHES: usize = 2_200;

/// The chapter's section as written, and the author's wishes: in the section they reach every agent that reads the plan.
pub(crate) fn section(context: &ChapterContext) -> String {
    let source = clip(&context.section.source, 2000);
    let wishes: Vec<String> = context.wishes.iter().map(|wish| format!("- 作者要求: {wish}")).collect();
    if wishes.is_empty() { source } else { format!("{source}\n{}", clip(&wishes.join("\n"), WISHES)) }
}

pub(crate) fn next_title(context: &ChapterContext) -> String {
    let next = context.outline.section(context.chapter.next());
    next.map_or_else(|| "未定".to_owned(), |section| section.title.clone())
}

pub(crate) fn contract(context: &ChapterContext, extent: &PartLimits) -> String {
    let Some(contract) = &context.contract else { return String::new() };
    let lines = |facts: &[String]| -> Vec<String> { facts.iter().map(|fact| clip_line(fact, 120)).collect() };
    let objectives = contract.objectives.iter().map(|objective| {
        let must = if objective.required { "必须" } else { "尽量" };
        format!("{}【{must}】{}", objective.id, clip_line(&words_of(objective), 120))
    });
    let rules = if contract.rules.is_empty() { Vec::new() } else { vec![contract.rules.join("、")] };
    let groups = [
        ("章前已成立", lines(&contract.preconditions)),
        ("契约以为、眼下却不同的，以眼下为准，开头交代清楚", moved_on(context, contract)),
        ("牵涉的世界规则", rules),
        ("目标", objectives.collect()),
        ("章后应成立", [lines(&contract.postconditions), beyond_facts(contract)].concat()),
        ("验收", criteria(contract)),
    ];
    let groups = groups.into_iter().filter(|(_, lines)| !lines.is_empty());
    let mut text: String =
        groups.map(|(name, lines)| format!("{name}：\n{}", bullets(lines.into_iter().take(extent.clauses)))).collect();
    if let Some(transition) = &contract.transition {
        text.push_str(&format!("过渡：下一章切到 {}，{}\n", transition.next, clip_line(&transition.bridge, 120)));
    }
    text
}

/// The criteria of the contract that say more than its objectives and rules.
fn criteria(contract: &ChapterContract) -> Vec<String> {
    let only_repeats = |line: &str| {
        line.starts_with(KEEPS) || contract.objectives.iter().any(|objective| line.starts_with(&objective.id))
    };
    contract.acceptance.iter().filter(|line| !only_repeats(line)).map(|line| clip_line(line, 120)).collect()
}

/// Attributes of characters that differ between state and contract: `林枫的所在：北门（契约里是城北）`.
fn moved_on(context: &ChapterContext, contract: &ChapterContract) -> Vec<String> {
    let mut lines = Vec::new();
    for (who, attributes) in &contract.character_states {
        let person = context.characters.iter().find(|person| person.is_called(who));
        let (id, name) = person.map_or((who.as_str(), who.as_str()), |p| (p.id.as_str(), p.display_name.as_str()));
        // Feelings change with every chapter.
        for (attribute, wanted) in attributes.iter().filter(|(attribute, _)| *attribute != EMOTION) {
            let is = context.state.get(&format!("characters.{id}.{attribute}")).and_then(Value::as_str);
            if let Some(is) = is.filter(|is| is != wanted) {
                let attribute = if attribute == LOCATION { "所在" } else { attribute };
                lines.push(clip_line(&format!("{name}的{attribute}：{is}（契约里是{wanted}）"), 120));
            }
        }
    }
    lines
}

/// State changes and foreshadowings missing from the contract's facts and objectives.
fn beyond_facts(contract: &ChapterContract) -> Vec<String> {
    let told = |value: &str| contract.postconditions.iter().any(|fact| fact.contains(value));
    let changes = contract.state_changes.iter().flat_map(|(who, attributes)| {
        let untold = attributes.iter().filter(|(_, value)| !told(value));
        untold.map(move |(attribute, value)| clip_line(&format!("{who}：{attribute} = {value}"), 120))
    });
    let asked = |id: &Slug| contract.objectives.iter().any(|o| o.task.as_ref().is_some_and(|(_, target)| target == id));
    let updates = contract.foreshadowing.iter().filter(|(id, _)| !asked(id) && !told(id.as_str()));
    changes.chain(updates.map(|(id, action)| format!("伏笔 {id}：{}", action.verb()))).collect()
}

/// The last `count` summaries of each of those lines, in book order. Lines are counted apart: a chapter of another line
/// must not push out the oldest summary, where the cached part begins.
pub(crate) fn recent_on(context: &ChapterContext, count: usize, is_told: &dyn Fn(&Slug) -> bool) -> String {
    let all: Vec<&Recent> = context.recent.iter().filter(|recent| is_told(&recent.storyline)).collect();
    let is_among_the_last = |at: usize| {
        let later = all[at..].iter().filter(|recent| recent.storyline == all[at].storyline);
        later.count() <= count
    };
    (0..all.len()).filter(|at| is_among_the_last(*at)).map(|at| summary(all[at])).collect()
}

/// The summary of the last chapter that this one may know of.
pub(crate) fn last_summary(context: &ChapterContext) -> String {
    context.recent.last().map(summary).unwrap_or_default()
}

fn summary(recent: &Recent) -> String {
    let (chapter, text) = (recent.chapter.get(), clip(&recent.summary, 400));
    format!("第{chapter}章《{}》（{}）：{text}\n", recent.title, recent.storyline)
}

/// The scene before the chapter: the last words of its own storyline, and after a switch of lines the plan's lead.
/// Never the ending of a line that the chapter must not know.
pub(crate) fn previous_ending(context: &ChapterContext, extent: &PartLimits) -> String {
    let text = context.previous_ending.trim();
    let ending: String = text.chars().skip(chars(text).saturating_sub(extent.ending)).collect();
    let Some(previous) = context.chapter.previous() else { return ending };
    let bridge = match context.bridge.trim() {
        "" => String::new(),
        bridge => format!("章纲给的过渡：{}\n", clip_line(bridge, 120)),
    };
    match context.line_before {
        Some(before) if before == previous => format!("上一章就在本线上，末尾是：\n{ending}"),
        Some(before) => {
            format!("上一章在别的线上，本章切回本线。\n{bridge}本线停在第{}章，末尾是：\n{ending}", before.get())
        }
        None => format!("本章是本线的第一章，没有前一幕可接。\n{bridge}"),
    }
}

/// The last paragraphs of a text within `room` characters, or its last characters. Headings are left out.
pub fn ending(text: &str, room: usize) -> String {
    let mut left = room;
    let mut kept: Vec<&str> = Vec::new();
    for paragraph in text.lines().rev().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#')) {
        let length = chars(paragraph);
        if length > left {
            break;
        }
        left -= length;
        kept.push(paragraph);
    }
    if kept.is_empty() {
        let text = text.trim();
        return text.chars().skip(chars(text).saturating_sub(room)).collect();
    }
    kept.reverse();
    kept.join("\n\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_ending_is_whole_paragraphs_and_bounded() {
        let text = format!("# 第1章\n\n{}\n\n末句。\n", "长".repeat(400));
        assert_eq!(ending(&text, 300), "末句。");
        assert_eq!(ending(&"字".repeat(1000), 300).chars().count(), 300);
        assert_eq!(ending("一。\n\n二。\n", 300), "一。\n\n二。");
        assert_eq!(ending("", 300), "");
    }
}
