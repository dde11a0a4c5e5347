//! The hash of objects that are read. libgit2 can compute it for every object, a tenth of the work for a chapter. Git does so
//! where it looks for damage, and so does this program: everywhere else zlib's checksum has to do, and a pack that agrees with
//! its checksum and holds other objects than its index says is found by `novel doctor` and `git fsck`.

use std::sync::atomic::{AtomicUsize, Ordering};

/// Has libgit2 compare every object that this process reads with its hash, as long as it lives. For readers of files that
/// may be damaged.
#[derive(Debug)]
#[must_use = "objects are verified as long as this value lives"]
pub(crate) struct VerifiedObjects(());

/// How many there are: the switch is one for the process.
static ALIVE: AtomicUsize = AtomicUsize::new(0);

impl VerifiedObjects {
    /// Begins to verify.
    pub(crate) fn begin() -> Self {
        if ALIVE.fetch_add(1, Ordering::SeqCst) == 0 {
            git2::opts::strict_hash_verification(true);
        }
        Self(())
    }
}

impl Drop for VerifiedObjects {
    fn drop(&mut self) {
        if ALIVE.fetch_sub(1, Ordering::SeqCst) == 1 {
            git2::opts::strict_hash_verification(false);
        }
    }
}
