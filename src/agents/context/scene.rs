use crate::agents::call::task::SceneOrder;
use crate::agents::context::{self, PromptSection, bullets, clip_line};
use crate::domain::chapter::{Scene, SceneNo};

/// Characters of the text so far for the writer of the next scene, in whole paragraphs where they fit.
const SO_FAR: usize = 800;
/// The most characters of a line of the plan.
const LONGEST: usize = 80;

/// The end of a text, for the writer of the next scene.
pub fn end_of(text: &str) -> String {
    context::ending(text, SO_FAR)
}

/// The sections that only a scene's prompt has.
pub(crate) fn of_order(order: &SceneOrder) -> Vec<PromptSection> {
    let SceneNo { number, of } = order.place();
    let opens = order.so_far.trim().is_empty();
    let place = match number {
        _ if opens => "这是开场：接住上一章的结尾，头两段就有动作。第一行照旧写章节标题。",
        last if last == of => "这是末场：照章纲把这一章收住。不写章节标题，直接接着写。",
        _ => "停在这一场的转折上，给下一场留出由头，不要收尾。不写章节标题，直接接着写。",
    };
    let so_far = end_of(&order.so_far);
    let scene = order.plan.scene(number).map(in_full).unwrap_or_default();
    let lines = order.plan.scenes.iter().zip(1..).map(|(scene, at)| in_short(scene, at));
    vec![
        PromptSection::new("scene_plan", lines.collect::<String>()),
        PromptSection::new("scene_count", of.to_string()),
        PromptSection::new("scene_number", number.to_string()),
        PromptSection::new("scene", scene),
        PromptSection::new("scene_place", place),
        PromptSection::new("least", order.words.start().to_string()),
        PromptSection::new("most", order.words.end().to_string()),
        PromptSection::new("so_far", if opens { "（还没有正文）".to_owned() } else { so_far }),
    ]
}

fn in_short(scene: &Scene, number: u32) -> String {
    let parts = [&scene.place, &scene.goal, &scene.turn].map(|part| clip_line(part, 40));
    let parts: Vec<String> = parts.into_iter().filter(|part| !part.is_empty()).collect();
    format!("{number}. {}\n", parts.join("｜"))
}

fn in_full(scene: &Scene) -> String {
    let people = scene.people.join("、");
    let parts = [
        ("目的", &scene.goal),
        ("地点", &scene.place),
        ("人物", &people),
        ("冲突", &scene.conflict),
        ("转折", &scene.turn),
    ];
    let parts = parts.into_iter().filter(|(_, words)| !words.trim().is_empty());
    bullets(parts.map(|(label, words)| format!("{label}：{}", clip_line(words, LONGEST))))
}
