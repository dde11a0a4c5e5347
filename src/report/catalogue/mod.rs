//! The catalogue: every message of the program, in one folder for each language and one file for each topic. `build.rs` makes
//! Rust of the files, in which each line is `name = "text"` or `name(parameter, …) = "text with {parameter}"`.
//!
//! Code says a message by its name with [`say!`] (one language) or [`both!`] (language not yet known), and gives each
//! parameter a value or captures the variable of its name. The build fails where a language lacks a message, where a parameter is
//! missing, misspelt or out of order, and, through the lints, where no code says a message. The names of the members of closed
//! sets, in `names.txt`, are looked up by their ids: see [`Words`](super::words::Words).
//!
//! To add a language: copy `en/` and `help/en.txt`, translate the texts, add a [`Lang`](super::Lang), a module, an arm to the two
//! macros, and the folder's name to `build.rs`.

/// Stands before each hint of a failure's message, whose hints are the lines `    hint = "text"` below it.
pub(crate) const HINTS: char = '\u{1e}';

/// Defines messages: `name = "text";`, or `name(parameter, …) = "text with {parameter}";`. A text without parameters is
/// taken as it stands; braces in one with parameters are those of [`format!`].
macro_rules! messages {
    ($($name:ident $(($($parameter:ident),+))? = $text:literal;)*) => {
        $($crate::report::catalogue::message! { $name $(($($parameter),+))? = $text })*
        /// Every message: its name and its text, for the tests.
        #[cfg(test)]
        pub(crate) const ALL: &[(&str, &str)] = &[$((stringify!($name), $text)),*];
    };
}

/// One message: its function, and the list of its parameters for [`agree`].
macro_rules! message {
    ($name:ident = $text:literal) => {
        pub(crate) const fn $name() -> &'static str {
            $text
        }
    };
    ($name:ident($($parameter:ident),+) = $text:literal) => {
        // A language may leave a value out, for instance a plural form that it lacks; a line of figures has many.
        #[allow(unused_variables, clippy::too_many_arguments)]
        pub(crate) fn $name($($parameter: impl ::std::fmt::Display),+) -> String {
            $crate::report::catalogue::counted(format!($text))
        }
        pub(crate) mod $name {
            pub(crate) const PARAMETERS: &str = stringify!($($parameter),+);
        }
    };
}
use message;

#[cfg(test)]
pub(crate) mod english;
pub(crate) mod help;

pub(crate) mod en {
    include!(concat!(env!("OUT_DIR"), "/en.rs"));
}

pub(crate) mod zh {
    include!(concat!(env!("OUT_DIR"), "/zh.rs"));
}

/// A message in one language: `say!(lang, all_is_well)` is a `&'static str`, and `say!(lang, chapter_is(n))`, with the
/// variable `n`, or `say!(lang, chapter_is(n = chapter.get()))`, as in [`format!`], a `String`.
macro_rules! say {
    ($lang:expr, $name:ident) => {
        match $lang {
            $crate::report::Lang::Zh => $crate::report::catalogue::zh::$name(),
            $crate::report::Lang::En => $crate::report::catalogue::en::$name(),
        }
    };
    ($lang:expr, $name:ident($($parameter:ident $(= $value:expr)?),+ $(,)?)) => {{
        $crate::report::catalogue::agreed!($name($($parameter),+));
        match ($($crate::report::catalogue::given!($parameter $(= $value)?),)+) {
            ($($parameter,)+) => match $lang {
                $crate::report::Lang::Zh => $crate::report::catalogue::zh::$name($($parameter),+),
                $crate::report::Lang::En => $crate::report::catalogue::en::$name($($parameter),+),
            }
        }
    }};
}
pub(crate) use say;

/// A message in both languages, as a [`Both`](super::Both), with the parameters of [`say!`]. Values that differ between the
/// languages use `lang` in `both!(lang, chapter_is(title = title_in(lang)))`.
macro_rules! both {
    ($lang:ident, $($message:tt)+) => {
        $crate::report::Both::of(|$lang| $crate::report::catalogue::say!($lang, $($message)+))
    };
    ($name:ident) => {
        $crate::report::Both {
            zh: $crate::report::catalogue::zh::$name().to_owned(),
            en: $crate::report::catalogue::en::$name().to_owned(),
        }
    };
    ($name:ident($($parameter:ident $(= $value:expr)?),+ $(,)?)) => {{
        $crate::report::catalogue::agreed!($name($($parameter),+));
        match ($($crate::report::catalogue::given!($parameter $(= $value)?),)+) {
            ($($parameter,)+) => $crate::report::Both {
                zh: $crate::report::catalogue::zh::$name($($parameter),+),
                en: $crate::report::catalogue::en::$name($($parameter),+),
            }
        }
    }};
}
pub(crate) use both;

/// The value of a message's parameter: that given, or the variable of its name.
macro_rules! given {
    ($parameter:ident = $value:expr) => {
        &$value
    };
    ($parameter:ident) => {
        &$parameter
    };
}
pub(crate) use given;

pub(crate) fn name(id: &str, lang: super::Lang) -> Option<&'static str> {
    let names = lang.pick(zh::NAMES, en::NAMES);
    names.binary_search_by_key(&id, |(id, _)| id).ok().map(|at| names[at].1)
}

/// The names of a set whose ids begin so, Chinese and English.
pub(crate) fn names(set: &str) -> impl Iterator<Item = (&'static str, &'static str)> {
    let both = zh::NAMES.iter().zip(en::NAMES).filter(move |((id, _), _)| id.starts_with(set));
    both.map(|((_, zh), (_, en))| (*zh, *en))
}

/// Fails the build unless the variables given to a message are its parameters in both languages, in order.
macro_rules! agreed {
    ($name:ident($($parameter:ident),+)) => {
        const _: () = {
            let given = stringify!($($parameter),+);
            assert!($crate::report::catalogue::agree($crate::report::catalogue::zh::$name::PARAMETERS, given));
            assert!($crate::report::catalogue::agree($crate::report::catalogue::en::$name::PARAMETERS, given));
        };
    };
}
pub(crate) use agreed;

/// Resolves each `(s)` behind a counted noun by its number: `1 chapter(s)`, `1,002 trial chapter(s)`, with digits in groups of
/// three. Without a number in the two words before, the `(s)` stays.
pub(crate) fn counted(mut text: String) -> String {
    const MARK: &str = "(s)";
    let mut from = 0;
    while let Some(at) = text[from..].find(MARK).map(|at| from + at) {
        let mut before = text[..at].rsplit([' ', '\n']).skip(1).take(2);
        let number = before.find(|word| word.starts_with(|c: char| c.is_ascii_digit())).map(str::to_owned);
        from = at + MARK.len();
        if let Some(number) = number {
            let start = text[..at].rfind(&number).unwrap_or(at);
            let noun = text[start + number.len()..at].to_owned();
            let counted = format!("{}{noun}{}", grouped(&number), if number == "1" { "" } else { "s" });
            text.replace_range(start..from, &counted);
            from = start + counted.len();
        }
    }
    text
}

/// `12,345` for `12345`; anything but digits stays.
pub(crate) fn grouped(number: &str) -> String {
    if !number.bytes().all(|byte| byte.is_ascii_digit()) {
        return number.to_owned();
    }
    let mut out = String::with_capacity(number.len() + number.len() / 3);
    for (at, digit) in number.chars().enumerate() {
        if at > 0 && (number.len() - at).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

pub(crate) const fn agree(defined: &str, given: &str) -> bool {
    let (defined, given) = (defined.as_bytes(), given.as_bytes());
    let mut at = 0;
    while at < defined.len() && at < given.len() && defined[at] == given[at] {
        at += 1;
    }
    at == defined.len() && at == given.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_noun_follows_its_number() {
        let table = [
            ("1 chapter(s), 2 chapter(s)", "1 chapter, 2 chapters"),
            ("1 trial chapter(s)\n21 line(s)", "1 trial chapter\n21 lines"),
            ("0 chapter(s) of 1,001 line(s)", "0 chapters of 1,001 lines"),
            ("1001 chapter(s), 20 of them", "1,001 chapters, 20 of them"),
            ("the subcommand(s)", "the subcommand(s)"),
            ("(s)", "(s)"),
            ("第 1 章 cat(s)", "第 1 章 cat"),
        ];
        for (text, said) in table {
            assert_eq!(counted(text.to_owned()), said, "{text}");
        }
    }
}
