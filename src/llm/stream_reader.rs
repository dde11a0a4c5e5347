//! An answer in the making: bytes of a reply in any portions, of either wire, to text, usage and the reason for the end.

use super::endpoint::Wire;
use super::fault::{Fault, Limit};
use super::gathered::{Ending, Gathered};
use super::mismatch::{Document, Mismatch};
use super::reply::{Reply, Usage};
use super::think::{self, Delta, Sorter};
use super::{anthropic, openai, sse, tokens};

/// Reads a streamed reply. However the bytes are cut into portions, the same reply comes out.
#[derive(Debug)]
pub struct Reading {
    wire: Wire,
    parser: sse::Parser,
    sorter: Sorter,
    gathered: Gathered,
    /// How much text there was when it was last looked at for repetitions.
    looked_at: usize,
    /// The most tokens that the answer may have.
    most: u32,
}

/// The text is looked at for repetitions and for its length after so many more bytes.
const LOOK_AFTER: usize = 600;
/// The longest passage whose repetition is noticed, in characters.
const PASSAGE: usize = 300;
/// A text that repeats a passage goes round in circles when it has done so four times in a row, over so many characters.
const CIRCLES: usize = 600;

/// Whether `text` ends in one passage over and over. A refrain or a scream is shorter; a model that does this goes on until
/// it is stopped.
fn circles(text: &str) -> bool {
    let backwards: Vec<char> = text.chars().rev().take(PASSAGE * 4).collect();
    (1..=PASSAGE).any(|period| {
        let wanted = CIRCLES.max(period * 4);
        let repeated = backwards.iter().zip(backwards.iter().skip(period)).take_while(|(a, b)| a == b).count();
        repeated + period >= wanted
    })
}

/// The estimate of tokens is up to 1.4 times the server's count, and an honest server may overshoot by a few.
const BEYOND: u64 = 2;

impl Reading {
    /// Nothing read yet.
    pub fn new(wire: Wire) -> Self {
        Self {
            wire,
            parser: sse::Parser::default(),
            sorter: Sorter::default(),
            gathered: Gathered::default(),
            looked_at: 0,
            most: u32::MAX,
        }
    }

    /// A reader of an answer of at most so many tokens. A server that does not keep to the limit is left once the text is
    /// [`BEYOND`] times as long, so that no more of it is waited for and paid.
    #[must_use]
    pub fn at_most(self, most: u32) -> Self {
        Self { most, ..self }
    }

    /// Takes the next bytes; gives what there is to show.
    /// Fails: an error that the server reports inside the stream, or bytes that are not of this wire.
    pub fn push(&mut self, bytes: &[u8]) -> Result<Vec<Delta>, Fault> {
        let mut deltas = Vec::new();
        for event in self.parser.push(bytes) {
            if self.gathered.over {
                break;
            }
            self.take(&event, &mut deltas)?;
        }
        Ok(deltas)
    }

    fn take(&mut self, event: &sse::Event, deltas: &mut Vec<Delta>) -> Result<(), Fault> {
        let delta = match self.wire {
            Wire::Anthropic => anthropic::take(event, &mut self.gathered)?,
            Wire::OpenAi => openai::take(event, &mut self.gathered)?,
        };
        match delta {
            Some(Delta::Text(text)) => deltas.extend(self.sorter.push(&text)),
            Some(reasoning) => deltas.push(reasoning),
            None => {}
        }
        let gathered = &mut self.gathered;
        if gathered.ending.is_none() && gathered.text.len() >= self.looked_at + LOOK_AFTER {
            self.looked_at = gathered.text.len();
            let is_beyond = tokens::estimate(&gathered.text) > u64::from(self.most) * BEYOND;
            let ending = if is_beyond { Ending::Truncated(Limit::OutputTokens) } else { Ending::Circling };
            if is_beyond || circles(&gathered.text) {
                gathered.ending = Some(ending);
                gathered.over = true;
                // The server's count covers only the text that it had sent at the start.
                gathered.usage.output = None;
            }
        }
        Ok(())
    }

    /// Whether the reply is complete and the connection may be dropped.
    pub fn is_over(&self) -> bool {
        self.gathered.over
    }

    /// Whether the server has given its reason for the end: the text is complete, or as complete as it will be.
    pub(super) fn has_ended(&self) -> bool {
        self.gathered.ending.is_some()
    }

    /// The text so far, without thinking.
    pub fn partial(&self) -> String {
        think::split(&self.gathered.text).0.to_owned()
    }

    /// The usage so far; `sent` is the estimate of the prompt's tokens, for a server that does not count. Zero if the
    /// server has not begun to answer.
    pub fn usage(&self, sent: u64) -> Usage {
        self.gathered.usage(sent)
    }

    /// The reply, once the stream has ended cleanly.
    /// Fails with [`Fault::CutStream`] when the end came before the server gave a reason for it; truncation, refusal and an empty
    /// text are faults too.
    pub fn finish(mut self, sent: u64) -> Result<Reply, (Fault, Usage)> {
        let parser = std::mem::take(&mut self.parser);
        if let Some(event) = parser.finish()
            && !self.gathered.over
            && let Err(fault) = self.take(&event, &mut Vec::new())
            && !matches!(fault, Fault::Protocol { .. } | Fault::CutStream { .. })
        {
            // An unreadable last event is a cut one, which the missing ending shows below; a complaint is a complaint.
            return Err((fault, self.usage(sent)));
        }
        self.gathered.conclude(sent)
    }
}

/// The reply in a body that is one JSON document, from a server that does not stream.
pub fn read_whole(wire: Wire, body: &str, sent: u64) -> Result<Reply, (Fault, Usage)> {
    let value = serde_json::from_str(body).map_err(|error| {
        (Fault::Protocol { mismatch: Mismatch::NotJson(Document::Answer, error.to_string()) }, Usage::default())
    })?;
    let mut gathered = Gathered::default();
    match wire {
        Wire::Anthropic => anthropic::take_whole(&value, &mut gathered),
        Wire::OpenAi => openai::take_whole(&value, &mut gathered),
    }
    .map_err(|fault| (fault, Usage::default()))?;
    gathered.conclude(sent)
}

#[cfg(test)]
mod tests {
    use super::*;

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
        let mut reading = Reading::new(Wire::OpenAi).at_most(1000);
        let mut sent = 0;
        while !reading.is_over() && sent < 4000 {
            sent += 1;
            let event =
                format!("data: {{\"choices\":[{{\"index\":0,\"delta\":{{\"content\":\"第{sent}盏灯。\"}}}}]}}\n\n");
            reading.push(event.as_bytes()).unwrap();
        }
        let (fault, usage) = reading.finish(100).unwrap_err();
        assert!(matches!(fault, Fault::Truncated { limit: Limit::OutputTokens, .. }), "{fault:?}");
        assert!(usage.estimated && (2000..2300).contains(&usage.output_tokens), "{usage:?}");
    }

    #[test]
    fn a_stream_that_goes_round_in_circles_is_left_soon() {
        let passage = "他开始怀疑老妇是不是在故意隐瞒他曾经买过的船票。";
        let event = format!("data: {{\"choices\":[{{\"index\":0,\"delta\":{{\"content\":\"{passage}\"}}}}]}}\n\n");
        let mut reading = Reading::new(Wire::OpenAi);
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
