//! Ids in a text.

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
