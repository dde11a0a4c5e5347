use serde::{Deserialize, Serialize};

/// How a reply departs from the form that was asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OtherForm {
    NotJson,
    /// It is JSON, and a field is missing or wrong.
    OtherFields,
}

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

impl JsonMode {
    /// The modes by their names in the settings, from the strictest.
    pub const NAMED: [(&str, Self); 3] =
        [("schema", Self::Strict), ("object", Self::JsonObject), ("text", Self::Plain)];

    pub fn named(name: &str) -> Option<Self> {
        Self::NAMED.into_iter().find(|(known, _)| *known == name).map(|(_, mode)| mode)
    }

    pub fn looser(self) -> Option<Self> {
        match self {
            Self::Strict => Some(Self::JsonObject),
            Self::JsonObject => Some(Self::Plain),
            Self::Plain => None,
        }
    }
}
