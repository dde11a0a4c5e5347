//! The human ranges of the panel, held against whole novels.

use super::{BOOKS, chapters};
use novel::text::{self, Panel, PanelFigure};

/// Han characters in the windows on which the ranges were measured.
const WINDOW: usize = 2000;

/// Whole sentences of a chapter in windows; the rest at the end is left out.
fn windows(chapter: &str) -> Vec<String> {
    let (mut found, mut window, mut han) = (Vec::new(), String::new(), 0);
    for sentence in text::sentences(chapter) {
        window.push_str(sentence.raw);
        han += sentence.han();
        if han >= WINDOW {
            found.push(std::mem::take(&mut window));
            han = 0;
        }
    }
    found
}

/// A figure of the panel.
type Figure = fn(&Panel) -> PanelFigure;

#[test]
fn nine_tenths_of_human_prose_lie_in_every_range() {
    let mut panels: Vec<(&str, Panel)> = Vec::new();
    for book in BOOKS {
        let Some(chapters) = chapters(book, 0..115) else { return };
        let windows = chapters.iter().flat_map(|chapter| windows(chapter));
        panels.extend(windows.map(|window| (book, Panel::of(&window))));
    }
    let figures: [(&str, Figure); 8] = [
        ("beats", |panel| panel.beats),
        ("stillness", |panel| panel.stillness),
        ("skeleton_repetition", |panel| panel.skeleton_repetition),
        ("adjacent_skeletons", |panel| panel.adjacent_skeletons),
        ("not_but", |panel| panel.not_but),
        ("short_sentences", |panel| panel.short_sentences),
        ("sentence_length", |panel| panel.sentence_length),
        ("commas", |panel| panel.commas),
    ];
    for (name, figure) in figures {
        // Speech in 三国演义 stands in one frame, line after line.
        let fits = |book: &str| name != "skeleton_repetition" || book != "sanguo";
        let seen: Vec<PanelFigure> =
            panels.iter().filter(|(book, _)| fits(book)).map(|(_, panel)| figure(panel)).collect();
        let inside =
            seen.iter().filter(|PanelFigure { value, human: (low, high) }| (low..=high).contains(&value)).count();
        assert!(seen.len() > 300 && inside * 100 >= seen.len() * 89, "{name}: {inside} of {}", seen.len());
    }
}
