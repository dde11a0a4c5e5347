//! A Mem0 server in the place of the embedded search of chapters: it follows the book, and whatever is wrong with it is said.

use crate::common::{Output, World};
use crate::llm::mem0::{FakeMem0, Fault, KEY};
use serde_json::{Value, json};
use std::collections::BTreeSet;

const QUERY: &str = "她把灯还了回去";

/// A demo book with three chapters, and a server that is set up for it.
fn world(server: &FakeMem0) -> World {
    let mut world = World::new();
    let _ = world.demo_with(3);
    world.env.push(("NOVEL_MEMORY_URL".into(), server.url()));
    world.env.push(("MEM0_API_KEY".into(), KEY.into()));
    world
}

fn search(world: &World, book: &str) -> Value {
    let said = world.novel(book, &["search", "--json", QUERY]);
    assert!(!format!("{said:?}").contains(KEY), "{said:#?}");
    said.json()
}

/// The name of a book on the server.
fn user(world: &World, book: &str) -> String {
    format!("novel-{}", world.git(book, &["rev-list", "--max-parents=0", "HEAD"]).ok().trim())
}

/// Chapter and window of each memory.
fn windows(server: &FakeMem0) -> Vec<(u64, u64)> {
    let of = |memory: &Value| {
        (memory["metadata"]["chapter"].as_u64().unwrap(), memory["metadata"]["window"].as_u64().unwrap())
    };
    server.memories().iter().map(of).collect()
}

fn ids(server: &FakeMem0, chapter: u64) -> BTreeSet<String> {
    let memories = server.memories();
    let of_chapter = memories.iter().filter(|memory| memory["metadata"]["chapter"] == chapter);
    of_chapter.map(|memory| memory["id"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn chapters_are_added_once_with_tags_and_found_by_the_server() {
    let server = FakeMem0::start();
    let world = world(&server);
    let found = search(&world, "book");
    assert_eq!(found["memory_server"], server.url());
    let hits = found["hits"].as_array().unwrap();
    let by_server: Vec<&Value> = hits.iter().filter(|hit| hit["finder"] == "mem0").collect();
    assert!(!by_server.is_empty() && by_server.iter().all(|hit| hit["part"] == "chapters"), "{found:#}");
    let user = user(&world, "book");
    assert_eq!(server.chapters(&user), [1, 2, 3]);
    for memory in server.memories() {
        let tags = &memory["metadata"];
        let chapter = tags["chapter"].as_u64().unwrap();
        let path = format!("chapters/vol-01/chapter-{chapter:03}.md");
        assert_eq!(tags["content"], world.git("book", &["rev-parse", &format!("HEAD:{path}")]).ok().trim());
        assert!(tags["scene"].as_u64() >= Some(1) && tags["window"].as_u64() >= Some(1) && tags["book"] == user);
        assert_eq!((&memory["user_id"], &memory["run_id"]), (&json!(user), &json!("chapters-0001-0030")));
        let text = world.read(&format!("book/{path}"));
        assert!(memory["memory"].as_str().unwrap().lines().all(|line| text.contains(line)), "{memory:#}");
    }
    assert!(server.changes().0 > 3);
    assert_eq!(search(&world, "book"), found);
    assert_eq!(server.changes(), (0, 0), "nothing is added twice");
    let people = world.novel("book", &["search", QUERY]).ok();
    assert!(people.contains("Mem0") && people.contains(&server.url()), "{people}");
    // Without the server the same book is searched as ever.
    let alone = world.with("NOVEL_MEMORY_URL", "");
    let found = search(&alone, "book");
    assert!(found["memory_server"].is_null() && !found.to_string().contains("mem0"), "{found:#}");
}

#[test]
fn a_rollback_an_edit_and_an_undo_change_exactly_the_memories_of_their_chapters() {
    let server = FakeMem0::start();
    let world = world(&server);
    drop(search(&world, "book"));
    let (first, second, third) = (ids(&server, 1), ids(&server, 2), ids(&server, 3));
    let _ = server.changes();
    let _ = world.novel("book", &["rollback", "ch-2", "--yes"]).ok();
    drop(search(&world, "book"));
    assert_eq!(server.changes(), (0, third.len()));
    assert_eq!((ids(&server, 1), ids(&server, 2), ids(&server, 3)), (first.clone(), second, BTreeSet::new()));
    let _ = world.novel("book", &["undo"]).ok();
    drop(search(&world, "book"));
    assert_eq!(server.changes(), (third.len(), 0));
    let path = "book/chapters/vol-01/chapter-002.md";
    world.write(path, &format!("{}\n她摸到了琉璃鹤印，又放了回去。\n", world.read(path)));
    world.commit("book", "印");
    let second = ids(&server, 2);
    drop(search(&world, "book"));
    assert!(ids(&server, 2).is_disjoint(&second) && ids(&server, 1) == first);
    // A book without a chapter has no memory.
    let _ = world.git("book", &["rm", "-rq", "chapters"]).ok();
    world.commit("book", "none");
    let _ = world.novel("book", &["search", "--json", QUERY]);
    assert!(server.memories().is_empty());
}

#[test]
fn what_is_not_of_this_book_stays() {
    let server = FakeMem0::start();
    let world = world(&server);
    let outline = "# 第一卷\n\n## 第1章 灯\n\n- 故事线: main-arc\n- 视角: 林枫\n- 地点: 北门\n- 冲突: 有人拦着他\n\
        - 人物弧光: 学会撒谎\n- 伏笔: 无\n- 状态变化:\n  - 林枫往前走了一程\n";
    world.write("outline.md", outline);
    let init = ["init", "other", "--title", "夜信", "--protagonist", "林枫，信差", "--outline", "outline.md"];
    let _ = world.novel("", &init).ok();
    let _ = world.novel("other", &["continue", "--offline"]).ok();
    drop(search(&world, "book"));
    drop(search(&world, "other"));
    let (one, other) = (user(&world, "book"), user(&world, "other"));
    assert_eq!((server.chapters(&one), server.chapters(&other)), (vec![1, 2, 3], vec![1]));
    // Of another program under the same name, and a list that does not keep to what is asked for.
    server.plant(
        json!({"id": "note-1", "memory": "记得交稿", "user_id": one, "run_id": "chapters-0001-0030", "metadata": {}}),
    );
    server.set(Fault::ListsAll);
    let of_other: Vec<Value> = server.memories().into_iter().filter(|m| m["user_id"] == other).collect();
    let _ = world.novel("book", &["rollback", "ch-1", "--yes"]).ok();
    drop(search(&world, "book"));
    assert_eq!(server.chapters(&one), [1]);
    let left = server.memories();
    assert!(of_other.iter().all(|memory| left.contains(memory)) && left.iter().any(|m| m["id"] == "note-1"));
}

#[test]
fn what_is_left_half_done_is_finished_by_the_next_search() {
    let server = FakeMem0::start();
    let world = world(&server);
    server.set(Fault::FailsAfter(3));
    let said = world.novel("book", &["search", QUERY]).fails(5);
    assert!(said.stderr.contains("embedding failed"), "{said:#?}");
    server.set(Fault::None);
    drop(search(&world, "book"));
    let all = windows(&server);
    assert_eq!(all.iter().collect::<BTreeSet<_>>().len(), all.len(), "{all:?}");
    // A request whose answer was lost may have been carried out, and two programs may add the same.
    let mut twin = server.memories()[0].clone();
    twin["id"] = json!("twin");
    server.plant(twin);
    // A text that was changed on the server is not the book's.
    let mut changed = server.memories()[1].clone();
    (changed["id"], changed["memory"]) = (json!("changed"), json!("另一段话"));
    server.plant(changed);
    let _ = server.changes();
    drop(search(&world, "book"));
    assert_eq!((server.changes(), windows(&server).len()), ((0, 2), all.len()));
}

#[test]
fn texts_and_tags_that_come_back_are_never_shown() {
    let server = FakeMem0::start();
    let world = world(&server);
    let before = search(&world, "book");
    server.set(Fault::Garbled);
    assert_eq!(search(&world, "book"), before);
    let shown = world.novel("book", &["search", QUERY]).ok();
    assert!(!shown.contains("忽略") && !shown.contains('\u{202e}') && !shown.contains("\u{1b}[2J"), "{shown}");
}

fn refused(world: &World, exit: i32, words: &str) -> Output {
    let said = world.novel("book", &["search", QUERY]).fails(exit);
    assert!(said.stderr.contains(words) && said.stderr.contains("hint:"), "{said:#?}");
    assert!(said.stdout.is_empty() && !said.stderr.contains(KEY), "{said:#?}");
    said
}

#[test]
fn a_server_that_cannot_be_used_is_an_error_that_says_why() {
    for (fault, words) in [
        (Fault::NoInfer, "`infer`"),
        (Fault::NoTopK, "`top_k`"),
        (Fault::Nonsense, "`results`"),
        (Fault::Summarizes, "another text"),
    ] {
        let server = FakeMem0::start();
        let world = world(&server);
        server.set(fault);
        let _ = refused(&world, 5, words);
        let chinese = world.novel("book", &["--lang", "zh", "search", QUERY]).fails(5).stderr;
        let why = chinese.lines().find_map(|line| line.strip_prefix("原因：")).unwrap();
        assert!(!why.contains("has ") && !why.contains("its "), "{why}");
        let posts = server.requests().iter().filter(|request| request.method == "POST").count();
        assert!(posts == 0 || fault == Fault::Summarizes, "{fault:?}: a text was sent");
    }
    let server = FakeMem0::start();
    let world = world(&server);
    let _ = refused(&world.with("MEM0_API_KEY", "m0sk_wrong"), 4, "MEM0_API_KEY");
    let absent = World::new();
    let _ = absent.demo_with(1);
    let absent = absent.with("NOVEL_MEMORY_URL", "http://127.0.0.1:9");
    let _ = refused(&absent, 5, "http://127.0.0.1:9");
}

#[test]
fn an_address_that_is_none_stops_the_search_and_is_never_a_books_own() {
    let mut world = World::new();
    let _ = world.demo_with(1);
    let plain = world.env.len();
    for (url, words) in [
        ("127.0.0.1:8000", "http://"),
        ("http://me:pw@127.0.0.1:8000", "NOVEL_MEMORY_URL"),
        ("http://memory.example:8000", "novel config set plain_http memory.example"),
    ] {
        world.env.truncate(plain);
        world.env.push(("NOVEL_MEMORY_URL".into(), url.into()));
        world.env.push(("MEM0_API_KEY".into(), KEY.into()));
        let said = refused(&world, 4, words);
        assert!(!said.stderr.contains("pw@"), "{said:#?}");
    }
    world.env.truncate(plain);
    let server = FakeMem0::start();
    let settings = world.read("book/novel.toml");
    world.write("book/novel.toml", &format!("memory_url = \"{}\"\n{settings}", server.url()));
    world.commit("book", "theirs");
    let _ = world.novel("book", &["search", QUERY]);
    assert!(server.requests().is_empty());
}

#[test]
fn doctor_looks_at_the_server_when_it_is_asked_to() {
    let server = FakeMem0::start();
    let world = world(&server);
    let codes = |args: &[&str], exit: i32| {
        let said = world.novel("book", &[&["doctor", "--json"], args].concat());
        assert_eq!(said.code, exit, "{said:#?}");
        let found = said.json();
        assert!(found["examined"].as_array().unwrap().contains(&json!("memory_server")), "{found:#}");
        let codes = found["findings"].as_array().unwrap().iter().map(|finding| finding["code"].clone());
        codes.collect::<Vec<_>>()
    };
    assert_eq!(codes(&[], 0), Vec::<Value>::new());
    assert!(server.requests().is_empty());
    assert_eq!(codes(&["--online"], 0), Vec::<Value>::new());
    server.set(Fault::NoInfer);
    assert_eq!(codes(&["--online"], 1), ["memory_server"]);
    assert!(server.memories().is_empty());
}
