//! The people of a book, and how a character retires.

use crate::common::World;
use serde_json::{Value, json};

fn read(world: &World, path: &str) -> Value {
    serde_json::from_str(&world.read(path)).unwrap()
}

#[test]
fn somebody_whom_nothing_needs_leaves_in_one_commit_and_can_come_back() {
    let world = World::new();
    let book = world.demo_with(3);
    // The author's extra fields in a relationship, saved just now, are not lost.
    let mut relations = read(&world, "book/characters/relationships.json");
    relations["relationships"]
        .as_array_mut()
        .unwrap()
        .push(json!({"from": "qin-yuanshan", "to": "lao-ge", "since": 3}));
    let list = relations["relationships"].as_array_mut().unwrap();
    let kept = list.iter_mut().find(|relation| !relation.to_string().contains("lao-ge")).unwrap();
    kept["since"] = json!("第一夜");
    world.write("book/characters/relationships.json", &format!("{relations:#}\n"));
    let mut state = read(&world, "book/state/current-state.json");
    state["characters"]["lao-ge"] = json!({"display_name": "葛望潮", "location": "值班室"});
    world.write("book/state/current-state.json", &format!("{state:#}\n"));
    world.write("book/characters/active/lao-ge.md", "# 葛望潮\n\n我改过的小传。\n");

    let before = world.subjects(book).len();
    let done = world.novel(book, &["character", "retire", "lao-ge", "--reason", "上了夜船", "--json"]).json_lines();
    let done = done.last().unwrap();
    assert_eq!(done["summary"], "retire: 葛望潮");
    assert_eq!(done["named_in"][0]["file"], "volumes/vol-01/outline.md");
    assert!(done["named_in"][0]["chapters"].as_array().unwrap().contains(&json!("ch-004")), "{done}");
    let log = world.subjects(book);
    assert!(log.len() == before + 2 && log[0] == "retire: 葛望潮" && log[1].starts_with("hand edit: "), "{log:?}");
    let body = world.git(book, &["log", "-1", "--format=%B"]).ok();
    assert!(body.contains("上了夜船\n") && body.contains("Novel-Character: lao-ge"), "{body}");
    assert!(body.contains("Novel-Kind: retire"), "{body}");
    assert!(world.read("book/characters/retired/lao-ge.md").contains("我改过的小传"));
    assert!(!world.path("book/characters/active/lao-ge.json").exists());
    let relations = read(&world, "book/characters/relationships.json");
    let text = relations.to_string();
    assert!(!text.contains("lao-ge") && text.contains("第一夜"), "{text}");
    let state = read(&world, "book/state/current-state.json");
    assert_eq!(state["characters"].get("lao-ge"), None);
    assert_eq!(state["state_version"], 3);
    assert_eq!(state["characters"]["wen-xiaoman"]["relationships"]["lao-ge"], 2, "what others feel stays");
    assert_eq!(world.git(book, &["status", "--porcelain"]).ok(), "");

    // The same command again has nothing to do; another one is told so.
    let again = world.novel(book, &["character", "retire", "lao-ge", "--reason", "上了夜船", "--json"]).json();
    assert_eq!(again["commit"], done["commit"]);
    let other = world.novel(book, &["--lang", "en", "character", "retire", "lao-ge"]).fails(1);
    assert!(other.stderr.contains("has already retired from the story"), "{other:#?}");
    let _ = world.novel(book, &["character", "update", "lao-ge", "他回来了"]).fails(1);
    assert_eq!(world.subjects(book), log);

    // The story goes on, and its state is still what the chapters make of it.
    let _ = world.novel(book, &["continue", "2"]).ok();
    let _ = world.novel(book, &["doctor"]).ok();
    let _ = world.novel(book, &["rollback", "ch-3", "--yes"]).ok();
    let _ = world.novel(book, &["doctor"]).ok();
    world.check(book);
}

#[test]
fn a_retirement_can_be_undone_and_an_id_is_never_given_again() {
    let world = World::new();
    let book = world.demo_with(1);
    let before = world.tree(book);
    let _ = world.novel(book, &["character", "retire", "lao-ge"]).ok();
    let _ = world.novel(book, &["undo"]).ok();
    assert_eq!(world.tree(book), before);
    let _ = world.novel(book, &["character", "retire", "lao-ge"]).ok();
    let _ = world.novel(book, &["character", "add", "老葛，值夜班的调度员"]).ok();
    assert!(world.path("book/characters/retired/lao-ge.json").exists());
    assert!(world.path("book/characters/active/lao-ge-2.json").exists());
}

#[test]
fn whoever_is_needed_stays_and_every_reason_is_named_with_its_file() {
    let world = World::new();
    let book = world.demo_with(3);
    let head = world.git(book, &["rev-parse", "HEAD"]).ok();
    let refused = world.novel(book, &["--lang", "en", "character", "retire", "wen-xiaoman"]).fails(1);
    for part in [
        "`brother_name` (medium) is still open: foreshadowing/global.json",
        "`main-arc` (active) is told from this character's point of view: storylines/storylines.json",
        "share this character: storylines/storylines.json",
        "planned for ch 7–8: volumes/vol-01/storyline-schedule.json",
        "novel continue",
    ] {
        assert!(refused.stderr.contains(part), "{part}: {refused:#?}");
    }
    let told = world.novel(book, &["character", "retire", "wen-xiaoman", "--json"]).fails(1).json();
    assert_eq!(told["error"]["causes"].as_array().unwrap().len(), 4, "{told}");
    assert_eq!(world.git(book, &["rev-parse", "HEAD"]).ok(), head);
    let nobody = world.novel(book, &["--lang", "zh", "character", "retire", "nobody"]).fails(1);
    assert!(nobody.stderr.contains("在场人物里没有 `nobody`"), "{nobody:#?}");
    let _ = world.novel(book, &["character", "retire", "../x"]).fails(1);
}

#[test]
fn a_plan_that_waits_keeps_the_people_of_its_meetings() {
    let world = World::new();
    let book = world.demo_with(8);
    let _ = world.novel(book, &["review", "vol-01"]).ok();
    let _ = world.novel(book, &["plan", "make", "--chapters", "8"]).fails(3);
    let path = "book/staging/volumes/vol-02/storyline-schedule.json";
    let mut schedule = read(&world, path);
    schedule["convergence_events"] = json!([{"chapter_range": [12, 13], "involved_storylines": ["main-arc", "clean-hands"],
        "trigger": "葛望潮回到值班室", "aftermath": ""}]);
    world.write(path, &format!("{schedule:#}\n"));
    let _ = world.novel(book, &["plan", "edit"]).fails(3);
    let refused = world.novel(book, &["--lang", "en", "character", "retire", "lao-ge"]).fails(1);
    assert!(refused.stderr.contains("staging/volumes/vol-02/storyline-schedule.json"), "{refused:#?}");
    assert!(refused.stderr.contains("novel plan reject"), "{refused:#?}");
    let _ = world.novel(book, &["plan", "reject"]).ok();
    let _ = world.novel(book, &["character", "retire", "lao-ge"]).ok();
}

#[test]
fn everybody_is_listed_with_the_last_chapter_that_names_them() {
    let world = World::new();
    let book = world.demo_with(3);
    let _ = world.novel(book, &["character", "retire", "lao-ge"]).ok();
    let list = world.novel(book, &["character", "list", "--json"]).json();
    let people = list["characters"].as_array().unwrap();
    let of = |id: &str| people.iter().find(|person| person["id"] == id).unwrap();
    assert_eq!((people.len(), of("wen-xiaoman")["status"].clone()), (5, json!("active")));
    assert_eq!((&of("lao-ge")["status"], people.last().unwrap()), (&json!("retired"), of("lao-ge")));
    assert_eq!(of("wen-xiaoman")["last_seen"], 3);
    let text = world.novel(book, &["character", "list", "--lang", "zh"]).ok();
    assert!(text.contains("闻小满") && text.contains("已退场") && text.contains("ch-003"), "{text}");
}

#[test]
fn killed_anywhere_somebody_is_here_or_gone_and_the_same_command_finishes() {
    let world = World::new();
    let retire = ["character", "retire", "lao-ge", "--reason", "上了夜船"];
    let _ = world.demo_with(1);
    let before = world.tree("book");
    world.write("book/brief.md", "写到一半\n");
    let places = world.places("book", &retire);
    assert!(places.len() > 5, "{places:?}");
    for point in places.iter().filter(|place| place.ends_with("#1")) {
        world.copy("book", "killed");
        world.dies("killed", &retire, point);
        let _ = world.novel("killed", &["status"]).ok();
        let _ = world.novel("killed", &retire).ok();
        let log = world.subjects("killed");
        assert_eq!(log[..2], ["retire: 葛望潮".to_owned(), "hand edit: brief.md".to_owned()], "{point}");
        assert_eq!(log.len(), 4, "{point}: {log:?}");
        assert_eq!(world.git("killed", &["status", "--porcelain"]).ok(), "", "{point}");
        assert_eq!(world.read("killed/brief.md"), "写到一半\n");
        assert_ne!(world.tree("killed"), before);
        let _ = world.novel("killed", &["doctor"]).ok();
        world.check("killed");
    }
}

#[test]
fn a_chapter_in_flight_goes_on_after_somebody_has_left() {
    let world = World::new();
    let book = world.demo_with(1);
    world.write("book/brief.md", &format!("{}\n离线评分(ch-002): 2.4, 4.2\n", world.read("book/brief.md")));
    let _ = world.novel(book, &["continue"]).fails(3);
    let _ = world.novel(book, &["character", "retire", "lao-ge"]).ok();
    let _ = world.novel(book, &["decide", "revise"]).ok();
    let _ = world.novel(book, &["continue"]).ok();
    assert!(world.path("book/characters/retired/lao-ge.json").exists());
    let _ = world.novel(book, &["doctor"]).ok();
    world.check(book);
}

/// The sentences that the author adds to two chapters, with people whom no file describes.
const MINOR: [(&str, &str); 2] = [
    (
        "book/chapters/vol-01/chapter-002.md",
        "赵掌柜笑道：“客官来得早。”赵掌柜摇头，说没有房了。白霁站在门口，没有说话。白霁看了他一眼，把伞收了。",
    ),
    ("book/chapters/vol-01/chapter-004.md", "白霁点头。白霁把门推开。众人都笑。众人又说了一阵。"),
];

#[test]
fn people_without_a_file_are_listed_and_the_writer_meets_them_again() {
    let world = World::new();
    let book = world.demo_with(5);
    for (path, text) in MINOR {
        world.write(path, &format!("{}\n{text}\n", world.read(path)));
    }
    world.commit("book", "a shopkeeper and a woman");
    let list = world.novel(book, &["character", "list", "--json"]).json();
    let minor = list["minor"].as_array().unwrap();
    let of = |name: &str| minor.iter().find(|person| person["name"] == name).unwrap();
    assert_eq!((&of("白霁")["last_seen"], &of("白霁")["times"]), (&json!(4), &json!(4)));
    assert_eq!((&of("赵掌柜")["last_seen"], &of("赵掌柜")["times"]), (&json!(2), &json!(2)));
    assert!(minor.iter().all(|person| person["name"] != "众人"), "{minor:?}");
    let text = world.novel(book, &["character", "list", "--lang", "zh"]).ok();
    assert!(text.contains("还没有档案的") && text.contains("novel character add "), "{text}");
    let prompt = world.novel(book, &["context", "6", "--agent", "writer", "--prompt"]).ok();
    assert!(prompt.contains("没有档案的人物，再写到时名字和身份照旧：\n- "), "{prompt}");
    assert!(prompt.contains("- 白霁：最近在第4章（"), "{prompt}");
    // One with a file is no longer among them.
    let folder = "book/characters/active";
    let person = world.read(&format!("{folder}/lao-ge.json"));
    let mut person: Value = serde_json::from_str(&person).unwrap();
    (person["id"], person["display_name"], person["aliases"]) = (json!("bai-ji"), json!("白霁"), json!([]));
    person["contracts"] = json!([]);
    world.write(&format!("{folder}/bai-ji.json"), &format!("{person:#}\n"));
    world.write(&format!("{folder}/bai-ji.md"), "# 白霁\n\n撑伞的女人。\n");
    let _ = world.git(book, &["add", "characters"]).ok();
    world.commit("book", "a file for her");
    let list = world.novel(book, &["character", "list", "--json"]).json();
    let names: Vec<&Value> = list["minor"].as_array().unwrap().iter().map(|person| &person["name"]).collect();
    assert!(names.contains(&&json!("赵掌柜")) && !names.contains(&&json!("白霁")), "{list:#}");
}

/// A chapter of `pairs` exchanges in which both speak in the same way, and one of them has a habit.
fn exchange(number: u32, pairs: usize) -> String {
    let things = ["门", "灯", "船", "信", "刀", "人", "路", "钱", "雨", "书", "井", "桥", "伞", "马", "碑", "酒"];
    let said = |n: usize| format!("{}的事先放一放，{}你看见了没有？", things[n % 16], things[n * 7 / 16 % 16]);
    let lines: String = (0..pairs)
        .map(|n| {
            let at = n + number as usize * pairs;
            let habit = if n % 3 == 0 { "天晓得怎么回事，" } else { "" };
            format!("程既白道：“{habit}{}”\n\n“{}”闻小满说。\n\n", said(at), said(at))
        })
        .collect();
    format!("# 第{number}章 夜话\n\n{lines}雨停了。\n")
}

#[test]
fn voices_that_sound_alike_are_told_to_the_author_and_to_the_writer() {
    let world = World::new();
    world.write("home/.gitconfig", "[user]\nname = A\nemail = a@b\n");
    let book = world.demo_with(2);
    for number in 1..=2 {
        world.write(&format!("book/chapters/vol-01/chapter-00{number}.md"), &exchange(number, 60));
    }
    let _ = world.git(book, &["commit", "-qam", "my own dialogue"]).ok();

    let voices = world.novel(book, &["character", "voices", "--json"]).json();
    assert_eq!((&voices["lines"], &voices["attributed"]), (&json!(240), &json!(240)), "{voices}");
    let row = |id: &str| voices["people"].as_array().unwrap().iter().find(|row| row["id"] == id).unwrap().clone();
    let (cheng, wen) = (row("cheng-jibai"), row("wen-xiaoman"));
    assert_eq!((&cheng["lines"], &cheng["questions"]), (&json!(120), &json!(1.0)));
    assert_eq!(cheng["tics"], json!([{"words": "天晓得怎么回事", "kind": "phrase", "times": 40}]), "{cheng}");
    assert_eq!(wen["tics"], json!([]), "the same line of both is no habit of one");
    let text = world.novel(book, &["--lang", "zh", "character", "voices"]).ok();
    assert!(text.contains("程既白") && text.contains("120 句里有 40 句含“天晓得怎么回事”"), "{text}");
    let near = world.novel(book, &["character", "voices", "--last", "1", "--json"]).json();
    assert_eq!((&near["chapters"], &near["lines"]), (&json!([2, 2]), &json!(120)));

    let prompt = world.novel(book, &["context", "3", "--agent", "writer", "--prompt"]).ok();
    let told = prompt.split("<人物口吻>").nth(1).and_then(|rest| rest.split("</人物口吻>").next()).unwrap();
    assert!(told.contains("程既白近来 120 句里有 40 句带“天晓得怎么回事”"), "{told}");
    assert!(told.lines().filter(|line| line.starts_with("- ")).count() <= 4, "{told}");
}

#[test]
fn a_book_without_known_speakers_says_so() {
    let world = World::new();
    let _ = world.novel("", &["init", "empty", "--offline"]).ok();
    assert!(world.novel("empty", &["character", "voices"]).ok().contains("no dialogue with a known speaker"));
}

#[test]
fn a_character_is_called_by_its_name_and_two_of_one_name_by_their_ids() {
    let world = World::new();
    let book = world.demo();
    let file = world.read("book/characters/active/lao-ge.json");
    world.write("book/characters/active/xiao-ge.json", &file.replace("lao-ge", "xiao-ge"));
    let refused = world.novel(book, &["--lang", "zh", "character", "retire", "葛望潮"]).fails(2);
    for part in ["`葛望潮` 对应多项", "`lao-ge`（葛望潮）、`xiao-ge`（葛望潮）"] {
        assert!(refused.stderr.contains(part), "{refused:#?}");
    }
    assert!(!world.path("book/characters/retired/lao-ge.json").exists());
    let _ = world.novel(book, &["character", "retire", "xiao-ge"]).ok();
    let slip = world.novel(book, &["--lang", "en", "character", "update", "lao-gee", "他回来了"]).fails(1);
    assert!(slip.stderr.contains("did you mean `lao-ge`?"), "{slip:#?}");
    // The one who has left has the name as well, so that a command given twice never retires the other.
    let _ = world.novel(book, &["character", "retire", "葛望潮"]).fails(2);
    let _ = world.novel(book, &["character", "update", "葛望潮", "他学会了认字", "--yes"]).ok();
    assert!(world.path("book/characters/active/lao-ge.json").exists());
    let viewpoint = ["storyline", "add", "--name", "夜渡", "--pov", "葛望潮"];
    let _ = world.novel(book, &viewpoint).fails(2);
    world.check(book);
}

#[test]
fn a_name_that_one_character_has_is_enough() {
    let world = World::new();
    let book = world.demo_with(3);
    let _ = world.novel(book, &["character", "retire", "葛望潮", "--reason", "上了夜船"]).ok();
    assert!(world.path("book/characters/retired/lao-ge.json").exists());
    let head = world.subjects(book);
    // By its id it is the same order, which is carried out already.
    let _ = world.novel(book, &["character", "retire", "lao-ge", "--reason", "上了夜船"]).ok();
    assert_eq!(world.subjects(book), head);
}

#[test]
fn a_retired_person_may_act_in_the_chapters_before() {
    let world = World::new();
    let book = world.demo_with(4);
    let acts = |n: u32| world.read(&format!("book/chapters/vol-01/chapter-00{n}.md")).contains("葛望潮");
    assert!((1..=4).any(acts), "he is in the story");
    let _ = world.novel(book, &["character", "retire", "lao-ge"]).ok();
    let checked = world.novel(book, &["check", "--json"]);
    assert_eq!((checked.code, &checked.json()["findings"]), (0, &json!([])), "{checked:#?}");
    let path = "book/chapters/vol-01/chapter-004.md";
    let text = world.read(path);
    let _ = world.novel(book, &["continue", "--offline"]).ok();
    let next = "book/chapters/vol-01/chapter-005.md";
    world.write(next, &format!("{}\n葛望潮低声说：“我还在。”\n", world.read(next)));
    world.commit("book", "he is back");
    let back = world.novel(book, &["check", "--json"]).fails(1).json();
    assert_eq!((&back["findings"][0]["chapter"], back["findings"].as_array().unwrap().len()), (&json!(5), 1), "{back}");
    assert_eq!(world.read(path), text);
}

#[test]
fn a_person_whose_change_waits_for_an_answer_does_not_retire() {
    let world = World::new();
    let book = world.demo_with(3);
    let _ = world.novel(book, &["character", "update", "lao-ge", "他开始写信"]).fails(3);
    let refused = world.novel(book, &["--lang", "en", "character", "retire", "lao-ge"]).fails(1);
    assert!(refused.stderr.contains("awaits your decision: staging/characters/active/lao-ge.json"), "{refused:#?}");
    assert!(refused.stderr.contains("novel decide approve"), "{refused:#?}");
    let _ = world.novel(book, &["decide", "reject"]).ok();
    let _ = world.novel(book, &["character", "retire", "lao-ge"]).ok();
    assert!(!world.path("book/characters/active/lao-ge.json").exists());
    world.check("book");
}
