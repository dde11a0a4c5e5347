//! Phrases that the author's own edits take out of chapters again and again, proposed for the book's list of worn-out
//! phrases.

use crate::domain::world::style::{AiPhrase, EDITED_OUT};
use crate::pipeline::book::view::BookView;
use crate::pipeline::engine::done::Done;
use crate::pipeline::engine::run::Run;
use crate::pipeline::prelude::*;
use crate::store::{Log, StyleSubject};
use crate::text::{self, Removal};

/// So many of the author's last commits are looked at.
const LOOKED_AT: usize = 400;

/// The phrases that the author's commits have taken out of chapters repeatedly and that the list does not have, the most
/// frequent first. Reads only.
pub fn removals(book: &Book) -> Result<Vec<Removal>, RunError> {
    let log = book.log(&Log { limit: LOOKED_AT, ..Log::default() })?;
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
    let (phrases, people) = (view.phrases()?, view.characters()?);
    // A name that the author has replaced is no habit of the writer's.
    let is_name = |phrase: &str| people.iter().flat_map(Character::names).any(|name| name.contains(phrase));
    let is_known = |removal: &Removal| {
        let listed = phrases.phrases.iter().any(|phrase| removal.phrase.contains(&phrase.text));
        listed || phrases.allowed.contains(&removal.phrase) || is_name(&removal.phrase)
    };
    let mut found = text::repeated_removals(&edits);
    found.retain(|removal| !is_known(removal));
    Ok(found)
}

impl Run<'_> {
    /// Adds the phrases of [`removals`] to the book's list, in one commit; `None` without any.
    pub fn learn_removals(&self) -> Result<Option<(Done, Vec<Removal>)>, RunError> {
        self.commit_local_changes()?;
        let book = self.session.book();
        let found = removals(book)?;
        if found.is_empty() {
            return Ok(None);
        }
        let view = BookView::new(book.snapshot()?);
        let mut phrases = view.phrases()?;
        let added =
            found.iter().map(|removal| AiPhrase { text: removal.phrase.clone(), category: EDITED_OUT.to_owned() });
        phrases.phrases.extend(added);
        let bytes = format::style::write_phrases(&phrases, view.bytes(layout::AI_PHRASES)?.as_deref());
        let body: String = found.iter().map(|removal| format!("- {} ({}x)\n", removal.phrase, removal.times)).collect();
        let subject = Subject::Style(StyleSubject::Phrases(found.len()));
        let (message, request) = (Message::new(Kind::Config, subject).body(body), "phrases of the author's edits");
        let change = Change::default().put(layout::AI_PHRASES, bytes);
        let done = self.step((Step::Style, request), message, change, &view)?;
        Ok(Some((done, found)))
    }
}
