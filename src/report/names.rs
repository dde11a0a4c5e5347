//! Names of the things of a book in place of their ids.
//! Paths of the state in words, with names in place of ids.

use crate::domain::impact::ItemKind;
use crate::domain::state::Category;
use crate::report::prelude::*;
use crate::text;
use serde_json::Value;

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
        self.beside(of_path(path, &self.by_id, lang), path, lang)
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

/// A path of the state, or the id of a plot thread, in words: `characters.lin-feng.location` is the place of 林枫. An
/// unknown field stays.
pub fn of_path(path: &str, names: &BTreeMap<String, String>, lang: Lang) -> String {
    let name = |id: &str| names.get(id).map_or(id, String::as_str).to_owned();
    let keys: Vec<&str> = path.split('.').collect();
    match keys[..] {
        [id] if id.parse::<Category>().is_err() => say!(lang, path_plot_thread(name = name(id))),
        ["world_state", key @ ("time_marker" | "ongoing_events")] => field(&[key], lang),
        ["world_state", ref rest @ ..] if !rest.is_empty() => spelt(rest),
        [_, id] => name(id),
        [_, one, "relationships", other] => say!(lang, path_relationship(one = name(one), other = name(other))),
        [_, id, ref rest @ ..] => say!(lang, path_field(name = name(id), field = field(rest, lang))),
        _ => path.to_owned(),
    }
}

/// A value of the state in a line, with names in place of ids and fields in words.
pub fn of_value(value: &Value, names: &BTreeMap<String, String>, lang: Lang) -> String {
    let Value::Object(fields) = value else { return plain(value, lang) };
    let said = |(key, value): (&String, &Value)| {
        let key = of_key(key, names, lang);
        let open = if value.is_object() { say!(lang, opening_bracket) } else { "" };
        let close = if value.is_object() { say!(lang, closing_bracket) } else { "" };
        let colon = if value.is_object() { "" } else { say!(lang, colon) };
        format!("{key}{colon}{open}{}{close}", of_value(value, names, lang))
    };
    fields.iter().map(said).collect::<Vec<_>>().join(say!(lang, clause_semicolon))
}

/// A key of the state in words: the name of a thing, a category or a field.
pub fn of_key(key: &str, names: &BTreeMap<String, String>, lang: Lang) -> String {
    names.get(key).cloned().unwrap_or_else(|| field(&[key], lang))
}

/// The keys at the top of the state, and those below its things, that have words.
const KEYS: [&[&str]; 2] = [
    &["characters", "items", "locations", "factions", "world_state", "active_foreshadowing"],
    &[
        "time_marker",
        "ongoing_events",
        "location",
        "emotional_state",
        "inventory",
        "relationships",
        "owner",
        "count",
        "status",
    ],
];

/// The path that an author has typed in words, with the keys of the state in their place: `林枫.位置` is `林枫.location`.
pub fn typed(path: &str) -> String {
    let key = |(at, word): (usize, &str)| {
        let keys = KEYS[usize::from(at > 0)].iter();
        let is_meant = |key: &&&str| [Lang::Zh, Lang::En].iter().any(|lang| field(&[**key], *lang) == word.trim());
        keys.copied().find(|key| is_meant(&key)).unwrap_or(word).to_owned()
    };
    path.split('.').enumerate().map(key).collect::<Vec<_>>().join(".")
}

fn field(keys: &[&str], lang: Lang) -> String {
    let known = match keys {
        [key] => words::named("state_field", key, lang),
        _ => None,
    };
    known.map_or_else(|| spelt(keys), str::to_owned)
}

pub(super) fn plain(value: &Value, lang: Lang) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Array(list) if list.is_empty() => say!(lang, empty).to_owned(),
        Value::Array(list) => {
            list.iter().map(|entry| plain(entry, lang)).collect::<Vec<_>>().join(say!(lang, list_comma))
        }
        Value::Object(map) => {
            let pairs = map.iter().map(|(key, value)| format!("{key}{}{}", say!(lang, colon), plain(value, lang)));
            pairs.collect::<Vec<_>>().join(say!(lang, clause_semicolon))
        }
        other => other.to_string(),
    }
}

/// Keys without separators.
fn spelt(keys: &[&str]) -> String {
    keys.join(" ").replace('_', " ")
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

#[cfg(test)]
mod state_path_tests {
    use super::*;

    #[test]
    fn words_of_fields_are_understood_below_their_things() {
        for (said, path) in [
            ("林枫.位置", "林枫.location"),
            ("人物.林枫.人际关系.陈老", "characters.林枫.relationships.陈老"),
            ("铜印 . 持有者", "铜印 .owner"),
            ("世界.故事里的时间", "world_state.time_marker"),
            ("lin-feng.location", "lin-feng.location"),
            ("位置.左手", "位置.左手"),
        ] {
            assert_eq!(typed(said), path);
        }
    }

    #[test]
    fn paths_are_said_with_names_and_what_is_unknown_stays() {
        let names = BTreeMap::from([("lin-feng".into(), "林枫".into()), ("seal".into(), "铜印".into())]);
        let said = |path| (of_path(path, &names, Lang::Zh), of_path(path, &names, Lang::En));
        for (path, zh, en) in [
            ("characters.lin-feng.location", "林枫的位置", "location of 林枫"),
            ("characters.lin-feng.relationships.chen-lao", "林枫对chen-lao的亲疏", "feelings of 林枫 for chen-lao"),
            ("characters.lin-feng.left_hand", "林枫的left hand", "left hand of 林枫"),
            ("items.seal.owner", "铜印的持有者", "owner of 铜印"),
            ("items.seal", "铜印", "铜印"),
            ("world_state.time_marker", "故事里的时间", "time of the story"),
            ("old_map", "伏笔 old_map", "plot thread old_map"),
            ("characters", "characters", "characters"),
        ] {
            assert_eq!(said(path), (zh.to_owned(), en.to_owned()));
        }
    }
}
