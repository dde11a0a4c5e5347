//! Files and processes under it all: durable writes, locks, and waiting for other programs.

pub(crate) mod backoff;
pub(crate) mod files;
pub(crate) mod processes;
pub(crate) mod system;
