//! Finding the JSON in a model's answer, and mending it when only one reading is possible.
//! Models put thinking, fences and prose around JSON, write Chinese punctuation for the structure, leave quotation
//! marks and line breaks inside strings unescaped, and stop in the middle. A text with two readings is not guessed at,
//! and a text that stops is given no end.

use crate::llm::json::reader::{JsonReader, StringPlace, TWICE, is_space, near};
use serde_json::Value;
use thiserror::Error;

mod reader;

#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum NotJson {
    /// Nothing looks like an object.
    #[error("the answer has no JSON object")]
    Missing,
    /// The JSON begins but does not end.
    #[error("the JSON in the answer breaks off")]
    Truncated,
    /// The JSON has several readings, or none.
    #[error("the JSON in the answer cannot be read: {message} near `{near}`")]
    Broken { message: &'static str, near: String },
    /// There are several different values, and nothing tells which is the answer.
    #[error("the answer has {count} different JSON values")]
    Several { count: usize },
}

/// Finds the one JSON object (or list of objects) in an answer. [`NotJson`] whenever there is any doubt.
pub fn find(text: &str) -> Result<Value, NotJson> {
    let (answer, _) = crate::llm::think::split(text);
    let chars: Vec<char> = answer.trim().trim_start_matches('\u{feff}').trim().chars().collect();

    let mut values: Vec<Value> = Vec::new();
    let mut at = 0;
    while let Some(start) = next_start(&chars, at) {
        let (value, end) = value_at(&chars, start)?;
        values.push(value);
        at = end;
    }
    if values.is_empty() {
        return Err(NotJson::Missing);
    }
    check_rest(&chars, at)?;
    let first = values.swap_remove(0);
    if values.iter().any(|value| *value != first) {
        return Err(NotJson::Several { count: values.len() + 1 });
    }
    Ok(first)
}

/// The start of the next object, or list of objects. Braces in prose (`{变量}`) do not count.
fn next_start(chars: &[char], from: usize) -> Option<usize> {
    (from..chars.len()).find(|&at| {
        let next = chars[at + 1..].iter().find(|c| !is_space(**c)).copied();
        match chars[at] {
            '{' | '｛' => next.is_none_or(|c| "\"“”'}｝".contains(c) || c.is_ascii_alphabetic() || c == '_'),
            '[' | '［' => next.is_some_and(|c| c == '{' || c == '｛') || (at == 0 && next.is_none_or(|c| c == ']')),
            _ => false,
        }
    })
}

fn value_at(chars: &[char], start: usize) -> Result<(Value, usize), NotJson> {
    let mut reader = JsonReader { chars, at: start };
    match reader.value(StringPlace::Alone, 0) {
        Ok(value) => Ok((value, reader.at)),
        Err(NotJson::Broken { message, .. }) if message == TWICE => {
            Err(NotJson::Broken { message, near: near(chars, reader.at) })
        }
        Err(NotJson::Broken { message, near }) => mend(chars, start).ok_or(NotJson::Broken { message, near }),
        Err(other) => Err(other),
    }
}

/// Text after the JSON must not look like a part of it, which would mean that the object was closed too early.
fn check_rest(chars: &[char], at: usize) -> Result<(), NotJson> {
    let rest: String = chars[at..].iter().collect();
    let spare = rest.trim_start_matches(|c| is_space(c) || "}]｝］".contains(c));
    if spare.starts_with([',', ':', '"', '：']) || (spare.starts_with('，') && spare.contains(['"', '“'])) {
        return Err(NotJson::Broken { message: "text goes on after the end", near: near(chars, at) });
    }
    Ok(())
}

/// A general repairer's reading of the text from `start` to the last closing bracket. `None` unless every letter,
/// digit, dot and ellipsis comes out again in order.
fn mend(chars: &[char], start: usize) -> Option<(Value, usize)> {
    let end = chars.iter().rposition(|c| "}]".contains(*c)).filter(|end| *end > start)? + 1;
    let region = &chars[start..end];
    if !is_balanced(region) {
        return None;
    }
    let source: String = region.iter().collect();
    let value: Value = serde_json::from_str(&jsonrepair_rs::jsonrepair(&source).ok()?).ok()?;
    let mut read = String::new();
    collect_letters(&value, &mut read);
    (matches!(value, Value::Object(_) | Value::Array(_)) && letters(&unescape(&source)) == letters(&read))
        .then_some((value, end))
}

fn is_balanced(region: &[char]) -> bool {
    let mut open = Vec::new();
    let mut quote = None;
    let mut escaped = false;
    for &c in region {
        match (quote, c) {
            (Some(_), _) if std::mem::take(&mut escaped) => {}
            (Some(_), '\\') => escaped = true,
            (Some(q), c) if c == q => quote = None,
            (Some(_), _) => {}
            (None, '"' | '\'') => quote = Some(c),
            (None, '{') => open.push('}'),
            (None, '[') => open.push(']'),
            (None, '}' | ']') if open.pop() != Some(c) => return false,
            _ => {}
        }
    }
    open.is_empty() && quote.is_none()
}

fn letters(text: &str) -> String {
    text.chars().filter(|c| c.is_alphanumeric() || ".…".contains(*c)).flat_map(char::to_lowercase).collect()
}

fn collect_letters(value: &Value, out: &mut String) {
    match value {
        Value::Null => out.push_str("null"),
        Value::Bool(truth) => out.push_str(if *truth { "true" } else { "false" }),
        Value::Number(number) => out.push_str(&number.to_string()),
        Value::String(text) => out.push_str(text),
        Value::Array(items) => items.iter().for_each(|item| collect_letters(item, out)),
        Value::Object(fields) => fields.iter().for_each(|(name, field)| {
            out.push_str(name);
            collect_letters(field, out);
        }),
    }
}

/// Decodes escapes; those of white space become white space.
fn unescape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut chars = text.chars();
    while let Some(c) = chars.next() {
        match (c, if c == '\\' { chars.next() } else { None }) {
            ('\\', Some('n' | 't' | 'r' | 'b' | 'f')) => out.push(' '),
            ('\\', Some('u')) => {
                let code: String = chars.by_ref().take(4).collect();
                out.extend(u32::from_str_radix(&code, 16).ok().and_then(char::from_u32));
            }
            ('\\', Some(other)) => out.push(other),
            (c, _) => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use serde_json::json;

    fn ok(text: &str) -> Value {
        find(text).unwrap_or_else(|error| panic!("{error}: {text}"))
    }

    #[test]
    fn wrappings_are_removed() {
        let value = json!({"a": "风起"});
        for text in [
            "{\"a\": \"风起\"}",
            "```json\n{\"a\": \"风起\"}\n```",
            "好的，结果：{\"a\": \"风起\"}，请查收。",
            "<think>{\"a\": 1}？</think>{\"a\": \"风起\"}",
            "按 {变量} 的格式\n\u{feff}{\"a\": \"风起\"}}",
        ] {
            assert_eq!(ok(text), value, "{text}");
        }
        assert_eq!(ok(r#"结果 [{"a": 1}, {"a": 2}]"#), json!([{"a": 1}, {"a": 2}]));
    }

    #[test]
    fn chinese_slips_are_mended() {
        let table = [
            (r#"{"a"：1，"b"：［true，null］｝"#, json!({"a": 1, "b": [true, null]})),
            (r#"{“a”：“他说：“走！””，“b”：1}"#, json!({"a": "他说：“走！”", "b": 1})),
            (r#"{"a": "他说"走"，转身", "b": "x"}"#, json!({"a": "他说\"走\"，转身", "b": "x"})),
            (r#"{"a": "他说"走"", "b": "x"}"#, json!({"a": "他说\"走\"", "b": "x"})),
            (r#"{"a": ["他说"走", 然后", "好"]}"#, json!({"a": ["他说\"走\", 然后", "好"]})),
            ("{\"a\": \"一\n\n二\"}", json!({"a": "一\n\n二"})),
            (r#"{"a": [1, 2,], }"#, json!({"a": [1, 2]})),
            (r#"{'a': 'x', b: 2}"#, json!({"a": "x", "b": 2})),
            (r#"{"a": 1 "b": 2}"#, json!({"a": 1, "b": 2})),
            (r#"{"a": 1} 即 {"a": 1}"#, json!({"a": 1})),
        ];
        for (text, value) in table {
            assert_eq!(ok(text), value, "{text}");
        }
    }

    #[test]
    fn quotation_marks_inside_strict_strings_are_left_alone() {
        let text = r#"{"a": "“走”，他道：\"好\"，", "b": "，\"c\"：1", "d": "\\", "e": "\u5251\ud83d\udde1"}"#;
        assert_eq!(ok(text), serde_json::from_str::<Value>(text).unwrap());
    }

    #[test]
    fn a_text_that_stops_is_not_given_an_end() {
        let whole = r#"{"a": {"b": [1, -20.5, true], "c": "风"}, "d": null}"#;
        for end in (1..whole.len()).filter(|&end| whole.is_char_boundary(end)) {
            assert_eq!(find(&whole[..end]), Err(NotJson::Truncated), "{}", &whole[..end]);
        }
        assert_eq!(find("```json\n{\"a\": [{\"b\": 1}, {\"b\""), Err(NotJson::Truncated));
    }

    #[test]
    fn what_has_two_readings_is_an_error() {
        let doubtful = [
            r#"{"a": 1, "a": 2}"#,
            r#"{"a": 1}, "b": 2}"#,
            r#"{"a": [1, 2, ...]}"#,
            r#"{"a": 1 /* 或 2 */}"#,
            r#"{"a": "他说"走", "b": 1}"#,
            r#"{“a”： “他说”走了”}"#,
            r#"{"a": "x]}"#,
            r#"{"a": [1, 2}"#,
        ];
        for text in doubtful {
            let result = find(text);
            assert!(matches!(result, Err(NotJson::Broken { .. } | NotJson::Truncated)), "{text}: {result:?}");
        }
        assert_eq!(find(r#"先是 {"a": 1}，后是 {"a": 2}"#), Err(NotJson::Several { count: 2 }));
        assert_eq!(find("没有数据 {略}"), Err(NotJson::Missing));
        assert_eq!(find(""), Err(NotJson::Missing));
    }

    fn any_json() -> impl Strategy<Value = Value> {
        let leaf = prop_oneof![
            Just(Value::Null),
            any::<bool>().prop_map(Value::from),
            any::<i64>().prop_map(Value::from),
            "[剑\"“”，：,:{}\\[\\]\\\\\n a1]{0,8}".prop_map(Value::from),
        ];
        leaf.prop_recursive(4, 24, 4, |inner| {
            prop_oneof![
                proptest::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
                proptest::collection::btree_map("[剑a\",:：\\\\]{0,4}", inner, 0..4)
                    .prop_map(|fields| Value::Object(fields.into_iter().collect())),
            ]
        })
    }

    proptest! {
        #[test]
        fn strict_json_is_read_as_it_is(value in any_json(), pretty in any::<bool>()) {
            let value = json!({"value": value});
            let text = if pretty { serde_json::to_string_pretty(&value) } else { serde_json::to_string(&value) }.unwrap();
            prop_assert_eq!(find(&text), Ok(value));
        }

        #[test]
        fn nothing_makes_it_panic(text in "[{}\\[\\]\"“”'，,:： \\\\a1剑\n.]{0,40}") {
            let _ = find(&text);
        }
    }
}
