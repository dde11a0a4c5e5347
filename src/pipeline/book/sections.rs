//! Sections of outlines that follow each other, in the order in which the author has put them.

use crate::domain::renumbering::Renumbering;
use crate::pipeline::book::view::BookView;
use crate::pipeline::prelude::*;
use crate::store::format::renumber::section_headed;

/// Outlines whose chapters follow each other.
#[derive(Default)]
pub(super) struct Sections {
    /// The sections before the author's edits, titles as bodies.
    pub(super) before: Vec<(VolumeNo, Chapter)>,
    /// The sections in the folder, with the numbers that follow from their order.
    pub(super) now: Vec<(VolumeNo, Chapter)>,
    /// The least number of these as it is written.
    pub(super) least: Option<ChapterNo>,
    pub(super) outlines: Change,
}

impl Sections {
    /// Outlines with mistakes other than in numbers are left out.
    pub(super) fn of(book: &Book, base: &BookView<'_>) -> Result<Vec<Self>, RunError> {
        let mut runs: Vec<Self> = Vec::new();
        for volume in base.volumes()? {
            let path = layout::outline(volume);
            let before = base.outline(volume).ok().flatten().unwrap_or_default();
            let text = book.on_disk(&path)?.and_then(|bytes| String::from_utf8(bytes).ok()).unwrap_or_default();
            let (Some((first, _)), Some(now)) = (before.range(), Outline::in_any_order(&text)) else { continue };
            if runs.last().and_then(|run| run.before.last()).is_none_or(|(_, last)| last.number.next() != first) {
                runs.push(Self::default());
            }
            let Some(run) = runs.last_mut() else { continue };
            let titled = |number, title: &str| Chapter { number, title: String::new(), body: title.to_owned() };
            run.before.extend(before.sections.iter().map(|section| (volume, titled(section.chapter, &section.title))));
            let next = run.now.last().map_or(first, |(_, last)| last.number.next());
            for (section, is) in now.sections.iter().zip((next.get()..).filter_map(ChapterNo::new)) {
                run.least = run.least.min(Some(section.chapter)).or(Some(section.chapter));
                run.now.push((volume, titled(is, &section.title)));
            }
            run.outlines = std::mem::take(&mut run.outlines).put(&path, numbered(&text, &now, next));
        }
        Ok(runs)
    }
}

/// The text of the outline with numbers from `first` on, in the order of its sections.
fn numbered(text: &str, outline: &Outline, first: ChapterNo) -> String {
    let mut lines: Vec<String> = text.split_inclusive('\n').map(str::to_owned).collect();
    for (section, is) in outline.sections.iter().zip((first.get()..).filter_map(ChapterNo::new)) {
        let line = &mut lines[section.line - 1];
        if section.chapter != is {
            *line = section_headed(line, (section.chapter, is), &section.title);
        }
    }
    lines.concat()
}

/// True for an outline that differs from `wanted` in the numbers of its sections alone.
pub(crate) fn differs_in_numbers(outline: &[u8], wanted: &[u8]) -> bool {
    let [text, wanted] = [outline, wanted].map(String::from_utf8_lossy);
    let first = Outline::form(&wanted).ok().and_then(|(outline, _)| outline.range());
    let now = Outline::in_any_order(&text);
    first.zip(now).is_some_and(|((first, _), now)| numbered(&text, &now, first) == wanted)
}

/// The sections after the operation, where a chapter that has moved takes the number of another.
pub(super) fn moved(sections: &[Chapter], how: Renumbering) -> Vec<Chapter> {
    let mut moved: Vec<Chapter> = sections.to_vec();
    moved.iter_mut().for_each(|section| section.number = how.of(section.number).unwrap_or(section.number));
    moved.sort_by_key(|section| section.number);
    moved
}
