//! The theme of the book.

use super::{Desk, brief};
use crate::agents::planners::context::PlanningContext;
use serde_json::json;

/// Theme and conflict: the author's own words where the brief has them.
pub(in super::super) fn theme(context: &PlanningContext) -> String {
    let desk = Desk::new(context);
    let written = |heading: &str| brief::section(&context.brief, heading);
    let hero = desk.protagonist();
    let rule = context.rules.first().map_or("这里的规矩不认人情", |rule| brief::bare(&rule.rule));
    let conflict = written("核心冲突").unwrap_or_else(|| {
        let reader = written("题材与读者");
        let promise = reader.map_or_else(String::new, |text| format!("读者等着看的是{}，", brief::bare(&text)));
        format!("{hero}要护住身边的人，就得揭开一桩众人都靠它安稳的旧事。{promise}而{rule}，每揭一层，退路就少一条，仇家也近一步。")
    });
    let logline = written("一句话")
        .unwrap_or_else(|| format!("{hero}想讨回一句实话，挡在面前的是{rule}，最怕的是真相落在自己人身上。"));
    let question = written("主题").unwrap_or_else(|| format!("{}？", desk.deal("plan question", 0)));
    let ending = written("结局方向").unwrap_or_else(|| format!("{}。", desk.deal_aged("plan ending", 0)));
    json!({"logline": logline, "theme": question, "conflict": conflict, "ending": ending}).to_string()
}
