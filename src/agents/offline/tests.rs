//! The offline writer over whole books.
use crate::agents::checks::completeness::Expected;
use crate::agents::context::chapter::{Memory, Recent};
use crate::agents::context::rules::rules_for;
use crate::agents::offline::phrases::{clip, has_speech, paragraphs, sentences, words};
use crate::agents::offline::scenario::Scenario;
use crate::agents::offline::writer::index_of;
use crate::agents::offline::*;
use crate::agents::prelude::*;
use crate::agents::scenes::{PlanMaterial, read_plan, read_scene};
use crate::agents::{ChapterContext, Opinion, SceneOrder};
use crate::domain::chapter::evaluation::{Dimension, Fix};
use crate::domain::chapter::summary::ReaderLedger;
use crate::domain::state::{Delta, RawOp, State};
use crate::domain::volume::foreshadowing::Ledger;
use crate::domain::volume::outline::Outline;
use crate::domain::world::contract::{CharacterContract, Rule, Strength};
use crate::domain::world::storyline::{MAX_MEMORY, Reach, Schedule, Status, Storyline, Storylines};
use crate::domain::world::style::{AiPhrase, AiPhrases, StyleProfile, StyleSource};
use proptest::prelude::*;

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
        former_names: vec![],
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
        introduced: None,
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
fn book(title: &str, genre: &str, count: u32) -> ChapterContext {
    let outline = outline(count);
    let rule = |id: &str, strength| Rule {
        id: id.into(),
        category: "world".into(),
        rule: "潮退之前不得出海".into(),
        strength,
        exceptions: vec![],
        introduced_chapter: 0,
        last_verified: None,
    };
    let listed = ["不禁", "仿佛", "缓缓", "顿时", "微微", "一股", "目光", "深吸一口气", "心中一动"];
    let phrases = listed.iter().map(|text| AiPhrase { text: (*text).into(), category: "习惯".into() }).collect();
    ChapterContext {
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
            own_phrases: vec![],
        },
        phrases: AiPhrases { phrases, ..AiPhrases::default() }.into(),
        drift: vec![],
        section: outline.sections[0].clone(),
        outline,
        storylines: Storylines {
            lines: vec![storyline("main-arc", "潮信", "main_arc"), storyline("salt-case", "盐案", "mystery")],
            relations: vec![],
        },
        is_scheduled: true,
        planned: vec![],
        schedule: Schedule {
            volume: VolumeNo::FIRST,
            theme: String::new(),
            active: vec![],
            interleaving: None,
            convergences: vec![],
            dormant: vec![],
            closing: false,
            newly_activated: Vec::new(),
        },
        memories: BTreeMap::new(),
        recent: vec![],
        passages: vec![],
        pages: vec![],
        samples: vec![],
        relationships: vec![],
        minor_cast: vec![],
        chapter_memories: vec![],
        reader: ReaderLedger::default(),
        line_before: None,
        bridge: String::new(),
        overused: vec![],
        worn: vec![],
        wishes: vec![],
        voices: vec![],
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
        waivers: Default::default(),
        editions: 0,
    }
}

fn at(context: &mut ChapterContext, n: u32) {
    context.chapter = ChapterNo::new(n).unwrap();
    context.section = context.outline.section(context.chapter).unwrap().clone();
}

/// The chapter of a writer's reply, as the parser makes it.
fn chapter(context: &ChapterContext, reply: &str) -> Chapter {
    let (text, hints) = reply.split_once("【状态提示】").unwrap();
    assert!((1..=4).contains(&hints.lines().filter(|line| line.starts_with("- ")).count()), "{hints}");
    let chapter = Chapter::from_markdown(context.chapter, text, "?");
    assert!(reply.starts_with(&format!("# 第{}章 ", context.chapter.get())));
    chapter
}

fn draft(context: &ChapterContext) -> Chapter {
    chapter(context, &answer(&Task::Draft { context }))
}

fn judged(context: &ChapterContext, text: &Chapter, opinion: Opinion) -> Value {
    let task = Task::Judge { context, text, cross_references: &[], measured: &[], opinion };
    serde_json::from_str(&answer(&task)).unwrap()
}

fn overall(evaluation: &Value) -> f64 {
    let weigh =
        |d: &Dimension| evaluation["scores"][d.as_str()]["score"].as_f64().unwrap() * f64::from(d.weight_percent());
    Dimension::ALL.iter().map(weigh).sum::<f64>().round() / 100.0
}

fn summarized(context: &ChapterContext, text: &Chapter) -> Value {
    serde_json::from_str(&answer(&Task::Summarize { context, text, hints: "" })).unwrap()
}

fn raw_ops(summary: &Value) -> Vec<RawOp> {
    let text = |op: &Value, key: &str| op[key].as_str().map(str::to_owned);
    let read = |op: &Value| RawOp {
        op: text(op, "op").unwrap(),
        path: text(op, "path").unwrap(),
        value: op["value"].clone(),
        detail: text(op, "detail"),
        scope: text(op, "scope"),
        target: None,
    };
    summary["ops"].as_array().unwrap().iter().map(read).collect()
}

/// Writes chapters 1 to `count` one after the other, as the pipeline does, and hands each to `see`.
fn write_book(context: &mut ChapterContext, count: u32, mut see: impl FnMut(&ChapterContext, &Chapter, &Value)) {
    for n in 1..=count {
        at(context, n);
        let text = draft(context);
        let summary = summarized(context, &text);
        see(context, &text, &summary);
        let line = context.storyline().clone();
        let ops = raw_ops(&summary);
        let (delta, dropped) = Delta::screen(context.chapter, &line, &ops, &context.state, &context.ledger);
        assert_eq!(dropped, [], "chapter {n}");
        let merged = delta.merge(&context.state, &context.ledger).unwrap();
        (context.state, context.ledger) = (merged.state, merged.ledger);
        let said = |key: &str| summary[key].as_str().unwrap().to_owned();
        let memory = Memory { chapter: Some(context.chapter), status: said("line_status"), facts: said("memory") };
        context.memories.insert(line.clone(), memory);
        let recent =
            Recent { chapter: context.chapter, title: text.title.clone(), storyline: line, summary: said("summary") };
        context.recent.push(recent);
        if context.recent.len() > 3 {
            context.recent.remove(0);
        }
    }
}

fn runs(text: &str, length: usize) -> BTreeSet<String> {
    let han: Vec<char> = text.chars().filter(|c| crate::text::is_han(*c)).collect();
    han.windows(length).map(|window| window.iter().collect()).collect()
}

#[test]
fn neighbours_share_almost_nothing_and_no_sentence_stands_twice() {
    for (title, genre) in [("潮信", "武侠"), ("十七楼", "都市悬疑"), ("第四航站", "科幻")] {
        let mut context = book(title, genre, 40);
        let mut before: Option<(BTreeSet<String>, BTreeSet<String>)> = None;
        write_book(&mut context, 40, |context, text, _| {
            let number = context.chapter;
            let mut seen = BTreeSet::new();
            for sentence in paragraphs(&text.body).flat_map(sentences).filter(|s| words(s) > 9) {
                assert!(seen.insert(sentence), "{title} {number}: {sentence}");
            }
            let (eight, thirty) = (runs(&text.body, 8), runs(&text.body, 30));
            if let Some((old_eight, old_thirty)) = &before {
                let share = eight.intersection(old_eight).count() as f64 / eight.len() as f64;
                assert!(
                    share < 0.02,
                    "{title} {number}: {share} {:?}",
                    eight.intersection(old_eight).collect::<Vec<_>>()
                );
                assert_eq!(thirty.intersection(old_thirty).next(), None, "{title} {number}");
            }
            before = Some((eight, thirty));
        });
    }
}

#[test]
#[expect(clippy::print_stdout, reason = "with --nocapture it shows two chapters to a reader")]
fn endings_differ_and_two_chapters_can_be_read() {
    let mut context = book("潮信", "武侠", 40);
    let mut endings: Vec<String> = Vec::new();
    write_book(&mut context, 40, |context, text, summary| {
        if (5..=6).contains(&context.chapter.get()) {
            println!("{}\n{summary:#}\n", text.to_markdown());
        }
        let ending: String = paragraphs(&text.body).last().unwrap().chars().take(12).collect();
        assert!(!endings.iter().rev().take(3).any(|other| *other == ending), "{}: {ending}", context.chapter);
        endings.push(ending);
    });
}

#[test]
fn the_length_keeps_to_the_settings() {
    for (min_words, max_words) in [(300, 500), (800, 1200), (2000, 2500), (2500, 3500), (4000, 5000)] {
        for genre in ["仙侠", "都市", "科幻"] {
            let mut context = book("潮信", genre, 40);
            (context.config.min_words, context.config.max_words) = (min_words, max_words);
            for n in 1..=12 {
                at(&mut context, n);
                for reply in [
                    answer(&Task::Draft { context: &context }),
                    answer(&Task::Rewrite { context: &context, issues: &[] }),
                ] {
                    let text = chapter(&context, &reply);
                    let words = words(&text.body);
                    assert!(
                        (min_words..=max_words).contains(&words),
                        "{genre} {n}: {words} not in {min_words}..{max_words}"
                    );
                }
            }
        }
    }
}

#[test]
fn a_chapter_in_scenes_is_as_good_as_one_in_a_piece() {
    for (least, most) in [(300, 500), (900, 1400), (2500, 3500)] {
        let mut context = book("潮信", "玄幻", 12);
        (context.config.min_words, context.config.max_words) = (least, most);
        for n in 1..=4 {
            at(&mut context, n);
            let plan = read_plan(
                &answer(&Task::ScenePlan { context: &context, reasons: &[] }),
                &PlanMaterial::of(&context, &[]),
            )
            .unwrap();
            let mut so_far = String::new();
            for number in 1..=plan.count() {
                let words = plan.span(number, words(&so_far), &(least..=most));
                let expected = Expected::of_length(*words.start());
                let order = SceneOrder { plan: plan.clone(), number, so_far: so_far.clone(), words };
                let reply = answer(&Task::Scene { context: &context, order: &order });
                let scene = read_scene(&reply, context.chapter, "?", &order, &expected).unwrap();
                assert_eq!(scene.findings, [], "scene {number} of {n} at {least}");
                assert_eq!(scene.hints.is_empty(), number < plan.count());
                assert_eq!(scene.chapter.title, "?", "the planned title");
                so_far.push_str(&format!("\n\n{}", scene.chapter.body.trim()));
            }
            let whole = draft(&context).body;
            let told = |text: &str| paragraphs(text).collect::<Vec<_>>().join("\n");
            assert_eq!(told(&so_far), told(&whole), "the same story");
            assert!(!so_far.contains("* * *"));
        }
    }
}

#[test]
fn the_same_task_has_the_same_answer_and_other_chapters_have_others() {
    let mut context = book("潮信", "武侠", 40);
    at(&mut context, 9);
    let first = answer(&Task::Draft { context: &context });
    assert_eq!(first, answer(&Task::Draft { context: &context.clone() }));
    let other = book("潮信二", "武侠", 40);
    assert_ne!(draft(&other).body, draft(&book("潮信", "武侠", 40)).body, "books differ by their titles");
}

#[test]
fn a_chapter_shows_what_the_outline_asks_for_and_keeps_other_lines_out() {
    let mut context = book("潮信", "武侠", 40);
    for n in 1..=30 {
        at(&mut context, n);
        let text = draft(&context);
        assert!(text.body.contains(context.section.field(Field::Location)), "{n}");
        let scenario = Scenario::of(&context);
        assert!(scenario.conflict.is_in(&text.body) && scenario.hints.iter().all(|(_, hint)| hint.is_in(&text.body)));
        let lines = context.section.fields.values().flat_map(|text| text.split(['；', '\n']));
        for line in lines.filter(|line| line.chars().count() >= 12) {
            assert!(!text.body.contains(line.trim()), "{n}: {line}");
        }
        let foreign = if n % 3 == 0 { ["顾盼", "欠债"] } else { ["沈知微", "老何"] };
        let named = |name: &str| context.section.source.contains(name);
        assert!(foreign.iter().all(|name| named(name) || !text.body.contains(name)), "{n}");
        assert!(text.body.matches("* * *").count() >= 2 && text.body.matches('“').count() > 6, "{n}");
    }
}

#[test]
fn a_summary_speaks_of_the_text_and_stays_within_bounds() {
    let mut context = book("潮信", "武侠", 40);
    write_book(&mut context, 40, |context, text, summary| {
        let said = summary["summary"].as_str().unwrap();
        assert!((120..=380).contains(&said.chars().count()), "{}: {}", context.chapter, said.chars().count());
        assert!(said.contains("陆尘") || said.contains("沈知微"));
        assert!(summary["memory"].as_str().unwrap().chars().count() <= MAX_MEMORY);
        assert!(summary["line_status"].as_str().unwrap().ends_with('。'));
        let ops = raw_ops(summary);
        assert!(ops.iter().all(|op| op.check().is_ok()) && ops.len() >= 3);
        let planned = context.section.tasks.len();
        assert_eq!(ops.iter().filter(|op| op.op == "foreshadow").count(), planned, "{}", context.chapter);
        for mention in summary["cross_references"].as_array().unwrap() {
            assert!(text.body.contains(mention["evidence"].as_str().unwrap()));
            assert_ne!(mention["leak_risk"], "high");
        }
    });
    assert_eq!(context.ledger.open().count(), 0, "what was planted was resolved");
}

fn refined(context: &ChapterContext, text: &Chapter, pass: u32) -> (Chapter, usize) {
    let reply = answer(&Task::Refine { context, text, pass, remarks: &[] });
    let reply: Value = serde_json::from_str(&reply).unwrap();
    let mut body = text.body.clone();
    let mut cost = 0;
    let edits = reply["edits"].as_array().unwrap();
    for edit in edits {
        let field = |key: &str| edit[key].as_str().unwrap();
        assert_eq!(text.body.matches(field("original")).count(), 1, "{edit}");
        assert_ne!(field("original"), field("refined"));
        assert!(!field("reason").is_empty());
        cost += field("original").chars().count().max(field("refined").chars().count());
        body = body.replacen(field("original"), field("refined"), 1);
    }
    assert!(cost * 10 < text.body.chars().count(), "{cost} of {}", text.body.chars().count());
    (Chapter { body, ..text.clone() }, edits.len())
}

#[test]
fn the_refiner_finds_real_work_and_leaves_most_alone() {
    let mut context = book("潮信", "武侠", 40);
    let listed: Vec<String> = context.phrases.phrases.iter().map(|p| p.text.clone()).collect();
    let hits = |text: &Chapter| listed.iter().map(|p| text.body.matches(p.as_str()).count()).sum::<usize>();
    let (mut before, mut after, mut first, mut second) = (0, 0, 0, 0);
    for n in 1..=20 {
        at(&mut context, n);
        let text = draft(&context);
        let (clean, edits) = refined(&context, &text, 1);
        before += hits(&text);
        after += hits(&clean);
        first += edits;
        second += refined(&context, &clean, 2).1;
        let scenario = Scenario::of(&context);
        assert_eq!(index_of(&scenario, &clean.body), Some(0), "{n}");
    }
    assert!(
        after * 3 < before && first > 10 && second < first,
        "{before} hits became {after}; {first} edits, then {second}"
    );
}

#[test]
fn a_judge_claims_no_reading_and_checks_nothing_but_what_is_rehearsed() {
    let mut context = book("潮信", "武侠", 40);
    for n in 1..=40 {
        at(&mut context, n);
        let text = draft(&context);
        for opinion in [Opinion::First, Opinion::Second] {
            let evaluation = judged(&context, &text, opinion);
            for dimension in Dimension::ALL {
                let score = &evaluation["scores"][dimension.as_str()];
                assert_eq!(
                    (score["evidence"].as_str(), score["reason"].as_str()),
                    (Some(""), Some("离线占位分，没有读正文"))
                );
                assert!((1.0..=5.0).contains(&score["score"].as_f64().unwrap()));
            }
            let asked = rules_for(&context, &text.body);
            for check in evaluation["checks"].as_array().unwrap() {
                assert_eq!(check["finding"], "violation", "{n}: {check}");
                assert!(asked.iter().any(|given| check["rule"] == given.id.as_str()), "{n}: {check} was not asked");
                assert!(text.body.contains(check["evidence"].as_str().unwrap()), "{check}");
            }
            assert_eq!((&evaluation["strengths"], &evaluation["risk_flags"]), (&json!([]), &json!([])));
            for key in ["required_fixes", "issues"] {
                assert!(evaluation[key].is_array(), "{key}");
            }
        }
    }
}

fn fixes(evaluation: &Value) -> Vec<Fix> {
    let fixes = evaluation["required_fixes"].as_array().unwrap();
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    fixes.iter().map(|fix| Fix { target: text(&fix["target"]), instruction: text(&fix["instruction"]) }).collect()
}

fn violated(evaluation: &Value) -> bool {
    evaluation["checks"].as_array().unwrap().iter().any(|check| check["finding"] == "violation")
}

#[test]
fn over_a_long_book_most_chapters_pass_and_none_stops() {
    let mut context = book("潮信", "武侠", 600);
    (context.config.min_words, context.config.max_words) = (300, 500);
    let (mut pass, mut polish, mut revise, mut violations) = (0, 0, 0, 0);
    for n in 1..=600 {
        at(&mut context, n);
        let mut text = draft(&context);
        let mut evaluation = judged(&context, &text, Opinion::First);
        match overall(&evaluation) {
            score if score >= 4.0 => pass += 1,
            score if score >= 3.5 => polish += 1,
            _ => revise += 1,
        }
        let strict = overall(&judged(&context, &text, Opinion::Second));
        assert!((3.0..=overall(&evaluation) + 0.09).contains(&strict), "{n}: {strict}");
        violations += usize::from(violated(&evaluation));
        let mut round = 0;
        while overall(&evaluation) < 3.5 || violated(&evaluation) {
            assert!(overall(&evaluation) >= 3.0, "{n}");
            round += 1;
            assert!(round <= 2, "{n} is still not good: {}", overall(&evaluation));
            let fixes = fixes(&evaluation);
            assert!(!fixes.is_empty());
            let task = Task::Revise { context: &context, text: &text, fixes: &fixes, violations: &[], round };
            text = chapter(&context, &answer(&task));
            let better = judged(&context, &text, Opinion::First);
            assert!(overall(&better) > overall(&evaluation) && !violated(&better), "{n}");
            evaluation = better;
        }
    }
    assert!((390..=450).contains(&pass), "{pass} pass");
    assert!((90..=150).contains(&polish), "{polish} are polished");
    assert!((30..=75).contains(&revise), "{revise} are revised");
    assert_eq!(violations, 0);
}

#[test]
fn a_revision_changes_what_was_blamed_and_keeps_the_rest() {
    let mut context = book("潮信", "武侠", 40);
    for n in 1..=20 {
        at(&mut context, n);
        let text = draft(&context);
        let blamed = paragraphs(&text.body).filter(|p| !has_speech(p)).nth(9).unwrap().to_owned();
        let fixes = [Fix { target: clip(&blamed, 20).to_owned(), instruction: "改".into() }];
        let task = Task::Revise { context: &context, text: &text, fixes: &fixes, violations: &[], round: 1 };
        let revised = chapter(&context, &answer(&task));
        let old: BTreeSet<&str> = paragraphs(&text.body).collect();
        let kept = paragraphs(&revised.body).filter(|p| old.contains(p)).count();
        assert!(!revised.body.contains(&blamed), "{n}");
        assert!(kept * 10 >= old.len() * 8 && kept < old.len(), "{n}: {kept} of {}", old.len());
        assert!((2500..=3500).contains(&words(&revised.body)), "{n}");
        let rewritten = chapter(&context, &answer(&Task::Rewrite { context: &context, issues: &[] }));
        let same = paragraphs(&rewritten.body).filter(|p| old.contains(p) && words(p) > 12).count();
        // The scenes that tell the outline keep their words.
        assert!(same * 5 < old.len(), "{n}: a rewrite keeps {same} of {}", old.len());
    }
}

#[test]
fn an_author_can_rehearse_every_decision() {
    let mut context = book("潮信", "武侠", 40);
    context.brief.push_str("离线评分: 1.5, 3.2, 4.1\n离线评分(ch-002): 2.4\n离线违规（ch-003）: W-001, 无\n");
    let draft_one = draft(&context);
    assert_eq!(overall(&judged(&context, &draft_one, Opinion::First)), 1.5);
    let again = chapter(&context, &answer(&Task::Rewrite { context: &context, issues: &[] }));
    let evaluation = judged(&context, &again, Opinion::First);
    assert_eq!(overall(&evaluation), 3.2);
    let fixes = fixes(&evaluation);
    let task = Task::Revise { context: &context, text: &again, fixes: &fixes, violations: &[], round: 1 };
    let revised = chapter(&context, &answer(&task));
    assert_eq!(overall(&judged(&context, &revised, Opinion::First)), 4.1);
    let second = Task::Revise { context: &context, text: &revised, fixes: &[], violations: &[], round: 2 };
    assert_eq!(overall(&judged(&context, &chapter(&context, &answer(&second)), Opinion::First)), 4.1);
    at(&mut context, 2);
    assert_eq!(overall(&judged(&context, &draft(&context), Opinion::Second)), 2.4);
    at(&mut context, 3);
    let broken = draft(&context);
    let evaluation = judged(&context, &broken, Opinion::First);
    let check = evaluation["checks"].as_array().unwrap().iter().find(|check| check["rule"] == "W-001").unwrap();
    assert_eq!((check["finding"].as_str(), check["confidence"].as_str()), (Some("violation"), Some("high")));
    assert!(broken.body.contains(check["evidence"].as_str().unwrap()));
    let task = Task::Revise { context: &context, text: &broken, fixes: &[], violations: &[], round: 1 };
    assert!(!violated(&judged(&context, &chapter(&context, &answer(&task)), Opinion::First)));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]
    #[test]
    fn nothing_in_a_book_makes_it_panic(
        texts in prop::collection::vec("[ -~无陆尘从到，。；、“”{}\\[\\]|\\n（）]{0,24}", 7),
        names in prop::collection::vec("[A-Za-z 陆·{}\\[\\]|“*]{0,6}", 0..4),
        lengths in (1u32..1500, 0u32..1000),
        chapter in prop::sample::select(vec![1u32, 2, 999, 5000, 999_999]),
        lines in any::<bool>(),
    ) {
        let mut context = book(&texts[0], &texts[1], 1);
        context.chapter = ChapterNo::new(chapter).unwrap();
        context.section.title = texts[2].clone();
        for (field, text) in Field::ALL.iter().zip(&texts) {
            context.section.fields.insert(*field, text.clone());
        }
        let ids = ["a", "b", "c", "d"];
        context.characters =
            names.iter().zip(ids).map(|(name, id)| self::character(id, name, &["main-arc"], &texts[3], &texts[4])).collect();
        if lines {
            context.storylines.lines.clear();
        }
        (context.config.min_words, context.config.max_words) = (lengths.0, lengths.0 + lengths.1);
        let text = self::chapter(&context, &answer(&Task::Draft { context: &context }));
        prop_assert!(!text.body.trim().is_empty() && !text.title.is_empty());
        let strange = Chapter { body: texts.concat(), ..text.clone() };
        for text in [&text, &strange] {
            let summary = summarized(&context, text);
            let ops = raw_ops(&summary);
            let (_, dropped) = Delta::screen(context.chapter, context.storyline(), &ops, &context.state, &context.ledger);
            prop_assert_eq!(dropped, vec![]);
            let evaluation = judged(&context, text, Opinion::First);
            prop_assert!(overall(&evaluation) >= 3.0);
            let fixes = fixes(&evaluation);
            let revise = Task::Revise { context: &context, text, fixes: &fixes, violations: &[], round: 1 };
            prop_assert!(answer(&revise).contains("【状态提示】"));
            let refine = Task::Refine { context: &context, text, pass: 1, remarks: &[] };
            prop_assert!(serde_json::from_str::<Value>(&answer(&refine)).is_ok());
        }
        let style = Task::AnalyzeStyle { samples: &texts, measured: &[], source: StyleSource::Original, name: None };
        prop_assert!(serde_json::from_str::<Value>(&answer(&style)).is_ok());
    }
}

#[test]
fn a_refiner_leaves_longer_words_whole() {
    let context = book("渡", "古风", 3);
    let body = "雨停了。\n\n他把灯、伞、纸一股脑堆在墙角。\n\n他闻到一股味。\n\n他又走了。\n";
    let text = Chapter {
        number: ChapterNo::FIRST,
        title: "渡".into(),
        body: format!("{body}{}", "\n天亮了很久。\n".repeat(60)),
    };
    let edits: Value = serde_json::from_str(&crate::agents::offline::readers::refine(&context, &text, 1)).unwrap();
    let edits = edits["edits"].as_array().unwrap();
    let refined: Vec<&str> = edits.iter().map(|edit| edit["refined"].as_str().unwrap()).collect();
    assert_eq!(refined, ["他闻到一阵味"]);
}
