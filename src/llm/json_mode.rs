use serde::{Deserialize, Serialize};

/// Ways of asking for JSON, from the loosest to the strictest.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum JsonMode {
    /// In words only; the JSON is searched for in the answer.
    Plain,
    /// The server promises some JSON object, and the prompt gives the schema.
    JsonObject,
    /// The server promises JSON that fits the schema.
    Strict,
}
