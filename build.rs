//! Names the build, makes Rust of the catalogue's files and a list of the prompts, and links the program that the tests
//! start at a fixed address.
//!
//! `NOVEL_VERSION` is for people. `NOVEL_BUILD` follows from the sources, so that a value kept by another build of the
//! program is never believed.
//!
//! Unoptimised, the program has 205,000 places that the system's loader would otherwise adjust at each start: 4 of 9 ms, and the
//! tests start it 17,000 times. A release stays position-independent, so that the system can place it at random.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::Path;

/// Hashes a file, or a folder with all that is in it.
fn hash(path: &Path, hasher: &mut DefaultHasher) -> std::io::Result<()> {
    if !path.is_dir() {
        std::fs::read(path)?.hash(hasher);
        return Ok(());
    }
    let mut names: Vec<_> = path.read_dir()?.collect::<Result<_, _>>()?;
    names.sort_by_key(|entry| entry.file_name());
    names.iter().try_for_each(|entry| {
        entry.file_name().as_encoded_bytes().hash(hasher);
        hash(&entry.path(), hasher)
    })
}

/// Makes one module of a language's messages, which stand in one file for each topic, for the macro `messages!`, and of the
/// names in `names.txt`, which are looked up by their ids. The templates of commit subjects are listed beside them.
fn catalogue(lang: &str) -> std::io::Result<()> {
    let folder = Path::new("src/report/catalogue").join(lang);
    let mut files: Vec<_> = folder.read_dir()?.collect::<Result<_, _>>()?;
    files.sort_by_key(|file| file.file_name());
    let (mut messages, mut names, mut subjects) = (String::new(), Vec::new(), Vec::new());
    for file in files {
        let has_names = file.file_name() == "names.txt";
        for (at, line) in std::fs::read_to_string(file.path())?.lines().enumerate() {
            if line.trim().is_empty() || line.starts_with('#') {
                continue;
            }
            // A hint belongs to the failure above.
            if let Some(hint) = line.strip_prefix("    hint = \"") {
                messages.truncate(messages.trim_end_matches("\";\n").len());
                messages.push_str(&format!("\\u{{1e}}{hint};\n"));
                continue;
            }
            let is_message = line.contains(" = \"") && line.ends_with('"');
            assert!(is_message, "{}:{}: this is no message: name = \"text\"", file.path().display(), at + 1);
            match line.split_once(" = ") {
                Some((id, text)) if has_names => names.push(format!("({id:?}, {text})")),
                _ => messages.push_str(&format!("{line};\n")),
            }
            if let Some((name, text)) = line.split_once(" = ").filter(|(name, _)| name.starts_with("subject_")) {
                subjects.push(format!("({:?}, {text})", name.split('(').next().unwrap_or(name)));
            }
        }
    }
    names.sort_unstable();
    subjects.sort_unstable();
    let list =
        |name: &str, of: &[String]| format!("pub(crate) const {name}: &[(&str, &str)] = &[\n{}\n];\n", of.join(",\n"));
    let lists = list("NAMES", &names) + &list("SUBJECTS", &subjects);
    let module = format!("messages! {{\n{messages}}}\n{lists}");
    let out = std::env::var_os("OUT_DIR").expect("cargo sets it");
    std::fs::write(Path::new(&out).join(format!("{lang}.rs")), module)
}

/// Adds the files of a folder of prompts with their texts to a list in Rust.
fn prompts(folder: &str, list: &mut String) -> std::io::Result<()> {
    let mut names: Vec<_> = Path::new(folder).read_dir()?.collect::<Result<_, _>>()?;
    names.sort_by_key(|entry| entry.file_name());
    names.iter().try_for_each(|entry| {
        let path = format!("{folder}/{}", entry.file_name().to_string_lossy());
        if entry.path().is_dir() {
            return prompts(&path, list);
        }
        if path.ends_with(".md") {
            list.push_str(&format!("({path:?}, include_str!({:?})),\n", std::path::absolute(&path)?));
        }
        Ok(())
    })
}

/// The version of the program, in a release with the commit from which it was built. Each commit would otherwise have every
/// test compile the program again.
fn version(is_release: bool) -> String {
    let version = env!("CARGO_PKG_VERSION");
    let git = |args: &[&str]| {
        let done = std::process::Command::new("git").args(args).output().ok().filter(|done| done.status.success())?;
        Some(String::from_utf8(done.stdout).ok()?.trim().to_owned())
    };
    // A packed crate has no repository of its own, and may lie in that of another project.
    let is_own = is_release && git(&["ls-files", "--error-unmatch", "build.rs"]).is_some();
    let Some(commit) = is_own.then(|| git(&["rev-parse", "--short=10", "HEAD"])).flatten() else {
        return version.to_owned();
    };
    if let Some(log) = git(&["rev-parse", "--git-path", "logs/HEAD"]) {
        println!("cargo:rerun-if-changed={log}");
    }
    format!("{version} ({commit})")
}

fn main() -> std::io::Result<()> {
    println!("cargo:rerun-if-changed=build.rs");
    let mut hasher = DefaultHasher::new();
    for path in ["src", "Cargo.toml"] {
        println!("cargo:rerun-if-changed={path}");
        hash(Path::new(path), &mut hasher)?;
    }
    println!("cargo:rustc-env=NOVEL_BUILD={} {:016x}", env!("CARGO_PKG_VERSION"), hasher.finish());
    let is = |name: &str, value: &str| std::env::var(name).is_ok_and(|set| set == value);
    println!("cargo:rustc-env=NOVEL_VERSION={}", version(is("PROFILE", "release")));
    ["zh", "en"].iter().try_for_each(|lang| catalogue(lang))?;
    println!("cargo:rerun-if-changed=prompts");
    let mut list = String::new();
    prompts("prompts", &mut list)?;
    let out = std::env::var_os("OUT_DIR").expect("cargo sets it");
    std::fs::write(Path::new(&out).join("prompts.rs"), format!("&[\n{list}]\n"))?;
    println!("cargo:rustc-check-cfg=cfg(failpoints)");
    if is("PROFILE", "debug") {
        println!("cargo:rustc-cfg=failpoints");
    }
    if is("PROFILE", "debug") && is("CARGO_CFG_TARGET_OS", "linux") && is("CARGO_CFG_TARGET_ENV", "gnu") {
        println!("cargo:rustc-link-arg-bin=novel=-no-pie");
    }
    Ok(())
}
