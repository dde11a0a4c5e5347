//! Folders as git stores them. libgit2 makes a list of the entries of each folder that it reads, and most entries of most folders
//! are only skipped, because they are those of the commit before.

use std::cmp::Ordering;

use git2::{FileMode, Oid};

/// An entry of a folder: mode, space, name, NUL, 20 bytes of id.
pub(super) struct Entry<'d> {
    pub(super) mode: FileMode,
    pub(super) name: &'d [u8],
    pub(super) id: &'d [u8],
}

impl<'d> Entry<'d> {
    /// The first entry of the bytes of a folder, and the bytes after it. `None` at the end, and for bytes that are no entry.
    pub(super) fn first_of(bytes: &'d [u8]) -> Option<(Self, &'d [u8])> {
        let space = bytes.iter().position(|byte| *byte == b' ').filter(|space| *space > 0)?;
        let end = space + bytes[space..].iter().position(|byte| *byte == 0).filter(|length| *length > 1)?;
        let id = bytes.get(end + 1..end + 21)?;
        let digit = |byte: &u8| matches!(byte, b'0'..=b'7').then(|| u32::from(byte - b'0'));
        let mode = bytes[..space].iter().try_fold(0u32, |mode, byte| mode.checked_mul(8)?.checked_add(digit(byte)?))?;
        Some((Self { mode: mode_of(mode), name: &bytes[space + 1..end], id }, &bytes[end + 21..]))
    }

    pub(super) fn is_folder(&self) -> bool {
        self.mode == FileMode::Tree
    }

    /// By this it has its place in [the order of git's trees](in_git_order).
    pub(super) fn key(&self) -> (&'d [u8], bool) {
        (self.name, self.is_folder())
    }

    /// The id of the object.
    pub(super) fn oid(&self) -> Option<Oid> {
        Oid::from_bytes(self.id).ok()
    }
}

/// The order of git's trees: a folder as if its name ended with a slash. Entries of one name are equal only when both are folders,
/// or neither is.
pub(super) fn in_git_order((one, is_one): (&[u8], bool), (other, is_other): (&[u8], bool)) -> Ordering {
    let shared = one.len().min(other.len());
    let next = |name: &[u8], is_folder: bool| name.get(shared).copied().or(is_folder.then_some(b'/'));
    one[..shared].cmp(&other[..shared]).then_with(|| next(one, is_one).cmp(&next(other, is_other)))
}

/// The mode as libgit2 understands those of older programs.
fn mode_of(mode: u32) -> FileMode {
    match mode & 0o170_000 {
        0o040_000 => FileMode::Tree,
        _ if mode & 0o100 != 0 => FileMode::BlobExecutable,
        0o160_000 => FileMode::Commit,
        0o120_000 => FileMode::Link,
        _ => FileMode::Blob,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use git2::Repository;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn entries_are_those_that_libgit2_reads(names in prop::collection::btree_map("[a-c密.]{1,3}", 0usize..5, 0..9)) {
            let home = tempfile::tempdir().unwrap();
            let repo = Repository::init_bare(home.path()).unwrap();
            let (blob, empty) = (repo.blob(b"x").unwrap(), repo.treebuilder(None).unwrap().write().unwrap());
            let mut builder = repo.treebuilder(None).unwrap();
            for (name, mode) in names.iter().filter(|(name, _)| !name.starts_with('.')) {
                let mode = [0o100_644, 0o100_755, 0o120_000, 0o160_000, 0o040_000][*mode];
                builder.insert(name, if mode == 0o040_000 { empty } else { blob }, mode).unwrap();
            }
            let id = builder.write().unwrap();
            let (tree, odb) = (repo.find_tree(id).unwrap(), repo.odb().unwrap());
            let object = odb.read(id).unwrap();
            let mut rest = object.data();
            for expected in &tree {
                let (entry, after) = Entry::first_of(rest).unwrap();
                prop_assert_eq!((entry.name, entry.oid()), (expected.name_bytes(), Some(expected.id())));
                prop_assert_eq!(i32::from(entry.mode), expected.filemode());
                rest = after;
            }
            prop_assert!(rest.is_empty());
        }

        #[test]
        fn never_panics(bytes in prop::collection::vec(any::<u8>(), 0..80), text in "[0-9]{0,16} ?[ab]{0,2}\u{0}?[a-z]{0,24}") {
            Entry::first_of(&bytes);
            Entry::first_of(text.as_bytes());
        }
    }
}
