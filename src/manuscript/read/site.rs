//! Lines of the site that a text was copied from.

use super::{Block, Options};
use crate::manuscript::{Apart, ApartKind, Doubt, DoubtKind, Manuscript};
use std::collections::BTreeMap;

const WORDS: [&str; 18] = [
    "本章未完",
    "请翻页",
    "點擊下一頁",
    "点击下一页",
    "手机用户请",
    "手机阅读",
    "最新章节",
    "最快更新",
    "无弹窗",
    "全文阅读",
    "txt下载",
    "TXT下载",
    "请记住本站",
    "请记住本书",
    "本书首发",
    "一秒记住",
    "更多精彩小说",
    "请收藏本站",
];
const ADDRESSES: [&str; 9] = ["www.", "http://", "https://", ".com", ".net", ".org", ".cc", ".la/", "ｗｗｗ"];
const ABOUT: [&str; 9] = ["小说", "书", "网", "阅读", "章节", "更新", "下载", "TXT", "txt"];
/// Lines of a story are longer, or have no address.
const LONGEST: usize = 80;

/// Finds the site's lines, and takes them out where the author wishes that; otherwise they are told.
pub(super) fn note(blocks: &mut Vec<Block>, options: &Options, into: &mut Manuscript) {
    let mut times: BTreeMap<&str, usize> = BTreeMap::new();
    for block in blocks.iter() {
        *times.entry(block.text.as_str()).or_default() += 1;
    }
    let is_site = |block: &Block| is_of_site(&block.text, times[block.text.as_str()]);
    let marked: Vec<bool> = blocks.iter().map(is_site).collect();
    let lines: Vec<&Block> =
        blocks.iter().zip(&marked).filter(|(_, is_site)| **is_site).map(|(block, _)| block).collect();
    let Some(first) = lines.first() else { return };
    let kind = if options.clean { DoubtKind::SiteLinesOut } else { DoubtKind::SiteLines };
    into.doubts.push(Doubt { count: lines.len(), ..Doubt::new(kind, first.place, first.text.clone()) });
    if options.clean {
        let text: Vec<&str> = lines.iter().map(|block| block.text.as_str()).collect();
        into.apart.push(Apart { kind: ApartKind::SiteLine, text: text.join("\n"), place: first.place });
        let mut marked = marked.into_iter();
        blocks.retain(|_| !marked.next().unwrap_or_default());
    }
}

fn is_of_site(line: &str, times: usize) -> bool {
    if line.chars().count() > LONGEST {
        return false;
    }
    let has = |words: &[&str]| words.iter().any(|word| line.contains(word));
    let is_speech = line.starts_with(['“', '「', '"']);
    !is_speech && (has(&WORDS) || has(&ADDRESSES) && (has(&ABOUT) || times > 1))
}
