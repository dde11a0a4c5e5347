//! The book as of one commit, read from the object store: whatever the work tree looks like, a snapshot is whole.
//! The chapters that a commit has, read from its tree: the files under `chapters/` say which there are, and nothing else does.

use crate::git::tree::mode_of;
use crate::store::layout;
use crate::store::prelude::*;
use git2::{ObjectType, Tree};
use std::cell::{OnceCell, RefCell};
use std::rc::Rc;

#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct FolderEntry {
    /// The last component of the path.
    pub name: String,
    pub is_dir: bool,
}

#[derive(Clone)]
pub struct Snapshot<'b> {
    repo: &'b Repository,
    shelves: &'b Shelves,
    commit: CommitId,
    tree: Tree<'b>,
    contents: OnceCell<Contents>,
}

impl<'b> Snapshot<'b> {
    pub(crate) fn new(repo: &'b Repository, shelves: &'b Shelves, commit: CommitId) -> Result<Self, StoreError> {
        let tree = tree::of_commit(repo, commit.oid())?;
        Ok(Self { repo, shelves, commit, tree, contents: OnceCell::new() })
    }

    /// A tree that no commit has, in place of the commit's own.
    pub(crate) fn with_tree(&self, tree: git2::Oid) -> Result<Self, StoreError> {
        let tree = self.repo.find_tree(tree).doing("reading a tree")?;
        Ok(Self { tree, contents: OnceCell::new(), ..*self })
    }

    pub fn commit_id(&self) -> CommitId {
        self.commit
    }

    /// The bytes of the file at `path`; `None` when there is no such file.
    pub fn read(&self, path: &str) -> Result<Option<Vec<u8>>, StoreError> {
        match tree::blob_at(&self.tree, path) {
            Some(blob) if blob.is_file() => {
                Ok(Some(self.repo.find_blob(blob.id).doing("reading a file of the book")?.content().to_vec()))
            }
            _ => Ok(None),
        }
    }

    /// True when there is a file at `path` whose content is in no pack and no object file.
    pub fn is_lost(&self, path: &str) -> bool {
        let is_there = |blob: tree::Blob| self.repo.odb().is_ok_and(|odb| odb.exists(blob.id));
        tree::blob_at(&self.tree, path).is_some_and(|blob| !is_there(blob))
    }

    pub fn has(&self, path: &str) -> bool {
        tree::blob_at(&self.tree, path).is_some()
    }

    pub fn is_link(&self, path: &str) -> bool {
        tree::blob_at(&self.tree, path).is_some_and(|blob| blob.mode == git2::FileMode::Link)
    }

    /// The names in the folder `dir` (`""` for the book itself), in order; empty when there is no such folder.
    pub fn list(&self, dir: &str) -> Result<Vec<FolderEntry>, StoreError> {
        let Some(tree) = self.folder(dir)? else { return Ok(Vec::new()) };
        let name = |e: git2::TreeEntry<'_>| {
            Some(FolderEntry { name: e.name().ok()?.to_owned(), is_dir: e.kind() == Some(ObjectType::Tree) })
        };
        let mut names: Vec<FolderEntry> = tree.iter().filter_map(name).collect();
        names.sort();
        Ok(names)
    }

    /// The paths of every file under the folder `dir`, in order.
    pub fn files(&self, dir: &str) -> Result<Vec<String>, StoreError> {
        let Some(folder) = self.folder(dir)? else { return Ok(Vec::new()) };
        let prefix = if dir.is_empty() { String::new() } else { format!("{}/", dir.trim_end_matches('/')) };
        let mut paths = Vec::new();
        tree::walk(self.repo, &folder, &prefix, &mut |path, _| paths.push(path.to_owned()))?;
        paths.sort();
        Ok(paths)
    }

    /// Shows `visit` each file whose path is wanted, in order of path, one after the other in memory. A link counts as an empty file.
    /// Fails when the object store cannot be read, and the first one of `visit`.
    pub fn read_all<E: From<StoreError>>(
        &self,
        wanted: impl Fn(&str) -> bool,
        mut visit: impl FnMut(&str, &[u8]) -> Result<(), E>,
    ) -> Result<(), E> {
        let mut files = Vec::new();
        let mut keep = |path: &str, blob: tree::Blob| files.extend(wanted(path).then(|| (path.to_owned(), blob)));
        tree::walk(self.repo, &self.tree, "", &mut keep)?;
        files.sort_by(|(one, _), (other, _)| one.cmp(other));
        for (path, blob) in files {
            match blob.is_file() {
                true => visit(&path, self.repo.find_blob(blob.id).doing("reading a file of the book")?.content())?,
                false => visit(&path, &[])?,
            }
        }
        Ok(())
    }

    /// The paths whose content differs between `earlier` and this.
    pub fn changed_since(&self, earlier: &Snapshot<'_>) -> Result<Vec<String>, StoreError> {
        Ok(tree::differences(self.repo, Some(&earlier.tree), Some(&self.tree))?.into_iter().map(|d| d.path).collect())
    }

    /// The paths in the folders `names` at the top whose content differs between `earlier` and this; all of them where there
    /// is no earlier one.
    pub fn changed_in(&self, names: &[&str], earlier: Option<&Snapshot<'_>>) -> Result<Vec<String>, StoreError> {
        let mut paths = Vec::new();
        for name in names {
            match earlier {
                Some(earlier) => {
                    let differences = tree::differences_in(self.repo, name, &earlier.tree, &self.tree)?;
                    paths.extend(differences.into_iter().map(|difference| difference.path));
                }
                None => paths.extend(self.files(name)?),
            }
        }
        Ok(paths)
    }

    /// The chapters of this commit. Opens the folder of each volume that no snapshot of this book has read before, and no chapter.
    pub fn contents(&self) -> Result<&Contents, StoreError> {
        if let Some(known) = self.contents.get() {
            return Ok(known);
        }
        let read = self.shelves.contents(self.repo, &self.tree)?;
        Ok(self.contents.get_or_init(|| read))
    }

    pub(crate) fn repo(&self) -> &'b Repository {
        self.repo
    }

    pub(crate) fn tree(&self) -> &Tree<'b> {
        &self.tree
    }

    pub(super) fn folder(&self, dir: &str) -> Result<Option<Tree<'b>>, StoreError> {
        let dir = dir.trim_end_matches('/');
        if dir.is_empty() {
            return Ok(Some(self.tree.clone()));
        }
        let Some(entry) = self.tree.get_path(std::path::Path::new(dir)).or_missing("reading a folder of the book")?
        else {
            return Ok(None);
        };
        if entry.kind() != Some(ObjectType::Tree) {
            return Ok(None);
        }
        Ok(Some(self.repo.find_tree(entry.id()).doing("reading a folder of the book")?))
    }
}

impl std::fmt::Debug for Snapshot<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Snapshot({})", self.commit)
    }
}

/// The chapters of one commit. The order of the book is the order of their numbers.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Contents(Vec<VolumeRun>);

/// Chapters of one volume with none of another between them. Each run comes after the one before it.
#[derive(Debug, Clone, PartialEq, Eq)]
struct VolumeRun {
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
        let runs: Vec<VolumeRun> = runs.map(|(volume, chapters)| VolumeRun { volume, chapters }).collect();
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
        let run = |run: &[(ChapterNo, VolumeNo)]| VolumeRun {
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
