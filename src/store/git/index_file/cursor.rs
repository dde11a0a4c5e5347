//! Reading the entries of an index one by one, through a window that does not grow with the index.

use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};

use super::entry::{Fault, Frame, IndexLine};
use super::outline::Span;
use crate::store::disk::system;
use crate::store::error::{IoContext as _, StoreError};

/// The bytes of an index, in a file or in memory.
#[derive(Debug)]
pub(super) struct Source {
    bytes: Bytes,
    path: PathBuf,
}

#[derive(Debug)]
enum Bytes {
    File(File),
    Memory(Vec<u8>),
}

impl Source {
    /// The file at `path`; one that is missing has no bytes.
    pub(super) fn open(path: &Path) -> Result<Self, StoreError> {
        let bytes = match File::open(path) {
            Ok(file) => Bytes::File(file),
            Err(e) if e.kind() == io::ErrorKind::NotFound => Bytes::Memory(Vec::new()),
            Err(e) => return Err(e).at("reading", path),
        };
        Ok(Self { bytes, path: path.to_owned() })
    }

    pub(super) fn memory(bytes: Vec<u8>) -> Self {
        Self { bytes: Bytes::Memory(bytes), path: PathBuf::new() }
    }

    pub(super) fn len(&self) -> Result<u64, StoreError> {
        match &self.bytes {
            Bytes::File(file) => Ok(file.metadata().at("reading", &self.path)?.len()),
            Bytes::Memory(bytes) => Ok(bytes.len() as u64),
        }
    }

    /// Reads as many bytes as there are from `offset` on, at most the length of `out`, and returns their number.
    fn read(&self, out: &mut [u8], offset: u64) -> Result<usize, StoreError> {
        match &self.bytes {
            Bytes::File(file) => loop {
                match system::read_at(file, out, offset) {
                    Err(e) if e.kind() == io::ErrorKind::Interrupted => {}
                    read => return read.at("reading", &self.path),
                }
            },
            Bytes::Memory(bytes) => {
                let rest = usize::try_from(offset).ok().and_then(|at| bytes.get(at..)).unwrap_or_default();
                let length = rest.len().min(out.len());
                out[..length].copy_from_slice(&rest[..length]);
                Ok(length)
            }
        }
    }

    /// The `length` bytes from `offset` on.
    pub(super) fn bytes(&self, offset: u64, length: usize) -> Result<Vec<u8>, StoreError> {
        let mut bytes = vec![0; length];
        let mut filled = 0;
        while filled < length {
            match self.read(&mut bytes[filled..], offset + filled as u64)? {
                0 => return Err(garbled()),
                read => filled += read,
            }
        }
        Ok(bytes)
    }
}

/// The error of an index that makes no sense.
pub(crate) fn garbled() -> StoreError {
    StoreError::Damaged { what: "git's index cannot be read (`novel doctor` repairs it)".to_owned() }
}

/// So much of an index is read at once, in bytes.
const WINDOW: usize = 64 << 10;
/// The same, to look for one entry.
const NARROW: usize = 8 << 10;

/// A walk over entries of an index, in order.
#[derive(Debug)]
pub(crate) struct Cursor<'i> {
    source: &'i Source,
    version: u32,
    /// How many entries follow, the present one included.
    left: u32,
    /// The offset of the window.
    start: u64,
    window: Vec<u8>,
    /// How much of the window is read.
    filled: usize,
    /// The present entry in the window.
    at: usize,
    /// Its frame, once it was looked at.
    frame: Option<Frame>,
    /// Its path in version 4; before it was looked at, that of the one before.
    path: Vec<u8>,
}

impl<'i> Cursor<'i> {
    /// A walk over `count` entries from the first of `span` on.
    pub(super) fn new(source: &'i Source, version: u32, span: &Span, count: u32) -> Self {
        let path = if version == 4 { span.before.to_vec() } else { Vec::new() };
        let window = Vec::with_capacity(WINDOW);
        Self { source, version, left: count, start: span.offset, window, filled: 0, at: 0, frame: None, path }
    }

    /// The same, for a walk that is expected to be short.
    pub(super) fn narrow(source: &'i Source, version: u32, span: &Span, count: u32) -> Self {
        Self { window: Vec::with_capacity(NARROW), ..Self::new(source, version, span, count) }
    }

    /// The offset of the present entry, or of the end.
    pub(super) fn offset(&self) -> u64 {
        self.start + self.at as u64
    }

    /// How many entries follow, the present one included.
    pub(super) fn left(&self) -> u32 {
        self.left
    }

    /// Appends the bytes of the next `entries` entries, which are `length`, to `out`, and goes on behind them; of version 2 or 3.
    pub(super) fn copy(&mut self, entries: u32, mut length: usize, out: &mut Vec<u8>) -> Result<(), StoreError> {
        self.frame = None;
        self.left = self.left.checked_sub(entries).ok_or_else(garbled)?;
        while length > 0 {
            if self.at == self.filled {
                self.read_on()?;
            }
            let piece = &self.window[self.at..self.filled];
            let piece = &piece[..piece.len().min(length)];
            out.extend_from_slice(piece);
            self.at += piece.len();
            length -= piece.len();
        }
        Ok(())
    }

    /// The present entry; `None` at the end.
    pub(crate) fn line(&mut self) -> Result<Option<IndexLine<'_>>, StoreError> {
        self.look()?;
        Ok(self.seen())
    }

    /// The present entry, once it was looked at.
    pub(super) fn seen(&self) -> Option<IndexLine<'_>> {
        let frame = self.frame.as_ref()?;
        let bytes = &self.window[self.at..self.filled];
        let path = if frame.strip.is_some() { &self.path[..] } else { &bytes[frame.name.clone()] };
        Some(IndexLine { path, entry: frame.entry(bytes)? })
    }

    /// The bytes of the present entry, once it was looked at, with the zero bytes after it; of version 2 or 3.
    pub(super) fn bytes(&self) -> Option<&[u8]> {
        let frame = self.frame.as_ref().filter(|frame| frame.strip.is_none())?;
        self.window.get(self.at..self.at + frame.end)
    }

    /// Goes on to the next entry.
    pub(crate) fn advance(&mut self) {
        if let Some(frame) = self.frame.take() {
            self.at += frame.end;
            self.left -= 1;
        }
    }

    /// Goes on to the first entry for which `is_before` does not hold, and returns how many it has passed.
    pub(crate) fn pass(&mut self, is_before: impl Fn(&[u8]) -> bool) -> Result<usize, StoreError> {
        let mut passed = 0;
        while self.line()?.is_some_and(|line| is_before(line.path)) {
            self.advance();
            passed += 1;
        }
        Ok(passed)
    }

    /// Sees to it that the frame of the present entry is known, if there is one.
    pub(super) fn look(&mut self) -> Result<(), StoreError> {
        while self.left > 0 && self.frame.is_none() {
            match Frame::of(&self.window[self.at..self.filled], self.version) {
                Ok(frame) => {
                    if let Some(strip) = frame.strip {
                        let kept = self.path.len().checked_sub(strip).ok_or_else(garbled)?;
                        self.path.truncate(kept);
                        self.path.extend_from_slice(&self.window[self.at..self.filled][frame.name.clone()]);
                    }
                    self.frame = Some(frame);
                }
                Err(Fault::Short) => self.read_on()?,
                Err(Fault::Garbled) => return Err(garbled()),
            }
        }
        Ok(())
    }

    /// Moves the window on to the present entry, and makes it wider for an entry that it cannot hold.
    fn read_on(&mut self) -> Result<(), StoreError> {
        self.window.copy_within(self.at..self.filled, 0);
        self.start += self.at as u64;
        self.filled -= self.at;
        self.at = 0;
        if self.filled == self.window.len() {
            let wider = (self.filled * 2).max(self.window.capacity());
            self.window.resize(wider, 0);
        }
        match self.source.read(&mut self.window[self.filled..], self.start + self.filled as u64)? {
            0 => Err(garbled()),
            read => {
                self.filled += read;
                Ok(())
            }
        }
    }
}
