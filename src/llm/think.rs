//! Thinking that a server leaves in the text: `<think>…</think>` before the answer.

use std::borrow::Cow;

const OPEN: &str = "<think>";
const CLOSE: &str = "</think>";

/// An answer without its thinking, and the thinking. A text that only closes a `<think>` is thinking up to there, since
/// some chat templates open it in the prompt; a text that only opens one is all thinking.
pub fn split(text: &str) -> (&str, &str) {
    let start = text.trim_start();
    if let Some(inside) = start.strip_prefix(OPEN) {
        return match inside.split_once(CLOSE) {
            Some((thinking, answer)) => (answer.trim_start(), thinking.trim()),
            None => ("", inside.trim()),
        };
    }
    match text.split_once(CLOSE) {
        Some((thinking, answer)) if !thinking.contains(OPEN) => (answer.trim_start(), thinking.trim()),
        _ => (text, ""),
    }
}

/// The text without thinking that stands within it, as behind a chapter's heading: what stands before an answer is taken
/// off by [`split`].
pub fn without_inner(text: &str) -> Cow<'_, str> {
    match text.split_once(OPEN).and_then(|(before, rest)| Some((before, rest.split_once(CLOSE)?.1))) {
        Some((before, behind)) => format!("{}\n\n{}", before.trim_end(), behind.trim_start()).into(),
        None => text.into(),
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StreamPiece {
    Text(String),
    Reasoning(String),
}

/// Sorts a growing text into thinking and answer for display; [`split`] has the last word.
#[derive(Debug, Default)]
pub(super) struct Sorter {
    place: ThinkState,
    held: String,
}

#[derive(Debug, Default, PartialEq)]
enum ThinkState {
    /// Only white space or a beginning of `<think>` so far.
    #[default]
    Start,
    Thinking,
    Answer,
}

impl Sorter {
    pub(super) fn push(&mut self, text: &str) -> Vec<StreamPiece> {
        self.held.push_str(text);
        let mut deltas = Vec::new();
        if self.place == ThinkState::Start {
            let start = self.held.trim_start();
            if let Some(inside) = start.strip_prefix(OPEN) {
                self.held = inside.to_owned();
                self.place = ThinkState::Thinking;
            } else if OPEN.starts_with(start) {
                return deltas;
            } else {
                self.place = ThinkState::Answer;
            }
        }
        if self.place == ThinkState::Thinking {
            let Some((thinking, answer)) = self.held.split_once(CLOSE) else {
                // An end that may begin the closing tag waits for more.
                let keep = (1..CLOSE.len()).rev().find(|&n| self.held.ends_with(&CLOSE[..n])).unwrap_or(0);
                let ready = self.held.len() - keep;
                if ready > 0 {
                    deltas.push(StreamPiece::Reasoning(self.held.drain(..ready).collect()));
                }
                return deltas;
            };
            if !thinking.is_empty() {
                deltas.push(StreamPiece::Reasoning(thinking.to_owned()));
            }
            self.held = answer.to_owned();
            self.place = ThinkState::Answer;
        }
        if !self.held.is_empty() {
            deltas.push(StreamPiece::Text(std::mem::take(&mut self.held)));
        }
        deltas
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thinking_is_not_part_of_the_answer() {
        assert_eq!(split("<think>\n想一想\n</think>\n\n风起。"), ("风起。", "想一想"));
        assert_eq!(split("模板已开头\n</think>\n风起。"), ("风起。", "模板已开头"));
        assert_eq!(split("<think>没有结束"), ("", "没有结束"));
        assert_eq!(split("  风起。\n"), ("  风起。\n", ""));
    }

    #[test]
    fn a_stream_is_sorted_whatever_its_portions() {
        let text = "\n<think>想 </th 想</think>答案 <b>";
        for first in (0..=text.len()).filter(|&at| text.is_char_boundary(at)) {
            for second in (first..=text.len()).filter(|&at| text.is_char_boundary(at)) {
                let mut sorter = Sorter::default();
                let (mut thinking, mut answer) = (String::new(), String::new());
                for portion in [&text[..first], &text[first..second], &text[second..]] {
                    for delta in sorter.push(portion) {
                        match delta {
                            StreamPiece::Text(text) => answer.push_str(&text),
                            StreamPiece::Reasoning(text) => thinking.push_str(&text),
                        }
                    }
                }
                assert_eq!((answer.as_str(), thinking.as_str()), ("答案 <b>", "想 </th 想"), "{first} {second}");
            }
        }
    }
}
