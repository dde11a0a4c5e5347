//! The three style files: `style-profile.json`, `ai-blacklist.json` and `style-drift.json`.

use super::as_text::{self, or_default};
use super::json::{self, Disk};
use super::{At, FormatError, Mistake, Problem, Wanted};
use crate::domain::ChapterNo;
use crate::domain::world::style::{AiPhrase, AiPhrases, StyleProfile, StyleSource};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

#[derive(Serialize, Deserialize)]
struct ProfileDisk {
    #[serde(default = "own", with = "as_text")]
    source_type: StyleSource,
    #[serde(default)]
    source_name: Option<String>,
    #[serde(with = "as_text::figure")]
    avg_sentence_length: f64,
    #[serde(with = "as_text::figure")]
    dialogue_ratio: f64,
    #[serde(default, with = "as_text::figures")]
    measured: BTreeMap<String, f64>,
    #[serde(default, deserialize_with = "or_default")]
    rhetoric_preferences: Vec<String>,
    #[serde(default, deserialize_with = "or_default")]
    forbidden_words: Vec<String>,
    #[serde(default, deserialize_with = "or_default")]
    character_speech_patterns: BTreeMap<String, String>,
    #[serde(default, deserialize_with = "or_default")]
    writing_directives: Vec<String>,
    #[serde(default, deserialize_with = "or_default", skip_serializing_if = "Vec::is_empty")]
    own_phrases: Vec<String>,
}

fn own() -> StyleSource {
    StyleSource::Original
}

impl Disk for ProfileDisk {}

/// Without a `source_type` the profile is the author's own. Fails also when the share of dialogue is not between 0 and
/// 1 or a sentence has no length.
pub fn read_profile(bytes: &[u8]) -> Result<StyleProfile, FormatError> {
    let disk: ProfileDisk = json::read(bytes)?;
    let wrong =
        |key: &str, wanted| FormatError { at: At::Key(key.into()), problem: Problem::Value(Mistake::Wanted(wanted)) };
    if !(0.0..=1.0).contains(&disk.dialogue_ratio) {
        return Err(wrong("dialogue_ratio", Wanted::Share));
    }
    if disk.avg_sentence_length < 0.0 {
        return Err(wrong("avg_sentence_length", Wanted::Length));
    }
    Ok(StyleProfile {
        source: disk.source_type,
        source_name: disk.source_name,
        avg_sentence_length: disk.avg_sentence_length,
        dialogue_ratio: disk.dialogue_ratio,
        measured: disk.measured,
        rhetoric_preferences: disk.rhetoric_preferences,
        forbidden_words: disk.forbidden_words,
        character_speech_patterns: disk.character_speech_patterns,
        writing_directives: disk.writing_directives,
        own_phrases: disk.own_phrases,
    })
}

#[must_use]
pub fn write_profile(profile: &StyleProfile, previous: Option<&[u8]>) -> Vec<u8> {
    let disk = ProfileDisk {
        source_type: profile.source,
        source_name: profile.source_name.clone(),
        avg_sentence_length: profile.avg_sentence_length,
        dialogue_ratio: profile.dialogue_ratio,
        measured: profile.measured.clone(),
        rhetoric_preferences: profile.rhetoric_preferences.clone(),
        forbidden_words: profile.forbidden_words.clone(),
        character_speech_patterns: profile.character_speech_patterns.clone(),
        writing_directives: profile.writing_directives.clone(),
        own_phrases: profile.own_phrases.clone(),
    };
    json::write(&disk, previous)
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
#[must_use]
pub fn write_phrases(phrases: &AiPhrases, previous: Option<&[u8]>) -> Vec<u8> {
    let groups = phrases.phrases.chunk_by(|a, b| a.category == b.category).map(|group| GroupDisk {
        category: group[0].category.clone(),
        phrases: group.iter().map(|phrase| phrase.text.clone()).collect(),
    });
    let disk = PhrasesDisk { groups: groups.collect(), allowed: phrases.allowed.clone(), caps: phrases.caps.clone() };
    json::write(&disk, previous)
}

/// A figure that differs from the author's own.
#[derive(Debug, Clone, PartialEq)]
pub struct MovedFigure {
    /// The name in the profile: `avg_sentence_length`.
    pub figure: String,
    pub baseline: f64,
    /// The value in the last chapters.
    pub current: f64,
}

/// A drift of the style with its corrections, until the style is back (row R22).
#[derive(Debug, Clone, PartialEq)]
pub struct Drift {
    /// The chapter after which the drift was found.
    pub detected: ChapterNo,
    pub deviations: Vec<MovedFigure>,
    /// Corrections for the writer and the refiner.
    pub corrections: Vec<String>,
}

#[derive(Serialize, Deserialize)]
struct DriftDisk {
    #[serde(with = "as_text::chapter")]
    detected_chapter: ChapterNo,
    #[serde(default)]
    deviations: Vec<DeviationDisk>,
    corrections: Vec<String>,
}

#[derive(Serialize, Deserialize)]
struct DeviationDisk {
    #[serde(rename = "id")]
    figure: String,
    #[serde(with = "as_text::figure")]
    baseline: f64,
    #[serde(with = "as_text::figure")]
    current: f64,
}

impl Disk for DriftDisk {}

pub fn read_drift(bytes: &[u8]) -> Result<Drift, FormatError> {
    let disk: DriftDisk = json::read(bytes)?;
    let deviation = |d: DeviationDisk| MovedFigure { figure: d.figure, baseline: d.baseline, current: d.current };
    Ok(Drift {
        detected: disk.detected_chapter,
        deviations: disk.deviations.into_iter().map(deviation).collect(),
        corrections: disk.corrections,
    })
}

#[must_use]
pub fn write_drift(drift: &Drift, previous: Option<&[u8]>) -> Vec<u8> {
    let deviation =
        |d: &MovedFigure| DeviationDisk { figure: d.figure.clone(), baseline: d.baseline, current: d.current };
    let disk = DriftDisk {
        detected_chapter: drift.detected,
        deviations: drift.deviations.iter().map(deviation).collect(),
        corrections: drift.corrections.clone(),
    };
    json::write(&disk, previous)
}

#[cfg(test)]
mod tests {
    use super::*;
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
        let written = String::from_utf8(write_profile(&profile, Some(text.as_bytes()))).unwrap();
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
            samples::survives(&profile, read_profile, write_profile, &["measured", "character_speech_patterns"])?;
        }

        #[test]
        fn any_phrases_survive(phrases in phrases()) {
            samples::survives(&phrases, read_phrases, write_phrases, &["caps"])?;
        }

        #[test]
        fn any_drift_survives(drift in drift()) {
            samples::survives(&drift, read_drift, write_drift, &[])?;
        }
    }
}
