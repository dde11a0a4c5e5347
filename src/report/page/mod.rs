//! The page of `novel report`: one file of HTML that loads nothing, for any browser, phone and printer.

use crate::domain::volume::inventory::Standing;
use crate::pipeline::checks::metrics::{Pictured, Portrait, TEXTS};
use crate::report::prelude::*;
use crate::text::{CharOp, SentenceOp, diff, paragraphs};
use maud::{Markup, PreEscaped, html};

mod charts;

/// Stands at the beginning of every page, so that a new one may replace an old one and nothing else.
pub const MARK: &str = "<!DOCTYPE html><!-- novel report -->";

const LOOKS: &str = include_str!("page.css");
/// Opens the chapter that a link leads to.
const OPENING: &str = "function o(){var c=document.getElementById(location.hash.slice(1));if(c)c.open=true}\
    addEventListener('hashchange',o);o()";
/// Nothing from elsewhere is loaded, whatever a chapter has in it.
const POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'";

#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct PageReport {
    pub file: String,
    pub commit: String,
    pub chapters: usize,
    /// The chapters whose texts are on the page: the last ones, as many as it has room for.
    pub texts: usize,
    pub bytes: usize,
}

impl PageReport {
    pub fn text(&self, lang: Lang) -> String {
        let (file, chapters, texts) = (paint(STRONG, &self.file), self.chapters, self.texts);
        let size = format!("{:.1} MB", self.bytes as f64 / 1e6);
        let mut out = say!(lang, page_is_written(file, chapters, size));
        if texts < chapters {
            out.push('\n');
            out.push_str(&say!(lang, page_has_texts_of_the_last(texts)));
        }
        out
    }
}

/// The page, and the number of chapters whose texts are on it.
pub fn page(portrait: &Portrait, names: &Names, lang: Lang) -> (String, usize) {
    let title = &portrait.title;
    let charts = charts::all(portrait, names, lang);
    let texts = chapters_with_text(&portrait.chapters, charts.iter().map(|(_, chart)| chart.0.len()).sum());
    let html = html! {
        (PreEscaped(MARK))
        html lang=(lang.pick("zh-CN", "en")) {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta http-equiv="Content-Security-Policy" content=(POLICY);
                title { (title) }
                style { (PreEscaped(LOOKS)) }
            }
            body {
                header { h1 { (title) } (tiles(portrait, lang)) }
                main {
                    @for (name, chart) in charts {
                        section { h2 { (name) } (chart) }
                    }
                    section { h2 { (say!(lang, page_chapters)) } (chapter_list(&portrait.chapters, texts, names, lang)) }
                }
                footer { (say!(lang, page_is_of_commit(commit = portrait.commit.short()))) }
                script { (PreEscaped(OPENING)) }
            }
        }
    };
    (html.into_string(), texts)
}

/// The figures of the whole book.
fn tiles(portrait: &Portrait, lang: Lang) -> Markup {
    let figures = || portrait.chapters.iter().map(|chapter| &chapter.figures);
    let words: u64 = figures().filter_map(|figures| figures.words).sum();
    let scores: Vec<f64> = portrait.chapters.iter().filter_map(read_score).collect();
    let cost: u64 = figures().filter_map(|figures| figures.calls?.cost_micro_usd).sum();
    let time: u64 = figures().filter_map(|figures| figures.calls?.duration_ms).sum();
    let of = |standing| portrait.threads.threads.iter().filter(|thread| thread.standing == standing).count();
    let open = portrait.threads.threads.iter().filter(|thread| thread.is_open()).count();
    let mut tiles = vec![
        (say!(lang, page_chapters), portrait.chapters.len().to_string()),
        (say!(lang, page_words), figures::count(words)),
        (say!(lang, page_open_threads), open.to_string()),
        (say!(lang, page_overdue_threads), of(Standing::Overdue).to_string()),
    ];
    if !scores.is_empty() {
        let mean = scores.iter().sum::<f64>() / scores.len() as f64;
        tiles.push((say!(lang, page_mean_score), figures::score(mean)));
    }
    if cost > 0 {
        tiles.push((say!(lang, page_cost), figures::money(cost, lang)));
    }
    if time > 0 {
        tiles.push((say!(lang, page_time), figures::duration(time)));
    }
    html! { dl.tiles { @for (name, value) in tiles { div { dt { (name) } dd { (value) } } } } }
}

/// The overall score, where a model has judged.
fn read_score(chapter: &Pictured) -> Option<f64> {
    chapter.figures.report.as_ref().filter(|report| report.reading).map(|report| report.overall)
}

fn heading(chapter: u32, title: &str, lang: Lang) -> String {
    say!(lang, page_chapter_heading(number = chapter, title)).trim_end().to_owned()
}

/// Texts have so much room beside the charts of any longer book.
const LEAST: usize = 300_000;
/// Bytes around a chapter's title and summary, and around a paragraph.
const FRAME: usize = 400;
const MARKS: usize = 8;

/// How many of the last chapters have room for their texts beside charts of so many bytes.
fn chapters_with_text(chapters: &[Pictured], charts: usize) -> usize {
    let frames: usize = chapters.iter().map(|chapter| FRAME + chapter.title.len() + chapter.summary.len()).sum();
    let mut left = TEXTS.saturating_sub(charts + frames).max(LEAST);
    let has_room = |chapter: &&Pictured| {
        let size = chapter.text.len() + chapter.before.as_ref().map_or(0, String::len);
        let size = size + MARKS * chapter.text.lines().count();
        left.checked_sub(size).inspect(|rest| left = *rest).is_some()
    };
    chapters.iter().rev().take_while(has_room).count()
}

/// All chapters, the last `texts` of them with their texts.
fn chapter_list(chapters: &[Pictured], texts: usize, names: &Names, lang: Lang) -> Markup {
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
