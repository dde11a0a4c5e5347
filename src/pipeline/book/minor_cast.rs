//! People whom the last chapters name and who have no file of a character.

use super::view::BookView;
use crate::agents::context::chapter::MinorPerson;
use crate::domain::state::State;
use crate::domain::volume::outline::Field;
use crate::pipeline::prelude::*;
use crate::text::{NameIndex, new_names};

/// So many chapters back are read. A list must not take longer as the book grows.
const LOOK_BACK: u32 = 20;
/// So many chapters are looked at together; see [`new_names`].
const BLOCK: usize = 5;
const MOST: usize = 12;

struct Told {
    chapter: ChapterNo,
    text: String,
    place: String,
}

impl BookView<'_> {
    /// The minor cast of the twenty chapters before `chapter`, as far as they are on `wanted` storylines, those who were named last
    /// first. Names that `state` has are no new ones. Fewer than five chapters are too little to tell names from other words.
    pub(crate) fn minor_cast(
        &self,
        chapter: ChapterNo,
        wanted: &dyn Fn(&Slug) -> bool,
        state: &State,
    ) -> Result<Vec<MinorPerson>, RunError> {
        let told = self.told_before(chapter, wanted)?;
        if told.len() < BLOCK {
            return Ok(Vec::new());
        }
        let known = NameIndex::new(&self.named_with(state)?);
        let mut cast: Vec<MinorPerson> = Vec::new();
        for block in told.chunks(BLOCK) {
            let texts: Vec<&str> = block.iter().map(|told| told.text.as_str()).collect();
            for found in new_names(&texts, &known) {
                let last = block.iter().rfind(|told| told.text.contains(&found.form));
                let Some(last) = last else { continue };
                let (chapter, place) = (last.chapter, last.place.clone());
                match cast.iter_mut().find(|person| person.name == found.form) {
                    Some(person) => {
                        (person.chapter, person.place, person.times) = (chapter, place, person.times + found.count)
                    }
                    None => cast.push(MinorPerson { name: found.form, chapter, place, times: found.count }),
                }
            }
        }
        cast.sort_by_key(|person| (std::cmp::Reverse((person.chapter, person.times)), person.name.clone()));
        cast.truncate(MOST);
        Ok(cast)
    }

    /// The chapters, in the order of the book. Those that no outline has are on no storyline, and are left out.
    fn told_before(&self, chapter: ChapterNo, wanted: &dyn Fn(&Slug) -> bool) -> Result<Vec<Told>, RunError> {
        let mut told = Vec::new();
        for (number, volume) in self.before(chapter, LOOK_BACK)? {
            let section = self.section(volume, number)?;
            if let Some(section) = section.filter(|section| wanted(&section.storyline)) {
                let text = self.chapter(number)?.body;
                told.push(Told { chapter: number, text, place: section.field(Field::Location).trim().to_owned() });
            }
        }
        Ok(told)
    }
}
