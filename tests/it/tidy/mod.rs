//! Rules of the tree: which room may use which, what only one room may name, and how large a file or a function may be.

mod english;
mod source;

use source::{Module, Source};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// The rooms in reading order: a room may use only those before it.
const ROOMS: [&str; 10] =
    ["domain", "text", "manuscript", "llm", "agents", "git", "store", "pipeline", "report", "commands"];

/// Rooms that use no other one: it is no business of theirs what a model is asked and what a repository holds.
const LEAVES: [&str; 2] = ["llm", "git"];

/// Why text leaves the program in one place.
const WRITER: &str = "everything is printed by the writer that keeps control characters from the terminal";

/// Why calls of one system have a place of their own.
const SYSTEMS: &str =
    "calls that differ between systems stand beside each other, so that none is forgotten on one of them";

/// The calls of git and files that differ between systems.
const STORE_SYSTEM: [&str; 3] =
    ["git/disk/system/unix.rs", "git/disk/system/windows.rs", "git/disk/system/processes.rs"];

/// All calls that differ between systems.
const SYSTEM: [&str; 5] = [
    "git/disk/system/unix.rs",
    "git/disk/system/windows.rs",
    "git/disk/system/processes.rs",
    "commands/system/unix.rs",
    "commands/system/windows.rs",
];

/// Paths that only some rooms, or one file of a room, may name, and why.
const EXCLUSIVE: [(&str, &[&str], &str); 31] = [
    ("git2", &["git", "store"], "the repository is two rooms' business"),
    ("rusqlite", &["store"], "the search index is a file of the repository's"),
    ("zip", &["manuscript"], "the formats of other programs are one room's business"),
    ("libgit2_sys", &["git"], "the repository is one room's business"),
    (
        "std::fs",
        &["git", "store", "commands/cli/environment.rs", "commands/system/unix.rs", "commands/system/windows.rs"],
        "files are two rooms' business, but for the user's own settings",
    ),
    ("std::fs::rename", &STORE_SYSTEM, "Windows refuses it while another program has the file open"),
    ("fs::rename", &STORE_SYSTEM, "Windows refuses it while another program has the file open"),
    ("std::os", &SYSTEM, SYSTEMS),
    ("rustix", &SYSTEM, SYSTEMS),
    ("windows_sys", &SYSTEM, SYSTEMS),
    ("reqwest", &["llm"], "the network is one room's business"),
    ("quick_xml", &["manuscript"], "formats of other programs are one room's business"),
    ("maud", &["report"], "the page is made in one place"),
    ("regex", &["manuscript", "commands/import.rs"], "patterns of headings are the author's own"),
    ("similar", &["text"], "differences of prose are measured in one place"),
    ("clap", &["commands"], "the command line is one room's business"),
    ("std::env", &["commands", "git/failpoint.rs"], "the environment is read once; test builds may be told to die"),
    ("std::time::SystemTime", &["commands"], "the clock is read in one place"),
    ("std::time::Instant", &["commands"], "the clock is read in one place"),
    ("jiff::Timestamp::now", &["commands"], "the clock is read in one place"),
    ("jiff::ZonedDateTime::now", &["commands"], "the clock is read in one place"),
    ("std::io::stdout", &["commands/terminal/writer.rs", "commands/cli/environment.rs"], WRITER),
    ("std::io::stderr", &["commands/terminal/writer.rs", "commands/cli/environment.rs"], WRITER),
    ("indicatif", &["commands/terminal/writer.rs"], WRITER),
    ("inquire", &["commands/terminal/prompt.rs"], "questions are asked in one place, with every text made visible"),
    ("std::process::exit", &["commands/mod.rs", "commands/terminal/progress.rs"], "the process ends in main"),
    (
        "std::process::Command",
        &[
            "store/remote/process.rs",
            "store/book/repack.rs",
            "git/disk/system/unix.rs",
            "git/disk/system/windows.rs",
            "git/filtered.rs",
            "commands/system/mod.rs",
            "commands/system/unix.rs",
            "commands/system/windows.rs",
        ],
        "the user's git reaches remotes, where libgit2 cannot, runs filters, and packs; a shell runs the pager and the command that hears of the end of runs; assistants and the browser act by this program; nothing else is started",
    ),
    ("axum", &["commands/serve/mod.rs", "commands/serve/site.rs"], "the pages are one command's business"),
    ("rmcp", &["commands/mcp.rs"], "the protocol of assistants is one command's business"),
    ("tokio::process", &["commands/own_program.rs"], "assistants and the browser act by this program, started again"),
    ("tokio", &["llm", "pipeline", "commands"], "nothing else waits"),
];

/// Macros that print, which the writer alone does.
const PRINTING: [&str; 5] = ["println", "eprintln", "print", "eprint", "dbg"];

/// The most lines of a file, its unit tests apart.
const FILE: usize = 500;
/// The most lines of a function.
const FUNCTION: usize = 80;
/// The most parameters of a function beside `self`.
const PARAMETERS: usize = 5;
/// The most methods of a type, wherever they stand.
const METHODS: usize = 40;

/// Files, functions and parameter lists that are above these limits, with their size when the limit came. They may only
/// shrink.
const LARGE: &[(&str, usize)] = &[];

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

fn place(source: &Source) -> String {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    source.file.strip_prefix(root).unwrap().to_string_lossy().into_owned()
}

fn room(module: &Module) -> Option<usize> {
    ROOMS.iter().position(|room| module.first().is_some_and(|first| first == room))
}

/// The files of the program: those that are not all tests.
fn program() -> Vec<&'static Source> {
    source::all().iter().filter(|source| !is_tests(source)).collect()
}

/// A module that is all tests may look wherever it likes.
fn is_tests(source: &Source) -> bool {
    source.module.last().is_some_and(|name| name == "tests")
}

#[test]
fn rooms_use_only_the_rooms_above_them() {
    let mut slips = Vec::new();
    for (module, used) in source::uses(&program()) {
        for (other, line) in used {
            let (Some(here), Some(there)) = (room(&module), room(&other)) else { continue };
            if there > here || (LEAVES.contains(&ROOMS[here]) && there != here) {
                slips.push(format!("{}:{line} uses {}", module.join("::"), other.join("::")));
            }
        }
    }
    assert!(slips.is_empty(), "{}", slips.join("\n"));
}

#[test]
fn no_files_use_each_other_in_a_circle() {
    let uses = source::uses(&program());
    let told = |circle: &BTreeSet<Module>| {
        let line = |module: &Module| {
            let next = uses[module].keys().filter(|other| circle.contains(*other));
            let next: Vec<String> = next.map(|other| other.join("::")).collect();
            format!("{} -> {}", module.join("::"), next.join(", "))
        };
        circle.iter().map(line).collect::<Vec<_>>().join("\n")
    };
    let circles: Vec<String> = source::cycles(&uses).iter().map(told).collect();
    assert!(circles.is_empty(), "{}", circles.join("\n\n"));
}

#[test]
fn what_belongs_to_one_room_is_named_in_no_other() {
    let mut slips = Vec::new();
    for source in program() {
        let place = place(source);
        let allowed = |rooms: &[&str]| {
            rooms.contains(&place.as_str()) || source.module.first().is_some_and(|room| rooms.contains(&room.as_str()))
        };
        for (word, rooms, why) in EXCLUSIVE {
            let word: Vec<&str> = word.split("::").collect();
            let is_word = |path: &[String]| path.len() >= word.len() && path.iter().zip(&word).all(|(a, b)| a == b);
            for named in source.named.iter().filter(|named| !named.own && is_word(&named.path) && !allowed(rooms)) {
                slips.push(format!("{place}:{}: `{}` does not belong here: {why}", named.line, named.path.join("::")));
            }
        }
        for (name, line) in source.macros.iter().filter(|(name, _)| PRINTING.contains(&name.as_str())) {
            slips.push(format!("{place}:{line}: `{name}!` does not belong here: {WRITER}"));
        }
    }
    assert!(slips.is_empty(), "{}", slips.join("\n"));
}

#[test]
fn only_the_modules_for_it_ask_which_system_it_is() {
    let mut slips = Vec::new();
    for source in program() {
        let place = place(source);
        let is_allowed = ["git/disk/system/", "commands/system/"].iter().any(|folder| place.starts_with(folder));
        let lines = source.systems.iter().filter(|_| !is_allowed);
        slips.extend(lines.map(|line| format!("{place}:{line} asks for the system: {SYSTEMS}")));
    }
    assert!(slips.is_empty(), "{}", slips.join("\n"));
    let asking: usize = program().iter().map(|source| source.systems.len()).sum();
    assert!(asking > 0, "no condition has been read");
}

#[test]
fn each_type_has_a_name_of_its_own() {
    let (visible, kinds) = (r"(?:pub(?:\([^)]*\))? )?", "(?:struct|enum|trait)");
    let pattern = regex::Regex::new(&format!(r"^(?: *{visible}{kinds}|{visible}type) (\w+)")).unwrap();
    let mut places: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for source in program() {
        let text = std::fs::read_to_string(&source.file).unwrap();
        for (at, line) in text.lines().take(source.lines).enumerate() {
            if let Some(found) = pattern.captures(line) {
                places.entry(found[1].to_owned()).or_default().push(format!("{}:{}", place(source), at + 1));
            }
        }
    }
    places.retain(|_, places| places.len() > 1);
    assert!(places.is_empty(), "two types with one name: {places:#?}");
}

#[test]
fn files_and_functions_are_short_or_say_why_not() {
    let (mut slips, mut large) = (Vec::new(), BTreeSet::new());
    let mut note = |what: String, size: usize, most: usize| {
        if size <= most {
            return;
        }
        match LARGE.iter().find(|(known, _)| *known == what) {
            Some((known, before)) => {
                large.insert(*known);
                if size > *before {
                    slips.push(format!("{what}: {size}, and {before} before"));
                }
            }
            None => slips.push(format!("{what}: {size}, and {most} at most")),
        }
    };
    for source in program() {
        let place = place(source);
        if !source.docs.contains("longer than 500 lines because") {
            note(place.clone(), source.lines, FILE);
        }
        for function in &source.functions {
            let name = &function.name;
            if !function.docs.contains("longer than 80 lines because") {
                note(format!("{place} {name}()"), function.lines, FUNCTION);
            }
            note(format!("{place} {name}(…)"), function.parameters, PARAMETERS);
        }
    }
    let gone = LARGE.iter().map(|(what, _)| what).filter(|what| !large.contains(*what));
    slips.extend(gone.map(|what| format!("{what}: no longer large, take it from the list")));
    assert!(slips.is_empty(), "{}", slips.join("\n"));
}

#[test]
fn types_have_few_methods() {
    let mut methods: BTreeMap<&str, usize> = BTreeMap::new();
    for (kind, count) in program().iter().flat_map(|source| &source.methods) {
        *methods.entry(kind).or_default() += count;
    }
    methods.retain(|_, count| *count > METHODS);
    assert!(methods.is_empty(), "a verb is a function of its file, which the call names then: {methods:?}");
}

#[test]
fn the_arguments_of_a_call_say_their_meaning() {
    let mut slips = Vec::new();
    for source in program() {
        for function in &source.functions {
            slips.extend(function.unclear.iter().map(|line| format!("{}:{line} {}", place(source), function.name)));
        }
    }
    assert!(
        slips.is_empty(),
        "take an enum of two variants in place of a `bool`, and a range or a struct in place of a pair of numbers:\n{}",
        slips.join("\n")
    );
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
