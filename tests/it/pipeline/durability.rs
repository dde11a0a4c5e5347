//! Calls that bring a chapter of a model to the disk: `docs/git.md` says of each what it is for.

use super::studio::Studio;
use crate::crash::failing::has_strace;

#[test]
fn a_chapter_of_a_model_syncs_45_times_at_most() {
    if !has_strace() {
        return;
    }
    let studio = Studio::new();
    let mut command = studio.world.command("strace", &studio.world.path("book"));
    let trace = studio.world.path("trace");
    command.args(["-qq", "-f", "-e", "trace=fsync,fdatasync,syncfs", "-o"]).arg(&trace);
    let ran = command.arg(env!("CARGO_BIN_EXE_novel")).arg("continue").output().unwrap();
    assert!(ran.status.success(), "{ran:?}");
    let trace = std::fs::read_to_string(trace).unwrap();
    let syncs = trace.lines().filter(|line| line.ends_with(" = 0")).count();
    assert!((30..=45).contains(&syncs), "{syncs}");
}
