//! Numbers and names of things, parsed once at the border and trusted afterwards.
//! Closed sets of names that stand in files, prompts and reports.
//! Resolving names and ids of people, storylines, volumes and plot threads.

use crate::domain::notation::{BadText, stands_as_text};
use crate::domain::prelude::*;
use serde::{Deserializer, Serializer};

/// Why a number or an id was refused.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum IdError {
    /// Neither `48` nor `ch-48`, or out of range.
    #[error("not a chapter: `{0}`")]
    Chapter(String),
    /// Neither `2` nor `vol-2`, or out of range.
    #[error("not a volume: `{0}`")]
    Volume(String),
    /// Other than lower-case letters, digits, `-` and `_`, not starting with a letter or digit, or longer than 64.
    #[error("not an id: `{0}`")]
    Slug(String),
}

fn number_after(text: &str, prefixes: &[&str]) -> Option<u32> {
    let text = text.trim();
    let digits = prefixes.iter().find_map(|p| text.strip_prefix(p)).unwrap_or(text);
    if digits.is_empty() || digits.len() > 6 || !digits.bytes().all(|b| b.is_ascii_digit()) {
        return None;
    }
    digits.parse().ok().filter(|n| *n > 0)
}

/// A chapter's number in the book, from 1. Printed `ch-048`, the form of tags and draft branches.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ChapterNo(u32);

impl ChapterNo {
    pub const FIRST: Self = Self(1);

    /// `None` for 0 and for numbers of more than six digits.
    pub fn new(n: u32) -> Option<Self> {
        (1..=999_999).contains(&n).then_some(Self(n))
    }

    /// The chapter after `last` accepted chapters.
    pub fn after(last: u32) -> Self {
        Self(last + 1)
    }

    pub fn get(self) -> u32 {
        self.0
    }

    #[must_use]
    pub fn next(self) -> Self {
        Self(self.0 + 1)
    }

    /// `None` before chapter 1.
    pub fn previous(self) -> Option<Self> {
        Self::new(self.0 - 1)
    }

    /// The stem of the chapter's files: `chapter-048`.
    pub fn stem(self) -> String {
        format!("chapter-{:03}", self.0)
    }
}

impl fmt::Display for ChapterNo {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "ch-{:03}", self.0)
    }
}

impl FromStr for ChapterNo {
    type Err = IdError;

    /// Parses `48`, `048`, `ch-48`, `ch-048` or `chapter-048`.
    fn from_str(text: &str) -> Result<Self, IdError> {
        number_after(text, &["chapter-", "ch-"]).and_then(Self::new).ok_or_else(|| IdError::Chapter(text.to_owned()))
    }
}

/// A volume's number in the book, from 1. Printed `vol-02`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct VolumeNo(u32);

impl VolumeNo {
    pub const FIRST: Self = Self(1);

    /// `None` for 0 and for numbers of more than three digits.
    pub fn new(n: u32) -> Option<Self> {
        (1..=999).contains(&n).then_some(Self(n))
    }

    pub fn get(self) -> u32 {
        self.0
    }

    #[must_use]
    pub fn next(self) -> Self {
        Self(self.0 + 1)
    }
}

impl fmt::Display for VolumeNo {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "vol-{:02}", self.0)
    }
}

impl FromStr for VolumeNo {
    type Err = IdError;

    /// Parses `2`, `vol-2` or `vol-02`.
    fn from_str(text: &str) -> Result<Self, IdError> {
        number_after(text, &["vol-"]).and_then(Self::new).ok_or_else(|| IdError::Volume(text.to_owned()))
    }
}

/// A stable id of a character, storyline, foreshadowing, place or item: `lin-feng`, `main-arc`, `ancient_prophecy`. Ids
/// become paths and keys, so no other text may take their place.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Slug(String);

impl Slug {
    pub fn new(text: &str) -> Result<Self, IdError> {
        let fits = |b: u8| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-' || b == b'_';
        let starts_well = text.bytes().next().is_some_and(|b| b.is_ascii_lowercase() || b.is_ascii_digit());
        if starts_well && text.len() <= 64 && text.bytes().all(fits) {
            Ok(Self(text.to_owned()))
        } else {
            Err(IdError::Slug(text.to_owned()))
        }
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for Slug {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

stands_as_text!(Slug);

impl FromStr for Slug {
    type Err = IdError;

    fn from_str(text: &str) -> Result<Self, IdError> {
        Self::new(text)
    }
}

/// Git's id of a file's content (blob), 40 hexadecimal digits. Files with one id are equal byte for byte.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ContentId(String);

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("not a content id: `{0}`")]
pub struct NotAContentId(pub String);

stands_as_text!(ContentId);

impl FromStr for ContentId {
    type Err = NotAContentId;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let is_digit = |c: char| c.is_ascii_digit() || matches!(c, 'a'..='f');
        let is_id = text.len() == 40 && text.chars().all(is_digit);
        if is_id { Ok(Self(text.to_owned())) } else { Err(NotAContentId(text.to_owned())) }
    }
}

impl fmt::Display for ContentId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl From<IdError> for BadText {
    fn from(error: IdError) -> Self {
        match error {
            IdError::Chapter(text) => Self::Chapter(text),
            IdError::Volume(text) => Self::Volume(text),
            IdError::Slug(text) => Self::Id(text),
        }
    }
}

impl From<NotAContentId> for BadText {
    fn from(NotAContentId(text): NotAContentId) -> Self {
        Self::Content(text)
    }
}

macro_rules! stands_as_number {
    ($name:ident, $wrong:ident) => {
        impl Serialize for $name {
            fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
                to.serialize_u32(self.get())
            }
        }

        impl<'de> Deserialize<'de> for $name {
            fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
                Self::new(u32::deserialize(from)?).ok_or_else(|| BadText::$wrong.error())
            }
        }
    };
}
stands_as_number!(ChapterNo, ChapterNumber);
stands_as_number!(VolumeNo, VolumeNumber);

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{given}` instead of {allowed}")]
pub struct UnknownName {
    pub given: String,
    /// All names of the set, separated by commas.
    pub allowed: String,
}

impl From<UnknownName> for BadText {
    fn from(UnknownName { given, allowed }: UnknownName) -> Self {
        Self::Name { given, allowed }
    }
}

/// Declares an enum whose variants each have one name in files, with `ALL`, `as_str`, `Display`, `FromStr` and serde, so
/// that each name is written once.
macro_rules! named {
    ($(#[$doc:meta])* $vis:vis enum $name:ident { $($(#[$vdoc:meta])* $variant:ident = $text:literal),+ $(,)? }) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        $vis enum $name { $($(#[$vdoc])* $variant),+ }

        impl $name {
            /// All variants in the order of declaration.
            pub const ALL: &'static [Self] = &[$(Self::$variant),+];

            /// The name in files, prompts and `--json`.
            pub const fn as_str(self) -> &'static str {
                match self { $(Self::$variant => $text),+ }
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(self.as_str())
            }
        }

        impl std::str::FromStr for $name {
            type Err = $crate::domain::id::UnknownName;

            fn from_str(text: &str) -> Result<Self, Self::Err> {
                match text.trim() {
                    $($text => Ok(Self::$variant),)+
                    other => Err($crate::domain::id::UnknownName {
                        given: other.to_owned(),
                        allowed: [$($text),+].join(", "),
                    }),
                }
            }
        }

        $crate::domain::notation::stands_as_text!($name);
    };
}
pub(crate) use named;

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Reference<T> {
    One(T),
    /// In the order of the book.
    Several(Vec<T>),
    Nothing,
}

impl<T> Reference<T> {
    /// The first match, for files of the book, which must have one meaning.
    pub fn first(self) -> Option<T> {
        match self {
            Self::One(thing) => Some(thing),
            Self::Several(things) => things.into_iter().next(),
            Self::Nothing => None,
        }
    }

    fn of(mut things: Vec<T>) -> Self {
        match things.len() {
            0 => Self::Nothing,
            1 => things.pop().map_or(Self::Nothing, Self::One),
            _ => Self::Several(things),
        }
    }
}

/// True when `typed` is exactly the id or one of the names.
pub fn is_called<'a>(typed: &str, id: &str, names: impl IntoIterator<Item = &'a str>) -> bool {
    id == typed || names.into_iter().any(|name| name.trim() == typed)
}

/// Returns the thing with the id `typed`, or else those with that name.
pub fn called<'a, T>(typed: &str, things: impl IntoIterator<Item = (T, &'a str, Vec<&'a str>)>) -> Reference<T> {
    let typed = typed.trim();
    let mut named = Vec::new();
    for (thing, id, names) in things {
        if id == typed {
            return Reference::One(thing);
        }
        if is_called(typed, id, names) {
            named.push(thing);
        }
    }
    Reference::of(named)
}

/// As [`called`]; without a match, the things with a name that contains `typed`: descriptions are too long to be typed.
pub fn called_or_part<'a, T: Clone>(typed: &str, things: &[(T, &'a str, Vec<&'a str>)]) -> Reference<T> {
    match called(typed, things.iter().cloned()) {
        Reference::Nothing if !typed.trim().is_empty() => {
            let has_part = |names: &[&str]| names.iter().any(|name| name.contains(typed.trim()));
            let things = things.iter().filter(|(.., names)| has_part(names)).map(|(thing, ..)| thing.clone());
            Reference::of(things.collect())
        }
        reference => reference,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn chapters_and_volumes_read_every_form_that_an_author_types() {
        for text in ["48", "048", "ch-48", "ch-048", "chapter-048", " 48 "] {
            assert_eq!(text.parse::<ChapterNo>().map(ChapterNo::get), Ok(48), "{text}");
        }
        for text in ["", "0", "ch-0", "-3", "ch-", "4.5", "ch-x", "1234567", "+3", "ch-+3", "ch-0000048", "../3"] {
            assert!(text.parse::<ChapterNo>().is_err(), "{text}");
        }
        assert_eq!("vol-2".parse::<VolumeNo>().map(|v| v.to_string()), Ok("vol-02".to_owned()));
    }

    #[test]
    fn a_slug_can_never_leave_its_folder() {
        for text in ["", "..", "a/b", "A", "林枫", "-a", "a b", "a.json", ".git", &"x".repeat(65)] {
            assert!(Slug::new(text).is_err(), "{text}");
        }
        for text in ["lin-feng", "main-arc", "ancient_prophecy", "7"] {
            assert_eq!(Slug::new(text).map(|s| s.to_string()), Ok(text.to_owned()));
        }
    }

    proptest! {
        #[test]
        fn numbers_print_and_read_back(n in 1u32..=999_999) {
            let chapter = ChapterNo::new(n).unwrap();
            prop_assert_eq!(chapter.to_string().parse::<ChapterNo>().unwrap(), chapter);
        }
    }

    #[test]
    fn the_id_of_a_content_is_forty_digits_in_base_sixteen() {
        assert!("0123456789abcdef0123456789abcdef01234567".parse::<ContentId>().is_ok());
        for text in ["", "abc", &"g".repeat(40), &"A".repeat(40), &"0".repeat(41)] {
            assert!(text.parse::<ContentId>().is_err(), "{text}");
        }
    }
}

#[cfg(test)]
mod reference_tests {
    use super::*;

    const THINGS: [(u32, &str, &[&str]); 4] = [
        (1, "lin-wan", &["林晚", "晚晚"]),
        (2, "lin-wan-2", &["林晚"]),
        (3, "lu-chen", &["陆沉 "]),
        // A name that is the id of another thing.
        (4, "shadow", &["lu-chen"]),
    ];

    fn things() -> Vec<(u32, &'static str, Vec<&'static str>)> {
        THINGS.into_iter().map(|(thing, id, names)| (thing, id, names.to_vec())).collect()
    }

    #[test]
    fn an_id_comes_before_a_name_and_a_name_that_two_have_is_not_guessed() {
        let table = [
            ("lin-wan", Reference::One(1)),
            ("晚晚", Reference::One(1)),
            (" 陆沉 ", Reference::One(3)),
            ("lu-chen", Reference::One(3)),
            ("林晚", Reference::Several(vec![1, 2])),
            ("林", Reference::Nothing),
            ("", Reference::Nothing),
        ];
        for (typed, meant) in table {
            assert_eq!(called(typed, things()), meant, "{typed}");
        }
        assert_eq!(Reference::Several(vec![1, 2]).first(), Some(1));
    }

    #[test]
    fn a_part_of_a_description_is_enough_where_it_is_in_one_alone() {
        assert_eq!(called_or_part("陆", &things()), Reference::One(3));
        assert_eq!(called_or_part("晚", &things()), Reference::Several(vec![1, 2]));
        assert_eq!(called_or_part(" ", &things()), Reference::Nothing);
        assert_eq!(called_or_part("晚晚", &things()), Reference::One(1));
    }
}
