//! A model server on loopback that follows a script: what it answers, in which portions, where it stalls or breaks off.
//!
//! It runs on threads of its own, so a test may be synchronous (driving the built binary) or asynchronous. It checks
//! its script when it is dropped: a request that the script does not have, or an answer that was never requested, fails
//! the test.
//!
//! ```ignore
//! let server = Server::start([Answer::openai_stream("风起。"), Answer::error(529, "overloaded").header("retry-after", "1")]);
//! run_against(server.openai_url());
//! assert_eq!(server.requests()[0].json()["model"], "m");
//! ```

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::Duration;

use serde_json::{Value, json};

/// A request as it came.
#[derive(Clone, Debug)]
pub struct Received {
    pub method: String,
    pub path: String,
    /// By lower-case name.
    pub headers: BTreeMap<String, String>,
    pub body: String,
}

impl Received {
    /// The body as JSON.
    pub fn json(&self) -> Value {
        serde_json::from_str(&self.body).expect("the request's body is JSON")
    }

    /// The value of a header, empty when it is not there.
    pub fn header(&self, name: &str) -> &str {
        self.headers.get(name).map_or("", String::as_str)
    }

    /// System prompt and user message as one text, whichever the wire.
    pub fn prompt(&self) -> String {
        fn text(value: &Value) -> String {
            match value {
                Value::String(text) => text.clone(),
                Value::Array(blocks) => blocks.iter().map(|block| text(&block["text"])).collect(),
                _ => String::new(),
            }
        }
        let body = self.json();
        let messages = body["messages"].as_array().cloned().unwrap_or_default();
        text(&body["system"]) + &messages.iter().map(|message| text(&message["content"])).collect::<String>()
    }
}

/// One answer of the script.
#[derive(Clone, Debug)]
pub struct Answer {
    when: Option<String>,
    status: u16,
    headers: Vec<(String, String)>,
    portions: Vec<Vec<u8>>,
    ending: Ending,
    hold: Option<Hold>,
}

/// Until when an answer is held back: it sees the requests so far.
#[derive(Clone)]
struct Hold(Arc<Condition>);

type Condition = dyn Fn(&[Received]) -> bool + Send + Sync;

impl std::fmt::Debug for Hold {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Hold")
    }
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Ending {
    /// The body ends as it should.
    Whole,
    /// The connection breaks.
    Cut,
    /// Nothing more comes until the client hangs up.
    Stall,
    /// Not even the status comes.
    Mute,
}

impl Answer {
    fn new(status: u16, kind: &str, body: impl Into<Vec<u8>>) -> Self {
        let headers = vec![("content-type".to_owned(), kind.to_owned())];
        Self { when: None, status, headers, portions: vec![body.into()], ending: Ending::Whole, hold: None }
    }

    /// Any body.
    pub fn raw(status: u16, kind: &str, body: impl Into<Vec<u8>>) -> Self {
        Self::new(status, kind, body)
    }

    /// A stream of any lines, each an event of its own.
    pub fn stream(events: impl IntoIterator<Item = String>) -> Self {
        Self::new(200, "text/event-stream", events.into_iter().collect::<String>())
    }

    /// A complete answer over OpenAI's wire, streamed in a few deltas.
    pub fn openai_stream(text: &str) -> Self {
        Self::openai_stream_ending(text, "stop")
    }

    /// The same with another reason for the end.
    pub fn openai_stream_ending(text: &str, reason: &str) -> Self {
        let chunk = |choices: Value| json!({"id": "chatcmpl-1", "model": "scripted-1", "choices": choices});
        let delta = |piece: &str| chunk(json!([{"index": 0, "delta": {"content": piece}, "finish_reason": null}]));
        let mut lines: Vec<Value> = pieces(text).iter().map(|piece| delta(piece)).collect();
        lines.push(chunk(json!([{"index": 0, "delta": {}, "finish_reason": reason}])));
        let mut usage = chunk(json!([]));
        // The text of an answer at its limit is a sample: such an answer has as many tokens as were asked for.
        let written = (reason != "length").then(|| text.chars().count());
        usage["usage"] = json!({"prompt_tokens": 100, "completion_tokens": written,
            "prompt_tokens_details": {"cached_tokens": 60}});
        lines.push(usage);
        let lines = lines.iter().map(Value::to_string).chain(["[DONE]".to_owned()]);
        Self::stream(lines.map(|line| format!("data: {line}\n\n")))
    }

    /// A complete answer over Anthropic's wire, streamed in a few deltas.
    pub fn anthropic_stream(text: &str) -> Self {
        Self::anthropic_stream_ending(text, "end_turn")
    }

    /// The same with another reason for the end.
    pub fn anthropic_stream_ending(text: &str, reason: &str) -> Self {
        let mut events = vec![
            json!({"type": "message_start", "message": {"id": "msg_1", "model": "scripted-1",
                "usage": {"input_tokens": 30, "cache_read_input_tokens": 60, "cache_creation_input_tokens": 10,
                          "output_tokens": 1}}}),
            json!({"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": ""}}),
        ];
        events.extend(pieces(text).iter().map(
            |piece| json!({"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": piece}}),
        ));
        events.extend([
            json!({"type": "content_block_stop", "index": 0}),
            json!({"type": "message_delta", "delta": {"stop_reason": reason, "stop_sequence": null},
                   "usage": {"output_tokens": (reason != "max_tokens").then(|| text.chars().count())}}),
            json!({"type": "message_stop"}),
        ]);
        let name = |event: &Value| event["type"].as_str().expect("every event is named").to_owned();
        Self::stream(events.iter().map(|event| format!("event: {}\ndata: {event}\n\n", name(event))))
    }

    /// A complete answer over OpenAI's wire that is JSON.
    pub fn openai_json(value: &Value) -> Self {
        Self::openai_stream(&value.to_string())
    }

    /// A complete answer over Anthropic's wire that is JSON.
    pub fn anthropic_json(value: &Value) -> Self {
        Self::anthropic_stream(&value.to_string())
    }

    /// An error in the form that both wires share.
    pub fn error(status: u16, message: &str) -> Self {
        let body = json!({"type": "error", "error": {"type": "error", "message": message}});
        Self::new(status, "application/json", body.to_string())
    }

    /// No answer at all: the request is read and nothing comes back.
    pub fn mute() -> Self {
        Self { ending: Ending::Mute, ..Self::new(200, "", "") }
    }

    /// Only for a request whose body contains this text; for requests that come in no fixed order.
    pub fn when(self, text: &str) -> Self {
        Self { when: Some(text.to_owned()), ..self }
    }

    /// Held back until something holds; other requests are answered meanwhile.
    pub fn held_until(self, holds: impl Fn(&[Received]) -> bool + Send + Sync + 'static) -> Self {
        Self { hold: Some(Hold(Arc::new(holds))), ..self }
    }

    /// With a header.
    pub fn header(mut self, name: &str, value: &str) -> Self {
        self.headers.push((name.to_owned(), value.to_owned()));
        self
    }

    /// In portions that end at these bytes of the body. The client gets exactly these.
    pub fn portioned(self, ends: &[usize]) -> Self {
        let body = self.body();
        let mut portions = Vec::new();
        let mut from = 0;
        for end in ends.iter().copied().chain([body.len()]) {
            let end = end.clamp(from, body.len());
            portions.push(body[from..end].to_vec());
            from = end;
        }
        Self { portions, ..self }
    }

    /// Only the first bytes of the body, then the connection breaks.
    pub fn cut_after(self, bytes: usize) -> Self {
        self.ending_after(bytes, Ending::Cut)
    }

    /// Only the first bytes of the body, then silence.
    pub fn stalled_after(self, bytes: usize) -> Self {
        self.ending_after(bytes, Ending::Stall)
    }

    fn ending_after(self, bytes: usize, ending: Ending) -> Self {
        let mut body = self.body();
        body.truncate(bytes);
        Self { portions: vec![body], ending, ..self }
    }

    /// The whole body.
    pub fn body(&self) -> Vec<u8> {
        self.portions.concat()
    }

    /// How many bytes of the body there are up to the end of a text in it.
    pub fn until(&self, text: &str) -> usize {
        let body = String::from_utf8(self.body()).expect("the body is text");
        body.find(text).map(|at| at + text.len()).expect("the text is in the body")
    }

    /// How many bytes of the stream there are up to the end of the event with a text in it, its blank line included.
    pub fn through_event(&self, text: &str) -> usize {
        let from = self.until(text);
        let body = self.body();
        let end = body[from..].windows(2).position(|pair| pair == b"\n\n").expect("every event has an end");
        from + end + 2
    }
}

/// A text in three pieces or fewer, none of them empty.
fn pieces(text: &str) -> Vec<String> {
    let chars: Vec<char> = text.chars().collect();
    chars.chunks(chars.len().div_ceil(3).max(1)).map(|piece| piece.iter().collect()).collect()
}

type Respond = Box<dyn FnMut(&Received) -> Option<Answer> + Send>;

#[derive(Default)]
struct Log {
    requests: Vec<Received>,
    surplus: Vec<String>,
    hang_ups: usize,
    stopped: bool,
}

struct Shared {
    log: Mutex<Log>,
    changed: Condvar,
}

impl Shared {
    fn log(&self, write: impl FnOnce(&mut Log)) {
        write(&mut self.read());
        self.changed.notify_all();
    }

    /// A test that has failed with the log in its hand must not fail once more while it is being cleaned up.
    fn read(&self) -> MutexGuard<'_, Log> {
        self.log.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn stopped(&self) -> bool {
        self.read().stopped
    }
}

/// The server; stops when dropped.
pub struct Server {
    address: SocketAddr,
    shared: Arc<Shared>,
    script: Arc<Mutex<Vec<Answer>>>,
    acceptor: Option<JoinHandle<()>>,
}

impl Server {
    /// A server with a script. A request takes the first answer left that is for it.
    pub fn start(answers: impl IntoIterator<Item = Answer>) -> Self {
        let script = Arc::new(Mutex::new(answers.into_iter().collect::<Vec<_>>()));
        let left = Arc::clone(&script);
        let respond = move |request: &Received| {
            let mut left = left.lock().unwrap();
            let fits = |answer: &Answer| answer.when.as_ref().is_none_or(|text| request.body.contains(text));
            left.iter().position(fits).map(|at| left.remove(at))
        };
        Self::run(Box::new(respond), script)
    }

    /// A server that answers any number of requests by a rule.
    pub fn answering(mut rule: impl FnMut(&Received) -> Answer + Send + 'static) -> Self {
        Self::run(Box::new(move |request| Some(rule(request))), Arc::default())
    }

    fn run(respond: Respond, script: Arc<Mutex<Vec<Answer>>>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("loopback has a free port");
        let address = listener.local_addr().expect("a bound socket has an address");
        let shared = Arc::new(Shared { log: Mutex::default(), changed: Condvar::new() });
        let respond = Arc::new(Mutex::new(respond));
        let accepting = Arc::clone(&shared);
        let acceptor = std::thread::spawn(move || {
            for stream in listener.incoming() {
                if accepting.stopped() {
                    return;
                }
                let Ok(stream) = stream else { continue };
                let (shared, respond) = (Arc::clone(&accepting), Arc::clone(&respond));
                // A client that goes away in the middle is part of many tests.
                std::thread::spawn(move || drop(serve(stream, &shared, &respond)));
            }
        });
        Self { address, shared, script, acceptor: Some(acceptor) }
    }

    /// The base URL for OpenAI's wire.
    pub fn openai_url(&self) -> String {
        format!("http://{}/v1", self.address)
    }

    /// The base URL for Anthropic's wire.
    pub fn anthropic_url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// Appends to the script.
    pub fn then(&self, answer: Answer) {
        self.script.lock().unwrap().push(answer);
    }

    /// Every request so far, in the order in which they came.
    pub fn requests(&self) -> Vec<Received> {
        self.shared.read().requests.clone()
    }

    /// Waits until so many clients have hung up on a stalled answer. Blocks: an asynchronous test must go on running
    /// its client meanwhile.
    pub fn wait_for_hang_ups(&self, count: usize) {
        let log = self.shared.read();
        let patience = Duration::from_secs(10);
        let (log, _) = self.shared.changed.wait_timeout_while(log, patience, |log| log.hang_ups < count).unwrap();
        assert!(log.hang_ups >= count, "{} clients hung up, not {count}", log.hang_ups);
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.shared.log(|log| log.stopped = true);
        // Wakes the acceptor.
        drop(TcpStream::connect(self.address));
        if let Some(acceptor) = self.acceptor.take() {
            drop(acceptor.join());
        }
        if std::thread::panicking() {
            return;
        }
        let log = self.shared.read();
        assert!(log.surplus.is_empty(), "requests that the script does not have: {:#?}", log.surplus);
        let left = self.script.lock().unwrap();
        assert!(left.is_empty(), "answers that nobody asked for: {left:#?}");
    }
}

fn serve(stream: TcpStream, shared: &Shared, respond: &Mutex<Respond>) -> std::io::Result<()> {
    stream.set_nodelay(true)?;
    let mut reader = BufReader::new(stream.try_clone()?);
    let Some(request) = receive(&mut reader)? else { return Ok(()) };
    let answer = respond.lock().unwrap()(&request);
    let answer = answer.unwrap_or_else(|| {
        shared.log(|log| log.surplus.push(format!("{} {}\n{}", request.method, request.path, request.body)));
        Answer::error(500, "the script has no answer for this").header("x-should-retry", "false")
    });
    shared.log(|log| log.requests.push(request));
    if let Some(hold) = &answer.hold
        && !wait_for(hold, shared)
    {
        let answer = Answer::error(500, "what the answer waits for did not come").header("x-should-retry", "false");
        return send(stream, &answer, shared);
    }
    send(stream, &answer, shared)
}

/// Waits until the condition holds; gives up after ten seconds, or when the server stops. Conditions about files change
/// without a request, so it is looked at every few milliseconds.
fn wait_for(hold: &Hold, shared: &Shared) -> bool {
    let mut log = shared.read();
    for _ in 0..2000 {
        if hold.0(&log.requests) || log.stopped {
            return true;
        }
        let pause = Duration::from_millis(5);
        log = shared.changed.wait_timeout(log, pause).unwrap_or_else(PoisonError::into_inner).0;
    }
    false
}

fn receive(reader: &mut impl BufRead) -> std::io::Result<Option<Received>> {
    let mut line = String::new();
    if reader.read_line(&mut line)? == 0 {
        return Ok(None);
    }
    let mut words = line.split_whitespace().map(str::to_owned);
    let (method, path) = (words.next().unwrap_or_default(), words.next().unwrap_or_default());
    let mut headers = BTreeMap::new();
    loop {
        let mut line = String::new();
        reader.read_line(&mut line)?;
        let Some((name, value)) = line.trim_end().split_once(':') else { break };
        headers.insert(name.to_lowercase(), value.trim().to_owned());
    }
    let length = headers.get("content-length").and_then(|length| length.parse().ok()).unwrap_or(0);
    let mut body = vec![0; length];
    reader.read_exact(&mut body)?;
    Ok(Some(Received { method, path, headers, body: String::from_utf8_lossy(&body).into_owned() }))
}

fn send(mut stream: TcpStream, answer: &Answer, shared: &Shared) -> std::io::Result<()> {
    if answer.ending != Ending::Mute {
        let mut head =
            format!("HTTP/1.1 {} scripted\r\nconnection: close\r\ntransfer-encoding: chunked\r\n", answer.status);
        for (name, value) in &answer.headers {
            head.push_str(&format!("{name}: {value}\r\n"));
        }
        stream.write_all(format!("{head}\r\n").as_bytes())?;
        // Each portion is a chunk of the transfer encoding, so its boundary survives whatever TCP does.
        for portion in answer.portions.iter().filter(|portion| !portion.is_empty()) {
            stream.write_all(&[format!("{:x}\r\n", portion.len()).as_bytes(), portion, b"\r\n"].concat())?;
        }
    }
    match answer.ending {
        Ending::Whole => stream.write_all(b"0\r\n\r\n"),
        // Without the last chunk the client knows that this is not the end.
        Ending::Cut => Ok(()),
        Ending::Stall | Ending::Mute => {
            stream.set_read_timeout(Some(Duration::from_millis(20)))?;
            while !shared.stopped() {
                match stream.read(&mut [0; 64]) {
                    Ok(1..) => {}
                    Err(error)
                        if matches!(error.kind(), std::io::ErrorKind::WouldBlock | std::io::ErrorKind::TimedOut) => {}
                    Ok(0) | Err(_) => {
                        shared.log(|log| log.hang_ups += 1);
                        break;
                    }
                }
            }
            Ok(())
        }
    }
}
