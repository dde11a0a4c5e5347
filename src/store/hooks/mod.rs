//! Git hooks of a book: installed beside the author's own, and removed without a trace.

pub(super) mod install;
pub(super) mod script;
