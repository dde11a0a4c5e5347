//! Merging texts by lines.

use crate::git::error::{GitContext, StoreError};

/// The text with the changes that `ours` and `theirs` have made to `old`; `None` where they are of the same lines, or where
/// one of the texts is binary.
/// Fails when libgit2 fails.
pub fn merge_lines(old: &[u8], ours: &[u8], theirs: &[u8]) -> Result<Option<Vec<u8>>, StoreError> {
    if [old, ours, theirs].iter().any(|text| text.contains(&0)) {
        return Ok(None);
    }
    let [old, ours, theirs] = [old, ours, theirs].map(|text| {
        let mut input = git2::MergeFileInput::new();
        input.content(text);
        input
    });
    let result = git2::merge_file(&old, &ours, &theirs, None).doing("merging a file")?;
    Ok(result.is_automergeable().then(|| result.content().to_vec()))
}
