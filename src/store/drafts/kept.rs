//! Everything that is kept, by its names, and drafts and kept lines in a sync: looking at them, moving them, putting them aside.

use crate::git::refs::{KEPT, Swap};
use crate::store::book::commit_walk::tag_ref;
use crate::store::drafts::archive::{ARCHIVES, Archive};
use crate::store::drafts::closing::{self, DraftEnding};
use crate::store::drafts::draft::{self, DraftError};
use crate::store::drafts::staging;
use crate::store::prelude::*;

/// Returns the name of something kept by the ref that keeps it: `ch-003/1bb9dfc393` for
/// `refs/novel/kept/ch-003/1bb9dfc393`; `None` for any other ref.
pub fn kept_name(name: &str) -> Option<&str> {
    name.strip_prefix(KEPT)
}

/// Returns the ref that keeps something of that name.
pub fn kept_ref(name: &str) -> String {
    format!("{KEPT}{name}")
}

/// Everything that is kept: the name of its ref below `refs/novel/kept/`, or the name that the ref of a draft had before it
/// was gathered into the archive, with its last commit.
pub fn kept_refs(book: &Book) -> Result<Vec<(String, CommitId)>, StoreError> {
    let kept = kept_below(book, "")?.into_iter();
    Ok(kept.map(|(name, tip)| (name, tip.into())).collect())
}

/// The kept refs whose names begin with `prefix` below `refs/novel/kept/`, each with its last commit, those in the archive included.
pub(super) fn kept_below(book: &Book, prefix: &str) -> Result<BTreeMap<String, Oid>, StoreError> {
    let mut kept = BTreeMap::new();
    // The refs first: a draft is in the archive before its ref goes.
    for (name, tip) in refs::listed(&book.repo, &format!("{KEPT}{prefix}"))? {
        if let Some(name) = kept_name(&name).filter(|_| !name.starts_with(ARCHIVES)) {
            kept.insert(name.to_owned(), tip);
        }
    }
    for (name, tip) in Archive::of_book(&book.repo)?.drafts {
        if name.starts_with(prefix) {
            kept.entry(name).or_insert(tip);
        }
    }
    Ok(kept)
}

/// The last commit of the kept thing of that name, which is that of its ref below `refs/novel/kept/`.
pub fn kept_named(book: &Book, name: &str) -> Result<Option<CommitId>, StoreError> {
    let whole = kept_ref(name);
    if !git2::Reference::is_valid_name(&whole) {
        return Ok(None);
    }
    let found = match refs::target(&book.repo, &whole)? {
        None => Archive::of_book(&book.repo)?.drafts.remove(name),
        found => found,
    };
    Ok(found.map(CommitId::from))
}

/// The kept drafts that are open no more, accepted or not, with the last commit of each.
pub fn kept_drafts(book: &Book) -> Result<Vec<(Work, CommitId)>, StoreError> {
    let work = |name: &str| name.split('/').next()?.parse().ok();
    Ok(kept_refs(book)?.into_iter().filter_map(|(name, tip)| Some((work(&name)?, tip))).collect())
}

/// Tags of chapters begin with it, and some of the author's may.
pub(crate) const TAGS: &str = "refs/tags/ch-";

/// True for the whole name of the tag of a chapter.
pub(crate) fn is_chapter_tag(name: &str) -> bool {
    let chapter = name.strip_prefix("refs/tags/").and_then(|tag| tag.parse().ok());
    chapter.is_some_and(|chapter| tag_ref(chapter) == name)
}

/// Every branch of a draft in this copy, with its tip.
pub fn draft_branches(book: &Book) -> Result<BTreeMap<Work, CommitId>, StoreError> {
    Ok(closing::every_draft(book)?.into_iter().collect())
}

/// True when the draft of `work` that ends with `tip` is open: neither accepted nor overtaken by the book.
pub fn is_open_draft(book: &Book, work: Work, tip: CommitId) -> Result<bool, StoreError> {
    Ok(matches!(closing::ending(book, work, tip)?, DraftEnding::Open | DraftEnding::Uprooted))
}

/// How many commits a draft has of its own, and when the last one was made.
pub fn draft_extent(book: &Book, tip: CommitId) -> Result<(usize, i64), StoreError> {
    let time = book.repo.find_commit(tip.oid()).doing("reading a draft")?.time().seconds();
    let base = draft::begin_of(book, tip.oid())?.map(CommitId::from);
    Ok((book.beyond(tip, base)?.len(), time))
}

/// The refs below `refs/novel/kept/`, by their whole names: one for all drafts of the archive.
pub fn kept_names(book: &Book) -> Result<BTreeMap<String, CommitId>, StoreError> {
    Ok(refs::listed(&book.repo, KEPT)?.into_iter().map(|(name, id)| (name, id.into())).collect())
}

/// True when `tip` is, or is in the history of, something that is kept of `work`.
pub fn is_kept(book: &Book, work: Work, tip: CommitId) -> Result<bool, StoreError> {
    for kept in kept_below(book, &format!("{work}/"))?.into_values() {
        if draft::reaches(book, kept, tip.oid())? {
            return Ok(true);
        }
    }
    Ok(false)
}

/// The ref that keeps the draft of `work` that ends with `tip`, or one that goes on from it. The archive is not looked at, so that
/// accepting a chapter costs the same in a long book; a draft that the archive has gets a ref until the next gathering.
fn kept_as(book: &Book, work: Work, tip: CommitId) -> Result<Option<String>, StoreError> {
    for (name, kept) in refs::listed(&book.repo, &format!("{KEPT}{work}/"))? {
        if draft::reaches(book, kept, tip.oid())? {
            return Ok(Some(name));
        }
    }
    Ok(None)
}

/// The tags of chapters, by the whole names of the refs.
pub fn chapter_tags(book: &Book) -> Result<BTreeMap<String, CommitId>, StoreError> {
    let tags = refs::listed(&book.repo, TAGS)?.into_iter().filter(|(name, _)| is_chapter_tag(name));
    Ok(tags.map(|(name, id)| (name, id.into())).collect())
}

pub fn ref_target(book: &Book, name: &str) -> Result<Option<CommitId>, StoreError> {
    Ok(refs::target(&book.repo, name)?.map(CommitId::from))
}

impl Session<'_> {
    /// Keeps the draft of `work` that ends with `tip`. Returns the whole name of the ref: that of another device, say, where
    /// the draft is part of something that is kept already.
    pub fn keep_draft(&self, work: Work, tip: CommitId) -> Result<String, StoreError> {
        match kept_as(self.book, work, tip)? {
            Some(name) => Ok(name),
            None => self.keep(&format!("{work}/{}", tip.short()), tip.oid()),
        }
    }
}

/// Commits what the author did in `staging/` to the draft that it shows.
pub fn adopt_staging(session: &Session<'_>, author: &Identity, time: Moment) -> Result<(), DraftError> {
    let staging = staging::of_book(session.book);
    let (Some(work), Some(scope)) = (draft::shown(session.book), staging.scope()) else { return Ok(()) };
    if draft::staging_edits(session.book)?.is_empty() {
        return Ok(());
    }
    draft::open_draft(session, work, scope)?.adopt_edits(author, time)?;
    Ok(())
}

/// Moves the branch of a draft, or makes it, and brings `staging/` up where it shows the draft.
pub fn move_draft(session: &Session<'_>, work: Work, from: Option<CommitId>, to: CommitId) -> Result<(), StoreError> {
    let (book, name) = (session.book, session.book.draft_ref(work));
    let swap = Swap { name: &name, old: from.map(CommitId::oid), new: to.oid(), why: "novel: sync" };
    refs::swap(&book.repo, &session.wait, swap)?;
    abort_at("sync.draft");
    let staging = staging::of_book(book);
    if staging.branch().as_deref() == Some(name.as_str())
        && let Some(scope) = staging.scope()
    {
        staging.show(&name, to.oid(), &scope)?;
    }
    Ok(())
}

/// Keeps a commit reachable as `name` below `refs/novel/kept/`. Returns the whole name.
pub fn keep_line(session: &Session<'_>, name: &str, id: CommitId) -> Result<String, StoreError> {
    session.keep(name, id.oid())
}

/// Points a ref that only notes where the remote is, or deletes it.
pub fn note_tracking(session: &Session<'_>, name: &str, id: Option<CommitId>) -> Result<(), StoreError> {
    match id {
        Some(id) => refs::set(&session.book.repo, &session.wait, name, id.oid(), "novel: sync"),
        None => refs::delete(&session.book.repo, &session.wait, name),
    }
}
