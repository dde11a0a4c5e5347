//! Rehearsed decisions: scores and violations that the author asks for in the brief, to see what the gate does.

use super::cut::phrase;
use crate::domain::ChapterNo;
use std::str::FromStr;

/// The decisions that the brief rehearses for one chapter, one entry a judgement; the last one repeats.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct Rehearsal {
    scores: Vec<f64>,
    violations: Vec<Option<String>>,
}

impl Rehearsal {
    /// Reads `离线评分: 3.2, 4.1` and `离线违规: W-001, 无`. A line with the chapter in brackets,
    /// `离线评分(ch-005): …`, goes before one without.
    pub(super) fn read(brief: &str, chapter: ChapterNo) -> Self {
        let scores = entries(brief, "离线评分", chapter);
        let violations = entries(brief, "离线违规", chapter);
        let score = |text: &String| text.parse::<f64>().ok().filter(|score| (1.0..=5.0).contains(score));
        Self {
            scores: scores.iter().filter_map(score).collect(),
            violations: violations.into_iter().map(|text| phrase(&text, 64)).collect(),
        }
    }

    /// The overall score of the judgement with that index, where one is asked for.
    pub(super) fn score(&self, index: usize) -> Option<f64> {
        self.scores.get(index).or(self.scores.last()).copied()
    }

    /// The entry for that judgement: `None` without one, `Some(None)` for no violation, or the rule to be broken.
    pub(super) fn violation(&self, index: usize) -> Option<Option<&str>> {
        self.violations.get(index).or(self.violations.last()).map(Option::as_deref)
    }
}

/// The entries of the line with that label for `at`, a chapter or a volume; of the general one where it has none.
pub(super) fn entries<T: FromStr + PartialEq>(brief: &str, label: &str, at: T) -> Vec<String> {
    let mut general = None;
    let mut own = None;
    for line in brief.lines() {
        let line = line.trim().trim_start_matches(['-', '*', '>', ' ']);
        let Some(rest) = line.strip_prefix(label) else { continue };
        let Some((place, values)) = rest.split_once([':', '：']) else { continue };
        let place = place.trim().trim_matches(['(', ')', '（', '）', '*', ' ']);
        if place.is_empty() {
            general = Some(values);
        } else if place.parse::<T>().is_ok_and(|place| place == at) {
            own = Some(values);
        }
    }
    let values = own.or(general).unwrap_or_default();
    values.split([',', '，', '、']).map(|value| value.trim().to_owned()).filter(|value| !value.is_empty()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_chapter_has_its_own_line_or_the_general_one_and_the_last_entry_repeats() {
        let brief =
            "# 简介\n\n- 离线评分： 3.2，3.3, 4.1\n离线评分(ch-005): 2.4\n离线违规（5）：W-001, 无\n离线评分: 很好";
        let five = Rehearsal::read(brief, ChapterNo::new(5).unwrap());
        assert_eq!((five.score(0), five.score(7)), (Some(2.4), Some(2.4)));
        assert_eq!((five.violation(0), five.violation(1)), (Some(Some("W-001")), Some(None)));
        let brief = brief.replace("\n离线评分: 很好", "");
        let six = Rehearsal::read(&brief, ChapterNo::new(6).unwrap());
        assert_eq!((six.score(0), six.score(1), six.score(9)), (Some(3.2), Some(3.3), Some(4.1)));
        assert_eq!(six.violation(0), None);
        assert_eq!(Rehearsal::read("离线评分: 9, x", ChapterNo::FIRST), Rehearsal::default());
    }
}
