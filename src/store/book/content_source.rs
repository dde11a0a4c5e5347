//! The commits that the present content of some folders comes from, on all lines that were joined.

use crate::store::book::commit_walk::{Transaction, may_be_of, may_return};
use crate::store::prelude::*;
use git2::Commit;
use std::collections::BinaryHeap;

impl Book {
    /// The last commit for which `is_it` holds among those that the folders come from; of several on lines that were joined, the one
    /// whose folders are most like those of the tip. [`Kind::HandEdit`] cannot be asked for, since it needs no trailer.
    pub fn last_source_of(
        &self,
        folders: &[&str],
        kinds: &[Kind],
        is_it: impl Fn(&Transaction) -> bool,
    ) -> Result<Option<Transaction>, StoreError> {
        let tip = self.tip()?.oid();
        let (mut next, mut seen) = (BinaryHeap::from([(0, tip)]), BTreeSet::from([tip]));
        let mut found = Vec::new();
        while let Some((_, id)) = next.pop() {
            let commit = self.repo.find_commit(id).doing("reading a commit")?;
            let transaction = may_be_of(commit.message_raw_bytes(), kinds).then(|| Transaction::of(&commit));
            if let Some(transaction) = transaction.filter(&is_it) {
                found.push(transaction);
                continue;
            }
            for source in self.sources_of(folders, &commit)? {
                // A shallow clone ends somewhere.
                if let Some(earlier) = self.repo.find_commit(source).or_missing("reading a commit")?
                    && seen.insert(source)
                {
                    next.push((earlier.time().seconds(), source));
                }
            }
        }
        if found.len() < 2 {
            return Ok(found.pop());
        }
        let mut last: Option<(usize, Transaction)> = None;
        for (at, one) in found.iter().enumerate() {
            let mut is_earlier = false;
            for (_, other) in found.iter().enumerate().filter(|(other, _)| *other != at) {
                is_earlier = is_earlier || self.reaches(other.id.oid(), one.id.oid())?;
            }
            let (mut differing, trees) = (0, (self.commit_tree(one.id.oid())?, self.commit_tree(tip)?));
            for folder in folders {
                differing += tree::differences_in(&self.repo, folder, &trees.0, &trees.1)?.len();
            }
            if !is_earlier && last.as_ref().is_none_or(|(least, _)| differing < *least) {
                last = Some((differing, one.clone()));
            }
        }
        Ok(last.map(|(_, transaction)| transaction))
    }

    /// The commits that the folders of a commit come from: the one that has the same, where the commit joins lines or goes back, and
    /// otherwise its parents. A rollback that has left a part of the folders as it was goes on from its parent.
    fn sources_of(&self, folders: &[&str], commit: &Commit<'_>) -> Result<Vec<Oid>, StoreError> {
        if commit.parent_count() < 2 && !may_return(commit.message_raw_bytes()) {
            return Ok(commit.parent_ids().collect());
        }
        let transaction = Transaction::of(commit);
        let print = |id: Oid| -> Result<Vec<Option<Oid>>, StoreError> {
            let tree = self.commit_tree(id)?;
            Ok(folders.iter().map(|folder| tree.get_name(folder).map(|entry| entry.id())).collect())
        };
        let here = print(commit.id())?;
        for source in self.sources(&transaction)? {
            if print(source)? == here {
                return Ok(vec![source]);
            }
        }
        let is_rollback = transaction.kind == Kind::Rollback;
        Ok(transaction.taken(commit.parent_ids()).take(if is_rollback { 1 } else { usize::MAX }).collect())
    }
}
