//! The two languages of the program.

use std::fmt;
use std::str::FromStr;

/// A language of messages.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Lang {
    /// Chinese.
    Zh,
    /// English.
    En,
}

impl Lang {
    /// The name on the command line and in settings: `zh` or `en`.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Zh => "zh",
            Self::En => "en",
        }
    }

    /// One of two values by language.
    #[must_use]
    pub fn pick<T>(self, zh: T, en: T) -> T {
        match self {
            Self::Zh => zh,
            Self::En => en,
        }
    }

    /// The language of a locale name: Chinese for `zh`, `zh_CN.UTF-8`, `zh-Hans`, …; English for all others.
    #[must_use]
    pub fn of_locale(locale: &str) -> Self {
        let bytes = locale.trim().as_bytes();
        let chinese = bytes.len() >= 2
            && bytes[..2].eq_ignore_ascii_case(b"zh")
            && bytes.get(2).is_none_or(|next| !next.is_ascii_alphanumeric());
        if chinese { Self::Zh } else { Self::En }
    }

    /// The language that the first non-empty source names. Sources are given from the strongest to the weakest:
    /// the flag, `NOVEL_LANG`, the user's settings, `LC_ALL`, `LC_MESSAGES`, `LANG`, and on Windows
    /// the system's language. English when all are silent.
    pub fn resolve<'a>(sources: impl IntoIterator<Item = Option<&'a str>>) -> Self {
        let named = sources.into_iter().flatten().map(str::trim).find(|source| !source.is_empty());
        named.map_or(Self::En, Self::of_locale)
    }
}

impl fmt::Display for Lang {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl FromStr for Lang {
    type Err = UnknownLang;

    fn from_str(text: &str) -> Result<Self, UnknownLang> {
        match text {
            "zh" => Ok(Self::Zh),
            "en" => Ok(Self::En),
            other => Err(UnknownLang(other.to_owned())),
        }
    }
}

/// The text names no language of the program.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is neither zh nor en")]
pub struct UnknownLang(String);

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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_strongest_source_that_says_anything_decides() {
        // flag, NOVEL_LANG, settings, LC_ALL, LC_MESSAGES, LANG
        let table: [([Option<&str>; 6], Lang); 8] = [
            ([None; 6], Lang::En),
            ([None, None, None, None, None, Some("zh_CN.UTF-8")], Lang::Zh),
            ([None, None, None, None, Some("en_US.UTF-8"), Some("zh_CN.UTF-8")], Lang::En),
            ([None, None, None, Some("zh_TW"), Some("en_US.UTF-8"), None], Lang::Zh),
            ([None, None, None, Some(""), None, Some("zh_CN")], Lang::Zh),
            ([None, None, Some("zh"), Some("C"), None, None], Lang::Zh),
            ([None, Some("en"), Some("zh"), Some("zh_CN"), None, None], Lang::En),
            ([Some("zh"), Some("en"), None, Some("C"), None, None], Lang::Zh),
        ];
        for (sources, lang) in table {
            assert_eq!(Lang::resolve(sources), lang, "{sources:?}");
        }
    }

    #[test]
    fn only_chinese_locales_are_chinese() {
        for locale in ["zh", "ZH_cn", "zh-Hans-CN", "zh.UTF-8"] {
            assert_eq!(Lang::of_locale(locale), Lang::Zh, "{locale}");
        }
        for locale in ["", "z", "zha", "C", "POSIX", "en_US.UTF-8", "ja_JP", "中文"] {
            assert_eq!(Lang::of_locale(locale), Lang::En, "{locale}");
        }
    }
}
