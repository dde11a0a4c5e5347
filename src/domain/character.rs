//! The people of the book.

use super::contract::CharacterContract;
use super::{ChapterNo, Slug};

/// How somebody stands to somebody at the outset.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Relationship {
    /// Whose.
    pub from: Slug,
    /// To whom.
    pub to: Slug,
    /// What sort: `师徒`, `雇佣`.
    pub kind: String,
    /// In a sentence.
    pub note: String,
}

/// An active character.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Character {
    /// The id, which is also the file name.
    pub id: Slug,
    /// The name in the text.
    pub display_name: String,
    /// Other names in the text.
    pub aliases: Vec<String>,
    /// `protagonist`, `antagonist`, `supporting`, …
    pub role: String,
    /// The storylines the character belongs to.
    pub storylines: Vec<Slug>,
    /// How the character speaks: habits and catch phrases.
    pub speech: String,
    /// Goal, motive, contradiction, appearance: prose for the prompts.
    pub profile: String,
    /// What the character can do and how he or she behaves.
    pub contracts: Vec<CharacterContract>,
}

impl Character {
    /// Whether one of the person's names stands in the text. Names of one character are left out: they are in every text.
    #[must_use]
    pub fn is_named_in(&self, text: &str) -> bool {
        let names = self.aliases.iter().chain([&self.display_name]);
        let mut names = names.filter(|name| name.chars().count() > 1).map(String::as_str).chain([self.id.as_str()]);
        names.any(|name| text.contains(name))
    }

    /// Whether that is the person's id or one of the names.
    #[must_use]
    pub fn is_called(&self, name: &str) -> bool {
        let name = name.trim();
        name == self.id.as_str() || name == self.display_name || self.aliases.iter().any(|alias| alias == name)
    }

    /// The contracts that hold in that chapter.
    pub fn contracts_in(&self, chapter: ChapterNo) -> impl Iterator<Item = &CharacterContract> {
        self.contracts.iter().filter(move |contract| contract.holds_in(chapter))
    }
}
