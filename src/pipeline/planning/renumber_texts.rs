//! Texts and sections of chapters that are split, joined or new.

use super::renumber_order::RenumberOrder;
use crate::domain::ChapterNo;
use crate::domain::volume::outline::edit::{one_line, write_section};
use crate::domain::volume::outline::{Field, Section};
use crate::pipeline::engine::error::RenumberError;
use crate::text::{Block, Paragraph, paragraphs};
use std::collections::BTreeMap;

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
