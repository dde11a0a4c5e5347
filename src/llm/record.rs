//! The record of a call: request, outcome, usage. Versioned, and never with a key.

use crate::llm::endpoint::{Endpoint, JsonMode, Wire};
use crate::llm::fault::{CallFailure, Fault};
use crate::llm::price::Cost;
use crate::llm::reply::{Reply, Usage};
use crate::llm::request::Request;
use serde::{Deserialize, Serialize};

pub const SCHEMA_VERSION: u32 = 1;

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Call {
    /// [`SCHEMA_VERSION`] at the time of writing.
    pub schema_version: u32,
    /// Start of the call, RFC 3339.
    pub started_at: String,
    /// Milliseconds, waits included.
    pub duration_ms: u64,
    /// The endpoint's name in the settings.
    pub endpoint: String,
    pub wire: Wire,
    pub request: Request,
    pub outcome: RecordedOutcome,
    /// The faults of the attempts before the last one. Text in them was paid for.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub earlier: Vec<RecordedOutcome>,
    pub attempts: u32,
    pub usage: Usage,
    /// Absent when the price is not known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cost: Option<Cost>,
    /// The way of asking for JSON. The name in files is an older one.
    #[serde(default, rename = "rung", skip_serializing_if = "Option::is_none")]
    pub json_mode: Option<JsonMode>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", tag = "kind")]
pub enum RecordedOutcome {
    Reply(Box<Reply>),
    Fault {
        /// [`crate::llm::Fault::kind`].
        fault: String,
        message: String,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        partial: Option<String>,
    },
}

/// Times that only the caller knows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Timing {
    /// Start of the call, RFC 3339.
    pub started_at: String,
    pub duration_ms: u64,
}

impl RecordedOutcome {
    fn of(fault: &Fault) -> Self {
        Self::Fault {
            fault: fault.kind().to_owned(),
            message: fault.detail(),
            partial: fault.partial().map(str::to_owned),
        }
    }
}

impl Call {
    pub fn new(endpoint: &Endpoint, request: &Request, result: &Result<Reply, CallFailure>, timing: Timing) -> Self {
        let (outcome, attempts, usage, json_mode) = match result {
            Ok(reply) => {
                let mut usage = reply.usage;
                usage += reply.wasted;
                (RecordedOutcome::Reply(Box::new(reply.clone())), reply.attempts, usage, reply.json_mode)
            }
            Err(failure) => (RecordedOutcome::of(&failure.fault), failure.attempts, failure.usage, None),
        };
        Self {
            schema_version: SCHEMA_VERSION,
            started_at: timing.started_at,
            duration_ms: timing.duration_ms,
            endpoint: endpoint.name.clone(),
            wire: endpoint.wire,
            request: request.clone(),
            outcome,
            earlier: Vec::new(),
            attempts,
            usage,
            cost: None,
            json_mode,
        }
    }

    /// Adds the faults of the call's earlier attempts.
    pub fn with_earlier(self, faults: &[Fault]) -> Self {
        let earlier = faults.iter().map(RecordedOutcome::of).collect();
        Self { earlier, ..self }
    }

    pub fn with_cost(self, cost: Option<Cost>) -> Self {
        Self { cost, ..self }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::llm::{AnswerForm, Disruption, Limit, MessagePart, Sampling, preset};

    #[test]
    fn a_record_comes_back_as_it_was_and_has_no_key() {
        let endpoint = preset::find("deepseek").unwrap().endpoint("deepseek-flash", Some("sk-very-secret-key".into()));
        let request = Request {
            model: "deepseek-flash".into(),
            system: "你是编辑".into(),
            prompt: vec![MessagePart::cached("设定"), MessagePart::new("本章")],
            max_output_tokens: 10,
            sampling: Sampling { temperature: Some(0.8), ..Sampling::default() },
            answer: AnswerForm::Json { name: "x".into(), schema: serde_json::json!({"type": "object"}), told: None },
        };
        let fault = Fault::Truncated { partial: "{\"a\"".into(), limit: Limit::OutputTokens };
        let usage = Usage { input_tokens: 7, output_tokens: 10, ..Usage::default() };
        let timing = Timing { started_at: "2026-11-03T10:00:00Z".into(), duration_ms: 1200 };
        let call = Call::new(
            &endpoint,
            &request,
            &Err(CallFailure { fault, attempts: 1, asked_wait: None, usage, key_source: None, leaves_rest: false }),
            timing,
        )
        .with_cost(Some(Cost { usd: 0.5, cny: Some(3.41) }))
        .with_earlier(&[Fault::Empty, Fault::CutStream { partial: "半".into(), why: Disruption::Closed }]);
        let text = serde_json::to_string(&call).unwrap();
        assert_eq!(serde_json::from_str::<Call>(&text).unwrap(), call);
        assert_eq!(call.earlier.len(), 2);
        assert!(text.contains(r#""fault":"truncated""#) && text.contains(r#"{\"a\""#));
        assert!(!text.contains("secret") && !format!("{endpoint:?}").contains("secret"));
    }
}
