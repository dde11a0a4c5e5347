//! The author's style for the agents: the style profile and the list of worn-out phrases.

use crate::domain::notation::{self, or_default};
use crate::domain::prelude::*;

named! {
    /// The origin of a style profile (rows R5, R6).
    pub enum StyleSource {
        /// The author's own samples.
        Original = "original",
        /// Chapters of the book, in part by models.
        Extracted = "extracted",
        /// Another author's texts.
        Reference = "reference",
        Preset = "preset",
        /// Neutral for now, extracted from the first chapter once it is written.
        Deferred = "deferred",
    }
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct StyleProfile {
    #[serde(rename = "source_type", default = "own")]
    pub source: StyleSource,
    /// The author, the preset or the chapters, where there is one.
    pub source_name: Option<String>,
    /// Mean length of a sentence in Han characters, measured.
    #[serde(with = "notation::figure")]
    pub avg_sentence_length: f64,
    /// Share of Han characters inside quotation marks, 0 to 1, measured.
    #[serde(with = "notation::figure")]
    pub dialogue_ratio: f64,
    /// Other measured figures by name (see `text::fingerprint`), with their unit in the name.
    #[serde(default, with = "notation::figures")]
    pub measured: BTreeMap<String, f64>,
    #[serde(default, deserialize_with = "or_default")]
    pub rhetoric_preferences: Vec<String>,
    #[serde(default, deserialize_with = "or_default")]
    pub forbidden_words: Vec<String>,
    /// Speech of characters by id or role.
    #[serde(default, deserialize_with = "or_default")]
    pub character_speech_patterns: BTreeMap<String, String>,
    /// Sentences that a writer can follow.
    #[serde(default, deserialize_with = "or_default")]
    pub writing_directives: Vec<String>,
    /// The author's own frequent phrases, which never count as worn out.
    #[serde(default, deserialize_with = "or_default", skip_serializing_if = "Vec::is_empty")]
    pub own_phrases: Vec<String>,
}

/// The origin of a profile that names none.
const fn own() -> StyleSource {
    StyleSource::Original
}

/// The built-in style without any claim, until the author has chosen one.
pub const NEUTRAL: &str = "中性";

impl StyleProfile {
    /// The profile without samples, which claims and demands nothing.
    pub fn unmeasured() -> Self {
        Self {
            source: StyleSource::Preset,
            source_name: None,
            avg_sentence_length: 0.0,
            dialogue_ratio: 0.0,
            measured: BTreeMap::new(),
            rhetoric_preferences: Vec::new(),
            forbidden_words: Vec::new(),
            character_speech_patterns: BTreeMap::new(),
            writing_directives: Vec::new(),
            own_phrases: Vec::new(),
        }
    }

    /// True when the author has named the style's origin, or has written directives.
    pub fn is_chosen(&self) -> bool {
        match (self.source, self.source_name.as_deref()) {
            (StyleSource::Preset, Some(name)) => name != NEUTRAL,
            (StyleSource::Preset, None) => !self.writing_directives.is_empty(),
            _ => true,
        }
    }
}

/// A phrase that makes prose sound machine-made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AiPhrase {
    pub text: String,
    pub category: String,
}

/// The category of phrases that the author's own edits take out.
pub const EDITED_OUT: &str = "作者手改";

/// The most uses of a listed phrase in a chapter by default.
pub const USUAL_CAP: u32 = 1;

/// The book's list of worn-out phrases, in file order. A phrase has a cap and is not banned.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct AiPhrases {
    pub phrases: Vec<AiPhrase>,
    /// Phrases that the author removed from the list for good.
    pub allowed: Vec<String>,
    /// The most uses of a phrase in a chapter, where they differ from [`USUAL_CAP`]; 0 bans it.
    pub caps: BTreeMap<String, u32>,
}

impl AiPhrases {
    /// The list without phrases that are, or are part of, the author's `own`.
    #[must_use]
    pub fn without(mut self, own: &[String]) -> Self {
        self.phrases.retain(|phrase| !own.iter().any(|own| phrase.text.contains(own.as_str())));
        self
    }

    /// Phrases that the author bans, or whose own edits take out, the latest first.
    pub fn unwanted(&self) -> impl Iterator<Item = &str> {
        let banned = self.caps.iter().filter(|(_, cap)| **cap == 0).map(|(text, _)| text.as_str());
        let edited = self.phrases.iter().filter(|phrase| phrase.category == EDITED_OUT && self.cap(&phrase.text) > 0);
        let edited = edited.rev().map(|phrase| phrase.text.as_str());
        banned.chain(edited).filter(|text| !self.allowed.iter().any(|allowed| allowed == text))
    }

    pub fn cap(&self, phrase: &str) -> u32 {
        self.caps.get(phrase).copied().unwrap_or(USUAL_CAP)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_style_is_chosen_when_the_author_has_named_a_source_or_written_directives() {
        let preset =
            |name: Option<&str>| StyleProfile { source_name: name.map(str::to_owned), ..StyleProfile::unmeasured() };
        assert!(!preset(None).is_chosen() && !preset(Some(NEUTRAL)).is_chosen());
        assert!(preset(Some("武侠")).is_chosen());
        assert!(StyleProfile { writing_directives: vec!["少用比喻".into()], ..preset(None) }.is_chosen());
        assert!(StyleProfile { source: StyleSource::Original, ..preset(None) }.is_chosen());
    }

    #[test]
    fn an_author_s_own_phrases_leave_the_list_and_the_others_keep_their_caps() {
        let phrase = |text: &str| AiPhrase { text: text.into(), category: String::new() };
        let list = AiPhrases {
            phrases: vec![phrase("嘴角微微上扬"), phrase("空气仿佛凝固")],
            allowed: Vec::new(),
            caps: BTreeMap::from([("空气仿佛凝固".to_owned(), 3), ("不由得".to_owned(), 0)]),
        };
        let left = list.without(&["微微上扬".to_owned()]);
        assert_eq!(left.phrases, [phrase("空气仿佛凝固")]);
        assert_eq!(["空气仿佛凝固", "不由得", "嘴角微微上扬"].map(|text| left.cap(text)), [3, 0, USUAL_CAP]);
    }
}
