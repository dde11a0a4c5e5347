//! A chapter scene by scene: what the next scene is made of, how it joins the text, and the way back to an earlier one.

use crate::agents::scenes::{self, PlanMaterial};
use crate::agents::{SceneOrder, writer};
use crate::domain::chapter::stage::Progress;
use crate::domain::chapter::{ScenePlan, Scenes};
use crate::pipeline::book::chapter_context;
use crate::pipeline::chapter::decide;
use crate::pipeline::chapter::draft::{self, BEFORE, ChapterDraft, SCENES};
use crate::pipeline::chapter::records::{StageMessage, records};
use crate::pipeline::prelude::*;
use crate::store::{self, StageCommit};

pub(crate) fn scene_order(chapter_draft: &ChapterDraft<'_, '_>, progress: &Progress) -> Result<SceneOrder, RunError> {
    let missing = || RunError::Missing { path: SCENES.to_owned() };
    let plan = chapter_draft.read(SCENES)?.ok_or_else(missing)?;
    let plan: ScenePlan = format::read(&plan).map_err(RunError::of_file(SCENES))?;
    let number = progress.scenes.map_or(0, |scenes| scenes.written) + 1;
    let so_far = match progress.unfinished() {
        Some(partial) => chapter_draft.unfinished(partial.stage)?.before,
        None => prose_so_far(chapter_draft)?,
    };
    let config = &chapter_draft.context.config;
    let words = plan.span(number, writer::words(&so_far), &(config.min_words..=config.max_words));
    Ok(SceneOrder { plan, number, so_far, words })
}

/// The prose of the scenes that are there; empty before the first.
pub(crate) fn prose_so_far(chapter_draft: &ChapterDraft<'_, '_>) -> Result<String, RunError> {
    let there = chapter_draft.read(&chapter_draft.paths.text)?.is_some();
    Ok(if there { chapter_draft.text()?.body } else { String::new() })
}

/// The text as it is now with one more scene after `before`, and the writer's remarks on all of them.
pub(crate) fn with_scene(
    chapter_draft: &ChapterDraft<'_, '_>,
    scene: &writer::WrittenChapter,
    before: &str,
) -> Result<(Chapter, String), RunError> {
    if before.trim().is_empty() {
        return Ok((scene.chapter.clone(), scene.hints.clone()));
    }
    let chapter = chapter_draft.text()?;
    let body = format!("{}\n\n{}\n", before.trim_end(), scene.chapter.body.trim());
    let hints = [chapter_draft.hints()?.trim(), scene.hints.trim()].join("\n").trim().to_owned();
    Ok((Chapter { body, ..chapter }, hints))
}

/// Reads a scene plan: its commit's change, and the number of scenes.
pub(crate) fn read_plan(reply: &str, material: &PlanMaterial) -> Result<(Change, u32), crate::agents::ReplyFault> {
    let plan = scenes::read_plan(reply, material)?;
    Ok((Change::default().put(SCENES, format::write(&plan, None)), plan.count()))
}

/// The way back to a scene of the chapter in flight.
#[derive(Debug, Clone, PartialEq)]
pub struct SceneRollback {
    /// Its results that are dropped, the newest first.
    pub leaving: Vec<StageCommit>,
    /// The commit of the draft whose text it has then; `None` before the first scene, when there is no text.
    base: Option<CommitId>,
}

/// The results that going back to the end of a scene would drop; `None` when nothing came after it. Scene 0 is the beginning, before
/// the scenes are planned. Reads only.
pub fn way_back(book: &Book, chapter: ChapterNo, scene: u32) -> Result<Option<SceneRollback>, RunError> {
    let view = BookView::new(book.snapshot()?);
    let next = view.checkpoint()?.next_chapter();
    let begun = store::draft::draft_records(book, chapter)?.filter(|commits| chapter <= next && !commits.is_empty());
    let Some(commits) = begun else {
        let in_flight = decide::in_flight(book)?.map(|flight| flight.chapter);
        let not_there = RunError::NotInFlight { chapter, in_flight };
        return Err(if chapter < next { RunError::IsAccepted(chapter) } else { not_there });
    };
    let paths = ChapterPaths::of(chapter_context::of_chapter(&view, chapter)?.volume, chapter);
    let progress = Progress::of(&records(book, &commits, &paths)?);
    way_among(&commits, chapter, scene, progress.scenes)
}

fn way_among(
    commits: &[StageCommit],
    chapter: ChapterNo,
    scene: u32,
    scenes: Option<Scenes>,
) -> Result<Option<SceneRollback>, RunError> {
    let Some(Scenes { written, .. }) = scenes else {
        let whole =
            |commit: &StageCommit| stage_of(commit).filter(|stage| matches!(stage, Stage::Revise | Stage::Rewrite));
        let planned = commits.iter().any(|commit| stage_of(commit) == Some(Stage::ScenePlan));
        return Err(match commits.iter().rev().find_map(whole).filter(|_| planned) {
            Some(stage) => RunError::RevisedSince { chapter, stage },
            None => RunError::NotInScenes(chapter),
        });
    };
    let dropped = |commits: &[StageCommit]| -> Vec<StageCommit> {
        commits.iter().rev().filter(|commit| stage_of(commit) != Some(Stage::Fault)).cloned().collect()
    };
    if scene == 0 {
        let plan = commits.iter().rposition(|commit| stage_of(commit) == Some(Stage::ScenePlan)).unwrap_or(0);
        return Ok(Some(SceneRollback { leaving: dropped(&commits[plan..]), base: None }));
    }
    let ends = ends_of_scenes(commits);
    let end = scene.checked_sub(1).and_then(|at| ends.get(at as usize)).filter(|_| scene <= written);
    let end = *end.ok_or(RunError::NoSuchScene { chapter, scene, written })?;
    // The author's edits directly after the scene stay with it.
    let follows = commits[end + 1..].iter().take_while(|commit| is_kept(commit)).count();
    let leaving = dropped(&commits[end + 1 + follows..]);
    Ok((!leaving.is_empty()).then(|| SceneRollback { leaving, base: Some(commits[end + follows].id) }))
}

fn stage_of(commit: &StageCommit) -> Option<Stage> {
    commit.trailers.read(trailer::STAGE)
}

fn is_kept(commit: &StageCommit) -> bool {
    commit.is_authors() || matches!(stage_of(commit), Some(Stage::Edit | Stage::Fault))
}

/// For each scene that is in the text, the commit since which it is: its own, or that of going back to it.
fn ends_of_scenes(commits: &[StageCommit]) -> Vec<usize> {
    let mut ends: Vec<usize> = Vec::new();
    for (at, commit) in commits.iter().enumerate() {
        match stage_of(commit) {
            Some(Stage::ScenePlan) => ends.clear(),
            Some(Stage::Scene) => ends.push(at),
            Some(Stage::Rollback) => {
                ends.truncate(commit.trailers.read(trailer::SCENE).unwrap_or(0));
                ends.last_mut().into_iter().for_each(|end| *end = at);
            }
            _ => {}
        }
    }
    ends
}

/// Takes the chapter in flight back to the end of a scene, by one more commit of its draft: the scenes after it and
/// everything that was said of the text are dropped, and stay in the draft's history. `None` when nothing came after it.
pub fn back_to_scene(run: &Run<'_>, chapter: ChapterNo, scene: u32) -> Result<Option<CommitId>, RunError> {
    way_back(run.session.book(), chapter, scene)?;
    let chapter_draft = ChapterDraft::open(run, chapter)?;
    chapter_draft.take_up()?;
    let commits = chapter_draft.draft.records()?;
    let Some(way) = way_among(&commits, chapter, scene, chapter_draft.progress()?.scenes)? else { return Ok(None) };
    let note = StageMessage { result: StageNote::BackTo(scene), scene: Some(scene), ..StageMessage::default() };
    let Some(base) = way.base else {
        let change = chapter_draft.without_text(Change::default().remove(SCENES).remove(BEFORE));
        let commit = chapter_draft.commit(Stage::Rollback, change, note, None)?;
        chapter_draft.show()?;
        return Ok(Some(commit));
    };
    let then = run.session.book().snapshot_of(base)?;
    let missing = || RunError::Missing { path: chapter_draft.paths.text.clone() };
    let text = then.read(&chapter_draft.paths.text)?.ok_or_else(missing)?;
    let text = Chapter::from_markdown(chapter, &String::from_utf8_lossy(&text), &chapter_draft.context.section.title);
    let hints = draft::hints_of(&then)?;
    let commit = chapter_draft.commit(Stage::Rollback, draft::new_text(&chapter_draft, &text, &hints), note, None)?;
    chapter_draft.show()?;
    Ok(Some(commit))
}
