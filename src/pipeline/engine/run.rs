//! A run: the right to write in a book, the calls that are made for it, and whether the draft of the next chapter is asked for
//! while a chapter is refined and judged.

use crate::domain::book::config::SyncSettings;
use crate::domain::id::named;
use crate::pipeline::engine::model_call::Calls;
use crate::pipeline::prelude::*;
use crate::store::{CommitInfo, GitProgram, Identity, Packer, Session};
use std::cell::{Cell, OnceCell};
use tokio::sync::Notify;

/// The way to the remote, for a run that may use it.
#[derive(Debug, Clone)]
pub struct Network {
    pub git: GitProgram,
    /// The name of this device, which others see in the lease.
    pub device: String,
    /// True when another device's lease does not count.
    pub take_lease: bool,
}

/// Everything that a run needs beside the book's content.
pub struct Run<'b> {
    pub session: &'b Session<'b>,
    /// The calls: responder, budget and listener.
    pub calls: Calls<'b>,
    pub author: Identity,
    /// Whether chapters that are begun now are written scene by scene; `None` for what the book says.
    pub by_scenes: Option<bool>,
    /// The drafts that are written before their turn.
    pub ahead: Ahead,
    /// The way to the book's remote; `None` for a run that keeps to this copy.
    pub network: Option<&'b Network>,
    /// The means to pack the book between two chapters; `None` for a run that leaves packing to others.
    pub packer: Option<Packer>,
    /// The settings of the sync, once these have been needed: a lease is looked after before each call.
    pub(crate) sync_settings: OnceCell<SyncSettings>,
    /// Whether the remote has been out of reach: the run goes on without a lease, and has said so.
    pub(crate) is_alone: Cell<bool>,
}

impl<'b> Run<'b> {
    /// A run that keeps to this copy of the book, and writes chapters as the book says.
    pub fn new(session: &'b Session<'b>, calls: Calls<'b>, author: Identity) -> Self {
        Self {
            session,
            calls,
            author,
            by_scenes: None,
            ahead: Ahead::default(),
            network: None,
            packer: None,
            sync_settings: OnceCell::new(),
            is_alone: Cell::new(false),
        }
    }

    /// The run of a candidate that is written beside others, in a session of its own.
    pub(crate) fn beside<'c>(&'c self, session: &'c Session<'c>, candidate: u32) -> Run<'c> {
        Run {
            session,
            calls: self.calls.beside(candidate),
            author: self.author.clone(),
            by_scenes: self.by_scenes,
            ahead: Ahead::default(),
            network: self.network,
            packer: None,
            sync_settings: self.sync_settings.clone(),
            is_alone: self.is_alone.clone(),
        }
    }

    /// The particulars of a commit that is made now by the author of the run.
    pub(crate) fn commit_info(&self, subject: Option<Subject>) -> CommitInfo {
        let (author, time) = (self.author.clone(), self.calls.clock.moment());
        CommitInfo { subject, body: String::new(), author, time }
    }

    pub(crate) fn tell(&self, event: Event) {
        self.calls.tell(event);
    }
}

named! {
    /// When the next chapter's draft is asked for before the chapter is accepted.
    pub enum AheadMode {
        /// Never: one chapter after the other.
        Off = "off",
        /// If the chapter is likely to stay as its summary tells it.
        Safe = "safe",
        Eager = "eager",
    }
}

#[derive(Debug)]
pub struct Ahead {
    pub mode: Cell<AheadMode>,
    /// True once the chapter in hand has its first summary, false once it is over; `None` before.
    ready: Cell<Option<bool>>,
    told: Notify,
    /// Drafts written ahead that chapters went on from.
    pub kept: Cell<u32>,
    /// Drafts written ahead that were put aside.
    pub lost: Cell<u32>,
}

impl Default for Ahead {
    fn default() -> Self {
        let (kept, lost) = (Cell::new(0), Cell::new(0));
        Self { mode: Cell::new(AheadMode::Off), ready: Cell::new(None), told: Notify::new(), kept, lost }
    }
}

impl Ahead {
    pub(crate) fn begin(&self) {
        self.ready.set(None);
    }

    /// The chapter in hand has its summary.
    pub(crate) fn summarized(&self) {
        self.tell(true);
    }

    pub(crate) fn over(&self) {
        self.tell(false);
    }

    /// Only the first word counts: one draft ahead is asked for beside a chapter, however often it is revised.
    fn tell(&self, ready: bool) {
        if self.ready.get().is_none() {
            self.ready.set(Some(ready));
            self.told.notify_one();
        }
    }

    /// Waits for the summary of the chapter in hand; false where the chapter ends without one.
    pub(crate) async fn wait(&self) -> bool {
        loop {
            if let Some(ready) = self.ready.get() {
                return ready;
            }
            self.told.notified().await;
        }
    }
}
