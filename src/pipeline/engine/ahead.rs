//! Work ahead: whether the draft of the next chapter is asked for while a chapter is refined and judged.

use crate::domain::id::named;
use std::cell::Cell;
use tokio::sync::Notify;

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
