//! The text of a draft whose file the author has given the number of another chapter.

use super::Staging;
use crate::domain::renumbering::Renumbering;
use crate::git::error::{IoContext, StoreError};
use crate::git::tree;
use crate::store::format::renumber::renumbered;
use crate::store::layout::{self, BookPath};
use std::fs;

impl Staging<'_> {
    /// Gives the text of the draft its name back, and its number in the heading, where it is gone and the text of one other
    /// chapter is there: a chapter gets its number in the outline, and its draft follows. Returns the name that the file
    /// had, and the one that it has.
    pub(crate) fn put_back(&self) -> Result<Option<(String, String)>, StoreError> {
        let Some(scope) = self.scope().filter(|_| self.exists()) else { return Ok(None) };
        let is_text = |path: &String| matches!(layout::classify(path), Some(BookPath::Chapter(..)));
        let Some(own) = scope.0.iter().find(|path| is_text(path)) else { return Ok(None) };
        let on_disk = self.on_disk()?;
        let others: Vec<&String> = on_disk.keys().filter(|path| is_text(path)).collect();
        let &[other] = others.as_slice() else { return Ok(None) };
        let was_there = self.shown_trees()?.iter().any(|tree| tree::blob_at(tree, own).is_some());
        let (Some(place), Some(to)) = (layout::classify(other), layout::classify(own).and_then(|own| own.chapter()))
        else {
            return Ok(None);
        };
        let Some(from) = place.chapter().filter(|_| other != own && was_there) else { return Ok(None) };
        let bytes = renumbered(&place, &on_disk[other], Renumbering::Move { from, to });
        self.temp.replace_with(&self.dir.join(own), &bytes, &self.syncing())?;
        let file = self.dir.join(other);
        fs::remove_file(&file).at("removing", &file)?;
        Ok(Some((other.clone(), own.clone())))
    }
}
