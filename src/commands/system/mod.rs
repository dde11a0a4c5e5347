//! Calls of the terminal and of the user's own files that differ between systems, with the same functions for each of
//! them. The store has its own ([`crate::store`]), because no room but this one may look at the terminal and the
//! environment.

#[cfg(unix)]
mod unix;
#[cfg(unix)]
pub(crate) use unix::*;

#[cfg(windows)]
mod windows;
#[cfg(windows)]
pub(crate) use windows::*;
