//! Values into words: text for people, in Chinese or English, and JSON for programs.
//! Everything here is a pure function of its arguments. Each file holds one kind of answer: a plain struct that
//! `--json` prints as well (snapshots watch its fields, which are an interface), and a `text` that lays it out for a
//! language and a width. Text carries ANSI styles, which the terminal layer strips where colour is not wanted; nothing
//! is said by colour alone. Money is in millionths of a US dollar, time in milliseconds, width in terminal columns (a
//! Han character takes two).

pub(crate) mod catalogue;
pub mod config;
pub mod hooks;
pub mod lang;

pub mod export;
pub mod figures;
pub mod findings;
pub mod style;
pub mod table;
pub mod words;

pub mod change;
pub mod consistency;
pub mod context;
pub mod cost;
pub mod decision;
pub mod diff;
pub mod doctor;
pub mod evaluation;
pub mod event;
pub mod facts;
pub mod faults;
pub mod foreshadow;
pub mod impact;
pub mod import;
pub mod journey;
pub mod kept;
pub mod lines;
pub mod metrics;
pub mod page;
pub mod people;
pub mod plan;
pub(crate) mod prelude;
pub mod problem;
pub mod profile;
pub mod quality;
pub mod question;
pub mod rebuild;
pub mod renaming;
pub mod revision;
pub mod site;
pub mod status;
pub mod subject;
pub mod sync;

pub use lang::{Both, Lang};
