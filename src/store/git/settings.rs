//! The repository's own settings.

use crate::store::disk::files::sync_dir;
use crate::store::disk::system;
use crate::store::error::{GitContext, IoContext, StoreError};
use git2::Repository;
use std::fs;

/// Writes settings to the repository's own file. The note lets the next session know whose `config.lock` it finds: it is on the disk
/// before there is such a lock, and as long as there is one.
pub(crate) fn write_settings(repo: &Repository, settings: &[(&str, &str)]) -> Result<(), StoreError> {
    if settings.is_empty() {
        return Ok(());
    }
    let folder = repo.commondir();
    let private = folder.join("novel");
    let note = private.join("holding");
    let noted = fs::write(&note, "config.lock").and_then(|()| system::sync_file(&note));
    noted.at("writing", &note)?;
    sync_dir(&private)?;
    let path = folder.join("config");
    let mut config = git2::Config::open(&path).doing("reading the configuration")?;
    let written = settings.iter().try_for_each(|(name, value)| config.set_str(name, value));
    system::sync_file(&path).at("writing", &path)?;
    sync_dir(folder)?;
    let _ = fs::remove_file(&note);
    written.doing("writing the configuration")
}
