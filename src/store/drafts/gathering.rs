//! Gathering kept drafts into archives.
//!
//! The archive has its ref, on the disk, before the refs of its drafts and of the archives before it go. A death in between leaves
//! some drafts with both, and the next time the refs that are left over go.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;

use git2::{Oid, Repository};

use super::archive::{self, ARCHIVES, Archive, Dated, KeptDraft, Walk};
use crate::store::book::repository::Book;
use crate::store::book::session::Session;
use crate::store::error::{Missing, StoreError};
use crate::store::failpoint::abort_at;
use crate::store::git::commit_id::CommitId;
use crate::store::git::refs::{self, KEPT, Moves};
use crate::store::git::repack::{Packer, Packing};

/// So many drafts with refs of their own are worth an archive: their refs are not moved one by one, and an archive that is not full
/// is not made again for each chapter.
const MANY: usize = 16;

/// So many folders of kept refs are worth an archive although no object has to be packed: a run leaves one for each chapter.
const MANY_FOLDERS: usize = 32;

/// The refs of kept drafts as they are.
struct Refs {
    /// The drafts that have refs of their own.
    own: Vec<KeptDraft>,
    archives: BTreeMap<String, Oid>,
}

impl Refs {
    fn read(repo: &Repository) -> Result<Self, StoreError> {
        let own =
            refs::listed(repo, KEPT)?.into_iter().filter_map(|(name, tip)| KeptDraft::of_ref(&name, tip)).collect();
        Ok(Self { own, archives: archive::listed(repo)? })
    }

    fn is_due(&self) -> bool {
        self.own.len() >= MANY || self.archives.len() > 1
    }

    /// The names of the refs that nothing needs beside the archives `stays`, which have the drafts `held`.
    fn left_over(&self, stays: &[Oid], held: &BTreeSet<KeptDraft>) -> Vec<String> {
        let own = self.own.iter().filter(|draft| held.contains(draft)).map(KeptDraft::ref_name);
        let archives = self.archives.iter().filter(|(_, id)| !stays.contains(id)).map(|(name, _)| name.clone());
        own.chain(archives).collect()
    }
}

/// Archives with all that they lead to, each read once.
#[derive(Default)]
struct Chain {
    archives: BTreeMap<Oid, Archive>,
    /// Whether one that another takes over is not there: nothing may be forgotten before `doctor` has sought its drafts.
    is_torn: bool,
}

impl Chain {
    fn of(repo: &Repository, refs: &Refs) -> Result<Self, StoreError> {
        let mut chain = Self::default();
        chain.read(repo, refs.archives.values().copied())?;
        Ok(chain)
    }

    /// Takes in the archives `from` and those that they lead to.
    fn read(&mut self, repo: &Repository, from: impl IntoIterator<Item = Oid>) -> Result<(), StoreError> {
        let mut walk = Walk::from(repo, from).beyond(self.archives.keys().copied());
        for archive in walk.by_ref() {
            let archive = archive?;
            self.archives.insert(archive.id, archive);
        }
        self.is_torn |= !walk.missing.is_empty();
        Ok(())
    }

    /// Those of some drafts to which the archives `from` lead.
    fn held<'d>(&self, from: &[Oid], drafts: impl IntoIterator<Item = &'d KeptDraft>) -> BTreeSet<KeptDraft> {
        let wanted: BTreeSet<&KeptDraft> = drafts.into_iter().collect();
        let (mut left, mut seen, mut held) = (from.to_vec(), BTreeSet::new(), BTreeSet::new());
        while let Some(id) = left.pop() {
            let Some(archive) = self.archives.get(&id).filter(|_| seen.insert(id)) else { continue };
            held.extend(archive.drafts.iter().filter(|draft| wanted.contains(draft)).cloned());
            left.extend(&archive.earlier);
        }
        held
    }
}

/// The drafts that go into new archives, and the archives that those take over.
struct Plan {
    earlier: Vec<Oid>,
    drafts: Vec<Dated>,
}

impl Plan {
    /// Takes the drafts of archives that are not full along with those that have refs of their own. Drafts whose commits are
    /// missing are left to `doctor`.
    fn of(repo: &Repository, refs: &Refs, chain: &Chain) -> Result<Self, StoreError> {
        let (mut earlier, mut found) = (Vec::new(), Vec::new());
        for id in refs.archives.values() {
            let Some(archive) = chain.archives.get(id) else { continue };
            let dated = if archive.has_room() { dated(repo, &archive.drafts)? } else { Vec::new() };
            if archive.has_room() && dated.len() == archive.drafts.len() {
                found.extend(dated);
                earlier.extend(&archive.earlier);
            } else {
                earlier.push(*id);
            }
        }
        let earlier = archive::needed(repo, earlier)?;
        found.extend(dated(repo, &refs.own)?);
        let held = chain.held(&earlier, found.iter().map(|(_, draft)| draft));
        let drafts = found.into_iter().filter(|(_, draft)| !held.contains(draft)).collect();
        Ok(Self { earlier, drafts })
    }
}

/// The drafts that the archives lead to; `None` where one of the archives is missing.
fn whole_drafts(
    repo: &Repository,
    archives: impl IntoIterator<Item = Oid>,
) -> Result<Option<BTreeSet<KeptDraft>>, StoreError> {
    let (mut walk, mut drafts) = (Walk::from(repo, archives), BTreeSet::new());
    for archive in walk.by_ref() {
        drafts.extend(archive?.drafts);
    }
    Ok(walk.missing.is_empty().then_some(drafts))
}

/// Those of the drafts whose last commit is there, with its time.
fn dated(repo: &Repository, drafts: &[KeptDraft]) -> Result<Vec<Dated>, StoreError> {
    let mut dated = Vec::new();
    for draft in drafts {
        if let Some(tip) = repo.find_commit(draft.tip).or_missing("reading a kept draft")? {
            dated.push((tip.time().seconds(), draft.clone()));
        }
    }
    Ok(dated)
}

impl Book {
    /// True when it is time to look whether kept drafts are to be gathered: when objects are packed, and when many drafts have
    /// been kept since. Costs the same in a long book.
    #[must_use]
    pub fn is_gathering_due(&self) -> bool {
        let folders = || fs::read_dir(self.repo.commondir().join(KEPT)).map_or(0, Iterator::count);
        self.is_packing_due() || folders() >= MANY_FOLDERS
    }

    /// The names of those of the kept refs of another copy whose drafts this copy has in archives.
    pub fn gathered_of(&self, theirs: &BTreeMap<String, CommitId>) -> Result<BTreeSet<String>, StoreError> {
        let ours = self.kept_names()?;
        let mut others = theirs.iter().filter(|(name, _)| !ours.contains_key(*name)).peekable();
        let mut gathered = BTreeSet::new();
        if others.peek().is_none() {
            return Ok(gathered);
        }
        let held = Walk::of_book(&self.repo)?.drafts()?;
        for (name, id) in others {
            let is_held = match KeptDraft::of_ref(name, id.oid()) {
                Some(draft) => held.contains(&draft),
                None if name.starts_with(ARCHIVES) => {
                    whole_drafts(&self.repo, [id.oid()])?.is_some_and(|drafts| drafts.is_subset(&held))
                }
                None => false,
            };
            if is_held {
                gathered.insert(name.clone());
            }
        }
        Ok(gathered)
    }
}

impl Session<'_> {
    /// Gathers the kept drafts that have refs of their own into archives, when they are 16 or more, and makes one archive of
    /// several. Returns how many refs are gone.
    /// Fails when an object or a ref cannot be written. Every draft has a ref or an archive then.
    pub fn gather_drafts(&self) -> Result<usize, StoreError> {
        let (book, repo) = (self.book, &self.book.repo);
        let refs = Refs::read(repo)?;
        if !refs.is_due() {
            return Ok(0);
        }
        let mut chain = Chain::of(repo, &refs)?;
        if chain.is_torn {
            return Ok(0);
        }
        let Plan { mut earlier, drafts } = Plan::of(repo, &refs, &chain)?;
        let mut divided = archive::divided(drafts);
        if divided.is_empty() && earlier.len() > 1 {
            divided.push(Vec::new());
        }
        for drafts in divided {
            let id = archive::write(&book.transient(), &earlier, &drafts)?;
            book.settled(id)?;
            abort_at("archive.written");
            earlier = vec![id];
        }
        for id in &earlier {
            let name = Archive::ref_name(*id);
            if refs.archives.get(&name) != Some(id) {
                refs::create(repo, &self.wait, &name, *id, "novel: gather").map_err(StoreError::from)?;
            }
        }
        abort_at("archive.named");
        chain.read(repo, earlier.iter().copied())?;
        let gone = refs.left_over(&earlier, &chain.held(&earlier, &refs.own));
        self.delete_kept(&gone)?;
        abort_at("archive.end");
        Ok(gone.len())
    }

    /// Deletes the refs of drafts that are in an archive, and of archives that others have taken over: those that a sync has
    /// brought, or a death has left. Returns how many.
    /// Fails when a ref cannot be deleted.
    pub fn drop_gathered(&self) -> Result<usize, StoreError> {
        let repo = &self.book.repo;
        let refs = Refs::read(repo)?;
        if refs.archives.is_empty() {
            return Ok(0);
        }
        let chain = Chain::of(repo, &refs)?;
        if chain.is_torn {
            return Ok(0);
        }
        let stays = archive::needed(repo, refs.archives.values().copied())?;
        let gone = refs.left_over(&stays, &chain.held(&stays, &refs.own));
        self.delete_kept(&gone)?;
        Ok(gone.len())
    }

    fn delete_kept(&self, names: &[String]) -> Result<(), StoreError> {
        let moves: Moves<'_> = names.iter().map(|name| (name.as_str(), None)).collect();
        refs::set_all(&self.book.repo, &self.wait, &moves, "novel: gather")
    }

    /// Gathers kept drafts and has git pack the objects, if there are many. Does not wait for git.
    #[must_use]
    pub fn pack_if_due(&self, packer: &Packer) -> Packing {
        if self.book.is_gathering_due() {
            // Refs that stay cost little; the next chapter tries again.
            let _ = self.gather_drafts();
        }
        self.book.pack_if_due(packer)
    }
}
