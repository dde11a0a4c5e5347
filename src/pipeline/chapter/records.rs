//! The commits of a chapter's draft, read as the records of its progress.

use super::paths::ChapterPaths;
use crate::domain::chapter::stage::{Record, Stage};
use crate::pipeline::book::view::BookView;
use crate::pipeline::engine::error::RunError;
use crate::pipeline::engine::trailer;
use crate::store::format::{self, FormatError};
use crate::store::{Book, Snapshot, StageCommit};

pub(super) fn read<T>(
    snapshot: &Snapshot<'_>,
    path: &str,
    read: impl FnOnce(&[u8]) -> Result<T, FormatError>,
) -> Result<Option<T>, RunError> {
    snapshot.read(path)?.map(|bytes| read(&bytes)).transpose().map_err(RunError::of_file(path))
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
        let stage: Option<Stage> = commit.trailers.read(trailer::STAGE);
        let scene = || commit.trailers.read(trailer::SCENE);
        match stage {
            None if now != text && now.is_some() => {
                let touched = last_paragraph(text.as_deref()) == last_paragraph(now.as_deref());
                found.push(if touched { Record::Touched } else { Record::Text(Stage::Edit) });
            }
            None | Some(Stage::Fault) => {}
            Some(Stage::Partial) => found.extend(commit.trailers.read(trailer::OF).map(Record::Partial)),
            Some(Stage::Kept) => found.push(Record::Kept),
            Some(stage @ (Stage::Draft | Stage::Revise | Stage::Rewrite | Stage::Edit)) => {
                found.push(Record::Text(stage));
            }
            Some(Stage::ScenePlan) => found.extend(scene().map(Record::Planned)),
            Some(Stage::Scene) => found.push(Record::Scene),
            Some(Stage::Rollback) => found.extend(scene().map(Record::Back)),
            Some(Stage::Summarize) => found.push(Record::Summary),
            Some(Stage::Refine) => found.push(Record::Refined),
            Some(Stage::Polish) => found.push(Record::Polished),
            Some(stage @ (Stage::Judge | Stage::SecondJudge)) => {
                let second = stage == Stage::SecondJudge;
                let path = if second { &paths.second_evaluation } else { &paths.evaluation };
                if let Some(recorded) = read(&snapshot, path, format::evaluation::read)? {
                    found.push(Record::Judged { second, evaluation: Box::new(recorded.evaluation.waiving(&waivers)) });
                }
            }
            Some(Stage::Decision) => {
                found.extend(commit.trailers.read(trailer::DECISION).map(Record::Decided));
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
