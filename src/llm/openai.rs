//! OpenAI's chat completions, as most servers speak them: request to body, events to answer. Pure.

use crate::llm::causes::{Document, Mismatch};
use crate::llm::endpoint::{Capabilities, MaxTokensField, Thinking};
use crate::llm::error_body;
use crate::llm::fault::{Fault, Limit};
use crate::llm::gathered::{Gathered, ReplyEnding, TokenCounts};
use crate::llm::json_request::{JsonRequest, OutputFormat};
use crate::llm::reply::StopReason;
use crate::llm::request::{Effort, Request};
use crate::llm::think::StreamPiece;
use serde_json::{Map, Value, json};

pub(super) fn url(base: &str) -> String {
    format!("{}/chat/completions", base.trim_end_matches('/'))
}

pub(super) fn models_url(base: &str) -> String {
    format!("{}/models", base.trim_end_matches('/'))
}

pub(super) fn body(request: &Request, asked: &JsonRequest, capabilities: &Capabilities) -> Value {
    let mut messages = Vec::new();
    if !asked.system.is_empty() {
        messages.push(json!({"role": "system", "content": asked.system}));
    }
    // One string, because several servers reject content in parts.
    let prompt: String = request.prompt_text();
    messages.push(json!({"role": "user", "content": prompt}));

    let mut body = Map::new();
    body.insert("model".into(), json!(request.model));
    body.insert("messages".into(), messages.into());
    let max_tokens = match capabilities.max_tokens_field {
        MaxTokensField::MaxTokens => "max_tokens",
        MaxTokensField::MaxCompletionTokens => "max_completion_tokens",
    };
    body.insert(max_tokens.into(), json!(request.max_output_tokens.min(capabilities.max_output)));
    body.insert("stream".into(), json!(true));
    if capabilities.usage_in_stream {
        body.insert("stream_options".into(), json!({"include_usage": true}));
    }
    match &asked.form {
        OutputFormat::Free => {}
        OutputFormat::Object => {
            body.insert("response_format".into(), json!({"type": "json_object"}));
        }
        OutputFormat::Schema { name, schema } => {
            let schema = json!({"name": name, "strict": true, "schema": schema});
            body.insert("response_format".into(), json!({"type": "json_schema", "json_schema": schema}));
        }
    }
    if capabilities.sampling {
        let sampling = &request.sampling;
        let fields = [
            ("temperature", sampling.temperature.map(Value::from)),
            ("top_p", sampling.top_p.map(Value::from)),
            ("seed", sampling.seed.map(Value::from)),
        ];
        body.extend(fields.into_iter().filter_map(|(name, value)| Some((name.to_owned(), value?))));
    }
    if let Some(effort) = request.sampling.effort {
        think(effort, request.sampling.thinking_tokens, capabilities.thinking, &mut body);
    }
    body.into()
}

fn think(effort: Effort, room: Option<u32>, how: Thinking, body: &mut Map<String, Value>) {
    let on = effort != Effort::Off;
    let switch = json!({"type": if on { "enabled" } else { "disabled" }});
    match how {
        Thinking::Uncontrolled | Thinking::OutputConfig => {}
        Thinking::ReasoningEffort => {
            let effort = match effort {
                Effort::Off | Effort::Low => "low",
                Effort::Medium => "medium",
                Effort::High | Effort::Max => "high",
            };
            body.insert("reasoning_effort".into(), json!(effort));
        }
        Thinking::SwitchAndEffort | Thinking::AlwaysOn => {
            if how == Thinking::SwitchAndEffort {
                body.insert("thinking".into(), switch);
                if !on {
                    return;
                }
            }
            let effort = match effort {
                Effort::Off | Effort::Low => "low",
                Effort::Medium | Effort::High => "high",
                Effort::Max => "max",
            };
            body.insert("reasoning_effort".into(), json!(effort));
        }
        Thinking::ChatTemplate => {
            body.insert("chat_template_kwargs".into(), json!({"enable_thinking": on}));
            if on {
                think(effort, room, Thinking::ReasoningEffort, body);
            }
        }
        Thinking::Switch => {
            body.insert("thinking".into(), switch);
        }
        Thinking::EnableThinking => {
            body.insert("enable_thinking".into(), json!(on));
            let share = match effort {
                Effort::Off => return,
                Effort::Low => 4,
                Effort::Medium => 2,
                Effort::High | Effort::Max => 1,
            };
            body.extend(room.map(|room| ("thinking_budget".to_owned(), json!(room / share))));
        }
    }
}

pub(super) fn take(event: &crate::llm::sse::SseEvent, gathered: &mut Gathered) -> Result<Option<StreamPiece>, Fault> {
    let data = event.data.trim();
    if data == "[DONE]" {
        gathered.begun = true;
        gathered.over = true;
        return Ok(None);
    }
    // DeepSeek sends blank lines while a request waits in its queue.
    if data.is_empty() {
        return Ok(None);
    }
    let value: Value = serde_json::from_str(data)
        .map_err(|error| Fault::Protocol { mismatch: Mismatch::NotJson(Document::Event, error.to_string()) })?;
    let complaint = error_body::from_success(&value);
    let delta = take_chunk(&value, "delta", gathered)?;
    complaint.map_or(Ok(delta), Err)
}

pub(super) fn take_whole(value: &Value, gathered: &mut Gathered) -> Result<(), Fault> {
    let complaint = error_body::from_success(value);
    if complaint.is_none() && value.pointer("/choices/0/message").is_none() {
        return Err(error_body::in_place_of_answer(value));
    }
    gathered.over = true;
    take_chunk(value, "message", gathered)?;
    complaint.map_or(Ok(()), Err)
}

fn take_chunk(value: &Value, part: &str, gathered: &mut Gathered) -> Result<Option<StreamPiece>, Fault> {
    let name = |field: &str| value.get(field).and_then(Value::as_str).filter(|text| !text.is_empty());
    let choices = value.get("choices").and_then(Value::as_array);
    let choice = choices.and_then(|choices| choices.first());
    if choices.is_none() && value.get("usage").is_none() {
        // A heartbeat, or a server's own extension.
        return Ok(None);
    }
    gathered.begun = true;
    if let Some(model) = name("model") {
        gathered.model = model.to_owned();
    }
    if let Some(id) = name("id") {
        gathered.id = id.to_owned();
    }
    // Kimi counts inside the choice; others in a last chunk without choices, or in every chunk.
    for usage in [value.get("usage"), choice.and_then(|choice| choice.get("usage"))].into_iter().flatten() {
        count(usage, &mut gathered.usage);
    }
    let Some(choice) = choice else { return Ok(None) };
    if let Some(reason) = choice.get("finish_reason").and_then(Value::as_str).filter(|reason| !reason.is_empty()) {
        gathered.ending = Some(ending(reason));
    }
    let Some(part) = choice.get(part) else { return Ok(None) };
    let text = |field: &str| part.get(field).and_then(Value::as_str).filter(|text| !text.is_empty());
    if let Some(refusal) = text("refusal") {
        gathered.refusal.push_str(refusal);
    }
    let reasoning = text("reasoning_content").or_else(|| text("reasoning"));
    if let Some(reasoning) = reasoning {
        gathered.reasoning.push_str(reasoning);
    }
    if let Some(content) = text("content") {
        gathered.text.push_str(content);
        return Ok(Some(StreamPiece::Text(content.to_owned())));
    }
    Ok(reasoning.map(|reasoning| StreamPiece::Reasoning(reasoning.to_owned())))
}

fn count(usage: &Value, counted: &mut TokenCounts) {
    let number = |pointer: &str| usage.pointer(pointer).and_then(Value::as_u64);
    let Some(input) = number("/prompt_tokens") else { return };
    counted.input = Some(input);
    counted.output = number("/completion_tokens").or(counted.output);
    // The places of OpenAI, DeepSeek and Kimi.
    counted.cached = number("/prompt_tokens_details/cached_tokens")
        .or_else(|| number("/prompt_cache_hit_tokens"))
        .or_else(|| number("/cached_tokens"))
        .unwrap_or(counted.cached);
    counted.cache_write = number("/prompt_tokens_details/cache_write_tokens").unwrap_or(counted.cache_write);
    counted.reasoning = number("/completion_tokens_details/reasoning_tokens").unwrap_or(counted.reasoning);
}

/// Reasons beyond OpenAI's own three: Mistral (`model_length`), GLM (`sensitive`, `network_error`,
/// `model_context_window_exceeded`), DeepSeek (`insufficient_system_resource`), vLLM (`abort`), and relays that pass on
/// Anthropic's words.
fn ending(reason: &str) -> ReplyEnding {
    match reason {
        "stop" | "end_turn" | "eos" | "eos_token" => ReplyEnding::Done(StopReason::End),
        "stop_sequence" => ReplyEnding::Done(StopReason::Sequence),
        "length" | "max_tokens" => ReplyEnding::Truncated(Limit::OutputTokens),
        "model_length" | "model_context_window_exceeded" => ReplyEnding::Truncated(Limit::Context),
        "sensitive" | "refusal" => ReplyEnding::Refused(reason.to_owned()),
        // Gemini's route says which: `content_filter: PROHIBITED_CONTENT`.
        filter if filter.starts_with("content_filter") => ReplyEnding::Refused(filter.to_owned()),
        "repetition" => ReplyEnding::Circling,
        "insufficient_system_resource" | "network_error" | "abort" | "error" => ReplyEnding::Broken(reason.to_owned()),
        other => ReplyEnding::Unknown(other.to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::llm::{
        AnswerForm, MessagePart, Reply, Sampling, Usage, Wire, json_request, preset,
        stream_reader::{StreamReader, read_whole},
    };

    fn request(answer: AnswerForm) -> Request {
        Request {
            model: "m".into(),
            system: "你是编辑".into(),
            prompt: vec![MessagePart::cached("设定\n"), MessagePart::new("本章")],
            max_output_tokens: 500,
            sampling: Sampling {
                temperature: Some(0.9),
                seed: Some(7),
                effort: Some(Effort::Off),
                ..Sampling::default()
            },
            answer,
        }
    }

    fn body_for(server: &str, model: &str, answer: AnswerForm) -> Value {
        let (request, capabilities) = (request(answer), preset::find(server).unwrap().capabilities(model));
        body(&request, &json_request::prepare(&request, &capabilities), &capabilities)
    }

    #[test]
    fn each_server_is_asked_in_its_own_way() {
        let deepseek = json!({
            "model": "m",
            "messages": [{"role": "system", "content": "你是编辑"}, {"role": "user", "content": "设定\n本章"}],
            "max_tokens": 500,
            "stream": true,
            "stream_options": {"include_usage": true},
            "temperature": 0.9,
            "seed": 7,
            "thinking": {"type": "disabled"}
        });
        assert_eq!(body_for("deepseek", "deepseek-flash", AnswerForm::Prose), deepseek);

        let openai = body_for("openai", "gpt-6.1-sol", AnswerForm::Prose);
        assert_eq!((&openai["max_completion_tokens"], &openai["reasoning_effort"]), (&json!(500), &json!("low")));
        assert!(openai.get("max_tokens").is_none() && openai.get("temperature").is_none());
        assert_eq!(body_for("qwen", "qwen3.8-flash", AnswerForm::Prose)["enable_thinking"], json!(false));
        let qwen = |effort| {
            let capabilities = preset::find("qwen").unwrap().capabilities("qwen3.8-flash");
            let mut request = request(AnswerForm::Prose);
            (request.sampling.effort, request.sampling.thinking_tokens) = (Some(effort), Some(12_000));
            let body = body(&request, &json_request::prepare(&request, &capabilities), &capabilities);
            (body["enable_thinking"].clone(), body.get("thinking_budget").cloned())
        };
        assert_eq!(qwen(Effort::Off), (json!(false), None));
        assert_eq!(qwen(Effort::Low), (json!(true), Some(json!(3000))));
        assert_eq!(qwen(Effort::High), (json!(true), Some(json!(12_000))));
        let kimi = body_for("kimi", "kimi-k3", AnswerForm::Prose);
        assert!(kimi.get("temperature").is_none() && kimi.get("thinking").is_none());
        assert_eq!(kimi["reasoning_effort"], json!("low"));
        let local = body_for("llama.cpp", "m", AnswerForm::Prose);
        assert_eq!(local["chat_template_kwargs"], json!({"enable_thinking": false}));
    }

    #[test]
    fn a_json_answer_is_asked_for_as_strictly_as_the_server_takes() {
        let answer = || AnswerForm::Json {
            name: "n".into(),
            schema: json!({"type": "object", "properties": {"n": {"type": "integer"}}}),
            told: None,
        };
        let strict = body_for("openai", "gpt-6.1-sol", answer());
        assert_eq!(strict["response_format"]["json_schema"]["strict"], json!(true));
        assert_eq!(strict["response_format"]["json_schema"]["schema"]["required"], json!(["n"]));
        let object = body_for("deepseek", "deepseek-flash", answer());
        assert_eq!(object["response_format"], json!({"type": "json_object"}));
        assert!(object["messages"][0]["content"].as_str().unwrap().contains("json"));
    }

    fn read(lines: &[Value]) -> Result<Reply, (Fault, Usage)> {
        let mut reading = StreamReader::new(Wire::OpenAi);
        let stream: String = lines.iter().map(|line| format!(": keep-alive\n\ndata: {line}\n\n")).collect();
        reading.push(stream.as_bytes()).map_err(|fault| (fault, reading.usage(40)))?;
        reading.push(b"data: [DONE]\n\n").map_err(|fault| (fault, Usage::default()))?;
        reading.finish(40)
    }

    fn chunk(delta: Value, reason: Value) -> Value {
        json!({"id": "c1", "model": "m-1", "choices": [{"index": 0, "delta": delta, "finish_reason": reason}]})
    }

    #[test]
    fn reasoning_is_kept_apart_and_a_last_chunk_without_choices_counts() {
        let reply = read(&[
            chunk(json!({"role": "assistant", "content": null, "reasoning_content": "想"}), Value::Null),
            chunk(json!({"content": "风"}), Value::Null),
            chunk(json!({"content": "起"}), json!("stop")),
            json!({"choices": [], "usage": {"prompt_tokens": 30, "completion_tokens": 9,
                "prompt_tokens_details": {"cached_tokens": 20},
                "completion_tokens_details": {"reasoning_tokens": 7}}}),
        ])
        .unwrap();
        assert_eq!((reply.text.as_str(), reply.reasoning.as_str(), reply.model.as_str()), ("风起", "想", "m-1"));
        let usage =
            Usage { input_tokens: 30, cached_tokens: 20, output_tokens: 9, reasoning_tokens: 7, ..Usage::default() };
        assert_eq!(reply.usage, usage);
    }

    #[test]
    fn the_count_is_found_where_each_vendor_puts_it_or_is_estimated() {
        let cached = |usage: Value| {
            let mut last = chunk(json!({"content": "好"}), json!("stop"));
            last["usage"] = usage;
            read(&[last]).unwrap().usage
        };
        let deepseek = cached(json!({"prompt_tokens": 9, "completion_tokens": 1, "prompt_cache_hit_tokens": 8}));
        assert_eq!((deepseek.cached_tokens, deepseek.estimated), (8, false));
        let kimi = chunk(json!({"content": "好"}), json!("stop"));
        let mut counted = kimi.clone();
        counted["choices"][0]["usage"] = json!({"prompt_tokens": 9, "completion_tokens": 1, "cached_tokens": 4});
        assert_eq!(read(&[counted]).unwrap().usage.cached_tokens, 4);
        let guessed = read(&[kimi]).unwrap().usage;
        assert_eq!((guessed.input_tokens, guessed.output_tokens, guessed.estimated), (40, 1, true));
    }

    #[test]
    fn only_a_finished_answer_is_an_answer() {
        let fault = |reason: Value| read(&[chunk(json!({"content": "风起"}), reason)]).unwrap_err().0;
        let partial = || "风起".to_owned();
        assert_eq!(fault(json!("length")), Fault::Truncated { partial: partial(), limit: Limit::OutputTokens });
        assert_eq!(fault(json!("content_filter")).partial(), Some("风起"));
        assert_eq!(fault(json!("insufficient_system_resource")).kind(), "cut_stream");
        assert_eq!(fault(Value::Null).kind(), "cut_stream");
        assert_eq!(fault(json!("tool_calls")).kind(), "protocol");
        let refused = read(&[chunk(json!({"refusal": "不行"}), json!("stop"))]).unwrap_err().0;
        assert_eq!(refused, Fault::Refused { reason: "不行".into(), partial: String::new() });
        let blank = read(&[chunk(json!({"content": " \n "}), json!("stop"))]).unwrap_err().0;
        assert_eq!(blank, Fault::Empty);
        let thought_only = read(&[chunk(json!({"content": "<think>想"}), json!("stop"))]).unwrap_err().0;
        assert_eq!(thought_only, Fault::Empty);
    }

    #[test]
    fn an_error_in_the_stream_is_a_fault_with_its_own_meaning() {
        let fault = read(&[json!({"error": {"code": 400, "type": "exceed_context_size_error", "message": "m",
            "n_prompt_tokens": 5001, "n_ctx": 4096}})]);
        let fault = fault.unwrap_err().0;
        assert!(matches!(fault, Fault::ContextTooLong { limit: Some(4096), sent: Some(5001), .. }), "{fault:?}");
    }

    #[test]
    fn a_reply_that_is_not_streamed_is_read_too() {
        let body = json!({"model": "m-1", "choices": [{"message": {"content": "<think>想</think>好"}, "finish_reason": "stop"}],
            "usage": {"prompt_tokens": 3, "completion_tokens": 2}});
        let reply = read_whole(Wire::OpenAi, &body.to_string(), 0).unwrap();
        assert_eq!((reply.text.as_str(), reply.reasoning.as_str()), ("好", "想"));
        assert_eq!(read_whole(Wire::OpenAi, "{\"error\": \"boom\"}", 0).unwrap_err().0.kind(), "server");
        assert_eq!(read_whole(Wire::OpenAi, "{}", 0).unwrap_err().0.kind(), "protocol");
        assert_eq!(read_whole(Wire::Anthropic, "[]", 0).unwrap_err().0.kind(), "protocol");
    }
}
