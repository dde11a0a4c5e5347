use crate::domain::named::named;

named! {
    /// The language of messages, and of the subjects of a book's commits.
    pub enum Lang {
        Zh = "zh",
        En = "en",
    }
}

/// English, since older books do not name a language.
impl Default for Lang {
    fn default() -> Self {
        Self::En
    }
}

impl Lang {
    pub fn pick<T>(self, zh: T, en: T) -> T {
        match self {
            Self::Zh => zh,
            Self::En => en,
        }
    }

    /// The language of a locale name: Chinese for `zh`, `zh_CN.UTF-8`, `zh-Hans`, …; English for all others.
    pub fn of_locale(locale: &str) -> Self {
        let bytes = locale.trim().as_bytes();
        let chinese = bytes.len() >= 2
            && bytes[..2].eq_ignore_ascii_case(b"zh")
            && bytes.get(2).is_none_or(|next| !next.is_ascii_alphanumeric());
        if chinese { Self::Zh } else { Self::En }
    }

    /// The language of the first non-empty source, from the strongest: the flag, `NOVEL_LANG`, the user's settings,
    /// `LC_ALL`, `LC_MESSAGES`, `LANG`, and on Windows the system's language. English without one.
    pub fn resolve<'a>(sources: impl IntoIterator<Item = Option<&'a str>>) -> Self {
        let named = sources.into_iter().flatten().map(str::trim).find(|source| !source.is_empty());
        named.map_or(Self::En, Self::of_locale)
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
