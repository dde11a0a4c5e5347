//! The version of the formats.

/// The version of the formats that have changed: contracts, schedules, storylines, and both lists of rules.
pub const VERSION: u32 = 2;
