//! The text of something kept, for looking at.

use crate::pipeline::book::kept::{Kept, KeptThing};
use crate::pipeline::prelude::*;
use crate::store::{self, Log};

/// A chapter, the prose of a draft, files each under a heading when there are
/// several, the transactions of a line. Reads only.
pub fn text_of(book: &Book, kept: &Kept) -> Result<String, RunError> {
    let then = book.snapshot_of(kept.commit)?;
    let files: Vec<String> = match &kept.thing {
        KeptThing::Chapter(chapter) | KeptThing::Draft(Work::Chapter(chapter)) => {
            let texts = then.files(layout::CHAPTERS)?;
            let is_it =
                |path: &String| matches!(layout::classify(path), Some(BookPath::Chapter(_, of)) if of == *chapter);
            let texts: Vec<String> = texts.into_iter().filter(is_it).collect();
            if let (KeptThing::Chapter(chapter), []) = (&kept.thing, texts.as_slice()) {
                let planned = BookView::new(then).section_in_plans(*chapter)?;
                return Ok(planned.map(|(_, section)| section.source).unwrap_or_default());
            }
            texts
        }
        KeptThing::Files(paths) => paths.clone(),
        KeptThing::Draft(_) => draft_files(book, kept.commit)?,
        KeptThing::Line { transactions, .. } => {
            let log = store::history::log_from(book, kept.commit, &Log { limit: *transactions, ..Log::default() })?;
            return Ok(log.iter().map(|t| format!("{} {}\n", t.id.short(), t.subject)).collect());
        }
        KeptThing::Branch { .. } => {
            let tip = book.tip()?;
            let is_shared = |t: &Transaction| store::draft::reaches(book, tip.oid(), t.id.oid()).unwrap_or(true);
            let log = store::history::log_from(book, kept.commit, &Log::default())?;
            let own = log.iter().take_while(|t| !is_shared(t));
            return Ok(own.map(|t| format!("{} {}\n", t.id.short(), t.subject)).collect());
        }
    };
    let mut out = String::new();
    for path in &files {
        let Some(bytes) = then.read(path)? else { continue };
        if files.len() > 1 {
            out.push_str(&format!("==> {path}\n"));
        }
        out.push_str(&String::from_utf8_lossy(&bytes));
    }
    Ok(out)
}

/// The files that a draft of a plan has changed, apart from its calls.
fn draft_files(book: &Book, tip: CommitId) -> Result<Vec<String>, RunError> {
    let Some(base) = store::draft::begin_of(book, tip.oid())? else { return Ok(Vec::new()) };
    let changed = book.snapshot_of(tip)?.changed_since(&book.snapshot_of(base.into())?)?;
    Ok(changed.into_iter().filter(|path| layout::is_book_path(path)).collect())
}
