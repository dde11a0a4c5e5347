//! Keys that must not get into a book: the program's own commits are checked as those of an author with the hooks are.

use crate::common::World;
use std::fmt::Write as _;

const BOOK: &str = "book";

/// A key as a provider gives it, put together so that this file holds none.
fn key() -> String {
    ["sk-", "proj-0123456789abcdefghij"].concat()
}

fn world() -> World {
    let world = World::new();
    world.write("home/.gitconfig", "[user]\nname = A\nemail = a@b\n[init]\ndefaultBranch = main\n");
    let _ = world.demo_with(1);
    world
}

/// The commits of any ref that add or remove the text.
fn commits_with(world: &World, text: &str) -> usize {
    world.git(BOOK, &["log", "--all", "--format=%H", "-S", text]).ok().lines().count()
}

#[test]
fn a_key_in_a_file_of_the_authors_is_in_no_commit_of_the_programs() {
    for (path, command) in [
        ("brief.md", &["continue"][..]),
        ("research/词汇.md", &["continue"]),
        ("prompts/writer.md", &["write", "1", "--force"]),
        ("chapters/vol-01/chapter-001.md", &["continue"]),
    ] {
        let world = world().with("NOVEL_API_KEY", "my-very-own-passphrase");
        let mut text = std::fs::read_to_string(world.path(BOOK).join(path)).unwrap_or_default();
        let line = text.lines().count() + 1;
        for secret in [key(), "my-very-own-passphrase".to_owned()] {
            let before = text.clone();
            writeln!(text, "KEY={secret}").unwrap();
            world.write(&format!("{BOOK}/{path}"), &text);
            let said = world.novel(BOOK, command);
            if said.code == 0 {
                // The command has nothing to do with the file.
                assert_eq!(commits_with(&world, &secret), 0, "{path} {command:?}: {said:#?}");
            } else {
                let place = format!("{path}, line {line}: contains a key");
                assert!(said.code == 1 && said.stderr.contains(&place), "{path} {command:?}: {said:#?}");
            }
            assert!(!said.stderr.contains(&secret) && !said.stdout.contains(&secret), "{said:#?}");
            assert_eq!(commits_with(&world, &secret), 0);
            text = before;
        }
    }
}

#[test]
fn the_author_is_told_how_to_go_on_with_a_key_and_with_what_is_none() {
    let world = world();
    let brief = world.read("book/brief.md");
    world.write("book/brief.md", &format!("{brief}KEY={}\n", key()));
    for (lang, parts) in [
        ("en", ["nothing was committed", "`novel config path`", "`git add brief.md`", "`git commit --no-verify`"]),
        ("zh", ["没有提交", "`novel config path`", "`git add brief.md`", "`git commit --no-verify`"]),
    ] {
        let said = world.novel(BOOK, &["--lang", lang, "continue"]).fails(1);
        assert!(parts.iter().all(|part| said.stderr.contains(part)), "{said:#?}");
    }
    // Every command that looks says so.
    let found = world.novel(BOOK, &["doctor"]).fails(1);
    assert!(found.stdout.contains("brief.md") && found.stdout.contains("broken_edit"), "{found:#?}");
    let repair = world.novel(BOOK, &["doctor", "--repair", "--yes"]).fails(1);
    assert!(repair.stdout.contains("brief.md"), "{repair:#?}");
    let status = world.novel(BOOK, &["status"]).ok();
    assert!(status.contains("brief.md") && !status.contains("novel continue"), "{status}");
    assert_eq!(world.read("book/brief.md"), format!("{brief}KEY={}\n", key()));
    // Taken out, the book goes on.
    world.write("book/brief.md", &format!("{brief}又一行。\n"));
    let _ = world.novel(BOOK, &["continue"]).ok();
    // Committed by the author, it is the author's: the book goes on, and the text is sent to no agent and kept with no call.
    world.write("book/brief.md", &format!("{brief}KEY={}\n", key()));
    let _ = world.git(BOOK, &["add", "brief.md"]).ok();
    let _ = world.git(BOOK, &["commit", "-q", "--no-verify", "-m", "no key"]).ok();
    let _ = world.novel(BOOK, &["continue"]).ok();
    world.write("book/brief.md", &format!("{brief}KEY={}\n再一行。\n", key()));
    let _ = world.novel(BOOK, &["continue"]).ok();
    let _ = world.novel(BOOK, &["undo"]).ok();
    assert_eq!(commits_with(&world, &key()), 1);
    world.check(BOOK);
}

#[test]
fn a_key_that_was_only_staged_is_told_as_such() {
    let world = world();
    let brief = world.read("book/brief.md");
    world.write("book/brief.md", &format!("{brief}KEY={}\n", key()));
    let _ = world.git(BOOK, &["add", "brief.md"]).ok();
    world.write("book/brief.md", &format!("{brief}一行。\n"));
    let said = world.novel(BOOK, &["continue"]).fails(1);
    assert!(said.stderr.contains("you staged") && said.stderr.contains("`git add brief.md`"), "{said:#?}");
    let _ = world.git(BOOK, &["add", "brief.md"]).ok();
    let _ = world.novel(BOOK, &["continue"]).ok();
    assert_eq!(commits_with(&world, &key()), 0);
}

#[test]
fn a_book_is_not_made_with_a_key_in_it() {
    let world = world();
    let conflict = format!("他要把 {} 送到城北", key());
    let init = ["init", "other", "--title", "信", "--protagonist", "林枫", "--conflict", &conflict, "--offline"];
    let said = world.novel("", &init).fails(1);
    assert!(said.stderr.contains("brief.md, line") && !said.stderr.contains(&key()), "{said:#?}");
    // Without the key, the same folder becomes a book.
    let init = init.map(|arg| if arg == conflict { "他要把信送到城北" } else { arg });
    let _ = world.novel("", &init).ok();
    assert_eq!(world.git("other", &["log", "--all", "--format=%H", "-S", &key()]).ok(), "");
}

#[test]
fn a_wish_with_a_key_leaves_none_in_the_history() {
    let world = world();
    let said = world.novel(BOOK, &["write", "1", "--force", "--wish", &format!("把 {} 删掉", key())]);
    assert!(!said.stdout.contains(&key()), "{said:#?}");
    assert_eq!(commits_with(&world, &key()), 0);
    assert!(!world.git(BOOK, &["log", "--all", "--format=%B"]).ok().contains(&key()));
}

#[test]
fn an_undo_beside_a_key_asks_to_take_the_key_out_and_not_for_a_commit() {
    let world = world();
    for path in ["brief.md", "novel.toml"] {
        let file = format!("{BOOK}/{path}");
        let before = world.read(&file);
        world.write(&file, &format!("{before}\napi_key = \"{}\"\n", key()));
        let said = world.novel(BOOK, &["--lang", "en", "undo"]).fails(4);
        assert!(said.stderr.contains(path) && !said.stderr.contains("git add --all"), "{said:#?}");
        assert!(said.stderr.contains("environment variable") && !said.stderr.contains(&key()), "{said:#?}");
        world.write(&file, &before);
    }
    let _ = world.novel(BOOK, &["undo"]).ok();
}
