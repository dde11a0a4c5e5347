//! The vocabulary of nearly every measure: characters, sentences, and ordered lists of them.

pub(crate) use crate::text::chars::{is_han, is_letter};
pub(crate) use crate::text::split::{BlockKind, paragraphs, prose_sentences, sentences};
pub(crate) use serde::{Deserialize, Serialize};
pub(crate) use std::collections::{BTreeMap, BTreeSet};
pub(crate) use std::ops::Range;
