//! The chapters that a commit has, read from its tree: the files under `chapters/` say which there are, and nothing else does.

use std::collections::BTreeMap;

use git2::{ObjectType, Oid, Repository, Tree};

use super::snapshot::Snapshot;
use crate::domain::{ChapterNo, VolumeNo};
use crate::store::error::{GitContext, StoreError};
use crate::store::git::tree::{Blob, mode_of};
use crate::store::layout;

/// The chapters of one commit. The order of the book is the order of their numbers.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Contents(BTreeMap<ChapterNo, VolumeNo>);

impl Contents {
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

impl Snapshot<'_> {
    /// The chapters of this commit. Opens one folder a volume and no chapter.
    ///
    /// # Errors
    /// When the object store cannot be read.
    pub fn contents(&self) -> Result<Contents, StoreError> {
        let found = chapter_files(self.repo(), self.tree())?;
        Ok(Contents(found.into_iter().map(|(chapter, file)| (chapter, file.volume)).collect()))
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
    let Some(folder) = chapters_id(tree) else { return Ok(found) };
    let folder = repo.find_tree(folder).doing("reading the chapters")?;
    let mut volumes: Vec<(VolumeNo, Oid)> = folder
        .iter()
        .filter(|entry| entry.kind() == Some(ObjectType::Tree))
        .filter_map(|entry| Some((layout::volume_named(entry.name().ok()?)?, entry.id())))
        .collect();
    volumes.sort_unstable();
    for (volume, id) in volumes {
        for entry in &repo.find_tree(id).doing("reading the chapters")? {
            let is_file = Blob { id: entry.id(), mode: mode_of(entry.filemode()) }.is_file();
            let Some(chapter) = entry.name().ok().filter(|_| is_file).and_then(layout::chapter_named) else { continue };
            found.entry(chapter).or_insert(ChapterFile { volume, blob: entry.id() });
        }
    }
    Ok(found)
}

/// The id of the folder of chapters, by which two commits with the same chapters are told at once.
pub(crate) fn chapters_id(tree: &Tree<'_>) -> Option<Oid> {
    let entry = tree.get_name(layout::CHAPTERS)?;
    (entry.kind() == Some(ObjectType::Tree)).then(|| entry.id())
}
