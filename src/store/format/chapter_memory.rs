//! `memory/vol-01/chapter-001-memory.json`: a chapter's entry in the ledger.

use super::json::{self, Disk};
use super::{FormatError, as_text};
use crate::domain::chapter::memory::{ChapterMemory, Entry, PersonStatus};
use crate::domain::chapter::reader_note::{ChapterKind, Hook, ReaderNote};
use crate::domain::{ChapterNo, Slug};
use serde::{Deserialize, Serialize};

#[derive(Serialize, Deserialize)]
struct MemoryDisk {
    #[serde(with = "as_text::chapter")]
    chapter: ChapterNo,
    #[serde(with = "as_text")]
    storyline_id: Slug,
    #[serde(default)]
    time_anchor: String,
    #[serde(default)]
    locations: Vec<String>,
    #[serde(default)]
    events: Vec<String>,
    #[serde(default)]
    character_states: Vec<StandingDisk>,
    #[serde(default)]
    open_threads: Vec<String>,
    #[serde(default)]
    reader: ReaderDisk,
}

#[derive(Default, Serialize, Deserialize)]
struct ReaderDisk {
    #[serde(default, with = "as_text::optional", skip_serializing_if = "Option::is_none")]
    chapter_kind: Option<ChapterKind>,
    #[serde(default, with = "as_text::optional", skip_serializing_if = "Option::is_none")]
    hook: Option<Hook>,
    #[serde(default)]
    question: String,
    #[serde(default)]
    payoffs: Vec<String>,
    #[serde(default)]
    answers: Vec<u32>,
}

#[derive(Serialize, Deserialize)]
struct StandingDisk {
    character: String,
    #[serde(default)]
    state: String,
}

impl Disk for MemoryDisk {}

/// Everything but the chapter and its storyline may be missing.
pub fn read(bytes: &[u8]) -> Result<ChapterMemory, FormatError> {
    let disk: MemoryDisk = json::read(bytes)?;
    let standing = |standing: StandingDisk| PersonStatus { who: standing.character, state: standing.state };
    let entry = Entry {
        time: disk.time_anchor,
        places: disk.locations,
        events: disk.events,
        people: disk.character_states.into_iter().map(standing).collect(),
        threads: disk.open_threads,
        reader: note_of(disk.reader),
    };
    Ok(ChapterMemory { chapter: disk.chapter, storyline: disk.storyline_id, entry })
}

#[must_use]
pub fn write(memory: &ChapterMemory, previous: Option<&[u8]>) -> Vec<u8> {
    let entry = memory.entry.clone();
    let standing = |standing: PersonStatus| StandingDisk { character: standing.who, state: standing.state };
    let disk = MemoryDisk {
        chapter: memory.chapter,
        storyline_id: memory.storyline.clone(),
        time_anchor: entry.time,
        locations: entry.places,
        events: entry.events,
        character_states: entry.people.into_iter().map(standing).collect(),
        open_threads: entry.threads,
        reader: reader_of(entry.reader),
    };
    json::write(&disk, previous)
}

fn note_of(disk: ReaderDisk) -> ReaderNote {
    let ReaderDisk { chapter_kind: kind, hook, question, payoffs, answers } = disk;
    let answers = answers.into_iter().filter_map(ChapterNo::new).collect();
    ReaderNote { kind, hook, question, payoffs, answers }
}

fn reader_of(note: ReaderNote) -> ReaderDisk {
    let ReaderNote { kind: chapter_kind, hook, question, payoffs, answers } = note;
    let answers = answers.into_iter().map(ChapterNo::get).collect();
    ReaderDisk { chapter_kind, hook, question, payoffs, answers }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::format::samples;
    use proptest::prelude::*;

    #[test]
    fn an_entry_may_be_as_short_as_the_author_likes() {
        let memory = read(r#"{"chapter": 3, "storyline_id": "main-arc", "events": ["门开了"]}"#.as_bytes()).unwrap();
        assert_eq!((memory.chapter.get(), &memory.entry.events[..]), (3, &["门开了".to_owned()][..]));
        assert!(memory.entry.people.is_empty() && memory.entry.time.is_empty());
        assert!(read(r#"{"storyline_id": "main-arc"}"#.as_bytes()).is_err());
    }

    proptest! {
        #[test]
        fn any_entry_survives(memory in samples::chapter_memory()) {
            samples::survives(&memory, read, write, &[])?;
        }
    }
}
