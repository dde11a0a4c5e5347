//! Text in other encodings than UTF-8.

use encoding_rs::{Encoding, GB18030, UTF_16BE, UTF_16LE};

/// Decodes UTF-16 with its byte order mark, or GB18030 (with GBK and GB2312). Returns the encoding's name and the text.
/// `None` for UTF-8, and for bytes that are no plausible text.
#[must_use]
pub fn decode(bytes: &[u8]) -> Option<(&'static str, String)> {
    let valid = match std::str::from_utf8(bytes) {
        Ok(_) => return None,
        // The bytes end within a character of UTF-8: the file was cut there.
        Err(error) if error.error_len().is_none() => return None,
        Err(error) => error.valid_up_to(),
    };
    if let Some((encoding, mark)) = Encoding::for_bom(bytes) {
        let is_16 = encoding == UTF_16LE || encoding == UTF_16BE;
        let text = encoding.decode_without_bom_handling_and_without_replacement(&bytes[mark..])?;
        return (is_16 && is_plausible(&text)).then(|| ("UTF-16", text.into_owned()));
    }
    // Characters of UTF-8 before the fault: damaged UTF-8, whatever else the bytes could be.
    if !bytes[..valid].is_ascii() {
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
