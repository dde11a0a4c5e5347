//! `memory/vol-01/chapter-001-memory.json`: a chapter's entry in the ledger.

use crate::domain::chapter::summary::{ChapterMemory, Entry, PersonStatus, ReaderNote};
use crate::domain::{ChapterNo, Slug};
use crate::store::format::FormatError;
use crate::store::format::json::{self, Disk};
use serde::{Deserialize, Serialize};

#[derive(Serialize, Deserialize)]
struct MemoryDisk {
    chapter: ChapterNo,
    storyline_id: Slug,
    #[serde(default)]
    time_anchor: String,
    #[serde(default)]
    locations: Vec<String>,
    #[serde(default)]
    events: Vec<String>,
    #[serde(default)]
    character_states: Vec<PersonStatus>,
    #[serde(default)]
    open_threads: Vec<String>,
    #[serde(default)]
    reader: ReaderNote,
}

impl Disk for MemoryDisk {}

/// Everything but the chapter and its storyline may be missing.
pub fn read(bytes: &[u8]) -> Result<ChapterMemory, FormatError> {
    let disk: MemoryDisk = json::read(bytes)?;
    let entry = Entry {
        time: disk.time_anchor,
        places: disk.locations,
        events: disk.events,
        people: disk.character_states,
        threads: disk.open_threads,
        reader: disk.reader,
    };
    Ok(ChapterMemory { chapter: disk.chapter, storyline: disk.storyline_id, entry })
}

pub fn write(memory: &ChapterMemory, previous: Option<&[u8]>) -> Vec<u8> {
    let entry = memory.entry.clone();
    let disk = MemoryDisk {
        chapter: memory.chapter,
        storyline_id: memory.storyline.clone(),
        time_anchor: entry.time,
        locations: entry.places,
        events: entry.events,
        character_states: entry.people,
        open_threads: entry.threads,
        reader: entry.reader,
    };
    json::write(&disk, previous)
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
