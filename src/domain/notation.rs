//! The domain's values in files: ids and names are texts, chapters and volumes are numbers. A text without a value is
//! reported with its line like any other mistake.

use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize};
use std::str::FromStr;

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum BadText {
    /// No name of a closed set.
    Name {
        given: String,
        /// All names of the set, separated by commas.
        allowed: String,
    },
    /// No id.
    Id(String),
    /// No chapter.
    Chapter(String),
    /// No volume.
    Volume(String),
    /// No chapter, volume or step.
    Work(String),
    /// No id of a file's content.
    Content(String),
    /// No entry of the state.
    Entry(String),
    /// No interval of chapters.
    Interval(String),
    /// A chapter's number out of range.
    ChapterNumber,
    /// A volume's number out of range.
    VolumeNumber,
}

/// Marks a [`BadText`] in an error of serde, which carries only text.
const MARK: char = '\u{1f}';

impl BadText {
    /// The error of serde for the text.
    pub fn error<E: Error>(&self) -> E {
        E::custom(format_args!("{MARK}{}", serde_json::to_string(self).unwrap_or_default()))
    }

    /// Parses the message of an error of serde; `None` for another error.
    pub fn of_message(message: &str) -> Option<Self> {
        serde_json::from_str(message.strip_prefix(MARK)?).ok()
    }
}

pub(crate) fn parse<'de, T, D>(from: D) -> Result<T, D::Error>
where
    T: FromStr<Err: Into<BadText>>,
    D: Deserializer<'de>,
{
    String::deserialize(from)?.parse().map_err(|error: T::Err| error.into().error())
}

/// Lets a type stand in files as the text of its `Display` and `FromStr`.
macro_rules! stands_as_text {
    ($name:ty) => {
        impl serde::Serialize for $name {
            fn serialize<S: serde::Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
                to.collect_str(self)
            }
        }

        impl<'de> serde::Deserialize<'de> for $name {
            fn deserialize<D: serde::Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
                $crate::domain::notation::parse(from)
            }
        }
    };
}
pub(crate) use stands_as_text;

/// A figure, written `4` when it is whole.
pub(crate) mod figure {
    use serde::{Deserialize, Deserializer, Serializer};

    /// Whole `f64` values are exact integers up to here.
    const EXACT: f64 = 9_007_199_254_740_992.0;

    pub(crate) fn serialize<S: Serializer>(value: &f64, to: S) -> Result<S::Ok, S::Error> {
        if value.fract() == 0.0 && value.abs() <= EXACT {
            to.serialize_i64(*value as i64)
        } else {
            to.serialize_f64(*value)
        }
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<f64, D::Error> {
        f64::deserialize(from)
    }
}

/// Figures by name; `null` stands for an empty map.
pub(crate) mod figures {
    use super::or_default;
    use serde::{Deserializer, Serialize, Serializer};
    use std::collections::BTreeMap;

    #[derive(Serialize)]
    struct Figure(#[serde(with = "super::figure")] f64);

    pub(crate) fn serialize<S: Serializer>(map: &BTreeMap<String, f64>, to: S) -> Result<S::Ok, S::Error> {
        to.collect_map(map.iter().map(|(name, value)| (name, Figure(*value))))
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<BTreeMap<String, f64>, D::Error> {
        or_default(from)
    }
}

/// Reads `null` as the default, for fields that an author has emptied.
pub(crate) fn or_default<'de, T, D>(from: D) -> Result<T, D::Error>
where
    T: Default + Deserialize<'de>,
    D: Deserializer<'de>,
{
    Ok(Option::deserialize(from)?.unwrap_or_default())
}

/// The default of a switch that files name only where it is off.
pub(crate) const fn yes() -> bool {
    true
}
