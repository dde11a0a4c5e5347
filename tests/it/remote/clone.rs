//! `novel clone`, and remotes that are not what they should be.

use super::Devices;
use crate::common::World;

#[test]
fn a_fresh_clone_goes_on_in_one_command() {
    let devices = Devices::with(2);
    let made = devices.run("new", "", &["clone", "hub.git", "新的 书", "--lang", "zh"]);
    assert!(made.code == 0 && made.stdout.contains("已写 2 章"), "{made:#?}");
    let run = devices.run("new", "新的 书", &["continue", "--offline"]);
    assert_eq!(run.code, 0, "{run:#?}");
    let synced = devices.run("new", "新的 书", &["sync"]);
    assert_eq!(synced.code, 0, "{synced:#?}");
    let _ = devices.syncs("desk");
    devices.are_equal(&["desk", "新的 书"]);
    assert_eq!(devices.git("新的 书", &["config", "novel.branch"]), "main");
    // A second clone to the same place is refused, and nothing is left beside it.
    let again = devices.run("new", "", &["clone", "hub.git", "新的 书"]).fails(1);
    assert!(again.stderr.contains("not empty"), "{again:#?}");
    let names: Vec<_> = std::fs::read_dir(devices.world.path("")).unwrap().flatten().map(|e| e.file_name()).collect();
    assert!(names.iter().all(|name| !name.to_string_lossy().contains("novel-clone")), "{names:?}");
}

#[cfg(unix)]
#[test]
fn a_hook_of_the_users_template_stops_no_clone() {
    use std::os::unix::fs::PermissionsExt as _;
    let devices = Devices::with(1);
    devices.world.write("template/hooks/post-checkout", "#!/bin/sh\necho 'npx: not found' >&2\nexit 1\n");
    let hook = devices.world.path("template/hooks/post-checkout");
    std::fs::set_permissions(&hook, std::fs::Permissions::from_mode(0o755)).unwrap();
    let template = devices.world.path("template");
    let mut command = devices.command("phone", "", &["clone", "hub.git", "phone"]);
    let said = command.env("GIT_TEMPLATE_DIR", &template).output().unwrap();
    assert!(said.status.success(), "{said:?}");
    assert!(devices.world.path("phone/.git/hooks/post-checkout").exists());
    devices.are_equal(&["desk", "phone"]);
}

#[test]
fn what_is_no_book_is_not_cloned_and_nothing_is_left() {
    let world = World::new();
    let _ = world.git("", &["init", "-q", "--bare", "empty.git"]).ok();
    let _ = world.novel("", &["clone", "empty.git", "out"]).fails(4);
    let missing = world.novel("", &["clone", "nowhere.git", "out"]).fails(4);
    assert!(missing.stderr.contains("there is no repository"), "{missing:#?}");
    let _ = world.novel("", &["clone", "--", "--upload-pack=touch pwned", "out"]).fails(2);
    let _ = world.novel("", &["clone", "ext::touch pwned", "out"]).fails(2);
    assert!(!world.path("out").exists() && !world.path("pwned").exists());
}

#[test]
fn a_remote_of_another_book_a_missing_one_and_none_are_told_apart_and_touch_nothing() {
    let devices = Devices::with(1);
    let world = &devices.world;
    let _ = world.novel("", &["demo", "other", "--chapters", "2"]).ok();
    let none = world.novel("other", &["sync"]).fails(4);
    assert!(none.stderr.contains("no remote") && none.stderr.contains("novel sync ADDRESS"), "{none:#?}");
    let unknown = world.novel("other", &["sync", "github"]).fails(4);
    assert!(unknown.stderr.contains("github"), "{unknown:#?}");
    // Two demos of the same second begin with the same commit; this one does not.
    world.write("lone/x", "x");
    let _ = world.git("lone", &["init", "-q"]).ok();
    let _ = world
        .git("lone", &["-c", "user.name=x", "-c", "user.email=x@y", "commit", "-q", "--allow-empty", "-m", "x"])
        .ok();
    let _ = world.git("lone", &["push", "-q", "--force", "../hub.git", "HEAD:main"]).ok();
    let (here, there) = (devices.refs("desk", "refs/heads"), devices.refs("hub.git", ""));
    let stranger = devices.novel("desk", &["sync"]).fails(1);
    assert!(stranger.stderr.contains("another book"), "{stranger:#?}");
    assert_eq!((devices.refs("desk", "refs/heads"), devices.refs("hub.git", "")), (here, there));
}

#[test]
fn keys_in_an_address_are_never_shown() {
    let devices = Devices::with(1);
    let secret = "glpat-4f7d0c2b9a";
    let url = format!("http://me:{secret}@127.0.0.1:9/book.git");
    let _ = devices.git("desk", &["remote", "set-url", "origin", &url]);
    for args in
        [&["sync"][..], &["sync", "--json"], &["-v", "sync"], &["continue", "--offline"], &["sync", "--lang", "zh"]]
    {
        let output = devices.novel("desk", args);
        assert!(!format!("{output:?}").contains(secret), "{args:?}: {output:#?}");
    }
    let cloned = devices.run("x", "", &["clone", &url, "out"]).fails(4);
    assert!(!format!("{cloned:?}").contains(secret), "{cloned:#?}");
}

#[test]
fn without_git_the_book_works_and_sync_says_what_is_missing() {
    let devices = Devices::with(1);
    for (args, code) in [(&["sync"][..], 4), (&["continue", "--offline"], 0)] {
        let mut command = devices.command("desk", "desk", args);
        let output = command.env("PATH", devices.world.path("home")).output().unwrap();
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(code), "{said}");
        assert!(code == 0 || said.contains("find the `git` program"), "{said}");
    }
}

#[test]
fn a_rebase_of_the_authors_a_shallow_clone_and_a_huge_file_stop_a_sync() {
    let devices = Devices::two(2);
    std::fs::create_dir_all(devices.world.path("laptop/.git/rebase-merge")).unwrap();
    devices.world.write("laptop/.git/rebase-merge/interactive", "");
    let rebasing = devices.novel("laptop", &["sync"]).fails(4);
    assert!(rebasing.stderr.contains("git rebase --abort"), "{rebasing:#?}");
    std::fs::remove_dir_all(devices.world.path("laptop/.git/rebase-merge")).unwrap();
    let hub = format!("file://{}", devices.world.path("hub.git").display());
    let _ = devices.git("", &["clone", "-q", "--depth", "1", "--branch", "main", &hub, "shallow"]);
    let shallow = devices.novel("shallow", &["sync"]).fails(4);
    assert!(shallow.stderr.contains("--unshallow"), "{shallow:#?}");
    let large = std::fs::File::create(devices.world.path("laptop/research/scan.pdf")).unwrap();
    large.set_len(100 << 20).unwrap();
    let _ = devices.git("laptop", &["add", "research/scan.pdf"]);
    devices.world.commit("laptop", "scan");
    let refused = devices.novel("laptop", &["sync"]).fails(1);
    assert!(refused.stderr.contains("research/scan.pdf") && refused.stderr.contains("100 MiB"), "{refused:#?}");
}

/// git 2.45 and newer make such a repository when they are told to.
fn has_reftable(world: &World) -> bool {
    world.git("", &["init", "-q", "--ref-format=reftable", "probe"]).code == 0
}

#[test]
fn gits_next_default_formats_do_no_harm_to_copies_and_are_named_where_they_stay() {
    let mut devices = Devices::with(2);
    devices.world = devices.world.with("GIT_DEFAULT_HASH", "sha256").with("GIT_DEFAULT_REF_FORMAT", "reftable");
    let world = &devices.world;
    devices.clone_to("laptop");
    devices.writes_alone("laptop", 1);
    // A lost object comes back from the remote.
    let id = devices.git("laptop", &["rev-parse", "HEAD~1:summaries/vol-01/chapter-001-summary.md"]);
    crate::common::loosen(&world.path("laptop"));
    std::fs::remove_file(world.path("laptop/summaries/vol-01/chapter-001-summary.md")).unwrap();
    std::fs::remove_file(world.path(&format!("laptop/.git/objects/{}/{}", &id[..2], &id[2..]))).unwrap();
    let _ = devices.novel("laptop", &["doctor", "--repair", "--yes"]).ok();
    // A remote of another hash algorithm is named, with the command that makes one for a book.
    let _ = world.git("", &["init", "-q", "--bare", "new.git"]).ok();
    let _ = devices.git("laptop", &["remote", "set-url", "origin", "../new.git"]);
    let refused = devices.novel("laptop", &["sync", "--lang", "en"]).fails(4);
    assert!(
        refused.stderr.contains("SHA-256") && refused.stderr.contains("git init --bare --object-format=sha1"),
        "{refused:#?}"
    );
    let refused = world.novel("", &["clone", "new.git", "copy", "--lang", "zh"]).fails(4);
    assert!(refused.stderr.contains("new.git 是 SHA-256 仓库"), "{refused:#?}");
    assert!(!refused.stderr.contains("novel-clone"), "{refused:#?}");
    let _ = world.git("", &["init", "-q", "empty"]).ok();
    let refused = world.novel("empty", &["init", ".", "--lang", "en"]).fails(4);
    assert!(refused.stderr.contains("novel init ../DIR"), "{refused:#?}");
}

#[test]
fn a_clone_with_another_ref_storage_is_copied_by_the_command_that_is_named() {
    let devices = Devices::with(2);
    let world = &devices.world;
    if !has_reftable(world) {
        return;
    }
    let _ = world.git("", &["clone", "-q", "--ref-format=reftable", "hub.git", "clone"]).ok();
    let refused = world.novel("clone", &["status", "--lang", "en"]).fails(4);
    assert!(refused.stderr.contains("`novel clone . ../DIR`"), "{refused:#?}");
    let _ = world.novel("clone", &["clone", ".", "../copy"]).ok();
    let _ = world.novel("copy", &["continue"]).ok();
    world.check("copy");
}

#[test]
fn an_empty_remote_a_bundle_and_an_old_git_are_told_with_a_way_on() {
    let devices = Devices::with(2);
    let world = &devices.world;
    let _ = world.git("", &["init", "-q", "--bare", "empty.git"]).ok();
    let refused = world.novel("", &["clone", "empty.git", "out", "--lang", "en"]).fails(4);
    assert!(
        refused.stderr.contains("no book at empty.git") && refused.stderr.contains("novel sync empty.git"),
        "{refused:#?}"
    );
    // A book in the folder of the repository's own files would spoil it as a remote.
    for book in ["empty.git", "hub.git"] {
        let refused = world.novel(book, &["init", ".", "--lang", "en"]).fails(4);
        assert!(refused.stderr.contains("git clone"), "{refused:#?}");
        assert!(!world.path(&format!("{book}/.git")).exists());
    }
    let _ = devices.git("desk", &["bundle", "create", "-q", "../book.bundle", "--all"]);
    let _ = world.novel("", &["clone", "book.bundle", "copy"]).ok();
    let written = world.novel("copy", &["continue", "--offline"]);
    assert!(!written.stderr.contains("unreachable"), "{written:#?}");
    let refused = world.novel("copy", &["sync", "--lang", "en"]).fails(4);
    assert!(refused.stderr.contains("git remote set-url origin"), "{refused:#?}");
    let refused = world.novel("copy", &["sync", "gcrypt::x/y", "--lang", "zh"]).fails(2);
    assert!(refused.stderr.contains("git remote add"), "{refused:#?}");
    // Older gits do not know this extension.
    let config = world.read("desk/.git/config").replace("repositoryformatversion = 0", "repositoryformatversion = 1");
    world.write("desk/.git/config", &(config + "[extensions]\n\trelativeWorktrees = true\n"));
    if world.git("desk", &["status"]).code == 0 {
        return;
    }
    let refused = devices.novel("desk", &["sync", "--lang", "en"]).fails(4);
    assert!(refused.stderr.contains("too old") && !refused.stderr.contains("drive"), "{refused:#?}");
}

#[test]
fn the_tags_of_a_shallow_clone_are_left_as_they_are() {
    let devices = Devices::with(3);
    let world = &devices.world;
    let from = format!("file://{}", world.path("hub.git").display());
    let _ = world.git("", &["clone", "-q", "--depth", "1", &from, "shallow"]).ok();
    let tags = devices.git("shallow", &["for-each-ref", "refs/tags"]);
    let said = world.novel("shallow", &["doctor", "--lang", "en"]).ok();
    assert!(said.contains("git fetch --unshallow") && said.contains("[shallow]"), "{said}");
    let _ = world.novel("shallow", &["doctor", "--repair"]).ok();
    assert_eq!(devices.git("shallow", &["for-each-ref", "refs/tags"]), tags);
    let status = world.novel("shallow", &["status", "--lang", "zh"]).ok();
    assert!(status.contains("历史") && status.contains("git fetch --unshallow"), "{status}");
    assert_eq!(world.novel("shallow", &["status", "--json"]).json()["shallow"], true);
    let back = world.novel("shallow", &["rollback", "ch-002", "--yes", "--lang", "en"]);
    assert!(back.stderr.contains("git fetch --unshallow"), "{back:#?}");
    let _ = back.ok();
}
