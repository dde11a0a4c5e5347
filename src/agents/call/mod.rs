//! A call of any agent: task, prompt, schema, and reading the reply.

pub mod again_words;
pub mod placeholders;
pub mod prompt;
pub mod prompt_files;
pub mod reply;
pub mod scene_order;
pub mod task;
