//! `novel import`: a novel in files becomes a book that can be continued.

use crate::common::World;
use crate::llm::server::{Answer, Server};
use novel::git::failpoint;
use serde_json::json;

/// A novel of so many chapters.
fn novel(chapters: u32) -> String {
    let chapter = |n: u32| format!("第{n}章 题{n}\n\n　　这是第{n}章的第一段，他走进了雨里。\n　　“走吧。”她说。\n\n");
    format!("书名：青锋录\n作者：某某\n\n第一卷 风起\n\n{}", (1..=chapters).map(chapter).collect::<String>())
}

#[test]
fn a_novel_becomes_a_book_that_can_be_continued() {
    let world = World::new();
    world.write("书.txt", &novel(5));
    let shown = world.novel("", &["import", "书.txt", "--dry-run", "--lang", "zh"]).ok();
    assert!(shown.contains("题3") && shown.contains("共 5 章、1 卷") && shown.contains("UTF-8"), "{shown}");
    let asked = world.novel("", &["import", "书.txt", "--into", "书", "--lang", "en"]).fails(3);
    assert!(asked.stderr.contains("--yes") && !world.path("书").exists(), "{asked:#?}");

    let done = world.novel("", &["import", "书.txt", "--into", "书", "--yes", "--json"]);
    assert_eq!((done.code, &done.json()["status"]), (0, &"imported".into()), "{done:#?}");
    assert_eq!(
        world.read("书/chapters/vol-01/chapter-003.md"),
        "# 第3章 题3\n\n这是第3章的第一段，他走进了雨里。\n“走吧。”她说。\n"
    );
    assert_eq!(world.read("书/volumes/vol-01/outline.md"), "# 第1卷 风起\n");
    assert_eq!(world.subjects("书")[..2], ["ch-005: 题5", "ch-004: 题4"]);
    let message = world.git("书", &["log", "-1", "--format=%B"]).ok();
    assert!(message.contains("Novel-Kind: import") && message.contains("Novel-Source: 书.txt:26"), "{message}");
    assert_eq!(world.git("书", &["status", "--porcelain"]).ok(), "");
    assert!(world.git("书", &["rev-parse", "ch-005"]).ok() == world.git("书", &["rev-parse", "HEAD"]).ok());

    assert!(world.novel("书", &["status", "--lang", "zh"]).ok().starts_with("《青锋录》  写到第 5 章"));
    let _ = world.novel("书", &["check"]).ok();
    let _ = world.novel("书", &["rebuild", "--offline"]).ok();
    assert!(world.read("书/summaries/vol-01/chapter-005-summary.md").contains("题5"));
    let memory = world.read("书/storylines/main-arc/memory.md");
    assert!(
        memory.contains("第4章") && memory.contains("第5章"),
        "each chapter is read with the memory so far: {memory}"
    );
    let _ = world.novel("书", &["start", "--answer", "plan", "--offline"]).fails(3);
    let _ = world.novel("书", &["plan", "approve"]).ok();
    let _ = world.novel("书", &["continue", "--offline"]).ok();
    assert!(world.subjects("书")[0].starts_with("ch-006: "));
    world.check("书");
}

#[test]
fn a_longer_file_brings_the_new_chapters_only() {
    let world = World::new();
    world.write("书.txt", &novel(3));
    let import = ["import", "书.txt", "--into", "书", "--yes", "--json"];
    let _ = world.novel("", &import).ok();
    let again = world.novel("", &import);
    assert_eq!((again.code, &again.json()["status"]), (0, &"unchanged".into()), "{again:#?}");
    let before = world.subjects("书").len();
    world.write("书/chapters/vol-01/chapter-002.md", "# 第2章 题2\n\n作者改过的一段。\n");
    world.write("书.txt", &novel(5));
    let said = world.novel("", &import).ok();
    let (event, document) = said.split_once('\n').unwrap();
    assert!(event.contains("hand_edit"), "{event}");
    let more: serde_json::Value = serde_json::from_str(document).unwrap();
    let statuses: Vec<&str> =
        more["chapters"].as_array().unwrap().iter().map(|chapter| chapter["status"].as_str().unwrap()).collect();
    assert_eq!(statuses[3..], ["new", "new"], "{more:#}");
    assert_eq!(world.subjects("书").len(), before + 3, "the author's edit and two chapters");
    assert!(world.read("书/chapters/vol-01/chapter-002.md").contains("作者改过"));
    world.check("书");
}

#[test]
fn a_killed_import_goes_on_and_brings_each_chapter_once() {
    let world = World::new();
    world.write("书.txt", &novel(4));
    let import = ["import", "书.txt", "--into", "书", "--yes"];
    let points =
        ["init.files", "txn.prepared", "objects.placed", "txn.intent", "txn.after_cas", "txn.tagged", "txn.before_end"];
    for point in points {
        let mut command = world.command(env!("CARGO_BIN_EXE_novel"), &world.path(""));
        let died = command.args(import).env(failpoint::ENV, point).output().unwrap();
        assert!(!died.status.success(), "{point}");
        let _ = world.novel("", &import).ok();
        let mut subjects = world.subjects("书");
        subjects.retain(|subject| subject.starts_with("ch-"));
        assert_eq!(subjects, ["ch-004: 题4", "ch-003: 题3", "ch-002: 题2", "ch-001: 题1"], "{point}");
        assert_eq!(world.git("书", &["status", "--porcelain"]).ok(), "", "{point}");
        world.check("书");
        std::fs::remove_dir_all(world.path("书")).unwrap();
    }
}

#[test]
fn files_that_are_no_novel_are_refused_by_name() {
    let world = World::new();
    world.write("图.png", "x");
    std::fs::write(world.path("坏.txt"), b"\x89PNG\r\n\x1a\n\0\xff\xd8\xe0").unwrap();
    let said = world.novel("", &["import", "图.png", "--lang", "zh"]).fails(1);
    assert!(said.stderr.contains("图.png"), "{said:#?}");
    let said = world.novel("", &["import", "坏.txt", "--lang", "zh"]).fails(1);
    assert!(said.stderr.contains("--encoding"), "{said:#?}");
    world.write("书.txt", &format!("{}第二章的内容他早就忘了。\n", novel(1)));
    let said = world.novel("", &["import", "书.txt", "--dry-run", "--lang", "zh"]).ok();
    assert!(said.contains("--split '^## '"), "{said}");
    let said = world.novel("", &["import", "书.txt", "--encoding", "klingon", "--lang", "en"]).fails(2);
    assert!(said.stderr.contains("klingon"), "{said:#?}");
    let said = world.novel("", &["import", "书.txt", "--yes", "--lang", "en"]).fails(2);
    assert!(said.stderr.contains("--into"), "{said:#?}");
}

#[test]
fn a_file_of_another_book_or_in_another_order_is_refused_and_following_chapters_join() {
    let world = World::new();
    let novel = |chapters: &[(u32, &str)]| -> String {
        let chapter =
            |(n, text): &(u32, &str)| format!("第{n}章 {text}\n\n　　{text}的正文。\n\n　　还有一句{text}。\n\n");
        chapters.iter().map(chapter).collect()
    };
    let first = novel(&[(1, "甲一"), (2, "甲二"), (3, "甲三")]);
    world.write("first.txt", &format!("第一卷 少年\n\n{first}第4章 未写\n"));
    let _ = world.novel("", &["import", "first.txt", "--into", "book", "--yes"]).ok();
    let _ = world.novel("book", &["doctor"]).ok();

    world.write("next.txt", &novel(&[(4, "甲四"), (5, "甲五")]));
    let _ = world.novel("", &["import", "next.txt", "--into", "book", "--yes"]).ok();
    assert!(world.read("book/chapters/vol-01/chapter-005.md").contains("甲五的正文"));
    let again = world.novel("", &["--lang", "en", "import", "next.txt", "--into", "book", "--yes", "--json"]).json();
    assert_eq!(again["status"], "unchanged");

    let head = world.git("book", &["rev-parse", "HEAD"]).ok();
    world.write("other.txt", &novel(&[(1, "乙一"), (2, "乙二"), (3, "乙三"), (4, "乙四"), (5, "乙五"), (6, "乙六")]));
    let told = world.novel("", &["--lang", "en", "import", "other.txt", "--into", "book", "--yes"]).fails(1);
    assert!(told.stderr.contains("no chapter in common") && told.stderr.contains("--into"), "{told:#?}");
    let shifted = [(1, "甲一"), (2, "新二"), (3, "甲二"), (4, "甲三"), (5, "甲四"), (6, "甲五")];
    world.write("shifted.txt", &novel(&shifted));
    let told = world.novel("", &["--lang", "en", "import", "shifted.txt", "--into", "book", "--yes"]).fails(1);
    assert!(told.stderr.contains("novel chapter insert 2 --title 新二 --file"), "{told:#?}");
    assert_eq!(world.git("book", &["rev-parse", "HEAD"]).ok(), head);
    world.check("book");
}

#[test]
fn a_second_run_says_how_chapters_differ_and_leaves_the_authors_edits_alone() {
    let world = World::new();
    world.write("书.txt", &novel(4));
    let import = ["import", "书.txt", "--into", "书", "--yes", "--lang", "zh"];
    let _ = world.novel("", &import).ok();
    world.write("书/chapters/vol-01/chapter-001.md", "# 第1章 题1\n\n还没提交的一段。\n");
    let head = world.git("书", &["rev-parse", "HEAD"]).ok();
    assert!(world.novel("", &import).ok().contains("没有改动"));
    assert_eq!(world.git("书", &["rev-parse", "HEAD"]).ok(), head, "nothing new, so no commit of the author's edits");
    assert!(world.read("书/chapters/vol-01/chapter-001.md").contains("还没提交"));
    let _ = world.git("书", &["checkout", "-q", "."]).ok();

    world.write(
        "书.txt",
        &novel(4)
            .replace("题2", "新题")
            .replace("第3章的第一段", "第3章的第一段落了")
            .replace("第4章的第一段", "第4章的一段"),
    );
    let told = world.novel("", &["import", "书.txt", "--into", "书", "--dry-run", "--lang", "zh"]).ok();
    for wanted in ["书里已有", "标题不同", "文件里多 2 字", "文件里少 1 字"] {
        assert!(told.contains(wanted), "{wanted}: {told}");
    }
    let told = world.novel("", &["import", "书.txt", "--into", "书", "--dry-run", "--json"]).json();
    let differences: Vec<_> =
        told["chapters"].as_array().unwrap().iter().map(|chapter| &chapter["difference"]).collect();
    assert_eq!(serde_json::json!(differences), serde_json::json!([null, "title", "longer", "shorter"]));
}

#[test]
fn numbers_that_shift_are_told_and_untitled_chapters_are_whole() {
    let world = World::new();
    world.write("书.txt", "楔子\n\n很久以前。\n\n第一章\n\n雨停了。\n\n第二章\n\n雾散了。\n\n第五章\n\n他回来了。\n");
    let told = world.novel("", &["import", "书.txt", "--into", "书", "--yes", "--lang", "zh"]).ok();
    assert!(told.contains("第一章 → ch-002") && told.contains("第五章 → ch-004"), "{told}");
    assert!(!told.contains("第二章 →"), "{told}");
    assert_eq!(world.subjects("书")[..2], ["ch-004", "ch-003"]);
    let told = world.novel("书", &["doctor", "--lang", "zh"]).ok();
    assert!(!told.contains("警告"), "{told}");
}

#[test]
fn a_folder_that_is_no_book_is_refused_by_its_own_name() {
    let world = World::new();
    world.write("书.txt", &novel(1));
    world.write("别的/笔记.txt", "x");
    let import =
        |into: &str| world.novel("", &["--lang", "en", "import", "书.txt", "--yes", "--into", into]).fails(1).stderr;
    assert!(import("别的").contains("别的 has other files"), "{}", import("别的"));
    assert!(import("书.txt").contains("书.txt is a file"), "{}", import("书.txt"));
    let _ = world.novel("", &["import", "书.txt", "--yes", "--into", "书"]).ok();
    assert!(import("书/chapters").contains("has other files"));
    let _ = world.novel("书", &["import", "../书.txt", "--yes", "--into", "../书"]).ok();
}

#[test]
fn a_model_reads_the_chapters_once_its_price_is_agreed_to_and_goes_on_after_an_interruption() {
    let summary = json!({"summary": "他走进了雨里。", "ops": [], "memory": "他在雨里。", "line_status": "在路上",
        "cross_references": [], "chapter_memory": {"time": "", "places": [], "events": ["下雨"], "people": [], "threads": []}});
    let style = json!({"writing_directives": ["先写雨，再写人"]});
    let mut asked = 0;
    let server = Server::answering(move |request| {
        asked += 1;
        match request.prompt() {
            _ if [3, 4].contains(&asked) => Answer::openai_stream("读不懂。"),
            prompt if prompt.contains("作场记") => Answer::openai_json(&summary),
            _ => Answer::openai_json(&style),
        }
    });
    let world = super::judge_trial::world(&server, Some("10.0"));
    world.write("书.txt", &novel(5).replace("他走进了雨里", &"雨落在石板上，他走进了雨里，伞也没有打".repeat(12)));
    let import = ["--lang", "en", "import", "书.txt", "--into", "书", "--depth", "full"];
    let told = world.novel("", &[&import[..], &["--dry-run"]].concat()).ok();
    assert!(told.contains("5 chapters"), "{told}");
    let told = world.novel("", &[&import[..], &["--dry-run"]].concat()).stderr;
    assert!(told.contains("5 chapters") && told.contains("for about $"), "{told}");
    let offline = world.novel("", &[&import[..], &["--offline", "--yes"]].concat()).fails(4);
    assert!(offline.stderr.contains("cannot read") && !world.path("书").exists(), "{offline:#?}");
    assert!(server.requests().is_empty());

    // The third chapter's answers end the reading: the text is in the book, and what was read is not read again.
    let broken = world.novel("", &[&import[..], &["--yes"]].concat());
    assert!(broken.code != 0 && server.requests().len() == 4, "{broken:#?}");
    assert!(world.read("书/chapters/vol-01/chapter-005.md").contains("题5"));
    let asked = world.novel("", &import).fails(3);
    assert!(asked.stderr.contains("read 3 chapters"), "what was read is in no price: {asked:#?}");
    let _ = world.novel("", &[&import[..], &["--yes"]].concat()).ok();
    assert_eq!(server.requests().len(), 4 + 3 + 1, "each chapter once more at most, and the style");
    assert!(world.read("书/summaries/vol-01/chapter-005-summary.md").contains("他走进了雨里。"));
    assert!(world.read("书/style-profile.json").contains("先写雨，再写人"));
    let _ = world.novel("", &[&import[..], &["--yes"]].concat()).ok();
    assert_eq!(server.requests().len(), 8, "there is nothing more to read");
    assert_eq!(world.git("书", &["status", "--porcelain"]).ok(), "");
    world.check("书");
}

#[test]
fn chapters_are_retold_as_summaries_and_an_outline_for_less_and_a_full_reading_goes_on_from_there() {
    let retelling = |n: usize| {
        json!({"summary": format!("第{n}章里他走进雨里。"), "pov": "沈渡", "location": "渡口", "conflict": "要过河\n## 第9章 假的",
            "arc": "", "changes": "他湿透了", "hook": "船没有来"})
    };
    let summary = json!({"summary": "全读过的摘要。", "ops": [], "memory": "他在雨里。", "line_status": "在路上",
        "cross_references": [], "chapter_memory": {"time": "", "places": [], "events": [], "people": [], "threads": []}});
    let server = Server::answering(move |request| match request.prompt() {
        prompt if prompt.contains("作场记") => Answer::openai_json(&summary),
        prompt if prompt.contains("编章目") => {
            let number = (1..=5).find(|n| prompt.contains(&format!("为第 {n} 章《题{n}》"))).unwrap();
            Answer::openai_json(&retelling(number))
        }
        _ => Answer::openai_json(&json!({"writing_directives": ["先写雨，再写人"]})),
    });
    let world = super::judge_trial::world(&server, Some("10.0"));
    world.write("书.txt", &novel(5).replace("他走进了雨里", &"雨落在石板上，他走进了雨里，伞也没有打".repeat(12)));
    let price = |depth: &str| {
        let import = ["--lang", "en", "import", "书.txt", "--into", "书", "--depth", depth, "--dry-run"];
        let told = world.novel("", &import);
        let (_, price) = told.stderr.split_once("for about $").unwrap_or_else(|| panic!("{told:#?}"));
        price.split('?').next().unwrap().parse::<f64>().unwrap()
    };
    assert!(price("outline") < price("full") * 0.5, "{} and {}", price("outline"), price("full"));
    let import = ["--lang", "en", "import", "书.txt", "--into", "书", "--depth", "outline"];
    let asked = world.novel("", &import).fails(3);
    assert!(asked.stderr.contains("5 chapters for summaries and an outline"), "{asked:#?}");

    // Dies when the second answer is on the draft: the other three chapters are left.
    let yes = [&import[..], &["--yes"]].concat();
    world.dies("", &yes, "draft.moved#3");
    let before = server.requests().len();
    let asked = world.novel("", &import).fails(3);
    assert!(asked.stderr.contains("read 3 chapters for summaries and an outline"), "{asked:#?}");
    world.copy("书", "另一本");
    let json: Vec<&str> = yes.iter().map(|arg| if *arg == "书" { "另一本" } else { arg }).chain(["--json"]).collect();
    assert_eq!(world.novel("", &json).json_lines().last().unwrap()["retold"], 5);
    let done = world.novel("", &yes).ok();
    assert!(done.ends_with("`novel rebuild` reads the state of the story too\n"), "{done:#?}");
    let asked: Vec<String> = server.requests().iter().map(crate::llm::server::Received::prompt).collect();
    assert_eq!((before, asked.len()), (2, 5 + 3));
    assert!(asked[2].contains("第2章里他走进雨里。"), "the chapter before is known: {}", asked[2]);
    let outline = world.read("书/volumes/vol-01/outline.md");
    let third = "## 第3章 题3\n\n- 故事线: main-arc\n- 视角: 沈渡\n- 地点: 渡口\n- 冲突: 要过河";
    assert!(outline.starts_with("# 第1卷 风起\n\n## 第1章 题1\n") && outline.contains(third), "{outline}");
    assert_eq!(outline.matches("\n## ").count(), 5, "a reply makes no section: {outline}");
    assert_eq!(world.subjects("书")[0], "outline: as written, chapters 1 to 5");
    assert!(world.novel("书", &["show", "ch-003", "--summary"]).ok().contains("第3章里他走进雨里。"));
    let status = world.novel("书", &["--lang", "en", "status"]).ok();
    assert!(status.contains("ch 1–5 not read into the state yet"), "{status}");
    let _ = world.novel("", &yes).ok();
    assert_eq!(server.requests().len(), 5 + 3, "there is nothing more to retell");
    world.check("书");
    let _ = world.novel("书", &["doctor"]).ok();

    // The plan goes on behind the chapters that there are, and the writer is told what has happened.
    world.copy("书", "续");
    let _ = world.novel("续", &["start", "--answer", "plan", "--chapters", "8", "--offline"]).fails(3);
    let _ = world.novel("续", &["plan", "approve"]).ok();
    let plan = world.read("续/volumes/vol-01/outline.md");
    assert!(plan.starts_with("# 第1卷 风起\n"), "the volume keeps its name: {plan}");
    let (_, sections) = outline.split_once("\n\n").unwrap();
    assert!(plan.contains(sections.trim_end()) && plan.matches("\n## ").count() == 8, "{plan}");
    let told = world.novel("续", &["context", "6"]).ok();
    assert!(told.contains("第5章里他走进雨里。"), "{told}");
    let _ = world.novel("续", &["continue", "--offline"]).ok();
    assert!(world.subjects("续")[0].starts_with("ch-006: "));
    world.check("续");

    // A full reading pays for the state of each chapter and for the style; the outline stays.
    let _ = world.novel("", &["import", "书.txt", "--into", "书", "--depth", "full", "--yes"]).ok();
    assert_eq!(server.requests().len(), 8 + 5 + 1);
    assert_eq!(world.read("书/volumes/vol-01/outline.md"), outline);
    assert!(world.read("书/summaries/vol-01/chapter-003-summary.md").contains("全读过的摘要。"));
    world.check("书");
}
