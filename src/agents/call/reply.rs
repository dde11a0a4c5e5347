//! Tools for reading replies: finding the JSON, reading fields leniently, and faults.

use crate::agents::checks::completeness::{Break, RemovedPart, TextFinding, TextSource};
use crate::domain::chapter::evaluation::Unusable;
use crate::llm::json::{self, NotJson};
use crate::llm::{Fault, RequestPart};
use crate::text::{Script, sanitize};
use schemars::{JsonSchema, schema_for};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

/// The kind of value that a field of a reply should have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FieldKind {
    Text,
    Object,
    Objects,
    Texts,
    Rules,
    /// People, each with a name and a profile.
    People,
    /// Two to six scenes.
    Scenes,
    EveryChapter,
    Storylines,
    Storyline,
    NewName,
    /// How the book should go on.
    Recommendation,
    Reason,
}

/// An unusable reply. Asking again usually helps: see [`ask_again`](super::again_words::ask_again()).
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ReplyFault {
    /// White space instead of JSON.
    #[error("empty reply")]
    Empty,
    /// No chapter: nothing, or a heading alone.
    #[error("no prose")]
    NoProse,
    /// Mostly list items instead of a chapter.
    #[error("outline instead of prose")]
    Outline,
    /// Less than half of the shortest chapter that the book wants.
    #[error("{words} of {wanted} words")]
    Fragment { words: u32, wanted: u32 },
    /// An unfinished text that is too short to continue.
    #[error("unfinished: {0:?}")]
    BrokenOff(Break),
    /// A text that stands elsewhere already.
    #[error("{letters} characters copied from {from:?}: {passage}")]
    Copied { letters: usize, from: TextSource, passage: String },
    /// A text in another language or script than the book; `percent` is its share of the letters.
    #[error("{percent} % {script:?}")]
    Foreign { script: Script, percent: u32 },
    /// The model or a filter of its provider declined the prose, for this reason in its words.
    #[error("declined: {0}")]
    Declined(String),
    /// A story that mentions its task.
    #[error("words of the task: {words}")]
    PromptWords { words: String, sentence: String },
    /// A revision equal to the old text.
    #[error("unchanged")]
    Unchanged,
    /// A revision far shorter than the old text.
    #[error("revision of {words} words for {before}")]
    Shrunk { words: u32, before: u32 },
    #[error("nothing new")]
    NothingNew,
    /// An example from the prompt instead of an answer.
    #[error("example repeated: {0}")]
    Echo(String),
    /// A judge's report without these rules, hard ones among them.
    #[error("unanswered: {}", .0.join(", "))]
    Unanswered(Vec<String>),
    /// A judge's report whose quotations for these violations are not in the text.
    #[error("unquoted: {}", .0.join(", "))]
    Unquoted(Vec<String>),
    /// Endless repetition, broken off or too long.
    #[error("circling")]
    Circling,
    #[error("not JSON: {0}")]
    NotJson(NotJson),
    /// A field is missing or of the wrong kind.
    #[error("field `{field}`: not {wanted:?}")]
    Field { field: &'static str, wanted: FieldKind },
    /// The judge's scores are incomplete.
    #[error(transparent)]
    Scores(#[from] Unusable),
}

impl From<TextFinding> for ReplyFault {
    fn from(finding: TextFinding) -> Self {
        match finding {
            TextFinding::BrokenOff(Break::Loop)
            | TextFinding::Circling
            | TextFinding::Removed(RemovedPart::EndRepeats { .. }) => Self::Circling,
            TextFinding::BrokenOff(how) => Self::BrokenOff(how),
            TextFinding::Outline | TextFinding::Removed(RemovedPart::PlanAround) => Self::Outline,
            TextFinding::Fragment { words, wanted } | TextFinding::Short { words, wanted } => {
                Self::Fragment { words, wanted }
            }
            TextFinding::Copied { letters, from, passage, .. }
            | TextFinding::Recycled { letters, from, passage, .. } => Self::Copied { letters, from, passage },
            TextFinding::Foreign { script, percent } => Self::Foreign { script, percent },
            TextFinding::Unchanged => Self::Unchanged,
            TextFinding::Shrunk { words, before } => Self::Shrunk { words, before },
            TextFinding::PromptWords { words, sentence } => Self::PromptWords { words, sentence },
            // Texts with these findings are used.
            TextFinding::Removed(_)
            | TextFinding::Title { .. }
            | TextFinding::Requoted { .. }
            | TextFinding::Long { .. } => Self::NoProse,
        }
    }
}

/// The JSON object in a reply; see [`llm::json`](crate::llm::json) for the repairs and refusals.
pub(crate) fn read_json(reply: &str) -> Result<Value, ReplyFault> {
    if reply.trim().is_empty() {
        return Err(ReplyFault::Empty);
    }
    match json::find(reply) {
        Ok(found) if found.is_object() => Ok(sanitized(found)),
        Ok(_) => Err(ReplyFault::NotJson(NotJson::Missing)),
        Err(fault) => Err(ReplyFault::NotJson(fault)),
    }
}

/// Sanitizes every text of the value. An escape such as `\u001b` is a steering character only after JSON is parsed.
fn sanitized(value: Value) -> Value {
    match value {
        Value::String(text) => Value::String(sanitize(&text).into_owned()),
        Value::Array(list) => list.into_iter().map(sanitized).collect(),
        Value::Object(map) => {
            map.into_iter().map(|(name, value)| (sanitize(&name).into_owned(), sanitized(value))).collect()
        }
        other => other,
    }
}

/// Reads a reply into the type whose schema was asked for; see [`fitted`].
pub(crate) fn read_as<T: JsonSchema + DeserializeOwned + Default>(reply: &str) -> Result<T, ReplyFault> {
    read_json(reply).map(|value| fitted(&value))
}

/// The readable parts of a value; the others have their default. Models write numbers as texts, one entry in place of a
/// list, and a line of names in place of their list: the schema says what was meant.
pub(crate) fn fitted<T: JsonSchema + DeserializeOwned + Default>(value: &Value) -> T {
    let schema = schema_for!(T).to_value();
    fit(&schema, &schema, value).and_then(|value| T::deserialize(value).ok()).unwrap_or_default()
}

/// A field's own schema says with this keyword how the field is read, and models are not shown it: in `names` a text in
/// place of a list is also split at commas, and the type of a `raw` field reads whatever stands there.
const READ: &str = "x-read";

/// The value in the form of the schema; `None` for one of another kind.
fn fit(root: &Value, schema: &Value, value: &Value) -> Option<Value> {
    let how = schema.get(READ).and_then(Value::as_str);
    if how == Some("raw") {
        return Some(value.clone());
    }
    let target = schema.get("$ref").and_then(Value::as_str).and_then(|target| root.pointer(target.strip_prefix('#')?));
    let schema = target.unwrap_or(schema);
    match schema.get("type").and_then(Value::as_str) {
        Some("object") => {
            let (properties, fields) = (schema.get("properties")?.as_object()?, value.as_object()?);
            let field = |(name, schema): (&String, &Value)| Some((name.clone(), fit(root, schema, fields.get(name)?)?));
            Some(Value::Object(properties.iter().filter_map(field).collect()))
        }
        Some("array") => {
            let items = schema.get("items")?;
            let texts: Vec<Value>;
            let entries = match value {
                Value::String(text) if items.get("$ref").is_none() => {
                    let is_mark = |c: char| "\n；;".contains(c) || (how == Some("names") && "、，,".contains(c));
                    let entries = text.split(is_mark).map(item).filter(|text| !is_nothing(text));
                    texts = entries.map(Value::from).collect();
                    &texts
                }
                other => list(other),
            };
            Some(entries.iter().filter_map(|entry| fit(root, items, entry)).filter(|entry| entry != "").collect())
        }
        Some("string") => matches!(value, Value::String(_) | Value::Number(_)).then(|| plain(value).into()),
        Some("integer") => number_in(&plain(value)).map(Value::from),
        _ => Some(value.clone()),
    }
}

/// A list of names, also in one text.
pub(crate) fn names(value: &Value) -> Vec<String> {
    let schema = serde_json::json!({"type": "array", "items": {"type": "string"}, READ: "names"});
    fit(&schema, &schema, value).and_then(|names| Vec::deserialize(names).ok()).unwrap_or_default()
}

/// The first number of a text: `12`, `第12章`, `ch-012`.
fn number_in(text: &str) -> Option<u32> {
    text.split(|c: char| !c.is_ascii_digit()).find(|digits| !digits.is_empty())?.parse().ok()
}

/// The entries of a list. A single value counts as the only entry; `null` is an empty list.
pub(crate) fn list(value: &Value) -> &[Value] {
    match value {
        Value::Null => &[],
        Value::Array(list) => list,
        alone => std::slice::from_ref(alone),
    }
}

/// A line without a list mark.
fn item(line: &str) -> String {
    line.trim().trim_start_matches(['-', '*', '•', ' ']).to_owned()
}

/// True for the words that models write into a field that should be empty.
fn is_nothing(text: &str) -> bool {
    matches!(text.trim_end_matches('。'), "无" | "没有" | "暂无" | "none" | "None" | "[]")
}

/// The text of a value, or the digits of a number; empty for other kinds.
pub(crate) fn plain(value: &Value) -> String {
    match value {
        Value::String(text) => text.trim().to_owned(),
        Value::Number(number) => number.to_string(),
        _ => String::new(),
    }
}

/// The schema of a reply. All fields are required although readers forgive missing ones: servers that enforce a schema
/// demand it, and models fill in what they are asked for.
pub(crate) fn schema_of<T: JsonSchema>() -> Value {
    let mut schema = schema_for!(T).to_value();
    if let Some(map) = schema.as_object_mut() {
        map.remove("$schema");
        map.remove("title");
    }
    require_all(&mut schema);
    schema
}

fn require_all(schema: &mut Value) {
    match schema {
        Value::Object(map) => {
            if let Some(properties) = map.get("properties").and_then(Value::as_object) {
                let names: Vec<Value> = properties.keys().map(|name| Value::String(name.clone())).collect();
                // Models are shown the schema in this order.
                let at = map.keys().position(|key| key == "properties").map_or(0, |at| at + 1);
                map.shift_remove("required");
                map.shift_insert(at, "required".into(), Value::Array(names));
                map.insert("additionalProperties".into(), Value::Bool(false));
            }
            drop_default(map);
            map.shift_remove(READ);
            map.values_mut().for_each(require_all);
        }
        Value::Array(list) => list.iter_mut().for_each(require_all),
        _ => {}
    }
}

/// Removes a default, unless `default` is a property's name.
fn drop_default(map: &mut Map<String, Value>) {
    if map.get("default").is_some_and(|default| !default.is_object()) {
        map.remove("default");
    }
}

/// Why an agent is asked again.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum Why {
    #[error(transparent)]
    Reply(#[from] ReplyFault),
    /// The call failed, and another request may succeed.
    #[error(transparent)]
    Fault(#[from] Fault),
    /// The server rejects a part of the request, which is left out.
    #[error("{what:?}: {why}")]
    Adjusted { what: RequestPart, why: Fault },
    /// The text is unfinished and is continued from its last whole sentence.
    #[error("unfinished: {0:?}")]
    BrokenOff(Break),
    #[error("{words} of {wanted} words")]
    Short { words: u32, wanted: u32 },
    #[error("{words} of at most {most} words")]
    Long { words: u32, most: u32 },
}

impl Why {
    /// True when the same question would very likely meet the same fault.
    pub fn lasts(&self) -> bool {
        match self {
            Self::Fault(fault) => fault.is_of_question(),
            Self::Adjusted { .. } => false,
            Self::Reply(_) | Self::BrokenOff(_) | Self::Short { .. } | Self::Long { .. } => true,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_object_is_found_behind_chatter_and_fences() {
        for reply in ["{\"a\": 1}", "好的：\n```json\n{\"a\": 1}\n```\n以上。", "\u{feff}{\"a\": 1}"] {
            assert_eq!(read_json(reply).unwrap()["a"], 1, "{reply}");
        }
        assert_eq!(read_json(" \n"), Err(ReplyFault::Empty));
        assert!(matches!(read_json("我不能"), Err(ReplyFault::NotJson(_))));
        assert!(matches!(read_json("} {"), Err(ReplyFault::NotJson(_))));
        assert!(matches!(read_json("{\"a\": "), Err(ReplyFault::NotJson(_))));
    }

    #[derive(Debug, Default, PartialEq, Deserialize, JsonSchema)]
    #[serde(default)]
    struct Form {
        text: String,
        texts: Vec<String>,
        #[schemars(extend("x-read" = "names"))]
        names: Vec<String>,
        #[schemars(extend("x-read" = "names"))]
        chapters: Vec<u32>,
        #[schemars(with = "u32")]
        count: Option<u32>,
        people: Vec<Person>,
    }

    #[derive(Debug, Default, PartialEq, Deserialize, JsonSchema)]
    #[serde(default)]
    struct Person {
        who: String,
    }

    fn read(reply: &str) -> Form {
        read_as(reply).unwrap()
    }

    #[test]
    fn texts_are_read_leniently() {
        let form = read(
            r#"{"text": 3, "count": "第12章", "texts": ["x", 1, null, {}, ""], "chapters": ["4", "x", "第6章", "ch-012"]}"#,
        );
        assert_eq!((form.text.as_str(), form.count, &form.chapters[..]), ("3", Some(12), &[4, 6, 12][..]));
        assert_eq!(form.texts, ["x", "1"]);
        assert_eq!(read(r#"{"text": " x ", "people": [{"who": "沈渡"}, "阿七", {"who": null}]}"#).people.len(), 2);
        assert_eq!(read(r#"{"text": null, "texts": null, "count": "很多", "people": 3}"#), Form::default());
    }

    #[test]
    fn what_stands_in_place_of_a_list_is_its_only_entry() {
        let form = read(
            r#"{"texts": "到了渡口，没有船；得到密信", "names": "沈渡、阿七，罗守拙", "people": {"who": "沈渡"}}"#,
        );
        assert_eq!((&form.texts[..], form.names.len()), (&["到了渡口，没有船".into(), "得到密信".into()][..], 3));
        assert_eq!(form.people, [Person { who: "沈渡".into() }]);
        let form = read(r#"{"texts": "- 甲\n- 乙", "names": ["甲；乙"], "chapters": 4}"#);
        assert_eq!((&form.texts[..], &form.names[..]), (&["甲".into(), "乙".into()][..], &["甲；乙".into()][..]));
        assert_eq!((form.chapters, read(r#"{"texts": "无。", "names": "没有"}"#)), (vec![4], Form::default()));
    }

    #[test]
    fn models_are_not_shown_how_a_field_is_read() {
        assert!(!schema_of::<Form>().to_string().contains(READ));
    }
}
