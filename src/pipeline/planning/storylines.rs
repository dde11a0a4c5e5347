//! The storylines on demand: listing them, adding one, letting one run, rest or end.

use crate::agents::planners::plot_architect::{self, StorylineReading};
use crate::domain::world::retirement::blockers_of_line;
use crate::domain::world::storyline::{MAX_ACTIVE, Reach, Relation, Status, Storyline, Storylines};
use crate::pipeline::book::chapter_context;
use crate::pipeline::book::direct_commit;
use crate::pipeline::book::files;
use crate::pipeline::book::hand_edits;
use crate::pipeline::book::names;
use crate::pipeline::book::planning_context;
use crate::pipeline::engine::commits::Applied;
use crate::pipeline::planning::cast::basis;
use crate::pipeline::planning::draft::PlanDraft;
use crate::pipeline::planning::step::{self, closing_of, noted};
use crate::pipeline::planning::volume;
use crate::pipeline::prelude::*;
use crate::text::free_slug;
use serde::Serialize;

/// The line that an agent has described, until it is in the book; on its draft only. It is kept apart from the book's
/// storylines so that whatever becomes of those meanwhile stands.
const DESCRIBED: &str = ".draft/storyline.json";
/// Trailer: which line.
const STORYLINE: &str = "Novel-Storyline";

#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct LineStatus {
    pub id: Slug,
    pub name: String,
    pub status: Status,
    pub reach: Reach,
    pub kind: String,
    /// The characters through whose eyes the line is told.
    pub pov_characters: Vec<String>,
    /// How many of its chapters are written.
    pub chapters: u32,
    pub last_chapter: Option<ChapterNo>,
    /// Its status in one sentence; empty before its first chapter.
    pub standing: String,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewLine {
    pub name: String,
    /// Its id; made from the name when absent.
    pub id: Option<Slug>,
    pub kind: String,
    pub reach: Reach,
    pub about: String,
    /// The characters through whose eyes it is told.
    pub pov: Vec<String>,
}

impl NewLine {
    /// Everything that the author has said, one thing a line.
    fn in_words(&self) -> String {
        let id = self.id.as_ref().map_or("", Slug::as_str);
        [self.name.as_str(), id, &self.kind, self.reach.as_str(), &self.pov.join("、"), &self.about].join("\n")
    }
}

/// All storylines in the order of their file, each with its chapters so far. Reads only.
pub fn standings(book: &Book) -> Result<Vec<LineStatus>, RunError> {
    let view = BookView::new(book.snapshot()?);
    let written = written(&view)?;
    let mut standings = Vec::new();
    for line in files::storylines(&view)?.lines {
        let own = || written.iter().filter(|(_, on)| *on == line.id).map(|(chapter, _)| *chapter);
        let standing =
            chapter_context::memory_of_chapter(&view, &line.id)?.map(|memory| memory.status).unwrap_or_default();
        let (chapters, last_chapter) = (own().count() as u32, own().max());
        let Storyline { id, name, status, reach, kind, pov_characters, .. } = line;
        standings.push(LineStatus { id, name, status, reach, kind, pov_characters, chapters, last_chapter, standing });
    }
    Ok(standings)
}

/// The written chapters with their lines, by the outlines.
fn written(view: &BookView<'_>) -> Result<Vec<(ChapterNo, Slug)>, RunError> {
    let checkpoint = view.checkpoint()?;
    let mut written = Vec::new();
    for volume in view.volumes()?.into_iter().filter(|volume| *volume <= checkpoint.volume) {
        let sections = view.outline(volume)?.unwrap_or_default().sections.into_iter();
        let sections = sections.filter(|section| section.chapter.get() <= checkpoint.last_completed);
        written.extend(sections.map(|section| (section.chapter, section.storyline)));
    }
    Ok(written)
}

/// When an added storyline begins to run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LineStart {
    Now,
    /// When the author or a plan lets it: it is planned.
    Later,
}

impl LineStart {
    /// Its part of a recorded request.
    fn in_words(self) -> &'static str {
        match self {
            Self::Now => " active",
            Self::Later => "",
        }
    }
}

/// Joins the line that the draft describes to the storylines as the book has them now.
fn join_described(draft: &PlanDraft<'_, '_>, name: &str, start: LineStart) -> Result<(), RunError> {
    let bytes = draft.read(DESCRIBED)?.ok_or_else(|| RunError::Missing { path: DESCRIBED.to_owned() })?;
    let described = format::storylines::read(&bytes).map_err(RunError::of_file(DESCRIBED))?;
    let view = BookView::new(draft.session.run.session.book().snapshot()?);
    let storylines = joined(files::storylines(&view)?, described, start);
    draft.commit(PlanStage::Storyline, put(&view, &storylines)?, StageNote::Name(name.to_owned()))?;
    Ok(())
}

/// Lets the plot architect describe a line as `wish` says, and adds it.
/// Fails with [`RunError::TooManyActive`], [`RunError::LinesDrafted`]; otherwise as for [`build_world`](crate::pipeline::planning::world::build_world).
pub async fn describe_storyline(run: &Run<'_>, wish: &str, start: LineStart) -> Result<Done, RunError> {
    let (stage, request) = (PlanStage::Storyline, format!("add{}\n{wish}", start.in_words()));
    let check = |book: &_| free_to_change(book, start == LineStart::Now);
    let taken = step::take_step(run, Work::Step(Step::Storyline), &request, check, async |draft| {
        if !draft.has(stage)? {
            let context = planning_context::of_book(&BookView::new(draft.snapshot()?))?;
            let result = |reading: StorylineReading| {
                let name = StageNote::Name(reading.line.name.clone());
                let described = Storylines { lines: vec![reading.line], relations: reading.relations };
                let change = Change::default().put(DESCRIBED, format::storylines::write(&described, None));
                Ok((noted(change, &context, wish), name))
            };
            let read = |reply: &str| plot_architect::read_storyline(reply, &context.storylines);
            draft.ask(stage, &Task::Storyline { context: &context, wish }, read, result).await?;
        }
        let name = draft.words_of(stage)?;
        join_described(draft, &name, start)?;
        closing_of(draft, Kind::Plan, Step::Storyline, Subject::Storyline(name), wish)
    });
    taken.await?.plain()
}

/// Adds a line that the author describes.
/// Fails with [`RunError::StorylineThere`] for a name or an id that a line has, [`RunError::UnknownViewpoint`] for a
/// viewpoint that is no character's, [`RunError::TooManyActive`], [`RunError::LinesDrafted`].
pub fn add_storyline(run: &Run<'_>, new: &NewLine, start: LineStart) -> Result<Done, RunError> {
    hand_edits::commit_local_changes(run)?;
    let request = format!("add{} by hand\n{}", start.in_words(), new.in_words());
    if let Some(done) = step::done_already(run, Step::Storyline, &request)? {
        return Ok(done);
    }
    free_to_change(run.session.book(), start == LineStart::Now)?;
    let view = BookView::new(run.session.book().snapshot()?);
    let storylines = files::storylines(&view)?;
    let there = storylines.lines.iter().find(|line| line.name == new.name || Some(&line.id) == new.id.as_ref());
    if let Some(line) = there {
        return Err(RunError::StorylineThere { id: line.id.clone(), name: line.name.clone() });
    }
    let people = [files::characters(&view)?, files::retired_characters(&view)?].concat();
    let eyes = |name: &String| match names::character(&people, name) {
        Ok(person) => Ok(person.display_name.clone()),
        Err(RunError::NoSuchCharacter { name, .. }) => Err(RunError::UnknownViewpoint { name: name.trim().to_owned() }),
        Err(error) => Err(error),
    };
    let pov_characters = new.pov.iter().map(eyes).collect::<Result<Vec<_>, _>>()?;
    let taken = |id: &Slug| storylines.get(id).is_some();
    let id = new.id.clone().or_else(|| free_slug(&new.name, &taken));
    let id = id.ok_or_else(|| RunError::NoIdIn { name: new.name.clone() })?;
    let line = Storyline {
        id: id.clone(),
        name: new.name.clone(),
        kind: new.kind.clone(),
        reach: new.reach,
        status: Status::Planned,
        pov_characters,
        factions: Vec::new(),
        timeline: "present".to_owned(),
        description: new.about.clone(),
        introduced: None,
    };
    let added = Storylines { lines: vec![line], relations: Vec::new() };
    let change = put(&view, &joined(storylines, added, start))?;
    let message = Message::new(Kind::Plan, Subject::Storyline(new.name.clone())).body(new.about.clone());
    direct_commit::commit_step(run, (Step::Storyline, &request), message.trailer(STORYLINE, id), change, &view)
}

/// Lets the line that is called so run, rest or end.
/// Fails with [`RunError::NoSuchStoryline`], [`RunError::NameAmbiguous`]; [`RunError::LineEnded`] for one that is to rest;
/// [`RunError::LineNeeded`] with every reason why it has to run; [`RunError::TooManyActive`], [`RunError::LinesDrafted`].
pub fn turn_storyline(run: &Run<'_>, typed: &str, to: Status) -> Result<Applied, RunError> {
    hand_edits::commit_local_changes(run)?;
    let book = run.session.book();
    let view = BookView::new(book.snapshot()?);
    let mut storylines = files::storylines(&view)?;
    let id = &names::storyline(&storylines, typed)?;
    let line = storylines.lines.iter_mut().find(|line| line.id == *id);
    let line = line.ok_or_else(|| RunError::NoSuchStoryline { name: typed.to_owned(), nearest: None })?;
    if line.status == to {
        return Ok(Applied::Already);
    }
    let name = line.name.clone();
    if (line.status, to) == (Status::Ended, Status::Dormant) {
        return Err(RunError::LineEnded { id: id.clone(), name });
    }
    if to != Status::Active {
        let ties = blockers_of_line(id, to, &basis(book, &view)?);
        if !ties.is_empty() {
            return Err(RunError::LineNeeded { id: id.clone(), name, to, ties });
        }
    }
    line.status = to;
    free_to_change(run.session.book(), to == Status::Active)?;
    let message = Message::new(Kind::Plan, Subject::StorylineTurned(name, to)).trailer(STORYLINE, id);
    let change = put(&view, &storylines)?;
    direct_commit::commit_step(run, (Step::Storyline, &format!("{to} {id}")), message, change, &view).map(Applied::Done)
}

/// The storylines with one more, under an id that is free.
fn joined(mut storylines: Storylines, added: Storylines, start: LineStart) -> Storylines {
    let Storylines { lines, relations } = added;
    for line in lines {
        let taken = |id: &Slug| storylines.get(id).is_some();
        let id = if taken(&line.id) { free_slug(line.id.as_str(), &taken) } else { Some(line.id.clone()) };
        let Some(id) = id else { continue };
        let own = relations.iter().filter(|relation| relation.from == line.id);
        let own: Vec<Relation> = own.map(|relation| Relation { from: id.clone(), ..relation.clone() }).collect();
        storylines.relations.extend(own);
        let status = if start == LineStart::Now { Status::Active } else { Status::Planned };
        storylines.lines.push(Storyline { id, status, ..line });
    }
    storylines
}

fn put(view: &BookView<'_>, storylines: &Storylines) -> Result<Change, RunError> {
    view.put(Change::default(), layout::STORYLINES, |was| format::storylines::write(storylines, was))
}

/// The storylines of the book as its last commit has them. Reads only.
pub fn all(book: &Book) -> Result<Storylines, RunError> {
    files::storylines(&BookView::new(book.snapshot()?))
}

/// Whether the storylines may be changed, and one more of them may run.
fn free_to_change(book: &Book, one_more: bool) -> Result<(), RunError> {
    let storylines = files::storylines(&BookView::new(book.snapshot()?))?;
    let active: Vec<&Storyline> = storylines.lines.iter().filter(|line| line.status == Status::Active).collect();
    if one_more && active.len() >= MAX_ACTIVE {
        let active = active.into_iter().map(|line| (line.id.clone(), line.name.clone())).collect();
        return Err(RunError::TooManyActive { active });
    }
    // Once approved, such a plan puts its own version of the file in the place of the book's.
    for (tip, draft) in volume::drafts_at(book)? {
        let drafted = files::storylines(&BookView::new(book.snapshot_of(tip)?))?;
        if drafted.lines.iter().any(|line| storylines.get(&line.id).is_none()) {
            return Err(RunError::LinesDrafted { volume: draft.order.volume });
        }
    }
    Ok(())
}
