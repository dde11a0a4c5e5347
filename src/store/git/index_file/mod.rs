//! Git's index without libgit2. The format is in git's `Documentation/gitformat-index.txt`; versions 2, 3 and 4.
//!
//! The index of a book of 10,000 chapters has 70,000 entries in seven megabytes, and git has it written again for each commit. It is
//! never in memory as a whole: it is read through a window, and written with its changes while it is read again. It is divided into
//! spans of some dozens of entries, by which one is found without the others, and which are copied as they are where nothing
//! changes. The spans are kept beside the index ([`OutlineCache`]), so that the next command need not read all entries to find them.
//!
//! The crate `gix-index` 0.58 does not replace it. Measured on 2026-11-23 as CPU time with 1,000 and 10,000 entries, reading
//! costs the same, but reading, changing nine entries, noting the trees and writing costs 2.3 and 1.5 times as much. The crate
//! writes neither version 4 nor `REUC`, and which folders agree with a tree would still be found here.

mod cached_tree;
mod cursor;
mod entry;
mod outline;
mod patch;
mod writing;

use std::path::Path;

pub(crate) use self::cached_tree::CachedTree;
pub(crate) use self::cursor::Cursor;
use self::cursor::Source;
pub(crate) use self::cursor::garbled;
pub(crate) use self::entry::{Entry, IndexLine};
use self::outline::Outline;
pub(crate) use self::outline::{OutlineCache, Span};
pub(crate) use self::patch::{IndexPatch, Others};
pub(crate) use self::writing::{Checksum, Form, Writing, Written};
use super::feature::GitFeature;
use crate::store::error::StoreError;

/// The bytes before the first entry.
const HEAD: u64 = 12;
/// The bytes of the checksum at the end.
const CHECKSUM: u64 = 20;

/// An index that was looked through once.
#[derive(Debug)]
pub(crate) struct IndexFile {
    source: Source,
    outline: Outline,
    pub(crate) trees: CachedTree,
    /// The `REUC` extension as it is, when there is one: how merges were resolved.
    pub(crate) resolved: Vec<u8>,
    /// An extension that must be understood and is not: `link` (split index) or `sdir` (sparse index).
    pub(crate) unsupported: Option<GitFeature>,
}

fn extension(name: &[u8; 4], body: &[u8]) -> Vec<u8> {
    [name, &(body.len() as u32).to_be_bytes(), body].concat()
}

/// Nothing for an index that makes no sense.
fn unless_garbled(read: Result<IndexFile, StoreError>) -> Result<Option<IndexFile>, StoreError> {
    match read {
        Ok(index) => Ok(Some(index)),
        Err(StoreError::Damaged { .. }) => Ok(None),
        Err(e) => Err(e),
    }
}

fn word(bytes: &[u8], at: usize) -> Option<u32> {
    Some(u32::from_be_bytes(bytes.get(at..at + 4)?.try_into().ok()?))
}

impl IndexFile {
    /// Opens the index at `path`; `None` when its version is not 2 to 4, or it is cut short. One that is missing is empty.
    pub(crate) fn open(path: &Path) -> Result<Option<Self>, StoreError> {
        Self::whole(Source::open(path)?, |_| ())
    }

    /// The index that these bytes are. No bytes are an empty one.
    pub(crate) fn of(bytes: Vec<u8>) -> Option<Self> {
        Self::of_and_see(bytes, |_| ())
    }

    /// The same; every entry is shown to `see` on the way.
    pub(crate) fn of_and_see(bytes: Vec<u8>, see: impl FnMut(&IndexLine<'_>)) -> Option<Self> {
        Self::whole(Source::memory(bytes), see).ok().flatten()
    }

    /// An index without entries.
    pub(crate) fn empty() -> Self {
        Self {
            source: Source::memory(Vec::new()),
            outline: Outline { version: 2, end: HEAD, ..Outline::default() },
            trees: CachedTree::default(),
            resolved: Vec::new(),
            unsupported: None,
        }
    }

    fn whole(source: Source, see: impl FnMut(&IndexLine<'_>)) -> Result<Option<Self>, StoreError> {
        unless_garbled(source.len().and_then(|length| Self::read(source, length, see)))
    }

    /// The same. Every entry is shown to `see` on the way, but of an index whose outline is known only those of spans that `wants`
    /// wants are read and shown.
    pub(crate) fn open_by(
        outlines: &OutlineCache,
        path: &Path,
        wants: impl Fn(&Span) -> bool,
        see: impl FnMut(&IndexLine<'_>),
    ) -> Result<Option<Self>, StoreError> {
        let source = Source::open(path)?;
        let length = source.len()?;
        let Some(end) = length.checked_sub(CHECKSUM).filter(|end| *end >= HEAD) else {
            return unless_garbled(Self::read(source, length, see));
        };
        let checksum = source.bytes(end, CHECKSUM as usize)?;
        if let Some(outline) = outlines.read(&checksum, length)? {
            return unless_garbled(Self::outlined(source, end, outline).and_then(|index| {
                index.each_of(wants, see)?;
                Ok(index)
            }));
        }
        let index = unless_garbled(Self::read(source, length, see))?;
        index.iter().for_each(|index| outlines.keep(&checksum, length, &index.outline));
        Ok(index)
    }

    /// The index in `source` with that outline, whose checksum is at `end`.
    fn outlined(source: Source, end: u64, outline: Outline) -> Result<Self, StoreError> {
        let mut index = Self { outline, ..Self::empty() };
        index.read_extensions(&source, end)?;
        Ok(Self { source, ..index })
    }

    fn read(source: Source, length: u64, mut see: impl FnMut(&IndexLine<'_>)) -> Result<Self, StoreError> {
        if length == 0 {
            return Ok(Self { source, ..Self::empty() });
        }
        let head = source.bytes(0, HEAD as usize)?;
        let (version, count) = word(&head, 4).zip(word(&head, 8)).ok_or_else(garbled)?;
        if !head.starts_with(b"DIRC") || length < HEAD + CHECKSUM || !(2..=4).contains(&version) {
            return Err(garbled());
        }
        let mut outline = Outline { version, ..Outline::default() };
        let mut lines = Cursor::new(&source, version, &Span { offset: HEAD, ..Span::default() }, count);
        let mut before = Vec::new();
        while outline.count < count {
            lines.look()?;
            let (offset, line) = (lines.offset(), lines.seen().ok_or_else(garbled)?);
            outline.see(offset, &line, &before);
            see(&line);
            if version == 4 {
                before.clear();
                before.extend_from_slice(line.path);
            }
            lines.advance();
        }
        outline.end = lines.offset();
        Self::outlined(source, length - CHECKSUM, outline)
    }

    /// How many entries it has.
    pub(crate) fn count(&self) -> u32 {
        self.outline.count
    }

    /// Whether a merge is unfinished.
    pub(crate) fn has_conflicts(&self) -> bool {
        self.outline.has_conflicts
    }

    /// Reads the extensions, which are between the entries and `end`.
    fn read_extensions(&mut self, source: &Source, end: u64) -> Result<(), StoreError> {
        const HEAD: u64 = 8;
        let mut at = self.outline.end;
        if at > end {
            return Err(garbled());
        }
        while at + HEAD <= end {
            let head = source.bytes(at, HEAD as usize)?;
            let size = word(&head, 4).ok_or_else(garbled)?;
            let next = at + HEAD + u64::from(size);
            if next > end {
                return Err(garbled());
            }
            let body = || source.bytes(at + HEAD, size as usize);
            match &head[..4] {
                b"TREE" => self.trees = CachedTree::read(&body()?).unwrap_or_default(),
                b"REUC" => self.resolved = extension(b"REUC", &body()?),
                b"link" => self.unsupported = Some(GitFeature::SplitIndex),
                b"sdir" => self.unsupported = Some(GitFeature::SparseIndex),
                _ => {}
            }
            at = next;
        }
        Ok(())
    }

    /// All entries.
    pub(crate) fn lines(&self) -> Cursor<'_> {
        self.between(0, self.outline.spans.len())
    }

    /// All entries, in two walks.
    pub(crate) fn halves(&self) -> [Cursor<'_>; 2] {
        let (middle, end) = (self.outline.spans.len() / 2, self.outline.spans.len());
        [self.between(0, middle), self.between(middle, end)]
    }

    /// The entries from span `from` to span `to`.
    fn between(&self, from: usize, to: usize) -> Cursor<'_> {
        let ((start, offset), (after, _)) = (self.outline.place(from), self.outline.place(to));
        let end = Span { offset, ..Span::default() };
        let span = self.outline.spans.get(from).unwrap_or(&end);
        Cursor::new(&self.source, self.outline.version, span, after - start)
    }

    /// Shows every entry to `see`.
    pub(crate) fn each(&self, mut see: impl FnMut(IndexLine<'_>)) -> Result<(), StoreError> {
        let mut lines = self.lines();
        while let Some(line) = lines.line()? {
            see(line);
            lines.advance();
        }
        Ok(())
    }

    /// Shows `see` the entries of the spans that `wants` wants.
    fn each_of(&self, wants: impl Fn(&Span) -> bool, mut see: impl FnMut(&IndexLine<'_>)) -> Result<(), StoreError> {
        let mut at = 0;
        while at < self.outline.spans.len() {
            let wanted = self.outline.spans[at..].iter().take_while(|span| wants(span)).count();
            let mut lines = self.between(at, at + wanted);
            while let Some(line) = lines.line()? {
                see(&line);
                lines.advance();
            }
            at += wanted + 1;
        }
        Ok(())
    }

    /// The entries from the first one on that has `path` or one behind it.
    pub(crate) fn from(&self, path: &[u8]) -> Result<Cursor<'_>, StoreError> {
        // The sides of an unfinished merge have one path.
        let Outline { version, count, spans, .. } = &self.outline;
        let after = spans.partition_point(|span| *span.first < *path);
        let none = Span { number: *count, ..Span::default() };
        let span = spans.get(after.saturating_sub(1)).unwrap_or(&none);
        let mut lines = Cursor::narrow(&self.source, *version, span, count - span.number);
        lines.pass(|other| other < path)?;
        Ok(lines)
    }

    /// The entry of `path`, when it is there and merged.
    pub(crate) fn get(&self, path: &str) -> Result<Option<Entry>, StoreError> {
        let mut lines = self.from(path.as_bytes())?;
        let line = lines.line()?.filter(|line| line.path == path.as_bytes() && line.entry.stage() == 0);
        Ok(line.map(|line| line.entry.owned()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::disk::system::FileTime;
    use crate::store::git::tree::Blob;
    use git2::Oid;
    use proptest::prelude::*;

    /// `skip-worktree`, among the extended flags.
    const SKIP: u16 = 0x4000;

    type Figures = (Vec<u8>, Oid, FileTime, (u32, u32, bool));

    fn figures(line: &IndexLine<'_>) -> Figures {
        let entry = &line.entry;
        (line.path.to_vec(), entry.id(), entry.mtime(), (entry.size(), entry.ino(), entry.is_ignored()))
    }

    fn paths_of(mut lines: Cursor<'_>) -> Vec<String> {
        let mut paths = Vec::new();
        while let Some(line) = lines.line().unwrap() {
            paths.push(String::from_utf8(line.path.to_vec()).unwrap());
            lines.advance();
        }
        paths
    }

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
        fn reads_what_libgit2_writes(names in prop::collection::btree_set("[a-z]{1,3}/[a-z文]{1,90}", 1..120), v4 in any::<bool>()) {
            let paths: Vec<String> = names.into_iter().collect();
            let index = IndexFile::of(index_of(&paths, if v4 { 4 } else { 2 })).unwrap();
            prop_assert_eq!(paths_of(index.lines()), paths.clone());
            let [first, second] = index.halves();
            prop_assert_eq!([paths_of(first), paths_of(second)].concat(), paths.clone());
            for (n, path) in paths.iter().enumerate() {
                let entry = index.get(path).unwrap().unwrap();
                prop_assert_eq!(entry.id(), Oid::hash_object(git2::ObjectType::Blob, path.as_bytes()).unwrap());
                prop_assert_eq!((entry.size(), entry.ino(), entry.mtime().seconds), (n as u32 * 3, n as u32, 1_700_000_000 + n as u32));
                prop_assert_eq!(entry.is_ignored(), n % 3 == 0);
                let beside = format!("{path}-");
                let rest: Vec<String> = paths[n..].to_vec();
                prop_assert_eq!(paths_of(index.from(path.as_bytes()).unwrap()), rest.clone());
                prop_assert_eq!(index.get(&beside).unwrap(), None);
                prop_assert_eq!(paths_of(index.from(beside.as_bytes()).unwrap()), rest.into_iter().filter(|other| *other > beside).collect::<Vec<_>>());
            }
        }

        #[test]
        fn libgit2_reads_what_is_written(
            names in prop::collection::btree_set("[a-z]{1,3}/[a-z文]{1,90}", 1..12),
            more in prop::collection::btree_set("[a-z]{1,3}/[a-z文]{1,90}", 0..12),
            v4 in any::<bool>(),
        ) {
            let paths: Vec<String> = names.iter().cloned().collect();
            let index = IndexFile::of(index_of(&paths, 4)).unwrap();
            let mut patch = IndexPatch::default();
            let blob = Blob::file(Oid::hash_object(git2::ObjectType::Blob, b"new").unwrap());
            for (n, path) in more.iter().enumerate() {
                if n % 2 == 0 { patch.hide(path, Some(blob)) } else { patch.show(path, blob, None) }
            }
            patch.hide(&paths[0], None);
            let home = tempfile::tempdir().unwrap();
            let file = home.path().join("index");
            let checksum = if v4 { Checksum::Checksum } else { Checksum::None };
            let form = Form { others: Others::Hidden, is_short: v4, checksum };
            let mut bytes = Vec::new();
            Writing::begin(&index, &patch, form, &mut bytes).unwrap().end(&[]).unwrap();
            std::fs::write(&file, bytes).unwrap();
            let read = git2::Index::open(&file).unwrap();
            let found: Vec<String> = read.iter().map(|e| String::from_utf8(e.path).unwrap()).collect();
            let expected: Vec<String> = names.union(&more).filter(|p| **p != paths[0]).cloned().collect();
            prop_assert_eq!(found, expected);
            let hidden = read.iter().filter(|e| e.flags_extended & SKIP != 0).count();
            prop_assert!(hidden + more.len() / 2 >= read.len());
        }

        #[test]
        fn an_outline_leads_to_every_entry(
            names in prop::collection::btree_set("[a-c]/([a-d]/)?[a-z文]{1,2}", 1..400),
            changed in prop::collection::btree_map("[a-c](/[a-d])?(/[a-z文]{1,2})?", any::<bool>(), 0..8),
        ) {
            let before: Vec<String> = names.into_iter().collect();
            let index = IndexFile::of(index_of(&before, 2)).unwrap();
            let mut patch = IndexPatch::default();
            let blob = Blob::file(Oid::hash_object(git2::ObjectType::Blob, b"new").unwrap());
            for (path, is_put) in &changed {
                if *is_put { patch.show(path, blob, None) } else { patch.remove(path) }
            }
            let mut bytes = Vec::new();
            let written = Writing::begin(&index, &patch, Form::AUTHORS, &mut bytes).unwrap().end(&[]).unwrap();
            // The entries as they are when none is copied with its span.
            let (mut lines, mut expected) = (patch::Patched::new(&index, &patch, Others::Kept), Vec::new());
            while let Some(line) = lines.line().unwrap() {
                expected.push(figures(&line));
                lines.advance();
            }
            let home = tempfile::tempdir().unwrap();
            let place = home.path().join("index");
            std::fs::write(&place, &bytes).unwrap();
            let read = git2::Index::open(&place).unwrap();
            let paths: Vec<_> = expected.iter().map(|(path, ..)| path.clone()).collect();
            prop_assert_eq!(read.iter().map(|e| e.path).collect::<Vec<_>>(), paths);

            let end = bytes.len() as u64 - CHECKSUM;
            let outlined = IndexFile::outlined(Source::memory(bytes), end, written.into_outline()).unwrap();
            let mut found = Vec::new();
            outlined.each(|line| found.push(figures(&line))).unwrap();
            prop_assert!(found == expected);
            for figures in &expected {
                let found = outlined.get(std::str::from_utf8(&figures.0).unwrap()).unwrap();
                prop_assert_eq!(found.map(|entry| entry.id()), Some(figures.1));
            }
            for (at, span) in outlined.outline.spans.iter().enumerate() {
                let (from, to) = (outlined.outline.place(at).0 as usize, outlined.outline.place(at + 1).0 as usize);
                let has = |(path, _, mtime, _): &Figures| path.starts_with(span.folder()) && *mtime <= span.latest;
                prop_assert!(expected[from..to].iter().all(has));
                prop_assert_eq!(&*span.first, &expected[from].0[..]);
            }
        }

        #[test]
        fn never_panics(mut bytes in prop::collection::vec(any::<u8>(), 0..400), cut in 0usize..400) {
            let parse = |bytes: &[u8]| drop(IndexFile::of(bytes.to_vec()));
            parse(&bytes);
            bytes.splice(0..0, *b"DIRC\0\0\0\x04\0\0\0\x02");
            parse(&bytes);
            for version in [2, 4] {
                let real = index_of(&["a/b".to_owned(), "c".to_owned()], version);
                parse(&real[..cut.min(real.len())]);
            }
        }
    }
}
