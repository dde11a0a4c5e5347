//! The review of a written volume: contradictions, open threads, and advice on how the book goes on.

use crate::agents::context::PromptSection;
use crate::agents::planners::context::{self, PlanningContext};
use crate::agents::planners::plot_architect::PlotQuestion;
use crate::agents::prelude::*;
use crate::domain::volume::Recommendation;

const MAX_FIGURES: usize = 60;

/// The most remarks and bridges of a review, and the characters of each.
const MAX_REMARKS: usize = 8;
const MAX_BRIDGES: usize = 6;
const REMARK: usize = 200;

/// Asks for the review of a volume. `figures` are counts, one a line.
pub(in crate::agents) fn prompt(
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
pub fn read(reply: &str) -> Result<ReviewReading, ReplyFault> {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_review_is_read_with_whatever_can_be_understood() {
        let full = read(
            r#"好的：{"remarks": ["第3章的灯在第5章还亮着", 7, null], "bridges": "无", "evaluation_result": "Wrap-Up", "reason": "只剩一盏灯", "chapters_left": "12"}"#,
        )
        .unwrap();
        assert_eq!((full.course, full.chapters_left), (Some(Recommendation::WrapUp), Some(12)));
        assert_eq!((full.remarks.len(), full.bridges.len()), (2, 0));
        let odd = read(r#"{"evaluation_result": "再写三卷", "reason": "还早", "chapters_left": 0}"#).unwrap();
        assert_eq!((odd.course, odd.chapters_left), (None, Some(0)));
        let silent = read(r#"{"evaluation_result": "force_end"}"#).unwrap();
        assert_eq!((silent.course, silent.chapters_left), (Some(Recommendation::ForceEnd), None));
        let long = format!(r#"{{"remarks": [{}"末"]}}"#, format!("\"{}\",", "长".repeat(900)).repeat(30));
        let long = read(&long).unwrap();
        assert!(long.remarks.len() == MAX_REMARKS && long.remarks.iter().all(|text| text.chars().count() <= REMARK));
        for nothing in ["", "我不能", "{}", r#"{"remarks": []}"#] {
            assert!(read(nothing).is_err(), "{nothing}");
        }
    }
}
