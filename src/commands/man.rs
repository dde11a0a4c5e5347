//! `novel man`: the manual pages. `git novel --help` shows `git-novel.1`, so that page has to be installed too.
//! `novel completions`: prints a shell's completion script.

use crate::commands::cli::help;
use crate::commands::prelude::*;
use crate::commands::settings::keys;
use crate::llm::preset;
use crate::report::catalogue;
use clap_complete::Shell;
use std::io;

#[derive(Debug, Clone, clap::Args)]
pub(crate) struct ManArgs {
    #[arg(long, value_name = "DIR")]
    pub(crate) install: Option<PathBuf>,
}

/// Makes the command line under one of the program's names.
type Tree = fn(Lang, &'static str) -> clap::Command;

/// Prints `novel.1`, or writes every page.
pub(crate) fn run(app: &mut App, args: &ManArgs) -> Result<Exit, Failure> {
    let (lang, tree) = (app.ui.lang(), app.tree);
    let Some(dir) = &args.install else {
        let page = page(tree(lang, "novel"), "novel", lang)?;
        app.ui.verbatim(&String::from_utf8_lossy(&page))?;
        return Ok(Exit::Done);
    };
    let folder = app.folder()?.join(dir).join("man1");
    for (name, page) in pages(tree, lang)? {
        let path = folder.join(format!("{name}.1"));
        environment::write_whole(&path, &page).map_err(|error| {
            Failure::no(both!(manual_page_cannot_be_written(shown = path.display()))).because(&error)
        })?;
        app.ui.verbatim(&format!("{}\n", path.display()))?;
    }
    let dir = app.folder()?.join(dir);
    app.ui.say(&both!(to_let_man_find_them_export(shown = dir.display())))?;
    Ok(Exit::Done)
}

/// Every page by its name: the program under both of its names, and one per command.
fn pages(tree: Tree, lang: Lang) -> io::Result<Vec<(String, Vec<u8>)>> {
    let mut pages = Vec::new();
    for (file, name) in [("novel", "novel"), ("git-novel", "git novel")] {
        pages.push((file.to_owned(), page(tree(lang, name), file, lang)?));
    }
    let mut tree = tree(lang, "novel");
    tree.build();
    for command in tree.get_subcommands().filter(|command| command.get_name() != "help") {
        let file = format!("novel-{}", command.get_name());
        pages.push((file.clone(), page(command.clone(), &file, lang)?));
    }
    Ok(pages)
}

fn page(command: clap::Command, file: &str, lang: Lang) -> io::Result<Vec<u8>> {
    let is_program = !file.starts_with("novel-");
    let synopsis = synopsis(&command, lang);
    let command = command.override_usage(synopsis);
    let man = clap_mangen::Man::new(command).title(file.to_uppercase()).section("1").manual("novel manual");
    let mut page = Vec::new();
    man.render(&mut page)?;
    let mut page = translated(&String::from_utf8_lossy(&page), lang);
    if is_program {
        page.push_str(&exit_status(lang));
        page.push_str(&settings(lang));
        page.push_str(&variables(lang));
    }
    Ok(page.into_bytes())
}

/// The page with the headings of the page generator and the words of clap in the language.
fn translated(page: &str, lang: Lang) -> String {
    if lang == Lang::En {
        return page.to_owned();
    }
    let clap = |id, lang| catalogue::name(id, lang).unwrap_or_default();
    let line = |line: &str| {
        let heading = line.strip_prefix(".SH ").map(|heading| heading.trim_matches('"'));
        match heading.and_then(|heading| catalogue::names("man_heading_").find(|(_, en)| *en == heading)) {
            Some((zh, en)) => format!(".SH \"{}\"\n", lang.pick(zh, en)),
            None => {
                format!("{}\n", line.replace(&roff(clap("clap_help_and_less", Lang::En)), clap("clap_help", lang)))
            }
        }
    };
    help::rendered(&page.lines().map(line).collect::<String>(), lang)
}

/// A text as the page generator escapes it.
fn roff(text: &str) -> String {
    text.replace('-', "\\-").replace('\'', "\\*(Aq")
}

/// The command line with the value of each option, which the page generator leaves out.
fn synopsis(command: &clap::Command, lang: Lang) -> String {
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
    parts.push(format!("[{}]", say!(lang, man_global_options)));
    for positional in positionals {
        let value = values(positional).unwrap_or_default();
        parts.push(if positional.is_required_set() { format!("<{value}>") } else { format!("[{value}]") });
    }
    if command.has_subcommands() {
        let name = say!(lang, clap_command);
        parts.push(if command.is_subcommand_required_set() { format!("<{name}>") } else { format!("[{name}]") });
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

fn exit_status(lang: Lang) -> String {
    let items = Exit::ALL.iter().map(|exit| (exit.code().to_string(), exit.say(lang).to_owned()));
    section(say!(lang, man_exit_status), items)
}

fn settings(lang: Lang) -> String {
    let items = keys::usual().map(|key| {
        (key.name().to_owned(), say!(lang, man_setting(meaning = key.meaning(lang), variable = key.variable())))
    });
    section(say!(lang, man_settings), items)
}

fn variables(lang: Lang) -> String {
    let own = [
        ("NOVEL_API_KEY", say!(lang, man_variable_key)),
        ("NOVEL_CONFIG", say!(lang, man_variable_config)),
        ("NOVEL_LANG, LC_ALL, LC_MESSAGES, LANG", say!(lang, man_variable_language)),
        ("NO_COLOR", say!(lang, man_variable_color)),
        ("COLUMNS", say!(lang, man_variable_columns)),
        ("GIT_PAGER, PAGER", say!(lang, man_variable_pager)),
        ("SOURCE_DATE_EPOCH", say!(lang, man_variable_clock)),
    ];
    let own = own.into_iter().map(|(name, meaning)| (name.to_owned(), meaning.to_owned()));
    let keys = preset::all().iter().filter(|preset| !preset.key_variables.is_empty()).map(|preset| {
        let name = preset.name;
        (preset.key_variables.join(", "), say!(lang, man_variable_of(name)))
    });
    section(say!(lang, man_environment), own.chain(keys))
}

/// A section of terms and their meanings, in roff.
fn section(heading: &str, items: impl Iterator<Item = (String, String)>) -> String {
    let plain = |text: &str| text.replace('\\', "\\e").replace('-', "\\-");
    let items = items.map(|(term, meaning)| format!(".TP\n\\fB{}\\fR\n{}\n", plain(&term), plain(&meaning)));
    format!(".SH \"{heading}\"\n{}", items.collect::<String>())
}

#[derive(Debug, Clone, clap::Args)]
pub(crate) struct CompletionsArgs {
    #[arg(value_name = "SHELL", value_enum)]
    pub(crate) shell: Shell,
}

pub(crate) fn completions(app: &mut App, args: &CompletionsArgs) -> Result<Exit, Failure> {
    let mut script = Vec::new();
    // English in every language: scripts are installed for all users.
    clap_complete::generate(args.shell, &mut (app.tree)(Lang::En, "novel"), "novel", &mut script);
    app.ui.verbatim(&String::from_utf8_lossy(&script))?;
    Ok(Exit::Done)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::catalogue::english::english_in;

    #[test]
    fn every_command_has_a_page_and_the_program_has_two() {
        let pages = pages(crate::commands::cli::args::tree, Lang::En).unwrap();
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

    #[test]
    fn a_chinese_manual_has_no_english_words() {
        for (name, page) in pages(crate::commands::cli::args::tree, Lang::Zh).unwrap() {
            let page = String::from_utf8(page).unwrap();
            // The first lines set the characters of the page; examples are command lines.
            let (page, _) =
                page.split_once(catalogue::name("man_heading_extra", Lang::Zh).unwrap()).unwrap_or((&page, ""));
            let lines: Vec<&str> = page.lines().skip(3).collect();
            for (at, line) in lines.iter().enumerate().filter(|(_, line)| !line.starts_with('.')) {
                // Options and their values are in bold, and values below a bullet.
                let words = line.replace("\\-", "-").replace("\\fB", "`").replace("\\fI", "").replace("\\fR", "`");
                let is_value = at > 0 && lines[at - 1].starts_with(".IP");
                assert!(is_value || english_in(&words).is_empty(), "{name}: {line}");
            }
        }
    }
}
