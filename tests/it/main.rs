//! The one integration-test binary.
#![allow(clippy::unwrap_used, unreachable_pub)]

mod agents;
mod commands;
#[allow(dead_code, reason = "each test uses a part of it")]
mod common;
mod crash;
mod defects;
mod formats;
mod llm;
mod manuscript;
mod pipeline;
mod remote;
mod report;
mod store;
mod text;
mod tidy;
mod walk;
