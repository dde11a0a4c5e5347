//! The help of the command line: `zh.txt` and `en.txt` have a section for each command, in the order of the command line.
//!
//! ```text
//! [demo] Write a small book offline        the command and its purpose
//! dir = Book folder                        an argument, by the name of its field
//! @asking                                  the arguments of the section `[@asking]`
//! $ novel demo                             an example
//!   into novel-demo                        its purpose
//! ```
//!
//! A test checks that every command and argument has a text in both languages, and that no text is left over.

use crate::report::Lang;
use std::sync::LazyLock;

/// The help of one command.
pub(crate) struct CommandHelp {
    /// The path below the program: `config set`; empty for the program itself.
    pub(crate) path: &'static str,
    pub(crate) about: &'static str,
    /// The text of each argument, by field name.
    pub(crate) args: Vec<(&'static str, &'static str)>,
    /// The command line and the purpose of each example.
    pub(crate) examples: Vec<(&'static str, &'static str)>,
}

static ZH: LazyLock<Vec<CommandHelp>> = LazyLock::new(|| read(include_str!("zh.txt")));
static EN: LazyLock<Vec<CommandHelp>> = LazyLock::new(|| read(include_str!("en.txt")));

fn read(text: &'static str) -> Vec<CommandHelp> {
    let mut pages: Vec<CommandHelp> = Vec::new();
    for line in text.lines().filter(|line| !line.starts_with('#')) {
        if let Some((path, about)) = line.strip_prefix('[').and_then(|line| line.split_once("] ")) {
            pages.push(CommandHelp { path, about, args: Vec::new(), examples: Vec::new() });
            continue;
        }
        let shared = line.strip_prefix('@').and_then(|_| pages.iter().find(|page| page.path == line));
        let shared = shared.map(|page| page.args.clone()).unwrap_or_default();
        let Some(page) = pages.last_mut() else { continue };
        page.args.extend(shared);
        if let Some(command) = line.strip_prefix("$ ") {
            page.examples.push((command, ""));
        } else if let (Some(purpose), Some(example)) = (line.strip_prefix("  "), page.examples.last_mut()) {
            example.1 = purpose;
        } else {
            page.args.extend(line.split_once(" = "));
        }
    }
    pages
}

/// The pages of the commands, without the sections that only share their arguments.
#[cfg(test)]
pub(crate) fn pages(lang: Lang) -> impl Iterator<Item = &'static CommandHelp> {
    all(lang).iter().filter(|page| !page.path.starts_with('@'))
}

fn all(lang: Lang) -> &'static [CommandHelp] {
    match lang {
        Lang::Zh => &ZH,
        Lang::En => &EN,
    }
}

/// Returns the name of the value of an option or argument; `name` is the English one.
pub(crate) fn value_name(name: &str, lang: Lang) -> &str {
    let values = page("@values", lang).into_iter().flat_map(|page| &page.args);
    values.into_iter().find(|(english, _)| *english == name).map_or(name, |(_, here)| here)
}

pub(crate) fn page(path: &str, lang: Lang) -> Option<&'static CommandHelp> {
    all(lang).iter().find(|page| page.path == path)
}
