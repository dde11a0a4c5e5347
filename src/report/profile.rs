//! The style of the book: the answer of `novel style`.

use super::json;
use super::lang::{Lang, say};
use super::style::{DIM, HINT, STRONG, paint};
use super::table::{Align, Cell, Table};
use super::words::Words;
use crate::domain::world::style::{NEUTRAL, StyleProfile, StyleSource};
use crate::store::{layout, template};
use crate::text::Removal;
use serde::Serialize;
use std::collections::BTreeMap;

/// The phrases that an author keeps taking out of chapters.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct EditHabits {
    /// The phrases, the most frequent first.
    pub phrases: Vec<Removal>,
    /// The commit that has put them on the book's list, shortened; null where they were only shown.
    pub commit: Option<String>,
}

impl EditHabits {
    /// The phrases, how often each was taken out, and the command to type next.
    #[must_use]
    pub fn text(&self, lang: Lang, columns: usize) -> String {
        if self.phrases.is_empty() {
            return lang
                .pick("你的手改里没有反复删掉的词句\n", "your edits take no phrase out repeatedly\n")
                .to_owned();
        }
        let title = lang.pick("你在各章里反复删改的词句", "phrases that you keep taking out of chapters");
        let mut out = format!("{}\n", paint(STRONG, title));
        let mut table = Table::new([("", Align::Left), ("", Align::Left)], 0).indented(2);
        for Removal { phrase, times, texts } in &self.phrases {
            let count = say!(lang, "{times} 次，{texts} 处手改", "{times} times in {texts} edits");
            table.row([phrase.as_str().into(), Cell::painted(DIM, count)]);
        }
        out.push_str(&table.text(columns));
        out.push_str(&match &self.commit {
            Some(commit) => {
                let list = layout::AI_PHRASES;
                say!(
                    lang,
                    "已记入 {list}，提交 {commit}；不要它: novel undo\n",
                    "put on {list} as {commit}; to take it back: novel undo\n"
                )
            }
            None => {
                let command = paint(HINT, "novel style edits --take");
                say!(
                    lang,
                    "记入书的禁用词表，写手和润色不再用: {command}\n",
                    "to put them on the book's list, so that agents do without them: {command}\n"
                )
            }
        });
        out
    }
}

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
        let profile = profile.unwrap_or_else(StyleProfile::unmeasured);
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
