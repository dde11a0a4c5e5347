//! The note of a running command: an interrupted command that is typed again is told from a second one.

use super::bench::*;
use novel::store;

const WORDS: &str = "continue 3";

#[test]
fn a_command_is_resumed_from_where_it_began_until_it_ends_or_another_one_begins() {
    let home = Home::with_book();
    let book = home.book();
    let began = book.tip().unwrap();
    assert_eq!(store::pending_command::set_out(&begin(&book), WORDS).unwrap(), None);
    drop(accept(&begin(&book), 1));
    assert_eq!(store::pending_command::set_out(&begin(&book), WORDS).unwrap(), Some(began), "the same command goes on");
    let done = store::pending_command::begin_pending(&begin(&book), WORDS).unwrap();
    assert_eq!(done.iter().map(|transaction| transaction.id).collect::<Vec<_>>(), [book.tip().unwrap()]);
    // The end of another command is not the end of this one.
    store::pending_command::end_pending(&book, "rollback ch-001").unwrap();
    assert_eq!(store::pending_command::set_out(&begin(&book), WORDS).unwrap(), Some(began));
    store::pending_command::end_pending(&book, WORDS).unwrap();
    assert_eq!(store::pending_command::set_out(&begin(&book), WORDS).unwrap(), None, "a second one begins anew");
    // Another command takes the note over, and one without a note of its own takes it away.
    assert_eq!(store::pending_command::set_out(&begin(&book), "continue 5").unwrap(), None);
    assert_eq!(store::pending_command::set_out(&begin(&book), WORDS).unwrap(), None);
    store::pending_command::forget_pending(&begin(&book)).unwrap();
    assert_eq!(store::pending_command::set_out(&begin(&book), WORDS).unwrap(), None);
}

#[test]
fn a_command_that_failed_is_resumed_only_if_it_has_made_a_transaction() {
    let home = Home::with_book();
    let book = home.book();
    let began = book.tip().unwrap();
    assert_eq!(store::pending_command::set_out(&begin(&book), WORDS).unwrap(), None);
    store::pending_command::end_fruitless_errand(&book, "rollback ch-001").unwrap();
    assert_eq!(
        store::pending_command::set_out(&begin(&book), WORDS).unwrap(),
        Some(began),
        "another command's failure ends nothing"
    );
    store::pending_command::end_fruitless_errand(&book, WORDS).unwrap();
    drop(accept(&begin(&book), 1));
    assert_eq!(
        store::pending_command::set_out(&begin(&book), WORDS).unwrap(),
        None,
        "nothing was made, so the note is gone"
    );
    let began = book.tip().unwrap();
    drop(accept(&begin(&book), 2));
    store::pending_command::end_fruitless_errand(&book, WORDS).unwrap();
    assert_eq!(
        store::pending_command::set_out(&begin(&book), WORDS).unwrap(),
        Some(began),
        "a chapter was made, so it goes on"
    );
}

#[test]
fn a_note_from_a_line_that_has_gone_is_not_resumed_and_a_writer_s_note_stays() {
    let home = Home::with_book();
    let book = home.book();
    drop(accept(&begin(&book), 1));
    assert_eq!(store::pending_command::set_out(&begin(&book), WORDS).unwrap(), None);
    let began = book.tip().unwrap();
    {
        // While a command is at work, the end of an earlier one leaves the note alone.
        let _session = begin(&book);
        store::pending_command::end_pending(&book, WORDS).unwrap();
    }
    assert_eq!(store::pending_command::set_out(&begin(&book), WORDS).unwrap(), Some(began));
    home.git(&["reset", "-q", "--hard", "HEAD^"]);
    let book = home.book();
    assert_eq!(
        store::pending_command::set_out(&begin(&book), WORDS).unwrap(),
        None,
        "that commit is not on the line any more"
    );
    assert_eq!(store::pending_command::begin_pending(&begin(&book), WORDS).unwrap().len(), 0);
}
