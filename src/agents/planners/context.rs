//! The parts of the book that planning agents may see, and the limits of their prompts. Unlike
//! [`ChapterContext`](crate::agents::context::chapter) this is about the book as a whole. Every list has a limit, so
//! that a prompt does not grow with the book.

use crate::agents::context::chapter::{Memory, Recent};
use crate::agents::context::{self, NOTHING, PromptSection, memory_lines};
use crate::agents::prelude::*;
use crate::domain::chapter::summary::{ChapterMemory, ReaderLedger};
use crate::domain::volume::foreshadowing::{Ledger, Scope};
use crate::domain::volume::inventory::{Inventory, InventoryBasis, Thread};
use crate::domain::volume::plan::{Flaw, Plan};
use crate::domain::world::character::Relationship;
use crate::domain::world::contract::{Rule, Strength};
use crate::domain::world::storyline::{Status, Storyline, Storylines, VolumeRole};
use crate::text::common;

/// A text beside the structured files: a world page, or a research note.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Note {
    pub name: String,
    pub text: String,
}

#[derive(Debug, Clone, PartialEq, Default)]
pub struct PlanningContext {
    pub config: BookConfig,
    pub brief: String,
    /// L1.
    pub rules: Vec<Rule>,
    /// The world in prose.
    pub world: Vec<Note>,
    /// Active characters, ordered by id.
    pub characters: Vec<Character>,
    pub relationships: Vec<Relationship>,
    pub storylines: Storylines,
    /// Memories by storyline; lines without one are missing.
    pub memories: BTreeMap<Slug, Memory>,
    pub ledger: Ledger,
    /// The review of the previous volume, if any.
    pub review: String,
    /// The last summaries, oldest first.
    pub recent: Vec<Recent>,
    /// Ledger entries of the last chapters, oldest first, as many as the book wants.
    pub chapter_memories: Vec<ChapterMemory>,
    pub reader: ReaderLedger,
    pub research: Vec<Note>,
    /// The last accepted chapter; 0 before the first.
    pub last_completed: u32,
}

#[derive(Debug, Clone, PartialEq)]
pub struct VolumeOrder {
    pub volume: VolumeNo,
    pub first: u32,
    /// The wanted number of chapters, existing ones included.
    pub chapters: u32,
    /// May be empty.
    pub wish: String,
    /// True for the three trial chapters, which need one line and no schedule.
    pub trial: bool,
    /// True when the book ends with the volume.
    pub closing: bool,
    /// True when the author's outline is only completed.
    pub fill: bool,
}

impl VolumeOrder {
    pub fn last(&self) -> u32 {
        self.first + self.chapters.saturating_sub(1)
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum CastRequest {
    /// The protagonist and one or two others, for a new book.
    First {
        /// The author's words on the protagonist.
        protagonist: String,
    },
    /// A character by the author's wish.
    Add { wish: String },
    /// A change of one character.
    Update { id: Slug, wish: String },
}

impl CastRequest {
    pub fn wish(&self) -> &str {
        match self {
            Self::First { protagonist } => protagonist,
            Self::Add { wish } | Self::Update { wish, .. } => wish,
        }
    }
}

const MAX_PAGES: usize = 8;
const PAGE: usize = 1200;
const MAX_NOTES: usize = 6;
const NOTE: usize = 1500;
const MAX_PEOPLE: usize = 30;
const MAX_RULES: usize = 60;
const MAX_LINES: usize = 30;
const MAX_OPEN: usize = 40;
const MAX_MEMORIES: usize = 12;

/// The sections that planners share, with those of the author's notes that relate to the wish.
pub(crate) fn sections(context: &PlanningContext, wish: &str) -> Vec<PromptSection> {
    vec![
        PromptSection::new("brief", clip(&context::answered(&context.brief), 3000)),
        PromptSection::new("rules", rules(context)),
        PromptSection::new("world", notes(context.world.iter().take(MAX_PAGES), PAGE)),
        PromptSection::new("characters", people(context)),
        PromptSection::new("storylines", storylines(context)),
        PromptSection::new("research", notes(research(context, wish).into_iter(), NOTE)),
    ]
}

pub(crate) fn story_so_far(context: &PlanningContext) -> Vec<PromptSection> {
    vec![
        PromptSection::new("ledger", ledger(context)),
        PromptSection::new("review", clip(&context.review, 2500)),
        PromptSection::new("recent", recent(context)),
        PromptSection::new("chapter_memory", chapter_memory(context)),
        PromptSection::new("reader", context::reader_lines(&context.reader)),
    ]
}

pub(crate) fn genre(context: &PlanningContext) -> PromptSection {
    PromptSection::new("genre", context::genre(&context.config))
}

fn rules(context: &PlanningContext) -> String {
    let lines = context.rules.iter().take(MAX_RULES).map(|rule| {
        let mark = if rule.strength == Strength::Hard { "硬" } else { "软" };
        format!("{}【{mark}】{}", rule.id, clip_line(&rule.rule, 120))
    });
    bullets(lines)
}

/// Notes of `research/` for a wish: those that share most with it in name and text first, equal ones by name.
pub fn research<'l>(context: &'l PlanningContext, wish: &str) -> Vec<&'l Note> {
    let texts: Vec<String> = context.research.iter().map(|note| format!("{}\n{}", note.name, note.text)).collect();
    let mut notes: Vec<(u64, &Note)> = common(wish, &texts).into_iter().zip(&context.research).collect();
    notes.sort_by(|(a, one), (b, other)| b.cmp(a).then_with(|| one.name.cmp(&other.name)));
    notes.into_iter().take(MAX_NOTES).map(|(_, note)| note).collect()
}

fn notes<'n>(notes: impl Iterator<Item = &'n Note>, length: usize) -> String {
    let pages = notes.map(|note| format!("【{}】\n{}\n", note.name, clip(&note.text, length)));
    pages.collect::<Vec<_>>().join("\n")
}

fn people(context: &PlanningContext) -> String {
    let mut people: Vec<&Character> = context.characters.iter().collect();
    people.sort_by_key(|person| (person.role != "protagonist", &person.id));
    let lines = people.into_iter().take(MAX_PEOPLE).map(|person| {
        let others = person.other_names();
        let mut line = format!(
            "{}（{}{others}，{}）：{}",
            person.display_name,
            person.id,
            person.role,
            clip_line(&person.profile, 160)
        );
        let rules: Vec<String> =
            person.contracts.iter().take(4).map(|contract| clip_line(&contract.rule, 60)).collect();
        if !rules.is_empty() {
            line.push_str(&format!("｜契约：{}", rules.join("；")));
        }
        line
    });
    let relations = context.relationships.iter().take(MAX_PEOPLE).map(|relation| {
        format!("{} → {}：{}，{}", relation.from, relation.to, relation.kind, clip_line(&relation.note, 60))
    });
    bullets(lines.chain(relations))
}

fn storylines(context: &PlanningContext) -> String {
    let mut lines: Vec<&Storyline> = context.storylines.lines.iter().collect();
    // Ended lines are left out first.
    lines.sort_by_key(|line| line.status == Status::Ended);
    let lines = lines.into_iter().take(MAX_LINES).map(|line| {
        let status = context.memories.get(&line.id).map(|memory| clip_line(&memory.status, 80)).unwrap_or_default();
        let mut text = format!(
            "{}《{}》（{}，{}，{}）：{}",
            line.id,
            line.name,
            line.kind,
            line.reach,
            line.status,
            clip_line(&line.description, 160)
        );
        if !status.is_empty() {
            text.push_str(&format!("｜现况：{status}"));
        }
        text
    });
    bullets(lines)
}

/// Open foreshadowings in three groups, the most urgent first in each.
fn ledger(context: &PlanningContext) -> String {
    let last_completed = context.last_completed;
    let inventory = Inventory::of(&InventoryBasis {
        ledger: &context.ledger,
        volumes: &[],
        present: VolumeNo::FIRST,
        last_completed,
    });
    let is_late =
        |thread: &Thread| thread.scope != Scope::Long && thread.window.is_some_and(|(_, to)| last_completed > to);
    let (late, open): (Vec<&Thread>, Vec<&Thread>) = inventory.open().partition(|thread| is_late(thread));
    let (core, ordinary): (Vec<&Thread>, Vec<&Thread>) = open.into_iter().partition(|thread| thread.is_core());
    let mut room = MAX_OPEN;
    let mut text = String::new();
    for (name, threads) in [("已超期", late), ("跨卷的长线，每卷每条至少推进一次", core), ("其余未收", ordinary)]
    {
        let shown = threads.len().min(room);
        room -= shown;
        if shown > 0 {
            text.push_str(&format!("{name}：\n{}", bullets(threads[..shown].iter().map(|thread| open_line(thread)))));
        }
    }
    text
}

fn open_line(thread: &Thread) -> String {
    let chapter = |chapter: Option<ChapterNo>| chapter.map_or(0, ChapterNo::get);
    let (planted, touched) = (chapter(thread.planted()), chapter(thread.last_touched()));
    let touched = if touched > planted { format!("，上次第{touched}章") } else { String::new() };
    let due = thread.window.map_or_else(String::new, |(from, to)| format!("，宜在 {from}–{to} 章收"));
    let Thread { id, scope, storyline, .. } = thread;
    let description = clip_line(&thread.description, 100);
    format!("{id}（{scope}，{storyline}，第{planted}章埋{touched}{due}）：{description}")
}

fn recent(context: &PlanningContext) -> String {
    let lines = context.recent.iter().map(|recent| {
        format!(
            "第{}章《{}》（{}）：{}",
            recent.chapter.get(),
            recent.title,
            recent.storyline,
            clip_line(&recent.summary, 400)
        )
    });
    bullets(lines)
}

/// The memories of unfinished lines.
pub(crate) fn memories(context: &PlanningContext) -> String {
    let running = context.storylines.lines.iter().filter(|line| line.status != Status::Ended);
    let told = running.filter_map(|line| Some((line, context.memories.get(&line.id)?)));
    bullets(told.take(MAX_MEMORIES).map(|(line, memory)| {
        format!("{}：{}｜{}", line.id, clip_line(&memory.status, 80), clip_line(&memory.facts, 240))
    }))
}

/// Ledger entries beyond the last summaries. Planners may know every line.
fn chapter_memory(context: &PlanningContext) -> String {
    let memories: Vec<&ChapterMemory> = context.chapter_memories.iter().collect();
    memory_lines(&memories, &context.recent, &context.characters)
}

pub(crate) fn schedule(plan: &Plan) -> String {
    let Some(schedule) = &plan.schedule else { return NOTHING.to_owned() };
    let mut text = format!("题眼：{}\n", schedule.theme);
    text.push_str(&clip(&plan.outline.preface, 400));
    text.push('\n');
    let lines = schedule.active.iter().map(|line| {
        format!("{}（{}，{} 章）：{}", line.storyline, line.role, line.target_chapters, clip_line(&line.goal, 120))
    });
    text.push_str(&bullets(lines));
    if let Some(rhythm) = &schedule.interleaving {
        let primary = rhythm.primary_max_consecutive.map(|most| format!("主推线至多连续 {most} 章"));
        let secondary = rhythm.secondary_every.map(|every| format!("穿插线至多隔 {every} 章"));
        let has_seasoning = schedule.active.iter().any(|line| line.role == VolumeRole::Seasoning);
        let place = rhythm.seasoning_in_words();
        let seasoning = (has_seasoning && !place.is_empty()).then(|| format!("点缀线{place}"));
        let rhythm: Vec<String> = primary.into_iter().chain(secondary).chain(seasoning).collect();
        text.push_str(&format!("节奏：{}\n", rhythm.join("，")));
    }
    let meetings = schedule.convergences.iter().map(|meeting| {
        let lines = meeting.lines.iter().map(Slug::as_str).collect::<Vec<_>>().join("、");
        format!(
            "第 {}–{} 章，{lines} 交汇：{}",
            meeting.chapters.0,
            meeting.chapters.1,
            clip_line(&meeting.trigger, 120)
        )
    });
    text + &bullets(meetings)
}

/// The plot threads that the plan plants and resolves, in words.
pub(crate) fn foreshadowing(plan: &Plan) -> String {
    bullets(plan.foreshadowing.iter().map(|planned| {
        let plant = planned.plant.map_or_else(|| "早已埋下".to_owned(), |chapter| format!("第{}章埋", chapter.get()));
        let advance: Vec<String> = planned.advance.iter().map(|chapter| format!("第{chapter}章推")).collect();
        let resolve = planned.target.map(|(from, to)| format!("{from}–{to} 章收"));
        let steps: Vec<String> = std::iter::once(plant).chain(advance).chain(resolve).collect();
        format!(
            "{}（{}，{}，{}）：{}",
            planned.id,
            planned.scope,
            planned.storyline,
            steps.join("，"),
            clip_line(&planned.description, 100)
        )
    }))
}

pub fn flaw_in_chinese(flaw: &Flaw) -> String {
    match flaw {
        Flaw::Begins { found, wanted } => format!("这一卷从第 {found} 章起，可全书接下来是第 {wanted} 章"),
        Flaw::Count { found, wanted } => format!("章纲有 {found} 章，要的是 {wanted} 章"),
        Flaw::NoConflict(chapter) => format!("{chapter} 没有冲突"),
        Flaw::TooManyLines { found } => format!("同时跑 {found} 条故事线，多于四条会混"),
        Flaw::UnknownLine { line } => format!("故事线 {line} 没有定义"),
        Flaw::EndedLine { line } => format!("故事线 {line} 已经了结"),
        Flaw::NotScheduled { chapter, line } => format!("{chapter} 用了 {line}，可调度里没有这条线"),
        Flaw::NoChapter { line } => format!("调度了 {line}，却没有一章写它"),
        Flaw::NoPrimary => "没有一条主推线（primary）".to_owned(),
        Flaw::RunTooLong { line, from, run, limit } => format!("{line} 从 {from} 起连写 {run} 章，本来至多 {limit} 章"),
        Flaw::AwayTooLong { line, after, gap, limit } => {
            format!("第 {after} 章之后 {line} 有 {gap} 章没出现，本来至多隔 {limit} 章")
        }
        Flaw::MeetingOutside { from, to } => format!("交汇 {from}–{to} 不在本卷之内"),
        Flaw::MeetingAlone { from, to } => format!("交汇 {from}–{to} 没有两条调度里的线"),
        Flaw::MeetingEmpty { from, to } => format!("第 {from}–{to} 章里没有一章写要交汇的线"),
        Flaw::Range { id, from, to } => format!("伏笔 {id} 不可能在 {from}–{to} 章收"),
        Flaw::Span { id, plant, to } => format!("短伏笔 {id} 埋在第 {plant} 章，到第 {to} 章才收，应在三到十章内"),
        Flaw::PlantOutside { id, plant } => format!("伏笔 {id} 埋在第 {plant} 章，不在本卷"),
        Flaw::Untold { id, chapter, action } => format!("计划里 {chapter} 要{} {id}，章纲没写", action.verb()),
        Flaw::Unplanned { id, chapter } => format!("{chapter} 动了伏笔 {id}，可计划和账上都没有它"),
        Flaw::Order { id, chapter, action } => format!("{chapter} 不能{} {id}：先后不对", action.verb()),
        Flaw::LeftOpen { id, chapter } => format!("这是最后一卷，可到 {chapter} 伏笔 {id} 还没收"),
        Flaw::LeftHanging { line } => format!("这是最后一卷，可还在跑的故事线 {line} 没有排进来"),
        Flaw::NoContract(chapter) => format!("{chapter} 没有契约"),
        Flaw::UnknownPerson { chapter, id } => format!("{chapter} 的契约写了 {id}，书里没有这个人"),
        Flaw::Unfounded { chapter, fact } => format!("{chapter} 的前提“{fact}”没有哪一章促成"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::volume::foreshadowing::{Action, Foreshadowing, ThreadStep};

    #[test]
    fn overdue_and_core_foreshadowings_stand_before_the_others() {
        let entry = |id: &str, scope, target| Foreshadowing {
            id: Slug::new(id).unwrap(),
            description: "来历".into(),
            scope,
            target,
            storyline: Slug::new("main-arc").unwrap(),
            history: vec![ThreadStep { chapter: ChapterNo::FIRST, action: Action::Planted, detail: "来历".into() }],
        };
        let entries = vec![
            entry("near", Scope::Short, Some((9, 14))),
            entry("core", Scope::Long, Some((2, 5))),
            entry("late", Scope::Short, Some((4, 8))),
            entry("late-core", Scope::Medium, Some((4, 8))),
        ];
        let mut context =
            PlanningContext { ledger: Ledger { entries }, last_completed: 10, ..PlanningContext::default() };
        let wanted = "已超期：\n- late（short，main-arc，第1章埋，宜在 4–8 章收）：来历\n\
            - late-core（medium，main-arc，第1章埋，宜在 4–8 章收）：来历\n\
            跨卷的长线，每卷每条至少推进一次：\n- core（long，main-arc，第1章埋，宜在 2–5 章收）：来历\n\
            其余未收：\n- near（short，main-arc，第1章埋，宜在 9–14 章收）：来历\n";
        assert_eq!(ledger(&context), wanted);
        context.ledger.entries = (0..99).map(|n| entry(&format!("open-{n}"), Scope::Short, None)).collect();
        assert_eq!(ledger(&context).lines().count(), MAX_OPEN + 1);
    }

    #[test]
    fn of_many_notes_those_are_shown_that_the_wish_is_about() {
        let note = |name: &str, text: &str| Note { name: name.into(), text: text.into() };
        let mut research: Vec<Note> = (1..=9).map(|n| note(&format!("a-{n}.md"), "城里的旧规矩")).collect();
        research.push(note("z-票号.md", "汇票怎样兑现"));
        research.push(note("y.md", "票号里的学徒三年出师，城里都认"));
        let context = PlanningContext { research, ..PlanningContext::default() };
        let shown =
            |wish: &str| super::research(&context, wish).iter().map(|note| note.name.as_str()).collect::<Vec<_>>();
        assert_eq!(shown("票号的学徒偷了汇票"), ["y.md", "z-票号.md", "a-1.md", "a-2.md", "a-3.md", "a-4.md"]);
        assert_eq!(shown(""), ["a-1.md", "a-2.md", "a-3.md", "a-4.md", "a-5.md", "a-6.md"]);
    }
}
