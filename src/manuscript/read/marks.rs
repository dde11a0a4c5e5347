//! Chinese marks that another program has made straight: `"`, `......` and `------`.

use super::{Block, Options, count};
use crate::manuscript::{DoubtKind, Manuscript};
use crate::text::is_han;

/// Tells of paragraphs with such marks in a text that has no Chinese ones, and restores them where the author wishes that. Corner
/// brackets are marks of their own, which no program straightens.
pub(super) fn restore(blocks: &mut [Block], options: &Options, into: &mut Manuscript) {
    if blocks.iter().any(|block| block.text.contains(['“', '”', '…'])) {
        return;
    }
    let kind = if options.clean { DoubtKind::MarksRestored } else { DoubtKind::StraightMarks };
    for block in blocks.iter_mut().filter(|block| block.text.chars().any(is_han)) {
        let restored = restored(&block.text);
        if restored != block.text {
            count(into, kind, block.place, &block.text);
            if options.clean {
                block.text = restored;
            }
        }
    }
}

/// Quotes of a kind are counted within the paragraph; where their number is odd, all of them stay. An apostrophe is none.
fn restored(text: &str) -> String {
    let letters: Vec<char> = text.chars().collect();
    let is_letter = |at: Option<usize>| at.and_then(|at| letters.get(at)).is_some_and(char::is_ascii_alphanumeric);
    let is_apostrophe = |at: usize| is_letter(at.checked_sub(1)) && is_letter(Some(at + 1));
    let quotes = |mark: char| {
        let at = letters.iter().enumerate().filter(|(at, c)| **c == mark && !is_apostrophe(*at)).map(|(at, _)| at);
        let at: Vec<usize> = at.collect();
        if at.len().is_multiple_of(2) { at } else { Vec::new() }
    };
    let mut out = letters.clone();
    for (mark, curly) in [('"', ['“', '”']), ('\'', ['‘', '’'])] {
        for (nth, at) in quotes(mark).into_iter().enumerate() {
            out[at] = curly[nth % 2];
        }
    }
    out.into_iter().collect::<String>().replace("......", "……").replace("------", "——")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quotes_are_restored_in_pairs() {
        assert_eq!(restored("他说\"好\"......她------"), "他说“好”……她——");
        assert_eq!(restored("他说\"好"), "他说\"好");
        assert_eq!(restored("他写着'天'字，说It's"), "他写着‘天’字，说It's");
    }
}
