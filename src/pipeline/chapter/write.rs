//! Writing some chapters by number: what is there is used, what is missing is written, and on demand written again.
//! A chapter scene by scene: what the next scene is made of, how it joins the text, and the way back to an earlier one.

use crate::agents::scenes::{self, PlanMaterial};
use crate::agents::{SceneOrder, writer};
use crate::domain::chapter::stage::{Pause, Progress};
use crate::domain::chapter::{ScenePlan, Scenes};
use crate::llm::Fault;
use crate::pipeline::chapter::decide;
use crate::pipeline::chapter::draft::{BEFORE, ChapterDraft, SCENES};
use crate::pipeline::chapter::records::{Note, records};
use crate::pipeline::chapter::run::Outcome;
use crate::pipeline::engine::event::Accepted;
use crate::pipeline::prelude::*;
use crate::store::StageCommit;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Order {
    pub chapters: BTreeSet<ChapterNo>,
    /// Whether those that are in the book are written again.
    pub force: bool,
    /// Whether the run goes on after a chapter that could not be written.
    pub keep_going: bool,
    /// The author's wish for those that are written again; may be empty.
    pub wish: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PlannedAction {
    Reuse,
    Again,
    /// It comes next once those before it in the order are written.
    New,
    /// Chapters between the book and it are neither written nor ordered; the first of them.
    Lacks(ChapterNo),
    /// No outline has it.
    Unplanned,
    /// It has been taken out of the book, and later ones are there.
    Gone,
}

#[derive(Debug)]
pub enum ChapterOutcome {
    Reused,
    Accepted(Box<Accepted>),
    Paused(Pause),
    Failed(RunError),
    /// It was not tried: this chapter has to be there first.
    Skipped(ChapterNo),
}

/// The action planned for each chapter of an order. Reads only.
/// Fails when an outline has mistakes.
pub fn needs(view: &BookView<'_>, order: &Order) -> Result<Vec<(ChapterNo, PlannedAction)>, RunError> {
    let mut next = view.checkpoint()?.next_chapter();
    let contents = view.contents()?;
    let mut needs = Vec::new();
    for &chapter in &order.chapters {
        let need = if chapter < contents.next() && !contents.has(chapter) {
            PlannedAction::Gone
        } else if chapter < next {
            if order.force { PlannedAction::Again } else { PlannedAction::Reuse }
        } else if view.plan(chapter)?.is_none() {
            PlannedAction::Unplanned
        } else if chapter > next {
            PlannedAction::Lacks(next)
        } else {
            next = next.next();
            PlannedAction::New
        };
        needs.push((chapter, need));
    }
    Ok(needs)
}

/// Whether another chapter may succeed where one has failed so: what it was asked, and not whether it could be asked.
fn is_of_the_chapter(error: &RunError) -> bool {
    match error {
        RunError::Model { source, .. } => !matches!(
            source.fault.cause(),
            Fault::Unauthorized { .. } | Fault::Forbidden { .. } | Fault::SpendLimit { .. } | Fault::Billing { .. }
        ),
        RunError::BrokenOff { source, .. } => is_of_the_chapter(source),
        RunError::Unusable { .. }
        | RunError::DoesNotFit { .. }
        | RunError::NotPlanned { .. }
        | RunError::ChapterGone(_)
        | RunError::NoSuchChapter(_) => true,
        RunError::Format { .. } | RunError::Outline { .. } | RunError::Missing { .. } => true,
        _ => false,
    }
}

impl Run<'_> {
    /// Writes the chapters of the order, the earliest first. The same order again after an interruption goes on with it;
    /// [`end_pending`](crate::store::Book::end_errand) says that its end has been told.
    pub async fn write(&self, order: &Order) -> Result<Vec<(ChapterNo, ChapterOutcome)>, RunError> {
        // An outline that the author has just saved says what is planned.
        self.settled_next()?;
        let view = BookView::new(self.session.book().snapshot()?);
        let needs = needs(&view, order)?;
        if !order.keep_going {
            refuse(&needs)?;
        }
        let done: BTreeSet<ChapterNo> = if order.force {
            let done = self.session.begin_pending(&order.words())?;
            done.iter().filter_map(Transaction::accepts).collect()
        } else {
            BTreeSet::new()
        };
        let mut fates: Vec<(ChapterNo, ChapterOutcome)> = Vec::new();
        // The first new chapter that could not be written: no later one can be.
        let mut missing: Option<ChapterNo> = None;
        let of = u32::try_from(needs.len()).unwrap_or(u32::MAX);
        for (number, (chapter, need)) in (1..).zip(needs) {
            self.tell(Event::Turn { number, of });
            if self.calls.stop.asked() {
                return Err(RunError::Interrupted);
            }
            let result = match (need, missing) {
                (PlannedAction::Lacks(first), _) | (PlannedAction::New, Some(first)) => {
                    Ok(ChapterOutcome::Skipped(first))
                }
                (PlannedAction::Gone, _) => Err(RunError::ChapterGone(chapter)),
                (PlannedAction::Unplanned, _) => Err(self.unplanned(chapter, view.checkpoint()?.volume)?),
                (PlannedAction::Again, _) if !done.contains(&chapter) => self.again(chapter, &order.wish).await,
                (PlannedAction::Again | PlannedAction::Reuse, _) => {
                    self.tell(Event::Reused { chapter });
                    Ok(ChapterOutcome::Reused)
                }
                (PlannedAction::New, None) => match self.finish_again().await? {
                    Some((other, pause)) => {
                        fates.push((other, ChapterOutcome::Paused(pause)));
                        return Ok(fates);
                    }
                    None => self.chapter(chapter).await.map(ChapterOutcome::from),
                },
            };
            let fate = match result {
                Ok(fate) => fate,
                Err(error) if order.keep_going && is_of_the_chapter(&error) => {
                    self.tell(Event::Warning { work: chapter.into(), warning: Warning::NotWritten });
                    ChapterOutcome::Failed(error)
                }
                Err(error) => return Err(error),
            };
            if need == PlannedAction::New && matches!(fate, ChapterOutcome::Failed(_)) {
                missing = missing.or(Some(chapter));
            }
            let paused = matches!(fate, ChapterOutcome::Paused(_));
            fates.push((chapter, fate));
            if paused {
                break;
            }
        }
        Ok(fates)
    }

    /// Writes a chapter of the book again. A draft that was begun for another wish is put aside.
    async fn again(&self, chapter: ChapterNo, wish: &str) -> Result<ChapterOutcome, RunError> {
        let chapter_draft = self.draft_for(chapter, wish)?;
        chapter_draft.note_wish(wish)?;
        self.carry_through(chapter_draft).await.map(ChapterOutcome::from)
    }

    /// Finishes chapters that are being written again. One that waits for the author comes back.
    pub(crate) async fn finish_again(&self) -> Result<Option<(ChapterNo, Pause)>, RunError> {
        while let Some(chapter) = self.written_again()? {
            if let Outcome::Paused { chapter, pause } = self.chapter(chapter).await? {
                return Ok(Some((chapter, pause)));
            }
        }
        Ok(None)
    }
}

impl<'b> Run<'b> {
    /// Opens the draft of a chapter of the book for that wish. One that was begun for another is put aside.
    pub(super) fn draft_for(&self, chapter: ChapterNo, wish: &str) -> Result<ChapterDraft<'_, 'b>, RunError> {
        self.commit_local_changes()?;
        self.reconcile()?;
        if BookView::new(self.session.book().snapshot()?).contents()?.has(chapter) {
            self.follow_section(chapter)?;
        }
        let chapter_draft = ChapterDraft::open(self, chapter)?;
        if chapter_draft.is_for(wish)? {
            return Ok(chapter_draft);
        }
        chapter_draft.session.abandon()?;
        ChapterDraft::open(self, chapter)
    }
}

impl From<Outcome> for ChapterOutcome {
    fn from(outcome: Outcome) -> Self {
        match outcome {
            Outcome::Accepted(accepted) => Self::Accepted(Box::new(accepted)),
            Outcome::Paused { pause, .. } => Self::Paused(pause),
        }
    }
}

impl Order {
    /// The order in words: two in the same words are the same.
    pub fn words(&self) -> String {
        let chapters: Vec<String> = self.chapters.iter().map(ChapterNo::to_string).collect();
        format!("write again {}\n{}", chapters.join(" "), self.wish.trim())
    }
}

/// Refuses an order that cannot be carried out as a whole.
fn refuse(needs: &[(ChapterNo, PlannedAction)]) -> Result<(), RunError> {
    for &(chapter, need) in needs {
        if let PlannedAction::Lacks(first) = need {
            return Err(RunError::NotNext { chapter, first });
        }
    }
    Ok(())
}

impl ChapterDraft<'_, '_> {
    pub(crate) fn scene_order(&self, progress: &Progress) -> Result<SceneOrder, RunError> {
        let missing = || RunError::Missing { path: SCENES.to_owned() };
        let plan = self.read(SCENES)?.ok_or_else(missing)?;
        let plan: ScenePlan = format::read(&plan).map_err(RunError::of_file(SCENES))?;
        let number = progress.scenes.map_or(0, |scenes| scenes.written) + 1;
        let so_far = match progress.unfinished() {
            Some(partial) => self.unfinished(partial.stage)?.before,
            None => self.prose_so_far()?,
        };
        let config = &self.context.config;
        let words = plan.span(number, writer::words(&so_far), &(config.min_words..=config.max_words));
        Ok(SceneOrder { plan, number, so_far, words })
    }

    /// The prose of the scenes that are there; empty before the first.
    pub(crate) fn prose_so_far(&self) -> Result<String, RunError> {
        let there = self.read(&self.paths.text)?.is_some();
        Ok(if there { self.text()?.body } else { String::new() })
    }

    /// The text as it is now with one more scene after `before`, and the writer's remarks on all of them.
    pub(crate) fn with_scene(&self, scene: &writer::Written, before: &str) -> Result<(Chapter, String), RunError> {
        if before.trim().is_empty() {
            return Ok((scene.chapter.clone(), scene.hints.clone()));
        }
        let chapter = self.text()?;
        let body = format!("{}\n\n{}\n", before.trim_end(), scene.chapter.body.trim());
        let hints = [self.hints()?.trim(), scene.hints.trim()].join("\n").trim().to_owned();
        Ok((Chapter { body, ..chapter }, hints))
    }
}

/// Reads a scene plan: its commit's change, and the number of scenes.
pub(crate) fn read_plan(reply: &str, material: &PlanMaterial) -> Result<(Change, u32), crate::agents::ReplyFault> {
    let plan = scenes::read_plan(reply, material)?;
    Ok((Change::default().put(SCENES, format::write(&plan, None)), plan.count()))
}

/// The way back to a scene of the chapter in flight.
#[derive(Debug, Clone, PartialEq)]
pub struct WayBack {
    /// Its results that are dropped, the newest first.
    pub leaving: Vec<StageCommit>,
    /// The commit of the draft whose text it has then; `None` before the first scene, when there is no text.
    base: Option<CommitId>,
}

/// The results that going back to the end of a scene would drop; `None` when nothing came after it. Scene 0 is the beginning, before
/// the scenes are planned. Reads only.
pub fn way_back(book: &Book, chapter: ChapterNo, scene: u32) -> Result<Option<WayBack>, RunError> {
    let view = BookView::new(book.snapshot()?);
    let next = view.checkpoint()?.next_chapter();
    let begun = book.draft_records(chapter)?.filter(|commits| chapter <= next && !commits.is_empty());
    let Some(commits) = begun else {
        let in_flight = decide::in_flight(book)?.map(|flight| flight.chapter);
        let not_there = RunError::NotInFlight { chapter, in_flight };
        return Err(if chapter < next { RunError::IsAccepted(chapter) } else { not_there });
    };
    let paths = ChapterPaths::of(view.chapter_context(chapter)?.volume, chapter);
    let progress = Progress::of(&records(book, &commits, &paths)?);
    way_among(&commits, chapter, scene, progress.scenes)
}

fn way_among(
    commits: &[StageCommit],
    chapter: ChapterNo,
    scene: u32,
    scenes: Option<Scenes>,
) -> Result<Option<WayBack>, RunError> {
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
        return Ok(Some(WayBack { leaving: dropped(&commits[plan..]), base: None }));
    }
    let ends = ends_of_scenes(commits);
    let end = scene.checked_sub(1).and_then(|at| ends.get(at as usize)).filter(|_| scene <= written);
    let end = *end.ok_or(RunError::NoSuchScene { chapter, scene, written })?;
    // The author's edits directly after the scene stay with it.
    let follows = commits[end + 1..].iter().take_while(|commit| is_kept(commit)).count();
    let leaving = dropped(&commits[end + 1 + follows..]);
    Ok((!leaving.is_empty()).then(|| WayBack { leaving, base: Some(commits[end + follows].id) }))
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

impl Run<'_> {
    /// Takes the chapter in flight back to the end of a scene, by one more commit of its draft: the scenes after it and
    /// everything that was said of the text are dropped, and stay in the draft's history. `None` when nothing came after it.
    pub fn back_to_scene(&self, chapter: ChapterNo, scene: u32) -> Result<Option<CommitId>, RunError> {
        way_back(self.session.book(), chapter, scene)?;
        let chapter_draft = ChapterDraft::open(self, chapter)?;
        chapter_draft.take_up()?;
        let commits = chapter_draft.draft.records()?;
        let Some(way) = way_among(&commits, chapter, scene, chapter_draft.progress()?.scenes)? else { return Ok(None) };
        let note = Note { result: StageNote::BackTo(scene), scene: Some(scene), ..Note::default() };
        let Some(base) = way.base else {
            let change = chapter_draft.without_text(Change::default().remove(SCENES).remove(BEFORE));
            let commit = chapter_draft.commit(Stage::Rollback, change, note, None)?;
            chapter_draft.show()?;
            return Ok(Some(commit));
        };
        let then = self.session.book().snapshot_of(base)?;
        let missing = || RunError::Missing { path: chapter_draft.paths.text.clone() };
        let text = then.read(&chapter_draft.paths.text)?.ok_or_else(missing)?;
        let text =
            Chapter::from_markdown(chapter, &String::from_utf8_lossy(&text), &chapter_draft.context.section.title);
        let hints = chapter_draft.hints_of(&then)?;
        let commit = chapter_draft.commit(Stage::Rollback, chapter_draft.new_text(&text, &hints), note, None)?;
        chapter_draft.show()?;
        Ok(Some(commit))
    }
}
