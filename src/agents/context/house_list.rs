//! The list of worn-out phrases, ready for searching.

use crate::domain::world::style::AiPhrases;
use crate::text::{PhraseHits, PhraseList};
use std::ops::Deref;

/// The list of worn-out phrases, made ready for searching once for all that asks about a chapter.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct HouseList {
    phrases: AiPhrases,
    listed: PhraseList,
}

impl HouseList {
    /// Every use of a listed phrase that the author has not taken off the list.
    pub(crate) fn find(&self, text: &str) -> PhraseHits {
        self.listed.find(text)
    }
}

impl From<AiPhrases> for HouseList {
    fn from(phrases: AiPhrases) -> Self {
        let listed = PhraseList::new(listed(&phrases));
        Self { phrases, listed }
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
