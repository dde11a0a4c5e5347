//! Texts that sell a book: the answer of `novel export --blurb`.

use crate::report::prelude::*;

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct BlurbReport {
    status: &'static str,
    file: String,
    commit: String,
    /// Title candidates, blurb, tags and selling points, in Markdown.
    text: String,
}

impl BlurbReport {
    pub fn of(file: String, commit: String, text: String) -> Self {
        Self { status: "completed", file, commit, text }
    }

    pub fn text(&self, lang: Lang) -> String {
        format!("{}\n{}", self.text, say!(lang, blurb_is_in(file = paint(STRONG, &self.file))))
    }
}
