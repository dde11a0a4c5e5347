//! Lines of the book: its main line, and branches on which something is tried. Each is an ordinary git branch; tags of
//! chapters are the main line's, and each line has drafts of its own.
//! Going to another line of the book: the folder, git's index, HEAD and the settings follow, and each line keeps its drafts.

use crate::git::disk::with_note;
use crate::git::filtered::write_settings;
use crate::git::refs::DRAFTS;
use crate::git::work_tree::PreparedChanges;
use crate::store::book::change;
use crate::store::book::index_bytes;
use crate::store::book::line_names::{self, BRANCH_KEY, BRANCHES, MAIN_KEY, PendingSwitch, drafts_of, is_line_name};
use crate::store::book::recover;
use crate::store::book::repository::is_book;
use crate::store::book::rollback::CommitInfo;
use crate::store::book::session::BeginError;
use crate::store::book::transaction::{CommitError, staged_elsewise};
use crate::store::drafts::rebase;
use crate::store::message::key;
use crate::store::prelude::*;
use crate::store::remote::name::{RemoteName, tracking};

/// Below `refs/novel/kept/`: the last commits of lines whose branches were deleted.
const LINES: &str = "lines";

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Line {
    pub name: String,
    pub tip: CommitId,
}

impl Book {
    /// True when the book is open on its main line.
    pub fn is_main_line(&self) -> bool {
        self.main == self.branch
    }

    /// Every branch that is a book, in order of name.
    pub fn lines(&self) -> Result<Vec<Line>, StoreError> {
        let mut lines = Vec::new();
        for (name, tip) in refs::listed(&self.repo, BRANCHES)? {
            if !name.starts_with(DRAFTS) && is_book(&self.repo, &name)? {
                lines.push(Line { name: name[BRANCHES.len()..].to_owned(), tip: tip.into() });
            }
        }
        Ok(lines)
    }
}

/// The branch of the book's main line.
pub fn main_line(book: &Book) -> &str {
    &book.main
}

/// The last commit of the line `name`; `None` where there is no such branch.
pub fn line_tip(book: &Book, name: &str) -> Result<Option<CommitId>, StoreError> {
    Ok(refs::target(&book.repo, &format!("{BRANCHES}{name}"))?.map(CommitId::from))
}

/// The lines of a remote that this copy has no branch of, as of the last sync, in order of name.
pub fn lines_on(book: &Book, remote: &RemoteName) -> Result<Vec<Line>, StoreError> {
    let mut lines = Vec::new();
    for line in tracked_lines(book, remote)? {
        let is_here = refs::target(&book.repo, &format!("{BRANCHES}{}", line.name))?.is_some();
        if !is_here && is_book(&book.repo, &tracking(remote, &line.name))? {
            lines.push(line);
        }
    }
    Ok(lines)
}

/// The branches of a remote that may be lines, as they are known here.
pub fn tracked_lines(book: &Book, remote: &RemoteName) -> Result<Vec<Line>, StoreError> {
    let prefix = tracking(remote, "");
    let tracked = refs::listed(&book.repo, &prefix)?.into_iter();
    let lines = tracked.map(|(name, tip)| Line { name: name[prefix.len()..].to_owned(), tip: tip.into() });
    Ok(lines.filter(|line| is_line_name(&line.name)).collect())
}

/// The newest commit that two commits have in their histories; `None` where they have nothing in common.
pub fn fork_between(book: &Book, a: CommitId, b: CommitId) -> Result<Option<CommitId>, StoreError> {
    let base = book.repo.merge_base(a.oid(), b.oid()).or_missing("comparing two lines")?;
    Ok(base.map(CommitId::from))
}

pub fn drafts_of_line(book: &Book, name: &str) -> Result<Vec<(Work, CommitId)>, StoreError> {
    let prefix = drafts_of(name, &book.main);
    let drafts = refs::listed(&book.repo, &prefix)?.into_iter();
    Ok(drafts.filter_map(|(name, tip)| Some((name[prefix.len()..].parse().ok()?, tip.into()))).collect())
}

impl Session<'_> {
    /// Carries drafts of the line `name` over to the book's branch, after the line was adopted. A draft that has moved since
    /// its tip was noted, or whose work has been begun here, stays where it is. Can be run again after a death.
    pub(crate) fn carry_drafts(&self, name: &str, noted: &[(Work, CommitId)]) -> Result<Vec<Work>, StoreError> {
        let book = self.book;
        let mut carried = Vec::new();
        for (work, tip) in noted {
            let old = format!("{}{work}", drafts_of(name, &book.main));
            if name == book.main || refs::target(&book.repo, &old)? != Some(tip.oid()) {
                continue;
            }
            let (onto, _) = rebase::rebase_commits(self, tip.oid(), book.tip()?.oid(), &[])?;
            let new = book.draft_ref(*work);
            match refs::target(&book.repo, &new)? {
                None => refs::create(&book.repo, &self.wait, &new, onto, "novel: adopt").map_err(StoreError::from)?,
                Some(at) if at == onto => {}
                Some(_) => continue,
            }
            abort_at("carry.created");
            self.keep(&format!("{work}/{}", tip.short()), tip.oid())?;
            refs::delete(&book.repo, &self.wait, &old)?;
            carried.push(*work);
        }
        Ok(carried)
    }
}

/// Begins the line `name` at `from`, with `also` on top where that changes anything. Returns its last commit; `None` when
/// a branch of that name stands elsewhere or git has no room for it beside another.
pub fn create_line(
    session: &Session<'_>,
    name: &str,
    from: CommitId,
    also: &Change,
    telling: &CommitInfo,
) -> Result<Option<CommitId>, StoreError> {
    let book = session.book;
    let start = match *also == Change::default() {
        true => from.oid(),
        false => {
            let ground = book.commit_tree(from.oid())?.id();
            let tree = change::edited(book, Some(ground), &also.write(&book.repo)?)?;
            let subject = telling.subject.clone().unwrap_or_else(|| Subject::Branch(name.to_owned()));
            let message = Message::new(Kind::Rollback, subject).trailer(key::FROM, from);
            session.write_commit_on(tree, from.oid(), &message, &telling.author, telling.time)?
        }
    };
    let full = format!("{BRANCHES}{name}");
    match refs::target(&book.repo, &full)? {
        Some(at) => return Ok((at == start).then(|| start.into())),
        None if !has_room(session, name)? => return Ok(None),
        None => {}
    }
    noting_lock(session, &full, || refs::create(&book.repo, &session.wait, &full, start, "novel: branch"))?;
    abort_at("line.created");
    Ok(Some(start.into()))
}

/// Moves a branch with a note of its lock, which others take too.
fn noting_lock<T, E: From<StoreError>>(
    session: &Session<'_>,
    branch: &str,
    moved: impl FnOnce() -> Result<T, E>,
) -> Result<T, E> {
    let name = format!("{branch}.lock");
    with_note(&session.book.repo, (&name, &session.book.repo.commondir().join(&name)), moved)
}

/// Whether git can keep a branch of that name beside the others: `a` and `a/b` exclude each other.
fn has_room(session: &Session<'_>, name: &str) -> Result<bool, StoreError> {
    let repo = &session.book.repo;
    let above = name.match_indices('/').map(|(at, _)| &name[..at]);
    for above in above {
        if refs::target(repo, &format!("{BRANCHES}{above}"))?.is_some() {
            return Ok(false);
        }
    }
    Ok(refs::listed(repo, &format!("{BRANCHES}{name}/"))?.is_empty())
}

/// Deletes the branch `name`. Its last commit and its drafts stay under `refs/novel/kept/`. Returns the ref that keeps the
/// line; `None` when there is no such branch.
pub fn delete_line(session: &Session<'_>, name: &str) -> Result<Option<String>, StoreError> {
    let book = session.book;
    let Some(tip) = line_tip(book, name)? else { return Ok(None) };
    let kept = session.keep(&format!("{LINES}/{name}/{}", tip.short()), tip.oid())?;
    abort_at("line.kept");
    for (work, tip) in drafts_of_line(book, name)? {
        session.keep(&format!("{work}/{}", tip.short()), tip.oid())?;
        refs::delete(&book.repo, &session.wait, &format!("{}{work}", drafts_of(name, &book.main)))?;
        abort_at("line.draft");
    }
    let full = format!("{BRANCHES}{name}");
    noting_lock(session, &full, || refs::delete(&book.repo, &session.wait, &full))?;
    abort_at("line.deleted");
    Ok(Some(kept))
}

/// Brings a deleted branch back. Returns false when it is there already, at that commit.
pub fn restore_line(session: &Session<'_>, name: &str, tip: CommitId) -> Result<bool, StoreError> {
    let full = format!("{BRANCHES}{name}");
    if refs::target(&session.book.repo, &full)? == Some(tip.oid()) {
        return Ok(false);
    }
    let book = session.book;
    noting_lock(session, &full, || refs::create(&book.repo, &session.wait, &full, tip.oid(), "novel: restore"))?;
    abort_at("line.restored");
    Ok(true)
}

/// Goes to the line `to`, as `git switch` does, and makes it the one that the book is written on. The author's
/// edits in `staging/` are committed to their draft first. The book has to be opened again afterwards: this
/// session belongs to the line that was left.
/// Fails with [`CommitError::AuthorEdited`] for uncommitted changes to files that differ between the lines; nothing has
/// changed then.
pub fn switch(session: &Session<'_>, to: &str) -> Result<(), CommitError> {
    let book = session.book;
    recover::finish_earlier(session)?;
    if to == book.branch {
        return Ok(settle_on(session, to)?);
    }
    let from = book.tip()?;
    let target = line_tip(book, to)?.ok_or_else(|| StoreError::Damaged { what: format!("no branch `{to}`") })?;
    let (old, new) = (book.commit_tree(from.oid())?, book.commit_tree(target.oid())?);
    let differences = tree::differences(&book.repo, Some(&old), Some(&new))?;
    session.clear_staging(None)?;
    {
        let index = session.take_index()?.edit()?;
        if index.has_conflicts {
            return Err(CommitError::Unmerged);
        }
        let prepared = PreparedChanges::new(&book.repo, &book.root, &book.temp, differences)?;
        if let Some(unfiltered) = prepared.unfiltered(&book.repo)? {
            return Err(CommitError::Unfiltered(unfiltered));
        }
        let mut edited = prepared.foreign();
        edited.extend(staged_elsewise(&index, &prepared));
        if !edited.is_empty() {
            return Err(CommitError::AuthorEdited { paths: edited });
        }
    }
    abort_at("switch.looked");
    line_names::write(&book.repo, &book.inner, &PendingSwitch { from, to: to.to_owned(), main: book.main.clone() })?;
    abort_at("switch.begun");
    Ok(finish(session)?)
}

/// Writes down that the book is on `line`, and which its main line is.
fn settle_on(session: &Session<'_>, line: &str) -> Result<(), StoreError> {
    let repo = &session.book.repo;
    let config = repo.config().doing("reading the configuration")?;
    let is_set = |key: &str, value: &str| config.get_string(key).is_ok_and(|known| known == value);
    let main = main_line(session.book);
    let wanted = [(MAIN_KEY, main), (BRANCH_KEY, line)];
    let missing: Vec<(&str, &str)> = wanted.into_iter().filter(|(key, value)| !is_set(key, value)).collect();
    write_settings(repo, &missing)
}

/// Finishes a switch that was begun. Running it again, or dying in it, changes nothing about where it ends.
pub(super) fn finish(session: &Session<'_>) -> Result<(), BeginError> {
    let book = session.book;
    let repo = &book.repo;
    let Some(PendingSwitch { from, to, .. }) = line_names::read(repo)? else { return Ok(()) };
    let head = format!("refs/heads/{to}");
    let Some(target) = refs::target(repo, &head)? else {
        // Deleted since by plain git: the folder stays with the line that it shows.
        return Ok(line_names::remove(repo)?);
    };
    let (old, new) = (book.commit_tree(from.oid())?, book.commit_tree(target)?);
    let differences = tree::differences(repo, Some(&old), Some(&new))?;
    let held = session.take_index()?;
    let mut index =
        if index_bytes::lacks_index(book)? { held.edit_of(index_bytes::index_of(book, &old)?) } else { held.edit() }?;
    let prepared = PreparedChanges::new(repo, &book.root, &book.temp, differences)?;
    prepared.apply(&book.root, Some(&mut index))?;
    let _held = index.save()?;
    abort_at("switch.folder");
    point_head(session, &head)?;
    abort_at("switch.head");
    settle_on(session, &to)?;
    abort_at("switch.settled");
    line_names::remove(repo)?;
    Ok(())
}

/// Makes HEAD name the branch.
fn point_head(session: &Session<'_>, branch: &str) -> Result<(), StoreError> {
    let book = session.book;
    let head = book.repo.find_reference("HEAD").doing("reading HEAD")?;
    if head.symbolic_target().ok().flatten() == Some(branch) {
        return Ok(());
    }
    with_note(&book.repo, ("HEAD.lock", &book.repo.path().join("HEAD.lock")), || {
        refs::point_head(&book.repo, &session.wait, branch, "novel: switch")
    })
}
