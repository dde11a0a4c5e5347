//! Markdown, epub and docx: small files of every oddity, with their right answers.

use novel::manuscript::read::{Options, ReadError, SourceFile, read};
use novel::manuscript::write::{self, Edition, EditionChapter, EditionVolume, Profile};
use novel::manuscript::{DoubtKind, Manuscript};
use proptest::prelude::*;
use std::io::{Cursor, Write as _};
use zip::ZipWriter;
use zip::write::SimpleFileOptions;

fn of(name: &str, bytes: Vec<u8>) -> Result<Manuscript, ReadError> {
    read(&[SourceFile { name: name.to_owned(), bytes }], &Options::default())
}

fn zipped(parts: &[(&str, &str)]) -> Vec<u8> {
    let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, text) in parts {
        zip.start_file(*name, SimpleFileOptions::default()).unwrap();
        zip.write_all(text.as_bytes()).unwrap();
    }
    zip.finish().unwrap().into_inner()
}

/// Volume, title and text of each chapter.
fn chapters(of: &Manuscript) -> Vec<(usize, &str, &str)> {
    of.chapters.iter().map(|chapter| (chapter.volume, chapter.title.as_str(), chapter.text.as_str())).collect()
}

fn has(of: &Manuscript, kind: DoubtKind) -> bool {
    of.doubts.iter().any(|doubt| doubt.kind == kind)
}

#[test]
fn a_chapter_whose_heading_has_another_level_goes_on_with_the_numbers() {
    for levels in [["#", "##", "#", "##", "##", "#"], ["##", "##", "###", "##", "###", "##"]] {
        let chapter =
            |(level, n): (&str, usize)| format!("{level} 第{n}章 题{n}\n\n正文{n}。\n\n### 第1节 夜\n\n夜里{n}。\n\n");
        let text: String = levels.into_iter().zip(1..).map(chapter).collect();
        let found = of("书.md", text.into_bytes()).unwrap();
        let numbers: Vec<_> = found.chapters.iter().filter_map(|chapter| chapter.number).collect();
        assert_eq!(numbers, [1, 2, 3, 4, 5, 6], "{levels:?}: {:?}", found.doubts);
        assert!(found.chapters.iter().all(|chapter| chapter.text.contains("# 第1节 夜")), "{found:?}");
    }
    // The chapters of a list stand at their level further down.
    let found = of("书.md", "# 第1章 甲\n\n## 第2章 乙\n\n引文。\n\n# 第2章 乙\n\n正文。\n".into()).unwrap();
    assert_eq!(found.chapters.len(), 2, "{found:?}");
}

#[test]
fn markdown_is_read_by_lines_or_by_paragraphs() {
    let wrapped = "# 第一卷 风起\n\n## 第一章 夜雨\n\n他走进了 The Old Bar\n里，坐下来\n喝酒。\n\n2019. 那一年的事。\n\n诗一行\\\n诗二行\n\n\\*星\\*\n\n        这是一段。\n\n又是一段。\n\n还有一段。\n\n再来一段。\n\n最后一段。\n\n收尾了。\n\n没有了。\n\n真没有了。\n\n## 第二章 晨雾\n\n乙。\n";
    let found = of("书.md", wrapped.as_bytes().to_vec()).unwrap();
    assert_eq!(found.volumes[0].title, "风起");
    assert!(
        found.chapters[0]
            .text
            .starts_with("他走进了 The Old Bar 里，坐下来喝酒。\n\n2019. 那一年的事。\n\n诗一行\n诗二行\n\n*星*"),
        "{:?}",
        found.chapters[0].text
    );
    assert!(has(&found, DoubtKind::CommonMark));
    let settings = format!("---\ntitle: \"青锋录\"\nauthor: 某某\n---\n\n{wrapped}");
    let found = of("书.md", settings.into_bytes()).unwrap();
    assert_eq!((found.title.as_deref(), found.author.as_deref()), (Some("青锋录"), Some("某某")));
    let tight = "# 第一章 夜雨\n甲说。\n乙说。\n# 第二章 晨雾\n丙说。\n丁说。\n";
    let found = of("书.md", tight.as_bytes().to_vec()).unwrap();
    assert_eq!(chapters(&found), [(0, "夜雨", "甲说。\n\n乙说。"), (0, "晨雾", "丙说。\n\n丁说。")]);
}

#[test]
fn paragraphs_that_pandoc_has_wrapped_at_words_are_whole() {
    let lines = [
        "很长的一段：雨从檐角落下来，落在 Lane 5 的石板上，一声 one，一声",
        "two，他数到 three 就忘了。雨从檐角落下来，落在 Lane 5 的石板上，一声",
        "one，一声 two，他数到 three 就忘了。",
    ];
    let (wrapped, rule) = (lines.join("\n"), "-".repeat(72));
    let file = format!("# 第一章 夜雨\n\n{wrapped}\n\n{rule}\n\n『书』与\"信\"------\n");
    let source = SourceFile { name: "书.md".to_owned(), bytes: file.into_bytes() };
    let found = read(&[source], &Options { clean: true, ..Options::default() }).unwrap();
    let wanted = format!("{}\n\n***\n\n『书』与“信”——", lines.join(" "));
    assert_eq!(chapters(&found), [(0, "夜雨", wanted.as_str())]);
    assert!(has(&found, DoubtKind::CommonMark));
    let verse = "# 第一章 夜雨\n\nOne line of the verse\nand another line\nand the last\n\n甲。\n";
    let found = of("书.md", verse.as_bytes().to_vec()).unwrap();
    assert!(found.chapters[0].text.starts_with("One line of the verse\nand another"), "{:?}", found.chapters[0].text);
}

#[test]
fn headings_that_are_underlined_or_closed_by_marks_are_headings() {
    let text = "第一卷 风起\n===\n\n第一章 夜雨\n---\n\n甲。\n---\n\n乙。\n\n## 第二章 晨雾 ##\n\n丙。\n\n## 第三章 C#\n\n丁。\n";
    let found = of("书.md", text.as_bytes().to_vec()).unwrap();
    let wanted = [(0, "夜雨", "甲。\n---\n\n乙。"), (0, "晨雾", "丙。"), (0, "C#", "丁。")];
    assert_eq!((chapters(&found), found.volumes[0].title.as_str()), (wanted.to_vec(), "风起"));
}

#[test]
fn headings_of_markdown_are_told_from_code_and_found_on_other_levels() {
    let text = |level: &str, title: &str| format!("{level} {title}\n\n{title}的正文。\n\n还有一段。\n\n");
    let long = "很久以前的事。".repeat(80);
    let (rain, fog) = (text("##", "夜雨"), text("##", "晨雾"));
    let files = [
        // A block of code, and one without an end.
        (format!("{rain}```\n## 注\n代码\n```\n\n{fog}```\n"), vec![(0, "夜雨"), (0, "晨雾")]),
        // Titles that are underlined, without a number.
        (format!("青锋录\n===\n\n夜雨\n---\n\n甲。\n\n{fog}"), vec![(0, "夜雨"), (0, "晨雾")]),
        // An afterword as high as the title of the book.
        (format!("# 青锋录\n\n{rain}{fog}{}", text("#", "番外")), vec![(0, "夜雨"), (0, "晨雾"), (0, "番外")]),
        // Volumes below the title.
        (
            format!("# 青锋录\n\n## 第一卷\n\n#{rain}#{fog}## 第二卷\n\n{}{}", text("###", "归途"), text("##", "尾声")),
            vec![(0, "夜雨"), (0, "晨雾"), (1, "归途"), (1, "尾声")],
        ),
        // Numbered parts of chapters, more than there are chapters, of chapters without numbers, and of the only one.
        (
            format!("# 第一章 夜雨\n\n#{}#{}# 第二章 晨雾\n\n{}", text("#", "一"), text("#", "二"), text("##", "一")),
            vec![(0, "夜雨"), (0, "晨雾")],
        ),
        (
            format!("# 夜雨\n\n#{}#{}# 晨雾\n\n{}", text("#", "一"), text("#", "二"), text("##", "一")),
            vec![(0, "夜雨"), (0, "晨雾")],
        ),
        (format!("# 第一章 夜雨\n\n{}{}", text("##", "一"), text("##", "二")), vec![(0, "夜雨")]),
        // A chapter with one mark too few.
        (format!("{rain}# 归途\n\n{long}\n\n{fog}"), vec![(0, "夜雨"), (0, "归途"), (0, "晨雾")]),
    ];
    for (file, wanted) in files {
        let found = of("书.md", file.clone().into_bytes()).unwrap();
        let titles: Vec<_> = found.chapters.iter().map(|chapter| (chapter.volume, chapter.title.as_str())).collect();
        assert_eq!(titles, wanted, "{file}");
    }
}

#[test]
fn notes_and_quotations_of_markdown_stay_with_their_chapter_and_escapes_are_told() {
    let text = "## 第一章 夜雨\n\n雨[^1]停了[^2]。\n\n> 引文一\n> 引文二\n\n甲。\n\n乙。\n\n丙。\n\n丁。\n\n## 第二章 晨雾\n\n雾散了，\\*星\\*。\n\n戊。\n\n己。\n\n庚。\n\n[^1]: 一种雨。\n\n[^2]: 停，止也。\n";
    let found = of("书.md", text.as_bytes().to_vec()).unwrap();
    let wanted =
        "雨[^1]停了[^2]。\n\n[^1]: 一种雨。\n\n[^2]: 停，止也。\n\n> 引文一引文二\n\n甲。\n\n乙。\n\n丙。\n\n丁。";
    assert_eq!(found.chapters[0].text, wanted);
    assert_eq!(found.chapters[1].text, "雾散了，*星*。\n\n戊。\n\n己。\n\n庚。");
    assert!([DoubtKind::Notes, DoubtKind::Escapes, DoubtKind::CommonMark].iter().all(|kind| has(&found, *kind)));
}

#[test]
fn straight_marks_are_offered_for_repair() {
    let text = "# 第一章 夜雨\n\n他说\"好\"......\n";
    let found = of("书.md", text.as_bytes().to_vec()).unwrap();
    assert!(has(&found, DoubtKind::StraightMarks) && found.chapters[0].text.contains('"'));
    let source = SourceFile { name: "书.md".to_owned(), bytes: text.as_bytes().to_vec() };
    let found = read(&[source], &Options { clean: true, ..Options::default() }).unwrap();
    assert_eq!(found.chapters[0].text, "他说“好”……");
}

const CONTAINER: &str = r#"<?xml version="1.0"?><container version="1.0" xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><rootfiles><rootfile full-path="EPUB/book.opf" media-type="application/oebps-package+xml"/></rootfiles></container>"#;
const OPF: &str = r#"<?xml version="1.0"?><package xmlns="http://www.idpf.org/2007/opf" version="3.0" unique-identifier="id"><metadata xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:identifier id="id">x</dc:identifier><dc:title>青锋录</dc:title><dc:creator>某某</dc:creator><dc:language>zh</dc:language></metadata><manifest><item id="nav" href="nav.xhtml" media-type="application/xhtml+xml" properties="nav"/><item id="b" href="b.xhtml" media-type="application/xhtml+xml"/><item id="a" href="a.xhtml" media-type="application/xhtml+xml"/></manifest><spine><itemref idref="nav"/><itemref idref="a"/><itemref idref="b"/></spine></package>"#;

fn page(body: &str) -> String {
    format!(
        r#"<?xml version="1.0"?><!DOCTYPE html><html xmlns="http://www.w3.org/1999/xhtml" xmlns:epub="http://www.idpf.org/2007/ops"><head><title>x</title></head><body>{body}</body></html>"#
    )
}

#[test]
fn an_epub_is_cut_at_its_contents_in_the_order_of_the_spine() {
    let nav = page(
        r#"<nav epub:type="toc"><ol><li><a href="a.xhtml">第一卷 风起</a><ol><li><a href="a.xhtml#one">第一章 夜雨</a></li><li><a href="a.xhtml#two">第二章 晨雾</a></li><li><a href="b.xhtml#three">第三章 归途</a></li></ol></li></ol></nav>"#,
    );
    let a = page(
        r#"<h1>第一卷 风起</h1><h2 id="one">第一章 夜雨</h2><p>　　<ruby>长<rt>cháng</rt></ruby>安&nbsp;下<b>雨</b>了。</p><p>第一行<br/>第二行</p><div id="two"><p>第二章 晨雾</p><p>雾里
有人。</p></div><hr/><p>&amp;尾&#x5C3E;</p>"#,
    );
    let b = page(r#"<p>接着上一章。</p><div id="three"><img src="t.png" alt=""/></div><p>他回来了。</p>"#);
    let parts = [("mimetype", "application/epub+zip"), ("META-INF/container.xml", CONTAINER), ("EPUB/book.opf", OPF)];
    let pages = [("EPUB/nav.xhtml", nav.as_str()), ("EPUB/b.xhtml", &b), ("EPUB/a.xhtml", &a)];
    let bytes = zipped(&[&parts[..], &pages].concat());
    let found = of("书.epub", bytes).unwrap();
    assert_eq!((found.title.as_deref(), found.author.as_deref()), (Some("青锋录"), Some("某某")));
    assert_eq!(found.volumes.len(), 1);
    let wanted = [
        (0, "夜雨", "长安\u{a0}下雨了。\n\n第一行\n第二行"),
        (0, "晨雾", "雾里有人。\n\n***\n\n&尾尾\n\n接着上一章。"),
        (0, "归途", "他回来了。"),
    ];
    assert_eq!(chapters(&found), wanted);
    assert!(has(&found, DoubtKind::Readings) && has(&found, DoubtKind::LeftOut));
    let drm = r#"<encryption><EncryptedData><CipherReference URI="EPUB/a.xhtml"/></EncryptedData></encryption>"#;
    let bytes = zipped(&[&parts[..], &pages, &[("META-INF/encryption.xml", drm)]].concat());
    assert_eq!(of("书.epub", bytes), Err(ReadError::Encrypted { name: "书.epub".to_owned() }));
    let other =
        zipped(&[&parts[..], &pages, &[("META-INF/encryption.xml", &drm.replace("a.xhtml", "a.ttf"))]].concat());
    assert!(of("书.epub", other).is_ok(), "fonts alone are encrypted");
    assert_eq!(of("书.epub", b"no zip".to_vec()), Err(ReadError::Broken { name: "书.epub".to_owned() }));
}

#[test]
fn notes_of_an_epub_stand_below_the_paragraph_with_their_mark() {
    let nav = page(
        r#"<nav epub:type="toc"><ol><li><a href="a.xhtml#one">第一章 夜雨</a></li><li><a href="a.xhtml#two">第二章 晨雾</a></li><li><a href="b.xhtml">注释</a></li></ol></nav>"#,
    );
    let a = page(
        r##"<h2 id="one">第一章 夜雨</h2><p>雨<a id="r1" epub:type="noteref" href="#n1">1</a>停<sup><a href="b.xhtml#n2">2</a></sup>了3，见<a href="#two">下章</a>。</p><p>他走了。</p><h2 id="two">第二章 晨雾</h2><p>x<sup>2</sup>雾<a href="#n3">[3]</a>。</p><section class="footnotes" epub:type="footnotes"><hr/><ol><li id="n1"><p>1987年的雨。<a href="#r1">↩</a></p></li><li id="n3"><p>[3] 晨雾。</p></li></ol></section>"##,
    );
    let b = page(r##"<h2>注释</h2><p><a id="n2" href="a.xhtml#r2">2</a>. 停，止也。</p><p>书末。</p>"##);
    let parts = [("mimetype", "application/epub+zip"), ("META-INF/container.xml", CONTAINER), ("EPUB/book.opf", OPF)];
    let pages = [("EPUB/nav.xhtml", nav.as_str()), ("EPUB/b.xhtml", &b), ("EPUB/a.xhtml", &a)];
    let found = of("书.epub", zipped(&[&parts[..], &pages].concat())).unwrap();
    let wanted = [
        (0, "夜雨", "雨[1]停[2]了3，见下章。\n\n[1] 1987年的雨。\n\n[2] 停，止也。\n\n他走了。"),
        (0, "晨雾", "x2雾[3]。\n\n[3] 晨雾。"),
        (0, "注释", "书末。"),
    ];
    assert_eq!(chapters(&found), wanted);
    assert!(has(&found, DoubtKind::Notes));
}

#[test]
fn the_contents_of_an_old_epub_name_its_chapters() {
    let opf = OPF.replace(
        r#"<item id="nav" href="nav.xhtml" media-type="application/xhtml+xml" properties="nav"/>"#,
        r#"<item id="ncx" href="toc.ncx" media-type="application/x-dtbncx+xml"/>"#,
    );
    let opf = opf.replace(r#"<itemref idref="nav"/>"#, "");
    let ncx = r#"<ncx><docTitle><text>x</text></docTitle><navMap><navPoint id="v"><navLabel><text>第一卷 风起</text></navLabel><content src="a.xhtml"/><navPoint id="1"><navLabel><text>第一章 夜雨</text></navLabel><content src="a.xhtml#one"/></navPoint><navPoint id="2"><navLabel><text>第二章 晨雾</text></navLabel><content src="b.xhtml"/></navPoint></navPoint></navMap></ncx>"#;
    let a = page(r#"<p>第一卷 风起</p><p id="one">第一章 夜雨</p><p>雨停了。</p>"#);
    let b = page("<pre>雾  散\n了</pre>");
    let parts = [("META-INF/container.xml", CONTAINER), ("EPUB/book.opf", &opf), ("EPUB/toc.ncx", ncx)];
    let found = of("书.epub", zipped(&[&parts[..], &[("EPUB/b.xhtml", &b), ("EPUB/a.xhtml", &a)]].concat())).unwrap();
    assert_eq!(chapters(&found), [(0, "夜雨", "雨停了。"), (0, "晨雾", "雾  散\n了")]);
    assert_eq!(found.volumes[0].title, "风起");
}

#[test]
fn a_docx_is_read_by_styles_numbers_and_runs() {
    let styles = r#"<w:styles xmlns:w="w"><w:style w:styleId="2"><w:name w:val="标题 2"/></w:style><w:style w:styleId="mine"><w:name w:val="我的"/><w:basedOn w:val="2"/></w:style><w:style w:styleId="TOC1"><w:name w:val="toc 1"/></w:style></w:styles>"#;
    let numbering = r#"<w:numbering xmlns:w="w"><w:abstractNum w:abstractNumId="7"><w:lvl w:ilvl="0"><w:start w:val="1"/><w:numFmt w:val="chineseCountingThousand"/><w:lvlText w:val="第%1章"/></w:lvl></w:abstractNum><w:num w:numId="3"><w:abstractNumId w:val="7"/></w:num></w:numbering>"#;
    let heading = |title: &str| {
        format!(
            r#"<w:p><w:pPr><w:pStyle w:val="mine"/><w:numPr><w:ilvl w:val="0"/><w:numId w:val="3"/></w:numPr></w:pPr><w:r><w:t>{title}</w:t></w:r></w:p>"#
        )
    };
    let document = format!(
        r#"<w:document xmlns:w="w"><w:body><w:p><w:pPr><w:pStyle w:val="TOC1"/></w:pPr><w:r><w:t>第一章 夜雨 1</w:t></w:r></w:p>{}<w:p><w:r><w:t>　　他</w:t></w:r><w:ins><w:r><w:t>又</w:t></w:r></w:ins><w:del><w:r><w:delText>不</w:delText></w:r></w:del><w:hyperlink><w:r><w:t>走</w:t></w:r></w:hyperlink><w:r><w:t>了</w:t><w:br/><w:t>远</w:t><w:tab/><w:t>去。</w:t></w:r><w:r><w:ruby><w:rt><w:r><w:t>cháng</w:t></w:r></w:rt><w:rubyBase><w:r><w:t>长</w:t></w:r></w:rubyBase></w:ruby></w:r><w:r><w:t>安</w:t></w:r><w:r><w:footnoteReference w:id="5"/></w:r><w:r><w:endnoteReference w:id="5"/><w:noBreakHyphen/></w:r></w:p>{}<w:p><w:r><w:t>乙。</w:t></w:r></w:p></w:body></w:document>"#,
        heading("夜雨"),
        heading("晨雾")
    );
    let notes = r#"<w:footnotes xmlns:w="w"><w:footnote w:id="5"><w:p><w:r><w:t>古都。</w:t></w:r></w:p></w:footnote></w:footnotes>"#;
    let bytes = zipped(&[
        ("word/document.xml", &document),
        ("word/styles.xml", styles),
        ("word/numbering.xml", numbering),
        ("word/footnotes.xml", notes),
        ("word/endnotes.xml", &notes.replace("footnote", "endnote").replace("古都", "今西安")),
    ]);
    let found = of("书.docx", bytes).unwrap();
    let numbers: Vec<Option<u32>> = found.chapters.iter().map(|chapter| chapter.number).collect();
    assert_eq!(numbers, [Some(1), Some(2)]);
    assert_eq!(
        chapters(&found),
        [(0, "夜雨", "他又走了\n远\t去。长安[1][2]\u{2011}\n\n[1] 古都。\n\n[2] 今西安。"), (0, "晨雾", "乙。")]
    );
}

#[test]
fn a_rule_across_the_page_of_a_docx_is_a_break_between_scenes() {
    let line = |inner: &str| format!("<w:p>{inner}</w:p>");
    let text = |text: &str| line(&format!("<w:r><w:t>{text}</w:t></w:r>"));
    let rules = [
        line(r#"<w:r><w:pict><v:rect o:hrstd="t" o:hr="t"/></w:pict></w:r>"#),
        line(r#"<w:pPr><w:pBdr><w:bottom w:val="double"/></w:pBdr></w:pPr>"#),
    ];
    for rule in rules {
        let document = format!(
            r#"<w:document xmlns:w="w" xmlns:v="v" xmlns:o="o"><w:body>{}{}{rule}{}</w:body></w:document>"#,
            text("第一章 夜雨"),
            text("甲。"),
            text("乙。")
        );
        let found = of("书.docx", zipped(&[("word/document.xml", &document)])).unwrap();
        assert!(found.chapters[0].text.split_whitespace().eq(["甲。", "***", "乙。"]), "{:?}", found.chapters[0].text);
        assert!(!has(&found, DoubtKind::LeftOut), "{rule}");
    }
}

#[test]
fn nothing_of_a_page_with_faults_is_lost_unsaid() {
    let opf = OPF.replace(r#"<itemref idref="b"/>"#, "");
    let a = page(
        r#"<h1>第一章 夜雨</h1><p>他 < 她，a<b，c & d。</p><p title='x"y>丙。</p><dl><dt>词</dt><dd>解</dd></dl><ol start="7"><li>列。</li></ol><svg><text>图字</text></svg><p>坏�字。</p>"#,
    );
    let parts = [("META-INF/container.xml", CONTAINER), ("EPUB/book.opf", &opf), ("EPUB/a.xhtml", &a)];
    let found = of("书.epub", zipped(&parts)).unwrap();
    let wanted = "他 < 她，a<b，c & d。\n\n<p title='x\"y>丙。\n\n词\n\n解\n\n7. 列。\n\n图字\n\n坏\u{fffd}字。";
    assert_eq!(chapters(&found), [(0, "夜雨", wanted)]);
    let told: Vec<(DoubtKind, &str)> = found.doubts.iter().map(|doubt| (doubt.kind, doubt.detail.as_str())).collect();
    assert_eq!(told, [(DoubtKind::LeftOut, "EPUB/b.xhtml"), (DoubtKind::BadBytes, "坏\u{fffd}字。")]);
}

#[test]
fn a_docx_with_changes_reads_as_its_author_sees_it() {
    let run = |text: &str| format!("<w:r><w:t>{text}</w:t></w:r>");
    let item = |list: u32, depth: u32, title: &str| {
        let number = format!(r#"<w:numPr><w:ilvl w:val="{depth}"/><w:numId w:val="{list}"/></w:numPr>"#);
        format!("<w:p><w:pPr>{number}</w:pPr>{}</w:p>", run(title))
    };
    let changed =
        r#"<w:del><w:r><w:delText>删</w:delText><w:br/><w:tab/><w:footnoteReference w:id="5"/></w:r></w:del>"#;
    let merged = "<w:p><w:pPr><w:rPr><w:del/></w:rPr></w:pPr><w:r><w:t>前半</w:t></w:r></w:p><w:p><w:r><w:t>后半。</w:t></w:r></w:p>";
    let boxed = "<w:r><mc:Choice><w:txbxContent><w:p><w:r><w:t>框</w:t></w:r></w:p></w:txbxContent></mc:Choice><mc:Fallback><w:p><w:r><w:t>框</w:t></w:r></w:p><w:p/></mc:Fallback></w:r>";
    let document = [
        "<w:document><w:body>".to_owned(),
        item(1, 0, "夜雨"),
        format!("<w:p>{}{changed}{}</w:p>{merged}", run("他"), run("走了。")),
        format!(r#"<w:p>{boxed}{}<w:r><w:footnoteReference w:id="5"/></w:r></w:p>"#, run("锚")),
        item(1, 0, "晨雾"),
        item(2, 0, "归途"),
        item(2, 1, "丙。"),
        "</w:body></w:document>".to_owned(),
    ];
    let numbering = r#"<w:numbering><w:abstractNum w:abstractNumId="7"><w:lvl w:ilvl="0"><w:start w:val="1"/><w:numFmt w:val="chineseCounting"/><w:lvlText w:val="第%1章"/></w:lvl><w:lvl w:ilvl="1"><w:start w:val="4"/><w:numFmt w:val="upperRoman"/><w:lvlText w:val="%2."/></w:lvl></w:abstractNum><w:num w:numId="1"><w:abstractNumId w:val="7"/></w:num><w:num w:numId="2"><w:abstractNumId w:val="7"/><w:lvlOverride w:ilvl="0"><w:startOverride w:val="9"/></w:lvlOverride></w:num></w:numbering>"#;
    let notes = "<w:footnotes><w:footnote w:id=\"5\"><w:p><w:r><w:t>注一</w:t></w:r></w:p><w:p><w:r><w:t>注二</w:t></w:r></w:p></w:footnote></w:footnotes>";
    let bytes = zipped(&[
        ("word/document.xml", &document.concat()),
        ("word/numbering.xml", numbering),
        ("word/footnotes.xml", notes),
    ]);
    let found = of("书.docx", bytes).unwrap();
    let first = "他走了。\n\n前半后半。\n\n框\n\n锚[1]\n\n[1] 注一\n注二";
    assert_eq!(chapters(&found), [(0, "夜雨", first), (0, "归途", "IV. 丙。")]);
    let numbers: Vec<Option<u32>> = found.chapters.iter().map(|chapter| chapter.number).collect();
    assert_eq!(numbers, [Some(1), Some(9)]);
}

#[test]
fn lines_of_one_paragraph_are_paragraphs_where_they_hold_chapters() {
    let opf = OPF.replace(r#"<itemref idref="b"/>"#, "");
    let line = "他走了很远的路。";
    let a =
        page(&format!("<div>第一章 夜雨<br/>{line}<br/>诗。<br/><br/>第二章 晨雾<br/>{line}</div><p>上<br/>下</p>"));
    let parts = [("META-INF/container.xml", CONTAINER), ("EPUB/book.opf", opf.as_str()), ("EPUB/a.xhtml", &a)];
    let run = ["第一章 夜雨", line, "诗。", "", "第二章 晨雾", line].join("</w:t><w:br/><w:t>");
    let document =
        format!("<w:p><w:r><w:t>{run}</w:t></w:r></w:p><w:p><w:r><w:t>上</w:t><w:br/><w:t>下</w:t></w:r></w:p>");
    for (name, bytes) in [("书.epub", zipped(&parts)), ("书.docx", zipped(&[("word/document.xml", &document)]))] {
        let found = of(name, bytes).unwrap();
        let second = format!("{line}\n\n上\n下");
        assert_eq!(chapters(&found), [(0, "夜雨", &*format!("{line}\n\n诗。")), (0, "晨雾", &*second)], "{name}");
    }
}

/// Chapters, as an edition in one volume. Before the fifth paragraph of each is a gap.
fn edition(chapters: &[Vec<String>]) -> Edition {
    let text = |lines: &[String]| match lines.split_at_checked(4) {
        Some((before, after)) if !after.is_empty() => [before.join("\n\n"), after.join("\n\n")].join("\n\n\n"),
        _ => lines.join("\n\n"),
    };
    let chapter = |(at, lines): (usize, &Vec<String>)| EditionChapter {
        number: at as u32 + 1,
        title: "《夜·雨》".to_owned(),
        text: text(lines),
    };
    let chapters = chapters.iter().enumerate().map(chapter).collect();
    Edition {
        title: "青锋录".to_owned(),
        volumes: vec![EditionVolume { number: 1, title: "风起".to_owned(), chapters }],
        ..Edition::default()
    }
}

fn with_one_blank_after_marks(text: &str) -> String {
    let line = |line: &str| {
        let title = line.trim_start_matches('#');
        let marks = &line[..line.len() - title.len()];
        let is_heading = marks.len() > 1 && title.starts_with(' ');
        if is_heading { [marks, " ", title.trim_start()].concat() } else { line.to_owned() }
    };
    text.split('\n').map(line).collect::<Vec<_>>().join("\n")
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]
    #[test]
    fn every_line_that_goes_out_comes_back(chapters in prop::collection::vec(prop::collection::vec(
        r"(#{1,3} )?[甲乙。a#>*\\_&<-][甲乙。a#>*\\_&< -]{0,5}[甲乙。a\\*#]|```", 1..8), 2..5)) {
        let (edition, profile) = (edition(&chapters), Profile::default());
        let mut files = vec![
            ("书.txt", write::text(&edition, &profile).into_bytes()),
            ("书.md", write::markdown(&edition, &profile).into_bytes()),
        ];
        let (mut epub, mut docx) = (Cursor::new(Vec::new()), Cursor::new(Vec::new()));
        write::epub(&edition, &profile, &mut epub).unwrap();
        write::docx(&edition, &profile, &mut docx).unwrap();
        files.extend([("书.epub", epub.into_inner()), ("书.docx", docx.into_inner())]);
        for (name, bytes) in files {
            let found = of(name, bytes).unwrap();
            let texts: Vec<(&str, &str)> =
                found.chapters.iter().map(|chapter| (chapter.title.as_str(), chapter.text.as_str())).collect();
            // In formats that have headings of their own, the blanks between marks and title are no part of either.
            let wanted: Vec<String> = edition.volumes[0]
                .chapters
                .iter()
                .map(|chapter| if name == "书.txt" { chapter.text.clone() } else { with_one_blank_after_marks(&chapter.text) })
                .collect();
            let wanted: Vec<(&str, &str)> = wanted.iter().map(|text| ("《夜·雨》", text.as_str())).collect();
            prop_assert_eq!(texts, wanted, "{}", name);
            let is_apart = |doubt: &novel::manuscript::SourceDoubt| doubt.kind == DoubtKind::Front;
            prop_assert!(name == "书.md" || !found.doubts.iter().any(is_apart), "the title page is no text apart: {}", name);
        }
    }
}
