//! Streams: cut into any portions, broken off at any byte, stalled, and given up by the caller.

use novel::llm::client::RetryWait;
use novel::llm::stream_reader::StreamReader;
use novel::llm::think::StreamPiece;
use novel::llm::{AnswerForm, CallProgress, Disruption, Fault, Limit, TimeoutPhase, Wire};
use serde_json::json;

use super::server::{Answer, Server};
use super::{INSTANT, call, client, endpoint, hasty, request, shown};

const TEXT: &str = "剑来，𠮷。";

fn whole(wire: Wire, text: &str) -> Answer {
    match wire {
        Wire::Anthropic => Answer::anthropic_stream(text),
        Wire::OpenAi => Answer::openai_stream(text),
    }
}

fn url(wire: Wire, server: &Server) -> String {
    match wire {
        Wire::Anthropic => server.anthropic_url(),
        Wire::OpenAi => server.openai_url(),
    }
}

const WIRES: [Wire; 2] = [Wire::Anthropic, Wire::OpenAi];

#[test]
fn any_two_cuts_give_the_same_reply() {
    for wire in WIRES {
        // Only what matters of each event, or there would be too many pairs.
        let stream = match wire {
            Wire::Anthropic => concat!(
                "data: {\"type\":\"content_block_delta\",\"delta\":{\"type\":\"text_delta\",\"text\":\"剑\"}}\r\n\r\n",
                "data: {\"type\":\"content_block_delta\",\"delta\":{\"type\":\"text_delta\",\"text\":\"𠮷\"}}\n\n",
                "data: {\"type\":\"message_delta\",\"delta\":{\"stop_reason\":\"end_turn\"}}\n\n",
            ),
            Wire::OpenAi => concat!(
                ": 等\n\ndata: {\"choices\":[{\"delta\":{\"content\":\"剑\"}}]}\r\n\r\n",
                "data: {\"choices\":[{\"delta\":{\"content\":\"𠮷\"},\"finish_reason\":\"stop\"}]}\n\ndata: [DONE]\n\n",
            ),
        }
        .as_bytes();
        let read = |portions: [&[u8]; 3]| {
            let mut reading = StreamReader::new(wire);
            let mut shown = String::new();
            for portion in portions {
                for delta in reading.push(portion).unwrap() {
                    if let StreamPiece::Text(text) = delta {
                        shown.push_str(&text);
                    }
                }
            }
            assert_eq!(shown, "剑𠮷");
            reading.finish(1).unwrap()
        };
        let expected = read([stream, b"", b""]);
        assert_eq!(expected.text, "剑𠮷");
        for first in 0..=stream.len() {
            for second in first..=stream.len() {
                let reply = read([&stream[..first], &stream[first..second], &stream[second..]]);
                assert_eq!(reply, expected, "{first} {second}");
            }
        }
    }
}

#[tokio::test]
async fn a_cut_inside_a_character_does_not_show_over_the_network() {
    for wire in WIRES {
        let answer = whole(wire, TEXT);
        let inside: Vec<usize> = ["剑", "𠮷"].iter().flat_map(|c| [answer.until(c) - 1, answer.until(c) - 2]).collect();
        for cut in inside {
            let server = Server::start([answer.clone().portioned(&[cut, cut + 1])]);
            let (client, _) = client(endpoint(wire, url(wire, &server)));
            let (result, progress) = call(&client, &request(AnswerForm::Prose)).await;
            assert_eq!((result.unwrap().text.as_str(), shown(&progress).as_str()), (TEXT, TEXT), "{cut}");
        }
    }
}

#[tokio::test]
async fn a_stream_broken_off_at_any_byte_is_never_half_an_answer() {
    for wire in WIRES {
        let body = whole(wire, TEXT).body();
        // From the end of the line that gives the reason on, the answer is whole.
        let end = if wire == Wire::OpenAi { "\"stop\"" } else { "\"end_turn\"" };
        let from = whole(wire, TEXT).through_event(end) - 2;
        for bytes in 0..body.len() {
            let mut reading = StreamReader::new(wire);
            let result = match reading.push(&body[..bytes]) {
                Ok(_) => reading.finish(1).map_err(|(fault, _)| fault),
                Err(fault) => Err(fault),
            };
            match result {
                Ok(reply) => assert!(reply.text == TEXT && bytes >= from, "{bytes}"),
                Err(fault) => assert!(bytes < from && matches!(fault.kind(), "cut_stream" | "protocol"), "{bytes}"),
            }
        }
    }
}

#[tokio::test]
async fn a_broken_stream_is_asked_for_again_and_its_text_is_kept() {
    for wire in WIRES {
        let answer = whole(wire, TEXT);
        let server = Server::start([answer.clone().cut_after(answer.through_event("剑来")), answer.clone()]);
        let (client, waits) = client(endpoint(wire, url(wire, &server)));
        let (result, progress) = call(&client, &request(AnswerForm::Prose)).await;
        let reply = result.unwrap();
        assert_eq!((reply.text.as_str(), reply.attempts, shown(&progress).as_str()), (TEXT, 2, TEXT));
        assert!(reply.wasted.estimated && reply.wasted.input_tokens > 0 && reply.wasted.output_tokens >= 2);
        assert_eq!(waits.lock().unwrap().len(), 1);
        let kept = progress.iter().find_map(|step| match step {
            CallProgress::Waiting(RetryWait { why, .. }) => why.partial(),
            _ => None,
        });
        assert_eq!(kept, Some("剑来"));
    }
}

#[tokio::test]
async fn three_broken_streams_are_a_failure_with_the_last_text() {
    let answer = Answer::openai_stream(TEXT);
    let cut = answer.clone().cut_after(answer.through_event("剑来"));
    let server = Server::start([cut.clone(), cut.clone(), cut]);
    let (client, _) = client(endpoint(Wire::OpenAi, server.openai_url()));
    let failure = call(&client, &request(AnswerForm::Prose)).await.0.unwrap_err();
    assert_eq!((failure.fault.kind(), failure.fault.partial(), failure.attempts), ("cut_stream", Some("剑来"), 3));
    assert!(failure.usage.estimated && failure.usage.output_tokens >= 6);
}

#[tokio::test]
async fn a_break_after_the_end_of_the_answer_does_not_matter() {
    let answer = Answer::openai_stream(TEXT);
    let server = Server::start([answer.clone().cut_after(answer.through_event("\"stop\""))]);
    let (client, _) = client(endpoint(Wire::OpenAi, server.openai_url()));
    let reply = call(&client, &request(AnswerForm::Prose)).await.0.unwrap();
    assert_eq!(reply.text, TEXT);
    assert!(reply.usage.estimated);
}

#[tokio::test]
async fn an_error_in_the_middle_of_an_answer_keeps_its_beginning() {
    let stream = Answer::anthropic_stream(TEXT);
    let overloaded = json!({"type": "error", "error": {"type": "overloaded_error", "message": "忙"}});
    let mut body = stream.body();
    body.truncate(stream.through_event("剑来"));
    let broken = String::from_utf8(body).unwrap() + &format!("\n\nevent: error\ndata: {overloaded}\n\n");
    let server = Server::start([Answer::stream([broken]), Answer::anthropic_stream(TEXT)]);
    let (client, _) = client(endpoint(Wire::Anthropic, server.anthropic_url()));
    let (result, progress) = call(&client, &request(AnswerForm::Prose)).await;
    assert_eq!(result.unwrap().text, TEXT);
    assert!(progress.iter().any(|step| matches!(
        step,
        CallProgress::Waiting(RetryWait { why: Fault::Midway { partial, why }, .. }) if partial == "剑来" && why.words().contains("忙")
    )));
}

#[tokio::test]
async fn an_answer_cut_at_its_limit_is_a_fault_and_not_repeated() {
    for (answer, wire) in [
        (Answer::openai_stream_ending(TEXT, "length"), Wire::OpenAi),
        (Answer::anthropic_stream_ending(TEXT, "max_tokens"), Wire::Anthropic),
    ] {
        let server = Server::start([answer]);
        let (client, _) = client(endpoint(wire, url(wire, &server)));
        let failure = call(&client, &request(AnswerForm::Prose)).await.0.unwrap_err();
        assert_eq!(failure.fault, Fault::Truncated { partial: TEXT.into(), limit: Limit::OutputTokens });
        assert_eq!((failure.attempts, failure.usage.input_tokens), (1, 100));
    }
}

#[tokio::test]
async fn silence_before_the_answer_is_waited_out_twice() {
    let server =
        Server::start([Answer::mute(), Answer::openai_stream(TEXT).stalled_after(0), Answer::openai_stream(TEXT)]);
    let (client, waits) = client(endpoint(Wire::OpenAi, server.openai_url()));
    let client = client.with_timeouts(hasty(|timeouts| timeouts.first_byte = INSTANT));
    let (result, progress) = call(&client, &request(AnswerForm::Prose)).await;
    assert_eq!(result.unwrap().attempts, 3);
    assert_eq!(*waits.lock().unwrap(), [30.0, 30.0]);
    let phase = |step: &CallProgress| match step {
        CallProgress::Waiting(RetryWait { why: Fault::Timeout { phase, .. }, .. }) => Some(*phase),
        _ => None,
    };
    assert_eq!(
        progress.iter().filter_map(phase).collect::<Vec<_>>(),
        [TimeoutPhase::FirstByte, TimeoutPhase::FirstByte]
    );
}

#[tokio::test]
async fn silence_in_the_middle_keeps_the_beginning() {
    let answer = Answer::anthropic_stream(TEXT);
    let stalled = answer.clone().stalled_after(answer.through_event("剑来"));
    let server = Server::start([stalled.clone()]);
    server.then(stalled.clone());
    server.then(stalled);
    let (client, _) = client(endpoint(Wire::Anthropic, server.anthropic_url()));
    let client = client.with_timeouts(hasty(|timeouts| timeouts.idle = INSTANT));
    let failure = call(&client, &request(AnswerForm::Prose)).await.0.unwrap_err();
    assert_eq!(failure.fault, Fault::Timeout { phase: TimeoutPhase::Idle, after: INSTANT, partial: "剑来".into() });
    assert_eq!(failure.attempts, 3);
}

#[tokio::test]
async fn no_attempt_takes_longer_than_it_may_in_all() {
    let server = Server::start([Answer::openai_stream(TEXT).stalled_after(9)]);
    let (client, _) = client(endpoint(Wire::OpenAi, server.openai_url()));
    let no_retry = novel::llm::Policy { retries: 0, ..Default::default() };
    let client = client.with_policy(no_retry).with_timeouts(hasty(|timeouts| timeouts.total = INSTANT));
    let failure = call(&client, &request(AnswerForm::Prose)).await.0.unwrap_err();
    assert!(matches!(failure.fault, Fault::Timeout { phase: TimeoutPhase::Total, .. }));
}

#[tokio::test]
async fn dropping_a_call_hangs_up() {
    let answer = Answer::openai_stream(TEXT);
    let server = Server::start([answer.clone().stalled_after(answer.through_event("剑来"))]);
    let (client, _) = client(endpoint(Wire::OpenAi, server.openai_url()));
    let request = request(AnswerForm::Prose);
    let begun = tokio::sync::Notify::new();
    let mut on = |step| {
        if matches!(step, CallProgress::Text(_)) {
            begun.notify_one();
        }
    };
    tokio::select! {
        result = client.call(&request, &mut on) => panic!("{result:?}"),
        () = begun.notified() => {}
    }
    // On another thread, because hanging up is work for this one.
    tokio::task::spawn_blocking(move || server.wait_for_hang_ups(1)).await.unwrap();
}

#[tokio::test]
async fn a_server_that_is_not_there_is_a_network_fault() {
    let gone = Server::start([]).openai_url();
    let (client, waits) = client(endpoint(Wire::OpenAi, gone.clone()));
    let failure = call(&client, &request(AnswerForm::Prose)).await.0.unwrap_err();
    assert_eq!((failure.fault.kind(), failure.attempts, waits.lock().unwrap().len()), ("network", 26, 25));
    assert!(!failure.to_string().contains(&gone), "{failure}");
}

#[tokio::test]
async fn calls_at_the_same_time_get_their_own_answers() {
    let server =
        Server::start([Answer::openai_stream("二").when("第二问"), Answer::openai_stream("一").when("第一问")]);
    let (client, _) = client(endpoint(Wire::OpenAi, server.openai_url()));
    let ask = |text: &str| {
        let mut request = request(AnswerForm::Prose);
        request.prompt[1].text = text.into();
        request
    };
    let (first, second) = (ask("第一问"), ask("第二问"));
    let (one, two) = tokio::join!(call(&client, &first), call(&client, &second));
    assert_eq!((one.0.unwrap().text.as_str(), two.0.unwrap().text.as_str()), ("一", "二"));
    assert!(server.requests().iter().all(|request| request.prompt().starts_with("你是编辑设定")));
}

#[test]
#[should_panic(expected = "answers that nobody asked for")]
fn an_unused_answer_fails_the_test() {
    drop(Server::start([Answer::openai_stream(TEXT)]));
}

#[tokio::test]
#[should_panic(expected = "requests that the script does not have")]
async fn a_surplus_request_fails_the_test() {
    let server = Server::start([]);
    let (client, _) = client(endpoint(Wire::OpenAi, server.openai_url()));
    let failure = call(&client, &request(AnswerForm::Prose)).await.0.unwrap_err();
    assert_eq!(failure.attempts, 1);
    drop(server);
}

#[tokio::test]
async fn a_rule_can_stand_in_for_a_script() {
    let server = Server::answering(|request| Answer::anthropic_json(&json!({"asked": request.prompt().len()})));
    let (client, _) = client(endpoint(Wire::Anthropic, server.anthropic_url()));
    for _ in 0..2 {
        let reply = call(&client, &request(AnswerForm::Prose)).await.0.unwrap();
        assert!(reply.text.starts_with("{\"asked\":"), "{}", reply.text);
    }
    assert_eq!(server.requests().len(), 2);
    assert_eq!(server.requests()[0].header("anthropic-version"), "2026-10-21");
}

#[tokio::test]
async fn a_disruption_of_the_network_has_a_name_and_not_the_librarys_words() {
    let free = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let nowhere = free.local_addr().unwrap();
    drop(free);
    // One that hangs up on every connection.
    let silent = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let rude = silent.local_addr().unwrap();
    std::thread::spawn(move || silent.incoming().for_each(|stream| drop(stream.map(hang_up))));
    // A server that speaks HTTP without TLS: it cannot read the first bytes of TLS as a request.
    let plain = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let unencrypted = plain.local_addr().unwrap();
    std::thread::spawn(move || plain.incoming().for_each(|stream| drop(stream.map(complain))));
    let cases = [
        (format!("http://{nowhere}/v1"), Disruption::Refused),
        (format!("http://{rude}/v1"), Disruption::Closed),
        (format!("https://{unencrypted}/v1"), Disruption::NoHttps),
    ];
    for (address, expected) in cases {
        let (client, _) = client(endpoint(Wire::OpenAi, address.clone()));
        let (result, _) = call(&client, &request(AnswerForm::Prose)).await;
        assert_eq!(result.unwrap_err().fault, Fault::Network { why: expected }, "{address}");
    }
}

/// Reads the request, as far as it comes at once, and closes the connection without a word.
fn hang_up(mut stream: std::net::TcpStream) {
    let _ = std::io::Read::read(&mut stream, &mut [0; 65536]);
}

/// Answers whatever came in plain HTTP.
fn complain(mut stream: std::net::TcpStream) {
    let _ = std::io::Read::read(&mut stream, &mut [0; 65536]);
    let _ = std::io::Write::write_all(&mut stream, b"HTTP/1.1 400 Bad Request\r\ncontent-length: 0\r\n\r\n");
}
