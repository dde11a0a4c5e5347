//! The quality brief: after every fifth chapter the book gets a file with the figures of the last five, counted from its own
//! files, and with it what follows for the style. One commit, no call of a model.
//!
//! Whether a brief is due follows from the tree alone: the newest whole block of five chapters has one or it has not. A run
//! that died after the chapter leaves it to the next run, and a rollback takes it along with its chapters. Blocks before the newest
//! one get none later, so a book of an older program begins where it stands.

mod drift;
mod figures;

use crate::domain::quality::{BLOCK, ChapterFigures, DriftFile, INVENTORY, OpenThread, QualityBrief, last_of_block};
use crate::domain::volume::inventory::{Standing, Thread};
use crate::domain::world::style::StyleProfile;
use crate::pipeline::book::foreshadowing;
use crate::pipeline::book::view::BookView;
use crate::pipeline::engine::commits::BookCommit;
use crate::pipeline::engine::event::{Event, Warning};
use crate::pipeline::engine::run::Run;
use crate::pipeline::planning::style::remeasured;
use crate::pipeline::prelude::*;
use crate::store::{Body, CommitError, QualitySubject, Remark, key};
use figures::Counted;

#[derive(Debug, Clone, PartialEq)]
pub struct Recorded {
    pub brief: QualityBrief,
    /// Its chapters that have another text now.
    pub changed: Vec<ChapterNo>,
}

/// The briefs of the book, the oldest first. One whose chapters have left the book is passed over. Reads only.
pub fn briefs(book: &Book) -> Result<Vec<Recorded>, RunError> {
    let view = BookView::new(book.snapshot()?);
    let mut found = Vec::new();
    let texts = view.chapter_texts()?;
    for last in texts.keys().filter(|chapter| chapter.get().is_multiple_of(BLOCK)) {
        let Some(brief) = view.quality_brief(*last)? else { continue };
        let is_changed =
            |figures: &&ChapterFigures| texts.get(&figures.chapter).is_none_or(|(_, text)| *text != figures.text);
        let changed = brief.chapters.iter().filter(is_changed).map(|figures| figures.chapter).collect();
        found.push(Recorded { brief, changed });
    }
    Ok(found)
}

/// The last chapter of the block whose brief is missing.
fn due(view: &BookView<'_>) -> Result<Option<ChapterNo>, RunError> {
    let contents = view.contents()?;
    let last = last_of_block(contents.last_number()).filter(|last| contents.has(*last));
    let Some(volume) = last.and_then(|last| contents.volume_of(last)) else { return Ok(None) };
    Ok(last.filter(|last| !view.has(&layout::quality_brief(volume, *last))))
}

impl Run<'_> {
    /// Writes the brief that is due, in one commit with the corrections of style and the phrases that join the house list.
    /// Does nothing where none is due.
    pub fn write_quality_brief(&self) -> Result<(), RunError> {
        let view = BookView::new(self.session.book().snapshot()?);
        let Some(last) = due(&view)? else { return Ok(()) };
        self.commit_local_changes_for(last)?;
        // The author's changes may concern the chapters, the corrections or the list.
        let view = BookView::new(self.session.book().snapshot()?);
        let Some(mut counted) = figures::count(&view, last)? else { return Ok(()) };
        if last.get().is_multiple_of(INVENTORY) {
            counted.brief.threads = open_threads(self.session.book())?;
        }
        let change = change(&view, last, &counted)?;
        let brief = counted.brief;
        let commit = BookCommit::new(self, last.into(), message(&brief), change, &view);
        match commit.make_unless_edited() {
            // Saved between the look and the lock: the next chapter finds it committed.
            Err(CommitError::AuthorEdited { .. }) => Ok(()),
            Err(error) => Err(error.into()),
            Ok(committed) => {
                self.tell_brief(brief, committed.id.to_string());
                Ok(())
            }
        }
    }

    fn tell_brief(&self, brief: QualityBrief, commit: String) {
        if brief.drift.file == DriftFile::Written {
            let warning = Warning::StyleDrifts { moved: brief.drift.moved.clone() };
            self.tell(Event::Warning { work: brief.last.into(), warning });
        }
        self.tell(Event::Quality { brief: Box::new(brief), commit });
    }
}

/// The open plot threads, the most urgent first.
fn open_threads(book: &Book) -> Result<Vec<OpenThread>, RunError> {
    let threads = foreshadowing::inventory(book)?.threads.into_iter();
    let open = threads.filter(|thread| !matches!(thread.standing, Standing::Planned | Standing::Resolved));
    let mut open: Vec<OpenThread> =
        open.map(|Thread { id, description, standing, .. }| OpenThread { id, description, standing }).collect();
    open.sort_by_key(|thread| thread.standing);
    Ok(open)
}

fn change(view: &BookView<'_>, last: ChapterNo, counted: &Counted) -> Result<Change, RunError> {
    let path = layout::quality_brief(view.volume_of(last)?, last);
    let mut change = Change::default().put(&path, format::quality::write(&counted.brief, None));
    if let Some(drift) = &counted.drift {
        change = view.put(change, layout::STYLE_DRIFT, |was| format::style::write_drift(drift, was))?;
    }
    if counted.brief.drift.file == DriftFile::Removed {
        change = change.remove(layout::STYLE_DRIFT);
    }
    if let Some(profile) = refreshed(view, last)? {
        change = view.put(change, layout::STYLE_PROFILE, |was| format::style::write_profile(&profile, was))?;
    }
    if let Some(phrases) = &counted.phrases {
        change = view.put(change, layout::AI_PHRASES, |was| format::style::write_phrases(phrases, was))?;
    }
    Ok(change)
}

/// A style that was drawn from the first chapters is measured again with these chapters …
const REFRESHED_AT: [u32; 2] = [10, 20];

/// The style profile with the figures of all chapters up to `last`, where it is time for that; its directives stay. Three
/// chapters tell little about a writer, and from twenty on the drift check has a baseline of its own.
fn refreshed(view: &BookView<'_>, last: ChapterNo) -> Result<Option<StyleProfile>, RunError> {
    if !REFRESHED_AT.contains(&last.get()) {
        return Ok(None);
    }
    let Some(profile) = view.style()? else { return Ok(None) };
    let numbers = view.contents()?.iter().map(|(number, _)| number).filter(|number| *number <= last);
    let texts = numbers.map(|number| Ok(view.chapter(number)?.body)).collect::<Result<Vec<String>, RunError>>()?;
    let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
    Ok(remeasured(&profile, &texts).filter(|measured| *measured != profile))
}

fn message(brief: &QualityBrief) -> Message {
    let (first, last) = (brief.first, brief.last);
    let mean = brief.mean().map(|mean| format!("{mean:.2}"));
    let helped = brief.chapters.iter().filter(|chapter| chapter.needed_help()).count();
    let told = match brief.drift.file {
        DriftFile::Written => Some(Remark::StyleMoved(brief.drift.corrections.clone())),
        DriftFile::Removed => Some(Remark::StyleBack),
        _ => None,
    };
    let listed = brief.listed.iter().map(|phrase| Remark::Listed(phrase.clone()));
    let message = Message::new(Kind::Quality, Subject::Quality(QualitySubject { first, last, mean, helped }))
        .body(Body::default().with(told).with(listed))
        .trailer(key::CHAPTERS, format!("{}..{}", first.get(), last.get()));
    match brief.drift.file {
        DriftFile::Absent => message,
        file => message.trailer(key::DRIFT, file),
    }
}
