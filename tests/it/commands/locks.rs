//! Git's locks, its index and its filters: live locks are left alone, leftovers are put right.

#[cfg(target_os = "linux")]
use crate::common::Running;
use crate::common::World;
#[cfg(target_os = "linux")]
use crate::crash::failing::has_strace;
use sha1::Digest as _;

/// Makes the file at `path` look an hour old to a test's clock.
pub(super) fn age(world: &World, path: &str) {
    let file = std::fs::File::options().write(true).open(world.path(path)).unwrap();
    let then = std::time::UNIX_EPOCH + std::time::Duration::from_secs(1_767_225_600 - 3600);
    file.set_modified(then).unwrap();
}

#[cfg(target_os = "linux")]
#[test]
fn the_lock_of_a_live_editor_is_never_broken() {
    use std::os::unix::fs::PermissionsExt as _;
    let world = World::new();
    let book = world.demo_with(1);
    let (open, go) = (world.path("open"), world.path("go"));
    for pipe in [&open, &go] {
        assert!(std::process::Command::new("mkfifo").arg(pipe).status().unwrap().success());
    }
    let script =
        format!("#!/bin/sh\necho open > '{}'\nread _ < '{}'\necho mine > \"$1\"\n", open.display(), go.display());
    world.write("editor.sh", &script);
    std::fs::set_permissions(world.path("editor.sh"), std::fs::Permissions::from_mode(0o755)).unwrap();
    world.write("book/brief.md", &(world.read("book/brief.md") + "\n改了。\n"));
    let mut git = world.command("git", &world.path(book));
    git.env("GIT_EDITOR", world.path("editor.sh"));
    let git = Running::of(git.args(["-c", "user.name=A", "-c", "user.email=a@b", "commit", "-a"]));
    assert_eq!(std::fs::read_to_string(&open).unwrap(), "open\n");
    // An editor may be open for hours.
    age(&world, "book/.git/index.lock");

    let found = world.novel(book, &["doctor", "--json"]).json();
    let lock = &found["findings"][0];
    assert_eq!((&lock["code"], &lock["repair"]), (&"stray_lock".into(), &serde_json::Value::Null), "{found}");
    let refused = world.novel(book, &["doctor", "--repair", "--yes", "--lang", "zh"]);
    assert!(refused.stdout.contains("可能正由 git") && refused.stdout.contains(&git.pid().to_string()), "{refused:#?}");
    assert!(world.path("book/.git/index.lock").exists());

    std::fs::write(&go, "\n").unwrap();
    let _ = git.finish().ok();
    let _ = world.novel(book, &["continue"]).ok();
    world.check(book);
}

#[cfg(target_os = "linux")]
#[test]
fn the_locks_of_a_packing_in_the_background_are_no_finding() {
    let world = World::new();
    let book = world.demo_with(1);
    let (open, go) = (world.path("open"), world.path("go"));
    for pipe in [&open, &go] {
        assert!(std::process::Command::new("mkfifo").arg(pipe).status().unwrap().success());
    }
    std::fs::create_dir(world.path("book/.git/novel/packing")).unwrap();
    world.write("book/.git/refs/heads/main.lock", "");
    let mut git = world.command("git", &world.path(book));
    let alias = format!("alias.novel-pack=!echo open > '{}'; read _ < '{}'", open.display(), go.display());
    let git = Running::of(git.args(["-c", &alias, "novel-pack"]));
    assert_eq!(std::fs::read_to_string(&open).unwrap(), "open\n");
    let found = || world.novel(book, &["doctor", "--json"]).json()["findings"].clone();
    assert_eq!(found(), serde_json::json!([]));
    // Without the packing it is the lock of another program.
    std::fs::remove_dir(world.path("book/.git/novel/packing")).unwrap();
    assert_eq!(found()[0]["code"], "stray_lock");
    std::fs::write(&go, "\n").unwrap();
    let _ = git.finish().ok();
}

#[cfg(target_os = "linux")]
#[test]
fn a_long_run_is_packed_between_its_chapters() {
    use std::os::unix::fs::PermissionsExt as _;
    if !has_strace() {
        return;
    }
    let world = World::new();
    let _ = world.novel("", &["demo", world.path("demo").to_str().unwrap(), "--chapters", "0"]).ok();
    (0..21).for_each(|n| world.write(&format!("demo/.git/objects/17/{n:038x}"), ""));
    world.write("bin/git", "#!/bin/sh\nexit 0\n");
    std::fs::set_permissions(world.path("bin/git"), std::fs::Permissions::from_mode(0o755)).unwrap();
    let paths = std::env::join_paths([world.path("bin"), "/usr/bin".into(), "/bin".into()]).unwrap();
    let world = world.with("PATH", paths.to_str().unwrap());
    let trace = world.path("trace");
    let mut command = world.command("strace", &world.path("demo"));
    command.args(["-qq", "-e", "trace=mkdir,mkdirat,rename,renameat,renameat2,link,linkat", "-o"]).arg(&trace);
    let ran = command.arg(env!("CARGO_BIN_EXE_novel")).args(["continue", "2"]).output().unwrap();
    assert!(ran.status.success(), "{ran:?}");
    let calls = std::fs::read_to_string(trace).unwrap();
    let place = |name: &str| calls.lines().position(|call| call.contains(name) && !call.contains(" = -1"));
    let chapters = [place("refs/tags/ch-001"), place("refs/tags/ch-002")];
    let [Some(first), Some(last)] = chapters else { panic!("{calls}") };
    assert!(place("novel/packing\"").is_some_and(|packing| (first..last).contains(&packing)), "{calls}");
}

/// A git that only says that it is asked to pack; the marks of a packing stay, since it removes none.
#[cfg(unix)]
#[test]
fn every_command_that_wrote_has_git_pack_what_has_piled_up_one_book_at_a_time() {
    use std::os::unix::fs::PermissionsExt as _;
    let world = World::new();
    for book in ["demo", "stopped", "later"] {
        let path = world.path(book);
        let _ = world.novel("", &["demo", path.to_str().unwrap(), "--chapters", "0"]).ok();
        // Git takes the number of objects from one folder of 256.
        (0..21).for_each(|n| world.write(&format!("{book}/.git/objects/17/{n:038x}"), ""));
    }
    world.write("bin/git", "#!/bin/sh\nexit 0\n");
    std::fs::set_permissions(world.path("bin/git"), std::fs::Permissions::from_mode(0o755)).unwrap();
    let paths = std::env::join_paths([world.path("bin"), "/usr/bin".into(), "/bin".into()]).unwrap();
    let world = world.with("PATH", paths.to_str().unwrap());
    let packs = |book: &str| world.path(&format!("{book}/.git/novel/packing")).exists();
    let turn = world.path("home/.cache/novel/packing");

    let demo = world.path("demo");
    let _ = world.novel("demo", &["status"]).ok();
    assert!(!packs("demo"), "a command that only reads");
    let _ = world.novel("", &["demo", demo.to_str().unwrap(), "--chapters", "1"]).ok();
    assert!(packs("demo") && turn.exists());
    // Another book waits for its turn.
    let _ = world.novel("later", &["continue"]).ok();
    assert!(!packs("later"));
    std::fs::remove_dir(turn).unwrap();
    // No server answers there.
    let config = world.read("stopped/novel.toml").replace("offline = true", "offline = false");
    world.write("stopped/novel.toml", &config);
    let model = [("PROVIDER", "openai"), ("BASE_URL", "http://127.0.0.1:9/v1"), ("MODEL", "m"), ("PRICE", "free")];
    let world = model.iter().fold(world, |world, (name, value)| world.with(&format!("NOVEL_{name}"), value));
    let world = world.with("OPENAI_API_KEY", "none");
    let _ = world.novel("stopped", &["continue", "--retry-for", "0"]).fails(5);
    assert!(world.path("stopped/.git/novel/packing").exists());
}

#[test]
fn a_lock_that_has_just_been_made_is_left_for_a_while() {
    let world = World::new();
    let book = world.demo_with(1);
    world.write("book/.git/index.lock", "");
    let young = world.novel(book, &["doctor", "--repair", "--yes", "--lang", "en"]);
    assert!(young.stdout.contains("s old, and its git process may still be running"), "{young:#?}");
    assert!(world.path("book/.git/index.lock").exists());
    age(&world, "book/.git/index.lock");
    let _ = world.novel(book, &["doctor", "--repair", "--yes"]).ok();
    assert!(!world.path("book/.git/index.lock").exists());
    // One that a dead process of ours has left needs no repair, and none of its age.
    world.write("book/.git/index.lock", "held by novel\n");
    let _ = world.novel(book, &["continue"]).ok();
    assert!(!world.path("book/.git/index.lock").exists());
}

#[test]
fn without_gits_index_nothing_seems_to_be_edited_and_it_is_made_anew() {
    let world = World::new();
    let book = world.demo_with(2);
    let brief = world.read("book/brief.md") + "\n改了。\n";
    for empty in [false, true] {
        std::fs::remove_file(world.path("book/.git/index")).unwrap();
        if empty {
            world.write("book/.git/index", "");
        }
        world.write("book/brief.md", &brief);
        let status = world.novel(book, &["status", "--json"]).json();
        assert_eq!(status["hand_edits"], if empty { serde_json::json!([]) } else { serde_json::json!(["brief.md"]) });
        let found = world.novel(book, &["doctor", "--json"]).fails(1).json();
        assert_eq!(found["findings"][0]["code"], "bad_index", "{found}");
        let told = world.novel(book, &["continue", "--lang", "zh"]);
        assert!(told.stderr.contains("git 的索引丢失，已按最后一次提交重建"), "{told:#?}");
        let _ = told.ok();
        assert_eq!(world.git(book, &["status", "--porcelain"]).ok(), "");
    }
    let subjects = world.subjects(book);
    assert_eq!(subjects.iter().filter(|subject| subject.starts_with("hand edit")).count(), 1, "{subjects:?}");
    std::fs::remove_file(world.path("book/.git/index")).unwrap();
    let _ = world.novel(book, &["doctor", "--repair", "--yes"]).ok();
    assert_eq!(world.git(book, &["status", "--porcelain"]).ok(), "");
    world.check(book);
}

#[test]
fn an_entry_of_zeros_in_gits_index_is_found_and_taken_out() {
    let world = World::new();
    let book = world.demo_with(1);
    let id = "1".repeat(40);
    let _ = world.git(book, &["update-index", "--add", "--cacheinfo", &format!("160000,{id},staging")]).ok();
    let path = world.path("book/.git/index");
    let mut index = std::fs::read(&path).unwrap();
    let at = index.windows(20).position(|bytes| bytes == [0x11; 20]).unwrap();
    index[at..at + 20].fill(0);
    let end = index.len() - 20;
    // Without a checksum.
    index[end..].fill(0);
    std::fs::write(&path, index).unwrap();
    world.write("book/brief.md", &(world.read("book/brief.md") + "\n改了。\n"));
    assert_ne!(world.git(book, &["add", "brief.md"]).code, 0);
    let found = world.novel(book, &["doctor", "--json"]).fails(1).json();
    assert_eq!(found["findings"][0]["code"], "null_entry", "{found}");
    let _ = world.novel(book, &["doctor", "--repair"]).ok();
    let _ = world.git(book, &["add", "brief.md"]).ok();
    let _ = world.novel(book, &["continue"]).ok();
    assert_eq!(world.git(book, &["status", "--porcelain"]).ok(), "");
    world.check(book);
}

#[test]
fn the_index_of_a_draft_is_one_that_other_tools_read() {
    let world = World::new();
    let book = world.demo_with(1);
    super::submodules::show_draft(&world, book);
    let index = std::fs::read(world.path("book/.git/worktrees/staging/index")).unwrap();
    let (content, checksum) = index.split_at(index.len() - 20);
    // isomorphic-git looks at both.
    assert_eq!(content[..8], *b"DIRC\0\0\0\x03");
    assert_eq!(checksum, &sha1::Sha1::digest(content)[..]);
}

#[test]
fn filters_and_partial_clones_are_refused_with_a_way_out() {
    let world = World::new();
    let book = world.demo_with(1);
    let attributes = world.read("book/.gitattributes");
    world.write("book/.gitattributes", &format!("{attributes}*.png filter=lfs diff=lfs merge=lfs -text\n"));
    let _ = world.novel(book, &["continue"]).ok();
    world.write("book/.gitattributes", &format!("{attributes}*.md filter=lfs diff=lfs merge=lfs -text\n"));
    let before = world.subjects(book);
    let refused = world.novel(book, &["continue", "--lang", "zh"]).fails(4);
    assert!(refused.stderr.contains("git 过滤器 lfs") && refused.stderr.contains(".gitattributes"), "{refused:#?}");
    let status = world.novel(book, &["status", "--lang", "en"]).ok();
    assert!(status.contains("blocked") && status.contains("the git filter `lfs`"), "{status}");
    assert_eq!(world.subjects(book), before);
    world.write("book/.gitattributes", &attributes);
    let _ = world.novel(book, &["continue"]).ok();
    // As git-annex has it.
    world.write("book/.git/info/attributes", "*.md filter=annex\n");
    let refused = world.novel(book, &["continue", "--lang", "en"]).fails(4);
    assert!(refused.stderr.contains("in .git/info/attributes"), "{refused:#?}");
    assert!(world.novel(book, &["status"]).ok().contains("next: git check-attr"), "{refused:#?}");
    std::fs::remove_file(world.path("book/.git/info/attributes")).unwrap();

    let _ = world.git(book, &["config", "uploadpack.allowFilter", "true"]).ok();
    let from = format!("file://{}", world.path("book").display());
    let _ = world.git("", &["clone", "-q", "--filter=blob:none", &from, "partial"]).ok();
    let refused = world.novel("partial", &["status", "--lang", "zh"]).fails(4);
    assert!(refused.stderr.contains("不完整的克隆") && refused.stderr.contains("重新克隆"), "{refused:#?}");
}
