//! A call of any agent: task, prompt, schema, and reading the reply.

pub mod again_words;
pub mod prompt;
pub mod reply;
pub mod task;
