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
    let plain = |c: char| c.is_alphanumeric() || matches!(c, '/' | '.' | '-' | '_' | '+' | '@' | ':' | '=');
    match path.chars().all(plain) && !path.is_empty() && !path.starts_with('=') {
        true => path,
        false => format!("'{}'", path.replace('\'', r"'\''")),
    }
}

/// The part of a long answer that is shown on a screen. JSON has the whole.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Extent {
    /// About a screen; the rest is summed up.
    Brief,
    Whole,
}

impl From<bool> for Extent {
    fn from(all: bool) -> Self {
        if all { Self::Whole } else { Self::Brief }
    }
}

impl Extent {
    /// The shown rows in order, and the number of the others. In brief, at most `most` are shown: those with the
    /// highest `rank`, and of equal ones the last.
    pub(super) fn of_rows<T, R: Ord>(self, rows: &[T], most: usize, rank: impl Fn(&T) -> R) -> (Vec<&T>, usize) {
        if self == Self::Whole || rows.len() <= most {
            return (rows.iter().collect(), 0);
        }
        let mut numbers: Vec<usize> = (0..rows.len()).collect();
        numbers.sort_by_key(|at| std::cmp::Reverse((rank(&rows[*at]), *at)));
        numbers.truncate(most);
        numbers.sort_unstable();
        (numbers.iter().map(|at| &rows[*at]).collect(), rows.len() - most)
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

    #[test]
    fn in_brief_the_gravest_and_then_the_last_are_shown_in_their_order() {
        let rows = [(1, 'a'), (0, 'b'), (0, 'c'), (1, 'd'), (0, 'e')];
        let shown = |extent: Extent, most| {
            let (rows, left) = extent.of_rows(&rows, most, |row| row.0);
            (rows.into_iter().map(|row| row.1).collect::<String>(), left)
        };
        assert_eq!(shown(Extent::Brief, 3), ("ade".to_owned(), 2));
        assert_eq!(shown(Extent::Brief, 5), ("abcde".to_owned(), 0));
        assert_eq!(shown(Extent::Whole, 3), ("abcde".to_owned(), 0));
    }
}
