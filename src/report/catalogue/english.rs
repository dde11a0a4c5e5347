//! Tests that no message has words of the other language.

use super::{en, help, zh};

/// Words that Chinese messages keep: names of programs, of formats and of what the author types.
const KEPT: &str = "Ctrl-C Esc GIB HOOK HTTP HTTPS JPEG JSON LF MiB Markdown Mem0 PATH PNG SHA-256 TOML UTC UTF-8 Windows Word anthropic bash cny docx en epub fish git http https id man md novel openai ours shell ssh theirs token txt usd zh";

/// The English words of a Chinese text that belong to no command, path, option, setting or example.
pub(crate) fn english_in(text: &str) -> Vec<&str> {
    let is_part = |c: char| c.is_ascii_alphanumeric() || "-_./:~*<>|=$@+'\"{}[]\\&,%#".contains(c);
    // Backticks hold what is typed; a command ends where its words do.
    let outside = text.split('`').step_by(2);
    let mut found = Vec::new();
    for part in outside {
        let mut in_command = false;
        for (run, is_word) in runs(part, is_part) {
            let word = run.trim_matches(|c: char| !c.is_ascii_alphanumeric());
            in_command = match is_word {
                true => in_command || ["novel", "git", "export"].contains(&word),
                false => in_command && run == " ",
            };
            let is_typed =
                run.contains(|c: char| "-_./:<>=$@{|".contains(c)) || run.contains(|c: char| c.is_ascii_digit());
            let is_english = is_word && word.len() > 1 && word.contains(|c: char| c.is_ascii_alphabetic());
            if is_english && !in_command && !is_typed && !KEPT.split(' ').any(|kept| kept == word) {
                found.push(word);
            }
        }
    }
    found
}

/// The text in runs of characters that are, and are not, part of a word.
fn runs(text: &str, is_part: impl Fn(char) -> bool) -> Vec<(&str, bool)> {
    let mut runs = Vec::new();
    let mut left = text;
    while let Some(first) = left.chars().next() {
        let is_word = is_part(first);
        let end = left.find(|c| is_part(c) != is_word).unwrap_or(left.len());
        runs.push((&left[..end], is_word));
        left = &left[end..];
    }
    runs
}

#[test]
fn chinese_messages_have_no_english_words() {
    let mut found = Vec::new();
    for (name, text) in zh::ALL.iter().chain(zh::NAMES) {
        let words = english_in(text);
        if !words.is_empty() {
            found.push(format!("{name}: {words:?} in {text}"));
        }
    }
    for page in help::pages(crate::report::Lang::Zh) {
        let texts = page.args.iter().chain(&page.examples).map(|(_, text)| text).chain([&page.about]);
        let words = texts.filter(|text| !english_in(text).is_empty());
        found.extend(words.map(|text| format!("{}: {text}", page.path)));
    }
    assert!(found.is_empty(), "{}", found.join("\n"));
}

#[test]
fn english_messages_have_han_characters_only_where_the_author_types_them() {
    let is_han = |c: &char| ('\u{4e00}'..='\u{9fff}').contains(c);
    let han = |text: &str| text.split('`').step_by(2).flat_map(str::chars).any(|c| is_han(&c));
    let all = en::ALL.iter().chain(en::NAMES);
    let mut found: Vec<&str> = all.filter(|(_, text)| han(text)).map(|(name, _)| *name).collect();
    for page in help::pages(crate::report::Lang::En) {
        let texts = page.args.iter().chain(&page.examples).map(|(_, text)| text).chain([&page.about]);
        found.extend(texts.filter(|text| han(text)));
    }
    found.sort_unstable();
    let examples = [
        "no_foreshadowing_to_list_write_old",
        "proposals_are_in_no_outline_to",
        "section_has_fields_to_be_told",
        "section_n_title_chapter_from_chapter",
        "setting_budget",
        "style_measure_not_but",
        "who_is_protagonist_in_sentence",
        "write_amount_as_usd_or_cny",
        "write_name_that_novel_check_gives",
    ];
    assert_eq!(found, examples);
}

#[test]
fn words_of_the_other_language_are_found() {
    for (text, words) in [
        ("第 48 章 chapter 太长", vec!["chapter"]),
        ("没有标明主推的故事线（primary）", vec!["primary"]),
        ("请运行 novel config set provider 名字", vec![]),
        ("请改好 `staging/some words`，再看 state/x.json", vec![]),
        ("这是 a text，不是 a list", vec!["text", "list"]),
        ("没有 git 钩子，约 3 token", vec![]),
    ] {
        assert_eq!(english_in(text), words, "{text}");
    }
}
