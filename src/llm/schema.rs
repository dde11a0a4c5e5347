//! The portable form of a JSON schema, which every server that enforces schemas takes: objects whose properties are all
//! required and closed to others, enums, arrays with one kind of item, no references, no limits.

use serde_json::{Map, Value, json};

/// Keywords that limit a value without changing its shape. Servers do not enforce them, so they become words in the
/// description.
const LIMITS: [&str; 2] = ["minimum", "maximum"];

/// The portable form of a schema that is derived from a type without optional fields, maps or recursion: references
/// written out, every property required, limits moved into descriptions.
pub fn portable(schema: &Value) -> Value {
    rewrite(schema, schema)
}

fn rewrite(root: &Value, node: &Value) -> Value {
    let Some(map) = node.as_object() else { return node.clone() };
    let target = map.get("$ref").and_then(Value::as_str).and_then(|target| root.pointer(target.strip_prefix('#')?));
    let written = if let Some(target) = target {
        rewrite(root, target)
    } else if let Some(Value::Array(branches)) = map.get("anyOf") {
        json!({"anyOf": branches.iter().map(|branch| rewrite(root, branch)).collect::<Vec<_>>()})
    } else {
        let mut out = Map::new();
        out.extend(["type", "enum"].iter().filter_map(|word| Some(((*word).to_owned(), map.get(*word)?.clone()))));
        if let Some(Value::Object(properties)) = map.get("properties") {
            out.insert("required".into(), properties.keys().cloned().collect());
            let written = properties.iter().map(|(name, property)| (name.clone(), rewrite(root, property)));
            out.insert("properties".into(), Value::Object(written.collect()));
            out.insert("additionalProperties".into(), json!(false));
        }
        if let Some(items) = map.get("items") {
            out.insert("items".into(), rewrite(root, items));
        }
        out.into()
    };
    with_description(written, describe(map))
}

fn describe(map: &Map<String, Value>) -> Option<String> {
    let limits = LIMITS.iter().filter_map(|word| Some(format!("{word} {}", map.get(*word)?)));
    let limits = limits.collect::<Vec<_>>().join(", ");
    match (map.get("description").and_then(Value::as_str), limits.is_empty()) {
        (words, true) => words.map(str::to_owned),
        (None, false) => Some(format!("({limits})")),
        (Some(words), false) => Some(format!("{words} ({limits})")),
    }
}

/// Adds the place's own description before that of its type.
fn with_description(mut node: Value, outer: Option<String>) -> Value {
    if let (Some(map), Some(outer)) = (node.as_object_mut(), outer) {
        let words = match map.get("description").and_then(Value::as_str) {
            Some(inner) if inner != outer => format!("{outer}. {inner}"),
            _ => outer,
        };
        map.insert("description".into(), words.into());
    }
    node
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_portable_form_is_closed_complete_and_flat() {
        let schema = json!({
            "$defs": {
                "Issue": {"type": "object", "description": "One place.", "properties": {"quote": {"type": "string"}}},
                "Verdict": {"type": "string", "enum": ["pass", "revise"]}
            },
            "type": "object",
            "properties": {
                "score": {"type": "integer", "format": "uint8", "minimum": 1, "maximum": 5, "description": "The score."},
                "count": {"type": "integer", "format": "uint32", "minimum": 0},
                "issues": {"type": "array", "items": {"$ref": "#/$defs/Issue"}},
                "verdict": {"$ref": "#/$defs/Verdict", "description": "The end."},
                "value": {"anyOf": [{"type": "string"}, {"type": "array", "items": {"type": "string"}}]}
            }
        });
        let expected = json!({
            "type": "object",
            "required": ["score", "count", "issues", "verdict", "value"],
            "properties": {
                "score": {"type": "integer", "description": "The score. (minimum 1, maximum 5)"},
                "count": {"type": "integer", "description": "(minimum 0)"},
                "issues": {
                    "type": "array",
                    "items": {
                        "type": "object",
                        "required": ["quote"],
                        "properties": {"quote": {"type": "string"}},
                        "additionalProperties": false,
                        "description": "One place."
                    }
                },
                "verdict": {"type": "string", "enum": ["pass", "revise"], "description": "The end."},
                "value": {"anyOf": [{"type": "string"}, {"type": "array", "items": {"type": "string"}}]}
            },
            "additionalProperties": false
        });
        assert_eq!(portable(&schema).to_string(), expected.to_string());
    }
}
