//! Puts the help pages of the catalogue on the command line.

use crate::commands::prelude::*;
use crate::report::catalogue;
use crate::report::catalogue::help::{CommandHelp, page, value_name};
use crate::report::style::{HEADING, HINT};
use crate::store::template;
use clap::Command;
use std::cmp::Reverse;

/// Adds the help texts of one language to the tree.
pub(crate) fn apply(tree: Command, lang: Lang) -> Command {
    let tree = tree.after_long_help(exit_codes(lang));
    localized(tree, "", lang)
}

fn localized(command: Command, path: &str, lang: Lang) -> Command {
    let Some(page) = page(path, lang) else { return command };
    let mut command = command.about(page.about).after_help(after_help(page, lang));
    if lang != Lang::En {
        // clap has the English words built in, and others for manual pages.
        command = command.help_template(template(lang)).subcommand_value_name(say!(lang, clap_command));
    }
    for &(id, text) in &page.args {
        command = command.mut_arg(id, |arg| {
            let values: Option<Vec<String>> =
                arg.get_value_names().map(|names| names.iter().map(|name| value_name(name, lang).to_owned()).collect());
            // Names given to a flag would make it take a value.
            match values.filter(|_| lang != Lang::En && arg.get_action().takes_values()) {
                Some(values) => arg.value_names(values).help(text),
                None => arg.help(text),
            }
        });
    }
    let children: Vec<String> = command.get_subcommands().map(|child| child.get_name().to_owned()).collect();
    for child in children {
        let below = if path.is_empty() { child.clone() } else { format!("{path} {child}") };
        command = command.mut_subcommand(child, |child| localized(child, &below, lang));
    }
    command
}

fn template(lang: Lang) -> String {
    let (on, off) = (HEADING, HEADING);
    let usage = say!(lang, clap_usage);
    format!("{{before-help}}{{about-with-newline}}\n{on}{usage}{off:#}{{usage}}\n\n{{all-args}}{{after-help}}")
}

fn after_help(page: &CommandHelp, lang: Lang) -> String {
    let mut text = examples(page, lang);
    if page.path == "init" {
        text.push_str(&outline_format(lang));
    }
    if page.path.is_empty() {
        // The long help of the program replaces this text by one that ends with the exit codes.
        text.push_str(say!(lang, every_command_has_its_own_help));
    }
    text
}

fn examples(page: &CommandHelp, lang: Lang) -> String {
    let (on, off) = (HEADING, HEADING);
    let heading = say!(lang, examples);
    let mut text = format!("{on}{heading}{off:#}\n");
    for (line, says) in &page.examples {
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
    let mut text = page("", lang).map(|page| examples(page, lang)).unwrap_or_default();
    text.push_str(&format!("\n{on}{heading}{off:#}\n"));
    for exit in Exit::ALL {
        text.push_str(&format!("  {:>3}  {}\n", exit.code(), exit.say(lang)));
    }
    text
}

/// A rendered help text with clap's own words translated, which no setting changes. A longer text comes before one that it
/// begins with.
pub(crate) fn rendered(text: &str, lang: Lang) -> String {
    let mut words: Vec<(&str, &str)> = catalogue::names("clap_").collect();
    words.sort_by_key(|(_, en)| Reverse(en.len()));
    words.iter().fold(text.to_owned(), |text, (zh, en)| replace_wrapped(&text, en, lang.pick(zh, en)))
}

/// Replaces `words`, which clap may have wrapped at any of their spaces. A break within words that begin with a bracket
/// moves before them, so that the line does not get longer.
fn replace_wrapped(text: &str, words: &str, by: &str) -> String {
    let (mut out, mut left) = (String::new(), text);
    while let Some((start, end)) = find_wrapped(left, words).filter(|_| words != by) {
        out.push_str(&left[..start]);
        let found = &left[start..end];
        if let Some(at) = found.find('\n').filter(|_| words.starts_with('[')) {
            let after = &found[at..];
            out.truncate(out.trim_end().len());
            out.push_str(&after[..after.len() - after.trim_start().len()]);
        }
        out.push_str(by);
        left = &left[end..];
    }
    out + left
}

/// The start and the end of `words` in the text, without a line break in place of their final space.
fn find_wrapped(text: &str, words: &str) -> Option<(usize, usize)> {
    let first = words.split(' ').next()?;
    text.match_indices(first).find_map(|(start, _)| {
        let mut end = start + first.len();
        for word in words.split(' ').skip(1) {
            let spaces = text[end..].len() - text[end..].trim_start().len();
            match word {
                "" => end += usize::from(text[end..].starts_with(' ')),
                word if spaces > 0 && text[end + spaces..].starts_with(word) => end += spaces + word.len(),
                _ => return None,
            }
        }
        Some((start, end))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::commands::cli::args::tree;
    use crate::report::catalogue::help::pages;

    fn each(command: &Command, path: &str, visit: &mut impl FnMut(&Command, &str)) {
        visit(command, path);
        for child in command.get_subcommands() {
            let below =
                if path.is_empty() { child.get_name().to_owned() } else { format!("{path} {}", child.get_name()) };
            each(child, &below, visit);
        }
    }

    #[test]
    fn every_command_and_argument_has_a_text_in_both_languages_and_no_text_is_left_over() {
        for lang in [Lang::Zh, Lang::En] {
            let mut known = Vec::new();
            each(&tree(lang, "novel"), "", &mut |command, path| {
                let page = page(path, lang).unwrap_or_else(|| panic!("`{path}` has no page in {lang}"));
                known.push(path.to_owned());
                let ids: Vec<&str> = command.get_arguments().map(|arg| arg.get_id().as_str()).collect();
                let texts: Vec<&str> = page.args.iter().map(|(id, _)| *id).collect();
                assert_eq!(texts, ids, "`{path}` in {lang}");
                assert!(!page.about.is_empty() && page.args.iter().all(|(_, text)| !text.is_empty()), "`{path}`");
                assert!((2..=4).contains(&page.examples.len()), "`{path}` has {} examples", page.examples.len());
                let lines = |page: &CommandHelp| page.examples.iter().map(|(line, _)| *line).collect::<Vec<_>>();
                assert!(page.examples.iter().all(|(_, says)| !says.is_empty()), "`{path}` in {lang}");
                assert_eq!(lines(page), lines(super::page(path, Lang::En).unwrap()), "`{path}` in {lang}");
            });
            let pages: Vec<&str> = pages(lang).map(|page| page.path).collect();
            assert_eq!(pages, known, "{lang}");
        }
    }

    #[test]
    fn words_of_clap_are_translated_where_a_narrow_terminal_breaks_them() {
        let (zh, narrow) = (
            Lang::Zh,
            "[default:\n    auto] [possible\n    values: a, b]\nPrint this message or the help of the given\n  subcommand(s)\n",
        );
        assert_eq!(rendered(narrow, zh), "[默认：\n    auto]\n    [可选：a, b]\n显示本帮助，或某个命令的帮助\n");
        assert_eq!(rendered(narrow, Lang::En), narrow);
    }

    #[test]
    fn a_value_is_called_by_its_thing_and_the_same_in_all_commands() {
        let mut names: std::collections::BTreeMap<String, String> = std::collections::BTreeMap::new();
        each(&tree(Lang::En, "novel"), "", &mut |command, path| {
            for arg in command.get_arguments().filter(|arg| arg.get_action().takes_values()) {
                let value =
                    arg.get_value_names().unwrap_or_default().iter().map(|name| name.as_str()).collect::<Vec<_>>();
                let value = value.join(" ");
                assert!(value.len() > 1 && !["WHO", "WHAT", "NUM"].contains(&value.as_str()), "`{path}` has <{value}>");
                // These options say different things about different commands.
                let Some(long) =
                    arg.get_long().filter(|long| !["from", "style", "stage", "chapters", "to", "words"].contains(long))
                else {
                    continue;
                };
                let known = names.entry(long.to_owned()).or_insert_with(|| value.clone());
                assert_eq!(*known, value, "`{path}` calls the value of --{long} otherwise");
            }
        });
        assert!(names.len() > 30);
    }

    #[test]
    fn examples_are_command_lines_that_parse() {
        for page in pages(Lang::En) {
            for (line, _) in &page.examples {
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
            for arg in command.get_arguments().filter(|arg| arg.get_action().takes_values()) {
                let value = arg.get_value_names().unwrap_or_default().join(" ");
                assert!(!value.contains(|c: char| c.is_ascii_alphabetic()), "`{path}` has <{value}>");
            }
            for line in text.lines() {
                let words = line.split(|c: char| !(c.is_ascii_alphabetic() || c == ' ')).map(str::trim);
                let sentence =
                    words.filter(|run| !run.contains("novel")).find(|run| run.split_whitespace().count() >= 3);
                assert_eq!(sentence, None, "`{path}`: {line}");
            }
            assert!(!text.contains("Usage:") && text.contains("用法："), "{text}");
        });
    }
}
