//! The archive of kept drafts: a chain of commits under one ref, so that a book of 10,000 chapters does not have a ref
//! for each draft.
//!
//! A commit of the archive has no files. Its parents are the commit of the archive before it and the last commits of
//! up to [`CAPACITY`] drafts, and a trailer for each draft has the name that its ref had. Two chains, of two devices
//! for example, are joined by a commit that has both as parents. Nothing in a commit depends on the device or the time
//! of the day.
//!
//! Books of earlier versions have the same commits under refs named after them, `refs/novel/kept/archive/1a2b3c4d5e`.
//! They are read with the others, and the next gathering joins them to the chain.

use crate::git::refs::KEPT;
use crate::store::message::{Trailers, key};
use crate::store::prelude::*;
use git2::Commit;

pub(crate) const ARCHIVES: &str = "refs/novel/kept/archive/";

/// The ref of the last commit of the archive. Earlier versions of the program read it as one archive among others.
pub(crate) const CHAIN: &str = "refs/novel/kept/archive/chain";

/// The most drafts of one commit of the archive: its message has 5 KB.
pub(crate) const CAPACITY: usize = 64;

/// A kept draft: the name of its ref below `refs/novel/kept/`, as `ch-048/1a2b3c4d5e`, and its last commit.
pub(crate) type KeptDraft = (String, Oid);

/// The name of a draft below `refs/novel/kept/`, which begins with the work; `None` for a ref that keeps anything else.
pub(crate) fn draft_name(name: &str) -> Option<&str> {
    let name = name.strip_prefix(KEPT)?;
    name.split_once('/').is_some_and(|(work, rest)| !rest.is_empty() && work.parse::<Work>().is_ok()).then_some(name)
}

/// Reads the value of a trailer; `None` for one that no ref could have made.
fn parse(value: &str) -> Option<KeptDraft> {
    let (name, tip) = value.split_once(' ')?;
    let whole = format!("{KEPT}{name}");
    let is_draft = tip.len() == 40 && git2::Reference::is_valid_name(&whole) && draft_name(&whole).is_some();
    Some((name.to_owned(), tip.parse().ok().filter(|_| is_draft)?))
}

pub(crate) struct ArchiveEntry {
    /// The commits of the archive before it.
    earlier: Vec<Oid>,
    pub(crate) drafts: Vec<KeptDraft>,
}

impl ArchiveEntry {
    /// Reads a commit of the archive; `None` where the commit is missing, or is something else.
    pub(crate) fn read(repo: &Repository, id: Oid) -> Result<Option<Self>, StoreError> {
        let Some(commit) = repo.find_commit(id).or_missing("reading an archive")? else { return Ok(None) };
        let trailers = Trailers::parse(&String::from_utf8_lossy(commit.message_raw_bytes()));
        if trailers.kind() != Some(Kind::Archive) {
            return Ok(None);
        }
        // Only a parent is kept from `git gc`, whatever the message of a commit from elsewhere claims.
        let parents: BTreeSet<Oid> = commit.parent_ids().collect();
        let held = trailers.iter().filter(|(name, _)| *name == key::HOLDS).filter_map(|(_, value)| parse(value));
        let drafts: Vec<KeptDraft> = held.filter(|(_, tip)| parents.contains(tip)).collect();
        let tips: BTreeSet<Oid> = drafts.iter().map(|(_, tip)| *tip).collect();
        Ok(Some(Self { earlier: commit.parent_ids().filter(|id| !tips.contains(id)).collect(), drafts }))
    }
}

/// Everything that the refs of archives lead to.
#[derive(Debug, Default)]
pub(crate) struct Archive {
    pub(crate) refs: BTreeMap<String, Oid>,
    pub(crate) drafts: BTreeMap<String, Oid>,
    commits: BTreeSet<Oid>,
    /// The commits that another one goes on from.
    earlier: BTreeSet<Oid>,
}

impl Archive {
    pub(crate) fn of_book(repo: &Repository) -> Result<Self, StoreError> {
        Self::under(repo, refs::listed(repo, ARCHIVES)?.into_iter().collect())
    }

    /// Everything that these refs lead to.
    pub(crate) fn under(repo: &Repository, refs: BTreeMap<String, Oid>) -> Result<Self, StoreError> {
        let mut archive = Self { refs, ..Self::default() };
        let mut left: Vec<Oid> = archive.refs.values().copied().collect();
        let mut seen = BTreeSet::new();
        while let Some(id) = left.pop() {
            if !seen.insert(id) {
                continue;
            }
            let Some(entry) = ArchiveEntry::read(repo, id)? else { continue };
            archive.commits.insert(id);
            archive.drafts.extend(entry.drafts);
            archive.earlier.extend(&entry.earlier);
            left.extend(entry.earlier);
        }
        archive.refs.retain(|_, id| archive.commits.contains(id));
        Ok(archive)
    }

    /// True for the whole name and the commit of a draft or of a chain that is in it.
    pub(crate) fn has(&self, name: &str, id: Oid) -> bool {
        self.commits.contains(&id) || draft_name(name).is_some_and(|name| self.drafts.get(name) == Some(&id))
    }

    /// True when there is a commit of the archive, and each one before it.
    pub(crate) fn is_whole(&self) -> bool {
        !self.refs.is_empty() && self.earlier.is_subset(&self.commits)
    }

    /// The last commit of each chain.
    pub(crate) fn ends(&self) -> Vec<Oid> {
        let ends: BTreeSet<Oid> = self.refs.values().filter(|id| !self.earlier.contains(id)).copied().collect();
        ends.into_iter().collect()
    }

    /// The commits that it needs and that are missing, each with the name of a ref.
    pub(crate) fn missing(&self, repo: &Repository) -> Result<Vec<(String, Oid)>, StoreError> {
        let drafts = self.drafts.iter().map(|(name, tip)| (format!("{KEPT}{name}"), *tip));
        let mut needed: Vec<_> = self.earlier.difference(&self.commits).map(|id| (ref_name(*id), *id)).collect();
        needed.extend(drafts);
        let mut missing = Vec::new();
        for (name, id) in needed {
            if repo.find_commit(id).or_missing("reading a kept draft")?.is_none() {
                missing.push((name, id));
            }
        }
        Ok(missing)
    }
}

/// The name of the ref of a chain that has come from elsewhere.
pub(crate) fn ref_name(id: Oid) -> String {
    format!("{ARCHIVES}{:.10}", id.to_string())
}

/// The message of a commit with these drafts.
fn message(drafts: &[KeptDraft]) -> String {
    let subject = format!("archive: {} kept drafts", drafts.len());
    let message = Message::new(Kind::Archive, subject.as_str());
    let held = |message: Message, (name, tip): &KeptDraft| message.trailer(key::HOLDS, format!("{name} {tip}"));
    // In English in every book: two devices that see another language of the book have to make the same commit.
    drafts.iter().fold(message, held).render(|_| subject.clone())
}

/// Writes a commit that goes on from `earlier` with more drafts, to memory. It is as old as the youngest of its
/// parents.
pub(crate) fn write(repo: &Repository, earlier: &[Oid], drafts: &[KeptDraft]) -> Result<Oid, StoreError> {
    let mut parents: Vec<Commit<'_>> = Vec::new();
    for id in earlier.iter().copied().chain(drafts.iter().map(|(_, tip)| *tip)) {
        if parents.iter().all(|parent| parent.id() != id) {
            parents.push(repo.find_commit(id).doing("reading a kept draft")?);
        }
    }
    let seconds = parents.iter().map(|parent| parent.time().seconds()).max().unwrap_or(0);
    let signature = Identity::fallback().signature(Moment { seconds, offset_minutes: 0 }).doing("naming the author")?;
    let (parents, text): (Vec<Oid>, String) = (parents.iter().map(Commit::id).collect(), message(drafts));
    let tree = tree::edited(repo, None, &TreeEdits::new())?;
    tree::commit(repo, tree, &parents, (&signature, &signature), &text)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        /// A message gives back the drafts that it was made of.
        #[test]
        fn a_message_names_each_draft(drafts in prop::collection::btree_map(1u32..4000, any::<u8>(), 0..=CAPACITY)) {
            let tip = |byte: u8| format!("{byte:02x}").repeat(20).parse::<Oid>().unwrap();
            let drafts: Vec<KeptDraft> =
                drafts.into_iter().map(|(n, byte)| (format!("ch-{n:03}/{byte:010x}"), tip(byte))).collect();
            let text = message(&drafts);
            let trailers = Trailers::parse(&text);
            prop_assert_eq!(trailers.kind(), Some(Kind::Archive));
            let read: Vec<KeptDraft> = trailers.iter().filter_map(|(_, value)| parse(value)).collect();
            prop_assert_eq!(read, drafts);
        }
    }

    #[test]
    fn other_kept_things_are_no_drafts() {
        for name in ["ch-048/1a2b3c4d5e", "vol-02/1a2b3c4d5e", "world/1a2b3c4d5e", "ch-1000/a/b"] {
            assert_eq!(draft_name(&format!("{KEPT}{name}")), Some(name));
        }
        for name in [
            "sync/1a2b3c4d5e",
            "archive/1a2b3c4d5e",
            "archive/chain",
            "salvaged/1a2b3c4d5e",
            "lines/a/1a",
            "damaged",
            "ch-048",
            "ch-048/",
        ] {
            assert_eq!(draft_name(&format!("{KEPT}{name}")), None, "{name}");
        }
        for value in ["ch-048/x y", "ch-048/x 12", "ch-048/.. 0101010101010101010101010101010101010101", "x"] {
            assert_eq!(parse(value), None, "{value}");
        }
    }
}
