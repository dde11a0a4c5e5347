//! Gathering kept drafts into the archive, exchanging the archive with a remote, and taking it apart where something
//! of it is lost.
//!
//! The chain has its ref, on the disk, before the refs of its drafts and of other chains go. A death in between leaves
//! some drafts with both, and a later gathering deletes the refs that are left over.

use std::collections::BTreeMap;

use git2::{ObjectType, Oid, Repository};

use super::archive::{self, ARCHIVES, Archive, CAPACITY, CHAIN, Entry, KeptDraft};
use crate::git::commit_id::CommitId;
use crate::git::disk::backoff::Wait;
use crate::git::error::{GitContext, Missing, StoreError};
use crate::git::failpoint::abort_at;
use crate::git::refs::{self, KEPT, Moves};
use crate::store::book::commit_walk::Walk;
use crate::store::book::repack::{Packer, Packing};
use crate::store::book::repository::Book;
use crate::store::book::session::Session;
use crate::store::message::key;
use crate::store::remote::transfer::RefMove;

impl Book {
    /// True when as many drafts have refs of their own as a commit of the archive can hold, or when there are several
    /// chains.
    pub(crate) fn is_gathering_due(&self) -> Result<bool, StoreError> {
        let kept = refs::listed(&self.repo, KEPT)?;
        let is_chain = |name: &str| name.starts_with(ARCHIVES) && name != CHAIN;
        let own = kept.iter().filter(|(name, _)| archive::draft_name(name).is_some()).count();
        Ok(own >= CAPACITY || kept.iter().any(|(name, _)| is_chain(name)))
    }

    /// The kept refs of a remote that this copy lacks: the name of each there, and the name that it gets here.
    pub fn kept_to_fetch(&self, theirs: &BTreeMap<String, CommitId>) -> Result<Vec<(String, String)>, StoreError> {
        let (ours, archive) = (self.kept_names()?, Archive::of_book(&self.repo)?);
        let is_lacking = |(name, id): &(&String, &CommitId)| {
            (!ours.contains_key(*name) || *name == CHAIN) && !archive.has(name, id.oid())
        };
        let here =
            |name: &String, id: &CommitId| if name == CHAIN { archive::ref_name(id.oid()) } else { name.clone() };
        Ok(theirs.iter().filter(is_lacking).map(|(name, id)| (name.clone(), here(name, id))).collect())
    }

    /// The moves of the kept refs of a remote: those that the remote lacks come, the chain moves on, and those go
    /// whose drafts or chains are in this copy's.
    pub fn kept_to_push(&self, theirs: &BTreeMap<String, CommitId>) -> Result<Vec<RefMove>, StoreError> {
        let (ours, archive) = (self.kept_names()?, Archive::of_book(&self.repo)?);
        let goes_on = |old: &CommitId, new: &CommitId| old != new && archive.has(CHAIN, old.oid());
        let mut moves = Vec::new();
        for (name, id) in &ours {
            let old = theirs.get(name);
            if old.is_none_or(|old| name == CHAIN && goes_on(old, id)) {
                moves.push(RefMove { name: name.clone(), old: old.copied(), new: Some(*id) });
            }
        }
        for (name, id) in theirs.iter().filter(|(name, id)| !ours.contains_key(*name) && archive.has(name, id.oid())) {
            moves.push(RefMove { name: name.clone(), old: Some(*id), new: None });
        }
        Ok(moves)
    }
}

impl Session<'_> {
    /// Moves kept drafts that have refs of their own to the archive, when they are 64 or more, and joins several
    /// chains to one. Returns how many refs are gone. When an object or a ref cannot be written, every draft has a ref
    /// or is in the archive.
    pub fn gather_drafts(&self) -> Result<usize, StoreError> {
        let (book, repo) = (self.book, &self.book.repo);
        if !book.is_gathering_due()? {
            return Ok(0);
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
            ends = vec![book.settled(archive::write(&book.repo, &ends, drafts)?)?];
            abort_at("archive.written");
        }
        let Some(end) = ends.pop() else { return Ok(0) };
        refs::set(repo, &self.wait, CHAIN, end, "novel: gather")?;
        abort_at("archive.named");
        gone.extend(new.iter().map(|(name, _)| format!("{KEPT}{name}")));
        let moves: Moves<'_> = gone.iter().map(|name| (name.as_str(), None)).collect();
        refs::set_all(repo, &self.wait, &moves, "novel: gather")?;
        abort_at("archive.end");
        Ok(gone.len())
    }

    /// Gathers kept drafts and has git pack the objects, if there are many. Does not wait for git.
    #[must_use]
    pub fn pack_if_due(&self, packer: &Packer) -> Packing {
        // Refs that stay cost little; the next chapter tries again.
        let _ = self.gather_drafts();
        self.book.pack_if_due(packer)
    }
}

/// Takes the archive apart: every draft whose last commit is there has a ref of its own again. The drafts are found by
/// the commits of the archive that are anywhere in the object store, and by the commits of the book that name the
/// drafts of accepted chapters.
pub(crate) fn take_apart(book: &Book, wait: &Wait) -> Result<(), StoreError> {
    let repo = &book.repo;
    let mut found: BTreeMap<String, Oid> = BTreeMap::new();
    for id in commits(repo)? {
        found.extend(Entry::read(repo, id)?.into_iter().flat_map(|entry| entry.drafts));
    }
    for transaction in Walk::of_line(repo, book.tip()?.oid()) {
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
    let moves: Moves<'_> = made.iter().map(|(name, tip)| (name.as_str(), Some(*tip))).collect();
    refs::set_all(repo, wait, &moves, "novel: doctor")?;
    let gone = Archive::of_book(repo)?.refs;
    let moves: Moves<'_> = gone.keys().map(|name| (name.as_str(), None)).collect();
    refs::set_all(repo, wait, &moves, "novel: doctor")
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
