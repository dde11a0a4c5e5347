//! The help of the command line: one page a command, one file per language.
//!
//! Command lines of examples are the same in every language and stand in [`examples`]. A test checks that every command
//! and argument has a text in both languages and that no text is left over.

mod en;
mod examples;
mod zh;

use crate::report::Lang;

/// The help of one command.
pub(crate) struct Page {
    /// The path below the program: `config set`; empty for the program itself.
    pub(crate) path: &'static str,
    pub(crate) about: &'static str,
    /// The text of each argument, by field name.
    pub(crate) args: &'static [(&'static str, &'static str)],
    /// The purpose of each example, in the order of [`lines`].
    pub(crate) examples: &'static [&'static str],
}

pub(crate) fn pages(lang: Lang) -> &'static [Page] {
    match lang {
        Lang::Zh => zh::PAGES,
        Lang::En => en::PAGES,
    }
}

/// Returns the name of the value of an option or argument; `name` is the English one.
pub(crate) fn value_name(name: &str, lang: Lang) -> &str {
    let translated = || zh::VALUES.iter().find(|(english, _)| *english == name).map(|(_, zh)| *zh);
    if lang == Lang::Zh { translated().unwrap_or(name) } else { name }
}

pub(crate) fn page(path: &str, lang: Lang) -> Option<&'static Page> {
    pages(lang).iter().find(|page| page.path == path)
}

pub(crate) fn lines(path: &str) -> &'static [&'static str] {
    examples::EXAMPLES.iter().find(|(of, _)| *of == path).map_or(&[], |(_, lines)| *lines)
}
