//! Notes for the writer on how people speak.

use crate::domain::id::is_called;
use crate::domain::prelude::*;
use crate::domain::world::contract::CharacterContract;

/// The initial relation of one character to another.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Relationship {
    pub from: Slug,
    pub to: Slug,
    /// The kind: `师徒`, `雇佣`.
    #[serde(rename = "type", default)]
    pub kind: String,
    /// A sentence.
    #[serde(default)]
    pub note: String,
}

#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct Character {
    /// The id, also the file name.
    pub id: Slug,
    /// The name in the text.
    pub display_name: String,
    /// Other names in the text.
    pub aliases: Vec<String>,
    /// Names that the person had before and that texts no longer use.
    pub former_names: Vec<String>,
    /// `protagonist`, `antagonist`, `supporting`, …
    pub role: String,
    pub storylines: Vec<Slug>,
    /// Habits of speech and catch phrases.
    pub speech: String,
    /// Goal, motive, contradiction, appearance: prose for the prompts.
    pub profile: String,
    pub contracts: Vec<CharacterContract>,
}

/// The ids among `named` that none of these characters has.
pub fn unknown_ids<'a>(named: &'a [Slug], characters: &'a [Character]) -> impl Iterator<Item = &'a Slug> {
    named.iter().filter(|id| characters.iter().all(|person| person.id != **id))
}

impl Character {
    /// True when one of the person's names stands in the text. Names of one character occur in every text and are left
    /// out.
    pub fn is_named_in(&self, text: &str) -> bool {
        self.names().any(|name| name.chars().count() > 1 && text.contains(name)) || self.has_id_in(text)
    }

    /// The aliases, the name, and the names of before.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.aliases.iter().chain([&self.display_name]).chain(&self.former_names).map(String::as_str)
    }

    /// The aliases, and the names of before with the word that they are no longer used: `，又称老程，旧名程白（不再用，一律写程既白）`.
    pub fn other_names(&self) -> String {
        let mut words = String::new();
        if !self.aliases.is_empty() {
            words.push_str(&format!("，又称{}", self.aliases.join("、")));
        }
        if !self.former_names.is_empty() {
            let (former, name) = (self.former_names.join("、"), &self.display_name);
            words.push_str(&format!("，旧名{former}（不再用，一律写{name}）"));
        }
        words
    }

    /// Gives the person another name; the present one becomes a name of before.
    pub fn rename(&mut self, to: &str) {
        let was = std::mem::replace(&mut self.display_name, to.to_owned());
        self.aliases.retain(|alias| alias != to);
        self.former_names.push(was);
        self.settle_former_names();
    }

    /// Replaces an alias in its place; the old one becomes a name of before.
    pub fn rename_alias(&mut self, was: &str, to: &str) {
        self.aliases.retain(|alias| alias != to);
        self.aliases.iter_mut().filter(|alias| *alias == was).for_each(|alias| to.clone_into(alias));
        self.former_names.push(was.to_owned());
        self.settle_former_names();
    }

    /// A name of before is listed once, and none that the person has.
    fn settle_former_names(&mut self) {
        let (name, aliases) = (self.display_name.clone(), self.aliases.clone());
        let mut seen = Vec::new();
        self.former_names.retain(|former| {
            let is_new = *former != name && !aliases.contains(former) && !seen.contains(former);
            seen.push(former.clone());
            is_new
        });
    }

    /// True when `name` is exactly the person's id, name or alias.
    pub fn is_called(&self, name: &str) -> bool {
        is_called(name.trim(), self.id.as_str(), self.names())
    }

    /// True for the person's name and aliases of now.
    pub fn has_name(&self, name: &str) -> bool {
        self.aliases.iter().chain([&self.display_name]).any(|own| own.trim() == name.trim())
    }

    /// True when the id stands in the text as a word: `a-qi` is not in `sha-qi`.
    pub(crate) fn has_id_in(&self, text: &str) -> bool {
        let joins = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
        text.match_indices(self.id.as_str())
            .any(|(at, id)| !text[..at].ends_with(joins) && !text[at + id.len()..].starts_with(joins))
    }

    pub fn contracts_in(&self, chapter: ChapterNo) -> impl Iterator<Item = &CharacterContract> {
        self.contracts.iter().filter(move |contract| contract.holds_in(chapter))
    }
}

#[cfg(test)]
impl Character {
    /// A supporting character with contracts, each an id and its rule.
    pub(crate) fn sample(id: &str, name: &str, contracts: &[(&str, &str)]) -> Self {
        let contract = |(id, rule): &(&str, &str)| CharacterContract {
            id: (*id).into(),
            kind: "capability".into(),
            rule: (*rule).into(),
            exceptions: vec![],
            valid_from: 1,
            valid_until: None,
            update_requires: None,
        };
        Self {
            id: Slug::new(id).unwrap(),
            display_name: name.into(),
            aliases: vec![],
            former_names: vec![],
            role: "supporting".into(),
            storylines: vec![],
            speech: String::new(),
            profile: String::new(),
            contracts: contracts.iter().map(contract).collect(),
        }
    }
}

/// A habit of speech that the next chapter should change.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum VoiceNote {
    /// A person says one thing too often.
    Tic {
        person: Slug,
        words: String,
        kind: TicKind,
        /// The number of lines with the words.
        times: usize,
        /// The number of the person's lines examined.
        lines: usize,
    },
    /// Two people cannot be told apart with the names covered.
    Alike { people: (Slug, Slug) },
}

crate::domain::id::named! {
    /// The place of the words in a line.
    pub enum TicKind {
        Phrase = "phrase",
        /// At the beginning, up to the first mark.
        Opening = "opening",
        Particle = "particle",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_id_is_a_word_and_a_name_of_one_character_is_in_every_text() {
        let person = Character { aliases: vec!["七".into()], ..Character::sample("a-qi", "阿七", &[]) };
        for text in ["阿七上了船", "把灯交给 a-qi。", "a-qi"] {
            assert!(person.is_named_in(text), "{text}");
        }
        for text in ["七点钟", "sha-qi", "a-qing", "x_a-qi", "a-qi-2", "a-qi_2"] {
            assert!(!person.is_named_in(text), "{text}");
        }
        assert!(person.is_called("七") && person.is_called("a-qi") && !person.is_called("阿"));
    }

    #[test]
    fn a_name_of_before_is_known_and_no_longer_used() {
        let mut person = Character::sample("shen-du", "沈渡", &[]);
        person.aliases = vec!["阿渡".into()];
        person.rename("沈舟");
        person.rename_alias("阿渡", "阿舟");
        assert!(person.is_called("沈渡") && person.is_named_in("沈渡来了"));
        assert_eq!(person.other_names(), "，又称阿舟，旧名沈渡、阿渡（不再用，一律写沈舟）");
        person.rename("沈渡");
        assert_eq!(person.former_names, ["阿渡", "沈舟"], "a name that comes back is no name of before");
    }
}
