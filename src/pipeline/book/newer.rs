//! Books of a newer program. Writing in such a book would mix in files of an older format, or lose the newer program's
//! data, so this program only reads it.

use super::view::BookView;
use crate::domain::quality::last_of_block;
use crate::pipeline::engine::error::RunError;
use crate::store::format::migrate;
use crate::store::{Book, Name, layout};

/// Files of which a book has one each.
const FIXED: [&str; 12] = [
    layout::CONFIG,
    layout::CHECKPOINT,
    layout::STATE,
    layout::FORESHADOWING,
    layout::STORYLINES,
    layout::STORYLINE_RULES,
    layout::WORLD_RULES,
    layout::RELATIONSHIPS,
    layout::STYLE_PROFILE,
    layout::AI_PHRASES,
    layout::STYLE_DRIFT,
    layout::WAIVERS,
];

/// Refuses a book of a newer program, told by the newest file of each format: a program that changes a format brings all files
/// up, or writes the next one in it.
///
/// # Errors
/// [`RunError::Format`] with the file and its version; or when the repository cannot be read.
pub fn refuse_newer(book: &Book) -> Result<(), RunError> {
    let snapshot = book.snapshot()?;
    let view = BookView::new(&snapshot);
    let refuse = |path: &str| match snapshot.read(path)?.and_then(|bytes| migrate::newer(path, &bytes)) {
        Some(source) => Err(RunError::Format { path: path.to_owned(), source }),
        None => Ok(()),
    };
    FIXED.iter().try_for_each(|path| refuse(path))?;
    if let Some((chapter, volume)) = view.contents()?.iter().next_back() {
        let of_chapter =
            [layout::evaluation, layout::second_evaluation, layout::log, layout::delta, layout::chapter_memory];
        of_chapter.iter().try_for_each(|path| refuse(&path(volume, chapter)))?;
    }
    if let Some(last) = last_of_block(view.contents()?.last_number())
        && let Some(volume) = view.contents()?.volume_of(last)
    {
        refuse(&layout::quality_brief(volume, last))?;
    }
    // The volume that is planned last, and the one before it, which is the last that can have been reviewed.
    for volume in view.volumes()?.into_iter().rev().take(2) {
        let of_volume = [layout::schedule, layout::foreshadowing_plan, layout::judgement];
        of_volume.iter().try_for_each(|path| refuse(&path(volume)))?;
        let contracts = format!("{}/{volume}/chapter-contracts", layout::VOLUMES);
        let last = snapshot.list(&contracts)?.pop();
        last.map_or(Ok(()), |last| refuse(&format!("{contracts}/{}", last.name)))?;
    }
    // Planners' logs are numbered through the book: `vol-02-006.json`.
    let number = |name: &Name| name.name.trim_end_matches(".json").rsplit('-').next()?.parse::<u32>().ok();
    let last = snapshot.list(layout::PLAN_LOGS)?.into_iter().max_by_key(number);
    last.map_or(Ok(()), |last| refuse(&format!("{}/{}", layout::PLAN_LOGS, last.name)))?;
    for folder in [layout::ACTIVE_CHARACTERS, layout::RETIRED_CHARACTERS] {
        for name in snapshot.list(folder)?.into_iter().filter(|name| !name.is_dir) {
            refuse(&format!("{folder}/{}", name.name))?;
        }
    }
    Ok(())
}
