//! The documents are true of the program: the guides' commands parse, their tables agree with the code, and help,
//! manual and exit codes say the same.

use super::novel;
use novel::commands::{Exit, tree};
use novel::llm::preset;
use novel::report::Lang;
use novel::report::words::Words;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

const GUIDES: [&str; 2] = ["README.md", "README.zh-CN.md"];

/// The documents that show commands of the program.
const TOURS: [&str; 3] = ["docs/tour.md", "docs/tour.zh-CN.md", "docs/configuration.md"];

fn read(path: impl AsRef<Path>) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(path);
    std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// The documents that show commands, and the guides that a new book and the demo are given.
fn pages() -> Vec<PathBuf> {
    let templates = Path::new(env!("CARGO_MANIFEST_DIR")).join("templates");
    let folders = std::fs::read_dir(templates).unwrap().map(|entry| entry.unwrap().path().join("README.md"));
    GUIDES.iter().chain(&TOURS).map(PathBuf::from).chain(folders.filter(|page| page.is_file())).collect()
}

/// The blocks between fences of a kind, without their common indent's first spaces.
fn blocks(page: &str, kind: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut open: Option<(bool, String)> = None;
    for line in page.lines().map(str::trim_start) {
        match (line.strip_prefix("```"), &mut open) {
            (Some(of), None) => open = Some((of.trim() == kind, String::new())),
            (Some(_), Some(_)) => found.extend(open.take().filter(|(wanted, _)| *wanted).map(|(_, text)| text)),
            (None, Some((_, text))) => *text += &format!("{line}\n"),
            (None, None) => {}
        }
    }
    found
}

/// The commands that a reader types: the lines after a `$` of the consoles.
fn typed(page: &str) -> Vec<String> {
    let lines = blocks(page, "console").concat();
    lines.lines().filter_map(|line| line.strip_prefix("$ ")).map(str::to_owned).collect()
}

/// The code spans outside of blocks.
fn spans(page: &str) -> Vec<String> {
    let mut outside = String::new();
    let mut inside = false;
    for line in page.lines() {
        inside ^= line.trim_start().starts_with("```");
        if !inside && !line.trim_start().starts_with("```") {
            outside += &format!("{line}\n");
        }
    }
    outside.split('`').skip(1).step_by(2).map(str::to_owned).collect()
}

/// The words of a command line of this program, up to what the shell does with its output; `None` for anything else.
fn words(line: &str) -> Option<Vec<&str>> {
    let line = line.split([';', '|', '>', '#']).next().unwrap_or_default();
    let words: Vec<&str> = line.split_whitespace().collect();
    match words.as_slice() {
        ["novel", _, ..] => Some(words),
        ["git", "novel", _, ..] => Some(words[1..].to_vec()),
        _ => None,
    }
}

#[test]
fn every_command_in_the_guides_parses() {
    let mut seen = BTreeSet::new();
    for path in pages() {
        let page = read(&path);
        let lines: Vec<String> = typed(&page).into_iter().chain(spans(&page)).collect();
        let commands: Vec<Vec<&str>> = lines.iter().filter_map(|line| words(line)).collect();
        assert!(commands.len() >= 5, "{}: {commands:?}", path.display());
        for command in commands {
            let parsed = tree(Lang::En, "novel").try_get_matches_from(&command);
            assert!(parsed.is_ok(), "{}: {}", path.display(), parsed.unwrap_err());
            seen.insert(command[1].to_owned());
        }
    }
    for command in ["init", "continue", "decide", "status", "show", "diff", "context", "rollback", "undo", "config"] {
        assert!(seen.contains(command), "no guide shows `novel {command}`");
    }
}

#[test]
fn the_guides_two_commands_are_those_that_are_checked() {
    let checks = read(".ci/run").replace(" --locked", "");
    for guide in GUIDES {
        let page = read(guide);
        let set_up = blocks(&page, "console").into_iter().find(|block| block.contains("cargo test")).unwrap();
        let commands: Vec<&str> = set_up.lines().filter_map(|line| line.strip_prefix("$ ")).collect();
        assert_eq!(commands.len(), 2, "{guide}: {set_up}");
        for command in commands {
            let runs = |line: &str| line == command || line.starts_with(&format!("{command} "));
            assert!(checks.lines().any(runs), "{guide}: .ci/run does not run `{command}`");
        }
    }
}

#[test]
fn the_guides_know_every_provider() {
    for guide in GUIDES.into_iter().chain(["docs/configuration.md"]) {
        let page = read(guide);
        for preset in preset::all() {
            let name = format!("`{}`", preset.name);
            let row = page.lines().find(|line| line.starts_with("| `") && line.contains(&name));
            let row = row.unwrap_or_else(|| panic!("{guide}: {name} is missing"));
            let models = [preset.standard, preset.strong].into_iter().flatten().filter(|_| !preset.local);
            for word in preset.key_variables.iter().copied().chain(models) {
                assert!(row.contains(&format!("`{word}`")), "{guide}: {word} is not in {row}");
            }
        }
    }
}

#[test]
fn the_guides_settings_are_understood() {
    for guide in GUIDES.into_iter().chain(["docs/configuration.md"]) {
        let home = tempfile::tempdir().unwrap();
        let file = home.path().join("config.toml");
        let settings = blocks(&read(guide), "toml").concat();
        std::fs::write(&file, &settings).unwrap();
        let output = novel(home.path()).env("NOVEL_CONFIG", &file).args(["config", "--lang", "en"]).output().unwrap();
        let (out, err) = (String::from_utf8(output.stdout).unwrap(), String::from_utf8(output.stderr).unwrap());
        assert!(output.status.success() && err.is_empty(), "{guide}: {err}");
        let written: toml::Table = settings.parse().unwrap();
        for name in written.keys().filter(|name| written[*name].is_str()) {
            assert!(out.contains(&format!("\n{name} = ")) || out.starts_with(&format!("{name} = ")), "{guide}: {name}");
        }
    }
}

/// The name that a link uses for a heading.
fn anchor(heading: &str) -> String {
    let kept = heading.trim_start_matches('#').trim().to_lowercase();
    let kept = kept.chars().filter(|c| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_'));
    kept.map(|c| if c == ' ' { '-' } else { c }).collect()
}

#[test]
fn the_documents_point_at_files_and_headings_that_are_there() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let is_document = |path: &PathBuf| path.extension().is_some_and(|end| end == "md");
    let files = |dir: &Path| -> Vec<PathBuf> {
        std::fs::read_dir(dir).unwrap().map(|entry| entry.unwrap().path()).filter(is_document).collect()
    };
    for path in files(root).into_iter().chain(files(&root.join("docs"))) {
        let page = read(&path);
        for target in page.split("](").skip(1).filter_map(|rest| rest.split(')').next()) {
            let (file, heading) = target.split_once('#').unwrap_or((target, ""));
            if file.contains("://") {
                continue;
            }
            let place = if file.is_empty() { path.clone() } else { path.parent().unwrap().join(file) };
            assert!(place.exists(), "{}: {target}", path.display());
            let is_there = || read(&place).lines().any(|line| line.starts_with('#') && anchor(line) == heading);
            assert!(heading.is_empty() || is_there(), "{}: {target}", path.display());
        }
    }
    for guide in GUIDES {
        assert!(read(guide).matches("](").count() >= 10, "{guide}");
        assert!(read(guide).lines().count() <= 150, "{guide}: what is longer belongs into docs/");
    }
}

/// The lines below a heading.
fn section<'t>(text: &'t str, heading: &str) -> Vec<&'t str> {
    text.lines().skip_while(|line| *line != heading).skip(1).collect()
}

/// Text of a manual page without roff's escapes.
fn plain(text: &str) -> String {
    text.replace("\\-", "-").replace("\\*(Aq", "'")
}

#[test]
fn help_and_manual_give_every_exit_code_the_same_meaning() {
    let home = tempfile::tempdir().unwrap();
    let said = |args: &[&str]| {
        let output = novel(home.path()).args(args).output().unwrap();
        assert!(output.status.success(), "{args:?}");
        String::from_utf8(output.stdout).unwrap()
    };
    let manual = said(&["man"]);
    let lines = section(&manual, ".SH \"EXIT STATUS\"");
    for (lang, heading) in [(Lang::En, "Exit codes:"), (Lang::Zh, "退出码：")] {
        let help = said(&["--help", "--lang", lang.as_str()]);
        let table = section(&help, heading);
        let rows: Vec<&str> = table.into_iter().filter(|line| !line.trim().is_empty()).collect();
        assert_eq!(rows.len(), Exit::ALL.len(), "{rows:?}");
        for (row, exit) in rows.iter().zip(Exit::ALL) {
            let (code, meaning) = row.trim().split_once("  ").unwrap();
            assert_eq!((code, meaning), (exit.code().to_string().as_str(), exit.say(lang)));
        }
    }
    for exit in Exit::ALL {
        let at = lines.iter().position(|line| *line == format!("\\fB{}\\fR", exit.code()));
        let meaning = at.and_then(|at| lines.get(at + 1)).map(|line| plain(line));
        assert_eq!(meaning.as_deref(), Some(exit.say(Lang::En)));
    }
}

#[test]
fn the_manual_lists_the_commands_that_help_lists() {
    let home = tempfile::tempdir().unwrap();
    let dir = home.path().join("man");
    let output = novel(home.path()).args(["man", "--install"]).arg(&dir).output().unwrap();
    assert!(output.status.success());
    let main = std::fs::read_to_string(dir.join("man1/novel.1")).unwrap();
    for command in tree(Lang::En, "novel").get_subcommands().filter(|command| command.get_name() != "help") {
        let name = command.get_name();
        assert!(main.contains(&format!("novel\\-{name}(1)")), "novel.1 does not list {name}");
        let page = plain(&std::fs::read_to_string(dir.join(format!("man1/novel-{name}.1"))).unwrap());
        let about = command.get_about().unwrap().to_string();
        assert!(page.contains(&about), "novel-{name}.1 does not say: {about}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_release_has_the_programs_with_their_pages_and_completions() {
    let world = crate::common::World::new();
    let target = format!("{}-unknown-linux-musl", std::env::consts::ARCH);
    for name in ["novel", "git-novel"] {
        let path = format!("programs/programs-{target}/{name}");
        world.write(&path, &format!("#!/bin/sh\nexec '{}' \"$@\"\n", env!("CARGO_BIN_EXE_novel")));
        let mode = std::os::unix::fs::PermissionsExt::from_mode(0o755);
        std::fs::set_permissions(world.path(&path), mode).unwrap();
    }
    let mut pack = world.command("sh", Path::new(env!("CARGO_MANIFEST_DIR")));
    pack.args([".ci/pack", "v9"]).args([world.path("programs"), world.path("archives")]);
    let done = pack.output().unwrap();
    assert!(done.status.success() && done.stderr.is_empty(), "{done:?}");
    let archive = world.path("archives").join(format!("novel-v9-{target}.tar.gz"));
    let listed = std::process::Command::new("tar").arg("-tzf").arg(archive).output().unwrap();
    let listed = String::from_utf8(listed.stdout).unwrap();
    for file in ["novel", "git-novel", "man1/novel-serve.1", "completions/novel.bash", "docs/git.md", "LICENSE-MIT"] {
        assert!(listed.lines().any(|line| line == format!("novel-v9-{target}/{file}")), "{file}: {listed}");
    }
}
