//! `novel` writes long Chinese web novels together with language-model agents. A book is a git repository, and every
//! commit on its main line is a transaction.
//!
//! The modules are rooms, in reading order; a room may use only those above it (`tests/it/tidy` enforces this).
//!
//! | room | what lives there |
//! |---|---|
//! | [`domain`] | the novel as values: state and its operations, contracts, evaluations, the gate; no IO, clock or chance |
//! | [`text`] | Chinese text as values: sentences, dialogue, counts, style fingerprint, prose diff; no IO |
//! | [`manuscript`] | novels in the files that authors bring and take away: txt, md, epub, docx; knows no book, no IO |
//! | [`llm`] | talking to a model: wire formats, streams, faults, retries, prices; knows nothing of novels |
//! | [`agents`] | one file an agent: typed input to prompt and schema, reply to typed output; the offline writer |
//! | [`git`] | a repository that survives a power cut: objects, refs, index, files; knows no book |
//! | [`store`] | the book on git: snapshots, transactions, drafts, history, file formats |
//! | [`pipeline`] | doing it: a pure `decide`, an async `perform`, and the events in between |
//! | [`report`] | values into words, for people and for programs |
//! | [`commands`] | the command line: arguments, settings, terminal, exit codes |
//!
//! # Sources of a book's files
//!
//! A new book's first commit is made of files under `templates/`, which are built into the program
//! ([`store::template`]): `templates/book` for every book, one of `templates/styles` when a style is asked for, and
//! `templates/demo` over them for the demo. [`pipeline::planning::create_book`] writes the author's idea, outline and
//! samples into them. From then on there are three kinds of files:
//!
//! - the author's own, which the program reads and never changes: brief, settings, plans, people, world, prompts;
//! - a chapter's, made by the agents and added by its commit: text, summary, evaluation, delta, log;
//! - those that follow from the chapters and are made again by every commit: state, foreshadowing, the storylines' memories,
//!   checkpoint. Replaying the deltas ([`pipeline::book::replay`]) gives the state again.
//!
//! [`store::layout`] names every path, [`mod@store::format`] reads and writes every format. Prompts come from `prompts/`,
//! also built in ([`agents::call::prompt_files`]); a file of the same path in the book goes before them.
//!
//! The library half exists for the binaries and the tests; it makes no promise of a stable interface.

pub mod domain;
pub mod text;

pub mod manuscript;

pub mod llm;

pub mod agents;

pub mod git;
pub mod store;

pub mod pipeline;
pub mod report;

pub mod commands;
