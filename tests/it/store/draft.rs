use super::bench::*;
use crate::common::{commit_of, roll_back};
use novel::domain::book::work::Step;
use novel::domain::{ChapterNo, Work};
use novel::report::subject::wording;
use novel::store::{
    self, Book, Change, CommitInfo, Draft, DraftError, DraftFiles, Kind, Message, Recovered, Session, key,
};

fn chapter(n: u32) -> ChapterNo {
    ChapterNo::new(n).unwrap()
}

fn scope(n: u32) -> DraftFiles {
    DraftFiles::new([
        format!("chapters/vol-01/chapter-{n:03}.md"),
        format!("summaries/vol-01/chapter-{n:03}-summary.md"),
        "state/".to_owned(),
    ])
}

fn open<'s>(session: &'s Session<'_>, n: u32) -> Draft<'s> {
    let draft = store::draft::open_draft(session, chapter(n), scope(n)).unwrap();
    draft.show().unwrap();
    draft
}

fn text(n: u32) -> String {
    format!("chapters/vol-01/chapter-{n:03}.md")
}

fn stage(draft: &mut Draft<'_>, name: &str, change: Change) {
    let message = Message::new(Kind::Stage, name).trailer("Novel-Stage", name);
    draft.follow().unwrap();
    draft.commit_result(&change, &message, &author(), moment(2)).unwrap();
    draft.show().unwrap();
}

fn in_staging(home: &Home, args: &[&str]) -> String {
    git_in(&home.path("staging"), args)
}

#[track_caller]
fn assert_staging_clean(home: &Home) {
    assert_eq!(in_staging(home, &["status", "--porcelain"]), "", "git -C staging status");
    home.assert_clean();
}

/// A book with `n` chapters and a draft of the next with two results.
fn with_draft(n: u32) -> (Home, Book) {
    let home = Home::with_book();
    let book = home.book();
    {
        let session = begin(&book);
        for n in 1..=n {
            accept(&session, n);
        }
        let mut draft = open(&session, n + 1);
        stage(&mut draft, "draft", Change::default().put(&text(n + 1), "初稿\n"));
        stage(
            &mut draft,
            "summary",
            Change::default().put(&format!("summaries/vol-01/chapter-{:03}-summary.md", n + 1), "摘要\n"),
        );
    }
    (home, book)
}

#[test]
fn staging_is_an_ordinary_work_tree_of_the_draft_alone() {
    let (home, book) = with_draft(2);
    assert_staging_clean(&home);
    assert_eq!(in_staging(&home, &["branch", "--show-current"]).trim(), "draft/ch-003");
    assert_eq!(in_staging(&home, &["log", "--format=%s", &format!("{}..", book.branch())]), "summary\ndraft\n");
    let diff = in_staging(&home, &["diff", "--name-only", book.branch()]);
    assert_eq!(diff, "chapters/vol-01/chapter-003.md\nsummaries/vol-01/chapter-003-summary.md\n");
    assert_eq!(home.read("staging/chapters/vol-01/chapter-003.md").unwrap(), "初稿\n");
    assert_eq!(home.read("staging/state/current-state.json").unwrap(), "{\"version\": 2}\n");
    assert!(!home.path("staging/novel.toml").exists());
    assert!(home.git(&["worktree", "list"]).lines().count() == 2);
    assert_eq!(Book::open(&home.path("staging/chapters"), wording).unwrap().root(), home.root);
    home.git(&["worktree", "prune"]);
    home.git(&["gc", "-q"]);
    assert_staging_clean(&home);
}

#[test]
fn a_draft_goes_on_where_it_was() {
    let (home, book) = with_draft(1);
    let session = begin(&book);
    assert_eq!(*session.recovered(), Recovered::default());
    let draft = open(&session, 2);
    let subjects: Vec<String> = draft.records().unwrap().into_iter().map(|r| r.subject).collect();
    assert_eq!(subjects, ["draft", "summary"]);
    assert_eq!(draft.base().unwrap(), book.tip().unwrap());
    assert_eq!(draft.read(&text(2)).unwrap().unwrap(), "初稿\n".as_bytes());
    assert_eq!(store::closing::drafts(&book).unwrap(), [(chapter(2).into(), draft.tip())]);
    assert_staging_clean(&home);
}

#[test]
fn an_accepted_draft_is_kept_and_its_folder_goes() {
    let (home, book) = with_draft(1);
    let session = begin(&book);
    let draft = open(&session, 2);
    let mut accepting =
        proposal(&session, draft.change().unwrap(), chapter_message(2).trailer(key::DRAFT, draft.tip()));
    accepting.keep = vec![(format!("ch-002/{}", draft.tip().short()), draft.tip())];
    let tip = draft.tip();
    store::transaction::commit(&session, &accepting).unwrap();
    let closed = draft.close().unwrap().unwrap();
    assert_eq!(closed.kept, format!("refs/novel/kept/ch-002/{}", tip.short()));
    assert_eq!(home.git(&["rev-parse", &closed.kept]).trim(), tip.to_string());
    assert!(!home.path("staging").exists());
    assert!(!home.path(".git/worktrees").exists());
    assert_eq!(home.git(&["branch", "--list", "draft/*"]), "");
    home.assert_clean();
    assert_eq!(home.read(&text(2)).unwrap(), "初稿\n");
}

#[test]
fn what_the_author_saves_in_the_folder_of_an_accepted_draft_is_kept() {
    let (home, book) = with_draft(1);
    let session = begin(&book);
    let draft = open(&session, 2);
    let message = chapter_message(2).trailer(key::DRAFT, draft.tip());
    store::transaction::commit(&session, &proposal(&session, draft.change().unwrap(), message)).unwrap();
    home.write(&format!("staging/{}", text(2)), "作者的后记\n");
    draft.close().unwrap();
    assert!(!home.path("staging").exists());
    let mut next = open(&session, 3);
    stage(&mut next, "draft", Change::default().put(&text(3), "正文\n"));
    assert_eq!(home.git(&["branch", "--list", "draft/*"]).trim_start_matches(['+', ' ']), "draft/ch-003\n");
    assert_eq!(home.read(&format!("staging/{}", text(3))).unwrap(), "正文\n");
    let kept = home.git(&["for-each-ref", "--format=%(refname)", "refs/novel/kept"]);
    assert_eq!(home.git(&["show", &format!("{}:{}", kept.trim(), text(2))]), "作者的后记\n");
    assert_staging_clean(&home);
    assert_eq!(home.read(&text(2)).unwrap(), "初稿\n");
}

#[test]
fn an_accepted_plan_makes_room_for_the_next_one() {
    let home = Home::with_book();
    let book = home.book();
    let session = begin(&book);
    let plan = |step: Step| {
        store::draft::open_draft(&session, Work::Step(step), DraftFiles::new(["brief.md".to_owned()])).unwrap()
    };
    let mut world = plan(Step::World);
    stage(&mut world, "world", Change::default().put("brief.md", "世界\n"));
    let message = Message::new(Kind::Plan, "world").trailer(key::DRAFT, world.tip());
    store::transaction::commit(&session, &proposal(&session, world.change().unwrap(), message)).unwrap();
    world.close().unwrap();
    let theme = plan(Step::Theme);
    assert!(!home.path("staging").exists());
    theme.show().unwrap();
    assert_eq!(home.git(&["for-each-ref", "--format=%(refname:lstrip=3)", "refs/heads/draft"]), "theme\n");
    assert_staging_clean(&home);
}

#[test]
fn a_draft_that_was_accepted_and_not_closed_is_closed_by_the_next_session() {
    let (home, book) = with_draft(1);
    {
        let session = begin(&book);
        let draft = open(&session, 2);
        store::transaction::commit(
            &session,
            &proposal(&session, draft.change().unwrap(), chapter_message(2).trailer(key::DRAFT, draft.tip())),
        )
        .unwrap();
    }
    let session = begin(&book);
    assert_eq!(session.recovered().closed.len(), 1);
    assert!(!home.path("staging").exists());
    home.assert_clean();
}

#[test]
fn hand_edits_in_staging_are_found_and_committed_as_the_authors() {
    let (home, book) = with_draft(1);
    home.write("staging/chapters/vol-01/chapter-002.md", "作者改过\n");
    home.write("staging/笔记.md", "note\n");
    home.write("staging/.hidden.md~", "litter\n");
    let session = begin(&book);
    assert_eq!(*session.recovered(), Recovered::default());
    let draft = open(&session, 2);
    let edits: Vec<String> = draft.author_edits().unwrap().into_iter().map(|e| e.path).collect();
    assert_eq!(edits, ["chapters/vol-01/chapter-002.md", "笔记.md"]);
    let message = Message::new(Kind::Stage, "refine");
    let adopted = draft.adopt_edits(&author(), moment(4)).unwrap().unwrap();
    assert_eq!(adopted.paths, edits);
    draft.commit_result(&Change::default().put(&text(2), "精修\n"), &message, &author(), moment(4)).unwrap();
    draft.show().unwrap();
    assert_eq!(home.read("staging/chapters/vol-01/chapter-002.md").unwrap(), "精修\n");
    assert_eq!(in_staging(&home, &["show", "HEAD~1:chapters/vol-01/chapter-002.md"]), "作者改过\n");
    let records = draft.records().unwrap();
    assert_eq!(records.iter().map(|r| r.is_authors()).collect::<Vec<_>>(), [false, false, true, false]);
    assert_eq!(in_staging(&home, &["status", "--porcelain"]), "?? .hidden.md~\n");
}

#[test]
fn commits_that_the_author_makes_in_staging_belong_to_the_draft() {
    let (home, book) = with_draft(1);
    home.write("staging/chapters/vol-01/chapter-002.md", "作者改过\n");
    in_staging(&home, &["commit", "-qam", "my words"]);
    let session = begin(&book);
    let mut draft = open(&session, 2);
    assert_eq!(draft.records().unwrap().len(), 3);
    assert!(draft.author_edits().unwrap().is_empty());
    assert_staging_clean(&home);
    // And while we have it open.
    home.write("staging/chapters/vol-01/chapter-002.md", "又改\n");
    in_staging(&home, &["commit", "-qam", "more words"]);
    stage(&mut draft, "judge", Change::default().put("evaluations/vol-01/x.json", "{}\n"));
    assert_eq!(draft.records().unwrap().len(), 5);
    assert_eq!(home.read("staging/chapters/vol-01/chapter-002.md").unwrap(), "又改\n");
    assert_staging_clean(&home);
}

#[test]
fn a_draft_moves_onto_a_line_that_moved() {
    let (home, book) = with_draft(1);
    home.write("brief.md", "by hand\n");
    home.write("summaries/vol-01/chapter-002-summary.md", "author's\n");
    home.git(&["add", "."]);
    home.git(&["commit", "-qm", "by hand"]);
    let session = begin(&book);
    let draft = open(&session, 2);
    assert_ne!(draft.base().unwrap(), book.tip().unwrap());
    let old = draft.tip();
    let rebased = draft.rebase(&author(), moment(6)).unwrap();
    assert_eq!(rebased.overlaps, ["summaries/vol-01/chapter-002-summary.md"]);
    assert_eq!(draft.base().unwrap(), book.tip().unwrap());
    assert_eq!(draft.records().unwrap().len(), 2);
    assert_eq!(draft.read("brief.md").unwrap().unwrap(), b"by hand\n");
    assert_eq!(draft.read("summaries/vol-01/chapter-002-summary.md").unwrap().unwrap(), "摘要\n".as_bytes());
    assert_eq!(home.git(&["rev-parse", &format!("refs/novel/kept/ch-002/{}", old.short())]).trim(), old.to_string());
    assert_staging_clean(&home);
    assert_eq!(draft.rebase(&author(), moment(6)).unwrap().tip, draft.tip());
}

#[test]
fn a_rollback_closes_the_draft_and_keeps_it() {
    let (home, book) = with_draft(2);
    home.write("staging/chapters/vol-01/chapter-003.md", "不在别处\n");
    let session = begin(&book);
    let telling = CommitInfo { subject: None, body: String::new(), author: author(), time: moment(9) };
    let done = roll_back(&session, commit_of(&session, chapter(1)), &|_| false, &telling).unwrap();
    let closed = &done.closed[0];
    assert_eq!(closed.salvaged, ["chapters/vol-01/chapter-003.md"]);
    assert_eq!(home.git(&["show", &format!("{}:chapters/vol-01/chapter-003.md", closed.kept)]), "不在别处\n");
    assert!(!home.path("staging").exists());
    home.assert_clean();
}

#[test]
fn taking_a_rollback_back_opens_its_drafts_again_until_somebody_closes_them() {
    let (home, book) = with_draft(2);
    home.write("staging/chapters/vol-01/chapter-003.md", "改过的\n");
    let telling = CommitInfo { subject: None, body: String::new(), author: author(), time: moment(9) };
    let work = Work::from(chapter(3));
    {
        let session = begin(&book);
        roll_back(&session, commit_of(&session, chapter(1)), &|_| false, &telling).unwrap();
        assert_eq!(store::closing::drafts(&book).unwrap(), []);
        assert_eq!(store::rollback::undo(&session, &telling).unwrap().reopened, [work]);
        let draft = open(&session, 3);
        assert_eq!(draft.base().unwrap(), book.tip().unwrap());
        let subjects: Vec<String> = draft.records().unwrap().into_iter().map(|r| r.subject).collect();
        assert_eq!(subjects, ["draft", "summary", "staging: files that were nowhere else"]);
        assert_eq!(home.read("staging/chapters/vol-01/chapter-003.md").unwrap(), "改过的\n");
        // Back and forth as often as one likes, and what has been done since comes along.
        assert_eq!(store::rollback::redo(&session, &telling).unwrap().closed.len(), 1);
        assert_eq!(store::rollback::undo(&session, &telling).unwrap().reopened, [work]);
    }
    assert_eq!(*begin(&book).recovered(), Recovered::default());
    let session = begin(&book);
    open(&session, 3).close().unwrap();
    drop(session);
    assert_eq!(begin(&book).recovered().reopened, [], "what somebody has put aside stays there");
    assert_eq!(store::closing::drafts(&book).unwrap(), []);
    home.assert_clean();
}

#[test]
fn work_that_was_begun_anew_after_a_rollback_is_not_overwritten() {
    let (home, book) = with_draft(2);
    let telling = CommitInfo { subject: None, body: String::new(), author: author(), time: moment(9) };
    let session = begin(&book);
    roll_back(&session, commit_of(&session, chapter(1)), &|_| false, &telling).unwrap();
    accept(&session, 2);
    store::rollback::undo(&session, &telling).unwrap();
    // The line is at the rollback again; its drafts are another step back.
    assert_eq!(store::closing::drafts(&book).unwrap(), []);
    assert_eq!(store::rollback::undo(&session, &telling).unwrap().reopened, [Work::from(chapter(3))]);
    home.assert_clean();
}

#[test]
fn what_git_has_seen_in_staging_and_no_commit_has_is_salvaged_too() {
    let (home, book) = with_draft(2);
    home.write("staging/chapters/vol-01/chapter-003.md", "只在暂存区\n");
    in_staging(&home, &["add", "chapters"]);
    let session = begin(&book);
    let telling = CommitInfo { subject: None, body: String::new(), author: author(), time: moment(9) };
    let done = roll_back(&session, commit_of(&session, chapter(1)), &|_| false, &telling).unwrap();
    assert_eq!(done.closed[0].salvaged, ["chapters/vol-01/chapter-003.md"]);
    let kept = format!("{}:chapters/vol-01/chapter-003.md", done.closed[0].kept);
    assert_eq!(home.git(&["show", &kept]), "只在暂存区\n");
    assert!(!home.path("staging").exists());
}

#[test]
fn a_branch_with_an_odd_name_hides_no_other() {
    let (home, book) = with_draft(1);
    home.git(&["pack-refs", "--all"]);
    let mut packed = std::fs::read(home.path(".git/packed-refs")).unwrap();
    let tip = home.git(&["rev-parse", "HEAD"]);
    packed.extend_from_slice(tip.trim().as_bytes());
    packed.extend_from_slice(b" refs/heads/zz-\xb2\xe2\n");
    std::fs::write(home.path(".git/packed-refs"), packed).unwrap();
    assert_eq!(store::closing::drafts(&book).unwrap().len(), 1);
}

#[test]
fn a_moved_or_copied_book_takes_its_draft_along() {
    let (home, _) = with_draft(1);
    let moved = home.root.parent().unwrap().join("moved away");
    let copy = home.root.parent().unwrap().join("copy");
    assert!(std::process::Command::new("cp").arg("-a").arg(&home.root).arg(&copy).status().unwrap().success());
    std::fs::rename(&home.root, &moved).unwrap();
    for root in [moved, copy] {
        let book = Book::open(&root.join("staging"), wording).unwrap();
        assert_eq!(book.root(), root);
        let session = begin(&book);
        let mut draft = open(&session, 2);
        stage(&mut draft, "judge", Change::default().put("evaluations/vol-01/x.json", "{}\n"));
        assert_eq!(git_in(&root.join("staging"), &["status", "--porcelain"]), "");
        assert_eq!(
            git_in(&root.join("staging"), &["rev-list", "--count", &format!("{}..", book.branch())]).trim(),
            "3"
        );
    }
}

#[test]
fn a_folder_that_somebody_removed_is_made_again() {
    let (home, book) = with_draft(1);
    std::fs::remove_dir_all(home.path("staging")).unwrap();
    {
        let session = begin(&book);
        assert!(open(&session, 2).author_edits().unwrap().is_empty());
        assert_staging_clean(&home);
    }
    std::fs::remove_dir_all(home.path(".git/worktrees")).unwrap();
    let session = begin(&book);
    open(&session, 2);
    assert_staging_clean(&home);
}

#[test]
fn records_of_the_folder_that_a_power_cut_took_are_made_again() {
    for name in
        ["HEAD", "commondir", "gitdir", "config.worktree", "info/sparse-checkout", "novel-scope", "novel-at", "index"]
    {
        let (home, book) = with_draft(1);
        std::fs::write(home.path(".git/worktrees/staging").join(name), "").unwrap();
        let session = begin(&book);
        assert_eq!(open(&session, 2).author_edits().unwrap(), [], "{name}");
        assert_staging_clean(&home);
        assert_eq!(home.read("staging/chapters/vol-01/chapter-002.md").unwrap(), "初稿\n", "{name}");
    }
    let (home, book) = with_draft(1);
    std::fs::write(home.path("staging/.git"), "").unwrap();
    std::fs::write(home.path(".git/worktrees/staging/index.lock"), "").unwrap();
    let session = begin(&book);
    let mut draft = open(&session, 2);
    stage(&mut draft, "revise", Change::default().put(&text(2), "修订\n"));
    assert_staging_clean(&home);
}

#[test]
fn files_between_two_results_are_nobodys_edits() {
    let (home, book) = with_draft(1);
    let at = |rev: &str| in_staging(&home, &["rev-parse", rev]);
    let before = at("HEAD");
    {
        let session = begin(&book);
        let mut draft = open(&session, 2);
        stage(&mut draft, "refine", Change::default().put(&text(2), "精修\n"));
    }
    let after = at("HEAD");
    // The power goes while the folder is brought from one to the other, or after the next result.
    for on_disk in ["初稿\n", "精修\n"] {
        for has_next in [false, true] {
            std::fs::write(home.path(".git/worktrees/staging/novel-at"), format!("{before}{after}")).unwrap();
            home.write("staging/chapters/vol-01/chapter-002.md", on_disk);
            let session = begin(&book);
            let draft = store::draft::open_draft(&session, chapter(2), scope(2)).unwrap();
            if has_next {
                let message = Message::new(Kind::Stage, "revise").trailer("Novel-Stage", "revise");
                let change = Change::default().put(&text(2), format!("修订 {on_disk}"));
                draft.commit_result(&change, &message, &author(), moment(3)).unwrap();
            }
            assert_eq!(draft.author_edits().unwrap(), [], "{on_disk} {has_next}");
            draft.show().unwrap();
            let shown = if has_next { format!("修订 {on_disk}") } else { "精修\n".to_owned() };
            assert_eq!(home.read("staging/chapters/vol-01/chapter-002.md").unwrap(), shown);
            assert_staging_clean(&home);
            if has_next {
                in_staging(&home, &["reset", "-q", "--hard", after.trim()]);
            }
        }
    }
}

#[test]
fn the_folder_waits_for_another_git_that_has_its_index() {
    let (home, book) = with_draft(1);
    let lock = home.path(".git/worktrees/staging/index.lock");
    std::fs::write(&lock, "DIRC, and more to come").unwrap();
    let session = begin(&book);
    let mut draft = open(&session, 2);
    for words in ["精修\n", "修订\n"] {
        stage(&mut draft, "revise", Change::default().put(&text(2), words));
        assert_eq!(draft.author_edits().unwrap(), []);
    }
    std::fs::remove_file(&lock).unwrap();
    draft.show().unwrap();
    assert_eq!(home.read("staging/chapters/vol-01/chapter-002.md").unwrap(), "修订\n");
    assert_staging_clean(&home);
}

#[test]
fn results_that_were_not_shown_yet_are_nobodys_edits() {
    let (home, book) = with_draft(1);
    let session = begin(&book);
    let draft = open(&session, 2);
    let message = Message::new(Kind::Stage, "revise");
    let change = Change::default().put(&text(2), "修订\n").remove("summaries/vol-01/chapter-002-summary.md");
    draft.commit_result(&change, &message, &author(), moment(4)).unwrap();
    assert_eq!(draft.author_edits().unwrap(), []);
    // The author's edit of the older text counts as an edit all the same, and is not lost when the folder is updated.
    home.write("staging/chapters/vol-01/chapter-002.md", "作者改过\n");
    assert_eq!(draft.author_edits().unwrap().len(), 1);
    draft.show().unwrap();
    assert_eq!(home.read("staging/chapters/vol-01/chapter-002.md").unwrap(), "作者改过\n");
    assert!(!home.path("staging/summaries").exists());
    assert_eq!(draft.author_edits().unwrap().len(), 1);
    assert_eq!(in_staging(&home, &["status", "--porcelain"]), " M chapters/vol-01/chapter-002.md\n");
}

#[test]
fn a_draft_that_nobody_looked_at_leaves_no_folder() {
    let home = Home::with_book();
    let book = home.book();
    let session = begin(&book);
    let draft = store::draft::open_draft(&session, chapter(1), scope(1)).unwrap();
    let message = Message::new(Kind::Stage, "draft");
    draft.commit_result(&Change::default().put(&text(1), "初稿\n"), &message, &author(), moment(2)).unwrap();
    assert!(!home.path("staging").exists());
    assert_eq!(draft.author_edits().unwrap(), []);
    assert_eq!(draft.read(&text(1)).unwrap().unwrap(), "初稿\n".as_bytes());
    draft.close().unwrap().unwrap();
    home.assert_clean();
}

#[test]
fn a_folder_of_that_name_that_is_not_ours_is_left_alone() {
    let home = Home::with_book();
    home.write("staging/mine.md", "mine\n");
    let book = home.book();
    let session = begin(&book);
    assert!(matches!(store::draft::open_draft(&session, chapter(1), scope(1)), Err(DraftError::Occupied(_))));
    assert_eq!(home.read("staging/mine.md").unwrap(), "mine\n");
    assert!(store::closing::drafts(&book).unwrap().is_empty());
}

#[test]
fn two_drafts_share_the_folder_without_mixing() {
    let (home, book) = with_draft(2);
    home.write("staging/chapters/vol-01/chapter-003.md", "作者改过\n");
    let session = begin(&book);
    let mut other = open(&session, 1);
    stage(&mut other, "rewrite", Change::default().put(&text(1), "重写\n"));
    assert_staging_clean(&home);
    assert!(!home.path("staging/chapters/vol-01/chapter-003.md").exists());
    let first = open(&session, 3);
    assert_eq!(first.read(&text(3)).unwrap().unwrap(), "作者改过\n".as_bytes());
    assert_eq!(home.read("staging/chapters/vol-01/chapter-003.md").unwrap(), "作者改过\n");
    assert_eq!(store::closing::drafts(&book).unwrap().len(), 2);
    assert_staging_clean(&home);
}
