//! Books of a newer program. Writing in such a book would mix in files of an older format, or lose the newer program's
//! data, so this program only reads it.

use crate::pipeline::engine::error::RunError;
use crate::store::format::checkpoint;
use crate::store::{Book, layout};

/// Refuses a book of a newer program, told by the number of the book's format in its checkpoint.
/// Fails with [`RunError::Format`], with the file and its version; or when the repository cannot be read.
pub fn refuse_newer(book: &Book) -> Result<(), RunError> {
    let checkpoint = book.snapshot()?.read(layout::CHECKPOINT)?;
    match checkpoint.and_then(|bytes| checkpoint::newer(&bytes)) {
        Some(source) => Err(RunError::Format { path: layout::CHECKPOINT.to_owned(), source }),
        None => Ok(()),
    }
}
