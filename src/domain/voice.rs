//! How people of the book speak, as far as it is told to the writer.

use super::Slug;

/// Something in the way in which people speak that the next chapter should change.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum VoiceNote {
    /// A person says the same thing too often.
    Tic {
        person: Slug,
        words: String,
        /// The place of the words in the line.
        kind: TicKind,
        /// The lines that have them.
        times: usize,
        /// The lines of the person that were looked at.
        lines: usize,
    },
    /// Two people cannot be told apart with the names covered.
    Alike {
        /// Both.
        people: (Slug, Slug),
    },
}

super::named::named! {
    /// A place in a line.
    pub enum TicKind {
        /// Anywhere.
        Phrase = "phrase",
        /// At the beginning, up to the first mark.
        Opening = "opening",
        /// A particle at the end of the line.
        Particle = "particle",
    }
}
