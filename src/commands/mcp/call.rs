//! A tool call: the program with `--json`, its events told as progress, its documents given back.

use crate::commands::prelude::*;
use crate::commands::system;
use crate::domain::chapter::stage::Stage;
use rmcp::model::{CallToolResult, ContentBlock, ErrorData, ProgressNotificationParam};
use rmcp::service::{RequestContext, RoleServer};
use serde_json::Value;
use std::path::PathBuf;
use std::pin::Pin;
use std::process::Stdio;
use std::time::Duration;
use tokio::io::{AsyncBufReadExt as _, AsyncReadExt as _, BufReader};
use tokio::process::{Child, Command};
use tokio::sync::watch;

/// The time for a command to end in order after it has been asked to.
const ENDING: Duration = Duration::from_secs(15);

/// This program, in the folder of the book.
pub(super) struct Program {
    pub(super) path: PathBuf,
    pub(super) folder: PathBuf,
    pub(super) lang: Lang,
}

impl Program {
    /// Runs a command until it ends, the assistant takes the call back, or the assistant leaves.
    pub(super) async fn call(
        &self,
        words: Vec<String>,
        context: &RequestContext<RoleServer>,
        mut left: watch::Receiver<bool>,
    ) -> Result<CallToolResult, ErrorData> {
        let internal = |error: std::io::Error| ErrorData::internal_error(error.to_string(), None);
        let mut command = Command::new(&self.path);
        command.args(["--json", "--no-input", "--no-pager", "--quiet", "--lang", self.lang.as_str(), "-C"]);
        command.arg(&self.folder).args(words);
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).kill_on_drop(true);
        let mut child = command.spawn().map_err(internal)?;
        let (stdout, stderr) = (child.stdout.take(), child.stderr.take());
        let reading = async {
            tokio::join!(self.documents(stdout, context), async {
                let mut told = String::new();
                if let Some(mut stderr) = stderr {
                    stderr.read_to_string(&mut told).await.ok();
                }
                told
            })
        };
        let mut reading = std::pin::pin!(reading);
        let read = tokio::select! {
            read = &mut reading => read,
            () = context.ct.cancelled() => end(&mut child, reading.as_mut()).await,
            _ = async { left.wait_for(|left| *left).await.is_ok() } => end(&mut child, reading.as_mut()).await,
        };
        let (documents, told) = read;
        let status = child.wait().await.map_err(internal)?;
        Ok(result(documents, &told, status.code()))
    }

    /// The documents of an answer, in order. Events on the way are told to the assistant as progress.
    async fn documents(
        &self,
        stdout: Option<tokio::process::ChildStdout>,
        context: &RequestContext<RoleServer>,
    ) -> Vec<Value> {
        let (mut documents, mut open, mut steps) = (Vec::new(), String::new(), 0.0);
        let Some(stdout) = stdout else { return documents };
        let mut lines = BufReader::new(stdout).lines();
        while let Ok(Some(line)) = lines.next_line().await {
            open.push_str(&line);
            open.push('\n');
            // A document is a line or, indented, ends with a line that closes it.
            if !line.starts_with(['{', '}', '[', ']']) {
                continue;
            }
            let Ok(document) = serde_json::from_str::<Value>(&open) else { continue };
            open.clear();
            if document.get("event").is_none() || document.get("status").is_some() {
                documents.push(document);
                continue;
            }
            steps += 1.0;
            if let Some(token) = context.meta.get_progress_token() {
                let progress = ProgressNotificationParam::new(token, steps).with_message(self.message(&document));
                context.peer.notify_progress(progress).await.ok();
            }
        }
        documents
    }

    /// An event in words: its chapter and stage, or its name.
    fn message(&self, event: &Value) -> String {
        let word = |field: &str| event.get(field).and_then(Value::as_str);
        let stage = word("stage").map(|stage| match stage.parse::<Stage>() {
            Ok(stage) => stage.say(self.lang),
            Err(_) => stage,
        });
        let what = [word("work"), stage, word("title")];
        let what: Vec<&str> = what.into_iter().flatten().collect();
        if what.is_empty() { word("event").unwrap_or_default().to_owned() } else { what.join(" ") }
    }
}

/// Asks the command to end as Ctrl-C does, and reads what it still says; a command that goes on is killed.
async fn end<T: Default>(child: &mut Child, reading: Pin<&mut impl Future<Output = T>>) -> T {
    if child.id().is_some_and(system::interrupt)
        && let Ok(read) = tokio::time::timeout(ENDING, reading).await
    {
        return read;
    }
    child.start_kill().ok();
    T::default()
}

/// The documents as they came; a failure is an error of the tool, with the program's own words of what to do.
fn result(documents: Vec<Value>, told: &str, code: Option<i32>) -> CallToolResult {
    let is_failure = code.is_none() || documents.last().is_some_and(|document| document.get("error").is_some());
    let mut content: Vec<ContentBlock> =
        documents.iter().map(|document| ContentBlock::text(document.to_string())).collect();
    if !told.trim().is_empty() {
        content.push(ContentBlock::text(told.trim()));
    }
    let mut result = if is_failure { CallToolResult::error(content) } else { CallToolResult::success(content) };
    result.structured_content = documents.into_iter().next_back();
    result
}

/// A call that was not made.
pub(super) fn refused(why: &str) -> CallToolResult {
    CallToolResult::error(vec![ContentBlock::text(why)])
}
