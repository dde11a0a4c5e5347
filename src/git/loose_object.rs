//! Checking a loose object without libgit2, which loops forever on one that was cut short.
//!
//! The format is zlib around `kind size NUL bytes`.

use super::object_fault::ObjectFault;
use std::io::Read as _;

use flate2::bufread::ZlibDecoder;
use git2::{ObjectType, Oid};

/// Objects above this size are taken at their word: a book has none.
const LARGEST: u64 = 256 << 20;

/// Returns the fault of the loose object `bytes` that is filed under `id`; `None` when it is whole.
pub(crate) fn fault(bytes: &[u8], id: Oid) -> Option<ObjectFault> {
    if bytes.is_empty() {
        return Some(ObjectFault::Empty);
    }
    let Some(data) = zlib(bytes) else { return Some(ObjectFault::Garbled) };
    let Some(end) = data.iter().position(|b| *b == 0) else { return Some(ObjectFault::NoHeader) };
    let header = String::from_utf8_lossy(&data[..end]);
    let Some((kind, size)) = header.split_once(' ') else { return Some(ObjectFault::NoHeader) };
    let (Some(kind), Ok(size)) = (ObjectType::from_str(kind), size.parse::<usize>()) else {
        return Some(ObjectFault::NoHeader);
    };
    let body = &data[end + 1..];
    if body.len() != size {
        return Some(ObjectFault::OtherSize);
    }
    (Oid::hash_object(kind, body).ok() != Some(id)).then_some(ObjectFault::OtherContent)
}

/// The data in a zlib stream, when the stream is whole, its checksum fits and nothing follows it.
fn zlib(bytes: &[u8]) -> Option<Vec<u8>> {
    let mut data = Vec::new();
    let mut decoder = ZlibDecoder::new(bytes);
    decoder.by_ref().take(LARGEST).read_to_end(&mut data).ok()?;
    // A stream that was cut short ends in an error; one that is whole has been read to its checksum.
    (decoder.total_in() == bytes.len() as u64).then_some(data)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// The file that libgit2 writes for `content`, and its id.
    fn written(content: &[u8]) -> (Vec<u8>, Oid) {
        let home = tempfile::tempdir().unwrap();
        let repo = git2::Repository::init_bare(home.path()).unwrap();
        let id = repo.blob(content).unwrap();
        let name = id.to_string();
        (std::fs::read(home.path().join("objects").join(&name[..2]).join(&name[2..])).unwrap(), id)
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(40))]
        #[test]
        fn what_libgit2_writes_is_whole_and_any_part_of_it_is_not(
            text in prop_oneof![
                "[a-c\n]{0,3000}",
                "(第三年冬末，信到了。){0,300}",
                prop::collection::vec(any::<u8>(), 0..70_000).prop_map(|b| b.iter().map(|b| *b as char).collect::<String>()),
            ],
            cut in 0.0f64..1.0,
        ) {
            let (bytes, id) = written(text.as_bytes());
            prop_assert_eq!(fault(&bytes, id), None);
            let cut = (bytes.len() as f64 * cut) as usize;
            prop_assert!(fault(&bytes[..cut], id).is_some());
            let mut garbled = bytes.clone();
            garbled[cut] ^= 0x10;
            // A flipped bit may be one that does not count; it must not pass for other content.
            let _ = fault(&garbled, id);
            prop_assert!(fault(&bytes, Oid::ZERO_SHA1).is_some());
        }

        #[test]
        fn never_panics(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
            fault(&bytes, Oid::ZERO_SHA1);
            let mut zlib_like = vec![0x78, 0x9c];
            zlib_like.extend(bytes);
            fault(&zlib_like, Oid::ZERO_SHA1);
        }
    }
}
