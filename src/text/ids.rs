//! Ids in a text.

use crate::domain::Slug;
use pinyin::ToPinyin;

/// Returns the text with what `name` gives in place of ids, except in code in backticks, paths and targets.
#[must_use]
pub fn with_names(text: &str, name: impl Fn(&str) -> Option<String>) -> String {
    let is_of_id = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_');
    let (mut out, mut left, mut is_code) = (String::new(), text, false);
    while let Some(first) = left.chars().next() {
        is_code ^= first == '`';
        let end = match is_of_id(first) {
            true => left.find(|c| !is_of_id(c)).unwrap_or(left.len()),
            false => first.len_utf8(),
        };
        let (word, rest) = left.split_at(end);
        let is_typed = is_code || out.ends_with(['/', '.', '@']) || rest.starts_with(['/', '@']);
        // A word that is an id by chance stands among English words.
        let beside = [out.trim_end().chars().next_back(), rest.trim_start().chars().next()];
        let is_id = word.contains(['-', '_']) || beside.into_iter().flatten().any(|c| !c.is_ascii());
        let named = Some(word).filter(|_| is_of_id(first) && is_id && !is_typed).and_then(&name);
        out.push_str(named.as_deref().unwrap_or(word));
        left = rest;
    }
    out
}

/// The number of a chapter's objective: `OBJ-048-2` is the second.
#[must_use]
pub fn objective(id: &str) -> Option<&str> {
    let (chapter, n) = id.strip_prefix("OBJ-")?.split_once('-')?;
    [chapter, n].iter().all(|part| part.chars().all(|c| c.is_ascii_digit())).then_some(n)
}

/// The longest id made from a name; a number may still follow.
const LONGEST: usize = 56;

/// An id for a name: pinyin with dashes between the characters, Latin letters kept. `None` for a name with neither.
#[must_use]
pub fn slug_of(name: &str) -> Option<Slug> {
    let mut words: Vec<String> = Vec::new();
    let mut latin = false;
    for c in name.chars() {
        if let Some(syllable) = c.to_pinyin() {
            words.push(syllable.plain().replace('ü', "v"));
            latin = false;
        } else if c.is_ascii_alphanumeric() {
            match words.last_mut().filter(|_| latin) {
                Some(word) => word.push(c.to_ascii_lowercase()),
                None => words.push(c.to_ascii_lowercase().to_string()),
            }
            latin = true;
        } else {
            latin = false;
        }
    }
    let base: String = words.join("-").chars().take(LONGEST).collect();
    Slug::new(base.trim_end_matches('-')).ok()
}

/// An id for a name, with a number behind it where the id is `taken`.
#[must_use]
pub fn free_slug(name: &str, taken: &dyn Fn(&Slug) -> bool) -> Option<Slug> {
    let plain = slug_of(name)?;
    if !taken(&plain) {
        return Some(plain);
    }
    (2..100).find_map(|n| Slug::new(&format!("{plain}-{n}")).ok().filter(|slug| !taken(slug)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_become_ids_that_people_can_read() {
        let slug = |name: &str| slug_of(name).map(|slug| slug.to_string());
        for (name, id) in [("林风", "lin-feng"), ("阿Ben", "a-ben"), ("R2 D2", "r2-d2"), ("吕布", "lv-bu")] {
            assert_eq!(slug(name).as_deref(), Some(id));
        }
        assert_eq!(slug("—！"), None);
        let taken = |slug: &Slug| matches!(slug.as_str(), "lin-feng" | "lin-feng-2");
        assert_eq!(free_slug("林风", &taken).unwrap().as_str(), "lin-feng-3");
    }
}
