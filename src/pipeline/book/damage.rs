//! Missing and damaged files: found where the author's changes are taken up, so that damage is never taken for an edit.
//! The program's own files are restored from history, with a message. The author's files are left alone and reported;
//! `novel doctor --repair` replaces them. In both cases the damaged bytes are kept.

use crate::pipeline::book::earlier_passages::{before_authors, committed_links, last_whole};
use crate::pipeline::book::files::NextChapter;
use crate::pipeline::book::hand_edits::{self, MissingChapters};
use crate::pipeline::book::merged_draft::{self, left_by_checkout};
use crate::pipeline::book::{moved_records, rearranged};
use crate::pipeline::engine::event::RestoredFiles;
use crate::pipeline::prelude::*;
use crate::store::format::check::fault;
use crate::store::format::{At, Problem};
use crate::store::layout::Owner;
use crate::store::{
    self, CommitSource, Committed, Edit, EditKind, EntryFilter, GitOnlyReason, Instead, Obstacle, Obstruction,
};
use crate::text::encoding;

/// A file of the work tree that is missing or damaged.
#[derive(Debug, Clone, PartialEq)]
pub struct Damaged {
    pub path: String,
    pub owner: Owner,
    /// The reason why it cannot be used; `None` for a missing file.
    pub error: Option<FormatError>,
}

impl Damaged {
    /// True when the program restores the file without asking.
    pub(crate) fn is_restored(&self) -> bool {
        // Text in another encoding is an edit, also in a file of the program's.
        let is_edit = |error: &FormatError| !error.is_damage() || matches!(error.problem, Problem::Encoding(_));
        self.owner == Owner::Program && !self.error.as_ref().is_some_and(is_edit)
    }

    /// True when `novel doctor --repair` replaces the file.
    pub fn is_repairable(&self) -> bool {
        self.error.as_ref().is_none_or(FormatError::is_damage)
    }
}

/// The changes in the work tree that are in no commit.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Survey {
    /// Those that can be committed as the author's own.
    pub edits: Vec<Edit>,
    pub damaged: Vec<Damaged>,
    /// Links and folders at the places of files.
    pub blocked: Vec<Obstruction>,
    /// How many files had to be read to see that they are unchanged.
    pub read_in_vain: usize,
    /// Chapters that a reset has left in the work tree.
    pub strays: BTreeSet<ChapterNo>,
    /// Files that a checkout of a draft's branch has left there.
    pub left_by_checkout: Vec<String>,
}

/// Looks at the changes to those files of the book that are wanted, and tells edits from damage. Reads only.
pub fn survey(book: &Book, wanted: EntryFilter<'_>) -> Result<Survey, RunError> {
    let (found, strays) = hand_edits::changes(book, wanted)?;
    let mut survey = Survey { read_in_vain: found.read_in_vain, strays, ..Survey::default() };
    if found.edits.is_empty() && found.left.is_empty() {
        return Ok(survey);
    }
    let snapshot = book.snapshot()?;
    let now = OpenPlan::of(&snapshot);
    for edit in found.edits {
        let Some(place) = layout::classify(&edit.path) else { continue };
        let was = snapshot.read(&edit.path)?;
        let error = match book.on_disk(&edit.path)? {
            Some(bytes) => {
                match fault(&edit.path, &bytes, was.as_deref()).or_else(|| key_in(book, &bytes, was.as_deref())) {
                    Some(error) => Some(error),
                    None => {
                        survey.edits.push(edit);
                        continue;
                    }
                }
            }
            None if edit.kind != EditKind::Deleted || was.is_none() || !now.misses(book, &place) => {
                survey.edits.push(edit);
                continue;
            }
            None => None,
        };
        survey.damaged.push(Damaged { path: edit.path, owner: place.owner(), error });
    }
    survey.left_by_checkout = left_by_checkout(book, &survey.edits)?;
    survey.edits.retain(|edit| !survey.left_by_checkout.contains(&edit.path));
    let others = found.left.iter().filter(|(_, left)| *left == GitOnlyReason::NotAFile).map(|(path, _)| path.as_str());
    survey.blocked = store::not_writable::obstructions(book, others)?;
    Ok(survey)
}

/// The mistake that a key in the new bytes of a file is.
fn key_in(book: &Book, bytes: &[u8], was: Option<&[u8]>) -> Option<FormatError> {
    let line = store::change::lines_with_key(book, bytes, was.as_slice()).into_iter().next()?;
    Some(FormatError { at: At::Line(line), problem: Problem::Secret })
}

/// The part of the plan that chapters are still to be written from.
struct OpenPlan {
    /// The last volume of that part.
    last: VolumeNo,
    written: u32,
}

impl OpenPlan {
    fn of(snapshot: &Snapshot<'_>) -> Self {
        let checkpoint = snapshot.read(layout::CHECKPOINT).ok().flatten();
        let checkpoint = checkpoint.and_then(|bytes| format::read::<Checkpoint>(&bytes).ok());
        let (volume, written) = checkpoint.map_or((VolumeNo::FIRST, 0), |c| (c.volume, c.last_completed));
        let outline = snapshot.read(&layout::outline(volume)).ok().flatten().unwrap_or_default();
        let outline = Outline::form(&String::from_utf8_lossy(&outline)).unwrap_or_default().0;
        let is_over = ChapterNo::new(written + 1).is_some_and(|next| outline.section(next).is_none());
        let next = VolumeNo::new(volume.get() + 1).filter(|_| is_over && written > 0);
        Self { last: next.unwrap_or(volume), written }
    }

    /// Whether the place is of a plan that may still be half written, or is done with.
    fn is_open(&self, place: &BookPath) -> bool {
        place.is_plan() && place.volume().is_some_and(|volume| volume > self.last)
    }

    /// Whether the file may not go without a word.
    fn misses(&self, book: &Book, place: &BookPath) -> bool {
        match place {
            _ if place.owner() == Owner::Program => true,
            BookPath::Contract(_, chapter) if chapter.get() <= self.written => false,
            // Moved by hand.
            BookPath::Character { id, retired: false } => {
                let moved = layout::retired_character(id);
                !book.on_disk(&moved).is_ok_and(|found| found.is_some())
            }
            place => place.is_needed() && !self.is_open(place),
        }
    }
}

/// Whether a mistake in the file may be committed: an outline of a volume that is not begun may be half written.
fn is_tolerated(planned: &OpenPlan, damaged: &Damaged) -> bool {
    let is_syntax = |error: &FormatError| {
        matches!(error.problem, Problem::Syntax(_) | Problem::Value(_) | Problem::Outline(_) | Problem::Empty)
    };
    let place = layout::classify(&damaged.path);
    damaged.error.as_ref().is_some_and(is_syntax) && place.is_some_and(|place| planned.is_open(&place))
}

/// The reason to stop that a damaged file of the author's is.
pub(crate) fn halt_of(book: &Book, path: String, error: FormatError) -> Result<RunError, RunError> {
    if let (Problem::Outline(_), Some(bytes)) = (&error.problem, book.on_disk(&path)?)
        && let Err(errors) = Outline::form(&String::from_utf8_lossy(&bytes))
    {
        return Ok(RunError::Outline { path, errors });
    }
    Ok(RunError::BrokenEdit { path, source: error })
}

/// A file that the last commit lacks or has damaged, and the commit that has it whole.
#[derive(Debug, Clone, PartialEq)]
pub struct Damage {
    pub path: String,
    /// The reason why it cannot be used; `None` for a missing file.
    pub error: Option<FormatError>,
    /// The commit that has it whole.
    pub whole_in: CommitId,
}

/// Files of the program's that the last commit lacks or has damaged: those that every chapter is written from, and
/// whatever the author has committed since the program's last commit. Reads only, and little where nothing is wrong.
pub fn wounds(book: &Book) -> Result<Vec<Damage>, RunError> {
    let snapshot = book.snapshot()?;
    let mut paths: BTreeMap<String, Option<FormatError>> = BTreeMap::new();
    let mut fixed = vec![layout::CHECKPOINT.to_owned()];
    if has_chapters(&snapshot)? {
        fixed.extend([layout::STATE.to_owned(), layout::FORESHADOWING.to_owned()]);
    }
    for path in fixed {
        match snapshot.read(&path)? {
            None => _ = paths.insert(path, None),
            Some(bytes) => {
                if let Some(error) = fault(&path, &bytes, None) {
                    paths.insert(path, Some(error));
                }
            }
        }
    }
    for name in snapshot.list("storylines")?.into_iter().filter(|name| name.is_dir) {
        let path = format!("storylines/{}/memory.md", name.name);
        let error = snapshot.read(&path)?.and_then(|bytes| fault(&path, &bytes, None));
        paths.extend(error.map(|error| (path, Some(error))));
    }
    let mut wounds = lost_since(book, &snapshot, |place| place.owner() == Owner::Program)?;
    paths.retain(|path, _| wounds.iter().all(|wound| wound.path != *path));
    for (path, error) in paths {
        let whole_in = last_whole(book, &path)?;
        wounds.extend(whole_in.map(|whole_in| Damage { path, error, whole_in }));
    }
    // Text in another encoding is an edit, also in a file of the program's.
    let is_edit = |error: &FormatError| !error.is_damage() || matches!(error.problem, Problem::Encoding(_));
    wounds.retain(|wound| !wound.error.as_ref().is_some_and(is_edit));
    Ok(wounds)
}

/// Files that commits of the author's have removed or damaged since the program's last commit.
pub(crate) fn lost_since(
    book: &Book,
    snapshot: &Snapshot<'_>,
    is_wanted: impl Fn(&BookPath) -> bool,
) -> Result<Vec<Damage>, RunError> {
    let mut lost = Vec::new();
    let Some(before) = before_authors(book, snapshot)? else { return Ok(lost) };
    let changed = snapshot.changed_since(&before)?;
    let places: Vec<(BookPath, String)> =
        changed.into_iter().filter_map(|path| Some((layout::classify(&path)?, path))).collect();
    // With chapters come and gone, by a revert or a merge, the files beside them come and go too.
    let moves = |(place, path): &(BookPath, String)| {
        matches!(place, BookPath::Chapter(..)) && !(snapshot.has(path) && before.has(path))
    };
    let moved: BTreeSet<ChapterNo> =
        places.iter().filter(|found| moves(found)).filter_map(|(place, _)| place.chapter()).collect();
    for (place, path) in places.into_iter().filter(|(place, _)| is_wanted(place)) {
        let was = before.read(&path)?;
        let error = match snapshot.read(&path)? {
            Some(bytes) => match fault(&path, &bytes, was.as_deref()) {
                Some(error) => Some(error),
                None => continue,
            },
            None => {
                let went = place.chapter().map_or(!moved.is_empty(), |chapter| moved.contains(&chapter));
                if was.is_none() || went {
                    continue;
                }
                None
            }
        };
        let is_whole = was.is_some_and(|was| fault(&path, &was, None).is_none());
        let whole_in = if is_whole { Some(before.commit_id()) } else { last_whole(book, &path)? };
        lost.extend(whole_in.map(|whole_in| Damage { path, error, whole_in }));
    }
    Ok(lost)
}

/// The file of the author's that the last commit lacks or has damaged in such a way that no chapter should be written
/// from the book as it is.
fn unusable(book: &Book) -> Result<Option<RunError>, RunError> {
    let links = committed_links(book)?;
    if !links.is_empty() {
        return Ok(Some(RunError::InTheWay(links.into_iter().map(|link| link.place).collect())));
    }
    let snapshot = book.snapshot()?;
    if !snapshot.has(layout::STORYLINES) && last_whole(book, layout::STORYLINES)?.is_some() {
        return Ok(Some(RunError::Missing { path: layout::STORYLINES.to_owned() }));
    }
    let planned = OpenPlan::of(&snapshot);
    for wound in lost_since(book, &snapshot, |place| place.is_needed() && !planned.is_open(place))? {
        match wound.error {
            // The commit is the author's word that a file is to go or to be shorter.
            None => {}
            Some(error) if matches!(error.problem, Problem::CutOff | Problem::Outline(_)) => {}
            Some(source) if book.on_disk(&wound.path)? == snapshot.read(&wound.path)? => {
                return Ok(Some(RunError::Format { path: wound.path, source }));
            }
            Some(_) => {}
        }
    }
    Ok(None)
}

fn has_chapters(snapshot: &Snapshot<'_>) -> Result<bool, RunError> {
    for volume in snapshot.list("chapters")?.into_iter().filter(|name| name.is_dir) {
        let folder = format!("chapters/{}", volume.name);
        if snapshot.list(&folder)?.iter().any(|name| layout::is_book_path(&format!("{folder}/{}", name.name))) {
            return Ok(true);
        }
    }
    Ok(false)
}

/// The folders that planners write into.
const FOLDERS: [&str; 8] = [
    "characters/active",
    "characters/retired",
    "foreshadowing",
    "logs/plans",
    "state",
    "storylines",
    "volumes",
    "world",
];

/// The things in the way of planning: links and files in place of the folders that plans go to.
pub(crate) fn before_planning(book: &Book) -> Result<Vec<Obstruction>, RunError> {
    // A name in each folder that no file has.
    let probes = FOLDERS.map(|folder| format!("{folder}/-"));
    let fixed = [layout::BRIEF, layout::WORLD_RULES, layout::STORYLINES].map(str::to_owned);
    Ok(store::not_writable::obstructions(book, probes.iter().chain(&fixed).map(String::as_str))?
        .into_iter()
        .filter(|found| found.block != Obstacle::Untracked)
        .collect())
}

/// The things in the way of the next chapter and of planning, those of a survey of the whole book among them. Reads only.
pub fn in_the_way(book: &Book, next: Option<&NextChapter>, survey: &Survey) -> Result<Vec<Obstruction>, RunError> {
    if store::not_writable::shows_another(book)? {
        return Ok(Vec::new());
    }
    let mut found = before_planning(book)?;
    if let Some(next) = next
        // Chapters that a reset has left there are taken up.
        && !survey.strays.contains(&next.number)
    {
        let places = crate::pipeline::chapter::records::ChapterPaths::of(next.volume, next.number);
        let paths = places.written(&next.storyline);
        found.extend(store::not_writable::committed_at(book, &places.text)?);
        found.extend(store::not_writable::obstructions(book, paths.iter().map(String::as_str))?);
    }
    found.extend(survey.blocked.iter().cloned());
    found.extend(committed_links(book)?.into_iter().map(|link| link.place));
    found.extend(store::staging::obstructions_in_staging(book));
    found.sort();
    found.dedup();
    Ok(found)
}

/// The changes to those files that are wanted, where a run may go on with them: missing chapters count as `chapters` says. Reads only.
/// Fails with [`RunError::BrokenEdit`], [`RunError::Outline`], [`RunError::Deleted`], [`RunError::Lost`],
/// [`RunError::InTheWay`]; [`RunError::Format`] and [`RunError::Missing`] for a file that the last commit has damaged or
/// lacks.
pub(crate) fn sound(book: &Book, wanted: EntryFilter<'_>, chapters: MissingChapters) -> Result<Survey, RunError> {
    if let Some(error) = unusable(book)? {
        return Err(error);
    }
    let survey = survey(book, wanted)?;
    if !survey.blocked.is_empty() {
        return Err(RunError::InTheWay(survey.blocked));
    }
    if chapters == MissingChapters::Stop {
        let paths = survey.edits.iter().map(|e| &e.path).chain(survey.damaged.iter().map(|d| &d.path));
        rearranged::refuse(book, paths)?;
    }
    let theirs = survey.damaged.iter().filter(|damaged| !damaged.is_restored());
    let (missing, broken): (Vec<&Damaged>, Vec<&Damaged>) = theirs.partition(|damaged| damaged.error.is_none());
    let key = |damaged: &&Damaged| match &damaged.error {
        // The settings have other secrets too, such as the address of a server.
        Some(FormatError { at: At::Line(line), problem: Problem::Secret }) if damaged.path != layout::CONFIG => {
            Some((damaged.path.clone(), *line))
        }
        _ => None,
    };
    let keys: Vec<(String, usize)> = broken.iter().filter_map(key).collect();
    if !keys.is_empty() {
        return Err(StoreError::Keys { place: CommitSource::Folder, files: keys }.into());
    }
    let planned = OpenPlan::of(&book.snapshot()?);
    let is_refused = |damaged: &&&Damaged| !is_tolerated(&planned, damaged);
    if let Some((path, error)) = broken.iter().find(is_refused).and_then(|d| Some((d.path.clone(), d.error.clone()?))) {
        return Err(halt_of(book, path, error)?);
    }
    let is_chapter = |damaged: &Damaged| matches!(layout::classify(&damaged.path), Some(BookPath::Chapter(..)));
    let counts = |damaged: &&Damaged| chapters == MissingChapters::Stop || !is_chapter(damaged);
    let missing: Vec<String> = missing.into_iter().filter(counts).map(|damaged| damaged.path.clone()).collect();
    if missing.is_empty() { Ok(survey) } else { Err(hand_edits::missing(book, missing)?) }
}

impl Run<'_> {
    /// The author's changes among those files that are wanted, with the program's own files restored.
    /// Fails like [`sound`].
    pub(crate) fn sound_edits(
        &self,
        wanted: EntryFilter<'_>,
        chapters: MissingChapters,
    ) -> Result<Vec<Edit>, RunError> {
        let Survey { mut edits, damaged, read_in_vain, left_by_checkout, .. } =
            sound(self.session.book(), wanted, chapters)?;
        merged_draft::take_back_checkout(self, left_by_checkout)?;
        store::index_bytes::refresh_index(self.session, read_in_vain)?;
        let (ours, theirs): (Vec<Damaged>, Vec<Damaged>) = damaged.into_iter().partition(Damaged::is_restored);
        restore(self, &ours.into_iter().map(|damaged| (damaged.path, Instead::Committed)).collect())?;
        for Damaged { path, .. } in theirs.into_iter().filter(|damaged| damaged.error.is_some()) {
            let place = layout::classify(&path);
            let work = Work::Plan(place.and_then(|place| place.volume()).unwrap_or(VolumeNo::FIRST));
            self.tell(Event::Warning { work, warning: Warning::Unusable { path: path.clone() } });
            edits.push(Edit { path, kind: EditKind::Modified, staged: false });
        }
        Ok(edits)
    }
}

/// Restores the program's own files where the work tree lacks them or has them damaged.
pub fn restore_own(run: &Run<'_>) -> Result<(), RunError> {
    let damaged = survey(run.session.book(), EntryFilter::of(&layout::is_book_path))?.damaged;
    let ours = damaged.into_iter().filter(Damaged::is_restored);
    restore(run, &ours.map(|damaged| (damaged.path, Instead::Committed)).collect())
}

/// Puts damaged files of the work tree aside, with other versions in their place, and tells so.
pub(crate) fn restore(run: &Run<'_>, files: &BTreeMap<String, Instead>) -> Result<(), RunError> {
    if files.is_empty() {
        return Ok(());
    }
    let aside = store::book::rescue::put_files_aside(run.session, files, &run.author, run.calls.clock.moment())?;
    let kept = aside.kept.map(|kept| kept.short());
    let converted = files.iter().filter(|(_, instead)| matches!(instead, Instead::Bytes(_)));
    let converted = converted.map(|(path, _)| path.clone()).collect();
    run.tell(Event::Restored(RestoredFiles { paths: aside.paths, converted, kept, commit: None }));
    Ok(())
}

/// Restores the program's own files that the last commit lacks or has damaged, in one commit.
/// Fails when the repository cannot be read or the commit is refused.
pub fn heal(run: &Run<'_>, wounds: &[Damage]) -> Result<Option<Committed>, RunError> {
    let book = run.session.book();
    let change = wounds_as_change(book, wounds)?.and(moved_records::in_commits(book)?);
    let paths = change.puts.keys().cloned().collect();
    let committed = put_right(run, change)?;
    if let Some(committed) = &committed {
        let commit = Some(committed.id.to_string());
        run.tell(Event::Restored(RestoredFiles { paths, converted: Vec::new(), kept: None, commit }));
    }
    Ok(committed)
}

/// Repairs the work tree: every damaged file is put aside, decoded where it is text in another encoding, and otherwise
/// replaced by the last good version.
pub fn repair_folder(run: &Run<'_>) -> Result<(), RunError> {
    let book = run.session.book();
    let snapshot = book.snapshot()?;
    let mut files = BTreeMap::new();
    for damaged in survey(book, EntryFilter::of(&layout::is_book_path))?.damaged {
        if damaged.is_repairable() {
            let instead = instead(run, &snapshot, &damaged)?;
            files.insert(damaged.path, instead);
        }
    }
    restore(run, &files)
}

fn instead(run: &Run<'_>, snapshot: &Snapshot<'_>, damaged: &Damaged) -> Result<Instead, RunError> {
    let bytes = run.session.book().on_disk(&damaged.path)?.unwrap_or_default();
    let was = snapshot.read(&damaged.path)?;
    let text = encoding::decode(&bytes).map(|(_, text)| text.into_bytes());
    let text = text.filter(|text| fault(&damaged.path, text, was.as_deref()).is_none());
    Ok(text.map_or(Instead::Committed, Instead::Bytes))
}

/// Makes one commit of `change`, which brings versions of files back. A sound version that the author has on disk
/// counts more; a damaged one is put aside.
pub(crate) fn put_right(run: &Run<'_>, mut change: Change) -> Result<Option<Committed>, RunError> {
    let book = run.session.book();
    let snapshot = book.snapshot()?;
    let mut aside = BTreeMap::new();
    for (path, new) in &mut change.puts {
        let (disk, committed) = (book.on_disk(path)?, snapshot.read(path)?);
        let same = |bytes: &Option<Vec<u8>>| {
            let plain = |bytes: &[u8]| String::from_utf8_lossy(bytes).replace("\r\n", "\n");
            disk.as_deref().map(plain) == bytes.as_deref().map(plain)
        };
        match &disk {
            _ if same(&committed) || same(&Some(new.clone())) => {}
            Some(bytes) if fault(path, bytes, None).is_none() => *new = bytes.clone(),
            _ => _ = aside.insert(path.clone(), Instead::Committed),
        }
    }
    restore(run, &aside)?;
    if change == Change::default() {
        return Ok(None);
    }
    let body = change.puts.keys().map(|path| format!("- {path}\n")).collect::<String>();
    let message = Message::new(Kind::Rebuild, Subject::Repaired).body(&body);
    let work = Work::Step(Step::Regenerate);
    Ok(Some(BookCommit::new(run, work, message, change, &snapshot).make_unless_edited()?))
}

fn wounds_as_change(book: &Book, wounds: &[Damage]) -> Result<Change, RunError> {
    let mut change = Change::default();
    for wound in wounds {
        if let Some(bytes) = book.snapshot_of(wound.whole_in)?.read(&wound.path)? {
            change = change.put(&wound.path, bytes);
        }
    }
    Ok(change)
}
