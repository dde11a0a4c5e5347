//! Features of git that this program cannot read.

/// A feature of a repository.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum GitFeature {
    /// References that are not files: `reftable`.
    RefStorage,
    /// Objects with SHA-256 names.
    Sha256,
    /// A clone that fetches objects when they are wanted.
    PartialClone,
    /// An index in two files.
    SplitIndex,
    /// An index with whole folders as entries.
    SparseIndex,
}
