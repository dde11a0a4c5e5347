//! Fields that the author's outline leaves open: what a whole outline of the chapter would have there.

use super::outline;
use crate::agents::planners::context::{PlanningContext, VolumeOrder};
use crate::domain::volume::outline::Gaps;
use crate::domain::volume::plan::Plan;
use serde_json::{Value, json};

/// The chapters with gaps, each complete; only what is missing is taken from them.
pub(in super::super) fn fill(context: &PlanningContext, order: &VolumeOrder, plan: &Plan, gaps: &Gaps) -> String {
    let mut chapters: Vec<Value> = Vec::new();
    for chapter in gaps.keys() {
        let number = chapter.get();
        let reply: Value = serde_json::from_str(&outline(context, order, plan, number..=number)).unwrap_or_default();
        chapters.extend(reply["chapters"].as_array().cloned().unwrap_or_default());
    }
    json!({"chapters": chapters}).to_string()
}
