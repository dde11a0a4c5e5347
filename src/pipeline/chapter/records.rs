//! The commits of a chapter's draft, read as the records of its progress.
//! The files of one chapter.

use crate::domain::chapter::stage::{Decision, Doubt, Record};
use crate::pipeline::prelude::*;
use crate::store::StageCommit;

pub(super) fn read<T>(
    snapshot: &Snapshot<'_>,
    path: &str,
    read: impl FnOnce(&[u8]) -> Result<T, FormatError>,
) -> Result<Option<T>, RunError> {
    snapshot.read(path)?.map(|bytes| read(&bytes)).transpose().map_err(RunError::of_file(path))
}

/// The message and trailers of a stage commit, and the report that it brings.
#[derive(Debug, Default)]
pub(crate) struct StageMessage {
    /// The result in a few words.
    pub(crate) result: StageNote,
    pub(crate) body: String,
    pub(crate) evaluation: Option<Evaluation>,
    /// How many texts the chapter had when the call was made; see [`ChapterDraft::texts`](super::draft::ChapterDraft::texts).
    pub(crate) texts: Option<usize>,
    /// Which scene was written or gone back to; of a plan, how many there are.
    pub(crate) scene: Option<u32>,
    /// The stage of an unfinished text, or of a fault.
    pub(crate) of: Option<Stage>,
    /// The reason why an unfinished text waits for the author.
    pub(crate) doubt: Option<Doubt>,
    pub(crate) decision: Option<Decision>,
    /// Whether the same question would meet the same fault.
    pub(crate) lasts: bool,
}

/// The record of a stage commit, for the chapter's progress.
pub(super) fn record(stage: Stage, note: &StageMessage) -> Option<Record> {
    Some(match stage {
        Stage::Draft | Stage::Revise | Stage::Rewrite | Stage::Edit => Record::Text(stage),
        Stage::Partial => match note.doubt {
            Some(doubt) => Record::Doubtful(note.of?, doubt),
            None => Record::Partial(note.of?),
        },
        Stage::Kept => Record::Kept,
        Stage::ScenePlan => Record::Planned(note.scene?),
        Stage::Scene => Record::Scene,
        Stage::Rollback => Record::Back(note.scene?),
        Stage::Summarize => Record::Summary,
        Stage::Refine => Record::Refined,
        Stage::Polish => Record::Polished,
        Stage::Judge | Stage::SecondJudge => {
            let evaluation = Box::new(note.evaluation.clone()?);
            Record::Judged { second: stage == Stage::SecondJudge, evaluation }
        }
        Stage::Decision => Record::Decided(note.decision?),
        Stage::Fault => return None,
    })
}

/// The records that the commits of a draft amount to, for its progress. Reports on texts that were replaced since are not read; violations that
/// the author has waived count no longer.
pub(crate) fn records(book: &Book, commits: &[StageCommit], paths: &ChapterPaths) -> Result<Vec<Record>, RunError> {
    let mut found = Vec::new();
    let present = BookView::new(book.snapshot()?);
    let waivers = present.waivers()?;
    // A chapter that is written again has a text in the book already.
    let parent = commits.first().map(|first| book.transaction(first.id)).transpose()?.and_then(|first| first.parent);
    let mut text = parent.map(|base| book.snapshot_of(base)?.read(&paths.text)).transpose()?.flatten();
    for commit in commits {
        let snapshot = book.snapshot_of(commit.id)?;
        let now = snapshot.read(&paths.text)?;
        match commit.trailers.read::<Stage>(trailer::STAGE) {
            None if now != text && now.is_some() => {
                let touched = last_paragraph(text.as_deref()) == last_paragraph(now.as_deref());
                found.push(if touched { Record::Touched } else { Record::Text(Stage::Edit) });
            }
            None => {}
            Some(stage) => {
                let report = match stage {
                    Stage::Judge => read(&snapshot, &paths.evaluation, format::evaluation::read)?,
                    Stage::SecondJudge => read(&snapshot, &paths.second_evaluation, format::evaluation::read)?,
                    _ => None,
                };
                let note = StageMessage {
                    scene: commit.trailers.read(trailer::SCENE),
                    of: commit.trailers.read(trailer::OF),
                    doubt: commit.trailers.read(trailer::DOUBT),
                    decision: commit.trailers.read(trailer::DECISION),
                    evaluation: report.map(|recorded| recorded.evaluation.waiving(&waivers)),
                    ..StageMessage::default()
                };
                found.extend(record(stage, &note));
            }
        }
        text = now;
    }
    Ok(found)
}

/// The last line of a chapter's file with something on it.
fn last_paragraph(text: Option<&[u8]>) -> Option<&[u8]> {
    text?.split(|byte| *byte == b'\n').map(<[u8]>::trim_ascii).rfind(|line| !line.is_empty())
}

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
    pub fn scope(&self) -> DraftFiles {
        DraftFiles::new(std::iter::once(&self.text).chain(self.said_of_text()).cloned())
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
