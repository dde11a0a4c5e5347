//! How a book goes on after a volume (row R11).

pub mod foreshadowing;
pub mod inventory;
pub mod outline;
pub mod plan;

use crate::domain::prelude::*;
use crate::domain::state::cleanup::Leftover;

/// The fewest and the most chapters of a closing volume, unless the author says otherwise.
pub const CLOSING: (u32, u32) = (3, 30);

named! {
    /// The review's advice once everything planned is written.
    pub enum Recommendation {
        /// The story is in progress: another volume as usual.
        Continue = "continue",
        /// The story has turned towards its end: one more volume, which closes it.
        WrapUp = "wrap_up",
        /// The story is told, or cannot go on: the book ends here.
        ForceEnd = "force_end",
    }
}

/// The review's result for later commands.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Judgement {
    pub volume: VolumeNo,
    #[serde(rename = "evaluation_result")]
    pub course: Recommendation,
    /// The reason, in words for the author.
    #[serde(default)]
    pub reason: String,
    /// The reviewer's estimate of chapters that the story still needs.
    pub chapters_left: Option<u32>,
    /// The volume's last chapter at the time of the review; `None` in older reviews.
    #[serde(rename = "last_chapter", skip_serializing_if = "Option::is_none")]
    pub last: Option<ChapterNo>,
    /// True for a volume planned as the last one.
    #[serde(default)]
    pub closing: bool,
    #[serde(rename = "cleanup", default)]
    pub leftovers: Vec<Leftover>,
}

impl Judgement {
    /// The recommended course. After a closing volume the book ends, whatever the reviewer says.
    pub fn recommended(&self) -> Recommendation {
        if self.closing { Recommendation::ForceEnd } else { self.course }
    }

    /// False when the volume has chapters after the last one reviewed.
    pub fn covers(&self, last: ChapterNo) -> bool {
        self.last.is_none_or(|reviewed| reviewed >= last)
    }

    /// The number of chapters for a closing volume, by the estimate.
    pub fn closing_chapters(&self) -> Option<u32> {
        self.chapters_left.map(|left| left.clamp(CLOSING.0, CLOSING.1))
    }
}

/// The checkpoint's entry from the decision that `volume` ends the book until its plan is approved.
pub fn pending(volume: VolumeNo) -> String {
    format!("close {volume}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_closing_volume_is_the_last_and_an_estimate_has_limits() {
        let judged = Judgement {
            volume: VolumeNo::FIRST,
            course: Recommendation::Continue,
            reason: String::new(),
            chapters_left: Some(200),
            last: ChapterNo::new(8),
            closing: false,
            leftovers: Vec::new(),
        };
        assert_eq!((judged.recommended(), judged.closing_chapters()), (Recommendation::Continue, Some(30)));
        let at = |n| ChapterNo::new(n).unwrap();
        assert!(judged.covers(at(8)) && !judged.covers(at(9)), "chapters were added to the volume since");
        assert!(Judgement { last: None, ..judged.clone() }.covers(at(9)), "an older review does not say");
        let closing = Judgement { closing: true, chapters_left: Some(1), ..judged };
        assert_eq!((closing.recommended(), closing.closing_chapters()), (Recommendation::ForceEnd, Some(3)));
    }
}
