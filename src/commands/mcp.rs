//! `novel mcp`: the book's tools for an assistant that speaks the Model Context Protocol on standard input and output. A
//! tool is its command ([`super::own_program`]), whose own description its arguments are read from; a call tells its events as
//! progress and gives its documents back.

use crate::commands::own_program::{CommandEnd, OwnProgram};
use crate::commands::prelude::*;
use crate::commands::run_context::block_on;
use crate::report::event::in_a_word;
use clap::builder::ArgAction;
use clap::{Arg, Command};
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, ContentBlock, ErrorData, Implementation, JsonObject,
    ListToolsResult, PaginatedRequestParams, ProgressNotificationParam, ServerCapabilities, ServerConfig,
    Tool as ToolEntry, ToolAnnotations,
};
use rmcp::service::{RequestContext, RoleServer};
use rmcp::{ServerHandler, ServiceExt as _};
use serde_json::{Value, json};
use std::any::TypeId;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::{RwLock, mpsc, watch};

#[derive(Debug, Clone, clap::Args)]
pub(crate) struct McpArgs {}

/// The time for commands under way to end in order when the assistant leaves.
const PARTING: Duration = Duration::from_secs(20);

/// The tools and the calls under way.
struct Server {
    tools: Vec<Tool>,
    program: OwnProgram,
    instructions: &'static str,
    /// True once the assistant has left.
    left: watch::Receiver<bool>,
    /// Held for reading by each call under way.
    under_way: Arc<RwLock<()>>,
}

pub(crate) fn run(app: &mut App, _: &McpArgs) -> Result<Exit, Failure> {
    let lang = app.ui.lang();
    let program = app.own_program()?;
    if app.environment.stdin_is_terminal {
        app.ui.say(&both!(mcp_waits_for_assistant))?;
    }
    let (leave, left) = watch::channel(false);
    let under_way = Arc::new(RwLock::new(()));
    let server = Server {
        tools: all(lang, (app.tree)(lang, app.program)),
        program,
        instructions: say!(lang, mcp_instructions),
        left,
        under_way: under_way.clone(),
    };
    block_on(async {
        // An assistant that leaves before it has said anything wants nothing.
        let Ok(running) = server.serve(rmcp::transport::stdio()).await else { return };
        running.waiting().await.ok();
        leave.send_replace(true);
        tokio::time::timeout(PARTING, under_way.write()).await.ok();
    })?;
    Ok(Exit::Done)
}

impl ServerHandler for Server {
    fn get_info(&self) -> ServerConfig {
        ServerConfig::new(ServerCapabilities::builder().enable_tools().build())
            .with_server_info(Implementation::new("novel", env!("NOVEL_VERSION")))
            .with_instructions(self.instructions)
    }

    async fn list_tools(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        Ok(ListToolsResult::with_all_items(self.tools.iter().map(Tool::entry).collect()))
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let Some(tool) = self.tools.iter().find(|tool| tool.name == request.name) else {
            return Err(ErrorData::invalid_params(format!("there is no tool {}", request.name), None));
        };
        let _under_way = self.under_way.read().await;
        let words = match tool.command_line(&request.arguments.unwrap_or_default()) {
            Ok(words) => words,
            Err(refusal) => return Ok(refused(refusal.get(self.program.lang)).into()),
        };
        call(&self.program, &words, &context, self.left.clone()).await.map(CallToolResponse::from)
    }
}

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

/// Runs the command of a tool until it ends, the assistant takes the call back, or the assistant leaves.
pub(super) async fn call(
    program: &OwnProgram,
    words: &[String],
    context: &RequestContext<RoleServer>,
    mut left: watch::Receiver<bool>,
) -> Result<CallToolResult, ErrorData> {
    let (events, mut heard) = mpsc::unbounded_channel();
    let stop = async {
        tokio::select! {
            () = context.ct.cancelled() => {}
            _ = async { left.wait_for(|left| *left).await.is_ok() } => {}
        }
    };
    let telling = async {
        let mut steps = 0.0;
        while let Some(event) = heard.recv().await {
            steps += 1.0;
            if let Some(token) = context.meta.get_progress_token() {
                let progress =
                    ProgressNotificationParam::new(token, steps).with_message(in_a_word(&event, program.lang));
                context.peer.notify_progress(progress).await.ok();
            }
        }
    };
    let (ended, ()) = tokio::join!(program.run(words, events, stop), telling);
    ended.map(|ended| result(ended, program.lang)).map_err(|error| ErrorData::internal_error(error.to_string(), None))
}

/// The most characters of an answer: assistants cut or refuse larger ones.
const MOST: usize = 40_000;

/// The documents as they came, as text and the last one as structure, which the protocol asks for; a failure is an error of
/// the tool, with the program's own words of what to do. An answer that is too long is text alone, without its middle.
fn result(mut ended: CommandEnd, lang: Lang) -> CallToolResult {
    let is_failure = ended.is_failure();
    let mut texts: Vec<String> = ended.documents.iter().map(ToString::to_string).collect();
    let whole: Vec<char> = texts.join("\n").chars().collect();
    if whole.len() > MOST {
        // The end has the question that waits, or the command to go on with.
        let [first, last] = [&whole[..MOST / 4 * 3], &whole[whole.len() - MOST / 4..]].map(String::from_iter);
        texts = vec![format!("{first}\n[…]\n{last}"), say!(lang, mcp_answer_is_cut(most = MOST, all = whole.len()))];
        ended.documents.clear();
    }
    let mut content: Vec<ContentBlock> = texts.into_iter().map(ContentBlock::text).collect();
    if !ended.notes.trim().is_empty() {
        content.push(ContentBlock::text(ended.notes.trim()));
    }
    let mut result = if is_failure { CallToolResult::error(content) } else { CallToolResult::success(content) };
    result.structured_content = ended.documents.into_iter().next_back();
    result
}

/// A call that was not made.
pub(super) fn refused(why: &str) -> CallToolResult {
    CallToolResult::error(vec![ContentBlock::text(why)])
}
