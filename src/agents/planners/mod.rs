//! The planning agents: world builder, character weaver, plot architect.

pub mod amendments;
pub mod character_weaver;
pub mod context;
pub mod plot_architect;
pub mod world_builder;
