//! Changes to an index, and the entries as they are with them.

use std::collections::{BTreeMap, BTreeSet, btree_map};
use std::fs::Metadata;
use std::iter::Peekable;
use std::ops::Range;

use git2::Oid;

use super::IndexFile;
use super::cursor::{Cursor, garbled};
use super::entry::{Entry, Frame, IndexLine};
use crate::store::error::StoreError;
use crate::store::git::tree::Blob;

/// Changes to an index, made in one go.
#[derive(Debug, Default)]
pub(crate) struct IndexPatch {
    edits: BTreeMap<Vec<u8>, Option<Entry>>,
}

impl IndexPatch {
    /// `path` is `blob`, and not on disk on purpose; without a blob it goes.
    pub(crate) fn hide(&mut self, path: &str, blob: Option<Blob>) {
        self.edits.insert(path.as_bytes().to_vec(), blob.map(Entry::not_there));
    }

    /// `path` is `blob`, and on disk; without `meta` git will look at the file itself.
    pub(crate) fn show(&mut self, path: &str, blob: Blob, meta: Option<&Metadata>) {
        self.edits.insert(path.as_bytes().to_vec(), Some(Entry::there(blob, meta)));
    }

    /// `path` goes.
    pub(crate) fn remove(&mut self, path: &str) {
        self.edits.insert(path.as_bytes().to_vec(), None);
    }

    /// The file at `path`, whose metadata is `meta`, has the content of `entry`.
    pub(crate) fn refresh(&mut self, path: &str, entry: &Entry, meta: &Metadata) {
        self.edits.insert(path.as_bytes().to_vec(), Some(entry.refreshed(meta)));
    }

    /// Git will look at the file of `line` itself, whatever its times say.
    pub(crate) fn distrust(&mut self, line: &IndexLine<'_>) {
        self.edits.insert(line.path.to_vec(), Some(line.entry.distrusted()));
    }

    /// The paths that it changes.
    pub(crate) fn paths(&self) -> impl Iterator<Item = &[u8]> {
        self.edits.keys().map(Vec::as_slice)
    }

    /// Returns the change at `path`: a blob, or `Some(None)` for a removal; `None` when the patch leaves the path
    /// alone.
    pub(crate) fn get(&self, path: &str) -> Option<Option<Oid>> {
        self.edits.get(path.as_bytes()).map(|entry| entry.as_ref().map(Entry::id))
    }

    /// Whether a change has flags that version 2 has no place for.
    pub(super) fn is_extended(&self) -> bool {
        self.edits.values().flatten().any(Entry::is_extended)
    }

    /// How many entries `index` has with the changes.
    pub(super) fn count_in(&self, index: &IndexFile, others: Others) -> Result<u32, StoreError> {
        if others != Others::Kept && index.has_conflicts() {
            let (mut lines, mut count) = (Patched::new(index, self, others), 0);
            while lines.line()?.is_some() {
                lines.advance();
                count += 1;
            }
            return Ok(count);
        }
        let Displaced { paths, folders } = self.displaced();
        let mut gone = 0;
        let mut inside: Option<&[u8]> = None;
        for folder in &folders {
            if inside.is_none_or(|outer| !folder.starts_with(outer)) {
                gone += index.from(folder)?.pass(|other| other.starts_with(folder))?;
                inside = Some(folder);
            }
        }
        for path in paths.iter().filter(|path| !folders.iter().any(|folder| path.starts_with(folder))) {
            gone += index.from(path)?.pass(|other| other == *path)?;
        }
        Ok(index.count() - gone as u32 + self.edits.values().flatten().count() as u32)
    }

    /// The entries that an index does not keep.
    fn displaced(&self) -> Displaced<'_> {
        let mut paths: BTreeSet<&[u8]> = self.paths().collect();
        let mut folders: BTreeSet<Vec<u8>> = BTreeSet::new();
        for path in self.edits.iter().filter(|(_, edit)| edit.is_some()).map(|(path, _)| path) {
            let slashes = path.iter().enumerate().filter(|(_, byte)| **byte == b'/');
            paths.extend(slashes.map(|(slash, _)| &path[..slash]));
            folders.insert([&path[..], b"/"].concat());
        }
        Displaced { paths: paths.into_iter().collect(), folders: folders.into_iter().collect() }
    }
}

/// The entries that the changes of a patch replace: those of a path that is changed, a file that has the name of a folder of a
/// path that is put, and all in a folder that has the name of a file that is put.
struct Displaced<'p> {
    /// In order, as the entries are: each of those is compared with the next one alone.
    paths: Vec<&'p [u8]>,
    /// In order, each with a slash at its end.
    folders: Vec<Vec<u8>>,
}

/// How entries that a patch leaves alone are taken over.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Others {
    /// As they are.
    Kept,
    /// As files that are not on disk on purpose; without the sides of an unfinished merge.
    Hidden,
    /// As they are, without the sides of an unfinished merge.
    Merged,
}

/// A walk over the entries of an index with the changes of a patch. A file that is put ends an unfinished merge of it, and takes the
/// place of a folder that had its name, or of a file that had a folder's of its path.
pub(crate) struct Patched<'p> {
    index: &'p IndexFile,
    base: Cursor<'p>,
    edits: Peekable<btree_map::Iter<'p, Vec<u8>, Option<Entry>>>,
    displaced: Displaced<'p>,
    /// How many of its paths and folders lie before the present entry.
    passed: (usize, usize),
    others: Others,
    /// The first path that a change may be about, if any is left: entries before it are taken over without a look at the changes.
    horizon: Option<Vec<u8>>,
    /// The origin of the present entry, once it was looked at.
    next: Option<Origin>,
    /// Instead of the present entry of the index, where those are hidden.
    hidden: Option<Entry>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Origin {
    Index,
    Patch,
}

impl<'p> Patched<'p> {
    pub(crate) fn new(index: &'p IndexFile, patch: &'p IndexPatch, others: Others) -> Self {
        let (base, edits) = (index.lines(), patch.edits.iter().peekable());
        let displaced = patch.displaced();
        let mut all =
            Self { index, base, edits, displaced, passed: (0, 0), others, horizon: None, next: None, hidden: None };
        all.horizon = all.next_change();
        all
    }

    /// The present entry; `None` at the end.
    pub(crate) fn line(&mut self) -> Result<Option<IndexLine<'_>>, StoreError> {
        self.look()?;
        let line = match self.next {
            None => None,
            Some(Origin::Patch) => {
                self.edits.peek().and_then(|(path, edit)| Some(IndexLine { path, entry: edit.as_ref()?.borrowed() }))
            }
            Some(Origin::Index) => self.base.seen().map(|line| match &self.hidden {
                Some(hidden) => IndexLine { entry: hidden.borrowed(), ..line },
                None => line,
            }),
        };
        Ok(line)
    }

    /// Goes on to the next entry.
    pub(crate) fn advance(&mut self) {
        match self.next.take() {
            Some(Origin::Index) => self.base.advance(),
            Some(Origin::Patch) => drop(self.edits.next()),
            None => {}
        }
    }

    /// The bytes of the present entry in a file of version 2 or 3, where it is one of the index as it is.
    pub(super) fn bytes(&self) -> Option<&[u8]> {
        let is_kept = self.next == Some(Origin::Index) && self.hidden.is_none();
        if is_kept { self.base.bytes() } else { None }
    }

    /// The spans of the index in the folder `prefix` that begin with the present entry and keep all their entries.
    pub(super) fn kept_spans(&mut self, prefix: &[u8]) -> Result<Range<usize>, StoreError> {
        const NONE: Range<usize> = 0..0;
        self.look()?;
        if self.others != Others::Kept || self.next != Some(Origin::Index) {
            return Ok(NONE);
        }
        let (spans, number) = (&self.index.outline.spans, self.index.count() - self.base.left());
        let Ok(from) = spans.binary_search_by_key(&number, |span| span.number) else { return Ok(NONE) };
        let horizon = self.horizon.as_deref();
        let is_kept = |at: &usize| {
            // The last entry of the last span is not known.
            let ends_before = |change: &[u8]| spans.get(at + 1).is_some_and(|next| *next.first <= *change);
            spans[*at].folder().starts_with(prefix) && horizon.is_none_or(ends_before)
        };
        Ok(from..from + (from..spans.len()).take_while(is_kept).count())
    }

    /// Appends the bytes of span `at`, which begins with the present entry, to `out`, and goes on behind it.
    /// Fails when the index cannot be read any more, or the span does not begin with the entry that the outline says.
    pub(super) fn copy(&mut self, at: usize, out: &mut Vec<u8>) -> Result<(), StoreError> {
        let (index, written) = (self.index, out.len());
        let ((number, from), (after, to)) = (index.outline.place(at), index.outline.place(at + 1));
        self.base.copy(after - number, (to - from) as usize, out)?;
        self.next = None;
        let entry = &out[written..];
        let begins = Frame::of(entry, index.outline.version)
            .is_ok_and(|frame| entry[frame.name] == *index.outline.spans[at].first);
        if begins { Ok(()) } else { Err(garbled()) }
    }

    /// The first path that a change may be about.
    fn next_change(&mut self) -> Option<Vec<u8>> {
        let edit = self.edits.peek().map(|(path, _)| path.as_slice());
        let (paths, folders) = self.passed;
        let path = self.displaced.paths.get(paths).copied();
        let folder = self.displaced.folders.get(folders).map(Vec::as_slice);
        [edit, path, folder].into_iter().flatten().min().map(<[u8]>::to_vec)
    }

    fn look(&mut self) -> Result<(), StoreError> {
        while self.next.is_none() {
            self.base.look()?;
            let line = self.base.seen();
            let is_kept = line.is_some_and(|line| self.horizon.as_deref().is_none_or(|first| line.path < first));
            let edit = self.edits.peek().filter(|(path, _)| !is_kept && line.is_none_or(|line| path[..] <= *line.path));
            match (edit, line) {
                (Some((_, Some(_))), _) => self.next = Some(Origin::Patch),
                (Some((_, None)), _) => drop(self.edits.next()),
                (None, Some(line)) => {
                    let is_side = self.others != Others::Kept && line.entry.stage() != 0;
                    if is_side || !is_kept && self.displaced.has(line.path, &mut self.passed) {
                        self.base.advance();
                    } else {
                        self.hidden = (self.others == Others::Hidden).then(|| line.entry.hidden());
                        self.next = Some(Origin::Index);
                    }
                }
                (None, None) => break,
            }
            if !is_kept {
                self.horizon = self.next_change();
            }
        }
        Ok(())
    }
}

impl Displaced<'_> {
    /// Whether the entry of `path` is one of them. `passed` says how many lie before the paths that were asked for, in order.
    fn has(&self, path: &[u8], (paths, folders): &mut (usize, usize)) -> bool {
        while self.paths.get(*paths).is_some_and(|other| *other < path) {
            *paths += 1;
        }
        while self.folders.get(*folders).is_some_and(|other| **other < *path && !path.starts_with(other)) {
            *folders += 1;
        }
        self.paths.get(*paths).is_some_and(|other| *other == path)
            || self.folders.get(*folders).is_some_and(|folder| path.starts_with(folder))
    }
}
