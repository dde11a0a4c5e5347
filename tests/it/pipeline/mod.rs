//! Chapters from draft to acceptance: the built program against a scripted model.

mod decisions;
mod fail_closed;
mod filling;
mod gate;
mod impact;
mod money;
mod obstructions;
mod operations;
mod planning;
mod rebuilding;
mod remembering;
mod replies;
mod requests;
mod resume;
mod reviewing;
mod scenes;
mod script;
mod steering;
mod studio;
mod summaries;
mod together;
mod transport;
mod unfinished;
mod verdicts;
mod verified;
mod waiting;
