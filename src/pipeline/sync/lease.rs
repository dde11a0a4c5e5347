//! The lease around a run: taken before an agent is asked, renewed while agents work, freed at the end.

use crate::domain::book::config::SyncSettings;
use crate::pipeline::BookView;
use crate::pipeline::prelude::*;
use crate::pipeline::sync::conflict::{SyncError, SyncEvent};
use crate::pipeline::sync::exchange::{SyncOutcome, SyncRequest};
use crate::store::{Held, LeaseRequest, NotHeld, Remote, RemoteError};

impl Run<'_> {
    /// The remote of a synced book, with the settings; `None` where the book is not synced or the run keeps to itself.
    fn synced(&self) -> Result<Option<(Remote<'_>, SyncSettings)>, RunError> {
        let Some(network) = self.network else { return Ok(None) };
        let book = self.session.book();
        let settings = match self.sync_settings.get() {
            Some(settings) => settings.clone(),
            None => {
                let settings = config_now(book)?.sync;
                self.sync_settings.get_or_init(|| settings).clone()
            }
        };
        let name = book.synced_remote(&settings.remote).map_err(SyncError::from)?;
        Ok(name.map(|name| (self.remote_named(network, name), settings)))
    }

    /// Takes the lease for some work, or renews it, where the book is synced. A remote that is out of reach is told of once, and
    /// the run goes on without a lease, unless the settings say otherwise.
    /// Fails with [`SyncError::Leased`], [`SyncError::Behind`]; nothing has been asked of a model then.
    pub(crate) fn hold_lease(&self, work: Work) -> Result<(), RunError> {
        if self.is_alone.get() {
            return Ok(());
        }
        let Some((remote, settings)) = self.synced()?.filter(|(_, settings)| settings.lease) else { return Ok(()) };
        let request = self.lease_request(Some(work), &settings);
        match self.session.hold_lease(&remote, &request) {
            Ok(Held::Still) => Ok(()),
            Ok(Held::Taken { until, instead_of }) => {
                let instead_of = instead_of.map(|lease| lease.device);
                self.tell(Event::Sync(SyncEvent::Leased { work, until, instead_of }));
                Ok(())
            }
            Err(NotHeld::Taken(lease)) => Err(SyncError::Leased(lease).into()),
            Err(NotHeld::Behind) => Err(SyncError::Behind { remote: remote.name().to_owned() }.into()),
            Err(NotHeld::Remote(error)) => self.without_remote(&remote, &settings, error),
        }
    }

    /// Frees the lease at the end of a run, whatever the run came to. A failure is told of, and no more: the lease ends by
    /// itself.
    pub(crate) fn free_lease(&self) {
        let freed = || -> Result<(), RunError> {
            if self.session.book().held_lease()?.is_none_or(|(_, lease)| lease.until.is_none()) {
                return Ok(());
            }
            let Some((remote, settings)) = self.synced()? else { return Ok(()) };
            let request = self.lease_request(None, &settings);
            match self.session.free_lease(&remote, &request) {
                Ok(true) => self.tell(Event::Sync(SyncEvent::LeaseWaits)),
                Ok(false) => {}
                Err(error) => self.alone(&remote, error),
            }
            Ok(())
        };
        // The outcome of the run matters more than this.
        let _ = freed();
    }

    /// Syncs around a run where the settings say so. A remote that is out of reach is told of.
    /// Fails with [`SyncError::Diverged`] when the author has to choose first, and whatever else stops a sync.
    pub fn sync_automatically(&self) -> Result<Option<SyncOutcome>, RunError> {
        let Some((remote, settings)) = self.synced()?.filter(|(_, settings)| settings.auto) else { return Ok(None) };
        let request = SyncRequest { remote: Some(remote.name().to_owned()), ..SyncRequest::default() };
        match self.sync(&request) {
            Ok(outcome) if outcome.conflicts.is_empty() => Ok(Some(outcome)),
            Ok(outcome) => Err(SyncError::Diverged(Box::new(outcome.conflicts)).into()),
            Err(RunError::Sync(SyncError::Remote(error))) => {
                self.without_remote(&remote, &settings, error)?;
                Ok(None)
            }
            Err(error) => Err(error),
        }
    }

    /// Does some work that may ask agents: synced before and after where the settings say so, with the lease freed at
    /// the end. The work does not begin when the first sync fails.
    pub async fn around<T>(&self, work: impl Future<Output = Result<T, RunError>>) -> Result<T, RunError> {
        self.sync_automatically()?;
        let done = work.await;
        let is_stopped = matches!(done, Err(RunError::Interrupted));
        let synced = if is_stopped { Ok(None) } else { self.sync_automatically() };
        self.free_lease();
        let done = done?;
        synced.map(|_| done)
    }

    /// From now on, every run is synced.
    /// Fails when the settings cannot be read or the commit is refused.
    pub fn sync_from_now_on(&self) -> Result<(), RunError> {
        self.commit_local_changes()?;
        let view = BookView::new(self.session.book().snapshot()?);
        let config = view.config()?;
        if config.sync.auto {
            return Ok(());
        }
        let changed = BookConfig { sync: SyncSettings { auto: true, ..config.sync.clone() }, ..config };
        let bytes = format::config::write(&changed, view.bytes(layout::CONFIG)?.as_deref());
        let message = Message::new(Kind::Config, Subject::Config("sync.auto = true".to_owned()));
        let change = Change::default().put(layout::CONFIG, bytes);
        BookCommit::new(self, Work::Step(Step::Regenerate), message, change, &view).make()?;
        Ok(())
    }

    fn without_remote(&self, remote: &Remote<'_>, settings: &SyncSettings, error: RemoteError) -> Result<(), RunError> {
        if settings.required || !error.is_out_of_reach() {
            return Err(SyncError::Remote(error).into());
        }
        self.alone(remote, error);
        Ok(())
    }

    fn alone(&self, remote: &Remote<'_>, error: RemoteError) {
        if self.is_alone.replace(true) {
            return;
        }
        let said = match error {
            // The remote has answered: it takes no lease.
            RemoteError::Refused { name, reason, .. } => {
                return self.tell(Event::Sync(SyncEvent::Refused { name, reason }));
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
        self.tell(Event::Sync(SyncEvent::Alone { remote: remote.name().to_owned(), said }));
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
