//! The commit that each chapter is from. A chapter exists because the tree has it; commits only tell how it came there.
//! The text is followed back from the tip: through every commit that left it as it was, at a merge into the line that
//! brought it, and over the author's own changes, until the commit that accepted it. When the author has replaced
//! that commit (by an amend, a squash, a revert), the commit that accepted the very same text counts if it is still
//! in the history, and otherwise the one that brought the text.
//! The commits that the present content of some folders comes from, on all lines that were joined.

use crate::store::book::commit_walk::{
    CommitWalk, Transaction, may_accept, may_be_of, may_have, may_renumber, may_return,
};
use crate::store::book::snapshot::{ChapterFile, chapter_files, chapters_id};
use crate::store::drafts::draft;
use crate::store::layout;
use crate::store::prelude::*;
use git2::{Commit, Tree};
use std::cell::OnceCell;
use std::collections::BinaryHeap;
use std::str::FromStr;

/// The chapters whose commit is looked for, each with the file that the commit at hand has.
type SoughtChapters = BTreeMap<ChapterNo, ChapterFile>;

/// So many chapters are looked up in a commit one by one; for more, its folders are compared with its parent's.
const FEW: usize = 8;

/// A search that starts at one tip.
pub(crate) struct Provenance<'b> {
    book: &'b Book,
    tip: Oid,
    /// Every commit in the history of the tip that accepted a chapter, newest first; read when it is needed.
    accepts: OnceCell<BTreeMap<ChapterNo, Vec<Oid>>>,
}

impl<'b> Provenance<'b> {
    pub(crate) fn new(book: &'b Book, tip: Oid) -> Self {
        Self { book, tip, accepts: OnceCell::new() }
    }

    /// The commit of every chapter that the tip has.
    pub(crate) fn of_all(&self) -> Result<BTreeMap<ChapterNo, Transaction>, StoreError> {
        self.of(chapter_files(&self.book.repo, &self.book.commit_tree(self.tip)?)?)
    }

    /// The commits of those chapters, which the tip has as they are given.
    pub(crate) fn of(&self, wanted: SoughtChapters) -> Result<BTreeMap<ChapterNo, Transaction>, StoreError> {
        let found = self.from(self.tip, wanted)?;
        found.into_iter().map(|(chapter, id)| Ok((chapter, self.book.transaction(id)?))).collect()
    }

    /// The commits of the chapters that `tip` has as they are given.
    fn from(&self, tip: Oid, wanted: SoughtChapters) -> Result<BTreeMap<ChapterNo, CommitId>, StoreError> {
        let mut found: BTreeMap<ChapterNo, CommitId> = BTreeMap::new();
        let mut lines = vec![(tip, wanted)];
        while let Some((mut at, mut wanted)) = lines.pop() {
            loop {
                if wanted.is_empty() {
                    break;
                }
                if let Some(parent) = self.plain_parent(at, &wanted)? {
                    at = parent;
                    continue;
                }
                let transaction = self.book.transaction(at.into())?;
                if let Some(chapter) = transaction.accepts()
                    && wanted.remove(&chapter).is_some()
                {
                    found.insert(chapter, transaction.id);
                }
                if wanted.is_empty() {
                    break;
                }
                let sources = sources(self.book, &transaction)?;
                let Some(&source) = sources.first() else {
                    found.extend(wanted.into_keys().map(|chapter| (chapter, transaction.id)));
                    break;
                };
                if let Some(how) = transaction.renumbers() {
                    found.extend(self.before_renumbering(&transaction, how, source, wanted)?);
                    break;
                }
                for (chapter, file) in self.changed(at, source, &mut wanted)? {
                    match self.origin(chapter, file, &sources)? {
                        ChapterOrigin::Line(line, file) => lines.push((line, SoughtChapters::from([(chapter, file)]))),
                        ChapterOrigin::Accepted(of) => {
                            found.insert(chapter, of.into());
                        }
                        ChapterOrigin::Here => {
                            found.insert(chapter, transaction.id);
                        }
                    }
                }
                at = source;
            }
        }
        Ok(found)
    }

    /// The commits of chapters that had other numbers before the transaction. A text that was no chapter then comes from it.
    fn before_renumbering(
        &self,
        transaction: &Transaction,
        how: Renumbering,
        mut source: Oid,
        wanted: SoughtChapters,
    ) -> Result<BTreeMap<ChapterNo, CommitId>, StoreError> {
        let files_of = |commit| chapter_files(&self.book.repo, &self.book.commit_tree(commit)?);
        let mut files = files_of(source)?;
        let is_moved = |(chapter, file): (&ChapterNo, &ChapterFile)| {
            let there = files.get(chapter).is_some_and(|there| there.blob == file.blob);
            there && how.before(*chapter) != Some(*chapter)
        };
        if wanted.iter().any(is_moved) {
            // The author's commits before it had moved the files already.
            let mut author = self.book.transaction(source.into())?;
            while !author.is_ours
                && let Some(&earlier) = sources(self.book, &author)?.first()
            {
                (author, source) = (self.book.transaction(earlier.into())?, earlier);
            }
            files = files_of(source)?;
        }
        let (mut before, mut found) = (SoughtChapters::new(), BTreeMap::new());
        for chapter in wanted.into_keys() {
            let was = how.before(chapter).and_then(|was| Some((was, *files.get(&was)?)));
            match was {
                Some((was, file)) => _ = before.insert(was, file),
                None => _ = found.insert(chapter, transaction.id),
            }
        }
        let before = self.from(source, before)?.into_iter();
        found.extend(before.filter_map(|(was, commit)| Some((how.of(was)?, commit))));
        Ok(found)
    }

    /// The parent of a commit that has nothing to do with the `wanted` chapters: it accepts none of them, gives no other numbers,
    /// goes back to no other commit, and has their files as the parent has them. Reads its message and its folders alone.
    fn plain_parent(&self, at: Oid, wanted: &SoughtChapters) -> Result<Option<Oid>, StoreError> {
        let (Some(first), Some(last)) = (wanted.first_key_value(), wanted.last_key_value()) else { return Ok(None) };
        let commit = self.book.repo.find_commit(at).doing("reading a commit")?;
        let message = commit.message_raw_bytes();
        let may_matter = || may_return(message) || may_renumber(message) || may_accept(message, &(*first.0..=*last.0));
        if commit.parent_count() != 1 || may_matter() {
            return Ok(None);
        }
        let parent = commit.parent_id(0).doing("reading a commit")?;
        // A shallow clone ends somewhere.
        let Some(earlier) = self.book.repo.find_commit(parent).or_missing("reading a commit")? else { return Ok(None) };
        let (new, old) = (commit.tree().doing("reading a commit")?, earlier.tree().doing("reading a commit")?);
        if chapters_id(&new) == chapters_id(&old) {
            return Ok(Some(parent));
        }
        let is_there = |(chapter, file): (&ChapterNo, &ChapterFile)| {
            tree::blob_at(&old, &layout::chapter(file.volume, *chapter)).is_some_and(|blob| blob.id == file.blob)
        };
        Ok((wanted.len() <= FEW && wanted.iter().all(is_there)).then_some(parent))
    }

    /// Takes those out of `wanted` whose file differs between `at` and `source`.
    fn changed(&self, at: Oid, source: Oid, wanted: &mut SoughtChapters) -> Result<SoughtChapters, StoreError> {
        let (new, old) = (self.book.commit_tree(at)?, self.book.commit_tree(source)?);
        if chapters_id(&new) == chapters_id(&old) {
            return Ok(SoughtChapters::new());
        }
        let mut changed = SoughtChapters::new();
        for difference in tree::differences_in(&self.book.repo, layout::CHAPTERS, &old, &new)? {
            let Some(BookPath::Chapter(volume, chapter)) = layout::classify(&difference.path) else { continue };
            if wanted.get(&chapter).is_some_and(|file| file.volume == volume) {
                changed.extend(wanted.remove_entry(&chapter));
            }
        }
        Ok(changed)
    }

    /// Finds the origin of a text that the first of `sources` does not have.
    fn origin(&self, chapter: ChapterNo, file: ChapterFile, sources: &[Oid]) -> Result<ChapterOrigin, StoreError> {
        let path = layout::chapter(file.volume, chapter);
        let at = |commit: Oid| Ok::<_, StoreError>(tree::blob_at(&self.book.commit_tree(commit)?, &path).map(|b| b.id));
        for source in sources {
            if at(*source)? == Some(file.blob) {
                return Ok(ChapterOrigin::Line(*source, file));
            }
        }
        for commit in self.accepts()?.get(&chapter).into_iter().flatten() {
            if at(*commit)? == Some(file.blob) {
                return Ok(ChapterOrigin::Accepted(*commit));
            }
        }
        for source in sources {
            if let Some(blob) = at(*source)? {
                return Ok(ChapterOrigin::Line(*source, ChapterFile { blob, ..file }));
            }
        }
        Ok(ChapterOrigin::Here)
    }

    fn accepts(&self) -> Result<&BTreeMap<ChapterNo, Vec<Oid>>, StoreError> {
        if let Some(known) = self.accepts.get() {
            return Ok(known);
        }
        let mut accepts: BTreeMap<ChapterNo, Vec<Oid>> = BTreeMap::new();
        for id in ancestors(self.book, self.tip)? {
            if let Some(chapter) = self.book.transaction(id)?.accepts() {
                accepts.entry(chapter).or_default().push(id.oid());
            }
        }
        Ok(self.accepts.get_or_init(|| accepts))
    }
}

enum ChapterOrigin {
    /// That commit has the chapter, as the file that is given.
    Line(Oid, ChapterFile),
    /// That commit accepted the very same text.
    Accepted(Oid),
    /// The commit at hand brought it.
    Here,
}

/// The folders of chapters, of the state and of the ledger, by which two commits with the same story are told at once.
type ContentPrint = [Option<Oid>; 3];

fn content_print(tree: &Tree<'_>) -> ContentPrint {
    [layout::CHAPTERS, layout::STATE_FOLDER, layout::LEDGER_FOLDER]
        .map(|name| tree.get_name(name).map(|entry| entry.id()))
}

/// The commits that `transaction` may have its content from, the likeliest first: the one that it went back to, where
/// that is in its history, and its parents.
pub(crate) fn sources(book: &Book, transaction: &Transaction) -> Result<Vec<Oid>, StoreError> {
    let commit = book.repo.find_commit(transaction.id.oid()).doing("reading a commit")?;
    let mut sources = Vec::new();
    if let Some(to) = transaction.returns_to()
        && draft::reaches(book, transaction.id.oid(), to)?
    {
        sources.push(to);
    }
    for parent in commit.parent_ids() {
        // A shallow clone ends somewhere.
        let is_there = book.repo.find_commit(parent).or_missing("reading a commit")?.is_some();
        if is_there && !sources.contains(&parent) {
            sources.push(parent);
        }
    }
    Ok(sources)
}

/// The commits that the chapters and the state of `tip` come from, newest first: each is the one whose content the one
/// before it in the list has taken over or changed.
///
/// That is the commit that was gone back to, at a merge the line that has the same, and for a commit by which the
/// author restored an earlier content (a revert of a revert, say) the earlier commit; otherwise the parent.
pub fn content_line(book: &Book, tip: CommitId) -> Result<Vec<CommitId>, StoreError> {
    content_line_to(book, tip, None).map(|(line, _)| line)
}

/// The commits of [`Self::content_line`] that come after `known`, newest first; `None` when the line does not lead there.
pub fn content_line_after(book: &Book, tip: CommitId, known: CommitId) -> Result<Option<Vec<CommitId>>, StoreError> {
    let (line, reached) = content_line_to(book, tip, Some(known.oid()))?;
    Ok(reached.then_some(line))
}

/// The line down to `end`, which is left out, and whether it leads there. The next commit of a line depends on
/// the present one alone, so the line of one tip is the end of the line of every tip that leads to it.
fn content_line_to(book: &Book, tip: CommitId, end: Option<Oid>) -> Result<(Vec<CommitId>, bool), StoreError> {
    let print = |id: Oid| Ok::<_, StoreError>(content_print(&book.commit_tree(id)?));
    let mut earlier: Option<BTreeMap<ContentPrint, Vec<Oid>>> = None;
    let (mut line, mut at) = (Vec::new(), Some(tip.oid()));
    while let Some(id) = at {
        if end == Some(id) {
            return Ok((line, true));
        }
        line.push(id.into());
        let transaction = book.transaction(id.into())?;
        let sources = sources(book, &transaction)?;
        let here = print(id)?;
        at = None;
        for source in &sources {
            if print(*source)? == here {
                at = Some(*source);
                break;
            }
        }
        if at.is_some() {
            continue;
        }
        let is_authors = transaction.kind == Kind::HandEdit;
        if is_authors && !sources.is_empty() {
            if earlier.is_none() {
                let mut known: BTreeMap<ContentPrint, Vec<Oid>> = BTreeMap::new();
                for commit in ancestors(book, tip.oid())? {
                    known.entry(print(commit.oid())?).or_default().push(commit.oid());
                }
                earlier = Some(known);
            }
            let same = earlier.as_ref().and_then(|known| known.get(&here));
            at = newest_before(book, id, same.map(Vec::as_slice).unwrap_or_default())?;
        }
        at = at.or(sources.first().copied());
    }
    Ok((line, false))
}

/// The newest of `commits` that is in the history of `id` and is not `id` itself.
fn newest_before(book: &Book, id: Oid, commits: &[Oid]) -> Result<Option<Oid>, StoreError> {
    let mut before = Vec::new();
    for commit in commits {
        if *commit != id && draft::reaches(book, id, *commit)? {
            before.push(*commit);
        }
    }
    if before.len() < 2 {
        return Ok(before.pop());
    }
    // The order of lines that run side by side must not depend on the tip.
    Ok(ancestors(book, id)?.into_iter().map(CommitId::oid).find(|commit| before.contains(commit)))
}

/// Every commit in the history of `tip`, itself included, on all lines, newest first.
pub(super) fn ancestors(book: &Book, tip: Oid) -> Result<Vec<CommitId>, StoreError> {
    let mut walk = book.repo.revwalk().doing("walking the history")?;
    walk.set_sorting(git2::Sort::TOPOLOGICAL | git2::Sort::TIME).doing("walking the history")?;
    walk.push(tip).doing("walking the history")?;
    walk.map(|id| id.map(CommitId::from).doing("walking the history")).collect()
}

/// The commit that accepted a chapter as `commit` has it; the author's later changes of the text do not count.
pub fn accepted_at(book: &Book, chapter: ChapterNo, commit: CommitId) -> Result<Option<Transaction>, StoreError> {
    let tree = book.commit_tree(commit.oid())?;
    let file = book.contents_of(commit)?.file_of(chapter, &tree).map(|file| (chapter, file));
    let found = Provenance::new(book, commit.oid()).of(file.into_iter().collect())?.into_values().next();
    Ok(found.filter(|transaction| transaction.accepts().is_some()))
}

/// The number that a chapter of a commit has now; `None` after it was removed or joined with another.
pub fn number_now(book: &Book, chapter: ChapterNo, commit: CommitId) -> Result<Option<ChapterNo>, StoreError> {
    Ok(Renumbering::of_all(renumberings_after(book, commit)?.iter().rev(), chapter))
}

/// The number that the chapter of a draft has now; `None` where the chapter is gone. The draft may have been begun behind a change of
/// numbers that an undo has taken back since.
pub fn number_of_draft(book: &Book, chapter: ChapterNo, tip: CommitId) -> Result<Option<ChapterNo>, StoreError> {
    match draft::begin_of(book, tip.oid())? {
        Some(begin) => Ok(Renumbering::of_all(&renumberings_since(book, begin)?, chapter)),
        None => number_now(book, chapter, tip),
    }
}

/// The changes of numbers in effect that the commit has not seen, newest first.
pub(crate) fn renumberings_after(book: &Book, commit: CommitId) -> Result<Vec<Renumbering>, StoreError> {
    let mut since = Vec::new();
    for step in CommitWalk::in_effect(&book.repo, book.tip()?.oid()).of_kinds(&[Kind::Plan]) {
        let step = step?;
        if let Some(how) = step.renumbers()
            && !draft::reaches(book, commit.oid(), step.id.oid())?
        {
            since.push(how);
        }
    }
    Ok(since)
}

/// The changes of numbers on the accepted line after `base`, oldest first, without those that were taken back at once; the undo of an
/// earlier one counts in reverse.
pub(crate) fn renumberings_since(book: &Book, base: Oid) -> Result<Vec<Renumbering>, StoreError> {
    let mut since = Vec::new();
    for step in CommitWalk::of_line(&book.repo, book.tip()?.oid()) {
        let step = step?;
        if step.id.oid() == base {
            let mut left: Vec<(CommitId, Renumbering)> = Vec::new();
            for (id, of, how) in since.into_iter().rev() {
                match left.last() {
                    Some((last, _)) if of == Some(*last) => _ = left.pop(),
                    _ => left.push((id, how)),
                }
            }
            return Ok(left.into_iter().map(|(_, how)| how).collect());
        }
        let (id, of, is_undo) = (step.id, step.retraces(), step.kind == Kind::Undo);
        let how = if of.is_some() { book.origin(step)?.renumbers() } else { step.renumbers() };
        since.extend(how.map(|how| (id, of, if is_undo { how.inverse() } else { how })));
    }
    Ok(Vec::new())
}

/// The values of a trailer in the history of the book on all lines, also in commits that were undone, newest first.
pub fn values_of<T: FromStr>(book: &Book, trailer: &'static str) -> Result<Vec<T>, StoreError> {
    let mut found = Vec::new();
    for id in ancestors(book, book.tip()?.oid())? {
        let commit = book.repo.find_commit(id.oid()).doing("reading a commit")?;
        if may_have(commit.message_raw_bytes(), trailer) {
            found.extend(Transaction::of(&commit).trailers.read(trailer));
        }
    }
    Ok(found)
}

/// The last commit for which `is_it` holds among those that the folders come from; of several on lines that were joined, the one
/// whose folders are most like those of the tip. [`Kind::HandEdit`] cannot be asked for, since it needs no trailer.
pub fn last_source_of(
    book: &Book,
    folders: &[&str],
    kinds: &[Kind],
    is_it: impl Fn(&Transaction) -> bool,
) -> Result<Option<Transaction>, StoreError> {
    let tip = book.tip()?.oid();
    let (mut next, mut seen) = (BinaryHeap::from([(0, tip)]), BTreeSet::from([tip]));
    let mut found = Vec::new();
    while let Some((_, id)) = next.pop() {
        let commit = book.repo.find_commit(id).doing("reading a commit")?;
        let transaction = may_be_of(commit.message_raw_bytes(), kinds).then(|| Transaction::of(&commit));
        if let Some(transaction) = transaction.filter(&is_it) {
            found.push(transaction);
            continue;
        }
        for source in sources_of(book, folders, &commit)? {
            // A shallow clone ends somewhere.
            if let Some(earlier) = book.repo.find_commit(source).or_missing("reading a commit")?
                && seen.insert(source)
            {
                next.push((earlier.time().seconds(), source));
            }
        }
    }
    if found.len() < 2 {
        return Ok(found.pop());
    }
    let mut last: Option<(usize, Transaction)> = None;
    for (at, one) in found.iter().enumerate() {
        let mut is_earlier = false;
        for (_, other) in found.iter().enumerate().filter(|(other, _)| *other != at) {
            is_earlier = is_earlier || draft::reaches(book, other.id.oid(), one.id.oid())?;
        }
        let (mut differing, trees) = (0, (book.commit_tree(one.id.oid())?, book.commit_tree(tip)?));
        for folder in folders {
            differing += tree::differences_in(&book.repo, folder, &trees.0, &trees.1)?.len();
        }
        if !is_earlier && last.as_ref().is_none_or(|(least, _)| differing < *least) {
            last = Some((differing, one.clone()));
        }
    }
    Ok(last.map(|(_, transaction)| transaction))
}

/// The commits that the folders of a commit come from: the one that has the same, where the commit joins lines or goes back, and
/// otherwise its parents. A rollback that has left a part of the folders as it was goes on from its parent.
fn sources_of(book: &Book, folders: &[&str], commit: &Commit<'_>) -> Result<Vec<Oid>, StoreError> {
    if commit.parent_count() < 2 && !may_return(commit.message_raw_bytes()) {
        return Ok(commit.parent_ids().collect());
    }
    let transaction = Transaction::of(commit);
    let print = |id: Oid| -> Result<Vec<Option<Oid>>, StoreError> {
        let tree = book.commit_tree(id)?;
        Ok(folders.iter().map(|folder| tree.get_name(folder).map(|entry| entry.id())).collect())
    };
    let here = print(commit.id())?;
    for source in sources(book, &transaction)? {
        if print(source)? == here {
            return Ok(vec![source]);
        }
    }
    let is_rollback = transaction.kind == Kind::Rollback;
    Ok(transaction.taken(commit.parent_ids()).take(if is_rollback { 1 } else { usize::MAX }).collect())
}
