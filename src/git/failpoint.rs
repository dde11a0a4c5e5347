//! Named places where a test can kill the process, so that every interruption can be played back.
//! Release builds contain none of it. In a debug build, set [`ENV`] to a name of [`POINTS`], or to `name#2` for the
//! second time that the place is reached.

/// The environment variable that names the place. Its name makes it unlikely to be set by accident.
pub const ENV: &str = "__NOVEL_CRASH_TEST_ABORT_AT";

/// The environment variable that names a file to which each place that is reached adds a line: `name#2` for the second time.
pub const TRACE: &str = "__NOVEL_CRASH_TEST_TRACE";

/// Every place, in the order in which a run meets them.
pub const POINTS: &[&str] = &[
    "init.begun",
    "init.repository",
    "init.configured",
    "init.files",
    "session.locked",
    "txn.before_objects",
    "objects.placed",
    "objects.replaced",
    "objects.merged",
    "txn.objects",
    "txn.index_locked",
    "txn.prepared",
    "txn.kept",
    "txn.intent",
    "txn.after_cas",
    "txn.tagged",
    "tree.file",
    "tree.files",
    "index.written",
    "index.renamed",
    "txn.before_end",
    "txn.end",
    "aside.kept",
    "aside.end",
    "draft.created",
    "errand.begun",
    "draft.objects",
    "draft.moved",
    "staging.admin",
    "staging.built",
    "staging.file",
    "staging.index",
    "staging.marked",
    "close.kept",
    "close.deleted",
    "close.unlinked",
    "close.emptied",
    "rebase.kept",
    "reopen.closed",
    "reopen.carried",
    "restore.closed",
    "restore.opened",
    "refs.packed",
    "refs.locked",
    "archive.written",
    "archive.named",
    "archive.end",
    "line.created",
    "line.kept",
    "line.draft",
    "line.deleted",
    "line.restored",
    "carry.created",
    "switch.looked",
    "switch.begun",
    "switch.folder",
    "switch.head",
    "switch.settled",
    "candidate.picked",
    "candidate.kept",
    "sync.draft",
    "lease.asked",
    "lease.taken",
    "recover.begun",
    "recover.intent",
    "recover.staging",
];

/// Dies here, without destructors, when a test asked for it.
#[cfg(failpoints)]
pub(crate) fn abort_at(point: &'static str) {
    use std::sync::atomic::{AtomicU32, Ordering};
    static SEEN: AtomicU32 = AtomicU32::new(0);
    assert!(POINTS.contains(&point), "{point} is not listed");
    trace(point);
    let Some(wanted) = std::env::var_os(ENV) else { return };
    let wanted = wanted.to_string_lossy();
    let (name, nth) = wanted.split_once('#').unwrap_or((&wanted, "1"));
    if name == point && SEEN.fetch_add(1, Ordering::Relaxed) + 1 == nth.parse().unwrap_or(1) {
        std::process::abort();
    }
}

#[cfg(failpoints)]
fn trace(point: &'static str) {
    use std::io::Write as _;
    static SEEN: std::sync::Mutex<Vec<&'static str>> = std::sync::Mutex::new(Vec::new());
    let Some(path) = std::env::var_os(TRACE) else { return };
    let Ok(mut seen) = SEEN.lock() else { return };
    seen.push(point);
    let nth = seen.iter().filter(|other| **other == point).count();
    let file = std::fs::OpenOptions::new().create(true).append(true).open(path);
    // A test that finds no trace fails.
    let _ = file.and_then(|mut file| writeln!(file, "{point}#{nth}"));
}

#[cfg(not(failpoints))]
pub(crate) fn abort_at(_: &'static str) {}

#[cfg(test)]
mod tests {
    #[test]
    fn every_point_has_its_own_name() {
        let names: std::collections::BTreeSet<_> = super::POINTS.iter().collect();
        assert_eq!(names.len(), super::POINTS.len());
    }
}
