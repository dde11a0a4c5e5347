//! Turns a server's error message, in any dialect, into a [`Fault`].

use std::time::Duration;

use serde_json::Value;

use super::fault::Fault;

/// The longest error message that is kept, in characters: enough for any JSON error, not a whole page.
const LONGEST_MESSAGE: usize = 600;

/// Reads a reply whose HTTP status is no success.
pub fn from_response(status: u16, retry_after: Option<Duration>, body: &str) -> Fault {
    let complaint = match serde_json::from_str::<Value>(body) {
        Ok(value) => Complaint::read(&value),
        Err(_) => Complaint { message: body.trim().to_owned(), ..Complaint::default() },
    };
    complaint.fault(status, retry_after)
}

/// Reads an error object in a reply whose status was a success: inside a stream, or from a relay that always answers
/// 200.
pub fn from_success(value: &Value) -> Fault {
    let complaint = Complaint::read(value);
    let status = match complaint.kind.as_str() {
        "invalid_request_error" => 400,
        "authentication_error" => 401,
        "billing_error" => 402,
        "permission_error" => 403,
        "not_found_error" => 404,
        "request_too_large" => 413,
        "rate_limit_error" => 429,
        "timeout_error" => 504,
        "overloaded_error" => 529,
        _ => complaint.code.parse().ok().filter(|code| (400..600).contains(code)).unwrap_or(500),
    };
    complaint.fault(status, None)
}

#[derive(Debug, Default)]
struct Complaint {
    kind: String,
    code: String,
    message: String,
    limit: Option<u64>,
    sent: Option<u64>,
}

impl Complaint {
    /// Reads `{error: {type, code, message}}` (OpenAI, Anthropic, llama.cpp), `{error: "…"}` (Ollama),
    /// `{code, message}` (DashScope, vLLM) and `{detail: …}` (FastAPI).
    fn read(value: &Value) -> Self {
        let error = value.get("error").filter(|error| !error.is_null()).unwrap_or(value);
        let word = |value: Option<&Value>| match value {
            Some(Value::String(text)) => text.clone(),
            Some(Value::Null) | None => String::new(),
            Some(other) => other.to_string(),
        };
        let code = match error.pointer("/details/error_code") {
            Some(code) => word(Some(code)),
            None => word(error.get("code")),
        };
        let message = match error {
            Value::String(text) => text.clone(),
            _ => word(error.get("message").or_else(|| error.get("detail"))),
        };
        Self {
            kind: word(error.get("type")),
            code,
            message: if message.is_empty() { value.to_string() } else { message },
            limit: error.get("n_ctx").and_then(Value::as_u64),
            sent: error.get("n_prompt_tokens").and_then(Value::as_u64),
        }
    }

    fn fault(self, status: u16, retry_after: Option<Duration>) -> Fault {
        let words = format!("{} {} {}", self.kind, self.code, self.message).to_lowercase();
        let says = |any_of: &[&str]| any_of.iter().any(|word| words.contains(word));
        let message: String = self.message.chars().take(LONGEST_MESSAGE).collect();

        if says(&["enforced_spend_limit_reached", "billing_hard_limit_reached", "spend limit", "spending limit"]) {
            return Fault::SpendLimit { message };
        }
        let out_of_money = ["insufficient_quota", "exceeded_current_quota", "arrearage", "freetieronly"];
        if status == 402 || says(&out_of_money) || says(&["insufficient balance", "insufficient_balance"]) {
            return Fault::Billing { message };
        }
        // The content filters of DashScope, DeepSeek, Kimi and OpenAI answer with an error instead of a refusal.
        let filters = ["data_inspection_failed", "datainspectionfailed", "content exists risk", "content_filter"];
        if status < 500 && (says(&filters) || says(&["content_policy_violation"])) {
            return Fault::Refused { reason: message, partial: String::new() };
        }
        let too_long = [
            "exceed_context_size",
            "context_length_exceeded",
            "prompt is too long",
            "maximum context length",
            "exceeds the available context",
            "exceeded model token limit",
            "range of input length",
        ];
        if status == 413 || (status != 429 && says(&too_long)) {
            let (limit, sent) = match (self.limit, self.sent) {
                (None, None) => sizes(&self.message),
                known => known,
            };
            return Fault::ContextTooLong { limit, sent };
        }
        match status {
            401 => Fault::Unauthorized { message },
            403 => Fault::Forbidden { message },
            404 => Fault::UnknownModel { message },
            400 | 422 if says(&["model_not_found", "model not exist", "model not found"]) => {
                Fault::UnknownModel { message }
            }
            503 | 529 => Fault::Overloaded { message },
            429 if says(&["overloaded"]) => Fault::Overloaded { message },
            429 => Fault::RateLimited { retry_after, message },
            408 | 409 | 500.. => Fault::Server { status, message },
            _ => Fault::BadRequest { status, message },
        }
    }
}

/// The limit and the size in a message about the context. Of two numbers the larger was sent: `210000 tokens > 200000
/// maximum`, `maximum context length is 4096 tokens. However, you requested 5000`. A single one is the limit.
fn sizes(message: &str) -> (Option<u64>, Option<u64>) {
    let numbers: Vec<u64> = message
        .split(|c: char| !(c.is_ascii_digit() || c == ','))
        .filter_map(|run| run.replace(',', "").parse().ok())
        .filter(|&number| number >= 256)
        .take(2)
        .collect();
    match numbers[..] {
        [one, other] => (Some(one.min(other)), Some(one.max(other))),
        [one] => (Some(one), None),
        _ => (None, None),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kind(status: u16, body: &str) -> &'static str {
        from_response(status, None, body).kind()
    }

    #[test]
    fn each_provider_is_understood() {
        let table = [
            (401, r#"{"type":"error","error":{"type":"authentication_error","message":"x"}}"#, "unauthorized"),
            (402, r#"{"error":{"message":"Insufficient Balance","code":"invalid_request_error"}}"#, "billing"),
            (403, r#"{"type":"error","error":{"type":"permission_error","message":"x"}}"#, "forbidden"),
            (404, "<html>404</html>", "unknown_model"),
            (400, r#"{"error":{"message":"Model Not Exist"}}"#, "unknown_model"),
            (429, r#"{"error":{"message":"quota","type":"insufficient_quota"}}"#, "billing"),
            (429, r#"{"error":{"message":"m","type":"exceeded_current_quota_error"}}"#, "billing"),
            (429, r#"{"error":{"message":"m","type":"engine_overloaded_error"}}"#, "overloaded"),
            (429, r#"{"error":{"type":"rate_limit_error","message":"slow"}}"#, "rate_limited"),
            (
                429,
                r#"{"type":"error","error":{"type":"rate_limit_error","message":"cap",
                    "details":{"error_code":"enforced_spend_limit_reached"}}}"#,
                "spend_limit",
            ),
            (503, r#"{"error":{"code":503,"message":"Loading model","type":"unavailable_error"}}"#, "overloaded"),
            (529, r#"{"type":"error","error":{"type":"overloaded_error","message":"x"}}"#, "overloaded"),
            (504, r#"{"type":"error","error":{"type":"timeout_error","message":"x"}}"#, "server"),
            (409, "", "server"),
            (413, r#"{"type":"error","error":{"type":"request_too_large","message":"x"}}"#, "context_too_long"),
            (400, r#"{"code":"data_inspection_failed","message":"Input data may be inappropriate"}"#, "refused"),
            (400, r#"{"error":{"message":"Content Exists Risk"}}"#, "refused"),
            (422, r#"{"detail":[{"loc":["body","response_format"],"msg":"bad"}]}"#, "bad_request"),
            (400, r#"{"error":"json: cannot unmarshal"}"#, "bad_request"),
        ];
        for (status, body, expected) in table {
            assert_eq!(kind(status, body), expected, "{status} {body}");
        }
    }

    #[test]
    fn the_size_of_a_long_prompt_is_told() {
        let table = [
            (
                r#"{"error":{"message":"prompt is too long: 210000 tokens > 200000 maximum"}}"#,
                Some(200_000),
                Some(210_000),
            ),
            (
                r#"{"error":{"code":400,"type":"exceed_context_size_error","message":"m","n_prompt_tokens":5001,"n_ctx":4096}}"#,
                Some(4096),
                Some(5001),
            ),
            (
                r#"{"object":"error","message":"This model's maximum context length is 4096 tokens. However, you requested 5,000 tokens","code":400}"#,
                Some(4096),
                Some(5000),
            ),
            (
                r#"{"code":"InvalidParameter","message":"Range of input length should be [1, 30720]"}"#,
                Some(30_720),
                None,
            ),
            (r#"{"error":{"message":"m","code":"context_length_exceeded"}}"#, None, None),
        ];
        for (body, limit, sent) in table {
            assert_eq!(from_response(400, None, body), Fault::ContextTooLong { limit, sent }, "{body}");
        }
    }

    #[test]
    fn an_error_inside_a_success_keeps_its_meaning() {
        let fault = |text: &str| from_success(&serde_json::from_str(text).unwrap()).kind();
        assert_eq!(fault(r#"{"type":"error","error":{"type":"overloaded_error","message":"x"}}"#), "overloaded");
        assert_eq!(fault(r#"{"error":{"code":400,"message":"bad field"}}"#), "bad_request");
        assert_eq!(fault(r#"{"error":"boom"}"#), "server");
    }
}
