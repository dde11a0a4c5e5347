//! How a JSON answer is asked for, and what a server's complaint teaches. Servers differ from each other and from their
//! documents: the client starts with the mode in the capability record, and on a complaint about the form of the answer
//! steps down one mode and corrects its copy of the record.

use crate::llm::endpoint::{Capabilities, JsonMode, MaxTokensField, Thinking};
use crate::llm::fault::Fault;
use crate::llm::request::{self, AnswerForm, Request};
use serde_json::Value;

#[derive(Clone, Debug, PartialEq)]
pub(super) struct JsonRequest {
    pub(super) system: String,
    pub(super) form: OutputFormat,
    pub(super) json_mode: Option<JsonMode>,
}

#[derive(Clone, Debug, PartialEq)]
pub(super) enum OutputFormat {
    Free,
    Object,
    Schema { name: String, schema: Value },
}

/// Prepares the strictest form that a server takes.
pub(super) fn prepare(request: &Request, capabilities: &Capabilities) -> JsonRequest {
    let mut system = request.system.clone();
    let AnswerForm::Json { name, schema, told } = &request.answer else {
        return JsonRequest { system, form: OutputFormat::Free, json_mode: None };
    };
    if !capabilities.keeps_schema || capabilities.schema != JsonMode::Strict {
        // Not behind the user message: the same for every chapter, the schema belongs to what the provider caches.
        system.push_str(&in_words(told.as_ref().unwrap_or(schema)));
    }
    let (form, json_mode) = match capabilities.schema {
        JsonMode::Strict => {
            (OutputFormat::Schema { name: schema_name(name), schema: request::portable(schema) }, JsonMode::Strict)
        }
        JsonMode::JsonObject => (OutputFormat::Object, JsonMode::JsonObject),
        JsonMode::Plain => (OutputFormat::Free, JsonMode::Plain),
    };
    JsonRequest { system, form, json_mode: Some(json_mode) }
}

/// Asks for JSON in words. Servers that promise a JSON object insist on the word `json` in the prompt.
pub(super) fn in_words(schema: &Value) -> String {
    format!(
        "\n\n# 输出格式\n只输出一个 JSON 对象（json），前后不写任何解释，不加代码围栏。字段齐全，没有内容的字段写 null；\
         字符串里的双引号写成 \\\"，换行写成 \\n。它必须符合下面的 JSON Schema：\n{schema}\n"
    )
}

/// A name that servers take: ASCII letters, digits, `_` and `-`, at most 64.
fn schema_name(name: &str) -> String {
    let name: String =
        name.chars().map(|c| if c.is_ascii_alphanumeric() || c == '-' { c } else { '_' }).take(64).collect();
    if name.is_empty() { "answer".to_owned() } else { name }
}

/// A part of a request that a server may reject.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RequestPart {
    AnswerForm,
    Sampling,
    /// Token counts in a stream.
    StreamUsage,
    /// The name of the field for the output limit.
    OutputLimit,
    Thinking,
}

/// The capability record without the thing that the server complains of, and that part of the request. `None` when the
/// fault is about something else, or when the record already does without.
pub(super) fn adjust(
    request: &Request,
    capabilities: &Capabilities,
    fault: &Fault,
) -> Option<(Capabilities, RequestPart)> {
    let (status, message) = match fault {
        Fault::BadRequest { status, message } | Fault::Server { status, message } => (*status, message.to_lowercase()),
        _ => return None,
    };
    let says = |words: &[&str]| words.iter().any(|word| message.contains(word));
    let mut learned = *capabilities;
    let form = ["response_format", "json_schema", "json_object", "json mode", "json schema", "output_config"];
    let more_form = ["output_format", "structured output", "structured_outputs", "grammar", "guided", "schema"];
    if matches!(request.answer, AnswerForm::Json { .. }) && (says(&form) || says(&more_form)) {
        // Some servers answer an unknown form with 500, so the status does not matter here.
        learned.schema = capabilities.schema.looser()?;
        return Some((learned, RequestPart::AnswerForm));
    }
    if status >= 500 {
        return None;
    }
    let sampling = request.sampling;
    let sampled = sampling.temperature.is_some() || sampling.top_p.is_some() || sampling.seed.is_some();
    if capabilities.sampling && sampled && says(&["temperature", "top_p", "seed", "sampling"]) {
        learned.sampling = false;
        return Some((learned, RequestPart::Sampling));
    }
    if capabilities.usage_in_stream && says(&["stream_options", "include_usage"]) {
        learned.usage_in_stream = false;
        return Some((learned, RequestPart::StreamUsage));
    }
    if says(&["max_completion_tokens"]) {
        learned.max_tokens_field = match capabilities.max_tokens_field {
            MaxTokensField::MaxTokens => MaxTokensField::MaxCompletionTokens,
            MaxTokensField::MaxCompletionTokens => MaxTokensField::MaxTokens,
        };
        return Some((learned, RequestPart::OutputLimit));
    }
    if capabilities.thinking != Thinking::Uncontrolled
        && sampling.effort.is_some()
        && says(&["thinking", "effort", "chat_template", "output_config"])
    {
        learned.thinking = Thinking::Uncontrolled;
        return Some((learned, RequestPart::Thinking));
    }
    None
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::llm::{Effort, MessagePart, Sampling, preset};

    fn request(schema: Value) -> Request {
        Request {
            model: "m".into(),
            system: "s".into(),
            prompt: vec![MessagePart::cached("圣经"), MessagePart::new("本章")],
            max_output_tokens: 100,
            sampling: Sampling { temperature: Some(0.9), effort: Some(Effort::Low), ..Sampling::default() },
            answer: AnswerForm::Json { name: "评 分".into(), schema, told: None },
        }
    }

    fn score() -> Value {
        json!({"type": "object", "properties": {"score": {"type": "integer"}}, "required": ["score"]})
    }

    fn complaint(status: u16, message: &str) -> Fault {
        Fault::BadRequest { status, message: message.into() }
    }

    #[test]
    fn each_mode_asks_in_its_own_way() {
        let mut capabilities = preset::find("llama.cpp").unwrap().capabilities("m");
        let strict = prepare(&request(score()), &capabilities);
        assert_eq!(strict.system, "s");
        assert!(matches!(strict.form, OutputFormat::Schema { name, .. } if name == "___"));
        capabilities.keeps_schema = false;
        let doubted = prepare(&request(score()), &capabilities);
        assert!(matches!(doubted.form, OutputFormat::Schema { .. }) && doubted.system.contains(r#""score""#));

        capabilities.schema = JsonMode::JsonObject;
        let object = prepare(&request(score()), &capabilities);
        assert_eq!((object.form, object.json_mode), (OutputFormat::Object, Some(JsonMode::JsonObject)));
        assert!(object.system.starts_with("s\n\n# ") && object.system.contains("json"), "{}", object.system);
        assert!(object.system.contains(r#""score""#), "{}", object.system);

        capabilities.schema = JsonMode::Plain;
        assert_eq!(prepare(&request(score()), &capabilities).form, OutputFormat::Free);
    }

    #[test]
    fn complaints_of_the_form_step_down_until_there_is_none() {
        let mut capabilities = preset::find("vllm").unwrap().capabilities("m");
        let mut modes = Vec::new();
        let fault = Fault::Server { status: 500, message: "validation error: response_format.type".into() };
        while let Some((learned, _)) = adjust(&request(score()), &capabilities, &fault) {
            capabilities = learned;
            modes.push(capabilities.schema);
        }
        assert_eq!(modes, [JsonMode::JsonObject, JsonMode::Plain]);
    }

    #[test]
    fn complaints_of_a_field_drop_that_field() {
        let mut capabilities = preset::find("ollama").unwrap().capabilities("m");
        capabilities.schema = JsonMode::Plain;
        let learn = |message: &str| adjust(&request(score()), &capabilities, &complaint(400, message)).unwrap().0;
        assert!(!learn("Unsupported value: 'temperature' does not support 0.9").sampling);
        assert!(!learn("unknown field stream_options").usage_in_stream);
        assert_eq!(learn("invalid reasoning_effort").thinking, Thinking::Uncontrolled);
        assert_eq!(
            learn("'max_tokens' is not supported, use 'max_completion_tokens'").max_tokens_field,
            MaxTokensField::MaxCompletionTokens
        );
        assert_eq!(adjust(&request(score()), &capabilities, &complaint(400, "messages: required")), None);
        assert_eq!(adjust(&request(score()), &capabilities, &Fault::Empty), None);
    }
}
