//! Archives that need commits which are missing: giving their drafts refs of their own again, and finding those of lost archives.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use git2::{ObjectType, Oid, Repository};

use super::archive::{self, Archive, KeptDraft, Walk};
use crate::store::book::commit_walk::Walk as Line;
use crate::store::book::repository::Book;
use crate::store::disk::backoff::Wait;
use crate::store::error::{GitContext, Missing, StoreError};
use crate::store::git::commit_id::CommitId;
use crate::store::git::message::key;
use crate::store::git::refs::{self, Moves};

/// The commits that archives need and that are missing.
#[derive(Debug, Default)]
pub(crate) struct Damage {
    /// The drafts whose last commits are missing, in order.
    pub(crate) drafts: Vec<KeptDraft>,
    /// The archives that are missing, each with the name of a ref that leads to it.
    pub(crate) archives: Vec<(String, Oid)>,
}

impl Damage {
    /// The names of the refs that lead to the missing commits, or did before their drafts were gathered; each with its commit.
    pub(crate) fn refs(&self) -> Vec<(String, Oid)> {
        let drafts = self.drafts.iter().map(|draft| (draft.ref_name(), draft.tip));
        self.archives.iter().cloned().chain(drafts).collect()
    }
}

/// Looks for commits that archives need.
pub(crate) fn damage(repo: &Repository) -> Result<Damage, StoreError> {
    let mut damage = Damage::default();
    for (name, id) in archive::listed(repo)? {
        let mut walk = Walk::from(repo, [id]);
        for archive in walk.by_ref() {
            for draft in archive?.drafts {
                if repo.find_commit(draft.tip).or_missing("reading a kept draft")?.is_none() {
                    damage.drafts.push(draft);
                }
            }
        }
        damage.archives.extend(walk.missing.into_iter().map(|id| (name.clone(), id)));
    }
    damage.drafts.sort();
    damage.drafts.dedup();
    Ok(damage)
}

/// Takes every damaged archive apart, with the [`damage`] as it is now: its drafts have refs of their own again, but for those whose commits are missing, and whole
/// archives before it have theirs. The next packing gathers them.
pub(crate) fn take_apart(repo: &Repository, damage: &Damage, wait: &Wait) -> Result<(), StoreError> {
    let is_lost = |draft: &KeptDraft| damage.drafts.binary_search(draft).is_ok();
    let listed = archive::listed(repo)?;
    let mut all: BTreeMap<Oid, Archive> = BTreeMap::new();
    for archive in Walk::from(repo, listed.values().copied()) {
        let archive = archive?;
        all.insert(archive.id, archive);
    }
    let mut bad: BTreeSet<Oid> = damage.archives.iter().map(|(_, id)| *id).collect();
    bad.extend(all.values().filter(|archive| archive.drafts.iter().any(is_lost)).map(|archive| archive.id));
    add_later(&all, &mut bad);
    let mut made: BTreeMap<String, Oid> = BTreeMap::new();
    for archive in all.values().filter(|archive| bad.contains(&archive.id)) {
        let whole = archive.drafts.iter().filter(|draft| !is_lost(draft));
        made.extend(whole.map(|draft| (draft.ref_name(), draft.tip)));
        let before = archive.earlier.iter().filter(|id| !bad.contains(id));
        made.extend(before.map(|id| (Archive::ref_name(*id), *id)));
    }
    make(repo, wait, &made)?;
    let gone = listed.iter().filter(|(_, id)| bad.contains(id));
    let moves: Moves<'_> = gone.map(|(name, _)| (name.as_str(), None)).collect();
    refs::set_all(repo, wait, &moves, "novel: doctor")
}

/// Adds every archive that takes over one of `bad`: it is as damaged.
fn add_later(all: &BTreeMap<Oid, Archive>, bad: &mut BTreeSet<Oid>) {
    loop {
        let is_next =
            |archive: &&Archive| !bad.contains(&archive.id) && archive.earlier.iter().any(|id| bad.contains(id));
        let next: Vec<Oid> = all.values().filter(is_next).map(|archive| archive.id).collect();
        if next.is_empty() {
            return;
        }
        bad.extend(next);
    }
}

fn make(repo: &Repository, wait: &Wait, made: &BTreeMap<String, Oid>) -> Result<(), StoreError> {
    let moves: Moves<'_> = made.iter().map(|(name, id)| (name.as_str(), Some(*id))).collect();
    refs::set_all(repo, wait, &moves, "novel: doctor")
}

/// Finds again the drafts of archives that are missing themselves: by older archives that are still in the object store, and by
/// the commits of the book that name the drafts of accepted chapters.
pub(crate) fn find_again(book: &Book, wait: &Wait) -> Result<(), StoreError> {
    let repo = &book.repo;
    let mut held = BTreeSet::new();
    let mut made: BTreeMap<String, Oid> = BTreeMap::new();
    for id in whole_archives(repo)? {
        let before = held.len();
        held.extend(Walk::from(repo, [id]).drafts()?);
        if held.len() > before {
            made.insert(Archive::ref_name(id), id);
        }
    }
    for transaction in Line::of_line(repo, book.tip()?.oid()) {
        let transaction = transaction?;
        let Some((chapter, tip)) = transaction.accepts().zip(transaction.trailers.read::<CommitId>(key::DRAFT)) else {
            continue;
        };
        let draft = KeptDraft { name: format!("{chapter}/{}", tip.short()), tip: tip.oid() };
        if !held.contains(&draft) && repo.find_commit(draft.tip).or_missing("reading a kept draft")?.is_some() {
            made.insert(draft.ref_name(), draft.tip);
        }
    }
    make(repo, wait, &made)
}

/// The archives in the object store which nothing is missing from and no other such archive takes over, the newest first.
fn whole_archives(repo: &Repository) -> Result<Vec<Oid>, StoreError> {
    let mut all: BTreeMap<Oid, Archive> = BTreeMap::new();
    for id in commits(repo)? {
        all.extend(Archive::read(repo, id)?.map(|archive| (id, archive)));
    }
    let named = all.values().flat_map(|archive| &archive.earlier).copied();
    let mut bad: BTreeSet<Oid> = named.filter(|id| !all.contains_key(id)).collect();
    add_later(&all, &mut bad);
    let whole = || all.values().filter(|archive| !bad.contains(&archive.id));
    let taken_over: BTreeSet<Oid> = whole().flat_map(|archive| archive.earlier.iter().copied()).collect();
    let mut last = Vec::new();
    for archive in whole().filter(|archive| !taken_over.contains(&archive.id)) {
        let time = repo.find_commit(archive.id).doing("reading an archive")?.time().seconds();
        last.push((Reverse((time, archive.drafts.len())), archive.id));
    }
    last.sort_unstable();
    Ok(last.into_iter().map(|(_, id)| id).collect())
}

/// Every commit in the object store.
fn commits(repo: &Repository) -> Result<Vec<Oid>, StoreError> {
    let odb = repo.odb().doing("opening the object store")?;
    let mut all = Vec::new();
    odb.foreach(|id| {
        all.push(*id);
        true
    })
    .doing("reading the object store")?;
    let is_commit = |id: &Oid| odb.read_header(*id).is_ok_and(|(_, kind)| kind == ObjectType::Commit);
    all.retain(is_commit);
    Ok(all)
}
