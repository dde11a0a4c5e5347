//! How the people of the book speak, by the lines of the last chapters.

use super::view::BookView;
use crate::agents::ChapterContext;
use crate::agents::context::cast::cast;
use crate::agents::context::named::named;
use crate::domain::quality::LOOK_BACK;
use crate::domain::voice::VoiceNote;
use crate::domain::world::character::Character;
use crate::domain::{ChapterNo, Slug};
use crate::pipeline::engine::error::RunError;
use crate::store::Book;
use crate::text::{Lines, NameIndex, Named, Voice};
use std::sync::Arc;

#[derive(Debug, Clone, PartialEq)]
pub struct PersonVoice {
    pub id: String,
    /// The name in the text.
    pub name: String,
    pub voice: Voice,
}

/// The voices of the book.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Voices {
    /// First and last chapter that were read; `None` without any.
    pub chapters: Option<(ChapterNo, ChapterNo)>,
    /// All lines of these chapters.
    pub lines: usize,
    /// The lines whose speaker is known.
    pub attributed: usize,
    /// The people, those with the most lines first.
    pub people: Vec<PersonVoice>,
    /// The ids of two people who cannot be told apart with the names covered.
    pub alike: Vec<(String, String)>,
}

/// The voices of the last `count` chapters. Reads only.
pub fn voices(book: &Book, count: u32) -> Result<Voices, RunError> {
    let snapshot = book.snapshot()?;
    let view = BookView::new(&snapshot);
    let everybody: Vec<Character> = view.characters()?.into_iter().chain(view.retired_characters()?).collect();
    let next = view.checkpoint()?.next_chapter();
    let speech = view.speech_before(next, count, &everybody)?;
    let lines = speech.lines();
    let of = |person: &Character| {
        let id = person.id.to_string();
        Some(PersonVoice { voice: lines.voice(&id)?, name: person.display_name.clone(), id })
    };
    let mut people: Vec<PersonVoice> = everybody.iter().filter_map(of).collect();
    people.sort_by_key(|person| (std::cmp::Reverse(person.voice.lines), person.id.clone()));
    let ids: Vec<&str> = people.iter().map(|person| person.id.as_str()).collect();
    let alike = lines.alike(&ids).into_iter().map(|(one, other)| (one.to_owned(), other.to_owned())).collect();
    let attributed = people.iter().map(|person| person.voice.lines).sum();
    let chapters = speech.texts.first().zip(speech.texts.last()).map(|((first, _), (last, _))| (*first, *last));
    Ok(Voices { chapters, lines: lines.all, attributed, people, alike })
}

impl BookView<'_, '_> {
    /// The texts of so many chapters before `chapter`, in which these people speak.
    fn speech_before(&self, chapter: ChapterNo, count: u32, everybody: &[Character]) -> Result<Speech, RunError> {
        Ok(Speech { texts: self.texts_before(chapter, count)?, named: everybody.iter().map(named).collect() })
    }

    /// The texts before a chapter by which it is told how its people speak.
    pub(super) fn speech(&self, context: &ChapterContext) -> Result<Speech, RunError> {
        let everybody: Vec<Character> = context.characters.iter().cloned().chain(self.retired_characters()?).collect();
        self.speech_before(context.chapter, LOOK_BACK, &everybody)
    }
}

/// The texts of some chapters, and the people who speak in them.
#[derive(PartialEq)]
pub(super) struct Speech {
    texts: Vec<(ChapterNo, Arc<str>)>,
    named: Vec<Named>,
}

impl Speech {
    /// The lines of the people.
    pub(super) fn lines(&self) -> Lines {
        let index = NameIndex::new(&self.named);
        let mut lines = Lines::default();
        self.texts.iter().for_each(|(_, text)| lines.add(text, &index));
        lines
    }
}

/// Habits of speech of the people of a chapter that come too often in these `lines` of the chapters before it, the most frequent of
/// each person first, and pairs of them who cannot be told apart.
pub(super) fn voice_notes(context: &ChapterContext, lines: &Lines) -> Vec<VoiceNote> {
    let here: Vec<Slug> = cast(context, "").everyone().into_iter().map(|person| person.id.clone()).collect();
    let mut notes = Vec::new();
    for person in &here {
        let Some(voice) = lines.voice(person.as_str()) else { continue };
        notes.extend(voice.tics.iter().map(|tic| VoiceNote::Tic {
            person: person.clone(),
            words: tic.words.clone(),
            kind: tic.kind,
            times: tic.times,
            lines: voice.lines,
        }));
    }
    let ids: Vec<&str> = here.iter().map(Slug::as_str).collect();
    let slug = |id: &str| here.iter().find(|person| person.as_str() == id).cloned();
    let alike = lines.alike(&ids).into_iter().filter_map(|(one, other)| Some((slug(one)?, slug(other)?)));
    notes.extend(alike.map(|people| VoiceNote::Alike { people }));
    notes
}
