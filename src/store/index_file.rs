//! Reading git's index without libgit2: twenty-five thousand entries in a millisecond instead of eleven, nothing
//! written. The format is in git's `Documentation/gitformat-index.txt`; versions 2, 3 and 4.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fs::Metadata;

use git2::{FileMode, Oid};

use super::tree::Blob;

/// One file of the index.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct IndexLine<'a> {
    pub(crate) path: Cow<'a, [u8]>,
    pub(crate) id: Oid,
    pub(crate) mode: u32,
    pub(crate) size: u32,
    /// Seconds and nanoseconds, as git keeps them: cut to 32 bits.
    pub(crate) mtime: (u32, u32),
    pub(crate) ino: u32,
    /// 0, or 1 to 3 for the sides of an unfinished merge.
    pub(crate) stage: u8,
    /// Not in the work tree on purpose: `skip-worktree` or `assume-unchanged`.
    pub(crate) ignored: bool,
    /// Announced with `git add -N`, without content yet.
    pub(crate) intent_to_add: bool,
    /// The first forty bytes as they were: times, device, inode, mode, owner, size.
    stat: &'a [u8],
    /// The extended flags.
    more: u16,
}

/// `skip-worktree`, among the extended flags.
const SKIP: u16 = 0x4000;
static NO_STAT: [u8; 40] = [0; 40];

impl<'a> IndexLine<'a> {
    /// The same entry for a work tree that does not have the file.
    pub(crate) fn hidden(&self) -> Self {
        Self { stat: &NO_STAT, more: SKIP, ignored: true, ..self.clone() }
    }

    fn write(&self, out: &mut Vec<u8>) {
        let stat: [u8; 40] = self.stat.try_into().unwrap_or(NO_STAT);
        write_line(out, &self.path, self.id, self.mode, &stat, self.more);
    }
}

/// One entry of version 3: at most 4095 in the length field, extended flags when there are any, then zero bytes up to
/// a multiple of eight.
fn write_line(out: &mut Vec<u8>, path: &[u8], id: Oid, mode: u32, stat: &[u8; 40], more: u16) {
    let start = out.len();
    out.extend_from_slice(&stat[..24]);
    out.extend_from_slice(&mode.to_be_bytes());
    out.extend_from_slice(&stat[28..]);
    out.extend_from_slice(id.as_bytes());
    let length = path.len().min(0xfff) as u16;
    let extended = if more == 0 { 0 } else { 0x4000 };
    out.extend_from_slice(&(length | extended).to_be_bytes());
    if more != 0 {
        out.extend_from_slice(&more.to_be_bytes());
    }
    out.extend_from_slice(path);
    let padding = 8 - (out.len() - start) % 8;
    out.resize(out.len() + padding, 0);
}

/// A new index made of an old one: a few entries replaced, the others copied.
///
/// The checksum at the end is left zero, which git reads as "not computed" (`index.skipHash`): hashing two and a half
/// megabytes would be most of the work.
pub(crate) struct IndexWriter<'a, I> {
    lines: I,
    edits: BTreeMap<Vec<u8>, Option<NewLine>>,
    _source: std::marker::PhantomData<&'a ()>,
}

struct NewLine {
    id: Oid,
    mode: u32,
    stat: [u8; 40],
    more: u16,
}

impl<'a, I: Iterator<Item = IndexLine<'a>>> IndexWriter<'a, I> {
    /// Starts from `lines`, in order of path.
    pub(crate) fn new(lines: I) -> Self {
        Self { lines, edits: BTreeMap::new(), _source: std::marker::PhantomData }
    }

    /// `path` is `blob`, and not on disk on purpose; without a blob it goes.
    pub(crate) fn hide(&mut self, path: &str, blob: Option<Blob>) {
        let line = blob.map(|b| NewLine { id: b.id, mode: index_mode(b), stat: NO_STAT, more: SKIP });
        self.edits.insert(path.as_bytes().to_vec(), line);
    }

    /// `path` is `blob`, and on disk; without `meta` git will look at the file itself.
    pub(crate) fn show(&mut self, path: &str, blob: Blob, meta: Option<&Metadata>) {
        let mut stat = NO_STAT;
        if meta.is_some() {
            let entry = super::index::entry(path, blob.id, index_mode(blob), meta);
            let words = [
                entry.ctime.seconds() as u32,
                entry.ctime.nanoseconds(),
                entry.mtime.seconds() as u32,
                entry.mtime.nanoseconds(),
                entry.dev,
                entry.ino,
                entry.mode,
                entry.uid,
                entry.gid,
                entry.file_size,
            ];
            for (at, word) in words.into_iter().enumerate() {
                stat[at * 4..at * 4 + 4].copy_from_slice(&word.to_be_bytes());
            }
        }
        self.edits
            .insert(path.as_bytes().to_vec(), Some(NewLine { id: blob.id, mode: index_mode(blob), stat, more: 0 }));
    }

    /// The whole file, about `size` bytes long.
    pub(crate) fn bytes(self, size: usize) -> Vec<u8> {
        let mut out = Vec::with_capacity(size + size / 8 + 4096);
        out.extend_from_slice(b"DIRC\0\0\0\x03\0\0\0\0");
        let mut count: u32 = 0;
        let mut edits = self.edits.into_iter().peekable();
        let mut put = |out: &mut Vec<u8>, path: &[u8], line: &NewLine| {
            write_line(out, path, line.id, line.mode, &line.stat, line.more);
            count += 1;
        };
        let mut copied: u32 = 0;
        for line in self.lines {
            while let Some((path, new)) = edits.next_if(|(path, _)| path[..] < *line.path) {
                new.iter().for_each(|new| put(&mut out, &path, new));
            }
            if let Some((path, new)) = edits.next_if(|(path, _)| path[..] == *line.path) {
                new.iter().for_each(|new| put(&mut out, &path, new));
            } else {
                line.write(&mut out);
                copied += 1;
            }
        }
        for (path, new) in edits {
            new.iter().for_each(|new| put(&mut out, &path, new));
        }
        out[8..12].copy_from_slice(&(count + copied).to_be_bytes());
        out.extend_from_slice(&[0; 20]);
        out
    }
}

/// The mode of an index entry for `blob`.
fn index_mode(blob: Blob) -> u32 {
    u32::from(if blob.mode == FileMode::BlobGroupWritable { FileMode::Blob } else { blob.mode })
}

/// What git knows of a folder whose entries are all exactly those of a tree.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub(crate) struct CachedTree {
    pub(crate) id: Option<Oid>,
    pub(crate) below: BTreeMap<Vec<u8>, CachedTree>,
}

/// A parsed index.
#[derive(Debug, Default)]
pub(crate) struct IndexFile<'a> {
    pub(crate) lines: Vec<IndexLine<'a>>,
    pub(crate) trees: CachedTree,
    /// An extension that must be understood and is not: `link` (split index) or `sdir` (sparse index).
    pub(crate) unsupported: Option<&'static str>,
}

fn word(bytes: &[u8], at: usize) -> Option<u32> {
    Some(u32::from_be_bytes(bytes.get(at..at + 4)?.try_into().ok()?))
}

/// The entries of an index, read one by one.
pub(crate) struct Lines<'a> {
    bytes: &'a [u8],
    version: u32,
    left: u32,
    at: usize,
    /// The path before, which version 4 builds the next one from.
    before: Vec<u8>,
    is_broken: bool,
}

impl<'a> Lines<'a> {
    /// The entries of `bytes`; `None` when they do not begin as an index of versions 2 to 4 does. No bytes are an empty
    /// index.
    pub(crate) fn of(bytes: &'a [u8]) -> Option<Self> {
        let (version, left) = if bytes.is_empty() { (2, 0) } else { (word(bytes, 4)?, word(bytes, 8)?) };
        let is_index =
            bytes.is_empty() || bytes.starts_with(b"DIRC") && bytes.len() >= 32 && (2..=4).contains(&version);
        is_index.then(|| Self { bytes, version, left, at: 12, before: Vec::new(), is_broken: false })
    }

    /// Whether the end was reached, and not a place where the bytes make no sense.
    pub(crate) fn is_whole(&self) -> bool {
        !self.is_broken && self.left == 0
    }

    fn line(&mut self) -> Option<IndexLine<'a>> {
        let at = self.at;
        let head = self.bytes.get(at..at + 62)?;
        let flags = u16::from_be_bytes([head[60], head[61]]);
        let mut name_at = at + 62;
        let mut more = 0;
        if flags & 0x4000 != 0 {
            more = u16::from_be_bytes(self.bytes.get(name_at..name_at + 2)?.try_into().ok()?);
            name_at += 2;
        }
        let path = if self.version == 4 {
            let (strip, used) = varint(self.bytes.get(name_at..)?)?;
            let rest = self.bytes.get(name_at + used..)?;
            let end = rest.iter().position(|b| *b == 0)?;
            self.before.truncate(self.before.len().checked_sub(strip)?);
            self.before.extend_from_slice(&rest[..end]);
            self.at = name_at + used + end + 1;
            Cow::Owned(self.before.clone())
        } else {
            let known = usize::from(flags & 0xfff);
            let length = if known < 0xfff && self.bytes.get(name_at + known) == Some(&0) {
                known
            } else {
                self.bytes.get(name_at..)?.iter().position(|b| *b == 0)?
            };
            // Entries are padded with 1 to 8 zero bytes to a multiple of eight.
            self.at = at + (name_at + length - at + 8) / 8 * 8;
            Cow::Borrowed(self.bytes.get(name_at..name_at + length)?)
        };
        Some(IndexLine {
            path,
            id: Oid::from_bytes(&head[40..60]).ok()?,
            mode: word(head, 24)?,
            size: word(head, 36)?,
            mtime: (word(head, 8)?, word(head, 12)?),
            ino: word(head, 20)?,
            stage: ((flags >> 12) & 3) as u8,
            ignored: flags & 0x8000 != 0 || more & SKIP != 0,
            intent_to_add: more & 0x2000 != 0,
            stat: &head[..40],
            more,
        })
    }
}

impl<'a> Iterator for Lines<'a> {
    type Item = IndexLine<'a>;

    fn next(&mut self) -> Option<IndexLine<'a>> {
        if self.left == 0 || self.is_broken {
            return None;
        }
        let line = self.line();
        self.left -= 1;
        self.is_broken = line.is_none();
        line
    }
}

impl<'a> IndexFile<'a> {
    /// Parses `bytes`; `None` when they are no index of versions 2 to 4, or are cut short. No bytes are an empty index.
    pub(crate) fn parse(bytes: &'a [u8]) -> Option<Self> {
        let mut reader = Lines::of(bytes)?;
        let lines: Vec<_> = reader.by_ref().collect();
        if !reader.is_whole() {
            return None;
        }
        let mut index = Self { lines, ..Self::default() };
        if !bytes.is_empty() {
            index.extensions(bytes.get(reader.at..bytes.len().checked_sub(20)?)?)?;
        }
        Some(index)
    }

    /// Whether there is a merged or unmerged entry of `path`.
    pub(crate) fn has(&self, path: &str) -> bool {
        self.lines.binary_search_by(|l| (*l.path).cmp(path.as_bytes())).is_ok()
    }

    fn extensions(&mut self, mut rest: &[u8]) -> Option<()> {
        while rest.len() >= 8 {
            let size = word(rest, 4)? as usize;
            let body = rest.get(8..8 + size)?;
            match &rest[..4] {
                b"TREE" => self.trees = cached_tree(body).map(|(_, tree, _)| tree).unwrap_or_default(),
                b"link" => self.unsupported = Some("split index"),
                b"sdir" => self.unsupported = Some("sparse index"),
                _ => {}
            }
            rest = &rest[8 + size..];
        }
        Some(())
    }

    /// The entry of `path`, when it is there and merged.
    #[cfg(test)]
    pub(crate) fn get(&self, path: &str) -> Option<&IndexLine<'a>> {
        let at = self.lines.binary_search_by(|l| (*l.path).cmp(path.as_bytes())).ok()?;
        self.lines.get(at).filter(|l| l.stage == 0)
    }
}

/// Git's offset encoding, as in version 4 and in packs.
fn varint(bytes: &[u8]) -> Option<(usize, usize)> {
    let mut value = usize::from(bytes.first()? & 0x7f);
    let mut used = 1;
    while bytes.get(used - 1)? & 0x80 != 0 {
        value = ((value.checked_add(1)?) << 7) | usize::from(bytes.get(used)? & 0x7f);
        used += 1;
        if used > 8 {
            return None;
        }
    }
    Some((value, used))
}

/// Name, tree and length of the node of a `TREE` extension at the start of `bytes`.
fn cached_tree(bytes: &[u8]) -> Option<(Vec<u8>, CachedTree, usize)> {
    let name_end = bytes.iter().position(|b| *b == 0)?;
    let line_end = name_end + 1 + bytes[name_end + 1..].iter().position(|b| *b == b'\n')?;
    let counts = std::str::from_utf8(&bytes[name_end + 1..line_end]).ok()?;
    let (entries, subtrees) = counts.split_once(' ')?;
    let (entries, subtrees): (i64, usize) = (entries.parse().ok()?, subtrees.parse().ok()?);
    let mut at = line_end + 1;
    let mut tree = CachedTree::default();
    if entries >= 0 {
        tree.id = Some(Oid::from_bytes(bytes.get(at..at + 20)?).ok()?);
        at += 20;
    }
    for _ in 0..subtrees {
        let (name, below, used) = cached_tree(bytes.get(at..)?)?;
        tree.below.insert(name, below);
        at += used;
    }
    Some((bytes[..name_end].to_vec(), tree, at))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn index_of(paths: &[String], version: u32) -> Vec<u8> {
        let home = tempfile::tempdir().unwrap();
        let file = home.path().join("index");
        let mut index = git2::Index::open(&file).unwrap();
        index.set_version(version).unwrap();
        for (n, path) in paths.iter().enumerate() {
            let time = git2::IndexTime::new(1_700_000_000 + n as i32, 7);
            index
                .add(&git2::IndexEntry {
                    ctime: time,
                    mtime: time,
                    dev: 1,
                    ino: n as u32,
                    mode: 0o100_644,
                    uid: 0,
                    gid: 0,
                    file_size: n as u32 * 3,
                    id: Oid::hash_object(git2::ObjectType::Blob, path.as_bytes()).unwrap(),
                    flags: if n % 3 == 0 { 1 << 14 } else { 0 },
                    flags_extended: if n % 3 == 0 { 1 << 14 } else { 0 },
                    path: path.clone().into_bytes(),
                })
                .unwrap();
        }
        index.write().unwrap();
        std::fs::read(&file).unwrap()
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(32))]
        #[test]
        fn reads_what_libgit2_writes(names in prop::collection::btree_set("[a-z]{1,3}/[a-z文]{1,90}", 1..20), v4 in any::<bool>()) {
            let paths: Vec<String> = names.into_iter().collect();
            let bytes = index_of(&paths, if v4 { 4 } else { 2 });
            let index = IndexFile::parse(&bytes).unwrap();
            prop_assert_eq!(index.lines.len(), paths.len());
            for (n, path) in paths.iter().enumerate() {
                let line = index.get(path).unwrap();
                prop_assert_eq!(line.id, Oid::hash_object(git2::ObjectType::Blob, path.as_bytes()).unwrap());
                prop_assert_eq!((line.size, line.ino, line.mtime.0), (n as u32 * 3, n as u32, 1_700_000_000 + n as u32));
                prop_assert_eq!(line.ignored, n % 3 == 0);
            }
        }

        #[test]
        fn libgit2_reads_what_is_written(
            names in prop::collection::btree_set("[a-z]{1,3}/[a-z文]{1,90}", 1..12),
            more in prop::collection::btree_set("[a-z]{1,3}/[a-z文]{1,90}", 0..12),
        ) {
            let paths: Vec<String> = names.iter().cloned().collect();
            let bytes = index_of(&paths, 4);
            let index = IndexFile::parse(&bytes).unwrap();
            let mut writer = IndexWriter::new(index.lines.iter().map(IndexLine::hidden));
            let blob = Blob::file(Oid::hash_object(git2::ObjectType::Blob, b"new").unwrap());
            for (n, path) in more.iter().enumerate() {
                if n % 2 == 0 { writer.hide(path, Some(blob)) } else { writer.show(path, blob, None) }
            }
            writer.hide(&paths[0], None);
            let home = tempfile::tempdir().unwrap();
            let file = home.path().join("index");
            std::fs::write(&file, writer.bytes(bytes.len())).unwrap();
            let read = git2::Index::open(&file).unwrap();
            let found: Vec<String> = read.iter().map(|e| String::from_utf8(e.path).unwrap()).collect();
            let expected: Vec<String> = names.union(&more).filter(|p| **p != paths[0]).cloned().collect();
            prop_assert_eq!(found, expected);
            let hidden = read.iter().filter(|e| e.flags_extended & SKIP != 0).count();
            prop_assert!(hidden + more.len() / 2 >= read.len());
        }

        #[test]
        fn never_panics(mut bytes in prop::collection::vec(any::<u8>(), 0..400), cut in 0usize..400) {
            IndexFile::parse(&bytes);
            bytes.splice(0..0, *b"DIRC\0\0\0\x04\0\0\0\x02");
            IndexFile::parse(&bytes);
            let real = index_of(&["a/b".to_owned(), "c".to_owned()], 2);
            IndexFile::parse(&real[..cut.min(real.len())]);
        }
    }
}
