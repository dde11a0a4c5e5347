//! Server-sent events from bytes in any portions. The crates for this either panic on a byte-order mark or lose a last
//! event without a blank line after it, which may say why the model stopped.

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SseEvent {
    /// Empty when the server gave no name.
    pub name: String,
    /// The data lines joined by line feeds.
    pub data: String,
}

/// Parses a stream. The portions of the bytes do not change the events.
#[derive(Debug, Default)]
pub struct Parser {
    line: Vec<u8>,
    event: SseEvent,
    has_data: bool,
    after_cr: bool,
    past_first_line: bool,
}

impl Parser {
    /// The events that these bytes complete.
    pub fn push(&mut self, bytes: &[u8]) -> Vec<SseEvent> {
        let mut events = Vec::new();
        for &byte in bytes {
            let ends_crlf = std::mem::take(&mut self.after_cr) && byte == b'\n';
            match byte {
                _ if ends_crlf => {}
                b'\n' | b'\r' => {
                    self.after_cr = byte == b'\r';
                    events.extend(self.end_line());
                }
                _ => self.line.push(byte),
            }
        }
        events
    }

    /// The last event, when the server did not end it with a blank line.
    pub fn finish(mut self) -> Option<SseEvent> {
        if !self.line.is_empty() {
            self.end_line();
        }
        self.dispatch()
    }

    fn end_line(&mut self) -> Option<SseEvent> {
        let bytes = std::mem::take(&mut self.line);
        let mut line = bytes.as_slice();
        if !std::mem::replace(&mut self.past_first_line, true) {
            line = line.strip_prefix(b"\xef\xbb\xbf").unwrap_or(line);
        }
        if line.is_empty() {
            return self.dispatch();
        }
        // Lines are decoded only when complete, so a character split between portions comes out right.
        let line = String::from_utf8_lossy(line);
        let (field, value) = line.split_once(':').unwrap_or((&line, ""));
        let value = value.strip_prefix(' ').unwrap_or(value);
        match field {
            "event" => self.event.name = value.to_owned(),
            "data" => {
                if std::mem::replace(&mut self.has_data, true) {
                    self.event.data.push('\n');
                }
                self.event.data.push_str(value);
            }
            // Comments (an empty field name) keep the connection alive; `id` and `retry` are for reconnecting, which
            // would pay for the answer twice.
            _ => {}
        }
        None
    }

    fn dispatch(&mut self) -> Option<SseEvent> {
        let event = std::mem::take(&mut self.event);
        std::mem::take(&mut self.has_data).then_some(event)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn whole(bytes: &[u8]) -> Vec<SseEvent> {
        let mut parser = Parser::default();
        let mut events = parser.push(bytes);
        events.extend(parser.finish());
        events
    }

    fn data(bytes: &[u8]) -> Vec<String> {
        whole(bytes).into_iter().map(|event| event.data).collect()
    }

    #[test]
    fn comments_and_blank_lines_are_not_events() {
        assert_eq!(data(b": keep-alive\n\n\n\ndata: a\n\n: keep-alive\n\n"), ["a"]);
    }

    #[test]
    fn every_line_ending_and_a_byte_order_mark_are_taken() {
        for text in ["\u{feff}event: x\r\ndata: 剑\r\n\r\n", "event: x\ndata: 剑\n\n", "event:x\rdata:剑\r\r"] {
            assert_eq!(whole(text.as_bytes()), [SseEvent { name: "x".into(), data: "剑".into() }], "{text:?}");
        }
    }

    #[test]
    fn several_data_lines_are_joined() {
        assert_eq!(data(b"data: a\ndata:\ndata: b\n\n"), ["a\n\nb"]);
    }

    #[test]
    fn the_last_event_needs_no_blank_line() {
        assert_eq!(data(b"data: a\n\ndata: [DONE]"), ["a", "[DONE]"]);
        assert_eq!(data(b"data: a\n\nevent: nothing"), ["a"]);
    }

    proptest! {
        #[test]
        fn any_cutting_gives_the_same_events(
            lines in proptest::collection::vec(
                prop_oneof![Just(String::new()), "data: ?[剑来a\u{feff}]{0,4}", "event: x", ": 注", "id: 7"], 0..12),
            ending in prop_oneof![Just("\n"), Just("\r\n"), Just("\r")],
            cuts in proptest::collection::vec(0usize..200, 0..6),
        ) {
            let bytes = lines.join(ending).into_bytes();
            let mut cuts: Vec<usize> = cuts.into_iter().map(|cut| cut.min(bytes.len())).collect();
            cuts.sort_unstable();
            let mut parser = Parser::default();
            let mut events = Vec::new();
            let mut from = 0;
            for cut in cuts.into_iter().chain([bytes.len()]) {
                events.extend(parser.push(&bytes[from..cut]));
                from = cut;
            }
            events.extend(parser.finish());
            prop_assert_eq!(events, whole(&bytes));
        }

        #[test]
        fn no_bytes_make_it_panic(bytes in proptest::collection::vec(any::<u8>(), 0..300)) {
            whole(&bytes);
        }
    }
}
