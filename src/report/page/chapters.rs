//! The chapters at the end of the page: figures, summary, text, and the sentences that changed after the chapter's acceptance.

use super::{heading, read_score};
use crate::pipeline::checks::portrait::Pictured;
use crate::report::names::Names;
use crate::report::prelude::*;
use crate::text::{CharOp, SentenceOp, diff, paragraphs};
use maud::{Markup, html};

/// Bytes that a phone opens and a messenger sends: a page of a thousand chapters has fewer.
const PAGE: usize = 2_900_000;
/// Texts have so much room beside the charts of any longer book.
const LEAST: usize = 300_000;
/// Bytes around a chapter's title and summary, and around a paragraph.
const FRAME: usize = 400;
const MARKS: usize = 8;

/// How many of the last chapters have room for their texts beside charts of so many bytes.
pub(super) fn with_room(chapters: &[Pictured], charts: usize) -> usize {
    let frames: usize = chapters.iter().map(|chapter| FRAME + chapter.title.len() + chapter.summary.len()).sum();
    let mut left = PAGE.saturating_sub(charts + frames).max(LEAST);
    let has_room = |chapter: &&Pictured| {
        let size = chapter.text.len() + chapter.before.as_ref().map_or(0, String::len);
        let size = size + MARKS * chapter.text.lines().count();
        left.checked_sub(size).inspect(|rest| left = *rest).is_some()
    };
    chapters.iter().rev().take_while(has_room).count()
}

/// All chapters, the last `texts` of them with their texts.
pub(super) fn all(chapters: &[Pictured], texts: usize, names: &Names, lang: Lang) -> Markup {
    html! {
        @for (at, chapter) in chapters.iter().enumerate() {
            @let number = chapter.figures.chapter;
            details id=(format!("ch-{}", number.get())) {
                summary { (heading(number.get(), &chapter.title, lang)) " " small { (figures_of(chapter, names, lang)) } }
                @if !chapter.summary.is_empty() { p.note { (chapter.summary) } }
                @if at + texts >= chapters.len() {
                    @for paragraph in paragraphs(&chapter.text) { p { (paragraph.text) } }
                    @if let Some(before) = &chapter.before { (changes(before, &chapter.text, lang)) }
                } @else {
                    p.note { code { "novel show " (number) } }
                }
            }
        }
    }
}

fn figures_of(chapter: &Pictured, names: &Names, lang: Lang) -> String {
    let line = chapter.line.as_ref().map(|line| names.name(line.as_str(), lang));
    let words = chapter.figures.words.map(|words| say!(lang, page_so_many_words(words = figures::count(words))));
    let score = read_score(chapter).map(figures::score);
    let gate = chapter.figures.gate.map(|gate| gate.say(lang).to_owned());
    [line, words, score, gate].into_iter().flatten().collect::<Vec<_>>().join(" · ")
}

/// The changed sentences, each with its neighbours.
fn changes(before: &str, now: &str, lang: Lang) -> Markup {
    let diff = diff(before, now);
    html! {
        @if !diff.is_unchanged() {
            h3 { (say!(lang, page_changes)) }
            @for hunk in diff.hunks(1) {
                p.hunk {
                    @for op in &hunk.ops {
                        @match op {
                            SentenceOp::Equal { text } => (text),
                            SentenceOp::Delete { text } => del { (text) },
                            SentenceOp::Insert { text } => ins { (text) },
                            SentenceOp::Replace { parts } => @for part in parts {
                                @match part {
                                    CharOp::Equal(text) => (text),
                                    CharOp::Delete(text) => del { (text) },
                                    CharOp::Insert(text) => ins { (text) },
                                }
                            },
                        }
                    }
                }
            }
        }
    }
}
