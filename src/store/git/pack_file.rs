//! Git's pack files, as far as a transaction needs them: whole objects, one after the other, and the index that finds
//! them. The format is in git's `Documentation/gitformat-pack.txt`; packs of version 2, indexes of version 2.
//!
//! The crate `gix-pack` 0.77 does not replace it. Measured on 2026-11-23, packs of 12, 60 and 3,000 objects cost 1.3 to 1.4 times
//! the CPU time: the crate makes the index of a pack only by decompressing and hashing all of it again. Its packs come out larger.

use super::object_fault::ObjectFault;
use std::io::Read;

use flate2::{Compress, Compression, FlushCompress, Status};
use git2::{ObjectType, Oid};
use sha1::{Digest, Sha1};

/// An object as it stands in a pack: header and compressed content.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Entry {
    pub(crate) id: Oid,
    bytes: Vec<u8>,
}

impl Entry {
    /// How many bytes of a pack it takes.
    pub(crate) fn len(&self) -> usize {
        self.bytes.len()
    }
}

/// Compresses objects, one after the other. A new one needs a third of a megabyte cleared, which takes longer than most objects.
pub(crate) struct Compressor(Compress);

impl Compressor {
    /// Compresses as quickly as can be: git does it again, and across versions, when it packs the book.
    pub(crate) fn new() -> Self {
        Self(Compress::new(Compression::fast(), true))
    }

    /// The object `id`, which is `data` of that kind.
    /// Fails when it cannot be compressed.
    pub(crate) fn entry(&mut self, id: Oid, kind: ObjectType, data: &[u8]) -> std::io::Result<Entry> {
        let kind: u8 = match kind {
            ObjectType::Commit => 1,
            ObjectType::Tree => 2,
            ObjectType::Tag => 4,
            _ => 3,
        };
        // Three bits of kind and four of the size, then seven of the size a byte; the highest bit says "more".
        let mut bytes = vec![kind << 4 | (data.len() & 0xf) as u8];
        let mut rest = data.len() >> 4;
        while rest > 0 {
            if let Some(last) = bytes.last_mut() {
                *last |= 0x80;
            }
            bytes.push((rest & 0x7f) as u8);
            rest >>= 7;
        }
        self.0.reset();
        loop {
            bytes.reserve(data.len() / 2 + SPARE);
            let left = &data[self.0.total_in() as usize..];
            if self.0.compress_vec(left, &mut bytes, FlushCompress::Finish)? == Status::StreamEnd {
                bytes.shrink_to_fit();
                return Ok(Entry { id, bytes });
            }
        }
    }
}

/// Room for the compressed form of a few bytes, which is longer than they are.
const SPARE: usize = 64;

/// A pack and its index.
pub(crate) struct Pack {
    /// Its checksum in hexadecimal, which git names it by.
    pub(crate) name: String,
    pub(crate) pack: Vec<u8>,
    pub(crate) index: Vec<u8>,
}

impl Pack {
    /// The pack of `entries`. No id may be there twice.
    pub(crate) fn of(entries: &[Entry]) -> Self {
        let mut pack = b"PACK\0\0\0\x02".to_vec();
        pack.extend_from_slice(&(entries.len() as u32).to_be_bytes());
        let mut found: Vec<(Oid, u32, u32)> = Vec::with_capacity(entries.len());
        for entry in entries {
            let mut crc = flate2::Crc::new();
            crc.update(&entry.bytes);
            found.push((entry.id, crc.sum(), pack.len() as u32));
            pack.extend_from_slice(&entry.bytes);
        }
        let checksum = Sha1::digest(&pack);
        pack.extend_from_slice(&checksum);

        found.sort_unstable();
        let mut index = b"\xfftOc\0\0\0\x02".to_vec();
        for first in 0..=255u8 {
            let upto = found.partition_point(|(id, ..)| id.as_bytes()[0] <= first);
            index.extend_from_slice(&(upto as u32).to_be_bytes());
        }
        found.iter().for_each(|(id, ..)| index.extend_from_slice(id.as_bytes()));
        found.iter().for_each(|(_, crc, _)| index.extend_from_slice(&crc.to_be_bytes()));
        found.iter().for_each(|(.., at)| index.extend_from_slice(&at.to_be_bytes()));
        index.extend_from_slice(&checksum);
        let sum = Sha1::digest(&index);
        index.extend_from_slice(&sum);
        Self { name: checksum.iter().map(|byte| format!("{byte:02x}")).collect(), pack, index }
    }

    /// The objects of a pack and its index; `None` when they are not a pair that [`of`](Self::of) could have made: damaged,
    /// or with objects that are written as differences from others.
    pub(crate) fn entries(pack: &[u8], index: &[u8]) -> Option<Vec<Entry>> {
        let word = |bytes: &[u8], at: usize| Some(u32::from_be_bytes(*bytes.get(at..)?.first_chunk()?) as usize);
        let sums = |bytes: &[u8]| {
            let (body, sum) = bytes.split_at_checked(bytes.len().checked_sub(20)?)?;
            (*Sha1::digest(body) == *sum).then_some(())
        };
        (pack.starts_with(b"PACK\0\0\0\x02") && index.starts_with(b"\xfftOc\0\0\0\x02")).then_some(())?;
        sums(pack)?;
        sums(index)?;
        let count = word(pack, 8)?;
        (word(index, 8 + 255 * 4)? == count).then_some(())?;
        let ids = 8 + 256 * 4;
        let offsets = ids + count * 24;
        let mut places: Vec<(usize, Oid)> = (0..count)
            .map(|n| {
                let id = Oid::from_bytes(index.get(ids + n * 20..ids + n * 20 + 20)?).ok()?;
                Some((word(index, offsets + n * 4)?, id))
            })
            .collect::<Option<_>>()?;
        places.sort_unstable();
        let ends = places.iter().skip(1).map(|(at, _)| *at).chain([pack.len().checked_sub(20)?]);
        let entry = |((at, id), end): (&(usize, Oid), usize)| {
            let bytes = pack.get(*at..end)?;
            let is_whole = matches!(bytes.first()? >> 4 & 7, 1..=4);
            is_whole.then(|| Entry { id: *id, bytes: bytes.to_vec() })
        };
        places.iter().zip(ends).map(entry).collect()
    }
}

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

/// The ids that an index lists.
pub(crate) fn ids(index: &[u8]) -> Vec<Oid> {
    let listed = index.get(8 + 256 * 4..).unwrap_or_default();
    let count = index.get(8 + 255 * 4..).and_then(|at| at.first_chunk()).map_or(0, |n| u32::from_be_bytes(*n) as usize);
    listed.chunks_exact(20).take(count).filter_map(|id| Oid::from_bytes(id).ok()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeMap;

    fn object() -> impl Strategy<Value = (ObjectType, Vec<u8>)> {
        let kind = prop_oneof![Just(ObjectType::Blob), Just(ObjectType::Commit), Just(ObjectType::Tree)];
        let data = prop_oneof!["[a-c\n]{0,40}", "(第三年冬末，信到了。){0,900}"];
        (kind, data.prop_map(String::into_bytes))
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(48))]
        #[test]
        fn libgit2_finds_in_a_pack_what_was_put_there(objects in prop::collection::vec(object(), 1..40), cut in 0.0f64..1.0) {
            let objects: BTreeMap<Oid, (ObjectType, Vec<u8>)> = objects
                .into_iter()
                .map(|(kind, data)| (Oid::hash_object(kind, &data).unwrap(), (kind, data)))
                .collect();
            let mut compressor = Compressor::new();
            let entries: Vec<Entry> =
                objects.iter().map(|(id, (kind, data))| compressor.entry(*id, *kind, data).unwrap()).collect();
            let Pack { name, pack, index } = Pack::of(&entries);
            let home = tempfile::tempdir().unwrap();
            let repo = git2::Repository::init_bare(home.path()).unwrap();
            let folder = home.path().join("objects/pack");
            std::fs::write(folder.join(format!("pack-{name}.pack")), &pack).unwrap();
            std::fs::write(folder.join(format!("pack-{name}.idx")), &index).unwrap();
            let odb = repo.odb().unwrap();
            for (id, (kind, data)) in &objects {
                let found = odb.read(*id).unwrap();
                prop_assert_eq!((found.kind(), found.data()), (*kind, &data[..]));
            }
            let git = std::process::Command::new("git")
                .args(["verify-pack", &format!("objects/pack/pack-{name}.idx")]).current_dir(home.path()).status();
            prop_assert!(git.is_ok_and(|status| status.success()));

            let mut again = Pack::entries(&pack, &index).unwrap();
            again.sort_by_key(|entry| entry.id);
            prop_assert_eq!(&again, &entries);
            // Longer than one piece.
            let long = [&pack[..pack.len() - 20], &vec![7; 2 * PIECE]].concat();
            let long = [&long[..], &Sha1::digest(&long)].concat();
            prop_assert_eq!(fault(&long), None);
            prop_assert_eq!(fault(&long[..long.len() - 1]), Some(ObjectFault::Garbled));
            let mut damaged = pack.clone();
            damaged[12 + ((pack.len() - 33) as f64 * cut) as usize] ^= 0x55;
            prop_assert!(fault(&damaged).is_some() && fault(&pack).is_none() && fault(&index).is_none());
            prop_assert_eq!(ids(&index), objects.keys().copied().collect::<Vec<_>>());
            let cut = |bytes: &[u8]| bytes[..(bytes.len() as f64 * cut) as usize].to_vec();
            prop_assert_eq!(Pack::entries(&cut(&pack), &index), None);
            prop_assert_eq!(Pack::entries(&pack, &cut(&index)), None);
        }

        #[test]
        fn never_panics(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
            ids(&bytes);
            fault(&bytes);
            let with = |head: &[u8]| {
                let mut all = [head, &bytes[..]].concat();
                let sum = Sha1::digest(&all);
                all.extend_from_slice(&sum);
                all
            };
            Pack::entries(&with(b"PACK\0\0\0\x02\0\0\0\x01"), &with(b"\xfftOc\0\0\0\x02"));
            let fanout = [&b"\xfftOc\0\0\0\x02"[..], &[0; 255 * 4], &[0, 0, 0, 1]].concat();
            Pack::entries(&with(b"PACK\0\0\0\x02\0\0\0\x01"), &with(&fanout));
        }
    }
}
