//! Turns a server's complaint, in any dialect, into a [`Fault`]: of a status, of an event inside a stream, or of a body
//! with status 200. The words that tell the classes apart are data, in `complaints.toml`.

use std::sync::OnceLock;
use std::time::Duration;

use serde::Deserialize;
use serde_json::Value;

use super::causes::Mismatch;
use super::fault::Fault;

/// The longest error message that is kept, in characters: enough for any JSON error, not a whole page.
const LONGEST_MESSAGE: usize = 600;

/// The status of a complaint that came with a success and does not say its own.
const SUCCESS: u16 = 200;

#[derive(Deserialize)]
struct ClassTable {
    class: Vec<Class>,
}

/// A class of complaints and its signs, in small letters.
#[derive(Deserialize)]
struct Class {
    name: ClassName,
    codes: Vec<String>,
    words: Vec<String>,
    #[serde(default)]
    statuses: Vec<u16>,
    /// The words mean something else with these statuses.
    #[serde(default)]
    never: Vec<u16>,
}

#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "snake_case")]
enum ClassName {
    SpendLimit,
    Billing,
    Refused,
    ContextTooLong,
    UnknownModel,
    Unauthorized,
    Overloaded,
    RateLimited,
}

fn classes() -> &'static [Class] {
    static CLASSES: OnceLock<Vec<Class>> = OnceLock::new();
    CLASSES.get_or_init(|| {
        let table: Result<ClassTable, _> = toml::from_str(include_str!("complaints.toml"));
        table.map(|table| table.class).unwrap_or_default()
    })
}

/// Reads a reply whose HTTP status is no success.
pub fn from_response(status: u16, retry_after: Option<Duration>, body: &str) -> Fault {
    let complaint = match serde_json::from_str::<Value>(body) {
        Ok(value) => Complaint::read(&value),
        Err(_) => Complaint { message: body.trim().to_owned(), ..Complaint::default() },
    };
    complaint.fault(status, retry_after)
}

/// The complaint in a JSON document that came with a success: an event of a stream, or the reply of a relay that always
/// answers 200. `None` for a document that does not complain.
pub fn from_success(value: &Value) -> Option<Fault> {
    let is_set =
        |pointer: &str| value.pointer(pointer).is_some_and(|there| !there.is_null() && there.as_i64() != Some(0));
    let answers = ["/choices", "/content", "/data", "/type", "/usage"].into_iter().any(is_set);
    let complains = value.get("object").and_then(Value::as_str) == Some("error")
        || ["/error", "/Response/Error", "/base_resp/status_code", "/error_code"].into_iter().any(is_set)
        || value.get("type").and_then(Value::as_str) == Some("error")
        || (!answers && (is_set("/code") || is_set("/detail")));
    if !complains {
        return None;
    }
    let complaint = Complaint::read(value);
    let status = match complaint.kind.as_str() {
        "invalid_request_error" => 400,
        "permission_error" => 403,
        "not_found_error" => 404,
        "timeout_error" => 504,
        _ => complaint.code.parse().ok().filter(|code| (400..600).contains(code)).unwrap_or(SUCCESS),
    };
    Some(complaint.fault(status, None))
}

/// A document of no known form in the place of an answer. The server's words may say what is wrong.
pub fn in_place_of_answer(value: &Value) -> Fault {
    from_success(value).unwrap_or_else(|| {
        let words: String = Complaint::read(value).message.chars().take(LONGEST_MESSAGE).collect();
        Fault::Protocol { mismatch: Mismatch::OtherDocument(words) }
    })
}

#[derive(Debug, Default)]
struct Complaint {
    kind: String,
    code: String,
    message: String,
    limit: Option<u64>,
    sent: Option<u64>,
    wait: Option<Duration>,
}

fn word(value: Option<&Value>) -> String {
    match value {
        Some(Value::String(text)) => text.clone(),
        Some(Value::Null) | None => String::new(),
        Some(other) => other.to_string(),
    }
}

impl Complaint {
    /// Reads `{error: {type, code, message}}` (OpenAI, Anthropic, llama.cpp), `{error: "…"}` (Ollama),
    /// `{code, message}` (DashScope, vLLM, SiliconFlow), `{detail: …}` (FastAPI), `{base_resp: …}` (MiniMax),
    /// `{error_code, error_msg}` (Qianfan), `{Response: {Error: …}}` (Tencent), and a list of one of them (Gemini).
    fn read(value: &Value) -> Self {
        let value = value.get(0).unwrap_or(value);
        let places = ["/error", "/Response/Error", "/base_resp"];
        let error = places.into_iter().find_map(|place| value.pointer(place).filter(|error| !error.is_null()));
        let error = error.unwrap_or(value);
        let first = |names: &[&str]| {
            names.iter().map(|name| word(error.get(name))).find(|word| !word.is_empty()).unwrap_or_default()
        };
        let placed = |place: &str, name: &str| error.get(name).map(|code| format!("{place}.{}", word(Some(code))));
        let code = error.pointer("/details/error_code").map(|code| word(Some(code)));
        let code = code.or_else(|| placed("base_resp", "status_code")).or_else(|| placed("error_code", "error_code"));
        let mut message = match error {
            Value::String(text) => text.clone(),
            _ => first(&["message", "Message", "status_msg", "error_msg", "msg", "detail"]),
        };
        if message.is_empty() {
            message = value.to_string();
        }
        // OpenRouter: the passage that was objected to, and the words of the server behind it.
        for more in ["/metadata/flagged_input", "/metadata/raw"] {
            let more = word(error.pointer(more));
            if !more.is_empty() && !message.contains(&more) {
                message = format!("{message}: {more}");
            }
        }
        Self {
            kind: first(&["type", "status"]),
            code: code.unwrap_or_else(|| first(&["code", "Code"])),
            message,
            limit: error.get("n_ctx").and_then(Value::as_u64),
            sent: error.get("n_prompt_tokens").and_then(Value::as_u64),
            // In a stream there are no headers left to say it.
            wait: (error.get("retry_after").and_then(Value::as_f64))
                .and_then(|seconds| Duration::try_from_secs_f64(seconds).ok()),
        }
    }

    /// The class by code or words, or else by status.
    fn class(&self, status: u16) -> Option<ClassName> {
        let (kind, code) = (self.kind.to_lowercase(), self.code.to_lowercase());
        let words = format!("{kind} {code} {}", self.message.to_lowercase());
        let says = |class: &&Class| {
            let named = class.codes.iter().any(|known| *known == code || *known == kind);
            (named || class.words.iter().any(|known| words.contains(known))) && !class.never.contains(&status)
        };
        let by_words = classes().iter().find(says);
        let by_status = || classes().iter().find(|class| class.statuses.contains(&status));
        by_words.or_else(by_status).map(|class| class.name)
    }

    fn fault(self, status: u16, retry_after: Option<Duration>) -> Fault {
        let message = self.message.split_whitespace().collect::<Vec<_>>().join(" ");
        let message: String = message.chars().take(LONGEST_MESSAGE).collect();
        match self.class(status) {
            Some(ClassName::SpendLimit) => Fault::SpendLimit { message },
            Some(ClassName::Billing) => Fault::Billing { message },
            Some(ClassName::Refused) => Fault::Refused { reason: message, partial: String::new() },
            Some(ClassName::ContextTooLong) => {
                let (limit, sent) = match (self.limit, self.sent) {
                    (None, None) => sizes(&self.message),
                    known => known,
                };
                Fault::ContextTooLong { limit, sent, message }
            }
            Some(ClassName::UnknownModel) => Fault::UnknownModel { message },
            Some(ClassName::Unauthorized) => Fault::Unauthorized { message },
            Some(ClassName::Overloaded) => Fault::Overloaded { message },
            Some(ClassName::RateLimited) => Fault::RateLimited { retry_after: retry_after.or(self.wait), message },
            None => match status {
                403 => Fault::Forbidden { message },
                404 => Fault::UnknownModel { message },
                SUCCESS | 408 | 409 | 500.. => Fault::Server { status, message },
                _ => Fault::BadRequest { status, message },
            },
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
            (
                429,
                r#"{"error":{"message":"litellm.RateLimitError: OpenAIException - You exceeded your current quota, please check your plan and billing details.\n\nLiteLLM: no fallback","type":"throttling_error","code":"429"}}"#,
                "billing",
            ),
            (
                429,
                r#"[{"error":{"code":429,"message":"You exceeded your current quota, please check your plan and billing details.\n* Quota exceeded for metric: requests, limit: 5\nPlease retry in 41.2s.","status":"RESOURCE_EXHAUSTED"}}]"#,
                "rate_limited",
            ),
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
            (
                400,
                r#"{"type":"error","error":{"type":"invalid_request_error","message":"Your credit balance is too low to access the Anthropic API."}}"#,
                "billing",
            ),
            (
                400,
                r#"{"type":"error","error":{"type":"invalid_request_error","message":"You have reached your specified API usage limits."}}"#,
                "spend_limit",
            ),
            (429, r#"{"error":{"code":"1113","message":"您的账户已欠费，请充值后重试。"}}"#, "billing"),
            (
                429,
                r#"{"error":{"code":"1308","message":"已达到 5 小时的使用上限。您的限额将在 2026-11-28 20:00 重置"}}"#,
                "spend_limit",
            ),
            (429, r#"{"error":{"code":"1302","message":"您的账户已达到速率限制"}}"#, "rate_limited"),
            (429, r#"{"error":{"code":"1305","message":"该模型当前访问量过大"}}"#, "overloaded"),
            (
                403,
                r#"{"error":{"code":"AccountOverdueError","message":"The request failed because your account has an overdue balance."}}"#,
                "billing",
            ),
            (403, r#"{"code":30001,"message":"Sorry, your account balance is insufficient","data":null}"#, "billing"),
            (
                400,
                r#"{"error":{"code":"1301","message":"系统检测到输入或生成内容可能包含不安全或敏感内容"}}"#,
                "refused",
            ),
            (
                400,
                r#"{"error":{"code":"InputTextSensitiveContentDetected","message":"The request failed because the input text may contain sensitive information."}}"#,
                "refused",
            ),
            (400, r#"{"error":{"code":"InputTextRiskDetection","message":"m"}}"#, "refused"),
            (451, r#"{"error":{"type":"censorship_blocked","message":"blocked"}}"#, "refused"),
            (
                403,
                r#"{"error":{"code":403,"message":"m requires moderation on P. Your input was flagged for \"violence\"","metadata":{"flagged_input":"他拔刀"}}}"#,
                "refused",
            ),
            (
                400,
                r#"{"error":{"message":"Input token length too long","type":"invalid_request_error"}}"#,
                "context_too_long",
            ),
            (400, r#"{"error":{"code":"1261","message":"Prompt 超长"}}"#, "context_too_long"),
            (
                400,
                r#"{"code":20015,"message":"length of prompt_tokens (40000) must be less than max_seq_len (32768).","data":null}"#,
                "context_too_long",
            ),
            (
                429,
                r#"{"error":{"message":"Request too large for m: maximum context length 30000 tokens per min"}}"#,
                "rate_limited",
            ),
            (
                400,
                r#"{"code":20012,"message":"Model does not exist. Please check it carefully.","data":null}"#,
                "unknown_model",
            ),
            (400, r#"{"error":{"code":"1211","message":"模型不存在，请检查模型代码。"}}"#, "unknown_model"),
            (
                400,
                r#"{"error":{"message":"/chat/completions: Invalid model name passed in model=x. Call `/v1/models`","type":"invalid_request_error","code":"400"}}"#,
                "unknown_model",
            ),
            (
                400,
                r#"{"error":{"message":"litellm.BadRequestError: There are no healthy deployments for this model","code":"400"}}"#,
                "unknown_model",
            ),
            (
                400,
                r#"{"error":{"message":"No connected db.","type":"no_db_connection","param":null,"code":"400"}}"#,
                "unauthorized",
            ),
            (
                400,
                r#"[{"error":{"code":400,"message":"API key not valid. Please pass a valid API key.","status":"INVALID_ARGUMENT"}}]"#,
                "unauthorized",
            ),
            (429, r#"[{"error":{"code":429,"message":"m","status":"RESOURCE_EXHAUSTED"}}]"#, "rate_limited"),
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
            let fault = from_response(400, None, body);
            assert!(
                matches!(fault, Fault::ContextTooLong { limit: l, sent: s, .. } if (l, s) == (limit, sent)),
                "{body}"
            );
        }
    }

    #[test]
    fn an_error_inside_a_success_keeps_its_meaning() {
        let fault = |text: &str| from_success(&serde_json::from_str(text).unwrap()).unwrap().kind();
        assert_eq!(fault(r#"{"type":"error","error":{"type":"overloaded_error","message":"x"}}"#), "overloaded");
        assert_eq!(fault(r#"{"error":{"code":400,"message":"bad field"}}"#), "bad_request");
        assert_eq!(fault(r#"{"error":"boom"}"#), "server");
        let table = [
            (r#"{"base_resp":{"status_code":1004,"status_msg":"login fail"}}"#, "unauthorized"),
            (r#"{"base_resp":{"status_code":1008,"status_msg":"insufficient balance"}}"#, "billing"),
            (r#"{"choices":null,"base_resp":{"status_code":1027,"status_msg":"output new_sensitive"}}"#, "refused"),
            (r#"{"base_resp":{"status_code":1002,"status_msg":"rate limit"}}"#, "rate_limited"),
            (r#"{"error_code":17,"error_msg":"Open api daily request limit reached"}"#, "spend_limit"),
            (r#"{"error_code":110,"error_msg":"Access token invalid or no longer valid"}"#, "unauthorized"),
            (
                r#"{"Response":{"Error":{"Code":"AuthFailure.SecretIdNotFound","Message":"m"},"RequestId":"r"}}"#,
                "unauthorized",
            ),
            (r#"{"Response":{"Error":{"Code":"FailedOperation.ResourcePackExhausted","Message":"m"}}}"#, "billing"),
            (r#"{"code":"Arrearage","message":"Access denied, your account is in arrears"}"#, "billing"),
            (
                r#"{"error":{"code":"data_inspection_failed","message":"Output data may contain inappropriate content."}}"#,
                "refused",
            ),
            (r#"{"error":{"type":"rate_limit_exceeded","message":"slow"}}"#, "rate_limited"),
            (
                r#"{"error":{"message":"The number of tokens to keep from the initial prompt is greater than the context length."}}"#,
                "context_too_long",
            ),
            (r#"{"detail":"no"}"#, "server"),
            (r#"{"code":20012,"message":"Model does not exist.","data":null}"#, "unknown_model"),
        ];
        for (text, expected) in table {
            assert_eq!(fault(text), expected, "{text}");
        }
        let whole = r#"{"choices":[],"base_resp":{"status_code":0,"status_msg":""},"error":null}"#;
        assert_eq!(from_success(&serde_json::from_str(whole).unwrap()), None);
    }

    #[test]
    fn the_passage_and_the_words_of_a_server_behind_a_relay_are_kept() {
        let body = r#"{"error":{"code":403,"message":"flagged by moderation","metadata":{"flagged_input":"他拔刀"}}}"#;
        assert!(from_response(403, None, body).words().ends_with("他拔刀"));
        let body = r#"{"error":{"code":400,"message":"Provider returned error",
            "metadata":{"raw":"{\"error\":{\"message\":\"insufficient_quota\"}}"}}}"#;
        assert_eq!(kind(400, body), "billing");
    }
}
