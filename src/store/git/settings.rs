//! The repository's own settings.

use crate::store::error::{GitContext, IoContext, StoreError};
use git2::Repository;
use std::fs;

/// Writes settings to the repository's own file. The note lets the next session know whose `config.lock` it finds.
pub(crate) fn write_settings(repo: &Repository, settings: &[(&str, &str)]) -> Result<(), StoreError> {
    if settings.is_empty() {
        return Ok(());
    }
    let note = repo.commondir().join("novel/holding");
    fs::write(&note, "config.lock").at("writing", &note)?;
    let mut config = git2::Config::open(&repo.commondir().join("config")).doing("reading the configuration")?;
    let written = settings.iter().try_for_each(|(name, value)| config.set_str(name, value));
    let _ = fs::remove_file(&note);
    written.doing("writing the configuration")
}
