//! A reply in the making: bytes in any portions, of either wire, to text, usage and the reason for the end.

use crate::llm::causes::{Document, Mismatch};
use crate::llm::endpoint::Wire;
use crate::llm::fault::{Fault, Limit};
use crate::llm::gathered::{Gathered, ReplyEnding};
use crate::llm::reply::{Reply, Usage};
use crate::llm::sse::{Parser, SseEvent};
use crate::llm::think::{Sorter, StreamPiece, split};
use crate::llm::{anthropic, openai};

/// Reads a streamed reply. The portions of the bytes do not change the reply.
#[derive(Debug)]
pub struct StreamReader {
    wire: Wire,
    parser: Parser,
    sorter: Sorter,
    gathered: Gathered,
    /// Length of the text at the last look for repetitions.
    looked_at: usize,
    /// The limit on the answer in tokens.
    most: u32,
    /// The part of the limit that is not meant for thinking.
    text: u32,
}

/// Bytes between two checks of the text for repetitions and length.
const LOOK_AFTER: usize = 600;
/// The longest passage whose repetition is noticed, in characters.
const PASSAGE: usize = 300;
/// A text circles when a passage comes four times in a row, over so many characters.
const CIRCLES: usize = 600;

/// True when `text` ends in one passage over and over. A refrain or a scream is shorter; a circling model does not stop
/// by itself.
fn circles(text: &str) -> bool {
    let backwards: Vec<char> = text.chars().rev().take(PASSAGE * 4).collect();
    (1..=PASSAGE).any(|period| {
        let wanted = CIRCLES.max(period * 4);
        let repeated = backwards.iter().zip(backwards.iter().skip(period)).take_while(|(a, b)| a == b).count();
        repeated + period >= wanted
    })
}

/// A longer answer ignores the limit: the estimate of tokens is up to 1.4 times the server's count, and an honest
/// server may overshoot by a few.
pub(super) const BEYOND: u32 = 2;

impl StreamReader {
    pub fn new(wire: Wire) -> Self {
        Self {
            wire,
            parser: Parser::default(),
            sorter: Sorter::default(),
            gathered: Gathered::default(),
            looked_at: 0,
            most: u32::MAX,
            text: u32::MAX,
        }
    }

    /// Reads an answer of at most `most` tokens. A server that ignores the limit is left once the text is [`BEYOND`]
    /// times as long, to save time and cost.
    #[must_use]
    pub fn at_most(self, most: u32) -> Self {
        Self { most, ..self }
    }

    /// Reads at most so many tokens of text, by the estimate. The room for thinking is not for a model that runs on.
    #[must_use]
    pub fn with_text(self, text: u32) -> Self {
        Self { text, ..self }
    }

    /// Takes the next bytes and returns the text to show. Fails on an error inside the stream, or on bytes of another
    /// wire.
    pub fn push(&mut self, bytes: &[u8]) -> Result<Vec<StreamPiece>, Fault> {
        let mut deltas = Vec::new();
        for event in self.parser.push(bytes) {
            if self.gathered.over {
                break;
            }
            self.take(&event, &mut deltas)?;
        }
        Ok(deltas)
    }

    fn take(&mut self, event: &SseEvent, deltas: &mut Vec<StreamPiece>) -> Result<(), Fault> {
        let delta = match self.wire {
            Wire::Anthropic => anthropic::take(event, &mut self.gathered)?,
            Wire::OpenAi => openai::take(event, &mut self.gathered)?,
        };
        match delta {
            Some(StreamPiece::Text(text)) => deltas.extend(self.sorter.push(&text)),
            Some(reasoning) => deltas.push(reasoning),
            None => {}
        }
        let gathered = &mut self.gathered;
        if gathered.ending.is_none() && gathered.text.len() >= self.looked_at + LOOK_AFTER {
            self.looked_at = gathered.text.len();
            let is_beyond = crate::llm::tokens::estimate(&gathered.text) > u64::from(self.most.saturating_mul(BEYOND))
                || crate::llm::tokens::estimate(split(&gathered.text).0) > u64::from(self.text);
            let circles = circles(&gathered.text);
            if is_beyond || circles {
                let limit = ReplyEnding::Truncated(Limit::OutputTokens);
                gathered.ending = Some(if circles { ReplyEnding::Circling } else { limit });
                gathered.over = true;
                // The server's count covers only the text it had sent at the start.
                gathered.usage.output = None;
            }
        }
        Ok(())
    }

    /// True when the reply is complete and the connection may be dropped.
    pub fn is_over(&self) -> bool {
        self.gathered.over
    }

    /// True when the server has given its reason for the end.
    pub(super) fn has_ended(&self) -> bool {
        self.gathered.ending.is_some()
    }

    pub fn partial(&self) -> String {
        split(&self.gathered.text).0.to_owned()
    }

    /// The usage so far; `sent` is the estimated prompt, for a server that does not count. Zero if the server has not
    /// begun to answer.
    pub fn usage(&self, sent: u64) -> Usage {
        self.gathered.usage(sent)
    }

    /// The reply of an ended stream. [`Fault::CutStream`] without a reason for the end; truncation, refusal and an
    /// empty text are faults too.
    pub fn finish(mut self, sent: u64) -> Result<Reply, (Fault, Usage)> {
        let parser = std::mem::take(&mut self.parser);
        if let Some(event) = parser.finish()
            && !self.gathered.over
            && let Err(fault) = self.take(&event, &mut Vec::new())
            && !matches!(fault, Fault::Protocol { .. } | Fault::CutStream { .. })
        {
            // An unreadable last event is a cut one, which the missing ending shows below; an error of the server stays
            // an error.
            return Err((fault.with_partial(self.partial()), self.usage(sent)));
        }
        let most = Some(self.most).filter(|most| *most < u32::MAX);
        self.gathered.conclude(sent, most)
    }
}

/// Reads a body that is one JSON document, from a server that does not stream.
pub fn read_whole(wire: Wire, body: &str, sent: u64) -> Result<Reply, (Fault, Usage)> {
    let value = serde_json::from_str(body).map_err(|error| {
        (Fault::Protocol { mismatch: Mismatch::NotJson(Document::Answer, error.to_string()) }, Usage::default())
    })?;
    let mut gathered = Gathered::default();
    let taken = match wire {
        Wire::Anthropic => anthropic::take_whole(&value, &mut gathered),
        Wire::OpenAi => openai::take_whole(&value, &mut gathered),
    };
    match taken {
        Ok(()) => gathered.conclude(sent, None),
        Err(fault) => {
            let usage = gathered.usage(sent);
            Err((fault.with_partial(split(&gathered.text).0.to_owned()), usage))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_document_that_is_no_answer_keeps_the_words_of_the_server() {
        for wire in [Wire::OpenAi, Wire::Anthropic] {
            let (fault, _) = read_whole(wire, r#"{"err": "boom"}"#, 0).unwrap_err();
            assert!(fault.detail().contains("boom"), "{fault:?}");
        }
    }

    #[test]
    fn only_a_text_that_repeats_one_passage_for_long_goes_round_in_circles() {
        let passage = "他开始怀疑老妇是不是在故意隐瞒他曾经买过的船票。";
        let story = "雨停的时候，渡口的灯先灭了一盏。沈渡数了两遍，还是少一盏。";
        assert!(circles(&format!("{story}{}", passage.repeat(26))));
        assert!(circles(&format!("{story}{}他开始怀", passage.repeat(26))));
        assert!(!circles(&format!("{story}{}", passage.repeat(5))));
        assert!(!circles(&format!("{}{story}", passage.repeat(40))));
        assert!(circles(&"啊".repeat(700)) && !circles(&"啊".repeat(500)));
        let numbered: String = (0..200).map(|n| format!("第{n}盏灯灭了。")).collect();
        assert!(!circles(&numbered));
    }

    #[test]
    fn a_server_that_does_not_keep_to_the_limit_is_left() {
        let limited = || StreamReader::new(Wire::OpenAi).at_most(1000);
        for (mut reading, read) in [(limited(), 2000..2300), (limited().with_text(500), 500..800)] {
            let mut sent = 0;
            while !reading.is_over() && sent < 4000 {
                sent += 1;
                let event =
                    format!("data: {{\"choices\":[{{\"index\":0,\"delta\":{{\"content\":\"第{sent}盏灯。\"}}}}]}}\n\n");
                reading.push(event.as_bytes()).unwrap();
            }
            let (fault, usage) = reading.finish(100).unwrap_err();
            assert!(matches!(fault, Fault::Truncated { limit: Limit::OutputTokens, .. }), "{fault:?}");
            assert!(usage.estimated && read.contains(&usage.output_tokens), "{usage:?}");
        }
    }

    #[test]
    fn a_stream_that_goes_round_in_circles_is_left_soon() {
        let passage = "他开始怀疑老妇是不是在故意隐瞒他曾经买过的船票。";
        let event = format!("data: {{\"choices\":[{{\"index\":0,\"delta\":{{\"content\":\"{passage}\"}}}}]}}\n\n");
        let mut reading = StreamReader::new(Wire::OpenAi);
        let mut sent = 0;
        while !reading.is_over() && sent < 400 {
            reading.push(event.as_bytes()).unwrap();
            sent += 1;
        }
        assert!((20..50).contains(&sent), "{sent}");
        let (fault, usage) = reading.finish(100).unwrap_err();
        assert_eq!(fault, Fault::Circling { partial: passage.repeat(sent) });
        assert!(usage.estimated && usage.output_tokens > 200);
    }
}
