//! Git's file of packed refs. A book has two of them a chapter, and few are wanted at a time.

use std::fs::File;
use std::io::{self, BufRead as _, BufReader, Seek as _, SeekFrom};
use std::ops::ControlFlow;
use std::path::PathBuf;

use git2::{Oid, Repository};

use crate::store::disk::files::open_if_there;
use crate::store::error::{IoContext as _, StoreError};

/// So much of the file is read at once, in bytes.
const PIECE: usize = 4 << 10;

/// The refs that git has packed, which are read where they are wanted.
pub(super) struct PackedRefs {
    path: PathBuf,
    /// `None` where git has packed none.
    file: Option<File>,
    length: u64,
    /// The place of the first ref.
    start: u64,
    /// Whether the file says that its refs are in order of name, as git's has said since 2.19.
    is_sorted: bool,
}

impl PackedRefs {
    pub(super) fn open(repo: &Repository) -> Result<Self, StoreError> {
        Self::at(repo.commondir().join("packed-refs"))
    }

    fn at(path: PathBuf) -> Result<Self, StoreError> {
        let file = open_if_there(&path)?;
        let mut refs = Self { path, file, length: 0, start: 0, is_sorted: false };
        if let Some(file) = &refs.file {
            let read = || {
                let mut header = Vec::new();
                Lines::from(file, 0)?.next(&mut header)?;
                Ok((file.metadata()?.len(), header))
            };
            let (length, header) = read().at("reading", &refs.path)?;
            refs.length = length;
            if header.starts_with(b"#") {
                refs.start = header.len() as u64;
                refs.is_sorted = header.trim_ascii_end().split(|byte| *byte == b' ').any(|word| word == b"sorted");
            }
        }
        Ok(refs)
    }

    /// Whether a ref of that name is packed.
    pub(super) fn has(&self, name: &str) -> Result<bool, StoreError> {
        // In a sorted file it comes before every longer name that begins with it.
        Ok(self.first(name, |found| self.is_sorted || found == name.as_bytes())?.is_some_and(|found| found == name))
    }

    /// The name of a ref whose name begins with `prefix`, if there is one.
    pub(super) fn any_below(&self, prefix: &str) -> Result<Option<String>, StoreError> {
        self.first(prefix, |_| true)
    }

    fn first(&self, prefix: &str, is_one: impl Fn(&[u8]) -> bool) -> Result<Option<String>, StoreError> {
        let mut first = None;
        self.each_below(prefix, |_, name| {
            if !is_one(name) {
                return ControlFlow::Continue(());
            }
            first = Some(String::from_utf8_lossy(name).into_owned());
            ControlFlow::Break(())
        })?;
        Ok(first)
    }

    /// Name and id of every ref whose name begins with `prefix`, in the order of the file. Lines that make no sense are passed over.
    pub(super) fn below(&self, prefix: &str) -> Result<Vec<(String, Oid)>, StoreError> {
        let mut all = Vec::new();
        self.each_below(prefix, |id, name| {
            let id = std::str::from_utf8(id).ok().and_then(|id| id.parse().ok());
            all.extend(std::str::from_utf8(name).ok().map(str::to_owned).zip(id));
            ControlFlow::Continue(())
        })?;
        Ok(all)
    }

    /// Shows `see` id and name of those refs, as bytes.
    fn each_below(&self, prefix: &str, mut see: impl FnMut(&[u8], &[u8]) -> ControlFlow<()>) -> Result<(), StoreError> {
        let (Some(file), prefix) = (&self.file, prefix.as_bytes()) else { return Ok(()) };
        let mut read = || {
            let from = if self.is_sorted { self.before(file, prefix)? } else { self.start };
            let (mut lines, mut line) = (Lines::from(file, from)?, Vec::new());
            while lines.next(&mut line)? {
                let Some((id, name)) = entry(&line) else { continue };
                if !name.starts_with(prefix) {
                    if self.is_sorted && name > prefix { break } else { continue }
                }
                if see(id, name).is_break() {
                    break;
                }
            }
            Ok(())
        };
        read().at("reading", &self.path)
    }

    /// The place of a ref at most about a piece before the first one whose name is not before `name`, in a sorted file.
    fn before(&self, file: &File, name: &[u8]) -> io::Result<u64> {
        let (mut low, mut high) = (self.start, self.length);
        let mut line = Vec::new();
        while high.saturating_sub(low) > PIECE as u64 {
            let middle = low + (high - low) / 2;
            let mut lines = Lines::from(file, middle)?;
            // The rest of a line, and the object that a tag names, which stands on a line of its own behind the tag's.
            lines.next(&mut line)?;
            let mut at = lines.place;
            while lines.next(&mut line)? && entry(&line).is_none() {
                at = lines.place;
            }
            match entry(&line) {
                Some((_, found)) if at < high && found < name => low = at,
                _ => high = middle,
            }
        }
        Ok(low)
    }
}

/// The lines of a file from a place on.
struct Lines<'f> {
    file: BufReader<&'f File>,
    /// The place of the next one.
    place: u64,
}

impl<'f> Lines<'f> {
    fn from(mut file: &'f File, place: u64) -> io::Result<Self> {
        file.seek(SeekFrom::Start(place))?;
        Ok(Self { file: BufReader::with_capacity(PIECE, file), place })
    }

    /// Reads the next line with its end into `line`; `false` at the end.
    fn next(&mut self, line: &mut Vec<u8>) -> io::Result<bool> {
        line.clear();
        self.file.read_until(b'\n', line)?;
        self.place += line.len() as u64;
        Ok(!line.is_empty())
    }
}

/// Id and name of a ref; `None` for a line of another kind.
fn entry(line: &[u8]) -> Option<(&[u8], &[u8])> {
    let line = line.trim_ascii_end();
    Some((line.get(..40)?, line.get(41..).filter(|name| !name.is_empty())?))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeMap;

    proptest! {
        /// A sorted file gives what one gives that is read from end to end.
        #[test]
        fn a_sorted_file_gives_every_ref_of_a_prefix(
            refs in prop::collection::btree_map("refs/[ab]{1,3}(/[ab]{1,5})?", any::<bool>(), 0..300),
            prefix in "(refs/)?[ab]{0,3}/?",
            name in "refs/[ab]{1,3}",
            has_header in any::<bool>(),
        ) {
            let id = "0123456789abcdef0123456789abcdef01234567";
            let lines: String = refs
                .iter()
                .map(|(name, is_tag)| format!("{id} {name}\n{}", if *is_tag { format!("^{id}\n") } else { String::new() }))
                .collect();
            let header = if has_header { "# pack-refs with: peeled fully-peeled sorted \n" } else { "# pack-refs with: peeled \n" };
            let home = tempfile::tempdir().unwrap();
            let path = home.path().join("packed-refs");
            std::fs::write(&path, format!("{header}{lines}")).unwrap();
            let packed = PackedRefs::at(path).unwrap();
            prop_assert_eq!(packed.is_sorted, has_header);
            let found: Vec<String> = packed.below(&prefix).unwrap().into_iter().map(|(name, _)| name).collect();
            let wanted: Vec<String> = refs.keys().filter(|name| name.starts_with(&prefix)).cloned().collect();
            prop_assert_eq!(packed.any_below(&prefix).unwrap(), wanted.first().cloned());
            prop_assert_eq!(found, wanted);
            prop_assert_eq!(packed.has(&name).unwrap(), BTreeMap::contains_key(&refs, &name));
        }
    }

    #[test]
    fn an_empty_file_has_no_ref() {
        let home = tempfile::tempdir().unwrap();
        let path = home.path().join("packed-refs");
        for text in [None, Some(""), Some("# pack-refs with: sorted \n")] {
            text.iter().for_each(|text| std::fs::write(&path, text).unwrap());
            let packed = PackedRefs::at(path.clone()).unwrap();
            assert!(!packed.has("refs/heads/main").unwrap());
            assert_eq!(packed.below("refs/").unwrap(), []);
        }
    }
}
