//! JSON schemas: the portable form that every server takes, and checking an answer against the full schema.
//!
//! Servers that enforce a schema take different parts of the language. All take: objects whose properties are all
//! required and closed to others, `null` for absent values, enums, arrays with one kind of item, no recursion, no
//! limits.

use serde_json::{Map, Value, json};
use thiserror::Error;

/// A schema without a portable form, which can still be asked for in words.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("the schema is not portable at `{path}`: {why}")]
pub struct NotPortable {
    /// The place in the schema, as a JSON pointer of property names.
    pub path: String,
    /// The construct that cannot be expressed.
    pub why: &'static str,
}

/// A place where an answer does not fit its schema.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{path}: {message}")]
pub struct Violation {
    /// The place in the answer, as a JSON pointer; `/` is the whole.
    pub path: String,
    pub message: String,
}

/// Keywords that limit a value without changing its shape. Servers do not enforce them, so they become words in the
/// description and are checked here afterwards.
const LIMITS: [&str; 15] = [
    "minimum",
    "maximum",
    "exclusiveMinimum",
    "exclusiveMaximum",
    "multipleOf",
    "minLength",
    "maxLength",
    "pattern",
    "minItems",
    "maxItems",
    "uniqueItems",
    "minProperties",
    "maxProperties",
    "contains",
    "format",
];

/// Formats of Rust's numbers, which tell a model nothing.
const NUMBER_FORMATS: [&str; 14] = [
    "int8", "int16", "int32", "int64", "int128", "int", "uint8", "uint16", "uint32", "uint64", "uint128", "uint",
    "float", "double",
];

/// Keywords that change the shape and that the portable form lacks.
const UNPORTABLE: [&str; 9] = [
    "prefixItems",
    "patternProperties",
    "propertyNames",
    "dependentSchemas",
    "dependentRequired",
    "if",
    "not",
    "unevaluatedProperties",
    "unevaluatedItems",
];

/// The portable form of a schema: references written out, every property required, optional ones nullable, limits moved
/// into descriptions. Values that fit the original fit this form with absent values as `null`. [`NotPortable`] for
/// recursion, maps with free keys, tuples and values of any type.
pub fn portable(schema: &Value) -> Result<Value, NotPortable> {
    Rewriter { root: schema, open: Vec::new() }.rewrite(schema, "")
}

struct Rewriter<'a> {
    root: &'a Value,
    /// The references being written out, to detect recursion.
    open: Vec<String>,
}

impl<'a> Rewriter<'a> {
    fn rewrite(&mut self, node: &'a Value, path: &str) -> Result<Value, NotPortable> {
        let refuse = |why| Err(NotPortable { path: if path.is_empty() { "/".into() } else { path.to_owned() }, why });
        let Some(map) = node.as_object() else { return refuse("a value of any type") };
        if UNPORTABLE.iter().any(|word| map.contains_key(*word)) {
            return refuse("a key word that servers do not take");
        }
        let description = describe(map);

        if let Some(Value::String(target)) = map.get("$ref") {
            if self.open.contains(target) {
                return refuse("a type that contains itself");
            }
            let Some(found) = resolve(self.root, target) else { return refuse("a reference to nothing") };
            self.open.push(target.clone());
            let inner = self.rewrite(found, path);
            self.open.pop();
            return Ok(with_description(inner?, description));
        }
        if let Some(Value::Array(all)) = map.get("allOf") {
            let [only] = all.as_slice() else { return refuse("several schemas at once") };
            let inner = self.rewrite(only, path)?;
            return Ok(with_description(inner, description));
        }
        if let Some(Value::Array(branches)) = map.get("anyOf").or_else(|| map.get("oneOf")) {
            if let Some(merged) = merge_constants(branches) {
                return Ok(with_description(merged, description));
            }
            let branches = branches.iter().map(|branch| self.rewrite(branch, path)).collect::<Result<Vec<_>, _>>()?;
            return Ok(with_description(json!({"anyOf": branches}), description));
        }
        if let Some(values) = constants(map) {
            return Ok(with_description(enumeration(values), description));
        }

        let kinds = kinds(map);
        if kinds.is_empty() {
            return refuse("a value of any type");
        }
        let mut out = Map::new();
        out.insert("type".into(), map.get("type").cloned().unwrap_or_default());
        if kinds.contains(&"object") {
            let properties = map.get("properties").and_then(Value::as_object);
            let open = !matches!(map.get("additionalProperties"), None | Some(Value::Bool(false)));
            if open || (properties.is_none_or(Map::is_empty) && map.get("additionalProperties").is_none()) {
                return refuse("an object with free keys");
            }
            let mut written = Map::new();
            for (name, property) in properties.into_iter().flatten() {
                let inner = self.rewrite(property, &format!("{path}/{name}"))?;
                written.insert(name.clone(), if is_required(map, name) { inner } else { nullable(inner) });
            }
            out.insert("required".into(), written.keys().cloned().collect());
            out.insert("properties".into(), written.into());
            out.insert("additionalProperties".into(), json!(false));
        }
        if kinds.contains(&"array") {
            let Some(items) = map.get("items") else { return refuse("a list of anything") };
            out.insert("items".into(), self.rewrite(items, &format!("{path}/*"))?);
        }
        Ok(with_description(out.into(), description))
    }
}

fn resolve<'a>(root: &'a Value, reference: &str) -> Option<&'a Value> {
    root.pointer(reference.strip_prefix('#')?)
}

fn kinds(map: &Map<String, Value>) -> Vec<&str> {
    match map.get("type") {
        Some(Value::String(kind)) => vec![kind.as_str()],
        Some(Value::Array(kinds)) => kinds.iter().filter_map(Value::as_str).collect(),
        _ => Vec::new(),
    }
}

fn is_required(map: &Map<String, Value>, name: &str) -> bool {
    map.get("required").and_then(Value::as_array).is_some_and(|names| names.iter().any(|known| known == name))
}

fn constants(map: &Map<String, Value>) -> Option<Vec<Value>> {
    map.get("const").map(|value| vec![value.clone()]).or_else(|| map.get("enum").and_then(Value::as_array).cloned())
}

/// An enum whose values have descriptions comes as alternatives of one constant each; servers want a plain list.
fn merge_constants(branches: &[Value]) -> Option<Value> {
    let mut values = Vec::new();
    let mut words = Vec::new();
    for branch in branches {
        let map = branch.as_object()?;
        let constants = constants(map)?;
        if let ([Value::String(name)], Some(description)) = (constants.as_slice(), map.get("description")) {
            words.push(format!("{name}: {}", description.as_str()?));
        }
        values.extend(constants);
    }
    let description = (!words.is_empty()).then(|| words.join("; "));
    Some(with_description(enumeration(values), description))
}

fn enumeration(values: Vec<Value>) -> Value {
    let mut kinds: Vec<&str> = Vec::new();
    for value in &values {
        let kind = match value {
            Value::Null => "null",
            Value::Bool(_) => "boolean",
            Value::Number(number) if number.is_f64() => "number",
            Value::Number(_) => "integer",
            Value::String(_) => "string",
            Value::Array(_) => "array",
            Value::Object(_) => "object",
        };
        if !kinds.contains(&kind) {
            kinds.push(kind);
        }
    }
    match kinds.as_slice() {
        [kind] => json!({"type": kind, "enum": values}),
        _ => json!({"type": kinds, "enum": values}),
    }
}

fn nullable(mut node: Value) -> Value {
    let Some(map) = node.as_object_mut() else { return node };
    if let Some(Value::Array(branches)) = map.get_mut("anyOf") {
        let null = json!({"type": "null"});
        if !branches.contains(&null) {
            branches.push(null);
        }
        return node;
    }
    if let Some(Value::Array(values)) = map.get_mut("enum")
        && !values.contains(&Value::Null)
    {
        values.push(Value::Null);
    }
    match map.get_mut("type") {
        Some(Value::Array(kinds)) if !kinds.iter().any(|kind| kind == "null") => kinds.push(json!("null")),
        Some(kind @ Value::String(_)) if kind != "null" => *kind = json!([kind, "null"]),
        _ => {}
    }
    node
}

fn describe(map: &Map<String, Value>) -> Option<String> {
    let limits: Vec<String> = LIMITS
        .iter()
        .filter_map(|word| Some((word, map.get(*word)?)))
        .filter(|(_, value)| !value.as_str().is_some_and(|format| NUMBER_FORMATS.contains(&format)))
        .map(|(word, value)| match value {
            Value::String(text) => format!("{word} {text}"),
            other => format!("{word} {other}"),
        })
        .collect();
    let words = map.get("description").and_then(Value::as_str).map(str::to_owned);
    match (words, limits.is_empty()) {
        (words, true) => words,
        (None, false) => Some(format!("({})", limits.join(", "))),
        (Some(words), false) => Some(format!("{words} ({})", limits.join(", "))),
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

/// Removes `null`s that stand for absent values in the portable form and that the original schema does not allow.
pub fn drop_absent(schema: &Value, answer: &mut Value) {
    prune(schema, schema, answer);
}

fn prune(root: &Value, schema: &Value, answer: &mut Value) {
    let Some(map) = schema.as_object() else { return };
    if let Some(target) = map.get("$ref").and_then(Value::as_str).and_then(|target| resolve(root, target)) {
        // An answer is finite, and every turn of a recursive type goes one level down or ends here.
        if target != schema {
            prune(root, target, answer);
        }
        return;
    }
    for branches in ["anyOf", "oneOf", "allOf"].iter().filter_map(|word| map.get(*word).and_then(Value::as_array)) {
        for branch in branches {
            let mut pruned = answer.clone();
            prune(root, branch, &mut pruned);
            if pruned != *answer && fits_branch(root, branch, &pruned) {
                *answer = pruned;
            }
        }
    }
    match answer {
        Value::Object(fields) => {
            let Some(properties) = map.get("properties").and_then(Value::as_object) else { return };
            for (name, property) in properties {
                if fields.get(name) == Some(&Value::Null) && !is_required(map, name) && !allows_null(root, property, 0)
                {
                    fields.shift_remove(name);
                } else if let Some(inner) = fields.get_mut(name) {
                    prune(root, property, inner);
                }
            }
        }
        Value::Array(items) => {
            if let Some(schema) = map.get("items") {
                items.iter_mut().for_each(|item| prune(root, schema, item));
            }
        }
        _ => {}
    }
}

fn fits_branch(root: &Value, branch: &Value, answer: &Value) -> bool {
    let mut schema = branch.clone();
    if let (Some(map), Some(defs)) = (schema.as_object_mut(), root.get("$defs")) {
        map.insert("$defs".into(), defs.clone());
    }
    jsonschema::validator_for(&schema).is_ok_and(|validator| validator.is_valid(answer))
}

fn allows_null(root: &Value, schema: &Value, depth: u8) -> bool {
    // A chain of references this long is a circle.
    if depth > 32 {
        return false;
    }
    let Some(map) = schema.as_object() else { return schema == &Value::Bool(true) };
    if let Some(target) = map.get("$ref").and_then(Value::as_str).and_then(|target| resolve(root, target)) {
        return allows_null(root, target, depth + 1);
    }
    if let Some(Value::Array(branches)) = map.get("anyOf").or_else(|| map.get("oneOf")) {
        return branches.iter().any(|branch| allows_null(root, branch, depth + 1));
    }
    if let Some(values) = constants(map) {
        return values.contains(&Value::Null);
    }
    let kinds = kinds(map);
    kinds.is_empty() || kinds.contains(&"null")
}

/// The most violations reported at once.
const MOST_VIOLATIONS: usize = 20;

/// The longest message of a violation, in characters; an unexpected value can be a whole chapter.
const LONGEST_MESSAGE: usize = 200;

/// Checks an answer against the full schema, limits included. Returns the first twenty violations. An invalid schema
/// counts as one at `/`.
pub fn validate(schema: &Value, answer: &Value) -> Result<(), Vec<Violation>> {
    let shorten = |text: String| -> String {
        match text.char_indices().nth(LONGEST_MESSAGE) {
            Some((end, _)) => format!("{}…", &text[..end]),
            None => text,
        }
    };
    let validator = jsonschema::validator_for(schema).map_err(|error| {
        vec![Violation { path: "/".into(), message: shorten(format!("the schema is not valid: {error}")) }]
    })?;
    let violations: Vec<Violation> = validator
        .iter_errors(answer)
        .take(MOST_VIOLATIONS)
        .map(|error| {
            let path = error.instance_path().to_string();
            Violation { path: if path.is_empty() { "/".into() } else { path }, message: shorten(error.to_string()) }
        })
        .collect();
    if violations.is_empty() { Ok(()) } else { Err(violations) }
}

#[cfg(test)]
mod tests {
    use schemars::JsonSchema;
    use serde::Deserialize;

    use super::*;

    #[derive(Debug, PartialEq, Deserialize, JsonSchema)]
    struct Judgement {
        /// The score.
        #[schemars(range(min = 1, max = 5))]
        score: u8,
        /// Why.
        reason: Option<String>,
        #[serde(default)]
        issues: Vec<Issue>,
        verdict: Verdict,
    }

    #[derive(Debug, PartialEq, Deserialize, JsonSchema)]
    struct Issue {
        #[schemars(length(max = 10))]
        quote: String,
        #[serde(default)]
        weight: u32,
    }

    #[derive(Debug, PartialEq, Deserialize, JsonSchema)]
    #[serde(rename_all = "snake_case")]
    enum Verdict {
        /// Good enough.
        Pass,
        /// Not yet.
        Revise,
    }

    fn schema() -> Value {
        schemars::schema_for!(Judgement).to_value()
    }

    #[test]
    fn the_portable_form_is_closed_complete_and_flat() {
        let expected = json!({
            "type": "object",
            "properties": {
                "score": {"type": "integer", "description": "The score. (minimum 1, maximum 5)"},
                "reason": {"type": ["string", "null"], "description": "Why."},
                "issues": {
                    "type": ["array", "null"],
                    "items": {
                        "type": "object",
                        "properties": {
                            "quote": {"type": "string", "description": "(maxLength 10)"},
                            "weight": {"type": ["integer", "null"], "description": "(minimum 0)"}
                        },
                        "required": ["quote", "weight"],
                        "additionalProperties": false
                    }
                },
                "verdict": {"type": "string", "enum": ["pass", "revise"],
                            "description": "pass: Good enough.; revise: Not yet."}
            },
            "required": ["score", "reason", "issues", "verdict"],
            "additionalProperties": false
        });
        assert_eq!(portable(&schema()).unwrap(), expected);
    }

    #[test]
    fn what_no_server_takes_is_named_with_its_place() {
        let place = |schema: Value| portable(&schema).map_err(|refusal| refusal.path);
        let object = |inner: Value| json!({"type": "object", "properties": {"a": inner}, "required": ["a"]});
        assert_eq!(
            place(object(json!({"type": "object", "additionalProperties": {"type": "string"}}))),
            Err("/a".into())
        );
        assert_eq!(place(object(json!({"type": "array", "prefixItems": []}))), Err("/a".into()));
        assert_eq!(place(object(json!({}))), Err("/a".into()));
        assert_eq!(place(json!(true)), Err("/".into()));
        let tree = json!({
            "$defs": {"Node": {"type": "object", "properties": {"child": {"$ref": "#/$defs/Node"}}}},
            "$ref": "#/$defs/Node"
        });
        assert_eq!(place(tree), Err("/child".into()));
    }

    #[test]
    fn nulls_that_mean_absent_are_dropped_and_the_rest_is_checked() {
        let mut answer = json!({
            "score": 4, "reason": null, "issues": [{"quote": "风", "weight": null}], "verdict": "pass"
        });
        assert!(validate(&schema(), &answer).is_err());
        drop_absent(&schema(), &mut answer);
        assert_eq!(answer, json!({"score": 4, "reason": null, "issues": [{"quote": "风"}], "verdict": "pass"}));
        validate(&schema(), &answer).unwrap();
        serde_json::from_value::<Judgement>(answer).unwrap();
    }

    #[test]
    fn nulls_are_dropped_inside_alternatives() {
        let schema = json!({
            "$defs": {"Note": {"type": "object", "properties": {"text": {"type": "string"}, "page": {"type": "integer"}},
                                "required": ["text"]}},
            "type": "object",
            "properties": {"note": {"anyOf": [{"$ref": "#/$defs/Note"}, {"type": "null"}]}}
        });
        let mut answer = json!({"note": {"text": "x", "page": null}});
        drop_absent(&schema, &mut answer);
        assert_eq!(answer, json!({"note": {"text": "x"}}));
    }

    #[test]
    fn violations_say_where() {
        let answer = json!({"score": 9, "issues": [{"quote": "一二三四五六七八九十一"}], "verdict": "maybe"});
        let violations = validate(&schema(), &answer).unwrap_err();
        let mut paths: Vec<&str> = violations.iter().map(|violation| violation.path.as_str()).collect();
        paths.sort_unstable();
        assert_eq!(paths, ["/issues/0/quote", "/score", "/verdict"]);
    }
}
