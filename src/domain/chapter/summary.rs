//! The summarizer's result for a chapter.
//!
//! The ledger of chapters: short entries for later look-ups.

use crate::domain::prelude::*;
use crate::domain::state::RawOp;
use crate::domain::world::character::Character;

named! {
    /// The risk that a mention gives away a secret of another storyline.
    pub enum LeakRisk {
        None = "none",
        Low = "low",
        /// Worth a look.
        Medium = "medium",
        /// Must be revised outside a crossover chapter (LS-005).
        High = "high",
    }
}

/// A mention of an entity of another storyline.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CrossReference {
    /// The name in the text.
    pub entity: String,
    /// The storyline of the entity, as the summarizer says.
    pub storyline: String,
    pub risk: LeakRisk,
    /// A quotation of the chapter.
    pub evidence: String,
}

/// The storylines that a chapter is on or speaks of.
pub fn lines_seen<'a>(
    own: Option<&'a Slug>,
    spoken: impl IntoIterator<Item = &'a CrossReference>,
) -> impl Iterator<Item = &'a str> {
    let spoken = spoken.into_iter().map(|reference| reference.storyline.as_str());
    own.map(Slug::as_str).into_iter().chain(spoken)
}

#[derive(Debug, Clone, PartialEq)]
pub struct Summary {
    /// About 300 characters: events, dialogue that matters, turns.
    pub text: String,
    /// Changes of the state, unchecked.
    pub ops: Vec<RawOp>,
    /// The new memory of the chapter's storyline, at most 500 characters.
    pub memory: String,
    /// Mentions of other storylines' entities.
    pub cross_references: Vec<CrossReference>,
    /// One sentence on this storyline, for agents on the other ones.
    pub line_status: String,
    pub entry: Entry,
}

impl Summary {
    /// All texts but those of operations and mentions.
    pub fn texts(&self) -> impl Iterator<Item = &str> {
        let Entry { time, places, events, people, threads, reader } = &self.entry;
        let states = people.iter().map(|person| &person.state);
        let entry = std::iter::once(time).chain(places).chain(events).chain(states).chain(threads);
        let entry = entry.chain(std::iter::once(&reader.question)).chain(&reader.payoffs);
        [&self.text, &self.memory, &self.line_status].into_iter().chain(entry).map(String::as_str)
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChapterMemory {
    pub chapter: ChapterNo,
    pub storyline: Slug,
    pub entry: Entry,
}

/// The notes on a chapter. Parts may be empty, since the notes are not worth a second call.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Entry {
    /// The time of the chapter, in the story's words.
    pub time: String,
    pub places: Vec<String>,
    /// Events, one phrase each.
    pub events: Vec<String>,
    /// The state of people at the end.
    pub people: Vec<PersonStatus>,
    /// Threads that are open at the end.
    pub threads: Vec<String>,
    pub reader: ReaderNote,
}

/// The state of a person at the end of a chapter.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PersonStatus {
    /// The character's id; the name where the book has no such character.
    #[serde(rename = "character")]
    pub who: String,
    #[serde(default)]
    pub state: String,
}

impl Entry {
    /// Replaces the names of these characters by ids.
    #[must_use]
    pub fn with_ids(mut self, characters: &[Character]) -> Self {
        for standing in &mut self.people {
            if let Some(person) = characters.iter().find(|person| person.is_called(&standing.who)) {
                standing.who = person.id.to_string();
            }
        }
        self
    }
}

#[cfg(test)]
mod memory_tests {
    use super::*;

    #[test]
    fn people_go_by_their_ids_where_the_book_knows_them() {
        let person = Character {
            id: Slug::new("guan-shi").unwrap(),
            display_name: "管十".into(),
            aliases: vec!["老管".into()],
            former_names: vec![],
            role: String::new(),
            storylines: Vec::new(),
            speech: String::new(),
            profile: String::new(),
            contracts: Vec::new(),
        };
        let people = ["老管", "guan-shi", "管十的女儿"];
        let people = people.map(|who| PersonStatus { who: who.into(), state: "在北门".into() });
        let entry = Entry { people: people.to_vec(), ..Entry::default() }.with_ids(&[person]);
        let who: Vec<&str> = entry.people.iter().map(|standing| standing.who.as_str()).collect();
        assert_eq!(who, ["guan-shi", "guan-shi", "管十的女儿"]);
    }
}

named! {
    /// The sort of a chapter, by its main activity.
    pub enum ChapterKind {
        /// Two sides fight it out.
        Confrontation = "confrontation",
        /// Flight, or a hunt.
        Pursuit = "pursuit",
        /// Something is searched for or looked into.
        Investigation = "investigation",
        /// Dealing, persuading, deceiving.
        Negotiation = "negotiation",
        /// A secret comes out.
        Revelation = "revelation",
        /// Getting ready: training, planning, gathering means.
        Preparation = "preparation",
        /// On the way.
        Journey = "journey",
        /// A pause between two strains.
        Respite = "respite",
    }
}

named! {
    /// The means by which a chapter's end makes its reader want the next one.
    pub enum Hook {
        Question = "question",
        Danger = "danger",
        /// Something turns out otherwise than it seemed.
        Reversal = "reversal",
        /// A person or a thing comes in.
        Arrival = "arrival",
        Choice = "choice",
        /// Something is announced that the reader waits for.
        Promise = "promise",
        /// The chapter comes to rest.
        Rest = "none",
    }
}

/// A chapter's promises to its reader and its payoffs, as the summarizer notes them. Every part may be missing.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct ReaderNote {
    #[serde(rename = "chapter_kind", skip_serializing_if = "Option::is_none")]
    pub kind: Option<ChapterKind>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hook: Option<Hook>,
    /// The question open at the end, in a phrase.
    pub question: String,
    /// A phrase each.
    pub payoffs: Vec<String>,
    /// The chapters whose questions are answered here.
    pub answers: Vec<ChapterNo>,
}

impl ReaderNote {
    /// True when the chapter gives its reader something that an earlier one has promised.
    pub fn pays(&self) -> bool {
        !self.payoffs.is_empty() || !self.answers.is_empty()
    }

    pub fn is_noted(&self) -> bool {
        *self != Self::default()
    }

    /// Keeps the answers to the open questions of these chapters, each once.
    #[must_use]
    pub fn answering(mut self, open: &[ChapterNo]) -> Self {
        self.answers = open.iter().copied().filter(|chapter| self.answers.contains(chapter)).collect();
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::chapter::summary::PersonStatus;

    #[test]
    fn every_text_of_a_summary_is_looked_at() {
        let entry = Entry {
            time: "冬夜".into(),
            places: vec!["渡口".into()],
            events: vec!["失火".into()],
            people: vec![PersonStatus { who: "shen-du".into(), state: "起疑".into() }],
            threads: vec!["灯还亮着".into()],
            ..Entry::default()
        };
        let summary = Summary {
            text: "他到了渡口。".into(),
            ops: Vec::new(),
            memory: "渡口失火。".into(),
            cross_references: Vec::new(),
            line_status: "船没有来。".into(),
            entry,
        };
        let texts: Vec<&str> = summary.texts().collect();
        for text in ["他到了渡口。", "渡口失火。", "船没有来。", "冬夜", "渡口", "失火", "起疑", "灯还亮着"]
        {
            assert!(texts.contains(&text), "{text}: {texts:?}");
        }
    }
}

#[cfg(test)]
mod reader_note_tests {
    use super::*;

    #[test]
    fn an_answer_to_a_question_that_is_not_open_does_not_count() {
        let chapters = |numbers: &[u32]| numbers.iter().copied().filter_map(ChapterNo::new).collect::<Vec<_>>();
        let note = ReaderNote { answers: chapters(&[9, 3, 3]), ..ReaderNote::default() };
        assert_eq!(note.answering(&chapters(&[2, 3])).answers, chapters(&[3]));
    }
}
