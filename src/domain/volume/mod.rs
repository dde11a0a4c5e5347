//! A volume: its outline, its plan, what it promises, and how it ends.

pub mod ending;
pub mod foreshadowing;
pub mod inventory;
pub mod outline;
pub mod plan;
