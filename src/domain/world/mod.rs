//! The subject of the book: rules and contracts, characters, storylines, style.

pub mod character;
pub mod contract;
pub mod retirement;
pub mod storyline;
pub mod style;
