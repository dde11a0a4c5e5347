//! Whether the writing has moved away from a fingerprint.
//! Fixed limits on sentence length (±20 %) and dialogue (±15 %) are exceeded in 57–88 % of five-chapter windows of
//! human serials, since a scene of talk follows a scene of travel. The delta of function characters is the alarm here
//! (it tells a foreign block of five chapters with AUC 0.93); the other figures come with a z value from the baseline's
//! own spread and are for information.
//! The figures of style of one chapter, each with the range in which nine tenths of the passages from books by people lie.

use crate::domain::quality::StyleMeasure;
use crate::text::ai_tells::{Panel, PanelFigure};
use crate::text::fingerprint::{SampledFigure, Tallies, Tally};
use std::collections::BTreeMap;

#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Deviation {
    pub base: f64,
    pub now: f64,
    /// (now − base) ÷ base, so 0.2 is 20 % more; `None` when the baseline is 0.
    pub relative: Option<f64>,
    /// (now − base) ÷ the spread expected of a mean of as many chapters as were measured now; `None` without a spread.
    pub z: Option<f64>,
}

impl Deviation {
    fn between(base: SampledFigure, now: SampledFigure, chapters: usize) -> Self {
        let change = now.value - base.value;
        let spread = base.between / (chapters.max(1) as f64).sqrt();
        Self {
            base: base.value,
            now: now.value,
            relative: (base.value > 0.0).then(|| change / base.value),
            z: (spread > 0.0).then(|| change / spread),
        }
    }
}

/// Added to each spread, in uses per thousand, so that characters that never varied in the baseline do not dominate.
const SMOOTHING: f64 = 0.15;

const NAMED: usize = 10;

/// How far each character moved, in spreads of the baseline.
fn moves(base: &BTreeMap<char, SampledFigure>, now: &BTreeMap<char, SampledFigure>) -> Vec<(char, f64)> {
    base.iter()
        .map(|(&c, was)| {
            let is = now.get(&c).map_or(0.0, |m| m.value);
            (c, (is - was.value) / (was.between + SMOOTHING))
        })
        .collect()
}

fn delta(moves: &[(char, f64)]) -> f64 {
    moves.iter().map(|(_, by)| by.abs()).sum::<f64>() / moves.len().max(1) as f64
}

/// Fewest chapters of a baseline. With ten the level is uncertain; with fewer it says nothing.
pub const LEAST_BASELINE: usize = 10;

/// Standard deviations from which on a figure has moved …
const FAR: f64 = 3.0;
/// … if that is so many times as far as the baseline's own blocks ever are.
const FAR_MARGIN: f64 = 1.5;
/// Margin of the level for function characters: twelve in a hundred windows of one writer are above the level and seven
/// above 1.15 levels; of a hundred foreign blocks three are below.
const MARGIN: f64 = 1.15;

type TallyFigure = (StyleMeasure, fn(&Tally) -> f64);

/// The figures that a comparison looks at beside the function characters.
const FIGURES: [TallyFigure; 4] = [
    (StyleMeasure::SentenceLength, Tally::sentence_length),
    // Its natural coefficient of variation is 0.2–0.7: only ±50 % or |z| > 3 means anything.
    (StyleMeasure::Dialogue, Tally::dialogue_ratio),
    (StyleMeasure::ParagraphLength, Tally::paragraph_length),
    (StyleMeasure::ModalParticles, Tally::modal_particles),
];

/// A figure of the last chapters beside the baseline's.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ComparedFigure {
    pub measure: StyleMeasure,
    pub deviation: Deviation,
    /// The largest |z| of the baseline's own blocks, each against the rest of the baseline.
    pub own_z: f64,
}

impl ComparedFigure {
    /// True when the figure is more than three deviations away, and clearly further than the writer has ever been.
    pub fn is_far(&self) -> bool {
        self.deviation.z.is_some_and(|z| z.abs() > FAR.max(self.own_z * FAR_MARGIN))
    }
}

/// The last chapters beside those before them.
#[derive(Debug, Clone, PartialEq)]
pub struct StyleComparison {
    /// Mean distance over 51 function characters and 10 marks, in spreads of the baseline: the mean of
    /// |f_now − f_base| ÷ (sd_base + 0.15) with f in uses per thousand and sd between the chapters of the baseline.
    /// Compare it with the level, not with a constant.
    pub delta: f64,
    /// The alarm level of the delta: the 95th percentile of the deltas of the baseline's own blocks against the rest of
    /// it.
    pub level: f64,
    /// The characters and marks that moved most, in spreads of the baseline, positive for more; at most ten.
    pub moved: Vec<(char, f64)>,
    pub figures: Vec<ComparedFigure>,
}

impl StyleComparison {
    /// Compares the chapters of `block` (five are usual) with those of `base`; `None` with fewer than [`LEAST_BASELINE`] of
    /// the latter that have prose, or none of the former.
    ///
    /// The baseline should be the chapters *before* the block, not the first of the book: writers change slowly with their
    /// story. With blocks of five on three classical novels (18 windows from chapter 40 on), a baseline of the 20 chapters
    /// before gave 3 false alarms, the first 20 chapters gave 11; either caught 36 of 36 blocks taken from another book.
    /// With ten chapters the level is so uncertain that 11 of 36 went unseen.
    pub fn of(base: &[&str], block: &[&str]) -> Option<Self> {
        let (tallies, now) = (Tally::of_all(base), Tally::of_all(block));
        if tallies.len() < LEAST_BASELINE || now.is_empty() {
            return None;
        }
        let own = own_blocks(&tallies.iter().collect::<Vec<_>>(), now.len());
        let (base, now) = (Tallies::of(tallies.iter().collect()), Tallies::of(now.iter().collect()));
        let mut moved = moves(&base.profile(), &now.profile());
        let delta = delta(&moved);
        moved.sort_by(|a, b| b.1.abs().total_cmp(&a.1.abs()));
        moved.truncate(NAMED);
        let figure = |(measure, of): (StyleMeasure, fn(&Tally) -> f64)| {
            let between = |base: &Tallies<'_>, now: &Tallies<'_>| {
                Deviation::between(base.measure(&of), now.measure(&of), now.len())
            };
            let own_z = own.iter().filter_map(|(rest, block)| between(rest, block).z).map(f64::abs);
            ComparedFigure { measure, deviation: between(&base, &now), own_z: own_z.fold(0.0, f64::max) }
        };
        Some(Self { delta, level: level_of(&own)?, moved, figures: FIGURES.map(figure).to_vec() })
    }

    /// True when the function characters or a figure are further away than the writer's own chapters from one another.
    /// Measured on 115 chapters each of three novels, five chapters after every twenty (`alarms_about_style`): the function
    /// characters alone alarm in 4 of 57 windows of one writer and see 111 of 114 blocks of another; the figures add a
    /// few of both. Any |z| above three beside the bare level alarms in 15 of 57. The fixed limits of 20 % on sentence length
    /// and 15 % on dialogue alarm in 17 of 57 and see 95 of 114; against the first ten chapters they alarm in 39.
    pub fn is_alarm(&self) -> bool {
        self.delta > self.level * MARGIN || self.figures.iter().any(ComparedFigure::is_far)
    }
}

/// Each block of the baseline with the rest of the baseline. Blocks overlap: each starts one chapter later.
fn own_blocks<'t>(all: &[&'t Tally], block: usize) -> Vec<(Tallies<'t>, Tallies<'t>)> {
    let starts = 0..=all.len().saturating_sub(block);
    let rest = |from: usize| Tallies::of([&all[..from], &all[from + block..]].concat());
    starts.map(|from| (rest(from), Tallies::of(all[from..from + block].to_vec()))).collect()
}

fn level_of(blocks: &[(Tallies<'_>, Tallies<'_>)]) -> Option<f64> {
    let mut deltas: Vec<f64> =
        blocks.iter().map(|(rest, block)| delta(&moves(&rest.profile(), &block.profile()))).collect();
    deltas.sort_by(f64::total_cmp);
    // Nearest rank: the smallest delta that at least 95 % of the blocks do not exceed.
    let rank = (deltas.len() * 95).div_ceil(100).max(1);
    deltas.get(rank - 1).copied()
}

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
pub fn style_figures(text: &str) -> Vec<MeasuredFigure> {
    use StyleMeasure::{
        Beats, Commas, Dialogue, ModalParticles, NotBut, ParagraphLength, SentenceLength, ShortSentences, Skeletons,
        Stillness,
    };
    let panel = Panel::of(text);
    let tally = Tally::of_paragraphs(text);
    let read = |measure: StyleMeasure, PanelFigure { value, human }: PanelFigure| MeasuredFigure {
        measure,
        value,
        human: Some(human),
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

    fn chapter(seed: usize) -> String {
        // The same writer with slightly different proportions from chapter to chapter.
        let talk = "“你也来了么？”他问。".repeat(3 + seed % 3);
        let tale = "那人在山上住着，又把门关了，就不见了。".repeat(8 + seed % 4);
        format!("{talk}\n{tale}")
    }

    fn stranger() -> String {
        "她的手指没有动。而那些光，从窗外向她落下，如果不是风……她和它们都很轻。\n".repeat(12)
    }

    #[test]
    fn a_text_has_not_drifted_from_itself() {
        let texts: Vec<String> = (0..12).map(chapter).collect();
        let samples: Vec<&str> = texts.iter().map(String::as_str).collect();
        let still = StyleComparison::of(&samples, &samples).unwrap();
        assert_eq!(still.delta, 0.0);
        assert_eq!(still.figures.len(), FIGURES.len());
        for figure in &still.figures {
            assert_eq!((figure.deviation.relative, figure.is_far()), (figure.deviation.relative.map(|_| 0.0), false));
        }
        let of = |measure| still.figures.iter().find(|figure| figure.measure == measure).unwrap().deviation;
        assert_eq!(of(StyleMeasure::SentenceLength).relative, Some(0.0));
        assert_eq!(of(StyleMeasure::Dialogue).z, Some(0.0));
    }

    #[test]
    fn a_foreign_block_is_above_the_writers_own_unrest() {
        let texts: Vec<String> = (0..20).map(chapter).collect();
        let samples: Vec<&str> = texts.iter().map(String::as_str).collect();
        let own = StyleComparison::of(&samples[..15], &samples[15..]).unwrap();
        let foreign = stranger();
        let other = StyleComparison::of(&samples[..15], &[foreign.as_str(); 5]).unwrap();
        assert_eq!(own.level, other.level, "it is the baseline's");
        assert!(own.delta <= own.level * 1.5, "{} {}", own.delta, own.level);
        assert!(other.delta > other.level * 3.0 && other.is_alarm(), "{} {}", other.delta, other.level);
        assert_eq!(other.moved.len(), NAMED);
        assert!(other.figures[0].deviation.z.is_some());
    }

    #[test]
    fn too_few_chapters_are_not_compared() {
        assert_eq!(StyleComparison::of(&["天。"; LEAST_BASELINE - 1], &["天。"]), None);
        assert_eq!(StyleComparison::of(&["天地。"; LEAST_BASELINE], &[]), None);
        let alike = StyleComparison::of(&["天地。"; LEAST_BASELINE], &["天地。"]).unwrap();
        let dialogue = alike.figures.iter().find(|figure| figure.measure == StyleMeasure::Dialogue).unwrap();
        assert_eq!((dialogue.deviation.relative, dialogue.deviation.z), (None, None), "nothing to measure by");
    }
}

#[cfg(test)]
mod style_figures_tests {
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
