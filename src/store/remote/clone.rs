//! A new copy of a book. It is made beside its place and moved there when complete, so that a killed clone leaves
//! nothing that looks like a book.
//! Addresses of many books, for a worker.

use crate::git::disk::{create_dirs, sync_dir};
use crate::git::error::GitFeature;
use crate::git::filtered::write_settings;
use crate::git::verification;
use crate::store::book::init::{configure, exclude_staging, sync_tree};
use crate::store::book::repository::{OpenError, is_bare, open_repository};
use crate::store::prelude::*;
use crate::store::remote::name::check_address;
use crate::store::remote::process::{self, GitProgram, RemoteError, Transfer};
use crate::store::subject::Wording;
use std::fs;

const ORIGIN: &str = "origin";

impl Book {
    /// Clones the book at `address` to `dir`, which is new or empty, with the user's git. A relative address counts
    /// from `folder`. Drafts and kept lines come with the first sync. A failure leaves nothing behind.
    pub fn clone_from(
        git: &GitProgram,
        (folder, address): (&Path, &str),
        dir: &Path,
        listener: &dyn Fn(Transfer),
        wording: Wording,
    ) -> Result<Self, RemoteError> {
        check_address(address)?;
        let dir = std::path::absolute(dir).at("finding", dir)?;
        let is_vacant = fs::read_dir(&dir).map_or(!dir.exists(), |mut entries| entries.next().is_none());
        if !is_vacant {
            return Err(RemoteError::Occupied(dir));
        }
        let beside = beside(&dir);
        remove(&beside)?;
        create_dirs(beside.parent().unwrap_or(&dir))?;
        let made = fill(git, (folder, address), &beside, listener);
        if made.is_err() {
            let _ = fs::remove_dir_all(&beside);
        }
        made?;
        // Some systems do not rename over an empty folder.
        let _ = fs::remove_dir(&dir);
        system::rename(&beside, &dir).at("writing", &dir)?;
        sync_dir(dir.parent().unwrap_or(&dir))?;
        Ok(Self::open(&dir, wording)?)
    }
}

/// The folder in which a clone to `dir` is made.
fn beside(dir: &Path) -> PathBuf {
    let name = dir.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    dir.with_file_name(format!(".{name}.novel-clone"))
}

fn remove(folder: &Path) -> Result<(), StoreError> {
    match fs::remove_dir_all(folder) {
        Err(e) if e.kind() == std::io::ErrorKind::NotFound => Ok(()),
        removed => removed.at("removing", folder),
    }
}

fn fill(
    git: &GitProgram,
    (folder, address): (&Path, &str),
    place: &Path,
    listener: &dyn Fn(Transfer),
) -> Result<(), RemoteError> {
    let shown = process::without_secrets(address);
    let mut args = ["clone", "--no-checkout", "--no-tags", "--no-recurse-submodules", "--origin", ORIGIN]
        .map(str::to_owned)
        .to_vec();
    args.extend(git.progress.then(|| "--progress".to_owned()));
    args.extend(["--".to_owned(), address.to_owned(), place.display().to_string()]);
    let finished = git.run(folder, &args, "", listener)?;
    if !finished.succeeded {
        return Err(process::failure(&shown, &finished.said));
    }
    let repo = open_repository(place).map_err(|e| match e {
        OpenError::Unsupported { feature: GitFeature::Sha256, .. } => {
            RemoteError::OtherHash { remote: shown.clone(), said: Vec::new() }
        }
        e => e.into(),
    })?;
    let branch = book_branch(&repo)?.ok_or_else(|| RemoteError::NoBook { remote: shown.clone() })?;
    create_dirs(&repo.commondir().join("novel"))?;
    let start = format!("{ORIGIN}/{branch}");
    // A hook of the user's template could only fail now that everything has come.
    let hooks = ["-c", "core.hooksPath=/dev/null"];
    let checkout = ["checkout", "--quiet", "--force", "-B", &branch, "--track", &start, "--"];
    let args: Vec<String> = hooks.into_iter().chain(checkout).map(str::to_owned).collect();
    let finished = git.run(place, &args, "", listener)?;
    if !finished.succeeded {
        // Nothing is asked of the remote any more, whatever words a filter fails with.
        return Err(RemoteError::Failed { remote: shown, said: process::lines(&finished.said) });
    }
    if !place.join(crate::store::layout::CONFIG).is_file() {
        return Err(RemoteError::NoBook { remote: shown });
    }
    configure(&repo, &branch)?;
    exclude_staging(&repo)?;
    write_settings(&repo, &[("novel.remote", ORIGIN)])?;
    Ok(())
}

/// The book's branch in a clone: the one that the remote checks out, else the only one without a draft.
fn book_branch(repo: &git2::Repository) -> Result<Option<String>, StoreError> {
    let prefix = format!("refs/remotes/{ORIGIN}/");
    let head =
        repo.find_reference("HEAD").ok().and_then(|head| head.symbolic_target().ok().flatten().map(str::to_owned));
    let head = head.and_then(|head| head.strip_prefix("refs/heads/").map(str::to_owned));
    let all = refs::listed(repo, &prefix)?.into_iter().map(|(name, _)| name[prefix.len()..].to_owned());
    let all: Vec<String> =
        all.filter(|name| name != "HEAD" && !name.starts_with("draft/") && !name.starts_with('-')).collect();
    let known = |name: &String| all.contains(name);
    let only = || match all.as_slice() {
        [only] => Some(only.clone()),
        _ => Some("main".to_owned()).filter(known),
    };
    Ok(head.filter(known).or_else(only))
}

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
    verification::set_up();
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
    process::without_secrets(address)
}
