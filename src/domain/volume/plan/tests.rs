//! Plans with and without flaws, and the contracts that follow from them.

use super::*;
use crate::domain::VolumeNo;
use crate::domain::volume::foreshadowing::{Action, Scope};
use crate::domain::world::contract::{EMOTION, LOCATION};
use crate::domain::world::storyline::{Convergence, Interleaving, Reach, ScheduledLine, Status, Storyline, VolumeRole};
use proptest::prelude::*;

fn slug(text: &str) -> Slug {
    Slug::new(text).unwrap()
}

fn line(id: &str, status: Status) -> Storyline {
    Storyline {
        id: slug(id),
        name: id.into(),
        kind: "main_arc".into(),
        reach: Reach::Novel,
        status,
        pov_characters: vec![],
        factions: vec![],
        timeline: "present".into(),
        description: String::new(),
        introduced: None,
    }
}

/// Chapters from `first`, one for each line named; those on `side` end with something known.
fn outline(first: u32, lines: &[&str]) -> Outline {
    let sections = lines.iter().enumerate().map(|(at, line)| {
        let n = first + at as u32;
        format!(
            "## 第{n}章 题{n}\n\n- 故事线: {line}\n- 视角: 沈渡\n- 地点: 渡口{n}\n- 冲突: 争{n}\n- 人物弧光: 无\n- 伏笔: 无\n\
             - 状态变化: 事{n}甲；事{n}乙\n"
        )
    });
    Outline::parse(&sections.collect::<String>()).unwrap()
}

fn scheduled(lines: &[(&str, VolumeRole)]) -> Schedule {
    let active = lines.iter().map(|(line, role)| ScheduledLine {
        storyline: slug(line),
        role: *role,
        target_chapters: 0,
        goal: String::new(),
    });
    Schedule {
        volume: VolumeNo::FIRST,
        theme: String::new(),
        active: active.collect(),
        interleaving: Some(Interleaving {
            primary_max_consecutive: Some(2),
            secondary_every: Some(2),
            ..Interleaving::default()
        }),
        convergences: vec![],
        dormant: vec![],
        newly_activated: vec![],
        closing: false,
    }
}

fn basis() -> PlanBasis {
    let lines = vec![line("main-arc", Status::Active), line("side", Status::Active), line("gone", Status::Ended)];
    PlanBasis { first: 1, storylines: Storylines { lines, relations: vec![] }, ..PlanBasis::default() }
}

fn plan(lines: &[&str]) -> Plan {
    let mut plan = Plan {
        outline: outline(1, lines),
        schedule: Some(scheduled(&[("main-arc", VolumeRole::Primary), ("side", VolumeRole::Secondary)])),
        ..Plan::default()
    };
    plan.contracts = plan.derived(&basis());
    plan
}

fn flaws_of(plan: &Plan) -> Vec<Flaw> {
    plan.flaws(&basis())
}

#[test]
fn a_sound_plan_has_no_flaw_and_its_conditions_follow_along_each_line() {
    let plan = plan(&["main-arc", "side", "main-arc", "main-arc", "side"]);
    assert_eq!(flaws_of(&plan), []);
    let of = |n: u32| &plan.contracts[&ChapterNo::new(n).unwrap()];
    assert_eq!(of(3).preconditions, of(1).postconditions);
    assert_eq!(of(5).preconditions, ["事2甲", "事2乙"]);
    let contexts: Vec<(Option<u32>, Option<u32>, Option<u32>)> = plan
        .contracts
        .values()
        .map(|contract| (contract.context.as_ref().unwrap(), contract.chapter))
        .map(|(at, chapter)| (at.last.map(ChapterNo::get), at.away(chapter), at.progress))
        .collect();
    let wanted = [(None, None), (None, None), (Some(1), Some(1)), (Some(3), Some(0)), (Some(2), Some(2))];
    assert_eq!(contexts, wanted.map(|(last, away)| (last, away, None)));
    let transition = of(1).transition.as_ref().unwrap();
    assert!(transition.next == slug("side") && transition.bridge.contains("渡口2"), "{transition:?}");
    assert!(of(3).transition.is_none(), "the next chapter is on the same line");
}

#[test]
fn lines_that_meet_know_what_each_has_brought_about() {
    let mut plan = plan(&["main-arc", "side", "main-arc", "side"]);
    let meeting = |chapters| Convergence {
        chapters,
        lines: vec![slug("main-arc"), slug("side")],
        trigger: String::new(),
        aftermath: String::new(),
    };
    plan.schedule.as_mut().unwrap().convergences = vec![meeting((3, 3))];
    plan.contracts = plan.derived(&basis());
    let third = &plan.contracts[&ChapterNo::new(3).unwrap()];
    assert_eq!(third.preconditions, ["事1甲", "事1乙", "事2甲", "事2乙"]);
    assert_eq!(flaws_of(&plan), []);
    plan.schedule.as_mut().unwrap().convergences = vec![meeting((4, 9)), meeting((4, 2))];
    assert_eq!(flaws_of(&plan).len(), 2, "{:?}", flaws_of(&plan));
}

#[test]
fn contracts_say_where_people_and_lines_stand_and_what_becomes_of_them() {
    let state = |place: &str| {
        BTreeMap::from([(LOCATION.to_owned(), place.to_owned()), (EMOTION.to_owned(), "起疑".to_owned())])
    };
    let basis = PlanBasis {
        characters: vec![Character::sample("shen-du", "沈渡", &[("C-SHENDU-001", "不会水")])],
        states: States::from([("shen-du".into(), state("旧宅")), ("a-qi".into(), state("岸上"))]),
        statuses: BTreeMap::from([(slug("side"), "船还没有来".to_owned())]),
        told: BTreeMap::from([(slug("main-arc"), "他收下了船票。".to_owned())]),
        rules: ["W-001".to_owned()].into(),
        ..basis()
    };
    let mut plan = plan(&["main-arc", "main-arc", "side"]);
    let source: String = plan.outline.sections.iter().map(|s| format!("{}\n\n", s.source)).collect();
    let source = source
        .replacen("状态变化: 事1甲", "状态变化: 沈渡到了渡口，天黑了；沈渡得到一盏灯", 1)
        .replacen("冲突: 争1", "冲突: 争1，碍着 W-001", 1)
        .replacen("伏笔: 无", "伏笔: 埋设 lamp：灯是冷的\n- 兑现: 他拿到了船票\n- **章末钩子**：票上有他的名字", 1);
    plan.outline = Outline::parse(&source).unwrap();
    let contracts: Vec<ChapterContract> = plan.derived(&basis).into_values().collect();
    let [one, two, three] = &contracts[..] else { panic!("{contracts:?}") };
    assert_eq!(one.character_states, States::from([("shen-du".into(), state("旧宅"))]));
    assert_eq!(one.state_changes["shen-du"], BTreeMap::from([(LOCATION.into(), "渡口".into())]));
    assert_eq!(one.postconditions[..2], ["沈渡到了渡口，天黑了", "沈渡得到一盏灯"]);
    assert_eq!(one.foreshadowing, BTreeMap::from([(slug("lamp"), Action::Planted)]));
    assert_eq!(one.objectives[1].task, Some((Action::Planted, slug("lamp"))));
    let paid = |kind: &str| one.objectives.iter().find(|objective| objective.kind == kind).unwrap();
    assert_eq!((paid("payoff").description.as_str(), paid("payoff").required), ("兑现：他拿到了船票", false));
    assert_eq!(paid("hook").description, "章末留下：票上有他的名字");
    let criteria = ["守住世界规则 W-001", "守住人物契约 C-SHENDU-001"];
    assert!(criteria.iter().all(|line| one.acceptance.contains(&(*line).to_owned())), "{:?}", one.acceptance);
    let context = one.context.clone().unwrap();
    assert_eq!(
        (context.last_summary.as_str(), &context.concurrent[&slug("side")][..]),
        ("他收下了船票。", "船还没有来")
    );
    // The next chapter begins where this one ends, and how he feels then is not known.
    assert_eq!(two.character_states["shen-du"], BTreeMap::from([(LOCATION.into(), "渡口".into())]));
    assert!(two.context.clone().unwrap().last_summary.contains("争1"), "{two:?}");
    assert!(three.context.clone().unwrap().concurrent[&slug("main-arc")].contains("第2章"), "{three:?}");
    // For a written chapter the state counts, not the plan.
    let written = plan.derived(&PlanBasis { written: 1, ..basis.clone() });
    assert_eq!(written[&ChapterNo::new(2).unwrap()].character_states["shen-du"], state("旧宅"));
    // The picture is no demand.
    let later = plan.derived(&PlanBasis { states: States::new(), statuses: BTreeMap::new(), ..basis });
    assert!(later.values().zip(&contracts).all(|(now, then)| now.asks_the_same(then)));
    assert!(later.values().zip(&contracts).any(|(now, then)| now != then));
}

#[test]
fn a_chapter_hangs_on_the_rules_that_it_or_its_people_name() {
    let person = |id: &str, name: &str, rule: &str, from: u32| {
        let mut person = Character::sample(id, name, &[("C-1", rule)]);
        person.profile = "照 W-003 活着".into();
        person.contracts[0].valid_from = from;
        person
    };
    let basis = PlanBasis {
        characters: vec![person("shen-du", "沈渡", "照 W-002 不能下水", 3), person("a-qi", "阿七", "守 W-001", 1)],
        rules: ["W-001", "W-002", "W-003"].map(str::to_owned).into(),
        ..basis()
    };
    let mut plan = plan(&["main-arc", "side", "main-arc"]);
    let source: String = plan.outline.sections.iter().map(|s| format!("{}\n\n", s.source)).collect();
    plan.outline = Outline::parse(&source.replacen("争2", "争2，犯了 W-001 和 W-0022", 1)).unwrap();
    let contracts = plan.derived(&basis);
    let rules: Vec<&[String]> = contracts.values().map(|contract| &contract.rules[..]).collect();
    assert_eq!(rules, [&[][..], &["W-001".to_owned()], &["W-002".to_owned()]]);
    plan.contracts = contracts;
    assert_eq!(plan.flaws(&basis), []);
    // The rule has gone: what is written stays, what is not is wrong.
    let gone = PlanBasis { rules: ["W-001".to_owned()].into(), ..basis.clone() };
    assert_eq!(plan.flaws(&gone).len(), 1);
    assert_eq!(plan.flaws(&PlanBasis { written: 3, ..gone }), []);
}

#[test]
fn every_flaw_is_found() {
    let flaws = |change: &dyn Fn(&mut Plan)| {
        let mut plan = plan(&["main-arc", "side", "main-arc", "side"]);
        change(&mut plan);
        flaws_of(&plan)
    };
    let retold = |plan: &mut Plan, from: &str, to: &str| {
        let source: String = plan.outline.sections.iter().map(|s| format!("{}\n\n", s.source)).collect();
        plan.outline = Outline::parse(&source.replacen(from, to, 1)).unwrap();
    };
    let planned = |plant, target, scope| ThreadPlan {
        id: slug("lamp"),
        description: String::new(),
        scope,
        storyline: slug("main-arc"),
        plant: ChapterNo::new(plant),
        advance: vec![],
        target,
    };
    let schedule = |plan: &mut Plan, lines: &[(&str, VolumeRole)]| plan.schedule = Some(scheduled(lines));
    use VolumeRole::{Primary, Secondary};
    let n = |n| ChapterNo::new(n).unwrap();
    type Case<'a> = (&'a dyn Fn(&mut Plan), Flaw);
    let table: &[Case<'_>] = &[
        (&|p| p.outline = outline(2, &["main-arc", "side"]), Flaw::Begins { found: 2, wanted: 1 }),
        (&|p| retold(p, "冲突: 争2", "冲突: 无。"), Flaw::NoConflict(n(2))),
        (&|p| schedule(p, &[("main-arc", Primary)]), Flaw::NotScheduled { chapter: n(2), line: slug("side") }),
        (&|p| schedule(p, &[("main-arc", Secondary), ("side", Secondary)]), Flaw::NoPrimary),
        (
            &|p| schedule(p, &[("main-arc", Primary), ("side", Secondary), ("gone", Secondary)]),
            Flaw::EndedLine { line: slug("gone") },
        ),
        (
            &|p| schedule(p, &[("main-arc", Primary), ("side", Secondary), ("new", Secondary)]),
            Flaw::UnknownLine { line: slug("new") },
        ),
        (&|p| schedule(p, &[("main-arc", Primary); 5]), Flaw::TooManyLines { found: 5 }),
        (
            &|p| retold(p, "故事线: side", "故事线: main-arc"),
            Flaw::RunTooLong { line: slug("main-arc"), from: n(1), run: 3, limit: 2 },
        ),
        (
            &|p| p.outline = outline(1, &["side", "main-arc", "main-arc", "main-arc", "main-arc"]),
            Flaw::AwayTooLong { line: slug("side"), after: 1, gap: 4, limit: 2 },
        ),
        (&|p| retold(p, "伏笔: 无", "伏笔: 推进 lamp：亮了"), Flaw::Unplanned { id: slug("lamp"), chapter: n(1) }),
        (
            &|p| p.foreshadowing = vec![planned(1, Some((4, 6)), Scope::Short)],
            Flaw::Untold { id: slug("lamp"), chapter: n(1), action: Action::Planted },
        ),
        (&|p| p.foreshadowing = vec![planned(9, None, Scope::Long)], Flaw::PlantOutside { id: slug("lamp"), plant: 9 }),
        (
            &|p| p.foreshadowing = vec![planned(3, Some((3, 6)), Scope::Short)],
            Flaw::Range { id: slug("lamp"), from: 3, to: 6 },
        ),
        (
            &|p| p.foreshadowing = vec![planned(1, Some((4, 40)), Scope::Short)],
            Flaw::Span { id: slug("lamp"), plant: 1, to: 40 },
        ),
        (
            &|p| {
                p.foreshadowing = vec![planned(2, None, Scope::Long)];
                retold(p, "伏笔: 无", "伏笔: 回收 lamp：灭了");
            },
            Flaw::Order { id: slug("lamp"), chapter: n(1), action: Action::Resolved },
        ),
        (&|p| drop(p.contracts.pop_last()), Flaw::NoContract(n(4))),
        (
            &|p| p.contracts.values_mut().nth(1).unwrap().rules.push("W-009".into()),
            Flaw::Unfounded { chapter: n(2), fact: "W-009".into() },
        ),
        (
            &|p| p.contracts.values_mut().nth(2).unwrap().preconditions.push("他会飞".into()),
            Flaw::Unfounded { chapter: n(3), fact: "他会飞".into() },
        ),
    ];
    for (change, flaw) in table {
        let found = flaws(*change);
        assert!(found.contains(flaw), "{flaw:?}: {found:?}");
    }
    let mut written = plan(&["main-arc", "side", "main-arc", "main-arc", "side"]);
    written.contracts.values_mut().nth(2).unwrap().preconditions.push("他会飞".into());
    let of = |written: &Plan, last| written.flaws(&PlanBasis { written: last, ..basis() });
    assert_eq!((of(&written, 2).len(), of(&written, 3).len()), (1, 0), "a written chapter needs no premise");
}

#[test]
fn meetings_lie_inside_the_volume_and_need_two_lines_of_its_schedule() {
    let flaws = |chapters, lines: &[&str]| {
        let mut plan = plan(&["main-arc", "side", "main-arc", "side"]);
        plan.outline = outline(1, &["main-arc", "side", "main-arc", "side"]);
        plan.schedule.as_mut().unwrap().convergences = vec![Convergence {
            chapters,
            lines: lines.iter().map(|line| slug(line)).collect(),
            trigger: String::new(),
            aftermath: String::new(),
        }];
        plan.contracts = plan.derived(&basis());
        flaws_of(&plan)
    };
    let both = ["main-arc", "side"];
    for chapters in [(1, 4), (1, 1), (2, 2), (4, 4)] {
        assert_eq!(flaws(chapters, &both), [], "{chapters:?}");
    }
    for (from, to) in [(0, 2), (3, 5), (3, 2)] {
        assert_eq!(flaws((from, to), &both), [Flaw::MeetingOutside { from, to }]);
    }
    for alone in [&["main-arc", "gone"][..], &["main-arc"], &["main-arc", "main-arc"]] {
        assert_eq!(flaws((1, 4), alone), [Flaw::MeetingAlone { from: 1, to: 4 }], "{alone:?}");
    }
    let empty = [Flaw::MeetingEmpty { from: 1, to: 1 }, Flaw::MeetingAlone { from: 1, to: 1 }];
    assert_eq!(flaws((1, 1), &["side"]), empty);
}

#[test]
fn a_volume_of_one_line_has_nothing_to_alternate_with() {
    let mut plan = Plan {
        outline: outline(1, &["main-arc"; 5]),
        schedule: Some(scheduled(&[("main-arc", VolumeRole::Primary)])),
        ..Plan::default()
    };
    plan.contracts = plan.derived(&basis());
    assert_eq!(flaws_of(&plan), []);
}

#[test]
fn the_sections_tell_of_the_foreshadowing_that_the_plan_has() {
    let lamp = |plant, advance: &[u32], target| ThreadPlan {
        id: slug("lamp"),
        description: String::new(),
        scope: Scope::Short,
        storyline: slug("main-arc"),
        plant: ChapterNo::new(plant),
        advance: advance.to_vec(),
        target,
    };
    let flaws = |planned: &[ThreadPlan], tasks: &[(usize, &str)], change: &dyn Fn(&mut Plan, &mut PlanBasis)| {
        let mut plan = plan(&["main-arc", "side", "main-arc", "side"]);
        let sections = plan.outline.sections.iter().enumerate().map(|(at, section)| {
            let task = tasks.iter().find(|(chapter, _)| *chapter == at + 1).map_or("无", |(_, task)| *task);
            format!("{}\n\n", section.source.replace("伏笔: 无", &format!("伏笔: {task}")))
        });
        plan.outline = Outline::parse(&sections.collect::<String>()).unwrap();
        plan.foreshadowing = planned.to_vec();
        let mut basis = basis();
        change(&mut plan, &mut basis);
        let found = plan.flaws(&basis).into_iter();
        found.filter(|flaw| !matches!(flaw, Flaw::NoContract(_) | Flaw::Unfounded { .. })).collect::<Vec<_>>()
    };
    let as_it_is = |_: &mut Plan, _: &mut PlanBasis| {};
    let (plant, advance, resolve) = ((2, "埋设 lamp：灯"), (3, "推进 lamp：亮了"), (3, "回收 lamp：灭了"));
    let untold = |chapter, action| Flaw::Untold { id: slug("lamp"), chapter: ChapterNo::new(chapter).unwrap(), action };
    let planned = [lamp(2, &[3], Some((4, 5)))];
    assert_eq!(flaws(&planned, &[plant, advance], &as_it_is), []);
    assert_eq!(flaws(&planned, &[plant, resolve], &as_it_is), [], "one that is paid off is taken up as well");
    assert_eq!(flaws(&planned, &[plant], &as_it_is), [untold(3, Action::Advanced)]);
    let other = flaws(&planned, &[plant, (3, "埋设 other：…")], &as_it_is);
    assert!(other.contains(&untold(3, Action::Advanced)), "{other:?}");
    let paid = flaws(&[lamp(3, &[], None)], &[resolve], &as_it_is);
    assert!(paid.contains(&untold(3, Action::Planted)), "{paid:?}");
    // A short one is due three to ten chapters after its planting.
    let due = |to| flaws(&[lamp(2, &[], Some((3, to)))], &[plant], &as_it_is);
    assert_eq!([5, 12].map(|to| due(to).len()), [0; 2]);
    for to in [4, 13] {
        assert_eq!(due(to), [Flaw::Span { id: slug("lamp"), plant: 2, to }]);
    }
    // Without a schedule, and in a chapter that is written, the section that plants a thing is its plan.
    let unplanned = |chapter| Flaw::Unplanned { id: slug("lamp"), chapter: ChapterNo::new(chapter).unwrap() };
    assert_eq!(flaws(&[], &[plant], &as_it_is), [unplanned(2)]);
    assert_eq!(flaws(&[], &[plant], &|plan, _| plan.schedule = None), []);
    assert_eq!(flaws(&[], &[plant], &|_, basis| basis.written = 2), []);
    assert_eq!(flaws(&[], &[plant], &|_, basis| basis.written = 1), [unplanned(2)]);
    assert_eq!(flaws(&[], &[advance], &|plan, _| plan.schedule = None), [unplanned(3)]);
}

#[test]
fn a_volume_that_ends_the_book_closes_everything() {
    use VolumeRole::{Primary, Secondary};
    let mut ledger = Ledger::default();
    let plant = crate::domain::volume::foreshadowing::ForeshadowOp {
        id: slug("old"),
        action: Action::Planted,
        detail: String::new(),
        scope: Some(Scope::Long),
        target: None,
    };
    ledger.apply(&plant, ChapterNo::FIRST, &slug("main-arc")).unwrap();
    let basis = PlanBasis { first: 5, chapters: Some(3), ledger, closing: true, ..basis() };
    let mut plan = Plan {
        outline: outline(5, &["main-arc", "side", "main-arc"]),
        schedule: Some(scheduled(&[("main-arc", Primary), ("side", Secondary)])),
        ..Plan::default()
    };
    let found = |plan: &Plan, basis: &PlanBasis| -> Vec<Flaw> {
        plan.flaws(basis).into_iter().filter(|flaw| !matches!(flaw, Flaw::NoContract(_))).collect()
    };
    let seventh = ChapterNo::new(7).unwrap();
    let open = Flaw::LeftOpen { id: slug("old"), chapter: seventh };
    assert!(open.blocks(), "long ones too");
    assert_eq!(found(&plan, &basis), [open]);
    // A thing that the plan has a date for is the section's omission, and can be mended without a model.
    plan.foreshadowing.push(ThreadPlan {
        id: slug("old"),
        description: String::new(),
        scope: Scope::Long,
        storyline: slug("main-arc"),
        plant: None,
        advance: vec![],
        target: Some((6, 7)),
    });
    let untold = Flaw::Untold { id: slug("old"), chapter: seventh, action: Action::Resolved };
    assert_eq!(found(&plan, &basis), [untold]);
    let source: String = plan.outline.sections.iter().map(|s| format!("{}\n\n", s.source)).collect();
    let (head, tail) = source.split_at(source.find("## 第7章").unwrap());
    let tail = tail.replacen("伏笔: 无", "伏笔: 回收 old：旧账清了", 1);
    plan.outline = Outline::parse(&format!("{head}{tail}")).unwrap();
    assert_eq!(found(&plan, &basis), []);
    // A running line has no end if it has no chapter; half an outline is not judged; other volumes may leave things.
    plan.schedule = Some(scheduled(&[("main-arc", Primary)]));
    let hanging = Flaw::LeftHanging { line: slug("side") };
    assert!(found(&plan, &basis).contains(&hanging) && hanging.blocks());
    let half = Plan { outline: outline(5, &["main-arc", "main-arc"]), ..plan.clone() };
    let ends = |flaw: &Flaw| matches!(flaw, Flaw::LeftOpen { .. } | Flaw::LeftHanging { .. });
    assert!(!found(&half, &basis).iter().any(ends));
    assert!(!found(&plan, &PlanBasis { closing: false, ..basis }).iter().any(ends));
}

proptest! {
    /// In any interleaving, derived contracts always follow from each other.
    #[test]
    fn derived_conditions_always_follow(lines in prop::collection::vec(prop::sample::select(vec!["main-arc", "side", "third"]), 1..30), met in any::<bool>()) {
        let mut plan = Plan { outline: outline(1, &lines), schedule: Some(scheduled(&[])), ..Plan::default() };
        if met {
            plan.schedule.as_mut().unwrap().convergences = vec![Convergence {
                chapters: (1, lines.len() as u32), lines: vec![slug("main-arc"), slug("third")], trigger: String::new(), aftermath: String::new(),
            }];
        }
        plan.contracts = plan.derived(&basis());
        let unfounded = plan.flaws(&basis()).into_iter().filter(|flaw| matches!(flaw, Flaw::Unfounded { .. } | Flaw::NoContract(_)));
        prop_assert_eq!(unfounded.count(), 0);
    }
}

#[test]
fn the_latest_volume_with_a_line_says_where_that_line_stands() {
    let volume = |first, lines: &[&str]| {
        let mut plan = Plan { outline: outline(first, lines), schedule: Some(scheduled(&[])), ..Plan::default() };
        plan.contracts = plan.derived(&PlanBasis { first, ..basis() });
        plan
    };
    let plans = [volume(5, &["main-arc", "main-arc"]), volume(3, &["side", "main-arc"]), volume(1, &["third", "side"])];
    let facts = |n: u32| vec![format!("事{n}甲"), format!("事{n}乙")];
    let standing = BTreeMap::from([(slug("main-arc"), facts(6)), (slug("side"), facts(3)), (slug("third"), facts(1))]);
    assert_eq!(left_standing(plans.iter()), standing);
    let last = last_chapters(plans.iter()).into_iter().map(|(line, chapter)| (line.to_string(), chapter.get()));
    let wanted = [("main-arc", 6), ("side", 3), ("third", 1)];
    assert!(last.eq(wanted.map(|(line, chapter)| (line.to_owned(), chapter))));
    let older: Vec<Plan> = [9, 8, 7].map(|first| volume(first, &["other"])).to_vec();
    assert_eq!(left_standing(older.iter().chain(&plans)).len(), 1, "three volumes back is as far as a plan looks");
}

#[test]
fn a_line_s_progress_is_told_in_per_cent_of_its_schedule() {
    let mut plan = plan(&["main-arc", "side", "main-arc", "main-arc", "side"]);
    let lines = &mut plan.schedule.as_mut().unwrap().active;
    (lines[0].target_chapters, lines[1].target_chapters) = (4, 1);
    let progress = plan.derived(&basis()).into_values().map(|contract| contract.context.unwrap().progress);
    assert_eq!(progress.collect::<Vec<_>>(), [Some(25), Some(100), Some(50), Some(75), Some(100)]);
}

#[test]
fn a_criterion_stands_in_a_contract_for_what_the_chapter_has() {
    let basis = PlanBasis { rules: ["W-001".to_owned()].into(), ..basis() };
    let mut plan = plan(&["main-arc", "main-arc"]);
    let source: String = plan.outline.sections.iter().map(|s| format!("{}\n\n", s.source)).collect();
    let source = source.replace("状态变化: 事1甲；事1乙", "状态变化: 无").replace("争2", "争2，守着 W-001");
    plan.outline = Outline::parse(&source).unwrap();
    let contracts: Vec<ChapterContract> = plan.derived(&basis).into_values().collect();
    let has = |contract: &ChapterContract, words: &str| contract.acceptance.iter().any(|line| line.contains(words));
    assert_eq!([0, 1].map(|at| has(&contracts[at], "章后应成立")), [false, true]);
    assert_eq!([0, 1].map(|at| has(&contracts[at], "规则")), [false, true]);
}

#[test]
fn advice_on_rhythm_does_not_block_a_plan_and_names_its_chapter() {
    let third = ChapterNo::new(3).unwrap();
    let run = Flaw::RunTooLong { line: slug("main-arc"), from: third, run: 4, limit: 2 };
    let away = Flaw::AwayTooLong { line: slug("side"), after: 1, gap: 4, limit: 2 };
    assert!(!run.blocks() && !away.blocks() && Flaw::NoPrimary.blocks());
    assert_eq!((run.chapter(), away.chapter(), Flaw::NoPrimary.chapter()), (Some(third), None, None));
}
