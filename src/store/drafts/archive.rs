//! Archives of kept drafts, so that a book of 10,000 chapters has one ref for nearly all of its drafts in place of one each.
//!
//! An archive is a commit without files. Its parents are the archives before it, and then the last commits of up to [`CAPACITY`]
//! drafts; a trailer a draft gives the name that its ref had. Only the last archive that was made needs a ref. Nothing in it
//! depends on the device or the time of the day: those that gather the same drafts make the same commit.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use git2::{Commit, ObjectType, Oid, Repository};

use crate::domain::Work;
use crate::store::error::{GitContext, Missing, StoreError};
use crate::store::git::commit_id::{Identity, Moment};
use crate::store::git::message::{Kind, Message, Trailers, key};
use crate::store::git::object_store::ObjectStore;
use crate::store::git::objects::Transient;
use crate::store::git::raw_commit::RawCommit;
use crate::store::git::refs::{self, KEPT};
use crate::store::git::tree_edit::{self, Edits};

/// The prefix of the refs of archives.
pub(crate) const ARCHIVES: &str = "refs/novel/kept/archive/";

/// The most drafts of one archive. The last one is made again with more drafts until it is full, so that 10,000 drafts have 157
/// archives, and the largest message has 5 KB.
pub(crate) const CAPACITY: usize = 64;

#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct KeptDraft {
    /// The name of its ref below `refs/novel/kept/`: `ch-048/1a2b3c4d5e`.
    pub(crate) name: String,
    pub(crate) tip: Oid,
}

impl KeptDraft {
    /// The draft that a ref keeps; `None` for a ref that keeps anything else.
    pub(crate) fn of_ref(name: &str, tip: Oid) -> Option<Self> {
        let name = name.strip_prefix(KEPT).filter(|name| is_of_draft(name))?;
        Some(Self { name: name.to_owned(), tip })
    }

    /// The whole name of its ref.
    pub(crate) fn ref_name(&self) -> String {
        format!("{KEPT}{}", self.name)
    }

    /// Reads the value of a trailer; `None` for one that no ref could have made.
    fn parse(value: &str) -> Option<Self> {
        let (name, tip) = value.split_once(' ')?;
        let is_whole = tip.len() == 40 && git2::Reference::is_valid_name(&format!("{KEPT}{name}"));
        Some(Self { name: name.to_owned(), tip: tip.parse().ok().filter(|_| is_whole && is_of_draft(name))? })
    }
}

/// True for the name below `refs/novel/kept/` of a draft: it begins with the work.
fn is_of_draft(name: &str) -> bool {
    name.split_once('/').is_some_and(|(work, rest)| !rest.is_empty() && work.parse::<Work>().is_ok())
}

/// A draft with the seconds of its last commit, by which drafts are put in order.
pub(crate) type Dated = (i64, KeptDraft);

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Archive {
    pub(crate) id: Oid,
    /// The archives that it takes over.
    pub(crate) earlier: Vec<Oid>,
    /// Its own drafts, the oldest first.
    pub(crate) drafts: Vec<KeptDraft>,
}

impl Archive {
    /// Reads an archive; `None` where the commit is missing, or is something else that was given such a name.
    pub(crate) fn read(repo: &Repository, id: Oid) -> Result<Option<Self>, StoreError> {
        let commit = repo.find_commit(id).or_missing("reading an archive")?;
        Ok(commit.as_ref().and_then(Self::of))
    }

    fn of(commit: &Commit<'_>) -> Option<Self> {
        let trailers = Trailers::parse(&String::from_utf8_lossy(commit.message_raw_bytes()));
        if trailers.kind() != Some(Kind::Archive) {
            return None;
        }
        // Only a parent is kept from `git gc`, whatever the message of a commit from elsewhere claims.
        let parents: BTreeSet<Oid> = commit.parent_ids().collect();
        let held = trailers.iter().filter(|(name, _)| *name == key::HOLDS);
        let mut drafts: Vec<KeptDraft> = held.filter_map(|(_, value)| KeptDraft::parse(value)).collect();
        drafts.retain(|draft| parents.contains(&draft.tip));
        let tips: BTreeSet<Oid> = drafts.iter().map(|draft| draft.tip).collect();
        let earlier = commit.parent_ids().filter(|id| !tips.contains(id)).collect();
        Some(Self { id: commit.id(), earlier, drafts })
    }

    /// True when more drafts have room in it.
    pub(crate) fn has_room(&self) -> bool {
        self.drafts.len() < CAPACITY
    }

    pub(crate) fn ref_name(id: Oid) -> String {
        format!("{ARCHIVES}{:.10}", id.to_string())
    }
}

/// The message of an archive of these drafts.
fn message(drafts: &[Dated]) -> String {
    let subject = format!("archive: {} kept drafts", drafts.len());
    let message = Message::new(Kind::Archive, subject.as_str());
    let held =
        |message: Message, (_, draft): &Dated| message.trailer(key::HOLDS, format!("{} {}", draft.name, draft.tip));
    // In English in every book: two devices that see another language of the book have to make the same commit.
    drafts.iter().fold(message, held).render(|_| subject.clone())
}

/// Writes an archive, and returns its id. It is as old as the last of its drafts, or as the archives that it joins.
pub(crate) fn write(store: &Transient<'_>, earlier: &[Oid], drafts: &[Dated]) -> Result<Oid, StoreError> {
    let mut parents: Vec<Commit<'_>> = Vec::new();
    for id in earlier.iter().copied().chain(drafts.iter().map(|(_, draft)| draft.tip)) {
        if parents.iter().all(|parent| parent.id() != id) {
            parents.push(store.repo.find_commit(id).doing("reading a kept draft")?);
        }
    }
    let seconds = parents.iter().map(|parent| parent.time().seconds()).max().unwrap_or(0);
    let signature = Identity::fallback().signature(Moment { seconds, offset_minutes: 0 }).doing("naming the author")?;
    let (parents, text): (Vec<Oid>, String) = (parents.iter().map(Commit::id).collect(), message(drafts));
    let tree = tree_edit::edited(store, None, &Edits::new())?;
    let commit = RawCommit { tree, parents: &parents, author: &signature, committer: &signature, message: &text };
    store.write(ObjectType::Commit, commit.to_bytes())
}

/// The drafts of each archive that is to be made of `drafts`, in order of age: all of them are full but the last.
pub(crate) fn divided(drafts: impl IntoIterator<Item = Dated>) -> Vec<Vec<Dated>> {
    let drafts: Vec<Dated> = drafts.into_iter().collect::<BTreeSet<_>>().into_iter().collect();
    drafts.chunks(CAPACITY).map(<[Dated]>::to_vec).collect()
}

/// The refs of archives and the archive that each of them names.
pub(crate) fn listed(repo: &Repository) -> Result<BTreeMap<String, Oid>, StoreError> {
    let mut found = BTreeMap::new();
    for (name, id) in refs::listed(repo, ARCHIVES)? {
        if Archive::read(repo, id)?.is_some() {
            found.insert(name, id);
        }
    }
    Ok(found)
}

/// Archives, each before those that it takes over.
pub(crate) struct Walk<'r> {
    repo: &'r Repository,
    left: VecDeque<Oid>,
    seen: BTreeSet<Oid>,
    /// Archives that are named and not there, as far as the walk has come.
    pub(crate) missing: Vec<Oid>,
}

impl<'r> Walk<'r> {
    /// Everything that the archives `from` lead to.
    pub(crate) fn from(repo: &'r Repository, from: impl IntoIterator<Item = Oid>) -> Self {
        Self { repo, left: from.into_iter().collect(), seen: BTreeSet::new(), missing: Vec::new() }
    }

    /// The same without the archives `known`, and without those that only these lead to.
    pub(crate) fn beyond(mut self, known: impl IntoIterator<Item = Oid>) -> Self {
        self.seen.extend(known);
        self
    }

    /// Every archive of the book.
    pub(crate) fn of_book(repo: &'r Repository) -> Result<Self, StoreError> {
        Ok(Self::from(repo, listed(repo)?.into_values()))
    }

    /// The drafts of all archives that are left.
    pub(crate) fn drafts(self) -> Result<BTreeSet<KeptDraft>, StoreError> {
        let mut drafts = BTreeSet::new();
        for archive in self {
            drafts.extend(archive?.drafts);
        }
        Ok(drafts)
    }
}

impl Iterator for Walk<'_> {
    type Item = Result<Archive, StoreError>;

    fn next(&mut self) -> Option<Self::Item> {
        while let Some(id) = self.left.pop_front() {
            if !self.seen.insert(id) {
                continue;
            }
            match Archive::read(self.repo, id) {
                Ok(Some(archive)) => {
                    self.left.extend(&archive.earlier);
                    return Some(Ok(archive));
                }
                Ok(None) => self.missing.push(id),
                Err(e) => return Some(Err(e)),
            }
        }
        None
    }
}

/// The last commit of the archived draft with that name below `refs/novel/kept/`.
pub(crate) fn find(repo: &Repository, name: &str) -> Result<Option<Oid>, StoreError> {
    for archive in Walk::of_book(repo)? {
        if let Some(draft) = archive?.drafts.into_iter().find(|draft| draft.name == name) {
            return Ok(Some(draft.tip));
        }
    }
    Ok(None)
}

/// Those of `archives` that are needed to reach every draft of all of them. Every device decides alike.
pub(crate) fn needed(repo: &Repository, archives: impl IntoIterator<Item = Oid>) -> Result<Vec<Oid>, StoreError> {
    let archives: BTreeSet<Oid> = archives.into_iter().collect();
    if archives.len() < 2 {
        return Ok(archives.into_iter().collect());
    }
    let mut all = Vec::new();
    for id in archives {
        all.push((Walk::from(repo, [id]).drafts()?, id));
    }
    all.sort_by_key(|(drafts, id)| (drafts.len(), *id));
    let mut at = 0;
    while at < all.len() {
        let is_elsewhere = |draft: &KeptDraft| {
            all.iter().enumerate().any(|(other, (drafts, _))| other != at && drafts.contains(draft))
        };
        if all.len() > 1 && all[at].0.iter().all(is_elsewhere) {
            all.remove(at);
        } else {
            at += 1;
        }
    }
    Ok(all.into_iter().map(|(_, id)| id).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn draft(chapter: u32, tip: u8) -> KeptDraft {
        let tip: Oid = format!("{tip:02x}").repeat(20).parse().unwrap();
        KeptDraft { name: format!("ch-{chapter:03}/{:.10}", tip.to_string()), tip }
    }

    proptest! {
        /// Every draft once, the oldest first, and as few archives as have room for them; in whichever order they are found.
        #[test]
        fn drafts_are_divided_by_age(
            drafts in prop::collection::vec((0i64..40, (1u32..400, any::<u8>()).prop_map(|(chapter, tip)| draft(chapter, tip))), 0..300),
            turn in any::<prop::sample::Index>(),
        ) {
            let archives = divided(drafts.clone());
            let all: Vec<Dated> = archives.concat();
            let once: BTreeSet<Dated> = drafts.iter().cloned().collect();
            prop_assert!(all.iter().eq(once.iter()));
            prop_assert_eq!(archives.len(), all.len().div_ceil(CAPACITY));
            prop_assert!(archives.iter().rev().skip(1).all(|archive| archive.len() == CAPACITY));
            let mut turned = drafts.clone();
            if !turned.is_empty() {
                let by = turn.index(turned.len());
                turned.rotate_left(by);
            }
            prop_assert_eq!(divided(turned), archives);
        }

        /// A message gives back the drafts that it was made of.
        #[test]
        fn a_message_names_each_draft(drafts in prop::collection::btree_set((0i64..9, (1u32..4000, any::<u8>()).prop_map(|(chapter, tip)| draft(chapter, tip))), 0..=CAPACITY)) {
            let drafts: Vec<Dated> = drafts.into_iter().collect();
            let text = message(&drafts);
            let trailers = Trailers::parse(&text);
            prop_assert_eq!(trailers.kind(), Some(Kind::Archive));
            let read: Vec<KeptDraft> = trailers.iter().filter_map(|(_, value)| KeptDraft::parse(value)).collect();
            prop_assert!(read.iter().eq(drafts.iter().map(|(_, draft)| draft)));
        }
    }

    #[test]
    fn other_kept_things_are_no_drafts() {
        let tip = draft(1, 1).tip;
        for name in ["ch-048/1a2b3c4d5e", "vol-02/1a2b3c4d5e", "world/1a2b3c4d5e", "ch-1000/a/b"] {
            let found = KeptDraft::of_ref(&format!("{KEPT}{name}"), tip).unwrap();
            assert_eq!((found.name.as_str(), found.ref_name()), (name, format!("{KEPT}{name}")));
        }
        for name in [
            "sync/1a2b3c4d5e",
            "archive/1a2b3c4d5e",
            "salvaged/1a2b3c4d5e",
            "lines/a/1a",
            "damaged",
            "ch-048",
            "ch-048/",
        ] {
            assert_eq!(KeptDraft::of_ref(&format!("{KEPT}{name}"), tip), None, "{name}");
        }
        for value in ["ch-048/x y", "ch-048/x 12", "ch-048/.. 0101010101010101010101010101010101010101", "x"] {
            assert_eq!(KeptDraft::parse(value), None, "{value}");
        }
    }
}
