//! The addition to a prompt whose first answer could not be used.

use crate::agents::call::prompt::{PromptPart, fill};
use crate::agents::call::task::Task;
use crate::agents::checks::completeness::{Break, TextSource};
use crate::agents::context::{self, chars, count_words};
use crate::agents::judge;
use crate::agents::prelude::*;
use crate::domain::chapter::evaluation::{Check, Unusable};
use crate::llm::json::NotJson;
use crate::text::{self, Script};

/// The longest quotation of what a judge has said of a violation, in characters.
const LONGEST_QUOTATION: usize = 120;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Again<'a> {
    /// The whole reply was unusable.
    Fault(&'a ReplyFault),
    /// The summary's operations were unusable; the answer is read by [`read_ops`](crate::agents::summarizer::read_ops).
    Ops(&'a ReplyFault),
    /// The judge's report leaves out these rules; the answer is read by
    /// [`with_answers`](crate::agents::judge::with_answers).
    Rules(&'a [String]),
    /// The quotations for these violations are not in the text; the answer is read by
    /// [`with_quotations`](crate::agents::judge::with_quotations).
    Quotations(&'a [Check]),
    /// The answer was cut off at its maximum length.
    Cut,
    /// The text is unfinished, and only its continuation is wanted.
    Continue {
        /// The text so far, up to its last whole sentence.
        kept: &'a str,
        /// The fewest and the most words of the whole text.
        wanted: (u32, u32),
        /// Why the text is unfinished, or what was wrong with the last continuation, if known.
        why: Option<&'a ReplyFault>,
    },
    /// The chapter was far too short.
    Short { words: u32, wanted: u32 },
    /// The chapter was far too long.
    Long { words: u32, most: u32 },
}

impl Again<'_> {
    /// The form of the answer, where it differs from the task's.
    pub fn answer(&self) -> Option<ReplyForm> {
        match self {
            Self::Rules(rules) => Some(ReplyForm::Json { name: "checks", schema: judge::checks_schema(rules) }),
            Self::Quotations(checks) => {
                let rules: Vec<String> = checks.iter().map(|check| check.rule.clone()).collect();
                Some(ReplyForm::Json { name: "quotations", schema: judge::quotations_schema(&rules) })
            }
            _ => None,
        }
    }
}

/// The part for the end of the repeated prompt; everything before stays equal and comes from the provider's cache.
/// Fails when the book's own text for it is broken.
pub fn ask_again(why: Again, task: &Task, prompts: &Prompts) -> Result<PromptPart, PromptError> {
    let (path, variables) = match why {
        Again::Continue { kept, wanted, why } => ("prompts/again/continue.md", to_continue(kept, wanted, why, task)),
        Again::Short { words, wanted } | Again::Fault(&ReplyFault::Fragment { words, wanted })
            if task.scene().is_some() =>
        {
            ("prompts/again/scene.md", vec![("problem", format!("只有 {words} 个字，这一场至少要 {wanted} 个字"))])
        }
        Again::Long { words, most } if task.scene().is_some() => {
            ("prompts/again/scene.md", vec![("problem", format!("写了 {words} 个字，这一场最多 {most} 个字"))])
        }
        Again::Long { words, most } => {
            ("prompts/again/long.md", vec![("words", words.to_string()), ("most", most.to_string())])
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

/// Characters of the text that its continuation is shown, usually a whole chapter.
const KEPT: usize = 6000;
/// The fewest words to ask of a continuation, so that there is room for an end.
const LEAST_MORE: u32 = 50;
/// The most words beyond the wanted length, where the text has that length already.
const MOST_MORE: u32 = 300;

/// The text so far, its last sentence, and the length of the rest.
fn to_continue(kept: &str, wanted: (u32, u32), why: Option<&ReplyFault>, task: &Task) -> Vec<(&'static str, String)> {
    let there = count_words(kept);
    let (least, most) = (wanted.0.saturating_sub(there), wanted.1.saturating_sub(there));
    let last = text::prose_sentences(kept).last().map(|last| last.text().to_owned()).unwrap_or_default();
    let shown = context::ending(kept, KEPT);
    let is_cut = chars(&shown) < chars(kept.trim()) * 9 / 10;
    vec![
        ("kept", if is_cut { format!("（前文从略）\n\n{shown}") } else { kept.trim().to_owned() }),
        ("last", last),
        ("least", least.max(LEAST_MORE).to_string()),
        ("most", most.max(least + MOST_MORE).to_string()),
        ("unit", if task.scene().is_some() { "这一场" } else { "本章" }.to_owned()),
        ("problem", why.map_or_else(|| "写到一半停下了".to_owned(), problem)),
    ]
}

fn problem(fault: &ReplyFault) -> String {
    match fault {
        ReplyFault::Empty => "内容是空的".into(),
        ReplyFault::NoProse => "没有正文".into(),
        ReplyFault::Outline => "写成了一条一条的提纲".into(),
        ReplyFault::Fragment { words, wanted } => format!("只有 {words} 字，至少要 {wanted} 字"),
        ReplyFault::BrokenOff(Break::Limit | Break::Context) => "没写完就到了长度上限".into(),
        ReplyFault::BrokenOff(Break::Lost) => "没写完就中断了".into(),
        ReplyFault::BrokenOff(Break::Short) => "太短，情节没有展开".into(),
        ReplyFault::BrokenOff(Break::Loop) => "写到一半，后面一直在重复".into(),
        ReplyFault::BrokenOff(Break::Prompt) => "写到一半，后面照抄了任务里的话".into(),
        ReplyFault::BrokenOff(Break::Sentence) => "最后一句没有写完".into(),
        ReplyFault::BrokenOff(Break::Quotation) => "停在一段没有说完的话里，引号没有合上".into(),
        ReplyFault::Copied { from, passage, .. } => {
            let from = match from {
                TextSource::Chapter(chapter) => format!("第 {} 章", chapter.get()),
                TextSource::Scenes => "前面几场".into(),
                TextSource::Plan => "章纲和契约".into(),
            };
            format!("大段照抄了{from}里的原文（“{passage}……”）；情节要往前走，每一句都写新的")
        }
        ReplyFault::Declined(reason) => format!(
            "被内容审查拦下了（“{}”）；事情和结果都不变，容易被拦的场面点到为止，用侧写、留白和转场带过，不写细节",
            clip_line(reason, LONGEST_QUOTATION)
        ),
        ReplyFault::Foreign { script, percent } => {
            format!("{}，占了百分之{percent}；正文的语言和字体要和这本书一致", script_words(*script))
        }
        ReplyFault::Unchanged => "交回来的和原文一字不差；点到的地方要真的改动".into(),
        ReplyFault::Shrunk { words, before } => {
            format!("修订稿只有 {words} 字，原稿有 {before} 字；没有点到的段落要原样保留，不能删掉")
        }
        ReplyFault::PromptWords { words, sentence } => {
            format!("正文里混进了任务里的话（“{words}”，在“{}”）；正文只写故事", clip_line(sentence, LONGEST_QUOTATION))
        }
        ReplyFault::NothingNew => "接着写的部分没有新的内容，只把写好的又写了一遍".into(),
        // The example itself is not shown again: it would only be repeated.
        ReplyFault::Echo(_) => "回答里照抄了格式的例子；每个字段都要写这本书自己的内容".to_owned(),
        ReplyFault::Unanswered(rules) => format!("这些编号没有回答：{}", rules.join("、")),
        ReplyFault::Unquoted(rules) => format!("这些编号的引文不在正文里：{}", rules.join("、")),
        ReplyFault::Circling => "一直在重复同一段话，后面没有新的内容".into(),
        ReplyFault::NotJson(why) => format!("不是合法的 JSON：{}", not_json(why)),
        ReplyFault::Field { field, wanted } => {
            format!("字段 `{field}` 缺失或类型不对，这里要写{}", field_kind(*wanted))
        }
        ReplyFault::Scores(Unusable::Missing(dimension)) => format!("缺少 `{dimension}` 的分数"),
        ReplyFault::Scores(Unusable::Twice(dimension)) => format!("`{dimension}` 打了两次分"),
        ReplyFault::Scores(Unusable::OutOfRange(dimension)) => format!("`{dimension}` 的分数不在 1 到 5 之间"),
    }
}

fn script_words(script: Script) -> &'static str {
    match script {
        Script::Latin => "夹着大段外文字母",
        Script::Other => "夹着外文（假名、谚文一类）",
        Script::Simplified => "混进了简体字",
        Script::Traditional => "混进了繁体字",
    }
}

fn field_kind(kind: FieldKind) -> &'static str {
    match kind {
        FieldKind::Text => "文本",
        FieldKind::Object => "对象",
        FieldKind::Objects => "对象的列表",
        FieldKind::Texts => "文本的列表",
        FieldKind::Rules => "规则的列表",
        FieldKind::People => "人物的列表，每人有名字和小传",
        FieldKind::Scenes => "二到六场的列表",
        FieldKind::EveryChapter => "要求的各章，一章不少的列表",
        FieldKind::Storylines => "故事线的列表",
        FieldKind::Storyline => "有名称和简介的故事线",
        FieldKind::NewName => "书里的故事线还没有用过的名称",
        FieldKind::Recommendation => "`continue`、`wrap_up` 或 `force_end`",
        FieldKind::Reason => "打分的文字理由",
    }
}

fn not_json(why: &NotJson) -> String {
    match why {
        NotJson::Missing => "里面没有 JSON 对象".into(),
        NotJson::Truncated => "写到一半就断了".into(),
        NotJson::Broken { near, .. } => format!("读到“{}”这里读不下去", clip_line(near, LONGEST_QUOTATION)),
        NotJson::Several { count } => format!("里面有 {count} 个不同的 JSON，看不出哪个是回答"),
    }
}
