//! The dead who speak or act: planted cases, and known deaths of novels. Chapters up to a death show how many
//! appearances are found, chapters after it how many alarms are false. Run when asked: `cargo test --test it
//! figures_of_the_dead -- --ignored --nocapture`. Silent where the novels are not.

use super::name_figures::texts;
use novel::domain::state::State;
use novel::domain::{ChapterNo, Slug};
use novel::text::consistency::{ExaminedChapter, Examiner, Registry, Sort, ladders};
use novel::text::{NameIndex, NamedEntity, quotes};
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};

/// Deaths: the chapter's place among the files, and the names of the person.
const DEATHS: [(&str, &[(usize, &str)]); 3] = [
    (
        "sanguo",
        &[
            (5, "华雄"),
            (7, "孙坚 文台"),
            (9, "董卓"),
            (9, "王允"),
            (16, "典韦"),
            (19, "吕布 奉先"),
            (19, "陈宫 公台"),
            (25, "颜良"),
            (26, "文丑"),
            (29, "孙策 伯符"),
            (32, "袁绍 本初"),
            (33, "郭嘉 奉孝"),
            (53, "太史慈"),
            (57, "周瑜 公瑾"),
            (63, "庞统 士元 凤雏"),
            (69, "鲁肃 子敬"),
            (71, "夏侯渊 妙才"),
            (74, "庞德 令明"),
            (77, "关羽 关公 云长 关云长"),
            (77, "吕蒙 子明"),
            (78, "曹操 孟德"),
            (81, "张飞 翼德"),
            (83, "黄忠 汉升"),
            (83, "甘宁 兴霸"),
            (85, "刘备 玄德 先主"),
            (86, "张辽 文远"),
            (91, "马超 孟起"),
            (96, "马谡 幼常"),
            (97, "赵云 子龙"),
            (104, "诸葛亮 孔明 诸葛孔明"),
            (105, "魏延 文长"),
            (108, "司马懿 仲达"),
            (108, "孙权 仲谋"),
        ],
    ),
    (
        "hongloumeng",
        &[
            (12, "贾瑞"),
            (13, "秦可卿 可卿 秦氏"),
            (16, "秦锺"),
            (32, "金钏 金钏儿"),
            (62, "贾敬"),
            (65, "尤三姐 三姐"),
            (68, "尤二姐 二姐"),
            (76, "晴雯 睛雯"),
            (91, "司棋"),
            (94, "元春 元妃 贾妃"),
            (97, "林黛玉 黛玉"),
            (102, "金桂 夏金桂"),
            (108, "迎春"),
            (109, "贾母"),
            (110, "鸳鸯"),
            (112, "赵姨娘"),
            (113, "王熙凤 凤姐 凤姐儿"),
        ],
    ),
    (
        "qijian13xia",
        &[
            (8, "李文孝"),
            (10, "严虎"),
            (25, "皇甫良"),
            (29, "非非僧"),
            (41, "沈三"),
            (69, "铁昂"),
            (69, "殷飞红"),
            (90, "周昂"),
            (104, "池大鬓"),
            (110, "谢志山"),
            (153, "余七"),
            (171, "李自然"),
        ],
    ),
];
/// A person whom a chapter names so often outside speech appears in it.
const APPEARS: usize = 5;

/// So many planted cases are taken for appearances and are none, and so many are missed.
const FALSE: usize = 8;
const MISSED: usize = 18;

/// Examines texts as one chapter each, with these people dead: the name and the sentence of each finding.
struct Dead(Registry, State);

impl Dead {
    fn new(people: &[&str], others: &[&str]) -> Self {
        let named = |names: &&str| {
            let mut names = names.split(' ').map(str::to_owned);
            let name = names.next().unwrap();
            NamedEntity { id: name.clone(), name, aliases: names.collect(), is_person: true }
        };
        let all: Vec<NamedEntity> = people.iter().chain(others).map(named).collect();
        let dead = all[..people.len()].iter().map(|person| (person.id.clone(), json!({ "status": "已死" }))).collect();
        let tree = serde_json::Map::from_iter([("characters".to_owned(), Value::Object(dead))]);
        let registry = Registry {
            names: all.iter().map(|named| (named.id.clone(), named.name.clone())).collect(),
            people: all.iter().map(|named| named.id.clone()).collect(),
            retired: BTreeMap::new(),
            ladders: ladders([]),
            index: NameIndex::new(&all),
        };
        Self(registry, State { tree, ..State::default() })
    }

    fn found(&self, text: &str) -> Vec<(String, String)> {
        let (storyline, foreign, expected) = (Slug::new("main").unwrap(), BTreeMap::new(), BTreeSet::new());
        let examined = ExaminedChapter {
            chapter: ChapterNo::FIRST,
            title: "",
            text,
            storyline: &storyline,
            before: &self.1,
            after: &self.1,
            foreign: &foreign,
            expected: &expected,
            undone: &[],
        };
        let found = Examiner::default().examine(&self.0, examined).into_iter();
        let dead = found.filter(|finding| finding.what.sort() == Sort::Dead);
        dead.map(|finding| (finding.what.subject(), finding.quotation)).collect()
    }
}

#[test]
fn planted_cases_of_the_dead_are_told_apart() {
    let dead = Dead::new(&["管十", "苏挽晴", "老周"], &["林枫", "白霁"]);
    let (mut alarms, mut missed) = (Vec::new(), Vec::new());
    for line in include_str!("presence_cases.txt").lines() {
        let Some((sign @ ("+" | "-"), text)) = line.split_once(' ') else { continue };
        let text = text.replace("//", "\n\n***\n\n").replace('/', "\n\n");
        match (sign, dead.found(&text).is_empty()) {
            ("+", true) => missed.push(line),
            ("-", false) => alarms.push(line),
            _ => {}
        }
    }
    assert!(alarms.len() <= FALSE && missed.len() <= MISSED, "false: {alarms:#?}, missed: {missed:#?}");
}

#[test]
#[ignore = "prints figures: appearances of people that are found, and of dead people that are none"]
fn figures_of_the_dead() {
    for (book, deaths) in DEATHS {
        let texts = texts(book);
        let people: Vec<&str> = deaths.iter().map(|(_, names)| *names).collect();
        let dead = Dead::new(&people, &[]);
        let (mut appear, mut found, mut named, mut alarms) = (0, 0, 0, Vec::new());
        let mut missed = Vec::new();
        for (chapter, text) in (1..).zip(&texts) {
            let said = quotes(text);
            let is_spoken = |at: usize| said.iter().any(|quote| quote.range.contains(&at));
            let mut counts = BTreeMap::<String, usize>::new();
            for mention in dead.0.index.mentions(text).iter().filter(|mention| !is_spoken(mention.range.start)) {
                *counts.entry(mention.ids[0].clone()).or_default() += 1;
            }
            let acting = BTreeMap::from_iter(dead.found(text));
            for (death, names) in deaths {
                let name = names.split(' ').next().unwrap();
                let (acts, times) = (acting.get(name), counts.get(name).copied().unwrap_or_default());
                if chapter <= *death && times >= APPEARS {
                    appear += 1;
                    found += usize::from(acts.is_some());
                    missed.extend(acts.is_none().then(|| format!("{chapter} {name}")));
                } else if chapter > *death && times > 0 {
                    named += 1;
                    alarms.extend(acts.map(|sentence| format!("{chapter} {name}: {sentence}")));
                }
            }
        }
        eprintln!(
            "{book}: {found} of {appear} appearances found; {} alarms in {named} chapters after a death",
            alarms.len()
        );
        eprintln!("  missed {missed:?}");
        alarms.iter().for_each(|alarm| eprintln!("  {alarm}"));
    }
}
