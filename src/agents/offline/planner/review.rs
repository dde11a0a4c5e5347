//! Reviews a volume, and says how the book should go on.

use super::super::rehearsal::entries;
use super::{Desk, first_chars};
use crate::agents::planners::context::PlanningContext;
use crate::domain::VolumeNo;
use crate::domain::volume::ending::Recommendation;
use crate::domain::world::storyline::Status;
use serde_json::json;

/// From this volume on the offline architect sees the end coming; from the second on, when nothing is open any more.
const ENOUGH: u32 = 4;
/// How many open foreshadowings and lines are carried over as bridges.
const BRIDGES: usize = 3;

/// Reviews a volume. `离线进度: wrap_up, 8` in the brief asks for a course and for an estimate of what is left.
pub(in super::super) fn review(context: &PlanningContext, volume: VolumeNo) -> String {
    let desk = Desk::new(context);
    let overdue = context.ledger.open().filter(|entry| entry.overdue(context.last_completed));
    let remarks: Vec<String> = overdue
        .map(|entry| {
            let due = entry.target.map_or(0, |(_, to)| to);
            format!("伏笔 {} 到第 {due} 章就该收，现在还开着", entry.id)
        })
        .collect();
    let open: Vec<String> = context.ledger.open().map(|entry| entry.id.to_string()).collect();
    let asked = entries(&context.brief, "离线进度", volume);
    let course = asked.first().and_then(|word| word.parse().ok()).unwrap_or(match volume.get() {
        2.. if open.is_empty() => Recommendation::ForceEnd,
        0..ENOUGH => Recommendation::Continue,
        _ => Recommendation::WrapUp,
    });
    let left = asked.get(1).and_then(|count| count.parse().ok()).unwrap_or(match course {
        Recommendation::Continue => 60,
        Recommendation::WrapUp => 4 + 2 * u32::try_from(open.len()).unwrap_or(0),
        Recommendation::ForceEnd => 0,
    });
    json!({
        "remarks": remarks,
        "bridges": if course == Recommendation::ForceEnd { Vec::new() } else { bridges(&desk) },
        "evaluation_result": course.as_str(),
        "reason": reason(course, &open),
        "chapters_left": left,
    })
    .to_string()
}

fn bridges(desk: &Desk<'_>) -> Vec<String> {
    let threads = desk.context.ledger.open().take(BRIDGES).enumerate().map(|(turn, entry)| {
        let (hour, id) = (desk.walk("plan hour", turn), &entry.id);
        format!("{hour}，让 {id} 再露一面，还是没人认得出它")
    });
    let lines = desk.context.storylines.lines.iter().filter(|line| line.status == Status::Active);
    let told = lines.filter_map(|line| Some((line, desk.context.memories.get(&line.id)?)));
    let told = told.filter(|(_, memory)| !memory.status.trim().is_empty());
    let lines = told.take(BRIDGES).map(|(line, memory)| {
        format!("{} 从“{}”接起", line.id, first_chars(memory.status.trim().trim_end_matches('。'), 30))
    });
    threads.chain(lines).collect()
}

fn reason(course: Recommendation, open: &[String]) -> String {
    let named = open.iter().take(BRIDGES).map(String::as_str).collect::<Vec<_>>().join("、");
    match (course, open.len()) {
        (Recommendation::ForceEnd, 0) => "账上的伏笔都收了，再写就是另一个故事".to_owned(),
        (Recommendation::ForceEnd, n) => format!("该见分晓的都见了，还开着的 {n} 条（{named}）不收也罢"),
        (_, 0) => "伏笔都收了，核心冲突还没有见分晓".to_owned(),
        (Recommendation::Continue, n) => format!("还有 {n} 条伏笔开着（{named}），核心冲突离见分晓还远"),
        (Recommendation::WrapUp, n) => format!("只剩 {n} 条伏笔没收（{named}），一卷收得完"),
    }
}
