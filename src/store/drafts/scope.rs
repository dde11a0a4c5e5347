//! Which files of a draft are on disk in `staging/`.

use crate::git::error::{GitContext, Missing, StoreError};
use crate::git::tree::{self, Blob};
use git2::{Repository, Tree};
use std::collections::BTreeMap;
use std::path::Path;

/// Which files of a draft are on disk: paths, and folders with a final `/`.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Scope(pub(crate) Vec<String>);

impl Scope {
    /// These paths and folders.
    pub fn new(paths: impl IntoIterator<Item = String>) -> Self {
        let mut paths: Vec<String> = paths.into_iter().collect();
        paths.sort();
        paths.dedup();
        Self(paths)
    }

    /// Whether nothing is on disk: such a draft is not shown at all.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Whether `path` is on disk.
    pub fn contains(&self, path: &str) -> bool {
        self.0.iter().any(|p| if p.ends_with('/') { path.starts_with(p.as_str()) } else { p == path })
    }

    /// The files of `tree` that are on disk.
    pub(super) fn files(&self, repo: &Repository, tree: &Tree<'_>) -> Result<BTreeMap<String, Blob>, StoreError> {
        let mut files = BTreeMap::new();
        for entry in &self.0 {
            let Some(folder) = entry.strip_suffix('/') else {
                files.extend(tree::blob_at(tree, entry).map(|blob| (entry.clone(), blob)));
                continue;
            };
            let Some(found) = tree.get_path(Path::new(folder)).or_missing("reading a folder of the draft")? else {
                continue;
            };
            if found.kind() == Some(git2::ObjectType::Tree) {
                let below = repo.find_tree(found.id()).doing("reading a folder of the draft")?;
                tree::walk(repo, &below, entry, &mut |path, blob| {
                    files.insert(path.to_owned(), blob);
                })?;
            }
        }
        Ok(files)
    }

    /// As git's sparse checkout wants it.
    pub(super) fn patterns(&self) -> String {
        let escaped = |path: &String| {
            let special = |c: char| if "*?[\\".contains(c) { vec!['\\', c] } else { vec![c] };
            format!("/{}\n", path.chars().flat_map(special).collect::<String>())
        };
        self.0.iter().map(escaped).collect()
    }
}
