use super::bench::*;
use novel::store::{self, Book, Change, EditKind, EntryFilter, HandEdit, Kind, Message, Session};

fn paths(book: &Book) -> Vec<(String, EditKind, bool)> {
    store::hand_edits::of_author(book, &[""], EntryFilter::of(&|_| true))
        .unwrap()
        .edits
        .into_iter()
        .map(|e| (e.path, e.kind, e.staged))
        .collect()
}

fn adopt(session: &Session<'_>) -> Option<HandEdit> {
    let message = Message::new(Kind::HandEdit, "手改");
    session.adopt(&[""], EntryFilter::of(&|_| true), &message, &author(), moment(5)).unwrap()
}

#[test]
fn every_way_of_changing_a_file_is_seen() {
    let home = Home::with_book();
    let book = home.book();
    let session = begin(&book);
    accept(&session, 1);
    accept(&session, 2);
    assert_eq!(paths(&book), []);
    home.write("brief.md", "更长的简介\n");
    home.write("chapters/vol-01/chapter-001.md", "改\n");
    home.git(&["add", "chapters"]);
    std::fs::remove_file(home.path("summaries/vol-01/chapter-001-summary.md")).unwrap();
    home.git(&["rm", "-q", "summaries/vol-01/chapter-002-summary.md"]);
    home.write("research/新 资料.md", "x\n");
    home.write("research/added.md", "x\n");
    home.git(&["add", "research/added.md"]);
    home.write("research/ignored.swp", "x\n");
    home.write("staging/x.md", "not a part of the book\n");
    let seen = paths(&book);
    assert_eq!(
        seen,
        [
            ("brief.md".to_owned(), EditKind::Modified, false),
            ("chapters/vol-01/chapter-001.md".to_owned(), EditKind::Modified, true),
            ("research/added.md".to_owned(), EditKind::Added, true),
            ("research/新 资料.md".to_owned(), EditKind::Added, false),
            ("summaries/vol-01/chapter-001-summary.md".to_owned(), EditKind::Deleted, false),
            ("summaries/vol-01/chapter-002-summary.md".to_owned(), EditKind::Deleted, true),
        ]
    );
    let edit = adopt(&session).unwrap();
    assert_eq!(edit.paths.len(), 6);
    assert_eq!(home.git(&["status", "--porcelain"]), "");
    home.assert_sound();
    assert_eq!(
        home.git(&["log", "-1", "--format=%an|%(trailers:key=Novel-Kind,valueonly)"]).trim(),
        "林作者|hand-edit"
    );
    assert_eq!(home.read("brief.md").unwrap(), "更长的简介\n");
    assert!(adopt(&session).is_none());
    accept(&session, 3);
    home.assert_clean();
}

#[test]
fn a_commit_that_the_author_makes_meanwhile_is_taken_in() {
    let home = Home::with_book();
    let book = home.book();
    let session = begin(&book);
    home.write("brief.md", "更长的简介\n");
    let is_committed = std::cell::Cell::new(false);
    let wanted = |_: &str| {
        if !is_committed.replace(true) {
            home.git(&["commit", "-qam", "mine"]);
        }
        true
    };
    let message = Message::new(Kind::HandEdit, "手改");
    let edit = session.adopt(&[""], EntryFilter::of(&wanted), &message, &author(), moment(5)).unwrap();
    assert!(edit.is_none() && is_committed.get());
    assert_eq!(home.git(&["log", "-1", "--format=%s"]).trim(), "mine");
    accept(&session, 1);
    home.assert_clean();
}

#[test]
fn a_change_of_the_same_length_in_the_same_instant_is_seen() {
    let home = Home::with_book();
    let book = home.book();
    let session = begin(&book);
    for round in 0..20 {
        accept(&session, round + 1);
        home.write("brief.md", "# 简介\n");
        assert_eq!(paths(&book), [], "round {round}");
        home.write("brief.md", "# 介简\n");
        assert_eq!(paths(&book).len(), 1, "round {round}");
        home.write("brief.md", "# 简介\n");
    }
}

#[test]
fn only_what_was_asked_for_is_taken_and_the_rest_stays_as_it_was() {
    let home = Home::with_book();
    let book = home.book();
    let session = begin(&book);
    home.write("brief.md", "mine\n");
    home.write("novel.toml", "title = \"other\"\n");
    home.git(&["add", "novel.toml"]);
    home.write("notes.txt", "loose\n");
    let message = Message::new(Kind::HandEdit, "手改");
    let edit = session
        .adopt(&["state"], EntryFilter::of(&|p| p == "brief.md"), &message, &author(), moment(5))
        .unwrap()
        .unwrap();
    assert_eq!(edit.paths, ["brief.md"]);
    assert_eq!(home.git(&["status", "--porcelain"]), "M  novel.toml\n?? notes.txt\n");
}

#[test]
fn a_version_that_was_only_staged_is_kept() {
    let home = Home::with_book();
    let book = home.book();
    let session = begin(&book);
    home.write("brief.md", "staged\n");
    home.git(&["add", "brief.md"]);
    home.write("brief.md", "on disk\n");
    let kept = adopt(&session).unwrap().kept_staged.unwrap();
    assert_eq!(home.git(&["show", &format!("{kept}:brief.md")]), "staged\n");
    assert_eq!(home.git(&["show", "HEAD:brief.md"]), "on disk\n");
    home.assert_clean();

    home.write("brief.md", "staged again\n");
    home.git(&["add", "brief.md"]);
    home.write("brief.md", "on disk\n");
    let edit = adopt(&session).unwrap();
    assert_eq!(home.git(&["show", &format!("{}:brief.md", edit.kept_staged.unwrap())]), "staged again\n");
    assert_eq!(edit.commit, book.tip().unwrap());
    home.assert_clean();
}

#[test]
fn files_that_git_stores_otherwise_are_left_to_git() {
    let home = Home::with_book();
    home.write(".gitattributes", "*.png filter=lfs\n*.md text eol=lf\n");
    home.git(&["commit", "-qam", "lfs"]);
    let book = home.book();
    let session = begin(&book);
    home.write("cover.png", "PNG");
    home.write("sound.bin", "a\0b");
    home.write("brief.md", "mine\n");
    let found = store::hand_edits::of_author(&book, &[""], EntryFilter::of(&|_| true)).unwrap();
    assert_eq!(found.left.iter().map(|l| l.0.as_str()).collect::<Vec<_>>(), ["cover.png", "sound.bin"]);
    assert_eq!(adopt(&session).unwrap().paths, ["brief.md"]);
    assert_eq!(home.git(&["status", "--porcelain"]), "?? cover.png\n?? sound.bin\n");
}

#[test]
fn windows_line_endings_are_no_edit_and_do_not_reach_the_book() {
    let home = Home::with_book();
    let book = home.book();
    let session = begin(&book);
    home.write("brief.md", "# 简介\r\n");
    assert_eq!(paths(&book), []);
    home.write("brief.md", "# 简介\r\n二\r\n");
    assert_eq!(adopt(&session).unwrap().paths, ["brief.md"]);
    assert_eq!(home.git(&["show", "HEAD:brief.md"]), "# 简介\n二\n");
    assert_eq!(home.read("brief.md").unwrap(), "# 简介\r\n二\r\n");
    home.assert_clean();
}

#[cfg(unix)]
#[test]
fn mode_changes_and_skipped_files_are_no_edits() {
    use std::os::unix::fs::PermissionsExt;
    let home = Home::with_book();
    let book = home.book();
    std::fs::set_permissions(home.path("brief.md"), std::fs::Permissions::from_mode(0o755)).unwrap();
    assert_eq!(paths(&book), []);
    home.git(&["update-index", "--skip-worktree", "state/current-state.json"]);
    std::fs::remove_file(home.path("state/current-state.json")).unwrap();
    assert_eq!(paths(&book), []);
}

#[test]
fn a_file_that_was_staged_and_taken_back_is_kept_and_disturbs_nobody() {
    let home = Home::with_book();
    home.write("research/x.md", "想过又删了\n");
    home.git(&["add", "research/x.md"]);
    std::fs::remove_file(home.path("research/x.md")).unwrap();
    let book = home.book();
    let session = begin(&book);
    let message = Message::new(Kind::HandEdit, "by hand");
    let edit = session.adopt(&[""], EntryFilter::of(&|_| true), &message, &author(), moment(5)).unwrap().unwrap();
    assert_eq!(home.git(&["show", &format!("{}:research/x.md", edit.kept_staged.unwrap())]), "想过又删了\n");
    home.assert_clean();
    accept(&session, 1);
    // A promise without content.
    home.write("research/y.md", "y\n");
    home.git(&["add", "-N", "research/y.md"]);
    std::fs::remove_file(home.path("research/y.md")).unwrap();
    let _ = session.adopt(&[""], EntryFilter::of(&|_| true), &message, &author(), moment(6)).unwrap();
    home.assert_clean();
}

/// Chapters 1 to 700 with seven files each.
fn long_book() -> Change {
    let folders = ["chapters", "summaries", "evaluations", "logs", "state/deltas", "quality", "memory"];
    let files = (1..=700).flat_map(|n| folders.map(|folder| (folder, n)));
    files.fold(Change::default(), |change, (folder, n)| {
        let volume = (n - 1) / 30 + 1;
        change.put(&format!("{folder}/vol-{volume:02}/chapter-{n:03}.md"), format!("{folder} {n:03}\n"))
    })
}

/// Checks that git finds the index to agree with the last commit, entry by entry.
fn assert_index_is_of_commit(home: &Home) {
    let staged = home.git(&["ls-files", "--format=%(objectmode) %(objectname) %(path)"]);
    assert!(staged == home.git(&["ls-tree", "-r", "--format=%(objectmode) %(objectname) %(path)", "HEAD"]));
    assert_eq!(home.git(&["status", "--porcelain"]), "");
    home.assert_sound();
}

#[test]
fn changes_to_a_long_book_are_seen_and_committed() {
    let home = Home::with_book();
    let book = home.book();
    let session = begin(&book);
    store::transaction::commit(&session, &proposal(&session, long_book(), Message::new(Kind::Import, "全书"))).unwrap();
    assert_eq!(paths(&book), []);
    // The same length in the same instant, in the first volume and in the last.
    home.write("chapters/vol-01/chapter-001.md", "chapters 100\n");
    home.write("summaries/vol-24/chapter-700.md", "summaries 007\n");
    assert_eq!(paths(&book).len(), 2);
    std::fs::remove_file(home.path("logs/vol-12/chapter-345.md")).unwrap();
    home.write("memory/vol-12/chapter-345a.md", "new\n");
    home.git(&["add", "memory"]);
    let seen: Vec<String> = paths(&book).into_iter().map(|(path, ..)| path).collect();
    let all = [
        "chapters/vol-01/chapter-001.md",
        "logs/vol-12/chapter-345.md",
        "memory/vol-12/chapter-345a.md",
        "summaries/vol-24/chapter-700.md",
    ];
    assert_eq!(seen, all);
    assert_eq!(adopt(&session).unwrap().paths, all);
    assert_index_is_of_commit(&home);
    // Whole folders go and come.
    for round in 0..3 {
        let change = (1..=200).fold(Change::default(), |change, n| {
            let path = format!("quality/vol-{:02}/chapter-{n:03}.md", (n - 1) / 30 + 1);
            if round == 1 { change.put(&path, "back\n") } else { change.remove(&path) }
        });
        store::transaction::commit(&session, &proposal(&session, change, Message::new(Kind::Import, "改"))).unwrap();
        assert_index_is_of_commit(&home);
        assert_eq!(paths(&book), []);
    }
    // Only what is asked for is looked up.
    home.write("chapters/vol-01/chapter-002.md", "far\n");
    home.write("chapters/vol-24/chapter-700.md", "near\n");
    let is_near = |folder: &str| !folder.ends_with("/vol-01/");
    let near = store::hand_edits::of_author(&book, &[], EntryFilter::of(&|_| true).within(&is_near)).unwrap().edits;
    assert_eq!(near.iter().map(|edit| edit.path.as_str()).collect::<Vec<_>>(), ["chapters/vol-24/chapter-700.md"]);
}
