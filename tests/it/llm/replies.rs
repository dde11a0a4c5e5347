//! Statuses, headers and bodies: what is sent, and what is made of plain answers.

use novel::llm::client::RetryWait;
use novel::llm::stream_reader::StreamReader;
use novel::llm::{AnswerForm, CallProgress, Fault, JsonMode, Wire, preset};
use serde_json::{Value, json};

use super::server::{self, Server};
use super::{KEY, call, client, endpoint, request};

fn complaint(status: u16, body: &Value) -> server::Answer {
    server::Answer::raw(status, "application/json", body.to_string())
}

/// A server that first answers with each of these in turn, then once well.
fn failing_first(failures: impl IntoIterator<Item = server::Answer>) -> Server {
    Server::start(failures.into_iter().chain([server::Answer::openai_stream("好")]))
}

#[tokio::test]
async fn the_key_travels_in_its_header_and_nowhere_else() {
    for wire in [Wire::Anthropic, Wire::OpenAi] {
        let (server, base) = match wire {
            Wire::Anthropic => {
                let server = Server::start([server::Answer::anthropic_stream("风起")]);
                let base = server.anthropic_url();
                (server, base)
            }
            Wire::OpenAi => {
                let server = Server::start([server::Answer::openai_stream("风起")]);
                let base = server.openai_url();
                (server, base)
            }
        };
        let (client, _) = client(endpoint(wire, base));
        let reply = call(&client, &request(AnswerForm::Prose)).await.0.unwrap();
        assert_eq!((reply.text.as_str(), reply.model.as_str(), reply.attempts), ("风起", "scripted-1", 1));
        let usage = reply.usage;
        assert_eq!((usage.input_tokens, usage.cached_tokens, usage.output_tokens), (100, 60, 2));
        assert!(!usage.estimated);

        let sent = &server.requests()[0];
        assert!(!sent.body.contains(KEY) && !sent.path.contains(KEY) && !sent.header("user-agent").is_empty());
        let body = sent.json();
        assert_eq!(body["stream"], true);
        match wire {
            Wire::Anthropic => {
                assert_eq!((sent.method.as_str(), sent.path.as_str()), ("POST", "/v1/messages"));
                assert_eq!((sent.header("x-api-key"), sent.header("anthropic-version")), (KEY, "2026-10-21"));
                assert_eq!(body["system"], "你是编辑");
            }
            Wire::OpenAi => {
                assert_eq!((sent.method.as_str(), sent.path.as_str()), ("POST", "/v1/chat/completions"));
                assert_eq!(sent.header("authorization"), format!("Bearer {KEY}"));
                assert_eq!(body["stream_options"], json!({"include_usage": true}));
                assert_eq!(body["max_tokens"], 1000);
            }
        }
    }
}

#[tokio::test]
async fn the_servers_own_wait_is_kept() {
    let server = failing_first([server::Answer::raw(429, "text/plain", "").header("retry-after", "7")]);
    let (client, waits) = client(endpoint(Wire::OpenAi, server.openai_url()));
    let (result, progress) = call(&client, &request(AnswerForm::Prose)).await;
    let reply = result.unwrap();
    assert_eq!((reply.text.as_str(), reply.attempts), ("好", 2));
    assert_eq!(*waits.lock().unwrap(), [7.0]);
    assert!(progress.iter().any(|step| matches!(
        step,
        CallProgress::Waiting(RetryWait { wait, asked: Some(_), why: Fault::RateLimited { retry_after: Some(_), .. }, .. }) if wait.as_secs() == 7
    )));
}

#[tokio::test]
async fn an_overloaded_server_is_waited_out_for_ten_minutes_and_no_longer() {
    let overloaded = json!({"type": "error", "error": {"type": "overloaded_error", "message": "忙"}});
    let server = Server::start(std::iter::repeat_n(complaint(529, &overloaded), 26));
    let (client, waits) = client(endpoint(Wire::Anthropic, server.anthropic_url()));
    let failure = call(&client, &request(AnswerForm::Prose)).await.0.unwrap_err();
    assert_eq!(failure.fault, Fault::Overloaded { message: "忙".into() });
    assert_eq!(failure.attempts, 26);
    assert!(failure.usage.is_zero());
    let waits = waits.lock().unwrap();
    assert_eq!(waits[..7], [0.5, 1.0, 2.0, 4.0, 8.0, 16.0, 30.0]);
    assert!((599.0..=600.0).contains(&waits.iter().sum::<f64>()), "{waits:?}");
}

#[tokio::test]
async fn what_waiting_cannot_mend_is_not_repeated() {
    let spent = json!({"type": "error", "error": {"type": "rate_limit_error", "message": "cap",
        "details": {"error_code": "enforced_spend_limit_reached"}}});
    let table = [
        (401, json!({"error": {"message": format!("Incorrect API key provided: {KEY}")}}), "unauthorized"),
        (402, json!({"error": {"message": "Insufficient Balance"}}), "billing"),
        (403, json!({"error": {"message": "no"}}), "forbidden"),
        (404, json!({"error": {"message": "no model m"}}), "unknown_model"),
        (413, json!({"error": {"message": "big"}}), "context_too_long"),
        (400, json!({"error": {"message": "bad"}}), "bad_request"),
        (429, spent, "spend_limit"),
        (302, json!({}), "protocol"),
    ];
    for (status, body, kind) in table {
        let server = Server::start([complaint(status, &body).header("location", "/elsewhere")]);
        let (client, waits) = client(endpoint(Wire::OpenAi, server.openai_url()));
        let failure = call(&client, &request(AnswerForm::Prose)).await.0.unwrap_err();
        assert_eq!((failure.fault.kind(), failure.attempts), (kind, 1));
        assert!(!failure.to_string().contains(KEY), "{failure}");
        assert!(waits.lock().unwrap().is_empty());
    }
}

#[tokio::test]
async fn a_server_that_forbids_retrying_is_obeyed() {
    let server = Server::start([server::Answer::raw(500, "text/plain", "").header("x-should-retry", "false")]);
    let (client, _) = client(endpoint(Wire::OpenAi, server.openai_url()));
    assert_eq!(call(&client, &request(AnswerForm::Prose)).await.0.unwrap_err().fault.kind(), "server");
}

#[tokio::test]
async fn a_form_that_the_server_does_not_take_is_left_behind_for_good() {
    let server = failing_first([
        complaint(400, &json!({"error": {"message": "response_format.type json_schema is not supported"}})),
        complaint(500, &json!({"error": {"message": "1 validation error: response_format"}})),
    ]);
    server.then(server::Answer::openai_stream("好"));
    let mut endpoint = endpoint(Wire::OpenAi, server.openai_url());
    endpoint.capabilities.keeps_schema = true;
    let (client, waits) = client(endpoint);
    let schema = json!({"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"]});
    let request = request(AnswerForm::Json { name: "n".into(), schema, told: None });
    let (result, progress) = call(&client, &request).await;
    let reply = result.unwrap();
    assert_eq!((reply.json_mode, reply.attempts), (Some(JsonMode::Plain), 3));
    assert!(waits.lock().unwrap().is_empty());
    assert_eq!(progress.iter().filter(|step| matches!(step, CallProgress::Adjusted { .. })).count(), 2);
    assert_eq!(client.capabilities().schema, JsonMode::Plain);

    assert_eq!(call(&client, &request).await.0.unwrap().attempts, 1);
    let sent: Vec<Value> = server.requests().iter().map(server::Received::json).collect();
    let forms: Vec<&str> = sent.iter().map(|body| body["response_format"]["type"].as_str().unwrap_or("-")).collect();
    assert_eq!(forms, ["json_schema", "json_object", "-", "-"]);
    let words = |at: usize, message: usize| sent[at]["messages"][message]["content"].as_str().unwrap();
    assert_eq!((words(0, 1), words(3, 1)), ("设定：青云宗。\n写第一章。", words(0, 1)));
    assert!(words(3, 0).starts_with(words(0, 0)) && words(3, 0).contains(r#""n""#));
}

#[tokio::test]
async fn a_prompt_that_the_server_would_cut_is_not_sent() {
    let server = Server::start([]);
    let mut endpoint = preset::find("ollama").unwrap().endpoint("m", None).at(server.openai_url());
    endpoint.capabilities.context_window = 900;
    let (client, _) = client(endpoint);
    let failure = call(&client, &request(AnswerForm::Prose)).await.0.unwrap_err();
    assert!(matches!(failure.fault, Fault::ContextTooLong { limit: Some(900), sent: Some(1000..), .. }));
    assert_eq!(failure.attempts, 0);
}

#[tokio::test]
async fn a_server_that_does_not_stream_is_understood() {
    let whole = json!({"model": "m-1", "choices": [{"message": {"content": "好"}, "finish_reason": "stop"}]});
    let server = Server::start([complaint(200, &whole)]);
    let (client, _) = client(endpoint(Wire::OpenAi, server.openai_url()));
    let reply = call(&client, &request(AnswerForm::Prose)).await.0.unwrap();
    assert_eq!(reply.text, "好");
    assert!(reply.usage.estimated && reply.usage.input_tokens > 10);
}

#[tokio::test]
async fn a_web_page_is_not_an_answer() {
    let server = Server::start([server::Answer::raw(200, "text/html; charset=utf-8", "<html>欢迎</html>")]);
    let (client, _) = client(endpoint(Wire::OpenAi, server.openai_url()));
    assert_eq!(call(&client, &request(AnswerForm::Prose)).await.0.unwrap_err().fault.kind(), "protocol");
}

#[tokio::test]
async fn an_empty_answer_is_asked_for_again() {
    let server =
        Server::start([server::Answer::openai_stream("  \n  "), server::Answer::openai_stream("<think>想</think>好")]);
    let (client, _) = client(endpoint(Wire::OpenAi, server.openai_url()));
    let reply = call(&client, &request(AnswerForm::Prose)).await.0.unwrap();
    assert_eq!((reply.text.as_str(), reply.attempts), ("好", 2));
    assert_eq!(reply.wasted.input_tokens, 100);
}

#[tokio::test]
async fn the_models_of_a_server_can_be_listed() {
    for wire in [Wire::Anthropic, Wire::OpenAi] {
        let list = json!({"data": [{"id": "a"}, {"id": "b"}]}).to_string();
        let server = Server::start([server::Answer::raw(200, "application/json", list)]);
        let base = if wire == Wire::OpenAi { server.openai_url() } else { server.anthropic_url() };
        let (client, _) = client(endpoint(wire, base));
        assert_eq!(client.models().await.unwrap(), ["a", "b"]);
        assert_eq!((server.requests()[0].method.as_str(), server.requests()[0].path.as_str()), ("GET", "/v1/models"));
    }
}

#[tokio::test]
async fn the_limits_of_a_schema_are_told_to_the_model() {
    let schema = json!({"type": "object", "required": ["score"], "properties": {
        "score": {"type": "number", "minimum": 1, "maximum": 5}}});
    let server = Server::start([server::Answer::openai_json(&json!({"score": 4.5}))]);
    let (client, _) = client(endpoint(Wire::OpenAi, server.openai_url()));
    let request = request(AnswerForm::Json { name: "score".into(), schema, told: None });
    let good = call(&client, &request).await.0.unwrap();
    assert_eq!(good.json_mode, Some(JsonMode::Strict));
    let sent = server.requests()[0].json();
    let property = &sent["response_format"]["json_schema"]["schema"]["properties"]["score"];
    assert_eq!(property["description"], json!("(minimum 1, maximum 5)"));
}

#[test]
fn an_address_that_is_none_says_so_without_showing_it() {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let (client, _) = client(endpoint(Wire::OpenAi, "ftp://user:password@host".into()));
    let failure = runtime.block_on(call(&client, &request(AnswerForm::Prose))).0.unwrap_err();
    assert_eq!(failure.fault.kind(), "protocol");
    assert!(!failure.to_string().contains("password"));
    // A reading that never got a byte is not an answer either.
    assert!(StreamReader::new(Wire::OpenAi).finish(1).is_err());
}
