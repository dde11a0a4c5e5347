//! Git's notes in an index about folders that are as in a tree: the `TREE` extension.

use std::collections::BTreeMap;

use git2::Oid;

use super::extension;

/// Git's record of a folder of the index: the tree whose entries the folder has exactly, if any.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub(crate) struct CachedTree {
    /// The tree, if there is one.
    pub(crate) id: Option<Oid>,
    /// How many entries the folder has then, those of the folders below included.
    pub(crate) entries: usize,
    pub(crate) below: BTreeMap<Vec<u8>, CachedTree>,
}

impl CachedTree {
    /// Forgets what is known of the folders that `path` is in.
    pub(crate) fn forget(&mut self, path: &[u8]) {
        self.id = None;
        let mut folder = self;
        for (slash, _) in path.iter().enumerate().filter(|(_, byte)| **byte == b'/') {
            let start = path[..slash].iter().rposition(|byte| *byte == b'/').map_or(0, |at| at + 1);
            let Some(below) = folder.below.get_mut(&path[start..slash]) else { return };
            below.id = None;
            folder = below;
        }
        // A file that takes a folder's place.
        let name = path.iter().rposition(|byte| *byte == b'/').map_or(path, |at| &path[at + 1..]);
        folder.below.remove(name);
    }

    /// As a `TREE` extension.
    pub(crate) fn extension(&self) -> Vec<u8> {
        let mut body = Vec::new();
        self.write(b"", &mut body);
        extension(b"TREE", &body)
    }

    fn write(&self, name: &[u8], out: &mut Vec<u8>) {
        out.extend_from_slice(name);
        let entries = self.id.map_or_else(|| "-1".to_owned(), |_| self.entries.to_string());
        out.extend_from_slice(format!("\0{entries} {}\n", self.below.len()).as_bytes());
        out.extend_from_slice(self.id.as_ref().map_or(&[], |id| id.as_bytes()));
        for (name, below) in &self.below {
            below.write(name, out);
        }
    }

    /// Reads the body of a `TREE` extension; `None` when it makes no sense.
    pub(super) fn read(body: &[u8]) -> Option<Self> {
        Self::node(body).map(|(_, tree, _)| tree)
    }

    /// Name, tree and length of the node at the start of `bytes`.
    fn node(bytes: &[u8]) -> Option<(Vec<u8>, Self, usize)> {
        let name_end = bytes.iter().position(|b| *b == 0)?;
        let line_end = name_end + 1 + bytes[name_end + 1..].iter().position(|b| *b == b'\n')?;
        let counts = std::str::from_utf8(&bytes[name_end + 1..line_end]).ok()?;
        let (entries, subtrees) = counts.split_once(' ')?;
        let (entries, subtrees): (i64, usize) = (entries.parse().ok()?, subtrees.parse().ok()?);
        let mut at = line_end + 1;
        let mut tree = Self::default();
        if let Ok(entries) = usize::try_from(entries) {
            tree.entries = entries;
            tree.id = Some(Oid::from_bytes(bytes.get(at..at + 20)?).ok()?);
            at += 20;
        }
        for _ in 0..subtrees {
            let (name, below, used) = Self::node(bytes.get(at..)?)?;
            tree.below.insert(name, below);
            at += used;
        }
        Some((bytes[..name_end].to_vec(), tree, at))
    }
}
