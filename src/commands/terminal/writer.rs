//! The output of all text: every answer, message, question and sign of progress passes here, where control and
//! bidirectional characters become visible (on a screen) or escaped (in JSON). Paint survives, because it travels as
//! marks ([`style::paint`]) and becomes escape sequences here.

use crate::commands::prelude::*;
use crate::report::style::{self, Colour};
use crate::report::table::clip;
use crate::text::escape_json;
use anstream::{AutoStream, ColorChoice};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle};
use std::io::{self, Write};
use std::process::ChildStdin;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

/// A stream for text and JSON.
pub(crate) struct Writer {
    to: Box<dyn Write + Send>,
    colour: Colour,
}

impl Writer {
    pub(crate) fn new(to: Box<dyn Write + Send>, colour: Colour) -> Self {
        Self { to, colour }
    }

    pub(crate) fn stdout(colour: Colour) -> Self {
        Self::new(Box::new(io::stdout()), colour)
    }

    pub(crate) fn stderr(colour: Colour) -> Self {
        Self::new(Box::new(io::stderr()), colour)
    }

    pub(crate) fn colour(&self) -> Colour {
        self.colour
    }

    pub(crate) fn text(&mut self, text: &str) -> io::Result<()> {
        self.put(&style::render(text, self.colour))
    }

    pub(crate) fn json(&mut self, json: &str) -> io::Result<()> {
        self.put(&escape_json(&style::unpainted(json)))
    }

    fn put(&mut self, rendered: &str) -> io::Result<()> {
        self.to.write_all(rendered.as_bytes())?;
        self.to.flush()
    }
}

/// Whether standard output and standard error take colour, by anstream's finding (terminal, `NO_COLOR`, `CLICOLOR`,
/// `TERM`).
pub(crate) fn choices() -> (ColorChoice, ColorChoice) {
    if !system::shows_escapes() {
        return (ColorChoice::Never, ColorChoice::Never);
    }
    (AutoStream::choice(&io::stdout()), AutoStream::choice(&io::stderr()))
}

/// Pipes a text to a pager. A reader who quits early has seen enough.
pub(crate) fn page(mut pager: ChildStdin, text: &str, colour: Colour) {
    let _ = pager.write_all(style::render(text, colour).as_bytes());
}

/// A text of ours for a library that draws on the terminal itself.
pub(crate) fn drawn(text: &str) -> String {
    style::render(text, Colour::Off)
}

/// One redrawn line at the bottom of the terminal: a text and a clock.
pub(crate) struct LiveLine {
    bar: ProgressBar,
    /// The end of a countdown; without one the clock counts up.
    until: Arc<Mutex<Option<Instant>>>,
    /// The columns for the text beside the rest of the line.
    columns: usize,
}

/// The columns beside the text: a sign before, the clock and a free one behind.
const AROUND_TEXT: usize = 12;

impl LiveLine {
    /// An empty line on standard error.
    pub(crate) fn new(columns: usize) -> Self {
        let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr_with_hz(15));
        let until = Arc::new(Mutex::new(None));
        let end = Arc::clone(&until);
        let clock = move |state: &ProgressState, out: &mut dyn std::fmt::Write| {
            let end: Option<Instant> = *end.lock().unwrap_or_else(PoisonError::into_inner);
            let _ =
                out.write_str(&clock(state.elapsed(), end.map(|end| end.saturating_duration_since(Instant::now()))));
        };
        if let Ok(style) = ProgressStyle::with_template("{spinner} {msg} {clock}") {
            bar.set_style(style.with_key("clock", clock));
        }
        bar.enable_steady_tick(Duration::from_millis(120));
        Self { bar, until, columns: columns.saturating_sub(AROUND_TEXT) }
    }

    pub(crate) fn show(&self, text: &str) {
        *self.until.lock().unwrap_or_else(PoisonError::into_inner) = None;
        self.bar.set_message(clip(&drawn(text), self.columns));
    }

    pub(crate) fn count_down(&self, text: &str, wait: Duration) {
        self.show(text);
        *self.until.lock().unwrap_or_else(PoisonError::into_inner) = Instant::now().checked_add(wait);
    }

    pub(crate) fn clear(self) {
        self.bar.finish_and_clear();
    }
}

/// The clock of a line: the remaining seconds of a wait, rounded up, or the elapsed time.
fn clock(elapsed: Duration, left: Option<Duration>) -> String {
    let millis = left.map_or(elapsed.as_secs() * 1000, |left| left.as_millis().div_ceil(1000) as u64 * 1000);
    match millis {
        // A running clock shows no fractions.
        0..60_000 => format!("{}s", millis / 1000),
        _ => figures::duration(millis),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_clock_counts_down_in_whole_seconds_and_up_without_a_wait() {
        let left = |millis| clock(Duration::from_secs(90), Some(Duration::from_millis(millis)));
        assert_eq!([left(12_001), left(12_000), left(1), left(0)], ["13s", "12s", "1s", "0s"]);
        assert_eq!(left(95_000), "1m 35s");
        assert_eq!(clock(Duration::from_millis(5_900), None), "5s");
    }
}
