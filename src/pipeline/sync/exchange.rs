//! A sync: the refs of the remote are listed, what is missing is fetched, the two lines are brought together, and everything
//! that the remote lacks is pushed in one go, each ref with the value that it is expected to have. When the remote has moved
//! meanwhile, it begins again.

use crate::pipeline::book::hand_edits::{self, MissingChapters};
use crate::pipeline::book::on_disk::refuse_unsound;
use crate::pipeline::engine::commits;
use crate::pipeline::engine::run::Network;
use crate::pipeline::planning::volume;
use crate::pipeline::prelude::*;
use crate::pipeline::sync::conflict::{Conflicts, Side, SyncError, SyncEvent, Take};
use crate::pipeline::sync::drafts;
use crate::pipeline::sync::merge::{self, Merge};
use crate::store::remote;
use crate::store::{
    self, HistoryRelation, Listing, Proposal, Pushed, RefMove, Remote, RemoteError, RemoteName, is_address,
    is_line_name, kept_ref,
};
use serde::Serialize;
use std::time::Duration;

/// So often a sync begins again while others push.
const ATTEMPTS: u32 = 8;

#[derive(Debug, Clone, Default)]
pub struct SyncRequest {
    /// The remote, by name or by address; `None` for the book's own.
    pub remote: Option<String>,
    /// The answer to conflicts; `None` to be asked.
    pub take: Option<Take>,
    /// True to fetch and to say what would be done, and to do nothing else.
    pub dry_run: bool,
}

/// Commits that went one way.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Exchanged {
    pub commits: usize,
    /// The chapters that they accept, in order.
    pub chapters: BTreeSet<ChapterNo>,
}

impl Exchanged {
    fn of(commits: &[Transaction]) -> Self {
        Self { commits: commits.len(), chapters: commits.iter().filter_map(Transaction::accepts).collect() }
    }
}

/// How a sync ended.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct SyncOutcome {
    pub remote: String,
    pub received: Exchanged,
    /// Sent commits, or those that would be sent.
    pub sent: Exchanged,
    pub drafts_received: BTreeSet<Work>,
    pub drafts_sent: BTreeSet<Work>,
    /// Other lines that have come to the remote since the last sync, and of which this copy has no branch.
    pub lines_found: BTreeSet<String>,
    /// Other lines of which the remote had an older state.
    pub lines_sent: BTreeSet<String>,
    /// The commit that merged two lines, shortened.
    pub merged: Option<String>,
    /// The side that was taken where the author had to choose.
    pub took: Option<&'static str>,
    /// The ref that keeps the line that was not taken, or that waits.
    pub kept: Option<String>,
    /// Refs that the remote refuses, with its reasons.
    pub refused: Vec<(String, String)>,
    /// The conflicts that the author settles, or has put off.
    #[serde(skip_serializing_if = "Conflicts::is_empty")]
    pub conflicts: Conflicts,
}

enum SyncAttempt {
    Done,
    Again,
}

/// Brings this copy and its remote together.
/// Fails with [`SyncError`]. Conflicts without a choice are no error: nothing is changed then, and the outcome names them.
pub fn sync_with_remote(run: &Run<'_>, request: &SyncRequest) -> Result<SyncOutcome, RunError> {
    let network = network(run)?;
    let book = run.session.book();
    if remote::history::is_shallow(book) {
        return Err(SyncError::Remote(RemoteError::Shallow).into());
    }
    let known = remote::name::remotes(book)?;
    let remote = remote_for(run, network, request.remote.as_deref())?;
    let is_new = !known.iter().any(|name| name == remote.name());
    if request.dry_run {
        refuse_unsound(book, MissingChapters::Stop)?;
    } else {
        hand_edits::commit_local_changes(run)?;
        store::kept::adopt_staging(run.session, &run.author, run.calls.clock.moment())?;
    }
    let mut outcome = SyncOutcome { remote: remote.name().to_owned(), ..SyncOutcome::default() };
    for attempt in 0..ATTEMPTS {
        run.session.pause(pause_before(attempt));
        match exchange(run, &remote, request, &mut outcome) {
            Ok(SyncAttempt::Done) => {
                if !request.dry_run {
                    remote::name::note_remote(run.session, remote.remote_name())?;
                }
                return Ok(outcome);
            }
            Ok(SyncAttempt::Again) | Err(RunError::Sync(SyncError::Remote(RemoteError::Moved { .. }))) => {}
            Err(error) => {
                let RunError::Sync(SyncError::Remote(found)) = &error else { return Err(error) };
                // An address that can never be sent to would be in the way of the right one.
                if is_new && matches!(found, RemoteError::OtherHash { .. } | RemoteError::ReadOnly { .. }) {
                    remote::name::forget_remote(run.session, remote.remote_name())?;
                }
                return Err(error);
            }
        }
    }
    Err(SyncError::Remote(RemoteError::Moved { remote: remote.name().to_owned() }).into())
}

/// How the remote is reached; without a way there, as without git.
pub(super) fn network<'a>(run: &'a Run<'_>) -> Result<&'a Network, RunError> {
    run.network.ok_or_else(|| SyncError::Remote(RemoteError::NoGit).into())
}

fn remote_for<'r>(run: &'r Run<'_>, network: &'r Network, wanted: Option<&str>) -> Result<Remote<'r>, RunError> {
    let book = run.session.book();
    let name = match wanted {
        Some(address) if is_address(address) => match remote::name::default_remote(book, Some(address)) {
            Ok(name) => name,
            Err(_) => remote_of(run, network, address)?,
        },
        Some(name) => remote::name::default_remote(book, Some(name)).map_err(SyncError::from)?,
        None => remote::name::default_remote(book, Some(&config_now(book)?.sync.remote)).map_err(SyncError::from)?,
    };
    Ok(remote_named(run, network, name))
}

/// Makes an address the book's remote, once there is an answer from it: a wrong one would stay.
fn remote_of(run: &Run<'_>, network: &Network, address: &str) -> Result<RemoteName, RunError> {
    let asked = remote::name::remote_at(address).map_err(SyncError::from)?;
    let _ = remote_named(run, network, asked).list().map_err(SyncError::from)?;
    Ok(remote::name::remote_of(run.session, address).map_err(SyncError::from)?)
}

pub(super) fn remote_named<'r>(run: &'r Run<'_>, network: &'r Network, name: RemoteName) -> Remote<'r> {
    let listener = |transfer| run.tell(Event::Sync(SyncEvent::Transfer(transfer)));
    Remote::new(run.session.book(), name, &network.git, listener)
}

fn exchange(
    run: &Run<'_>,
    remote: &Remote<'_>,
    request: &SyncRequest,
    outcome: &mut SyncOutcome,
) -> Result<SyncAttempt, RunError> {
    run.tell(Event::Sync(SyncEvent::Connecting { remote: remote.name().to_owned() }));
    let listing = remote.list().map_err(SyncError::from)?;
    let known = drafts::known_drafts(run, remote, &listing)?;
    outcome.lines_found.extend(forget_lines(run, remote, &listing)?);
    let theirs = fetch(run, remote, &listing)?;
    if request.dry_run {
        return preview(run, theirs, outcome);
    }
    if !settle_line(run, remote, theirs, request.take, outcome)? {
        return put_off(run, remote, &listing, request.take, outcome);
    }
    store::recover::catch_up(run.session)?;
    let before = store::kept::draft_branches(run.session.book())?;
    // Drafts of other lines than the main one stay in this copy.
    let is_main = run.session.book().is_main_line();
    let mut moves = if is_main { drafts::join_drafts(run, &listing, &known, remote)? } else { Vec::new() };
    let open = store::kept::draft_branches(run.session.book())?;
    outcome
        .drafts_received
        .extend(open.iter().filter(|(work, tip)| before.get(work) != Some(tip)).map(|(work, _)| *work));
    let is_sent = |work: &Work| moves.iter().any(|moved| moved.name == format!("refs/heads/{}", drafts::branch(*work)));
    outcome.drafts_sent = open.into_keys().filter(is_sent).collect();
    store::history::retag(run.session)?;
    show_some_draft(run)?;
    let tip = run.session.tip()?;
    let branch = run.session.book().branch().to_owned();
    if theirs != Some(tip) {
        // Of a line that is new to the remote, what the main line has is there already.
        let book = run.session.book();
        let there = match theirs.or_else(|| listing.branch(store::lines::main_line(book))) {
            Some(id) if remote::history::has_commit(book, id)? => Some(id),
            _ => None,
        };
        outcome.sent = Exchanged::of(&book.beyond(tip, there)?);
        moves.push(RefMove { name: format!("refs/heads/{branch}"), old: theirs, new: Some(tip) });
    }
    moves.extend(other_lines(run, &listing, outcome)?);
    moves.extend(derived_moves(run, &listing)?);
    let freed = remote::history::freeing(run.session, remote, &listing).map_err(SyncError::from)?;
    moves.extend(freed.clone());
    match remote.push(&branch, &listing, &moves).map_err(SyncError::from)? {
        Pushed::Moved => Ok(SyncAttempt::Again),
        Pushed::Done(mut refused) => {
            note(run, remote, &moves, &refused)?;
            for work in known.keys().filter(|work| !listing.drafts().contains_key(work)) {
                let name = format!("refs/heads/{}", drafts::branch(*work));
                if !moves.iter().any(|moved| moved.name == name) {
                    store::kept::note_tracking(run.session, &remote.tracking(&drafts::branch(*work)), None)?;
                }
            }
            if let Some(freed) = freed {
                if refused.iter().any(|(name, _)| *name == freed.name) {
                    let request = run.lease_request(None, &config_now(run.session.book())?.sync);
                    remote::history::end_lease(run.session, remote, &listing, &request).map_err(SyncError::from)?;
                    refused.retain(|(name, _)| *name != freed.name);
                }
                remote::history::forget_lease(run.session)?;
            }
            let is_refused = |branch: &str| refused.iter().any(|(name, _)| *name == format!("refs/heads/{branch}"));
            outcome.drafts_sent.retain(|work| !is_refused(&drafts::branch(*work)));
            outcome.lines_sent.retain(|line| !is_refused(line));
            outcome.refused = refused;
            tell_exchange(run, outcome);
            Ok(SyncAttempt::Done)
        }
    }
}

/// Fetches what this copy lacks: the line, drafts, and what is kept. Returns the tip of the remote's line.
fn fetch(run: &Run<'_>, remote: &Remote<'_>, listing: &Listing) -> Result<Option<CommitId>, RunError> {
    let book = run.session.book();
    let mut wanted = Vec::new();
    let branch = book.branch();
    let mut branches: Vec<(String, CommitId)> =
        listing.drafts().into_iter().map(|(work, id)| (drafts::branch(work), id)).collect();
    branches.extend(listing.branch(branch).map(|id| (branch.to_owned(), id)));
    branches.extend(listing.lines().into_iter().filter(|(name, _)| name != branch));
    // Another branch than the book's may be the book's older name, or another book.
    let stranger = listing.head().filter(|_| listing.branch(branch).is_none());
    branches.extend(stranger.filter(|(name, _)| !is_line_name(name)).map(|(name, id)| (name.to_owned(), id)));
    for (name, id) in branches {
        let ours = remote.tracking(&name);
        if store::kept::ref_target(book, &ours)? != Some(id) || !remote::history::has_commit(book, id)? {
            wanted.push((format!("refs/heads/{name}"), ours));
        }
    }
    wanted.extend(store::gathering::kept_to_fetch(book, &listing.kept())?);
    remote.fetch(&wanted).map_err(SyncError::from)?;
    if let Some((name, id)) = stranger
        && remote::history::relation(run.session.book(), run.session.tip()?, id)? == HistoryRelation::Unrelated
    {
        let (remote, branch) = (remote.name().to_owned(), name.to_owned());
        return Err(SyncError::Remote(RemoteError::Unrelated { remote, branch }).into());
    }
    match listing.branch(branch) {
        // The fetched tip counts: it may be newer than the listing.
        Some(_) => Ok(store::kept::ref_target(book, &remote.tracking(branch))?),
        None => Ok(None),
    }
}

/// Forgets the lines that the remote no longer has, whose names may be in the way of others, and returns those that it
/// has and that were not known here.
fn forget_lines(run: &Run<'_>, remote: &Remote<'_>, listing: &Listing) -> Result<BTreeSet<String>, RunError> {
    let book = run.session.book();
    let mut found = listing.lines();
    for line in store::lines::tracked_lines(book, remote.remote_name())? {
        if found.remove(&line.name).is_none() {
            store::kept::note_tracking(run.session, &remote.tracking(&line.name), None)?;
        }
    }
    found.retain(|name, _| name != book.branch());
    for line in book.lines()? {
        found.remove(&line.name);
    }
    Ok(found.into_keys().collect())
}

/// The moves of the other lines that the remote has an older state of. A line comes to the remote by a sync on it; two
/// states of a line are brought together there as well.
fn other_lines(run: &Run<'_>, listing: &Listing, outcome: &mut SyncOutcome) -> Result<Vec<RefMove>, RunError> {
    let book = run.session.book();
    let mut moves = Vec::new();
    for line in book.lines()?.into_iter().filter(|line| line.name != book.branch()) {
        let Some(theirs) = listing.branch(&line.name).filter(|theirs| *theirs != line.tip) else { continue };
        if book.includes(line.tip, theirs)? {
            let name = format!("refs/heads/{}", line.name);
            moves.push(RefMove { name, old: Some(theirs), new: Some(line.tip) });
            outcome.lines_sent.insert(line.name);
        }
    }
    Ok(moves)
}

/// Says what a sync would do.
fn preview(run: &Run<'_>, theirs: Option<CommitId>, outcome: &mut SyncOutcome) -> Result<SyncAttempt, RunError> {
    let book = run.session.book();
    let ours = run.session.tip()?;
    outcome.sent = Exchanged::of(&book.beyond(ours, theirs)?);
    if let Some(theirs) = theirs {
        outcome.received = Exchanged::of(&book.beyond(theirs, Some(ours))?);
        match remote::history::relation(book, ours, theirs)? {
            HistoryRelation::Diverged(base) => {
                outcome.conflicts = merge::merge(book, [base, ours, theirs], None)?.conflicts
            }
            HistoryRelation::Unrelated => return Err(unrelated(run, outcome)),
            _ => {}
        }
    }
    Ok(SyncAttempt::Done)
}

fn unrelated(run: &Run<'_>, outcome: &SyncOutcome) -> RunError {
    let (remote, branch) = (outcome.remote.clone(), run.session.book().branch().to_owned());
    SyncError::Remote(RemoteError::Unrelated { remote, branch }).into()
}

/// Makes the book's branch one line with the remote's. Returns false when the author has to choose first.
fn settle_line(
    run: &Run<'_>,
    remote: &Remote<'_>,
    theirs: Option<CommitId>,
    take: Option<Take>,
    outcome: &mut SyncOutcome,
) -> Result<bool, RunError> {
    let (book, ours) = (run.session.book(), run.session.tip()?);
    let Some(theirs) = theirs else { return Ok(true) };
    let relation = remote::history::relation(book, ours, theirs)?;
    if relation == HistoryRelation::Unrelated {
        return Err(unrelated(run, outcome));
    }
    if matches!(relation, HistoryRelation::Same | HistoryRelation::Ahead) {
        return Ok(true);
    }
    if let Some(path) = remote::history::bad_path(book, ours, theirs)? {
        return Err(SyncError::Remote(RemoteError::BadPath { remote: remote.name().to_owned(), path }).into());
    }
    let came = Exchanged::of(&book.beyond(theirs, Some(ours))?);
    match relation {
        HistoryRelation::Diverged(base) => {
            let paths = book.snapshot_of(theirs)?.changed_since(&book.snapshot_of(base)?)?;
            if let Some(path) = remote::history::special_paths(book, theirs, &paths)?.pop_first() {
                let branch = format!("{}/{}", remote.name(), book.branch());
                return Err(SyncError::Special { path, branch }.into());
            }
            let merged = merge::merge(book, [base, ours, theirs], take.and_then(Take::side))?;
            outcome.conflicts = merged.conflicts.clone();
            if !merged.conflicts.is_empty() && take.and_then(Take::side).is_none() {
                return Ok(false);
            }
            commit_merge(run, merged, [ours, theirs], take.and_then(Take::side), outcome)?;
        }
        _ => {
            let committed =
                store::transaction::fast_forward(run.session, ours, theirs, &run.author, run.calls.clock.moment())?;
            commits::tell_lag(run, committed.lagging.as_ref());
        }
    }
    outcome.received.commits += came.commits;
    outcome.received.chapters.extend(came.chapters);
    Ok(true)
}

fn commit_merge(
    run: &Run<'_>,
    merged: Merge,
    [ours, theirs]: [CommitId; 2],
    chosen: Option<Side>,
    outcome: &mut SyncOutcome,
) -> Result<(), RunError> {
    let Merge { change, conflicts } = merged;
    let mut message = Message::new(Kind::SyncMerge, Subject::SyncJoin(outcome.remote.clone()));
    let mut keep = Vec::new();
    if let (Some(side), false) = (chosen, conflicts.is_empty()) {
        let lost = merge::left_behind(side, ours, theirs);
        let name = format!("sync/{}", lost.short());
        let took = match side {
            Side::Ours => Take::Ours,
            Side::Theirs => Take::Theirs,
        };
        let chapters = conflicts.chapters.iter().map(|conflict| format!("- {}\n", conflict.chapter));
        let files = conflicts.files.iter().map(|conflict| format!("- {}\n", conflict.path));
        let numbers = conflicts.numbers.iter().flat_map(|numbers| numbers.ours.iter().chain(&numbers.theirs));
        let numbers = numbers.map(|how| format!("- {how}\n"));
        let body: String = numbers.chain(chapters).chain(files).collect();
        outcome.took = Some(took.as_str());
        outcome.kept = Some(kept_ref(&name));
        message = message.body(&body).trailer(key::TOOK, took).trailer(key::KEPT, &name);
        keep.push((name, lost));
    }
    let committed = store::transaction::commit(
        run.session,
        &Proposal {
            change,
            message,
            expected: ours,
            merged: vec![theirs],
            keep,
            author: run.author.clone(),
            time: run.calls.clock.moment(),
        },
    )?;
    commits::tell_lag(run, committed.lagging.as_ref());
    outcome.merged = Some(committed.id.to_string());
    Ok(())
}

/// Leaves both lines as they are. To decide later, ours is put on the remote beside the other.
fn put_off(
    run: &Run<'_>,
    remote: &Remote<'_>,
    listing: &Listing,
    take: Option<Take>,
    outcome: &mut SyncOutcome,
) -> Result<SyncAttempt, RunError> {
    if take != Some(Take::Later) {
        return Ok(SyncAttempt::Done);
    }
    let ours = run.session.tip()?;
    outcome.kept = Some(store::kept::keep_line(run.session, &format!("sync/{}", ours.short()), ours)?);
    outcome.took = Some(Take::Later.as_str());
    let moves = kept_moves(run, listing)?;
    match remote.push(run.session.book().branch(), listing, &moves).map_err(SyncError::from)? {
        Pushed::Moved => Ok(SyncAttempt::Again),
        Pushed::Done(refused) => {
            outcome.refused = refused;
            Ok(SyncAttempt::Done)
        }
    }
}

/// The moves of kept refs, after the archive that has come was joined with this copy's.
fn kept_moves(run: &Run<'_>, listing: &Listing) -> Result<Vec<RefMove>, RunError> {
    store::gathering::gather_drafts(run.session)?;
    Ok(store::gathering::kept_to_push(run.session.book(), &listing.kept())?)
}

/// The moves of what is kept and of the tags of chapters.
fn derived_moves(run: &Run<'_>, listing: &Listing) -> Result<Vec<RefMove>, RunError> {
    let mut moves = kept_moves(run, listing)?;
    let (ours, theirs) = (store::kept::chapter_tags(run.session.book())?, listing.tags());
    let names: BTreeSet<&String> = ours.keys().chain(theirs.keys()).collect();
    for name in names {
        let (new, old) = (ours.get(name).copied(), theirs.get(name).copied());
        if new != old {
            moves.push(RefMove { name: name.clone(), old, new });
        }
    }
    Ok(moves)
}

/// Notes where the remote is now.
fn note(run: &Run<'_>, remote: &Remote<'_>, moves: &[RefMove], refused: &[(String, String)]) -> Result<(), RunError> {
    let is_there = |moved: &&RefMove| !refused.iter().any(|(name, _)| *name == moved.name);
    for moved in moves.iter().filter(is_there) {
        if let Some(branch) = moved.name.strip_prefix("refs/heads/") {
            store::kept::note_tracking(run.session, &remote.tracking(branch), moved.new)?;
        }
    }
    Ok(())
}

/// Tells of each reason once, with the refs that it is for: one by its name, several by their kinds.
fn tell_exchange(run: &Run<'_>, outcome: &SyncOutcome) {
    let mut reasons: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for (name, reason) in &outcome.refused {
        let kinds = [KEPT_REFS, DRAFT_REFS, TAG_REFS];
        let kind = kinds.into_iter().find(|kind| name.starts_with(kind.trim_end_matches('*')));
        let is_one = outcome.refused.len() == 1;
        reasons.entry(reason).or_default().insert(kind.filter(|_| !is_one).unwrap_or(name));
    }
    for (reason, names) in reasons {
        let name = names.into_iter().collect::<Vec<_>>().join(", ");
        run.tell(Event::Sync(SyncEvent::Refused { name, reason: reason.to_owned() }));
    }
}

/// Shows a draft that came from elsewhere, where nothing is shown. The command that continues it says why it cannot be.
fn show_some_draft(run: &Run<'_>) -> Result<(), RunError> {
    let book = run.session.book();
    if store::draft::shown(book).is_none()
        && let Some((work, tip)) = store::closing::drafts(book)?.into_iter().next()
        // Otherwise it would have to be put on the book as it is now, which is left to the command that continues it.
        && book.includes(tip, run.session.tip()?)?
    {
        let _ = volume::show_draft(run, work);
    }
    Ok(())
}

/// The kinds of refs of which a book has many.
const KEPT_REFS: &str = "refs/novel/kept/*";
const DRAFT_REFS: &str = "refs/heads/draft/*";
const TAG_REFS: &str = "refs/tags/ch-*";

/// Longer from attempt to attempt, and not the same for two processes that met.
fn pause_before(attempt: u32) -> Duration {
    let own = u64::from(std::process::id() % 61);
    Duration::from_millis(u64::from(attempt) * (40 + own * 3))
}
