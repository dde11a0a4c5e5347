//! The English of comments and documents: the subject of a sentence is the thing, by its term.

use std::path::{Path, PathBuf};

/// Words that no sentence begins with, unless it is a question: they make a clause the subject.
const STARTS: [&str; 8] = ["What", "Who", "Whose", "Whom", "Whatever", "Whoever", "Where", "Wherever"];

/// Words that no sentence has.
const WORDS: [&str; 3] = ["nobody", "somebody", "whoever"];

#[test]
fn comments_and_documents_name_the_thing_first() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut slips = Vec::new();
    let mut files = Vec::new();
    for folder in ["src", "tests", "benches"] {
        super::sources(&root.join(folder), &mut files);
    }
    for file in files {
        let text = std::fs::read_to_string(&file).unwrap();
        note(&file, &comments(&text), &mut slips);
    }
    for file in documents(root) {
        let text = std::fs::read_to_string(&file).unwrap();
        note(&file, &paragraphs(&text), &mut slips);
    }
    assert!(slips.is_empty(), "{} sentences:\n{}", slips.len(), slips.join("\n"));
}

/// The English documents: those of the root, and of `docs/`.
fn documents(root: &Path) -> Vec<PathBuf> {
    let folders = [root.to_path_buf(), root.join("docs")];
    let entries = folders.iter().flat_map(|folder| std::fs::read_dir(folder).unwrap());
    let paths = entries.map(|entry| entry.unwrap().path());
    let is_english = |path: &PathBuf| {
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        name.ends_with(".md") && !name.ends_with(".zh-CN.md")
    };
    paths.filter(is_english).collect()
}

/// Blocks of text with the number of their first line.
type Blocks = Vec<(usize, String)>;

/// The comments of a source file; an empty comment line parts two blocks.
fn comments(text: &str) -> Blocks {
    blocks(text.lines().map(|line| {
        let line = line.trim_start();
        let words = line.strip_prefix("///").or_else(|| line.strip_prefix("//!")).or_else(|| line.strip_prefix("//"));
        words.map(str::trim).filter(|words| !words.is_empty())
    }))
}

/// The paragraphs and entries of a document, without code, tables and headings.
fn paragraphs(text: &str) -> Blocks {
    let mut is_code = false;
    blocks(text.lines().map(|line| {
        let words = line.trim();
        if words.starts_with("```") {
            is_code = !is_code;
            return None;
        }
        let is_prose = !is_code && !words.is_empty() && !words.starts_with(['|', '#']);
        is_prose.then_some(words)
    }))
}

fn blocks<'t>(lines: impl Iterator<Item = Option<&'t str>>) -> Blocks {
    let mut blocks: Blocks = Vec::new();
    let mut is_open = false;
    for (at, words) in lines.enumerate() {
        match (words, blocks.last_mut().filter(|_| is_open)) {
            (Some(words), Some((_, block))) => {
                block.push(' ');
                block.push_str(words);
            }
            (Some(words), None) => blocks.push((at + 1, words.to_owned())),
            (None, _) => {}
        }
        is_open = words.is_some();
    }
    blocks
}

fn note(file: &Path, blocks: &Blocks, slips: &mut Vec<String>) {
    for (line, block) in blocks {
        for sentence in sentences(&without_code(block)).into_iter().filter(|sentence| breaks_a_rule(sentence)) {
            slips.push(format!("{}:{line}: {sentence}", file.display()));
        }
    }
}

/// Text in backticks is a name and no English.
fn without_code(text: &str) -> String {
    text.split('`').enumerate().map(|(at, part)| if at % 2 == 0 { part } else { "X" }).collect()
}

fn sentences(text: &str) -> Vec<&str> {
    let marks = ['*', '_', '>', ' ', '-'];
    text.split_inclusive(['.', '!', '?']).map(|sentence| sentence.trim_matches(marks)).collect()
}

fn breaks_a_rule(sentence: &str) -> bool {
    let mut words = sentence.split(|c: char| !c.is_ascii_alphabetic()).filter(|word| !word.is_empty());
    let lower = |word: &str| word.to_ascii_lowercase();
    let is_clause = !sentence.ends_with('?') && words.clone().next().is_some_and(|first| STARTS.contains(&first));
    is_clause || words.any(|word| WORDS.contains(&lower(word).as_str()))
}

#[test]
fn a_sentence_that_breaks_a_rule_is_found() {
    for sentence in ["What it does.", "Whose turn it is.", "Then nobody waits.", "Where it stands"] {
        assert!(breaks_a_rule(sentence), "{sentence}");
    }
    for sentence in ["What is it?", "Returns what is there.", "The place where it stands.", "Whatsit"] {
        assert!(!breaks_a_rule(sentence), "{sentence}");
    }
    let text = "//! One. `What` is\n//! a word.\nfn x() {}\n/// Two.\n";
    assert_eq!(comments(text), [(1, "One. `What` is a word.".to_owned()), (4, "Two.".to_owned())]);
    assert_eq!(paragraphs("# A\n\none\ntwo\n```\nWhat\n```\n"), [(3, "one two".to_owned())]);
}
