/// The version of the changed formats: contracts, schedules, storylines, and both lists of rules.
pub const VERSION: u32 = 2;

/// The number of the book's format, the `schema_version` in `.checkpoint.json`. Every change of any format raises it,
/// since a program writes nothing in a book with a higher number than its own.
pub(super) const BOOK: u32 = 1;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::format::config;

    /// A change of a version without one of the book's number would let older programs write in the book.
    #[test]
    fn the_number_of_the_book_goes_with_the_versions_of_its_files() {
        assert_eq!((BOOK, VERSION, config::NEWEST), (1, 2, 1), "raise `BOOK` whenever a format changes");
    }
}
