//! The chapters that a commit has, read from its tree: the files under `chapters/` say which there are, and nothing else does.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use git2::{ObjectType, Oid, Repository, Tree};

use crate::domain::{ChapterNo, VolumeNo};
use crate::store::error::{GitContext, StoreError};
use crate::store::git::tree::{Blob, mode_of};
use crate::store::layout;

/// The chapters of one commit. The order of the book is the order of their numbers.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Contents(BTreeMap<ChapterNo, VolumeNo>);

impl Contents {
    /// The chapters that `tree` has.
    pub(crate) fn of(repo: &Repository, tree: &Tree<'_>) -> Result<Self, StoreError> {
        let found = chapter_files(repo, tree)?;
        Ok(Self(found.into_iter().map(|(chapter, file)| (chapter, file.volume)).collect()))
    }

    /// The last chapter; `None` before the first.
    #[must_use]
    pub fn last(&self) -> Option<ChapterNo> {
        self.0.keys().next_back().copied()
    }

    /// The number of the last chapter; 0 before the first.
    #[must_use]
    pub fn last_number(&self) -> u32 {
        self.last().map_or(0, ChapterNo::get)
    }

    /// The chapter to be written next: the one after the last, whatever is missing before it.
    #[must_use]
    pub fn next(&self) -> ChapterNo {
        ChapterNo::after(self.last_number())
    }

    /// How many chapters there are.
    #[must_use]
    pub fn count(&self) -> usize {
        self.0.len()
    }

    /// True when the chapter is there.
    #[must_use]
    pub fn has(&self, chapter: ChapterNo) -> bool {
        self.0.contains_key(&chapter)
    }

    /// The volume that the chapter stands in; of two, the earlier.
    #[must_use]
    pub fn volume_of(&self, chapter: ChapterNo) -> Option<VolumeNo> {
        self.0.get(&chapter).copied()
    }

    /// Every chapter with its volume, in order.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = (ChapterNo, VolumeNo)> {
        self.0.iter().map(|(chapter, volume)| (*chapter, *volume))
    }

    /// The numbers before the last chapter that no chapter has.
    pub fn gaps(&self) -> impl Iterator<Item = ChapterNo> {
        (1..self.last_number()).filter_map(ChapterNo::new).filter(|chapter| !self.has(*chapter))
    }
}

/// The file of a chapter.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct ChapterFile {
    pub(crate) volume: VolumeNo,
    pub(crate) blob: Oid,
}

/// The files of the chapters that `tree` has.
pub(crate) fn chapter_files(
    repo: &Repository,
    tree: &Tree<'_>,
) -> Result<BTreeMap<ChapterNo, ChapterFile>, StoreError> {
    let mut found = BTreeMap::new();
    for (volume, id) in volumes(repo, tree)? {
        for (chapter, blob) in files_of(repo, id)? {
            found.entry(chapter).or_insert(ChapterFile { volume, blob });
        }
    }
    Ok(found)
}

/// The chapters of one commit after another: a volume that they share is read once.
pub(crate) struct Shelves<'r> {
    repo: &'r Repository,
    volumes: BTreeMap<Oid, Rc<BTreeSet<ChapterNo>>>,
}

/// The chapters of one of them, by volume in order.
#[derive(Debug, Clone)]
pub(crate) struct Shelf(Vec<(VolumeNo, Rc<BTreeSet<ChapterNo>>)>);

impl<'r> Shelves<'r> {
    pub(crate) fn new(repo: &'r Repository) -> Self {
        Self { repo, volumes: BTreeMap::new() }
    }

    /// The chapters that `tree` has.
    pub(crate) fn of(&mut self, tree: &Tree<'_>) -> Result<Shelf, StoreError> {
        let mut shelf = Vec::new();
        for (volume, id) in volumes(self.repo, tree)? {
            let chapters = match self.volumes.get(&id) {
                Some(chapters) => Rc::clone(chapters),
                None => {
                    let files = files_of(self.repo, id)?.into_iter().map(|(chapter, _)| chapter);
                    let chapters = Rc::new(files.collect::<BTreeSet<_>>());
                    self.volumes.insert(id, Rc::clone(&chapters));
                    chapters
                }
            };
            shelf.push((volume, chapters));
        }
        Ok(Shelf(shelf))
    }
}

impl Shelf {
    /// The last chapter.
    pub(crate) fn last(&self) -> Option<ChapterNo> {
        self.0.iter().filter_map(|(_, chapters)| chapters.last()).max().copied()
    }

    /// The volume of a chapter; of two, the earlier.
    pub(crate) fn volume_of(&self, chapter: ChapterNo) -> Option<VolumeNo> {
        self.0.iter().find(|(_, chapters)| chapters.contains(&chapter)).map(|(volume, _)| *volume)
    }
}

/// The folders of volumes with chapters that `tree` has, in order.
fn volumes(repo: &Repository, tree: &Tree<'_>) -> Result<Vec<(VolumeNo, Oid)>, StoreError> {
    let Some(folder) = chapters_id(tree) else { return Ok(Vec::new()) };
    let folder = repo.find_tree(folder).doing("reading the chapters")?;
    let is_folder = |entry: &git2::TreeEntry<'_>| entry.kind() == Some(ObjectType::Tree);
    let volume = |entry: git2::TreeEntry<'_>| Some((layout::volume_named(entry.name().ok()?)?, entry.id()));
    let mut volumes: Vec<(VolumeNo, Oid)> = folder.iter().filter(is_folder).filter_map(volume).collect();
    volumes.sort_unstable();
    Ok(volumes)
}

/// The chapters in the folder of a volume, with their texts.
fn files_of(repo: &Repository, volume: Oid) -> Result<Vec<(ChapterNo, Oid)>, StoreError> {
    let folder = repo.find_tree(volume).doing("reading the chapters")?;
    let file = |entry: git2::TreeEntry<'_>| {
        let is_file = Blob { id: entry.id(), mode: mode_of(entry.filemode()) }.is_file();
        Some((entry.name().ok().filter(|_| is_file).and_then(layout::chapter_named)?, entry.id()))
    };
    Ok(folder.iter().filter_map(file).collect())
}

/// The id of the folder of chapters, by which two commits with the same chapters are told at once.
pub(crate) fn chapters_id(tree: &Tree<'_>) -> Option<Oid> {
    let entry = tree.get_name(layout::CHAPTERS)?;
    (entry.kind() == Some(ObjectType::Tree)).then(|| entry.id())
}
