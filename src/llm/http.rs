//! Requests over HTTP with time limits. The only user of `reqwest`.

use crate::llm::causes::{Disruption, Document, Lookup, Mismatch, words};
use crate::llm::endpoint::{self, Endpoint, Wire};
use crate::llm::fault::{Fault, TimeoutPhase};
use crate::llm::reply::{Reply, Usage};
use crate::llm::retry::Advice;
use crate::llm::stream_reader::{self, StreamReader};
use crate::llm::think::StreamPiece;
use crate::llm::{anthropic, error_body, openai};
use reqwest::header::{AUTHORIZATION, CONTENT_TYPE, HeaderMap, HeaderName, HeaderValue};
use reqwest::{Method, Url, redirect};
use secrecy::{ExposeSecret, SecretString};
use serde_json::Value;
use std::future::Future;
use std::sync::{Once, OnceLock};
use std::time::Duration;
use tokio::time::Instant;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Timeouts {
    pub connect: Duration,
    /// From sending to the first byte of the answer's body; a server on a slow machine reads the whole prompt first.
    pub first_byte: Duration,
    /// Between two portions of the answer; keep-alive signs count.
    pub idle: Duration,
    /// For a whole attempt.
    pub total: Duration,
}

impl Default for Timeouts {
    /// 20 s to connect, 10 minutes to begin (as in the providers' own libraries), 3 minutes of silence, 45 minutes in
    /// all.
    fn default() -> Self {
        let minutes = |minutes: u64| Duration::from_secs(60 * minutes);
        Self { connect: Duration::from_secs(20), first_byte: minutes(10), idle: minutes(3), total: minutes(45) }
    }
}

#[derive(Debug)]
pub(super) struct HttpFailure {
    pub(super) fault: Fault,
    pub(super) advice: Advice,
    pub(super) usage: Usage,
}

impl From<Fault> for HttpFailure {
    fn from(fault: Fault) -> Self {
        Self { fault, advice: Advice::default(), usage: Usage::default() }
    }
}

/// The most bytes that are read of an answer: more than any model writes, and than a thousand memories.
const LARGEST_ANSWER: usize = 64 << 20;

/// The most bytes that are read of an error or a list of models.
const LARGEST_DOCUMENT: usize = 4 << 20;

/// The connections to one server, made at the first use: commands without a model call neither read certificates nor
/// fail for want of them.
#[derive(Debug)]
pub(super) struct Transport {
    connections: OnceLock<Result<reqwest::Client, Fault>>,
    pub(super) timeouts: Timeouts,
}

/// Sizes in tokens.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sizes {
    /// Estimated tokens of the prompt.
    pub(super) sent: u64,
    /// The limit on the answer.
    pub(super) most: u32,
    /// The part of the limit that is not meant for thinking.
    pub(super) text: u32,
}

impl Transport {
    pub(super) fn new(timeouts: Timeouts) -> Self {
        Self { connections: OnceLock::new(), timeouts }
    }

    fn connections(&self, url: &Url) -> Result<&reqwest::Client, Fault> {
        self.connections.get_or_init(|| connect(url, self.timeouts)).as_ref().map_err(Clone::clone)
    }

    /// Sends one request; `on` receives the portions of the answer.
    pub(super) async fn ask(
        &self,
        endpoint: &Endpoint,
        body: &Value,
        Sizes { sent, most, text }: Sizes,
        on: &mut dyn FnMut(StreamPiece),
    ) -> Result<Reply, HttpFailure> {
        let url = match endpoint.wire {
            Wire::Anthropic => anthropic::url(&endpoint.base_url),
            Wire::OpenAi => openai::url(&endpoint.base_url),
        };
        let address = parse(&url)?;
        let request = self
            .connections(&address)?
            .post(address.clone())
            .headers(headers(endpoint, &address, Some(body))?)
            .header(CONTENT_TYPE, "application/json")
            .body(body.to_string());
        let patience = Patience::new(self.timeouts);
        let mut response = patience.response(request).await?;
        check_status(&mut response, &patience).await?;

        let kind = response.headers().get(CONTENT_TYPE).and_then(|kind| kind.to_str().ok()).unwrap_or_default();
        if kind.contains("html") {
            return Err(Fault::Protocol { mismatch: Mismatch::WebPage }.into());
        }
        if kind.contains("json") && !kind.contains("stream") {
            let body = document(&mut response, &patience, LARGEST_ANSWER).await?;
            return stream_reader::read_whole(endpoint.wire, &body, sent).map_err(|(fault, usage)| HttpFailure {
                fault,
                usage,
                advice: Advice::default(),
            });
        }
        stream(&mut response, &patience, StreamReader::new(endpoint.wire).at_most(most).with_text(text), sent, on).await
    }

    pub(super) async fn models(&self, endpoint: &Endpoint) -> Result<Vec<String>, HttpFailure> {
        let url = match endpoint.wire {
            Wire::Anthropic => anthropic::models_url(&endpoint.base_url),
            Wire::OpenAi => openai::models_url(&endpoint.base_url),
        };
        let address = parse(&url)?;
        let request = self.connections(&address)?.get(address.clone()).headers(headers(endpoint, &address, None)?);
        let patience = Patience::new(self.timeouts);
        let mut response = patience.response(request).await?;
        check_status(&mut response, &patience).await?;
        let body = document(&mut response, &patience, LARGEST_DOCUMENT).await?;
        let list: Value = serde_json::from_str(&body)
            .map_err(|error| Fault::Protocol { mismatch: Mismatch::NotJson(Document::Models, error.to_string()) })?;
        let Some(models) = list.get("data").and_then(Value::as_array) else {
            if let Some(complaint) = error_body::from_success(&list) {
                return Err(complaint.into());
            }
            return Err(Fault::Protocol { mismatch: Mismatch::Lacks(Document::Models, "data") }.into());
        };
        Ok(models.iter().filter_map(|model| model.get("id")?.as_str()).map(str::to_owned).collect())
    }

    /// Calls a service that is no model and answers in JSON.
    pub(super) async fn json(&self, call: &JsonCall<'_>) -> Result<Value, Fault> {
        let mut address = parse(&call.url)?;
        if !call.query.is_empty() {
            address.query_pairs_mut().extend_pairs(&call.query);
        }
        let mut request = self.connections(&address)?.request(call.method.clone(), address.clone());
        if let Some(key) = call.key {
            must_be_private(&address, call.plain_http)?;
            request = request.header(API_KEY, secret(key.expose_secret().trim())?);
        }
        if let Some(body) = &call.body {
            request = request.json(body);
        }
        let patience = Patience::new(self.timeouts);
        let mut response = patience.response(request).await?;
        check_status(&mut response, &patience).await.map_err(|failed| failed.fault)?;
        let body = document(&mut response, &patience, LARGEST_ANSWER).await?;
        serde_json::from_str(&body)
            .map_err(|error| Fault::Protocol { mismatch: Mismatch::NotJson(Document::Answer, error.to_string()) })
    }
}

pub(super) struct JsonCall<'a> {
    pub(super) method: Method,
    pub(super) url: String,
    pub(super) query: Vec<(&'static str, String)>,
    pub(super) body: Option<Value>,
    /// Sent as `X-API-Key`.
    pub(super) key: Option<&'a SecretString>,
    /// The host to which the key may be sent over plain http.
    pub(super) plain_http: Option<&'a str>,
}

fn parse(url: &str) -> Result<Url, Fault> {
    // The error does not quote the address, which may hold a password.
    Url::parse(url)
        .ok()
        .filter(|url| matches!(url.scheme(), "http" | "https"))
        .ok_or(Fault::Protocol { mismatch: Mismatch::NotUrl })
}

fn connect(url: &Url, timeouts: Timeouts) -> Result<reqwest::Client, Fault> {
    static PROVIDER: Once = Once::new();
    PROVIDER.call_once(|| {
        // An error means that the process has a provider already, which serves as well.
        let _ = rustls::crypto::ring::default_provider().install_default();
    });
    let mut builder = reqwest::Client::builder()
        .user_agent(concat!("novel/", env!("CARGO_PKG_VERSION")))
        .connect_timeout(timeouts.connect)
        .dns_resolver(Lookup)
        // A key must not follow a redirect to another host, and no server redirects an API.
        .redirect(redirect::Policy::none());
    if url.scheme() == "http" {
        // Plain http needs no certificates, and a machine without any must not fail.
        builder = builder.tls_certs_only([]);
    }
    if endpoint::is_loopback(url) {
        // A system-wide proxy is for the outside world and cannot reach this machine.
        builder = builder.no_proxy();
    }
    builder.build().map_err(|error| Fault::Protocol { mismatch: Mismatch::NoConnections(words(&error.without_url())) })
}

fn headers(endpoint: &Endpoint, to: &Url, body: Option<&Value>) -> Result<HeaderMap, Fault> {
    let mut headers = HeaderMap::new();
    if endpoint.wire == Wire::Anthropic {
        let version = body.map_or(anthropic::VERSION, anthropic::version);
        headers.insert("anthropic-version", HeaderValue::from_static(version));
    }
    if let Some(key) = &endpoint.key {
        must_be_private(to, endpoint.plain_http.as_deref())?;
        let key = key.expose_secret().trim();
        match endpoint.wire {
            // Anthropic and all that imitate it take this form; the newer bearer form is not as common.
            Wire::Anthropic => headers.insert(API_KEY, secret(key)?),
            Wire::OpenAi => headers.insert(AUTHORIZATION, secret(&format!("Bearer {key}"))?),
        };
    }
    Ok(headers)
}

const API_KEY: HeaderName = HeaderName::from_static("x-api-key");

/// Refuses to send a key over plain http, except to this machine and to the host that the user has named.
fn must_be_private(to: &Url, plain_http: Option<&str>) -> Result<(), Fault> {
    let permitted = plain_http.is_some() && plain_http == to.host_str();
    if to.scheme() == "https" || endpoint::is_loopback(to) || permitted {
        return Ok(());
    }
    Err(Fault::Protocol { mismatch: Mismatch::UnencryptedKey })
}

/// A header value that is never logged.
fn secret(value: &str) -> Result<HeaderValue, Fault> {
    let unusable = || Fault::MalformedKey;
    let mut value = HeaderValue::from_str(value).map_err(|_| unusable())?;
    value.set_sensitive(true);
    Ok(value)
}

struct Patience {
    timeouts: Timeouts,
    begun: Instant,
}

impl Patience {
    fn new(timeouts: Timeouts) -> Self {
        Self { timeouts, begun: Instant::now() }
    }

    /// The output of a future, or a fault without partial text when the time is up.
    async fn wait<T>(&self, phase: TimeoutPhase, future: impl Future<Output = T>) -> Result<T, Fault> {
        let now = Instant::now();
        let (limit, from) = match phase {
            TimeoutPhase::Idle => (self.timeouts.idle, now),
            _ => (self.timeouts.first_byte, self.begun),
        };
        let deadline = (from + limit).min(self.begun + self.timeouts.total);
        tokio::time::timeout_at(deadline, future).await.map_err(|_| {
            if deadline < from + limit {
                Fault::Timeout { phase: TimeoutPhase::Total, after: self.timeouts.total, partial: String::new() }
            } else {
                Fault::Timeout { phase, after: limit, partial: String::new() }
            }
        })
    }

    async fn response(&self, request: reqwest::RequestBuilder) -> Result<reqwest::Response, Fault> {
        self.wait(TimeoutPhase::FirstByte, request.send()).await?.map_err(|error| {
            if error.is_timeout() {
                let after = self.timeouts.connect;
                return Fault::Timeout { phase: TimeoutPhase::Connect, after, partial: String::new() };
            }
            Fault::Network { why: Disruption::of(error) }
        })
    }
}

async fn check_status(response: &mut reqwest::Response, patience: &Patience) -> Result<(), HttpFailure> {
    let status = response.status();
    if status.is_success() {
        return Ok(());
    }
    if status.is_redirection() {
        return Err(Fault::Protocol { mismatch: Mismatch::Redirected(status.as_u16()) }.into());
    }
    let advice = Advice::read(|name| response.headers().get(name).and_then(|value| value.to_str().ok()));
    // The status suffices when the explanation is lost.
    let body = document(response, patience, LARGEST_DOCUMENT).await.unwrap_or_default();
    let fault = error_body::from_response(status.as_u16(), advice.retry_after, &body);
    Err(HttpFailure { fault, advice, usage: Usage::default() })
}

async fn document(response: &mut reqwest::Response, patience: &Patience, largest: usize) -> Result<String, Fault> {
    let mut body = Vec::new();
    while let Some(bytes) = portion(response, patience, TimeoutPhase::Idle).await? {
        body.extend_from_slice(&bytes);
        if body.len() > largest {
            return Err(Fault::Protocol { mismatch: Mismatch::TooLarge });
        }
    }
    Ok(String::from_utf8_lossy(&body).into_owned())
}

async fn portion(
    response: &mut reqwest::Response,
    patience: &Patience,
    phase: TimeoutPhase,
) -> Result<Option<Vec<u8>>, Fault> {
    patience
        .wait(phase, response.chunk())
        .await?
        .map(|bytes| bytes.map(|bytes| bytes.to_vec()))
        .map_err(|error| Fault::CutStream { partial: String::new(), why: Disruption::of(error) })
}

async fn stream(
    response: &mut reqwest::Response,
    patience: &Patience,
    mut reading: StreamReader,
    sent: u64,
    on: &mut dyn FnMut(StreamPiece),
) -> Result<Reply, HttpFailure> {
    let mut phase = TimeoutPhase::FirstByte;
    let mut read = 0;
    let broken = loop {
        match portion(response, patience, phase).await {
            Ok(Some(bytes)) => {
                phase = TimeoutPhase::Idle;
                read += bytes.len();
                if read > LARGEST_ANSWER {
                    break Fault::Protocol { mismatch: Mismatch::TooLarge };
                }
                match reading.push(&bytes) {
                    Ok(deltas) => deltas.into_iter().for_each(&mut *on),
                    Err(fault) => break fault,
                }
                if !reading.is_over() {
                    continue;
                }
            }
            Ok(None) => {}
            // A broken connection after the reason for the end leaves the answer complete.
            Err(_) if reading.has_ended() => {}
            Err(fault) => break fault,
        }
        let advice = Advice::default();
        return reading.finish(sent).map_err(|(fault, usage)| HttpFailure { fault, usage, advice });
    };
    let usage = reading.usage(sent);
    Err(HttpFailure { fault: broken.with_partial(reading.partial()), usage, advice: Advice::default() })
}
