//! Names for people: those of the domain's closed sets, those of the things of a book in place of their ids, paths of the state,
//! and lists in a language.

use crate::agents::context::Cut;
use crate::domain::book::checkpoint::Phase;
use crate::domain::book::config::Agent;
use crate::domain::book::work::{Part, PlanStage, Step, Work};
use crate::domain::chapter::evaluation::{Confidence, Dimension, Finding};
use crate::domain::chapter::stage::{Decision, PipelineStage, Stage};
use crate::domain::chapter::summary::{ChapterKind, Hook};
use crate::domain::chapter::{Gate, SceneNo, Scenes};
use crate::domain::impact::ItemKind;
use crate::domain::metrics::Measure;
use crate::domain::state::Category;
use crate::domain::volume::foreshadowing::{Action, Scope};
use crate::domain::volume::inventory::Standing;
use crate::domain::world::contract::{Layer, Strength};
use crate::domain::world::storyline::{Reach, Status, VolumeRole};
use crate::domain::world::style::StyleSource;
use crate::report::prelude::*;
use crate::report::{Lang, catalogue};
use crate::store::{Kind, template};
use crate::text;
use serde_json::Value;
use std::fmt::Display;

/// A closed set whose members have names in `names.txt`, after the set and the member: `phase_quick_start` is the name of
/// `Phase::QuickStart`.
pub trait Words: Copy + std::fmt::Debug {
    fn say(self, lang: Lang) -> &'static str {
        let set = std::any::type_name::<Self>().rsplit("::").next().unwrap_or_default();
        catalogue::name(&snake(&format!("{set}{self:?}")), lang).unwrap_or_default()
    }
}

/// The name of a member of an open set, such as a character's role; `None` for an unusual member.
pub fn named(set: &str, member: &str, lang: Lang) -> Option<&'static str> {
    catalogue::name(&format!("{set}_{}", member.replace([' ', '-', '.'], "_")), lang)
}

/// `QuickStart` as `quick_start`.
fn snake(camel: &str) -> String {
    let mut out = String::with_capacity(camel.len() + 8);
    for c in camel.chars() {
        if c.is_ascii_uppercase() && !out.is_empty() {
            out.push('_');
        }
        out.push(c.to_ascii_lowercase());
    }
    out
}

impl Words for Phase {}
impl Words for ItemKind {}
impl Words for Measure {}
impl Words for PipelineStage {}
impl Words for Stage {}
impl Words for Step {}
impl Words for ChapterKind {}
impl Words for Hook {}
impl Words for PlanStage {}
impl Words for Status {}
impl Words for Reach {}
impl Words for VolumeRole {}
impl Words for StyleSource {}
impl Words for Gate {}
impl Words for Decision {}
impl Words for Cut {}
impl Words for Agent {}
impl Words for Dimension {}
impl Words for Layer {}
impl Words for Strength {}
impl Words for Finding {}
impl Words for Confidence {}
impl Words for Kind {}
impl Words for Action {}
impl Words for Standing {}
impl Words for Scope {}

impl Words for Part {
    fn say(self, lang: Lang) -> &'static str {
        match self {
            Self::Chapter(stage) => stage.say(lang),
            Self::Plan(stage) => stage.say(lang),
        }
    }
}

/// A character's role in the author's language; an unusual one stays.
pub fn role(role: &str, lang: Lang) -> &str {
    named("role", role, lang).unwrap_or(role)
}

/// A piece of work at the head of a line: by its id, or on a Chinese screen a step by its name.
pub fn of_work(work: Work, lang: Lang) -> String {
    match (work, lang) {
        (Work::Step(step), Lang::Zh) => step.say(lang).to_owned(),
        _ => work.to_string(),
    }
}

/// A stage of a piece of work. Stages of a step need no prefix.
pub fn of_stage(work: Work, part: Part, scene: Option<SceneNo>, lang: Lang) -> String {
    let part = of_part(part, scene, lang);
    match work {
        Work::Step(_) => part,
        work => format!("{work} {part}"),
    }
}

/// A part of the work, with the number of a scene: `写场 2/4`.
pub fn of_part(part: Part, scene: Option<SceneNo>, lang: Lang) -> String {
    scene.map_or_else(|| part.say(lang).to_owned(), |scene| format!("{} {scene}", part.say(lang)))
}

/// The progress of a chapter's scenes: `scene 2 of 4`.
pub fn of_scenes(scenes: Scenes, lang: Lang) -> String {
    let Scenes { written, planned } = scenes;
    say!(lang, words_scene_of(written, planned))
}

/// Names as a list: `a, b` or `a、b`.
pub fn listed<T: Display>(names: impl IntoIterator<Item = T>, lang: Lang) -> String {
    let names: Vec<String> = names.into_iter().map(|name| name.to_string()).collect();
    names.join(say!(lang, list_comma))
}

/// Ascending chapters with ranges: `3–5、9`. Commands use [`figures::runs`].
pub fn chapters(chapters: &[ChapterNo], lang: Lang) -> String {
    let runs = figures::runs(chapters.iter().map(|chapter| chapter.get()));
    runs.replace('-', "–").replace(',', say!(lang, list_comma))
}

/// The built-in styles as typed, with their names in Chinese.
pub fn presets(lang: Lang) -> String {
    let shown = template::PRESETS.iter().map(|preset| match lang {
        Lang::Zh => format!("{}（{}）", preset.id, preset.name),
        Lang::En => preset.id.to_owned(),
    });
    listed(shown, lang)
}

/// A style in a commit's subject: a built-in one by its name for people.
pub fn style(name: &str, lang: Lang) -> &str {
    template::preset_called(name).map_or(name, |preset| lang.pick(preset.name, preset.id))
}

pub fn quoted(path: impl Display) -> String {
    let path = path.to_string();
    let plain = |c: char| c.is_alphanumeric() || matches!(c, '/' | '.' | '-' | '_' | '+' | '@' | ':' | '=');
    match path.chars().all(plain) && !path.is_empty() && !path.starts_with('=') {
        true => path,
        false => format!("'{}'", path.replace('\'', r"'\''")),
    }
}

/// The part of a long answer that is shown on a screen. JSON has the whole.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Extent {
    /// About a screen; the rest is summed up.
    Brief,
    Whole,
}

impl From<bool> for Extent {
    fn from(all: bool) -> Self {
        if all { Self::Whole } else { Self::Brief }
    }
}

impl Extent {
    /// The shown rows in order, and the number of the others. In brief, at most `most` are shown: those with the
    /// highest `rank`, and of equal ones the last.
    pub(super) fn of_rows<T, R: Ord>(self, rows: &[T], most: usize, rank: impl Fn(&T) -> R) -> (Vec<&T>, usize) {
        if self == Self::Whole || rows.len() <= most {
            return (rows.iter().collect(), 0);
        }
        let mut numbers: Vec<usize> = (0..rows.len()).collect();
        numbers.sort_by_key(|at| std::cmp::Reverse((rank(&rows[*at]), *at)));
        numbers.truncate(most);
        numbers.sort_unstable();
        (numbers.iter().map(|at| &rows[*at]).collect(), rows.len() - most)
    }
}

#[cfg(test)]
mod lists_tests {
    use super::*;

    #[test]
    fn paths_are_quoted_only_where_a_shell_needs_it() {
        assert_eq!(quoted("/书/第1本"), "/书/第1本");
        assert_eq!(quoted("我的 书"), "'我的 书'");
        assert_eq!(quoted("it's"), r"'it'\''s'");
    }

    #[test]
    fn in_brief_the_gravest_and_then_the_last_are_shown_in_their_order() {
        let rows = [(1, 'a'), (0, 'b'), (0, 'c'), (1, 'd'), (0, 'e')];
        let shown = |extent: Extent, most| {
            let (rows, left) = extent.of_rows(&rows, most, |row| row.0);
            (rows.into_iter().map(|row| row.1).collect::<String>(), left)
        };
        assert_eq!(shown(Extent::Brief, 3), ("ade".to_owned(), 2));
        assert_eq!(shown(Extent::Brief, 5), ("abcde".to_owned(), 0));
        assert_eq!(shown(Extent::Whole, 3), ("abcde".to_owned(), 0));
    }
}

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
        [key] => named("state_field", key, lang),
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::catalogue::{en, zh};
    use std::collections::BTreeSet;
    use std::path::Path;

    fn sources(folder: &Path, all: &mut String) {
        for entry in folder.read_dir().unwrap() {
            let path = entry.unwrap().path();
            match path.is_dir() {
                true => sources(&path, all),
                false => all.push_str(&std::fs::read_to_string(&path).unwrap()),
            }
        }
    }

    fn variants<'s>(all: &'s str, name: &str) -> Vec<Vec<&'s str>> {
        let head = format!(" enum {name} {{\n");
        let bodies = all.split(&head).skip(1).filter_map(|rest| rest.split_once('}'));
        let lines = bodies.map(|(body, _)| body.lines().map(str::trim).filter(|line| !line.starts_with(['/', '#'])));
        let name = |line: &'s str| line.split([' ', ',']).next().filter(|name| !name.is_empty());
        lines.map(|lines| lines.filter_map(name).collect()).collect()
    }

    #[test]
    fn each_member_of_a_closed_set_has_a_name_and_each_name_a_member() {
        let mut all = String::new();
        sources(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src"), &mut all);
        let ids = |names: &[(&'static str, &str)]| names.iter().map(|(id, _)| *id).collect::<BTreeSet<_>>();
        let mut unused = ids(zh::NAMES);
        assert_eq!(unused, ids(en::NAMES));
        let sets = all.split("\nimpl Words for ").skip(1).filter_map(|rest| rest.split_once(" {}"));
        // `Part` has the names of its stages.
        for (set, _) in sets.filter(|(set, _)| !set.contains(' ')) {
            let is_named = |variant: &&str| unused.contains(snake(&format!("{set}{variant}")).as_str());
            let found =
                variants(&all, set).into_iter().find(|variants| !variants.is_empty() && variants.iter().all(&is_named));
            for variant in found.unwrap_or_else(|| panic!("not all members of {set} have names")) {
                unused.remove(snake(&format!("{set}{variant}")).as_str());
            }
        }
        let open = ["clap_", "git_phase_", "man_heading_", "part_", "role_", "setting_", "state_field_"];
        unused.retain(|id| !open.iter().any(|set| id.starts_with(set)));
        assert!(unused.is_empty(), "{unused:?}");
        assert_eq!(
            (Phase::QuickStart.say(Lang::Zh), role("mentor", Lang::Zh), role("赶尸人", Lang::Zh)),
            ("起步", "导师", "赶尸人")
        );
    }

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
