//! How the people of the book speak, by the lines of the last chapters.

use super::view::BookView;
use crate::agents::ChapterContext;
use crate::agents::context::cast::cast;
use crate::agents::context::named::named;
use crate::domain::quality::LOOK_BACK;
use crate::domain::voice::VoiceNote;
use crate::pipeline::prelude::*;
use crate::text::{Lines, NameIndex, Named, Voice};

#[derive(Debug, Clone, PartialEq)]
pub struct PersonVoice {
    pub id: String,
    /// The name in the text.
    pub name: String,
    pub voice: Voice,
}

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
    let view = BookView::new(book.snapshot()?);
    let everybody: Vec<Character> = view.characters()?.into_iter().chain(view.retired_characters()?).collect();
    let next = view.checkpoint()?.next_chapter();
    let texts = view.texts_before(next, count)?;
    let lines = lines_in(&texts, &everybody);
    let of = |person: &Character| {
        let id = person.id.to_string();
        Some(PersonVoice { voice: lines.voice(&id)?, name: person.display_name.clone(), id })
    };
    let mut people: Vec<PersonVoice> = everybody.iter().filter_map(of).collect();
    people.sort_by_key(|person| (std::cmp::Reverse(person.voice.lines), person.id.clone()));
    let ids: Vec<&str> = people.iter().map(|person| person.id.as_str()).collect();
    let alike = lines.alike(&ids).into_iter().map(|(one, other)| (one.to_owned(), other.to_owned())).collect();
    let attributed = people.iter().map(|person| person.voice.lines).sum();
    let chapters = texts.first().zip(texts.last()).map(|((first, _), (last, _))| (*first, *last));
    Ok(Voices { chapters, lines: lines.all, attributed, people, alike })
}

/// The lines of the people in these texts.
fn lines_in(texts: &[(ChapterNo, String)], everybody: &[Character]) -> Lines {
    let named: Vec<Named> = everybody.iter().map(named).collect();
    let index = NameIndex::new(&named);
    let mut lines = Lines::default();
    texts.iter().for_each(|(_, text)| lines.add(text, &index));
    lines
}

impl BookView<'_> {
    /// Habits of speech of the people of a chapter that come too often in the chapters before it, and pairs of them who cannot be
    /// told apart.
    pub(super) fn voice_notes(&self, context: &ChapterContext) -> Result<Vec<VoiceNote>, RunError> {
        let everybody: Vec<Character> = context.characters.iter().cloned().chain(self.retired_characters()?).collect();
        Ok(notes_on(context, &lines_in(&self.texts_before(context.chapter, LOOK_BACK)?, &everybody)))
    }
}

/// Habits of speech of the people of a chapter that come too often in these `lines` of the chapters before it, the most frequent of
/// each person first, and pairs of them who cannot be told apart.
fn notes_on(context: &ChapterContext, lines: &Lines) -> Vec<VoiceNote> {
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
