//! The files of a folder in the order in which a person reads them.

use super::heading::{CHAPTERS, Candidate, Form, candidate, titled};
use super::{Block, count};
use crate::domain::numeral::numeral;
use crate::manuscript::{ChapterKind, DoubtKind, Manuscript};
use std::cmp::Ordering;

/// The endings of files that can be read.
const ENDINGS: [&str; 5] = ["txt", "md", "markdown", "epub", "docx"];

/// True for the name of a file that can be read.
#[must_use]
pub fn is_readable(name: &str) -> bool {
    ENDINGS.contains(&ending(name).as_str())
}

/// The ending of the file's name, in small letters.
pub(super) fn ending(name: &str) -> String {
    name.rsplit_once('.').map_or(String::new(), |(_, ending)| ending.to_ascii_lowercase())
}

/// The name of a file without its folders and its ending.
pub(in crate::manuscript) fn stem(name: &str) -> &str {
    let name = name.rsplit(['/', '\\']).next().unwrap_or_default();
    name.rsplit_once('.').map_or(name, |(stem, _)| stem)
}

/// Puts the files in the order of the numbers in their headings, where every file has some and each goes on after the one
/// before. Says so where that changes their order.
pub(super) fn by_headings(files: &mut [Vec<Block>], into: &mut Manuscript) {
    let is_number = |found: &Candidate| {
        let is_chapter = match found.form {
            Form::Unit(unit) => CHAPTERS.contains(unit),
            form => form == Form::English,
        };
        is_chapter && !found.is_weak && !found.is_volume
    };
    let numbers = |file: &Vec<Block>| {
        let mut found = file.iter().filter_map(|block| candidate(&block.text).filter(is_number)?.number);
        let first = found.next().or_else(|| titled(stem(&into.sources[file[0].place.source].name)).number)?;
        Some((first, found.next_back().unwrap_or(first)))
    };
    if files.len() < 2 {
        return;
    }
    let Some(of_files) = files.iter().map(numbers).collect::<Option<Vec<_>>>() else { return };
    let mut in_order = of_files.clone();
    in_order.sort_unstable();
    let runs_on = in_order.windows(2).all(|pair| pair[1].0 == pair[0].1 + 1);
    if runs_on && in_order != of_files {
        let example = into.sources[files[0][0].place.source].name.clone();
        count(into, DoubtKind::FilesOrdered, files[0][0].place, &example);
        let mut numbered: Vec<_> = of_files.into_iter().zip(files.iter_mut().map(std::mem::take)).collect();
        numbered.sort_by_key(|(numbers, _)| *numbers);
        for (file, (_, blocks)) in files.iter_mut().zip(numbered) {
            *file = blocks;
        }
    }
}

/// Compares paths as a person reads them: a prologue first, numbers as numbers, in digits and in Han (chapter 2 before chapter
/// 10, 第九章 before 第十章), the last volume and the afterword at the end.
#[must_use]
pub fn natural(one: &str, other: &str) -> Ordering {
    let part_of_novel = |name: &str| match candidate(stem(name)).map(|found| found.kind) {
        Some(ChapterKind::Prologue) => 0,
        Some(ChapterKind::Epilogue) => 2,
        Some(ChapterKind::Extra) => 3,
        Some(ChapterKind::Afterword) => 4,
        _ => 1,
    };
    let (one, other) = (one.split(['/', '\\']), other.split(['/', '\\']));
    let by_part =
        |one: &str, other: &str| part_of_novel(one).cmp(&part_of_novel(other)).then_with(|| by_number(one, other));
    let mut pairs = one.clone().zip(other.clone());
    let differing = pairs.find_map(|(one, other)| Some(by_part(one, other)).filter(|order| order.is_ne()));
    differing.unwrap_or_else(|| one.count().cmp(&other.count()))
}

fn by_number(one: &str, other: &str) -> Ordering {
    let (mut one, mut other) = (one, other);
    // 上, 中 and 下 are the parts of a novel in this order, which is not that of their codes.
    let code = |c: char| match c {
        '上' | '中' | '下' => '\u{4e0a}' as u32 + "上中下".find(c).map_or(0, |at| at as u32 / 3),
        c => c as u32,
    };
    loop {
        let (Some(a), Some(b)) = (one.chars().next(), other.chars().next()) else {
            return one.len().cmp(&other.len());
        };
        let order = match (numeral(one), numeral(other)) {
            (Some((a, rest)), Some((b, rest_of_other))) => {
                (one, other) = (rest, rest_of_other);
                a.cmp(&b)
            }
            _ => {
                (one, other) = (&one[a.len_utf8()..], &other[b.len_utf8()..]);
                code(a).cmp(&code(b))
            }
        };
        if order != Ordering::Equal {
            return order;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_ordered_by_their_numbers() {
        let mut names =
            ["第十章.txt", "第二章.txt", "10.txt", "9.txt", "010b.txt", "卷二/1.md", "卷一/12.md", "卷一/2.md"];
        names.sort_by(|one, other| natural(one, other));
        assert_eq!(
            names,
            ["9.txt", "10.txt", "010b.txt", "卷一/2.md", "卷一/12.md", "卷二/1.md", "第二章.txt", "第十章.txt"]
        );
        let mut names = ["后记.txt", "尾声.txt", "第10章.txt", "番外/1.txt", "第2章.txt", "楔子.txt"];
        names.sort_by(|one, other| natural(one, other));
        assert_eq!(names, ["楔子.txt", "第2章.txt", "第10章.txt", "尾声.txt", "番外/1.txt", "后记.txt"]);
        let mut names = ["青锋录（下）.txt", "青锋录（中）.txt", "青锋录（上）.txt"];
        names.sort_by(|one, other| natural(one, other));
        assert_eq!(names, ["青锋录（上）.txt", "青锋录（中）.txt", "青锋录（下）.txt"]);
    }
}
