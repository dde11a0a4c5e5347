//! The style of the book: the answer of `novel style`.

use super::json;
use super::lang::{Lang, say};
use super::style::{HINT, STRONG, paint};
use super::words::Words;
use crate::domain::world::style::{NEUTRAL, StyleProfile, StyleSource};
use crate::pipeline::book::view::unmeasured_style;
use crate::store::{layout, template};
use serde::Serialize;
use std::collections::BTreeMap;

/// A style profile.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Profile {
    /// Where it stands.
    pub file: &'static str,
    /// Where it comes from; null where there is none.
    #[serde(serialize_with = "json::maybe_name")]
    pub source_type: Option<StyleSource>,
    /// The named author or preset, or the chapters.
    pub source_name: Option<String>,
    /// Mean length of a sentence in Han characters; 0 where nothing was measured.
    pub avg_sentence_length: f64,
    /// Share of Han characters inside quotation marks.
    pub dialogue_ratio: f64,
    /// Other figures by name.
    pub measured: BTreeMap<String, f64>,
    /// What to do.
    pub writing_directives: Vec<String>,
    /// Habits.
    pub rhetoric_preferences: Vec<String>,
    /// Words the author does not use.
    pub forbidden_words: Vec<String>,
    /// How people speak.
    pub character_speech_patterns: BTreeMap<String, String>,
    /// The built-in styles that may be taken in its place.
    pub presets: Vec<&'static str>,
}

impl Profile {
    /// The profile, as far as there is one.
    #[must_use]
    pub fn of(profile: Option<StyleProfile>) -> Self {
        let source_type = profile.as_ref().map(|profile| profile.source);
        let profile = profile.unwrap_or_else(unmeasured_style);
        Self {
            file: layout::STYLE_PROFILE,
            source_type,
            source_name: profile.source_name,
            avg_sentence_length: profile.avg_sentence_length,
            dialogue_ratio: profile.dialogue_ratio,
            measured: profile.measured,
            writing_directives: profile.writing_directives,
            rhetoric_preferences: profile.rhetoric_preferences,
            forbidden_words: profile.forbidden_words,
            character_speech_patterns: profile.character_speech_patterns,
            presets: template::PRESETS.iter().map(|preset| preset.id).collect(),
        }
    }

    /// The lines.
    #[must_use]
    pub fn text(&self, lang: Lang) -> String {
        let origin = origin(self.source_type, self.source_name.as_deref(), lang);
        let mut text = format!("{}\n", paint(STRONG, &origin));
        if self.avg_sentence_length > 0.0 {
            let (length, percent) = (self.avg_sentence_length, (self.dialogue_ratio * 100.0).round());
            text.push_str(&say!(
                lang,
                "平均句长 {length} 字，对白占 {percent}%\n",
                "sentences of {length} Han characters, {percent}% dialogue\n"
            ));
        }
        for (name, value) in &self.measured {
            text.push_str(&format!("  {name}: {value}\n"));
        }
        let headings = lang.pick(
            ["写法", "修辞习惯", "从不用的词", "人物语癖"],
            ["what to do", "habits", "words that are never used", "how people speak"],
        );
        let patterns = self.character_speech_patterns.iter().map(|(who, how)| format!("{who}: {how}")).collect();
        let lists = [
            self.writing_directives.clone(),
            self.rhetoric_preferences.clone(),
            self.forbidden_words.clone(),
            patterns,
        ];
        for (heading, list) in headings.into_iter().zip(lists).filter(|(_, list): &(_, Vec<String>)| !list.is_empty()) {
            text.push_str(&format!("{}\n", paint(STRONG, heading)));
            text.extend(list.iter().map(|entry| format!("  - {entry}\n")));
        }
        let (file, presets) = (self.file, self.presets.join(", "));
        let command = paint(HINT, "novel style use");
        text.push_str(&say!(
            lang,
            "文件: {file}（可以直接改）；内置文风: {presets}（{command} …）\n",
            "file: {file} (yours to change); built-in styles: {presets} ({command} …)\n"
        ));
        text
    }
}

/// The source of a style, in words.
#[must_use]
pub fn origin(source: Option<StyleSource>, name: Option<&str>, lang: Lang) -> String {
    match (source, name) {
        (None, _) | (Some(StyleSource::Preset), None) => {
            lang.pick("没有指定文风", "no style has been chosen").to_owned()
        }
        (Some(StyleSource::Preset), Some(NEUTRAL)) => {
            lang.pick("中性（还没有选定文风）", "neutral (no style has been chosen)").to_owned()
        }
        (Some(source), None) => source.say(lang).to_owned(),
        (Some(source), Some(name)) => {
            let source = source.say(lang);
            say!(lang, "{source}：{name}", "{source}: {name}")
        }
    }
}
