//! Rules of the tree: which room may use which, and what only one room may name.

use std::path::{Path, PathBuf};

/// The rooms in reading order: a room may use only those before it.
const ROOMS: [&str; 8] = ["domain", "text", "llm", "agents", "store", "pipeline", "report", "commands"];

/// Why text leaves the program in one place.
const WRITER: &str = "everything is printed by the writer that keeps control characters from the terminal";

/// Words that only some rooms, or one file of a room, may use, and why.
const EXCLUSIVE: [(&str, &[&str], &str); 20] = [
    ("git2::", &["store"], "the repository is one room's business"),
    ("libgit2_sys", &["store"], "the repository is one room's business"),
    (
        "std::fs",
        &["store", "commands/cli/environment.rs"],
        "files are one room's business, but for the user's own settings",
    ),
    ("reqwest", &["llm"], "the network is one room's business"),
    ("similar::", &["text"], "differences of prose are measured in one place"),
    ("clap::", &["commands"], "the command line is one room's business"),
    ("std::env", &["commands", "store/failpoint.rs"], "the environment is read once; test builds may be told to die"),
    ("SystemTime::now", &["commands"], "the clock is read in one place"),
    ("Timestamp::now", &["commands"], "the clock is read in one place"),
    ("println!", &[], WRITER),
    ("eprint", &[], WRITER),
    ("print!(", &[], WRITER),
    ("dbg!", &[], WRITER),
    ("io::stdout", &["commands/terminal/writer.rs", "commands/cli/environment.rs"], WRITER),
    ("io::stderr", &["commands/terminal/writer.rs", "commands/cli/environment.rs"], WRITER),
    ("ChildStdin", &["commands/terminal/writer.rs"], WRITER),
    ("indicatif", &["commands/terminal/writer.rs"], WRITER),
    ("inquire::", &["commands/terminal/prompt.rs"], "questions are asked in one place, with every text made visible"),
    ("process::exit", &[], "the process ends in main"),
    ("tokio", &["llm", "pipeline", "commands"], "nothing else waits"),
];

fn sources(dir: &Path, into: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(dir).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            sources(&path, into);
        } else if path.extension().is_some_and(|e| e == "rs") {
            into.push(path);
        }
    }
}

/// A file's lines without comments and without its unit tests, which may look wherever they like.
fn code(path: &Path) -> Vec<(usize, String)> {
    let text = std::fs::read_to_string(path).unwrap();
    text.lines()
        .enumerate()
        .take_while(|(_, line)| !line.starts_with("#[cfg(test)]"))
        .map(|(n, line)| (n + 1, line.split("//").next().unwrap_or_default().to_owned()))
        .collect()
}

#[test]
fn rooms_use_only_the_rooms_above_them() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut slips = Vec::new();
    for (at, room) in ROOMS.iter().enumerate() {
        let mut files = Vec::new();
        sources(&root.join(room), &mut files);
        for file in files {
            for (line, text) in code(&file) {
                for below in &ROOMS[at + 1..] {
                    if text.contains(&format!("crate::{below}")) {
                        slips.push(format!("{}:{line}: `{room}` uses `{below}`", file.display()));
                    }
                }
                let leaf = *room == "llm" && ROOMS.iter().any(|r| *r != "llm" && text.contains(&format!("crate::{r}")));
                if leaf {
                    slips.push(format!("{}:{line}: `llm` uses another room", file.display()));
                }
            }
        }
    }
    assert!(slips.is_empty(), "{}", slips.join("\n"));
}

#[test]
fn what_belongs_to_one_room_is_named_in_no_other() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut files = Vec::new();
    sources(&root, &mut files);
    let mut slips = Vec::new();
    for file in files {
        // A module that is all tests looks wherever it likes.
        if file.file_name().is_some_and(|name| name == "tests.rs") {
            continue;
        }
        let place = file.strip_prefix(&root).unwrap().to_string_lossy().into_owned();
        let room = place.split('/').next().unwrap().to_owned();
        for (line, text) in code(&file) {
            for (word, rooms, why) in EXCLUSIVE {
                if text.contains(word) && !rooms.contains(&room.as_str()) && !rooms.contains(&place.as_str()) {
                    slips.push(format!("{}:{line}: `{word}` does not belong here: {why}", file.display()));
                }
            }
        }
    }
    assert!(slips.is_empty(), "{}", slips.join("\n"));
}

#[test]
fn no_file_of_the_project_is_left_unfinished() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut files = Vec::new();
    for dir in ["src", "tests", "benches"] {
        if root.join(dir).is_dir() {
            sources(&root.join(dir), &mut files);
        }
    }
    let words = [concat!("TO", "DO"), concat!("FIX", "ME"), concat!("unimpl", "emented!"), concat!("to", "do!(")];
    let slips: Vec<String> = files
        .iter()
        .filter(|file| {
            let text = std::fs::read_to_string(file).unwrap();
            words.iter().any(|word| text.contains(word))
        })
        .map(|file| file.display().to_string())
        .collect();
    assert!(slips.is_empty(), "{slips:?}");
}

#[test]
fn every_test_module_is_listed() {
    let here = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/it");
    let main = std::fs::read_to_string(here.join("main.rs")).unwrap();
    for entry in std::fs::read_dir(&here).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_stem().unwrap().to_string_lossy().into_owned();
        if name != "main" && (path.join("mod.rs").is_file() || path.extension().is_some_and(|e| e == "rs")) {
            assert!(main.contains(&format!("mod {name};")), "tests/it/{name} is never run");
        }
    }
}
