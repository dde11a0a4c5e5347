//! Work in flight on several devices. A draft is never overwritten: where two devices have continued the same one, the
//! one that has got further stays, and the other is kept under a name of its own.

use crate::pipeline::prelude::*;
use crate::pipeline::sync::conflict::SyncEvent;
use crate::store::remote;
use crate::store::{self, HistoryRelation, Listing, RefMove, Remote};

/// The drafts of the remote as this copy knew them before it asked.
pub(super) type KnownDrafts = BTreeMap<Work, CommitId>;

/// The name of a draft's branch without what git puts before it.
pub(super) fn branch(work: Work) -> String {
    format!("draft/{work}")
}

/// The remote's drafts as they were known at the last sync.
pub(super) fn known_drafts(run: &Run<'_>, remote: &Remote<'_>, listing: &Listing) -> Result<KnownDrafts, RunError> {
    let book = run.session.book();
    let here = store::kept::draft_branches(book)?.into_keys();
    let mut known = KnownDrafts::new();
    for work in here.chain(listing.drafts().into_keys()) {
        if let Some(id) = store::kept::ref_target(book, &remote.tracking(&branch(work)))? {
            known.insert(work, id);
        }
    }
    Ok(known)
}

/// Brings the drafts of both sides together. Returns the moves that the remote needs.
pub(super) fn join_drafts(
    run: &Run<'_>,
    listing: &Listing,
    known: &KnownDrafts,
    remote: &Remote<'_>,
) -> Result<Vec<RefMove>, RunError> {
    let book = run.session.book();
    let (ours, theirs) = (store::kept::draft_branches(book)?, fetched_drafts(run, listing, remote)?);
    let works: BTreeSet<Work> = ours.keys().chain(theirs.keys()).copied().collect();
    let mut moves = Vec::new();
    for work in works {
        let sides = [ours.get(&work).copied(), theirs.get(&work).copied()];
        let stays = joined(run, work, sides, known.get(&work).copied())?;
        if stays != sides[1] {
            let name = format!("refs/heads/{}", branch(work));
            moves.push(RefMove { name, old: sides[1], new: stays });
        }
    }
    Ok(moves)
}

fn fetched_drafts(run: &Run<'_>, listing: &Listing, remote: &Remote<'_>) -> Result<BTreeMap<Work, CommitId>, RunError> {
    let mut found = BTreeMap::new();
    for work in listing.drafts().into_keys() {
        found
            .extend(store::kept::ref_target(run.session.book(), &remote.tracking(&branch(work)))?.map(|id| (work, id)));
    }
    Ok(found)
}

/// Settles one draft in this copy. Returns the tip that both sides are to have; `None` where it is closed.
fn joined(
    run: &Run<'_>,
    work: Work,
    [ours, theirs]: [Option<CommitId>; 2],
    known: Option<CommitId>,
) -> Result<Option<CommitId>, RunError> {
    let book = run.session.book();
    let is_open = |tip: CommitId| store::kept::is_open_draft(book, work, tip);
    if let Some(theirs) = theirs
        && !is_open(theirs)?
    {
        // Accepted, or left behind by the book; nothing of it may be lost.
        run.session.keep_draft(work, theirs)?;
        return joined(run, work, [ours, None], ours.filter(|ours| *ours == theirs));
    }
    match (ours, theirs) {
        (Some(ours), _) if !is_open(ours)? => {
            run.session.close_draft(work)?;
            Ok(theirs.map(|theirs| take_draft(run, work, None, theirs)).transpose()?)
        }
        // Closed on the other device since the last sync, and not continued here.
        (Some(ours), None) if known == Some(ours) => {
            run.session.close_draft(work)?;
            Ok(None)
        }
        (Some(ours), None) => Ok(Some(ours)),
        // Closed here.
        (None, Some(theirs)) if known == Some(theirs) && store::kept::is_kept(book, work, theirs)? => Ok(None),
        (None, Some(theirs)) => Ok(Some(take_draft(run, work, None, theirs)?)),
        (Some(ours), Some(theirs)) => match remote::history::relation(book, ours, theirs)? {
            HistoryRelation::Same | HistoryRelation::Ahead => Ok(Some(ours)),
            HistoryRelation::Behind => Ok(Some(take_draft(run, work, Some(ours), theirs)?)),
            // One of them is as it was at the last sync; the other was put on a newer book since.
            _ if known == Some(ours) => {
                run.session.keep_draft(work, ours)?;
                Ok(Some(take_draft(run, work, Some(ours), theirs)?))
            }
            _ if known == Some(theirs) => {
                run.session.keep_draft(work, theirs)?;
                Ok(Some(ours))
            }
            HistoryRelation::Diverged(_) | HistoryRelation::Unrelated => further(run, work, ours, theirs).map(Some),
        },
        (None, None) => Ok(None),
    }
}

/// Keeps the shorter draft aside; the other stays.
fn further(run: &Run<'_>, work: Work, ours: CommitId, theirs: CommitId) -> Result<CommitId, RunError> {
    let book = run.session.book();
    // Ids decide between equals, so that both devices agree.
    let extent = |tip: CommitId| Ok::<_, RunError>((store::kept::draft_extent(book, tip)?, tip));
    let (stays, goes) = if extent(ours)? >= extent(theirs)? { (ours, theirs) } else { (theirs, ours) };
    let kept = run.session.keep_draft(work, goes)?;
    if stays == theirs {
        store::kept::move_draft(run.session, work, Some(ours), theirs)?;
    }
    run.tell(Event::Sync(SyncEvent::DraftKept { work, kept }));
    Ok(stays)
}

fn take_draft(run: &Run<'_>, work: Work, from: Option<CommitId>, to: CommitId) -> Result<CommitId, RunError> {
    store::kept::move_draft(run.session, work, from, to)?;
    run.tell(Event::Sync(SyncEvent::DraftTaken { work }));
    Ok(to)
}
