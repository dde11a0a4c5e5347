//! Checking a loose object without libgit2, which loops forever on one that was cut short.
//!
//! The format is zlib (RFC 1950) around deflate (RFC 1951) around `kind size NUL bytes`.

use git2::{ObjectType, Oid};

/// Objects above this size are taken at their word: a book has none.
const LARGEST: usize = 256 << 20;

/// What is wrong with the loose object `bytes` that is filed under `id`; `None` when it is whole.
pub(crate) fn fault(bytes: &[u8], id: Oid) -> Option<&'static str> {
    if bytes.is_empty() {
        return Some("it is empty");
    }
    let Some(data) = zlib(bytes) else { return Some("it is cut short or garbled") };
    let Some(end) = data.iter().position(|b| *b == 0) else { return Some("it has no header") };
    let header = String::from_utf8_lossy(&data[..end]);
    let Some((kind, size)) = header.split_once(' ') else { return Some("it has no header") };
    let (Some(kind), Ok(size)) = (ObjectType::from_str(kind), size.parse::<usize>()) else {
        return Some("it has no header");
    };
    let body = &data[end + 1..];
    if body.len() != size {
        return Some("it has another size than it says");
    }
    (Oid::hash_object(kind, body).ok() != Some(id)).then_some("it has other content than its name says")
}

/// The data in a zlib stream, when the stream is whole and its checksum fits.
fn zlib(bytes: &[u8]) -> Option<Vec<u8>> {
    let (head, rest) = bytes.split_first_chunk::<2>()?;
    let is_zlib = head[0] & 15 == 8 && u16::from_be_bytes(*head) % 31 == 0 && head[1] & 32 == 0;
    if !is_zlib {
        return None;
    }
    let mut stream = Stream { bytes: rest, at: 0, bits: 0, held: 0, out: Vec::new() };
    stream.inflate()?;
    let sum = u32::from_be_bytes(rest.get(stream.at..stream.at + 4)?.try_into().ok()?);
    (adler(&stream.out) == sum).then_some(stream.out)
}

fn adler(data: &[u8]) -> u32 {
    let (mut a, mut b) = (1u32, 0u32);
    for chunk in data.chunks(5552) {
        for byte in chunk {
            a += u32::from(*byte);
            b += a;
        }
        (a, b) = (a % 65521, b % 65521);
    }
    b << 16 | a
}

struct Stream<'a> {
    bytes: &'a [u8],
    at: usize,
    /// Bits read from `bytes` and not used yet, the next one lowest, and how many.
    bits: u32,
    held: u32,
    out: Vec<u8>,
}

/// A canonical Huffman code: how many codes each length has, and the symbols in order.
struct Code {
    counts: [u16; 16],
    symbols: Vec<u16>,
}

impl Code {
    fn new(lengths: &[u8]) -> Self {
        let mut counts = [0; 16];
        lengths.iter().for_each(|l| counts[usize::from(*l)] += 1);
        let mut symbols = Vec::new();
        for length in 1..16 {
            symbols.extend(lengths.iter().zip(0u16..).filter(|(l, _)| **l == length).map(|(_, symbol)| symbol));
        }
        counts[0] = 0;
        Self { counts, symbols }
    }
}

const LENGTH_BASE: [u16; 29] =
    [3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 15, 17, 19, 23, 27, 31, 35, 43, 51, 59, 67, 83, 99, 115, 131, 163, 195, 227, 258];
const LENGTH_EXTRA: [u8; 29] = [0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0];
const DISTANCE_BASE: [u16; 30] = [
    1, 2, 3, 4, 5, 7, 9, 13, 17, 25, 33, 49, 65, 97, 129, 193, 257, 385, 513, 769, 1025, 1537, 2049, 3073, 4097, 6145,
    8193, 12289, 16385, 24577,
];
const CODE_ORDER: [usize; 19] = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15];

impl Stream<'_> {
    fn take(&mut self, count: u32) -> Option<u32> {
        while self.held < count {
            self.bits |= u32::from(*self.bytes.get(self.at)?) << self.held;
            self.at += 1;
            self.held += 8;
        }
        let value = self.bits & ((1 << count) - 1);
        self.bits >>= count;
        self.held -= count;
        Some(value)
    }

    fn symbol(&mut self, code: &Code) -> Option<u16> {
        let (mut value, mut first, mut index) = (0i32, 0i32, 0i32);
        for count in &code.counts[1..] {
            let count = i32::from(*count);
            value |= self.take(1)? as i32;
            if value - count < first {
                return code.symbols.get(usize::try_from(index + value - first).ok()?).copied();
            }
            index += count;
            first = (first + count) << 1;
            value <<= 1;
        }
        None
    }

    fn inflate(&mut self) -> Option<()> {
        loop {
            let is_last = self.take(1)? == 1;
            match self.take(2)? {
                0 => self.stored()?,
                1 => {
                    let lengths: Vec<u8> = (0..288)
                        .map(|s| {
                            if s < 144 {
                                8
                            } else if s < 256 {
                                9
                            } else if s < 280 {
                                7
                            } else {
                                8
                            }
                        })
                        .collect();
                    self.coded(&Code::new(&lengths), &Code::new(&[5; 30]))?;
                }
                2 => {
                    let (literals, distances) = self.codes()?;
                    self.coded(&literals, &distances)?;
                }
                _ => return None,
            }
            if self.out.len() > LARGEST {
                return None;
            }
            if is_last {
                return Some(());
            }
        }
    }

    fn stored(&mut self) -> Option<()> {
        (self.bits, self.held) = (0, 0);
        let header = self.bytes.get(self.at..self.at + 4)?;
        let length = u16::from_le_bytes([header[0], header[1]]);
        if length != !u16::from_le_bytes([header[2], header[3]]) {
            return None;
        }
        self.at += 4;
        self.out.extend_from_slice(self.bytes.get(self.at..self.at + usize::from(length))?);
        self.at += usize::from(length);
        Some(())
    }

    /// The two codes at the head of a block that brings its own.
    fn codes(&mut self) -> Option<(Code, Code)> {
        let literals = self.take(5)? as usize + 257;
        let distances = self.take(5)? as usize + 1;
        let count = self.take(4)? as usize + 4;
        let mut lengths = [0u8; 19];
        for position in CODE_ORDER.iter().take(count) {
            lengths[*position] = self.take(3)? as u8;
        }
        let code = Code::new(&lengths);
        let mut lengths: Vec<u8> = Vec::new();
        while lengths.len() < literals + distances {
            let (value, times) = match self.symbol(&code)? {
                symbol @ 0..16 => (symbol as u8, 1),
                16 => (*lengths.last()?, 3 + self.take(2)?),
                17 => (0, 3 + self.take(3)?),
                _ => (0, 11 + self.take(7)?),
            };
            lengths.resize(lengths.len() + times as usize, value);
        }
        (lengths.len() == literals + distances)
            .then(|| (Code::new(&lengths[..literals]), Code::new(&lengths[literals..])))
    }

    fn coded(&mut self, literals: &Code, distances: &Code) -> Option<()> {
        loop {
            let symbol = self.symbol(literals)?;
            match symbol {
                0..256 => self.out.push(symbol as u8),
                256 => return Some(()),
                _ => {
                    let which = usize::from(symbol) - 257;
                    let length =
                        u32::from(*LENGTH_BASE.get(which)?) + self.take(u32::from(*LENGTH_EXTRA.get(which)?))?;
                    let which = usize::from(self.symbol(distances)?);
                    let extra = (which as u32 / 2).saturating_sub(1);
                    let distance = u32::from(*DISTANCE_BASE.get(which)?) + self.take(extra)?;
                    let from = self.out.len().checked_sub(distance as usize)?;
                    for at in from..from + length as usize {
                        self.out.push(self.out[at]);
                    }
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// What libgit2 writes for `content`.
    fn written(content: &[u8]) -> (Vec<u8>, Oid) {
        let home = tempfile::tempdir().unwrap();
        let repo = git2::Repository::init_bare(home.path()).unwrap();
        let id = repo.blob(content).unwrap();
        let name = id.to_string();
        (std::fs::read(home.path().join("objects").join(&name[..2]).join(&name[2..])).unwrap(), id)
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(40))]
        #[test]
        fn what_libgit2_writes_is_whole_and_any_part_of_it_is_not(
            text in prop_oneof![
                "[a-c\n]{0,3000}",
                "(第三年冬末，信到了。){0,300}",
                prop::collection::vec(any::<u8>(), 0..70_000).prop_map(|b| b.iter().map(|b| *b as char).collect::<String>()),
            ],
            cut in 0.0f64..1.0,
        ) {
            let (bytes, id) = written(text.as_bytes());
            prop_assert_eq!(fault(&bytes, id), None);
            let cut = (bytes.len() as f64 * cut) as usize;
            prop_assert!(fault(&bytes[..cut], id).is_some());
            let mut garbled = bytes.clone();
            garbled[cut] ^= 0x10;
            // A flipped bit may be one that does not count; it must not pass for other content.
            let _ = fault(&garbled, id);
            prop_assert!(fault(&bytes, Oid::ZERO_SHA1).is_some());
        }

        #[test]
        fn never_panics(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
            fault(&bytes, Oid::ZERO_SHA1);
            let mut zlib_like = vec![0x78, 0x9c];
            zlib_like.extend(bytes);
            fault(&zlib_like, Oid::ZERO_SHA1);
        }
    }
}
