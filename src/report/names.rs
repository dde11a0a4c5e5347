//! Names of the things of a book in place of their ids.

/// Whether ids are shown beside names: those of `--ids`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ids {
    Shown,
    Hidden,
}
