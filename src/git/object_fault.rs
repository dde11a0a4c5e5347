//! Faults of the files in which git keeps objects.

/// The fault of a file of the object store.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ObjectFault {
    /// It has no bytes.
    Empty,
    /// Its end is missing, or its bytes are others than were written.
    Garbled,
    /// Kind and size of the object are missing.
    NoHeader,
    /// The object has another size than its header says.
    OtherSize,
    /// The object is another one than the file's name says.
    OtherContent,
}
