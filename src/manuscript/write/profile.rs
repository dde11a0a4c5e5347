//! The looks of an export: how headings, paragraphs and breaks are written. A profile is a TOML file that the author can change.

use crate::domain::notation::han_numeral;
use crate::manuscript::write::{EditionChapter, EditionVolume};
use toml::{Table, Value};

/// The looks of a text file. Readers of epub and docx have looks of their own; of a profile these take the headings.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Profile {
    /// Before each paragraph.
    pub indent: String,
    /// Blank lines between paragraphs.
    pub blank_lines: usize,
    pub blank_lines_before_heading: usize,
    /// A chapter's heading: `{number}` and `{title}` stand for its own.
    pub chapter: String,
    /// A volume's heading; empty for none.
    pub volume: String,
    pub numerals: Numerals,
    /// The mark between scenes; empty for the author's own.
    pub scene_break: String,
}

impl Default for Profile {
    fn default() -> Self {
        Self {
            indent: "　　".to_owned(),
            blank_lines: 1,
            blank_lines_before_heading: 2,
            chapter: "第{number}章 {title}".to_owned(),
            volume: "第{number}卷 {title}".to_owned(),
            numerals: Numerals::Arabic,
            scene_break: String::new(),
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Numerals {
    /// 第12章
    Arabic,
    /// 第十二章
    Han,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProfileError {
    /// From 1.
    pub line: usize,
    pub mistake: ProfileMistake,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ProfileMistake {
    /// No TOML, in the words of its reader.
    Syntax(String),
    UnknownField(String),
    NoText(&'static str),
    /// The value of the field is no small number.
    NoNumber(&'static str),
    Numerals,
    /// Braces with another name than `number` or `title`.
    Placeholder(String),
}

pub const FIELDS: [&str; 7] =
    ["indent", "blank_lines", "blank_lines_before_heading", "chapter", "volume", "numerals", "scene_break"];

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
    pub fn file(name: &str) -> Option<&'static str> {
        BUILT_IN.iter().find(|(own, _)| *own == name).map(|(_, file)| *file)
    }

    /// Reads a profile. Fields that it does not name are those of `web`. Returns all mistakes.
    pub fn read(file: &str) -> Result<Self, Vec<ProfileError>> {
        let table: Table = toml::from_str(file).map_err(|error| {
            let start = error.span().map_or(0, |span| span.start);
            let line = file.get(..start).unwrap_or_default().matches('\n').count() + 1;
            vec![ProfileError { line, mistake: ProfileMistake::Syntax(error.message().to_owned()) }]
        })?;
        let (mut profile, mut errors) = (Self::default(), Vec::new());
        for (key, value) in &table {
            if let Err(mistake) = profile.set(key, value) {
                let of_key = |line: &str| line.trim_start().trim_start_matches(['"', '\'']).starts_with(key.as_str());
                errors.push(ProfileError { line: file.lines().position(of_key).map_or(1, |at| at + 1), mistake });
            }
        }
        errors.sort_by_key(|error| error.line);
        if errors.is_empty() { Ok(profile) } else { Err(errors) }
    }

    fn set(&mut self, key: &str, value: &Value) -> Result<(), ProfileMistake> {
        let Some(field) = FIELDS.into_iter().find(|field| *field == key) else {
            return Err(ProfileMistake::UnknownField(key.to_owned()));
        };
        let text = || value.as_str().map(str::to_owned).ok_or(ProfileMistake::NoText(field));
        let number = || {
            let number = value.as_integer().and_then(|number| usize::try_from(number).ok());
            number.filter(|number| *number <= 99).ok_or(ProfileMistake::NoNumber(field))
        };
        match field {
            "indent" => self.indent = text()?,
            "blank_lines" => self.blank_lines = number()?,
            "blank_lines_before_heading" => self.blank_lines_before_heading = number()?,
            "chapter" => self.chapter = form(text()?)?,
            "volume" => self.volume = form(text()?)?,
            "scene_break" => self.scene_break = text()?,
            _ => {
                self.numerals = match value.as_str() {
                    Some("arabic") => Numerals::Arabic,
                    Some("han") => Numerals::Han,
                    _ => return Err(ProfileMistake::Numerals),
                }
            }
        }
        Ok(())
    }

    pub(super) fn chapter_heading(&self, chapter: &EditionChapter) -> String {
        self.filled(&self.chapter, chapter.number, &chapter.title)
    }

    /// The line above a volume; `None` where the profile has none.
    pub(super) fn volume_heading(&self, volume: &EditionVolume) -> Option<String> {
        (!self.volume.is_empty()).then(|| self.filled(&self.volume, volume.number, &volume.title))
    }

    /// A volume's heading; where the profile has none, its number and title.
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

/// The form of a heading, if its places to fill in are known.
fn form(text: String) -> Result<String, ProfileMistake> {
    let mut rest = text.as_str();
    while let Some((_, after)) = rest.split_once('{') {
        let Some((name, after)) = after.split_once('}') else { break };
        if !["number", "title"].contains(&name) {
            return Err(ProfileMistake::Placeholder(name.to_owned()));
        }
        rest = after;
    }
    Ok(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_profiles_that_come_with_the_program_can_be_read() {
        for name in Profile::names() {
            Profile::read(Profile::file(name).unwrap()).unwrap();
        }
        assert_eq!(Profile::read("").as_ref(), Ok(&Profile::read(Profile::file("web").unwrap()).unwrap()));
    }

    #[test]
    fn all_mistakes_of_a_profile_are_told_with_their_lines() {
        use ProfileMistake as M;
        let file = "indent = 2\nindents = \"\"\nchapter = \"第{n}章\"\nnumerals = \"roman\"\nblank_lines = -1\n";
        let told: Vec<_> =
            Profile::read(file).unwrap_err().into_iter().map(|error| (error.line, error.mistake)).collect();
        let wanted = [
            (1, M::NoText("indent")),
            (2, M::UnknownField("indents".to_owned())),
            (3, M::Placeholder("n".to_owned())),
            (4, M::Numerals),
            (5, M::NoNumber("blank_lines")),
        ];
        assert_eq!(told, wanted);
        assert!(matches!(&Profile::read("indent = ").unwrap_err()[0].mistake, M::Syntax(_)));
    }
}
