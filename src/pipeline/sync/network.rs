//! How the remote is reached.

use crate::store::GitProgram;

/// The way to the remote, for a run that may use it.
#[derive(Debug, Clone)]
pub struct Network {
    pub git: GitProgram,
    /// The name of this device, which others see in the lease.
    pub device: String,
    /// True when another device's lease does not count.
    pub take_lease: bool,
}
