//! The work tree of a draft: which files it shows, and how it is linked to its repository.

use crate::store::prelude::*;
use git2::Tree;
use std::fs;

/// Which files of a draft are on disk: paths, and folders with a final `/`.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct DraftFiles(pub(crate) Vec<String>);

impl DraftFiles {
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

/// The text of `staging/.git` when the book's `.git` is a folder.
pub(crate) const USUAL_LINK: &str = "../.git/worktrees/staging";
pub(crate) const LOCKED: &str = "the chapter in flight; novel makes and removes this work tree\n";

/// The admin folder that the work tree at `dir` names.
pub(crate) fn linked_admin(dir: &Path) -> Option<PathBuf> {
    let text = fs::read_to_string(dir.join(".git")).ok()?;
    Some(dir.join(text.strip_prefix("gitdir:")?.trim()))
}

/// Whether `admin` is of a work tree that we made, be it half-built.
pub(crate) fn is_ours(admin: &Path) -> bool {
    fs::read_to_string(admin.join("locked")).is_ok_and(|text| text == LOCKED)
}

/// Whether `folder` is the work tree of a draft, whose book is one folder up.
pub(crate) fn is_staging(folder: &Path) -> bool {
    folder.file_name().is_some_and(|n| n == "staging")
        && linked_admin(folder).is_some_and(|admin| admin == folder.join(USUAL_LINK) || is_ours(&admin))
}
