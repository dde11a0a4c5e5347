//! Files by their content, which git's ids of blobs tell without reading, and changes of files: the book with a change on top.

use crate::domain::ContentId;
use crate::store::book::contents::chapter_files;
use crate::store::layout::check_path;
use crate::store::prelude::*;
use git2::ObjectType;

/// Files to put and to remove.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Change {
    /// Path to bytes.
    pub puts: BTreeMap<String, Vec<u8>>,
    /// Paths; removing a path that is not there changes nothing.
    pub removes: BTreeSet<String>,
}

impl Change {
    pub fn put(mut self, path: &str, bytes: impl Into<Vec<u8>>) -> Self {
        self.puts.insert(path.to_owned(), bytes.into());
        self
    }

    pub fn remove(mut self, path: &str) -> Self {
        self.removes.insert(path.to_owned());
        self
    }

    /// Puts a file, or removes it where it has no content left.
    pub fn put_or_remove(self, path: &str, bytes: Option<Vec<u8>>) -> Self {
        match bytes {
            Some(bytes) => self.put(path, bytes),
            None => self.remove(path),
        }
    }

    /// Both changes; they are about different paths.
    pub(crate) fn and(mut self, other: Self) -> Self {
        self.puts.extend(other.puts);
        self.removes.extend(other.removes);
        self
    }

    /// The part of it that is about paths that `is_wanted` names.
    pub fn only(mut self, is_wanted: impl Fn(&str) -> bool) -> Self {
        self.puts.retain(|path, _| is_wanted(path));
        self.removes.retain(|path| is_wanted(path));
        self
    }

    /// Writes the bytes as objects. A path that is both put and removed is put.
    pub(crate) fn write(&self, repo: &Repository) -> Result<Edits, StoreError> {
        let mut edits: Edits = BTreeMap::new();
        for path in &self.removes {
            check_path(path)?;
            edits.insert(path.clone(), None);
        }
        for (path, bytes) in &self.puts {
            check_path(path)?;
            edits.insert(path.clone(), Some(Blob::file(repo.blob(bytes).doing("writing an object")?)));
        }
        Ok(edits)
    }
}

impl Book {
    /// A blob, in memory.
    pub(crate) fn blob(&self, bytes: &[u8]) -> Result<Oid, StoreError> {
        self.repo.blob(bytes).doing("writing an object")
    }

    /// Puts the commit `id` on the disk, with all that it needs, and returns it: no ref may name it before.
    pub(crate) fn settled(&self, id: Oid) -> Result<Oid, StoreError> {
        self.objects.settle(&self.repo, &self.inner, &[id])?;
        Ok(id)
    }

    /// The tree `base`, or an empty one, with `edits`, in memory.
    pub(crate) fn edited(&self, base: Option<Oid>, edits: &Edits) -> Result<Oid, StoreError> {
        tree::edited(&self.repo, base, edits)
    }

    /// The book as of the accepted line with `change` on top. Nothing of it is written to disk.
    pub fn snapshot_with(&self, change: &Change) -> Result<Snapshot<'_>, StoreError> {
        self.snapshot_over(self.tip()?, change)
    }

    /// The book as of `commit` with `change` on top. Nothing of it is written to disk.
    pub fn snapshot_over(&self, commit: CommitId, change: &Change) -> Result<Snapshot<'_>, StoreError> {
        if *change == Change::default() {
            return self.snapshot_of(commit);
        }
        self.objects.forget(&self.repo)?;
        let snapshot = self.snapshot_of(commit)?;
        let tree = self.edited(Some(snapshot.tree().id()), &change.write(&self.repo)?)?;
        snapshot.with_tree(tree)
    }
}

/// The id of git's blob in the domain's words.
pub(super) fn content_id(id: Oid) -> Option<ContentId> {
    id.to_string().parse().ok()
}

/// The id that a file with these bytes has.
/// Fails when git cannot hash them.
pub fn id_of(bytes: &[u8]) -> Result<ContentId, StoreError> {
    let id = Oid::hash_object(ObjectType::Blob, bytes).doing("hashing a file")?;
    content_id(id).ok_or_else(|| StoreError::Damaged { what: format!("`{id}` is not the id of a file") })
}

impl Snapshot<'_> {
    /// Returns the id of the file at `path`; `None` when there is no such file.
    pub fn content_id(&self, path: &str) -> Option<ContentId> {
        tree::blob_at(self.tree(), path).filter(|blob| blob.is_file()).and_then(|blob| content_id(blob.id))
    }

    /// Reads the beginning of the file at `path`, as [`Book::beginning_of`] does.
    pub fn beginning_of(&self, path: &str) -> Result<Option<Vec<u8>>, StoreError> {
        let blob = tree::blob_at(self.tree(), path).filter(|blob| blob.is_file());
        blob.map_or(Ok(None), |blob| beginning(self.repo(), blob.id))
    }

    /// Returns the text of every chapter by its id, with the chapter's volume. Opens one folder a volume and no chapter.
    pub fn chapter_texts(&self) -> Result<BTreeMap<ChapterNo, (VolumeNo, ContentId)>, StoreError> {
        let files = chapter_files(self.repo(), self.tree())?.into_iter();
        Ok(files.filter_map(|(chapter, file)| Some((chapter, (file.volume, content_id(file.blob)?)))).collect())
    }

    /// Returns every file under the folder `dir` with its id, by path. No file is read.
    pub fn content_ids(&self, dir: &str) -> Result<BTreeMap<String, ContentId>, StoreError> {
        let mut found = BTreeMap::new();
        let Some(folder) = self.folder(dir)? else { return Ok(found) };
        let prefix = format!("{}/", dir.trim_end_matches('/'));
        tree::walk(self.repo(), &folder, &prefix, &mut |path, blob| {
            if let Some(id) = content_id(blob.id).filter(|_| blob.is_file()) {
                found.insert(path.to_owned(), id);
            }
        })?;
        Ok(found)
    }
}

/// Of a larger file than this nothing is searched or shown to an agent: it would have to be unpacked whole.
const LARGEST: usize = 16 << 20;
/// So much of any other file is, at most.
const BEGINNING: usize = 2 << 20;

/// The beginning of a file; `None` when the repository no longer has it.
fn beginning(repo: &Repository, id: Oid) -> Result<Option<Vec<u8>>, StoreError> {
    let reading = "reading a file of the book";
    let header = repo.odb().doing(reading)?.read_header(id).or_missing(reading)?;
    match header {
        Some((size, _)) if size > LARGEST => Ok(Some(Vec::new())),
        _ => {
            let blob = repo.find_blob(id).or_missing(reading)?;
            Ok(blob.map(|blob| blob.content()[..blob.size().min(BEGINNING)].to_vec()))
        }
    }
}

impl Book {
    /// Reads the beginning of the file with that id, at most 2 MiB; nothing of a file of more than 16 MiB. `None` when the
    /// repository no longer has it.
    pub fn beginning_of(&self, id: &ContentId) -> Result<Option<Vec<u8>>, StoreError> {
        Oid::from_str(&id.to_string()).map_or(Ok(None), |id| beginning(&self.repo, id))
    }

    /// Reads the file with that id; `None` when the repository no longer has it.
    pub fn content(&self, id: &ContentId) -> Result<Option<Vec<u8>>, StoreError> {
        let Ok(id) = Oid::from_str(&id.to_string()) else { return Ok(None) };
        let blob = self.repo.find_blob(id).or_missing("reading a file of the book")?;
        Ok(blob.map(|blob| blob.content().to_vec()))
    }
}
