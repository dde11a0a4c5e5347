//! The second Ctrl-C of a run.

use crate::commands::cli::exit::Exit;
use std::time::Duration;
use tokio::sync::oneshot;

/// The time that a run has to end by itself, with a message.
const GRACE: Duration = Duration::from_millis(200);

/// Ends the program soon after the second Ctrl-C, also while the run's thread waits for git or computes: wherever it is killed, the
/// next command repairs the book. Nothing happens after the returned value is dropped.
#[expect(clippy::exit, reason = "the thread that should return may be the one that hangs")]
pub(crate) fn ends_program() -> oneshot::Sender<()> {
    let (alive, ended) = oneshot::channel::<()>();
    let watch = || async {
        for _ in 0..2 {
            if tokio::signal::ctrl_c().await.is_err() {
                return std::future::pending().await;
            }
        }
        tokio::time::sleep(GRACE).await;
    };
    // Without a thread, the run itself still hears the second press when it waits.
    let _ = std::thread::Builder::new().spawn(move || {
        let Ok(runtime) = tokio::runtime::Builder::new_current_thread().enable_all().build() else { return };
        let is_pressed = runtime.block_on(async {
            tokio::select! {
                _ = ended => false,
                () = watch() => true,
            }
        });
        if is_pressed {
            std::process::exit(Exit::Interrupted.code().into());
        }
    });
    alive
}
