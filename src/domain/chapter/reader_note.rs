use crate::domain::ChapterNo;
use crate::domain::named::named;
use serde::{Deserialize, Serialize};

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

    #[test]
    fn an_answer_to_a_question_that_is_not_open_does_not_count() {
        let chapters = |numbers: &[u32]| numbers.iter().copied().filter_map(ChapterNo::new).collect::<Vec<_>>();
        let note = ReaderNote { answers: chapters(&[9, 3, 3]), ..ReaderNote::default() };
        assert_eq!(note.answering(&chapters(&[2, 3])).answers, chapters(&[3]));
    }
}
