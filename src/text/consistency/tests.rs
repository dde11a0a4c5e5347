use super::*;
use crate::text::Named;
use serde_json::{Value, json};

fn registry() -> Registry {
    let people = [("lin-feng", "林枫"), ("guan-shi", "管十"), ("bai-ji", "白霁")];
    let named = people.map(|(id, name)| Named { id: id.into(), name: name.into(), aliases: vec![], is_person: true });
    Registry {
        index: NameIndex::new(&named),
        names: people.iter().map(|(id, name)| ((*id).into(), (*name).into())).collect(),
        retired: BTreeSet::new(),
    }
}

fn state(characters: Value, time: &str) -> State {
    let tree = json!({ "characters": characters, "world_state": { "time_marker": time } });
    let Value::Object(tree) = tree else { unreachable!() };
    State { tree, ..State::default() }
}

struct Book {
    registry: Registry,
    foreign: BTreeMap<String, String>,
}

impl Book {
    fn new() -> Self {
        Self { registry: registry(), foreign: BTreeMap::new() }
    }

    /// The findings of chapters, each with its text, and the states around them.
    fn examine(&self, chapters: &[(&str, &State, &State)]) -> Vec<(u32, Sort, String, String)> {
        let (mut examiner, line) = (Examiner::new(&self.registry), Slug::new("main-arc").unwrap());
        let mut found = Vec::new();
        for (n, (text, before, after)) in (1..).zip(chapters) {
            let title = format!("第{n}夜");
            found.extend(examiner.examine(Examined {
                chapter: ChapterNo::new(n).unwrap(),
                title: &title,
                text,
                storyline: &line,
                before,
                after,
                foreign: &self.foreign,
            }));
        }
        let row = |f: Finding| (f.chapter.get(), f.what.sort(), f.what.subject(), f.quotation);
        found.into_iter().map(row).collect()
    }
}

fn sorts(found: &[(u32, Sort, String, String)]) -> Vec<Sort> {
    found.iter().map(|(_, sort, ..)| *sort).collect()
}

#[test]
fn the_dead_neither_speak_nor_act() {
    let dead = state(json!({ "guan-shi": { "status": "死于城门" } }), "");
    let found = |text: &str| Book::new().examine(&[(text, &dead, &dead)]);
    let said = found("雨停了。管十低声说：“别回头。”");
    assert_eq!(said, [(1, Sort::Dead, "管十".into(), "管十低声说：“别回头。”".into())]);
    for text in [
        "林枫说：“管十走进来的时候，你在哪里？”",
        "他想起管十说过的话。",
        "当年管十站在城门下。",
        "管十的坟前有人。",
        "林枫看着管十的刀。",
    ] {
        assert_eq!(found(text), [], "{text}");
    }
    let back = state(json!({ "guan-shi": { "status": "原来没死" } }), "");
    assert_eq!(Book::new().examine(&[("管十说：“是我。”", &dead, &back)]), [], "a return is the story's");
    for (fields, is_dead) in [
        (json!({ "alive": false }), true),
        (json!({ "status": "生死未卜" }), false),
        (json!({ "location": "死胡同" }), false),
        (json!({ "health": "重伤" }), false),
    ] {
        assert_eq!(people::death(&fields).is_some(), is_dead, "{fields}");
    }
}

#[test]
fn people_of_other_lines_are_named_once() {
    let mut book = Book::new();
    book.foreign.insert("bai-ji".into(), "夜市线".into());
    let nothing = state(json!({}), "");
    let found = book.examine(&[("有人提起白霁。白霁是谁？", &nothing, &nothing)]);
    assert_eq!(found, [(1, Sort::Leak, "白霁".into(), "有人提起白霁。".into())]);
}

#[test]
fn an_item_is_in_one_hand_and_comes_out_of_that_hand() {
    let with = |feng: &[&str], shi: &[&str]| {
        state(json!({ "lin-feng": { "inventory": feng }, "guan-shi": { "inventory": shi } }), "")
    };
    let (before, after) = (with(&["裂了火漆的密信"], &[]), with(&["裂了火漆的密信"], &["裂了火漆的密信"]));
    let book = Book::new();
    let found = book.examine(&[("管十把密信收进怀里。", &before, &after), ("天亮了。", &after, &after)]);
    assert_eq!(sorts(&found), [Sort::TwoOwners], "told when it begins");
    let key = with(&["青铜钥匙"], &[]);
    let taken = book.examine(&[("管十从怀里掏出青铜钥匙，开了门。", &key, &key)]);
    assert_eq!(taken, [(1, Sort::NotHeld, "青铜钥匙".into(), "管十从怀里掏出青铜钥匙，开了门。".into())]);
    let given = with(&[], &["青铜钥匙"]);
    for (text, after) in [
        ("林枫掏出青铜钥匙。", &key),
        ("管十掏出青铜钥匙。", &given),
        ("管十掏出林枫的青铜钥匙。", &key),
        ("林枫说：“管十掏出青铜钥匙了？”", &key),
    ] {
        assert_eq!(book.examine(&[(text, &key, after)]), [], "{text}");
    }
    let none = with(&[], &[]);
    let lost = book.examine(&[("钥匙沉进河底。", &key, &none), ("林枫摸出青铜钥匙。", &none, &none)]);
    assert_eq!(sorts(&lost), [Sort::NotHeld], "what is lost is gone");
}

#[test]
fn ages_and_days_run_forwards() {
    let on = |time: &str| state(json!({}), time);
    let (book, nothing) = (Book::new(), on(""));
    let ages =
        |first: &str, second: &str| sorts(&book.examine(&[(first, &nothing, &nothing), (second, &nothing, &nothing)]));
    assert_eq!(ages("林枫今年十七岁。", "林枫十六岁，个子不高。"), [Sort::Age]);
    assert_eq!(ages("林枫今年17岁。", "林枫刚满三十岁。"), [Sort::Age]);
    for second in ["林枫十八岁了。", "林枫十二岁那年丢过一把伞。", "管十六十岁。", "林枫一个人走。"]
    {
        assert_eq!(ages("林枫今年十七岁。", second), [], "{second}");
    }
    let days = |first: &str, second: &str| {
        let (first, second) = (on(first), on(second));
        sorts(&book.examine(&[("雨。", &nothing, &first), ("晴。", &first, &second)]))
    };
    assert_eq!(days("十月十五号", "十月十三号"), [Sort::Date]);
    assert_eq!(days("第七天", "第3天夜里"), [Sort::Date]);
    for (first, second) in
        [("十月十五号", "十月十六号"), ("十二月三十", "正月初二"), ("腊月", "三月初一"), ("第三天", "十月初一")]
    {
        assert_eq!(days(first, second), [], "{first} {second}");
    }
}

#[test]
fn slips_odd_marks_and_titles_are_told() {
    let (book, nothing) = (Book::new(), state(json!({}), ""));
    let found = |text: &str| sorts(&book.examine(&[(text, &nothing, &nothing)]));
    assert_eq!(found("林峰推开门。林枫没有动。"), [Sort::Variant]);
    assert_eq!(found("林峰来了。林峰走了。林峰又来了。"), [], "so often it is somebody else");
    let mixed = "“甲。”“乙。”“丙。”「丁。」「戊。」「己。」";
    assert_eq!(found(mixed), [Sort::Quotes]);
    assert_eq!(found("“甲。”“乙。”“丙。”「丁」"), []);
    let registry = registry();
    let (mut examiner, line, foreign) = (Examiner::new(&registry), Slug::new("main-arc").unwrap(), BTreeMap::new());
    let mut titled = |n: u32, title: &str| {
        let (before, after) = (&nothing, &nothing);
        let chapter = ChapterNo::new(n).unwrap();
        let (text, storyline, foreign) = ("雨。", &line, &foreign);
        examiner.examine(Examined { chapter, title, text, storyline, before, after, foreign })
    };
    assert_eq!((titled(1, "夜雨").len(), titled(2, "夜雨 ").len(), titled(3, "晴").len()), (0, 1, 0));
}
