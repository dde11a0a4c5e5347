//! Estimates of tokens, before a server has counted.
//! Tokenizers differ and are not all published, so the figures are on the safe side for Chinese: measured per Han
//! character 0.78 (Qwen), 0.72 (DeepSeek) and 0.95 (OpenAI's o200k). [`Capabilities::calibration`] brings the estimate
//! near the count of a model whose tokenizer is known.

use super::endpoint::Capabilities;
use super::fault::Fault;
use super::json_request;
use super::request::{AnswerForm, Request};

/// Tokens of roles and separators around the two messages of a request.
const FRAME: u64 = 16;

/// One token for each character outside ASCII, one for four within, rounded up.
pub fn estimate(text: &str) -> u64 {
    let (ascii, wide) = text
        .chars()
        .fold((0u64, 0u64), |(ascii, wide), c| if c.is_ascii() { (ascii + 1, wide) } else { (ascii, wide + 1) });
    wide + ascii.div_ceil(4)
}

/// Estimates a request's prompt, the schema of the answer in words included.
pub fn estimate_request(request: &Request) -> u64 {
    let schema = match &request.answer {
        AnswerForm::Prose => 0,
        AnswerForm::Json { schema, told, .. } => estimate(&json_request::in_words(told.as_ref().unwrap_or(schema))),
    };
    let parts: u64 = request.prompt.iter().map(|part| estimate(&part.text)).sum();
    FRAME + estimate(&request.system) + parts + schema
}

/// Prompt and answer exceed a model's context, by the estimate.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("about {needed} tokens are needed and the model's context holds {limit}")]
pub struct ContextTooLong {
    pub limit: u64,
    pub needed: u64,
}

impl From<ContextTooLong> for Fault {
    fn from(too_long: ContextTooLong) -> Self {
        Self::ContextTooLong { limit: Some(too_long.limit), sent: Some(too_long.needed), message: String::new() }
    }
}

/// Checks that a request's prompt and its longest answer fit the context together.
pub fn fits(request: &Request, capabilities: &Capabilities) -> Result<(), ContextTooLong> {
    let needed = estimate_for(request, capabilities.calibration)
        + u64::from(request.max_output_tokens.min(capabilities.max_output));
    let limit = u64::from(capabilities.context_window);
    if needed <= limit { Ok(()) } else { Err(ContextTooLong { limit, needed }) }
}

/// Estimates a request's prompt for a model with this [`Capabilities::calibration`].
#[expect(clippy::cast_precision_loss, clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "an estimate")]
pub fn estimate_for(request: &Request, calibration: f64) -> u64 {
    let ratio = if calibration.is_finite() && calibration > 0.0 { calibration } else { 1.0 };
    (estimate_request(request) as f64 * ratio).ceil() as u64
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::llm::{MessagePart, Sampling, preset};

    #[test]
    fn han_characters_weigh_four_times_ascii() {
        assert_eq!(estimate("青云宗"), 3);
        assert_eq!(estimate("abcdefgh"), 2);
        assert_eq!(estimate("剑 sword"), 3);
        assert_eq!(estimate(""), 0);
    }

    #[test]
    fn prompt_and_answer_must_fit_together() {
        let mut request = Request {
            model: "m".into(),
            system: String::new(),
            prompt: vec![MessagePart::new("字".repeat(3000))],
            max_output_tokens: 1000,
            sampling: Sampling::default(),
            answer: AnswerForm::Prose,
        };
        let mut capabilities = preset::find("ollama").unwrap().capabilities("m");
        capabilities.context_window = 4096;
        assert_eq!(fits(&request, &capabilities), Ok(()));
        request.max_output_tokens = 1100;
        assert_eq!(fits(&request, &capabilities), Err(ContextTooLong { limit: 4096, needed: 4116 }));
        capabilities.calibration = 0.78;
        assert_eq!(fits(&request, &capabilities), Ok(()));
    }
}
