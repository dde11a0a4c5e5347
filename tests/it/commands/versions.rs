//! Books over time: a book of each version of the program is opened, brought up and continued by this one, and a book of a newer
//! program is left alone.

use crate::common::World;
use novel::store::format::migrate;
use novel::store::layout::{self, BookPath};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// The books of the versions so far. `make.sh` beside them writes one.
fn fixtures() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/books");
    let files = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let mut books: Vec<PathBuf> = files.filter(|path| path.extension().is_some_and(|end| end == "bundle")).collect();
    books.sort();
    books
}

/// The book in a bundle, as a clone has it.
fn unpack(world: &World, bundle: &Path) -> &'static str {
    let book = world.path("book");
    let _ = world.git("", &["init", "-q", "-b", "main", book.to_str().unwrap()]).ok();
    let bundle = bundle.to_str().unwrap();
    let _ = world.git("book", &["fetch", "-q", "--update-head-ok", bundle, "+refs/*:refs/*"]).ok();
    let _ = world.git("book", &["reset", "-q", "--hard", "main"]).ok();
    "book"
}

fn head(world: &World, book: &str) -> String {
    world.git(book, &["rev-parse", "HEAD"]).ok()
}

/// The kinds of the last commits, newest first.
fn kinds(world: &World, book: &str, count: usize) -> Vec<String> {
    let format = "--format=%(trailers:key=Novel-Kind,valueonly,separator=)";
    let log = world.git(book, &["log", "--first-parent", &format!("-{count}"), format]).ok();
    log.lines().map(str::to_owned).collect()
}

/// The JSON files of the book with their versions.
fn versions(world: &World, book: &str) -> BTreeMap<String, Option<u64>> {
    let files = world.git(book, &["ls-files", "*.json"]).ok();
    let own = files.lines().filter(|path| layout::is_book_path(path));
    own.map(|path| {
        let file: Value = serde_json::from_str(&world.read(&format!("{book}/{path}"))).unwrap();
        (path.to_owned(), file["schema_version"].as_u64())
    })
    .collect()
}

fn is_first_format(world: &World, book: &str) -> bool {
    world.read(&format!("{book}/storylines/storylines.json")).contains("\"schema_version\": 1")
}

#[test]
fn a_book_of_every_version_is_read_as_it_is() {
    let books = fixtures();
    assert!(books.len() >= 2, "{books:?}");
    for bundle in books {
        let world = World::new();
        let book = unpack(&world, &bundle);
        let before = head(&world, book);
        let reading = [
            &["status"][..],
            &["doctor"],
            &["log"],
            &["show", "ch-2"],
            &["show", "ch-2", "--evaluation"],
            &["show", "ch-2", "--delta"],
            &["diff", "ch-1", "ch-2"],
            &["context", "3"],
            &["cost"],
            &["metrics"],
            &["impact"],
            &["plan"],
            &["character", "list"],
            &["storyline", "list"],
            &["history", "characters"],
            &["blame", "characters"],
        ];
        for args in reading {
            let run = world.novel(book, args);
            assert!([0, 3].contains(&run.code), "{}: {args:?}: {run:#?}", bundle.display());
        }
        for n in 1..=3 {
            let told = world.novel(book, &["state", &format!("@ch-{n}"), "--json"]).json();
            let file = world.git(book, &["show", &format!("ch-{n:03}:state/current-state.json")]).ok();
            let mut file: Value = serde_json::from_str(&file).unwrap();
            file.as_object_mut().unwrap().shift_remove("schema_version");
            assert_eq!(told["value"], file, "{}: chapter {n}", bundle.display());
        }
        assert_eq!(head(&world, book), before, "reading writes nothing");
        assert_eq!(world.git(book, &["status", "--porcelain"]).ok(), "");
    }
}

#[test]
fn a_book_of_every_version_is_brought_up_in_one_commit_and_goes_on() {
    for bundle in fixtures() {
        let name = bundle.display();
        let world = World::new();
        let book = unpack(&world, &bundle);
        let (before, is_old) = (head(&world, book), is_first_format(&world, book));
        // The plan that the older program left for approval becomes a plan of the present formats.
        let _ = world.novel(book, &["plan", "approve"]).ok();
        let _ = world.novel(book, &["continue", "2"]).ok();
        let made: Vec<String> = kinds(&world, book, 5).into_iter().filter(|kind| kind != "quality").take(4).collect();
        let wanted =
            if is_old { ["chapter", "chapter", "migrate", "plan"] } else { ["chapter", "chapter", "plan", "review"] };
        assert_eq!(made, wanted, "{name}: brought up once, before the first chapter");
        for (path, version) in versions(&world, book) {
            let place = layout::classify(&path).unwrap();
            let changed = matches!(
                place,
                BookPath::Contract(..)
                    | BookPath::Schedule(_)
                    | BookPath::Storylines
                    | BookPath::StorylineRules
                    | BookPath::WorldRules
            );
            let wanted = if changed { u64::from(migrate::VERSION) } else { 1 };
            assert_eq!(version, Some(wanted), "{name}: {path}");
        }
        assert!(world.path("book/chapters/vol-02/chapter-005.md").is_file(), "{name}");
        let _ = world.novel(book, &["doctor"]).ok();
        assert_eq!(world.git(book, &["status", "--porcelain"]).ok(), "", "{name}");
        world.check(book);
        // Every step back and forth again, and the texts of the older program as they were.
        let first = world.git(book, &["show", &format!("{}:chapters/vol-01/chapter-001.md", before.trim())]).ok();
        // A quality brief comes back with the next run.
        let files = || {
            let files = world.git(book, &["ls-tree", "-r", "HEAD"]).ok();
            files.lines().filter(|line| !line.contains("\tquality/")).map(str::to_owned).collect::<Vec<_>>()
        };
        let before = files();
        let _ = world.novel(book, &["undo", "3"]).ok();
        assert!(!world.path("book/chapters/vol-02/chapter-004.md").exists(), "{name}");
        assert_eq!(world.read("book/chapters/vol-01/chapter-001.md"), first, "{name}");
        for _ in 0..3 {
            let _ = world.novel(book, &["redo"]).ok();
        }
        assert_eq!(files(), before, "{name}");
        let _ = world.novel(book, &["rollback", "ch-2", "--yes"]).ok();
        let _ = world.novel(book, &["continue"]).ok();
        let _ = world.novel(book, &["doctor"]).ok();
        world.check(book);
    }
}

/// Everything that a refused command must leave as it is.
fn traces(world: &World, book: &str) -> (String, String, Vec<(String, Vec<u8>)>) {
    let refs = world.git(book, &["for-each-ref"]).ok();
    let status = world.git(book, &["status", "--porcelain"]).ok();
    let files = world.git(book, &["ls-files"]).ok();
    let bytes = |path: &str| (path.to_owned(), std::fs::read(world.path(&format!("{book}/{path}"))).unwrap());
    (refs, status, files.lines().map(bytes).collect())
}

/// One file of each format, by the name of its place: the newest where a book has several.
fn one_of_each(world: &World, book: &str) -> BTreeMap<String, String> {
    let files = world.git(book, &["ls-files", "*.json", "novel.toml"]).ok();
    let mut newest = BTreeMap::new();
    for path in files.lines() {
        let Some(place) = layout::classify(path) else { continue };
        let name = format!("{place:?}");
        newest.insert(name.split([' ', '(', '{']).next().unwrap().to_owned(), path.to_owned());
    }
    // The logs of planners are numbered, and the last is that of the character.
    newest.insert("PlanLog".into(), "logs/plans/characters-007.json".into());
    newest
}

/// The file as a newer program has it.
fn of_the_future(path: &str, text: &str) -> String {
    if path == layout::CONFIG {
        return text.replacen("schema_version = 1", "schema_version = 99", 1);
    }
    let mut file: Value = serde_json::from_str(text).unwrap();
    file["schema_version"] = json!(99);
    file["of_the_future"] = json!({"unknown": true});
    format!("{file:#}\n")
}

#[test]
fn a_book_of_a_newer_program_is_read_and_never_written() {
    let world = World::new();
    let book = unpack(&world, fixtures().last().unwrap());
    let _ = world.novel(book, &["plan", "approve"]).ok();
    let _ = world.novel(book, &["continue"]).ok();
    let _ = world.novel(book, &["character", "add", "一个专收假票的掌柜"]).ok();
    let good = head(&world, book);
    let each = one_of_each(&world, book);
    for name in ["Config", "Checkpoint", "State", "Delta", "Foreshadowing", "Storylines", "Schedule", "Contract", "Log"]
    {
        assert!(each.contains_key(name), "{name}: {each:?}");
    }
    for path in each.values() {
        let text = world.read(&format!("{book}/{path}"));
        let newer = of_the_future(path, &text);
        assert_ne!(newer, text, "{path}");
        world.write(&format!("{book}/{path}"), &newer);
        world.commit(book, "as a newer program has it");
        let before = traces(&world, book);
        // The checkpoint has the number of the book's format, and a file that every chapter is written from its own.
        let refused = match path.as_str() {
            layout::CHECKPOINT => &[
                &["continue"][..],
                &["rollback", "ch-2", "--yes"],
                &["write", "4", "--force"],
                &["undo"],
                &["world", "update", "渡口归谁管"],
                &["plan", "make"],
                &["doctor", "--repair", "--yes"],
            ][..],
            layout::CONFIG | layout::STATE | layout::FORESHADOWING | layout::STORYLINES => &[&["continue"][..]],
            _ => &[],
        };
        for args in refused {
            let run = world.novel(book, &[&["--lang", "en"], *args].concat());
            assert_ne!(run.code, 0, "{path}: {args:?}: {run:#?}");
            if args[0] != "doctor" {
                assert_eq!(run.code, 4, "{path}: {args:?}: {run:#?}");
                assert!(
                    run.stderr.contains(&format!("error: `{path}` was written by a newer novel")),
                    "{args:?}: {run:#?}"
                );
                assert!(
                    run.stderr.contains("schema_version 99") && run.stderr.contains("install a newer novel"),
                    "{run:#?}"
                );
                let told = world.novel(book, &[&["--lang", "zh"], *args].concat()).fails(4);
                assert!(told.stderr.contains(&format!("`{path}` 由更新版本的 novel 写成")), "{told:#?}");
            }
            assert_eq!(traces(&world, book), before, "{path}: {args:?}");
        }
        for args in [&["status"][..], &["doctor"]] {
            let run = world.novel(book, args);
            assert!(![70, 101].contains(&run.code), "{path}: {args:?}: {run:#?}");
            assert_eq!(traces(&world, book), before, "{path}: {args:?}");
        }
        let _ = world.git(book, &["reset", "-q", "--hard", good.trim()]).ok();
    }
    let _ = world.novel(book, &["continue"]).ok();
}
