//! The author's own text at the place of a chapter whose draft is open.

use crate::pipeline::chapter::overtaken::OwnText;
use crate::report::lists::quoted;
use crate::report::prelude::*;
use std::path::Path;

/// The text, and the outcome for the draft, which is open still.
pub fn of(own: &OwnText, root: &Path, lang: Lang) -> String {
    let OwnText { path, chapter, .. } = own;
    let heading = heading(own, lang);
    let mut words = match own.committed {
        true => say!(lang, own_text_is_chapter(path, chapter, heading)) + say!(lang, its_draft_will_be_put_aside),
        false => say!(lang, own_text_is_in_place_of(path, chapter, heading)) + say!(lang, its_draft_would_be_put_aside),
    };
    words.push_str(&to_insert(own, root, lang));
    words
}

/// The text, after the draft was put aside and kept under this name.
pub fn in_place_of(own: &OwnText, kept: &str, root: &Path, lang: Lang) -> String {
    let OwnText { path, chapter, .. } = own;
    let is = say!(lang, own_text_is_chapter(path, chapter, heading = heading(own, lang)));
    is + &to_insert(own, root, lang) + &say!(lang, own_text_then_restore(kept))
}

fn heading(own: &OwnText, lang: Lang) -> String {
    own.headed.map(|number| say!(lang, own_text_has_number(number))).unwrap_or_default()
}

/// The way by which the text comes before the chapter that is planned.
fn to_insert(own: &OwnText, root: &Path, lang: Lang) -> String {
    let full = root.join(&own.path);
    let aside = quoted(format!("{}.aside", full.display()));
    let (git, path) = (quoted(root.display()), quoted(&own.path));
    let mut away = format!("mv {} {aside}", quoted(full.display()));
    if own.committed {
        away.push_str(&format!(" && git -C {git} commit -m aside -- {path}"));
    }
    let (chapter, number) = (own.chapter, own.chapter.get());
    let title = if own.title.is_empty() { say!(lang, own_text_title) } else { &own.title };
    say!(lang, own_text_to_insert(chapter, away, number, title = quoted(title), aside))
}
