//! Names of the things of a book in place of their ids.

use super::state_path;
use crate::domain::impact::ItemKind;
use crate::report::prelude::*;
use crate::text;
use std::collections::BTreeMap;

/// Whether ids are shown beside names: those of `--ids`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Ids {
    Shown,
    #[default]
    Hidden,
}

/// Names by id. Without any, ids stay as they are.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Names {
    by_id: BTreeMap<String, String>,
    ids: Ids,
}

impl Names {
    pub fn new(by_id: BTreeMap<String, String>, ids: Ids) -> Self {
        Self { by_id, ids }
    }

    /// Returns the name of a thing. An unknown id stays.
    pub fn name(&self, id: &str, lang: Lang) -> String {
        let objective = || text::objective(id).map(|n| say!(lang, objective_of_chapter(n)));
        let name = self.by_id.get(id).cloned().or_else(objective);
        name.map_or_else(|| id.to_owned(), |name| self.beside(name, id, lang))
    }

    /// Returns the words for a thing, with its id where ids are shown.
    pub fn beside(&self, name: String, id: &str, lang: Lang) -> String {
        match self.ids {
            Ids::Hidden => name,
            Ids::Shown => say!(lang, name_with_id(name, id)),
        }
    }

    /// Returns a path of the state in words.
    pub fn path(&self, path: &str, lang: Lang) -> String {
        self.beside(state_path::of_path(path, &self.by_id, lang), path, lang)
    }

    /// Returns an item of the impact of a change by its name: `schedule/vol-02/main-arc`.
    pub fn item(&self, id: &str, lang: Lang) -> String {
        let part = |part: &str| match part {
            "outline" => ItemKind::Outline.say(lang).to_owned(),
            "schedule" => ItemKind::Schedule.say(lang).to_owned(),
            "contract" => ItemKind::ChapterContract.say(lang).to_owned(),
            part => self.name(part, lang),
        };
        id.split('/').map(part).collect::<Vec<_>>().join(" ")
    }

    /// Returns the text with names in place of ids, except in code in backticks, paths and targets.
    pub fn within(&self, words: &str, lang: Lang) -> String {
        text::with_names(words, |id| Some(self.name(id, lang)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_of_a_text_are_named_and_what_is_typed_stays() {
        let names = [("main-arc", "末班之后"), ("first_lamp", "头一盏灯"), ("W-001", "“夜里不渡船”"), ("seal", "铜印")];
        let by_id: BTreeMap<String, String> = names.map(|(id, name)| (id.to_owned(), name.to_owned())).into();
        let hidden = Names::new(by_id.clone(), Ids::Hidden);
        for (text, named) in [
            ("还有 1 条伏笔开着（first_lamp）", "还有 1 条伏笔开着（头一盏灯）"),
            ("按W-001行事，seal 不在 W-0011", "按“夜里不渡船”行事，铜印 不在 W-0011"),
            ("改 storylines/main-arc/memory.md", "改 storylines/main-arc/memory.md"),
            ("novel waive ch-012/W-001", "novel waive ch-012/W-001"),
            ("写 `novel storyline end main-arc`", "写 `novel storyline end main-arc`"),
            ("没有核对：OBJ-048-2", "没有核对：本章目标 2"),
            ("main-arc: seal the letter", "末班之后: seal the letter"),
        ] {
            assert_eq!(hidden.within(text, Lang::Zh), named);
        }
        let shown = Names::new(by_id, Ids::Shown);
        assert_eq!(shown.within("伏笔 first_lamp", Lang::Zh), "伏笔 头一盏灯（first_lamp）");
        assert_eq!(shown.item("schedule/vol-02/main-arc", Lang::Zh), "排期 vol-02 末班之后（main-arc）");
        assert_eq!(Names::default().within("W-001 与 main-arc", Lang::Zh), "W-001 与 main-arc");
    }
}
