//! Changes of rules and contracts that wait for the author.

use crate::domain::impact::ItemKind;
use crate::domain::world::contract::Strength;
use crate::pipeline::planning::approval::{self, ContractChange};
use crate::report::names::Names;
use crate::report::prelude::*;

/// A rule or a contract before and after a change.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Contract {
    /// `W-001`, `C-LINFENG-001`.
    pub id: String,
    /// The person's name; null for a world rule.
    pub owner: Option<String>,
    /// Null for an added one.
    pub was: Option<Terms>,
    /// Null for a removed one.
    pub is: Option<Terms>,
}

/// The binding part of a rule or a contract.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Terms {
    pub rule: String,
    /// `hard` or `soft`; null for a person's contract.
    pub strength: Option<Strength>,
    /// Cases in which it does not hold.
    pub exceptions: Vec<String>,
    /// The event that must happen before it may change.
    pub update_requires: Option<String>,
}

impl Contract {
    pub(super) fn of(change: &ContractChange) -> Self {
        let terms = |terms: &approval::Terms| {
            let approval::Terms { rule, strength, exceptions, update_requires } = terms.clone();
            Terms { rule, strength, exceptions, update_requires }
        };
        let (was, is) = (change.was.as_ref().map(terms), change.is.as_ref().map(terms));
        Self { id: change.id.clone(), owner: change.owner.clone(), was, is }
    }

    /// The old terms above the new ones.
    pub(super) fn lines(&self, names: &Names, lang: Lang) -> Vec<String> {
        let what = match &self.owner {
            Some(owner) => format!("{owner} {}", ItemKind::CharacterContract.say(lang)),
            None => ItemKind::Rule.say(lang).to_owned(),
        };
        let what = names.beside(what, &self.id, lang);
        let how = match (&self.was, &self.is) {
            (None, _) => say!(lang, added),
            (_, None) => say!(lang, taken_out),
            _ => say!(lang, changed),
        };
        let old = self.was.as_ref().map(|terms| format!("  - {}", terms.text(lang)));
        let new = self.is.as_ref().map(|terms| format!("  + {}", terms.text(lang)));
        std::iter::once(format!("{what}{how}")).chain(old).chain(new).collect()
    }
}

impl Terms {
    fn text(&self, lang: Lang) -> String {
        let mut text = self.rule.clone();
        if let Some(strength) = self.strength {
            text.push_str(match strength {
                Strength::Hard => say!(lang, hard),
                Strength::Soft => say!(lang, soft),
            });
        }
        if !self.exceptions.is_empty() {
            text.push_str(&say!(lang, except(list = self.exceptions.join(say!(lang, list_comma)))));
        }
        if let Some(requires) = self.update_requires.as_ref().filter(|requires| !requires.is_empty()) {
            text.push_str(&say!(lang, to_change_it(requires)));
        }
        text
    }
}
