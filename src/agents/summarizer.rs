//! The summarizer: events, state changes, the storyline's memory, and mentions of other storylines. A chapter that is written
//! already is retold for less than half of the cost: a summary and its section of an outline, without state and memory.

use crate::agents::call::prompt::{PromptOrder, compose};
use crate::agents::call::reply::{fitted, read_json};
use crate::agents::context::{self, PromptSection, chars};
use crate::agents::prelude::*;
use crate::domain::chapter::summary::{
    ChapterKind, ChapterNotes, CrossReference, Hook, LeakRisk, PersonStatus, ReaderNote, Summary,
};
use crate::domain::state::RawOp;
use crate::domain::world::storyline::clip_memory;
use crate::text;

pub(super) fn prompt(
    context: &ChapterContext,
    text: &Chapter,
    hints: &str,
    prompts: &Prompts,
) -> Result<Prompt, PromptError> {
    let order = PromptOrder {
        agent: Agent::Summarizer,
        system: "prompts/summarizer/system.md",
        user: &["prompts/summarizer/task.md"],
        context: Some(context),
        sections: &|extent| {
            let people = context::cast::cast(context, &text.body).within(extent);
            let memory = context.memories.get(context.storyline()).map_or("", |memory| memory.facts.as_str());
            vec![
                PromptSection::new("chapter", context.chapter.get().to_string()),
                PromptSection::new("title", text.title.as_str()),
                PromptSection::new("storyline", context.storyline().as_str()),
                PromptSection::new("entities", context::entities(context, &text.body)),
                PromptSection::new("other_lines", context::other_lines(context)),
                PromptSection::new("mentions", context::mentions(context, &text.body)),
                PromptSection::new("memory", clip_memory(memory)),
                PromptSection::new("state", context::state(context, &people, &text.body, extent)),
                PromptSection::new("ledger", context::ledger(context, extent)),
                PromptSection::new("questions", context::open_questions(context)),
                PromptSection::new("text", text.to_markdown()),
                PromptSection::new("hints", hints),
            ]
        },
        answer: ReplyForm::Json { name: "chapter_summary", schema: schema_of::<SummaryReply>() },
        max_output_tokens: 3400,
    };
    compose(order, prompts)
}

#[derive(Default, Deserialize, JsonSchema)]
#[serde(default)]
struct SummaryReply {
    #[schemars(description = "三百字上下的摘要：起因、关键对话与抉择、转折、章末停在哪里")]
    summary: String,
    #[schemars(description = "状态与伏笔的变更，只记正文里确实发生的", with = "Vec<OpReply>", extend("x-read" = "raw"))]
    ops: Value,
    #[schemars(description = "本线的新记忆，五百字以内")]
    memory: String,
    #[schemars(description = "本线现况，一句话")]
    line_status: String,
    #[schemars(description = "正文提到的、不属于本线的人、地、事")]
    cross_references: Vec<CrossReply>,
    #[schemars(description = "章节记忆：这一章的时间、地点、事件、人物处境、悬着的事")]
    chapter_memory: EntryReply,
}

#[derive(Default, Deserialize, JsonSchema)]
#[serde(default)]
struct EntryReply {
    #[schemars(description = "什么时候；正文没有交代就给空字符串")]
    time: String,
    #[schemars(description = "在哪些地方")]
    places: Vec<String>,
    #[schemars(description = "出了哪几件事，至多五条")]
    events: Vec<String>,
    #[schemars(description = "谁在章末是什么处境")]
    people: Vec<StandingReply>,
    #[schemars(description = "章末还悬着的事")]
    threads: Vec<String>,
    #[schemars(description = "读者账：这一章许下什么，给了什么")]
    reader: ReaderReply,
}

#[derive(Default, Deserialize, JsonSchema)]
#[serde(default)]
struct ReaderReply {
    #[schemars(description = "这一章主要在写什么", extend("enum" = names(ChapterKind::ALL, ChapterKind::as_str)))]
    kind: String,
    #[schemars(description = "章末靠什么勾人往下看", extend("enum" = names(Hook::ALL, Hook::as_str)))]
    hook: String,
    #[schemars(description = "章末留给读者的那个问题，一个短语；没有就给空字符串")]
    question: String,
    #[schemars(description = "兑现了前文许下的哪些事")]
    payoffs: Vec<String>,
    #[schemars(description = "回答了哪几章留下的问题，写章号")]
    answers: Vec<u32>,
}

fn names<T: Copy>(all: &[T], name: impl Fn(T) -> &'static str) -> Vec<&'static str> {
    all.iter().map(|one| name(*one)).collect()
}

#[derive(Default, Deserialize, JsonSchema)]
#[serde(default)]
struct StandingReply {
    #[schemars(description = "名册里的 id；名册里没有就写名字")]
    who: String,
    #[schemars(description = "处境，一个短语")]
    state: String,
}

#[derive(Default, Deserialize, JsonSchema)]
#[serde(default)]
struct OpReply {
    #[schemars(description = "操作", extend("enum" = ["set", "inc", "add", "remove", "foreshadow"]))]
    op: String,
    #[schemars(description = "点分路径，二至四段，用英文 id；伏笔则为伏笔 id")]
    path: String,
    #[schemars(description = "新值；inc 为增减的数；foreshadow 为 planted、advanced 或 resolved", with = "ValueReply")]
    value: Value,
    #[schemars(description = "仅伏笔：怎么做的；其余为空字符串")]
    detail: String,
    #[schemars(description = "仅新埋的伏笔；其余为空字符串", extend("enum" = ["", "short", "medium", "long"]))]
    scope: String,
}

#[derive(JsonSchema)]
#[serde(untagged)]
#[expect(dead_code, reason = "the schema of a value of the state")]
enum ValueReply {
    Text(String),
    Number(f64),
    List(Vec<String>),
}

#[derive(Default, Deserialize, JsonSchema)]
#[serde(default)]
struct CrossReply {
    #[schemars(description = "正文里的叫法")]
    entity: String,
    #[schemars(description = "所属故事线的 id")]
    storyline: String,
    #[schemars(description = "泄漏风险", extend("enum" = ["none", "low", "medium", "high"]))]
    leak_risk: String,
    #[schemars(description = "原文摘录")]
    evidence: String,
}

#[derive(Debug, Clone, PartialEq)]
pub struct Summarized {
    /// Operations are empty when they were unreadable.
    pub summary: Summary,
    /// Why the operations were unreadable: worth one more call, then the chapter goes on without them (agent protocol
    /// §10.6, rule 1).
    pub ops_fault: Option<ReplyFault>,
}

/// Reads a summary. Only its text is required; for an empty memory or status the caller keeps the old one.
pub fn read(reply: &str) -> Result<Summarized, ReplyFault> {
    let reply: SummaryReply = read_as(reply)?;
    if reply.summary.is_empty() {
        return Err(ReplyFault::Field { field: "summary", wanted: FieldKind::Text });
    }
    let (ops, ops_fault) = match ops_of(&reply.ops) {
        Ok(ops) => (ops, None),
        Err(fault) => (Vec::new(), Some(fault)),
    };
    let cross = reply.cross_references.into_iter().filter(|cross| !cross.entity.is_empty());
    let cross_references = cross.map(|cross| CrossReference {
        entity: cross.entity,
        storyline: cross.storyline,
        // An unknown risk is worth a look, and only a plain `high` forces a revision.
        risk: cross.leak_risk.to_ascii_lowercase().parse().unwrap_or(LeakRisk::Medium),
        evidence: cross.evidence,
    });
    let summary = Summary {
        text: reply.summary,
        ops,
        memory: clip_memory(&reply.memory),
        cross_references: cross_references.collect(),
        line_status: reply.line_status,
        entry: entry_of(reply.chapter_memory),
    };
    Ok(Summarized { summary, ops_fault })
}

/// The most characters of an excerpt, the length of a summary (product document §5.5).
const EXCERPT: usize = 300;
/// The most sentences of the chapter's beginning and of its end in an excerpt.
const FIRST: usize = 3;
const LAST: usize = 4;

/// A summary made of sentences of the chapter, for a summarizer with unreadable answers. State and the storyline's
/// facts stay; the line's status is the chapter's last sentence.
pub fn excerpt(text: &Chapter) -> Summary {
    let all: Vec<String> = text::sentences(&text.body)
        .iter()
        .map(|sentence| sentence.text().trim().to_owned())
        .filter(|sentence| !sentence.is_empty())
        .collect();
    let last_from = all.len().saturating_sub(LAST).max(all.len().min(FIRST));
    let room = EXCERPT / 2;
    let first = within(all.iter().take(FIRST.min(last_from)), room);
    let mut last = within(all[last_from..].iter().rev(), room);
    last.reverse();
    let gap = if first.len() + last.len() < all.len() && !last.is_empty() { "……" } else { "" };
    let text = format!("{}{gap}{}", first.concat(), last.concat());
    Summary {
        text,
        ops: Vec::new(),
        memory: String::new(),
        cross_references: Vec::new(),
        line_status: clip_line(all.last().map_or("", String::as_str), LONGEST),
        entry: ChapterNotes::default(),
    }
}

/// The sentences that fit; the first one is cut if necessary.
fn within<'s>(sentences: impl Iterator<Item = &'s String>, room: usize) -> Vec<String> {
    let mut kept: Vec<String> = Vec::new();
    let mut left = room;
    for sentence in sentences {
        let length = chars(sentence);
        if length > left {
            if kept.is_empty() {
                kept.push(clip_line(sentence, room));
            }
            break;
        }
        left -= length;
        kept.push(sentence.clone());
    }
    kept
}

/// The most entries of each list of a chapter's memory, and the most characters of an entry: longer ones would repeat
/// the summary.
const MOST_PLACES: usize = 4;
const MOST_EVENTS: usize = 5;
const MOST_PEOPLE: usize = 8;
const MOST_THREADS: usize = 5;
const MOST_PAYOFFS: usize = 4;
const LONGEST: usize = 60;

/// The first texts of a list, at their most length.
fn clipped(list: &[String], most: usize) -> Vec<String> {
    list.iter().take(most).map(|text| clip_line(text, LONGEST)).collect()
}

fn entry_of(reply: EntryReply) -> ChapterNotes {
    let people = reply.people.into_iter().filter(|person| !person.who.is_empty());
    let standing = |person: StandingReply| PersonStatus {
        who: clip_line(&person.who, 30),
        state: clip_line(&person.state, LONGEST),
    };
    ChapterNotes {
        time: clip_line(&reply.time, LONGEST),
        places: clipped(&reply.places, MOST_PLACES),
        events: clipped(&reply.events, MOST_EVENTS),
        people: people.take(MOST_PEOPLE).map(standing).collect(),
        threads: clipped(&reply.threads, MOST_THREADS),
        reader: ReaderNote {
            kind: reply.reader.kind.parse().ok(),
            hook: reply.reader.hook.parse().ok(),
            question: clip_line(&reply.reader.question, LONGEST),
            payoffs: clipped(&reply.reader.payoffs, MOST_PAYOFFS),
            answers: reply.reader.answers.into_iter().filter_map(ChapterNo::new).collect(),
        },
    }
}

/// Reads the answer to the request for the operations alone. Fails without a list of operations.
pub fn read_ops(reply: &str) -> Result<Vec<RawOp>, ReplyFault> {
    let bare = reply.find('[').filter(|list| reply.find('{').is_none_or(|object| *list < object));
    if let (Some(from), Some(to)) = (bare, reply.rfind(']'))
        && let Ok(list) = serde_json::from_str::<Value>(&reply[from..=to.max(from)])
    {
        return ops_of(&list);
    }
    ops_of(&read_json(reply)?["ops"])
}

/// The operations of a list, unchecked: the domain checks them and words the faults.
fn ops_of(list: &Value) -> Result<Vec<RawOp>, ReplyFault> {
    let fault = ReplyFault::Field { field: "ops", wanted: FieldKind::Objects };
    let list = list.as_array().ok_or(fault.clone())?;
    if !list.is_empty() && !list.iter().any(Value::is_object) {
        return Err(fault);
    }
    let said = |text: String| Some(text).filter(|text| !text.is_empty());
    let ops = list.iter().map(|op| {
        let OpReply { op, path, value, detail, scope } = fitted(op);
        RawOp { op, path, value, detail: said(detail), scope: said(scope), target: None }
    });
    Ok(ops.collect())
}

/// The most characters of a summary, and of a field.
const SUMMARY: usize = 800;
const FIELD: usize = 120;
/// A field that the text leaves open: an outline has none without a value.
const OPEN: &str = "正文没有交代";

pub(super) fn retell_prompt(text: &Chapter, before: &str, prompts: &Prompts) -> Result<Prompt, PromptError> {
    let order = PromptOrder {
        agent: Agent::Summarizer,
        system: "prompts/summarizer/retell-system.md",
        user: &["prompts/summarizer/retell.md"],
        context: None,
        sections: &|_| {
            vec![
                PromptSection::new("before", before),
                PromptSection::new("text", text.to_markdown()),
                PromptSection::new("chapter", text.number.get().to_string()),
                PromptSection::new("title", text.title.as_str()),
            ]
        },
        answer: ReplyForm::Json { name: "retelling", schema: schema_of::<Retelling>() },
        max_output_tokens: 1500,
    };
    compose(order, prompts)
}

#[derive(Debug, Clone, PartialEq, Eq, Default, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Retelling {
    #[schemars(description = "三百字上下的摘要")]
    pub summary: String,
    #[schemars(description = "视角人物")]
    pub pov: String,
    #[schemars(description = "在哪里")]
    pub location: String,
    #[schemars(description = "谁要什么，拦着的是什么")]
    pub conflict: String,
    #[schemars(description = "人物的变化")]
    pub arc: String,
    #[schemars(description = "章末和开头相比，什么不一样了")]
    pub changes: String,
    #[schemars(description = "章末靠什么勾人往下看")]
    pub hook: String,
}

impl Retelling {
    /// The fields of the chapter's section.
    pub fn fields(&self, storyline: &Slug) -> BTreeMap<Field, String> {
        let told = [
            (Field::Pov, &self.pov),
            (Field::Location, &self.location),
            (Field::Conflict, &self.conflict),
            (Field::Arc, &self.arc),
            (Field::StateChanges, &self.changes),
            (Field::Hook, &self.hook),
        ];
        let told = told.into_iter().filter(|(field, text)| field.is_required() || !text.is_empty());
        let told = told.map(|(field, text)| (field, if text.is_empty() { OPEN.to_owned() } else { text.clone() }));
        let own = [(Field::Storyline, storyline.to_string()), (Field::Foreshadowing, "无".to_owned())];
        told.chain(own).collect()
    }
}

/// Only the summary is required.
pub fn read_retelling(reply: &str) -> Result<Retelling, ReplyFault> {
    let mut told: Retelling = read_as(reply)?;
    if told.summary.is_empty() {
        return Err(ReplyFault::Field { field: "summary", wanted: FieldKind::Text });
    }
    told.summary = clip(told.summary.trim(), SUMMARY);
    let Retelling { pov, location, conflict, arc, changes, hook, .. } = &mut told;
    [pov, location, conflict, arc, changes, hook].into_iter().for_each(|text| *text = clip_line(text, FIELD));
    Ok(told)
}

#[cfg(test)]
mod tests {
    use super::*;

    const REPLY: &str = r#"{"summary": "林枫夜入城北。", "ops": [
        {"op": "set", "path": "characters.lin-feng.location", "value": "城北废墟", "detail": "", "scope": ""},
        {"op": "foreshadow", "path": "mirror", "value": "planted", "detail": "镜背有字", "scope": "medium"}],
        "memory": "林枫有半枚铜符。", "line_status": "林枫困在城北。",
        "cross_references": [{"entity": "许青", "storyline": "sea-plan", "leak_risk": "HIGH", "evidence": "许青说"},
            {"entity": "海关", "storyline": "sea-plan", "leak_risk": "也许"}, {"entity": ""}]}"#;

    #[test]
    fn a_summary_is_read_with_everything_in_it() {
        let Summarized { summary, ops_fault } = read(REPLY).unwrap();
        assert_eq!(ops_fault, None);
        assert!(summary.ops.iter().all(|op| op.check().is_ok()), "{:?}", summary.ops);
        assert_eq!(summary.ops[0].scope, None);
        let risks: Vec<LeakRisk> = summary.cross_references.iter().map(|cross| cross.risk).collect();
        assert_eq!(risks, [LeakRisk::High, LeakRisk::Medium]);
        assert_eq!(summary.line_status, "林枫困在城北。");
    }

    #[test]
    fn malformed_operations_do_not_spoil_the_summary() {
        for ops in ["\"没有\"", "null", "[\"set characters.a.b\"]"] {
            let read = read(&format!("{{\"summary\": \"甲\", \"ops\": {ops}}}")).unwrap();
            assert_eq!(read.summary.text, "甲");
            assert!(read.ops_fault.is_some() && read.summary.ops.is_empty(), "{ops}");
        }
        assert_eq!(read("{\"summary\": \"甲\", \"ops\": []}").unwrap().ops_fault, None);
        assert!(read("{\"ops\": []}").is_err());
    }

    #[test]
    fn the_entry_of_the_ledger_is_read_as_far_as_it_can_be() {
        let with = |entry: &str| {
            read(&format!(r#"{{"summary": "甲", "ops": [], "chapter_memory": {entry}}}"#)).unwrap().summary.entry
        };
        let entry = with(
            r#"{"time": "戌时", "places": "北门", "events": ["门开了", "", 7], "threads": [null, "谁送的信"],
               "people": [{"who": "lin-feng", "state": "带伤"}, {"state": "无主"}, "管十"]}"#,
        );
        assert_eq!((entry.time.as_str(), &entry.places[..]), ("戌时", &["北门".to_owned()][..]));
        assert_eq!((entry.events, entry.threads), (vec!["门开了".into(), "7".into()], vec!["谁送的信".into()]));
        assert_eq!(entry.people, [PersonStatus { who: "lin-feng".into(), state: "带伤".into() }]);
        for malformed in ["null", "\"没有\"", "[]", "{\"people\": 3, \"events\": {}}"] {
            assert_eq!(with(malformed), ChapterNotes::default(), "{malformed}");
        }
        assert_eq!(read(REPLY).unwrap().summary.entry, ChapterNotes::default(), "an answer without one is as good");
        let reader = with(
            r#"{"reader": {"kind": "journey", "hook": "悬念", "question": "谁送的信", "payoffs": "门开了", "answers": [3, "第5章", "无", 0]}}"#,
        )
        .reader;
        assert_eq!((reader.kind, reader.hook), (Some(ChapterKind::Journey), None), "a word of its own is no hook");
        assert_eq!((reader.question.as_str(), reader.payoffs.len()), ("谁送的信", 1));
        assert_eq!(reader.answers.iter().map(|chapter| chapter.get()).collect::<Vec<_>>(), [3, 5]);
        let long = with(&format!(r#"{{"events": [{}]}}"#, vec![format!("\"{}\"", "事".repeat(300)); 40].join(",")));
        assert_eq!((long.events.len(), long.events[0].chars().count()), (MOST_EVENTS, LONGEST));
    }

    #[test]
    fn an_excerpt_has_the_beginning_and_the_end_and_is_bounded() {
        let of = |body: &str| excerpt(&Chapter::from_markdown(crate::domain::ChapterNo::FIRST, body, ""));
        let many: String = (1..=40).map(|n| format!("第{n}个人走过桥。")).collect();
        let long = of(&many);
        assert!(long.text.starts_with("第1个人走过桥。") && long.text.ends_with("第40个人走过桥。"), "{}", long.text);
        assert!(long.text.contains("……") && !long.text.contains("第20个"), "{}", long.text);
        assert_eq!((long.line_status.as_str(), long.ops.len()), ("第40个人走过桥。", 0));
        assert_eq!(of("雨停了。他走了。").text, "雨停了。他走了。");
        assert!(of(&"没有句号的长段".repeat(200)).text.chars().count() <= EXCERPT);
        assert_eq!(of("").text, "");
    }

    #[test]
    fn operations_alone_come_as_an_object_or_a_list() {
        let list = r#"[{"op": "inc", "path": "items.silver.count", "value": -20}]"#;
        for reply in [list.to_owned(), format!("```json\n{{\"ops\": {list}}}\n```")] {
            assert_eq!(read_ops(&reply).unwrap()[0].value, -20, "{reply}");
        }
        assert!(read_ops("{}").is_err() && read_ops("没有").is_err() && read_ops("] [").is_err());
    }
}
