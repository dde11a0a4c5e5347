//! Readable values that cannot be meant.
//! The messages of serde_json and toml, parsed into values that every language has words for.

use crate::domain::chapter::evaluation::Unusable;
use crate::domain::state::OpRefusal;
use crate::domain::{BadText, ChapterNo, Slug, VolumeNo};
use crate::store::format::{At, FormatError, Problem};

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Mistake {
    /// A text without a value.
    Text(BadText),
    Wanted(ExpectedValue),
    Setting {
        key: String,
        mistake: Box<Mistake>,
    },
    UnknownSetting {
        key: String,
        meant: Option<&'static str>,
    },
    /// `chapter.min_words` is 0 or above `chapter.max_words`.
    MinWords,
    /// The calls of 0 chapters are to be kept.
    NoCalls,
    /// A threshold of the gate is not between 1 and 5.
    Border,
    /// The thresholds of the gate do not rise.
    BorderOrder,
    Negative,
    TwoBudgets,
    /// A lease is too short or too long.
    LeaseMinutes {
        least: u32,
        most: u32,
    },
    /// An address instead of the name of a remote.
    RemoteName,
    /// A limit for prompts below every chapter's size.
    LeastContext(u32),
    /// A limit for crossovers below that for other chapters.
    ConvergenceContext,
    MemoryChapters(u32),
    Operation(OpRefusal),
    Scores(Unusable),
    /// A thread's history has no entry.
    EmptyHistory,
    /// A thread's history does not begin with its planting.
    NoPlanting,
    /// A thread's status is not that of its last entry.
    OtherStatus,
    /// A summary without the line with its storyline.
    NoStorylineLine,
    /// A cross reference with too few parts.
    CrossReference,
    /// The id in a character's file differs from the file's name.
    OtherId {
        name: Slug,
        found: Slug,
    },
    NoName,
    /// The chapter in the file differs from the file's name.
    OtherChapter {
        name: ChapterNo,
        found: ChapterNo,
    },
    /// The volume in the file differs from its folder.
    OtherVolume {
        folder: VolumeNo,
        found: VolumeNo,
    },
    /// `brief.md` is too long.
    LongBrief {
        length: usize,
        most: usize,
    },
    /// A storyline's memory is too long.
    LongMemory {
        length: usize,
        most: usize,
    },
    /// A wish without a text, or with several lines.
    WishText {
        number: usize,
    },
    WishLength {
        number: usize,
        length: usize,
    },
    /// A wish that ends before it begins.
    WishChapters {
        number: usize,
        first: ChapterNo,
        last: ChapterNo,
    },
    EmptyProfile,
    NoText,
    NoTitle,
    EmptySummary,
    NoStoryline(Slug),
    IdTwice,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ExpectedValue {
    /// A whole number from 1.
    Version,
    WholeNumber,
    Number,
    Text,
    Flag,
    /// `standard` or `strong`.
    Tier,
    /// `none`, `auto_apply` or `manual_confirm`.
    Policy,
    /// `zh` or `en`.
    Language,
    /// A number between 0 and 1.
    Share,
    Length,
    List,
    Map,
}

impl From<BadText> for Mistake {
    fn from(bad: BadText) -> Self {
        Self::Text(bad)
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Syntax {
    /// The file ends within a value.
    Unfinished,
    /// A comma or the end of an object is missing.
    CommaOrBrace,
    /// A comma or the end of a list is missing.
    CommaOrBracket,
    Colon,
    NoValue,
    /// A key without quotation marks.
    BareKey,
    /// A comma after the last entry.
    TrailingComma,
    /// Text after the end.
    TrailingText,
    MissingField(String),
    /// A text without quotation marks.
    BareText,
    OpenList,
    DuplicateKey,
    /// Anything else, in the parser's words.
    Other(String),
}

impl Syntax {
    /// Parses a parser's message.
    fn of(words: &str) -> Self {
        let field = || words.strip_prefix("missing field `")?.strip_suffix('`');
        match words {
            "expected `,` or `}`" => Self::CommaOrBrace,
            "expected `,` or `]`" => Self::CommaOrBracket,
            "expected `:`" => Self::Colon,
            "expected value" => Self::NoValue,
            "key must be a string" => Self::BareKey,
            "trailing comma" => Self::TrailingComma,
            "trailing characters" => Self::TrailingText,
            _ if words.starts_with("EOF while parsing ") => Self::Unfinished,
            _ if words.starts_with("string values must be quoted") => Self::BareText,
            _ if words.starts_with("unclosed array") => Self::OpenList,
            _ if words.starts_with("duplicate key") => Self::DuplicateKey,
            _ => field().map_or_else(|| Self::Other(words.to_owned()), |field| Self::MissingField(field.to_owned())),
        }
    }
}

pub fn of_json(error: &serde_json::Error) -> FormatError {
    let message = error.to_string();
    // serde_json appends the position, which we give in our own form.
    let words = message.rsplit_once(" at line ").map_or(message.as_str(), |(words, _)| words);
    let at = if error.line() == 0 { At::File } else { At::Position(error.line(), error.column().max(1)) };
    let bad = BadText::of_message(words);
    let problem = bad.map_or_else(|| Problem::Syntax(Syntax::of(words)), |bad| Problem::Value(bad.into()));
    FormatError { at, problem }
}

pub(super) fn of_toml(error: &toml_edit::TomlError) -> Problem {
    Problem::Syntax(Syntax::of(&error.message().trim().replace('\n', "; ")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parsers_words_are_read_as_the_parsers_write_them() {
        let json = |text: &str| of_json(&serde_json::from_str::<serde_json::Value>(text).unwrap_err()).problem;
        for (text, syntax) in [
            ("{", Syntax::Unfinished),
            (r#"{"a": 1 "b": 2}"#, Syntax::CommaOrBrace),
            ("[1 2]", Syntax::CommaOrBracket),
            (r#"{"a" 1}"#, Syntax::Colon),
            (r#"{"a": }"#, Syntax::NoValue),
            ("{a: 1}", Syntax::BareKey),
            (r#"{"a": 1,}"#, Syntax::TrailingComma),
            ("1 2", Syntax::TrailingText),
            (r#""\x""#, Syntax::Other("invalid escape".into())),
        ] {
            assert_eq!(json(text), Problem::Syntax(syntax), "{text}");
        }
        let toml = |text: &str| of_toml(&text.parse::<toml_edit::DocumentMut>().unwrap_err());
        for (text, syntax) in
            [("a = b", Syntax::BareText), ("a = [1", Syntax::OpenList), ("a = 1\na = 2", Syntax::DuplicateKey)]
        {
            assert_eq!(toml(text), Problem::Syntax(syntax), "{text}");
        }
    }

    #[test]
    fn a_missing_field_and_a_bad_text_survive_serde() {
        #[derive(Debug, serde::Deserialize)]
        struct Line {
            #[allow(dead_code)]
            id: crate::domain::Slug,
        }
        let read = |text: &str| of_json(&serde_json::from_str::<Line>(text).unwrap_err());
        assert_eq!(read("{}").problem, Problem::Syntax(Syntax::MissingField("id".into())));
        let bad = read(r#"{"id": "No Id"}"#);
        assert_eq!(bad.problem, Problem::Value(BadText::Id("No Id".into()).into()));
        assert!(matches!(bad.at, At::Position(1, _)), "{bad:?}");
    }
}
