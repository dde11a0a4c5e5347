//! The vocabulary of agents: their prompts and replies, and the chapter that these are about.

pub(crate) use crate::agents::call::prompt::{Prompt, PromptError, Prompts, ReplyForm};
pub(crate) use crate::agents::call::reply::{FieldKind, ReplyFault, read_as, schema_of};
pub(crate) use crate::agents::context::chapter::ChapterContext;
pub(crate) use crate::agents::context::{bullets, clip, clip_line};
pub(crate) use crate::domain::book::config::{Agent, BookConfig};
pub(crate) use crate::domain::chapter::Chapter;
pub(crate) use crate::domain::state::Category;
pub(crate) use crate::domain::volume::foreshadowing::Action;
pub(crate) use crate::domain::volume::outline::Field;
pub(crate) use crate::domain::world::character::Character;
pub(crate) use crate::domain::{ChapterNo, Slug, VolumeNo};
pub(crate) use schemars::JsonSchema;
pub(crate) use serde::{Deserialize, Serialize};
pub(crate) use serde_json::{Value, json};
pub(crate) use std::collections::{BTreeMap, BTreeSet};
