//! The way of objects to the disk: they are gathered in memory while a transaction is prepared, and written as one
//! pack.
//!
//! libgit2 writes each object into a file of its own, and a stage result is a dozen objects, a chapter sixty; making
//! and syncing so many files was most of what a chapter cost. One pack is two files, written completely or not at
//! all: the objects of a transaction that failed are forgotten with the memory.
//!
//! The memory is our own. Libgit2 has one too, but looks for each object that is written there in every pack first, and then,
//! once it has listed the packs again, once more: a third of the system calls of a chapter, and pages of the index of a large pack
//! for each object.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::rc::Rc;

use git2::{ObjectType, Odb, Oid, Repository};

use super::durability::sync_objects;
use super::object_store::ObjectStore;
use super::pack_file::{Compressor, Entry, Pack};
use super::raw_commit;
use super::tree;
use crate::store::disk::files::{SyncAtOnce, TempArea, create_dirs, sync_dir};
use crate::store::disk::system;
use crate::store::error::{GitContext, IoContext, StoreError};
use crate::store::failpoint::abort_at;

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
    /// Those that are in no file yet.
    memory: RefCell<BTreeMap<Oid, Gathered>>,
    /// `None` until they are wanted.
    disk: RefCell<Option<Disk>>,
    growing: RefCell<Growing>,
    /// `None` until something is written.
    compressor: RefCell<Option<Compressor>>,
}

/// An object in memory.
struct Gathered {
    kind: ObjectType,
    content: Rc<[u8]>,
}

struct Disk {
    odb: Rc<Odb<'static>>,
    /// How many packs were written since it was opened.
    packs: u32,
}

/// The pack that the next transaction's replaces.
#[derive(Default)]
struct Growing {
    name: Option<String>,
    entries: Vec<Entry>,
    /// The objects of the pack before it.
    before: BTreeSet<Oid>,
}

/// The objects of a book as a transaction reads and writes them.
pub(crate) struct Transient<'b> {
    pub(crate) repo: &'b Repository,
    pub(crate) objects: &'b Objects,
}

impl ObjectStore for Transient<'_> {
    fn read(&self, id: Oid) -> Result<Rc<[u8]>, StoreError> {
        let held = self.objects.memory.borrow().get(&id).map(|held| Rc::clone(&held.content));
        held.map_or_else(|| self.repo.read(id), Ok)
    }

    fn write(&self, kind: ObjectType, content: Vec<u8>) -> Result<Oid, StoreError> {
        let id = Oid::hash_object(kind, &content).doing("writing an object")?;
        self.objects.memory.borrow_mut().entry(id).or_insert_with(|| Gathered { kind, content: content.into() });
        Ok(id)
    }
}

impl Objects {
    pub(crate) fn of(repo: &Repository) -> Self {
        Self {
            dir: repo.commondir().join("objects"),
            memory: RefCell::default(),
            disk: RefCell::default(),
            growing: RefCell::default(),
            compressor: RefCell::default(),
        }
    }

    /// Whether the object `id` is in a file, and not in memory alone.
    pub(crate) fn has(&self, repo: &Repository, id: Oid) -> bool {
        match self.disk() {
            Ok(Some(disk)) => disk.exists(id),
            // Nothing is published there but in files.
            Ok(None) => repo.odb().is_ok_and(|odb| odb.exists(id)),
            Err(_) => false,
        }
    }

    /// Forgets what is in memory: between transactions that is what came to nothing.
    pub(crate) fn forget(&self) {
        self.memory.borrow_mut().clear();
    }

    /// From now on `repo` finds what is in memory.
    pub(crate) fn publish(&self, repo: &Repository) -> Result<(), StoreError> {
        let doing = "writing objects";
        let memory = self.memory.borrow();
        let Some(path) = self.dir.to_str() else {
            // Libgit2 cannot be told the path: objects are files of their own there, as they are by default.
            return memory.values().try_for_each(|held| repo.write(held.kind, held.content.to_vec()).map(drop));
        };
        let odb = Odb::new().doing(doing)?;
        odb.add_new_mempack_backend(FIRST).doing(doing)?;
        // Before the files are there to be searched for each of them.
        memory.values().try_for_each(|held| odb.write(held.kind, &held.content).map(drop)).doing(doing)?;
        odb.add_disk_alternate(path).doing(doing)?;
        repo.set_odb(&odb).doing(doing)
    }

    /// Puts `commit` and everything that it has and its first parent has not on the disk: all of it is there for good when this
    /// returns.
    pub(crate) fn settle(&self, repo: &Repository, temp: &TempArea, commit: Oid) -> Result<(), StoreError> {
        let needed = needed_by(&Transient { repo, objects: self }, commit)?;
        let Growing { name: replaced, mut entries, mut before } = self.growing.take();
        let mut there = BTreeSet::new();
        let count = entries.len();
        let mut compressor = self.compressor.borrow_mut();
        let compressor = compressor.get_or_insert_with(Compressor::new);
        let mut memory = self.memory.borrow_mut();
        for id in &needed {
            // Other packs are not searched for it: an object that is in one already is written once more, which git's next
            // packing mends, and a search maps a hundred kilobytes of the index of a large pack.
            match memory.get(id) {
                // Another program's, which may not have synced it.
                None => drop(there.insert(*id)),
                Some(_) if before.contains(id) || entries.iter().any(|entry| entry.id == *id) => {}
                Some(new) => entries.push(compressor.entry(*id, new.kind, &new.content).at("writing", &self.dir)?),
            }
        }
        sync_objects(repo, &there)?;
        let mut name = replaced.clone();
        if entries.len() > count {
            name = Some(write_pack(&self.folder(), temp, &entries)?);
            replaced.iter().for_each(|replaced| self.replace(replaced));
            self.count_pack();
        }
        memory.retain(|id, _| !needed.contains(id));
        if entries.iter().map(Entry::len).sum::<usize>() >= GROWS {
            before = entries.drain(..).map(|entry| entry.id).collect();
            name = None;
        }
        *self.growing.borrow_mut() = Growing { name, entries, before };
        Ok(())
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
        self.count_pack();
        Ok(())
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

    /// The files alone, whatever the repository sees; `None` where libgit2 cannot be told the path.
    fn disk(&self) -> Result<Option<Rc<Odb<'static>>>, StoreError> {
        let doing = "opening the object store";
        let Some(path) = self.dir.to_str() else { return Ok(None) };
        let mut disk = self.disk.borrow_mut();
        if let Some(disk) = disk.as_ref().filter(|disk| disk.packs < STALE) {
            return Ok(Some(Rc::clone(&disk.odb)));
        }
        let odb = Rc::new(Odb::new().doing(doing)?);
        odb.add_disk_alternate(path).doing(doing)?;
        *disk = Some(Disk { odb: Rc::clone(&odb), packs: 0 });
        Ok(Some(odb))
    }

    /// Counts a pack that was written. Libgit2 finds it when it looks for an object that no other pack has.
    fn count_pack(&self) {
        if let Some(disk) = self.disk.borrow_mut().as_mut() {
            disk.packs += 1;
        }
    }

    fn file(&self, name: &str, ending: &str) -> PathBuf {
        self.folder().join(format!("pack-{name}.{ending}"))
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
fn needed_by(store: &Transient<'_>, commit: Oid) -> Result<BTreeSet<Oid>, StoreError> {
    let ground = |id: Oid| {
        let garbled = || StoreError::Damaged { what: format!("the commit {id} is garbled") };
        raw_commit::ground(&store.read(id)?).ok_or_else(garbled)
    };
    let (new, parent) = ground(commit)?;
    let old = parent.map(ground).transpose()?.map(|(tree, _)| tree);
    let mut ids = tree::new_objects(store, old, new)?;
    ids.insert(commit);
    Ok(ids)
}
