//! Failures of a wrong command line, in the user's language and in the form of all failures.

use crate::commands::cli::value_parsers::BadValue;
use crate::commands::prelude::*;
use crate::commands::settings::keys;
use crate::report::catalogue::help::value_name;
use crate::text::by_likeness;
use clap::error::{ContextKind, ContextValue, ErrorKind};
use std::error::Error as _;

/// Prefixes of a book's own settings.
const OF_A_BOOK: [&str; 7] = ["book.", "chapter.", "gate.", "style.", "models.", "context.", "budget."];

/// Converts a parsing failure. `command` is the command as typed so far, for the hint.
pub(crate) fn failure(error: &clap::Error, command: &str) -> Failure {
    let get = |kind| error.get(kind).map(shown).unwrap_or_default();
    let argument = get(ContextKind::InvalidArg);
    let value = get(ContextKind::InvalidValue);
    let given = get(ContextKind::InvalidSubcommand);
    let typed = [given.as_str(), &value, argument.trim_start_matches('-')].into_iter().find(|text| !text.is_empty());
    let typed = typed.unwrap_or_default().to_owned();
    let is_key = is_setting(&argument) && !value.is_empty();
    let is_of_book = is_key && OF_A_BOOK.iter().any(|table| value.starts_with(table));
    let message = match error.kind() {
        ErrorKind::InvalidValue if value.is_empty() => both!(needs_value(argument)),
        ErrorKind::InvalidValue | ErrorKind::ValueValidation if is_key && !is_of_book => no_setting(error, &value),
        ErrorKind::InvalidValue | ErrorKind::ValueValidation => both!(cannot_be_used_for(value, argument)),
        ErrorKind::UnknownArgument if argument.starts_with('-') => both!(there_is_no_argument(argument)),
        ErrorKind::UnknownArgument => both!(there_is_one_argument_too_many(argument)),
        ErrorKind::InvalidSubcommand => both!(there_is_no_command(given)),
        ErrorKind::MissingRequiredArgument => missing(&argument),
        ErrorKind::MissingSubcommand => both!(command_is_missing),
        ErrorKind::ArgumentConflict => {
            let other = get(ContextKind::PriorArg);
            match argument == other || other.is_empty() {
                true => both!(can_be_given_only_once(argument)),
                false => both!(cannot_be_used_with(argument, other)),
            }
        }
        ErrorKind::TooManyValues | ErrorKind::TooFewValues | ErrorKind::WrongNumberOfValues => {
            both!(has_wrong_number_of_values(argument))
        }
        ErrorKind::NoEquals => both!(write_as_value(argument)),
        ErrorKind::InvalidUtf8 => both!(command_line_is_not_valid_utf),
        _ => both!(command_line_is_wrong),
    };
    let mut failure = Failure::new(Exit::Usage, message);
    if is_of_book {
        failure = failure.hint(both!(is_setting_of_book_change_it(value)));
    }
    if let Some(reason) = reason(error) {
        failure = failure.hint(reason);
    }
    let meant = |kind| error.get(kind).map(|meant| likeliest(meant, &typed)).unwrap_or_default();
    let valid = match error.get(ContextKind::ValidValue) {
        // `novel config` lists the settings, with their values.
        _ if is_key => &Vec::new(),
        // Of many names, only those that may be meant are shown.
        Some(ContextValue::Strings(all)) if all.len() <= FEW || meant(ContextKind::SuggestedValue).is_empty() => all,
        _ => &Vec::new(),
    };
    if !valid.is_empty() {
        failure = failure.hint(both!(lang, usage_it_may_be(values = listed(valid, lang))));
    }
    for kind in [ContextKind::SuggestedArg, ContextKind::SuggestedSubcommand, ContextKind::SuggestedValue] {
        let meant = meant(kind);
        if !meant.is_empty() {
            failure =
                failure.hint(both!(lang, did_you_mean(meant = meant.join(&format!("`{}`", say!(lang, list_comma))))));
        }
    }
    failure.hint(both!(help_shows_how_it_is_used(command)))
}

/// True for the argument that names a setting, in any language.
fn is_setting(argument: &str) -> bool {
    [Lang::Zh, Lang::En].iter().any(|lang| argument == format!("<{}>", value_name("KEY", *lang)))
}

/// The refusal of an unknown setting. Similar names are separate hints.
fn no_setting(error: &clap::Error, key: &str) -> Both {
    match error.get(ContextKind::SuggestedValue) {
        Some(_) => both!(setting_is_unknown(key)),
        None => keys::no_such(key),
    }
}

/// A missing argument, or several of which one is: clap writes `<--reason <TEXT>|--remove>`.
fn missing(argument: &str) -> Both {
    let group = argument.strip_prefix("<--").and_then(|group| group.strip_suffix('>'));
    Both::of(|lang| {
        let argument = match group {
            Some(group) => format!("`--{}`", group.replace('|', say!(lang, or_between))),
            None => format!("`{argument}`"),
        };
        say!(lang, usage_is_missing(argument))
    })
}

/// The reason given by a value's own parser.
fn reason(error: &clap::Error) -> Option<Both> {
    let source = error.source()?;
    match source.downcast_ref::<BadValue>() {
        Some(BadValue(reason)) => Some(reason.clone()),
        None => Some(Both::same(source.to_string())),
    }
}

/// Names listed beside those that may be meant.
const FEW: usize = 12;
/// The most names offered for a mistyped one.
const MOST_MEANT: usize = 3;

/// The names that may be meant, the likeliest first.
fn likeliest(meant: &ContextValue, typed: &str) -> Vec<String> {
    let names = match meant {
        ContextValue::Strings(names) => names.clone(),
        other => vec![shown(other)],
    };
    // clap sorts by its own measure, with the best name at the end.
    let names = by_likeness(typed, names.iter().map(String::as_str).filter(|name| !name.is_empty()));
    names.into_iter().take(MOST_MEANT).map(str::to_owned).collect()
}

fn shown(value: &ContextValue) -> String {
    match value {
        ContextValue::String(text) => text.clone(),
        ContextValue::Strings(texts) => texts.join(", "),
        ContextValue::StyledStr(text) => text.to_string(),
        ContextValue::Number(n) => n.to_string(),
        ContextValue::Bool(b) => b.to_string(),
        _ => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::commands::cli::args::tree;

    fn said(line: &str, lang: Lang) -> String {
        let error = tree(lang, "novel").try_get_matches_from(line.split(' ')).unwrap_err();
        crate::report::style::render(&failure(&error, "novel").text(lang), crate::report::style::Colour::Off)
    }

    #[test]
    fn a_wrong_command_line_is_explained_in_both_languages() {
        let table = [
            ("novel rolback", "没有 `rolback` 这个命令", "did you mean `rollback`?"),
            ("novel statu", "没有 `statu` 这个命令", "did you mean `status`, `state`, `start`?"),
            ("novel stat", "没有 `stat` 这个命令", "did you mean `state`, `status`, `start`?"),
            ("novel continue --bugdet 5", "没有 `--bugdet` 这个选项", "did you mean `--budget`?"),
            ("novel context", "缺少 `<章>`", "missing argument: `<CHAPTER>`"),
            (
                "novel waive ch-002/W-003",
                "缺少 `--reason <文字>` 或 `--remove`",
                "missing argument: `--reason <TEXT>` or `--remove`",
            ),
            ("novel world theme 雨", "多了一个参数 `雨`", "unexpected argument `雨`"),
            ("novel config get nosuch", "没有 nosuch 这一项", "no such setting: `nosuch`"),
            ("novel config get lang", "是不是想写 `language`", "did you mean `language`"),
            ("novel context xx", "章号写作 48 或 ch-48", "use a chapter such as 48 or ch-48"),
            ("novel config set chapter.min_words 2200", "改书里的 novel.toml", "change it in the book's novel.toml"),
            (
                "novel decide maybe",
                "可选：continue、accept、accept-unjudged、cut、before、judge、revise、rewrite、edit",
                "valid values: continue, accept, accept-unjudged, cut, before, judge, revise, rewrite, edit",
            ),
            ("novel continue 3 --to 9", "不能和", "cannot be used with"),
            ("novel continue --to", "后面需要一个值", "requires a value"),
            ("novel continue --budget 5eur", "金额写作 5usd", "use an amount such as 5usd"),
        ];
        for (line, zh, en) in table {
            let (chinese, english) = (said(line, Lang::Zh), said(line, Lang::En));
            assert!(chinese.contains(zh), "{line}: {chinese}");
            assert!(english.contains(en), "{line}: {english}");
            assert!(english.starts_with("error: ") && chinese.starts_with("错误："));
        }
    }
}
