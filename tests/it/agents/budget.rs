//! How large prompts are, what is cut, and how much of one stands at the beginning of the next.

use super::files::with_every_task;
use super::story;
use novel::agents::context::Cut;
use novel::agents::{ChapterContext, Opinion, Prompts, Task, prompt};
use novel::domain::book::config::Agent;
use novel::domain::volume::foreshadowing::{Action, ForeshadowOp};

fn draft(context: &ChapterContext) -> novel::agents::Prompt {
    prompt(&Task::Draft { context }, &Prompts::default()).unwrap()
}

#[test]
fn all_four_calls_of_an_ordinary_chapter_stay_small() {
    let context = story::context();
    let mut sent = Vec::new();
    with_every_task(&context, 3000, |task| {
        let first = match task {
            Task::Draft { .. } | Task::Summarize { .. } | Task::Refine { .. } => true,
            Task::Judge { opinion, .. } => *opinion == Opinion::First,
            _ => false,
        };
        if first {
            let made = prompt(task, &Prompts::default()).unwrap();
            assert!(made.breakdown.cuts.is_empty() && !made.breakdown.exceeds());
            let most = if task.agent() == Agent::Judge { 16_000 } else { 25_000 };
            assert!(made.breakdown.tokens() <= most, "{:?} has {}", task.agent(), made.breakdown.tokens());
            sent.push((task.agent(), made.full_text().chars().count()));
        }
    });
    let total: usize = sent.iter().map(|(_, chars)| chars).sum();
    assert!(sent.len() == 4 && total <= 35_000, "{sent:?} make {total}");
}

#[test]
fn a_chapter_without_a_limit_leaves_room_for_any_answer() {
    let mut context = story::context();
    context.config.max_words = u32::MAX;
    with_every_task(&context, 300, |task| {
        let made = prompt(task, &Prompts::default()).unwrap();
        assert!(made.max_output_tokens == u32::MAX || task.agent() != Agent::Refiner);
    });
}

#[test]
fn an_oversized_book_is_cut_to_the_limit_in_the_order_of_the_rules() {
    let context = story::oversized();
    with_every_task(&context, 3000, |task| {
        if task.agent() == Agent::StyleAnalyzer {
            return;
        }
        let breakdown = prompt(task, &Prompts::default()).unwrap().breakdown;
        assert!(breakdown.tokens() <= 25_000, "{:?} {} {breakdown:#?}", task.agent(), breakdown.tokens());
        assert!(breakdown.cuts.is_sorted());
    });
    let cuts = draft(&context).breakdown.cuts;
    assert_eq!(cuts.first(), Some(&Cut::Pages), "{cuts:?}");
    assert!(cuts.contains(&Cut::Overview) && cuts.contains(&Cut::Profiles), "{cuts:?}");
}

#[test]
fn a_convergence_chapter_may_be_larger() {
    let mut context = story::oversized();
    assert_eq!(draft(&context).breakdown.limit, Some(25_000));
    context.schedule.convergences[0].chapters = (30, 31);
    assert_eq!(draft(&context).breakdown.limit, Some(30_000));
}

#[test]
fn a_chapter_that_is_too_long_is_sent_whole_and_said_to_exceed() {
    let context = story::context();
    let text = story::text(8, 40_000);
    let task = Task::Refine { context: &context, text: &text, pass: 1, remarks: &[] };
    let made = prompt(&task, &Prompts::default()).unwrap();
    assert!(made.breakdown.exceeds() && made.full_text().contains(text.body.trim()));
}

/// The bytes that two texts share from the first one on.
fn shared_prefix(a: &str, b: &str) -> usize {
    a.bytes().zip(b.bytes()).take_while(|(a, b)| a == b).count()
}

#[test]
fn most_of_the_writers_prompt_stood_in_the_one_before() {
    let (mut same, mut changed) = (Vec::new(), Vec::new());
    for chapter in 5..35 {
        let (before, now) = (story::chapter_of_volume(chapter - 1, 1), story::chapter_of_volume(chapter, 1));
        let is_same = before.storyline() == now.storyline();
        let (before, now) = (draft(&before).full_text(), draft(&now).full_text());
        let share = shared_prefix(&before, &now) as f64 / now.len() as f64;
        if is_same { same.push(share) } else { changed.push(share) }
    }
    // In this small story the chapter's own part weighs more than in a book. Every fifth chapter of a line begins with other
    // summaries, and at chapter 6 the head of the house list goes.
    let most = same.iter().filter(|share| **share >= 0.68).count();
    assert!(most * 4 >= same.len() * 3, "{same:?}");
    let mean = changed.iter().sum::<f64>() / changed.len() as f64;
    assert!(mean >= 0.55, "{mean} of {changed:?}");
}

#[test]
fn the_readers_prompts_begin_alike_and_ask_for_the_same_form_in_every_chapter() {
    let asked = |chapter: u32| {
        let mut made = Vec::new();
        with_every_task(&story::chapter_of_volume(chapter, 1), 300, |task| {
            if matches!(task, Task::Summarize { .. } | Task::Refine { .. } | Task::Judge { .. }) {
                made.push(prompt(task, &Prompts::default()).unwrap());
            }
        });
        made
    };
    for (one, other) in asked(7).into_iter().zip(asked(8)) {
        let marked = one.parts.iter().position(|part| part.cache).unwrap();
        assert_eq!((&one.system, &one.parts[..=marked]), (&other.system, &other.parts[..=marked]), "{:?}", one.agent);
        assert_eq!(one.answer, other.answer, "a provider puts the schema before the prompt");
        let (_, task) = one.parts.last().unwrap().text.rsplit_once("# 任务\n").unwrap();
        assert!(task.contains("第 7 章") && !task.contains('>'), "the task is read last: {task}");
    }
}

#[test]
fn a_revision_repeats_the_draft_up_to_the_task() {
    let context = story::context();
    let text = story::text(8, 3000);
    let task = Task::Revise { context: &context, text: &text, fixes: &[], violations: &[], round: 1 };
    let (draft, revision) = (draft(&context), prompt(&task, &Prompts::default()).unwrap());
    assert_eq!(draft.system, revision.system);
    let cached = draft.parts.iter().rposition(|part| part.cache).unwrap();
    assert!(cached >= 1);
    assert_eq!(draft.parts[..=cached], revision.parts[..=cached]);
}

#[test]
fn scenes_repeat_the_draft_up_to_the_task_and_each_other_up_to_the_text() {
    let context = story::context();
    let orders = [1, 2, 3].map(story::scene_order);
    let made =
        orders.each_ref().map(|order| prompt(&Task::Scene { context: &context, order }, &Prompts::default()).unwrap());
    let draft = draft(&context);
    let cached = draft.parts.iter().rposition(|part| part.cache).unwrap();
    for scene in &made {
        assert_eq!(scene.system, draft.system);
        assert_eq!(scene.parts[..=cached], draft.parts[..=cached]);
        // The plan of the chapter's scenes is the same for all of them.
        assert!(scene.parts[cached + 1].cache);
        assert_eq!(scene.parts[..=cached + 1], made[0].parts[..=cached + 1]);
        assert!(scene.parts.iter().filter(|part| part.cache).count() <= 4, "servers take no more marks");
        assert!(scene.parts.last().unwrap().text.chars().count() <= 1400, "the end of the text is bounded");
        assert!(scene.max_output_tokens < draft.max_output_tokens);
    }
}

#[test]
fn a_prompt_does_not_grow_with_the_book() {
    // Numbers have more digits later on; apart from them, everything must be of the same size.
    let squeezed = |context: &ChapterContext| {
        let mut text = draft(context).full_text();
        text.retain(|c| !c.is_ascii_digit());
        text.chars().count()
    };
    // A thread that is neglected in the late chapter is so in the early one already.
    let (early, late) = (story::chapter_of_volume(34, 1), story::chapter_of_volume(3004, 2971));
    assert_eq!(squeezed(&early), squeezed(&late));
}

#[test]
fn one_more_fact_moves_nothing_else() {
    let context = story::context();
    let before = draft(&context).full_text();
    let mut more = context.clone();
    more.state.tree["world_state"]["flood"] = "河水漫过石阶".into();
    let op = ForeshadowOp {
        id: story::slug("wax-seal"),
        action: Action::Planted,
        detail: "封蜡的颜色不对".into(),
        scope: None,
        target: None,
    };
    more.ledger.apply(&op, story::at(7), &story::slug("main-arc")).unwrap();
    let after = draft(&more).full_text();
    let kept: Vec<&str> = after.lines().filter(|line| !line.contains("flood") && !line.contains("wax-seal")).collect();
    assert_eq!(kept.join("\n"), before.lines().collect::<Vec<_>>().join("\n"));
    assert!(after.contains("world_state.flood = 河水漫过石阶") && after.contains("wax-seal：封蜡的颜色不对"));
}
