//! `novel doctor` from outside: every kind of finding is documented, what the repository has lost comes back from a remote,
//! and neither an unfinished rebase nor the provider's key is touched.

use crate::common::{World, loosen};
use crate::llm::server::{Answer, Server};
use novel::report::Lang;
use novel::report::doctor::Code;
use std::collections::BTreeMap;
use std::path::Path;

const BOOK: &str = "book";

fn world(chapters: u32) -> World {
    let world = World::new();
    world.write("home/.gitconfig", "[user]\nname = A\nemail = a@b\n[init]\ndefaultBranch = main\n");
    let _ = world.demo_with(chapters);
    world
}

/// A book whose chapters so far are on a remote, a bare folder beside it.
fn pushed(chapters: u32) -> World {
    let world = world(chapters);
    let _ = world.git("", &["init", "-q", "--bare", "remote"]).ok();
    let _ = world.git(BOOK, &["remote", "add", "origin", "../remote"]).ok();
    let _ = world.git(BOOK, &["push", "-q", "origin", "--tags", "refs/heads/*", "refs/novel/*:refs/novel/*"]).ok();
    let _ = world.git(BOOK, &["fetch", "-q"]).ok();
    world
}

fn codes(world: &World, args: &[&str]) -> Vec<String> {
    let found = world.novel(BOOK, &[&["doctor", "--json"], args].concat()).json();
    let found = found["findings"].as_array().unwrap().clone();
    let left = found.iter().filter(|finding| finding["repaired"] == false);
    left.map(|finding| finding["code"].as_str().unwrap().to_owned()).collect()
}

fn remove_objects(world: &World) {
    let objects = world.path("book/.git/objects");
    for entry in std::fs::read_dir(&objects).unwrap().map(|entry| entry.unwrap().path()) {
        if entry.file_name().is_some_and(|name| name.len() == 2 || name == "pack") {
            std::fs::remove_dir_all(&entry).unwrap();
        }
    }
    std::fs::create_dir(objects.join("pack")).unwrap();
}

/// Every file of a folder with its bytes.
fn contents(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let (mut found, mut folders) = (BTreeMap::new(), vec![folder.to_owned()]);
    while let Some(folder) = folders.pop() {
        for path in std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
            match path.is_dir() {
                true => folders.push(path),
                false => drop(found.insert(path.display().to_string(), std::fs::read(&path).unwrap())),
            }
        }
    }
    found
}

#[test]
fn every_finding_has_an_entry_in_the_documentation_and_an_explanation() {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/doctor.md");
    let page = std::fs::read_to_string(page).unwrap();
    let entries: BTreeMap<&str, &str> = page
        .split("\n## `")
        .skip(1)
        .map(|entry| entry.split_once("`\n").unwrap())
        .map(|(name, text)| (name, text.trim()))
        .collect();
    for code in Code::ALL {
        let entry = entries.get(code.as_str()).unwrap_or_else(|| panic!("docs/doctor.md lacks `{code}`"));
        assert!(entry.starts_with(code.explanation(Lang::En)), "`{code}`: {entry}");
        assert!(entry.contains("\n*Repair.* "), "`{code}` says nothing of a repair");
    }
    assert_eq!(entries.len(), Code::ALL.len(), "an entry without a finding");
    let world = World::new();
    for lang in [Lang::Zh, Lang::En] {
        let said = world.novel("", &["doctor", "--explain", "gap", "--lang", lang.as_str()]).ok();
        let colon = lang.pick("：", ": ");
        assert_eq!(said, format!("gap{colon}{}\n", Code::Gap.explanation(lang)));
    }
    assert!(world.novel("", &["doctor", "--explain", "nonsense"]).fails(2).stderr.contains("nonsense"));
}

#[test]
fn an_old_version_that_is_gone_comes_back_from_the_remote() {
    let world = pushed(3);
    loosen(&world.path(BOOK));
    let refs = world.git(BOOK, &["for-each-ref"]).ok();
    for revision in ["HEAD~1:state/current-state.json", "HEAD~1:state", "HEAD~2^{tree}", "HEAD~1"] {
        let id = world.git(BOOK, &["rev-parse", revision]).ok();
        let (folder, name) = id.trim().split_at(2);
        std::fs::remove_file(world.path("book/.git/objects").join(folder).join(name)).unwrap();
    }
    assert!(codes(&world, &[]).iter().all(|code| code == "missing_object"));
    let said = world.novel(BOOK, &["doctor", "--repair"]).ok();
    assert!(said.contains("repaired: ") && said.contains("[missing_object]"), "{said}");
    world.check(BOOK);
    assert_eq!(world.git(BOOK, &["for-each-ref"]).ok(), refs);
    assert_eq!(codes(&world, &[]), [""; 0]);
    assert!(!world.path("book/.git/novel/tmp/copy").exists());
}

#[test]
fn a_book_without_any_object_is_whole_again() {
    let world = pushed(3);
    let (tip, tree) = (world.git(BOOK, &["rev-parse", "HEAD"]).ok(), world.tree(BOOK));
    remove_objects(&world);
    assert_eq!(codes(&world, &[]), ["lost_branch"]);
    let _ = world.novel(BOOK, &["doctor", "--repair", "--yes"]).ok();
    assert_eq!((world.git(BOOK, &["rev-parse", "HEAD"]).ok(), world.tree(BOOK)), (tip, tree));
    world.check(BOOK);
    let _ = world.novel(BOOK, &["continue"]).ok();
}

#[test]
fn chapters_that_no_remote_has_stay_in_the_folder() {
    let world = pushed(2);
    let pushed = world.git(BOOK, &["rev-parse", "HEAD"]).ok();
    let _ = world.novel(BOOK, &["continue"]).ok();
    let text = world.read("book/chapters/vol-01/chapter-003.md");
    remove_objects(&world);
    let said = world.novel(BOOK, &["doctor", "--repair", "--yes"]).ok();
    assert_eq!(said.matches("[lost_branch]").count(), 1, "{said}");
    assert_eq!(world.git(BOOK, &["rev-parse", "HEAD"]).ok(), pushed);
    assert_eq!(world.read("book/chapters/vol-01/chapter-003.md"), text);
    // Its draft is nowhere; that it was there is written down.
    assert!(world.read("book/.git/novel/aside/refs").contains(" refs/novel/kept/ch-003/"));
    // The chapter is taken up as the author's own, with its state.
    let _ = world.novel(BOOK, &["continue"]).ok();
    let ids = |place: &str| world.git(BOOK, &["rev-parse", &format!("{place}chapters/vol-01/chapter-003.md")]).ok();
    assert_eq!(ids("HEAD:"), world.git(BOOK, &["hash-object", "chapters/vol-01/chapter-003.md"]).ok());
    assert!(world.git(BOOK, &["rev-parse", "HEAD:chapters/vol-01/chapter-004.md"]).code == 0);
    // The branch's log still names the commit that is lost.
    let fsck = world.git(BOOK, &["fsck", "--strict", "--no-dangling", "--no-reflogs"]);
    assert!(fsck.code == 0 && fsck.stdout.is_empty(), "{fsck:#?}");
    assert_eq!(codes(&world, &[]), [""; 0]);
}

#[test]
fn what_is_nowhere_is_named_with_what_is_still_whole() {
    let world = world(3);
    loosen(&world.path(BOOK));
    let id = world.git(BOOK, &["rev-parse", "HEAD~1:.checkpoint.json"]).ok();
    let (folder, name) = id.trim().split_at(2);
    let file = world.path("book/.git/objects").join(folder).join(name);
    let bytes = std::fs::read(&file).unwrap();
    std::fs::remove_file(&file).unwrap();
    let said = world.novel(BOOK, &["doctor", "--repair"]).fails(1);
    let tip = world.git(BOOK, &["rev-parse", "--short=7", "HEAD"]).ok();
    for part in [".checkpoint.json", tip.trim(), "ch-003", "[lost_content]", "git remote add backup"] {
        assert!(said.stdout.contains(part), "{part}: {said:#?}");
    }
    // Another copy of the book, named as a remote, has it.
    world.copy(BOOK, "copy");
    std::fs::create_dir_all(world.path("copy/.git/objects").join(folder)).unwrap();
    std::fs::write(world.path("copy/.git/objects").join(folder).join(name), bytes).unwrap();
    let _ = world.git(BOOK, &["remote", "add", "backup", "../copy"]).ok();
    let _ = world.novel(BOOK, &["doctor", "--repair"]).ok();
    world.check(BOOK);
}

#[test]
fn an_unfinished_rebase_of_the_authors_is_named_and_not_touched() {
    let world = world(2);
    let _ = world.git(BOOK, &["switch", "-qc", "side", "HEAD~1"]).ok();
    world.write("book/brief.md", "# 甲\n");
    let _ = world.git(BOOK, &["commit", "-qam", "side"]).ok();
    let _ = world.git(BOOK, &["switch", "-q", "main"]).ok();
    world.write("book/brief.md", "# 乙\n");
    let _ = world.git(BOOK, &["commit", "-qam", "main"]).ok();
    let _ = world.git(BOOK, &["rebase", "-q", "side"]);
    // Something that a repair would put right.
    let _ = world.git(BOOK, &["config", "core.fsync", "none"]).ok();
    let look = || {
        let mut files = contents(&world.path("book/.git"));
        files.retain(|name, _| !name.contains("/novel/"));
        (files, world.read("book/brief.md"))
    };
    let before = look();
    let said = world.novel(BOOK, &["doctor", "--repair", "--yes"]);
    assert!(said.stdout.contains("git rebase --continue") && said.stdout.contains("git rebase --abort"), "{said:#?}");
    assert!(codes(&world, &["--repair", "--yes"]).contains(&"in_progress".to_owned()));
    assert!(look() == before, "a repair has touched the rebase");
    let _ = world.git(BOOK, &["rebase", "--abort"]).ok();
    let _ = world.novel(BOOK, &["doctor", "--repair"]).ok();
    assert_eq!(codes(&world, &[]), [""; 0]);
}

#[test]
fn the_provider_is_asked_for_its_models_and_its_key_is_never_shown() {
    let key = ["sk-", "doctor0123456789abcdef"].concat();
    let list = |status: u16, body: String| vec![Answer::raw(status, "application/json", body)];
    let models = |names: &[&str]| {
        let names: Vec<serde_json::Value> = names.iter().map(|name| serde_json::json!({"id": name})).collect();
        list(200, serde_json::json!({"data": names}).to_string())
    };
    let refusal = format!("{{\"error\": {{\"message\": \"bad key {key}\"}}}}");
    let cases = [
        (models(&["quill-standard", "quill-strong"]), &[][..], 0),
        (models(&["quill-standart", "quill-strong"]), &["model_unknown"], 1),
        (list(401, refusal), &["key_refused"], 1),
        // A proxy without a database, of a key that it does not know.
        (
            list(400, r#"{"error": {"type": "no_db_connection", "message": "No connected db."}}"#.into()),
            &["key_refused"],
            1,
        ),
        (list(402, r#"{"error": {"message": "Insufficient Balance"}}"#.into()), &["key_refused"], 1),
        // Some complain with the status of a success.
        (list(200, r#"{"base_resp": {"status_code": 1004, "status_msg": "login fail"}}"#.into()), &["key_refused"], 1),
        (list(404, "{}".into()), &["models_not_listed"], 0),
    ];
    for (answers, expected, exit) in cases {
        let server = Server::start(answers);
        let world = World::new()
            .with("NOVEL_PROVIDER", "openai")
            .with("NOVEL_BASE_URL", &server.openai_url())
            .with("NOVEL_MODEL", "quill-standard")
            .with("NOVEL_REVISE_MODEL", "quill-strong")
            .with("OPENAI_API_KEY", &key);
        let _ = world.novel("", &["init", BOOK]).ok();
        let quiet = world.novel(BOOK, &["doctor"]).ok();
        assert!(server.requests().is_empty() && quiet.contains("the provider"), "{quiet}");
        let said = world.novel(BOOK, &["doctor", "--online", "--json"]).fails(exit);
        let found = said.json();
        let found: Vec<&str> =
            found["findings"].as_array().unwrap().iter().map(|finding| finding["code"].as_str().unwrap()).collect();
        assert_eq!(found, expected, "{said:#?}");
        // Another key does not fill an account.
        assert_eq!(said.stdout.contains("check your account"), said.stdout.contains("Insufficient"), "{said:#?}");
        assert!(!said.stdout.contains(&key) && !said.stderr.contains(&key), "{said:#?}");
        assert!(server.requests().iter().all(|request| request.method == "GET"));
    }
}

#[test]
fn a_provider_that_is_silent_or_not_set_up_is_said_to_be() {
    let world = World::new()
        .with("NOVEL_PROVIDER", "openai")
        .with("NOVEL_BASE_URL", "http://127.0.0.1:9/v1")
        .with("NOVEL_MODEL", "m")
        .with("NOVEL_REVISE_MODEL", "m");
    let _ = world.novel("", &["init", BOOK]).ok();
    assert_eq!(codes(&world, &["--online"]), ["provider_silent"]);
    let world = World::new().with("NOVEL_PROVIDER", "anthropic");
    let _ = world.novel("", &["init", BOOK]).ok();
    let said = world.novel(BOOK, &["doctor"]).ok();
    assert!(said.contains("[provider_not_set_up]") && said.contains("ANTHROPIC_API_KEY"), "{said}");
    let _ = world.novel("", &["init", "offline", "--offline"]).ok();
    assert!(!world.novel("offline", &["doctor", "--online"]).ok().contains("provider"));
}

#[test]
fn every_ref_that_names_something_missing_is_found_and_put_aside() {
    let world = World::new();
    let _ = world.demo_with(2);
    let nowhere = "00000000000000000000000000000000000000aa";
    let refs = [
        "refs/novel/held",
        "refs/novel/seen-lease",
        "refs/heads/draft/ch-009",
        "refs/heads/wanderer",
        "refs/tags/mine",
    ];
    for name in refs {
        let path = format!("{BOOK}/.git/{name}");
        world.write(&path, &format!("{nowhere}\n"));
        assert!(world.git(BOOK, &["gc", "-q"]).code != 0, "{name}: git packs nothing");
        let found = world.novel(BOOK, &["doctor"]);
        assert!(found.code != 0 && found.stdout.contains(name), "{name}: {found:#?}");
        let repaired = world.novel(BOOK, &["doctor", "--repair", "--yes"]);
        assert!(repaired.code == 0 && !world.path(&path).exists(), "{name}: {repaired:#?}");
        assert!(world.read("book/.git/novel/aside/refs").contains(&format!("{nowhere} {name}")), "{name}");
        let _ = world.git(BOOK, &["gc", "-q"]).ok();
    }
    assert_eq!(codes(&world, &[]), [""; 0]);
    let _ = world.novel(BOOK, &["continue"]).ok();
    // A branch that was whole once goes back to what it was.
    let tip = world.git(BOOK, &["rev-parse", "HEAD"]).ok();
    let _ = world.git(BOOK, &["branch", "wanderer"]).ok();
    let log = world.read("book/.git/logs/refs/heads/wanderer");
    assert!(log.contains(tip.trim()), "{log}");
    world.write("book/.git/refs/heads/wanderer", &format!("{nowhere}\n"));
    let _ = world.novel(BOOK, &["doctor", "--repair", "--yes"]).ok();
    assert_eq!(world.git(BOOK, &["rev-parse", "wanderer"]).ok(), tip);
    world.check(BOOK);
}
