//! Tools for reading replies: finding the JSON, reading fields leniently, and faults.

use crate::agents::checks::completeness::{Break, Finding, Removed, Source};
use crate::domain::chapter::evaluation::Unusable;
use crate::llm::json::{self, NotJson};
use crate::text::{Script, sanitize};
use schemars::{JsonSchema, schema_for};
use serde::{Deserialize, Deserializer};
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
    /// All requested chapters.
    EveryChapter,
    Storylines,
    /// A storyline with a name and a description.
    Storyline,
    /// A name that no storyline of the book has.
    NewName,
    /// How the book should go on.
    Recommendation,
    /// A reason for the scores.
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
    Copied { letters: usize, from: Source, passage: String },
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
    /// A continuation that adds nothing.
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
    /// No readable JSON object.
    #[error("not JSON: {0}")]
    NotJson(NotJson),
    /// A field is missing or of the wrong kind.
    #[error("field `{field}`: not {wanted:?}")]
    Field { field: &'static str, wanted: FieldKind },
    /// The judge's scores are incomplete.
    #[error(transparent)]
    Scores(#[from] Unusable),
}

impl From<Finding> for ReplyFault {
    fn from(finding: Finding) -> Self {
        match finding {
            Finding::BrokenOff(Break::Loop) | Finding::Circling | Finding::Removed(Removed::EndRepeats { .. }) => {
                Self::Circling
            }
            Finding::BrokenOff(how) => Self::BrokenOff(how),
            Finding::Outline | Finding::Removed(Removed::PlanAround) => Self::Outline,
            Finding::Fragment { words, wanted } | Finding::Short { words, wanted } => Self::Fragment { words, wanted },
            Finding::Copied { letters, from, passage, .. } | Finding::Recycled { letters, from, passage, .. } => {
                Self::Copied { letters, from, passage }
            }
            Finding::Foreign { script, percent } => Self::Foreign { script, percent },
            Finding::Unchanged => Self::Unchanged,
            Finding::Shrunk { words, before } => Self::Shrunk { words, before },
            Finding::PromptWords { words, sentence } => Self::PromptWords { words, sentence },
            // Texts with these findings are used.
            Finding::Removed(_) | Finding::Title { .. } | Finding::Requoted { .. } | Finding::Long { .. } => {
                Self::NoProse
            }
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

/// A field's text, or the digits of a number; `None` when missing, empty or of another kind.
pub(crate) fn text_field(value: &Value, field: &str) -> Option<String> {
    let text = plain(value.get(field)?);
    (!text.is_empty()).then_some(text)
}

/// The entries of a list. A single value counts as the only entry; a missing list is empty.
pub(crate) fn list<'v>(value: &'v Value, field: &str) -> &'v [Value] {
    match value.get(field) {
        None | Some(Value::Null) => &[],
        Some(Value::Array(list)) => list,
        Some(alone) => std::slice::from_ref(alone),
    }
}

/// The texts of a list. One text in place of the list is split by lines or semicolons; a missing list is empty, and
/// entries of other kinds are left out.
pub(crate) fn text_list(value: &Value, field: &str) -> Vec<String> {
    texts(value, field, &['\n', '；', ';'])
}

/// Splits names, ids and numbers at commas.
pub(crate) fn name_list(value: &Value, field: &str) -> Vec<String> {
    texts(value, field, &['\n', '；', ';', '、', '，', ','])
}

fn texts(value: &Value, field: &str, between: &[char]) -> Vec<String> {
    let texts: Vec<String> = match value.get(field) {
        Some(Value::String(text)) => text.split(between).map(item).filter(|text| !is_nothing(text)).collect(),
        _ => list(value, field).iter().map(plain).collect(),
    };
    texts.into_iter().filter(|text| !text.is_empty()).collect()
}

/// A line without a list mark.
fn item(line: &str) -> String {
    line.trim().trim_start_matches(['-', '*', '•', ' ']).to_owned()
}

/// True for the words that models write into a field that should be empty.
fn is_nothing(text: &str) -> bool {
    matches!(text.trim_end_matches('。'), "无" | "没有" | "暂无" | "none" | "None" | "[]")
}

/// The readable objects of a list.
pub(crate) fn items<T: for<'de> Deserialize<'de>>(value: &Value, field: &str) -> Vec<T> {
    list(value, field).iter().filter_map(|item| T::deserialize(item).ok()).collect()
}

/// Reads a list of names, or one text with commas between them.
pub(crate) fn names<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<String>, D::Error> {
    let value = serde_json::json!({ "names": Value::deserialize(deserializer)? });
    Ok(name_list(&value, "names"))
}

fn plain(value: &Value) -> String {
    match value {
        Value::String(text) => text.trim().to_owned(),
        Value::Number(number) => number.to_string(),
        _ => String::new(),
    }
}

/// Reads a text: `null` and a missing value are empty, a number is its digits.
pub(crate) fn lenient<'de, D: Deserializer<'de>>(deserializer: D) -> Result<String, D::Error> {
    Value::deserialize(deserializer).map(|value| plain(&value))
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
                map.insert("required".into(), Value::Array(names));
                map.insert("additionalProperties".into(), Value::Bool(false));
            }
            drop_default(map);
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

    #[test]
    fn texts_are_read_leniently() {
        let value = serde_json::json!({"a": " x ", "b": 3, "c": null, "d": ["x", 1, null, {}, ""]});
        assert_eq!(text_field(&value, "a").as_deref(), Some("x"));
        assert_eq!(text_field(&value, "b").as_deref(), Some("3"));
        assert_eq!((text_field(&value, "c"), text_field(&value, "z")), (None, None));
        assert_eq!(text_list(&value, "d"), ["x", "1"]);
    }

    #[test]
    fn what_stands_in_place_of_a_list_is_its_only_entry() {
        let value = serde_json::json!({
            "a": "到了渡口，没有船；得到密信", "b": "- 甲\n- 乙", "c": "沈渡、阿七，罗守拙", "d": "无。", "e": 4, "f": null, "g": ["甲；乙"],
            "h": {"who": "沈渡"}
        });
        assert_eq!(text_list(&value, "a"), ["到了渡口，没有船", "得到密信"]);
        assert_eq!(
            (text_list(&value, "b"), name_list(&value, "c")),
            (vec!["甲".into(), "乙".into()], vec!["沈渡".into(), "阿七".into(), "罗守拙".into()])
        );
        assert_eq!((text_list(&value, "e"), text_list(&value, "g")), (vec!["4".to_owned()], vec!["甲；乙".to_owned()]));
        for nothing in ["d", "f", "z"] {
            assert!(text_list(&value, nothing).is_empty() && name_list(&value, nothing).is_empty(), "{nothing}");
        }
        assert_eq!((list(&value, "h").len(), list(&value, "g").len(), list(&value, "z").len()), (1, 1, 0));
    }
}
