//! The reader's ledger: the questions that chapters open and answer, and where a run of chapters tires its reader, all
//! counted from the summarizer's notes.

use crate::domain::chapter::summary::{ChapterKind, ChapterMemory, Hook, ReaderNote};
use crate::domain::prelude::*;

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
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ReaderLedger {
    /// Open questions, the oldest first.
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
mod tests {
    use super::*;
    use crate::domain::chapter::summary::Entry;
    use proptest::prelude::*;

    fn memory(chapter: u32, line: &str, reader: ReaderNote) -> ChapterMemory {
        let (chapter, storyline) = (ChapterNo::new(chapter).unwrap(), Slug::new(line).unwrap());
        ChapterMemory { chapter, storyline, entry: Entry { reader, ..Entry::default() } }
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
