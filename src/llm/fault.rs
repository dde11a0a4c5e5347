use crate::llm::causes::{Disruption, Mismatch};
use crate::llm::key::{BLOT, masked};
use crate::llm::reply::Usage;
use secrecy::{ExposeSecret, SecretString};
use std::time::Duration;
use thiserror::Error;

/// Why a call gave no answer. Messages are the server's own words without keys.
#[derive(Clone, Debug, PartialEq)]
pub enum Fault {
    /// The key is missing, wrong or revoked (401).
    Unauthorized { message: String },
    /// The key has characters that no key has, so that it was not sent.
    MalformedKey,
    /// The key is good but not for this (403).
    Forbidden { message: String },
    /// No such model, or no such address (404).
    UnknownModel { message: String },
    /// Too many requests in too short a time (429).
    RateLimited { retry_after: Option<Duration>, message: String },
    /// The server is overloaded or still loading (503, 529).
    Overloaded { message: String },
    /// A spending cap that the account's owner set has been reached; waiting does not help.
    SpendLimit { message: String },
    /// The account has no money or quota left (402 and friends).
    Billing { message: String },
    /// Prompt and answer do not fit the model's context.
    ContextTooLong { limit: Option<u64>, sent: Option<u64>, message: String },
    /// The server rejects the request (400, 422).
    BadRequest { status: u16, message: String },
    /// Nothing came in time.
    Timeout { phase: TimeoutPhase, after: Duration, partial: String },
    /// The connection broke, or the server gave up the answer, after it had begun.
    CutStream { partial: String, why: Disruption },
    /// The server complained after text had come, which is paid for.
    Midway { why: Box<Self>, partial: String },
    /// The answer was cut at a limit.
    Truncated { partial: String, limit: Limit },
    /// The answer repeated itself endlessly and was broken off to save its cost.
    Circling { partial: String },
    /// The model or a filter of the provider declined.
    Refused { reason: String, partial: String },
    /// A complete answer with nothing in it.
    Empty,
    /// The user stopped the call.
    Stopped { partial: String },
    /// The server could not be reached.
    Network { why: Disruption },
    /// The server failed (5xx, 408, 409).
    Server { status: u16, message: String },
    /// The answer is not in the expected wire format: probably the wrong address or wire.
    Protocol { mismatch: Mismatch },
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TimeoutPhase {
    Connect,
    FirstByte,
    /// The next byte of an answer that had begun.
    Idle,
    /// The end of the whole attempt.
    Total,
}

impl TimeoutPhase {
    const ALL: [Self; 4] = [Self::Connect, Self::FirstByte, Self::Idle, Self::Total];
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Limit {
    /// The maximum of output tokens that the request sets.
    OutputTokens,
    /// The model's context window, or a limit of the server's own below the one that was asked for.
    Context,
    /// The maximum of output tokens, used up by thinking before any text came.
    Thinking,
}

/// The text in records for [`Fault::MalformedKey`].
const MALFORMED_KEY: &str = "the key has characters that no key has";

/// Text for logs; reports have their own words for the author.
impl std::fmt::Display for Fault {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let (kind, detail) = (self.kind(), self.detail());
        if detail.is_empty() { f.write_str(kind) } else { write!(f, "{kind}: {detail}") }
    }
}

impl std::error::Error for Fault {}

impl Fault {
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Unauthorized { .. } | Self::MalformedKey => "unauthorized",
            Self::Forbidden { .. } => "forbidden",
            Self::UnknownModel { .. } => "unknown_model",
            Self::RateLimited { .. } => "rate_limited",
            Self::Overloaded { .. } => "overloaded",
            Self::SpendLimit { .. } => "spend_limit",
            Self::Billing { .. } => "billing",
            Self::ContextTooLong { .. } => "context_too_long",
            Self::BadRequest { .. } => "bad_request",
            Self::Timeout { .. } => "timeout",
            Self::CutStream { .. } => "cut_stream",
            Self::Midway { why, .. } => why.kind(),
            Self::Truncated { .. } => "truncated",
            Self::Circling { .. } => "circling",
            Self::Refused { .. } => "refused",
            Self::Empty => "empty",
            Self::Stopped { .. } => "stopped",
            Self::Network { .. } => "network",
            Self::Server { .. } => "server",
            Self::Protocol { .. } => "protocol",
        }
    }

    /// A prompt that needs so many tokens with its answer, and is not sent to a model that holds fewer.
    pub fn unsent(needed: u64, limit: u64) -> Self {
        Self::ContextTooLong { limit: Some(limit), sent: Some(needed), message: String::new() }
    }

    /// The fault itself, whether or not text came before it.
    pub fn cause(&self) -> &Self {
        match self {
            Self::Midway { why, .. } => why,
            other => other,
        }
    }

    /// The wait that the server's words ask for.
    pub(super) fn asked_wait(&self) -> Option<Duration> {
        match self.cause() {
            Self::RateLimited { retry_after, .. } => *retry_after,
            _ => None,
        }
    }

    /// True when a repeated request may succeed.
    pub fn is_retryable(&self) -> bool {
        match self {
            Self::Midway { why, .. } => why.is_retryable(),
            Self::RateLimited { .. }
            | Self::Overloaded { .. }
            | Self::Timeout { .. }
            | Self::CutStream { .. }
            | Self::Empty
            | Self::Network { .. }
            | Self::Server { .. } => true,
            _ => false,
        }
    }

    /// True when the server is overloaded, failing or out of reach for now, so that the request passes later: too many
    /// requests, server errors, refused connections, connections dropped before any text came.
    pub fn is_overload(&self) -> bool {
        match self {
            Self::RateLimited { .. } | Self::Overloaded { .. } | Self::Network { .. } => true,
            // A server does not gain a missing function within ten minutes, and one that complains with a success, in words
            // of no known class, is not busy.
            Self::Server { status, .. } => !matches!(status, 200 | 501 | 505),
            Self::CutStream { partial, .. } => partial.is_empty(),
            Self::Midway { why, .. } => why.is_overload(),
            _ => false,
        }
    }

    /// True when the fault is about what was asked, and not about the account or the server.
    pub fn is_of_question(&self) -> bool {
        match self {
            Self::Midway { why, .. } => why.is_of_question(),
            Self::ContextTooLong { .. }
            | Self::BadRequest { .. }
            | Self::Truncated { .. }
            | Self::Circling { .. }
            | Self::Refused { .. }
            | Self::Empty
            | Self::Protocol { .. } => true,
            _ => false,
        }
    }

    pub fn partial(&self) -> Option<&str> {
        match self {
            Self::Timeout { partial, .. }
            | Self::CutStream { partial, .. }
            | Self::Truncated { partial, .. }
            | Self::Circling { partial }
            | Self::Stopped { partial }
            | Self::Midway { partial, .. }
            | Self::Protocol { mismatch: Mismatch::UnknownEnd { partial, .. } }
            | Self::Refused { partial, .. } => Some(partial.as_str()).filter(|text| !text.is_empty()),
            _ => None,
        }
    }

    pub fn words(&self) -> &str {
        match self {
            Self::Unauthorized { message }
            | Self::Forbidden { message }
            | Self::UnknownModel { message }
            | Self::RateLimited { message, .. }
            | Self::Overloaded { message }
            | Self::SpendLimit { message }
            | Self::Billing { message }
            | Self::ContextTooLong { message, .. }
            | Self::BadRequest { message, .. }
            | Self::Server { message, .. }
            | Self::Refused { reason: message, .. } => message,
            Self::Midway { why, .. } => why.words(),
            Self::CutStream { why, .. } | Self::Network { why } => why.words(),
            _ => "",
        }
    }

    /// The fault beyond its kind: the server's words, or figures.
    pub(super) fn detail(&self) -> String {
        match self {
            Self::BadRequest { status, message } | Self::Server { status, message } => {
                format!("{status} {message}").trim_end().to_owned()
            }
            Self::ContextTooLong { limit: Some(limit), sent, message } => {
                let sizes = match sent {
                    Some(sent) => format!("{sent} of {limit} tokens"),
                    None => format!("more than {limit} tokens"),
                };
                if message.is_empty() { sizes } else { format!("{sizes}: {message}") }
            }
            Self::Timeout { phase, after, .. } => format!("{} s, {phase:?}", after.as_secs_f64()),
            Self::Truncated { limit, .. } => format!("{limit:?}"),
            Self::MalformedKey => MALFORMED_KEY.to_owned(),
            Self::Protocol { mismatch } => mismatch.to_string(),
            Self::CutStream { why, .. } | Self::Network { why } => why.to_string(),
            Self::Midway { why, .. } => why.detail(),
            _ => self.words().to_owned(),
        }
    }

    /// Restores a recorded fault from its [`Fault::kind`] and its detail. `None` for a kind that this version does not
    /// know.
    pub fn of_record(kind: &str, detail: &str, partial: Option<&str>) -> Option<Self> {
        let message = detail.to_owned();
        let text = partial.unwrap_or_default().to_owned();
        let partial = String::new();
        let with_status = || {
            let (status, words) = detail.split_once(' ').unwrap_or((detail, ""));
            Some((status.parse::<u16>().ok()?, words.to_owned()))
        };
        let fault = match kind {
            "unauthorized" if detail == MALFORMED_KEY => Self::MalformedKey,
            "unauthorized" => Self::Unauthorized { message },
            "forbidden" => Self::Forbidden { message },
            "unknown_model" => Self::UnknownModel { message },
            "rate_limited" => Self::RateLimited { retry_after: None, message },
            "overloaded" => Self::Overloaded { message },
            "spend_limit" => Self::SpendLimit { message },
            "billing" => Self::Billing { message },
            "context_too_long" => {
                let (sizes, words) = match detail.split_once(": ") {
                    Some((sizes, words)) if sizes.ends_with(" tokens") => (sizes, words),
                    _ if detail.ends_with(" tokens") => (detail, ""),
                    _ => ("", detail),
                };
                let tokens: Vec<u64> = sizes.split(' ').filter_map(|word| word.parse().ok()).collect();
                let (sent, limit) = match tokens[..] {
                    [sent, limit] => (Some(sent), Some(limit)),
                    [limit] => (None, Some(limit)),
                    _ => (None, None),
                };
                Self::ContextTooLong { limit, sent, message: words.to_owned() }
            }
            "bad_request" => with_status().map(|(status, message)| Self::BadRequest { status, message })?,
            "server" => with_status().map(|(status, message)| Self::Server { status, message })?,
            "timeout" => {
                let (seconds, phase) = detail.split_once(" s, ")?;
                let phase = TimeoutPhase::ALL.into_iter().find(|known| format!("{known:?}") == phase)?;
                let after = Duration::try_from_secs_f64(seconds.parse().ok()?).ok()?;
                Self::Timeout { phase, after, partial }
            }
            "cut_stream" => Self::CutStream { partial, why: Disruption::of_record(detail) },
            "truncated" => {
                let limits = [Limit::OutputTokens, Limit::Context, Limit::Thinking];
                let limit = limits.into_iter().find(|known| format!("{known:?}") == detail)?;
                Self::Truncated { partial, limit }
            }
            "circling" => Self::Circling { partial },
            "refused" => Self::Refused { reason: message, partial },
            "empty" => Self::Empty,
            "stopped" => Self::Stopped { partial },
            "network" => Self::Network { why: Disruption::of_record(detail) },
            "protocol" => Self::Protocol { mismatch: Mismatch::of_record(detail) },
            _ => return None,
        };
        Some(fault.with_partial(text))
    }

    fn words_mut(&mut self) -> Option<&mut String> {
        match self {
            Self::Unauthorized { message }
            | Self::Forbidden { message }
            | Self::UnknownModel { message }
            | Self::RateLimited { message, .. }
            | Self::Overloaded { message }
            | Self::SpendLimit { message }
            | Self::Billing { message }
            | Self::ContextTooLong { message, .. }
            | Self::BadRequest { message, .. }
            | Self::Server { message, .. }
            | Self::Refused { reason: message, .. } => Some(message),
            Self::Midway { why, .. } => why.words_mut(),
            Self::CutStream { why, .. } | Self::Network { why } => why.words_mut(),
            Self::Protocol { mismatch } => mismatch.words_mut(),
            Self::MalformedKey
            | Self::Timeout { .. }
            | Self::Truncated { .. }
            | Self::Circling { .. }
            | Self::Stopped { .. }
            | Self::Empty => None,
        }
    }

    /// The partial text of faults that can have one.
    fn partial_mut(&mut self) -> Option<&mut String> {
        match self {
            Self::Timeout { partial, .. }
            | Self::CutStream { partial, .. }
            | Self::Truncated { partial, .. }
            | Self::Circling { partial }
            | Self::Stopped { partial }
            | Self::Midway { partial, .. }
            | Self::Protocol { mismatch: Mismatch::UnknownEnd { partial, .. } }
            | Self::Refused { partial, .. } => Some(partial),
            _ => None,
        }
    }

    /// Adds the text that came before the fault, which is paid for. A fault that text contradicts becomes a cut: such a
    /// request was not wrong, and the text has to be kept.
    pub(super) fn with_partial(mut self, text: String) -> Self {
        if let Some(partial) = self.partial_mut() {
            *partial = text;
            return self;
        }
        match self {
            fault if text.is_empty() => fault,
            Self::ContextTooLong { .. } => Self::Truncated { partial: text, limit: Limit::Context },
            Self::BadRequest { message, .. } => Self::CutStream { partial: text, why: Disruption::Other(message) },
            Self::Protocol { mismatch: mismatch @ Mismatch::NotJson(..) } => {
                Self::CutStream { partial: text, why: Disruption::Other(mismatch.to_string()) }
            }
            fault => Self::Midway { why: Box::new(fault), partial: text },
        }
    }

    /// Redacts keys in the server's words and in the beginning of an answer.
    pub(super) fn redacted(mut self, own: &[SecretString]) -> Self {
        if let Some(words) = self.words_mut() {
            *words = redact(words, own);
        }
        if let Some(partial) = self.partial_mut() {
            *partial = masked(partial, own).into_owned();
        }
        self
    }

    /// Maps every foreign text in the fault (the server's words, the beginning of an answer).
    #[must_use]
    pub fn with_texts(mut self, change: impl Fn(&str) -> String) -> Self {
        if let Some(words) = self.words_mut() {
            *words = change(words);
        }
        if let Some(partial) = self.partial_mut() {
            *partial = change(partial);
        }
        self
    }
}

/// A call without an answer after all attempts.
#[derive(Clone, Debug, PartialEq, Error)]
#[error("{fault}")]
pub struct CallFailure {
    #[source]
    pub fault: Fault,
    /// The number of requests sent; 0 when sending was pointless.
    pub attempts: u32,
    /// The wait that the server asked for last, if any.
    pub asked_wait: Option<Duration>,
    /// The usage of all attempts, which is paid for without an answer.
    pub usage: Usage,
    /// The variable or the file that holds the key of the call.
    pub key_source: Option<String>,
    /// True when the fault may pass, and the call leaves it to the caller to keep the text and to ask for the rest.
    pub leaves_rest: bool,
}

/// Shorter keys are placeholders for local servers (`x`, `EMPTY`): no secret, and redacting them garbles words.
const SHORTEST_KEY: usize = 6;

/// Redacts the keys that [`masked`] finds, the first of `own` however short a word it is, and any run that starts like a
/// provider's key (`sk-…`), because servers quote a part of the key they reject.
pub fn redact(text: &str, own: &[SecretString]) -> String {
    let text = match own.first().map(|key| key.expose_secret().trim()) {
        Some(key) if key.len() >= SHORTEST_KEY => text.replace(key, BLOT),
        _ => text.to_owned(),
    };
    let mut out = String::with_capacity(text.len());
    let mut rest = text.as_str();
    while let Some(at) = rest.find("sk-") {
        let starts_a_word = !rest[..at].ends_with(|c: char| c.is_ascii_alphanumeric());
        let length = rest[at..].find(|c: char| !(c.is_ascii_alphanumeric() || "-_*.".contains(c)));
        let end = at + length.unwrap_or(rest.len() - at);
        out.push_str(&rest[..at]);
        // Shorter runs are words such as `sk-learn`.
        if starts_a_word && end - at >= 12 {
            out.push_str(BLOT);
        } else {
            out.push_str(&rest[at..end]);
        }
        rest = &rest[end..];
    }
    out.push_str(rest);
    masked(&out, own).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::llm::causes::Document;

    #[test]
    fn a_recorded_fault_is_read_back() {
        let message = || "busy, 请稍候".to_owned();
        let partial = || "半".to_owned();
        let seconds = Duration::from_millis(1500);
        let mut faults = vec![
            Fault::Unauthorized { message: message() },
            Fault::MalformedKey,
            Fault::Forbidden { message: message() },
            Fault::UnknownModel { message: message() },
            Fault::RateLimited { retry_after: None, message: message() },
            Fault::Overloaded { message: message() },
            Fault::SpendLimit { message: message() },
            Fault::Billing { message: message() }.with_partial(partial()),
            Fault::Overloaded { message: message() }.with_partial(partial()),
            Fault::ContextTooLong { limit: Some(4096), sent: Some(5000), message: message() },
            Fault::ContextTooLong { limit: Some(4096), sent: None, message: String::new() },
            Fault::ContextTooLong { limit: None, sent: None, message: message() },
            Fault::BadRequest { status: 400, message: message() },
            Fault::Server { status: 500, message: String::new() },
            Fault::CutStream { partial: partial(), why: Disruption::Other(message()) },
            Fault::CutStream { partial: partial(), why: Disruption::EndedEarly },
            Fault::Truncated { partial: partial(), limit: Limit::Context },
            Fault::Circling { partial: partial() },
            Fault::Refused { reason: message(), partial: String::new() },
            Fault::Empty,
            Fault::Stopped { partial: partial() },
            Fault::Network { why: Disruption::Other(message()) },
            Fault::Network { why: Disruption::Refused },
        ];
        faults.extend(TimeoutPhase::ALL.map(|phase| Fault::Timeout { phase, after: seconds, partial: partial() }));
        let mismatches = [
            Mismatch::NotJson(Document::Event, message()),
            Mismatch::Lacks(Document::Models, "data"),
            Mismatch::OtherDocument(message()),
            Mismatch::NoAnswer,
            Mismatch::TooLarge,
            Mismatch::NotUrl,
            Mismatch::NoConnections(message()),
            Mismatch::UnencryptedKey,
            Mismatch::WebPage,
            Mismatch::Redirected(302),
            Mismatch::UnknownEnd { reason: message(), partial: partial() },
            Mismatch::ManyMemories(message()),
            Mismatch::Lacks(Document::Memories, "results"),
            Mismatch::NoMem0,
            Mismatch::OldMem0("infer"),
            Mismatch::OtherMemory,
            Mismatch::BadMemoryId,
            Mismatch::Other(message()),
        ];
        faults.extend(mismatches.map(|mismatch| Fault::Protocol { mismatch }));
        for fault in faults {
            let read = Fault::of_record(fault.kind(), &fault.detail(), fault.partial());
            assert_eq!(read.as_ref(), Some(&fault));
        }
        assert_eq!(Fault::of_record("of a later version", "", None), None);
    }

    #[test]
    fn keys_never_survive_in_a_fault() {
        let fault =
            Fault::Unauthorized { message: "bad key local-secret (sk-proj-abcd1234****wxyz), 请检查".into() };
        let shown = fault.redacted(&["local-secret".into()]).to_string();
        assert_eq!(shown, "unauthorized: bad key [key] ([key]), 请检查");
        let partial = ["雨停了。", "ghp_0123456789abcdefghijklmnopqrstuv", "local-secret"].join(" ");
        let fault = Fault::Stopped { partial }.redacted(&["local-secret".into()]);
        assert_eq!(fault.partial(), Some("雨停了。 [key] [key]"));
        assert_eq!(redact("risk-free, sk-learn", &["k".into()]), "risk-free, sk-learn");
    }
}
