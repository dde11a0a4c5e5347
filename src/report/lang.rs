//! The output of `--json`: one document, or one line per event, each with its version.

pub use crate::domain::book::config::Lang;

use serde::Serialize;

/// A message in both languages, for places that do not know the language yet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Both {
    pub zh: String,
    pub en: String,
}

impl Both {
    /// A message with one form for both: a name, a path, another program's words.
    pub fn same(text: impl Into<String>) -> Self {
        let text = text.into();
        Self { zh: text.clone(), en: text }
    }

    /// A message made of others, worded in each language by `say`.
    pub(crate) fn of(say: impl Fn(Lang) -> String) -> Self {
        Self { zh: say(Lang::Zh), en: say(Lang::En) }
    }

    pub fn get(&self, lang: Lang) -> &str {
        lang.pick(&self.zh, &self.en)
    }
}

/// The version of every document, which changes when a field goes away or changes its meaning. New fields do not change
/// it.
pub const VERSION: u32 = 1;

#[derive(Serialize)]
struct Versioned<'a, T> {
    version: u32,
    #[serde(flatten)]
    body: &'a T,
}

/// The document of a command: indented, with a final newline. `body` must be a struct or a map, as all values of this
/// room are.
pub fn document<T: Serialize>(body: &T) -> Result<String, serde_json::Error> {
    serde_json::to_string_pretty(&Versioned { version: VERSION, body }).map(|text| text + "\n")
}

/// An event of a longer run: one line with its newline.
pub fn line<T: Serialize>(body: &T) -> Result<String, serde_json::Error> {
    serde_json::to_string(&Versioned { version: VERSION, body }).map(|text| text + "\n")
}
