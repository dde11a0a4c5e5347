//! The repository's own settings.

use super::held_lock::with_note;
use crate::git::disk::system;
use crate::git::error::{GitContext, IoContext, StoreError};
use git2::{Config, ConfigLevel, Repository};
use std::path::PathBuf;
use std::sync::OnceLock;

/// The file that `GIT_CONFIG_GLOBAL` names, which libgit2 does not look at.
static USERS: OnceLock<PathBuf> = OnceLock::new();

/// Takes the user's settings of git from the file at `path` in this process, in place of the usual ones. Call it before a
/// repository is opened.
pub fn use_users_file(path: PathBuf) {
    let _ = USERS.set(path);
}

/// The settings with those of the user from the right file.
pub(crate) fn with_users(mut config: Config) -> Result<Config, StoreError> {
    if let Some(path) = USERS.get() {
        for level in [ConfigLevel::Global, ConfigLevel::XDG] {
            config.add_file(path, level, true).doing("reading the configuration")?;
        }
    }
    Ok(config)
}

/// Writes settings to the repository's own file.
pub(crate) fn write_settings(repo: &Repository, settings: &[(&str, &str)]) -> Result<(), StoreError> {
    if settings.is_empty() {
        return Ok(());
    }
    change(repo, "config", |config| settings.iter().try_for_each(|(name, value)| config.set_str(name, value)))
}

/// Takes settings out of the repository's file.
pub(crate) fn remove_settings(repo: &Repository, names: &[String]) -> Result<(), StoreError> {
    change(repo, "config", |config| names.iter().try_for_each(|name| config.remove(name)))
}

/// Lets each work tree have settings of its own. As git-worktree(1) asks for it, the folder of the main work tree, which a
/// submodule's repository names, becomes a setting of that work tree alone: every other one would take it for its own.
pub(crate) fn separate_work_trees(repo: &Repository) -> Result<(), StoreError> {
    const EXTENSION: &str = "extensions.worktreeConfig";
    const FOLDER: &str = "core.worktree";
    let shared = Config::open(&repo.commondir().join("config")).doing("reading the configuration")?;
    let folder = shared.get_string(FOLDER).ok();
    if let Some(folder) = &folder {
        change(repo, "config.worktree", |config| config.set_str(FOLDER, folder))?;
    } else if shared.get_bool(EXTENSION).unwrap_or(false) {
        return Ok(());
    }
    change(repo, "config", |config| {
        config.set_str(EXTENSION, "true")?;
        if folder.is_some() { config.remove(FOLDER) } else { Ok(()) }
    })
}

/// Changes the file `name` of settings in the repository.
fn change(
    repo: &Repository,
    name: &str,
    work: impl FnOnce(&mut Config) -> Result<(), git2::Error>,
) -> Result<(), StoreError> {
    let path = repo.commondir().join(name);
    let lock = format!("{name}.lock");
    with_note(repo, (&lock, &repo.commondir().join(&lock)), || {
        let mut config = Config::open(&path).doing("reading the configuration")?;
        let written = work(&mut config);
        system::sync_file(&path).at("writing", &path)?;
        written.doing("writing the configuration")
    })
}
