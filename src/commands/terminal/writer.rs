//! The way out for text: every answer, message, question and sign of progress passes through this file, which makes
//! control and bidirectional characters visible (on a screen) or escapes them (in JSON). Paint survives, because it
//! travels as marks ([`style::paint`]) and becomes escape sequences here.

use crate::commands::system;
use crate::report::style::Colour;
use crate::report::table::clip;
use crate::report::{figures, style};
use crate::text::escape_json;
use anstream::{AutoStream, ColorChoice};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle};
use std::io::{self, Write};
use std::process::ChildStdin;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// A stream that takes text for people and JSON for programs.
pub(crate) struct Writer {
    to: Box<dyn Write + Send>,
    /// Whether paint is shown.
    colour: Colour,
}

impl Writer {
    /// Any stream.
    pub(crate) fn new(to: Box<dyn Write + Send>, colour: Colour) -> Self {
        Self { to, colour }
    }

    /// The process's standard output.
    pub(crate) fn stdout(colour: Colour) -> Self {
        Self::new(Box::new(io::stdout()), colour)
    }

    /// The process's standard error.
    pub(crate) fn stderr(colour: Colour) -> Self {
        Self::new(Box::new(io::stderr()), colour)
    }

    /// Whether paint is shown.
    pub(crate) fn colour(&self) -> Colour {
        self.colour
    }

    /// Writes a text for people.
    /// Fails when the stream does not take it.
    pub(crate) fn text(&mut self, text: &str) -> io::Result<()> {
        self.put(&style::render(text, self.colour))
    }

    /// Writes JSON.
    /// Fails when the stream does not take it.
    pub(crate) fn json(&mut self, json: &str) -> io::Result<()> {
        self.put(&escape_json(&style::unpainted(json)))
    }

    fn put(&mut self, rendered: &str) -> io::Result<()> {
        self.to.write_all(rendered.as_bytes())?;
        self.to.flush()
    }
}

/// Whether standard output and standard error take colour, as far as anstream finds (terminal, `NO_COLOR`, `CLICOLOR`,
/// `TERM`).
pub(crate) fn choices() -> (ColorChoice, ColorChoice) {
    if !system::shows_escapes() {
        return (ColorChoice::Never, ColorChoice::Never);
    }
    (AutoStream::choice(&io::stdout()), AutoStream::choice(&io::stderr()))
}

/// Gives a text to a pager. A reader who quits early has seen enough.
pub(crate) fn page(mut pager: ChildStdin, text: &str, colour: Colour) {
    let _ = pager.write_all(style::render(text, colour).as_bytes());
}

/// A text of ours, a title or a question for a library that draws on the terminal itself.
pub(crate) fn drawn(text: &str) -> String {
    style::render(text, Colour::Off)
}

/// One line at the bottom of the terminal that is redrawn: a text and a clock.
pub(crate) struct LiveLine {
    bar: ProgressBar,
    /// The end of a wait that is counted down to; without one the clock counts up.
    until: Arc<Mutex<Option<Instant>>>,
    /// The columns of the text, which has to leave room for the rest of its one line.
    columns: usize,
}

/// The columns of a live line beside its text: a sign before it, the clock and a free one behind it.
const AROUND_TEXT: usize = 12;

impl LiveLine {
    /// A line on standard error, on a terminal of so many columns, that shows nothing yet.
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

    /// Shows a text and counts down.
    pub(crate) fn count_down(&self, text: &str, wait: Duration) {
        self.show(text);
        *self.until.lock().unwrap_or_else(PoisonError::into_inner) = Instant::now().checked_add(wait);
    }

    /// Takes the line away.
    pub(crate) fn clear(self) {
        self.bar.finish_and_clear();
    }
}

/// The clock of a live line: the seconds that are left of a wait, rounded up, or the time that has gone by.
fn clock(elapsed: Duration, left: Option<Duration>) -> String {
    let millis = left.map_or(elapsed.as_secs() * 1000, |left| left.as_millis().div_ceil(1000) as u64 * 1000);
    match millis {
        // The figures of a clock that runs have no fractions.
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
