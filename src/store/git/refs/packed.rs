//! Git's file of packed refs. A book has two of them a chapter, and few are wanted at a time.

use git2::Repository;

use crate::store::disk::files::read_if_there;
use crate::store::error::StoreError;

/// The refs that git has packed.
pub(super) struct PackedRefs {
    bytes: Vec<u8>,
    /// The place of the first ref.
    start: usize,
    /// Whether the file says that its refs are in order of name, as git's has said since 2.19.
    is_sorted: bool,
}

impl PackedRefs {
    pub(super) fn read(repo: &Repository) -> Result<Self, StoreError> {
        Ok(Self::of(read_if_there(&repo.commondir().join("packed-refs"))?.unwrap_or_default()))
    }

    fn of(bytes: Vec<u8>) -> Self {
        let header = Some(&bytes[..line_end(&bytes, 0)]).filter(|line| line.starts_with(b"#"));
        let is_sorted = header.is_some_and(|line| line.split(|byte| *byte == b' ').any(|word| word == b"sorted"));
        let start = header.map_or(0, <[u8]>::len);
        Self { bytes, start, is_sorted }
    }

    /// Whether a ref of that name is packed.
    pub(super) fn has(&self, name: &str) -> bool {
        // In a sorted file it comes before every longer name that begins with it.
        let near = if self.is_sorted { 1 } else { usize::MAX };
        self.below(name).take(near).any(|(_, found)| found == name.as_bytes())
    }

    /// Id and name of every ref whose name begins with `prefix`, as bytes, in the order of the file.
    pub(super) fn below<'a>(&'a self, prefix: &'a str) -> impl Iterator<Item = (&'a [u8], &'a [u8])> {
        let prefix = prefix.as_bytes();
        let from = if self.is_sorted { self.first_from(prefix) } else { self.start };
        let refs = self.bytes[from..].split(|byte| *byte == b'\n').filter_map(entry);
        let is_over = move |name: &[u8]| self.is_sorted && !name.starts_with(prefix);
        refs.take_while(move |(_, name)| !is_over(name)).filter(move |(_, name)| name.starts_with(prefix))
    }

    /// The place of the first ref whose name is not before `name`, in a sorted file.
    fn first_from(&self, name: &[u8]) -> usize {
        let (mut low, mut high) = (self.start, self.bytes.len());
        while low < high {
            let middle = low + (high - low) / 2;
            let before = self.bytes[low..middle].iter().rposition(|byte| *byte == b'\n');
            let mut line = before.map_or(low, |at| low + at + 1);
            let mut end = line_end(&self.bytes, line);
            // The object that a tag names stands on a line of its own, which belongs to the tag before it.
            while line < high && entry(self.bytes[line..end].trim_ascii_end()).is_none() {
                (line, end) = (end, line_end(&self.bytes, end));
            }
            match entry(self.bytes[line.min(high)..end].trim_ascii_end()) {
                Some((_, found)) if found < name => low = end,
                _ => high = before.map_or(low, |at| low + at + 1),
            }
        }
        low
    }
}

/// The place of the line after the one at `start`.
fn line_end(bytes: &[u8], start: usize) -> usize {
    let rest = bytes.get(start..).unwrap_or_default();
    start + rest.iter().position(|byte| *byte == b'\n').map_or(rest.len(), |at| at + 1)
}

/// Id and name of a ref; `None` for a line of another kind.
fn entry(line: &[u8]) -> Option<(&[u8], &[u8])> {
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
            refs in prop::collection::btree_map("refs/[ab]{1,3}(/[ab]{1,2})?", any::<bool>(), 0..20),
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
            let packed = PackedRefs::of(format!("{header}{lines}").into_bytes());
            prop_assert_eq!(packed.is_sorted, has_header);
            let found: Vec<&[u8]> = packed.below(&prefix).map(|(_, name)| name).collect();
            let wanted: Vec<&[u8]> = refs.keys().filter(|name| name.starts_with(&prefix)).map(|name| name.as_bytes()).collect();
            prop_assert_eq!(found, wanted);
            prop_assert_eq!(packed.has(&name), BTreeMap::contains_key(&refs, &name));
        }
    }

    #[test]
    fn an_empty_file_has_no_ref() {
        assert!(!PackedRefs::of(Vec::new()).has("refs/heads/main"));
        assert_eq!(PackedRefs::of(b"# pack-refs with: sorted \n".to_vec()).below("refs/").count(), 0);
    }
}
