//! The order by which chapters get other numbers: as it is typed, or as the author has rearranged the chapters by hand.

use crate::domain::volume::foreshadowing::Action;
use crate::domain::volume::outline::field::{one_line, write_section};
use crate::domain::volume::outline::{Field, Section};
use crate::pipeline::book::damage;
use crate::pipeline::book::files::differs_in_numbers;
use crate::pipeline::book::rearranged::{self, Rearranged, chapter_at};
use crate::pipeline::book::{hand_edits, moved_records};
use crate::pipeline::engine::error::RenumberError;
use crate::pipeline::prelude::*;
use crate::store::format::renumber::section_headed;
use crate::store::{self, EntryFilter, Instead};
use crate::text::{BlockKind, Paragraph, paragraphs};
use serde::Serialize;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RemovedChapter {
    /// A commit that has the text.
    pub commit: CommitId,
    pub step: CommitId,
    pub section: Option<Section>,
    /// Its number when it left.
    pub number: ChapterNo,
    /// The volume in which it stood; `None` where none of its neighbours is in that one now.
    pub volume: Option<VolumeNo>,
    /// The files that were its own then but for the text, by their paths.
    pub records: BTreeMap<String, Vec<u8>>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RenumberOrder {
    pub how: Renumbering,
    /// The title of an inserted chapter, or of the second part of one that is split.
    pub title: String,
    /// The conflict of its section; its title where it is empty.
    pub conflict: String,
    /// The text of a chapter that is inserted among the written ones or right after them.
    pub text: Option<String>,
    /// The chapter that comes back with the text, where the text had been taken out.
    pub back: Option<RemovedChapter>,
    /// The words with which the second part begins.
    pub beginning: String,
    /// The chapters as they stand, where they have been rearranged by hand.
    pub by_hand: Option<Rearranged>,
    /// The outline in which the author has inserted a section without all its fields: its path, its text with the fields of the section
    /// beside, and the fields that were missing.
    pub filled: Option<FilledOutline>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FilledOutline {
    pub path: String,
    pub text: String,
    pub fields: BTreeMap<Field, String>,
}

impl FilledOutline {
    /// The outline among the rearranged files with what the section `at` lacks; `None` where nothing is missing.
    fn of(found: &Rearranged, at: ChapterNo) -> Option<Self> {
        let is_outline = |path: &str| matches!(layout::classify(path), Some(BookPath::Outline(_)));
        found.files.puts.iter().filter(|(path, _)| found.has_sections && is_outline(path)).find_map(|(path, bytes)| {
            let text = String::from_utf8_lossy(bytes);
            let (outline, gaps) = Outline::form(&text).ok()?;
            let later =
                found.then.iter().filter_map(|how| Some(*how).filter(|how| *how == Renumbering::Insert(how.first())));
            let mut all = BTreeMap::new();
            for new in later.map(Renumbering::first).chain([at]) {
                let Some(missing) = gaps.get(&new) else { continue };
                let mut whole = outline.sections.iter().filter(|section| !gaps.contains_key(&section.chapter));
                let before = whole.clone().rfind(|section| section.chapter < new);
                let mut fields = fields_of_new(before.or_else(|| whole.next())?, &outline.section(new)?.title);
                fields.retain(|field, _| missing.contains(field));
                all.insert(new, fields);
            }
            let (text, fields) = (outline.filled(&text, &all), all.remove(&at).unwrap_or_default());
            (text.as_bytes() != bytes).then_some(Self { path: path.clone(), text, fields })
        })
    }
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Unplanted {
    pub id: Slug,
    /// The words of the section that planted the thread.
    pub words: String,
    /// The chapters that advance or resolve the thread, by their new numbers.
    pub taken_up: Vec<ChapterNo>,
}

impl RenumberOrder {
    pub fn of(how: Renumbering) -> Self {
        let [title, conflict, beginning] = [(); 3].map(|()| String::new());
        Self { how, title, conflict, text: None, back: None, beginning, by_hand: None, filled: None }
    }

    /// The order that takes over chapters rearranged by hand; `None` for chapters that have their numbers still.
    pub fn by_hand(book: &Book) -> Result<Option<Self>, RunError> {
        let Some(found) = rearranged::by_hand(book, ChapterNo::FIRST)? else { return Ok(None) };
        let Rearranged { how, ref files, .. } = found;
        let new = how.brings().and_then(|new| found.place_of(new));
        let joined = if let Renumbering::Merge(at) = how { found.place_of(at) } else { None };
        let titled = new.or(joined);
        let text = titled.and_then(|of| files.puts.iter().find(|(path, _)| chapter_at(path) == Some(of)));
        let text = text.map(|(_, bytes)| String::from_utf8_lossy(bytes).into_owned());
        let chapter = text.as_deref().zip(titled).map(|(text, of)| Chapter::from_markdown(of, text, ""));
        let title = chapter.map(|chapter| chapter.title).unwrap_or_default();
        let filled = new.and_then(|new| FilledOutline::of(&found, new));
        Ok(Some(Self { title, text, by_hand: Some(found), filled, ..Self::of(how) }))
    }
}

/// Commits what the author has changed beside the rearranged chapters. Records that were moved with the texts come back, and follow
/// these by the numbers.
pub(super) fn commit_beside(run: &Run<'_>, found: &Rearranged) -> Result<(), RunError> {
    let book = run.session.book();
    if found.has_texts() {
        damage::restore_own(run)?;
        let moved = moved_records::in_folder(book)?;
        damage::restore(run, &moved.into_iter().map(|path| (path, Instead::Committed)).collect())?;
    }
    let mut others = hand_edits::uncommitted(book, EntryFilter::of(&layout::is_book_path))?;
    others.retain(|edit| !found.has_moved(&edit.path));
    hand_edits::commit_these(run, &others).map(drop)
}

/// Closes gaps among the rearranged chapters and gives them their new headings. True where the author's changes are not committed yet.
pub(super) fn settle_by_hand(
    run: &Run<'_>,
    found: &Rearranged,
    filled: Option<&FilledOutline>,
) -> Result<bool, RunError> {
    let is_of_order = |path: &str| found.has_moved(path);
    let files = found.files.clone().only(is_of_order);
    let (book, view) = (run.session.book(), BookView::new(run.session.book().snapshot()?));
    let is_edited = |path: &String| book.on_disk(path).ok().flatten() != view.bytes(path).ok().flatten();
    let has_edits = files.puts.keys().chain(&files.removes).any(is_edited);
    store::book::rescue::rename_files(run.session, &found.renames)?;
    for (path, bytes) in &found.files.puts {
        let there = book.on_disk(path)?;
        let follows = there.as_ref().is_some_and(|there| match chapter_at(path) {
            Some(chapter) => is_same_text(chapter, there, bytes),
            None => is_of_order(path) && differs_in_numbers(there, bytes),
        });
        if there.as_ref() != Some(bytes) && follows {
            store::book::rescue::write_file(run.session, path, bytes)?;
        }
    }
    if let Some(FilledOutline { path, text, .. }) = filled
        && book.on_disk(path)?.as_ref() == found.files.puts.get(path)
    {
        store::book::rescue::write_file(run.session, path, text.as_bytes())?;
    }
    store::book::rescue::unstage(run.session, &files, &run.author, run.calls.clock.moment())?;
    // A draft cannot follow from a commit in which another chapter has its number.
    if !store::closing::drafts(book)?.iter().all(|(work, _)| found.leaves(*work)) {
        return Ok(has_edits);
    }
    hand_edits::commit_files(run, files.puts.keys().chain(&files.removes).cloned().collect())?;
    Ok(false)
}

/// True where the headed text differs from the one in the folder in the number alone, or in a heading that the folder's lacks.
fn is_same_text(chapter: ChapterNo, there: &[u8], headed: &[u8]) -> bool {
    let read = |bytes: &[u8]| Chapter::from_markdown(chapter, &String::from_utf8_lossy(bytes), "");
    let (there, headed) = (read(there), read(headed));
    there.body == headed.body && (there.title == headed.title || there.title.is_empty())
}

/// The two parts of a text that is split before the one paragraph that begins with the author's words.
pub(super) fn parts(whole: &str, beginning: &str) -> Result<(String, String), RenumberError> {
    let mut at = 0;
    let mut found = Vec::new();
    for line in whole.split_inclusive('\n') {
        if line.trim_start().starts_with(beginning) && at > 0 {
            found.push(at);
        }
        at += line.len();
    }
    match found[..] {
        _ if beginning.is_empty() => Err(RenumberError::NoBeginning),
        [at] => Ok((format!("{}\n", without_breaks(&whole[..at])), whole[at..].to_owned())),
        _ => Err(RenumberError::NoPlace { beginning: beginning.to_owned(), found: found.len() }),
    }
}

/// Two texts as one, with a break between them.
pub(super) fn joined_bodies(one: &str, other: &str) -> String {
    format!("{}\n\n* * *\n\n{}", without_breaks(one), without_breaks(other))
}

/// The text without blanks and breaks between scenes at its ends.
fn without_breaks(text: &str) -> &str {
    let all = paragraphs(text);
    let is_text = |paragraph: &&Paragraph<'_>| paragraph.block != BlockKind::SceneBreak;
    let ends = all.iter().find(is_text).zip(all.iter().rfind(is_text));
    // The indent of the first paragraph stays.
    let line = |paragraph: &Paragraph<'_>| text[..paragraph.start].rfind('\n').map_or(0, |end| end + 1);
    ends.map_or("", |(first, last)| &text[line(first)..last.start + last.text.len()])
}

/// The fields that a new section has from the one beside it.
pub(super) fn fields_of_neighbour(like: &Section) -> BTreeMap<Field, String> {
    [Field::Storyline, Field::Pov, Field::Location].map(|field| (field, one_line(like.field(field)))).into()
}

fn fields_of_new(like: &Section, conflict: &str) -> BTreeMap<Field, String> {
    let open = [Field::Arc, Field::Foreshadowing, Field::StateChanges].map(|field| (field, "无".to_owned()));
    let own = open.into_iter().chain([(Field::Conflict, conflict.to_owned())]);
    fields_of_neighbour(like).into_iter().chain(own).collect()
}

/// The section of a new chapter, which goes on where the one before it is.
pub(super) fn new_section(at: ChapterNo, order: &RenumberOrder, like: &Section) -> String {
    let RenumberOrder { title, conflict, back, .. } = order;
    if let Some(section) = back.as_ref().and_then(|back| back.section.as_ref()) {
        return section_headed(section.source.trim_end(), (section.chapter, at), title) + "\n\n";
    }
    let conflict = if conflict.trim().is_empty() { title } else { conflict };
    write_section(at, title, &fields_of_new(like, conflict)) + "\n"
}

/// The plot threads that only the removed chapter plants, and that other sections advance or resolve.
pub(super) fn unplanted<'o>(
    (how, then): (Renumbering, &[Renumbering]),
    outlines: impl Iterator<Item = &'o Outline> + Clone,
) -> Vec<Unplanted> {
    let Renumbering::Remove(at) = how else { return Vec::new() };
    let section = outlines.clone().find_map(|outline| outline.section(at));
    let planted = section.iter().flat_map(|section| &section.tasks).filter(|task| task.action == Action::Planted);
    let unplanted = planted.map(|task| {
        let others = outlines.clone().flat_map(|outline| outline.tasks_of(&task.id)).filter(|(other, ..)| *other != at);
        let is_planted = others.clone().any(|(_, action, _)| action == Action::Planted);
        let taken_up = others.filter(|_| !is_planted).filter_map(|(chapter, ..)| how.of(chapter));
        let taken_up = taken_up.filter_map(|is| Renumbering::of_all(then, is)).collect();
        Unplanted { id: task.id.clone(), words: task.detail.clone(), taken_up }
    });
    unplanted.filter(|unplanted| !unplanted.taken_up.is_empty()).collect()
}

/// The section of two chapters that become one, with the title of the author's text, or of the first where that is empty.
pub(super) fn joined_sections(one: &Section, other: &Section, title: &str) -> String {
    let mut fields: BTreeMap<Field, String> = BTreeMap::new();
    for section in [one, other] {
        for (field, value) in &section.fields {
            let (value, there) = (one_line(value), fields.get(field).cloned().unwrap_or_default());
            let is_one = matches!(field, Field::Storyline | Field::Pov);
            let value = match there.as_str() {
                "" | "无" => value,
                _ if is_one || value == "无" || value == there => there,
                _ => format!("{there}；{value}"),
            };
            fields.insert(*field, value);
        }
    }
    let title = if title.is_empty() { &one.title } else { title };
    write_section(one.chapter, title, &fields) + "\n"
}
