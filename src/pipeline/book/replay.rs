//! The state as a function of the book: folding the deltas of its chapters, with what was changed beside them, gives what
//! is committed, byte for byte.
//! Which chapters there are follows from the tree. The history adds what no delta says: edits of the state by hand, by
//! planning, by a retirement. It is read along the commits that the content comes from, so that a merge, a squash, an
//! amend or a revert by plain git leaves nothing out and counts nothing twice.
//! Chapters that left nothing in the state because their operations could not be read, and when the state has to be
//! rebuilt from them.

use crate::domain::book::checkpoint::Totals;
use crate::domain::state::State;
use crate::domain::state::history::{Facts, HistoryStep};
use crate::domain::world::contract::Rule;
use crate::pipeline::book::chapter_context;
use crate::pipeline::book::files;
use crate::pipeline::book::memories;
use crate::pipeline::prelude::*;
use crate::store::format::renumber::renumbered;
use crate::store::{self, Contents};

/// A file that is not what the replay gives.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReplayMismatch {
    /// The last chapter that the book had when the two began to differ; `None` before the first.
    pub chapter: Option<ChapterNo>,
    pub path: String,
}

#[derive(Debug, Clone, PartialEq)]
pub struct Replayed {
    /// The history of the state, and the state and the ledger after it.
    pub chronicle: Chronicle,
    pub chapters: u32,
    /// Those of the two files that differ at the last commit. An earlier difference that has been put right does not count.
    pub mismatches: Vec<ReplayMismatch>,
}

pub fn replay(book: &Book) -> Result<Replayed, RunError> {
    replay_of(book, book.tip()?)
}

pub(crate) fn replay_of(book: &Book, tip: CommitId) -> Result<Replayed, RunError> {
    let mut replaying = Replaying::default();
    let previous = replaying.go_on(book, store::provenance::content_line(book, tip)?, None)?;
    let Replaying { chronicle, differs_since, .. } = replaying;
    let chapters = u32::try_from(chronicle.chapters().count()).unwrap_or(u32::MAX);
    let mut mismatches = Vec::new();
    if let (Some(snapshot), Some(chapter)) = (&previous, differs_since) {
        let differing = written(snapshot, chronicle.now())?.into_iter().filter(|(_, right, _)| !right);
        mismatches.extend(differing.map(|(path, ..)| ReplayMismatch { chapter, path }));
    }
    Ok(Replayed { chronicle, chapters, mismatches })
}

/// The bytes of state and ledger at a commit, by replay.
pub(crate) fn files_at(book: &Book, commit: CommitId) -> Result<[Vec<u8>; 2], RunError> {
    let chronicle = replay_of(book, commit)?.chronicle;
    let Facts { state, ledger } = chronicle.now();
    Ok([format::state::write(state), format::foreshadowing::write(ledger, None)])
}

/// The change after which state and ledger are those of `facts`. Empty when they are already.
pub(crate) fn restored(snapshot: &Snapshot<'_>, facts: &Facts) -> Result<Change, RunError> {
    let differing = written(snapshot, facts)?.into_iter().filter(|(_, right, _)| !right);
    Ok(differing.fold(Change::default(), |change, (path, _, bytes)| change.put(&path, bytes)))
}

/// The change after which each delta names the version of the state before its chapter. Empty when all do.
pub(crate) fn bases(view: &BookView<'_>, chronicle: &Chronicle) -> Result<Change, RunError> {
    let mut change = Change::default();
    let version = |facts: &Facts| facts.state.version;
    chronicle.walk_parts(1..=u32::MAX, version, |delta, before, _| {
        if delta.base_version != *before {
            let path = layout::delta(view.volume_of(delta.chapter)?, delta.chapter);
            let right = Delta { base_version: *before, ..delta.clone() };
            change =
                std::mem::take(&mut change).put(&path, format::delta::write(&right, view.bytes(&path)?.as_deref()));
        }
        Ok::<(), RunError>(())
    })?;
    Ok(change)
}

/// Whether the state and the ledger of the snapshot are those of `facts`.
pub(super) fn is_recorded(snapshot: &Snapshot<'_>, facts: &Facts) -> Result<bool, RunError> {
    let [state, ledger] = [snapshot.read(layout::STATE)?, snapshot.read(layout::FORESHADOWING)?];
    // To read a file takes a fraction of the time that it takes to write it.
    let same_state = || format::state::read(&state?).ok().map(|state| state == facts.state);
    let same_ledger = || format::foreshadowing::read(&ledger?).ok().map(|ledger| ledger == facts.ledger);
    if same_state() == Some(true) && same_ledger() == Some(true) {
        return Ok(true);
    }
    Ok(written(snapshot, facts)?.iter().all(|(_, right, _)| *right))
}

/// The two files as the facts have them, and whether the snapshot says the same.
fn written(snapshot: &Snapshot<'_>, facts: &Facts) -> Result<[(String, bool, Vec<u8>); 2], RunError> {
    let [state, ledger] = [snapshot.read(layout::STATE)?, snapshot.read(layout::FORESHADOWING)?];
    let new_state = format::state::write(&facts.state);
    let new_ledger = format::foreshadowing::write(&facts.ledger, ledger.as_deref());
    // An author may have typed the same with other line breaks.
    let same_state = match state.as_deref() {
        None => facts.state == State::default(),
        Some(bytes) if bytes == new_state => true,
        Some(bytes) => format::state::read(bytes).is_ok_and(|read| format::state::write(&read) == new_state),
    };
    let same_ledger = match ledger.as_deref() {
        None => facts.ledger.entries.is_empty(),
        Some(bytes) if bytes == new_ledger => true,
        Some(bytes) => format::foreshadowing::read(bytes)
            .is_ok_and(|read| format::foreshadowing::write(&read, Some(bytes)) == new_ledger),
    };
    Ok([(layout::STATE.to_owned(), same_state, new_state), (layout::FORESHADOWING.to_owned(), same_ledger, new_ledger)])
}

/// A replay as far as it has come. It can go on later, from the commit that it has come to.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct Replaying {
    pub(super) chronicle: Chronicle,
    pub(super) texts: BTreeMap<VolumeNo, BTreeSet<ChapterNo>>,
    /// The deltas, as far as they can be read, each with the commit that brought it.
    pub(super) deltas: BTreeMap<(VolumeNo, ChapterNo), (Delta, CommitId)>,
    /// The commits that made the edits of the chronicle, in their order.
    pub(super) edits: Vec<CommitId>,
    /// The last chapter at the commit from which on the committed facts differ.
    differs_since: Option<Option<ChapterNo>>,
    /// The last chapter before the part of the book that is replayed; `None` for a replay from the start.
    part_after: Option<ChapterNo>,
    /// Whether a chapter before the part has changed since, so that the facts before it are others now.
    is_part_outdated: bool,
}

impl Replaying {
    /// A replay that begins where the book had these facts and these chapters, the last of which is `last`.
    pub(super) fn after(facts: Facts, last: ChapterNo, contents: &Contents) -> Self {
        let mut texts: BTreeMap<VolumeNo, BTreeSet<ChapterNo>> = BTreeMap::new();
        for (chapter, volume) in contents.iter() {
            texts.entry(volume).or_default().insert(chapter);
        }
        Self { chronicle: Chronicle::after(facts), texts, part_after: Some(last), ..Self::default() }
    }

    /// The chronicle of the part, unless it can't be had without what is before it.
    pub(super) fn part(self) -> Option<Chronicle> {
        (!self.is_part_outdated).then_some(self.chronicle)
    }

    /// Goes on through the commits of `line`, which is newest first, from the commit that it has come to. Returns the last one.
    pub(super) fn go_on<'b>(
        &mut self,
        book: &'b Book,
        line: Vec<CommitId>,
        from: Option<CommitId>,
    ) -> Result<Option<Snapshot<'b>>, RunError> {
        let mut previous = from.map(|from| book.snapshot_of(from)).transpose()?;
        for commit in line.into_iter().rev() {
            let snapshot = book.snapshot_of(commit)?;
            self.step(&snapshot, previous.as_ref())?;
            previous = Some(snapshot);
        }
        Ok(previous)
    }

    /// Goes on to a commit from the one that its content comes from.
    fn step(&mut self, snapshot: &Snapshot<'_>, previous: Option<&Snapshot<'_>>) -> Result<(), RunError> {
        let folders = [layout::CHAPTERS, layout::STATE_FOLDER, layout::LEDGER_FOLDER];
        let mut chapters = BTreeSet::new();
        let mut facts_changed = previous.is_none();
        for path in snapshot.changed_in(&folders, previous)? {
            match layout::classify(&path) {
                Some(BookPath::Chapter(volume, chapter)) => {
                    let texts = self.texts.entry(volume).or_default();
                    let changed = if snapshot.has(&path) { texts.insert(chapter) } else { texts.remove(&chapter) };
                    chapters.extend(changed.then_some(chapter));
                }
                Some(BookPath::Delta(volume, chapter)) => {
                    chapters.insert(chapter);
                    // The look at formats tells of an unreadable one; it counts for nothing.
                    match snapshot.read(&path)?.and_then(|bytes| format::delta::read(&bytes).ok()) {
                        Some(delta) => self.deltas.insert((volume, chapter), (delta, snapshot.commit_id())),
                        None => self.deltas.remove(&(volume, chapter)),
                    };
                }
                Some(BookPath::State | BookPath::Foreshadowing) => facts_changed = true,
                _ => {}
            }
        }
        self.is_part_outdated |= chapters.first() <= self.part_after.as_ref() && !chapters.is_empty();
        if self.is_part_outdated {
            return Ok(());
        }
        self.fold(&chapters);
        if facts_changed || !chapters.is_empty() {
            self.compare(snapshot, facts_changed)?;
        }
        Ok(())
    }

    /// Takes in the chapters that have changed.
    fn fold(&mut self, changed: &BTreeSet<ChapterNo>) {
        let last = self.chronicle.chapters().last().map(|delta| delta.chapter);
        let Some(first) = changed.first() else { return };
        if last.is_none_or(|last| *first > last) {
            for chapter in changed {
                if let Some((delta, opens_volume)) = self.chapter(*chapter) {
                    self.chronicle.push(HistoryStep::Chapter { delta, opens_volume });
                }
            }
            return;
        }
        let chapters =
            self.volumes().into_iter().filter_map(|(chapter, volume)| Some((chapter, self.delta(chapter, volume)?)));
        self.chronicle = self.chronicle.with_chapters(chapters.collect());
    }

    /// The volume of a chapter: of two volumes with it, the earlier.
    fn volume_of(&self, chapter: ChapterNo) -> Option<VolumeNo> {
        self.texts.iter().find(|(_, texts)| texts.contains(&chapter)).map(|(volume, _)| *volume)
    }

    /// The same for every chapter, in one look at the volumes.
    pub(super) fn volumes(&self) -> BTreeMap<ChapterNo, VolumeNo> {
        let mut volumes = BTreeMap::new();
        for (volume, chapters) in &self.texts {
            for chapter in chapters {
                volumes.entry(*chapter).or_insert(*volume);
            }
        }
        volumes
    }

    /// The delta of a chapter, and whether it opens its volume.
    fn chapter(&self, chapter: ChapterNo) -> Option<(Delta, bool)> {
        self.delta(chapter, self.volume_of(chapter)?)
    }

    fn delta(&self, chapter: ChapterNo, volume: VolumeNo) -> Option<(Delta, bool)> {
        let (delta, _) = self.deltas.get(&(volume, chapter))?;
        Some((delta.clone(), self.texts.get(&volume)?.first() == Some(&chapter)))
    }

    /// Compares the committed state and ledger with the replay. A change by hand or by a plan becomes a step of its own;
    /// a file that is damaged, or is of other chapters than the book has, does not, and neither do files that have not followed a delta.
    fn compare(&mut self, snapshot: &Snapshot<'_>, facts_changed: bool) -> Result<(), RunError> {
        let now = self.chronicle.now();
        if [layout::STATE, layout::FORESHADOWING].iter().any(|path| snapshot.is_lost(path)) {
            // The recorded facts tell nothing, and the deltas go on.
            return Ok(());
        }
        if is_recorded(snapshot, now)? {
            self.differs_since = None;
            return Ok(());
        }
        let view = BookView::new(snapshot.clone());
        match (view.state(), view.ledger()) {
            (Ok(state), Ok(ledger)) if facts_changed => {
                let facts = Facts { state, ledger };
                if now.may_become(&facts) {
                    if self.chronicle.set(facts) {
                        self.edits.push(snapshot.commit_id());
                    }
                    self.differs_since = None;
                    return Ok(());
                }
            }
            (Err(error @ RunError::Store(_)), _) | (_, Err(error @ RunError::Store(_))) => return Err(error),
            _ => {}
        }
        let last = self.texts.values().filter_map(|texts| texts.last().copied()).max();
        self.differs_since = Some(self.differs_since.unwrap_or(last));
        Ok(())
    }
}

/// The change after which no rule is noted as verified in a chapter after the last one: the reports tell the last chapter before.
fn verified_until(view: &BookView<'_>, last: ChapterNo) -> Result<Change, RunError> {
    let mut rules = files::rules(view)?;
    let is_later = |rule: &Rule| rule.last_verified.is_some_and(|chapter| chapter > last.get());
    if !rules.iter().any(is_later) {
        return Ok(Change::default());
    }
    for rule in rules.iter_mut().filter(|rule| is_later(rule)) {
        rule.last_verified = None;
        for (chapter, volume) in view.contents()?.iter().rev().filter(|(chapter, _)| *chapter <= last) {
            if files::evaluation(view, volume, chapter)?.is_some_and(|report| report.evaluation.verifies(&rule.id)) {
                rule.last_verified = Some(chapter.get());
                break;
            }
        }
    }
    view.put(Change::default(), layout::WORLD_RULES, |was| format::rules::write(&rules, was))
}

/// The change that a rollback to `chapter` makes beside going to `commit`, when that commit brought later chapters along:
/// their files leave, and state, ledger, memories, notes at rules and checkpoint are those of the chapter. Numbers of chapters after it, in
/// plans above all, become those that the steps `since` the commit have given them, the oldest first. Empty when the commit ends with the
/// chapter and there are no such steps.
pub fn cut(book: &Book, commit: CommitId, chapter: ChapterNo, since: &[Renumbering]) -> Result<Change, RunError> {
    let snapshot = BookView::new(book.snapshot_of(commit)?);
    if since.is_empty() && snapshot.contents()?.last().is_none_or(|last| last <= chapter) {
        return Ok(Change::default());
    }
    let mut numbered = Change::default();
    for path in snapshot.files("")?.into_iter().filter(|_| !since.is_empty()) {
        let Some((place, bytes)) = layout::classify(&path).zip(snapshot.bytes(&path)?) else { continue };
        let new = since.iter().fold(bytes.clone(), |bytes, how| renumbered(&place, &bytes, *how));
        numbered = if new == bytes { numbered } else { numbered.put(&path, new) };
    }
    let snapshot = BookView::new(store::change::snapshot_over(book, commit, &numbered)?);
    let mut chronicle = replay_of(book, commit)?.chronicle.until(chapter);
    if !since.is_empty() {
        let mut chapters = BTreeMap::new();
        for step in chronicle.steps() {
            let HistoryStep::Chapter { delta, opens_volume } = step else { continue };
            let numbered = files::delta(&snapshot, snapshot.volume_of(delta.chapter)?, delta.chapter)?;
            chapters.insert(delta.chapter, (numbered.unwrap_or_else(|| delta.clone()), *opens_volume));
        }
        chronicle = chronicle.with_chapters(chapters);
    }
    let is_later = |path: &String| {
        let place = layout::classify(path);
        place.is_some_and(|place| place.chapter().is_some_and(|of| of > chapter && place.is_result_of(of)))
    };
    let later = snapshot.files("")?.into_iter().filter(is_later);
    let kept = numbered.and(restored(&snapshot, chronicle.now())?);
    let kept = kept.and(memories::restored(book, &snapshot, &chronicle)?).and(verified_until(&snapshot, chapter)?);
    let change = later.fold(kept, |change, path| change.remove(&path));
    let view = BookView::new(store::change::snapshot_over(book, commit, &change)?);
    let recorded = view.recorded_checkpoint()?;
    view.put_checkpoint(change, &view.corrected(recorded)?)
}

/// From so many chapters without operations on, a rebuild of the state is proposed (agent protocol §10.6, rule 1).
const THIN_FROM: u32 = 3;
/// The proposal is repeated every so many chapters: the rhythm of the author's quality brief (orchestrator chapter §8.2).
pub(crate) const BRIEF_EVERY: u32 = 5;

/// Returns whether so many chapters are without operations that a rebuild is proposed.
pub(crate) fn is_thin(totals: Totals) -> bool {
    totals.skipped_ops >= THIN_FROM
}

/// The accepted chapters whose operations could not be read, the earliest first; empty while a rebuild is not due. The
/// deltas say which they are, and are read backwards only until all that the checkpoint counts are found.
pub fn without_operations(view: &BookView<'_>) -> Result<Vec<ChapterNo>, RunError> {
    let checkpoint = view.checkpoint_with_totals()?;
    let mut found = Vec::new();
    if !is_thin(checkpoint.totals) {
        return Ok(found);
    }
    for (chapter, volume) in chapter_context::among(view, 1..=checkpoint.last_completed)?.into_iter().rev() {
        if found.len() as u32 >= checkpoint.totals.skipped_ops {
            break;
        }
        if files::delta(view, volume, chapter)?.is_some_and(|delta| delta.skipped.is_some()) {
            found.push(chapter);
        }
    }
    found.reverse();
    Ok(found)
}
