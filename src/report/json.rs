//! The output of `--json`: one document, or one line per event, each with its version. The functions below are for
//! `#[serde(serialize_with = …)]`: the domain's types are not serializable themselves, so that they can change without
//! changing the interface for programs.

use crate::domain::chapter::scene::{SceneNo, Scenes};
use crate::domain::{ChapterNo, VolumeNo};
use serde::{Serialize, Serializer};
use std::fmt::Display;

/// The version of every document, which changes when a field goes away or changes its meaning. New fields do not change
/// it.
pub const VERSION: u32 = 1;

#[derive(Serialize)]
struct Versioned<'a, T> {
    version: u32,
    #[serde(flatten)]
    body: &'a T,
}

/// The document of a command: indented, with a final newline. `body` must be a struct or a map, as all values of this
/// room are.
pub fn document<T: Serialize>(body: &T) -> Result<String, serde_json::Error> {
    serde_json::to_string_pretty(&Versioned { version: VERSION, body }).map(|text| text + "\n")
}

/// An event of a longer run: one line with its newline.
pub fn line<T: Serialize>(body: &T) -> Result<String, serde_json::Error> {
    serde_json::to_string(&Versioned { version: VERSION, body }).map(|text| text + "\n")
}

pub(crate) fn name<T: Display, S: Serializer>(value: &T, to: S) -> Result<S::Ok, S::Error> {
    to.collect_str(value)
}

pub(crate) fn names<T: Display, S: Serializer>(values: &[T], to: S) -> Result<S::Ok, S::Error> {
    to.collect_seq(values.iter().map(ToString::to_string))
}

pub(crate) fn maybe_name<T: Display, S: Serializer>(value: &Option<T>, to: S) -> Result<S::Ok, S::Error> {
    value.as_ref().map(ToString::to_string).serialize(to)
}

pub(crate) fn chapter<S: Serializer>(chapter: &ChapterNo, to: S) -> Result<S::Ok, S::Error> {
    to.serialize_u32(chapter.get())
}

pub(crate) fn maybe_chapter<S: Serializer>(chapter: &Option<ChapterNo>, to: S) -> Result<S::Ok, S::Error> {
    chapter.map(ChapterNo::get).serialize(to)
}

pub(crate) fn chapters<S: Serializer>(chapters: &[ChapterNo], to: S) -> Result<S::Ok, S::Error> {
    to.collect_seq(chapters.iter().map(|chapter| chapter.get()))
}

pub(crate) fn volume<S: Serializer>(volume: &VolumeNo, to: S) -> Result<S::Ok, S::Error> {
    to.serialize_u32(volume.get())
}

/// A scene as its number and the number of all.
pub(crate) fn maybe_scene<S: Serializer>(scene: &Option<SceneNo>, to: S) -> Result<S::Ok, S::Error> {
    #[derive(Serialize)]
    struct Border {
        number: u32,
        of: u32,
    }
    scene.map(|scene| Border { number: scene.number, of: scene.of }).serialize(to)
}

pub(crate) fn maybe_scenes<S: Serializer>(scenes: &Option<Scenes>, to: S) -> Result<S::Ok, S::Error> {
    #[derive(Serialize)]
    struct Border {
        written: u32,
        planned: u32,
    }
    scenes.map(|scenes| Border { written: scenes.written, planned: scenes.planned }).serialize(to)
}

pub(crate) fn usd<S: Serializer>(micro: &u64, to: S) -> Result<S::Ok, S::Error> {
    to.serialize_f64(*micro as f64 / 1e6)
}

pub(crate) fn maybe_usd<S: Serializer>(micro: &Option<u64>, to: S) -> Result<S::Ok, S::Error> {
    micro.map(|micro| micro as f64 / 1e6).serialize(to)
}
