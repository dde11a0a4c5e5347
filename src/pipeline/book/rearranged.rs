//! Chapters that the author has rearranged by an editor or by `git mv`, in the folder or in commits of plain git.
//! A delta names its chapter and the text that it was made of, so that texts under other numbers than their records are found whatever
//! commits lie in between. A chapter without a delta is told by the program's last commit before the author's.

use crate::domain::renumbering::{operations, places};
use crate::pipeline::book::earlier_passages::{before_all_edits, before_edits};
use crate::pipeline::book::files::{self, PlacedText, Sections, headed, moved};
use crate::pipeline::book::hand_edits;
use crate::pipeline::book::old_number;
use crate::pipeline::book::taken_out::sections_left;
use crate::pipeline::engine::error::RenumberError;
use crate::pipeline::prelude::*;
use crate::pipeline::rebuild::outdated::{Outdated, OutdatedReason};
use crate::store::{self, EntryFilter};

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rearranged {
    pub(crate) how: Renumbering,
    pub(crate) last: ChapterNo,
    /// The author's files as they are, those of the chapters included.
    pub(crate) files: Change,
    /// The volume in which each of the chapters stands now.
    pub(crate) volumes: BTreeMap<ChapterNo, VolumeNo>,
    /// Files to be renamed in this order, where a moved chapter has left its number free.
    pub(crate) renames: Vec<(String, String)>,
    /// Whether the outline has its sections in the new order.
    pub(crate) has_sections: bool,
    /// The operations to be taken over after this one; texts and outlines are in their order from the first on.
    pub(crate) then: Vec<Renumbering>,
    /// True for files that are only gone, by accident maybe: every other chapter has its number.
    pub(crate) is_deletion: bool,
    /// The chapters whose texts may as well be edits, where no chapter is more or less.
    as_edits: Option<(ChapterNo, ChapterNo)>,
}

impl Rearranged {
    /// True when texts are among the author's files; otherwise they follow their sections.
    pub(crate) fn has_texts(&self) -> bool {
        self.files.puts.keys().chain(&self.files.removes).any(|path| chapter_at(path).is_some())
    }

    /// True for a file of the kind that the author has moved.
    pub(crate) fn has_moved(&self, path: &str) -> bool {
        match layout::classify(path) {
            Some(BookPath::Chapter(..)) => self.has_texts(),
            Some(BookPath::Outline(_)) => self.has_sections,
            _ => false,
        }
    }

    /// True for a draft whose number no other chapter takes.
    pub(crate) fn leaves(&self, draft: Work) -> bool {
        draft.chapter().is_none_or(|chapter| {
            let stays = self.all().iter().try_fold(chapter, |number, how| how.of_draft(number)) == Some(chapter);
            stays || !self.has_sections && !self.volumes.contains_key(&chapter)
        })
    }

    pub(crate) fn refusal(&self) -> RenumberError {
        RenumberError::ByHand { all: self.all(), as_edits: self.as_edits }
    }

    pub(crate) fn all(&self) -> Vec<Renumbering> {
        [&[self.how], self.then.as_slice()].concat()
    }

    /// The number that a chapter after the first operation has among the author's files.
    pub(crate) fn place_of(&self, chapter: ChapterNo) -> Option<ChapterNo> {
        Renumbering::of_all(&self.then, chapter)
    }
}

/// Refuses to go on where chapters have changed places, in the folder, whose changed files are `paths`, or in commits of the author's.
pub(crate) fn refuse<'p>(book: &Book, paths: impl Iterator<Item = &'p String>) -> Result<(), RunError> {
    let Some(first) = first_changed(book, paths)? else { return Ok(()) };
    refuse_from(book, first)?;
    refuse_sections(book)
}

pub(crate) fn refuse_sections(book: &Book) -> Result<(), RunError> {
    by_sections(book)?.map_or(Ok(()), |found| Err(found.refusal().into()))
}

/// Refuses to go on where the outdated records are of each other's texts.
pub(crate) fn refuse_outdated(book: &Book, outdated: &[Outdated]) -> Result<(), RunError> {
    first_edited(outdated).map_or(Ok(()), |first| refuse_from(book, first))
}

fn refuse_from(book: &Book, first: ChapterNo) -> Result<(), RunError> {
    let found = by_texts(book, first)?.filter(|found| !found.is_deletion);
    found.map_or(Ok(()), |found| Err(found.refusal().into()))
}

/// The chapters as they stand, where the author has changed texts or outlines: `paths` are the changed files in the folder, `outdated`
/// the chapters whose records are of other texts.
pub(crate) fn standing<'p>(
    book: &Book,
    paths: impl Iterator<Item = &'p String>,
    outdated: &[Outdated],
) -> Result<Option<Rearranged>, RunError> {
    let Some(first) = first_changed(book, paths)?.into_iter().chain(first_edited(outdated)).min() else {
        return Ok(None);
    };
    by_hand(book, first)
}

fn first_edited(outdated: &[Outdated]) -> Option<ChapterNo> {
    let is_edited = |outdated: &&Outdated| matches!(outdated.reason, OutdatedReason::Edited { .. });
    outdated.iter().find(is_edited).map(|outdated| outdated.chapter)
}

/// The first chapter whose text or outline differs from the program's last commit.
fn first_changed<'p>(book: &Book, paths: impl Iterator<Item = &'p String>) -> Result<Option<ChapterNo>, RunError> {
    let snapshot = book.snapshot()?;
    let (committed, contents) = (snapshot.changed_since(&before_edits(book)?.0)?, snapshot.contents()?);
    let first = |path: &String| match layout::classify(path)? {
        BookPath::Chapter(_, chapter) => Some(chapter),
        BookPath::Outline(of) => {
            let written = contents.iter().find(|(_, volume)| *volume == of).map(|(chapter, _)| chapter);
            Some(written.unwrap_or_else(|| contents.next()))
        }
        _ => None,
    };
    Ok(paths.filter_map(first).chain(committed.iter().filter_map(first)).min())
}

/// The rearranged chapters from `first` on; `None` for chapters that have their numbers still.
pub(crate) fn by_hand(book: &Book, first: ChapterNo) -> Result<Option<Rearranged>, RunError> {
    by_texts(book, first)?.map_or_else(|| by_sections(book), |found| Ok(Some(found)))
}

fn read(chapter: ChapterNo, bytes: &[u8]) -> Chapter {
    Chapter::from_markdown(chapter, &String::from_utf8_lossy(bytes), "")
}

/// Chapters whose texts have other numbers than their records, told by the book before the first of several operations.
fn by_texts(book: &Book, first: ChapterNo) -> Result<Option<Rearranged>, RunError> {
    let (base, done) = before_edits(book)?;
    if done.is_empty() {
        return of_texts(book, first, &BookView::new(base), &[]);
    }
    if let Some(found) = of_texts(book, ChapterNo::FIRST, &BookView::new(base), &done)? {
        return Ok(Some(found));
    }
    let tip = book.snapshot()?;
    let base = before_all_edits(book, &tip)?.unwrap_or(tip);
    of_texts(book, first, &BookView::new(base), &[])
}

/// Fails with [`RenumberError::Misplaced`] for the first text behind numbers without one.
fn refuse_gap(
    book: &Book,
    (first, count): (ChapterNo, usize),
    found: &[(ChapterNo, VolumeNo, Vec<u8>)],
) -> Result<(), RunError> {
    let mut numbered = found.iter().zip((first.get()..).map_while(ChapterNo::new));
    let behind_gap = numbered.find(|((is, ..), number)| is != number).filter(|_| found.len() <= count);
    let Some(((is, volume, bytes), number)) = behind_gap else { return Ok(()) };
    let [path, belongs] = [*is, number].map(|chapter| layout::chapter(*volume, chapter));
    let is_committed = book.snapshot()?.read(&path)?.as_ref() == Some(bytes);
    Err(RenumberError::Misplaced { path, belongs, is_committed, root: book.root().to_owned() }.into())
}

/// The new names of the files, in an order in which none takes the place of one that has still to be renamed.
fn renames(found: &[(ChapterNo, VolumeNo, Vec<u8>)], volumes: &BTreeMap<ChapterNo, VolumeNo>) -> Vec<(String, String)> {
    let from = found.iter().map(|(chapter, volume, _)| layout::chapter(*volume, *chapter));
    let to = volumes.iter().map(|(chapter, volume)| layout::chapter(*volume, *chapter));
    let renames = from.zip(to).filter(|(from, to)| from != to);
    let (mut renames, up): (Vec<_>, Vec<_>) = renames.partition(|(from, to)| chapter_at(from) < chapter_at(to));
    renames.reverse();
    renames.extend(up);
    renames
}

fn of_texts(
    book: &Book,
    first: ChapterNo,
    base: &BookView<'_>,
    done: &[Renumbering],
) -> Result<Option<Rearranged>, RunError> {
    let Texts { recorded, found, in_other_volume } = Texts::of(book, first, (!done.is_empty()).then_some(&**base))?;
    let texts: Vec<Chapter> = found.iter().map(|(_, _, bytes)| read(first, bytes)).collect();
    let Some(before) = before(recorded, &texts) else { return Ok(None) };
    let numbers = || (first.get()..).map_while(ChapterNo::new);
    let mut operations = operations(first, &before, &texts);
    let is_in_order = found.iter().map(|(chapter, ..)| *chapter).eq(numbers().take(found.len()));
    let lost = before.get(texts.len()..).filter(|_| operations.is_empty() && is_in_order).unwrap_or_default();
    let left = if sections_left(book, base, lost)? { lost.len() } else { 0 };
    operations.extend(numbers().nth(texts.len()).into_iter().flat_map(|first| vec![Renumbering::Remove(first); left]));
    // A chapter that is in another volume's folder has its number still, and leaves its records behind.
    let is_whole = numbers().take(before.len()).eq(found.iter().map(|(chapter, ..)| *chapter));
    let stays = in_other_volume.filter(|_| is_whole && done.is_empty());
    let stays = stays.map(|(at, _)| Renumbering::Move { from: at, to: at });
    let rest = operations.strip_prefix(done).unwrap_or_default();
    let Some(how) = rest.first().copied().or(stays) else {
        refuse_gap(book, (first, before.len()), &found)?;
        let files = found.iter().map(|(chapter, volume, bytes)| (*chapter, *volume, bytes.as_slice()));
        return if done.is_empty() { old_number::refuse(book, files).map(|()| None) } else { Ok(None) };
    };
    let snapshot = book.snapshot()?;
    let contents = snapshot.contents()?;
    let volume = contents.iter().filter(|(chapter, _)| *chapter < first).map(|(_, volume)| volume).max();
    if !volume.into_iter().chain(found.iter().map(|(_, volume, _)| *volume)).is_sorted() {
        let Some((at, volume)) = in_other_volume else { return Ok(None) };
        let there = found.iter().find(|(chapter, ..)| *chapter == at).map_or(volume, |(_, there, _)| *there);
        let [path, belongs] = [there, volume].map(|volume| layout::chapter(volume, at));
        let root = book.root().to_owned();
        return Err(RenumberError::Misplaced { path, belongs, is_committed: false, root }.into());
    }
    let old: Vec<Option<ChapterNo>> = places(&before, &texts).into_iter().map(|was| numbers().nth(was?)).collect();
    let was = |at: usize| old[at].and_then(|was| Renumbering::of_all(done, was));
    let placed = found.iter().zip(&texts).enumerate();
    let placed = placed.map(|(at, ((_, volume, _), text))| (*volume, was(at), text.title.as_str()));
    let in_order: BTreeMap<ChapterNo, PlacedText<'_>> = numbers().zip(placed).collect();
    // Of several chapters that are gone, the others leave their places free at first.
    let is_left =
        left == 0 && matches!(how, Renumbering::Remove(_)) && old.iter().all(Option::is_some) && old.is_sorted();
    let now = |was: ChapterNo| Renumbering::of_all(done.iter().chain([&how]), was);
    let places: Vec<ChapterNo> = match is_left {
        true => old.iter().flatten().filter_map(|was| now(*was)).collect(),
        false => in_order.keys().copied().collect(),
    };
    let is_deletion = is_left && found.iter().filter_map(|(is, ..)| how.of(*is)).eq(places.iter().copied());
    let volumes: BTreeMap<ChapterNo, VolumeNo> =
        places.iter().copied().zip(in_order.values().map(|(volume, ..)| *volume)).collect();
    let renames = renames(&found, &volumes);
    let last = match how {
        Renumbering::Move { from, to } => from.max(to),
        _ => in_order.last_key_value().map_or(first, |(last, _)| *last),
    };
    let least = rest.iter().map(|how| how.first()).min().unwrap_or(how.first());
    let left = contents.iter().filter(|(chapter, _)| *chapter >= least);
    let left = left.map(|(chapter, volume)| layout::chapter(volume, chapter));
    let left = left.chain(renames.iter().map(|(from, _)| from.clone()));
    let mut files = left.fold(Change::default(), |files, path| files.remove(&path));
    for ((at, (.., bytes)), was) in volumes.iter().zip(&found).zip(&old).filter(|((at, _), _)| *at.0 >= least) {
        files = files.put(&layout::chapter(*at.1, *at.0), headed(*was, *at.0, bytes));
    }
    let mut then: Vec<Renumbering> = rest.iter().skip(1).copied().collect();
    let new = how.brings().and_then(|new| Renumbering::of_all(&then, new));
    let runs = Sections::of(book, base)?;
    let has_sections = Sections::follow(&runs, done, (how, how.first()..=last, new), &in_order)?;
    let [was, is] = [&before, &texts].map(|all| all.len() as u32 + first.get() - 1);
    let has = if has_sections { is } else { done.iter().fold(was, |count, how| how.refers(count + 1) - 1) };
    let all = authors(book)?.only(|path| chapter_at(path).is_none_or(|chapter| chapter < least));
    let mut outlines = runs.iter().filter(|_| has_sections);
    let files = outlines.try_fold(all, |files, run| run.with_outlines(files, &snapshot))?.and(files);
    then.extend(Sections::planned_moves(runs, base, [was, has, is]));
    // With a file more or less, or in another volume, the texts are no edits of chapters.
    let other: Vec<ChapterNo> = numbers().zip(&old).filter(|(is, was)| Some(*is) != **was).map(|(is, _)| is).collect();
    let may_be_edits = renames.is_empty() && texts.len() == before.len() && done.is_empty();
    let as_edits = other.first().copied().zip(other.last().copied()).filter(|_| may_be_edits);
    Ok(Some(Rearranged { how, last, files, volumes, renames, has_sections, then, is_deletion, as_edits }))
}

/// Chapters whose sections alone have moved in outlines that the author has changed: a written one, or planned ones with contracts.
/// Fails with [`RenumberError::SectionAlone`] for a section that has left the text of its chapter behind, or lacks one.
fn by_sections(book: &Book) -> Result<Option<Rearranged>, RunError> {
    let view = BookView::new(book.snapshot()?);
    let (base, moves) = before_edits(book)?;
    let base = BookView::new(base);
    let files = authors(book)?;
    let is_outline = |path: &String| matches!(layout::classify(path), Some(BookPath::Outline(_)));
    if !files.puts.keys().chain(&files.removes).chain(&view.changed_since(&base)?).any(is_outline) {
        return Ok(None);
    }
    let is_moved = |path: &String| chapter_at(path).is_some() && (files.removes.contains(path) || !view.has(path));
    if files.puts.keys().chain(&files.removes).any(is_moved) {
        return Ok(None);
    }
    let files = files.only(|path| chapter_at(path).is_none());
    let is_written = |chapter: ChapterNo| view.contents().is_ok_and(|contents| contents.has(chapter));
    for run in Sections::of(book, &base)? {
        let (was, before): (Vec<VolumeNo>, Vec<Chapter>) = run.before.iter().cloned().unzip();
        let (volumes, now): (Vec<VolumeNo>, Vec<Chapter>) = run.now.iter().cloned().unzip();
        // A new first section is a chapter that had none.
        let Some(first) = before.first().map(|first| first.number).filter(|first| run.least == Some(*first)) else {
            continue;
        };
        let all = operations(first, &before, &now);
        let rest = all.strip_prefix(moves.as_slice()).map(<[_]>::to_vec);
        let rest = rest.unwrap_or_else(|| {
            operations(first, &moves.iter().fold(before.clone(), |before, how| moved(&before, *how)), &now)
        });
        // New sections may follow the last one.
        let has_moved = |at: &usize| moves.is_empty() && was[*at] != volumes[*at];
        let is_same = now.len() == before.len() || now.starts_with(&before);
        let elsewhere = (0..now.len().min(was.len())).find(has_moved).filter(|_| is_same).map(|at| now[at].number);
        let elsewhere = elsewhere.filter(|_| rest.is_empty()).map(|at| Renumbering::Move { from: at, to: at });
        // Without contracts nothing has to follow planned sections.
        let sections = was.iter().copied().zip(before.iter().map(|section| section.number));
        let sections: Vec<(VolumeNo, ChapterNo)> = sections.collect();
        let planned = || sections.iter().copied().filter(|(_, chapter)| !is_written(*chapter));
        let mut has_contracts = planned().any(|(volume, chapter)| base.has(&layout::contract(volume, chapter)));
        for place in planned() {
            has_contracts = has_contracts && !has_moved_contract(book, (&view, &base, &files), place, &sections)?;
        }
        let is_alone = |how: &Renumbering| match *how {
            Renumbering::Move { from, to } => is_written(from) != is_written(to),
            Renumbering::Insert(at) | Renumbering::Remove(at) => is_written(at),
            Renumbering::Split(_) | Renumbering::Merge(_) => false,
        };
        let fits = |how: &Renumbering| match how {
            Renumbering::Move { from, .. } => is_written(*from) || has_contracts,
            Renumbering::Insert(_) | Renumbering::Remove(_) => has_contracts,
            Renumbering::Split(_) | Renumbering::Merge(_) => false,
        };
        if let Some(how) = rest.iter().copied().chain(elsewhere).find(is_alone) {
            return Err(run.alone(how).into());
        }
        let mut rest = rest.into_iter().chain(elsewhere).filter(fits);
        let Some(how) = rest.next() else { continue };
        // Contracts that the author has changed under their numbers of before move with their sections.
        let is_planned = |place| matches!(place, Some(BookPath::Contract(_, of)) if !is_written(of));
        let files = files.only(|path| !is_planned(layout::classify(path)));
        let files = run.with_outlines(files, &view)?;
        let last = match how {
            Renumbering::Move { from, to } => from.max(to),
            _ => now.last().map_or(first, |last| last.number),
        };
        let then = rest.collect();
        let volumes = now.iter().map(|section| section.number).zip(volumes).collect();
        let renames = Vec::new();
        let (has_sections, is_deletion, as_edits) = (true, false, None);
        return Ok(Some(Rearranged { how, last, files, volumes, renames, has_sections, then, is_deletion, as_edits }));
    }
    Ok(None)
}

/// True for a chapter to which the author has moved the contract of another section, or whose contract cannot be read.
fn has_moved_contract(
    book: &Book,
    (view, base, committed): (&BookView<'_>, &BookView<'_>, &Change),
    (volume, chapter): (VolumeNo, ChapterNo),
    sections: &[(VolumeNo, ChapterNo)],
) -> Result<bool, RunError> {
    let path = layout::contract(volume, chapter);
    let tip = view.bytes(&path)?;
    let is_authors = |now: &Vec<u8>| committed.puts.contains_key(&path) || tip.as_ref() != Some(now);
    let Some(now) = book.on_disk(&path)?.filter(is_authors) else { return Ok(false) };
    let now = format::contract::named_storyline(&now).and_then(|line| format::contract::read(&line, &now).ok());
    let Some(now) = now.filter(|now| now.chapter == chapter) else { return Ok(true) };
    let others = sections.iter().filter(|(_, other)| *other != chapter);
    let mut others = others.filter_map(|(volume, other)| files::contract(base, *volume, *other).ok().flatten());
    Ok(others.any(|other| other.demands() == now.demands()))
}

/// The commits of the author since the last one of the program, and the changed chapters and outlines in the folder.
fn authors(book: &Book) -> Result<Change, RunError> {
    let (snapshot, mut files) = (book.snapshot()?, Change::default());
    if let Some(before) = before_all_edits(book, &snapshot)? {
        for path in snapshot.changed_since(&before)?.into_iter().filter(|path| layout::is_book_path(path)) {
            files = match snapshot.read(&path)? {
                Some(bytes) => files.put(&path, bytes),
                None => files.remove(&path),
            };
        }
    }
    let mut edits = hand_edits::uncommitted(book, EntryFilter::of(&layout::is_book_path))?;
    let is_of_order = |place: BookPath| matches!(place, BookPath::Chapter(..) | BookPath::Outline(_));
    edits.retain(|edit| layout::classify(&edit.path).is_some_and(is_of_order));
    Ok(files.and(hand_edits::change_of(book, &edits)?))
}

pub(crate) fn chapter_at(path: &str) -> Option<ChapterNo> {
    match layout::classify(path)? {
        BookPath::Chapter(_, chapter) => Some(chapter),
        _ => None,
    }
}

/// The texts from one chapter to the one after the last.
#[derive(Default)]
struct Texts {
    /// The text that the records of each chapter are of, by its delta, and the one that it had at the program's last commit.
    recorded: Vec<[Option<Chapter>; 2]>,
    /// The files in the folder, in order.
    found: Vec<(ChapterNo, VolumeNo, Vec<u8>)>,
    /// The first chapter whose file is in another volume than its records, and that volume.
    in_other_volume: Option<(ChapterNo, VolumeNo)>,
}

impl Texts {
    /// Empty where a chapter has two files. The records are those of the snapshot `at`, or of the last commit.
    fn of(book: &Book, first: ChapterNo, at: Option<&Snapshot<'_>>) -> Result<Self, RunError> {
        let tip = book.snapshot()?;
        let snapshot = at.unwrap_or(&tip);
        let authors = if at.is_some() { None } else { before_all_edits(book, &tip)? };
        let before = authors.as_ref().unwrap_or(snapshot);
        let (contents, earlier) = (snapshot.contents()?, before.contents()?);
        let mut texts = Self::default();
        let Some(last) = contents.last().max(earlier.last()) else { return Ok(texts) };
        let text = |bytes: Vec<u8>| read(first, &bytes);
        let volumes: BTreeSet<VolumeNo> = contents.iter().chain(earlier.iter()).map(|(_, volume)| volume).collect();
        // A chapter that has moved to another volume has left its delta behind.
        let deltas = snapshot.files(layout::DELTAS)?.into_iter();
        let deltas = deltas.filter_map(|path| Some((layout::classify(&path)?.chapter()?, path)));
        let deltas: BTreeMap<ChapterNo, String> = deltas.collect();
        let mut made_of = BTreeMap::new();
        for path in deltas.range(first..).map(|(_, path)| path) {
            let delta = snapshot.read(path)?.and_then(|bytes| format::delta::read(&bytes).ok());
            let text = |delta: Delta| Some((delta.chapter, store::change::content(book, &delta.text?)));
            made_of.extend(delta.and_then(text).map(|(of, text)| Ok::<_, StoreError>((of, text?))).transpose()?);
        }
        for chapter in (first.get()..).map_while(ChapterNo::new) {
            let is_past = texts.found.last().is_none_or(|(found, ..)| found.next() < chapter);
            if is_past && chapter > last.next() {
                break;
            }
            let volume = earlier.volume_of(chapter);
            let was = volume.map(|volume| before.read(&layout::chapter(volume, chapter))).transpose()?.flatten();
            texts.recorded.push([made_of.remove(&chapter).flatten().map(text), was.map(text)]);
            let mut found = Vec::new();
            for volume in &volumes {
                let bytes = book.on_disk(&layout::chapter(*volume, chapter))?;
                found.extend(bytes.map(|bytes| (chapter, *volume, bytes)));
            }
            if found.len() > 1 {
                return Ok(Self::default());
            }
            let of_delta = deltas.get(&chapter).and_then(|path| layout::classify(path)?.volume());
            let (is, was) = (found.first().map(|(_, volume, _)| *volume), of_delta.or(volume));
            // A text that is back where its records are may have been elsewhere in commits of the author's.
            let committed = contents.volume_of(chapter);
            if texts.in_other_volume.is_none() && is.is_some() && (is != was || committed.is_some() && is != committed)
            {
                texts.in_other_volume = was.map(|was| (chapter, was));
            }
            texts.found.extend(found);
        }
        let end = texts.found.last().map_or(first, |(chapter, ..)| chapter.next());
        for (chapter, volume) in store::hand_edits::chapters_on_disk(book, VolumeNo::FIRST).range(end..) {
            let bytes = book.on_disk(&layout::chapter(*volume, *chapter))?.filter(|_| volumes.contains(volume));
            texts.found.extend(bytes.map(|bytes| (*chapter, *volume, bytes)));
        }
        Ok(texts)
    }
}

/// Each chapter before it was moved; `None` for a book that has not every number. A text that was edited after it had been
/// recorded counts as it was at the program's last commit, unless it is the recorded text of another chapter.
fn before(recorded: Vec<[Option<Chapter>; 2]>, now: &[Chapter]) -> Option<Vec<Chapter>> {
    let claimed: BTreeSet<String> =
        recorded.iter().filter_map(|[made_of, _]| Some(made_of.as_ref()?.body.clone())).collect();
    let before = recorded.into_iter().map(|[made_of, last]| match made_of {
        Some(text) if now.iter().any(|now| now.body == text.body) => Some(text),
        made_of => last.filter(|last| !claimed.contains(&last.body)).or(made_of),
    });
    let before: Vec<Option<Chapter>> = before.collect();
    let count = before.iter().take_while(|text| text.is_some()).count();
    before[count..].iter().all(Option::is_none).then(|| before.into_iter().flatten().collect())
}
