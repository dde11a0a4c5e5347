//! `novel` writes long Chinese web novels together with language-model agents. A book is a git repository, and every
//! commit on its main line is a transaction.
//!
//! The modules are rooms, in reading order; a room may use only those above it (`tests/it/tidy` enforces this).
//!
//! | room | what lives there |
//! |---|---|
//! | [`domain`] | the novel as values: state and its operations, contracts, evaluations, the gate; no IO, clock or chance |
//! | [`text`] | Chinese text as values: sentences, dialogue, counts, style fingerprint, prose diff; no IO |
//! | [`llm`] | talking to a model: wire formats, streams, faults, retries, prices; knows nothing of novels |
//! | [`agents`] | one file an agent: typed input to prompt and schema, reply to typed output; the offline writer |
//! | [`store`] | the repository: snapshots, transactions, drafts, history, file formats; the only user of git and of files |
//! | [`pipeline`] | doing it: a pure `decide`, an async `perform`, and the events in between |
//! | [`report`] | values into words, for people and for programs |
//! | [`commands`] | the command line: arguments, settings, terminal, exit codes |
//!
//! The library half exists for the binaries and the tests; it makes no promise of a stable interface.

pub mod domain;
pub mod text;

pub mod llm;

pub mod agents;
pub mod store;

pub mod pipeline;
pub mod report;

pub mod commands;
