//! Calls for the terminal and the user's files that differ between systems, with equal functions for each. The store
//! has its own ([`crate::store`]), because only this room may look at the terminal and the environment.

#[cfg(unix)]
mod unix;
#[cfg(unix)]
pub(crate) use unix::*;

#[cfg(windows)]
mod windows;
#[cfg(windows)]
pub(crate) use windows::*;
