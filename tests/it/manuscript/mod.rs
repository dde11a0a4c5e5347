//! Reading of manuscripts: odd files of every kind with their right answers, and that no character is lost.

mod formats;

use novel::manuscript::read::{Options, ReadError, SourceFile, read};
use novel::manuscript::{ApartKind, DoubtKind, Manuscript, PartKind};
use proptest::prelude::*;
use std::collections::BTreeMap;

fn source(text: &str) -> SourceFile {
    SourceFile { name: "书.txt".to_owned(), bytes: text.as_bytes().to_vec() }
}

fn of(text: &str) -> Manuscript {
    read(&[source(text)], &Options::default()).unwrap()
}

/// Volume, number and title of each chapter.
fn contents(of: &Manuscript) -> Vec<(usize, Option<u32>, &str)> {
    of.chapters.iter().map(|chapter| (chapter.volume, chapter.number, chapter.title.as_str())).collect()
}

fn doubts(of: &Manuscript) -> Vec<DoubtKind> {
    of.doubts.iter().map(|doubt| doubt.kind).filter(|kind| *kind != DoubtKind::Indents).collect()
}

#[test]
fn volumes_restart_and_names_are_chapters() {
    let found = of(
        "楔子\n\n很久以前。\n\n第一卷 风起\n\n第一章 夜雨\n\n　　雨停了。\n　　他走了。\n\n第二章 晨雾\n\n雾散了。\n\n\
        第二卷 云涌\n\n第一章 归途\n\n他回来了。\n\n尾声\n\n灯灭了。\n\n番外一 旧事\n\n那年的事。\n",
    );
    let wanted = [(0, None, "楔子"), (0, Some(1), "夜雨"), (0, Some(2), "晨雾"), (1, Some(1), "归途")];
    assert_eq!(contents(&found)[..4], wanted);
    let kinds: Vec<PartKind> = found.chapters.iter().map(|chapter| chapter.kind).collect();
    use PartKind as K;
    assert_eq!(kinds, [K::Prologue, K::Chapter, K::Chapter, K::Chapter, K::Epilogue, K::Extra]);
    let volumes: Vec<&str> = found.volumes.iter().map(|volume| volume.title.as_str()).collect();
    assert_eq!(volumes, ["风起", "云涌"]);
    assert_eq!(found.chapters[1].text, "雨停了。\n他走了。");
    assert_eq!(doubts(&found), []);
}

#[test]
fn a_volume_and_a_chapter_in_one_line_and_a_restart_without_a_volume() {
    let found = of("第一卷 风起 第一章 夜雨\n甲。\n第一卷 风起 第二章 晨雾\n乙。\n第二卷 云涌 第三章 归途\n丙。\n");
    assert_eq!(contents(&found), [(0, Some(1), "夜雨"), (0, Some(2), "晨雾"), (1, Some(3), "归途")]);
    let found = of("第1章 夜雨\n甲。\n第2章 晨雾\n乙。\n第1章 归途\n丙。\n第2章 入城\n丁。\n");
    assert_eq!(
        contents(&found),
        [(0, Some(1), "夜雨"), (0, Some(2), "晨雾"), (1, Some(1), "归途"), (1, Some(2), "入城")]
    );
    assert_eq!(doubts(&found), [DoubtKind::Restart]);
}

#[test]
fn sentences_that_begin_like_headings_stay_text() {
    let found = of(
        "第一章 夜雨\n第二章的内容他早就忘了。\n第三回合，他输了。\n第一节课就要开始了\n第二章 晨雾\n第一部分是最难的\n第三章 归途\n\
        “第四章写完了吗？”\n3、他数到三。\n第四章 入城\n丁。\n",
    );
    let numbers: Vec<Option<u32>> = found.chapters.iter().map(|chapter| chapter.number).collect();
    assert_eq!(numbers, [Some(1), Some(2), Some(3), Some(4)]);
    assert!(found.chapters[0].text.contains("第二章的内容") && found.chapters[0].text.contains("第一节课"));
    assert_eq!(doubts(&found), [DoubtKind::KeptAsText]);
}

#[test]
fn a_list_of_contents_repeats_gaps_and_notices_are_told() {
    let found = of(
        "书名：青锋录\n作者：某某\n\n目录\n第一章 夜雨\n第二章 晨雾\n第三章 归途\n\n第一章 夜雨\n甲。\n第二章 晨雾\n第二章 晨雾\n乙。\n\
        请假条\n今天有事，请假一天。\n第五章 归途\n丙。\n",
    );
    assert_eq!((found.title.as_deref(), found.author.as_deref()), (Some("青锋录"), Some("某某")));
    assert_eq!(contents(&found), [(0, Some(1), "夜雨"), (0, Some(2), "晨雾"), (0, Some(5), "归途")]);
    use DoubtKind as D;
    let mut told = doubts(&found);
    told.sort();
    assert_eq!(told, [D::Front, D::Contents, D::Gap, D::RepeatedHeading, D::Notice]);
    let apart: Vec<ApartKind> = found.apart.iter().map(|apart| apart.kind).collect();
    assert!(
        [ApartKind::Contents, ApartKind::Notice, ApartKind::Front].iter().all(|kind| apart.contains(kind)),
        "{apart:?}"
    );
    let gap = found.doubts.iter().find(|doubt| doubt.kind == D::Gap).unwrap();
    assert_eq!(gap.detail, "3–4");
}

#[test]
fn the_text_begins_where_the_first_heading_of_the_contents_comes_again() {
    let chapters = |volume: &str| (1..=12).map(|n| format!("第{n}章 {volume}{n}\n")).collect::<String>();
    let with_text = |list: &str| list.replace('\n', "\n\n甲。\n\n");
    for volumes in [["", ""], ["第一卷 风起\n", "第二卷 云涌\n"]] {
        let list: String =
            ["甲", "乙"].iter().zip(volumes).map(|(of, volume)| [volume, &chapters(of)].concat()).collect();
        let text: String = ["甲", "乙"]
            .iter()
            .zip(volumes)
            .map(|(of, volume)| [volume, "\n", &with_text(&chapters(of))].concat())
            .collect();
        let found = of(&format!("目录\n{list}\n楔子\n\n很久以前。\n\n{text}"));
        let titles: Vec<&str> = found.chapters.iter().map(|chapter| chapter.title.as_str()).collect();
        assert_eq!((titles.len(), &titles[..3]), (25, &["楔子", "甲1", "甲2"][..]), "{found:?}");
    }
}

#[test]
fn a_heading_without_text_is_no_chapter_and_told() {
    let found = of("第一章 夜雨\n\n甲。\n\n第二章 晨雾\n\n第三章 归途\n\n乙。\n\n第四章 未写\n");
    assert_eq!(contents(&found), [(0, Some(1), "夜雨"), (0, Some(3), "归途")]);
    assert_eq!(doubts(&found), [DoubtKind::NoText; 2]);
    let apart: Vec<&str> = found.apart.iter().map(|apart| apart.text.as_str()).collect();
    assert_eq!(apart, ["第二章 晨雾", "第四章 未写"]);
    let outline = read(&[source("第一章 夜雨\n\n第二章 晨雾\n")], &Options::default());
    assert_eq!(outline, Err(ReadError::Empty));
}

#[test]
fn numbers_alone_are_headings_where_they_run_on() {
    let found = of("1、夜雨\n甲。\n2、晨雾\n乙。\n3、归途\n丙。\n4、入城\n丁。\n");
    assert_eq!(contents(&found).len(), 4);
    let found = of("一\n\n甲。\n\n二\n\n乙。\n\n三\n\n丙。\n");
    assert_eq!(contents(&found), [(0, Some(1), ""), (0, Some(2), ""), (0, Some(3), "")]);
    let found = of("他列了三条：\n1、不许迟到。\n2、不许早退。\n然后他走了。\n");
    assert_eq!((found.chapters.len(), found.chapters[0].title.as_str()), (1, ""));
}

#[test]
fn titles_stand_below_their_numbers() {
    let found =
        of("第一章\n夜雨\n\n甲说了一句话。\n\n第二章\n晨雾\n\n乙说了一句话。\n\n第三章\n归途\n\n丙说了一句话。\n");
    assert_eq!(contents(&found), [(0, Some(1), "夜雨"), (0, Some(2), "晨雾"), (0, Some(3), "归途")]);
    assert_eq!(found.chapters[0].heading, "第一章\n夜雨");
    assert_eq!(doubts(&found), [DoubtKind::TitleBelow]);
}

#[test]
fn lines_of_a_site_are_offered_and_taken_out_on_demand() {
    let text = "第一章 夜雨\n甲。\n本章未完，请翻页\n乙。\n最新章节请到 www.example.com 阅读\n第二章 晨雾\n丙。\n";
    let found = of(text);
    assert_eq!(doubts(&found), [DoubtKind::SiteLines]);
    assert!(found.chapters[0].text.contains("本章未完"));
    let found = read(&[source(text)], &Options { clean: true, ..Options::default() }).unwrap();
    assert_eq!((doubts(&found), found.chapters[0].text.as_str()), (vec![DoubtKind::SiteLinesOut], "甲。\n\n乙。"));
    assert_eq!(found.apart[0].kind, ApartKind::SiteLine);
}

#[test]
fn empty_lines_between_paragraphs_stay_a_scene_break() {
    let found = of("第一章 夜雨\n甲。\n乙。\n\n丙。\n丁。\n戊。\n");
    assert_eq!(found.chapters[0].text, "甲。\n\n乙。\n\n\n丙。\n\n丁。\n\n戊。");
}

#[test]
fn a_text_before_the_first_heading_is_never_lost() {
    let long = "很久以前的事。".repeat(100);
    let found = of(&format!("{long}\n第一章 夜雨\n甲。\n第二章 晨雾\n乙。\n"));
    assert_eq!(found.chapters[0].text, long);
    assert_eq!(found.chapters[0].title, "前言");
}

#[test]
fn files_of_a_folder_are_chapters_with_or_without_headings() {
    let files = [("001.txt", "甲。"), ("002.txt", "乙。"), ("第三章 归途.txt", "丙。")];
    let sources: Vec<SourceFile> = files
        .iter()
        .map(|(name, text)| SourceFile { name: (*name).to_owned(), bytes: text.as_bytes().to_vec() })
        .collect();
    let found = read(&sources, &Options::default()).unwrap();
    assert_eq!(contents(&found), [(0, Some(1), ""), (0, Some(2), ""), (0, Some(3), "归途")]);
    let files = [("楔子.txt", "甲。"), ("第一卷 风起/1.txt", "乙。"), ("第二卷/1.txt", "第一章 归途\n丙。")];
    let sources = files.map(|(name, text)| SourceFile { name: name.to_owned(), bytes: text.as_bytes().to_vec() });
    let found = read(&sources, &Options::default()).unwrap();
    assert_eq!(contents(&found), [(0, None, "楔子"), (0, Some(1), ""), (1, Some(1), "归途")]);
    assert_eq!(found.volumes[0].title, "风起");
    let text = |front: &str, n: u32| format!("{front}\n第{n}章\n甲{n}。\n");
    let files = [("上.txt", text("《青锋录》", 1)), ("中.txt", text("《青锋录》", 2)), ("下.txt", text("半句。", 3))];
    let sources = files.map(|(name, text)| SourceFile { name: name.to_owned(), bytes: text.into_bytes() });
    let found = read(&sources, &Options::default()).unwrap();
    let texts: Vec<&str> = found.chapters.iter().map(|chapter| chapter.text.as_str()).collect();
    assert_eq!(texts, ["甲1。", "甲2。\n\n半句。", "甲3。"]);
    assert_eq!(doubts(&found), [DoubtKind::Front, DoubtKind::Front, DoubtKind::JoinsBefore]);
    // Notes with settings at their front.
    let text = |n: u32| format!("---\ntitle: 青锋录\ntags:\n  - 甲\n---\n甲{n}。\n\n---\n\n乙。\n");
    let sources = [1, 2].map(|n| SourceFile { name: format!("第{n}章 夜.md"), bytes: text(n).into_bytes() });
    let found = read(&sources, &Options::default()).unwrap();
    let texts: Vec<&str> = found.chapters.iter().map(|chapter| chapter.text.as_str()).collect();
    assert_eq!(texts, ["甲1。\n\n---\n\n乙。", "甲2。\n\n---\n\n乙。"]);
    assert_eq!((found.title.as_deref(), found.apart.len()), (Some("青锋录"), 2));
    // An author who went over from one kind of file, and from one look, to another.
    let lines = |between: &str| ["丙。"; 9].join(between);
    let plain = format!("第二章 晨雾\n{}\n第三章 归途\n{}\n", lines("\n"), lines("\n"));
    let files = [("1.md", format!("# 第一章 夜雨\n\n{}\n", lines("\n\n"))), ("2.txt", plain)];
    let sources = files.map(|(name, text)| SourceFile { name: name.to_owned(), bytes: text.into_bytes() });
    let found = read(&sources, &Options::default()).unwrap();
    assert_eq!(contents(&found), [(0, Some(1), "夜雨"), (0, Some(2), "晨雾"), (0, Some(3), "归途")]);
    assert!(found.chapters.iter().all(|chapter| chapter.text == lines("\n\n")), "{found:?}");
}

#[test]
fn the_heading_of_a_volume_without_chapters_is_kept_and_told() {
    let found = of(
        "第一卷 风起\n\n第一章 夜雨\n\n甲。\n\n第二章 晨雾\n\n乙。\n\n第二卷 空卷\n\n第三卷 云涌\n\n第三章 归途\n\n丙。\n\n第四卷 未写\n",
    );
    let volumes: Vec<&str> = found.volumes.iter().map(|volume| volume.title.as_str()).collect();
    assert_eq!((volumes, contents(&found)[2].0), (vec!["风起", "云涌"], 1));
    let apart: Vec<&str> = found.apart.iter().map(|apart| apart.text.as_str()).collect();
    assert_eq!(apart, ["第二卷 空卷", "第四卷 未写"]);
    assert_eq!(doubts(&found), [DoubtKind::EmptyVolume; 2]);
    let found = of("卷一 风起\n\n甲。\n\n卷二 云涌\n\n乙。\n\n第四部分最难。\n\n第四部分最难\n");
    let texts: Vec<_> = found.chapters.iter().map(|chapter| (chapter.volume, chapter.text.as_str())).collect();
    assert_eq!(texts, [(0, "甲。"), (1, "乙。\n\n第四部分最难。\n\n第四部分最难")]);
}

#[test]
fn a_chapter_from_the_middle_keeps_its_heading() {
    let found = of("第五章 夜雨\n\n他走了。\n");
    assert_eq!(contents(&found), [(0, Some(5), "夜雨")]);
    assert_eq!((found.chapters[0].text.as_str(), doubts(&found)), ("他走了。", vec![DoubtKind::Gap]));
    let named = SourceFile { name: "第六章 晨雾.txt".to_owned(), bytes: "雾散了。".as_bytes().to_vec() };
    assert_eq!(contents(&read(&[named], &Options::default()).unwrap()), [(0, Some(6), "晨雾")]);
}

#[test]
fn a_notice_whose_number_the_chapters_need_stays_a_chapter() {
    let found = of("第1章 夜雨\n\n甲。\n\n第2章 请假条\n\n他写了一张请假条。\n\n第3章 归途\n\n乙。\n");
    assert_eq!(contents(&found), [(0, Some(1), "夜雨"), (0, Some(2), "请假条"), (0, Some(3), "归途")]);
    assert_eq!((doubts(&found), found.chapters[1].kind), (vec![DoubtKind::NoticeKept], PartKind::Chapter));
    let found = of("第1章 夜雨\n\n甲。\n\n第2章 请假条\n\n今天有事。\n\n第2章 归途\n\n乙。\n");
    assert_eq!(contents(&found), [(0, Some(1), "夜雨"), (0, Some(2), "归途")]);
    assert_eq!(doubts(&found), [DoubtKind::Notice]);
}

#[test]
fn an_indented_line_is_text_where_headings_are_not_indented() {
    let found = of("第1章 夜雨\n\n　　甲。\n\n　　第三章 他念道\n\n　　尾声\n\n第2章 晨雾\n\n　　乙。\n");
    assert_eq!(contents(&found), [(0, Some(1), "夜雨"), (0, Some(2), "晨雾")]);
    assert!(found.chapters[0].text.ends_with("第三章 他念道\n\n尾声"), "{:?}", found.chapters[0].text);
    assert_eq!(doubts(&found), [DoubtKind::KeptAsText]);
    let found = of("\u{feff}第1章 夜雨\n甲。\n 第2章 晨雾\n乙。\n\u{feff}第3章 归途\n丙。\n");
    assert_eq!(contents(&found), [(0, Some(1), "夜雨"), (0, Some(2), "晨雾"), (0, Some(3), "归途")]);
}

#[test]
fn a_folder_is_read_without_the_files_that_cannot_be() {
    let files: [(&str, &[u8]); 5] = [
        ("第1章.txt", "第1章 夜雨\n甲。\n".as_bytes()),
        ("空.txt", b" \n"),
        ("~$x.docx", b"lock"),
        ("封面.png", b""),
        ("第2章.txt", "第2章 晨雾\n乙。\n".as_bytes()),
    ];
    let sources = files.map(|(name, bytes)| SourceFile { name: name.to_owned(), bytes: bytes.to_vec() });
    let found = read(&sources, &Options { is_folder: true, ..Options::default() }).unwrap();
    assert_eq!(contents(&found), [(0, Some(1), "夜雨"), (0, Some(2), "晨雾")]);
    let told: Vec<(DoubtKind, &str)> = found.doubts.iter().map(|doubt| (doubt.kind, doubt.detail.as_str())).collect();
    use DoubtKind as D;
    let wanted = [(D::EmptyFile, "空.txt"), (D::BrokenFile, "~$x.docx"), (D::OtherFile, "封面.png")];
    assert_eq!(told, wanted);
    assert_eq!(found.chapters[1].place.source, 4, "the file of a chapter is named by its place");
    assert!(read(&sources, &Options::default()).is_err(), "a file that the author names must be read");
}

#[test]
fn files_named_after_their_titles_are_ordered_by_the_numbers_in_them() {
    let files = [("夜雨.txt", "第1章 夜雨\n甲。"), ("归途.txt", "第3章 归途\n丙。"), ("晨雾.txt", "第2章 晨雾\n乙。")];
    let sources = files.map(|(name, text)| SourceFile { name: name.to_owned(), bytes: text.as_bytes().to_vec() });
    let found = read(&sources, &Options::default()).unwrap();
    assert_eq!(contents(&found), [(0, Some(1), "夜雨"), (0, Some(2), "晨雾"), (0, Some(3), "归途")]);
    assert_eq!(doubts(&found), [DoubtKind::FilesOrdered]);
}

#[test]
fn an_own_pattern_names_the_headings() {
    let split = Some(regex::Regex::new("^※").unwrap());
    let found =
        read(&[source("※ 夜雨\n甲。\n第一章 不是标题\n※ 晨雾\n乙。\n")], &Options { split, ..Options::default() });
    let found = found.unwrap();
    assert_eq!(found.chapters.len(), 2);
    assert!(found.chapters[0].text.contains("第一章"));
}

/// How often each character that is no blank stands in the text.
fn census<'t>(texts: impl IntoIterator<Item = &'t str>) -> BTreeMap<char, usize> {
    let mut census = BTreeMap::new();
    for c in texts.into_iter().flat_map(str::chars).filter(|c| !c.is_whitespace() && *c != '\u{feff}') {
        *census.entry(c).or_default() += 1;
    }
    census
}

proptest! {
    #[test]
    fn every_character_is_in_a_chapter_a_heading_or_told(lines in prop::collection::vec(
        "(第[一二三1-3]{1,2}[章回节卷] ?(夜雨|晨雾)?|楔子|尾声|请假条|目录|[1-9]、甲|第一卷 风 第二章 雨|作者：乙|　　[甲乙丙。]{1,9}|www[.]a[.]com 书|# 第1章|)", 0..40),
        clean in any::<bool>()) {
        let text = lines.join("\n");
        let Ok(found) = read(&[source(&text)], &Options { clean, ..Options::default() }) else {
            let last = lines.iter().rfind(|line| !line.is_empty());
            prop_assert!(last.is_none_or(|line| !line.starts_with('　')) || text.contains("请假条"), "{}", text);
            return Ok(());
        };
        let chapters = found.chapters.iter().flat_map(|chapter| [chapter.heading.as_str(), &chapter.text]);
        let volumes = found.volumes.iter().map(|volume| volume.heading.as_str());
        let apart = found.apart.iter().map(|apart| apart.text.as_str());
        prop_assert_eq!(census(chapters.chain(volumes).chain(apart)), census([text.as_str()]));
    }
}
