//! The files of one chapter.

use crate::pipeline::prelude::*;

/// The files that a chapter's results go to.
#[derive(Debug, Clone)]
pub struct ChapterPaths {
    pub text: String,
    pub summary: String,
    pub memory: String,
    pub delta: String,
    /// The first judge's report; the one that counts once the chapter is accepted.
    pub evaluation: String,
    /// The second judge's report.
    pub second_evaluation: String,
    pub log: String,
}

impl ChapterPaths {
    pub fn of(volume: VolumeNo, chapter: ChapterNo) -> Self {
        Self {
            text: layout::chapter(volume, chapter),
            summary: layout::summary(volume, chapter),
            memory: layout::chapter_memory(volume, chapter),
            delta: layout::delta(volume, chapter),
            evaluation: layout::evaluation(volume, chapter),
            second_evaluation: layout::second_evaluation(volume, chapter),
            log: layout::log(volume, chapter),
        }
    }

    /// The part of the book that `staging/` shows: the chapter's own files, nothing else.
    pub fn scope(&self) -> Scope {
        Scope::new(std::iter::once(&self.text).chain(self.said_of_text()).cloned())
    }

    /// Every file that the chapter's commit writes, on a storyline.
    pub(crate) fn written(&self, storyline: &Slug) -> Vec<String> {
        let own = std::iter::once(&self.text).chain(self.said_of_text()).chain([&self.log]).cloned();
        let shared = [layout::STATE, layout::FORESHADOWING, layout::CHECKPOINT].map(str::to_owned);
        own.chain(shared).chain([layout::memory(storyline)]).collect()
    }

    /// The files about a text, which count no longer when there is another.
    pub(super) fn said_of_text(&self) -> [&String; 5] {
        [&self.summary, &self.memory, &self.delta, &self.evaluation, &self.second_evaluation]
    }
}
