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
    let path = repo.commondir().join("config");
    with_note(repo, ("config.lock", &path.with_extension("lock")), || {
        let mut config = git2::Config::open(&path).doing("reading the configuration")?;
        let written = settings.iter().try_for_each(|(name, value)| config.set_str(name, value));
        system::sync_file(&path).at("writing", &path)?;
        written.doing("writing the configuration")
    })
}
