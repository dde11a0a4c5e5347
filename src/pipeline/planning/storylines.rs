//! The storylines on demand: listing them, adding one, letting one run, rest or end.

use super::draft::PlanDesk;
use super::people::ground;
use super::steps;
use super::steps::{Done, Turned, close_step, noted};
use crate::agents::Task;
use crate::agents::planners::plot_architect::storyline;
use crate::agents::planners::plot_architect::storyline::StorylineReading;
use crate::domain::book::work::{PlanStage, Step, Work};
use crate::domain::world::retirement::ties_of_line;
use crate::domain::world::storyline::{MAX_ACTIVE, Reach, Relation, Status, Storyline, Storylines};
use crate::domain::{ChapterNo, Slug, VolumeNo};
use crate::pipeline::book::direct_commit::Told;
use crate::pipeline::book::view::Shelf;
use crate::pipeline::engine::error::Halt;
use crate::pipeline::engine::run::Run;
use crate::store::{Book, Change, Kind, Scope, Snapshot, format, layout};
use crate::text::free_slug;

/// The line that an agent has described, until it is in the book; on its draft only. It is kept apart from the book's
/// storylines so that whatever becomes of those meanwhile stands.
const DESCRIBED: &str = ".draft/storyline.json";
/// Trailer: which line.
const STORYLINE: &str = "Novel-Storyline";

/// A storyline and how far it is.
#[derive(Debug, Clone, PartialEq)]
pub struct Standing {
    /// The line.
    pub line: Storyline,
    /// How many of its chapters are written.
    pub chapters: u32,
    /// The last of them.
    pub last: Option<ChapterNo>,
    /// Where it stands, in one sentence; empty before its first chapter.
    pub standing: String,
}

/// A line that the author describes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewLine {
    /// Its name.
    pub name: String,
    /// Its id; made from the name where there is none.
    pub id: Option<Slug>,
    /// What sort of line it is.
    pub kind: String,
    /// How far it reaches.
    pub reach: Reach,
    /// What it is about.
    pub about: String,
    /// Whose eyes it is told through.
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
///
/// # Errors
/// When the storylines, a memory or an outline cannot be read.
pub fn standings(book: &Book) -> Result<Vec<Standing>, Halt> {
    let snapshot = book.snapshot()?;
    let shelf = Shelf::new(&snapshot);
    let written = written(&snapshot, &shelf)?;
    let mut standings = Vec::new();
    for line in shelf.storylines()?.lines {
        let own = || written.iter().filter(|(_, on)| *on == line.id).map(|(chapter, _)| *chapter);
        let standing = shelf.memory(&line.id)?.map(|memory| memory.status).unwrap_or_default();
        standings.push(Standing { chapters: own().count() as u32, last: own().max(), standing, line });
    }
    Ok(standings)
}

/// The written chapters with their lines, by the outlines.
fn written(snapshot: &Snapshot<'_>, shelf: &Shelf<'_, '_>) -> Result<Vec<(ChapterNo, Slug)>, Halt> {
    let checkpoint = shelf.checkpoint()?;
    let volumes = snapshot.list(layout::VOLUMES)?.into_iter().filter_map(|name| name.name.parse::<VolumeNo>().ok());
    let mut written = Vec::new();
    for volume in volumes.filter(|volume| *volume <= checkpoint.volume) {
        let sections = shelf.outline(volume)?.unwrap_or_default().sections.into_iter();
        let sections = sections.filter(|section| section.chapter.get() <= checkpoint.last_completed);
        written.extend(sections.map(|section| (section.chapter, section.storyline)));
    }
    Ok(written)
}

impl Run<'_> {
    /// Lets the plot architect describe a line as `wish` says, and adds it: running if it is to be `active`, planned
    /// otherwise.
    ///
    /// # Errors
    /// [`Halt::TooManyActive`], [`Halt::LinesDrafted`]; otherwise as for [`world`](Self::world).
    pub async fn storyline(&self, wish: &str, active: bool) -> Result<Done, Halt> {
        self.adopt()?;
        let request = format!("add{}\n{wish}", if active { " active" } else { "" });
        if let Some(done) = self.done_already(Step::Storyline, &request)? {
            return Ok(done);
        }
        // Before anybody is paid.
        self.free_to_change(active)?;
        let desk = PlanDesk::open(self, Work::Step(Step::Storyline), &request, Scope::default())?;
        if !desk.has(PlanStage::Storyline)? {
            let snapshot = desk.snapshot()?;
            let lore = Shelf::new(&snapshot).lore()?;
            let read = |reply: &str| storyline::read(reply, &lore.storylines);
            let change = |reading: StorylineReading| {
                let name = reading.line.name.clone();
                let described = Storylines { lines: vec![reading.line], relations: reading.relations };
                let change = Change::default().put(DESCRIBED, format::storylines::write(&described, None));
                Ok((noted(change, &lore, wish), name))
            };
            desk.ask(PlanStage::Storyline, &Task::Storyline { lore: &lore, wish }, read, change).await?;
        }
        let bytes = desk.read(DESCRIBED)?.ok_or_else(|| Halt::Missing { path: DESCRIBED.to_owned() })?;
        let described = format::storylines::read(&bytes).map_err(Halt::of_file(DESCRIBED))?;
        let name = desk.words_of(PlanStage::Storyline)?;
        let snapshot = self.session.book().snapshot()?;
        let shelf = Shelf::new(&snapshot);
        let storylines = joined(shelf.storylines()?, described, active);
        desk.commit(PlanStage::Storyline, put(&shelf, &storylines)?, &name)?;
        close_step(desk, Kind::Plan, Step::Storyline, &format!("storyline: {name}"), wish)
    }

    /// Adds a line that the author describes.
    ///
    /// # Errors
    /// [`Halt::StorylineThere`] for a name or an id that a line has, [`Halt::NobodyCalled`] for eyes that are nobody's,
    /// [`Halt::TooManyActive`], [`Halt::LinesDrafted`].
    pub fn add_storyline(&self, new: &NewLine, active: bool) -> Result<Done, Halt> {
        self.adopt()?;
        let request = format!("add{} by hand\n{}", if active { " active" } else { "" }, new.in_words());
        if let Some(done) = self.done_already(Step::Storyline, &request)? {
            return Ok(done);
        }
        self.free_to_change(active)?;
        let snapshot = self.session.book().snapshot()?;
        let shelf = Shelf::new(&snapshot);
        let storylines = shelf.storylines()?;
        let there = storylines.lines.iter().find(|line| line.name == new.name || Some(&line.id) == new.id.as_ref());
        if let Some(line) = there {
            return Err(Halt::StorylineThere { id: line.id.clone(), name: line.name.clone() });
        }
        let people = [shelf.characters()?, shelf.retired_characters()?].concat();
        let eyes = |name: &String| match people.iter().find(|person| person.is_called(name)) {
            Some(person) => Ok(person.display_name.clone()),
            None => Err(Halt::NobodyCalled { name: name.trim().to_owned() }),
        };
        let pov_characters = new.pov.iter().map(eyes).collect::<Result<Vec<_>, _>>()?;
        let taken = |id: &Slug| storylines.get(id).is_some();
        let id = new.id.clone().or_else(|| free_slug(&new.name, &taken));
        let id = id.ok_or_else(|| Halt::NoIdIn { name: new.name.clone() })?;
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
        let change = put(&shelf, &joined(storylines, added, active))?;
        let told = Told {
            kind: Kind::Plan,
            step: Step::Storyline,
            request: &request,
            subject: format!("storyline: {}", new.name),
            body: new.about.clone(),
            trailers: vec![(STORYLINE, id.to_string())],
        };
        self.step(told, change, snapshot.commit_id())
    }

    /// Lets a line run, rest or end.
    ///
    /// # Errors
    /// [`Halt::NoSuchStoryline`]; [`Halt::LineEnded`] for one that is to rest; [`Halt::LineNeeded`] with every reason why it
    /// has to run; [`Halt::TooManyActive`], [`Halt::LinesDrafted`].
    pub fn turn_storyline(&self, id: &Slug, to: Status) -> Result<Turned, Halt> {
        self.adopt()?;
        let book = self.session.book();
        let snapshot = book.snapshot()?;
        let shelf = Shelf::new(&snapshot);
        let mut storylines = shelf.storylines()?;
        let line = storylines.lines.iter_mut().find(|line| line.id == *id);
        let line = line.ok_or_else(|| Halt::NoSuchStoryline { id: id.clone() })?;
        if line.status == to {
            return Ok(Turned::Already);
        }
        let name = line.name.clone();
        if (line.status, to) == (Status::Ended, Status::Dormant) {
            return Err(Halt::LineEnded { id: id.clone(), name });
        }
        if to != Status::Active {
            let ties = ties_of_line(id, to == Status::Ended, &ground(book, &snapshot)?);
            if !ties.is_empty() {
                return Err(Halt::LineNeeded { id: id.clone(), name, ties });
            }
        }
        line.status = to;
        self.free_to_change(to == Status::Active)?;
        let told = Told {
            kind: Kind::Plan,
            step: Step::Storyline,
            request: &format!("{to} {id}"),
            subject: format!("storyline: {name}, {to}"),
            body: String::new(),
            trailers: vec![(STORYLINE, id.to_string())],
        };
        self.step(told, put(&shelf, &storylines)?, snapshot.commit_id()).map(Turned::Done)
    }

    /// Whether the storylines may be changed, and one more of them may run.
    fn free_to_change(&self, one_more: bool) -> Result<(), Halt> {
        let book = self.session.book();
        let snapshot = book.snapshot()?;
        let storylines = Shelf::new(&snapshot).storylines()?;
        let active: Vec<&Storyline> = storylines.lines.iter().filter(|line| line.status == Status::Active).collect();
        if one_more && active.len() >= MAX_ACTIVE {
            let active = active.into_iter().map(|line| (line.id.clone(), line.name.clone())).collect();
            return Err(Halt::TooManyActive { active });
        }
        // Once approved, such a plan puts its own version of the file in the place of the book's.
        for (tip, draft) in steps::drafts_at(book)? {
            let snapshot = book.snapshot_of(tip)?;
            let drafted = Shelf::new(&snapshot).storylines()?;
            if drafted.lines.iter().any(|line| storylines.get(&line.id).is_none()) {
                return Err(Halt::LinesDrafted { volume: draft.order.volume });
            }
        }
        Ok(())
    }
}

/// The storylines with one more, under an id that is free.
fn joined(mut storylines: Storylines, added: Storylines, active: bool) -> Storylines {
    let Storylines { lines, relations } = added;
    for line in lines {
        let taken = |id: &Slug| storylines.get(id).is_some();
        let id = if taken(&line.id) { free_slug(line.id.as_str(), &taken) } else { Some(line.id.clone()) };
        let Some(id) = id else { continue };
        let own = relations.iter().filter(|relation| relation.from == line.id);
        let own: Vec<Relation> = own.map(|relation| Relation { from: id.clone(), ..relation.clone() }).collect();
        storylines.relations.extend(own);
        let status = if active { Status::Active } else { Status::Planned };
        storylines.lines.push(Storyline { id, status, ..line });
    }
    storylines
}

fn put(shelf: &Shelf<'_, '_>, storylines: &Storylines) -> Result<Change, Halt> {
    let previous = shelf.bytes(layout::STORYLINES)?;
    Ok(Change::default().put(layout::STORYLINES, format::storylines::write(storylines, previous.as_deref())))
}
