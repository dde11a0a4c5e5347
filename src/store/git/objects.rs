//! The way of objects to the disk: they are gathered in memory while a transaction is prepared, and written as one
//! pack.
//!
//! libgit2 writes each object into a file of its own, and a stage result is a dozen objects, a chapter sixty; making
//! and syncing so many files was most of what a chapter cost. One pack is two files, written completely or not at
//! all: the objects of a transaction that failed are forgotten with the memory.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use git2::{Mempack, ObjectType, Odb, OdbLookupFlags, Oid, Repository};
use self_cell::self_cell;

use super::durability::sync_objects;
use super::pack_file::{Compressor, Entry, Pack};
use crate::store::disk::files::{SyncAtOnce, TempArea, create_dirs, sync_dir};
use crate::store::disk::system;
use crate::store::error::{GitContext, IoContext, StoreError};
use crate::store::failpoint::abort_at;

self_cell!(
    /// The object store that a repository writes to: its files, and before them the memory.
    struct Gathering {
        owner: Odb<'static>,
        #[not_covariant]
        dependent: Mempack,
    }
);

/// The memory comes before libgit2's own backends, which have 1 and 2.
const FIRST: i32 = 1000;
/// Up to this size the pack of one transaction is replaced by that of the next, which has both: a chapter leaves one pack.
const GROWS: usize = 256 << 10;
/// So many packs below [`SMALL`] are made one.
const MANY_SMALL: usize = 48;
/// In bytes.
const SMALL: u64 = 1 << 20;
/// Libgit2 never forgets a pack that was replaced, so after so many it starts again.
const STALE: u32 = 32;

/// The objects of a book.
pub(crate) struct Objects {
    /// `.git/objects`.
    dir: PathBuf,
    /// `None` until the book is about to be written to.
    open: RefCell<Option<Open>>,
    growing: RefCell<Growing>,
    /// `None` until something is written.
    compressor: RefCell<Option<Compressor>>,
}

struct Open {
    gathering: Gathering,
    /// The same files without the memory.
    disk: Odb<'static>,
    packs: u32,
}

/// The pack that the next transaction's replaces.
#[derive(Default)]
struct Growing {
    name: Option<String>,
    entries: Vec<Entry>,
}

impl Objects {
    pub(crate) fn of(repo: &Repository) -> Self {
        let dir = repo.commondir().join("objects");
        Self { dir, open: RefCell::default(), growing: RefCell::default(), compressor: RefCell::default() }
    }

    /// Whether the object `id` is in a file, and not in memory alone.
    pub(crate) fn has(&self, repo: &Repository, id: Oid) -> bool {
        match self.open.borrow().as_ref() {
            Some(open) => open.disk.exists(id),
            None => repo.odb().is_ok_and(|odb| odb.exists(id)),
        }
    }

    /// From now on `repo` writes objects to memory, and what was there is forgotten: between transactions that is what
    /// came to nothing, and what is on the disk by now.
    pub(crate) fn gather(&self, repo: &Repository) -> Result<(), StoreError> {
        let mut open = self.open.borrow_mut();
        match open.as_ref().filter(|open| open.packs < STALE) {
            Some(open) => open.gathering.with_dependent(|_, memory| memory.reset()).doing("writing objects"),
            None => {
                *open = Open::new(repo, &self.dir)?;
                Ok(())
            }
        }
    }

    /// Puts `commit`, and everything that it has and its first parent has not, on the disk: all of it is there for good
    /// when this returns.
    pub(crate) fn settle(&self, repo: &Repository, temp: &TempArea, commit: Oid) -> Result<(), StoreError> {
        let needed = needed_by(repo, commit)?;
        let Growing { name: replaced, mut entries } = self.growing.take();
        let odb = repo.odb().doing("opening the object store")?;
        let mut there = BTreeSet::new();
        let before = entries.len();
        let mut compressor = self.compressor.borrow_mut();
        let compressor = compressor.get_or_insert_with(Compressor::new);
        for id in needed {
            if self.finds(id) {
                there.insert(id);
            } else if entries.iter().all(|entry| entry.id != id) {
                let object = odb.read(id).doing("reading an object")?;
                entries.push(compressor.entry(id, object.kind(), object.data()).at("writing", &self.dir)?);
            }
        }
        // Another program's, which may not have synced it.
        sync_objects(repo, &there)?;
        let mut name = replaced.clone();
        if entries.len() > before {
            name = Some(write_pack(&self.folder(), temp, &entries)?);
            replaced.iter().for_each(|replaced| self.replace(replaced));
            self.refresh()?;
        }
        if entries.iter().map(Entry::len).sum::<usize>() < GROWS {
            *self.growing.borrow_mut() = Growing { name, entries };
        }
        Ok(())
    }

    /// Does not look for new packs again: an object that another process packed just now is written once more, which
    /// is harmless. While nothing is gathered, every object is in a file.
    fn finds(&self, id: Oid) -> bool {
        let open = self.open.borrow();
        open.as_ref().is_none_or(|open| open.disk.exists_ext(id, OdbLookupFlags::NO_REFRESH))
    }

    /// Makes one pack of the small ones when there are many, so that a book does not get slower on a machine without
    /// git to pack it. Packs that others have marked, or written as differences, are left to them.
    pub(crate) fn merge_small(&self, temp: &TempArea) -> Result<(), StoreError> {
        let small = self.small_packs();
        if small.len() < MANY_SMALL || self.is_indexed_together() {
            return Ok(());
        }
        let read = |name: &str, ending| fs::read(self.file(name, ending)).unwrap_or_default();
        let mut merged = BTreeMap::new();
        let mut names = Vec::new();
        for name in small {
            if let Some(entries) = Pack::entries(&read(&name, "pack"), &read(&name, "idx")) {
                merged.extend(entries.into_iter().map(|entry| (entry.id, entry)));
                names.push(name);
            }
        }
        if names.len() < 2 {
            return Ok(());
        }
        let merged: Vec<Entry> = merged.into_values().collect();
        let name = write_pack(&self.folder(), temp, &merged)?;
        abort_at("objects.merged");
        self.growing.take();
        names.iter().filter(|other| **other != name).for_each(|other| self.replace(other));
        self.refresh()
    }

    /// The names of small packs that have an index and nothing else beside them.
    fn small_packs(&self) -> Vec<String> {
        let mut packs: BTreeMap<String, Vec<(String, u64)>> = BTreeMap::new();
        for entry in fs::read_dir(self.folder()).into_iter().flatten().flatten() {
            let file = entry.file_name().to_string_lossy().into_owned();
            if let Some((name, ending)) = file.strip_prefix("pack-").and_then(|name| name.split_once('.')) {
                let size = entry.metadata().map_or(u64::MAX, |meta| meta.len());
                packs.entry(name.to_owned()).or_default().push((ending.to_owned(), size));
            }
        }
        let is_pair = |files: &[(String, u64)]| {
            files.len() == 2 && ["pack", "idx"].iter().all(|ending| files.iter().any(|(found, _)| found == ending))
        };
        packs.retain(|_, files| is_pair(files) && files.iter().all(|(_, size)| *size < SMALL));
        packs.into_keys().collect()
    }

    /// Removes a pack whose objects are all in another one, its index first: without it the pack is not looked at.
    fn replace(&self, name: &str) {
        // A pack in an index that git made of many packs is git's to take apart; until then some objects are there
        // twice.
        if self.is_indexed_together() {
            return;
        }
        if fs::remove_file(self.file(name, "idx")).is_ok() {
            let _ = fs::remove_file(self.file(name, "pack"));
        }
        abort_at("objects.replaced");
    }

    /// Whether one index of git's names objects in many packs, and so would miss one that goes.
    fn is_indexed_together(&self) -> bool {
        let folder = self.folder();
        folder.join("multi-pack-index").exists() || folder.join("multi-pack-index.d").exists()
    }

    fn folder(&self) -> PathBuf {
        self.dir.join("pack")
    }

    /// Looks for packs that are new.
    fn refresh(&self) -> Result<(), StoreError> {
        let mut open = self.open.borrow_mut();
        let Some(open) = open.as_mut() else { return Ok(()) };
        open.packs += 1;
        let both = [open.gathering.borrow_owner(), &open.disk];
        both.into_iter().try_for_each(Odb::refresh).doing("opening the object store")
    }

    fn file(&self, name: &str, ending: &str) -> PathBuf {
        self.folder().join(format!("pack-{name}.{ending}"))
    }
}

impl Open {
    /// Nothing where libgit2 cannot be told the path: objects are loose files there, as they are by default.
    fn new(repo: &Repository, dir: &Path) -> Result<Option<Self>, StoreError> {
        let doing = "opening the object store";
        let Some(path) = dir.to_str() else { return Ok(None) };
        let store = || -> Result<Odb<'static>, git2::Error> {
            let odb = Odb::new()?;
            odb.add_disk_alternate(path)?;
            Ok(odb)
        };
        let gathering =
            Gathering::try_new(store().doing(doing)?, |odb| odb.add_new_mempack_backend(FIRST)).doing(doing)?;
        repo.set_odb(gathering.borrow_owner()).doing(doing)?;
        Ok(Some(Self { gathering, disk: store().doing(doing)?, packs: 0 }))
    }
}

/// Puts a pack of `entries` into `folder`, on the disk, and returns its name. It is there from the moment on when its index
/// is.
pub(crate) fn write_pack(folder: &Path, temp: &TempArea, entries: &[Entry]) -> Result<String, StoreError> {
    let Pack { name, pack, index } = Pack::of(entries);
    create_dirs(folder)?;
    let syncing = SyncAtOnce::of(folder, 2);
    let pack = temp.write_with(&pack, &syncing)?;
    let index = temp.write_with(&index, &syncing).inspect_err(|_| drop(fs::remove_file(&pack)))?;
    let files = [("pack", pack), ("idx", index)];
    syncing.wait().inspect_err(|_| files.iter().for_each(|(_, file)| drop(fs::remove_file(file))))?;
    for (at, (ending, file)) in files.iter().enumerate() {
        let target = folder.join(format!("pack-{name}.{ending}"));
        if let Err(error) = system::rename(file, &target) {
            files[at..].iter().for_each(|(_, file)| drop(fs::remove_file(file)));
            if at > 0 {
                let _ = fs::remove_file(folder.join(format!("pack-{name}.pack")));
            }
            return Err(error).at("writing", &target);
        }
        abort_at("objects.placed");
    }
    sync_dir(folder)?;
    Ok(name)
}

/// `commit` and everything that it has and its first parent has not.
fn needed_by(repo: &Repository, commit: Oid) -> Result<BTreeSet<Oid>, StoreError> {
    let new = repo.find_commit(commit).doing("reading a commit")?;
    let old = new.parent(0).ok().map(|p| p.tree_id());
    let mut ids = BTreeSet::from([commit]);
    new_objects(repo, new.tree_id(), old, &mut ids)?;
    Ok(ids)
}

fn new_objects(repo: &Repository, new: Oid, old: Option<Oid>, found: &mut BTreeSet<Oid>) -> Result<(), StoreError> {
    if Some(new) == old || !found.insert(new) {
        return Ok(());
    }
    let new = repo.find_tree(new).doing("reading a tree")?;
    let old = old.map(|id| repo.find_tree(id)).transpose().doing("reading a tree")?;
    for entry in &new {
        let before = old.as_ref().and_then(|t| t.get_name_bytes(entry.name_bytes()));
        match entry.kind() {
            Some(ObjectType::Tree) => {
                let before = before.filter(|b| b.kind() == Some(ObjectType::Tree)).map(|b| b.id());
                new_objects(repo, entry.id(), before, found)?;
            }
            Some(ObjectType::Blob) if before.is_none_or(|b| b.id() != entry.id()) => {
                found.insert(entry.id());
            }
            _ => {}
        }
    }
    Ok(())
}
