//! Gathering kept drafts into the archive, exchanging the archive with a remote, and taking it apart where something
//! of it is lost, or where the book does not keep every draft ([`super::retention`]).
//! The chain has its ref, on the disk, before the refs of its drafts and of other chains go. A death in between leaves
//! some drafts with both, and a later gathering deletes the refs that are left over.

use crate::git::refs::{KEPT, Moves};
use crate::store::book::change;
use crate::store::book::commit_walk::{CommitWalk, Transaction, tag_ref};
use crate::store::book::lines;
use crate::store::book::repack::{self, Packer, Packing};
use crate::store::book::repository::MARK;
use crate::store::drafts::archive::{self, ARCHIVES, Archive, ArchiveEntry, CAPACITY, CHAIN, KeptDraft};
use crate::store::drafts::kept;
use crate::store::format::config;
use crate::store::message::key;
use crate::store::prelude::*;
use crate::store::remote;
use crate::store::remote::transfer::RefMove;
use git2::ObjectType;

/// True when as many drafts have refs of their own as a commit of the archive can hold, or when there are several
/// chains; in a book that does not keep every draft, when there is something to let go.
pub(crate) fn is_gathering_due(book: &Book) -> Result<bool, StoreError> {
    let kept: BTreeMap<String, Oid> = refs::listed(&book.repo, KEPT)?.into_iter().collect();
    let retention = retention(book)?;
    if retention.chapters.is_some() {
        return Ok(kept.keys().any(|name| name.starts_with(ARCHIVES)) || !retention.let_go(&kept)?.is_empty());
    }
    let is_chain = |name: &str| name.starts_with(ARCHIVES) && name != CHAIN;
    let own = kept.keys().filter(|name| archive::draft_name(name).is_some()).count();
    Ok(own >= CAPACITY || kept.keys().any(|name| is_chain(name)))
}

/// The kept refs of a remote that this copy lacks: the name of each there, and the name that it gets here.
pub fn kept_to_fetch(book: &Book, theirs: &BTreeMap<String, CommitId>) -> Result<Vec<(String, String)>, StoreError> {
    let (ours, archive, retention) = (kept::kept_names(book)?, Archive::of_book(&book.repo)?, retention(book)?);
    let mut lacking = Vec::new();
    for (name, id) in theirs {
        let is_here = ours.contains_key(name) && name != CHAIN || archive.has(name, id.oid());
        if !is_here && !retention.does_without(name, id.oid(), &ours)? {
            let here = if name == CHAIN { archive::ref_name(id.oid()) } else { name.clone() };
            lacking.push((name.clone(), here));
        }
    }
    Ok(lacking)
}

/// The moves of the kept refs of a remote: those that the remote lacks come, the chain moves on, and those go
/// whose drafts or chains are in this copy's, or that the book keeps no more.
pub fn kept_to_push(book: &Book, theirs: &BTreeMap<String, CommitId>) -> Result<Vec<RefMove>, StoreError> {
    let (ours, archive, retention) = (kept::kept_names(book)?, Archive::of_book(&book.repo)?, retention(book)?);
    let goes_on = |old: &CommitId, new: &CommitId| old != new && archive.has(CHAIN, old.oid());
    let mut moves = Vec::new();
    for (name, id) in &ours {
        let old = theirs.get(name);
        if old.is_none_or(|old| name == CHAIN && goes_on(old, id)) {
            moves.push(RefMove { name: name.clone(), old: old.copied(), new: Some(*id) });
        }
    }
    for (name, id) in theirs.iter().filter(|(name, _)| !ours.contains_key(*name)) {
        if archive.has(name, id.oid()) || retention.does_without(name, id.oid(), &ours)? {
            moves.push(RefMove { name: name.clone(), old: Some(*id), new: None });
        }
    }
    Ok(moves)
}

/// Moves kept drafts that have refs of their own to the archive, when they are 64 or more, and joins several
/// chains to one. In a book that does not keep every draft, there is no archive, and refs of drafts go. Returns how many
/// refs are gone. When an object or a ref cannot be written, every draft has a ref or is in the archive.
pub fn gather_drafts(session: &Session<'_>) -> Result<usize, StoreError> {
    let (book, repo) = (session.book, &session.book.repo);
    if !is_gathering_due(book)? {
        return Ok(0);
    }
    let retention = retention(book)?;
    if retention.chapters.is_some() {
        return let_drafts_go(session, &retention);
    }
    let archive = Archive::of_book(repo)?;
    let mut gone: Vec<String> = archive.refs.keys().filter(|name| *name != CHAIN).cloned().collect();
    let mut new: Vec<KeptDraft> = Vec::new();
    for (whole, tip) in refs::listed(repo, KEPT)? {
        let Some(name) = archive::draft_name(&whole) else { continue };
        if archive.has(&whole, tip) {
            gone.push(whole);
        } else if repo.find_commit(tip).or_missing("reading a kept draft")?.is_some() {
            // Those whose commits are missing are left to `doctor`.
            new.push((name.to_owned(), tip));
        }
    }
    if new.len() < CAPACITY {
        new.clear();
    }
    let mut ends = archive.ends();
    let joins: &[&[KeptDraft]] = if new.is_empty() && ends.len() > 1 { &[&[]] } else { &[] };
    for drafts in new.chunks(CAPACITY).chain(joins.iter().copied()) {
        ends = vec![change::settled(book, archive::write(&book.repo, &ends, drafts)?)?];
        abort_at("archive.written");
    }
    let Some(end) = ends.pop() else { return Ok(0) };
    gone.extend(new.iter().map(|(name, _)| format!("{KEPT}{name}")));
    replace_refs(repo, &session.wait, &BTreeMap::from([(CHAIN.to_owned(), end)]), &gone, "novel: gather")?;
    Ok(gone.len())
}

/// Gives each draft of the archive that stays a ref of its own, and deletes the refs of archives and of drafts that the
/// book keeps no more. Nothing is pruned: git does that, when it is told to and some time has passed.
fn let_drafts_go(session: &Session<'_>, retention: &Retention<'_>) -> Result<usize, StoreError> {
    let repo = &session.book.repo;
    let archive = Archive::of_book(repo)?;
    // An archive that lacks something is left to `doctor`.
    if !archive.missing(repo)?.is_empty() {
        return Ok(0);
    }
    let kept: BTreeMap<String, Oid> = refs::listed(repo, KEPT)?.into_iter().collect();
    let mut stay: BTreeMap<String, Oid> = BTreeMap::new();
    for (name, tip) in &archive.drafts {
        let whole = format!("{KEPT}{name}");
        if !kept.contains_key(&whole) && !retention.lets_go(name, *tip)? {
            stay.insert(whole, *tip);
        }
    }
    let gone: Vec<String> = archive.refs.into_keys().chain(retention.let_go(&kept)?).collect();
    replace_refs(repo, &session.wait, &stay, &gone, "novel: gather")?;
    Ok(gone.len())
}

/// Gathers kept drafts and has git pack the objects, if there are many. Does not wait for git.
pub fn pack_if_due(session: &Session<'_>, packer: &Packer) -> Packing {
    // Refs that stay cost little; the next chapter tries again.
    let _ = gather_drafts(session);
    repack::pack_if_due(session.book, packer)
}

/// Takes the archive apart: every draft whose last commit is there has a ref of its own again. The drafts are found by
/// the commits of the archive that are anywhere in the object store, and by the commits of the book that name the
/// drafts of accepted chapters.
pub(crate) fn take_apart(book: &Book, wait: &Wait) -> Result<(), StoreError> {
    let repo = &book.repo;
    let mut found: BTreeMap<String, Oid> = BTreeMap::new();
    for id in commits(repo)? {
        found.extend(ArchiveEntry::read(repo, id)?.into_iter().flat_map(|entry| entry.drafts));
    }
    for transaction in CommitWalk::of_line(repo, book.tip()?.oid()) {
        let transaction = transaction?;
        if let Some((chapter, tip)) = transaction.accepts().zip(transaction.trailers.read::<CommitId>(key::DRAFT)) {
            found.insert(format!("{chapter}/{}", tip.short()), tip.oid());
        }
    }
    let mut made: BTreeMap<String, Oid> = BTreeMap::new();
    for (name, tip) in found {
        if repo.find_commit(tip).or_missing("reading a kept draft")?.is_some() {
            made.insert(format!("{KEPT}{name}"), tip);
        }
    }
    let gone: Vec<String> = Archive::of_book(repo)?.refs.into_keys().collect();
    replace_refs(repo, wait, &made, &gone, "novel: doctor")
}

/// Points refs at their commits, on the disk, and then deletes those that are not needed beside them.
fn replace_refs(
    repo: &Repository,
    wait: &Wait,
    named: &BTreeMap<String, Oid>,
    gone: &[String],
    why: &str,
) -> Result<(), StoreError> {
    let moves: Moves<'_> = named.iter().map(|(name, id)| (name.as_str(), Some(*id))).collect();
    refs::set_all(repo, wait, &moves, why)?;
    abort_at("archive.named");
    let moves: Moves<'_> = gone.iter().map(|name| (name.as_str(), None)).collect();
    refs::set_all(repo, wait, &moves, why)?;
    abort_at("archive.end");
    Ok(())
}

/// Every commit in the object store.
fn commits(repo: &Repository) -> Result<Vec<Oid>, StoreError> {
    // Libgit2 1.9 calls a function that its memory of objects does not have, so a handle without that memory is asked.
    let plain = Repository::open(repo.path()).doing("opening the object store")?;
    let odb = plain.odb().doing("opening the object store")?;
    let mut all = Vec::new();
    odb.foreach(|id| {
        all.push(*id);
        true
    })
    .doing("reading the object store")?;
    all.retain(|id| odb.read_header(*id).is_ok_and(|(_, kind)| kind == ObjectType::Commit));
    Ok(all)
}

/// Which drafts of accepted chapters a book keeps.
pub(crate) struct Retention<'b> {
    book: &'b Book,
    /// The setting; `None` where every draft is kept.
    pub(super) chapters: Option<u32>,
    /// The first chapter whose draft is kept.
    first: ChapterNo,
}

pub(super) fn retention(book: &Book) -> Result<Retention<'_>, StoreError> {
    let mut retention = Retention { book, chapters: None, first: ChapterNo::FIRST };
    let Some(tip) = lines::line_tip(book, lines::main_line(book))? else { return Ok(retention) };
    let now = book.snapshot_of(tip)?;
    // Nothing goes because of settings that cannot be read.
    let settings = now.read(MARK)?.and_then(|bytes| config::read(&bytes).ok());
    retention.chapters = settings.and_then(|(settings, _)| settings.keep_calls);
    if let Some(chapters) = retention.chapters
        && let Some((first, _)) = now.contents()?.iter().rev().take(chapters as usize).last()
    {
        retention.first = first;
    }
    Ok(retention)
}

/// The setting by which the draft that `chapter` was accepted from is kept no more; `is_meant` says of its last commit
/// whether that draft is meant. `None` for a draft that is within reach.
pub fn let_go(book: &Book, chapter: ChapterNo, is_meant: impl Fn(CommitId) -> bool) -> Result<Option<u32>, StoreError> {
    let retention = retention(book)?;
    if retention.chapters.is_none() {
        return Ok(None);
    }
    for tip in retention.accepted(chapter)?.into_iter().filter(|tip| is_meant(*tip)) {
        // After a rollback a chapter may be among the last again whose draft is pruned.
        let is_gone = chapter < retention.first || !remote::history::has_commit(book, tip)?;
        if is_gone && !kept::is_kept(book, chapter.into(), tip)? {
            return Ok(retention.chapters);
        }
    }
    Ok(None)
}

impl Retention<'_> {
    /// The drafts that a chapter was accepted from: that of its text, and those of texts that were replaced.
    fn accepted(&self, chapter: ChapterNo) -> Result<Vec<CommitId>, StoreError> {
        let (repo, mut drafts) = (&self.book.repo, Vec::new());
        let mut accepted = refs::target(repo, &tag_ref(chapter))?;
        while let Some(id) = accepted {
            let Some(commit) = repo.find_commit(id).or_missing("reading a chapter's commit")? else { break };
            let transaction = Transaction::of(&commit);
            let draft =
                transaction.trailers.read::<CommitId>(key::DRAFT).filter(|_| transaction.accepts() == Some(chapter));
            drafts.extend(draft);
            accepted = transaction.replaces().map(CommitId::oid);
        }
        Ok(drafts)
    }

    /// True for the draft of that name below `refs/novel/kept/` that is kept no more.
    pub(super) fn lets_go(&self, name: &str, tip: Oid) -> Result<bool, StoreError> {
        let chapter = name.split_once('/').and_then(|(work, _)| work.parse().ok());
        let Some(chapter) = chapter.filter(|chapter| *chapter < self.first) else { return Ok(false) };
        Ok(self.accepted(chapter)?.contains(&tip.into()))
    }

    /// The refs of drafts, of these kept refs, that are to go.
    pub(super) fn let_go(&self, kept: &BTreeMap<String, Oid>) -> Result<Vec<String>, StoreError> {
        let mut gone = Vec::new();
        for (whole, tip) in kept {
            if let Some(name) = archive::draft_name(whole)
                && self.lets_go(name, *tip)?
            {
                gone.push(whole.clone());
            }
        }
        Ok(gone)
    }

    /// True for a kept ref of a remote that this copy does without: a draft that is kept no more, or an archive of which
    /// this copy has everything else in refs of its own.
    pub(super) fn does_without(
        &self,
        name: &str,
        id: Oid,
        ours: &BTreeMap<String, CommitId>,
    ) -> Result<bool, StoreError> {
        if let Some(draft) = archive::draft_name(name) {
            return self.lets_go(draft, id);
        }
        if self.chapters.is_none() || !name.starts_with(ARCHIVES) {
            return Ok(false);
        }
        let archive = Archive::under(&self.book.repo, BTreeMap::from([(name.to_owned(), id)]))?;
        for (draft, tip) in &archive.drafts {
            if ours.get(&format!("{KEPT}{draft}")) != Some(&(*tip).into()) && !self.lets_go(draft, *tip)? {
                return Ok(false);
            }
        }
        Ok(archive.is_whole())
    }
}
