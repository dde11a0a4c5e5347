//! The words that are added to a prompt when its first answer could not be used.

use super::fill::fill;
use super::judge;
use super::measure::clip_line;
use super::prompt::{Answer, PromptPart};
use super::prompts::{PromptError, Prompts};
use super::reply::ReplyFault;
use super::task::Task;
use crate::domain::config::Agent;
use crate::domain::evaluation::{Check, Unusable};

/// Characters of what a judge has said of a violation, when it is shown again.
const LONGEST_QUOTATION: usize = 120;

/// Why a task is asked again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Again<'a> {
    /// The whole reply was unusable.
    Fault(&'a ReplyFault),
    /// Only the summary's operations were; the answer is read by [`read_ops`](super::summarizer::read_ops).
    Ops(&'a ReplyFault),
    /// Only these rules, which the judge's report leaves out; the answer is read by
    /// [`with_answers`](super::judge::with_answers).
    Rules(&'a [String]),
    /// Only the quotations for these violations, whose words are not in the text; the answer is read by
    /// [`with_quotations`](super::judge::with_quotations).
    Quotations(&'a [Check]),
    /// The answer was longer than it may be and was cut off.
    Cut,
    /// The chapter was far too short.
    Short {
        /// The words it had.
        words: u32,
        /// The words it should have had at least.
        wanted: u32,
    },
}

impl Again<'_> {
    /// The form of the answer, where it is another than the task's.
    #[must_use]
    pub fn answer(&self) -> Option<Answer> {
        match self {
            Self::Rules(rules) => Some(Answer::Json { name: "checks", schema: judge::checks_schema(rules) }),
            Self::Quotations(checks) => {
                let rules: Vec<String> = checks.iter().map(|check| check.rule.clone()).collect();
                Some(Answer::Json { name: "quotations", schema: judge::quotations_schema(&rules) })
            }
            Self::Fault(_) | Self::Ops(_) | Self::Cut | Self::Short { .. } => None,
        }
    }
}

/// The part to put at the end of the prompt that is sent again; everything before it stays the same and comes from the
/// provider's cache.
///
/// # Errors
/// [`PromptError`] when the book's own text for it is broken.
pub fn ask_again(why: Again, task: &Task, prompts: &Prompts) -> Result<PromptPart, PromptError> {
    let (path, variables) = match why {
        Again::Short { words, wanted } | Again::Fault(&ReplyFault::Fragment { words, wanted })
            if task.scene().is_some() =>
        {
            ("prompts/again/scene.md", vec![("problem", format!("只有 {words} 个字，这一场至少要 {wanted} 个字"))])
        }
        Again::Fault(fault) if task.scene().is_some() => ("prompts/again/scene.md", vec![("problem", problem(fault))]),
        Again::Short { words, wanted } | Again::Fault(&ReplyFault::Fragment { words, wanted }) => {
            ("prompts/again/length.md", vec![("words", words.to_string()), ("wanted", wanted.to_string())])
        }
        Again::Cut => ("prompts/again/cut.md", Vec::new()),
        Again::Ops(fault) => ("prompts/again/ops.md", vec![("problem", problem(fault))]),
        Again::Rules(rules) => ("prompts/again/rules.md", vec![("rules", rules.join("、"))]),
        Again::Quotations(checks) => ("prompts/again/quotations.md", vec![("violations", violations(checks))]),
        Again::Fault(fault) if task.agent() == Agent::Writer => {
            ("prompts/again/prose.md", vec![("problem", problem(fault))])
        }
        Again::Fault(fault) => ("prompts/again/json.md", vec![("problem", problem(fault))]),
    };
    let variables: Vec<(&str, &str)> = variables.iter().map(|(name, value)| (*name, value.as_str())).collect();
    let filled = fill(&[prompts.text(path)], &variables)?;
    let text = filled.files.into_iter().flatten().map(|part| part.text).collect();
    Ok(PromptPart { name: "again".into(), text, cache: false })
}

/// The violations, one a line, each with the words that were quoted for it.
fn violations(checks: &[Check]) -> String {
    let line = |check: &Check| {
        let quoted = match check.evidence.trim() {
            "" => "没有给出引文".to_owned(),
            evidence => format!("引的是“{}”，正文里没有这句话", clip_line(evidence, LONGEST_QUOTATION)),
        };
        format!("- {}：{}；{quoted}\n", check.rule, clip_line(&check.detail, LONGEST_QUOTATION))
    };
    checks.iter().map(line).collect()
}

/// What was wrong, in words for the model.
fn problem(fault: &ReplyFault) -> String {
    match fault {
        ReplyFault::Empty => "内容是空的".into(),
        ReplyFault::NoProse => "没有正文".into(),
        ReplyFault::Outline => "写成了一条一条的提纲".into(),
        ReplyFault::Fragment { words, wanted } => format!("只有 {words} 字，至少要 {wanted} 字"),
        // The example itself is not shown again: it would only be repeated once more.
        ReplyFault::Echo(_) => "回答里照抄了格式的例子；每个字段都要写这本书自己的内容".to_owned(),
        ReplyFault::Unanswered(rules) => format!("这些编号没有回答：{}", rules.join("、")),
        ReplyFault::Unquoted(rules) => format!("这些编号的引文不在正文里：{}", rules.join("、")),
        ReplyFault::Circling => "一直在重复同一段话，后面没有新的内容".into(),
        ReplyFault::NotJson(error) => format!("不是合法的 JSON（{error}）"),
        ReplyFault::Field { field, .. } => format!("字段 `{field}` 缺失或类型不对"),
        ReplyFault::Scores(Unusable::Missing(dimension)) => format!("缺少 `{dimension}` 的分数"),
        ReplyFault::Scores(Unusable::Twice(dimension)) => format!("`{dimension}` 打了两次分"),
        ReplyFault::Scores(Unusable::OutOfRange(dimension)) => format!("`{dimension}` 的分数不在 1 到 5 之间"),
    }
}
