//! The files of a folder in the order in which a person reads them.

use super::heading::numeral;
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

/// Compares names with their numbers as numbers, in digits and in Han: chapter 2 comes before chapter 10, 第九章 before 第十章.
#[must_use]
pub fn natural(one: &str, other: &str) -> Ordering {
    let (mut one, mut other) = (one, other);
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
                a.cmp(&b)
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
    }
}
