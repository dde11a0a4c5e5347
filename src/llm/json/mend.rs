//! Mending JSON with a general repairer, as long as nothing of the text is lost or invented.

use serde_json::Value;

/// A general repairer's reading of the text from `start` to the last closing bracket. `None` unless every letter,
/// digit, dot and ellipsis comes out again in order.
pub(super) fn mend(chars: &[char], start: usize) -> Option<(Value, usize)> {
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
