//! The command line: arguments, values, help, exit codes and failure messages.

pub(super) mod args;
pub(crate) mod environment;
pub(super) mod failure;
pub(super) mod globals;
pub(super) mod help;
pub(super) mod usage;
pub(crate) mod value_parsers;
