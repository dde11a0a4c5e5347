//! Scenes: how the plot architect divides a chapter, and the writer's order for the next scene.

use crate::agents::call::prompt::{PromptOrder, compose};
use crate::agents::call::reply::plain;
use crate::agents::call::task::SceneOrder;
use crate::agents::checks::chat::parts_scenes;
use crate::agents::checks::completeness::{Expected, TextFinding, without_repeated_beginning};
use crate::agents::checks::parroting::is_example_name;
use crate::agents::context::scene::end_of;
use crate::agents::context::{self, NOTHING, PartLimits, PromptSection, chars};
use crate::agents::prelude::*;
use crate::agents::writer::{self, HINTS_MARK, WrittenChapter};
use crate::domain::chapter::{self, FEWEST, MOST, Scene, ScenePlan};
use crate::text::longest_shared_run;

const MOST_PEOPLE: usize = 8;
const LONGEST: usize = 80;

pub(super) fn plan_prompt(
    context: &ChapterContext,
    reasons: &[String],
    prompts: &Prompts,
) -> Result<Prompt, PromptError> {
    let order = PromptOrder {
        agent: Agent::PlotArchitect,
        system: "prompts/plot-architect/system.md",
        user: &["prompts/plot-architect/scenes.md"],
        context: Some(context),
        sections: &|extent| of_chapter(context, reasons, extent),
        answer: ReplyForm::Json { name: "scenes", schema: schema_of::<ScenesReply>() },
        max_output_tokens: 1800,
    };
    compose(order, prompts)
}

fn of_chapter(context: &ChapterContext, reasons: &[String], extent: &PartLimits) -> Vec<PromptSection> {
    let pov = context.section.field(Field::Pov);
    let mut sections = [context::of_chapter(context, extent), context::whole(context, extent)].concat();
    sections.push(PromptSection::new("pov", if pov.is_empty() { NOTHING } else { pov }));
    sections.push(PromptSection::new("reasons", bullets(reasons.iter().cloned())));
    sections
}

#[derive(Default, Deserialize, JsonSchema)]
#[serde(default)]
struct ScenesReply {
    #[schemars(description = "各场，二到六场，按先后")]
    scenes: Vec<SceneReply>,
}

#[derive(Default, Deserialize, JsonSchema)]
#[serde(default)]
struct SceneReply {
    #[schemars(description = "这一场替本章办成什么事")]
    goal: String,
    #[schemars(description = "在哪里，什么时候")]
    place: String,
    #[schemars(description = "在场的人，写名字", extend("x-read" = "names"))]
    people: Vec<String>,
    #[schemars(description = "谁要什么，谁拦着")]
    conflict: String,
    #[schemars(description = "这一场结束时局面变成什么样")]
    turn: String,
    #[schemars(description = "占本章篇幅的百分之几", with = "u32", extend("x-read" = "raw"))]
    share: Value,
}

/// The sources of a scene plan, which must not repeat them nor name people outside of them.
#[derive(Debug, Clone, Default)]
pub struct PlanMaterial {
    shown: String,
    /// The end of the previous chapter on the line; may be empty.
    ending: String,
}

impl PlanMaterial {
    /// The material of a chapter, with the reasons why it is written again.
    pub fn of(context: &ChapterContext, reasons: &[String]) -> Self {
        let sections = of_chapter(context, reasons, &PartLimits::default());
        let shown: Vec<String> = sections.into_iter().map(|section| section.text).collect();
        Self { shown: shown.join("\n"), ending: context.previous_ending.clone() }
    }

    /// A line of the plan; empty for one that is prose of the previous chapter.
    fn line(&self, text: &str) -> String {
        let is_copied = longest_shared_run(text, &self.ending, PASSAGE).is_some();
        if is_copied { String::new() } else { clip_line(text, LONGEST) }
    }

    /// The people of a scene, without those only in the prompt's example.
    fn people(&self, names: &[String]) -> Vec<String> {
        let known = |name: &&String| !is_example_name(Agent::PlotArchitect, name, &self.shown);
        names.iter().filter(known).take(MOST_PEOPLE).map(|name| clip_line(name, 20)).collect()
    }
}

/// Letters that a line of a plan does not share with the previous chapter by chance: such a line is that chapter's
/// prose, and its scene would be a copy.
const PASSAGE: usize = 20;

/// Reads the plan of a chapter's scenes. Scenes without a purpose or conflict, repeated scenes, lines with prose of the
/// previous chapter, and people of the prompt's example are left out. Fails with fewer scenes than two or more than
/// six.
pub fn read_plan(reply: &str, material: &PlanMaterial) -> Result<ScenePlan, ReplyFault> {
    let reply: ScenesReply = read_as(reply)?;
    let read = |scene: SceneReply| Scene {
        goal: material.line(&scene.goal),
        place: material.line(&scene.place),
        people: material.people(&scene.people),
        conflict: material.line(&scene.conflict),
        turn: material.line(&scene.turn),
        share: share(&plain(&scene.share)),
    };
    let mut scenes: Vec<Scene> = Vec::new();
    let mut again = false;
    for scene in reply.scenes.into_iter().map(read) {
        if scene.goal.is_empty() && scene.conflict.is_empty() {
            continue;
        }
        let says_it =
            |other: &Scene| other.goal == scene.goal && other.conflict == scene.conflict && other.turn == scene.turn;
        match scenes.iter().any(says_it) {
            true => again = true,
            false => scenes.push(scene),
        }
    }
    match scenes.len() {
        FEWEST..=MOST => Ok(ScenePlan { scenes }),
        _ if again => Err(ReplyFault::Circling),
        _ => Err(ReplyFault::Field { field: "scenes", wanted: FieldKind::Scenes }),
    }
}

/// A share in hundredths: `30`, `30%` or `0.3`. Anything outside 1 to 99 counts as 0.
fn share(text: &str) -> u32 {
    let figure: f64 = text.trim().trim_end_matches(['%', '％']).trim().parse().unwrap_or(0.0);
    let hundredths = if figure < 1.0 { figure * 100.0 } else { figure };
    if (1.0..100.0).contains(&hundredths) { hundredths.round() as u32 } else { 0 }
}

/// Reads one scene: prose without a heading, and without paragraphs at its beginning that repeat the end of the text so
/// far. The first scene's title, if any, is the chapter's.
pub fn read_scene(
    reply: &str,
    chapter: ChapterNo,
    title: &str,
    order: &SceneOrder,
    expected: &Expected<'_>,
) -> Result<WrittenChapter, ReplyFault> {
    let reply = without_headings(reply, title);
    let mut written = writer::read(&reply, chapter, title, expected)?;
    // Scenes have the planned title, which the first scene reports.
    written.findings.retain(|finding| order.number == 1 || !matches!(finding, TextFinding::Title { .. }));
    let shown = end_of(&order.so_far);
    let told: Vec<&str> = shown.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
    let Some(rest) = without_repeated_beginning(&written.chapter.body, &told) else { return Ok(written) };
    let fresh = writer::read(rest, chapter, &written.chapter.title, expected)?;
    Ok(WrittenChapter { hints: written.hints, ..fresh })
}

/// The most characters that a model says before it begins.
const CHATTER: usize = 60;

/// The reply without headings of scenes. The first heading stays, as the chapter's, when it only follows a model's
/// talk, to tell that from the story.
fn without_headings(reply: &str, title: &str) -> String {
    let lines: Vec<&str> = reply.lines().collect();
    let heads = |line: &str| is_heading(line.trim()) && !line.contains(HINTS_MARK);
    let length = |lines: &[&str]| lines.iter().map(|line| chars(line)).sum::<usize>();
    let first = lines.iter().position(|line| heads(line)).filter(|at| {
        let (before, after) = (length(&lines[..*at]), length(&lines[at + 1..]));
        before <= CHATTER && before < after
    });
    let kept = lines.iter().enumerate().filter(|(at, line)| Some(*at) == first || !heads(line));
    let kept = kept.map(|(at, line)| match Some(at) == first && parts_scenes(line.trim()) {
        true => format!("# {title}"),
        false => (*line).to_owned(),
    });
    kept.collect::<Vec<_>>().join("\n")
}

fn is_heading(line: &str) -> bool {
    chapter::is_heading(line) || parts_scenes(line)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_plan_is_read_with_what_models_put_into_it() {
        let reply = r#"好的：{"scenes": [
            {"goal": "混进城", "place": "北门，子夜", "people": ["林枫", "管十"], "conflict": "守卒要验信", "turn": "信被扣下", "share": 30},
            {"goal": "", "people": "林枫、老兵，谁", "conflict": "老兵认得火漆", "share": "0.45"},
            {"place": "只有地点"}, 7,
            {"goal": "出城", "people": null, "share": "25%"}]}"#;
        let read_plan = |reply: &str| super::read_plan(reply, &PlanMaterial::default());
        let plan = read_plan(reply).unwrap();
        let shares: Vec<u32> = plan.scenes.iter().map(|scene| scene.share).collect();
        assert_eq!(shares, [30, 45, 25]);
        assert_eq!(plan.scenes[1].people, ["林枫", "老兵", "谁"]);
        assert_eq!([share("100"), share("-3"), share("很多"), share("")], [0; 4]);
        let of = |count: usize| {
            let scenes: Vec<String> = (0..count).map(|n| format!(r#"{{"goal": "甲{n}"}}"#)).collect();
            read_plan(&format!(r#"{{"scenes": [{}]}}"#, scenes.join(",")))
        };
        assert!(of(1).is_err() && of(7).is_err() && of(2).is_ok() && of(6).is_ok());
        assert!(read_plan("{}").is_err() && read_plan("三场").is_err());
    }

    #[test]
    fn of_a_plan_stays_what_is_no_repetition_of_itself_the_chapter_before_or_the_example() {
        let ending = "他走到客人的桌前，说：“客官，我听说您要我修伞，您说需要多少钱？”客人没有回答。".to_owned();
        let material = PlanMaterial { shown: "宋檐与客人在桥头".to_owned(), ending };
        let plan = |second: &str| {
            let scenes = format!(r#"{{"scenes": [{{"goal": "跟上客人", "people": ["宋檐"]}}, {second}]}}"#);
            read_plan(&scenes, &material)
        };
        assert_eq!(plan(r#"{"goal": "跟上客人", "people": ["管家"]}"#), Err(ReplyFault::Circling));
        assert_eq!(plan(r#"{"goal": "跟上客人"}, {"goal": "过桥"}"#).unwrap().count(), 2);
        let prose = "他走到客人的桌前，说：“客官，我听说您要我修伞，您说需要多少钱？”";
        let plan =
            plan(&format!(r#"{{"goal": "问价", "conflict": "{prose}", "people": ["客人", "仵作老白"]}}"#)).unwrap();
        assert_eq!((plan.scenes[1].goal.as_str(), plan.scenes[1].conflict.as_str()), ("问价", ""));
        assert_eq!(plan.scenes[1].people, ["客人"]);
        // The same name is the book's where the book has it.
        let material = PlanMaterial { shown: "仵作老白".to_owned(), ..material };
        let people = r#"{"scenes": [{"goal": "验尸", "people": ["仵作老白"]}, {"goal": "下山"}]}"#;
        assert_eq!(read_plan(people, &material).unwrap().scenes[0].people, ["仵作老白"]);
    }

    fn order(number: u32, so_far: &str) -> SceneOrder {
        let plan = ScenePlan { scenes: vec![Scene::default(); 3] };
        SceneOrder { plan, number, so_far: so_far.into(), words: 8..=40 }
    }

    fn scene(reply: &str, number: u32, so_far: &str) -> Result<WrittenChapter, ReplyFault> {
        read_scene(reply, ChapterNo::new(48).unwrap(), "密信", &order(number, so_far), &Expected::of_length(8))
    }

    #[test]
    fn headings_of_scenes_never_reach_the_chapter() {
        let body = "雨停了，他把信收进怀里。";
        for reply in [
            format!("{body}\n"),
            format!("## 第二场\n\n{body}"),
            format!("**第2场：渡口**\n\n{body}\n\n* * *"),
            format!("# 第48章 密信\n\n【场景二】\n\n{body}\n\n【状态提示】\n- 他得了信"),
            format!("第二场 渡口\n\n{body}\n\n### 第三场"),
            format!("好的，这是第二场：\n\n## 第二场\n\n{body}\n\n## 【状态提示】\n- 他得了信"),
        ] {
            let written = scene(&reply, 2, "").unwrap();
            assert_eq!(written.chapter.body.trim(), body, "{reply}");
            assert_eq!(written.hints.is_empty(), !reply.contains("提示"));
        }
        for line in [
            "第二场雪下来的时候，他还在等。",
            "场景三番五次地变。",
            "“第一场”戏台上的锣响了。",
            "他说：第二场不看了。",
            "第一场：林枫对王虎。",
            "第一场：林枫对王虎！",
            "第一场 先打到对方认输的那一个人就算赢了",
            "#影帝塌房#冲上热搜",
        ] {
            assert!(!is_heading(line), "{line}");
            let body = format!("雨停了，他把信收进怀里。\n\n{line}\n\n他没有回头。");
            assert_eq!(scene(&body, 2, "").unwrap().chapter.body.trim(), body);
        }
        assert_eq!(scene("**第一场**\n\n雨停了，他把信收进怀里。", 1, "").unwrap().chapter.title, "密信");
    }

    #[test]
    fn what_stands_already_is_not_written_twice() {
        let so_far = "门开了。\n\n他没有回头，一直走到桥上。\n";
        let reply = "他没有回头，一直走到桥上。\n\n桥下有灯，灯下有个人在等。";
        assert_eq!(scene(reply, 2, so_far).unwrap().chapter.body, "桥下有灯，灯下有个人在等。\n");
        assert!(scene("他没有回头，一直走到桥上。", 2, so_far).is_err(), "nothing new is no scene");
        let whole = format!("{so_far}\n桥下有灯，灯下有个人在等。");
        assert_eq!(scene(&whole, 2, so_far).unwrap().chapter.body, "桥下有灯，灯下有个人在等。\n");
        // The same words further up are no repetition of the end.
        let asks = "“谁？”\n\n桥下有灯，灯下有个人在等。";
        assert_eq!(scene(asks, 2, &format!("“谁？”\n\n{so_far}")).unwrap().chapter.body.trim(), asks);
    }

    #[test]
    fn a_scene_far_too_short_is_told_from_one_that_will_do() {
        let found = |reply: &str| scene(reply, 2, "").unwrap().findings;
        assert_eq!(found("雨停。"), [TextFinding::Fragment { words: 2, wanted: 8 }]);
        assert_eq!(found("雨停了又下。"), [TextFinding::Short { words: 5, wanted: 8 }]);
        assert_eq!(found("雨停了，他收起信走了。"), []);
    }

    proptest! {
        #[test]
        fn a_scene_of_prose_is_kept_whole(body in "[雨风他说，。！？“”\n]{20,80}") {
            let words = crate::agents::context::count_words(&body);
            prop_assume!(words > 8);
            let written = scene(&body, 2, "").unwrap();
            let kept = |text: &str| text.lines().map(str::trim).filter(|l| !l.is_empty()).collect::<Vec<_>>().join("\n");
            prop_assert_eq!(kept(&written.chapter.body), kept(&body));
        }
    }
}
