//! The storylines and their status: the answer of `novel storyline list`.

use crate::domain::world::storyline::Status;
use crate::pipeline::planning::storylines::LineStatus;
use crate::report::prelude::*;

#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct StorylinesReport {
    /// In the order of their file.
    pub storylines: Vec<LineStatus>,
}

impl StorylinesReport {
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
