use super::journey::subject::{Entry, Progress};
use crate::domain::VolumeNo;
use crate::pipeline::planning::review::Reviewed;
use crate::report::prelude::*;

#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Review {
    pub volume: VolumeNo,
    /// The commit of a new review; `None` for an existing one.
    pub commit: Option<Commit>,
    /// `None` where the review does not judge the progress.
    pub progress: Option<Progress>,
    /// Entries of the state that may go.
    pub cleanup: Vec<Entry>,
    /// The review in Markdown, in Chinese.
    pub text: String,
}

impl Review {
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

    pub fn text(&self) -> String {
        format!("{}\n", self.text.trim_end())
    }
}
