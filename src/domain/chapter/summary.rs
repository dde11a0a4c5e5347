//! The summarizer's result for a chapter.
//! The ledger of chapters: short entries for later look-ups.
//! The reader's ledger: the questions that chapters open and answer, and where a run of chapters tires its reader, all
//! counted from the summarizer's notes.

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
    pub entry: ChapterNotes,
}

impl Summary {
    /// All texts but those of operations and mentions.
    pub fn texts(&self) -> impl Iterator<Item = &str> {
        let ChapterNotes { time, places, events, people, threads, reader } = &self.entry;
        let states = people.iter().map(|person| &person.state);
        let entry = std::iter::once(time).chain(places).chain(events).chain(states).chain(threads);
        let entry = entry.chain(std::iter::once(&reader.question)).chain(&reader.payoffs);
        [&self.text, &self.memory, &self.line_status].into_iter().chain(entry).map(String::as_str)
    }
}

/// In its file, everything but the chapter and its storyline may be missing.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ChapterMemory {
    pub chapter: ChapterNo,
    #[serde(rename = "storyline_id")]
    pub storyline: Slug,
    #[serde(flatten)]
    pub entry: ChapterNotes,
}

/// The notes on a chapter. Parts may be empty, since the notes are not worth a second call.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct ChapterNotes {
    /// The time of the chapter, in the story's words.
    #[serde(rename = "time_anchor")]
    pub time: String,
    #[serde(rename = "locations")]
    pub places: Vec<String>,
    /// Events, one phrase each.
    pub events: Vec<String>,
    /// The state of people at the end.
    #[serde(rename = "character_states")]
    pub people: Vec<PersonStatus>,
    /// Threads that are open at the end.
    #[serde(rename = "open_threads")]
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

impl ChapterNotes {
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
        let entry = ChapterNotes {
            time: "冬夜".into(),
            places: vec!["渡口".into()],
            events: vec!["失火".into()],
            people: vec![PersonStatus { who: "shen-du".into(), state: "起疑".into() }],
            threads: vec!["灯还亮着".into()],
            ..ChapterNotes::default()
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

/// Chapters that the ledger reaches back.
pub const REACH: u32 = 20;
/// Chapters in a row with one kind or one hook that make a finding.
const ROW: usize = 3;
/// Chapters in a row without a payoff that make a finding.
const DRY: usize = 5;
/// Later chapters of the storyline after which a question counts as unanswered.
const PATIENCE: usize = 3;

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct OpenQuestion {
    pub chapter: ChapterNo,
    #[serde(rename = "storyline_id")]
    pub storyline: Slug,
    pub question: String,
    /// The number of later chapters of the storyline in the ledger.
    #[serde(rename = "later_chapters")]
    pub later: usize,
}

impl OpenQuestion {
    /// True when the storyline has gone on without an answer for longer than readers wait.
    pub fn is_overdue(&self) -> bool {
        self.later >= PATIENCE
    }
}

/// A habit of the last chapters that tires a reader.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "flag", rename_all = "snake_case")]
pub enum PacingFlag {
    /// Chapters in a row with one sort of hook.
    SameHook { hook: Hook, chapters: Vec<ChapterNo> },
    /// Chapters in a row of one sort.
    SameKind {
        #[serde(rename = "chapter_kind")]
        kind: ChapterKind,
        chapters: Vec<ChapterNo>,
    },
    /// Chapters in a row without a payoff.
    NoPayoff { chapters: Vec<ChapterNo> },
    /// A question that waits for too many chapters.
    Unanswered(OpenQuestion),
}

/// The open questions after some chapters, and the habits that tire a reader.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct ReaderLedger {
    /// Open questions, the oldest first.
    #[serde(rename = "open_questions")]
    pub questions: Vec<OpenQuestion>,
    pub pacing: Vec<PacingFlag>,
}

impl ReaderLedger {
    /// The ledger of chapters in book order.
    pub fn of(chapters: &[ChapterMemory]) -> Self {
        let chapters: Vec<&ChapterMemory> = chapters.iter().collect();
        let (questions, pacing) = (open_questions(&chapters), flags(&chapters));
        Self { questions, pacing }
    }

    /// The chapters whose questions are open.
    pub fn asked_in(&self) -> Vec<ChapterNo> {
        self.questions.iter().map(|question| question.chapter).collect()
    }
}

/// Returns the questions open after the chapters of a ledger in book order.
fn open_questions(ledger: &[&ChapterMemory]) -> Vec<OpenQuestion> {
    let answered: BTreeSet<ChapterNo> =
        ledger.iter().flat_map(|memory| memory.entry.reader.answers.iter().copied()).collect();
    let open = ledger
        .iter()
        .enumerate()
        .filter(|(_, memory)| !memory.entry.reader.question.trim().is_empty() && !answered.contains(&memory.chapter));
    open.map(|(at, memory)| OpenQuestion {
        chapter: memory.chapter,
        storyline: memory.storyline.clone(),
        question: memory.entry.reader.question.trim().to_owned(),
        later: ledger[at + 1..].iter().filter(|later| later.storyline == memory.storyline).count(),
    })
    .collect()
}

/// Returns the habits at the end of a ledger in book order. A chapter without a note, from older programs and summaries
/// by excerpt, ends a row.
fn flags(ledger: &[&ChapterMemory]) -> Vec<PacingFlag> {
    let mut flags = Vec::new();
    let notes = || ledger.iter().rev().map(|memory| (memory.chapter, &memory.entry.reader));
    let last = ledger.last().map(|memory| &memory.entry.reader);
    let row = |holds: &dyn Fn(&ReaderNote) -> bool| {
        let mut chapters: Vec<ChapterNo> = notes().take_while(|(_, note)| holds(note)).map(|(at, _)| at).collect();
        chapters.reverse();
        chapters
    };
    if let Some(hook) = last.and_then(|note| note.hook) {
        let chapters = row(&|note| note.hook == Some(hook));
        flags.extend((chapters.len() >= ROW).then_some(PacingFlag::SameHook { hook, chapters }));
    }
    if let Some(kind) = last.and_then(|note| note.kind) {
        let chapters = row(&|note| note.kind == Some(kind));
        flags.extend((chapters.len() >= ROW).then_some(PacingFlag::SameKind { kind, chapters }));
    }
    let dry = row(&|note| note.is_noted() && !note.pays());
    flags.extend((dry.len() >= DRY).then_some(PacingFlag::NoPayoff { chapters: dry }));
    flags.extend(open_questions(ledger).into_iter().filter(OpenQuestion::is_overdue).map(PacingFlag::Unanswered));
    flags
}

#[cfg(test)]
mod memory_tests {
    use super::*;

    #[test]
    fn people_go_by_their_ids_where_the_book_knows_them() {
        let person = Character { aliases: vec!["老管".into()], ..Character::sample("guan-shi", "管十", &[]) };
        let people = ["老管", "guan-shi", "管十的女儿"];
        let people = people.map(|who| PersonStatus { who: who.into(), state: "在北门".into() });
        let entry = ChapterNotes { people: people.to_vec(), ..ChapterNotes::default() }.with_ids(&[person]);
        let who: Vec<&str> = entry.people.iter().map(|standing| standing.who.as_str()).collect();
        assert_eq!(who, ["guan-shi", "guan-shi", "管十的女儿"]);
    }
}

#[cfg(test)]
mod reader_tests {
    use super::*;
    use crate::domain::chapter::summary::ChapterNotes;
    use proptest::prelude::*;

    fn memory(chapter: u32, line: &str, reader: ReaderNote) -> ChapterMemory {
        let (chapter, storyline) = (ChapterNo::new(chapter).unwrap(), Slug::new(line).unwrap());
        ChapterMemory { chapter, storyline, entry: ChapterNotes { reader, ..ChapterNotes::default() } }
    }

    fn asking(question: &str) -> ReaderNote {
        ReaderNote { question: question.into(), ..ReaderNote::default() }
    }

    fn chapters(numbers: &[u32]) -> Vec<ChapterNo> {
        numbers.iter().copied().filter_map(ChapterNo::new).collect()
    }

    #[test]
    fn a_question_is_open_until_a_chapter_answers_it_and_overdue_by_its_own_storyline() {
        let answer = ReaderNote { answers: chapters(&[1]), ..ReaderNote::default() };
        let ledger = [
            memory(1, "main", asking("谁敲的门")),
            memory(2, "main", asking("信里写了什么")),
            memory(3, "side", asking("船往哪去")),
            memory(4, "main", answer),
            memory(5, "main", asking(" ")),
            memory(6, "main", asking("钥匙在谁手里")),
        ];
        let ledger: Vec<&ChapterMemory> = ledger.iter().collect();
        let open = open_questions(&ledger);
        let told: Vec<(u32, usize, bool)> =
            open.iter().map(|open| (open.chapter.get(), open.later, open.is_overdue())).collect();
        assert_eq!(told, [(2, 3, true), (3, 0, false), (6, 0, false)]);
        assert_eq!(flags(&ledger), [PacingFlag::Unanswered(open[0].clone())]);
    }

    #[test]
    fn three_alike_and_five_without_a_payoff_are_told_with_their_chapters() {
        let note = |hook, payoffs: &[&str]| ReaderNote {
            kind: Some(ChapterKind::Journey),
            hook: Some(hook),
            payoffs: payoffs.iter().map(ToString::to_string).collect(),
            ..ReaderNote::default()
        };
        let mut ledger = vec![memory(1, "main", note(Hook::Danger, &["门开了"]))];
        ledger.extend((2..=5).map(|n| memory(n, "main", note(Hook::Question, &[]))));
        let told = |ledger: &[ChapterMemory]| flags(&ledger.iter().collect::<Vec<_>>());
        assert_eq!(
            told(&ledger),
            [
                PacingFlag::SameHook { hook: Hook::Question, chapters: chapters(&[2, 3, 4, 5]) },
                PacingFlag::SameKind { kind: ChapterKind::Journey, chapters: chapters(&[1, 2, 3, 4, 5]) },
            ]
        );
        ledger.push(memory(6, "main", note(Hook::Danger, &[])));
        let dry = PacingFlag::NoPayoff { chapters: chapters(&[2, 3, 4, 5, 6]) };
        assert!(
            told(&ledger).contains(&dry) && !told(&ledger).iter().any(|f| matches!(f, PacingFlag::SameHook { .. }))
        );
        // A chapter of which nothing is known says nothing of the reader.
        ledger.push(memory(7, "main", ReaderNote::default()));
        assert_eq!(told(&ledger), []);
    }

    proptest! {
        #[test]
        fn one_answer_settles_exactly_its_question(count in 1usize..12, answered in 0usize..12) {
            let mut ledger: Vec<ChapterMemory> =
                (1..=count as u32).map(|n| memory(n, "main", asking("谁"))).collect();
            let before = open_questions(&ledger.iter().collect::<Vec<_>>()).len();
            let note = ReaderNote { answers: chapters(&[answered as u32 + 1]), ..ReaderNote::default() };
            ledger.push(memory(count as u32 + 1, "main", note));
            let after = open_questions(&ledger.iter().collect::<Vec<_>>()).len();
            prop_assert_eq!(before - after, usize::from(answered < count));
        }
    }

    #[test]
    fn a_ledger_names_its_open_questions_and_the_chapters_that_ask_them() {
        let answer = ReaderNote { answers: chapters(&[1]), ..asking("钥匙在谁手里") };
        let ledger = ReaderLedger::of(&[memory(1, "main", asking("谁敲的门")), memory(2, "main", answer)]);
        assert_eq!(ledger.asked_in(), chapters(&[2]));
        assert_eq!(ledger.questions[0].question, "钥匙在谁手里");
    }
}
