//! The chapters of a volume: the sections of its outline, the fields that an author's outline leaves open, and new sections
//! for chapters whose ground has shifted.

use crate::agents::call::reply::fitted;
use crate::agents::context::PromptSection;
use crate::agents::planners::context::{self, PlanningContext, VolumeOrder};
use crate::agents::planners::plot_architect::{PlotQuestion, SECTION, chapters_so_far, ending, flaw_list, id_of};
use crate::agents::prelude::*;
use crate::domain::chapter::title_of_heading;
use crate::domain::volume::outline::field::write_section;
use crate::domain::volume::outline::{Gaps, Section, read_action};
use crate::domain::volume::plan::{Flaw, Plan};

/// The most chapters in one answer: many models would cut off more.
pub const BATCH: u32 = 8;

/// Tokens for an answer with so many chapters.
fn room_for(chapters: u32) -> u32 {
    600 * chapters + 800
}

pub(in crate::agents) struct OutlineRequest<'a> {
    pub(in crate::agents) order: &'a VolumeOrder,
    /// The plan so far, with a fixed schedule.
    pub(in crate::agents) plan: &'a Plan,
    /// First and last chapter.
    pub(in crate::agents) chapters: (u32, u32),
    pub(in crate::agents) flaws: &'a [Flaw],
}

pub(in crate::agents) fn prompt(
    context: &PlanningContext,
    request: &OutlineRequest<'_>,
    prompts: &Prompts,
) -> Result<Prompt, PromptError> {
    let &OutlineRequest { order, plan, chapters: (from, to), flaws } = request;
    let own = || {
        let schedule = if order.trial { TRIAL.to_owned() } else { context::schedule(plan) };
        let done: Vec<Section> = plan.outline.sections.iter().filter(|s| s.chapter.get() < from).cloned().collect();
        vec![
            PromptSection::new("volume", order.volume.get().to_string()),
            PromptSection::new("first", from.to_string()),
            PromptSection::new("last", to.to_string()),
            PromptSection::new("ending", ending(order)),
            PromptSection::new("schedule", schedule),
            PromptSection::new("foreshadowing", context::foreshadowing(plan)),
            PromptSection::new("done", chapters_so_far(&done)),
            PromptSection::new("flaws", flaw_list(flaws)),
        ]
    };
    let answer = ReplyForm::Json { name: "outline", schema: schema_of::<OutlineReply>() };
    let (file, room) = ("prompts/plot-architect/outline.md", room_for(to - from + 1));
    PlotQuestion { file, wish: &order.wish, sections: &own, answer, max_output_tokens: room }.prompt(context, prompts)
}

/// The schedule of trial chapters in words.
const TRIAL: &str = "这是开篇的试写章，只用主线一条：第一章就让主角撞上核心冲突，最后一章收在一个让人想看第四章的地方。伏笔自定一两条，写在章纲里。";

#[derive(Default, Deserialize, JsonSchema)]
#[serde(default)]
struct OutlineReply {
    #[schemars(description = "逐章的章纲，按顺序")]
    chapters: Vec<ChapterReply>,
}

impl OutlineReply {
    /// The reply for a chapter: by its number, or by position where the model gave no numbers.
    pub(super) fn of(&self, position: usize, chapter: ChapterNo) -> Option<&ChapterReply> {
        match self.chapters.iter().any(|reply| reply.chapter > 0) {
            true => self.chapters.iter().find(|reply| reply.chapter == chapter.get()),
            false => self.chapters.get(position),
        }
    }
}

#[derive(Default, Deserialize, JsonSchema)]
#[serde(default)]
struct ChapterReply {
    #[schemars(description = "章号")]
    chapter: u32,
    #[schemars(description = "标题，两到八个字")]
    title: String,
    #[schemars(description = "故事线的 id")]
    storyline: String,
    #[schemars(description = "从谁的眼睛看")]
    pov: String,
    #[schemars(description = "在哪里，什么时候")]
    location: String,
    #[schemars(description = "冲突：两方各要什么，为什么不能两全")]
    conflict: String,
    #[schemars(description = "人物弧光：从……到……")]
    arc: String,
    // A task may also be in words, as in outlines.
    #[schemars(description = "本章的伏笔；没有就给空列表", with = "Vec<TaskReply>", extend("x-read" = "raw"))]
    foreshadowing: Value,
    #[schemars(description = "章后成立的事实，二到四条")]
    state_changes: Vec<String>,
    #[schemars(description = "读者等着的哪一件在这一章兑现；没有就给空字符串")]
    payoff: String,
    #[schemars(description = "章末留给读者的一个问题或变数，只留一个")]
    hook: String,
    #[schemars(description = "下一章换线时怎样接过去；不换线给空字符串")]
    transition: String,
    #[schemars(description = "这一章的冲突靠哪几条世界规则成立，写 id；没有就给空列表", extend("x-read" = "names"))]
    rules: Vec<String>,
}

#[derive(Default, Deserialize, JsonSchema)]
#[serde(default)]
struct TaskReply {
    #[schemars(description = "做什么", extend("enum" = ["plant", "advance", "resolve"]))]
    action: String,
    #[schemars(description = "伏笔的 id")]
    id: String,
    #[schemars(description = "落在什么东西、举动或话上")]
    detail: String,
}

/// Reads the sections of the chapters `from..=to` as Markdown of the outline. Numbers are given here and not taken from
/// the reply, so that chapters follow each other. Fails when a chapter lacks its conflict or its storyline, or chapters
/// are missing.
pub fn read(reply: &str, from: u32, to: u32) -> Result<Vec<String>, ReplyFault> {
    let reply: OutlineReply = read_as(reply)?;
    let wanted = (to - from + 1) as usize;
    let sections: Vec<String> = reply
        .chapters
        .iter()
        .zip((from..=to).filter_map(ChapterNo::new))
        .filter_map(|(chapter, number)| section(chapter, number))
        .collect();
    if sections.len() < wanted {
        return Err(INCOMPLETE);
    }
    Ok(sections)
}

const INCOMPLETE: ReplyFault = ReplyFault::Field { field: "chapters", wanted: FieldKind::EveryChapter };

/// The section of a chapter as Markdown of the outline; `None` without a storyline or a conflict.
fn section(reply: &ChapterReply, number: ChapterNo) -> Option<String> {
    let fields = fields_of(reply);
    if !(fields.contains_key(&Field::Storyline) && fields.contains_key(&Field::Conflict)) {
        return None;
    }
    Some(write_section(number, &title_of_heading(&flat(&reply.title)), &fields))
}

/// The fields of a chapter in a reply. Missing storyline and conflict are left out, other missing fields are `无`.
fn fields_of(reply: &ChapterReply) -> BTreeMap<Field, String> {
    let or_none = |text: String| if text.is_empty() { "无".to_owned() } else { text };
    let joined = |list: Vec<String>| or_none(list.join("；"));
    let given = |field: Field, text: &str| (!text.is_empty()).then(|| (field, flat(text)));
    let tasks: (Vec<TaskReply>, Vec<String>) = (fitted(&reply.foreshadowing), fitted(&reply.foreshadowing));
    let tasks = tasks.0.iter().filter_map(task_words).chain(tasks.1.iter().map(|task| flat(task)));
    let mut fields = BTreeMap::from([
        (Field::Pov, or_none(flat(&reply.pov))),
        (Field::Location, or_none(flat(&reply.location))),
        (Field::Arc, or_none(flat(&reply.arc))),
        (Field::Foreshadowing, joined(tasks.collect())),
        (Field::StateChanges, joined(reply.state_changes.iter().map(|fact| flat(fact)).collect())),
    ]);
    fields.extend(id_of(&reply.storyline).map(|line| (Field::Storyline, line.to_string())));
    fields.extend(given(Field::Conflict, &reply.conflict));
    fields.extend(given(Field::Transition, &reply.transition));
    fields.extend(given(Field::Payoff, &reply.payoff));
    fields.extend(given(Field::Hook, &reply.hook));
    let rules: Vec<&str> = reply.rules.iter().map(String::as_str).filter(|id| is_rule(id)).collect();
    if !rules.is_empty() {
        fields.insert(Field::Rules, rules.join("、"));
    }
    fields
}

/// True for the form of a rule's id, `W-004`: a rule in words is no reference.
fn is_rule(id: &str) -> bool {
    id.len() <= 16 && id.contains('-') && id.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-')
}

fn task_words(task: &TaskReply) -> Option<String> {
    if task.action.is_empty() {
        return None;
    }
    let (action, _) = read_action(&task.action).unwrap_or((Action::Advanced, ""));
    Some(format!("{} {}：{}", action.verb(), id_of(&task.id)?, flat(&task.detail)))
}

/// One line without the marks that separate entries.
fn flat(text: &str) -> String {
    clip_line(text, 200).replace(['；', ';'], "，")
}

/// Values for missing fields, by chapter.
pub type Filling = BTreeMap<ChapterNo, BTreeMap<Field, String>>;

pub(in crate::agents) fn fill_prompt(
    context: &PlanningContext,
    order: &VolumeOrder,
    plan: &Plan,
    gaps: &Gaps,
    prompts: &Prompts,
) -> Result<Prompt, PromptError> {
    let own = || {
        let open = gaps.iter().map(|(chapter, fields)| {
            let section = plan.outline.section(*chapter).map_or("", |section| section.source.as_str());
            let names: Vec<&str> = fields.iter().map(|field| field.as_str()).collect();
            format!("{}\n（缺：{}）", clip(section, SECTION), names.join("、"))
        });
        let last = gaps.keys().max().copied();
        let sections = plan.outline.sections.iter();
        let around: Vec<Section> = sections.filter(|section| Some(section.chapter) <= last).cloned().collect();
        let numbers: Vec<String> = gaps.keys().map(|chapter| chapter.get().to_string()).collect();
        vec![
            PromptSection::new("volume", order.volume.get().to_string()),
            PromptSection::new("chapters", numbers.join("、")),
            PromptSection::new("first", numbers.first().cloned().unwrap_or_default()),
            PromptSection::new("ending", ending(order)),
            PromptSection::new("open", open.collect::<Vec<_>>().join("\n\n")),
            PromptSection::new("schedule", context::schedule(plan)),
            PromptSection::new("foreshadowing", context::foreshadowing(plan)),
            PromptSection::new("around", chapters_so_far(&around)),
        ]
    };
    let answer = ReplyForm::Json { name: "outline", schema: schema_of::<OutlineReply>() };
    let (file, room) = ("prompts/plot-architect/fill.md", room_for(gaps.len() as u32));
    PlotQuestion { file, wish: "", sections: &own, answer, max_output_tokens: room }.prompt(context, prompts)
}

/// Reads values for the missing fields. Other fields of the reply are ignored: the author's words stand. Fails when a
/// chapter or one of its missing fields is not in the reply.
pub fn read_filling(reply: &str, gaps: &Gaps) -> Result<Filling, ReplyFault> {
    let reply: OutlineReply = read_as(reply)?;
    let mut filling = Filling::new();
    for (at, (chapter, wanted)) in gaps.iter().enumerate() {
        let mut fields = fields_of(reply.of(at, *chapter).ok_or(INCOMPLETE)?);
        fields.retain(|field, _| wanted.contains(field));
        if fields.len() < wanted.len() {
            return Err(INCOMPLETE);
        }
        filling.insert(*chapter, fields);
    }
    Ok(filling)
}

/// Chapters to outline again.
pub(in crate::agents) struct AmendRequest<'a> {
    pub(in crate::agents) plan: &'a Plan,
    pub(in crate::agents) chapters: &'a [ChapterNo],
    /// Changes of the chapters' dependencies.
    pub(in crate::agents) changes: &'a [String],
    pub(in crate::agents) flaws: &'a [Flaw],
}

pub(in crate::agents) fn amend_prompt(
    context: &PlanningContext,
    request: &AmendRequest<'_>,
    prompts: &Prompts,
) -> Result<Prompt, PromptError> {
    let &AmendRequest { plan, chapters, changes, flaws } = request;
    let own = || {
        let numbers: Vec<String> = chapters.iter().map(|chapter| chapter.get().to_string()).collect();
        let now = chapters.iter().filter_map(|chapter| plan.outline.section(*chapter));
        let now: Vec<String> = now.map(|section| clip(&section.source, SECTION)).collect();
        let last = chapters.iter().max().copied();
        let sections = plan.outline.sections.iter();
        let around: Vec<Section> = sections.filter(|section| Some(section.chapter) <= last).cloned().collect();
        vec![
            PromptSection::new("chapters", numbers.join("、")),
            PromptSection::new("first", numbers.first().cloned().unwrap_or_default()),
            PromptSection::new("changes", bullets(changes.iter().take(MAX_CHANGES).cloned())),
            PromptSection::new("now", now.join("\n\n")),
            PromptSection::new("schedule", context::schedule(plan)),
            PromptSection::new("foreshadowing", context::foreshadowing(plan)),
            PromptSection::new("around", chapters_so_far(&around)),
            PromptSection::new("flaws", flaw_list(flaws)),
        ]
    };
    let answer = ReplyForm::Json { name: "outline", schema: schema_of::<OutlineReply>() };
    let (file, room) = ("prompts/plot-architect/amend.md", room_for(chapters.len() as u32));
    PlotQuestion { file, wish: "", sections: &own, answer, max_output_tokens: room }.prompt(context, prompts)
}

const MAX_CHANGES: usize = 30;

/// Reads new sections for these chapters as Markdown of the outline: by the numbers in the reply, or by position where
/// the model gave none.
pub fn read_amended(reply: &str, chapters: &[ChapterNo]) -> Result<BTreeMap<ChapterNo, String>, ReplyFault> {
    let reply: OutlineReply = read_as(reply)?;
    let mut sections = BTreeMap::new();
    for (at, chapter) in chapters.iter().enumerate() {
        let section = reply.of(at, *chapter).and_then(|reply| section(reply, *chapter)).ok_or(INCOMPLETE)?;
        sections.insert(*chapter, section);
    }
    Ok(sections)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::volume::outline::Outline;
    use std::collections::BTreeSet;

    #[test]
    fn what_stands_in_place_of_a_list_is_not_lost() {
        let reply = r#"{"chapters": [{"title": "第4章 《假票》", "storyline": "main-arc", "conflict": "要过河", "state_changes": "到了渡口；得到密信",
            "foreshadowing": {"action": "Plant", "id": "seal", "detail": "一道印"}, "rules": "W-002、W-004"},
            {"title": "404号房", "storyline": "main-arc", "conflict": "船不等人", "foreshadowing": "回收 seal：对上了；推进 lamp：亮"}]}"#;
        let outline = Outline::parse(&read(reply, 4, 5).unwrap().join("\n")).unwrap();
        let [one, two] = &outline.sections[..] else { panic!("{outline:?}") };
        assert_eq!((one.title.as_str(), one.field(Field::StateChanges)), ("假票", "到了渡口；得到密信"));
        assert_eq!((one.tasks[0].action, one.field(Field::Rules)), (Action::Planted, "W-002、W-004"));
        let tasks: Vec<(Action, &str)> = two.tasks.iter().map(|task| (task.action, task.id.as_str())).collect();
        assert_eq!(
            (two.title.as_str(), &tasks[..]),
            ("404号房", &[(Action::Resolved, "seal"), (Action::Advanced, "lamp")][..])
        );
    }

    #[test]
    fn an_outline_becomes_markdown_that_cannot_break_out_of_its_field() {
        let reply = r##"{"chapters": [
            {"chapter": 99, "title": "# 假票", "storyline": "main-arc", "pov": "沈渡", "location": "渡口", "conflict": "要过河\n## 第3章 假的\n- 视角: 别人",
             "arc": "", "foreshadowing": [{"action": "plant", "id": "seal", "detail": "一道印；两道"}, {"action": "resolve", "id": "灯"}],
             "state_changes": ["到了；渡口", "视角: 变了"], "transition": "", "rules": ["W-002", "人不能飞", "W-004"]},
            {"title": "船", "storyline": "side", "conflict": "船不等人"}]}"##;
        let sections = read(reply, 4, 5).unwrap();
        let outline = Outline::parse(&sections.join("\n")).unwrap();
        let [one, two] = &outline.sections[..] else { panic!("{outline:?}") };
        assert_eq!((one.chapter.get(), one.title.as_str(), one.field(Field::Pov)), (4, "假票", "沈渡"));
        assert_eq!(one.tasks.len(), 2);
        assert_eq!((one.field(Field::Rules), two.field(Field::Rules)), ("W-002、W-004", ""));
        assert_eq!((one.tasks[1].action, one.tasks[1].id.as_str()), (Action::Resolved, "deng"));
        assert_eq!(one.field(Field::StateChanges), "到了，渡口；视角: 变了");
        assert_eq!((two.chapter.get(), two.field(Field::Arc)), (5, "无"));
        assert!(read(reply, 4, 6).is_err(), "a chapter is missing");
        assert!(read(r#"{"chapters": [{"title": "x", "storyline": "a"}]}"#, 1, 1).is_err(), "no conflict");
    }

    #[test]
    fn only_what_is_missing_is_taken_from_a_reply() {
        let at = |n| ChapterNo::new(n).unwrap();
        let gaps = Gaps::from([
            (at(2), BTreeSet::from([Field::Conflict, Field::Arc])),
            (at(5), BTreeSet::from([Field::Storyline])),
        ]);
        let reply = r#"{"chapters": [{"chapter": 2, "pov": "别人", "conflict": "要过河；船不等人", "storyline": "side"},
            {"chapter": 5, "storyline": "main-arc", "conflict": "多余"}]}"#;
        let filling = read_filling(reply, &gaps).unwrap();
        assert_eq!(
            filling[&at(2)],
            BTreeMap::from([(Field::Conflict, "要过河，船不等人".into()), (Field::Arc, "无".into())])
        );
        assert_eq!(filling[&at(5)], BTreeMap::from([(Field::Storyline, "main-arc".into())]));
        assert!(read_filling(&reply.replace("\"conflict\": \"要过河；船不等人\", ", ""), &gaps).is_err());
        assert!(read_filling(&reply.replace("\"chapter\": 5", "\"chapter\": 6"), &gaps).is_err());
        assert!(read_filling("{}", &gaps).is_err());
    }

    #[test]
    fn chapters_are_found_by_their_numbers_or_by_their_places() {
        let reply = r##"{"chapters": [{"chapter": 99, "title": "# 假票", "storyline": "main-arc", "conflict": "要过河"},
            {"title": "船", "storyline": "side", "conflict": "船不等人"}]}"##;
        let at = |n| ChapterNo::new(n).unwrap();
        let amended = read_amended(reply, &[at(99)]).unwrap();
        assert!(amended[&at(99)].starts_with("## 第99章 假票"), "{amended:?}");
        assert!(read_amended(reply, &[at(4)]).is_err(), "another chapter than was asked for");
        let plain = reply.replace("\"chapter\": 99, ", "");
        assert!(read_amended(&plain, &[at(7), at(9)]).unwrap()[&at(9)].contains("船不等人"));
    }
}
