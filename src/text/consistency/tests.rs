use super::*;
use crate::text::NamedEntity;
use serde_json::{Value, json};

fn registry() -> Registry {
    let people = [("lin-feng", "林枫"), ("guan-shi", "管十"), ("bai-ji", "白霁")];
    let named =
        people.map(|(id, name)| NamedEntity { id: id.into(), name: name.into(), aliases: vec![], is_person: true });
    Registry {
        index: NameIndex::new(&named),
        names: people.iter().map(|(id, name)| ((*id).into(), (*name).into())).collect(),
        people: people.iter().map(|(id, _)| (*id).to_owned()).collect(),
        retired: BTreeMap::new(),
        ladders: ladders(["境界分为锻体、通脉、凝元、归真四等"]),
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
    expected: BTreeSet<String>,
}

impl Book {
    fn new() -> Self {
        Self { registry: registry(), foreign: BTreeMap::new(), expected: BTreeSet::new() }
    }

    /// The findings of chapters, each with its text, and the states around them. The conflicts are those that are counted.
    fn examine(&self, chapters: &[(&str, &State, &State)]) -> Vec<(u32, Sort, String, String)> {
        let (mut examiner, line) = (Examiner::default(), Slug::new("main-arc").unwrap());
        let mut found = Vec::new();
        for (n, (text, before, after)) in (1..).zip(chapters) {
            let title = format!("第{n}夜");
            let findings = examiner.examine(
                &self.registry,
                ExaminedChapter {
                    chapter: ChapterNo::new(n).unwrap(),
                    title: &title,
                    text,
                    storyline: &line,
                    before,
                    after,
                    foreign: &self.foreign,
                    expected: &self.expected,
                    undone: &[],
                },
            );
            let conflicts = findings.iter().filter(|finding| finding.what.sort().weight() == Weight::Conflict);
            let counted: BTreeSet<(Sort, String)> =
                conflicts.map(|finding| (finding.what.sort(), finding.what.subject())).collect();
            let place = (ChapterNo::new(n).unwrap(), &line);
            let found_of = |text: &str| {
                let text = || Ok::<_, ()>(text.to_owned());
                Conflicting::of(before).conflicts(&Conflicting::of(after), place, &self.registry, text)
            };
            assert_eq!(BTreeSet::from_iter(found_of(text).unwrap()), counted, "{text}");
            found.extend(findings);
        }
        let row = |f: Inconsistency| (f.chapter.get(), f.what.sort(), f.what.subject(), f.quotation);
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
        assert_eq!(places::death(&fields).is_some(), is_dead, "{fields}");
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
    let expecting = |id: &str| Book { expected: BTreeSet::from([id.to_owned()]), ..Book::new() };
    let filled = expecting("lin-feng").examine(&[("林峰来了。林峰走了。林峰又来了。", &nothing, &nothing)]);
    assert_eq!(filled, [(1, Sort::Variant, "林峰".into(), "林峰来了。".into())], "nobody else is expected");
    for (id, text) in [
        ("guan-shi", "林峰来了。林峰走了。林峰又来了。"),
        ("lin-feng", "林峰来了。林峰走了。林峰又来了。林枫没有动。"),
        ("lin-feng", "树林风很大。树林风停了。树林风又起了。"),
    ] {
        assert_eq!(expecting(id).examine(&[(text, &nothing, &nothing)]), [], "{text}");
    }
    let mixed = "“甲。”“乙。”“丙。”「丁。」「戊。」「己。」";
    assert_eq!(found(mixed), [Sort::Quotes]);
    assert_eq!(found("“甲。”“乙。”“丙。”「丁」"), []);
    let registry = registry();
    let (mut examiner, line, foreign) = (Examiner::default(), Slug::new("main-arc").unwrap(), BTreeMap::new());
    let mut titled = |n: u32, title: &str| {
        let (before, after) = (&nothing, &nothing);
        let chapter = ChapterNo::new(n).unwrap();
        let (text, storyline, foreign, expected) = ("雨。", &line, &foreign, &BTreeSet::new());
        let undone = &[];
        examiner.examine(
            &registry,
            ExaminedChapter { chapter, title, text, storyline, before, after, foreign, expected, undone },
        )
    };
    assert_eq!((titled(1, "夜雨").len(), titled(2, "夜雨 ").len(), titled(3, "晴").len()), (0, 1, 0));
    assert_eq!((titled(4, "夜探北门").len(), titled(5, "夜探，北门").len(), titled(6, "夜闯北门").len()), (0, 1, 1));
    for (n, title) in
        [(7, "三探水牢"), (8, "四探水牢"), (9, "北门（上）"), (10, "北门（下）"), (11, "雨夜"), (12, "雪夜")]
    {
        assert_eq!(titled(n, title).len(), 0, "{title}");
    }
    assert_eq!(titled(200, "夜闯西门").len(), 0, "far away");
    assert_eq!(titled(201, "三探水牢").len(), 1, "the same is the same in the whole book");
}

/// The sorts of the findings in two chapters, one after the other, of a book in which nothing is on record.
fn after(first: &str, second: &str) -> Vec<Sort> {
    let nothing = state(json!({}), "");
    sorts(&Book::new().examine(&[(first, &nothing, &nothing), (second, &nothing, &nothing)]))
}

#[test]
fn ranks_sizes_ways_and_posts_that_jump_are_told() {
    for (first, second) in [
        ("林枫已是筑基初期。", "林枫不过是炼气三层。"),
        ("林枫如今是炼气三层。", "林枫是炼气二层。"),
        ("林枫是炼气三层。", "林枫踏入了金丹。"),
        ("林枫是炼气三层。", "林枫是炼气十二层。"),
        ("林枫已是通脉。", "锻体的林枫站在门口。"),
        ("林枫是三阶武者。", "林枫是七阶武者。"),
        ("林枫身高八尺。", "林枫身高三丈。"),
        ("管十主任关上门。", "管十科长推开门。"),
    ] {
        assert_eq!(after(first, second), [Sort::Figure], "{first} {second}");
    }
    for (first, second) in [
        ("林枫是炼气三层。", "林枫到了炼气五层。"),
        ("林枫是炼气九层。", "林枫踏入筑基。"),
        ("林枫已是筑基初期。", "林枫散功重修，是炼气一层。"),
        ("林枫已是筑基初期。", "管十是炼气三层。"),
        ("林枫已是筑基初期。", "管十说：“林枫是炼气三层。”"),
        ("林枫已是筑基初期。", "从前林枫是炼气三层。"),
        ("林枫是炼气三层。", "林枫是金丹门下。"),
        ("林枫是五品官。", "林枫已是三品官。"),
        ("林枫身高八尺。", "林枫身高七尺。"),
        ("林枫身高八尺。", "林枫身高十几丈。"),
        ("管十主任关上门。", "管十升了处长。"),
    ] {
        assert_eq!(after(first, second), [], "{first} {second}");
    }
    let nothing = state(json!({}), "");
    let steps = ["林枫是一阶武者。", "林枫是四阶武者。", "林枫是七阶武者。"];
    let found = Book::new().examine(&steps.map(|text| (text, &nothing, &nothing)));
    assert_eq!(found.len(), 1, "the book's own step from then on: {found:?}");
    assert_eq!((found[0].2.as_str(), found[0].3.as_str()), ("林枫的阶位", "林枫是四阶武者。"));
}

#[test]
fn money_from_nowhere_is_told_and_what_the_records_moved_is_not() {
    let with = |silver: u64| state(json!({ "lin-feng": { "silver": silver, "location": "北门" } }), "");
    let (poor, rich) = (with(3), with(50));
    let (first, second) = ("林枫身上只剩三两银子。", "林枫怀里揣着五十两银子。");
    let book = Book::new();
    assert_eq!(sorts(&book.examine(&[(first, &poor, &poor), (second, &poor, &poor)])), [Sort::Figure]);
    assert_eq!(book.examine(&[(first, &poor, &poor), (second, &poor, &rich)]), []);
    assert_eq!(book.examine(&[(second, &rich, &rich), (first, &rich, &rich)]), [], "money is spent");
}

#[test]
fn ages_follow_the_years_that_are_told() {
    assert_eq!(after("十七岁的林枫进了城。", "林枫年方十六岁。"), [Sort::Age]);
    assert_eq!(after("林枫今年十七岁。", "十年后，林枫回到北门。林枫已经二十七岁。"), []);
    assert_eq!(after("林枫今年十七岁。", "林枫说：“十年后再来。”林枫二十七岁。"), [Sort::Age]);
}

#[test]
fn counts_and_places_are_compared_with_the_records() {
    let with = |place: &str, silver: u64| {
        let mut state = state(json!({ "lin-feng": { "location": place } }), "");
        let items = json!({ "copper": { "display_name": "铜钱", "count": silver } });
        state.tree.insert("items".into(), items);
        state.tree.insert("locations".into(), json!({ "pier": { "display_name": "江边渡口" } }));
        state
    };
    let mut book = Book::new();
    let copper = NamedEntity { id: "copper".into(), name: "铜钱".into(), aliases: vec![], is_person: false };
    let people = [("lin-feng", "林枫"), ("guan-shi", "管十")];
    let named =
        people.map(|(id, name)| NamedEntity { id: id.into(), name: name.into(), aliases: vec![], is_person: true });
    book.registry.index = NameIndex::new(&[&named[..], &[copper]].concat());
    let (before, after) = (with("旧染坊二楼", 12), with("旧染坊二楼", 9));
    let found = |text: &str, after: &State| book.examine(&[(text, &before, after)]);
    assert_eq!(sorts(&found("袋里只剩三枚铜钱。", &before)), [Sort::Count]);
    for (text, after) in
        [("袋里只剩十二枚铜钱。", &before), ("袋里只剩九枚铜钱。", &after), ("他数出三枚铜钱。", &before)]
    {
        assert_eq!(found(text, after), [], "{text}");
    }
    let elsewhere = found("林枫坐在江边渡口抽烟。", &before);
    assert_eq!(elsewhere, [(1, Sort::Place, "林枫".into(), "林枫坐在江边渡口抽烟。".into())]);
    for text in [
        "天亮时他走出门。林枫坐在江边渡口抽烟。",
        "第二天，林枫坐在江边渡口。",
        "林枫坐在染坊里。",
        "林枫想起江边渡口。",
    ] {
        assert_eq!(found(text, &before), [], "{text}");
    }
    assert_eq!(found("林枫坐在江边渡口抽烟。", &with("江边渡口", 12)), [], "the records have the way");
}

#[test]
fn a_day_that_the_text_gives_runs_forwards() {
    let on = |time: &str| state(json!({}), time);
    let (nothing, first) = (on(""), on("十月十五号"));
    let book = Book::new();
    let told = |text: &str| sorts(&book.examine(&[("雨。", &nothing, &first), (text, &first, &first)]));
    assert_eq!(told("这天是十月十二号，雨停了。"), [Sort::Date]);
    for text in ["这天是十月十六号，雨停了。", "他说：“今天是十月十二号，对吧。”", "十月十二号的信还在。"]
    {
        assert_eq!(told(text), [], "{text}");
    }
}
