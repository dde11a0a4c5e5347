use crate::domain::world::style::AiPhrases;
use crate::text::{PhraseHits, PhraseList};
use std::ops::Deref;
use std::sync::OnceLock;

/// The list of worn-out phrases, prepared at the first search and used for all questions about a chapter.
#[derive(Debug, Clone, Default)]
pub struct HouseList {
    phrases: AiPhrases,
    listed: OnceLock<PhraseList>,
}

/// Lists are equal whether prepared or not.
impl PartialEq for HouseList {
    fn eq(&self, other: &Self) -> bool {
        self.phrases == other.phrases
    }
}

impl HouseList {
    /// Every use of a listed phrase, except for phrases that the author has taken off the list.
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

/// The phrases, except for those that the author has taken off the list.
pub(crate) fn listed(phrases: &AiPhrases) -> impl Iterator<Item = &str> {
    let texts = phrases.phrases.iter().map(|phrase| phrase.text.as_str());
    texts.filter(|text| !text.trim().is_empty() && !phrases.allowed.iter().any(|allowed| allowed == text))
}
