//! Every named place, for every kind of work; then the same for the recovery itself.

use super::*;
use novel::store;

/// Plays `scenario`, dying at each place in turn, and compares with an undisturbed run.
fn dies_everywhere(scenario: &str, and_in_recovery: bool) {
    dies_where(scenario, and_in_recovery, |_| true);
}

/// The same at the places that are `wanted` of those with their number (`tree.file#12`).
fn dies_where(scenario: &str, and_in_recovery: bool, wanted: impl Fn(&str) -> bool) {
    let template = prepared(scenario);
    let before = (scenario != "init").then(|| outcome(&template.root));
    let away = template.root.with_file_name("undisturbed");
    let undisturbed = copied(&template, &away);
    play(scenario, &undisturbed);
    let expected = outcome(&undisturbed);
    let brief = std::fs::read(template.path("brief.md")).ok();
    let work = template.root.with_file_name("killed 书");
    let mut deaths = 0;
    let places = places(scenario, &copied(&template, &work)).into_iter().filter(|at| wanted(at));
    for (nth, at) in places.enumerate() {
        let root = copied(&template, &work);
        assert!(!play_and_die(scenario, &root, &at).success(), "{at} is not reached");
        deaths += 1;
        if and_in_recovery && at.ends_with("#1") {
            dies_in_recovery(&root, &at, nth, &wanted);
        }
        settle(scenario, &root, &at, before.as_ref(), &expected);
        let author = std::fs::read(root.join("brief.md")).ok().filter(|_| brief.is_some());
        assert_eq!(author, brief, "{at}: the author's file");
    }
    assert!(deaths > 5, "{scenario} died only {deaths} times");
}

/// After a death: the old book or the new one, and the same end when the command is given again.
fn settle(scenario: &str, root: &Path, at: &str, before: Option<&Outcome>, expected: &Outcome) {
    if let Some(before) = before {
        recover(root);
        let now = outcome(root);
        assert!(now.tree == before.tree || now.tree == expected.tree, "{scenario} {at}: neither old nor new: {now:?}");
        assert!(now.leftovers.is_empty(), "{scenario} {at}: {:?}", now.leftovers);
        let status = if now.tree == before.tree { &before.status } else { &expected.status };
        assert_eq!(now.status, *status, "{scenario} {at}: git status");
    }
    play(scenario, root);
    assert_eq!(outcome(root), *expected, "{scenario} {at}");
    recover(root);
}

/// Kills the recovery of a copy of the book at `root` at every third wanted place that it reaches; after the next death
/// these are others.
fn dies_in_recovery(root: &Path, at: &str, nth: usize, wanted: &impl Fn(&str) -> bool) {
    let killed = root.with_file_name("killed once");
    let once = Home::at(root);
    copied(&once, &killed);
    // The same end as a recovery that is left alone.
    let alone = copied(&Home::at(&killed), &root.with_file_name("killed and left alone"));
    let places = places("recover", &alone);
    recover(&alone);
    let expected = outcome(&alone);
    for point in places.into_iter().filter(|point| wanted(point)).skip(nth % 3).step_by(3) {
        let again = copied(&Home::at(&killed), &root.with_file_name("killed twice"));
        assert!(!play_and_die("recover", &again, &point).success(), "{at}: {point} is not reached");
        recover(&again);
        let recovered = outcome(&again);
        assert!(recovered.leftovers.is_empty(), "{at}, then {point}: {:?}", recovered.leftovers);
        assert_eq!(recovered, expected, "{at}, then {point}");
    }
}

#[test]
fn init() {
    dies_everywhere("init", false);
}

#[test]
fn accept() {
    dies_everywhere("accept", true);
}

#[test]
fn adopt() {
    dies_everywhere("adopt", false);
}

#[test]
fn draft() {
    dies_everywhere("draft", false);
}

#[test]
fn finish() {
    dies_everywhere("finish", false);
}

#[test]
fn a_draft_that_is_never_shown() {
    dies_everywhere("finish unseen", true);
}

#[test]
fn close_is_recovered_even_when_recovery_dies() {
    dies_everywhere("rollback", true);
}

#[test]
fn undo() {
    dies_everywhere("undo", false);
}

#[test]
fn an_undo_that_opens_drafts_again() {
    dies_everywhere("reopen", true);
}

#[test]
fn rebase() {
    dies_everywhere("rebase", false);
}

/// Places that come once a file count at the first, the second and every sixteenth file.
fn is_sampled(at: &str) -> bool {
    let number = at.rsplit_once('#').and_then(|(_, number)| number.parse::<u32>().ok());
    number.is_none_or(|number| number <= 2 || number % 16 == 0)
}

#[test]
fn a_rollback_of_many_chapters() {
    dies_where("rollback of many", true, is_sampled);
}

#[test]
fn an_undo_that_brings_many_chapters_back() {
    dies_where("undo of many", true, is_sampled);
}

/// The branch does not move, so a death leaves some files damaged and some restored; the damaged bytes are kept first.
#[test]
fn damaged_files_put_aside() {
    let template = prepared("aside");
    let undisturbed = copied(&template, &template.root.with_file_name("undisturbed"));
    play("aside", &undisturbed);
    let expected = outcome(&undisturbed);
    let mut deaths = 0;
    let killed = template.root.with_file_name("killed");
    for at in places("aside", &copied(&template, &killed)) {
        let root = copied(&template, &killed);
        assert!(!play_and_die("aside", &root, &at).success(), "{at} is not reached");
        deaths += 1;
        play("aside", &root);
        assert_eq!(outcome(&root), expected, "{at}");
        for path in ["state/current-state.json", "chapters/vol-01/chapter-001.md"] {
            let bytes = run_git(&root, &["show", &format!("refs/novel/kept/damaged:{path}")]).stdout;
            let earlier = run_git(&root, &["show", &format!("refs/novel/kept/damaged~1:{path}")]).stdout;
            assert!(bytes == DAMAGED || earlier == DAMAGED, "{at}: the bytes of {path} are lost");
        }
    }
    assert!(deaths > 5, "died only {deaths} times");
}

/// Every draft has a ref or is in the archive at any moment.
#[test]
fn gathering() {
    let template = prepared("gather");
    let drafts = kept(&template.root);
    assert_eq!(drafts.len(), 78);
    let undisturbed = copied(&template, &template.root.with_file_name("undisturbed"));
    play("gather", &undisturbed);
    let refs = |root: &Path| git_in(root, &["for-each-ref", "refs/novel"]);
    let expected = outcome(&undisturbed);
    assert_eq!((refs(&undisturbed).lines().count(), kept(&undisturbed)), (1, drafts.clone()));
    let mut deaths = 0;
    let killed = template.root.with_file_name("killed");
    let places = places("gather", &copied(&template, &killed));
    assert!(
        ["archive.written#2", "archive.named#1", "refs.packed#1", "refs.locked#20"]
            .iter()
            .all(|at| places.iter().any(|place| place == at)),
        "{places:?}"
    );
    for at in places {
        let root = copied(&template, &killed);
        assert!(!play_and_die("gather", &root, &at).success(), "{at} is not reached");
        deaths += 1;
        assert_eq!(kept(&root), drafts, "{at}: out of reach");
        recover(&root);
        let now = outcome(&root);
        assert!(now.leftovers.is_empty(), "{at}: {:?}", now.leftovers);
        play("gather", &root);
        assert_eq!((outcome(&root), kept(&root)), (expected.clone(), drafts.clone()), "{at}");
    }
    assert!(deaths > 25, "died only {deaths} times");
}

#[test]
fn two_processes_never_write_at_once() {
    let home = prepared("accept");
    let book = home.book();
    let session = begin(&book);
    assert!(!child_command("accept", &home.root).output().unwrap().status.success());
    drop(session);
    assert!(child_command("accept", &home.root).output().unwrap().status.success());
    assert!(store::history::chapters(&book).unwrap().contains_key(&chapter(3)));
}

#[test]
fn the_authors_commit_between_death_and_recovery_is_kept() {
    for point in ["txn.intent", "txn.after_cas", "txn.tagged", "tree.files", "index.renamed"] {
        let home = prepared("accept");
        assert!(!play_and_die("accept", &home.root, point).success());
        // Git tells the author to remove the lock of the dead.
        let _ = std::fs::remove_file(home.path(".git/index.lock"));
        home.git(&["commit", "-qm", "by hand", "-o", "notes.txt"]);
        let recovered = recover(&home.root);
        let moved_on = point == "txn.intent";
        assert_eq!(recovered.finished.is_none(), moved_on, "{point}");
        assert_eq!(recovered.salvaged.len(), usize::from(moved_on), "{point}");
        assert_eq!(home.git(&["show", "HEAD:notes.txt"]), "staged\n");
        assert_eq!(home.git(&["status", "--porcelain"]), " M brief.md\n", "{point}");
        for (name, _) in recovered.salvaged {
            assert!(home.git(&["show", &format!("{name}:chapters/vol-01/chapter-003.md")]).contains('3'));
        }
    }
}
