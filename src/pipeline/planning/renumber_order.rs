//! The order by which chapters get other numbers: as it is typed, or as the author has rearranged the chapters by hand.

use crate::domain::volume::outline::field::{one_line, write_section};
use crate::domain::volume::outline::{Field, Section};
use crate::pipeline::book::files::differs_in_numbers;
use crate::pipeline::book::hand_edits;
use crate::pipeline::book::rearranged::{self, Rearranged, chapter_at, headed};
use crate::pipeline::engine::error::RenumberError;
use crate::pipeline::prelude::*;
use crate::store::Wanted;
use crate::text::{Block, Paragraph, paragraphs};

/// The operation, with what it needs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RenumberOrder {
    pub how: Renumbering,
    /// The title of an inserted chapter, or of the second part of one that is split.
    pub title: String,
    /// The conflict of its section; its title where it is empty.
    pub conflict: String,
    /// The text of a chapter that is inserted among the written ones or right after them.
    pub text: Option<String>,
    /// The words with which the second part begins.
    pub beginning: String,
    /// The chapters as they stand, where they have been rearranged by hand.
    pub by_hand: Option<Rearranged>,
}

impl RenumberOrder {
    /// An operation that needs nothing else.
    #[must_use]
    pub fn of(how: Renumbering) -> Self {
        let [title, conflict, beginning] = [(); 3].map(|()| String::new());
        Self { how, title, conflict, text: None, beginning, by_hand: None }
    }

    /// The order that takes over chapters rearranged by hand; `None` for chapters that have their numbers still.
    pub fn by_hand(book: &Book) -> Result<Option<Self>, RunError> {
        let Some(found) = rearranged::by_hand(book, ChapterNo::FIRST)? else { return Ok(None) };
        let Rearranged { how, ref files, .. } = found;
        let new = match how {
            Renumbering::Insert(at) => Some(at),
            Renumbering::Split(at) => Some(at.next()),
            _ => None,
        };
        let text = new.and_then(|new| files.puts.iter().find(|(path, _)| chapter_at(path) == Some(new)));
        let text = text.map(|(_, bytes)| String::from_utf8_lossy(bytes).into_owned());
        let chapter = text.as_deref().zip(new).map(|(text, new)| Chapter::from_markdown(new, text, ""));
        let title = chapter.map(|chapter| chapter.title).unwrap_or_default();
        Ok(Some(Self { title, text, by_hand: Some(found), ..Self::of(how) }))
    }
}

impl Run<'_> {
    /// Commits what the author has changed beside the rearranged chapters.
    pub(super) fn commit_beside(&self, found: &Rearranged) -> Result<(), RunError> {
        let mut others = hand_edits::uncommitted(self.session.book(), Wanted::of(&layout::is_book_path))?;
        others.retain(|edit| !found.has_moved(&edit.path));
        self.commit_these(&others).map(drop)
    }

    /// Closes gaps among the rearranged chapters and gives them their new headings.
    pub(super) fn settle_by_hand(&self, found: &Rearranged) -> Result<(), RunError> {
        let is_of_order = |path: &str| found.has_moved(path);
        self.session.rename_files(&found.renames)?;
        for (path, bytes) in &found.files.puts {
            let there = self.session.book().on_disk(path)?;
            let follows = there.as_ref().is_some_and(|there| match chapter_at(path) {
                Some(chapter) => headed(chapter, there, found.how) == *bytes,
                None => is_of_order(path) && differs_in_numbers(there, bytes),
            });
            if there.as_ref() != Some(bytes) && follows {
                self.session.write_file(path, bytes)?;
            }
        }
        let files = found.files.clone().only(is_of_order);
        Ok(self.session.unstage(&files, &self.author, self.calls.clock.moment())?)
    }
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
    let is_text = |paragraph: &&Paragraph<'_>| paragraph.block != Block::SceneBreak;
    let ends = all.iter().find(is_text).zip(all.iter().rfind(is_text));
    // The indent of the first paragraph stays.
    let line = |paragraph: &Paragraph<'_>| text[..paragraph.start].rfind('\n').map_or(0, |end| end + 1);
    ends.map_or("", |(first, last)| &text[line(first)..last.start + last.text.len()])
}

/// The fields that a new section has from the one beside it.
pub(super) fn fields_of_neighbour(like: &Section) -> BTreeMap<Field, String> {
    [Field::Storyline, Field::Pov, Field::Location].map(|field| (field, one_line(like.field(field)))).into()
}

/// The section of a new chapter, which goes on where the one before it is.
pub(super) fn new_section(at: ChapterNo, order: &RenumberOrder, like: &Section) -> String {
    let RenumberOrder { title, conflict, .. } = order;
    let conflict = if conflict.trim().is_empty() { title } else { conflict };
    let mut fields = fields_of_neighbour(like);
    fields.insert(Field::Conflict, conflict.clone());
    for field in [Field::Arc, Field::Foreshadowing, Field::StateChanges] {
        fields.insert(field, "无".to_owned());
    }
    write_section(at, title, &fields) + "\n"
}

/// The section of two chapters that become one.
pub(super) fn joined_sections(one: &Section, other: &Section) -> String {
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
    write_section(one.chapter, &one.title, &fields) + "\n"
}
