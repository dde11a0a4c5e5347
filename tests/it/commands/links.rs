//! Symbolic links in a book: nothing is read through one, and none is in the way for good.

use crate::common::World;
use crate::pipeline::script::score;
use crate::pipeline::studio::Studio;
use std::os::unix::fs::symlink;
use std::path::Path;

const BOOK: &str = "book";
/// Stands in files outside of the book.
const OUTSIDE: &str = "别的文件夹里的秘密";

fn world() -> World {
    let world = World::new();
    world.write("home/.gitconfig", "[user]\nname = A\nemail = a@b\n[init]\ndefaultBranch = main\n");
    let _ = world.demo_with(2);
    world.write("outside/private.md", OUTSIDE);
    world
}

fn is_link(path: &Path) -> bool {
    std::fs::symlink_metadata(path).is_ok_and(|meta| meta.is_symlink())
}

/// Puts a link to a folder or file outside in place of what is at `path` in the book, which goes there.
fn linked(world: &World, path: &str) {
    let (from, to) = (world.path(BOOK).join(path), world.path("outside").join(path.replace('/', "-")));
    std::fs::rename(&from, &to).unwrap();
    if to.is_dir() {
        std::fs::write(to.join("private.md"), OUTSIDE).unwrap();
    }
    symlink(to, from).unwrap();
}

/// No commit of any ref has the text.
fn is_nowhere(world: &World, text: &str) -> bool {
    world.git(BOOK, &["log", "--all", "--format=%H", "-S", text]).ok().is_empty()
}

/// The run names the link and the command that sets it aside, which gives the book back as the last commit has it.
fn is_set_aside(world: &World, path: &str) {
    for (lang, part) in [("en", "no file is read through a link"), ("zh", "不会通过链接读取文件")] {
        let said = world.novel(BOOK, &["--lang", lang, "continue"]).fails(4);
        for part in [path, part, "`novel doctor --repair --yes`"] {
            assert!(said.stderr.contains(part), "{path}: {part}: {said:#?}");
        }
    }
    let found = world.novel(BOOK, &["doctor"]).fails(1);
    assert!(found.stdout.contains("[in_the_way]"), "{path}: {found:#?}");
    let left = world.novel(BOOK, &["doctor", "--repair"]).fails(1);
    assert!(left.stdout.trim_end().ends_with("next: novel doctor --repair --yes"), "{path}: {left:#?}");
    assert!(is_link(&world.path(BOOK).join(path)), "{path}");
    let _ = world.novel(BOOK, &["doctor", "--repair", "--yes"]).ok();
    assert!(is_link(&world.path(BOOK).join(format!("{path}.aside"))), "{path}");
    let _ = world.novel(BOOK, &["doctor"]).ok();
    assert_eq!(world.git(BOOK, &["diff", "--stat", "HEAD"]).ok(), "", "{path}");
    let _ = world.novel(BOOK, &["continue"]).ok();
    assert!(is_nowhere(world, OUTSIDE), "{path}");
    world.check(BOOK);
}

#[test]
fn a_link_in_place_of_a_file_or_folder_is_set_aside_and_nothing_is_read_through_it() {
    for path in ["research", "prompts", "world", "chapters/vol-01", "brief.md"] {
        let world = world();
        let before = world.git(BOOK, &["ls-files", "-s", path]).ok();
        linked(&world, path);
        is_set_aside(&world, path);
        assert_eq!(world.git(BOOK, &["ls-files", "-s", path]).ok().lines().count() > 0, !before.is_empty(), "{path}");
    }
}

#[test]
fn a_committed_link_makes_way_for_what_was_there() {
    for path in ["research", "world", "chapters/vol-01", "brief.md"] {
        let world = world();
        let before = world.git(BOOK, &["ls-files", "-s", path]).ok();
        linked(&world, path);
        let _ = world.git(BOOK, &["add", "-A", path]).ok();
        let _ = world.git(BOOK, &["commit", "-qm", "a link"]).ok();
        is_set_aside(&world, path);
        let after = world.git(BOOK, &["ls-files", "-s", path]).ok();
        assert!(before.lines().all(|line| after.contains(line)), "{path}: {before} {after}");
    }
}

#[test]
fn settings_behind_a_committed_link_come_back() {
    let world = world();
    let before = world.read("book/novel.toml");
    linked(&world, "novel.toml");
    let _ = world.git(BOOK, &["commit", "-qam", "a link"]).ok();
    let said = world.novel(BOOK, &["continue"]).fails(4);
    assert!(said.stderr.contains("novel.toml") && said.stderr.contains("novel doctor --repair"), "{said:#?}");
    let found = world.novel(BOOK, &["doctor", "--repair"]).fails(1);
    assert!(found.stdout.contains("novel doctor --repair --yes"), "{found:#?}");
    let _ = world.novel(BOOK, &["doctor", "--repair", "--yes"]).ok();
    assert!(!is_link(&world.path("book/novel.toml")) && world.read("book/novel.toml") == before);
    let _ = world.novel(BOOK, &["continue"]).ok();
}

#[test]
fn links_where_the_book_has_nothing_are_passed_over() {
    let world = world();
    symlink("../../outside", world.path("book/world/lore")).unwrap();
    symlink("../../outside/private.md", world.path("book/research/private.md")).unwrap();
    symlink("user@host.1234", world.path("book/world/.#rules.json")).unwrap();
    let _ = world.git(BOOK, &["rm", "-rqf", "prompts"]).ok();
    let _ = world.novel(BOOK, &["continue"]).ok();
    let _ = world.novel(BOOK, &["doctor"]).ok();
    assert!(is_nowhere(&world, OUTSIDE));
    // Committed, they are no files of the book either.
    let _ = world.git(BOOK, &["add", "-A", "world", "research"]).ok();
    let _ = world.git(BOOK, &["commit", "-qm", "links"]).ok();
    let _ = world.novel(BOOK, &["continue"]).ok();
    assert!(is_nowhere(&world, OUTSIDE));
}

#[test]
fn an_editors_lock_in_staging_is_in_nobodys_way() {
    let studio = Studio::new().on("judge", score(2.4));
    let _ = studio.go().fails(3);
    let folder = studio.path("staging/chapters/vol-01");
    symlink("user@host.1234:56", folder.join(".#chapter-002.md")).unwrap();
    let _ = studio.novel(&["decide", "accept"]).ok();
    let _ = studio.go().ok();
    assert!(is_link(&folder.join(".#chapter-002.md")));
    let _ = studio.novel(&["doctor"]).ok();
    // The next chapter is shown beside the lock, and after the editor has taken it away.
    studio.then("judge", score(2.4));
    let _ = studio.go().fails(3);
    assert!(studio.path("staging/chapters/vol-01/chapter-003.md").is_file());
    std::fs::remove_file(folder.join(".#chapter-002.md")).unwrap();
    let _ = studio.novel(&["decide", "accept"]).ok();
    let _ = studio.go().ok();
    assert!(!studio.path("staging").exists());
    studio.world.check(BOOK);
}

#[test]
fn no_text_is_read_through_a_link_in_staging() {
    let text = "staging/chapters/vol-01/chapter-002.md";
    for path in [text, "staging/chapters"] {
        let studio = Studio::new().on("judge", score(2.4));
        let _ = studio.go().fails(3);
        let outside = studio.world.path("outside");
        std::fs::create_dir_all(outside.join("vol-01")).unwrap();
        let mine = studio.read(text) + OUTSIDE;
        std::fs::write(outside.join("vol-01/chapter-002.md"), mine).unwrap();
        std::fs::rename(studio.path(path), studio.world.path("shown")).unwrap();
        let target = if path == text { outside.join("vol-01/chapter-002.md") } else { outside };
        symlink(target, studio.path(path)).unwrap();
        for command in [&["decide", "accept"][..], &["continue"]] {
            let said = studio.novel(command).fails(4);
            assert!(said.stderr.contains(path) && said.stderr.contains("`novel doctor --repair --yes`"), "{said:#?}");
        }
        let _ = studio.novel(&["doctor", "--repair", "--yes"]).ok();
        assert!(is_link(&studio.path(&format!("{path}.aside"))));
        let _ = studio.novel(&["decide", "accept"]).ok();
        let _ = studio.go().ok();
        assert!(is_nowhere(&studio.world, OUTSIDE));
        studio.world.check(BOOK);
    }
}

#[test]
fn a_link_in_place_of_staging_is_set_aside() {
    let world = world();
    symlink("../outside", world.path("book/staging")).unwrap();
    let said = world.novel(BOOK, &["continue"]);
    assert!(said.code == 4 && said.stderr.contains("staging"), "{said:#?}");
    let _ = world.novel(BOOK, &["doctor", "--repair", "--yes"]).ok();
    let _ = world.novel(BOOK, &["continue"]).ok();
    assert_eq!(std::fs::read_dir(world.path("outside")).unwrap().count(), 1);
    assert!(is_nowhere(&world, OUTSIDE));
}
