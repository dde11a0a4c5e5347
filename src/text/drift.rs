//! Has the writing moved away from a fingerprint?
//!
//! Fixed limits on sentence length (±20 %) and dialogue (±15 %) are wrong more often than right: on human serials one of
//! them is exceeded in 57–88 % of five-chapter windows, since a scene of talk follows a scene of travel. The delta of
//! function characters is the alarm here (it tells a foreign block of five chapters with AUC 0.93); the other figures
//! come with a z value from the baseline's own spread and are for information.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::fingerprint::{Fingerprint, Measure, Tally, profile};

/// How far one figure is from its baseline.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Deviation {
    /// The baseline's value.
    pub base: f64,
    /// The value now.
    pub now: f64,
    /// (now − base) ÷ base, so 0.2 is 20 % more; `None` when the baseline is 0.
    pub relative: Option<f64>,
    /// (now − base) ÷ the spread expected of a mean of as many chapters as were measured now; `None` when the baseline
    /// has no spread.
    pub z: Option<f64>,
}

impl Deviation {
    fn between(base: Measure, now: Measure, chapters: usize) -> Self {
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

/// The distance of recent chapters from a fingerprint.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Drift {
    /// Mean distance over 51 function characters and 10 marks, in spreads of the baseline; compare with
    /// [`alarm_level`], not with a constant.
    pub delta: f64,
    /// Sentence length.
    pub sentence_length: Deviation,
    /// Dialogue ratio. Its natural coefficient of variation is 0.2–0.7: only ±50 % or |z| > 3 means anything.
    pub dialogue_ratio: Deviation,
    /// Paragraph length.
    pub paragraph_length: Deviation,
    /// Modal particles.
    pub modal_particles: Deviation,
    /// The characters and marks that moved most, in spreads of the baseline, positive for more; at most ten.
    pub moved: Vec<(char, f64)>,
}

/// Added to each spread so that characters that never varied in the baseline do not dominate, in uses per thousand.
const SMOOTHING: f64 = 0.15;

/// How many of the characters that moved most are named.
const NAMED: usize = 10;

/// Compares `now`, the fingerprint of recent chapters (five are usual), with `base`.
///
/// The delta is the mean of |f_now − f_base| ÷ (sd_base + 0.15) with f in uses per thousand and sd between the samples of
/// the baseline, so a baseline of a single sample gives deltas that are large and mean little.
pub fn drift(base: &Fingerprint, now: &Fingerprint) -> Drift {
    let mut moved = moves(&base.profile, &now.profile);
    let delta = delta(&moved);
    moved.sort_by(|a, b| b.1.abs().total_cmp(&a.1.abs()));
    moved.truncate(NAMED);
    let deviation = |figure: fn(&Fingerprint) -> Measure| Deviation::between(figure(base), figure(now), now.samples);
    Drift {
        delta,
        sentence_length: deviation(|f| f.sentence_length),
        dialogue_ratio: deviation(|f| f.dialogue_ratio),
        paragraph_length: deviation(|f| f.paragraph_length),
        modal_particles: deviation(|f| f.modal_particles),
        moved,
    }
}

/// How far each character moved, in spreads of the baseline.
fn moves(base: &BTreeMap<char, Measure>, now: &BTreeMap<char, Measure>) -> Vec<(char, f64)> {
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

/// The delta above which a block of `block` chapters is unlike this writer: the 95th percentile of the deltas that the
/// baseline's own blocks have against the rest of the baseline. `None` when the rest would be smaller than the block.
///
/// Blocks overlap (each starts one chapter later). Give it the chapters *before* the ones to be judged, not the first of
/// the book: writers change slowly with their story. With blocks of five on three classical novels (18 windows from
/// chapter 40 on), a baseline of the 20 chapters before gave 3 false alarms, the first 20 chapters gave 11; either
/// caught 36 of 36 blocks taken from another book. With ten chapters the level is so uncertain that 11 of 36 went unseen.
pub fn alarm_level(samples: &[&str], block: usize) -> Option<f64> {
    let tallies = Tally::of_all(samples);
    if block == 0 || tallies.len() < block * 2 {
        return None;
    }
    let all: Vec<&Tally> = tallies.iter().collect();
    let mut deltas: Vec<f64> = (0..=all.len() - block)
        .map(|from| {
            let rest = [&all[..from], &all[from + block..]].concat();
            delta(&moves(&profile(&rest), &profile(&all[from..from + block])))
        })
        .collect();
    deltas.sort_by(f64::total_cmp);
    // Nearest rank: the smallest delta that at least 95 % of the blocks do not exceed.
    let rank = (deltas.len() * 95).div_ceil(100).max(1);
    deltas.get(rank - 1).copied()
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
        let texts: Vec<String> = (0..4).map(chapter).collect();
        let samples: Vec<&str> = texts.iter().map(String::as_str).collect();
        let print = Fingerprint::measure(&samples);
        let still = drift(&print, &print);
        assert_eq!(still.delta, 0.0);
        assert_eq!(still.sentence_length.relative, Some(0.0));
        assert_eq!(still.dialogue_ratio.z, Some(0.0));
    }

    #[test]
    fn a_foreign_block_is_above_the_writers_own_unrest() {
        let texts: Vec<String> = (0..20).map(chapter).collect();
        let samples: Vec<&str> = texts.iter().map(String::as_str).collect();
        let level = alarm_level(&samples[..15], 5).unwrap();
        let base = Fingerprint::measure(&samples[..15]);
        let own = drift(&base, &Fingerprint::measure(&samples[15..]));
        let foreign = stranger();
        let other = drift(&base, &Fingerprint::measure(&[foreign.as_str(); 5]));
        assert!(own.delta <= level * 1.5, "{} {level}", own.delta);
        assert!(other.delta > level * 3.0, "{} {level}", other.delta);
        assert_eq!(other.moved.len(), 10);
        assert!(other.sentence_length.z.is_some());
    }

    #[test]
    fn too_few_chapters_give_no_level() {
        assert_eq!(alarm_level(&["天。"; 9], 5), None);
        assert_eq!(alarm_level(&[], 0), None);
        let print = Fingerprint::measure(&["天地。"]);
        let none = Fingerprint::measure(&[]);
        assert_eq!(drift(&none, &print).sentence_length.relative, None);
        assert_eq!(drift(&print, &none).sentence_length.z, None);
    }
}
