//! The chapters that a commit has, read from its tree: the files under `chapters/` say which there are, and nothing else does.

use crate::git::tree::mode_of;
use crate::store::layout;
use crate::store::prelude::*;
use git2::{ObjectType, Tree};
use std::cell::RefCell;
use std::rc::Rc;

/// The chapters of one commit. The order of the book is the order of their numbers.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Contents(Vec<Run>);

/// Chapters of one volume with none of another between them. Each run comes after the one before it.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Run {
    volume: VolumeNo,
    /// At least one.
    chapters: Rc<BTreeSet<ChapterNo>>,
}

impl Contents {
    /// The last chapter; `None` before the first.
    pub fn last(&self) -> Option<ChapterNo> {
        self.0.last()?.chapters.last().copied()
    }

    /// The number of the last chapter; 0 before the first.
    pub fn last_number(&self) -> u32 {
        self.last().map_or(0, ChapterNo::get)
    }

    /// The chapter to be written next: the one after the last, whatever is missing before it.
    pub fn next(&self) -> ChapterNo {
        ChapterNo::after(self.last_number())
    }

    /// How many chapters there are.
    pub fn count(&self) -> usize {
        self.0.iter().map(|run| run.chapters.len()).sum()
    }

    pub fn has(&self, chapter: ChapterNo) -> bool {
        self.volume_of(chapter).is_some()
    }

    /// The volume that the chapter stands in; of two, the earlier.
    pub fn volume_of(&self, chapter: ChapterNo) -> Option<VolumeNo> {
        let at = self.0.partition_point(|run| run.chapters.last() < Some(&chapter));
        self.0.get(at).filter(|run| run.chapters.contains(&chapter)).map(|run| run.volume)
    }

    /// The file of a chapter in `tree`, of which these are the chapters; `None` when it is not among them.
    pub(crate) fn file_of(&self, chapter: ChapterNo, tree: &Tree<'_>) -> Option<ChapterFile> {
        let volume = self.volume_of(chapter)?;
        let blob = tree::blob_at(tree, &layout::chapter(volume, chapter))?.id;
        Some(ChapterFile { volume, blob })
    }

    /// Every chapter with its volume, in order.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = (ChapterNo, VolumeNo)> {
        self.0.iter().flat_map(|run| run.chapters.iter().map(|chapter| (*chapter, run.volume)))
    }

    /// The numbers before the last chapter that no chapter has.
    pub fn gaps(&self) -> impl Iterator<Item = ChapterNo> {
        (1..self.last_number()).filter_map(ChapterNo::new).filter(|chapter| !self.has(*chapter))
    }

    /// The volumes given in order, with the chapters in the folder of each.
    fn of_volumes(volumes: Vec<(VolumeNo, Rc<BTreeSet<ChapterNo>>)>) -> Self {
        let runs = volumes.into_iter().filter(|(_, chapters)| !chapters.is_empty());
        let runs: Vec<Run> = runs.map(|(volume, chapters)| Run { volume, chapters }).collect();
        if runs.is_sorted_by(|a, b| a.chapters.last() < b.chapters.first()) {
            return Self(runs);
        }
        // Volumes that do not follow one another, as only an author's own files can bring about.
        let mut volume_of = BTreeMap::new();
        for run in &runs {
            for chapter in run.chapters.iter() {
                volume_of.entry(*chapter).or_insert(run.volume);
            }
        }
        let chapters: Vec<(ChapterNo, VolumeNo)> = volume_of.into_iter().collect();
        let run = |run: &[(ChapterNo, VolumeNo)]| Run {
            volume: run[0].1,
            chapters: Rc::new(run.iter().map(|(chapter, _)| *chapter).collect()),
        };
        Self(chapters.chunk_by(|a, b| a.1 == b.1).map(run).collect())
    }
}

/// The chapters of the volumes that have been read. The folder of a volume has the same chapters in every commit that has this
/// very folder, so it is read once for all of them.
#[derive(Default)]
pub(crate) struct Shelves(RefCell<BTreeMap<Oid, Rc<BTreeSet<ChapterNo>>>>);

impl Shelves {
    pub(crate) fn contents(&self, repo: &Repository, tree: &Tree<'_>) -> Result<Contents, StoreError> {
        let mut found = Vec::new();
        for (volume, id) in volumes(repo, tree)? {
            let known = self.0.borrow().get(&id).map(Rc::clone);
            let chapters = match known {
                Some(chapters) => chapters,
                None => {
                    let files = files_of(repo, id)?.into_iter().map(|(chapter, _)| chapter);
                    let chapters = Rc::new(files.collect::<BTreeSet<_>>());
                    self.0.borrow_mut().insert(id, Rc::clone(&chapters));
                    chapters
                }
            };
            found.push((volume, chapters));
        }
        Ok(Contents::of_volumes(found))
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct ChapterFile {
    pub(crate) volume: VolumeNo,
    pub(crate) blob: Oid,
}

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

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        /// However the author's folders overlap, the chapters are those of a map in which the earlier volume has its way.
        #[test]
        fn runs_say_what_a_map_says(volumes in prop::collection::btree_map(1u32..6, prop::collection::btree_set(1u32..30, 0..12), 0..5)) {
            let mut map = BTreeMap::new();
            let mut given = Vec::new();
            for (volume, chapters) in volumes {
                let volume = VolumeNo::new(volume).unwrap();
                let chapters: BTreeSet<ChapterNo> = chapters.into_iter().filter_map(ChapterNo::new).collect();
                for chapter in &chapters {
                    map.entry(*chapter).or_insert(volume);
                }
                given.push((volume, Rc::new(chapters)));
            }
            let contents = Contents::of_volumes(given);
            prop_assert!(contents.iter().eq(map.iter().map(|(chapter, volume)| (*chapter, *volume))));
            prop_assert_eq!(contents.count(), map.len());
            prop_assert_eq!(contents.last(), map.keys().next_back().copied());
            for chapter in (1..31).filter_map(ChapterNo::new) {
                prop_assert_eq!(contents.volume_of(chapter), map.get(&chapter).copied());
            }
            let kept = Contents::of_volumes(vec![(VolumeNo::new(1).unwrap(), Rc::new(map.keys().copied().collect()))]);
            prop_assert!(kept.gaps().eq(contents.gaps()));
        }
    }
}
