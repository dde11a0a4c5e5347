//! Help texts. English stands beside each argument; here are the examples of every command and the Chinese texts,
//! from one table ([`pages`]).

mod pages;

use super::exit::Exit;
use crate::report::Lang;
use crate::report::catalogue::say;
use crate::report::style::{HEADING, HINT};
use crate::store::template;
use clap::Command;

/// The help of one command: what the derive does not say.
pub(crate) struct Page {
    /// Its path below the program: `config set`; empty for the program itself.
    pub(crate) path: &'static str,
    /// What it does, in Chinese.
    pub(crate) about: &'static str,
    /// What each argument is, in Chinese, by clap's id.
    pub(crate) args: &'static [(&'static str, &'static str)],
    /// A command line, then what it does in Chinese and English.
    pub(crate) examples: &'static [(&'static str, &'static str, &'static str)],
}

/// The page of a command.
fn page(path: &str) -> Option<&'static Page> {
    pages::PAGES.iter().find(|page| page.path == path)
}

/// The tree with examples everywhere and, in Chinese, with Chinese texts.
pub(crate) fn apply(tree: Command, lang: Lang) -> Command {
    let tree = tree.after_long_help(exit_codes(lang));
    localized(tree, "", lang)
}

fn localized(command: Command, path: &str, lang: Lang) -> Command {
    let Some(page) = page(path) else { return command };
    let mut command = command.after_help(after_help(page, path, lang));
    if lang == Lang::Zh {
        command = command
            .about(page.about)
            .help_template(template())
            .subcommand_help_heading("命令")
            .subcommand_value_name("命令");
        for (id, text) in page.args {
            command = command.mut_arg(id, |arg| match arg.get_help_heading() {
                Some(_) => arg.help(*text).help_heading("全局选项"),
                None => arg.help(*text),
            });
        }
    }
    let children: Vec<String> = command.get_subcommands().map(|child| child.get_name().to_owned()).collect();
    for child in children {
        let below = if path.is_empty() { child.clone() } else { format!("{path} {child}") };
        command = command.mut_subcommand(child, |child| localized(child, &below, lang));
    }
    command
}

fn template() -> String {
    let (on, off) = (HEADING, HEADING);
    format!("{{before-help}}{{about-with-newline}}\n{on}用法:{off:#} {{usage}}\n\n{{all-args}}{{after-help}}")
}

fn after_help(page: &Page, path: &str, lang: Lang) -> String {
    let mut text = examples(page, lang);
    if path == "init" {
        text.push_str(&outline_format(lang));
    }
    if path.is_empty() {
        // The long help of the program replaces this text by one that goes on with the exit codes.
        text.push_str(say!(lang, every_command_has_its_own_help));
    }
    text
}

fn examples(page: &Page, lang: Lang) -> String {
    let (on, off) = (HEADING, HEADING);
    let heading = say!(lang, examples);
    let mut text = format!("{on}{heading}{off:#}\n");
    for (line, zh, en) in page.examples {
        let says = lang.pick(zh, en);
        text.push_str(&format!("  {HINT}{line}{HINT:#}\n      {says}\n"));
    }
    text
}

/// The notation of outlines, with a sample.
fn outline_format(lang: Lang) -> String {
    let (on, off) = (HEADING, HEADING);
    let heading = say!(lang, outline_format);
    let notes = say!(lang, section_n_title_chapter_from_chapter);
    let notes: String = notes.lines().map(|line| format!("  {line}\n")).collect();
    let sample: String = template::OUTLINE_SAMPLE
        .lines()
        .map(|line| if line.is_empty() { "\n".to_owned() } else { format!("      {line}\n") })
        .collect();
    format!("\n{on}{heading}{off:#}\n{notes}\n{sample}")
}

fn exit_codes(lang: Lang) -> String {
    let (on, off) = (HEADING, HEADING);
    let heading = say!(lang, exit_codes);
    let mut text = page("").map(|page| examples(page, lang)).unwrap_or_default();
    text.push_str(&format!("\n{on}{heading}{off:#}\n"));
    for exit in Exit::ALL {
        text.push_str(&format!("  {:>3}  {}\n", exit.code(), exit.meaning(lang)));
    }
    text
}

/// The words that clap writes by itself, which no setting changes: English and Chinese.
const CLAP_WORDS: [(&str, &str); 11] = [
    ("Options:", "选项:"),
    ("Arguments:", "参数:"),
    ("[OPTIONS]", "[选项]"),
    ("[COMMAND]", "[命令]"),
    ("[default: ", "[默认: "),
    ("[possible values: ", "[可选: "),
    ("Print this message or the help of the given subcommand(s)", "显示本帮助，或某个命令的帮助"),
    ("Print help (see more with '--help')", "显示帮助（--help 更详细）"),
    ("Print help (see a summary with '-h')", "显示帮助（-h 更简短）"),
    ("Print help", "显示帮助"),
    ("Print version", "显示版本"),
];

/// A rendered help text with clap's own words in the language.
pub(crate) fn rendered(text: &str, lang: Lang) -> String {
    match lang {
        Lang::En => text.to_owned(),
        Lang::Zh => CLAP_WORDS.iter().fold(text.to_owned(), |text, (english, chinese)| text.replace(english, chinese)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::commands::cli::args::tree;

    fn each(command: &Command, path: &str, visit: &mut impl FnMut(&Command, &str)) {
        visit(command, path);
        for child in command.get_subcommands() {
            let below =
                if path.is_empty() { child.get_name().to_owned() } else { format!("{path} {}", child.get_name()) };
            each(child, &below, visit);
        }
    }

    #[test]
    fn every_command_and_argument_has_a_chinese_text_and_every_command_examples() {
        let mut known = Vec::new();
        each(&tree(Lang::En, "novel"), "", &mut |command, path| {
            let page = page(path).unwrap_or_else(|| panic!("`{path}` has no page"));
            known.push(path.to_owned());
            assert!((2..=4).contains(&page.examples.len()), "`{path}` has {} examples", page.examples.len());
            let args: Vec<&str> = command.get_arguments().map(|arg| arg.get_id().as_str()).collect();
            let texts: Vec<&str> = page.args.iter().map(|(id, _)| *id).collect();
            for arg in &args {
                assert!(texts.contains(arg), "`{path}`: `{arg}` has no Chinese text");
            }
            assert_eq!(args.len(), texts.len(), "`{path}`: {texts:?} for {args:?}");
        });
        assert_eq!(known.len(), pages::PAGES.len(), "a page without a command");
    }

    #[test]
    fn examples_are_command_lines_that_parse() {
        for page in pages::PAGES {
            for (line, ..) in page.examples {
                let line = line.split(['|', '>']).next().unwrap_or_default().trim();
                let words = line.strip_prefix("novel").map(|rest| rest.split_whitespace()).unwrap();
                let parsed = tree(Lang::En, "novel").try_get_matches_from(std::iter::once("novel").chain(words));
                assert!(parsed.is_ok(), "{line}: {}", parsed.unwrap_err());
            }
        }
    }

    #[test]
    fn chinese_help_has_no_english_sentence() {
        each(&tree(Lang::Zh, "novel"), "", &mut |command, path| {
            let text = rendered(&command.clone().render_long_help().to_string(), Lang::Zh);
            for line in text.lines() {
                let words = line.split(|c: char| !(c.is_ascii_alphabetic() || c == ' ')).map(str::trim);
                let sentence =
                    words.filter(|run| !run.contains("novel")).find(|run| run.split_whitespace().count() >= 3);
                assert_eq!(sentence, None, "`{path}`: {line}");
            }
            assert!(!text.contains("Usage:") && text.contains("用法:"), "{text}");
        });
    }
}
