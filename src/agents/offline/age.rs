//! The age of a book, and the props that it has.

use super::patterns::pool;
use crate::domain::book::config::BookConfig;

/// Which world the props come from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Age {
    /// Swords, immortals, history.
    Old,
    /// Today.
    Modern,
    /// Ships and stations.
    Future,
}

impl Age {
    /// The name of the age's pools.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Old => "old",
            Self::Modern => "modern",
            Self::Future => "future",
        }
    }

    /// The age that genre and title of a book suggest.
    pub(super) fn of(config: &BookConfig) -> Self {
        const FUTURE: [&str; 8] = ["科幻", "星际", "赛博", "末世", "机甲", "未来", "太空", "废土"];
        const MODERN: [&str; 11] =
            ["都市", "悬疑", "现代", "现实", "言情", "校园", "职场", "推理", "娱乐", "体育", "军事"];
        const OLD: [&str; 10] = ["仙", "侠", "玄幻", "武", "历史", "古", "奇幻", "宫", "志怪", "修真"];
        let age = |text: &str| {
            let has = |words: &[&str]| words.iter().any(|word| text.contains(word));
            match () {
                () if has(&OLD) => Some(Self::Old),
                () if has(&FUTURE) => Some(Self::Future),
                () if has(&MODERN) => Some(Self::Modern),
                () => None,
            }
        };
        age(&config.genre).or_else(|| age(&config.title)).unwrap_or(Self::Old)
    }
}

/// The words of a prop in an age; words without an age fit all.
pub(super) fn words(slot: &str, age: Age) -> Vec<&'static str> {
    let lists = [pool(slot), pool(&format!("{slot} {}", age.name()))];
    lists.iter().flat_map(|list| list.iter()).flat_map(|line| line.split('|')).collect()
}
