//! Prompts and replies of the agents.

pub mod story;

mod asking_again;
mod budget;
mod files;
mod judging;
mod leakage;
mod snapshots;
