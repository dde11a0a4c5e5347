//! Questions on a terminal, which `script` plays: an example, what Enter means, and Esc for "not now".

use crate::common::World;
use std::io::{Read as _, Write as _};
use std::process::Stdio;

/// Runs a command on a terminal, types `keys` once the screen shows `question`, and returns the screen and the exit code.
fn on_a_terminal(world: &World, line: &str, question: &str, keys: &str) -> (String, i32) {
    let mut command = world.command("script", &world.path(""));
    // Git knows a name unless the world says otherwise.
    if !world.path("home/nameless").exists() {
        command.env("GIT_AUTHOR_NAME", "A");
    }
    command.env("TERM", "xterm").args(["-qec", line, "/dev/null"]);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
    let mut terminal = command.spawn().unwrap();
    let (mut keyboard, mut display) = (terminal.stdin.take().unwrap(), terminal.stdout.take().unwrap());
    let (mut screen, mut typed, mut piece) = (Vec::new(), false, [0; 4096]);
    loop {
        let read = display.read(&mut piece).unwrap_or(0);
        if read == 0 {
            break;
        }
        screen.extend_from_slice(&piece[..read]);
        if !typed && String::from_utf8_lossy(&screen).contains(question) {
            keyboard.write_all(keys.as_bytes()).unwrap();
            typed = true;
        }
    }
    let code = terminal.wait().unwrap().code().unwrap_or(-1);
    (String::from_utf8_lossy(&screen).into_owned(), code)
}

fn program(args: &str) -> String {
    format!("{} {args}", env!("CARGO_BIN_EXE_novel"))
}

#[test]
fn a_question_that_is_put_off_names_the_command_that_asks_again() {
    let world = World::new();
    std::fs::create_dir_all(world.path("empty")).unwrap();
    let line = program("-C empty --lang zh start --answer next-volume");
    let (screen, code) = on_a_terminal(&world, &line, "Esc 暂不回答", "\u{1b}");
    assert!(screen.contains("如 都市悬疑") && screen.contains("回车：先不定"), "{screen}");
    assert!(screen.contains("先不回答；要接着回答：novel -C empty start\r\n"), "{screen}");
    assert_eq!(code, 3, "{screen}");
    assert_eq!(std::fs::read_dir(world.path("empty")).unwrap().count(), 0);

    let book = world.demo_with(2);
    let before = world.subjects(book);
    let line = program("-C book --lang en rollback ch-001");
    let (screen, code) = on_a_terminal(&world, &line, "Esc: not now", "\u{1b}");
    assert!(
        screen.contains("Enter: yes") && screen.contains("to answer: novel -C book --lang en rollback ch-001"),
        "{screen}"
    );
    assert_eq!((code, world.subjects(book)), (3, before));
}

#[test]
fn a_story_told_in_a_line_is_a_genre_and_a_conflict() {
    let cases = [
        ("都市悬疑，档案员追查父亲的失踪", "都市悬疑", "档案员追查父亲的失踪"),
        ("一个档案员追查父亲的失踪，却查到自己", "", "一个档案员追查父亲的失踪，却查到自己"),
        ("美食探案：厨子破案", "美食探案", "厨子破案"),
        ("仙侠", "仙侠", ""),
    ];
    for (at, (line, genre, conflict)) in cases.into_iter().enumerate() {
        let world = World::new();
        std::fs::create_dir_all(world.path("empty")).unwrap();
        let command = program("-C empty --lang zh start --offline");
        let (screen, _) = on_a_terminal(&world, &command, "想写什么故事", &format!("{line}\r\u{1b}"));
        let brief = std::fs::read_to_string(world.path("empty/brief.md")).unwrap();
        let told = |heading: &str| {
            let (_, rest) = brief.split_once(&format!("## {heading}\n")).unwrap();
            rest.trim_start().lines().next().unwrap().to_owned()
        };
        let or_hint = |said: &str, told: String| {
            if said.is_empty() { assert!(told.starts_with("<!--")) } else { assert_eq!(told, said) }
        };
        or_hint(genre, told("题材与读者"));
        or_hint(conflict, told("核心冲突"));
        assert!(at > 0 || screen.contains("内置文风「悬疑冷峻」"), "{screen}");
    }
}

#[test]
fn a_new_book_is_made_although_the_question_about_hooks_is_put_off() {
    let world = World::new();
    let line = program("--lang en init b --genre x --protagonist y --conflict z --offline");
    let (screen, code) = on_a_terminal(&world, &line, "Esc: not now", "\u{1b}");
    assert!(screen.contains("to install them later: novel hooks install"), "{screen}");
    assert_eq!(code, 0, "{screen}");
    assert!(world.path("b/novel.toml").exists() && !world.path("b/.git/hooks/pre-commit").exists());
}

#[test]
fn nothing_is_asked_about_a_book_that_is_there_already() {
    let world = World::new();
    let book = world.demo_with(1);
    let line = program(&format!("--lang zh init {book}"));
    let (screen, code) = on_a_terminal(&world, &line, "Esc 暂不回答", "\u{1b}");
    assert!(screen.contains("已经是一本书") && !screen.contains("题材"), "{screen}");
    assert_eq!(code, 1, "{screen}");
}

#[test]
fn a_narrow_terminal_breaks_no_word_and_no_text_of_the_book() {
    let world = World::new().with("COLUMNS", "40").with("NO_COLOR", "1").with("PAGER", "cat");
    let book = world.demo_with(3);
    let text = world.read("book/chapters/vol-01/chapter-002.md");
    world.write("book/chapters/vol-01/chapter-002.md", &format!("{text}\n雨停了，天亮了。\n"));
    world.commit(book, "mine");
    let shown =
        |args: &str| on_a_terminal(&world, &program(&format!("-C {book} {args}")), "\u{0}", "").0.replace('\r', "");
    let table = [
        ("status --lang zh", "\n        更已过时：novel rebuild\n"),
        ("status --lang en", "novel rebuild\n"),
        ("log --lang zh", "夜班守则第七条"),
        ("plan show --lang zh", "小满从照章办事，走到替自己办完一次认领"),
        ("show 99 --lang zh", "错误：ch-099 还没有写"),
    ];
    for (args, whole) in table {
        let screen = shown(args);
        let solid = |text: &str| text.replace([' ', '\n'], "");
        assert!(screen.contains(whole) || solid(&screen).contains(whole), "{screen}");
        assert!(!screen.contains('…'), "{screen}");
        for line in screen.lines() {
            assert!(novel::report::style::width(line) <= 40, "{line}");
            assert!(!line.trim_start().starts_with(['，', '。', '）', '；']), "{screen}");
        }
    }
    let screen = shown("show 1");
    for line in world.read("book/chapters/vol-01/chapter-001.md").lines() {
        assert!(screen.lines().any(|shown| shown == line), "{line} in {screen}");
    }
    let piped = world.novel(book, &["status", "--lang", "zh"]).ok();
    assert!(piped.contains("已过时：novel rebuild\n"), "only terminals have an edge: {piped}");
}

#[test]
fn a_repository_is_made_in_an_empty_folder_that_the_author_names() {
    let world = World::new();
    let book = world.demo_with(1);
    std::fs::create_dir_all(world.path("usb")).unwrap();
    let line = program("-C book --lang en sync ../usb");
    let (screen, code) = on_a_terminal(&world, &line, "Make a repository", "y\r");
    assert_eq!(code, 0, "{screen}");
    let tip = |folder: &str| world.git(folder, &["rev-parse", "HEAD"]).ok();
    assert_eq!(tip("usb"), tip(book));
    world.check("usb");
}

#[test]
fn the_name_to_commit_under_is_asked_for_once() {
    let world = World::new();
    world.write("home/nameless", "");
    let line = program("--lang zh init b --genre x --protagonist y --conflict z --offline --no-hooks");
    let (screen, code) = on_a_terminal(&world, &line, "提交记在谁的名下", "林舟\r");
    assert_eq!(code, 0, "{screen}");
    assert_eq!(world.git("b", &["config", "--local", "user.name"]).ok(), "林舟\n");
    assert_eq!(world.git("b", &["log", "--format=%an"]).ok(), "林舟\n");
    let run = world.novel("b", &["config", "set", "chapter.min_words", "900"]);
    assert!(!run.stderr.contains("name"), "{run:#?}");
    // Without an answer nothing asks or warns again.
    let book = world.demo_with(1);
    let (screen, code) = on_a_terminal(&world, &program("-C book --lang zh continue"), "提交记在谁的名下", "\r");
    assert!(code == 0 && screen.contains("novel@localhost"), "{screen}");
    let run = world.novel(book, &["--lang", "en", "continue"]);
    assert!(run.code == 0 && !run.stderr.contains("your name"), "{run:#?}");
}

#[test]
fn the_users_settings_of_git_are_those_of_the_file_that_git_is_told_of() {
    let world = World::new();
    world.write("home/.gitconfig", "[user]\nname = 别人\nemail = other@example.com\n");
    world.write("mine", "[user]\nname = 林舟\nemail = lin@example.com\n");
    let mut world = world;
    world.env.push(("GIT_CONFIG_GLOBAL".into(), world.path("mine").display().to_string()));
    let book = world.demo_with(0);
    let _ = world.novel(book, &["continue"]).ok();
    assert_eq!(world.git(book, &["log", "-1", "--format=%an <%ae>"]).ok(), "林舟 <lin@example.com>\n");
}

#[test]
fn a_long_text_is_paged_in_any_locale_and_says_how_to_leave() {
    let world = World::new().with("LC_ALL", "C").with("NO_COLOR", "1");
    let book = world.demo_with(1);
    let line = program(&format!("-C {book} --lang zh show 1"));
    let (screen, code) = on_a_terminal(&world, &format!("stty rows 12 cols 80; {line}"), "q 离开", "q");
    let text = world.read("book/chapters/vol-01/chapter-001.md");
    let first = text.lines().next().unwrap();
    // Machines without `less` print the whole text.
    assert!(screen.contains(first) && !screen.contains("<E"), "{screen}");
    assert_eq!(code, 0, "{screen}");
}

#[test]
fn trial_chapters_and_reviews_can_be_read_before_the_answer() {
    let world = World::new().with("PAGER", "cat");
    let idea = ["init", "book", "--genre", "悬疑", "--protagonist", "沈渡", "--conflict", "舱单", "--words", "300-500"];
    let _ = world.novel("", &[&idea[..], &["--offline"]].concat()).ok();
    let shown = world.novel("book", &["--lang", "zh", "start", "--answer", "found", "--style", "suspense"]).fails(3);
    assert!(shown.stdout.contains("novel show 1 ") && shown.stdout.contains("先读一读试写的章"), "{}", shown.stdout);
    let last = |n: u32| {
        let text = world.read(&format!("book/chapters/vol-01/chapter-{n:03}.md"));
        text.lines().last().unwrap().to_owned()
    };
    let line = program("-C book --lang zh start");
    let (screen, code) = on_a_terminal(&world, &line, "先读一读试写的章", "读一读\r\u{1b}");
    assert!(screen.contains(&last(1)) && screen.contains(&last(3)), "{screen}");
    assert_eq!(code, 3, "{screen}");

    assert!(world.novel("book", &["show"]).ok().ends_with(&format!("{}\n", last(3))));
    let _ = world.novel("book", &["start", "--answer", "go-on", "--chapters", "4"]).fails(3);
    let _ = world.novel("book", &["decide", "approve"]).ok();
    let shown = world.novel("book", &["--lang", "zh", "start", "--answer", "write-volume"]).fails(3).stdout;
    let shown = if shown.contains("novel review vol-01") {
        shown
    } else {
        world.novel("book", &["--lang", "zh", "start", "--answer", "review"]).fails(3).stdout
    };
    assert!(shown.contains("novel review vol-01 ") && shown.contains("先读一读卷末回顾"), "{shown}");
    assert!(
        shown.contains("ch-00") && !shown.lines().any(|line| line.starts_with("ch-00") && is_hash(line)),
        "{shown}"
    );
}

/// True for a line that ends with the short id of a commit.
fn is_hash(line: &str) -> bool {
    line.rsplit(' ').next().is_some_and(|word| word.len() == 10 && word.chars().all(|c| c.is_ascii_hexdigit()))
}
