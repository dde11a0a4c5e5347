//! The chapters that a commit has, read from its tree: the files under `chapters/` say which there are, and nothing else does.

use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use git2::{ObjectType, Oid, Repository, Tree};

use crate::domain::{ChapterNo, VolumeNo};
use crate::store::disk::cache::Cache;
use crate::store::error::{GitContext, StoreError};
use crate::store::git::tree::{self, Blob, mode_of};
use crate::store::layout;

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
    #[must_use]
    pub fn last(&self) -> Option<ChapterNo> {
        self.0.last()?.chapters.last().copied()
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
        self.0.iter().map(|run| run.chapters.len()).sum()
    }

    /// True when the chapter is there.
    #[must_use]
    pub fn has(&self, chapter: ChapterNo) -> bool {
        self.volume_of(chapter).is_some()
    }

    /// The volume that the chapter stands in; of two, the earlier.
    #[must_use]
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
/// very folder, so it is read once for all of them, and those of a long book are kept for the next command as well.
pub(crate) struct Shelves {
    known: RefCell<BTreeMap<Oid, Rc<BTreeSet<ChapterNo>>>>,
    cache: Cache,
    /// How many folders are kept; `None` until they have been read.
    kept: Cell<Option<usize>>,
}

/// The name of the cache of volumes' chapters.
const KEPT: &str = "volumes";
/// The key of that cache: the format of its lines.
const RULES: &str = "volumes 1";
/// From so many volumes on their chapters are kept: reading the folders of two hundred takes three milliseconds.
const LONG: usize = 8;

impl Shelves {
    pub(crate) fn new(cache: Cache) -> Self {
        Self { known: RefCell::default(), cache, kept: Cell::default() }
    }

    /// The chapters that `tree` has.
    pub(crate) fn contents(&self, repo: &Repository, tree: &Tree<'_>) -> Result<Contents, StoreError> {
        let volumes = volumes(repo, tree)?;
        let is_long = volumes.len() >= LONG;
        let kept = match self.kept.get() {
            None if is_long => self.read_kept(),
            kept => kept.unwrap_or_default(),
        };
        let (mut found, mut is_new) = (Vec::new(), false);
        for (at, (volume, id)) in volumes.iter().enumerate() {
            let known = self.known.borrow().get(id).map(Rc::clone);
            let chapters = match known {
                Some(chapters) => chapters,
                None => {
                    let files = files_of(repo, *id)?.into_iter().map(|(chapter, _)| chapter);
                    let chapters = Rc::new(files.collect::<BTreeSet<_>>());
                    self.known.borrow_mut().insert(*id, Rc::clone(&chapters));
                    // The last volume grows with each chapter.
                    is_new |= at + 1 < volumes.len();
                    chapters
                }
            };
            found.push((*volume, chapters));
        }
        // A tree with fewer volumes is of an earlier time.
        if is_long && is_new && volumes.len() > kept {
            self.keep(&volumes[..volumes.len() - 1]);
        }
        Ok(Contents::of_volumes(found))
    }

    /// Reads the kept folders and returns how many there are.
    fn read_kept(&self) -> usize {
        let kept = self.cache.read(KEPT, RULES).ok().flatten().unwrap_or_default();
        let text = String::from_utf8_lossy(&kept);
        let mut known = self.known.borrow_mut();
        known.extend(text.lines().filter_map(kept_line).map(|(id, chapters)| (id, Rc::new(chapters))));
        self.kept.set(Some(known.len()));
        known.len()
    }

    fn keep(&self, volumes: &[(VolumeNo, Oid)]) {
        self.kept.set(Some(volumes.len()));
        let known = self.known.borrow();
        let lines = volumes.iter().filter_map(|(_, id)| {
            let numbers: Vec<u32> = known.get(id)?.iter().map(|chapter| chapter.get()).collect();
            let runs = numbers.chunk_by(|a, b| a + 1 == *b);
            let runs = runs.map(|run| format!(" {}-{}", run[0], run[0] + run.len() as u32 - 1));
            Some(format!("{id}{}\n", runs.collect::<String>()))
        });
        self.cache.keep(KEPT, RULES, lines.collect::<String>().as_bytes());
    }
}

/// A folder with its chapters: `0a1b… 1-50 52-52`.
fn kept_line(line: &str) -> Option<(Oid, BTreeSet<ChapterNo>)> {
    let (id, runs) = line.split_once(' ').unwrap_or((line, ""));
    let mut chapters = BTreeSet::new();
    for run in runs.split_whitespace() {
        let (first, last) = run.split_once('-')?;
        chapters.extend((first.parse::<u32>().ok()?..=last.parse().ok()?).filter_map(ChapterNo::new));
    }
    Some((Oid::from_str(id).ok()?, chapters))
}

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
    use crate::store::disk::files::TempArea;
    use crate::store::git::tree_edit::{self, Edits};
    use proptest::prelude::*;
    use std::fs;
    use std::path::Path;

    fn shelves_in(folder: &Path) -> Shelves {
        Shelves::new(Cache::new(folder.to_owned(), TempArea::new(folder.join("tmp"))))
    }

    #[test]
    fn folders_of_a_long_book_are_read_once_for_all_commands() {
        let home = tempfile::tempdir().unwrap();
        let repo = Repository::init_bare(home.path()).unwrap();
        let blob = repo.blob(b"text").unwrap();
        // Volumes of three chapters, with a gap in the second.
        let number = |volume: u32, at: u32| volume * 3 - 2 + at;
        let paths = (1..=9u32).flat_map(|volume| {
            let chapters = (0..3).filter(move |at| (volume, *at) != (2, 1)).map(move |at| number(volume, at));
            chapters.map(move |chapter| format!("chapters/vol-{volume:02}/chapter-{chapter:03}.md"))
        });
        let edits: Edits = paths.map(|path| (path, Some(Blob::file(blob)))).collect();
        let tree = repo.find_tree(tree_edit::edited(&repo, None, &edits).unwrap()).unwrap();

        let first = shelves_in(home.path());
        let contents = first.contents(&repo, &tree).unwrap();
        assert_eq!((contents.count(), contents.gaps().map(ChapterNo::get).collect::<Vec<_>>()), (26, vec![5]));
        let second = shelves_in(home.path());
        assert_eq!(second.read_kept(), 8, "the last volume grows");
        for (id, chapters) in &*second.known.borrow() {
            assert_eq!(first.known.borrow().get(id), Some(chapters));
        }
        assert_eq!(second.contents(&repo, &tree).unwrap(), contents);

        fs::write(home.path().join(KEPT), "0000 volumes 1\nnonsense\n").unwrap();
        assert_eq!(shelves_in(home.path()).contents(&repo, &tree).unwrap(), contents);
    }

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
