//! The schedule of a volume: storylines, crossovers and foreshadowings.

use crate::agents::context::PromptSection;
use crate::agents::planners::context::{PlanningContext, VolumeOrder};
use crate::agents::planners::plot_architect::{
    NewLineReply, PlotQuestion, chapters_so_far, ending, flaw_list, id_of, new_line,
};
use crate::agents::prelude::*;
use crate::domain::volume::foreshadowing::{Scope, ThreadPlan};
use crate::domain::volume::outline::Section;
use crate::domain::volume::plan::Flaw;
use crate::domain::world::storyline::{
    Convergence, Interleaving, SEASONING, Schedule, ScheduledLine, Storyline, VolumeRole,
};

pub(in crate::agents) fn prompt(
    context: &PlanningContext,
    order: &VolumeOrder,
    kept: &[Section],
    flaws: &[Flaw],
    prompts: &Prompts,
) -> Result<Prompt, PromptError> {
    let own = || {
        vec![
            PromptSection::new("volume", order.volume.get().to_string()),
            PromptSection::new("first", order.first.to_string()),
            PromptSection::new("last", order.last().to_string()),
            PromptSection::new("count", order.chapters.to_string()),
            PromptSection::new("wish", wish(order)),
            PromptSection::new("ending", ending(order)),
            PromptSection::new("kept", chapters_so_far(kept)),
            PromptSection::new("flaws", flaw_list(flaws)),
        ]
    };
    let answer = ReplyForm::Json { name: "schedule", schema: schema_of::<ScheduleReply>() };
    let file = "prompts/plot-architect/schedule.md";
    PlotQuestion { file, wish: &order.wish, sections: &own, answer, max_output_tokens: 6000 }.prompt(context, prompts)
}

fn wish(order: &VolumeOrder) -> String {
    if order.wish.trim().is_empty() { "没有特别的要求".to_owned() } else { clip_line(&order.wish, 600) }
}

#[derive(Default, Deserialize, JsonSchema)]
#[serde(default)]
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
    #[schemars(description = "休眠的线的 id", extend("x-read" = "names"))]
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

#[derive(Default, Deserialize, JsonSchema)]
#[serde(default)]
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

#[derive(Default, Deserialize, JsonSchema)]
#[serde(default)]
struct MeetingReply {
    #[schemars(description = "起始章")]
    from: u32,
    #[schemars(description = "末章")]
    to: u32,
    #[schemars(description = "交汇的线的 id", extend("x-read" = "names"))]
    storylines: Vec<String>,
    #[schemars(description = "什么把它们撞到一起")]
    trigger: String,
    #[schemars(description = "之后怎样")]
    aftermath: String,
}

#[derive(Default, Deserialize, JsonSchema)]
#[serde(default)]
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
    #[schemars(description = "在哪几章推", extend("x-read" = "names"))]
    advance: Vec<u32>,
    #[schemars(description = "最早哪一章收；没有就给 0")]
    resolve_from: u32,
    #[schemars(description = "最晚哪一章收；没有就给 0")]
    resolve_to: u32,
}

#[derive(Debug, Clone, PartialEq)]
pub struct ScheduleReading {
    /// The subject of the volume, for the outline's preface.
    pub summary: String,
    /// The hook at the volume's end.
    pub hook: String,
    /// Lines that begin in the volume.
    pub new_lines: Vec<Storyline>,
    pub schedule: Schedule,
    pub foreshadowing: Vec<ThreadPlan>,
}

pub fn read(reply: &str, order: &VolumeOrder) -> Result<ScheduleReading, ReplyFault> {
    let reply: ScheduleReply = read_as(reply)?;
    let active = reply.storylines.into_iter().filter_map(|line| {
        Some(ScheduledLine {
            storyline: id_of(&line.id)?,
            role: line.role.parse().unwrap_or(VolumeRole::Secondary),
            target_chapters: line.chapters,
            goal: line.goal,
        })
    });
    let active: Vec<ScheduledLine> = active.collect();
    if active.is_empty() {
        return Err(ReplyFault::Field { field: "storylines", wanted: FieldKind::Storylines });
    }
    let ids = |ids: &[String]| ids.iter().filter_map(|id| id_of(id)).collect();
    let convergences = reply.convergences.into_iter().filter(|meeting| meeting.from > 0).map(|meeting| Convergence {
        chapters: (meeting.from, above_zero(meeting.to).unwrap_or(meeting.from)),
        lines: ids(&meeting.storylines),
        trigger: meeting.trigger,
        aftermath: meeting.aftermath,
    });
    let seasoning = Some(reply.seasoning_placement).filter(|place| !place.is_empty());
    let schedule = Schedule {
        volume: order.volume,
        closing: order.closing,
        theme: reply.theme,
        interleaving: (active.len() > 1).then(|| Interleaving {
            strategy: "primary_dominant".to_owned(),
            primary_max_consecutive: above_zero(reply.primary_max_consecutive),
            secondary_every: above_zero(reply.secondary_every),
            seasoning: seasoning.unwrap_or_else(|| SEASONING[0].0.to_owned()),
        }),
        active,
        convergences: convergences.collect(),
        dormant: ids(&reply.dormant),
        newly_activated: Vec::new(),
    };
    Ok(ScheduleReading {
        summary: reply.summary,
        hook: reply.hook,
        new_lines: reply.new_storylines.into_iter().filter_map(new_line).collect(),
        foreshadowing: reply.foreshadowing.into_iter().filter_map(planned).collect(),
        schedule,
    })
}

fn above_zero(number: u32) -> Option<u32> {
    Some(number).filter(|number| *number > 0)
}

fn planned(reply: PlannedReply) -> Option<ThreadPlan> {
    Some(ThreadPlan {
        id: id_of(&reply.id)?,
        description: reply.description,
        scope: reply.scope.parse().unwrap_or(Scope::Short),
        storyline: id_of(&reply.storyline)?,
        plant: ChapterNo::new(reply.plant),
        advance: reply.advance,
        target: above_zero(reply.resolve_from).zip(above_zero(reply.resolve_to)),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::VolumeNo;

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
        let reading = read(SCHEDULE, &order(true)).unwrap();
        assert!(reading.schedule.closing, "that the book ends is the author's word, not the model's");
        let lines: Vec<(&str, u32)> =
            reading.schedule.active.iter().map(|line| (line.storyline.as_str(), line.target_chapters)).collect();
        assert_eq!(lines, [("main-arc", 7), ("chen-chuan", 3)]);
        assert_eq!(reading.new_lines[0].id.as_str(), "chen-chuan");
        assert_eq!(reading.schedule.convergences[0].chapters, (9, 9));
        let [seal, name] = &reading.foreshadowing[..] else { panic!("{:?}", reading.foreshadowing) };
        assert_eq!((seal.target, &seal.advance[..]), (Some((5, 8)), &[4][..]));
        assert_eq!((name.plant, name.target), (None, None));
        assert!(read("{}", &order(false)).is_err());
    }

    #[test]
    fn numbers_of_chapters_are_read_in_words() {
        let seal = r#"{"id": "seal", "storyline": "main-arc", "advance": ["4", "第6章"], "plant": "第2章"}"#;
        let seal = planned(read_as(seal).unwrap()).unwrap();
        assert_eq!((&seal.advance[..], seal.plant), (&[4, 6][..], ChapterNo::new(2)));
    }
}
