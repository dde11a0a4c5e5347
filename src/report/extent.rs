/// The part of a long answer that is shown on a screen. JSON has the whole.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Extent {
    /// About a screen; the rest is summed up.
    Brief,
    Whole,
}

impl From<bool> for Extent {
    fn from(all: bool) -> Self {
        if all { Self::Whole } else { Self::Brief }
    }
}

impl Extent {
    /// The shown rows in order, and the number of the others. In brief, at most `most` are shown: those with the
    /// highest `rank`, and of equal ones the last.
    pub(super) fn of_rows<T, R: Ord>(self, rows: &[T], most: usize, rank: impl Fn(&T) -> R) -> (Vec<&T>, usize) {
        if self == Self::Whole || rows.len() <= most {
            return (rows.iter().collect(), 0);
        }
        let mut numbers: Vec<usize> = (0..rows.len()).collect();
        numbers.sort_by_key(|at| std::cmp::Reverse((rank(&rows[*at]), *at)));
        numbers.truncate(most);
        numbers.sort_unstable();
        (numbers.iter().map(|at| &rows[*at]).collect(), rows.len() - most)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn in_brief_the_gravest_and_then_the_last_are_shown_in_their_order() {
        let rows = [(1, 'a'), (0, 'b'), (0, 'c'), (1, 'd'), (0, 'e')];
        let shown = |extent: Extent, most| {
            let (rows, left) = extent.of_rows(&rows, most, |row| row.0);
            (rows.into_iter().map(|row| row.1).collect::<String>(), left)
        };
        assert_eq!(shown(Extent::Brief, 3), ("ade".to_owned(), 2));
        assert_eq!(shown(Extent::Brief, 5), ("abcde".to_owned(), 0));
        assert_eq!(shown(Extent::Whole, 3), ("abcde".to_owned(), 0));
    }
}
