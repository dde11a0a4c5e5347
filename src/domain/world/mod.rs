pub mod character;
pub mod contract;
pub mod retirement;
pub mod storyline;
pub mod style;
