//! Accepted text as files.

use crate::common::World;
use crate::llm::server::{Answer, Server};
use serde_json::{Value, json};
use std::io::{Cursor, Read as _};
use zip::ZipArchive;

/// A demo of two accepted chapters and one more that is being written, with a break between scenes and characters that XML escapes.
fn book(world: &World) -> &'static str {
    let book = world.demo_with(2);
    let path = "book/chapters/vol-01/chapter-002.md";
    world.write(path, &format!("{}\n\n* * *\n\n“A<B & C>D”，他说。\n", world.read(path).trim_end()));
    world.commit(book, "a last scene");
    book
}

fn entry(world: &World, path: &str, name: &str) -> String {
    let mut archive = ZipArchive::new(Cursor::new(std::fs::read(world.path(path)).unwrap())).unwrap();
    let mut text = String::new();
    archive.by_name(name).unwrap().read_to_string(&mut text).unwrap();
    text
}

/// The lines of a text between tags, unescaped, without empty ones.
fn text_of(xml: &str) -> Vec<String> {
    let mut out = vec![String::new()];
    let mut is_tag = false;
    for c in xml.chars() {
        match c {
            '<' => is_tag = true,
            '>' => {
                is_tag = false;
                out.push(String::new());
            }
            c if !is_tag => out.last_mut().unwrap().push(c),
            _ => {}
        }
    }
    let plain = |line: String| {
        line.trim().replace("&lt;", "<").replace("&gt;", ">").replace("&quot;", "\"").replace("&amp;", "&")
    };
    out.into_iter().map(plain).filter(|line| !line.is_empty()).collect()
}

/// The paragraphs of a chapter's file.
fn paragraphs(world: &World, n: u32) -> Vec<String> {
    let text = world.read(&format!("book/chapters/vol-01/chapter-{n:03}.md"));
    text.lines().skip(1).map(str::trim).filter(|line| !line.is_empty()).map(str::to_owned).collect()
}

#[test]
fn every_format_has_every_paragraph_of_the_accepted_chapters_and_nothing_else() {
    let world = World::new();
    let book = book(&world);
    let both = [paragraphs(&world, 1), paragraphs(&world, 2)].concat();
    let in_order = |lines: &[String], format: &str| {
        let found: Vec<&String> = lines.iter().filter(|line| both.contains(line)).collect();
        assert_eq!(found, both.iter().collect::<Vec<_>>(), "{format}");
    };
    for format in ["txt", "md", "epub", "docx"] {
        let told = world.novel(book, &["export", "--to", format, "--json"]).ok();
        let report: Value = serde_json::from_str(&told).unwrap();
        assert_eq!((&report["chapters"], &report["first"], &report["last"]), (&2.into(), &1.into(), &2.into()));
        assert_eq!(report["commit"], world.git(book, &["rev-parse", "HEAD"]).ok().trim());
        let path = format!("失物招领处夜班守则.{format}");
        assert!(report["files"][0].as_str().unwrap().ends_with(&path), "{told}");
        let lines: Vec<String> = match format {
            "epub" => {
                (1..=2).flat_map(|n| text_of(&entry(&world, &path, &format!("book/chapter-{n:04}.xhtml")))).collect()
            }
            "docx" => text_of(&entry(&world, &path, "word/document.xml")),
            _ => world.read(&path).lines().map(|line| line.trim().to_owned()).collect(),
        };
        in_order(&lines, format);
        let headings = lines.iter().filter(|line| line.contains("夜班守则第七条")).count();
        assert!(headings >= 1, "{format}: {lines:?}");
    }
    assert_eq!(world.git(book, &["status", "--porcelain"]).ok(), "", "the files are beside the book");
}

#[test]
fn an_epub_says_its_language_and_its_contents_and_has_the_same_bytes_for_the_same_commit() {
    let world = World::new();
    let book = book(&world);
    world.write("cover.png", "no picture");
    let told = world.novel(book, &["--lang", "en", "export", "--to", "epub", "--cover", "../cover.png"]).fails(1);
    assert!(told.stderr.contains("not a JPEG or PNG"), "{told:#?}");
    std::fs::write(world.path("cover.png"), b"\x89PNG\r\n\x1a\n").unwrap();
    let export = |to: &str| {
        let _ = world.novel(book, &["export", "--to", "epub", "--cover", "../cover.png", "-o", to]).ok();
    };
    export("../one.epub");
    export("../two.epub");
    let [one, two] = ["one.epub", "two.epub"].map(|path| std::fs::read(world.path(path)).unwrap());
    assert_eq!(one, two);
    assert_eq!(&one[30..58], b"mimetypeapplication/epub+zip", "readers know an epub by its first bytes");
    let package = entry(&world, "one.epub", "book/package.opf");
    let commit = world.git(book, &["rev-parse", "HEAD"]).ok();
    for wanted in ["<dc:language>zh-CN</dc:language>", &format!("git:{}", commit.trim()), "properties=\"cover-image\""]
    {
        assert!(package.contains(wanted), "{wanted}: {package}");
    }
    let contents = entry(&world, "one.epub", "book/contents.xhtml");
    assert!(contents.contains("xml:lang=\"zh-CN\""));
    let titles = ["目录", "目录", "第1卷 七日", "第1章 夜班守则第七条", "第2章"];
    let found = text_of(&contents);
    assert!(found.len() == titles.len() && found.iter().zip(titles).all(|(line, title)| line.starts_with(title)));
    assert_eq!(contents.matches("<ol>").count(), 2, "chapters stand below their volume: {contents}");
    let ncx = entry(&world, "one.epub", "book/contents.ncx");
    assert_eq!(ncx.matches("<navPoint").count(), 3);
}

#[test]
fn chapters_go_into_files_of_their_own_by_a_profile_that_the_author_can_change() {
    let world = World::new();
    let book = book(&world);
    let _ = world.novel(book, &["export", "2", "--split", "-o", "../parts"]).ok();
    let files: Vec<_> = std::fs::read_dir(world.path("parts")).unwrap().flatten().collect();
    assert_eq!(files.len(), 1);
    let text = std::fs::read_to_string(files[0].path()).unwrap();
    assert!(text.starts_with("第2章 ") && text.contains("\n\n　　“A<B & C>D”，他说。\n"), "{text}");

    let own = "indent = \"  \"\nblank_lines = 0\nblank_lines_before_heading = 1\nchapter = \"【{number}】{title}\"\n\
               volume = \"\"\nnumerals = \"han\"\nscene_break = \"※\"\n";
    world.write("own.toml", own);
    let _ = world.novel(book, &["export", "--profile", "../own.toml", "-o", "../own.txt"]).ok();
    let text = world.read("own.txt");
    assert!(
        text.starts_with("【一】夜班守则第七条\n  ") && text.contains("\n\n【二】") && text.contains("\n※\n"),
        "{text}"
    );

    world.write("own.toml", &own.replace("indent", "indents"));
    let told = world.novel(book, &["--lang", "en", "export", "--profile", "../own.toml"]).fails(1);
    assert!(told.stderr.contains("line 1") && told.stderr.contains("indents"), "{told:#?}");
    world.write("own.toml", "chapter = \"第{n}章\"\nblank_lines = \"1\"\n");
    let told = world.novel(book, &["--lang", "zh", "export", "--profile", "../own.toml"]).fails(1);
    assert!(told.stderr.contains("第 1 行：花括号里") && told.stderr.contains("第 2 行：`blank_lines`"), "{told:#?}");
    let told = world.novel(book, &["--lang", "en", "export", "--profile", "qidian"]).fails(2);
    assert!(told.stderr.contains("web, print"), "{told:#?}");
}

#[test]
fn a_file_that_exists_is_replaced_only_when_told_and_drafts_stay_out() {
    let world = World::new();
    let book = book(&world);
    world.write("mine.txt", "我的笔记");
    let told = world.novel(book, &["--lang", "en", "export", "-o", "../mine.txt"]).fails(3);
    assert!(told.stderr.contains("--yes"), "{told:#?}");
    assert_eq!(world.read("mine.txt"), "我的笔记");
    let path = "book/chapters/vol-01/chapter-002.md";
    world.write(path, &format!("{}\n还没提交的一句。\n", world.read(path)));
    let told = world.novel(book, &["--lang", "en", "export", "-o", "../mine.txt", "--yes"]);
    assert!(told.stderr.contains("uncommitted changes"), "{told:#?}");
    assert!(!world.read("mine.txt").contains("还没提交"));
    let told = world.novel(book, &["--lang", "en", "export", "--to", "txt", "-o", "novel.toml", "--yes"]).fails(1);
    assert!(told.stderr.contains("file of the book itself"), "{told:#?}");
    let _ = world.novel(book, &["export", "-o", "../by-ending.epub"]).ok();
    assert!(entry(&world, "by-ending.epub", "mimetype").starts_with("application/epub"));
    let _ = world.novel(book, &["export", "--to", "txt", "-o", "../other.epub"]).fails(2);
    let told = world.novel(book, &["--lang", "en", "export", "-o", "../book.pdf"]).fails(2);
    assert!(told.stderr.contains("in the format pdf") && !world.path("book.pdf").exists(), "{told:#?}");
    let told = world.novel(book, &["--lang", "en", "export", "40-48"]).fails(1);
    assert!(told.stderr.contains("no accepted chapters"), "{told:#?}");
}

#[test]
fn words_of_the_authors_list_are_told_with_chapter_and_quotation() {
    let world = World::new();
    let book = book(&world);
    world.write("risky.txt", "# 平台不收\nB & C\n");
    let told = world.novel(book, &["export", "--words", "../risky.txt", "--json"]).ok();
    let report: Value = serde_json::from_str(&told).unwrap();
    assert_eq!(report["risky"].as_array().unwrap().len(), 1);
    assert_eq!(
        (&report["risky"][0]["chapter"], &report["risky"][0]["quotation"]),
        (&2.into(), &"“A<B & C>D”，他说。".into())
    );
}

#[test]
fn lines_that_a_format_has_another_meaning_for_come_back_as_they_were() {
    let world = World::new();
    let book = book(&world);
    let path = "book/chapters/vol-01/chapter-002.md";
    let lines = "# 今日热搜 #\n\n## 一\n\n### 其二\n\n第三章 他念道\n\n尾声\n\n他写：\\*星\\*和C:\\\\路。\n\n两格  和\t制表。\n\n> 引\n\n诗一行\n诗二行\n\n收尾的\\";
    world.write(path, &format!("# 第2章 《#回》\n\n{lines}\n"));
    world.commit(book, "odd lines");
    let before = chapters(&world, book);
    for format in ["txt", "md", "epub", "docx"] {
        let to = format!("../odd.{format}");
        let _ = world.novel(book, &["export", "--to", format, "-o", &to]).ok();
        let again = format!("odd-{format}");
        let _ = world.novel("", &["import", to.trim_start_matches("../"), "--into", &again, "--yes"]).ok();
        assert_eq!(chapters(&world, &again), before, "{format}");
    }
    world.write(path, "# 第2章 钟\n\n甲。\n诗一行\n诗二行\n\n铃\u{7}响。\n");
    world.commit(book, "a poem and a bell");
    let _ = world.novel(book, &["export", "--to", "md", "-o", "../poem.md"]).ok();
    let _ = world.novel("", &["import", "poem.md", "--into", "poem", "--yes"]).ok();
    assert_eq!(chapters(&world, "poem"), chapters(&world, book));
    let told = world.novel(book, &["--lang", "en", "export", "--to", "epub", "-o", "../bell.epub"]).ok();
    assert!(told.contains("ch-002: control characters"), "{told}");
    assert!(entry(&world, "bell.epub", "book/chapter-0002.xhtml").contains("铃\u{fffd}响"));
}

#[test]
fn a_file_goes_where_it_was_asked_for_and_older_files_of_a_chapter_are_named() {
    let world = World::new();
    let book = book(&world);
    let _ = world.novel("", &["-C", book, "export", "-o", "here.txt"]).ok();
    assert!(world.path("here.txt").exists() && !world.path("book/here.txt").exists());
    std::fs::create_dir(world.path("folder")).unwrap();
    let _ = world.novel("", &["-C", book, "export", "-o", "folder"]).ok();
    assert!(world.path("folder/失物招领处夜班守则.txt").exists());

    let split = ["-C", book, "--lang", "en", "export", "--split", "--yes", "-o", "parts"];
    let told = world.novel("", &split).ok();
    assert!(!told.contains("earlier export"), "{told}");
    let path = "book/chapters/vol-01/chapter-002.md";
    let text = world.read(path);
    world.write(path, &format!("# 第2章 新题\n{}", text.split_once('\n').unwrap().1));
    world.commit(book, "another title");
    let told = world.novel("", &split).ok();
    assert!(told.contains("earlier export of the same chapters") && told.contains("0002 "), "{told}");
    let told = world.novel("", &["-C", book, "--lang", "en", "export", "--split", "-o", "here.txt", "--yes"]).fails(1);
    assert!(told.stderr.contains("needs a folder"), "{told:#?}");
}

/// The texts and titles of all chapters of a book.
fn chapters(world: &World, book: &str) -> Vec<String> {
    let mut found = Vec::new();
    for volume in 1..=2 {
        for n in 1..=9 {
            let path = format!("{book}/chapters/vol-{volume:02}/chapter-{n:03}.md");
            found.extend(std::fs::read_to_string(world.path(&path)).ok());
        }
    }
    found
}

#[test]
fn a_book_that_went_out_comes_back_as_it_was() {
    let world = World::new();
    let book = book(&world);
    let before = chapters(&world, book);
    for (format, more) in [("txt", ""), ("md", ""), ("epub", ""), ("docx", ""), ("txt", "--split"), ("md", "--split")] {
        let to = format!("../out{more}.{format}");
        let args = ["export", "--to", format, "-o", &to, more];
        let _ = world.novel(book, &args[..args.len() - usize::from(more.is_empty())]).ok();
        let again = format!("again{more}-{format}");
        let _ = world.novel("", &["import", to.trim_start_matches("../"), "--into", &again, "--yes"]).ok();
        let after = chapters(&world, &again);
        assert_eq!(after, before, "{format} {more}");
        world.check(&again);
    }
}

#[test]
fn a_blurb_is_written_beside_the_book_once_its_price_is_agreed_to() {
    let reply = json!({"titles": ["夜班失物簿"], "blurb": ["她捡到了自己的伞。", "伞上写着明天。"], "tags": ["悬疑"], "selling_points": []});
    let server = Server::answering(move |_| Answer::openai_json(&reply));
    let world = super::judge_trial::world(&server, Some("10.0"));
    let head = world.git("book", &["rev-parse", "main"]).ok();
    let told = world.novel("book", &["--lang", "en", "export", "--blurb", "-o", "../kit.md"]).fails(3);
    assert!(told.stderr.contains("for about $") && told.stderr.contains("--yes"), "{told:#?}");
    assert!(server.requests().is_empty(), "nothing is sent without leave");
    let _ = world.novel("book", &["export", "--blurb", "-o", "../kit.md", "--yes"]).ok();
    let asked = server.requests();
    let opening = world.read("book/chapters/vol-01/chapter-001.md");
    assert!(asked.len() == 1 && asked[0].prompt().contains(opening.lines().nth(2).unwrap()), "{asked:#?}");
    let kit = world.read("kit.md");
    assert!(kit.contains("- 夜班失物簿\n") && kit.contains("她捡到了自己的伞。\n\n伞上写着明天。\n"), "{kit}");
    assert!(!kit.contains("卖点"), "an empty list has no heading: {kit}");
    assert_eq!(world.git("book", &["rev-parse", "main"]).ok(), head);
    assert_eq!(world.git("book", &["status", "--porcelain"]).ok(), "");
    let cost = world.novel("book", &["cost", "--json"]).json();
    assert!(cost.to_string().contains("blurb"), "{cost}");
    let _ = world.novel("book", &["export", "--blurb", "-o", "novel.toml", "--yes"]).fails(1);
    let _ = world.novel("book", &["export", "--blurb", "--to", "epub"]).fails(2);
    world.check("book");
}
