//! Addresses of many books, for a worker.

use std::fs;
use std::path::Path;

use super::error::RemoteError;
use super::name::check_address;
use super::words;
use crate::git::durability;
use crate::git::error::{GitContext, IoContext, StoreError};
use crate::store::book::init::sync_tree;
use crate::store::book::repository::is_bare;

/// The addresses in `given`: each is an address, a folder of bare repositories, or a file with an address a line.
/// Relative paths count from `folder`. Empty lines and those that begin with `#` are skipped.
pub fn addresses(folder: &Path, given: &[String]) -> Result<Vec<String>, RemoteError> {
    let mut found = Vec::new();
    for address in given {
        let path = folder.join(address);
        if path.is_file() {
            let text = fs::read_to_string(&path).at("reading", &path)?;
            let lines = text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#'));
            found.extend(lines.map(str::to_owned));
        } else if path.is_dir() && !is_repository(&path) {
            let mut inside: Vec<String> = Vec::new();
            for entry in fs::read_dir(&path).at("reading", &path)? {
                let entry = entry.at("reading", &path)?.path();
                inside.extend(is_repository(&entry).then(|| entry.display().to_string()));
            }
            inside.sort();
            found.extend(inside);
        } else {
            found.push(address.clone());
        }
    }
    found.iter().try_for_each(|address| check_address(address))?;
    Ok(found)
}

/// True for a bare repository and for the folder of a work tree.
fn is_repository(folder: &Path) -> bool {
    is_bare(folder) || is_bare(&folder.join(".git"))
}

/// True for a folder in which a repository can be made: an empty one.
pub fn is_empty(folder: &Path) -> bool {
    fs::read_dir(folder).is_ok_and(|mut entries| entries.next().is_none())
}

/// Makes a bare repository in the folder, for a book whose branch is `branch`.
pub fn make(folder: &Path, branch: &str) -> Result<(), StoreError> {
    let mut options = git2::RepositoryInitOptions::new();
    options.bare(true).external_template(false).initial_head(branch);
    durability::set_up();
    git2::Repository::init_opts(folder, &options).doing("making a repository")?;
    sync_tree(folder)
}

/// The folder name for a copy of the book at `address`, unique to the address.
pub fn copy_name(folder: &Path, address: &str) -> Result<String, RemoteError> {
    let path = folder.join(address);
    let whole = if path.exists() { path.display().to_string() } else { address.to_owned() };
    let id = git2::Oid::hash_object(git2::ObjectType::Blob, whole.as_bytes()).doing("naming a copy")?.to_string();
    let name =
        address.trim_end_matches('/').trim_end_matches(".git").rsplit(['/', '\\', ':']).next().unwrap_or_default();
    let name: String = name.chars().filter(|c| c.is_alphanumeric() || matches!(c, '-' | '_')).take(40).collect();
    Ok(format!("{name}-{}", &id[..8]))
}

/// An address for people: without names, keys and queries.
pub fn shown(address: &str) -> String {
    words::without_secrets(address)
}
