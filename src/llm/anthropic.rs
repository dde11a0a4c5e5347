//! Anthropic's Messages API: request to body, events to answer. Pure.
//! Fields and values as in platform.claude.com/docs/en/api (version 2026-10-21).

use crate::llm::causes::{Document, Mismatch};
use crate::llm::endpoint::{Caching, Capabilities, Thinking};
use crate::llm::error_body;
use crate::llm::fault::{Fault, Limit};
use crate::llm::gathered::{Gathered, ReplyEnding, TokenCounts};
use crate::llm::json_request::{JsonRequest, OutputFormat};
use crate::llm::reply::StopReason;
use crate::llm::request::{Effort, Request};
use crate::llm::think::StreamPiece;
use serde_json::{Map, Value, json};

pub const VERSION: &str = "2026-10-21";

/// The API version for requests with sampling fields, which the newer one rejects even at their default values.
pub const VERSION_WITH_SAMPLING: &str = "2023-06-01";

/// The server answers a request with more cache marks than this with an error.
const MOST_CACHE_MARKS: usize = 4;

pub(super) fn url(base: &str) -> String {
    let base = base.trim_end_matches('/');
    format!("{}/v1/messages", base.strip_suffix("/v1").unwrap_or(base))
}

pub(super) fn models_url(base: &str) -> String {
    let base = base.trim_end_matches('/');
    format!("{}/v1/models", base.strip_suffix("/v1").unwrap_or(base))
}

pub(super) fn version(body: &Value) -> &'static str {
    let sampled = ["temperature", "top_p", "top_k"].iter().any(|field| body.get(field).is_some());
    if sampled { VERSION_WITH_SAMPLING } else { VERSION }
}

pub(super) fn body(request: &Request, asked: &JsonRequest, capabilities: &Capabilities) -> Value {
    let mut marks = 0;
    let content: Vec<Value> = request
        .prompt
        .iter()
        // An empty block is an error at the server.
        .filter(|part| !part.text.is_empty())
        .map(|part| {
            let mut block = json!({"type": "text", "text": part.text});
            if part.cache && capabilities.cache == Caching::Marked && marks < MOST_CACHE_MARKS {
                marks += 1;
                block["cache_control"] = json!({"type": "ephemeral"});
            }
            block
        })
        .collect();
    let mut body = Map::new();
    body.insert("model".into(), json!(request.model));
    body.insert("max_tokens".into(), json!(request.max_output_tokens.min(capabilities.max_output)));
    if !asked.system.is_empty() {
        body.insert("system".into(), json!(asked.system));
    }
    body.insert("messages".into(), json!([{"role": "user", "content": content}]));
    body.insert("stream".into(), json!(true));

    let mut output = Map::new();
    if capabilities.thinking == Thinking::OutputConfig
        && let Some(effort) = request.sampling.effort
    {
        // The newest models cannot stop thinking, and none needs more than asking for little.
        let effort = match effort {
            Effort::Off | Effort::Low => "low",
            Effort::Medium => "medium",
            Effort::High => "high",
            Effort::Max => "max",
        };
        output.insert("effort".into(), json!(effort));
    }
    if let OutputFormat::Schema { schema, .. } = &asked.form {
        output.insert("format".into(), json!({"type": "json_schema", "schema": schema}));
    }
    if !output.is_empty() {
        body.insert("output_config".into(), output.into());
    }
    if capabilities.sampling {
        if let Some(temperature) = request.sampling.temperature {
            // The scale ends at 1 here and at 2 elsewhere.
            body.insert("temperature".into(), json!(temperature.min(1.0)));
        } else if let Some(top_p) = request.sampling.top_p {
            // Recent models take one of the two, not both.
            body.insert("top_p".into(), json!(top_p));
        }
    }
    body.into()
}

pub(super) fn take(event: &crate::llm::sse::SseEvent, gathered: &mut Gathered) -> Result<Option<StreamPiece>, Fault> {
    let value: Value = serde_json::from_str(&event.data)
        .map_err(|error| Fault::Protocol { mismatch: Mismatch::NotJson(Document::Event, error.to_string()) })?;
    let text = |pointer: &str| value.pointer(pointer).and_then(Value::as_str).filter(|text| !text.is_empty());
    let kind = text("/type").unwrap_or(&event.name);
    if let Some(fault) = error_body::from_success(&value) {
        return Err(fault);
    }
    gathered.begun |= !kind.is_empty();
    match kind {
        "message_start" => {
            gathered.model = text("/message/model").unwrap_or_default().to_owned();
            gathered.id = text("/message/id").unwrap_or_default().to_owned();
            if let Some(usage) = value.pointer("/message/usage") {
                count(usage, &mut gathered.usage);
                // The output count here is a placeholder for the tokens still to come.
                gathered.usage.output = None;
            }
            Ok(None)
        }
        "content_block_start" if text("/content_block/type") == Some("text") => {
            Ok(text("/content_block/text").map(|text| grow(gathered, text)))
        }
        "content_block_delta" => Ok(match text("/delta/type") {
            Some("text_delta") => text("/delta/text").map(|text| grow(gathered, text)),
            Some("thinking_delta") => text("/delta/thinking").map(|text| {
                gathered.reasoning.push_str(text);
                StreamPiece::Reasoning(text.to_owned())
            }),
            _ => None,
        }),
        "message_delta" => {
            if let Some(usage) = value.get("usage") {
                count(usage, &mut gathered.usage);
            }
            if let Some(reason) = text("/delta/stop_reason") {
                gathered.ending = Some(ending(reason, value.pointer("/delta/stop_details")));
            }
            Ok(None)
        }
        "message_stop" => {
            gathered.over = true;
            Ok(None)
        }
        // `ping`, `content_block_stop` and whatever comes to be.
        _ => Ok(None),
    }
}

pub(super) fn take_whole(value: &Value, gathered: &mut Gathered) -> Result<(), Fault> {
    let Some(content) = value.get("content").and_then(Value::as_array) else {
        return Err(error_body::in_place_of_answer(value));
    };
    let text = |value: &Value, field: &str| value.get(field).and_then(Value::as_str).unwrap_or_default().to_owned();
    gathered.begun = true;
    gathered.over = true;
    gathered.model = text(value, "model");
    gathered.id = text(value, "id");
    for block in content {
        match block.get("type").and_then(Value::as_str) {
            Some("text") => gathered.text.push_str(&text(block, "text")),
            Some("thinking") => gathered.reasoning.push_str(&text(block, "thinking")),
            _ => {}
        }
    }
    if let Some(usage) = value.get("usage") {
        count(usage, &mut gathered.usage);
    }
    gathered.ending =
        value.get("stop_reason").and_then(Value::as_str).map(|reason| ending(reason, value.get("stop_details")));
    error_body::from_success(value).map_or(Ok(()), Err)
}

fn grow(gathered: &mut Gathered, text: &str) -> StreamPiece {
    gathered.text.push_str(text);
    StreamPiece::Text(text.to_owned())
}

/// The counts are cumulative, so the last ones win. `input_tokens` is the part of the prompt that was not cached.
fn count(usage: &Value, counted: &mut TokenCounts) {
    let number = |pointer: &str| usage.pointer(pointer).and_then(Value::as_u64);
    let read = number("/cache_read_input_tokens");
    let written = number("/cache_creation_input_tokens");
    if let Some(fresh) = number("/input_tokens") {
        counted.cached = read.unwrap_or(0);
        counted.cache_write = written.unwrap_or(0);
        counted.input = Some(fresh + counted.cached + counted.cache_write);
    }
    counted.output = number("/output_tokens").or(counted.output);
    counted.reasoning = number("/output_tokens_details/thinking_tokens").unwrap_or(counted.reasoning);
}

fn ending(reason: &str, details: Option<&Value>) -> ReplyEnding {
    match reason {
        "end_turn" => ReplyEnding::Done(StopReason::End),
        "stop_sequence" => ReplyEnding::Done(StopReason::Sequence),
        "max_tokens" => ReplyEnding::Truncated(Limit::OutputTokens),
        "model_context_window_exceeded" => ReplyEnding::Truncated(Limit::Context),
        "refusal" => {
            let detail = |name: &str| details.and_then(|details| details.get(name)).and_then(Value::as_str);
            ReplyEnding::Refused(detail("explanation").or_else(|| detail("category")).unwrap_or("refusal").to_owned())
        }
        other => ReplyEnding::Unknown(other.to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::llm::endpoint::JsonMode;
    use crate::llm::json_request;
    use crate::llm::{AnswerForm, MessagePart, Sampling, Wire, preset};

    fn request() -> Request {
        Request {
            model: "claude-sonnet-5-5".into(),
            system: "你是编辑".into(),
            prompt: vec![MessagePart::cached("设定"), MessagePart::new(""), MessagePart::new("本章")],
            max_output_tokens: 1_000_000,
            sampling: Sampling { temperature: Some(1.3), ..Sampling::default() },
            answer: AnswerForm::Prose,
        }
    }

    fn body_of(request: &Request, capabilities: &Capabilities) -> Value {
        body(request, &json_request::prepare(request, capabilities), capabilities)
    }

    #[test]
    fn a_plain_request_has_only_what_every_model_takes() {
        let capabilities = preset::find("anthropic").unwrap().capabilities("claude-sonnet-5-5");
        let expected = json!({
            "model": "claude-sonnet-5-5",
            "max_tokens": 128_000,
            "system": "你是编辑",
            "messages": [{"role": "user", "content": [
                {"type": "text", "text": "设定", "cache_control": {"type": "ephemeral"}},
                {"type": "text", "text": "本章"}
            ]}],
            "stream": true
        });
        let body = body_of(&request(), &capabilities);
        assert_eq!(body, expected);
        assert_eq!(version(&body), VERSION);
    }

    #[test]
    fn sampling_goes_only_to_models_that_take_it_and_with_the_version_that_does() {
        let capabilities = preset::find("anthropic").unwrap().capabilities("claude-haiku-4-5");
        let body = body_of(&request(), &capabilities);
        assert_eq!(body["temperature"], json!(1.0));
        assert_eq!(version(&body), VERSION_WITH_SAMPLING);
    }

    #[test]
    fn schema_and_effort_share_their_field() {
        let mut request = request();
        request.sampling.effort = Some(Effort::Off);
        let schema = json!({"type": "object", "properties": {"n": {"type": "integer", "minimum": 1}}});
        request.answer = AnswerForm::Json { name: "n".into(), schema, told: None };
        let mut capabilities = preset::find("anthropic").unwrap().capabilities("claude-opus-5-5");
        let config = &body_of(&request, &capabilities)["output_config"];
        assert_eq!(config["effort"], json!("low"));
        assert_eq!(config["format"]["schema"]["required"], json!(["n"]));
        capabilities.schema = JsonMode::Plain;
        assert_eq!(body_of(&request, &capabilities)["output_config"], json!({"effort": "low"}));
    }

    #[test]
    fn no_more_marks_than_the_server_takes() {
        let mut request = request();
        request.prompt = (0..6).map(|n| MessagePart::cached(n.to_string())).collect();
        let capabilities = preset::find("anthropic").unwrap().capabilities("m");
        assert_eq!(body_of(&request, &capabilities).to_string().matches("cache_control").count(), 4);
    }

    #[test]
    fn addresses_may_end_in_the_version() {
        for base in ["https://api.anthropic.com", "https://api.anthropic.com/", "https://api.anthropic.com/v1/"] {
            assert_eq!(url(base), "https://api.anthropic.com/v1/messages");
        }
        assert_eq!(url("https://api.deepseek.com/anthropic"), "https://api.deepseek.com/anthropic/v1/messages");
    }

    /// The outcome of a stream of data lines.
    fn read(lines: &[Value]) -> Result<crate::llm::Reply, (Fault, crate::llm::Usage)> {
        let mut reading = crate::llm::stream_reader::StreamReader::new(Wire::Anthropic);
        let stream: String = lines.iter().map(|line| format!("data: {line}\n\n")).collect();
        reading.push(stream.as_bytes()).map_err(|fault| (fault, reading.usage(0)))?;
        reading.finish(0)
    }

    fn start() -> Value {
        json!({"type": "message_start", "message": {"id": "msg_1", "model": "claude-opus-5-5-20260930",
            "usage": {"input_tokens": 10, "cache_read_input_tokens": 900, "cache_creation_input_tokens": 90,
                      "output_tokens": 1}}})
    }

    fn delta(kind: &str, field: &str, text: &str) -> Value {
        json!({"type": "content_block_delta", "index": 0, "delta": {"type": kind, field: text}})
    }

    fn end(reason: &str) -> Value {
        json!({"type": "message_delta", "delta": {"stop_reason": reason},
               "usage": {"output_tokens": 55, "output_tokens_details": {"thinking_tokens": 40}}})
    }

    #[test]
    fn thinking_is_kept_apart_and_all_of_the_prompt_is_counted() {
        let reply = read(&[
            start(),
            json!({"type": "ping"}),
            delta("thinking_delta", "thinking", "想"),
            delta("signature_delta", "signature", "c2ln"),
            delta("text_delta", "text", "风"),
            json!({"type": "something_new"}),
            delta("text_delta", "text", "起"),
            end("end_turn"),
            json!({"type": "message_stop"}),
        ])
        .unwrap();
        assert_eq!((reply.text.as_str(), reply.reasoning.as_str(), reply.stop), ("风起", "想", StopReason::End));
        assert_eq!((reply.model.as_str(), reply.id.as_str()), ("claude-opus-5-5-20260930", "msg_1"));
        let usage = crate::llm::Usage {
            input_tokens: 1000,
            cached_tokens: 900,
            cache_write_tokens: 90,
            output_tokens: 55,
            reasoning_tokens: 40,
            estimated: false,
        };
        assert_eq!(reply.usage, usage);
    }

    #[test]
    fn only_a_finished_answer_is_an_answer() {
        let text = || delta("text_delta", "text", "风起");
        let partial = || "风起".to_owned();
        let fault = |lines: &[Value]| read(lines).unwrap_err().0;
        let truncated = |limit| Fault::Truncated { partial: partial(), limit };
        assert_eq!(fault(&[start(), text(), end("max_tokens")]), truncated(Limit::OutputTokens));
        assert_eq!(fault(&[start(), text(), end("model_context_window_exceeded")]), truncated(Limit::Context));
        assert_eq!(fault(&[start(), end("end_turn")]), Fault::Empty);
        assert_eq!(fault(&[start(), text(), end("tool_use")]).kind(), "protocol");
        assert_eq!(fault(&[start(), text()]).kind(), "cut_stream");
        let mut refusal = end("refusal");
        refusal["delta"]["stop_details"] = json!({"category": "cyber", "explanation": null});
        assert_eq!(fault(&[start(), text(), refusal]), Fault::Refused { reason: "cyber".into(), partial: partial() });
    }

    #[test]
    fn a_cut_answer_counts_what_it_wrote() {
        let (_, usage) = read(&[start(), delta("text_delta", "text", "一二三四五")]).unwrap_err();
        assert_eq!((usage.input_tokens, usage.output_tokens, usage.estimated), (1000, 5, true));
    }
}
