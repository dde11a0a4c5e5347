//! Headings that stand there twice: a list of contents at the front, and headings that two programs wrote.

use super::choose::Mark;
use super::{Block, put_apart};
use crate::manuscript::{ApartKind, DoubtKind, Manuscript};
use std::collections::BTreeSet;

/// So many headings in a row without a text between them are a list.
const LIST: usize = 3;

/// Takes the lists of contents out of the marks. Returns the blocks that are in none of the other parts any more.
pub(super) fn contents(blocks: &[Block], marks: &mut Vec<Mark>, into: &mut Manuscript) -> BTreeSet<usize> {
    let mut out = BTreeSet::new();
    let is_empty = |marks: &[Mark], at: usize| {
        let next = marks.get(at + 1).map_or(blocks.len(), |next| next.at);
        marks[at].is_line && next == marks[at].at + 1
    };
    let mut at = 0;
    while at < marks.len() {
        let mut end = at;
        while end < marks.len() && is_empty(marks, end) {
            end += 1;
        }
        // The last heading of a list is followed by what comes after the list.
        let has_last = end < marks.len() && end > at && repeats(&marks[at..=end], &marks[end + 1..]);
        let list_end = if has_last { end + 1 } else { end };
        if list_end - at >= LIST && repeats(&marks[at..list_end], &marks[list_end..]) {
            let first = marks[at].at;
            let before = first
                .checked_sub(1)
                .filter(|before| ["目录", "目錄", "目 录", "Contents"].contains(&blocks[*before].text.as_str()));
            let lines: Vec<usize> = before.into_iter().chain(marks[at..list_end].iter().map(|mark| mark.at)).collect();
            let text: Vec<&str> = lines.iter().map(|line| blocks[*line].text.as_str()).collect();
            put_apart(into, (ApartKind::Contents, DoubtKind::Contents), text.join("\n"), blocks[first].place);
            if let Some(doubt) = into.doubts.last_mut() {
                doubt.count = lines.len();
            }
            out.extend(lines);
            marks.drain(at..list_end);
        } else {
            at = end.max(at + 1);
        }
    }
    out
}

/// True when most of the headings come again.
fn repeats(list: &[Mark], later: &[Mark]) -> bool {
    let again = |mark: &&Mark| {
        later.iter().any(|other| {
            other.found.is_volume == mark.found.is_volume
                && (mark.found.number.is_some() && other.found.number == mark.found.number
                    || !mark.found.title.is_empty() && other.found.title == mark.found.title)
        })
    };
    list.iter().filter(again).count() * 5 >= list.len() * 4
}

/// Takes out the first of two equal headings with nothing between them.
pub(super) fn in_a_row(blocks: &[Block], marks: &mut Vec<Mark>, into: &mut Manuscript) -> BTreeSet<usize> {
    let mut out = BTreeSet::new();
    let mut at = 1;
    while at < marks.len() {
        let (one, two) = (&marks[at - 1], &marks[at]);
        let is_same = one.is_line
            && two.at == one.at + 1
            && one.found.is_volume == two.found.is_volume
            && one.found.number == two.found.number
            && (one.found.title == two.found.title || one.found.title.is_empty() && one.found.number.is_some());
        if is_same {
            let block = &blocks[one.at];
            put_apart(into, (ApartKind::RepeatedHeading, DoubtKind::RepeatedHeading), block.text.clone(), block.place);
            out.insert(one.at);
            marks.remove(at - 1);
        } else {
            at += 1;
        }
    }
    out
}
