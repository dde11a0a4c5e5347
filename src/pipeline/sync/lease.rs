//! The lease around a run: taken before an agent is asked, renewed while agents work, freed at the end. The lease on the remote itself
//! is in `store/remote/history.rs`.

use crate::domain::book::config::SyncSettings;
use crate::pipeline::BookView;
use crate::pipeline::book::hand_edits;
use crate::pipeline::prelude::*;
use crate::pipeline::sync::conflict::{SyncError, SyncEvent};
use crate::pipeline::sync::exchange::{self, SyncOutcome, SyncRequest};
use crate::store::remote;
use crate::store::{Held, LeaseRequest, NotHeld, Remote, RemoteError};

impl Run<'_> {
    /// Takes the lease for some work, or renews it, where the book is synced. A remote that is out of reach is told of once, and
    /// the run goes on without a lease, unless the settings say otherwise.
    /// Fails with [`SyncError::Leased`], [`SyncError::Behind`]; nothing has been asked of a model then.
    pub(crate) fn hold_lease(&self, work: Work) -> Result<(), RunError> {
        if self.is_alone.get() {
            return Ok(());
        }
        let Some((remote, settings)) = synced(self)?.filter(|(_, settings)| settings.lease) else { return Ok(()) };
        let request = self.lease_request(Some(work), &settings);
        match remote::history::hold_lease(self.session, &remote, &request) {
            Ok(Held::Still) => Ok(()),
            Ok(Held::Taken { until, instead_of }) => {
                let instead_of = instead_of.map(|lease| lease.device);
                self.tell(Event::Sync(SyncEvent::Leased { work, until, instead_of }));
                Ok(())
            }
            Err(NotHeld::Taken(lease)) => Err(SyncError::Leased(lease).into()),
            Err(NotHeld::Behind) => Err(SyncError::Behind { remote: remote.name().to_owned() }.into()),
            Err(NotHeld::Remote(error)) => without_remote(self, &remote, &settings, error),
        }
    }

    pub(super) fn lease_request(&self, work: Option<Work>, settings: &SyncSettings) -> LeaseRequest {
        LeaseRequest {
            device: self.network.map(|network| network.device.clone()).unwrap_or_default(),
            author: self.author.clone(),
            work,
            now: self.calls.clock.moment(),
            seconds: i64::from(settings.lease_minutes) * 60,
            take_over: self.network.is_some_and(|network| network.take_lease),
        }
    }
}

/// The remote of a synced book, with the settings; `None` where the book is not synced or the run keeps to itself.
fn synced<'a>(run: &'a Run<'_>) -> Result<Option<(Remote<'a>, SyncSettings)>, RunError> {
    let Some(network) = run.network else { return Ok(None) };
    let book = run.session.book();
    let settings = match run.sync_settings.get() {
        Some(settings) => settings.clone(),
        None => {
            let settings = config_now(book)?.sync;
            run.sync_settings.get_or_init(|| settings).clone()
        }
    };
    let name = remote::name::synced_remote(book, &settings.remote).map_err(SyncError::from)?;
    Ok(name.map(|name| (exchange::remote_named(run, network, name), settings)))
}

/// Frees the lease at the end of a run, whatever the run came to. A failure is told of, and no more: the lease ends by
/// itself.
pub(crate) fn free_lease(run: &Run<'_>) {
    let freed = || -> Result<(), RunError> {
        if remote::history::held_lease(run.session.book())?.is_none_or(|(_, lease)| lease.until.is_none()) {
            return Ok(());
        }
        let Some((remote, settings)) = synced(run)? else { return Ok(()) };
        let request = run.lease_request(None, &settings);
        match remote::history::free_lease(run.session, &remote, &request) {
            Ok(true) => run.tell(Event::Sync(SyncEvent::LeaseWaits)),
            Ok(false) => {}
            Err(error) => alone(run, &remote, error),
        }
        Ok(())
    };
    // The outcome of the run matters more than this.
    let _ = freed();
}

/// Syncs around a run where the settings say so. A remote that is out of reach is told of.
/// Fails with [`SyncError::Diverged`] when the author has to choose first, and whatever else stops a sync.
pub(crate) fn sync_automatically(run: &Run<'_>) -> Result<Option<SyncOutcome>, RunError> {
    let Some((remote, settings)) = synced(run)?.filter(|(_, settings)| settings.auto) else { return Ok(None) };
    let request = SyncRequest { remote: Some(remote.name().to_owned()), ..SyncRequest::default() };
    match exchange::sync_with_remote(run, &request) {
        Ok(outcome) if outcome.conflicts.is_empty() => Ok(Some(outcome)),
        Ok(outcome) => Err(SyncError::Diverged(Box::new(outcome.conflicts)).into()),
        Err(RunError::Sync(SyncError::Remote(error))) => {
            without_remote(run, &remote, &settings, error)?;
            Ok(None)
        }
        Err(error) => Err(error),
    }
}

/// Does some work that may ask agents: synced before and after where the settings say so, with the lease freed at
/// the end. The work does not begin when the first sync fails.
pub(crate) async fn around<T>(run: &Run<'_>, work: impl Future<Output = Result<T, RunError>>) -> Result<T, RunError> {
    sync_automatically(run)?;
    let done = work.await;
    let is_stopped = matches!(done, Err(RunError::Interrupted));
    let synced = if is_stopped { Ok(None) } else { sync_automatically(run) };
    free_lease(run);
    let done = done?;
    synced.map(|_| done)
}

/// From now on, every run is synced.
/// Fails when the settings cannot be read or the commit is refused.
pub(crate) fn sync_from_now_on(run: &Run<'_>) -> Result<(), RunError> {
    hand_edits::commit_local_changes(run)?;
    let view = BookView::new(run.session.book().snapshot()?);
    let config = view.config()?;
    if config.sync.auto {
        return Ok(());
    }
    let changed = BookConfig { sync: SyncSettings { auto: true, ..config.sync.clone() }, ..config };
    let bytes = format::config::write(&changed, view.bytes(layout::CONFIG)?.as_deref());
    let message = Message::new(Kind::Config, Subject::Config("sync.auto = true".to_owned()));
    let change = Change::default().put(layout::CONFIG, bytes);
    BookCommit::new(run, Work::Step(Step::Regenerate), message, change, &view).make()?;
    Ok(())
}

fn without_remote(
    run: &Run<'_>,
    remote: &Remote<'_>,
    settings: &SyncSettings,
    error: RemoteError,
) -> Result<(), RunError> {
    if settings.required || !error.is_out_of_reach() {
        return Err(SyncError::Remote(error).into());
    }
    alone(run, remote, error);
    Ok(())
}

fn alone(run: &Run<'_>, remote: &Remote<'_>, error: RemoteError) {
    if run.is_alone.replace(true) {
        return;
    }
    let said = match error {
        // The remote has answered: it takes no lease.
        RemoteError::Refused { name, reason, .. } => {
            return run.tell(Event::Sync(SyncEvent::Refused { name, reason }));
        }
        RemoteError::NotFound { said, .. }
        | RemoteError::Unreachable { said, .. }
        | RemoteError::Denied { said, .. }
        | RemoteError::OtherHash { said, .. }
        | RemoteError::OldGit { said }
        | RemoteError::Failed { said, .. } => said,
        // A bundle is one file, on which no other device writes.
        RemoteError::ReadOnly { .. } => return,
        _ => Vec::new(),
    };
    run.tell(Event::Sync(SyncEvent::Alone { remote: remote.name().to_owned(), said }));
}
