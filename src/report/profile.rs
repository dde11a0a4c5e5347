//! The style of the book: the answer of `novel style`.

use crate::domain::quality::StyleMeasure;
use crate::domain::world::style::{NEUTRAL, StyleProfile, StyleSource};
use crate::report::prelude::*;
use crate::store::{layout, template};
use crate::text::PhraseRemoval;

/// Phrases that an author keeps removing from chapters.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct EditHabits {
    /// The most frequent first.
    pub phrases: Vec<PhraseRemoval>,
    /// The commit that added them to the book's list; null where they were only shown.
    pub commit: Option<Commit>,
}

impl EditHabits {
    /// The phrases with their numbers, and the command to type next.
    pub fn text(&self, lang: Lang, columns: usize) -> String {
        if self.phrases.is_empty() {
            return say!(lang, your_edits_take_no_phrase_out).to_owned();
        }
        let mut out = format!("{}\n", paint(STRONG, say!(lang, phrases_that_you_keep_taking_out)));
        let mut table = Table::bare("ll", 0).indented(2);
        for PhraseRemoval { phrase, times, texts } in &self.phrases {
            table.row([phrase.as_str().into(), Cell::painted(DIM, say!(lang, times_in_edits(times, texts)))]);
        }
        out.push_str(&table.text(columns));
        out.push_str(&match &self.commit {
            Some(commit) => say!(lang, put_on_as_to_take_it(list = layout::AI_PHRASES, commit)),
            None => say!(lang, to_put_them_on_books_list(command = paint(HINT, "novel style edits --take"))),
        });
        out
    }
}

#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ProfileReport {
    pub file: &'static str,
    /// Null without a profile.
    pub source_type: Option<StyleSource>,
    /// The author, the preset or the chapters.
    pub source_name: Option<String>,
    /// Mean length of a sentence in Han characters; 0 without a measurement.
    pub avg_sentence_length: f64,
    /// Share of Han characters inside quotation marks.
    pub dialogue_ratio: f64,
    /// Other figures by name.
    pub measured: BTreeMap<String, f64>,
    pub writing_directives: Vec<String>,
    pub rhetoric_preferences: Vec<String>,
    /// Words that the author avoids.
    pub forbidden_words: Vec<String>,
    pub character_speech_patterns: BTreeMap<String, String>,
    /// The built-in styles to choose from.
    pub presets: Vec<&'static str>,
}

impl ProfileReport {
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

    pub fn text(&self, lang: Lang) -> String {
        let origin = origin(self.source_type, self.source_name.as_deref(), lang);
        let mut text = format!("{}\n", paint(STRONG, &origin));
        if self.avg_sentence_length > 0.0 {
            let (length, percent) = (self.avg_sentence_length, (self.dialogue_ratio * 100.0).round());
            text.push_str(&say!(lang, sentences_of_han_characters_dialogue(length, percent)));
        }
        for (name, value) in &self.measured {
            let (name, value) = figure(name, *value, lang);
            text.push_str(&format!("  {name}{}{value}\n", say!(lang, colon)));
        }
        let headings = [
            say!(lang, profile_column_what_to_do),
            say!(lang, profile_column_habits),
            say!(lang, profile_column_words_that_are_never),
            say!(lang, profile_column_how_people_speak),
        ];
        let patterns = self
            .character_speech_patterns
            .iter()
            .map(|(who, how)| format!("{}{}{how}", words::role(who, lang), say!(lang, colon)))
            .collect();
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
        let (file, presets) = (self.file, words::presets(lang));
        let command = paint(HINT, "novel style use");
        text.push_str(&say!(lang, file_yours_to_change_built_in(file, presets, command)));
        text
    }
}

/// A measured figure in words; an unknown name, which an author may have added, stays.
fn figure(name: &str, value: f64, lang: Lang) -> (String, String) {
    let percent = || format!("{}%", (value * 100.0).round());
    let (words, value) = match name {
        "sentence_length_han" => (StyleMeasure::SentenceLength.say(lang), value.to_string()),
        "sentence_length_spread" => (say!(lang, measured_sentence_length_spread), value.to_string()),
        "dialogue_ratio_spread" => (say!(lang, measured_dialogue_spread), percent()),
        "paragraph_length_han" => (StyleMeasure::ParagraphLength.say(lang), value.to_string()),
        "short_sentence_share" => (StyleMeasure::ShortSentences.say(lang), percent()),
        "commas_per_sentence" => (StyleMeasure::Commas.say(lang), value.to_string()),
        "modal_particles_per_thousand" => (StyleMeasure::ModalParticles.say(lang), value.to_string()),
        "connectives_per_thousand" => (say!(lang, measured_connectives), value.to_string()),
        "first_person_per_thousand" => (say!(lang, measured_first_person), value.to_string()),
        other => (other, value.to_string()),
    };
    (words.to_owned(), value)
}

pub fn origin(source: Option<StyleSource>, name: Option<&str>, lang: Lang) -> String {
    match (source, name) {
        (None, _) | (Some(StyleSource::Preset), None) => say!(lang, no_style_has_been_chosen).to_owned(),
        (Some(StyleSource::Preset), Some(NEUTRAL)) => say!(lang, neutral_no_style_has_been_chosen).to_owned(),
        (Some(source), None) => source.say(lang).to_owned(),
        (Some(source), Some(name)) => say!(lang, profile_source_name(source = source.say(lang), name)),
    }
}
