//! Places and git settings that a book may have.

use crate::common::World;

#[test]
fn without_a_name_the_book_is_written_all_the_same_and_the_author_is_told() {
    let world = World::new();
    let book = world.demo_with(1);
    let said = world.novel(book, &["continue", "--lang", "zh"]);
    assert!(said.stderr.contains("git config --global user.name"), "{said:#?}");
    let _ = said.ok();
    assert_eq!(world.git(book, &["log", "-1", "--format=%an"]).ok(), "novel\n");
}

#[test]
fn signatures_line_ends_and_foreign_hooks_do_not_disturb() {
    let world = World::new();
    let hooks = world.path("hooks");
    for hook in ["pre-commit", "commit-msg", "post-commit", "reference-transaction", "post-checkout"] {
        world.write(&format!("hooks/{hook}"), "#!/bin/sh\ntouch \"$HOME/ran\"\nexit 1\n");
        #[cfg(unix)]
        std::fs::set_permissions(
            world.path(&format!("hooks/{hook}")),
            std::os::unix::fs::PermissionsExt::from_mode(0o755),
        )
        .unwrap();
    }
    let settings = format!(
        "[user]\n\tname = 林作者\n\temail = a@b\n[commit]\n\tgpgsign = true\n[gpg]\n\tprogram = /nonexistent\n[core]\n\tautocrlf = true\n\thooksPath = {}\n",
        hooks.display()
    );
    world.write("home/.gitconfig", &settings);
    let book = world.demo_with(1);
    for times in [1, 0] {
        let said = world.novel(book, &["continue"]);
        assert_eq!(said.stderr.matches("does not sign its commits").count(), times, "{said:#?}");
        let _ = said.ok();
    }
    assert_eq!(world.git(book, &["log", "-1", "--format=%an"]).ok(), "林作者\n");
    assert_eq!(world.git(book, &["status", "--porcelain"]).ok(), "");
    assert!(!world.read("book/chapters/vol-01/chapter-002.md").contains('\r'));
    assert!(!world.path("home/ran").exists(), "a hook of the user's was run");
    world.check(book);
}

#[test]
fn a_commit_or_another_branch_checked_out_is_refused_and_status_says_the_way_out() {
    let world = World::new();
    let book = world.demo_with(1);
    let branch = world.git(book, &["rev-parse", "--abbrev-ref", "HEAD"]).ok();
    let way_out = format!("git switch {}", branch.trim());
    for there in [&["checkout", "-q", "--detach"][..], &["checkout", "-q", "-b", "idea"]] {
        let _ = world.git(book, there).ok();
        let refused = world.novel(book, &["continue"]).fails(4);
        assert!(refused.stderr.contains(&way_out), "{refused:#?}");
        let status = world.novel(book, &["status"]).ok();
        assert!(status.contains("blocked") && status.ends_with(&format!("next: {way_out}\n")), "{status}");
        let _ = world.git(book, &["switch", "-q", branch.trim()]).ok();
    }
    let _ = world.novel(book, &["continue"]).ok();
    let _ = world.git(book, &["switch", "-q", "idea"]).ok();
    let _ = world.git(book, &["config", "novel.branch", "idea"]).ok();
    let _ = world.novel(book, &["continue"]).ok();
    assert!(world.subjects(book)[0].starts_with("ch-002: "));
}

#[test]
fn a_sparse_checkout_without_the_books_own_files_is_refused_before_anything_is_asked() {
    let world = World::new();
    let book = world.demo_with(2);
    let _ = world.git(book, &["sparse-checkout", "set", "--no-cone", "/*", "!/chapters/vol-01/chapter-001.md"]).ok();
    assert!(!world.path("book/chapters/vol-01/chapter-001.md").exists());
    // An accepted chapter is not needed, until it is to be written again.
    let _ = world.novel(book, &["continue"]).ok();
    let _ = world.novel(book, &["doctor"]).ok();
    let refused = world.novel(book, &["write", "1", "--force", "--lang", "en"]).fails(4);
    assert!(refused.stderr.contains("such as `chapters/vol-01/chapter-001.md`"), "{refused:#?}");
    let _ = world.git(book, &["sparse-checkout", "disable"]).ok();
    let _ = world.novel(book, &["continue"]).ok();

    let _ = world.git(book, &["sparse-checkout", "set", "chapters"]).ok();
    let before = (world.git(book, &["for-each-ref"]).ok(), world.git(book, &["status", "--porcelain"]).ok());
    for args in [&["continue"][..], &["rollback", "ch-001", "--yes"], &["undo"], &["write", "2", "--force"]] {
        let refused = world.novel(book, &[args, &["--lang", "zh"]].concat()).fails(4);
        assert!(
            refused.stderr.contains("稀疏检出") && refused.stderr.contains("git sparse-checkout disable"),
            "{refused:#?}"
        );
    }
    let status = world.novel(book, &["status"]).ok();
    assert!(status.contains("sparse") && status.ends_with("next: git sparse-checkout disable\n"), "{status}");
    let found = world.novel(book, &["doctor", "--json"]).fails(1).json();
    assert_eq!(found["findings"][0]["code"], "left_out", "{found}");
    assert_eq!((world.git(book, &["for-each-ref"]).ok(), world.git(book, &["status", "--porcelain"]).ok()), before);
    let _ = world.git(book, &["sparse-checkout", "disable"]).ok();
    let _ = world.novel(book, &["continue"]).ok();
    let _ = world.novel(book, &["doctor"]).ok();
    world.check(book);
}

#[test]
fn commits_of_a_detached_head_are_brought_to_the_branch_by_the_command_that_is_named() {
    for diverged in [false, true] {
        let world = World::new();
        let book = world.demo_with(2);
        let branch = world.git(book, &["rev-parse", "--abbrev-ref", "HEAD"]).ok();
        let _ = world.git(book, &["switch", "-q", "--detach"]).ok();
        world.write("book/brief.md", &(world.read("book/brief.md") + "\n全书不下雨。\n"));
        world.commit(book, "brief");
        if diverged {
            let _ = world.git(book, &["branch", "-f", branch.trim(), "HEAD~2"]).ok();
        }
        let mut way = String::new();
        for args in [&["continue"][..], &["rollback", "ch-001", "--yes"], &["undo"], &["sync"]] {
            let refused = world.novel(book, &[args, &["--lang", "en"]].concat());
            if args != ["sync"] {
                let _ = refused.clone().fails(4);
                let commits = if diverged { "2 commits" } else { "1 commit " };
                assert!(refused.stderr.contains(&format!("HEAD has {commits}")), "{refused:#?}");
            }
        }
        let status = world.novel(book, &["status"]).ok();
        way.push_str(status.lines().last().unwrap().strip_prefix("next: ").unwrap());
        assert!(way.contains(" && "), "{way}");
        for command in way.split(" && ") {
            let args: Vec<&str> = command.split(' ').skip(1).collect();
            let _ = world.git(book, &[&["-c", "user.name=A", "-c", "user.email=a@b"], &args[..]].concat()).ok();
        }
        let _ = world.novel(book, &["continue"]).ok();
        assert!(world.read("book/brief.md").contains("全书不下雨"));
        assert_eq!(world.git(book, &["rev-parse", "--abbrev-ref", "HEAD"]).ok(), branch);
        assert!(world.path("book/chapters/vol-01/chapter-003.md").exists());
        world.check(book);
    }
}

#[test]
fn a_draft_in_the_books_folder_is_no_line_and_nothing_of_it_is_in_the_way() {
    let world = World::new();
    let book = world.demo_with(1);
    super::submodules::show_draft(&world, book);
    let branch = world.git(book, &["branch", "--show-current"]).ok();
    let _ = world.git(book, &["checkout", "-q", "--ignore-other-worktrees", "draft/ch-002"]).ok();
    let refused = world.novel(book, &["continue"]).fails(4);
    assert!(refused.stderr.contains("git switch") && !refused.stderr.contains("novel branch switch"), "{refused:#?}");
    let found = world.novel(book, &["doctor"]);
    assert!(!found.stdout.contains("in_the_way"), "{found:#?}");
    let _ = world.git(book, &["switch", "-q", branch.trim()]).ok();
    std::fs::remove_dir_all(world.path("book/staging")).unwrap();
    let found = world.novel(book, &["doctor", "--lang", "en"]);
    assert!(found.stdout.contains("git has changed the draft") && found.stdout.contains("[unfinished]"), "{found:#?}");
    let _ = world.novel(book, &["continue"]).ok();
    world.check(book);
}

#[test]
fn a_clone_that_another_tool_left_without_a_branch_is_a_book() {
    let world = World::new();
    let book = world.demo_with(2);
    let branch = world.git(book, &["rev-parse", "--abbrev-ref", "HEAD"]).ok();
    let way_out = format!("git switch {}", branch.trim());
    let _ = world.git("", &["clone", "-q", book, "clone"]).ok();
    let _ = world.git("clone", &["switch", "-q", "--detach"]).ok();
    let status = world.novel("clone", &["status"]).ok();
    assert!(status.contains("2 chapters") && status.ends_with(&format!("next: {way_out}\n")), "{status}");
    let refused = world.novel("clone", &["continue"]).fails(4);
    assert!(refused.stderr.contains(&way_out), "{refused:#?}");
    // A tag was cloned: there is no branch at all.
    let _ = world.git("", &["clone", "-q", "--branch", "ch-001", book, "tag"]).ok();
    let refused = world.novel("tag", &["continue", "--lang", "en"]).fails(4);
    assert!(refused.stderr.contains("has no branch") && refused.stderr.contains("git switch main"), "{refused:#?}");
    for clone in ["clone", "tag"] {
        let _ = world.git(clone, &["switch", "-q", branch.trim()]).ok();
        let _ = world.novel(clone, &["continue"]).ok();
    }
}

#[test]
fn a_path_with_chinese_spaces_and_an_emoji() {
    let world = World::new();
    let _ = world.novel("", &["demo", "我的 书 🌧️/第一 本", "--chapters", "1"]).ok();
    let book = "我的 书 🌧️/第一 本";
    let _ = world.novel(book, &["continue"]).ok();
    let _ = world.novel("", &["-C", book, "rollback", "ch-1", "--yes"]).ok();
    let _ = world.novel(book, &["doctor"]).ok();
    assert_eq!(world.git(book, &["status", "--porcelain"]).ok(), "");
    world.check(book);
}

#[test]
fn any_folder_of_the_book_will_do_and_outside_the_way_in_is_named() {
    let world = World::new();
    let book = world.demo_with(1);
    let _ = world.novel("book/chapters/vol-01", &["continue"]).ok();
    assert!(world.novel("book/volumes", &["status"]).ok().contains("2 chapters"));
    assert_eq!(world.git(book, &["status", "--porcelain"]).ok(), "");
    let outside = world.novel("", &["status"]).fails(4);
    assert!(outside.stderr.contains("novel init"), "{outside:#?}");
    let _ = world.git("home", &["init", "-q"]).ok();
    let no_book = world.novel("home", &["status"]).fails(4);
    assert!(no_book.stderr.contains("is not a book"), "{no_book:#?}");
}

#[test]
fn a_clone_is_a_book_and_a_moved_one_keeps_its_paused_draft() {
    let world = World::new();
    let book = world.demo_with(1);
    let _ = world.git("", &["clone", "-q", "book", "clone"]).ok();
    let _ = world.novel("clone", &["continue"]).ok();
    assert_eq!(world.git("clone", &["status", "--porcelain"]).ok(), "");
    let _ = world.novel("clone", &["doctor", "--repair"]).ok();
    world.check("clone");

    world.write("book/brief.md", &(world.read("book/brief.md") + "\n离线评分(ch-002): 2.4\n"));
    let _ = world.novel(book, &["continue"]).fails(3);
    std::fs::rename(world.path("book"), world.path("moved")).unwrap();
    let draft = "moved/staging/chapters/vol-01/chapter-002.md";
    assert!(world.novel("moved", &["status"]).ok().ends_with("next: novel decide\n"));
    assert!(world.novel("moved/staging", &["status"]).ok().ends_with("next: novel decide\n"));
    assert_eq!(world.git("moved/staging", &["status", "--porcelain"]).ok(), "");
    world.write(draft, &(world.read(draft) + "\n我亲手加的一段。\n"));
    let decided = world.novel("moved/staging", &["decide", "edit", "--lang", "zh"]).ok();
    assert!(decided.contains("ch-002 已记下"), "{decided}");
    let _ = world.novel("moved", &["continue"]).fails(3);
    let _ = world.novel("moved", &["decide", "accept"]).ok();
    let _ = world.novel("moved", &["continue"]).ok();
    let text = world.git("moved", &["show", "ch-002:chapters/vol-01/chapter-002.md"]).ok();
    assert!(text.ends_with("我亲手加的一段。\n"), "{text}");
    assert_eq!(world.git("moved", &["status", "--porcelain"]).ok(), "");
    world.check("moved");
}

#[test]
fn without_git_on_the_path_everything_local_works() {
    let world = World::new().with("PATH", "/nonexistent");
    let book = world.demo_with(1);
    for args in [&["continue"][..], &["status"], &["log"], &["rollback", "ch-1", "--yes"], &["undo"], &["doctor"]] {
        let _ = world.novel(book, args).ok();
    }
    World::check(&world.with("PATH", &std::env::var("PATH").unwrap()), book);
}

#[cfg(unix)]
#[test]
fn a_folder_that_cannot_be_written_to_is_named_and_left_alone() {
    use std::os::unix::fs::PermissionsExt as _;
    let world = World::new();
    let book = world.demo_with(1);
    let git = world.path("book/.git");
    let allow = |mode| std::fs::set_permissions(&git, std::fs::Permissions::from_mode(mode)).unwrap();
    allow(0o555);
    // Root may write everywhere: nothing to see then.
    let writable = std::fs::write(git.join("probe"), "").is_ok();
    let said = world.novel(book, &["continue"]);
    allow(0o755);
    if writable {
        return;
    }
    assert!(said.code == 4 && said.stderr.contains(".git"), "{said:#?}");
    let _ = world.novel(book, &["continue"]).ok();
    world.check(book);
}

/// A small file system of its own, where this machine lets us mount one.
#[cfg(target_os = "linux")]
struct SmallDisk(std::path::PathBuf);

#[cfg(target_os = "linux")]
impl SmallDisk {
    fn mounted_at(path: std::path::PathBuf) -> Option<Self> {
        std::fs::create_dir_all(&path).ok()?;
        let mut mount = std::process::Command::new("mount");
        let output = mount.args(["-t", "tmpfs", "-o", "size=4m", "none"]).arg(&path).output().ok()?;
        output.status.success().then(|| Self(path))
    }
}

#[cfg(target_os = "linux")]
impl Drop for SmallDisk {
    fn drop(&mut self) {
        let _ = std::process::Command::new("umount").arg("-l").arg(&self.0).status();
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_loses_nothing_and_the_run_goes_on_when_there_is_room() {
    let world = World::new();
    let Some(disk) = SmallDisk::mounted_at(world.path("disk")) else { return };
    let _ = world.novel("disk", &["demo", "book", "--chapters", "1"]).ok();
    let ballast = disk.0.join("ballast");
    let mut stopped = 0;
    for free in [0_u64, 4, 16, 48, 96, 160] {
        std::fs::write(&ballast, vec![0; 8 << 20]).unwrap_err();
        let size = std::fs::metadata(&ballast).unwrap().len();
        let file = std::fs::OpenOptions::new().write(true).open(&ballast).unwrap();
        file.set_len(size.saturating_sub(free * 1024)).unwrap();
        let said = world.novel("disk/book", &["continue", "--lang", "zh"]);
        std::fs::remove_file(&ballast).unwrap();
        if said.code != 0 {
            stopped += 1;
            assert!(said.code == 4 && said.stderr.contains("磁盘已满"), "{free}: {said:#?}");
            assert!(said.stderr.contains("腾出空间"), "{said:#?}");
        }
        world.check("disk/book");
    }
    assert!(stopped > 0);
    let _ = world.novel("disk/book", &["continue", "--to", "ch-003"]).ok();
    let undisturbed = World::new();
    let book = undisturbed.demo_with(3);
    for n in 1..=3 {
        let path = format!("{book}/chapters/vol-01/chapter-00{n}.md");
        assert_eq!(world.read(&format!("disk/{path}")), undisturbed.read(&path));
    }
}

#[test]
fn a_folder_that_does_not_exist_is_named_as_such() {
    let world = World::new();
    let missing = world.path("nowhere");
    for (lang, words) in [("en", "no such folder: "), ("zh", "不存在")] {
        for command in ["status", "doctor", "continue"] {
            let refused = world.novel("", &["-C", missing.to_str().unwrap(), "--lang", lang, command]).fails(4);
            assert!(refused.stderr.contains(words) && refused.stderr.contains("nowhere"), "{command}: {refused:#?}");
        }
    }
}
