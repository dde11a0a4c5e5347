//! The hash of objects that are read. libgit2 computes it for every object, which is right where a damaged one would
//! come into the book, and most of the time of a look at the whole book.

use std::sync::atomic::{AtomicUsize, Ordering};

/// Spares libgit2 the hash of the objects that this process reads, as long as it lives. For a reader of many objects after
/// their files have been examined: loose ones by their hash, packs by their checksum.
#[derive(Debug)]
#[must_use = "the hash is spared as long as this value lives"]
pub struct TrustedObjects(());

/// How many there are: the switch is one for the process.
static ALIVE: AtomicUsize = AtomicUsize::new(0);

impl TrustedObjects {
    /// Begins to spare the hash.
    #[allow(clippy::new_without_default)]
    pub fn new() -> Self {
        if ALIVE.fetch_add(1, Ordering::SeqCst) == 0 {
            git2::opts::strict_hash_verification(false);
        }
        Self(())
    }
}

impl Drop for TrustedObjects {
    fn drop(&mut self) {
        if ALIVE.fetch_sub(1, Ordering::SeqCst) == 1 {
            git2::opts::strict_hash_verification(true);
        }
    }
}
