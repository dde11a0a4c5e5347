//! How the author writes: learning a style from prose, and taking a built-in one.

use crate::agents::call::prompt::hash_of;
use crate::agents::context::listed;
use crate::agents::style_analyzer::{self, StyleReading, agreeing};
use crate::domain::world::style::{AiPhrase, AiPhrases, EDITED_OUT, StyleProfile, StyleSource};
use crate::pipeline::book::direct_commit;
use crate::pipeline::book::earlier_passages::{SAMPLE, SAMPLES};
use crate::pipeline::book::files;
use crate::pipeline::book::hand_edits;
use crate::pipeline::engine::commits::Applied;
use crate::pipeline::planning::step::{self, closing_of};
use crate::pipeline::prelude::*;
use crate::store::{self, Log, StyleSubject, template};
use crate::text::{Fingerprint, PhraseList, PhraseRemoval, per_thousand};
use std::ops::RangeInclusive;

/// How much of the samples the style analyzer reads, in characters: about three chapters.
const SAMPLE_CHARS: usize = 9_000;
/// Fewer Han characters than this say nothing about a writer.
const LEAST_HAN: usize = 300;
const USUAL_CHAPTERS: u32 = 3;

/// Prose from which a style is to be learnt.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Samples {
    pub texts: Vec<String>,
    pub source: StyleSource,
    /// The named author, or the chapters.
    pub name: Option<String>,
}

impl Samples {
    /// Samples of the author's own, or of the one who is imitated.
    pub fn given(texts: Vec<String>, reference_author: Option<&str>) -> Self {
        let source = if reference_author.is_some() { StyleSource::Reference } else { StyleSource::Original };
        Self { texts, source, name: reference_author.map(str::to_owned) }
    }

    /// Accepted chapters; the last three by default. `source` says whose they are: the author's own, or drawn from the
    /// book. Reads only.
    pub fn of_chapters(
        book: &Book,
        range: Option<RangeInclusive<ChapterNo>>,
        source: StyleSource,
    ) -> Result<Self, RunError> {
        let view = BookView::new(book.snapshot()?);
        let last =
            ChapterNo::new(view.checkpoint()?.last_completed).ok_or(RunError::NoSuchChapter(ChapterNo::FIRST))?;
        let usual =
            || (ChapterNo::new((last.get() + 1).saturating_sub(USUAL_CHAPTERS)).unwrap_or(ChapterNo::FIRST), last);
        let is_named = range.is_some();
        let (first, last) = range.map_or_else(usual, RangeInclusive::into_inner);
        let numbers = (first.get()..=last.get()).filter_map(ChapterNo::new);
        // A chapter that has been taken out is missing only where the author has named it.
        let contents = view.contents()?;
        let numbers = numbers.filter(|number| is_named || contents.has(*number));
        let texts = numbers.map(|number| Ok(view.chapter(number)?.body)).collect::<Result<Vec<String>, RunError>>()?;
        let name = if first == last { first.to_string() } else { format!("{first}..{last}") };
        Ok(Self { texts, source, name: Some(name) })
    }

    /// The request as drafts record it: the same samples for the same purpose are the same request.
    fn request(&self) -> String {
        let texts: Vec<(&str, &str)> = self.texts.iter().map(|text| ("sample", text.as_str())).collect();
        format!("{} {}\n{}", self.source, self.name.as_deref().unwrap_or_default(), hash_of(&texts))
    }

    fn subject(&self) -> Subject {
        let name = self.name.clone().unwrap_or_default();
        Subject::Style(match self.source {
            StyleSource::Reference => StyleSubject::After(name),
            StyleSource::Extracted => StyleSubject::Drawn(name),
            StyleSource::Original => StyleSubject::Own(name),
            StyleSource::Preset | StyleSource::Deferred => StyleSubject::Preset(name),
        })
    }
}

/// The input of the style analyzer: the samples cut to size, and the figures measured on all of them.
pub(crate) struct Lesson<'s> {
    samples: &'s Samples,
    shown: Vec<String>,
    figures: Vec<String>,
    measured: StyleProfile,
}

impl<'s> Lesson<'s> {
    pub(crate) fn of(samples: &'s Samples) -> Result<Self, RunError> {
        let texts: Vec<&str> = samples.texts.iter().map(String::as_str).collect();
        let fingerprint = Fingerprint::measure(&texts);
        if fingerprint.han < LEAST_HAN {
            return Err(RunError::TooLittleProse { han: fingerprint.han, least: LEAST_HAN });
        }
        let measured = measured(&fingerprint, samples);
        let dialogue = [("dialogue_ratio".to_owned(), measured.dialogue_ratio)];
        let figures = measured.measured.clone().into_iter().chain(dialogue);
        let figures = figures.map(|(name, value)| format!("{name}: {value}")).collect();
        Ok(Self { samples, shown: clip(&samples.texts), figures, measured })
    }

    pub(crate) fn task(&self) -> Task<'_> {
        let Samples { source, name, .. } = self.samples;
        Task::AnalyzeStyle { samples: &self.shown, measured: &self.figures, source: *source, name: name.as_deref() }
    }

    /// The figures with what the analyzer has read out of the samples.
    pub(crate) fn with(&self, reading: StyleReading) -> StyleProfile {
        StyleProfile {
            rhetoric_preferences: reading.rhetoric_preferences,
            forbidden_words: reading.forbidden_words,
            character_speech_patterns: reading.character_speech_patterns,
            writing_directives: agreeing(reading.writing_directives, &self.measured),
            ..self.measured.clone()
        }
    }
}

/// The samples, each cut to its share of what the analyzer reads. A longer one is read at its beginning, its middle and its
/// end: openings of books and of chapters are written unlike the rest.
fn clip(samples: &[String]) -> Vec<String> {
    let share = SAMPLE_CHARS / samples.len().max(1);
    samples.iter().map(|sample| text::extracts(sample, share).join("\n（略）\n")).collect()
}

/// A profile of what was measured, without directives.
fn measured(fingerprint: &Fingerprint, samples: &Samples) -> StyleProfile {
    StyleProfile {
        source: samples.source,
        source_name: samples.name.clone(),
        ..with_figures(StyleProfile::unmeasured(), fingerprint)
    }
}

/// The profile of a style that was drawn from the book, with the figures of so many more chapters in the place of the first
/// ones; `None` for a style from elsewhere, and where the author has set another figure than was measured.
pub(crate) fn remeasured(profile: &StyleProfile, texts: &[&str]) -> Option<StyleProfile> {
    let is_own = profile.measured.get(SENTENCE_LENGTH) == Some(&profile.avg_sentence_length);
    let fingerprint = Fingerprint::measure(texts);
    let is_due = profile.source == StyleSource::Extracted && is_own && fingerprint.han >= LEAST_HAN;
    is_due.then(|| with_figures(profile.clone(), &fingerprint))
}

/// The name of the mean sentence length among the measured figures.
const SENTENCE_LENGTH: &str = "sentence_length_han";

/// The profile with the figures of a fingerprint, the most important ones with their spread between samples.
fn with_figures(profile: StyleProfile, fingerprint: &Fingerprint) -> StyleProfile {
    let round = |value: f64| (value * 100.0).round() / 100.0;
    let figures = [
        (SENTENCE_LENGTH, fingerprint.sentence_length.value),
        ("sentence_length_spread", fingerprint.sentence_length.between),
        ("dialogue_ratio_spread", fingerprint.dialogue_ratio.between),
        ("paragraph_length_han", fingerprint.paragraph_length.value),
        ("short_sentence_share", fingerprint.short_sentences.value),
        ("commas_per_sentence", fingerprint.commas.value),
        ("modal_particles_per_thousand", fingerprint.modal_particles.value),
        ("connectives_per_thousand", fingerprint.connectives.value),
        ("first_person_per_thousand", fingerprint.first_person.value),
    ];
    StyleProfile {
        avg_sentence_length: round(fingerprint.sentence_length.value),
        dialogue_ratio: round(fingerprint.dialogue_ratio.value),
        measured: figures.into_iter().map(|(name, value)| (name.to_owned(), round(value))).collect(),
        ..profile
    }
}

pub(crate) fn preset(name: &str) -> Result<StyleProfile, RunError> {
    let text = preset_text(name)?;
    format::style::read_profile(text.as_bytes()).map_err(RunError::of_file(&format!("styles/{name}.json")))
}

/// The style that claims nothing. Its directives hold for any book.
pub(crate) fn neutral() -> Result<StyleProfile, RunError> {
    format::style::read_profile(template::NEUTRAL.as_bytes()).map_err(RunError::of_file("styles/neutral.json"))
}

pub(crate) fn preset_text(name: &str) -> Result<&'static str, RunError> {
    let preset = template::preset(name).ok_or_else(|| RunError::NoSuchStyle { name: name.to_owned() })?;
    Ok(preset.text)
}

/// The style as the author has it now, also when it is in no commit yet; `None` where there is no profile. Reads only.
pub fn style_now(book: &Book) -> Result<Option<StyleProfile>, RunError> {
    let path = layout::STYLE_PROFILE;
    let bytes = match book.on_disk(path)? {
        Some(bytes) => Some(bytes),
        None => book.snapshot()?.read(path)?,
    };
    bytes.map(|bytes| format::style::read_profile(&bytes)).transpose().map_err(RunError::of_file(path))
}

/// Measures the samples, lets the style analyzer draw directives from them, and makes that the book's style.
/// Fails with [`RunError::TooLittleProse`]; otherwise as for [`build_world`](crate::pipeline::planning::world::build_world).
pub async fn learn_style(run: &Run<'_>, samples: &Samples) -> Result<Done, RunError> {
    let lesson = Lesson::of(samples)?;
    let (stage, request) = (PlanStage::Style, samples.request());
    let taken = step::take_step(
        run,
        Work::Step(Step::Style),
        &request,
        |_| Ok(()),
        async |draft| {
            if !draft.has(stage)? {
                let view = BookView::new(draft.snapshot()?);
                let result = |reading| drawn_style(&view, &lesson, reading);
                draft.ask(stage, &lesson.task(), style_analyzer::read, result).await?;
            }
            closing_of(draft, Kind::Config, Step::Style, samples.subject(), "")
        },
    );
    taken.await?.plain()
}

/// Makes a built-in style the book's.
pub fn use_style(run: &Run<'_>, name: &str) -> Result<Applied, RunError> {
    put_style(run, &preset(name)?, &format!("use {name}"), StyleSubject::Preset(name.to_owned()))
}

/// Puts the style off: the book has neutral directives until its first chapter is written, from which the style is drawn
/// then.
pub fn defer_style(run: &Run<'_>) -> Result<Applied, RunError> {
    let profile = StyleProfile { source: StyleSource::Deferred, source_name: None, ..neutral()? };
    put_style(run, &profile, "defer", StyleSubject::Deferred)
}

/// Draws a style that was put off from the chapters there are, once they are prose enough. A reader who finds no
/// directives in them stops nothing: there will be another chapter.
pub(crate) async fn learn_deferred_style(run: &Run<'_>) -> Result<(), RunError> {
    let book = run.session.book();
    let view = BookView::new(book.snapshot()?);
    let is_deferred = files::style_profile(&view)?.is_some_and(|profile| profile.source == StyleSource::Deferred);
    if !is_deferred || view.checkpoint()?.last_completed == 0 {
        return Ok(());
    }
    let samples = Samples::of_chapters(book, None, StyleSource::Extracted)?;
    match learn_style(run, &samples).await {
        Ok(done) => {
            run.tell(Event::StyleLearnt { commit: done.commit.to_string(), subject: done.subject });
            Ok(())
        }
        Err(RunError::TooLittleProse { .. }) => Ok(()),
        Err(RunError::Unusable { .. }) => {
            let warning = Warning::StyleNotLearnt;
            run.tell(Event::Warning { work: Work::Step(Step::Style), warning });
            Ok(())
        }
        Err(error) => Err(error),
    }
}

/// Makes the profile the book's style, without asking a model.
fn put_style(run: &Run<'_>, profile: &StyleProfile, request: &str, subject: StyleSubject) -> Result<Applied, RunError> {
    hand_edits::commit_local_changes(run)?;
    let view = BookView::new(run.session.book().snapshot()?);
    let change = profile_change(&view, profile)?;
    if change.removes.is_empty()
        && change.puts.get(layout::STYLE_PROFILE) == view.bytes(layout::STYLE_PROFILE)?.as_ref()
    {
        return Ok(Applied::Already);
    }
    let message = Message::new(Kind::Config, Subject::Style(subject));
    direct_commit::commit_step(run, (Step::Style, request), message, change, &view).map(Applied::Done)
}

/// The change to a style that was drawn from samples.
fn drawn_style(
    view: &BookView<'_>,
    lesson: &Lesson<'_>,
    reading: StyleReading,
) -> Result<(Change, StageNote), RunError> {
    let Samples { texts, source, .. } = lesson.samples;
    let words = StageNote::Directives(reading.writing_directives.len());
    let profile = lesson.with(reading);
    if *source != StyleSource::Original {
        return Ok((profile_change(view, &profile)?, words));
    }
    let profile = StyleProfile { own_phrases: own_phrases(&files::phrases(view)?, texts), ..profile };
    Ok((keep_samples(view, texts, profile_change(view, &profile)?), words))
}

/// Keeps the author's own samples in the book in the place of those that were kept before: the writer is shown excerpts of
/// them. Another author's texts are not the book's to keep.
fn keep_samples(view: &BookView<'_>, samples: &[String], mut change: Change) -> Change {
    let path = |number: usize| BookPath::Sample(format!("sample-{number:03}.md")).path();
    for old in (1..=SAMPLES).map(path) {
        if view.has(&old) {
            change = change.remove(&old);
        }
    }
    for (at, sample) in samples.iter().take(SAMPLES).enumerate() {
        let kept: String = sample.trim().chars().take(SAMPLE).collect();
        change = change.put(&path(at + 1), format!("{kept}\n"));
    }
    change
}

/// Uses of a phrase per 1,000 Han characters from which on it is the author's own.
const OWN_FROM: f64 = 0.1;

/// The phrases that the author's samples use often: those of the house list, and the author's longest habits. They are not
/// counted against the chapters.
fn own_phrases(list: &AiPhrases, samples: &[String]) -> Vec<String> {
    let texts: Vec<&str> = samples.iter().map(String::as_str).collect();
    let whole = samples.join("\n");
    let found = PhraseList::new(listed(list)).find(&whole);
    let is_often = |count: usize| count > 1 && per_thousand(count, found.han) >= OWN_FROM;
    let from_list = found.by_phrase().into_iter().filter(|(_, count)| is_often(*count));
    let mut own: Vec<String> = from_list.map(|(phrase, _)| phrase.to_owned()).collect();
    let habits = Fingerprint::measure(&texts).habits.into_iter().map(|habit| habit.phrase);
    own.extend(habits.filter(|phrase| phrase.chars().count() == LONGEST_HABIT));
    own.sort();
    own.dedup();
    own
}

/// Han characters of a fingerprint's longest habits. Shorter ones are words.
const LONGEST_HABIT: usize = 4;

/// The profile in the place of the present one. Corrections that were measured against the old one go with it.
fn profile_change(view: &BookView<'_>, profile: &StyleProfile) -> Result<Change, RunError> {
    let write = |was: Option<&[u8]>| format::write(profile, was);
    let change = view.put(Change::default(), layout::STYLE_PROFILE, write)?;
    Ok(if view.has(layout::STYLE_DRIFT) { change.remove(layout::STYLE_DRIFT) } else { change })
}

/// So many of the author's last commits are looked at.
const LOOKED_AT: usize = 400;

/// The phrases that the author's commits have taken out of chapters repeatedly and that the list does not have, the most
/// frequent first. Reads only.
pub fn removals_by_author(book: &Book) -> Result<Vec<PhraseRemoval>, RunError> {
    let log = store::history::log(book, &Log { limit: LOOKED_AT, ..Log::default() })?;
    let mut edits = Vec::new();
    for transaction in log.iter().filter(|transaction| transaction.kind == Kind::HandEdit) {
        let Some(parent) = transaction.parent else { continue };
        let (before, after) = (book.snapshot_of(parent)?, book.snapshot_of(transaction.id)?);
        for path in after.changed_in(&[layout::CHAPTERS], Some(&before))? {
            let Some(BookPath::Chapter(_, chapter)) = layout::classify(&path) else { continue };
            let (Some(old), Some(new)) = (before.read(&path)?, after.read(&path)?) else { continue };
            let body = |bytes: &[u8]| Chapter::from_markdown(chapter, &String::from_utf8_lossy(bytes), "").body;
            edits.push((body(&old), body(&new)));
        }
    }
    let view = BookView::new(book.snapshot()?);
    let (phrases, people) = (files::phrases(&view)?, files::characters(&view)?);
    // A name that the author has replaced is no habit of the writer's.
    let is_name = |phrase: &str| people.iter().flat_map(Character::names).any(|name| name.contains(phrase));
    let is_known = |removal: &PhraseRemoval| {
        let listed = phrases.phrases.iter().any(|phrase| removal.phrase.contains(&phrase.text));
        listed || phrases.allowed.contains(&removal.phrase) || is_name(&removal.phrase)
    };
    let mut found = text::repeated_removals(&edits);
    found.retain(|removal| !is_known(removal));
    Ok(found)
}

/// Adds the phrases of [`removals`] to the book's list, in one commit; `None` without any.
pub fn learn_removals(run: &Run<'_>) -> Result<Option<(Done, Vec<PhraseRemoval>)>, RunError> {
    hand_edits::commit_local_changes(run)?;
    let book = run.session.book();
    let found = removals_by_author(book)?;
    if found.is_empty() {
        return Ok(None);
    }
    let view = BookView::new(book.snapshot()?);
    let mut phrases = files::phrases(&view)?;
    let added = found.iter().map(|removal| AiPhrase { text: removal.phrase.clone(), category: EDITED_OUT.to_owned() });
    phrases.phrases.extend(added);
    let bytes = format::style::write_phrases(&phrases, view.bytes(layout::AI_PHRASES)?.as_deref());
    let body: String = found.iter().map(|removal| format!("- {} ({}x)\n", removal.phrase, removal.times)).collect();
    let subject = Subject::Style(StyleSubject::Phrases(found.len()));
    let (message, request) = (Message::new(Kind::Config, subject).body(body), "phrases of the author's edits");
    let change = Change::default().put(layout::AI_PHRASES, bytes);
    let done = direct_commit::commit_step(run, (Step::Style, request), message, change, &view)?;
    Ok(Some((done, found)))
}
