//! The choice of headings over the whole of the files: candidates of one form whose numbers run on.

use crate::manuscript::read::epub::BELOW;
use crate::manuscript::read::heading::{CHAPTERS, HeadingForm, HeadingMatch, VOLUMES, candidate, titled};
use crate::manuscript::read::markdown::stem;
use crate::manuscript::read::{Block, Options, count, count_in};
use crate::manuscript::{DoubtKind, Manuscript, SourceDoubt};
use std::collections::{BTreeMap, BTreeSet};

/// The beginning of a chapter or of a volume.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct PartStart {
    /// The block where it begins.
    pub(super) at: usize,
    /// False where the part begins without a heading.
    pub(super) is_line: bool,
    pub(super) found: HeadingMatch,
}

/// Text before the first heading is a chapter from this length on, in characters, and the front matter of the file below it.
pub(super) const FRONT: usize = 500;
/// Chapters longer than this have others in them, where smaller units have numbers too.
const LONG: usize = 15_000;
/// A file that begins in the middle of the novel has its first heading within so many lines.
const FIRST_LINES: usize = 10;

pub(super) fn marks(blocks: &mut [Block], options: &Options, into: &mut Manuscript) -> Vec<PartStart> {
    let mut marks = match &options.split {
        Some(split) => given(blocks, split),
        None => {
            let (by_level, inner) = by_level(blocks, into);
            let has_chapters = by_level.iter().filter(|mark| !mark.found.is_volume).count() > 1;
            let mut told = Vec::new();
            // Numbers alone are parts of a chapter that its heading names.
            let is_whole = by_level.iter().any(|mark| is_chapter(&mark.found));
            let count = |marks: &[PartStart]| marks.iter().filter(|mark| !is_whole || is_chapter(&mark.found)).count();
            match has_chapters.then(Vec::new).unwrap_or_else(|| by_line(blocks, &mut told)) {
                by_line if count(&by_line) > count(&by_level) => {
                    into.doubts.append(&mut told);
                    by_line
                }
                _ => {
                    // Headings before the first chapter, such as the title of the book, are within none.
                    let first = by_level.first().map_or(0, |mark| mark.at);
                    let inner: Vec<_> = inner.into_iter().filter(|(at, _)| *at > first).collect();
                    subheadings(blocks, &inner, into);
                    let plain = lines_of_plain_files(blocks, &by_level, into);
                    by_level.into_iter().chain(plain).collect()
                }
            }
        }
    };
    marks.extend(files_without_heading(blocks, &marks, into));
    let mut all = folders(blocks, &marks, into);
    all.append(&mut marks);
    all.sort_by_key(|mark| mark.at);
    all
}

fn folders(blocks: &[Block], marks: &[PartStart], into: &Manuscript) -> Vec<PartStart> {
    let folder = |at: usize| into.sources[blocks[at].place.source].name.rsplit(['/', '\\']).nth(1);
    let is_volume = |at: usize| marks.iter().any(|mark| mark.at == at && mark.found.is_volume);
    let begins = |at: &usize| *at == 0 || folder(*at - 1) != folder(*at);
    let of_folder = |at| {
        let found = candidate(folder(at)?).filter(|found| found.is_volume && !found.is_weak && !is_volume(at))?;
        Some(PartStart { at, is_line: false, found })
    };
    (0..blocks.len()).filter(|_| into.sources.len() > 1).filter(begins).filter_map(of_folder).collect()
}

fn lines_of_plain_files(blocks: &[Block], by_level: &[PartStart], into: &mut Manuscript) -> Vec<PartStart> {
    let with: BTreeSet<usize> = blocks.iter().filter(|block| block.level.is_some()).map(|of| of.place.source).collect();
    if by_level.is_empty() || with.len() == into.sources.len() {
        return Vec::new();
    }
    let places: Vec<usize> = (0..blocks.len()).filter(|at| !with.contains(&blocks[*at].place.source)).collect();
    let plain: Vec<Block> = places.iter().map(|at| blocks[*at].clone()).collect();
    let found = by_line(&plain, &mut into.doubts);
    found.into_iter().map(|mark| PartStart { at: places[mark.at], ..mark }).collect()
}

fn given(blocks: &[Block], split: &regex::Regex) -> Vec<PartStart> {
    let found = blocks.iter().enumerate().filter(|(_, block)| split.is_match(&block.text));
    let mark = |(at, block): (usize, &Block)| PartStart { at, is_line: true, found: titled(&block.text) };
    found.map(mark).collect()
}

/// Headings that the format of the file names, and those within chapters, each with its depth below the book's title.
fn by_level(blocks: &[Block], into: &mut Manuscript) -> (Vec<PartStart>, Vec<(usize, usize)>) {
    let headings: Vec<(usize, u8, HeadingMatch)> =
        blocks.iter().enumerate().filter_map(|(at, block)| Some((at, block.level?, titled(&block.text)))).collect();
    let Some(chapters) = level_of_chapters(&headings, blocks) else { return (Vec::new(), Vec::new()) };
    let is_lone = |level: u8| {
        headings.iter().filter(|(_, of, found)| *of == level && found.form != HeadingForm::Name).count() == 1
    };
    let at_level = |number| headings.iter().any(|(_, level, of)| *level == chapters && of.number == Some(number));
    let (mut marks, mut inner): (Vec<PartStart>, Vec<_>) = (Vec::new(), Vec::new());
    for (at, level, found) in headings.iter().cloned() {
        let is_named = found.form == HeadingForm::Name;
        // A chapter whose heading has one mark too many is the next by its number.
        let goes_on = || {
            let last = &marks.iter().rev().find(|mark| !mark.found.is_volume)?.found;
            let next = last.number? + 1;
            Some(last.form == found.form && found.number == Some(next) && !at_level(next))
        };
        if level > chapters && !is_named && goes_on() != Some(true) {
            inner.push((at, usize::from(level % BELOW).saturating_sub(usize::from(chapters % BELOW)).clamp(1, 5) + 1));
        } else if level < chapters
            && !is_named
            && found.form == HeadingForm::Given
            && is_lone(level)
            && marks.is_empty()
        {
            // The title of the book above its chapters.
            into.title.get_or_insert(found.title);
        } else {
            let text = || blocks[at + 1..].iter().take_while(|block| block.level.is_none());
            let is_long = || text().map(|block| block.text.chars().count()).sum::<usize>() >= FRONT;
            let is_high = level < chapters && !is_named && !is_chapter(&found);
            let is_volume = found.is_volume || (is_high && !(is_lone(level) && is_long()));
            marks.push(PartStart { at, is_line: true, found: HeadingMatch { is_volume, ..found } });
        }
    }
    (marks, inner)
}

/// Writes headings within chapters as Markdown has them below the chapter's own.
fn subheadings(blocks: &mut [Block], inner: &[(usize, usize)], into: &mut Manuscript) {
    for (at, depth) in inner {
        let block = &mut blocks[*at];
        // Blocks of Markdown have their marks; `#` in those of other formats is text.
        let is_text = ["docx", "epub"].contains(&into.sources[block.place.source].encoding);
        let text = if is_text { &block.text } else { block.text.trim_start_matches('#').trim_start() };
        count(into, DoubtKind::Subheadings, block.place, text);
        block.text = format!("{} {text}", "#".repeat(*depth));
    }
}

fn is_chapter(found: &HeadingMatch) -> bool {
    let is_it =
        matches!(found.form, HeadingForm::Unit(unit) if CHAPTERS.contains(unit)) || found.form == HeadingForm::English;
    is_it && !found.is_volume
}

/// The level with the most numbers of chapters, or the one below a single title, or the level below the volumes.
fn level_of_chapters(headings: &[(usize, u8, HeadingMatch)], blocks: &[Block]) -> Option<u8> {
    let mut levels: BTreeMap<u8, (usize, BTreeSet<u32>)> = BTreeMap::new();
    let has_units = headings.iter().any(|(.., found)| is_chapter(found));
    // An afterword may stand as high as the title of the book.
    for (_, level, found) in headings.iter().filter(|(.., found)| found.form != HeadingForm::Name) {
        let (all, numbers) = levels.entry(*level).or_default();
        *all += 1;
        // Parts of chapters begin again at one.
        numbers.extend(found.number.filter(|_| !found.is_volume && (!has_units || is_chapter(found))));
    }
    let numbered = levels.iter().max_by_key(|(level, (_, numbers))| (numbers.len(), u8::MAX - **level));
    if let Some((level, _)) = numbered.filter(|(_, (_, numbers))| !numbers.is_empty()) {
        return level_above_parts(headings, blocks, *level).or(Some(*level));
    }
    let title = levels.iter().next().filter(|(_, (all, _))| *all == 1).map(|(level, _)| *level);
    let is_above = |level: u8, all: usize| {
        let volumes = headings.iter().filter(|(_, of, found)| *of == level && found.is_volume).count();
        title == Some(level) || volumes * 2 > all
    };
    levels
        .iter()
        .find(|(level, (all, _))| !is_above(**level, *all))
        .or(levels.iter().next_back())
        .map(|(level, _)| *level)
}

/// The level of the titles below each of which bare numbers of that level begin again, unless their texts are long as volumes are.
fn level_above_parts(headings: &[(usize, u8, HeadingMatch)], blocks: &[Block], level: u8) -> Option<u8> {
    let mut parts = headings.iter().filter(|(_, of, _)| *of == level);
    let is_part = |found: &HeadingMatch| match found.form {
        HeadingForm::Bare | HeadingForm::Bracket | HeadingForm::Name => true,
        HeadingForm::Unit(_) => !is_chapter(found) && !found.is_volume,
        _ => false,
    };
    let is_title =
        |found: &HeadingMatch| found.form == HeadingForm::Given && !found.title.ends_with(|c| VOLUMES.contains(c));
    let above: Vec<_> = headings.iter().filter(|(_, of, _)| *of < level).collect();
    let above_all = above.iter().map(|(_, of, _)| *of).max()?;
    let titles: Vec<_> = above.iter().filter(|(_, of, found)| *of == above_all && is_title(found)).collect();
    let begun = parts.clone().filter(|(.., found)| found.number == Some(1)).count();
    let length: usize = blocks[titles.first()?.0..].iter().map(|block| block.text.chars().count()).sum();
    let is_it = begun > 1 && titles.len() >= begun && parts.all(|(.., found)| is_part(found));
    (is_it && length / titles.len() < LONG).then_some(above_all)
}

/// Headings of a text without any format.
fn by_line(blocks: &[Block], told: &mut Vec<SourceDoubt>) -> Vec<PartStart> {
    let mut all: Vec<(usize, HeadingMatch)> =
        blocks.iter().enumerate().filter_map(|(at, block)| Some((at, candidate(&block.text)?))).collect();
    let mut kept = |at: usize, found: &HeadingMatch| {
        if matches!(found.form, HeadingForm::Unit(_) | HeadingForm::Name) {
            count_in(told, DoubtKind::KeptAsText, blocks[at].place, &blocks[at].text);
        }
    };
    // An indented line is a paragraph in a file whose headings are not indented.
    let strong = || {
        all.iter()
            .filter(|(_, found)| !found.is_weak && matches!(found.form, HeadingForm::Unit(_) | HeadingForm::English))
    };
    let set_off = strong().filter(|(at, _)| !blocks[*at].is_indented).count();
    if set_off * 2 > strong().count() {
        all.iter_mut().for_each(|(at, found)| found.is_weak |= blocks[*at].is_indented);
    }
    let chapters: Vec<&(usize, HeadingMatch)> =
        all.iter().filter(|(_, found)| !found.is_volume && found.form != HeadingForm::Name).collect();
    let main = main_form(blocks, &chapters);
    let is_part = matches!(main, Some(HeadingForm::Unit(unit)) if !CHAPTERS.contains(unit));
    let numbers: BTreeMap<usize, u32> = chapters
        .iter()
        .filter(|(_, found)| Some(found.form) == main && !found.is_weak)
        .filter_map(|(at, found)| Some((*at, found.number?)))
        .collect();
    let taken: BTreeSet<u32> = numbers.values().copied().collect();
    let (mut marks, mut other_form, mut last) = (Vec::new(), Vec::new(), 0u32);
    for (at, found) in &all {
        let next = numbers.range(at + 1..).next().map(|(_, number)| *number);
        // A line that reads like a sentence is a heading where its number alone is missing.
        let fills = found.number.is_some_and(|n| {
            n == last + 1
                && !taken.contains(&n)
                && (next == Some(n + 1) || (next.is_none() && last > 1 && !blocks[*at].is_indented))
        });
        let is_main = Some(found.form) == main;
        let is_volume = found.is_volume || (is_part && is_chapter(found) && !is_main);
        let is_taken = match found.form {
            HeadingForm::Name => !found.is_weak && stands_apart(blocks, *at, main.is_some()),
            _ if is_volume => !found.is_weak,
            _ if is_main => !found.is_weak || fills,
            HeadingForm::Unit(_) | HeadingForm::English => main.is_some() && fills && !found.is_weak,
            _ => false,
        };
        if !is_taken {
            kept(*at, found);
            continue;
        }
        if !is_volume && !is_main && found.form != HeadingForm::Name {
            other_form.push(SourceDoubt::new(DoubtKind::OtherForm, blocks[*at].place, &blocks[*at].text));
        }
        if !is_volume {
            last = found.number.unwrap_or(last);
        }
        marks.push(PartStart { at: *at, is_line: true, found: HeadingMatch { is_volume, ..found.clone() } });
    }
    told.append(&mut other_form);
    marks
}

/// A name such as 尾声 is a heading on a line of its own: apart from the text, or in a file with other headings.
fn stands_apart(blocks: &[Block], at: usize, has_others: bool) -> bool {
    has_others || blocks[at].gap > 0 || at == 0 || blocks.get(at + 1).is_some_and(|next| next.gap > 0)
}

/// The form of the chapters: the largest unit whose numbers run, unless its chapters are long and smaller units run too.
fn main_form(blocks: &[Block], chapters: &[&(usize, HeadingMatch)]) -> Option<HeadingForm> {
    let mut forms: BTreeMap<HeadingForm, Vec<(usize, u32)>> = BTreeMap::new();
    for (at, found) in chapters.iter().filter(|(_, found)| !found.is_weak) {
        if let Some(number) = found.number {
            forms.entry(found.form).or_default().push((*at, number));
        }
    }
    let class = |form: &HeadingForm| match form {
        HeadingForm::Unit(unit) if CHAPTERS.contains(*unit) => 0,
        HeadingForm::English => 0,
        HeadingForm::Unit(_) => 1,
        _ => 2,
    };
    let runs = |numbers: &[(usize, u32)]| {
        let mut last = 0;
        // A part of a novel begins with whatever number: its first lines have it.
        let mut run = usize::from(numbers.first().is_some_and(|(at, number)| *at < FIRST_LINES && *number > 1));
        for (_, number) in numbers {
            run += usize::from(*number == last + 1 || (*number == 1 && last != 1));
            last = *number;
        }
        run
    };
    let best_of = |of: usize, least: usize| {
        let of_class = forms.iter().filter(|(form, _)| class(form) == of);
        let found = of_class.map(|(form, numbers)| (runs(numbers), *form, numbers.len()));
        // Numbers alone begin many lines of a text; as headings nearly all of them run on.
        let found = found.filter(|(run, _, all)| *run >= least && (of < 2 || run * 5 >= all * 4));
        found.max_by_key(|(run, form, _)| (*run, std::cmp::Reverse(*form)))
    };
    let length: usize = blocks.iter().map(|block| block.text.chars().count()).sum();
    let lone = || best_of(0, 1).filter(|_| length < LONG);
    let chosen =
        best_of(0, 2).or_else(lone).or_else(|| best_of(1, 2)).or_else(|| best_of(2, 3)).or_else(|| best_of(0, 1));
    let (run, form, _) = chosen.or_else(|| best_of(1, 1).filter(|_| blocks.len() > 1))?;
    if class(&form) == 0
        && length / run.max(1) > LONG
        && let Some((smaller, part, _)) = best_of(1, run * 3)
        && smaller > run
    {
        return Some(part);
    }
    Some(form)
}

/// A file among several that has no heading is a chapter, named after the file.
fn files_without_heading(blocks: &[Block], marks: &[PartStart], into: &mut Manuscript) -> Vec<PartStart> {
    let with: BTreeSet<usize> = marks.iter().map(|mark| blocks[mark.at].place.source).collect();
    let mut found = Vec::new();
    for source in (0..into.sources.len()).filter(|source| !with.contains(source)) {
        let Some(at) = blocks.iter().position(|block| block.place.source == source) else { continue };
        let name = into.sources[source].name.clone();
        let stem = stem(&name);
        let mut heading = titled(stem);
        if into.sources.len() < 2 && !(is_chapter(&heading) && heading.number.is_some()) {
            return Vec::new();
        }
        if heading.form == HeadingForm::Bare || stem.chars().all(|c| c.is_ascii_digit()) {
            heading = HeadingMatch { number: stem.parse().ok().or(heading.number), title: String::new(), ..heading };
        }
        super::count(into, DoubtKind::NoHeading, blocks[at].place, stem);
        found.push(PartStart { at, is_line: false, found: heading });
    }
    found
}
