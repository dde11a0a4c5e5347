//! The two languages of messages.

pub use crate::domain::book::lang::Lang;

/// A message in both languages, for where the language is not known yet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Both {
    /// Chinese.
    pub zh: String,
    /// English.
    pub en: String,
}

impl Both {
    /// A message that is the same in both: a name, a path, another program's words.
    pub fn same(text: impl Into<String>) -> Self {
        let text = text.into();
        Self { zh: text.clone(), en: text }
    }

    /// A message made of others, worded in each language by `say`.
    pub(crate) fn of(say: impl Fn(Lang) -> String) -> Self {
        Self { zh: say(Lang::Zh), en: say(Lang::En) }
    }

    /// The message in one language.
    #[must_use]
    pub fn get(&self, lang: Lang) -> &str {
        lang.pick(&self.zh, &self.en)
    }
}
