use pinyin::ToPinyin;

use crate::domain::Slug;

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
