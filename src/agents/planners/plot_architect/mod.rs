//! The plot architect: theme and conflict of the book, new storylines, reviews of volumes, and blurbs. Schedules and outlines of
//! volumes have files of their own.

pub mod outline;
pub mod schedule;

use crate::agents::call::prompt::{PromptOrder, compose};
use crate::agents::call::reply::{fitted, read_json};
use crate::agents::context::{NOTHING, PromptSection};
use crate::agents::planners::context::{self, PlanningContext, VolumeOrder, flaw_in_chinese};
use crate::agents::prelude::*;
use crate::domain::volume::Recommendation;
use crate::domain::volume::outline::Section;
use crate::domain::volume::plan::Flaw;
use crate::domain::world::storyline::{Bridges, Reach, Relation, Status, Storyline, Storylines};
use crate::text::slug_of;

struct PlotQuestion<'a> {
    file: &'static str,
    /// The author's wish, which selects the people and lines shown.
    wish: &'a str,
    /// The sections beside those of every question.
    sections: &'a dyn Fn() -> Vec<PromptSection>,
    answer: ReplyForm,
    max_output_tokens: u32,
}

impl PlotQuestion<'_> {
    fn prompt(self, context: &PlanningContext, prompts: &Prompts) -> Result<Prompt, PromptError> {
        let user = ["prompts/plot-architect/lore.md", self.file];
        let order = PromptOrder {
            agent: Agent::PlotArchitect,
            system: "prompts/plot-architect/system.md",
            user: &user,
            context: None,
            sections: &|_| {
                let mut sections = vec![context::genre(context)];
                sections.extend(context::sections(context, self.wish));
                sections.extend(context::story_so_far(context));
                sections.extend((self.sections)());
                sections
            },
            answer: self.answer,
            max_output_tokens: self.max_output_tokens,
        };
        compose(order, prompts)
    }
}

/// Characters of a section shown to the author of the next.
const SECTION: usize = 1500;

/// A sentence on the volume's place in the book.
fn ending(order: &VolumeOrder) -> &'static str {
    if order.closing { CLOSING } else { "后面还有卷，不必收尽" }
}

/// The instructions for the volume that ends the book.
const CLOSING: &str = "这是全书最后一卷：账上还开着的伏笔，长的也算，连同这一卷新埋的，一条不剩都要在本卷某一章收回；\
    还在跑的故事线都要排进来，各有结局；核心冲突见分晓，最后一章落在纲领写的结局上，不留下一卷的钩子";

fn flaw_list(flaws: &[Flaw]) -> String {
    bullets(flaws.iter().take(30).map(flaw_in_chinese))
}

/// Earlier chapters of the volume, the last ones in full: events and present facts.
fn chapters_so_far(sections: &[Section]) -> String {
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

/// An id in the reply, or made from a name in its place.
fn id_of(text: &str) -> Option<Slug> {
    Slug::new(&text.trim().to_ascii_lowercase()).ok().or_else(|| slug_of(text))
}

pub(in crate::agents) fn theme_prompt(context: &PlanningContext, prompts: &Prompts) -> Result<Prompt, PromptError> {
    let answer = ReplyForm::Json { name: "theme", schema: schema_of::<ThemeReading>() };
    let file = "prompts/plot-architect/theme.md";
    PlotQuestion { file, wish: "", sections: &Vec::new, answer, max_output_tokens: 1500 }.prompt(context, prompts)
}

#[derive(Debug, Clone, PartialEq, Eq, Default, Deserialize, JsonSchema)]
#[serde(default)]
pub struct ThemeReading {
    #[schemars(description = "一句话：谁，想要什么，被什么挡住，最怕失去什么")]
    pub logline: String,
    #[schemars(description = "整本书反复追问的一个问题")]
    pub theme: String,
    #[schemars(description = "核心冲突，两三句")]
    pub conflict: String,
    #[schemars(description = "最后一幕的画面")]
    pub ending: String,
}

/// Fails when theme or conflict is missing.
pub fn read_theme(reply: &str) -> Result<ThemeReading, ReplyFault> {
    let reading: ThemeReading = read_as(reply)?;
    match [("theme", &reading.theme), ("conflict", &reading.conflict)].iter().find(|(_, text)| text.is_empty()) {
        Some(&(field, _)) => Err(ReplyFault::Field { field, wanted: FieldKind::Text }),
        None => Ok(reading),
    }
}

/// Characters of the first chapter that are shown.
const OPENING: usize = 1500;
/// The most entries of a list, and the characters of each.
const ENTRIES: usize = 12;
const ENTRY: usize = 500;

pub(in crate::agents) fn blurb_prompt(
    context: &PlanningContext,
    opening: &str,
    prompts: &Prompts,
) -> Result<Prompt, PromptError> {
    let own = || {
        let written = context.last_completed.to_string();
        vec![PromptSection::new("written", written), PromptSection::new("opening", clip(opening.trim(), OPENING))]
    };
    let answer = ReplyForm::Json { name: "blurb", schema: schema_of::<BlurbReading>() };
    let file = "prompts/plot-architect/blurb.md";
    PlotQuestion { file, wish: "", sections: &own, answer, max_output_tokens: 2000 }.prompt(context, prompts)
}

#[derive(Debug, Clone, PartialEq, Eq, Default, Deserialize, JsonSchema)]
#[serde(default)]
pub struct BlurbReading {
    #[schemars(description = "五到八个书名候选")]
    pub titles: Vec<String>,
    #[schemars(description = "简介，二到四段")]
    pub blurb: Vec<String>,
    #[schemars(description = "五到十个标签")]
    pub tags: Vec<String>,
    #[schemars(description = "三到五条卖点")]
    pub selling_points: Vec<String>,
}

/// Fails when titles or blurb are missing.
pub fn read_blurb(reply: &str) -> Result<BlurbReading, ReplyFault> {
    let mut reading: BlurbReading = read_as(reply)?;
    let BlurbReading { titles, blurb, tags, selling_points } = &mut reading;
    for list in [&mut *titles, &mut *blurb, tags, selling_points] {
        list.truncate(ENTRIES);
        list.iter_mut().for_each(|text| *text = clip_line(text, ENTRY));
    }
    match [("titles", titles), ("blurb", blurb)].iter().find(|(_, list)| list.is_empty()) {
        Some(&(field, _)) => Err(ReplyFault::Field { field, wanted: FieldKind::Texts }),
        None => Ok(reading),
    }
}

const MAX_FIGURES: usize = 60;

/// The most remarks and bridges of a review, and the characters of each.
const MAX_REMARKS: usize = 8;
const MAX_BRIDGES: usize = 6;
const REMARK: usize = 200;

/// Asks for the review of a volume. `figures` are counts, one a line.
pub(in crate::agents) fn review_prompt(
    context: &PlanningContext,
    volume: VolumeNo,
    figures: &[String],
    prompts: &Prompts,
) -> Result<Prompt, PromptError> {
    let own = || {
        vec![
            PromptSection::new("volume", volume.get().to_string()),
            PromptSection::new("figures", bullets(figures.iter().take(MAX_FIGURES).map(|line| clip_line(line, 300)))),
            PromptSection::new("memories", context::memories(context)),
        ]
    };
    let answer = ReplyForm::Json { name: "review", schema: schema_of::<ReviewReply>() };
    let file = "prompts/plot-architect/review.md";
    PlotQuestion { file, wish: "", sections: &own, answer, max_output_tokens: 2500 }.prompt(context, prompts)
}

#[derive(Default, Deserialize, JsonSchema)]
#[serde(default)]
struct ReviewReply {
    #[schemars(description = "前后对不上、半途丢下、许下没还的，最多八条；没有就给空列表")]
    remarks: Vec<String>,
    #[schemars(description = "下一卷开头可以接住的事，最多六条")]
    bridges: Vec<String>,
    #[schemars(description = "全书走到了哪一步", extend("enum" = ["continue", "wrap_up", "force_end"]))]
    evaluation_result: String,
    #[schemars(description = "凭什么这样判断，一两句")]
    reason: String,
    #[schemars(description = "写到结局大约还要多少章；已经到头给 0", with = "u32")]
    chapters_left: Option<u32>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReviewReading {
    /// Contradictions.
    pub remarks: Vec<String>,
    /// Threads that the next volume may continue.
    pub bridges: Vec<String>,
    /// Advice on how the book goes on; `None` when the answer names no course.
    pub course: Option<Recommendation>,
    pub reason: String,
    /// The estimate of chapters that the story still needs.
    pub chapters_left: Option<u32>,
}

/// Reads a review. An unreadable course is no fault: the author decides in any case. Fails when nothing of a review is
/// in the reply.
pub fn read_review(reply: &str) -> Result<ReviewReading, ReplyFault> {
    let reply: ReviewReply = read_as(reply)?;
    let said = |list: &[String], most: usize| -> Vec<String> {
        list.iter().take(most).map(|text| clip_line(text, REMARK)).collect()
    };
    let reading = ReviewReading {
        remarks: said(&reply.remarks, MAX_REMARKS),
        bridges: said(&reply.bridges, MAX_BRIDGES),
        course: reply.evaluation_result.to_ascii_lowercase().replace(['-', ' '], "_").parse().ok(),
        reason: clip_line(&reply.reason, REMARK),
        chapters_left: reply.chapters_left,
    };
    let is_empty = reading.course.is_none() && reading.reason.is_empty();
    if is_empty && reading.remarks.is_empty() && reading.bridges.is_empty() {
        return Err(ReplyFault::Field { field: "evaluation_result", wanted: FieldKind::Recommendation });
    }
    Ok(reading)
}

/// The longest name of a line, in characters.
const NAME: usize = 20;
/// The longest description, in characters.
const DESCRIPTION: usize = 400;
/// The most people who tell a line, and the most that it shares with another.
const MAX_PEOPLE: usize = 6;
/// The most relations of a new line.
const MAX_RELATIONS: usize = 6;

pub(in crate::agents) fn storyline_prompt(
    context: &PlanningContext,
    wish: &str,
    prompts: &Prompts,
) -> Result<Prompt, PromptError> {
    let own = || vec![PromptSection::new("wish", clip_line(wish, 600))];
    let answer = ReplyForm::Json { name: "storyline", schema: schema_of::<StorylineReply>() };
    let file = "prompts/plot-architect/storyline.md";
    PlotQuestion { file, wish, sections: &own, answer, max_output_tokens: 1500 }.prompt(context, prompts)
}

#[derive(Default, Deserialize, JsonSchema)]
#[serde(default)]
pub(super) struct NewLineReply {
    #[schemars(description = "英文小写的 id")]
    id: String,
    #[schemars(description = "名字")]
    name: String,
    #[serde(rename = "type")]
    #[schemars(description = "哪一种线", extend("enum" = ["main_arc", "faction_conflict", "conspiracy", "mystery", "character_arc", "parallel_timeline"]))]
    kind: String,
    #[schemars(description = "跨多远", extend("enum" = ["novel", "multi_volume", "single_volume"]))]
    scope: String,
    #[schemars(description = "讲什么")]
    description: String,
    #[schemars(description = "从谁的眼睛看，姓名", extend("x-read" = "names"))]
    pov_characters: Vec<String>,
}

/// The line of a reply; `None` when no id can be made for it.
pub(super) fn new_line(line: NewLineReply) -> Option<Storyline> {
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

#[derive(Default, Deserialize, JsonSchema)]
#[serde(default)]
struct StorylineReply {
    #[schemars(description = "新的故事线")]
    storyline: NewLineReply,
    #[schemars(description = "它和已有的线怎样相关；没有就给空列表")]
    relations: Vec<RelationReply>,
}

#[derive(Default, Deserialize, JsonSchema)]
#[serde(default)]
struct RelationReply {
    #[schemars(description = "哪一条已有的线，写 id")]
    with: String,
    #[serde(rename = "type")]
    #[schemars(description = "怎样相关：entangled、mirror……")]
    kind: String,
    #[schemars(description = "两条线里都有的人，姓名", extend("x-read" = "names"))]
    shared_characters: Vec<String>,
    #[schemars(description = "什么事会让它们碰头")]
    convergence: String,
    #[schemars(description = "碰头对故事的用处")]
    function: String,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StorylineReading {
    /// The id may be taken; the caller sets the status.
    pub line: Storyline,
    /// Relations from the new line to existing ones.
    pub relations: Vec<Relation>,
}

/// Reads a new line. Fails when the line has no name or description, or the book has a line of that name.
pub fn read_storyline(reply: &str, known: &Storylines) -> Result<StorylineReading, ReplyFault> {
    let value = read_json(reply)?;
    let StorylineReply { mut storyline, relations } = fitted(&value);
    if !value["storyline"].is_object() {
        // Some models leave the outer object out.
        storyline = fitted(&value);
    }
    let line = new_line(storyline).filter(|line| !line.name.is_empty() && !line.description.is_empty());
    let line = line.ok_or(ReplyFault::Field { field: "storyline", wanted: FieldKind::Storyline })?;
    if known.lines.iter().any(|other| other.name == line.name) {
        return Err(ReplyFault::Field { field: "name", wanted: FieldKind::NewName });
    }
    let relations =
        relations.into_iter().filter_map(|reply| relation(reply, &line.id, known)).take(MAX_RELATIONS).collect();
    let line = Storyline {
        name: clip_line(&line.name, NAME),
        description: clip_line(&line.description, DESCRIPTION),
        pov_characters: people(&line.pov_characters),
        ..line
    };
    Ok(StorylineReading { line, relations })
}

/// A relation to an existing line, by its id or its name.
fn relation(reply: RelationReply, from: &Slug, known: &Storylines) -> Option<Relation> {
    let id = id_of(&reply.with)?;
    let to = known.lines.iter().find(|line| line.id == id || line.name == reply.with)?;
    Some(Relation {
        from: from.clone(),
        to: to.id.clone(),
        kind: if reply.kind.is_empty() { "entangled".to_owned() } else { clip_line(&reply.kind, NAME) },
        bridges: Bridges { shared_characters: people(&reply.shared_characters), ..Bridges::default() },
        convergence: clip_line(&reply.convergence, DESCRIPTION),
        function: clip_line(&reply.function, DESCRIPTION),
    })
}

fn people(names: &[String]) -> Vec<String> {
    let names = names.iter().map(|name| clip_line(name, NAME)).filter(|name| !name.is_empty());
    names.take(MAX_PEOPLE).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

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

    fn known() -> Storylines {
        let line = |id: &str, name: &str| Storyline {
            id: Slug::new(id).unwrap(),
            name: name.into(),
            kind: "main_arc".into(),
            reach: Reach::Novel,
            status: Status::Active,
            pov_characters: vec![],
            factions: vec![],
            timeline: "present".into(),
            description: String::new(),
            introduced: None,
        };
        Storylines { lines: vec![line("main-arc", "赎灯"), line("chen-chuan", "沉船")], relations: vec![] }
    }

    #[test]
    fn a_line_needs_a_name_of_its_own_and_a_description_and_touches_only_lines_that_there_are() {
        let reply = r#"{"storyline": {"id": "Night Ferry!", "name": "夜渡", "type": "", "scope": "整本", "description": "船上\n少了一个人", "pov_characters": ["阿七", ""]},
            "relations": [{"with": "沉船", "shared_characters": ["阿七"]}, {"with": "nowhere"}, {"type": "mirror"}, 3]}"#;
        let reading = read_storyline(reply, &known()).unwrap();
        let line = &reading.line;
        assert_eq!(
            (line.id.as_str(), line.kind.as_str(), line.reach),
            ("night-ferry", "character_arc", Reach::MultiVolume)
        );
        assert_eq!(
            (line.description.as_str(), &line.pov_characters[..]),
            ("船上；少了一个人", &["阿七".to_owned()][..])
        );
        let [relation] = &reading.relations[..] else { panic!("{reading:?}") };
        assert_eq!(
            (relation.from.as_str(), relation.to.as_str(), relation.kind.as_str()),
            ("night-ferry", "chen-chuan", "entangled")
        );
        for unusable in [
            r#"{"storyline": {"name": "夜渡"}, "relations": []}"#,
            r#"{"storyline": {"description": "有名无实"}}"#,
            r#"{"storyline": {"name": "沉船", "description": "重名"}}"#,
            r#"{"relations": []}"#,
            "好的",
        ] {
            assert!(read_storyline(unusable, &known()).is_err(), "{unusable}");
        }
        let bare = r#"{"name": "夜渡", "description": "少了一个人"}"#;
        assert_eq!(read_storyline(bare, &known()).unwrap().line.id.as_str(), "ye-du");
    }
}
