//! The one integration-test binary.
#![allow(clippy::unwrap_used, unreachable_pub, missing_docs)]

mod agents;
mod commands;
mod crash;
mod formats;
mod llm;
mod pipeline;
mod report;
mod store;
mod text;
mod tidy;
