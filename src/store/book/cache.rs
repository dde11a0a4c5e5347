//! Derived values of a book that are kept to save time. They may be deleted at any moment, and a book works the same without them.
//! A cache is read only when its checksum and its key are right. The key names everything that the value was derived from and
//! the build of the program that did so, so a cache of another program or of other commits is never believed. It is not synced to
//! the disk: a torn file has the wrong checksum.

use crate::git::disk::read_if_there;
use crate::store::book::change::id_of;
use crate::store::prelude::*;
use std::fs;

/// The cached value of that name, when it is whole and was made with `key`.
pub fn cached(book: &Book, name: &str, key: &str) -> Result<Option<Vec<u8>>, StoreError> {
    let Some(mut bytes) = read_if_there(&book.private().join(name))? else { return Ok(None) };
    let Some(end) = bytes.iter().position(|byte| *byte == b'\n') else { return Ok(None) };
    let body = bytes.split_off(end + 1);
    Ok((bytes == header(key, &body)?.into_bytes()).then_some(body))
}

/// Keeps a value under that name, in place of any other. A failure is ignored: the book may be on a medium that
/// can only be read.
pub fn keep_cached(book: &Book, name: &str, key: &str, body: &[u8]) {
    let (Ok(header), Ok(temp)) = (header(key, body), book.inner.fresh()) else { return };
    let kept = fs::write(&temp, [header.as_bytes(), body].concat());
    if kept.and_then(|()| system::rename(&temp, &book.private().join(name))).is_err() {
        let _ = fs::remove_file(&temp);
    }
}

/// The key of a value that this build of the program derives from the history.
pub fn history_key(book: &Book) -> Result<String, StoreError> {
    Ok(format!("{} {}", env!("NOVEL_BUILD"), shallow_ends(book)?))
}

/// The ids of the commits without their parents in a shallow clone, as git notes them; empty in a whole one. Everything that
/// is derived from the history depends on it.
pub fn shallow_ends(book: &Book) -> Result<String, StoreError> {
    let noted = read_if_there(&book.repo.commondir().join("shallow"))?.unwrap_or_default();
    Ok(String::from_utf8_lossy(&noted).split_whitespace().collect::<Vec<_>>().join(","))
}

/// The first line of a cache.
fn header(key: &str, body: &[u8]) -> Result<String, StoreError> {
    Ok(format!("{} {key}\n", id_of(body)?))
}
