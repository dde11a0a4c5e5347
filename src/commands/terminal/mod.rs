//! The one place that prints. Stdout carries only the answer; everything else goes to stderr.

use crate::commands::cli::environment::Environment;
use crate::commands::cli::globals::{Color, Globals};
use crate::commands::prelude::*;
use crate::commands::terminal::progress::{DisplayOptions, ProseDisplay};
use crate::commands::terminal::writer::Writer;
use crate::report::lang;
use crate::report::style::{Colour, DIM, WARN, paint, wrapped};
use crate::report::table::UNLIMITED;
use anstream::ColorChoice;
use std::io;
use std::process::Stdio;

pub(crate) mod progress;
pub(crate) mod prompt;
mod writer;

/// How much is printed beside the answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Verbosity {
    /// Errors only.
    Quiet,
    /// Also progress and warnings.
    Normal,
    /// Each call of a model.
    Calls,
    /// Also prompts.
    Prompts,
}

pub(crate) struct Ui {
    out: Writer,
    err: Writer,
    lang: Lang,
    json: bool,
    verbosity: Verbosity,
    /// The width of answers.
    columns: usize,
    /// The edges at which answers and messages are wrapped: those of terminals.
    edges: [usize; 2],
    /// The height of the terminal for answers.
    rows: Option<usize>,
    /// `None` when answers are not paged.
    pager: Option<Pager>,
    pub(crate) can_ask: bool,
    /// The command that repeats a question that a person puts off.
    pub(crate) again: String,
    /// Progress can be redrawn.
    live: bool,
}

impl Ui {
    pub(crate) fn of_process(globals: &Globals, environment: &Environment, lang: Lang) -> Self {
        let (out, err) = writer::choices();
        let (out, err) = (colour(globals.color, out), colour(globals.color, err));
        Self::over(Writer::stdout(out), Writer::stderr(err), globals, environment, lang)
    }

    fn over(out: Writer, err: Writer, globals: &Globals, environment: &Environment, lang: Lang) -> Self {
        let verbosity = match (globals.quiet, globals.verbose) {
            (true, _) => Verbosity::Quiet,
            (_, 0) => Verbosity::Normal,
            (_, 1) => Verbosity::Calls,
            _ => Verbosity::Prompts,
        };
        let paged = environment.stdout_is_terminal && !globals.no_pager && !globals.json;
        let dumb = environment.var("TERM") == Some("dumb");
        Self {
            out,
            err,
            lang,
            json: globals.json,
            verbosity,
            columns: environment.columns().unwrap_or(UNLIMITED),
            edges: [environment.stdout_is_terminal, environment.stderr_is_terminal]
                .map(|is_terminal| environment.columns().filter(|_| is_terminal).unwrap_or(UNLIMITED)),
            rows: environment.rows(),
            pager: if paged { Pager::of(environment) } else { None },
            can_ask: environment.stdin_is_terminal
                && environment.stderr_is_terminal
                && !globals.no_input
                && !globals.json,
            again: String::new(),
            live: environment.stderr_is_terminal && !dumb,
        }
    }

    pub(crate) fn lang(&self) -> Lang {
        self.lang
    }

    pub(crate) fn columns(&self) -> usize {
        self.columns
    }

    pub(crate) fn can_ask(&self) -> bool {
        self.can_ask
    }

    pub(crate) fn is_json(&self) -> bool {
        self.json
    }

    /// True when answers have colour, for texts whose marks depend on it.
    pub(crate) fn has_colour(&self) -> bool {
        self.out.colour() == Colour::On
    }

    /// Prints an answer as text, or as the one JSON document.
    pub(crate) fn show<T: Serialize>(
        &mut self,
        value: &T,
        text: impl FnOnce(Lang, usize) -> String,
    ) -> Result<Exit, Failure> {
        let [edge, _] = self.edges;
        self.print(value, |lang, columns| whole_lines(&text(lang, columns), edge))
    }

    /// Like [`Ui::show`], with a pager for long texts.
    pub(crate) fn show_paged<T: Serialize>(
        &mut self,
        value: &T,
        text: impl FnOnce(Lang, usize) -> String,
    ) -> Result<Exit, Failure> {
        let [edge, _] = self.edges;
        self.print_paged(value, |lang, columns| whole_lines(&text(lang, columns), edge))
    }

    /// Like [`Ui::show`], for a text of other origin: its lines stay.
    pub(crate) fn print<T: Serialize>(
        &mut self,
        value: &T,
        text: impl FnOnce(Lang, usize) -> String,
    ) -> Result<Exit, Failure> {
        match self.json {
            true => self.answer_json(&lang::document(value)?)?,
            false => self.verbatim(&text(self.lang, self.columns))?,
        }
        Ok(Exit::Done)
    }

    /// Like [`Ui::print`], with a pager for long texts.
    pub(crate) fn print_paged<T: Serialize>(
        &mut self,
        value: &T,
        text: impl FnOnce(Lang, usize) -> String,
    ) -> Result<Exit, Failure> {
        if self.json {
            return self.print(value, text);
        }
        let text = text(self.lang, self.columns);
        match (&self.pager, self.rows) {
            (Some(pager), Some(rows)) if text.lines().count() >= rows => {
                // Not as a prompt of `less`, which has no Chinese in it.
                let keys = if pager.unchosen {
                    format!("{}\n", paint(DIM, say!(self.lang, keys_of_pager)))
                } else {
                    String::new()
                };
                // A missing pager must not cost the answer.
                if pager.page(&format!("{keys}{text}"), self.out.colour()).is_err() {
                    self.verbatim(&text)?;
                }
            }
            _ => self.verbatim(&text)?,
        }
        Ok(Exit::Done)
    }

    /// Prints one event of a longer run: a text, or one line of JSON.
    pub(crate) fn event<T: Serialize>(
        &mut self,
        value: &T,
        text: impl FnOnce(Lang, usize) -> String,
    ) -> Result<Exit, Failure> {
        match self.json {
            true => self.answer_json(&lang::line(value)?)?,
            false => self.answer(&text(self.lang, self.columns))?,
        }
        Ok(Exit::Done)
    }

    /// Prints a wrapped text to stdout.
    pub(crate) fn answer(&mut self, text: &str) -> Result<(), Failure> {
        self.verbatim(&wrapped(text, self.edges[0]))
    }

    /// Prints an unwrapped text to stdout.
    pub(crate) fn verbatim(&mut self, text: &str) -> Result<(), Failure> {
        Ok(self.out.text(text)?)
    }

    pub(crate) fn answer_json(&mut self, json: &str) -> Result<(), Failure> {
        Ok(self.out.json(json)?)
    }

    /// Prints a message beside the answer, unless `-q`.
    pub(crate) fn say(&mut self, message: &Both) -> Result<(), Failure> {
        if self.verbosity > Verbosity::Quiet {
            let line = format!("{}\n", message.get(self.lang));
            self.err.text(&wrapped(&line, self.edges[1]))?;
        }
        Ok(())
    }

    /// Prints a warning, unless `-q`.
    pub(crate) fn warn(&mut self, message: &Both) -> Result<(), Failure> {
        let label = paint(WARN, say!(self.lang, terminal_warning));
        let text = message.get(self.lang);
        self.say(&Both::same(format!("{label}{text}")))
    }

    /// Prints a message from a verbosity on.
    pub(crate) fn detail(&mut self, from: Verbosity, message: &Both) -> Result<(), Failure> {
        if self.verbosity < from {
            return Ok(());
        }
        let line = paint(DIM, message.get(self.lang));
        match from {
            // A prompt is shown exactly as sent.
            Verbosity::Prompts => Ok(self.err.text(&format!("{line}\n"))?),
            _ => self.say(&Both::same(line)),
        }
    }

    /// Prints a failure: on stderr, and as a document on stdout with `--json`. Failures of printing cannot be reported.
    pub(crate) fn fail(&mut self, failure: &Failure) {
        if failure.is_quiet() {
            return;
        }
        if self.json {
            if let Ok(line) = lang::line(&failure.to_json(self.lang)) {
                let _ = self.out.json(&line);
            }
        } else {
            let _ = self.err.text(&wrapped(&failure.text(self.lang), self.edges[1]));
        }
    }

    /// A display of progress; nothing is shown before the first stage.
    pub(crate) fn progress(&self, prose: ProseDisplay) -> progress::ProgressDisplay {
        progress::ProgressDisplay::new(
            self.lang,
            progress::DisplayMode::of(self.verbosity, DisplayOptions { json: self.json, live: self.live, prose }),
            Writer::stderr(self.err.colour()),
            self.edges[1],
        )
    }
}

/// The text in lines of at most that width, the last one ended too.
fn whole_lines(text: &str, width: usize) -> String {
    let mut lines = wrapped(text, width);
    if !lines.is_empty() && !lines.ends_with('\n') {
        lines.push('\n');
    }
    lines
}

/// Whether a stream is coloured: the flag, else anstream's finding (terminal, `NO_COLOR`, `CLICOLOR`, `TERM`).
fn colour(flag: Color, found: ColorChoice) -> Colour {
    match flag {
        Color::Always => Colour::On,
        Color::Never => Colour::Off,
        Color::Auto if found == ColorChoice::Never => Colour::Off,
        Color::Auto => Colour::On,
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Pager {
    /// The command, with the user's flags.
    command: String,
    /// The folders of the user's programs.
    folders: Option<String>,
    /// Variables that the user has not set: colours, quit when all fits, leave the text there; UTF-8 in any locale.
    defaults: Vec<(&'static str, &'static str)>,
    /// True when the user has chosen neither a pager nor its options, and may not know its keys.
    pub(crate) unchosen: bool,
}

impl Pager {
    /// The user's pager: `GIT_PAGER`, else `PAGER`, else `less`. `None` for `cat`.
    pub(crate) fn of(environment: &Environment) -> Option<Self> {
        let named = ["GIT_PAGER", "PAGER"].into_iter().find_map(|name| environment.var(name));
        let command = Some(named.unwrap_or("less").trim()).filter(|command| !matches!(*command, "" | "cat"))?;
        let unset = |(name, _): &(&str, &str)| environment.var(name).is_none();
        let defaults = [("LESS", "FRX"), ("LESSCHARSET", "utf-8"), ("LV", "-c")].into_iter().filter(unset).collect();
        let unchosen = named.is_none() && environment.var("LESS").is_none();
        let folders = environment.folders_of_programs();
        Some(Self { command: command.to_owned(), folders: folders.map(str::to_owned), defaults, unchosen })
    }

    /// Pipes the text to the pager and waits for it. Fails when the pager cannot be started; nothing has been shown
    /// then.
    pub(crate) fn page(&self, text: &str, colour: Colour) -> io::Result<()> {
        // Through a shell, because the user may have written flags; `exec` so that a missing pager is the shell's 127.
        let mut shell = system::shell_command(self.folders.as_deref());
        shell.arg("-c").arg(format!("exec {}", self.command)).stdin(Stdio::piped());
        let mut child = shell.envs(self.defaults.iter().copied()).spawn()?;
        if let Some(stdin) = child.stdin.take() {
            crate::commands::terminal::writer::page(stdin, text, colour);
        }
        match child.wait()?.code() {
            Some(126 | 127) => Err(io::Error::other("the pager cannot be started")),
            _ => Ok(()),
        }
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::commands::cli::failure::Exit;
    use std::io::{self, Write};
    use std::sync::{Arc, Mutex};

    /// The bytes written to a stream.
    #[derive(Clone, Default)]
    pub(crate) struct Tape(Arc<Mutex<Vec<u8>>>);

    impl Tape {
        pub(crate) fn text(&self) -> String {
            String::from_utf8(self.0.lock().unwrap().clone()).unwrap()
        }
    }

    impl Write for Tape {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0.lock().unwrap().extend_from_slice(bytes);
            Ok(bytes.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    /// A stream whose reader has gone.
    struct Gone;

    impl Write for Gone {
        fn write(&mut self, _: &[u8]) -> io::Result<usize> {
            Err(io::ErrorKind::BrokenPipe.into())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    fn globals(json: bool, quiet: bool) -> Globals {
        Globals { json, quiet, ..Globals::default() }
    }

    fn ui(json: bool, quiet: bool, colour: Colour) -> (Ui, Tape, Tape) {
        let (out, err) = (Tape::default(), Tape::default());
        let writer = |tape: &Tape| Writer::new(Box::new(tape.clone()), colour);
        let ui = Ui::over(writer(&out), writer(&err), &globals(json, quiet), &Environment::of([]), Lang::En);
        (ui, out, err)
    }

    fn words(zh: &str, en: &str) -> Both {
        Both { zh: zh.to_owned(), en: en.to_owned() }
    }

    #[test]
    fn the_answer_is_alone_on_stdout() {
        let (mut ui, out, err) = ui(false, false, Colour::Off);
        ui.answer(&paint(WARN, "chapter")).unwrap();
        ui.say(&words("旁白", "aside")).unwrap();
        ui.warn(&words("当心", "careful")).unwrap();
        ui.detail(Verbosity::Calls, &words("细节", "detail")).unwrap();
        ui.fail(&Failure::no(words("不行", "no")));
        assert_eq!(out.text(), "chapter");
        assert_eq!(err.text(), "aside\nwarning: careful\nerror: no\n");
    }

    #[test]
    fn quiet_leaves_answers_and_errors() {
        let (mut ui, out, err) = ui(false, true, Colour::Off);
        ui.answer("chapter\n").unwrap();
        ui.warn(&words("当心", "careful")).unwrap();
        ui.fail(&Failure::no(words("不行", "no")));
        assert_eq!((out.text().as_str(), err.text().as_str()), ("chapter\n", "error: no\n"));
    }

    #[test]
    fn with_json_a_failure_is_an_answer() {
        let (mut ui, out, err) = ui(true, false, Colour::On);
        ui.fail(&Failure::decide(words("要你定", "yours to decide")));
        let seen: serde_json::Value = serde_json::from_str(&out.text()).unwrap();
        assert_eq!((seen["version"].as_u64(), seen["error"]["exit"].as_u64()), (Some(1), Some(3)));
        assert_eq!(err.text(), "");
    }

    #[test]
    fn a_broken_pipe_ends_quietly() {
        let (_, _, err) = ui(false, false, Colour::Off);
        let streams = (Writer::new(Box::new(Gone), Colour::Off), Writer::new(Box::new(err.clone()), Colour::Off));
        let mut ui = Ui::over(streams.0, streams.1, &globals(false, false), &Environment::of([]), Lang::En);
        let failure = ui.answer("many lines\n").unwrap_err();
        ui.fail(&failure);
        assert_eq!((failure.exit(), err.text().as_str()), (Exit::Done, ""));
    }

    #[test]
    fn colour_follows_the_flag_first() {
        let both = |flag| [ColorChoice::Never, ColorChoice::Always].map(|found| colour(flag, found));
        assert_eq!(both(Color::Always), [Colour::On, Colour::On]);
        assert_eq!(both(Color::Never), [Colour::Off, Colour::Off]);
        assert_eq!(both(Color::Auto), [Colour::Off, Colour::On]);
    }

    #[test]
    fn the_users_pager_is_used_and_cat_is_none() {
        let named =
            |vars: &[(&str, &str)]| Pager::of(&Environment::of(vars.iter().copied())).map(|pager| pager.command);
        assert_eq!(named(&[]).as_deref(), Some("less"));
        assert_eq!(named(&[("PAGER", "more")]).as_deref(), Some("more"));
        assert_eq!(named(&[("GIT_PAGER", "delta --dark"), ("PAGER", "more")]).as_deref(), Some("delta --dark"));
        assert_eq!(named(&[("GIT_PAGER", "cat"), ("PAGER", "more")]), None);
        let unchosen = |vars: &[(&str, &str)]| Pager::of(&Environment::of(vars.iter().copied())).unwrap().unchosen;
        assert!(unchosen(&[]) && !unchosen(&[("PAGER", "less")]) && !unchosen(&[("LESS", "i")]));
    }

    #[cfg(unix)]
    #[test]
    fn a_pager_that_is_not_there_is_noticed() {
        let usual = Pager::of(&Environment::of([])).unwrap();
        let pager = |command: &str| Pager { command: command.to_owned(), ..usual.clone() };
        assert!(pager("novel-no-such-pager 2>/dev/null").page("text", Colour::Off).is_err());
        assert!(pager("true").page("text", Colour::Off).is_ok());
    }
}
