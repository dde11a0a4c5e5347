//! A call of an agent, whichever it is: its task, its prompt, its schema, and how its reply is read.

pub mod again_words;
pub mod placeholders;
pub mod prompt;
pub mod prompt_files;
pub mod reply;
pub mod scene_order;
pub mod task;
pub mod why;
