//! Faults of the files in which git keeps objects.

/// The fault of a file of the object store.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum ObjectFault {
    /// It has no bytes.
    #[error("it is empty")]
    Empty,
    /// Its end is missing, or its bytes are others than were written.
    #[error("it is cut short or garbled")]
    Garbled,
    /// Kind and size of the object are missing.
    #[error("it has no header")]
    NoHeader,
    /// The object has another size than its header says.
    #[error("it has another size than it says")]
    OtherSize,
    /// The object is another one than the file's name says.
    #[error("it has other content than its name says")]
    OtherContent,
}
