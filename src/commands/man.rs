//! `novel man`: the manual pages. `git novel --help` shows `git-novel.1`, so that page has to be installed too.

use super::App;
use super::cli::environment;
use super::cli::exit::Exit;
use super::cli::failure::Failure;
use super::settings::keys;
use crate::llm::preset;
use crate::report::Lang;
use crate::report::catalogue::both;
use std::io;
use std::path::PathBuf;

#[derive(Debug, Clone, clap::Args)]
pub(crate) struct ManArgs {
    #[arg(long, value_name = "DIR")]
    pub(crate) install: Option<PathBuf>,
}

/// Makes the command line under one of the program's names.
type Tree = fn(Lang, &'static str) -> clap::Command;

/// Prints `novel.1`, or writes every page.
pub(crate) fn run(app: &mut App, args: &ManArgs, tree: Tree) -> Result<Exit, Failure> {
    let Some(dir) = &args.install else {
        let page = page(tree(Lang::En, "novel"), "novel")?;
        app.ui.verbatim(&String::from_utf8_lossy(&page))?;
        return Ok(Exit::Done);
    };
    let folder = app.folder()?.join(dir).join("man1");
    for (name, page) in pages(tree)? {
        let path = folder.join(format!("{name}.1"));
        environment::write_public(&path, &page).map_err(|error| {
            let shown = path.display();
            let message = both!(manual_page_cannot_be_written(shown));
            Failure::new(Exit::No, message).because(&error)
        })?;
        app.ui.verbatim(&format!("{}\n", path.display()))?;
    }
    let dir = app.folder()?.join(dir);
    let shown = dir.display();
    app.ui.say(&both!(to_let_man_find_them_export(shown)))?;
    Ok(Exit::Done)
}

/// Every page by its name: the program under both of its names, and one per command.
fn pages(tree: Tree) -> io::Result<Vec<(String, Vec<u8>)>> {
    let mut pages = Vec::new();
    for (file, name) in [("novel", "novel"), ("git-novel", "git novel")] {
        pages.push((file.to_owned(), page(tree(Lang::En, name), file)?));
    }
    let mut tree = tree(Lang::En, "novel");
    tree.build();
    for command in tree.get_subcommands().filter(|command| command.get_name() != "help") {
        let file = format!("novel-{}", command.get_name());
        pages.push((file.clone(), page(command.clone(), &file)?));
    }
    Ok(pages)
}

fn page(command: clap::Command, file: &str) -> io::Result<Vec<u8>> {
    let is_program = !file.starts_with("novel-");
    let synopsis = synopsis(&command);
    let command = command.override_usage(synopsis);
    let man = clap_mangen::Man::new(command).title(file.to_uppercase()).section("1").manual("novel manual");
    let mut page = Vec::new();
    man.render(&mut page)?;
    if is_program {
        page.extend(exit_status().into_bytes());
        page.extend(settings().into_bytes());
        page.extend(variables().into_bytes());
    }
    Ok(page)
}

/// The command line with the value of each option, which the page generator leaves out.
fn synopsis(command: &clap::Command) -> String {
    let mut parts = vec![command.get_bin_name().unwrap_or(command.get_name()).to_owned()];
    let is_own = |arg: &&clap::Arg| !arg.is_global_set() && !arg.is_hide_set() && arg.get_id() != "help";
    let (positionals, options): (Vec<_>, Vec<_>) =
        command.get_arguments().filter(is_own).partition(|arg| arg.is_positional());
    for option in options {
        let short = option.get_short().map(|short| format!("-{short}"));
        let names: Vec<String> = short.into_iter().chain(option.get_long().map(|long| format!("--{long}"))).collect();
        let value = values(option).map(|value| format!(" {value}")).unwrap_or_default();
        parts.push(format!("[{}{value}]", names.join("|")));
    }
    parts.push("[GLOBAL OPTIONS]".to_owned());
    for positional in positionals {
        let value = values(positional).unwrap_or_default();
        parts.push(if positional.is_required_set() { format!("<{value}>") } else { format!("[{value}]") });
    }
    if command.has_subcommands() {
        parts.push(if command.is_subcommand_required_set() { "<COMMAND>" } else { "[COMMAND]" }.to_owned());
    }
    parts.join(" ")
}

fn values(arg: &clap::Arg) -> Option<String> {
    let names = arg.get_value_names().filter(|_| arg.get_action().takes_values())?;
    let count = arg.get_num_args().unwrap_or_else(|| 1.into());
    let more = if count.max_values() > names.len() { "..." } else { "" };
    let names = format!("{}{more}", names.join(" "));
    Some(if count.min_values() == 0 { format!("[{names}]") } else { names })
}

fn exit_status() -> String {
    let items = Exit::ALL.iter().map(|exit| (exit.code().to_string(), exit.meaning(Lang::En).to_owned()));
    section("EXIT STATUS", items)
}

fn settings() -> String {
    let items = keys::all().map(|key| {
        let variable = key.variable();
        (key.name().to_owned(), format!("{} (variable {variable})", key.meaning(Lang::En)))
    });
    section("SETTINGS", items)
}

fn variables() -> String {
    let own = [
        ("NOVEL_API_KEY", "key for the chosen provider; stronger than the provider's own variable"),
        ("NOVEL_CONFIG", "configuration file to read instead of novel/config.toml in XDG_CONFIG_HOME"),
        (
            "NOVEL_LANG, LC_ALL, LC_MESSAGES, LANG",
            "language of messages: Chinese for zh*, else English; on Windows the system's where none is set",
        ),
        ("NO_COLOR", "no color, whatever the value"),
        ("COLUMNS", "width of answers"),
        ("GIT_PAGER, PAGER", "pager for long answers on a terminal"),
        ("SOURCE_DATE_EPOCH", "seconds at which the clock stands still, to reproduce a run"),
    ];
    let own = own.into_iter().map(|(name, meaning)| (name.to_owned(), meaning.to_owned()));
    let keys = preset::all().iter().filter(|preset| !preset.key_variables.is_empty()).map(|preset| {
        let name = preset.name;
        let meaning = format!("key for {name}; with no provider configured, the first of these that is set chooses it");
        (preset.key_variables.join(", "), meaning)
    });
    section("ENVIRONMENT", own.chain(keys))
}

/// A section of terms and their meanings, in roff.
fn section(heading: &str, items: impl Iterator<Item = (String, String)>) -> String {
    let plain = |text: &str| text.replace('\\', "\\e").replace('-', "\\-");
    let items = items.map(|(term, meaning)| format!(".TP\n\\fB{}\\fR\n{}\n", plain(&term), plain(&meaning)));
    format!(".SH \"{heading}\"\n{}", items.collect::<String>())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_command_has_a_page_and_the_program_has_two() {
        let pages = pages(crate::commands::cli::args::tree).unwrap();
        let names: Vec<&str> = pages.iter().map(|(name, _)| name.as_str()).collect();
        for name in ["novel", "git-novel", "novel-continue", "novel-config", "novel-man"] {
            assert!(names.contains(&name), "{names:?}");
        }
        let text = |name: &str| {
            let (_, page) = pages.iter().find(|(page, _)| page == name).unwrap();
            String::from_utf8(page.clone()).unwrap()
        };
        assert!(text("git-novel").contains("git novel"));
        for exit in Exit::ALL {
            assert!(text("novel").contains(&format!("\\fB{}\\fR", exit.code())), "{exit:?}");
        }
        for variable in ["NOVEL_API_KEY", "DEEPSEEK_API_KEY", "SOURCE_DATE_EPOCH"] {
            assert!(text("git-novel").contains(variable), "{variable}");
        }
        assert!(text("novel-continue").contains("novel continue"), "usage names the whole command");
        let synopsis = |name: &str| {
            let page = text(name).replace('\\', "");
            let line = page.lines().skip_while(|line| !line.starts_with(".SH SYNOPSIS")).nth(1);
            line.map(str::to_owned).unwrap_or_default()
        };
        let start = "fBnovel metricsfR [--volume VOLUME] [--all] [GLOBAL OPTIONS]";
        assert_eq!(synopsis("novel-metrics"), start);
        assert!(
            synopsis("novel-continue").contains("[--to CHAPTER]") && synopsis("novel-continue").ends_with("[COUNT]")
        );
        assert!(synopsis("novel-init").contains("[--samples FILE...]") && synopsis("novel-init").ends_with("<DIR>"));
        assert!(synopsis("novel-plan").ends_with("[COMMAND]") && synopsis("git-novel").ends_with("<COMMAND>"));
    }
}
