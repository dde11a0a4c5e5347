//! `volumes/vol-01/progress.json`: a review's judgement of the book's progress, for programs.

use super::FormatError;
use super::json::{self, Disk};
use crate::domain::state::Category;
use crate::domain::state::cleanup::{Leftover, Reason};
use crate::domain::volume::ending::{Judgement, Recommendation};
use crate::domain::{BadText, UnknownName};
use crate::domain::{ChapterNo, VolumeNo};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

#[derive(Serialize, Deserialize)]
struct JudgementDisk {
    volume: VolumeNo,
    evaluation_result: Recommendation,
    #[serde(default)]
    reason: String,
    #[serde(default)]
    chapters_left: Option<u32>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    last_chapter: Option<u32>,
    #[serde(default)]
    closing: bool,
    #[serde(default)]
    cleanup: Vec<LeftoverDisk>,
}

#[derive(Serialize, Deserialize)]
struct LeftoverDisk {
    path: Entry,
    reason: Reason,
}

/// An entry of the state: `items.old-ledger`.
struct Entry {
    category: Category,
    id: String,
}

impl Serialize for Entry {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.collect_str(&format_args!("{}.{}", self.category, self.id))
    }
}

impl<'de> Deserialize<'de> for Entry {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let text = String::deserialize(from)?;
        let parts = text.split_once('.').filter(|(_, id)| !id.is_empty());
        let (category, id) = parts.ok_or_else(|| BadText::Entry(text.clone()).error())?;
        Ok(Self {
            category: category.parse().map_err(|error: UnknownName| BadText::from(error).error())?,
            id: id.to_owned(),
        })
    }
}

impl Disk for JudgementDisk {}

pub fn read(bytes: &[u8]) -> Result<Judgement, FormatError> {
    let disk: JudgementDisk = json::read(bytes)?;
    let leftover =
        |left: LeftoverDisk| Leftover { category: left.path.category, id: left.path.id, reason: left.reason };
    Ok(Judgement {
        volume: disk.volume,
        course: disk.evaluation_result,
        reason: disk.reason,
        chapters_left: disk.chapters_left,
        last: disk.last_chapter.and_then(ChapterNo::new),
        closing: disk.closing,
        leftovers: disk.cleanup.into_iter().map(leftover).collect(),
    })
}

pub fn write(judgement: &Judgement, previous: Option<&[u8]>) -> Vec<u8> {
    let leftover = |left: &Leftover| LeftoverDisk {
        path: Entry { category: left.category, id: left.id.clone() },
        reason: left.reason,
    };
    let disk = JudgementDisk {
        volume: judgement.volume,
        evaluation_result: judgement.course,
        reason: judgement.reason.clone(),
        chapters_left: judgement.chapters_left,
        last_chapter: judgement.last.map(ChapterNo::get),
        closing: judgement.closing,
        cleanup: judgement.leftovers.iter().map(leftover).collect(),
    };
    json::write(&disk, previous)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::format::samples;
    use proptest::prelude::*;

    #[test]
    fn a_judgement_names_entries_of_the_state() {
        let text = r#"{"volume": 2, "evaluation_result": "wrap_up", "note": "作者看过",
            "cleanup": [{"path": "items.船票.旧", "reason": "forgotten"}]}"#;
        let judged = read(text.as_bytes()).unwrap();
        assert_eq!(
            (judged.course, judged.leftovers[0].to_string().as_str()),
            (Recommendation::WrapUp, "items.船票.旧")
        );
        let written = String::from_utf8(write(&Judgement { closing: true, ..judged }, Some(text.as_bytes()))).unwrap();
        assert!(written.contains("作者看过"), "{written}");
        for wrong in [("wrap_up", "later"), ("items.船票", "船票"), ("items.船票.旧", "items"), ("forgotten", "old")]
        {
            assert!(read(text.replace(wrong.0, wrong.1).as_bytes()).is_err(), "{wrong:?}");
        }
    }

    proptest! {
        #[test]
        fn any_judgement_survives(judgement in samples::judgement()) {
            samples::survives(&judgement, read, write, &[])?;
        }
    }
}
