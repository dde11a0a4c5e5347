//! Figures of files as git keeps them in its index.

use std::fs::Metadata;

/// Modification time as git keeps it.
pub(crate) fn mtime(meta: &Metadata) -> (u32, u32) {
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt;
        (meta.mtime() as u32, meta.mtime_nsec() as u32)
    }
    #[cfg(not(unix))]
    {
        let since = meta.modified().ok().and_then(|t| t.duration_since(std::time::UNIX_EPOCH).ok()).unwrap_or_default();
        (since.as_secs() as u32, since.subsec_nanos())
    }
}

/// Inode number as git keeps it; 0 on systems without inodes.
pub(crate) fn inode(meta: &Metadata) -> u32 {
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt;
        meta.ino() as u32
    }
    #[cfg(not(unix))]
    {
        let _ = meta;
        0
    }
}
