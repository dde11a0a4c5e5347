//! Text in other encodings than UTF-8.

use encoding_rs::{BIG5, Encoding, GB18030, SHIFT_JIS, UTF_8, UTF_16BE, UTF_16LE};

/// A text that was read from bytes of an encoding that nothing but the bytes tell.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Decoded {
    /// The text, with LF.
    pub text: String,
    pub encoding: &'static str,
    /// Lines with bytes that are no text, a zero among them; U+FFFD stands for them.
    pub damaged: Vec<usize>,
    /// Lines of a file in UTF-8 that were written in GB18030.
    pub foreign: Vec<usize>,
}

/// The commonest characters of Chinese prose, simplified and traditional, those of Japanese, and marks: the wrong one of two
/// encodings makes rare characters of them.
const COMMON: &str = "的一是不了在人有我他这个们中来上大为和国地到以说时要就出会可也你对生能而子那得于着下自之年过发后作里用道行所然家种事成方多经么去法学\
如都同现当没动面起看定天分还进好小部其些主样理心她本前开但因只从想实日军者意无力它与长把机十民第公此已工使情明性知全三又关点正业外将两高间由问很最重\
并物手应战向头文体相见被利什二等产或新己身西回话走眼女声听老打门气白口今真问笑坐叫儿吃让像这個們來為國說時會對於著過發後裡經學現當沒動還進樣開從實軍\
無與長機關點業將兩間問戰應頭體見產話聲聽門氣讓麼麽樣裏，。、：；！？“”「」『』《》…—　のはをにがでとたてしなれるもいから";

/// Of so many bytes the encoding is guessed.
const SAMPLE: usize = 256 << 10;

/// The encoding of that name; GBK and GB2312 are parts of GB18030.
pub fn named(label: &str) -> Option<&'static Encoding> {
    let found = Encoding::for_label(label.trim().as_bytes())?;
    Some(if found == encoding_rs::GBK { GB18030 } else { found })
}

/// Reads the text of a file of any encoding that Chinese texts come in: a byte order mark decides, then UTF-8, also with a few
/// bad bytes, and then the decoding with the most common characters. `None` for bytes that are no text in any.
pub fn read(bytes: &[u8], given: Option<&'static Encoding>) -> Option<Decoded> {
    if let Some(encoding) = given {
        let mark = Encoding::for_bom(bytes).filter(|(found, _)| *found == encoding).map_or(0, |(_, mark)| mark);
        return Some(decoded(encoding, &bytes[mark..]));
    }
    let is_32 = bytes.starts_with(&[0xff, 0xfe, 0, 0]);
    if let Some((encoding, mark)) = Encoding::for_bom(bytes).filter(|_| !is_32) {
        return Some(decoded(encoding, &bytes[mark..]));
    }
    let sample = &bytes[..bytes.len().min(SAMPLE)];
    let (mut valid, mut bad) = (0usize, 0usize);
    for chunk in bytes.utf8_chunks() {
        valid += chunk.valid().chars().filter(|c| !c.is_ascii()).count();
        bad += usize::from(!chunk.invalid().is_empty());
    }
    // Half of the bytes of ASCII are zero in UTF-16.
    let zeros = bytes.iter().filter(|byte| **byte == 0).count();
    if valid >= 9 * (bad + zeros) || (bad == 0 && (zeros == 0 || valid > zeros)) {
        return Some(decoded(UTF_8, bytes));
    }
    if zeros == 0 && is_mixed(bytes) {
        return Some(decoded(UTF_8, bytes));
    }
    let mut best: Option<(&'static Encoding, f64)> = None;
    for encoding in [GB18030, BIG5, SHIFT_JIS, UTF_16LE, UTF_16BE] {
        let share = share_of_common(encoding, sample);
        if share > best.map_or(0.1, |(_, best)| best) {
            best = Some((encoding, share));
        }
    }
    let is_big5 =
        |bytes| BIG5.decode_without_bom_handling_and_without_replacement(bytes).filter(|text| is_plausible(text));
    let encoding = best.map(|(encoding, _)| encoding).or_else(|| decode(bytes).map(|_| GB18030));
    encoding.or_else(|| is_big5(bytes).map(|_| BIG5)).map(|encoding| decoded(encoding, bytes))
}

/// True for chapters in UTF-8 and in another encoding that were put into one file: no line of length is UTF-8 by chance.
fn is_mixed(bytes: &[u8]) -> bool {
    let lines =
        bytes.split(|byte| *byte == b'\n').filter(|line| line.iter().filter(|byte| !byte.is_ascii()).count() >= 12);
    let (whole, broken) = lines.fold((0usize, 0usize), |(whole, broken), line| match std::str::from_utf8(line) {
        Ok(_) => (whole + 1, broken),
        Err(_) => (whole, broken + 1),
    });
    whole > 0 && whole * 4 >= broken
}

/// True for bytes with more Han characters of UTF-8 in them than faults: damaged UTF-8. In GB18030 such characters stand by chance.
fn is_damaged_utf8(bytes: &[u8]) -> bool {
    let (mut wide, mut bad) = (0usize, 0usize);
    for chunk in bytes.utf8_chunks() {
        wide += chunk.valid().chars().filter(|c| *c >= '\u{2e80}').count();
        bad += usize::from(!chunk.invalid().is_empty());
    }
    wide > bad
}

/// The share of common characters among those of a decoding that are not ASCII.
fn share_of_common(encoding: &'static Encoding, bytes: &[u8]) -> f64 {
    let (text, _) = encoding.decode_without_bom_handling(bytes);
    if text.chars().filter(|c| *c == '\0').count() * 100 > text.len() {
        return 0.0;
    }
    let (common, all) = text
        .chars()
        .filter(|c| !c.is_ascii())
        .fold((0usize, 0usize), |(common, all), c| (common + usize::from(COMMON.contains(c)), all + 1));
    common as f64 / all.max(1) as f64
}

fn decoded(encoding: &'static Encoding, bytes: &[u8]) -> Decoded {
    let (mut damaged, mut foreign) = (Vec::new(), Vec::new());
    let text = match encoding == UTF_8 && std::str::from_utf8(bytes).is_err() {
        // Each line by itself: one line of another encoding is a paste.
        true => {
            let mut text = String::new();
            for (at, line) in bytes.split_inclusive(|byte| *byte == b'\n').enumerate() {
                match (std::str::from_utf8(line), decode(line)) {
                    (Ok(line), _) => text.push_str(line),
                    (Err(_), Some((_, line))) => {
                        foreign.push(at + 1);
                        text.push_str(&line);
                    }
                    (Err(_), None) => {
                        damaged.push(at + 1);
                        text.push_str(&String::from_utf8_lossy(line));
                    }
                }
            }
            text
        }
        false => {
            let (text, has_errors) = encoding.decode_without_bom_handling(bytes);
            if has_errors {
                damaged = text
                    .lines()
                    .enumerate()
                    .filter(|(_, line)| line.contains('\u{fffd}'))
                    .map(|(at, _)| at + 1)
                    .collect();
            }
            text.into_owned()
        }
    };
    // No file of a book can hold a zero byte.
    let text = match text.contains('\0') {
        true => {
            damaged.extend((1..).zip(text.lines()).filter(|(_, line)| line.contains('\0')).map(|(at, _)| at));
            damaged.sort_unstable();
            damaged.dedup();
            text.replace('\0', "\u{fffd}")
        }
        false => text,
    };
    let text = if text.contains('\r') { text.replace("\r\n", "\n").replace('\r', "\n") } else { text };
    Decoded { text, encoding: encoding.name(), damaged, foreign }
}

/// Decodes UTF-16 with its byte order mark, or GB18030 (with GBK and GB2312). Returns the encoding's name and the text.
/// `None` for UTF-8, and for bytes that are no plausible text.
pub fn decode(bytes: &[u8]) -> Option<(&'static str, String)> {
    match std::str::from_utf8(bytes) {
        Ok(_) => return None,
        // The bytes end within a character of UTF-8: the file was cut there.
        Err(error) if error.error_len().is_none() && error.valid_up_to() > 0 => return None,
        Err(_) => {}
    }
    if let Some((encoding, mark)) = Encoding::for_bom(bytes) {
        let is_16 = encoding == UTF_16LE || encoding == UTF_16BE;
        let text = encoding.decode_without_bom_handling_and_without_replacement(&bytes[mark..])?;
        return (is_16 && is_plausible(&text)).then(|| ("UTF-16", text.into_owned()));
    }
    if is_damaged_utf8(bytes) {
        return None;
    }
    let text = GB18030.decode_without_bom_handling_and_without_replacement(bytes)?;
    is_plausible(&text).then(|| ("GB18030", text.into_owned()))
}

/// No control characters except line breaks and tabs, and mostly Han characters beside ASCII. Random bytes decode to
/// rare and private characters.
fn is_plausible(text: &str) -> bool {
    let is_control = |c: char| c.is_control() && !matches!(c, '\n' | '\r' | '\t');
    let is_usual = |c: char| matches!(c, '\u{4e00}'..='\u{9fff}' | '\u{3000}'..='\u{303f}' | '\u{ff00}'..='\u{ffef}' | '\u{2010}'..='\u{2027}');
    let wide = text.chars().filter(|c| !c.is_ascii());
    let (usual, all) = wide.fold((0, 0), |(usual, all), c| (usual + usize::from(is_usual(c)), all + 1));
    !text.chars().any(is_control) && usual * 10 >= all * 9
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_of_editors_on_windows_is_read() {
        let text = "# 纲领\r\n\r\n第三年冬末，“他”回来了。\r\n";
        let (gbk, _, _) = GB18030.encode(text);
        assert_eq!(decode(&gbk), Some(("GB18030", text.to_owned())));
        let little: Vec<u8> = "\u{feff}".encode_utf16().chain(text.encode_utf16()).flat_map(u16::to_le_bytes).collect();
        assert_eq!(decode(&little), Some(("UTF-16", text.to_owned())));
        let big: Vec<u8> = "\u{feff}".encode_utf16().chain(text.encode_utf16()).flat_map(u16::to_be_bytes).collect();
        assert_eq!(decode(&big), Some(("UTF-16", text.to_owned())));
    }

    const PROSE: &str = "第一章 夜雨\n　　他说：“我们走吧，这个地方不能再来了。”\n她没有回答，只是看着窗外的雨。\n";
    const TRADITIONAL: &str =
        "第一章 夜雨\n　　他說：「我們走吧，這個地方不能再來了。」\n她沒有回答，只是看著窗外的雨。\n";

    #[test]
    fn a_text_is_read_in_whatever_encoding_it_is() {
        let japanese = "第一章 夜の雨\n彼は言った。「もう行こう、ここには来られない。」\n";
        let chinese = [(PROSE, GB18030), (TRADITIONAL, BIG5), (PROSE, UTF_8), (TRADITIONAL, GB18030)];
        for (text, encoding) in chinese.into_iter().chain([(japanese, SHIFT_JIS)]) {
            let (bytes, _, _) = encoding.encode(text);
            let found = read(&bytes, None).unwrap();
            assert_eq!((found.encoding, found.text.as_str()), (encoding.name(), text));
        }
        for (to_bytes, name) in [(u16::to_le_bytes as fn(u16) -> [u8; 2], "UTF-16LE"), (u16::to_be_bytes, "UTF-16BE")] {
            let bytes: Vec<u8> = PROSE.encode_utf16().flat_map(to_bytes).collect();
            let found = read(&bytes, None).unwrap();
            assert_eq!((found.encoding, found.text.as_str()), (name, PROSE));
        }
    }

    #[test]
    fn bad_bytes_are_named_by_line_and_change_no_other_line() {
        let mut bytes = PROSE.repeat(3).into_bytes();
        let at = PROSE.len() + "第一章 夜雨\n".len() + 7;
        bytes[at] = 0xff;
        let found = read(&bytes, None).unwrap();
        assert_eq!((found.encoding, found.damaged.as_slice()), ("UTF-8", &[5][..]));
        assert_eq!(found.text.lines().nth(5), PROSE.lines().nth(2));
        let (line, _, _) = GB18030.encode("贴进来的一行，他说。\n");
        let mixed = [PROSE.as_bytes(), &line, PROSE.repeat(8).as_bytes()].concat();
        let found = read(&mixed, None).unwrap();
        assert_eq!((found.encoding, found.foreign.as_slice()), ("UTF-8", &[4][..]));
        assert_eq!(found.text.lines().nth(3), Some("贴进来的一行，他说。"));
        // A line whose first bytes are a character of UTF-8 by chance, and two chapters of another encoding.
        let other = "一行贴进来的话，他说。\n".repeat(3);
        let (lines, _, _) = GB18030.encode(&other);
        let found = read(&[PROSE.as_bytes(), &lines].concat(), None).unwrap();
        assert_eq!((found.encoding, found.text), ("UTF-8", [PROSE, &other].concat()));
        assert_eq!((found.damaged.len(), found.foreign.len()), (0, 3));
        let cut = &PROSE.as_bytes()[1..PROSE.len() - 2];
        assert_eq!(read(cut, None).unwrap().encoding, "UTF-8");
        let (mut gbk, _, _) = GB18030.encode(PROSE);
        gbk.to_mut()[20] = 0xff;
        assert_eq!(read(&gbk, None).unwrap().encoding, "gb18030");
        let zero = PROSE.replacen("这个", "这\0个", 1);
        for given in [None, Some(UTF_8)] {
            let found = read(zero.as_bytes(), given).unwrap();
            assert_eq!((found.encoding, found.damaged.as_slice()), ("UTF-8", &[2][..]));
            assert!(found.text.contains("这\u{fffd}个"));
        }
        let wide: Vec<u8> = "\u{feff}".chars().chain(PROSE.chars()).flat_map(|c| u32::from(c).to_le_bytes()).collect();
        assert_eq!(read(&wide, None), None, "UTF-32 begins like UTF-16");
        assert_eq!(read(b"\x89PNG\r\n\x1a\n\0\xff\xd8\xe0", None), None);
    }

    #[test]
    fn damage_is_not_taken_for_another_encoding() {
        let text = "第三年冬末，他回来了。".as_bytes();
        assert_eq!(decode(text), None);
        assert_eq!(decode(&text[..text.len() - 1]), None, "cut within a character");
        let first = "{\"name\": \"秦".as_bytes();
        assert_eq!(decode(&first[..first.len() - 1]), None, "cut within the first character that is not ASCII");
        let garbage: Vec<u8> = (0..300u32).map(|at| (at * 37 % 251) as u8).collect();
        assert_eq!(decode(&garbage), None);
        assert_eq!(decode(&[0xff, 0xfe, 0x00]), None);
        assert_eq!(decode(b"\x89PNG\r\n\x1a\n\xff\xd8"), None);
    }
}
