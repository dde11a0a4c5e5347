//! Lists in a language: names, chapters, built-in styles.

use super::catalogue::say;
use super::{Lang, figures};
use crate::domain::ChapterNo;
use crate::store::template;
use std::fmt::Display;

/// Names as a list: `a, b` or `a、b`.
pub fn listed<T: Display>(names: impl IntoIterator<Item = T>, lang: Lang) -> String {
    let names: Vec<String> = names.into_iter().map(|name| name.to_string()).collect();
    names.join(say!(lang, list_comma))
}

/// Ascending chapters with ranges: `3–5、9`. Commands use [`figures::runs`].
pub fn chapters(chapters: &[ChapterNo], lang: Lang) -> String {
    let runs = figures::runs(chapters.iter().map(|chapter| chapter.get()));
    runs.replace('-', "–").replace(',', say!(lang, list_comma))
}

/// The built-in styles as typed, with their names in Chinese.
pub fn presets(lang: Lang) -> String {
    let shown = template::PRESETS.iter().map(|preset| match lang {
        Lang::Zh => format!("{}（{}）", preset.id, preset.name),
        Lang::En => preset.id.to_owned(),
    });
    listed(shown, lang)
}

/// A style in a commit's subject: a built-in one by its name for people.
pub fn style(name: &str, lang: Lang) -> &str {
    template::preset_called(name).map_or(name, |preset| lang.pick(preset.name, preset.id))
}

pub fn quoted(path: impl Display) -> String {
    let path = path.to_string();
    let plain = |c: char| c.is_alphanumeric() || matches!(c, '/' | '.' | '-' | '_' | '+' | '@' | ':');
    match path.chars().all(plain) && !path.is_empty() {
        true => path,
        false => format!("'{}'", path.replace('\'', r"'\''")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_quoted_only_where_a_shell_needs_it() {
        assert_eq!(quoted("/书/第1本"), "/书/第1本");
        assert_eq!(quoted("我的 书"), "'我的 书'");
        assert_eq!(quoted("it's"), r"'it'\''s'");
    }
}
