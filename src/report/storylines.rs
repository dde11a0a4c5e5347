//! The storylines and their status: the answer of `novel storyline list`.

use crate::domain::world::storyline::{Reach, Status};
use crate::pipeline::planning::storylines::LineStatus;
use crate::report::prelude::*;

#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Storylines {
    /// In the order of their file.
    pub storylines: Vec<Entry>,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Entry {
    pub id: String,
    pub name: String,
    pub status: Status,
    pub reach: Reach,
    pub kind: String,
    /// The characters through whose eyes the line is told.
    pub pov_characters: Vec<String>,
    pub chapters: u32,
    pub last_chapter: Option<ChapterNo>,
    /// The line's status in a sentence; empty before its first chapter.
    pub standing: String,
}

impl Storylines {
    pub fn of(standings: Vec<LineStatus>) -> Self {
        let entry = |LineStatus { line, chapters, last, standing }: LineStatus| Entry {
            id: line.id.to_string(),
            name: line.name,
            status: line.status,
            reach: line.reach,
            kind: line.kind,
            pov_characters: line.pov_characters,
            chapters,
            last_chapter: last,
            standing,
        };
        Self { storylines: standings.into_iter().map(entry).collect() }
    }

    /// A line per storyline.
    pub fn text(&self, lang: Lang, columns: usize) -> String {
        if self.storylines.is_empty() {
            return say!(lang, storylines_no_storyline_yet_novel_storyline).to_owned();
        }
        let mut table = Table::new(say!(lang, storylines_columns).split('|'), "llllrll", 6).yielding(20, [3, 4]);
        for entry in &self.storylines {
            let status = entry.status.say(lang);
            let style = if entry.status == Status::Active { STRONG } else { DIM };
            table.row([
                entry.id.as_str().into(),
                entry.name.as_str().into(),
                Cell::painted(style, status),
                entry.reach.say(lang).into(),
                entry.chapters.to_string().into(),
                entry.last_chapter.map_or_else(|| "–".to_owned(), |chapter| chapter.to_string()).into(),
                entry.standing.as_str().into(),
            ]);
        }
        table.text(columns)
    }
}
