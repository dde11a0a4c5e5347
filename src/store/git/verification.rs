//! The hash of objects that are read. libgit2 computes it for every object, which is right where a damaged one would
//! come into the book, and most of the time of a look at the whole book.

use std::sync::Once;
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
            map_little();
        }
        Self(())
    }
}

/// Has libgit2 map a pack in small windows: to map it whole, as it would, takes as much memory as the book is large.
#[allow(unsafe_code)]
fn map_little() {
    static ONCE: Once = Once::new();
    const WINDOW: usize = 4 << 20;
    const ALL: usize = 32 << 20;
    // SAFETY: both write one number to a global of libgit2, which has been set up; `Once` keeps other threads from it.
    ONCE.call_once(|| {
        let _ = unsafe { git2::opts::set_mwindow_size(WINDOW) };
        let _ = unsafe { git2::opts::set_mwindow_mapped_limit(ALL) };
    });
}

impl Drop for TrustedObjects {
    fn drop(&mut self) {
        if ALIVE.fetch_sub(1, Ordering::SeqCst) == 1 {
            git2::opts::strict_hash_verification(true);
        }
    }
}
