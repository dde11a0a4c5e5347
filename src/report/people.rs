//! The people of the book: the answers of `novel character list` and `novel character retire`.

use super::{problem, subject, words};
use crate::agents::context::chapter::MinorPerson;
use crate::domain::world::retirement::Blocker;
use crate::pipeline::planning::people::{Person, Retired};
use crate::report::prelude::*;

#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct People {
    /// People in the story first, then retired ones.
    pub characters: Vec<Entry>,
    /// People without a file whom the last twenty chapters name, the last named first.
    pub minor: Vec<Minor>,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Minor {
    pub name: String,
    pub last_seen: ChapterNo,
    /// The place of that chapter in its plan; may be empty.
    pub place: String,
    /// Occurrences in the last twenty chapters.
    pub times: usize,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Entry {
    pub id: String,
    pub name: String,
    /// `active` or `retired`.
    pub status: &'static str,
    /// Names that the person had before.
    pub former_names: Vec<String>,
    /// `protagonist`, `antagonist`, `supporting`, or the author's word.
    pub role: String,
    /// The last chapter that names the person, if recent.
    pub last_seen: Option<ChapterNo>,
}

impl People {
    pub fn of(people: &[Person], minor_cast: Vec<MinorPerson>) -> Self {
        let entry = |person: &Person| Entry {
            id: person.character.id.to_string(),
            name: person.character.display_name.clone(),
            former_names: person.character.former_names.clone(),
            status: if person.retired { "retired" } else { "active" },
            role: person.character.role.clone(),
            last_seen: person.last_seen,
        };
        let minor = |person: MinorPerson| Minor {
            name: person.name,
            last_seen: person.chapter,
            place: person.place,
            times: person.times,
        };
        Self { characters: people.iter().map(entry).collect(), minor: minor_cast.into_iter().map(minor).collect() }
    }

    /// A line per person.
    pub fn text(&self, lang: Lang, columns: usize) -> String {
        if self.characters.is_empty() {
            return say!(lang, nobody_yet_novel_character_first).to_owned();
        }
        let mut table = Table::new(say!(lang, people_columns).split('|'), "lllll", 1);
        for entry in &self.characters {
            let left = (entry.status == "retired").then(|| say!(lang, has_left).to_owned());
            let former = (!entry.former_names.is_empty())
                .then(|| say!(lang, formerly(names = listed(&entry.former_names, lang))));
            let left = left.into_iter().chain(former).collect::<Vec<_>>().join("  ");
            table.row([
                entry.id.as_str().into(),
                entry.name.as_str().into(),
                words::role(&entry.role, lang).into(),
                entry.last_seen.map_or_else(|| "–".to_owned(), |chapter| chapter.to_string()).into(),
                Cell::painted(DIM, left),
            ]);
        }
        table.text(columns) + &self.minor_text(lang, columns)
    }

    fn minor_text(&self, lang: Lang, columns: usize) -> String {
        let Some(first) = self.minor.first() else { return String::new() };
        let title = say!(lang, named_in_last_chapters_without_file);
        let mut table = Table::bare("lll", 2).indented(2);
        for person in &self.minor {
            table.row([
                person.name.as_str().into(),
                person.last_seen.to_string().into(),
                Cell::painted(DIM, say!(lang, people_times(times = person.times, place = &person.place))),
            ]);
        }
        let command = paint(HINT, &format!("novel character add {}", first.name));
        let hint = say!(lang, to_give_one_file(command));
        format!("\n{title}\n{}{hint}\n", table.text(columns))
    }
}

#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Farewell {
    pub status: &'static str,
    pub commit: Commit,
    /// The subject of the commit.
    pub summary: String,
    /// Planned chapters that still name the person, by file.
    pub named_in: Vec<Named>,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Named {
    pub file: String,
    /// For example `ch-048`.
    pub chapters: Vec<String>,
}

impl Farewell {
    pub fn of(retired: &Retired) -> Self {
        let named = |tie: &Blocker| match tie {
            Blocker::Chapters { chapters, .. } => Some(Named {
                file: problem::file_of(tie),
                chapters: chapters.iter().map(ToString::to_string).collect(),
            }),
            _ => None,
        };
        Self {
            status: "completed",
            commit: retired.done.commit.into(),
            summary: retired.done.subject.clone(),
            named_in: retired.named_in.iter().filter_map(named).collect(),
        }
    }

    pub fn text(&self, lang: Lang) -> String {
        let (commit, summary) = (&self.commit, subject::worded(&self.summary, lang));
        let mut text = say!(lang, people_to_see_what_changed_git_show_to_take_it(summary, commit));
        if !self.named_in.is_empty() {
            text.push_str(say!(lang, chapters_to_come_still_name_this));
            for named in &self.named_in {
                let list = named.chapters.join(say!(lang, list_comma));
                text.push_str(&format!("  {}{}{list}\n", named.file, say!(lang, colon)));
            }
        }
        text
    }
}
