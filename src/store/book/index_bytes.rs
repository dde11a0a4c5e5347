//! Git's index of the author's work tree: read, or made again where it is missing.

use crate::store::book::repository::Book;
use crate::store::error::{IoContext, StoreError};
use crate::store::git::index::{IndexPlace, readable};
use crate::store::git::index_file::{Form, IndexFile, IndexLine, IndexPatch, OutlineCache, Span};
use crate::store::git::{index_diff, tree, work_tree};
use git2::Tree;
use std::fs;
use std::io::ErrorKind;

impl Book {
    /// True when git's index is missing, or empty after a power cut.
    pub(crate) fn lacks_index(&self) -> Result<bool, StoreError> {
        let path = self.index_path();
        match fs::metadata(&path) {
            Ok(meta) => Ok(meta.len() == 0),
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(true),
            Err(error) => Err(error).at("reading", &path),
        }
    }

    /// The author's index, and what its changing needs.
    pub(crate) fn index_place(&self) -> IndexPlace {
        let outlines = OutlineCache::new(self.cache());
        IndexPlace { path: self.index_path(), root: self.root.clone(), temp: self.inner.clone(), outlines }
    }

    /// Git's index; when it is missing, an index of `head`. Every entry is shown to `see`, but for those of spans that `wants` does
    /// not want: these may be left out.
    pub(crate) fn index_or_of(
        &self,
        head: &Tree<'_>,
        wants: impl Fn(&Span) -> bool,
        see: impl FnMut(&IndexLine<'_>),
    ) -> Result<IndexFile, StoreError> {
        let IndexPlace { path, outlines, .. } = self.index_place();
        let index = match self.lacks_index()? {
            true => IndexFile::of_and_see(self.index_of(head)?, see),
            false => IndexFile::open_by(&outlines, &path, wants, see)?,
        };
        readable(index)
    }

    /// The bytes of an index of `head`, with the times of the files that are unchanged.
    pub(crate) fn index_of(&self, head: &Tree<'_>) -> Result<Vec<u8>, StoreError> {
        let mut blobs = Vec::new();
        tree::walk(&self.repo, head, "", &mut |path, blob| blobs.push((path.to_owned(), blob)))?;
        let mut patch = IndexPatch::default();
        for (path, blob) in blobs {
            let meta = fs::symlink_metadata(self.root.join(&path)).ok();
            let is_same = work_tree::look(&self.root, &path)?.is(Some(blob));
            patch.show(&path, blob, meta.as_ref().filter(|_| is_same));
        }
        let (none, mut bytes) = (IndexFile::empty(), Vec::new());
        let written = index_diff::write_patched(&self.repo, head, (&none, &patch), Form::AUTHORS, &mut bytes);
        written.map(|_| bytes).map_err(|error| error.at(&self.index_path()))
    }
}
