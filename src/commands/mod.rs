//! The command line: one file per command, from arguments to an outcome that is printed in one place. No logic of the
//! book lives here.

mod after_run;
mod answers;
mod branch;
mod chapter;
mod character;
mod check;
mod cli;
mod config;
mod context;
mod r#continue;
mod cost;
mod decide;
mod demo;
mod diff;
mod doctor;
mod export;
mod facts;
mod foreshadow;
mod hooks;
mod impact;
mod import;
mod init;
mod judge_trial;
mod log;
mod man;
mod mcp;
mod metrics;
mod network;
mod own_program;
mod plan;
mod prelude;
mod rebuild;
mod report;
mod review;
mod revision;
mod rollback;
pub(crate) mod run_context;
mod search;
mod serve;
mod settings;
mod setup;
mod show;
mod start;
mod status;
mod storyline;
mod style;
mod sync;
pub(crate) mod system;
mod terminal;
mod wish;
mod work;
mod world;
mod write;

pub use crate::commands::cli::failure::Exit;
use crate::pipeline::book::names;
pub use cli::args::tree;

use crate::commands::after_run::EndNotice;
use crate::commands::cli::args::{self, Command};
use crate::commands::cli::environment::Environment;
use crate::commands::cli::globals::{Color, Globals};
use crate::commands::own_program::OwnProgram;
use crate::commands::prelude::*;
use crate::commands::settings::file::{self, UserFile};
use crate::commands::terminal::{Ui, Verbosity};
use crate::domain::book::config::BookConfig;
use crate::pipeline::planning::volume;
use crate::report::kept::Interrupted;
use crate::report::words::{Ids, Names};
use crate::store::{self, CommitId, use_users_file};
use clap::error::ErrorKind;
use std::cell::RefCell;
use std::ffi::OsString;
use std::process::ExitCode;

/// The process of a command: streams, flags and the order that it carries out.
pub(crate) struct App {
    pub(crate) environment: Environment,
    pub(crate) ui: Ui,
    pub(crate) globals: Globals,
    /// The command line as typed, after the program's name.
    pub(crate) typed: Vec<String>,
    /// The program's name at its start: `novel` or `git novel`.
    pub(crate) program: &'static str,
    /// Makes the whole command line, for manual pages and completions.
    pub(crate) tree: fn(Lang, &'static str) -> clap::Command,
    /// True when the answer is a stream of events, with `--json` a line each, instead of one document.
    pub(crate) streams: bool,
    /// The order, for commands that must act once when typed again.
    pub(crate) pending_command: Option<PendingCommand>,
    pub(crate) remote_args: network::RemoteArgs,
    /// The unfinished transaction of an earlier command, until it is finished or reported.
    pub(crate) interrupted: RefCell<Option<Interrupted>>,
    /// The folder of the book that the command has begun to write in.
    pub(crate) written: Option<PathBuf>,
    /// The folder of the book in which agents have worked.
    pub(crate) ran_in: Option<PathBuf>,
}

/// The order of a command that must act once when typed again.
#[derive(Debug, Clone, Default)]
pub(crate) struct PendingCommand {
    /// The command with its arguments: `continue 3`.
    words: String,
    /// The book, once its lock is held.
    root: Option<PathBuf>,
    /// The commit at the start of the same, interrupted command.
    pub(crate) resumed: Option<CommitId>,
    /// True when the same command is to continue the order although this one has ended.
    pub(crate) goes_on: bool,
}

/// Flags that ask for a model, each with a value: none goes with `--offline`.
const MODEL_FLAGS: [&str; 3] = ["--model", "--revise-model", "--provider"];

impl App {
    /// The folder to work in: the current one, or that of `-C`.
    pub(crate) fn folder(&self) -> Result<PathBuf, Failure> {
        match (&self.environment.cwd, &self.globals.directory) {
            (Some(cwd), Some(directory)) => Ok(cwd.join(directory)),
            (Some(cwd), None) => Ok(cwd.clone()),
            (None, Some(directory)) if directory.is_absolute() => Ok(directory.clone()),
            (None, _) => Err(Failure::set_up(both!(current_folder_is_not_there_any))),
        }
    }

    /// A path that was typed. `-C` names the book alone: a file is found where the command is typed.
    pub(crate) fn typed(&self, path: &Path) -> PathBuf {
        self.environment.cwd.as_ref().map_or_else(|| path.to_owned(), |cwd| cwd.join(path))
    }

    pub(crate) fn program_path(&self) -> Result<PathBuf, Failure> {
        let unknown = |error: std::io::Error| Failure::set_up(both!(path_of_this_program_is_not)).because(&error);
        self.environment.program().map_err(unknown)
    }

    /// This program for the folder that the command works in.
    pub(crate) fn own_program(&self) -> Result<OwnProgram, Failure> {
        Ok(OwnProgram { path: self.program_path()?, folder: self.folder()?, lang: self.ui.lang() })
    }

    pub(crate) fn ids(&self) -> Ids {
        if self.globals.ids { Ids::Shown } else { Ids::Hidden }
    }

    /// The names of the things of the book, for texts.
    pub(crate) fn names(&self, book: &Book) -> Result<Names, Failure> {
        Ok(Names::new(names::names_by_id(&BookView::new(book.snapshot()?)), self.ids()))
    }

    /// The names of the things of the book with the plan of the volume that waits.
    pub(crate) fn names_with_plan(&self, book: &Book, volume: VolumeNo) -> Result<Names, Failure> {
        Ok(Names::new(volume::names(book, volume)?, self.ids()))
    }

    /// The command line for a shell; a `start` without its answer, which may be used up.
    fn again(&self, is_start: bool) -> String {
        let quoted = |arg: &String| crate::report::words::quoted(arg);
        let words: Vec<String> = match is_start {
            true => {
                let folder =
                    self.globals.directory.as_ref().map(|folder| quoted(&folder.to_string_lossy().into_owned()));
                let folder = folder.map(|folder| format!("-C {folder}"));
                folder.into_iter().chain(["start".to_owned()]).collect()
            }
            false => self.typed.iter().map(quoted).collect(),
        };
        format!("{} {}", self.program, words.join(" "))
    }

    /// The command line for a shell with another flag, without flags that ask for a model.
    pub(crate) fn typed_with(&self, flag: &str) -> String {
        let (mut words, mut args) = (Vec::new(), self.typed.iter());
        while let Some(arg) = args.next() {
            if arg == "--" {
                words.push(flag.to_owned());
                words.extend(std::iter::once(arg).chain(args).map(crate::report::words::quoted));
                return format!("{} {}", self.program, words.join(" "));
            }
            if MODEL_FLAGS.contains(&arg.as_str()) {
                args.next();
            } else if !MODEL_FLAGS.iter().any(|flag| arg.strip_prefix(flag).is_some_and(|rest| rest.starts_with('='))) {
                words.push(crate::report::words::quoted(arg));
            }
        }
        words.push(flag.to_owned());
        format!("{} {}", self.program, words.join(" "))
    }

    /// The settings for a command that spends nothing, from its flags and the book. Unusable ones are skipped with a
    /// warning.
    pub(crate) fn settings(&mut self, flags: &Flags, book: Option<&BookConfig>) -> Result<settings::Settings, Failure> {
        let file = file::load(&self.environment)?;
        self.resolved(flags, &file, book)
    }

    /// Settings for a command that always works: an unreadable file is only a warning.
    pub(crate) fn settings_so_far(&mut self, book: &BookConfig) -> Result<settings::Settings, Failure> {
        let file = match file::load(&self.environment) {
            Ok(file) => file,
            Err(failure) => {
                self.ui.warn(failure.words())?;
                UserFile::default()
            }
        };
        self.resolved(&Flags::default(), &file, Some(book))
    }

    /// The settings for a command that may spend.
    pub(crate) fn sound_settings(
        &mut self,
        flags: &Flags,
        book: Option<&BookConfig>,
    ) -> Result<settings::Settings, Failure> {
        let file = file::load(&self.environment)?;
        let settings = settings::Settings::resolve(&self.with_language(flags), &self.environment, &file, book);
        settings.must_be_sound()?;
        self.resolved(flags, &file, book)
    }

    fn with_language(&self, flags: &Flags) -> Flags {
        flags.clone().with(Key::Language, "--lang", self.globals.lang.map(|lang| lang.to_string()))
    }

    fn resolved(
        &mut self,
        flags: &Flags,
        file: &UserFile,
        book: Option<&BookConfig>,
    ) -> Result<settings::Settings, Failure> {
        let settings = settings::Settings::resolve(&self.with_language(flags), &self.environment, file, book);
        for warning in settings.warnings() {
            self.ui.warn(&warning)?;
        }
        for note in &settings.notes {
            self.ui.detail(Verbosity::Calls, note)?;
        }
        Ok(settings)
    }
}

/// A bug becomes a message and exit code 70, on whichever thread it shows.
pub fn main() -> ExitCode {
    std::panic::set_hook(Box::new(|panic| {
        let failure = Failure::bug(crate::report::Both::same(panic.to_string().replace('\n', " ")));
        let environment = Environment::of_process();
        let lang = language(&[], &environment, None);
        Ui::of_process(&plain(&[]), &environment, lang).fail(&failure);
        std::process::exit(Exit::Bug.code().into());
    }));
    let exit = run(&std::env::args_os().collect::<Vec<_>>(), Environment::of_process());
    ExitCode::from(exit.code())
}

fn run(args: &[OsString], environment: Environment) -> Exit {
    if let Some(path) = environment.var("GIT_CONFIG_GLOBAL") {
        use_users_file(path.into());
    }
    let program = program(args);
    // A broken file is reported by the commands that need it; help must work without.
    let file = file::load(&environment).ok();
    let lang = language(args, &environment, file.as_ref());
    let cli = match args::read(args, lang, program) {
        Ok(cli) => cli,
        Err(error) => {
            let mut ui = Ui::of_process(&plain(args), &environment, lang);
            return finish(explain(&mut ui, &error, args, program), &mut ui);
        }
    };
    let settings = settings::Settings::resolve(&Flags::default(), &environment, &file.unwrap_or_default(), None);
    figures::show_money_as(settings.money_format());
    let ui = Ui::of_process(&cli.globals, &environment, lang);
    let typed = args.iter().skip(1).map(|arg| arg.to_string_lossy().into_owned()).collect();
    let mut app = App {
        environment,
        ui,
        globals: cli.globals,
        typed: own_program::as_typed(typed),
        program,
        tree,
        streams: false,
        pending_command: None,
        remote_args: network::RemoteArgs::default(),
        interrupted: RefCell::new(None),
        written: None,
        ran_in: None,
    };
    app.ui.again = app.again(matches!(cli.command, Command::Start(_)));
    let result = dispatch(&mut app, &cli.command);
    if let Err(failure) = after_run::pack(&mut app) {
        app.ui.fail(&failure);
    }
    if result.is_ok()
        && let Some(interrupted) = app.interrupted.take()
    {
        let told = app.ui.warn(&Both::of(|lang| interrupted.waits(lang)));
        return finish(told.and(result), &mut app.ui);
    }
    let pending_command = app.pending_command.take();
    let failed = result.is_err();
    let notice = EndNotice::of(&app, &settings, &result);
    let exit = finish(result, &mut app.ui);
    // Last of all: a command that dies before this point is resumed when typed again.
    if let Some(pending_command) = pending_command
        && let Err(failure) = pending_command.end(failed)
    {
        app.ui.fail(&failure);
    }
    if let Some(Err(failure)) = notice.map(|notice| notice.send(&mut app)) {
        app.ui.fail(&failure);
    }
    exit
}

impl PendingCommand {
    fn end(self, failed: bool) -> Result<(), Failure> {
        let Some(root) = self.root.filter(|_| !self.goes_on) else { return Ok(()) };
        let book = Book::open(&root, wording)?;
        match failed {
            false => store::pending_command::end_pending(&book, &self.words)?,
            true => store::pending_command::end_fruitless_errand(&book, &self.words)?,
        }
        Ok(())
    }
}

fn finish(result: Result<Exit, Failure>, ui: &mut Ui) -> Exit {
    result.unwrap_or_else(|failure| {
        ui.fail(&failure);
        failure.exit()
    })
}

fn dispatch(app: &mut App, command: &Command) -> Result<Exit, Failure> {
    match command {
        Command::Export(args) if args.blurb => crate::commands::export::blurb(app, args),
        command => command.run(app),
    }
}

/// The first words of usage lines, by the name at the start of the program.
fn program(args: &[OsString]) -> &'static str {
    let stem = args.first().map(Path::new).and_then(Path::file_stem);
    if stem.is_some_and(|stem| stem == "git-novel") { "git novel" } else { "novel" }
}

/// The language of usage errors, before the command line has been parsed.
fn language(args: &[OsString], environment: &Environment, file: Option<&UserFile>) -> Lang {
    let flag = flag(args, "--lang");
    let named = file.and_then(|file| file.values.get(&Key::Language)).map(String::as_str);
    let var = |name| environment.var(name);
    let system = environment.locale.as_deref();
    Lang::resolve([flag, var("NOVEL_LANG"), named, var("LC_ALL"), var("LC_MESSAGES"), var("LANG"), system])
}

/// The value of a flag, in either notation.
fn flag<'a>(args: &'a [OsString], name: &str) -> Option<&'a str> {
    let mut texts = args.iter().filter_map(|arg| arg.to_str()).take_while(|arg| *arg != "--");
    while let Some(text) = texts.next() {
        match text.strip_prefix(name) {
            Some("") => return texts.next(),
            Some(rest) if rest.starts_with('=') => return Some(&rest[1..]),
            _ => {}
        }
    }
    None
}

/// Global flags for output before, or without, a parsed command line.
fn plain(args: &[OsString]) -> Globals {
    let color = match flag(args, "--color") {
        Some("always") => Color::Always,
        Some("never") => Color::Never,
        _ => Color::Auto,
    };
    let json = args.iter().any(|arg| arg == "--json");
    Globals { json, color, no_input: true, no_pager: true, ..Globals::default() }
}

/// Help and version are answers; anything else is a failure.
fn explain(ui: &mut Ui, error: &clap::Error, args: &[OsString], program: &str) -> Result<Exit, Failure> {
    let lang = ui.lang();
    let rendered = || crate::report::style::marked(&cli::help::rendered(&error.render().ansi().to_string(), lang));
    match error.kind() {
        ErrorKind::DisplayHelp | ErrorKind::DisplayVersion => {
            ui.answer(&rendered())?;
            Ok(Exit::Done)
        }
        ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand => {
            ui.say(&crate::report::Both::same(rendered().trim_end().to_owned()))?;
            Ok(Exit::Usage)
        }
        _ => Err(cli::usage::failure(error, &typed(args, program))),
    }
}

/// The program and the commands typed, for the place of help.
fn typed(args: &[OsString], program: &str) -> String {
    let mut typed = program.to_owned();
    let mut command = tree(Lang::En, "novel");
    for arg in args.iter().skip(1).filter_map(|arg| arg.to_str()) {
        let Some(child) = command.find_subcommand(arg).cloned() else { continue };
        typed = format!("{typed} {arg}");
        command = child;
    }
    typed
}

#[cfg(test)]
mod tests {
    use super::*;

    fn args(line: &str) -> Vec<OsString> {
        line.split(' ').map(OsString::from).collect()
    }

    #[test]
    fn the_language_is_known_before_the_command_line_is() {
        let chinese = Environment::of([("LANG", "zh_CN.UTF-8")]);
        let table = [
            ("novel status", Lang::Zh),
            ("novel status --lang en", Lang::En),
            ("novel --lang=en nonsense", Lang::En),
            ("novel init -- --lang en", Lang::Zh),
        ];
        for (line, lang) in table {
            assert_eq!(language(&args(line), &chinese, None), lang, "{line}");
        }
        let mut file = UserFile::default();
        file.values.insert(Key::Language, "en".into());
        assert_eq!(language(&args("novel status"), &chinese, Some(&file)), Lang::En);
        let variable = Environment::of([("LANG", "zh_CN"), ("NOVEL_LANG", "zh")]);
        assert_eq!(language(&args("novel status"), &variable, Some(&file)), Lang::Zh);
    }

    #[test]
    fn git_novel_calls_itself_git_novel() {
        for (started, name) in
            [("/usr/bin/git-novel", "git novel"), ("novel", "novel"), ("./git-novel.exe", "git novel")]
        {
            assert_eq!(program(&args(started)), name);
        }
        let error = tree(Lang::En, "git novel").try_get_matches_from(["git-novel", "context", "-h"]).unwrap_err();
        assert!(error.to_string().contains("Usage: git novel context"), "{error}");
    }

    #[test]
    fn the_hint_names_the_command_that_was_meant() {
        assert_eq!(typed(&args("novel config set nonsense x"), "novel"), "novel config set");
        assert_eq!(typed(&args("git-novel -C book continue x"), "git novel"), "git novel continue");
    }
}
