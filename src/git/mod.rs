//! A repository that survives a death and a power cut: objects, packs, refs, trees, the index, and files. The room knows no book;
//! of the program it knows the folder `.git/novel` and the names of the refs that the program makes.

pub mod failpoint;

pub(crate) mod disk;
pub(crate) mod error;
pub(crate) mod filtered;
pub(crate) mod index;
pub(crate) mod objects;
pub(crate) mod refs;
pub(crate) mod tree;
pub(crate) mod verification;
pub(crate) mod work_tree;
