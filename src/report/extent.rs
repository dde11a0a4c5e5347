//! How much of a long answer is shown on a screen. JSON has all of it.

/// The part of a long answer that is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Extent {
    /// A screen or so; the rest is summed up.
    Brief,
    /// All of it.
    Whole,
}

impl Extent {
    /// The extent that the flag `--all` stands for.
    #[must_use]
    pub fn of_flag(all: bool) -> Self {
        if all { Self::Whole } else { Self::Brief }
    }
}
