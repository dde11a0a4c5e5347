//! The figures of style of one chapter, each with the range in which nine tenths of the passages from books by people lie.

use super::ai_tells::{Panel, Reading};
use super::fingerprint::Tally;
use crate::domain::quality::StyleMeasure;

/// Recycled 8-grams of chapters by people: the 95th percentile of five long books is 1.1 % at most.
pub const RECYCLED_HUMAN: (f64, f64) = (0.0, 0.011);

#[derive(Debug, Clone, Copy, PartialEq)]
pub struct MeasuredFigure {
    pub measure: StyleMeasure,
    pub value: f64,
    /// The range of books by people, where it is known.
    pub human: Option<(f64, f64)>,
}

/// The figures of `text` that need neither a list of phrases nor other chapters, in the order of [`StyleMeasure`].
#[must_use]
pub fn style_figures(text: &str) -> Vec<MeasuredFigure> {
    use StyleMeasure::{
        Beats, Commas, Dialogue, ModalParticles, NotBut, ParagraphLength, SentenceLength, ShortSentences, Skeletons,
        Stillness,
    };
    let panel = Panel::of(text);
    let tally = Tally::of_paragraphs(text);
    let read = |measure: StyleMeasure, reading: Reading| {
        let human = reading.norm.human_p5.zip(reading.norm.human_p95);
        MeasuredFigure { measure, value: reading.value, human }
    };
    let bare = |measure: StyleMeasure, value: f64| MeasuredFigure { measure, value, human: None };
    vec![
        read(SentenceLength, panel.sentence_length),
        read(ShortSentences, panel.short_sentences),
        bare(Dialogue, tally.dialogue_ratio()),
        bare(ParagraphLength, tally.paragraph_length()),
        bare(ModalParticles, tally.modal_particles()),
        read(Commas, panel.commas),
        read(Beats, panel.beats),
        read(Stillness, panel.stillness),
        read(NotBut, panel.not_but),
        read(Skeletons, panel.skeleton_repetition),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_figure_stands_once_and_in_order() {
        let figures = style_figures("# 雨\n\n“谁？”他问。\n\n雨停了，他走了。\n");
        let measures: Vec<StyleMeasure> = figures.iter().map(|figure| figure.measure).collect();
        let own = |measure: &&StyleMeasure| !matches!(measure, StyleMeasure::AiPhrases | StyleMeasure::Recycled);
        assert_eq!(measures, StyleMeasure::ALL.iter().filter(own).copied().collect::<Vec<_>>());
        assert_eq!(figures[2].value, 1.0 / 9.0);
        assert!(style_figures("").iter().all(|figure| figure.value == 0.0));
    }
}
