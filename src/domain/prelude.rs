//! The vocabulary of nearly every value: numbers and names of things, and what files and prompts need of them.

pub(crate) use crate::domain::id::named;
pub(crate) use crate::domain::{ChapterNo, Slug, VolumeNo};
pub(crate) use serde::{Deserialize, Serialize};
pub(crate) use serde_json::Value;
pub(crate) use std::collections::{BTreeMap, BTreeSet};
pub(crate) use std::fmt;
pub(crate) use std::str::FromStr;
