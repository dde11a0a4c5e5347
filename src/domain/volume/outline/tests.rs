//! Outlines as authors write them.

use crate::domain::volume::foreshadowing::Action;
use crate::domain::volume::outline::field::write_section;
use crate::domain::volume::outline::*;
use proptest::prelude::*;

const TWO: &str = "# 第一卷 潮信\n\n给自己的话。\n\n## 第1章 密信\n\n- 故事线: main-arc（主线）\n- 视角: 林枫\n- 地点: 魔都外城\n\
    - 冲突: 信使死在门前\n- 人物弧光: 从旁观到卷入\n- 伏笔: 埋设 ancient_prophecy：信纸背面的符文；其余照旧\n- 状态变化:\n  - 林枫得到密信\n  - 林枫起疑\n\n\
    ## Chapter 2: Ruins\n**Storyline**: sea-plan\n**POV**: 许青\n**Location**：码头\nConflict: x\nArc: y\nForeshadowing: 无\nStateChanges: z\n";

#[test]
fn both_notations_are_read() {
    let outline = Outline::parse(TWO).unwrap();
    assert_eq!(outline.preface.trim(), "# 第一卷 潮信\n\n给自己的话。");
    let [one, two] = &outline.sections[..] else { panic!("{outline:?}") };
    assert_eq!((one.title.as_str(), one.storyline.as_str(), one.line), ("密信", "main-arc", 5));
    assert_eq!(one.field(Field::StateChanges), "林枫得到密信\n林枫起疑");
    let task = ThreadTask {
        action: Action::Planted,
        id: Slug::new("ancient_prophecy").unwrap(),
        detail: "信纸背面的符文".into(),
    };
    assert_eq!(one.tasks, [task]);
    assert_eq!((two.title.as_str(), two.field(Field::Location), two.tasks.len()), ("Ruins", "码头", 0));
    assert_eq!(outline.storylines().len(), 2);
    let marked = format!("\u{feff}{}", &TWO[TWO.find("## 第1章").unwrap()..]);
    assert_eq!(Outline::parse(&marked).unwrap().sections.len(), 2, "a byte order mark is no part of the first line");
}

#[test]
fn a_heading_without_marks_is_told_by_the_field_below_it() {
    assert!(Outline::is_begun("第1章 密信\n- 故事线: main-arc\n"));
    assert!(Outline::is_begun("卷首语\n\n第1章 密信\n\n- 故事线: main-arc\n"));
    assert!(!Outline::is_begun("第1章 密信\n他还没有写。\n"));
    assert!(!Outline::is_begun("第1章 密信"));
}

#[test]
fn values_are_filled_in_without_touching_what_the_author_has() {
    let new = |values: &[(Field, &str)]| {
        let values = values.iter().map(|(field, value)| (*field, (*value).to_owned())).collect();
        BTreeMap::from([(ChapterNo::FIRST, values)])
    };
    let filled =
        |text: &str, values: &[(Field, &str)]| Outline::partial(text, &ids_only).unwrap().0.filled(text, &new(values));
    let text = "## 第1章 信\n\n- 故事线: main-arc\n- 视角:\n- 地点: 渡口";
    let both = filled(text, &[(Field::Pov, "沈渡"), (Field::Conflict, "船没有来")]);
    assert_eq!(both, "## 第1章 信\n\n- 故事线: main-arc\n- 视角: 沈渡\n- 地点: 渡口\n- 冲突: 船没有来\n");
    assert_eq!(filled(text, &[(Field::Pov, "沈渡")]), text.replace("视角:", "视角: 沈渡"), "no line end is added");
    let ended = format!("{text}\n\n");
    let below = filled(&ended, &[(Field::Conflict, "船没有来")]);
    assert_eq!(below, format!("{text}\n- 冲突: 船没有来\n\n"));
    let windows = filled(&ended.replace('\n', "\r\n"), &[(Field::Pov, "沈渡"), (Field::Conflict, "船没有来")]);
    assert!(windows.contains("- 视角: 沈渡\r\n") && windows.contains("渡口\r\n- 冲突: 船没有来\r\n"), "{windows:?}");
}

#[test]
fn every_mistake_is_named_with_its_line() {
    let problems = |text: &str| -> Vec<(usize, OutlineProblem)> {
        Outline::parse(text).unwrap_err().into_iter().map(|e| (e.line, e.problem)).collect()
    };
    assert_eq!(problems("")[0].0, 1);
    assert_eq!(problems("# 卷\n\n## 尾声\n")[0].1, OutlineProblem::NoNumber("## 尾声".into()));
    let lacking = TWO.replace("- 冲突: 信使死在门前\n", "");
    assert_eq!(problems(&lacking), [(5, OutlineProblem::Lacks { chapter: 1, field: Field::Conflict })]);
    let gap = TWO.replace("Chapter 2", "Chapter 3");
    assert_eq!(problems(&gap)[0].1, OutlineProblem::OutOfOrder { found: 3, wanted: 2 });
    assert_eq!(problems(&TWO.replace("sea-plan", "靖海"))[0].1, OutlineProblem::Storyline("靖海".into()));
    let twice = problems(&TWO.replace("- 地点: 魔都外城", "- 视角: 许青"));
    assert!(twice.contains(&(9, OutlineProblem::Twice { chapter: 1, field: Field::Pov })), "{twice:?}");
}

#[test]
fn a_heading_that_is_not_marked_is_an_error_with_its_line() {
    let problems = |text: &str| -> Vec<(usize, OutlineProblem)> {
        Outline::parse(text).unwrap_err().into_iter().map(|e| (e.line, e.problem)).collect()
    };
    for unmarked in ["第1章 密信", "# 第1章 密信", "### 第1章 密信", "**第一章：密信**", "# Chapter 1: Letter"]
    {
        let text = TWO.replace("## 第1章 密信", unmarked);
        let found = problems(&text);
        assert_eq!((found[0].0, found.len()), (5, 1), "{unmarked}: {found:?}");
        assert!(matches!(found[0].1, OutlineProblem::NotMarked(_)), "{found:?}");
        // All of them, and the text has no section at all.
        let none = text.replace("## Chapter 2", "# Chapter 2");
        assert_eq!(problems(&none).len(), 2, "{unmarked}");
        assert!(Outline::is_begun(&none), "{unmarked}");
    }
    for remark in ["第1章要写得狠。", "第一章 密信不拆，第二章再拆", "# 第一卷 潮信", "### 人物", "#影帝塌房#"]
    {
        let text = TWO.replace("给自己的话。", remark);
        assert!(Outline::parse(&text).is_ok(), "{remark}");
        assert!(!Outline::is_begun(&format!("{remark}\n\n还没有想好。\n")), "{remark}");
    }
}

#[test]
fn headings_are_read_as_authors_write_them() {
    for heading in [
        "##第1章 密信",
        "## 第一章：密信",
        "## 第１章　密信",
        "## 第 1 章 密信",
        "##  **第1章 密信**",
        "＃＃第1章 密信",
    ] {
        let outline = Outline::parse(&TWO.replace("## 第1章 密信", heading)).unwrap();
        assert_eq!((outline.sections[0].chapter.get(), outline.sections[0].title.as_str()), (1, "密信"), "{heading}");
    }
}

#[test]
fn a_chapter_twice_and_a_wrong_beginning_are_errors() {
    let twice = Outline::parse(&TWO.replace("Chapter 2", "Chapter 1")).unwrap_err();
    assert_eq!(twice[0], OutlineError { line: 17, problem: OutlineProblem::Repeated { chapter: 1, first: 5 } });
    let outline = Outline::parse(TWO).unwrap();
    assert_eq!(outline.begins_with(ChapterNo::FIRST), Ok(()));
    let later = outline.begins_with(ChapterNo::new(4).unwrap()).unwrap_err();
    assert_eq!((later.line, later.problem), (5, OutlineProblem::Begins { found: 1, wanted: 4 }));
}

#[test]
fn a_field_s_name_that_is_misspelt_is_named_where_the_field_is_missing() {
    let unknown = |from: &str, to: &str| Outline::parse(&TWO.replacen(from, to, 1)).unwrap_err();
    for (from, to, line, meant) in [
        ("- 冲突: 信使", "- 冲撞: 信使", 10, Field::Conflict),
        ("- 地点: 魔都", "- 地址：魔都", 9, Field::Location),
        ("**POV**: 许青", "**POW**: 许青", 19, Field::Pov),
        ("StateChanges: z", "StateChange: z", 24, Field::StateChanges),
        ("StateChanges: z", "StatChangs: z", 24, Field::StateChanges),
    ] {
        let errors = unknown(from, to);
        assert_eq!(errors.len(), 1, "{errors:?}");
        assert!(
            matches!(&errors[0], OutlineError { line: at, problem: OutlineProblem::Unknown { meant: field, .. } } if *at == line && *field == meant),
            "{errors:?}"
        );
    }
    // A label like no field's is not taken for the one that is missing.
    let far = unknown("- 地点: 魔都", "- 天气: 魔都");
    assert!(
        matches!(far[..], [OutlineError { problem: OutlineProblem::Lacks { field: Field::Location, .. }, .. }]),
        "{far:?}"
    );
    let other = TWO.replace("- 地点: 魔都外城", "- 场景：魔都外城\n- 备注: 冲淡一点");
    assert_eq!(Outline::parse(&other).unwrap().sections[0].field(Field::Location), "魔都外城\n备注: 冲淡一点");
}

#[test]
fn a_storyline_stands_with_its_id_or_its_name() {
    let resolve = |name: &str| match name {
        "靖海计划" => Slug::new("sea-plan").ok(),
        name => ids_only(name),
    };
    for (written, id) in [
        ("靖海计划", "sea-plan"),
        ("《靖海计划》", "sea-plan"),
        ("靖海计划（sea-plan）", "sea-plan"),
        ("主线", "main-arc"),
        ("主线（主角）", "main-arc"),
        ("sea-plan（靖海）", "sea-plan"),
        ("别名（other-line）", "other-line"),
    ] {
        let text = TWO.replacen("main-arc（主线）", written, 1);
        let outline = Outline::parse_with(&text, &resolve).unwrap();
        assert_eq!(outline.sections[0].storyline.as_str(), id, "{written}");
    }
    assert!(Outline::parse_with(&TWO.replacen("main-arc（主线）", "无名", 1), &resolve).is_err());
}

#[test]
fn missing_fields_are_left_to_the_planner_and_filled_in_place() {
    let text = TWO
        .replace("- 视角: 林枫\n", "")
        .replace("- 冲突: 信使死在门前\n", "- 冲突：\n<!-- 再想 -->\n")
        .replace("**Storyline**: sea-plan\n", "");
    let (outline, gaps) = Outline::partial(&text, &ids_only).unwrap();
    let gap = |chapter: u32| gaps[&ChapterNo::new(chapter).unwrap()].iter().copied().collect::<Vec<_>>();
    assert_eq!((gap(1), gap(2)), (vec![Field::Pov, Field::Conflict], vec![Field::Storyline]));
    assert_eq!(outline.sections[1].storyline.as_str(), MAIN_LINE);
    assert_eq!(Outline::parse(&text).unwrap_err().len(), 3);
    let new = BTreeMap::from([
        (ChapterNo::FIRST, BTreeMap::from([(Field::Pov, "林枫".to_owned()), (Field::Conflict, "要过\n河".to_owned())])),
        (ChapterNo::FIRST.next(), BTreeMap::from([(Field::Storyline, "sea-plan".to_owned())])),
    ]);
    for text in [text.clone(), text.replace('\n', "\r\n")] {
        let filled = outline.filled(&text, &new);
        let whole = Outline::parse(&filled).unwrap();
        assert_eq!(whole.sections[0].field(Field::Conflict), "要过；河");
        assert_eq!((whole.sections[0].field(Field::Pov), whole.sections[1].storyline.as_str()), ("林枫", "sea-plan"));
        // The author's own bytes are all there, in their order.
        let mut left = filled.as_str();
        for line in text.split_inclusive('\n') {
            let at = left.find(line.trim_end()).unwrap_or_else(|| panic!("{line:?} in {filled}"));
            left = &left[at + line.trim_end().len()..];
        }
        assert_eq!(filled.contains("\r\n"), text.contains("\r\n"));
    }
    assert_eq!(outline.filled(&text, &BTreeMap::new()), text);
}

#[test]
fn a_title_keeps_its_own_numbers_and_words() {
    let section = TWO.split_once("## 第1章 密信").unwrap().1.split_once("## Chapter 2").unwrap().0;
    let title = |heading: &str| Outline::parse(&format!("## {heading}{section}")).unwrap().sections[0].title.clone();
    for own in ["404号房", "24小时", "1937年的雨", "Chapter House", "夜读《史记》", "第二章没有写完", "Ch. 3"]
    {
        for number in ["第1章 ", "第一章：", "Chapter 1: ", "1. ", "第１章 — "] {
            assert_eq!(title(&format!("{number}{own}")), own, "{number}");
        }
    }
    assert_eq!((title("第1章 《密信》"), title("第1章")), ("密信".to_owned(), "第1章".to_owned()));
}

#[test]
fn advice_in_comments_is_not_a_plan() {
    let commented = format!("<!--\n## 第9章 样例\n-->\n{TWO}");
    assert_eq!(Outline::parse(&commented).unwrap().sections.len(), 2);
}

#[test]
fn a_section_is_replaced_and_every_other_line_stays() {
    let text = format!("{}\n\n<!-- 留着\n## 不是章 -->\n", TWO.replace("- 冲突:", "<!-- 再想想 -->\n- 冲突:"));
    let outline = Outline::parse(&text).unwrap();
    let fields = BTreeMap::from([(Field::Storyline, "main-arc".to_owned()), (Field::Conflict, "换了".to_owned())]);
    let new = BTreeMap::from([(ChapterNo::FIRST, write_section(ChapterNo::FIRST, "新信", &fields))]);
    let spliced = outline.spliced(&text, &new);
    let (head, rest) = text.split_once("## 第1章").unwrap();
    let tail = rest.split_once("## Chapter 2").unwrap().1;
    let section = "## 第1章 新信\n\n- 故事线: main-arc\n- 冲突: 换了\n<!-- 再想想 -->\n\n## Chapter 2";
    assert_eq!(spliced, format!("{head}{section}{tail}"));
    assert_eq!(outline.spliced(&text, &BTreeMap::new()), text);
    // The last section, without an end of line and with those of Windows.
    let windows = text.trim_end().replace('\n', "\r\n");
    let second = BTreeMap::from([(ChapterNo::FIRST.next(), "## 第2章 x\n- 冲突: y".to_owned())]);
    let spliced = Outline::parse(&windows).unwrap().spliced(&windows, &second);
    assert!(spliced.contains("## 第2章 x\r\n- 冲突: y\r\n") && spliced.ends_with("## 不是章 -->"), "{spliced:?}");
}

proptest! {
    #[test]
    fn reading_never_panics(text in "(## ?|第|章|一|十|12|- |故事线|：|:|\\n|main-arc|[a-z ]|<!--|-->){0,60}") {
        let _ = Outline::parse(&text);
        let _ = Outline::is_begun(&text);
    }
}
