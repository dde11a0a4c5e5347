//! A tool call: the command with its events told as progress and its documents given back.

use crate::commands::own_program::{CommandEnd, OwnProgram};
use crate::commands::prelude::*;
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
