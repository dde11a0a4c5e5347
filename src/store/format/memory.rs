//! `storylines/<id>/memory.md`: a storyline's memory.
//!
//! ```text
//! > 第47章：沈渡带着半张船票上了夜船
//!
//! 沈渡知道票是假的……
//! ```

use crate::agents::context::chapter::Memory;
use crate::domain::ChapterNo;
use crate::domain::notation::parse_numeral;
use crate::store::format::{FormatError, text};

/// Stands in place of a chapter's number before the line's first chapter.
const BEFORE: &str = "未开篇";

/// A file without the form of the first line is all facts: an author may write it freely.
pub fn read(bytes: &[u8]) -> Result<Memory, FormatError> {
    let text = text(bytes)?;
    let text = text.trim();
    let (first, rest) = text.split_once('\n').unwrap_or((text, ""));
    let head = first.strip_prefix('>').and_then(|head| head.split_once(['：', ':']));
    let Some((place, status)) = head else {
        return Ok(Memory { chapter: None, status: String::new(), facts: text.to_owned() });
    };
    let number = place.trim().strip_prefix('第').and_then(|n| n.strip_suffix('章')).and_then(parse_numeral);
    let chapter = number.and_then(ChapterNo::new);
    if chapter.is_none() && place.trim() != BEFORE {
        return Ok(Memory { chapter: None, status: String::new(), facts: text.to_owned() });
    }
    Ok(Memory { chapter, status: status.trim().to_owned(), facts: rest.trim().to_owned() })
}

/// Writes a memory. The status becomes one line.
pub fn write(memory: &Memory) -> Vec<u8> {
    let place = memory.chapter.map_or_else(|| BEFORE.to_owned(), |chapter| format!("第{}章", chapter.get()));
    let status = memory.status.split_whitespace().collect::<Vec<_>>().join(" ");
    let facts = memory.facts.trim();
    let text =
        if facts.is_empty() { format!("> {place}：{status}\n") } else { format!("> {place}：{status}\n\n{facts}\n") };
    text.into_bytes()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::format::samples;
    use proptest::prelude::*;

    #[test]
    fn the_first_line_says_where_the_line_stands() {
        let memory = read("\u{feff}> 第四十七章：上了夜船\r\n\r\n票是假的。\r\n".as_bytes()).unwrap();
        assert_eq!((memory.chapter.map(ChapterNo::get), memory.status.as_str()), (Some(47), "上了夜船"));
        assert_eq!(memory.facts, "票是假的。");
        let free = read("票是假的。\n\n> 引文：不是状态\n".as_bytes()).unwrap();
        assert_eq!((free.chapter, free.status.as_str()), (None, ""));
        assert!(free.facts.starts_with("票"));
    }

    proptest! {
        #[test]
        fn any_memory_survives(memory in samples::memory()) {
            let bytes = write(&memory);
            prop_assert_eq!(read(&bytes).unwrap(), memory);
        }
    }
}
