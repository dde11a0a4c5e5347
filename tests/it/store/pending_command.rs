//! The note of a running command: an interrupted command that is typed again is told from a second one.

use super::bench::*;

const WORDS: &str = "continue 3";

#[test]
fn a_command_is_resumed_from_where_it_began_until_it_ends_or_another_one_begins() {
    let home = Home::with_book();
    let book = home.book();
    let began = book.tip().unwrap();
    assert_eq!(begin(&book).set_out(WORDS).unwrap(), None);
    drop(accept(&begin(&book), 1));
    assert_eq!(begin(&book).set_out(WORDS).unwrap(), Some(began), "the same command goes on");
    let done = begin(&book).begin_pending(WORDS).unwrap();
    assert_eq!(done.iter().map(|transaction| transaction.id).collect::<Vec<_>>(), [book.tip().unwrap()]);
    // The end of another command is not the end of this one.
    book.end_pending("rollback ch-001").unwrap();
    assert_eq!(begin(&book).set_out(WORDS).unwrap(), Some(began));
    book.end_pending(WORDS).unwrap();
    assert_eq!(begin(&book).set_out(WORDS).unwrap(), None, "a second one begins anew");
    // Another command takes the note over, and one without a note of its own takes it away.
    assert_eq!(begin(&book).set_out("continue 5").unwrap(), None);
    assert_eq!(begin(&book).set_out(WORDS).unwrap(), None);
    begin(&book).forget_pending().unwrap();
    assert_eq!(begin(&book).set_out(WORDS).unwrap(), None);
}

#[test]
fn a_command_that_failed_is_resumed_only_if_it_has_made_a_transaction() {
    let home = Home::with_book();
    let book = home.book();
    let began = book.tip().unwrap();
    assert_eq!(begin(&book).set_out(WORDS).unwrap(), None);
    book.end_fruitless_errand("rollback ch-001").unwrap();
    assert_eq!(begin(&book).set_out(WORDS).unwrap(), Some(began), "another command's failure ends nothing");
    book.end_fruitless_errand(WORDS).unwrap();
    drop(accept(&begin(&book), 1));
    assert_eq!(begin(&book).set_out(WORDS).unwrap(), None, "nothing was made, so the note is gone");
    let began = book.tip().unwrap();
    drop(accept(&begin(&book), 2));
    book.end_fruitless_errand(WORDS).unwrap();
    assert_eq!(begin(&book).set_out(WORDS).unwrap(), Some(began), "a chapter was made, so it goes on");
}

#[test]
fn a_note_from_a_line_that_has_gone_is_not_resumed_and_a_writer_s_note_stays() {
    let home = Home::with_book();
    let book = home.book();
    drop(accept(&begin(&book), 1));
    assert_eq!(begin(&book).set_out(WORDS).unwrap(), None);
    let began = book.tip().unwrap();
    {
        // While a command is at work, the end of an earlier one leaves the note alone.
        let _session = begin(&book);
        book.end_pending(WORDS).unwrap();
    }
    assert_eq!(begin(&book).set_out(WORDS).unwrap(), Some(began));
    home.git(&["reset", "-q", "--hard", "HEAD^"]);
    let book = home.book();
    assert_eq!(begin(&book).set_out(WORDS).unwrap(), None, "that commit is not on the line any more");
    assert_eq!(begin(&book).begin_pending(WORDS).unwrap().len(), 0);
}
