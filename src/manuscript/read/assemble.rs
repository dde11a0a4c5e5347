//! From blocks and the beginnings of parts to volumes and chapters, with every block in one place.

use super::choose::{FRONT, PartStart, marks};
use super::markdown::is_title;
use super::{Block, Options, put_apart};
use crate::manuscript::{
    Apart, ApartKind, DoubtKind, Manuscript, PartKind, SourceChapter, SourceDoubt, SourcePlace, Volume,
};
use std::collections::{BTreeMap, BTreeSet};
use std::hash::{DefaultHasher, Hash as _, Hasher as _};

const NOTICE: usize = 2_000;
/// A file of fewer lines does not tell how its paragraphs stand.
const FEW: usize = 8;
/// A chapter that is longer may have a heading that was not found.
const LONG: usize = 30_000;

pub(super) fn assemble(mut blocks: Vec<Block>, options: &Options, into: &mut Manuscript) {
    let mut marks = marks(&mut blocks, options, into);
    let mut out = contents(&blocks, &mut marks, into);
    out.extend(in_a_row(&blocks, &mut marks, into));
    let below = titles_below(&blocks, &mut marks, &out, into);
    out.extend(below.keys());
    out.extend(fronts(&blocks, &marks, &out, into));
    let is_tight = tight_sources(&blocks, into.sources.len());
    let text_of = |from: usize, to: usize| joined(&blocks, (from..to).filter(|at| !out.contains(at)), &is_tight);
    front(&blocks, marks.first().map_or(blocks.len(), |mark| mark.at), text_of, into);

    let mut volumes = Volumes { is_open: false, last: into.chapters.first().map(|_| 0) };
    let mut intro: Option<(String, SourcePlace)> = None;
    for (at, mark) in marks.iter().enumerate() {
        let end = marks.get(at + 1).map_or(blocks.len(), |next| next.at);
        let place = blocks[mark.at].place;
        let heading = if mark.is_line { blocks[mark.at].text.clone() } else { String::new() };
        let text = text_of(mark.at + usize::from(mark.is_line), end);
        let found = &mark.found;
        if found.is_volume {
            let before = into.volumes.len();
            volumes.begin(Volume { number: found.number, title: found.title.clone(), heading, place }, place, into);
            if into.volumes.len() > before {
                chapter_without_heading(intro.take(), before, into);
            }
            if !text.is_empty() {
                let before = intro.map(|(before, _)| before + "\n\n").unwrap_or_default();
                intro = Some((before + &text, place));
            }
            continue;
        }
        let is_notice = found.kind == PartKind::Notice && text.chars().count() <= NOTICE;
        let is_needed = is_notice && volumes.needs(found.number, &marks[at + 1..]);
        if is_needed {
            into.doubts.push(SourceDoubt::new(DoubtKind::NoticeKept, place, heading.clone()));
        } else if is_notice {
            let whole = if heading.is_empty() { text } else { format!("{heading}\n\n{text}") };
            put_apart(into, (ApartKind::Notice, DoubtKind::Notice), whole.trim_end().to_owned(), place);
            continue;
        }
        let next = marks.get(at + 1).map(|next| &next.found).filter(|next| !next.is_volume);
        let volume = volumes.of(mark, next, place, into);
        let heading = below
            .iter()
            .filter(|(line, _)| **line == mark.at + 1)
            .fold(heading, |heading, (line, _)| format!("{heading}\n{}", blocks[*line].text));
        let text = match intro.take() {
            Some((intro, place)) => {
                let line = intro.lines().next().unwrap_or_default();
                into.doubts.push(SourceDoubt::new(DoubtKind::VolumeText, place, line));
                format!("{intro}\n\n{text}")
            }
            None => text,
        };
        let kind = if is_needed { PartKind::Chapter } else { found.kind };
        let title = found.title.clone();
        into.chapters.push(SourceChapter { volume, number: found.number, kind, heading, title, text, place });
    }
    chapter_without_heading(intro, into.volumes.len(), into);
    if into.volumes.is_empty() {
        into.volumes.push(Volume::default());
    }
    take_repeated(into);
    doubts(into);
    into.take_empty_chapters();
    take_empty_volumes(into);
    into.doubts.sort_by_key(|doubt| doubt.place);
}

/// The lines before the first heading of each further file. Those that the first file has too are apart, and others end the chapter before.
fn fronts(blocks: &[Block], marks: &[PartStart], out: &BTreeSet<usize>, into: &mut Manuscript) -> Vec<usize> {
    let source = |at: usize| blocks[at].place.source;
    let first = marks.first().map_or(blocks.len(), |mark| mark.at);
    let known: BTreeSet<String> = blocks[..first].iter().map(|block| bare_of(&block.text).to_owned()).collect();
    let is_known = |into: &Manuscript, line: &str| {
        known.contains(line) || [&into.title, &into.author].iter().any(|known| known.as_deref() == Some(line))
    };
    let mut apart = Vec::new();
    for start in (first + 1..blocks.len()).filter(|at| source(*at) != source(at - 1)) {
        let end = marks.iter().map(|mark| mark.at).find(|at| *at >= start).filter(|at| source(*at) == source(start));
        let places: Vec<usize> = (start..end.unwrap_or(start)).filter(|at| !out.contains(at)).collect();
        let lines: Vec<&str> = places.iter().map(|at| bare_of(&blocks[*at].text)).collect();
        let Some(line) = lines.first() else { continue };
        if lines.iter().all(|line| is_known(into, line)) {
            put_apart(into, (ApartKind::Front, DoubtKind::Front), lines.join("\n"), blocks[start].place);
            apart.extend(places);
        } else {
            into.doubts.push(SourceDoubt::new(DoubtKind::JoinsBefore, blocks[start].place, *line));
        }
    }
    apart
}

fn chapter_without_heading(text: Option<(String, SourcePlace)>, volumes: usize, into: &mut Manuscript) {
    let Some((text, place)) = text else { return };
    super::count(into, DoubtKind::NoHeading, place, text.lines().next().unwrap_or_default());
    let volume = volumes.saturating_sub(1);
    into.chapters.push(SourceChapter { volume, text, place, ..SourceChapter::default() });
}

fn bare_of(line: &str) -> &str {
    line.trim_start_matches('#').trim()
}

fn front(blocks: &[Block], end: usize, text_of: impl Fn(usize, usize) -> String, into: &mut Manuscript) {
    let text = text_of(0, end);
    if text.is_empty() {
        return;
    }
    let place = blocks[0].place;
    super::name_book(&text, into);
    // A page with the title and the author alone has been read with them.
    let is_known = |line: &str| [&into.title, &into.author].iter().any(|known| known.as_deref() == Some(bare_of(line)));
    let is_whole = end == blocks.len();
    if !is_whole && text.lines().filter(|line| !line.is_empty()).all(is_known) {
        return;
    }
    if is_whole || text.chars().count() >= FRONT {
        into.doubts.push(SourceDoubt::new(DoubtKind::NoHeading, place, text.lines().next().unwrap_or_default()));
        let kind = if is_whole { PartKind::Chapter } else { PartKind::Prologue };
        let title = if is_whole { String::new() } else { "前言".to_owned() };
        into.chapters.push(SourceChapter { kind, title, text, place, ..SourceChapter::default() });
    } else {
        put_apart(into, (ApartKind::Front, DoubtKind::Front), text, place);
    }
}

/// Takes the line below a number for its title, where nearly all numbers stand alone above a short line.
fn titles_below(
    blocks: &[Block],
    marks: &mut [PartStart],
    out: &BTreeSet<usize>,
    into: &mut Manuscript,
) -> BTreeMap<usize, ()> {
    let below = |at: usize, next: Option<usize>| {
        let line = blocks.get(at + 1).filter(|_| next.is_none_or(|next| next > at + 2))?;
        (line.level.is_none() && is_title(&line.text) && !out.contains(&(at + 1))).then(|| line.text.clone())
    };
    let numbers: Vec<usize> = (0..marks.len())
        .filter(|at| marks[*at].is_line && marks[*at].found.title.is_empty() && !marks[*at].found.is_volume)
        .collect();
    let titles: Vec<(usize, String)> = numbers
        .iter()
        .filter_map(|at| Some((*at, below(marks[*at].at, marks.get(at + 1).map(|next| next.at))?)))
        .collect();
    if titles.len() < 3 || titles.len() * 5 < numbers.len() * 4 {
        return BTreeMap::new();
    }
    let mut taken = BTreeMap::new();
    for (at, title) in titles {
        let line = marks[at].at + 1;
        super::count(into, DoubtKind::TitleBelow, blocks[line].place, &title);
        marks[at].found.title = title;
        taken.insert(line, ());
    }
    taken
}

/// Puts headings of volumes without a chapter apart.
fn take_empty_volumes(into: &mut Manuscript) {
    let used: BTreeSet<usize> = into.chapters.iter().map(|chapter| chapter.volume).collect();
    let mut places = BTreeMap::new();
    for (at, volume) in std::mem::take(&mut into.volumes).into_iter().enumerate() {
        if used.contains(&at) || used.is_empty() {
            places.insert(at, into.volumes.len());
            into.volumes.push(volume);
        } else if !volume.heading.is_empty() {
            put_apart(into, (ApartKind::EmptyVolume, DoubtKind::EmptyVolume), volume.heading, volume.place);
        }
    }
    for chapter in &mut into.chapters {
        chapter.volume = places.get(&chapter.volume).copied().unwrap_or_default();
    }
}

/// The volume that is open, and the last number in it.
struct Volumes {
    /// A volume has begun, and no chapter of it yet.
    is_open: bool,
    last: Option<u32>,
}

impl Volumes {
    fn begin(&mut self, volume: Volume, place: SourcePlace, into: &mut Manuscript) {
        // Chapters before the first heading of a volume that are numbered are a volume; a prologue is the first one's.
        if into.volumes.is_empty() && into.chapters.iter().any(|chapter| chapter.number.is_some()) {
            into.volumes.push(Volume::default());
        }
        let is_same =
            into.volumes.last().is_some_and(|last| (last.number, &last.title) == (volume.number, &volume.title));
        if is_same && (self.is_open || !volume.title.is_empty()) {
            let kind = (ApartKind::RepeatedHeading, DoubtKind::RepeatedHeading);
            return put_apart(into, kind, volume.heading, place);
        }
        let is_prologues =
            into.volumes == [Volume::default()] && into.chapters.iter().all(|chapter| chapter.number.is_none());
        if is_prologues {
            into.volumes.clear();
        }
        into.volumes.push(volume);
        self.is_open = true;
    }

    /// True for a number that the chapters would lack without it.
    fn needs(&self, number: Option<u32>, later: &[PartStart]) -> bool {
        let next = later.iter().filter(|mark| !mark.found.is_volume).find_map(|mark| mark.found.number);
        number.is_some() && number != self.last && number != next
    }

    fn of(
        &mut self,
        mark: &PartStart,
        next: Option<&super::heading::HeadingMatch>,
        place: SourcePlace,
        into: &mut Manuscript,
    ) -> usize {
        let number = mark.found.number;
        if let Some((of, title)) = &mark.found.volume {
            let is_last = into
                .volumes
                .last()
                .is_some_and(|last| last.number == *of && (title.is_empty() || last.title == *title));
            if !is_last {
                self.begin(Volume { number: *of, title: title.clone(), place, ..Volume::default() }, place, into);
            }
        } else if number == Some(1)
            && self.last.is_some_and(|last| last > 1)
            && !self.is_open
            && next.is_some_and(|next| next.number == Some(2))
        {
            into.doubts.push(SourceDoubt::new(DoubtKind::Restart, place, mark.found.title.clone()));
            self.begin(Volume::default(), place, into);
        }
        if into.volumes.is_empty() {
            into.volumes.push(Volume::default());
        }
        self.is_open = false;
        self.last = number.or(self.last);
        into.volumes.len() - 1
    }
}

/// True for each file whose lines are its paragraphs, without empty lines between them. A file of some lines goes with the others.
fn tight_sources(blocks: &[Block], sources: usize) -> Vec<bool> {
    let mut of_files = vec![(0, 0); sources];
    for block in blocks {
        let (tight, all) = &mut of_files[block.place.source];
        (*tight, *all) = (*tight + usize::from(block.gap == 0 && *all > 0), *all + 1);
    }
    let whole = of_files.iter().fold((0, 0), |(tight, all), of| (tight + of.0, all + of.1));
    let chosen = of_files.into_iter().map(|of| if of.1 < FEW { whole } else { of });
    chosen.map(|(tight, all)| tight * 2 > all).collect()
}

/// The blocks as paragraphs of Markdown, with two blank lines where the file has more than usual: one in a tight text, whose lines
/// are its paragraphs, and two in another.
fn joined(blocks: &[Block], of: impl Iterator<Item = usize>, is_tight: &[bool]) -> String {
    let mut text = String::new();
    for at in of {
        if !text.is_empty() {
            let gap = blocks[at].gap;
            let breaks = if is_tight[blocks[at].place.source] { gap.min(1) + 2 } else { gap.min(2) + 1 };
            text.push_str(&"\n".repeat(breaks));
        }
        text.push_str(&blocks[at].text);
    }
    text
}

fn hash_of(number: Option<u32>, title: &str, text: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    (number, title).hash(&mut hasher);
    text.split_whitespace().for_each(|word| word.hash(&mut hasher));
    hasher.finish()
}

/// Leaves out chapters that are there twice, word for word.
fn take_repeated(into: &mut Manuscript) {
    let mut seen = BTreeSet::new();
    let (mut kept, mut again) = (Vec::new(), Vec::new());
    for chapter in std::mem::take(&mut into.chapters) {
        let is_long = chapter.text.chars().count() > 50;
        match !is_long || seen.insert(hash_of(chapter.number, &chapter.title, &chapter.text)) {
            true => kept.push(chapter),
            false => again.push(chapter),
        }
    }
    into.chapters = kept;
    for chapter in again {
        let heading = if chapter.heading.is_empty() { &chapter.title } else { &chapter.heading };
        into.doubts.push(SourceDoubt::new(DoubtKind::RepeatedChapter, chapter.place, heading.clone()));
        let text = format!("{}\n\n{}", chapter.heading, chapter.text).trim_start().to_owned();
        into.apart.push(Apart { kind: ApartKind::RepeatedChapter, text, place: chapter.place });
    }
}

fn doubts(into: &mut Manuscript) {
    let mut found = Vec::new();
    let (mut last, mut volume) = (None::<u32>, 0);
    for chapter in &into.chapters {
        let name = if chapter.heading.is_empty() { &chapter.title } else { &chapter.heading };
        let mut doubt = |kind, detail: String| found.push(SourceDoubt::new(kind, chapter.place, detail));
        if let Some(number) = chapter.number.filter(|_| chapter.kind == PartKind::Chapter) {
            let expected = last.map_or(1, |last| last + 1);
            if number > expected {
                let until = number - 1;
                doubt(
                    DoubtKind::Gap,
                    if until == expected { expected.to_string() } else { format!("{expected}–{until}") },
                );
            } else if last == Some(number) || (number < expected && (volume == chapter.volume || number != 1)) {
                doubt(DoubtKind::NumberTwice, name.replace('\n', " "));
            }
            last = Some(number);
        }
        volume = chapter.volume;
        let length = chapter.text.chars().count();
        if length > LONG {
            doubt(DoubtKind::Long, name.replace('\n', " "));
        }
        let private = chapter.text.chars().filter(|c| ('\u{e000}'..='\u{f8ff}').contains(c)).count();
        if private > 0 {
            found.push(SourceDoubt {
                count: private,
                ..SourceDoubt::new(DoubtKind::PrivateUse, chapter.place, name.replace('\n', " "))
            });
        }
    }
    into.doubts.extend(found);
}

/// So many headings in a row without a text between them are a list.
const LIST: usize = 3;

/// Takes the lists of contents out of the marks. Returns the blocks that are in none of the other parts any more.
pub(super) fn contents(blocks: &[Block], marks: &mut Vec<PartStart>, into: &mut Manuscript) -> BTreeSet<usize> {
    let mut out = BTreeSet::new();
    let is_empty = |marks: &[PartStart], at: usize| {
        let next = marks.get(at + 1).map_or(blocks.len(), |next| next.at);
        marks[at].is_line && next == marks[at].at + 1
    };
    let mut at = 0;
    while at < marks.len() {
        let mut end = at;
        while end < marks.len() && is_empty(marks, end) {
            end += 1;
        }
        // The last heading of a list is followed by what comes after the list, which ends where its first heading comes again.
        let mut list_end = marks.len().min(end + usize::from(end > at));
        list_end = (at + 1..list_end).find(|again| is_same(&marks[at], &marks[*again])).unwrap_or(list_end);
        while list_end > at && !repeats(&marks[list_end - 1..list_end], &marks[list_end..]) {
            list_end -= 1;
        }
        if list_end - at >= LIST && repeats(&marks[at..list_end], &marks[list_end..]) {
            let first = marks[at].at;
            let before = first.checked_sub(1).filter(|before| {
                ["目录", "目錄", "Contents"].contains(&blocks[*before].text.replace([' ', '　'], "").as_str())
            });
            let lines: Vec<usize> = before.into_iter().chain(marks[at..list_end].iter().map(|mark| mark.at)).collect();
            let text: Vec<&str> = lines.iter().map(|line| blocks[*line].text.as_str()).collect();
            put_apart(into, (ApartKind::Contents, DoubtKind::Contents), text.join("\n"), blocks[first].place);
            if let Some(doubt) = into.doubts.last_mut() {
                doubt.count = lines.len();
            }
            out.extend(lines);
            marks.drain(at..list_end);
        } else {
            at = end.max(at + 1);
        }
    }
    out
}

fn is_same(one: &PartStart, other: &PartStart) -> bool {
    let (one, other) = (&one.found, &other.found);
    (one.is_volume, one.number) == (other.is_volume, other.number) && one.title.starts_with(&other.title)
}

fn repeats(list: &[PartStart], later: &[PartStart]) -> bool {
    let again = |mark: &&PartStart| {
        later.iter().any(|other| {
            other.found.is_volume == mark.found.is_volume
                && (mark.found.number.is_some() && other.found.number == mark.found.number
                    || !mark.found.title.is_empty() && other.found.title == mark.found.title)
        })
    };
    list.iter().filter(again).count() * 5 >= list.len() * 4
}

/// Takes out the first of two equal headings with nothing between them.
pub(super) fn in_a_row(blocks: &[Block], marks: &mut Vec<PartStart>, into: &mut Manuscript) -> BTreeSet<usize> {
    let mut out = BTreeSet::new();
    let mut at = 1;
    while at < marks.len() {
        let (one, two) = (&marks[at - 1], &marks[at]);
        let is_same = one.is_line
            && two.at == one.at + 1
            && one.found.is_volume == two.found.is_volume
            && one.found.number == two.found.number
            && (one.found.title == two.found.title || one.found.title.is_empty() && one.found.number.is_some());
        if is_same {
            let block = &blocks[one.at];
            put_apart(into, (ApartKind::RepeatedHeading, DoubtKind::RepeatedHeading), block.text.clone(), block.place);
            out.insert(one.at);
            marks.remove(at - 1);
        } else {
            at += 1;
        }
    }
    out
}
