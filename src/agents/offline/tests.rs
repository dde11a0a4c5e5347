//! The offline writer over whole books.
use super::prose::{Edition, edition_of};
use super::scenario::Scenario;
use super::*;
use crate::agents::Material;
use crate::agents::material::{Memory, Recent};
use crate::domain::chapter::Chapter;
use crate::domain::character::Character;
use crate::domain::config::BookConfig;
use crate::domain::contract::{CharacterContract, Rule, Strength};
use crate::domain::evaluation::{Dimension, Fix};
use crate::domain::foreshadowing::Ledger;
use crate::domain::outline::{Field, Outline};
use crate::domain::state::{Delta, RawOp, State};
use crate::domain::storyline::{MAX_MEMORY, Reach, Schedule, Status, Storyline, Storylines};
use crate::domain::style::{AiPhrase, AiPhrases, StyleProfile, StyleSource};
use crate::domain::{ChapterNo, Slug, VolumeNo};
use proptest::prelude::*;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};

fn slug(text: &str) -> Slug {
    Slug::new(text).unwrap()
}

fn character(id: &str, name: &str, lines: &[&str], speech: &str, profile: &str) -> Character {
    let contract = CharacterContract {
        id: format!("C-{}-001", id.to_uppercase().replace('-', "")),
        kind: "personality".into(),
        rule: format!("{name}不失信"),
        exceptions: vec![],
        valid_from: 1,
        valid_until: None,
        update_requires: None,
    };
    Character {
        id: slug(id),
        display_name: name.into(),
        aliases: vec![],
        role: if id == "lu-chen" { "protagonist".into() } else { "supporting".into() },
        storylines: lines.iter().map(|line| slug(line)).collect(),
        speech: speech.into(),
        profile: profile.into(),
        contracts: vec![contract],
    }
}

fn storyline(id: &str, name: &str, kind: &str) -> Storyline {
    Storyline {
        id: slug(id),
        name: name.into(),
        kind: kind.into(),
        reach: Reach::Novel,
        status: Status::Active,
        pov_characters: vec![],
        factions: vec![],
        timeline: "present".into(),
        description: String::new(),
    }
}

/// An outline of `count` chapters: two lines in turn, a foreshadowing planted, advanced and resolved every ten chapters.
fn outline(count: u32) -> Outline {
    const PLACES: [&str; 5] = ["城北废窑", "听潮渡", "盐运司后院", "鬼市", "白石驿"];
    const TROUBLES: [&str; 7] = [
        "暗号指向城北，而城北今夜封城",
        "盐引对不上数，经手的人死了",
        "救人就得暴露身份",
        "师兄要他交出铜符换一条活路",
        "渡口只剩一条船，要走的有三家",
        "证人翻供，还反咬一口",
        "信是假的，送信的人却是真心",
    ];
    const ARCS: [&str; 4] = ["从不信人到第一次托付", "学会认输", "从逞强到肯等一等", "明白欠下的不是钱"];
    const CHANGES: [&str; 4] =
        ["陆尘得到半张海图；与顾盼结盟", "盐运司开始追查陆尘", "顾盼负伤", "陆尘欠下鬼市一个人情"];
    let mut text = String::from("# 第一卷 潮信\n");
    for n in 1..=count {
        let i = n as usize;
        let (line, pov) = if n % 3 == 0 { ("salt-case", "沈知微") } else { ("main-arc", "陆尘") };
        let clue = format!("clue-{}", n / 10);
        let task = match n % 10 {
            1 => format!("埋设 {clue}：窑门内侧第{n}道刻痕是新的"),
            4 => format!("推进 {clue}：刻痕的间距与潮位相合，差了{n}分"),
            7 => format!("回收 {clue}：刻痕是师父留下的，记的是第{n}次潮"),
            _ => "无".into(),
        };
        text.push_str(&format!(
            "\n## 第{n}章 题{n}\n- 故事线: {line}\n- 视角: {pov}\n- 地点: {}\n- 冲突: {}\n- 人物弧光: {}\n- 伏笔: {task}\n- 状态变化: {}\n",
            PLACES[i % 5], TROUBLES[i % 7], ARCS[i % 4], CHANGES[i % 4]
        ));
    }
    Outline::parse(&text).unwrap()
}

/// A book with two storylines, before its first chapter.
fn book(title: &str, genre: &str, count: u32) -> Material {
    let outline = outline(count);
    let rule = |id: &str, strength| Rule {
        id: id.into(),
        category: "world".into(),
        rule: "潮退之前不得出海".into(),
        strength,
        exceptions: vec![],
        introduced_chapter: 0,
    };
    let listed = ["不禁", "仿佛", "缓缓", "顿时", "微微", "一股", "目光", "深吸一口气", "心中一动"];
    let phrases = listed.iter().map(|text| AiPhrase { text: (*text).into(), category: "习惯".into() }).collect();
    Material {
        chapter: ChapterNo::FIRST,
        volume: VolumeNo::FIRST,
        config: BookConfig { title: title.into(), genre: genre.into(), offline: true, ..BookConfig::default() },
        brief: "# 简介\n\n讲一个欠债的人。\n".into(),
        style: StyleProfile {
            source: StyleSource::Preset,
            source_name: None,
            avg_sentence_length: 20.0,
            dialogue_ratio: 0.3,
            measured: BTreeMap::new(),
            rhetoric_preferences: vec![],
            forbidden_words: vec![],
            character_speech_patterns: BTreeMap::new(),
            writing_directives: vec![],
        },
        phrases: AiPhrases { phrases, allowed: vec![] },
        drift: vec![],
        section: outline.sections[0].clone(),
        outline,
        storylines: Storylines {
            lines: vec![storyline("main-arc", "潮信", "main_arc"), storyline("salt-case", "盐案", "mystery")],
            relations: vec![],
        },
        schedule: Schedule {
            volume: VolumeNo::FIRST,
            theme: String::new(),
            active: vec![],
            convergences: vec![],
            dormant: vec![],
        },
        memories: BTreeMap::new(),
        recent: vec![],
        previous_ending: String::new(),
        state: State::default(),
        ledger: Ledger::default(),
        characters: vec![
            character("gu-pan", "顾盼", &["main-arc"], "爱开玩笑，口头禅“亏本买卖”", "女，船家之后"),
            character("lao-he", "老何", &["salt-case"], "话少，句子简短", "仵作"),
            character("lu-chen", "陆尘", &["main-arc"], "直来直去，常说「再等等」", "欠债的账房"),
            character("shen-zhi-wei", "沈知微", &["salt-case"], "讲究条理，爱数一二三；客气", "女，巡盐御史的书吏"),
            character("song-san", "宋三", &["main-arc", "salt-case"], "爱打比方，文绉绉", "说书人"),
        ],
        rules: vec![rule("W-001", Strength::Hard), rule("W-002", Strength::Soft)],
        storyline_rules: vec![rule("LS-005", Strength::Hard)],
        contract: None,
    }
}

fn at(material: &mut Material, n: u32) {
    material.chapter = ChapterNo::new(n).unwrap();
    material.section = material.outline.section(material.chapter).unwrap().clone();
}

/// The chapter of a writer's reply, as the parser makes it.
fn chapter(material: &Material, reply: &str) -> Chapter {
    let (text, hints) = reply.split_once("【状态提示】").unwrap();
    assert!((1..=4).contains(&hints.lines().filter(|line| line.starts_with("- ")).count()), "{hints}");
    let chapter = Chapter::from_markdown(material.chapter, text, "?");
    assert!(reply.starts_with(&format!("# 第{}章 ", material.chapter.get())));
    chapter
}

fn draft(material: &Material) -> Chapter {
    chapter(material, &answer(&Task::Draft { material }))
}

fn judged(material: &Material, text: &Chapter, second: bool) -> Value {
    let task = Task::Judge { material, text, cross_references: &[], measured: &[], second };
    serde_json::from_str(&answer(&task)).unwrap()
}

fn overall(evaluation: &Value) -> f64 {
    let weigh =
        |d: &Dimension| evaluation["scores"][d.as_str()]["score"].as_f64().unwrap() * f64::from(d.weight_percent());
    Dimension::ALL.iter().map(weigh).sum::<f64>().round() / 100.0
}

fn summarized(material: &Material, text: &Chapter) -> Value {
    serde_json::from_str(&answer(&Task::Summarize { material, text, hints: "" })).unwrap()
}

fn raw_ops(summary: &Value) -> Vec<RawOp> {
    let text = |op: &Value, key: &str| op[key].as_str().map(str::to_owned);
    let read = |op: &Value| RawOp {
        op: text(op, "op").unwrap(),
        path: text(op, "path").unwrap(),
        value: op["value"].clone(),
        detail: text(op, "detail"),
        scope: text(op, "scope"),
    };
    summary["ops"].as_array().unwrap().iter().map(read).collect()
}

/// Writes chapters 1 to `count` one after the other, as the pipeline does, and hands each to `see`.
fn write_book(material: &mut Material, count: u32, mut see: impl FnMut(&Material, &Chapter, &Value)) {
    for n in 1..=count {
        at(material, n);
        let text = draft(material);
        let summary = summarized(material, &text);
        see(material, &text, &summary);
        let line = material.storyline().clone();
        let ops = raw_ops(&summary);
        let (delta, dropped) = Delta::screen(material.chapter, &line, &ops, &material.state, &material.ledger);
        assert_eq!(dropped, [], "chapter {n}");
        let merged = delta.merge(&material.state, &material.ledger).unwrap();
        (material.state, material.ledger) = (merged.state, merged.ledger);
        let said = |key: &str| summary[key].as_str().unwrap().to_owned();
        let memory = Memory { chapter: Some(material.chapter), status: said("line_status"), facts: said("memory") };
        material.memories.insert(line.clone(), memory);
        let recent =
            Recent { chapter: material.chapter, title: text.title.clone(), storyline: line, summary: said("summary") };
        material.recent.push(recent);
        if material.recent.len() > 3 {
            material.recent.remove(0);
        }
    }
}

fn runs(text: &str, length: usize) -> BTreeSet<String> {
    let han: Vec<char> = text.chars().filter(|c| cut::is_han(*c)).collect();
    han.windows(length).map(|window| window.iter().collect()).collect()
}

#[test]
fn neighbours_share_almost_nothing_and_no_sentence_stands_twice() {
    for (title, genre) in [("潮信", "武侠"), ("十七楼", "都市悬疑"), ("第四航站", "科幻")] {
        let mut material = book(title, genre, 40);
        let mut before: Option<(BTreeSet<String>, BTreeSet<String>)> = None;
        let mut worst: f64 = 0.0;
        write_book(&mut material, 40, |material, text, _| {
            let number = material.chapter;
            let mut seen = BTreeSet::new();
            for sentence in cut::paragraphs(&text.body).flat_map(cut::sentences).filter(|s| cut::words(s) > 5) {
                assert!(seen.insert(sentence), "{title} {number}: {sentence}");
            }
            let (eight, thirty) = (runs(&text.body, 8), runs(&text.body, 30));
            if let Some((old_eight, old_thirty)) = &before {
                let share = eight.intersection(old_eight).count() as f64 / eight.len() as f64;
                worst = worst.max(share);
                assert!(
                    share < 0.02,
                    "{title} {number}: {share} {:?}",
                    eight.intersection(old_eight).collect::<Vec<_>>()
                );
                assert_eq!(thirty.intersection(old_thirty).next(), None, "{title} {number}");
            }
            before = Some((eight, thirty));
        });
        println!("{title}: worst neighbours {worst:.4}");
    }
}

#[test]
fn two_chapters_to_read() {
    let mut material = book("潮信", "武侠", 40);
    write_book(&mut material, 6, |material, text, summary| {
        if material.chapter.get() >= 5 {
            println!("{}\n{:#}\n", text.to_markdown(), summary);
        }
    });
}

#[test]
fn the_length_keeps_to_the_settings() {
    for (min_words, max_words) in [(300, 500), (800, 1200), (2000, 2500), (2500, 3500), (4000, 5000)] {
        for genre in ["仙侠", "都市", "科幻"] {
            let mut material = book("潮信", genre, 40);
            (material.config.min_words, material.config.max_words) = (min_words, max_words);
            for n in 1..=12 {
                at(&mut material, n);
                for reply in [
                    answer(&Task::Draft { material: &material }),
                    answer(&Task::Rewrite { material: &material, issues: &[] }),
                ] {
                    let text = chapter(&material, &reply);
                    let words = cut::words(&text.body);
                    assert!(
                        (min_words..=max_words).contains(&words),
                        "{genre} {n}: {words} not in {min_words}..{max_words}"
                    );
                }
            }
        }
    }
}
