//! Links that the author has committed in place of files and folders of the book: nothing is read through one, so the book
//! would be without them.

use crate::pipeline::book::earlier::before_authors;
use crate::pipeline::prelude::*;
use crate::store::{Block, Obstruction};

/// A link that a commit of the author's has put in place of a file or folder of the book.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct CommittedLink {
    pub(crate) place: Obstruction,
    /// The commit that has the file or folder.
    pub(crate) whole_in: CommitId,
}

/// The links that commits of the author's have put in place of files and folders of the book since the program's last commit.
pub(crate) fn committed_links(book: &Book) -> Result<Vec<CommittedLink>, RunError> {
    let snapshot = book.snapshot()?;
    let Some(before) = before_authors(book, &snapshot)? else { return Ok(Vec::new()) };
    let mut found = Vec::new();
    for path in snapshot.changed_since(&before)?.into_iter().filter(|path| snapshot.is_link(path)) {
        let block = match before.files(&path)?.is_empty() {
            false => Block::LinkedFolder,
            true if before.has(&path) && !before.is_link(&path) => Block::Link,
            true => continue,
        };
        let place = Obstruction { full: book.root().join(&path), path, block };
        found.push(CommittedLink { place, whole_in: before.commit_id() });
    }
    Ok(found)
}
