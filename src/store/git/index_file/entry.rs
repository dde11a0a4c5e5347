//! One entry of an index: its fields, and its bytes in the file.

use std::borrow::Borrow;
use std::fs::Metadata;
use std::ops::Range;

use git2::{FileMode, Oid};

use crate::store::disk::system::{FileTime, IndexStat, index_stat, inode, mtime};
use crate::store::git::tree::Blob;

/// `assume-valid`, among the flags.
const ASSUME_VALID: u16 = 0x8000;
/// There are extended flags.
const EXTENDED: u16 = 0x4000;
/// The flags that hold the stage.
const STAGE: u16 = 0x3000;
/// The flags that hold the length of the path, as far as it fits.
const LENGTH: u16 = 0x0fff;
/// `skip-worktree`, among the extended flags.
pub(super) const SKIP: u16 = 0x4000;
/// `intent-to-add`, among the extended flags.
const INTENT: u16 = 0x2000;
/// The bytes of an entry before its path, without extended flags.
const HEAD: usize = 62;

/// Those bytes: times, device, inode, mode, owner, size, the id of the content, and the flags with the length of the path.
type Head = [u8; HEAD];

/// The record of a file in an index. `H` is its bytes before the path, or a place where they are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Entry<H = Head> {
    head: H,
    more: u16,
}

impl Entry {
    fn new(id: Oid, mode: u32, more: u16) -> Self {
        let mut head = [0; HEAD];
        head[24..28].copy_from_slice(&mode.to_be_bytes());
        head[40..60].copy_from_slice(id.as_bytes());
        Self { head, more }
    }

    /// The entry of `blob`, whose file is not on disk on purpose.
    pub(super) fn not_there(blob: Blob) -> Self {
        Self::new(blob.id, index_mode(blob), SKIP)
    }

    /// The entry of `blob`, whose file is on disk; without `meta` git will look at the file itself.
    pub(super) fn there(blob: Blob, meta: Option<&Metadata>) -> Self {
        let entry = Self::new(blob.id, index_mode(blob), 0);
        meta.map_or(entry, |meta| entry.refreshed(meta))
    }

    /// The same content, in a file with other metadata.
    pub(super) fn refreshed(&self, meta: &Metadata) -> Self {
        let mut entry = Self::new(self.id(), self.mode(), self.more);
        let FileTime { seconds, nanoseconds } = mtime(meta);
        let IndexStat { ctime, device, owner } = index_stat(meta);
        let words = [
            ctime.seconds,
            ctime.nanoseconds,
            seconds,
            nanoseconds,
            device,
            inode(meta),
            self.mode(),
            owner.0,
            owner.1,
            meta.len() as u32,
        ];
        for (bytes, word) in entry.head.chunks_exact_mut(4).zip(words) {
            bytes.copy_from_slice(&word.to_be_bytes());
        }
        entry
    }
}

impl<H: Borrow<Head>> Entry<H> {
    /// The same entry for a work tree that does not have the file.
    pub(super) fn hidden(&self) -> Entry {
        Entry::new(self.id(), self.mode(), SKIP)
    }

    /// The same entry, with a size that makes git look at the file itself.
    pub(super) fn distrusted(&self) -> Entry {
        let mut head = *self.head.borrow();
        head[36..40].fill(0);
        head[60..].fill(0);
        Entry { head, more: self.more }
    }

    fn word(&self, at: usize) -> u32 {
        let head = self.head.borrow();
        u32::from_be_bytes([head[at], head[at + 1], head[at + 2], head[at + 3]])
    }

    fn flags(&self) -> u16 {
        let head = self.head.borrow();
        u16::from_be_bytes([head[60], head[61]])
    }

    pub(crate) fn id(&self) -> Oid {
        let mut id = [0; 20];
        id.copy_from_slice(&self.head.borrow()[40..60]);
        Oid::from_bytes(&id).unwrap_or(Oid::ZERO_SHA1)
    }

    /// The kind of file, and whether it can be run.
    pub(crate) fn mode(&self) -> u32 {
        self.word(24)
    }

    /// The file's length, cut to 32 bits.
    pub(crate) fn size(&self) -> u32 {
        self.word(36)
    }

    /// The time when the file was last written.
    pub(crate) fn mtime(&self) -> FileTime {
        FileTime { seconds: self.word(8), nanoseconds: self.word(12) }
    }

    /// The file's inode, cut to 32 bits; 0 where git noted none.
    pub(crate) fn ino(&self) -> u32 {
        self.word(20)
    }

    /// 0, or 1 to 3 for the sides of an unfinished merge.
    pub(crate) fn stage(&self) -> u8 {
        ((self.flags() & STAGE) >> 12) as u8
    }

    /// Not in the work tree on purpose: `skip-worktree` or `assume-unchanged`.
    pub(crate) fn is_ignored(&self) -> bool {
        self.flags() & ASSUME_VALID != 0 || self.more & SKIP != 0
    }

    /// Announced with `git add -N`, without content yet.
    pub(crate) fn is_promise(&self) -> bool {
        self.more & INTENT != 0
    }

    /// Whether it has flags that version 2 has no place for.
    pub(crate) fn is_extended(&self) -> bool {
        self.more != 0
    }

    /// Whether it is exactly `blob`, and no promise or side of a merge.
    pub(crate) fn is_blob(&self, blob: Blob) -> bool {
        self.stage() == 0 && !self.is_promise() && self.id() == blob.id && self.mode() == index_mode(blob)
    }

    /// The same, with bytes of its own.
    pub(crate) fn owned(&self) -> Entry {
        Entry { head: *self.head.borrow(), more: self.more }
    }

    /// The same, with the bytes where they are.
    pub(super) fn borrowed(&self) -> Entry<&Head> {
        Entry { head: self.head.borrow(), more: self.more }
    }

    /// Appends the entry of `path`: at most 4095 in the length field, extended flags when there are any; then zero bytes up to a
    /// multiple of eight, or in version 4 the path as what it does not share with the one `before`, and one zero byte.
    pub(super) fn write(&self, path: &[u8], out: &mut Vec<u8>, before: Option<&[u8]>) {
        let start = out.len();
        out.extend_from_slice(&self.head.borrow()[..HEAD - 2]);
        let length = path.len().min(LENGTH.into()) as u16;
        let extended = if self.is_extended() { EXTENDED } else { 0 };
        let flags = self.flags() & (ASSUME_VALID | STAGE);
        out.extend_from_slice(&(flags | length | extended).to_be_bytes());
        if self.is_extended() {
            out.extend_from_slice(&self.more.to_be_bytes());
        }
        let Some(before) = before else {
            out.extend_from_slice(path);
            let padding = 8 - (out.len() - start) % 8;
            out.extend_from_slice(&[0; 8][..padding]);
            return;
        };
        let shared = before.iter().zip(path).take_while(|(a, b)| a == b).count();
        put_varint(out, before.len() - shared);
        out.extend_from_slice(&path[shared..]);
        out.push(0);
    }
}

/// One file of an index.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct IndexLine<'a> {
    pub(crate) path: &'a [u8],
    pub(crate) entry: Entry<&'a Head>,
}

/// The mode of an index entry for `blob`.
fn index_mode(blob: Blob) -> u32 {
    u32::from(if blob.mode == FileMode::BlobGroupWritable { FileMode::Blob } else { blob.mode })
}

/// Why bytes are no entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Fault {
    /// They end too early.
    Short,
    /// No bytes that could follow make one of them.
    Garbled,
}

/// The places of the parts of an entry, in bytes that begin with it.
#[derive(Debug, Clone)]
pub(super) struct Frame {
    /// The path; in version 4 the part of it that the one before does not have.
    pub(super) name: Range<usize>,
    /// How many bytes at the end of the path before are not in this one; none but in version 4.
    pub(super) strip: Option<usize>,
    /// The end of the entry.
    pub(super) end: usize,
    more: u16,
}

impl Frame {
    /// The frame of the entry that `bytes` begin with.
    pub(super) fn of(bytes: &[u8], version: u32) -> Result<Self, Fault> {
        let half = |at: usize| {
            let bytes = bytes.get(at..at + 2).ok_or(Fault::Short)?;
            Ok(u16::from_be_bytes([bytes[0], bytes[1]]))
        };
        let flags = half(HEAD - 2)?;
        let (start, more) = if flags & EXTENDED == 0 { (HEAD, 0) } else { (HEAD + 2, half(HEAD)?) };
        let end_of = |from: usize| {
            let rest = bytes.get(from..).ok_or(Fault::Short)?;
            Ok(from + rest.iter().position(|b| *b == 0).ok_or(Fault::Short)?)
        };
        if version == 4 {
            let (strip, used) = varint(bytes.get(start..).ok_or(Fault::Short)?)?;
            let name = start + used..end_of(start + used)?;
            return Ok(Self { end: name.end + 1, name, strip: Some(strip), more });
        }
        let known = usize::from(flags & LENGTH);
        let is_known = known < LENGTH.into() && bytes.get(start + known) == Some(&0);
        let name = start..if is_known { start + known } else { end_of(start)? };
        // Entries are padded with 1 to 8 zero bytes to a multiple of eight.
        let end = (name.end + 8) / 8 * 8;
        if end > bytes.len() { Err(Fault::Short) } else { Ok(Self { name, strip: None, end, more }) }
    }

    /// The entry of which this is the frame, and with which `bytes` begin.
    pub(super) fn entry<'b>(&self, bytes: &'b [u8]) -> Option<Entry<&'b Head>> {
        Some(Entry { head: bytes.first_chunk()?, more: self.more })
    }
}

/// Git's offset encoding, as in version 4 and in packs.
fn varint(bytes: &[u8]) -> Result<(usize, usize), Fault> {
    let byte = |at: usize| bytes.get(at).copied().ok_or(Fault::Short);
    let mut value = usize::from(byte(0)? & 0x7f);
    let mut used = 1;
    while byte(used - 1)? & 0x80 != 0 {
        let longer = value.checked_add(1).filter(|_| used < 8).ok_or(Fault::Garbled)?;
        value = (longer << 7) | usize::from(byte(used)? & 0x7f);
        used += 1;
    }
    Ok((value, used))
}

/// Appends `value` in the same encoding.
fn put_varint(out: &mut Vec<u8>, mut value: usize) {
    let mut bytes = [0; 10];
    let mut at = bytes.len() - 1;
    bytes[at] = (value & 0x7f) as u8;
    while value >= 0x80 {
        value = (value >> 7) - 1;
        at -= 1;
        bytes[at] = 0x80 | (value & 0x7f) as u8;
    }
    out.extend_from_slice(&bytes[at..]);
}
