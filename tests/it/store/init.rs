use super::bench::*;
use novel::report::subject::wording;
use novel::store::{self, BeginError, Book, GitFeature, GivenAuthor, InitError, NotWritable, OpenError};

#[test]
fn a_new_book_is_a_clean_repository_in_any_folder() {
    let home = Home::empty();
    let made = home.init();
    home.assert_clean();
    assert!(made.kept.is_empty() && !made.resumed && !made.anonymous);
    assert_eq!(home.git(&["rev-parse", "HEAD"]).trim(), made.commit.to_string());
    assert_eq!(home.git(&["log", "--format=%an %s"]).trim(), "林作者 密信");
    assert_eq!(home.git(&["config", "core.fsync"]).trim(), "all");
    assert_eq!(home.git(&["config", "novel.branch"]).trim(), made.book.branch());
    assert_eq!(home.read("brief.md").unwrap(), "# 简介\n");
    for folder in ["", "state", "chapters/nowhere/yet"] {
        assert_eq!(Book::open(&home.path(folder), wording).unwrap().root(), home.root);
    }
    assert!(matches!(Book::init(&home.root, &options(), wait()), Err(InitError::AlreadyBook(_))));
}

#[test]
fn what_was_in_the_folder_stays_and_is_not_committed() {
    let home = Home::empty();
    home.write("素材/笔记.txt", "mine");
    home.write("brief.md", "my own brief\n");
    let made = home.init();
    assert_eq!(made.kept, ["brief.md"]);
    assert_eq!(home.read("brief.md").unwrap(), "my own brief\n");
    assert_eq!(home.git(&["show", "HEAD:brief.md"]), "my own brief\n");
    assert_eq!(home.git(&["-c", "core.quotePath=false", "status", "--porcelain"]), "?? 素材/\n");
    home.assert_sound();
}

#[test]
fn an_existing_repository_goes_on_under_its_own_branch_name() {
    let home = Home::empty();
    std::fs::create_dir_all(&home.root).unwrap();
    home.git(&["init", "-q", "-b", "写作"]);
    home.write("README.md", "hello\n");
    home.git(&["add", "."]);
    home.git(&["commit", "-qm", "first"]);
    home.write("staged.txt", "staged");
    home.git(&["add", "staged.txt"]);
    home.write("loose.txt", "loose");
    let made = home.init();
    assert_eq!(made.book.branch(), "写作");
    assert_eq!(home.git(&["rev-list", "--count", "HEAD"]).trim(), "2");
    assert_eq!(home.git(&["status", "--porcelain"]), "A  staged.txt\n?? loose.txt\n");
    assert_eq!(home.git(&["show", "HEAD:README.md"]), "hello\n");
}

#[test]
fn without_a_name_the_commit_is_novels() {
    let home = Home::empty();
    let mut options = options();
    options.author = GivenAuthor::default();
    let made = Book::init(&home.root, &options, wait()).unwrap();
    assert!(made.anonymous);
    assert_eq!(home.git(&["log", "--format=%an <%ae>"]).trim(), "novel <novel@localhost>");
    assert_eq!(made.book.identity(&GivenAuthor::default()).unwrap(), None);
}

#[test]
fn repositories_that_are_no_books_are_refused_with_a_way_out() {
    let home = Home::empty();
    std::fs::create_dir_all(&home.root).unwrap();
    assert!(matches!(Book::open(&home.root, wording), Err(OpenError::NoRepository(_))));
    home.git(&["init", "-q"]);
    assert!(matches!(Book::open(&home.root, wording), Err(OpenError::NotABook(_))));

    for (name, args, feature) in [
        ("a", &["init", "-q", "--ref-format=reftable"][..], GitFeature::RefStorage),
        ("b", &["init", "-q", "--object-format=sha256"][..], GitFeature::Sha256),
    ] {
        let dir = home.path(name);
        std::fs::create_dir_all(&dir).unwrap();
        git_in(&dir, args);
        match Book::open(&dir, wording) {
            Err(OpenError::Unsupported { feature: found, .. }) => assert_eq!(found, feature),
            other => panic!("{other:?}"),
        }
        assert!(matches!(Book::init(&dir, &options(), wait()), Err(InitError::Open(OpenError::Unsupported { .. }))));
    }
    let bare = home.path("bare");
    std::fs::create_dir_all(&bare).unwrap();
    git_in(&bare, &["init", "-q", "--bare", ".git"]);
    assert!(matches!(Book::open(&bare, wording), Err(OpenError::Bare(_))));
}

#[test]
fn split_and_sparse_indexes_and_partial_clones_are_refused() {
    let home = Home::with_book();
    home.git(&["update-index", "--split-index"]);
    assert!(matches!(
        Book::open(&home.root, wording),
        Err(OpenError::Unsupported { feature: GitFeature::SplitIndex, .. })
    ));
    home.git(&["update-index", "--no-split-index"]);
    home.book();
    home.git(&["sparse-checkout", "set", "--cone", "--sparse-index", "chapters"]);
    assert!(matches!(
        Book::open(&home.root, wording),
        Err(OpenError::Unsupported { feature: GitFeature::SparseIndex, .. })
    ));
    home.git(&["sparse-checkout", "disable"]);
    home.git(&["config", "core.repositoryFormatVersion", "1"]);
    home.git(&["config", "extensions.partialClone", "origin"]);
    assert!(matches!(
        Book::open(&home.root, wording),
        Err(OpenError::Unsupported { feature: GitFeature::PartialClone, .. })
    ));
}

#[test]
fn a_detached_head_or_another_branch_can_be_read_and_not_written() {
    let home = Home::with_book();
    let branch = home.book().branch().to_owned();
    home.git(&["switch", "-qc", "other"]);
    let book = home.book();
    assert_eq!(book.branch(), branch);
    assert!(book.snapshot().unwrap().has("novel.toml"));
    let Err(BeginError::NotWritable(refused)) = store::pending_command::begin(&book, &holder(), wait()) else {
        panic!("another branch")
    };
    assert_eq!(refused.way_out(), format!("git switch {branch}"));
    home.git(&["switch", "-q", "--detach"]);
    let book = home.book();
    assert_eq!(
        store::not_writable::obstacle(&book).unwrap(),
        Some(NotWritable::Detached { branch: branch.clone(), ahead: None })
    );
    assert!(book.snapshot().unwrap().has("novel.toml"));
    home.git(&["switch", "-q", &branch]);
    begin(&home.book());
}

#[test]
fn a_clone_is_a_book_without_being_told() {
    let home = Home::with_book();
    home.git(&["clone", "-q", ".", "../clone"]);
    let clone = Book::open(&home.root.parent().unwrap().join("clone"), wording).unwrap();
    assert_eq!(clone.branch(), home.book().branch());
    accept(&begin(&clone), 1);
    assert_eq!(git_in(clone.root(), &["status", "--porcelain"]), "");
}

#[test]
fn git_packs_a_book_with_a_wide_window_unless_the_author_says_otherwise() {
    let home = Home::with_book();
    let book = home.book();
    let window = || home.git(&["config", "pack.window"]);
    assert_eq!(window().trim(), "250");
    // As in a book of an older program.
    home.git(&["config", "--unset", "pack.window"]);
    accept(&begin(&book), 1);
    assert_eq!(window().trim(), "250");
    home.git(&["config", "pack.window", "20"]);
    accept(&begin(&book), 2);
    assert_eq!(window().trim(), "20");
}

#[test]
fn a_git_file_instead_of_a_folder_works() {
    let home = Home::empty();
    std::fs::create_dir_all(&home.root).unwrap();
    home.git(&["init", "-q", "--separate-git-dir", "../elsewhere.git"]);
    let made = home.init();
    accept(&begin(&made.book), 1);
    home.assert_clean();
}

#[test]
fn a_linked_work_tree_of_the_authors_reads_and_says_where_to_write() {
    let home = Home::with_book();
    home.git(&["worktree", "add", "-q", "../what-if"]);
    let linked = Book::open(&home.root.parent().unwrap().join("what-if"), wording).unwrap();
    assert!(linked.snapshot().unwrap().has("novel.toml"));
    assert!(matches!(store::not_writable::obstacle(&linked).unwrap(), Some(NotWritable::OtherBranch { .. })));
}
