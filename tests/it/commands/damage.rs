//! Missing and damaged files: nothing is lost, nothing is written from damage, and one repair is enough.

use crate::common::World;
use sha1::{Digest as _, Sha1};

/// A file of every kind that a book of three chapters has.
const FILES: [&str; 19] = [
    ".checkpoint.json",
    "novel.toml",
    "state/current-state.json",
    "foreshadowing/global.json",
    "storylines/storylines.json",
    "storylines/main-arc/memory.md",
    "brief.md",
    "style-profile.json",
    "world/rules.json",
    "characters/active/wen-xiaoman.json",
    "volumes/vol-01/outline.md",
    "volumes/vol-01/storyline-schedule.json",
    "volumes/vol-01/chapter-contracts/chapter-004.json",
    "chapters/vol-01/chapter-002.md",
    "summaries/vol-01/chapter-003-summary.md",
    "state/deltas/vol-01/chapter-003-delta.json",
    "evaluations/vol-01/chapter-003-eval.json",
    "logs/vol-01/chapter-003-log.json",
    "memory/vol-01/chapter-003-memory.json",
];

/// Files that the program writes: `novel continue` restores them by itself.
const OWN: [&str; 9] = [
    ".checkpoint.json",
    "state/current-state.json",
    "foreshadowing/global.json",
    "storylines/main-arc/memory.md",
    "summaries/vol-01/chapter-003-summary.md",
    "state/deltas/vol-01/chapter-003-delta.json",
    "evaluations/vol-01/chapter-003-eval.json",
    "logs/vol-01/chapter-003-log.json",
    "memory/vol-01/chapter-003-memory.json",
];

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Harm {
    Missing,
    Empty,
    CutOff,
    Garbage,
}

const HARMS: [Harm; 4] = [Harm::Missing, Harm::Empty, Harm::CutOff, Harm::Garbage];

/// Bytes with zeros among them that are text in no encoding.
fn garbage() -> Vec<u8> {
    (0..300u32).map(|at| (at * 37 % 251) as u8).collect()
}

/// A book of three chapters, copied for each case, and what it becomes when nothing happens to it.
struct Ward {
    world: World,
    /// The tree with chapter 4.
    healthy: String,
}

impl Ward {
    fn new() -> Self {
        let world = World::new();
        let _ = world.demo_with(3);
        world.copy("book", "whole");
        let _ = world.novel("whole", &["continue"]).ok();
        let healthy = world.tree("whole");
        Self { world, healthy }
    }

    /// Damages a file of a fresh copy, repairs it and goes on. Returns everything that is not as it should be.
    fn case(&self, path: &str, harm: Harm, committed: bool) -> Vec<String> {
        let world = &self.world;
        let book = "ward";
        let _ = std::fs::remove_dir_all(world.path(book));
        world.copy("book", book);
        let file = world.path(book).join(path);
        let whole = std::fs::read(&file).unwrap();
        let damaged = match harm {
            Harm::Missing => None,
            Harm::Empty => Some(Vec::new()),
            Harm::CutOff => Some(whole[..whole.len() / 2].to_vec()),
            Harm::Garbage => Some(garbage()),
        };
        match &damaged {
            None => std::fs::remove_file(&file).unwrap(),
            Some(bytes) => std::fs::write(&file, bytes).unwrap(),
        }
        if committed {
            world.commit(book, "x");
        }
        let mut wrong = Vec::new();
        let mut is_to_be = |holds: bool, what: String| {
            if !holds {
                wrong.push(format!("{path} {harm:?} committed={committed}: {what}"));
            }
        };
        let first = world.novel(book, &["continue"]);
        // The author's commit is the author's word: a file that is gone may be meant to be, and so may one that is
        // shorter and can be read. Without the storylines and the settings there is no book.
        let is_readable = damaged.as_ref().is_none_or(|bytes| harm == Harm::CutOff && reads(path, bytes));
        let is_vital = ["novel.toml", "storylines/storylines.json"].contains(&path);
        let is_meant = committed && is_readable && !is_vital && !OWN.contains(&path);
        is_to_be(!OWN.contains(&path) || first.code == 0, format!("{first:?}"));
        is_to_be(OWN.contains(&path) || is_meant || [3, 4, 1].contains(&first.code), format!("{first:?}"));
        is_to_be(is_meant || first.stderr.contains(path), format!("is not named: {first:?}"));
        let repaired = world.novel(book, &["doctor", "--repair", "--yes"]);
        is_to_be(repaired.code == 0, format!("{repaired:?}"));
        let next = world.novel(book, &["continue", "--to", "ch-004"]);
        is_to_be(next.code == 0, format!("{next:?}"));
        let tree = world.tree(book);
        is_to_be(is_meant || tree == self.healthy, "another book came of it".to_owned());
        for chapter in ["001", "002", "003", "004"] {
            let text = format!("HEAD:chapters/vol-01/chapter-{chapter}.md");
            let id = |book: &str| world.git(book, &["rev-parse", &text]).stdout;
            is_to_be(is_meant || id(book) == id("whole"), format!("chapter {chapter} has another text"));
        }
        let status = world.git(book, &["status", "--porcelain"]).stdout;
        is_to_be(status.is_empty(), status);
        let doctor = world.novel(book, &["doctor", "--json"]);
        is_to_be(doctor.code == 0 && doctor.json()["findings"] == serde_json::json!([]), format!("{doctor:?}"));
        if let Some(bytes) = damaged {
            let header = format!("blob {}\0", bytes.len());
            let id = Sha1::new().chain_update(header).chain_update(&bytes).finalize();
            let id: String = id.iter().map(|byte| format!("{byte:02x}")).collect();
            let reachable = world.git(book, &["rev-list", "--objects", "--all"]).stdout;
            is_to_be(reachable.contains(&id), "the damaged bytes are lost".to_owned());
        }
        let kept = world.git(book, &["for-each-ref", "--format=%(refname)", "refs/novel/kept/damaged"]).stdout;
        is_to_be(kept.lines().count() <= 1, kept);
        let fsck = world.git(book, &["fsck", "--strict", "--no-dangling"]);
        is_to_be(fsck.code == 0 && !fsck.stderr.contains("error"), format!("{fsck:?}"));
        wrong
    }
}

/// Whether the file can be read as what it is, by the program's own check of a single file.
fn reads(path: &str, bytes: &[u8]) -> bool {
    novel::store::format::check::fault(path, bytes, None).is_none()
}

#[track_caller]
fn nothing_is_wrong(wrong: &[String], cases: usize) {
    assert!(wrong.is_empty(), "{} findings in {cases} cases:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn a_damaged_file_of_every_kind_is_repaired_once_and_for_all() {
    let ward = Ward::new();
    let mut wrong = Vec::new();
    // Each file with one kind of damage, and the kinds in turn; `every_file_…` has them all.
    for (at, path) in FILES.iter().enumerate() {
        wrong.extend(ward.case(path, HARMS[at % 4], false));
    }
    for (path, harm) in [
        (".checkpoint.json", Harm::Missing),
        ("novel.toml", Harm::Missing),
        ("novel.toml", Harm::Empty),
        ("state/current-state.json", Harm::Missing),
        ("storylines/main-arc/memory.md", Harm::Empty),
        ("summaries/vol-01/chapter-003-summary.md", Harm::Missing),
        ("volumes/vol-01/outline.md", Harm::Garbage),
    ] {
        wrong.extend(ward.case(path, harm, true));
    }
    nothing_is_wrong(&wrong, FILES.len() + 7);
}

/// 152 cases, a minute of one processor; `cargo test -- --ignored every_file_missing`.
#[test]
#[ignore = "152 cases take a minute"]
fn every_file_missing_empty_cut_off_or_garbage_is_repaired() {
    let ward = Ward::new();
    let mut wrong = Vec::new();
    for committed in [false, true] {
        for path in FILES {
            for harm in HARMS {
                wrong.extend(ward.case(path, harm, committed));
            }
        }
    }
    nothing_is_wrong(&wrong, FILES.len() * HARMS.len() * 2);
}

#[test]
fn the_programs_files_are_restored_with_a_message_and_their_bytes_stay() {
    let world = World::new();
    let book = world.demo_with(2);
    let state = world.read("book/state/current-state.json");
    world.write("book/state/current-state.json", "{\"characters\":");
    std::fs::remove_file(world.path("book/.checkpoint.json")).unwrap();
    let said = world.novel(book, &["continue", "--json"]);
    let line =
        said.json_lines().into_iter().find(|line| line["event"] == "restored").unwrap_or_else(|| panic!("{said:?}"));
    assert_eq!(line["paths"], serde_json::json!([".checkpoint.json", "state/current-state.json"]));
    let kept = line["kept"].as_str().unwrap();
    let bytes = world.git(book, &["show", &format!("{kept}:state/current-state.json")]).ok();
    assert_eq!(bytes, "{\"characters\":");
    assert_eq!(world.git(book, &["show", "ch-002:state/current-state.json"]).ok(), state);
    assert!(!world.subjects(book).iter().any(|subject| subject.starts_with("hand edit")));

    // In words, in both languages; every damage is kept below one ref.
    world.write("book/storylines/main-arc/memory.md", "");
    let said = world.novel(book, &["continue", "--lang", "zh"]);
    assert!(said.stderr.contains("缺失、损坏或挪了位置的文件已从历史恢复：storylines/main-arc/memory.md"), "{said:#?}");
    world.write("book/foreshadowing/global.json", "\0");
    let said = world.novel(book, &["undo", "--lang", "en"]);
    assert!(
        said.stderr.contains("missing, damaged or moved; restored from history: foreshadowing/global.json"),
        "{said:#?}"
    );
    let _ = said.ok();
    let kept = world.git(book, &["for-each-ref", "--format=%(refname)", "refs/novel/kept/damaged"]).ok();
    assert_eq!(kept, "refs/novel/kept/damaged\n");
    for _ in 0..2 {
        let _ = world.git(book, &["gc", "-q", "--prune=now"]).ok();
    }
    assert_eq!(world.git(book, &["log", "--format=%s", "refs/novel/kept/damaged"]).ok().lines().count(), 3);
    world.check(book);
}

#[test]
fn a_readable_change_to_a_file_of_the_programs_is_the_authors() {
    let world = World::new();
    let book = world.demo_with(2);
    let memory = "> 第2章：我改过的\n\n记着这件事。\n";
    world.write("book/storylines/main-arc/memory.md", memory);
    let _ = world.novel(book, &["continue"]).ok();
    assert_eq!(world.git(book, &["show", "HEAD~1:storylines/main-arc/memory.md"]).ok(), memory);
    assert!(world.subjects(book)[1].starts_with("hand edit: storylines/main-arc/memory.md"));
}

#[test]
fn a_deleted_file_of_the_authors_is_asked_about() {
    let world = World::new();
    let book = world.demo_with(1);
    let path = "characters/active/lao-ge.json";
    let whole = world.tree(book);
    std::fs::remove_file(world.path("book").join(path)).unwrap();
    for command in [&["continue"][..], &["plan", "make"], &["rollback", "ch-001"], &["world", "update", "添一座桥"]]
    {
        let asked = world.novel(book, command).fails(3);
        assert!(asked.stderr.contains(path) && asked.stderr.contains("novel doctor --repair"), "{asked:#?}");
        assert!(
            asked.stderr.contains(&format!("git commit -m deleted -- ':/{path}'"))
                || asked.stderr.contains(&format!("git commit -m deleted -- :/{path}")),
            "{asked:#?}"
        );
    }
    let status = world.novel(book, &["status", "--lang", "zh"]).ok();
    assert!(status.contains(path) && status.ends_with("下一步：novel doctor --repair\n"), "{status}");
    let _ = world.novel(book, &["doctor", "--repair"]).ok();
    assert_eq!((world.tree(book), world.git(book, &["status", "--porcelain"]).ok()), (whole, String::new()));
    // On purpose, as the hint says; and what is optional may go without a word.
    std::fs::remove_file(world.path("book").join(path)).unwrap();
    std::fs::remove_file(world.path("book/ai-blacklist.json")).unwrap();
    let args = ["-c", "user.name=A", "-c", "user.email=a@b", "commit", "-qm", "deleted", "--", &format!(":/{path}")];
    let _ = world.git(book, &args).ok();
    let warned = world.novel(book, &["doctor", "--json"]).json();
    assert_eq!(
        (&warned["findings"][0]["code"], &warned["findings"][0]["severity"]),
        (&"gone".into(), &"warning".into())
    );
    let _ = world.novel(book, &["continue"]).ok();
    assert_eq!(world.git(book, &["ls-files", path, "ai-blacklist.json"]).ok(), "");
    let _ = world.novel(book, &["doctor"]).ok();
}

#[test]
fn text_from_an_editor_on_windows_is_converted_and_not_lost() {
    let world = World::new();
    let book = world.demo_with(1);
    let text = "# 创作纲领\r\n\r\n全书不下雨。\r\n";
    let utf16: Vec<u8> = format!("\u{feff}{text}").encode_utf16().flat_map(u16::to_le_bytes).collect();
    // `# 创作纲领`, `全书不下雨。`
    let gbk =
        b"# \xb4\xb4\xd7\xf7\xb8\xd9\xc1\xec\r\n\r\n\xc8\xab\xca\xe9\xb2\xbb\xcf\xc2\xd3\xea\xa1\xa3\r\n".to_vec();
    for (name, bytes, next) in [("UTF-16", utf16, "2"), ("GB18030", gbk, "3")] {
        std::fs::write(world.path("book/brief.md"), &bytes).unwrap();
        let said = world.novel(book, &["continue", "--lang", "zh"]).fails(4);
        assert!(said.stderr.contains(&format!("以 {name} 编码保存")), "{said:#?}");
        assert!(said.stderr.contains("novel doctor --repair"), "{said:#?}");
        assert_eq!(std::fs::read(world.path("book/brief.md")).unwrap(), bytes, "left as it was");
        let _ = world.novel(book, &["doctor", "--repair"]).ok();
        assert_eq!(world.read("book/brief.md").replace("\r\n", "\n"), text.replace("\r\n", "\n"));
        let kept = world.git(book, &["cat-file", "-s", "refs/novel/kept/damaged:brief.md"]).ok();
        assert_eq!(kept.trim(), bytes.len().to_string());
        assert!(world.novel(book, &["context", next, "--prompt"]).ok().contains("全书不下雨。"));
        world.write("book/brief.md", "# 创作纲领\n\n别的。\n");
        let _ = world.novel(book, &["continue"]).ok();
    }
    // A byte order mark alone harms nothing.
    world.write("book/brief.md", &format!("\u{feff}{text}"));
    let _ = world.novel(book, &["continue"]).ok();
    world.check(book);
}

#[test]
fn a_key_in_the_settings_never_reaches_the_object_store() {
    let world = World::new();
    let book = world.demo_with(1);
    let settings = world.read("book/novel.toml");
    world.write("book/novel.toml", &format!("{settings}\n[models]\napi_key = \"sk-0123456789abcdef\"\n"));
    let _ = world.novel(book, &["continue"]).fails(4);
    let _ = world.novel(book, &["doctor", "--repair", "--yes"]).fails(1);
    assert!(world.read("book/novel.toml").contains("sk-0123456789abcdef"));
    let kept = world.git(book, &["for-each-ref", "refs/novel/kept/damaged"]).ok();
    assert_eq!(kept, "");
    world.write("book/novel.toml", &settings);
    let _ = world.novel(book, &["continue"]).ok();
}

#[cfg(unix)]
#[test]
fn links_and_folders_at_the_places_of_files_are_replaced_by_the_real_thing() {
    let world = World::new();
    let book = world.demo_with(2);
    let text = "book/chapters/vol-01/chapter-001.md";
    std::fs::rename(world.path("book/chapters"), world.path("elsewhere")).unwrap();
    std::os::unix::fs::symlink("../elsewhere", world.path("book/chapters")).unwrap();
    let committed = world.read(text);
    let mine = committed.clone() + "\n我添的一句。\n";
    world.write("elsewhere/vol-01/chapter-001.md", &mine);
    world.write("book/logs/plans", "挡路的文件\n");
    std::fs::remove_file(world.path("book/world/rules.json")).unwrap();
    std::fs::create_dir(world.path("book/world/rules.json")).unwrap();
    let said = world.novel(book, &["continue", "--lang", "zh"]).fails(4);
    assert!(said.stderr.contains("novel doctor --repair --yes") && !said.stderr.contains("请保存后"), "{said:#?}");
    let found = world.novel(book, &["doctor", "--json"]).fails(1).json();
    let codes: Vec<&str> = found["findings"].as_array().unwrap().iter().map(|f| f["code"].as_str().unwrap()).collect();
    assert_eq!(codes, ["in_the_way"; 3], "{found}");
    let _ = world.novel(book, &["doctor", "--repair", "--yes"]).ok();
    assert_eq!((world.read(text), world.read("elsewhere/vol-01/chapter-001.md")), (committed, mine));
    assert!(std::fs::symlink_metadata(world.path("book/chapters")).unwrap().is_dir());
    assert!(std::fs::symlink_metadata(world.path("book/chapters.aside")).unwrap().is_symlink());
    assert_eq!(world.read("book/logs/plans.aside"), "挡路的文件\n");
    assert!(world.path("book/world/rules.json").is_file() && world.path("book/world/rules.json.aside").is_dir());
    let _ = world.novel(book, &["continue"]).ok();
    let _ = world.novel(book, &["doctor"]).ok();
    world.check(book);
}

#[test]
fn a_book_without_one_of_its_chapters_is_read_and_goes_on() {
    let world = World::new();
    let _ = world.novel("", &["demo", "book", "--volumes", "2", "--chapters", "14"]).ok();
    let _ = world.novel("book", &["rollback", "ch-008", "--yes"]).ok();
    let _ = world.git("book", &["rm", "-q", "chapters/vol-01/chapter-006.md"]).ok();
    world.commit("book", "without chapter 6");
    let _ = world.novel("book", &["doctor", "--remove", "ch-006", "--lang", "en"]).ok();
    for args in [
        &["character", "list"][..],
        &["status"],
        &["check"],
        &["metrics"],
        &["cost"],
        &["foreshadow", "--all"],
        &["search", "灯"],
        &["style", "extract", "--offline"],
        &["context", "9"],
        &["character", "voices"],
    ] {
        let run = world.novel("book", args);
        assert!(run.code < 2 && !run.stderr.contains("ch-006"), "{args:?}: {run:#?}");
    }
    let refused = world.novel("book", &["write", "6", "--lang", "en"]).fails(1);
    assert!(refused.stderr.contains("novel restore ch-006"), "{refused:#?}");
    let state = world.read("book/state/current-state.json");
    let _ = world.novel("book", &["restore", "ch-006"]).ok();
    let _ = world.novel("book", &["doctor"]).ok();
    assert!(world.read("book/chapters/vol-01/chapter-006.md").contains("第6章"));
    assert!(!world.novel("book", &["restore", "--json"]).ok().contains("removed"));
    let _ = world.novel("book", &["undo"]).ok();
    assert_eq!(world.read("book/state/current-state.json"), state);
    // A profile of the book's own style is measured again at chapter 10.
    let _ = world.novel("book", &["continue", "3"]).ok();
    assert!(!world.git("book", &["tag", "--list", "ch-011"]).ok().is_empty());
    world.check("book");
}
