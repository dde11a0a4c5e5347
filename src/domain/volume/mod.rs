pub mod ending;
pub mod foreshadowing;
pub mod inventory;
pub mod outline;
pub mod plan;
