//! The outline of an index: what one reading has found, by which the next reader finds entries without reading them all.

use super::CHECKSUM;
use super::entry::IndexLine;
use crate::store::disk::cache::Cache;
use crate::store::disk::system::FileTime;
use crate::store::error::StoreError;

/// So many entries a span has at the most.
const MOST: u32 = 64;
/// So many it has before another folder begins a span of its own.
const FEW: u32 = 16;
/// An index with fewer entries is read faster than its outline.
const LARGE: u32 = 4096;

/// Entries of an index that follow each other.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Span {
    /// The number of entries before it.
    pub(super) number: u32,
    /// Its offset in the file.
    pub(super) offset: u64,
    /// The path of its first entry.
    pub(super) first: Box<[u8]>,
    /// The path of the entry before it, in version 4.
    pub(super) before: Box<[u8]>,
    /// How many bytes of `first` are the folder that all its entries are in.
    pub(super) folder: usize,
    /// The latest time among its files.
    pub(crate) latest: FileTime,
}

impl Span {
    /// The folder that all its entries are in, with a slash at its end; empty for the topmost one.
    pub(crate) fn folder(&self) -> &[u8] {
        &self.first[..self.folder]
    }
}

/// The length of the folder that `path` is in.
fn folder_of(path: &[u8]) -> usize {
    path.iter().rposition(|byte| *byte == b'/').map_or(0, |slash| slash + 1)
}

/// All that need not be found out about an index once more.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Outline {
    /// 2, 3 or 4.
    pub(super) version: u32,
    /// How many entries it has.
    pub(super) count: u32,
    /// The offset behind the last entry.
    pub(super) end: u64,
    /// Whether a merge is unfinished.
    pub(super) has_conflicts: bool,
    /// Whether an entry has flags that version 2 has no place for.
    pub(super) is_extended: bool,
    pub(super) spans: Vec<Span>,
}

impl Outline {
    /// Takes in the next entry, which is at `offset` behind one with the path `before`.
    pub(super) fn see(&mut self, offset: u64, line: &IndexLine<'_>, before: &[u8]) {
        self.has_conflicts |= line.entry.stage() != 0;
        self.is_extended |= line.entry.is_extended();
        let number = self.count;
        self.count += 1;
        let (path, latest) = (line.path, line.entry.mtime());
        if let Some(span) = self.spans.last_mut() {
            let has = number - span.number;
            let is_inside = path.starts_with(span.folder());
            if has < FEW || has < MOST && is_inside {
                if !is_inside {
                    let shared = span.first[..span.folder].iter().zip(path).take_while(|(a, b)| a == b).count();
                    span.folder = folder_of(&path[..shared]);
                }
                span.latest = span.latest.max(latest);
                return;
            }
        }
        let (first, before) = (Box::from(path), Box::from(before));
        self.spans.push(Span { number, offset, first, before, folder: folder_of(path), latest });
    }

    /// Takes over a span of `length` entries from the outline `of` another index without an unfinished merge; it is at `offset` now.
    pub(super) fn take(&mut self, of: &Self, span: &Span, length: u32, offset: u64) {
        self.is_extended |= of.is_extended;
        let number = self.count;
        self.count += length;
        match self.spans.last_mut() {
            // A change that has divided a span once would leave a small piece of it for good.
            Some(last) if self.count - last.number <= MOST && last.folder() == span.folder() => {
                last.latest = last.latest.max(span.latest);
            }
            _ => self.spans.push(Span { number, offset, ..span.clone() }),
        }
    }

    /// The number of entries before span `at`, and its offset; of the end where it is the one behind the last.
    pub(super) fn place(&self, at: usize) -> (u32, u64) {
        self.spans.get(at).map_or((self.count, self.end), |span| (span.number, span.offset))
    }

    fn encode(&self) -> Vec<u8> {
        let flags = u8::from(self.has_conflicts) | u8::from(self.is_extended) << 1;
        let mut out = vec![self.version as u8, flags];
        out.extend_from_slice(&self.count.to_be_bytes());
        out.extend_from_slice(&self.end.to_be_bytes());
        let mut before: &[u8] = b"";
        for span in &self.spans {
            let shared = before.iter().zip(&span.first).take_while(|(a, b)| a == b).count();
            let words = [span.number, span.latest.seconds, span.latest.nanoseconds];
            words.iter().for_each(|word| out.extend_from_slice(&word.to_be_bytes()));
            out.extend_from_slice(&span.offset.to_be_bytes());
            for length in [span.folder, shared, span.first.len() - shared] {
                out.extend_from_slice(&(length as u16).to_be_bytes());
            }
            out.extend_from_slice(&span.first[shared..]);
            before = &span.first;
        }
        out
    }

    fn decode(bytes: &[u8]) -> Option<Self> {
        let mut rest = Rest(bytes);
        let [version, flags] = rest.take()?;
        let (count, end) = (rest.word()?, u64::from_be_bytes(rest.take()?));
        let mut spans: Vec<Span> = Vec::new();
        while !rest.0.is_empty() {
            let number = rest.word()?;
            let latest = FileTime { seconds: rest.word()?, nanoseconds: rest.word()? };
            let offset = u64::from_be_bytes(rest.take()?);
            let [folder, shared, own] = [rest.length()?, rest.length()?, rest.length()?];
            let before = spans.last().map_or(&[][..], |span| &span.first);
            let first: Box<[u8]> = [before.get(..shared)?, rest.bytes(own)?].concat().into();
            let is_ordered = spans.last().is_none_or(|last| last.number < number && last.offset < offset);
            if folder > first.len() || number >= count || offset >= end || !is_ordered {
                return None;
            }
            spans.push(Span { number, offset, first, before: Box::default(), folder, latest });
        }
        spans.first().is_some_and(|span| span.number == 0).then_some(())?;
        let (has_conflicts, is_extended) = (flags & 1 != 0, flags & 2 != 0);
        Some(Self { version: version.into(), count, end, has_conflicts, is_extended, spans })
    }
}

/// Bytes that are not decoded yet.
struct Rest<'b>(&'b [u8]);

impl<'b> Rest<'b> {
    fn bytes(&mut self, length: usize) -> Option<&'b [u8]> {
        let (bytes, rest) = self.0.split_at_checked(length)?;
        self.0 = rest;
        Some(bytes)
    }

    fn take<const N: usize>(&mut self) -> Option<[u8; N]> {
        self.bytes(N)?.try_into().ok()
    }

    fn word(&mut self) -> Option<u32> {
        Some(u32::from_be_bytes(self.take()?))
    }

    fn length(&mut self) -> Option<usize> {
        Some(u16::from_be_bytes(self.take()?).into())
    }
}

/// The place of the outline of an index. It is told apart from that of another index by the checksum at its end, so one that
/// another program has written has none.
#[derive(Debug)]
pub(crate) struct OutlineCache(Cache);

impl OutlineCache {
    const NAME: &str = "index-outline";

    pub(crate) fn new(cache: Cache) -> Self {
        Self(cache)
    }

    fn key(checksum: &[u8], length: u64) -> Option<String> {
        // Zeros stand for a checksum that was not computed.
        let is_one = checksum.iter().any(|byte| *byte != 0);
        let hex: String = checksum.iter().map(|byte| format!("{byte:02x}")).collect();
        is_one.then(|| format!("1 {length} {hex}"))
    }

    /// The outline of the index with that checksum and length in bytes, if it is known.
    pub(super) fn read(&self, checksum: &[u8], length: u64) -> Result<Option<Outline>, StoreError> {
        let Some(key) = Self::key(checksum, length) else { return Ok(None) };
        let known = self.0.read(Self::NAME, &key)?;
        Ok(known.as_deref().and_then(Outline::decode).filter(|outline| outline.end + CHECKSUM <= length))
    }

    /// Keeps the outline of a large index.
    pub(super) fn keep(&self, checksum: &[u8], length: u64, outline: &Outline) {
        let is_short = |span: &Span| u16::try_from(span.first.len()).is_ok();
        if outline.count >= LARGE && outline.version < 4 && outline.spans.iter().all(is_short) {
            Self::key(checksum, length).iter().for_each(|key| self.0.keep(Self::NAME, key, &outline.encode()));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn never_panics(bytes in prop::collection::vec(any::<u8>(), 0..200), cut in 0usize..200) {
            let _ = Outline::decode(&bytes);
            let spans = (0..3).map(|n| Span { number: n * 9, offset: 12 + u64::from(n) * 900, ..Span::default() }).collect();
            let outline = Outline { version: 2, count: 40, end: 9000, has_conflicts: true, is_extended: false, spans };
            let encoded = outline.encode();
            prop_assert_eq!(Outline::decode(&encoded), Some(outline));
            let mut damaged = encoded[..cut.min(encoded.len())].to_vec();
            damaged.extend(bytes);
            let _ = Outline::decode(&damaged);
        }
    }
}
