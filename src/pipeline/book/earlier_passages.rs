//! The passages that a chapter's plan recalls: of earlier chapters, of the world's pages and of the author's notes.

use super::chapter_context::{Repeating, Wearing};
use super::minor_cast::MinorCast;
use super::search::{Ranked, ranked, searched_folders, tend_index};
use super::view::{BookView, ReadTexts};
use super::voices::{Speech, voice_notes};
use crate::agents::context::chapter::{ChapterContext, EarlierPassage, MinorPerson, Overused, PagePassage};
use crate::agents::context::{known_lines, may_know};
use crate::domain::chapter::Chapter;
use crate::domain::quality::Worn;
use crate::domain::state::State;
use crate::domain::volume::outline::Field;
use crate::domain::{ChapterNo, Slug};
use crate::pipeline::engine::aside::{Aside, Made};
use crate::pipeline::engine::error::RunError;
use crate::store::{Book, layout};
use crate::text::{Excerpt, Lines, Query, excerpts};

/// The most passages of chapters, and the most of pages.
pub(crate) const MOST: usize = 3;
/// The most characters of a passage, without the dots where a sentence is cut.
pub(crate) const LENGTH: usize = 148;
/// The last chapters have summaries of their own in the prompt.
pub(crate) const NEAR: u32 = 3;
/// So many of the best chapters are read.
const READ: usize = 24;
/// A passage with fewer of the plan's terms only shares a name with it.
const LEAST: usize = 4;
/// A sample of the author's own is kept and read so far, in characters, …
pub(crate) const SAMPLE: usize = 20_000;
/// … and so many samples are.
pub(crate) const SAMPLES: usize = 8;

impl BookView<'_, '_> {
    /// The context of a chapter that is to be written: [`chapter_context`](Self::chapter_context) with the listed phrases that
    /// the last chapters use too often, with the patterns that they have worn out, with what its people say too often, with the
    /// passages of the world's pages, of notes and of chapters before the last three that its plan recalls, with the minor cast of
    /// the last ones, and with excerpts of the author's samples. Passages of chapters and people are of its own storyline or of one
    /// that it may know by the schedule. A book that cannot be searched has none, which keeps no chapter from being written.
    pub(crate) fn writer_context(
        &self,
        book: &Book,
        chapter: ChapterNo,
        foreseen: Option<&Foreseen>,
    ) -> Result<ChapterContext, RunError> {
        let context = self.chapter_context(chapter)?;
        let Texts { cast, wearing, repeating, speech, recall } = Texts::of(self, &context, &context.state)?;
        let made = foreseen.and_then(|foreseen| foreseen.cast.as_ref());
        let cast = cast.map(|cast| Aside::begin_unless_made(made, cast, MinorCast::people));
        let worn = Aside::begin_unless_made(foreseen.map(|foreseen| &foreseen.worn), wearing, Wearing::worn);
        let samples = self.sample_excerpts()?;
        let made = foreseen.map(|foreseen| &foreseen.overused);
        let overused = Made::result_or(made, &repeating, Repeating::overused);
        let lines = Made::result_or(foreseen.map(|foreseen| &foreseen.lines), &speech, Speech::lines);
        let voices = voice_notes(&context, &lines);
        let (passages, pages) = recall
            .and_then(|recall| {
                let made = foreseen.and_then(|foreseen| foreseen.recalled.as_ref()?.result_of(&recall));
                made.or_else(|| recall.passages(book, self).ok())
            })
            .unwrap_or_default();
        let (minor_cast, worn) = (cast.map(Aside::end).unwrap_or_default(), worn.end());
        Ok(ChapterContext { passages, pages, samples, minor_cast, overused, worn, voices, ..context })
    }

    /// Excerpts of the first samples in the book's folder.
    fn sample_excerpts(&self) -> Result<Vec<Excerpt>, RunError> {
        let mut found = Vec::new();
        let files = self.snapshot.files(layout::SAMPLES)?;
        for path in files.into_iter().filter(|path| path.ends_with(".md")).take(SAMPLES) {
            let text: String = self.text(&path)?.unwrap_or_default().chars().take(SAMPLE).collect();
            found.extend(excerpts(&text));
        }
        Ok(found)
    }
}

/// The texts that a writer's context is drawn from, and everything else that decides what is found in them.
struct Texts {
    cast: Option<MinorCast>,
    wearing: Wearing,
    repeating: Repeating,
    speech: Speech,
    recall: Option<Recall>,
}

impl Texts {
    fn of(view: &BookView<'_, '_>, context: &ChapterContext, state: &State) -> Result<Self, RunError> {
        Ok(Self {
            cast: view.minor_cast(context.chapter, &|line| may_know(context, line), state).ok(),
            wearing: view.wearing(context.chapter, &context.style.own_phrases, state)?,
            repeating: view.repeating(context.chapter, &context.phrases)?,
            speech: view.speech(context)?,
            recall: Recall::of(view, context).ok(),
        })
    }
}

/// Everything in the context of a writer that takes long and follows from texts: worked out before the last of them is accepted,
/// each part holds where it is of the same afterwards.
pub(crate) struct Foreseen {
    cast: Option<Made<MinorCast, Vec<MinorPerson>>>,
    worn: Made<Wearing, Vec<Worn>>,
    overused: Made<Repeating, Vec<Overused>>,
    lines: Made<Speech, Lines>,
    recalled: Option<Made<Recall, Passages>>,
    /// The texts, so that they need not be unpacked again.
    texts: ReadTexts,
}

impl Foreseen {
    /// That of `chapter` by a view of the draft before it, with the state as the draft will leave it. Brings the search index up
    /// before, where the next search would.
    pub(super) fn of(
        book: &Book,
        view: &BookView<'_, '_>,
        chapter: ChapterNo,
        state: &State,
    ) -> Result<Self, RunError> {
        let Texts { cast, wearing, repeating, speech, recall } =
            Texts::of(view, &view.chapter_context(chapter)?, state)?;
        // Without it the search takes longer, and that is all.
        let _ = tend_index(book);
        let passages = |recall: Recall| {
            let found = recall.passages(book, view).ok()?;
            Some(Made::of(recall, |_| found))
        };
        Ok(Self {
            cast: cast.map(|cast| Made::of(cast, MinorCast::people)),
            worn: Made::of(wearing, Wearing::worn),
            overused: Made::of(repeating, Repeating::overused),
            lines: Made::of(speech, Speech::lines),
            recalled: recall.and_then(passages),
            texts: view.read_texts()?,
        })
    }

    /// The texts that were read for it.
    pub(super) fn texts(&self) -> &ReadTexts {
        &self.texts
    }
}

/// Passages of earlier chapters in the order of the book, and those of pages, the most fitting first.
type Passages = (Vec<EarlierPassage>, Vec<PagePassage>);

/// Everything that decides which passages the plan of a chapter calls up.
#[derive(PartialEq)]
struct Recall {
    chapter: ChapterNo,
    plan: String,
    /// The lines whose chapters it may know.
    lines: Vec<Slug>,
    /// The folders that are searched, as they are.
    folders: Vec<String>,
}

impl Recall {
    fn of(view: &BookView<'_, '_>, context: &ChapterContext) -> Result<Self, RunError> {
        let section = &context.section;
        let plan = [section.title.as_str(), section.field(Field::Conflict), section.field(Field::Location)].join(" ");
        let lines = known_lines(context).into_iter().cloned().collect();
        Ok(Self { chapter: context.chapter, plan, lines, folders: searched_folders(view)? })
    }

    fn passages(&self, book: &Book, view: &BookView<'_, '_>) -> Result<Passages, RunError> {
        let Some(query) = Query::parse(&self.plan) else { return Ok(Default::default()) };
        let ranked = ranked(book, view, &query, (&|_| true, READ))?;
        Ok((self.of_chapters(book, view, (&query, &ranked))?, of_pages(book, &query, &ranked)?))
    }

    fn of_chapters(
        &self,
        book: &Book,
        view: &BookView<'_, '_>,
        (query, ranked): (&Query, &Ranked),
    ) -> Result<Vec<EarlierPassage>, RunError> {
        let is_far = |chapter: &ChapterNo| chapter.get() + NEAR < self.chapter.get();
        let far =
            ranked.files.iter().filter_map(|(source, _)| Some((source, source.chapter_of_text().filter(is_far)?)));
        let mut passages = Vec::new();
        for (source, chapter) in far.take(READ) {
            if passages.len() == MOST {
                break;
            }
            let Some(page) = view.summary(view.volume_of(chapter)?, chapter)? else { continue };
            if !self.lines.contains(&page.storyline) {
                continue;
            }
            let prose = Chapter::from_markdown(chapter, &source.text(book)?, "").body;
            let passage = query.passage(&prose, LENGTH).filter(|passage| passage.score >= LEAST);
            passages.extend(passage.map(|passage| EarlierPassage {
                chapter,
                storyline: page.storyline,
                text: passage.text,
            }));
        }
        passages.sort_by_key(|passage| passage.chapter);
        Ok(passages)
    }
}

fn of_pages(book: &Book, query: &Query, ranked: &Ranked) -> Result<Vec<PagePassage>, RunError> {
    let mut pages = Vec::new();
    for source in ranked.files.iter().map(|(source, _)| source).filter(|source| source.is_page()).take(READ) {
        if pages.len() == MOST {
            break;
        }
        let passage = query.passage(&source.text(book)?, LENGTH).filter(|passage| passage.score >= LEAST);
        pages.extend(passage.map(|passage| PagePassage { path: source.path().to_owned(), text: passage.text }));
    }
    Ok(pages)
}
