//! The prompt texts: built-in ones, and a book's replacements.

use super::placeholders::FillError;
use std::collections::BTreeMap;

/// The built-in texts by their paths in a book: the files of `prompts/`.
const EMBEDDED: &[(&str, &str)] = include!(concat!(env!("OUT_DIR"), "/prompts.rs"));

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PromptError {
    /// A text in the book's `prompts/` folder does not fit its agent.
    #[error(transparent)]
    Fill(#[from] FillError),
    /// A file in the book's `prompts/` folder that no agent reads, probably misspelt.
    #[error("unknown prompt file `{0}`")]
    UnknownFile(String),
}

/// The built-in texts, with the book's own in place of some.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Prompts {
    texts: BTreeMap<&'static str, String>,
    /// The most tokens of a prompt, where a model's context holds less than the book allows.
    pub(crate) most: Option<u32>,
}

impl Default for Prompts {
    fn default() -> Self {
        Self { texts: EMBEDDED.iter().map(|(path, text)| (*path, (*text).to_owned())).collect(), most: None }
    }
}

impl Prompts {
    /// Replaces built-in texts by the book's own, keyed by paths such as `prompts/writer/draft.md`. Fails with
    /// [`PromptError::UnknownFile`] for a path outside [`Prompts::files`].
    pub fn with(overrides: &BTreeMap<String, String>) -> Result<Self, PromptError> {
        let mut prompts = Self::default();
        for (path, text) in overrides {
            let known = EMBEDDED.iter().find(|(known, _)| known == path);
            let (known, _) = known.ok_or_else(|| PromptError::UnknownFile(path.clone()))?;
            prompts.texts.insert(known, text.trim_start_matches('\u{feff}').replace("\r\n", "\n"));
        }
        Ok(prompts)
    }

    /// The texts for a prompt of at most so many tokens.
    pub(crate) fn within(&self, most: u32) -> Self {
        Self { most: Some(most), ..self.clone() }
    }

    pub(crate) fn built_in() -> impl Iterator<Item = (&'static str, &'static str)> {
        EMBEDDED.iter().copied()
    }

    /// Every text, ordered by path.
    pub fn files(&self) -> impl Iterator<Item = (&'static str, &str)> {
        self.texts.iter().map(|(path, text)| (*path, text.as_str()))
    }

    /// The text at a path; empty for an unknown path, which no agent names.
    pub(crate) fn text(&self, path: &'static str) -> (&'static str, &str) {
        (path, self.texts.get(path).map_or("", String::as_str))
    }
}

/// Sixteen hexadecimal digits that change with any of the texts (FNV-1a, 64 bits: an identifier, not a protection).
pub(crate) fn hash_of(files: &[(&str, &str)]) -> String {
    let mut hash: u64 = 0xcbf2_9ce4_8422_2325;
    let mut eat = |bytes: &[u8]| {
        for byte in bytes {
            hash = (hash ^ u64::from(*byte)).wrapping_mul(0x0000_0100_0000_01b3);
        }
    };
    for (path, text) in files {
        eat(path.as_bytes());
        eat(&[0]);
        eat(text.as_bytes());
        eat(&[0]);
    }
    format!("{hash:016x}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_book_replaces_texts_and_misspelt_ones_are_refused() {
        let own = |path: &str| BTreeMap::from([(path.to_owned(), "写第 {chapter} 章。\r\n".to_owned())]);
        let prompts = Prompts::with(&own("prompts/writer/draft.md")).unwrap();
        assert_eq!(prompts.text("prompts/writer/draft.md").1, "写第 {chapter} 章。\n");
        assert_eq!(prompts.text("prompts/writer/system.md"), Prompts::default().text("prompts/writer/system.md"));
        let unknown = Prompts::with(&own("prompts/writer/drfat.md"));
        assert_eq!(unknown, Err(PromptError::UnknownFile("prompts/writer/drfat.md".into())));
    }

    #[test]
    fn the_hash_follows_texts_and_paths() {
        assert_eq!(hash_of(&[]), "cbf29ce484222325");
        assert_eq!(hash_of(&[("a", "b")]), hash_of(&[("a", "b")]));
        assert_ne!(hash_of(&[("a", "b")]), hash_of(&[("a", "c")]));
        assert_ne!(hash_of(&[("a", "bc")]), hash_of(&[("ab", "c")]));
    }
}
