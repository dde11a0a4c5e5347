//! The looks of an export: how headings, paragraphs and breaks are written. A profile is a TOML file that the author can change.

use super::{EditionChapter, EditionVolume};
use serde::Deserialize;

/// The looks of a text file. Readers of epub and docx have looks of their own; of a profile these take the headings.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Profile {
    /// Before each paragraph.
    pub indent: String,
    /// Blank lines between paragraphs.
    pub blank_lines: usize,
    /// Blank lines before a heading.
    pub blank_lines_before_heading: usize,
    /// A chapter's heading: `{number}` and `{title}` stand for its own.
    pub chapter: String,
    /// A volume's heading; empty for none.
    pub volume: String,
    pub numerals: Numerals,
    /// The mark between scenes; empty for the author's own.
    pub scene_break: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Numerals {
    /// 第12章
    Arabic,
    /// 第十二章
    Han,
}

/// A mistake in a profile.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {message}")]
pub struct ProfileError {
    /// From 1.
    pub line: usize,
    pub message: String,
}

/// The profiles that come with the program, by name.
const BUILT_IN: [(&str, &str); 2] = [
    ("web", include_str!("../../../templates/export/web.toml")),
    ("print", include_str!("../../../templates/export/print.toml")),
];

impl Profile {
    /// Names of the profiles that come with the program.
    pub fn names() -> impl Iterator<Item = &'static str> {
        BUILT_IN.iter().map(|(name, _)| *name)
    }

    /// The profile of that name, as the file that an author would change.
    #[must_use]
    pub fn file(name: &str) -> Option<&'static str> {
        BUILT_IN.iter().find(|(own, _)| *own == name).map(|(_, file)| *file)
    }

    pub fn read(file: &str) -> Result<Self, ProfileError> {
        toml::from_str(file).map_err(|error| {
            let start = error.span().map_or(0, |span| span.start);
            let line = file.get(..start).unwrap_or_default().matches('\n').count() + 1;
            ProfileError { line, message: error.message().to_owned() }
        })
    }

    pub(super) fn chapter_heading(&self, chapter: &EditionChapter) -> String {
        self.filled(&self.chapter, chapter.number, &chapter.title)
    }

    /// The line above a volume; `None` where the profile has none.
    pub(super) fn volume_heading(&self, volume: &EditionVolume) -> Option<String> {
        (!self.volume.is_empty()).then(|| self.filled(&self.volume, volume.number, &volume.title))
    }

    /// A volume's heading; where the profile has none, its number and title.
    #[must_use]
    pub fn volume_name(&self, volume: &EditionVolume) -> String {
        self.volume_heading(volume).unwrap_or_else(|| format!("{} {}", volume.number, volume.title))
    }

    fn filled(&self, form: &str, number: u32, title: &str) -> String {
        let number = match self.numerals {
            Numerals::Arabic => number.to_string(),
            Numerals::Han => han_numeral(number),
        };
        // The title is the author's text: what looks like a place to fill in there stays.
        let with_number = form.replace("{number}", &number);
        with_number.replace("{title}", title).trim().to_owned()
    }
}

/// A number in Han characters: 12 is 十二, 105 is 一百零五. From 10,000 on, digits.
fn han_numeral(number: u32) -> String {
    const DIGITS: [char; 10] = ['零', '一', '二', '三', '四', '五', '六', '七', '八', '九'];
    if !(1..10_000).contains(&number) {
        return number.to_string();
    }
    let (mut out, mut is_gap) = (String::new(), false);
    for (place, unit) in [(1_000, "千"), (100, "百"), (10, "十"), (1, "")] {
        match number / place % 10 {
            0 => is_gap = !out.is_empty(),
            digit => {
                if std::mem::take(&mut is_gap) {
                    out.push(DIGITS[0]);
                }
                out.push(DIGITS[digit as usize]);
                out.push_str(unit);
            }
        }
    }
    // 十二, not 一十二.
    if (10..20).contains(&number) { out.trim_start_matches('一').to_owned() } else { out }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::volume::outline::heading::parse_numeral;
    use proptest::prelude::*;

    #[test]
    fn numbers_are_written_as_they_are_said() {
        let numbers = [1, 10, 11, 20, 105, 110, 1_001, 1_010, 10_000];
        let said = ["一", "十", "十一", "二十", "一百零五", "一百一十", "一千零一", "一千零一十", "10000"];
        assert_eq!(numbers.map(han_numeral), said);
    }

    #[test]
    fn the_profiles_that_come_with_the_program_can_be_read() {
        for name in Profile::names() {
            Profile::read(Profile::file(name).unwrap()).unwrap();
        }
        let wrong = Profile::read("indent = \"\"\nindents = 2\n").unwrap_err();
        assert!(wrong.line == 2 && wrong.message.contains("indents"), "{wrong}");
    }

    proptest! {
        #[test]
        fn a_written_number_is_read_as_itself(number in 1_u32..10_000) {
            prop_assert_eq!(parse_numeral(&han_numeral(number)), Some(number));
        }
    }
}
