//! Defects of the story, planted in a book of thirty chapters by the offline writer, and found by `novel check` and
//! `novel foreshadow`.

use super::Tally;
use crate::common::World;
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// People who are dead from the second chapter on.
const DEAD: [&str; 8] = ["沈砚秋", "裴怀安", "曹问渠", "罗定山", "葛长林", "蒋既明", "岑望舒", "秦少陵"];
/// People who live.
const ALIVE: [&str; 8] = ["傅青禾", "石敬山", "段云峥", "简素心", "宋雪舟", "江晚照", "冯破虏", "苏木青"];
/// People of a storyline that no chapter is on.
const FOREIGN: [&str; 8] = ["陶远舟", "许灯影", "姚渡江", "卢半夏", "金错刀", "谢听雨", "魏长风", "白望川"];
const ITEMS: [&str; 8] = [
    "没有齿的青铜钥匙",
    "裂了火漆的密信",
    "刻着七道痕的顶针",
    "贴着胶布的录音笔",
    "掉了漆的车票夹",
    "没有指针的怀表",
    "锈住的铁皮盒子",
    "烧剩的红蜡烛",
];
const PLACES: [&str; 8] =
    ["江边渡口", "东门茶楼", "钟鼓楼顶", "废弃车站", "望江酒家", "石板巷口", "老戏台", "盐仓后院"];

/// A defect and where it is to be found.
struct Plant {
    kind: &'static str,
    chapter: u32,
    sort: &'static str,
    /// The words that the subject or the quotation of the finding has.
    about: String,
}

/// The book with what is planted in it.
struct Planted {
    world: World,
    plants: Vec<Plant>,
}

fn id(name: &str) -> String {
    novel::text::slug_of(name).unwrap().to_string()
}

fn volume(chapter: u32) -> u32 {
    if chapter <= 15 { 1 } else { 2 }
}

fn path_of(chapter: u32) -> String {
    format!("book/chapters/vol-{:02}/chapter-{chapter:03}.md", volume(chapter))
}

impl Planted {
    /// The book with people, items and places on record, and with what the later chapters are compared with.
    fn new() -> Self {
        let world = World::new();
        let book = world.path("book");
        let args = ["demo", book.to_str().unwrap(), "--volumes", "2", "--chapters", "30"];
        let _ = world.novel("", &args).ok();
        let line = ["storyline", "add", "--name", "夜市", "--id", "night-market", "--about", "夜市里的旧账"];
        let _ = world.novel("book", &line).ok();
        let folder = "book/characters/active";
        let model: Value = serde_json::from_str(&world.read(&format!("{folder}/tang-he-nian.json"))).unwrap();
        for (names, line) in [(DEAD, "main-arc"), (ALIVE, "main-arc"), (FOREIGN, "night-market")] {
            for name in names {
                let mut person = model.clone();
                let values = [("id", json!(id(name))), ("display_name", json!(name)), ("storylines", json!([line]))];
                values.into_iter().for_each(|(key, value)| person[key] = value);
                (person["contracts"], person["speech"]) = (json!([]), json!(""));
                world.write(&format!("{folder}/{}.json", id(name)), &format!("{person:#}\n"));
                world.write(&format!("{folder}/{}.md", id(name)), &format!("# {name}\n\n旁人。\n"));
            }
        }
        let _ = world.git("book", &["add", "."]).ok();
        let planted = Self { world, plants: Vec::new() };
        let set = |path: String, value: Value| json!({"op": "set", "path": path, "value": value});
        let add = |name: &str, item: &str| json!({"op": "add", "path": format!("characters.{}.inventory", id(name)), "value": item});
        let mut ops: Vec<Value> =
            DEAD.iter().map(|name| set(format!("characters.{}.status", id(name)), json!("死于旧宅失火"))).collect();
        ops.extend(ALIVE.iter().map(|name| set(format!("characters.{}.location", id(name)), json!("城北旧染坊"))));
        for (n, item) in ITEMS.iter().enumerate() {
            ops.push(add(ALIVE[n], item));
            let name = format!("locations.{}.display_name", id(PLACES[n]));
            ops.push(set(name, json!(PLACES[n])));
        }
        for (key, name, count) in [("copper", "铜钱", 12), ("marble", "玻璃珠", 6)] {
            ops.push(set(format!("items.{key}.display_name"), json!(name)));
            ops.push(set(format!("items.{key}.count"), json!(count)));
        }
        planted.change_delta(2, |own| own.extend(ops));
        // The records of today have the things and places, too.
        let path = "book/state/current-state.json";
        let mut state: Value = serde_json::from_str(&planted.world.read(path)).unwrap();
        let of_place = |name: &&str| (id(name), json!({"display_name": name}));
        state["locations"] = PLACES.iter().map(of_place).collect::<serde_json::Map<_, _>>().into();
        state["items"] = json!({
            "copper": {"display_name": "铜钱", "count": 12}, "marble": {"display_name": "玻璃珠", "count": 6},
        });
        planted.world.write(path, &format!("{state:#}\n"));
        let facts = ALIVE.iter().map(|name| format!("{name}今年三十七岁。\n\n{name}主任关上门。\n\n"));
        planted.say(4, &facts.collect::<String>());
        planted.say(
            4,
            "傅青禾已是筑基初期。\n\n石敬山是炼气三层。\n\n段云峥是三阶武者。\n\n简素心身高八尺。\n\n\
             宋雪舟是炼气三层。\n\n江晚照身上只剩三两银子。\n\n江边渡口到东门茶楼有八里。\n",
        );
        planted
    }

    fn change_delta(&self, chapter: u32, change: impl FnOnce(&mut Vec<Value>)) {
        let path = format!("book/state/deltas/vol-{:02}/chapter-{chapter:03}-delta.json", volume(chapter));
        let mut delta: Value = serde_json::from_str(&self.world.read(&path)).unwrap();
        change(delta["ops"].as_array_mut().unwrap());
        self.world.write(&path, &format!("{delta:#}\n"));
    }

    /// Writes something at the end of a chapter.
    fn say(&self, chapter: u32, text: &str) {
        let path = path_of(chapter);
        let whole = self.world.read(&path);
        self.world.write(&path, &format!("{}\n\n{text}\n", whole.trim_end()));
    }

    /// Writes something at the beginning of a chapter.
    fn begin_with(&self, chapter: u32, text: &str) {
        let path = path_of(chapter);
        let whole = self.world.read(&path);
        let (heading, body) = whole.split_once("\n\n").unwrap();
        self.world.write(&path, &format!("{heading}\n\n{text}\n\n{body}"));
    }

    fn plant(&mut self, kind: &'static str, chapter: u32, sort: &'static str, about: &str) {
        self.plants.push(Plant { kind, chapter, sort, about: about.to_owned() });
    }

    fn people_and_items(&mut self) {
        let acts = [
            "{}低声说：“别回头。”",
            "{}推开门，看了一眼屋里的人。",
            "{}点了点头，没有再说什么。",
            "“走吧。”{}说。",
            "{}叹了口气，把灯拨亮了些。",
            "{}递过来一只信封。",
            "{}坐在窗边，一直没有开口。",
            "屋里只剩{}，他笑了笑。",
        ];
        let uses =
            ["{}从怀里掏出", "{}摸出", "{}取出", "{}从包里翻出", "{}拿出", "{}握紧", "{}举起", "{}把手伸进袋里，攥着"];
        let mentions = ["有人提起{}。", "他想起{}的话。", "{}是谁，没人肯说。", "信是{}写的。"];
        for n in 0..8 {
            let chapter = 5 + n as u32;
            self.say(chapter, &acts[n].replace("{}", DEAD[n]));
            self.plant("dead speaks", chapter, "dead", DEAD[n]);
            let chapter = 8 + n as u32;
            self.say(chapter, &format!("{}{}。", uses[n].replace("{}", ALIVE[(n + 1) % 8]), ITEMS[n]));
            self.plant("item not held", chapter, "not-held", ITEMS[n]);
            let chapter = 20 + n as u32;
            self.say(chapter, &mentions[n % 4].replace("{}", FOREIGN[n]));
            self.plant("leaked line", chapter, "leak", FOREIGN[n]);
            let second = json!({"op": "add", "path": format!("characters.{}.inventory", id(ALIVE[(n + 3) % 8])), "value": ITEMS[n]});
            self.change_delta(18 + n as u32, |ops| ops.push(second));
            self.plant("two hands", 18 + n as u32, "two-owners", ITEMS[n]);
        }
    }

    fn places_and_times(&mut self) {
        let is_at = ["{}坐在@抽烟。", "{}站在@，没有抬头。", "{}靠在@的柱子上。", "{}守在@，手里一盏灯。"];
        let ages = [
            "{}今年三十五岁。",
            "{}才二十九岁。",
            "五十二岁的{}不肯开口。",
            "{}刚满十八岁。",
            "{}已经六十岁了。",
            "{}年方二十岁。",
            "{}今年44岁。",
            "{}不过三十岁。",
        ];
        let days = ["这天是{}，雨没有停。", "今天是{}。", "这一天是{}，街上没有人。", "正是{}，灯都灭了。"];
        for n in 0..8 {
            let chapter = 6 + n as u32;
            self.begin_with(chapter, &is_at[n % 4].replace("{}", ALIVE[n]).replace('@', PLACES[n]));
            self.plant("place jump", chapter, "place", ALIVE[n]);
            let chapter = 14 + n as u32;
            self.say(chapter, &ages[n].replace("{}", ALIVE[n]));
            self.plant("age", chapter, "age", ALIVE[n]);
            let chapter = 15 + 2 * n as u32;
            if n < 4 {
                self.say(chapter, &days[n].replace("{}", "九月二号"));
            } else {
                self.change_delta(chapter, |ops| {
                    ops.retain(|op| op["path"] != "world_state.time_marker");
                    ops.push(json!({"op": "set", "path": "world_state.time_marker", "value": "九月三号"}));
                });
            }
            self.plant("date", chapter, "date", "九月");
        }
    }

    fn figures(&mut self) {
        let posts = ["{}科长推开门。", "{}局长不说话。", "处长{}不说话。", "{}组长看了看表。"];
        for n in 0..8 {
            let chapter = 12 + n as u32;
            self.say(chapter, &posts[n % 4].replace("{}", ALIVE[n]));
            self.plant("wrong title", chapter, "figure", &format!("{}的职衔", ALIVE[n]));
        }
        for (n, (text, sort, about)) in [
            ("江晚照怀里揣着五十两银子。", "figure", "江晚照的银两"),
            ("傅青禾不过是炼气三层。", "figure", "傅青禾的境界"),
            ("石敬山踏入了金丹。", "figure", "石敬山的境界"),
            ("段云峥是七阶武者。", "figure", "段云峥的阶位"),
            ("简素心身高三丈。", "figure", "简素心的高度"),
            ("宋雪舟是炼气十二层。", "figure", "宋雪舟的境界"),
            ("江边渡口到东门茶楼足有三十里。", "figure", "江边渡口"),
            ("袋里只剩三枚铜钱。", "count", "铜钱"),
            ("盒里还剩九颗玻璃珠。", "count", "玻璃珠"),
        ]
        .into_iter()
        .enumerate()
        {
            let chapter = 16 + n as u32;
            self.say(chapter, text);
            self.plant("number jump", chapter, sort, about);
        }
    }

    /// Titles that come again or differ in a character, and steps of foreshadowings that are not taken.
    fn plans(&mut self) {
        let heading = |world: &World, chapter: u32| world.read(&path_of(chapter)).lines().next().unwrap().to_owned();
        for n in 0..8 {
            let (from, to) = (3 + n, 21 + n);
            let title = heading(&self.world, from).rsplit_once(' ').unwrap().1.to_owned();
            let near: String = title.chars().enumerate().map(|(at, c)| if at == 1 { '换' } else { c }).collect();
            let title = if n % 2 == 0 { title } else { near };
            let whole = self.world.read(&path_of(to));
            let (_, body) = whole.split_once('\n').unwrap();
            self.world.write(&path_of(to), &format!("# 第{to}章 {title}\n{body}"));
            self.plant("chapter title", to, "title", &title);
        }
        for chapter in 1..=30 {
            let mut gone = Vec::new();
            self.change_delta(chapter, |ops| {
                let is_step = |op: &Value| op["op"] == "foreshadow" && op["value"] != "planted";
                gone = ops.iter().filter(|op| is_step(op)).map(|op| op["path"].as_str().unwrap().to_owned()).collect();
                ops.retain(|op| !is_step(op));
            });
            for id in gone {
                self.plant("objective", chapter, "task", &id);
            }
        }
    }

    /// Foreshadowings whose time is over.
    fn ledger(&mut self) -> Vec<String> {
        let path = "book/foreshadowing/global.json";
        let mut ledger: Value = serde_json::from_str(&self.world.read(path)).unwrap();
        let entries = ledger["foreshadowing"].as_array_mut().unwrap();
        let ids: Vec<String> = (0..8).map(|n| format!("late_{n}")).collect();
        for (n, id) in ids.iter().enumerate() {
            let mut entry = entries[0].clone();
            let planted = 5 + n;
            entry["id"] = json!(id);
            entry["description"] = json!(format!("{}不见了", ITEMS[n]));
            (entry["scope"], entry["status"]) = (json!("short"), json!("planted"));
            (entry["planted_chapter"], entry["last_updated_chapter"]) = (json!(planted), json!(planted));
            entry["target_resolve_range"] = json!([planted + 3, planted + 8 + n]);
            entry["history"] = json!([{"chapter": planted, "action": "planted", "detail": "不见了"}]);
            entries.push(entry);
        }
        self.world.write(path, &format!("{ledger:#}\n"));
        ids
    }

    /// The findings of `novel check`: chapter, sort, subject and quotation.
    fn check(&self) -> Vec<[String; 4]> {
        self.world.commit("book", "the author's words");
        let report = self.world.novel("book", &["check", "--json"]).json();
        let field = |finding: &Value, key: &str| match &finding[key] {
            Value::String(text) => text.clone(),
            other => other.to_string(),
        };
        let findings = report["findings"].as_array().unwrap();
        findings.iter().map(|f| ["chapter", "sort", "subject", "quotation"].map(|key| field(f, key))).collect()
    }
}

/// The characters of the book's chapters.
fn length(world: &World) -> usize {
    (1..=30).map(|chapter| world.read(&path_of(chapter)).chars().count()).sum()
}

#[test]
fn defects_of_a_story_are_found() {
    let mut planted = Planted::new();
    let (clean, letters) = (planted.check(), length(&planted.world));
    let mut tally = Tally::default();
    for _ in &clean {
        tally.false_alarm("clean book");
    }
    assert_eq!(clean, Vec::<[String; 4]>::new());
    planted.people_and_items();
    planted.places_and_times();
    planted.figures();
    planted.plans();
    let late = planted.ledger();
    let found = planted.check();
    let mut left: BTreeMap<usize, &[String; 4]> = found.iter().enumerate().collect();
    for plant in &planted.plants {
        let chapter = format!("{}", plant.chapter);
        let is_it = |[at, sort, subject, quotation]: &[String; 4]| {
            let is_there = at.trim_start_matches("ch-").trim_start_matches('0') == chapter;
            is_there && sort == plant.sort && (subject.contains(&plant.about) || quotation.contains(&plant.about))
        };
        let hit = left.iter().find(|(_, finding)| is_it(finding)).map(|(at, _)| *at);
        hit.map(|at| left.remove(&at));
        tally.planted(plant.kind, hit.is_some(), &format!("{} {}", plant.chapter, plant.about));
    }
    for finding in left.values() {
        eprintln!("not planted: {finding:?}");
        tally.false_alarm("other");
    }
    let foreshadowing = planted.world.novel("book", &["foreshadow", "--json"]).json();
    let all = foreshadowing["foreshadowing"].as_array().unwrap();
    for id in late {
        let is_found = all.iter().any(|entry| entry["id"] == id.as_str() && entry["standing"] == "overdue");
        tally.planted("overdue", is_found, &id);
    }
    tally.show(letters);
}
