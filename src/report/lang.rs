pub use crate::domain::book::lang::Lang;

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
