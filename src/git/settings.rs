//! The repository's own settings.

use super::held_lock::with_note;
use crate::git::disk::system;
use crate::git::error::{GitContext, IoContext, StoreError};
use git2::Repository;

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
