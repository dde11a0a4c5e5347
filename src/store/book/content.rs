//! Files by their content: git's ids of blobs, which tell without reading whether two files are the same.

use std::collections::BTreeMap;

use git2::{ObjectType, Oid, Repository};

use super::contents::chapter_files;
use super::repository::Book;
use super::snapshot::Snapshot;
use crate::domain::{ChapterNo, ContentId, VolumeNo};
use crate::git::error::{GitContext, Missing, StoreError};
use crate::git::tree;

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

    /// Returns the id of whatever stands at `path`, a file or a folder with all that is in it; empty where nothing does.
    pub fn print_of(&self, path: &str) -> Result<String, StoreError> {
        let entry = self.tree().get_path(std::path::Path::new(path)).or_missing("reading a folder of the book")?;
        Ok(entry.map(|entry| entry.id().to_string()).unwrap_or_default())
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
