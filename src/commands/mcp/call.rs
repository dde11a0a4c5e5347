//! A tool call: the command with its events told as progress and its documents given back.

use crate::commands::own_program::{Ended, OwnProgram};
use crate::report::event::in_a_word;
use rmcp::model::{CallToolResult, ContentBlock, ErrorData, ProgressNotificationParam};
use rmcp::service::{RequestContext, RoleServer};
use tokio::sync::{mpsc, watch};

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
    ended.map(result).map_err(|error| ErrorData::internal_error(error.to_string(), None))
}

/// The documents as they came; a failure is an error of the tool, with the program's own words of what to do.
fn result(ended: Ended) -> CallToolResult {
    let is_failure = ended.is_failure();
    let mut content: Vec<ContentBlock> =
        ended.documents.iter().map(|document| ContentBlock::text(document.to_string())).collect();
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
