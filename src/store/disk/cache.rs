//! Derived values that are kept to save time. They may be deleted at any moment, and a book works the same without them.
//!
//! A cache is read only when its checksum and its key are right. The key names everything that the value was derived from and
//! every rule by which it was, so a cache of another program or of other commits is never believed. It is not synced to the
//! disk: a torn file has the wrong checksum.

use std::fs;
use std::path::PathBuf;

use sha1::{Digest, Sha1};

use super::files::{TempArea, read_if_there};
use super::system;
use crate::store::error::StoreError;

/// The folder of the values that are kept.
#[derive(Debug)]
pub(crate) struct Cache {
    folder: PathBuf,
    temp: TempArea,
}

impl Cache {
    pub(crate) fn new(folder: PathBuf, temp: TempArea) -> Self {
        Self { folder, temp }
    }

    /// The value of that name, when it is whole and was made with `key`.
    pub(crate) fn read(&self, name: &str, key: &str) -> Result<Option<Vec<u8>>, StoreError> {
        let Some(mut bytes) = read_if_there(&self.folder.join(name))? else { return Ok(None) };
        let Some(end) = bytes.iter().position(|byte| *byte == b'\n') else { return Ok(None) };
        let body = bytes.split_off(end + 1);
        Ok((bytes[..end] == *header(key, &body).as_bytes()).then_some(body))
    }

    /// Keeps a value under that name, in place of any other. A failure is ignored: the book may be on a medium that
    /// can only be read.
    pub(crate) fn keep(&self, name: &str, key: &str, body: &[u8]) {
        let mut bytes = header(key, body).into_bytes();
        bytes.push(b'\n');
        bytes.extend_from_slice(body);
        let Ok(temp) = self.temp.fresh() else { return };
        let kept = fs::write(&temp, bytes).and_then(|()| system::rename(&temp, &self.folder.join(name)));
        if kept.is_err() {
            let _ = fs::remove_file(&temp);
        }
    }
}

fn header(key: &str, body: &[u8]) -> String {
    let sum: String = Sha1::digest(body).iter().map(|byte| format!("{byte:02x}")).collect();
    format!("{sum} {key}")
}
