//! The list of worn-out phrases, ready for searching.

use crate::domain::world::style::AiPhrases;
use crate::text::{PhraseHits, PhraseList};
use std::ops::Deref;
use std::sync::OnceLock;

/// The list of worn-out phrases, made ready at the first search for all that is asked about a chapter.
#[derive(Debug, Clone, Default)]
pub struct HouseList {
    phrases: AiPhrases,
    listed: OnceLock<PhraseList>,
}

/// Whether a list was searched already makes no difference.
impl PartialEq for HouseList {
    fn eq(&self, other: &Self) -> bool {
        self.phrases == other.phrases
    }
}

impl HouseList {
    /// Every use of a listed phrase that the author has not taken off the list.
    pub(crate) fn find(&self, text: &str) -> PhraseHits {
        self.listed.get_or_init(|| PhraseList::new(listed(&self.phrases))).find(text)
    }
}

impl From<AiPhrases> for HouseList {
    fn from(phrases: AiPhrases) -> Self {
        Self { phrases, listed: OnceLock::new() }
    }
}

impl Deref for HouseList {
    type Target = AiPhrases;

    fn deref(&self) -> &AiPhrases {
        &self.phrases
    }
}

/// The phrases that the author has not taken off the list.
pub(crate) fn listed(phrases: &AiPhrases) -> impl Iterator<Item = &str> {
    let texts = phrases.phrases.iter().map(|phrase| phrase.text.as_str());
    texts.filter(|text| !text.trim().is_empty() && !phrases.allowed.iter().any(|allowed| allowed == text))
}
