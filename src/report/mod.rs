//! Values into words: text for people, in Chinese or English, and JSON for programs.
//!
//! Everything here is a pure function of its arguments. Each file holds one kind of answer: a plain struct that
//! `--json` prints as well (a change of a field is a change of the interface: snapshots watch over it), and a `text`
//! that lays it out for a given language and width. Text carries ANSI styles; the terminal layer strips them if colour
//! is not wanted, and nothing is said by colour alone. Money is in millionths of a US dollar, time in milliseconds,
//! width in terminal columns (a Han character takes two).
//!
//! | file | what it words |
//! |---|---|
//! | [`lang`] | the two languages, and which one is spoken |
//! | [`words`] | the names of the domain's closed sets |
//! | [`figures`] | numbers, money, durations, shares |
//! | [`table`] | columns that stay straight with Han characters in them |
//! | [`style`] | the few colours |
//! | [`json`] | documents and lines with their version |
//! | [`extent`] | how much of a long answer is shown |
//! | [`status`] | where the book stands |
//! | [`question`] | a question to the author, whatever it is about |
//! | [`decision`] | what is to become of a chapter |
//! | [`plan`] | a volume's plan |
//! | [`journey`] | trial chapters, the state's leftovers, a volume at its end |
//! | [`review`] | a volume's review |
//! | [`history`] | the log of transactions |
//! | [`search`] | what a search has found |
//! | [`facts`] | what holds or held, how it came so, which step made it |
//! | [`foreshadow`] | how each foreshadowing stands, and what to do about it |
//! | [`cost`] | what the calls cost |
//! | [`context`] | what an agent is shown |
//! | [`evaluation`] | a judge's report |
//! | [`memory`] | what is noted of a chapter |
//! | [`diff`] | what changed in a text |
//! | [`change`] | what a command did to the book, or would do |
//! | [`impact`] | what a change touches |
//! | [`estimate`] | likely costs |
//! | [`rebuild`] | what a rebuild did, and which later chapters rely on what has changed |
//! | [`metrics`] | the book's own figures |
//! | [`quality`] | the figures of five chapters |
//! | [`people`] | who is in the book, and who has left it |
//! | [`voices`] | how the people speak |
//! | [`profile`] | how the author writes |
//! | [`storylines`] | the storylines and where each stands |
//! | [`problem`] | what is wrong with a file or a value |
//! | [`doctor`] | what is wrong with a book |
//! | [`calibration`] | whether the judge can be trusted |
//! | [`findings`] | each kind of finding: its name, its explanation and its words |
//! | [`hooks`] | the git hooks of a book and what they have found |
//! | [`position`] | the book's position in a few lines, for assistants |
//! | [`sync`] | two devices with one book |
//! | [`config`] | settings and where they come from |

pub(crate) mod catalogue;
pub mod lang;
pub mod lease;

pub mod extent;
pub mod figures;
pub mod findings;
pub mod json;
pub mod style;
pub mod table;
pub mod words;
pub mod wrap;

pub mod calibration;
pub mod candidates;
pub mod change;
pub mod commit;
pub mod compare;
pub mod config;
pub mod consistency;
pub mod context;
pub mod cost;
pub mod decision;
pub mod diff;
pub mod doctor;
pub mod estimate;
pub mod evaluation;
pub mod event;
pub mod facts;
pub mod foreshadow;
pub mod history;
pub mod hooks;
pub mod impact;
pub mod interrupted;
pub mod journey;
pub mod kept;
pub mod lines;
pub mod lists;
pub mod memory;
pub mod metrics;
pub mod mistake;
pub mod people;
pub mod plan;
pub mod position;
pub mod problem;
pub mod profile;
pub mod quality;
pub mod question;
pub mod rebuild;
pub mod reply;
mod restored;
pub mod review;
pub mod revision;
pub mod search;
pub mod state_path;
pub mod status;
pub mod storylines;
pub mod subject;
pub mod sync;
pub mod system;
pub mod voices;
pub mod waivers;
pub mod warning;

pub use lang::{Both, Lang};
