//! The wish of the user to stop.

use std::sync::atomic::{AtomicBool, Ordering};

/// Asked to stop, by Ctrl-C: the run ends before its next call, and a wait between two attempts ends at once.
#[derive(Debug, Clone, Default)]
pub struct Stop(std::sync::Arc<Signal>);

#[derive(Debug, Default)]
struct Signal {
    asked: AtomicBool,
    told: tokio::sync::Notify,
}

impl Stop {
    /// Asks the run to stop. Returns whether it had been asked before.
    pub fn ask(&self) -> bool {
        let before = self.0.asked.swap(true, Ordering::SeqCst);
        self.0.told.notify_waiters();
        before
    }

    pub fn asked(&self) -> bool {
        self.0.asked.load(Ordering::SeqCst)
    }

    /// Ends as soon as it is asked.
    pub async fn wait(&self) {
        // Listening first: a question between the look and the wait would be missed.
        let told = self.0.told.notified();
        if !self.asked() {
            told.await;
        }
    }
}
