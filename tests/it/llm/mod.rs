//! The `llm` room against servers on loopback.

pub mod mem0;
pub mod server;

mod complaints;
mod replies;
mod streams;

use std::sync::{Arc, Mutex};
use std::time::Duration;

use novel::llm::{
    AnswerForm, CallFailure, CallProgress, Client, Endpoint, MessagePart, Reply, Request, Sampling, Timeouts, Wire,
    preset,
};

/// A key that must appear in no body, fault or record.
const KEY: &str = "sk-test-0123456789abcdef";

/// A model at an address, over a wire, as its vendor's own.
fn endpoint(wire: Wire, base_url: String) -> Endpoint {
    let name = match wire {
        Wire::Anthropic => "anthropic",
        Wire::OpenAi => "vllm",
    };
    preset::find(name).unwrap().endpoint("m", Some(KEY.into())).at(base_url)
}

/// A client that does not wait but says how long it would have.
fn client(endpoint: Endpoint) -> (Client, Arc<Mutex<Vec<f64>>>) {
    let waits = Arc::new(Mutex::new(Vec::new()));
    let told = Arc::clone(&waits);
    let client = Client::new(endpoint).with_jitter(|| 0.0).with_wait(move |wait| {
        told.lock().unwrap().push(wait.as_secs_f64());
        Box::pin(std::future::ready(()))
    });
    (client, waits)
}

/// Time-outs that are long except for the given one.
fn hasty(set: impl FnOnce(&mut Timeouts)) -> Timeouts {
    let mut timeouts = Timeouts::default();
    set(&mut timeouts);
    timeouts
}

const INSTANT: Duration = Duration::from_millis(60);

fn request(answer: AnswerForm) -> Request {
    Request {
        model: "m".into(),
        system: "你是编辑".into(),
        prompt: vec![MessagePart::cached("设定：青云宗。\n"), MessagePart::new("写第一章。")],
        max_output_tokens: 1000,
        sampling: Sampling::default(),
        answer,
    }
}

/// Calls and collects what happened on the way.
async fn call(client: &Client, request: &Request) -> (Result<Reply, CallFailure>, Vec<CallProgress>) {
    let mut progress = Vec::new();
    let result = client.call(request, &mut |step| progress.push(step)).await;
    (result, progress)
}

/// The text shown since the last attempt began.
fn shown(progress: &[CallProgress]) -> String {
    progress.iter().fold(String::new(), |text, step| match step {
        CallProgress::Attempt { .. } => String::new(),
        CallProgress::Text(more) => text + more,
        _ => text,
    })
}
