//! Checks of git's pack files beside libgit2: whether their checksums fit, and which objects they have. The format is in
//! git's `Documentation/gitformat-pack.txt`; packs of version 2, indexes of version 2.

use crate::git::error::ObjectFault;
use std::io::Read;

use git2::Oid;
use sha1::{Digest, Sha1};

/// So much of a file is read at a time.
const PIECE: usize = 1 << 18;

/// The bytes of the checksum at the end.
const CHECKSUM: usize = 20;

/// [`fault`] of a file that is read in pieces: a pack is as large as the book.
pub(crate) fn fault_of(mut file: impl Read) -> std::io::Result<Option<ObjectFault>> {
    let (mut hash, mut held) = (Sha1::new(), Vec::with_capacity(PIECE + CHECKSUM));
    let mut is_empty = true;
    while file.by_ref().take(PIECE as u64).read_to_end(&mut held)? > 0 {
        let hashed = held.len().saturating_sub(CHECKSUM);
        is_empty &= hashed == 0;
        hash.update(&held[..hashed]);
        held.drain(..hashed);
    }
    Ok(match is_empty {
        true => Some(ObjectFault::Empty),
        false => (hash.finalize()[..] != held[..]).then_some(ObjectFault::Garbled),
    })
}

/// Returns the fault of the pack file or the index `bytes`, whose checksum is at its end; `None` when it is whole.
pub(crate) fn fault(bytes: &[u8]) -> Option<ObjectFault> {
    fault_of(bytes).ok().flatten()
}

pub(crate) fn ids(index: &[u8]) -> Vec<Oid> {
    let listed = index.get(8 + 256 * 4..).unwrap_or_default();
    let count = index.get(8 + 255 * 4..).and_then(|at| at.first_chunk()).map_or(0, |n| u32::from_be_bytes(*n) as usize);
    listed.chunks_exact(20).take(count).filter_map(|id| Oid::from_bytes(id).ok()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(24))]
        #[test]
        fn a_pack_of_libgit2_is_whole_and_any_part_of_it_is_not(
            texts in prop::collection::btree_set("[a-c]{0,40}", 1..20),
            cut in 0.0f64..1.0,
        ) {
            let home = tempfile::tempdir().unwrap();
            let repo = git2::Repository::init_bare(home.path()).unwrap();
            let objects: std::collections::BTreeSet<Oid> =
                texts.iter().map(|text| repo.blob(text.as_bytes()).unwrap()).collect();
            let mut builder = repo.packbuilder().unwrap();
            objects.iter().for_each(|id| builder.insert_object(*id, None).unwrap());
            builder.write(home.path(), 0o644).unwrap();
            let name = builder.name().unwrap().unwrap().to_owned();
            let read = |ending| std::fs::read(home.path().join(format!("pack-{name}.{ending}"))).unwrap();
            let (pack, index) = (read("pack"), read("idx"));
            // Longer than one piece.
            let long = [&pack[..pack.len() - 20], &vec![7; 2 * PIECE]].concat();
            let long = [&long[..], &Sha1::digest(&long)].concat();
            prop_assert_eq!(fault(&long), None);
            prop_assert_eq!(fault(&long[..long.len() - 1]), Some(ObjectFault::Garbled));
            let mut damaged = pack.clone();
            damaged[12 + ((pack.len() - 33) as f64 * cut) as usize] ^= 0x55;
            prop_assert!(fault(&damaged).is_some() && fault(&pack).is_none() && fault(&index).is_none());
            prop_assert_eq!(ids(&index), objects.into_iter().collect::<Vec<_>>());
        }

        #[test]
        fn never_panics(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
            ids(&bytes);
            fault(&bytes);
        }
    }
}
