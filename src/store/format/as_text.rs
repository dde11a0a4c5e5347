//! Domain values for serde, so that a bad id or name is reported with its line like any other mistake. Used as
//! `#[serde(with = "as_text")]`: the value is a string, parsed by its `FromStr`.

use super::mistake::BadText;
use super::syntax::bad_text;
use crate::domain::{ChapterNo, VolumeNo};
use serde::{Deserialize, Deserializer, Serializer};
use std::fmt::Display;
use std::str::FromStr;

pub(super) fn serialize<T: Display, S: Serializer>(value: &T, to: S) -> Result<S::Ok, S::Error> {
    to.collect_str(value)
}

pub(super) fn deserialize<'de, T, D>(from: D) -> Result<T, D::Error>
where
    T: FromStr<Err: Into<BadText>>,
    D: Deserializer<'de>,
{
    String::deserialize(from)?.parse().map_err(|error: T::Err| bad_text(&error.into()))
}

/// A value that may be missing or `null`.
pub(super) mod optional {
    use super::{BadText, Deserialize, Deserializer, Display, FromStr, Serializer, bad_text};

    pub(in super::super) fn serialize<T: Display, S: Serializer>(value: &Option<T>, to: S) -> Result<S::Ok, S::Error> {
        match value {
            Some(value) => to.collect_str(value),
            None => to.serialize_none(),
        }
    }

    pub(in super::super) fn deserialize<'de, T, D>(from: D) -> Result<Option<T>, D::Error>
    where
        T: FromStr<Err: Into<BadText>>,
        D: Deserializer<'de>,
    {
        let text: Option<String> = Option::deserialize(from)?;
        text.map(|text| text.parse().map_err(|error: T::Err| bad_text(&error.into()))).transpose()
    }
}

/// A list of values; `null` is an empty one.
pub(super) mod list {
    use super::{BadText, Deserialize, Deserializer, Display, FromStr, Serializer, bad_text};

    pub(in super::super) fn serialize<T: Display, S: Serializer>(values: &[T], to: S) -> Result<S::Ok, S::Error> {
        to.collect_seq(values.iter().map(ToString::to_string))
    }

    pub(in super::super) fn deserialize<'de, T, D>(from: D) -> Result<Vec<T>, D::Error>
    where
        T: FromStr<Err: Into<BadText>>,
        D: Deserializer<'de>,
    {
        let texts: Option<Vec<String>> = Option::deserialize(from)?;
        texts
            .unwrap_or_default()
            .into_iter()
            .map(|text| text.parse().map_err(|error: T::Err| bad_text(&error.into())))
            .collect()
    }
}

/// A chapter as a plain number.
pub(super) mod chapter {
    use super::{BadText, ChapterNo, Deserialize, Deserializer, Serializer, bad_text};

    pub(in super::super) fn serialize<S: Serializer>(chapter: &ChapterNo, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_u32(chapter.get())
    }

    pub(in super::super) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<ChapterNo, D::Error> {
        ChapterNo::new(u32::deserialize(from)?).ok_or_else(|| bad_text(&BadText::ChapterNumber))
    }
}

/// A chapter as a plain number that may be missing or `null`.
pub(super) mod optional_chapter {
    use super::{BadText, ChapterNo, Deserialize, Deserializer, Serializer, bad_text};

    pub(in super::super) fn serialize<S: Serializer>(chapter: &Option<ChapterNo>, to: S) -> Result<S::Ok, S::Error> {
        match chapter {
            Some(chapter) => to.serialize_u32(chapter.get()),
            None => to.serialize_none(),
        }
    }

    pub(in super::super) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Option<ChapterNo>, D::Error> {
        let wrong = || bad_text(&BadText::ChapterNumber);
        Option::<u32>::deserialize(from)?.map(|n| ChapterNo::new(n).ok_or_else(wrong)).transpose()
    }
}

/// A volume as a plain number.
pub(super) mod volume {
    use super::{BadText, Deserialize, Deserializer, Serializer, VolumeNo, bad_text};

    pub(in super::super) fn serialize<S: Serializer>(volume: &VolumeNo, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_u32(volume.get())
    }

    pub(in super::super) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<VolumeNo, D::Error> {
        VolumeNo::new(u32::deserialize(from)?).ok_or_else(|| bad_text(&BadText::VolumeNumber))
    }
}

/// A figure, written `4` when it is whole.
pub(super) mod figure {
    use super::{Deserialize, Deserializer, Serializer};

    /// Whole `f64` values are exact integers up to here.
    const EXACT: f64 = 9_007_199_254_740_992.0;

    pub(in super::super) fn serialize<S: Serializer>(value: &f64, to: S) -> Result<S::Ok, S::Error> {
        if value.fract() == 0.0 && value.abs() <= EXACT {
            to.serialize_i64(*value as i64)
        } else {
            to.serialize_f64(*value)
        }
    }

    pub(in super::super) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<f64, D::Error> {
        f64::deserialize(from)
    }
}

pub(super) mod figures {
    use super::{Deserialize, Deserializer, Serializer};
    use serde::Serialize;
    use std::collections::BTreeMap;

    #[derive(Serialize)]
    struct Figure(#[serde(with = "super::figure")] f64);

    pub(in super::super) fn serialize<S: Serializer>(map: &BTreeMap<String, f64>, to: S) -> Result<S::Ok, S::Error> {
        to.collect_map(map.iter().map(|(name, value)| (name, Figure(*value))))
    }

    pub(in super::super) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<BTreeMap<String, f64>, D::Error> {
        Ok(Option::deserialize(from)?.unwrap_or_default())
    }
}

/// Reads `null` as the default, for fields that an author has emptied.
pub(super) fn or_default<'de, T, D>(from: D) -> Result<T, D::Error>
where
    T: Default + Deserialize<'de>,
    D: Deserializer<'de>,
{
    Ok(Option::deserialize(from)?.unwrap_or_default())
}
