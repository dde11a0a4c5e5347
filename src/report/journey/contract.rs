//! Changes of rules and contracts that wait for the author.

use crate::domain::impact::ItemKind;
use crate::domain::world::contract::Strength;
use crate::pipeline::planning::approval::{ContractChange, Terms};
use crate::report::names::Names;
use crate::report::prelude::*;

/// The old terms above the new ones.
pub(super) fn lines(change: &ContractChange, names: &Names, lang: Lang) -> Vec<String> {
    let what = match &change.owner {
        Some(owner) => format!("{owner} {}", ItemKind::CharacterContract.say(lang)),
        None => ItemKind::Rule.say(lang).to_owned(),
    };
    let what = names.beside(what, &change.id, lang);
    let how = match (&change.was, &change.is) {
        (None, _) => say!(lang, added),
        (_, None) => say!(lang, taken_out),
        _ => say!(lang, changed),
    };
    let old = change.was.as_ref().map(|terms| format!("  - {}", text(terms, lang)));
    let new = change.is.as_ref().map(|terms| format!("  + {}", text(terms, lang)));
    std::iter::once(format!("{what}{how}")).chain(old).chain(new).collect()
}

fn text(terms: &Terms, lang: Lang) -> String {
    let mut text = terms.rule.clone();
    if let Some(strength) = terms.strength {
        text.push_str(match strength {
            Strength::Hard => say!(lang, hard),
            Strength::Soft => say!(lang, soft),
        });
    }
    if !terms.exceptions.is_empty() {
        text.push_str(&say!(lang, except(list = terms.exceptions.join(say!(lang, list_comma)))));
    }
    if let Some(requires) = terms.update_requires.as_ref().filter(|requires| !requires.is_empty()) {
        text.push_str(&say!(lang, to_change_it(requires)));
    }
    text
}
