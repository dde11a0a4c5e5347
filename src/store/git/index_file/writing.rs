//! Writing an index: an earlier one with changes.

use std::io::{self, Write};

use sha1::{Digest, Sha1};

use super::entry::IndexLine;
use super::outline::{Outline, OutlineCache};
use super::patch::{IndexPatch, Others, Patched};
use super::{CHECKSUM, IndexFile};
use crate::store::error::{StoreError, WriteError};

/// How an index ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Checksum {
    Checksum,
    /// With zeros, which git reads as "not computed" (`index.skipHash`): for an index that is made again when it is damaged.
    None,
}

/// The form of an index that is to be written.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Form {
    /// How entries are taken over that are not changed.
    pub(crate) others: Others,
    /// Version 4 writes less and is read slower. Otherwise an index of version 4 stays one, and any other is of the oldest version
    /// that will do.
    pub(crate) is_short: bool,
    pub(crate) checksum: Checksum,
}

impl Form {
    /// The one of the author's index.
    pub(crate) const AUTHORS: Self = Self { others: Others::Kept, is_short: false, checksum: Checksum::Checksum };
}

/// So much is written at once, in bytes.
const PIECE: usize = 64 << 10;

/// An index on its way: the entries of an earlier one with the changes of a patch, one after the other.
pub(crate) struct Writing<'p, W> {
    index: &'p IndexFile,
    lines: Patched<'p>,
    /// The outline of what is written.
    outline: Outline,
    /// How many entries there will be.
    count: u32,
    hash: Option<Sha1>,
    piece: Vec<u8>,
    /// How many bytes are written before those.
    put: u64,
    /// The path of the last entry, in version 4.
    before: Vec<u8>,
    out: W,
}

/// An index that was written.
pub(crate) struct Written {
    checksum: [u8; 20],
    length: u64,
    outline: Outline,
}

impl Written {
    #[cfg(test)]
    pub(super) fn into_outline(self) -> Outline {
        self.outline
    }

    /// Keeps what the next reader need not find out again.
    pub(crate) fn keep_outline(&self, outlines: &OutlineCache) {
        outlines.keep(&self.checksum, self.length, &self.outline);
    }
}

impl<'p, W: Write> Writing<'p, W> {
    /// Begins to write `index` with the changes of `patch` to `out`.
    pub(crate) fn begin(index: &'p IndexFile, patch: &'p IndexPatch, form: Form, out: W) -> Result<Self, WriteError> {
        let count = patch.count_in(index, form.others)?;
        let is_extended = form.others == Others::Hidden || index.outline.is_extended || patch.is_extended();
        let version: u32 = if form.is_short || index.outline.version == 4 { 4 } else { 2 + u32::from(is_extended) };
        let mut piece = Vec::with_capacity(PIECE + (PIECE >> 2));
        piece.extend_from_slice(b"DIRC");
        piece.extend_from_slice(&version.to_be_bytes());
        piece.extend_from_slice(&count.to_be_bytes());
        let hash = matches!(form.checksum, Checksum::Checksum).then(Sha1::new);
        let lines = Patched::new(index, patch, form.others);
        let outline = Outline { version, ..Outline::default() };
        Ok(Self { index, lines, outline, count, hash, piece, put: 0, before: Vec::new(), out })
    }

    /// How many entries are written.
    pub(crate) fn written(&self) -> u32 {
        self.outline.count
    }

    /// The next entry; `None` at the end.
    pub(crate) fn line(&mut self) -> Result<Option<IndexLine<'_>>, StoreError> {
        self.lines.line()
    }

    /// Writes the next entry if it is wanted, and returns whether it is.
    pub(crate) fn one(&mut self, is_wanted: impl Fn(&IndexLine<'_>) -> bool) -> Result<bool, WriteError> {
        let Some(line) = self.lines.line()?.filter(is_wanted) else { return Ok(false) };
        self.outline.see(self.put + self.piece.len() as u64, &line, &self.before);
        if self.outline.version == 4 {
            line.entry.write(line.path, &mut self.piece, Some(&self.before));
            self.before.clear();
            self.before.extend_from_slice(line.path);
        } else if let Some(bytes) = self.lines.bytes() {
            self.piece.extend_from_slice(bytes);
        } else if let Some(line) = self.lines.line()? {
            line.entry.write(line.path, &mut self.piece, None);
        }
        self.lines.advance();
        if self.piece.len() >= PIECE {
            self.put()?;
        }
        Ok(true)
    }

    /// Writes the next entries as long as they are in the folder `prefix`, and returns how many these are.
    pub(crate) fn folder(&mut self, prefix: &[u8]) -> Result<usize, WriteError> {
        let first = self.written();
        loop {
            self.copy(prefix)?;
            if !self.one(|line| line.path.starts_with(prefix))? {
                return Ok((self.written() - first) as usize);
            }
        }
    }

    /// Copies whole spans of the folder `prefix` where they are as in the index.
    fn copy(&mut self, prefix: &[u8]) -> Result<(), WriteError> {
        let of = &self.index.outline;
        // A span does not say which of its entries are sides of a merge.
        if self.outline.version == 4 || of.version == 4 || of.has_conflicts {
            return Ok(());
        }
        for at in self.lines.kept_spans(prefix)? {
            let length = of.place(at + 1).0 - of.place(at).0;
            self.outline.take(of, &of.spans[at], length, self.put + self.piece.len() as u64);
            self.lines.copy(at, &mut self.piece)?;
            if self.piece.len() >= PIECE {
                self.put()?;
            }
        }
        Ok(())
    }

    /// Writes all entries that are left, and the extensions.
    pub(crate) fn end(mut self, extensions: &[u8]) -> Result<Written, WriteError> {
        self.folder(b"")?;
        debug_assert_eq!(self.written(), self.count);
        self.outline.end = self.put + self.piece.len() as u64;
        self.piece.extend_from_slice(extensions);
        self.put()?;
        let checksum: [u8; 20] = self.hash.map_or([0; 20], |hash| hash.finalize().into());
        self.out.write_all(&checksum)?;
        Ok(Written { checksum, length: self.put + CHECKSUM, outline: self.outline })
    }

    fn put(&mut self) -> io::Result<()> {
        if let Some(hash) = &mut self.hash {
            hash.update(&self.piece);
        }
        self.out.write_all(&self.piece)?;
        self.put += self.piece.len() as u64;
        self.piece.clear();
        Ok(())
    }
}
