//! Calls on record: as files and trailers of a draft's commits, and as lines of the log of its work.
//!
//! The long texts of a call are files of their own, so that git stores each once: the four agents of a chapter are shown the same text, and
//! every chapter's writer the same rules. In the file of a call a long text is an object with one field, `{"$parts": [...]}`: its pieces in
//! order, each a string or `{"part": NAME}` for the content of the file of that name in the call's folder, with `"chars"` where only so many
//! characters of the file belong to the text. A long schema is `{"$json": {"part": NAME}}`. The section of a prompt that shows a chapter, and
//! a reply that is one, have the bytes of the chapter's file.
//!
//! A name is the kind of text, `chapter-048.md`: git looks for similar texts among files whose names end alike, so each version of a
//! chapter is stored as a difference to the next, a section as one to that of the next chapter, and so is the folder, whose names
//! stay the same from chapter to chapter.

use crate::domain::book::checkpoint::StageLog;
use crate::llm::{self, Call};
use crate::pipeline::engine::responder::micro_usd;
use crate::pipeline::prelude::*;
use anyhow::Context as _;
use serde::Serialize;
use serde_json::{Map, Value, json};

/// Files that live on the draft branch only: calls, the writer's hints, the plan of scenes. They are left out when the
/// draft is accepted; the draft's history keeps them.
pub const DRAFT_ONLY: &str = ".draft/";
/// The recorded calls, numbered in the order in which they ended: `.draft/call-01-draft.json`, with its long texts in
/// `.draft/call-01-draft/`.
pub const CALLS: &str = ".draft/call-";
/// The long texts of calls of older programs: `.draft/part-0f1e2d3c4b5a-chapter-048.md`.
const OLD_PART: &str = ".draft/part-";
/// The log as it grows. It stands beside the calls, and not yet at its place in the book: each folder that a stage touches
/// is an object more to write and to sync.
pub const LOG: &str = ".draft/log.json";

/// A call that is to be recorded with its result, or with the reason why it gave none.
#[derive(Debug, Clone)]
pub struct PaidCall {
    pub(crate) call: Call,
    pub(crate) entry: StageLog,
    /// Names the texts that the prompt was made of.
    pub(crate) prompt_hash: String,
}

impl PaidCall {
    /// Of a part of a work. It counts as used until a reader says otherwise.
    pub(crate) fn new(part: Part, call: Call, model: &str, prompt_hash: String) -> Self {
        let entry = log_entry(part, &call, model);
        Self { call, entry, prompt_hash }
    }

    /// The same call without a result.
    pub(crate) fn unused(mut self) -> Self {
        self.entry.used = false;
        self
    }

    /// Adds the call to the commit of its result: the call itself as a file of the draft, its figures as trailers, and its
    /// line to those before it.
    pub(crate) fn record(
        &self,
        change: Change,
        message: Message,
        stages: &mut Vec<StageLog>,
    ) -> anyhow::Result<(Change, Message)> {
        let Self { call, entry, prompt_hash } = self;
        let number = stages.len() + 1;
        let (mut short, mut parts) = (serde_json::to_value(call).context("writing a recorded call")?, CallParts::new());
        split(&mut short, &mut parts);
        let folder = format!("{CALLS}{number:02}-{}", entry.name);
        let change = change.put(&format!("{folder}.json"), call_file(&short)?);
        let change =
            parts.into_iter().fold(change, |change, (name, text)| change.put(&format!("{folder}/{name}"), text));
        let message = message
            .trailer(trailer::MODEL, &entry.model)
            .trailer(trailer::TOKENS, tokens(entry))
            .trailer(trailer::COST, cost(entry.cost_micro_usd))
            .trailer(trailer::PROMPT, prompt_hash);
        stages.push(entry.clone());
        Ok((change, message))
    }
}

/// Reads the recorded call of that name, `01-draft`. Its long texts come from files of the draft, which `read` reads by their path.
/// Fails when the bytes are not a call, or a text of the call is missing.
pub fn read_call(name: &str, bytes: &[u8], read: &dyn Fn(&str) -> Option<Vec<u8>>) -> anyhow::Result<Call> {
    let mut call = serde_json::from_slice(bytes)?;
    let part = |part: &str| {
        let content = read(&format!("{CALLS}{name}/{part}")).or_else(|| read(&format!("{OLD_PART}{part}")))?;
        String::from_utf8(content).ok()
    };
    join(&mut call, &part).context("a text of the call is missing")?;
    Ok(serde_json::from_value(call)?)
}

/// A call's line in the log of its work.
fn log_entry(part: Part, call: &Call, model: &str) -> StageLog {
    let known = call.usage.input_tokens > 0 || call.usage.output_tokens > 0;
    let figure = |tokens: u64| known.then_some(tokens);
    StageLog {
        name: part.as_str().to_owned(),
        model: model.to_owned(),
        duration_ms: call.duration_ms,
        input_tokens: figure(call.usage.input_tokens),
        cached_tokens: figure(call.usage.cached_tokens),
        cache_write_tokens: Some(call.usage.cache_write_tokens).filter(|written| *written > 0),
        output_tokens: figure(call.usage.output_tokens),
        sent_chars: sent_chars(&call.request),
        cost_micro_usd: call.cost.map(|cost| micro_usd(cost.usd)),
        estimated: call.usage.estimated,
        used: true,
        ahead: false,
    }
}

/// The number of characters that a request sends.
pub(super) fn sent_chars(request: &llm::Request) -> u64 {
    let parts = request.prompt.iter().map(|part| part.text.chars().count());
    (request.system.chars().count() + parts.sum::<usize>()) as u64
}

/// Recorded calls as a file. The replies are as they came, so characters that steer a terminal are escaped: a file of the
/// repository is shown by `git show` as well.
pub(crate) fn call_file(calls: &impl Serialize) -> anyhow::Result<Vec<u8>> {
    let json = serde_json::to_string_pretty(calls).context("writing a recorded call")? + "\n";
    Ok(text::escape_json(&json).into_owned().into_bytes())
}

/// `12000 in (8000 cached), 3000 out`, as far as it is known.
fn tokens(entry: &StageLog) -> String {
    let (Some(input), Some(output)) = (entry.input_tokens, entry.output_tokens) else { return "unknown".into() };
    let about = if entry.estimated { "~" } else { "" };
    match entry.cached_tokens {
        Some(cached) if cached > 0 => format!("{about}{input} in ({cached} cached), {about}{output} out"),
        _ => format!("{about}{input} in, {about}{output} out"),
    }
}

/// An amount in dollars, or that it is unknown; never zero for an unknown amount.
pub(crate) fn cost(micro: Option<u64>) -> String {
    micro.map_or_else(|| "unknown".into(), |micro| format!("{:.4} USD", micro as f64 / 1e6))
}

/// The cost of the calls that a transaction names, in millionths of a US dollar: `None` where it names none, and
/// `Some(None)` where a price was not known.
pub fn cost_of(transaction: &Transaction) -> Option<Option<u64>> {
    let text = transaction.trailers.get(trailer::COST)?;
    let usd: Option<f64> = text.strip_suffix(" USD").and_then(|amount| amount.parse().ok());
    Some(usd.map(|usd| (usd * 1e6).round() as u64))
}

/// A shorter text costs less where it stands than as a file.
const LONG: usize = 512;

const PIECES: &str = "$parts";
const JSON: &str = "$json";
const PART: &str = "part";
const CHARS: &str = "chars";

/// The parts of a call: the contents by name.
type CallParts = BTreeMap<String, String>;

/// Takes the long texts out of a recorded call.
fn split(call: &mut Value, parts: &mut CallParts) {
    split_field("call", call, parts);
}

fn split_field(field: &str, value: &mut Value, parts: &mut CallParts) {
    match value {
        Value::String(text) => {
            if let Some(pieces) = pieces(field, text, parts) {
                *value = json!({ PIECES: pieces });
            }
        }
        Value::Array(items) => items.iter_mut().for_each(|item| split_field(field, item, parts)),
        Value::Object(fields) => fields.iter_mut().for_each(|(name, value)| match value {
            Value::Object(schema) if name == "schema" || name == "told" => split_schema(schema, parts),
            _ => split_field(name, value, parts),
        }),
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

/// Puts the long texts back. `None` when a part is missing, or the file is not of this notation.
fn join(call: &mut Value, part: &dyn Fn(&str) -> Option<String>) -> Option<()> {
    match call {
        Value::Object(fields) => {
            if let Some(pieces) = only(fields, PIECES) {
                let text = pieces.as_array()?.iter().map(|piece| whole(piece, part)).collect::<Option<String>>()?;
                *call = Value::String(text);
            } else if let Some(schema) = only(fields, JSON) {
                *call = serde_json::from_str(&whole(schema, part)?).ok()?;
            } else {
                return fields.iter_mut().try_for_each(|(_, value)| join(value, part));
            }
        }
        Value::Array(items) => return items.iter_mut().try_for_each(|item| join(item, part)),
        Value::String(_) | Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
    Some(())
}

/// The value of the field, when it is the only one.
fn only<'v>(fields: &'v Map<String, Value>, name: &str) -> Option<&'v Value> {
    fields.get(name).filter(|_| fields.len() == 1)
}

fn whole(piece: &Value, part: &dyn Fn(&str) -> Option<String>) -> Option<String> {
    if let Some(text) = piece.as_str() {
        return Some(text.to_owned());
    }
    let content = part(piece.get(PART)?.as_str()?)?;
    match piece.get(CHARS) {
        None => Some(content),
        Some(chars) => Some(content.chars().take(usize::try_from(chars.as_u64()?).ok()?).collect()),
    }
}

fn split_schema(schema: &mut Map<String, Value>, parts: &mut CallParts) {
    let Ok(text) = serde_json::to_string_pretty(schema) else { return };
    if text.len() >= LONG && is_plain(&text) {
        let reference = refer("schema.json", text + "\n", parts);
        schema.clear();
        schema.insert(JSON.to_owned(), reference);
    }
}

/// Whether it can be a file that git shows on a terminal and does not change.
fn is_plain(text: &str) -> bool {
    !text.contains('\r') && matches!(text::escape_json(text), std::borrow::Cow::Borrowed(_))
}

/// The pieces of the text of a field; `None` for one that stays as it is.
fn pieces(field: &str, text: &str, parts: &mut CallParts) -> Option<Vec<Value>> {
    if text.len() < LONG || !is_plain(text) {
        return None;
    }
    let mut pieces = Vec::new();
    let mut rest = text;
    while let Some(section) = long_section(rest) {
        add(field, section.before, &mut pieces, parts);
        let quoted =
            quoted_chapter(section.lines).map(|number| format!("{}-chapter-{number:03}.md", plain_name(section.name)));
        add(quoted.as_deref().unwrap_or(section.name), section.lines, &mut pieces, parts);
        rest = section.after;
    }
    add(field, rest, &mut pieces, parts);
    pieces.iter().any(|piece| !piece.is_string()).then_some(pieces)
}

/// A part of a prompt between `<name>` and `</name>`, each a line of its own.
struct TaggedSection<'t> {
    /// The text up to its first line.
    before: &'t str,
    name: &'t str,
    lines: &'t str,
    after: &'t str,
}

fn long_section(text: &str) -> Option<TaggedSection<'_>> {
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        let from = at + line.len();
        at = from;
        let Some(name) = line.trim_end().strip_prefix('<').and_then(|line| line.strip_suffix('>')) else { continue };
        let end = text[from..].find(&format!("\n</{name}>")).map(|end| from + end + 1);
        if let Some(end) = end.filter(|end| end - from >= LONG) {
            return Some(TaggedSection { before: &text[..from], name, lines: &text[from..end], after: &text[end..] });
        }
    }
    None
}

/// Adds a piece of that kind: a long one as a part that ends with one line feed, as files do.
fn add(kind: &str, text: &str, pieces: &mut Vec<Value>, parts: &mut CallParts) {
    if text.len() < LONG {
        if !text.is_empty() {
            pieces.push(text.into());
        }
        return;
    }
    let body = text.trim_end_matches('\n');
    let kind = match chapter_of(text) {
        Some(number) => format!("chapter-{number:03}.md"),
        None if kind.ends_with(".md") => kind.to_owned(),
        None => format!("{}.txt", plain_name(kind)),
    };
    let mut reference = refer(&kind, format!("{body}\n"), parts);
    if body.len() == text.len() {
        reference[CHARS] = body.chars().count().into();
    }
    pieces.push(reference);
    if let Some(more) = text[body.len()..].strip_prefix('\n').filter(|more| !more.is_empty()) {
        pieces.push(more.into());
    }
}

/// The name of a field or a section as a file may have it.
fn plain_name(kind: &str) -> String {
    kind.chars().filter(|c| c.is_alphanumeric()).take(16).collect()
}

/// The chapter that a section says it quotes, in its first two hundred characters: where an earlier chapter ended, or the first of several
/// summaries. Git finds the quotation beside that chapter.
fn quoted_chapter(section: &str) -> Option<u32> {
    let end = section.char_indices().nth(200).map_or(section.len(), |(at, _)| at);
    section[..end].split('第').skip(1).find_map(|rest| rest.split_once('章')?.0.parse().ok())
}

/// The number of the chapter whose text it is, by its heading.
fn chapter_of(text: &str) -> Option<u32> {
    text.strip_prefix("# 第")?.split_once('章')?.0.parse().ok()
}

/// Names the content by its kind, with a number before the kind where the call has others of that kind.
fn refer(kind: &str, content: String, parts: &mut CallParts) -> Value {
    let mut name = kind.to_owned();
    let mut number = 1;
    while parts.get(&name).is_some_and(|other| *other != content) {
        number += 1;
        name = format!("{number}-{kind}");
    }
    parts.insert(name.clone(), content);
    json!({ PART: name })
}

/// A value as a file: pretty JSON and a newline. `what` names the file in an error.
/// Fails: only for a value that JSON has no form for, which is a bug.
pub(crate) fn draft_file(value: &impl Serialize, what: &str) -> anyhow::Result<Vec<u8>> {
    let mut bytes = serde_json::to_vec_pretty(value).with_context(|| format!("writing `{what}`"))?;
    bytes.push(b'\n');
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn long_texts_are_read_from_the_folder_of_the_call_or_from_where_older_programs_put_them() {
        let usage = json!({"input_tokens": 1, "cached_tokens": 0, "cache_write_tokens": 0, "output_tokens": 1, "reasoning_tokens": 0,
            "estimated": true});
        let call = json!({
            "schema_version": 1, "started_at": "2026-11-27T18:11:08Z", "duration_ms": 1, "endpoint": "offline", "wire": "openai",
            "request": {
                "model": "offline", "system": {"$parts": [{"part": "system.txt"}]}, "prompt": [], "max_output_tokens": 9,
                "sampling": {}, "answer": {"kind": "prose"},
            },
            "outcome": {"kind": "reply", "text": "灯灭了。", "stop": "end", "usage": usage, "model": "offline", "attempts": 1},
            "attempts": 1, "usage": usage,
        });
        let bytes = serde_json::to_vec(&call).unwrap();
        for path in [".draft/call-01-draft/system.txt", ".draft/part-system.txt"] {
            let read = |asked: &str| (asked == path).then(|| "照章纲写。\n".as_bytes().to_vec());
            assert_eq!(read_call("01-draft", &bytes, &read).unwrap().request.system, "照章纲写。\n");
        }
        assert!(read_call("01-draft", &bytes, &|_| None).is_err());
    }

    fn joined(split: &Value, parts: &CallParts) -> Option<Value> {
        let mut whole = split.clone();
        join(&mut whole, &|name| parts.get(name).cloned())?;
        Some(whole)
    }

    #[test]
    fn a_chapter_is_the_same_part_in_a_prompt_and_in_a_reply() {
        let chapter = format!("# 第3章 渡口\n\n{}\n", "夜里的渡口没有灯。".repeat(60));
        let call = json!({
            "request": {"system": "短", "prompt": [{"text": format!("# 任务\n\n<章节正文>\n{chapter}</章节正文>\n\n评分。"), "cache": true}]},
            "outcome": {"text": chapter.trim_end()},
        });
        let (mut kept, mut parts) = (call.clone(), CallParts::new());
        split(&mut kept, &mut parts);
        assert_eq!(parts.values().collect::<Vec<_>>(), [&chapter]);
        assert!(parts.keys().eq(["chapter-003.md"]), "{parts:?}");
        assert!(serde_json::to_string(&kept).unwrap().len() < 400, "{kept}");
        assert_eq!(joined(&kept, &parts), Some(call));
        assert_eq!(joined(&kept, &CallParts::new()), None);
    }

    #[test]
    fn a_section_that_quotes_a_chapter_is_named_after_the_chapter() {
        let lines = format!("本线停在第147章，末尾是：\n{}\n", "灯灭了。".repeat(80));
        let text = format!("# 任务\n\n<承接>\n{lines}</承接>\n\n<规则>\n{}\n</规则>\n", "不说破。".repeat(80));
        let (mut call, mut parts) = (json!({ "text": text }), CallParts::new());
        split(&mut call, &mut parts);
        assert!(parts.keys().eq(["承接-chapter-147.md", "规则.txt"]), "{parts:?}");
        assert_eq!(joined(&call, &parts), Some(json!({ "text": text })));
    }

    #[test]
    fn what_steers_a_terminal_is_never_a_file() {
        let text = "字".repeat(600) + "\u{202e}\u{1b}[2J";
        let (mut call, mut parts) = (json!({"text": text}), CallParts::new());
        split(&mut call, &mut parts);
        assert_eq!((call, parts.len()), (json!({"text": text}), 0));
    }

    /// A text with sections, whole and broken ones, short and long.
    fn text() -> impl Strategy<Value = String> {
        let piece = prop_oneof!["[a字\n]{0,8}", "(<[ab]>|</[ab]>)\n?", "\n{1,3}", "[字。]{200,300}"];
        prop::collection::vec(piece, 0..10).prop_map(|pieces| pieces.concat())
    }

    proptest! {
        #[test]
        fn a_call_is_put_together_again(texts in prop::collection::vec(text(), 1..4), n in 0..400_usize) {
            let call = json!({"system": texts[0], "prompt": texts, "schema": {"type": "object", "names": vec!["x"; n]}, "n": n});
            let (mut kept, mut parts) = (call.clone(), CallParts::new());
            split(&mut kept, &mut parts);
            prop_assert!(parts.values().all(|part| part.ends_with('\n') && part.len() >= LONG));
            prop_assert_eq!(joined(&kept, &parts), Some(call));
        }
    }
}
