//! Where an index and a tree disagree: what is staged, found without reading the folders that git knows to agree.

use std::collections::BTreeMap;

use git2::{FileMode, Repository, Tree};

use super::error::{GitContext, StoreError};
use super::index_file::{CachedTree, IndexFile, IndexLine};
use super::tree::{self, Blob, mode_of};

/// The paths for which `index` has something else than `tree`, with what `tree` has.
pub(crate) fn against_tree(
    repo: &Repository,
    tree: &Tree<'_>,
    index: &IndexFile<'_>,
) -> Result<BTreeMap<String, Option<Blob>>, StoreError> {
    let mut differences = BTreeMap::new();
    compare(repo, tree, "", &index.lines, Some(&index.trees), &mut differences)?;
    Ok(differences)
}

fn compare(
    repo: &Repository,
    tree: &Tree<'_>,
    prefix: &str,
    lines: &[IndexLine<'_>],
    cached: Option<&CachedTree>,
    found: &mut BTreeMap<String, Option<Blob>>,
) -> Result<(), StoreError> {
    if cached.and_then(|c| c.id) == Some(tree.id()) {
        return Ok(());
    }
    // The entries of one folder are neighbours in an index, so each name of this folder is a range of lines.
    let mut names: BTreeMap<(Vec<u8>, bool), std::ops::Range<usize>> = BTreeMap::new();
    let mut at = 0;
    while let Some(line) = lines.get(at) {
        let rest = line.path.get(prefix.len()..).unwrap_or_default();
        let slash = rest.iter().position(|b| *b == b'/');
        let name = &rest[..slash.unwrap_or(rest.len())];
        let same = |l: &IndexLine<'_>| {
            let other = l.path.get(prefix.len()..).unwrap_or_default();
            match slash {
                Some(end) => other.get(..=end) == rest.get(..=end),
                None => other == rest,
            }
        };
        let end = at + lines[at..].partition_point(same);
        names.insert((name.to_vec(), slash.is_some()), at..end.max(at + 1));
        at = end.max(at + 1);
    }
    for entry in tree {
        let Ok(name) = entry.name() else { continue };
        let path = format!("{prefix}{name}");
        let mode = mode_of(entry.filemode());
        if mode == FileMode::Tree {
            let below = repo.find_tree(entry.id()).doing("reading a tree")?;
            match names.remove(&(name.as_bytes().to_vec(), true)) {
                Some(range) => {
                    let cached = cached.and_then(|c| c.below.get(name.as_bytes()));
                    compare(repo, &below, &format!("{path}/"), &lines[range], cached, found)?;
                }
                None => tree::walk(repo, &below, &format!("{path}/"), &mut |path, blob| {
                    found.insert(path.to_owned(), Some(blob));
                })?,
            }
        } else {
            let blob = Blob { id: entry.id(), mode };
            let same = names.remove(&(name.as_bytes().to_vec(), false)).is_some_and(|range| {
                let lines = &lines[range];
                lines.len() == 1 && lines[0].stage == 0 && lines[0].id == blob.id && !lines[0].intent_to_add
            });
            if !same {
                found.insert(path, Some(blob));
            }
        }
    }
    for range in names.into_values() {
        for line in &lines[range] {
            if let Ok(path) = std::str::from_utf8(&line.path) {
                found.entry(path.to_owned()).or_insert(None);
            }
        }
    }
    Ok(())
}
