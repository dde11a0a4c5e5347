//! Chapters, written and planned, that are inserted, moved, split, merged or removed: one transaction that carries texts, numbers,
//! summaries, evaluations, logs, contracts, plot threads, schedules and the state along; longer than 500 lines because each of these has its
//! own way along.

use crate::domain::quality;
use crate::domain::volume::foreshadowing::Action;
use crate::domain::volume::outline::{Field, Section};
use crate::domain::world::contract::ChapterContract;
use crate::pipeline::book::earlier_passages::before_edits;
use crate::pipeline::book::files;
use crate::pipeline::book::memories;
use crate::pipeline::book::on_disk::settled_edits;
use crate::pipeline::book::planning_context;
use crate::pipeline::book::rearranged::chapter_at;
use crate::pipeline::book::replay::{replay_of, restored};
use crate::pipeline::chapter::candidates::refuse_beside_candidates;
use crate::pipeline::engine::commits;
use crate::pipeline::engine::error::RenumberError;
use crate::pipeline::engine::trailer::ASKS;
use crate::pipeline::planning::follow::{
    self, OwnContract, pending_beside, refuse_pending, schedules_change, threads_change, threads_moved,
};
use crate::pipeline::planning::impact::order;
use crate::pipeline::planning::own_contract::asked_after;
use crate::pipeline::planning::renumber_order::{
    self, FilledOutline, RenumberOrder, Unplanted, fields_of_neighbour, joined_bodies, joined_sections, new_section,
    parts, unplanted,
};
use crate::pipeline::planning::taken_back;
use crate::pipeline::prelude::*;
use crate::store::format::renumber::{renumbered, section_headed};
use crate::store::{self, closes};

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Renumbered {
    pub how: Renumbering,
    /// Chapters with another number: the old one and the new one.
    pub moved: Vec<(ChapterNo, ChapterNo)>,
    pub files: usize,
    /// Chapters whose summary and state changes are not of their text.
    pub rebuild: Vec<ChapterNo>,
    /// Chapters in the making with the numbers that their drafts get; `None` for one that is put aside.
    pub drafts: Vec<(ChapterNo, Option<ChapterNo>)>,
    /// The outline of an inserted chapter, and the fields that its section has from the one beside it.
    pub taken: Option<(String, BTreeMap<Field, String>)>,
    /// The plot threads that a removed chapter plants, each with the chapters that take the thread up.
    pub unplanted: Vec<Unplanted>,
    pub earlier: Vec<Renumbering>,
    pub then: Vec<Renumbering>,
    pub has_edits: bool,
    /// The commit; `None` for a preview.
    pub done: Option<Done>,
}

/// The outcome of the order on the last commit. Reads only.
pub fn preview(book: &Book, order: &RenumberOrder) -> Result<Renumbered, RunError> {
    if order.by_hand.is_none() {
        drop(settled_edits(book)?);
        refuse_pending(book)?;
    }
    RenumberOperation::of(book, order)?.outcome().map(|(_, outcome)| outcome)
}

pub fn carry_out(run: &Run<'_>, order: &RenumberOrder) -> Result<Renumbered, RunError> {
    let (mut settled, mut has_edits) = (None, false);
    match &order.by_hand {
        Some(found) => {
            renumber_order::commit_beside(run, found)?;
            run.keep_old_names()?;
            settled = pending_beside(run.session.book())?;
            has_edits = renumber_order::settle_by_hand(run, found, order.filled.as_ref())?;
        }
        None => {
            // Other numbers would hide which changes of plans are still to be followed.
            let next = run.settled_next()?;
            follow::follow_plans(run, next, OwnContract::Asks)?;
            refuse_pending(run.session.book())?;
        }
    }
    let operation = RenumberOperation::of(run.session.book(), order)?;
    let (change, outcome) = operation.outcome()?;
    let view = BookView::new(store::change::snapshot_with(operation.book, &change)?);
    let recorded = view.recorded_checkpoint()?;
    let checkpoint = Checkpoint { time: run.calls.clock.rfc3339(), ..view.corrected(recorded)? };
    let change = view.put_checkpoint(change, &checkpoint)?;
    let mut message = Message::new(Kind::Plan, Subject::Renumbered(order.how)).trailer(key::MOVED, order.how);
    // The plans are settled by the last of several moves.
    if order.by_hand.as_ref().is_none_or(|found| found.then.is_empty()) {
        message = message.trailer(STEP, Step::Regenerate);
    }
    if order.by_hand.as_ref().is_some_and(|found| found.then.is_empty()) {
        let asked = asked_after(run.session.book(), &view, order.how)?;
        let asked: Vec<String> = asked.iter().map(|chapter| chapter.get().to_string()).collect();
        message = if asked.is_empty() { message } else { message.trailer(ASKS, asked.join(",")) };
    }
    if let Some(back) = &order.back {
        message = message.trailer(key::RESTORES, back.commit);
    }
    let mut drafts = store::closing::drafts(run.session.book())?;
    drafts.retain(|(work, _)| work.chapter().is_some_and(|chapter| order.how.of_draft(chapter).is_none()));
    if let Some(drafts) = closes(&drafts) {
        message = message.trailer(key::CLOSES, drafts);
    }
    let commit = BookCommit::new(run, Work::Step(Step::Regenerate), message, change, &operation.view).make()?;
    if let Some((count, since)) = settled.filter(|(count, _)| *count > 0) {
        let warning = Warning::PlansSettled { count, since };
        run.tell(Event::Warning { work: order.how.first().into(), warning });
    }
    if commit.lagging.is_none() {
        // The book has the new numbers, and a draft that could not follow does with the next command.
        commits::warn_of_lag(
            run,
            Work::Step(Step::Regenerate),
            store::closing::close_settled_drafts(run.session).err().as_ref(),
        );
    }
    Ok(Renumbered { has_edits, done: Some(commit.into()), ..outcome })
}

/// The order on one commit of the book.
struct RenumberOperation<'b, 'o> {
    book: &'b Book,
    view: BookView<'b>,
    order: &'o RenumberOrder,
    /// The last written chapter; 0 before the first.
    written: u32,
    outlines: BTreeMap<VolumeNo, (Outline, String)>,
}

impl<'b, 'o> RenumberOperation<'b, 'o> {
    fn of(book: &'b Book, order: &'o RenumberOrder) -> Result<Self, RunError> {
        // A chapter's draft follows its chapter; a plan has the numbers of many.
        if let Some((work, _)) = store::closing::drafts(book)?.into_iter().find(|(work, _)| work.chapter().is_none()) {
            return Err(RenumberError::DraftOpen(work).into());
        }
        refuse_beside_candidates(book)?;
        let view = BookView::new(book.snapshot()?);
        let mut outlines = BTreeMap::new();
        for volume in view.volumes()? {
            let path = layout::outline(volume);
            let filled = order.filled.as_ref().filter(|filled| filled.path == path);
            let edited = filled.map(|filled| filled.text.clone().into_bytes());
            let edited = edited.or_else(|| order.by_hand.as_ref()?.files.puts.get(&path).cloned());
            let text = String::from_utf8_lossy(&edited.or(view.bytes(&path)?).unwrap_or_default()).into_owned();
            let outline = Outline::form(&text).map_err(|errors| RunError::Outline { path, errors })?.0;
            if !outline.sections.is_empty() {
                outlines.insert(volume, (outline, text));
            }
        }
        let operation = Self { book, written: view.checkpoint()?.last_completed, view, order, outlines };
        if order.by_hand.is_none() {
            operation.check()?;
        }
        Ok(operation)
    }

    fn check(&self) -> Result<(), RunError> {
        let is_written = |chapter: ChapterNo| chapter.get() <= self.written;
        let last = self.last(self.outlines.values().map(|(outline, _)| outline));
        let needed: Vec<ChapterNo> = match self.order.how {
            Renumbering::Insert(at) if at.get() <= last => vec![at],
            Renumbering::Insert(at) if at.get() > last + 1 => return Err(RenumberError::Beyond(at, last).into()),
            Renumbering::Insert(at) => at.previous().into_iter().collect(),
            Renumbering::Move { from, to } => vec![from, to],
            Renumbering::Merge(at) => vec![at, at.next()],
            Renumbering::Split(at) | Renumbering::Remove(at) => vec![at],
        };
        if let Some(missing) = needed.iter().find(|chapter| self.volume(**chapter).is_none()) {
            return Err(match missing.get() > last {
                true => RenumberError::Beyond(*missing, last).into(),
                false => RunError::NoSuchChapter(*missing),
            });
        }
        if let [one, other] = needed[..]
            && is_written(one) != is_written(other)
        {
            return Err(RenumberError::Mixed(one, other).into());
        }
        match self.order.how {
            Renumbering::Insert(at) if is_written(at) && self.order.text.is_none() => {
                Err(RenumberError::NeedsText(at).into())
            }
            Renumbering::Insert(at) if !self.has_text() && self.order.text.is_some() => {
                Err(RenumberError::NotWritten(at).into())
            }
            Renumbering::Insert(at) => {
                let text = self.order.text.as_deref().map(|text| Chapter::from_markdown(at, text, "").body);
                let beside = at.previous().into_iter().chain([at]).filter(|at| is_written(*at));
                let same = beside.into_iter().find(|beside| {
                    self.view.chapter(*beside).ok().map(|chapter| chapter.body.trim().to_owned())
                        == text.as_ref().map(|text| text.trim().to_owned())
                });
                same.map_or(Ok(()), |same| Err(RenumberError::SameText(same).into()))
            }
            _ => Ok(()),
        }
    }

    /// Whether texts of chapters change. A text may also come before the first chapter that is only planned.
    fn has_text(&self) -> bool {
        let first = self.order.how.first().get();
        first <= self.written || self.order.text.is_some() && first == self.written + 1
    }

    fn last<'s>(&self, outlines: impl Iterator<Item = &'s Outline>) -> u32 {
        outlines.filter_map(Outline::range).map(|(_, last)| last.get()).max().unwrap_or(0).max(self.written)
    }

    fn section(&self, chapter: ChapterNo) -> Option<(VolumeNo, &Section)> {
        self.outlines.iter().find_map(|(volume, (outline, _))| Some((*volume, outline.section(chapter)?)))
    }

    fn volume(&self, chapter: ChapterNo) -> Option<VolumeNo> {
        let written = self.view.contents().ok().and_then(|contents| contents.volume_of(chapter));
        written.or_else(|| self.section(chapter).map(|(volume, _)| volume))
    }

    /// The volume of a chapter afterwards: the one in which the author has put it, or that of the chapter whose number it takes.
    fn volume_after(&self, chapter: ChapterNo, volume: VolumeNo) -> VolumeNo {
        let taken = match self.order.how {
            Renumbering::Move { from, to } if chapter == from => self.volume(to),
            _ => None,
        };
        self.order.how.of(chapter).and_then(|is| self.placed(is)).or(taken).unwrap_or(volume)
    }

    /// The volume in which the author has put a chapter, or to which one comes back, by its new number.
    fn placed(&self, is: ChapterNo) -> Option<VolumeNo> {
        let by_hand = self.order.by_hand.as_ref().and_then(|found| found.volumes.get(&is).copied());
        let back = self.order.back.as_ref().filter(|_| self.order.how == Renumbering::Insert(is));
        by_hand.or(back.and_then(|back| back.volume))
    }

    fn volume_of_new(&self, at: ChapterNo) -> VolumeNo {
        let there = self.placed(at).or_else(|| self.volume(at));
        there.or_else(|| self.neighbour(at).map(|(volume, _)| volume)).unwrap_or(VolumeNo::FIRST)
    }

    /// The chapter whose section a new one is like: the one that stands before it.
    fn neighbour(&self, at: ChapterNo) -> Option<(VolumeNo, &Section)> {
        let here = self.section(at).map(|(volume, _)| volume);
        let before = at.previous().and_then(|before| self.section(before));
        let after = self.section(at).or(before)?;
        let (volume, section) = before.unwrap_or(after);
        Some((here.unwrap_or(volume), section))
    }

    /// The outline of an inserted chapter, and the fields that its section has from the one beside it.
    fn taken(&self) -> Option<(String, BTreeMap<Field, String>)> {
        if let Some(FilledOutline { path, fields, .. }) = &self.order.filled {
            return Some((path.clone(), fields.clone()));
        }
        let Renumbering::Insert(at) = self.order.how else { return None };
        let has_sections = self.order.by_hand.as_ref().is_some_and(|found| found.has_sections);
        let is_back = self.order.back.as_ref().is_some_and(|back| back.section.is_some());
        let (volume, like) = self.neighbour(at).filter(|_| !has_sections && !is_back)?;
        let volume = self.placed(at).filter(|placed| self.outlines.contains_key(placed)).unwrap_or(volume);
        Some((layout::outline(volume), fields_of_neighbour(like)))
    }

    fn refuse_empty_volume(&self) -> Result<(), RunError> {
        let all = (1..=self.last(self.outlines.values().map(|(outline, _)| outline))).filter_map(ChapterNo::new);
        let before: Vec<(ChapterNo, VolumeNo)> =
            all.filter_map(|chapter| Some((chapter, self.volume(chapter)?))).collect();
        let is_left = |(chapter, volume): &(ChapterNo, VolumeNo)| {
            self.order.how.of(*chapter).map(|_| self.volume_after(*chapter, *volume))
        };
        let after: BTreeSet<VolumeNo> = before.iter().filter_map(is_left).collect();
        match before.iter().find(|(_, volume)| !after.contains(volume)) {
            Some((chapter, volume)) => Err(RenumberError::EmptyVolume(*volume, *chapter).into()),
            None => Ok(()),
        }
    }

    fn outcome(&self) -> Result<(Change, Renumbered), RunError> {
        self.refuse_empty_volume()?;
        let how = self.order.how;
        let mut change = self.records(self.texts(self.files()?)?);
        if let Some(found) = &self.order.by_hand {
            // Files beside the chapters may have been committed since they were found.
            let is_as_found = |path: &str| self.view.bytes(path).ok().flatten().as_ref() == found.files.puts.get(path);
            let is_outline = |path: &str| matches!(layout::classify(path), Some(BookPath::Outline(_)));
            let is_own = |path: &str| found.has_moved(path) || !is_outline(path) && is_as_found(path);
            let own = found.files.clone().only(is_own);
            // Moved texts stand where the author has put them.
            let has_stayed = |path: &str| chapter_at(path).is_none_or(|chapter| chapter < how.first());
            change.puts.retain(|path, _| has_stayed(path) || !found.has_texts());
            change = change.and(own);
            if let Some(FilledOutline { path, text, .. }) = &self.order.filled {
                change = change.put(path, text.clone());
            }
        }
        let taken_back = taken_back::files(self.book, &self.view, self.order, &change)?;
        let change = self.replanted(self.facts(change.then(taken_back.clone()))?)?;
        let after = BookView::new(store::change::snapshot_over(self.book, self.view.commit_id(), &change)?);
        let was = self.outlines_before()?;
        let change = schedules_change(&after, was.iter().map(|(volume, was)| (*volume, was)), change)?;
        let change = self.threads_and_contracts(change)?.then(taken_back);
        let then = self.order.by_hand.as_ref().map_or(Vec::new(), |found| found.then.clone());
        // Several moves are told with the first, by the numbers before and after all.
        let earlier = if self.order.by_hand.is_some() { before_edits(self.book)?.1 } else { Vec::new() };
        let is_first = earlier.is_empty();
        let now = |is| Renumbering::of_all(&then, is);
        let all = (1..=self.last(was.values())).filter_map(ChapterNo::new).filter(|_| is_first);
        let moved =
            all.filter_map(|was| Some((was, how.of(was).and_then(now)?))).filter(|(was, is)| was != is).collect();
        let rebuild = match how {
            Renumbering::Insert(at) if self.comes_with(at, |place| matches!(place, BookPath::Delta(..))) => Vec::new(),
            Renumbering::Insert(at) | Renumbering::Merge(at) => vec![at],
            Renumbering::Split(at) => vec![at, at.next()],
            Renumbering::Move { .. } | Renumbering::Remove(_) => Vec::new(),
        };
        let files = change.puts.len() + change.removes.iter().filter(|path| !change.puts.contains_key(*path)).count();
        let rebuild = rebuild.into_iter().filter(|_| self.has_text()).filter_map(now).collect();
        let drafts =
            store::closing::drafts(self.book)?.into_iter().filter_map(|(work, _)| work.chapter()).filter(|_| is_first);
        let unplanted = unplanted((how, &then), self.outlines.values().map(|(outline, _)| outline));
        let goes_on = |was| [how].iter().chain(&then).try_fold(was, |number: ChapterNo, how| how.of_draft(number));
        let drafts = drafts.map(|was| (was, goes_on(was))).filter(|(was, is)| *is != Some(*was)).collect();
        let taken = self.taken();
        Ok((
            change,
            Renumbered {
                how,
                moved,
                files,
                rebuild,
                drafts,
                taken,
                unplanted,
                earlier,
                then,
                has_edits: false,
                done: None,
            },
        ))
    }

    /// The outlines before the operation; the author may have changed those in the folder already.
    fn outlines_before(&self) -> Result<BTreeMap<VolumeNo, Outline>, RunError> {
        let edited = match self.order.by_hand {
            Some(_) => Some(before_edits(self.book)?).filter(|(_, moves)| moves.is_empty()),
            None => None,
        };
        let Some((before, _)) = edited else {
            return Ok(self.outlines.iter().map(|(volume, (outline, _))| (*volume, outline.clone())).collect());
        };
        let before = BookView::new(before);
        self.outlines.keys().map(|of| Ok((*of, before.outline(*of).ok().flatten().unwrap_or_default()))).collect()
    }

    fn records(&self, mut change: Change) -> Change {
        let (Renumbering::Insert(at), Some(back)) = (self.order.how, &self.order.back) else { return change };
        let volume = self.volume_of_new(at);
        for (path, bytes) in &back.records {
            let Some(place) = layout::classify(path) else { continue };
            let moved = renumbered(&place, bytes, Renumbering::Move { from: back.number, to: at });
            change = change.put(&place.of_chapter(volume, at).path(), moved);
        }
        change
    }

    fn comes_with(&self, chapter: ChapterNo, is_it: impl Fn(BookPath) -> bool) -> bool {
        let back = self.order.back.iter().filter(|_| self.order.how == Renumbering::Insert(chapter));
        back.flat_map(|back| back.records.keys()).filter_map(|path| layout::classify(path)).any(is_it)
    }

    /// The change with the plot threads that the section of a chapter which comes back plants or advances.
    fn replanted(&self, mut change: Change) -> Result<Change, RunError> {
        let section = self.order.back.as_ref().and_then(|back| back.section.as_ref());
        let (Renumbering::Insert(at), Some(section)) = (self.order.how, section) else { return Ok(change) };
        let after = BookView::new(store::change::snapshot_over(self.book, self.view.commit_id(), &change)?);
        for volume in after.volumes()? {
            let mut threads = files::planned_foreshadowing(&after, volume)?;
            for thread in &mut threads {
                for task in section.tasks.iter().filter(|task| task.id == thread.id) {
                    match task.action {
                        Action::Planted => thread.plant = thread.plant.or(Some(at)),
                        Action::Advanced => thread.advance.push(at.get()),
                        Action::Resolved => {}
                    }
                }
                thread.advance.sort_unstable();
                thread.advance.dedup();
            }
            if threads != files::planned_foreshadowing(&after, volume)? {
                let path = layout::foreshadowing_plan(volume);
                change = after.put(change, &path, |was| format::foreshadowing::write_plan(&threads, was))?;
            }
        }
        Ok(change)
    }

    /// Every file but the outlines and what follows from the chapters, with the new numbers.
    fn files(&self) -> Result<Change, RunError> {
        let how = self.order.how;
        let mut change = Change::default();
        for path in self.view.files("")? {
            let Some(place) = layout::classify(&path) else { continue };
            let chapter = place.chapter();
            // Earlier chapters name later ones in the ranges of plot threads alone.
            if chapter.is_some_and(|chapter| chapter < how.first()) && !matches!(place, BookPath::Delta(..)) {
                continue;
            }
            let bytes = self.view.bytes(&path)?.unwrap_or_default();
            let new = renumbered(&place, &bytes, how);
            let to = match (chapter, place.volume()) {
                (Some(last), _) if matches!(place, BookPath::QualityBrief(..)) => {
                    // A brief is about five chapters, which may no longer be the same ones.
                    let of = (last.get() + 1).saturating_sub(quality::BLOCK)..=last.get();
                    let stays =
                        matches!(how, Renumbering::Move { .. }) && of.clone().all(|n| of.contains(&how.refers(n)));
                    stays.then(|| path.clone())
                }
                (Some(chapter), Some(volume)) => {
                    how.of(chapter).map(|is| place.of_chapter(self.volume_after(chapter, volume), is).path())
                }
                _ => Some(path.clone()),
            };
            if to.as_ref() != Some(&path) {
                change = change.remove(&path);
            }
            if let Some(to) = to.filter(|to| *to != path || new != bytes) {
                change = change.put(&to, new);
            }
        }
        Ok(change)
    }

    /// The outlines, and the texts of chapters that begin, end or join others.
    fn texts(&self, mut change: Change) -> Result<Change, RunError> {
        let has_sections = self.order.by_hand.as_ref().is_some_and(|found| found.has_sections);
        for (volume, sections) in self.sections().into_iter().filter(|_| !has_sections) {
            let Some((outline, text)) = self.outlines.get(&volume) else { continue };
            let first = outline.sections.first().map_or(1, |section| section.line);
            let preface: String = text.split_inclusive('\n').take(first - 1).collect();
            let sections: Vec<&str> = sections.iter().map(|(_, text)| text.as_str()).collect();
            let new = format!("{preface}{}", sections.concat());
            change = if new == *text { change } else { change.put(&layout::outline(volume), new) };
        }
        let how = self.order.how;
        let is_by_hand = self.order.by_hand.is_some();
        if !self.has_text() || is_by_hand && !matches!(how, Renumbering::Merge(_)) {
            return Ok(change);
        }
        let title = self.order.title.clone();
        match how {
            Renumbering::Insert(at) => {
                let volume = self.volume_of_new(at);
                let text = self.order.text.clone().unwrap_or_default();
                let chapter = Chapter::from_markdown(at, &text, &title);
                let chapter = Chapter { title: if title.is_empty() { chapter.title } else { title }, ..chapter };
                Ok(change.put(&layout::chapter(volume, at), chapter.to_markdown()))
            }
            Renumbering::Split(at) => {
                let volume = self.view.volume_of(at)?;
                let whole = self.view.chapter(at)?;
                let (before, after) = parts(&whole.body, self.order.beginning.trim())?;
                let (first, second) =
                    (Chapter { body: before, ..whole }, Chapter { number: at.next(), title, body: after });
                Ok(change
                    .put(&layout::chapter(volume, at), first.to_markdown())
                    .put(&layout::chapter(volume, at.next()), second.to_markdown()))
            }
            Renumbering::Merge(at) => self.merged(change, at),
            Renumbering::Move { .. } | Renumbering::Remove(_) => Ok(change),
        }
    }

    /// The text, the operations and the calls of two chapters as those of one. Texts joined by hand are there already.
    fn merged(&self, mut change: Change, at: ChapterNo) -> Result<Change, RunError> {
        if self.order.by_hand.is_none() {
            let (one, other) = (self.view.chapter(at)?, self.view.chapter(at.next())?);
            let chapter = Chapter { body: joined_bodies(&one.body, &other.body), ..one };
            change = change.put(&layout::chapter(self.view.volume_of(at)?, at), chapter.to_markdown());
        }
        let (here, there) = (self.recorded_in(at)?, self.recorded_in(at.next())?);
        if let (Some(one), Some(other)) = (self.delta(here, at)?, self.delta(there, at.next())?) {
            let ops = [one.ops, other.ops].concat();
            let (place, bytes) = (BookPath::Delta(here, at), format::delta::write(&Delta { ops, ..one }, None));
            change = change.put(&place.path(), renumbered(&place, &bytes, self.order.how));
        }
        if let (Some(mut one), Some(other)) =
            (files::chapter_log(&self.view, here, at)?, files::chapter_log(&self.view, there, at.next())?)
        {
            one.stages.extend(other.stages);
            change = change.put(&BookPath::Log(here, at).path(), format::write(&one, None));
        }
        Ok(change)
    }

    /// The volume of the chapter's records, which a text that was moved or deleted by hand has left behind.
    fn recorded_in(&self, chapter: ChapterNo) -> Result<VolumeNo, RunError> {
        let places = self.view.files(layout::DELTAS)?.into_iter().filter_map(|path| layout::classify(&path));
        let of_delta = places.filter(|place| place.chapter() == Some(chapter)).find_map(|place| place.volume());
        Ok(of_delta.or_else(|| self.volume(chapter)).unwrap_or(VolumeNo::FIRST))
    }

    fn delta(&self, volume: VolumeNo, chapter: ChapterNo) -> Result<Option<Delta>, RunError> {
        let bytes = self.view.bytes(&layout::delta(volume, chapter))?;
        Ok(bytes.and_then(|bytes| format::delta::read(&bytes).ok()))
    }

    /// The sections of each volume's outline, in the new order and with the new headings.
    fn sections(&self) -> BTreeMap<VolumeNo, Vec<(ChapterNo, String)>> {
        let how = self.order.how;
        let mut volumes: BTreeMap<VolumeNo, Vec<(ChapterNo, String)>> = BTreeMap::new();
        for (volume, (outline, text)) in &self.outlines {
            volumes.entry(*volume).or_default();
            let lines: Vec<&str> = text.split_inclusive('\n').collect();
            for (at, section) in outline.sections.iter().enumerate() {
                let end = outline.sections.get(at + 1).map_or(lines.len(), |next| next.line - 1);
                let Some(is) = how.of(section.chapter) else { continue };
                let own: String = lines[section.line - 1..end].concat();
                let own = match how {
                    Renumbering::Merge(at) if section.chapter == at => self
                        .section(at.next())
                        .map_or(own, |(_, next)| joined_sections(section, next, &self.order.title)),
                    _ => section_headed(&own, (section.chapter, is), &section.title),
                };
                let ending = if own.ends_with('\n') { "" } else { "\n" };
                let there = self.volume_after(section.chapter, *volume);
                let volume = if self.outlines.contains_key(&there) { there } else { *volume };
                volumes.entry(volume).or_default().push((is, format!("{own}{ending}")));
            }
        }
        let new = match how {
            Renumbering::Insert(at) => self.neighbour(at).map(|like| (at, like)),
            Renumbering::Split(at) => self.section(at).map(|like| (at.next(), like)),
            _ => None,
        };
        if let Some((at, (volume, like))) = new {
            let volume = self.placed(at).filter(|placed| self.outlines.contains_key(placed)).unwrap_or(volume);
            volumes.entry(volume).or_default().push((at, new_section(at, self.order, like)));
        }
        for sections in volumes.values_mut() {
            sections.sort_by_key(|(chapter, _)| *chapter);
            let last = sections.len();
            // A section that was the last one may lack the empty line before the next.
            for (_, text) in
                sections.iter_mut().take(last.saturating_sub(1)).filter(|(_, text)| !text.ends_with("\n\n"))
            {
                text.push('\n');
            }
        }
        volumes
    }

    /// State, ledger and memories, told again by the chapters in their new order; each delta names the text that it was made of.
    fn facts(&self, mut change: Change) -> Result<Change, RunError> {
        let how = self.order.how;
        let tip = self.view.commit_id();
        let after = store::change::snapshot_over(self.book, tip, &change)?;
        // A text that was moved by hand may be in another volume than its delta.
        let mut made_of = Vec::new();
        for path in self.view.files(layout::DELTAS)? {
            if let Some(BookPath::Delta(volume, chapter)) = layout::classify(&path)
                && let (Some(is), Some(Delta { text: Some(was), .. })) = (how.of(chapter), self.delta(volume, chapter)?)
            {
                made_of.push((is, self.volume_after(chapter, volume), was));
            }
        }
        for (path, bytes) in &change.puts {
            if let Some(BookPath::Delta(volume, is)) = layout::classify(path)
                && let Ok(Delta { text: Some(was), .. }) = format::delta::read(bytes)
                && made_of.iter().all(|(other, ..)| *other != is)
            {
                made_of.push((is, volume, was));
            }
        }
        for (is, volume, was) in made_of {
            let (path, place) = (layout::delta(volume, is), layout::chapter(volume, is));
            let text = after.content_id(&place);
            let body = |bytes: Option<Vec<u8>>| {
                bytes.map(|bytes| Chapter::from_markdown(is, &String::from_utf8_lossy(&bytes), "").body)
            };
            // Another heading alone is the same text.
            if text.as_ref() == Some(&was)
                || body(store::change::content(self.book, &was)?) != body(after.read(&place)?)
            {
                continue;
            }
            let there = after.read(&path)?.unwrap_or_default();
            if let Ok(delta) = format::delta::read(&there)
                && delta.text != text
            {
                change = change.put(&path, format::delta::write(&Delta { text, ..delta }, Some(&there)));
            }
        }
        let after = BookView::new(store::change::snapshot_over(self.book, tip, &change)?);
        let (mut chapters, mut volumes) = (BTreeMap::new(), Vec::new());
        for (chapter, volume) in after.contents()?.iter() {
            let opens_volume = !volumes.contains(&volume);
            volumes.extend(opens_volume.then_some(volume));
            let bytes = after.bytes(&layout::delta(volume, chapter))?;
            let Some(bytes) = bytes else { continue };
            let Ok(mut delta) = format::delta::read(&bytes) else { continue };
            // A delta is made of the state before its chapter.
            let before = u32::try_from(chapters.len()).unwrap_or(u32::MAX);
            if delta.base_version != before && chapter >= how.first() {
                delta.base_version = before;
                change = change.put(&layout::delta(volume, chapter), format::delta::write(&delta, Some(&bytes)));
            }
            chapters.insert(chapter, (delta, opens_volume));
        }
        let chronicle = replay_of(self.book, tip)?.chronicle.with_chapters(chapters);
        let change = change.and(restored(&after, chronicle.now())?);
        // A storyline that has no chapter left has no memory, not even one with other numbers.
        Ok(change.then(memories::restored(self.book, &after, &chronicle)?))
    }

    /// The plot threads as the sections have them, and the contracts of planned chapters. A contract of the author's own keeps what it
    /// says.
    fn threads_and_contracts(&self, change: Change) -> Result<Change, RunError> {
        let how = self.order.how;
        let mut own: BTreeMap<ChapterNo, bool> = BTreeMap::new();
        let mut to_join: BTreeMap<ChapterNo, ChapterContract> = BTreeMap::new();
        let begun = match self.order.by_hand {
            Some(_) => Some(before_edits(self.book)?).filter(|(_, moves)| !moves.is_empty()),
            None => None,
        };
        let (base, moves) = begun.map_or((None, Vec::new()), |(base, moves)| (Some(BookView::new(base)), moves));
        let base = base.as_ref().unwrap_or(&self.view);
        let is_edited = |volume: VolumeNo, was: ChapterNo| -> Result<bool, RunError> {
            let (mut is, mut bytes) = (was, base.bytes(&layout::contract(volume, was))?.unwrap_or_default());
            for how in &moves {
                bytes = renumbered(&BookPath::Contract(volume, is), &bytes, *how);
                is = how.of(is).unwrap_or(is);
            }
            let there = |volume: &VolumeNo| self.view.bytes(&layout::contract(*volume, is)).ok().flatten();
            Ok(self.outlines.keys().find_map(there).is_some_and(|there| there != bytes))
        };
        for volume in self.outlines.keys() {
            // The author may have committed sections without their numbers.
            let Ok(plan) = planning_context::plan_of(base, *volume) else { continue };
            let Some((first, _)) = plan.outline.range() else { continue };
            let derived = plan.derived(&planning_context::basis(base, &order(*volume, first, &plan))?);
            let asks_the_same = |(chapter, contract): (&ChapterNo, &ChapterContract)| {
                derived.get(chapter).is_some_and(|derived| {
                    derived.clone().without_picture().asks_the_same(&contract.clone().without_picture())
                })
            };
            for entry in &plan.contracts {
                if let Some(is) = Renumbering::of_all(&moves, *entry.0) {
                    own.insert(is, !asks_the_same(entry) || is_edited(*volume, *entry.0)?);
                }
            }
            to_join.extend(derived);
            to_join.extend(plan.contracts);
        }
        let after = BookView::new(store::change::snapshot_over(self.book, self.view.commit_id(), &change)?);
        let place = |is, volume| how.before(is).map_or(volume, |was| self.volume_after(was, volume));
        let mut change = threads_moved(&after, place, change)?;
        // Sections that have their last numbers already are not those of these chapters yet.
        if self.order.by_hand.as_ref().is_some_and(|found| !found.then.is_empty()) {
            return Ok(change);
        }
        let after = BookView::new(store::change::snapshot_over(self.book, self.view.commit_id(), &change)?);
        let written = after.checkpoint()?.last_completed;
        for volume in after.volumes()? {
            let plan = planning_context::plan_of(&after, volume)?;
            let Some((first, last)) = plan.outline.range() else { continue };
            if plan.contracts.is_empty() || last.get() <= written {
                continue;
            }
            change = threads_change(&after, volume, change, |_| false)?;
            for (chapter, contract) in plan.derived(&planning_context::basis(&after, &order(volume, first, &plan))?) {
                let has_own = |was: ChapterNo| self.view.has(&layout::contract(volume, was));
                let is_own =
                    how.before(chapter).is_some_and(|was| own.get(&was).copied().unwrap_or_else(|| has_own(was)));
                let is_own = is_own || self.comes_with(chapter, |place| matches!(place, BookPath::Contract(..)));
                let is_joined = matches!(how, Renumbering::Merge(at) if at == chapter);
                if chapter.get() > written && (!is_own || is_joined) {
                    let has_own = [chapter, chapter.next()].iter().any(|was| own.get(was) == Some(&true));
                    let contract = match [chapter, chapter.next()].map(|was| to_join.get(&was)) {
                        [Some(one), Some(other)] if is_joined && has_own => {
                            contract.with_demands_of([one.clone(), other.clone()])
                        }
                        _ => contract,
                    };
                    let path = layout::contract(volume, chapter);
                    change = after.put(change, &path, |was| format::contract::write(&contract, was))?;
                }
            }
        }
        Ok(change)
    }
}
