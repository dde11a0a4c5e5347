//! Notes for the writer on how people speak.

use super::Slug;

/// A habit of speech that the next chapter should change.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum VoiceNote {
    /// A person says one thing too often.
    Tic {
        person: Slug,
        words: String,
        kind: TicKind,
        /// The number of lines with the words.
        times: usize,
        /// The number of the person's lines examined.
        lines: usize,
    },
    /// Two people cannot be told apart with the names covered.
    Alike { people: (Slug, Slug) },
}

super::named::named! {
    /// The place of the words in a line.
    pub enum TicKind {
        Phrase = "phrase",
        /// At the beginning, up to the first mark.
        Opening = "opening",
        Particle = "particle",
    }
}
