//! Files and processes under it all: durable writes, locks, and waiting for other programs.

pub(super) mod backoff;
pub(super) mod files;
pub(super) mod processes;
pub(super) mod system;
