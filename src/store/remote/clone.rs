//! A new copy of a book. It is made beside its place and moved there when complete, so that a killed clone leaves
//! nothing that looks like a book.

use super::error::RemoteError;
use super::name::check_address;
use super::process::{GitProgram, Transfer};
use super::words;
use crate::git::disk::files::{create_dirs, sync_dir};
use crate::git::error::GitFeature;
use crate::git::settings::write_settings;
use crate::store::book::init::{configure, exclude_staging};
use crate::store::book::repository::{Book, OpenError, open_repository};
use crate::store::prelude::*;
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
    let shown = words::without_secrets(address);
    let mut args = ["clone", "--no-checkout", "--no-tags", "--no-recurse-submodules", "--origin", ORIGIN]
        .map(str::to_owned)
        .to_vec();
    args.extend(git.progress.then(|| "--progress".to_owned()));
    args.extend(["--".to_owned(), address.to_owned(), place.display().to_string()]);
    let finished = git.run(folder, &args, "", listener)?;
    if !finished.succeeded {
        return Err(words::failure(&shown, &finished.said));
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
        return Err(RemoteError::Failed { remote: shown, said: words::lines(&finished.said) });
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
