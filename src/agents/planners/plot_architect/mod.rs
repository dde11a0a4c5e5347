//! The plot architect: theme and conflict of the book, a new storyline, the schedule of a volume, and its chapters.

pub mod fill;
pub mod storyline;

use super::context::{self, PlanningContext, VolumeOrder, flaw_in_chinese};
use crate::agents::call::prompt::{Answer, Order, Prompt, compose};
use crate::agents::call::prompt_files::{PromptError, Prompts};
use crate::agents::call::reply::{
    ReplyFault, items, lenient, list, name_list, names, read_json, schema_of, text_field, text_list,
};
use crate::agents::context::measure::{clip, clip_line};
use crate::agents::context::{NOTHING, Section, bullets};
use crate::domain::book::config::Agent;
use crate::domain::chapter::title_of_heading;
use crate::domain::volume::ending::Recommendation;
use crate::domain::volume::foreshadowing::{Action, Planned, Scope};
use crate::domain::volume::outline::{Field, Section as Chapter, read_action, write_section};
use crate::domain::volume::plan::{Flaw, Plan};
use crate::domain::world::storyline::{
    Convergence, Interleaving, Reach, SEASONING, Schedule, ScheduledLine, Status, Storyline, VolumeRole,
};
use crate::domain::{ChapterNo, Slug, VolumeNo};
use crate::text::slug_of;
use schemars::JsonSchema;
use serde_json::Value;
use std::collections::BTreeMap;

/// The most chapters that are outlined in one answer: more would be cut off by many models.
pub const BATCH: u32 = 8;

fn composed(
    context: &PlanningContext,
    task: &'static str,
    wish: &str,
    own: &dyn Fn() -> Vec<Section>,
    answer: Answer,
    room: u32,
    prompts: &Prompts,
) -> Result<Prompt, PromptError> {
    let user = ["prompts/plot-architect/lore.md", task];
    let order = Order {
        agent: Agent::PlotArchitect,
        system: "prompts/plot-architect/system.md",
        user: &user,
        context: None,
        sections: &|_| {
            let mut sections = vec![context::genre(context)];
            sections.extend(context::sections(context, wish));
            sections.extend(context::story_so_far(context));
            sections.extend(own());
            sections
        },
        answer,
        max_output_tokens: room,
    };
    compose(order, prompts)
}

pub(crate) fn theme_prompt(context: &PlanningContext, prompts: &Prompts) -> Result<Prompt, PromptError> {
    let answer = Answer::Json { name: "theme", schema: schema_of::<ThemeReply>() };
    composed(context, "prompts/plot-architect/theme.md", "", &Vec::new, answer, 1500, prompts)
}

pub(crate) fn schedule_prompt(
    context: &PlanningContext,
    order: &VolumeOrder,
    kept: &[Chapter],
    flaws: &[Flaw],
    prompts: &Prompts,
) -> Result<Prompt, PromptError> {
    let own = || {
        vec![
            Section::new("volume", order.volume.get().to_string()),
            Section::new("first", order.first.to_string()),
            Section::new("last", order.last().to_string()),
            Section::new("count", order.chapters.to_string()),
            Section::new("wish", wish(order)),
            Section::new("ending", ending(order)),
            Section::new("kept", chapters(kept)),
            Section::new("flaws", listed(flaws)),
        ]
    };
    let answer = Answer::Json { name: "schedule", schema: schema_of::<ScheduleReply>() };
    composed(context, "prompts/plot-architect/schedule.md", &order.wish, &own, answer, 6000, prompts)
}

/// Asks for the chapters `from..=to` of a volume whose schedule stands.
pub(crate) fn outline_prompt(
    context: &PlanningContext,
    order: &VolumeOrder,
    plan: &Plan,
    (from, to): (u32, u32),
    flaws: &[Flaw],
    prompts: &Prompts,
) -> Result<Prompt, PromptError> {
    let own = || {
        let schedule = if order.trial { TRIAL.to_owned() } else { context::schedule(plan) };
        let done: Vec<Chapter> = plan.outline.sections.iter().filter(|s| s.chapter.get() < from).cloned().collect();
        vec![
            Section::new("volume", order.volume.get().to_string()),
            Section::new("first", from.to_string()),
            Section::new("last", to.to_string()),
            Section::new("ending", ending(order)),
            Section::new("schedule", schedule),
            Section::new("foreshadowing", context::foreshadowing(plan)),
            Section::new("done", chapters(&done)),
            Section::new("flaws", listed(flaws)),
        ]
    };
    let answer = Answer::Json { name: "outline", schema: schema_of::<OutlineReply>() };
    composed(
        context,
        "prompts/plot-architect/outline.md",
        &order.wish,
        &own,
        answer,
        600 * (to - from + 1) + 800,
        prompts,
    )
}

/// Asks what became of a volume. `figures` is what was counted, one figure a line.
pub(crate) fn review_prompt(
    context: &PlanningContext,
    volume: VolumeNo,
    figures: &[String],
    prompts: &Prompts,
) -> Result<Prompt, PromptError> {
    let own = || {
        vec![
            Section::new("volume", volume.get().to_string()),
            Section::new("figures", bullets(figures.iter().take(MAX_FIGURES).map(|line| clip_line(line, 300)))),
            Section::new("memories", context::memories(context)),
        ]
    };
    let answer = Answer::Json { name: "review", schema: schema_of::<ReviewReply>() };
    composed(context, "prompts/plot-architect/review.md", "", &own, answer, 2500, prompts)
}

/// The most figures that a review sees.
const MAX_FIGURES: usize = 60;
/// The most remarks and bridges that are kept of a review, and the characters of each.
const MAX_REMARKS: usize = 8;
const MAX_BRIDGES: usize = 6;
const REMARK: usize = 200;

/// Asks for new sections of some chapters of a volume, because something that they hang on has changed.
pub(crate) fn amend_prompt(
    context: &PlanningContext,
    plan: &Plan,
    chapters: &[ChapterNo],
    changes: &[String],
    flaws: &[Flaw],
    prompts: &Prompts,
) -> Result<Prompt, PromptError> {
    let own = || {
        let numbers: Vec<String> = chapters.iter().map(|chapter| chapter.get().to_string()).collect();
        let now = chapters.iter().filter_map(|chapter| plan.outline.section(*chapter));
        let now: Vec<String> = now.map(|section| clip(&section.source, SECTION)).collect();
        let last = chapters.iter().max().copied();
        let sections = plan.outline.sections.iter();
        let around: Vec<Chapter> = sections.filter(|section| Some(section.chapter) <= last).cloned().collect();
        vec![
            Section::new("chapters", numbers.join("、")),
            Section::new("first", numbers.first().cloned().unwrap_or_default()),
            Section::new("changes", bullets(changes.iter().take(MAX_CHANGES).cloned())),
            Section::new("now", now.join("\n\n")),
            Section::new("schedule", context::schedule(plan)),
            Section::new("foreshadowing", context::foreshadowing(plan)),
            Section::new("around", self::chapters(&around)),
            Section::new("flaws", listed(flaws)),
        ]
    };
    let answer = Answer::Json { name: "outline", schema: schema_of::<OutlineReply>() };
    composed(context, "prompts/plot-architect/amend.md", "", &own, answer, 600 * chapters.len() as u32 + 800, prompts)
}

/// The part of a section that its next author is shown, in characters.
const SECTION: usize = 1500;
/// How many changes are named.
const MAX_CHANGES: usize = 30;

/// What the schedule of trial chapters is.
const TRIAL: &str = "这是开篇的试写章，只用主线一条：第一章就让主角撞上核心冲突，最后一章收在一个让人想看第四章的地方。伏笔自定一两条，写在章纲里。";

/// What is said of the volume's place in the book.
fn ending(order: &VolumeOrder) -> &'static str {
    if order.closing { CLOSING } else { "后面还有卷，不必收尽" }
}

/// What the volume that ends the book has to do.
const CLOSING: &str = "这是全书最后一卷：账上还开着的伏笔，长的也算，连同这一卷新埋的，一条不剩都要在本卷某一章收回；\
    还在跑的故事线都要排进来，各有结局；核心冲突见分晓，最后一章落在纲领写的结局上，不留下一卷的钩子";

fn wish(order: &VolumeOrder) -> String {
    if order.wish.trim().is_empty() { "没有特别的要求".to_owned() } else { clip_line(&order.wish, 600) }
}

fn listed(flaws: &[Flaw]) -> String {
    bullets(flaws.iter().take(30).map(flaw_in_chinese))
}

/// Earlier chapters of the volume, the last ones in full: what happened, and what is true now.
fn chapters(sections: &[Chapter]) -> String {
    const IN_FULL: usize = 6;
    let (old, new) = sections.split_at(sections.len().saturating_sub(IN_FULL));
    let short = old.iter().map(|s| {
        format!("第{}章 {}｜{}｜{}\n", s.chapter.get(), s.title, s.storyline, clip_line(s.field(Field::Conflict), 40))
    });
    let full = new.iter().map(|s| {
        let facts = clip_line(s.field(Field::StateChanges), 160);
        let (conflict, number) = (clip_line(s.field(Field::Conflict), 80), s.chapter.get());
        format!("第{number}章 {}｜{}｜{conflict}｜章后：{facts}\n", s.title, s.storyline)
    });
    let text: String = short.chain(full).collect();
    if text.is_empty() { NOTHING.to_owned() } else { text }
}

#[derive(JsonSchema)]
#[expect(dead_code, reason = "describes the reply; `read` takes its parts one by one to keep what is usable")]
struct ThemeReply {
    #[schemars(description = "一句话：谁，想要什么，被什么挡住，最怕失去什么")]
    logline: String,
    #[schemars(description = "整本书反复追问的一个问题")]
    theme: String,
    #[schemars(description = "核心冲突，两三句")]
    conflict: String,
    #[schemars(description = "最后一幕的画面")]
    ending: String,
}

/// What a book is about.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ThemeReading {
    /// In one sentence.
    pub logline: String,
    /// The question that the book asks.
    pub theme: String,
    /// The central conflict.
    pub conflict: String,
    /// The last picture.
    pub ending: String,
}

/// Reads theme and conflict.
///
/// # Errors
/// [`ReplyFault`] when theme or conflict is missing.
pub fn read_theme(reply: &str) -> Result<ThemeReading, ReplyFault> {
    let value = read_json(reply)?;
    let need = |field: &'static str| text_field(&value, field).ok_or(ReplyFault::Field { field, wanted: "a text" });
    Ok(ThemeReading {
        theme: need("theme")?,
        conflict: need("conflict")?,
        logline: text_field(&value, "logline").unwrap_or_default(),
        ending: text_field(&value, "ending").unwrap_or_default(),
    })
}

#[derive(JsonSchema)]
#[expect(dead_code, reason = "describes the reply; `read` takes its parts one by one to keep what is usable")]
struct ScheduleReply {
    #[schemars(description = "题眼，两到六个字")]
    theme: String,
    #[schemars(description = "这一卷讲什么，一百字以内")]
    summary: String,
    #[schemars(description = "卷末的钩子")]
    hook: String,
    #[schemars(description = "这一卷新开的线；没有就给空列表")]
    new_storylines: Vec<NewLineReply>,
    #[schemars(description = "这一卷跑的线，一到四条")]
    storylines: Vec<ScheduledReply>,
    #[schemars(description = "休眠的线的 id")]
    dormant: Vec<String>,
    #[schemars(description = "主推线至多连续几章")]
    primary_max_consecutive: u32,
    #[schemars(description = "穿插线至多隔几章")]
    secondary_every: u32,
    #[schemars(description = "点缀线放在哪里；没有点缀线给 spread", extend("enum" = ["spread", "mid_volume", "climax", "mid_volume_and_climax"]))]
    seasoning_placement: String,
    #[schemars(description = "交汇；没有就给空列表")]
    convergences: Vec<MeetingReply>,
    #[schemars(description = "伏笔计划")]
    foreshadowing: Vec<PlannedReply>,
}

#[derive(serde::Deserialize, JsonSchema)]
struct NewLineReply {
    #[serde(default, deserialize_with = "lenient")]
    #[schemars(description = "英文小写的 id")]
    id: String,
    #[serde(default, deserialize_with = "lenient")]
    #[schemars(description = "名字")]
    name: String,
    #[serde(rename = "type", default, deserialize_with = "lenient")]
    #[schemars(description = "哪一种线", extend("enum" = ["main_arc", "faction_conflict", "conspiracy", "mystery", "character_arc", "parallel_timeline"]))]
    kind: String,
    #[serde(default, deserialize_with = "lenient")]
    #[schemars(description = "跨多远", extend("enum" = ["novel", "multi_volume", "single_volume"]))]
    scope: String,
    #[serde(default, deserialize_with = "lenient")]
    #[schemars(description = "讲什么")]
    description: String,
    #[serde(default, deserialize_with = "names")]
    #[schemars(description = "从谁的眼睛看，姓名")]
    pov_characters: Vec<String>,
}

#[derive(JsonSchema)]
#[expect(dead_code, reason = "describes a line of the schedule")]
struct ScheduledReply {
    #[schemars(description = "线的 id")]
    id: String,
    #[schemars(description = "在这一卷的分量", extend("enum" = ["primary", "secondary", "seasoning"]))]
    role: String,
    #[schemars(description = "占几章")]
    chapters: u32,
    #[schemars(description = "这一卷要走到哪里")]
    goal: String,
}

#[derive(JsonSchema)]
#[expect(dead_code, reason = "describes a meeting of lines")]
struct MeetingReply {
    #[schemars(description = "起始章")]
    from: u32,
    #[schemars(description = "末章")]
    to: u32,
    #[schemars(description = "交汇的线的 id")]
    storylines: Vec<String>,
    #[schemars(description = "什么把它们撞到一起")]
    trigger: String,
    #[schemars(description = "之后怎样")]
    aftermath: String,
}

#[derive(JsonSchema)]
#[expect(dead_code, reason = "describes a planned foreshadowing")]
struct PlannedReply {
    #[schemars(description = "英文小写的 id")]
    id: String,
    #[schemars(description = "是什么，读者最后明白什么")]
    description: String,
    #[schemars(description = "跨度", extend("enum" = ["short", "medium", "long"]))]
    scope: String,
    #[schemars(description = "归哪条线")]
    storyline: String,
    #[schemars(description = "在哪一章埋；早已埋下给 0")]
    plant: u32,
    #[schemars(description = "在哪几章推")]
    advance: Vec<u32>,
    #[schemars(description = "最早哪一章收；没有就给 0")]
    resolve_from: u32,
    #[schemars(description = "最晚哪一章收；没有就给 0")]
    resolve_to: u32,
}

/// What the plot architect scheduled.
#[derive(Debug, Clone, PartialEq)]
pub struct ScheduleReading {
    /// What the volume is about, for the outline's preface.
    pub summary: String,
    /// The hook at its end.
    pub hook: String,
    /// Lines that begin here.
    pub new_lines: Vec<Storyline>,
    /// The schedule.
    pub schedule: Schedule,
    /// The foreshadowing plan.
    pub foreshadowing: Vec<Planned>,
}

fn number(value: &Value, field: &str) -> Option<u32> {
    number_or_zero(value, field).filter(|number| *number > 0)
}

fn number_or_zero(value: &Value, field: &str) -> Option<u32> {
    number_in(&text_field(value, field)?)
}

/// `12`, `第12章`, `12章`.
fn number_in(text: &str) -> Option<u32> {
    text.trim().trim_start_matches('第').trim_end_matches('章').trim().parse().ok()
}

fn slug_field(value: &Value, field: &str) -> Option<Slug> {
    id_of(&text_field(value, field)?)
}

/// An id as the model wrote it, or made from a name that it wrote in its place.
fn id_of(text: &str) -> Option<Slug> {
    Slug::new(&text.trim().to_ascii_lowercase()).ok().or_else(|| slug_of(text))
}

/// Reads a schedule.
///
/// # Errors
/// [`ReplyFault`] when there is no object, or no storyline in it.
pub fn read_schedule(reply: &str, order: &VolumeOrder) -> Result<ScheduleReading, ReplyFault> {
    let value = read_json(reply)?;
    let active = list(&value, "storylines").iter().filter_map(|line| {
        Some(ScheduledLine {
            storyline: slug_field(line, "id")?,
            role: text_field(line, "role").and_then(|role| role.parse().ok()).unwrap_or(VolumeRole::Secondary),
            target_chapters: number(line, "chapters").unwrap_or(0),
            goal: text_field(line, "goal").unwrap_or_default(),
        })
    });
    let active: Vec<ScheduledLine> = active.collect();
    if active.is_empty() {
        return Err(ReplyFault::Field { field: "storylines", wanted: "a list of storylines" });
    }
    let convergences = list(&value, "convergences").iter().filter_map(|meeting| {
        let from = number(meeting, "from")?;
        Some(Convergence {
            chapters: (from, number(meeting, "to").unwrap_or(from)),
            lines: name_list(meeting, "storylines").iter().filter_map(|id| id_of(id)).collect(),
            trigger: text_field(meeting, "trigger").unwrap_or_default(),
            aftermath: text_field(meeting, "aftermath").unwrap_or_default(),
        })
    });
    let schedule = Schedule {
        volume: order.volume,
        closing: order.closing,
        theme: text_field(&value, "theme").unwrap_or_default(),
        interleaving: (active.len() > 1).then(|| Interleaving {
            strategy: "primary_dominant".to_owned(),
            primary_max_consecutive: number(&value, "primary_max_consecutive"),
            secondary_every: number(&value, "secondary_every"),
            seasoning: text_field(&value, "seasoning_placement").unwrap_or_else(|| SEASONING[0].0.to_owned()),
        }),
        active,
        convergences: convergences.collect(),
        dormant: name_list(&value, "dormant").iter().filter_map(|id| id_of(id)).collect(),
        newly_activated: Vec::new(),
    };
    Ok(ScheduleReading {
        summary: text_field(&value, "summary").unwrap_or_default(),
        hook: text_field(&value, "hook").unwrap_or_default(),
        new_lines: items::<NewLineReply>(&value, "new_storylines").into_iter().filter_map(new_line).collect(),
        foreshadowing: list(&value, "foreshadowing").iter().filter_map(planned).collect(),
        schedule,
    })
}

fn new_line(line: NewLineReply) -> Option<Storyline> {
    Some(Storyline {
        id: id_of(if line.id.is_empty() { &line.name } else { &line.id })?,
        name: line.name,
        kind: if line.kind.is_empty() { "character_arc".to_owned() } else { line.kind },
        reach: line.scope.parse().unwrap_or(Reach::MultiVolume),
        status: Status::Active,
        pov_characters: line.pov_characters,
        factions: Vec::new(),
        timeline: "present".to_owned(),
        description: line.description,
        introduced: None,
    })
}

fn planned(value: &Value) -> Option<Planned> {
    let target = number(value, "resolve_from").zip(number(value, "resolve_to"));
    Some(Planned {
        id: slug_field(value, "id")?,
        description: text_field(value, "description").unwrap_or_default(),
        scope: text_field(value, "scope").and_then(|scope| scope.parse().ok()).unwrap_or(Scope::Short),
        storyline: slug_field(value, "storyline")?,
        plant: number(value, "plant").and_then(ChapterNo::new),
        advance: name_list(value, "advance").iter().filter_map(|chapter| number_in(chapter)).collect(),
        target,
    })
}

#[derive(JsonSchema)]
#[expect(dead_code, reason = "describes the reply; `read` takes its parts one by one to keep what is usable")]
struct OutlineReply {
    #[schemars(description = "逐章的章纲，按顺序")]
    chapters: Vec<ChapterReply>,
}

#[derive(JsonSchema)]
#[expect(dead_code, reason = "describes a chapter's section")]
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
    #[schemars(description = "本章的伏笔；没有就给空列表")]
    foreshadowing: Vec<TaskReply>,
    #[schemars(description = "章后成立的事实，二到四条")]
    state_changes: Vec<String>,
    #[schemars(description = "下一章换线时怎样接过去；不换线给空字符串")]
    transition: String,
    #[schemars(description = "这一章的冲突靠哪几条世界规则成立，写 id；没有就给空列表")]
    rules: Vec<String>,
}

#[derive(JsonSchema)]
#[expect(dead_code, reason = "describes a foreshadowing task")]
struct TaskReply {
    #[schemars(description = "做什么", extend("enum" = ["plant", "advance", "resolve"]))]
    action: String,
    #[schemars(description = "伏笔的 id")]
    id: String,
    #[schemars(description = "落在什么东西、举动或话上")]
    detail: String,
}

/// Reads the sections of the chapters `from..=to`, each as Markdown of the outline. Numbers are given here and not taken
/// from the reply, so that chapters follow each other.
///
/// # Errors
/// [`ReplyFault`] when there is no object, a chapter lacks its conflict or its storyline, or there are fewer than wanted.
pub fn read_outline(reply: &str, from: u32, to: u32) -> Result<Vec<String>, ReplyFault> {
    let value = read_json(reply)?;
    let wanted = (to - from + 1) as usize;
    let sections: Vec<String> = list(&value, "chapters")
        .iter()
        .zip((from..=to).filter_map(ChapterNo::new))
        .filter_map(|(chapter, number)| section(chapter, number))
        .collect();
    if sections.len() < wanted {
        return Err(INCOMPLETE);
    }
    Ok(sections)
}

const INCOMPLETE: ReplyFault =
    ReplyFault::Field { field: "chapters", wanted: "a complete list of the chapters that were asked for" };

/// Reads new sections for these chapters, each as Markdown of the outline: by the numbers in the reply, or by their places
/// where the model gave none.
///
/// # Errors
/// As for [`read_outline`].
pub fn read_amendments(reply: &str, chapters: &[ChapterNo]) -> Result<BTreeMap<ChapterNo, String>, ReplyFault> {
    let value = read_json(reply)?;
    let replies: Vec<&Value> = list(&value, "chapters").iter().collect();
    let numbered = replies.iter().any(|reply| number(reply, "chapter").is_some());
    let mut sections = BTreeMap::new();
    for (at, chapter) in chapters.iter().enumerate() {
        let named = || replies.iter().find(|reply| number(reply, "chapter") == Some(chapter.get()));
        let found = if numbered { named() } else { replies.get(at) };
        let section = found.and_then(|reply| section(reply, *chapter)).ok_or(INCOMPLETE)?;
        sections.insert(*chapter, section);
    }
    Ok(sections)
}

fn section(value: &Value, number: ChapterNo) -> Option<String> {
    let fields = fields_of(value);
    if !(fields.contains_key(&Field::Storyline) && fields.contains_key(&Field::Conflict)) {
        return None;
    }
    let title = text_field(value, "title").map(|text| flat(&text)).unwrap_or_default();
    Some(write_section(number, &title_of_heading(&title), &fields))
}

/// The fields of a chapter in a reply. Storyline and conflict are left out where the reply has none; what else is missing is
/// `无`.
fn fields_of(value: &Value) -> BTreeMap<Field, String> {
    let text = |field: &str| text_field(value, field).map(|text| flat(&text));
    let or_none = |field: &str| text(field).unwrap_or_else(|| "无".to_owned());
    // A task in words, as outlines have it, is read where the outline is.
    let tasks = list(value, "foreshadowing").iter().filter_map(task);
    let tasks: Vec<String> = tasks.chain(text_list(value, "foreshadowing").iter().map(|task| flat(task))).collect();
    let changes: Vec<String> = text_list(value, "state_changes").iter().map(|fact| flat(fact)).collect();
    let joined = |list: Vec<String>| if list.is_empty() { "无".to_owned() } else { list.join("；") };
    let mut fields = BTreeMap::from([
        (Field::Pov, or_none("pov")),
        (Field::Location, or_none("location")),
        (Field::Arc, or_none("arc")),
        (Field::Foreshadowing, joined(tasks)),
        (Field::StateChanges, joined(changes)),
    ]);
    fields.extend(slug_field(value, "storyline").map(|line| (Field::Storyline, line.to_string())));
    fields.extend(text("conflict").map(|conflict| (Field::Conflict, conflict)));
    fields.extend(text("transition").map(|bridge| (Field::Transition, bridge)));
    let rules: Vec<String> = name_list(value, "rules").into_iter().filter(|id| is_rule(id)).collect();
    if !rules.is_empty() {
        fields.insert(Field::Rules, rules.join("、"));
    }
    fields
}

/// Whether it has the form of a rule's id, `W-004`: the rule in words is no use as a reference.
fn is_rule(id: &str) -> bool {
    id.len() <= 16 && id.contains('-') && id.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-')
}

fn task(value: &Value) -> Option<String> {
    let (action, _) = read_action(&text_field(value, "action")?).unwrap_or((Action::Advanced, ""));
    let verb = action.verb();
    let detail = flat(&text_field(value, "detail").unwrap_or_default());
    Some(format!("{verb} {}：{detail}", slug_field(value, "id")?))
}

#[derive(JsonSchema)]
#[expect(dead_code, reason = "describes the reply; `read_review` takes its parts one by one to keep what is usable")]
struct ReviewReply {
    #[schemars(description = "前后对不上、半途丢下、许下没还的，最多八条；没有就给空列表")]
    remarks: Vec<String>,
    #[schemars(description = "下一卷开头可以接住的事，最多六条")]
    bridges: Vec<String>,
    #[schemars(description = "全书走到了哪一步", extend("enum" = ["continue", "wrap_up", "force_end"]))]
    evaluation_result: String,
    #[schemars(description = "凭什么这样判断，一两句")]
    reason: String,
    #[schemars(description = "写到结局大约还要多少章；已经到头给 0")]
    chapters_left: u32,
}

/// What the plot architect says of a volume.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReviewReading {
    /// What does not fit together.
    pub remarks: Vec<String>,
    /// What the next volume may take up.
    pub bridges: Vec<String>,
    /// How the book should go on; `None` when the answer names none of the courses.
    pub course: Option<Recommendation>,
    /// Why.
    pub reason: String,
    /// How many chapters the story still needs.
    pub chapters_left: Option<u32>,
}

/// Reads a review. A course that is not understood is no fault: the author decides in any case.
///
/// # Errors
/// [`ReplyFault`] when there is no object, or nothing of a review in it.
pub fn read_review(reply: &str) -> Result<ReviewReading, ReplyFault> {
    let value = read_json(reply)?;
    let said = |field: &str, most: usize| -> Vec<String> {
        text_list(&value, field).iter().take(most).map(|text| clip_line(text, REMARK)).collect()
    };
    let word = text_field(&value, "evaluation_result").unwrap_or_default().to_ascii_lowercase();
    let reading = ReviewReading {
        remarks: said("remarks", MAX_REMARKS),
        bridges: said("bridges", MAX_BRIDGES),
        course: word.replace(['-', ' '], "_").parse().ok(),
        reason: clip_line(&text_field(&value, "reason").unwrap_or_default(), REMARK),
        chapters_left: number_or_zero(&value, "chapters_left"),
    };
    let is_empty = reading.course.is_none() && reading.reason.is_empty();
    if is_empty && reading.remarks.is_empty() && reading.bridges.is_empty() {
        return Err(ReplyFault::Field { field: "evaluation_result", wanted: "continue, wrap_up or force_end" });
    }
    Ok(reading)
}

/// One line without the marks that separate entries.
fn flat(text: &str) -> String {
    clip_line(text, 200).replace(['；', ';'], "，")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::volume::outline::Outline;

    const SCHEDULE: &str = r#"{"theme": "旧账", "summary": "从一张假票查到一条船", "hook": "船上有他的名字",
        "new_storylines": [{"id": "", "name": "沉船", "type": "mystery", "scope": "novel", "description": "十年前的船", "pov_characters": ["阿七"]}],
        "storylines": [{"id": "main-arc", "role": "primary", "chapters": "7", "goal": "查清"}, {"id": "沉船", "role": "点缀", "chapters": 3}],
        "primary_max_consecutive": 4, "secondary_every": 5,
        "convergences": [{"from": 9, "storylines": ["main-arc", "chen-chuan"], "trigger": "灯灭"}],
        "foreshadowing": [{"id": "seal", "scope": "short", "storyline": "main-arc", "plant": 2, "advance": [4, "x"], "resolve_from": 5, "resolve_to": 8},
            {"id": "name", "scope": "long", "storyline": "main-arc", "plant": 0, "resolve_from": 0, "resolve_to": 0}, {"description": "没有id"}]}"#;

    #[test]
    fn a_schedule_is_read_with_names_in_place_of_ids_and_numbers_in_quotes() {
        let order = |closing| VolumeOrder {
            volume: VolumeNo::FIRST,
            first: 1,
            chapters: 10,
            wish: String::new(),
            trial: false,
            closing,
            fill: false,
        };
        let reading = read_schedule(SCHEDULE, &order(true)).unwrap();
        assert!(reading.schedule.closing, "that the book ends is the author's word, not the model's");
        let lines: Vec<(&str, u32)> =
            reading.schedule.active.iter().map(|line| (line.storyline.as_str(), line.target_chapters)).collect();
        assert_eq!(lines, [("main-arc", 7), ("chen-chuan", 3)]);
        assert_eq!(reading.new_lines[0].id.as_str(), "chen-chuan");
        assert_eq!(reading.schedule.convergences[0].chapters, (9, 9));
        let [seal, name] = &reading.foreshadowing[..] else { panic!("{:?}", reading.foreshadowing) };
        assert_eq!((seal.target, &seal.advance[..]), (Some((5, 8)), &[4][..]));
        assert_eq!((name.plant, name.target), (None, None));
        assert!(read_schedule("{}", &order(false)).is_err());
    }

    #[test]
    fn what_stands_in_place_of_a_list_is_not_lost() {
        let reply = r#"{"chapters": [{"title": "第4章 《假票》", "storyline": "main-arc", "conflict": "要过河", "state_changes": "到了渡口；得到密信",
            "foreshadowing": {"action": "Plant", "id": "seal", "detail": "一道印"}, "rules": "W-002、W-004"},
            {"title": "404号房", "storyline": "main-arc", "conflict": "船不等人", "foreshadowing": "回收 seal：对上了；推进 lamp：亮"}]}"#;
        let outline = Outline::parse(&read_outline(reply, 4, 5).unwrap().join("\n")).unwrap();
        let [one, two] = &outline.sections[..] else { panic!("{outline:?}") };
        assert_eq!((one.title.as_str(), one.field(Field::StateChanges)), ("假票", "到了渡口；得到密信"));
        assert_eq!((one.tasks[0].action, one.field(Field::Rules)), (Action::Planted, "W-002、W-004"));
        let tasks: Vec<(Action, &str)> = two.tasks.iter().map(|task| (task.action, task.id.as_str())).collect();
        assert_eq!(
            (two.title.as_str(), &tasks[..]),
            ("404号房", &[(Action::Resolved, "seal"), (Action::Advanced, "lamp")][..])
        );
        let value =
            serde_json::json!({"id": "seal", "storyline": "main-arc", "advance": ["4", "第6章"], "plant": "第2章"});
        let seal = planned(&value).unwrap();
        assert_eq!((&seal.advance[..], seal.plant), (&[4, 6][..], ChapterNo::new(2)));
        let line = serde_json::json!({"new_storylines": {"name": "沉船", "pov_characters": "阿七、沈渡"}});
        let [line] = &items::<NewLineReply>(&line, "new_storylines")[..] else { panic!("one line") };
        assert_eq!(line.pov_characters, ["阿七", "沈渡"]);
    }

    #[test]
    fn a_review_is_read_with_whatever_can_be_understood() {
        let full = read_review(
            r#"好的：{"remarks": ["第3章的灯在第5章还亮着", 7, null], "bridges": "无", "evaluation_result": "Wrap-Up", "reason": "只剩一盏灯", "chapters_left": "12"}"#,
        )
        .unwrap();
        assert_eq!((full.course, full.chapters_left), (Some(Recommendation::WrapUp), Some(12)));
        assert_eq!((full.remarks.len(), full.bridges.len()), (2, 0));
        let odd = read_review(r#"{"evaluation_result": "再写三卷", "reason": "还早", "chapters_left": 0}"#).unwrap();
        assert_eq!((odd.course, odd.chapters_left), (None, Some(0)));
        let silent = read_review(r#"{"evaluation_result": "force_end"}"#).unwrap();
        assert_eq!((silent.course, silent.chapters_left), (Some(Recommendation::ForceEnd), None));
        let long = format!(r#"{{"remarks": [{}"末"]}}"#, format!("\"{}\",", "长".repeat(900)).repeat(30));
        let long = read_review(&long).unwrap();
        assert!(long.remarks.len() == MAX_REMARKS && long.remarks.iter().all(|text| text.chars().count() <= REMARK));
        for nothing in ["", "我不能", "{}", r#"{"remarks": []}"#] {
            assert!(read_review(nothing).is_err(), "{nothing}");
        }
    }

    #[test]
    fn an_outline_becomes_markdown_that_cannot_break_out_of_its_field() {
        let reply = r##"{"chapters": [
            {"chapter": 99, "title": "# 假票", "storyline": "main-arc", "pov": "沈渡", "location": "渡口", "conflict": "要过河\n## 第3章 假的\n- 视角: 别人",
             "arc": "", "foreshadowing": [{"action": "plant", "id": "seal", "detail": "一道印；两道"}, {"action": "resolve", "id": "灯"}],
             "state_changes": ["到了；渡口", "视角: 变了"], "transition": "", "rules": ["W-002", "人不能飞", "W-004"]},
            {"title": "船", "storyline": "side", "conflict": "船不等人"}]}"##;
        let sections = read_outline(reply, 4, 5).unwrap();
        let outline = Outline::parse(&sections.join("\n")).unwrap();
        let [one, two] = &outline.sections[..] else { panic!("{outline:?}") };
        assert_eq!((one.chapter.get(), one.title.as_str(), one.field(Field::Pov)), (4, "假票", "沈渡"));
        assert_eq!(one.tasks.len(), 2);
        assert_eq!((one.field(Field::Rules), two.field(Field::Rules)), ("W-002、W-004", ""));
        assert_eq!((one.tasks[1].action, one.tasks[1].id.as_str()), (Action::Resolved, "deng"));
        assert_eq!(one.field(Field::StateChanges), "到了，渡口；视角: 变了");
        assert_eq!((two.chapter.get(), two.field(Field::Arc)), (5, "无"));
        assert!(read_outline(reply, 4, 6).is_err(), "a chapter is missing");
        let at = |n| ChapterNo::new(n).unwrap();
        let amended = read_amendments(reply, &[at(99)]).unwrap();
        assert!(amended[&at(99)].starts_with("## 第99章 假票"), "{amended:?}");
        assert!(read_amendments(reply, &[at(4)]).is_err(), "another chapter than was asked for");
        let plain = reply.replace("\"chapter\": 99, ", "");
        assert!(read_amendments(&plain, &[at(7), at(9)]).unwrap()[&at(9)].contains("船不等人"));
        assert!(read_outline(r#"{"chapters": [{"title": "x", "storyline": "a"}]}"#, 1, 1).is_err(), "no conflict");
    }
}
