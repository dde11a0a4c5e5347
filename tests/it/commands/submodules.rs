//! Submodules in a book, and books that are submodules.

use crate::common::World;

const LOCAL: [&str; 4] = ["-c", "protocol.file.allow=always", "submodule", "add"];

/// Stops before the next chapter is accepted, and shows its draft in `staging/`.
pub(super) fn show_draft(world: &World, book: &str) {
    world.dies(book, &["continue"], "txn.before_objects");
    let branch = world.git(book, &["branch", "--show-current"]).ok();
    let _ = world.novel(book, &["branch", "switch", branch.trim()]).ok();
}

#[test]
fn a_submodule_that_is_not_committed_yet_is_left_to_git() {
    let world = World::new();
    let book = world.demo_with(1);
    world.write("words/a.md", "词\n");
    let _ = world.git("words", &["init", "-q"]).ok();
    let _ = world.git("words", &["add", "a.md"]).ok();
    world.commit("words", "words");
    let _ = world.git(book, &[&LOCAL[..], &["-q", "../words", "research/词库"]].concat()).ok();
    let tip = world.git(book, &["rev-parse", "--short", "HEAD"]).ok();
    let said = world.novel(book, &["continue"]);
    assert!(!said.stderr.contains(tip.trim()), "{said:#?}");
    let _ = said.ok();
    let _ = world.novel(book, &["doctor"]).ok();
    let said = world.novel(book, &["doctor", "--repair", "--yes"]);
    assert!(!format!("{said:?}").contains("aside"), "{said:#?}");
    assert_eq!(world.git(book, &["status", "--porcelain"]).ok(), "A  .gitmodules\nA  research/词库\n");
    let _ = world.git(book, &["-c", "user.name=A", "-c", "user.email=a@b", "commit", "-qm", "words"]).ok();
    let _ = world.novel(book, &["continue"]).ok();
    world.check(book);
}

#[test]
fn a_book_that_is_a_submodule_shows_its_draft_to_plain_git() {
    let world = World::new();
    let _ = world.demo_with(1);
    std::fs::create_dir_all(world.path("outer")).unwrap();
    let _ = world.git("outer", &["init", "-q"]).ok();
    let _ = world.git("outer", &[&LOCAL[..], &["-q", "../book", "novel"]].concat()).ok();
    let book = "outer/novel";
    show_draft(&world, book);
    let text = "outer/novel/staging/chapters/vol-01/chapter-002.md";
    assert_eq!(world.git("outer/novel/staging", &["status", "--porcelain"]).ok(), "");
    world.write(text, &(world.read(text) + "\n改了。\n"));
    assert_eq!(
        world.git("outer/novel/staging", &["status", "--porcelain"]).ok(),
        " M chapters/vol-01/chapter-002.md\n"
    );
    let _ = world.git(book, &["status"]).ok();
    let _ = world.novel(book, &["continue", "--to", "ch-002"]).ok();
    assert!(world.read("outer/novel/chapters/vol-01/chapter-002.md").ends_with("改了。\n"));
    assert_eq!(world.git(book, &["status", "--porcelain"]).ok(), "");
    world.check(book);
}
