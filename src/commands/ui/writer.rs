//! The way out for text: every answer, message, question and sign of progress passes through this file, which makes
//! control and bidirectional characters visible (on a screen) or escapes them (in JSON). Paint survives, because it
//! travels as marks ([`style::paint`]) and becomes escape sequences here.

use crate::report::style;
use crate::text::escape_json;
use anstream::{AutoStream, ColorChoice};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::io::{self, Write};
use std::process::ChildStdin;
use std::time::Duration;

/// A stream that takes text for people and JSON for programs.
pub(crate) struct Writer {
    to: Box<dyn Write + Send>,
    /// Whether paint is shown.
    colour: bool,
}

impl Writer {
    /// Any stream.
    pub(crate) fn new(to: Box<dyn Write + Send>, colour: bool) -> Self {
        Self { to, colour }
    }

    /// The process's standard output.
    pub(crate) fn stdout(colour: bool) -> Self {
        Self::new(Box::new(io::stdout()), colour)
    }

    /// The process's standard error.
    pub(crate) fn stderr(colour: bool) -> Self {
        Self::new(Box::new(io::stderr()), colour)
    }

    /// Whether paint is shown.
    pub(crate) fn has_colour(&self) -> bool {
        self.colour
    }

    /// Writes a text for people.
    ///
    /// # Errors
    /// When the stream does not take it.
    pub(crate) fn text(&mut self, text: &str) -> io::Result<()> {
        self.put(&style::render(text, self.colour))
    }

    /// Writes JSON.
    ///
    /// # Errors
    /// When the stream does not take it.
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
    (AutoStream::choice(&io::stdout()), AutoStream::choice(&io::stderr()))
}

/// Gives a text to a pager. A reader who quits early has seen enough.
pub(crate) fn page(mut pager: ChildStdin, text: &str, colour: bool) {
    let _ = pager.write_all(style::render(text, colour).as_bytes());
}

/// A text of ours, a title or a question for a library that draws on the terminal itself.
pub(crate) fn drawn(text: &str) -> String {
    style::render(text, false)
}

/// One line at the bottom of the terminal that is redrawn.
pub(crate) struct LiveLine(ProgressBar);

impl LiveLine {
    /// A line on standard error that shows nothing yet.
    pub(crate) fn new() -> Self {
        let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr_with_hz(15));
        if let Ok(style) = ProgressStyle::with_template("{spinner} {msg} {elapsed}") {
            bar.set_style(style);
        }
        bar.enable_steady_tick(Duration::from_millis(120));
        Self(bar)
    }

    /// Shows a text.
    pub(crate) fn show(&self, text: &str) {
        self.0.set_message(drawn(text).replace('\n', " "));
    }

    /// Takes the line away.
    pub(crate) fn clear(self) {
        self.0.finish_and_clear();
    }
}
