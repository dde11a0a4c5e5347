//! Calls on record: as files and trailers of a draft's commits, and as lines of the log of its work.

use super::call_parts::{self, Parts};
use super::responder::micro_usd;
use super::trailer;
use crate::domain::book::log::StageLog;
use crate::domain::book::work::Part;
use crate::llm::{self, Call};
use crate::store::{Change, Message, Transaction};
use crate::text;
use anyhow::Context as _;
use serde::Serialize;

/// Files that live on the draft branch only: calls, the writer's hints, the plan of scenes. They are left out when the
/// draft is accepted; the draft's history keeps them.
pub const DRAFT_ONLY: &str = ".draft/";
/// The recorded calls, numbered in the order in which they ended: `.draft/call-01-draft.json`, with its long texts in
/// `.draft/call-01-draft/`.
pub const CALLS: &str = ".draft/call-";
/// The long texts of calls of older programs: `.draft/part-0f1e2d3c4b5a-chapter-048.md`.
const OLD_PART: &str = ".draft/part-";
/// The log as it grows. It stands beside the calls, and not yet at its place in the book: each folder that a stage touches
/// is an object more to write and to sync.
pub const LOG: &str = ".draft/log.json";

/// A call that is to be recorded with its result, or with the reason why it gave none.
#[derive(Debug, Clone)]
pub struct Paid {
    pub(crate) call: Call,
    /// Its line of the log.
    pub(crate) entry: StageLog,
    /// Names the texts that the prompt was made of.
    pub(crate) prompt_hash: String,
}

impl Paid {
    /// Of a part of a work. It counts as used until a reader says otherwise.
    pub(crate) fn new(part: Part, call: Call, model: &str, prompt_hash: String) -> Self {
        let entry = log_entry(part, &call, model);
        Self { call, entry, prompt_hash }
    }

    /// The same call without a result.
    pub(crate) fn unused(mut self) -> Self {
        self.entry.used = false;
        self
    }

    /// Adds the call to the commit of its result: the call itself as a file of the draft, its figures as trailers, and its
    /// line to those before it.
    pub(crate) fn record(
        &self,
        change: Change,
        message: Message,
        stages: &mut Vec<StageLog>,
    ) -> anyhow::Result<(Change, Message)> {
        let Self { call, entry, prompt_hash } = self;
        let number = stages.len() + 1;
        let (mut short, mut parts) = (serde_json::to_value(call).context("writing a recorded call")?, Parts::new());
        call_parts::split(&mut short, &mut parts);
        let folder = format!("{CALLS}{number:02}-{}", entry.name);
        let change = change.put(&format!("{folder}.json"), call_file(&short)?);
        let change =
            parts.into_iter().fold(change, |change, (name, text)| change.put(&format!("{folder}/{name}"), text));
        let message = message
            .trailer(trailer::MODEL, &entry.model)
            .trailer(trailer::TOKENS, tokens(entry))
            .trailer(trailer::COST, cost(entry.cost_micro_usd))
            .trailer(trailer::PROMPT, prompt_hash);
        stages.push(entry.clone());
        Ok((change, message))
    }
}

/// Reads the recorded call of that name, `01-draft`. Its long texts come from files of the draft, which `read` reads by their path.
/// Fails when the bytes are not a call, or a text of the call is missing.
pub fn read_call(name: &str, bytes: &[u8], read: &dyn Fn(&str) -> Option<Vec<u8>>) -> anyhow::Result<Call> {
    let mut call = serde_json::from_slice(bytes)?;
    let part = |part: &str| {
        let content = read(&format!("{CALLS}{name}/{part}")).or_else(|| read(&format!("{OLD_PART}{part}")))?;
        String::from_utf8(content).ok()
    };
    call_parts::join(&mut call, &part).context("a text of the call is missing")?;
    Ok(serde_json::from_value(call)?)
}

/// A call's line in the log of its work.
fn log_entry(part: Part, call: &Call, model: &str) -> StageLog {
    let known = call.usage.input_tokens > 0 || call.usage.output_tokens > 0;
    let figure = |tokens: u64| known.then_some(tokens);
    StageLog {
        name: part.as_str().to_owned(),
        model: model.to_owned(),
        duration_ms: call.duration_ms,
        input_tokens: figure(call.usage.input_tokens),
        cached_tokens: figure(call.usage.cached_tokens),
        output_tokens: figure(call.usage.output_tokens),
        sent_chars: sent_chars(&call.request),
        cost_micro_usd: call.cost.map(|cost| micro_usd(cost.usd)),
        estimated: call.usage.estimated,
        used: true,
    }
}

/// The number of characters that a request sends.
pub(super) fn sent_chars(request: &llm::Request) -> u64 {
    let parts = request.prompt.iter().map(|part| part.text.chars().count());
    (request.system.chars().count() + parts.sum::<usize>()) as u64
}

/// Recorded calls as a file. The replies are as they came, so characters that steer a terminal are escaped: a file of the
/// repository is shown by `git show` as well.
pub(crate) fn call_file(calls: &impl Serialize) -> anyhow::Result<Vec<u8>> {
    let json = serde_json::to_string_pretty(calls).context("writing a recorded call")? + "\n";
    Ok(text::escape_json(&json).into_owned().into_bytes())
}

/// `12000 in (8000 cached), 3000 out`, as far as it is known.
fn tokens(entry: &StageLog) -> String {
    let (Some(input), Some(output)) = (entry.input_tokens, entry.output_tokens) else { return "unknown".into() };
    let about = if entry.estimated { "~" } else { "" };
    match entry.cached_tokens {
        Some(cached) if cached > 0 => format!("{about}{input} in ({cached} cached), {about}{output} out"),
        _ => format!("{about}{input} in, {about}{output} out"),
    }
}

/// An amount in dollars, or that it is unknown; never zero for an unknown amount.
pub(crate) fn cost(micro: Option<u64>) -> String {
    micro.map_or_else(|| "unknown".into(), |micro| format!("{:.4} USD", micro as f64 / 1e6))
}

/// The cost of the calls that a transaction names, in millionths of a US dollar: `None` where it names none, and
/// `Some(None)` where a price was not known.
pub fn cost_of(transaction: &Transaction) -> Option<Option<u64>> {
    let text = transaction.trailers.get(trailer::COST)?;
    let usd: Option<f64> = text.strip_suffix(" USD").and_then(|amount| amount.parse().ok());
    Some(usd.map(|usd| (usd * 1e6).round() as u64))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn long_texts_are_read_from_the_folder_of_the_call_or_from_where_older_programs_put_them() {
        let usage = json!({"input_tokens": 1, "cached_tokens": 0, "cache_write_tokens": 0, "output_tokens": 1, "reasoning_tokens": 0,
            "estimated": true});
        let call = json!({
            "schema_version": 1, "started_at": "2026-11-27T18:11:08Z", "duration_ms": 1, "endpoint": "offline", "wire": "openai",
            "request": {
                "model": "offline", "system": {"$parts": [{"part": "system.txt"}]}, "prompt": [], "max_output_tokens": 9,
                "sampling": {}, "answer": {"kind": "prose"},
            },
            "outcome": {"kind": "reply", "text": "灯灭了。", "stop": "end", "usage": usage, "model": "offline", "attempts": 1},
            "attempts": 1, "usage": usage,
        });
        let bytes = serde_json::to_vec(&call).unwrap();
        for path in [".draft/call-01-draft/system.txt", ".draft/part-system.txt"] {
            let read = |asked: &str| (asked == path).then(|| "照章纲写。\n".as_bytes().to_vec());
            assert_eq!(read_call("01-draft", &bytes, &read).unwrap().request.system, "照章纲写。\n");
        }
        assert!(read_call("01-draft", &bytes, &|_| None).is_err());
    }
}
