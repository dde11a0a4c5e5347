//! Books of a newer program. Writing in such a book would mix in files of an older format, or lose the newer program's
//! data, so this program only reads it.

use super::view::BookView;
use crate::domain::quality::last_of_block;
use crate::pipeline::engine::error::RunError;
use crate::store::format::migrate;
use crate::store::{Book, Name, Snapshot, layout};
use std::collections::BTreeSet;

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
/// Fails with [`RunError::Format`], with the file and its version; or when the repository cannot be read.
pub fn refuse_newer(book: &Book) -> Result<(), RunError> {
    let snapshot = book.snapshot()?;
    let view = BookView::new(&snapshot);
    let mut examined = Examined::of(book);
    let mut refuse = |path: &str| examined.refuse(&snapshot, path);
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
    examined.keep(book);
    Ok(())
}

/// The name of the files that were examined, in the cache.
const NAME: &str = "examined";
/// So many files are examined at each command rather than noted again. Those of the last chapter are others each time.
const FEW: usize = 12;

/// Files that were found to be of no newer program. Most of them are the same for hundreds of chapters.
struct Examined {
    /// A line a file: its id and its path.
    before: BTreeSet<String>,
    now: BTreeSet<String>,
}

impl Examined {
    /// Those that the last commands have noted.
    fn of(book: &Book) -> Self {
        let noted = book.cached(NAME, &key()).ok().flatten().unwrap_or_default();
        let before = String::from_utf8_lossy(&noted).lines().map(str::to_owned).collect();
        Self { before, now: BTreeSet::new() }
    }

    fn refuse(&mut self, snapshot: &Snapshot<'_>, path: &str) -> Result<(), RunError> {
        let Some(id) = snapshot.content_id(path) else { return Ok(()) };
        let line = format!("{id} {path}");
        if !self.before.contains(&line)
            && let Some(source) = snapshot.read(path)?.and_then(|bytes| migrate::newer(path, &bytes))
        {
            return Err(RunError::Format { path: path.to_owned(), source });
        }
        self.now.insert(line);
        Ok(())
    }

    fn keep(&self, book: &Book) {
        if self.now.difference(&self.before).count() > FEW {
            book.keep_cached(
                NAME,
                &key(),
                self.now.iter().flat_map(|line| [line, "\n"]).collect::<String>().as_bytes(),
            );
        }
    }
}

/// Names the versions that this program knows.
fn key() -> String {
    format!("{} {}", env!("CARGO_PKG_VERSION"), migrate::VERSION)
}
