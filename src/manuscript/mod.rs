//! A manuscript: a novel in the files that authors bring and take away. This room knows no book.

pub mod write;
