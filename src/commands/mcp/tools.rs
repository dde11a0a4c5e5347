//! The tools and their arguments, read from the command line's own description: a tool cannot differ from its command.

use crate::commands::prelude::*;
use clap::builder::ArgAction;
use clap::{Arg, Command};
use rmcp::model::{JsonObject, Tool as ToolEntry, ToolAnnotations};
use serde_json::{Value, json};
use std::any::TypeId;
use std::path::PathBuf;

/// The kind of a tool. Assistants ask their user before some kinds.
#[derive(Clone, Copy, PartialEq, Eq)]
enum ToolEffect {
    Reads,
    /// Adds commits.
    Writes,
    /// Asks models, which costs money.
    Spends,
    /// Takes chapters off the book's line; they stay reachable.
    GoesBack,
}

/// The tools: name, command and effect.
const TOOLS: [(&str, &[&str], ToolEffect); 19] = [
    ("status", &["status"], ToolEffect::Reads),
    ("read", &["show"], ToolEffect::Reads),
    ("search", &["search"], ToolEffect::Reads),
    ("context", &["context"], ToolEffect::Reads),
    ("state", &["state"], ToolEffect::Reads),
    ("foreshadow", &["foreshadow"], ToolEffect::Reads),
    ("check", &["check"], ToolEffect::Reads),
    ("log", &["log"], ToolEffect::Reads),
    ("diff", &["diff"], ToolEffect::Reads),
    ("cost", &["cost"], ToolEffect::Reads),
    ("plan_show", &["plan", "show"], ToolEffect::Reads),
    ("plan", &["plan", "make"], ToolEffect::Spends),
    ("start", &["start"], ToolEffect::Spends),
    ("continue", &["continue"], ToolEffect::Spends),
    ("review", &["review"], ToolEffect::Spends),
    ("wish", &["wish"], ToolEffect::Writes),
    ("decide", &["decide"], ToolEffect::Writes),
    ("rollback", &["rollback"], ToolEffect::GoesBack),
    ("undo", &["undo"], ToolEffect::GoesBack),
];

/// Arguments for people at a terminal, that take the book from another device, or that spend more or elsewhere than the author has
/// set.
const NOT_OFFERED: [&str; 8] =
    ["help", "stream", "take_lease", "budget", "retry_for", "model", "revise_model", "provider"];

/// A tool with the command that it runs.
pub(super) struct Tool {
    pub(super) name: &'static str,
    path: &'static [&'static str],
    effect: ToolEffect,
    about: String,
    args: Vec<Arg>,
}

/// The tools, described in one language. `tree` is the whole command line.
pub(super) fn all(lang: Lang, tree: Command) -> Vec<Tool> {
    let tool = |(name, path, effect): (&'static str, &'static [&'static str], ToolEffect)| {
        let command = path.iter().try_fold(&tree, |command, word| command.find_subcommand(word))?;
        let offered = |arg: &&Arg| {
            // A file of the machine would be read into the book.
            let is_file = arg.get_value_parser().type_id() == TypeId::of::<PathBuf>();
            !is_file && !arg.is_hide_set() && !arg.is_global_set() && !NOT_OFFERED.contains(&arg.get_id().as_str())
        };
        let caution = match effect {
            ToolEffect::Reads => "",
            ToolEffect::Writes => say!(lang, mcp_tool_writes),
            ToolEffect::Spends => say!(lang, mcp_tool_spends),
            ToolEffect::GoesBack => say!(lang, mcp_tool_goes_back),
        };
        let about = command.get_about().map(ToString::to_string).unwrap_or_default();
        let about = format!("{about}{caution}");
        Some(Tool { name, path, effect, about, args: command.get_arguments().filter(offered).cloned().collect() })
    };
    TOOLS.into_iter().filter_map(tool).collect()
}

impl Tool {
    pub(super) fn entry(&self) -> ToolEntry {
        let properties: JsonObject = self.args.iter().map(|arg| (arg.get_id().to_string(), property(arg))).collect();
        let required: Vec<&str> =
            self.args.iter().filter(|arg| arg.is_required_set()).map(|arg| arg.get_id().as_str()).collect();
        let fields = [
            ("type", json!("object")),
            ("properties", Value::Object(properties)),
            ("required", json!(required)),
            ("additionalProperties", json!(false)),
        ];
        let schema: JsonObject = fields.into_iter().map(|(name, value)| (name.to_owned(), value)).collect();
        let annotations = ToolAnnotations::new()
            .read_only(self.effect == ToolEffect::Reads)
            .destructive(self.effect == ToolEffect::GoesBack)
            .open_world(self.effect == ToolEffect::Spends);
        ToolEntry::new(self.name, self.about.clone(), schema).with_annotations(annotations)
    }

    /// The words of the command for these arguments. Fails for an argument or a form that the tool does not have.
    pub(super) fn command_line(&self, given: &JsonObject) -> Result<Vec<String>, Both> {
        if let Some(unknown) = given.keys().find(|name| self.args.iter().all(|arg| arg.get_id() != name.as_str())) {
            let names: Vec<&str> = self.args.iter().map(|arg| arg.get_id().as_str()).collect();
            return Err(both!(lang, mcp_argument_is_unknown(name = unknown, list = listed(&names, lang))));
        }
        let (mut words, mut places) = (self.path.iter().map(ToString::to_string).collect::<Vec<_>>(), Vec::new());
        for arg in &self.args {
            let name = arg.get_id().as_str();
            let value = given.get(name).unwrap_or(&Value::Null);
            let wrong = || both!(mcp_argument_has_wrong_form(name));
            if !arg.get_action().takes_values() {
                match value {
                    Value::Bool(true) => words.extend(arg.get_long().map(|long| format!("--{long}"))),
                    Value::Bool(false) | Value::Null => {}
                    _ => return Err(wrong()),
                }
                continue;
            }
            let values = match value {
                Value::Null => Vec::new(),
                Value::Array(values) if is_list(arg) => {
                    values.iter().map(word).collect::<Option<_>>().ok_or_else(wrong)?
                }
                value => vec![word(value).ok_or_else(wrong)?],
            };
            match arg.get_long() {
                Some(long) => words.extend(values.iter().map(|value| format!("--{long}={value}"))),
                None => places.extend(values),
            }
        }
        if !places.is_empty() {
            words.push("--".to_owned());
            words.extend(places);
        }
        Ok(words)
    }
}

/// A single value as typed; `None` for a list, an object or text that no command line can carry.
fn word(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()).filter(|text| !text.contains('\0')),
        Value::Number(number) => Some(number.to_string()),
        _ => None,
    }
}

/// True for an argument that can be given several times.
fn is_list(arg: &Arg) -> bool {
    matches!(arg.get_action(), ArgAction::Append) || arg.get_num_args().is_some_and(|count| count.max_values() > 1)
}

fn property(arg: &Arg) -> Value {
    let about = arg.get_help().map(ToString::to_string).unwrap_or_default();
    if !arg.get_action().takes_values() {
        return json!({"type": "boolean", "description": about});
    }
    let choices: Vec<String> = arg.get_possible_values().iter().map(|value| value.get_name().to_owned()).collect();
    let is_count = arg.get_value_parser().type_id() == TypeId::of::<u32>();
    let mut one = json!({"type": if is_count { "integer" } else { "string" }});
    if !choices.is_empty() {
        one["enum"] = json!(choices);
    }
    let mut property = if is_list(arg) { json!({"type": "array", "items": one}) } else { one };
    property["description"] = json!(about);
    property
}
