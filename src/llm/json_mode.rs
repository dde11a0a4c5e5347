//! Ways of asking for JSON.

use serde::{Deserialize, Serialize};

/// A way of asking for JSON, from the loosest to the strictest.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum JsonMode {
    /// In words only; the JSON is looked for in whatever comes.
    Plain,
    /// The server promises some JSON object, the prompt says which.
    JsonObject,
    /// The server promises JSON of the schema.
    Strict,
}
