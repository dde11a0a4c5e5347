//! A volume's review.

use super::commit::Commit;
use super::journey::subject::{Entry, Progress};
use super::json;
use crate::domain::VolumeNo;
use crate::pipeline::planning::review::Reviewed;
use serde::Serialize;

#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Review {
    #[serde(serialize_with = "json::volume")]
    pub volume: VolumeNo,
    /// The commit that was made for it now; `None` where it was there already.
    pub commit: Option<Commit>,
    /// How the book should go on; `None` where the review says nothing of it.
    pub progress: Option<Progress>,
    /// The entries of the state that may go.
    pub cleanup: Vec<Entry>,
    /// The review as its author reads it: Markdown, in Chinese.
    pub text: String,
}

impl Review {
    /// A review, and the commit that it was made in just now.
    #[must_use]
    pub fn of(reviewed: &Reviewed, commit: Option<Commit>) -> Self {
        let judged = reviewed.judgement.as_ref();
        Self {
            volume: reviewed.volume,
            commit,
            progress: judged.map(Progress::of),
            cleanup: judged.map(|judged| Entry::all(&judged.leftovers)).unwrap_or_default(),
            text: reviewed.text.clone(),
        }
    }

    #[must_use]
    pub fn text(&self) -> String {
        format!("{}\n", self.text.trim_end())
    }
}
