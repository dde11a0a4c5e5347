//! The way of objects to the disk: libgit2 gathers them in memory while a transaction is prepared, and they are written as one
//! pack.
//! By default libgit2 writes each object into a file of its own, and a stage result is a dozen objects, a chapter sixty; making
//! and syncing so many files was most of what a chapter cost. One pack is two files, written completely or not at
//! all: the objects of a transaction that failed are forgotten with the memory.

use crate::git::disk::{SyncAtOnce, TempArea, create_dirs, read_if_there, sync_dir, system};
use crate::git::error::{GitContext, IoContext, StoreError};
use crate::git::failpoint::abort_at;
use crate::git::tree;
use crate::git::verification::{self, sync_objects};
use git2::{Config, ObjectType, Odb, OdbLookupFlags, Oid, Repository};
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::rc::Rc;

/// The memory comes before libgit2's own backends, which have 1 and 2.
const FIRST: i32 = 1000;
/// So many packs below [`SMALL`] are made one: those of a dozen chapters. The author's git, where there is one,
/// packs them before.
const MANY_SMALL: usize = 80;
const SMALL: u64 = 1 << 20;

/// Each object of a pack is compared with the one before it instead of with ten: a quarter of an import, and the packs are no larger.
pub(crate) const COMPARED: &str = "[pack]\n\twindowMemory = 16k\n";
/// None is: different chapters have nothing in common. Libgit2 1.9 takes the one value for the other.
const ALONE: &str = "[core]\n\tbigFileThreshold = 1\n[pack]\n\tdeltaCacheSize = 1\n";
/// A larger file than this is a chapter, most likely, in bytes.
const TEXT: usize = 2 << 10;

pub(crate) struct Objects {
    /// `.git/objects`.
    dir: PathBuf,
    /// The files alone, whatever is in memory; `None` until they are wanted.
    disk: RefCell<Option<Rc<Odb<'static>>>>,
}

impl Objects {
    /// From now on `repo` writes objects to memory.
    pub(crate) fn of(repo: &Repository) -> Result<Self, StoreError> {
        let objects = Self { dir: repo.commondir().join("objects"), disk: RefCell::default() };
        objects.forget(repo)?;
        Ok(objects)
    }

    /// Forgets what is in memory: between transactions that is what came to nothing.
    ///
    /// Libgit2 opens the packs again then, so packs that have been replaced are forgotten as well.
    pub(crate) fn forget(&self, repo: &Repository) -> Result<(), StoreError> {
        let doing = "opening the object store";
        self.disk.take();
        // Objects are files of their own, as they are by default, when libgit2 cannot be told the path.
        let Some(path) = self.dir.to_str() else { return Ok(()) };
        let odb = Odb::new().doing(doing)?;
        odb.add_new_mempack_backend(FIRST).doing(doing)?;
        odb.add_disk_alternate(path).doing(doing)?;
        repo.set_odb(&odb).doing(doing)
    }

    /// Whether the object `id` is in a file, and not in memory alone.
    pub(crate) fn has(&self, repo: &Repository, id: Oid) -> bool {
        match self.disk() {
            Ok(Some(disk)) => disk.exists(id),
            // Nothing is in memory there.
            Ok(None) => repo.odb().is_ok_and(|odb| odb.exists(id)),
            Err(_) => false,
        }
    }

    /// Puts the commits and everything that each has and its first parent has not on the disk: all of it is there for good when
    /// this returns.
    pub(crate) fn settle(&self, repo: &Repository, temp: &TempArea, commits: &[Oid]) -> Result<(), StoreError> {
        let mut needed = BTreeSet::new();
        for commit in commits {
            needed.append(&mut needed_by(repo, *commit)?);
        }
        let (there, new): (BTreeSet<Oid>, BTreeSet<Oid>) = match self.disk()? {
            Some(disk) => needed.into_iter().partition(|id| disk.exists_ext(*id, OdbLookupFlags::NO_REFRESH)),
            None => (needed, BTreeSet::new()),
        };
        // Another program may not have synced them.
        sync_objects(repo, &there)?;
        let (texts, rest) = match commits {
            [_] => (BTreeSet::new(), new),
            _ => texts_of(repo, new)?,
        };
        for (ids, settings) in [(texts, ALONE), (rest, COMPARED)].into_iter().filter(|(ids, _)| !ids.is_empty()) {
            write_pack(repo, &self.folder(), temp, (&ids, settings))?;
            self.disk.take();
        }
        Ok(())
    }

    /// Makes one pack of the small ones when there are many, so that a book does not get slower on a machine without
    /// git to pack it. Packs that others have marked are left to them.
    pub(crate) fn merge_small(&self, repo: &Repository, temp: &TempArea) -> Result<(), StoreError> {
        let small = self.small_packs();
        if small.len() < MANY_SMALL || self.is_indexed_together() {
            return Ok(());
        }
        let mut ids = BTreeSet::new();
        for name in &small {
            // A git that packs in the background has taken the pack into one of its own since the folder was listed.
            let Some(index) = read_if_there(&self.file(name, "idx"))? else { return Ok(()) };
            ids.extend(verification::ids(&index));
        }
        let name = match write_pack(repo, &self.folder(), temp, (&ids, COMPARED)) {
            Ok(name) => name,
            // One of them is damaged: `doctor` says which.
            Err(StoreError::Git { .. }) => return Ok(()),
            Err(e) => return Err(e),
        };
        abort_at("objects.merged");
        self.disk.take();
        small.iter().filter(|other| **other != name).for_each(|other| self.replace(other));
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

    /// The files alone; `None` where libgit2 cannot be told the path.
    fn disk(&self) -> Result<Option<Rc<Odb<'static>>>, StoreError> {
        let doing = "opening the object store";
        let Some(path) = self.dir.to_str() else { return Ok(None) };
        let mut disk = self.disk.borrow_mut();
        if disk.is_none() {
            let odb = Odb::new().doing(doing)?;
            odb.add_disk_alternate(path).doing(doing)?;
            *disk = Some(Rc::new(odb));
        }
        Ok(disk.clone())
    }

    fn file(&self, name: &str, ending: &str) -> PathBuf {
        self.folder().join(format!("pack-{name}.{ending}"))
    }
}

/// Puts a pack of the objects `ids` of `repo` into `folder`, on the disk, and returns its name. It is there from the moment on
/// when its index is.
///
/// Libgit2 would give the index its place before the pack, and `Mempack::dump` takes whole trees, so a chapter's pack would be
/// the book.
pub(crate) fn write_pack(
    repo: &Repository,
    folder: &Path,
    temp: &TempArea,
    objects: (&BTreeSet<Oid>, &str),
) -> Result<String, StoreError> {
    create_dirs(folder)?;
    let room = temp.fresh()?;
    fs::create_dir(&room).at("creating", &room)?;
    let placed = built_pack(repo, &room, objects).and_then(|name| {
        place_pack(&room, folder, &name)?;
        Ok(name)
    });
    let _ = fs::remove_dir_all(&room);
    placed
}

/// Makes a pack and its index in `room`, on the disk.
fn built_pack(repo: &Repository, room: &Path, (ids, config): (&BTreeSet<Oid>, &str)) -> Result<String, StoreError> {
    let syncing = SyncAtOnce::of(room, 2);
    let settings = room.join("config");
    fs::write(&settings, config).at("writing", &settings)?;
    let built = || {
        // The builder would look up every ref of its repository, to put the tips of tags first: two calls of the system each.
        let without_refs = Repository::from_odb(repo.odb()?)?;
        without_refs.set_config(&Config::open(&settings)?)?;
        let mut builder = without_refs.packbuilder()?;
        ids.iter().try_for_each(|id| builder.insert_object(*id, None))?;
        builder.write(room, 0o644)?;
        Ok(builder.name()?.unwrap_or_default().to_owned())
    };
    let name: String = built().doing("writing objects")?;
    syncing.wait()?;
    for ending in ["pack", "idx"].iter().filter(|_| !syncing.is_on()) {
        let file = room.join(format!("pack-{name}.{ending}"));
        system::sync_file(&file).at("writing", &file)?;
    }
    Ok(name)
}

/// Gives the pack `name` and its index in `room` their places in `folder`.
fn place_pack(room: &Path, folder: &Path, name: &str) -> Result<(), StoreError> {
    for ending in ["pack", "idx"] {
        let file = format!("pack-{name}.{ending}");
        let target = folder.join(&file);
        if let Err(error) = system::rename(&room.join(&file), &target) {
            if ending == "idx" {
                let _ = fs::remove_file(folder.join(format!("pack-{name}.pack")));
            }
            return Err(error).at("writing", &target);
        }
        abort_at("objects.placed");
    }
    sync_dir(folder)
}

/// The texts among the objects, and the others.
fn texts_of(repo: &Repository, ids: BTreeSet<Oid>) -> Result<(BTreeSet<Oid>, BTreeSet<Oid>), StoreError> {
    let odb = repo.odb().doing("opening the object store")?;
    let is_text = |id: &Oid| matches!(odb.read_header(*id), Ok((size, ObjectType::Blob)) if size > TEXT);
    Ok(ids.into_iter().partition(is_text))
}

/// `commit` and everything that it has and its first parent has not.
fn needed_by(repo: &Repository, commit: Oid) -> Result<BTreeSet<Oid>, StoreError> {
    let new = repo.find_commit(commit).doing("reading a commit")?;
    let old = new.parent_id(0).ok().map(|id| tree::of_commit(repo, id)).transpose()?;
    let mut ids = tree::new_objects(repo, old.map(|tree| tree.id()), new.tree_id())?;
    ids.insert(commit);
    Ok(ids)
}
