//! Complaints of real servers, each as a status, as a body with status 200, and as an event inside a stream.

use novel::llm::{AnswerForm, Fault, Limit, Wire};
use serde_json::{Value, json};

use super::server::{Answer, Server};
use super::{KEY, call, client, endpoint, request};

const TEXT: &str = "剑来。他抬头看天，云散了。";

/// Status and body as a server sends them, the kind of fault, and words that must be shown.
fn complaints() -> Vec<(u16, Value, &'static str, &'static str)> {
    let error = |code: &str, message: &str| json!({"error": {"code": code, "message": message}});
    let plain =
        |message: &str| json!({"type": "error", "error": {"type": "invalid_request_error", "message": message}});
    let minimax = |code: u32, message: &str| json!({"base_resp": {"status_code": code, "status_msg": message}});
    vec![
        (400, plain("Your credit balance is too low to access the API."), "billing", "balance is too low"),
        (400, plain("You have reached your specified API usage limits."), "spend_limit", "usage limits"),
        (429, error("1113", "您的账户已欠费，请充值后重试"), "billing", "请充值"),
        (429, error("1308", "已达到 5 小时的使用上限，将在 20:00 重置"), "spend_limit", "20:00"),
        (403, error("AccountOverdueError", "your account has an overdue balance"), "billing", "overdue"),
        (403, json!({"code": 30001, "message": "Sorry, your account balance is insufficient"}), "billing", "Sorry"),
        (400, error("Arrearage", "Access denied, arrears"), "billing", "arrears"),
        (400, error("data_inspection_failed", "Input data may be bad"), "refused", "Input data"),
        (400, error("1301", "可能包含不安全或敏感内容"), "refused", "不安全"),
        (400, error("InputTextRiskDetection", "risk in 他拔刀"), "refused", "他拔刀"),
        (451, json!({"error": {"type": "censorship_blocked", "message": "blocked"}}), "refused", "blocked"),
        (403, plain("x requires moderation. Your input was flagged"), "refused", "was flagged"),
        (400, plain("Input token length too long"), "context_too_long", "length too long"),
        (400, error("1261", "Prompt 超长"), "context_too_long", "超长"),
        (400, plain("tokens to keep is greater than the context length"), "context_too_long", "tokens to keep"),
        (400, json!({"code": 20012, "message": "Model does not exist."}), "unknown_model", "does not exist"),
        (400, error("1211", "模型不存在"), "unknown_model", "模型不存在"),
        (400, plain("Invalid model name passed in model=m"), "unknown_model", "model=m"),
        (
            400,
            json!({"error": {"type": "no_db_connection", "message": "No connected db."}}),
            "unauthorized",
            "No connected",
        ),
        (401, minimax(1004, "login fail"), "unauthorized", "login fail"),
        (402, minimax(1008, "insufficient balance"), "billing", "insufficient"),
        (400, minimax(1026, "input new_sensitive"), "refused", "new_sensitive"),
        (429, json!({"error_code": 17, "error_msg": "Open api daily request limit reached"}), "spend_limit", "daily"),
        (403, json!({"Response": {"Error": {"Code": "AuthFailure", "Message": "bad id"}}}), "unauthorized", "bad id"),
    ]
}

fn url(wire: Wire, server: &Server) -> String {
    match wire {
        Wire::OpenAi => server.openai_url(),
        Wire::Anthropic => server.anthropic_url(),
    }
}

/// The first two thirds of a streamed text, then an event.
fn breaking_off(wire: Wire, event: &Value) -> Answer {
    let stream = match wire {
        Wire::OpenAi => Answer::openai_stream(TEXT),
        Wire::Anthropic => Answer::anthropic_stream(TEXT),
    };
    let mut body = stream.body();
    body.truncate(stream.through_event("剑来"));
    Answer::stream([String::from_utf8(body).unwrap(), format!("data: {event}\n\n")])
}

#[tokio::test]
async fn a_complaint_means_the_same_wherever_it_stands_and_is_not_waited_for() {
    for wire in [Wire::OpenAi, Wire::Anthropic] {
        for (status, body, kind, words) in complaints() {
            let answers = [
                Answer::raw(status, "application/json", body.to_string()),
                Answer::raw(200, "application/json", body.to_string()),
                Answer::stream([format!("data: {body}\n\n")]),
            ];
            for answer in answers {
                let server = Server::start([answer]);
                let (client, waits) = client(endpoint(wire, url(wire, &server)));
                let failure = call(&client, &request(AnswerForm::Prose)).await.0.unwrap_err();
                assert_eq!(failure.fault.kind(), kind, "{wire:?} {body}");
                assert!(failure.fault.words().contains(words), "{wire:?} {body}: {failure}");
                assert_eq!((failure.attempts, waits.lock().unwrap().len()), (1, 0), "{wire:?} {body}");
            }
        }
    }
}

#[tokio::test]
async fn text_before_a_complaint_is_kept_and_asked_for_again_only_where_that_helps() {
    let error = |code: &str| json!({"error": {"code": code, "message": format!("said of {KEY}")}});
    let cases = [("data_inspection_failed", "refused"), ("Arrearage", "billing"), ("quotaexceeded", "spend_limit")];
    for wire in [Wire::OpenAi, Wire::Anthropic] {
        for (code, kind) in cases {
            let server = Server::start([breaking_off(wire, &error(code))]);
            let (client, waits) = client(endpoint(wire, url(wire, &server)));
            let failure = call(&client, &request(AnswerForm::Prose)).await.0.unwrap_err();
            assert_eq!((failure.fault.kind(), failure.attempts), (kind, 1));
            assert!(failure.fault.partial().is_some_and(|text| text.starts_with("剑来")), "{failure:?}");
            assert!(!failure.fault.words().contains(KEY) && failure.usage.output_tokens > 0, "{failure:?}");
            assert!(waits.lock().unwrap().is_empty());
        }
        let limited = breaking_off(wire, &error("rate_limit_exceeded"));
        let whole = match wire {
            Wire::OpenAi => Answer::openai_stream(TEXT),
            Wire::Anthropic => Answer::anthropic_stream(TEXT),
        };
        let server = Server::start([limited.clone(), limited, whole]);
        let (client, waits) = client(endpoint(wire, url(wire, &server)));
        assert_eq!(call(&client, &request(AnswerForm::Prose)).await.0.unwrap().attempts, 3);
        assert_eq!(waits.lock().unwrap().len(), 2);
    }
}

#[tokio::test]
async fn a_limit_of_requests_is_waited_out_also_inside_a_stream_and_an_unknown_complaint_only_twice() {
    for (wire, well) in [(Wire::OpenAi, Answer::openai_stream(TEXT)), (Wire::Anthropic, Answer::anthropic_stream(TEXT))]
    {
        let limited = json!({"error": {"type": "rate_limit_exceeded", "message": "slow"}});
        let busy = json!({"base_resp": {"status_code": 1002, "status_msg": "rate limit"}});
        let server = Server::start([
            Answer::stream([format!("data: {limited}\n\n")]),
            Answer::raw(200, "application/json", busy.to_string()),
            Answer::error(429, "请求过于频繁"),
            Answer::raw(429, "application/json", json!({"error": {"code": "1305", "message": "m"}}).to_string()),
            well,
        ]);
        let (client, waits) = client(endpoint(wire, url(wire, &server)));
        assert_eq!(call(&client, &request(AnswerForm::Prose)).await.0.unwrap().attempts, 5);
        assert_eq!(waits.lock().unwrap().len(), 4);
        let strange = Answer::stream([format!("data: {}\n\n", json!({"error": "boom"}))]);
        let server = Server::start([strange.clone(), strange.clone(), strange]);
        let (client, _) = self::client(endpoint(wire, url(wire, &server)));
        let failure = call(&client, &request(AnswerForm::Prose)).await.0.unwrap_err();
        assert_eq!((failure.fault.words(), failure.attempts), ("boom", 3));
    }
}

#[tokio::test]
async fn the_end_of_an_answer_is_told_by_its_reason_and_by_its_length() {
    let ending = |wire: Wire, reason: &str| match wire {
        Wire::OpenAi => Answer::openai_stream_ending(TEXT, reason),
        Wire::Anthropic => Answer::anthropic_stream_ending(TEXT, reason),
    };
    let fault = async |wire: Wire, answer: Answer| {
        let server = Server::start([answer]);
        let (client, _) = client(endpoint(wire, url(wire, &server)));
        call(&client, &request(AnswerForm::Prose)).await.0.unwrap_err().fault
    };
    for wire in [Wire::OpenAi, Wire::Anthropic] {
        for reason in ["tool_calls", "pause_turn", "soon"] {
            let fault = fault(wire, ending(wire, reason)).await;
            assert_eq!((fault.kind(), fault.partial()), ("protocol", Some(TEXT)), "{reason}");
            assert!(fault.to_string().contains(reason), "{fault}");
        }
    }
    let filtered = fault(Wire::OpenAi, ending(Wire::OpenAi, "content_filter: PROHIBITED_CONTENT")).await;
    assert_eq!((filtered.kind(), filtered.partial()), ("refused", Some(TEXT)));
    assert!(filtered.words().contains("PROHIBITED_CONTENT"), "the server's word, to the letter: {filtered}");
    assert_eq!(fault(Wire::OpenAi, ending(Wire::OpenAi, "repetition")).await.kind(), "circling");

    // 707 tokens of 1000: the context is full.
    let counted = |text: &str, thinking: &str, written: u32| {
        let delta = json!({"content": text, "reasoning_content": thinking});
        let last = json!({"choices": [{"index": 0, "delta": delta, "finish_reason": "length"}],
            "usage": {"prompt_tokens": 100, "completion_tokens": written}});
        Answer::stream([format!("data: {last}\n\n"), "data: [DONE]\n\n".to_owned()])
    };
    let limit = |fault: &Fault| match fault {
        Fault::Truncated { limit, .. } => Some(*limit),
        _ => None,
    };
    assert_eq!(limit(&fault(Wire::OpenAi, counted(TEXT, "", 707)).await), Some(Limit::Context));
    assert_eq!(limit(&fault(Wire::OpenAi, counted(TEXT, "", 1000)).await), Some(Limit::OutputTokens));
    assert_eq!(limit(&fault(Wire::OpenAi, counted("", "想", 1000)).await), Some(Limit::Thinking));
    assert_eq!(limit(&fault(Wire::OpenAi, counted("", &"想".repeat(900), 0)).await), Some(Limit::Thinking));
}
