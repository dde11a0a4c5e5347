//! The three style files: `style-profile.json`, `ai-blacklist.json` and `style-drift.json`.

use crate::domain::notation::{self, or_default};
use crate::domain::world::style::{AiPhrase, AiPhrases, StyleProfile};
use crate::store::format::json::{self, Disk};
use crate::store::format::{At, ExpectedValue, FormatError, Mistake, Problem};
use crate::store::prelude::*;
use serde::{Deserialize, Serialize};

impl Disk for StyleProfile {}

/// Without a `source_type` the profile is the author's own. Fails also when the share of dialogue is not between 0 and
/// 1 or a sentence has no length.
pub fn read_profile(bytes: &[u8]) -> Result<StyleProfile, FormatError> {
    let profile: StyleProfile = json::read(bytes)?;
    let wrong =
        |key: &str, wanted| FormatError { at: At::Key(key.into()), problem: Problem::Value(Mistake::Wanted(wanted)) };
    if !(0.0..=1.0).contains(&profile.dialogue_ratio) {
        return Err(wrong("dialogue_ratio", ExpectedValue::Share));
    }
    if profile.avg_sentence_length < 0.0 {
        return Err(wrong("avg_sentence_length", ExpectedValue::Length));
    }
    Ok(profile)
}

/// Grouped for editing, one phrase a line; a category may come twice, so that the order of the phrases is that of the
/// file.
#[derive(Serialize, Deserialize)]
struct PhrasesDisk {
    groups: Vec<GroupDisk>,
    #[serde(default)]
    allowed: Vec<String>,
    #[serde(default, deserialize_with = "or_default", skip_serializing_if = "BTreeMap::is_empty")]
    caps: BTreeMap<String, u32>,
}

#[derive(Serialize, Deserialize)]
struct GroupDisk {
    category: String,
    phrases: Vec<String>,
}

impl Disk for PhrasesDisk {}

pub fn read_phrases(bytes: &[u8]) -> Result<AiPhrases, FormatError> {
    let disk: PhrasesDisk = json::read(bytes)?;
    let of_group = |group: GroupDisk| {
        let category = group.category;
        group.phrases.into_iter().map(move |text| AiPhrase { text, category: category.clone() })
    };
    let phrases = disk.groups.into_iter().flat_map(of_group).collect();
    Ok(AiPhrases { phrases, allowed: disk.allowed, caps: disk.caps })
}

/// Neighbours of one category form a group.
pub fn write_phrases(phrases: &AiPhrases, previous: Option<&[u8]>) -> Vec<u8> {
    let groups = phrases.phrases.chunk_by(|a, b| a.category == b.category).map(|group| GroupDisk {
        category: group[0].category.clone(),
        phrases: group.iter().map(|phrase| phrase.text.clone()).collect(),
    });
    let disk = PhrasesDisk { groups: groups.collect(), allowed: phrases.allowed.clone(), caps: phrases.caps.clone() };
    json::write(&disk, previous)
}

/// A figure that differs from the author's own.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct MovedFigure {
    /// The name in the profile: `avg_sentence_length`.
    #[serde(rename = "id")]
    pub figure: String,
    #[serde(with = "notation::figure")]
    pub baseline: f64,
    /// The value in the last chapters.
    #[serde(with = "notation::figure")]
    pub current: f64,
}

/// A drift of the style with its corrections, until the style is back (row R22).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Drift {
    /// The chapter after which the drift was found.
    #[serde(rename = "detected_chapter")]
    pub detected: ChapterNo,
    #[serde(default)]
    pub deviations: Vec<MovedFigure>,
    /// Corrections for the writer and the refiner.
    pub corrections: Vec<String>,
}

impl Disk for Drift {}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::world::style::StyleSource;
    use crate::store::format::samples::{self, chapter_number, figure, line, one, words};
    use proptest::collection::{btree_map, vec};
    use proptest::option;
    use proptest::prelude::*;
    use proptest::sample::select;

    fn profile() -> impl Strategy<Value = StyleProfile> {
        let lists = (vec(words(), 0..3), vec(words(), 0..3), vec(words(), 0..3), vec(words(), 0..3));
        let maps = (btree_map(words(), figure(), 0..3), btree_map(words(), words(), 0..3));
        let figures = (figure(), 0.0f64..=1.0);
        (one(StyleSource::ALL), option::of(words()), figures, lists, maps).prop_map(
            |(source, source_name, figures, lists, (measured, character_speech_patterns))| StyleProfile {
                source,
                source_name,
                avg_sentence_length: figures.0,
                dialogue_ratio: figures.1,
                measured,
                rhetoric_preferences: lists.0,
                forbidden_words: lists.1,
                character_speech_patterns,
                writing_directives: lists.2,
                own_phrases: lists.3,
            },
        )
    }

    fn phrases() -> impl Strategy<Value = AiPhrases> {
        let phrase = (words(), select(vec!["停顿", "含糊", ""]));
        let phrase = phrase.prop_map(|(text, category)| AiPhrase { text, category: category.into() });
        (vec(phrase, 0..8), vec(words(), 0..3), btree_map(words(), 0u32..9, 0..3))
            .prop_map(|(phrases, allowed, caps)| AiPhrases { phrases, allowed, caps })
    }

    fn drift() -> impl Strategy<Value = Drift> {
        let deviation = (line(), figure(), figure());
        let deviation = deviation.prop_map(|(figure, baseline, current)| MovedFigure { figure, baseline, current });
        (chapter_number(), vec(deviation, 0..3), vec(words(), 0..3))
            .prop_map(|(detected, deviations, corrections)| Drift { detected, deviations, corrections })
    }

    #[test]
    fn the_profile_of_the_formats_chapter_is_read_and_keeps_its_whole_numbers() {
        let text = r#"{"avg_sentence_length": 18, "dialogue_ratio": 0.4, "rhetoric_preferences": ["短句"],
            "forbidden_words": null, "character_speech_patterns": {"mentor": "文言腔"}}"#;
        let mut profile = read_profile(text.as_bytes()).unwrap();
        assert_eq!((profile.source, profile.forbidden_words.len()), (StyleSource::Original, 0));
        profile.writing_directives.push("先动作后心情".into());
        let written = String::from_utf8(json::write(&profile, Some(text.as_bytes()))).unwrap();
        assert!(written.contains("\"avg_sentence_length\": 18,"), "{written}");
        let percent = text.replace("0.4", "40");
        assert_eq!(read_profile(percent.as_bytes()).unwrap_err().at, At::Key("dialogue_ratio".into()));
    }

    #[test]
    fn the_order_of_the_phrases_is_that_of_the_file() {
        let text = r#"{"groups": [{"category": "停顿", "phrases": ["顿了顿", "沉默片刻"], "why": "节奏"},
            {"category": "含糊", "phrases": ["某种"]}], "allowed": ["不禁"]}"#;
        let mut phrases = read_phrases(text.as_bytes()).unwrap();
        phrases.phrases.push(AiPhrase { text: "愣住".into(), category: "停顿".into() });
        let written = write_phrases(&phrases, Some(text.as_bytes()));
        assert!(String::from_utf8_lossy(&written).contains("节奏"));
        assert_eq!(read_phrases(&written), Ok(phrases));
    }

    proptest! {
        #[test]
        fn any_profile_survives(profile in profile()) {
            samples::survives(&profile, read_profile, json::write, &["measured", "character_speech_patterns"])?;
        }

        #[test]
        fn any_phrases_survive(phrases in phrases()) {
            samples::survives(&phrases, read_phrases, write_phrases, &["caps"])?;
        }

        #[test]
        fn any_drift_survives(drift in drift()) {
            samples::survives(&drift, json::read, json::write, &[])?;
        }
    }
}
