//! Git's file of packed refs, read whole: 10,000 chapters have a megabyte of it.

use std::collections::BTreeMap;

use git2::{Oid, Repository};

use super::Moves;
use crate::git::disk::files::read_if_there;
use crate::git::error::StoreError;

/// The first line of a file that is sorted and in which every tag is followed by what it names.
const HEADER: &[u8] = b"# pack-refs with: peeled fully-peeled sorted \n";

/// The refs that git has packed. Lines that make no sense are passed over.
pub(super) struct PackedRefs(Vec<u8>);

impl PackedRefs {
    pub(super) fn open(repo: &Repository) -> Result<Self, StoreError> {
        Ok(Self(read_if_there(&repo.commondir().join("packed-refs"))?.unwrap_or_default()))
    }

    pub(super) fn has(&self, name: &str) -> bool {
        self.names_below(name).any(|found| found.len() == name.len())
    }

    /// The name of a ref whose name begins with `prefix`, if there is one.
    pub(super) fn any_below(&self, prefix: &str) -> Option<String> {
        self.names_below(prefix).next().map(|name| String::from_utf8_lossy(name).into_owned())
    }

    fn names_below(&self, prefix: &str) -> impl Iterator<Item = &[u8]> {
        self.lines().filter_map(name_in).filter(move |name| name.starts_with(prefix.as_bytes()))
    }

    /// Name and id of every ref whose name begins with `prefix`, in the order of the file.
    pub(super) fn below(&self, prefix: &str) -> Vec<(String, Oid)> {
        let wanted = self.lines().filter(|line| name_in(line).is_some_and(|name| name.starts_with(prefix.as_bytes())));
        let texts = wanted.filter_map(|line| std::str::from_utf8(line).ok());
        texts.filter_map(|line| Some((line[41..].trim_end().to_owned(), line[..40].parse().ok()?))).collect()
    }

    /// The file after the moves, in order of name.
    pub(super) fn with(&self, moves: &Moves<'_>) -> Vec<u8> {
        let mut out = Vec::with_capacity(self.0.len() + moves.len() * 64);
        let mut entries: BTreeMap<&[u8], Vec<u8>> = BTreeMap::new();
        let mut last: Option<&[u8]> = None;
        for line in self.lines() {
            if line.first() == Some(&b'#') {
                out.extend_from_slice(line);
            } else if line.first() == Some(&b'^') {
                last.and_then(|name| entries.get_mut(name)).into_iter().for_each(|entry| entry.extend_from_slice(line));
            } else if let Some(name) = name_in(line) {
                entries.insert(name, line.to_vec());
                last = Some(name);
            }
        }
        if self.0.is_empty() {
            out.extend_from_slice(HEADER);
        }
        for (name, new) in moves {
            match new {
                Some(id) => _ = entries.insert(name.as_bytes(), format!("{id} {name}\n").into_bytes()),
                None => _ = entries.remove(name.as_bytes()),
            }
        }
        entries.into_values().for_each(|entry| out.extend(entry));
        out
    }

    /// Whether the moves change anything here.
    pub(super) fn differs_with(&self, moves: &Moves<'_>) -> bool {
        self.with(moves) != self.0
    }

    /// The lines, each with its end.
    fn lines(&self) -> impl Iterator<Item = &[u8]> {
        self.0.split_inclusive(|byte| *byte == b'\n')
    }
}

/// The name of a ref; `None` for a line of another kind, as the one with the object that a tag names.
fn name_in(line: &[u8]) -> Option<&[u8]> {
    line.get(..40).filter(|id| id.iter().all(u8::is_ascii_hexdigit))?;
    line.get(41..).map(<[u8]>::trim_ascii_end).filter(|name| !name.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn every_ref_of_a_prefix_is_found(
            refs in prop::collection::btree_map("refs/[ab]{1,3}(/[ab]{1,5})?", any::<bool>(), 0..60),
            prefix in "(refs/)?[ab]{0,3}/?",
            name in "refs/[ab]{1,3}",
        ) {
            let id = "0123456789abcdef0123456789abcdef01234567";
            let line = |(name, is_tag): (&String, &bool)| {
                format!("{id} {name}\n{}", if *is_tag { format!("^{id}\n") } else { String::new() })
            };
            let file = format!("# pack-refs with: peeled \n\nno ref\n{}", refs.iter().map(line).collect::<String>());
            let packed = PackedRefs(file.into_bytes());
            let found: Vec<String> = packed.below(&prefix).into_iter().map(|(name, _)| name).collect();
            let wanted: Vec<String> = refs.keys().filter(|name| name.starts_with(&prefix)).cloned().collect();
            prop_assert_eq!(packed.any_below(&prefix), wanted.first().cloned());
            prop_assert_eq!(found, wanted);
            prop_assert_eq!(packed.has(&name), refs.contains_key(&name));
        }
    }

    #[test]
    fn a_file_stays_sorted_and_keeps_what_other_tags_name() {
        let id = |digit: char| digit.to_string().repeat(40);
        let [a, b, c] = ['a', 'b', 'c'].map(id);
        let header = "# pack-refs with: peeled fully-peeled sorted \n";
        let packed = format!(
            "{header}{a} refs/heads/main\n{a} refs/tags/ch-002\n^{b}\n{a} refs/tags/ch-004\n{b} refs/tags/v1\n^{c}\n"
        );
        let new: Oid = c.parse().unwrap();
        let moves = Moves::from([
            ("refs/tags/ch-002", Some(new)),
            ("refs/tags/ch-003", Some(new)),
            ("refs/tags/ch-004", None),
            ("refs/tags/ch-005", None),
        ]);
        let after = String::from_utf8(PackedRefs(packed.into_bytes()).with(&moves)).unwrap();
        let tags = format!("{c} refs/tags/ch-002\n{c} refs/tags/ch-003\n{b} refs/tags/v1\n^{c}\n");
        assert_eq!(after, format!("{header}{a} refs/heads/main\n{tags}"));
        let first = PackedRefs(Vec::new()).with(&Moves::from([("refs/tags/ch-001", Some(new))]));
        assert_eq!(String::from_utf8(first).unwrap(), format!("{header}{c} refs/tags/ch-001\n"));
    }
}
