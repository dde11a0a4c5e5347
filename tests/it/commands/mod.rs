//! The command line from outside: the built program with an environment of its own.

mod after_renumbering;
mod approvals;
#[cfg(target_os = "linux")]
mod archives;
mod asking;
mod at_once;
mod book;
mod borders;
mod broken;
mod changed_plans;
mod chapters;
mod choosing;
mod consistency;
mod contracts;
mod damage;
mod destinations;
mod docs;
mod doctor;
mod ending;
mod exporting;
mod facts;
mod findings;
mod foreshadow;
mod going_back;
mod hand_edits;
mod help;
// Hooks are told by their permissions and by links here; Windows has neither.
#[cfg(unix)]
mod hooks;
mod impact;
mod importing;
mod interrupted;
mod json_output;
mod judge_trial;
mod keep_calls;
mod kept;
mod keyless;
mod keys;
mod lines;
#[cfg(unix)]
mod links;
mod locks;
mod looking;
mod making;
mod memory_server;
mod metrics;
mod moved_drafts;
mod moved_sections;
mod offline_prose;
mod older;
mod outlines;
mod peers;
mod pending_plans;
mod people;
mod places;
mod plain_git;
mod planning;
mod program;
mod prompts;
pub mod quality;
mod rearranged;
mod rebuilding;
mod renames;
mod replanned;
mod report;
mod revisions;
mod rewritten;
mod rolling_back;
mod scenes;
mod search_figures;
mod searching;
mod setting_up;
mod speaking;
mod starting;
mod storylines;
mod style;
mod subjects;
mod submodules;
mod together;
mod versions;
mod volumes;
mod writing;

use assert_cmd::Command;
use std::path::Path;

/// The program in an empty environment: nothing of the machine's settings, language or keys reaches it.
fn novel(home: &Path) -> Command {
    let mut command = Command::cargo_bin("novel").unwrap();
    command.env_clear().env("HOME", home).env("XDG_CONFIG_HOME", home.join("config")).env("COLUMNS", "100");
    command.current_dir(home);
    crate::common::system(|name, value| _ = command.env(name, value));
    command
}

/// Stdout, stderr and exit code as one text.
#[must_use]
fn seen(command: &mut Command) -> String {
    let output = command.output().unwrap();
    let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).unwrap();
    let (out, err) = (text(&output.stdout), text(&output.stderr));
    let err = if err.is_empty() { String::new() } else { format!("------- stderr\n{err}") };
    format!("{out}{err}[exit {}]\n", output.status.code().unwrap())
}
