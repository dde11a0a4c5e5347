//! Faults of the repository of a book, as data, each finding with a repair that loses nothing.

use crate::git::disk::{Process, TempArea, open_if_there, read_if_there};
use crate::git::filtered::write_settings;
use crate::git::index;
use crate::git::refs::{INTENT, KEPT};
use crate::git::verification::{
    self, VerifiedObjects, expect_whole_book, has_all_objects, loose_object_fault, missing_beside,
};
use crate::store::book::commit_walk::{is_chapter_tag, tag_ref};
use crate::store::book::finding::{NeededFor, RepoFinding, UnfinishedThing};
use crate::store::book::hand_edits;
use crate::store::book::history;
use crate::store::book::init::{exclude_staging, excludes_staging, wrong_settings};
use crate::store::book::line_names::BRANCH_KEY;
use crate::store::book::lock::{self, Holder, OLD_LOCK, Refused, WriterLock};
use crate::store::book::not_writable::unfinished_command;
use crate::store::book::pending_command;
use crate::store::book::repository::{OpenError, open_repository};
use crate::store::book::rescue::{self, put_aside};
use crate::store::book::session::BeginError;
use crate::store::drafts::archive::{ARCHIVES, Archive};
use crate::store::drafts::closing;
use crate::store::drafts::gathering;
use crate::store::drafts::staging;
use crate::store::prelude::*;
use crate::store::subject::Wording;
use git2::ObjectType;
use std::fs;

/// Why a book could not be repaired.
#[derive(Debug, thiserror::Error)]
#[error("{self:?}")]
pub enum RepairError {
    /// Another process is writing.
    #[error(transparent)]
    Begin(#[from] BeginError),
    /// A program that may hold the lock is at work.
    LockInUse { path: PathBuf, user: Process },
    /// The lock is so new that its holder may be at work where it cannot be seen: on another machine, in a container.
    LockTooNew {
        path: PathBuf,
        /// Its age in seconds.
        age: i64,
    },
    /// There is no other copy of it here.
    NotHere(String),
    #[error(transparent)]
    Open(#[from] OpenError),
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl From<Refused> for RepairError {
    fn from(e: Refused) -> Self {
        Self::Begin(e.into())
    }
}

/// Looks at the repository of the book at `root`, whether or not the book can be opened. Changes nothing.
/// Fails when it is no repository that can be read here.
pub fn examine(root: &Path, now: Moment) -> Result<Vec<RepoFinding>, OpenError> {
    let repo = open_repository(root)?;
    expect_whole_book();
    // Loose objects first, and without libgit2: it hangs on a truncated one.
    let mut findings = broken_objects(&repo)?;
    findings.extend(broken_packs(&repo)?);
    let is_damaged = !findings.is_empty();
    let _verified = is_damaged.then(VerifiedObjects::begin);
    findings.extend(lock::found(&repo, now));
    if !is_damaged {
        lost_branches(&repo, &mut findings)?;
    }
    let index = repo.path().join("index");
    let is_gone = fs::metadata(&index).map_or(true, |meta| meta.len() == 0);
    let is_bad = match index::open(&index) {
        _ if is_gone => repo.head().is_ok(),
        Err(StoreError::Damaged { .. }) => index::unsupported_feature(&index).is_none(),
        index => {
            let null = index?.iter().filter(|entry| entry.id.is_zero()).collect::<Vec<_>>();
            let paths = null.into_iter().filter_map(|entry| String::from_utf8(entry.path).ok());
            findings.extend(paths.map(|path| RepoFinding::NullEntry { path }));
            false
        }
    };
    if is_bad {
        findings.push(RepoFinding::BadIndex);
    }
    if !is_damaged && !findings.iter().any(|f| matches!(f, RepoFinding::LostBranch { .. })) {
        let book = Book::open(root, |_, _| String::new())?;
        missing_objects(&repo, book.tip()?.oid(), &mut findings)?;
        let is_cut = |finding: &RepoFinding| {
            matches!(finding, RepoFinding::MissingObject { .. } | RepoFinding::LostBranch { .. })
        };
        if !findings.iter().any(is_cut) {
            lost_refs(&book, &mut findings)?;
        }
        // Tags and drafts are judged by the history and its chapters, so they must be whole.
        if !findings.iter().any(is_cut) {
            examine_refs(&book, &mut findings)?;
        }
    }
    for (name, should) in wrong_settings(&repo)? {
        findings.push(RepoFinding::WrongSetting { name: name.to_owned(), should: should.to_owned() });
    }
    if !excludes_staging(&repo) {
        findings.push(RepoFinding::NotExcluded);
    }
    Ok(findings)
}

/// Repairs `finding` in the book at `root`. Damaged files are put aside, never deleted.
/// Fails with [`RepairError`]; what could not be repaired is as it was.
pub fn repair(
    root: &Path,
    finding: &RepoFinding,
    holder: &Holder,
    wait: Wait,
    wording: Wording,
) -> Result<(), RepairError> {
    let repo = open_repository(root)?;
    let _verified = VerifiedObjects::begin();
    let private = repo.commondir().join("novel");
    match finding {
        RepoFinding::BrokenObject { id, path, .. } => {
            let _lock = WriterLock::take(&private, holder, &wait)?;
            put_aside(&private, path)?;
            restored(root, id)
        }
        RepoFinding::BrokenPack { name, .. } => {
            let _lock = WriterLock::take(&private, holder, &wait)?;
            let lost = rescue::restore_pack(&repo, name)?;
            // The next look finds missing objects that the book needs.
            rescue::restore_objects(root, &open_repository(root)?, lost)?;
            Ok(())
        }
        RepoFinding::MissingObject { id, .. } => {
            let _lock = WriterLock::take(&private, holder, &wait)?;
            restored(root, id)
        }
        RepoFinding::LostBranch { name, at, last_whole } => {
            let _lock = WriterLock::take(&private, holder, &wait)?;
            let to = last_whole.ok_or_else(|| RepairError::NotHere(format!("a whole commit of {name}")))?;
            let file = repo.commondir().join(name);
            if file.exists() {
                put_aside(&private, &file)?;
            }
            let why = format!("novel: doctor (was {at})");
            Ok(refs::set(&repo, &wait, name, to.oid(), &why)?)
        }
        RepoFinding::StrayLock { path, .. } => {
            let _lock = WriterLock::take(&private, holder, &wait)?;
            // As it is now: minutes may have passed over a question to the author.
            let Some(RepoFinding::StrayLock { age, users, ours, .. }) = lock::look(&repo, path, holder.since) else {
                return Ok(());
            };
            let path = path.clone();
            match users.into_iter().next() {
                _ if ours => {}
                Some(user) => return Err(RepairError::LockInUse { path, user }),
                None if age.is_some_and(|age| age < OLD_LOCK) => {
                    return Err(RepairError::LockTooNew { path, age: age.unwrap_or(0) });
                }
                None => {}
            }
            Ok(put_aside(&private, &path)?)
        }
        RepoFinding::WrongTag { .. } => {
            Ok(history::retag(&pending_command::begin(&Book::open(root, wording)?, holder, wait)?).map(drop)?)
        }
        RepoFinding::WrongSetting { name, should } => {
            let _lock = WriterLock::take(&private, holder, &wait)?;
            Ok(write_settings(&repo, &[(name, should)])?)
        }
        RepoFinding::NullEntry { path } => {
            let book = Book::open(root, wording)?;
            let session = pending_command::begin(&book, holder, wait)?;
            let blob = tree::blob_at(&book.commit_tree(book.tip()?.oid())?, path);
            Ok(hand_edits::reset_index(&session, &TreeEdits::from([(path.clone(), blob)])).map_err(BeginError::from)?)
        }
        RepoFinding::NotExcluded => Ok(exclude_staging(&repo)?),
        RepoFinding::Unfinished { .. } | RepoFinding::BadIndex => {
            if *finding == RepoFinding::BadIndex {
                let _lock = WriterLock::take(&private, holder, &wait)?;
                put_aside(&private, &repo.path().join("index"))?;
            }
            // A session finishes what is unfinished, and makes an index that is not there.
            pending_command::begin(&Book::open(root, wording)?, holder, wait)?;
            Ok(())
        }
    }
}

/// Finds the object `id` in a pack, or makes it again from a file that still has its bytes.
fn restored(root: &Path, id: &str) -> Result<(), RepairError> {
    let oid = Oid::from_str(id).doing("reading an id")?;
    let lost = rescue::restore_objects(root, &open_repository(root)?, BTreeSet::from([oid]))?;
    if lost.is_empty() { Ok(()) } else { Err(RepairError::NotHere(format!("the object {id}"))) }
}

/// Brings back what `findings` say is missing, with all that it needs, from the folder of the book and then from its remotes,
/// which the user's git asks; `derived` has contents that follow from others. Findings of other kinds are left alone.
/// Fails when the repository cannot be read or written. Objects that are nowhere are no error: the next look finds them missing.
pub fn restore_missing(
    root: &Path,
    findings: &[RepoFinding],
    derived: Vec<Vec<u8>>,
    holder: &Holder,
    wait: &Wait,
) -> Result<(), RepairError> {
    let repo = open_repository(root)?;
    let _lock = WriterLock::take(&repo.commondir().join("novel"), holder, wait)?;
    let mut wanted = BTreeSet::new();
    for finding in findings {
        match finding {
            RepoFinding::MissingObject { id, .. } => wanted.extend(Oid::from_str(id).ok()),
            RepoFinding::LostBranch { name, at, .. } => {
                wanted.extend(Oid::from_str(at).ok());
                // Failing the commit itself, the newest one before it that a remote has.
                wanted.extend(rescue::earlier(&repo, name));
            }
            _ => {}
        }
    }
    // One visit to a remote is enough: drafts, tags and what is staged are sought with the book.
    wanted.extend(rescue::staged(&repo)?);
    wanted.extend(refs::listed(&repo, "refs/").unwrap_or_default().into_iter().map(|(_, id)| id));
    let lost = rescue::restore_objects(root, &repo, wanted)?;
    let lost = rescue::restore_contents(&repo, derived, lost)?;
    if !lost.is_empty() {
        rescue::restore_from_remotes(root, &repo, &lost)?;
    }
    Ok(())
}

/// Puts the ref `name` aside, whose commit is nowhere to be had, so that git works without it: its name and its commit are
/// written down in `.git/novel/aside/refs`. If the archive of kept drafts needs the commit, every draft that can be found has a ref
/// of its own again.
pub fn put_ref_aside(root: &Path, name: &str, holder: &Holder, wait: &Wait) -> Result<(), RepairError> {
    let repo = open_repository(root)?;
    let private = repo.commondir().join("novel");
    let _lock = WriterLock::take(&private, holder, wait)?;
    let mut lost: BTreeMap<String, Oid> = Archive::of_book(&repo)?.missing(&repo)?.into_iter().collect();
    let is_torn = !lost.is_empty() || name.starts_with(ARCHIVES);
    lost.extend(refs::target(&repo, name)?.map(|id| (name.to_owned(), id)));
    note_aside(&private, &lost)?;
    if is_torn {
        gathering::take_apart(&Book::open(root, |_, _| String::new())?, wait)?;
    }
    Ok(refs::delete(&repo, wait, name)?)
}

/// Writes down names of refs, each with the commit that it had.
fn note_aside(private: &Path, lost: &BTreeMap<String, Oid>) -> Result<(), StoreError> {
    let aside = private.join("aside");
    fs::create_dir_all(&aside).at("creating", &aside)?;
    let mut noted = read_if_there(&aside.join("refs"))?.unwrap_or_default();
    let known = String::from_utf8_lossy(&noted).into_owned();
    let lines = lost.iter().map(|(name, id)| format!("{id} {name}\n"));
    let new: String = lines.filter(|line| !known.contains(line)).collect();
    if new.is_empty() {
        return Ok(());
    }
    noted.extend_from_slice(new.as_bytes());
    TempArea::new(private.join("tmp")).replace(&aside.join("refs"), &noted)
}

/// The newest whole commit of the book's branch, with its first line; `None` where no commit is whole.
/// Fails when it is no repository that can be read here.
pub fn newest_whole(root: &Path) -> Result<Option<(CommitId, String)>, OpenError> {
    let repo = open_repository(root)?;
    for name in branches(&repo)? {
        let tips = refs::target(&repo, &name).ok().flatten().into_iter().chain(rescue::earlier(&repo, &name));
        for tip in tips {
            if let Some((id, subject)) = rescue::newest_whole(&repo, tip)? {
                return Ok(Some((id.into(), subject)));
            }
        }
    }
    Ok(None)
}

/// The author's own merge, rebase or the like that is not finished, by the git command that began it.
/// Fails when it is no repository that can be read here.
pub fn in_progress(root: &Path) -> Result<Option<&'static str>, OpenError> {
    Ok(unfinished_command(&open_repository(root)?))
}

/// Every loose object whose file is not what its name says.
fn broken_objects(repo: &Repository) -> Result<Vec<RepoFinding>, StoreError> {
    let objects = repo.commondir().join("objects");
    let mut found = Vec::new();
    for folder in fs::read_dir(&objects).at("reading", &objects)?.flatten() {
        let Some(prefix) = folder.file_name().to_str().filter(|n| n.len() == 2).map(str::to_owned) else { continue };
        for entry in fs::read_dir(folder.path()).into_iter().flatten().flatten() {
            let name = entry.file_name().to_string_lossy().into_owned();
            let id = format!("{prefix}{name}");
            let Some(oid) = Oid::from_str(&id).ok().filter(|_| id.len() == 40) else { continue };
            let path = entry.path();
            let bytes = fs::read(&path).at("reading", &path)?;
            if let Some(why) = loose_object_fault(&bytes, oid) {
                found.push(RepoFinding::BrokenObject { id, path, why });
            }
        }
    }
    Ok(found)
}

/// Every pack that is not what its checksum says, or whose index is not.
fn broken_packs(repo: &Repository) -> Result<Vec<RepoFinding>, StoreError> {
    let folder = repo.commondir().join("objects/pack");
    let mut found = Vec::new();
    for entry in fs::read_dir(&folder).into_iter().flatten().flatten() {
        let index = entry.path();
        let name = index.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        // Without a pack git passes an index over; and a writer may replace both while we look.
        if index.extension().is_some_and(|ending| ending == "idx")
            && let Some(pack) = open_if_there(&index.with_extension("pack"))?
            && let Some(opened) = open_if_there(&index)?
            && let Some(why) = verification::fault_of(pack)
                .at("reading", &index)?
                .or(verification::fault_of(opened).at("reading", &index)?)
        {
            found.push(RepoFinding::BrokenPack { name, why });
        }
    }
    Ok(found)
}

/// The full names of the branches that the book may be on: the one that is written down, and the one that is checked out.
fn branches(repo: &Repository) -> Result<BTreeSet<String>, StoreError> {
    let config = repo.config().doing("reading the configuration")?;
    let head = repo.find_reference("HEAD").or_missing("reading HEAD").ok().flatten();
    let head = head.as_ref().and_then(|h| h.symbolic_target().ok().flatten().map(str::to_owned));
    let mut names: BTreeSet<String> = head.into_iter().collect();
    names.extend(config.get_string(BRANCH_KEY).ok().map(|b| format!("refs/heads/{b}")));
    Ok(names)
}

/// Branches of the book whose commit cannot be read.
fn lost_branches(repo: &Repository, findings: &mut Vec<RepoFinding>) -> Result<(), StoreError> {
    for name in branches(repo)? {
        let at = repo.find_reference(&name).ok().and_then(|r| r.target());
        let is_whole = |id: Oid| repo.find_commit(id).and_then(|c| c.tree()).is_ok();
        if at.is_some_and(is_whole) || (at.is_none() && !repo.commondir().join(&name).exists()) {
            continue;
        }
        let last_whole = rescue::earlier(repo, &name).into_iter().find(|id| is_whole(*id)).map(CommitId::from);
        findings.push(RepoFinding::LostBranch { name, at: at.map(|a| a.to_string()).unwrap_or_default(), last_whole });
    }
    Ok(())
}

/// Objects that commits of the line of `tip` need and that are not there.
fn missing_objects(repo: &Repository, tip: Oid, findings: &mut Vec<RepoFinding>) -> Result<(), StoreError> {
    if has_all_objects(repo, tip) {
        return Ok(());
    }
    let odb = repo.odb().doing("opening the object store")?;
    // Each commit names all folders and files of the book again, so nearly every look-up finds what it looks for.
    let mut seen = BTreeSet::from([tip]);
    let mut commits = vec![tip];
    while let Some(id) = commits.pop() {
        let Some(commit) = repo.find_commit(id).or_missing("reading a commit")? else {
            let is_edge = repo.is_shallow();
            if !is_edge {
                let needed_for = NeededFor::History;
                findings.push(RepoFinding::MissingObject { id: id.to_string(), needed_for });
            }
            continue;
        };
        commits.extend(commit.parent_ids().filter(|id| seen.insert(*id)));
        let mut trees = Vec::new();
        if seen.insert(commit.tree_id()) {
            trees.push((commit.tree_id(), String::new()));
        }
        while let Some((id, prefix)) = trees.pop() {
            let Some(tree) = repo.find_tree(id).or_missing("reading a tree")? else {
                let needed_for = NeededFor::Folder(prefix, commit.id().into());
                findings.push(RepoFinding::MissingObject { id: id.to_string(), needed_for });
                continue;
            };
            for entry in tree.iter().filter(|entry| entry.kind() != Some(ObjectType::Commit) && seen.insert(entry.id()))
            {
                let path = format!("{prefix}{}", String::from_utf8_lossy(entry.name_bytes()));
                match entry.kind() {
                    Some(ObjectType::Tree) => trees.push((entry.id(), format!("{path}/"))),
                    Some(ObjectType::Blob) if !odb.exists(entry.id()) => {
                        let needed_for = NeededFor::File(path, commit.id().into());
                        findings.push(RepoFinding::MissingObject { id: entry.id().to_string(), needed_for });
                    }
                    _ => {}
                }
            }
        }
    }
    Ok(())
}

/// Refs that name something that is not there, of whatever kind: git packs nothing as long as there is one.
fn lost_refs(book: &Book, findings: &mut Vec<RepoFinding>) -> Result<(), StoreError> {
    let (repo, tip) = (&book.repo, book.tip()?.oid());
    let mut missing = Archive::of_book(repo)?.missing(repo)?;
    // Tags of chapters follow from the history of the main line.
    let follows = |name: &str| book.is_main_line() && is_chapter_tag(name);
    for (name, id) in refs::listed(repo, "refs/")?.into_iter().filter(|(name, _)| !follows(name)) {
        let lost = match [KEPT, "refs/tags/"].iter().any(|many| name.starts_with(many)) {
            // There is one for each chapter, and all that they need would take long to look at.
            true => Some(id).filter(|id| repo.find_object(*id, None).is_err()),
            false => missing_beside(repo, id, tip)?,
        };
        missing.extend(lost.map(|id| (name, id)));
    }
    for (name, id) in missing {
        let is_whole = |id: &Oid| missing_beside(repo, *id, tip).is_ok_and(|lost| lost.is_none());
        let is_branch = name.starts_with("refs/heads/");
        let earlier = if is_branch { rescue::earlier(repo, &name).into_iter().find(is_whole) } else { None };
        findings.push(match earlier {
            Some(last) => RepoFinding::LostBranch { name, at: id.to_string(), last_whole: Some(last.into()) },
            None => RepoFinding::MissingObject { id: id.to_string(), needed_for: NeededFor::Ref(name) },
        });
    }
    Ok(())
}

fn examine_refs(book: &Book, findings: &mut Vec<RepoFinding>) -> Result<(), StoreError> {
    let repo = &book.repo;
    if refs::target(repo, INTENT)?.is_some() {
        findings.push(RepoFinding::Unfinished { what: UnfinishedThing::Transaction });
    }
    for (name, should) in history::wrong_tags(book)? {
        findings.push(RepoFinding::WrongTag { name, should });
    }
    let drafts = closing::every_draft(book)?;
    for (chapter, tip) in drafts.iter().filter_map(|(work, tip)| Some((work.chapter()?, tip))) {
        let accepted = refs::target(repo, &tag_ref(chapter))?;
        let draft = accepted.map(|id| book.transaction(id.into())).transpose()?;
        if draft.is_some_and(|t| t.trailers.read::<CommitId>(crate::store::message::key::DRAFT) == Some(*tip)) {
            findings.push(RepoFinding::Unfinished { what: UnfinishedThing::Draft });
        }
    }
    let staging = staging::of_book(book);
    if staging.exists() || !staging.unrecorded()?.is_empty() {
        let shown = staging.branch().and_then(|b| refs::target(repo, &b).ok().flatten());
        if shown.is_none() || !staging.is_at(shown) {
            findings.push(RepoFinding::Unfinished { what: UnfinishedThing::Staging });
        }
    }
    Ok(())
}
