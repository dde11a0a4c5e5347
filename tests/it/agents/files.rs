//! The prompt texts: nothing missing, nothing superfluous, nothing unused.

use super::story;
use novel::agents::call::prompt::FillError;
use novel::agents::{CastRequest, Opinion, PromptError, Prompts, ReplyForm, Task, VolumeOrder, prompt};
use novel::domain::chapter::evaluation::{Check, Fix};
use novel::domain::volume::plan::{Flaw, Plan};
use novel::domain::world::storyline::Interleaving;
use novel::domain::world::style::StyleSource;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

fn on_disk(folder: &Path, prefix: &str, found: &mut BTreeMap<String, String>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let entry = entry.unwrap();
        let name = format!("{prefix}/{}", entry.file_name().into_string().unwrap());
        if entry.path().is_dir() {
            on_disk(&entry.path(), &name, found);
        } else {
            found.insert(name, std::fs::read_to_string(entry.path()).unwrap());
        }
    }
}

#[test]
fn every_file_is_built_in_and_every_built_in_text_is_a_file() {
    let mut found = BTreeMap::new();
    on_disk(&Path::new(env!("CARGO_MANIFEST_DIR")).join("prompts"), "prompts", &mut found);
    let prompts = Prompts::default();
    let built_in: BTreeMap<String, String> =
        prompts.files().map(|(path, text)| (path.to_owned(), text.to_owned())).collect();
    assert_eq!(found.keys().collect::<Vec<_>>(), built_in.keys().collect::<Vec<_>>());
    assert_eq!(found, built_in);
}

#[test]
fn every_agent_has_the_four_layers() {
    for (path, text) in Prompts::default().files().filter(|(path, _)| path.ends_with("/system.md")) {
        let layers: Vec<&str> = text.lines().filter(|line| line.starts_with("# ")).collect();
        assert_eq!(layers, ["# 角色", "# 目标", "# 约束", "# 格式"], "{path}");
    }
}

/// Every kind of task once, for a chapter of the story.
pub fn with_every_task(context: &novel::agents::ChapterContext, length: usize, mut each: impl FnMut(&Task)) {
    let text = story::text(context.chapter.get(), length);
    let fix = Fix { target: "泥是新的".into(), instruction: "让林枫自己说出这句话".into() };
    let check = Check {
        rule: "W-001".into(),
        layer: novel::domain::world::contract::Layer::World,
        strength: novel::domain::world::contract::Strength::Hard,
        finding: novel::domain::chapter::evaluation::Finding::Violation,
        confidence: novel::domain::chapter::evaluation::Confidence::High,
        detail: "凭口令开了门".into(),
        evidence: "缝却是旧的".into(),
        evidence_found: true,
    };
    let cross = novel::domain::chapter::summary::CrossReference {
        entity: "许青".into(),
        storyline: "sea-plan".into(),
        risk: novel::domain::chapter::summary::LeakRisk::Medium,
        evidence: "姓许的书办".into(),
    };
    let (fixes, violations, cross, lines) = ([fix], [check], [cross], ["每千字熟词 1.2 次".to_owned()]);
    let (first, second) = (story::scene_order(1), story::scene_order(2));
    let samples = [text.body.clone()];
    let tasks = [
        Task::Draft { context },
        Task::ScenePlan { context, reasons: &[] },
        Task::Scene { context, order: &first },
        Task::Scene { context, order: &second },
        Task::Revise { context, text: &text, fixes: &fixes, violations: &violations, round: 1 },
        Task::Rewrite { context, issues: &lines },
        Task::Summarize { context, text: &text, hints: "- 林枫起疑" },
        Task::Retell { text: &text, before: "林枫到了城门口。" },
        Task::Refine { context, text: &text, pass: 1, remarks: &[] },
        Task::Judge { context, text: &text, cross_references: &cross, measured: &lines, opinion: Opinion::First },
        Task::Judge { context, text: &text, cross_references: &[], measured: &[], opinion: Opinion::Second },
        Task::AnalyzeStyle { samples: &samples, measured: &lines, source: StyleSource::Original, name: None },
    ];
    tasks.iter().for_each(&mut each);
}

/// Every kind of planning once, for the small story.
pub fn with_every_plan(mut each: impl FnMut(&str, &Task)) {
    let context = story::planning_context();
    let requests = [
        CastRequest::First { protagonist: "林枫，落魄的阵法师".into() },
        CastRequest::Add { wish: "一个守城门的老兵".into() },
        CastRequest::Update { id: story::slug("lin-feng"), wish: "他瞎了一只眼".into() },
    ];
    let (order, trial) = (story::order(false), story::order(true));
    let outline = story::outline(51, 4);
    let flaws = [Flaw::NoConflict(story::at(53)), Flaw::NoPrimary];
    let mut schedule = story::context().schedule;
    schedule.interleaving = Some(Interleaving { primary_max_consecutive: Some(4), ..Interleaving::default() });
    let plan = Plan { outline: outline.clone(), schedule: Some(schedule), ..Plan::default() };
    let kept = &outline.sections[..2];
    each("world", &Task::World { context: &context, request: "" });
    each("world-update", &Task::World { context: &context, request: "补一条关于城门的规则" });
    each("theme", &Task::Theme { context: &context });
    each("storyline", &Task::Storyline { context: &context, wish: "城门背后的人" });
    for (name, request) in ["cast", "cast-add", "cast-update"].into_iter().zip(&requests) {
        each(name, &Task::Cast { context: &context, request });
    }
    each("schedule", &Task::Schedule { context: &context, order: &order, kept, flaws: &flaws });
    let last = VolumeOrder { closing: true, ..order.clone() };
    each("schedule-closing", &Task::Schedule { context: &context, order: &last, kept: &[], flaws: &[] });
    let figures = ["写成 8 章，均分 3.92。".to_owned(), "L1 世界规则：没有违反".to_owned()];
    each("review", &Task::Review { context: &context, volume: order.volume, figures: &figures });
    each("blurb", &Task::Blurb { context: &context, opening: "雨下了一夜。" });
    each("outline", &Task::Outline { context: &context, order: &order, plan: &plan, chapters: (55, 60), flaws: &[] });
    let changes = ["世界规则 W-001 变了。原来：城门入夜不开。现在：城门入夜可凭腰牌开。".to_owned()];
    let chapters = [story::at(52), story::at(54)];
    let (context, plan) = (&context, &plan);
    each("amend", &Task::Amend { context, plan, chapters: &chapters, changes: &changes, flaws: &flaws });
    each(
        "outline-trial",
        &Task::Outline { context, order: &trial, plan: &Plan::default(), chapters: (1, 3), flaws: &[] },
    );
}

#[test]
fn every_placeholder_of_every_text_can_be_filled_and_none_is_left() {
    let (prompts, context) = (Prompts::default(), story::context());
    let mut hashes = BTreeSet::new();
    with_every_task(&context, 3000, |task| {
        let made = prompt(task, &prompts).unwrap();
        let text = made.full_text();
        assert!(!text.contains("<!--"), "{:?}", task.agent());
        if let ReplyForm::Json { schema, .. } = &made.answer {
            assert!(text.contains("JSON") && schema["required"].is_array());
        }
        assert_eq!(made.breakdown.chars(), made.breakdown.entries.iter().map(|entry| entry.chars).sum::<usize>());
        hashes.insert(made.prompt_hash);
    });
    assert_eq!(hashes.len(), 10, "two judges share their texts, and two scenes; all others differ");
}

#[test]
fn a_text_of_the_books_own_is_used_and_its_mistakes_are_named() {
    let context = story::context();
    let with = |text: &str| {
        let own = BTreeMap::from([("prompts/writer/draft.md".to_owned(), text.to_owned())]);
        prompt(&Task::Draft { context: &context }, &Prompts::with(&own).unwrap())
    };
    let made = with("写第 {chapter} 章《{title}》。\n{storyline} {pov} 用第一人称。").unwrap();
    assert!(made.parts.last().unwrap().text.contains("main-arc 林枫 用第一人称"));
    let lacking = with("写第 {chapter} 章《{title}》。\n{storyline}").unwrap_err();
    assert!(matches!(&lacking, PromptError::Fill(FillError::Unused { name, .. }) if name == "pov"), "{lacking}");
    // Made from the text of an older program, which had no place for two of the blocks.
    let path = "prompts/writer/context.md";
    let (_, text) =
        Prompts::default().files().find(|(known, _)| *known == path).map(|(a, b)| (a, b.to_owned())).unwrap();
    let older = text.replace("{passages}", "").replace("{worn}", "");
    let own = Prompts::with(&BTreeMap::from([(path.to_owned(), older)])).unwrap();
    let made = prompt(&Task::Draft { context: &context }, &own).unwrap();
    assert!(made.breakdown.entries.iter().all(|entry| entry.name != "worn"), "what has no place is not sent");
    let unknown = with("写第 {chapter} 章《{title}》。\n{storyline} {pov}\n{mood}").unwrap_err();
    assert!(unknown.to_string().starts_with("prompts/writer/draft.md:3: unknown variable `mood`"), "{unknown}");
}
